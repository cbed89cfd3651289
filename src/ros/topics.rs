//! The interface of the node as one table: topic, type and quality of service of everything that it publishes.

use r2r::QosProfile;

use super::driver::DRIVER_TOPICS;
use super::error::RosError;
use super::health::{DIAGNOSTICS_TOPIC, STATISTICS_TOPIC};
use crate::interface::names::VehicleNames;
pub use crate::interface::names::map_topics;
use crate::interface::poses::{POSE_TYPE, PoseWish, RELATIVE_TYPE};
use crate::preset::Preset;
use crate::world::Scene;

/// The vehicle's body.
pub const BASE_FRAME: &str = "base_link";
/// Type of positions and velocities with their time.
pub const ARRAY_TYPE: &str = "std_msgs/msg/Float64MultiArray";
/// The one absolute name.
pub const CLOCK_TOPIC: &str = "/clock";

/// Simulated time: every reader wants only the newest.
pub const CLOCK_QOS: QosProfile = QosProfile::default().keep_last(10);
/// Simulated time as nodes hear it: best-effort readers match reliable and best-effort publishers.
pub const CLOCK_INPUT_QOS: QosProfile = QosProfile::default().keep_last(1).best_effort();
/// What nodes hear, from reliable and best-effort publishers alike; deep enough for what comes in between two turns.
pub const INPUT_QOS: QosProfile = QosProfile::default().keep_last(10).best_effort();
/// Odometry, sensors and states: reliable, so that both reliable and best-effort readers match.
pub const DATA_QOS: QosProfile = QosProfile::default().keep_last(10);
/// The quality that tf2 listeners ask for.
pub const TF_QOS: QosProfile = QosProfile::default().keep_last(100);
/// Latched: a reader that joins late is handed the last message.
pub const LATCHED_QOS: QosProfile = QosProfile::default().keep_last(1).transient_local();
/// Commands: what nav2 and teleoperation publish with.
pub const COMMAND_QOS: QosProfile = QosProfile::default().keep_last(10);

/// The names of one vehicle's topics.
#[derive(Clone, Debug)]
pub struct VehicleTopics {
    /// Gives the names.
    pub names: VehicleNames,
    /// One name per sensor, in the order of the vehicle's sensors.
    pub sensors: Vec<String>,
    /// Whether a driver has it follow a trajectory and says what it does.
    pub has_driver: bool,
}

impl VehicleTopics {
    /// The names and types of its driver's topics: absolute ones for a vehicle without a prefix, all below it otherwise.
    pub fn of_driver(&self) -> impl Iterator<Item = (String, &'static str)> {
        let topics = if self.has_driver { DRIVER_TOPICS.as_slice() } else { &[] };
        topics.iter().map(|(topic, kind)| (self.names.topic_below(topic), *kind))
    }
}

/// Name and type of what a vehicle publishes in every preset.
const TRANSFORM_TOPICS: [(&str, &str); 2] = [("tf", "tf2_msgs/msg/TFMessage"), ("tf_static", "tf2_msgs/msg/TFMessage")];

/// Name and type of what a vehicle publishes, beside its scans.
fn vehicle_table(preset: &'static Preset) -> impl Iterator<Item = (&'static str, &'static str)> {
    TRANSFORM_TOPICS.into_iter().chain(preset.topics.iter().map(|topic| (topic.name, topic.content.type_name())))
}

/// The names of every vehicle's topics: bare for a single vehicle, under the vehicle's name for several or when
/// `force_namespace`; `driven`: the index of the one that has a driver. Fails when two sensors, or a sensor and another topic, would share a name, and where a system with
/// absolute names would have several vehicles.
pub fn vehicle_topics(
    scene: &Scene,
    preset: &'static Preset,
    force_namespace: bool,
    driven: Option<usize>,
) -> Result<Vec<VehicleTopics>, RosError> {
    let has_own_names = preset.topics.iter().any(|topic| topic.name.starts_with('/'));
    if has_own_names && scene.vehicles.len() != 1 {
        return Err(RosError::new("parameter \"preset\"", format!("found \"{}\"", preset.name))
            .accepted(format!("a world with one vehicle, this one has {}", scene.vehicles.len()))
            .hint("leave preset out, or take another world"));
    }
    let namespaced = force_namespace || scene.vehicles.len() > 1;
    let mut taken: Vec<String> = (0..scene.maps.len()).flat_map(map_topics).collect();
    let mut all = Vec::with_capacity(scene.vehicles.len());
    for (index, vehicle) in scene.vehicles.iter().enumerate() {
        let names = VehicleNames::new(preset, &vehicle.name, namespaced, false);
        let mut topics = VehicleTopics { names, sensors: Vec::new(), has_driver: driven == Some(index) };
        let own = vehicle_table(preset).map(|(name, _)| name).chain(preset.inputs.iter().map(|input| input.name));
        for name in own {
            claim(&mut taken, topics.names.topic(name), &vehicle.name, "the vehicle")?;
        }
        for (name, _) in topics.of_driver() {
            claim(&mut taken, name, &vehicle.name, "the driver of the vehicle")?;
        }
        for (index, sensor) in vehicle.sensors.iter().enumerate() {
            let name = topics.names.sensor_topic(vehicle, index);
            claim(&mut taken, name.clone(), &vehicle.name, &format!("sensor \"{}\"", sensor.name))?;
            topics.sensors.push(name);
        }
        all.push(topics);
    }
    Ok(all)
}

fn claim(taken: &mut Vec<String>, name: String, vehicle: &str, by: &str) -> Result<(), RosError> {
    if taken.contains(&name) {
        return Err(RosError::new(
            format!("vehicle \"{vehicle}\""),
            format!("{by} would publish on the topic \"{name}\", which is taken"),
        )
        .hint("give it another name in the world file"));
    }
    taken.push(name);
    Ok(())
}

/// Relative name and type of everything published, for people to read.
pub fn published(scene: &Scene, vehicles: &[VehicleTopics], poses: &[PoseWish]) -> Vec<(String, &'static str)> {
    let mut list = vec![(CLOCK_TOPIC.to_owned(), "rosgraph_msgs/msg/Clock")];
    list.push((DIAGNOSTICS_TOPIC.to_owned(), "diagnostic_msgs/msg/DiagnosticArray"));
    list.push((STATISTICS_TOPIC.to_owned(), "skidpad/msg/Statistics"));
    for index in 0..scene.maps.len() {
        let [map, metadata] = map_topics(index);
        list.push((map, "nav_msgs/msg/OccupancyGrid"));
        list.push((metadata, "nav_msgs/msg/MapMetaData"));
    }
    for vehicle in vehicles {
        let table = vehicle_table(vehicle.names.preset);
        list.extend(table.map(|(name, kind)| (vehicle.names.topic(name), kind)));
        list.extend(vehicle.of_driver());
        list.extend(vehicle.sensors.iter().map(|name| (name.clone(), "sensor_msgs/msg/LaserScan")));
    }
    for wish in poses {
        list.extend(wish.pose_topic.clone().map(|name| (name, POSE_TYPE)));
        list.extend(wish.relative_topic.clone().map(|name| (name, RELATIVE_TYPE)));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose3;
    use crate::preset::{RACECAR_GAZEBO, SKIDPAD};
    use crate::sensor::{ScanGeometry, SensorInfo, SensorKind};
    use crate::time::SimTime;
    use crate::world::VehicleInfo;

    fn vehicle(name: &str, sensors: &[&str]) -> VehicleInfo {
        let geometry = ScanGeometry {
            count: 1,
            angle_min: 0.0,
            angle_increment: 0.0,
            range_min: 0.0,
            range_max: 1.0,
            range_std: 0.0,
        };
        let sensor = |name: &&str| SensorInfo {
            name: (*name).to_owned(),
            period: SimTime::from_secs(0.1),
            body_from_sensor: Pose3::default(),
            kind: SensorKind::Lidar2d(geometry),
        };
        VehicleInfo { name: name.into(), sensors: sensors.iter().map(sensor).collect(), ..VehicleInfo::default() }
    }

    fn names(vehicles: Vec<VehicleInfo>, force: bool) -> Result<Vec<String>, RosError> {
        let scene = Scene { name: "test".into(), step: SimTime::from_secs(0.005), vehicles, ..Scene::default() };
        let topics = vehicle_topics(&scene, &SKIDPAD, force, None)?;
        Ok(published(&scene, &topics, &[]).into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn a_single_vehicle_has_bare_names_unless_told_otherwise() {
        let bare = names(vec![vehicle("car", &["scan"])], false).unwrap();
        let expected =
            ["/clock", "tf", "tf_static", "odom", "ground_truth", "joint_states", "wheel_states", "collision", "scan"];
        assert_eq!(bare, expected);
        let forced = names(vec![vehicle("car", &["scan"])], true).unwrap();
        assert!(forced.contains(&"car/odom".to_owned()) && forced.contains(&"car/scan".to_owned()));
        assert_eq!(forced[0], "/clock");
    }

    #[test]
    fn several_vehicles_are_told_apart_by_their_names() {
        let names = names(vec![vehicle("r1", &["scan"]), vehicle("robot 2", &["scan"])], false).unwrap();
        assert!(names.contains(&"r1/scan".to_owned()) && names.contains(&"robot_2/scan".to_owned()));
        assert!(!names.contains(&"scan".to_owned()));
    }

    #[test]
    fn names_that_clash_are_an_error() {
        let error = names(vec![vehicle("car", &["scan", "scan"])], false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "vehicle \"car\": sensor \"scan\" would publish on the topic \"scan\", which is taken\n  \
             hint: give it another name in the world file"
        );
        assert!(names(vec![vehicle("car", &["odom"])], false).is_err());
        assert!(names(vec![vehicle("a b", &[]), vehicle("a_b", &[])], false).is_err());
    }

    #[test]
    fn the_racecar_has_the_names_of_its_model_and_is_alone() {
        let scene = |count: usize| Scene {
            vehicles: (0..count).map(|i| vehicle(&format!("car{i}"), &["front", "rear"])).collect(),
            ..Scene::default()
        };
        let topics = vehicle_topics(&scene(1), &RACECAR_GAZEBO, true, None).unwrap();
        assert_eq!(topics[0].sensors, ["/scan", "car0/rear"]);
        let info = &scene(1).vehicles[0];
        assert_eq!([0, 1].map(|index| topics[0].names.sensor_frame(info, index)), ["laser", "rear"]);
        let list = published(&scene(1), &topics, &[]);
        assert!(list.contains(&("/vesc/odom".to_owned(), "nav_msgs/msg/Odometry")));
        assert!(list.contains(&("/fy_pub/right_front".to_owned(), "std_msgs/msg/Float64")));
        assert!(list.contains(&("car0/wheel_states".to_owned(), "skidpad/msg/WheelStates")));
        assert_eq!(
            vehicle_topics(&scene(2), &RACECAR_GAZEBO, false, None).unwrap_err().to_string(),
            "parameter \"preset\": found \"racecar_gazebo\"\n  accepted: a world with one vehicle, this one has 2\n  \
             hint: leave preset out, or take another world"
        );
    }
}
