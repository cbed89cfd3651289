//! A picture as PNG: colours as they are, depths as 16 bits in millimetres, labels in colours; and as an array of NumPy, with its
//! numbers as they are.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, GrayImage, ImageBuffer, ImageError, ImageFormat, RgbImage};
use skidpad_ros_data::message::{Image, label_color};

use super::SnapshotError;

/// The bytes of the PNG of a picture. Depths are in millimetres; 0: none, or beyond 65.5 m.
pub(super) fn png(message: &Image, path: &Path) -> Result<Vec<u8>, SnapshotError> {
    let picture = decode(message).or_else(|| depth(message, MILLIMETRES)).or_else(|| labels(message));
    let picture = picture.ok_or_else(|| SnapshotError::Encoding(message.encoding.clone()))?;
    encode(&picture).map_err(|error| SnapshotError::Picture { path: path.to_path_buf(), error })
}

/// Encodings that can be written.
pub(super) const ENCODINGS: [&str; 6] = ["rgb8", "bgr8", "mono8", "16UC1", "32FC1", "16UC2"];

/// The bytes of an array of NumPy (NEP 1, version 1.0): rows, columns and, if there are several, the numbers of a pixel.
pub(super) fn npy(message: &Image) -> Result<Vec<u8>, SnapshotError> {
    let unknown = || SnapshotError::Encoding(message.encoding.clone());
    let (kind, length, of_pixel) = match message.encoding.as_str() {
        "rgb8" | "bgr8" => ("|u1", 3, ", 3"),
        "mono8" => ("|u1", 1, ""),
        "16UC1" => ("<u2", 2, ""),
        "32FC1" => ("<f4", 4, ""),
        "16UC2" => ("<u2", 4, ", 2"),
        _ => return Err(unknown()),
    };
    let (rows, columns) = (message.height as usize, message.width as usize);
    if message.is_bigendian != 0 || message.data.len() != rows * columns * length {
        return Err(unknown());
    }
    let array_info = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}{of_pixel}), }}");
    // Magic, version and two bytes for the length precede it; all of it ends with a line, at a multiple of 64.
    let padded = (10 + array_info.len() + 1).next_multiple_of(64) - 10;
    let header = format!("{array_info:<width$}\n", width = padded - 1);
    Ok([&b"\x93NUMPY\x01\x00"[..], &(padded as u16).to_le_bytes(), header.as_bytes(), &message.data].concat())
}

/// A picture of labels in the colours in which viewers show them; none of another encoding, or with too few bytes.
fn labels(message: &Image) -> Option<DynamicImage> {
    let is_labels = message.encoding == "16UC2";
    let colors = || message.data.as_chunks::<4>().0.iter().flat_map(|label| label_color(*label)).collect();
    let picture = is_labels.then(|| RgbImage::from_raw(message.width, message.height, colors()))?;
    picture.map(DynamicImage::ImageRgb8)
}

/// Units of depth a metre: those of 16UC1 (REP 118).
const MILLIMETRES: f64 = 1000.0;

/// A colour or grey picture; none of another encoding, or with too few bytes.
pub(crate) fn decode(message: &Image) -> Option<DynamicImage> {
    let (width, height, data) = (message.width, message.height, &message.data);
    match message.encoding.as_str() {
        "rgb8" => RgbImage::from_raw(width, height, data.clone()).map(DynamicImage::ImageRgb8),
        "bgr8" => {
            let turned = data.as_chunks::<3>().0.iter().flat_map(|&[blue, green, red]| [red, green, blue]).collect();
            RgbImage::from_raw(width, height, turned).map(DynamicImage::ImageRgb8)
        }
        "mono8" => GrayImage::from_raw(width, height, data.clone()).map(DynamicImage::ImageLuma8),
        _ => None,
    }
}

/// A depth picture in 16 bits, with this many units a metre; none of another encoding, or with too few bytes.
pub(crate) fn depth(message: &Image, units: f64) -> Option<DynamicImage> {
    let data = &message.data;
    let depths = match message.encoding.as_str() {
        "16UC1" => {
            let metres = |&bytes| f64::from(u16::from_le_bytes(bytes)) / MILLIMETRES;
            data.as_chunks::<2>().0.iter().map(|bytes| in_units(metres(bytes), units)).collect()
        }
        "32FC1" => {
            let metres = |&bytes| f64::from(f32::from_le_bytes(bytes));
            data.as_chunks::<4>().0.iter().map(|bytes| in_units(metres(bytes), units)).collect()
        }
        _ => return None,
    };
    ImageBuffer::from_raw(message.width, message.height, depths).map(DynamicImage::ImageLuma16)
}

/// The bytes of the PNG of a picture.
///
/// # Errors
/// It cannot be compressed.
pub(crate) fn encode(picture: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
    Ok(bytes)
}

/// A depth [m] in these units a metre; 0 where there is none, and beyond what 16 bits hold.
fn in_units(depth: f64, units: f64) -> u16 {
    let rounded = (units * depth).round();
    if rounded > 0.0 && rounded <= f64::from(u16::MAX) { rounded as u16 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(encoding: &str, data: Vec<u8>, step: u32) -> Image {
        Image { height: 1, width: 2, encoding: encoding.into(), step, data, ..Image::default() }
    }

    #[test]
    fn colours_and_depths_come_back_from_the_file() {
        let read = |message: &Image| image::load_from_memory(&png(message, Path::new("x.png")).unwrap()).unwrap();
        let picture = read(&message("bgr8", vec![1, 2, 3, 4, 5, 6], 6));
        assert_eq!(picture.as_rgb8().unwrap().as_raw(), &[3, 2, 1, 6, 5, 4]);
        let metres: Vec<u8> = [1.2346_f32, f32::NAN].iter().flat_map(|depth| depth.to_le_bytes()).collect();
        assert_eq!(read(&message("32FC1", metres, 8)).as_luma16().unwrap().as_raw(), &[1235, 0]);
        assert_eq!([70.0, -1.0, 65.5].map(|depth| in_units(depth, MILLIMETRES)), [0, 0, 65500]);
        let labels = read(&message("16UC2", vec![1, 0, 2, 1, 0, 0, 0, 0], 8)).into_rgb8().into_raw();
        assert_eq!(labels, [label_color([1, 0, 2, 1]), [0; 3]].concat());
        let error = png(&message("yuv422", vec![], 0), Path::new("x.png")).unwrap_err().to_string();
        assert_eq!(
            error,
            "pictures encoded as yuv422 cannot be written\n  accepted: rgb8, bgr8, mono8, 16UC1, 32FC1, 16UC2"
        );
    }
    #[test]
    fn arrays_have_the_numbers_of_the_picture() {
        let file = npy(&message("16UC2", vec![1, 0, 2, 1, 3, 0, 4, 0], 8)).unwrap();
        let header = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2, 2), } ";
        assert!(file.starts_with(header) && file[127] == b'\n');
        assert_eq!(file[128..], [1, 0, 2, 1, 3, 0, 4, 0]);
        assert!(npy(&message("16UC2", vec![1], 8)).is_err() && npy(&message("yuv422", vec![], 0)).is_err());
    }
}
