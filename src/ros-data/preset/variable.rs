//! Variables of worlds that parameters of presets set: such as the ranges of a lidar, which the world describes.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::world::Scene;

use super::Preset;

/// A variable of the world that a parameter of a preset sets.
#[derive(Clone, Debug)]
pub struct PresetVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether worlds without it start all the same: parameter files of the replaced system set all of its parameters.
    pub is_optional: bool,
    /// The parameter.
    pub parameter: &'static str,
    /// The preset.
    pub preset: &'static Preset,
}

impl PresetVariable {
    /// The warning that a world, which has this scene, has no such variable.
    pub fn unused(&self, scene: &Scene) -> Diagnostic {
        let message = Diagnostic::new(
            format!("parameter \"{}\"", self.parameter),
            format!("ignored, this world has no variable \"{}\"", self.name),
        );
        let sensors = || scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors);
        let is_missing = |class: &str| sensors().all(|sensor| sensor.kind.entry().name != class);
        let missing = self.preset.sensors.iter().find(|sensor| is_missing(sensor.entry.name));
        message.hint(match missing {
            Some(sensor) => format!("no vehicle has a sensor of class {}", sensor.entry.name),
            None if self.preset.sensors.is_empty() => "the numbers of its vehicle are in the world file".to_owned(),
            None => "the numbers of its sensors are in the world file".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_sim::world::{LoadOptions, World};

    use super::*;
    use crate::preset::NAV2_LOOPBACK;

    #[test]
    fn a_world_without_a_lidar_starts_and_says_what_is_ignored() {
        let ranges = PresetVariable {
            name: "lidar_max_range".to_owned(),
            value: "20".to_owned(),
            is_optional: true,
            parameter: "scan_range_max",
            preset: &NAV2_LOOPBACK,
        };
        let load = |text: &str, optional: &[&str]| {
            let options = LoadOptions {
                variables: vec![(ranges.name.clone(), ranges.value.clone())],
                optional_variables: optional.iter().map(|&name| name.to_owned()).collect(),
                ..LoadOptions::default()
            };
            World::load_text("test", Path::new("."), text, &options).map(|(world, _)| world)
        };
        let vehicle = |sensor: &str| {
            format!(
                "<vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{sensor}</vehicle></mvsim_world>"
            )
        };
        let bare = format!("<mvsim_world>{}", vehicle(""));
        let world = load(&bare, &["lidar_max_range"]).unwrap();
        assert_eq!(world.catalogue().unused_variables(), ["lidar_max_range"]);
        assert_eq!(
            ranges.unused(world.scene()).to_string(),
            "parameter \"scan_range_max\": ignored, this world has no variable \"lidar_max_range\"\n  \
             hint: no vehicle has a sensor of class laser"
        );
        let refused = load(&bare, &[]).err().map(|problems| problems.to_string()).unwrap_or_default();
        assert!(refused.starts_with("variable \"lidar_max_range\": this world has no such variable"), "{refused}");
        let lidar = "<sensor class=\"laser\" name=\"scan\"><max_range>3</max_range></sensor>";
        let world = load(&format!("<mvsim_world>{}", vehicle(lidar)), &["lidar_max_range"]).unwrap();
        assert!(
            ranges
                .unused(world.scene())
                .to_string()
                .ends_with("hint: the numbers of its sensors are in the world file")
        );
        let used = "<mvsim_world><variable name=\"lidar_max_range\" value=\"9\"/>";
        let world = load(&format!("{used}{}", vehicle(lidar)), &["lidar_max_range"]).unwrap();
        assert_eq!(world.catalogue().unused_variables(), [""; 0]);
        assert!(world.catalogue().variables().contains(&("lidar_max_range".to_owned(), "20".to_owned())));
    }
}
