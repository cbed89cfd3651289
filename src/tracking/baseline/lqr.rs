//! LQR with preview: the steering that costs least, for a path whose curvature is known ahead (J. M. Snider, CMU-RI-TR-09-08, 2009, ch. 4 and 5;
//! R. S. Sharp and V. Valtetsidis, *Lateral Tracking Control*, 2001).
//!
//! For the linear bicycle (`bicycle`) at the speed V of the reference, sampled at the rate of the tracker, x⁺ = A·x + B·u + D·ω, the law minimises
//!
//! ```text
//! Σ (e/position_scale)² + (course/course_scale)² + (u/steering_rate_scale)²
//!
//! u_k = −K·x_k − Σ_i G_i·ω_{k+i}
//! K = (R + BᵀPB)⁻¹BᵀPA       P = Q + AᵀPA − AᵀPB·K       G_i = (R + BᵀPB)⁻¹Bᵀ(A_cᵀ)ⁱP·D       A_c = A − B·K
//! ```
//! That is the solution of the system that has the previewed path as states, a shift register. Behind the preview the path goes on with the
//! turn rate of its last point: G of all later instants is (R + BᵀPB)⁻¹Bᵀ(A_cᵀ)ᴺ(1 − A_cᵀ)⁻¹P·D. So no error remains in a steady curve; holding the
//! wheels turned costs nothing, turning them does. Riccati's equation is solved by doubling (B. D. O. Anderson, *Second-order convergent
//! algorithms for the steady-state Riccati equation*, 1978), anew at each instant, as the speed changes.
//!
//! Rule for weights: each is one over the square of a deviation that counts as large (A. E. Bryson and Y.-C. Ho, *Applied Optimal
//! Control*, 1975, §5.2).

use skidpad_files::diagnostic::Diagnostic;

use super::bicycle::{Car, Lateral, discrete};
use super::matrix::Matrix;
use super::place::{self, Nearest};
use super::{LIMITS, Last, Law, Moment, TrackerEntry, Wanted};
use crate::{LinearizerParameters, TrackerParameters, VehicleState};

pub(super) const ENTRY: TrackerEntry = TrackerEntry {
    name: "lqr",
    help: "the cheapest steering of a linear bicycle that knows the path ahead (Snider 2009): preview, *_scale, k_along, model",
    keys: &["k_along", "model", "preview", "position_scale", "course_scale", "steering_rate_scale", "I_z"],
    vehicle_keys: LIMITS,
    build: Some(build),
};

/// Least speed of the model [m/s]: a car that stands cannot be led by its steering.
const MIN_SPEED: f64 = 0.1;
/// Most instants of the preview.
const MAX_AHEAD: f64 = 1000.0;
/// Doublings after which Riccati's iteration ends, and the relative change at which it does.
const DOUBLINGS: usize = 40;
const CONVERGED: f64 = 1e-13;

#[derive(Debug)]
struct Lqr {
    parameters: TrackerParameters,
    car: Car,
    nearest: Nearest,
}

fn build(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Box<dyn Law>, Diagnostic> {
    let car = Car::new(parameters, vehicle)?;
    Ok(Box::new(Lqr { parameters: *parameters, car, nearest: Nearest::default() }))
}

/// A linear regulator with its solution.
pub(super) struct Regulator {
    a: Matrix,
    b: Matrix,
    d: Matrix,
    p: Matrix,
    gain: Matrix,
    /// (R + BᵀPB)⁻¹Bᵀ.
    share: Matrix,
}

/// The cost of the states: of the distance and of the course.
pub(super) fn state_cost(lateral: &Lateral, parameters: &TrackerParameters) -> Matrix {
    let squared = |scale: f64| 1.0 / (scale * scale);
    let course = &lateral.course;
    let mut q = course.transposed().times(course).scaled(squared(parameters.course_scale));
    q.set(0, 0, q.get(0, 0) + squared(parameters.position_scale));
    q
}

impl Regulator {
    /// Of the car at `speed` [m/s], > 0, sampled each `step` [s]; none where the equation has no solution in numbers.
    pub(super) fn new(car: &Car, parameters: &TrackerParameters, speed: f64, step: f64) -> Option<Regulator> {
        let lateral = car.lateral(speed);
        let mut inputs = Matrix::zeros(lateral.a.rows(), 2);
        inputs.put([0, 0], &lateral.b);
        inputs.put([0, 1], &lateral.d);
        let (a, inputs) = discrete(&lateral.a, &inputs, step);
        let n = a.rows();
        let (b, d) = (inputs.block([0, 0], [n, 1]), inputs.block([0, 1], [n, 1]));
        let q = state_cost(&lateral, parameters).scaled(step);
        let rate = car.steering_rate_of(parameters.steering_rate_scale);
        let r = step / (rate * rate);
        let p = riccati(&a, &b, &q, r)?;
        let back = b.transposed();
        let weight = r + back.times(&p).times(&b).get(0, 0);
        let share = back.scaled(1.0 / weight);
        let gain = share.times(&p).times(&a);
        gain.is_finite().then_some(Regulator { a, b, d, p, gain, share })
    }

    /// The input for a state and the turn rates [rad/s] of the path from now on; behind them its last one stays.
    pub(super) fn input(&self, state: &Matrix, turn_rates: impl Iterator<Item = f64>) -> Option<f64> {
        let closed = self.a.plus(-1.0, &self.b.times(&self.gain)).transposed();
        let mut ahead = self.p.times(&self.d);
        let (mut sum, mut last) = (self.gain.times(state).get(0, 0), 0.0);
        for rate in turn_rates {
            sum += self.share.times(&ahead).get(0, 0) * rate;
            ahead = closed.times(&ahead);
            last = rate;
        }
        let behind = Matrix::identity(closed.rows()).plus(-1.0, &closed).solve(&ahead)?;
        Some(-(sum + self.share.times(&behind).get(0, 0) * last))
    }
}

/// The solution P of the discrete Riccati equation with one input.
pub(super) fn riccati(a: &Matrix, b: &Matrix, q: &Matrix, r: f64) -> Option<Matrix> {
    let identity = Matrix::identity(a.rows());
    let mut a = *a;
    let mut g = b.times(&b.transposed()).scaled(1.0 / r);
    let mut h = *q;
    for _ in 0..DOUBLINGS {
        // With W = 1 + G·H: A ← A·W⁻¹·A, G ← G + A·W⁻¹·G·Aᵀ, H ← H + Aᵀ·H·W⁻¹·A.
        let w = identity.plus(1.0, &g.times(&h));
        let (wa, wg) = (w.solve(&a)?, w.solve(&g)?);
        let back = a.transposed();
        let more = back.times(&h).times(&wa);
        g = g.plus(1.0, &a.times(&wg).times(&back));
        a = a.times(&wa);
        h = h.plus(1.0, &more);
        if more.norm() <= CONVERGED * h.norm() {
            break;
        }
    }
    // Rounding must not make it lopsided.
    Some(h.plus(1.0, &h.transposed()).scaled(0.5)).filter(Matrix::is_finite)
}

impl Law for Lqr {
    fn command(&mut self, moment: &Moment<'_>, state: &VehicleState, last: Last) -> Wanted {
        let (p, car, step) = (&self.parameters, &self.car, moment.period);
        let (position, heading) = (state.world_from_body.position(), state.world_from_body.rotation());
        let nearest_place = self.nearest.find(moment, position, heading);
        let speed = moment.reference.speed().max(MIN_SPEED);
        let steady = car.steady_angle(nearest_place.sample.speed(), nearest_place.sample.curvature());
        let angle = if last.is_known { last.steering_angle } else { steady };
        let lateral = car.state(nearest_place.left(position), nearest_place.turn_to(heading), state, angle);
        // The path goes by as fast as the reference does.
        let count = (p.preview / step).ceil().clamp(1.0, MAX_AHEAD) as u32;
        let end = place::end(moment.trajectory);
        let turn_rates = (0..count).map(|index| {
            let time = nearest_place.time + (f64::from(index) + 0.5) * step;
            speed * moment.trajectory.at(time.min(end)).curvature()
        });
        let regulator = Regulator::new(car, p, speed, step);
        let input = regulator.and_then(|regulator| regulator.input(&lateral, turn_rates)).unwrap_or(0.0);
        Wanted {
            speed: place::speed(moment, &nearest_place, p.k_along),
            steering_angle: car.angle_of(car.steering_of(angle) + step * input),
            plan_is_held: false,
        }
    }

    fn reset(&mut self) {
        self.nearest.reset();
    }
}
