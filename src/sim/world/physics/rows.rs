//! Constraint equations whose impulses act on several bodies together: joints, walls that stop a train, collisions that bounce.
//! Each row is a constraint on a measure that is linear, or nearly linear, in the velocities: an equality or an upper bound.
//!
//! Solved by Newton's method with the initial matrix J·M⁻¹·Jᵀ. Inequality rows are active while their impulse has the admissible
//! sign (primal-dual active set, M. Hintermüller, K. Ito and K. Kunisch, SIAM J. Optim. 13, 2002).

use skidpad_math::{Rot2, Vec2};

use super::linear::Envelope;
use super::{Body, BodyIndex};

/// A row within this tolerance [m] or [rad] is satisfied.
pub(super) const TOLERANCE: f64 = 1e-9;
/// A solution within this tolerance needs no second attempt.
const GOOD_ENOUGH: f64 = 1e-6;
/// Largest number of Newton iterations; three or four are usual.
pub(super) const MAX_ROUNDS: usize = 40;
/// The iteration has diverged when its error is this many times that of an earlier iteration.
const DIVERGED: f64 = 1e6;
/// Largest turn of a body per iteration [rad] when positions are corrected.
const MAX_TURN: f64 = 0.3;

/// Derivatives of a measure by position [-] and yaw [m] of a body; none at the world's end.
pub(super) type Side = Option<(BodyIndex, Vec2, f64)>;

/// The quantity that a row constrains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// Offset of the anchors along a direction in the world [m].
    Offset(usize, Vec2),
    /// Distance of the anchors minus this [m].
    Longer(usize, f64),
    /// This minus the distance of the anchors [m].
    Shorter(usize, f64),
    /// Angle minus this [rad].
    Above(usize, f64),
    /// This minus the angle [rad].
    Below(usize, f64),
    /// Elongation of a spring, as the weighted mean of that from the rest length and that from the initial length: the share of
    /// the stiffness that acts at the end of the step, the rest length and the initial length [m].
    Spring(usize, f64, f64, f64),
    /// Distance moved towards a wall minus the gap before it [m].
    Wall(f64),
}

/// A row: how a measure depends on the motion of two bodies, and the impulse that acts on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) measure: Measure,
    /// Bodies, none at the world's end, with the derivative of the measure by their position [-] and yaw [m].
    pub(super) sides: [Side; 2],
    /// True: the measure must not exceed its bound; false: it must equal it.
    pub(super) is_limit: bool,
    /// Bound of the measure [m] or [rad].
    pub(super) start: f64,
    /// Compliance of springs and dampers [m/(N·s)].
    pub(super) compliance: f64,
    pub(super) impulse: f64,
    pub(super) is_active: bool,
    /// Violation of the bound.
    pub(super) excess: f64,
}

/// A set of rows, and the workspace to solve them.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// For each body the first active row that moves it.
    first_row: Vec<u32>,
    active: Vec<u32>,
    matrix: Envelope,
    right: Vec<f64>,
}

/// 1/m and 1/I of a body in the equations.
pub(super) fn mobility(body: &Body, yielding: bool) -> (f64, f64) {
    let stands = body.is_prescribed || (!yielding && (body.imposed.is_some() || body.is_held));
    if stands { (0.0, 0.0) } else { (1.0 / body.inertia.mass, 1.0 / body.inertia.yaw) }
}

/// Effect of the impulse of one row on the measure of another.
pub(super) fn coupling(a: &Row, b: &Row, bodies: &[Body], yielding: bool) -> f64 {
    let mut sum = 0.0;
    for (i, push, turn) in a.sides.iter().flatten() {
        for (k, other_push, other_turn) in b.sides.iter().flatten() {
            if i == k {
                let (inverse_mass, inverse_yaw) = mobility(&bodies[*i], yielding);
                sum += inverse_mass * push.dot(*other_push) + inverse_yaw * turn * other_turn;
            }
        }
    }
    sum
}

/// Applies the impulse of a row to the velocities of its bodies, with negative sign.
pub(super) fn act(row: &Row, impulse: f64, bodies: &mut [Body], yielding: bool) {
    for &(index, push, turn) in row.sides.iter().flatten() {
        let body = &mut bodies[index];
        let (inverse_mass, inverse_yaw) = mobility(body, yielding);
        body.velocity_in_world = body.velocity_in_world - (impulse * inverse_mass) * push;
        body.yaw_rate -= impulse * inverse_yaw * turn;
    }
}

impl Row {
    pub(super) fn new(measure: Measure, sides: [Side; 2], is_limit: bool) -> Row {
        Row { measure, sides, is_limit, start: 0.0, compliance: 0.0, impulse: 0.0, is_active: false, excess: 0.0 }
    }

    /// First-order change of the measure by the velocities over `dt` [s].
    pub(super) fn change(&self, bodies: &[Body], dt: f64) -> f64 {
        let change_by_side = |(index, push, turn): &(BodyIndex, Vec2, f64)| {
            dt * (bodies[*index].velocity_in_world.dot(*push) + bodies[*index].yaw_rate * turn)
        };
        self.sides.iter().flatten().map(change_by_side).sum()
    }
}

impl Rows {
    /// Reserves memory for this many rows and bodies.
    pub(super) fn with_capacity(rows: usize, bodies: usize) -> Rows {
        Rows {
            rows: Vec::with_capacity(rows),
            first_row: vec![u32::MAX; bodies],
            active: Vec::with_capacity(rows),
            matrix: Envelope::with_capacity(rows),
            right: Vec::with_capacity(rows),
        }
    }

    /// Clears all rows, for this many bodies.
    pub(super) fn clear(&mut self, bodies: usize) {
        self.rows.clear();
        self.first_row.resize(bodies, u32::MAX);
    }

    /// Solves for the impulses of the rows and applies them. `value` gives the measure of a row after the bodies have moved for
    /// `dt` [s] with their velocities. Returns whether all rows are satisfied.
    pub(super) fn settle(
        &mut self,
        bodies: &mut [Body],
        dt: f64,
        yielding: bool,
        value: impl Fn(&Row, &[Body]) -> f64,
    ) -> bool {
        for row in &mut self.rows {
            row.impulse = 0.0;
            row.is_active = !row.is_limit;
        }
        let (mut worst, mut last, mut least) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        for round in 0..MAX_ROUNDS {
            let mut has_changed = false;
            for row in &mut self.rows {
                // Ropes do not push.
                if row.is_limit && row.is_active && row.impulse < 0.0 {
                    act(row, -row.impulse, bodies, yielding);
                    row.impulse = 0.0;
                    row.is_active = false;
                    has_changed = true;
                }
            }
            worst = 0.0;
            for row in &mut self.rows {
                row.excess = value(row, bodies) - row.start;
                if !row.is_active && row.excess > TOLERANCE {
                    row.is_active = true;
                    has_changed = true;
                }
                if row.is_active {
                    let miss = (row.excess - row.compliance * row.impulse).abs();
                    worst = worst.max(if miss.is_nan() { f64::INFINITY } else { miss });
                }
            }
            // Converge as far as rounding at the world's coordinates allows.
            let is_settled = worst <= 0.01 * TOLERANCE || (worst <= TOLERANCE && worst > 0.5 * last);
            least = least.min(worst);
            if (is_settled && !has_changed) || !worst.is_finite() || worst > DIVERGED * least {
                break;
            }
            last = worst;
            if has_changed || round == 0 {
                self.factor(bodies, dt, yielding);
            }
            self.solve_active();
            for (&row, &impulse) in self.active.iter().zip(&self.right) {
                let row = &mut self.rows[row as usize];
                row.impulse += impulse;
                act(row, impulse, bodies, yielding);
            }
        }
        worst <= GOOD_ENOUGH
    }

    /// Assembles and factors the matrix of the active rows, for motions of `dt` [s].
    fn factor(&mut self, bodies: &[Body], dt: f64, yielding: bool) {
        self.matrix.clear();
        self.active.clear();
        for row in &self.rows {
            for (index, _, _) in row.sides.iter().flatten() {
                self.first_row[*index] = u32::MAX;
            }
        }
        for (position, row) in self.rows.iter().enumerate() {
            let diagonal = dt * coupling(row, row, bodies, yielding) + row.compliance;
            if !row.is_active || diagonal <= 0.0 {
                continue;
            }
            let place = self.active.len();
            self.active.push(position as u32);
            let mut first = place;
            for (index, _, _) in row.sides.iter().flatten() {
                let of_body = &mut self.first_row[*index];
                *of_body = (*of_body).min(place as u32);
                if mobility(&bodies[*index], yielding).0 > 0.0 {
                    first = first.min(*of_body as usize);
                }
            }
            let (rows, active) = (&self.rows, &self.active);
            self.matrix.push(first, |column| {
                if column == place {
                    diagonal
                } else {
                    dt * coupling(row, &rows[active[column] as usize], bodies, yielding)
                }
            });
        }
        self.matrix.factor();
    }

    /// Solves the equations for the violation of the active rows; the solution is in `right`.
    fn solve_active(&mut self) {
        self.right.clear();
        let rows = &self.rows;
        self.right.extend(self.active.iter().map(|&row| {
            let row = &rows[row as usize];
            row.excess - row.compliance * row.impulse
        }));
        self.matrix.solve(&mut self.right);
    }

    /// Moves bodies so that the active rows are no longer violated, without changing velocities. Returns the largest displacement of
    /// a body [m].
    pub(super) fn put_right(&mut self, bodies: &mut [Body], yielding: bool) -> f64 {
        self.factor(bodies, 1.0, yielding);
        self.solve_active();
        self.shift(bodies, yielding)
    }

    /// Moves bodies by the solution of the equations. Returns the largest displacement [m].
    fn shift(&self, bodies: &mut [Body], yielding: bool) -> f64 {
        let mut turned: f64 = 0.0;
        let mut farthest: f64 = 0.0;
        let rows = || self.active.iter().zip(&self.right).map(|(&row, &x)| (&self.rows[row as usize], x));
        // The turn is bounded, so that no body is spun around.
        for (row, x) in rows() {
            for (index, _, turn) in row.sides.iter().flatten() {
                turned = turned.max((x * mobility(&bodies[*index], yielding).1 * turn).abs());
            }
        }
        let share = if turned > MAX_TURN { MAX_TURN / turned } else { 1.0 };
        for (row, x) in rows() {
            for &(index, push, turn) in row.sides.iter().flatten() {
                let body = &mut bodies[index];
                let (inverse_mass, inverse_yaw) = mobility(body, yielding);
                let displacement = (-share * x * inverse_mass) * push;
                let turn = -share * x * inverse_yaw * turn;
                body.center_in_world = body.center_in_world + displacement;
                body.yaw += turn;
                body.world_from_body = body.world_from_body * Rot2::new(turn);
                farthest = farthest.max(displacement.norm() + turn.abs() * body.radius);
            }
        }
        farthest
    }
}
