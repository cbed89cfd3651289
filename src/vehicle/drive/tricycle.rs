//! A front wheel that is both steered and driven, `<dynamics class="tricycle">`.
//!
//! The rear wheels roll freely about their axle, on which the reference point usually lies; the motor turns the front
//! wheel, which stands amid them and turns by the steering angle δ itself. With the wheelbase l and the speed u of its
//! rim, the rear axle moves with v = u·cos δ and ω = u·sin δ/l as long as nothing slips (J. Borenstein, H. R. Everett
//! and L. Feng, "Where am I?", University of Michigan, 1996, §1.3.3).
//!
//! ```xml
//! <dynamics class="tricycle">
//!   <rl_wheel pos="0 0.3" …/> <rr_wheel pos="0 -0.3" …/>   rear wheels
//!   <f_wheel pos="1 0" …/>                                 front wheel, ahead of the rear axle and amid it
//!   <max_steer_ang_deg>80</max_steer_ang_deg>              limit of δ [deg], > 0, < 89.4
//!   <chassis mass="100" zmin="0.1" zmax="0.8" color="#e0a000" …/>
//!   <weight>static</weight>                                or uniform
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! Odometry and speed controllers measure the rear wheels, which carry no torque. Not modelled: the torque that turns the wheel on the
//! spot, fork offset and trail.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::{Actuation, Drive, DriveParts, Steering};
use crate::chassis::Chassis;
use crate::wheel::{Wheel, WheelParameters};

/// Index of the front wheel.
pub const FRONT: usize = 2;

/// A steered and driven front wheel.
#[derive(Clone, Debug, PartialEq)]
struct Tricycle {
    steering: Steering,
}

impl Drive for Tricycle {
    fn steer(&self, steering_angle: f64, wheels: &mut [Wheel]) {
        let most = self.steering.max_angle;
        wheels[FRONT].set_steer(steering_angle.clamp(-most, most));
    }

    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        torque.fill(0.0);
        torque[FRONT] = actuation.motor_torque[0];
    }

    fn is_steered(&self, wheel: usize) -> bool {
        wheel == FRONT
    }

    fn steering(&self) -> Option<Steering> {
        Some(self.steering)
    }
}

pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let max_angle = reader.degrees("max_steer_ang_deg", 80.0_f64.to_radians(), Accept::range(1e-3, 89.4));
    let wheel = |name: &'static str, x: f64, y: f64| {
        let place = Vec2::new(x, y);
        reader
            .read_child(name, |tag| WheelParameters::read(name, tag, place))
            .unwrap_or_else(|| WheelParameters::new(name, place))
    };
    let wheels = vec![wheel("rl_wheel", 0.0, 0.3), wheel("rr_wheel", 0.0, -0.3), wheel("f_wheel", 1.0, 0.0)];
    let (left, right, front) = (wheels[0].position, wheels[1].position, wheels[FRONT].position);
    let middle = 0.5 * (left + right);
    if left.y <= right.y {
        reader
            .error(format!("the left wheel rl_wheel at y = {} is not left of rr_wheel at y = {}", left.y, right.y))
            .accepted(["a greater y for the left wheel"]);
    }
    if front.x <= middle.x || (front.y - middle.y).abs() > 1e-9 * (left.y - right.y).abs() {
        reader
            .error(format!(
                "the front wheel at ({}, {}) is not ahead of the middle of the rear axle at ({}, {})",
                front.x, front.y, middle.x, middle.y
            ))
            .accepted([format!("x greater than {} and y = {}", middle.x, middle.y)]);
    }
    let outline = [(-0.2, -0.3), (-0.2, 0.3), (1.1, 0.3), (1.1, -0.3)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let default = Chassis::uniform(outline, 100.0, [0.1, 0.8], [0xe0, 0xa0, 0, 0xff]);
    let chassis = reader.read_child("chassis", |tag| Chassis::read(tag, default.clone())).unwrap_or(default);
    let wheelbase = front.x - middle.x;
    let steering = Steering { wheelbase, track: 0.0, max_angle, parallel: true, parallel_in_file: true, hinge: None };
    DriveParts::one_body(Box::new(Tricycle { steering }), wheels, chassis, None)
}
