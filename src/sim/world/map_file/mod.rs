//! Reads occupancy maps: images, ROS map_server files and MRPT grid maps.
//!
//! * Image (PNG, PGM, BMP, JPEG): a pixel's grey over 255, kept within [0.01, 0.99], is the probability of being free; the last
//!   row is the one with the smallest y. Cells that are at most half free are obstacles.
//! * ROS map_server YAML: keys image, resolution, origin (x y yaw), negate, occupied_thresh, free_thresh, mode (trinary, scale,
//!   raw), with the meaning of nav2_map_server. Cells above occupied_thresh are obstacles.
//! * MRPT `.gridmap`, `.gridmap.gz`: the serialised COccupancyGridMap2D with 8-bit cells, versions 0 to 6.
//!
//! All but uncompressed grid maps need feature `maps`; without it they are refused, with the reason.
//!
//! Sizes are checked before memory is allocated for them, and only regular files are read, so that reading ends whatever a file
//! claims.

#[cfg(feature = "maps")]
mod image_map;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, FileProblem};
use skidpad_math::Pose2;

use crate::raycast::{GridError, OccupancyGrid, check_size};

/// Percentage from which a cell of an image or an MRPT map is an obstacle: at most half free.
const HALF: i8 = 50;
/// What a build lacks that does not read a kind of file.
pub(in crate::world) const NEEDED: &str = "enable the feature \"maps\" of skidpad-sim";

/// The scale and origin of an image, which the image itself does not contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageOptions {
    /// Side of a cell [m].
    pub resolution: f64,
    /// Pixel [-] at the world's origin, counted from the left and from the bottom.
    pub center_pixel: [f64; 2],
}

/// An image for a map, or of another use, that cannot be decoded; without the reason if that may quote the file.
#[cfg(feature = "maps")]
pub(in crate::world) fn undecodable(usage: &str, path: &Path, reason: Option<&image::ImageError>) -> Diagnostic {
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    Diagnostic::of(format!("cannot decode the {usage} image {}{reason}", path.display()))
        .accepted_all(["PNG", "PGM", "BMP", "JPEG"])
}

/// Why a map could not be read.
#[derive(Debug)]
pub enum MapError {
    /// The file cannot be opened or read.
    File(FileError),
    /// An image with more pixels than its file can hold.
    Claim {
        /// The file.
        path: PathBuf,
        /// Its length [bytes].
        bytes: u64,
        /// Pixels along x.
        width: u32,
        /// Pixels along y.
        height: u32,
    },
    /// A kind of file that this build does not read.
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// Not an image that can be decoded.
    #[cfg(feature = "maps")]
    Image {
        /// The file.
        path: PathBuf,
        /// The decoder's message.
        source: image::ImageError,
    },
    /// A map_server file that is not valid YAML, or lacks a key.
    Yaml {
        /// The file.
        path: PathBuf,
        /// The parser's message.
        message: String,
        /// Line number from 1, if the parser reports it.
        line: Option<u64>,
    },
    /// An invalid value in a map_server file.
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// The value as it is written in the file.
        found: String,
        /// Accepted values.
        accepted: &'static str,
    },
    /// Not the MRPT object that was expected, or cut short.
    Gridmap {
        /// The file.
        path: PathBuf,
        /// The fault.
        message: String,
    },
    /// Numbers that do not form a map.
    Grid {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: GridError,
    },
}

impl From<&MapError> for Diagnostic {
    fn from(error: &MapError) -> Diagnostic {
        match error {
            MapError::File(error) => error.into(),
            MapError::Claim { path, bytes, width, height } => Diagnostic::of(format!(
                "the map image {} of {bytes} bytes claims to have {width} x {height} pixels",
                path.display()
            )),
            MapError::Kind { path } => {
                let reason = Diagnostic::of("this build reads uncompressed grid maps only").hint(NEEDED);
                FileError::read(path, reason).into()
            }
            #[cfg(feature = "maps")]
            MapError::Image { path, source } => undecodable("map", path, Some(source)),
            MapError::Yaml { path, message, .. } => FileError::read(path, Diagnostic::of(message)).into(),
            MapError::Value { path, key, found, accepted } => {
                Diagnostic::new(path.display(), format!("{key} is {found}")).accepted(*accepted)
            }
            MapError::Gridmap { path, message } => {
                Diagnostic::of(format!("{} is not an MRPT grid map: {message}", path.display()))
            }
            MapError::Grid { path, source } => Diagnostic::from(source).at(path.display()),
        }
    }
}

error_by_parts!(MapError { File(FileError) });

impl FileProblem for MapError {
    fn diagnostic(&self) -> Diagnostic {
        self.into()
    }

    fn without_content(&self) -> Diagnostic {
        match self {
            #[cfg(feature = "maps")]
            MapError::Image { path, .. } => undecodable("map", path, None),
            MapError::Yaml { path, line, .. } => {
                let place = line.map(|line| line.to_string());
                let reason = Diagnostic { place, ..Diagnostic::of("not the YAML of a map") };
                FileError::read(path, reason).into()
            }
            MapError::Value { path, key, accepted, .. } => {
                Diagnostic::new(path.display(), format!("bad {key}")).accepted(*accepted)
            }
            MapError::Gridmap { path, .. } => Diagnostic::of(format!("{} is not an MRPT grid map", path.display())),
            MapError::File(_) | MapError::Kind { .. } | MapError::Claim { .. } | MapError::Grid { .. } => self.into(),
        }
    }
}

/// Reads the map at `path`; the format follows from its name. `image` applies to images only.
pub fn load(path: &Path, image: &ImageOptions) -> Result<OccupancyGrid, MapError> {
    let name = path.file_name().map(|n| n.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if name.ends_with(".gridmap") {
        return parse_gridmap(path, BufReader::new(open(path)?.0));
    }
    #[cfg(feature = "maps")]
    if name.ends_with(".gridmap.gz") {
        let file = flate2::bufread::MultiGzDecoder::new(BufReader::new(open(path)?.0));
        parse_gridmap(path, BufReader::new(file))
    } else if name.ends_with(".yaml") || name.ends_with(".yml") {
        image_map::load_map_server(path)
    } else {
        image_map::load_image(path, image)
    }
    #[cfg(not(feature = "maps"))]
    {
        let _ = image;
        Err(MapError::Kind { path: path.to_path_buf() })
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> MapError {
    let path = path.to_path_buf();
    move |source| FileError::read(path, source).into()
}

/// A file, with its length [bytes].
fn open(path: &Path) -> Result<(File, u64), MapError> {
    let file = input_file::open(path).map_err(io(path))?;
    let length = file.metadata().map_err(io(path))?.len();
    Ok((file, length))
}

/// A map of `width` × `height` cells whose values come from a table by grey or log-odds byte.
fn grid(
    path: &Path,
    size: (usize, usize),
    resolution: f64,
    corner: Pose2,
    mut bytes: Vec<u8>,
    table: &[i8; 256],
    occupied_percent: i8,
) -> Result<OccupancyGrid, MapError> {
    for byte in &mut bytes {
        *byte = table[usize::from(*byte)] as u8;
    }
    // The same bytes under their other sign; a map is large, so it is not copied.
    let cells: Vec<i8> = bytes.into_iter().map(|byte| byte as i8).collect();
    OccupancyGrid::new(size.0, size.1, resolution, corner, cells, occupied_percent)
        .map_err(|source| MapError::Grid { path: path.to_path_buf(), source })
}

/// A probability in percent. Values just below one half stay below 50, so that the cell stays on the same side of it.
fn percent(occupied: f64) -> i8 {
    let rounded = libm::round(100.0 * occupied) as i8;
    if occupied < 0.5 { rounded.min(HALF - 1) } else { rounded.max(HALF) }
}

/// Reads little-endian numbers from a decompressed MRPT file; errors name the missing part.
struct Gridmap<'a, R> {
    path: &'a Path,
    stream: R,
}

impl<R: Read> Gridmap<'_, R> {
    fn wrong(&self, message: impl Into<String>) -> MapError {
        MapError::Gridmap { path: self.path.to_path_buf(), message: message.into() }
    }

    fn take<const N: usize>(&mut self, part: &str) -> Result<[u8; N], MapError> {
        let mut bytes = [0; N];
        match self.stream.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(self.wrong(format!("{error} while reading {part}"))),
        }
    }

    fn float(&mut self, part: &str) -> Result<f64, MapError> {
        Ok(f64::from(f32::from_le_bytes(self.take(part)?)))
    }
}

fn parse_gridmap(path: &Path, stream: impl Read) -> Result<OccupancyGrid, MapError> {
    let mut file = Gridmap { path, stream };
    let [length] = file.take("the header")?;
    if length & 0x80 == 0 {
        return Err(
            file.wrong(format!("it starts with byte 0x{length:02x} where an object header has its top bit set"))
        );
    }
    let mut name = vec![0; usize::from(length & 0x7f)];
    if let Err(error) = file.stream.read_exact(&mut name) {
        return Err(file.wrong(format!("{error} while reading the class name")));
    }
    let name = String::from_utf8_lossy(&name).into_owned();
    if name.rsplit("::").next() != Some("COccupancyGridMap2D") {
        return Err(file.wrong(format!("it holds a \"{name}\"\n  accepted: COccupancyGridMap2D")));
    }
    let [version] = file.take("the version")?;
    if version > 6 {
        return Err(file.wrong(format!("its version is {version}\n  accepted: 0 to 6")));
    }
    if version >= 2 {
        let [bits] = file.take("the cell size")?;
        if bits != 8 {
            return Err(file.wrong(format!("its cells have {bits} bits\n  accepted: 8")));
        }
    }
    let width = u32::from_le_bytes(file.take("the width")?) as usize;
    let height = u32::from_le_bytes(file.take("the height")?) as usize;
    let x_min = file.float("x_min")?;
    file.float("x_max")?;
    let y_min = file.float("y_min")?;
    file.float("y_max")?;
    let resolution = file.float("the resolution")?;
    let count = check_size(width, height).map_err(|source| MapError::Grid { path: path.to_path_buf(), source })?;
    // Grows with the data actually present, so that a false size in the header costs nothing.
    let mut bytes = Vec::new();
    if let Err(error) = file.stream.by_ref().take(count as u64).read_to_end(&mut bytes) {
        return Err(file.wrong(format!("{error} while reading the cells")));
    }
    if bytes.len() < count {
        let available = bytes.len();
        return Err(file.wrong(format!("it ends after {available} of {count} cells")));
    }
    bytes.shrink_to_fit();
    let table = std::array::from_fn(|byte| {
        if version < 3 {
            // The probability of being free.
            return percent(1.0 - byte as f64 / 255.0);
        }
        // Log-odds of being free in sixteenths; 0 is unknown.
        match byte as u8 as i8 {
            0 => -1,
            odds => percent(1.0 / (1.0 + libm::exp(f64::from(odds) / 16.0))),
        }
    });
    grid(path, (width, height), resolution, Pose2::new(x_min, y_min, 0.0), bytes, &table, HALF)
}

#[cfg(test)]
mod tests;
