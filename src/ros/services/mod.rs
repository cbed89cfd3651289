//! Services of the node, and the common handling of their calls.

pub mod calls;
pub mod run_control;
