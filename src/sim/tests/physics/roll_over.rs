//! Vehicles that tip over in whole worlds: when they do, how they lie and slide, what they hit, and what sets them upright.

use super::common::*;
use skidpad_math::{Pose2, Twist2};
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{ResetScope, World};

/// A van with its centre of mass at `height` [m], on tyres that grip well, in steps of `step` [s], in a world with `rest`.
fn van(height: f64, step: f64, inside: &str, rest: &str) -> World {
    world(&format!(
        r#"<simul_timestep>{step}</simul_timestep>{rest}<vehicle name="van"><init_pose>0 0 0</init_pose><init_vel>15 0 0</init_vel>
        <dynamics class="ackermann_drivetrain">
        <rl_wheel pos="0 0.75" mass="30" width="0.2" diameter="0.6"/><rr_wheel pos="0 -0.75" mass="30" width="0.2" diameter="0.6"/>
        <fl_wheel mass="30" width="0.2" diameter="0.6"/><fr_wheel mass="30" width="0.2" diameter="0.6"/>
        <f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>
        <chassis mass="1500" com="1.3 0" com_height="{height}" inertia="2500" zmin="0.3" zmax="2.2" linear_damping="0" angular_damping="0">
        <shape><pt>-0.7 -0.9</pt><pt>3.4 -0.9</pt><pt>3.4 0.9</pt><pt>-0.7 0.9</pt></shape></chassis>
        <suspension><axle><ride_frequency>1.6</ride_frequency><damping_ratio>0.4</damping_ratio></axle></suspension>
        <drivetrain type="open_front"/>
        <controller class="front_steer_pid"><KP>3000</KP><max_torque>2500</max_torque></controller></dynamics>
        <friction class="default"><mu>1</mu><C_damping>0</C_damping></friction>{inside}</vehicle>"#
    ))
}

fn order(world: &mut World, speed: f64, steering_angle: f64) {
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle } }).expect("takes these");
}

/// Turns sharply, and goes on until it has come to rest.
fn swerve(world: &mut World, steering_angle: f64) {
    run(world, 0.5);
    order(world, 15.0, steering_angle);
    run(world, 12.0);
}

#[test]
fn a_high_van_tips_over_in_a_turn_and_a_low_one_slides() {
    for (height, tips) in [(0.5, false), (1.3, true)] {
        let mut world = van(height, 0.005, "", "");
        swerve(&mut world, 0.35);
        let state = first(&world);
        assert_eq!(state.is_overturned, tips, "{state:?}");
        let roll = state.world_from_body.roll.abs();
        if tips {
            assert!((roll - std::f64::consts::FRAC_PI_2).abs() < 0.02, "it lies on its side: {roll} rad");
            assert!((state.world_from_body.z - 0.9).abs() < 0.03, "half its width: {} m", state.world_from_body.z);
            assert!(state.wheels.iter().all(|wheel| wheel.lifted && wheel.load == 0.0));
        } else {
            assert!(roll < 0.15, "{roll}");
        }
    }
}

#[test]
fn it_lies_as_its_mirror_image_and_nearly_so_at_another_step() {
    let lies = |step: f64, angle: f64| {
        let mut world = van(1.3, step, "", "");
        swerve(&mut world, angle);
        assert!(first(&world).is_overturned);
        first(&world).world_from_body
    };
    let (left, right, fine) = (lies(0.005, 0.35), lies(0.005, -0.35), lies(0.001, 0.35));
    assert_eq!((left.x, left.y, left.z, left.roll), (right.x, -right.y, right.z, -right.roll));
    let apart = (left.planar().position() - fine.planar().position()).norm();
    assert!(apart < 1.5, "{apart} m apart, {left:?} {fine:?}");
}

/// Its body slides by v²/(2·μ·g) with the friction of 0.5 of bodies.
#[test]
fn a_van_that_lies_slides_ignores_commands_and_stays_where_it_is() {
    let mut world = van(1.3, 0.005, "", "");
    run(&mut world, 0.5);
    order(&mut world, 15.0, 0.35);
    let lies = |world: &World| first(world).is_overturned && first(world).world_from_body.roll.abs() > 1.5;
    for _ in 0..2000 {
        if !lies(&world) {
            run(&mut world, 0.005);
        }
    }
    assert!(lies(&world));
    run(&mut world, 0.2);
    let (start, velocity) = (first(&world).world_from_body, first(&world).velocity_in_body);
    let speed = velocity.linear().norm();
    assert!(speed > 5.0, "{speed}");
    run(&mut world, 10.0);
    let way = (first(&world).world_from_body.planar().position() - start.planar().position()).norm();
    let expected = speed * speed / (2.0 * 0.5 * GRAVITY);
    assert!((way / expected - 1.0).abs() < 0.1, "{way} m, expected {expected} m");
    let rest = first(&world).world_from_body;
    order(&mut world, 10.0, 0.0);
    run(&mut world, 2.0);
    let after = first(&world).world_from_body;
    assert!((after.planar().position() - rest.planar().position()).norm() < 1e-3, "{rest:?} {after:?}");
}

#[test]
fn a_reset_and_a_teleport_set_it_upright() {
    let mut world = van(1.3, 0.005, "", "");
    let mut fresh = van(1.3, 0.005, "", "");
    swerve(&mut world, 0.35);
    assert!(first(&world).is_overturned);
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(3.0, 2.0, 0.5)) }).expect("takes poses");
    run(&mut world, 1.0);
    let state = first(&world);
    assert!(!state.is_overturned && state.world_from_body.roll.abs() < 0.01, "{state:?}");
    assert!(state.wheels.iter().all(|wheel| !wheel.lifted), "it stands");
    swerve(&mut world, 0.35);
    world.reset_with(ResetScope::ALL);
    swerve(&mut world, 0.35);
    swerve(&mut fresh, 0.35);
    assert_eq!(first(&world).world_from_body, first(&fresh).world_from_body, "as if it had just been loaded");
}

/// A lidar of another vehicle sees the roof, which is 2.2 m from the wheels on its side, and somebody who drives into it stops.
#[test]
fn it_is_seen_and_hit_with_the_outline_that_it_has_as_it_lies() {
    let mut world = van(1.3, 0.005, "", "");
    swerve(&mut world, 0.35);
    let lies = first(&world).world_from_body;
    // Its roof points to the right: it turned left.
    assert!(lies.roll > 1.5, "{lies:?}");
    let planar = lies.planar();
    let beside = planar.transform_point(skidpad_math::Vec2::new(1.3, -6.0));
    let yaw = planar.yaw + std::f64::consts::FRAC_PI_2;
    let robot = format!(
        r#"<vehicle name="robot"><init_pose>{} {} {}</init_pose><dynamics class="differential"><chassis zmin="0.05" zmax="0.6"/><controller class="twist_ideal"/></dynamics>
        <sensor class="laser" name="laser"><pose>0 0 0</pose><fov_degrees>1</fov_degrees><nrays>1</nrays><range_std_noise>0</range_std_noise></sensor></vehicle>"#,
        beside.x,
        beside.y,
        yaw.to_degrees()
    );
    let mut both = van(1.3, 0.005, "", &robot);
    both.command(Command { vehicle: 0, action: Action::Twist(Twist2::ZERO) }).expect("takes velocities");
    run(&mut both, 0.5);
    both.command(Command { vehicle: 1, action: Action::Ackermann { speed: 15.0, steering_angle: 0.35 } })
        .expect("takes");
    run(&mut both, 12.0);
    let frame = both.frame();
    assert!(frame.vehicles[1].is_overturned);
    let range = frame.readings.iter().find_map(|reading| match &reading.data {
        ReadingData::Scan(scan) => scan.ranges.first().copied(),
        _ => None,
    });
    let gap = f64::from(range.expect("a scan"));
    assert!((gap - (6.0 - 2.2)).abs() < 0.1, "{gap} m to the roof");
    both.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.0, 0.0)) }).expect("takes velocities");
    run(&mut both, 10.0);
    let frame = both.frame();
    let way = (frame.vehicles[0].world_from_body.planar().position() - beside).norm();
    assert!(way > 2.0 && way < 4.5 && frame.vehicles[0].colliding, "{way} m");
}
