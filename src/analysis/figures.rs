//! The graphs of runs, one or several over each other: path, position and error over time, speed and steering, tyres.

use skidpad_math::Vec2;
use skidpad_plot::{Dash, Figure, Key, Line, Panel, Series, Size};

use super::groups::{Band, groups};
use skidpad_metrics::Analyzed;
use skidpad_metrics::laps::{Course, Lap, Laps};
use skidpad_metrics::{ErrorSample, MetricsOptions, errors};
use skidpad_metrics::{PositionSample, Run, Scatter, WantedPath};

/// Number of dots of one wheel in a graph, in addition to the extremes; more would only cover each other.
const DOTS: usize = 500;
/// Up to this slip ratio [-] a wheel rolls: vehicle models without longitudinal slip leave rounding.
const ROLLING: f64 = 1e-9;

/// Goals that are no further apart than this [m] are one.
const ONE_GOAL: f64 = 0.25;

/// A figure with the name of its files and the size that suits it.
pub struct Graph {
    /// Name of its files, without extension.
    pub name: &'static str,
    /// The figure.
    pub figure: Figure,
    /// Size of the picture [px].
    pub size: Size,
}

/// The graphs for which these runs have data, in the order in which they are shown.
pub fn graphs(title: &str, runs: &[Analyzed], options: &MetricsOptions) -> Vec<Graph> {
    let shown: Vec<PlottedRun> =
        runs.iter().enumerate().map(|(color, run)| PlottedRun::new(run, color, options)).collect();
    // The legend names a run that is alone.
    let title = if let [only] = runs
        && only.run.name == title
    {
        ""
    } else {
        title
    };
    let graph =
        |name: &'static str, columns: usize, panels: Vec<Panel>, legend: Vec<Key>, [width, height]: [u32; 2]| {
            let panels: Vec<Panel> = panels.into_iter().filter(|panel| !panel.series.is_empty()).collect();
            let columns = columns.min(panels.len()).max(1);
            let rows = panels.len().div_ceil(columns) as u32;
            let size = Size { width, height: 70 + height * rows + 24 * (legend.len() as u32 / 3) };
            (rows > 0).then(|| Graph { name, figure: Figure { title: title.into(), columns, panels, legend }, size })
        };
    let runs_and = |key: Option<Key>| -> Vec<Key> { keys(&shown).into_iter().chain(key).collect() };
    let has_reference = shown.iter().any(|shown| !shown.run.reference.is_empty());
    let has_plan = shown.iter().any(|shown| shown.run.reference.is_empty() && !shown.run.plans.is_empty());
    let reference = has_reference.then(|| Key::new("reference", REFERENCE));
    let wanted = if has_plan { Some(Key::new("path to follow", REFERENCE)) } else { reference.clone() };
    let has_commands = shown.iter().any(|shown| !shown.run.commands.is_empty());
    let commanded = has_commands.then(|| Key::new("commanded", COMMANDED));
    let has_borders = shown.iter().any(|shown| shown.course.and_then(Course::borders).is_some());
    let borders = has_borders.then(|| Key::new("borders of the track", BORDER));
    let on_path: Vec<Key> = runs_and(wanted).into_iter().chain(borders).collect();
    let (lap_speeds, lap_keys) = laps(&shown);
    let (tyres, wheels) = tyres(&shown);
    let (means, mean_keys) = means(runs, &shown);
    let all = [
        graph("mean", 1, means, mean_keys, [860, 250]),
        graph("path", 1, vec![path(&shown)], on_path, [860, 620]),
        graph("time", 1, over_time(&shown), runs_and(reference), [860, 250]),
        graph("drive", 1, drive(&shown), runs_and(commanded), [860, 250]),
        graph("laps", 1, vec![lap_speeds], lap_keys, [860, 380]),
        graph("tyres", 2, tyres, wheels, [860, 380]),
    ];
    all.into_iter().flatten().collect()
}

const BORDER: Line = Line { color: None, dash: Dash::Solid };
const REFERENCE: Line = Line { color: None, dash: Dash::Dashed };
const COMMANDED: Line = Line { color: None, dash: Dash::Dotted };

/// A run with its colour.
struct PlottedRun<'a> {
    run: &'a Run,
    course: Option<&'a Course>,
    laps: Option<&'a Laps>,
    color: usize,
    /// Origin of its time axis [s]: the first sample that has a reference.
    start: f64,
    /// Time [s] since then, and error [m], up to the end of the reference.
    errors: Vec<(f64, f64)>,
}

impl<'a> PlottedRun<'a> {
    fn new(analyzed: &'a Analyzed, color: usize, options: &MetricsOptions) -> PlottedRun<'a> {
        let Analyzed { run, metrics, course, .. } = analyzed;
        let errors = errors(run, options);
        let start = errors.first().map(|e| e.time).or(run.poses.first().map(|pose| pose.time)).unwrap_or(0.0);
        let counts = |sample: &&ErrorSample| options.to.is_some() || sample.time <= metrics.window.end;
        let errors = errors.iter().filter(counts);
        let errors = errors.map(|sample| (sample.time - start, sample.error().norm())).collect();
        PlottedRun { run, course: course.as_deref(), laps: metrics.laps.as_ref(), color, start, errors }
    }

    fn line(&self) -> Line {
        Line::solid(self.color)
    }

    fn series(&self, label: &str, points: impl Iterator<Item = (f64, f64)>, line: Line) -> Option<Series> {
        let points: Vec<_> = points.collect();
        let label = if label.is_empty() { self.run.name.clone() } else { format!("{}, {label}", self.run.name) };
        (!points.is_empty()).then_some(Series { label, points, line })
    }
}

fn keys(shown: &[PlottedRun]) -> Vec<Key> {
    shown.iter().map(|shown| Key::new(&shown.run.name, shown.line())).collect()
}

/// One run for each distinct reference path.
fn references<'a, 'b>(shown: &'a [PlottedRun<'b>]) -> Vec<&'a PlottedRun<'b>> {
    let mut different: Vec<&PlottedRun> = Vec::new();
    for shown in shown {
        let is_known = different.iter().any(|other| {
            let pairs = || other.run.reference.iter().zip(&shown.run.reference);
            pairs().count() > 0 && pairs().all(|(a, b)| a.position == b.position)
        });
        if !is_known {
            different.push(shown);
        }
    }
    different
}

fn path(shown: &[PlottedRun]) -> Panel {
    let mut panel = Panel::new("Path", "x [m]", "y [m]", true);
    let reference = |s: &&PlottedRun| s.series("reference", once_around(&s.run.reference).into_iter(), REFERENCE);
    let actual = |s: &PlottedRun| s.series("", s.run.poses.iter().map(|p| (p.pose.x, p.pose.y)), s.line());
    // All runs are timed on one course.
    for border in shown.iter().find_map(|s| s.course).and_then(Course::borders).into_iter().flatten() {
        let points = border.iter().map(|p| (p.x, p.y)).collect();
        panel.series.push(Series { label: "border of the track".into(), points, line: BORDER });
    }
    panel.series.extend(shown.iter().filter_map(actual));
    // Drawn on top, since a good run would hide it.
    panel.series.extend(references(shown).iter().filter_map(reference));
    for s in shown.iter().filter(|s| s.run.reference.is_empty()) {
        let plans = first_to_each_goal(&s.run.plans).into_iter().map(|plan| plan.points.iter().map(|p| (p.x, p.y)));
        panel.series.extend(plans.filter_map(|points| s.series("path to follow", points, REFERENCE)));
    }
    let (low, high) = panel.ranges()[0];
    // A margin, so that lines are not cut off at the sides.
    let air = 0.04 * (high - low);
    panel.x.range = Some((low - air, high + air));
    panel
}

/// Of paths that are sent again and again on the way, the first to each goal.
fn first_to_each_goal(plans: &[WantedPath]) -> Vec<&WantedPath> {
    let mut shown: Vec<&WantedPath> = Vec::new();
    for plan in plans {
        let goal = |plan: &WantedPath| plan.points.last().copied();
        let is_new = shown.last().is_none_or(|last| match (goal(last), goal(plan)) {
            (Some(last), Some(new)) => (new - last).norm() > ONE_GOAL,
            _ => true,
        });
        if is_new {
            shown.push(plan);
        }
    }
    shown
}

/// The path of a reference until it passes its start again in the same direction: overlapping dashes would look like a solid line.
fn once_around(reference: &[PositionSample]) -> Vec<(f64, f64)> {
    let points = || reference.iter().map(|sample| (sample.position.x, sample.position.y));
    let steps: Vec<Vec2> = reference.windows(2).map(|pair| pair[1].position - pair[0].position).collect();
    let Some((start, first)) = reference.first().zip(steps.first().filter(|step| step.norm() > 0.0)) else {
        return points().collect();
    };
    let mut has_left = false;
    let again = steps.iter().zip(reference).position(|(step, sample)| {
        let away = sample.position - start.position;
        has_left |= away.norm() > 20.0 * first.norm();
        has_left && away.norm() <= first.norm() && step.dot(*first) > 0.9 * step.norm() * first.norm()
    });
    points().take(again.map_or(reference.len(), |index| index + 1)).collect()
}

fn over_time(shown: &[PlottedRun]) -> Vec<Panel> {
    let [mut x, mut y, mut error] = [("x", "x [m]"), ("y", "y [m]"), ("Error of position", "error [m]")]
        .map(|(title, label)| Panel::new(title, "time [s]", label, false));
    for s in shown {
        let poses = || s.run.poses.iter().map(|pose| (pose.time - s.start, pose.pose));
        x.series.extend(s.series("", poses().map(|(t, pose)| (t, pose.x)), s.line()));
        y.series.extend(s.series("", poses().map(|(t, pose)| (t, pose.y)), s.line()));
        error.series.extend(s.series("", s.errors.iter().copied(), s.line()));
    }
    for s in references(shown) {
        let reference = || s.run.reference.iter().map(|r| (r.time - s.start, r.position));
        x.series.extend(s.series("reference", reference().map(|(t, p)| (t, p.x)), REFERENCE));
        y.series.extend(s.series("reference", reference().map(|(t, p)| (t, p.y)), REFERENCE));
    }
    stacked(vec![x, y, error])
}

/// The error and the speed of each group of runs over the time since their reference began: mean, and one standard deviation to both sides.
fn means(runs: &[Analyzed], shown: &[PlottedRun]) -> (Vec<Panel>, Vec<Key>) {
    let mut error = Panel::new("Error of position", "time [s]", "error [m]", false);
    let mut speed = Panel::new("Forward speed", "time [s]", "speed [m/s]", false);
    let (mut legend, mut lines) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (color, group) in groups(runs).into_iter().enumerate() {
        let of_group = || runs.iter().zip(shown).filter(|(run, _)| run.group.as_deref() == Some(group.name));
        let since = |run: &Analyzed, time: f64| time - run.metrics.window.origin;
        let errors = of_group().map(|(run, s)| {
            s.errors.iter().map(|(time, error)| (since(run, time + s.start), *error)).collect::<Vec<_>>()
        });
        let speeds = of_group().map(|(run, s)| {
            let within = s.run.poses.iter().filter(|pose| run.metrics.window.contains(pose.time));
            within.map(|pose| (since(run, pose.time), pose.velocity_in_body.vx)).collect::<Vec<_>>()
        });
        let (errors, speeds): (Vec<_>, Vec<_>) = (errors.collect(), speeds.collect());
        let line = Line::solid(color);
        let mut is_drawn = false;
        for (index, (panel, curves)) in [(&mut error, errors), (&mut speed, speeds)].into_iter().enumerate() {
            let curves: Vec<&[(f64, f64)]> = curves.iter().map(Vec::as_slice).collect();
            let Some(Band { points }) = Band::of(&curves) else { continue };
            is_drawn = true;
            let limits: Vec<_> = points.iter().map(|(time, mean, s)| (*time, mean - s, mean + s)).collect();
            let [mean, above, below] = ["mean", "mean + standard deviation", "mean − standard deviation"]
                .map(|label| format!("{}, {label}", group.name));
            let [area, limits @ ..] = Series::band(group.name, [&above, &below], &limits, color);
            panel.series.push(area);
            let points = points.iter().map(|(time, mean, _)| (*time, *mean)).collect();
            lines[index].push(Series { label: mean, points, line });
            lines[index].extend(limits);
        }
        if is_drawn {
            legend.push(Key::new(format!("{}: mean of {} runs", group.name, group.runs.len()), line));
            legend.push(Key::new("± 1 standard deviation", Line::area(color)));
        }
    }
    // Lines over all areas.
    let [of_errors, of_speeds] = lines;
    error.series.extend(of_errors);
    speed.series.extend(of_speeds);
    (stacked(vec![error, speed]), legend)
}

/// Panels of one column share the axis of time: the lowest has its label, and all have its range. A title that the label of an axis repeats is
/// not written.
fn stacked(mut panels: Vec<Panel>) -> Vec<Panel> {
    panels.retain(|panel| !panel.series.is_empty());
    let ranges = || panels.iter().map(|panel| panel.ranges()[0]);
    let low = ranges().map(|range| range.0).fold(f64::INFINITY, f64::min);
    let high = ranges().map(|range| range.1).fold(f64::NEG_INFINITY, f64::max);
    let last = panels.len().saturating_sub(1);
    for (index, panel) in panels.iter_mut().enumerate() {
        panel.x.range = Some((low, high));
        if index < last {
            panel.x.label.clear();
        }
        if panel.y.label.starts_with(&panel.title.to_lowercase()) {
            panel.title.clear();
        }
    }
    panels
}

fn drive(shown: &[PlottedRun]) -> Vec<Panel> {
    let mut speed = Panel::new("Forward speed", "time [s]", "speed [m/s]", false);
    let mut steering = Panel::new("Steering", "time [s]", "steering angle [rad]", false);
    for s in shown {
        // With its sign, like the commanded speed.
        let measured = s.run.poses.iter().map(|pose| (pose.time - s.start, pose.velocity_in_body.vx));
        speed.series.extend(s.series("", measured, s.line()));
    }
    for s in shown {
        let line = Line { dash: Dash::Dotted, ..s.line() };
        let commands = || s.run.commands.iter().map(|command| (command.time - s.start, command));
        speed.series.extend(s.series("commanded", commands().map(|(t, c)| (t, c.speed)), line));
        let angles = commands().filter_map(|(t, c)| Some((t, c.steering_angle?)));
        steering.series.extend(s.series("commanded", angles, line));
    }
    stacked(vec![speed, steering])
}

/// Speed over the way along the line: each lap of a single run, the best lap of each of several, and that of the line.
fn laps(shown: &[PlottedRun]) -> (Panel, Vec<Key>) {
    let mut panel = Panel::new("Speed of laps", "way along the line [m]", "speed [m/s]", false);
    let mut legend = Vec::new();
    let (mut course, is_alone) = (None, shown.len() == 1);
    for s in shown {
        let Some(laps) = s.laps else { continue };
        course = course.or(s.course);
        let is_shown = |lap: &&Lap| is_alone || laps.best() == Some(lap.duration);
        for lap in laps.laps.iter().filter(is_shown) {
            let line = if is_alone { Line::solid(lap.number - 1) } else { s.line() };
            panel.series.extend(s.series(&format!("lap {}", lap.number), laps.speeds(lap), line));
            let name = if is_alone { String::new() } else { format!("{}, ", s.run.name) };
            legend.push(Key::new(format!("{name}lap {}", lap.number), line));
        }
    }
    let of_line = course.map(Course::speeds).filter(|speeds| !speeds.is_empty() && !panel.series.is_empty());
    if let Some(points) = of_line {
        panel.series.push(Series { label: "line".into(), points, line: REFERENCE });
        legend.push(Key::new("line", REFERENCE));
    }
    panel.y.range = Some((0.0, panel.ranges()[1].1)).filter(|_| !panel.series.is_empty());
    (panel, legend)
}

/// Forces over slips, coloured by wheel for a single run and by run for several.
fn tyres(shown: &[PlottedRun]) -> (Vec<Panel>, Vec<Key>) {
    let mut longitudinal = Panel::new("Longitudinal force", "slip ratio [-]", "F_x [N]", false);
    let mut lateral = Panel::new("Lateral force", "slip angle [rad]", "F_y [N]", false);
    let mut legend = Vec::new();
    for s in shown {
        for (index, wheel) in s.run.wheels.iter().enumerate() {
            let Scatter { wheel, longitudinal: fx, lateral: fy } = wheel;
            let line = Line::scatter(if shown.len() == 1 { index } else { s.color });
            if fx.iter().any(|(ratio, _)| ratio.abs() > ROLLING) {
                longitudinal.series.extend(s.series(wheel, thinned(fx), line));
            }
            lateral.series.extend(s.series(wheel, thinned(fy), line));
            if shown.len() == 1 {
                legend.push(Key::new(wheel, line));
            }
        }
        if shown.len() > 1 && !s.run.wheels.is_empty() {
            legend.push(Key::new(&s.run.name, Line::scatter(s.color)));
        }
    }
    (vec![longitudinal, lateral], legend)
}

/// At most [`DOTS`] of the points, evenly spaced over the run, plus the extremes of slip and force.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let by_slip = |a: &&(f64, f64), b: &&(f64, f64)| a.0.total_cmp(&b.0);
    let by_force = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let outermost = [
        points.iter().min_by(by_slip),
        points.iter().max_by(by_slip),
        points.iter().min_by(by_force),
        points.iter().max_by(by_force),
    ];
    let evenly = points.iter().step_by(points.len().div_ceil(DOTS).max(1));
    evenly.chain(outermost.into_iter().flatten()).copied()
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Twist2};

    use super::*;
    use crate::{CommandSample, PoseSample};

    /// Twice around a figure of eight, five centimetres beside it.
    fn analyzed(name: &str) -> Analyzed {
        let at = |i: i32| {
            let phase = f64::from(i) / 100.0;
            (0.1 * f64::from(i), Vec2::new(2.0 * phase.sin(), (2.0 * phase).sin()))
        };
        let pose = |(time, p): (f64, Vec2)| PoseSample {
            time,
            pose: Pose2::new(p.x + 0.05, p.y, 0.0),
            velocity_in_body: Twist2::new(0.8, 0.0, 0.0),
        };
        let command =
            |(time, p): (f64, Vec2)| CommandSample { time, speed: 1.0, steering_angle: Some(p.x), yaw_rate: None };
        let points: Vec<(f64, f64)> = (0..2000).map(|i| (1e-3 * f64::from(i), f64::from(i))).collect();
        let wheel = Scatter { wheel: "left_front".into(), longitudinal: points.clone(), lateral: points };
        let run = Run {
            name: name.into(),
            poses: (0..1256).map(at).map(pose).collect(),
            reference: (0..1256).map(at).map(|(time, position)| PositionSample { time, position }).collect(),
            commands: (0..1256).map(at).map(command).collect(),
            wheels: vec![wheel],
            ..Run::default()
        };
        Analyzed::of(run, &MetricsOptions::default()).unwrap()
    }

    #[test]
    fn graphs_contain_the_recorded_data() {
        let graphs = graphs("", &[analyzed("a"), analyzed("b")], &MetricsOptions::default());
        let names: Vec<_> = graphs.iter().map(|graph| (graph.name, graph.figure.panels.len())).collect();
        assert_eq!(names, [("path", 1), ("time", 3), ("drive", 2), ("tyres", 2)]);
        let path = &graphs[0].figure.panels[0];
        let labels: Vec<_> = path.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!(labels, ["a", "b", "a, reference"], "the same reference is drawn once");
        assert!(path.equal && path.series[0].points.len() == 1256);
        assert_eq!(path.series[2].points.len(), 629, "once around is 2π, which the crossing half way is not");
        let error = &graphs[1].figure.panels[2].series[0].points;
        assert!(error.len() == 1256 && error.iter().all(|(_, e)| (e - 0.05).abs() < 1e-12));
        let dots = &graphs[3].figure.panels[0].series[0].points;
        assert!(
            dots.len() <= DOTS + 4 && dots.contains(&(1e-3 * 1999.0, 1999.0)),
            "{}: the last is outermost",
            dots.len()
        );
        let keys: Vec<_> = graphs[3].figure.legend.iter().map(|key| key.label.as_str()).collect();
        assert_eq!(keys, ["a", "b"], "of several runs, each has a colour");
    }

    /// Models such as the single track roll without longitudinal slip.
    #[test]
    fn wheels_without_slip_ratio_have_no_graph_of_it() {
        let mut run = analyzed("a").run;
        for wheel in &mut run.wheels {
            wheel.longitudinal.iter_mut().for_each(|(ratio, _)| *ratio *= 1e-15);
        }
        let runs = [Analyzed::of(run, &MetricsOptions::default()).unwrap()];
        let tyres = &graphs("", &runs, &MetricsOptions::default())[3];
        let titles: Vec<&str> = tyres.figure.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!((tyres.name, titles.as_slice(), tyres.figure.columns), ("tyres", ["Lateral force"].as_slice(), 1));
    }

    #[test]
    fn speed_is_drawn_with_its_sign_like_commands() {
        let mut run = analyzed("a").run;
        run.poses.iter_mut().for_each(|pose| pose.velocity_in_body = Twist2::new(-0.8, 0.1, 0.0));
        run.commands.iter_mut().for_each(|command| command.speed = -1.0);
        let runs = [Analyzed::of(run, &MetricsOptions::default()).unwrap()];
        let graphs = graphs("", &runs, &MetricsOptions::default());
        let speed = &graphs[2].figure.panels[0];
        let firsts: Vec<f64> = speed.series.iter().map(|series| series.points[0].1).collect();
        assert_eq!(firsts, [-0.8, -1.0]);
    }

    #[test]
    fn missing_data_has_no_graph() {
        let mut run = analyzed("a").run;
        (run.commands, run.wheels) = (Vec::new(), Vec::new());
        let runs = [Analyzed::of(run, &MetricsOptions::default()).unwrap()];
        let graphs = graphs("", &runs, &MetricsOptions::default());
        let names: Vec<_> = graphs.iter().map(|graph| (graph.name, graph.figure.panels.len())).collect();
        assert_eq!(names, [("path", 1), ("time", 3), ("drive", 1)]);
    }
}
