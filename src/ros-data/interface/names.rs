//! Names of a vehicle's topics and frames, for publishing and recording. Names in world files are free text; ROS names are
//! restricted.

use skidpad_sim::sensor::SensorTopic;
use skidpad_sim::world::VehicleInfo;

use crate::preset::frame_names::MAP;
use crate::preset::{MovingPose, PlaceholderValues, Placeholders, Preset, PresetSensor};
pub use skidpad_sim::ros_name::{TOKEN_RULE, is_token, token};

/// The names of one vehicle's topics and frames.
#[derive(Clone, Debug)]
pub struct VehicleNames {
    /// The interface that they follow.
    pub preset: &'static Preset,
    /// Prefix of relative topics: empty, or `<vehicle>/`.
    prefix: String,
    /// Prefix of frames: empty, or `<vehicle>/`.
    frame_prefix: String,
    tf_mode: TfMode,
    /// Values of the placeholders in names.
    words: Placeholders,
    /// Whether its body leans on springs, and the frame of its sensors with it.
    pub(crate) leans: bool,
}

/// Where the transforms of a vehicle are published, and the names of its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TfMode {
    /// On topics below its name, with plain frames: each vehicle is a tree of its own.
    #[default]
    Namespaced,
    /// On `/tf` and `/tf_static`, with its name before its frames: one tree holds all vehicles.
    Prefixed,
    /// Both; the headers of its messages have plain frames.
    Both,
}

impl TfMode {
    /// Their names for users.
    pub const NAMES: [&str; 3] = ["namespaced", "prefixed", "both"];

    /// The mode of this name.
    pub fn named(name: &str) -> Option<TfMode> {
        let index = TfMode::NAMES.iter().position(|known| *known == name)?;
        Some([TfMode::Namespaced, TfMode::Prefixed, TfMode::Both][index])
    }
}

/// Topics of moving and of static transforms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TfTopics(pub [String; 2]);

/// The topics of the tree that holds all vehicles.
pub const GLOBAL_TF: [&str; 2] = ["/tf", "/tf_static"];

impl VehicleNames {
    /// Names of the vehicle called `vehicle`; relative topics are below its name if it is `namespaced`, and its frames likewise if they are
    /// `prefixed`. A preset with its own names for several vehicles needs neither.
    pub fn new(preset: &'static Preset, vehicle: &str, namespaced: bool, prefixed: bool) -> VehicleNames {
        let below =
            |wanted| if wanted && !preset.has_agents() { format!("{}/", token(vehicle)) } else { String::new() };
        let (prefix, frame_prefix) = (below(namespaced), below(prefixed));
        let words = PlaceholderValues::new(preset.placeholders, |_| None).of(0);
        VehicleNames { preset, prefix, frame_prefix, tf_mode: TfMode::Namespaced, words, leans: false }
    }

    /// The same with these values of the placeholders.
    pub fn with_words(mut self, words: Placeholders) -> VehicleNames {
        self.words = words;
        self
    }

    /// The same for a vehicle whose body `leans` on springs.
    pub fn leaning(self, leans: bool) -> VehicleNames {
        VehicleNames { leans, ..self }
    }

    /// The same names with transforms in this mode; names without a prefix are unchanged.
    pub fn with_tf(mut self, mode: TfMode) -> VehicleNames {
        if !self.prefix.is_empty() {
            self.tf_mode = mode;
            self.frame_prefix = if mode == TfMode::Prefixed { self.prefix.clone() } else { String::new() };
        }
        self
    }

    /// Whether its topics are below its name.
    pub fn has_prefix(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// The topics of its transforms, with the names of its frames there.
    pub fn tf_routes(&self) -> Vec<(TfTopics, VehicleNames)> {
        let namespaced_route = || (TfTopics(["tf", "tf_static"].map(|name| self.topic(name))), self.clone());
        let global_route = || {
            let names = VehicleNames { frame_prefix: self.prefix.clone(), ..self.clone() };
            (TfTopics(GLOBAL_TF.map(str::to_owned)), names)
        };
        match self.tf_mode {
            // Their frames have different names.
            _ if self.preset.has_agents() => vec![(TfTopics(GLOBAL_TF.map(str::to_owned)), self.clone())],
            TfMode::Namespaced => vec![namespaced_route()],
            TfMode::Prefixed => vec![global_route()],
            TfMode::Both => vec![namespaced_route(), global_route()],
        }
    }

    /// The topic `name`: relative ones get the vehicle's prefix.
    pub fn topic(&self, name: &str) -> String {
        let name = self.words.resolve(name);
        if name.starts_with('/') { name } else { format!("{}{name}", self.prefix) }
    }

    /// The topic `name` below the prefix, if any, even if the name is absolute.
    pub fn topic_below(&self, name: &str) -> String {
        let name = self.words.resolve(name);
        match self.prefix.as_str() {
            "" => name,
            prefix => format!("{prefix}{}", name.trim_start_matches('/')),
        }
    }

    /// The topic `name` of the vehicle called `vehicle`, for which no other system has a name: below the vehicle's own name if its preset
    /// distinguishes vehicles by placeholders.
    pub fn topic_beside(&self, vehicle: &str, name: &str) -> String {
        if self.preset.has_agents() { format!("{}/{name}", token(vehicle)) } else { self.topic(name) }
    }

    /// The topic `name` of the vehicle, which is not part of its preset.
    pub fn own_topic(&self, name: &str) -> String {
        self.topic(&format!("{}{name}", self.words.own_prefix()))
    }

    /// The frame `name`. The map belongs to all vehicles.
    pub fn frame(&self, name: &str) -> String {
        let name = self.words.resolve(name);
        if name == self.map_frame() { name } else { format!("{}{name}", self.frame_prefix) }
    }

    /// The frame `name` of the vehicle, which is not part of its preset.
    pub(crate) fn own_frame(&self, name: &str) -> String {
        self.frame(&format!("{}{name}", self.words.own_prefix()))
    }

    /// The topic of its description.
    pub fn description_topic(&self) -> String {
        let [of_first, of_others] = self.preset.description;
        self.topic(if self.words.is_first { of_first } else { of_others })
    }

    /// The frame of the map.
    pub fn map_frame(&self) -> String {
        self.words.resolve(MAP)
    }

    /// The frame of the vehicle's body.
    pub fn base_frame(&self) -> String {
        self.frame(self.preset.base_frame())
    }

    /// The frame in the headers of its states and commands.
    pub fn states_frame(&self) -> String {
        self.frame(self.preset.frames.states)
    }

    /// The frame in which wheel odometry gives the pose of the body; none in presets whose transforms do not have it.
    pub fn odometry_frame(&self) -> Option<String> {
        let moving = self.preset.frames.moving.iter().find(|moving| moving.pose == MovingPose::WheelOdometry);
        moving.map(|moving| self.frame(moving.parent))
    }

    /// The frame `name` of the opponent.
    pub(crate) fn opponent_frame(&self, name: &str) -> String {
        self.words.resolve_for_opponent(name)
    }

    /// The preset's names for the sensor with this index, if they do not follow from its own name.
    fn preset_sensor(&self, vehicle: &VehicleInfo, index: usize) -> Option<&PresetSensor> {
        self.preset.sensor(vehicle.sensors.iter().map(|sensor| sensor.kind.entry().name), index)
    }

    /// The topics of the sensor with this index, in the order of [`SensorKind::topics`](skidpad_sim::sensor::SensorKind::topics).
    pub fn sensor_topics(&self, vehicle: &VehicleInfo, index: usize) -> Vec<String> {
        let Some(sensor) = vehicle.sensors.get(index) else { return Vec::new() };
        let of_preset = self.preset_sensor(vehicle, index).map_or(&[][..], |sensor| sensor.topics);
        let of_class = sensor.kind.entry().topics;
        let name = |topic: &SensorTopic| {
            let number = of_class.iter().position(|known| known.suffix == topic.suffix);
            match number.and_then(|number| of_preset.get(number)) {
                Some(name) => self.topic(name),
                None => self.own_topic(&format!("{}{}", token(&sensor.name), topic.suffix)),
            }
        };
        sensor.kind.topics().map(name).collect()
    }

    /// The frame of the sensor with this index: that of the world file, of the preset, or the sensor's own name.
    pub fn sensor_frame(&self, vehicle: &VehicleInfo, index: usize) -> String {
        let given = vehicle.sensor_frames.get(index).and_then(Option::as_deref);
        match (given, self.preset_sensor(vehicle, index)) {
            (Some(frame), _) => self.own_frame(frame),
            (None, Some(sensor)) => self.frame(sensor.frame),
            (None, None) => self.own_frame(vehicle.sensors.get(index).map_or("", |sensor| &sensor.name)),
        }
    }

    /// The link at the place of the sensor with this index, with x ahead; none if the preset has none for it.
    pub(crate) fn sensor_link(&self, vehicle: &VehicleInfo, index: usize) -> Option<String> {
        Some(self.frame(self.preset_sensor(vehicle, index)?.link?))
    }
}

/// Usual name of the frame of a vehicle's body, for what has no preset.
pub const BASE_FRAME: &str = "base_link";

/// The relative names of the topics of the map with this index, and of its metadata.
pub fn map_topics(preset: &Preset, index: usize) -> [String; 2] {
    match index {
        0 => preset.map.map(str::to_owned),
        _ => {
            let [map, metadata] = preset.map;
            let numbered = format!("{map}_{}", index + 1);
            [numbered.clone(), metadata.replacen(map, &numbered, 1)]
        }
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::sensor::SensorInfo;
    use skidpad_sim::sensor::naming::{TAKEN_FRAMES, TAKEN_TOPICS};

    use super::*;
    use crate::preset::frame_names::{BASE, ODOM};
    use crate::preset::{F1TENTH_GYM_ROS, MVSIM, SKIDPAD};

    #[test]
    fn agents_differ_only_by_the_placeholders_of_their_preset() {
        let sensor = |name: &str| SensorInfo { name: name.into(), ..SensorInfo::default() };
        let info = VehicleInfo { sensors: vec![sensor("scan"), sensor("rear")], ..VehicleInfo::default() };
        let words = PlaceholderValues::new(F1TENTH_GYM_ROS.placeholders, |_| None);
        let names = VehicleNames::new(&F1TENTH_GYM_ROS, "car3", true, true).with_words(words.of(2));
        assert_eq!(names.topic("/{car}/odom"), "/opp_racecar2/odom");
        assert_eq!(names.frame("{car}/base_link"), "opp_racecar2/base_link");
        assert_eq!([0, 1].map(|index| names.sensor_topics(&info, index)), [["/opp_scan2"], ["opp_racecar2/rear"]]);
        assert_eq!(names.own_topic("vehicle_state"), "opp_racecar2/vehicle_state");
        let frames = |info: &VehicleInfo| [0, 1].map(|index| names.sensor_frame(info, index));
        assert_eq!(frames(&info), ["opp_racecar2/laser", "opp_racecar2/rear"]);
        let given = VehicleInfo { sensor_frames: vec![Some("lidar_link".into()), None], ..info.clone() };
        assert_eq!(frames(&given), ["opp_racecar2/lidar_link", "opp_racecar2/rear"]);
        assert_eq!([0, 1].map(|index| names.sensor_topics(&given, index)), [["/opp_scan2"], ["opp_racecar2/rear"]]);
    }

    /// So that a load warns of every sensor that could not be published.
    #[test]
    fn names_that_sensors_cannot_have_are_all_of_the_vehicles_own() {
        let topics = SKIDPAD.topics.iter().map(|topic| topic.name).chain(SKIDPAD.inputs.iter().map(|input| input.name));
        for name in topics.chain(SKIDPAD.map).chain(SKIDPAD.description).chain(["tf", "tf_static"]) {
            assert!(TAKEN_TOPICS.contains(&name), "{name}");
        }
        let moving = SKIDPAD.frames.moving.iter().flat_map(|moving| [moving.parent, moving.child]);
        let names = VehicleNames::new(&SKIDPAD, "", false, false);
        for name in moving.chain(SKIDPAD.frames.fixed.iter().map(|(_, child, _)| *child)) {
            let name = names.frame(name);
            assert!(TAKEN_FRAMES.contains(&name.as_str()), "{name}");
        }
    }

    #[test]
    fn transforms_are_routed_by_their_mode() {
        let names =
            |namespaced, mode| VehicleNames::new(&crate::preset::SKIDPAD, "r 1", namespaced, false).with_tf(mode);
        let routes = |names: &VehicleNames| -> Vec<String> {
            let routes = names.tf_routes();
            routes.iter().map(|(topics, names)| format!("{} {}", topics.0.join(" "), names.frame("odom"))).collect()
        };
        let (own, global) = ("r_1/tf r_1/tf_static odom", "/tf /tf_static r_1/odom");
        assert_eq!(routes(&names(true, TfMode::Namespaced)), [own]);
        assert_eq!(routes(&names(true, TfMode::Prefixed)), [global]);
        assert_eq!(routes(&names(true, TfMode::Both)), [own, global]);
        let frames = [TfMode::Namespaced, TfMode::Prefixed, TfMode::Both].map(|mode| names(true, mode).frame("odom"));
        assert_eq!(frames, ["odom", "r_1/odom", "odom"]);
        assert_eq!(names(true, TfMode::Prefixed).frame("map"), "map");
        let words = PlaceholderValues::new(SKIDPAD.placeholders, |name| Some(format!("my_{name}")));
        let own = names(true, TfMode::Prefixed).with_words(words.of(0));
        let frames = [MAP, ODOM, BASE].map(|frame| own.frame(frame));
        assert_eq!(frames, ["my_map_frame_id", "r_1/my_odom_frame_id", "r_1/my_base_frame_id"]);
        for (index, name) in TfMode::NAMES.iter().enumerate() {
            let mode = TfMode::named(name).unwrap();
            assert_eq!(mode as usize, index);
            assert_eq!(routes(&names(false, mode)), ["tf tf_static odom"], "no name to put before");
        }
        assert_eq!(TfMode::named("prefix"), None);
    }

    #[test]
    fn maps_are_numbered_from_the_second() {
        assert_eq!(map_topics(&SKIDPAD, 0), ["map", "map_metadata"]);
        assert_eq!(map_topics(&SKIDPAD, 1), ["map_2", "map_2_metadata"]);
        assert_eq!(map_topics(&MVSIM, 1), ["simul_map_2", "simul_map_2_metadata"]);
    }
}
