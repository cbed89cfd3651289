//! Whole worlds compared with closed forms and with MVSim's trajectories, and bad input.

mod common;
mod contacts;
mod deliveries;

mod acceptance;
mod animation;
mod bad_input;
mod bad_rows;
mod blocks;
mod collisions;
mod commands;
mod determinism;
mod drivetrain;
mod experiment;
mod extremes;
mod friction_laws;
mod handling;
mod joints;
mod ladder;
mod models;
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
mod tracking;
mod turning;
mod tyres;
