//! The vehicle simulation core of skidpad, from world files to frames, and its output data types: ROS messages, data for viewers,
//! and the names of presets. Crate `skidpad` runs the simulation, re-exports these modules, and begins with a tour of them.
//!
//! It is a crate of its own to save build time: it is optimised as a whole, and is not rebuilt when code around it changes.
//! Nothing in it depends on ROS.
//!
//! # Sources cited by short names
//!
//! * **"The study"** is S. Colli, M. Pagani, E. Panelli, "A Gazebo car simulator, analysis and comparison with a single-track model",
//!   project report of the course "Control of Mobile Robots", Politecnico di Milano, 2022/23: the tracker, the linearizers and
//!   the names of their parameters come from it.
//! * **"MVSim's manual"** is B. Tymchenko, "Multiple Vehicle Simulator", 2020, part of MVSim's documentation
//!   (mvsimulator.readthedocs.io). MVSim itself is described in J. L. Blanco-Claraco et al., "MultiVehicle Simulator (MVSim):
//!   Lightweight dynamics simulator for multiagents and mobile robotics research", SoftwareX 23 (2023) 101443.
#![warn(missing_docs, unreachable_pub)]
// Input, files and the network must not be able to end the process; only tests may unwrap.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::unimplemented,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments give units in brackets, which rustdoc would take for links"
)]

pub mod assets;
pub mod bench;
#[cfg(test)]
#[path = "../../tests/support/fifo.rs"]
mod fifo;
pub mod friction;
pub mod georeference;
pub mod input_file;
pub mod interface;
pub mod math;
pub mod mesh;
pub mod message;
pub mod preset;
pub mod raycast;
pub mod rng;
pub mod ros_name;
pub mod sensor;
pub mod time;
pub mod tracking;
pub mod trajectory;
pub mod vehicle;
pub mod view;
pub mod waypoint_file;
pub mod world;
pub mod xml;
