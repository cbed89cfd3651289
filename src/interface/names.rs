//! Names in world files are free text; ROS's are not. What a vehicle's topics and frames are called is decided here, for whoever
//! publishes or records them.

use crate::preset::Preset;
use crate::world::VehicleInfo;

/// The names of one vehicle's topics and frames.
#[derive(Clone, Debug)]
pub struct VehicleNames {
    /// The interface that they follow.
    pub preset: &'static Preset,
    /// Stands before relative topics: empty, or `<vehicle>/`.
    prefix: String,
    /// Stands before frames: empty, or `<vehicle>/`.
    frame_prefix: String,
}

impl VehicleNames {
    /// Names of the vehicle called `vehicle`; relative topics below its name if it is `namespaced`, and so its frames if they are
    /// `prefixed`.
    pub fn new(preset: &'static Preset, vehicle: &str, namespaced: bool, prefixed: bool) -> VehicleNames {
        let below = |wanted| if wanted { format!("{}/", token(vehicle)) } else { String::new() };
        VehicleNames { preset, prefix: below(namespaced), frame_prefix: below(prefixed) }
    }

    /// The topic `name`: relative ones get the vehicle's prefix.
    pub fn topic(&self, name: &str) -> String {
        if name.starts_with('/') { name.to_owned() } else { format!("{}{name}", self.prefix) }
    }

    /// The topic `name`, an absolute one too below the prefix if there is one.
    pub fn topic_below(&self, name: &str) -> String {
        match self.prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}{}", name.trim_start_matches('/')),
        }
    }

    /// The frame `name`. The map belongs to all vehicles.
    pub fn frame(&self, name: &str) -> String {
        if name == MAP_FRAME { name.to_owned() } else { format!("{}{name}", self.frame_prefix) }
    }

    /// The topic of the sensor with this index.
    pub fn sensor_topic(&self, vehicle: &VehicleInfo, index: usize) -> String {
        match self.preset.lidar {
            Some((name, _)) if index == 0 => self.topic(name),
            _ => self.topic(&token(vehicle.sensors.get(index).map_or("", |sensor| &sensor.name))),
        }
    }

    /// The frame of the sensor with this index.
    pub fn sensor_frame(&self, vehicle: &VehicleInfo, index: usize) -> String {
        match self.preset.lidar {
            Some((_, frame)) if index == 0 => self.frame(frame),
            _ => self.frame(vehicle.sensors.get(index).map_or("", |sensor| &sensor.name)),
        }
    }
}

/// Root of the frame tree when something localises the vehicle; the frame of maps.
pub const MAP_FRAME: &str = "map";

/// The nearest valid part of a topic name: letters, digits and `_`, and no digit in front. Names in world files are
/// free text; `front laser` becomes `front_laser`.
pub fn token(name: &str) -> String {
    let mut token: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if token.is_empty() || token.starts_with(|c: char| c.is_ascii_digit()) {
        token.insert(0, '_');
    }
    // Two underscores in a row are not allowed in ROS names.
    while token.contains("__") {
        token = token.replace("__", "_");
    }
    token
}

/// The relative names of the topics of the map with this index, and of its metadata.
pub fn map_topics(index: usize) -> [String; 2] {
    let suffix = if index == 0 { String::new() } else { format!("_{}", index + 1) };
    [format!("map{suffix}"), format!("map{suffix}_metadata")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_a_valid_token() {
        assert_eq!(token("r1"), "r1");
        assert_eq!(token("front laser"), "front_laser");
        assert_eq!(token("2nd--lidar"), "_2nd_lidar");
        assert_eq!(token(""), "_");
    }

    #[test]
    fn maps_are_numbered_from_the_second_on() {
        assert_eq!(map_topics(0), ["map", "map_metadata"]);
        assert_eq!(map_topics(1), ["map_2", "map_2_metadata"]);
    }
}
