//! The bicycle as a model of trackers: linear equations of the rear axle's distance from a path, kinematic and dynamic.
//!
//! With the distance e of the rear axle to the left of the path, its angle ψ against the path, the speed V, the turn rate ω of the path
//! beside it, and the rate u of the steering as input:
//!
//! ```text
//! kinematic   ė = V·ψ              ψ̇ = V·c − ω      ċ = u                                            c = tan δ/L
//! dynamic     ė = V·ψ + v_y − b·r  ψ̇ = r − ω        δ̇ = u
//!             v̇_y = −(C_f + C_r)/(M·V)·v_y + ((b·C_r − a·C_f)/(M·V) − V)·r + C_f/M·δ
//!             ṙ   = (b·C_r − a·C_f)/(I_z·V)·v_y − (a²·C_f + b²·C_r)/(I_z·V)·r + a·C_f/I_z·δ
//! ```
//! (R. Rajamani, *Vehicle Dynamics and Control*, 2012, §2.2 and §2.3, whose error is that of the centre of gravity; J. Kong et al., *Kinematic and
//! Dynamic Vehicle Models for Autonomous Driving Control Design*, IEEE Intelligent Vehicles Symposium 2015.) The kinematic one has the
//! curvature c of the car's path as its state instead of the angle, so that it is exact on circles.
//!
//! The dynamic one divides by V: below the first of `blend_speeds` v_y and r go to those of the rolling car, b·V·δ/L and V·δ/L, as fast as
//! the tyres would do it at that speed. Both have the angle of the course of the rear axle against the path, ψ + (v_y − b·r)/V, which is 0 in a
//! steady curve on the path. Rule: I_z = M·a·b unless it is given.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::BicycleModel;
use super::matrix::Matrix;
use crate::trajectory::check::positive;
use crate::{LinearizerParameters, TrackerParameters, VehicleState};

/// Places of the states in the columns; after them the steering.
const LEFT: usize = 0;
const TURN: usize = 1;
const V_Y: usize = 2;
const RATE: usize = 3;

/// The vehicle.
#[derive(Clone, Debug)]
pub(super) struct Car {
    wheelbase: f64,
    tyres: Option<Tyres>,
}

/// What only the dynamic model knows.
#[derive(Clone, Debug)]
struct Tyres {
    front: f64,
    rear: f64,
    a: f64,
    b: f64,
    mass: f64,
    inertia: f64,
    slow: f64,
}

/// The linear equations ẋ = A·x + B·u + D·ω.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lateral {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) d: Matrix,
    /// A row that times x is the angle of the course against the path.
    pub(super) course: Matrix,
}

impl Car {
    /// The vehicle of the model that the parameters name.
    pub(super) fn new(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Car, Diagnostic> {
        let reads_model = parameters.tracker.entry().keys.contains(&"model");
        if !reads_model || parameters.model == BicycleModel::Kinematic {
            return Car::kinematic(vehicle);
        }
        vehicle.check_dynamic()?;
        let (a, b, mass) = (vehicle.cog_to_front, vehicle.cog_to_rear, vehicle.mass);
        let rule = mass * a * b;
        let inertia = if parameters.yaw_inertia > 0.0 { parameters.yaw_inertia } else { rule };
        let tyres = Tyres {
            front: vehicle.front_stiffness,
            rear: vehicle.rear_stiffness,
            a,
            b,
            mass,
            inertia,
            slow: vehicle.blend_speeds[0],
        };
        Ok(Car { wheelbase: a + b, tyres: Some(tyres) })
    }

    /// The vehicle of the kinematic model.
    pub(super) fn kinematic(vehicle: &LinearizerParameters) -> Result<Car, Diagnostic> {
        positive("L", vehicle.wheelbase, "m")?;
        Ok(Car { wheelbase: vehicle.wheelbase, tyres: None })
    }

    pub(super) fn wheelbase(&self) -> f64 {
        self.wheelbase
    }

    /// Whether its yaw rate follows from speed and steering; otherwise it is a state of its own.
    #[cfg(feature = "mpc")]
    pub(super) fn turns_with_speed(&self) -> bool {
        self.tyres.is_none()
    }

    /// Slip angles [rad] of the front and the rear tyres on a circle of this curvature [1/m] at `speed` [m/s]; 0 of a rolling car.
    pub(super) fn slip_angles(&self, speed: f64, curvature: f64) -> (f64, f64) {
        let Some(t) = &self.tyres else { return (0.0, 0.0) };
        let force = t.mass * speed * speed * curvature / self.wheelbase;
        (force * t.b / t.front, force * t.a / t.rear)
    }

    /// Number of states of [`lateral`](Car::lateral).
    pub(super) fn states(&self) -> usize {
        if self.tyres.is_some() { RATE + 2 } else { TURN + 2 }
    }

    /// The equations at `speed` [m/s], > 0.
    pub(super) fn lateral(&self, speed: f64) -> Lateral {
        let size = self.states();
        let steering = size - 1;
        let (mut a, mut b, mut d) = (Matrix::zeros(size, size), Matrix::zeros(size, 1), Matrix::zeros(size, 1));
        let mut course = Matrix::zeros(1, size);
        a.set(LEFT, TURN, speed);
        b.set(steering, 0, 1.0);
        d.set(TURN, 0, -1.0);
        course.set(0, TURN, 1.0);
        let Some(t) = &self.tyres else {
            a.set(TURN, steering, speed);
            return Lateral { a, b, d, course };
        };
        let divisor = speed.max(t.slow);
        a.set(LEFT, V_Y, 1.0);
        a.set(LEFT, RATE, -t.b);
        a.set(TURN, RATE, 1.0);
        course.set(0, V_Y, 1.0 / divisor);
        course.set(0, RATE, -t.b / divisor);
        if speed < t.slow {
            let rate = (t.front + t.rear) / (t.mass * divisor);
            let turning = speed / self.wheelbase;
            a.set(V_Y, V_Y, -rate);
            a.set(V_Y, steering, rate * t.b * turning);
            a.set(RATE, RATE, -rate);
            a.set(RATE, steering, rate * turning);
        } else {
            let moment = t.b * t.rear - t.a * t.front;
            a.set(V_Y, V_Y, -(t.front + t.rear) / (t.mass * speed));
            a.set(V_Y, RATE, moment / (t.mass * speed) - speed);
            a.set(V_Y, steering, t.front / t.mass);
            a.set(RATE, V_Y, moment / (t.inertia * speed));
            a.set(RATE, RATE, -(t.a * t.a * t.front + t.b * t.b * t.rear) / (t.inertia * speed));
            a.set(RATE, steering, t.a * t.front / t.inertia);
        }
        Lateral { a, b, d, course }
    }

    /// The states: `left` [m] and `turn` [rad] against the path, what the vehicle measures, and its steering angle [rad].
    pub(super) fn state(&self, left: f64, turn: f64, vehicle: &VehicleState, steering_angle: f64) -> Matrix {
        let steering = self.steering_of(steering_angle);
        match &self.tyres {
            None => Matrix::column(&[left, turn, steering]),
            Some(t) => {
                let velocity = vehicle.velocity_in_body;
                let at_cog = velocity.at_point(Vec2::new(t.b, 0.0));
                Matrix::column(&[left, turn, at_cog.y, velocity.wz, steering])
            }
        }
    }

    /// The steering of the states, for a steering angle [rad].
    pub(super) fn steering_of(&self, angle: f64) -> f64 {
        if self.tyres.is_some() { angle } else { libm::tan(angle) / self.wheelbase }
    }

    /// The steering angle [rad] for the steering of the states.
    pub(super) fn angle_of(&self, steering: f64) -> f64 {
        if self.tyres.is_some() { steering } else { libm::atan(self.wheelbase * steering) }
    }

    /// The rate of the states' steering at which the angle changes no faster than by this rate [rad/s].
    pub(super) fn steering_rate_of(&self, rate: f64) -> f64 {
        if self.tyres.is_some() { rate } else { rate / self.wheelbase }
    }

    /// The steering angle [rad] that a circle of this curvature [1/m] needs at `speed` [m/s].
    pub(super) fn steady_angle(&self, speed: f64, curvature: f64) -> f64 {
        let (front, rear) = self.slip_angles(speed, curvature);
        match self.tyres {
            Some(_) => self.wheelbase * curvature + front - rear,
            None => libm::atan(self.wheelbase * curvature),
        }
    }
}

/// A and the columns `inputs`, which are constant during `step` [s], of the equations from one instant to the next: exact.
pub(super) fn discrete(a: &Matrix, inputs: &Matrix, step: f64) -> (Matrix, Matrix) {
    let (n, m) = (a.rows(), inputs.columns());
    let mut whole = Matrix::zeros(n + m, n + m);
    whole.put([0, 0], &a.scaled(step));
    whole.put([0, n], &inputs.scaled(step));
    let whole = whole.exponential();
    (whole.block([0, 0], [n, n]), whole.block([0, n], [n, m]))
}
