//! Reads occupancy maps: images, ROS map_server files and MRPT grid maps.
//!
//! * Image (PNG, PGM, BMP, JPEG): a pixel's grey over 255, kept within [0.01, 0.99], is the probability of being free; the last
//!   row is the one with the smallest y. Cells that are at most half free are obstacles.
//! * ROS map_server YAML: keys image, resolution, origin (x y yaw), negate, occupied_thresh, free_thresh, mode (trinary, scale,
//!   raw), with the meaning of nav2_map_server. Cells above occupied_thresh are obstacles.
//! * MRPT `.gridmap`, `.gridmap.gz`: the serialised COccupancyGridMap2D with 8-bit cells, versions 0 to 6.
//!
//! Sizes are checked before memory is allocated for them, and only regular files are read, so that reading ends whatever a file
//! claims.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageDecoder, ImageFormat};
use serde::Deserialize;
use skidpad_files::input_file::{self, FileProblem};
use skidpad_math::Pose2;
use thiserror::Error;

use crate::raycast::{GridError, MAX_CELLS, OccupancyGrid, check_size};

/// Percentage from which a cell of an image or an MRPT map is an obstacle: at most half free.
const HALF: i8 = 50;
/// Longest map_server file [bytes].
const LONGEST_YAML: u64 = 1 << 20;
/// Most memory for the pixels of an image [bytes]: a map of the largest size in colour with transparency.
const MOST_PIXELS: u64 = 4 * MAX_CELLS as u64;
/// Largest number of pixels per byte of a PNG or PNM file: deflate expands one byte to 1032, with 8 pixels each.
const PIXELS_PER_BYTE: u64 = 8 * 1032;

/// The scale and origin of an image, which the image itself does not contain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageOptions {
    /// Side of a cell [m].
    pub resolution: f64,
    /// Pixel [-] at the world's origin, counted from the left and from the bottom.
    pub center_pixel: [f64; 2],
}

/// Why a map could not be read.
#[derive(Debug, Error)]
pub enum MapError {
    /// The file cannot be opened or read.
    #[error("the map {} cannot be read: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// An image with more pixels than its file can hold.
    #[error("the map image {} of {bytes} bytes claims to have {width} x {height} pixels", .path.display())]
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
    /// Not an image that can be decoded.
    #[error("cannot decode the map image {}: {source}\n  accepted: PNG, PGM, BMP, JPEG", .path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// The decoder's message.
        source: image::ImageError,
    },
    /// A map_server file that is not valid YAML, or lacks a key.
    #[error("the map file {} cannot be read: {message}", .path.display())]
    Yaml {
        /// The file.
        path: PathBuf,
        /// The parser's message.
        message: String,
        /// Line number from 1, if the parser reports it.
        line: Option<u64>,
    },
    /// An invalid value in a map_server file.
    #[error("{}: {key} is {found}\n  accepted: {accepted}", .path.display())]
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
    #[error("{} is not an MRPT grid map: {message}", .path.display())]
    Gridmap {
        /// The file.
        path: PathBuf,
        /// The fault.
        message: String,
    },
    /// Numbers that do not form a map.
    #[error("{}: {source}", .path.display())]
    Grid {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: GridError,
    },
}

impl FileProblem for MapError {
    fn without_content(&self) -> String {
        let path = |path: &PathBuf| path.display().to_string();
        match self {
            MapError::Image { path: file, .. } => {
                format!("cannot decode the map image {}\n  accepted: PNG, PGM, BMP, JPEG", path(file))
            }
            MapError::Yaml { path: file, line, .. } => {
                let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
                format!("the map file {} cannot be read: no valid YAML of a map{line}", path(file))
            }
            MapError::Value { path: file, key, accepted, .. } => {
                format!("{}: bad {key}\n  accepted: {accepted}", path(file))
            }
            MapError::Gridmap { path: file, .. } => format!("{} is not an MRPT grid map", path(file)),
            MapError::Io { .. } | MapError::Claim { .. } | MapError::Grid { .. } => self.to_string(),
        }
    }
}

/// Reads the map at `path`; the format follows from its name. `image` applies to images only.
pub fn load(path: &Path, image: &ImageOptions) -> Result<OccupancyGrid, MapError> {
    let name = path.file_name().map(|n| n.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if name.ends_with(".yaml") || name.ends_with(".yml") {
        load_map_server(path)
    } else if name.ends_with(".gridmap") || name.ends_with(".gridmap.gz") {
        load_gridmap(path)
    } else {
        load_image(path, image)
    }
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> MapError {
    let path = path.to_path_buf();
    move |source| MapError::Io { path, source }
}

/// A file, with its length [bytes].
fn open(path: &Path) -> Result<(File, u64), MapError> {
    let file = input_file::open(path).map_err(io(path))?;
    let length = file.metadata().map_err(io(path))?.len();
    Ok((file, length))
}

/// Grey values of an image, its last row first.
fn read_grey(path: &Path) -> Result<(usize, usize, Vec<u8>), MapError> {
    let undecodable = |source| MapError::Image { path: path.to_path_buf(), source };
    let (file, bytes) = open(path)?;
    let mut reader = image::ImageReader::new(BufReader::new(file)).with_guessed_format().map_err(io(path))?;
    let format = reader.format();
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_PIXELS);
    reader.limits(limits.clone());
    let decoder = reader.into_decoder().map_err(undecodable)?;
    let (width, height) = decoder.dimensions();
    check_size(width as usize, height as usize)
        .map_err(|source| MapError::Grid { path: path.to_path_buf(), source })?;
    let packed = matches!(format, Some(ImageFormat::Png | ImageFormat::Pnm));
    if packed && u64::from(width) * u64::from(height) > bytes.saturating_mul(PIXELS_PER_BYTE) {
        return Err(MapError::Claim { path: path.to_path_buf(), bytes, width, height });
    }
    limits.reserve(decoder.total_bytes()).map_err(undecodable)?;
    let decoded = DynamicImage::from_decoder(decoder).map_err(undecodable)?.into_luma8();
    let (width, height) = (decoded.width() as usize, decoded.height() as usize);
    let mut rows = decoded.into_raw();
    // In place: a map is large.
    let (top, bottom) = rows.split_at_mut(height / 2 * width);
    let mirrored = bottom.chunks_exact_mut(width.max(1)).rev();
    top.chunks_exact_mut(width.max(1)).zip(mirrored).for_each(|(a, b)| a.swap_with_slice(b));
    Ok((width, height, rows))
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

fn load_image(path: &Path, options: &ImageOptions) -> Result<OccupancyGrid, MapError> {
    let (width, height, rows) = read_grey(path)?;
    let table = std::array::from_fn(|grey| {
        let free = (grey as f64 / 255.0).clamp(0.01, 0.99);
        percent(1.0 - free)
    });
    let [x, y] = options.center_pixel;
    let corner = Pose2::new(-x * options.resolution, -y * options.resolution, 0.0);
    grid(path, (width, height), options.resolution, corner, rows, &table, HALF)
}

/// A probability in percent. Values just below one half stay below 50, so that the cell stays on the same side of it.
fn percent(occupied: f64) -> i8 {
    let rounded = libm::round(100.0 * occupied) as i8;
    if occupied < 0.5 { rounded.min(HALF - 1) } else { rounded.max(HALF) }
}

/// The keys of a map_server file.
#[derive(Deserialize)]
struct MapServer {
    image: String,
    resolution: f64,
    origin: Vec<f64>,
    #[serde(default)]
    negate: Flag,
    #[serde(default = "default_occupied")]
    occupied_thresh: f64,
    #[serde(default = "default_free")]
    free_thresh: f64,
    #[serde(default)]
    mode: Option<String>,
}

/// `negate` is written both as a number and as a truth value.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Number(f64),
    Truth(bool),
}

impl Default for Flag {
    fn default() -> Flag {
        Flag::Truth(false)
    }
}

fn default_occupied() -> f64 {
    0.65
}

fn default_free() -> f64 {
    0.25
}

fn load_map_server(path: &Path) -> Result<OccupancyGrid, MapError> {
    let text = input_file::read_text(path, LONGEST_YAML).map_err(io(path))?;
    let file: MapServer = serde_saphyr::from_str(&text).map_err(|error| {
        let line = error.location().map(|location| location.line());
        MapError::Yaml { path: path.to_path_buf(), message: error.to_string(), line }
    })?;
    let bad = |key, found: String, accepted| MapError::Value { path: path.to_path_buf(), key, found, accepted };
    let (&[x, y, yaw] | &[x, y, yaw, ..]) = file.origin.as_slice() else {
        return Err(bad("origin", format!("{:?}", file.origin), "[x, y, yaw] in m and rad"));
    };
    for (key, value) in [("occupied_thresh", file.occupied_thresh), ("free_thresh", file.free_thresh)] {
        if !(0.0..=1.0).contains(&value) {
            return Err(bad(key, value.to_string(), "0 to 1"));
        }
    }
    if file.free_thresh > file.occupied_thresh {
        return Err(bad("free_thresh", file.free_thresh.to_string(), "at most occupied_thresh"));
    }
    let negate = match file.negate {
        Flag::Truth(truth) => truth,
        Flag::Number(number) => number != 0.0,
    };
    let mode = file.mode.as_deref().unwrap_or("trinary");
    if !["trinary", "scale", "raw"].contains(&mode) {
        return Err(bad("mode", format!("\"{mode}\""), "trinary, scale, raw"));
    }
    let table = std::array::from_fn(|grey| {
        if mode == "raw" {
            return if grey <= 100 { grey as i8 } else { -1 };
        }
        let shade = grey as f64 / 255.0;
        let occupied = if negate { shade } else { 1.0 - shade };
        if occupied > file.occupied_thresh {
            100
        } else if occupied < file.free_thresh {
            0
        } else if mode == "trinary" {
            -1
        } else {
            let share = (occupied - file.free_thresh) / (file.occupied_thresh - file.free_thresh);
            // 0 and 100 are reserved for cells beyond the thresholds.
            (libm::round(100.0 * share) as i8).clamp(1, 99)
        }
    });
    let occupied_percent = match mode {
        "raw" => libm::round(100.0 * file.occupied_thresh) as i8,
        _ => 100,
    };
    let image = path.parent().unwrap_or(Path::new(".")).join(&file.image);
    let (width, height, rows) = read_grey(&image)?;
    grid(path, (width, height), file.resolution, Pose2::new(x, y, yaw), rows, &table, occupied_percent)
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

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], MapError> {
        let mut bytes = [0; N];
        match self.stream.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(self.wrong(format!("{error} while reading {what}"))),
        }
    }

    fn float(&mut self, what: &str) -> Result<f64, MapError> {
        Ok(f64::from(f32::from_le_bytes(self.take(what)?)))
    }
}

fn load_gridmap(path: &Path) -> Result<OccupancyGrid, MapError> {
    let file = BufReader::new(open(path)?.0);
    let is_compressed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if is_compressed {
        parse_gridmap(path, BufReader::new(flate2::bufread::MultiGzDecoder::new(file)))
    } else {
        parse_gridmap(path, file)
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
        let found = bytes.len();
        return Err(file.wrong(format!("it ends after {found} of {count} cells")));
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
