//! Same world, same commands: same bits, whatever the number of threads.

use super::common::*;
use skidpad::math::Twist2;
use skidpad::sensor::{Reading, Scan};
use skidpad::vehicle::{Action, Command};
use skidpad::world::{Frame, World};

/// All numbers of a frame as bits. Destructured, so that a new field cannot be forgotten.
pub fn bits(frame: &Frame) -> Vec<u64> {
    let Frame { time, step, commands, vehicles, blocks, planes, actors, readings } = frame;
    let mut bits = vec![time.0 as u64, *step];
    let mut numbers = Vec::new();
    for Command { vehicle, action } in commands {
        bits.push(*vehicle as u64);
        match action {
            Action::Twist(t) => numbers.extend([t.vx, t.vy, t.wz]),
            Action::Ackermann { speed, steering_angle } => numbers.extend([*speed, *steering_angle]),
            Action::LimitedAckermann { speed, steering_angle, limits } => {
                numbers.extend([*speed, *steering_angle, limits.acceleration, limits.steering_rate]);
            }
            Action::SteeringRate { speed, steering_rate } => numbers.extend([*speed, *steering_rate]),
            Action::SideSpins(spins) => numbers.extend(spins),
            Action::Setpoints { speed, steering_angle } => numbers.extend(speed.iter().chain(steering_angle)),
            Action::Pedals { pedals, steering_angle } => {
                numbers.extend([pedals.throttle, pedals.brake, *steering_angle]);
            }
            Action::Wheels(targets) => numbers.extend(targets.spin.iter().chain(&targets.hinge).flatten()),
            Action::Teleport(p) => numbers.extend([p.x, p.y, p.yaw]),
        }
    }
    for vehicle in vehicles {
        let skidpad::world::VehicleFrame {
            world_from_body: p,
            velocity_in_body: v,
            acceleration_in_body: a,
            odom_from_body: o,
            odom_velocity_in_body: ov,
            odom_uncertainty: _,
            setpoint,
            colliding,
            since_set_down,
            has_driver,
            tracking,
            powertrain,
            hinge_torque,
            wheels,
            commands,
        } = vehicle;
        bits.extend([commands.taken, commands.saturated, commands.infeasible, commands.timeouts]);
        bits.push(since_set_down.0 as u64);
        bits.extend([commands.worst_saturation, commands.worst_infeasibility].map(f64::to_bits));
        numbers.extend([p.x, p.y, p.z, p.yaw, p.pitch, p.roll, v.vx, v.vy, v.wz, a.x, a.y]);
        numbers.extend([o.x, o.y, o.yaw, ov.vx, ov.vy, ov.wz, setpoint.steering_angle]);
        for covariance in [vehicle.odom_pose_covariance(), vehicle.odom_velocity_covariance()] {
            let skidpad::math::PlanarCovariance { xx, xy, x_yaw, yy, y_yaw, yaw } = covariance;
            numbers.extend([xx, xy, x_yaw, yy, y_yaw, yaw]);
        }
        let s = setpoint.velocity_in_body;
        numbers.extend([s.vx, s.vy, s.wz, f64::from(u8::from(*colliding)), f64::from(u8::from(*has_driver))]);
        let skidpad::world::PowertrainFrame { engine_speed, engine_torque, gear, throttle, brake } = powertrain;
        numbers.extend([*engine_speed, *engine_torque, f64::from(*gear), *throttle, *brake, *hinge_torque]);
        if let Some(skidpad::tracking::TrackingFrame {
            time,
            reference,
            point,
            point_reference,
            point_velocity,
            steer,
            active,
            in_odometry,
        }) = tracking
        {
            let vectors = [reference.position, reference.velocity, reference.acceleration];
            let vectors = vectors.iter().chain([point, point_reference, point_velocity]);
            numbers.extend(vectors.flat_map(|v| [v.x, v.y]));
            numbers.extend([steer.speed, steer.steering_angle, steer.turn_rate]);
            bits.extend([steer.speed_is_cut, steer.steering_is_cut, *active, *in_odometry].map(u64::from));
            bits.push(time.0 as u64);
        }
        for wheel in wheels {
            let skidpad::world::WheelFrame {
                steer,
                spin_angle,
                spin,
                torque,
                load,
                lifted,
                velocity_in_wheel,
                force_in_wheel,
                slip: _,
            } = wheel;
            numbers.extend([*steer, *spin_angle, *spin, *torque, *load, wheel.slip_ratio(), wheel.slip_angle()]);
            numbers.extend([velocity_in_wheel.x, velocity_in_wheel.y, force_in_wheel.x, force_in_wheel.y]);
            numbers.push(f64::from(u8::from(*lifted)));
        }
    }
    let poses = blocks.iter().chain(planes).chain(actors.iter().map(|a| &a.world_from_actor));
    numbers.extend(poses.flat_map(|p| [p.x, p.y, p.z, p.yaw, p.pitch, p.roll]));
    bits.extend(numbers.iter().map(|n| n.to_bits()));
    for Reading { vehicle, sensor, time, data, .. } in readings {
        let Scan { ranges } = data.scan().unwrap();
        bits.extend([*vehicle as u64, *sensor as u64, time.0 as u64]);
        bits.extend(ranges.iter().map(|range| u64::from(range.to_bits())));
    }
    bits
}

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
    let one = Cart { inside: pid.clone(), ..Cart::default() };
    let other = Cart { inside: pid, pose: "0 500 0", ..Cart::default() };
    let mut alone = world(&one.named("a"));
    let mut both = world(&(one.named("a") + &other.named("b")));
    for world in [&mut alone, &mut both] {
        twist(world, 0, 1.0, 0.3);
        run(world, 5.0);
    }
    assert_eq!(first(&alone), first(&both));
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
