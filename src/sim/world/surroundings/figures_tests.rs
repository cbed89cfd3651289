//! Persons walk before sensors as on the page, and wheels of actors roll.

use std::path::{Path, PathBuf};

use skidpad_math::Vec3;

use super::*;
use crate::raycast::space::{Looker, Ray};
use crate::sensor::ReadingData;
use crate::world::actor::Gait;
use crate::world::{LoadOptions, World};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds")
}

fn load(inner: &str) -> (World, Vec<String>) {
    let text = format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{inner}</mvsim_world>");
    let loaded = World::load_text("w.xml", &folder(), &text, &LoadOptions::default());
    let (world, warnings) = loaded.unwrap_or_else(|problems| panic!("{problems}"));
    (world, warnings.iter().map(ToString::to_string).collect())
}

/// A person that walks along y, 2 m ahead of the origin.
const WALKER: &str = "<include file=\"actors/pedestrian.actor.xml\"/>
    <actor name=\"ann\" class=\"pedestrian\"><init_pose>2 -3 90</init_pose>
    <path loop=\"false\"><waypoint>2 30 90</waypoint></path></actor>";

fn robot(sensor: &str) -> String {
    format!("<vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{sensor}</vehicle>")
}

/// The range to anything on the way of a ray from the side at this height, beside where the actor is.
fn from_beside(world: &World, all: &mut Surroundings, ahead: f64, z: f64) -> Option<f64> {
    all.place(world.frame());
    let actor = world.frame().actors[0].world_from_actor;
    let origin = actor.position() + Vec3::new(-2.0, ahead, z);
    let ray = Ray { origin, direction: Vec3::x(), near: 0.0, far: 3.0, hidden: None, looker: Looker::Lidar };
    all.space.cast(&ray).map(|hit| hit.range)
}

/// Beside a person who walks by, a planar lidar in space sees the shanks close and open twice in a cycle of 1.075 s; a person who stands there
/// keeps them together.
#[test]
fn a_lidar_sees_the_legs_of_a_person_swing() {
    let lidar = "<sensor class=\"laser\" name=\"scan\"><raytrace_3d>true</raytrace_3d><ignore_parent_body>true</ignore_parent_body><pose_3d>0 0 0.2 0 0 0</pose_3d>
        <nrays>1441</nrays><sensor_period>0.01</sensor_period><range_std_noise>0</range_std_noise></sensor>";
    let (mut world, _) = load(&format!("{WALKER}{}", robot(lidar)));
    // Between the outermost beams that meet it, along its way.
    let mut spread = |steps: usize| {
        let mut widths = Vec::new();
        for _ in 0..steps {
            let frame = world.step().unwrap();
            let ReadingData::Scan(scan) = &frame.readings[0].data else { panic!("{:?}", frame.readings[0]) };
            let ys = scan.ranges.iter().enumerate().filter_map(|(beam, &range)| {
                let angle = -std::f64::consts::FRAC_PI_2 + std::f64::consts::PI * beam as f64 / 1440.0;
                (range > 0.5 && range < 5.0).then(|| f64::from(range) * angle.sin())
            });
            let [low, high] = ys.fold([f64::MAX, f64::MIN], |[low, high], y| [low.min(y), high.max(y)]);
            widths.push(high - low);
        }
        widths
    };
    spread(300);
    let walking = spread(430);
    let (least, most) = walking.iter().fold((f64::MAX, f64::MIN), |(low, high), &s| (low.min(s), high.max(s)));
    assert!(least > 0.08 && least < 0.3 && most > 0.55 && most < 0.9, "{least} to {most}");
    // Two cycles of 215 steps have four strides: it opens and closes as often.
    let middle = 0.5 * (least + most);
    let opens = walking.windows(2).filter(|pair| pair[0] < middle && pair[1] >= middle).count();
    assert_eq!(opens, 4, "{walking:?}");
    world.order_actor("ann", crate::world::actor::ActorOrder::Stand);
    let mut still = Vec::new();
    let mut all = Surroundings::new(world.scene(), Vec3::zeros(), None);
    for _ in 0..200 {
        world.step().unwrap();
        still.push(from_beside(&world, &mut all, 0.0, 0.2).unwrap());
    }
    let (low, high) = still.iter().fold((f64::MAX, f64::MIN), |(low, high), &s| (low.min(s), high.max(s)));
    assert!(high - low < 1e-3, "{low} to {high}");
}

/// The foot that carries stands still in the world while the body goes over it, on its heel and then on its ball: what the vertices there slide from
/// step to step adds up to millimetres. The nearest vertices to the points on which a foot rolls are up to 3 cm before them.
#[test]
fn feet_that_carry_do_not_slide() {
    // Of the right foot, in the axes of the file: y is up, z to the right.
    const HEEL: [f32; 3] = [-0.065, 0.0, 0.09];
    const BALL: [f32; 3] = [0.201, 0.0, 0.09];
    for (gait, cycle, carried, most) in [("walk", 1.07812, 0.5, 4e-3), ("run", 0.69835, 0.38, 13e-3)] {
        let path = format!("<waypoint animation=\"{gait}\">2 60 90</waypoint>");
        let (mut world, _) = load(&WALKER.replace("<waypoint>2 30 90</waypoint>", &path));
        let mut all = Surroundings::new(world.scene(), Vec3::zeros(), None);
        all.place(world.frame());
        let ends = [HEEL, BALL].map(|end| {
            let far = |vertex: &[f32; 3]| vertex.iter().zip(end).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            let places = all.figures[0].vertices().iter().enumerate();
            places.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b))).map(|(index, _)| index).unwrap()
        });
        // It turns to its way first.
        while world.frame().actors[0].world_from_actor.y < 8.0 {
            world.step().unwrap();
        }
        let mut ends_in_world = |world: &World| {
            all.place(world.frame());
            let (figure, part) = (&all.figures[0], &all.parts[0]);
            let world_from_part = part.attachment.world_from_body(world.frame()) * part.body_from_part;
            ends.map(|end| world_from_part.transform_point(Vec3::from(figure.vertices()[end].map(f64::from))))
        };
        let (mut slid, mut before, mut farthest, mut steps) = (0.0, ends_in_world(&world), 0.0_f64, 0);
        for _ in 0..600 {
            let share = world.frame().actors[0].clip_time / cycle % 1.0;
            world.step().unwrap();
            let now = ends_in_world(&world);
            if share < carried - 0.01 {
                let lower = if before[0].z < before[1].z { 0 } else { 1 };
                slid += now[lower].y - before[lower].y;
                steps += 1;
            } else {
                slid = 0.0;
            }
            farthest = farthest.max(slid.abs());
            before = now;
        }
        assert!(steps > 200 && farthest < most, "{gait}: {farthest} m in {steps} steps");
    }
}

/// Everything that moves in itself is where the clip of its gait has it, and two persons do not move each other; one who shows what is shown is
/// not moved again.
#[test]
fn each_person_has_a_pose_of_its_own() {
    let two = format!("{WALKER}<actor name=\"bob\" class=\"pedestrian\"><init_pose>9 0 0</init_pose></actor>");
    let (mut world, _) = load(&two);
    let mut all = Surroundings::new(world.scene(), Vec3::zeros(), None);
    for _ in 0..40 {
        world.step().unwrap();
    }
    all.place(world.frame());
    assert_eq!(world.frame().actors.iter().map(|actor| actor.gait).collect::<Vec<_>>(), [Gait::Walk, Gait::Idle]);
    let [ann, bob] = &all.figures[..] else { panic!("{}", all.figures.len()) };
    let highest = |figure: &Figure| figure.vertices().iter().map(|v| v[1]).fold(0.0, f32::max);
    assert!((1.6..1.8).contains(&highest(ann)) && (highest(bob) - 1.75).abs() < 0.02);
    assert_ne!(ann.vertices(), bob.vertices());
    let models: Vec<usize> = all.space.instances().iter().map(|instance| instance.model().address()).collect();
    assert_ne!(models[0], models[1]);
    // Surroundings that are built anew show the same, bit by bit.
    let mut other = Surroundings::new(world.scene(), Vec3::zeros(), Some(std::mem::take(&mut all)));
    other.place(world.frame());
    let mut fresh = Surroundings::new(world.scene(), Vec3::zeros(), None);
    fresh.place(world.frame());
    for (one, two) in other.figures.iter().zip(&fresh.figures) {
        assert_eq!(one.vertices(), two.vertices());
    }
    other.place(world.frame());
    assert!(other.figures.iter().all(|figure| !figure.is_moved()));
}

/// A clip that the file does not have is named, once.
#[test]
fn clips_that_are_not_in_the_file_are_named() {
    let wrong = WALKER.replace("<init_pose>2", "<animation_walk>stroll</animation_walk><init_pose>2");
    let sensor = "<sensor class=\"lidar3d\" name=\"drum\"><pose_3d>0 0 1 0 0 0</pose_3d></sensor>";
    let (_, warnings) = load(&format!("{wrong}{}", robot(sensor)));
    let reported: Vec<&String> = warnings.iter().filter(|warning| warning.contains("stroll")).collect();
    let [reported] = &reported[..] else { panic!("{warnings:?}") };
    assert!(reported.contains("actor \"ann\" uses another clip") && reported.contains("idle, walk, run"), "{reported}");
}

/// After a quarter of its circumference what was ahead on a wheel of a car is below, on either side; a block has no such wheel.
#[test]
fn wheels_of_actors_roll() {
    let car = "<include file=\"actors/car.actor.xml\"/><actor name=\"c\" class=\"car\"><init_pose>0 0 90</init_pose>
        <path loop=\"false\"><waypoint>0 200 90</waypoint></path></actor>";
    let (mut world, warnings) = load(car);
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut all = Surroundings::new(world.scene(), Vec3::zeros(), None);
    while world.frame().actors[0].distance < 20.0 {
        world.step().unwrap();
    }
    all.place(world.frame());
    let actor = world.frame().actors[0];
    assert!((actor.distance - actor.world_from_actor.y).abs() < 1e-9, "{actor:?}");
    let wheels: Vec<&Part> =
        all.parts.iter().filter(|part| matches!(part.attachment, Attachment::ActorWheel { .. })).collect();
    assert_eq!(wheels.len(), 4);
    for wheel in wheels {
        let Attachment::ActorWheel { at, radius, .. } = wheel.attachment else { panic!() };
        let world_from_wheel = wheel.attachment.world_from_body(world.frame());
        let ahead = world_from_wheel.transform_point(Vec3::new(radius, 0.0, 0.0));
        let (sin, cos) = libm::sincos(actor.distance / radius);
        let expected = actor.world_from_actor.transform_point(at + radius * Vec3::new(cos, 0.0, -sin));
        assert!((ahead - expected).norm() < 1e-9, "{ahead:?} for {expected:?}");
        // The point that touches the ground stands still: it moves back on the wheel as fast as the car goes.
        assert!((radius - at.z).abs() < 0.01, "{radius} at {}", at.z);
    }
    let block = "<block name=\"b\"><init_pose>0 0 0</init_pose><visual><model_uri>models/wheel.obj</model_uri>
        <wheel_radius>0.3</wheel_radius></visual></block>";
    let (_, warnings) = load(block);
    assert!(warnings.iter().any(|warning| warning.contains("wheel_radius")), "{warnings:?}");
}
