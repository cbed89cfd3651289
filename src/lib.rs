//! skidpad simulates wheeled vehicles: planar rigid bodies with a detailed wheel-ground contact under them, sensors on
//! top, and ROS 2 around it.
// Doc comments give units in brackets, which rustdoc would take for links.
#![allow(rustdoc::broken_intra_doc_links)]

pub mod bench;
pub mod cli;
pub mod friction;
pub mod math;
pub mod raycast;
pub mod rng;
#[cfg(feature = "ros")]
pub mod ros;
pub mod runner;
pub mod sensor;
pub mod sink;
pub mod time;
pub mod vehicle;
pub mod world;
pub mod xml;
