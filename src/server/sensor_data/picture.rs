//! Pictures in few pixels: colours as means of squares, depths as shades of grey, labels as colours that differ.

use image::{GrayImage, RgbImage};
use skidpad_ros_data::message::compressed::{decompressed, in_grey};
use skidpad_ros_data::message::{CompressedImage, Image, label_color};
use skidpad_view::sensor_data::{MAX_PIXELS, ViewPicture};

/// Side of the squares of pixels that become one, and the size that the picture then has.
fn reduction(width: usize, height: usize) -> Option<(usize, [usize; 2])> {
    let [columns, rows] = MAX_PIXELS;
    let side = width.div_ceil(columns).max(height.div_ceil(rows));
    (side > 0 && width >= side && height >= side).then(|| (side, [width / side, height / side]))
}

/// The pixels of a message, `N` bytes each, row by row; none if it has fewer than its size says.
fn rows<const N: usize>(message: &Image) -> Option<Vec<&[[u8; N]]>> {
    let (width, step) = (message.width as usize, message.step as usize);
    if message.is_bigendian != 0 || step < width.checked_mul(N)? {
        return None;
    }
    let rows: Vec<&[[u8; N]]> = message
        .data
        .chunks(step.max(1))
        .take(message.height as usize)
        .filter_map(|row| Some(row.get(..width * N)?.as_chunks::<N>().0))
        .collect();
    (rows.len() == message.height as usize).then_some(rows)
}

/// A picture of a camera in a size for viewers; none if its encoding is unknown or it is incomplete.
pub fn view_picture(message: &Image) -> Option<ViewPicture> {
    match message.encoding.as_str() {
        "rgb8" => colors(rows(message)?, |pixel| pixel),
        "bgr8" => colors(rows(message)?, |[blue, green, red]| [red, green, blue]),
        "mono8" => colors(rows(message)?, |[grey]| [grey; 3]),
        "16UC2" => labels(&rows(message)?),
        "16UC1" => depths(&rows(message)?, millimetres),
        "32FC1" => depths(&rows(message)?, f32::from_le_bytes),
        _ => None,
    }
}

/// A compressed picture in a size for viewers, in shades of grey if its encoding is not read; none if it cannot be read at all.
pub fn view_compressed(message: &CompressedImage) -> Option<ViewPicture> {
    view_picture(&decompressed(message).or_else(|| in_grey(message))?)
}

/// A depth in millimetres in metres.
fn millimetres(pixel: [u8; 2]) -> f32 {
    f32::from(u16::from_le_bytes(pixel)) * 1e-3
}

fn colors<const N: usize>(rows: Vec<&[[u8; N]]>, color: impl Fn([u8; N]) -> [u8; 3]) -> Option<ViewPicture> {
    let (side, [columns, lines]) = reduction(rows.first()?.len(), rows.len())?;
    let mut pixels = Vec::with_capacity(3 * columns * lines);
    let count = (side * side) as u32;
    for square_rows in rows.chunks_exact(side) {
        for column in 0..columns {
            let mut sum = [0_u32; 3];
            let square = square_rows.iter().flat_map(|row| &row[column * side..][..side]);
            for pixel in square {
                let rgb = color(*pixel);
                (0..3).for_each(|channel| sum[channel] += u32::from(rgb[channel]));
            }
            pixels.extend(sum.map(|sum| (sum / count) as u8));
        }
    }
    RgbImage::from_raw(columns as u32, lines as u32, pixels).map(ViewPicture::Color)
}

/// One pixel of each square, and how many columns and rows there are of them.
fn sampled<const N: usize>(rows: &[&[[u8; N]]]) -> Option<(Vec<[u8; N]>, [u32; 2])> {
    let (side, [columns, lines]) = reduction(rows.first()?.len(), rows.len())?;
    let row = |line: usize| rows.get(line * side + side / 2).copied().unwrap_or_default();
    let kept = (0..lines).flat_map(|line| row(line).chunks_exact(side).map(|square| square[side / 2]));
    Some((kept.collect(), [columns as u32, lines as u32]))
}

/// Labels of class and body in their colours.
fn labels(rows: &[&[[u8; 4]]]) -> Option<ViewPicture> {
    let (kept, [columns, lines]) = sampled(rows)?;
    let pixels = kept.into_iter().flat_map(label_color).collect();
    RgbImage::from_raw(columns, lines, pixels).map(ViewPicture::Color)
}

/// Depths in metres; a mean across an edge would lie where nothing is, so one pixel stands for its square.
fn depths<const N: usize>(rows: &[&[[u8; N]]], metres: impl Fn([u8; N]) -> f32) -> Option<ViewPicture> {
    let (kept, [columns, lines]) = sampled(rows)?;
    let kept: Vec<f32> = kept.into_iter().map(metres).collect();
    let farthest = kept.iter().copied().filter(|depth| depth.is_finite()).fold(0.0, f32::max);
    let black = rounded_up(farthest);
    let shade = |depth: f32| {
        let is_return = depth.is_finite() && depth > 0.0;
        if is_return { (255.0 - 254.0 * depth / black).round() as u8 } else { 0 }
    };
    let shades = kept.into_iter().map(shade).collect();
    GrayImage::from_raw(columns, lines, shades).map(|picture| ViewPicture::Depth(picture, black))
}

/// The next of 1, 2, 5, 10 … m, so that shades do not flicker as the farthest depth changes.
fn rounded_up(depth: f32) -> f32 {
    let scales = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    scales.into_iter().find(|scale| *scale >= depth).unwrap_or(depth)
}
