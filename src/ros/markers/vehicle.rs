//! The markers of one vehicle in its own frame, with the paths of the truth and of the odometry.

use super::VEHICLE_TOPICS;
use super::figure::Figure;
use super::path::Path;
use super::place::{self, Place};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::drawing::{Drawing, Shape};
use crate::interface::names::{BASE_FRAME, VehicleNames};
use crate::math::{Pose3, Vec3};
use crate::message::{Marker, MarkerArray, PolygonStamped, Quality, fill};
use crate::preset::Content;
use crate::ros::error::RosError;
use crate::ros::graph::topics::VehicleTopics;
use crate::ros::publish::publishers::{Announcer, RosTopic};
use crate::ros::publish::snapshot::PublishSnapshot;
use crate::ros::publish::vehicle::VehicleOutput;
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// Paths go out with every so many messages: they are long and slow.
const PATHS_EVERY: u32 = 5;
/// Points of a path are so far apart [-], in lengths of the vehicle.
const SPACING: f64 = 0.1;
/// Colour of the true path, and of what the odometry believes.
const PATH_COLORS: [[u8; 4]; 2] = [[0x20, 0xc0, 0x40, 0xff], [0x40, 0x80, 0xff, 0xff]];

/// What one vehicle shows.
pub struct VehicleMarkers {
    markers: RosTopic<MarkerArray>,
    polygon: RosTopic<PolygonStamped>,
    figure: Figure,
    /// True, and as the odometry has it.
    paths: Vec<(Source, Path, Marker)>,
    count: u32,
}

/// What a path is of.
#[derive(Clone, Copy, Debug)]
enum Source {
    Truth,
    Odometry,
}

impl VehicleMarkers {
    /// Announces the topics of the vehicle.
    fn new(on: &mut Announcer<'_>, vehicle: &VehicleInfo, names: &VehicleNames) -> Result<VehicleMarkers, RosError> {
        let [(markers, _), (polygon, _)] = VEHICLE_TOPICS;
        let frame = names.frame(body_frame(names));
        let header = fill::header(SimTime::ZERO, &frame);
        let footprint = PolygonStamped { header, polygon: fill::polygon(&vehicle.outline) };
        let reach = vehicle.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let path = |source: Source, frame: &str| {
            let namespace = ["path_truth", "path_odometry"][source as usize];
            let place = Place { frame, namespace, is_locked: true };
            let line = Drawing::new(Shape::Line(Vec::new()), PATH_COLORS[source as usize]);
            (source, Path::new((SPACING * reach).max(0.01)), place.drawing(0, &line))
        };
        let mut paths = Vec::new();
        if let Some(frame) = world_frame(names) {
            paths.push(path(Source::Truth, &names.frame(frame)));
        }
        if let Some(frame) = odometry_frame(names) {
            paths.push(path(Source::Odometry, &names.frame(frame)));
        }
        Ok(VehicleMarkers {
            markers: on.topic(&names.topic_beside(&vehicle.name, markers), Quality::Data, MarkerArray::default())?,
            polygon: on.topic(&names.topic_beside(&vehicle.name, polygon), Quality::Data, footprint)?,
            figure: Figure::new(vehicle, &frame, true, ""),
            paths,
            count: 0,
        })
    }

    /// Makes them for a vehicle that shows markers.
    pub fn make(
        on: &mut Announcer<'_>,
        vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<Option<Box<dyn VehicleOutput>>, RosError> {
        match topics.extras.markers {
            true => Ok(Some(Box::new(VehicleMarkers::new(on, vehicle, &topics.names)?))),
            false => Ok(None),
        }
    }

    /// Shows the vehicle as it is; a force of 1 N is `force_scale` [m] long.
    fn show(&mut self, time: SimTime, vehicle: &VehicleFrame, force_scale: f64) {
        for (source, path, _) in &mut self.paths {
            let point = match source {
                Source::Truth => vehicle.world_from_body.position(),
                Source::Odometry => {
                    let believed = vehicle.odom_from_body;
                    Vec3::new(believed.x, believed.y, 0.0)
                }
            };
            path.follow(time, point);
        }
        if self.polygon.has_subscribers() {
            self.polygon.message.header.stamp = fill::stamp(time);
            self.polygon.publish();
        }
        if !self.markers.has_subscribers() {
            // The first message that somebody hears has the paths in it.
            self.count = 0;
            return;
        }
        self.figure.pose(Pose3::default(), vehicle, force_scale);
        let mut shown = self.figure.markers.clone();
        if self.count.is_multiple_of(PATHS_EVERY) {
            for (_, path, marker) in &mut self.paths {
                marker.points.clear();
                marker.points.extend(path.line().map(place::point));
                shown.push(marker.clone());
            }
        }
        self.count = self.count.wrapping_add(1);
        self.markers.message.markers = shown;
        self.markers.publish();
    }
}

impl VehicleOutput for VehicleMarkers {
    fn publish(&mut self, snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot) {
        if snapshot.markers {
            self.show(snapshot.time, &vehicle.frame, snapshot.force_scale);
        }
    }
}

impl Drop for VehicleMarkers {
    /// The vehicle is gone: what viewers show of it goes, too.
    fn drop(&mut self) {
        self.markers.message.markers = vec![place::nothing()];
        self.markers.publish();
    }
}

/// The frame whose pose the truth is, and which markers stand in.
fn body_frame(names: &VehicleNames) -> &'static str {
    truth(names).map_or(BASE_FRAME, |(_, child)| child)
}

/// The frame that the truth is given in, where the preset has one.
fn world_frame(names: &VehicleNames) -> Option<&'static str> {
    truth(names).map(|(header, _)| header)
}

fn truth(names: &VehicleNames) -> Option<(&'static str, &'static str)> {
    names.preset.topics.iter().find_map(|topic| match topic.content {
        Content::GroundTruth(header, child, _) => Some((header, child)),
        _ => None,
    })
}

fn odometry_frame(names: &VehicleNames) -> Option<&'static str> {
    names.preset.topics.iter().find_map(|topic| match topic.content {
        Content::WheelOdometry(header, _) => Some(header),
        _ => None,
    })
}
