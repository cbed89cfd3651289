//! Tracks: traction by the law of Janosi and Hanamoto, turning by skidding, and standing on slopes.

use super::common::*;
use skidpad_math::Vec2;
use skidpad_sim::friction::FRICTION_LAWS;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// Mass of body and tracks [kg], length of the ground run [m], distance of the tracks [m], radius of the sprockets [m].
const MASS_ON_TRACKS: f64 = 100.0;
const LENGTH: f64 = 1.2;
const TREAD: f64 = 0.8;
const SPROCKET: f64 = 0.1;
const MU: f64 = 0.7;

/// 80 kg on two tracks of 10 kg, on ground of this modulus [m].
fn robot(inside: &str, modulus: f64, pose: &str) -> String {
    let track = format!(r#"length="{LENGTH}" mass="10" diameter="{}" width="0.2""#, 2.0 * SPROCKET);
    format!(
        r#"<vehicle name="r1"><init_pose>{pose}</init_pose><dynamics class="tracked">
        <l_track pos="0 {0}" {track}/><r_track pos="0 -{0}" {track}/><road_wheels>9</road_wheels>
        <shear_modulus>{modulus}</shear_modulus><chassis mass="80" linear_damping="0" angular_damping="0">
        <shape><pt>-0.6 -0.3</pt><pt>-0.6 0.3</pt><pt>0.6 0.3</pt><pt>0.6 -0.3</pt></shape></chassis>
        {inside}</dynamics><friction class="default"><mu>{MU}</mu></friction></vehicle>"#,
        0.5 * TREAD
    )
}

fn alone(inside: &str, modulus: f64, step: f64) -> World {
    world(&format!("<simul_timestep>{step}</simul_timestep>{}", robot(inside, modulus, "0 0 0")))
}

const PID: &str = r#"<controller class="twist_pid"><KP>200</KP><KI>200</KI><max_torque>500</max_torque></controller>"#;

fn raw(left: f64, right: f64) -> String {
    format!(r#"<controller class="raw"><l_torque>{left}</l_torque><r_torque>{right}</r_torque></controller>"#)
}

/// F = μ·W·(1 − K/(i·L)·(1 − e^(−i·L/K))) with the slip i that the frames tell, once it has settled under a constant torque.
#[test]
fn traction_over_slip_is_that_of_janosi_and_hanamoto() {
    for (torque, modulus) in [(5.0, 0.02), (15.0, 0.02), (15.0, 0.06)] {
        let mut world = alone(&raw(torque, torque), modulus, 0.005);
        run(&mut world, 3.0);
        let frame = first(&world);
        // The force is that of the speeds after the step.
        let slip = 1.0 - frame.velocity_in_body.vx / (frame.wheels[0].spin * SPROCKET);
        let through = slip * LENGTH / modulus;
        let expected = MU * MASS_ON_TRACKS * GRAVITY * (1.0 - (1.0 - (-through).exp()) / through);
        let actual: f64 = frame.wheels.iter().map(|wheel| wheel.force_in_wheel.x).sum();
        assert!((actual / expected - 1.0).abs() < 1e-6, "{actual} N for {expected} at a slip of {slip}");
        let reported = frame.wheels[0].slip_ratio();
        assert!((reported - slip).abs() < 0.01 && slip > 0.0, "{reported} {slip}");
    }
}

/// The moment that resists turning on the spot is μ·W·L/4 for a uniform load, 80/81 of it on nine road wheels. A fifth more torque turns the
/// robot, a fifth less does not keep it turning.
#[test]
fn turning_on_the_spot_takes_the_moment_of_the_textbook() {
    let resistance = MU * MASS_ON_TRACKS * GRAVITY * LENGTH / 4.0 * 80.0 / 81.0;
    let least = resistance / TREAD * SPROCKET;
    for (share, turns) in [(1.2, true), (0.8, false)] {
        let mut world = alone(&raw(-share * least, share * least), 1e-4, 0.005);
        run(&mut world, 3.0);
        let rate = first(&world).velocity_in_body.wz;
        assert_eq!(rate > 0.3, turns, "{share}: {rate} rad/s");
    }
}

/// Straight ahead as commanded; in a turn the body lags behind its tracks on any ground, and its odometry does not know.
#[test]
fn it_turns_more_slowly_than_its_tracks_and_its_odometry_runs_ahead() {
    let rate = |modulus: f64| {
        let mut world = alone(PID, modulus, 0.005);
        twist(&mut world, 0, 0.5, 0.0);
        run(&mut world, 5.0);
        let v = first(&world).velocity_in_body;
        assert!((v.vx - 0.5).abs() < 0.01 && v.wz.abs() < 1e-6, "{v:?}");
        twist(&mut world, 0, 0.5, 0.4);
        run(&mut world, 5.0);
        let frame = first(&world);
        let tracks = (frame.wheels[1].spin - frame.wheels[0].spin) * SPROCKET / TREAD;
        assert!((tracks - 0.4).abs() < 0.01, "the tracks follow: {tracks}");
        assert!(frame.odom_from_body.yaw > frame.world_from_body.yaw, "{frame:?}");
        frame.velocity_in_body.wz
    };
    for modulus in [0.005, 0.02, 0.05] {
        let actual = rate(modulus);
        assert!(actual > 0.2 && actual < 0.35, "{actual} rad/s with K = {modulus} m");
    }
}

/// Yaw rate of the tracked robot of the vehicle files in a turn, and where a slalom of 12 s ends [m], with this step [s].
fn turn_and_slalom(step: f64) -> (f64, Vec2) {
    let start = || {
        let text = r#"<include file="worlds/vehicles/tracked_robot.vehicle.xml"/>
            <vehicle name="r1" class="tracked_robot"><init_pose>0 0 0</init_pose></vehicle>"#;
        world(&format!("<simul_timestep>{step}</simul_timestep>{text}"))
    };
    let mut turning = start();
    twist(&mut turning, 0, 0.4, 0.2);
    run(&mut turning, 8.0);
    let mut slalom = start();
    for side in [0.5, -1.0, 1.0, -1.0, 1.0, -0.5] {
        twist(&mut slalom, 0, 0.4, 0.6 * side);
        run(&mut slalom, 2.0);
    }
    (first(&turning).velocity_in_body.wz, first(&slalom).world_from_body.planar().position())
}

/// Ground that resists steeply does not ask for small steps: at 10 ms it turns as at 0.25 ms.
#[test]
fn it_turns_alike_at_every_step() {
    let (rate, place) = turn_and_slalom(2.5e-4);
    assert!((rate - 0.1744).abs() < 3e-3, "{rate} rad/s");
    for (step, share) in [(0.001, 0.001), (0.005, 0.001), (0.01, 0.002), (0.02, 0.005)] {
        let (actual, end) = turn_and_slalom(step);
        assert!((actual / rate - 1.0).abs() < share, "{actual} rad/s for {rate} at {step} s");
        let off = (end - place).norm();
        assert!(off < 2.0 * step + 0.004, "{off} m off at {step} s, {end:?} for {place:?}");
    }
}

/// Neither do firm gains.
#[test]
fn firm_gains_hold_its_tracks_at_every_step() {
    for gain in [2e3, 1e5] {
        let pid = format!(r#"<controller class="twist_pid"><KP>{gain}</KP><max_torque>500</max_torque></controller>"#);
        let rate = |step: f64| {
            let mut world = alone(&pid, 0.01, step);
            twist(&mut world, 0, 0.5, 0.4);
            run(&mut world, 3.0);
            let frame = first(&world);
            let tracks = (frame.wheels[1].spin - frame.wheels[0].spin) * SPROCKET / TREAD;
            assert!((tracks - 0.4).abs() < 0.04, "KP {gain} at {step} s: {tracks} rad/s");
            frame.velocity_in_body.wz
        };
        let fine = rate(2.5e-4);
        for step in [0.005, 0.02] {
            assert!((rate(step) / fine - 1.0).abs() < 0.005, "KP {gain} at {step} s: {} for {fine}", rate(step));
        }
    }
}

/// All road wheels of a side turn with the track, and the ends slide sideways against each other.
#[test]
fn the_road_wheels_of_a_side_turn_as_one_and_the_ends_push_against_each_other() {
    let mut world = alone(PID, 0.01, 0.005);
    twist(&mut world, 0, 0.3, 0.5);
    run(&mut world, 4.0);
    let frame = first(&world);
    let info = &world.scene().vehicles[0];
    assert_eq!(frame.wheels.len(), 18);
    let named = |name: &str| {
        let index = info.wheels.iter().position(|wheel| wheel.name == name).expect("a road wheel");
        &frame.wheels[index]
    };
    for k in 1..=9 {
        assert_eq!(named(&format!("l_road_wheel_{k}")).spin, frame.wheels[0].spin);
        assert_eq!(named(&format!("r_road_wheel_{k}")).spin, frame.wheels[1].spin);
    }
    assert!(named("r_road_wheel_1").force_in_wheel.y > 10.0 && named("r_road_wheel_9").force_in_wheel.y < -10.0);
}

#[test]
fn it_stands_on_a_slope_along_and_across_it() {
    for pose in ["0 0 0", "0 0 90", "0 0 40"] {
        let mut world =
            world(&format!("<simul_timestep>0.005</simul_timestep>{}{}", plane(0.2, 50.0), robot(PID, 0.01, pose)));
        twist(&mut world, 0, 0.4, 0.2);
        run(&mut world, 2.0);
        twist(&mut world, 0, 0.0, 0.0);
        run(&mut world, 4.0);
        let before = first(&world).world_from_body.planar();
        run(&mut world, 20.0);
        let after = first(&world).world_from_body.planar();
        assert!((after.position() - before.position()).norm() < 1e-3, "{pose}: {before:?} {after:?}");
    }
}

/// Whatever the friction law and the step, it drives, turns and stops.
#[test]
fn every_law_and_step_drives_it() {
    for law in FRICTION_LAWS {
        for step in [0.002, 0.01, 0.02] {
            let friction = format!(r#"<friction class="{}"/>"#, law.name);
            let pid = r#"<controller class="twist_pid"><KP>30</KP><KI>60</KI></controller>"#;
            let text = robot(pid, 0.02, "0 0 0")
                .replace(&format!(r#"<friction class="default"><mu>{MU}</mu></friction>"#), &friction);
            let mut world = world(&format!("<simul_timestep>{step}</simul_timestep>{text}"));
            for (vx, wz) in [(0.5, 0.0), (0.4, -0.5), (-0.5, 0.3), (0.0, 0.6)] {
                twist(&mut world, 0, vx, wz);
                run(&mut world, 4.0);
                let v = first(&world).velocity_in_body;
                assert!(
                    (v.vx - vx).abs() < 0.1 && v.wz * wz >= 0.0 && v.vy.abs() < 0.1,
                    "{} at {step} s: {v:?}",
                    law.name
                );
            }
            twist(&mut world, 0, 0.0, 0.0);
            run(&mut world, 3.0);
            let v = first(&world).velocity_in_body;
            assert!(v.linear().norm() < 0.05 && v.wz.abs() < 0.05, "{} at {step} s: {v:?}", law.name);
        }
    }
}

/// Speeds of the two tracks are commands like those of the wheels of a differential drive.
#[test]
fn it_takes_the_speeds_of_its_tracks() {
    let mut world = alone(PID, 0.01, 0.005);
    world.command(Command { vehicle: 0, action: Action::SideSpins([3.0, 5.0]) }).expect("takes speeds of its sides");
    run(&mut world, 4.0);
    let frame = first(&world);
    assert!((frame.wheels[0].spin - 3.0).abs() < 0.1 && (frame.wheels[1].spin - 5.0).abs() < 0.1, "{frame:?}");
}

#[test]
fn impossible_tracks_are_explained() {
    let message = |inside: &str| {
        problems(&format!(
            "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\n<dynamics class=\"tracked\">{inside}</dynamics></vehicle></mvsim_world>"
        ))
    };
    assert_eq!(message(r#"<l_track mass="0"/>"#).len(), 1, "one mistake, one message");
    assert_eq!(
        message("<road_wheels>4</road_wheels>"),
        ["bad.xml:2:40: 4 road wheels\n  accepted: an odd number, 1 to 9"]
    );
    assert_eq!(
        message(r#"<l_track pos="0 0.4" length="2"/>"#),
        [
            "bad.xml:2:1: the tracks differ in their x, length or diameter\n  accepted: the same x, length and diameter for l_track and r_track"
        ]
    );
}
