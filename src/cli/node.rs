//! `skidpad node`: the companions of the simulator as ROS 2 nodes, which are also executables of their own names.

use std::ffi::OsString;

use super::Failure;

/// The nodes by name. An executable of such a name, as the package installs them, is that node.
pub(super) const NODES: &[(&str, &str)] = &[];

#[derive(Debug, clap::Args)]
pub(super) struct NodeArgs {
    /// Which
    pub(super) name: String,
}

/// Runs a node until a signal comes.
pub(super) fn node(_args: &NodeArgs, _for_ros: &[OsString]) -> Result<(), Failure> {
    Ok(())
}
