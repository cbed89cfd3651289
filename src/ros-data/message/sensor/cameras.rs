//! The topics of cameras: colour pictures, depth pictures, their compressed forms, their points, labels and models.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::camera::{ColorOrder, Lens};
use skidpad_sim::sensor::rgbd_camera::{DEPTH_FRAME, DepthModel, RGB_FRAME};
use skidpad_sim::sensor::{CameraModel, Photograph, ReadingData, RgbdModel, RgbdPhotograph};
use skidpad_sim::world::{LabelBox, label_boxes};

use super::super::camera::{
    COLOR, Compressor, DepthCompressor, LABEL, Points, color, depth, depth_length, fill_color, fill_depth, fill_labels,
    info, labels, point_length,
};
use super::super::vision::{BoundingBox2D, Detection2D, Detection2DArray, Point2D, Pose2D, certain};
use super::super::{Announce, Header, Pose, fill};
use super::{Length, TopicList};

/// The topics of a camera.
pub(super) fn announce_camera<A: Announce>(list: &mut TopicList<'_, A>, model: &CameraModel) -> Result<(), A::Error> {
    let (frame, lens) = (list.frame, &model.lens);
    add_color(list, frame, lens, model.film.order)?;
    add_info(list, frame, lens, model.baseline)?;
    if let Some(quality) = model.jpeg_quality {
        add_compressed(list, frame, lens, model.film.order, quality)?;
    }
    if model.has_labels {
        add_labels(list, frame, lens)?;
    }
    Ok(())
}

/// The topics of a camera for colour and depth, in the order of its class.
pub(super) fn announce_rgbd<A: Announce>(list: &mut TopicList<'_, A>, model: &RgbdModel) -> Result<(), A::Error> {
    let frame = list.frame;
    let [rgb_frame, depth_frame] = [RGB_FRAME, DEPTH_FRAME].map(|half| format!("{frame}{half}"));
    let picture = model.depth.filter(|depth| depth.has_image);
    if let Some(rgb) = &model.rgb {
        add_color(list, &rgb_frame, &rgb.lens, rgb.film.order)?;
        add_info(list, &rgb_frame, &rgb.lens, 0.0)?;
    }
    if let Some(depth) = picture {
        add_depth(list, &depth_frame, depth)?;
        add_info(list, &depth_frame, &depth.lens, 0.0)?;
    }
    if let Some(depth) = model.depth.filter(|depth| depth.has_points) {
        let (points, message) = Points::new(frame, model, &depth);
        list.add(pixels(&depth.lens, point_length(&depth)), message, move |sample, message| {
            let ReadingData::Rgbd(both) = sample.data else { return false };
            points.fill(sample.time, both, message);
            true
        })?;
    }
    if let Some((rgb, quality)) = model.rgb.and_then(|rgb| rgb.jpeg_quality.map(|quality| (rgb, quality))) {
        add_compressed(list, &rgb_frame, &rgb.lens, rgb.film.order, quality)?;
    }
    if let Some((depth, quantization)) = picture.and_then(|depth| depth.quantization.map(|q| (depth, q))) {
        let (mut compressor, message) = DepthCompressor::new(&depth_frame, &depth, quantization);
        list.add(Length::OnDemand(0), message, move |sample, message| {
            let ReadingData::Rgbd(both) = sample.data else { return false };
            compressor.fill(sample.time, &both.depths, message)
        })?;
    }
    if let Some(rgb) = model.rgb.filter(|rgb| rgb.has_labels) {
        add_labels(list, &rgb_frame, &rgb.lens)?;
    }
    if let Some(depth) = picture.filter(|depth| depth.has_labels) {
        let length = pixels(&depth.lens, LABEL);
        list.add(length, labels(&depth_frame, &depth.lens), |sample, message| {
            let ReadingData::Rgbd(both) = sample.data else { return false };
            fill_labels(sample.time, &both.depth_labels, message);
            true
        })?;
    }
    Ok(())
}

/// So many bytes for each pixel.
fn pixels(lens: &Lens, bytes: usize) -> Length {
    Length::OnDemand(bytes as u64 * (lens.columns * lens.rows) as u64)
}

/// The bytes of a colour picture; none of another reading.
fn color_of(data: &ReadingData) -> Option<&[u8]> {
    match data {
        ReadingData::Photograph(photograph) => Some(&photograph.pixels),
        ReadingData::Rgbd(both) => Some(&both.pixels),
        _ => None,
    }
}

fn add_color<A: Announce>(
    list: &mut TopicList<'_, A>,
    frame: &str,
    lens: &Lens,
    order: ColorOrder,
) -> Result<(), A::Error> {
    list.add(pixels(lens, COLOR), color(frame, lens, order), |sample, message| {
        let Some(pixels) = color_of(sample.data) else { return false };
        fill_color(sample.time, pixels, message);
        true
    })
}

/// The model of a camera, with each of its pictures.
fn add_info<A: Announce>(list: &mut TopicList<'_, A>, frame: &str, lens: &Lens, baseline: f64) -> Result<(), A::Error> {
    list.add(Length::Small, info(frame, lens, baseline), |sample, message| {
        message.header.stamp = fill::stamp(sample.time);
        matches!(sample.data, ReadingData::Photograph(_) | ReadingData::Rgbd(_))
    })
}

/// Compressed pictures are left out of sizes: each is smaller than the picture beside it.
fn add_compressed<A: Announce>(
    list: &mut TopicList<'_, A>,
    frame: &str,
    lens: &Lens,
    order: ColorOrder,
    quality: u8,
) -> Result<(), A::Error> {
    let (mut compressor, message) = Compressor::new(frame, lens, order, quality);
    list.add(Length::OnDemand(0), message, move |sample, message| {
        color_of(sample.data).is_some_and(|pixels| compressor.fill(sample.time, pixels, message))
    })
}

fn add_depth<A: Announce>(list: &mut TopicList<'_, A>, frame: &str, model: DepthModel) -> Result<(), A::Error> {
    let length = pixels(&model.lens, depth_length(&model));
    list.add(length, depth(frame, &model), move |sample, message| {
        let ReadingData::Rgbd(both) = sample.data else { return false };
        fill_depth(sample.time, &both.depths, &model, message);
        true
    })
}

/// The labels of a colour picture, and boxes around its bodies.
fn add_labels<A: Announce>(list: &mut TopicList<'_, A>, frame: &str, lens: &Lens) -> Result<(), A::Error> {
    list.add(pixels(lens, LABEL), labels(frame, lens), |sample, message| {
        let (ReadingData::Photograph(Photograph { labels, .. }) | ReadingData::Rgbd(RgbdPhotograph { labels, .. })) =
            sample.data
        else {
            return false;
        };
        fill_labels(sample.time, labels, message);
        true
    })?;
    let (header, columns) = (fill::header(SimTime::ZERO, frame), lens.columns);
    list.add(Length::OnDemand(0), Detection2DArray { header, detections: Vec::new() }, move |sample, message| {
        let labels = match sample.data {
            ReadingData::Photograph(photograph) => &photograph.labels,
            ReadingData::Rgbd(both) => &both.labels,
            _ => return false,
        };
        message.header.stamp = fill::stamp(sample.time);
        message.detections = label_boxes(labels, columns).iter().map(|seen| detection(seen, &message.header)).collect();
        true
    })
}

/// A box as a detection: class and body are the numbers of their labels, and a pixel is 1 wide.
fn detection(seen: &LabelBox, header: &Header) -> Detection2D {
    let LabelBox { label: [class, body], columns, rows, .. } = *seen;
    let extent = |[first, last]: [usize; 2]| (0.5 * (first + last) as f64 + 0.5, (last - first + 1) as f64);
    let ((x, size_x), (y, size_y)) = (extent(columns), extent(rows));
    let center = Pose2D { position: Point2D { x, y }, theta: 0.0 };
    Detection2D {
        header: header.clone(),
        results: vec![certain(&class.to_string(), Pose::default())],
        bbox: BoundingBox2D { center, size_x, size_y },
        id: body.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detection_covers_its_pixels() {
        let seen = LabelBox { label: [4, 17], columns: [2, 5], rows: [7, 7], pixels: 3 };
        let header = fill::header(SimTime(5), "camera1");
        let made = detection(&seen, &header);
        assert_eq!((made.id.as_str(), made.results[0].hypothesis.class_id.as_str()), ("17", "4"));
        let BoundingBox2D { center, size_x, size_y } = made.bbox;
        // Pixels 2 to 5 reach from 2 to 6, the one in row 7 from 7 to 8.
        assert_eq!((center.position.x, center.position.y, size_x, size_y), (4.0, 7.5, 4.0, 1.0));
        assert_eq!((made.header, center.theta), (header, 0.0));
    }
}
