//! Errors of the ROS node at its start.

use skidpad_files::diagnostic::Diagnostic;

/// Why the ROS side could not start; its place is what failed: a parameter, a topic, the ROS client library.
pub type RosError = Diagnostic;

/// The error of a subscription that the client library refuses; `topic` is the full name.
pub fn subscription(topic: &str, error: &r2r::Error) -> RosError {
    RosError::new(format!("topic \"{topic}\""), format!("cannot subscribe: {error}"))
}

/// The error of a thread that the operating system fails to start.
pub fn thread(error: &std::io::Error) -> RosError {
    RosError::new("ROS", format!("cannot start a thread: {error}"))
}
