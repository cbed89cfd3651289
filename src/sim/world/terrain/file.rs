//! Reads height data: images, and text files of measured points.
//!
//! * Image (PNG, PGM, BMP, JPEG; 8 or 16 bits): the darkest grey is the lowest height, the brightest the greatest; a row of
//!   the image is a row of the map, so that x points down in the image and y to the right.
//! * Text file of points: one line `x y z r g b` per point [m], colours 0 to 255, separated by blanks or commas; empty lines
//!   and lines that begin with `#` or `//` are skipped. Each vertex takes height and colour of the nearest point.

#[cfg(feature = "maps")]
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use rstar::RTree;
use rstar::primitives::GeomWithData;
use skidpad_files::assets::Cancel;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, FileProblem};
use skidpad_math::Vec2;

use super::{HeightMap, HeightMapError, check_size};
#[cfg(not(feature = "maps"))]
use crate::world::map_file::NEEDED;
#[cfg(feature = "maps")]
use crate::world::map_file::undecodable;
use crate::world::point_file::Rows;

/// Largest number of points in a text file.
const MAX_POINTS: usize = 50_000_000;
/// Longest line of a text [bytes].
const MAX_LINE_LENGTH: u64 = 4096;

/// Why heights could not be read.
#[derive(Debug)]
pub(in crate::world) enum HeightError {
    /// The file cannot be opened or read.
    File(FileError),
    /// An image, which this build does not read.
    #[cfg(not(feature = "maps"))]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// Not an image that can be decoded.
    #[cfg(feature = "maps")]
    Image {
        /// The file.
        path: PathBuf,
        /// Error of the decoder.
        source: image::ImageError,
    },
    /// A line that is not a point.
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
    /// No point, or more than the limit allows.
    Points {
        /// The file.
        path: PathBuf,
        /// Number of points.
        found: usize,
    },
    /// Numbers that do not form a map.
    Map {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: HeightMapError,
    },
}

impl From<&HeightError> for Diagnostic {
    fn from(error: &HeightError) -> Diagnostic {
        match error {
            HeightError::File(error) => error.into(),
            #[cfg(not(feature = "maps"))]
            HeightError::Kind { path } => {
                FileError::read(path, Diagnostic::of("this build reads no images").hint(NEEDED)).into()
            }
            #[cfg(feature = "maps")]
            HeightError::Image { path, source } => undecodable("elevation", path, Some(source)),
            HeightError::Line { path, line, found } => {
                Diagnostic::new(format!("{}:{line}", path.display()), format!("no point: \"{found}\""))
                    .accepted("x y z r g b")
            }
            HeightError::Points { path, found } => Diagnostic::of(format!("{} holds {found} points", path.display()))
                .accepted(format!("1 to {MAX_POINTS}")),
            HeightError::Map { path, source } => Diagnostic::from(source).at(path.display()),
        }
    }
}

error_by_parts!(HeightError { File(FileError) });

impl FileProblem for HeightError {
    fn diagnostic(&self) -> Diagnostic {
        self.into()
    }

    fn without_content(&self) -> Diagnostic {
        match self {
            HeightError::Line { path, line, .. } => {
                Diagnostic::new(format!("{}:{line}", path.display()), "no point").accepted("x y z r g b")
            }
            #[cfg(feature = "maps")]
            HeightError::Image { path, .. } => undecodable("elevation", path, None),
            #[cfg(not(feature = "maps"))]
            HeightError::Kind { .. } => self.into(),
            HeightError::File(_) | HeightError::Points { .. } | HeightError::Map { .. } => self.into(),
        }
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> HeightError {
    let path = path.to_path_buf();
    move |source| FileError::read(path, source).into()
}

fn map(path: &Path) -> impl FnOnce(HeightMapError) -> HeightError {
    let path = path.to_path_buf();
    move |source| HeightError::Map { path, source }
}

/// Refuses the image: there is no decoder.
#[cfg(not(feature = "maps"))]
pub(in crate::world) fn read_image(path: &Path, _: f64, _: f64) -> Result<(usize, Vec<f64>), HeightError> {
    Err(HeightError::Kind { path: path.to_path_buf() })
}

/// Heights [m] of an image row by row, and the length of a row. Greys are scaled to `low` … `high` [m]; a uniform image is
/// all `low`.
#[cfg(feature = "maps")]
pub(in crate::world) fn read_image(path: &Path, low: f64, high: f64) -> Result<(usize, Vec<f64>), HeightError> {
    let undecodable = |source| HeightError::Image { path: path.to_path_buf(), source };
    let open = || input_file::open(path).map(BufReader::new).map_err(io(path));
    let new = |file: BufReader<File>| image::ImageReader::new(file).with_guessed_format().map_err(io(path));
    // Checked before anything is allocated.
    let (width, height) = new(open()?)?.into_dimensions().map_err(undecodable)?;
    check_size(height as usize, width as usize).map_err(map(path))?;
    let mut reader = new(open()?)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(1 << 30);
    reader.limits(limits);
    let greys = reader.decode().map_err(undecodable)?.into_luma16();
    let (darkest, brightest) =
        greys.as_raw().iter().fold((u16::MAX, u16::MIN), |(dark, bright), &grey| (dark.min(grey), bright.max(grey)));
    let scale = if brightest > darkest { (high - low) / f64::from(brightest - darkest) } else { 0.0 };
    let heights = greys.as_raw().iter().map(|&grey| low + scale * f64::from(grey - darkest)).collect();
    Ok((width as usize, heights))
}

/// A map from measured points, with the colour of each vertex. Vertices are `resolution` [m] apart, starting at the smallest x
/// and y; all points are shifted by `offset` [m].
pub(in crate::world) fn read_points(
    path: &Path,
    resolution: f64,
    offset: [f64; 3],
    cancel: &Cancel,
) -> Result<(HeightMap, Vec<[u8; 3]>), HeightError> {
    let points = parse_points(path, cancel)?;
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in &points {
        for axis in 0..2 {
            min[axis] = min[axis].min(point.geom()[axis]);
            max[axis] = max[axis].max(point.geom()[axis]);
        }
    }
    // The cast saturates at the largest number, which is refused.
    let [rows, columns] = [0, 1].map(|axis| ((max[axis] - min[axis]) / resolution).ceil() as usize);
    let count = check_size(rows, columns).map_err(map(path))?;
    let tree = RTree::bulk_load(points);
    let (mut heights, mut colors) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for i in 0..rows {
        cancel.check().map_err(io(path))?;
        for j in 0..columns {
            let at = [min[0] + i as f64 * resolution, min[1] + j as f64 * resolution];
            let (z, color) = tree.nearest_neighbor(&at).map_or((0.0, [0; 3]), |point| point.data);
            heights.push(z + offset[2]);
            colors.push(color);
        }
    }
    let corner = Vec2::new(min[0] + offset[0], min[1] + offset[1]);
    Ok((HeightMap::new(corner, resolution, columns, heights).map_err(map(path))?, colors))
}

type Point = GeomWithData<[f64; 2], (f64, [u8; 3])>;

fn parse_points(path: &Path, cancel: &Cancel) -> Result<Vec<Point>, HeightError> {
    let file = input_file::open(path).map_err(io(path))?;
    let mut rows = Rows::new(BufReader::new(cancel.reader(file)), MAX_LINE_LENGTH, &["#", "//"]);
    let mut points = Vec::new();
    while let Some((line, text)) = rows.next_row().map_err(io(path))? {
        let Some(point) = parse_point(&text) else {
            let found = text.chars().take(60).collect();
            return Err(HeightError::Line { path: path.to_path_buf(), line, found });
        };
        points.push(point);
        if points.len() > MAX_POINTS {
            break;
        }
    }
    match points.len() {
        1..=MAX_POINTS => Ok(points),
        found => Err(HeightError::Points { path: path.to_path_buf(), found }),
    }
}

fn parse_point(text: &str) -> Option<Point> {
    let mut words = text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty());
    let mut numbers = [0.0_f64; 6];
    for number in &mut numbers {
        *number = words.next()?.parse().ok().filter(|value: &f64| value.is_finite())?;
    }
    let [x, y, z, colors @ ..] = numbers;
    Some(GeomWithData::new([x, y], (z, colors.map(|channel: f64| channel as u8))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageBuffer, Luma};

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a scratch folder")
    }

    #[test]
    fn images_are_stretched_from_their_darkest_to_their_brightest_grey() {
        let folder = scratch();
        let path = folder.path().join("a.png");
        ImageBuffer::from_fn(3, 2, |column, row| Luma([(50 + 10 * row + 20 * column) as u8])).save(&path).unwrap();
        let (columns, heights) = read_image(&path, -1.0, 4.0).unwrap();
        assert_eq!(columns, 3);
        for (actual, wanted) in heights.iter().zip([-1.0, 1.0, 3.0, 0.0, 2.0, 4.0]) {
            assert!((actual - wanted).abs() < 1e-12, "{heights:?}");
        }
    }

    #[test]
    fn sixteen_bits_are_kept() {
        let folder = scratch();
        let path = folder.path().join("a.png");
        ImageBuffer::from_fn(200, 2, |column, row| Luma([(1000 + column + 65 * row) as u16])).save(&path).unwrap();
        let (_, heights) = read_image(&path, 0.0, 264.0).unwrap();
        assert!((heights[1] - 1.0).abs() < 1e-9 && (heights[137] - 137.0).abs() < 1e-9, "{}", heights[137]);
        ImageBuffer::from_pixel(2, 2, Luma([7_u8])).save(&path).unwrap();
        assert_eq!(read_image(&path, 0.5, 3.0).unwrap(), (2, vec![0.5; 4]));
    }

    #[test]
    fn vertices_take_the_nearest_point() {
        let folder = scratch();
        let path = folder.path().join("a.txt");
        let text = "# x y z r g b\n500000 4e6 10 255 0 1\n500004.0,4000000,20,0,255,0\n\n500000 4000003.9 30 0 0 255\n";
        std::fs::write(&path, text).unwrap();
        let (map, colors) = read_points(&path, 1.0, [-500_000.0, 1.0, 0.5], &Cancel::default()).unwrap();
        assert_eq!((map.rows(), map.columns(), map.corner()), (4, 4, Vec2::new(0.0, 4_000_001.0)));
        assert_eq!((map.heights()[0], map.heights()[3], map.heights()[12]), (10.5, 30.5, 20.5));
        assert_eq!((colors[0], colors[3], colors[12]), ([255, 0, 1], [0, 0, 255], [0, 255, 0]));
    }

    #[test]
    fn pipes_are_refused() {
        let folder = scratch();
        let fifo = folder.path().join("fifo");
        skidpad_test_support::fifo::make_fifo(&fifo);
        let points = read_points(&fifo, 1.0, [0.0; 3], &Cancel::default()).unwrap_err().to_string();
        let image = read_image(&fifo, 0.0, 1.0).unwrap_err().to_string();
        for message in [points, image] {
            assert!(message.ends_with("fifo: cannot be read: it is a FIFO\n  accepted: a regular file"), "{message}");
        }
    }

    #[test]
    fn errors_of_invalid_files_name_the_fault() {
        let folder = scratch();
        let path = folder.path().join("a.txt");
        let message = |text: &str, resolution: f64| {
            std::fs::write(&path, text).unwrap();
            let error = read_points(&path, resolution, [0.0; 3], &Cancel::default()).unwrap_err().to_string();
            error.replace(&*path.to_string_lossy(), "a.txt")
        };
        assert_eq!(message("0 0 0 1 1 1\n1 2 3", 1.0), "a.txt:2: no point: \"1 2 3\"\n  accepted: x y z r g b");
        assert_eq!(message("nan 0 0 1 1 1", 1.0), "a.txt:1: no point: \"nan 0 0 1 1 1\"\n  accepted: x y z r g b");
        assert_eq!(message("# none\n", 1.0), "a.txt holds 0 points\n  accepted: 1 to 50000000");
        let two = "0 0 0 1 1 1\n1e9 1e9 0 1 1 1";
        let sizes = "a height map of 1000000000 x 1000000000 vertices\n  accepted: 2 or more in each direction, at most 40000000 altogether";
        assert_eq!(message(two, 1.0), format!("a.txt: {sizes}"));
        assert!(message("x", 1.0).starts_with("a.txt:1: no point"));
        let image = read_image(&path, 0.0, 1.0).unwrap_err().to_string();
        assert!(image.starts_with("cannot decode the elevation image"), "{image}");
        let none = read_image(Path::new("none.png"), 0.0, 1.0).unwrap_err().to_string();
        assert_eq!(none, "none.png: cannot be read: No such file or directory (os error 2)");
    }
}
