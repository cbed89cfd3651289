//! The motion of vehicles between two steps, for what is sampled more often than the world steps.
//!
//! A step has constant acceleration, so velocities change evenly over it: those of the body in its own frame, and of
//! wheels about their axles. Poses in the plane lie on the arc of constant twist between both ends, on which a vehicle
//! on a circle drives; height, pitch, roll and angles of wheels change evenly. At the ends these are the states of the
//! steps themselves.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, advance, arc_between, wrap_angle};

use crate::sensor::WheelSpin;
use crate::vehicle::suspension::Lean;
use crate::world::{VehicleFrame, World};

/// A larger change of a wheel's angle in a step [rad] comes of whole turns that were left out.
const LARGE_JUMP: f64 = 5e3;

/// The motion of a vehicle at the beginning of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::world) struct StepStart {
    pub world_from_body: Pose3,
    pub velocity_in_body: Twist2,
    pub lean: Option<Lean>,
    /// Of each wheel.
    pub spins: Vec<WheelSpin>,
}

/// The pose between two at a share of the way.
pub fn pose_between(start: Pose3, end: Pose3, share: f64) -> Pose3 {
    let even = |a: f64, b: f64| a + share * (b - a);
    let turned = |a: f64, b: f64| a + share * wrap_angle(b - a);
    if start == end {
        return end;
    }
    let planar = arc_between(start.planar(), end.planar(), share);
    Pose3 {
        x: planar.x,
        y: planar.y,
        z: even(start.z, end.z),
        yaw: planar.yaw,
        pitch: turned(start.pitch, end.pitch),
        roll: turned(start.roll, end.roll),
    }
}

/// The velocity between two.
pub(in crate::world) fn twist_between(start: Twist2, end: Twist2, share: f64) -> Twist2 {
    let even = |a: f64, b: f64| a + share * (b - a);
    Twist2::new(even(start.vx, end.vx), even(start.vy, end.vy), even(start.wz, end.wz))
}

/// How springs carry a body between two states.
pub(in crate::world) fn lean_between(start: Option<Lean>, end: Option<Lean>, share: f64) -> Option<Lean> {
    let (Some(start), Some(end)) = (start, end) else { return end };
    let even = |of: fn(&Lean) -> f64| of(&start) + share * (of(&end) - of(&start));
    Some(Lean {
        z: even(|lean| lean.z),
        pitch: even(|lean| lean.pitch),
        roll: even(|lean| lean.roll),
        climb: even(|lean| lean.climb),
        pitch_rate: even(|lean| lean.pitch_rate),
        roll_rate: even(|lean| lean.roll_rate),
    })
}

/// How a wheel turns between two states that are `elapsed` [s] apart.
pub(in crate::world) fn spin_between(start: WheelSpin, end: WheelSpin, share: f64, elapsed: f64) -> WheelSpin {
    let has_jumped = (end.angle - start.angle).abs() > LARGE_JUMP;
    let first = if has_jumped { end.angle - 0.5 * (start.rate + end.rate) * elapsed } else { start.angle };
    WheelSpin { angle: first + share * (end.angle - first), rate: start.rate + share * (end.rate - start.rate) }
}

impl World {
    /// Notes the motion of vehicles with sensors that sample between steps, as it is before the step but after its commands.
    pub(in crate::world) fn note_step_start(&mut self) {
        for (record, frame) in self.vehicles.iter_mut().zip(&self.frame.vehicles) {
            if !record.sensors.iter().any(|mounted| mounted.interpolates) {
                continue;
            }
            let state = self.physics.state(record.body);
            let world_from_body = record.leaning(record.attitude.with(state.world_from_body));
            let start = &mut record.step_start;
            start.world_from_body = world_from_body;
            start.velocity_in_body = state.velocity_in_body;
            start.lean = frame.lean;
            start.spins.clear();
            start
                .spins
                .extend(frame.wheels.iter().map(|wheel| WheelSpin { angle: wheel.spin_angle, rate: wheel.spin }));
        }
    }
}

impl VehicleFrame {
    /// Moves this state, after a `step` [ns], back to the share of the way from that before the step. Pose, velocity,
    /// odometry and wheels are those of then, the rest stays. Without a state before, or where the vehicle was set down
    /// in between, it has come with its present velocity.
    pub fn move_back(&mut self, before: Option<&VehicleFrame>, share: f64, step: SimTime) {
        let elapsed = step.secs();
        let drove_on = |before: &&VehicleFrame| self.since_set_down == before.since_set_down + step;
        let Some(before) = before.filter(drove_on) else { return self.drive_back((1.0 - share) * elapsed) };
        self.world_from_body = pose_between(before.world_from_body, self.world_from_body, share);
        self.velocity_in_body = twist_between(before.velocity_in_body, self.velocity_in_body, share);
        self.lean = lean_between(before.lean, self.lean, share);
        self.odom_from_body = arc_between(before.odom_from_body, self.odom_from_body, share);
        self.odom_velocity_in_body = twist_between(before.odom_velocity_in_body, self.odom_velocity_in_body, share);
        for (wheel, before) in self.wheels.iter_mut().zip(&before.wheels) {
            let [start, end] = [before, &*wheel].map(|wheel| WheelSpin { angle: wheel.spin_angle, rate: wheel.spin });
            let spin = spin_between(start, end, share, elapsed);
            (wheel.spin_angle, wheel.spin) = (spin.angle, spin.rate);
            wheel.steer = before.steer + share * wrap_angle(wheel.steer - before.steer);
        }
    }

    /// Moves pose, odometry and wheels back by `elapsed` [s] at their present velocities.
    fn drive_back(&mut self, elapsed: f64) {
        let planar = advance(self.world_from_body.planar(), self.velocity_in_body, -elapsed);
        (self.world_from_body.x, self.world_from_body.y, self.world_from_body.yaw) = (planar.x, planar.y, planar.yaw);
        self.odom_from_body = advance(self.odom_from_body, self.odom_velocity_in_body, -elapsed);
        self.wheels.iter_mut().for_each(|wheel| wheel.spin_angle -= wheel.spin * elapsed);
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;

    #[test]
    fn a_circle_is_followed_exactly() {
        let twist = Twist2::new(8.0, 0.1, 2.5);
        let start = Pose2::new(1.0, -2.0, 3.1);
        let end = advance(start, twist, 0.02);
        for share in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let exact = advance(start, twist, 0.02 * share);
            let actual = arc_between(start, end, share);
            assert!((actual.position() - exact.position()).norm() < 1e-14, "{actual:?} {exact:?}");
            assert!(wrap_angle(actual.yaw - exact.yaw).abs() < 1e-14);
        }
        let straight = arc_between(start, advance(start, Twist2::new(8.0, 0.0, 0.0), 0.02), 0.25);
        let exact = advance(start, Twist2::new(8.0, 0.0, 0.0), 0.005);
        assert!((straight.position() - exact.position()).norm() < 1e-15);
    }

    #[test]
    fn wheels_whose_turns_were_left_out_turn_on() {
        let [start, end] =
            [9_999.9, 9_999.9 + 0.2 - 1591.0 * std::f64::consts::TAU].map(|angle| WheelSpin { angle, rate: 20.0 });
        let middle = spin_between(start, end, 0.5, 0.01);
        assert!((middle.angle - (end.angle - 0.1)).abs() < 1e-9 && middle.rate == 20.0, "{middle:?}");
    }
}
