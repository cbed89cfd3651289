//! Round robots at walls: they do not turn, and slide along without friction.

use skidpad_math::{Pose2, Pose3};
use skidpad_sim::world::World;

use super::common::*;

/// Radius of the robot [m], whose outline is given to the millimetre, and its half width where a corner of the outline is.
const RADIUS: f64 = 0.165;
const OUT_OF_ROUND: f64 = 1e-3;

fn robots(starts: &[Pose2], more: &str) -> World {
    let vehicles: String = starts
        .iter()
        .enumerate()
        .map(|(k, start)| {
            let Pose2 { x, y, yaw } = start;
            let yaw = yaw.to_degrees();
            format!(r#"<vehicle name="r{k}" class="create"><init_pose>{x} {y} {yaw}</init_pose></vehicle>"#)
        })
        .collect();
    world(&format!(r#"<include file="worlds/vehicles/create.vehicle.xml"/>{vehicles}{more}"#))
}

/// A fixed block whose near face stands across the way, 0.5 m ahead of the origin, in a frame that is turned by `angle` [rad].
fn block(angle: f64) -> String {
    let at = Pose2::new(0.0, 0.0, angle) * Pose2::new(0.6, 0.0, 0.0);
    format!(
        "<block><static>true</static><init_pose>{} {} {}</init_pose>\
         <shape><pt>-0.1 -3</pt><pt>-0.1 3</pt><pt>0.1 3</pt><pt>0.1 -3</pt></shape></block>",
        at.x,
        at.y,
        angle.to_degrees()
    )
}

fn pose(world: &World, robot: usize) -> Pose3 {
    world.frame().vehicles[robot].world_from_body
}

#[test]
fn a_round_robot_that_meets_a_block_head_on_stops_and_keeps_its_heading() {
    for angle in [0.0, 0.1, 0.26, 0.8, -2.0] {
        let start = Pose2::new(0.0, 0.0, angle);
        let mut world = robots(&[start], &block(angle));
        twist(&mut world, 0, 1.0, 0.0);
        for _ in 0..1000 {
            step(&mut world);
            assert!((pose(&world, 0).yaw - angle).abs() < 1e-6, "{angle}: {:?}", pose(&world, 0));
        }
        let gone = pose(&world, 0).x.hypot(pose(&world, 0).y);
        assert!((gone - (0.5 - RADIUS)).abs() < OUT_OF_ROUND + 1e-3, "{angle}: {gone}");
        assert!(first(&world).colliding && first(&world).velocity_in_body.vx.abs() < 1e-3);
        // It comes away again, straight back.
        twist(&mut world, 0, -0.5, 0.0);
        run(&mut world, 0.5);
        assert!(!first(&world).colliding && (pose(&world, 0).yaw - angle).abs() < 1e-6);
    }
}

#[test]
fn a_round_robot_slides_along_a_block_with_its_tangential_speed_and_mirrored_alike() {
    let wall = "<block><static>true</static><init_pose>0 0 0</init_pose>\
                <shape><pt>0.5 -9</pt><pt>0.5 9</pt><pt>0.7 9</pt><pt>0.7 -9</pt></shape></block>";
    for yaw in [0.3_f64, 0.6, 1.1] {
        let ends = [yaw, -yaw].map(|yaw| {
            let mut world = robots(&[Pose2::new(0.0, 0.0, yaw)], wall);
            twist(&mut world, 0, 1.0, 0.0);
            run(&mut world, 2.0);
            let from = pose(&world, 0);
            run(&mut world, 2.0);
            let to = pose(&world, 0);
            assert!((to.yaw - yaw).abs() < 1e-6, "{yaw}: {to:?}");
            assert!(((to.y - from.y) / (2.0 * yaw.sin()) - 1.0).abs() < 1e-2, "{yaw}: {from:?} to {to:?}");
            assert!((to.x - (0.5 - RADIUS)).abs() < OUT_OF_ROUND + 1e-3, "{yaw}: {to:?}");
            to
        });
        let [left, right] = ends;
        // The outline of the class is not mirrored to the last millimetre.
        assert!((left.x - right.x).abs() < 3e-4 && (left.y + right.y).abs() < 1e-9, "{ends:?}");
    }
}

#[test]
fn a_round_robot_that_meets_another_keeps_its_heading() {
    for (yaw, speed_of_other) in [(0.0, 0.0), (0.2, 0.0), (0.0, 0.7), (-0.3, 0.4)] {
        let ahead = Pose2::new(0.0, 0.0, yaw) * Pose2::new(1.0, 0.0, 3.0);
        let mut world = robots(&[Pose2::new(0.0, 0.0, yaw), ahead], "");
        twist(&mut world, 0, 1.0, 0.0);
        twist(&mut world, 1, speed_of_other, 0.0);
        let mut nearest = f64::INFINITY;
        for _ in 0..600 {
            step(&mut world);
            let [a, b] = [pose(&world, 0), pose(&world, 1)];
            nearest = nearest.min((a.x - b.x).hypot(a.y - b.y));
            assert!((a.yaw - yaw).abs() < 1e-6, "{yaw}: {a:?}");
            assert!((b.yaw - ahead.yaw).abs() < 1e-6, "{yaw}: {b:?}");
        }
        assert!((nearest - 2.0 * RADIUS).abs() < 8e-3, "{yaw}: {nearest}");
    }
}

/// The walls of the office are a map, along both axes.
#[test]
fn a_round_robot_at_the_wall_of_a_map_keeps_its_heading_and_slides_along() {
    for (course, oblique) in [(0.0, 0.0), (180.0, 0.0), (90.0, 0.0), (0.0, 25.0), (0.0, -25.0)] {
        let yaw = f64::to_radians(course + oblique);
        let map = r#"<element class="occupancy_grid"><file>worlds/maps/office.yaml</file></element>"#;
        let mut world = robots(&[Pose2::new(2.0, 2.0, yaw)], map);
        twist(&mut world, 0, 0.7, 0.0);
        let mut seconds = 0.0;
        while !first(&world).colliding {
            step(&mut world);
            seconds += world.scene().step.secs();
            assert!(seconds < 60.0, "never met a wall: {:?}", pose(&world, 0));
        }
        run(&mut world, 0.3);
        let from = pose(&world, 0);
        run(&mut world, 0.3);
        let to = pose(&world, 0);
        assert!((to.yaw - yaw).abs() < 1e-6, "{course}, {oblique}: {to:?}");
        let speed = (to.x - from.x).hypot(to.y - from.y) / 0.3;
        // Along either axis, by which of them the wall lies.
        let (sin, cos) = f64::to_radians(oblique).sin_cos();
        let is_tangential = [sin, cos].iter().any(|share| (speed - 0.7 * share.abs()).abs() < 5e-3);
        assert!(is_tangential, "{course}, {oblique}: {speed} m/s");
    }
}

#[test]
fn a_corner_of_a_block_is_passed_without_a_turn() {
    let post = "<block><static>true</static><init_pose>1 0.1 0</init_pose>\
                <shape><pt>0 0</pt><pt>0.3 0</pt><pt>0.3 0.3</pt><pt>0 0.3</pt></shape></block>";
    let mut world = robots(&[Pose2::new(0.0, 0.0, 0.0)], post);
    twist(&mut world, 0, 0.5, 0.0);
    for _ in 0..1200 {
        step(&mut world);
        assert!(pose(&world, 0).yaw.abs() < 1e-6, "{:?}", pose(&world, 0));
    }
    // It leaves along its heading, as far beside the corner as its radius.
    let end = pose(&world, 0);
    assert!(end.x > 1.6 && (end.y - (0.1 - RADIUS)).abs() < 2e-3, "{end:?}");
}
