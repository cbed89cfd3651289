//! Friction that differs from wheel to wheel: several `<friction>` in a vehicle.
//!
//! ```xml
//! <friction class="pacejka" wheels="front">…</friction>   front, rear, or tags of wheels such as "fl_wheel fr_wheel"
//! <friction class="pacejka" wheels="rear">…</friction>
//! <friction class="default">…</friction>                  without wheels: for all that no other names
//! ```
//! A wheel is in front if it is nearer to the foremost wheel than to the rearmost one, along x. A wheel that none of
//! them is for has the default friction.

use skidpad_math::Vec2;
use skidpad_xml::Reader;

use super::{FrictionLaw, Sticking, WheelContact, WheelReaction};

/// A law for each wheel.
pub struct ByWheel {
    laws: Vec<Box<dyn FrictionLaw>>,
    /// Index of the law of each wheel.
    of_wheel: Vec<usize>,
}

impl ByWheel {
    /// `of_wheel`: for each wheel the index of its law in `laws`.
    pub fn new(laws: Vec<Box<dyn FrictionLaw>>, of_wheel: Vec<usize>) -> ByWheel {
        ByWheel { laws, of_wheel }
    }
}

impl FrictionLaw for ByWheel {
    #[inline]
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        self.laws[self.of_wheel[contact.wheel]].react(contact)
    }

    fn sticking(&self, contact: &WheelContact, spin: f64) -> Option<Sticking> {
        self.laws[self.of_wheel[contact.wheel]].sticking(contact, spin)
    }
}

/// Which of the `wheels`, given by tag and position [m], a `<friction>` is for; none: those that no other one names.
pub fn named_wheels(friction: &Reader<'_>, wheels: &[(&'static str, Vec2)]) -> Option<Vec<usize>> {
    let text = friction.attribute("wheels")?;
    let xs = || wheels.iter().map(|(_, position)| position.x);
    let middle = 0.5 * (xs().fold(f64::INFINITY, f64::min) + xs().fold(f64::NEG_INFINITY, f64::max));
    let mut named = Vec::new();
    for word in text.split_whitespace() {
        let before = named.len();
        named.extend(wheels.iter().enumerate().filter_map(|(index, (name, position))| {
            let is_meant = match word {
                "front" => position.x > middle,
                "rear" => position.x < middle,
                name_of_one => *name == name_of_one,
            };
            is_meant.then_some(index)
        }));
        if named.len() == before {
            let names = ["front", "rear"].into_iter().chain(wheels.iter().map(|(name, _)| *name));
            friction.error(format!("wheels=\"{text}\": the vehicle has no \"{word}\"")).one_of(word, names);
        }
    }
    Some(named)
}
