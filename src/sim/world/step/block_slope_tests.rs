//! Blocks on inclined ground, against closed forms.

use std::path::Path;

use skidpad_math::{Pose2, Pose3, Twist2, Vec2};

use crate::vehicle::{Action, Command};
use crate::world::{LoadOptions, PhysicsRules, World};

const GRAVITY: f64 = 9.81;
const STEP: f64 = 0.005;

fn load_with(rules: PhysicsRules, inner: &str) -> World {
    let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
    let text = format!("<mvsim_world><simul_timestep>{STEP}</simul_timestep>{inner}</mvsim_world>");
    World::load_text("t.xml", Path::new("."), &text, &options).unwrap_or_else(|problems| panic!("{problems}")).0
}

fn load(inner: &str) -> World {
    load_with(PhysicsRules::Skidpad, inner)
}

/// A plane that rises by `degrees` along x.
fn hill(degrees: f64) -> String {
    format!(
        r#"<element class="horizontal_plane"><init_pose3d>0 0 0 0 {} 0</init_pose3d>
        <x_min>-5000</x_min><x_max>5000</x_max><y_min>-5000</y_min><y_max>5000</y_max></element>"#,
        -degrees
    )
}

/// A square of 1 m about its reference point, and the same with a corner there.
const SHAPES: [&str; 2] = ["", "<shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt><pt>0 1</pt></shape>"];

/// A crate of 30 kg without air drag, `pose` with a z and angles, `velocity` in its frame.
fn crate_(name: &str, pose: &str, mu: f64, more: &str) -> String {
    format!(
        r#"<block name="{name}"><init_pose3d>{pose}</init_pose3d><ground_friction>{mu}</ground_friction>
        <linear_damping>0</linear_damping><angular_damping>0</angular_damping>{more}</block>"#
    )
}

fn pose(world: &World, index: usize) -> Pose3 {
    world.frame.blocks[index]
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / STEP).round() as usize {
        world.step().expect("finite");
    }
}

/// Position of the middle of a crate of `shape` [m].
fn middle(world: &World, shape: &str) -> Vec2 {
    let at = pose(world, 0).planar();
    if shape.is_empty() { at.position() } else { at.transform_point(Vec2::new(0.5, 0.5)) }
}

/// a = g·(sin θ − μ·cos θ), straight down, whatever the yaw of the crate and wherever its reference point is; and it does not turn.
#[test]
fn a_slippery_crate_slides_down_at_its_closed_form() {
    for (degrees, mu) in [(30.0, 0.05), (30.0, 0.0), (10.0, 0.1), (45.0, 0.6), (2.0, 0.01)] {
        for shape in SHAPES {
            for yaw in [0.0, 30.0, 90.0, 200.0] {
                let mut world = load(&(hill(degrees) + &crate_("c", &format!("0 0 0 {yaw} 0 0"), mu, shape)));
                let start = middle(&world, shape);
                run(&mut world, 2.0);
                let (sin, cos) = f64::to_radians(degrees).sin_cos();
                // With the velocity of the end of each step, Σ k·a·dt².
                let expected = -0.5 * GRAVITY * (sin - mu * cos) * 2.0 * (2.0 + STEP);
                let moved = middle(&world, shape) - start;
                let case = format!("{degrees}° {mu} {shape} {yaw}: {moved:?} for {expected}");
                assert!((moved.x / expected - 1.0).abs() < 1e-9 && moved.y.abs() < 1e-9, "{case}");
                assert!((pose(&world, 0).yaw - pose_of(yaw)).abs() < 1e-9, "{case}");
            }
        }
    }
}

fn pose_of(degrees: f64) -> f64 {
    Pose2::new(0.0, 0.0, degrees.to_radians()).yaw
}

/// Up to μ = tan θ it does not move by a bit, in half an hour; a little below it slides.
#[test]
fn a_crate_rests_within_its_friction_cone_and_nowhere_else() {
    for shape in SHAPES {
        for yaw in [0.0, 45.0, 90.0, 120.0] {
            for (mu, rests) in [(0.8, true), (0.5775, true), (0.5772, false), (0.4, false)] {
                let mut world = load(&(hill(30.0) + &crate_("c", &format!("0 0 0 {yaw} 0 0"), mu, shape)));
                // The first step rounds the pose.
                world.step().expect("finite");
                let start = pose(&world, 0);
                run(&mut world, 10.0);
                assert_eq!(pose(&world, 0) == start, rests, "{mu} {yaw} {shape}: {:?}", pose(&world, 0));
            }
        }
    }
    let mut world = load(&(hill(30.0) + &crate_("c", "0 0 0 20 0 0", 0.8, "")));
    let start = pose(&world, 0);
    run(&mut world, 1800.0);
    assert_eq!(pose(&world, 0), start);
}

/// Uphill it loses g·(sin θ + μ·cos θ), and then rests or comes back; downhill within the cone g·(μ·cos θ − sin θ); across the
/// slope it follows the curve of dv/dt = g·sin θ·d − μ·g·cos θ·v/|v|.
#[test]
fn a_crate_with_a_push_stops_at_its_closed_form() {
    let (sin, cos) = f64::to_radians(30.0).sin_cos();
    for (mu, velocity, loss) in
        [(0.8, 3.0, sin + 0.8 * cos), (0.05, 3.0, sin + 0.05 * cos), (0.8, -3.0, 0.8 * cos - sin)]
    {
        let push = format!("<init_vel>{velocity} 0 0</init_vel>");
        let mut world = load(&(hill(30.0) + &crate_("c", "0 0 0 0 0 0", mu, &push)));
        let mut farthest: f64 = 0.0;
        let seconds = 3.0 / (GRAVITY * loss);
        for _ in 0..(1.1 * seconds / STEP) as usize {
            world.step().expect("finite");
            farthest = farthest.max(pose(&world, 0).x.abs());
        }
        let expected = velocity * velocity / (2.0 * GRAVITY * loss);
        let first_order = 3.0 * STEP;
        assert!((farthest - expected).abs() < first_order, "{mu} {velocity}: {farthest} for {expected}");
        let at = pose(&world, 0);
        run(&mut world, 1.0);
        assert_eq!(pose(&world, 0) == at, mu == 0.8, "{mu} {velocity}");
    }
    let mut world = load(&(hill(30.0) + &crate_("c", "0 0 0 0 0 0", 0.8, "<init_vel>0 2 0</init_vel>")));
    run(&mut world, 3.0);
    let (mut p, mut v, dt) = (Vec2::ZERO, Vec2::new(0.0, 2.0), 1e-5);
    while v.norm() > 1e-3 {
        v = v + GRAVITY * dt * (Vec2::new(-sin, 0.0) - (0.8 * cos / v.norm()) * v);
        p = p + dt * v;
    }
    let at = pose(&world, 0);
    assert!((at.planar().position() - p).norm() < 2.0 * STEP, "{at:?} for {p:?}");
    run(&mut world, 1.0);
    assert_eq!(pose(&world, 0), at);
}

/// On level ground too a crate turns about its middle: one whose reference point is its corner slides straight.
#[test]
fn a_crate_slides_straight_wherever_its_reference_point_is() {
    let more = format!("{}<init_vel>3 0 0</init_vel>", SHAPES[1]);
    let slide = |rules| {
        let mut world = load_with(rules, &crate_("c", "0 0 0 0 0 0", 0.3, &more));
        run(&mut world, 3.0);
        pose(&world, 0)
    };
    let end = slide(PhysicsRules::Skidpad);
    assert!((end.x / (9.0 / (2.0 * 0.3 * GRAVITY)) - 1.0).abs() < 0.01, "{end:?}");
    assert!(end.yaw.abs() < 1e-9 && end.y.abs() < 1e-9, "{end:?}");
    assert!(slide(PhysicsRules::Mvsim).yaw.abs() > 0.01, "MVSim's rule");
}

/// MVSim's rules have no slopes for blocks, and blocks that keep their height do not lie on the ground.
#[test]
fn crates_without_ground_below_know_no_slope() {
    let free = crate_("c", "0 0 0 0 0 0", 0.05, "");
    let mut mvsim = load_with(PhysicsRules::Mvsim, &(hill(30.0) + &free));
    let mut hovering = load(&(hill(30.0) + &crate_("c", "0 0 3 0 0 0", 0.05, "<skip_elevation_adjust/>")));
    for world in [&mut mvsim, &mut hovering] {
        let start = pose(world, 0);
        run(world, 1.0);
        assert_eq!(pose(world, 0), start);
    }
}

/// Height maps of 8 m with cells of 2 m whose heights along x are these [m].
fn folds(heights: [f64; 5]) -> String {
    let rows: Vec<String> = heights.iter().map(|z| format!("{z} {z} {z} {z} {z}")).collect();
    format!(
        r#"<element class="elevation_map"><resolution>2</resolution><corner_min_x>-4</corner_min_x><corner_min_y>-4</corner_min_y>
        <elevation_data_matrix>[{}]</elevation_data_matrix></element>"#,
        rows.join("; ")
    )
}

/// In a valley a crate comes to rest across the bottom; on a crest it lies if it is in the middle, and slides off elsewhere.
#[test]
fn a_crate_comes_to_rest_in_a_valley_and_slides_off_a_crest() {
    let mut world = load(&(folds([2.0, 1.0, 0.0, 1.0, 2.0]) + &crate_("c", "2 0 9 0 0 0", 0.1, "")));
    run(&mut world, 60.0);
    let at = pose(&world, 0);
    assert!(at.x.abs() < 0.4 && at.y.abs() < 1e-6, "{at:?}");
    run(&mut world, 10.0);
    assert_eq!(pose(&world, 0), at);
    for (x, rests) in [(0.0, true), (0.05, true), (0.3, false), (-0.3, false)] {
        let crest = folds([-2.0, -1.0, 0.0, -1.0, -2.0]);
        let mut world = load(&(crest + &crate_("c", &format!("{x} 0 9 0 0 0"), 0.1, "")));
        run(&mut world, 1.0);
        let at = pose(&world, 0);
        assert_eq!(at.x == x, rests, "{at:?}");
        assert!(rests || at.x.signum() == f64::signum(x) && at.x.abs() > x.abs() + 0.2, "{at:?}");
    }
}

/// What is beyond a step does not tilt a crate: the ground below the edge of a platform, a narrow ramp under a wide crate, a lower
/// crate that it touches. Somewhere else the ground has to be inclined, or nothing is looked at.
#[test]
fn steps_near_a_crate_are_no_slope() {
    let platform = r#"<element class="horizontal_plane"><x_max>0.1</x_max><z>0.4</z></element>"#;
    let inclined = hill(30.0).replace("<init_pose3d>0 0 0", "<init_pose3d>0 20000 0");
    let edge = format!("{inclined}{platform}{}", crate_("c", "0 0 0.4 30 0 0", 0.01, ""));
    let low = "<zmin>0</zmin><zmax>0.3</zmax>";
    let beside =
        format!("{inclined}{}{}", crate_("c", "0 0 0 0 0 0", 0.01, ""), crate_("low", "1.001 0 0 0 0 0", 0.01, low));
    for text in [edge, beside] {
        let mut world = load(&text);
        assert!(world.terrain.may_slope());
        let start = pose(&world, 0);
        run(&mut world, 1.0);
        assert_eq!(pose(&world, 0), start);
    }
    let ramp = r#"<block name="r"><init_pose>-5 0 0</init_pose><static>true</static><intangible>true</intangible>
        <geometry type="ramp" lx="10" ly="0.5" lz="2"/></block>"#;
    let mut world = load(&format!("{ramp}{}", crate_("c", "3 0 1.6 0 0 0", 0.05, "")));
    run(&mut world, 1.0);
    let (sin, cos) = 0.2_f64.atan().sin_cos();
    let expected = -0.5 * GRAVITY * (sin - 0.05 * cos) * (1.0 + STEP);
    let moved = pose(&world, 1).x - 3.0;
    assert!((moved / expected - 1.0).abs() < 1e-9, "{moved} for {expected}");
    assert!((pose(&world, 1).z - 0.2 * (5.0 + pose(&world, 1).x)).abs() < 1e-9);
}

/// A floor that tilts lets go at the angle of friction, wherever the crate lies on it.
#[test]
fn a_crate_slides_when_its_floor_tilts() {
    let mut world = load(&format!(r#"<element class="horizontal_plane"/>{}"#, crate_("c", "0 0 0 0 0 0", 0.3, "")));
    for k in 0..100 {
        world.frame.planes[0].pitch = -0.004 * f64::from(k);
        let before = pose(&world, 0);
        world.step().expect("finite");
        let slides = pose(&world, 0) != before;
        // A step later than the floor.
        assert_eq!(slides, (0.004 * f64::from(k - 1)).tan() > 0.3, "{k}");
    }
}

/// Crates that arrive, are moved, and are put back find the slope at once; a reset repeats the bits.
#[test]
fn placed_crates_know_their_slope() {
    let mut world = load(&(hill(30.0) + &crate_("c", "0 0 0 0 0 0", 0.05, "")));
    let slid = |world: &mut World| {
        let before = pose(world, 0);
        world.step().expect("finite");
        pose(world, 0).x - before.x
    };
    let first = slid(&mut world);
    assert!(first < 0.0);
    run(&mut world, 1.0);
    let id = world.scene.blocks[0].id;
    let there = Pose3 { x: 3.0, y: 1.0, z: 3.0 * f64::to_radians(30.0).tan(), ..Pose3::default() };
    world.set_state(id, Some(there), Some(Twist2::ZERO)).unwrap();
    assert!((slid(&mut world) / first - 1.0).abs() < 1e-9);
    run(&mut world, 0.5);
    world.reset_with(crate::world::ResetScope::ALL);
    assert_eq!(slid(&mut world), first);
    run(&mut world, 1.0);
    let mut fresh = load(&(hill(30.0) + &crate_("c", "0 0 0 0 0 0", 0.05, "")));
    run(&mut fresh, 1.0 + STEP);
    assert_eq!(pose(&world, 0), pose(&fresh, 0));
}

/// Ropes: a slippery crate hangs on one, and two crates hold together as far as the friction of both goes.
#[test]
fn crates_on_ropes_balance_their_weights() {
    let rope = |a: &str, b: &str| {
        format!(r#"<joint type="rope" body_a="{a}" body_b="{b}" anchor_a="-0.5 0" anchor_b="0.5 0" max_length="1"/>"#)
    };
    let post = r#"<block name="post"><init_pose3d>0 0 0 0 0 0</init_pose3d><static>true</static></block>"#;
    let z = -2.0 * f64::to_radians(30.0).tan();
    let mut world =
        load(&(hill(30.0) + post + &crate_("c", &format!("-2 0 {z} 0 0 0"), 0.05, "") + &rope("post", "c")));
    run(&mut world, 20.0);
    let at = pose(&world, 1);
    assert!((at.x + 2.0).abs() < 1e-6 && at.y.abs() < 1e-6, "{at:?}");
    // tan 30° = 0.577: the upper one has to hold 0.527 times the lower one's weight on top of its own.
    for (mu, holds) in [(1.12, true), (1.08, false)] {
        let pair = crate_("upper", "0 0 0 0 0 0", mu, "") + &crate_("lower", &format!("-2 0 {z} 0 0 0"), 0.05, "");
        let mut world = load(&(hill(30.0) + &pair + &rope("upper", "lower")));
        run(&mut world, 10.0);
        let moved = pose(&world, 0).x;
        assert_eq!(moved.abs() < 1e-6, holds, "{mu}: {moved}");
        assert!((pose(&world, 0).x - pose(&world, 1).x - 2.0).abs() < 1e-6);
        let (sin, cos) = f64::to_radians(30.0).sin_cos();
        let expected = -0.25 * GRAVITY * (2.0 * sin - (mu + 0.05) * cos) * 10.0 * (10.0 + STEP);
        assert!(holds || (moved / expected - 1.0).abs() < 0.02, "{moved} for {expected}");
    }
}

/// A crate without friction on a pin uphill of it is a pendulum with g·sin θ: T = 2π·√((L² + I/m)/(g·sin θ·L)).
#[test]
fn a_crate_on_a_pin_swings_about_the_way_down() {
    let angle = 0.1_f64;
    let (x, y) = (-2.0 * angle.cos(), -2.0 * angle.sin());
    let z = x * f64::to_radians(30.0).tan();
    let post = r#"<block name="post"><init_pose3d>0 0 0 0 0 0</init_pose3d><static>true</static></block>"#;
    let pin = r#"<joint type="pin" body_a="post" body_b="c" anchor_a="0 0" anchor_b="2 0"/>"#;
    let hanging = crate_("c", &format!("{x} {y} {z} {} 0 0", angle.to_degrees()), 0.0, "");
    let mut world = load(&(hill(30.0) + post + &hanging + pin));
    let mut crossings = Vec::new();
    for k in 0..2000 {
        let before = pose(&world, 1).y;
        world.step().expect("finite");
        if before.signum() != pose(&world, 1).y.signum() {
            crossings.push(STEP * f64::from(k));
        }
    }
    let half = std::f64::consts::PI * ((4.0 + 1.0 / 6.0) / (GRAVITY * 0.5 * 2.0)).sqrt();
    assert!(crossings.len() >= 4, "{crossings:?}");
    for pair in crossings.windows(2) {
        assert!((pair[1] - pair[0] - half).abs() < 0.01 * half, "{crossings:?} for {half}");
    }
    let arm = pose(&world, 1).planar().position().norm();
    assert!((arm - 2.0).abs() < 1e-6, "{arm}");
}

/// It comes to rest against a wall below, and stays there.
#[test]
fn a_slippery_crate_leans_on_a_wall() {
    let wall = r#"<block name="wall"><init_pose3d>-3 0 -1.7 0 0 0</init_pose3d><static>true</static>
        <shape><pt>-0.1 -5</pt><pt>-0.1 5</pt><pt>0.1 5</pt><pt>0.1 -5</pt></shape></block>"#;
    let mut world = load(&(hill(30.0) + wall + &crate_("c", "0 0 0 0 0 0", 0.05, "")));
    run(&mut world, 20.0);
    let at = pose(&world, 1);
    assert!((at.x + 2.4).abs() < 0.01 && at.y.abs() < 1e-3 && at.yaw.abs() < 1e-3, "{at:?}");
    run(&mut world, 60.0);
    let moved = pose(&world, 1).planar().position() - at.planar().position();
    assert!(moved.norm() < 1e-4, "{moved:?}");
}

/// The velocity that is told of a crate is the change of its pose: leaning on a wall, and held there by a robot that goes on pushing.
#[test]
fn what_is_told_of_a_crate_is_its_motion() {
    let robot = r#"<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential_4_wheels">
        <controller class="twist_pid"><KP>50</KP><KI>20</KI></controller></dynamics></vehicle>"#;
    let pressed = r#"<walls><shape><pt>3 -5</pt><pt>3 5</pt></shape></walls>"#.to_owned()
        + robot
        + &crate_("c", "1.5 0 0 0 0 0", 0.3, "");
    let wall = r#"<block name="wall"><init_pose3d>-3 0 -1.7 0 0 0</init_pose3d><static>true</static>
        <shape><pt>-0.1 -5</pt><pt>-0.1 5</pt><pt>0.1 5</pt><pt>0.1 -5</pt></shape></block>"#;
    for text in [pressed, hill(30.0) + wall + &crate_("c", "0 0 0 0 0 0", 0.05, "")] {
        let mut world = load(&text);
        let index = world.blocks.len() - 1;
        if !world.vehicles.is_empty() {
            let action = Action::Twist(Twist2::new(0.5, 0.0, 0.0));
            world.command(Command { vehicle: 0, action }).expect("takes velocities");
        }
        run(&mut world, 6.0);
        for _ in 0..200 {
            let before = pose(&world, index).planar();
            world.step().expect("finite");
            let after = pose(&world, index).planar();
            let reported = after.rotation() * world.block_velocity_in_body(index).linear();
            let made = (1.0 / STEP) * (after.position() - before.position());
            assert!(reported.norm() < 1e-9 && made.norm() < 1e-9, "{reported:?} {made:?}");
        }
    }
}
