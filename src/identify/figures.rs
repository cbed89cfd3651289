//! The figures of an identification: predictions of windows with their bands, errors over time and against the motion, the
//! recorded commands, tyres and profiles.

use std::f64::consts::FRAC_PI_2;

use skidpad_plot::{Dash, Figure, Key, Line, Panel, Series, sweep};

use super::bands::{Bands, Coverage};
use super::columns::Role;
use super::data::{Data, Prediction, error};
use super::score::quantities;
use super::search::UnknownEstimate;
use super::tyres::AxlePoints;

/// Most points drawn in a panel.
const MAX_POINTS: usize = 1500;

/// A quantity for an axis, computed from measured vx, vy [m/s] and yaw rate [rad/s].
type OfMotion = fn(f64, f64, f64) -> f64;

/// The legend of measured points and of predictions, which are drawn with this line.
fn legend(predicted: Line) -> Vec<Key> {
    vec![Key::new("measured", Line::scatter(1)), Key::new("predicted", predicted)]
}

/// At most [`MAX_POINTS`] of the points, evenly chosen.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    points.iter().copied().step_by(points.len().div_ceil(MAX_POINTS).max(1)).collect()
}

/// A figure of the panels that have points; none if no panel has.
fn figure(title: &str, columns: usize, mut panels: Vec<Panel>, legend: Vec<Key>) -> Option<Figure> {
    let is_drawn = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    panels.retain(|panel| panel.series.iter().any(|series| series.points.iter().any(is_drawn)));
    (!panels.is_empty()).then(|| Figure { title: title.to_owned(), columns, panels, legend })
}

/// Errors of vx, vy and yaw rate against the measured speed, lateral acceleration and side slip; none without measured
/// velocities.
pub(super) fn residuals(data: &Data, predictions: &[Prediction]) -> Option<Figure> {
    let mut panels = Vec::new();
    for (role, label, factor) in [
        (Role::Vx, "error of vx [m/s]", 1.0),
        (Role::Vy, "error of vy [m/s]", 1.0),
        (Role::YawRate, "error of yaw rate [deg/s]", 1_f64.to_degrees()),
    ] {
        let of_role = || predictions.iter().filter(|p| p.role == role && (p.predicted - p.measured).is_finite());
        if of_role().next().is_none() {
            continue;
        }
        let against: [(&str, OfMotion); 3] = [
            ("speed [m/s]", |vx, _, _| vx),
            ("lateral acceleration [m/s²]", |vx, _, wz| vx * wz),
            ("side slip [deg]", |vx, vy, _| libm::atan2(vy, vx.abs().max(0.1)).to_degrees()),
        ];
        for (axis, of) in against {
            let points: Vec<(f64, f64)> = of_role()
                .map(|p| {
                    let columns = &data.runs[p.run].0.columns;
                    let at = |role| columns.get(&role).map_or(f64::NAN, |values: &Vec<f64>| values[p.row]);
                    (of(at(Role::Vx), at(Role::Vy), at(Role::YawRate)), factor * error(role, p.predicted, p.measured))
                })
                .filter(|(x, _)| x.is_finite())
                .collect();
            let mut panel = Panel::new("", axis, label, false);
            panel.series.push(Series { label: label.into(), points: thinned(&points), line: Line::scatter(0) });
            panels.push(panel);
        }
    }
    // The lateral velocity may not be measured.
    let columns = if data.runs.iter().any(|(recording, _)| recording.has(Role::Vy)) { 3 } else { 2 };
    figure("", columns, panels, Vec::new())
}

/// What was driven in the longest recording: commanded and measured quantities, and lateral acceleration over speed.
pub(super) fn driven(data: &Data) -> Option<Figure> {
    let (recording, _) = data.runs.iter().max_by(|a, b| a.0.duration().total_cmp(&b.0.duration()))?;
    let column = |role: Role, factor: f64| -> Option<Vec<f64>> {
        recording.columns.get(&role).map(|values| values.iter().map(|value| factor * value).collect())
    };
    let points_of = |times: &[f64], role: Role, factor: f64| -> Option<Vec<(f64, f64)>> {
        let points = times.iter().copied().zip(column(role, factor)?);
        Some(points.filter(|point| point.1.is_finite()).collect())
    };
    // A command is in force until the next one.
    let commanded = |role: Role, factor: f64| {
        let points = points_of(recording.command_times(), role, factor)?;
        let steps = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]).collect();
        Some(Series { label: "commanded".into(), points: steps, line: Line::solid(0) })
    };
    let measured_at = |role: Role, factor: f64| {
        let points = thinned(&points_of(&recording.time, role, factor)?);
        Some(Series { label: "measured".into(), points, line: Line::scatter(1) })
    };
    let degrees = 1_f64.to_degrees();
    let mut panels = Vec::new();
    for (label, commands, measured, factor) in [
        ("speed [m/s]", vec![Role::CommandSpeed], Some(Role::Vx), 1.0),
        ("pedals [-]", vec![Role::CommandThrottle, Role::CommandBrake], None, 1.0),
        ("steering angle [deg]", vec![Role::CommandSteering], None, degrees),
        ("yaw rate [deg/s]", vec![Role::CommandYawRate], Some(Role::YawRate), degrees),
    ] {
        let has_pedals = recording.has(Role::CommandThrottle);
        let commands = commands.into_iter().filter(|role| !(has_pedals && *role == Role::CommandSpeed));
        let mut panel = Panel::new("", "time [s]", label, false);
        panel.series.extend(commands.filter_map(|role| commanded(role, factor)));
        panel.series.extend(measured.and_then(|role| measured_at(role, factor)));
        if !panel.series.is_empty() {
            panels.push(panel);
        }
    }
    if let (Some(vx), Some(wz)) = (column(Role::Vx, 1.0), column(Role::YawRate, 1.0)) {
        let points = vx.iter().zip(&wz).map(|(vx, wz)| (*vx, vx * wz)).filter(|(x, y)| x.is_finite() && y.is_finite());
        let mut panel = Panel::new("", "speed [m/s]", "lateral acceleration [m/s²]", false);
        let points = thinned(&points.collect::<Vec<_>>());
        panel.series.push(Series { label: "measured".into(), points, line: Line::scatter(1) });
        panels.push(panel);
    }
    let legend = vec![Key::new("commanded", Line::solid(0)), Key::new("measured", Line::scatter(1))];
    figure(&recording.name(), 2, panels, legend)
}

/// The profile of each unknown, with the bound of its 95 % interval; none without profiles.
pub(super) fn profiles(estimates: &[UnknownEstimate]) -> Option<Figure> {
    let panels: Vec<Panel> = estimates
        .iter()
        .filter_map(|estimate| Some((estimate, estimate.profile.as_ref()?)))
        .map(|(estimate, profile)| {
            let mut panel = Panel::new("", estimate.unknown.name(), "standard deviations", false);
            let ends = [profile.points.first(), profile.points.last()];
            let ends = ends.map(|point| point.map_or(estimate.value, |p| p.0));
            let bound = ends.map(|end| (end, profile.bound)).to_vec();
            panel.series.push(Series { label: "profile".into(), points: profile.points.clone(), line: Line::solid(0) });
            panel.series.push(Series { label: "95 %".into(), points: bound, line: Line::grey(Dash::Dashed) });
            panel
        })
        .collect();
    let legend = vec![Key::new("profile", Line::solid(0)), Key::new("95 %", Line::grey(Dash::Dashed))];
    figure("", 2, panels, legend)
}

/// Lateral force over slip angle of both axles.
pub(super) fn tyres(axles: &[AxlePoints; 2]) -> Option<Figure> {
    let panels = ["front axle", "rear axle"]
        .iter()
        .zip(axles)
        .map(|(title, axle)| {
            let mut panel = Panel::new(title, "slip angle [deg]", "lateral force [N]", false);
            for (label, points, color) in [("measured", &axle.measured, 1), ("predicted", &axle.predicted, 0)] {
                let points = thinned(points).into_iter().map(|(slip, force)| (slip.to_degrees(), force)).collect();
                panel.series.push(Series { label: label.into(), points, line: Line::scatter(color) });
            }
            panel
        })
        .collect();
    figure("", 2, panels, legend(Line::scatter(0)))
}

/// Line of the limits of bands.
const LIMIT: Line = Line { color: Some(0), dash: Dash::Dotted };

/// Path, and quantities over time, of a window, with the bands of the predictions if there are any.
pub(super) fn window(data: &Data, predictions: &[&Prediction], bands: Option<&Bands>, title: &str) -> Option<Figure> {
    let time = |p: &Prediction| data.runs[p.run].0.time[p.row];
    let of = |role: Role| predictions.iter().filter(move |p| p.role == role);
    let half_width = |name: &str, p: &Prediction| bands?.half_width(name, data.since_start(p));
    let pair = |panel: &mut Panel, measured: Vec<(f64, f64)>, predicted: Vec<(f64, f64)>| {
        panel.series.push(Series { label: "measured".into(), points: measured, line: Line::scatter(1) });
        panel.series.push(Series { label: "predicted".into(), points: predicted, line: Line::solid(0) });
    };
    let mut path = Panel::new("", "x [m]", "y [m]", true);
    let positions = |value: fn(&Prediction) -> f64| -> Vec<(f64, f64)> {
        of(Role::X).map(|p| value(p)).zip(of(Role::Y).map(|p| value(p))).collect()
    };
    let (measured, predicted) = (positions(|p| p.measured), positions(|p| p.predicted));
    let radii = of(Role::X).zip(&predicted).filter(|(_, (x, y))| x.is_finite() && y.is_finite());
    let outline = tube(&radii.filter_map(|(p, (x, y))| Some((*x, *y, half_width("position", p)?))).collect::<Vec<_>>());
    if !outline.is_empty() {
        path.series.push(Series { label: BAND.into(), points: outline.clone(), line: Line::area(0) });
    }
    pair(&mut path, measured, predicted);
    if !outline.is_empty() {
        path.series.push(Series { label: "limit of the 95 % band".into(), points: outline, line: LIMIT });
    }
    let mut panels = vec![path];
    for (role, label, factor) in [
        (Role::Yaw, "heading [deg]", 1_f64.to_degrees()),
        (Role::Vx, "vx [m/s]", 1.0),
        (Role::Vy, "vy [m/s]", 1.0),
        (Role::YawRate, "yaw rate [deg/s]", 1_f64.to_degrees()),
    ] {
        let mut panel = Panel::new("", "time [s]", label, false);
        let limits = of(role).filter(|p| p.predicted.is_finite()).filter_map(|p| {
            let (middle, half) = (factor * p.predicted, factor * half_width(role.name(), p)?);
            Some((time(p), middle - half, middle + half))
        });
        let limits: Vec<_> = limits.collect();
        let [area, limits @ ..] = Series::band(BAND, LIMITS, &limits, 0);
        let is_there = !area.points.is_empty();
        panel.series.extend(is_there.then_some(area));
        let points = |value: fn(&Prediction) -> f64| of(role).map(|p| (time(p), factor * value(p))).collect();
        pair(&mut panel, points(|p| p.measured), points(|p| p.predicted));
        panel.series.extend(limits.into_iter().filter(|_| is_there));
        panels.push(panel);
    }
    // What is not measured is not shown.
    panels.retain(|panel| {
        let measured = panel.series.iter().find(|series| series.line.dash == Dash::Scatter);
        measured.is_some_and(|measured| measured.points.iter().any(|p| p.0.is_finite() && p.1.is_finite()))
    });
    let band = bands.map(|_| Key::new(BAND, Line::area(0)));
    figure(title, 2, panels, legend(Line::solid(0)).into_iter().chain(band).collect())
}

/// Name of bands in legends, and of their limits in tables.
const BAND: &str = "95 % band";
const LIMITS: [&str; 2] = ["upper limit of the 95 % band", "lower limit of the 95 % band"];
/// Count of the points at which the end of a tube is rounded.
const ROUNDED: usize = 9;

/// The outline of what lies within a distance of a path, which is (x, y, distance): along its left side, around its end, and back along its right
/// side. Empty for a path that goes nowhere.
fn tube(path: &[(f64, f64, f64)]) -> Vec<(f64, f64)> {
    let ahead = |index: usize| {
        let (from, to) = (path[index.saturating_sub(1)], path[(index + 1).min(path.len() - 1)]);
        (to.0 != from.0 || to.1 != from.1).then(|| libm::atan2(to.1 - from.1, to.0 - from.0))
    };
    let Some(first) = (0..path.len()).find_map(ahead) else { return Vec::new() };
    let directions = (0..path.len()).scan(first, |last, index| {
        *last = ahead(index).unwrap_or(*last);
        Some(*last)
    });
    let directions: Vec<f64> = directions.collect();
    let beside = |index: usize, angle: f64| {
        let ((x, y, distance), angle) = (path[index], directions[index] + angle);
        (x + distance * libm::cos(angle), y + distance * libm::sin(angle))
    };
    let last = path.len() - 1;
    let left = (0..last).map(|index| beside(index, FRAC_PI_2));
    let end = sweep(FRAC_PI_2, -FRAC_PI_2, ROUNDED).map(|angle| beside(last, angle));
    left.chain(end).chain((0..last).rev().map(|index| beside(index, -FRAC_PI_2))).collect()
}

/// Errors of each quantity over the time since the start of its window, with the band and the share of the rows within it; none without bands.
pub(super) fn bands(data: &Data, predictions: &[Prediction], bands: Option<&Bands>) -> Option<Figure> {
    let bands = bands?;
    let covered = bands.coverage(data, predictions);
    let panels = quantities(predictions).into_iter().filter_map(|quantity| {
        let widths = bands.half_widths.get(quantity.name)?;
        let coverage = covered.iter().find(|covered| covered.name == quantity.name)?;
        let factor = if quantity.unit.starts_with("deg") { 1_f64.to_degrees() } else { 1.0 };
        let errors = quantity.errors.iter().map(|(p, error)| (data.since_start(p), factor * error));
        let errors: Vec<(f64, f64)> = errors.filter(|(_, error)| error.is_finite()).collect();
        // The distance of a position has no sign.
        let lower = if quantity.dimensions > 1 { 0.0 } else { -1.0 };
        let steps = widths.iter().enumerate().flat_map(|(part, width)| {
            let half = factor * width;
            [part, part + 1].map(|end| (bands.step * end as f64, lower * half, half))
        });
        let [area, limits @ ..] = Series::band(BAND, LIMITS, &steps.collect::<Vec<_>>(), 0);
        let counts = coverage.all();
        let name = quantity.name.replace('_', " ");
        let title = format!("{name}: {:.1} % of {} rows within", 100.0 * Coverage::share(counts), counts[1]);
        let label = format!("error of {name} [{}]", quantity.unit);
        let mut panel = Panel::new(&title, "time since the start of a window [s]", &label, false);
        panel.series.push(area);
        panel.series.push(Series { label, points: thinned(&errors), line: Line::scatter(1) });
        panel.series.extend(limits);
        Some(panel)
    });
    let legend = vec![Key::new("predicted minus measured", Line::scatter(1)), Key::new(BAND, Line::area(0))];
    figure("", 2, panels.collect(), legend)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two metres along x within 0.5 m: corners at both sides of the start, and half a circle around the end.
    #[test]
    fn a_tube_goes_along_both_sides_and_around_the_end() {
        let outline = tube(&[(0.0, 0.0, 0.5), (1.0, 0.0, 0.5), (2.0, 0.0, 0.5)]);
        assert_eq!(outline.len(), 4 + ROUNDED);
        for ((x, y), expected) in outline.iter().zip([(0.0, 0.5), (1.0, 0.5), (2.0, 0.5)]) {
            assert!((x - expected.0).abs() < 1e-12 && (y - expected.1).abs() < 1e-12, "{outline:?}");
        }
        assert!(outline.iter().any(|(x, y)| (x - 2.5).abs() < 1e-12 && y.abs() < 1e-12), "{outline:?}");
        assert!(outline.last().is_some_and(|(x, y)| x.abs() < 1e-12 && (y + 0.5).abs() < 1e-12), "{outline:?}");
        assert_eq!((tube(&[(1.0, 1.0, 0.5); 2]), tube(&[])), (Vec::new(), Vec::new()));
    }
}
