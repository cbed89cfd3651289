//! Commands about worlds and their files: what is in one, what is wrong with one, new ones, and other forms of one.

pub(super) mod check;
pub(super) mod describe;
pub(super) mod describe_json;
pub(super) mod export;
pub(super) mod import;
pub(super) mod list;
pub(super) mod new;
pub(super) mod snapshot;
pub(super) mod urdf;
