//! The phases of a step, in `world.rs` in their order, other than the physics.

pub(super) mod animate;
pub(super) mod attitude;
pub(super) mod block_slope;
#[cfg(test)]
mod block_slope_tests;
pub(super) mod contact_sensing;
pub(super) mod fill_frame;
pub(super) mod follow_ground;
pub(super) mod front_frame;
pub(super) mod interpolation;
#[cfg(test)]
mod interpolation_tests;
pub(super) mod ledges;
pub(super) mod meet_actors;
pub(super) mod sensing;
#[cfg(test)]
mod slope_tests;
pub(super) mod springs;
