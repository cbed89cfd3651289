//! The recording as MCAP: channels with their definitions, messages, chunks, and when they go to the file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mcap::records::MessageHeader;
use mcap::{Attachment, McapError, WriteOptions};

use super::disk::Disk;
use super::message::Message;
use super::options::{Compression, RecordError, RecordOptions};
use super::{SCENE_ATTACHMENT, schema};
use crate::time::SimTime;
use crate::view::build::stored_view;
use crate::world::{EntityId, Scene};

/// Longest time [wall] for which what was recorded is not in the file.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
/// A chunk is closed when it has grown to this size [bytes].
const CHUNK_SIZE: usize = 1 << 20;

/// A topic of the recording.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel(u16);

/// What a late reader is handed, and how many messages a slow one may be behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    /// Readers get what comes from now on.
    Data,
    /// As data, with the depth that tf2 listeners have.
    Transforms,
    /// Readers get the last message too.
    Latched,
}

impl Quality {
    /// As rosbag2 writes it: a list of one publisher's offer.
    fn offered(self) -> String {
        let (depth, durability) = match self {
            Quality::Data => (10, "volatile"),
            Quality::Transforms => (100, "volatile"),
            Quality::Latched => (1, "transient_local"),
        };
        let forever = |name: &str| format!("  {name}:\n    sec: 9223372036\n    nsec: 854775807\n");
        format!(
            "- history: keep_last\n  depth: {depth}\n  reliability: reliable\n  durability: {durability}\n{}{}  liveliness: \
             automatic\n{}  avoid_ros_namespace_conventions: false\n",
            forever("deadline"),
            forever("lifespan"),
            forever("liveliness_lease_duration")
        )
    }
}

/// Whose a topic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The recording's own, as long as it lasts.
    World,
    /// A vehicle's, as long as it is there.
    Vehicle(EntityId),
    /// A wish's of the scene, as long as that stays as it is.
    Wish,
}

/// The open recording.
pub(super) struct Output {
    mcap: mcap::Writer<Disk>,
    ends: Arc<AtomicBool>,
    place: String,
    /// The topics that somebody has, with their types.
    topics: BTreeMap<String, (&'static str, Owner)>,
    /// Messages written so far under the id of each topic, those of vehicles that are gone among them.
    sequences: Vec<u32>,
    /// Bytes of messages since the last commit.
    pending: usize,
    committed: Instant,
    data: Vec<u8>,
    /// What log times are more than the times of messages [ns].
    ahead: SimTime,
}

impl Output {
    pub(super) fn new(file: File, path: &Path, options: &RecordOptions) -> Result<Output, RecordError> {
        let place = path.display().to_string();
        let compression = match options.compression {
            Compression::None => None,
            Compression::Zstd => Some(mcap::Compression::Zstd),
            Compression::Lz4 => Some(mcap::Compression::Lz4),
        };
        let (disk, ends) = Disk::new(file);
        let mcap = WriteOptions::new()
            .profile("ros2")
            .library(concat!("skidpad ", env!("CARGO_PKG_VERSION")))
            .compression(compression)
            .compression_threads(0)
            // Chunks are closed here, by size and by time.
            .chunk_size(None)
            .calculate_data_section_crc(false)
            .create(disk)
            .map_err(|cause| failure(&place, &cause))?;
        let committed = Instant::now();
        let mut output = Output {
            mcap,
            ends,
            place,
            topics: BTreeMap::new(),
            sequences: Vec::new(),
            pending: 0,
            committed,
            data: Vec::new(),
            ahead: SimTime::ZERO,
        };
        output.commit()?;
        Ok(output)
    }

    /// Adds a topic for messages of the type `M`.
    pub(super) fn channel<M: Message>(
        &mut self,
        topic: &str,
        quality: Quality,
        owner: Owner,
    ) -> Result<Channel, RecordError> {
        let known = self.topics.get(topic);
        if known.is_some_and(|(kind, _)| !M::SHARED || *kind != M::TYPE) {
            return Err(RecordError {
                place: self.place.clone(),
                found: format!("the topic \"{topic}\" would be there twice"),
                accepted: None,
                hint: Some("give sensors and vehicles other names in the world file".to_owned()),
            });
        }
        self.topics.insert(topic.to_owned(), (M::TYPE, owner));
        let definition = schema::definition(M::TYPE);
        let metadata = BTreeMap::from([("offered_qos_profiles".to_owned(), quality.offered())]);
        let id = self
            .mcap
            .add_schema(M::TYPE, "ros2msg", definition.as_bytes())
            .and_then(|schema| self.mcap.add_channel(schema, topic, "cdr", &metadata))
            .map_err(|cause| failure(&self.place, &cause))?;
        if self.sequences.len() <= usize::from(id) {
            self.sequences.resize(usize::from(id) + 1, 0);
        }
        Ok(Channel(id))
    }

    /// Lets go of the topics that this one has: others may have them.
    pub(super) fn release(&mut self, owner: Owner) {
        self.topics.retain(|_, (_, other)| *other != owner);
    }

    /// The names of the topics so far.
    pub(super) fn names(&self) -> Vec<String> {
        self.topics.keys().cloned().collect()
    }

    /// Log times are `ahead` [ns] more than the times of messages from here on.
    pub(super) fn log_ahead(&mut self, ahead: SimTime) {
        self.ahead = ahead;
    }

    /// Appends a message of the time `time`.
    pub(super) fn write<M: Message>(
        &mut self,
        channel: Channel,
        time: SimTime,
        message: &M,
    ) -> Result<(), RecordError> {
        self.data.clear();
        message.write(&mut self.data).map_err(|cause| RecordError {
            place: self.place.clone(),
            found: format!("{}: {cause}", M::TYPE),
            accepted: None,
            hint: None,
        })?;
        // As stamps: never 0.
        let time = u64::try_from((time + self.ahead).0.max(1)).unwrap_or(1);
        let sequence = &mut self.sequences[usize::from(channel.0)];
        let header = MessageHeader { channel_id: channel.0, sequence: *sequence, log_time: time, publish_time: time };
        *sequence = sequence.wrapping_add(1);
        self.mcap.write_to_known_channel(&header, &self.data).map_err(|cause| failure(&self.place, &cause))?;
        self.pending += self.data.len();
        if self.pending >= CHUNK_SIZE { self.commit() } else { Ok(()) }
    }

    /// Describes the scene as it is from the log time `time` on, as an attachment that viewers draw it from.
    pub(super) fn attach_scene(&mut self, scene: &Scene, time: SimTime) -> Result<(), RecordError> {
        let json = serde_json::to_vec(&stored_view(scene)).map_err(|cause| RecordError {
            place: self.place.clone(),
            found: format!("{SCENE_ATTACHMENT}: {cause}"),
            accepted: None,
            hint: None,
        })?;
        let time = u64::try_from(time.0).unwrap_or(0);
        let attachment = Attachment {
            log_time: time,
            create_time: time,
            name: SCENE_ATTACHMENT.to_owned(),
            media_type: "application/json".to_owned(),
            data: Cow::Owned(json),
        };
        self.mcap.attach(&attachment).map_err(|cause| failure(&self.place, &cause))?;
        self.pending += attachment.data.len();
        if self.pending >= CHUNK_SIZE { self.commit() } else { Ok(()) }
    }

    /// How long nothing needs to be committed.
    pub(super) fn patience(&self) -> Duration {
        COMMIT_EVERY.saturating_sub(self.committed.elapsed())
    }

    /// Closes the chunk and has the file hold everything so far.
    pub(super) fn commit(&mut self) -> Result<(), RecordError> {
        self.committed = Instant::now();
        self.pending = 0;
        self.mcap.flush().map_err(|cause| failure(&self.place, &cause))
    }

    /// Ends the file with its index.
    pub(super) fn finish(mut self) -> Result<(), RecordError> {
        self.commit()?;
        self.ends.store(true, Ordering::Relaxed);
        // Flushes, too.
        self.mcap.finish().map(drop).map_err(|cause| failure(&self.place, &cause))
    }
}

fn failure(place: &str, cause: &McapError) -> RecordError {
    let (found, hint) = match cause {
        McapError::Io(cause) => {
            let hint = match cause.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Some("make room on the disk"),
                std::io::ErrorKind::FileTooLarge => Some("files may not grow that big here: see ulimit -f"),
                _ => None,
            };
            (format!("cannot be written: {cause}"), hint)
        }
        other => (format!("cannot be written: {other}"), None),
    };
    RecordError { place: place.to_owned(), found, accepted: None, hint: hint.map(Into::into) }
}
