//! Throttle and brake without slip, `<dynamics class="longitudinal">`: longitudinal forces, combined with a kinematic bicycle
//! for the path.
//!
//! Law and sources are those of [`law`]; the centre of the rear axle moves
//! along the heading and turns with v·tan δ/L. The drive force comes from the `<powertrain>`, or without one from a single motor:
//! the torque of the controller, limited to `max_power` at the wheels. Air drag and rolling resistance are those of
//! `<resistance>`, the brakes those of `<brakes>`. When a controller commands the vehicle to stand, a brake holds as much as the
//! ground can.
//!
//! ```xml
//! <dynamics class="longitudinal">
//!   <rl_wheel …/> … <chassis …/>          as for class ackermann
//!   <mu>0.9</mu>                          friction coefficient [-], ≥ 0; a property_region has its own
//!   <max_power>0</max_power>              of the motor [W], ≥ 0; 0: no limit
//!   <powertrain>…</powertrain> <resistance>…</resistance> <brakes>…</brakes> <steering_actuator …/>
//!   <controller class="speed_pedals">…</controller>   pedals, speed_pedals, raw, front_steer_pid, twist_front_steer_pid
//! </dynamics>
//! ```
//! Frames show the force of the ground shared among the wheels by load.
//!
//! Not modelled: slip, spinning and locked wheels (a force beyond the grip is cut off, the engine does not race), and the
//! drag of cornering.

pub mod law;

use skidpad_math::{Pose2, Twist2, Vec2, advance};
use skidpad_xml::{Accept, Reader};

use self::law::{Longitudinal, LongitudinalInput};
use super::ackermann::{Ackermann, read_parts};
use super::kinematic::axle_centres;
use super::{DriveParts, Steering};
use crate::WheelFrame;
use crate::motion_model::{Motion, MotionInput, MotionModel, roll_along};
use crate::pairs::sum_by_pairs;
use crate::powertrain::ShaftResponse;
use crate::total_inertia;
use crate::wheel::Wheel;

/// Longitudinal motion of a vehicle with pedals.
struct LongitudinalMotion {
    law: Longitudinal,
    steering: Steering,
    /// Centre of the rear axle [m] in the body frame.
    rear: Vec2,
    /// Mean radius of the wheels [m].
    radius: f64,
    mu: f64,
    /// Largest power [W].
    max_power: f64,
    /// v [m/s].
    speed: f64,
    /// Force of the ground on all wheels together in the last step [N].
    force: f64,
}

impl LongitudinalMotion {
    /// Drive force over the step [N], given the other forces.
    fn drive(&self, input: &mut MotionInput<'_>, other_forces: &LongitudinalInput<'_>) -> f64 {
        if let Some(powertrain) = &mut input.powertrain {
            let free = self.law.advance(self.speed, other_forces, input.dt).speed;
            let stands = self.speed == 0.0 && free == 0.0 && other_forces.brake > 0.0;
            let per_torque = input.dt / (self.law.effective_mass() * self.radius * self.radius);
            let shaft =
                ShaftResponse { speed_free: free / self.radius, compliance: if stands { 0.0 } else { per_torque } };
            return powertrain.step(input.actuation.pedals, shaft, input.dt) / self.radius;
        }
        let force = input.actuation.motor_torque[0] / self.radius;
        if force * self.speed > self.max_power { self.max_power / self.speed } else { force }
    }
}

impl MotionModel for LongitudinalMotion {
    fn advance(&mut self, mut input: MotionInput<'_>) -> Motion {
        let count = input.ground.len().max(1) as f64;
        let mu = sum_by_pairs(input.ground.iter().map(|ground| ground.mu.unwrap_or(self.mu))) / count;
        let rolling = input.ground.iter().map(|ground| ground.rolling_resistance.unwrap_or_default());
        let ground_rolling = sum_by_pairs(rolling) / count;
        let grip = mu * self.law.mass * input.gravity_into_ground;
        let shall_stand = input.actuation.stand_below.is_some_and(|limit| self.speed.abs() <= limit);
        // Wind pushes with the force at the start of the step, as gravity does; drag in calm air is part of the law.
        let gravity_along = input.gravity_in_body.x;
        let (drag, pull) = match input.resistance.wind_in_body {
            None => (input.resistance.drag, gravity_along),
            Some(_) => {
                let push = input.resistance.air(Vec2::new(self.speed, 0.0)).x;
                (0.0, gravity_along + push / self.law.mass)
            }
        };
        let mut acting = LongitudinalInput {
            drive: 0.0,
            brake: if shall_stand { grip } else { input.brake_torque / self.radius },
            grip,
            gravity_along: pull,
            gravity_into_ground: input.gravity_into_ground,
            ground_rolling,
            drag,
            resistance: input.resistance,
        };
        acting.drive = self.drive(&mut input, &acting);
        let dt = input.dt;
        let before = self.speed;
        let end = self.law.advance(before, &acting, dt);
        self.speed = end.speed;
        let air = acting.air(0.5 * (before + end.speed));
        self.force = self.law.mass * ((end.speed - before) / dt - acting.gravity_along) - air;
        let most = self.steering.max_angle;
        let turn = libm::tan(input.steering_angle.clamp(-most, most)) / self.steering.wheelbase;
        let mean = end.distance / dt;
        let displacement = advance(Pose2::IDENTITY, Twist2::new(mean, 0.0, mean * turn), dt);
        Motion::of_point(self.rear, displacement, Twist2::new(end.speed, 0.0, end.speed * turn))
    }

    fn correct_velocity(&mut self, velocity_in_body: Twist2) {
        self.speed = velocity_in_body.at_point(self.rear).x;
    }

    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
        roll_along(velocity_in_body, wheels, frames, dt);
        let total = sum_by_pairs(frames.iter().map(|frame| frame.load));
        let per_load = if total > 0.0 { self.force / total } else { 0.0 };
        for (frame, wheel) in frames.iter_mut().zip(wheels) {
            frame.force_in_wheel = Vec2::new(per_load * frame.load, 0.0);
            frame.torque = frame.force_in_wheel.x * wheel.parameters.radius;
        }
    }

    fn takes_powertrain(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        (self.speed, self.force) = (0.0, 0.0);
    }
}

/// Reads class `longitudinal`.
pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    let standing: Vec<Wheel> = wheels.iter().cloned().map(Wheel::new).collect();
    let max_power = reader.f64("max_power", 0.0, Accept::non_negative());
    let motion = LongitudinalMotion {
        law: Longitudinal {
            mass: total_inertia(&chassis, &standing).mass,
            rotating_mass: wheels.iter().map(|wheel| wheel.inertia / (wheel.radius * wheel.radius)).sum(),
        },
        steering,
        rear: axle_centres(&wheels).0,
        radius: wheels.iter().map(|wheel| wheel.radius).sum::<f64>() / wheels.len() as f64,
        mu: reader.f64("mu", 0.9, Accept::non_negative()),
        max_power: if max_power > 0.0 { max_power } else { f64::INFINITY },
        speed: 0.0,
        force: 0.0,
    };
    DriveParts::one_body(Box::new(Ackermann::new(steering)), wheels, chassis, Some(Box::new(motion)))
}
