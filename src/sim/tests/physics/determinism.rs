//! Same world, same commands: same bits, whatever the number of threads.

use super::bits::bits;
use super::common::*;
use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// Cars and robots that bump into each other, blocks and walls.
fn bustle() -> World {
    let mut text = String::from(
        r#"<walls><shape><pt>-6 -6</pt><pt>6 -6</pt><pt>6 -6</pt><pt>6 6</pt><pt>6 6</pt><pt>-6 6</pt>
        <pt>-6 6</pt><pt>-6 -6</pt></shape></walls>"#,
    );
    let poses = ["-4 -4 10", "-4 0 0", "-4 4 -20", "0 -4 90", "4 4 200", "4 -4 120", "0 4 -80", "4 0 180"];
    for (k, pose) in poses.into_iter().enumerate() {
        let (drive, controller) = [
            ("differential_4_wheels", "twist_pid"),
            ("ackermann", "twist_front_steer_pid"),
            ("ackermann_drivetrain", "twist_front_steer_pid"),
            ("differential_4_wheels", "twist_ideal"),
        ][k % 4];
        let inside = format!(r#"<controller class="{controller}"/>"#);
        text += &Cart { drive, inside, pose, ..Cart::default() }.named(&format!("v{k}"));
    }
    for k in 0..6 {
        text += &format!(
            "<block><init_pose>{} {} {}</init_pose></block>",
            0.4 * f64::from(k) - 1.0,
            0.2 * f64::from(k % 3),
            15 * k
        );
    }
    world(&text)
}

fn record(steps: usize) -> Vec<Vec<u64>> {
    let mut world = bustle();
    let mut frames = Vec::new();
    for k in 0..steps {
        if k % 50 == 0 {
            for vehicle in 0..8 {
                let turn = 0.3 * ((k / 50 + vehicle) % 3) as f64 - 0.3;
                let action = Action::Twist(Twist2::new(1.5, 0.0, turn));
                world.command(Command { vehicle, action }).unwrap();
            }
        }
        frames.push(bits(step(&mut world)));
    }
    frames
}

#[test]
fn runs_repeat_to_the_bit_in_one_thread_and_in_four() {
    let first = record(800);
    assert_eq!(record(800), first);
    for threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| record(800)), first, "{threads} threads");
    }
    // The run is worth comparing: things collided and moved.
    let mut world = bustle();
    let mut collided = false;
    for vehicle in 0..8 {
        twist(&mut world, vehicle, 1.5, 0.0);
    }
    for _ in 0..800 {
        collided |= step(&mut world).vehicles.iter().filter(|v| v.colliding).count() > 2;
    }
    assert!(collided);
}

/// Vehicles that cannot meet do not see each other: alone or beside another, the path is the same.
#[test]
fn a_distant_vehicle_does_not_change_a_run() {
    let pid = r#"<controller class="twist_pid"/>"#.to_string();
    let cart = Cart { inside: pid.clone(), ..Cart::default() };
    let other = Cart { inside: pid, pose: "0 500 0", ..Cart::default() };
    let mut alone = world(&cart.named("a"));
    let mut two_carts = world(&(cart.named("a") + &other.named("b")));
    for world in [&mut alone, &mut two_carts] {
        twist(world, 0, 1.0, 0.3);
        run(world, 5.0);
    }
    assert_eq!(first(&alone), first(&two_carts));
}

/// A fleet that is large enough for several threads, of vehicles with different drives: in any number of threads the same bits, and each
/// vehicle as in a world of few.
#[test]
fn a_large_fleet_gives_the_bits_of_a_small_one_on_any_number_of_threads() {
    let drives = [
        ("differential_4_wheels", "twist_pid"),
        ("ackermann_drivetrain", "twist_front_steer_pid"),
        ("differential", "twist_ideal"),
        ("kinematic_bicycle", "twist_ideal"),
    ];
    let drive = |count: usize| {
        let carts = (0..count).map(|k| {
            let (drive, controller) = drives[k % drives.len()];
            let inside = format!(r#"<controller class="{controller}"/>"#);
            let pose = format!("{} {} {}", 30 * (k % 29), 30 * (k / 29), 17 * k);
            Cart { drive, inside, pose: pose.leak(), ..Cart::default() }.named(&format!("v{k}"))
        });
        let mut world = world(&carts.collect::<String>());
        for vehicle in 0..count {
            twist(&mut world, vehicle, 1.0, 0.01 * (vehicle % 50) as f64);
        }
        run(&mut world, 0.3);
        world.frame().clone()
    };
    let large = drive(800);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| drive(800)) == large, "{threads} threads");
    }
    let small = drive(40);
    assert!(small.vehicles[..] == large.vehicles[..40]);
    assert!(large.vehicles.iter().all(|vehicle| vehicle.velocity_in_body.vx > 0.1 && !vehicle.colliding));
}
