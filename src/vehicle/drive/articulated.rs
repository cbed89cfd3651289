//! Two frames with a driven hinge between them, `<dynamics class="articulated">`: wheel loaders, load-haul-dump
//! machines, articulated robots.
//!
//! Each frame is a rigid body with an axle of two wheels. A servo turns the hinge to the steering angle γ, the yaw of
//! the front frame less that of the rear frame, and the wheels roll along. With the distances l_r and l_f of the hinge
//! from the rear and the front axle, and the speed v of the rear axle, the rear frame turns with ω = (v·sin γ −
//! l_f·γ̇)/(l_f + l_r·cos γ) as long as nothing slips, and the front frame with ω + γ̇ (P. I. Corke and P. Ridley,
//! "Steering kinematics for a center-articulated mobile robot", IEEE Transactions on Robotics and Automation 17, 2001,
//! eq. 6, which is for the front axle). How both frames move is in [`articulation`](crate::articulation).
//!
//! The vehicle's frame is the rear frame: its wheels give the odometry, and sensors are mounted on it. All positions are those of the
//! straight vehicle, also of what is on the front frame.
//!
//! ```xml
//! <dynamics class="articulated">
//!   <rl_wheel pos="0 0.6" …/> <rr_wheel pos="0 -0.6" …/>     wheels of the rear frame
//!   <fl_wheel pos="1.5 0.6" …/> <fr_wheel pos="1.5 -0.6" …/> wheels of the front frame
//!   <chassis mass="400" zmin="0.3" zmax="1.3" color="#e0a000" …/>       rear frame
//!   <front_chassis mass="300" zmin="0.3" zmax="0.9" color="#e0a000" …>  front frame, with the attributes and tags of a chassis
//!     <visual>…</visual>                                      its meshes
//!   </front_chassis>
//!   <hinge x="0.75"              between the axles [m]
//!          max_torque="5000"     of the servo [N·m], > 0
//!          stiffness="…"         torque per angle that is missing [N·m/rad], > 0; default 400/s² · J
//!          damping="…"/>         torque per rate that is missing [N·m·s/rad], > 0; default 40/s · J, the critical one
//!   <max_steer_ang_deg>40</max_steer_ang_deg>                limit of γ [deg], > 0, < 89.4, where the frames meet
//!   <driven_axles>both</driven_axles>                        or front, rear: the motor's torque is shared by their wheels evenly
//!   <weight>static</weight>                                  or uniform
//!   <steering_actuator rate_deg="…"/>                        also limits the rate of the hinge
//!   <controller class="raw">…</controller>
//! </dynamics>
//! ```
//! J is the yaw inertia of both frames in series, J_r·J_f/(J_r + J_f). Not modelled: a hinge that lets the frames roll against each other,
//! load transfer by acceleration and by the bend, steps in the ground under a bent front frame.

use skidpad_math::{Rot2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::{Actuation, Drive, DriveParts, FrontFrame, HingeArms, REAR_WHEELS, Steering};
use crate::articulation::Hinge;
use crate::chassis::Chassis;
use crate::wheel::{Wheel, WheelParameters};

/// Two frames with a hinge between them.
#[derive(Clone, Debug, PartialEq)]
struct Articulated {
    steering: Steering,
    /// The hinge [m], in the vehicle's frame.
    hinge: Vec2,
    /// The wheels of the front frame, while the vehicle is straight [m].
    straight: [Vec2; 2],
    /// Whether the wheels of the rear and of the front frame are driven.
    driven: [bool; 2],
}

impl Drive for Articulated {
    /// Places the wheels of the front frame as it stands at this angle.
    fn steer(&self, steering_angle: f64, wheels: &mut [Wheel]) {
        let turn = Rot2::new(steering_angle);
        for (wheel, &straight) in wheels[REAR_WHEELS..].iter_mut().zip(&self.straight) {
            wheel.set_steer(steering_angle);
            wheel.parameters.position = self.hinge + turn * (straight - self.hinge);
        }
    }

    fn distribute(&self, actuation: &Actuation, _wheels: &[Wheel], torque: &mut [f64]) {
        let axles = self.driven.iter().filter(|driven| **driven).count() as f64;
        for (index, torque) in torque.iter_mut().enumerate() {
            let is_driven = self.driven[usize::from(index >= REAR_WHEELS)];
            *torque = if is_driven { actuation.motor_torque[0] / (2.0 * axles) } else { 0.0 };
        }
    }

    fn steering(&self) -> Option<Steering> {
        Some(self.steering)
    }
}

pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let max_angle = reader.degrees("max_steer_ang_deg", 40.0_f64.to_radians(), Accept::range(1e-3, 89.4));
    let wheel = |name: &'static str, x: f64, y: f64| {
        let place = Vec2::new(x, y);
        reader
            .read_child(name, |tag| WheelParameters::read(name, tag, place))
            .unwrap_or_else(|| WheelParameters::new(name, place))
    };
    let wheels = vec![
        wheel("rl_wheel", 0.0, 0.6),
        wheel("rr_wheel", 0.0, -0.6),
        wheel("fl_wheel", 1.5, 0.6),
        wheel("fr_wheel", 1.5, -0.6),
    ];
    for pair in wheels.chunks(2) {
        let [left, right] = [&pair[0], &pair[1]];
        let [left_y, right_y] = [left.position.y, right.position.y];
        if left_y <= right_y {
            reader
                .error(format!(
                    "the left wheel {} at y = {left_y} is not left of {} at y = {right_y}",
                    left.name, right.name
                ))
                .accepted(["a greater y for the left wheel"]);
        }
    }
    let middle = |pair: &[WheelParameters]| 0.5 * (pair[0].position + pair[1].position);
    let [rear, front] = [middle(&wheels[..REAR_WHEELS]), middle(&wheels[REAR_WHEELS..])];
    if (front.y - rear.y).abs() > 1e-9 * (wheels[0].position.y - wheels[1].position.y).abs() {
        reader
            .error(format!(
                "the middle of the front axle is at y = {}, that of the rear axle at y = {}",
                front.y, rear.y
            ))
            .accepted([format!("both at y = {}", rear.y)]);
    }
    let hinge = reader
        .read_child("hinge", |tag| Hinge::read(tag, rear, front))
        .unwrap_or_else(|| Hinge::new(0.5 * (rear + front)));
    let rectangle =
        |x: [f64; 2], y: f64| [(x[0], -y), (x[0], y), (x[1], y), (x[1], -y)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let color = [0xe0, 0xa0, 0, 0xff];
    let rear_default = Chassis::uniform(rectangle([-0.6, 0.65], 0.5), 400.0, [0.3, 1.3], color);
    let front_default = Chassis::uniform(rectangle([0.85, 2.1], 0.5), 300.0, [0.3, 0.9], color);
    let chassis = |name: &str, default: Chassis| {
        let read = |tag: &Reader<'_>| {
            // The visuals of the front frame are read with those of the vehicle.
            tag.ignore(&["visual"]);
            let chassis = Chassis::read(tag, default.clone());
            if chassis.center_of_mass_height > 0.0 {
                let message = "com_height has no effect: an articulated vehicle has no load transfer";
                tag.context().warn(tag.place_of("com_height"), message);
            }
            chassis
        };
        reader.read_child(name, read).unwrap_or_else(|| default.clone())
    };
    let mut rear_chassis = chassis("chassis", rear_default);
    rear_chassis.center_of_mass_height = 0.0;
    let front_chassis = chassis("front_chassis", front_default);
    if front_chassis.shape_from_visual
        && let Some(tag) = reader.child("front_chassis")
    {
        tag.error_at("shape_from_visual", "<shape_from_visual> in <front_chassis>").accepted(["a <shape>"]);
    }
    let driven = reader.choice(
        "driven_axles",
        [true; 2],
        &[("both", [true; 2]), ("front", [false, true]), ("rear", [true, false])],
    );
    let arms = HingeArms { rear: hinge.position.x - rear.x, front: front.x - hinge.position.x };
    let steering = Steering {
        wheelbase: front.x - rear.x,
        track: 0.0,
        max_angle,
        parallel: true,
        parallel_in_file: true,
        hinge: Some(arms),
    };
    let straight = [wheels[REAR_WHEELS].position, wheels[REAR_WHEELS + 1].position];
    let drive = Articulated { steering, hinge: hinge.position, straight, driven };
    let front = FrontFrame { chassis: front_chassis, hinge };
    DriveParts { drive: Box::new(drive), wheels, chassis: rear_chassis, front: Some(front), motion: None, kind: None }
}
