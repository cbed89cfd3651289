//! Changes of a world from outside, between two steps: commands, settings, bodies that come and go, edits.

pub(super) mod amend;
pub(super) mod catalogue;
pub(super) mod commands;
pub(super) mod external_change;
pub(super) mod faults;
#[cfg(test)]
mod placing_tests;
pub(super) mod replace;
pub(super) mod reset;
pub(super) mod set_state;
pub(super) mod settings;
pub(super) mod spawn_remove;
pub(super) mod spot;
pub(super) mod start;
pub(super) mod teleport;
pub(super) mod tune;
pub(super) mod wanted;
#[cfg(test)]
mod wanted_tests;
pub(super) mod wrench;
