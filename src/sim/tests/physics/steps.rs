//! Steps that are large for the gains, bearings and wheels of a vehicle: the motion is that of small steps.

use super::common::*;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// Longest step that is compared [s].
const MAX_STEP: f64 = 0.02;

/// A differential robot of 1 kg on wheels of 3.4e-5 kg·m² and 15 mm radius, whose bearings take back a change of its speed within 0.6 ms,
/// or with these gains and bearings.
fn light_robot(gains: &str, damping: f64, step: f64) -> World {
    let wheel = r#"mass="0.3" width="0.02" diameter="0.03""#;
    world(&format!(
        r#"<simul_timestep>{step}</simul_timestep><vehicle name="r"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><l_wheel pos="0 0.05" {wheel}/><r_wheel pos="0 -0.05" {wheel}/>
        <chassis mass="0.4" com="0.009 0" inertia="0.0006" zmin="0.015" zmax="0.065" linear_damping="0" angular_damping="0"/>
        <controller class="twist_pid">{gains}</controller></dynamics>
        <friction class="default"><mu>1</mu><C_damping>{damping}</C_damping></friction></vehicle>"#
    ))
}

/// Velocities of the first vehicle [m/s, rad/s] at the ends of `MAX_STEP` in the last half second of two seconds, the second of which is a turn.
fn motion(mut world: World, speed: f64, yaw_rate: f64) -> Vec<[f64; 2]> {
    twist(&mut world, 0, speed, 0.0);
    run(&mut world, 1.0);
    twist(&mut world, 0, speed, yaw_rate);
    run(&mut world, 0.5);
    let mut velocities = Vec::new();
    for _ in 0..25 {
        run(&mut world, MAX_STEP);
        let velocity = first(&world).velocity_in_body;
        velocities.push([velocity.vx, velocity.wz]);
    }
    velocities
}

/// Compares the motions of a vehicle at several steps with that at 0.25 ms, within 2 % of speed and yaw rate.
fn assert_steps_agree(name: &str, speed: f64, yaw_rate: f64, at: impl Fn(f64) -> World) {
    let fine = motion(at(2.5e-4), speed, yaw_rate);
    for step in [0.001, 0.005, 0.01, MAX_STEP] {
        for (actual, expected) in motion(at(step), speed, yaw_rate).iter().zip(&fine) {
            for (actual, expected) in actual.iter().zip(expected) {
                assert!(
                    (actual - expected).abs() <= 0.02 * expected.abs(),
                    "{name} at {step}: {actual} for {expected}"
                );
            }
        }
    }
}

#[test]
fn neither_damping_nor_gains_make_a_light_robot_swing() {
    let gains = "<KP>0.165</KP><KI>0.33</KI><max_torque>0.3</max_torque><enable_antiwindup>true</enable_antiwindup>";
    assert_steps_agree("damped", 0.01, 0.1, |step| light_robot(gains, 0.2, step));
    assert_steps_agree("firm", 0.2, 1.0, |step| light_robot("<KP>20</KP><max_torque>0.3</max_torque>", 1e-4, step));
}

/// KP·(v − ω·R) = c·ω where nothing accelerates.
#[test]
fn speed_is_that_at_which_gain_and_damping_balance() {
    let mut world = light_robot("<KP>10</KP>", 0.2, 0.01);
    twist(&mut world, 0, 0.1, 0.0);
    run(&mut world, 1.0);
    let expected = 10.0 * 0.1 / (10.0 * 0.015 + 0.2);
    let spin = first(&world).wheels[0].spin;
    assert!((spin / expected - 1.0).abs() < 1e-6, "{spin} for {expected}");
    assert!((first(&world).velocity_in_body.vx / (0.015 * expected) - 1.0).abs() < 1e-6);
}

/// The wheel behind slides sideways in a turn, so that the robot turns only as its friction lets it.
#[test]
fn a_wheel_that_has_to_slide_holds_the_robot_back_at_any_step() {
    let at = |step: f64| {
        world(&format!(
            r#"<simul_timestep>{step}</simul_timestep><vehicle name="r"><init_pose>0 0 0</init_pose>
            <dynamics class="differential_3_wheels"><l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/>
            <r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/><caster_wheel pos="-0.3 0" mass="0.2" width="0.03" diameter="0.08"/>
            <chassis mass="10" com="-0.03 0" zmin="0.05" zmax="0.3" linear_damping="0" angular_damping="0"/>
            <controller class="twist_pid"><KP>6</KP><KI>3</KI><max_torque>2</max_torque><enable_antiwindup>true</enable_antiwindup></controller>
            </dynamics><friction class="default"><mu>0.7</mu><C_damping>0.005</C_damping><C_rr>0.01</C_rr></friction></vehicle>"#
        ))
    };
    assert_steps_agree("on three wheels", 1.0, 0.5, at);
}

/// Force follows the slip, and no limit cycle of the slip costs speed.
#[test]
fn a_racecar_on_the_ellipse_reaches_its_speed_at_any_step() {
    let at = |step: f64| {
        world(&format!(
            r#"<simul_timestep>{step}</simul_timestep><include file="worlds/vehicles/racecar.vehicle.xml"/><vehicle name="r" class="racecar"><init_pose>0 0 0</init_pose>
            <friction class="ellipse"><mu>1</mu><C_damping>0.0005</C_damping></friction></vehicle>"#
        ))
    };
    assert_steps_agree("ellipse", 2.0, 0.5, at);
}

/// Left and right share what holds the car across its direction, so that no wheel slides before its grip is spent, at steps that are
/// large for its gains.
#[test]
fn a_racecar_in_a_slalom_slides_at_no_step() {
    let ends = [2.5e-4, 0.005, 0.01, MAX_STEP].map(|step| {
        let mut world = world(&format!(
            r#"<simul_timestep>{step}</simul_timestep><include file="worlds/vehicles/racecar.vehicle.xml"/>
            <vehicle name="r" class="racecar"><init_pose>0 0 0</init_pose></vehicle>"#
        ));
        for k in 0..100 {
            let steering_angle = 0.3 * (0.21 * f64::from(k)).sin();
            let action = Action::Ackermann { speed: 2.5, steering_angle };
            world.command(Command { vehicle: 0, action }).expect("steers");
            run(&mut world, 0.1);
        }
        let frame = first(&world);
        let (place, reported) = (frame.world_from_body.planar(), frame.odom_from_body);
        let off = (place.position() - reported.position()).norm();
        assert!(off < 0.15, "odometry is {off} m off at {step} s");
        place.position()
    });
    let off = ends.map(|end| (end - ends[0]).norm());
    assert!(off[1] < 0.05 && off[2] < 0.15 && off[3] < 0.3, "{off:?} m off");
}
