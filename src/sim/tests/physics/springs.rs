//! Bodies on springs in whole worlds: how far they lean in a turn and under the brakes, bumps, a drop, and what cannot have springs.

use super::common::*;
use skidpad_math::Pose3;
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::vehicle::suspension::Lean;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// Masses of body and wheel [kg], wheelbase and track [m], height of the whole car's centre of mass [m].
const BODY: f64 = 1200.0;
const WHEEL: f64 = 30.0;
const WHEELBASE: f64 = 2.6;
const TRACK: f64 = 1.5;
const HEIGHT: f64 = 0.55;
const WHEEL_RADIUS: f64 = 0.3;
/// Of springs and tyres [N/m].
const SPRING: f64 = 25e3;
const TYRE: f64 = 200e3;

const SUSPENSION: &str = "<suspension><axle> <rate>25000</rate> <damper>2500</damper> <travel>0.2</travel> <tyre_rate>200000</tyre_rate> </axle>
    <roll_inertia>450</roll_inertia> <pitch_inertia>1700</pitch_inertia></suspension>";

/// A car with its centre of mass amid its wheels, in steps of `step` [s], with more of its dynamics and its inside, in a world with `rest`.
fn car(step: f64, dynamics: &str, inside: &str, rest: &str) -> World {
    let wheel = format!(r#"mass="{WHEEL}" width="0.2" diameter="{}""#, 2.0 * WHEEL_RADIUS);
    let (middle, side) = (0.5 * WHEELBASE, 0.5 * TRACK);
    world(&format!(
        r#"<simul_timestep>{step}</simul_timestep>{rest}<vehicle name="car"><init_pose>0 0 0</init_pose>
        <dynamics class="ackermann_drivetrain">
        <rl_wheel pos="0 {side}" {wheel}/><rr_wheel pos="0 -{side}" {wheel}/><fl_wheel {wheel}/><fr_wheel {wheel}/>
        <f_wheels_x>{WHEELBASE}</f_wheels_x><f_wheels_d>{TRACK}</f_wheels_d>
        <chassis mass="{BODY}" com="{middle} 0" com_height="{HEIGHT}" inertia="1800" zmin="0.25" zmax="1.4" linear_damping="0" angular_damping="0">
        <shape><pt>-0.6 -0.8</pt><pt>3.2 -0.8</pt><pt>3.2 0.8</pt><pt>-0.6 0.8</pt></shape></chassis>
        <drivetrain type="open_front"/>
        <controller class="front_steer_pid"><KP>3000</KP><max_torque>2500</max_torque></controller>{dynamics}</dynamics>
        <friction class="default"><mu>1</mu><C_damping>0</C_damping></friction>{inside}</vehicle>"#
    ))
}

fn order(world: &mut World, speed: f64, steering_angle: f64) {
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle } }).expect("takes these");
}

fn lean(world: &World) -> Lean {
    first(world).lean.expect("it is on springs")
}

/// Mass of the whole car [kg].
fn mass() -> f64 {
    BODY + 4.0 * WHEEL
}

/// Height of the centre of mass of the body alone [m].
fn height_of_body() -> f64 {
    (mass() * HEIGHT - 4.0 * WHEEL * WHEEL_RADIUS) / BODY
}

/// The angle [rad] by which this moment [N·m] at the ground leans a body on four springs at this distance from the axis [m].
fn angle(moment: f64, arm: f64) -> f64 {
    let stiffness = 4.0 * arm * arm / (1.0 / SPRING + 1.0 / TYRE);
    moment / (stiffness - BODY * GRAVITY * height_of_body())
}

#[test]
fn it_stands_as_a_rigid_car_does() {
    let mut sprung = car(0.005, SUSPENSION, "", "");
    let mut rigid = car(0.005, "", "", "");
    run(&mut sprung, 2.0);
    run(&mut rigid, 2.0);
    let (a, b, lean) = (first(&sprung), first(&rigid), lean(&sprung));
    assert!(lean.z.abs() < 1e-9 && lean.pitch.abs() < 1e-9 && lean.roll == 0.0, "{lean:?}");
    for (one, other) in a.wheels.iter().zip(&b.wheels) {
        assert!((one.load - other.load).abs() < 1e-6, "{} N, rigid {} N", one.load, other.load);
    }
}

#[test]
fn in_a_turn_it_rolls_outwards_by_the_moment_over_the_stiffness() {
    for side in [1.0, -1.0] {
        let mut world = car(0.005, SUSPENSION, "", "");
        order(&mut world, 8.0, side * 0.08);
        run(&mut world, 15.0);
        let (state, lean) = (first(&world), lean(&world));
        let lateral = state.velocity_in_body.vx * state.velocity_in_body.wz;
        // The inertia of the wheels presses the tyres alone.
        let expected = angle(BODY * lateral * height_of_body(), 0.5 * TRACK);
        assert!(side * lateral > 1.5, "{lateral} m/s²");
        assert!((lean.roll / expected - 1.0).abs() < 0.015, "{} rad, expected {expected} rad", lean.roll);
        let pose = state.world_from_body;
        assert_eq!((pose.roll, pose.pitch, pose.z), (lean.roll, lean.pitch, lean.z));
        // Each wheel stands on the ground, as deep as its tyre yields.
        for (wheel, info) in state.wheels.iter().zip(&world.scene().vehicles[0].wheels) {
            let (at, height) = (info.position, WHEEL_RADIUS + wheel.travel);
            let middle = pose.transform_point(skidpad_math::Vec3::new(at.x, at.y, height)).z;
            let yields = (wheel.load - 0.25 * mass() * GRAVITY) / TYRE;
            assert!((middle - (WHEEL_RADIUS - yields)).abs() < 3e-4, "{middle} m, its tyre yields by {yields} m");
            assert!(at.y * side * wheel.travel < -0.01 * TRACK / 2.0, "the inner one hangs lower: {} m", wheel.travel);
        }
        let moved: f64 = state.wheels.chunks(2).map(|pair| pair[1].load - pair[0].load).sum();
        let leaning = BODY * GRAVITY * height_of_body() * lean.roll;
        assert!((0.5 * TRACK * moved / (mass() * lateral * HEIGHT + leaning) - 1.0).abs() < 0.01, "{moved} N");
    }
}

#[test]
fn it_dives_under_the_brakes_squats_under_power_and_comes_back() {
    let mut world = car(0.005, SUSPENSION, "", "");
    order(&mut world, 10.0, 0.0);
    run(&mut world, 0.7);
    assert!(lean(&world).pitch < -0.005, "{:?}", lean(&world));
    run(&mut world, 10.0);
    let rolling = lean(&world);
    assert!(rolling.pitch.abs() < 1e-4, "{rolling:?}");
    order(&mut world, 0.0, 0.0);
    run(&mut world, 1.0);
    let (state, dive) = (first(&world), lean(&world));
    let expected = angle(-mass() * state.acceleration_in_body.x * HEIGHT, 0.5 * WHEELBASE);
    assert!(state.velocity_in_body.vx > 1.0 && state.acceleration_in_body.x < -3.0, "{state:?}");
    assert!((dive.pitch / expected - 1.0).abs() < 0.1, "{} rad, expected {expected} rad", dive.pitch);
    run(&mut world, 8.0);
    assert!(lean(&world).pitch.abs() < 1e-4, "{:?}", lean(&world));
}

const BUMP: &str = r#"<block name="bump"><init_pose>6 0 90</init_pose>
    <geometry type="semi_cylinder_bump" lx="4" ly="0.6" lz="0.06"/><shape_from_visual/><static>true</static><intangible>true</intangible></block>"#;
const IMU: &str = r#"<sensor class="imu" name="imu"><pose_3d>1.3 0 0.5 0 0 0</pose_3d><sensor_period>0.01</sensor_period>
    <angular_velocity_white_noise_std_noise>0</angular_velocity_white_noise_std_noise>
    <linear_acceleration_white_noise_std_noise>0</linear_acceleration_white_noise_std_noise></sensor>"#;

/// Smallest and largest acceleration along z that an inertial sensor measures over a bump at 4 m/s, in steps of `step` [m/s²].
fn over_the_bump(step: f64, dynamics: &str) -> [f64; 2] {
    let mut world = car(step, dynamics, IMU, BUMP);
    order(&mut world, 4.0, 0.0);
    let mut peaks = [f64::INFINITY, f64::NEG_INFINITY];
    for _ in 0..(5.0 / step).round() as u32 {
        let frame = super::common::step(&mut world);
        for reading in frame.fresh_readings() {
            if let ReadingData::Imu(sample) = &reading.data {
                peaks = [peaks[0].min(sample.linear_acceleration.z), peaks[1].max(sample.linear_acceleration.z)];
            }
        }
    }
    assert!(first(&world).world_from_body.x > 9.0, "it has passed the bump");
    peaks
}

#[test]
fn over_a_bump_it_feels_the_same_at_any_step() {
    let fine = over_the_bump(0.001, SUSPENSION);
    assert!(fine[0] > -5.0 && fine[0] < 9.0 && fine[1] > 11.0 && fine[1] < 30.0, "a car feels less than 3 g: {fine:?}");
    for step in [0.002, 0.005, 0.01] {
        let coarse = over_the_bump(step, SUSPENSION);
        for (a, b) in coarse.iter().zip(&fine) {
            // Of what the bump adds to gravity.
            assert!(((a - GRAVITY) / (b - GRAVITY) - 1.0).abs() < 0.05, "{step} s: {coarse:?}, at 1 ms {fine:?}");
        }
    }
}

/// A lidar that looks at the floor ahead sees it nearer while the nose dives: h/sin of the angle that it looks down.
#[test]
fn a_lidar_sees_the_floor_nearer_while_the_nose_dives() {
    let lidar = r#"<sensor class="laser" name="floor"><pose_3d>3.3 0 0.6 0 3 0</pose_3d><fov_degrees>1</fov_degrees><nrays>1</nrays>
        <max_range>40</max_range><range_std_noise>0</range_std_noise><raytrace_3d>true</raytrace_3d><sensor_period>0.005</sensor_period></sensor>"#;
    let mut world = car(0.005, SUSPENSION, lidar, r#"<element class="horizontal_plane"><x_max>400</x_max></element>"#);
    let range = |world: &World| {
        let scan = world.frame().readings.iter().find_map(|reading| reading.data.scan()).expect("a scan");
        f64::from(scan.ranges[0])
    };
    order(&mut world, 10.0, 0.0);
    run(&mut world, 10.0);
    let still = range(&world);
    assert!((still - 0.6 / 3.0_f64.to_radians().sin()).abs() < 0.02, "{still}");
    order(&mut world, 0.0, 0.0);
    run(&mut world, 0.8);
    let pose = first(&world).world_from_body;
    let eye = pose.transform_point(skidpad_math::Vec3::new(3.3, 0.0, 0.6));
    let expected = eye.z / (pose.pitch + 3.0_f64.to_radians()).sin();
    let dives = range(&world);
    assert!(
        (dives / expected - 1.0).abs() < 1e-3 && dives < 0.8 * still,
        "{dives} m, expected {expected} m of {still} m"
    );
}

/// A lane change against steps of 0.25 ms: errors fall at least as fast as the step.
#[test]
fn a_lane_change_converges_at_least_as_fast_as_its_step() {
    let change = |step: f64| {
        let mut world = car(step, SUSPENSION, "<init_vel>15 0 0</init_vel>", "");
        order(&mut world, 15.0, 0.0);
        run(&mut world, 0.2);
        for angle in [0.06, -0.06, 0.0] {
            order(&mut world, 15.0, angle);
            run(&mut world, 0.6);
        }
        let state = first(&world);
        [state.world_from_body.roll, state.world_from_body.yaw, state.world_from_body.y]
    };
    let fine = change(0.000_25);
    let error = |step: f64| {
        let coarse = change(step);
        [0, 1, 2].map(|axis| (coarse[axis] - fine[axis]).abs())
    };
    let (four, one) = (error(0.004), error(0.001));
    for axis in 0..3 {
        // Against 0.25 ms, a law of first order has 15/3 of the error.
        assert!(four[axis] > 3.5 * one[axis], "{four:?} {one:?}");
    }
    assert!(four[0] < 0.003 && four[1] < 0.01 && four[2] < 0.05, "{four:?}");
}

#[test]
fn past_the_end_of_a_ramp_it_falls_until_its_wheels_touch() {
    let ramp = r#"<block name="ramp"><init_pose>7 0 0</init_pose><geometry type="ramp" lx="6" ly="4" lz="0.24"/>
        <shape_from_visual/><static>true</static><intangible>true</intangible></block>"#;
    let mut world = car(0.002, SUSPENSION, "<init_vel>15 0 0</init_vel>", ramp);
    order(&mut world, 15.0, 0.0);
    let mut heights = Vec::new();
    for _ in 0..2500 {
        let state = &super::common::step(&mut world).vehicles[0];
        if state.wheels.iter().all(|wheel| wheel.lifted) {
            // Of the centre of mass: the nose is down where the pitch is positive.
            heights.push(state.world_from_body.z - 0.5 * WHEELBASE * state.world_from_body.pitch.sin());
        }
    }
    let (last, middle) = (heights.len() - 1, heights.len() / 2);
    assert!((20..300).contains(&last), "{last} steps in the air");
    let time = 0.002 * middle as f64;
    let bend = (heights[2 * middle.min(last / 2)] - 2.0 * heights[middle.min(last / 2)] + heights[0]) / (time * time);
    assert!((bend / -GRAVITY - 1.0).abs() < 0.15, "it falls with {bend} m/s²");
    let Pose3 { z, pitch, roll, .. } = first(&world).world_from_body;
    assert!(z.abs() < 1e-3 && pitch.abs() < 1e-3 && roll.abs() < 1e-9, "it stands again: {z} m, {pitch} rad");
}

#[test]
fn what_cannot_have_springs_says_why() {
    let vehicle = |dynamics: &str| {
        format!("<mvsim_world><vehicle name=\"v\"><init_pose>0 0 0</init_pose>{dynamics}</vehicle></mvsim_world>")
    };
    let of = |class: &str, inside: &str| {
        problems(&vehicle(&format!("<dynamics class=\"{class}\"><chassis com_height=\"0.3\"/>{inside}</dynamics>")))
    };
    let axle = "<axle><ride_frequency>2</ride_frequency></axle>";
    let block = format!("<suspension>{axle}</suspension>");
    let said = |class: &str, inside: &str| {
        let all = of(class, inside);
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].clone()
    };
    for (class, reason) in [
        ("kinematic_bicycle", "the class is a model of the whole vehicle, without loads of its own"),
        ("articulated", "its body has two frames, and springs carry one"),
        ("tracked", "its road wheels are parts of tracks"),
    ] {
        let text = said(class, &block);
        assert!(
            text.contains(&format!("<suspension> in <dynamics class=\"{class}\">")) && text.contains(reason),
            "{text}"
        );
    }
    for (class, inside, expected) in [
        ("differential", block.clone(), "<suspension> needs axles of two wheels, two of them or more"),
        ("ackermann", "<suspension/>".to_owned(), "missing <axle> in <suspension>"),
        (
            "ackermann",
            format!("<suspension>{}</suspension>", axle.repeat(3)),
            "3 <axle> in <suspension> of a vehicle with 2 axles",
        ),
        (
            "ackermann",
            block.clone() + "<weight>uniform</weight>",
            "loads are uniform here; give <weight>static</weight>",
        ),
        (
            "ackermann",
            block.clone() + "<load_transfer_lag>0.1</load_transfer_lag>",
            "both <load_transfer_lag> and <suspension>",
        ),
        (
            "ackermann",
            "<suspension><axle><ride_frequency>2</ride_frequency><rate>5</rate></axle></suspension>".to_owned(),
            "both <ride_frequency> and <rate>",
        ),
        (
            "ackermann",
            "<suspension><axle><ride_frequency>2</ride_frequency><travel>-1</travel></axle></suspension>".to_owned(),
            "one number or two, > 0",
        ),
    ] {
        let text = said(class, &inside);
        assert!(text.contains(expected), "{text}");
    }
    let flat = problems(&vehicle(&format!("<dynamics class=\"ackermann\">{block}</dynamics>")));
    assert!(flat[0].contains("<suspension> needs the height of the centre of mass"), "{flat:?}");
}
