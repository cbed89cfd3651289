//! One step of a vehicle: controller, drive, wheel contacts, forces and spin.

use std::ops::Range;

use super::actuation::Actuation;
use super::brake::{self, Along, Brakes};
use super::controller::ControlInput;
use super::drive::drivetrain::{Axles, Source};
use super::model::{MotionInput, roll_along};
use super::tracks::TrackInput;
use super::vehicle::{Effect, Situation, SlopeRule, Vehicle};
use super::wheel::Wheel;
use super::{Inertia, VehicleOutput, WheelFrame, WheelSlip, Wrench};
use crate::friction::{self, FrictionLaw, WheelContact};
use crate::math::{Twist2, Vec2, Vec3};

/// Down, in the frame of a body on level ground.
pub(super) const LEVEL: Vec3 = Vec3::new(0.0, 0.0, -1.0);

/// Rolls a wheel for a step on its contact, under a brake with this capacity [N·m] ≥ 0, where gravity pulls along the
/// wheel with this force [N]. One that is slowed stops rather than reverse. Returns its state, as of a wheel that has
/// not lifted.
// Always inlined: it is the innermost loop of a step.
#[inline(always)]
pub(super) fn roll_on(
    law: &dyn FrictionLaw,
    wheel: &mut Wheel,
    contact: &WheelContact,
    (capacity, pull_along): (f64, f64),
    is_slowed: bool,
) -> WheelFrame {
    let braked = friction::brake(law, contact, capacity, pull_along);
    let reaction = braked.reaction;
    wheel.relaxed_slip = reaction.relaxed_slip;
    let mut spin_acceleration = reaction.spin_acceleration;
    if is_slowed && (contact.spin + spin_acceleration * contact.dt) * contact.spin < 0.0 {
        spin_acceleration = -contact.spin / contact.dt;
    }
    wheel.integrate(spin_acceleration, contact.dt);
    WheelFrame {
        steer: wheel.heading(),
        spin: wheel.spin,
        spin_angle: wheel.spin_angle,
        torque: contact.torque + braked.torque,
        load: contact.load,
        lifted: false,
        velocity_in_wheel: contact.velocity_in_wheel,
        force_in_wheel: reaction.force_in_wheel,
        slip: WheelSlip::OfRim(contact.spin * contact.radius),
    }
}

/// Wheels on which a rigid body is held.
pub(super) struct HeldBody {
    /// Indices of the wheels on which the body is held.
    pub wheels: Range<usize>,
    /// Mass properties of the body.
    pub inertia: Inertia,
    /// Velocity of its reference point [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Force that pulls at its centre of mass [N], and torque besides [N·m].
    pub pull_in_body: Vec2,
    pub torque: f64,
}

impl Vehicle {
    /// One step of the wheels: controller, drive, contacts and spin. Writes wheel states and set-point into `output` and
    /// returns the effect on the body.
    pub fn step(&mut self, situation: &Situation<'_>, output: &mut VehicleOutput<'_>) -> Effect {
        let &Situation { velocity_in_body, down_in_body: down, dt, .. } = situation;
        let is_level = down == LEVEL;
        let along_ground = if is_level { Vec2::ZERO } else { self.gravity * Vec2::new(down.x, down.y) };
        let gravity_in_body = self.inertia.mass * along_ground;
        self.advance_setpoints(dt);
        let steering_angle = if self.parts.steering { self.steer(dt) } else { 0.0 };
        let actuation = self.controller.update(&ControlInput {
            wheels: &self.wheels,
            gravity_in_body,
            center_of_mass: self.inertia.center_of_mass,
            dt,
        });
        *output.setpoint = self.controller.setpoint();
        (output.powertrain.throttle, output.powertrain.brake) = (actuation.pedals.throttle, actuation.pedals.brake);
        if is_level || self.slope == SlopeRule::Held {
            self.update_loads(situation, Vec2::ZERO, 1.0);
        } else {
            self.update_loads(situation, along_ground, (-down.z).max(0.0));
        }
        if self.motion.is_some() {
            return self.move_by_model(situation, &actuation, (steering_angle, along_ground), output);
        }
        if let Some(velocity) = actuation.imposed_velocity {
            self.roll_along(velocity, dt, output);
            return Effect::Velocity(velocity);
        }
        self.drive.distribute(&actuation, &self.wheels, &mut self.torque);
        let mut wrench = Wrench::default();
        if self.slope == SlopeRule::Pulls {
            if self.brakes.lock(actuation.stand_below, &self.wheels, velocity_in_body) {
                if let Some(powertrain) = &mut self.powertrain {
                    *output.powertrain = powertrain.stand(actuation.pedals, dt);
                }
                self.along.clear();
                return Effect::Forces(self.stand(situation, gravity_in_body, output).unwrap_or_default());
            }
            if !is_level {
                wrench.add(gravity_in_body, self.inertia.center_of_mass);
            }
        }
        if self.resistance.drag != 0.0 {
            wrench.add(self.resistance.air(velocity_in_body.linear()), self.inertia.center_of_mass);
        }
        self.find_contacts(situation, is_level, &mut wrench);
        let slows = !is_level && self.slope == SlopeRule::Pulls && actuation.stand_below.is_some();
        if slows {
            self.brake_against_slope(gravity_in_body);
        }
        self.drive_contacts(&actuation, dt, output);
        if self.parts.brakes
            && self.slope == SlopeRule::Pulls
            && self.brakes_could_stop(&self.as_one(situation, wrench.force_in_body), situation.dt)
            && let Some(standing) = self.stand(situation, wrench.force_in_body, output)
        {
            return Effect::Forces(standing);
        }
        if self.parts.tracks {
            self.run_on_tracks(velocity_in_body, slows, &mut wrench, output.wheels);
            return Effect::Forces(wrench);
        }
        let wheels = self.wheels.iter_mut().zip(&self.contacts).zip(output.wheels.iter_mut());
        for (i, (((wheel, contact), state), (torque, lifted))) in
            wheels.zip(self.torque.iter_mut().zip(&self.lifted)).enumerate()
        {
            let capacity = if self.parts.brakes { self.brake_torque[i] } else { 0.0 };
            let pull_along = if is_level {
                0.0
            } else {
                (wheel.body_from_wheel().inverse() * (self.loads.at_rest[i] * Vec2::new(down.x, down.y))).x
            };
            let is_slowed = slows && self.slowed[i];
            *state = roll_on(&*self.law, wheel, contact, (capacity, pull_along), is_slowed);
            state.lifted = *lifted;
            *torque = state.torque;
            wrench.add(wheel.body_from_wheel() * state.force_in_wheel, wheel.parameters.position);
        }
        if self.parts.rollers {
            self.report_slip_of_rollers(output.wheels);
        }
        Effect::Forces(wrench)
    }

    /// Runs both tracks for a step: turns their wheels, adds their forces to `wrench` and writes the states of the wheels.
    #[inline(never)]
    fn run_on_tracks(&mut self, velocity_in_body: Twist2, slows: bool, wrench: &mut Wrench, frames: &mut [WheelFrame]) {
        let Some(tracks) = self.drive.tracks() else { return };
        let input = TrackInput {
            law: &*self.law,
            contacts: &self.contacts,
            brake_torque: if self.parts.brakes { &self.brake_torque } else { &[] },
            velocity_in_body,
            slowed: if slows { &self.slowed } else { &[] },
        };
        for side in 0..2 {
            let reaction = tracks.react(side, &input);
            for k in 0..tracks.road_wheels {
                let index = tracks.wheel(side, k);
                let (wheel, contact) = (&mut self.wheels[index], &input.contacts[index]);
                let force_in_wheel = reaction.forces[k];
                wheel.turn_to(reaction.speed / contact.radius, contact.dt);
                wrench.add(force_in_wheel, wheel.parameters.position);
                self.torque[index] = contact.torque;
                frames[index] = WheelFrame {
                    steer: 0.0,
                    spin: wheel.spin,
                    spin_angle: wheel.spin_angle,
                    torque: contact.torque,
                    load: contact.load,
                    lifted: self.lifted[index],
                    velocity_in_wheel: contact.velocity_in_wheel,
                    force_in_wheel,
                    slip: WheelSlip::OfRim(contact.spin * contact.radius),
                };
            }
        }
    }

    /// Replaces the slips of ordinary wheels in the frames by those of wheels with rollers.
    #[inline(never)]
    fn report_slip_of_rollers(&self, frames: &mut [WheelFrame]) {
        for ((wheel, contact), frame) in self.wheels.iter().zip(&self.contacts).zip(frames) {
            frame.slip = wheel.slip(frame.velocity_in_wheel, contact.spin * contact.radius);
        }
    }

    /// Turns the steered wheels, unless the angle is unchanged. Returns the equivalent steering angle [rad].
    #[inline]
    fn steer(&mut self, dt: f64) -> f64 {
        let angle = self.steering_actuator.follow(self.controller.steering_angle(), dt);
        if let Some(angles) = self.controller.hinge_angles(dt) {
            self.drive.turn(angles, &mut self.wheels);
        } else if self.turned_for != Some(angle) || self.motion.is_some() {
            // A model of the whole vehicle may have turned the wheels in between.
            self.drive.steer(angle, &mut self.wheels);
            self.turned_for = Some(angle);
        }
        angle
    }

    /// Fills `load` and `lifted`, with `gravity_along_ground` [m/s²] in the body frame and the cosine `upright` [-] of the slope.
    #[inline]
    pub(super) fn update_loads(&mut self, situation: &Situation<'_>, gravity_along_ground: Vec2, upright: f64) {
        let &Situation { velocity_in_body, acceleration_in_body, dt, .. } = situation;
        let mut acceleration = Vec2::ZERO;
        if self.loads.transfers() {
            let center = self.inertia.center_of_mass;
            acceleration = self.felt.follow(acceleration_in_body, gravity_along_ground, velocity_in_body, center, dt);
        } else if upright == 1.0 && self.loads_are_at_rest {
            return;
        }
        self.loads.loads(acceleration, upright, &mut self.load, &mut self.lifted);
        self.loads_are_at_rest = !self.loads.transfers() && upright == 1.0;
    }

    /// Updates `contacts` with each wheel's motion, ground and load. Under MVSim's rule for slopes adds the gravity at each wheel to
    /// `wrench`.
    #[inline]
    pub(super) fn find_contacts(&mut self, situation: &Situation<'_>, is_level: bool, wrench: &mut Wrench) {
        let &Situation { velocity_in_body, ground, ground_varies, dt, .. } = situation;
        let acting = self.load.iter().zip(&self.torque);
        for ((contact, wheel), (&load, &torque)) in self.contacts.iter_mut().zip(&self.wheels).zip(acting) {
            contact.velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
            contact.load = load;
            contact.spin = wheel.spin;
            contact.torque = torque;
            contact.relaxed_slip = wheel.relaxed_slip;
            contact.dt = dt;
        }
        if self.parts.brakes {
            self.brake_torque.fill(0.0);
        }
        if ground_varies {
            for (contact, ground) in self.contacts.iter_mut().zip(ground) {
                (contact.ground_mu, contact.ground_rolling_resistance) = (ground.mu, ground.rolling_resistance);
            }
        }
        if !is_level || self.contacts_are_pulled {
            self.pull_contacts(situation.down_in_body, wrench);
            self.contacts_are_pulled = !is_level;
        }
    }

    /// Gives each contact its share of gravity on a slope; `down` [-] is the downward unit vector in the body frame. Under MVSim's
    /// rule adds these forces to `wrench`.
    #[inline(never)]
    fn pull_contacts(&mut self, down: Vec3, wrench: &mut Wrench) {
        for ((contact, wheel), &load) in self.contacts.iter_mut().zip(&self.wheels).zip(&self.loads.at_rest) {
            let pull_in_body = load * Vec2::new(down.x, down.y);
            let pull = wheel.body_from_wheel().inverse() * pull_in_body;
            match self.slope {
                _ if down == LEVEL => contact.gravity_in_wheel = Vec2::ZERO,
                SlopeRule::Held => {
                    contact.gravity_in_wheel = pull;
                    wrench.add(pull_in_body, wheel.parameters.position);
                }
                SlopeRule::Pulls => contact.gravity_in_wheel = Vec2::new(0.0, pull.y),
            }
        }
    }

    /// For a vehicle that is commanded to stand: lets the brakes take the gravity of the slope from wheels that turn downhill, and stop
    /// wheels that would reverse.
    pub(super) fn brake_against_slope(&mut self, gravity_in_body: Vec2) {
        self.slowed.fill(false);
        let total_load: f64 = self.load.iter().sum();
        if total_load <= 0.0 {
            return;
        }
        for ((contact, wheel), slowed) in self.contacts.iter_mut().zip(&self.wheels).zip(&mut self.slowed) {
            let torque = brake::torque_against_slope(wheel, gravity_in_body, contact.load / total_load);
            contact.torque += torque;
            *slowed = torque != 0.0;
        }
    }

    /// Whether the brakes of its wheels might stop a body within this step of `dt` [s]. Fills `along`.
    #[inline]
    pub(super) fn brakes_could_stop(&mut self, body: &HeldBody, dt: f64) -> bool {
        self.along.clear();
        let capacity: f64 = self.brake_torque[body.wheels.clone()].iter().sum();
        if capacity <= 0.0 {
            return false;
        }
        let mut reach = 0.0;
        let wheels = body.wheels.clone();
        for (contact, &brake) in self.contacts[wheels.clone()].iter().zip(&self.brake_torque[wheels]) {
            // Force that remains for the ground if the wheel ends the step at rest.
            let torque = contact.torque + contact.inertia * contact.spin / contact.dt;
            let (least, most) = ((torque - brake) / contact.radius, (torque + brake) / contact.radius);
            reach += least.abs().max(most.abs());
            self.along.push(Along { least, most });
        }
        let velocity = body.velocity_in_body.at_point(body.inertia.center_of_mass);
        let needed = body.inertia.mass / dt * velocity + body.pull_in_body;
        // Checked along the body only, with a margin for steered wheels; the exact answer comes from the contacts.
        needed.x.abs() <= 2.0 * reach
    }

    /// Service brakes, powertrain and differentials: the wheel torques that depend on the response of the contacts.
    #[inline]
    pub(super) fn drive_contacts(&mut self, actuation: &Actuation, dt: f64, output: &mut VehicleOutput<'_>) {
        if let Some(brakes) = &mut self.service_brakes {
            brakes.torques(actuation.pedals, &self.contacts, &mut self.brake_torque);
        }
        if self.resistance.rolls_hard() {
            for (contact, torque) in self.contacts.iter().zip(&mut self.brake_torque) {
                *torque += self.resistance.rolling(contact.velocity_in_wheel.x) * contact.load * contact.radius;
            }
        }
        for (i, servo) in actuation.servos.iter().flatten().enumerate() {
            let braked = self.brake_torque[i];
            self.contacts[i].torque = servo.torque(&*self.law, &self.contacts[i], braked);
        }
        if !self.parts.coupling {
            return;
        }
        let Some(drivetrain) = self.drive.drivetrain() else { return };
        let mut axles = Axles {
            law: &*self.law,
            wheels: &self.wheels,
            inertia: self.inertia,
            contacts: &mut self.contacts,
            brake_torque: &self.brake_torque,
        };
        match &mut self.powertrain {
            Some(powertrain) => *output.powertrain = powertrain.drive(actuation.pedals, drivetrain, &mut axles, dt),
            None => {
                drivetrain.drive(&Source::Motor(actuation.motor_torque[0]), &mut axles, dt);
            }
        }
    }

    /// One step of a vehicle whose motion comes from a model.
    fn move_by_model(
        &mut self,
        situation: &Situation<'_>,
        actuation: &Actuation,
        (steering_angle, gravity_in_body): (f64, Vec2),
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        if self.service_brakes.is_some() {
            self.torque.fill(0.0);
            self.find_contacts(situation, situation.down_in_body == LEVEL, &mut Wrench::default());
        }
        if let Some(brakes) = &mut self.service_brakes {
            brakes.torques(actuation.pedals, &self.contacts, &mut self.brake_torque);
        }
        let Some(model) = &mut self.motion else { return Effect::Velocity(Twist2::ZERO) };
        // Where the slope holds whatever stands on it, driving takes no extra force either.
        let (gravity_in_body, upright) = match self.slope {
            SlopeRule::Pulls => (gravity_in_body, (-situation.down_in_body.z).max(0.0)),
            SlopeRule::Held => (Vec2::ZERO, 1.0),
        };
        let motion = model.advance(MotionInput {
            actuation,
            steering_angle,
            gravity_in_body,
            gravity_into_ground: self.gravity * upright,
            ground: situation.ground,
            brake_torque: self.brake_torque.iter().sum(),
            resistance: &self.resistance,
            powertrain: self.powertrain.as_mut(),
            dt: situation.dt,
        });
        if let Some(powertrain) = &self.powertrain {
            *output.powertrain = powertrain.frame();
        }
        for ((state, &load), &lifted) in output.wheels.iter_mut().zip(&self.load).zip(&self.lifted) {
            (state.load, state.lifted) = (load, lifted);
        }
        model.report_wheels(motion.velocity_in_body, &mut self.wheels, output.wheels, situation.dt);
        Effect::Motion(motion)
    }

    /// One step on locked wheels, of a vehicle under the force `pull_in_body` [N] at its centre of mass. If `along` bounds the
    /// force that the brakes can hold, returns none when it is not enough.
    fn stand(
        &mut self,
        situation: &Situation<'_>,
        pull_in_body: Vec2,
        output: &mut VehicleOutput<'_>,
    ) -> Option<Wrench> {
        let mut wrench = Wrench::default();
        wrench.add(pull_in_body, self.inertia.center_of_mass);
        let body = self.as_one(situation, pull_in_body);
        let mut brakes = std::mem::take(&mut self.brakes);
        let is_held = self.hold(&mut brakes, body, situation, &mut wrench, output);
        self.brakes = brakes;
        is_held.then_some(wrench)
    }

    /// The whole vehicle on all its wheels, under this force at its centre of mass [N].
    fn as_one(&self, situation: &Situation<'_>, pull_in_body: Vec2) -> HeldBody {
        let (inertia, velocity_in_body) = (self.inertia, situation.velocity_in_body);
        HeldBody { wheels: 0..self.wheels.len(), inertia, velocity_in_body, pull_in_body, torque: 0.0 }
    }

    /// Locks the wheels of a body for a step, adds their forces to `wrench` and writes their states. False, and nothing
    /// else, if `along` bounds the force that the brakes can hold, and it is not enough.
    pub(super) fn hold(
        &mut self,
        brakes: &mut Brakes,
        body: HeldBody,
        situation: &Situation<'_>,
        wrench: &mut Wrench,
        output: &mut VehicleOutput<'_>,
    ) -> bool {
        let HeldBody { wheels: range, inertia, velocity_in_body, pull_in_body, torque } = body;
        let dt = situation.dt;
        let task = brake::Load {
            law: &*self.law,
            first: range.start,
            wheels: &self.wheels[range.clone()],
            load: &self.load[range.clone()],
            ground: &situation.ground[range.clone()],
            inertia,
            velocity_in_body,
            gravity_in_body: pull_in_body,
            torque,
            along: &self.along,
            dt,
        };
        let forces = if self.along.is_empty() {
            brakes.hold(&task)
        } else {
            let Some(forces) = brakes.hold_within(&task) else { return false };
            forces
        };
        for (i, &force) in range.zip(forces) {
            let wheel = &mut self.wheels[i];
            wrench.add(force, wheel.parameters.position);
            let force_in_wheel = wheel.body_from_wheel().inverse() * force;
            // Torque that stops the rotation, besides that of the ground.
            let torque = wheel.parameters.radius * force_in_wheel.x - wheel.parameters.inertia * wheel.spin / dt;
            wheel.spin = 0.0;
            wheel.relaxed_slip = Vec2::ZERO;
            self.torque[i] = 0.0;
            let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
            output.wheels[i] = WheelFrame {
                steer: wheel.heading(),
                spin: 0.0,
                spin_angle: wheel.spin_angle,
                torque,
                load: self.load[i],
                lifted: self.lifted[i],
                velocity_in_wheel,
                force_in_wheel,
                slip: WheelSlip::OfRim(0.0),
            };
        }
        true
    }

    /// One step of a vehicle that is moved by an animation: its wheels roll along, whatever the controller commands.
    pub fn step_animated(&mut self, situation: &Situation<'_>, output: &mut VehicleOutput<'_>) {
        self.advance_setpoints(situation.dt);
        if self.parts.steering {
            self.steer(situation.dt);
        }
        *output.setpoint = self.controller.setpoint();
        self.update_loads(situation, Vec2::ZERO, 1.0);
        self.roll_along(situation.velocity_in_body, situation.dt, output);
    }

    /// Rolls the wheels along with a body whose velocity is imposed; the wheels exert no force.
    fn roll_along(&mut self, velocity_in_body: Twist2, dt: f64, output: &mut VehicleOutput<'_>) {
        self.torque.fill(0.0);
        for ((state, &load), &lifted) in output.wheels.iter_mut().zip(&self.load).zip(&self.lifted) {
            (state.load, state.lifted) = (load, lifted);
        }
        roll_along(velocity_in_body, &mut self.wheels, output.wheels, dt);
    }
}
