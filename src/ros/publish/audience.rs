//! Which sensors that cast rays have subscribers, and whether any topic has: counted by the thread that owns the node, read by the simulation
//! before each step. Neither waits for the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skidpad_run::sink::{Note, NotedSensors};
use skidpad_sim::sensor::SensorInfo;
use skidpad_sim::world::{EntityId, Scene, VehicleInfo, Wanted};

use super::publisher::PublisherHandle;

/// For each vehicle with such sensors, whether each of its sensors has subscribers.
type Heard = BTreeMap<EntityId, Vec<bool>>;

/// What the two threads share.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    heard: Note<Heard>,
    /// Whether anything subscribes to any topic of vehicles, maps or transforms.
    is_heard: AtomicBool,
}

impl Audience {
    /// Whether anything subscribes to any topic of vehicles, maps or transforms, as was last counted.
    pub(crate) fn is_heard(&self) -> bool {
        self.is_heard.load(Ordering::Relaxed)
    }
}

/// The publishers of the sensors, and what is known of their subscribers.
pub(crate) struct AudienceCount {
    /// For each vehicle, the publishers of each sensor; none of one that casts no rays.
    publishers: BTreeMap<EntityId, Vec<Vec<PublisherHandle>>>,
    heard: Heard,
    shared: Arc<Audience>,
}

impl AudienceCount {
    /// Without sensors; what is counted goes to `shared`.
    pub fn new(shared: Arc<Audience>) -> AudienceCount {
        AudienceCount { publishers: BTreeMap::new(), heard: Heard::new(), shared }
    }

    /// Takes over the publishers of a vehicle; `names` are those of each sensor's topics.
    pub fn follow(&mut self, vehicle: &VehicleInfo, names: &[Vec<String>], created: &[PublisherHandle]) {
        let of_sensor = |(sensor, names): (&SensorInfo, &Vec<String>)| {
            let of_it = created.iter().filter(|handle| sensor.kind.casts_rays() && names.contains(&handle.name));
            of_it.cloned().collect::<Vec<_>>()
        };
        let publishers: Vec<_> = vehicle.sensors.iter().zip(names).map(of_sensor).collect();
        if publishers.iter().any(|sensor| !sensor.is_empty()) {
            self.publishers.insert(vehicle.id, publishers);
        }
    }

    /// Removes a vehicle.
    pub fn remove(&mut self, vehicle: EntityId) {
        self.publishers.remove(&vehicle);
    }

    /// Notes whether any topic has subscribers.
    pub(crate) fn note_heard(&self, is_heard: bool) {
        self.shared.is_heard.store(is_heard, Ordering::Relaxed);
    }

    /// Counts the subscribers of sensors anew.
    pub fn count(&mut self) {
        let is_heard = |sensor: &Vec<PublisherHandle>| sensor.iter().any(PublisherHandle::has_subscribers);
        let is_as_before = self.publishers.len() == self.heard.len()
            && self.publishers.iter().zip(&self.heard).all(|((id, sensors), (as_id, as_heard))| {
                id == as_id && sensors.iter().map(is_heard).eq(as_heard.iter().copied())
            });
        if !is_as_before {
            self.heard =
                self.publishers.iter().map(|(id, sensors)| (*id, sensors.iter().map(is_heard).collect())).collect();
            self.shared.heard.change(|heard| heard.clone_from(&self.heard));
        }
    }
}

/// The sensors that are listened to, on the simulation thread.
#[derive(Debug, Default)]
pub(crate) struct ListenedSensors {
    audience: Arc<Audience>,
    sensors: NotedSensors,
}

impl ListenedSensors {
    /// Whether anything at all is listened to.
    pub(crate) fn are_any(&self) -> bool {
        self.audience.is_heard()
    }

    /// As this audience is.
    pub fn new(audience: Arc<Audience>) -> ListenedSensors {
        ListenedSensors { audience, ..ListenedSensors::default() }
    }

    /// Adds the sensors of `scene` that are listened to.
    pub fn add_to(&mut self, scene: &Scene, wanted: &mut Wanted) {
        self.sensors.add_to(wanted, &self.audience.heard, scene, |heard, wanted| {
            let mut place = 0;
            for vehicle in &scene.vehicles {
                let sensors = heard.get(&vehicle.id).map(Vec::as_slice).unwrap_or_default();
                let listened = sensors.iter().enumerate().filter(|(_, is_heard)| **is_heard);
                listened.for_each(|(index, _)| wanted.add(place + index));
                place += vehicle.sensors.len();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensors_are_found_by_their_vehicles_as_these_come_and_go() {
        let shared = Arc::<Audience>::default();
        let mut listened = ListenedSensors::new(Arc::clone(&shared));
        let hear = |heard: &[(u64, &[bool])]| {
            shared.heard.change(|shared| {
                *shared = heard.iter().map(|(id, sensors)| (EntityId(*id), sensors.to_vec())).collect()
            });
        };
        let vehicle =
            |id| VehicleInfo { id: EntityId(id), sensors: vec![SensorInfo::default(); 2], ..VehicleInfo::default() };
        let mut scene = Scene { vehicles: vec![vehicle(7), vehicle(8)], ..Scene::default() };
        let mut places = |scene: &Scene| {
            let mut wanted = Wanted::default();
            listened.add_to(scene, &mut wanted);
            (0..6).filter(|place| wanted.has(*place)).collect::<Vec<_>>()
        };
        assert!(places(&scene).is_empty());
        hear(&[(7, &[false, true]), (8, &[true, false])]);
        assert_eq!(places(&scene), [1, 2]);
        scene.vehicles.remove(0);
        scene.revision += 1;
        assert_eq!(places(&scene), [0]);
        hear(&[(8, &[false, false])]);
        assert!(places(&scene).is_empty());
    }
}
