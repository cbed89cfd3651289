//! The vehicle that a topic or a frame of somebody else's recording is about, by the usual names.

/// The ends of the names of topics about a vehicle that have more than one part; before them comes its namespace.
const LONG_ENDS: [&str; 13] = [
    "/base_pose_ground_truth",
    "/vesc/odom",
    "/pf/pose/odom",
    "/odometry/filtered",
    "/odometry/filtered_map",
    "/odometry/local",
    "/odometry/global",
    "/odometry/wheel",
    "/wheel/odometry",
    "/wheel/odom",
    "/platform/odom/filtered",
    "/platform/odom",
    "/visual_slam/tracking/odometry",
];

/// The ends of the names of topics with paths that a vehicle is to follow, in order of preference.
pub const PLANS: [&str; 6] =
    ["/reference_path", "/plan", "/global_plan", "/received_global_plan", "/global_path", "/path"];

/// In the names of topics of commands.
const COMMAND_WORDS: [&str; 5] = ["cmd", "command", "ackermann", "drive", "teleop"];

/// The last parts of the names of frames that do not move with a vehicle.
const FIXED_FRAMES: [&str; 8] = ["map", "odom", "world", "earth", "odom_combined", "local_map", "map_static", "utm"];

/// The namespace of a topic about a vehicle: `/r1` of `/r1/odometry/filtered`, nothing of `/odom`.
pub fn namespace(topic: &str) -> &str {
    let long = LONG_ENDS.iter().filter_map(|end| topic.strip_suffix(end));
    long.min_by_key(|start| start.len()).unwrap_or_else(|| topic.rsplit_once('/').map_or("", |(start, _)| start))
}

/// What to call a vehicle: by its namespace, or else by that of the frame of its body, or else by that frame.
///
/// `/r1` is `r1`, `r1/base_link` is `r1`, `base_link` is itself; without any name it is `vehicle`.
pub fn vehicle_name(namespace: &str, body_frame: &str) -> String {
    let frame = body_frame.trim_matches('/');
    let of_frame = frame.rsplit_once('/').map_or(frame, |(start, _)| start);
    let named = [namespace.trim_matches('/'), of_frame].into_iter().find(|name| !name.is_empty());
    named.unwrap_or("vehicle").to_owned()
}

/// Whether a topic in this namespace, of a type that commands have, is one of commands by its name: measured velocities have the same types.
pub fn is_command(namespace: &str, topic: &str) -> bool {
    let name = topic.strip_prefix(namespace);
    name.is_some_and(|name| name.starts_with('/') && COMMAND_WORDS.iter().any(|word| name.contains(word)))
}

/// Whether a frame is one of those that stand, such as `map` and `r1/odom`.
pub fn is_fixed_frame(frame: &str) -> bool {
    FIXED_FRAMES.contains(&frame.rsplit('/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vehicles_are_named_by_namespace_or_frame() {
        for (topic, frame, name) in [
            ("/husky/odom", "base_link", "husky"),
            ("/j100/platform/odom/filtered", "base_link", "j100"),
            ("/odometry/filtered", "r2/base_link", "r2"),
            ("/fleet/r2/odometry/filtered", "base_link", "fleet/r2"),
            ("/odom", "base_footprint", "base_footprint"),
            ("/odom", "", "vehicle"),
        ] {
            assert_eq!(vehicle_name(namespace(topic), frame), name, "{topic} {frame}");
        }
        assert!(is_fixed_frame("/r1/odom") && is_fixed_frame("map") && !is_fixed_frame("odometer"));
    }
}
