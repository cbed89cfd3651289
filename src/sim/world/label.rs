//! Labels: what sensors say of the body that a pixel or a point belongs to, as two numbers: of its class, and of itself.
//!
//! Numbers last. A body has its number from the start of the run, whatever comes and goes; a name keeps its number when
//! its body is removed and spawned again, and no other body ever gets it. Bodies of the world file are numbered at the
//! load, in the order of ground, maps, walls, blocks, vehicles and actors, spawned ones when they arrive. Classes are
//! numbered likewise, after those of [`CLASSES`]: each `<label>` of the world file that is not among them is a class of
//! its own.

use std::collections::BTreeMap;

use super::Scene;

/// The classes of bodies without a `<label>`, numbered from 1; 0 is nothing.
pub const CLASSES: [&str; 5] = [GROUND, WALL, BLOCK, VEHICLE, ACTOR];
/// Class of planes, height maps, and the floors of maps.
pub(crate) const GROUND: &str = "ground";
/// Class of walls, and of the occupied cells of maps.
pub(crate) const WALL: &str = "wall";
/// Class of blocks.
pub(crate) const BLOCK: &str = "block";
/// Class of vehicles.
pub(crate) const VEHICLE: &str = "vehicle";
/// Class of actors.
pub const ACTOR: &str = "actor";

/// Number of everything that came after the last number was given.
pub const UNNUMBERED: u16 = u16::MAX;

/// What sensors say of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Name of its class.
    pub class: String,
    /// Numbers of its class and of the body, each from 1; 0 as long as it is in no world.
    pub numbers: [u16; 2],
}

impl Label {
    /// A label without numbers.
    pub(super) fn of_class(class: impl Into<String>) -> Label {
        Label { class: class.into(), numbers: [0; 2] }
    }
}

/// The name and the label of a part of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelledPart {
    /// Name of the part of the map.
    pub name: String,
    /// Label of the part of the map.
    pub label: Label,
}

/// Gives numbers to bodies and classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    /// Of the names that vehicles and blocks have had.
    bodies: BTreeMap<String, u16>,
    /// Of classes.
    classes: BTreeMap<String, u16>,
    /// The last number that a body was given.
    last: u16,
}

impl Numbering {
    /// Numbers everything in the scene of a world that was just loaded.
    pub(super) fn enter_all(&mut self, scene: &mut Scene) {
        for class in CLASSES {
            self.class_number(class, &mut scene.label_classes);
        }
        let Scene { planes, elevations, map_labels, walls, blocks, vehicles, actors, label_classes, .. } = scene;
        let ground = planes.iter_mut().map(|plane| &mut plane.label);
        let ground = ground.chain(elevations.iter_mut().map(|elevation| &mut elevation.label));
        let maps = map_labels.iter_mut().flatten().map(|part| &mut part.label);
        let fixed = ground.chain(maps).chain(walls.iter_mut().map(|wall| &mut wall.label));
        fixed.for_each(|label| self.number(None, label, label_classes));
        blocks.iter_mut().for_each(|block| self.number(Some(&block.name), &mut block.label, label_classes));
        vehicles.iter_mut().for_each(|vehicle| self.number(Some(&vehicle.name), &mut vehicle.label, label_classes));
        actors.iter_mut().for_each(|actor| self.number(None, &mut actor.label, label_classes));
    }

    /// Numbers a body, by its name if it is one that comes and goes. New classes are appended to `classes`.
    pub(super) fn number(&mut self, name: Option<&str>, label: &mut Label, classes: &mut Vec<String>) {
        let class = self.class_number(&label.class, classes);
        let known = name.and_then(|name| self.bodies.get(name).copied());
        let body = known.unwrap_or_else(|| {
            self.last = self.last.saturating_add(1);
            if let Some(name) = name.filter(|_| self.last != UNNUMBERED) {
                self.bodies.insert(name.to_owned(), self.last);
            }
            self.last
        });
        label.numbers = [class, body];
    }

    /// Whether there is a number of its own for a body of this name.
    pub(super) fn has_number_for(&self, name: &str) -> bool {
        self.last < UNNUMBERED - 1 || self.bodies.contains_key(name)
    }

    /// Whether some bodies have no number of their own.
    pub(super) fn is_used_up(&self) -> bool {
        self.last == UNNUMBERED
    }

    fn class_number(&mut self, class: &str, classes: &mut Vec<String>) -> u16 {
        if let Some(&number) = self.classes.get(class) {
            return number;
        }
        let number = u16::try_from(classes.len() + 1).unwrap_or(UNNUMBERED);
        if number != UNNUMBERED {
            classes.push(class.to_owned());
            self.classes.insert(class.to_owned(), number);
        }
        number
    }
}

impl Scene {
    /// Whether a sensor of a vehicle reports labels.
    pub fn has_labels(&self) -> bool {
        self.vehicles.iter().flat_map(|vehicle| &vehicle.sensors).any(|sensor| sensor.kind.has_labels())
    }

    /// Everything that has a label, by name, in the order in which the world file's are numbered.
    pub fn labelled(&self) -> impl Iterator<Item = (&str, &Label)> {
        let ground = self.planes.iter().map(|plane| (plane.name.as_str(), &plane.label));
        let ground = ground.chain(self.elevations.iter().map(|elevation| (elevation.name.as_str(), &elevation.label)));
        let maps = self.map_labels.iter().flatten().map(|part| (part.name.as_str(), &part.label));
        let fixed = ground.chain(maps).chain(self.walls.iter().map(|wall| (wall.name.as_str(), &wall.label)));
        let blocks = self.blocks.iter().map(|block| (block.name.as_str(), &block.label));
        let vehicles = self.vehicles.iter().map(|vehicle| (vehicle.name.as_str(), &vehicle.label));
        let actors = self.actors.iter().map(|actor| (actor.name.as_str(), &actor.label));
        fixed.chain(blocks).chain(vehicles).chain(actors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_numbers_and_what_comes_after_the_last_number_shares_one() {
        let (mut numbering, mut classes) = (Numbering::default(), Vec::new());
        let mut number = |numbering: &mut Numbering, name: Option<&str>, class: &str| {
            let mut label = Label::of_class(class);
            numbering.number(name, &mut label, &mut classes);
            label.numbers
        };
        assert_eq!(number(&mut numbering, Some("a"), "tree"), [1, 1]);
        assert_eq!(number(&mut numbering, None, "cone"), [2, 2]);
        assert_eq!(number(&mut numbering, Some("b"), "tree"), [1, 3]);
        assert_eq!(number(&mut numbering, Some("a"), "cone"), [2, 1], "the class is that of the newer body");
        numbering.last = UNNUMBERED - 2;
        assert!(numbering.has_number_for("c"));
        assert_eq!(number(&mut numbering, Some("c"), "tree"), [1, UNNUMBERED - 1]);
        assert!(numbering.has_number_for("b") && !numbering.has_number_for("d") && !numbering.is_used_up());
        assert_eq!(number(&mut numbering, Some("d"), "tree"), [1, UNNUMBERED]);
        assert_eq!(number(&mut numbering, None, "tree"), [1, UNNUMBERED]);
        assert!(numbering.is_used_up());
        assert_eq!(number(&mut numbering, Some("b"), "tree"), [1, 3]);
    }
}
