//! An articulated vehicle: a second body in front of its own, a hinge whose servo bends it, and one step of both.
//!
//! Both frames are bodies of the physics, connected by a pin ([`JointLaw::Pin`](crate::world::JointLaw)). The forces of the ground act on the
//! frame that carries the wheel, and the servo on both with opposite torques, so that it changes no momentum of the whole. The servo is a
//! spring and a damper towards the commanded angle, as a hydraulic cylinder behind a valve is near its set-point:
//! τ = d·(γ̇_w − γ̇), with the rate γ̇_w = (k/d)·(γ_c − γ) + γ̇_c that it wants, limited to the largest rate, and τ to the largest torque.
//! γ is the angle that the present rate leads to within the step. Where k and d are too stiff for the step, both are reduced to what is stable
//! (semi-implicit Euler, d·h + k·h² ≤ J, J being a lower bound of the inertia that the hinge turns).
//!
//! Everything is computed in the frame of the rear body: a motion or a wrench of the front body is that of a body whose reference point is the
//! vehicle's.

use std::ops::Range;

use super::brake::Brakes;
use super::controller::ControlInput;
use super::drive::FrontFrame;
use super::drive::articulated::FRONT_LEFT;
use super::rigid_body::total_inertia;
use super::step::{HeldBody, LEVEL, roll_on};
use super::vehicle::{Effect, Situation, SlopeRule, Vehicle};
use super::wheel::Wheel;
use super::{Inertia, VehicleOutput, WheelFrame, Wrench};
use crate::math::{Rot2, Twist2, Vec2};
use crate::xml::{Accept, Reader};

/// Angular frequency of the hinge's servo by default [rad/s]: chosen; a small step is done by nine tenths after 0.2 s.
const SERVO: f64 = 20.0;

/// Rate of the hinge [rad/s] below which it counts as at rest.
const AT_REST: f64 = 1e-3;

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
    /// Holding brakes of the front frame.
    brakes: Brakes,
}

impl Articulation {
    /// The frame that carries all of `wheels` but the first two, in front of one with this yaw inertia [kg·m²].
    pub(super) fn new(front: &FrontFrame, wheels: &[Wheel], rear_yaw: f64) -> Articulation {
        let inertia = total_inertia(&front.chassis, &wheels[FRONT_LEFT..]);
        let least_inertia = rear_yaw * inertia.yaw / (rear_yaw + inertia.yaw);
        Articulation {
            hinge: front.hinge,
            inertia,
            stiffness: front.hinge.stiffness.unwrap_or(SERVO * SERVO * least_inertia),
            damping: front.hinge.damping.unwrap_or(2.0 * SERVO * least_inertia),
            least_inertia,
            torque: 0.0,
            wanted: 0.0,
            brakes: Brakes::new(&wheels[FRONT_LEFT..], inertia),
        }
    }

    /// Torque of the servo in the last step [N·m], positive to the left on the front frame.
    pub fn torque(&self) -> f64 {
        self.torque
    }

    /// Forgets what the servo and the brakes did, after the vehicle was placed elsewhere, bent by `angle` [rad].
    pub(super) fn halt(&mut self, angle: f64) {
        (self.torque, self.wanted) = (0.0, angle);
        self.brakes.forget();
    }

    /// Sets the torque of the servo for a step of `dt` [s] towards the angle `wanted` [rad]; `angle` [rad] and `rate` [rad/s] are those of the
    /// hinge.
    fn turn(&mut self, wanted: f64, [angle, rate]: [f64; 2], max_rate: f64, dt: f64) {
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

/// A bent vehicle: how the frame of the front body lies in that of the rear body.
#[derive(Clone, Copy, Debug)]
struct Bend {
    hinge: Vec2,
    rear_from_front: Rot2,
}

impl Bend {
    /// A motion of the front body, of its own reference point in its own frame, as one of the rear's in the rear's frame.
    fn velocity_in_rear(&self, velocity_in_front: Twist2) -> Twist2 {
        let reference_in_front = self.hinge - self.rear_from_front.inverse() * self.hinge;
        let linear = self.rear_from_front * velocity_in_front.at_point(reference_in_front);
        Twist2::new(linear.x, linear.y, velocity_in_front.wz)
    }

    /// A wrench about the rear's reference point in the rear's frame as one about the front's in the front's frame.
    fn wrench_in_front(&self, in_rear: Wrench) -> Wrench {
        let reference_in_rear = self.hinge - self.rear_from_front * self.hinge;
        Wrench {
            force_in_body: self.rear_from_front.inverse() * in_rear.force_in_body,
            torque: in_rear.torque - reference_in_rear.cross(in_rear.force_in_body),
        }
    }

    /// Mass properties of the front body, in the rear's frame.
    fn inertia_in_rear(&self, inertia: Inertia) -> Inertia {
        let center_of_mass = self.hinge + self.rear_from_front * (inertia.center_of_mass - self.hinge);
        Inertia { center_of_mass, ..inertia }
    }
}

/// The frame that carries a wheel: 0 the rear one, 1 the front one.
fn frame_of(wheel: usize) -> usize {
    usize::from(wheel >= FRONT_LEFT)
}

/// The wheels of a frame, of a vehicle with `count` wheels.
fn wheels_of(frame: usize, count: usize) -> Range<usize> {
    if frame == 0 { 0..FRONT_LEFT } else { FRONT_LEFT..count }
}

impl Vehicle {
    /// The front frame, if the vehicle has two.
    pub fn articulation(&self) -> Option<&Articulation> {
        self.articulation.as_deref()
    }

    /// Bends the vehicle by `angle` [rad] at once: places its front wheels.
    pub(super) fn bend(&mut self, angle: f64) {
        self.drive.steer(angle, &mut self.wheels);
    }

    /// One step of an articulated vehicle, whose front frame moves as `front`; like [`Vehicle::step`].
    pub fn step_articulated(
        &mut self,
        situation: &Situation<'_>,
        front: FrontMotion,
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        let Some(mut articulation) = self.articulation.take() else { return self.step(situation, output) };
        let effect = self.step_frames(&mut articulation, situation, front, output);
        self.articulation = Some(articulation);
        effect
    }

    fn step_frames(
        &mut self,
        articulation: &mut Articulation,
        situation: &Situation<'_>,
        front: FrontMotion,
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        let &Situation { down_in_body: down, dt, .. } = situation;
        let bend = Bend { hinge: articulation.hinge.position, rear_from_front: Rot2::new(front.angle) };
        let velocities = [situation.velocity_in_body, bend.velocity_in_rear(front.velocity_in_front)];
        let inertias = [self.inertia, bend.inertia_in_rear(articulation.inertia)];
        self.advance_setpoints(dt);
        self.bend(front.angle);
        let wanted = self.steering_actuator.follow(self.controller.steering_angle(), dt);
        let rate = velocities[1].wz - velocities[0].wz;
        let is_turning = wanted != articulation.wanted || rate.abs() > AT_REST;
        articulation.turn(wanted, [front.angle, rate], self.steering_actuator.max_rate(), dt);

        let is_level = down == LEVEL;
        let along_ground = if is_level { Vec2::ZERO } else { self.gravity * Vec2::new(down.x, down.y) };
        let gravity_in_body = (inertias[0].mass + inertias[1].mass) * along_ground;
        let actuation = self.controller.update(&ControlInput {
            wheels: &self.wheels,
            gravity_in_body,
            center_of_mass: self.inertia.center_of_mass,
            dt,
        });
        *output.setpoint = self.controller.setpoint();
        (output.powertrain.throttle, output.powertrain.brake) = (actuation.pedals.throttle, actuation.pedals.brake);
        let upright = if is_level || self.slope == SlopeRule::Held { 1.0 } else { (-down.z).max(0.0) };
        self.update_loads(situation, Vec2::ZERO, upright);
        self.drive.distribute(&actuation, &self.wheels, &mut self.torque);

        let mut wrenches = [Wrench::default(); 2];
        wrenches[0].torque -= articulation.torque;
        wrenches[1].torque += articulation.torque;
        let pulls = self.slope == SlopeRule::Pulls;
        if pulls && !is_level {
            for (wrench, inertia) in wrenches.iter_mut().zip(&inertias) {
                wrench.add(inertia.mass * along_ground, inertia.center_of_mass);
            }
        }
        if self.resistance.drag != 0.0 {
            wrenches[0].add(self.resistance.air(velocities[0].linear()), inertias[0].center_of_mass);
        }
        // A vehicle that bends while it stands rolls on its wheels.
        let stand_below = actuation.stand_below.filter(|_| pulls && !is_turning);
        let mut brakes = [std::mem::take(&mut self.brakes), std::mem::take(&mut articulation.brakes)];
        let mut is_held = true;
        for (frame, brakes) in brakes.iter_mut().enumerate() {
            let wheels = &self.wheels[wheels_of(frame, self.wheels.len())];
            is_held &= brakes.lock(stand_below, wheels, velocities[frame]);
        }
        if is_held {
            self.along.clear();
            for frame in 0..2 {
                let body = self.frame_to_hold(frame, inertias[frame], velocities[frame], &wrenches[frame]);
                self.hold(&mut brakes[frame], body, situation, &mut wrenches[frame], output);
            }
            [self.brakes, articulation.brakes] = brakes;
            return Effect::TwoFrames(wrenches[0], bend.wrench_in_front(wrenches[1]));
        }

        // What gravity does at the wheels under MVSim's rule for slopes is added to the frame of each below.
        self.find_contacts(situation, is_level, &mut Wrench::default());
        for (index, (contact, wheel)) in self.contacts.iter_mut().zip(&self.wheels).enumerate() {
            contact.velocity_in_wheel = wheel.velocity_in_wheel(velocities[frame_of(index)]);
            if self.slope == SlopeRule::Held && !is_level {
                let pull = self.loads.at_rest[index] * Vec2::new(down.x, down.y);
                wrenches[frame_of(index)].add(pull, wheel.parameters.position);
            }
        }
        let slows = !is_level && pulls && actuation.stand_below.is_some();
        if slows {
            self.brake_against_slope(gravity_in_body);
        }
        self.drive_contacts(&actuation, dt, output);
        for frame in 0..2 {
            let wrench = &mut wrenches[frame];
            if self.parts.brakes && pulls {
                let body = self.frame_to_hold(frame, inertias[frame], velocities[frame], wrench);
                if self.brakes_could_stop(&body, dt) && self.hold(&mut brakes[frame], body, situation, wrench, output) {
                    continue;
                }
            }
            for index in wheels_of(frame, self.wheels.len()) {
                let wheel = &mut self.wheels[index];
                let capacity = if self.parts.brakes { self.brake_torque[index] } else { 0.0 };
                let pull = self.loads.at_rest[index] * Vec2::new(down.x, down.y);
                let pull_along = if is_level { 0.0 } else { (wheel.body_from_wheel().inverse() * pull).x };
                let is_slowed = slows && self.slowed[index];
                let state = roll_on(&*self.law, wheel, &self.contacts[index], (capacity, pull_along), is_slowed);
                wrench.add(wheel.body_from_wheel() * state.force_in_wheel, wheel.parameters.position);
                self.torque[index] = state.torque;
                output.wheels[index] = WheelFrame { lifted: self.lifted[index], ..state };
            }
        }
        [self.brakes, articulation.brakes] = brakes;
        Effect::TwoFrames(wrenches[0], bend.wrench_in_front(wrenches[1]))
    }

    /// A frame with these mass properties and this velocity, held on its wheels against a wrench, all in the frame of the rear body.
    fn frame_to_hold(&self, frame: usize, inertia: Inertia, velocity_in_body: Twist2, wrench: &Wrench) -> HeldBody {
        HeldBody {
            wheels: wheels_of(frame, self.wheels.len()),
            inertia,
            velocity_in_body,
            pull_in_body: wrench.force_in_body,
            torque: wrench.torque - inertia.center_of_mass.cross(wrench.force_in_body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicle::chassis::Chassis;
    use crate::vehicle::wheel::WheelParameters;

    const BEND: f64 = 0.7;

    fn bend() -> Bend {
        Bend { hinge: Vec2::new(0.9, 0.1), rear_from_front: Rot2::new(BEND) }
    }

    /// Power is the same in either frame: F·v + T·ω.
    #[test]
    fn motions_and_wrenches_of_the_front_frame_keep_their_power() {
        let velocity_in_front = Twist2::new(1.2, -0.4, 0.8);
        let mut in_rear = Wrench { torque: 0.3, ..Wrench::default() };
        in_rear.add(Vec2::new(3.0, -5.0), Vec2::new(2.0, 1.5));
        let power = |wrench: &Wrench, v: Twist2| wrench.force_in_body.dot(v.linear()) + wrench.torque * v.wz;
        let in_front = bend().wrench_in_front(in_rear);
        let difference =
            power(&in_front, velocity_in_front) - power(&in_rear, bend().velocity_in_rear(velocity_in_front));
        assert!(difference.abs() < 1e-12, "{difference}");
        // The hinge is the same point of both.
        let at_hinge = bend().velocity_in_rear(velocity_in_front).at_point(bend().hinge);
        let expected = bend().rear_from_front * velocity_in_front.at_point(bend().hinge);
        assert!((at_hinge - expected).norm() < 1e-12);
    }

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
