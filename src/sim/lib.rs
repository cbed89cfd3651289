//! The vehicle simulation of skidpad, from world files to frames. Crate `skidpad` runs it, re-exports these modules, and begins with
//! a tour of them. Nothing here depends on ROS.
//!
//! It is optimised as a whole, and is not rebuilt when code around it changes.
//!
//! # Sources cited by short names
//!
//! * **"The study"** is S. Colli, M. Pagani, E. Panelli, "A Gazebo car simulator, analysis and comparison with a single-track model",
//!   project report of the course "Control of Mobile Robots", Politecnico di Milano, 2022/23: the tracker, the linearizers and
//!   the names of their parameters come from it.
//! * **"MVSim's manual"** is B. Tymchenko, "Multiple Vehicle Simulator", 2020, part of MVSim's documentation
//!   (mvsimulator.readthedocs.io). MVSim itself is described in J. L. Blanco-Claraco et al., "MultiVehicle Simulator (MVSim):
//!   Lightweight dynamics simulator for multiagents and mobile robotics research", SoftwareX 23 (2023) 101443.

pub mod friction;
pub mod georeference;
pub mod raycast;
pub mod ros_name;
pub mod sensor;
pub mod tracking;
pub mod trajectory;
pub mod vehicle;
pub mod waypoint_file;
pub mod world;

/// The example of the page of the crate is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
