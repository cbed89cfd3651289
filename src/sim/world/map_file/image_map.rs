//! Maps in images, alone or named by a map_server file.

use std::io::BufReader;
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageFormat};
use serde::Deserialize;
use skidpad_files::input_file;
use skidpad_math::Pose2;

use super::{HALF, ImageOptions, MapError, grid, io, open, percent};
use crate::raycast::{MAX_CELLS, OccupancyGrid, check_size};

/// Longest map_server file [bytes].
const MAX_YAML: u64 = 1 << 20;
/// Most memory for the pixels of an image [bytes]: a map of the largest size in colour with transparency.
const MAX_PIXELS: u64 = 4 * MAX_CELLS as u64;
/// Largest number of pixels per byte of a PNG or PNM file: deflate expands one byte to 1032, with 8 pixels each.
const PIXELS_PER_BYTE: u64 = 8 * 1032;

/// Grey values of an image, its last row first.
fn read_grey(path: &Path) -> Result<(usize, usize, Vec<u8>), MapError> {
    let undecodable = |source| MapError::Image { path: path.to_path_buf(), source };
    let (file, bytes) = open(path)?;
    let mut reader = image::ImageReader::new(BufReader::new(file)).with_guessed_format().map_err(io(path))?;
    let format = reader.format();
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_PIXELS);
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

/// Reads an image.
pub(super) fn load_image(path: &Path, options: &ImageOptions) -> Result<OccupancyGrid, MapError> {
    let (width, height, rows) = read_grey(path)?;
    let table = std::array::from_fn(|grey| {
        let free = (grey as f64 / 255.0).clamp(0.01, 0.99);
        percent(1.0 - free)
    });
    let [x, y] = options.center_pixel;
    let corner = Pose2::new(-x * options.resolution, -y * options.resolution, 0.0);
    grid(path, (width, height), options.resolution, corner, rows, &table, HALF)
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

/// Reads a map_server file and its image.
pub(super) fn load_map_server(path: &Path) -> Result<OccupancyGrid, MapError> {
    let text = input_file::read_text(path, MAX_YAML).map_err(io(path))?;
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
