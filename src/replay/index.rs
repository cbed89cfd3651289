//! The index of a recording: the channels and times of each block. It is made in one pass over the files.

use std::collections::BTreeMap;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Pose3;
use skidpad_record::bag::{BagReader, FileRange, Visitor};
use skidpad_record::provenance::PROVENANCE_ATTACHMENT;
use skidpad_record::{MOVING_TOPIC, SCENE_ATTACHMENT};
use skidpad_ros_data::message::{Message, Odometry, TFMessage, VehicleState};

use super::decode;
use super::roll_distance::PoseWithRoll;

/// Whether a log time [ns] is plausible; sums and differences of such times do not overflow. Corrupt files have others.
pub(super) fn is_time(log: i64) -> bool {
    (0..=i64::MAX / 2).contains(&log)
}

/// A topic of the recording.
#[derive(Clone, Debug)]
pub(super) struct IndexedChannel {
    pub(super) topic: String,
    /// Type of its messages.
    pub(super) kind: String,
    /// The child frame, for transforms: each has its own channel here, because a message holds only some of them.
    pub(super) child: Option<String>,
    /// Log time of its first message [ns].
    pub(super) first: i64,
    /// Log time of its last message [ns].
    pub(super) last: i64,
}

impl IndexedChannel {
    /// Prefix of its name: empty, or `/r1`.
    pub(super) fn prefix(&self) -> &str {
        self.topic.rsplit_once('/').map_or("", |(prefix, _)| prefix)
    }

    /// The body whose poses these are, if they are those of one that moves and is no vehicle.
    pub(super) fn moving_body(&self) -> Option<&str> {
        self.child.as_deref().filter(|_| self.topic == MOVING_TOPIC)
    }

    /// Whether it has any message.
    pub(super) fn has_messages(&self) -> bool {
        self.first <= self.last
    }
}

/// A part of a file that is read as a whole.
#[derive(Debug)]
pub(super) struct Block {
    /// Number of the file.
    pub(super) source: usize,
    pub(super) place: FileRange,
    /// Log time of its first message [ns].
    pub(super) start: i64,
    /// Log time of its last message [ns].
    pub(super) end: i64,
    /// The channels in it, sorted by number, each with the log times of its first and last message.
    held: Box<[(u16, i64, i64)]>,
    /// The channels of moving bodies in it, sorted by number, each with the way that the body has rolled at its first pose here [m].
    roll_distances: Box<[(u16, f64)]>,
    /// Log time and stamp [ns] of its first and last odometry message.
    pub(super) stamps: [Option<(i64, i64)>; 2],
}

impl Block {
    /// The channels in it.
    pub(super) fn channels(&self) -> impl Iterator<Item = u16> {
        self.held.iter().map(|(channel, ..)| *channel)
    }

    /// Log times [ns] of a channel's first and last message in it; none if it has no message of it.
    pub(super) fn holds(&self, channel: u16) -> Option<(i64, i64)> {
        let index = self.held.binary_search_by_key(&channel, |(channel, ..)| *channel).ok()?;
        Some((self.held[index].1, self.held[index].2))
    }

    /// The way that the moving body of a channel has rolled at its first pose in it [m]; none if it has no pose of it.
    pub(super) fn roll_distance(&self, channel: u16) -> Option<f64> {
        let index = self.roll_distances.binary_search_by_key(&channel, |(channel, _)| *channel).ok()?;
        Some(self.roll_distances[index].1)
    }
}

/// Location of a scene description, or of how the recording was made.
#[derive(Debug)]
pub(super) struct Document {
    /// Log time from which it applies [ns].
    pub(super) time: i64,
    pub(super) source: usize,
    pub(super) place: FileRange,
}

/// Numbers of the transforms in the messages of a channel, by child frame.
pub(super) type Children = BTreeMap<u16, BTreeMap<String, u16>>;

/// Collects the index of all files.
#[derive(Default)]
pub(super) struct Indexer {
    pub(super) channels: Vec<IndexedChannel>,
    pub(super) blocks: Vec<Block>,
    pub(super) documents: Vec<Document>,
    /// How the recording was made, as its first file says.
    pub(super) provenance: Option<Document>,
    pub(super) children: Children,
    /// Number of the file that is being read.
    source: usize,
    /// Numbers of the channels of that file that a replay uses, by their ids in the file.
    ids: BTreeMap<u64, u16>,
    /// First and last log time of each channel in the open block.
    held: BTreeMap<u16, (i64, i64)>,
    /// The last pose of each moving body, by the number of its channel.
    moving: BTreeMap<u16, PoseWithRoll>,
    /// See [`Block::roll_distances`].
    roll_distances: BTreeMap<u16, f64>,
    /// See [`Block::stamps`].
    stamps: [Option<(i64, i64)>; 2],
    /// Number of messages of this file that are skipped because their log times are not plausible.
    untimed: u64,
}

impl Indexer {
    /// Adds a file, and returns the number of each of its channels by its id in the file.
    pub(super) fn add(&mut self, file: &mut BagReader, source: usize, notes: &mut Vec<Diagnostic>) -> Vec<(u64, u16)> {
        (self.source, self.untimed) = (source, 0);
        self.ids.clear();
        file.scan(self, notes);
        if self.untimed > 0 {
            let found = format!("{} messages are left out: their log times are out of range", self.untimed);
            notes.push(Diagnostic::new(file.path().display(), found).accepted("times from 1970 to 2116"));
        }
        self.ids.iter().map(|(id, number)| (*id, *number)).collect()
    }

    /// Number of a topic, or of a transform on it, which is added at the first call. None if there are too many.
    fn number(&mut self, topic: &str, kind: &str, child: Option<String>) -> Option<u16> {
        let is_same = |known: &IndexedChannel| known.topic == topic && known.kind == kind && known.child == child;
        let index = self.channels.iter().position(is_same).unwrap_or(self.channels.len());
        let number = u16::try_from(index).ok()?;
        if index == self.channels.len() {
            let (topic, kind) = (topic.to_owned(), kind.to_owned());
            self.channels.push(IndexedChannel { topic, kind, child, first: i64::MAX, last: i64::MIN });
        }
        Some(number)
    }

    /// Records a message of a channel in the open block.
    fn note(&mut self, number: u16, time: i64) {
        let Some(channel) = self.channels.get_mut(usize::from(number)) else { return };
        (channel.first, channel.last) = (channel.first.min(time), channel.last.max(time));
        let held = self.held.entry(number).or_insert((time, time));
        *held = (held.0.min(time), held.1.max(time));
    }

    /// Records each transform of a message.
    fn transforms(&mut self, number: u16, time: i64, data: &[u8]) {
        let Some(IndexedChannel { topic, kind, .. }) = self.channels.get(usize::from(number)).cloned() else { return };
        for (child, transform) in decode::transforms(data) {
            let known = self.children.get(&number).and_then(|children| children.get(&child)).copied();
            let Some(of_child) = known.or_else(|| self.number(&topic, &kind, Some(child.clone()))) else { continue };
            if known.is_none() {
                self.children.entry(number).or_default().insert(child, of_child);
            }
            self.note(of_child, time);
            if topic == MOVING_TOPIC {
                self.note_pose(of_child, time, decode::pose(transform.translation, transform.rotation));
            }
        }
    }

    /// Records a pose of a moving body.
    fn note_pose(&mut self, number: u16, time: i64, pose: Pose3) {
        let last = self.moving.get(&number);
        let next = last.map_or(PoseWithRoll::first(pose, time), |last| last.followed_by(pose, time));
        self.moving.insert(number, next);
        self.roll_distances.entry(number).or_insert(next.distance);
    }
}

impl Visitor for Indexer {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let number = if decode::is_of_use(kind) { self.number(name, kind, None) } else { None };
        self.ids.extend(number.map(|number| (id, number)));
        number.is_some()
    }

    fn message(&mut self, id: u64, time: i64, data: &[u8]) {
        if !is_time(time) {
            self.untimed += 1;
            return;
        }
        let Some(&number) = self.ids.get(&id) else { return };
        match self.channels.get(usize::from(number)).map_or("", |channel| &channel.kind) {
            TFMessage::TYPE => return self.transforms(number, time, data),
            Odometry::TYPE | VehicleState::TYPE => {
                if let Some(stamp) = decode::stamp(data) {
                    let index = usize::from(self.stamps[0].is_some());
                    self.stamps[index] = Some((time, stamp));
                }
            }
            _ => {}
        }
        self.note(number, time);
    }

    fn block(&mut self, place: FileRange) {
        let (held, stamps) = (std::mem::take(&mut self.held), std::mem::take(&mut self.stamps));
        let roll_distances = std::mem::take(&mut self.roll_distances).into_iter().collect();
        let start = held.values().map(|(first, _)| *first).min();
        let end = held.values().map(|(_, last)| *last).max();
        // A block without relevant messages is skipped.
        if let (Some(start), Some(end)) = (start, end) {
            let held = held.into_iter().map(|(channel, (first, last))| (channel, first, last)).collect();
            self.blocks.push(Block { source: self.source, place, start, end, held, roll_distances, stamps });
        }
    }

    fn attachment(&mut self, time: u64, name: &str, place: FileRange) {
        let document = || Document { time: i64::try_from(time).unwrap_or(i64::MAX), source: self.source, place };
        match name {
            SCENE_ATTACHMENT => self.documents.push(document()),
            PROVENANCE_ATTACHMENT if self.provenance.is_none() => self.provenance = Some(document()),
            _ => {}
        }
    }
}
