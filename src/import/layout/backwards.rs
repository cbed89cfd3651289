//! Whether a steered robot looks along its x axis backwards, which the names of its wheels tell.

use super::Choosing;
use crate::text;
use crate::wheels::RobotWheel;

/// Words for the ends of a robot, and short ones with the letters of end and side.
const FRONT: &[&str] = &["front", "f", "fl", "fr", "lf", "rf"];
const REAR: &[&str] = &["rear", "back", "rl", "rr", "bl", "br", "lr", "lb", "rb"];
const LEFT: &[&str] = &["left", "l", "fl", "rl", "bl", "lf", "lr", "lb"];
const RIGHT: &[&str] = &["right", "r", "fr", "rr", "br", "rf", "rb"];

impl Choosing<'_, '_> {
    /// Whether all steered wheels are behind all others although they are called front, or the others rear, or the left
    /// ones are on the right.
    pub(super) fn looks_backwards(&self, wheels: &[RobotWheel]) -> bool {
        let (steered, fixed): (Vec<&RobotWheel>, Vec<&RobotWheel>) =
            wheels.iter().partition(|wheel| wheel.hinge.is_some());
        let ends = |wheels: &[&RobotWheel]| wheels.iter().map(|wheel| self.level(wheel).x).collect::<Vec<f64>>();
        let (last, first) = (ends(&fixed).into_iter().reduce(f64::min), ends(&steered).into_iter().reduce(f64::max));
        if !first.zip(last).is_some_and(|(steered, fixed)| steered < fixed) {
            return false;
        }
        let is_called =
            |wheel: &&RobotWheel, words: &[&str]| self.words(wheel).iter().any(|word| words.contains(&word.as_str()));
        if steered.iter().any(|wheel| is_called(wheel, REAR)) || fixed.iter().any(|wheel| is_called(wheel, FRONT)) {
            return false;
        }
        if steered.iter().any(|wheel| is_called(wheel, FRONT)) || fixed.iter().any(|wheel| is_called(wheel, REAR)) {
            return true;
        }
        let is_across = |wheel: &RobotWheel| {
            let at = self.level(wheel).y;
            (at < 0.0 && is_called(&wheel, LEFT)) || (at > 0.0 && is_called(&wheel, RIGHT))
        };
        wheels.iter().filter(|wheel| is_across(wheel)).count() >= 2
    }

    /// Whether a wheel is called left, and whether right.
    pub(super) fn is_called(&self, wheel: &RobotWheel) -> [bool; 2] {
        let words = self.words(wheel);
        [LEFT, RIGHT].map(|known| words.iter().any(|word| known.contains(&word.as_str())))
    }

    /// The words in the names of a wheel's joint, link and hinge, in small letters.
    fn words(&self, wheel: &RobotWheel) -> Vec<String> {
        let joint = &self.robot.joints[wheel.joint];
        let hinge = wheel.hinge.map(|hinge| self.robot.joints[hinge].name.as_str());
        let names = [Some(joint.name.as_str()), Some(self.robot.links[joint.child].name.as_str()), hinge];
        names.into_iter().flatten().flat_map(words).collect()
    }
}

/// The [words](text::words) of a name; long words of ends and sides also within others.
fn words(name: &str) -> Vec<String> {
    let mut words = text::words(name);
    let within = |long: &&str| words.iter().any(|word| word.contains(*long));
    let long: Vec<String> =
        ["front", "rear", "left", "right"].iter().filter(|long| within(long)).map(|long| (*long).to_owned()).collect();
    words.extend(long);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_split_at_signs_digits_and_capitals() {
        assert_eq!(words("frontLeftWheel_2"), ["front", "left", "wheel", "front", "left"]);
        assert_eq!(words("FL_joint"), ["fl", "joint"]);
        assert_eq!(words("rearwheel1"), ["rearwheel", "rear"]);
    }
}
