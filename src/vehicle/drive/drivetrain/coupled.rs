//! Differentials with coupled shafts, and the powertrain before them, solved together with the tyres.
//!
//! The torques on the wheels are T = a·T_in + Σ d_k·τ_k: a are the shares of the input torque, and d_k is the effect on the wheels of
//! a torque τ_k between the two shafts of differential k. By conservation of power the input turns with aᵀω, and the shafts of k with
//! the difference d_kᵀω. A locked differential requires d_kᵀω = 0 at the end of the step, a viscous one τ_k = −c·d_kᵀω, a Torsen d_kᵀω
//! = 0 within its limit.
//!
//! The response of a wheel to a torque is its friction law, evaluated at a torque and a neighbouring one, and again at the result (Newton's
//! method with step halving where needed). It starts where the torques of the last two steps lead. Where that does not converge it starts
//! from the solution of an open differential, which is also the fallback.
//!
//! A wheel that sticks has the body's speed one step later. Therefore each spin includes what the torques of the driven wheels do to the
//! body within the step: ω_i + dt/R_i·Σ_j B_ij·ΔF_j. Here B_ij = n_i·n_j/m + (r_i × n_i)·(r_j × n_j)/I_z, and n are the rolling
//! directions. Without that term a stiff coupling would respond to the motion one step late, and oscillate.

use super::{DifferentialKind, DrivenAxles, Drivetrain};
use crate::Inertia;
use crate::friction::{FrictionLaw, WheelContact, react_braked};
use crate::pairs::sum_by_pairs;
use crate::powertrain::{Powertrain, ShaftResponse, Solution};
use crate::wheel::Wheel;

/// Largest number of Newton iterations. Tyres that stick need one or two.
const MAX_ROUNDS: usize = 16;
/// The same, after the first one, from where the last steps lead.
const MAX_ROUNDS_FROM_LAST: usize = 3;
/// Newton steps are halved until they improve the solution, down to this fraction: laws and brakes have kinks and jumps.
const MIN_PART: f64 = 0.01;
/// Relative tolerance of the spins.
const ACCURACY: f64 = 1e-10;
/// Compliance of a lock, relative to that of a free wheel: too small to be seen, but wheels that cannot turn at all stay solvable.
const SOFTNESS: f64 = 1e-10;

/// Compliance of locks in the rounds that harden them, in the same unit.
const SOFT_LOCKS: [f64; 6] = [1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6];

/// Centre, front and rear differential.
const COUNT: usize = 3;

/// A value for each wheel: rear left, rear right, front left, front right.
type Wheels = [f64; 4];

/// The wheels, and the state that determines their response to torque.
pub(crate) struct Axles<'a> {
    pub(crate) law: &'a dyn FrictionLaw,
    pub(crate) wheels: &'a [Wheel],
    /// Mass properties of the whole vehicle.
    pub(crate) inertia: Inertia,
    /// Contacts, which receive the torques.
    pub(crate) contacts: &'a mut [WheelContact],
    /// Torque capacity of the service brakes [N·m], ≥ 0.
    pub(crate) brake_torque: &'a [f64],
    /// The torques of the last step and the one before it, and afterwards those of this step and the last.
    pub(crate) last: &'a mut [ShaftTorques; 2],
}

/// Torques [N·m] of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ShaftTorques {
    /// Of the input.
    input: f64,
    /// Between the shafts of each differential.
    held: [f64; COUNT],
}

/// Input of the differentials.
pub(crate) enum Source<'a> {
    /// A motor's torque [N·m].
    Motor(f64),
    /// A powertrain, prepared for this step.
    Powertrain(&'a Powertrain),
}

/// Equation of one differential in this step.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Effect on each wheel of a unit of torque between its shafts.
    wheels: Wheels,
    /// Speed difference per torque [rad/s/(N·m)] of a viscous coupling.
    softness: f64,
    /// Whether the row is active.
    acts: bool,
    /// Torque on its case, as fractions of the input torque and of the torque between the shafts of the centre differential.
    case: [f64; 2],
    /// Largest torque between the shafts towards the second and towards the first, as fractions of the torque on its case;
    /// none for differentials without such a limit.
    bias: Option<[f64; 2]>,
    /// Bound of any torque between the shafts [N·m].
    most: f64,
    /// Active limit: -1 or 1; 0 where the row follows its law.
    at_limit: i8,
    /// That limit: a fraction of the torque on its case [-] with a bias, else a torque [N·m].
    limit: f64,
    /// The torque between the shafts [N·m].
    torque: f64,
}

/// Linear response of the spins to torques around the current ones.
struct Linear {
    /// Spin without torque, on the tangent [rad/s].
    spin: Wheels,
    /// Gain of spin i [rad/s] per torque j [N·m].
    slope: [Wheels; 4],
}

impl Drivetrain {
    /// Writes the torque on each wheel into the contacts. Returns the solution for the powertrain for this step of `dt` [s].
    pub(crate) fn drive(&self, source: &Source<'_>, axles: &mut Axles<'_>, dt: f64) -> Option<Solution> {
        if axles.contacts.len() != 4 || axles.wheels.len() != 4 {
            return None;
        }
        let shares = self.input_shares(source, axles.contacts);
        let mut rows = self.rows(source, &shares, axles, dt);
        let body = axles.body_response();
        let at_rest = axles.probe_all(&shares, &rows, &[0.0; 4]);
        let task = Task { source, shares, at_rest, body, dt };
        let [last, before] = *axles.last;
        let led = |last: f64, before: f64| last + (last - before);
        let held = [0, 1, 2].map(|k| led(last.held[k], before.held[k]));
        let start = task.state(axles, &rows, led(last.input, before.input), held, None);
        // A whole step of Newton's method, wherever it leads.
        let (input, solution) = find_torques(&task, axles, &mut rows, (&start.torque, &start.now));
        let held = rows.each_ref().map(|row| row.torque);
        let first = task.state(axles, &rows, input, held, solution);
        let mut best = task.newton(axles, &mut rows, first, MAX_ROUNDS_FROM_LAST);
        if !best.fits() {
            best = task.starting_open(axles, &mut rows);
        }
        *axles.last = [ShaftTorques { input: best.input, held: best.held }, last];
        for (contact, torque) in axles.contacts.iter_mut().zip(best.torque) {
            contact.torque = torque;
        }
        best.solution
    }

    /// Share of the input torque at each wheel, without the torques between shafts.
    fn input_shares(&self, source: &Source<'_>, contacts: &[WheelContact]) -> Wheels {
        match source {
            Source::Motor(_) => {
                self.wheel_shares([contacts[0].spin, contacts[1].spin, contacts[2].spin, contacts[3].spin])
            }
            // Standing wheels: the effect of a Torsen is in its row.
            Source::Powertrain(_) => self.wheel_shares([0.0; 4]),
        }
    }

    fn rows(&self, source: &Source<'_>, shares: &Wheels, axles: &Axles<'_>, dt: f64) -> [Row; COUNT] {
        // Each share by a division of its own, so that the mirror image has the same bits.
        let split = |left: f64, right: f64, own: f64| {
            let sum = left + right;
            if sum > 0.0 { [left / sum, right / sum] } else { [own, 1.0 - own] }
        };
        let front = split(shares[2], shares[3], self.front.split);
        let rear = split(shares[0], shares[1], self.rear.split);
        let center = self.center.split;
        let columns = [
            (&self.center, [-rear[0], -rear[1], front[0], front[1]], self.driven == DrivenAxles::Both, [1.0, 0.0]),
            (
                &self.front,
                [0.0, 0.0, 1.0, -1.0],
                self.driven != DrivenAxles::Rear && center_reaches(self, center),
                [shares[2] + shares[3], 1.0],
            ),
            (
                &self.rear,
                [1.0, -1.0, 0.0, 0.0],
                self.driven != DrivenAxles::Front && center_reaches(self, 1.0 - center),
                [shares[0] + shares[1], -1.0],
            ),
        ];
        // Beyond the capacity of tyres and wheels: reached only if wheels cannot turn at all.
        let most_of = |c: &WheelContact| 10.0 * c.load * c.radius + 10.0 * c.inertia * (1.0 + c.spin.abs()) / dt;
        let most = sum_by_pairs(axles.contacts.iter().map(most_of));
        let free = sum_by_pairs(axles.contacts.iter().map(|c| dt / c.inertia));
        columns.map(|(differential, wheels, driven, case)| {
            let row = Row { wheels, softness: SOFTNESS * free, acts: driven, case, most, ..Row::default() };
            match (differential.kind, source) {
                (DifferentialKind::Locked, _) => row,
                (DifferentialKind::Viscous { viscosity }, _) if viscosity > 0.0 => {
                    Row { softness: row.softness + 1.0 / viscosity, ..row }
                }
                (DifferentialKind::Torsen { bias }, Source::Powertrain(_)) => {
                    let split = differential.split;
                    // From σ·T + τ = b·((1 − σ)·T − τ), and the same for the other shaft.
                    let towards_first = ((bias * (1.0 - split) - split) / (1.0 + bias)).max(0.0);
                    let towards_second = ((bias * split - (1.0 - split)) / (1.0 + bias)).max(0.0);
                    Row { bias: Some([towards_second, towards_first]), ..row }
                }
                _ => Row { acts: false, ..row },
            }
        })
    }
}

/// Whether an axle with this share of the centre differential's torque is driven.
fn center_reaches(drivetrain: &Drivetrain, share: f64) -> bool {
    drivetrain.driven != DrivenAxles::Both || share > 0.0 || drivetrain.center.kind != DifferentialKind::Open
}

/// Finds the torque of each row and of the input [N·m] on the tangent of the wheels' response at `torque`. Finds also which of the
/// limited rows are at their limits. Returns the torque of the input, and the solution of the powertrain.
fn find_torques(
    &Task { source, ref shares, ref at_rest, ref body, dt }: &Task<'_>,
    axles: &Axles<'_>,
    rows: &mut [Row; COUNT],
    (torque, now): (&Wheels, &[Probe; 4]),
) -> (f64, Option<Solution>) {
    const MAX_ROUNDS: usize = 8;
    let linear = axles.linearise(torque, now, at_rest, body, dt);
    let (mut input, mut solution) = (0.0, None);
    for _ in 0..MAX_ROUNDS {
        let (constant, per_input) = eliminate(rows, shares, &linear);
        let at = |input: f64| {
            let mut torque = [0.0; 4];
            for (i, torque) in torque.iter_mut().enumerate() {
                *torque = shares[i] * input;
                for (row, (c, p)) in rows.iter().zip(constant.iter().zip(&per_input)) {
                    *torque += row.wheels[i] * (c + p * input);
                }
            }
            linear.at(&torque)
        };
        input = match source {
            Source::Motor(torque) => *torque,
            Source::Powertrain(powertrain) => {
                let free = dot(shares, &at(0.0));
                let compliance = (dot(shares, &at(1.0)) - free).max(0.0);
                let solved = powertrain.solve(ShaftResponse { speed_free: free, compliance }, dt);
                solution = Some(solved);
                solved.torque
            }
        };
        let spin = at(input);
        for (row, (c, p)) in rows.iter_mut().zip(constant.iter().zip(&per_input)) {
            row.torque = c + p * input;
        }
        let mut settled = true;
        let center = rows[0].torque;
        for row in rows.iter_mut().filter(|row| row.acts) {
            let [low, high] = row.limits(input, center);
            let difference = dot(&row.wheels, &spin);
            let next = match row.at_limit {
                0 if row.torque > high => Row::limit_part(row, input, center, true),
                0 if row.torque < low => Row::limit_part(row, input, center, false),
                // Friction never drives: the shaft that gets more torque is the slower one.
                _ if row.at_limit != 0 && row.torque * difference > 0.0 => (0, 0.0),
                same => (same, row.limit),
            };
            settled &= next.0 == row.at_limit && next.1 == row.limit;
            (row.at_limit, row.limit) = next;
        }
        if settled {
            break;
        }
    }
    let center = rows[0].torque;
    for row in rows.iter_mut() {
        let [low, high] = row.limits(input, center);
        // Not `clamp`, which panics at limits that are NaN; those are handled by the step.
        row.torque = row.torque.max(low).min(high);
    }
    (input, solution)
}

impl Row {
    /// Smallest and largest torque between the shafts [N·m], ≤ 0 and ≥ 0, for this input torque and torque between the shafts
    /// of the centre differential [N·m].
    fn limits(&self, input: f64, center: f64) -> [f64; 2] {
        let Some([second, first]) = self.bias else { return [-self.most, self.most] };
        let case = self.case[0] * input + self.case[1] * center;
        if case >= 0.0 { [-second * case, first * case] } else { [first * case, -second * case] }
    }

    /// State of a row at its upper or lower limit: its sign, and the limit as a fraction of the torque on its case, or in N·m.
    fn limit_part(&self, input: f64, center: f64, upper: bool) -> (i8, f64) {
        let sign = if upper { 1 } else { -1 };
        let Some([second, first]) = self.bias else { return (sign, f64::from(sign) * self.most) };
        let forward = self.case[0] * input + self.case[1] * center >= 0.0;
        (sign, if upper == forward { first } else { -second })
    }
}

/// Speed errors [rad/s]: of shafts that must turn together, and of the input against the powertrain's solution.
fn find_misfit(
    rows: &[Row; COUNT],
    (input, held): (f64, &[f64; COUNT]),
    shares: &Wheels,
    spin: &Wheels,
    solution: &Option<Solution>,
) -> f64 {
    let off: f64 = solution.map_or(0.0, |solution| solution.shaft_speed - dot(shares, spin));
    let mut sum = off * off;
    for (row, &torque) in rows.iter().zip(held).filter(|(row, _)| row.acts) {
        let [low, high] = row.limits(input, held[0]);
        let mut off = dot(&row.wheels, spin) + row.softness * torque;
        // At a limit, only an error that would move the row back counts.
        let near = 1e-9 * (high - low);
        if torque >= high - near {
            off = off.max(0.0);
        }
        if torque <= low + near {
            off = off.min(0.0);
        }
        sum += off * off;
    }
    sum.sqrt()
}

/// The torque of each row as c + p·T_in [N·m].
fn eliminate(rows: &[Row; COUNT], shares: &Wheels, linear: &Linear) -> ([f64; COUNT], [f64; COUNT]) {
    let mut matrix = [[0.0; COUNT]; COUNT];
    let (mut constant, mut per_input) = ([0.0; COUNT], [0.0; COUNT]);
    let at_rest = linear.spin;
    let by_input = linear.change(shares);
    for (k, row) in rows.iter().enumerate() {
        if !row.acts || row.at_limit != 0 {
            matrix[k][k] = 1.0;
            match row.bias {
                Some(_) if row.acts => {
                    per_input[k] = row.limit * row.case[0];
                    matrix[k][0] -= row.limit * row.case[1];
                }
                _ => constant[k] = if row.acts { row.limit } else { 0.0 },
            }
            continue;
        }
        for (j, other) in rows.iter().enumerate().filter(|(_, other)| other.acts) {
            matrix[k][j] = dot(&row.wheels, &linear.change(&other.wheels));
        }
        matrix[k][k] += row.softness;
        constant[k] = -dot(&row.wheels, &at_rest);
        per_input[k] = -dot(&row.wheels, &by_input);
    }
    solve(&mut matrix, &mut constant, &mut per_input);
    (constant, per_input)
}

/// Gaussian elimination with pivoting, for two right-hand sides; a row without any pivot gets zero.
fn solve(matrix: &mut [[f64; COUNT]; COUNT], a: &mut [f64; COUNT], b: &mut [f64; COUNT]) {
    for k in 0..COUNT {
        let pivot = (k..COUNT).fold(k, |best, i| if matrix[i][k].abs() > matrix[best][k].abs() { i } else { best });
        matrix.swap(k, pivot);
        a.swap(k, pivot);
        b.swap(k, pivot);
        if matrix[k][k] == 0.0 {
            continue;
        }
        let above = matrix[k];
        for i in k + 1..COUNT {
            let factor = matrix[i][k] / above[k];
            for (value, above) in matrix[i].iter_mut().zip(above) {
                *value -= factor * above;
            }
            a[i] -= factor * a[k];
            b[i] -= factor * b[k];
        }
    }
    for k in (0..COUNT).rev() {
        for x in [&mut *a, &mut *b] {
            let rest: f64 = (k + 1..COUNT).map(|j| matrix[k][j] * x[j]).sum();
            x[k] = if matrix[k][k] == 0.0 { 0.0 } else { (x[k] - rest) / matrix[k][k] };
        }
    }
}

fn dot(a: &Wheels, b: &Wheels) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

impl Linear {
    /// Change of the spins [rad/s] due to these torques [N·m].
    fn change(&self, torque: &Wheels) -> Wheels {
        self.slope.map(|row| dot(&row, torque))
    }

    /// Spins [rad/s] at these torques [N·m].
    fn at(&self, torque: &Wheels) -> Wheels {
        let change = self.change(torque);
        [0, 1, 2, 3].map(|i| self.spin[i] + change[i])
    }
}

/// Constants of a step while the torques are sought.
struct Task<'a> {
    source: &'a Source<'a>,
    shares: Wheels,
    /// Response of the wheels without torque.
    at_rest: [Probe; 4],
    body: [Wheels; 4],
    dt: f64,
}

/// Candidate torques and their errors.
#[derive(Clone, Copy)]
struct Candidate {
    /// Input torque [N·m].
    input: f64,
    /// Torque between the shafts of each differential [N·m].
    held: [f64; COUNT],
    /// On each wheel [N·m].
    torque: Wheels,
    now: [Probe; 4],
    /// Spins at the end of the step [rad/s].
    spin: Wheels,
    /// Speed errors [rad/s].
    misfit: f64,
    solution: Option<Solution>,
}

impl Candidate {
    fn fits(&self) -> bool {
        self.misfit <= ACCURACY * (1.0 + self.spin.iter().fold(0.0, |most: f64, spin| most.max(spin.abs())))
    }
}

impl Task<'_> {
    /// The torques from a start without any lock or coupling, which no kink of a law can spoil.
    #[inline(never)]
    fn starting_open(&self, axles: &Axles<'_>, rows: &mut [Row; COUNT]) -> Candidate {
        rows.iter_mut().for_each(|row| row.at_limit = 0);
        let mut without = [Row::default(); COUNT];
        let (input, solution) = find_torques(self, axles, &mut without, (&[0.0; 4], &self.at_rest));
        let open = self.state(axles, rows, input, [0.0; COUNT], solution);
        let best = self.newton(axles, rows, open, MAX_ROUNDS);
        if best.fits() {
            return best;
        }
        // Locks that begin soft and harden pass the kinks.
        let hard = rows.map(|row| row.softness);
        let free = sum_by_pairs(axles.contacts.iter().map(|c| self.dt / c.inertia));
        let mut state = open;
        for softness in SOFT_LOCKS {
            for (row, hard) in rows.iter_mut().zip(hard) {
                row.softness = hard + softness * free;
                row.at_limit = 0;
            }
            let again = self.state(axles, rows, state.input, state.held, state.solution);
            state = self.newton(axles, rows, again, 4);
        }
        for (row, hard) in rows.iter_mut().zip(hard) {
            row.softness = hard;
        }
        let again = self.state(axles, rows, state.input, state.held, state.solution);
        state = self.newton(axles, rows, again, 4);
        if state.misfit < best.misfit { state } else { best }
    }

    fn state(
        &self,
        axles: &Axles<'_>,
        rows: &[Row; COUNT],
        input: f64,
        held: [f64; COUNT],
        solution: Option<Solution>,
    ) -> Candidate {
        let torque = [0, 1, 2, 3].map(|i| {
            self.shares[i] * input + rows.iter().zip(&held).map(|(row, held)| row.wheels[i] * held).sum::<f64>()
        });
        let now = axles.probe_all(&self.shares, rows, &torque);
        let spin = axles.spins(&now, &self.at_rest, &self.body, self.dt);
        let misfit = find_misfit(rows, (input, &held), &self.shares, &spin, &solution);
        Candidate { input, held, torque, now, spin, misfit, solution }
    }

    /// Newton's method starting from `state`, for at most this number of rounds.
    fn newton(&self, axles: &Axles<'_>, rows: &mut [Row; COUNT], mut state: Candidate, rounds: usize) -> Candidate {
        for _ in 0..rounds {
            if state.fits() {
                break;
            }
            let (input, solution) = find_torques(self, axles, rows, (&state.torque, &state.now));
            let mut part = 1.0;
            let next = loop {
                let held = [0, 1, 2].map(|k| state.held[k] + part * (rows[k].torque - state.held[k]));
                let next = self.state(axles, rows, state.input + part * (input - state.input), held, solution);
                if next.misfit < state.misfit {
                    break Some(next);
                }
                part *= 0.5;
                if part < MIN_PART {
                    break None;
                }
            };
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
        state
    }
}

/// Response of a wheel to some torque.
#[derive(Clone, Copy, Debug, Default)]
struct Probe {
    /// Spin after the step [rad/s].
    spin: f64,
    /// Force of the ground along its rolling direction [N].
    force: f64,
    /// Whether the torques reach the wheel.
    driven: bool,
}

impl Axles<'_> {
    /// Response of wheel `i` to `torque` [N·m].
    fn probe(&self, i: usize, torque: f64) -> Probe {
        let contact = WheelContact { torque, ..self.contacts[i] };
        let reaction = react_braked(self.law, &contact, self.brake_torque[i]);
        Probe {
            spin: contact.spin + reaction.spin_acceleration * contact.dt,
            force: reaction.force_in_wheel.x,
            driven: true,
        }
    }

    /// Responses of the driven wheels to these torques [N·m].
    fn probe_all(&self, shares: &Wheels, rows: &[Row; COUNT], torque: &Wheels) -> [Probe; 4] {
        [0, 1, 2, 3].map(|i| {
            let driven = shares[i] != 0.0 || rows.iter().any(|row| row.acts && row.wheels[i] != 0.0);
            if driven { self.probe(i, torque[i]) } else { Probe::default() }
        })
    }

    /// B: velocity along the rolling direction of wheel i per second that a force [N] along that of wheel j causes [1/kg].
    fn body_response(&self) -> [Wheels; 4] {
        let along = [0, 1, 2, 3].map(|i| self.wheels[i].body_from_wheel() * skidpad_math::Vec2::new(1.0, 0.0));
        let lever =
            [0, 1, 2, 3].map(|i| (self.wheels[i].parameters.position - self.inertia.center_of_mass).cross(along[i]));
        [0, 1, 2, 3].map(|i| {
            [0, 1, 2, 3].map(|j| along[i].dot(along[j]) / self.inertia.mass + lever[i] * lever[j] / self.inertia.yaw)
        })
    }

    /// Spins at the end of the step [rad/s], including the effect of the torques on the body.
    fn spins(&self, now: &[Probe; 4], at_rest: &[Probe; 4], body: &[Wheels; 4], dt: f64) -> Wheels {
        let force = [0, 1, 2, 3].map(|j| now[j].force - at_rest[j].force);
        [0, 1, 2, 3].map(|i| now[i].spin + dt / self.contacts[i].radius * dot(&body[i], &force))
    }

    /// The tangent at these torques, where the wheels respond with `now`.
    fn linearise(
        &self,
        torque: &Wheels,
        now: &[Probe; 4],
        at_rest: &[Probe; 4],
        body: &[Wheels; 4],
        dt: f64,
    ) -> Linear {
        let (mut spin_slope, mut force_slope) = ([0.0; 4], [0.0; 4]);
        for i in (0..4).filter(|&i| now[i].driven) {
            let contact = &self.contacts[i];
            let small = 1e-5 * (contact.load * contact.radius + torque[i].abs()) + 1e-6;
            let next = self.probe(i, torque[i] + small);
            spin_slope[i] = ((next.spin - now[i].spin) / small).max(0.0);
            force_slope[i] = ((next.force - now[i].force) / small).max(0.0);
        }
        let slope = [0, 1, 2, 3].map(|i| {
            [0, 1, 2, 3].map(|j| {
                let by_body = dt / self.contacts[i].radius * body[i][j] * force_slope[j];
                if i == j { spin_slope[i] + by_body } else { by_body }
            })
        });
        let linear = Linear { spin: self.spins(now, at_rest, body, dt), slope };
        let change = linear.change(torque);
        Linear { spin: [0, 1, 2, 3].map(|i| linear.spin[i] - change[i]), ..linear }
    }
}
