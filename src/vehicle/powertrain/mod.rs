//! Powertrains: from the throttle pedal through engine, coupling and gearbox to the differentials, and from the wheels back to the
//! engine.
//!
//! ```xml
//! <dynamics class="ackermann_drivetrain">
//!   <drivetrain type="open_rear"/>                 differentials, see drivetrain
//!   <powertrain>
//!     <engine type="gasoline">…</engine>           see engine
//!     <coupling type="torque_converter">…</coupling>   see coupling
//!     <gearbox>…</gearbox>                         see gearbox
//!   </powertrain>
//!   <controller class="pedals"/>                   only controllers with pedals
//! </dynamics>
//! ```
//! Each of the three may be left out and has defaults: those of a compact car.
//!
//! While the coupling sticks, engine and shaft turn as one: T_e = J_e·ω̇_e + GR·r·F_load with GR = ω_w/ω_e and
//! J_e = I_e + I_t + I_w·GR² + m·GR²·r² (S. Waslander and J. Kelly, "Introduction to Self-Driving Cars", University of Toronto, Coursera,
//! module 4).
//! The equations are solved for the end of the step (implicit Euler): the shaft responds to a torque T with the speed ω =
//! free + compliance·T ([`ShaftResponse`]), the engine with its torque at its new speed, and the coupling between them
//! sticks, slips or flows. That is stable at any step, for any inertia, and on tyres of any stiffness.
//!
//! Not modelled: shaft wind-up, engine mounts, reaction of the engine's rotation on the body.

pub mod converter;
pub mod coupling;
pub mod engine;
pub mod gearbox;
mod root;

use skidpad_xml::Reader;

use super::command::Pedals;
use super::drive::drivetrain::{Axles, Drivetrain, Source};
use crate::PowertrainFrame;
pub use converter::TorqueConverter;
pub use coupling::{Clutch, Coupling};
pub use engine::{Engine, TorqueCurve};
pub use gearbox::{Gearbox, ShiftLogic};
use root::root_near;

/// Response of the shaft behind the gearbox, which drives the differentials, to a torque during one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShaftResponse {
    /// Speed at the end of the step if no torque acts on the shaft [rad/s], forward positive.
    pub speed_free: f64,
    /// Gain of speed at the end of the step per unit of torque [rad/s/(N·m)], ≥ 0. For a vehicle of effective mass m
    /// on wheels of radius r this is dt/(m·r²).
    pub compliance: f64,
}

/// A consistent solution for the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Solution {
    /// Torque on the shaft [N·m], forward positive.
    pub(crate) torque: f64,
    /// Speed of the shaft at the end of the step [rad/s].
    pub(crate) shaft_speed: f64,
    engine_speed: f64,
    engine_torque: f64,
    input_speed: f64,
}

/// Engine to final drive, with its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Powertrain {
    /// The engine.
    pub engine: Engine,
    /// The coupling to the gearbox.
    pub coupling: Coupling,
    /// Gearbox and final drive.
    pub gearbox: Gearbox,
    /// Speed of the engine [rad/s].
    engine_speed: f64,
    /// Torque of the engine in the last step [N·m].
    engine_torque: f64,
    /// Speed of the gearbox's input shaft, which is that of the turbine [rad/s].
    input_speed: f64,
    /// Speed of the shaft to the differentials [rad/s].
    shaft_speed: f64,
    /// Whether the lock-up clutch is closed.
    locked_up: bool,
    /// Throttle of the engine [-].
    throttle: f64,
    /// Pedals of the last step.
    pedals: Pedals,
    /// The gearbox's ratio in the last step.
    ratio: f64,
}

impl Powertrain {
    /// A powertrain at rest, its engine idling.
    pub fn new(engine: Engine, coupling: Coupling, gearbox: Gearbox) -> Powertrain {
        let mut powertrain = Powertrain {
            engine,
            coupling,
            gearbox,
            engine_speed: 0.0,
            engine_torque: 0.0,
            input_speed: 0.0,
            shaft_speed: 0.0,
            locked_up: false,
            throttle: 0.0,
            pedals: Pedals::default(),
            ratio: 0.0,
        };
        powertrain.reset();
        powertrain
    }

    /// Reads `<powertrain>` of `<dynamics>`; none where there is no such block.
    pub fn read(dynamics: &Reader<'_>) -> Option<Powertrain> {
        let reader = dynamics.child("powertrain")?;
        let engine = match reader.child("engine") {
            Some(tag) => {
                let engine = Engine::read(&tag);
                tag.finish();
                engine
            }
            None => Engine::new(TorqueCurve::gasoline(150.0, 85e3), false),
        };
        let tag = reader.child("coupling");
        let coupling = Coupling::read(tag.as_ref(), &engine);
        if let Some(tag) = tag {
            tag.finish();
        }
        let tag = reader.child("gearbox");
        let gearbox = Gearbox::read(tag.as_ref(), &engine);
        if let Some(tag) = tag {
            tag.finish();
        }
        reader.finish();
        Some(Powertrain::new(engine, coupling, gearbox))
    }

    /// One step of `dt` [s] with these pedals against a shaft with the response `shaft`. Returns the torque on the shaft [N·m],
    /// forward positive. The service brakes are not included.
    pub fn step(&mut self, pedals: Pedals, shaft: ShaftResponse, dt: f64) -> f64 {
        self.prepare(pedals, dt);
        let solution = self.solve(shaft, dt);
        self.accept(&solution);
        solution.torque
    }

    /// Applies the driver's pedals to gearbox and engine for a step of `dt` [s].
    pub(crate) fn prepare(&mut self, pedals: Pedals, dt: f64) {
        self.pedals = pedals;
        self.gearbox.update(pedals.gear, pedals.throttle, self.shaft_speed, dt);
        let ratio = self.gearbox.ratio();
        if ratio != self.ratio {
            // The synchronisers bring the input shaft to the speed of the new gear.
            self.input_speed = ratio * self.shaft_speed;
            self.ratio = ratio;
        }
        self.throttle = if self.gearbox.is_shifting() { 0.0 } else { pedals.throttle.clamp(0.0, 1.0) };
        if let Coupling::Converter(converter) = &self.coupling {
            self.locked_up =
                ratio > 0.0 && converter.is_locked_up(self.locked_up, self.gearbox.gear(), self.input_speed);
        }
    }

    /// Solves for the end of a step of `dt` [s] against a shaft with the response `shaft`, without changing the state.
    pub(crate) fn solve(&self, shaft: ShaftResponse, dt: f64) -> Solution {
        let ratio = self.ratio;
        if ratio == 0.0 {
            let engine_speed = self.engine_alone(|_| 0.0, 0.0, dt);
            return Solution {
                torque: 0.0,
                shaft_speed: shaft.speed_free,
                engine_speed,
                engine_torque: self.engine.torque(self.throttle, engine_speed),
                input_speed: engine_speed,
            };
        }
        let input = Input::new(self, shaft, dt);
        let (engine_speed, torque) = match &self.coupling {
            Coupling::Rigid => {
                let torque = self.stuck(&input, dt);
                (input.speed(torque), torque)
            }
            Coupling::Clutch(clutch) => self.through_clutch(clutch, &input, dt),
            Coupling::Converter(_) if self.locked_up => {
                let closed = Clutch { capacity: 2.0 * self.engine.curve.peak(), engage_speed: -1.0, full_speed: 0.0 };
                self.through_clutch(&closed, &input, dt)
            }
            Coupling::Converter(converter) => self.through_converter(converter, &input, dt),
        };
        let input_speed = input.speed(torque);
        let inertial = self.gearbox.inertia * (input_speed - self.input_speed) / dt;
        Solution {
            torque: ratio * (input.after_losses(torque) - inertial),
            shaft_speed: input_speed / ratio,
            engine_speed,
            engine_torque: self.engine.torque(self.throttle, engine_speed),
            input_speed,
        }
    }

    /// Applies the result of [`Powertrain::solve`] to the state.
    pub(crate) fn accept(&mut self, solution: &Solution) {
        self.engine_speed = solution.engine_speed;
        self.engine_torque = solution.engine_torque;
        self.input_speed = solution.input_speed;
        self.shaft_speed = solution.shaft_speed;
    }

    /// Upper bound of the engine torque at these speeds [N·m].
    fn torque_bound(&self, speed: f64) -> f64 {
        let engine = &self.engine;
        let drag = (engine.drag[0] + engine.drag[1]) * (2.0 + speed.abs() / engine.max_speed);
        2.0 * engine.curve.peak() + drag
    }

    /// Speed of the engine [rad/s] after a step against `load` [N·m], a function of its speed within ±`most` [N·m]: I·(ω'
    /// − ω)/dt = T_e(ω') − load(ω').
    fn engine_alone(&self, load: impl Fn(f64) -> f64, most: f64, dt: f64) -> f64 {
        let (omega, per_speed) = (self.engine_speed, self.engine.inertia / dt);
        let reach = (self.torque_bound(omega) + most) / per_speed;
        let low = if self.engine.electric { omega - reach } else { (omega - reach).max(0.0) };
        root_near(omega, per_speed, [low, (omega + reach).max(low)], |speed| {
            per_speed * (speed - omega) - self.engine.torque(self.throttle, speed) + load(speed)
        })
    }

    /// Torque [N·m] through a sticking coupling, which gives engine and input shaft the same speed.
    fn stuck(&self, input: &Input, dt: f64) -> f64 {
        let (omega, inertia) = (self.engine_speed, self.engine.inertia);
        let (free, bound) = (input.speed(0.0), self.torque_bound(omega.abs().max(input.speed(0.0).abs())));
        let inertial = inertia * (free - omega) / dt;
        root_near(0.0, 1.0, [(-bound - inertial).min(0.0), (bound - inertial).max(0.0)], |torque| {
            let speed = input.speed(torque);
            torque - self.engine.torque(self.throttle, speed) + inertia * (speed - omega) / dt
        })
    }

    /// Engine speed [rad/s] and torque through a friction clutch [N·m].
    fn through_clutch(&self, clutch: &Clutch, input: &Input, dt: f64) -> (f64, f64) {
        let torque = self.stuck(input, dt);
        let speed = input.speed(torque);
        if torque.abs() <= clutch.limit(speed) {
            return (speed, torque);
        }
        if torque > 0.0 {
            let speed = self.engine_alone(|speed| clutch.limit(speed), clutch.capacity, dt);
            return (speed, clutch.limit(speed));
        }
        // The shaft drags the engine up.
        let limit = -clutch.limit(self.input_speed.max(self.engine_speed));
        (self.engine_alone(|_| limit, clutch.capacity, dt), limit)
    }

    /// Engine speed [rad/s] and torque of the turbine [N·m].
    fn through_converter(&self, converter: &TorqueConverter, input: &Input, dt: f64) -> (f64, f64) {
        let fastest = self.engine_speed.abs().max(input.free.abs());
        let most = 4.0 * converter.largest_torque(fastest);
        let torques = |pump: f64| {
            let torques = converter.torques(pump, input.free);
            if input.compliance == 0.0 || torques[1] == 0.0 {
                return torques;
            }
            let per_speed = 1.0 / (input.compliance * input.share_after_losses(torques[1]));
            converter.balanced_torques(pump, input.free, per_speed)
        };
        let speed = self.engine_alone(|pump| torques(pump)[0], most, dt);
        (speed, torques(speed)[1])
    }

    /// One step of `dt` [s] of a vehicle that stands on locked wheels.
    pub fn stand(&mut self, pedals: Pedals, dt: f64) -> PowertrainFrame {
        self.step(pedals, ShaftResponse::default(), dt);
        self.frame()
    }

    /// Writes the torque on each wheel into the contacts of `axles` for a step of `dt` [s], and advances the engine by it.
    pub(crate) fn drive(
        &mut self,
        pedals: Pedals,
        drivetrain: &Drivetrain,
        axles: &mut Axles<'_>,
        dt: f64,
    ) -> PowertrainFrame {
        self.prepare(pedals, dt);
        if let Some(solution) = drivetrain.drive(&Source::Powertrain(self), axles, dt) {
            self.accept(&solution);
        }
        self.frame()
    }

    /// State after the last step.
    pub fn frame(&self) -> PowertrainFrame {
        PowertrainFrame {
            engine_speed: self.engine_speed,
            engine_torque: self.engine_torque,
            gear: self.gearbox.gear(),
            throttle: self.pedals.throttle,
            brake: self.pedals.brake,
        }
    }

    /// To be called after the vehicle was placed elsewhere at rest: the engine idles in first gear.
    pub fn halt(&mut self) {
        self.gearbox.reset();
        self.engine_speed = self.engine.idle_speed;
        self.engine_torque = 0.0;
        self.input_speed = 0.0;
        self.shaft_speed = 0.0;
        self.locked_up = false;
        self.ratio = 0.0;
    }

    /// Back to the start: engine idling, first gear.
    pub fn reset(&mut self) {
        self.halt();
        self.throttle = 0.0;
        self.pedals = Pedals::default();
    }
}

/// Speed [rad/s] below which the gears do not count as turning backwards: rounding must not decide the direction of losses.
const AT_REST: f64 = 1e-3;

/// The gearbox's input shaft as the coupling sees it, including everything behind it.
struct Input {
    /// Speed after the step without torque from the coupling [rad/s].
    free: f64,
    /// Gain of speed per unit of torque that the gears transmit [rad/s/(N·m)].
    compliance: f64,
    efficiency: f64,
}

impl Input {
    fn new(powertrain: &Powertrain, shaft: ShaftResponse, dt: f64) -> Input {
        let (i, gearbox) = (powertrain.ratio, &powertrain.gearbox);
        let held = gearbox.inertia / dt;
        let share = 1.0 / (1.0 + shaft.compliance * i * i * held);
        Input {
            free: share * i * (shaft.speed_free + shaft.compliance * i * held * powertrain.input_speed),
            compliance: share * i * i * shaft.compliance,
            efficiency: gearbox.efficiency,
        }
    }

    /// Torque that the gears transmit [N·m] for this torque from the coupling. The driving side bears the losses: the wheels when
    /// overrunning and when the vehicle rolls back.
    fn after_losses(&self, torque: f64) -> f64 {
        torque * self.share_after_losses(torque)
    }

    /// The share [-] of a torque in this direction that the gears transmit.
    fn share_after_losses(&self, torque: f64) -> f64 {
        let drives = if self.free < -AT_REST { torque <= 0.0 } else { torque >= 0.0 };
        if drives { self.efficiency } else { 1.0 / self.efficiency }
    }

    /// Speed after the step [rad/s] with this torque from the coupling [N·m].
    fn speed(&self, torque: f64) -> f64 {
        self.free + self.compliance * self.after_losses(torque)
    }
}

#[cfg(test)]
mod tests;
