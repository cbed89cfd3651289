//! skidpad simulates wheeled vehicles: planar rigid bodies with a detailed wheel-ground contact under them, sensors on
//! top, and ROS 2 around it.
pub mod math;
pub mod raycast;
pub mod rng;
pub mod runner;
pub mod sensor;
pub mod sink;
pub mod time;
pub mod vehicle;
pub mod world;
pub mod xml;
