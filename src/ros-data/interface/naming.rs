//! Assigns names to the vehicles of a world as vehicles are added and removed: the same for the node and for recordings.

use std::collections::{BTreeMap, BTreeSet};

use skidpad_sim::world::{EntityId, Scene, VehicleInfo};

use super::names::{TfMode, VehicleNames};
use crate::preset::frame_names::MAP;
use crate::preset::{PlaceholderValues, Preset, SKIDPAD, opponent};

/// Assigns names to vehicles, constant during their lifetime. A vehicle that is alone in its world at the start has bare names, even if
/// others are added later.
#[derive(Clone, Debug)]
pub struct VehicleNaming {
    /// The interface that names follow.
    pub preset: &'static Preset,
    force_namespace: bool,
    /// The world, and the vehicle in it that has bare names, if any.
    world: Option<(String, Option<String>)>,
    /// Values of the placeholders in names.
    words: PlaceholderValues,
    /// The number of each vehicle for its placeholders: new vehicles get the lowest free ones, in order, and keep them.
    numbers: BTreeMap<EntityId, usize>,
}

impl VehicleNaming {
    /// Names by `preset`; with `force_namespace` no vehicle has bare names.
    pub fn new(preset: &'static Preset, force_namespace: bool) -> VehicleNaming {
        let words = PlaceholderValues::new(preset.placeholders, |_| None);
        VehicleNaming { preset, force_namespace, world: None, words, numbers: BTreeMap::new() }
    }

    /// The same with these values of the placeholders.
    pub fn with_words(self, words: PlaceholderValues) -> VehicleNaming {
        VehicleNaming { words, ..self }
    }

    /// Updates the names after vehicles have been added or removed.
    pub fn follow(&mut self, scene: &Scene) {
        if self.world.as_ref().is_none_or(|(world, _)| *world != scene.name) {
            let bare = match scene.vehicles.as_slice() {
                [only] if !self.force_namespace => Some(only.name.clone()),
                _ => None,
            };
            self.world = Some((scene.name.clone(), bare));
        }
        self.numbers.retain(|id, _| scene.vehicle_of(*id).is_some());
        let mut taken: BTreeSet<usize> = self.numbers.values().copied().collect();
        for vehicle in &scene.vehicles {
            self.numbers.entry(vehicle.id).or_insert_with(|| {
                let free = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
                taken.insert(free);
                free
            });
        }
    }

    /// The frame of the map, which all vehicles share.
    pub fn map_frame(&self) -> String {
        self.words.shared(MAP)
    }

    /// The names of a known vehicle.
    pub fn names(&self, vehicle: &VehicleInfo) -> VehicleNames {
        let bare = self.world.as_ref().and_then(|(_, bare)| bare.as_ref());
        let names = VehicleNames::new(self.preset, &vehicle.name, bare != Some(&vehicle.name), false);
        names.with_words(self.words.of(self.number(vehicle.id))).leaning(vehicle.is_on_springs)
    }

    /// The names of all vehicles of a scene after vehicles have been added or removed.
    pub fn names_in(&mut self, scene: &Scene) -> Vec<VehicleNames> {
        self.follow(scene);
        scene.vehicles.iter().map(|vehicle| self.names(vehicle)).collect()
    }

    /// Index of the opponent of each vehicle of a scene; none if it is absent.
    pub fn opponents(&self, scene: &Scene) -> Vec<Option<usize>> {
        let number = |vehicle: &VehicleInfo| self.number(vehicle.id);
        let of = |number_of_opponent| scene.vehicles.iter().position(|other| number(other) == number_of_opponent);
        scene.vehicles.iter().map(|vehicle| of(opponent(number(vehicle)))).collect()
    }

    /// The number of a vehicle for its placeholders, from 0.
    pub fn number(&self, vehicle: EntityId) -> usize {
        self.numbers.get(&vehicle).copied().unwrap_or_default()
    }
}

/// Names of vehicles as they are published, with the frames of each vehicle's mode of transforms.
pub struct PublishedNaming {
    naming: VehicleNaming,
    tf_mode: Box<dyn Fn(&str) -> TfMode + Send>,
}

impl PublishedNaming {
    /// The names of `naming`; `tf_mode` gives the mode for the name of a vehicle.
    pub fn new(naming: VehicleNaming, tf_mode: impl Fn(&str) -> TfMode + Send + 'static) -> PublishedNaming {
        PublishedNaming { naming, tf_mode: Box::new(tf_mode) }
    }

    /// The names of all vehicles of a scene after vehicles have been added or removed.
    pub fn names_in(&mut self, scene: &Scene) -> Vec<VehicleNames> {
        let names = self.naming.names_in(scene).into_iter();
        names.zip(&scene.vehicles).map(|(names, vehicle)| names.with_tf((self.tf_mode)(&vehicle.name))).collect()
    }
}

impl Default for PublishedNaming {
    /// skidpad's own names, with plain frames.
    fn default() -> PublishedNaming {
        PublishedNaming::new(VehicleNaming::new(&SKIDPAD, false), |_| TfMode::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::F1TENTH_GYM_ROS;

    #[test]
    fn opponents_are_assigned_by_number_not_index() {
        let scene = |ids: &[u64]| {
            let vehicle = |id: &u64| VehicleInfo { id: EntityId(*id), ..VehicleInfo::default() };
            Scene { vehicles: ids.iter().map(vehicle).collect(), ..Scene::default() }
        };
        let mut naming = VehicleNaming::new(&F1TENTH_GYM_ROS, false);
        let mut follow = |ids: &[u64]| {
            naming.follow(&scene(ids));
            naming.opponents(&scene(ids))
        };
        assert_eq!(follow(&[4, 5, 6]), [Some(1), Some(0), Some(0)]);
        // The first has been removed: the others keep their numbers, and have no opponent.
        assert_eq!(follow(&[5, 6]), [None, None]);
        // The new vehicle becomes the first.
        assert_eq!(follow(&[5, 6, 7]), [Some(2), Some(2), Some(0)]);
        assert_eq!(follow(&[7]), [None]);
    }
}
