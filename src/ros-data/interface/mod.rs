//! The ROS naming layer, shared by the node and recordings and independent of the middleware. It computes names and numbers only;
//! publishers and recorders own the messages.

pub mod copy;
pub mod covariance;
pub mod joint_ports;
pub mod laps;
pub mod listing;
pub mod names;
pub mod naming;
pub mod numbers;
pub mod poses;
pub mod rules;
pub mod sampler;
pub mod vesc;
