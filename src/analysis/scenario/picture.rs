//! Pictures of a run: where the vehicles went, what stood there when something failed, and speed and clearance over time.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_plot::{self as plot, Axis, Dash, Figure, Key, Line, Panel, Series, Size};

use skidpad_scenario::measures::{DrivenPath, Moment, Trace};
use skidpad_scenario::report::seconds;

/// Most vehicles in a picture.
const MAX_VEHICLES: usize = 12;
/// Most moments in a picture, besides the end.
const MAX_MOMENTS: usize = 3;
/// What is shown around the ways and goals: at least this [m], and this share of their extent.
const MARGIN: (f64, f64) = (1.0, 0.12);
/// The nearest thing is shown, too, where something failed: up to this distance [m], or the extent of the ways.
const MAX_CLEARANCE: f64 = 5.0;
/// Half the size of the cross at a goal, as a share of the extent shown.
const CROSS: f64 = 0.012;

const SCENERY: Line = Line { color: None, dash: Dash::Solid };
const BLOCKS: Line = Line { color: None, dash: Dash::Dotted };
const PERSON: Line = Line { color: Some(3), dash: Dash::Solid };
const INSTANT: Line = Line { color: None, dash: Dash::Dashed };

/// A corner, as figures take them.
type Points = Vec<(f64, f64)>;

/// A run as it is drawn: its vehicles with their colours, and the moments.
struct Shown<'a> {
    trace: &'a Trace,
    /// Number of each vehicle in the trace.
    vehicles: Vec<usize>,
    moments: Vec<&'a Moment>,
}

impl<'a> Shown<'a> {
    fn new(trace: &'a Trace) -> Shown<'a> {
        let moments: Vec<&Moment> =
            trace.moments.iter().filter(|moment| !moment.incident.is_empty()).take(MAX_MOMENTS).collect();
        // Those to which something happened come first.
        let has_moment = |driven_path: &DrivenPath| {
            moments.iter().any(|moment| moment.vehicle.as_ref() == Some(&driven_path.vehicle))
        };
        let mut vehicles: Vec<usize> = (0..trace.vehicles.len()).collect();
        vehicles.sort_by_key(|&number| !has_moment(&trace.vehicles[number]));
        vehicles.truncate(MAX_VEHICLES);
        Shown { trace, vehicles, moments }
    }

    /// Their ways, each with its colour.
    fn driven_paths(&self) -> impl Iterator<Item = (&'a DrivenPath, Line)> + '_ {
        self.vehicles.iter().enumerate().map(|(color, &number)| (&self.trace.vehicles[number], Line::solid(color)))
    }
}

/// The pictures as SVG; none where nothing was driven.
///
/// # Errors
/// Why one cannot be drawn.
pub(super) fn svgs(trace: &Trace) -> Result<Vec<String>, Diagnostic> {
    let shown = Shown::new(trace);
    if shown.driven_paths().all(|(driven_path, _)| driven_path.samples.is_empty()) {
        return Ok(Vec::new());
    }
    let legend_rows = |figure: &Figure| 24 * (figure.legend.len() as u32 / 3);
    let (path, over_time) = (path(&shown), over_time(&shown));
    let panels = over_time.panels.len() as u32;
    let sizes = [620 + legend_rows(&path), 70 + 230 * panels + legend_rows(&over_time)];
    let figures = [path, over_time].into_iter().zip(sizes);
    figures.map(|(figure, height)| plot::svg(&figure, Size { width: 860, height })).collect()
}

fn path(shown: &Shown) -> Figure {
    let mut panel = Panel::new("", "x [m]", "y [m]", true);
    let ([x, y], extent) = ranges(shown);
    (panel.x, panel.y) = (Axis::within("x [m]", x.0, x.1), Axis::within("y [m]", y.0, y.1));
    let mut legend = Vec::new();
    let mut add = |label: &str, points: Points, line: Line| {
        if !points.is_empty() {
            panel.series.push(Series { label: label.into(), points, line });
        }
    };
    add("scenery", broken_line(shown.trace.scenery.iter()), SCENERY);
    // Blocks that are pushed are elsewhere at the end.
    let last = shown.trace.moments.last();
    let of_blocks = shown.moments.first().copied().or(last);
    add("blocks", broken_line(of_blocks.iter().flat_map(|moment| &moment.blocks)), SCENERY);
    if let Some(last) = last.filter(|last| of_blocks.is_some_and(|first| first.blocks != last.blocks)) {
        add("blocks at the end", broken_line(last.blocks.iter()), BLOCKS);
        legend.push(Key::new("blocks at the end", BLOCKS));
    }
    let people = broken_line(of_blocks.iter().flat_map(|moment| &moment.people));
    if !people.is_empty() {
        legend.push(Key::new("people at these times", PERSON));
    }
    add("people", people, PERSON);
    for (driven_path, line) in shown.driven_paths() {
        let points = driven_path.samples.iter().map(|sample| (sample.pose[0], sample.pose[1]));
        add(&driven_path.vehicle, points.collect(), line);
        legend.push(Key::new(&driven_path.vehicle, line));
        let dashed = Line { dash: Dash::Dashed, ..line };
        if !driven_path.goals.is_empty() {
            let size = CROSS * extent;
            let crosses = driven_path.goals.iter().flat_map(|&[x, y]| {
                [[[x - size, y - size], [x + size, y + size]], [[x - size, y + size], [x + size, y - size]]]
            });
            let strokes: Vec<_> = crosses.map(|stroke| stroke.to_vec()).collect();
            add(&format!("goals of {}", driven_path.vehicle), broken_line(strokes.iter()), line);
        }
        let number = shown.trace.vehicles.iter().position(|known| std::ptr::eq(known, driven_path)).unwrap_or(0);
        let outline =
            |moment: &Moment| moment.vehicles.get(number).map(|lines| broken_line(lines.iter())).unwrap_or_default();
        add(&format!("{} at the end", driven_path.vehicle), last.map(outline).unwrap_or_default(), dashed);
        for moment in &shown.moments {
            let label = format!("{} at {} s", driven_path.vehicle, seconds(moment.time));
            for filled in moment.vehicles.get(number).into_iter().flatten() {
                add(&label, filled.iter().map(|p| (p[0], p[1])).collect(), Line { dash: Dash::Area, ..line });
            }
            add(&label, outline(moment), line);
        }
    }
    let title = shown.moments.iter().map(|moment| {
        let of = moment.vehicle.as_ref().map_or_else(String::new, |vehicle| format!("{vehicle} "));
        format!("{of}{} at {} s", moment.incident, seconds(moment.time))
    });
    legend.push(Key::new("at the end", Line { color: None, dash: Dash::Dashed }));
    Figure { title: title.collect::<Vec<_>>().join("; "), columns: 1, panels: vec![panel], legend }
}

/// The ranges along x and y around all ways, goals and outlines of vehicles, and the greater extent [m].
fn ranges(shown: &Shown) -> ([(f64, f64); 2], f64) {
    let outlines = shown.trace.moments.iter().flat_map(|moment| {
        let outlines = shown.vehicles.iter().filter_map(|&number| moment.vehicles.get(number));
        outlines.flatten().flatten().copied()
    });
    let driven = shown.driven_paths().flat_map(|(driven_path, _)| {
        let places = driven_path.samples.iter().map(|sample| [sample.pose[0], sample.pose[1]]);
        places.chain(driven_path.goals.iter().copied())
    });
    let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    for p in driven.chain(outlines).filter(|p| p.iter().all(|n| n.is_finite())) {
        for (range, value) in range.iter_mut().zip(p) {
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    let extent = range.iter().map(|range| range.1 - range.0).fold(0.0, f64::max);
    let margin = MARGIN.0.max(MARGIN.1 * extent).max(1.1 * clearance(shown).min(MAX_CLEARANCE.max(extent)));
    (range.map(|(low, high)| (low - margin, high + margin)), extent + 2.0 * margin)
}

/// The distance [m] of what was nearest when something failed: the greatest of those of the vehicles that it happened to; 0: it happened to none.
fn clearance(shown: &Shown) -> f64 {
    let of_moment = |moment: &&Moment| {
        let is_of_vehicle = |(path, _): &(&DrivenPath, Line)| moment.vehicle.as_ref() == Some(&path.vehicle);
        let driven_path = shown.driven_paths().find(is_of_vehicle)?.0;
        driven_path.samples.iter().take_while(|sample| sample.time <= moment.time).last()?.clearance
    };
    shown.moments.iter().filter_map(of_moment).fold(0.0, f64::max)
}

/// Several lines as one, interrupted between them.
fn broken_line<'a>(lines: impl Iterator<Item = &'a Vec<[f64; 2]>>) -> Points {
    let mut points = Points::new();
    for line in lines {
        if !points.is_empty() {
            points.push((f64::NAN, f64::NAN));
        }
        points.extend(line.iter().map(|p| (p[0], p[1])));
    }
    points
}

fn over_time(shown: &Shown) -> Figure {
    let mut speed = Panel::new("", "", "speed [m/s]", false);
    let mut clearance = Panel::new("", "time [s]", "clearance [m]", false);
    for (driven_path, line) in shown.driven_paths() {
        let series = |points: Points| Series { label: driven_path.vehicle.clone(), points, line };
        speed.series.push(series(driven_path.samples.iter().map(|sample| (sample.time, sample.speed)).collect()));
        let near = driven_path.samples.iter().filter_map(|sample| Some((sample.time, sample.clearance?)));
        let near: Points = near.collect();
        if !near.is_empty() {
            clearance.series.push(series(near));
        }
    }
    if clearance.series.is_empty() {
        speed.x = Axis::new("time [s]");
    }
    let mut panels: Vec<Panel> = [speed, clearance].into_iter().filter(|panel| !panel.series.is_empty()).collect();
    for panel in &mut panels {
        let most = panel.series.iter().flat_map(|series| &series.points).map(|point| point.1).fold(0.0, f64::max);
        for moment in &shown.moments {
            let points = vec![(moment.time, 0.0), (moment.time, most)];
            panel.series.push(Series { label: moment.incident.clone(), points, line: INSTANT });
        }
    }
    let mut legend: Vec<Key> = shown.driven_paths().map(|(path, line)| Key::new(&path.vehicle, line)).collect();
    if !shown.moments.is_empty() {
        legend.push(Key::new("when something failed", INSTANT));
    }
    Figure { title: String::new(), columns: 1, panels, legend }
}

#[cfg(test)]
mod tests {
    use super::super::samples::results;
    use super::*;

    /// What was too near is in the picture, however far that is.
    #[test]
    fn a_picture_shows_the_nearest_thing_where_it_failed() {
        let mut trace = results()[1].trace.clone().unwrap();
        let range = |trace: &Trace| path(&Shown::new(trace)).panels[0].x.range.unwrap();
        let (low, high) = range(&trace);
        trace.vehicles[0].samples.iter_mut().for_each(|sample| sample.clearance = Some(4.0));
        let (lower, higher) = range(&trace);
        assert!(lower < low - 2.0 && higher > high + 2.0, "{lower} {higher}");
    }

    /// The picture shows the way and the vehicle where it failed, and not a block that is far away.
    #[test]
    fn a_picture_shows_what_is_around_the_way() {
        let trace = results()[1].trace.clone().unwrap();
        let shown = Shown::new(&trace);
        let figure = path(&shown);
        assert_eq!(figure.title, "r1 clearance below 0.1 m at 3.2 s");
        let panel = &figure.panels[0];
        let (low, high) = panel.x.range.unwrap();
        assert!(low < -0.2 && high > 3.2 && high < 10.0, "{low} {high}");
        let filled = panel.series.iter().find(|series| series.line.dash == Dash::Area).unwrap();
        let at = &trace.moments[0].vehicles[0][0];
        assert_eq!(filled.points, at.iter().map(|p| (p[0], p[1])).collect::<Points>());
        let labels: Vec<_> = panel.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!(
            labels,
            ["scenery", "blocks", "people", "r1", "goals of r1", "r1 at the end", "r1 at 3.2 s", "r1 at 3.2 s"]
        );
        assert_eq!(over_time(&shown).panels.len(), 2);
        assert_eq!(svgs(&trace).unwrap().len(), 2);
        assert!(svgs(&Trace::default()).unwrap().is_empty());
    }
}
