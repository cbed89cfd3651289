//! Gains as parameters of the node: `<vehicle>.controller.<name>` of each vehicle's controller, which come and go with the vehicle,
//! and `tracker.<name>` of the driver of `skidpad run --track`. A value that is set goes to the simulation as a request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use r2r::ParameterValue;
use r2r::builtin_interfaces::msg::Time;

use super::node::tracker;
use super::parameters::{Declaration, Kind, Parameters};
use super::publish::NodeOutput;
use super::snapshot::Snapshot;
use crate::interface::names::token;
use crate::runner::{Outbox, Request};
use crate::tracking::TrackerParameters;
use crate::vehicle::Tunable;
use crate::world::{EntityId, Scene, VehicleInfo};

/// The tracker of a vehicle with a driver.
pub type Driven = (EntityId, TrackerParameters);

/// Keeps the gains of the vehicles that are there among the parameters.
pub struct Gains {
    parameters: Arc<Parameters>,
    outbox: Outbox,
    /// What stands before the parameters of each vehicle.
    declared: BTreeMap<EntityId, String>,
    tracked: Option<EntityId>,
    /// Revision of the scene that was last followed.
    revision: u64,
}

/// What stands before the tracker's parameters.
pub const TRACKER: &str = "tracker";

impl Gains {
    /// Declares the gains of every vehicle of `scene`, and of the tracker.
    pub fn new(parameters: &Arc<Parameters>, outbox: &Outbox, scene: &Scene, driven: Option<Driven>) -> Gains {
        let mut gains = Gains {
            parameters: parameters.clone(),
            outbox: outbox.clone(),
            declared: BTreeMap::new(),
            tracked: driven.map(|(id, _)| id),
            revision: scene.revision,
        };
        if let Some((id, tracker)) = driven {
            gains.declare_tracker(id, tracker);
        }
        gains.follow(scene);
        gains
    }

    /// Declares the gains of vehicles that have come, and takes away those of vehicles that have gone.
    pub fn follow(&mut self, scene: &Scene) {
        let is_there = |id: EntityId| scene.vehicle_of(id).is_some();
        if self.tracked.is_some_and(|id| !is_there(id)) {
            self.tracked = None;
            self.parameters.undeclare(TRACKER);
        }
        let parameters = &self.parameters;
        self.declared.retain(|id, prefix| {
            let stays = is_there(*id);
            if !stays {
                parameters.undeclare(prefix);
            }
            stays
        });
        for vehicle in scene.vehicles.iter().filter(|vehicle| !vehicle.tunables.is_empty()) {
            if !self.declared.contains_key(&vehicle.id) {
                let prefix = prefix(vehicle);
                self.declare(vehicle, &prefix);
                self.declared.insert(vehicle.id, prefix);
            }
        }
    }

    fn declare(&self, vehicle: &VehicleInfo, prefix: &str) {
        let names: Vec<&'static str> = vehicle.tunables.iter().map(|tunable| tunable.name).collect();
        let starts: Vec<f64> = vehicle.tunables.iter().map(|tunable| tunable.value).collect();
        let (id, outbox) = (vehicle.id, self.outbox.clone());
        let last = Mutex::new(starts);
        // What is as in the world file is no change, neither at the start nor later.
        let watch = move |name: &'static str, value: &ParameterValue| {
            let (ParameterValue::Double(value), Some(index)) = (value, names.iter().position(|own| *own == name))
            else {
                return;
            };
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if std::mem::replace(&mut last[index], *value) != *value {
                outbox.send(Request::Tune(id, name, *value));
            }
        };
        let declarations: Vec<Declaration> = vehicle.tunables.iter().map(declaration).collect();
        if let Err(error) = self.parameters.declare(prefix, &declarations, Box::new(watch)) {
            tracing::warn!("{error}");
        }
    }

    fn declare_tracker(&self, id: EntityId, tracker: TrackerParameters) {
        let outbox = self.outbox.clone();
        let state = Mutex::new(tracker);
        let watch = move |name: &'static str, value: &ParameterValue| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let before = *state;
            tracker::set_gain(&mut state, name, value);
            if *state != before {
                outbox.send(Request::SetTracker(id, *state));
            }
        };
        if let Err(error) = self.parameters.declare(TRACKER, &tracker::gains(&tracker), Box::new(watch)) {
            tracing::warn!("{error}");
        }
    }
}

impl NodeOutput for Gains {
    fn publish(&mut self, _stamp: &Time, snapshot: &Snapshot) {
        if let Some(stage) = snapshot.stage.as_ref().filter(|stage| stage.scene.revision != self.revision) {
            self.revision = stage.scene.revision;
            self.follow(&stage.scene);
        }
    }
}

/// What stands before the names of a vehicle's controller's numbers.
fn prefix(vehicle: &VehicleInfo) -> String {
    format!("{}.controller", token(&vehicle.name))
}

fn declaration(tunable: &Tunable) -> Declaration {
    // A world file may have what nobody may set: then that is where the range ends.
    let [from, to] = tunable.range;
    let range = [from.min(tunable.value), to.max(tunable.value)];
    Declaration::new(tunable.name, Kind::Number { default: tunable.value, range }, tunable.help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::mailbox;

    fn vehicle(id: u64, name: &str) -> VehicleInfo {
        let tunable = |name, value| Tunable { name, help: "gain", range: [0.0, 10.0], value };
        VehicleInfo {
            id: EntityId(id),
            name: name.into(),
            tunables: vec![tunable("kp", 2.0), tunable("ki", 0.0)],
            ..VehicleInfo::default()
        }
    }

    fn scene(vehicles: Vec<VehicleInfo>) -> Scene {
        Scene { vehicles, ..Scene::default() }
    }

    fn set(parameters: &Parameters, name: &str, value: f64) {
        let value = parameters.would_set(name, &ParameterValue::Double(value)).unwrap();
        parameters.set(vec![(name.to_owned(), value)]);
    }

    #[test]
    fn gains_come_and_go_with_vehicles_and_reach_the_simulation() {
        let given = [("r_1.controller.ki".to_owned(), ParameterValue::Integer(3))];
        let parameters =
            Parameters::new(&[], &[], given.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {})).unwrap();
        let (outbox, inbox) = mailbox();
        let mut gains = Gains::new(&parameters, &outbox, &scene(vec![vehicle(7, "r 1")]), None);
        assert_eq!(parameters.names(), ["r_1.controller.kp", "r_1.controller.ki"]);
        set(&parameters, "r_1.controller.kp", 5.0);
        gains.follow(&scene(vec![vehicle(8, "r2")]));
        assert_eq!(parameters.names(), ["r2.controller.kp", "r2.controller.ki"]);
        gains.follow(&scene(vec![vehicle(9, "r 1")]));
        assert_eq!(parameters.number("r_1.controller.kp"), 2.0);
        drop((gains, outbox));
        // The closures of the parameters that are there hold the sending end.
        drop(parameters);
        let requests: Vec<Request> = inbox.requests();
        let tuned = |id, name, value| Request::Tune(EntityId(id), name, value);
        assert_eq!(requests, [tuned(7, "ki", 3.0), tuned(7, "kp", 5.0), tuned(9, "ki", 3.0)]);
    }

    #[test]
    fn the_trackers_gains_have_the_studys_names_and_go_over_as_a_whole() {
        let parameters = Parameters::new(&[], &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
        let (outbox, inbox) = mailbox();
        let started = TrackerParameters { proportional: 3.0, ..TrackerParameters::default() };
        let _gains = Gains::new(&parameters, &outbox, &scene(vec![vehicle(7, "r1")]), Some((EntityId(7), started)));
        assert_eq!(parameters.number("tracker.Kp"), 3.0);
        set(&parameters, "tracker.Kp", 4.0);
        set(&parameters, "tracker.integral_limit", 0.5);
        let word = parameters.would_set("tracker.anti_windup", &ParameterValue::String("conditional".into())).unwrap();
        parameters.set(vec![("tracker.anti_windup".to_owned(), word)]);
        let first = TrackerParameters { proportional: 4.0, ..started };
        let second = TrackerParameters { integral_limit: 0.5, ..first };
        let third = TrackerParameters { anti_windup: crate::tracking::AntiWindup::Conditional, ..second };
        let wanted = [first, second, third].map(|tracker| Request::SetTracker(EntityId(7), tracker));
        assert_eq!(inbox.requests(), wanted);
    }
}
