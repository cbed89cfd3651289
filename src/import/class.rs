//! A vehicle class as data, between the robot that it is made of and the text that is written.

use skidpad_math::{Pose3, Vec2};

use super::layout::Drive;
use super::sensors::ClassSensor;
use super::shape::Solid;
use super::text::number;

/// A vehicle class.
#[derive(Debug)]
pub(super) struct VehicleClass {
    pub name: String,
    pub drive: Drive,
    pub wheels: Vec<ClassWheel>,
    pub chassis: ClassChassis,
    /// Of the PI on speed, where the motors do not hold the speeds of their wheels.
    pub gains: SpeedGains,
    /// Yaw rate that skidding wheels are driven for, per commanded one [-].
    pub separation_multiplier: f64,
    /// Largest torque of each motor [N·m].
    pub max_torque: f64,
    pub max_speed: Option<f64>,
    pub max_acceleration: Option<f64>,
    pub max_yaw_rate: Option<f64>,
    pub max_yaw_acceleration: Option<f64>,
    /// [rad/s]
    pub steering_rate: Option<f64>,
    /// Friction coefficient [-] and damping at the axle [N·m·s/rad].
    pub mu: f64,
    pub damping: f64,
    /// Rolling resistance of the wheels [-].
    pub rolling_resistance: f64,
    pub visuals: Vec<MeshVisual>,
    /// Visuals that are boxes, cylinders and spheres, in the frame of the body.
    pub solids: Vec<(Pose3, Solid, [u8; 4])>,
    pub sensors: Vec<ClassSensor>,
    /// The root link in the frame of the vehicle.
    pub root: (String, Pose3),
    pub robot_from_body: Pose3,
}

/// Gains of a PI on speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeedGains {
    /// [N·m/(m/s)]
    pub proportional: f64,
    /// [N·m/m]
    pub integral: f64,
    /// Time constant of the filter of its set-point [s].
    pub filter: f64,
}

/// A wheel.
#[derive(Debug)]
pub(super) struct ClassWheel {
    pub tag: &'static str,
    pub position: Vec2,
    /// Mounting yaw of an omni wheel [rad]; none: it rolls ahead.
    pub mount_yaw: Option<f64>,
    pub mass: f64,
    pub radius: f64,
    pub width: f64,
    /// About the axle [kg·m²]; none: a uniform disc.
    pub inertia: Option<f64>,
    pub color: Option<[u8; 4]>,
    pub visuals: Vec<MeshVisual>,
}

/// The chassis: everything but the wheels.
#[derive(Debug)]
pub(super) struct ClassChassis {
    pub mass: f64,
    pub center: Vec2,
    /// Height of the whole vehicle's centre of mass [m]; none: no load transfer.
    pub center_height: Option<f64>,
    /// [kg·m²]; none: a uniform plate.
    pub yaw_inertia: Option<f64>,
    pub outline: Vec<Vec2>,
    pub z: [f64; 2],
    pub color: Option<[u8; 4]>,
}

/// A mesh of the chassis or a wheel, in its frame.
#[derive(Debug)]
pub(super) struct MeshVisual {
    pub address: String,
    pub pose: Pose3,
    pub scale: f64,
    pub color: Option<[u8; 4]>,
}

impl VehicleClass {
    /// One line: drive, mass, dimensions and sensors.
    pub(super) fn summary(&self) -> String {
        let mass = self.chassis.mass + self.wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
        let mut line = format!("{}: {}, {} kg", self.name, self.drive.class(), number(mass));
        if let (Drive::Omni3 | Drive::Omni4, [first, ..]) = (&self.drive, &self.wheels[..]) {
            let reach = first.position.norm();
            line += &format!(", wheels {} m from the middle, wheel radius {} m", number(reach), number(first.radius));
        } else if let (Drive::Tracked { ground_run }, [left, right]) = (&self.drive, &self.wheels[..]) {
            let track = left.position.y - right.position.y;
            line += &format!(", {} m on the ground, track {} m", number(*ground_run), number(track));
        } else if let [first, second, rest @ ..] = &self.wheels[..] {
            let track = first.position.y - second.position.y;
            if let Some(front) = rest.first().filter(|wheel| wheel.tag != "caster_wheel") {
                line += &format!(", wheelbase {} m", number(front.position.x - first.position.x));
            }
            line += &format!(", track {} m, wheel radius {} m", number(track), number(first.radius));
        }
        if !self.sensors.is_empty() {
            let names: Vec<String> =
                self.sensors.iter().map(|sensor| format!("{} ({})", sensor.name, sensor.class)).collect();
            line += &format!("; sensors {}", names.join(", "));
        }
        line
    }
}
