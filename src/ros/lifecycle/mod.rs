//! The life of the node, from its start to an orderly shutdown: the context, the threads, and the thread that owns the node.

pub mod bridge;
pub mod context;
pub mod interface_lines;
pub mod shutdown;
mod spin;
pub mod start;
