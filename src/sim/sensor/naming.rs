//! Names of sensors that cannot be those of their topics and frames, which are called after them in ROS.

use super::SensorInfo;
use crate::ros_name::{MAX_TOPIC_LENGTH, TOKEN_RULE, is_token, token};

/// The topics that a vehicle has beside those of its sensors, or that every node has.
pub const TAKEN_TOPICS: &[&str] = &[
    "ackermann_cmd",
    "clock",
    "cmd_vel",
    "collision",
    "diagnostics",
    "ground_truth",
    "initialpose",
    "joint_states",
    "map",
    "map_metadata",
    "odom",
    "overturned",
    "parameter_events",
    "pedals_cmd",
    "robot_description",
    "rosout",
    "steering_rate_cmd",
    "tf",
    "tf_static",
    "wheel_speeds_cmd",
    "wheel_states",
];
/// The frames that a vehicle has beside those of its sensors.
pub const TAKEN_FRAMES: &[&str] = &["base_footprint", "base_link", "map", "odom"];

/// What `<frame_id>` accepts.
pub const FRAME_RULE: &str = "letters, digits, _, -, . and /, and no / at either end";

/// Whether this can be the name of a frame: tf2 takes no slash first, and what is printed and parsed should have no blanks.
pub fn is_frame(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    name.split('/').all(is_part)
}

/// What is wrong with the name of a sensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameFault {
    /// What is wrong.
    pub found: String,
    /// What would be right.
    pub accepted: String,
    /// How to get there, if that is known.
    pub hint: Option<&'static str>,
}

/// What is wrong with the name of a sensor of the vehicle called `vehicle`, beside `other_sensors`.
pub fn name_fault<'a>(
    vehicle: &str,
    sensor: &SensorInfo,
    mut other_sensors: impl Iterator<Item = &'a SensorInfo>,
) -> Option<NameFault> {
    let (name, topic_name) = (&sensor.name, token(&sensor.name));
    let suffixes = || sensor.kind.topics().map(|topic| topic.suffix);
    let longest = suffixes().map(str::len).max().unwrap_or(0);
    // Slashes before and after the vehicle's name.
    let beside = token(vehicle).len() + longest + 2;
    let fault = |found: String, accepted: &str| Some(NameFault { found, accepted: accepted.to_owned(), hint: None });
    if topic_name.len() + beside > MAX_TOPIC_LENGTH {
        let start: String = name.chars().take(20).collect();
        let most = MAX_TOPIC_LENGTH.saturating_sub(beside);
        return fault(
            format!("sensor \"{start}…\": its name is too long for a topic"),
            &format!("up to {most} letters, so that topics have up to {MAX_TOPIC_LENGTH}"),
        );
    }
    if let Some(other) = other_sensors.find(|other| token(&other.name) == topic_name) {
        return fault(
            format!("sensor \"{name}\": its topics are the same as those of sensor \"{}\"", other.name),
            "a name that differs in letters and digits",
        );
    }
    if !is_token(name) {
        let found =
            format!("sensor \"{name}\": its topics are called {topic_name}, since its name is not valid in a topic");
        let hint = name.contains("{NAME}").then_some("${NAME} stands for the name of the vehicle");
        return Some(NameFault { found, accepted: TOKEN_RULE.to_owned(), hint });
    }
    let is_topic = TAKEN_TOPICS.contains(&topic_name.as_str()) && suffixes().any(str::is_empty);
    if is_topic || TAKEN_FRAMES.contains(&topic_name.as_str()) {
        let kind = if is_topic { "topic" } else { "frame" };
        return fault(format!("sensor \"{name}\": another {kind} has this name"), "a name of its own");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lidar(name: &str) -> SensorInfo {
        SensorInfo { name: name.into(), ..SensorInfo::default() }
    }

    #[test]
    fn frames_are_names_that_tf2_takes() {
        assert!(["laser", "front/base_scan", "rplidar-1.link"].into_iter().all(is_frame));
        assert!(!["", "/laser", "laser/", "a//b", "my laser", "läser"].into_iter().any(is_frame));
    }

    #[test]
    fn names_that_cannot_be_those_of_topics_and_frames_are_found() {
        let other = lidar("a_b");
        let reported = |name: &str| name_fault("r1", &lidar(name), std::iter::once(&other)).map(|fault| fault.found);
        for good in ["scan", "scan_2", "front", "clock2"] {
            assert_eq!(reported(good), None);
        }
        let fault = name_fault("r1", &lidar("laser%{NAME}"), std::iter::empty()).unwrap();
        assert_eq!(
            fault.found,
            "sensor \"laser%{NAME}\": its topics are called laser_NAME_, since its name is not valid in a topic"
        );
        assert_eq!(fault.hint, Some("${NAME} stands for the name of the vehicle"));
        assert_eq!(reported("a b").unwrap(), "sensor \"a b\": its topics are the same as those of sensor \"a_b\"");
        for taken in ["tf", "clock", "odom", "cmd_vel", "parameter_events", "rosout"] {
            assert_eq!(reported(taken).unwrap(), format!("sensor \"{taken}\": another topic has this name"));
        }
        assert_eq!(reported("base_link").unwrap(), "sensor \"base_link\": another frame has this name");
        let long = name_fault("r1", &lidar(&"x".repeat(300)), std::iter::empty()).unwrap();
        assert_eq!(long.found, "sensor \"xxxxxxxxxxxxxxxxxxxx…\": its name is too long for a topic");
        assert_eq!(long.accepted, "up to 243 letters, so that topics have up to 247");
        assert_eq!((reported(&"x".repeat(243)), reported(&"x".repeat(244)).is_some()), (None, true));
    }
}
