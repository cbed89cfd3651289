//! The ROS naming layer, shared by the node and recordings and independent of middleware: names and numbers only; the
//! messages belong to the publishers and recorders.

pub mod copy;
pub mod covariance;
pub mod drawing;
pub mod laps;
pub mod names;
pub mod naming;
pub mod numbers;
pub mod poses;
pub mod rules;
pub mod sampler;
pub mod vesc;
