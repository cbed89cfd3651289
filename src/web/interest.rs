//! What a viewer shows of sensors, and which sensors that takes: readings that nobody looks at are not taken.

use crate::message::{Image, Message as _, PointCloud2};
use crate::sensor::SensorInfo;
use crate::view::messages::{Points, WatchedTopic};
use crate::world::{Scene, VehicleInfo, Wanted};

/// What a viewer shows of sensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interest {
    /// The vehicles whose scans it shows, and whose clouds.
    pub points: Points,
    /// Whether it shows clouds.
    pub clouds: bool,
    /// The pictures that it shows.
    pub pictures: Vec<WatchedTopic>,
}

impl Interest {
    /// Adds the sensors of `scene` that it shows.
    pub fn add_to(&self, scene: &Scene, wanted: &mut Wanted) {
        let sensors = scene.vehicles.iter().flat_map(|vehicle| {
            vehicle.sensors.iter().enumerate().map(move |(index, sensor)| (vehicle, index, sensor))
        });
        for (place, (vehicle, index, sensor)) in sensors.enumerate() {
            if self.has_points_of(vehicle, sensor) || self.has_picture_of(vehicle, index, sensor) {
                wanted.add(place);
            }
        }
    }

    /// Whether it shows the scan or the cloud of a sensor.
    fn has_points_of(&self, vehicle: &VehicleInfo, sensor: &SensorInfo) -> bool {
        let is_shown = match self.points {
            Points::None => false,
            Points::All => true,
            Points::Vehicle(id) => id == vehicle.id.0,
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
