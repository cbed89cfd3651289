//! The sizes that are foretold are those of messages, and scans have the times of their drivers.

use std::convert::Infallible;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor::camera::{Film, Lens};
use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, DepthModel, RgbModel};
use skidpad_sim::sensor::{
    CameraModel, Cloud, CloudGeometry, CloudLayout, CloudPoint, Photograph, Reading, ReadingData, RgbdModel,
    RgbdPhotograph, Samples, Scan, ScanGeometry, ScanMotion, ScanStamp, SensorInfo,
};

use super::*;
use crate::message::{CameraInfo, CompressedImage, Detection2DArray, LaserScan, cdr};

/// The messages that are sent, as bytes.
type Sent = Vec<Vec<u8>>;

/// A topic whose messages are kept, unless their type is one of those left out.
struct Kept(bool);

impl TopicChannel for Kept {
    type Output = Sent;
    type Error = Infallible;

    fn send(&mut self, sent: &mut Sent, _: SimTime, message: &dyn AnyMessage) -> Result<(), Infallible> {
        let mut bytes = Vec::new();
        message.append_to(None, &mut bytes).unwrap();
        sent.extend(self.0.then_some(bytes));
        Ok(())
    }
}

struct Everything;

impl Announce for Everything {
    type Channel = Kept;
    type Error = Infallible;

    fn channel(&mut self, _: &str, kind: Kind, _: Quality) -> Result<Option<Kept>, Infallible> {
        let left_out = [CameraInfo::TYPE, CompressedImage::TYPE, Detection2DArray::TYPE];
        Ok(Some(Kept(!left_out.contains(&kind.name))))
    }
}

/// The messages of a sensor of this kind that has measured `data` at `time` [ns].
fn sent(kind: SensorKind, time: SimTime, data: ReadingData) -> Sent {
    let names: Vec<String> = kind.topics().map(|topic| topic.suffix.to_owned()).collect();
    let info = SensorInfo { name: "sensor".into(), kind, ..SensorInfo::default() };
    let Ok(mut messages) = SensorMessages::new(&mut Everything, &info, &names, "sensor", "map");
    let mut sent = Vec::new();
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
    let Ok(()) = messages.send(&mut sent, &reading);
    sent
}

#[test]
fn sizes_are_those_of_the_messages_that_are_sent() {
    let lens = Lens { columns: 40, rows: 30, focal: [20.0, 20.0], centre: [20.0, 15.0], ..Lens::default() };
    let film = Film::default();
    let mut cases = Vec::new();
    for (has_points, has_labels, white) in [(false, false, None), (true, false, Some(255.0)), (true, true, None)] {
        let scan = ScanGeometry { count: 700, has_points, has_labels, white, ..ScanGeometry::default() };
        let labels = vec![[0; 2]; if has_labels { 700 } else { 0 }];
        let intensities = vec![0.5; if white.is_some() { 700 } else { 0 }];
        let scan_data = Scan { ranges: vec![1.0; 700], intensities, labels, ..Scan::default() };
        cases.push((SensorKind::Lidar2d(scan), ReadingData::Scan(scan_data)));
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
        let (expected, actual) = (
            sample_data(&SensorInfo { kind: kind.clone(), ..SensorInfo::default() }),
            sent(kind.clone(), SimTime(1), data),
        );
        assert_eq!(expected.len(), actual.len(), "{kind:?}");
        for (data, message) in expected.into_iter().zip(actual) {
            let length = message.len() as u64;
            assert!((data..data + 500).contains(&length), "{data} of {length} bytes: {kind:?}");
        }
    }
}

#[test]
fn scans_that_take_time_have_the_stamps_of_their_drivers() {
    for (is_clockwise, stamp, increment, before) in [
        (false, ScanStamp::FirstBeam, 1e-3, 10),
        (true, ScanStamp::FirstBeam, -1e-3, 0),
        (true, ScanStamp::Start, 1e-3, 10),
        (true, ScanStamp::End, 1e-3, 0),
    ] {
        let motion = Some(ScanMotion { beam_time: 1e-3, is_clockwise, stamp });
        let kind =
            SensorKind::Lidar2d(ScanGeometry { count: 11, motion, white: Some(255.0), ..ScanGeometry::default() });
        let since_end = SimTime(2_000_000);
        let scan = Scan { ranges: vec![1.0; 11], intensities: vec![7.0; 11], since_end, ..Scan::default() };
        let messages = sent(kind, SimTime(500_000_000), ReadingData::Scan(scan));
        let message: LaserScan = cdr::read(&messages[0]).unwrap();
        assert_eq!((message.time_increment, message.intensities), (increment, vec![7.0; 11]));
        // Back from the sample to the end of the sweep, and from there to its first or last beam.
        assert_eq!(message.header.stamp.nanosec, 1_000_000 * (500 - 2 - before), "{stamp:?} {is_clockwise}");
    }
}
