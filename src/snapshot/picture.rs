//! A picture as PNG: colours as they are, depths as 16 bits in millimetres.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, RgbImage};

use super::SnapshotError;
use crate::message::Image;

/// The bytes of the PNG of a picture. A depth of 32FC1 [m] is rounded to millimetres; 0: none, or beyond 65.5 m.
pub(super) fn png(message: &Image, path: &Path) -> Result<Vec<u8>, SnapshotError> {
    let (width, height, data) = (message.width, message.height, &message.data);
    let of_u16 = |depths: Vec<u16>| ImageBuffer::from_raw(width, height, depths).map(DynamicImage::ImageLuma16);
    let picture = match message.encoding.as_str() {
        "rgb8" => RgbImage::from_raw(width, height, data.clone()).map(DynamicImage::ImageRgb8),
        "bgr8" => {
            let turned = data.as_chunks::<3>().0.iter().flat_map(|&[blue, green, red]| [red, green, blue]).collect();
            RgbImage::from_raw(width, height, turned).map(DynamicImage::ImageRgb8)
        }
        "mono8" => GrayImage::from_raw(width, height, data.clone()).map(DynamicImage::ImageLuma8),
        "16UC1" => of_u16(data.as_chunks::<2>().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect()),
        "32FC1" => {
            of_u16(data.as_chunks::<4>().0.iter().map(|&bytes| millimetres(f32::from_le_bytes(bytes))).collect())
        }
        _ => None,
    };
    let picture = picture.ok_or_else(|| SnapshotError::Encoding(message.encoding.clone()))?;
    let mut bytes = Vec::new();
    picture
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .map_err(|error| SnapshotError::Picture { path: path.to_path_buf(), error })?;
    Ok(bytes)
}

/// A depth [m] in millimetres; 0 where there is none, and beyond what 16 bits hold.
fn millimetres(depth: f32) -> u16 {
    let rounded = (1000.0 * depth).round();
    if rounded > 0.0 && rounded <= f32::from(u16::MAX) { rounded as u16 } else { 0 }
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
        assert_eq!([70.0, -1.0, 65.5].map(millimetres), [0, 0, 65500]);
        let error = png(&message("yuv422", vec![], 0), Path::new("x.png")).unwrap_err().to_string();
        assert_eq!(error, "pictures encoded as yuv422 cannot be written\n  accepted: rgb8, bgr8, mono8, 16UC1, 32FC1");
    }
}
