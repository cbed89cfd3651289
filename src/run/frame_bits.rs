//! All numbers of frames and readings as bits, to compare runs. Everything is destructured, so that a new field cannot be forgotten.

use skidpad_math::{PlanarCovariance, Pose3};
use skidpad_sim::sensor::Reading;
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::actor::ActorFrame;
use skidpad_sim::world::{Frame, PowertrainFrame, VehicleFrame, WheelFrame};

/// The numbers of a frame, with its readings.
pub fn bits(frame: &Frame) -> Vec<u64> {
    let mut bits = without_readings(frame);
    bits.extend(frame.readings.iter().flat_map(reading));
    bits
}

/// The numbers of a frame without its readings.
pub fn without_readings(frame: &Frame) -> Vec<u64> {
    // Velocities of blocks and actors follow from their poses.
    let Frame { time, step, commands, vehicles, blocks, block_velocities: _, planes, actors, readings: _ } = frame;
    let mut bits = vec![time.0 as u64, *step];
    let mut numbers = Vec::new();
    for command in commands {
        self::command(command, &mut bits, &mut numbers);
    }
    for vehicle in vehicles {
        self::vehicle(vehicle, &mut bits, &mut numbers);
    }
    numbers.extend(blocks.iter().chain(planes).flat_map(pose));
    for ActorFrame { world_from_actor, speed, velocity_in_world: _, yaw_rate: _, gait, clip_time, distance } in actors {
        numbers.extend(pose(world_from_actor).into_iter().chain([*speed, *clip_time, *distance]));
        bits.push(*gait as u64);
    }
    bits.extend(numbers.iter().map(|n| n.to_bits()));
    bits
}

fn command(Command { vehicle, action }: &Command, bits: &mut Vec<u64>, numbers: &mut Vec<f64>) {
    bits.push(*vehicle as u64);
    match action {
        Action::Twist(t) => numbers.extend([t.vx, t.vy, t.wz]),
        Action::Ackermann { speed, steering_angle } => numbers.extend([*speed, *steering_angle]),
        Action::LimitedAckermann { speed, steering_angle, limits } => {
            numbers.extend([*speed, *steering_angle, limits.acceleration, limits.steering_rate]);
        }
        Action::SteeringRate { speed, steering_rate } => numbers.extend([*speed, *steering_rate]),
        Action::Setpoints { speed, steering_angle } => numbers.extend(speed.iter().chain(steering_angle)),
        Action::SideSpins(spins) => numbers.extend(spins),
        Action::Pedals { pedals, steering_angle } => {
            numbers.extend([pedals.throttle, pedals.brake, *steering_angle]);
        }
        Action::Wheels(targets) => numbers.extend(targets.spin.iter().chain(&targets.hinge).flatten()),
        Action::Teleport(p) => numbers.extend([p.x, p.y, p.yaw]),
    }
}

fn vehicle(vehicle: &VehicleFrame, bits: &mut Vec<u64>, numbers: &mut Vec<f64>) {
    let VehicleFrame {
        world_from_body,
        // The pose has it.
        lean,
        velocity_in_body: v,
        acceleration_in_body: a,
        odom_from_body: o,
        odom_velocity_in_body: ov,
        odom_uncertainty: _,
        setpoint,
        colliding,
        is_overturned,
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
    bits.extend([*colliding, *has_driver].map(u64::from));
    bits.extend(lean.iter().map(|_| u64::from(*is_overturned)));
    numbers.extend([commands.worst_saturation, commands.worst_infeasibility]);
    numbers.extend(pose(world_from_body));
    numbers.extend([v.vx, v.vy, v.wz, a.x, a.y]);
    numbers.extend([o.x, o.y, o.yaw, ov.vx, ov.vy, ov.wz, setpoint.steering_angle]);
    for covariance in [vehicle.odom_pose_covariance(), vehicle.odom_velocity_covariance()] {
        let PlanarCovariance { xx, xy, x_yaw, yy, y_yaw, yaw } = covariance;
        numbers.extend([xx, xy, x_yaw, yy, y_yaw, yaw]);
    }
    let s = setpoint.velocity_in_body;
    numbers.extend([s.vx, s.vy, s.wz]);
    let PowertrainFrame { engine_speed, engine_torque, gear, throttle, brake } = powertrain;
    numbers.extend([*engine_speed, *engine_torque, f64::from(*gear), *throttle, *brake, *hinge_torque]);
    if let Some(tracking) = tracking {
        // That a motion is over follows from its time, and who leads from the driver.
        let TrackingFrame {
            time,
            reference,
            point,
            point_reference,
            point_velocity,
            steer,
            active,
            in_odometry,
            is_over: _,
            is_guide: _,
        } = tracking;
        let vectors = [reference.position, reference.velocity, reference.acceleration];
        let vectors = vectors.iter().chain([point, point_reference, point_velocity]);
        numbers.extend(vectors.flat_map(|v| [v.x, v.y]));
        numbers.extend([steer.speed, steer.steering_angle, steer.turn_rate]);
        bits.extend([steer.speed_is_cut, steer.steering_is_cut, *active, *in_odometry].map(u64::from));
        bits.push(time.0 as u64);
    }
    for wheel in wheels {
        let WheelFrame {
            steer,
            spin_angle,
            spin,
            torque,
            load,
            lifted,
            travel,
            velocity_in_wheel,
            force_in_wheel,
            slip: _,
        } = wheel;
        numbers.extend([*steer, *spin_angle, *spin, *torque, *load, wheel.slip_ratio(), wheel.slip_angle()]);
        numbers.extend([velocity_in_wheel.x, velocity_in_wheel.y, force_in_wheel.x, force_in_wheel.y]);
        numbers.extend(lean.iter().map(|_| *travel));
        bits.push(u64::from(*lifted));
    }
}

/// The numbers of a reading.
pub fn reading(reading: &Reading) -> Vec<u64> {
    let Reading { vehicle, sensor, time, arrived, passed: _, world_from_body, data, earlier } = reading;
    let mut bits = vec![*vehicle as u64, *sensor as u64, time.0 as u64, arrived.0 as u64];
    bits.extend(pose(world_from_body).map(f64::to_bits));
    for sample in earlier.as_slice() {
        bits.push(sample.time.0 as u64);
        sample.data.append_bits(&mut bits);
    }
    data.append_bits(&mut bits);
    bits
}

fn pose(Pose3 { x, y, z, yaw, pitch, roll }: &Pose3) -> [f64; 6] {
    [*x, *y, *z, *yaw, *pitch, *roll]
}
