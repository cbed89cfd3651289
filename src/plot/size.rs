//! The size of a picture, in pixels or on paper.

use std::str::FromStr;

use skidpad_files::diagnostic::Diagnostic;

/// Width and height of a picture [px].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// [px].
    pub width: u32,
    /// [px].
    pub height: u32,
}

impl FromStr for Size {
    type Err = Diagnostic;

    /// Reads `WIDTHxHEIGHT`.
    fn from_str(text: &str) -> Result<Size, Diagnostic> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| (200..=8000).contains(n));
        text.split_once('x')
            .and_then(|(width, height)| Some(Size { width: number(width)?, height: number(height)? }))
            .ok_or_else(|| {
                let accepted = "WIDTHxHEIGHT in pixels, each 200 to 8000, such as 1200x700";
                Diagnostic::of("not a size").accepted(accepted)
            })
    }
}

/// The size of a picture on paper, and that of its letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageSize {
    /// Width [mm].
    pub width: f64,
    /// Height [mm]; none: as the figure needs it.
    pub height: Option<f64>,
    /// Size of the labels [pt].
    pub font: f64,
}

/// Millimetres of a point.
const POINT: f64 = 25.4 / 72.0;
/// Size of the labels in a picture of pixels [px].
pub(super) const LABEL: f64 = 15.0;
/// How much lower the panels of a narrow figure become, at most [-].
const MIN_HEIGHT: f64 = 0.6;

impl PageSize {
    /// Letters of this size [pt] suit most journals.
    pub(crate) const FONT: f64 = 8.0;

    /// Points of a pixel of the drawing, whose labels have a fixed number of pixels.
    pub(super) fn points(&self) -> f64 {
        self.font / LABEL
    }

    /// The drawing [px] that fills the paper, of a figure that usually has the size `usual`.
    pub(super) fn drawing(&self, usual: Size) -> Size {
        let pixels = |mm: f64| (mm / POINT / self.points()).clamp(100.0, 20_000.0);
        let width = pixels(self.width);
        let narrower = (width / f64::from(usual.width)).clamp(MIN_HEIGHT, 1.0);
        let height = self.height.map_or(narrower * f64::from(usual.height), pixels);
        Size { width: width.round() as u32, height: height.round() as u32 }
    }

    /// A number of pixels of the drawing on paper [mm].
    pub(super) fn millimetres(&self, pixels: u32) -> f64 {
        f64::from(pixels) * self.points() * POINT
    }
}

impl FromStr for PageSize {
    type Err = Diagnostic;

    /// Reads a width in millimetres, or a width and a height (`88mm`, `88x60mm`), with letters of `PageSize::FONT`.
    fn from_str(text: &str) -> Result<PageSize, Diagnostic> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|size| (20.0..=1000.0).contains(size));
        let read = |text: &str| {
            let (width, height) = match text.split_once('x') {
                Some((width, height)) => (width, Some(number(height)?)),
                None => (text, None),
            };
            Some(PageSize { width: number(width)?, height, font: PageSize::FONT })
        };
        text.strip_suffix("mm").and_then(read).ok_or_else(|| {
            Diagnostic::of("not a size").accepted("a width, or a width and a height, each 20 to 1000 mm: 88mm, 88x60mm")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_a_journal_is_as_wide_as_wanted() {
        let column: PageSize = "88mm".parse().unwrap();
        assert_eq!((column.width, column.height, column.font), (88.0, None, 8.0));
        let size = column.drawing(Size { width: 860, height: 620 });
        assert!((column.millimetres(size.width) - 88.0).abs() < 0.1, "{size:?}");
        assert_eq!(size.height, 372, "lower, as it is narrower");
        let page = PageSize { font: 10.0, .."180x100mm".parse().unwrap() };
        let size = page.drawing(Size { width: 860, height: 620 });
        assert!((page.millimetres(size.height) - 100.0).abs() < 0.15, "{size:?}");
        for bad in ["88", "88cm", "5mm", "88x2000mm", "xmm", "88xmm"] {
            assert!(bad.parse::<PageSize>().is_err(), "{bad}");
        }
    }
}
