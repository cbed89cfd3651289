//! What skidpad says of a simulation in ROS's terms, whoever says it: the node, or a recording. Numbers and names only; the
//! messages that carry them belong to those who send or write them.

pub mod copy;
pub mod covariance;
pub mod drawing;
pub mod laps;
pub mod names;
pub mod naming;
pub mod numbers;
pub mod poses;
pub mod rules;
pub mod vesc;
