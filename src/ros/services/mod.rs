//! Services of the node, and how every service receives and answers its calls.

pub mod calls;
pub mod run_control;
