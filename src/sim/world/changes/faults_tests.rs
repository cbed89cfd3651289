//! Late and lost commands, silent sensors, scaled odometry, and actors that are told where to go.

use std::path::Path;

use skidpad_math::Twist2;

use super::*;
use crate::world::actor::ActorOrder;
use crate::world::{LoadOptions, ResetScope};

const MS: i64 = 1_000_000;

/// Two robots, one with a noisy lidar and a noisy IMU that looks at a wall, and a person who walks.
fn world() -> World {
    let text = r#"<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep><random_seed>3</random_seed>
        <vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics>
            <sensor class="laser" name="scan"><nrays>8</nrays><range_std_noise>0.1</range_std_noise><sensor_period>0.1</sensor_period></sensor>
            <sensor class="imu" name="imu"><sensor_period>0.02</sensor_period></sensor>
        </vehicle>
        <vehicle name="b"><init_pose>0 4 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics></vehicle>
        <block><init_pose>5 0 0</init_pose><static>true</static><shape><pt>0 -9</pt><pt>1 -9</pt><pt>1 9</pt><pt>0 9</pt></shape></block>
        <actor name="walker"><init_pose>-5 0 0</init_pose><walking_speed>1</walking_speed><path><waypoint>-5 9 90</waypoint></path></actor>
        </mvsim_world>"#;
    World::load_text("test", Path::new("."), text, &LoadOptions::default()).unwrap().0
}

fn id(world: &World, name: &str) -> EntityId {
    world.scene().vehicles[world.scene().vehicle_index(name).unwrap()].id
}

fn go(world: &mut World, vehicle: usize, vx: f64) {
    world.command(Command { vehicle, action: Action::Twist(Twist2::new(vx, 0.0, 0.0)) }).unwrap();
}

fn speed(world: &World, vehicle: usize) -> f64 {
    world.frame().vehicles[vehicle].setpoint.velocity_in_body.vx
}

/// What the readings of a world say in each step, where they are fresh: step, sensor, data.
fn readings(world: &mut World, steps: u32) -> Vec<(u64, usize, String)> {
    let mut all = Vec::new();
    for _ in 0..steps {
        let frame = world.step().unwrap();
        let fresh = frame.readings.iter().filter(|reading| reading.is_fresh(frame.time));
        all.extend(fresh.map(|reading| (frame.step, reading.sensor, format!("{:?}", reading.data))));
    }
    all
}

#[test]
fn a_command_after_the_latency_has_ended_stays_behind_those_under_way() {
    let mut world = world();
    let a = id(&world, "a");
    world.set_command_link(a, CommandLink { latency: SimTime(50 * MS), loss: 0.0 });
    go(&mut world, 0, 1.0);
    // In a pause, time stands.
    for _ in 0..1000 {
        go(&mut world, 0, 1.0);
    }
    assert_eq!(world.late.waiting.len(), 1);
    for _ in 0..5 {
        world.step().unwrap();
    }
    world.set_command_link(a, CommandLink::default());
    go(&mut world, 0, 2.0);
    for _ in 0..3 {
        world.step().unwrap();
    }
    assert_eq!(speed(&world, 0), 2.0);
}

#[test]
fn late_commands_act_when_they_arrive_and_none_overtakes() {
    let mut world = world();
    let a = id(&world, "a");
    let late = |ms: i64| CommandLink { latency: SimTime(ms * MS), loss: 0.0 };
    assert!(world.set_command_link(a, late(50)) && !world.set_command_link(EntityId(99), late(1)));
    go(&mut world, 0, 1.0);
    go(&mut world, 1, 1.0);
    let mut seen = Vec::new();
    for step in 0..12 {
        if step == 2 {
            // At once, but not before the one that is under way.
            world.set_command_link(a, late(0));
            go(&mut world, 0, 2.0);
        }
        world.step().unwrap();
        seen.push((speed(&world, 0), speed(&world, 1)));
    }
    let expected: Vec<(f64, f64)> = (0..12).map(|step| (if step < 5 { 0.0 } else { 2.0 }, 1.0)).collect();
    assert_eq!(seen, expected);
    assert!(!world.phases.attention, "nothing is late any more");
    go(&mut world, 0, 3.0);
    world.step().unwrap();
    assert_eq!(speed(&world, 0), 3.0);
    world.set_command_link(a, late(50));
    go(&mut world, 0, 0.5);
    world.reset();
    (0..10).for_each(|_| {
        world.step().unwrap();
    });
    assert_eq!(speed(&world, 0), 0.0, "a reset loses what is under way");
}

#[test]
fn the_age_of_a_late_command_counts_from_its_arrival() {
    let mut world = world();
    world.set_command_link(id(&world, "a"), CommandLink { latency: SimTime(50 * MS), loss: 0.0 });
    world.set_command_timeout(Some(SimTime(30 * MS)));
    go(&mut world, 0, 1.0);
    let moving: Vec<bool> = (0..12).map(|_| world.step().map(|_| ()).is_ok() && speed(&world, 0) > 0.0).collect();
    assert_eq!(moving.iter().position(|moves| *moves), Some(5));
    assert_eq!(moving.iter().filter(|moves| **moves).count(), 4, "{moving:?}");
}

#[test]
fn lost_commands_have_their_share_and_are_the_same_again() {
    let lost = |world: &mut World| {
        let mut all = Vec::new();
        for number in 1..=1000 {
            go(world, 0, f64::from(number));
            world.step().unwrap();
            all.push(speed(world, 0) != f64::from(number));
        }
        all
    };
    let mut world = world();
    world.set_command_link(id(&world, "a"), CommandLink { latency: SimTime::ZERO, loss: 0.3 });
    let first = lost(&mut world);
    // Four standard deviations of a binomial count.
    assert!(first.iter().filter(|lost| **lost).count().abs_diff(300) < 58);
    world.reset_with(ResetScope::ALL);
    assert_eq!(lost(&mut world), first);
}

#[test]
fn a_sensor_that_is_off_or_loses_readings_changes_no_bit_of_the_others_nor_of_later_ones() {
    let all = readings(&mut world(), 400);
    let mut broken = world();
    let a = id(&broken, "a");
    let mut received = readings(&mut broken, 100);
    for sensor in ["scan", "imu"] {
        assert!(broken.set_sensor_fault(a, sensor, SensorFault { is_off: true, loss: 0.0 }));
    }
    assert!(broken.frame().readings.iter().all(|reading| reading.time.0 < 0), "the slots are empty");
    assert_eq!(readings(&mut broken, 100), []);
    broken.set_sensor_fault(a, "imu", SensorFault::default());
    broken.set_sensor_fault(a, "scan", SensorFault { is_off: false, loss: 0.5 });
    let lossy = readings(&mut broken, 100);
    broken.set_sensor_fault(a, "scan", SensorFault::default());
    let whole = readings(&mut broken, 100);
    assert!(!broken.set_sensor_fault(a, "sonar", SensorFault::default()));
    let scans = lossy.iter().filter(|(_, sensor, _)| *sensor == 0).count();
    assert!((1..10).contains(&scans), "{scans} of 10 scans");
    assert_eq!(lossy.len() - scans, 50, "the other sensor loses none");
    received.extend(lossy);
    received.extend(whole);
    assert!(received.iter().all(|reading| all.contains(reading)), "what arrives is what would have arrived");
    assert_eq!(received.len(), 3 * 60 - (10 - scans));
}

#[test]
fn faults_end_with_their_vehicle() {
    let mut world = world();
    let a = id(&world, "a");
    world.set_sensor_fault(a, "imu", SensorFault { is_off: true, loss: 0.0 });
    world.set_odometry_scale(a, [1.5, 1.0, 1.0]);
    world.set_command_link(a, CommandLink { latency: SimTime(20 * MS), loss: 0.0 });
    go(&mut world, 0, 1.0);
    world.step().unwrap();
    world.remove(a).unwrap();
    world.reset_with(ResetScope::ALL);
    let mut fresh = self::world();
    let again = id(&world, "a");
    assert_eq!(
        (world.sensor_fault(again, "imu"), world.command_link(again)),
        (Some(SensorFault::default()), Some(CommandLink::default()))
    );
    assert_eq!(readings(&mut world, 50), readings(&mut fresh, 50));
}

#[test]
fn odometry_is_scaled_from_then_on_and_comes_back() {
    let mut world = world();
    let a = id(&world, "a");
    go(&mut world, 0, 1.0);
    let mut stretch = |scale: [f64; 3]| {
        assert!(world.set_odometry_scale(a, scale));
        let at =
            |world: &World| (world.frame().vehicles[0].odom_from_body.x, world.frame().vehicles[0].world_from_body.x);
        let before = at(&world);
        (0..100).for_each(|_| {
            world.step().unwrap();
        });
        let after = at(&world);
        (after.0 - before.0) / (after.1 - before.1)
    };
    for factor in [1.0, 1.25, 0.5, 1.0] {
        assert!((stretch([factor, 1.0, 1.0]) - factor).abs() < 1e-9);
    }
    assert!(!world.set_odometry_scale(a, [f64::NAN, 1.0, 1.0]));
}

#[test]
fn an_actor_stands_goes_on_and_goes_elsewhere() {
    let mut world = world();
    let mut after = |order: Option<ActorOrder>| {
        order.into_iter().for_each(|order| assert!(world.order_actor("walker", order)));
        (0..100).for_each(|_| {
            world.step().unwrap();
        });
        let frame = world.frame().actors[0];
        ((frame.world_from_actor.x * 1e6).round() / 1e6, (frame.world_from_actor.y * 1e6).round() / 1e6, frame.speed)
    };
    assert_eq!(after(None), (-5.0, 1.0, 1.0));
    assert_eq!(after(Some(ActorOrder::Stand)), (-5.0, 1.0, 0.0));
    assert_eq!(after(Some(ActorOrder::Go)), (-5.0, 2.0, 1.0));
    let send = ActorOrder::Send { to: vec![[-5.5, 2.0], [-5.5, 1.4]], is_run: false };
    assert_eq!(after(Some(send)), (-5.5, 1.5, 1.0));
    assert_eq!(after(None), (-5.5, 1.4, 0.0), "it stays at the last point");
    let far = ActorOrder::Send { to: vec![[f64::NAN, 0.0]], is_run: false };
    assert!(!world.order_actor("walker", far) && !world.order_actor("runner", ActorOrder::Go));
    world.reset_with(ResetScope::ALL);
    (0..100).for_each(|_| {
        world.step().unwrap();
    });
    assert!((world.frame().actors[0].world_from_actor.y - 1.0).abs() < 1e-6, "and on its own way after a reset");
}
