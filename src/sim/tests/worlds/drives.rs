//! The worlds of the drives that are neither differential nor cars: each shows what it is there to show.

use super::{ackermann, load, order, run, twist};
use skidpad_math::Twist2;
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::World;

fn velocity(world: &World, vehicle: usize) -> Twist2 {
    world.frame().vehicles[vehicle].velocity_in_body
}

/// All three go to the left and ahead as told, within a hundredth of the speed, while they turn.
#[test]
fn omnidirectional_robots_move_sideways() {
    let mut world = load("omnidirectional");
    let wanted = Twist2::new(0.1, 0.3, 0.2);
    for vehicle in 0..3 {
        order(&mut world, vehicle, Action::Twist(wanted));
    }
    run(&mut world, 8.0, |_, _| ());
    for (vehicle, info) in world.scene().vehicles.iter().enumerate() {
        let actual = velocity(&world, vehicle);
        let off = (actual.linear() - wanted.linear()).norm().max((actual.wz - wanted.wz).abs());
        assert!(off < 0.005, "{}: {actual:?}", info.name);
    }
}

#[test]
fn the_tricycle_turns_almost_on_the_spot() {
    let mut world = load("tricycle");
    order(&mut world, 0, twist(0.0, 0.3));
    run(&mut world, 10.0, |_, _| ());
    let actual = velocity(&world, 0);
    assert!((actual.wz - 0.3).abs() < 0.01, "{actual:?}");
    // l·ω/tan 85°
    assert!((actual.vx - 1.7 * actual.wz / 85.0_f64.to_radians().tan()).abs() < 0.005, "{actual:?}");
    order(&mut world, 0, ackermann(0.5, 0.0));
    run(&mut world, 10.0, |_, _| ());
    assert!((velocity(&world, 0).vx - 0.5).abs() < 0.01, "{:?}", velocity(&world, 0));
}

#[test]
fn the_tracked_robot_turns_more_slowly_than_its_tracks() {
    let mut world = load("tracked");
    let wheels = &world.scene().vehicles[0].wheels;
    assert!(wheels.len() == 10 && wheels.iter().all(|wheel| wheel.visuals.len() == 1), "those of its track");
    order(&mut world, 0, twist(0.3, 0.8));
    run(&mut world, 8.0, |_, _| ());
    let frame = &world.frame().vehicles[0];
    let tracks = (frame.wheels[1].spin - frame.wheels[0].spin) * 0.09047 / 0.397;
    assert!((tracks - 0.8).abs() < 0.02, "{tracks}");
    assert!(
        frame.velocity_in_body.wz > 0.2 && frame.velocity_in_body.wz < 0.9 * tracks,
        "{:?}",
        frame.velocity_in_body
    );
}

/// Of two frames the front one turns first, and the circle is that of the bend: ω = v·sin γ/(l_f + l_r·cos γ) with l_f = l_r = 1.1 m. Straight ahead it
/// pushes its load.
#[test]
fn the_wheel_loader_bends_into_turns_and_pushes() {
    let mut world = load("articulated");
    order(&mut world, 0, ackermann(1.0, 0.0));
    run(&mut world, 15.0, |_, _| ());
    assert!(world.frame().blocks[0].x > 13.0, "{:?}", world.frame().blocks[0]);
    order(&mut world, 0, ackermann(-1.0, 0.6));
    run(&mut world, 10.0, |_, _| ());
    let frame = &world.frame().vehicles[0];
    let (v, gamma) = (frame.velocity_in_body, frame.wheels[3].steer);
    assert!((gamma - 0.6).abs() < 0.01 && (v.vx + 1.0).abs() < 0.02, "{gamma} {v:?}");
    let expected = v.vx * gamma.sin() / (1.1 + 1.1 * gamma.cos());
    assert!((v.wz / expected - 1.0).abs() < 0.01, "{v:?}, expected {expected}");
}
