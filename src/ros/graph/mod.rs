//! The node on the ROS graph: the table of its topics, their resolved names, the vehicles that come and go, and other nodes that
//! publish what only one node may publish.

pub mod duplicate_publishers;
pub mod duplicate_transforms;
pub mod fleet;
pub mod names;
pub mod peers;
pub mod quality;
pub mod topic_layout;
pub mod topics;
