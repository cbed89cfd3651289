//! What happens when: section `events` of a scenario, a list in which each item has a trigger and one action of the table [`ACTIONS`].

mod act;
mod check;
mod command;
mod faults;
mod patch;
mod peers;
mod schedule;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;

pub use command::CommandWords;
pub use faults::{ActorWords, OdometryScale, PacketLoss};
pub use peers::{
    GivenPose, InitialPoseWords, LifecycleWords, NavigateWords, ParametersWords, PathWords, PublishWords, TruthWord,
    WaypointsWords,
};
pub use schedule::Schedule;

/// Shortest time between two repetitions [s].
const MIN_PERIOD: f64 = 0.001;

/// The actions, each with its meaning.
pub const ACTIONS: &[(&str, &str)] = &[
    (
        "command",
        "commands the vehicle: `stop`, or the fields of one kind as in docs/driving.md, such as `{speed: 1, steering_angle: 0.2}`; with `hold` [s], for that long",
    ),
    (
        "teleport",
        "moves the vehicle or block to `at` [m], `yaw` [rad], with `speed` [m/s] ahead, otherwise at rest. Its odometry does not notice (kidnapping), unless `odometry: reset`",
    ),
    (
        "spawn",
        "adds a body: `name`, its `class` in the world or a `file` with its XML, `at` [m], `yaw` [rad], `speed` [m/s] ahead",
    ),
    ("remove", "removes the body of this name"),
    ("set", "sets parameters of the vehicle's controller, such as `{kp: 2}`; skidpad check lists them"),
    (
        "friction",
        "sets the friction coefficient of the ground in the box `area` [m] to `mu`; with `hold` [s], for that long, otherwise for good",
    ),
    (
        "actor",
        "directs the actor `name` of the world, such as a person. `stands: true` stops it, `stands: false` lets it continue. `to`, a list of points [m], makes it walk (`run: true`: run) through them and stay at the last. It does not avoid anything",
    ),
    (
        "sensor_off",
        "the vehicle's sensor of this name gives no readings to anything: trackers, recordings, ROS or Python; with `hold` [s], for that long",
    ),
    ("sensor_on", "the sensor of this name gives readings again"),
    (
        "packet_loss",
        "loses each reading of `sensor`, or without `sensor` each command to the vehicle, with the probability `share`; with `hold` [s], for that long",
    ),
    (
        "latency",
        "delays commands to the vehicle, including those of its tracker, by this time [s]; with `hold` [s], for that long",
    ),
    (
        "odometry",
        "scales the odometry's motion ahead, to the side and in yaw by the factors `x`, `y` and `yaw`; with `hold` [s], for that long",
    ),
    (
        "range_noise",
        "sets the standard deviation of the ranges of the vehicle's lidars and range finders [m]; with `hold` [s], for that long",
    ),
    (
        "navigate_to",
        "sends the pose `at` [m], `yaw` [rad] to nav2's NavigateToPose as soon as its server is there, optionally with the file `behavior_tree`",
    ),
    (
        "follow_waypoints",
        "sends `points`, each `[x, y]` or `[x, y, yaw]` [m, rad], to nav2's FollowWaypoints; `loops` is the number of further rounds",
    ),
    (
        "follow_path",
        "sends `points`, or the waypoints of the CSV file `file`, to nav2's FollowPath, optionally with `controller_id` and `goal_checker_id`",
    ),
    ("cancel", "cancels the goal that the event of this name sent"),
    (
        "initial_pose",
        "tells the localisation where the vehicle is: `truth`, or `at` [m], `yaw` [rad] with the standard deviations `sigma` [m] and `sigma_yaw` [rad]",
    ),
    ("parameters", "sets parameters of the ROS node `node`: `set`, such as `{FollowPath.max_vel_x: 0.2}`"),
    (
        "lifecycle",
        "changes the state of the managed node `node` by the `transition` configure, activate, deactivate, cleanup or shutdown",
    ),
    (
        "publish",
        "sends a message of the `type`, such as `std_msgs/msg/Bool`, on `topic`, as soon as it has a subscriber. `message` has its fields; missing fields are 0 or empty, and the stamp of its header is the time of the event. A newer message on the topic replaces one that still waits for a subscriber",
    ),
];

/// Those with an effect that can last for so long.
const LASTING: [&str; 8] =
    ["command", "friction", "actor", "sensor_off", "packet_loss", "latency", "odometry", "range_noise"];

/// An event as it is written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventWords {
    /// Its name, for events that follow it.
    pub name: Option<String>,
    /// When it happens [s of simulated time].
    pub at: Option<f64>,
    /// What it waits for.
    pub when: Option<WhenWords>,
    /// After how long it happens again [s], once it has.
    pub every: Option<f64>,
    /// The last time at which it may happen [s].
    pub until: Option<f64>,
    /// How long a command is repeated, or a change lasts [s].
    pub hold: Option<f64>,
    /// The vehicle or block that it happens to; none: the scenario's vehicle.
    pub vehicle: Option<String>,
    /// Whether the run fails if it never happens.
    pub must_happen: bool,
    /// See [`ACTIONS`].
    pub command: Option<CommandWords>,
    /// See [`ACTIONS`].
    pub teleport: Option<Placement>,
    /// See [`ACTIONS`].
    pub spawn: Option<SpawnWords>,
    /// See [`ACTIONS`].
    pub remove: Option<String>,
    /// See [`ACTIONS`].
    pub set: Option<BTreeMap<String, f64>>,
    /// See [`ACTIONS`].
    pub friction: Option<Patch>,
    /// See [`ACTIONS`].
    pub actor: Option<ActorWords>,
    /// See [`ACTIONS`].
    pub sensor_off: Option<String>,
    /// See [`ACTIONS`].
    pub sensor_on: Option<String>,
    /// See [`ACTIONS`].
    pub packet_loss: Option<PacketLoss>,
    /// See [`ACTIONS`].
    pub latency: Option<f64>,
    /// See [`ACTIONS`].
    pub odometry: Option<OdometryScale>,
    /// See [`ACTIONS`].
    pub range_noise: Option<f64>,
    /// See [`ACTIONS`].
    pub navigate_to: Option<NavigateWords>,
    /// See [`ACTIONS`].
    pub follow_waypoints: Option<WaypointsWords>,
    /// See [`ACTIONS`].
    pub follow_path: Option<PathWords>,
    /// See [`ACTIONS`].
    pub cancel: Option<String>,
    /// See [`ACTIONS`].
    pub initial_pose: Option<InitialPoseWords>,
    /// See [`ACTIONS`].
    pub parameters: Option<ParametersWords>,
    /// See [`ACTIONS`].
    pub lifecycle: Option<LifecycleWords>,
    /// See [`ACTIONS`].
    pub publish: Option<PublishWords>,
}

/// What an event waits for: all that is given must be so.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WhenWords {
    /// A point [m] that the vehicle is near.
    pub near: Option<[f64; 2]>,
    /// How near [m].
    pub within: Option<f64>,
    /// The name of an event that has happened.
    pub after: Option<String>,
    /// How long ago [s].
    pub delay: Option<f64>,
    /// Whether the vehicle touches something.
    pub contact: Option<bool>,
    /// Whether the vehicle has tipped over and lies on its side or roof.
    pub overturned: Option<bool>,
    /// What has become of a goal.
    pub goal: Option<GoalWord>,
    /// The name of the event that has sent the goal.
    pub of: Option<String>,
    /// The name of a managed ROS node that is active.
    pub active: Option<String>,
    /// The vehicle; none: that of the scenario.
    pub vehicle: Option<String>,
    /// The person or other actor that is near, in place of the vehicle.
    pub actor: Option<String>,
}

/// What has become of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalWord {
    /// Its server has accepted it.
    Accepted,
    /// It has succeeded.
    Reached,
    /// It has ended, in whatever way.
    Ended,
}

/// Where a body is put.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Placement {
    /// Position in the world [m].
    pub at: [f64; 2],
    /// Heading [rad].
    pub yaw: f64,
    /// Speed ahead [m/s].
    pub speed: f64,
    /// Whether the odometry starts anew.
    pub odometry: OdometryWord,
}

/// What odometry does when its vehicle is put elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OdometryWord {
    /// It does not notice.
    #[default]
    Continuous,
    /// It starts anew.
    Reset,
}

/// A body that is added.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpawnWords {
    /// Its name.
    pub name: String,
    /// Its class in the world.
    pub class: Option<String>,
    /// A file with its XML.
    pub file: Option<PathBuf>,
    /// Position in the world [m].
    pub at: [f64; 2],
    /// Heading [rad].
    pub yaw: f64,
    /// Speed ahead [m/s].
    pub speed: f64,
}

/// Other ground in an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Patch {
    /// Lower and upper corner of a box in the world: x, y, x, y [m].
    pub area: [f64; 4],
    /// Friction coefficient [-].
    pub mu: f64,
}

/// An event of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its words.
    pub words: EventWords,
    /// Its place, `file:line:column`.
    pub place: String,
    /// Name of the vehicle or block that it happens to; empty: the scenario's vehicle.
    pub body: String,
}

impl EventWords {
    /// The names of the actions that are given.
    fn actions(&self) -> Vec<&'static str> {
        let given = [
            self.command.is_some(),
            self.teleport.is_some(),
            self.spawn.is_some(),
            self.remove.is_some(),
            self.set.is_some(),
            self.friction.is_some(),
            self.actor.is_some(),
            self.sensor_off.is_some(),
            self.sensor_on.is_some(),
            self.packet_loss.is_some(),
            self.latency.is_some(),
            self.odometry.is_some(),
            self.range_noise.is_some(),
            self.navigate_to.is_some(),
            self.follow_waypoints.is_some(),
            self.follow_path.is_some(),
            self.cancel.is_some(),
            self.initial_pose.is_some(),
            self.parameters.is_some(),
            self.lifecycle.is_some(),
            self.publish.is_some(),
        ];
        ACTIONS.iter().zip(given).filter(|(_, is_given)| *is_given).map(|((name, _), _)| *name).collect()
    }

    /// Whether it takes the place of what `other` does, if that is to the same vehicle, or to an actor.
    fn replaces(&self, other: &EventWords) -> bool {
        let both_set = |is: fn(&EventWords) -> bool| is(self) && is(other);
        let sensor = |words: &EventWords| words.sensor_off.clone().or_else(|| words.sensor_on.clone());
        let loss = |words: &EventWords| words.packet_loss.as_ref().map(|loss| loss.sensor.clone());
        let actor = |words: &EventWords| words.actor.as_ref().map(|actor| actor.name.clone());
        both_set(|words| words.command.is_some())
            || both_set(|words| words.latency.is_some())
            || both_set(|words| words.odometry.is_some())
            || both_set(|words| words.range_noise.is_some())
            || sensor(self).is_some() && sensor(self) == sensor(other)
            || loss(self).is_some() && loss(self) == loss(other)
            || actor(self).is_some() && actor(self) == actor(other)
    }

    /// Whether it is a fault, or what an actor does.
    fn is_fault(&self) -> bool {
        self.actor.is_some() || self.is_fault_of_vehicle()
    }

    /// Whether it is a fault of a vehicle.
    fn is_fault_of_vehicle(&self) -> bool {
        let of_sensor = self.sensor_off.is_some() || self.sensor_on.is_some() || self.range_noise.is_some();
        of_sensor || self.packet_loss.is_some() || self.latency.is_some() || self.odometry.is_some()
    }

    /// What is wrong with it, where these names of events are known, in a run of this duration [s].
    pub(crate) fn check(&self, names: &[&str], duration: f64) -> Option<Diagnostic> {
        let actions = self.actions();
        let [action] = actions[..] else {
            let found = match actions.len() {
                0 => "an event without an action".to_owned(),
                _ => format!("an event with several actions: {}", actions.join(", ")),
            };
            let accepted = ACTIONS.iter().map(|(name, _)| *name);
            return Some(Diagnostic::of(found).accepted_all(accepted));
        };
        if let Some(name) = &self.name
            && names.iter().filter(|other| *other == name).count() > 1
        {
            return Some(Diagnostic::new("name", format!("\"{name}\" appears twice")));
        }
        let is_triggered = self.at.is_some() != self.when.is_some();
        if !is_triggered {
            return Some(
                Diagnostic::new(action, "needs exactly one of at and when").accepted("at: a time [s], or when"),
            );
        }
        let whole = self.numbers().find(|(_, number, accepted)| !number.is_finite() || !accepted.contains(number));
        if let Some((name, number, accepted)) = whole {
            let accepted = format!("a number from {} to {}", accepted.start(), accepted.end());
            return Some(Diagnostic::new(format!("{action}: {name}"), format!("found {number}")).accepted(accepted));
        }
        if let Some(at) = self.at.filter(|at| *at > duration) {
            let found = format!("found {at}, after the end of the run");
            return Some(Diagnostic::new("at", found).accepted(format!("at most the duration, {duration} [s]")));
        }
        if self.hold.is_some() && !LASTING.contains(&action) {
            let accepted = format!("with {}", LASTING.join(", "));
            return Some(Diagnostic::new("hold", format!("{action} has no duration")).accepted(accepted));
        }
        if self.every.is_some() && (["spawn", "remove", "friction"].contains(&action) || self.is_goal()) {
            return Some(Diagnostic::new("every", format!("{action} can happen only once")));
        }
        if self.every.is_none() && self.until.is_some() {
            return Some(Diagnostic::new("until", "the event happens only once").hint("every: its period [s]"));
        }
        if let Some(Patch { area: [x, y, to_x, to_y], .. }) = self.friction
            && (x >= to_x || y >= to_y)
        {
            return Some(Diagnostic::new("friction", "the first corner of the area is not before the second"));
        }
        if let Some(problem) = self.actor.as_ref().and_then(ActorWords::check) {
            return Some(problem);
        }
        if let Some(spawn) = &self.spawn {
            if spawn.name.is_empty() {
                return Some(Diagnostic::new("spawn", "missing key \"name\""));
            }
            if spawn.class.is_some() == spawn.file.is_some() {
                return Some(
                    Diagnostic::new("spawn", "needs exactly one of class and file").accepted("class, or file"),
                );
            }
        }
        self.check_peers().or_else(|| self.when.as_ref().and_then(WhenWords::check))
    }

    /// What it names that is no event of these names, or none of these that send goals.
    pub(crate) fn check_names(&self, names: &[&str], goals: &[&str]) -> Option<Diagnostic> {
        let when = |of: fn(&WhenWords) -> &Option<String>| self.when.as_ref().and_then(|when| of(when).as_ref());
        let named = [
            ("cancel", self.cancel.as_ref(), goals, "no event that sends a goal"),
            ("when: after", when(|when| &when.after), names, "no event"),
            ("when: of", when(|when| &when.of), goals, "no event that sends a goal"),
        ];
        named.into_iter().find_map(|(key, name, known, nobody)| {
            let name = name.filter(|name| !known.contains(&name.as_str()))?;
            Some(Diagnostic::new(key, format!("{nobody} is called \"{name}\"")).one_of(name, known))
        })
    }

    /// Its numbers, with what is accepted.
    fn numbers(&self) -> impl Iterator<Item = (&'static str, f64, std::ops::RangeInclusive<f64>)> {
        const MAX_COORDINATE: f64 = 1e6;
        let time = 0.0..=1e9;
        let any = -MAX_COORDINATE..=MAX_COORDINATE;
        let when = self.when.clone().unwrap_or_default();
        let placed = self.teleport.as_ref().map(|to| [to.at[0], to.at[1], to.yaw, to.speed]);
        let spawned = self.spawn.as_ref().map(|to| [to.at[0], to.at[1], to.yaw, to.speed]);
        let placed =
            placed.into_iter().chain(spawned).flat_map(|all| ["at", "at", "yaw", "speed"].into_iter().zip(all));
        let patch = self.friction.unwrap_or_default();
        let scalars = [
            ("at", self.at, time.clone()),
            ("every", self.every, MIN_PERIOD..=1e9),
            ("until", self.until, time.clone()),
            ("hold", self.hold, MIN_PERIOD..=1e9),
            ("within", when.within, 1e-6..=MAX_COORDINATE),
            ("delay", when.delay, time),
            ("mu", self.friction.map(|patch| patch.mu), 0.0..=100.0),
            ("share", self.packet_loss.as_ref().map(|loss| loss.share), 0.0..=1.0),
            ("latency", self.latency, 0.0..=60.0),
            ("x", self.odometry.map(|scale| scale.x), -10.0..=10.0),
            ("y", self.odometry.map(|scale| scale.y), -10.0..=10.0),
            ("yaw", self.odometry.map(|scale| scale.yaw), -10.0..=10.0),
            ("range_noise", self.range_noise, 0.0..=100.0),
        ];
        let scalars = scalars.into_iter().filter_map(|(name, number, accepted)| Some((name, number?, accepted)));
        let near = when.near.into_iter().flatten().map(|number| ("near", number));
        let area = patch.area.into_iter().map(|number| ("area", number));
        let destinations = self.actor.iter().flat_map(|actor| &actor.to).flatten().map(|number| ("to", *number));
        let many: Vec<_> = placed
            .chain(near)
            .chain(self.peer_places())
            .chain(area)
            .chain(destinations)
            .map(|(name, number)| (name, number, any.clone()))
            .collect();
        scalars.chain(many)
    }
}

impl WhenWords {
    fn check(&self) -> Option<Diagnostic> {
        if self.near.is_some() != self.within.is_some() {
            return Some(Diagnostic::new("when", "near and within need each other").accepted("both, or none"));
        }
        if self.actor.is_some() && self.near.is_none() {
            return Some(Diagnostic::new("when", "actor needs near"));
        }
        if self.delay.is_some() && self.after.is_none() {
            return Some(Diagnostic::new("when", "delay needs after"));
        }
        if self.goal.is_some() != self.of.is_some() {
            return Some(Diagnostic::new("when", "goal and of need each other").accepted("both, or none"));
        }
        let waits_for_nodes = self.goal.is_some() || self.active.is_some();
        let waits_for_vehicle = self.near.is_some() || self.contact.is_some() || self.overturned.is_some();
        let is_empty = !waits_for_vehicle && self.after.is_none() && !waits_for_nodes;
        let accepted = "near and within, after, contact, overturned, goal and of, active";
        is_empty.then(|| Diagnostic::new("when", "waits for nothing").accepted(accepted))
    }
}

impl Event {
    /// An event with its place.
    pub(crate) fn new(words: EventWords, place: String) -> Event {
        let body = words.vehicle.clone().unwrap_or_default();
        Event { words, place, body }
    }

    /// Whether it takes the place of what `other` does to the same vehicle, or actor.
    fn replaces(&self, other: &Event) -> bool {
        (self.body == other.body || self.words.actor.is_some()) && self.words.replaces(&other.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_trigger_and_one_action() {
        let refused = |text: &str| {
            let words: EventWords = serde_saphyr::from_str(text).unwrap();
            let names = &["a", "b", "b"];
            let problem = words.check(names, 10.0).or_else(|| words.check_names(names, &[]));
            problem.map(|problem| problem.first_line())
        };
        assert_eq!(refused("{at: 1, command: stop}"), None);
        assert_eq!(refused("{at: 1, hold: 2, sensor_off: scan}"), None);
        assert_eq!(refused("{at: 1, actor: {name: a, to: [[0, 1], [2, 3]], run: true}}"), None);
        assert_eq!(refused("{when: {after: a, delay: 1}, remove: x}"), None);
        assert_eq!(refused("{when: {near: [1, 2], within: 0.1, vehicle: q}, set: {KP: 1}}"), None);
        for (text, expected) in [
            ("{at: 1}", "an event without an action"),
            ("{at: 1, command: stop, remove: x}", "an event with several actions: command, remove"),
            ("{command: stop}", "command: needs exactly one of at and when"),
            ("{at: 11, command: stop}", "at: found 11, after the end of the run"),
            ("{at: 1, hold: 1, remove: x}", "hold: remove has no duration"),
            ("{at: 1, name: b, remove: x}", "name: \"b\" appears twice"),
            ("{at: 1, spawn: {name: x}}", "spawn: needs exactly one of class and file"),
            ("{at: 1, teleport: {at: [.inf, 0]}}", "teleport: at: found inf"),
            ("{when: {after: c}, remove: x}", "when: after: no event is called \"c\""),
            ("{when: {near: [0, 0]}, remove: x}", "when: near and within need each other"),
            ("{when: {actor: a, contact: true}, remove: x}", "when: actor needs near"),
            ("{at: 1, packet_loss: {share: 1.5}}", "packet_loss: share: found 1.5"),
            ("{at: 1, latency: -1}", "latency: latency: found -1"),
            ("{at: 1, hold: 1, sensor_on: scan}", "hold: sensor_on has no duration"),
            ("{at: 1, actor: {name: a}}", "actor: needs exactly one of stands and to"),
            ("{at: 1, actor: {name: a, stands: true, run: true}}", "actor: run needs to"),
            ("{at: 1, actor: {name: a, to: [[0, .nan]]}}", "actor: to: found NaN"),
            (
                "{at: 1, friction: {area: [0, 0, 0, 1], mu: 0.1}}",
                "friction: the first corner of the area is not before the second",
            ),
        ] {
            assert_eq!(refused(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_table_of_actions_has_the_keys_of_events() {
        let keys = skidpad_metrics::yaml::keys_of::<EventWords>();
        assert!(keys.ends_with(&ACTIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>()));
    }
}
