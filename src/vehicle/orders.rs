//! How a vehicle takes commands, passes them on to its controller step by step, and stops when they stop.

use skidpad_math::Twist2;
use skidpad_math::time::SimTime;

use super::controller::{Controller, Order};
use super::demand::{CommandCounts, Demand, Limits};
use super::inputs::{Inputs, VehicleState};
use super::parts::Mover;
use super::ramp::Ramp;
use super::vehicle::Vehicle;
use super::wheel::Wheel;
use crate::Action;
use crate::drive::kinematic::law::TwoWheels;

impl Vehicle {
    /// Takes a command of an accepted kind at simulated time `now` [ns], and returns it with nothing left open: omitted
    /// set-points are those in force. Teleports are handled by the world.
    pub fn command(&mut self, action: Action, now: SimTime) -> Action {
        let action = self.completed(action);
        match action {
            Action::Twist(twist) => self.order(Order::Twist(twist), now),
            Action::Ackermann { speed, steering_angle } => self.order(Order::Ackermann { speed, steering_angle }, now),
            Action::LimitedAckermann { speed, steering_angle, limits } => {
                let (lock, at) = (self.lock(), self.setpoint_in_force());
                let demand = self.demand(&Order::Ackermann { speed, steering_angle });
                let starts = self.last_command.is_none() || self.is_set_anew;
                let ramp = Ramp { starts, ..Ramp::new(at, [speed, steering_angle.clamp(-lock, lock)], limits) };
                self.approach(ramp, demand, now);
            }
            Action::SteeringRate { speed, steering_rate } => {
                let [_, angle] = self.setpoint_in_force();
                let demand = self.demand(&Order::Ackermann { speed, steering_angle: angle });
                self.approach(Ramp::turning(angle, speed, steering_rate, self.lock()), demand, now);
            }
            Action::SideSpins(spins) => {
                let of_sides = |number: fn(&Wheel) -> f64| [0, 1].map(|side| self.wheels.get(side).map_or(1.0, number));
                let (radius, y) =
                    (of_sides(|wheel| wheel.parameters.radius), of_sides(|wheel| wheel.parameters.position.y));
                self.order(Order::Twist(TwoWheels { radius, y }.velocity(spins)), now);
            }
            Action::Pedals { pedals, steering_angle } => self.order(Order::Pedals { pedals, steering_angle }, now),
            Action::Wheels(targets) => self.order(Order::Wheels(targets), now),
            // Completed above.
            Action::Setpoints { .. } => {}
            Action::Teleport(_) => {}
        }
        action
    }

    /// The command with its omitted set-points as they were last commanded.
    fn completed(&self, action: Action) -> Action {
        let Action::Setpoints { speed, steering_angle } = action else { return action };
        let [last_speed, last_angle] = self.ramp.as_ref().map_or_else(|| self.last_setpoint(), |ramp| ramp.to);
        Action::Ackermann { speed: speed.unwrap_or(last_speed), steering_angle: steering_angle.unwrap_or(last_angle) }
    }

    /// Takes an order at simulated time `now` [ns].
    pub fn order(&mut self, order: Order, now: SimTime) {
        self.command_counts.take(now, self.demand(&order));
        self.ramp = None;
        self.begin_command();
        self.pass_on(order);
        self.last_command = Some(now);
    }

    /// Notes that what is passed on from now on belongs to another command.
    #[inline]
    fn begin_command(&mut self) {
        if let Some(inputs) = &mut self.inputs {
            inputs.begin_command();
        }
    }

    /// Passes an order on to the controller, through the inputs if there are any.
    #[inline]
    fn pass_on(&mut self, order: Order) {
        let Some(inputs) = &mut self.inputs else { return self.controller.order(order) };
        let steered = match (order, &self.mover) {
            // The body moves with the velocity, whatever the wheels are turned to.
            (_, Mover::Controller) => None,
            (Order::Twist(twist), _) => self.controller.steered(twist),
            _ => None,
        };
        inputs.take(steered.map_or(order, |[speed, steering_angle]| Order::Steered { speed, steering_angle }));
    }

    /// Lets the set-points follow a ramp of their own from the next step on.
    fn approach(&mut self, ramp: Ramp, demand: Demand, now: SimTime) {
        self.command_counts.take(now, demand);
        self.begin_command();
        self.ramp = Some(ramp);
        self.last_command = Some(now);
    }

    fn demand(&self, order: &Order) -> Demand {
        self.limits().demand(order, |twist| self.speed_demand(twist))
    }

    /// Speed [m/s] and steering angle [rad] that were commanded last, before the inputs.
    fn last_setpoint(&self) -> [f64; 2] {
        self.inputs.as_deref().and_then(Inputs::steered).unwrap_or_else(|| {
            let setpoint = self.controller.setpoint();
            [setpoint.velocity_in_body.vx, setpoint.steering_angle]
        })
    }

    /// The same as they are in force, on their way to what was commanded.
    fn setpoint_in_force(&self) -> [f64; 2] {
        self.ramp.as_ref().map_or_else(|| self.last_setpoint(), |ramp| ramp.at)
    }

    /// Largest steering angle [rad].
    fn lock(&self) -> f64 {
        let Limits { steering, actuator_angle, .. } = self.limits();
        steering.map_or(0.0, |steering| steering.max_angle).min(actuator_angle)
    }

    /// Advances the inputs, and the set-points of a rate-limited command, by `dt` [s]. What starts with this step starts at
    /// `velocity_in_body` [m/s, rad/s], that of the vehicle.
    #[inline]
    pub(super) fn advance_setpoints(&mut self, velocity_in_body: Twist2, dt: f64) {
        self.is_set_anew = false;
        if let Some(ramp) = &mut self.ramp {
            let [speed, steering_angle] = ramp.advance(velocity_in_body.vx, dt);
            if ramp.is_done() {
                self.ramp = None;
            }
            self.pass_on(Order::Ackermann { speed, steering_angle });
        }
        if let Some(inputs) = &mut self.inputs {
            let state = || state(&*self.controller, &self.mover, velocity_in_body);
            if let Some(order) = inputs.advance(dt, state) {
                self.controller.order(order);
            }
        }
    }

    /// Starts the set-points at the state that the vehicle has been set to, with `velocity_in_body` [m/s, rad/s]: what was
    /// under way arrives no more.
    pub(super) fn start_setpoints(&mut self, velocity_in_body: Twist2) {
        self.is_set_anew = true;
        self.controller.start_at(velocity_in_body);
        if let Some(inputs) = &mut self.inputs {
            inputs.start_again();
        }
        if let Some(ramp) = &mut self.ramp {
            ramp.starts = true;
        }
    }

    /// Lets the inputs continue from the velocity `velocity_in_body` [m/s, rad/s] that an estimator has corrected, if the
    /// vehicle moves with what they say at once. Where forces or a lag act between them and the motion, they go on as they
    /// are.
    pub fn continue_from(&mut self, velocity_in_body: Twist2) {
        let moves_at_once = match &self.mover {
            Mover::Ground => false,
            Mover::Controller => true,
            Mover::Model(model) => model.takes_speed_at_once(),
        };
        if let Some(inputs) = self.inputs.as_mut().filter(|_| moves_at_once) {
            inputs.continue_from(&state(&*self.controller, &self.mover, velocity_in_body));
        }
    }

    /// Counts of commands by outcome.
    pub fn command_counts(&self) -> &CommandCounts {
        &self.command_counts
    }

    /// Limits of the commands.
    pub fn limits(&self) -> Limits {
        Limits {
            steering: self.drive.steering(),
            actuator_angle: self.steering_actuator.max_angle(),
            moves_sideways: self.controller.moves_sideways() && self.motion().is_none(),
        }
    }

    /// Speed along the body's x axis [m/s] and yaw rate [rad/s] up to which velocity commands are carried out; none: no limit.
    pub fn top_velocity(&self) -> [Option<f64>; 2] {
        [Twist2::new(1.0, 0.0, 0.0), Twist2::new(0.0, 0.0, 1.0)].map(|unit| {
            let share = self.speed_demand(unit);
            (share > 0.0 && share.is_finite()).then(|| 1.0 / share)
        })
    }

    /// Stops the vehicle if its last order is older than `timeout` [ns] at simulated time `now` [ns].
    #[inline]
    pub fn apply_command_timeout(&mut self, now: SimTime, timeout: SimTime) {
        if let Some(last) = self.last_command
            && now - last > timeout
        {
            // Pedal commands have no velocity.
            let moving =
                self.controller.accepts().pedals || self.controller.setpoint().velocity_in_body != Twist2::ZERO;
            self.command_counts.fall_silent(moving);
            self.end_command();
        }
    }

    /// Ends the command in force, if any: the vehicle stands until the next one.
    pub fn end_command(&mut self) {
        self.ramp = None;
        if let Some(inputs) = &mut self.inputs {
            inputs.stop();
        }
        self.controller.stop();
        self.last_command = None;
    }
}

/// The state at which the inputs of a vehicle start that moves with `velocity_in_body` [m/s, rad/s].
fn state(controller: &dyn Controller, mover: &Mover, velocity_in_body: Twist2) -> VehicleState {
    VehicleState {
        velocity_in_body,
        path_speed: mover.model().map_or(velocity_in_body.vx, |model| model.path_speed(velocity_in_body)),
        steering_angle: controller.setpoint().steering_angle,
        pedals: controller.pedals(),
    }
}
