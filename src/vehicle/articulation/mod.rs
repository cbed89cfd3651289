//! The front frame of an articulated vehicle, and the hinge whose servo bends it; `step.rs` has both frames at the beginning of a step.
//!
//! Both frames are bodies of the physics, connected by a pin (`JointLaw::Pin` of `skidpad-sim`). The forces of
//! the ground act on the frame that carries the wheel, and the servo on both with opposite torques, so that it changes
//! no momentum of the whole. The servo is a spring and a damper towards the commanded angle, as a hydraulic cylinder
//! behind a valve is near its set-point: τ = d·(γ̇_w − γ̇), with the rate γ̇_w = (k/d)·(γ_c − γ) + γ̇_c that it wants,
//! limited to the largest rate, and τ to the largest torque. γ is the angle that the present rate leads to within the
//! step. Where k and d are too stiff for the step, both are reduced to what is stable (semi-implicit Euler, d·h + k·h²
//! ≤ J, J being a lower bound of the inertia that the hinge turns).

mod step;

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::Inertia;
use super::drive::FrontFrame;
use super::drive::REAR_WHEELS;
use super::rigid_body::total_inertia;
use super::wheel::Wheel;

/// Rate of the hinge [rad/s] below which it counts as at rest.
const AT_REST: f64 = 1e-3;

/// Angular frequency of the hinge's servo by default [rad/s]: chosen; a small step is done by nine tenths after 0.2 s.
const SERVO: f64 = 20.0;

/// The hinge between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Where it is [m], in the vehicle's frame.
    pub position: Vec2,
    /// Largest torque of its servo [N·m].
    pub max_torque: f64,
    /// Torque per angle that is missing [N·m/rad]; none: by the inertia of the frames.
    stiffness: Option<f64>,
    /// Torque per rate that is missing [N·m·s/rad]; none: by the inertia of the frames.
    damping: Option<f64>,
}

impl Hinge {
    /// The default servo at this place [m].
    pub(super) fn new(position: Vec2) -> Hinge {
        Hinge { position, max_torque: 5000.0, stiffness: None, damping: None }
    }

    /// Reads `<hinge>` between the middles of the axles [m].
    pub(super) fn read(tag: &Reader<'_>, rear: Vec2, front: Vec2) -> Hinge {
        let default = Hinge::new(0.5 * (rear + front));
        let x = tag.attribute_f64("x", default.position.x, Accept::any());
        if !(rear.x < x && x < front.x) {
            tag.error_at(
                "x",
                format!("the hinge at x = {x} is not between the axles at x = {} and {}", rear.x, front.x),
            )
            .accepted([format!("x greater than {} and less than {}", rear.x, front.x)]);
        }
        Hinge {
            position: Vec2::new(x, default.position.y),
            max_torque: tag.attribute_f64("max_torque", default.max_torque, Accept::positive()),
            stiffness: tag.optional_attribute_f64("stiffness", Accept::positive()),
            damping: tag.optional_attribute_f64("damping", Accept::positive()),
        }
    }
}

/// The motion of the front frame, as the physics has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontMotion {
    /// Its yaw less that of the rear frame [rad].
    pub angle: f64,
    /// Velocity of its reference point, which is that of the vehicle while it is straight, in its own frame [m/s, rad/s].
    pub velocity_in_front: Twist2,
}

/// The front frame of a vehicle and the servo of its hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct Articulation {
    /// The hinge.
    pub hinge: Hinge,
    /// Mass properties of the front frame with its wheels, in its own frame.
    pub inertia: Inertia,
    stiffness: f64,
    damping: f64,
    /// Lower bound of the inertia that the hinge turns [kg·m²].
    least_inertia: f64,
    /// Torque of the servo in the last step [N·m], positive to the left on the front frame.
    torque: f64,
    /// The angle that the servo was to take in the last step [rad].
    wanted: f64,
    /// Whether it turned, or was to turn, in the last step.
    is_turning: bool,
}

impl Articulation {
    /// The frame that carries all of `wheels` but the first two, in front of one with this yaw inertia [kg·m²].
    pub(super) fn new(front: &FrontFrame, wheels: &[Wheel], rear_yaw: f64) -> Articulation {
        let inertia = total_inertia(&front.chassis, &wheels[REAR_WHEELS..]);
        let least_inertia = rear_yaw * inertia.yaw / (rear_yaw + inertia.yaw);
        Articulation {
            hinge: front.hinge,
            inertia,
            stiffness: front.hinge.stiffness.unwrap_or(SERVO * SERVO * least_inertia),
            damping: front.hinge.damping.unwrap_or(2.0 * SERVO * least_inertia),
            least_inertia,
            torque: 0.0,
            wanted: 0.0,
            is_turning: false,
        }
    }

    /// Torque of the servo in the last step [N·m], positive to the left on the front frame.
    pub fn torque(&self) -> f64 {
        self.torque
    }

    /// Whether the hinge turned, or was to turn, in the last step.
    pub(super) fn is_turning(&self) -> bool {
        self.is_turning
    }

    /// Forgets what the servo did, after the vehicle was placed elsewhere, bent by `angle` [rad].
    pub(super) fn halt(&mut self, angle: f64) {
        (self.torque, self.wanted) = (0.0, angle);
    }

    /// Sets the torque of the servo for a step of `dt` [s] towards the angle `wanted` [rad]; `angle` [rad] and `rate`
    /// [rad/s] are those of the hinge.
    pub(super) fn turn(&mut self, wanted: f64, [angle, rate]: [f64; 2], max_rate: f64, dt: f64) {
        self.is_turning = wanted != self.wanted || rate.abs() > AT_REST;
        let change = wanted - std::mem::replace(&mut self.wanted, wanted);
        // Without a largest rate commands are steps, whose rate would be a blow.
        let own_rate = if max_rate.is_finite() { change / dt } else { 0.0 };
        let (stiffness, damping) = (self.stiffness, self.damping);
        let soft = (self.least_inertia / (damping * dt + stiffness * dt * dt)).min(1.0);
        let wanted_rate = (stiffness / damping) * (wanted - angle - dt * rate) + own_rate;
        let missing = wanted_rate.clamp(-max_rate, max_rate) - rate;
        self.torque = (soft * damping * missing).clamp(-self.hinge.max_torque, self.hinge.max_torque);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chassis::Chassis;
    use crate::wheel::WheelParameters;

    fn articulation(max_torque: f64) -> Articulation {
        let wheels: Vec<Wheel> = [(0.0, 0.5), (0.0, -0.5), (1.5, 0.5), (1.5, -0.5)]
            .map(|(x, y)| Wheel::new(WheelParameters::new("w", Vec2::new(x, y))))
            .into();
        let outline = [(1.0, -0.5), (2.0, -0.5), (2.0, 0.5), (1.0, 0.5)].map(|(x, y)| Vec2::new(x, y)).to_vec();
        let chassis = Chassis::uniform(outline, 100.0, [0.0, 1.0], [0; 4]);
        let hinge =
            Hinge { max_torque, stiffness: Some(1000.0), damping: Some(100.0), ..Hinge::new(Vec2::new(0.75, 0.0)) };
        Articulation::new(&FrontFrame { chassis, hinge }, &wheels, 20.0)
    }

    #[test]
    fn the_servo_is_a_spring_and_a_damper_within_its_limits() {
        let mut hinge = articulation(150.0);
        let mut torque = |wanted: f64, state: [f64; 2], max_rate: f64| {
            hinge.halt(wanted);
            hinge.turn(wanted, state, max_rate, 1e-3);
            hinge.torque()
        };
        // After 1 ms at 0.2 rad/s the angle is 0.0402 rad.
        assert!((torque(0.1, [0.04, 0.2], f64::INFINITY) - (1000.0 * 0.0598 - 100.0 * 0.2)).abs() < 1e-9);
        assert_eq!(torque(0.5, [0.0, 0.0], f64::INFINITY), 150.0);
        // It wants 5 rad/s and may have 1 rad/s.
        assert!((torque(0.5, [0.0, 0.3], 1.0) - 100.0 * 0.7).abs() < 1e-9);
    }

    /// Free frames whose hinge turns with h·τ/J reach the angle in steps that are too long for the gains.
    #[test]
    fn a_servo_that_is_too_stiff_for_the_step_is_softened_until_it_is_stable() {
        let mut hinge = articulation(f64::INFINITY);
        let dt = 0.5;
        let (mut angle, mut rate) = (0.0, 0.0);
        for _ in 0..60 {
            hinge.turn(0.3, [angle, rate], f64::INFINITY, dt);
            rate += dt / hinge.least_inertia * hinge.torque();
            angle += dt * rate;
        }
        assert!((angle - 0.3).abs() < 1e-6 && rate.abs() < 1e-6, "{angle} {rate}");
    }
}
