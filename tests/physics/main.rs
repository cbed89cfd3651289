//! Whole worlds against closed forms, against MVSim's trajectories, and against bad input.

mod common;

mod acceptance;
mod commands;
mod drivetrain;
mod peers;
mod rolling;
mod turning;
