//! A vehicle: wheels, drive, controller and friction law combined, and their interaction within one step.
//!
//! On a slope, gravity acts at the centre of mass with m·g·(d_x, d_y), d being the downward unit vector in the body frame.
//! Laterally the tyres hold the vehicle by static friction, each in proportion to its share of the static weight;
//! longitudinally they roll, so that only torques and brakes hold the vehicle ([`SlopeRule::Pulls`]). Speeds and slopes
//! are measured in the plane of the ground: a climbing vehicle covers distance on the map at that speed.

use skidpad_math::time::SimTime;
use skidpad_math::{Twist2, Vec2, Vec3};

use super::air::Air;
use super::articulation::{Articulation, FrontMotion};
use super::brake::{Along, Brakes};
use super::chassis::Chassis;
use super::controller::Controller;
use super::coupled_wheels::{CoupledWheel, OtherForces};
use super::demand::CommandCounts;
use super::drive::REAR_WHEELS;
use super::drive::drivetrain::{Drivetrain, ShaftTorques};
use super::drive::{Drive, FrontFrame};
use super::held_mass::{damp_frame, damp_yaw};
use super::inputs::Inputs;
use super::loads::{FeltAcceleration, LoadModel, LoadTransfer, Weights};
use super::motion_model::{Motion, MotionModel};
use super::odometry::Odometry;
use super::parts::{Braking, Carrying, Mover, RunningGear, Steered};
use super::powertrain::Powertrain;
use super::ramp::Ramp;
use super::resistance::Resistance;
use super::rigid_body::total_inertia;
use super::service_brakes::ServiceBrakes;
use super::steering_actuator::SteeringActuator;
use super::stiffness::{MAX_WHEELS, Rolling};
use super::suspension::fall::Fall;
use super::suspension::{Lean, Stance, Suspension, SuspensionParameters};
use super::wheel::{Wheel, WheelGround};
use super::{Inertia, Wrench};
use crate::friction::{FrictionLaw, WheelContact};

/// Rule for distributing the weight over the wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightRule {
    /// From the centre of mass, with load transfer when its height is known.
    #[default]
    Static,
    /// Chassis weight over number of wheels, as MVSim.
    Uniform,
}

/// Rule for the effect of gravity on a vehicle on sloping ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlopeRule {
    /// Gravity acts at the centre of mass, and a vehicle that nothing holds rolls downhill. Loads are those normal to the
    /// ground, and brakes hold a vehicle that is commanded to stand.
    #[default]
    Pulls,
    /// MVSim's rule: gravity acts at each wheel, and the contact holds it longitudinally as well while there is grip, so that
    /// nothing rolls downhill and climbing takes no torque. Loads are those of level ground.
    Held,
}

/// The frame in which the forces of a step act on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceFrame {
    /// The body's frame as it turns during the step: forces act at the mean heading of the step, and wheels that grip do not slip at
    /// the heading of its end.
    #[default]
    Turning,
    /// The body's frame at the start of the step, MVSim's rule: what turns slips by its turn within a step.
    AtStart,
}

impl ForceFrame {
    /// Acceleration of a body [m/s²] in the frame that turns with it, if no force acts: −ω × v, with the `velocity_in_body` of its
    /// reference point [m/s, rad/s] and its centre of mass [m].
    #[inline]
    pub(super) fn inertial_acceleration(self, velocity_in_body: Twist2, center_of_mass: Vec2) -> Vec2 {
        match self {
            ForceFrame::AtStart => Vec2::ZERO,
            ForceFrame::Turning => -velocity_in_body.wz * velocity_in_body.at_point(center_of_mass).perpendicular(),
        }
    }
}

/// The state of the body and the ground that a step of the vehicle depends on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Mean acceleration of the reference point over the last step, in the frame that turns with the body [m/s²].
    pub acceleration_in_body: Vec2,
    /// Unit vector [-] along gravity, in the body frame; none: (0, 0, -1), on level ground.
    pub down_in_body: Option<Vec3>,
    /// The ground under each wheel.
    pub ground: &'a [WheelGround],
    /// Whether the ground may differ anywhere from the tyres' own parameters.
    pub ground_varies: bool,
    /// Motion of the front frame; none for a vehicle of one frame.
    pub front: Option<FrontMotion>,
    /// Step [s], > 0.
    pub dt: f64,
}

/// The effect of a vehicle's step on its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// Forces at the wheels.
    Forces(Wrench),
    /// A velocity of the reference point, in the body frame, imposed by an ideal controller.
    Velocity(Twist2),
    /// Forces at the wheels of two frames: the wrench on the vehicle's body, and that on its front frame, each in its own frame.
    TwoFrames(Wrench, Wrench),
    /// A motion given by a model of the whole vehicle.
    Motion(Motion),
}

/// Components of a vehicle.
pub struct VehicleParts {
    /// Mechanics from motors and steering to the wheels.
    pub drive: Box<dyn Drive>,
    /// Turns orders into motor and steering set-points.
    pub controller: Box<dyn Controller>,
    /// Friction law of the tyres on the ground.
    pub law: Box<dyn FrictionLaw>,
    /// Wheels in index order.
    pub wheels: Vec<Wheel>,
    /// The body on these wheels; if there are two, the rear one.
    pub chassis: Chassis,
    /// The front frame of an articulated vehicle.
    pub front: Option<FrontFrame>,
    /// Distribution of the weight.
    pub weight: WeightRule,
    /// Load transfer by acceleration.
    pub load_transfer: LoadTransfer,
    /// Springs between body and wheels, in place of that.
    pub suspension: Option<SuspensionParameters>,
    /// Effect of a slope.
    pub slope: SlopeRule,
    /// The frame in which forces act during a step.
    pub force_frame: ForceFrame,
    /// Estimate of the vehicle's own motion.
    pub odometry: Odometry,
    /// What lies between commands and the controller.
    pub inputs: Option<Box<Inputs>>,
    /// Actuator between the commanded steering angle and that of the wheels.
    pub steering_actuator: SteeringActuator,
    /// Engine to differential, if the throttle drives it.
    pub powertrain: Option<Box<Powertrain>>,
    /// Brakes that the pedal acts on.
    pub service_brakes: Option<ServiceBrakes>,
    /// Air drag, and rolling resistance that grows with speed.
    pub resistance: Resistance,
    /// Lift, side force and yaw moment of the air.
    pub air: Option<Box<Air>>,
    /// Model that moves the whole vehicle, in place of forces at its wheels.
    pub motion: Option<Box<dyn MotionModel>>,
}

/// The simulated parts of a vehicle; the world keeps its names and shapes.
pub struct Vehicle {
    pub(super) drive: Box<dyn Drive>,
    pub(super) controller: Box<dyn Controller>,
    /// Boxed, like the powertrain: most vehicles have none, and steps of a fleet are as fast as its vehicles are small.
    pub(super) inputs: Option<Box<Inputs>>,
    pub(super) law: Box<dyn FrictionLaw>,
    pub(super) wheels: Vec<Wheel>,
    pub(super) loads: LoadModel,
    pub(super) carrying: Carrying,
    pub(super) felt: FeltAcceleration,
    /// Cosine of the slope [-] for which `load` was computed, where acceleration does not change it.
    pub(super) loaded_upright: f64,
    /// That of the vehicle's frame; of two frames, that of the rear one.
    pub(super) inertia: Inertia,
    /// Of the whole vehicle [kg].
    pub(super) mass: f64,
    /// [m/s²].
    pub(super) gravity: f64,
    pub(super) slope: SlopeRule,
    pub(super) force_frame: ForceFrame,
    /// Mass that rests on each wheel [kg].
    pub(super) carried_mass: Vec<f64>,
    /// Holding brakes of its frame, or of the rear and the front one.
    pub(super) brakes: [Brakes; 2],
    pub(super) odometry: Odometry,
    pub(super) steering_actuator: SteeringActuator,
    pub(super) resistance: Resistance,
    pub(super) air: Option<Box<Air>>,
    pub(super) mover: Mover,
    pub(super) steered: Steered,
    pub(super) running_gear: RunningGear,
    /// How its wheels are solved.
    pub(super) rolling: Rolling,
    /// The step [s] for which that was decided; 0: not yet.
    pub(super) prepared_for: f64,
    /// What moves its body besides its wheels, where these are solved together with it.
    pub(super) other_forces: OtherForces,
    /// The share [-] of its motor's torque that each wheel has, unless it follows from the spins.
    pub(super) motor_shares: [f64; MAX_WHEELS],
    /// The wheels that are solved together with the body.
    pub(super) coupled: Vec<CoupledWheel>,
    #[cfg(test)]
    pub(super) is_reference: bool,
    /// What brakes its wheels with a limited torque.
    pub(super) braking: Option<Braking>,
    /// The differentials, if the torques behind them depend on the response of the tyres.
    pub(super) differentials: Option<Drivetrain>,
    /// Their torques in the last two steps, the latest first.
    pub(super) shaft_torques: [ShaftTorques; 2],
    pub(super) powertrain: Option<Box<Powertrain>>,
    /// Ramp of speed and steering angle towards the set-points of the last command.
    pub(super) ramp: Option<Ramp>,
    /// Whether it has been set to a state since its last step.
    pub(super) is_set_anew: bool,
    /// Time at which the command in force was taken; none: no command is in force.
    pub(super) last_command: Option<SimTime>,
    pub(super) command_counts: CommandCounts,
    // Scratch of the current step, one entry per wheel.
    pub(super) torque: Vec<f64>,
    pub(super) brake_torque: Vec<f64>,
    /// Whether a holding brake acts on the wheel.
    pub(super) slowed: Vec<bool>,
    pub(super) load: Vec<f64>,
    pub(super) lifted: Vec<bool>,
    /// Range of the longitudinal force of each wheel that its service brake can hold.
    pub(super) along: Vec<Along>,
    pub(super) contacts: Vec<WheelContact>,
}

impl Vehicle {
    /// Puts the parts together, under `gravity` [m/s²].
    pub fn new(parts: VehicleParts, gravity: f64) -> Vehicle {
        let VehicleParts {
            drive,
            controller,
            law,
            wheels,
            chassis,
            front,
            weight,
            load_transfer,
            suspension,
            slope,
            force_frame,
            odometry,
            inputs,
            steering_actuator,
            powertrain,
            service_brakes,
            resistance,
            air,
            motion,
        } = parts;
        let masses: Vec<f64> = wheels.iter().map(|w| w.parameters.mass).collect();
        let positions: Vec<Vec2> = wheels.iter().map(|w| w.parameters.position).collect();
        let (sprung_mass, sprung_center) = match &front {
            None => (chassis.mass, chassis.center_of_mass),
            Some(FrontFrame { chassis: front, .. }) => {
                let mass = chassis.mass + front.mass;
                let moment = chassis.mass * chassis.center_of_mass + front.mass * front.center_of_mass;
                (mass, (1.0 / mass) * moment)
            }
        };
        let weights = Weights {
            mass: sprung_mass,
            center: sprung_center,
            height: chassis.center_of_mass_height,
            positions: &positions,
            wheel_masses: &masses,
        };
        // With unit gravity a load is the mass that rests on the wheel, even in a world without gravity.
        let model = |g: f64| match weight {
            WeightRule::Uniform => LoadModel::uniform(&weights, g),
            WeightRule::Static => LoadModel::from_center_of_mass(&weights, g, load_transfer.roll.as_ref()),
        };
        let (loads, carried_mass) = (model(gravity), model(1.0).at_rest);
        let suspension = suspension.map(|parameters| {
            let wheels: Vec<_> = wheels.iter().map(|wheel| wheel.parameters.clone()).collect();
            Box::new(Suspension::new(&parameters, &chassis, &wheels, (&loads.at_rest, gravity)))
        });
        let mut held_mass = carried_mass.clone();
        let own_wheels = if front.is_some() { &wheels[..REAR_WHEELS] } else { &wheels[..] };
        let inertia = total_inertia(&chassis, own_wheels);
        let articulation = front.map(|front| Box::new(Articulation::new(&front, &wheels, inertia.yaw)));
        let (mut mass, mut brakes) = (inertia.mass, [Brakes::new(own_wheels, inertia), Brakes::default()]);
        if let Some(articulation) = &articulation {
            let front = articulation.inertia;
            mass += front.mass;
            brakes[1] = Brakes::new(&wheels[REAR_WHEELS..], front);
            let (held_by_rear, held_by_front) = held_mass.split_at_mut(REAR_WHEELS);
            damp_frame(held_by_rear, &positions[..REAR_WHEELS], inertia);
            damp_frame(held_by_front, &positions[REAR_WHEELS..], front);
        } else if controller.holds_spins() {
            // Firm motors turn the body back within a step, besides the friction across the wheels.
            damp_frame(&mut held_mass, &positions, inertia);
        } else if weight == WeightRule::Static {
            damp_yaw(&mut held_mass, &positions, inertia);
        }
        let n = wheels.len();
        let load = loads.at_rest.clone();
        let mover = Mover::new(motion, &*controller);
        let steered = Steered::new(&*drive, &*controller, articulation);
        let running_gear = RunningGear::new(&*drive, &wheels);
        let braking = Braking::new(service_brakes, resistance, &mover);
        let differentials = drive.drivetrain().copied();
        let differentials = differentials.filter(|drivetrain| powertrain.is_some() || drivetrain.is_coupled());
        let contacts = wheels.iter().zip(&held_mass).enumerate();
        let contacts: Vec<WheelContact> =
            contacts.map(|(index, (wheel, &mass))| resting_contact(index, wheel, mass)).collect();
        Vehicle {
            drive,
            controller,
            inputs,
            law,
            wheels,
            carrying: Carrying::new(suspension, &loads, air.as_deref()),
            loads,
            felt: FeltAcceleration::new(load_transfer.lag),
            loaded_upright: 1.0,
            inertia,
            mass,
            gravity,
            slope,
            force_frame,
            carried_mass,
            brakes,
            odometry,
            steering_actuator,
            resistance,
            air,
            mover,
            steered,
            running_gear,
            rolling: Rolling::default(),
            other_forces: OtherForces::default(),
            motor_shares: [0.0; MAX_WHEELS],
            coupled: vec![CoupledWheel::default(); n],
            #[cfg(test)]
            is_reference: false,
            prepared_for: 0.0,
            braking,
            differentials,
            shaft_torques: Default::default(),
            powertrain,
            ramp: None,
            is_set_anew: false,
            last_command: None,
            command_counts: CommandCounts::default(),
            torque: vec![0.0; n],
            brake_torque: vec![0.0; n],
            slowed: vec![false; n],
            load,
            lifted: vec![false; n],
            along: Vec::with_capacity(n),
            contacts,
        }
    }

    /// The wheels in index order.
    pub fn wheels(&self) -> &[Wheel] {
        &self.wheels
    }

    /// The model that moves the whole vehicle, in place of forces at its wheels.
    pub fn motion(&self) -> Option<&dyn MotionModel> {
        self.mover.model()
    }

    /// Whether forces at its wheels move it, not a model and not an ideal controller.
    pub fn moves_by_forces(&self) -> bool {
        self.mover.is_ground()
    }

    /// The pose of its body against the plane that it stands on, if there are springs between body and wheels.
    pub fn lean(&self) -> Option<Lean> {
        self.carrying.suspension().map(Suspension::lean)
    }

    /// Its fall, if it has tipped over.
    pub fn fall(&self) -> Option<&Fall> {
        self.carrying.suspension().and_then(Suspension::fall)
    }

    /// The wind blows with this velocity from now on [m/s], in the body frame.
    pub fn blow(&mut self, wind_in_body: Vec2) {
        self.resistance.wind_in_body = (wind_in_body != Vec2::ZERO).then_some(wind_in_body);
    }

    /// The velocity of its centre of mass through the air [m/s], if it moves with this velocity [m/s, rad/s]; in the body frame.
    pub(super) fn flow_in_body(&self, velocity_in_body: Twist2) -> Vec2 {
        velocity_in_body.at_point(self.inertia.center_of_mass) - self.resistance.wind_in_body.unwrap_or_default()
    }

    /// A vehicle on springs stands on this plane and this ground from now on.
    pub fn stand_over(&mut self, stance: &Stance<'_>) {
        if let Some(suspension) = self.carrying.suspension_mut() {
            suspension.stand_on(stance);
        }
    }

    /// The front frame and its hinge, if the vehicle has two frames.
    pub fn articulation(&self) -> Option<&Articulation> {
        if let Steered::FrontFrame(articulation) = &self.steered { Some(articulation) } else { None }
    }

    /// Engine to final drive, if the throttle drives it.
    pub fn powertrain(&self) -> Option<&Powertrain> {
        self.powertrain.as_deref()
    }

    /// Air drag, and rolling resistance that grows with speed.
    pub fn resistance(&self) -> &Resistance {
        &self.resistance
    }

    /// The friction law of its tyres.
    pub fn law(&self) -> &dyn FrictionLaw {
        &*self.law
    }

    /// Load of each wheel at rest on level ground [N].
    pub fn loads_at_rest(&self) -> &[f64] {
        &self.loads.at_rest
    }

    /// Mass, centre of mass in the body frame and yaw inertia of chassis and wheels together; of two frames, those of the rear one.
    pub fn inertia(&self) -> Inertia {
        self.inertia
    }

    /// Mass of the whole vehicle [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The controller.
    pub fn controller(&self) -> &dyn Controller {
        &*self.controller
    }

    /// Share of the possible speed [-] that a motion of the reference point (body frame [m/s, rad/s]) takes.
    pub(super) fn speed_demand(&self, velocity_in_body: Twist2) -> f64 {
        let of_controller = self.controller.speed_demand(velocity_in_body, &self.wheels);
        self.motion().map_or(0.0, |model| model.speed_demand(velocity_in_body)).max(of_controller)
    }

    /// Largest lateral acceleration [m/s²] that the tyres can provide on level ground with their own friction coefficient: μ·g for tyres
    /// that have a μ. Infinite for models without tyres.
    pub fn max_lateral_acceleration(&self) -> f64 {
        if let Some(model) = self.motion() {
            return model.max_lateral_acceleration(self.gravity);
        }
        let wheels = self.loads_at_rest().iter().enumerate();
        let force: f64 = wheels.map(|(index, &load)| self.side_force(index, load)).sum();
        force / self.mass()
    }

    /// Largest lateral force [N] of the wheel `index` that rolls under `load` [N], over all slip angles.
    fn side_force(&self, index: usize, load: f64) -> f64 {
        let parameters = &self.wheels[index].parameters;
        let of_angle = |degrees: u32| {
            // So fast that no force could end the slip within a step.
            let (sin, cos) = libm::sincos(f64::from(degrees).to_radians());
            let mut contact = WheelContact {
                wheel: index,
                velocity_in_wheel: Vec2::new(100.0 * cos, 100.0 * sin),
                pull_in_wheel: Vec2::ZERO,
                load,
                mass: load / self.gravity,
                spin: 100.0 * cos / parameters.radius,
                radius: parameters.radius,
                inertia: parameters.inertia,
                torque: 0.0,
                locked: false,
                camber: 0.0,
                relaxed_slip: Vec2::ZERO,
                ground_mu: None,
                ground_rolling_resistance: None,
                dt: 1e-3,
            };
            let mut force = 0.0;
            for _ in 0..100 {
                let reaction = self.law.react(&contact);
                (contact.relaxed_slip, force) = (reaction.relaxed_slip, reaction.force_in_wheel.y.abs());
            }
            force
        };
        (1..90).map(of_angle).fold(0.0, f64::max)
    }

    /// Sets a parameter of the controller ([`Controller::tune`]). False if it has none of this name.
    pub fn tune(&mut self, name: &str, value: f64) -> bool {
        let is_known = self.controller.tune(name, value);
        self.prepare(self.prepared_for);
        is_known
    }

    /// Steers both front wheels by the same angle or not; none: as in the world file.
    pub fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.drive.set_parallel_steer(parallel);
        self.steered.turn_again();
        self.controller.set_parallel_steer(parallel);
        if let Some(model) = self.mover.model_mut() {
            model.set_parallel_steer(parallel);
        }
    }

    /// To be called when simulated time has returned to 0: the command in force counts as taken then, and the odometry errors repeat.
    pub fn rewind(&mut self) {
        self.odometry.restart();
        self.last_command = self.last_command.map(|_| SimTime::ZERO);
        self.command_counts.last = self.command_counts.last.map(|_| SimTime::ZERO);
    }

    /// Odometry of the vehicle.
    pub fn odometry(&self) -> &Odometry {
        &self.odometry
    }

    /// Multiplies what odometry sees of motion along x, along y, and of turns, by these factors [-] from now on.
    pub fn scale_odometry(&mut self, scale: [f64; 3]) {
        self.odometry.set_scale(scale);
    }

    /// Adds a step of `dt` [s] to the odometry; `velocity_in_body` is the true velocity after the step.
    #[inline]
    pub fn update_odometry(&mut self, velocity_in_body: Twist2, dt: f64) {
        self.odometry.update(&self.wheels, &self.torque, velocity_in_body, dt);
    }

    /// Restarts odometry at its origin.
    pub fn reset_odometry(&mut self) {
        self.odometry.reset();
    }
}

/// The contact of a stationary wheel on level ground without load that holds `mass` [kg]; a step changes only the values that differ.
fn resting_contact(index: usize, wheel: &Wheel, mass: f64) -> WheelContact {
    let parameters = &wheel.parameters;
    WheelContact {
        wheel: index,
        velocity_in_wheel: Vec2::ZERO,
        pull_in_wheel: Vec2::ZERO,
        load: 0.0,
        mass,
        spin: 0.0,
        torque: 0.0,
        radius: parameters.radius,
        inertia: parameters.inertia,
        locked: false,
        camber: parameters.camber,
        relaxed_slip: Vec2::ZERO,
        ground_mu: None,
        ground_rolling_resistance: None,
        dt: 0.0,
    }
}
