//! The numbers of messages that are few numbers: poses, ranges, fixes of satellites, and whether something touches.

use std::any::Any;

use serde::de::DeserializeOwned;
use skidpad_math::{Pose3, Vec3};
use skidpad_ros_data::message::{Bool, Message, NavSatFix, Pose, PoseStamped, Range, cdr};
use skidpad_view::channels;
use skidpad_view::sensor_data::{ReadingView, ValueView};

/// The types of messages whose numbers viewers see.
pub const READING_TYPES: [&str; 4] = [PoseStamped::TYPE, Range::TYPE, NavSatFix::TYPE, Bool::TYPE];

/// The numbers of a message; none if it is of none of these types.
pub fn view_reading(message: &dyn Any) -> Option<ReadingView> {
    let pose = || message.downcast_ref::<PoseStamped>().map(|message| of_pose(&message.pose));
    let range = || message.downcast_ref::<Range>().map(of_range);
    let fix = || message.downcast_ref::<NavSatFix>().map(of_fix);
    let pressed = || message.downcast_ref::<Bool>().map(|message| of_contact(message.data));
    pose().or_else(range).or_else(fix).or_else(pressed)
}

/// The numbers of a message of one of [`READING_TYPES`] in CDR; none if it is of none, or not of this one.
pub fn read_reading(kind: &str, data: &[u8]) -> Option<ReadingView> {
    fn decoded<T: DeserializeOwned + 'static>(data: &[u8]) -> Option<ReadingView> {
        view_reading(&cdr::read::<T>(data).ok()?)
    }
    match kind {
        PoseStamped::TYPE => decoded::<PoseStamped>(data),
        Range::TYPE => decoded::<Range>(data),
        NavSatFix::TYPE => decoded::<NavSatFix>(data),
        Bool::TYPE => decoded::<Bool>(data),
        _ => None,
    }
}

fn value(name: &str, unit: &str, value: f64, digits: u32) -> ValueView {
    ValueView { name: name.into(), unit: unit.into(), value: value.is_finite().then_some(value), digits }
}

fn of_pose(pose: &Pose) -> ReadingView {
    let [x, y, z] = [pose.position.x, pose.position.y, pose.position.z];
    let quaternion = [pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w];
    // A quaternion of length 0 is no rotation at all.
    let is_rotation = quaternion.iter().any(|part| *part != 0.0);
    let turned = Pose3::from_quaternion(Vec3::new(x, y, z), quaternion);
    let [yaw, pitch, roll] =
        [turned.yaw, turned.pitch, turned.roll].map(|angle| if is_rotation { angle } else { f64::NAN });
    let lengths = [("x", x), ("y", y), ("z", z)].map(|(name, length)| value(name, "m", length, 4));
    let angles =
        [("yaw", yaw), ("pitch", pitch), ("roll", roll)].map(|(name, angle)| value(name, "°", angle.to_degrees(), 2));
    let is_known = [x, y, z, yaw, pitch, roll].iter().all(|number| number.is_finite());
    ReadingView { values: lengths.into_iter().chain(angles).collect(), pose: is_known.then(|| channels::pose(turned)) }
}

fn of_range(message: &Range) -> ReadingView {
    ReadingView { values: vec![value("range", "m", f64::from(message.range), 3)], pose: None }
}

fn of_fix(message: &NavSatFix) -> ReadingView {
    let is_there = message.status.status >= 0;
    let known = |number: f64| if is_there { number } else { f64::NAN };
    let values = vec![
        value("latitude", "°", known(message.latitude), 7),
        value("longitude", "°", known(message.longitude), 7),
        value("altitude", "m", known(message.altitude), 2),
    ];
    ReadingView { values, pose: None }
}

fn of_contact(pressed: bool) -> ReadingView {
    ReadingView { values: vec![value("pressed", "", f64::from(u8::from(pressed)), 0)], pose: None }
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::message::{Quaternion, Vector3};

    use super::*;

    #[test]
    fn numbers_are_those_of_the_message_and_what_is_out_of_range_is_none() {
        let half = std::f64::consts::FRAC_PI_4;
        let orientation = Quaternion { z: half.sin(), w: half.cos(), ..Quaternion::default() };
        let position = Vector3 { x: 1.0, y: -2.0, z: 0.25 };
        let marker = PoseStamped { pose: Pose { position, orientation }, ..PoseStamped::default() };
        let reading = view_reading(&marker).unwrap();
        let pose = reading.pose.unwrap();
        assert_eq!(pose[..3], [1.0, -2.0, 0.25]);
        assert!((pose[3] - 2.0 * half).abs() < 1e-12 && pose[4].abs() < 1e-12, "{pose:?}");
        let yaw = reading.values.iter().find(|value| value.name == "yaw").unwrap();
        assert!((yaw.value.unwrap() - 90.0).abs() < 1e-9 && yaw.unit == "°");

        let no_rotation = Quaternion { w: 0.0, ..Quaternion::default() };
        let nowhere = PoseStamped { pose: Pose { position, orientation: no_rotation }, ..PoseStamped::default() };
        let reading = view_reading(&nowhere).unwrap();
        assert!(reading.pose.is_none() && reading.values[3..].iter().all(|value| value.value.is_none()), "{reading:?}");

        let far = Range { range: f32::INFINITY, ..Range::default() };
        assert_eq!(view_reading(&far).unwrap().values[0].value, None);
        let near = Range { range: 0.5, ..Range::default() };
        assert_eq!(view_reading(&near).unwrap().values[0].value, Some(0.5));
        assert_eq!(view_reading(&Bool { data: true }).unwrap().values[0].value, Some(1.0));
        let mut fix = NavSatFix { latitude: 48.1, ..NavSatFix::default() };
        assert_eq!(view_reading(&fix).unwrap().values[0].value, Some(48.1));
        fix.status.status = -1;
        assert_eq!(view_reading(&fix).unwrap().values[0].value, None);
        assert_eq!(view_reading(&0_u8), None);
        assert_eq!(read_reading(Range::TYPE, b"no message"), None);
    }
}
