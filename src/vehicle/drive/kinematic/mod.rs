//! Kinematic models in worlds, `<dynamics class="unicycle|kinematic_differential|kinematic_bicycle">`.
//!
//! The laws and their sources are those of [`law`]. Wheels roll without slip; there are no
//! forces, so that neither tyres nor slopes have an effect. An obstacle stops the body for as long as it blocks the way.
//!
//! * `unicycle` moves its reference point along the body's x axis with v and turns with ω.
//! * `kinematic_differential` turns its two wheels as fast as v and ω ask, each no faster than `max_wheel_speed`, and moves as
//!   they roll: about the ICR on their axle.
//! * `kinematic_bicycle` is a car. The speed of an Ackermann command is that of `reference` along its path (v in
//!   S. Waslander and J. Kelly, "Introduction to Self-Driving Cars", module 4); of a velocity command, along the body's x axis. With
//!   `input="rate"` the steering angle follows the commanded one with at most `max_steer_rate_deg`.
//!
//! ```xml
//! <dynamics class="unicycle" integration="exact">       exact, euler, midpoint or rk4
//!   <l_wheel …/> <r_wheel …/> <chassis …/>              as for class differential; they roll along
//!   <controller class="twist_ideal">…</controller>      the default
//! </dynamics>
//! <dynamics class="kinematic_differential" integration="exact">
//!   <l_wheel …/> <r_wheel …/> <chassis …/>
//!   <max_wheel_speed>0</max_wheel_speed>                [rad/s], ≥ 0; 0: no limit
//! </dynamics>
//! <dynamics class="kinematic_bicycle" integration="exact"
//!           reference="rear"                            rear, front or cog: which point the speed is that of
//!           input="angle">                              angle or rate
//!   <rl_wheel …/> … <chassis …/>                        as for class ackermann; the centre of gravity is theirs
//!   <max_steer_rate_deg>30</max_steer_rate_deg>         [deg/s], > 0; with input="rate"
//! </dynamics>
//! ```

pub mod law;

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use self::law::{BicycleState, Integration, KinematicBicycle, Reference, TwoWheels, rate_towards, unicycle};
use super::ackermann::{Ackermann, read_parts};
use super::differential::read_two_wheels;
use super::{DriveParts, Steering};
use crate::WheelFrame;
use crate::motion_model::{Motion, MotionInput, MotionModel, roll_along};
use crate::total_inertia;
use crate::wheel::{Wheel, WheelParameters};

/// Motion of a point along its heading.
struct Unicycle {
    integration: Integration,
}

impl MotionModel for Unicycle {
    fn advance(&mut self, input: MotionInput<'_>) -> Motion {
        let wanted = input.actuation.imposed_velocity.unwrap_or_default();
        Motion {
            body_from_next: unicycle(Pose2::IDENTITY, wanted.vx, wanted.wz, input.dt, self.integration),
            velocity_in_body: Twist2::new(wanted.vx, 0.0, wanted.wz),
        }
    }

    fn takes_speed_at_once(&self) -> bool {
        true
    }
}

/// Motion of two rolling wheels.
struct Differential {
    wheels: TwoWheels,
    /// x of the axle [m].
    axle_x: f64,
    /// Largest wheel speed [rad/s].
    max_wheel_speed: f64,
    integration: Integration,
}

impl MotionModel for Differential {
    fn advance(&mut self, input: MotionInput<'_>) -> Motion {
        let wanted = input.actuation.imposed_velocity.unwrap_or_default();
        let most = self.max_wheel_speed;
        let spin = self.wheels.spin(wanted.vx, wanted.wz).map(|spin| spin.clamp(-most, most));
        let velocity = self.wheels.velocity(spin);
        let displacement = unicycle(Pose2::IDENTITY, velocity.vx, velocity.wz, input.dt, self.integration);
        Motion::of_point(Vec2::new(self.axle_x, 0.0), displacement, velocity)
    }

    fn speed_demand(&self, velocity_in_body: Twist2) -> f64 {
        let spin = self.wheels.spin(velocity_in_body.vx, velocity_in_body.wz);
        spin.into_iter().fold(0.0, |most: f64, spin| most.max(spin.abs())) / self.max_wheel_speed
    }

    fn takes_speed_at_once(&self) -> bool {
        true
    }
}

/// Motion of a car on rolling wheels.
struct Bicycle {
    model: KinematicBicycle,
    steering: Steering,
    /// The reference point [m] in the body frame.
    point: Vec2,
    integration: Integration,
    /// Largest steering rate [rad/s]; none: the angle is the input.
    max_rate: Option<f64>,
    /// δ [rad].
    angle: f64,
}

impl MotionModel for Bicycle {
    fn advance(&mut self, input: MotionInput<'_>) -> Motion {
        let actuation = input.actuation;
        let most = self.steering.max_angle;
        let wanted_angle = input.steering_angle.clamp(-most, most);
        let rate = match self.max_rate {
            Some(max_rate) => rate_towards(self.angle, wanted_angle, max_rate, input.dt),
            None => {
                self.angle = wanted_angle;
                0.0
            }
        };
        let end_angle = self.angle + rate * input.dt;
        let wanted = actuation.imposed_velocity.unwrap_or_default().vx;
        let v = if actuation.speed_along_path { wanted } else { self.model.path_speed(wanted, end_angle) };
        let start = BicycleState { pose: Pose2::IDENTITY, steering_angle: self.angle };
        let end = self.model.advance(start, v, rate, input.dt, self.integration);
        self.angle = end.steering_angle.clamp(-most, most);
        Motion::of_point(self.point, end.pose, self.model.velocity(v, self.angle))
    }

    fn takes_speed_at_once(&self) -> bool {
        true
    }

    fn path_speed(&self, velocity_in_body: Twist2) -> f64 {
        self.model.path_speed(velocity_in_body.vx, self.angle)
    }

    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
        Ackermann::steer(&self.steering, self.angle, wheels);
        roll_along(velocity_in_body, wheels, frames, dt);
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    fn reset(&mut self) {
        self.angle = 0.0;
    }
}

fn read_integration(reader: &Reader<'_>) -> Integration {
    reader.attribute_choice("integration", Integration::Exact, &Integration::NAMES)
}

/// Reads class `unicycle`.
pub(super) fn read_unicycle(reader: &Reader<'_>) -> DriveParts {
    let motion = Unicycle { integration: read_integration(reader) };
    DriveParts { motion: Some(Box::new(motion)), ..read_two_wheels(reader) }
}

/// Reads class `kinematic_differential`.
pub(super) fn read_differential(reader: &Reader<'_>) -> DriveParts {
    let parts = read_two_wheels(reader);
    let limit = reader.f64("max_wheel_speed", 0.0, Accept::non_negative());
    let (left, right) = (&parts.wheels[0], &parts.wheels[1]);
    let motion = Differential {
        wheels: TwoWheels { radius: [left.radius, right.radius], y: [left.position.y, right.position.y] },
        axle_x: 0.5 * (left.position.x + right.position.x),
        max_wheel_speed: if limit > 0.0 { limit } else { f64::INFINITY },
        integration: read_integration(reader),
    };
    DriveParts { motion: Some(Box::new(motion)), ..parts }
}

/// Reads class `kinematic_bicycle`.
pub(super) fn read_bicycle(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    let (rear, _) = axle_centres(&wheels);
    let standing: Vec<Wheel> = wheels.iter().cloned().map(Wheel::new).collect();
    let center = total_inertia(&chassis, &standing).center_of_mass;
    let model = KinematicBicycle {
        wheelbase: steering.wheelbase,
        rear_to_cog: center.x - rear.x,
        reference: reader.attribute_choice("reference", Reference::Rear, &Reference::NAMES),
    };
    let takes_rate = reader.attribute_choice("input", false, &[("angle", false), ("rate", true)]);
    let max_rate = reader.degrees("max_steer_rate_deg", 30.0_f64.to_radians(), Accept::positive());
    let motion = Bicycle {
        model,
        steering,
        point: rear + Vec2::new(model.reference_from_rear(), 0.0),
        integration: read_integration(reader),
        max_rate: takes_rate.then_some(max_rate),
        angle: 0.0,
    };
    DriveParts::one_body(Box::new(Ackermann::new(steering)), wheels, chassis, Some(Box::new(motion)))
}

/// Centres of the rear and the front axle [m] of four wheels in the order rear left, rear right, front left, front right.
pub(super) fn axle_centres(wheels: &[WheelParameters]) -> (Vec2, Vec2) {
    let centre = |a: usize| 0.5 * (wheels[a].position + wheels[a + 1].position);
    (centre(0), centre(2))
}
