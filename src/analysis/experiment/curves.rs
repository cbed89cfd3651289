//! The curves of a matrix: one metric over the last axis of numbers, a curve for each combination of the others.

use skidpad_plot::{Axis, Dash, Figure, Key, Line, Panel, Series, Size};

use super::GridReport;
use super::grid_table::title;
use crate::Field;
use crate::Summary;

/// Most panels; with more values of its first axis all curves are in one.
const MAX_PANELS: usize = 6;
/// Colours before dashes begin.
const COLORS: usize = 8;

impl GridReport<'_> {
    /// A figure of this metric; none without an axis of at least two numbers, beside that of the seeds.
    pub fn curves(&self, field: &Field) -> Option<(Figure, Size)> {
        let axes = self.shown_axes();
        let over = |&&axis: &&usize| self.axes[axis].numbers().is_some_and(|numbers| numbers.len() > 1);
        let across = *axes.iter().rev().find(over)?;
        let other_axes: Vec<usize> = axes.iter().copied().filter(|&axis| axis != across).collect();
        // With two more axes the first one has a panel for each of its values.
        let (of_panels, of_curves) = match other_axes.split_first() {
            Some((&first, curve_axes)) if !curve_axes.is_empty() && self.axes[first].values.len() <= MAX_PANELS => {
                (self.chosen(&[first]), curve_axes)
            }
            _ => (vec![Vec::new()], &other_axes[..]),
        };
        let curves = self.chosen(of_curves);
        let style =
            |index: usize| Line { color: Some(index % COLORS), dash: Dash::ALL[index / COLORS % Dash::ALL.len()] };
        let name = |chosen: &[(usize, usize)]| {
            let labels = chosen.iter().map(|&(axis, index)| match self.axes[axis].numbers() {
                // A number alone says nothing.
                Some(_) => format!("{} {}", self.axes[axis].keys[0], self.axes[axis].short(index)),
                None => self.axes[axis].short(index),
            });
            labels.collect::<Vec<_>>().join(", ")
        };
        let x = axis_label(&self.axes[across].keys[0]);
        let y = title(field);
        let numbers = self.axes[across].numbers().unwrap_or_default();
        let panel = |fixed: &Vec<(usize, usize)>| {
            let (mut areas, mut lines) = (Vec::new(), Vec::new());
            for (index, curve) in curves.iter().enumerate() {
                let at = |place: usize| self.mean(field, &[&fixed[..], &curve[..], &[(across, place)]].concat());
                let points = numbers.iter().enumerate().filter_map(|(place, &x)| Some((x, at(place)?)));
                let mut points: Vec<(f64, Summary)> = points.collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mean = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
                lines.push(Series { label: name(curve), points: mean, line: style(index) });
                let band = points.iter().filter_map(|(x, summary)| {
                    let [low, high] = summary.interval()?;
                    Some((*x, low, high))
                });
                let band: Vec<_> = band.collect();
                if band.len() > 1 {
                    let [above, below] = ["upper", "lower"].map(|end| format!("{}, {end} end of 95 %", name(curve)));
                    let [area, limits @ ..] = Series::band(&name(curve), [&above, &below], &band, index % COLORS);
                    areas.push(area);
                    lines.extend(limits);
                }
            }
            // Lines over all areas.
            let series = areas.into_iter().chain(lines).filter(|series| !series.points.is_empty()).collect();
            Panel { title: name(fixed), x: Axis::new(&x), y: Axis::new(&y), equal: false, series }
        };
        let panels: Vec<Panel> = of_panels.iter().map(panel).filter(|panel| !panel.series.is_empty()).collect();
        let mut legend: Vec<Key> = match &curves[..] {
            [only] if only.is_empty() => Vec::new(),
            curves => curves.iter().enumerate().map(|(index, curve)| Key::new(name(curve), style(index))).collect(),
        };
        if self.seeds() > 1 {
            let of_all = || format!("{}{}", self.of_seeds(), self.left_out());
            let mean = legend.is_empty().then(|| Key::new(of_all(), style(0)));
            legend.extend(mean);
            legend.push(Key::new("95 % interval of the mean", Line::area(0)));
        }
        let columns = panels.len().clamp(1, 2);
        let rows = panels.len().div_ceil(columns) as u32;
        let size = Size { width: 860, height: 70 + 300 * rows + 24 * (legend.len() as u32 / 3) };
        (rows > 0).then(|| (Figure { title: String::new(), columns, panels, legend }, size))
    }
}

/// The name of a key with its unit, of those that are varied most.
fn axis_label(key: &str) -> String {
    let unit = match key {
        "speed" => "m/s",
        "latency" | "step" | "duration" => "s",
        "rate" | "sample_rate" => "Hz",
        "Kp" => "1/s",
        "R" | "epsilon" | "PL_distance" | "L" => "m",
        _ => return key.to_owned(),
    };
    format!("{key} [{unit}]")
}
