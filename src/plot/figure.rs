//! The data of a figure: panels of series over labelled axes, and a legend.

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    #[default]
    Solid,
    /// Long strokes.
    Dashed,
    /// Short strokes.
    Dotted,
    /// No line: a dot at each point, as for measurements.
    Scatter,
    /// No line: the area that the points enclose, faint.
    Area,
}

impl Dash {
    /// The line styles, for series that differ by their dashes.
    pub const ALL: [Dash; 3] = [Dash::Solid, Dash::Dashed, Dash::Dotted];
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index into the palette, which repeats; none: grey.
    pub color: Option<usize>,
    /// Dash pattern of the line.
    pub dash: Dash,
}

impl Line {
    /// An unbroken line of this colour.
    pub fn solid(color: usize) -> Line {
        Line { color: Some(color), dash: Dash::Solid }
    }

    /// Dots of this colour.
    pub fn scatter(color: usize) -> Line {
        Line { color: Some(color), dash: Dash::Scatter }
    }

    /// No line but the area that the points enclose, in this colour.
    pub fn area(color: usize) -> Line {
        Line { color: Some(color), dash: Dash::Area }
    }

    /// A grey line, for references.
    pub fn grey(dash: Dash) -> Line {
        Line { color: None, dash }
    }
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in tables.
    pub label: String,
    /// Points in the panel's units; a point that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub line: Line,
}

impl Series {
    /// A band of this colour through `points`, which are x and the band's lower and upper limit: the area, then the upper and the lower limit as lines,
    /// which tables have in its place. `label` is the name of the area, `limits` those of the two lines.
    pub fn band(label: &str, limits: [&str; 2], points: &[(f64, f64, f64)], color: usize) -> [Series; 3] {
        let [upper, lower]: [Vec<(f64, f64)>; 2] =
            [points.iter().map(|p| (p.0, p.2)).collect(), points.iter().map(|p| (p.0, p.1)).collect()];
        let outline = upper.iter().chain(lower.iter().rev()).copied().collect();
        let area = Series { label: label.into(), points: outline, line: Line::area(color) };
        let limit = |label: &str, points| Series {
            label: label.into(),
            points,
            line: Line { color: Some(color), dash: Dash::Dotted },
        };
        let [of_upper, of_lower] = limits;
        [area, limit(of_upper, upper), limit(of_lower, lower)]
    }
}

/// One axis of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Quantity and unit, such as `speed [m/s]`.
    pub label: String,
    /// Range shown; none: that of the data.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis with the range of its data.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), range: None }
    }

    /// An axis from `low` to `high`; data outside is clipped.
    pub fn within(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis { label: label.into(), range: Some((low, high)) }
    }
}

/// One diagram.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What it shows; empty: what the label of its y axis says.
    pub title: String,
    /// Across; without a label it is the axis of the panel below.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Whether x and y have equal scales.
    pub equal: bool,
    /// The curves, the first at the bottom.
    pub series: Vec<Series>,
}

impl Panel {
    /// An empty diagram with these labels of its axes; `equal` as the field.
    pub fn new(title: &str, x: &str, y: &str, equal: bool) -> Panel {
        Panel { title: title.into(), x: Axis::new(x), y: Axis::new(y), equal, series: Vec::new() }
    }

    /// The ranges shown along x and y: the axis' own range, or that of the series with a small margin.
    pub fn ranges(&self) -> [(f64, f64); 2] {
        // False for NaN too.
        let is_drawn = |(x, y): &&(f64, f64)| x.abs() <= MAX_COORDINATE && y.abs() <= MAX_COORDINATE;
        let finite = || self.series.iter().flat_map(|s| &s.points).filter(is_drawn);
        let x = self.x.range.unwrap_or_else(|| span(finite().map(|p| p.0), 0.0));
        let shown = finite().filter(|p| p.0 >= x.0 && p.0 <= x.1);
        [x, self.y.range.unwrap_or_else(|| span(shown.map(|p| p.1), 0.06))]
    }
}

/// A line of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Meaning of such lines.
    pub label: String,
    /// Style of such lines.
    pub line: Line,
}

impl Key {
    /// The entry for lines of this style.
    pub fn new(label: impl Into<String>, line: Line) -> Key {
        Key { label: label.into(), line }
    }
}

/// A picture: panels in rows, and one legend for all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// Panels per row, ≥ 1.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// The legend.
    pub legend: Vec<Key>,
}

/// Points farther out are not drawn, so that differences of coordinates do not overflow, even after an axis is widened.
pub(super) const MAX_COORDINATE: f64 = 1e50;
/// Values closer than this share of their magnitude count as equal: there is no room for ticks between them [-].
const SAME: f64 = 1e-12;

/// Least and greatest value, widened by the share `air` of their distance on each side; an end at zero is kept.
fn span(values: impl Iterator<Item = f64>, air: f64) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    let is_wide = high - low > SAME * low.abs().max(high.abs());
    let room = if is_wide { air * (high - low) } else { low.abs().max(1.0) * 0.5 };
    (if low == 0.0 { 0.0 } else { low - room }, if high == 0.0 && low < 0.0 { 0.0 } else { high + room })
}

/// `count` ≥ 2 values evenly from `low` to `high`, both included.
pub fn sweep(low: f64, high: f64, count: usize) -> impl Iterator<Item = f64> + Clone {
    let last = (count.max(2) - 1) as f64;
    (0..count.max(2)).map(move |i| low + (high - low) * (i as f64 / last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panel_shows_all_of_its_data_and_nothing_far_beyond() {
        let points = vec![(0.0, 0.0), (2.0, 10.0), (4.0, f64::NAN)];
        let series = vec![Series { label: "a".into(), points, line: Line::solid(0) }];
        let mut panel = Panel { series, ..Panel::default() };
        let [x, y] = panel.ranges();
        assert_eq!((x, y.0), ((0.0, 2.0), 0.0));
        assert!(y.1 > 10.0 && y.1 < 11.0);
        panel.x.range = Some((0.0, 1.0));
        assert_eq!(panel.ranges()[1], (0.0, 0.5), "only the point at 0 is shown");
        assert_eq!(Panel::default().ranges(), [(0.0, 1.0), (0.0, 1.0)]);
    }

    #[test]
    fn extreme_numbers_leave_a_panel_that_can_be_drawn() {
        let huge = [(0.0, 1.7e308), (-1.7e308, 1.0), (1.0, -1.7e308), (2.0, f64::NAN)];
        let close = [(0.0, 1e9), (1.0, 1e9 + 1e-7)];
        for (points, y) in [(huge.to_vec(), (0.0, 1.0)), (close.to_vec(), (5e8, 1.5e9))] {
            let series = vec![Series { label: "a".into(), points, line: Line::solid(0) }];
            let panel = Panel { series, equal: true, ..Panel::default() };
            assert_eq!(panel.ranges()[1], y);
            let figure = Figure { columns: 1, panels: vec![panel], ..Figure::default() };
            assert!(crate::svg(&figure, crate::Size { width: 300, height: 200 }).unwrap().contains("<svg"));
        }
    }

    /// From x = 0 to 1 between x and x + 2.
    #[test]
    fn the_outline_of_a_band_goes_forth_above_and_back_below() {
        let [area, upper, lower] = Series::band("b", ["high", "low"], &[(0.0, 0.0, 2.0), (1.0, 1.0, 3.0)], 4);
        assert_eq!(area.points, [(0.0, 2.0), (1.0, 3.0), (1.0, 1.0), (0.0, 0.0)]);
        assert_eq!((area.line, area.label.as_str()), (Line::area(4), "b"));
        assert_eq!((upper.points, upper.label.as_str()), (vec![(0.0, 2.0), (1.0, 3.0)], "high"));
        assert_eq!((lower.points, lower.label.as_str()), (vec![(0.0, 0.0), (1.0, 1.0)], "low"));
        assert_eq!((upper.line.dash, lower.line.color), (Dash::Dotted, Some(4)));
    }

    #[test]
    fn a_sweep_has_both_ends() {
        assert_eq!(sweep(1.0, 2.0, 3).collect::<Vec<_>>(), [1.0, 1.5, 2.0]);
    }
}
