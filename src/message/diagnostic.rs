//! Messages about the state of systems, package `diagnostic_msgs`.

use serde::{Deserialize, Serialize};

use super::standard::Header;

types! {
    DiagnosticArray: "diagnostic_msgs/msg/DiagnosticArray";
    DiagnosticStatus: "diagnostic_msgs/msg/DiagnosticStatus";
    KeyValue: "diagnostic_msgs/msg/KeyValue";
}

/// `diagnostic_msgs/msg/KeyValue`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyValue {
    /// What.
    pub key: String,
    /// How much.
    pub value: String,
}

/// `diagnostic_msgs/msg/DiagnosticStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticStatus {
    /// 0: good, 1: a warning, 2: an error, 3: no longer heard.
    pub level: u8,
    /// What is judged.
    pub name: String,
    /// The verdict.
    pub message: String,
    /// Which device.
    pub hardware_id: String,
    /// What the verdict rests on.
    pub values: Vec<KeyValue>,
}

/// `diagnostic_msgs/msg/DiagnosticArray`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticArray {
    /// When.
    pub header: Header,
    /// One for each system.
    pub status: Vec<DiagnosticStatus>,
}
