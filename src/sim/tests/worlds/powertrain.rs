//! The worlds with engines and differentials that hold.

use skidpad_sim::vehicle::{GearLever, Pedals};

use super::*;

fn pedals(throttle: f64, brake: f64) -> Action {
    Action::Pedals { pedals: Pedals { throttle, brake, gear: GearLever::Drive }, steering_angle: 0.0 }
}

/// It stands on its brake, creeps without, and goes through its gears to 100 km/h in about ten seconds.
#[test]
fn an_engine_takes_its_car_through_the_gears() {
    let mut world = load("powertrain");
    let speed = |world: &World| world.frame().vehicles[0].velocity_in_body.vx;
    run(&mut world, 1.0, |_, _| {});
    assert!(speed(&world).abs() < 1e-6 && world.frame().vehicles[0].powertrain.engine_speed > 60.0);
    order(&mut world, 0, pedals(0.0, 0.0));
    run(&mut world, 4.0, |_, _| {});
    assert!((0.5..4.0).contains(&speed(&world)), "{}", speed(&world));
    order(&mut world, 0, pedals(1.0, 0.0));
    let (mut gears, mut time) = (vec![], 0.0);
    run(&mut world, 20.0, |_, vehicles| {
        let vehicle = &vehicles[0];
        if vehicle.velocity_in_body.vx < 100.0 / 3.6 {
            time += 0.005;
        }
        if gears.last() != Some(&vehicle.powertrain.gear) {
            gears.push(vehicle.powertrain.gear);
        }
    });
    assert!((8.0..14.0).contains(&time), "{time}");
    assert_eq!(gears, [1, 2, 3, 4]);
}

#[test]
fn a_locked_differential_pulls_off_the_ice() {
    let mut world = load("locked_differential");
    run(&mut world, 2.0, |_, _| {});
    let vehicles = &world.frame().vehicles;
    let speed: Vec<f64> = vehicles.iter().map(|v| v.velocity_in_body.vx).collect();
    assert!(speed[0] < 0.7 * speed[1] && speed[1] < speed[2], "{speed:?}");
    let spin = |v: &VehicleFrame| v.wheels[0].spin - v.wheels[1].spin;
    assert!(spin(&vehicles[0]) > 20.0 && spin(&vehicles[2]).abs() < 0.1);
}
