//! Drives a class once, as it was imported, on level ground: what it does of what it is asked says at once whether the import is right.

use std::path::Path;

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};
use skidpad_xml::{Problem, Problems};

use super::class::VehicleClass;
use super::layout::Drive;
use super::sensors::ClassSensor;
use super::text::number;
use super::vehicle::MIN_MU;
use super::{balance, class_text};

/// What is asked for [m/s, rad/s].
pub(super) const SPEED: f64 = 0.5;
const YAW_RATE: f64 = 0.5;
/// Time after which the command is to be reached; duration of the drive, and of its last part, over which the motion is the mean [s].
const SOON: f64 = 0.3;
const DURATION: f64 = 2.0;
const MEASURED: f64 = 0.5;
/// What is less or more than what was asked for by this share deserves its reason.
const CLOSE: f64 = 0.05;
/// Largest factor of the wheel separation that is told [-], and number of drives in which it is looked for.
const MAX_MULTIPLIER: f64 = 10.0;
const SEARCHES: usize = 12;

/// What a class did.
#[derive(Clone, Copy, Debug)]
struct Driven {
    /// Speed ahead [m/s] and yaw rate [rad/s] soon after the command.
    soon: [f64; 2],
    /// Their mean at the end.
    late: [f64; 2],
    /// Least share [-] of its wanted speed that a wheel had soon after the command.
    wheel_share: f64,
}

impl Driven {
    fn is_as_asked([speed, yaw_rate]: [f64; 2]) -> bool {
        is_close(speed, SPEED) && is_close(yaw_rate, YAW_RATE)
    }
}

/// Whether a motion is near enough to what was asked for to need no reason.
pub(super) fn is_close(measured: f64, asked: f64) -> bool {
    (measured - asked).abs() <= CLOSE * asked
}

/// A line about the drive.
pub(super) fn drive(class: &VehicleClass) -> String {
    let driven = match drive_with(class, class.separation_multiplier, [SPEED, YAW_RATE]) {
        Ok(driven) => driven,
        Err(why) => return format!("{}: cannot be driven: {why}", class.name),
    };
    let motion = |[speed, yaw_rate]: [f64; 2]| format!("{} m/s and {} rad/s", shown(speed), shown(yaw_rate));
    let mut line = format!("{}: asked {}, got {}", class.name, motion([SPEED, YAW_RATE]), motion(driven.late));
    if Driven::is_as_asked(driven.late) && Driven::is_as_asked(driven.soon) {
        return line;
    }
    if !Driven::is_as_asked(driven.soon) {
        line += &format!(", {} after {SOON} s", motion(driven.soon));
    }
    format!("{line} ({})", reason(class, &driven))
}

/// Why a class does something else than it is asked.
fn reason(class: &VehicleClass, driven: &Driven) -> String {
    let radius = class.wheels.first().map_or(1.0, |wheel| wheel.radius);
    let (almost, torque) = (1.0 - CLOSE, number(class.max_torque));
    let mut reasons = Vec::new();
    if class.damping * SPEED / radius > almost * class.max_torque {
        let damping = number(class.damping);
        reasons.push(format!("the damping of its wheels, {damping} N·m·s/rad, is too much for motors of {torque} N·m"));
    }
    if class.mu < MIN_MU {
        reasons.push(format!("its wheels have no grip: mu {}", number(class.mu)));
    }
    let limits = [
        ("speed", "m/s", class.max_speed, SPEED),
        ("yaw rate", "rad/s", class.max_yaw_rate, YAW_RATE),
        ("acceleration", "m/s²", class.max_acceleration, class.max_speed.unwrap_or(SPEED).min(SPEED) / SOON),
        ("yaw acceleration", "rad/s²", class.max_yaw_acceleration, YAW_RATE / SOON),
    ];
    for (quantity, unit, limit, needed) in limits {
        if let Some(most) = limit.filter(|most| *most < almost * needed) {
            reasons.push(format!("its {quantity} is limited to {} {unit}", number(most)));
        }
    }
    let are_weak = driven.wheel_share < almost && reasons.is_empty();
    if are_weak {
        reasons.push(format!("its motors, of {torque} N·m each, are too weak for its mass and friction"));
    }
    let fault = balance::fault(class);
    reasons.extend(fault.as_ref().map(|fault| format!("its {fault}")));
    // Wheels that are slower than asked for have had their reason.
    let turns_as_asked = is_close(driven.late[1], YAW_RATE) || are_weak;
    match class.drive {
        Drive::SkidSteer if !turns_as_asked => reasons.push(sliding(class)),
        Drive::Tracked { .. } if !turns_as_asked => reasons.push("it turns by sliding".to_owned()),
        // An axle without load explains what the steering could do.
        Drive::Ackermann { max_steer, .. } | Drive::Tricycle { max_steer }
            if fault.is_none() || steers_too_little(class, max_steer) =>
        {
            let degrees = number(max_steer.to_degrees().round());
            let rate = class
                .steering_rate
                .map_or_else(String::new, |rate| format!(", at {} degrees/s", number(rate.to_degrees().round())));
            reasons.push(format!("its wheels steer by up to {degrees} degrees{rate}"));
        }
        _ if reasons.is_empty() => {
            let yaw = class
                .chassis
                .yaw_inertia
                .map_or_else(String::new, |yaw| format!(" and its yaw inertia {} kg·m²", number(yaw)));
            reasons.push(format!("its wheels slip: their mu is {}{yaw}", number(class.mu)));
        }
        _ => {}
    }
    reasons.join("; ")
}

/// Whether the largest angle of the equivalent single track [rad] is too small for the yaw rate that is asked for.
fn steers_too_little(class: &VehicleClass, max_steer: f64) -> bool {
    let ends = class.wheels.iter().map(|wheel| wheel.position.x);
    let wheelbase = ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min);
    SPEED * libm::tan(max_steer) < YAW_RATE * wheelbase
}

/// What a robot does whose wheels skid, and what would make it turn as asked.
fn sliding(class: &VehicleClass) -> String {
    let reported = "it turns by sliding, though its wheels reach their speeds";
    let is_wide = |multiplier: f64| {
        drive_with(class, multiplier, [SPEED, YAW_RATE]).is_ok_and(|driven| driven.late[1] >= YAW_RATE)
    };
    let [mut low, mut high] = [class.separation_multiplier, MAX_MULTIPLIER];
    if !is_wide(high) {
        return format!("{reported}; no wheel separation makes it turn as asked while it drives on");
    }
    for _ in 0..SEARCHES {
        let middle = 0.5 * (low + high);
        if is_wide(middle) { high = middle } else { low = middle }
    }
    let multiplier = (high * 100.0).round() / 100.0;
    format!("{reported}; with a wheel_separation_multiplier of {multiplier} it turns as asked")
}

/// Speed [m/s] of a class after a while, of which a speed and a yaw rate are asked; none: it cannot be driven.
pub(super) fn speed_in_turn(class: &VehicleClass, speed: f64, yaw_rate: f64) -> Option<f64> {
    drive_with(class, class.separation_multiplier, [speed, yaw_rate]).ok().map(|driven| driven.late[0])
}

/// Whether the class loads with these sensors.
///
/// # Errors
/// The problems of its load.
pub(super) fn loads(class: &VehicleClass, sensors: &[ClassSensor]) -> Result<(), Vec<Problem>> {
    // A class that cannot be written is told when it is.
    let Ok(text) = class_text::bare_world(class, class.separation_multiplier, sensors) else { return Ok(()) };
    load(class, &text).map(drop).map_err(|problems| problems.0)
}

/// A world of this text.
fn load(class: &VehicleClass, text: &str) -> Result<World, Problems> {
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    World::load_text(&class.name, Path::new(""), text, &options).map(|(world, _)| world)
}

/// A number with three decimals.
pub(super) fn shown(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Without the sign of −0.
    (rounded + 0.0).to_string()
}

/// What the class does of what is asked [m/s, rad/s] if its wheels are driven for this multiple of the yaw rate.
fn drive_with(class: &VehicleClass, separation_multiplier: f64, asked: [f64; 2]) -> Result<Driven, String> {
    let text = class_text::bare_world(class, separation_multiplier, &[]).map_err(|error| error.to_string())?;
    let mut world = load(class, &text).map_err(|problems| problems.to_string())?;
    let twist = Twist2::new(asked[0], 0.0, asked[1]);
    world.command(Command { vehicle: 0, action: Action::Twist(twist) }).map_err(|error| error.to_string())?;
    let mut driven = Driven { soon: [0.0; 2], late: [0.0; 2], wheel_share: 1.0 };
    let mut count = 0.0;
    while world.frame().time.secs() < DURATION {
        let is_soon = world.frame().time.secs() < SOON;
        let frame = world.step().map_err(|error| error.to_string())?;
        let (velocity, time) = (frame.vehicles[0].velocity_in_body, frame.time.secs());
        if is_soon {
            driven.soon = [velocity.vx, velocity.wz];
            let spins = frame.vehicles[0].wheels.iter().map(|wheel| wheel.spin);
            driven.wheel_share = wheel_share(class, spins, separation_multiplier, asked);
        }
        if time > DURATION - MEASURED {
            driven.late = [driven.late[0] + velocity.vx, driven.late[1] + velocity.wz];
            count += 1.0;
        }
    }
    driven.late = driven.late.map(|sum| sum / f64::max(count, 1.0));
    Ok(driven)
}

/// Least share [-] of its wanted speed that a wheel has, of drives that command each wheel and roll straight ahead; 1 of others.
fn wheel_share(
    class: &VehicleClass,
    spins: impl Iterator<Item = f64>,
    separation_multiplier: f64,
    [speed, yaw_rate]: [f64; 2],
) -> f64 {
    if !matches!(class.drive, Drive::Differential(_) | Drive::SkidSteer) {
        return 1.0;
    }
    let driven = class.wheels.iter().zip(spins).filter(|(wheel, _)| wheel.tag != "caster_wheel");
    let speeds =
        driven.map(|(wheel, spin)| (spin * wheel.radius, speed - wheel.position.y * separation_multiplier * yaw_rate));
    // Of a wheel that is to stand, a share says nothing.
    speeds.filter(|(_, wanted)| wanted.abs() > CLOSE * speed).map(|(speed, wanted)| speed / wanted).fold(1.0, f64::min)
}
