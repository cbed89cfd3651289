//! What contact sensors feel: impulses against the change of momentum, forces against those of the wheels, and names.

use super::common::*;
use skidpad_math::{Rot2, Vec2, Vec3};
use skidpad_sim::sensor::{Contact, ReadingData};
use skidpad_sim::world::{LoadOptions, World};

const ICE: &str = r#"<friction class="default"><mu>0</mu><C_damping>0</C_damping></friction>"#;
const PID: &str = r#"<controller class="twist_pid"><KP>100</KP><KI>20</KI></controller>"#;
/// How far the cart's front wheels reach ahead of its reference point [m].
const NOSE: f64 = 1.3;

/// A sensor of everything that touches, with a sample every 0.1 s.
const SENSOR: &str = r#"<sensor class="contact" name="felt"/>"#;
/// The same, with a sample at every step.
const FAST_SENSOR: &str = r#"<sensor class="contact" name="felt"><sensor_period>0.005</sensor_period></sensor>"#;

fn with_sensor(cart: &str, sensor: &str) -> String {
    cart.replace("</vehicle>", &format!("{sensor}</vehicle>"))
}

/// The new contacts of the sensor with this number in the list of readings; none if there is no new sample.
fn felt(world: &World, number: usize) -> Option<&[Contact]> {
    let reading = &world.frame().readings[number];
    let ReadingData::Contacts(contacts) = &reading.data else { panic!("{reading:?}") };
    (reading.time == world.frame().time).then_some(contacts)
}

/// Velocity of the cart's centre of mass in the world [m/s].
fn velocity(world: &World, vehicle: usize) -> Vec2 {
    let frame = &world.frame().vehicles[vehicle];
    Rot2::new(frame.world_from_body.yaw) * frame.velocity_in_body.at_point(Vec2::new(0.5, 0.0))
}

fn planar(v: Vec3) -> Vec2 {
    Vec2::new(v.x, v.y)
}

/// A cart on ice slides into something for 2 s. Returns the sum of the impulses, the change of its momentum, both in the world [N·s], and the
/// contacts.
fn slide_into(cart: Cart, obstacle: &str) -> (Vec2, Vec2, Vec<Contact>) {
    let mut world = world(&(with_sensor(&cart.named("a"), FAST_SENSOR) + obstacle));
    let (mut sum, start, mut contacts) = (Vec2::ZERO, velocity(&world, 0), Vec::new());
    for _ in 0..400 {
        step(&mut world);
        let rotation = Rot2::new(first(&world).world_from_body.yaw);
        for contact in felt(&world, 0).expect("a sample at every step") {
            sum = sum + rotation * planar(contact.impulse);
            contacts.push(contact.clone());
        }
    }
    (sum, MASS * (velocity(&world, 0) - start), contacts)
}

const BLOCK: &str = r#"<block name="crate"><static>true</static><init_pose>4 0 0</init_pose></block>"#;

#[test]
fn impulses_are_the_change_of_momentum() {
    let cart = |velocity: &str| Cart { friction: ICE.into(), velocity: velocity.into(), ..Cart::default() };
    let bouncing = BLOCK.replace("</block>", "<restitution>0.6</restitution></block>");
    for obstacle in [BLOCK, &bouncing] {
        let (sum, change, contacts) = slide_into(cart("3 0 0"), obstacle);
        assert!(change.x < -300.0, "it was stopped: {change:?}");
        assert!((sum - change).norm() < 1e-6 * change.norm(), "{sum:?} for {change:?}");
        assert!(contacts.iter().all(|contact| &*contact.other == "crate"), "{contacts:?}");
        let hardest = contacts.iter().max_by(|a, b| a.force.total_cmp(&b.force)).unwrap();
        assert!((hardest.position.x - NOSE).abs() < 0.02 && hardest.normal.x < -0.999, "{hardest:?}");
    }
}

#[test]
fn friction_is_in_the_impulses() {
    let cart = Cart { friction: ICE.into(), velocity: "3 0 0".into(), pose: "0 0 20", ..Cart::default() };
    let (sum, change, contacts) = slide_into(cart, "<walls><shape><pt>0 1.5</pt><pt>30 1.5</pt></shape></walls>");
    assert!(contacts.iter().all(|contact| &*contact.other == "wall_0001"), "{contacts:?}");
    assert!(change.x < -5.0 && change.y < -100.0, "slower along the wall, and off it: {change:?}");
    assert!((sum - change).norm() < 1e-6 * change.norm(), "{sum:?} for {change:?}");
}

#[test]
fn two_vehicles_feel_each_other() {
    let cart = |velocity: &str, pose| Cart { friction: ICE.into(), velocity: velocity.into(), pose, ..Cart::default() };
    let front = with_sensor(&cart("0.5 0 0", "4 0.3 0").named("front"), SENSOR);
    let mut world = world(&(with_sensor(&cart("2 0 0", "0 0 0").named("back"), SENSOR) + &front));
    let mut impulses = [Vec2::ZERO; 2];
    for _ in 0..600 {
        step(&mut world);
        for (number, other) in ["front", "back"].into_iter().enumerate() {
            let yaw = world.frame().vehicles[number].world_from_body.yaw;
            for contact in felt(&world, number).unwrap_or_default() {
                assert_eq!(&*contact.other, other);
                impulses[number] = impulses[number] + Rot2::new(yaw) * planar(contact.impulse);
            }
        }
    }
    assert!(impulses[0].x < -50.0 && impulses[1].x > 50.0, "{impulses:?}");
    // Samples of 0.1 s are in the frames of vehicles that turn a little.
    assert!((impulses[0] + impulses[1]).norm() < 0.02 * impulses[0].norm(), "{impulses:?}");
}

#[test]
fn a_steady_push_is_that_of_the_wheels() {
    let cart = Cart { inside: PID.into(), ..Cart::default() }.named("a");
    let mut world = world(&(with_sensor(&cart, SENSOR) + BLOCK));
    twist(&mut world, 0, 1.0, 0.0);
    run(&mut world, 6.0);
    let contacts = felt(&world, 0).expect("a sample at every tenth of a second").to_vec();
    let of_wheels: f64 = first(&world).wheels.iter().map(|wheel| wheel.force_in_wheel.x).sum();
    assert!(of_wheels > 50.0, "{of_wheels} N");
    let [contact] = contacts.as_slice() else { panic!("{contacts:?}") };
    assert!((contact.impulse.x + 0.1 * of_wheels).abs() < 0.01 * of_wheels, "{contact:?} for {of_wheels} N");
    assert!((contact.force - of_wheels).abs() < 0.1 * of_wheels, "{contact:?} for {of_wheels} N");
}

#[test]
fn a_bumper_feels_its_side_only() {
    let bumper = |name, sector| {
        format!(
            r#"<sensor class="contact" name="{name}"><pose_3d>0.5 0 0 0 0 0</pose_3d><sector>{sector}</sector></sensor>"#
        )
    };
    let bumpers = bumper("left", "0 90") + &bumper("right", "-90 0");
    let cart = Cart { friction: ICE.into(), velocity: "2 0 0".into(), ..Cart::default() }.named("a");
    // Its corner stands before the left front wheel alone.
    let block = r#"<block name="post"><static>true</static><init_pose>3.5 0.9 0</init_pose></block>"#;
    let mut world = world(&(with_sensor(&cart, &bumpers) + block));
    let mut counts = [0; 2];
    for _ in 0..400 {
        step(&mut world);
        (0..2).for_each(|number| counts[number] += felt(&world, number).unwrap_or_default().len());
    }
    assert!(counts[0] > 0 && counts[1] == 0, "{counts:?}");
}

#[test]
fn walls_and_maps_have_names() {
    let cart = Cart { friction: ICE.into(), velocity: "2 0 0".into(), ..Cart::default() };
    let plane = r#"<element class="vertical_plane"><x0>3</x0><x1>3</x1><y0>-3</y0><y1>3</y1></element>"#;
    let (.., contacts) = slide_into(cart, plane);
    assert!(
        !contacts.is_empty() && contacts.iter().all(|contact| &*contact.other == "vertical_plane_1"),
        "{contacts:?}"
    );
    // The walls of the office are a map.
    let root = repository("worlds");
    let text = r#"<mvsim_world><element class="occupancy_grid"><file>maps/office.yaml</file></element>
        <include file="vehicles/diffbot.vehicle.xml"/><vehicle name="r" class="diffbot"><init_pose>2 2 0</init_pose>
        <include file="sensors/bumper.sensor.xml"/></vehicle></mvsim_world>"#;
    let (mut world, _) = World::load_text("w.xml", &root, text, &LoadOptions::default()).unwrap();
    twist(&mut world, 0, 1.0, 0.0);
    let mut names = Vec::new();
    for _ in 0..4000 {
        if !names.is_empty() {
            break;
        }
        step(&mut world);
        names.extend(felt(&world, 0).unwrap_or_default().iter().map(|contact| contact.other.to_string()));
    }
    assert!(!names.is_empty() && names.iter().all(|name| name == "map"), "{names:?}");
}

/// A sensor that feels changes nothing.
#[test]
fn worlds_run_alike_with_and_without_the_sensor() {
    let cart = Cart { inside: PID.into(), ..Cart::default() }.named("a");
    let [mut with, mut without] = [with_sensor(&cart, SENSOR), cart].map(|cart| world(&(cart + BLOCK)));
    for _ in 0..1500 {
        for world in [&mut with, &mut without] {
            twist(world, 0, 1.0, 0.1);
            step(world);
        }
        assert_eq!(with.frame().vehicles, without.frame().vehicles);
    }
    assert!(first(&with).colliding);
}

#[test]
fn mistakes_are_named() {
    for (wrong, says) in [
        ("<sector>90 -90</sector>", "<sector> from 90 to -90 degrees"),
        ("<sector>0 400</sector>", "<sector> from 0 to 400 degrees"),
        ("<least_force>-1</least_force>", "least_force"),
    ] {
        let sensor = SENSOR.replace("/>", &format!(">{wrong}</sensor>"));
        let text = format!("<mvsim_world>{}</mvsim_world>", with_sensor(&Cart::default().named("a"), &sensor));
        let problems = problems(&text);
        assert!(problems.len() == 1 && problems[0].contains(says), "{problems:?}");
    }
}
