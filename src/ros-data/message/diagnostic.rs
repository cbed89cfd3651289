//! Messages about the state of systems, package `diagnostic_msgs`.

use super::standard::Header;

messages! {
    KeyValue = "diagnostic_msgs/msg/KeyValue" [Eq] {
        /// Name of the value.
        key: String,
        /// The value.
        value: String,
    }

    DiagnosticStatus = "diagnostic_msgs/msg/DiagnosticStatus" [Eq] {
        /// 0: OK, 1: a warning, 2: an error, 3: stale.
        level: u8,
        /// Name of the component.
        name: String,
        /// Its state in words.
        message: String,
        /// Id of its hardware.
        hardware_id: String,
        /// Values behind the state.
        values: Vec<KeyValue>,
    }

    DiagnosticArray = "diagnostic_msgs/msg/DiagnosticArray" [Eq] {
        /// Time stamp.
        header: Header,
        /// One status per component.
        status: Vec<DiagnosticStatus>,
    }
}
