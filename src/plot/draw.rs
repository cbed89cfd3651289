//! Draws figures with the drawing library; `pixels` and `pdf` are what it draws on.
//!
//! Pictures look the same on every machine: PNGs and PDFs use a font from a crate, SVGs the generic
//! `sans-serif`. PNGs are drawn at three times the size and scaled down, which smooths lines. Colours are those of Okabe and Ito
//! ("Color Universal Design", 2008), which colour-blind readers can distinguish.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::OnceLock;

use ab_glyph::FontRef;
use image::{ImageFormat, RgbImage, imageops};
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::register_font;

use super::compact::compact;
use super::figure::{Dash, Figure, Key, Line, MAX_COORDINATE, Panel, Series};
use super::pdf::{self, Pdf};
use super::pixels::Pixels;
use super::size::{LABEL, PageSize, Size};

const FONT: &str = "sans-serif";
/// Okabe and Ito's colours without yellow, which is too faint for lines on white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];
const GREY: RGBColor = RGBColor(120, 120, 120);
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);

// Sizes in pixels of the finished picture.
const TITLE: f64 = 21.0;
const PANEL_TITLE: f64 = 17.0;
const TICK: f64 = 14.0;
const STROKE: f64 = 2.0;
/// Room that a number at an axis needs at least, across and upwards.
const TICK_ROOM: (f64, f64) = (50.0, 20.0);
/// Radius of dots.
const DOT: f64 = 1.4;
/// Share of its colour in an area [-].
const FAINT: f64 = 0.2;
/// Half the height of the sample of an area in the legend.
const AREA_SAMPLE: f64 = 6.0;
/// Largest number of points of a stroke, few enough that a stroke is shorter than a lap.
const LAP: usize = 48;
/// Height of a row of the legend.
const LEGEND_ROW: f64 = 24.0;
/// Length of the sample of a line in the legend.
const SAMPLE: f64 = 34.0;
/// Space between entries of the legend.
const GAP: f64 = 28.0;
/// Units of an SVG's integer coordinates per pixel.
const FINENESS: u32 = 8;
/// Factor by which PNGs are drawn larger.
const OVERSAMPLING: u32 = 3;

type Drawn = Result<(), String>;

/// Points of a pixel of the finished picture, unless it is drawn for paper: 96 of them are an inch.
const POINTS: f64 = 0.75;
/// Pixels of a PNG for paper per point: 300 are an inch.
const PRINT: f64 = 300.0 / 72.0;

/// The font, for what draws letters itself.
fn letters() -> Result<FontRef<'static>, String> {
    FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).map_err(|error| error.to_string())
}

/// The figure as a PDF file.
pub(super) fn pdf(figure: &Figure, size: Size, page_size: Option<&PageSize>) -> Result<Vec<u8>, String> {
    register()?;
    let size = page_size.map_or(size, |page| page.drawing(size));
    let drawn = (FINENESS * size.width, FINENESS * size.height);
    let per_point = f64::from(FINENESS) / page_size.map_or(POINTS, PageSize::points);
    let (mut page, font) = (pdf::Page::new(drawn, per_point), letters()?);
    {
        let area = Pdf::new(drawn, font.clone(), &mut page).into_drawing_area();
        draw(&area, figure, f64::from(FINENESS))?;
        area.present().map_err(|error| error.to_string())?;
    }
    Ok(pdf::file(page, &font, epaint_default_fonts::UBUNTU_LIGHT))
}

/// The figure as an SVG document; for paper its size is in millimetres.
pub(super) fn svg(figure: &Figure, size: Size, page_size: Option<&PageSize>) -> Result<String, String> {
    register()?;
    let size = page_size.map_or(size, |page| page.drawing(size));
    let (width, height) = (FINENESS * size.width, FINENESS * size.height);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        draw(&area, figure, f64::from(FINENESS))?;
        area.present().map_err(|error| error.to_string())?;
    }
    let fine = format!("<svg width=\"{width}\" height=\"{height}\"");
    let shown = |pixels: u32| match page_size {
        Some(page) => format!("{:.2}mm", page.millimetres(pixels)),
        None => pixels.to_string(),
    };
    let text =
        text.replacen(&fine, &format!("<svg width=\"{}\" height=\"{}\"", shown(size.width), shown(size.height)), 1);
    Ok(compact(&text))
}

/// The figure as a PNG file; for paper it has 300 pixels per inch.
pub(super) fn png(figure: &Figure, size: Size, page_size: Option<&PageSize>) -> Result<Vec<u8>, String> {
    register()?;
    let finer = page_size.map_or(1.0, |page| page.points() * PRINT);
    let size = page_size.map_or(size, |page| {
        let drawing = page.drawing(size);
        let printed = |pixels: u32| (f64::from(pixels) * finer).round().max(1.0) as u32;
        Size { width: printed(drawing.width), height: printed(drawing.height) }
    });
    let (width, height) = (OVERSAMPLING * size.width, OVERSAMPLING * size.height);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    {
        let area = Pixels::new(&mut pixels, (width, height), letters()?).into_drawing_area();
        draw(&area, figure, f64::from(OVERSAMPLING) * finer)?;
        area.present().map_err(|error| error.to_string())?;
    }
    let large = RgbImage::from_raw(width, height, pixels).ok_or("the picture has lost pixels")?;
    let mut bytes = Cursor::new(Vec::new());
    imageops::thumbnail(&large, size.width, size.height)
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

/// Registers the font with the library, once.
fn register() -> Drawn {
    static DONE: OnceLock<bool> = OnceLock::new();
    let done = DONE.get_or_init(|| register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok());
    if *done { Ok(()) } else { Err("the font cannot be read".into()) }
}

/// Draws everything; `scale` is the size of a pixel of the finished picture.
fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, figure: &Figure, scale: f64) -> Drawn {
    area.fill(&WHITE).map_err(|error| error.to_string())?;
    let (width, height) = area.dim_in_pixel();
    let px = |size: f64| (size * scale) as i32;
    let mut top = px(8.0);
    if !figure.title.is_empty() {
        write_text(area, &figure.title, (width as i32 / 2, top), TITLE * scale, INK, true)?;
        top += px(TITLE + 6.0);
    }
    let rows = legend_rows(&figure.legend, f64::from(width) / scale - 40.0);
    let legend_height = px(LEGEND_ROW * rows.len() as f64 + if rows.is_empty() { 4.0 } else { 12.0 });
    let bottom = (height as i32 - legend_height).max(top + 1);
    draw_legend(area, &rows, width as i32, bottom + px(6.0), scale)?;
    let body = area.margin(top, legend_height, px(6.0), px(6.0));
    let columns = figure.columns.max(1);
    let cells = body.split_evenly((figure.panels.len().div_ceil(columns).max(1), columns));
    for (cell, panel) in cells.iter().zip(&figure.panels) {
        draw_panel(cell, panel, scale)?;
    }
    Ok(())
}

fn font(size: f64, color: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&color)
}

fn write_text<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    text: &str,
    at: (i32, i32),
    size: f64,
    color: RGBColor,
    centred: bool,
) -> Drawn {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    let position = if centred { Pos::new(HPos::Center, VPos::Top) } else { Pos::new(HPos::Left, VPos::Center) };
    area.draw_text(text, &font(size, color).pos(position), at).map_err(|error| error.to_string())
}

/// Width of a text [px of the finished picture].
fn text_width(text: &str, size: f64) -> f64 {
    font(size, INK)
        .font
        .layout_box(text)
        .map_or(0.5 * size * text.chars().count() as f64, |((left, _), (right, _))| f64::from(right - left))
}

/// The legend broken into rows no wider than `width` [px], each with its own width.
fn legend_rows(legend: &[Key], width: f64) -> Vec<(f64, Vec<(f64, &Key)>)> {
    let mut rows: Vec<(f64, Vec<(f64, &Key)>)> = Vec::new();
    for key in legend {
        let key_width = SAMPLE + 8.0 + text_width(&key.label, LABEL);
        match rows.last_mut() {
            Some((used, keys)) if *used + GAP + key_width <= width => {
                keys.push((*used + GAP, key));
                *used += GAP + key_width;
            }
            _ => rows.push((key_width, vec![(0.0, key)])),
        }
    }
    rows
}

fn draw_legend<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    rows: &[(f64, Vec<(f64, &Key)>)],
    width: i32,
    top: i32,
    scale: f64,
) -> Drawn {
    for (index, (used, keys)) in rows.iter().enumerate() {
        let left = 0.5 * (f64::from(width) - used * scale);
        let middle = top + ((index as f64 + 0.5) * LEGEND_ROW * scale) as i32;
        for (offset, key) in keys {
            let start = left + offset * scale;
            let ends = vec![(start as i32, middle), ((start + SAMPLE * scale) as i32, middle)];
            draw_line(area, ends, key.line, scale)?;
            let at = ((start + (SAMPLE + 8.0) * scale) as i32, middle);
            write_text(area, &key.label, at, LABEL * scale, INK, false)?;
        }
    }
    Ok(())
}

fn color_of(line: Line) -> RGBColor {
    line.color.map_or(GREY, |index| PALETTE[index % PALETTE.len()])
}

fn style(line: Line, scale: f64) -> ShapeStyle {
    let color = color_of(line);
    let width = if line.color.is_none() { 0.7 * STROKE } else { STROKE };
    ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: (width * scale).round().max(1.0) as u32 }
}

/// Length of strokes and of the gaps between them [px]; none for unbroken lines.
fn strokes(dash: Dash, scale: f64) -> Option<(i32, i32)> {
    let px = |size: f64| (size * scale) as i32;
    match dash {
        Dash::Solid | Dash::Scatter | Dash::Area => None,
        Dash::Dashed => Some((px(9.0), px(5.0))),
        Dash::Dotted => Some((px(2.0), px(4.0))),
    }
}

fn draw_line<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    points: Vec<(i32, i32)>,
    line: Line,
    scale: f64,
) -> Drawn {
    if line.dash == Dash::Scatter {
        return draw_dots(area, middles(&points), line, scale);
    }
    if line.dash == Dash::Area {
        let [from, .., to] = points[..] else { return Ok(()) };
        let half = (AREA_SAMPLE * scale) as i32;
        let corners = [(from.0, from.1 - half), (to.0, to.1 - half), (to.0, to.1 + half), (from.0, from.1 + half)];
        return draw_area(area, corners.to_vec(), line);
    }
    let style = style(line, scale);
    match strokes(line.dash, scale) {
        None => area.draw(&PathElement::new(points, style)),
        Some((length, gap)) => area.draw(&DashedPathElement::new(points, length, gap, style)),
    }
    .map_err(|error| error.to_string())
}

/// Fills the area within these corners with the colour of the line, as if it were mixed with much white: no format has to know of transparency.
fn draw_area<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, corners: Vec<(i32, i32)>, line: Line) -> Drawn {
    let RGBColor(r, g, b) = color_of(line);
    let faint = |part: u8| (255.0 - FAINT * (255.0 - f64::from(part))).round() as u8;
    let color = RGBColor(faint(r), faint(g), faint(b));
    area.draw(&Polygon::new(corners, color.filled())).map_err(|error| error.to_string())
}

/// Three points between the ends of a sample in the legend.
fn middles(ends: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let [(x0, y), .., (x1, _)] = *ends else { return Vec::new() };
    [0.2, 0.5, 0.8].map(|share| (x0 + (share * f64::from(x1 - x0)) as i32, y)).to_vec()
}

fn draw_dots<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    points: Vec<(i32, i32)>,
    line: Line,
    scale: f64,
) -> Drawn {
    let style = ShapeStyle { filled: true, stroke_width: 0, ..style(line, scale) };
    let radius = (DOT * scale).round().max(1.0) as i32;
    points
        .into_iter()
        .try_for_each(|point| area.draw(&Circle::new(point, radius, style)))
        .map_err(|error| error.to_string())
}

fn draw_panel<DB: DrawingBackend>(cell: &DrawingArea<DB, Shift>, panel: &Panel, scale: f64) -> Drawn {
    let px = |size: f64| (size * scale) as u32;
    let [mut x, mut y] = panel.ranges();
    // A panel above another one that has the same axis leaves its label to that.
    let below = if panel.x.label.is_empty() { TICK + 6.0 } else { TICK + LABEL + 12.0 };
    let labels = ((LABEL + TICK) * 1.6 + 14.0, below);
    let (margin, caption) = (10.0, if panel.title.is_empty() { 0.0 } else { PANEL_TITLE + 12.0 });
    let around = px(margin) as i32;
    let mut body = cell.margin(around, around, around, around);
    if !panel.title.is_empty() {
        body = body.titled(&panel.title, font(PANEL_TITLE * scale, INK)).map_err(|error| error.to_string())?;
    }
    if panel.equal {
        // The height of a title is that of its letters, and the last pixel belongs to the range.
        let (width, height) = body.dim_in_pixel();
        let pixels = |size: u32, label: f64| f64::from(size.saturating_sub(px(label) + 1).max(1));
        equalize(&mut x, &mut y, pixels(width, labels.0) / pixels(height, labels.1));
    }
    // In a narrow panel there is room for few numbers.
    let (wide, high) = cell.dim_in_pixel();
    let inside = |size: u32, taken: f64| f64::from(size) / scale - taken - 2.0 * margin;
    let across = (inside(wide, labels.0) / TICK_ROOM.0).clamp(3.0, 6.0) as usize;
    let upwards = (inside(high, labels.1 + caption) / TICK_ROOM.1).clamp(3.0, 7.0) as usize;
    let mut chart = ChartBuilder::on(&body)
        .x_label_area_size(px(labels.1))
        .y_label_area_size(px(labels.0))
        .build_cartesian_2d(x.0..x.1, y.0..y.1)
        .map_err(|error| error.to_string())?;
    chart
        .configure_mesh()
        .x_desc(&panel.x.label)
        .y_desc(&panel.y.label)
        .x_labels(across)
        .y_labels(upwards)
        .x_label_formatter(&|value| tick(*value))
        .y_label_formatter(&|value| tick(*value))
        .bold_line_style(ShapeStyle { color: GRID.to_rgba(), filled: false, stroke_width: px(1.0) })
        .light_line_style(TRANSPARENT)
        .axis_style(ShapeStyle { color: GREY.to_rgba(), filled: false, stroke_width: px(1.0) })
        .label_style(font(TICK * scale, INK))
        .axis_desc_style(font(LABEL * scale, INK))
        .set_all_tick_mark_size(px(4.0))
        .draw()
        .map_err(|error| error.to_string())?;
    let plot = chart.plotting_area();
    let (plain, corner) = (plot.strip_coord_spec(), plot.get_base_pixel());
    // Pixels with a dot of the current line: a second dot would only cover the first.
    let (mut covered, mut drawn) = (BTreeSet::new(), None);
    for series in &panel.series {
        if drawn.replace(series.line) != Some(series.line) {
            covered.clear();
        }
        if series.line.dash == Dash::Scatter {
            let shown = series.points.iter().filter(|p| p.0 >= x.0 && p.0 <= x.1 && p.1 >= y.0 && p.1 <= y.1);
            let pixels = shown.map(|point| plot.map_coordinate(point)).map(|(x, y)| (x - corner.0, y - corner.1));
            let pixel = |point: (i32, i32)| (point.0 / px(1.0) as i32, point.1 / px(1.0) as i32);
            draw_dots(&plain, pixels.filter(|point| covered.insert(pixel(*point))).collect(), series.line, scale)?;
            continue;
        }
        if series.line.dash == Dash::Area {
            // Corners outside are moved to the edge.
            let inside = series.points.iter().filter(|point| point.0.is_finite() && point.1.is_finite());
            let clamped = inside.map(|point| (point.0.clamp(x.0, x.1), point.1.clamp(y.0, y.1)));
            let pixels = clamped.map(|point| plot.map_coordinate(&point)).map(|(x, y)| (x - corner.0, y - corner.1));
            draw_area(&plain, pixels.collect(), series.line)?;
            continue;
        }
        for piece in pieces(series, x, y) {
            let pixels = piece.iter().map(|point| plot.map_coordinate(point));
            let local = pixels.map(|(x, y)| (x - corner.0, y - corner.1)).collect();
            for stroke in smooth(local, 0.7 * STROKE * scale) {
                // The library leaves holes where an unbroken line overlaps itself, so each lap is a separate stroke.
                let most = if series.line.dash == Dash::Solid { LAP } else { stroke.len().max(2) };
                for start in (0..stroke.len() - 1).step_by(most - 1) {
                    let part = stroke[start..(start + most).min(stroke.len())].to_vec();
                    draw_line(&plain, part, series.line, scale)?;
                }
            }
        }
    }
    Ok(())
}

/// The path in parts that can be drawn as wide lines: points closer than `least` [px] are dropped, and the path is cut where it
/// turns back, because the library draws spikes at such corners.
fn smooth(path: Vec<(i32, i32)>, least: f64) -> Vec<Vec<(i32, i32)>> {
    let step = |from: (i32, i32), to: (i32, i32)| (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let mut parts: Vec<Vec<(i32, i32)>> = Vec::new();
    let mut part: Vec<(i32, i32)> = Vec::new();
    let last = path.last().copied();
    for point in path {
        let Some(&before) = part.last() else {
            part.push(point);
            continue;
        };
        let (dx, dy) = step(before, point);
        if dx.hypot(dy) < least && Some(point) != last {
            continue;
        }
        if let [.., earlier, _] = part[..] {
            let (ex, ey) = step(earlier, before);
            if ex * dx + ey * dy < 0.0 {
                parts.push(std::mem::replace(&mut part, vec![before]));
            }
        }
        if (dx, dy) != (0.0, 0.0) {
            part.push(point);
        }
    }
    parts.push(part);
    parts.retain(|part| part.len() > 1);
    parts
}

/// Widens one range to equal scales on both axes of a panel that is `ratio` times as wide as high.
fn equalize(x: &mut (f64, f64), y: &mut (f64, f64), ratio: f64) {
    let (width, height) = (x.1 - x.0, y.1 - y.0);
    let widen = |range: &mut (f64, f64), by: f64| *range = (range.0 - 0.5 * by, range.1 + 0.5 * by);
    if width < ratio * height {
        widen(x, ratio * height - width);
    } else {
        widen(y, width / ratio - height);
    }
}

/// A tick label, without the rounding digits of binary fractions.
fn tick(value: f64) -> String {
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.replace('-', "−") }
}

/// The parts of a series that lie within the panel.
fn pieces(series: &Series, x: (f64, f64), y: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut open = false;
    for pair in series.points.windows(2) {
        let Some((from, to)) = clip(pair[0], pair[1], x, y) else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open && piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
        open = to == pair[1];
    }
    pieces
}

/// The part of a segment within a rectangle (Liang and Barsky 1984); none if it is outside or not finite.
fn clip(from: (f64, f64), to: (f64, f64), x: (f64, f64), y: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if ![from.0, from.1, to.0, to.1].iter().all(|v| v.abs() <= MAX_COORDINATE) {
        return None;
    }
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (direction, room) in [(-dx, from.0 - x.0), (dx, x.1 - from.0), (-dy, from.1 - y.0), (dy, y.1 - from.1)] {
        if direction == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if direction < 0.0 {
            enter = enter.max(room / direction);
        } else {
            leave = leave.min(room / direction);
        }
    }
    if enter > leave {
        return None;
    }
    let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
    Some((if enter > 0.0 { at(enter) } else { from }, if leave < 1.0 { at(leave) } else { to }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_clipped_at_the_edge() {
        let points = vec![(0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, f64::NAN), (4.0, 0.5), (5.0, 0.5)];
        let series = Series { label: String::new(), points, line: Line::solid(0) };
        assert_eq!(
            pieces(&series, (0.0, 10.0), (0.0, 1.0)),
            [vec![(0.0, 0.0), (0.5, 1.0)], vec![(1.5, 1.0), (2.0, 0.0)], vec![(4.0, 0.5), (5.0, 0.5)]]
        );
    }

    #[test]
    fn a_path_that_turns_back_is_cut_there() {
        let path = vec![(0, 0), (1, 0), (10, 0), (20, 1), (10, 1), (0, 2), (0, 2)];
        assert_eq!(smooth(path, 3.0), [vec![(0, 0), (10, 0), (20, 1)], vec![(20, 1), (10, 1), (0, 2)]]);
    }

    #[test]
    fn scattered_points_are_dots_and_those_outside_or_on_others_are_left_out() {
        let series = Series {
            label: "s".into(),
            points: vec![(0.5, 0.5), (0.5001, 0.5), (2.0, 0.5), (0.2, f64::NAN)],
            line: Line::scatter(0),
        };
        let within = |label: &str| super::super::figure::Axis::within(label, 0.0, 1.0);
        let panel = Panel { x: within("x"), y: within("y"), series: vec![series], ..Panel::default() };
        let legend = vec![Key::new("s", Line::scatter(0))];
        let figure = Figure { panels: vec![panel], legend, ..Figure::default() };
        let svg = svg(&figure, Size { width: 400, height: 300 }, None).unwrap();
        assert_eq!(svg.matches("h0").count(), 1 + 3, "one point, three in the legend");
    }

    #[test]
    fn areas_are_filled_with_a_faint_colour_in_every_format() {
        let points = vec![(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)];
        let line = Line { color: Some(0), dash: Dash::Area };
        let within = |label: &str| super::super::figure::Axis::within(label, 0.0, 1.0);
        let series = vec![Series { label: "s".into(), points, line }];
        let panel = Panel { x: within("x"), y: within("y"), series, ..Panel::default() };
        let legend = vec![Key::new("s", line)];
        let (figure, size) =
            (Figure { panels: vec![panel], legend, ..Figure::default() }, Size { width: 400, height: 300 });
        // 255 − 0.2·(255 − c) of the palette's first colour.
        let svg = svg(&figure, size, None).unwrap();
        assert_eq!(svg.matches("<polygon").count(), 2, "the area and its sample: {svg}");
        assert!(svg.contains("#CCE3F0"), "{svg}");
        let image = image::load_from_memory(&png(&figure, size, None).unwrap()).unwrap().into_rgb8();
        assert_eq!(image.get_pixel(225, 110).0, [204, 227, 240]);
        assert!(!pdf(&figure, size, None).unwrap().is_empty());
    }

    /// Width over height of a square of one metre, from the dots at its corners.
    fn squareness(title: &str, size: Size, page_size: Option<&PageSize>) -> f64 {
        let points = vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (3.0, 0.2)];
        let series = vec![Series { label: "s".into(), points, line: Line::scatter(0) }];
        let panel = Panel { series, ..Panel::new(title, "x [m]", "y [m]", true) };
        let figure = Figure { columns: 1, panels: vec![panel], ..Figure::default() };
        let svg = svg(&figure, size, page_size).unwrap();
        let dots = svg.lines().find(|line| line.contains("stroke-linecap=\"round\"")).unwrap();
        let moves = dots.split_once(" d=\"m").unwrap().1.split("h0m").map(|step| {
            let step = step.split("h0").next().unwrap().replace('-', " -");
            step.split_whitespace().map(|number| number.parse().unwrap()).collect::<Vec<f64>>()
        });
        let moves: Vec<Vec<f64>> = moves.collect();
        -moves[1][0] / moves[2][1]
    }

    #[test]
    fn equal_scales_are_equal_at_every_size() {
        let page: PageSize = "88x60mm".parse().unwrap();
        for title in ["", "Path"] {
            for (width, height) in [(200, 200), (400, 300), (860, 420), (1200, 400), (620, 860), (3000, 2000)] {
                for page_size in [None, Some(&page)] {
                    let ratio = squareness(title, Size { width, height }, page_size);
                    assert!((ratio - 1.0).abs() < 0.005, "{width} x {height}, \"{title}\": {ratio}");
                }
            }
        }
    }

    #[test]
    fn equal_axes_only_grow() {
        let (mut x, mut y) = ((0.0, 4.0), (0.0, 1.0));
        equalize(&mut x, &mut y, 2.0);
        assert_eq!((x, y), ((0.0, 4.0), (-0.5, 1.5)));
        equalize(&mut x, &mut y, 3.0);
        assert_eq!((x, y), ((-1.0, 5.0), (-0.5, 1.5)));
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!([0.1 + 0.2, -0.0, -1.5, 2000.0].map(tick), ["0.3", "0", "−1.5", "2000"]);
    }

    #[test]
    fn a_long_legend_breaks_into_rows() {
        register().unwrap();
        let keys: Vec<Key> = (0..10).map(|i| Key::new(format!("a long name {i}"), Line::solid(i))).collect();
        let rows = legend_rows(&keys, 400.0);
        assert!(rows.len() > 3 && rows.iter().all(|(used, _)| *used <= 400.0), "{}", rows.len());
        assert_eq!(rows.iter().map(|(_, keys)| keys.len()).sum::<usize>(), 10);
    }
}
