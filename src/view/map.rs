//! Occupancy maps as pictures.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use skidpad_sim::raycast::OccupancyGrid;

use super::geometry::number;
use super::scene::MapView;

/// Most pixels along a side: supported by all graphics hardware. Larger maps are thinned out.
const MAX_PIXELS: usize = 4096;

/// Number of cells per pixel along either side.
fn stride(map: &OccupancyGrid) -> usize {
    map.width.max(map.height).div_ceil(MAX_PIXELS).max(1)
}

/// The map in the form of the document, with its picture at `path`.
pub(super) fn map_view(map: &OccupancyGrid, path: String) -> MapView {
    let stride = stride(map);
    let corner = map.world_from_grid;
    MapView {
        path,
        cells: [map.width, map.height].map(|cells| cells.div_ceil(stride) as u32),
        resolution: map.resolution * stride as f64,
        pose: [corner.x, corner.y, corner.yaw].map(number),
    }
}

/// A map as PNG, grey and alpha: row 0 on top is that of the largest y; free is white, occupied black, unknown transparent. A pixel
/// of several cells shows the one most likely occupied. Empty on failure.
pub fn map_png(map: &OccupancyGrid) -> Vec<u8> {
    let stride = stride(map);
    let [width, height] = [map.width, map.height].map(|cells| cells.div_ceil(stride));
    let mut pixels = vec![[0xff, 0]; width * height];
    for (row, cells) in map.cells.chunks_exact(map.width).enumerate() {
        let line = &mut pixels[(height - 1 - row / stride) * width..][..width];
        for (column, &percent) in cells.iter().enumerate().filter(|(_, percent)| **percent >= 0) {
            let white = 255 - u32::from(percent.unsigned_abs().min(100)) * 255 / 100;
            let [grey, alpha] = &mut line[column / stride];
            (*grey, *alpha) = ((*grey).min(white as u8), 0xff);
        }
    }
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    match encoder.write_image(pixels.as_flattened(), width as u32, height as u32, ExtendedColorType::La8) {
        Ok(()) => png,
        Err(error) => {
            tracing::warn!("a map of {width} x {height} pixels is not shown: {error}");
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use image::{GenericImageView, Rgba};
    use skidpad_math::Pose2;

    use super::*;

    fn picture(png: &[u8]) -> image::DynamicImage {
        image::load_from_memory_with_format(png, image::ImageFormat::Png).unwrap()
    }

    #[test]
    fn the_last_row_is_on_top_and_greys_show_occupancy() {
        // Row 0: free, occupied, unknown; row 1: half, over 100, free.
        let pose = Pose2::new(-1.0, 2.0, 0.5);
        let map = OccupancyGrid::new(3, 2, 0.05, pose, vec![0, 100, -1, 50, 120, 0], 65).unwrap();
        let picture = picture(&map_png(&map));
        assert_eq!(picture.dimensions(), (3, 2));
        let at = |x, y| picture.get_pixel(x, y);
        let grey = |level: u8| Rgba([level, level, level, 0xff]);
        assert_eq!(
            [at(0, 1), at(1, 1), at(0, 0), at(1, 0), at(2, 0)],
            [grey(255), grey(0), grey(128), grey(0), grey(255)]
        );
        assert_eq!(at(2, 1)[3], 0, "transparent");
        let view = map_view(&map, "api/maps/0.png".into());
        assert_eq!((view.cells, view.resolution, view.pose), ([3, 2], 0.05, [-1.0, 2.0, 0.5]));
    }

    #[test]
    fn maps_beyond_the_limit_are_thinned_out_and_keep_their_walls() {
        let (width, height) = (2 * MAX_PIXELS + 1, 5);
        let mut cells = vec![0; width * height];
        cells[3 * width + 7] = 100;
        cells[4 * width] = -1;
        let map = OccupancyGrid::new(width, height, 0.1, Pose2::IDENTITY, cells, 50).unwrap();
        let view = map_view(&map, String::new());
        // Three cells per pixel: the wall in row 3 is in the upper of two; those beyond the map's end are empty.
        assert_eq!(view.cells, [(width as u32).div_ceil(3), 2]);
        assert!((view.resolution - 0.3).abs() < 1e-12);
        let picture = picture(&map_png(&map));
        assert_eq!(picture.dimensions(), (view.cells[0], 2));
        assert_eq!([picture.get_pixel(2, 0)[0], picture.get_pixel(2, 1)[0], picture.get_pixel(3, 0)[0]], [0, 255, 255]);
    }
}
