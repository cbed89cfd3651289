//! The racecar with a controller for each joint: single wheels and hinges, and the response to commands of the whole car.

use super::common::repository;
use skidpad_math::Vec2;
use skidpad_math::time::SimTime;
use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
use skidpad_sim::trajectory::{self, TrajectoryParameters};
use skidpad_sim::vehicle::{Action, Command, WheelTargets};
use skidpad_sim::world::{Frame, LoadOptions, World};

fn car(class: &str, arguments: &str, step: f64) -> World {
    let folder = repository("worlds");
    let text = format!(
        r#"<mvsim_world>
             <simul_timestep>{step}</simul_timestep>
             <include file="vehicles/racecar.vehicle.xml" lidar_rate_hz="1" {arguments}/>
             <vehicle name="car" class="{class}"><init_pose>0 0 0</init_pose></vehicle>
           </mvsim_world>"#
    );
    World::load_text("racecar", &folder, &text, &LoadOptions::default()).unwrap().0
}

fn tell(world: &mut World, action: Action) {
    world.command(Command { vehicle: 0, action }).unwrap();
}

fn run(world: &mut World, seconds: f64, mut look: impl FnMut(&Frame)) {
    let end = world.frame().time + SimTime::from_secs(seconds);
    while world.frame().time < end {
        look(world.step().unwrap());
    }
}

fn spins(world: &World) -> Vec<f64> {
    world.frame().vehicles[0].wheels.iter().map(|wheel| wheel.spin).collect()
}

fn steers(world: &World) -> [f64; 2] {
    [2, 3].map(|wheel| world.frame().vehicles[0].wheels[wheel].steer)
}

/// Four motors of 3 N·m·s/rad together against a rolling resistance of 0.005·m·g·R: at any step it ends within 1 % of the
/// speed, without swinging, and stands when it is told to.
#[test]
fn it_reaches_its_speed_and_stands_at_any_step() {
    for step in [0.001, 0.005, 0.02] {
        let mut world = car("racecar_gazebo", "", step);
        tell(&mut world, Action::Ackermann { speed: 1.0, steering_angle: 0.0 });
        run(&mut world, 2.0, |_| ());
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        run(&mut world, 1.0, |frame| {
            let speed = frame.vehicles[0].velocity_in_body.vx;
            (least, most) = (least.min(speed), most.max(speed));
        });
        assert!(least > 0.99 && most < 1.0 && most - least < 1e-3, "{least} to {most} at {step}");
        tell(&mut world, Action::Ackermann { speed: 0.0, steering_angle: 0.0 });
        run(&mut world, 2.0, |_| ());
        assert!(world.frame().vehicles[0].velocity_in_body.vx.abs() < 1e-3);
    }
}

/// One wheel at 20 rad/s against three that are held: it slides with μ·N ≈ 14 N, which takes 0.7 N·m of its motor and so leaves
/// it 0.7 or 1.4 rad/s behind. The others give way by what their motors need to hold against it.
#[test]
fn one_wheel_turns_alone() {
    for wheel in 0..4 {
        let mut world = car("racecar_gazebo", "", 0.005);
        let mut targets = WheelTargets::default();
        targets.spin[wheel] = Some(20.0);
        tell(&mut world, Action::Wheels(targets));
        run(&mut world, 1.0, |_| ());
        let spins = spins(&world);
        for (other, spin) in spins.iter().enumerate() {
            let behind = if wheel < 2 { 0.7 } else { 1.4 };
            let (expected, about) = if other == wheel { (20.0 - behind, 0.1) } else { (0.0, 1.5) };
            assert!((spin - expected).abs() < about, "{wheel}: {spins:?}");
        }
    }
}

#[test]
fn hinges_turn_alone_and_no_further_than_their_joints() {
    let mut world = car("racecar_gazebo", "hinge_torque='1000'", 0.005);
    tell(&mut world, Action::Wheels(WheelTargets { hinge: [Some(0.3), None], ..WheelTargets::default() }));
    run(&mut world, 0.5, |_| ());
    assert!((steers(&world)[0] - 0.3).abs() < 0.02 && steers(&world)[1] == 0.0, "{:?}", steers(&world));
    tell(&mut world, Action::Wheels(WheelTargets { hinge: [None, Some(-2.0)], ..WheelTargets::default() }));
    run(&mut world, 3.0, |_| ());
    let [left, right] = steers(&world);
    assert!((left - 0.3).abs() < 0.01 && (right + 1.0).abs() < 0.01, "{left} {right}");
}

/// Wheels that are told one by one between two steps are all heard, and what the whole car is told replaces them.
#[test]
fn targets_add_up_and_a_command_for_the_car_replaces_them() {
    let mut world = car("racecar_gazebo", "", 0.005);
    for wheel in 0..4 {
        let mut targets = WheelTargets::default();
        targets.spin[wheel] = Some(10.0);
        tell(&mut world, Action::Wheels(targets));
    }
    run(&mut world, 1.0, |_| ());
    assert!(spins(&world).iter().all(|spin| (spin - 10.0).abs() < 0.1), "{:?}", spins(&world));
    assert!((world.frame().vehicles[0].setpoint.velocity_in_body.vx - 0.5).abs() < 1e-12);
    // The car is told first: what a single wheel is told afterwards still counts.
    tell(&mut world, Action::Ackermann { speed: 1.0, steering_angle: 0.0 });
    tell(&mut world, Action::Wheels(WheelTargets { hinge: [Some(0.1), Some(0.1)], ..WheelTargets::default() }));
    run(&mut world, 2.0, |_| ());
    // Both front wheels at 0.1 rad, all four at the speed of a straight way: they scrub a little.
    assert!(spins(&world).iter().all(|spin| (spin - 20.0).abs() < 0.8), "{:?}", spins(&world));
    assert!(steers(&world).iter().all(|angle| (angle - 0.1).abs() < 0.01), "{:?}", steers(&world));
    tell(&mut world, Action::Ackermann { speed: 0.0, steering_angle: 0.0 });
    run(&mut world, 2.0, |_| ());
    assert!(spins(&world).iter().all(|spin| spin.abs() < 0.1), "{:?}", spins(&world));
}

#[test]
fn a_car_on_a_drivetrain_takes_no_single_wheels() {
    let mut world = car("racecar", "", 0.005);
    let command = Command { vehicle: 0, action: Action::Wheels(WheelTargets::default()) };
    let refusal = world.command(command).unwrap_err().to_string();
    assert!(refusal.contains("wheels") && refusal.contains("velocity, Ackermann"), "{refusal}");
}

/// Ackermann's geometry turns the inner wheel further; the Gazebo model's command node turns both alike.
#[test]
fn parallel_steering_turns_both_wheels_alike() {
    let angles = |world: &mut World| {
        tell(world, Action::Ackermann { speed: 0.0, steering_angle: 0.3 });
        run(world, 3.0, |_| ());
        steers(world)
    };
    for class in ["racecar", "racecar_gazebo"] {
        let mut world = car(class, "", 0.005);
        let [left, right] = angles(&mut world);
        assert!(left > right + 0.04, "{class}: {left} {right}");
        world.set_parallel_steer(Some(true));
        let [left, right] = angles(&mut world);
        assert!((left - 0.3).abs() < 0.005 && (left - right).abs() < 1e-4, "{class}: {left} {right}");
        world.set_parallel_steer(None);
        let [left, right] = angles(&mut world);
        assert!(left > right + 0.04, "{class}: {left} {right}");
    }
    for (plant, settles) in [("single_track", 1e-9), ("kinematic", 1e-9)] {
        let mut world = plant_world(plant);
        let [left, right] = angles(&mut world);
        assert!(left > right + 0.04, "{plant}: {left} {right}");
        world.set_parallel_steer(Some(true));
        let [left, right] = angles(&mut world);
        assert!((left - 0.3).abs() < settles && (left - right).abs() < settles, "{plant}: {left} {right}");
    }
    let [left, right] = angles(&mut car("racecar_gazebo", "parallel_steer='true'", 0.005));
    assert!(left == right, "{left} {right}");
}

/// The world of the tracking experiments with another plant.
fn plant_world(plant: &str) -> World {
    let variables = vec![("plant".to_string(), plant.to_string())];
    let options = skidpad_sim::world::LoadOptions { variables, ..Default::default() };
    let path = repository("worlds/tracking.world.xml");
    World::load(&path, &options).expect("loads").0
}

/// RMSE [m] of the tracked point on the study's figure of eight, once the start is over.
fn tracking_error(class: &str, arguments: &str) -> f64 {
    let mut world = car(class, arguments, 0.005);
    let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
    let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
    let tracker = PointTracker::new(TrackerParameters::default()).unwrap();
    let driver = TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01));
    world.set_driver(0, Some(driver)).unwrap();
    let (mut sum, mut count) = (0.0_f64, 0.0_f64);
    run(&mut world, 40.0, |frame| {
        let Some(tracking) = frame.vehicles[0].tracking else { return };
        if frame.time.secs() > 8.0 {
            let miss: Vec2 = tracking.point - tracking.point_reference;
            sum += miss.dot(miss);
            count += 1.0;
        }
    });
    (sum / count).sqrt()
}

/// Started across the path, the car finds to it with the steering of its joints, and not with that of a joystick. Motors at the
/// wheels do as well as a drivetrain, with the hinges' torque of the Gazebo model or that of the study.
#[test]
fn it_follows_a_figure_of_eight() {
    let joints = tracking_error("racecar_gazebo", "");
    let strong = tracking_error("racecar_gazebo", "hinge_torque='1000'");
    let drivetrain = tracking_error("racecar", "");
    let joystick = tracking_error("racecar", "max_steer_deg='19.4806'");
    let all = format!("{joints} {strong} {drivetrain} {joystick}");
    assert!([joints, strong, drivetrain].iter().all(|error| *error < 0.016), "{all}");
    assert!((joints - drivetrain).abs() < 0.001 && joystick > 0.1, "{all}");
}
