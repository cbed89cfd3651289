//! How a vehicle decides whether its wheels are solved together with its body (`coupled_wheels/`). Two things call for that:
//!
//! * Wheels have to slide for the vehicle to turn. A wheel that is solved alone creeps instead of sticking.
//! * Gains and bearings would take back too much of a change of speed within a step. Alone, they act on the spins before the step.
//!
//! A force of k per speed at the rims changes the speed at rate λ, the largest eigenvalue of A·K. A_ij is the acceleration along wheel i
//! per force along wheel j, and K_j = k_j/R_j per speed. λ is at most the largest row sum (Gershgorin).
//!
//! Wheels that stick pass their speed on one step late. Speeds follow z² − z + λ·Δt = 0: they swing from λ·Δt = 1/4 on, and diverge from
//! 1 on. A wheel that slides answers its motor at rate μ = (gain + damping)/I without the body, and diverges from μ·Δt = 2 on. Where
//! forces follow the slip, they slow it down as well.

use skidpad_math::Twist2;

use super::controller::Droop;
use super::parts::{RunningGear, Steered};
use super::servo::SpinServo;
use super::tracks::Tracks;
use super::vehicle::{ForceFrame, SlopeRule, Vehicle};
use super::{Actuation, MAX_MOTORS, Wheel};
use crate::friction::{WheelContact, within};

/// Largest λ·Δt [-] of wheels that are stepped one by one: the double root of z² − z + λ·Δt.
const MAX_PER_STEP: f64 = 0.25;
/// Largest μ·Δt [-] of the same: swings die away.
const MAX_PER_STEP_SLIDING: f64 = 1.9;
/// Largest number of wheels that are solved together.
pub(super) const MAX_WHEELS: usize = 6;

/// What turns a wheel: a torque that falls as the wheel gets faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motor {
    /// Spin [rad/s] at which it gives `torque`; the one that it holds.
    pub spin: f64,
    /// [N·m]
    pub torque: f64,
    /// By which the torque falls per spin [N·m·s/rad], ≥ 0; infinite: it holds its spin.
    pub gain: f64,
    /// Whether its controller measures the spin of this wheel; else it measures wheels that roll along with the body.
    pub sees_slip: bool,
    /// Largest torque [N·m], ≥ 0.
    pub max_torque: f64,
    /// Torque that is not limited [N·m]: of a brake that balances a slope.
    pub held_back: f64,
    /// Whether the wheel stops rather than reverse.
    pub never_reverses: bool,
}

impl Motor {
    /// Whether it holds its spin.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.gain == f64::INFINITY
    }

    /// Whether it turns its wheel.
    #[inline]
    pub(super) fn drives(&self) -> bool {
        self.gain != 0.0 || self.torque != 0.0 || self.held_back != 0.0
    }

    /// The same motor on a wheel that slides.
    #[inline]
    pub(super) fn while_sliding(&self) -> Motor {
        if self.sees_slip { *self } else { Motor { gain: 0.0, ..*self } }
    }

    /// The same motor without a controller: it gives this torque [N·m] at any spin.
    #[inline]
    pub(super) fn giving(&self, torque: f64) -> Motor {
        Motor { gain: 0.0, torque, max_torque: f64::INFINITY, ..*self }
    }

    /// Its torque [N·m] at a spin [rad/s], and by which that falls per spin [N·m·s/rad]. It does not hold its spin.
    #[inline(always)]
    pub(super) fn torque_and_gain_at(&self, spin: f64) -> (f64, f64) {
        let torque = self.torque + self.gain * (self.spin - spin);
        if torque.abs() <= self.max_torque {
            (torque + self.held_back, self.gain)
        } else {
            (self.max_torque.copysign(torque) + self.held_back, 0.0)
        }
    }

    /// Its torque [N·m] at a spin [rad/s].
    #[inline]
    pub(super) fn torque_at(&self, spin: f64) -> f64 {
        let torque = if self.holds() {
            self.max_torque.copysign(self.spin - spin)
        } else {
            within(self.torque + self.gain * (self.spin - spin), self.max_torque)
        };
        torque + self.held_back
    }
}

/// How the wheels of a vehicle are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Rolling {
    /// Each on its own, from the spins before the step.
    #[default]
    Alone,
    /// Each on its own, with motors whose torques fall within the step, on laws whose forces follow the slip.
    Driven,
    /// Together with the body.
    Coupled,
}

impl Vehicle {
    /// Decides how the wheels are solved in steps of `dt` [s].
    pub fn prepare(&mut self, dt: f64) {
        self.prepared_for = dt;
        self.other_forces.forget();
        self.motor_shares = self.shares_of_motors();
        let sticks = self.contacts.iter().all(|contact| self.law.sticking(contact, contact.spin).is_some());
        self.rolling = if self.controller.holds_spins() {
            if sticks { Rolling::Coupled } else { Rolling::Alone }
        } else if !self.can_be_coupled() {
            Rolling::Alone
        } else if sticks && (self.scrubs() || self.is_stiff_in(dt, sticks)) {
            Rolling::Coupled
        } else if !sticks && matches!(self.running_gear, RunningGear::Tyres) && self.is_stiff_in(dt, sticks) {
            Rolling::Driven
        } else {
            Rolling::Alone
        };
        let is_implicit = match self.running_gear {
            RunningGear::Tracks(_) => self.mover.is_ground(),
            RunningGear::Tyres | RunningGear::Rollers => matches!(self.rolling, Rolling::Driven | Rolling::Coupled),
        };
        self.controller.act_implicitly(is_implicit);
    }

    /// Whether some wheels have to slide sideways when the vehicle turns, so that friction at all of them decides how it does: axles that do
    /// not steer, or hinges that turn to any angle.
    fn scrubs(&self) -> bool {
        let across = || self.wheels.iter().filter(|wheel| wheel.parameters.rollers.is_none());
        let axle = across().next().map_or(0.0, |wheel| wheel.parameters.position.x);
        match self.steered {
            Steered::Nothing => across().any(|wheel| (wheel.parameters.position.x - axle).abs() > 1e-6),
            Steered::Hinges => true,
            Steered::Wheels(_) | Steered::FrontFrame(_) => false,
        }
    }

    /// Whether the wheels of a vehicle that no servo holds can be solved together with the body.
    fn can_be_coupled(&self) -> bool {
        self.slope == SlopeRule::Pulls
            && self.force_frame == ForceFrame::Turning
            && self.mover.is_ground()
            && !matches!(self.running_gear, RunningGear::Tracks(_))
            && !matches!(self.steered, Steered::FrontFrame(_))
            && self.differentials.is_none()
            && self.braking.is_none()
            && self.wheels.len() <= MAX_WHEELS
    }

    /// Whether gains and bearings would take back too much within a step of `dt` [s]; `sticks` says whether contacts stick.
    fn is_stiff_in(&self, dt: f64, sticks: bool) -> bool {
        let droop = self.controller.droop();
        let [gains, _] = self.droop_of_wheels(droop);
        let dampings = self.contacts.iter().map(|contact| self.bearing_damping(contact));
        let stiffness: Vec<f64> = gains.into_iter().zip(dampings).map(|(gain, damping)| gain + damping).collect();
        let slides = sticks && droop.sees_slip;
        let sliding = self.contacts.iter().zip(&stiffness).map(|(contact, stiffness)| stiffness / contact.inertia);
        (slides && sliding.fold(0.0, f64::max) * dt > MAX_PER_STEP_SLIDING)
            || self.rate_of_speeds(&stiffness) * dt > MAX_PER_STEP
    }

    /// The rate λ [1/s] at which the speed of the vehicle changes, at most, by torques that fall per spin of each wheel as `stiffness`
    /// [N·m·s/rad].
    fn rate_of_speeds(&self, stiffness: &[f64]) -> f64 {
        let center = self.inertia.center_of_mass;
        let motions = [Twist2::new(1.0, 0.0, 0.0), Twist2::new(0.0, 1.0, 0.0), Twist2::new(center.y, -center.x, 1.0)];
        let weights = [1.0 / self.inertia.mass, 1.0 / self.inertia.mass, 1.0 / self.inertia.yaw];
        let along = |wheel: &Wheel| motions.map(|motion| wheel.rolling_speed(motion));
        let row = |wheel: &Wheel| -> f64 {
            let own = along(wheel);
            let shares = self.wheels.iter().zip(stiffness).map(|(other, stiffness)| {
                let coupling: f64 = own.iter().zip(along(other)).zip(weights).map(|((a, b), w)| a * b * w).sum();
                coupling.abs() * stiffness / (other.parameters.radius * other.parameters.radius)
            });
            shares.sum()
        };
        self.wheels.iter().map(row).fold(0.0, f64::max)
    }

    /// Damping of the bearing of a wheel [N·m·s/rad] that acts on the spin before the step. Laws whose forces follow the slip solve theirs.
    fn bearing_damping(&self, contact: &WheelContact) -> f64 {
        // At a spin at which rolling resistance is saturated.
        self.law.sticking(&WheelContact { dt: 1.0, ..*contact }, 10.0).map_or(0.0, |sticking| sticking.losses_fall)
    }

    /// The share [-] of its motor's torque that each wheel has.
    fn shares_of_motors(&self) -> [f64; MAX_WHEELS] {
        let mut shares = [0.0; MAX_WHEELS];
        let actuation = Actuation { motor_torque: [1.0; MAX_MOTORS], ..Actuation::default() };
        if let Some(shares) = shares.get_mut(..self.wheels.len()) {
            self.drive.distribute(&actuation, &self.wheels, shares);
        }
        shares
    }

    /// Of the torque on each wheel: how much of it falls per spin [N·m·s/rad], and its limit [N·m].
    fn droop_of_wheels(&self, droop: Droop) -> [[f64; MAX_WHEELS]; 2] {
        // Those of differentials follow from the spins.
        let shares = if self.drive.drivetrain().is_some() { self.shares_of_motors() } else { self.motor_shares };
        let mut gains = [0.0; MAX_WHEELS];
        for ((gain, wheel), share) in gains.iter_mut().zip(&self.wheels).zip(shares) {
            *gain = share * droop.gain * wheel.parameters.radius;
        }
        let limits = shares.map(|share| if share == 0.0 { 0.0 } else { share * droop.max_torque });
        [gains, limits]
    }

    /// Sets the motors of the wheels that are solved together with the body. Whether they are in this step; else they roll on their own.
    /// `is_held_back` says whether brakes balance a slope.
    #[inline(never)]
    pub(super) fn set_motors(&mut self, actuation: &Actuation, is_held_back: bool) -> bool {
        if let Some(servos) = &actuation.servos {
            for (wheel, servo) in self.coupled.iter_mut().zip(servos) {
                let &SpinServo { spin, gain, torque, max_torque } = servo;
                let motor =
                    Motor { spin, torque, gain, sees_slip: true, max_torque, held_back: 0.0, never_reverses: false };
                wheel.motor = (max_torque > 0.0).then_some(motor);
            }
            for pair in self.coupled.chunks_mut(2) {
                let is_paired = pair.len() == 2 && pair.iter().all(|wheel| wheel.motor.is_some());
                pair.iter_mut().for_each(|wheel| wheel.is_paired = is_paired);
            }
            return true;
        } else if self.controller.holds_spins() {
            return false;
        }
        let droop = self.controller.droop();
        let count = self.coupled.len();
        // Shares behind differentials follow from the spins.
        if self.drive.drivetrain().is_some() {
            self.motor_shares = self.shares_of_motors();
        }
        for (index, (wheel, contact)) in self.coupled.iter_mut().zip(&self.contacts).enumerate() {
            let (torque, share) = (self.torque[index], self.motor_shares[index]);
            let gain = share * droop.gain * contact.radius;
            // A motor that the controller leaves without torque gives none, and one without a controller has no limit.
            let (gain, max_torque) =
                if gain == 0.0 || torque == 0.0 { (0.0, f64::INFINITY) } else { (gain, share * droop.max_torque) };
            wheel.is_paired = index ^ 1 < count;
            wheel.motor = Some(Motor {
                spin: contact.spin,
                torque,
                gain,
                sees_slip: droop.sees_slip,
                max_torque,
                held_back: contact.torque - torque,
                never_reverses: is_held_back && self.slowed[index],
            });
        }
        true
    }

    /// What turns the left and the right track. `is_held_back` says whether brakes balance a slope.
    pub(super) fn motors_of_tracks(&self, tracks: &Tracks, is_held_back: bool) -> [Motor; 2] {
        let droop = self.controller.droop();
        [0, 1].map(|side| {
            let wheels = || (0..tracks.road_wheels).map(|k| tracks.wheel(side, k));
            let contact = &self.contacts[tracks.wheel(side, 0)];
            let torque: f64 = wheels().map(|wheel| self.torque[wheel]).sum();
            let all: f64 = wheels().map(|wheel| self.contacts[wheel].torque).sum();
            // A motor that the controller leaves without torque gives none, and one without a controller has no limit.
            let gain = if torque == 0.0 { 0.0 } else { droop.gain * contact.radius };
            let max_torque = if gain == 0.0 { f64::INFINITY } else { droop.max_torque };
            Motor {
                spin: contact.spin,
                torque,
                gain,
                sees_slip: true,
                max_torque,
                held_back: all - torque,
                never_reverses: is_held_back && wheels().any(|wheel| self.slowed[wheel]),
            }
        })
    }

    /// The same for wheels that roll on their own: sets the torques of their contacts.
    #[inline(never)]
    pub(super) fn let_torques_fall(&mut self) {
        let [gains, limits] = self.droop_of_wheels(self.controller.droop());
        for (index, contact) in self.contacts.iter_mut().enumerate().filter(|(_, contact)| contact.torque != 0.0) {
            let gain = gains[index];
            if gain > 0.0 {
                let held_back = contact.torque - self.torque[index];
                let servo = SpinServo {
                    spin: contact.spin + self.torque[index] / gain,
                    gain,
                    torque: 0.0,
                    max_torque: limits[index],
                };
                contact.torque = servo.torque(&*self.law, contact, self.brake_torque[index]) + held_back;
            }
        }
    }
}
