//! The names and types of the topics that the node publishes, and which of them a vehicle has.

use skidpad_ros_data::interface::names::{GLOBAL_TF, TfTopics, VehicleNames};
use skidpad_ros_data::message::content::type_name;
use skidpad_ros_data::message::{AckermannDriveStamped, Float64, Float64MultiArray, Message, markers};
use skidpad_ros_data::preset::{self, VehicleContext, racecar};
use skidpad_run::sink::columns::{POSE, WHEEL, header};
use skidpad_sim::world::VehicleInfo;

use crate::error::RosError;
use crate::typed_messages::is_known;

/// Simulated time, the one topic that is absolute under any preset.
pub const CLOCK_TOPIC: &str = "/clock";
/// Topic of the statistics.
pub(crate) const STATISTICS_TOPIC: &str = "~/statistics";
/// Name and type of the topics of a driver. The command has a topic that the vehicle does not listen to, or it would take the command
/// of its own driver for one of another node.
pub(crate) const DRIVER_TOPICS: [(&str, &str); 3] = [
    (racecar::REFERENCE_TRAJECTORY, Float64MultiArray::TYPE),
    (racecar::VIRTUAL_VELOCITIES, Float64MultiArray::TYPE),
    ("driver_cmd", AckermannDriveStamped::TYPE),
];

/// The relative names of a vehicle's log topics: those of the pose, then those of each wheel.
pub(crate) fn log_topics(vehicle: &VehicleInfo) -> impl Iterator<Item = String> {
    let of_pose = header(POSE).into_iter().map(|column| format!("log/pose/{column}"));
    let of_wheel = |wheel: usize| header(WHEEL).into_iter().map(move |column| format!("log/wheel_{wheel}/{column}"));
    of_pose.chain((1..=vehicle.wheels.len()).flat_map(of_wheel))
}

/// The topics published beside those of the preset, as the parameters select them at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExtraTopics {
    /// The world's occupancy maps.
    pub maps: bool,
    /// Markers for viewers.
    pub markers: bool,
    /// The columns of the CSV logs, a topic for each.
    pub log: bool,
    /// The poses and velocities of all bodies.
    pub bodies: bool,
}

/// The names of one vehicle's topics.
#[derive(Clone, Debug)]
pub(crate) struct VehicleTopics {
    /// Resolves names of the preset.
    pub names: VehicleNames,
    /// Topics of its transforms, and the names of its frames there.
    pub tf: Vec<(TfTopics, VehicleNames)>,
    /// The names of each sensor's topics, in the order of the vehicle's sensors.
    pub sensors: Vec<Vec<String>>,
    /// Topic of its description, if it has one.
    pub description: Option<String>,
    /// Whether a driver in this process makes it follow a trajectory and publishes its state.
    pub has_driver: bool,
    /// Its topics beside those of the preset.
    pub extras: ExtraTopics,
    /// The conditions of optional topics.
    pub now: VehicleContext,
}

impl VehicleTopics {
    /// The names and types of its driver's topics: absolute ones for a vehicle without a prefix, all below it otherwise.
    pub(crate) fn of_driver(&self) -> impl Iterator<Item = (String, &'static str)> {
        let topics = if self.has_driver { DRIVER_TOPICS.as_slice() } else { &[] };
        topics.iter().map(|(topic, kind)| (self.names.topic_below(topic), *kind))
    }

    /// The names and types of its markers and logs.
    pub(crate) fn extra_topics(&self, vehicle: &VehicleInfo) -> Vec<(String, &'static str)> {
        let mut topics = Vec::new();
        if self.extras.markers {
            topics.extend(
                markers::VEHICLE_TOPICS.map(|(name, kind)| (self.names.topic_beside(&vehicle.name, name), kind)),
            );
        }
        if self.extras.log {
            topics
                .extend(log_topics(vehicle).map(|name| (self.names.topic_beside(&vehicle.name, &name), Float64::TYPE)));
        }
        topics
    }

    /// The topics of its preset that it publishes: those whose condition holds, and whose message type was known at build time.
    pub fn of_preset(&self) -> impl Iterator<Item = &'static preset::Topic> + use<> {
        let now = self.now;
        self.names
            .preset
            .topics
            .iter()
            .filter(move |topic| topic.condition.holds(&now) && is_known(type_name(topic.content)))
    }

    /// The topics of transforms that are its own.
    pub(crate) fn own_tf(&self) -> impl Iterator<Item = &String> {
        self.tf.iter().flat_map(|(topics, _)| &topics.0).filter(|name| !GLOBAL_TF.contains(&name.as_str()))
    }
}

/// The topics of a vehicle, and all names that they take; `has_driver`: whether a driver publishes its state; `description`: the topic of its
/// description, if it has one. Fails if two topics would have the same name, or a name is in `taken`.
pub(crate) fn vehicle_topics(
    vehicle: &VehicleInfo,
    names: VehicleNames,
    has_driver: bool,
    extras: ExtraTopics,
    now: VehicleContext,
    description: Option<String>,
    taken: &[String],
) -> Result<(VehicleTopics, Vec<String>), RosError> {
    let tf = names.tf_routes();
    let extras = ExtraTopics { markers: extras.markers && markers::are_free(names.preset), ..extras };
    let mut topics = VehicleTopics { tf, names, sensors: Vec::new(), description, has_driver, extras, now };
    let mut claims = Claims { vehicle: &vehicle.name, taken, claimed: Vec::new() };
    let preset = topics.names.preset;
    let tf: Vec<String> = topics.own_tf().cloned().collect();
    let inputs = preset.inputs.iter().filter(|input| input.condition.holds(&now)).map(|input| input.name);
    let topic_names = topics.of_preset().map(|topic| topic.name).chain(inputs);
    let described = topics.description.clone();
    for name in tf.into_iter().chain(topic_names.map(|name| topics.names.topic(name))).chain(described) {
        claims.add(name, "the vehicle")?;
    }
    for (name, _) in topics.of_driver() {
        claims.add(name, "the driver of the vehicle")?;
    }
    for (name, _) in topics.extra_topics(vehicle) {
        claims.add(name, "the vehicle")?;
    }
    for (index, sensor) in vehicle.sensors.iter().enumerate() {
        let of_sensor = topics.names.sensor_topics(vehicle, index);
        for name in &of_sensor {
            claims.add(name.clone(), &format!("sensor \"{}\"", sensor.name))?;
        }
        topics.sensors.push(of_sensor);
    }
    Ok((topics, claims.claimed))
}

/// The names that a vehicle claims.
struct Claims<'a> {
    vehicle: &'a str,
    taken: &'a [String],
    claimed: Vec<String>,
}

impl Claims<'_> {
    fn add(&mut self, name: String, by: &str) -> Result<(), RosError> {
        if self.taken.contains(&name) || self.claimed.contains(&name) {
            return Err(RosError::new(
                format!("vehicle \"{}\"", self.vehicle),
                format!("{by} would publish on the topic \"{name}\", which is already used"),
            )
            .hint("give it another name in the world file"));
        }
        self.claimed.push(name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use skidpad_math::time::SimTime;
    use skidpad_ros_data::interface::names::TfMode;
    use skidpad_ros_data::preset::{RACECAR_GAZEBO, SKIDPAD};
    use skidpad_sim::sensor::{ImuNoise, ImuVariances, SensorInfo, SensorKind};
    use skidpad_sim::world::Scene;

    use super::*;
    use crate::graph::topic_layout::{Naming, published};

    fn vehicle(name: &str, sensors: &[&str]) -> VehicleInfo {
        let sensor = |name: &&str| SensorInfo { name: (*name).to_owned(), ..SensorInfo::default() };
        VehicleInfo { name: name.into(), sensors: sensors.iter().map(sensor).collect(), ..VehicleInfo::default() }
    }

    fn names(vehicles: Vec<VehicleInfo>, force: bool) -> Result<Vec<String>, RosError> {
        let scene = Scene { name: "test".into(), step: SimTime::from_secs(0.005), vehicles, ..Scene::default() };
        let layout = Naming::new(&SKIDPAD, force, None, |_| TfMode::Namespaced).begin(&Arc::new(scene))?;
        Ok(published(&layout).into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn a_single_vehicle_has_bare_names_by_default() {
        let bare = names(vec![vehicle("car", &["scan"])], false).unwrap();
        let of_vehicle =
            ["tf", "tf_static", "odom", "ground_truth", "joint_states", "wheel_states", "collision", "scan"];
        assert_eq!(bare[..3], ["/clock", "/diagnostics", "~/statistics"]);
        assert_eq!(bare[3..], of_vehicle);
        let forced = names(vec![vehicle("car", &["scan"])], true).unwrap();
        assert!(forced.contains(&"car/odom".to_owned()) && forced.contains(&"car/scan".to_owned()));
        assert_eq!(forced[0], "/clock");
    }

    #[test]
    fn several_vehicles_are_distinguished_by_their_names() {
        let names = names(vec![vehicle("r1", &["scan"]), vehicle("robot 2", &["scan"])], false).unwrap();
        assert!(names.contains(&"r1/scan".to_owned()) && names.contains(&"robot_2/scan".to_owned()));
        assert!(!names.contains(&"scan".to_owned()));
    }

    #[test]
    fn names_that_clash_are_an_error() {
        let error = names(vec![vehicle("car", &["scan", "scan"])], false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "vehicle \"car\": sensor \"scan\" would publish on the topic \"scan\", which is already used\n  \
             hint: give it another name in the world file"
        );
        assert!(names(vec![vehicle("car", &["odom"])], false).is_err());
        assert!(names(vec![vehicle("a b", &[]), vehicle("a_b", &[])], false).is_err());
    }

    #[test]
    fn the_racecar_has_the_names_of_its_model_and_must_be_alone() {
        let scene = |count: usize| {
            let vehicles = (0..count).map(|i| vehicle(&format!("car{i}"), &["front", "rear"])).collect();
            Arc::new(Scene { vehicles, ..Scene::default() })
        };
        let naming = |force| Naming::new(&RACECAR_GAZEBO, force, None, |_| TfMode::Namespaced);
        let layout = naming(true).begin(&scene(1)).unwrap();
        let topics = layout.vehicles[0].as_ref().unwrap();
        assert_eq!(topics.sensors, [["/scan"], ["car0/rear"]]);
        let info = &layout.scene.vehicles[0];
        assert_eq!([0, 1].map(|index| topics.names.sensor_frame(info, index)), ["laser", "rear"]);
        let list = published(&layout);
        assert!(list.contains(&("/vesc/odom".to_owned(), "nav_msgs/msg/Odometry")));
        assert!(list.contains(&("/fy_pub/right_front".to_owned(), "std_msgs/msg/Float64")));
        assert!(list.contains(&("car0/wheel_states".to_owned(), "skidpad/msg/WheelStates")));
        assert_eq!(
            naming(false).begin(&scene(2)).unwrap_err().to_string(),
            "parameter \"preset\": found \"racecar_gazebo\"\n  accepted: a world with one vehicle, this one has 2\n  \
             hint: leave preset out, or take another world"
        );
    }

    #[test]
    fn a_sensor_before_the_lidar_leaves_it_its_names() {
        let mut info = vehicle("car", &["inertia", "front"]);
        let noise = ImuNoise::default();
        let variances = ImuVariances { orientation: None, angular_velocity: 0.0, linear_acceleration: 0.0, noise };
        info.sensors[0].kind = SensorKind::Imu(variances);
        let scene = Arc::new(Scene { vehicles: vec![info], ..Scene::default() });
        let layout = Naming::new(&RACECAR_GAZEBO, false, None, |_| TfMode::Namespaced).begin(&scene).unwrap();
        let list = published(&layout);
        let topics = &layout.vehicles[0].as_ref().unwrap().sensors;
        assert_eq!(topics[1], ["/scan"]);
        assert!(list.contains(&("/scan".to_owned(), "sensor_msgs/msg/LaserScan")));
        assert!(list.contains(&(topics[0][0].clone(), "sensor_msgs/msg/Imu")), "{list:?}");
    }

    #[test]
    fn the_tree_of_all_vehicles_is_listed_once() {
        let vehicles = vec![vehicle("r1", &["scan"]), vehicle("r2", &["scan"])];
        let scene = Arc::new(Scene { name: "test".into(), vehicles, ..Scene::default() });
        let modes = [(TfMode::Prefixed, [0, 1]), (TfMode::Both, [1, 1]), (TfMode::Namespaced, [1, 0])];
        for (mode, [own, global]) in modes {
            let layout = Naming::new(&SKIDPAD, false, None, move |_| mode).begin(&scene).unwrap();
            let count = |name: &str| published(&layout).iter().filter(|(other, _)| other == name).count();
            assert_eq!([count("r1/tf"), count("/tf")], [own, global], "{mode:?}");
            assert_eq!([count("r2/tf_static"), count("/tf_static")], [own, global], "{mode:?}");
        }
    }
}
