//! Trackers that the field compares with: they steer without a point P and without a linearizer.
//!
//! ```text
//!  trajectory ─▶ Law: pure pursuit, Stanley, LQR, MPC ─▶ Guard: limits, standstill ─▶ speed, steering angle
//!                 ▲ pose, velocity
//! ```
//! A law is a file with its equations, and a line in [`TRACKERS`]; the study's tracker is the first line. All lead the middle of the
//! rear axle to the reference at the present time, because that is what the error of an experiment is measured against. Pure pursuit,
//! Stanley and LQR are laws of steering along a path; a common law of the speed (`place`) brings them to where the reference is.
//!
//! None of them reverses: a car that has passed the reference waits, and one that faces away from it turns round driving forward.
//! Where the motion is over, where the tracker is inactive, and with numbers that are not finite the car is commanded to stand with
//! its steering held.

mod bicycle;
mod lqr;
mod matrix;
#[cfg(feature = "mpc")]
mod mpc;
mod place;
mod pure_pursuit;
#[cfg(feature = "mpc")]
mod quadratic;
mod stanley;
#[cfg(test)]
mod tests;

use std::fmt::{self, Debug};

use serde::de::{DeserializeSeed, EnumAccess, Error, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use skidpad_files::diagnostic::Diagnostic;

use super::guard::Guard;
use super::{LinearizerParameters, Steer, TrackerParameters, VehicleState};
use crate::trajectory::{Sample, Trajectory};

/// The model of the vehicle in a tracker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BicycleModel {
    /// A bicycle that rolls without side slip, of wheelbase `L`.
    #[default]
    Kinematic,
    /// The single track on linear tyres: `C_f`, `C_r`, `a`, `b`, `M`, `I_z`.
    Dynamic,
}

impl BicycleModel {
    /// Its name in experiments.
    pub fn as_str(self) -> &'static str {
        match self {
            BicycleModel::Kinematic => "kinematic",
            BicycleModel::Dynamic => "dynamic",
        }
    }
}

/// A kind of tracker.
pub struct TrackerEntry {
    /// Name in experiments.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The keys of [`TrackerParameters`] that it reads, besides `tracker` and `active`.
    keys: &'static [&'static str],
    /// The keys of [`LinearizerParameters`] that it reads, whatever its model.
    vehicle_keys: &'static [&'static str],
    /// Builds its law; none for the study's, which is a [`PointTracker`](super::PointTracker) with a linearizer.
    build: Option<Build>,
}

/// Builds a law, or returns a message about its parameters, which are in their ranges.
type Build = fn(&TrackerParameters, &LinearizerParameters) -> Result<Box<dyn Law>, Diagnostic>;

/// Keys that only the dynamic model reads, and what only the kinematic one does.
const OF_DYNAMIC: [&str; 7] = ["C_f", "C_r", "a", "b", "M", "I_z", "blend_speeds"];
const OF_KINEMATIC: &str = "L";
/// The limits, which all laws keep.
const LIMITS: &[&str] = &["max_steering_angle", "max_speed"];

const POINT: TrackerEntry = TrackerEntry {
    name: "point",
    help: "the study's: point P by PID and feed-forward, steered by a linearizer; Kp, Ki, Kd, FFWD, PL_distance",
    keys: &["Kp", "Ki", "Kd", "FFWD", "PL_distance", "reference_heading", "anti_windup", "integral_limit"],
    vehicle_keys: &[],
    build: None,
};

/// Every kind of tracker.
pub const TRACKERS: &[TrackerEntry] = &[
    POINT,
    pure_pursuit::ENTRY,
    stanley::ENTRY,
    lqr::ENTRY,
    #[cfg(feature = "mpc")]
    mpc::ENTRY,
];

const NAMES: [&str; TRACKERS.len()] = {
    let mut names = [""; TRACKERS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = TRACKERS[index].name;
        index += 1;
    }
    names
};

impl TrackerEntry {
    /// Whether it reads this key of [`TrackerParameters`] or [`LinearizerParameters`].
    pub fn reads(&self, key: &str, model: BicycleModel) -> bool {
        if ["tracker", "active"].contains(&key) || self.keys.contains(&key) {
            return key != "I_z" || model == BicycleModel::Dynamic;
        }
        if self.build.is_none() {
            // Each linearizer has keys of its own.
            return !TRACKERS.iter().any(|entry| entry.keys.contains(&key));
        }
        let of_model = match model {
            BicycleModel::Kinematic => key == OF_KINEMATIC,
            BicycleModel::Dynamic => self.keys.contains(&"model") && OF_DYNAMIC.contains(&key),
        };
        of_model || self.vehicle_keys.contains(&key)
    }

    /// Whether it steers by a linearizer.
    pub fn has_linearizer(&self) -> bool {
        self.build.is_none()
    }
}

/// The name of an entry of [`TRACKERS`], by default the study's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackerName(&'static str);

impl TrackerName {
    /// The tracker of this name; none if there is no such.
    pub fn named(name: &str) -> Option<TrackerName> {
        NAMES.into_iter().find(|known| *known == name).map(TrackerName)
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// What it stands for.
    pub fn entry(self) -> &'static TrackerEntry {
        TRACKERS.iter().find(|entry| entry.name == self.0).unwrap_or(&TRACKERS[0])
    }
}

impl Default for TrackerName {
    fn default() -> TrackerName {
        TrackerName(POINT.name)
    }
}

impl Serialize for TrackerName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// Read like a variant of an enum, so that messages have the place of a wrong name.
impl<'de> Deserialize<'de> for TrackerName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TrackerName, D::Error> {
        deserializer.deserialize_enum("tracker", &NAMES, Reader)
    }
}

/// Reads a name.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = TrackerName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a tracker")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<TrackerName, A::Error> {
        let (name, variant) = access.variant_seed(Reader)?;
        variant.unit_variant().map(|()| name)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<TrackerName, E> {
        TrackerName::named(name).ok_or_else(|| E::unknown_variant(name, &NAMES))
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = TrackerName;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<TrackerName, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

/// An instant at which a tracker acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    /// The motion of the reference.
    pub trajectory: &'a dyn Trajectory,
    /// Time since its start [s].
    pub time: f64,
    /// The reference then.
    pub reference: Sample,
    /// Time since the last instant [s], ≥ 0; 0 at the first one.
    pub dt: f64,
    /// Time to the next one [s], > 0.
    pub period: f64,
}

/// Checks the vehicle in `linearizer` as the tracker that the parameters name reads it, with its model.
///
/// # Errors
/// A parameter is out of its range; the text gives the accepted values.
pub fn check_vehicle(tracker: &TrackerParameters, linearizer: &LinearizerParameters) -> Result<(), Diagnostic> {
    if tracker.tracker.entry().has_linearizer() {
        return Ok(());
    }
    bicycle::Car::new(tracker, linearizer).map(drop)
}

/// What a law wants, before limits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wanted {
    /// Speed of the rear axle [m/s]; less than 0 counts as 0.
    speed: f64,
    /// Steering angle [rad], positive to the left.
    steering_angle: f64,
    /// Whether it has found no plan of its own, and goes on with an earlier one.
    plan_is_held: bool,
}

impl Wanted {
    /// Stand with the wheels at this angle [rad].
    fn stand(steering_angle: f64) -> Wanted {
        Wanted { speed: 0.0, steering_angle, plan_is_held: false }
    }
}

/// A law of steering and speed.
trait Law: Debug + Send {
    /// The speed and the steering angle at this instant; `last` is what was commanded before, within its limits. It may be anything, even
    /// NaN, for states that are absurd.
    fn command(&mut self, moment: &Moment<'_>, state: &VehicleState, last: Last) -> Wanted;

    /// Forgets what it knows from earlier calls.
    fn reset(&mut self);
}

/// The last command.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// Whether there was one.
    is_known: bool,
    #[cfg_attr(not(feature = "mpc"), expect(dead_code, reason = "plans begin with it"))]
    speed: f64,
    steering_angle: f64,
}

/// A law within its limits.
#[derive(Debug)]
pub(super) struct Baseline {
    parameters: TrackerParameters,
    vehicle: LinearizerParameters,
    guard: Guard,
    law: Box<dyn Law>,
    last: Last,
}

/// This near a limit [rad, m/s] a command is at it: the tolerance of the solver.
const AT_LIMIT: f64 = 1e-5;

const NO_LAST: Last = Last { is_known: false, speed: 0.0, steering_angle: 0.0 };

impl Baseline {
    /// The law that the parameters name; none if that is the study's.
    ///
    /// # Errors
    /// A parameter is out of its range; the text gives the accepted values.
    pub(super) fn new(
        parameters: &TrackerParameters,
        vehicle: &LinearizerParameters,
    ) -> Result<Option<Baseline>, Diagnostic> {
        parameters.check()?;
        let Some(build) = parameters.tracker.entry().build else { return Ok(None) };
        vehicle.check_limits()?;
        let wheelbase = bicycle::Car::new(parameters, vehicle)?.wheelbase();
        Ok(Some(Baseline {
            parameters: *parameters,
            vehicle: vehicle.clone(),
            guard: Guard::new(vehicle, wheelbase),
            law: build(parameters, vehicle)?,
            last: NO_LAST,
        }))
    }

    pub(super) fn parameters(&self) -> &TrackerParameters {
        &self.parameters
    }

    /// Sets what it reads from the next step on; the law begins anew with it. The tracker is the same.
    ///
    /// # Errors
    /// As [`new`](Baseline::new); the old parameters remain in that case.
    pub(super) fn set_parameters(&mut self, parameters: TrackerParameters) -> Result<(), Diagnostic> {
        let same = |parameters| TrackerParameters { active: true, ..parameters };
        if same(parameters) == same(self.parameters) {
            if parameters.active && !self.parameters.active {
                self.reset();
            }
            self.parameters = parameters;
            return Ok(());
        }
        if let Some(new) = Baseline::new(&parameters, &self.vehicle)? {
            *self = new;
        }
        Ok(())
    }

    pub(super) fn reset(&mut self) {
        self.law.reset();
        self.guard.reset();
        self.last = NO_LAST;
    }

    /// The command at an instant; to stand unless it `drives`.
    pub(super) fn step(&mut self, moment: &Moment<'_>, state: &VehicleState, drives: bool) -> Steer {
        let is_finite = state.world_from_body.is_finite() && state.velocity_in_body.is_finite();
        let wanted = (drives && is_finite).then(|| self.law.command(moment, state, self.last));
        let finite = wanted.filter(|wanted| wanted.speed.is_finite() && !wanted.steering_angle.is_nan());
        let stand = Wanted::stand(self.last.steering_angle);
        let Wanted { speed, steering_angle, plan_is_held } = finite.unwrap_or(stand);
        let mut steer = Steer { plan_is_held, ..self.guard.limit(speed.max(0.0), steering_angle) };
        if finite.is_some() {
            // A plan that a limit has bent ends at it, not beyond.
            let at = |value: f64, limit: f64| value.abs() >= limit - AT_LIMIT;
            steer.steering_is_cut |= at(steer.steering_angle, self.vehicle.max_steering_angle);
            steer.speed_is_cut |= at(steer.speed, self.vehicle.max_speed);
        }
        self.last = Last { is_known: finite.is_some(), speed: steer.speed, steering_angle: steer.steering_angle };
        steer
    }
}
