//! Compares the solution at once with the one in turn after 1000 rounds.

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_xml::{Context, Element, Options, Reader};

use crate::controller::{DifferentialPid, PidParameters, StopThresholds};
use crate::friction::{Coulomb, FrictionLaw, Limit, WardIagnemma};
use crate::stiffness::Rolling;
use crate::{
    DRIVES, Effect, ForceFrame, Odometry, PowertrainFrame, Setpoint, Situation, SlopeRule, Vehicle, VehicleOutput,
    VehicleParts, WeightRule, Wheel, WheelFrame, WheelGround,
};

/// A vehicle with the defaults of its drive that is commanded to drive at this velocity.
fn vehicle(drive: &str, law: Box<dyn FrictionLaw>, gain: f64, command: Twist2) -> Vehicle {
    let context = Context::new(Options::default());
    let entry = DRIVES.iter().find(|entry| entry.name == drive).unwrap();
    let parts = (entry.read)(&Reader::new(&context, Element::empty()));
    let controller = DifferentialPid::new(PidParameters::new(gain, 50.0), StopThresholds::default(), command);
    let parts = VehicleParts {
        drive: parts.drive,
        controller: Box::new(controller),
        law,
        wheels: parts.wheels.into_iter().map(Wheel::new).collect(),
        chassis: parts.chassis,
        front: None,
        weight: WeightRule::default(),
        load_transfer: Default::default(),
        suspension: None,
        slope: SlopeRule::default(),
        force_frame: ForceFrame::default(),
        odometry: Odometry::default(),
        inputs: None,
        steering_actuator: Default::default(),
        powertrain: None,
        service_brakes: None,
        resistance: Default::default(),
        air: None,
        motion: None,
    };
    Vehicle::new(parts, 9.81)
}

/// Drives for a time [s] in steps of `dt` [s]. The pose at its end.
fn drive(mut vehicle: Vehicle, dt: f64, time: f64, is_reference: bool) -> Pose2 {
    vehicle.prepare(dt);
    vehicle.is_reference = is_reference;
    vehicle.rolling = Rolling::Coupled;
    vehicle.controller.act_implicitly(true);
    let ground = vec![WheelGround::default(); vehicle.wheels.len()];
    let mut states = vec![WheelFrame::default(); vehicle.wheels.len()];
    let (mut setpoint, mut powertrain) = (Setpoint::default(), PowertrainFrame::default());
    let (mut pose, mut velocity_in_body) = (Pose2::IDENTITY, Twist2::ZERO);
    let inertia = vehicle.inertia;
    for _ in 0..(time / dt).round() as usize {
        let situation = Situation {
            velocity_in_body,
            acceleration_in_body: Vec2::ZERO,
            down_in_body: None,
            ground: &ground,
            ground_varies: false,
            front: None,
            dt,
        };
        let mut output = VehicleOutput { setpoint: &mut setpoint, powertrain: &mut powertrain, wheels: &mut states };
        let Effect::Forces(wrench) = vehicle.step(&situation, &mut output) else { panic!("no forces") };
        // As the step itself predicts it: forces act in the frame that turns with the body.
        let center = inertia.center_of_mass;
        let turning = -velocity_in_body.wz * velocity_in_body.at_point(center).perpendicular();
        let acceleration = (1.0 / inertia.mass) * wrench.force_in_body + turning;
        let spin = (wrench.torque - center.cross(wrench.force_in_body)) / inertia.yaw;
        let linear = velocity_in_body.at_point(center) + dt * acceleration;
        let wz = velocity_in_body.wz + dt * spin;
        let linear = linear - wz * center.perpendicular();
        velocity_in_body = Twist2::new(linear.x, linear.y, wz);
        pose = skidpad_math::advance(pose, velocity_in_body, dt);
    }
    pose
}

/// The largest difference of a path of 10 s [m, rad] between the two solutions.
fn difference(drive_name: &str, law: impl Fn() -> Box<dyn FrictionLaw>, gain: f64, command: Twist2, dt: f64) -> f64 {
    let run = |is_reference| drive(vehicle(drive_name, law(), gain, command), dt, 10.0, is_reference);
    let (a, b) = (run(false), run(true));
    assert!(b.x.abs() + b.yaw.abs() > 1.0, "{drive_name}: it drives: {b:?}");
    (a.x - b.x).abs().max((a.y - b.y).abs()).max((a.yaw - b.yaw).abs())
}

#[test]
fn where_all_wheels_grip_both_solutions_are_the_same() {
    let laws: [fn() -> Box<dyn FrictionLaw>; 4] = [
        || Box::new(Coulomb::default()),
        || Box::new(Coulomb { limit: Limit::Axes, ..Coulomb::default() }),
        || Box::new(Coulomb { rolling_resistance: 0.02, ..Coulomb::default() }),
        || Box::new(WardIagnemma::default()),
    ];
    for (name, command) in
        [("differential", Twist2::new(1.0, 0.0, 0.5)), ("differential_4_wheels", Twist2::new(1.0, 0.0, 0.0))]
    {
        for (index, law) in laws.iter().enumerate() {
            for dt in [0.001, 0.005, 0.02] {
                let difference = difference(name, law, 100.0, command, dt);
                assert!(difference < 1e-6, "{name}, law {index}, {dt} s: {difference}");
            }
        }
    }
}

#[test]
fn wheels_that_skid_in_a_turn_do_so_alike() {
    for name in ["differential_3_wheels", "differential_4_wheels"] {
        for dt in [0.001, 0.005] {
            let law = || Box::new(Coulomb::default()) as Box<dyn FrictionLaw>;
            let difference = difference(name, law, 20.0, Twist2::new(1.0, 0.0, 1.5), dt);
            // Of up to two turns on the spot.
            assert!(difference < 1e-3, "{name}, {dt} s: {difference}");
        }
    }
}
