//! Clouds and pictures come to those who ask for them, each once, and no more often than is useful.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::peer::{Incoming, Viewer, get};
use crate::stage::{LIDAR, Stage, yard};

const CLOUD: u8 = 8;
const PICTURE: u8 = 9;
const READING: u8 = 10;

/// A planar lidar, one in three dimensions, and a camera for colour and depth.
fn sensors() -> String {
    format!(
        "{LIDAR}<sensor class=\"lidar3d\" name=\"top\"><pose_3d>0 0 1 0 0 0</pose_3d><vert_nrays>4</vert_nrays>\
         <horz_nrays>100</horz_nrays><sensor_period>0.05</sensor_period></sensor>\
         <sensor class=\"rgbd_camera\" name=\"front\"><sense_depth>true</sense_depth><sense_rgb>true</sense_rgb>\
         <depth_ncols>64</depth_ncols><depth_nrows>48</depth_nrows><rgb_ncols>64</rgb_ncols><rgb_nrows>48</rgb_nrows>\
         <publish_ros_depth_image>true</publish_ros_depth_image><sensor_period>0.05</sensor_period></sensor>"
    )
}

/// Kind, sensor and topic of what comes in a while, with times and lengths.
async fn listen(viewer: &mut Viewer, duration: f64) -> BTreeMap<(u8, u16, u16), Vec<(f64, usize)>> {
    let (mut samples, began) = (BTreeMap::<_, Vec<_>>::new(), Instant::now());
    while began.elapsed() < Duration::from_secs_f64(duration) {
        if let Incoming::SensorData { kind, sensor, topic, time, length } = viewer.next().await {
            samples.entry((kind, sensor, topic)).or_default().push((time, length));
        }
    }
    samples
}

async fn watch(viewer: &mut Viewer, clouds: bool, pictures: Value) {
    let watch =
        json!({ "do": "watch", "rate": 60, "points": "all", "stride": 1, "clouds": clouds, "pictures": pictures });
    viewer.order(watch).await.unwrap();
}

#[tokio::test]
async fn only_what_is_asked_for_comes_each_sample_once() {
    let stage = Stage::set(&yard(1, &sensors()));
    let mut viewer = Viewer::join(stage.address).await;
    let scene: Value = serde_json::from_slice(&get(stage.address, "/api/scene", "").await.2).unwrap();
    let vehicle = &scene["vehicles"][0];
    assert_eq!(
        vehicle["sensors"][1]["topics"],
        json!([{ "name": "top_points", "suffix": "_points", "message": "sensor_msgs/msg/PointCloud2" }])
    );
    let depth = vehicle["sensors"][2]["topics"]
        .as_array()
        .unwrap()
        .iter()
        .position(|topic| topic["suffix"] == "_depth/image_raw");
    let picture = json!({ "vehicle": vehicle["id"], "sensor": 2, "topic": depth });
    viewer.watch(60.0, json!("all")).await;
    assert_eq!(listen(&mut viewer, 0.5).await, BTreeMap::new(), "clouds have to be asked for");
    watch(&mut viewer, true, json!([picture])).await;
    let actual = listen(&mut viewer, 2.0).await;
    let depth = depth.unwrap() as u16;
    let wanted = [(CLOUD, 1, 0), (PICTURE, 2, depth)];
    assert!(actual.keys().all(|topic| wanted.contains(topic) || *topic == (CLOUD, 2, depth + 2)), "{actual:?}");
    for (topic, most) in wanted.into_iter().zip([22, 12]) {
        let samples = actual.get(&topic).unwrap_or_else(|| panic!("{actual:?}"));
        assert!((2..=most).contains(&samples.len()), "{} of {topic:?} in two seconds", samples.len());
        assert!(samples.windows(2).all(|pair| pair[0].0 < pair[1].0), "{samples:?}");
    }
    assert!(actual[&wanted[0]].iter().all(|(_, length)| (48..=48 + 8 * 4 * 100).contains(length)));
    watch(&mut viewer, false, json!([])).await;
    // Some may have been on their way.
    listen(&mut viewer, 0.2).await;
    assert_eq!(listen(&mut viewer, 0.5).await, BTreeMap::new());
    stage.end();
}

#[tokio::test]
async fn readings_are_those_of_the_vehicle_that_is_looked_at() {
    let sensors = "<sensor class=\"mocap\" name=\"marker\"/><sensor class=\"imu\" name=\"imu\"/>\
         <sensor class=\"contact\" name=\"bumper\"/>";
    let stage = Stage::set(&yard(2, sensors));
    let mut viewer = Viewer::join(stage.address).await;
    let scene: Value = serde_json::from_slice(&get(stage.address, "/api/scene", "").await.2).unwrap();
    let ids = [0, 1].map(|vehicle| scene["vehicles"][vehicle]["id"].as_u64().unwrap());
    for (id, is_there) in [(ids[1], true), (ids[0] + ids[1] + 1, false), (ids[0], true)] {
        let watch = json!({ "do": "watch", "rate": 60, "points": "none", "stride": 1, "readings": id });
        viewer.order(watch).await.unwrap();
        // What was asked for before may be on its way.
        listen(&mut viewer, 0.2).await;
        let actual = listen(&mut viewer, 0.6).await;
        let topics: Vec<_> = actual.keys().copied().collect();
        let wanted: &[_] = if is_there { &[(READING, 0, 0), (READING, 2, 1)] } else { &[] };
        assert_eq!(topics, wanted, "the inertial sensor has no few numbers");
        assert!(actual.values().all(|samples| samples.windows(2).all(|pair| pair[0].0 < pair[1].0)), "{actual:?}");
    }
    stage.end();
}
