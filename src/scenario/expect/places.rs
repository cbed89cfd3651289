//! Criteria of where a vehicle is: goals and areas.

use skidpad_math::{Vec2, wrap_angle};

use super::Words;
use super::judge::Seen;
use super::limit::{beside, number};

/// How far the heading may differ where a goal has one and no tolerance [rad].
pub(super) const WITHIN_YAW: f64 = 0.25;

/// How near a vehicle has come to its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Closest {
    /// The least distance [m] and when that was [s].
    nearest: Option<(f64, f64)>,
    /// The last distance [m].
    last: f64,
    /// Whether it was near enough, but not with the right heading or not at rest.
    was_there: bool,
}

impl Closest {
    /// What was found, in words, for a goal with these words.
    pub(super) fn words(&self, words: &Words) -> String {
        match self.nearest {
            None => "the vehicle was not there".to_owned(),
            Some(_) if self.was_there => "it was near enough, but with another heading or not at rest".to_owned(),
            Some((distance, time)) => format!(
                "{} away at the end, nearest {}, after {}",
                beside(self.last, "m", [words.within]),
                beside(distance, "m", [words.within]),
                number(time, "s")
            ),
        }
    }
}

/// Whether the vehicle is at its goal.
pub(super) fn goal(words: &Words, seen: &Seen<'_>, closest: &mut Closest) -> bool {
    let (Some([x, y]), Some((_, frame))) = (words.at, seen.vehicle) else { return false };
    let pose = frame.world_from_body.planar();
    let distance = (pose.position() - Vec2::new(x, y)).norm();
    closest.last = distance;
    if closest.nearest.is_none_or(|(least, _)| distance < least) {
        closest.nearest = Some((distance, seen.frame.time.secs()));
    }
    if distance > words.within.unwrap_or_default() {
        return false;
    }
    closest.was_there = true;
    let tolerance = words.within_yaw.unwrap_or(WITHIN_YAW);
    let heads_right = words.yaw.is_none_or(|yaw| wrap_angle(pose.yaw - yaw).abs() <= tolerance);
    heads_right && (words.stands != Some(true) || seen.stands())
}

/// Whether a position [m] is in the area.
pub(super) fn area(words: &Words, position: Vec2) -> bool {
    let [x, y, to_x, to_y] = words.area.unwrap_or_default();
    (x..=to_x).contains(&position.x) && (y..=to_y).contains(&position.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_an_area() {
        let words = Words { area: Some([0.0, -1.0, 2.0, 1.0]), ..Words::default() };
        let inside = |x, y| area(&words, Vec2::new(x, y));
        assert!(inside(0.0, 1.0) && inside(2.0, -1.0) && !inside(2.001, 0.0) && !inside(1.0, -1.001));
    }
}
