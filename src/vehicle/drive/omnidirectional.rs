//! Drives that also move sideways, on wheels with rollers, `<dynamics class="omni_3_wheels|omni_4_wheels|mecanum">`.
//!
//! A motor turns each wheel. The ground pushes a wheel only along the axis of the roller that it stands on, within the limits of the
//! friction law, and the wheel rolls freely across it ([`rollers`](crate::friction::rollers)). Omni wheels have rollers across their axle,
//! mecanum wheels at 45° to it; three or four of them move the body in any direction while it turns. Speeds of the wheels and motion of
//! the body follow from each other as in [`WheelKinematics`].
//!
//! ```xml
//! <dynamics class="mecanum">
//!   <rl_wheel pos="-0.3 0.25" …/> <rr_wheel pos="-0.3 -0.25" …/>    mecanum, omni_4_wheels
//!   <fl_wheel pos="0.3 0.25" …/> <fr_wheel pos="0.3 -0.25" …/>
//!   <fl_wheel …/> <fr_wheel …/> <rear_wheel …/>                     omni_3_wheels
//!   <chassis mass="15" zmin="0.05" zmax="0.3" color="#3070c0" …/>
//!   <weight>static</weight>                                         or uniform
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! Attributes of a wheel besides those of [`wheel`](crate::wheel):
//! * `roller_angle_deg` [deg]: from the axle of the wheel to the axis of the roller on the ground, positive to the right; not a multiple
//!   of 180. Default for omni wheels 90; for mecanum wheels 45 at rear left and front right and −45 at the other two, so that the upper
//!   rollers form an X when seen from above.
//! * the third number of `pos`, the mounting yaw [deg]: for omni wheels the default is at right angles to the line from the reference point,
//!   so that a wheel that turns forward turns the body to the left; for mecanum wheels 0.
//!
//! Absent omni wheels stand on a circle of 0.3 m: three at ±60° and 180°, four at ±45° and ±135°.
//!
//! Source: K. M. Lynch and F. C. Park, "Modern Robotics", 2017, §13.2; P. F. Muir and C. P. Neuman, "Kinematic modeling of wheeled mobile
//! robots", J. Robotic Systems 4 (1987). Not modelled: friction of the rollers, and the sway of wheels whose rollers leave gaps.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::{Actuation, Drive, DriveParts};
use crate::chassis::Chassis;
use crate::friction::rollers::Rollers;
use crate::wheel::{Wheel, WheelParameters};
use crate::wheel_kinematics::WheelKinematics;

/// A motor at each wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Omnidirectional;

impl Drive for Omnidirectional {
    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        for (torque, motor) in torque.iter_mut().zip(actuation.motor_torque) {
            *torque = motor;
        }
    }
}

/// Distance of absent omni wheels from the reference point [m].
const REACH: f64 = 0.3;

/// How wheels without a mounting yaw are mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mounting {
    /// Along the body's x axis.
    Straight,
    /// At right angles to the line from the reference point.
    Tangential,
}

impl Mounting {
    /// Mounting yaw [rad] at `position` [m].
    fn yaw_at(self, position: Vec2) -> f64 {
        match self {
            Mounting::Straight => 0.0,
            Mounting::Tangential => libm::atan2(position.x, -position.y),
        }
    }
}

/// Tag, default position [m] and default roller angle [deg] of a wheel.
type WheelRow = (&'static str, Vec2, f64);

/// A point on the circle of absent omni wheels, `degrees` to the left of the x axis.
fn on_circle(degrees: f64) -> Vec2 {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    Vec2::new(REACH * cos, REACH * sin)
}

fn read_wheel(reader: &Reader<'_>, &(name, position, angle): &WheelRow, mounting: Mounting) -> WheelParameters {
    let absent = || WheelParameters {
        mount_yaw: mounting.yaw_at(position),
        rollers: Rollers::new(angle.to_radians()),
        ..WheelParameters::new(name, position)
    };
    reader
        .read_child(name, |tag| {
            let mut wheel = WheelParameters::read_mounted(name, tag, position, |place| mounting.yaw_at(place));
            let angle = tag.attribute_degrees("roller_angle_deg", angle.to_radians(), Accept::any());
            wheel.rollers = Rollers::new(angle);
            if wheel.rollers.is_none() {
                tag.error_at("roller_angle_deg", format!("rollers at {}° to the axle", angle.to_degrees())).accepted([
                    "an angle that is not a multiple of 180, such as 90 for an omni wheel or 45 for a mecanum wheel",
                ]);
                wheel.rollers = absent().rollers;
            }
            wheel
        })
        .unwrap_or_else(absent)
}

fn read(reader: &Reader<'_>, table: &[WheelRow], mounting: Mounting) -> DriveParts {
    let wheels: Vec<WheelParameters> = table.iter().map(|row| read_wheel(reader, row, mounting)).collect();
    let outline = [(-0.4, -0.3), (-0.4, 0.3), (0.4, 0.3), (0.4, -0.3)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let default = Chassis::uniform(outline, 15.0, [0.05, 0.3], [0x30, 0x70, 0xc0, 0xff]);
    let chassis = reader.read_child("chassis", |tag| Chassis::read(tag, default.clone())).unwrap_or(default);
    let standing: Vec<Wheel> = wheels.iter().cloned().map(Wheel::new).collect();
    if WheelKinematics::new(&standing).is_none() {
        reader
            .error("the body could move or turn while all wheels stand")
            .accepted(["wheels whose places and angles hold the body in every direction"])
            .hint("mount omni wheels at right angles to the line from the middle, or mecanum wheels with rollers at 45 and -45 in turn");
    }
    DriveParts::one_body(Box::new(Omnidirectional), wheels, chassis, None)
}

pub(super) fn read_omni_3(reader: &Reader<'_>) -> DriveParts {
    let rows = [("fl_wheel", on_circle(60.0)), ("fr_wheel", on_circle(-60.0)), ("rear_wheel", Vec2::new(-REACH, 0.0))];
    read(reader, &rows.map(|(name, place)| (name, place, 90.0)), Mounting::Tangential)
}

pub(super) fn read_omni_4(reader: &Reader<'_>) -> DriveParts {
    let rows = [("rl_wheel", 135.0), ("rr_wheel", -135.0), ("fl_wheel", 45.0), ("fr_wheel", -45.0)];
    read(reader, &rows.map(|(name, degrees)| (name, on_circle(degrees), 90.0)), Mounting::Tangential)
}

pub(super) fn read_mecanum(reader: &Reader<'_>) -> DriveParts {
    let rows = [
        ("rl_wheel", Vec2::new(-0.3, 0.25), 45.0),
        ("rr_wheel", Vec2::new(-0.3, -0.25), -45.0),
        ("fl_wheel", Vec2::new(0.3, 0.25), -45.0),
        ("fr_wheel", Vec2::new(0.3, -0.25), 45.0),
    ];
    read(reader, &rows, Mounting::Straight)
}
