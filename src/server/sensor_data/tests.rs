//! Messages of sensors as viewers get them, and when they get them.

use std::time::Duration;

use skidpad_math::Pose3;
use skidpad_ros_data::message::{CompressedImage, Image, Message, PointCloud2, PointField};
use skidpad_view::messages::{OfVehicles, WatchedTopic};
use skidpad_view::scene::{SceneView, SensorTopicView, SensorView, VehicleView};
use skidpad_view::sensor_data::{MAX_POINTS, Tint};
use tokio::time::Instant;

use super::*;

fn cloud(fields: &[(&str, u32, u8)], step: u32, data: Vec<u8>) -> PointCloud2 {
    let field =
        |&(name, offset, datatype): &(&str, u32, u8)| PointField { name: name.into(), offset, datatype, count: 1 };
    let width = data.len() as u32 / step;
    let fields = fields.iter().map(field).collect();
    PointCloud2 { height: 1, width, fields, point_step: step, row_step: width * step, data, ..PointCloud2::default() }
}

const AXES: [(&str, u32, u8); 3] = [("x", 0, 7), ("y", 4, 7), ("z", 8, 7)];

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn clouds_of_any_layout_keep_their_returns_with_what_they_say_of_them() {
    let sensor_pose = Pose3 { x: 4.0, ..Pose3::default() };
    let fields = [&AXES[..], &[("intensity", 12, 7), ("ring", 16, 4)]].concat();
    let point =
        |x: f32, intensity: f32, ring: u16| [&bytes(&[x, 2.0, 3.0, intensity])[..], &ring.to_le_bytes()].concat();
    let of = |points: [Vec<u8>; 2]| view_cloud(&cloud(&fields, 18, points.concat()), sensor_pose).unwrap();
    let mvsim = of([point(1.0, 0.5, 3), point(f32::NAN, 0.0, 0)]);
    assert_eq!(
        (mvsim.points, mvsim.tints, mvsim.tint),
        (vec![[1.0, 2.0, 3.0]], vec![[128, 3]], Tint::IntensityAndRing)
    );
    assert_eq!(mvsim.world_from_sensor, sensor_pose);
    let velodyne = of([point(1.0, 0.5, 3), point(2.0, 200.0, 300)]);
    assert_eq!(velodyne.tints, [[1, 3], [200, 255]]);
    assert!(velodyne.labels.is_empty());
    let fields = [&AXES[..], &[("class", 12, 4), ("body", 14, 4)]].concat();
    let labelled = [&bytes(&[1.0, 2.0, 3.0])[..], &[4, 0, 1, 2], &bytes(&[f32::NAN, 0.0, 0.0]), &[9; 4]].concat();
    let labelled = view_cloud(&cloud(&fields, 16, labelled), sensor_pose).unwrap();
    assert_eq!((labelled.tint, labelled.labels), (Tint::None, vec![[4, 0, 1, 2]]));
    let colored = [&AXES[..], &[("rgb", 12, 7)]].concat();
    let data = [&bytes(&[1.0, 2.0, 3.0])[..], &[255, 0, 255, 0]].concat();
    let colored = view_cloud(&cloud(&colored, 16, data), sensor_pose).unwrap();
    assert_eq!((colored.tint, colored.tints), (Tint::Color, vec![0xf81f_u16.to_le_bytes()]));
    let plain = view_cloud(&cloud(&AXES, 12, bytes(&[1.0; 3 * 50_000])), sensor_pose).unwrap();
    assert_eq!((plain.tint, plain.points.len(), plain.tints.len()), (Tint::None, MAX_POINTS, MAX_POINTS));
    // Of other origin: no coordinates, fields beyond the point, points without length.
    for (fields, step) in [(&AXES[..2], 12), (&AXES[..], 10), (&[("x", u32::MAX, 7), AXES[1], AXES[2]][..], 12)] {
        assert_eq!(view_cloud(&cloud(fields, step, bytes(&[1.0; 6])), sensor_pose), None);
    }
    assert_eq!(view_cloud(&PointCloud2::default(), sensor_pose), None);
}

fn image(encoding: &str, [width, height]: [u32; 2], data: Vec<u8>) -> Image {
    let step = data.len() as u32 / height;
    Image { width, height, encoding: encoding.into(), step, data, ..Image::default() }
}

#[test]
fn pictures_become_means_of_squares_and_depths_shades_of_grey() {
    let pixel = |index: usize| [index.is_multiple_of(2).into(), 10_u8, 20];
    let wide =
        image("bgr8", [640, 4], (0..640 * 4).flat_map(|index| pixel(index).map(|value| 100 * value.min(2))).collect());
    let Some(ViewPicture::Color(small)) = view_picture(&wide) else { panic!() };
    assert_eq!((small.width(), small.height(), small.get_pixel(7, 1).0), (320, 2, [200, 200, 50]));
    let Some(ViewPicture::Depth(shades, black)) =
        view_picture(&image("32FC1", [4, 1], bytes(&[0.0, 1.0, 4.0, f32::NAN])))
    else {
        panic!()
    };
    assert_eq!((black, shades.into_raw()), (5.0, vec![0, 204, 52, 0]));
    let millimetres = [1000_u16, 0].iter().flat_map(|depth| depth.to_le_bytes()).collect();
    let Some(ViewPicture::Depth(shades, black)) = view_picture(&image("16UC1", [2, 1], millimetres)) else { panic!() };
    assert_eq!((black, shades.into_raw()), (1.0, vec![1, 0]));
    let bodies =
        [[1_u16, 2], [1, 2], [1, 3], [0, 0]].iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let Some(ViewPicture::Color(labels)) = view_picture(&image("16UC2", [4, 1], bodies)) else { panic!() };
    let [first, same, other, unlabelled] = [0, 1, 2, 3].map(|column| labels.get_pixel(column, 0).0);
    assert!(first == same && first != other && unlabelled == [0; 3], "{labels:?}");
    // A PNG of two numbers of 16 bits after what a compressed depth picture begins with.
    let mut data = [0.0_f32, 10100.0, -99.0].map(f32::to_le_bytes).concat();
    let numbers = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(2, 1, vec![1000_u16, 0]).unwrap();
    numbers.write_with_encoder(image::codecs::png::PngEncoder::new(&mut data)).unwrap();
    for (encoding, codec, depth, expected) in
        [("16UC1", " png", 1.0_f32, 1.0_f32), ("16UC1", "", 1.0, 1.0), ("32FC1", " png", 10100.0 / 1099.0, 10.0)]
    {
        let format = format!("{encoding}; compressedDepth{codec}");
        let message = CompressedImage { format, data: data.clone(), ..CompressedImage::default() };
        let Some(ViewPicture::Depth(shades, black)) = view_compressed(&message) else { panic!("{encoding}") };
        let near = (255.0 - 254.0 * depth / expected).round() as u8;
        assert_eq!((black, shades.into_raw()), (expected, vec![near, 0]), "{encoding}");
        let cut = CompressedImage { data: data[..20].to_vec(), ..message };
        assert_eq!(view_compressed(&cut), None);
        let other = CompressedImage { format: "16UC1; compressedDepth rvl".into(), ..cut };
        assert_eq!(view_compressed(&other), None);
    }
    // Depths of 8 bits, as the plugin `compressed` makes them by default.
    let mut data = Vec::new();
    let grey = image::GrayImage::from_raw(2, 1, vec![200, 200]).unwrap();
    grey.write_with_encoder(image::codecs::jpeg::JpegEncoder::new(&mut data)).unwrap();
    let jpeg = CompressedImage { format: "16UC1; jpeg compressed ".into(), data, ..CompressedImage::default() };
    let Some(ViewPicture::Color(grey)) = view_compressed(&jpeg) else { panic!() };
    assert!(grey.iter().all(|shade| shade.abs_diff(200) < 4), "{grey:?}");
    // Of other origin: unknown, cut short, with rows shorter than their pixels, empty.
    let whole = image("rgb8", [2, 2], vec![0; 12]);
    let bad = [
        Image { encoding: "yuv422".into(), ..whole.clone() },
        Image { data: vec![0; 11], ..whole.clone() },
        Image { step: 5, ..whole.clone() },
        Image { width: u32::MAX, step: u32::MAX, ..whole },
        Image::default(),
    ];
    assert!(bad.iter().all(|message| view_picture(message).is_none()));
    assert_eq!(view_compressed(&CompressedImage { data: vec![0xff, 0xd8, 0xff], ..CompressedImage::default() }), None);
}

/// Two vehicles with a lidar and a camera each.
fn scene() -> SceneView {
    let sensor = |message: &str| {
        let topic = |message: &str| SensorTopicView { message: message.into(), ..SensorTopicView::default() };
        SensorView { topics: vec![topic("sensor_msgs/msg/CameraInfo"), topic(message)], ..SensorView::default() }
    };
    let vehicle = |id| VehicleView {
        id,
        sensors: vec![sensor(PointCloud2::TYPE), sensor(Image::TYPE)],
        ..VehicleView::default()
    };
    SceneView { revision: 3, vehicles: vec![vehicle(40), vehicle(50)], ..SceneView::default() }
}

const CLOUD_OF_SECOND: TopicKey = TopicKey { revision: 3, vehicle: 1, sensor: 0, topic: 1 };
const PICTURE_OF_FIRST: TopicKey = TopicKey { revision: 3, vehicle: 0, sensor: 1, topic: 1 };

#[test]
fn only_what_is_watched_is_asked_for_and_no_more_often_than_useful() {
    let picture = WatchedTopic { vehicle: 40, sensor: 1, topic: 1 };
    let other = WatchedTopic { topic: 0, ..picture };
    let now = Instant::now();
    let no_topics = TopicsWanted::new(&scene(), OfVehicles::All, false, &[other], None);
    assert_eq!(Schedule::default().ask(&no_topics, now), []);
    let wanted = TopicsWanted::new(&scene(), OfVehicles::Vehicle(50), true, &[picture], None);
    let mut schedule = Schedule::default();
    assert_eq!(schedule.ask(&wanted, now), [PICTURE_OF_FIRST, CLOUD_OF_SECOND]);
    assert_eq!(schedule.open(), [PICTURE_OF_FIRST, CLOUD_OF_SECOND]);
    let later = |milliseconds| now + Duration::from_millis(milliseconds);
    assert_eq!(schedule.ask(&wanted, later(1000)), [], "the answers are still to come");
    assert!(schedule.close(&PICTURE_OF_FIRST, Some(SimTime(1))) && !schedule.close(&CLOUD_OF_SECOND, None));
    assert_eq!(schedule.ask(&wanted, later(99)), []);
    assert_eq!(schedule.ask(&wanted, later(100)), [CLOUD_OF_SECOND]);
    assert_eq!(schedule.ask(&wanted, later(200)), [PICTURE_OF_FIRST]);
    assert!(!schedule.close(&PICTURE_OF_FIRST, Some(SimTime(1))), "the same picture is not sent again");
    assert!(schedule.close(&CLOUD_OF_SECOND, Some(SimTime(1))));
    // The line was busy for a second.
    schedule.pause_after(Duration::from_secs(1), later(300));
    assert_eq!(schedule.ask(&wanted, later(1299)), []);
    assert_eq!(schedule.ask(&wanted, later(1300)).len(), 2);
    assert_eq!(schedule.ask(&no_topics, later(1301)), []);
    assert_eq!(schedule.open(), [], "what is not watched any more is forgotten");
}

#[test]
fn the_exchange_holds_the_last_data_of_each_topic_of_the_current_scene() {
    let mut exchange = Exchange::default();
    exchange.ask(PICTURE_OF_FIRST);
    exchange.ask(CLOUD_OF_SECOND);
    assert!(exchange.has_requests() && exchange.wanted().len() == 2);
    assert!(exchange.answered(&CLOUD_OF_SECOND).is_none());
    let cloud = Arc::new(SensorData::new(CLOUD_OF_SECOND, SimTime(5), Content::Cloud(ViewCloud::default())));
    exchange.answer(&CLOUD_OF_SECOND, Some(cloud));
    exchange.answer(&PICTURE_OF_FIRST, None);
    assert!(!exchange.has_requests());
    let [cloud, picture] = [CLOUD_OF_SECOND, PICTURE_OF_FIRST].map(|key| exchange.answered(&key).unwrap());
    assert_eq!((cloud.map(|cloud| cloud.time), picture.is_none()), (Some(SimTime(5)), true));
    exchange.ask(TopicKey { revision: 4, ..PICTURE_OF_FIRST });
    assert!(exchange.wanted().len() == 1 && exchange.answered(&CLOUD_OF_SECOND).unwrap().is_none());
}
