//! A vehicle: wheels, drive, controller and friction law put together, and what they do in one step.
//!
//! On a slope gravity pulls with m·g·(d_x, d_y) at the centre of mass, d the unit vector downwards in the body frame.
//! Sideways the tyres hold it by static friction, each its share of the weight at rest; along the way they roll, so that
//! only torques and brakes hold it ([`SlopeRule::Pulls`]). Speeds and slopes are those in the ground's plane: a vehicle
//! that climbs covers its speed on the map.

use super::brake::{self, Brakes};
use super::chassis::Chassis;
use super::controller::{ControlInput, Controller, Order};
use super::drive::Drive;
use super::loads::LoadModel;
use super::odometry::Odometry;
use super::wheel::Wheel;
use crate::friction::{FrictionLaw, WheelContact, slip_angle, slip_ratio};
use crate::math::{Twist2, Vec2, Vec3};
use crate::time::SimTime;
use crate::world::{Inertia, Piece, VehicleFrame, WheelFrame, Wrench};

/// Down, in the frame of a body on level ground.
const LEVEL: Vec3 = Vec3::new(0.0, 0.0, -1.0);

/// Where the weight on the wheels comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightRule {
    /// From the centre of mass, with load transfer when its height is known.
    #[default]
    Static,
    /// Chassis weight over number of wheels, as MVSim.
    Uniform,
}

/// What gravity does to a vehicle along sloping ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlopeRule {
    /// It pulls at the centre of mass; what nothing holds rolls downhill. Loads are those upright to the ground, and brakes
    /// hold what shall stand.
    #[default]
    Pulls,
    /// MVSim's: it pulls at each wheel, and the contact holds it along the way as well while there is grip, so that nothing
    /// rolls downhill and no climb costs torque. Loads are those of level ground.
    Held,
}

/// What a wheel stands on, where it differs from the tyre's own idea of the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelGround {
    /// Friction coefficient [-].
    pub mu: Option<f64>,
    /// Rolling resistance coefficient [-].
    pub rolling_resistance: Option<f64>,
}

/// What a vehicle is told before a step.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Acceleration of the reference point over the last step, in the body frame [m/s²].
    pub acceleration_in_body: Vec2,
    /// Unit vector [-] along gravity, in the body frame; (0, 0, -1) on level ground.
    pub down_in_body: Vec3,
    /// The ground under each wheel.
    pub ground: &'a [WheelGround],
    /// Step [s], > 0.
    pub dt: f64,
}

/// What a vehicle does to its body in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// Forces at the wheels.
    Forces(Wrench),
    /// A velocity of the reference point, in the body frame, imposed by an ideal controller.
    Velocity(Twist2),
}

/// What a vehicle is made of.
pub struct VehicleParts {
    /// From motors and steering to wheels.
    pub drive: Box<dyn Drive>,
    /// From orders to motors and steering.
    pub controller: Box<dyn Controller>,
    /// The tyres on the ground.
    pub law: Box<dyn FrictionLaw>,
    /// Wheels in index order.
    pub wheels: Vec<Wheel>,
    /// The body they carry.
    pub chassis: Chassis,
    /// How the weight is shared.
    pub weight: WeightRule,
    /// What a slope does.
    pub slope: SlopeRule,
    /// What it believes to know of its motion.
    pub odometry: Odometry,
}

/// The parts of a vehicle that act; names and shapes are in its [`VehicleInfo`](crate::world::VehicleInfo).
pub struct Vehicle {
    drive: Box<dyn Drive>,
    controller: Box<dyn Controller>,
    law: Box<dyn FrictionLaw>,
    wheels: Vec<Wheel>,
    loads: LoadModel,
    /// Mass that each wheel holds against side slip [kg].
    held_mass: Vec<f64>,
    inertia: Inertia,
    /// [m/s²].
    gravity: f64,
    slope: SlopeRule,
    brakes: Brakes,
    odometry: Odometry,
    /// When the last command was taken, if it is still in force.
    last_command: Option<SimTime>,
    torque: Vec<f64>,
    load: Vec<f64>,
}

/// Mass properties of chassis and wheels together (each wheel a uniform rectangle seen from above, as MVSim).
pub fn total_inertia(chassis: &Chassis, wheels: &[Wheel]) -> Inertia {
    let (mut mass, mut moment) = (chassis.mass, chassis.mass * chassis.center_of_mass);
    for wheel in wheels {
        mass += wheel.parameters.mass;
        moment = moment + wheel.parameters.mass * wheel.parameters.position;
    }
    let center_of_mass = (1.0 / mass) * moment;
    let arm = |p: Vec2| (p - center_of_mass).dot(p - center_of_mass);
    let mut yaw = chassis.inertia + chassis.mass * arm(chassis.center_of_mass);
    for wheel in wheels {
        let p = &wheel.parameters;
        let length = 2.0 * p.radius;
        yaw += p.mass * ((length * length + p.width * p.width) / 12.0 + arm(p.position));
    }
    Inertia { mass, center_of_mass, yaw }
}

/// What collides: the chassis and each wheel as a rectangle, straight ahead. Friction and restitution as MVSim.
pub fn collision_pieces(chassis: &Chassis, wheels: &[Wheel]) -> Vec<Piece> {
    let mut pieces = vec![Piece { outline: chassis.outline.clone(), friction: 0.0, restitution: 0.01 }];
    pieces.extend(wheels.iter().map(|w| Piece { outline: wheel_outline(w), friction: 0.5, restitution: 0.05 }));
    pieces
}

/// The rectangle of a wheel straight ahead, seen from above [m], in the body frame.
pub fn wheel_outline(wheel: &Wheel) -> Vec<Vec2> {
    let p = &wheel.parameters;
    let (a, b) = (p.radius, 0.5 * p.width);
    let turn = crate::math::Rot2::new(p.mount_yaw);
    [(-a, -b), (a, -b), (a, b), (-a, b)].map(|(x, y)| p.position + turn * Vec2::new(x, y)).to_vec()
}

impl Vehicle {
    /// Puts the parts together, under `gravity` [m/s²].
    pub fn new(parts: VehicleParts, gravity: f64) -> Vehicle {
        let VehicleParts { drive, controller, law, wheels, chassis, weight, slope, odometry } = parts;
        let masses: Vec<f64> = wheels.iter().map(|w| w.parameters.mass).collect();
        let positions: Vec<Vec2> = wheels.iter().map(|w| w.parameters.position).collect();
        // With unit gravity a load is the mass that rests on the wheel, even where there is no weight.
        let model = |g: f64| match weight {
            WeightRule::Uniform => LoadModel::uniform(chassis.mass, g, &masses),
            WeightRule::Static => LoadModel::from_center_of_mass(
                chassis.mass,
                g,
                chassis.center_of_mass,
                chassis.center_of_mass_height,
                &positions,
                &masses,
            ),
        };
        let (loads, mut held_mass) = (model(gravity), model(1.0).at_rest);
        let inertia = total_inertia(&chassis, &wheels);
        if weight == WeightRule::Static {
            damp_yaw(&mut held_mass, &positions, inertia);
        }
        let n = wheels.len();
        let brakes = Brakes::new(&wheels, inertia);
        Vehicle {
            drive,
            controller,
            law,
            wheels,
            loads,
            held_mass,
            inertia,
            gravity,
            slope,
            brakes,
            odometry,
            last_command: None,
            torque: vec![0.0; n],
            load: vec![0.0; n],
        }
    }

    /// The wheels in index order.
    pub fn wheels(&self) -> &[Wheel] {
        &self.wheels
    }

    /// The controller.
    pub fn controller(&self) -> &dyn Controller {
        &*self.controller
    }

    /// Takes an order at simulated time `now` [ns].
    pub fn order(&mut self, order: Order, now: SimTime) {
        self.controller.order(order);
        self.last_command = Some(now);
    }

    /// Stops the vehicle when, at simulated time `now` [ns], its last order is older than `timeout` [ns].
    #[inline]
    pub fn watch(&mut self, now: SimTime, timeout: SimTime) {
        if let Some(last) = self.last_command
            && now - last > timeout
        {
            self.controller.stop();
            self.last_command = None;
        }
    }

    /// What the odometry believes.
    pub fn odometry(&self) -> &Odometry {
        &self.odometry
    }

    /// Adds a step of `dt` [s] to the odometry; `velocity_in_body` is the true one after the step.
    #[inline]
    pub fn update_odometry(&mut self, velocity_in_body: Twist2, dt: f64) {
        self.odometry.update(&self.wheels, velocity_in_body, dt);
    }

    /// Stops the wheels where they are: the body was set down elsewhere.
    pub fn halt(&mut self) {
        self.wheels.iter_mut().for_each(|wheel| wheel.spin = 0.0);
        self.brakes.release();
    }

    /// Back to the start: orders of the world file, wheels at rest, odometry at its origin.
    pub fn reset(&mut self) {
        self.controller.reset();
        self.wheels.iter_mut().for_each(Wheel::reset);
        self.brakes.release();
        self.odometry.reset();
        self.last_command = None;
    }

    /// One step of the wheels: controller, drive, contacts and spin. Writes wheel states and set-point into `frame` and
    /// returns what the body feels.
    pub fn act(&mut self, situation: &Situation<'_>, frame: &mut VehicleFrame) -> Effect {
        let &Situation { velocity_in_body, acceleration_in_body, down_in_body: down, ground, dt } = situation;
        let is_level = down == LEVEL;
        let along_ground = if is_level { Vec2::ZERO } else { self.gravity * Vec2::new(down.x, down.y) };
        let gravity_in_body = self.inertia.mass * along_ground;
        self.drive.steer(self.controller.steering_angle(), &mut self.wheels);
        let actuation = self.controller.update(&ControlInput { wheels: &self.wheels, gravity_in_body, dt });
        frame.setpoint = self.controller.setpoint();
        if is_level || self.slope == SlopeRule::Held {
            self.loads.loads(acceleration_in_body, 1.0, &mut self.load);
        } else {
            self.loads.loads(acceleration_in_body - along_ground, (-down.z).max(0.0), &mut self.load);
        }
        if let Some(velocity) = actuation.imposed_velocity {
            self.roll_along(velocity, dt, frame);
            return Effect::Velocity(velocity);
        }
        self.drive.distribute(&actuation, &self.wheels, &mut self.torque);
        let mut wrench = Wrench::default();
        if self.slope == SlopeRule::Pulls {
            if self.brakes.lock(actuation.stand_below, &self.wheels, velocity_in_body) {
                return Effect::Forces(self.stand(situation, gravity_in_body, frame));
            }
            if !is_level {
                wrench.add(gravity_in_body, self.inertia.center_of_mass);
            }
        }
        let total_load: f64 = if is_level { 0.0 } else { self.load.iter().sum() };
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
            let spin = wheel.spin;
            let mut contact = WheelContact {
                velocity_in_wheel,
                gravity_in_wheel: Vec2::ZERO,
                load: self.load[i],
                mass: self.held_mass[i],
                spin,
                torque: self.torque[i],
                radius: wheel.parameters.radius,
                inertia: wheel.parameters.inertia,
                locked: false,
                ground_mu: ground[i].mu,
                ground_rolling_resistance: ground[i].rolling_resistance,
                dt,
            };
            let mut is_braked = false;
            if !is_level {
                let pull_in_body = self.loads.at_rest[i] * Vec2::new(down.x, down.y);
                let pull = wheel.body_from_wheel().inverse() * pull_in_body;
                match self.slope {
                    SlopeRule::Held => {
                        contact.gravity_in_wheel = pull;
                        wrench.add(pull_in_body, wheel.parameters.position);
                    }
                    SlopeRule::Pulls => {
                        contact.gravity_in_wheel = Vec2::new(0.0, pull.y);
                        if actuation.stand_below.is_some() && total_load > 0.0 {
                            let share = contact.load / total_load;
                            let torque = brake::torque_against_slope(wheel, gravity_in_body, share);
                            is_braked = torque != 0.0;
                            contact.torque += torque;
                        }
                    }
                }
            }
            let reaction = self.law.react(&contact);
            let state = &mut frame.wheels[i];
            state.slip_ratio = slip_ratio(velocity_in_wheel, spin, wheel.parameters.radius);
            state.slip_angle = slip_angle(velocity_in_wheel);
            let mut spin_acceleration = reaction.spin_acceleration;
            // A brake stops a wheel, and cannot turn it back.
            if is_braked && (spin + spin_acceleration * dt) * spin < 0.0 {
                spin_acceleration = -spin / dt;
            }
            wheel.integrate(spin_acceleration, dt);
            wrench.add(wheel.body_from_wheel() * reaction.force_in_wheel, wheel.parameters.position);
            state.steer = wheel.heading();
            state.spin = wheel.spin;
            state.spin_angle = wheel.spin_angle;
            state.torque = contact.torque;
            state.load = contact.load;
            state.velocity_in_wheel = velocity_in_wheel;
            state.force_in_wheel = reaction.force_in_wheel;
        }
        Effect::Forces(wrench)
    }

    /// One step on locked wheels.
    fn stand(&mut self, situation: &Situation<'_>, gravity_in_body: Vec2, frame: &mut VehicleFrame) -> Wrench {
        let &Situation { velocity_in_body, ground, dt, .. } = situation;
        let forces = self.brakes.hold(&brake::Load {
            law: &*self.law,
            wheels: &self.wheels,
            load: &self.load,
            ground,
            inertia: self.inertia,
            velocity_in_body,
            gravity_in_body,
            dt,
        });
        let mut wrench = Wrench::default();
        wrench.add(gravity_in_body, self.inertia.center_of_mass);
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            wrench.add(forces[i], wheel.parameters.position);
            wheel.spin = 0.0;
            let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
            frame.wheels[i] = WheelFrame {
                steer: wheel.heading(),
                spin: 0.0,
                spin_angle: wheel.spin_angle,
                torque: self.torque[i],
                load: self.load[i],
                velocity_in_wheel,
                force_in_wheel: wheel.body_from_wheel().inverse() * forces[i],
                slip_ratio: slip_ratio(velocity_in_wheel, 0.0, wheel.parameters.radius),
                slip_angle: slip_angle(velocity_in_wheel),
            };
        }
        wrench
    }

    /// One step of the wheels of a vehicle that moves as told by its animation: they roll, whatever the controller wants.
    pub fn roll_with(&mut self, situation: &Situation<'_>, frame: &mut VehicleFrame) {
        self.drive.steer(self.controller.steering_angle(), &mut self.wheels);
        frame.setpoint = self.controller.setpoint();
        self.loads.loads(situation.acceleration_in_body, 1.0, &mut self.load);
        self.roll_along(situation.velocity_in_body, situation.dt, frame);
    }

    /// Wheels of a body whose velocity is imposed: they roll, and nothing pushes.
    fn roll_along(&mut self, velocity_in_body: Twist2, dt: f64, frame: &mut VehicleFrame) {
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
            wheel.roll(velocity_in_wheel.x, dt);
            let state = &mut frame.wheels[i];
            *state = WheelFrame {
                steer: wheel.heading(),
                spin: wheel.spin,
                spin_angle: wheel.spin_angle,
                load: self.load[i],
                velocity_in_wheel,
                slip_angle: slip_angle(velocity_in_wheel),
                ..Default::default()
            };
        }
    }
}

/// Each wheel wants to stop the side slip of its mass within one step. Taken together they must not reverse the yaw rate:
/// where Σ m_i·(x_i − x_G)² exceeds the yaw inertia (short heavy axles under a compact body), their masses are scaled down so
/// that yaw stops in one step and sideways motion in a few.
fn damp_yaw(held_mass: &mut [f64], positions: &[Vec2], inertia: Inertia) {
    let moment: f64 = held_mass
        .iter()
        .zip(positions)
        .map(|(m, p)| m * (p.x - inertia.center_of_mass.x) * (p.x - inertia.center_of_mass.x))
        .sum();
    if moment > inertia.yaw {
        held_mass.iter_mut().for_each(|m| *m *= inertia.yaw / moment);
    }
}
