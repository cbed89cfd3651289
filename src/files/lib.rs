//! Files that skidpad reads and writes: input whose kind and size are checked before it is read, output that appears whole or not at
//! all, meshes, and assets that are downloaded or unpacked into a cache. And, for all crates above, what a message is made of.

pub mod assets;
pub mod counted;
pub mod diagnostic;
pub mod file_error;
pub mod file_set;
pub mod input_file;
pub mod legible;
pub mod mesh;
pub mod nearest;
#[cfg(feature = "output")]
pub mod output_file;
pub mod reported_once;
#[cfg(feature = "output")]
pub mod scratch;
