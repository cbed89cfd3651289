//! A wheel: its geometry, and its spin, which is integrated only here.
//!
//! XML (attributes of a wheel's tag inside `<dynamics>`):
//! ```xml
//! <l_wheel pos="0 0.5"      centre x y [m] and mounting yaw [deg] (0) in the vehicle's frame
//!          mass="2.0"       [kg], > 0
//!          width="0.2"      [m], > 0
//!          diameter="0.4"   [m], > 0
//!          inertia="…"      about the axle [kg·m²], > 0; default m·r²/2, a uniform disc
//!          roller_angle_deg="90"   omnidirectional drives: see there
//!          camber_deg="0"   lean about the rolling direction [deg], positive when its top leans to the left
//!          color="#323232"
//!          linked_yaw="group"          name of a <visual> of the vehicle that turns with the steering; none
//!          linked_yaw_offset_deg="0">  added to its yaw [deg]
//!   <visual> … </visual>               mesh in the wheel's frame, spinning about its y axis
//! </l_wheel>
//! ```

use std::f64::consts::{FRAC_PI_2, PI};

use skidpad_math::{Rot2, Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::frame::WheelSlip;
use crate::friction::rollers::Rollers;
use crate::friction::slip_ratio;

/// The fixed properties of a wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelParameters {
    /// Name of its tag, such as `rl_wheel`.
    pub name: &'static str,
    /// Centre [m] in the vehicle's reference frame.
    pub position: Vec2,
    /// Mounting yaw [rad] against the vehicle's x axis.
    pub mount_yaw: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Width [m].
    pub width: f64,
    /// Radius [m].
    pub radius: f64,
    /// Moment of inertia about the axle [kg·m²].
    pub inertia: f64,
    /// Lean about the rolling direction [rad], positive when its top leans to the left.
    pub camber: f64,
    /// Rollers around its rim, which leave it free in one direction; none: an ordinary wheel.
    pub rollers: Option<Rollers>,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
}

impl WheelParameters {
    /// The default wheel called `name` at `position` [m].
    pub fn new(name: &'static str, position: Vec2) -> WheelParameters {
        let (mass, radius) = (2.0, 0.2);
        WheelParameters {
            name,
            position,
            mount_yaw: 0.0,
            mass,
            width: 0.2,
            radius,
            inertia: 0.5 * mass * radius * radius,
            camber: 0.0,
            rollers: None,
            color: [0x32, 0x32, 0x32, 0xff],
        }
    }

    /// Reads the attributes above; `position` [m] is the default of `pos`.
    pub fn read(name: &'static str, reader: &Reader<'_>, position: Vec2) -> WheelParameters {
        WheelParameters::read_mounted(name, reader, position, |_| 0.0)
    }

    /// The same for wheels whose mounting yaw [rad] is `yaw_at` their position [m] where `pos` does not give it.
    pub fn read_mounted(
        name: &'static str,
        reader: &Reader<'_>,
        position: Vec2,
        yaw_at: impl Fn(Vec2) -> f64,
    ) -> WheelParameters {
        let default = WheelParameters::new(name, position);
        let pos = reader.attribute_numbers("pos", &[2, 3]).unwrap_or_else(|| vec![position.x, position.y]);
        let mass = reader.attribute_f64("mass", default.mass, Accept::positive());
        let radius = 0.5 * reader.attribute_f64("diameter", 2.0 * default.radius, Accept::positive());
        reader.hint_at_attribute("radius", "a wheel has a diameter, twice its radius");
        // The visual is read with the vehicle's visuals.
        reader.ignore(&["visual", "linked_yaw", "linked_yaw_offset_deg"]);
        let position = Vec2::new(pos[0], pos[1]);
        WheelParameters {
            name,
            position,
            mount_yaw: pos.get(2).map_or_else(|| yaw_at(position), |yaw| yaw.to_radians()),
            mass,
            width: reader.attribute_f64("width", default.width, Accept::positive()),
            radius,
            inertia: reader.attribute_f64("inertia", 0.5 * mass * radius * radius, Accept::positive()),
            camber: reader.attribute_degrees("camber_deg", 0.0, Accept::range(-45.0, 45.0)),
            rollers: None,
            color: reader.attribute_color("color", default.color),
        }
    }
}

/// The ground under a wheel, where it differs from the tyre's own parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelGround {
    /// Friction coefficient [-].
    pub mu: Option<f64>,
    /// Rolling resistance coefficient [-].
    pub rolling_resistance: Option<f64>,
}

/// A wheel and its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    /// Fixed properties.
    pub parameters: WheelParameters,
    /// Angular velocity about the axle [rad/s], forward positive.
    pub spin: f64,
    /// Angle turned about the axle [rad].
    pub spin_angle: f64,
    /// State of tyre relaxation: [`relaxed_slip`](crate::friction::WheelContact::relaxed_slip).
    pub relaxed_slip: Vec2,
    steer: f64,
    body_from_wheel: Rot2,
}

impl Wheel {
    /// A wheel at rest.
    pub fn new(parameters: WheelParameters) -> Wheel {
        let body_from_wheel =
            if parameters.rollers.is_some() { across(parameters.mount_yaw) } else { Rot2::new(parameters.mount_yaw) };
        Wheel { parameters, spin: 0.0, spin_angle: 0.0, relaxed_slip: Vec2::ZERO, steer: 0.0, body_from_wheel }
    }

    /// Steering angle against the mounting [rad].
    #[inline]
    pub fn steer(&self) -> f64 {
        self.steer
    }

    /// Angle [rad] from the vehicle's x axis to the rolling direction: mounting and steering together.
    #[inline]
    pub fn heading(&self) -> f64 {
        self.parameters.mount_yaw + self.steer
    }

    /// Turns the wheel about its vertical axis to `angle` [rad].
    #[inline]
    pub fn set_steer(&mut self, angle: f64) {
        if angle != self.steer {
            self.steer = angle;
            self.body_from_wheel = Rot2::new(self.heading());
        }
    }

    /// Rotation from wheel to body coordinates.
    #[inline]
    pub fn body_from_wheel(&self) -> Rot2 {
        self.body_from_wheel
    }

    /// Velocity of the wheel's centre [m/s] in the wheel frame, for a body that moves with `velocity_in_body`.
    #[inline]
    pub fn velocity_in_wheel(&self, velocity_in_body: Twist2) -> Vec2 {
        self.body_from_wheel.inverse() * velocity_in_body.at_point(self.parameters.position)
    }

    /// Speed of the rim [m/s] with which the wheel rolls without slip on a body that moves with `velocity_in_body`.
    #[inline]
    pub fn rolling_speed(&self, velocity_in_body: Twist2) -> f64 {
        self.rolling_speed_of(self.velocity_in_wheel(velocity_in_body))
    }

    /// The same, of a wheel whose centre moves with `velocity_in_wheel` [m/s].
    #[inline]
    pub fn rolling_speed_of(&self, velocity_in_wheel: Vec2) -> f64 {
        self.parameters.rollers.map_or(velocity_in_wheel.x, |rollers| rollers.rolling_speed(velocity_in_wheel))
    }

    /// Slip of the wheel while its centre moves with `velocity_in_wheel` [m/s] and its rim with `rim_speed` [m/s]. That of a wheel with
    /// rollers relates the speed of the rim to the one at which the wheel would roll; it has no slip angle.
    #[inline]
    pub fn slip(&self, velocity_in_wheel: Vec2, rim_speed: f64) -> WheelSlip {
        match self.parameters.rollers {
            None => WheelSlip::OfRim(rim_speed),
            Some(rollers) => {
                let rolling = Vec2::new(rollers.rolling_speed(velocity_in_wheel), 0.0);
                WheelSlip::Known { ratio: slip_ratio(rolling, rim_speed), angle: 0.0 }
            }
        }
    }

    /// Speed of the rim [m/s]: ω·R.
    #[inline]
    pub fn rim_speed(&self) -> f64 {
        self.spin * self.parameters.radius
    }

    /// Advances spin and angle by `dt` [s] under `acceleration` [rad/s²]; semi-implicit Euler, as for the bodies.
    #[inline]
    pub fn integrate(&mut self, acceleration: f64, dt: f64) {
        self.spin += acceleration * dt;
        self.spin_angle += self.spin * dt;
        // Keeps the angle's resolution; a whole number of turns changes nothing visible.
        if self.spin_angle.abs() > 1e4 {
            self.spin_angle = skidpad_math::wrap_angle(self.spin_angle);
        }
    }

    /// Turns with `spin` [rad/s] from now on, by which the angle advances for `dt` [s].
    #[inline]
    pub fn turn_to(&mut self, spin: f64, dt: f64) {
        self.spin = spin;
        self.integrate(0.0, dt);
    }

    /// Lets the wheel turn without slip or inertia, its rim at `speed` [m/s].
    #[inline]
    pub fn roll(&mut self, speed: f64, dt: f64) {
        self.turn_to(speed / self.parameters.radius, dt);
    }

    /// Back to rest.
    pub fn reset(&mut self) {
        self.spin = 0.0;
        self.spin_angle = 0.0;
        self.relaxed_slip = Vec2::ZERO;
        self.set_steer(0.0);
    }
}

/// The rotation by the mounting yaw [rad] of a wheel that may stand across the body. That by π − yaw, of its mirror image, has the same bits
/// apart from the sign.
fn across(yaw: f64) -> Rot2 {
    /// By which π exceeds [`PI`].
    const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
    let angle = yaw.abs();
    if angle == 0.0 || angle > PI {
        return Rot2::new(yaw);
    }
    // Of the two the larger has fewer digits, and the smaller follows from it.
    let larger = if angle > FRAC_PI_2 { angle } else { PI - (angle - PI_LOW) };
    let (sin, cos) = libm::sincos((PI - larger) + PI_LOW);
    // cos 90° is not quite 0.
    let cos = if cos < 1e-15 { 0.0 } else { cos };
    Rot2 { cos: if angle > FRAC_PI_2 { -cos } else { cos }, sin: sin.copysign(yaw) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn forward_motion_points_right_in_the_frame_of_a_wheel_turned_left() {
        let mut wheel = Wheel::new(WheelParameters::new("w", Vec2::new(1.0, 0.0)));
        wheel.set_steer(FRAC_PI_2);
        let v = wheel.velocity_in_wheel(Twist2::new(2.0, 0.0, 0.5));
        assert!((v.x - 0.5).abs() < 1e-15 && (v.y + 2.0).abs() < 1e-15, "{v:?}");
    }

    #[test]
    fn the_angle_is_kept_small_by_whole_turns() {
        let mut wheel = Wheel::new(WheelParameters::new("w", Vec2::ZERO));
        wheel.spin = 1.0;
        wheel.spin_angle = 1e4;
        wheel.integrate(0.0, 0.01);
        let turns = (1e4 + 0.01 - wheel.spin_angle) / std::f64::consts::TAU;
        assert!(wheel.spin_angle.abs() < 4.0 && (turns - turns.round()).abs() < 1e-9);
    }
}
