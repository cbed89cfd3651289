//! Parameters of any node: their table, the values given at the start, the services that read and set them, and warnings of values that are
//! not used as given. Each kind of node declares its own.

pub mod arguments;
pub mod qos_overrides;
pub mod services;
pub(crate) mod step_rates;
pub mod table;
pub mod unknown;
