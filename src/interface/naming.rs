//! Which names each vehicle of a world has while vehicles come and go: the same for the node and for recordings.

use std::collections::{BTreeMap, BTreeSet};

use super::names::VehicleNames;
use crate::preset::{Preset, WordValues, opponent};
use crate::world::{EntityId, Scene, VehicleInfo};

/// Gives vehicles their names, the same ones for as long as they are there. The one that is alone in its world at the start has
/// bare names, whoever comes later.
#[derive(Clone, Debug)]
pub struct VehicleNaming {
    /// The interface that names follow.
    pub preset: &'static Preset,
    force_namespace: bool,
    /// The world that is named, and the one vehicle in it that has bare names.
    world: Option<(String, Option<String>)>,
    /// What words in names stand for.
    words: WordValues,
    numbers: Numbers,
}

impl VehicleNaming {
    /// Names after `preset`, bare ones for nobody where `force_namespace`.
    pub fn new(preset: &'static Preset, force_namespace: bool) -> VehicleNaming {
        let words = WordValues::new(preset.words, |_| None);
        VehicleNaming { preset, force_namespace, world: None, words, numbers: Numbers::default() }
    }

    /// The same with these words.
    pub fn with_words(self, words: WordValues) -> VehicleNaming {
        VehicleNaming { words, ..self }
    }

    /// Follows the vehicles that come and go.
    pub fn follow(&mut self, scene: &Scene) {
        if self.world.as_ref().is_none_or(|(world, _)| *world != scene.name) {
            let bare = match scene.vehicles.as_slice() {
                [only] if !self.force_namespace => Some(only.name.clone()),
                _ => None,
            };
            self.world = Some((scene.name.clone(), bare));
        }
        self.numbers.follow(scene);
    }

    /// The names of a vehicle that it follows.
    pub fn names(&self, vehicle: &VehicleInfo) -> VehicleNames {
        let bare = self.world.as_ref().and_then(|(_, bare)| bare.as_ref());
        let names = VehicleNames::new(self.preset, &vehicle.name, bare != Some(&vehicle.name), false);
        names.with_words(self.words.of(self.number(vehicle.id)))
    }

    /// The names of all vehicles of a scene, whoever has come or gone.
    pub fn names_in(&mut self, scene: &Scene) -> Vec<VehicleNames> {
        self.follow(scene);
        scene.vehicles.iter().map(|vehicle| self.names(vehicle)).collect()
    }

    /// Index of the vehicle that each vehicle of a scene takes for its opponent; none where that one is not there.
    pub fn opponents(&self, scene: &Scene) -> Vec<Option<usize>> {
        let number = |vehicle: &VehicleInfo| self.number(vehicle.id);
        let of = |number_of_opponent| scene.vehicles.iter().position(|other| number(other) == number_of_opponent);
        scene.vehicles.iter().map(|vehicle| of(opponent(number(vehicle)))).collect()
    }

    /// The number that words of a vehicle go by, from 0.
    pub fn number(&self, vehicle: EntityId) -> usize {
        self.numbers.0.get(&vehicle).copied().unwrap_or_default()
    }
}

/// The numbers that words of vehicles go by: those that come get the lowest free ones, in order, and keep them.
#[derive(Clone, Debug, Default)]
struct Numbers(BTreeMap<EntityId, usize>);

impl Numbers {
    fn follow(&mut self, scene: &Scene) {
        self.0.retain(|id, _| scene.vehicle_of(*id).is_some());
        let mut taken: BTreeSet<usize> = self.0.values().copied().collect();
        for vehicle in &scene.vehicles {
            self.0.entry(vehicle.id).or_insert_with(|| {
                let free = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
                taken.insert(free);
                free
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::F1TENTH_GYM_ROS;

    #[test]
    fn opponents_go_by_number_and_not_by_place() {
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
        // The first has gone: the others keep their numbers, and nobody is theirs.
        assert_eq!(follow(&[5, 6]), [None, None]);
        // Who comes is the first.
        assert_eq!(follow(&[5, 6, 7]), [Some(2), Some(2), Some(0)]);
        assert_eq!(follow(&[7]), [None]);
    }
}
