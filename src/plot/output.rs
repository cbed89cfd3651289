//! Output of a figure: a picture as SVG, PDF or PNG, or its numbers as CSV, by the extension of the file.

use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::output_file;

use super::draw;
use super::figure::{Dash, Figure};
use super::size::{PageSize, Size};

/// Output format of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics.
    Svg,
    /// Vector graphics for printing, with the font in the file.
    Pdf,
    /// Pixels.
    Png,
    /// A table with a row per point: panel, axes, series, x, y.
    Csv,
}

/// All formats by extension.
pub const FORMATS: &[(&str, Format)] =
    &[("svg", Format::Svg), ("pdf", Format::Pdf), ("png", Format::Png), ("csv", Format::Csv)];

/// Why there is no picture.
#[derive(Debug)]
pub enum PlotError {
    /// The file's name has no known extension.
    Ending {
        /// The file.
        path: PathBuf,
        /// The text after the last dot.
        ending: Option<String>,
    },
    /// The file cannot be written.
    File(FileError),
    /// The picture cannot be drawn.
    Drawing {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl From<&PlotError> for Diagnostic {
    fn from(error: &PlotError) -> Diagnostic {
        match error {
            PlotError::Ending { path, ending } => {
                let found = match ending {
                    Some(ending) => format!("unknown ending \".{ending}\""),
                    None => "its name has no ending".to_owned(),
                };
                let endings = FORMATS.iter().map(|(ending, _)| format!(".{ending}"));
                Diagnostic::new(path.display(), found).accepted_all(endings)
            }
            PlotError::File(error) => error.into(),
            PlotError::Drawing { path, reason } => {
                Diagnostic::new(path.display(), format!("cannot be drawn: {reason}"))
            }
        }
    }
}

error_by_parts!(PlotError);

impl Format {
    /// The format of the file's extension.
    ///
    /// # Errors
    /// The extension is missing or unknown.
    pub fn of(path: &Path) -> Result<Format, PlotError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let known = FORMATS.iter().find(|(name, _)| ending.as_deref() == Some(*name));
        known.map(|(_, format)| *format).ok_or_else(|| PlotError::Ending { path: path.to_path_buf(), ending })
    }
}

/// The figure as SVG text, for embedding in a page.
///
/// # Errors
/// Why it cannot be drawn.
pub fn svg(figure: &Figure, size: Size) -> Result<String, Diagnostic> {
    draw::svg(figure, size, None).map_err(Diagnostic::of)
}

/// Writes the figure to `path`, in the format of its extension.
///
/// # Errors
/// The extension is unknown, or the file cannot be written.
pub fn write(figure: &Figure, path: &Path, size: Size) -> Result<(), PlotError> {
    write_on(figure, path, size, None)
}

/// As [`write()`], for paper if that is given: `size` is then the usual one of the figure.
///
/// # Errors
/// As [`write()`].
pub fn write_on(figure: &Figure, path: &Path, size: Size, page_size: Option<&PageSize>) -> Result<(), PlotError> {
    let bytes = content(figure, path, size, page_size)?;
    output_file::write(path, bytes).map_err(|error| PlotError::File(FileError::write(path, error)))
}

/// What [`write_on`] writes to `path`, for files that are written together.
///
/// # Errors
/// The extension is unknown, or the figure cannot be drawn.
pub fn content(figure: &Figure, path: &Path, size: Size, page_size: Option<&PageSize>) -> Result<Vec<u8>, PlotError> {
    let drawing = |reason: String| PlotError::Drawing { path: path.to_path_buf(), reason };
    Ok(match Format::of(path)? {
        Format::Svg => draw::svg(figure, size, page_size).map_err(drawing)?.into_bytes(),
        Format::Pdf => draw::pdf(figure, size, page_size).map_err(drawing)?,
        Format::Png => draw::png(figure, size, page_size).map_err(drawing)?,
        Format::Csv => table(figure).map_err(|error| drawing(error.to_string()))?,
    })
}

/// The points of all panels, one per row.
fn table(figure: &Figure) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["panel", "series", "x_axis", "y_axis", "x", "y"])?;
    for (index, panel) in figure.panels.iter().enumerate() {
        // A panel without a label has the axis of one below it.
        let mut labels = figure.panels[index..].iter().map(|panel| &panel.x.label);
        let across = labels.find(|label| !label.is_empty()).unwrap_or(&panel.x.label);
        let name = if panel.title.is_empty() { &panel.y.label } else { &panel.title };
        // The limits of an area are lines of their own.
        for series in panel.series.iter().filter(|series| series.line.dash != Dash::Area) {
            for (x, y) in &series.points {
                let (x, y) = (x.to_string(), y.to_string());
                writer.write_record([name, &series.label, across, &panel.y.label, &x, &y])?;
            }
        }
    }
    Ok(writer.into_inner()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Axis, Line, Panel, Series};

    fn figure() -> Figure {
        let line = Line::solid(0);
        let series = vec![Series { label: "a, b".into(), points: vec![(0.0, 1.5), (1.0, -2.0)], line }];
        let panel =
            Panel { title: "p".into(), x: Axis::new("t [s]"), y: Axis::new("v [m/s]"), series, ..Panel::default() };
        Figure { title: "f".into(), columns: 1, panels: vec![panel], legend: Vec::new() }
    }

    #[test]
    fn the_ending_chooses_the_format() {
        assert_eq!(Format::of(Path::new("a/b.SVG")).unwrap(), Format::Svg);
        assert_eq!(
            Format::of(Path::new("b.eps")).unwrap_err().to_string(),
            "b.eps: unknown ending \".eps\"\n  accepted: .svg, .pdf, .png, .csv"
        );
        assert_eq!(
            Format::of(Path::new("b")).unwrap_err().to_string(),
            "b: its name has no ending\n  accepted: .svg, .pdf, .png, .csv"
        );
    }

    #[test]
    fn a_table_has_a_row_for_each_point() {
        let text = String::from_utf8(table(&figure()).unwrap()).unwrap();
        assert_eq!(
            text,
            "panel,series,x_axis,y_axis,x,y\np,\"a, b\",t [s],v [m/s],0,1.5\np,\"a, b\",t [s],v [m/s],1,-2\n"
        );
    }

    #[test]
    fn pictures_have_the_requested_size_and_repeat_byte_for_byte() {
        let size: Size = "400x300".parse().unwrap();
        let png = draw::png(&figure(), size, None).unwrap();
        let read = image::load_from_memory(&png).unwrap();
        assert_eq!((read.width(), read.height()), (400, 300));
        assert_eq!(png, draw::png(&figure(), size, None).unwrap());
        let svg = draw::svg(&figure(), size, None).unwrap();
        assert!(svg.starts_with("<svg width=\"400\" height=\"300\"") && svg.contains("v [m/s]"), "{svg}");
        for bad in ["400", "400x", "0x300", "9000x300", "-1x3"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }

    /// The page has the size that was asked for, and its text is text: the letters can be read from it.
    #[test]
    fn a_pdf_has_real_text_at_its_size() {
        use std::io::Read as _;
        let page_size: PageSize = "88x60mm".parse().unwrap();
        let size: Size = "860x620".parse().unwrap();
        let file = draw::pdf(&figure(), size, Some(&page_size)).unwrap();
        assert_eq!(file, draw::pdf(&figure(), size, Some(&page_size)).unwrap());
        let text = String::from_utf8_lossy(&file).into_owned();
        let page = text.split("/MediaBox [0 0 ").nth(1).unwrap().split(']').next().unwrap();
        let sizes: Vec<f64> = page.split(' ').map(|size| size.parse().unwrap()).collect();
        // In points.
        assert!(
            (sizes[0] - 88.0 / 25.4 * 72.0).abs() < 0.3 && (sizes[1] - 60.0 / 25.4 * 72.0).abs() < 0.3,
            "{sizes:?}"
        );
        let streams: Vec<Vec<u8>> = file
            .windows(7)
            .enumerate()
            .filter(|(_, bytes)| bytes == b"stream\n")
            .filter_map(|(start, _)| {
                let mut unpacked = Vec::new();
                flate2::read::ZlibDecoder::new(&file[start + 7..]).read_to_end(&mut unpacked).ok()?;
                Some(unpacked)
            })
            .collect();
        let [content, _font, letters] = &streams[..] else { panic!("{} streams", streams.len()) };
        // What the letters are, by the numbers of their glyphs.
        let letters = String::from_utf8_lossy(letters);
        let letter_of: BTreeMap<u16, char> = letters
            .lines()
            .filter_map(|line| line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <"))
            .map(|(glyph, unit)| [glyph, unit].map(|hex| u16::from_str_radix(hex, 16).unwrap()))
            .map(|[glyph, unit]| (glyph, char::from_u32(u32::from(unit)).unwrap()))
            .collect();
        let content = String::from_utf8_lossy(content);
        let shown: Vec<String> = content
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.strip_suffix("] TJ"))
            .map(|line| glyphs(line).into_iter().map(|glyph| letter_of[&glyph]).collect())
            .collect();
        for label in ["f", "p", "t [s]", "v [m/s]", "−2"] {
            assert!(shown.iter().any(|text| text == label), "{label}: {shown:?}");
        }
    }

    /// The glyphs of the strings of two bytes in an array of PDF: `<0041>`, or `(\000A)` with escapes where both bytes are ASCII.
    fn glyphs(array: &str) -> Vec<u16> {
        let mut glyphs = Vec::new();
        let mut characters = array.chars();
        while let Some(open) = characters.next() {
            let mut bytes = Vec::new();
            match open {
                '<' => {
                    let digits: String = characters.by_ref().take_while(|digit| *digit != '>').collect();
                    bytes.extend(u16::from_str_radix(&digits, 16).unwrap().to_be_bytes());
                }
                '(' => {
                    while bytes.len() < 2 {
                        let escaped = |letter| match letter {
                            'n' => b'\n',
                            'r' => b'\r',
                            't' => b'\t',
                            'b' => 8,
                            'f' => 12,
                            other => other as u8,
                        };
                        bytes.push(match characters.next().unwrap() {
                            '\\' => match characters.next().unwrap() {
                                digit @ '0'..='7' => {
                                    let octal = [digit, characters.next().unwrap(), characters.next().unwrap()]
                                        .iter()
                                        .collect::<String>();
                                    u8::from_str_radix(&octal, 8).unwrap()
                                }
                                letter => escaped(letter),
                            },
                            plain => plain as u8,
                        });
                    }
                    assert_eq!(characters.next(), Some(')'));
                }
                _ => continue,
            }
            glyphs.push(u16::from_be_bytes([bytes[0], bytes[1]]));
        }
        glyphs
    }
}
