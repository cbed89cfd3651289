//! Gains as parameters of the node: `<vehicle>.controller.<name>` of each vehicle's controller, as long as the vehicle exists, and
//! `tracker.<name>` of the driver of `skidpad run --track`. Setting one sends a request to the simulation.

use std::sync::Mutex;

use r2r::ParameterValue;
use skidpad_run::guard::lock;
use skidpad_run::runner::{Outbox, Request};
use skidpad_sim::tracking::TrackerParameters;
use skidpad_sim::vehicle::Tunable;
use skidpad_sim::world::{EntityId, VehicleInfo};

use crate::error::RosError;
use crate::node::tracker;
use crate::parameters::table::{Declaration, Kind, Parameters};

/// The tracker of a vehicle with a driver.
pub type Driven = (EntityId, TrackerParameters);

/// Prefix of the tracker's parameters.
pub(crate) const TRACKER: &str = "tracker";

/// Declares the gains of a vehicle's controller; `prefix` is that of the vehicle's parameters. Fails if a value that was given at the start
/// is not accepted.
pub fn declare(parameters: &Parameters, outbox: &Outbox, vehicle: &VehicleInfo, prefix: &str) -> Result<(), RosError> {
    let names: Vec<&'static str> = vehicle.tunables.iter().map(|tunable| tunable.name).collect();
    let last = Mutex::new(vehicle.tunables.iter().map(|tunable| tunable.value).collect::<Vec<f64>>());
    let (id, outbox) = (vehicle.id, outbox.clone());
    // Only values that differ from the last one, at first from that of the world file, are sent.
    let watch = move |name: &'static str, value: &ParameterValue| {
        let (ParameterValue::Double(value), Some(index)) = (value, names.iter().position(|known| *known == name))
        else {
            return;
        };
        let mut last = lock(&last);
        if std::mem::replace(&mut last[index], *value) != *value {
            outbox.send(Request::Tune(id, name, *value));
        }
    };
    let declarations: Vec<Declaration> = vehicle.tunables.iter().map(declaration).collect();
    parameters.declare(&format!("{prefix}.controller"), &declarations, Box::new(watch))
}

/// Declares the gains of the tracker that drives a vehicle. Fails as [`declare`] does.
pub(crate) fn declare_tracker(
    parameters: &Parameters,
    outbox: &Outbox,
    id: EntityId,
    tracker: TrackerParameters,
) -> Result<(), RosError> {
    let outbox = outbox.clone();
    let state = Mutex::new(tracker);
    let watch = move |name: &'static str, value: &ParameterValue| {
        let mut state = lock(&state);
        let before = *state;
        tracker::set_gain(&mut state, name, value);
        if *state != before {
            outbox.send(Request::SetTracker(id, *state));
        }
    };
    parameters.declare(TRACKER, &tracker::gains(&tracker), Box::new(watch))
}

fn declaration(tunable: &Tunable) -> Declaration {
    // A world file may exceed the range of the parameter, which then extends to the file's value.
    let [from, to] = tunable.range;
    let range = [from.min(tunable.value), to.max(tunable.value)];
    Declaration::new(tunable.name, Kind::Number { default: tunable.value, range }, tunable.help)
}

#[cfg(test)]
mod tests {
    use skidpad_run::runner::mailbox;

    use super::*;

    fn vehicle(id: u64, name: &str) -> VehicleInfo {
        let tunable = |name, value| Tunable { name, help: "gain", range: [0.0, 10.0], value };
        VehicleInfo {
            id: EntityId(id),
            name: name.into(),
            tunables: vec![tunable("kp", 2.0), tunable("ki", 0.0)],
            ..VehicleInfo::default()
        }
    }

    fn set(parameters: &Parameters, name: &str, value: f64) {
        let value = parameters.would_set(name, &ParameterValue::Double(value)).unwrap();
        parameters.set(vec![(name.to_owned(), value)]);
    }

    #[test]
    fn changed_gains_are_sent_to_the_simulation() {
        let given = [("r_1.controller.ki".to_owned(), ParameterValue::Integer(3))];
        let given = given.iter().map(|(name, value)| (name, value));
        let parameters = Parameters::new(&[], &[], given, Box::new(|_, _| {})).unwrap();
        let (outbox, inbox) = mailbox();
        declare(&parameters, &outbox, &vehicle(7, "r 1"), "r_1").unwrap();
        assert_eq!(parameters.names(), ["r_1.controller.kp", "r_1.controller.ki"]);
        set(&parameters, "r_1.controller.kp", 5.0);
        set(&parameters, "r_1.controller.kp", 5.0);
        parameters.undeclare("r_1");
        declare(&parameters, &outbox, &vehicle(9, "r 1"), "r_1").unwrap();
        assert_eq!(parameters.number("r_1.controller.kp"), 2.0);
        let tuned = |id, name, value| Request::Tune(EntityId(id), name, value);
        assert_eq!(inbox.requests(), [tuned(7, "ki", 3.0), tuned(7, "kp", 5.0), tuned(9, "ki", 3.0)]);
        let refused = parameters.would_set("r_1.controller.kp", &ParameterValue::Double(11.0)).unwrap_err();
        assert_eq!(refused, "r_1.controller.kp: found 11; accepted: a number from 0 to 10");
    }

    #[test]
    fn the_trackers_gains_have_the_studys_names_and_are_sent_as_a_whole() {
        let parameters = Parameters::new(&[], &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
        let (outbox, inbox) = mailbox();
        let started = TrackerParameters { proportional: 3.0, ..TrackerParameters::default() };
        declare_tracker(&parameters, &outbox, EntityId(7), started).unwrap();
        assert_eq!(parameters.number("tracker.Kp"), 3.0);
        set(&parameters, "tracker.Kp", 4.0);
        set(&parameters, "tracker.integral_limit", 0.5);
        let word = parameters.would_set("tracker.anti_windup", &ParameterValue::String("conditional".into())).unwrap();
        parameters.set(vec![("tracker.anti_windup".to_owned(), word)]);
        let first = TrackerParameters { proportional: 4.0, ..started };
        let second = TrackerParameters { integral_limit: 0.5, ..first };
        let third = TrackerParameters { anti_windup: skidpad_sim::tracking::AntiWindup::Conditional, ..second };
        let wanted = [first, second, third].map(|tracker| Request::SetTracker(EntityId(7), tracker));
        assert_eq!(inbox.requests(), wanted);
    }
}
