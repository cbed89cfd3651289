//! The markers of one vehicle in its own frame, with the paths of the truth and of the odometry.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::drawing::{Drawing, Shape};
use skidpad_sim::world::{VehicleFrame, VehicleInfo};

use super::VEHICLE_TOPICS;
use super::figure::Figure;
use super::group::{self, MarkerGroup};
use super::path::Path;
use crate::interface::names::VehicleNames;
use crate::message::{
    Announce, ErrorOf, Marker, MarkerArray, PolygonStamped, Quality, TopicChannel, TopicWriter, fill,
};
use crate::preset::Content;

/// Spacing of the points of a path, relative to the reach of the vehicle [-].
const SPACING: f64 = 0.1;
/// Colours of the true path and of that of the odometry.
const PATH_COLORS: [[u8; 4]; 2] = [[0x20, 0xc0, 0x40, 0xff], [0x40, 0x80, 0xff, 0xff]];

/// The markers and the footprint of a vehicle.
pub struct VehicleMarkers<C> {
    markers: Option<TopicWriter<C, MarkerArray>>,
    polygon: Option<TopicWriter<C, PolygonStamped>>,
    figure: Figure,
    /// The true path and that of the odometry.
    paths: Vec<(Source, Path, Marker)>,
    count: u32,
    paths_every: u32,
}

/// The source of a path.
#[derive(Clone, Copy, Debug)]
enum Source {
    Truth,
    Odometry,
}

impl<C: TopicChannel> VehicleMarkers<C> {
    /// Announces the topics of the vehicle. Every message of `paths_every`, at least 1, has the paths: they are long and change slowly.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        paths_every: u32,
    ) -> Result<VehicleMarkers<C>, A::Error> {
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
        let frame = names.frame(truth.map_or(names.preset.frames.states, |(_, child)| child));
        let header = fill::header(SimTime::ZERO, &frame);
        let footprint = PolygonStamped { header, polygon: fill::polygon(&vehicle.outline) };
        let reach = vehicle.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let path = |source: Source, frame: &str| {
            let frame = &names.frame(frame);
            let namespace = ["path_truth", "path_odometry"][source as usize];
            let group = MarkerGroup { frame, namespace, is_locked: true };
            let line = Drawing::new(Shape::Line(Vec::new()), PATH_COLORS[source as usize]);
            (source, Path::new((SPACING * reach).max(0.01)), group.drawing(0, &line))
        };
        let frames = [(Source::Truth, truth.map(|(header, _)| header)), (Source::Odometry, odometry)];
        let paths = frames.into_iter().filter_map(|(source, frame)| Some(path(source, frame?))).collect();
        Ok(VehicleMarkers {
            markers: on.announce(&names.topic_beside(&vehicle.name, markers), Quality::Data, MarkerArray::default())?,
            polygon: on.announce(&names.topic_beside(&vehicle.name, polygon), Quality::Data, footprint)?,
            figure: Figure::new(vehicle, &frame, true, ""),
            paths,
            count: 0,
            paths_every,
        })
    }

    /// Sends the markers of a state; `force_scale` is the length of a force [m/N], 0: as fits the vehicle.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        time: SimTime,
        vehicle: &VehicleFrame,
        force_scale: f64,
    ) -> Result<(), ErrorOf<C>> {
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
        if let Some(polygon) = self.polygon.as_mut().filter(|polygon| polygon.channel.has_receivers()) {
            polygon.message.header.stamp = fill::stamp(time);
            polygon.send(output, time)?;
        }
        let Some(markers) = self.markers.as_mut().filter(|markers| markers.channel.has_receivers()) else {
            // The first message to a new subscriber includes the paths.
            self.count = 0;
            return Ok(());
        };
        self.figure.update(Pose3::default(), vehicle, force_scale);
        let shown = &mut markers.message.markers;
        shown.clone_from(&self.figure.markers);
        if self.count.is_multiple_of(self.paths_every) {
            for (_, path, marker) in &mut self.paths {
                marker.points.clear();
                marker.points.extend(path.line().map(group::point));
                shown.push(marker.clone());
            }
        }
        self.count = self.count.wrapping_add(1);
        markers.send(output, time)
    }

    /// Removes the markers of the vehicle from viewers.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn remove(&mut self, output: &mut C::Output, time: SimTime) -> Result<(), ErrorOf<C>> {
        let Some(markers) = &mut self.markers else { return Ok(()) };
        markers.message.markers = vec![group::delete_all()];
        markers.send(output, time)
    }
}
