//! What a recording contains: its topics with the stamps of their messages, the true motion of the vehicles, and how sensors are mounted.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::Vector3;
use skidpad_record::bag::{BagReader, FileRange, Visitor, nanoseconds};
use skidpad_record::{IMU_NOISE_ATTACHMENT, STATE_TOPIC};
use skidpad_replay::decode;
use skidpad_ros_data::message::compressed::{COMPRESSED, encoding_of, picture_topic};
use skidpad_ros_data::message::{
    CameraInfo, CompressedImage, Header, Image, Imu, Message, PointCloud2, TFMessage, VehicleState, cdr,
};
use skidpad_sim::sensor::ImuNoise;

use super::motion::{Motion, Pose, State, isometry};
use super::{DatasetError, DatasetOptions};

/// Static transforms of a vehicle.
const STATIC_TRANSFORMS: &str = "tf_static";
/// Longest chain of frames.
const MAX_FRAMES: usize = 64;

/// A stamped topic.
#[derive(Clone, Debug, Default)]
pub(super) struct Topic {
    /// Type of its messages.
    pub(super) kind: String,
    /// Stamps of its messages [ns], in the order of the recording.
    pub(super) stamps: Vec<i64>,
    /// The frame of its first message.
    pub(super) frame: String,
    /// Encoding of its first picture, of a compressed one that of the picture it stands for.
    encoding: String,
}

/// The contents of a recording.
#[derive(Default)]
pub(super) struct Survey {
    topics: BTreeMap<String, Topic>,
    /// States of each vehicle by the prefix of its topics, which ends with a slash.
    states: BTreeMap<String, Vec<State>>,
    /// The last model of each camera, by its topic.
    cameras: BTreeMap<String, CameraInfo>,
    /// Parent and pose of frames, by the prefix of the topic and the frame.
    frames: BTreeMap<(String, String), (String, Pose)>,
    /// Inertial samples by topic.
    samples: BTreeMap<String, Vec<Imu>>,
    /// Noise of inertial measurement units by topic, as the recorder attached it.
    noise: BTreeMap<String, ImuNoise>,
    /// Where the present file has attachments with that.
    attachments: Vec<FileRange>,
    /// Topics by their ids in the present file.
    ids: BTreeMap<u64, String>,
}

/// The vehicle of a dataset.
#[derive(Clone, Debug, Default)]
pub(super) struct Vehicle {
    /// Prefix of its topics.
    prefix: String,
    /// Whether there is no other one, so that all topics are its own.
    is_alone: bool,
}

/// Topics with pictures.
#[derive(Clone, Debug, Default)]
pub(super) struct Pictures {
    /// Those among which one is chosen: of each picture the whole ones, where it was recorded so, or else the first of [`COMPRESSED`].
    pub(super) usual: Vec<String>,
    /// Those that may be named.
    pub(super) all: Vec<String>,
}

/// The stamp of a message that begins with a header [ns]; none if it has none.
pub(super) fn stamp(data: &[u8]) -> Option<i64> {
    decode::stamp(data)
}

impl Survey {
    /// To be called before each file of the recording.
    pub(super) fn next_file(&mut self) {
        self.ids.clear();
    }

    /// A topic.
    pub(super) fn topic(&self, name: &str) -> Option<&Topic> {
        self.topics.get(name)
    }

    /// The model of the camera that takes the pictures of a topic.
    pub(super) fn camera(&self, image: &str) -> Option<&CameraInfo> {
        let (folder, _) = picture_topic(image).rsplit_once('/')?;
        self.cameras.get(&format!("{folder}/camera_info"))
    }

    /// To be called after each file of the recording has been read.
    pub(super) fn end_of_file(&mut self, file: &BagReader) {
        for place in self.attachments.drain(..) {
            let of_file: Option<BTreeMap<_, _>> =
                file.attachment(&place).and_then(|text| serde_json::from_slice(&text).ok());
            self.noise.extend(of_file.unwrap_or_default());
        }
    }

    /// The noise of an inertial measurement unit; none if the recording does not say it.
    pub(super) fn imu_noise(&self, topic: &str) -> Option<ImuNoise> {
        self.noise.get(topic).copied()
    }

    /// The samples of an inertial measurement unit.
    pub(super) fn imu(&self, topic: &str) -> &[Imu] {
        self.samples.get(topic).map_or(&[], Vec::as_slice)
    }

    /// The pose of a topic's frame on the vehicle.
    pub(super) fn body_from(&self, vehicle: &Vehicle, topic: &str) -> Pose {
        let mut frame = self.topics.get(topic).map_or("", |topic| topic.frame.as_str());
        let mut pose = Pose::identity();
        for _ in 0..MAX_FRAMES {
            let known = |prefix: &str| self.frames.get(&(prefix.to_owned(), frame.to_owned()));
            let Some((parent, parent_from_frame)) = known(&vehicle.prefix).or_else(|| known("/")) else { break };
            pose = parent_from_frame * pose;
            frame = parent;
        }
        pose
    }

    /// The vehicle and its motion, and the topics from which it can be chosen.
    pub(super) fn choose_vehicle(
        &mut self,
        recording: &Path,
        options: &DatasetOptions,
    ) -> Result<(Vehicle, Motion), DatasetError> {
        let prefix = self.prefix_of_vehicle(recording, options)?;
        let states = self.states.remove(&prefix).unwrap_or_default();
        let is_alone = self.states.is_empty();
        Ok((Vehicle { prefix, is_alone }, Motion::new(states)))
    }

    /// The topics of a vehicle of this type, in the order of their names; of pictures those with one of `encodings`.
    pub(super) fn topics_of(&self, vehicle: &Vehicle, kind: &str, encodings: &[&str]) -> Vec<String> {
        let fits = |(name, topic): &(&String, &Topic)| {
            let is_of_kind = topic.kind == kind && !topic.stamps.is_empty();
            let is_encoded = encodings.is_empty() || encodings.contains(&topic.encoding.as_str());
            is_of_kind && is_encoded && (vehicle.is_alone || name.starts_with(&vehicle.prefix))
        };
        self.topics.iter().filter(fits).map(|(name, _)| name.clone()).collect()
    }

    /// The topics of a vehicle with pictures of one of `encodings`, in the order of their names: those with whole pictures, and after them compressed ones.
    pub(super) fn pictures_of(&self, vehicle: &Vehicle, encodings: &[&str]) -> Pictures {
        let whole = self.topics_of(vehicle, Image::TYPE, encodings);
        let compressed = self.topics_of(vehicle, CompressedImage::TYPE, encodings);
        let stands_alone = |name: &String| {
            let picture = picture_topic(name);
            let mut forms = COMPRESSED.iter().map(|end| format!("{picture}{end}"));
            let best = forms.find(|form| compressed.contains(form));
            !whole.iter().any(|whole| whole == picture) && best.is_none_or(|best| best == *name)
        };
        let mut usual = whole.clone();
        usual.extend(compressed.iter().filter(|name| stands_alone(name)).cloned());
        Pictures { usual, all: [whole, compressed].concat() }
    }

    /// Whether a topic has the points of a camera for colour and depth.
    pub(super) fn is_of_camera(&self, cloud: &str) -> bool {
        let camera = cloud.strip_suffix("_points").unwrap_or(cloud);
        ["_rgb/camera_info", "_depth/camera_info"].iter().any(|end| self.topics.contains_key(&format!("{camera}{end}")))
    }

    /// The prefix of the vehicle's topics.
    fn prefix_of_vehicle(&self, recording: &Path, options: &DatasetOptions) -> Result<String, DatasetError> {
        let name = |prefix: &String| prefix.trim_matches('/').to_owned();
        let known: Vec<String> = self.states.keys().map(name).collect();
        let matching_prefix = match &options.vehicle {
            Some(wanted) => self.states.keys().find(|prefix| name(prefix) == *wanted),
            None if known.len() == 1 => self.states.keys().next(),
            None if known.is_empty() => return Err(DatasetError::NoTruth(recording.to_path_buf())),
            None => None,
        };
        let refused = || DatasetError::Vehicle { found: options.vehicle.clone().unwrap_or_default(), known };
        matching_prefix.cloned().ok_or_else(refused)
    }

    fn take_state(&mut self, prefix: String, data: &[u8]) {
        let Ok(VehicleState { header, pose, twist, .. }) = VehicleState::read(data) else { return };
        let Some(time) = nanoseconds(header.stamp) else { return };
        let of = |v: skidpad_ros_data::message::Vector3| Vector3::new(v.x, v.y, v.z);
        self.states.entry(prefix).or_default().push(State {
            time,
            world_from_body: isometry(decode::pose(pose.position, pose.orientation)),
            velocity: of(twist.linear),
            angular_velocity: of(twist.angular),
        });
    }
}

/// The prefix of a topic whose last part is `name`, with its slash.
fn prefix_of(topic: &str, name: &str) -> Option<String> {
    topic.strip_suffix(name).filter(|prefix| prefix.ends_with('/')).map(str::to_owned)
}

impl Visitor for Survey {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let wanted =
            [PointCloud2::TYPE, Image::TYPE, CompressedImage::TYPE, Imu::TYPE, CameraInfo::TYPE, VehicleState::TYPE];
        let is_static = kind == TFMessage::TYPE && name.ends_with(STATIC_TRANSFORMS);
        if !(is_static || wanted.contains(&kind)) {
            return false;
        }
        self.ids.insert(id, name.to_owned());
        self.topics.entry(name.to_owned()).or_insert_with(|| Topic { kind: kind.to_owned(), ..Topic::default() });
        true
    }

    fn attachment(&mut self, _time: u64, name: &str, place: FileRange) {
        if name == IMU_NOISE_ATTACHMENT {
            self.attachments.push(place);
        }
    }

    fn message(&mut self, id: u64, _time: i64, data: &[u8]) {
        let Some(name) = self.ids.get(&id).cloned() else { return };
        let Some(topic) = self.topics.get_mut(&name) else { return };
        if topic.kind == TFMessage::TYPE {
            let Some(prefix) = prefix_of(&name, STATIC_TRANSFORMS) else { return };
            let Ok(message) = cdr::read::<TFMessage>(data) else { return };
            for transform in message.transforms {
                let pose = isometry(decode::pose(transform.transform.translation, transform.transform.rotation));
                let child = (prefix.clone(), transform.child_frame_id);
                self.frames.insert(child, (transform.header.frame_id, pose));
            }
            return;
        }
        if topic.kind == VehicleState::TYPE {
            if let Some(prefix) = prefix_of(&name, STATE_TOPIC) {
                self.take_state(prefix, data);
            }
            return;
        }
        let Some(stamp) = stamp(data) else { return };
        if topic.stamps.is_empty() {
            topic.frame = cdr::read::<Header>(data).map(|header| header.frame_id).unwrap_or_default();
            if topic.kind == Image::TYPE {
                topic.encoding = cdr::read::<Image>(data).map(|image| image.encoding).unwrap_or_default();
            }
            if topic.kind == CompressedImage::TYPE {
                let format = cdr::read::<CompressedImage>(data).map(|image| image.format).unwrap_or_default();
                topic.encoding = encoding_of(&format).unwrap_or_default().to_owned();
            }
        }
        topic.stamps.push(stamp);
        match topic.kind.as_str() {
            CameraInfo::TYPE => self.cameras.extend(cdr::read(data).ok().map(|info| (name, info))),
            Imu::TYPE => self.samples.entry(name).or_default().extend(cdr::read::<Imu>(data).ok()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_picture_one_topic_is_chosen_and_all_may_be_named() {
        let topic = |(name, kind, encoding): (&str, &str, &str)| {
            let (kind, encoding) = (kind.to_owned(), encoding.to_owned());
            (name.to_owned(), Topic { kind, encoding, stamps: vec![1], ..Topic::default() })
        };
        let topics = [
            ("/a/image_raw/compressed", CompressedImage::TYPE, "16UC1"),
            ("/a/image_raw/compressedDepth", CompressedImage::TYPE, "16UC1"),
            // A JPEG of depths, which is none.
            ("/b/image_raw/compressed", CompressedImage::TYPE, ""),
            ("/b/image_raw/compressedDepth", CompressedImage::TYPE, "32FC1"),
            ("/c/image_raw", Image::TYPE, "16UC1"),
            ("/c/image_raw/compressedDepth", CompressedImage::TYPE, "16UC1"),
            ("/d/image_raw/compressed", CompressedImage::TYPE, "16UC1"),
            ("/e/depths", CompressedImage::TYPE, "16UC1"),
        ];
        let survey = Survey { topics: topics.map(topic).into(), ..Survey::default() };
        let actual = survey.pictures_of(&Vehicle { is_alone: true, ..Vehicle::default() }, &["16UC1", "32FC1"]);
        let usual = [
            "/c/image_raw",
            "/a/image_raw/compressedDepth",
            "/b/image_raw/compressedDepth",
            "/d/image_raw/compressed",
            "/e/depths",
        ];
        assert_eq!(actual.usual, usual);
        assert_eq!(actual.all.len(), 7);
    }
}
