//! What the shipped files for RViz and Foxglove subscribe to is in a recording, with the type that they need and in frames that connect.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mcap::MessageStream;
use serde_json::Value;
use skidpad::message::cdr;
use skidpad::message::{DiagnosticArray, MarkerArray, TFMessage, Text};

use crate::support::{IDEAL, Lab};

/// Topics that are not the simulator's: nav2's, and the log of all nodes.
const OTHER_NODES: [&str; 10] = [
    "/rosout",
    "/global_costmap/costmap",
    "/local_costmap/costmap",
    "/local_costmap/published_footprint",
    "/plan",
    "/local_plan",
    "/particle_cloud",
    "/goal_pose",
    "/initialpose",
    "/clicked_point",
];
/// Topics that a recording has once somebody sends something: commands, and the reference of a driver.
const ONCE_SENT: [&str; 3] = ["/cmd_vel", "/reference_trajectory", "/virtual_velocities"];

/// A topic of a recording.
#[derive(Default)]
struct Recorded {
    kind: String,
    latched: bool,
    count: usize,
    /// The frames that its messages are in.
    frames: BTreeSet<String>,
    last: Vec<u8>,
}

/// A recording: its topics, and the parent of each frame.
struct Recording {
    topics: BTreeMap<String, Recorded>,
    parents: BTreeMap<String, String>,
}

impl Recording {
    fn read(path: &Path) -> Recording {
        let bytes = fs::read(path).unwrap();
        let (mut topics, mut parents) = (BTreeMap::<String, Recorded>::new(), BTreeMap::new());
        for message in MessageStream::new(&bytes).unwrap().map(Result::unwrap) {
            let channel = &message.channel;
            let topic = topics.entry(channel.topic.clone()).or_default();
            topic.kind.clone_from(&channel.schema.as_ref().unwrap().name);
            topic.latched = channel.metadata["offered_qos_profiles"].contains("durability: 1");
            topic.count += 1;
            topic.last = message.data.to_vec();
            match topic.kind.as_str() {
                "tf2_msgs/msg/TFMessage" => {
                    let transforms = cdr::read::<TFMessage>(&message.data).unwrap().transforms;
                    parents.extend(transforms.into_iter().map(|tf| (tf.child_frame_id, tf.header.frame_id)));
                }
                "visualization_msgs/msg/MarkerArray" => {
                    let markers = cdr::read::<MarkerArray>(&message.data).unwrap().markers;
                    let added = markers.into_iter().filter(|marker| marker.action == 0);
                    topic.frames.extend(added.map(|marker| marker.header.frame_id));
                }
                "sensor_msgs/msg/LaserScan"
                | "sensor_msgs/msg/PointCloud2"
                | "sensor_msgs/msg/Image"
                | "nav_msgs/msg/Odometry"
                | "nav_msgs/msg/OccupancyGrid"
                | "geometry_msgs/msg/PolygonStamped"
                | "sensor_msgs/msg/CameraInfo" => drop(topic.frames.insert(header_frame(&message.data))),
                _ => {}
            }
        }
        Recording { topics, parents }
    }

    fn root(&self, frame: &str) -> String {
        let mut frame = frame.to_owned();
        while let Some(parent) = self.parents.get(&frame) {
            frame.clone_from(parent);
        }
        frame
    }
}

/// The frame in the header that a message begins with: after the four bytes of its encoding, seconds and nanoseconds.
fn header_frame(message: &[u8]) -> String {
    let length = u32::from_le_bytes(message[12..16].try_into().unwrap()) as usize;
    String::from_utf8(message[16..16 + length - 1].to_vec()).unwrap()
}

/// The topics of the displays of an RViz file, each with the type that it needs, and the fixed frame.
fn rviz(name: &str) -> (BTreeMap<String, Option<&'static str>>, String) {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rviz/{name}.rviz"))).unwrap();
    let file: Value = serde_saphyr::from_str(&text).unwrap();
    let shown = &file["Visualization Manager"];
    let mut topics = BTreeMap::new();
    for display in shown["Displays"].as_array().unwrap() {
        let kind = match display["Class"].as_str().unwrap().split('/').nth(1).unwrap() {
            "MarkerArray" => "visualization_msgs/msg/MarkerArray",
            "Odometry" => "nav_msgs/msg/Odometry",
            "LaserScan" => "sensor_msgs/msg/LaserScan",
            "Polygon" => "geometry_msgs/msg/PolygonStamped",
            "Map" => "nav_msgs/msg/OccupancyGrid",
            "PointCloud2" => "sensor_msgs/msg/PointCloud2",
            "Image" => "sensor_msgs/msg/Image",
            "RobotModel" => "std_msgs/msg/String",
            _ => continue,
        };
        let named = display["Topic"]["Value"].as_str().or(display["Description Topic"]["Value"].as_str());
        topics.insert(named.unwrap().to_owned(), Some(kind));
    }
    (topics, shown["Global Options"]["Fixed Frame"].as_str().unwrap().to_owned())
}

/// The topics that the panels of a Foxglove layout subscribe to, with the type that they need where that is known.
fn foxglove(name: &str) -> BTreeMap<String, Option<&'static str>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("foxglove/{name}.json"))).unwrap();
    let layout: Value = serde_json::from_str(&text).unwrap();
    let mut topics = BTreeMap::new();
    for (panel, config) in layout["configById"].as_object().unwrap() {
        let mut add = |topic: &Value, kind| {
            let topic = topic.as_str().filter(|topic| topic.starts_with('/'));
            topic.map(|topic| topics.insert(topic.split('.').next().unwrap().to_owned(), kind));
        };
        for topic in config["topics"].as_object().into_iter().flat_map(|topics| topics.keys()) {
            add(&Value::from(topic.as_str()), None);
        }
        for path in config["paths"].as_array().into_iter().flatten() {
            add(&path["value"], None);
        }
        add(&config["imageMode"]["imageTopic"], Some("sensor_msgs/msg/Image"));
        add(&config["imageMode"]["calibrationTopic"], Some("sensor_msgs/msg/CameraInfo"));
        add(&config["followTopic"], Some("sensor_msgs/msg/NavSatFix"));
        if panel.starts_with("DiagnosticSummary!") || panel.starts_with("DiagnosticStatusPanel!") {
            add(&config["topicToRender"], Some("diagnostic_msgs/msg/DiagnosticArray"));
        }
    }
    topics
}

/// What is wanted and not there, or is there with another type, or in a frame that does not connect to the fixed one.
fn missing(
    recording: &Recording,
    wanted: &BTreeMap<String, Option<&'static str>>,
    fixed: &str,
    without: &[&str],
) -> Vec<String> {
    let mut missing = Vec::new();
    for (topic, kind) in wanted {
        let is_listed = |names: &[&str]| names.contains(&topic.as_str());
        if is_listed(&OTHER_NODES) || is_listed(&ONCE_SENT) || is_listed(without) {
            continue;
        }
        let Some(actual) = recording.topics.get(topic) else {
            missing.push(format!("{topic} is not there"));
            continue;
        };
        if kind.is_some_and(|kind| kind != actual.kind) {
            missing.push(format!("{topic} is a {}", actual.kind));
        }
        let lost = actual.frames.iter().filter(|frame| recording.root(frame) != recording.root(fixed));
        missing.extend(lost.map(|frame| format!("{topic}: {frame} does not connect to {fixed}")));
    }
    missing
}

#[test]
fn what_the_shipped_files_for_viewers_show_is_in_a_recording() {
    let lab = Lab::new();
    let cases: [(&str, &str, &str, &[&str]); 4] = [
        ("racecar", "single", "skidpad", &[]),
        // A fleet needs no map.
        ("two_robots", "fleet", "", &["/map"]),
        ("nav2 --set depth_camera=1", "nav2", "", &[]),
        ("hill_with_trees --set EVERY_COLUMN=16 --set PIXELS=32", "sensors", "sensors", &[]),
    ];
    for (world, file, layout, without) in cases {
        let done = lab.run(&format!("run {world} --headless --duration 1.2 --record {file}.mcap"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let recording = Recording::read(&lab.path().join(format!("{file}.mcap")));
        let (wanted, fixed) = rviz(file);
        assert!(wanted.len() >= 2);
        assert_eq!(missing(&recording, &wanted, &fixed, without), Vec::<String>::new(), "{file}.rviz");
        if !layout.is_empty() {
            let wanted = foxglove(layout);
            assert!(wanted.contains_key("/world_markers") && wanted.contains_key("/chassis_markers"));
            assert_eq!(missing(&recording, &wanted, "map", without), Vec::<String>::new(), "{layout}.json");
        }
        let standing = &recording.topics["/world_markers"];
        assert!(standing.latched && standing.count == 1, "{file}: {}", standing.count);
    }
}

#[test]
fn a_recording_has_the_description_of_the_robot_and_diagnostics_and_the_clock_by_choice() {
    let lab = Lab::with_world(IDEAL);
    let done = lab.run("run w.xml --duration 1.5 --record a.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let a = Recording::read(&lab.path().join("a.mcap")).topics;
    let description = &a["/robot_description"];
    assert!(description.latched && description.count == 1);
    let urdf = cdr::read::<Text>(&description.last).unwrap().data;
    assert!(urdf.contains("<robot") && urdf.contains("base_footprint"), "{urdf}");
    let lines = cdr::read::<DiagnosticArray>(&a["/diagnostics"].last).unwrap().status;
    assert!(lines.iter().any(|line| line.name.starts_with("skidpad: ")), "{lines:?}");
    // What does not move is drawn once.
    assert_eq!(a["/chassis_markers"].count.min(2), a["/chassis_markers"].count, "{}", a["/chassis_markers"].count);
    assert!(!a.contains_key("/clock"));
    let done = lab.run("run w.xml --rate max --duration 1 --record b.mcap --record-topics /clock,/odom");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let b = Recording::read(&lab.path().join("b.mcap")).topics;
    assert_eq!(b.keys().collect::<Vec<_>>(), ["/clock", "/odom"]);
    assert!(b["/clock"].count >= b["/odom"].count && b["/clock"].kind == "rosgraph_msgs/msg/Clock");
}
