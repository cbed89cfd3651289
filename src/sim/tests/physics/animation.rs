//! Prescribed motion: its path, the bodies that it pushes, and that nothing pushes it.

use super::common::*;
use skidpad_math::{Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// 2 m along y within 2 s, and back.
const TO_AND_FRO: &str = r#"<animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>2 0 2 90</time_pose>
    <time_pose>4 0 0 0</time_pose></animation>"#;

fn block(extra: &str) -> String {
    format!(r#"<block><init_pose>1 2 90</init_pose>{extra}</block>"#)
}

/// Where the block must be after `t` [s]: the start turned by 90°, so that its y is the world's −x.
fn expected(t: f64) -> (f64, f64, f64) {
    let t = t % 4.0;
    let progress = if t < 2.0 { 0.5 * t } else { 0.5 * (4.0 - t) };
    (1.0 - 2.0 * progress, 2.0, (90.0 + 90.0 * progress).to_radians())
}

fn distance(pose: Pose3, (x, y, yaw): (f64, f64, f64)) -> f64 {
    (pose.x - x).abs() + (pose.y - y).abs() + (pose.yaw - yaw).abs()
}

/// Movable, static and intangible blocks alike, over the end of a round and after a reset; a plough of a tonne does not matter.
#[test]
fn animated_blocks_are_where_their_keyframes_say() {
    for extra in ["", "<static>true</static>", "<intangible>true</intangible>", "<mass>0.001</mass>"] {
        let plough = Cart {
            inside: r#"<controller class="twist_ideal"/>"#.into(),
            pose: "-3 2 0",
            velocity: "1 0 0".into(),
            ..Cart::default()
        };
        let mut world = world(&(block(&(TO_AND_FRO.to_string() + extra)) + &plough.named("plough")));
        for _ in 0..2 {
            assert!(distance(world.frame().blocks[0], expected(0.0)) < 1e-12);
            for k in 1..=900 {
                if k == 200 {
                    twist(&mut world, 0, 1.0, 0.0);
                }
                let t = f64::from(k) * 0.005;
                let at = step(&mut world).blocks[0];
                assert!(distance(at, expected(t)) < 1e-9, "{extra} at {t}: {at:?} for {:?}", expected(t));
            }
            world.reset();
        }
    }
}

/// 1 m/s towards a crate on ice: it leaves with that velocity at least, and at most the share of restitution more.
#[test]
fn an_animated_block_pushes_with_its_velocity() {
    let pusher = r#"<block><init_pose>0 0 0</init_pose><animation type="keyframes"><time_pose>0 0 0 0</time_pose>
        <time_pose>3 3 0 0</time_pose></animation></block>"#;
    let crate_ = r#"<block><init_pose>2 0 0</init_pose><mass>500</mass><ground_friction>FLOOR</ground_friction>
        <linear_damping>0</linear_damping></block>"#;
    for floor in ["0", "0.5"] {
        let mut world = world(&(pusher.to_string() + &crate_.replace("FLOOR", floor)));
        run(&mut world, 2.9);
        let before = world.frame().blocks[1];
        run(&mut world, 0.05);
        let speed = (world.frame().blocks[1].x - before.x) / 0.05;
        assert!((0.98..1.05).contains(&speed), "{floor}: {speed}");
        let ahead = world.frame().blocks[1].x - world.frame().blocks[0].x;
        assert!((0.995..1.1).contains(&ahead), "{floor}: {ahead}");
        // Back at the start it gives nothing: the crate slides out, or on.
        run(&mut world, 0.05);
        assert!(world.frame().blocks[0].x < 0.1);
        let before = world.frame().blocks[1];
        run(&mut world, 0.05);
        let after = (world.frame().blocks[1].x - before.x) / 0.05;
        assert!(after <= speed + 0.01, "{after} after {speed}");
    }
}

/// A vehicle is pushed as well, one whose velocity is imposed too.
#[test]
fn an_animated_gate_pushes_vehicles() {
    let gate = r#"<block><static>true</static><init_pose>-3 0 0</init_pose><animation type="keyframes">
        <time_pose>0 0 0 0</time_pose><time_pose>5 5 0 0</time_pose></animation></block>"#;
    for controller in
        ["", r#"<controller class="twist_ideal"/>"#, r#"<controller class="twist_pid"><KP>50</KP></controller>"#]
    {
        let cart = Cart { inside: controller.into(), ..Cart::default() };
        let mut world = world(&(cart.named("a") + gate));
        let mut has_met = false;
        for _ in 0..980 {
            has_met |= step(&mut world).vehicles[0].colliding;
        }
        // The gate's face is at -2.5 + t; the cart's hind wheels reach to x - 0.3.
        let behind = first(&world).world_from_body.x - 0.3;
        assert!((2.37..2.5).contains(&behind), "{controller}: {behind}");
        assert!(has_met);
    }
}

/// The pose in space, the velocity in the body frame, wheels that roll, and no ear for commands.
#[test]
fn an_animated_vehicle_reports_its_true_motion() {
    let animation = r#"<init_pose>1 1 90</init_pose><animation type="keyframes"><time_pose3d>0 0 0 0 0 0 0</time_pose3d>
        <time_pose3d>2 4 0 1 0 10 0</time_pose3d><time_pose3d>4 4 0 1 90 10 0</time_pose3d></animation>"#;
    let cart = Cart { inside: r#"<controller class="twist_pid"/>"#.into(), ..Cart::default() };
    let text = cart.named("a").replace("<init_pose>0 0 0</init_pose>", animation);
    let mut world = world(&text);
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(-3.0, 0.0, 1.0)) }).unwrap();
    run(&mut world, 1.0);
    let v = first(&world);
    assert!(distance(v.world_from_body, (1.0, 3.0, 90.0_f64.to_radians())) < 1e-9, "{v:?}");
    assert!((v.world_from_body.z - 0.5).abs() < 1e-9 && (v.world_from_body.pitch.to_degrees() - 5.0).abs() < 1e-9);
    let t = v.velocity_in_body;
    assert!((t.vx - 2.0).abs() < 1e-9 && t.vy.abs() < 1e-9 && t.wz.abs() < 1e-9, "{t:?}");
    assert!(v.wheels.iter().all(|w| (w.spin - 2.0 / RADIUS).abs() < 1e-9), "{:?}", v.wheels);
    assert!(v.acceleration_in_body.norm() < 1e-6);
    run(&mut world, 2.0);
    let t = first(&world).velocity_in_body;
    // A turn in place of 45°/s; the step's chord of the centre of mass, half a metre ahead, gives 0.2 mm/s along x.
    assert!(t.vx.abs() < 1e-3 && t.vy.abs() < 2e-3 && (t.wz - 45.0_f64.to_radians()).abs() < 1e-2, "{t:?}");
    // A teleport is undone, without a leap.
    world.command(Command { vehicle: 0, action: Action::Teleport(skidpad_math::Pose2::new(50.0, 50.0, 0.0)) }).unwrap();
    let v = step(&mut world).vehicles[0].clone();
    assert!(v.world_from_body.x < 2.0 && v.velocity_in_body.vx.abs() < 1e-2, "{v:?}");
    // At the end of a round it jumps to the start, without velocity.
    run(&mut world, 1.0);
    let v = first(&world);
    assert!(v.world_from_body.y < 1.1 && v.velocity_in_body.vx < 2.1, "{v:?}");
}

fn moves_alone(text: &str) -> Vec<Pose3> {
    let mut world: World = world(text);
    run(&mut world, 1.3);
    world.frame().blocks.clone()
}

/// The same motion with and without company.
#[test]
fn other_bodies_do_not_change_a_prescribed_path() {
    let alone = moves_alone(&block(TO_AND_FRO))[0];
    let wall = "<walls><shape><pt>-5 1.4</pt><pt>5 1.4</pt></shape></walls>";
    let heavy_block = r#"<block><init_pose>0 2 0</init_pose><mass>1e6</mass></block>"#;
    let crowded = moves_alone(&(block(TO_AND_FRO) + heavy_block + wall))[0];
    assert_eq!(alone, crowded);
}

#[test]
fn bad_animations_are_reported() {
    for (animation, expected) in [
        ("<animation/>", "2:36: missing type in <animation>\n  accepted: keyframes"),
        (r#"<animation type="spline"/>"#, "2:53: unknown type \"spline\" in <animation>\n  accepted: keyframes"),
        (
            r#"<animation type="keyframes"/>"#,
            "2:36: missing <time_pose> in <animation>\n  accepted: time_pose, time_pose3d",
        ),
        (
            r#"<animation type="keyframes"><time_pose>0 0 0</time_pose></animation>"#,
            "2:75: bad value \"0 0 0\" for <time_pose>\n  accepted: 4 finite numbers, separated by blanks",
        ),
        (
            r#"<animation type="keyframes"><time_pose3d>0 0 0 0</time_pose3d></animation>"#,
            "2:77: bad value \"0 0 0 0\" for <time_pose3d>\n  accepted: 7 finite numbers, separated by blanks",
        ),
        (
            r#"<animation type="keyframes"><time_pose>-1 0 0 0</time_pose></animation>"#,
            "2:64: time -1 in <time_pose>, negative\n  accepted: increasing times, from 0",
        ),
        (
            r#"<animation type="keyframes"><time_pose>2 0 0 0</time_pose><time_pose3d>1 0 0 0 0 0 0</time_pose3d></animation>"#,
            "2:94: time 1 in <time_pose3d>, not after 2\n  accepted: increasing times, from 0",
        ),
        (
            r#"<animation type="keyframes"><time_pose/></animation>"#,
            "2:64: missing numbers in <time_pose>\n  accepted: 4 finite numbers, separated by blanks",
        ),
    ] {
        let text = format!("<mvsim_world>\n<block><init_pose>0 0 0</init_pose>{animation}</block></mvsim_world>");
        assert_eq!(problems(&text).join("\n").replace("bad.xml:", ""), expected, "{animation}");
    }
}
