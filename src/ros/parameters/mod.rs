//! The parameters of the node: their table and services, the sources of their values, and the effect of each.

pub mod arguments;
mod gains;
pub mod listing;
pub mod lockstep;
pub mod preset_parameters;
pub mod qos_overrides;
pub mod services;
pub mod settings;
pub mod step_rates;
pub mod table;
pub mod unknown;
pub mod vehicle_parameters;
