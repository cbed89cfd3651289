//! One step of a vehicle: a list of phases, each of which turns the results of earlier ones into its own.
//!
//! Which phases a vehicle has follows from its parts, which are chosen when it is loaded (`parts.rs`). Those of a vehicle that
//! the ground moves by forces are in `ground_forces.rs`, for one frame and for two.

use skidpad_math::{Twist2, Vec2, Vec3};

use super::actuation::Actuation;
use super::air::AirOnBody;
use super::brake::Brakes;
use super::controller::ControlInput;
use super::motion_model::{MotionInput, roll_along};
use super::pairs::sum_by_pairs;
use super::parts::{Carrying, Mover, Steered};
use super::suspension::fall::FallInput;
use super::vehicle::{Effect, Situation, SlopeRule, Vehicle};
use super::{VehicleOutput, WheelFrame, Wrench, articulation::FrontMotion};

/// Down, in the frame of a body on level ground.
const LEVEL: Vec3 = Vec3::new(0.0, 0.0, -1.0);

/// Gravity on a vehicle, as its [`SlopeRule`] has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slope {
    /// Unit vector [-] along gravity, in the body frame.
    pub down_in_body: Vec3,
    pub is_level: bool,
    /// Gravity along the ground [m/s²], in the body frame; zero on level ground.
    pub along_ground: Vec2,
    /// The same, if it pulls at the vehicle as a whole; none on level ground, or where each contact holds it.
    pub pull: Option<Vec2>,
    /// Share of the weight [-] that rests on the wheels.
    pub upright: f64,
}

impl Vehicle {
    /// One step of a vehicle: from the commands in force and its situation to the effect on its body. Writes set-point,
    /// powertrain and the states of the wheels into `output`.
    pub fn step(&mut self, situation: &Situation<'_>, output: &mut VehicleOutput<'_>) -> Effect {
        let dt = situation.dt;
        // Commands in force to the order of the controller.
        self.advance_setpoints(situation.velocity_in_body, dt);
        // Attitude to gravity along the ground.
        let slope = self.slope(situation.down_in_body);
        // Order to the angles of steered wheels, or to the torque of the hinge between two frames.
        let steering_angle = self.steer(situation);
        // Order, spin of the wheels and gravity to motor torques, pedals, or a velocity.
        let actuation = self.control(&slope, dt, output);
        // Acceleration and gravity to the load of each wheel.
        if self.load_wheels(situation, &slope, situation.down_in_body, output) {
            return self.fall_over(situation, output);
        }
        // All of these to the effect on the body and the states of the wheels.
        match self.mover {
            Mover::Ground => self.move_by_forces(situation, &slope, &actuation, output),
            Mover::Controller => self.impose_velocity(&actuation, dt, output),
            Mover::Model(_) => self.move_by_model(situation, &slope, (&actuation, steering_angle), output),
        }
    }

    /// One step of a vehicle that is moved by an animation: its wheels roll along, whatever the controller commands.
    pub fn step_animated(&mut self, situation: &Situation<'_>, output: &mut VehicleOutput<'_>) {
        self.advance_setpoints(situation.velocity_in_body, situation.dt);
        self.steer(situation);
        *output.setpoint = self.controller.setpoint();
        self.load_wheels(situation, &self.slope(None), None, output);
        self.roll_along(situation.velocity_in_body, situation.dt, output);
    }

    /// Gravity on the vehicle, from the downward unit vector in the body frame; none: it is level.
    #[inline(always)]
    fn slope(&self, down_in_body: Option<Vec3>) -> Slope {
        let Some(down_in_body) = down_in_body else {
            return Slope { down_in_body: LEVEL, is_level: true, along_ground: Vec2::ZERO, pull: None, upright: 1.0 };
        };
        let along_ground = self.gravity * Vec2::new(down_in_body.x, down_in_body.y);
        let (pull, upright) = match self.slope {
            SlopeRule::Pulls => (Some(along_ground), (-down_in_body.z).max(0.0)),
            SlopeRule::Held => (None, 1.0),
        };
        Slope { down_in_body, is_level: false, along_ground, pull, upright }
    }

    /// Turns what is steered. Returns the equivalent steering angle [rad].
    #[inline(always)]
    fn steer(&mut self, situation: &Situation<'_>) -> f64 {
        let dt = situation.dt;
        if matches!(self.steered, Steered::Nothing) {
            return 0.0;
        }
        let angle = self.steering_actuator.follow(self.controller.steering_angle(), dt);
        // The usual steering first: the compiler would jump to all four by a table.
        if let Steered::Wheels(turned_for) = &mut self.steered {
            if *turned_for != Some(angle) {
                self.drive.steer(angle, &mut self.wheels);
                *turned_for = Some(angle);
            }
            return angle;
        }
        match &mut self.steered {
            Steered::Nothing | Steered::Wheels(_) => {}
            Steered::Hinges => self.drive.turn(self.controller.hinge_angles(dt), &mut self.wheels),
            Steered::FrontFrame(articulation) => {
                let FrontMotion { angle: bend, velocity_in_front } = situation.front_motion();
                let rate = velocity_in_front.wz - situation.velocity_in_body.wz;
                articulation.turn(angle, [bend, rate], self.steering_actuator.max_rate(), dt);
                self.drive.steer(bend, &mut self.wheels);
            }
        }
        angle
    }

    /// Lets the controller decide on this step, and reports its set-point and pedals.
    #[inline(always)]
    fn control(&mut self, slope: &Slope, dt: f64, output: &mut VehicleOutput<'_>) -> Actuation {
        let actuation = self.controller.update(&ControlInput {
            wheels: &self.wheels,
            gravity_in_body: self.mass * slope.along_ground,
            center_of_mass: self.inertia.center_of_mass,
            dt,
        });
        *output.setpoint = self.controller.setpoint();
        (output.powertrain.throttle, output.powertrain.brake) = (actuation.pedals.throttle, actuation.pedals.brake);
        actuation
    }

    /// Writes the load of each wheel into `load`, and into `lifted` whether it is off the ground. Returns whether the vehicle has tipped over:
    /// then its wheels carry nothing.
    #[inline(always)]
    fn load_wheels(
        &mut self,
        situation: &Situation<'_>,
        slope: &Slope,
        down_in_body: Option<Vec3>,
        output: &mut VehicleOutput<'_>,
    ) -> bool {
        match self.carrying {
            Carrying::ByAcceleration => {
                let felt = self.felt_acceleration(situation, slope);
                self.loads.loads(felt, slope.upright, &mut self.load, &mut self.lifted);
                false
            }
            Carrying::Fixed => {
                if self.loaded_upright != slope.upright {
                    self.loads.loads(Vec2::ZERO, slope.upright, &mut self.load, &mut self.lifted);
                    self.loaded_upright = slope.upright;
                }
                false
            }
            // One call, which finds the slope again: all other vehicles need no further branch, and keep theirs in registers.
            _ => self.load_otherwise(situation, down_in_body, output),
        }
    }

    /// The same for a body on springs, and for wheels that the air lifts or presses.
    #[inline(never)]
    fn load_otherwise(
        &mut self,
        situation: &Situation<'_>,
        down_in_body: Option<Vec3>,
        output: &mut VehicleOutput<'_>,
    ) -> bool {
        let slope = self.slope(down_in_body);
        if self.carrying.suspension().is_some() {
            return self.load_springs(situation, &slope, output);
        }
        self.load_in_air(situation, &slope);
        false
    }

    /// The acceleration of the centre of mass [m/s²] without that of gravity along the ground.
    #[inline(always)]
    fn felt_acceleration(&mut self, situation: &Situation<'_>, slope: &Slope) -> Vec2 {
        let &Situation { velocity_in_body, acceleration_in_body, dt, .. } = situation;
        let center = self.inertia.center_of_mass;
        self.felt.follow(acceleration_in_body, slope.pull.unwrap_or_default(), velocity_in_body, center, dt)
    }

    /// The same for a body on springs: by the forces of the last step at its wheels.
    fn load_springs(&mut self, situation: &Situation<'_>, slope: &Slope, output: &mut VehicleOutput<'_>) -> bool {
        let gravity = self.gravity * slope.upright;
        let felt = self.felt_acceleration(situation, slope);
        let by_ground = self.mover.is_ground();
        let air = self.air.as_ref().map_or_else(AirOnBody::default, |air| {
            let flow = self.flow_in_body(situation.velocity_in_body);
            air.on_body(flow, self.resistance.in_calm(flow))
        });
        let (wheels, carried, states) = (&self.wheels, &self.carried_mass, &output.wheels);
        let Some(suspension) = self.carrying.suspension_mut() else { return false };
        let force = |index: usize| {
            if by_ground {
                wheels[index].body_from_wheel() * states[index].force_in_wheel
            } else {
                carried[index] * felt
            }
        };
        if !suspension.has_landed() {
            suspension.carry((gravity, situation.dt), (force, &air), (&mut self.load, &mut self.lifted));
            for (index, state) in output.wheels.iter_mut().enumerate() {
                state.travel = suspension.travel(index);
            }
        }
        let has_landed = suspension.has_landed();
        if has_landed {
            self.load.fill(0.0);
            self.lifted.fill(true);
        }
        has_landed
    }

    /// The same for a vehicle without springs whose wheels the air lifts or presses.
    fn load_in_air(&mut self, situation: &Situation<'_>, slope: &Slope) {
        let felt = if self.loads.transfers() { self.felt_acceleration(situation, slope) } else { Vec2::ZERO };
        self.loads.loads(felt, slope.upright, &mut self.load, &mut self.lifted);
        if let Some(air) = &self.air {
            air.lighten(self.flow_in_body(situation.velocity_in_body), &mut self.load, &mut self.lifted);
        }
    }

    /// Lets a vehicle that has tipped over fall, slide and lie: its wheels stand and carry nothing.
    #[inline(never)]
    fn fall_over(&mut self, situation: &Situation<'_>, output: &mut VehicleOutput<'_>) -> Effect {
        let &Situation { velocity_in_body, dt, .. } = situation;
        let slope = self.slope(situation.down_in_body);
        let along_ground = slope.pull.unwrap_or_default();
        let Some(suspension) = self.carrying.suspension_mut() else { return Effect::Forces(Wrench::default()) };
        let gravity = self.gravity * slope.upright;
        let wrench = suspension.slide(&FallInput { velocity_in_body, along_ground, gravity, dt });
        if !suspension.has_landed() {
            self.brakes.iter_mut().for_each(Brakes::forget);
            self.other_forces.forget();
        }
        self.torque.fill(0.0);
        for (wheel, state) in self.wheels.iter_mut().zip(&mut *output.wheels) {
            (wheel.spin, wheel.relaxed_slip) = (0.0, Vec2::ZERO);
            *state = WheelFrame {
                steer: state.steer,
                spin_angle: state.spin_angle,
                velocity_in_wheel: wheel.velocity_in_wheel(velocity_in_body),
                lifted: true,
                travel: state.travel,
                ..WheelFrame::default()
            };
        }
        Effect::Forces(wrench)
    }

    /// Imposes the velocity that the controller demands.
    fn impose_velocity(&mut self, actuation: &Actuation, dt: f64, output: &mut VehicleOutput<'_>) -> Effect {
        let velocity = actuation.imposed_velocity.unwrap_or_default();
        self.roll_along(velocity, dt, output);
        Effect::Velocity(velocity)
    }

    /// Advances the model of the whole vehicle, which turns the equivalent steering angle [rad] and the output of the
    /// controller into its motion.
    fn move_by_model(
        &mut self,
        situation: &Situation<'_>,
        slope: &Slope,
        (actuation, steering_angle): (&Actuation, f64),
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        if self.braking.is_some() {
            self.torque.fill(0.0);
            self.touch_ground(&mut [self.single_frame(situation)], situation, slope);
            self.brake_wheels(actuation.pedals);
        }
        let Mover::Model(model) = &mut self.mover else { return Effect::Velocity(Twist2::ZERO) };
        let motion = model.advance(MotionInput {
            actuation,
            steering_angle,
            // Where the slope holds whatever stands on it, driving takes no extra force either.
            gravity_in_body: slope.pull.unwrap_or_default(),
            gravity_into_ground: self.gravity * slope.upright,
            ground: situation.ground,
            brake_torque: sum_by_pairs(self.brake_torque.iter().copied()),
            resistance: &self.resistance,
            powertrain: self.powertrain.as_deref_mut(),
            dt: situation.dt,
        });
        if let Some(powertrain) = &self.powertrain {
            *output.powertrain = powertrain.frame();
        }
        for ((state, &load), &lifted) in output.wheels.iter_mut().zip(&self.load).zip(&self.lifted) {
            (state.load, state.lifted) = (load, lifted);
        }
        model.report_wheels(motion.velocity_in_body, &mut self.wheels, output.wheels, situation.dt);
        // The model may have turned the wheels.
        self.steered.turn_again();
        Effect::Motion(motion)
    }

    /// Rolls the wheels along with a body whose velocity is imposed; the wheels exert no force.
    fn roll_along(&mut self, velocity_in_body: Twist2, dt: f64, output: &mut VehicleOutput<'_>) {
        self.torque.fill(0.0);
        for ((state, &load), &lifted) in output.wheels.iter_mut().zip(&self.load).zip(&self.lifted) {
            (state.load, state.lifted) = (load, lifted);
        }
        roll_along(velocity_in_body, &mut self.wheels, output.wheels, dt);
    }
}
