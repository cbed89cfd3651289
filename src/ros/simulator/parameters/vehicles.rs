//! The parameters of each vehicle, `<vehicle>.<name>`, which exist as long as the vehicle.

use std::collections::BTreeMap;
use std::sync::Arc;

use r2r::ParameterValue;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::{TfMode, token};
use skidpad_run::runner::Outbox;
use skidpad_sim::world::{EntityId, Scene};

use super::gains::{self, Driven, TRACKER};
use super::{MIN_CMD_TIMEOUT, TF_MODE};
use crate::error::RosError;
use crate::parameters::table::{Declaration, Kind, Parameters, gapped, number};

/// The value of a number that is not set for this vehicle: the value for all vehicles applies.
const AS_ALL: f64 = -1.0;

/// The parameters of a vehicle; `tf_mode` is the value for the node.
const fn declarations(tf_mode: &'static str) -> [Declaration; 3] {
    [
        Declaration::new(
            TF_MODE,
            Kind::Word { default: tf_mode, of: &TfMode::NAMES },
            "where the vehicle's transforms go; nothing to a vehicle with bare names",
        )
        .at_start(),
        gapped(
            "cmd_timeout",
            AS_ALL,
            [AS_ALL, 1e6],
            [0.0, MIN_CMD_TIMEOUT],
            "the vehicle stops when its last command is older than this [simulated s]; 0: never; below: as cmd_timeout of all",
        ),
        number(
            "range_noise",
            AS_ALL,
            [AS_ALL, 100.0],
            "standard deviation of the vehicle's lidars' noise [m]; below 0: as range_noise of all",
        ),
    ]
}

/// Declares and removes the parameters of vehicles as these are added and removed.
pub(crate) struct VehicleParameters {
    parameters: Arc<Parameters>,
    outbox: Outbox,
    /// The prefix of the parameters of each vehicle.
    declared: BTreeMap<EntityId, String>,
    /// The vehicle whose tracker's gains are declared.
    tracked: Option<EntityId>,
}

impl VehicleParameters {
    /// No parameters yet; their values are sent to `outbox`.
    pub fn new(parameters: &Arc<Parameters>, outbox: &Outbox) -> VehicleParameters {
        VehicleParameters {
            parameters: parameters.clone(),
            outbox: outbox.clone(),
            declared: BTreeMap::new(),
            tracked: None,
        }
    }

    /// The same with the gains of a tracker, as long as its vehicle exists.
    ///
    /// # Errors
    /// A value that was given at the start is not accepted.
    pub(crate) fn with_tracker(mut self, driven: Option<Driven>) -> Result<VehicleParameters, RosError> {
        if let Some((id, tracker)) = driven {
            gains::declare_tracker(&self.parameters, &self.outbox, id, tracker)?;
            self.tracked = Some(id);
        }
        Ok(self)
    }

    /// Removes the parameters of removed vehicles and declares those of added ones. Gives an error for each value that was given at the start
    /// and is not accepted.
    pub fn follow(&mut self, scene: &Scene) -> Vec<RosError> {
        let parameters = &self.parameters;
        self.declared.retain(|id, prefix| {
            let stays = scene.vehicle_of(*id).is_some();
            if !stays {
                parameters.undeclare(prefix);
            }
            stays
        });
        if self.tracked.take_if(|id| scene.vehicle_of(*id).is_none()).is_some() {
            parameters.undeclare(TRACKER);
        }
        let mut problems = Vec::new();
        for vehicle in &scene.vehicles {
            if self.declared.contains_key(&vehicle.id) {
                continue;
            }
            let (id, outbox) = (vehicle.id, self.outbox.clone());
            let watch = move |name: &'static str, value: &ParameterValue| send(&outbox, id, name, value);
            let prefix = token(&vehicle.name);
            let declarations = declarations(node_mode(&self.parameters));
            problems.extend(self.parameters.declare(&prefix, &declarations, Box::new(watch)).err());
            problems.extend(gains::declare(&self.parameters, &self.outbox, vehicle, &prefix).err());
            self.declared.insert(vehicle.id, prefix);
        }
        problems
    }
}

/// Sends a value to the simulation if the simulation uses it.
fn send(outbox: &Outbox, id: EntityId, name: &str, value: &ParameterValue) {
    let ParameterValue::Double(value) = *value else { return };
    let override_value = (value >= 0.0).then_some(value);
    match name {
        "cmd_timeout" => {
            let timeout = override_value.map(|seconds| (seconds > 0.0).then(|| SimTime::from_secs(seconds)));
            outbox.visit(move |visit| {
                visit.world.set_command_timeout_of(id, timeout);
            });
        }
        "range_noise" => {
            outbox.visit(move |visit| {
                visit.world.set_range_noise_of(id, override_value);
            });
        }
        _ => {}
    }
}

/// The mode of the node's parameter, by its name.
fn node_mode(parameters: &Parameters) -> &'static str {
    let word = parameters.word(TF_MODE);
    TfMode::NAMES.into_iter().find(|name| *name == word).unwrap_or(TfMode::NAMES[0])
}

/// Topics of the transforms of the vehicle with this name: the value given for it at the start, or else that of the node. The vehicle's
/// parameters need not be declared yet; an invalid value is ignored.
pub fn tf_mode(parameters: &Parameters, vehicle: &str) -> TfMode {
    let mode_of_vehicle = match parameters.given(&format!("{}.{TF_MODE}", token(vehicle))) {
        Some(ParameterValue::String(word)) => TfMode::named(word),
        _ => None,
    };
    mode_of_vehicle.or_else(|| TfMode::named(node_mode(parameters))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use skidpad_run::runner::mailbox;
    use skidpad_sim::world::VehicleInfo;

    use super::*;

    const NODE: &[Declaration] =
        &[Declaration::new(TF_MODE, Kind::Word { default: "namespaced", of: &TfMode::NAMES }, "mode").at_start()];

    fn scene(vehicles: &[(u64, &str)]) -> Scene {
        let vehicle = |(id, name): &(u64, &str)| VehicleInfo {
            id: EntityId(*id),
            name: (*name).to_owned(),
            ..VehicleInfo::default()
        };
        Scene { vehicles: vehicles.iter().map(vehicle).collect(), ..Scene::default() }
    }

    fn start(given: &[(&str, &str)]) -> Arc<Parameters> {
        let given: Vec<(String, ParameterValue)> =
            given.iter().map(|(name, word)| ((*name).to_owned(), ParameterValue::String((*word).to_owned()))).collect();
        Parameters::new(NODE, &[], given.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {})).unwrap()
    }

    #[test]
    fn parameters_are_declared_and_removed_with_their_vehicles() {
        let parameters = start(&[]);
        let mut own = VehicleParameters::new(&parameters, &mailbox().0);
        assert!(own.follow(&scene(&[(1, "r 1")])).is_empty());
        assert_eq!(parameters.names(), ["tf_mode", "r_1.tf_mode", "r_1.cmd_timeout", "r_1.range_noise"]);
        own.follow(&scene(&[(2, "r2")]));
        assert_eq!(parameters.names(), ["tf_mode", "r2.tf_mode", "r2.cmd_timeout", "r2.range_noise"]);
        own.follow(&scene(&[]));
        assert_eq!(parameters.names(), ["tf_mode"]);
    }

    #[test]
    fn the_trackers_gains_are_removed_with_its_vehicle() {
        let parameters = start(&[]);
        let driven = Some((EntityId(1), skidpad_sim::tracking::TrackerParameters::default()));
        let mut own = VehicleParameters::new(&parameters, &mailbox().0).with_tracker(driven).unwrap();
        own.follow(&scene(&[(1, "r1"), (2, "r2")]));
        assert!(parameters.names().contains(&"tracker.Kp".to_owned()));
        own.follow(&scene(&[(2, "r2")]));
        assert!(!parameters.names().contains(&"tracker.Kp".to_owned()));
    }

    #[test]
    fn a_vehicles_mode_overrides_that_of_the_node() {
        let parameters = start(&[("tf_mode", "both"), ("r2.tf_mode", "prefixed")]);
        assert_eq!(["r1", "r2"].map(|name| tf_mode(&parameters, name)), [TfMode::Both, TfMode::Prefixed]);
        VehicleParameters::new(&parameters, &mailbox().0).follow(&scene(&[(1, "r1"), (2, "r2")]));
        assert_eq!(["r1.tf_mode", "r2.tf_mode"].map(|name| parameters.word(name)), ["both", "prefixed"]);
        assert_eq!(tf_mode(&start(&[]), "r1"), TfMode::Namespaced);
    }

    #[test]
    fn an_invalid_mode_is_named() {
        let parameters = start(&[("r1.tf_mode", "prefix")]);
        let problems = VehicleParameters::new(&parameters, &mailbox().0).follow(&scene(&[(1, "r1")]));
        let expected = "parameter \"r1.tf_mode\": found \"prefix\"\n  accepted: namespaced, prefixed, both";
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }
}
