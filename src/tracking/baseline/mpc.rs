//! MPC: the plan over a horizon that costs least within the limits of the vehicle, made anew at each instant (J. Kong, M. Pfeiffer, G. Schildbach,
//! F. Borrelli, *Kinematic and Dynamic Vehicle Models for Autonomous Driving Control Design*, IEEE Intelligent Vehicles Symposium 2015; P. Falcone et al.,
//! *Predictive Active Steering Control for Autonomous Vehicle Systems*, IEEE Transactions on Control Systems Technology 15(3), 2007, which linearises too).
//!
//! The states are the error in the frame that moves with the reference, s ahead and e to the left of it, the angle ψ to the path, the
//! commanded speed v, v_y and r of the dynamic model, and the commanded steering; inputs are the acceleration and the rate of the steering.
//! Along the reference with the speed V(t), the curvature κ(t) and ω = V·κ, the linear bicycle of `bicycle` becomes
//!
//! ```text
//! ṡ = v − V + ω·e      ė = … − ω·s      ψ̇ = V·c + κ·v − 2·ω   (kinematic)      ψ̇ = r − ω   (dynamic)      v̇ = a
//! ```
//! Each step of the horizon is exact for V and κ at its middle. The cost, integrated over the horizon, is
//!
//! ```text
//! (s² + e²)/position_scale² + (course/course_scale)² + (a/acceleration_scale)² + (steering rate/steering_rate_scale)²
//! ```
//! within 0 ≤ v ≤ max_speed, |δ| ≤ max_steering_angle, |a| ≤ max_acceleration, |δ̇| ≤ max_steering_rate. The plan to hold speed and
//! steering keeps all of them, so that there is always a solution. Where the solver finds none within `max_iterations` the last plan goes
//! on, and the command says so. Rule for weights: as of LQR.

use std::f64::consts::FRAC_PI_2;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Rot2;

use super::bicycle::{Car, discrete};
use super::lqr::state_cost;
use super::matrix::Matrix;
use super::place::{self, STANDS};
use super::quadratic::{self, Limits, Step};
use super::{LIMITS, Last, Law, Moment, TrackerEntry, Wanted};
use crate::{LinearizerParameters, TrackerParameters, VehicleState};
use skidpad_vehicle::friction::within;

pub(super) const ENTRY: TrackerEntry = TrackerEntry {
    name: "mpc",
    help: "the cheapest plan of a linear bicycle within its limits (Kong et al. 2015): horizon, horizon_step, *_scale, max_*, model",
    keys: &[
        "model",
        "position_scale",
        "course_scale",
        "steering_rate_scale",
        "acceleration_scale",
        "I_z",
        "horizon",
        "horizon_step",
        "max_steering_rate",
        "max_acceleration",
        "max_iterations",
    ],
    vehicle_keys: LIMITS,
    build: Some(build),
};

/// Least speed of the model [m/s], as of LQR.
const MIN_SPEED: f64 = 0.1;
/// Where the states are: ahead, then those of the bicycle, the speed behind all.
const AHEAD: usize = 0;
const LEFT: usize = 1;
const TURN: usize = 2;
/// Inputs.
const ACCELERATION: usize = 0;
const STEERING: usize = 1;

#[derive(Debug)]
struct Mpc {
    parameters: TrackerParameters,
    car: Car,
    max_speed: f64,
    limits: Limits,
    steps: Vec<Step>,
    /// The last plan: its inputs, and when it was made [s].
    plan: Vec<f64>,
    planned: f64,
    /// Direction of the path at the last instant.
    along: Option<Rot2>,
}

fn build(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Box<dyn Law>, Diagnostic> {
    Ok(Box::new(Mpc::new(parameters, vehicle)?))
}

impl Mpc {
    fn new(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Mpc, Diagnostic> {
        let (p, car) = (parameters, Car::new(parameters, vehicle)?);
        let step = p.horizon_step;
        let steering_scale = car.steering_rate_of(p.steering_rate_scale);
        let (steering, speed) = (car.states(), car.states() + 1);
        let most = car.steering_of(vehicle.max_steering_angle.min(FRAC_PI_2 - 1e-3));
        let limits = Limits {
            input_costs: vec![
                step / (p.acceleration_scale * p.acceleration_scale),
                step / (steering_scale * steering_scale),
            ],
            most_inputs: vec![p.max_acceleration, car.steering_rate_of(p.max_steering_rate)],
            states: vec![(steering, -most, most), (speed, 0.0, vehicle.max_speed)],
        };
        let steps = Vec::with_capacity(p.horizon as usize);
        let max_speed = vehicle.max_speed;
        Ok(Mpc { parameters: *p, car, max_speed, limits, steps, plan: Vec::new(), planned: 0.0, along: None })
    }

    /// The step of the system along a reference with this speed [m/s] and curvature [1/m].
    fn step(&self, speed: f64, curvature: f64) -> Step {
        let p = &self.parameters;
        let lateral = self.car.lateral(speed.max(MIN_SPEED));
        let (size, v) = (self.car.states() + 2, self.car.states() + 1);
        let turning = speed * curvature;
        let mut a = Matrix::zeros(size, size);
        a.put([LEFT, LEFT], &lateral.a);
        a.set(AHEAD, v, 1.0);
        a.set(AHEAD, LEFT, turning);
        a.set(LEFT, AHEAD, -turning);
        // Columns: the two inputs and what is known.
        let mut inputs = Matrix::zeros(size, 3);
        inputs.set(v, ACCELERATION, 1.0);
        inputs.put([LEFT, STEERING], &lateral.b);
        inputs.put([LEFT, 2], &lateral.d.scaled(turning));
        inputs.set(AHEAD, 2, -speed);
        if self.car.turns_with_speed() {
            a.set(TURN, v, curvature);
            inputs.set(TURN, 2, -turning - speed * curvature);
        }
        let (a, inputs) = discrete(&a, &inputs, p.horizon_step);
        let mut q = Matrix::zeros(size, size);
        q.put([LEFT, LEFT], &state_cost(&lateral, p));
        q.set(AHEAD, AHEAD, 1.0 / (p.position_scale * p.position_scale));
        let q = q.scaled(p.horizon_step);
        Step { a, b: inputs.block([0, 0], [size, 2]), d: inputs.block([0, 2], [size, 1]), q }
    }

    /// The steps of the horizon from an instant on.
    fn plan_ahead(&mut self, moment: &Moment<'_>) {
        let p = &self.parameters;
        let (step, end) = (p.horizon_step, place::end(moment.trajectory));
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        steps.extend((0..p.horizon).map(|index| {
            let time = moment.time + (f64::from(index) + 0.5) * step;
            let sample = moment.trajectory.at(time);
            // A reference that has come to its end rests there.
            let speed = if time > end { 0.0 } else { sample.speed() };
            self.step(speed, if speed > STANDS { sample.curvature() } else { 0.0 })
        }));
        self.steps = steps;
    }

    /// The inputs that an earlier plan has for this instant; none beyond its end.
    fn held(&self, time: f64) -> [f64; 2] {
        let index = ((time - self.planned) / self.parameters.horizon_step).floor();
        let first = if (0.0..1e9).contains(&index) { 2 * index as usize } else { usize::MAX / 2 };
        [first + ACCELERATION, first + STEERING].map(|at| self.plan.get(at).copied().unwrap_or(0.0))
    }

    /// The states against the reference now, with the speed [m/s] and the steering angle [rad] that are commanded.
    fn state(&self, place: &place::Place, state: &VehicleState, speed: f64, angle: f64) -> Matrix {
        let pose = state.world_from_body;
        let away = place.along.inverse() * (pose.position() - place.sample.position);
        let lateral = self.car.state(away.y, place.turn_to(pose.rotation()), state, angle);
        let mut all = Matrix::zeros(lateral.rows() + 2, 1);
        all.set(AHEAD, 0, away.x);
        all.put([LEFT, 0], &lateral);
        all.set(lateral.rows() + 1, 0, speed);
        all
    }
}

impl Law for Mpc {
    fn command(&mut self, moment: &Moment<'_>, state: &VehicleState, last: Last) -> Wanted {
        let heading = state.world_from_body.rotation();
        let place = place::at(moment.trajectory, moment.time, self.along.unwrap_or(heading));
        self.along = Some(place.along);
        let sample = &place.sample;
        let (speed, angle) = if last.is_known {
            (last.speed, last.steering_angle)
        } else {
            let steady = self.car.steady_angle(sample.speed(), sample.curvature());
            (state.velocity_in_body.vx, steady)
        };
        let [(_, low, high), _] = self.limits.states[..] else { return Wanted::stand(angle) };
        let (speed, steering) = (speed.clamp(0.0, self.max_speed), self.car.steering_of(angle).clamp(low, high));
        let start = self.state(&place, state, speed, self.car.angle_of(steering));
        self.plan_ahead(moment);
        let plan = quadratic::solve(&start, &self.steps, &self.limits, self.parameters.max_iterations);
        let plan_is_held = plan.is_none();
        if let Some(plan) = plan {
            (self.plan, self.planned) = (plan, moment.time);
        }
        let [acceleration, rate] = self.held(moment.time);
        let most = self.limits.most_inputs[STEERING];
        Wanted {
            // The solver keeps limits but for its tolerance.
            speed: speed + moment.period * within(acceleration, self.parameters.max_acceleration),
            steering_angle: self.car.angle_of(steering + moment.period * within(rate, most)),
            plan_is_held,
        }
    }

    fn reset(&mut self) {
        self.plan.clear();
        (self.planned, self.along) = (0.0, None);
    }
}
