//! Tags that ask for something of the half that a camera for colour and depth does not have.

use skidpad_xml::Reader;

use super::{DepthModel, RgbModel};
use crate::sensor::camera::Film;

/// Warns of tags that ask for something of colours, of which there are none. Definitions give sizes and lenses for both halves.
pub(super) fn warn_of_colors(reader: &Reader<'_>, rgb: &RgbModel, has_colors: bool) {
    let (film, d) = (&rgb.film, Film::default());
    for (tag, is_asked) in [
        ("rgb_labels", rgb.has_labels),
        ("rgb_jpeg_quality", rgb.jpeg_quality.is_some()),
        ("rgb_exposure", film.exposure != d.exposure),
        ("rgb_noise_std", film.noise_std != d.noise_std),
        ("rgb_encoding", film.order != d.order),
        ("rgb_readout_time", film.readout != d.readout),
        ("rgb_samples", film.samples != d.samples),
        ("publish_ros_colored_pointcloud", has_colors),
    ] {
        if is_asked {
            reader.warn_at(tag, format!("{tag} has no effect: sense_rgb is false"));
        }
    }
}

/// Warns of tags that ask for something of depths, of which there are none.
pub(super) fn warn_of_depths(reader: &Reader<'_>, depth: &DepthModel) {
    for (tag, is_asked) in [
        ("depth_labels", depth.has_labels && depth.has_image),
        ("depth_compressed", depth.quantization.is_some() && depth.has_image),
        ("publish_ros_colored_pointcloud", depth.has_colors),
    ] {
        if is_asked {
            reader.warn_at(tag, format!("{tag} has no effect: sense_depth is false"));
        }
    }
}
