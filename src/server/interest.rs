//! What a viewer shows of sensors, and which sensors that takes: readings that nobody looks at are not taken.

use skidpad_ros_data::message::{Image, Message as _, PointCloud2};
use skidpad_sim::sensor::SensorInfo;
use skidpad_sim::world::{Scene, VehicleInfo, Wanted};
use skidpad_view::messages::{OfVehicles, WatchedTopic};

use super::sensor_data::READING_TYPES;

/// What a viewer shows of sensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interest {
    /// The vehicles whose scans it shows, and whose clouds.
    pub points: OfVehicles,
    /// Whether it shows clouds.
    pub clouds: bool,
    /// The pictures that it shows.
    pub pictures: Vec<WatchedTopic>,
    /// The vehicle whose readings it shows.
    pub readings: Option<u64>,
}

impl Interest {
    /// Adds the sensors of `scene` that it shows.
    pub fn add_to(&self, scene: &Scene, wanted: &mut Wanted) {
        let sensors = scene.vehicles.iter().flat_map(|vehicle| {
            vehicle.sensors.iter().enumerate().map(move |(index, sensor)| (vehicle, index, sensor))
        });
        for (place, (vehicle, index, sensor)) in sensors.enumerate() {
            let has_reading = self.readings == Some(vehicle.id.0)
                && sensor.kind.topics().any(|topic| READING_TYPES.contains(&topic.message));
            if has_reading || self.has_points_of(vehicle, sensor) || self.has_picture_of(vehicle, index, sensor) {
                wanted.add(place);
            }
        }
    }

    /// Whether it shows the scan or the cloud of a sensor.
    fn has_points_of(&self, vehicle: &VehicleInfo, sensor: &SensorInfo) -> bool {
        let is_shown = match self.points {
            OfVehicles::None => false,
            OfVehicles::All => true,
            OfVehicles::Vehicle(id) => id == vehicle.id.0,
        };
        let has_cloud = || sensor.kind.topics().any(|topic| topic.message == PointCloud2::TYPE);
        is_shown && (sensor.kind.lidar().is_some() || self.clouds && has_cloud())
    }

    /// Whether it shows a picture of the sensor with this index on a vehicle.
    fn has_picture_of(&self, vehicle: &VehicleInfo, index: usize, sensor: &SensorInfo) -> bool {
        self.pictures.iter().any(|picture| {
            let topic = sensor.kind.topics().nth(picture.topic as usize);
            (picture.vehicle, picture.sensor as usize) == (vehicle.id.0, index)
                && topic.is_some_and(|topic| topic.message == Image::TYPE)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use skidpad_run::sink::Sink as _;
    use skidpad_sim::world::{LoadOptions, World};

    use super::*;
    use crate::hub::Hub;
    use crate::sink::WebSink;

    /// Two robots with a planar lidar, one in space and a camera each.
    fn world() -> World {
        let robot = |name: &str, y: f64| {
            format!(
                "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>\
                 <sensor class=\"laser\" name=\"scan\"/><sensor class=\"lidar3d\" name=\"lidar\"><horz_nrays>9</horz_nrays></sensor>\
                 <sensor class=\"camera\" name=\"eye\"><ncols>8</ncols><nrows>6</nrows><cx>4</cx><cy>3</cy></sensor></vehicle>"
            )
        };
        let text = format!("<mvsim_world>{}{}</mvsim_world>", robot("r1", 0.0), robot("r2", 3.0));
        World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap().0
    }

    #[test]
    fn what_viewers_show_is_read_until_the_last_of_them_leaves() {
        let world = world();
        let scene = world.scene();
        let hub = Arc::new(Hub::new());
        let (mut sink, _scenes) = WebSink::new(Arc::clone(&hub), scene);
        let mut read = || {
            let mut wanted = Wanted::default();
            sink.wants(scene, &mut wanted);
            (0..6).filter(|place| wanted.has(*place)).collect::<Vec<usize>>()
        };
        let no_places = Vec::<usize>::new();
        assert_eq!(read(), no_places);
        let (first, second) = (hub.viewer(), hub.viewer());
        assert_eq!(read(), no_places, "a viewer that shows no sensor");
        let [first_vehicle, second_vehicle] = [0, 1].map(|vehicle| scene.vehicles[vehicle].id.0);
        first.shows(Interest { points: OfVehicles::Vehicle(second_vehicle), ..Interest::default() });
        assert_eq!(read(), [3]);
        let picture = WatchedTopic { vehicle: first_vehicle, sensor: 2, topic: 0 };
        second.shows(Interest { points: OfVehicles::None, clouds: true, pictures: vec![picture], readings: None });
        assert_eq!(read(), [2, 3], "clouds are of the vehicles whose points are shown");
        second.shows(Interest {
            points: OfVehicles::All,
            clouds: true,
            pictures: vec![WatchedTopic { topic: 1, ..picture }],
            readings: Some(first_vehicle),
        });
        assert_eq!(read(), [0, 1, 3, 4], "a topic without pictures, and a robot without a sensor of few numbers");
        drop(second);
        assert_eq!(read(), [3]);
        drop(first);
        assert_eq!(read(), no_places);
    }
}
