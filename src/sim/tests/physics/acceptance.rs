//! MVSim's own acceptance matrix (its "vehicle trajectories" tests): every drive and controller, straight and on an arc.
//!
//! Gravity 9.81 m/s², step 1 ms, 1 s, default friction, no chassis damping. Commands (1, 0, 0) and (1, 0, 1) shall end at
//! (1, 0, 0) and (sin 1, 1 − cos 1, 1). Its tolerances on x, y [m] and yaw [rad]: 0.04 ideal, 0.25 PID, 0.35 four wheels with
//! PID on the arc; PID arcs must feel more than 1 N of side force.

use super::common::*;
use skidpad_math::Pose2;
use skidpad_sim::world::{PhysicsRules, World};

const SMALL: &str = r#"mass="1" width="0.03" diameter="0.20""#;
const LARGE: &str = r#"mass="6" width="0.30" diameter="0.62""#;
const CHASSIS: &str = r#"<chassis linear_damping="0" angular_damping="0"/>"#;

/// Name, class and inside of `<dynamics>`, and the tolerance of its PID on the arc where MVSim's matrix has it.
fn drives() -> Vec<(&'static str, &'static str, String, Option<f64>)> {
    let two = |x: f64| format!(r#"<l_wheel pos="{x} 0.5" {SMALL}/><r_wheel pos="{x} -0.5" {SMALL}/>{CHASSIS}"#);
    let four = format!(
        r#"<lr_wheel pos="-0.3 0.5" {SMALL}/><rr_wheel pos="-0.3 -0.5" {SMALL}/>
        <lf_wheel pos="0.3 0.5" {SMALL}/><rf_wheel pos="0.3 -0.5" {SMALL}/>{CHASSIS}"#
    );
    let car = format!(
        r#"<rl_wheel pos="0 1" {LARGE}/><rr_wheel pos="0 -1" {LARGE}/><fl_wheel {LARGE}/><fr_wheel {LARGE}/>
        <f_wheels_x>1.3</f_wheels_x><f_wheels_d>2.0</f_wheels_d><max_steer_ang_deg>60</max_steer_ang_deg>{CHASSIS}"#
    );
    vec![
        ("two wheels", "differential", two(0.0), Some(0.25)),
        ("two wheels ahead (\"4w\")", "differential", two(0.3), Some(0.35)),
        ("three wheels", "differential_3_wheels", two(0.0) + &format!(r#"<caster_wheel pos="0.5 0" {SMALL}/>"#), None),
        ("four wheels", "differential_4_wheels", four, None),
        ("car", "ackermann", car.clone(), Some(0.25)),
        ("car with drivetrain", "ackermann_drivetrain", car, None),
    ]
}

fn controller(class: &str, ideal: bool) -> String {
    let (name, gains) = if ideal {
        ("twist_ideal", "")
    } else if class.starts_with("differential") {
        ("twist_pid", "<KP>4</KP><KI>3</KI><max_torque>20</max_torque>")
    } else if class == "ackermann_drivetrain" {
        // MVSim's matrix lacks this drive: one motor with the torque of both front motors there.
        ("twist_front_steer_pid", "<KP>2000</KP><max_torque>600</max_torque>")
    } else {
        ("twist_front_steer_pid", "<KP>1000</KP><max_torque>300</max_torque>")
    };
    format!(r#"<controller class="{name}">{gains}</controller>"#)
}

fn load_drive(class: &str, inside: &str, ideal: bool, rules: PhysicsRules) -> World {
    let text = format!(
        r#"<simul_timestep>0.001</simul_timestep><gravity>9.81</gravity>
        <vehicle name="v"><init_pose>0 0 0</init_pose>
        <dynamics class="{class}">{inside}{}</dynamics></vehicle>"#,
        controller(class, ideal)
    );
    world_with(&text, Some(rules))
}

/// Runs the command (1, 0, `yaw_rate`) for 1 s. Gives the pose and the largest side force [N].
fn drive(world: &mut World, yaw_rate: f64) -> (Pose2, f64) {
    twist(world, 0, 1.0, yaw_rate);
    let mut side_force: f64 = 0.0;
    for _ in 0..1000 {
        for wheel in &step(world).vehicles[0].wheels {
            side_force = side_force.max(wheel.force_in_wheel.y.abs());
        }
    }
    (first(world).world_from_body.planar(), side_force)
}

fn check_matrix(ideal: bool, yaw_rate: f64) {
    let mut failures = Vec::new();
    for rules in [PhysicsRules::Mvsim, PhysicsRules::Skidpad] {
        for (name, class, inside, arc) in drives() {
            let tolerance = match (ideal, yaw_rate != 0.0, arc) {
                (true, _, _) => 0.04,
                (false, false, _) => 0.25,
                (false, true, Some(arc)) => arc,
                (false, true, None) => continue,
            };
            let mut world = load_drive(class, &inside, ideal, rules);
            let (pose, side_force) = drive(&mut world, yaw_rate);
            let expected = if yaw_rate == 0.0 {
                [1.0, 0.0, 0.0]
            } else {
                [yaw_rate.sin() / yaw_rate, (1.0 - yaw_rate.cos()) / yaw_rate, yaw_rate]
            };
            let off = [pose.x - expected[0], pose.y - expected[1], pose.yaw - expected[2]];
            if off.iter().any(|d| d.abs() > tolerance) {
                failures.push(format!("{rules:?}, {name}: off by {off:.3?}, {tolerance} allowed"));
            }
            if !ideal && yaw_rate != 0.0 && side_force <= 1.0 {
                failures.push(format!("{rules:?}, {name}: side force {side_force}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What MVSim's matrix lacks on the arc. A castor that does not swivel and a second axle must scrub sideways to turn, and
/// these gains are weak (stall torque of a few N·m); the drivetrain shares one motor among four wheels. They turn to the
/// right side, but less than commanded; only the four wheels slip, so that only their odometry runs ahead of the truth.
#[test]
fn drives_outside_the_matrix_turn_less_than_commanded() {
    for (name, class, inside, _) in drives().into_iter().filter(|drive| drive.3.is_none()) {
        let mut world = load_drive(class, &inside, false, PhysicsRules::Skidpad);
        let (pose, side_force) = drive(&mut world, 1.0);
        let believed = first(&world).odom_from_body.yaw;
        assert!(pose.yaw > 0.05 && pose.yaw < 0.7, "{name}: {pose:?}");
        assert!(pose.x > 0.5 && pose.y > 0.0, "{name}: {pose:?}");
        assert!(side_force > 1.0, "{name}: {side_force}");
        if class == "differential_4_wheels" {
            assert!(believed > pose.yaw + 0.05, "{name}: {believed} and {}", pose.yaw);
        } else {
            assert!((believed - pose.yaw).abs() < 0.01, "{name}: {believed} and {}", pose.yaw);
        }
    }
}

#[test]
fn ideal_vehicles_drive_straight() {
    check_matrix(true, 0.0);
}

#[test]
fn ideal_vehicles_drive_the_arc() {
    check_matrix(true, 1.0);
}

#[test]
fn pid_vehicles_drive_straight() {
    check_matrix(false, 0.0);
}

#[test]
fn pid_vehicles_drive_the_arc() {
    check_matrix(false, 1.0);
}

/// MVSim's drift test, on level ground: 3 s at zero command move nothing.
#[test]
fn a_vehicle_at_rest_stays() {
    for rules in [PhysicsRules::Mvsim, PhysicsRules::Skidpad] {
        for (name, class, inside, _) in drives() {
            for ideal in [true, false] {
                let mut world = load_drive(class, &inside, ideal, rules);
                twist(&mut world, 0, 0.0, 0.0);
                run(&mut world, 3.0);
                let pose = first(&world).world_from_body.planar();
                assert!(pose.x.abs() < 1e-3 && pose.y.abs() < 1e-3 && pose.yaw.abs() < 0.01, "{name}: {pose:?}");
            }
        }
    }
}
