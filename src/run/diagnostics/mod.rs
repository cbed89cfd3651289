//! Health of the run: its statistics, and what `/diagnostics` and `~/statistics` say of them, for the node and recordings.

pub mod health;
pub mod statistics;
pub mod status;

use skidpad_ros_data::message::{DiagnosticStatus, KeyValue};

use status::Status;

/// Topic of the diagnostics, absolute as its subscribers expect.
pub const DIAGNOSTICS_TOPIC: &str = "/diagnostics";
/// Wall time between diagnostics.
pub const DIAGNOSTICS_PERIOD: std::time::Duration = std::time::Duration::from_secs(1);

/// A line of the diagnostics as its message.
pub fn message(status: Status) -> DiagnosticStatus {
    let values = status.values.into_iter().map(|(key, value)| KeyValue { key, value });
    DiagnosticStatus {
        level: status.level as u8,
        name: format!("skidpad: {}", status.subject),
        message: status.message,
        hardware_id: status.hardware,
        values: values.collect(),
    }
}
