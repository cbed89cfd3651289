//! Ackermann steering, `<dynamics class="ackermann|ackermann_drivetrain|ackermann_joints">`.
//!
//! The front wheels are turned so that all four point at one centre of rotation. With w the front track, l the wheelbase
//! and δ the angle of the equivalent single track: cot δ_inner = cot|δ| − w/2l, cot δ_outer = cot|δ| + w/2l (MVSim's
//! manual: B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.3.3, whose brackets are misplaced in print). `ackermann` has a motor at
//! each front wheel (motor 0 left, 1 right); `ackermann_drivetrain` has one motor behind the differentials of
//! [`drivetrain`](super::drivetrain); `ackermann_joints` has a motor at each of the four wheels and one at each steering hinge, which its
//! controller commands individually.
//!
//! ```xml
//! <dynamics class="ackermann_drivetrain">
//!   <rl_wheel pos="0 0.9" …/> <rr_wheel pos="0 -0.9" …/>   rear wheels
//!   <fl_wheel …/> <fr_wheel …/>                            front wheels; their pos is ignored
//!   <f_wheels_x>1.3</f_wheels_x>                           x of the front axle [m]
//!   <f_wheels_d>2.0</f_wheels_d>                           front track [m], > 0
//!   <max_steer_ang_deg>30</max_steer_ang_deg>              limit of δ [deg], > 0, < 89.4
//!   <parallel_steer>false</parallel_steer>                 both front wheels turn by δ itself, as a model without steering linkage
//!   <chassis mass="500" zmin="0.2" zmax="1.4" color="#e83000" …/>
//!   <weight>static</weight>                                or uniform
//!   <drivetrain type="torsen_4wd">…</drivetrain>           ackermann_drivetrain only
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! Not modelled: steering rate and lag, compliance, toe and camber.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::drivetrain::Drivetrain;
use super::{Actuation, Drive, DriveParts, REAR_WHEELS, Steering};
use crate::chassis::Chassis;
use crate::wheel::{Wheel, WheelParameters};

/// Angles [rad] of the left and right front wheel for the equivalent angle `steering_angle` [rad], with `track` and
/// `wheelbase` in m. Accepts |δ| < 90° as long as the inner wheel stays below 90° too.
#[inline]
pub fn ackermann_angles(steering_angle: f64, track: f64, wheelbase: f64) -> [f64; 2] {
    if steering_angle == 0.0 {
        return [0.0; 2];
    }
    let cotangent = 1.0 / libm::tan(steering_angle.abs());
    let half = 0.5 * track / wheelbase;
    // atan2 keeps the inner angle correct when its cotangent passes zero.
    let inner = libm::atan2(1.0, cotangent - half);
    let outer = libm::atan2(1.0, cotangent + half);
    if steering_angle > 0.0 { [inner, outer] } else { [-outer, -inner] }
}

/// A steered front axle with a motor at each front wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct Ackermann {
    steering: Steering,
}

impl Ackermann {
    /// A drive with this geometry.
    pub(super) fn new(steering: Steering) -> Ackermann {
        Ackermann { steering }
    }

    /// Sets the front wheels among four wheels for an equivalent angle [rad].
    pub(super) fn steer(steering: &Steering, angle: f64, wheels: &mut [Wheel]) {
        Ackermann::turn_to(steering.wheel_angles(angle), wheels);
    }

    /// Sets the angles [rad] of the left and the right front wheel among four wheels.
    fn turn_to([left, right]: [f64; 2], wheels: &mut [Wheel]) {
        wheels[REAR_WHEELS].set_steer(left);
        wheels[REAR_WHEELS + 1].set_steer(right);
    }
}

impl Drive for Ackermann {
    fn steer(&self, steering_angle: f64, wheels: &mut [Wheel]) {
        Ackermann::steer(&self.steering, steering_angle, wheels);
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        torque[..REAR_WHEELS].fill(0.0);
        torque[REAR_WHEELS..].copy_from_slice(&actuation.motor_torque[..2]);
    }

    fn is_steered(&self, wheel: usize) -> bool {
        wheel >= REAR_WHEELS
    }

    fn steering(&self) -> Option<Steering> {
        Some(self.steering)
    }
}

/// A steered front axle, and one motor behind differentials.
#[derive(Clone, Debug, PartialEq)]
pub struct AckermannDrivetrain {
    steering: Steering,
    drivetrain: Drivetrain,
}

impl Drive for AckermannDrivetrain {
    fn steer(&self, steering_angle: f64, wheels: &mut [Wheel]) {
        Ackermann::steer(&self.steering, steering_angle, wheels);
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    fn distribute(&self, actuation: &Actuation, wheels: &[Wheel], torque: &mut [f64]) {
        let shares = self.drivetrain.wheel_shares([wheels[0].spin, wheels[1].spin, wheels[2].spin, wheels[3].spin]);
        for (torque, share) in torque.iter_mut().zip(shares) {
            *torque = share * actuation.motor_torque[0];
        }
    }

    fn is_steered(&self, wheel: usize) -> bool {
        wheel >= REAR_WHEELS
    }

    fn drivetrain(&self) -> Option<&Drivetrain> {
        Some(&self.drivetrain)
    }

    fn steering(&self) -> Option<Steering> {
        Some(self.steering)
    }
}

/// A motor at each of four wheels, and one at each steering hinge.
#[derive(Clone, Debug, PartialEq)]
pub struct AckermannJoints {
    steering: Steering,
}

impl Drive for AckermannJoints {
    fn steer(&self, steering_angle: f64, wheels: &mut [Wheel]) {
        Ackermann::steer(&self.steering, steering_angle, wheels);
    }

    fn turn(&self, angles: [f64; 2], wheels: &mut [Wheel]) {
        Ackermann::turn_to(angles, wheels);
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    /// The torques are solved together with the response of the tyres ([`Actuation::servos`]).
    fn distribute(&self, _actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        torque.fill(0.0);
    }

    fn is_steered(&self, wheel: usize) -> bool {
        wheel >= REAR_WHEELS
    }

    fn steering(&self) -> Option<Steering> {
        Some(self.steering)
    }
}

/// Wheels, chassis and steering geometry of all these drives.
pub(super) fn read_parts(reader: &Reader<'_>) -> (Steering, Vec<WheelParameters>, Chassis) {
    let front_x = reader.f64("f_wheels_x", 1.3, Accept::any());
    let track = reader.f64("f_wheels_d", 2.0, Accept::positive());
    let max_angle = reader.degrees("max_steer_ang_deg", 30.0_f64.to_radians(), Accept::range(1e-3, 89.4));
    let parallel = reader.bool("parallel_steer", false);
    let mut wheels = Vec::new();
    for (name, x, y) in [
        ("rl_wheel", 0.0, 0.9),
        ("rr_wheel", 0.0, -0.9),
        ("fl_wheel", front_x, 0.5 * track),
        ("fr_wheel", front_x, -0.5 * track),
    ] {
        let place = Vec2::new(x, y);
        let mut wheel = match reader.child(name) {
            Some(tag) => {
                let wheel = WheelParameters::read(name, &tag, place);
                tag.finish();
                wheel
            }
            None => {
                reader.warn(format!("no <{name}>: the default wheel is used"));
                WheelParameters::new(name, place)
            }
        };
        if wheels.len() >= REAR_WHEELS {
            wheel.position = place;
        }
        wheels.push(wheel);
    }
    let (rear_left, rear_right) = (wheels[0].position, wheels[1].position);
    let rear_x = 0.5 * (rear_left.x + rear_right.x);
    if front_x <= rear_x {
        reader
            .error(format!("the front axle at x = {front_x} is not ahead of the rear axle at x = {rear_x}"))
            .accepted(["f_wheels_x greater than the x of the rear wheels"]);
    }
    if rear_left.y == rear_right.y {
        reader
            .error(format!("both rear wheels stand at y = {}", rear_left.y))
            .accepted(["different y of rl_wheel and rr_wheel"]);
    }
    let outline = [(-0.8, -1.0), (-0.8, 1.0), (1.5, 0.9), (1.8, 0.8), (1.8, -0.8), (1.5, -0.9)];
    let default =
        Chassis::uniform(outline.map(|(x, y)| Vec2::new(x, y)).to_vec(), 500.0, [0.2, 1.4], [0xe8, 0x30, 0, 0xff]);
    let chassis = match reader.child("chassis") {
        Some(tag) => {
            let chassis = Chassis::read(&tag, default);
            tag.finish();
            chassis
        }
        None => default,
    };
    let wheelbase = front_x - rear_x;
    (Steering { wheelbase, track, max_angle, parallel, parallel_in_file: parallel, hinge: None }, wheels, chassis)
}

pub(super) fn read_wheel_motors(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    // Definition files carry the block for both drives.
    reader.ignore(&["drivetrain"]);
    DriveParts::one_body(Box::new(Ackermann { steering }), wheels, chassis, None)
}

pub(super) fn read_drivetrain(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    let drivetrain = match reader.child("drivetrain") {
        Some(tag) => {
            let drivetrain = Drivetrain::read(&tag);
            tag.finish();
            drivetrain
        }
        None => Drivetrain::default(),
    };
    DriveParts::one_body(Box::new(AckermannDrivetrain { steering, drivetrain }), wheels, chassis, None)
}

pub(super) fn read_joints(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    DriveParts::one_body(Box::new(AckermannJoints { steering }), wheels, chassis, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_wheels_point_at_one_centre() {
        for degrees in [-35.0_f64, -5.0, 1.0, 30.0] {
            let delta = degrees.to_radians();
            let (track, wheelbase) = (0.2, 0.325);
            let [left, right] = ackermann_angles(delta, track, wheelbase);
            let radius = wheelbase / delta.tan();
            assert!((wheelbase / left.tan() - (radius - 0.5 * track)).abs() < 1e-12, "{degrees}");
            assert!((wheelbase / right.tan() - (radius + 0.5 * track)).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn a_sharp_turn_moves_the_inner_wheel_smoothly_past_90_degrees() {
        let [inner, outer] = ackermann_angles(80.0_f64.to_radians(), 2.0, 1.3);
        assert!(inner > std::f64::consts::FRAC_PI_2 && outer > 0.0 && outer < inner);
    }
}
