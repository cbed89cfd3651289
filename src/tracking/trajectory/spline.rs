//! Cubic splines through points of the plane: position and the first two derivatives are continuous.
//!
//! Between knots u_i and u_{i+1}, h apart, with s from 0 to 1 and the second derivatives M:
//!
//! ```text
//! r = (1 − s)·p_i + s·p_{i+1} + h²/6·((q³ − q)·M_i + (s³ − s)·M_{i+1})      q = 1 − s
//! ```
//! The M make r' continuous: h_{i−1}·M_{i−1} + 2·(h_{i−1} + h_i)·M_i + h_i·M_{i+1} = 6·(d_i − d_{i−1}) with d_i = (p_{i+1} − p_i)/h_i. At
//! free ends M = 0, so that a car begins and ends with straight wheels; a closed curve continues from its last knot to its first.
//! (J. Stoer, R. Bulirsch: *Introduction to Numerical Analysis*, §2.4.)

use skidpad_math::Vec2;

/// Position and its first two derivatives with respect to the parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    pub(super) position: Vec2,
    pub(super) slope: Vec2,
    pub(super) bend: Vec2,
}

/// A curve through points at increasing knots.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    knots: Vec<f64>,
    points: Vec<Vec2>,
    bends: Vec<Vec2>,
}

impl Spline {
    /// The curve with free ends through at least two points.
    pub(super) fn open(knots: Vec<f64>, points: Vec<Vec2>) -> Spline {
        let mut rows = inner_rows(&knots, &points);
        rows.insert(0, Row::FREE);
        rows.push(Row::FREE);
        let bends = solve(&rows);
        Spline { knots, points, bends }
    }

    /// The closed curve through at least three points, the last of which repeats the first.
    pub(super) fn closed(knots: Vec<f64>, points: Vec<Vec2>) -> Spline {
        let count = knots.len() - 1;
        let mut rows = inner_rows(&knots, &points);
        // The first knot lies between the last piece and the first.
        let (last, first) = (knots[count] - knots[count - 1], knots[1] - knots[0]);
        rows.insert(0, Row::of_point(last, first, points[count - 1], points[0], points[1]));
        let mut bends = solve_cyclic(rows);
        bends.push(bends[0]);
        Spline { knots, points, bends }
    }

    /// First and last knot.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.knots[0], self.knots[self.knots.len() - 1])
    }

    /// All knots.
    pub(super) fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The curve at `u`; beyond the ends the last polynomial is extrapolated.
    pub(super) fn at(&self, u: f64) -> Jet {
        let next = self.knots.partition_point(|knot| *knot <= u).clamp(1, self.knots.len() - 1);
        let i = next - 1;
        let h = self.knots[next] - self.knots[i];
        let s = (u - self.knots[i]) / h;
        let q = 1.0 - s;
        let (p, m) = ((self.points[i], self.points[next]), (self.bends[i], self.bends[next]));
        let bow = (h * h / 6.0 * (q * q * q - q)) * m.0 + (h * h / 6.0 * (s * s * s - s)) * m.1;
        let tilt = (h / 6.0 * (1.0 - 3.0 * q * q)) * m.0 + (h / 6.0 * (3.0 * s * s - 1.0)) * m.1;
        Jet { position: q * p.0 + s * p.1 + bow, slope: (1.0 / h) * (p.1 - p.0) + tilt, bend: q * m.0 + s * m.1 }
    }
}

/// One equation: before·M_{i−1} + diagonal·M_i + after·M_{i+1} = right.
#[derive(Clone, Copy, Debug)]
struct Row {
    before: f64,
    diagonal: f64,
    after: f64,
    right: Vec2,
}

impl Row {
    const FREE: Row = Row { before: 0.0, diagonal: 1.0, after: 0.0, right: Vec2::ZERO };

    /// The equation of `point` between two pieces of the lengths `before` and `after`, which lead to `last` and `next`.
    fn of_point(before: f64, after: f64, last: Vec2, point: Vec2, next: Vec2) -> Row {
        let right = 6.0 * ((1.0 / after) * (next - point) - (1.0 / before) * (point - last));
        Row { before, diagonal: 2.0 * (before + after), after, right }
    }
}

/// The equations of all points except the first and the last.
fn inner_rows(knots: &[f64], points: &[Vec2]) -> Vec<Row> {
    let pieces = knots.windows(3).zip(points.windows(3));
    let mut rows = Vec::with_capacity(knots.len());
    rows.extend(pieces.map(|(u, p)| Row::of_point(u[1] - u[0], u[2] - u[1], p[0], p[1], p[2])));
    rows
}

/// Solves the equations, which are diagonally dominant, by elimination without pivots.
fn solve(rows: &[Row]) -> Vec<Vec2> {
    let (mut shares, mut bends) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    let (mut share, mut last) = (0.0, Vec2::ZERO);
    for row in rows {
        let pivot = row.diagonal - row.before * share;
        share = row.after / pivot;
        last = (1.0 / pivot) * (row.right - row.before * last);
        shares.push(share);
        bends.push(last);
    }
    for i in (1..bends.len()).rev() {
        bends[i - 1] = bends[i - 1] - shares[i - 1] * bends[i];
    }
    bends
}

/// Solves the cyclic system, in which the first and the last equation are neighbours, by the Sherman-Morrison formula.
fn solve_cyclic(mut rows: Vec<Row>) -> Vec<Vec2> {
    let last = rows.len() - 1;
    let (corner_first, corner_last) = (rows[0].before, rows[last].after);
    let gamma = -rows[0].diagonal;
    rows[0].diagonal -= gamma;
    rows[last].diagonal -= corner_first * corner_last / gamma;
    (rows[0].before, rows[last].after) = (0.0, 0.0);
    let plain = solve(&rows);
    for row in &mut rows {
        row.right = Vec2::ZERO;
    }
    rows[0].right = Vec2::new(gamma, 0.0);
    rows[last].right = Vec2::new(corner_last, 0.0);
    let extra = solve(&rows);
    let factor = corner_first / gamma;
    let weight = 1.0 / (1.0 + extra[0].x + factor * extra[last].x);
    let share = weight * (plain[0] + factor * plain[last]);
    plain.iter().zip(&extra).map(|(p, e)| *p - e.x * share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec2, b: Vec2, within: f64) -> bool {
        (a - b).norm() <= within
    }

    /// The curve passes through its points, and position, slope and second derivative of both sides agree at each knot, the seam included.
    #[track_caller]
    fn is_smooth(spline: &Spline, is_closed: bool) {
        let h = 1e-9;
        for (knot, point) in spline.knots.iter().zip(&spline.points) {
            assert!(close(spline.at(*knot).position, *point, 1e-12), "{knot}");
        }
        let inner = &spline.knots[1..spline.knots.len() - 1];
        let mut seams: Vec<(f64, f64)> = inner.iter().map(|knot| (knot - h, knot + h)).collect();
        if is_closed {
            seams.push((spline.ends().1 - h, spline.ends().0 + h));
        }
        for (before, after) in seams {
            let (a, b) = (spline.at(before), spline.at(after));
            assert!(close(a.slope, b.slope, 1e-6) && close(a.bend, b.bend, 1e-6), "{before}: {a:?} {b:?}");
        }
    }

    #[test]
    fn pieces_match_in_position_slope_and_second_derivative() {
        let points = [(0.0, 0.0), (1.0, 0.5), (1.5, 2.0), (4.0, 1.0), (4.2, -1.0)].map(|(x, y)| Vec2::new(x, y));
        let open = Spline::open(vec![0.0, 1.0, 1.7, 4.0, 6.0], points.to_vec());
        is_smooth(&open, false);
        assert!(open.at(0.0).bend.norm() < 1e-12 && open.at(6.0).bend.norm() < 1e-12, "free ends");
        let mut round = points.to_vec();
        round.push(points[0]);
        is_smooth(&Spline::closed(vec![0.0, 1.0, 1.7, 4.0, 6.0, 9.0], round), true);
        let triangle = [points[0], points[2], points[4], points[0]].to_vec();
        is_smooth(&Spline::closed(vec![0.0, 1.0, 3.0, 4.0], triangle), true);
    }

    /// The error of a closed cubic spline falls with the fourth power of the knot spacing.
    #[test]
    fn a_circle_is_approximated_to_fourth_order() {
        let error = |count: usize| {
            let angle = |i: usize| i as f64 / count as f64 * std::f64::consts::TAU;
            let on_circle = |u: f64| Vec2::new(u.cos(), u.sin());
            let mut points: Vec<Vec2> = (0..count).map(|i| on_circle(angle(i))).collect();
            points.push(points[0]);
            let spline = Spline::closed((0..=count).map(angle).collect(), points);
            let tries = (0..1000).map(|i| i as f64 / 1000.0 * std::f64::consts::TAU);
            tries.map(|u| (spline.at(u).position - on_circle(u)).norm()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(16), error(32));
        assert!(coarse < 1e-4 && (14.0..18.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }

    #[test]
    fn two_points_make_a_line() {
        let line = Spline::open(vec![2.0, 4.0], vec![Vec2::new(1.0, 1.0), Vec2::new(3.0, 5.0)]);
        let middle = line.at(3.0);
        assert_eq!(
            (middle.position, middle.slope, middle.bend),
            (Vec2::new(2.0, 3.0), Vec2::new(1.0, 2.0), Vec2::ZERO)
        );
    }
}
