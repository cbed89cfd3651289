//! Whether the columns of a racing line agree with its points: files differ in where they count angles from, and some columns are left from
//! another line.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::{Vec2, wrap_angle};

use super::columns::{Columns, Role, Row};

/// Means of differences that are reported: of headings [rad]; of curvatures and accelerations in parts of the mean magnitude, and at least; of lengths
/// in parts of the whole. Points that lie far apart differ from a smooth line by less.
const HEADING: f64 = 0.35;
const SHARE: f64 = 0.5;
const MIN_CURVATURE: f64 = 0.05;
const MIN_ACCELERATION: f64 = 1.0;
const LENGTH: f64 = 0.05;

/// The warnings about the columns.
pub(super) fn notes(columns: &Columns, rows: &[Row]) -> Vec<String> {
    let mut notes = Vec::new();
    let at = |row: &Row| row.waypoint.position;
    let inner: Vec<&[Row]> = rows.windows(3).collect();
    let heading = |three: &[Row]| {
        let along = at(&three[2]) - at(&three[0]);
        libm::atan2(along.y, along.x)
    };
    if columns.has(Role::Heading) {
        let off = |from: f64| {
            let errors =
                inner.iter().filter_map(|three| Some(wrap_angle(three[1].heading? + from - heading(three)).abs()));
            mean(errors)
        };
        if off(0.0) > HEADING {
            notes.push(if off(FRAC_PI_2) <= HEADING {
                "psi_rad is measured from the y axis: the heading is computed from the points".to_owned()
            } else {
                format!(
                    "psi_rad is {} rad off the direction of the points on average: the heading is computed from the points",
                    short(off(0.0))
                )
            });
        }
    }
    if columns.has(Role::Curvature) {
        let of_points = |three: &[Row]| curvature([at(&three[0]), at(&three[1]), at(&three[2])]);
        let off = mean(inner.iter().filter_map(|three| Some((three[1].curvature? - of_points(three)).abs())));
        let size = mean(inner.iter().map(|three| of_points(three).abs()));
        if off > (SHARE * size).max(MIN_CURVATURE) {
            notes.push(format!(
                "kappa_radpm is {} 1/m off the curvature of the points on average: the curvature is computed from the points",
                short(off)
            ));
        }
    }
    if let [first, .., last] = rows
        && let Some((first, last)) = first.length.zip(last.length)
    {
        let path_length: f64 = rows.windows(2).map(|pair| (at(&pair[1]) - at(&pair[0])).norm()).sum();
        let longer = (last - first) - path_length;
        if longer.abs() > LENGTH * path_length {
            let comparison = if longer > 0.0 { "longer" } else { "shorter" };
            notes.push(format!(
                "s_m is {} m {comparison} than the path along the points: the distances of the points are used",
                short(longer.abs())
            ));
        }
    }
    if columns.has(Role::Speed) && columns.has(Role::Acceleration) {
        let of_speeds = |pair: &[Row]| {
            let [from, to] = [pair[0].waypoint.speed?, pair[1].waypoint.speed?];
            Some((to * to - from * from) / (2.0 * (at(&pair[1]) - at(&pair[0])).norm()))
        };
        let pairs = || rows.windows(2);
        let off = mean(pairs().filter_map(|pair| Some((pair[0].acceleration? - of_speeds(pair)?).abs())));
        let size = mean(pairs().filter_map(|pair| Some(of_speeds(pair)?.abs())));
        if off > (SHARE * size).max(MIN_ACCELERATION) {
            notes.push(format!("ax_mps2 is {} m/s² off the change of vx_mps on average: vx_mps is used", short(off)));
        }
    }
    notes
}

/// The mean; 0 of nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Curvature of the circle through three points [1/m], positive to the left: 4·area/(a·b·c).
fn curvature([a, b, c]: [Vec2; 3]) -> f64 {
    let sides = (b - a).norm() * (c - b).norm() * (c - a).norm();
    if sides > 0.0 { 2.0 * (b - a).cross(c - b) / sides } else { 0.0 }
}

/// A number with three decimals.
pub(super) fn short(value: f64) -> String {
    ((value * 1000.0).round() / 1000.0).to_string()
}
