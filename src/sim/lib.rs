//! The vehicle simulation of skidpad, from world files to frames. Crate `skidpad` runs it, re-exports these modules, and begins with
//! a tour of them. Nothing here depends on ROS.
//!
//! It is optimised as a whole, and is not rebuilt when code around it changes.
//!
//! # Sources cited by short names
//!
//! * **"The study"** is the report that [`tracking`] follows and names.
//! * **"MVSim's manual"** is B. Tymchenko, "Multiple Vehicle Simulator", 2020, part of MVSim's documentation
//!   (mvsimulator.readthedocs.io). MVSim itself is described in J. L. Blanco-Claraco et al., "MultiVehicle Simulator (MVSim):
//!   Lightweight dynamics simulator for multiagents and mobile robotics research", SoftwareX 23 (2023) 101443.

pub mod georeference;
pub mod ros_name;
pub mod sensor;
pub mod world;

pub use skidpad_rays as raycast;
pub use skidpad_tracking::{self as tracking, trajectory, waypoint_file};
pub use skidpad_vehicle::{self as vehicle, friction};

/// The example of the page of the crate is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
