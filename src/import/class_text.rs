//! A vehicle class as a file, and a world to try it in.

use std::io;

use skidpad_math::{Pose3, Vec2};

use super::class::{ClassWheel, MeshVisual, VehicleClass};
use super::layout::Drive;
use super::sensors::{ClassSensor, pose_text};
use super::text::{Attributes, Out, color, number, numbers};

/// Friction coefficient of castors [-]: they swivel, and resist next to nothing.
const CASTOR_MU: f64 = 0.01;
/// Time constant with which wheels approach their commanded speeds [s]: chosen.
const TIME_CONSTANT: f64 = 0.05;

/// The text of a class that was imported from `source`; `solids` is the file with its boxes, cylinders and spheres, if it has any.
pub(super) fn class(class: &VehicleClass, source: &str, solids: Option<&str>) -> io::Result<String> {
    let mut out = Out::new();
    out.comment(&head(class, source))?;
    out.with("vehicle:class", &[("name", class.name.clone())], |out| {
        write_motion(out, class, true, class.separation_multiplier)?;
        for visual in &class.visuals {
            write_visual(out, visual)?;
        }
        if let Some(file) = solids {
            out.with("visual", &[], |out| out.text("model_uri", file))?;
        }
        write_sensors(out, &class.sensors)
    })?;
    out.finish()
}

fn write_sensors(out: &mut Out, sensors: &[ClassSensor]) -> io::Result<()> {
    sensors.iter().try_for_each(|sensor| {
        out.with("sensor", &[("class", sensor.class.to_owned()), ("name", sensor.name.clone())], |out| {
            sensor.tags.iter().try_for_each(|(tag, text)| out.text(tag, text))
        })
    })
}

/// A world on level ground with one vehicle of the class, without its looks, with these sensors, whose wheels are driven for this multiple of
/// the commanded yaw rate.
pub(super) fn bare_world(
    class: &VehicleClass,
    separation_multiplier: f64,
    sensors: &[ClassSensor],
) -> io::Result<String> {
    let mut out = Out::new();
    out.with("mvsim_world", &[("version", "1.0".to_owned())], |out| {
        write_georeference(out, sensors)?;
        out.with("vehicle", &[("name", class.name.clone())], |out| {
            out.text("init_pose", "0 0 0")?;
            write_motion(out, class, false, separation_multiplier)?;
            write_sensors(out, sensors)
        })
    })?;
    out.finish()
}

/// A place on Earth, which a satellite receiver needs; this one is only an example.
fn write_georeference(out: &mut Out, sensors: &[ClassSensor]) -> io::Result<()> {
    if sensors.iter().all(|sensor| sensor.class != "gnss") {
        return Ok(());
    }
    out.with("georeference", &[], |out| {
        out.text("latitude", "0")?;
        out.text("longitude", "0")
    })
}

/// A world with one vehicle of the class, which is in `file`.
pub(super) fn world(class: &VehicleClass, file: &str) -> io::Result<String> {
    let mut out = Out::new();
    out.with("mvsim_world", &[("version", "1.0".to_owned())], |out| {
        write_georeference(out, &class.sensors)?;
        out.empty("element", &[("class", "ground_grid".to_owned())])?;
        // Cameras and lidars in three dimensions see the ground only if it has a shape.
        out.empty("element", &[("class", "horizontal_plane".to_owned())])?;
        out.empty("include", &[("file", file.to_owned())])?;
        out.with("vehicle", &[("name", class.name.clone()), ("class", class.name.clone())], |out| {
            out.text("init_pose", "0 0 0")
        })
    })?;
    out.finish()
}

/// What decides how the vehicle moves, with the looks of its wheels or without.
fn write_motion(out: &mut Out, class: &VehicleClass, with_looks: bool, separation_multiplier: f64) -> io::Result<()> {
    out.with("dynamics", &[("class", class.drive.class().to_owned())], |out| {
        write_dynamics(out, class, with_looks, separation_multiplier)
    })?;
    write_friction(out, class, None, class.mu)?;
    if matches!(class.drive, Drive::Differential(Some(_))) {
        write_friction(out, class, Some("caster_wheel"), CASTOR_MU)?;
    }
    // Odometry reckons with the same distance of the wheels as the controller.
    if separation_multiplier != 1.0 {
        out.empty("odometry", &[("yaw_multiplier", number(1.0 / separation_multiplier))])?;
    }
    Ok(())
}

fn head(class: &VehicleClass, source: &str) -> String {
    let reference = match class.drive {
        Drive::Differential(_) => "middle of the driven axle",
        Drive::SkidSteer | Drive::Omni3 | Drive::Omni4 | Drive::Mecanum => "middle of the wheels",
        Drive::Ackermann { .. } | Drive::Tricycle { .. } => "middle of the rear axle",
        Drive::Tracked { .. } => "middle of the tracks",
    };
    let (link, pose) = &class.root;
    let castor = match &class.drive {
        Drive::Differential(Some(castor)) => format!(" The castor replaces {}.", castor.name),
        _ => String::new(),
    };
    let rollers = match &class.drive {
        Drive::Mecanum => " Also assumed: rollers at 45° to the axles, the upper ones in an X when seen from above.",
        Drive::Tracked { .. } => " Also assumed: firm sand, and five road wheels in each track.",
        _ => "",
    };
    format!(
        "Class {}, imported by skidpad import from {source}. Reference point: {reference}, on the ground; there link {link} is at {} \
         (x y z yaw pitch roll, m and degrees).{castor}\n     Assumed, since descriptions do not have them: the gains or the time constant of the controller, rolling resistance, and the largest torque \
         of the wheels where none is given.{rollers}",
        class.name,
        pose_text(pose)
    )
}

fn write_dynamics(out: &mut Out, class: &VehicleClass, with_looks: bool, separation_multiplier: f64) -> io::Result<()> {
    let is_ackermann = matches!(class.drive, Drive::Ackermann { .. });
    for wheel in &class.wheels {
        let visuals = if with_looks { &wheel.visuals[..] } else { &[] };
        write_wheel(out, class, wheel, visuals, is_ackermann && wheel.tag.starts_with('f'))?;
    }
    if is_ackermann && let [_, _, left, right] = &class.wheels[..] {
        out.text("f_wheels_x", &number(0.5 * (left.position.x + right.position.x)))?;
        out.text("f_wheels_d", &number(left.position.y - right.position.y))?;
    }
    let max_steer = class.drive.max_steer();
    if let Some(max_steer) = max_steer {
        out.text("max_steer_ang_deg", &number(max_steer.to_degrees()))?;
    }
    let chassis = &class.chassis;
    let mut attributes = vec![("mass", number(chassis.mass)), ("com", numbers(&[chassis.center.x, chassis.center.y]))];
    attributes.extend(chassis.center_height.map(|height| ("com_height", number(height))));
    attributes.extend(chassis.yaw_inertia.map(|inertia| ("inertia", number(inertia))));
    attributes.extend([("zmin", number(chassis.z[0])), ("zmax", number(chassis.z[1]))]);
    attributes.extend(chassis.color.map(|value| ("color", color(value))));
    attributes.extend([("linear_damping", "0".to_owned()), ("angular_damping", "0".to_owned())]);
    out.with("chassis", &attributes, |out| write_shape(out, &chassis.outline))?;
    if let Some(rate) = class.steering_rate {
        out.empty("steering_actuator", &[("rate_deg", number(rate.to_degrees()))])?;
    }
    if let Drive::Ackermann { differentials, .. } = class.drive {
        out.empty("drivetrain", &[("type", differentials.to_owned())])?;
    }
    let controller = match class.drive {
        Drive::Ackermann { .. } => "front_steer_pid",
        Drive::Tricycle { .. } => "twist_front_steer_pid",
        Drive::Tracked { .. } => "twist_pid",
        _ => "twist_servo",
    };
    out.with("controller", &[("class", controller.to_owned())], |out| {
        if controller == "twist_servo" {
            out.text("time_constant", &number(TIME_CONSTANT))?;
            out.text("max_torque", &number(class.max_torque))?;
        } else {
            out.text("KP", &number(class.gains.proportional))?;
            out.text("KI", &number(class.gains.integral))?;
            out.text("max_torque", &number(class.max_torque))?;
            out.text("enable_antiwindup", "true")?;
            out.text("enable_reference_filter", "true")?;
            out.text("reference_filter_tau", &number(class.gains.filter))?;
        }
        if separation_multiplier != 1.0 {
            out.text("wheel_separation_multiplier", &number(separation_multiplier))?;
        }
        if max_steer.is_some() {
            return Ok(());
        }
        let limits = [
            ("max_speed", class.max_speed),
            ("max_acceleration", class.max_acceleration),
            ("max_yaw_rate", class.max_yaw_rate.map(f64::to_degrees)),
            ("max_yaw_acceleration", class.max_yaw_acceleration.map(f64::to_degrees)),
        ];
        let mut limits = limits.into_iter().filter_map(|(tag, limit)| Some((tag, limit?)));
        limits.try_for_each(|(tag, limit)| out.text(tag, &number(limit)))
    })
}

/// A wheel with these visuals; where it is `on_axle`, its position is that of its axle.
fn write_wheel(
    out: &mut Out,
    class: &VehicleClass,
    wheel: &ClassWheel,
    visuals: &[MeshVisual],
    on_axle: bool,
) -> io::Result<()> {
    let mut attributes = Vec::new();
    if !on_axle {
        let mut place = vec![wheel.position.x, wheel.position.y];
        place.extend(wheel.mount_yaw.map(f64::to_degrees));
        attributes.push(("pos", numbers(&place)));
    }
    if let Drive::Tracked { ground_run } = class.drive {
        attributes.push(("length", number(ground_run)));
    }
    attributes.extend([
        ("mass", number(wheel.mass)),
        ("width", number(wheel.width)),
        ("diameter", number(2.0 * wheel.radius)),
    ]);
    attributes.extend(wheel.inertia.map(|inertia| ("inertia", number(inertia))));
    attributes.extend(wheel.color.map(|value| ("color", color(value))));
    if visuals.is_empty() {
        return out.empty(wheel.tag, &attributes);
    }
    out.with(wheel.tag, &attributes, |out| visuals.iter().try_for_each(|visual| write_visual(out, visual)))
}

/// The corners of an outline.
pub(super) fn write_shape(out: &mut Out, outline: &[Vec2]) -> io::Result<()> {
    out.with("shape", &[], |out| outline.iter().try_for_each(|p| out.text("pt", &numbers(&[p.x, p.y]))))
}

/// A mesh at its pose.
pub(super) fn write_visual(out: &mut Out, visual: &MeshVisual) -> io::Result<()> {
    let MeshVisual { address, pose, scale, color: painted } = visual;
    let Pose3 { x, y, z, yaw, pitch, roll } = *pose;
    out.with("visual", &[], |out| {
        out.text("model_uri", address)?;
        let placed = [
            ("model_scale", *scale, 1.0),
            ("model_offset_x", x, 0.0),
            ("model_offset_y", y, 0.0),
            ("model_offset_z", z, 0.0),
            ("model_yaw", yaw.to_degrees(), 0.0),
            ("model_pitch", pitch.to_degrees(), 0.0),
            ("model_roll", roll.to_degrees(), 0.0),
        ];
        for (tag, value, usual) in placed {
            let text = number(value);
            if text != number(usual) {
                out.text(tag, &text)?;
            }
        }
        painted.map_or(Ok(()), |value| out.text("model_color", &color(value)))
    })
}

/// The friction of all wheels, or of some.
fn write_friction(out: &mut Out, class: &VehicleClass, wheels: Option<&str>, mu: f64) -> io::Result<()> {
    let mut attributes: Vec<(&str, String)> = vec![("class", "default".to_owned())];
    attributes.extend(wheels.map(|wheels| ("wheels", wheels.to_owned())));
    let attributes: &Attributes<'_> = &attributes;
    out.with("friction", attributes, |out| {
        out.text("mu", &number(mu))?;
        out.text("C_damping", &number(class.damping))?;
        out.text("C_rr", &number(class.rolling_resistance))
    })
}
