//! Overlapping bodies separate without infinities, at a cost linear in their number.

use super::bits::bits;
use super::common::{repository, step, world};
use super::population::of_class;
use skidpad_math::{Pose3, Vec2};
use skidpad_sim::world::World;

/// Largest speed of separation [m/s].
const MAX_SPEED: f64 = 1.01;

const BLOCK: &str = r#"<block:class name="crate"><mass>5</mass>
  <shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt><pt>0.2 -0.2</pt></shape></block:class>"#;

fn blocks(count: usize) -> World {
    let step = "<simul_timestep>0.01</simul_timestep>";
    world(&format!(
        r#"{step}{BLOCK}<for var="i" from="1" to="{count}"><block class="crate"><init_pose>1 2 30</init_pose></block></for>"#
    ))
}

fn robots(count: usize) -> World {
    let path = repository("worlds");
    let text = format!(
        r#"<mvsim_world version="1.0"><include file="vehicles/diffbot.vehicle.xml"/>
        <for var="i" from="1" to="{count}"><vehicle class="diffbot"><init_pose>0 0 0</init_pose></vehicle></for></mvsim_world>"#
    );
    World::load_text("overlap.world.xml", &path, &text, &skidpad_sim::world::LoadOptions::default()).expect("loads").0
}

/// Where everything stands.
fn poses(world: &World) -> Vec<Pose3> {
    let vehicles = world.frame().vehicles.iter().map(|vehicle| vehicle.world_from_body);
    vehicles.chain(world.frame().blocks.iter().copied()).collect()
}

/// Steps for `seconds`; nothing may move faster than [`MAX_SPEED`].
fn part(world: &mut World, seconds: f64) {
    let dt = world.scene().step.secs();
    let mut before = poses(world);
    for _ in 0..(seconds / dt).round() as usize {
        if let Err(error) = world.step() {
            panic!("{error}");
        }
        let now = poses(world);
        for (a, b) in before.iter().zip(&now) {
            let speed = (b.x - a.x).hypot(b.y - a.y) / dt;
            assert!(speed < MAX_SPEED, "{speed} m/s at {}", world.frame().time.secs());
        }
        before = now;
    }
}

/// The least distance of any two [m].
fn least_distance(world: &World) -> f64 {
    let places: Vec<Vec2> = poses(world).iter().map(|pose| Vec2::new(pose.x, pose.y)).collect();
    let mut least = f64::INFINITY;
    for (i, a) in places.iter().enumerate() {
        least = places[i + 1..].iter().map(|b| (*b - *a).norm()).fold(least, f64::min);
    }
    least
}

#[test]
fn a_few_blocks_in_one_place_part() {
    for count in [2, 3, 7, 20] {
        let mut world = blocks(count);
        part(&mut world, 2.5);
        assert!(least_distance(&world) > 0.38, "{count}: {}", least_distance(&world));
    }
}

#[test]
fn a_hundred_blocks_in_one_place_part() {
    let mut world = blocks(100);
    part(&mut world, 5.0);
    assert!(least_distance(&world) > 0.38, "{}", least_distance(&world));
}

#[test]
fn thirty_robots_in_one_place_part() {
    let mut world = robots(30);
    part(&mut world, 5.0);
    assert!(least_distance(&world) > 0.3, "{}", least_distance(&world));
    assert!(world.frame().vehicles.iter().all(|vehicle| !vehicle.colliding));
}

#[test]
fn bodies_spawned_in_one_place_separate() {
    let mut world = world(&format!(
        r#"<simul_timestep>0.01</simul_timestep>{BLOCK}<block class="crate" name="first"><init_pose>1 2 0</init_pose></block>"#
    ));
    for number in 0..84 {
        let recipe = world.catalogue().recipe(&of_class("crate", &format!("b{number}"), 1.0, 2.0)).expect("is known");
        world.spawn(recipe).expect("has room");
        if number % 7 == 0 {
            part(&mut world, 0.02);
        }
    }
    part(&mut world, 5.0);
    assert!(least_distance(&world) > 0.38, "{}", least_distance(&world));
}

/// What the engine has to look at grows with the number of blocks, not with its square, and so do time and memory.
#[test]
fn a_thousand_blocks_in_one_place_cost_no_more_than_their_number() {
    let mut world = blocks(1000);
    for _ in 0..5 {
        step(&mut world);
        assert!(world.contact_pair_count() < 1000, "{}", world.contact_pair_count());
    }
}

/// Thin bars in one bundle are not deep in each other, however near.
#[test]
fn a_bundle_of_bars_costs_no_more_than_a_limit_for_each() {
    let bar = r#"<block class="bar"><init_pose>$f{0.04*i} 0 0</init_pose></block>"#;
    let mut world = world(&format!(
        r#"<block:class name="bar"><mass>1</mass><shape><pt>-0.01 -9</pt><pt>-0.01 9</pt><pt>0.01 9</pt><pt>0.01 -9</pt></shape></block:class>
        <for var="i" from="1" to="450">{bar}</for>"#
    ));
    step(&mut world);
    assert!(world.contact_pair_count() < 450 * 257, "{}", world.contact_pair_count());
    assert!(world.contact_pair_count() > 0);
}

#[test]
fn a_heap_beside_a_wall_stays_on_its_side() {
    let wall = r#"<block name="wall"><static>true</static><init_pose>0.5 0 0</init_pose>
        <shape><pt>-0.1 -5</pt><pt>-0.1 5</pt><pt>0.1 5</pt><pt>0.1 -5</pt></shape></block>"#;
    let crates = r#"<for var="i" from="1" to="12"><block class="crate"><init_pose>0.15 0 0</init_pose></block></for>"#;
    let mut world = world(&format!("<simul_timestep>0.005</simul_timestep>{BLOCK}{wall}{crates}"));
    for _ in 0..1200 {
        step(&mut world);
    }
    for pose in &world.frame().blocks[1..] {
        assert!(pose.x < 0.4, "{pose:?}");
    }
}

/// A block that a robot is put into gives way, or the robot does; what drove into each other is left to the contacts.
#[test]
fn a_teleport_into_another_robot_ends_beside_it() {
    let mut world = robots(2);
    part(&mut world, 3.0);
    let occupied = world.frame().vehicles[0].world_from_body;
    world.set_state(world.scene().vehicles[1].id, Some(occupied), None).expect("may stand anywhere");
    part(&mut world, 3.0);
    assert!(least_distance(&world) > 0.3 && world.frame().vehicles.iter().all(|vehicle| !vehicle.colliding));
}

#[test]
fn heaps_part_with_the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut world = robots(12);
            for _ in 0..300 {
                step(&mut world);
            }
            bits(world.frame())
        })
    };
    assert_eq!(run(1), run(3));
}
