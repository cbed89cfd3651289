//! Drives a class once, as it was imported, on level ground: what it does of what it is asked says at once whether the import is right.

use std::path::Path;

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

use super::class::VehicleClass;
use super::class_text;
use super::layout::Drive;
use super::text::number;
use super::vehicle::LEAST_MU;

/// What is asked for [m/s, rad/s].
pub(super) const SPEED: f64 = 0.5;
const YAW_RATE: f64 = 0.5;
/// Duration of the drive, and of its last part, over which the motion is the mean [s].
const DURATION: f64 = 2.0;
const MEASURED: f64 = 0.5;
/// What is less or more than what was asked for by this share deserves its reason.
const CLOSE: f64 = 0.1;
/// A yaw inertia of this many times that of all mass at the wheels makes turns slow [-].
const GREAT_INERTIA: f64 = 3.0;

/// A line about the drive.
pub(super) fn drive(class: &VehicleClass) -> String {
    match mean_motion(class) {
        Ok([speed, yaw_rate]) => {
            let got = format!(
                "{}: asked {SPEED} m/s and {YAW_RATE} rad/s, got {} m/s and {} rad/s",
                class.name,
                shown(speed),
                shown(yaw_rate)
            );
            let is_close = |found: f64, asked: f64| (found - asked).abs() <= CLOSE * asked;
            let reason =
                if is_close(speed, SPEED) && is_close(yaw_rate, YAW_RATE) { None } else { reason(class, speed) };
            got + &reason.map_or_else(String::new, |reason| format!(" ({reason})"))
        }
        Err(why) => format!("{}: cannot be driven: {why}", class.name),
    }
}

/// Why a class may do something else than it is asked; `speed` is what it does [m/s].
fn reason(class: &VehicleClass, speed: f64) -> Option<String> {
    let radius = class.wheels.first().map_or(1.0, |wheel| wheel.radius);
    let half_track = class.wheels.iter().map(|wheel| wheel.position.y).fold(0.0, f64::max);
    let slides = matches!(class.drive, Drive::SkidSteer | Drive::Tracked { .. });
    if class.damping * SPEED / radius > 0.5 * class.max_torque {
        let (damping, torque) = (number(class.damping), number(class.max_torque));
        return Some(format!("the damping of its wheels, {damping} N·m·s/rad, is too much for motors of {torque} N·m"));
    }
    if class.mu < LEAST_MU {
        return Some(format!("its wheels have no grip: mu {}", number(class.mu)));
    }
    // The outer wheels are faster than the vehicle.
    let limit = class.max_speed.filter(|most| *most < SPEED + YAW_RATE * half_track);
    if let Some(most) = limit.filter(|_| speed < (1.0 - CLOSE) * SPEED || !slides) {
        return Some(format!("its speed is limited to {} m/s", number(most)));
    }
    let mass: f64 = class.chassis.mass + class.wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
    let turns_slowly = class.chassis.yaw_inertia.filter(|yaw| *yaw > GREAT_INERTIA * mass * half_track * half_track);
    match class.drive {
        Drive::Differential(_) if turns_slowly.is_some() => {
            let yaw = turns_slowly.unwrap_or_default();
            Some(format!(
                "its yaw inertia, {} kg·m², is great for its mass and track: it turns sluggishly",
                number(yaw)
            ))
        }
        Drive::Ackermann { max_steer, .. } | Drive::Tricycle { max_steer } => {
            Some(format!("its wheels steer by up to {} degrees", number(max_steer.to_degrees().round())))
        }
        _ => slides.then(|| "it turns by sliding".to_owned()),
    }
}

/// A number with three decimals.
fn shown(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Without the sign of −0.
    (rounded + 0.0).to_string()
}

/// Mean speed ahead [m/s] and yaw rate [rad/s] at the end of the drive.
fn mean_motion(class: &VehicleClass) -> Result<[f64; 2], String> {
    let text = class_text::bare_world(class).map_err(|error| error.to_string())?;
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    let loaded = World::load_text(&class.name, Path::new(""), &text, &options);
    let (mut world, _) = loaded.map_err(|problems| problems.to_string())?;
    let action = Action::Twist(Twist2::new(SPEED, 0.0, YAW_RATE));
    world.command(Command { vehicle: 0, action }).map_err(|error| error.to_string())?;
    let (mut sum, mut count) = ([0.0; 2], 0.0);
    while world.frame().time.secs() < DURATION {
        let frame = world.step().map_err(|error| error.to_string())?;
        if frame.time.secs() > DURATION - MEASURED {
            let velocity = frame.vehicles[0].velocity_in_body;
            sum = [sum[0] + velocity.vx, sum[1] + velocity.wz];
            count += 1.0;
        }
    }
    Ok(sum.map(|sum| sum / f64::max(count, 1.0)))
}
