//! Articulated vehicles: two bodies, a hinge between them, and a servo that bends it.

use super::bits::bits;
use super::common::*;
use skidpad_math::{Pose2, Pose3, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{ResetScope, SpawnRequest, SpawnSource, World};

/// Distances of the hinge from the rear and the front axle [m].
const REAR: f64 = 0.9;
const FRONT: f64 = 0.6;

/// A loader of two frames on discs of 20 kg and 0.4 m radius; `servo` are attributes of its hinge.
fn loader(servo: &str, inside: &str, mu: f64) -> String {
    let wheel = r#"mass="20" width="0.2" diameter="0.8""#;
    let rectangle = |x: [f64; 2]| {
        let [back, front] = x;
        format!("<shape><pt>{back} -0.5</pt><pt>{back} 0.5</pt><pt>{front} 0.5</pt><pt>{front} -0.5</pt></shape>")
    };
    let [rear, front] = [rectangle([-0.7, 0.8]), rectangle([1.0, 2.2])];
    format!(
        r#"<vehicle name="loader"><init_pose>0 0 0</init_pose><dynamics class="articulated">
        <rl_wheel pos="0 0.6" {wheel}/><rr_wheel pos="0 -0.6" {wheel}/>
        <fl_wheel pos="1.5 0.6" {wheel}/><fr_wheel pos="1.5 -0.6" {wheel}/>
        <chassis mass="400" linear_damping="0" angular_damping="0">{rear}</chassis>
        <front_chassis mass="300" linear_damping="0" angular_damping="0">{front}</front_chassis>
        <hinge x="{REAR}" {servo}/><max_steer_ang_deg>45</max_steer_ang_deg>{inside}</dynamics>
        <friction class="default"><mu>{mu}</mu><C_damping>0</C_damping></friction></vehicle>"#
    )
}

fn driven(step: f64) -> World {
    let controller =
        r#"<controller class="front_steer_pid"><KP>2000</KP><KI>1000</KI><max_torque>4000</max_torque></controller>"#;
    world(&format!("<simul_timestep>{step}</simul_timestep>{}", loader("", controller, 0.9)))
}

fn ackermann(world: &mut World, speed: f64, steering_angle: f64) {
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle } }).expect("takes steering");
}

/// How far the first vehicle is bent [rad].
fn bend(world: &World) -> f64 {
    first(world).wheels[2].steer
}

/// Corke and Ridley: ω = v·sin γ/(l_f + l_r·cos γ), and the radius of the rear axle's circle is v/ω.
#[test]
fn at_a_constant_angle_it_turns_as_its_geometry_says() {
    for angle in [0.2, -0.5, 0.7] {
        let mut world = driven(0.002);
        let speed = 0.5;
        ackermann(&mut world, speed, angle);
        run(&mut world, 8.0);
        assert!((bend(&world) - angle).abs() < 2e-3, "{} for {angle}", bend(&world));
        let v = first(&world).velocity_in_body;
        let gamma = bend(&world);
        let expected = v.vx * gamma.sin() / (FRONT + REAR * gamma.cos());
        assert!((v.vx / speed - 1.0).abs() < 0.01 && v.vy.abs() < 2e-3, "{angle}: {v:?}");
        assert!((v.wz / expected - 1.0).abs() < 5e-3, "{angle}: {v:?}, expected {expected}");
        // The wheels of the front frame follow circles about the same point: their axle moves with v_f = v·cos γ + l_r·ω·sin γ.
        let front = v.vx * gamma.cos() + REAR * v.wz * gamma.sin();
        let spin = 0.5 * (first(&world).wheels[2].spin + first(&world).wheels[3].spin);
        assert!((0.4 * spin / front - 1.0).abs() < 5e-3, "{angle}: {spin}");
    }
}

/// A velocity command is turned into the angle at which the yaw rate results.
#[test]
fn a_velocity_command_bends_it_to_the_yaw_rate() {
    for (speed, yaw_rate) in [(0.6, 0.2), (0.6, -0.25), (-0.5, 0.2)] {
        let mut world = driven(0.002);
        twist(&mut world, 0, speed, yaw_rate);
        run(&mut world, 10.0);
        let v = first(&world).velocity_in_body;
        assert!((v.vx - speed).abs() < 0.01 && (v.wz - yaw_rate).abs() < 4e-3, "{speed} {yaw_rate}: {v:?}");
    }
    let mut world = driven(0.005);
    twist(&mut world, 0, 0.1, 3.0);
    run(&mut world, 6.0);
    assert!((bend(&world) - 45.0_f64.to_radians()).abs() < 5e-3, "a sharper turn is full lock: {}", bend(&world));
}

/// While it bends, ω = (v·sin γ − l_f·γ̇)/(l_f + l_r·cos γ).
#[test]
fn bending_turns_the_rear_frame_against_the_front() {
    let inside = r#"<steering_actuator rate_deg="20"/>
        <controller class="front_steer_pid"><KP>4000</KP><KI>2000</KI><max_torque>4000</max_torque></controller>"#;
    let mut world = world(&format!("<simul_timestep>0.002</simul_timestep>{}", loader("", inside, 0.9)));
    ackermann(&mut world, 0.5, 0.0);
    run(&mut world, 5.0);
    ackermann(&mut world, 0.5, 0.6);
    run(&mut world, 0.8);
    let (before, v) = (bend(&world), first(&world).velocity_in_body);
    run(&mut world, 0.002);
    let rate = (bend(&world) - before) / 0.002;
    assert!((rate - 20.0_f64.to_radians()).abs() < 0.01, "{rate}");
    let expected = (v.vx * before.sin() - FRONT * rate) / (FRONT + REAR * before.cos());
    assert!((v.wz - expected).abs() < 0.01 * rate, "{v:?}, expected {expected}");
    assert!(v.wz < -0.02, "the rear frame first turns the other way: {v:?}");
}

/// Yaw of both frames, their yaw rates and the velocities of their centres follow from the frame of the vehicle; the momentum of both is that of
/// a free body: the servo is an internal torque.
#[test]
fn without_friction_the_servo_changes_no_momentum() {
    let controller =
        r#"<steering_actuator rate_deg="60"/><controller class="raw"><steer_ang_deg>40</steer_ang_deg></controller>"#;
    let mut world = world(&format!("<simul_timestep>0.001</simul_timestep>{}", loader("", controller, 1e-9)));
    // Centre of mass of both frames with their wheels, while straight: rear 440 kg, front 340 kg.
    let rear = Vec2::new(400.0 * 0.05 / 440.0, 0.0);
    let front = Vec2::new((300.0 * 1.6 + 40.0 * 1.5) / 340.0, 0.0);
    let inertia = |mass: f64, [length, width]: [f64; 2], center: f64, axle: f64, com: f64| {
        let plate = mass * (length * length + width * width) / 12.0 + mass * (center - com) * (center - com);
        let wheel = 20.0 * ((0.64 + 0.04) / 12.0 + (axle - com) * (axle - com) + 0.36);
        plate + 2.0 * wheel
    };
    let [rear_yaw, front_yaw] =
        [inertia(400.0, [1.5, 1.0], 0.05, 0.0, rear.x), inertia(300.0, [1.2, 1.0], 1.6, 1.5, front.x)];
    let mut last: Option<(Pose2, f64)> = None;
    let center = |pose: Pose2, gamma: f64| {
        let hinge = Vec2::new(REAR, 0.0);
        let turned = Pose2::new(0.0, 0.0, gamma).rotation() * (front - hinge) + hinge;
        [pose.transform_point(rear), pose.transform_point(turned)]
    };
    for step in 0..900 {
        run(&mut world, 0.001);
        let now = (first(&world).world_from_body.planar(), bend(&world));
        if let Some(before) = last.replace(now) {
            let ([a0, b0], [a1, b1]) = (center(before.0, before.1), center(now.0, now.1));
            let [rear_velocity, front_velocity] = [1e3 * (a1 - a0), 1e3 * (b1 - b0)];
            let [rear_rate, front_rate] =
                [1e3 * (now.0.yaw - before.0.yaw), 1e3 * (now.0.yaw + now.1 - before.0.yaw - before.1)];
            let momentum = 440.0 * rear_velocity + 340.0 * front_velocity;
            let angular = rear_yaw * rear_rate
                + front_yaw * front_rate
                + 440.0 * (0.5 * (a0 + a1)).cross(rear_velocity)
                + 340.0 * (0.5 * (b0 + b1)).cross(front_velocity);
            let scale = front_yaw * front_rate.abs().max(0.1);
            assert!(momentum.norm() < 1e-3 * 440.0 && angular.abs() < 1e-3 * scale, "{step}: {momentum:?} {angular}");
        }
    }
    assert!((bend(&world) - 40.0_f64.to_radians()).abs() < 2e-3, "{}", bend(&world));
    assert!(first(&world).world_from_body.yaw < -0.1, "the rear frame turned the other way");
}

/// The servo holds its angle against a torque T with the error T/k, up to its largest torque: here the tyres of frames that stand.
#[test]
fn blocked_wheels_let_the_servo_push_up_to_its_largest_torque() {
    let inside = r#"<brakes max_torque="20000"/><controller class="pedals"><brake>1</brake></controller>"#;
    let pressed = |servo: &str| {
        let mut world = world(&format!("<simul_timestep>0.005</simul_timestep>{}", loader(servo, inside, 0.9)));
        let pedals = skidpad_sim::vehicle::Pedals { throttle: 0.0, brake: 1.0, ..Default::default() };
        let action = Action::Pedals { pedals, steering_angle: 0.5 };
        world.command(Command { vehicle: 0, action }).expect("takes pedals");
        run(&mut world, 4.0);
        world
    };
    let torque = |world: &World| first(world).hinge_torque;
    let weak = pressed(r#"max_torque="500""#);
    assert!((torque(&weak) - 500.0).abs() < 1e-9 && bend(&weak).abs() < 0.02, "{} {}", torque(&weak), bend(&weak));
    let strong = pressed(r#"max_torque="20000""#);
    assert!((bend(&strong) - 0.5).abs() < 0.06, "{}", bend(&strong));
    let soft = pressed(r#"max_torque="20000" stiffness="1000" damping="200""#);
    let (angle, torque) = (bend(&soft), torque(&soft));
    assert!(angle < 0.02 && (torque - 1000.0 * (0.5 - angle)).abs() < 1.0, "{angle} {torque}");
}

#[test]
fn odometry_of_the_rear_wheels_follows_it_through_turns() {
    let mut world = driven(0.002);
    for (speed, angle) in [(0.8, 0.0), (0.8, 0.4), (0.5, -0.6), (-0.5, 0.2)] {
        ackermann(&mut world, speed, angle);
        run(&mut world, 3.0);
    }
    let (truth, reported) = (first(&world).world_from_body.planar(), first(&world).odom_from_body);
    assert!(
        (truth.position() - reported.position()).norm() < 0.03 && (truth.yaw - reported.yaw).abs() < 0.01,
        "{truth:?} {reported:?}"
    );
}

/// Its front frame touches a wall that its rear frame does not reach.
#[test]
fn both_frames_collide() {
    let controller = r#"<controller class="front_steer_pid"><KP>500</KP><max_torque>500</max_torque></controller>"#;
    let wall = r#"<block name="wall"><static>true</static><init_pose>4 0 0</init_pose><zmin>0</zmin><zmax>2</zmax>
        <shape><pt>0 -5</pt><pt>0 5</pt><pt>1 5</pt><pt>1 -5</pt></shape></block>"#;
    let mut world = world(&format!("<simul_timestep>0.005</simul_timestep>{}{wall}", loader("", controller, 0.9)));
    ackermann(&mut world, 1.0, 0.0);
    run(&mut world, 6.0);
    let frame = first(&world);
    assert!(frame.colliding && (frame.world_from_body.x - (4.0 - 2.2)).abs() < 0.05, "{:?}", frame.world_from_body);
}

#[test]
fn teleports_states_and_resets_move_both_frames() {
    let mut world = driven(0.005);
    ackermann(&mut world, 0.5, 0.5);
    run(&mut world, 6.0);
    let gamma = bend(&world);
    let to = Pose2::new(20.0, 5.0, 2.0);
    world.command(Command { vehicle: 0, action: Action::Teleport(to) }).expect("can be placed");
    run(&mut world, 0.5);
    let pose = first(&world).world_from_body.planar();
    assert!(
        (pose.position() - to.position()).norm() < 0.05 && (bend(&world) - gamma).abs() < 0.03,
        "{pose:?} {}",
        bend(&world)
    );
    let id = world.scene().vehicles[0].id;
    let state = Pose3 { x: -7.0, yaw: -1.0, ..Pose3::default() };
    world.set_state(id, Some(state), Some(Twist2::new(0.5, 0.0, 0.1))).expect("a good state");
    run(&mut world, 0.005);
    let v = first(&world).velocity_in_body;
    assert!((first(&world).world_from_body.x + 7.0).abs() < 0.01 && (v.vx - 0.5).abs() < 0.05, "{v:?}");
    world.reset();
    assert_eq!(bend(&world), 0.0);
    let mut fresh = driven(0.005);
    for world in [&mut world, &mut fresh] {
        ackermann(world, 0.7, -0.3);
        run(world, 3.0);
    }
    assert_eq!(first(&world).world_from_body, first(&fresh).world_from_body, "to the bit");
    assert_eq!(bend(&world), bend(&fresh));
}

#[test]
fn a_parked_loader_stays_on_a_slope() {
    let controller = r#"<controller class="front_steer_pid"><KP>2000</KP><max_torque>4000</max_torque></controller>"#;
    let mut world =
        world(&format!("<simul_timestep>0.005</simul_timestep>{}{}", plane(0.1, 40.0), loader("", controller, 0.9)));
    ackermann(&mut world, 0.5, 0.4);
    run(&mut world, 6.0);
    ackermann(&mut world, 0.0, 0.4);
    run(&mut world, 4.0);
    let before = first(&world).world_from_body;
    run(&mut world, 20.0);
    let after = first(&world).world_from_body;
    assert!((after.planar().position() - before.planar().position()).norm() < 1e-4, "{before:?} {after:?}");
}

#[test]
fn what_cannot_be_bent_is_explained() {
    let problem = |inside: &str| {
        problems(&format!(
            "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\n<dynamics class=\"articulated\">{inside}</dynamics></vehicle></mvsim_world>"
        ))
    };
    assert_eq!(
        problem(r#"<hinge x="2"/>"#),
        [
            "bad.xml:2:41: the hinge at x = 2 is not between the axles at x = 0 and 1.5\n  accepted: x greater than 0 and less than 1.5"
        ]
    );
    assert_eq!(
        problem(r#"<fl_wheel pos="1.5 0.9"/>"#),
        [
            "bad.xml:2:1: the middle of the front axle is at y = 0.15000000000000002, that of the rear axle at y = 0\n  accepted: both at y = 0"
        ]
    );
    assert_eq!(
        problem(r#"<fl_wheel pos="1.5 -0.6"/><fr_wheel pos="1.5 0.6"/>"#),
        [
            "bad.xml:2:1: the left wheel fl_wheel at y = -0.6 is not left of fr_wheel at y = 0.6\n  accepted: a greater y for the left wheel"
        ]
    );
    assert_eq!(
        problem("<driven_axles>all</driven_axles>"),
        [
            "bad.xml:2:45: bad value \"all\" for <driven_axles> in <dynamics class=\"articulated\">\n  accepted: both, front, rear"
        ]
    );
}

/// Loaders come, bend and go, and neither the run of another vehicle nor the lists of the world keep a trace of them.
#[test]
fn one_that_came_and_went_leaves_nothing_behind() {
    let robot = r#"<vehicle name="robot"><init_pose>0 0 0</init_pose><dynamics class="differential">
        <controller class="twist_ideal"/></dynamics></vehicle>"#;
    let [mut world, mut alone] = [(); 2].map(|()| world(&format!("<simul_timestep>0.005</simul_timestep>{robot}")));
    twist(&mut world, 0, 0.5, 0.2);
    twist(&mut alone, 0, 0.5, 0.2);
    run(&mut world, 0.5);
    run(&mut alone, 0.5);
    let text = loader("", r#"<controller class="front_steer_pid"><V>1</V><STEER_ANG>20</STEER_ANG></controller>"#, 0.9);
    let mut counts = None;
    for round in 0..20 {
        let source = SpawnSource::Xml { text: text.clone(), directory: ".".into(), label: "here".into() };
        let pose = Some(Pose2::new(100.0, 0.0, 0.5).into());
        let recipe =
            world.catalogue().recipe(&SpawnRequest { name: "guest".into(), source, pose }).expect("a good vehicle");
        let id = world.spawn(recipe).expect("a free name");
        run(&mut world, 0.2);
        run(&mut alone, 0.2);
        let guest = &world.frame().vehicles[1];
        assert!((guest.world_from_body.x - 100.0).abs() < 1.0 && guest.wheels[3].steer > 0.1, "{guest:?}");
        assert_eq!(world.frame().vehicles[0], alone.frame().vehicles[0], "round {round}");
        world.remove(id).expect("it is there");
        let now = world.population_counts();
        assert_eq!(*counts.get_or_insert(now), now, "round {round}");
    }
}

/// A loader of the world file that was removed returns with a reset of everything, and repeats its run to the bit.
#[test]
fn a_removed_one_returns_with_a_reset() {
    let tape = |world: &mut World| {
        ackermann(world, 0.7, 0.4);
        run(world, 2.0);
        ackermann(world, -0.7, -0.2);
        (0..300).map(|_| bits(step(world))).collect::<Vec<_>>()
    };
    let fresh = tape(&mut driven(0.005));
    let mut used = driven(0.005);
    tape(&mut used);
    let id = used.scene().vehicles[0].id;
    used.remove(id).expect("it is there");
    run(&mut used, 0.1);
    used.reset_with(ResetScope::ALL);
    assert!(fresh == tape(&mut used));
}

/// A trailer behind it follows, and all three bodies move with a teleport.
#[test]
fn it_pulls_a_trailer() {
    let controller = r#"<controller class="front_steer_pid"><KP>2000</KP><max_torque>4000</max_torque></controller>"#;
    let sledge = r#"<block name="sledge"><init_pose>-3 0 0</init_pose><mass>200</mass><ground_friction>0.3</ground_friction>
        <shape><pt>-0.5 -0.5</pt><pt>-0.5 0.5</pt><pt>0.5 0.5</pt><pt>0.5 -0.5</pt></shape></block>
        <joint type="distance" body_a="loader" body_b="sledge" anchor_a="-0.7 0" anchor_b="0.5 0" max_length="2"/>"#;
    let inner = format!("<simul_timestep>0.005</simul_timestep>{}{sledge}", loader("", controller, 0.9));
    let mut world = world(&inner);
    ackermann(&mut world, 1.0, 0.3);
    run(&mut world, 8.0);
    let apart = |world: &World| {
        let hitch = first(world).world_from_body.planar().transform_point(Vec2::new(-0.7, 0.0));
        let ring = world.frame().blocks[0].planar().transform_point(Vec2::new(0.5, 0.0));
        (hitch - ring).norm()
    };
    assert!((apart(&world) - 2.0).abs() < 1e-6, "{}", apart(&world));
    let gamma = bend(&world);
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(30.0, 0.0, 1.0)) }).expect("can be placed");
    step(&mut world);
    assert!((apart(&world) - 2.0).abs() < 0.01 && (bend(&world) - gamma).abs() < 0.01, "{}", apart(&world));
}

/// The hinge's stops are hard: a wall in the way of its right side cannot fold it further than they allow.
#[test]
fn the_stops_hold_what_the_servo_cannot() {
    let controller = r#"<controller class="front_steer_pid"><KP>4000</KP><max_torque>8000</max_torque></controller>"#;
    let wall = r#"<block name="wall"><static>true</static><init_pose>6 0 30</init_pose><zmin>0</zmin><zmax>2</zmax>
        <shape><pt>0 -9</pt><pt>0 9</pt><pt>1 9</pt><pt>1 -9</pt></shape></block>"#;
    let inner =
        format!("<simul_timestep>0.005</simul_timestep>{}{wall}", loader(r#"max_torque="10""#, controller, 0.9));
    let mut world = world(&inner);
    ackermann(&mut world, 2.0, 0.0);
    let mut most = 0.0_f64;
    for _ in 0..1600 {
        step(&mut world);
        most = most.max(bend(&world).abs());
    }
    let stop = 45.0_f64.to_radians();
    assert!((most - stop).abs() < 5e-3, "{most}");
}

/// A robot at the side sees the front frame and its wheels where they stand.
#[test]
fn lidars_see_the_bent_front_frame() {
    let eye = r#"<vehicle name="eye"><init_pose>1.8 3 -90</init_pose><dynamics class="differential">
        <chassis><shape><pt>-0.1 -0.1</pt><pt>-0.1 0.1</pt><pt>0.1 0.1</pt><pt>0.1 -0.1</pt></shape></chassis>
        <controller class="raw"/></dynamics>
        <sensor class="laser" name="scan"><pose>0 0 0</pose><nrays>3</nrays><fov_degrees>20</fov_degrees><sensor_period>0.1</sensor_period>
        <range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg></sensor>
        </vehicle>"#;
    let controller = r#"<controller class="front_steer_pid"><STEER_ANG>-30</STEER_ANG></controller>"#;
    let mut world = world(&format!("<simul_timestep>0.005</simul_timestep>{}{eye}", loader("", controller, 0.9)));
    let rectangle = |x: [f64; 2], y: [f64; 2]| [(x[0], y[0]), (x[0], y[1]), (x[1], y[1]), (x[1], y[0])];
    let outlines = [rectangle([1.0, 2.2], [-0.5, 0.5]), rectangle([1.1, 1.9], [0.5, 0.7])];
    for seconds in [0.1, 3.0] {
        run(&mut world, seconds);
        let (pose, gamma) = (first(&world).world_from_body.planar(), bend(&world));
        let turned = Pose2::new(0.0, 0.0, gamma).rotation();
        let hinge = Vec2::new(REAR, 0.0);
        let placed = |(x, y): (f64, f64)| pose.transform_point(turned * (Vec2::new(x, y) - hinge) + hinge);
        let mut nearest = f64::INFINITY;
        for outline in outlines {
            for k in 0..4 {
                let (a, b) = (placed(outline[k]), placed(outline[(k + 1) % 4]));
                let share = (1.8 - a.x) / (b.x - a.x);
                if (0.0..=1.0).contains(&share) {
                    nearest = nearest.min(3.0 - (a.y + share * (b.y - a.y)));
                }
            }
        }
        let range = world.frame().readings[0].data.scan().expect("a scan").ranges[1];
        assert!((f64::from(range) - nearest).abs() < 1e-5, "{seconds} s, bent by {gamma}: {range} for {nearest}");
    }
    assert!(bend(&world) < -0.5);
}
