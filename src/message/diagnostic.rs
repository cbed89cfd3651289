//! Messages about the state of systems, package `diagnostic_msgs`.

use super::standard::Header;

messages! {
    KeyValue = "diagnostic_msgs/msg/KeyValue" [Eq] {
        /// What.
        key: String,
        /// How much.
        value: String,
    }

    DiagnosticStatus = "diagnostic_msgs/msg/DiagnosticStatus" [Eq] {
        /// 0: good, 1: a warning, 2: an error, 3: no longer heard.
        level: u8,
        /// What is judged.
        name: String,
        /// The verdict.
        message: String,
        /// Which device.
        hardware_id: String,
        /// What the verdict rests on.
        values: Vec<KeyValue>,
    }

    DiagnosticArray = "diagnostic_msgs/msg/DiagnosticArray" [Eq] {
        /// When.
        header: Header,
        /// One for each system.
        status: Vec<DiagnosticStatus>,
    }
}
