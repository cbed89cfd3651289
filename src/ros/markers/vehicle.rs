//! The markers of one vehicle in its own frame, with the paths of the truth and of the odometry.

use super::VEHICLE_TOPICS;
use super::figure::Figure;
use super::marker::{self, MarkerGroup};
use super::path::Path;
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::{BASE_FRAME, VehicleNames};
use crate::math::{Pose3, Vec3};
use crate::message::{Marker, MarkerArray, PolygonStamped, Quality, fill};
use crate::preset::Content;
use crate::ros::error::RosError;
use crate::ros::graph::topics::VehicleTopics;
use crate::ros::publish::output::{MaybeOutput, VehicleOutput};
use crate::ros::publish::publisher::{Announcer, RosTopic};
use crate::ros::publish::snapshot::PublishSnapshot;
use crate::time::SimTime;
use crate::world::drawing::{Drawing, Shape};
use crate::world::{VehicleFrame, VehicleInfo};

/// Number of messages from one with the paths to the next: paths are long and change slowly.
const PATHS_EVERY: u32 = 5;
/// Spacing of the points of a path, relative to the reach of the vehicle [-].
const SPACING: f64 = 0.1;
/// Colours of the true path and of that of the odometry.
const PATH_COLORS: [[u8; 4]; 2] = [[0x20, 0xc0, 0x40, 0xff], [0x40, 0x80, 0xff, 0xff]];

/// The markers and the footprint of a vehicle.
pub struct VehicleMarkers {
    markers: RosTopic<MarkerArray>,
    polygon: RosTopic<PolygonStamped>,
    figure: Figure,
    /// The true path and that of the odometry.
    paths: Vec<(Source, Path, Marker)>,
    count: u32,
}

/// The source of a path.
#[derive(Clone, Copy, Debug)]
enum Source {
    Truth,
    Odometry,
}

impl VehicleMarkers {
    /// Announces the topics of the vehicle.
    fn new(on: &mut Announcer<'_>, vehicle: &VehicleInfo, names: &VehicleNames) -> Result<VehicleMarkers, RosError> {
        let [(markers, _), (polygon, _)] = VEHICLE_TOPICS;
        let topics = names.preset.topics;
        let truth = topics.iter().find_map(|topic| match topic.content {
            Content::GroundTruth(header, child, _) => Some((header, child)),
            _ => None,
        });
        let odometry = topics.iter().find_map(|topic| match topic.content {
            Content::WheelOdometry(header, _) => Some(header),
            _ => None,
        });
        let frame = names.frame(truth.map_or(BASE_FRAME, |(_, child)| child));
        let header = fill::header(SimTime::ZERO, &frame);
        let footprint = PolygonStamped { header, polygon: fill::polygon(&vehicle.outline) };
        let reach = vehicle.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let path = |(source, frame): (Source, &str)| {
            let frame = &names.frame(frame);
            let namespace = ["path_truth", "path_odometry"][source as usize];
            let group = MarkerGroup { frame, namespace, is_locked: true };
            let line = Drawing::new(Shape::Line(Vec::new()), PATH_COLORS[source as usize]);
            (source, Path::new((SPACING * reach).max(0.01)), group.drawing(0, &line))
        };
        let frames = [(Source::Truth, truth.map(|(header, _)| header)), (Source::Odometry, odometry)];
        let paths = frames.into_iter().filter_map(|(source, frame)| Some(path((source, frame?)))).collect();
        Ok(VehicleMarkers {
            markers: on.topic(&names.topic_beside(&vehicle.name, markers), Quality::Data, MarkerArray::default())?,
            polygon: on.topic(&names.topic_beside(&vehicle.name, polygon), Quality::Data, footprint)?,
            figure: Figure::new(vehicle, &frame, true, ""),
            paths,
            count: 0,
        })
    }

    /// The markers of a vehicle, if markers are published.
    pub fn make(on: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        match topics.extras.markers {
            true => Ok(Some(Box::new(VehicleMarkers::new(on, vehicle, &topics.names)?))),
            false => Ok(None),
        }
    }

    /// Publishes the markers of a state; `force_scale` is the length of a force [m/N].
    fn show(&mut self, time: SimTime, vehicle: &VehicleFrame, force_scale: f64) {
        for (source, path, _) in &mut self.paths {
            let point = match source {
                Source::Truth => vehicle.world_from_body.position(),
                Source::Odometry => {
                    let pose = vehicle.odom_from_body;
                    Vec3::new(pose.x, pose.y, 0.0)
                }
            };
            path.follow(time, point);
        }
        if self.polygon.channel.has_subscribers() {
            self.polygon.message.header.stamp = fill::stamp(time);
            self.polygon.publish();
        }
        if !self.markers.channel.has_subscribers() {
            // The first message to a new subscriber includes the paths.
            self.count = 0;
            return;
        }
        self.figure.update(Pose3::default(), vehicle, force_scale);
        let mut shown = self.figure.markers.clone();
        if self.count.is_multiple_of(PATHS_EVERY) {
            for (_, path, marker) in &mut self.paths {
                marker.points.clear();
                marker.points.extend(path.line().map(marker::point));
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
            self.show(snapshot.time, &vehicle.frame, snapshot.settings.force_scale);
        }
    }
}

impl Drop for VehicleMarkers {
    /// Removes the markers of the vehicle from viewers.
    fn drop(&mut self) {
        self.markers.message.markers = vec![marker::delete_all()];
        self.markers.publish();
    }
}
