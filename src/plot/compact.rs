//! Shrinks SVG documents without changing a pixel: consecutive elements of one style are merged.
//!
//! The drawing library writes an element of a hundred bytes for each dash and each dot. Consecutive lines of one style
//! become one `path` with relative coordinates; so do dots, as zero-length strokes with round caps.

use std::fmt::Write;

/// The document with merged elements; other lines are kept unchanged.
pub(super) fn compact(document: &str) -> String {
    let mut small = String::with_capacity(document.len() / 4);
    let mut open: Option<Path> = None;
    for line in document.lines() {
        let next = stroke(line).or_else(|| dot(line));
        match (next, &mut open) {
            (Some((style, points)), Some(path)) if path.style == style => path.add(&points),
            (Some((style, points)), _) => {
                if let Some(path) = open.take() {
                    path.close(&mut small);
                }
                let path = open.insert(Path { style, data: String::new(), at: (0, 0) });
                path.add(&points);
            }
            (None, _) => {
                if let Some(path) = open.take() {
                    path.close(&mut small);
                }
                small.push_str(line);
                small.push('\n');
            }
        }
    }
    if let Some(path) = open {
        path.close(&mut small);
    }
    small
}

/// A path under construction.
struct Path {
    /// Attributes of the path, as SVG.
    style: String,
    /// Drawing commands so far, as SVG.
    data: String,
    /// Position of the pen.
    at: (i32, i32),
}

impl Path {
    /// Adds a subpath through these points; a single point is a dot.
    fn add(&mut self, points: &[(i32, i32)]) {
        // The first move is from 0, 0; numbers after the first pair of a move are lines.
        self.data.push('m');
        for (index, &point) in points.iter().enumerate() {
            let (dx, dy) = (point.0 - self.at.0, point.1 - self.at.1);
            let space = if index == 0 || dx < 0 { "" } else { " " };
            let comma = if dy < 0 { "" } else { " " };
            let _ = write!(self.data, "{space}{dx}{comma}{dy}");
            self.at = point;
        }
        if points.len() == 1 {
            self.data.push_str("h0");
        }
    }

    fn close(self, document: &mut String) {
        let _ = writeln!(document, "<path {} d=\"{}\"/>", self.style, self.data);
    }
}

/// Style and points of a polyline; none for other elements, and for transparent ones, which must not be merged.
fn stroke(line: &str) -> Option<(String, Vec<(i32, i32)>)> {
    let (style, points) = line.strip_prefix("<polyline ")?.strip_suffix("\"/>")?.split_once(" points=\"")?;
    let points = points.split_whitespace().map(|pair| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    });
    let points: Vec<(i32, i32)> = points.collect::<Option<_>>()?;
    (points.len() > 1 && style.contains("opacity=\"1\"")).then(|| (style.to_owned(), points))
}

/// Style and position of a filled circle.
fn dot(line: &str) -> Option<(String, Vec<(i32, i32)>)> {
    let attributes = line.strip_prefix("<circle ")?;
    let value = |name: &str| {
        let (_, from_value) = attributes.split_once(&format!("{name}=\""))?;
        from_value.split_once('"').map(|(value, _)| value)
    };
    let number = |name: &str| value(name)?.parse::<i32>().ok();
    let (x, y, radius, color) = (number("cx")?, number("cy")?, number(" r")?, value("fill")?);
    if value("opacity")? != "1" || color == "none" {
        return None;
    }
    let width = 2 * radius;
    let style = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-linecap=\"round\"");
    Some((style, vec![(x, y)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_dots_of_one_style_become_one_element() {
        let line = |color: &str, opacity: &str, points: &str| {
            format!(
                "<polyline fill=\"none\" opacity=\"{opacity}\" stroke=\"{color}\" stroke-width=\"2\" points=\"{points}\"/>"
            )
        };
        let dot = |x: i32, y: i32| {
            format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" opacity=\"1\" fill=\"#123456\" stroke=\"none\" stroke-width=\"0\"/>"
            )
        };
        let document = [
            "<svg>".to_owned(),
            line("#000000", "1", "1,2 3,4 3,3 "),
            line("#000000", "1", "9,2 8,5 "),
            line("#FF0000", "1", "0,0 -5,5 "),
            dot(5, 6),
            dot(4, 8),
            line("#FF0000", "0.5", "0,0 5,5 "),
            "</svg>".to_owned(),
        ];
        assert_eq!(
            compact(&document.join("\n")),
            [
                "<svg>",
                "<path fill=\"none\" opacity=\"1\" stroke=\"#000000\" stroke-width=\"2\" d=\"m1 2 2 2 0-1m6-1-1 3\"/>",
                "<path fill=\"none\" opacity=\"1\" stroke=\"#FF0000\" stroke-width=\"2\" d=\"m0 0-5 5\"/>",
                "<path fill=\"none\" stroke=\"#123456\" stroke-width=\"6\" stroke-linecap=\"round\" d=\"m5 6h0m-1 2h0\"/>",
                &document[6],
                "</svg>\n",
            ]
            .join("\n")
        );
    }
}
