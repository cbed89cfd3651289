//! The frames whose names users choose under every preset: of the map, of the odometry, and of the robot. Tables of presets write them as
//! the placeholders [`MAP`], [`ODOM`] and [`BASE`], which the parameters of these names set, as in nav2_loopback_sim.
//!
//! | parameter | frame |
//! |---|---|
//! | `map_frame_id` | of the map, which all vehicles share |
//! | `odom_frame_id` | in which odometry gives the pose of the robot |
//! | `base_frame_id` | of the robot, whose pose odometry and ground truth give |
//!
//! What a preset or a mode of transforms puts before the names of frames, such as `ego_racecar/`, stays before them.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_sim::sensor::naming::{FRAME_RULE, is_frame};

use super::{Placeholder, PlaceholderValues, Preset};

/// The frame of the map.
pub const MAP: &str = "{map_frame_id}";
/// The frame of odometry.
pub const ODOM: &str = "{odom_frame_id}";
/// The frame of the robot.
pub const BASE: &str = "{base_frame_id}";

/// The parameter that sets [`BASE`].
pub const BASE_PARAMETER: &str = "base_frame_id";
/// The parameters of the frames of the map, of odometry and of the robot.
pub const PARAMETERS: [&str; 3] = ["map_frame_id", "odom_frame_id", BASE_PARAMETER];

/// What the parameters of frames end in.
const ENDING: &str = "_frame_id";

/// The placeholders of a preset whose robot has this frame by default.
pub(super) const fn placeholders(base: &'static str) -> [Placeholder; 3] {
    [
        Placeholder::of_all(PARAMETERS[0], "map", "frame of the map"),
        Placeholder::of_all(PARAMETERS[1], "odom", "frame of odometry"),
        Placeholder::of_all(PARAMETERS[2], base, "frame of the robot"),
    ]
}

/// Why a frame cannot be called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameNameError {
    /// The parameter.
    pub parameter: &'static str,
    /// What was found there.
    pub found: String,
    /// What would have been accepted.
    pub accepted: String,
    /// What to try.
    pub hint: &'static str,
}

impl FrameNameError {
    /// The message for a name that was given at `place`.
    pub fn at(&self, place: &str) -> Diagnostic {
        Diagnostic::new(place, &self.found).accepted(&self.accepted).hint(self.hint)
    }
}

impl From<&FrameNameError> for Diagnostic {
    fn from(error: &FrameNameError) -> Diagnostic {
        error.at(&format!("parameter \"{}\"", error.parameter))
    }
}

error_by_parts!(FrameNameError);

/// Checks the names of frames in these values of a preset's placeholders.
///
/// # Errors
/// A name is no name of a frame, is that of another of the three, or is that of a frame on the robot without being the robot's own.
pub fn check(preset: &Preset, values: &PlaceholderValues) -> Result<(), FrameNameError> {
    let of_frames = preset.placeholders.iter().map(|placeholder| placeholder.key).filter(|key| key.ends_with(ENDING));
    for parameter in of_frames {
        let name = values.shared(&format!("{{{parameter}}}"));
        let hint = match name.strip_prefix('/') {
            _ if name.is_empty() => "leave it out for the preset's own name",
            Some(_) => "leave the slash out: tf2 has no frames with one",
            None => "a name such as base_link",
        };
        if !is_frame(&name) {
            return Err(FrameNameError {
                parameter,
                found: format!("found \"{name}\""),
                accepted: FRAME_RULE.to_owned(),
                hint,
            });
        }
    }
    check_places(preset, values)
}

/// Checks that each frame has one place.
fn check_places(preset: &Preset, values: &PlaceholderValues) -> Result<(), FrameNameError> {
    let names = [MAP, ODOM, BASE].map(|name| values.shared(name));
    let taken = |index: usize, by: String| FrameNameError {
        parameter: PARAMETERS[index],
        found: format!("found \"{}\", {by}", names[index]),
        accepted: "a name of its own".to_owned(),
        hint: "a frame has one place in the tree",
    };
    let defaults = placeholders_of(preset).map(|placeholder| placeholder.default[0]);
    let are_one = |(first, second): &(usize, usize)| names[*first] == names[*second];
    if let Some((first, second)) = [(0, 1), (0, 2), (1, 2)].into_iter().find(are_one) {
        // The one with another name than by default is the one that was given.
        let (given, other) = if names[second] == defaults[second] { (first, second) } else { (second, first) };
        return Err(taken(given, format!("as {} is", PARAMETERS[other])));
    }
    let base = preset.base_frame();
    let moving = preset.frames.moving.iter().map(|moving| moving.child).filter(|child| ![ODOM, base].contains(child));
    let hinges = preset.frames.hinges.iter().map(|(_, child, _)| *child);
    let parts = moving.chain(hinges).chain(preset.sensors.iter().map(|sensor| sensor.frame));
    let parts: Vec<String> = parts.map(|frame| values.shared(frame)).collect();
    let fixed: Vec<String> = preset.frames.fixed.iter().map(|(_, child, _)| values.shared(child)).collect();
    // The robot's own frame may have the name of one that is fixed to it, which it replaces then.
    let is_taken = |index: usize| match index {
        2 => parts.contains(&values.shared(base)),
        _ => parts.contains(&names[index]) || fixed.contains(&names[index]),
    };
    match (0..names.len()).find(|index| is_taken(*index)) {
        Some(index) => Err(taken(index, format!("which is another frame of the preset \"{}\"", preset.name))),
        None => Ok(()),
    }
}

/// The placeholders for the names of frames, as this preset has them.
fn placeholders_of(preset: &Preset) -> [Placeholder; 3] {
    let mut placeholders_of_preset = placeholders("base_link");
    for placeholder in &mut placeholders_of_preset {
        if let Some(replacement) = preset.placeholders.iter().find(|replacement| replacement.key == placeholder.key) {
            *placeholder = *replacement;
        }
    }
    placeholders_of_preset
}

/// Those of the parameters that have another value than by default but no effect, as no transform of the preset has such a frame.
pub fn without_effect(preset: &Preset, values: &PlaceholderValues) -> Vec<&'static str> {
    let moving = preset.frames.moving.iter().flat_map(|moving| [moving.parent, moving.child]);
    let frames: Vec<&str> = moving.chain(preset.frames.fixed.iter().map(|(parent, _, _)| *parent)).collect();
    let is_lost = |(name, placeholder): &(&str, Placeholder)| {
        values.shared(name) != placeholder.default[0] && frames.iter().all(|frame| !frame.contains(name))
    };
    [MAP, ODOM, BASE]
        .into_iter()
        .zip(placeholders_of(preset))
        .filter(is_lost)
        .map(|(_, placeholder)| placeholder.key)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{AUTOWARE, F1TENTH_GYM_ROS, MVSIM, NAV2_LOOPBACK, PRESETS, SKIDPAD, TURTLEBOT3};

    fn with(preset: &Preset, given: &[(&str, &str)]) -> PlaceholderValues {
        PlaceholderValues::new(preset.placeholders, |parameter| {
            given.iter().find(|(name, _)| *name == parameter).map(|(_, value)| (*value).to_owned())
        })
    }

    fn refusal(preset: &Preset, given: &[(&str, &str)]) -> String {
        check(preset, &with(preset, given)).unwrap_err().to_string()
    }

    #[test]
    fn every_preset_has_the_three_names_and_accepts_its_own_and_others() {
        for preset in PRESETS {
            assert_eq!(check(preset, &with(preset, &[])), Ok(()), "{}", preset.name);
            let given = [("map_frame_id", "world"), ("odom_frame_id", "wheels"), ("base_frame_id", "robot/base")];
            let values = with(preset, &given);
            assert_eq!(check(preset, &values), Ok(()), "{}", preset.name);
            assert_eq!([MAP, ODOM, BASE].map(|name| values.shared(name)), given.map(|(_, name)| name));
            let has_none = [F1TENTH_GYM_ROS.name, AUTOWARE.name].contains(&preset.name);
            let lost: &[&str] = if has_none { &["odom_frame_id"] } else { &[] };
            assert_eq!(without_effect(preset, &values), lost, "{}", preset.name);
            assert!(without_effect(preset, &with(preset, &[])).is_empty());
        }
    }

    #[test]
    fn names_that_are_none_are_refused_with_what_to_write() {
        let rule = "letters, digits, _, -, . and /, and no / at either end";
        assert_eq!(
            refusal(&SKIDPAD, &[("odom_frame_id", "")]),
            format!(
                "parameter \"odom_frame_id\": found \"\"\n  accepted: {rule}\n  hint: leave it out for the preset's own name"
            )
        );
        assert_eq!(
            refusal(&MVSIM, &[("base_frame_id", "/base")]),
            format!(
                "parameter \"base_frame_id\": found \"/base\"\n  accepted: {rule}\n  \
                 hint: leave the slash out: tf2 has no frames with one"
            )
        );
        for (preset, parameter) in [(&TURTLEBOT3, "map_frame_id"), (&NAV2_LOOPBACK, "scan_frame_id")] {
            assert_eq!(
                refusal(preset, &[(parameter, "my map")]),
                format!(
                    "parameter \"{parameter}\": found \"my map\"\n  accepted: {rule}\n  hint: a name such as base_link"
                )
            );
        }
    }

    #[test]
    fn a_name_that_another_frame_has_is_refused() {
        let taken = |parameter, name, other| {
            format!(
                "parameter \"{parameter}\": found \"{name}\", {other}\n  accepted: a name of its own\n  \
                 hint: a frame has one place in the tree"
            )
        };
        let odom_is_map = taken("odom_frame_id", "map", "as map_frame_id is");
        assert_eq!(refusal(&SKIDPAD, &[("odom_frame_id", "map")]), odom_is_map);
        let map_is_odom = taken("map_frame_id", "odom", "as odom_frame_id is");
        assert_eq!(refusal(&SKIDPAD, &[("map_frame_id", "odom")]), map_is_odom);
        let base_is_odom = taken("base_frame_id", "x", "as odom_frame_id is");
        assert_eq!(refusal(&NAV2_LOOPBACK, &[("base_frame_id", "x"), ("odom_frame_id", "x")]), base_is_odom);
        let odom_is_base = taken("odom_frame_id", "base_link", "as base_frame_id is");
        assert_eq!(refusal(&MVSIM, &[("odom_frame_id", "base_link")]), odom_is_base);
        let odom_is_fixed = taken("odom_frame_id", "base_link", "which is another frame of the preset \"skidpad\"");
        assert_eq!(refusal(&SKIDPAD, &[("odom_frame_id", "base_link")]), odom_is_fixed);
        let base_is_scan = taken("base_frame_id", "base_scan", "which is another frame of the preset \"turtlebot3\"");
        assert_eq!(refusal(&TURTLEBOT3, &[("base_frame_id", "base_scan")]), base_is_scan);
        let base_is_laser = taken("base_frame_id", "laser", "which is another frame of the preset \"f1tenth_gym_ros\"");
        assert_eq!(refusal(&F1TENTH_GYM_ROS, &[("base_frame_id", "laser")]), base_is_laser);
        assert_eq!(check(&TURTLEBOT3, &with(&TURTLEBOT3, &[("base_frame_id", "base_link")])), Ok(()));
    }
}
