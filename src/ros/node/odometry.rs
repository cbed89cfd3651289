//! The state of the vehicle in a node: the last odometry, extrapolated to the present, unless it is missing or too old.

use std::time::{Duration, Instant};

use r2r::nav_msgs::msg::Odometry as OdometryMessage;
use skidpad_math::advance;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{self, Message};
use skidpad_ros_data::preset::racecar;
use skidpad_sim::tracking::VehicleState;

use super::{Input, Setup};
use crate::error::RosError;
use crate::graph::quality::INPUT_QOS;
use crate::parameters::table::{Declaration, number, switch};
use crate::throttle::Throttle;
use crate::typed_messages::{planar_pose, planar_twist, time};

/// How long odometry may be missing before the first warning.
const FIRST_WARNING: Duration = Duration::from_secs(3);
/// Period of further warnings.
const WARNING_PERIOD: Duration = Duration::from_secs(10);

/// How old odometry may be, for the tables of nodes.
pub const TIMEOUT: Declaration =
    number("odom_timeout", 0.5, [0.001, 3600.0], "odometry older than this [s] is not used, and the vehicle stops")
        .at_start();
/// Whether odometry is extrapolated, for the tables of nodes.
pub(crate) const PREDICT: Declaration = switch(
    "predict",
    true,
    "extrapolate the odometry to the present by its twist; false: use the last pose, as the study does",
)
.at_start();

/// Receives the odometry of the vehicle.
pub struct Odometry {
    topic: String,
    input: Input<OdometryMessage>,
    timeout: SimTime,
    predicts: bool,
    last: Option<Sample>,
    /// The node's time when the state was last asked for.
    last_query: SimTime,
    heard: Instant,
    is_fresh: bool,
    missing: Throttle,
    refused: Throttle,
}

#[derive(Clone, Copy)]
struct Sample {
    stamp: SimTime,
    state: VehicleState,
}

impl Odometry {
    /// Subscribes, with the node's parameters [`TIMEOUT`] and `PREDICT`.
    pub fn new(setup: &mut Setup<'_>) -> Result<Odometry, RosError> {
        Ok(Odometry {
            topic: setup.full_name(racecar::ODOMETRY),
            input: setup.subscribe(racecar::ODOMETRY, message::Odometry::TYPE, INPUT_QOS)?,
            timeout: SimTime::from_secs(setup.parameters.number(TIMEOUT.name)),
            predicts: setup.parameters.flag(PREDICT.name),
            last: None,
            last_query: SimTime::ZERO,
            heard: Instant::now(),
            is_fresh: false,
            missing: Throttle::new(WARNING_PERIOD),
            refused: Throttle::new(WARNING_PERIOD),
        })
    }

    /// Reads the messages that have arrived. True if the last one is valid.
    pub fn receive(&mut self) -> bool {
        let Some(message) = self.input.newest() else { return false };
        let state = VehicleState {
            world_from_body: planar_pose(&message.pose.pose),
            velocity_in_body: planar_twist(&message.twist.twist),
        };
        if !state.world_from_body.is_finite() || !state.velocity_in_body.is_finite() {
            if self.refused.is_due(Instant::now()) {
                tracing::warn!("topic \"{}\": odometry refused, not finite", self.topic);
            }
            return false;
        }
        self.heard = Instant::now();
        self.last = Some(Sample { stamp: time(&message.header.stamp), state });
        true
    }

    /// The state of the vehicle at `now`; none, with a warning, if odometry is missing or too old.
    pub fn state(&mut self, now: SimTime) -> Option<VehicleState> {
        let went_back = now < std::mem::replace(&mut self.last_query, now);
        if went_back && self.last.is_some_and(|last| last.stamp > now) {
            // It is of the run before, and the wait begins anew.
            (self.last, self.heard, self.is_fresh) = (None, Instant::now(), false);
        }
        let Some(last) = self.last else {
            self.warn(|| {
                "no message received\n  hint: start its publisher, or remap it: -r /vesc/odom:=/odom".to_owned()
            });
            return None;
        };
        let age = now - last.stamp;
        if SimTime(age.0.abs()) > self.timeout {
            let (silence, timeout) = (self.heard.elapsed(), self.timeout);
            self.warn(|| staleness(age, silence, timeout));
            return None;
        }
        if !std::mem::replace(&mut self.is_fresh, true) {
            tracing::info!("topic \"{}\": hearing odometry", self.topic);
        }
        Some(if self.predicts { extrapolated(last.state, age) } else { last.state })
    }

    /// Warns that there is no state: at once if there was one before, otherwise periodically.
    fn warn(&mut self, why: impl FnOnce() -> String) {
        let lost = std::mem::replace(&mut self.is_fresh, false);
        let late = self.heard.elapsed() > FIRST_WARNING && self.missing.is_due(Instant::now());
        if lost || late {
            tracing::warn!("topic \"{}\": {}", self.topic, why());
        }
    }
}

/// The state after `time` of motion with the same velocities.
fn extrapolated(state: VehicleState, time: SimTime) -> VehicleState {
    let world_from_body = advance(state.world_from_body, state.velocity_in_body, time.secs());
    VehicleState { world_from_body, ..state }
}

/// Why odometry of this age is too old: because no more arrives, or because its stamps are those of another clock, so that it was too old
/// when it arrived.
fn staleness(age: SimTime, silence: Duration, timeout: SimTime) -> String {
    let silence = silence.as_secs_f64();
    let was_fresh = (age.secs() - silence).abs() <= timeout.secs();
    if was_fresh || silence > timeout.secs() {
        return format!("no message for {silence:.1} s\n  accepted: at most {timeout}");
    }
    let (seconds, side) = (age.secs().abs(), if age.0 > 0 { "before" } else { "after" });
    format!(
        "stamped {seconds:.1} s {side} this node's time\n  accepted: at most {timeout}\n  hint: with a simulator, set the parameter \
         use_sim_time to true, otherwise to false"
    )
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Twist2};

    use super::*;

    #[test]
    fn odometry_is_extrapolated_along_its_arc() {
        let state = VehicleState {
            world_from_body: Pose2::new(1.0, 2.0, 0.0),
            velocity_in_body: Twist2::new(std::f64::consts::PI, 0.0, std::f64::consts::PI),
        };
        // Half a turn with radius 1 m.
        let actual = extrapolated(state, SimTime::from_secs(1.0)).world_from_body;
        assert!((actual.x - 1.0).abs() < 1e-9 && (actual.y - 4.0).abs() < 1e-9, "{actual:?}");
        assert_eq!(extrapolated(state, SimTime::ZERO), state);
    }

    #[test]
    fn missing_odometry_and_foreign_clocks_are_distinguished() {
        let (second, timeout) = (SimTime::from_secs(1.0), SimTime::from_secs(0.5));
        assert_eq!(
            staleness(second, Duration::from_secs(1), timeout),
            "no message for 1.0 s\n  accepted: at most 0.500 s"
        );
        // The stamp is older than the silence by the time that the message travelled.
        let travelled = staleness(SimTime::from_secs(0.51), Duration::from_millis(490), timeout);
        assert_eq!(travelled, "no message for 0.5 s\n  accepted: at most 0.500 s");
        let foreign = staleness(SimTime::from_secs(-1e9), Duration::ZERO, timeout);
        assert!(foreign.starts_with("stamped 1000000000.0 s after this node's time\n  accepted: at most 0.500 s\n"));
        assert!(foreign.contains("use_sim_time"), "{foreign}");
    }
}
