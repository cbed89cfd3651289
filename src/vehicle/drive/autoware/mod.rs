//! The vehicle models of Autoware's `simple_planning_simulator` in worlds, `<dynamics class="autoware">`, by their `vehicle_model_type`.
//!
//! Laws and sources are those of [`law`]. Wheels roll without slip. Models that take a speed have the
//! controller `twist_ideal`. Those that take an acceleration are driven by pedals, of which each gives up to `vel_rate_lim` [m/s²]: Autoware's
//! acceleration a is the throttle a/`vel_rate_lim` or, if it is negative, the brake −a/`vel_rate_lim`. Of a model without gears a negative
//! acceleration that shall drive through zero is throttle in reverse.
//!
//! ```xml
//! <dynamics class="autoware"
//!           vehicle_model_type="DELAY_STEER_ACC_GEARED">   or IDEAL_STEER_VEL, IDEAL_STEER_ACC, IDEAL_STEER_ACC_GEARED, DELAY_STEER_VEL,
//!                                             DELAY_STEER_ACC, DELAY_STEER_ACC_GEARED_WO_FALL_GUARD, DELAY_STEER_MAP_ACC_GEARED
//!   <rl_wheel …/> … <chassis …/>              as for class ackermann
//!   <steer_lim>1.0</steer_lim>                [rad], > 0; or max_steer_ang_deg, if that is smaller
//!   <vel_lim>50</vel_lim>                     [m/s], > 0
//!   <vel_rate_lim>7</vel_rate_lim>            [m/s²], > 0
//!   <steer_rate_lim>5</steer_rate_lim>        [rad/s], > 0
//!   <acc_time_delay>0.1</acc_time_delay>      [s], 0 to 5; of an acceleration
//!   <acc_time_constant>0.1</acc_time_constant>      [s], ≥ 0.03
//!   <vel_time_delay>0.25</vel_time_delay>     [s], 0 to 5; of a speed
//!   <vel_time_constant>0.5</vel_time_constant>      [s], ≥ 0.03
//!   <steer_time_delay>0.24</steer_time_delay> [s], 0 to 5
//!   <steer_time_constant>0.27</steer_time_constant> [s], ≥ 0.03
//!   <steer_dead_band>0</steer_dead_band>      [rad], ≥ 0
//!   <steer_bias>0</steer_bias>                [rad]
//!   <acceleration_map_path>map.csv</acceleration_map_path>   file, or none, for DELAY_STEER_MAP_ACC_GEARED
//!   <controller class="speed_pedals">…</controller>   twist_ideal of a speed; pedals, speed_pedals of an acceleration
//! </dynamics>
//! ```
//! Tags that a model has no use for are read and have no effect, so that one set of parameters fits all of them, as in Autoware: ideal models have
//! the limits of `max_steer_ang_deg` and of the pedals only. The slope under
//! the vehicle is added to a commanded acceleration, before its dead time, and acts at once in the model without fall guard.
//!
//! The map is a CSV file as Autoware's: in its first line speeds [m/s], in the first column of each other line a commanded acceleration [m/s²], beside
//! it the accelerations [m/s²] that it leads to at these speeds; all positive along the vehicle, so that throttle in reverse is negative, as are speeds.
//! It is linear between these numbers and constant beyond them.
//!
//! ```text
//! default,0,20
//! -4,-4,-4
//! 0,0,0
//! 4,4,2
//! ```
//! Not modelled: slip, mass, forces, and what Autoware derives from positions of pedals (`ACTUATION_CMD`), for which there are rigid bodies with a
//! powertrain.

pub mod command_map;
mod command_map_file;
pub mod law;

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use self::law::{AutowareModel, AutowareVehicle, Input, MIN_TIME_CONSTANT, Parameters, Speed};
use super::ackermann::{Ackermann, read_parts};
use super::kinematic::axle_centres;
use super::{DriveKind, DriveParts, Steering};
use crate::WheelFrame;
use crate::motion_model::{AccelerationInput, Motion, MotionInput, MotionModel, roll_along};
use crate::wheel::Wheel;

/// Names the file with the map of accelerations.
const MAP: &str = "acceleration_map_path";
/// Longest dead time [s].
const MAX_DELAY: f64 = 5.0;

/// A vehicle of Autoware's on rolling wheels.
struct AutowareMotion {
    model: AutowareModel,
    vehicle: AutowareVehicle,
    steering: Steering,
    /// Centre of the rear axle [m] in the body frame.
    rear: Vec2,
}

impl MotionModel for AutowareMotion {
    fn advance(&mut self, input: MotionInput<'_>) -> Motion {
        let pedals = input.actuation.pedals;
        let most = self.vehicle.parameters().acceleration_limit;
        let wanted = Input {
            speed: input.actuation.imposed_velocity.unwrap_or_default().vx,
            throttle: pedals.throttle * most,
            brake: pedals.brake * most,
            gear: pedals.gear,
            slope: input.gravity_in_body.x,
            steering_angle: input.steering_angle,
        };
        let displacement = self.vehicle.advance(&wanted, input.dt);
        Motion::of_point(self.rear, displacement, self.vehicle.velocity())
    }

    fn correct_velocity(&mut self, velocity_in_body: Twist2) {
        self.vehicle.set_speed(velocity_in_body.at_point(self.rear).x);
    }

    fn halt(&mut self) {
        self.vehicle.start_at(0.0);
    }

    fn straighten(&mut self) {
        self.vehicle.straighten();
    }

    fn takes_speed_at_once(&self) -> bool {
        self.model.speed == Speed::Commanded
    }

    fn start_with(&mut self, velocity_in_body: Twist2) {
        self.vehicle.start_at(velocity_in_body.at_point(self.rear).x);
    }

    fn acceleration_input(&self) -> Option<AccelerationInput> {
        let passes_zero = !self.model.has_guard && self.model.speed != Speed::Pedals;
        let most = self.vehicle.parameters().acceleration_limit;
        let input = AccelerationInput { most, passes_zero, stands_out_of_gear: self.model.has_guard };
        (!self.model.takes_speed()).then_some(input)
    }

    fn steering_bias(&self) -> f64 {
        if self.model.has_servo { self.vehicle.parameters().steering_bias } else { 0.0 }
    }

    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
        Ackermann::steer(&self.steering, self.vehicle.steering_angle(), wheels);
        roll_along(velocity_in_body, wheels, frames, dt);
    }

    fn speed_demand(&self, velocity_in_body: Twist2) -> f64 {
        if self.model.has_servo { velocity_in_body.vx.abs() / self.vehicle.parameters().speed_limit } else { 0.0 }
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    fn reset(&mut self) {
        self.vehicle.reset();
    }
}

/// Reads class `autoware`.
pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let default = AutowareModel::DELAY_STEER_ACC_GEARED;
    let model = reader.attribute_choice("vehicle_model_type", default, &AutowareModel::NAMES);
    let (steering, wheels, chassis) = read_parts(reader);
    let steering_limit = reader.f64("steer_lim", 1.0, Accept::positive());
    let max_angle = if model.has_servo { steering.max_angle.min(steering_limit) } else { steering.max_angle };
    let steering = Steering { max_angle, ..steering };
    let delay = |tag, default| reader.f64(tag, default, Accept::range(0.0, MAX_DELAY));
    let time_constant = |tag, default| reader.f64(tag, default, Accept::range(MIN_TIME_CONSTANT, f64::INFINITY));
    let of_acceleration = [delay("acc_time_delay", 0.1), time_constant("acc_time_constant", 0.1)];
    let of_speed = [delay("vel_time_delay", 0.25), time_constant("vel_time_constant", 0.5)];
    let [motion_delay, motion_time_constant] = if model.takes_speed() { of_speed } else { of_acceleration };
    let dead_band = reader.f64("steer_dead_band", 0.0, Accept::non_negative());
    let parameters = Parameters {
        wheelbase: steering.wheelbase,
        speed_limit: reader.f64("vel_lim", 50.0, Accept::positive()),
        acceleration_limit: reader.f64("vel_rate_lim", 7.0, Accept::positive()),
        steering_limit: steering.max_angle,
        steering_rate_limit: reader.f64("steer_rate_lim", 5.0, Accept::positive()),
        delay: motion_delay,
        time_constant: motion_time_constant,
        steering_delay: delay("steer_time_delay", 0.24),
        steering_time_constant: time_constant("steer_time_constant", 0.27),
        steering_dead_band: if model.has_map { 0.0 } else { dead_band },
        steering_bias: reader.f64("steer_bias", 0.0, Accept::any()),
    };
    let rear = axle_centres(&wheels).0;
    let vehicle = AutowareVehicle::new(model, parameters);
    let vehicle = if model.has_map {
        match command_map_file::read(reader, MAP) {
            Some(map) => vehicle.with_map(map),
            None => vehicle,
        }
    } else {
        reader.ignore(&[MAP]);
        vehicle
    };
    let motion = AutowareMotion { model, vehicle, steering, rear };
    let kind = if model.takes_speed() { DriveKind::SteeredModel } else { DriveKind::AcceleratedModel };
    let parts = DriveParts::one_body(Box::new(Ackermann::new(steering)), wheels, chassis, Some(Box::new(motion)));
    DriveParts { kind: Some(kind), ..parts }
}
