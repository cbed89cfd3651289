//! `skidpad check`: loads a world and says what is in it, without running it.

use std::io::Write;

use super::args::CheckArgs;
use super::run::milliseconds;
use super::{Failure, find};
use crate::sensor::{SensorInfo, SensorKind};
use crate::world::joint::JointInfo;
use crate::world::{JointLaw, Scene, VehicleInfo, World};

/// Checks a world. Fails on errors, with `--strict` on warnings too.
pub(super) fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let path = find::world(&args.world.world)?;
    let (world, warnings) = World::load(&path, &args.world.load_options(None)).map_err(Failure::because)?;
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    if args.strict && !warnings.is_empty() {
        return Err(Failure::Because(warnings.join("\n")));
    }
    for warning in &warnings {
        tracing::warn!("{warning}");
    }
    describe(world.scene(), out)
}

fn describe(scene: &Scene, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "{}: loads", scene.name)?;
    writeln!(out, "step {} ms, seed {}", milliseconds(scene.step), scene.seed)?;
    writeln!(out, "{}", counted(scene.vehicles.len(), "vehicle"))?;
    for vehicle in &scene.vehicles {
        writeln!(out, "  {}", describe_vehicle(vehicle))?;
        for sensor in &vehicle.sensors {
            writeln!(out, "    {}", describe_sensor(sensor))?;
        }
    }
    let fixed = match scene.blocks.iter().filter(|block| block.is_static).count() {
        0 => String::new(),
        fixed => format!(", {fixed} static"),
    };
    writeln!(out, "{}{fixed}", counted(scene.blocks.len(), "block"))?;
    writeln!(out, "{}", counted(scene.maps.len(), "map"))?;
    for map in &scene.maps {
        writeln!(out, "  {} x {} cells of {} m", map.width, map.height, map.resolution)?;
    }
    if !scene.joints.is_empty() {
        writeln!(out, "{}", counted(scene.joints.len(), "joint"))?;
        for joint in &scene.joints {
            writeln!(out, "  {}", describe_joint(joint))?;
        }
    }
    out.flush()?;
    Ok(())
}

fn describe_joint(joint: &JointInfo) -> String {
    let [a, b] = &joint.ends;
    let law = match joint.law {
        JointLaw::Pin { limits: None } => "pin".to_string(),
        JointLaw::Pin { limits: Some([low, high]) } => {
            format!("pin, {:.1}° to {:.1}°", low.to_degrees(), high.to_degrees())
        }
        JointLaw::Rope { min, max, stiffness, .. } if stiffness > 0.0 => {
            format!("spring of {stiffness} N/m, {min} to {max} m")
        }
        JointLaw::Rope { min, max, .. } => format!("rope, {min} to {max} m"),
    };
    format!("{}: {} and {}, {law}", joint.name, a.name, b.name)
}

fn describe_vehicle(vehicle: &VehicleInfo) -> String {
    let class = if vehicle.class.is_empty() { String::new() } else { format!(" ({})", vehicle.class) };
    let takes = match (vehicle.accepts.twist, vehicle.accepts.ackermann) {
        (true, true) => "takes twist and ackermann commands",
        (true, false) => "takes twist commands",
        (false, true) => "takes ackermann commands",
        (false, false) => "takes no commands",
    };
    let wheels = counted(vehicle.wheels.len(), "wheel");
    let steering = match (vehicle.wheelbase, vehicle.max_steer) {
        (Some(wheelbase), Some(steer)) => format!(", wheelbase {wheelbase} m, steers {:.1}°", steer.to_degrees()),
        _ => String::new(),
    };
    format!("{}{class}: {}, {:.1} kg, {wheels}{steering}, {takes}", vehicle.name, vehicle.dynamics, vehicle.mass)
}

fn describe_sensor(sensor: &SensorInfo) -> String {
    let rate = 1.0 / sensor.period.secs();
    match &sensor.kind {
        SensorKind::Lidar2d(scan) => {
            let span = (scan.angle_increment * (scan.count.max(1) - 1) as f64).abs().to_degrees();
            let (name, count, [min, max]) = (&sensor.name, scan.count, [scan.range_min, scan.range_max]);
            format!("{name}: planar lidar, {count} beams over {span:.1}°, {rate:.1} Hz, {min} to {max} m")
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
