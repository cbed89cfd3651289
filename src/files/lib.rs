//! Files that skidpad reads and writes: input whose kind and size are checked before it is read, output that appears whole or not at
//! all, meshes, and assets that are downloaded or unpacked into a cache.

pub mod assets;
pub mod input_file;
pub mod mesh;
#[cfg(feature = "output")]
pub mod output_file;
