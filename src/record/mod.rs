//! Recording of runs as MCAP files in the profile of ROS 2, written in this process: no middleware, nothing lost at any speed.

pub mod cdr;
pub mod message;
