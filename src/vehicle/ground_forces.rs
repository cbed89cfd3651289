//! The phases of a step in which the ground moves a vehicle by forces at its wheels, for one frame and for two.
//!
//! ```text
//! distribute      actuation                        → torque of each wheel
//! pull_down       slope                            → wrench of each frame
//! lock_wheels     stand_below, motion              → whether all wheels are locked
//! drag            velocity                         → wrench of the frame that the air meets
//! stand           wrenches                         → forces at locked wheels, and their states
//! or
//! touch_ground    motion, loads, torques, ground   → contacts
//! hold_back       slope, contacts                  → torques of brakes that balance gravity
//! brake_wheels    pedals, contacts                 → torque capacity of the brakes
//! drive_wheels    actuation, contacts              → torques behind servos, powertrain and differentials
//! stop, or run    contacts, torques                → forces at the wheels of each frame, and their states
//!                                                    (together with the body: coupled_wheels/)
//! ```
//!
//! Most of them are always inlined: their code is there twice, for one frame and for two, and calls would take 5 % of a step.

use std::ops::Range;

use skidpad_math::{Rot2, Twist2, Vec2, Vec3};

use super::actuation::Actuation;
use super::articulation::FrontMotion;
use super::brake::{self, Along};
use super::command::Pedals;
use super::coupled_wheels::MotionAfterStep;
use super::drive::drivetrain::{Axles, Source};
use super::pairs::{PairedWrench, sum_by_pairs};
use super::parts::{RunningGear, Steered};
use super::servo::SpinServo;
use super::step::Slope;
use super::stiffness::Rolling;
use super::tracks::{TrackInput, Tracks};
use super::vehicle::{Effect, Situation, SlopeRule, Vehicle};
use super::wheel::{Wheel, WheelGround};
use super::{Inertia, MAX_MOTORS, VehicleOutput, WheelFrame, WheelSlip, Wrench};
use crate::friction::{self, FrictionLaw, WheelContact};

/// A frame of a vehicle during a step: its only one, or the rear or the front one. All in the coordinates of the
/// vehicle's body, which is the rear one of two.
#[derive(Clone, Debug)]
pub(super) struct MovingFrame {
    /// Indices of its wheels.
    pub wheels: Range<usize>,
    pub inertia: Inertia,
    /// Velocity of its point at the vehicle's reference point [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Its acceleration [m/s²] in the frame that turns with it, if no force acts: see [`ForceFrame`](super::ForceFrame).
    pub inertial_acceleration_in_body: Vec2,
    /// What acts on it so far.
    pub wrench: Wrench,
    /// Whether a hinge connects it to another one.
    pub is_hinged: bool,
}

impl MovingFrame {
    /// Velocity of its point at the vehicle's reference point after `dt` [s] if no force acts [m/s, rad/s].
    #[inline]
    pub(super) fn coasting_in_body(&self, dt: f64) -> Twist2 {
        let Twist2 { vx, vy, wz } = self.velocity_in_body;
        let change = dt * self.inertial_acceleration_in_body;
        Twist2::new(vx + change.x, vy + change.y, wz)
    }

    /// What has acted on it before the ground does, as a wrench, and its torque about the centre of mass [N·m].
    fn pull(&self) -> (Wrench, f64) {
        let force = self.wrench.force_in_body;
        let center = self.inertia.center_of_mass;
        if self.is_hinged {
            return (self.wrench, self.wrench.torque - center.cross(force));
        }
        // Gravity and air act at the centre of mass: apart from rounding, nothing turns the frame about it.
        let mut wrench = Wrench::default();
        wrench.add(force, center);
        (wrench, 0.0)
    }
}

impl Situation<'_> {
    /// Motion of the front frame. One that is not given moves along with the vehicle's body.
    #[inline]
    pub(super) fn front_motion(&self) -> FrontMotion {
        self.front.unwrap_or(FrontMotion { angle: 0.0, velocity_in_front: self.velocity_in_body })
    }
}

impl Vehicle {
    /// Moves the vehicle by the forces of the ground on its frame, or on its two.
    #[inline]
    pub(super) fn move_by_forces(
        &mut self,
        situation: &Situation<'_>,
        slope: &Slope,
        actuation: &Actuation,
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        if let Steered::FrontFrame(articulation) = &self.steered {
            // A vehicle that bends while it stands rolls on its wheels.
            let stand_below = actuation.stand_below.filter(|_| !articulation.is_turning());
            let wheels = self.wheels.len();
            let (frames, bend) = articulation.frames((self.inertia, wheels), self.force_frame, situation);
            let [rear, front] = self.push(frames, situation, slope, (actuation, stand_below), output);
            Effect::TwoFrames(rear, bend.wrench_in_front(front))
        } else {
            let frames = [self.single_frame(situation)];
            let [wrench] = self.push(frames, situation, slope, (actuation, actuation.stand_below), output);
            Effect::Forces(wrench)
        }
    }

    /// The frame of a vehicle that has one, on which nothing acts yet.
    #[inline]
    pub(super) fn single_frame(&self, situation: &Situation<'_>) -> MovingFrame {
        MovingFrame {
            wheels: 0..self.wheels.len(),
            inertia: self.inertia,
            velocity_in_body: situation.velocity_in_body,
            inertial_acceleration_in_body: self
                .force_frame
                .inertial_acceleration(situation.velocity_in_body, self.inertia.center_of_mass),
            wrench: Wrench::default(),
            is_hinged: false,
        }
    }

    /// The phases: from what already acts on the frames to all that acts on them. Brakes lock the wheels of a vehicle that
    /// is slower than `stand_below` [m/s]; none: they are open.
    #[inline(always)]
    fn push<const N: usize>(
        &mut self,
        mut frames: [MovingFrame; N],
        situation: &Situation<'_>,
        slope: &Slope,
        (actuation, stand_below): (&Actuation, Option<f64>),
        output: &mut VehicleOutput<'_>,
    ) -> [Wrench; N] {
        self.drive.distribute(actuation, &self.wheels, &mut self.torque);
        pull_down(&mut frames, slope);
        let stands = self.lock_wheels(&frames, stand_below);
        self.drag(&mut frames[0], stands);
        if stands {
            self.stand(&mut frames, situation, actuation.pedals, output);
        } else {
            self.touch_ground(&mut frames, situation, slope);
            let is_held_back = self.hold_back(slope, actuation);
            self.brake_wheels(actuation.pedals);
            let is_coupled = self.rolling == Rolling::Coupled && self.set_motors(actuation, is_held_back);
            if !is_coupled {
                self.drive_wheels(actuation, situation.dt, output);
            }
            for (index, frame) in frames.iter_mut().enumerate() {
                if is_coupled {
                    self.run_on_coupled_wheels(frame, output.wheels);
                } else if !self.stop(index, frame, situation, output) {
                    self.run(frame, slope, is_held_back, output);
                }
            }
        }
        frames.map(|frame| frame.wrench)
    }

    /// Whether the holding brakes lock all wheels in this step.
    #[inline(always)]
    fn lock_wheels(&mut self, frames: &[MovingFrame], stand_below: Option<f64>) -> bool {
        // Where contacts hold the vehicle on slopes it has no such brakes.
        let mut stands = self.slope == SlopeRule::Pulls;
        if stands {
            for (brakes, frame) in self.brakes.iter_mut().zip(frames) {
                stands &= brakes.lock(stand_below, &self.wheels[frame.wheels.clone()], frame.velocity_in_body);
            }
        }
        stands
    }

    /// Lets the air act on a frame. Without wind it does not on a vehicle of one frame that stands.
    #[inline(always)]
    fn drag(&self, frame: &mut MovingFrame, stands: bool) {
        if self.resistance.drag == 0.0 {
            return;
        }
        let center = frame.inertia.center_of_mass;
        if self.air.is_some() || self.resistance.wind_in_body.is_some() {
            if frame.is_hinged || !stands || self.resistance.wind_in_body.is_some() {
                let (drag, aside) = self.blown(frame.velocity_in_body);
                frame.wrench.add(drag, center);
                frame.wrench.add(aside.force_in_body, Vec2::ZERO);
                frame.wrench.torque += aside.torque;
            }
        } else if frame.is_hinged || !stands {
            frame.wrench.add(self.resistance.in_calm(frame.velocity_in_body.at_point(center)), center);
        }
    }

    /// Drag [N], and side force with yaw moment, at this velocity of the body [m/s, rad/s]. For wind, and for vehicles with `<aerodynamics>`.
    #[inline(never)]
    fn blown(&self, velocity_in_body: Twist2) -> (Vec2, Wrench) {
        let drag = self.resistance.air(velocity_in_body.at_point(self.inertia.center_of_mass));
        let aside = self.air.as_ref().map(|air| air.push_aside(self.flow_in_body(velocity_in_body)));
        (drag, aside.unwrap_or_default())
    }

    /// Lets locked wheels hold the vehicle for a step, as far as their friction can.
    fn stand(
        &mut self,
        frames: &mut [MovingFrame],
        situation: &Situation<'_>,
        pedals: Pedals,
        output: &mut VehicleOutput<'_>,
    ) {
        if let Some(powertrain) = &mut self.powertrain {
            *output.powertrain = powertrain.stand(pedals, situation.dt);
        }
        self.along.clear();
        for (index, frame) in frames.iter_mut().enumerate() {
            self.hold(index, frame, situation, output);
        }
    }

    /// Updates `contacts` with the motion, ground and load of each wheel and its torque. Under MVSim's rule for slopes adds
    /// the gravity at each wheel to the wrench of its frame.
    #[inline(always)]
    pub(super) fn touch_ground(&mut self, frames: &mut [MovingFrame], situation: &Situation<'_>, slope: &Slope) {
        let &Situation { ground, ground_varies, dt, .. } = situation;
        for frame in frames.iter() {
            let MovingFrame { wheels, velocity_in_body, inertial_acceleration_in_body: inertial, .. } = frame;
            let acting = self.load[wheels.clone()].iter().zip(&self.torque[wheels.clone()]);
            let acting = acting.zip(&self.carried_mass[wheels.clone()]);
            let contacts = self.contacts[wheels.clone()].iter_mut().zip(&self.wheels[wheels.clone()]);
            for ((contact, wheel), ((&load, &torque), &carried_mass)) in contacts.zip(acting) {
                contact.velocity_in_wheel = wheel.velocity_in_wheel(*velocity_in_body);
                let across = force_across(wheel.body_from_wheel(), *inertial);
                contact.pull_in_wheel = Vec2::new(0.0, carried_mass * across);
                contact.load = load;
                contact.spin = wheel.spin;
                contact.torque = torque;
                contact.relaxed_slip = wheel.relaxed_slip;
                contact.dt = dt;
            }
        }
        if ground_varies {
            self.stand_on(ground);
        }
        if !slope.is_level {
            self.pull_contacts(frames, slope.down_in_body);
        }
    }

    /// The wheels stand on this ground from now on, one for each: until told otherwise, where the ground does not vary.
    #[inline]
    pub fn stand_on(&mut self, ground: &[WheelGround]) {
        for (contact, ground) in self.contacts.iter_mut().zip(ground) {
            (contact.ground_mu, contact.ground_rolling_resistance) = (ground.mu, ground.rolling_resistance);
        }
    }

    /// Gives each contact its share of gravity on a slope; `down` [-] is the downward unit vector in the body frame. Under
    /// MVSim's rule adds these forces to the wrenches.
    #[inline(never)]
    fn pull_contacts(&mut self, frames: &mut [MovingFrame], down: Vec3) {
        for frame in frames {
            let mut pulled = PairedWrench::new(frame.wrench);
            for index in frame.wheels.clone() {
                let (contact, wheel) = (&mut self.contacts[index], &self.wheels[index]);
                let pull_in_body = self.loads.at_rest[index] * Vec2::new(down.x, down.y);
                let pull = wheel.body_from_wheel().inverse() * pull_in_body;
                match self.slope {
                    SlopeRule::Held => {
                        contact.pull_in_wheel = contact.pull_in_wheel + pull;
                        pulled.add(index, pull_in_body, wheel.parameters.position);
                    }
                    SlopeRule::Pulls => contact.pull_in_wheel.y += pull.y,
                }
            }
            frame.wrench = pulled.sum();
        }
    }

    /// For a vehicle that is commanded to stand on a slope: lets the brakes take the gravity from wheels that turn downhill,
    /// and `slowed` wheels stop rather than reverse. Whether it is one.
    #[inline]
    fn hold_back(&mut self, slope: &Slope, actuation: &Actuation) -> bool {
        let is_held_back = slope.pull.is_some() && actuation.stand_below.is_some();
        if is_held_back {
            self.brake_against_slope(self.mass * slope.along_ground);
        }
        is_held_back
    }

    fn brake_against_slope(&mut self, gravity_in_body: Vec2) {
        self.slowed.fill(false);
        let total_load = sum_by_pairs(self.load.iter().copied());
        if total_load <= 0.0 {
            return;
        }
        for ((contact, wheel), slowed) in self.contacts.iter_mut().zip(&self.wheels).zip(&mut self.slowed) {
            let torque = brake::torque_against_slope(wheel, gravity_in_body, contact.load / total_load);
            contact.torque += torque;
            *slowed = torque != 0.0;
        }
    }

    /// Fills `brake_torque`, if anything brakes the wheels.
    #[inline(always)]
    pub(super) fn brake_wheels(&mut self, pedals: Pedals) {
        if let Some(braking) = &mut self.braking {
            braking.torques(pedals, &self.contacts, &mut self.brake_torque);
        }
    }

    /// Sets the torques of the contacts whose spin a servo controls.
    #[inline(never)]
    fn turn_by_servos(&mut self, servos: &[SpinServo; MAX_MOTORS]) {
        for (servo, (contact, &braked)) in servos.iter().zip(self.contacts.iter_mut().zip(&self.brake_torque)) {
            contact.torque = servo.torque(&*self.law, contact, braked);
        }
    }

    /// Sets the torques of the contacts that depend on their response: behind servos, powertrain and differentials.
    #[inline]
    fn drive_wheels(&mut self, actuation: &Actuation, dt: f64, output: &mut VehicleOutput<'_>) {
        if let Some(servos) = &actuation.servos {
            self.turn_by_servos(servos);
        } else if self.rolling == Rolling::Driven {
            self.let_torques_fall();
        }
        let Some(drivetrain) = &self.differentials else { return };
        let mut axles = Axles {
            law: &*self.law,
            wheels: &self.wheels,
            inertia: self.inertia,
            contacts: &mut self.contacts,
            brake_torque: &self.brake_torque,
            last: &mut self.shaft_torques,
        };
        match &mut self.powertrain {
            Some(powertrain) => *output.powertrain = powertrain.drive(actuation.pedals, drivetrain, &mut axles, dt),
            None => {
                drivetrain.drive(&Source::Motor(actuation.motor_torque[0]), &mut axles, dt);
            }
        }
    }

    /// Lets brakes of limited torque stop a frame within this step, if they can; else does nothing.
    #[inline(always)]
    fn stop(
        &mut self,
        index: usize,
        frame: &mut MovingFrame,
        situation: &Situation<'_>,
        output: &mut VehicleOutput<'_>,
    ) -> bool {
        // Where contacts hold the vehicle on slopes they stop it as well.
        self.braking.is_some()
            && self.slope == SlopeRule::Pulls
            && self.could_stop(frame, situation.dt)
            && self.hold(index, frame, situation, output)
    }

    /// Whether the brakes of its wheels might stop a frame within this step of `dt` [s]. Fills `along`.
    #[inline]
    fn could_stop(&mut self, frame: &MovingFrame, dt: f64) -> bool {
        self.along.clear();
        let wheels = frame.wheels.clone();
        let capacity = sum_by_pairs(self.brake_torque[wheels.clone()].iter().copied());
        if capacity <= 0.0 {
            return false;
        }
        for (contact, &brake) in self.contacts[wheels.clone()].iter().zip(&self.brake_torque[wheels]) {
            // Force that remains for the ground if the wheel ends the step at rest.
            let torque = contact.torque + contact.inertia * contact.spin / contact.dt;
            self.along
                .push(Along { least: (torque - brake) / contact.radius, most: (torque + brake) / contact.radius });
        }
        let reach = sum_by_pairs(self.along.iter().map(|along| along.least.abs().max(along.most.abs())));
        let velocity = frame.coasting_in_body(dt).at_point(frame.inertia.center_of_mass);
        let needed = frame.inertia.mass / dt * velocity + frame.wrench.force_in_body;
        // Checked along the body only, with a margin for steered wheels; the exact answer comes from the contacts.
        needed.x.abs() <= 2.0 * reach
    }

    /// Locks the wheels of the frame with this index for a step, adds their forces to its wrench and writes their states.
    /// False, and nothing else, if `along` bounds the force that the brakes can hold, and it is not enough.
    fn hold(
        &mut self,
        index: usize,
        frame: &mut MovingFrame,
        situation: &Situation<'_>,
        output: &mut VehicleOutput<'_>,
    ) -> bool {
        let (dt, range) = (situation.dt, frame.wheels.clone());
        let velocity_in_body = frame.coasting_in_body(dt);
        let (wrench, torque) = frame.pull();
        let task = brake::Load {
            law: &*self.law,
            first: range.start,
            wheels: &self.wheels[range.clone()],
            load: &self.load[range.clone()],
            ground: &situation.ground[range.clone()],
            inertia: frame.inertia,
            velocity_in_body,
            gravity_in_body: wrench.force_in_body,
            torque,
            along: &self.along,
            dt,
        };
        let brakes = &mut self.brakes[index];
        let forces = if self.along.is_empty() {
            brakes.hold(&task)
        } else {
            let Some(forces) = brakes.hold_within(&task) else { return false };
            forces
        };
        let mut wrench = PairedWrench::new(wrench);
        for (i, &force) in range.zip(forces) {
            let wheel = &mut self.wheels[i];
            wrench.add(i, force, wheel.parameters.position);
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
                travel: output.wheels[i].travel,
                velocity_in_wheel,
                force_in_wheel,
                slip: WheelSlip::OfRim(0.0),
            };
        }
        frame.wrench = wrench.sum();
        true
    }

    /// Runs a frame on its wheels or tracks for a step: turns its wheels, adds their forces to its wrench and writes their states.
    #[inline(always)]
    fn run(&mut self, frame: &mut MovingFrame, slope: &Slope, is_held_back: bool, output: &mut VehicleOutput<'_>) {
        match self.running_gear {
            RunningGear::Tyres | RunningGear::Rollers => self.roll_wheels(frame, slope, is_held_back, output.wheels),
            RunningGear::Tracks(tracks) => self.run_on_tracks(&tracks, frame, is_held_back, output.wheels),
        }
        if let RunningGear::Rollers = self.running_gear {
            self.report_slip_of_rollers(output.wheels);
        }
    }

    #[inline(always)]
    fn roll_wheels(&mut self, frame: &mut MovingFrame, slope: &Slope, is_held_back: bool, states: &mut [WheelFrame]) {
        let range = frame.wheels.clone();
        let down = Vec2::new(slope.down_in_body.x, slope.down_in_body.y);
        let wheels = self.wheels[range.clone()].iter_mut().zip(&self.contacts[range.clone()]);
        let torques = self.torque[range.clone()].iter_mut().zip(&self.brake_torque[range.clone()]);
        let states = states[range.clone()].iter_mut().zip(&self.lifted[range.clone()]);
        let mut wrench = PairedWrench::new(frame.wrench);
        for (i, (((wheel, contact), (torque, &capacity)), (state, &lifted))) in
            range.zip(wheels.zip(torques).zip(states))
        {
            let pull_along = if slope.is_level {
                0.0
            } else {
                (wheel.body_from_wheel().inverse() * (self.loads.at_rest[i] * down)).x
            };
            let is_slowed = is_held_back && self.slowed[i];
            roll_on(&*self.law, wheel, contact, (capacity, pull_along), is_slowed, state);
            state.lifted = lifted;
            *torque = state.torque;
            wrench.add(i, wheel.body_from_wheel() * state.force_in_wheel, wheel.parameters.position);
        }
        frame.wrench = wrench.sum();
    }

    /// Replaces the slips of ordinary wheels in the states by those of wheels with rollers.
    #[inline(never)]
    pub(super) fn report_slip_of_rollers(&self, states: &mut [WheelFrame]) {
        for ((wheel, contact), state) in self.wheels.iter().zip(&self.contacts).zip(states) {
            let spin = if self.rolling == Rolling::Coupled { contact.spin } else { wheel.spin };
            state.slip = wheel.slip(state.velocity_in_wheel, spin * contact.radius);
        }
    }

    /// Runs both tracks for a step.
    #[inline(never)]
    fn run_on_tracks(
        &mut self,
        tracks: &Tracks,
        frame: &mut MovingFrame,
        is_held_back: bool,
        states: &mut [WheelFrame],
    ) {
        let before = MotionAfterStep {
            velocity: frame.velocity_in_body.at_point(frame.inertia.center_of_mass),
            yaw_rate: frame.velocity_in_body.wz,
        };
        let change_by_other_forces = self.other_forces.expect(before);
        let input = TrackInput {
            law: &*self.law,
            wheels: &self.wheels,
            contacts: &self.contacts,
            brake_torque: &self.brake_torque,
            motors: self.motors_of_tracks(tracks, is_held_back),
            inertia: frame.inertia,
            before,
            coasting: self.motion_without_wheels(frame) + change_by_other_forces,
        };
        let reaction = tracks.react(&input);
        let motors = input.motors;
        self.other_forces.alone = Some(reaction.motion - change_by_other_forces);
        let mut wrench = PairedWrench::new(frame.wrench);
        for index in frame.wheels.clone() {
            let (side, k) = tracks.place(index);
            let (wheel, contact) = (&mut self.wheels[index], &self.contacts[index]);
            let force_in_wheel = reaction.forces[side][k];
            wheel.turn_to(reaction.speeds[side] / contact.radius, contact.dt);
            wrench.add(index, force_in_wheel, wheel.parameters.position);
            let torque = motors[side].torque_at(wheel.spin) / tracks.road_wheels as f64;
            self.torque[index] = torque;
            states[index] = WheelFrame {
                steer: 0.0,
                spin: wheel.spin,
                spin_angle: wheel.spin_angle,
                torque,
                load: contact.load,
                lifted: self.lifted[index],
                travel: states[index].travel,
                velocity_in_wheel: contact.velocity_in_wheel,
                force_in_wheel,
                slip: WheelSlip::OfRim(contact.spin * contact.radius),
            };
        }
        frame.wrench = wrench.sum();
    }
}

/// The force [N] across a wheel whose share across the body is that of `in_body` [N]. A wheel gives no force along itself, so that a
/// steered one needs more across itself, by 1/cos δ; beyond 45° it takes its component.
#[inline(always)]
fn force_across(body_from_wheel: Rot2, in_body: Vec2) -> f64 {
    let Rot2 { cos, sin } = body_from_wheel;
    if cos * cos > 0.5 { in_body.y / cos } else { cos * in_body.y - sin * in_body.x }
}

/// Lets gravity on a slope pull at the centre of mass of each frame, unless the contacts hold it.
#[inline]
fn pull_down(frames: &mut [MovingFrame], slope: &Slope) {
    if let Some(pull) = slope.pull {
        for MovingFrame { inertia, wrench, .. } in frames {
            wrench.add(inertia.mass * pull, inertia.center_of_mass);
        }
    }
}

/// Rolls a wheel for a step on its contact, under a brake with this capacity [N·m] ≥ 0, where gravity pulls along the
/// wheel with this force [N]. One that is slowed stops rather than reverse. Writes its state, as of a wheel that has
/// not lifted.
// Always inlined: it is the innermost loop of a step.
#[inline(always)]
pub(super) fn roll_on(
    law: &dyn FrictionLaw,
    wheel: &mut Wheel,
    contact: &WheelContact,
    (capacity, pull_along): (f64, f64),
    is_slowed: bool,
    state: &mut WheelFrame,
) {
    let braked = friction::brake(law, contact, capacity, pull_along);
    let reaction = braked.reaction;
    wheel.relaxed_slip = reaction.relaxed_slip;
    let mut spin_acceleration = reaction.spin_acceleration;
    if is_slowed && (contact.spin + spin_acceleration * contact.dt) * contact.spin < 0.0 {
        spin_acceleration = -contact.spin / contact.dt;
    }
    wheel.integrate(spin_acceleration, contact.dt);
    // The force is that of the slip with which the step ends, at the velocity with which it began.
    *state = WheelFrame {
        steer: wheel.heading(),
        spin: wheel.spin,
        spin_angle: wheel.spin_angle,
        torque: contact.torque + braked.torque,
        load: contact.load,
        lifted: false,
        travel: state.travel,
        velocity_in_wheel: contact.velocity_in_wheel,
        force_in_wheel: reaction.force_in_wheel,
        slip: WheelSlip::OfRim(wheel.rim_speed()),
    };
}
