//! Whole worlds compared with closed forms and with MVSim's trajectories, and bad input.

#[path = "../support/bits.rs"]
mod bits;
mod common;
mod contacts;
mod deliveries;

mod acceptance;
mod animation;
mod articulated;
mod bad_input;
mod bad_rows;
mod blocks;
mod collisions;
mod commands;
mod convergence;
mod determinism;
mod drivetrain;
mod experiment;
mod extremes;
mod friction_laws;
mod handling;
mod inputs;
mod instant;
mod joints;
mod labels;
mod ladder;
mod models;
mod omnidirectional;
mod overlaps;
mod pedals;
mod peers;
mod population;
mod powertrain;
mod powertrain_input;
mod racecar;
mod repeats;
mod rolling;
mod slope;
mod spectrum;
mod storeys;
mod terrain;
mod tracked;
mod tracking;
mod tricycle;
mod turning;
mod tyres;
