//! The figures of an identification: predictions of windows, errors against the motion, the recorded commands, tyres
//! and profiles.

use skidpad_plot::{Dash, Figure, Key, Line, Panel, Series};

use super::columns::Role;
use super::data::{Data, Prediction, error};
use super::search::Found;
use super::tyres::AxlePoints;

/// Most points drawn in a panel.
const MOST_POINTS: usize = 1500;

/// A quantity for an axis, computed from measured vx, vy [m/s] and yaw rate [rad/s].
type OfMotion = fn(f64, f64, f64) -> f64;

/// The legend of measured points and of predictions, which are drawn with this line.
fn legend(predicted: Line) -> Vec<Key> {
    vec![Key::new("measured", Line::scatter(1)), Key::new("predicted", predicted)]
}

/// At most [`MOST_POINTS`] of the points, evenly chosen.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    points.iter().copied().step_by(points.len().div_ceil(MOST_POINTS).max(1)).collect()
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
pub(super) fn profiles(found: &[Found]) -> Option<Figure> {
    let panels: Vec<Panel> = found
        .iter()
        .filter_map(|found| Some((found, found.profile.as_ref()?)))
        .map(|(found, profile)| {
            let mut panel = Panel::new("", found.unknown.name(), "standard deviations", false);
            let ends = [profile.points.first(), profile.points.last()].map(|point| point.map_or(found.value, |p| p.0));
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

/// Path, and quantities over time, of a window.
pub(super) fn window(predictions: &[&Prediction], time: &[f64], title: &str) -> Option<Figure> {
    let of = |role: Role, value: fn(&Prediction) -> f64| -> Vec<f64> {
        predictions.iter().filter(|p| p.role == role).map(|p| value(p)).collect()
    };
    let times: Vec<f64> = predictions.iter().filter(|p| p.role == Role::Yaw).map(|p| time[p.row]).collect();
    let pair = |panel: &mut Panel, measured: Vec<(f64, f64)>, predicted: Vec<(f64, f64)>| {
        panel.series.push(Series { label: "measured".into(), points: measured, line: Line::scatter(1) });
        panel.series.push(Series { label: "predicted".into(), points: predicted, line: Line::solid(0) });
    };
    let zipped = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).collect::<Vec<_>>();
    let mut path = Panel::new("", "x [m]", "y [m]", true);
    let [measured, predicted]: [fn(&Prediction) -> f64; 2] = [|p| p.measured, |p| p.predicted];
    pair(
        &mut path,
        zipped(of(Role::X, measured), of(Role::Y, measured)),
        zipped(of(Role::X, predicted), of(Role::Y, predicted)),
    );
    let mut panels = vec![path];
    for (role, label, factor) in [
        (Role::Yaw, "heading [deg]", 1_f64.to_degrees()),
        (Role::Vx, "vx [m/s]", 1.0),
        (Role::Vy, "vy [m/s]", 1.0),
        (Role::YawRate, "yaw rate [deg/s]", 1_f64.to_degrees()),
    ] {
        let mut panel = Panel::new("", "time [s]", label, false);
        let scaled = |values: Vec<f64>| zipped(times.clone(), values.into_iter().map(|value| factor * value).collect());
        pair(&mut panel, scaled(of(role, measured)), scaled(of(role, predicted)));
        panels.push(panel);
    }
    // What is not measured is not shown.
    panels.retain(|panel| {
        panel.series.first().is_some_and(|measured| measured.points.iter().any(|p| p.0.is_finite() && p.1.is_finite()))
    });
    figure(title, 2, panels, legend(Line::solid(0)))
}
