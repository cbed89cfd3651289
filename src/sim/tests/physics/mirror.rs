//! Left and right are alike: mirrored commands give a vehicle the mirrored motion, at any step.

use super::common::*;
use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, CONTROLLERS, Command, DRIVES, Pedals, WheelTargets};
use skidpad_sim::world::{VehicleFrame, World};

/// Steps [s].
const STEPS: [f64; 7] = [0.001, 0.002, 0.004, 0.0075, 0.01, 0.015, 0.02];
/// How long each command lasts [s].
const LASTS: f64 = 0.6;
/// Speeds [m/s], turns [rad/s] or steering angles [rad]: slow and fast, to both sides, back, turning on the spot and to a stop.
const PARTS: [[f64; 2]; 6] = [[1.0, 0.5], [2.5, -0.3], [2.5, 0.4], [-0.8, 0.3], [0.0, -0.7], [0.0, 0.0]];

/// The command number `k` of a part, among those that the vehicle takes, mirrored where `side` is −1.
fn action(world: &World, k: usize, [speed, turn]: [f64; 2], side: f64) -> Option<Action> {
    let info = &world.scene().vehicles[0];
    let (accepts, turn) = (info.accepts, side * turn);
    let mut actions = Vec::new();
    if accepts.twist {
        actions.push(Action::Twist(Twist2::new(speed, 0.3 * turn, turn)));
    }
    if accepts.ackermann {
        actions.push(Action::Ackermann { speed, steering_angle: turn });
    }
    if accepts.pedals {
        let (throttle, brake) = (0.3 * speed.max(0.0), if speed > 0.0 { 0.0 } else { 0.4 });
        let pedals = Pedals { throttle, brake, ..Pedals::default() };
        actions.push(Action::Pedals { pedals, steering_angle: turn });
    }
    if accepts.side_spins {
        actions.push(Action::SideSpins([3.0 * speed - 2.0 * turn, 3.0 * speed + 2.0 * turn]));
    }
    if accepts.wheels && info.wheels.len() == 4 && info.wheels.iter().all(|wheel| wheel.mount_yaw == 0.0) {
        let [left, right] = [3.0 * speed - turn, 3.0 * speed + turn];
        let spin = [left, right, left, right].map(Some);
        let hinge = [turn, turn].map(Some);
        actions.push(Action::Wheels(WheelTargets { spin, hinge, ..WheelTargets::default() }));
    }
    (!actions.is_empty()).then(|| actions[k % actions.len()])
}

/// All numbers of the motion after each command, as those of the mirror image where `side` is −1.
fn motion(text: &str, step: f64, side: f64) -> Vec<f64> {
    let mut world = world(&format!("<simul_timestep>{step}</simul_timestep>{text}"));
    let mut motion = Vec::new();
    for (k, part) in PARTS.into_iter().enumerate() {
        if let Some(action) = action(&world, k, part, side) {
            world.command(Command { vehicle: 0, action }).expect("is taken");
        }
        run(&mut world, LASTS);
        motion.extend(numbers(first(&world), side));
    }
    motion
}

fn numbers(frame: &VehicleFrame, side: f64) -> Vec<f64> {
    let (pose, odom) = (frame.world_from_body, frame.odom_from_body);
    let (v, reported) = (frame.velocity_in_body, frame.odom_velocity_in_body);
    let mut numbers = vec![pose.x, side * pose.y, side * pose.yaw, v.vx, side * v.vy, side * v.wz];
    numbers.extend([odom.x, side * odom.y, side * odom.yaw, reported.vx, side * reported.vy, side * reported.wz]);
    numbers.extend([pose.z, pose.pitch, side * pose.roll]);
    let mut wheels: Vec<_> = frame.wheels.iter().collect();
    if side < 0.0 {
        wheels.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    }
    for wheel in wheels {
        // A wheel that is mounted across the body turns the other way in the mirror.
        let force = wheel.force_in_wheel;
        numbers.extend([wheel.spin.abs(), wheel.torque.abs(), wheel.load, force.x.abs(), force.y.abs()]);
    }
    // 0 is its own mirror image.
    numbers.iter().map(|number| number + 0.0).collect()
}

/// Of one frame to the bit, of two within rounding.
fn assert_mirrored(name: &str, text: &str, is_exact: bool, steps: &[f64]) {
    for &step in steps {
        let [left, right] = [1.0, -1.0].map(|side| motion(text, step, side));
        assert_eq!(left.len(), right.len());
        let scale = |number: f64| 1.0 + number.abs();
        let place = left
            .iter()
            .zip(&right)
            .position(|(a, b)| if is_exact { a.to_bits() != b.to_bits() } else { (a - b).abs() > 1e-9 * scale(*a) });
        if let Some(place) = place {
            panic!("{name} at {step} s: number {place} is {} and {} in the mirror", left[place], right[place]);
        }
    }
}

#[test]
fn every_drive_and_controller_moves_as_its_mirror_image() {
    let mut count = 0;
    for drive in DRIVES {
        for controller in CONTROLLERS.iter().filter(|entry| entry.read_for(drive.kind).is_some()) {
            let text = format!(
                r#"<vehicle name="r"><init_pose>0 0 0</init_pose><init_vel>0.5 0 0</init_vel>
                <dynamics class="{}"><controller class="{}"/></dynamics></vehicle>"#,
                drive.name, controller.name
            );
            let is_exact = drive.name != "articulated";
            assert_mirrored(&format!("{} with {}", drive.name, controller.name), &text, is_exact, &STEPS);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn bodies_on_springs_lean_as_their_mirror_images() {
    let axles = [
        "<axle><ride_frequency>2</ride_frequency></axle>",
        "<axle><ride_frequency>1.5</ride_frequency><damper>10 30</damper><anti_roll_bar>300</anti_roll_bar><roll_center>0.05</roll_center></axle>
         <axle><rate>900</rate><tyre_rate>9000</tyre_rate></axle><anti_dive>0.3</anti_dive><anti_squat>0.2</anti_squat>",
    ];
    for (drive, axles) in
        [("ackermann", axles[0]), ("ackermann_drivetrain", axles[1]), ("differential_4_wheels", axles[1])]
    {
        let text = format!(
            r#"<vehicle name="r"><init_pose>0 0 0</init_pose><init_vel>0.5 0 0</init_vel>
            <dynamics class="{drive}"><chassis com_height="0.3"/><suspension>{axles}</suspension></dynamics></vehicle>"#
        );
        assert_mirrored(drive, &text, true, &STEPS);
    }
}
