//! Drives: positions of the wheels, which of them are steered, and distribution of motor torque to them.
//!
//! A drive is one file with its manual page on top and one line in [`DRIVES`]. Its motor set-points come from a
//! [`Controller`](crate::Controller) of the same [`DriveKind`] as an [`Actuation`].

mod ackermann;
pub mod articulated;
pub mod autoware;
mod differential;
pub mod drivetrain;
pub mod kinematic;
pub mod longitudinal;
mod omnidirectional;
pub mod single_track;
mod tracked;
pub mod tricycle;

use std::f64::consts::FRAC_PI_2;

use skidpad_math::Twist2;
use skidpad_xml::Reader;

use crate::actuation::Actuation;
use crate::articulation::Hinge;
use crate::chassis::Chassis;
use crate::motion_model::MotionModel;
use crate::tracks::Tracks;
use crate::wheel::{Wheel, WheelParameters};
pub use ackermann::{Ackermann, AckermannDrivetrain, AckermannJoints, ackermann_angles};
pub use differential::Differential;
pub use tracked::TRACK_TAGS;

/// Count of rear wheels of vehicles with two axles, whose wheels are in the order rear left, rear right, front left,
/// front right: the wheels from this index on are the front wheels.
pub const REAR_WHEELS: usize = 2;

/// Kind of actuation, which determines the controllers that fit a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveKind {
    /// Two motors, left and right; no steering.
    Differential,
    /// Two motors, front left and front right; front wheels steered.
    Ackermann,
    /// One motor behind differentials; front wheels steered.
    AckermannDrivetrain,
    /// Two motors, one for each track; no steering.
    Tracked,
    /// One motor at the steered front wheel.
    Tricycle,
    /// One motor for the wheels of one or both frames; a servo turns the hinge between them.
    Articulated,
    /// A motor at each of three or four wheels with rollers; no steering.
    Omnidirectional,
    /// A model that takes a velocity, without steering.
    Model,
    /// A model that takes a speed and a steering angle.
    SteeredModel,
    /// A model that takes the torque of one motor, or pedals, and a steering angle.
    Longitudinal,
    /// A model that takes an acceleration, as pedals, and a steering angle.
    AcceleratedModel,
    /// A motor at each of four wheels and one at each steering hinge.
    Joints,
}

impl DriveKind {
    /// Whether a model moves the vehicle as a whole, rather than forces at its wheels.
    pub fn is_model(self) -> bool {
        matches!(
            self,
            DriveKind::Model | DriveKind::SteeredModel | DriveKind::Longitudinal | DriveKind::AcceleratedModel
        )
    }
}

/// The mechanics between motors, steering and wheels.
pub trait Drive: Send + Sync {
    /// Sets the steering angles for an equivalent single-track angle [rad], within the limit of the drive.
    fn steer(&self, _steering_angle: f64, _wheels: &mut [Wheel]) {}

    /// Sets the angles [rad] of the left and the right steered wheel, each within the limit of its joint.
    fn turn(&self, _angles: [f64; 2], _wheels: &mut [Wheel]) {}

    /// Steers both wheels by the same angle or not; none: as in the world file.
    fn set_parallel_steer(&mut self, _parallel: Option<bool>) {}

    /// Writes the torque [N·m] that reaches each wheel.
    fn distribute(&self, actuation: &Actuation, wheels: &[Wheel], torque: &mut [f64]);

    /// Whether the wheel with this index is steered.
    fn is_steered(&self, _wheel: usize) -> bool {
        false
    }

    /// The differentials, if one motor drives several wheels.
    fn drivetrain(&self) -> Option<&drivetrain::Drivetrain> {
        None
    }

    /// The tracks that its wheels run on, if there are any.
    fn tracks(&self) -> Option<&Tracks> {
        None
    }

    /// Geometry of the steered axle, if there is one.
    fn steering(&self) -> Option<Steering> {
        None
    }
}

/// Geometry of a steered front axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// Wheelbase [m].
    pub wheelbase: f64,
    /// Track of the front axle [m].
    pub track: f64,
    /// Largest equivalent single-track angle [rad].
    pub max_angle: f64,
    /// Whether both wheels turn by the same angle, rather than about one centre.
    pub parallel: bool,
    /// Value of that in the world file.
    pub parallel_in_file: bool,
    /// Where the hinge is, of a vehicle that steers by bending; none: its wheels steer.
    pub hinge: Option<HingeArms>,
}

/// Where the hinge between two frames is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeArms {
    /// Its distance from the rear axle [m], > 0.
    pub rear: f64,
    /// Its distance from the front axle [m], > 0.
    pub front: f64,
}

impl Steering {
    /// Angles [rad] of the left and the right front wheel for the equivalent angle [rad], limited to the largest.
    #[inline]
    pub fn wheel_angles(&self, angle: f64) -> [f64; 2] {
        let limited = angle.clamp(-self.max_angle, self.max_angle);
        if self.parallel { [limited; 2] } else { ackermann_angles(limited, self.track, self.wheelbase) }
    }

    /// Yaw rate [rad/s] at the rear axle's speed [m/s] and a constant steering angle [rad], without slip: v·tan δ/l for
    /// steered wheels (MVSim's manual: B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.4.4), v·sin γ/(l_f +
    /// l_r·cos γ) for a hinge (Corke and Ridley, 2001).
    pub fn yaw_rate(&self, speed: f64, angle: f64) -> f64 {
        match self.hinge {
            None => speed * libm::tan(angle) / self.wheelbase,
            Some(HingeArms { rear, front }) => {
                let (sin, cos) = libm::sincos(angle);
                speed * sin / (front + rear * cos)
            }
        }
    }

    /// The inverse: the angle [rad] for this yaw rate [rad/s] at this speed [m/s], which is not 0, whatever the largest
    /// angle is. A hinge whose frames cannot turn as sharply at any angle gives a right angle.
    pub fn angle(&self, speed: f64, yaw_rate: f64) -> f64 {
        match self.hinge {
            None => libm::atan(self.wheelbase * yaw_rate / speed),
            Some(HingeArms { rear, front }) => {
                // sin γ − κ·l_r·cos γ = κ·l_f
                let curvature = yaw_rate / speed;
                let sine = curvature * front / (1.0 + (curvature * rear) * (curvature * rear)).sqrt();
                if sine.abs() > 1.0 {
                    FRAC_PI_2.copysign(sine)
                } else {
                    libm::atan(curvature * rear) + libm::asin(sine)
                }
            }
        }
    }

    /// Ratio [-] of the curvature of this motion (speed [m/s], yaw rate [rad/s]) to that at the angle `lock` [rad]; infinite without speed.
    pub fn share_of_curvature(&self, speed: f64, yaw_rate: f64, lock: f64) -> f64 {
        let (required, possible) = match self.hinge {
            None => (self.wheelbase * yaw_rate.abs(), speed.abs() * libm::tan(lock)),
            Some(_) => (yaw_rate.abs(), self.yaw_rate(speed.abs(), lock)),
        };
        if possible > 0.0 { required / possible } else { f64::INFINITY }
    }

    /// Steers in parallel or not; none: as in the world file.
    pub fn set_parallel(&mut self, parallel: Option<bool>) {
        self.parallel = parallel.unwrap_or(self.parallel_in_file);
    }
}

impl Default for Steering {
    /// The geometry of MVSim's default car.
    fn default() -> Steering {
        Steering {
            wheelbase: 1.3,
            track: 2.0,
            max_angle: 30.0_f64.to_radians(),
            parallel: false,
            parallel_in_file: false,
            hinge: None,
        }
    }
}

/// A drive as read from a world file, with its wheels and chassis.
pub struct DriveParts {
    /// The mechanics.
    pub drive: Box<dyn Drive>,
    /// Wheels in index order; odometry reads the first two.
    pub wheels: Vec<WheelParameters>,
    /// The chassis; that of the rear frame, if there are two.
    pub chassis: Chassis,
    /// The front frame of an articulated vehicle.
    pub front: Option<FrontFrame>,
    /// Model that moves the whole vehicle, in place of forces at its wheels.
    pub motion: Option<Box<dyn MotionModel>>,
    /// Kind of actuation, if it is not that of the entry.
    pub kind: Option<DriveKind>,
}

impl DriveParts {
    /// The parts of a vehicle with one body, which `motion` moves in place of forces at its wheels, if it is given.
    pub(super) fn one_body(
        drive: Box<dyn Drive>,
        wheels: Vec<WheelParameters>,
        chassis: Chassis,
        motion: Option<Box<dyn MotionModel>>,
    ) -> DriveParts {
        DriveParts { drive, wheels, chassis, front: None, motion, kind: None }
    }
}

/// The front frame of an articulated vehicle: it carries all wheels but the first two.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontFrame {
    /// The body on these wheels, placed as while the vehicle is straight.
    pub chassis: Chassis,
    /// The hinge that connects it to the rear frame.
    pub hinge: Hinge,
}

/// A line of [`DRIVES`].
pub struct DriveEntry {
    /// Value of `class` in `<dynamics class="…">`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Kind of actuation.
    pub kind: DriveKind,
    /// Reads the drive from the `<dynamics>` block.
    pub read: fn(&Reader<'_>) -> DriveParts,
}

/// All drives by their name in world files.
pub const DRIVES: &[DriveEntry] = &[
    DriveEntry {
        name: "differential",
        help: "two wheels, each with its motor",
        kind: DriveKind::Differential,
        read: differential::read_two_wheels,
    },
    DriveEntry {
        name: "differential_3_wheels",
        help: "two driven wheels and a castor",
        kind: DriveKind::Differential,
        read: differential::read_three_wheels,
    },
    DriveEntry {
        name: "differential_4_wheels",
        help: "four driven wheels, skid steering",
        kind: DriveKind::Differential,
        read: differential::read_four_wheels,
    },
    DriveEntry {
        name: "omni_3_wheels",
        help: "three driven omni wheels, moves in any direction",
        kind: DriveKind::Omnidirectional,
        read: omnidirectional::read_omni_3,
    },
    DriveEntry {
        name: "omni_4_wheels",
        help: "four driven omni wheels, moves in any direction",
        kind: DriveKind::Omnidirectional,
        read: omnidirectional::read_omni_4,
    },
    DriveEntry {
        name: "mecanum",
        help: "four driven mecanum wheels, moves in any direction",
        kind: DriveKind::Omnidirectional,
        read: omnidirectional::read_mecanum,
    },
    DriveEntry {
        name: "tracked",
        help: "two tracks whose links slide over the ground in turns",
        kind: DriveKind::Tracked,
        read: tracked::read,
    },
    DriveEntry {
        name: "tricycle",
        help: "one front wheel that is steered and driven, and two that roll",
        kind: DriveKind::Tricycle,
        read: tricycle::read,
    },
    DriveEntry {
        name: "articulated",
        help: "two frames, each with an axle, and a driven hinge between them",
        kind: DriveKind::Articulated,
        read: articulated::read,
    },
    DriveEntry {
        name: "ackermann",
        help: "steered front axle with a motor at each front wheel",
        kind: DriveKind::Ackermann,
        read: ackermann::read_wheel_motors,
    },
    DriveEntry {
        name: "ackermann_drivetrain",
        help: "steered front axle, one motor or powertrain behind differentials",
        kind: DriveKind::AckermannDrivetrain,
        read: ackermann::read_drivetrain,
    },
    DriveEntry {
        name: "ackermann_joints",
        help: "steered front axle with a motor at each wheel and at each steering hinge",
        kind: DriveKind::Joints,
        read: ackermann::read_joints,
    },
    DriveEntry {
        name: "unicycle",
        help: "kinematic model: a point that moves along its heading and turns",
        kind: DriveKind::Model,
        read: kinematic::read_unicycle,
    },
    DriveEntry {
        name: "kinematic_differential",
        help: "kinematic model: two wheels that roll without slip about one centre of rotation",
        kind: DriveKind::Model,
        read: kinematic::read_differential,
    },
    DriveEntry {
        name: "kinematic_bicycle",
        help: "kinematic model: a steered car that rolls without slip",
        kind: DriveKind::SteeredModel,
        read: kinematic::read_bicycle,
    },
    DriveEntry {
        name: "single_track",
        help: "dynamic model: a car with one wheel per axle, whose tyres slip sideways",
        kind: DriveKind::SteeredModel,
        read: single_track::read,
    },
    DriveEntry {
        name: "longitudinal",
        help: "model of throttle, brake, air and grade, on a car that rolls without slip",
        kind: DriveKind::Longitudinal,
        read: longitudinal::read,
    },
    DriveEntry {
        name: "autoware",
        help: "models of Autoware's planning simulator: dead times, lags and limits on a car without slip",
        kind: DriveKind::AcceleratedModel,
        read: autoware::read,
    },
];

/// Velocity of the reference point [m/s, rad/s] from the spin of two wheels of an axle, without side slip (MVSim's manual:
/// B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.3.2): ω = (ω_1·R_1 − ω_0·R_0)/(y_0 − y_1), v_x = ω_0·R_0 + ω·y_0, v_y = 0.
#[inline]
pub fn velocity_from_axle(wheels: &[Wheel]) -> Twist2 {
    velocity_from_rims(wheels, [wheels[0].rim_speed(), wheels[1].rim_speed()])
}

/// The same from the speeds [m/s] with which the left and the right wheel of that axle roll.
#[inline]
pub(super) fn velocity_from_rims(wheels: &[Wheel], [left, right]: [f64; 2]) -> Twist2 {
    let (y0, y1) = (wheels[0].parameters.position.y, wheels[1].parameters.position.y);
    let yaw_rate = (right - left) / (y0 - y1);
    // From both wheels alike, so that the mirror image has the same bits.
    Twist2::new(0.5 * (left + right) + yaw_rate * (0.5 * (y0 + y1)), 0.0, yaw_rate)
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    #[test]
    fn the_twist_is_recovered_from_axle_speeds() {
        let mut wheels: Vec<Wheel> =
            [0.5, -0.7].map(|y| Wheel::new(WheelParameters::new("w", Vec2::new(0.0, y)))).into();
        let truth = Twist2::new(1.5, 0.0, -0.4);
        for wheel in &mut wheels {
            wheel.spin = wheel.velocity_in_wheel(truth).x / wheel.parameters.radius;
        }
        let reported = velocity_from_axle(&wheels);
        assert!((reported.vx - 1.5).abs() < 1e-14 && (reported.wz + 0.4).abs() < 1e-14);
    }

    #[test]
    fn names_are_unique() {
        for (i, a) in DRIVES.iter().enumerate() {
            assert!(DRIVES[i + 1..].iter().all(|b| b.name != a.name), "{}", a.name);
        }
    }
}
