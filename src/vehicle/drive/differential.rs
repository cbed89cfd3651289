//! Differential drives, `<dynamics class="differential|differential_3_wheels|differential_4_wheels">`.
//!
//! Motor 0 drives all left wheels, motor 1 all right wheels; a castor runs free.
//!
//! ```xml
//! <dynamics class="differential_4_wheels">
//!   <l_wheel pos="0 0.5" …/> <r_wheel pos="0 -0.5" …/>          two and three wheels
//!   <caster_wheel pos="0.5 0" …/>                               three wheels
//!   <lr_wheel pos="0 0.5" …/> <rr_wheel pos="0 -0.5" …/>
//!   <lf_wheel pos="0.5 0.5" …/> <rf_wheel pos="0.5 -0.5" …/>    four wheels
//!   <chassis mass="15" zmin="0.05" zmax="0.6" color="#ff0000" …/>
//!   <weight>static</weight>                                     or uniform
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! As in MVSim a wheel tag without `pos` stands at (0, −0.5); the positions above are those of an absent tag.
//! Source: MVSim's manual (B. Tymchenko, "Multiple Vehicle Simulator", 2020), §4.3.2. Not modelled: gear backlash, motor dynamics, castor
//! swivel.

use skidpad_math::Vec2;
use skidpad_xml::Reader;

use super::{Actuation, Drive, DriveParts};
use crate::chassis::Chassis;
use crate::wheel::{Wheel, WheelParameters};

/// The motor that drives a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Free,
}

/// Wheels on two sides, with a motor for each side.
#[derive(Clone, Debug, PartialEq)]
pub struct Differential {
    sides: Vec<Side>,
}

impl Drive for Differential {
    #[inline]
    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        for (torque, side) in torque.iter_mut().zip(&self.sides) {
            *torque = match side {
                Side::Left => actuation.motor_torque[0],
                Side::Right => actuation.motor_torque[1],
                Side::Free => 0.0,
            };
        }
    }
}

/// The chassis of all differential drives.
fn default_chassis() -> Chassis {
    let outline = [(-0.4, -0.5), (-0.4, 0.5), (0.4, 0.5), (0.6, 0.3), (0.6, -0.3), (0.4, -0.5)];
    Chassis::uniform(outline.map(|(x, y)| Vec2::new(x, y)).to_vec(), 15.0, [0.05, 0.6], [0xff, 0, 0, 0xff])
}

/// Tag, default position [m] and motor of a wheel.
type WheelRow = (&'static str, (f64, f64), Side);

fn read(reader: &Reader<'_>, table: &[WheelRow]) -> DriveParts {
    let mut wheels = Vec::new();
    for &(name, (x, y), _) in table {
        wheels.push(match reader.child(name) {
            Some(tag) => {
                let wheel = WheelParameters::read(name, &tag, Vec2::new(0.0, -0.5));
                tag.finish();
                wheel
            }
            None => WheelParameters::new(name, Vec2::new(x, y)),
        });
    }
    let chassis = match reader.child("chassis") {
        Some(tag) => {
            let chassis = Chassis::read(&tag, default_chassis());
            tag.finish();
            chassis
        }
        None => default_chassis(),
    };
    if wheels[0].position.y <= wheels[1].position.y {
        reader
            .error(format!(
                "the left wheel {} at y = {} is not left of {} at y = {}",
                wheels[0].name, wheels[0].position.y, wheels[1].name, wheels[1].position.y
            ))
            .accepted(["a greater y for the left wheel"]);
    }
    let drive = Box::new(Differential { sides: table.iter().map(|row| row.2).collect() });
    DriveParts::one_body(drive, wheels, chassis, None)
}

pub(super) fn read_two_wheels(reader: &Reader<'_>) -> DriveParts {
    read(reader, &[("l_wheel", (0.0, 0.5), Side::Left), ("r_wheel", (0.0, -0.5), Side::Right)])
}

pub(super) fn read_three_wheels(reader: &Reader<'_>) -> DriveParts {
    read(
        reader,
        &[
            ("l_wheel", (0.0, 0.5), Side::Left),
            ("r_wheel", (0.0, -0.5), Side::Right),
            ("caster_wheel", (0.5, 0.0), Side::Free),
        ],
    )
}

pub(super) fn read_four_wheels(reader: &Reader<'_>) -> DriveParts {
    read(
        reader,
        &[
            ("lr_wheel", (0.0, 0.5), Side::Left),
            ("rr_wheel", (0.0, -0.5), Side::Right),
            ("lf_wheel", (0.5, 0.5), Side::Left),
            ("rf_wheel", (0.5, -0.5), Side::Right),
        ],
    )
}
