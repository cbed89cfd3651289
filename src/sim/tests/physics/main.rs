//! Whole worlds compared with closed forms and with MVSim's trajectories, and bad input.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "nobody calls this program, and a test that cannot go on has failed"
)]

/// The simulation is below the crate that has these.
#[path = "../../../run/frame_bits.rs"]
mod bits;
mod common;
mod contacts;
mod deliveries;

mod acceptance;
mod air;
mod animation;
mod articulated;
mod autoware;
mod bad_input;
mod bad_rows;
mod blocks;
mod collisions;
mod commands;
mod convergence;
mod determinism;
mod drivetrain;
mod extremes;
mod friction_laws;
mod handling;
mod held_wheels;
mod inputs;
mod inputs_start;
mod instant;
mod joints;
mod labels;
mod ladder;
mod map_edge;
mod mirror;
mod models;
mod omnidirectional;
mod overlaps;
mod pedals;
mod peers;
mod population;
mod powertrain;
mod powertrain_input;
mod racecar;
mod roll_over;
mod rolling;
mod round;
mod slope;
mod springs;
mod steps;
mod storeys;
mod terrain;
mod tracked;
mod tracking;
mod tricycle;
mod turning;
mod tyres;
