//! The sizes that are foretold are those of messages.

use std::convert::Infallible;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor::camera::{Film, Lens};
use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, DepthModel, RgbModel};
use skidpad_sim::sensor::{
    CameraModel, Cloud, CloudGeometry, CloudLayout, CloudPoint, Photograph, Reading, ReadingData, RgbdModel,
    RgbdPhotograph, Samples, Scan, ScanGeometry, SensorInfo,
};

use super::*;
use crate::message::{CameraInfo, CompressedImage, Detection2DArray};

/// Lengths of the messages that are sent [bytes].
type Lengths = Vec<u64>;

/// A topic whose messages are measured, unless their type is one of those left out.
struct Measured(bool);

impl TopicChannel for Measured {
    type Output = Lengths;
    type Error = Infallible;

    fn send(&mut self, lengths: &mut Lengths, _: SimTime, message: &dyn AnyMessage) -> Result<(), Infallible> {
        let mut bytes = Vec::new();
        message.append_to(None, &mut bytes).unwrap();
        lengths.extend(self.0.then_some(bytes.len() as u64));
        Ok(())
    }
}

struct Everything;

impl Announce for Everything {
    type Channel = Measured;
    type Error = Infallible;

    fn channel(&mut self, _: &str, kind: Kind, _: Quality) -> Result<Option<Measured>, Infallible> {
        let left_out = [CameraInfo::TYPE, CompressedImage::TYPE, Detection2DArray::TYPE];
        Ok(Some(Measured(!left_out.contains(&kind.name))))
    }
}

/// The lengths of the messages of a sensor of this kind that has measured `data`.
fn sent(kind: SensorKind, data: ReadingData) -> Lengths {
    let names: Vec<String> = kind.topics().map(|topic| topic.suffix.to_owned()).collect();
    let info = SensorInfo { name: "sensor".into(), kind, ..SensorInfo::default() };
    let Ok(mut messages) = SensorMessages::new(&mut Everything, &info, &names, "sensor", "map");
    let (time, mut lengths) = (SimTime(1), Vec::new());
    let earlier = Samples::default();
    let reading = Reading {
        vehicle: 0,
        sensor: 0,
        time,
        arrived: time,
        passed: time,
        world_from_body: Pose3::default(),
        data,
        earlier,
    };
    let Ok(()) = messages.send(&mut lengths, &reading);
    lengths
}

#[test]
fn sizes_are_those_of_the_messages_that_are_sent() {
    let lens = Lens { columns: 40, rows: 30, focal: [20.0, 20.0], centre: [20.0, 15.0], ..Lens::default() };
    let film = Film::default();
    let mut cases = Vec::new();
    for (has_points, has_labels) in [(false, false), (true, false), (true, true)] {
        let scan = ScanGeometry { count: 700, has_points, has_labels, ..ScanGeometry::default() };
        let labels = vec![[0; 2]; if has_labels { 700 } else { 0 }];
        cases.push((SensorKind::Lidar2d(scan), ReadingData::Scan(Scan { ranges: vec![1.0; 700], labels })));
    }
    for (&(_, layout), has_labels) in CloudLayout::NAMES.iter().zip([false, true].into_iter().cycle()) {
        let geometry = CloudGeometry {
            rings: 16,
            columns: 90,
            is_organized: false,
            layout,
            is_numbered_down: false,
            has_labels,
            range_max: 9.0,
        };
        let points = vec![CloudPoint { position: [1.0; 3], ..CloudPoint::NOTHING }; 16 * 90];
        cases.push((SensorKind::Lidar3d(geometry), ReadingData::Cloud(Cloud { points, ..Cloud::default() })));
    }
    for has_labels in [false, true] {
        let model = CameraModel { lens, clip: [0.1, 1.0], film, jpeg_quality: Some(80), baseline: 0.0, has_labels };
        let labels = vec![[0; 2]; if has_labels { 1200 } else { 0 }];
        cases.push((
            SensorKind::Camera(model),
            ReadingData::Photograph(Photograph { pixels: vec![0; 3600], labels, rays: 0 }),
        ));
    }
    for (encoding, has_image, has_points, has_rgb, has_labels) in [
        (DepthEncoding::Units, true, true, true, true),
        (DepthEncoding::Metres, true, true, false, false),
        (DepthEncoding::Metres, false, true, false, true),
        (DepthEncoding::Units, true, false, true, false),
    ] {
        let depth = DepthModel {
            lens,
            clip: [0.1, 9.0],
            encoding,
            resolution: 1e-3,
            noise: [0.0; 2],
            least_cosine: 0.0,
            edge_shadow: 0.0,
            quantization: Some(100.0),
            has_labels,
            has_image,
            has_points,
            has_colors: has_rgb,
        };
        let (clip, sensor_from_rgb, jpeg_quality) = ([0.1, 9.0], Pose3::default(), Some(80));
        let rgb = RgbModel { lens, clip, film, sensor_from_rgb, jpeg_quality, has_labels };
        let rgb = has_rgb.then_some(rgb);
        let model = RgbdModel { rgb, depth: Some(depth) };
        let labels = vec![[0; 2]; if has_labels { 1200 } else { 0 }];
        let (pixels, depths, depth_labels) = (vec![0; 3600], vec![1.0; 1200], labels.clone());
        let both = RgbdPhotograph { pixels, depths, labels, depth_labels, rays: 0 };
        cases.push((SensorKind::Rgbd(Box::new(model)), ReadingData::Rgbd(both)));
    }
    for (kind, data) in cases {
        let (expected, actual) =
            (sample_data(&SensorInfo { kind: kind.clone(), ..SensorInfo::default() }), sent(kind.clone(), data));
        assert_eq!(expected.len(), actual.len(), "{kind:?}");
        for (data, message) in expected.into_iter().zip(actual) {
            assert!((data..data + 500).contains(&message), "{data} of {message} bytes: {kind:?}");
        }
    }
}
