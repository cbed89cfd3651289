//! Two tracks, `<dynamics class="tracked">`: skid steering with the forces of links that slide over the ground.
//!
//! A motor turns each track. The law of the ground run, its sources and what it leaves out are those of [`tracks`](crate::tracks).
//! In a turn the links slide sideways, more so towards the ends, and the body turns about a centre that lies further out than the speeds of
//! its tracks say.
//!
//! ```xml
//! <dynamics class="tracked">
//!   <l_track pos="0 0.4" length="1"      centre x y of the ground run [m], its length [m], > 0
//!            mass="10"                   of the track with its road wheels [kg], > 0
//!            diameter="0.2"              of sprocket and road wheels [m], > 0
//!            width="0.2"                 [m], > 0
//!            inertia="…"                 of the track about the sprocket [kg·m²], > 0; default m·R², all of it moving
//!            color="#323232"/>
//!   <r_track pos="0 -0.4" …/>            as long as the left one, with the same diameter and x
//!   <road_wheels>5</road_wheels>         of each track, odd, 1 to 9: the segments in which the load and the sliding differ
//!   <shear_modulus>0.01</shear_modulus>  K of the ground [m], > 0
//!   <chassis mass="60" zmin="0.1" zmax="0.5" color="#4a5a2a" …/>
//!   <weight>static</weight>              or uniform
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! K is 0.01 m on firm sand, 0.025 m on loose sand, 0.006 m on clay and 0.025 to 0.05 m in snow (J. Y. Wong, "Theory of Ground Vehicles",
//! 4th ed., §2.4.3). `<friction>` gives μ·N, whatever its class. Resistance to rolling is that of `<resistance>`.
//! Wheels are called `l_road_wheel_1` and so on, from the rear; all of a side turn alike. Odometry, wheel speeds and `twist_pid` measure
//! the tracks.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::{Actuation, Drive, DriveParts};
use crate::chassis::Chassis;
use crate::tracks::{MAX_ROAD_WHEELS, Tracks};
use crate::wheel::{Wheel, WheelParameters};

/// A motor at each track.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tracked {
    tracks: Tracks,
}

impl Drive for Tracked {
    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        let share = 1.0 / self.tracks.road_wheels as f64;
        for (wheel, torque) in torque.iter_mut().enumerate() {
            *torque = share * actuation.motor_torque[wheel % 2];
        }
    }

    fn tracks(&self) -> Option<&Tracks> {
        Some(&self.tracks)
    }
}

/// Tags of the left and the right track.
pub const TRACK_TAGS: [&str; 2] = ["l_track", "r_track"];

/// Names of the road wheels of each side, from the rear.
const NAMES: [[&str; MAX_ROAD_WHEELS]; 2] = [
    [
        "l_road_wheel_1",
        "l_road_wheel_2",
        "l_road_wheel_3",
        "l_road_wheel_4",
        "l_road_wheel_5",
        "l_road_wheel_6",
        "l_road_wheel_7",
        "l_road_wheel_8",
        "l_road_wheel_9",
    ],
    [
        "r_road_wheel_1",
        "r_road_wheel_2",
        "r_road_wheel_3",
        "r_road_wheel_4",
        "r_road_wheel_5",
        "r_road_wheel_6",
        "r_road_wheel_7",
        "r_road_wheel_8",
        "r_road_wheel_9",
    ],
];

/// A track as a whole, with its ground run [m].
fn read_track(reader: &Reader<'_>, name: &'static str, y: f64) -> (WheelParameters, f64) {
    let place = Vec2::new(0.0, y);
    let default = WheelParameters { mass: 10.0, radius: 0.1, inertia: 0.1, ..WheelParameters::new(name, place) };
    let read = reader.read_child(name, |tag| {
        let mut track = WheelParameters::read(name, tag, place);
        let lacks = |name: &str| tag.attribute(name).is_none();
        if lacks("mass") {
            track.mass = default.mass;
        }
        if lacks("diameter") {
            track.radius = default.radius;
        }
        if lacks("inertia") {
            track.inertia = track.mass * track.radius * track.radius;
        }
        (track.mount_yaw, track.camber) = (0.0, 0.0);
        (track, tag.attribute_f64("length", 1.0, Accept::positive()))
    });
    read.unwrap_or((default, 1.0))
}

pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let (left, length) = read_track(reader, TRACK_TAGS[0], 0.4);
    let (right, right_length) = read_track(reader, TRACK_TAGS[1], -0.4);
    if left.position.y <= right.position.y {
        reader
            .error(format!("l_track at y = {} is not left of r_track at y = {}", left.position.y, right.position.y))
            .accepted(["a greater y for the left track"]);
    }
    if (left.position.x, length, left.radius) != (right.position.x, right_length, right.radius) {
        reader
            .error("the tracks differ in their x, length or diameter")
            .accepted(["the same x, length and diameter for l_track and r_track"]);
    }
    let mut road_wheels = reader.integer("road_wheels", 5, Accept::range(1.0, MAX_ROAD_WHEELS as f64)) as usize;
    if road_wheels.is_multiple_of(2) {
        reader.error_at("road_wheels", format!("{road_wheels} road wheels")).accepted(["an odd number, 1 to 9"]);
        road_wheels = 1;
    }
    let shear_modulus = reader.f64("shear_modulus", 0.01, Accept::positive());
    let tracks = Tracks::new(road_wheels, length, shear_modulus);
    let share = 1.0 / road_wheels as f64;
    let mut wheels = vec![left.clone(); 2 * road_wheels];
    for (side, track) in [left, right].into_iter().enumerate() {
        for k in 0..road_wheels {
            let ahead = (k as f64 + 0.5 - 0.5 * road_wheels as f64) * tracks.segment;
            wheels[tracks.wheel(side, k)] = WheelParameters {
                name: NAMES[side][k],
                position: track.position + Vec2::new(ahead, 0.0),
                mass: share * track.mass,
                inertia: share * track.inertia,
                ..track.clone()
            };
        }
    }
    let outline = [(-0.6, -0.3), (-0.6, 0.3), (0.6, 0.3), (0.6, -0.3)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let default = Chassis::uniform(outline, 60.0, [0.1, 0.5], [0x4a, 0x5a, 0x2a, 0xff]);
    let chassis = reader.read_child("chassis", |tag| Chassis::read(tag, default.clone())).unwrap_or(default);
    DriveParts::one_body(Box::new(Tracked { tracks }), wheels, chassis, None)
}
