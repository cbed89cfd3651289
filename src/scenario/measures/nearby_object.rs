//! What a vehicle can come near to.

use skidpad_sim::world::{EntityId, Scene};

/// Something that a vehicle can touch, or a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NearbyObject {
    /// The vehicle of this id.
    Vehicle(EntityId),
    /// The block of this id.
    Block(EntityId),
    /// The wall of this index in [`Scene::walls`].
    Wall(usize),
    /// The map of this index in [`Scene::maps`].
    Map(usize),
    /// The actor of this index in [`Scene::actors`].
    Person(usize),
}

impl NearbyObject {
    /// What it is and its name, such as `block "door"`.
    pub fn described(self, scene: &Scene) -> String {
        let named = |kind: &str, name: Option<&String>| match name {
            Some(name) => format!("{kind} \"{name}\""),
            None => format!("a removed {kind}"),
        };
        match self {
            NearbyObject::Vehicle(id) => {
                named("vehicle", scene.vehicle_of(id).map(|index| &scene.vehicles[index].name))
            }
            NearbyObject::Block(id) => named("block", scene.block_of(id).map(|index| &scene.blocks[index].name)),
            NearbyObject::Wall(index) => named("wall", scene.walls.get(index).map(|wall| &wall.name)),
            NearbyObject::Person(index) => named("person", scene.actors.get(index).map(|actor| &actor.name)),
            NearbyObject::Map(_) if scene.maps.len() < 2 => "the map".into(),
            NearbyObject::Map(index) => format!("map {}", index + 1),
        }
    }
}

/// The nearest of several things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Its distance [m], 0 if it is touched; infinite: there is none.
    pub distance: f64,
    /// What it is.
    pub nearby_object: Option<NearbyObject>,
}

impl Default for Nearest {
    fn default() -> Nearest {
        Nearest::NONE
    }
}

impl Nearest {
    /// Nothing.
    pub const NONE: Nearest = Nearest { distance: f64::INFINITY, nearby_object: None };
}

/// Things so near together count as one contact until they are farther apart [m].
pub(super) const APART: f64 = 0.01;

/// A search for the nearest thing, and for all that are touched.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The nearest so far.
    pub(super) nearest: Nearest,
    /// All within [`APART`], each once, with its distance [m].
    pub(super) touched: Vec<(NearbyObject, f64)>,
}

impl Search {
    pub(super) fn start(&mut self) {
        self.nearest = Nearest::NONE;
        self.touched.clear();
    }

    /// What is no nearer than this [m] changes nothing.
    pub(super) fn limit(&self) -> f64 {
        self.nearest.distance.max(APART)
    }

    pub(super) fn add(&mut self, nearby_object: NearbyObject, distance: f64) {
        if distance < self.nearest.distance {
            self.nearest = Nearest { distance, nearby_object: Some(nearby_object) };
        }
        if distance <= APART {
            match self.touched.iter_mut().find(|(known, _)| *known == nearby_object) {
                Some((_, least)) => *least = least.min(distance),
                None => self.touched.push((nearby_object, distance)),
            }
        }
    }
}
