//! Topics beside the simulation: arrivals and stamps of those that are watched, and the transform from map to odometry.

use std::time::Duration;

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use r2r::qos::ReliabilityPolicy;
use r2r::tf2_msgs::msg::TFMessage;
use r2r::{Node, QosProfile, WrappedNativeMsgUntyped};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::legible::name;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Vec2};
use skidpad_record::bag::Stamped;
use skidpad_ros_data::message::{Header, Pose, Quaternion, cdr};
use skidpad_scenario::peers::Heard;

use super::Names;
use crate::throttle::Throttle;

/// How often it is looked for publishers of topics that nobody publishes yet.
const GRAPH_PERIOD: Duration = Duration::from_millis(200);
/// Messages that the middleware keeps of a topic.
const DEPTH: usize = 200;

/// A watched topic.
struct Watched {
    number: usize,
    name: String,
    reading: Reading,
    /// None: nobody publishes it yet, or it cannot be read.
    messages: Option<BoxStream<'static, Vec<u8>>>,
    /// Its type, once somebody publishes it.
    kind: String,
    is_refused: bool,
}

/// What is read of the messages of a topic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Nothing: they are counted.
    Count,
    /// Their stamps, if they begin with a header, which the first one shows.
    Unknown,
    /// Their stamps.
    Stamps,
    /// The poses that they are.
    Poses,
}

/// The types of messages that are poses.
const POSES: [&str; 2] = ["geometry_msgs/msg/PoseWithCovarianceStamped", "geometry_msgs/msg/PoseStamped"];

/// The transform from map to odometry of a vehicle.
struct Correction {
    vehicle: String,
    frames: [String; 2],
    messages: BoxStream<'static, TFMessage>,
}

/// The topics.
pub(super) struct Topics {
    watched: Vec<Watched>,
    corrections: Vec<Correction>,
    throttle: Throttle,
}

impl Default for Topics {
    fn default() -> Topics {
        Topics { watched: Vec::new(), corrections: Vec::new(), throttle: Throttle::new(GRAPH_PERIOD) }
    }
}

impl Topics {
    /// Watches the topic of this full name; `stamped`: its stamps are read.
    pub(super) fn watch(&mut self, number: usize, name: String, stamped: bool) {
        let reading = if stamped { Reading::Unknown } else { Reading::Count };
        self.watched.push(Watched::of(number, name, reading));
    }

    /// Reads the poses of the topic of this full name.
    pub(super) fn read_poses(&mut self, number: usize, name: String) {
        self.watched.push(Watched::of(number, name, Reading::Poses));
    }

    /// Follows the transform from map to odometry of a vehicle.
    ///
    /// # Errors
    /// Its transforms have no odometry, or the topic cannot be subscribed to.
    pub(super) fn follow_corrections(
        &mut self,
        node: &mut Node,
        names: &Names,
        vehicle: &str,
    ) -> Result<(), Diagnostic> {
        if self.corrections.iter().any(|correction| correction.vehicle == vehicle) {
            return Ok(());
        }
        let lacks = || Diagnostic::new(format!("vehicle {vehicle}"), "its transforms have no odometry frame");
        let of_vehicle = names.vehicle(vehicle).ok_or_else(lacks)?;
        let (topics, of_route) = of_vehicle.tf_routes().into_iter().next().ok_or_else(lacks)?;
        let odometry = of_route.odometry_frame().ok_or_else(lacks)?;
        let topic = names.resolver.resolve(&topics.0[0]);
        let qos = QosProfile::default().keep_last(DEPTH);
        let messages = node
            .subscribe::<TFMessage>(&topic, qos)
            .map_err(|cause| crate::error::subscription(&topic, &cause))?
            .boxed();
        let frames = [names.map_frame.clone(), odometry];
        self.corrections.push(Correction { vehicle: vehicle.to_owned(), frames, messages });
        Ok(())
    }

    /// Takes what has arrived, and looks for new publishers.
    pub(super) fn turn(&mut self, node: &mut Node, map_frame: &str, heard: &mut Vec<Heard>) {
        if self.throttle.is_due(std::time::Instant::now()) {
            let absent = self.watched.iter_mut().filter(|watched| watched.messages.is_none() && !watched.is_refused);
            for watched in absent {
                heard.extend(watched.subscribe(node).err().map(Heard::Remark));
            }
        }
        for watched in &mut self.watched {
            watched.turn(map_frame, heard);
        }
        for Correction { vehicle, frames, messages } in &mut self.corrections {
            while let Some(Some(message)) = messages.next().now_or_never() {
                let is_meant = |of: &&r2r::geometry_msgs::msg::TransformStamped| {
                    let [parent, child] =
                        [&of.header.frame_id, &of.child_frame_id].map(|name| name.trim_start_matches('/'));
                    parent == frames[0] && child == frames[1]
                };
                let mut transforms = message.transforms.iter().filter(is_meant).map(|stamped| &stamped.transform);
                heard.extend(transforms.next_back().map(|transform| {
                    let r2r::geometry_msgs::msg::Quaternion { x, y, z, w } = transform.rotation;
                    let yaw = Quaternion { x, y, z, w }.yaw();
                    let map_from_odom = Pose2::new(transform.translation.x, transform.translation.y, yaw);
                    Heard::Correction { vehicle: vehicle.clone(), map_from_odom }
                }));
            }
        }
    }
}

impl Watched {
    /// The topic of this full name, whose messages are read so.
    fn of(number: usize, name: String, reading: Reading) -> Watched {
        Watched { number, name, reading, messages: None, kind: String::new(), is_refused: false }
    }

    /// Subscribes as soon as somebody publishes.
    fn subscribe(&mut self, node: &mut Node) -> Result<(), Diagnostic> {
        let Ok(ends) = node.get_publishers_info_by_topic(&self.name, false) else { return Ok(()) };
        let Some(first) = ends.first() else { return Ok(()) };
        self.kind.clone_from(&first.topic_type);
        if self.reading == Reading::Poses && !POSES.contains(&self.kind.as_str()) {
            self.is_refused = true;
            let diagnostic = Diagnostic::new(format!("topic \"{}\"", self.name), format!("has {}", self.kind));
            return Err(diagnostic.accepted_all(POSES));
        }
        let is_reliable = ends.iter().all(|end| end.qos_profile.reliability == ReliabilityPolicy::Reliable);
        let qos = QosProfile::default().keep_last(DEPTH);
        let qos = if is_reliable { qos } else { qos.best_effort() };
        match node.subscribe_raw(&self.name, &self.kind, qos) {
            Ok(messages) => {
                self.messages = Some(messages.boxed());
                Ok(())
            }
            Err(cause) => {
                self.is_refused = true;
                let problem = match cause {
                    r2r::Error::InvalidMessageType { .. } => {
                        format!("skidpad was built without {}", self.kind)
                    }
                    cause => cause.to_string(),
                };
                Err(Diagnostic::new(format!("topic \"{}\"", self.name), problem))
            }
        }
    }

    fn turn(&mut self, map_frame: &str, heard: &mut Vec<Heard>) {
        let Some(messages) = &mut self.messages else { return };
        while let Some(Some(bytes)) = messages.next().now_or_never() {
            if self.reading == Reading::Unknown {
                if !begins_with_header(&self.kind, &bytes) {
                    let remark =
                        Diagnostic::new(format!("topic \"{}\"", self.name), format!("{} has no stamp", self.kind));
                    heard.push(Heard::Remark(remark));
                    (self.messages, self.is_refused) = (None, true);
                    return;
                }
                self.reading = Reading::Stamps;
            }
            if self.reading == Reading::Poses {
                // Both types begin with a header and a pose.
                let Ok(Stamped::<Pose> { header, content }) = cdr::read(&bytes) else { continue };
                if header.frame_id.trim_start_matches('/') != map_frame {
                    let found = format!("found poses in the frame \"{}\"", name(&header.frame_id));
                    let remark = Diagnostic::new(format!("topic \"{}\"", self.name), found).accepted(map_frame);
                    heard.push(Heard::Remark(remark));
                    (self.messages, self.is_refused) = (None, true);
                    return;
                }
                let stamp = SimTime(skidpad_record::bag::nanoseconds(header.stamp).unwrap_or_default());
                let position = Vec2::new(content.position.x, content.position.y);
                heard.push(Heard::Pose { watch: self.number, stamp, position });
                continue;
            }
            let stamp = if self.reading == Reading::Stamps { stamp(&bytes) } else { None };
            heard.push(Heard::Message { watch: self.number, stamp });
        }
    }
}

/// The stamp of a message that begins with a header.
fn stamp(bytes: &[u8]) -> Option<SimTime> {
    let header: Header = cdr::read(bytes).ok()?;
    Some(SimTime(i64::from(header.stamp.sec) * 1_000_000_000 + i64::from(header.stamp.nanosec)))
}

/// Whether a message of this type begins with a header: what stands at its begin is what its header says.
fn begins_with_header(kind: &str, bytes: &[u8]) -> bool {
    let of_message = || {
        let mut message = WrappedNativeMsgUntyped::new_from(kind).ok()?;
        message.from_serialized_bytes(bytes).ok()?;
        let stamp = message.to_json().ok()?.get("header")?.get("stamp")?.clone();
        Some(SimTime(stamp["sec"].as_i64()? * 1_000_000_000 + stamp["nanosec"].as_i64()?))
    };
    of_message().is_some_and(|time| stamp(bytes) == Some(time))
}
