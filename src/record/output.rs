//! The recording as MCAP: channels with their definitions, messages, chunks, and commits to the file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcap::records::{MessageHeader, Metadata, Record, op};
use mcap::{Attachment, McapError, WriteOptions};
use skidpad_files::file_error::FileError;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{self, AnyMessage, Kind, Quality};
use skidpad_sim::sensor::{ImuNoise, SensorKind};
use skidpad_sim::world::{EntityId, Scene};
use skidpad_view::build::stored_view;

use super::destination::Bounds;
use super::disk::{Control, Disk, END};
use super::file_monitor::{FileDamage, FileMonitor, create_beside};
use super::options::{Compression, RecordError, RecordOptions};
use super::provenance::{CHANGES_ATTACHMENT, FILE_ATTACHMENTS, METADATA_NAME, PROVENANCE_ATTACHMENT, Provenance};
use super::{IMU_NOISE_ATTACHMENT, MISSING_ATTACHMENT, MissingMessages, SCENE_ATTACHMENT};
use crate::bag::framing::{self, MAGIC, RecordVisitor};

/// Longest time [wall] before recorded data is written to the file.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
/// A chunk is closed when it has grown to this size [bytes].
const CHUNK_SIZE: usize = 1 << 20;

/// Number of a channel in the file.
pub(super) type ChannelId = u16;

/// The noise of all inertial measurement units by their topics.
fn imu_noise(scene: &Scene, names: &[VehicleNames]) -> BTreeMap<String, ImuNoise> {
    let vehicles = scene.vehicles.iter().zip(names);
    let of_vehicle = vehicles.flat_map(|(vehicle, names)| {
        vehicle.sensors.iter().enumerate().filter_map(move |(index, sensor)| {
            let SensorKind::Imu(variances) = &sensor.kind else { return None };
            let topic = names.sensor_topics(vehicle, index).into_iter().next()?;
            Some((format!("/{}", topic.trim_start_matches('/')), variances.noise))
        })
    });
    of_vehicle.collect()
}

/// A quality of service as rosbag2 writes it: a list of one publisher's offer. Policies are the numbers of `rmw/types.h`:
/// each version of rosbag2 reads these, and names only from Iron on.
fn offered(quality: Quality) -> String {
    let depth = quality.depth();
    // Transient local, or volatile.
    let durability = if quality.is_latched() { 1 } else { 2 };
    let forever = |name: &str| format!("  {name}:\n    sec: 9223372036\n    nsec: 854775807\n");
    // Keep last, reliable, and automatic are 1 each.
    format!(
        "- history: 1\n  depth: {depth}\n  reliability: 1\n  durability: {durability}\n{}{}  liveliness: 1\n{}  \
         avoid_ros_namespace_conventions: false\n",
        forever("deadline"),
        forever("lifespan"),
        forever("liveliness_lease_duration")
    )
}

/// The owner of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The recording itself, for its whole duration.
    World,
    /// A vehicle, as long as it exists.
    Vehicle(EntityId),
    /// A `<publish>`, until vehicles or blocks are added or removed.
    Publish,
}

/// The open recording.
pub(super) struct McapOutput {
    file: OpenFile,
    /// The requested path.
    path: PathBuf,
    /// The file, for error messages.
    pub(super) place: String,
    compression: Compression,
    bounds: Option<Bounds>,
    /// The channels by their ids, from 1 on.
    channels: Vec<DeclaredTopic>,
    /// The first damage to the file by another process.
    damage: Option<RecordError>,
    /// Whether it continues in another file, which lacks the earlier content.
    has_begun_anew: bool,
    /// How often it has begun in another file.
    beginnings: u32,
    /// The topics in use, with their types.
    topics: BTreeMap<String, (&'static str, Owner)>,
    /// Messages written so far by topic id, including those of removed vehicles.
    sequences: Vec<u32>,
    /// Messages written so far.
    written: u64,
    /// Bytes of messages since the last commit.
    pending: usize,
    committed: Instant,
    data: Vec<u8>,
    /// Lines of timed changes that are not in the file yet.
    timed_changes: String,
    /// Offset of log times from the times of messages [ns].
    pub(super) ahead: SimTime,
}

impl McapOutput {
    /// Creates the file by `create`, which is given its first content.
    pub(super) fn new(
        create: impl FnOnce(&[u8]) -> Result<File, RecordError>,
        path: &Path,
        options: &RecordOptions,
    ) -> Result<McapOutput, RecordError> {
        let committed = Instant::now();
        let create = |content: &[u8]| Ok((create(content)?, path.to_owned()));
        let (file, _) = OpenFile::new(create, &path.display().to_string(), options.compression)?;
        let output = McapOutput {
            file,
            path: path.to_owned(),
            place: path.display().to_string(),
            compression: options.compression,
            bounds: options.bounds.clone(),
            channels: Vec::new(),
            damage: None,
            has_begun_anew: false,
            beginnings: 0,
            topics: BTreeMap::new(),
            sequences: Vec::new(),
            written: 0,
            pending: 0,
            committed,
            data: Vec::new(),
            timed_changes: String::new(),
            ahead: SimTime::ZERO,
        };
        Ok(output)
    }

    /// Adds a topic for messages of this kind.
    pub(super) fn channel(
        &mut self,
        topic: &str,
        kind: Kind,
        quality: Quality,
        owner: Owner,
    ) -> Result<ChannelId, RecordError> {
        let known = self.topics.get(topic);
        if known.is_some_and(|(known, _)| !kind.is_shared || *known != kind.name) {
            return Err(RecordError::new(&self.place, format!("two outputs have the topic \"{topic}\""))
                .hint("give sensors and vehicles other names in the world file"));
        }
        let channel = DeclaredTopic { topic: topic.to_owned(), kind: kind.name, offered: offered(quality) };
        // A topic that existed before keeps its id.
        let known = self.channels.iter().position(|known| *known == channel);
        let index = known.unwrap_or(self.channels.len());
        let id = ChannelId::try_from(index + 1).ok().filter(|id| *id < ChannelId::MAX);
        let id = id.ok_or_else(|| {
            RecordError::new(&self.place, format!("no room for the topic \"{topic}\""))
                .accepted(format!("{} topics", ChannelId::MAX - 1))
        })?;
        if known.is_none() {
            self.channels.push(channel);
            self.sequences.push(0);
        }
        self.topics.insert(topic.to_owned(), (kind.name, owner));
        Ok(id)
    }

    /// What controls its file.
    #[cfg(test)]
    pub(super) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.file.control)
    }

    /// Releases the topics of this owner for others.
    pub(super) fn release(&mut self, owner: Owner) {
        self.topics.retain(|_, (_, other)| *other != owner);
    }

    /// The names of the topics so far.
    pub(super) fn names(&self) -> Vec<String> {
        self.topics.keys().cloned().collect()
    }

    /// Appends a message of the time `time`.
    pub(super) fn write(
        &mut self,
        channel: ChannelId,
        time: SimTime,
        message: &dyn AnyMessage,
    ) -> Result<(), RecordError> {
        self.serialize(channel, message)?;
        self.append_data(channel, time)
    }

    /// The same, unless it equals the `last` one, which is kept as how often the file had begun anew and a hash.
    pub(super) fn write_changed(
        &mut self,
        channel: ChannelId,
        time: SimTime,
        message: &dyn AnyMessage,
        last: &mut Option<(u32, u64)>,
    ) -> Result<(), RecordError> {
        self.serialize(channel, message)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.data);
        let now = Some((self.beginnings, hasher.finish()));
        if *last == now {
            return Ok(());
        }
        *last = now;
        self.append_data(channel, time)
    }

    /// Serializes a message into `data`.
    fn serialize(&mut self, channel: ChannelId, message: &dyn AnyMessage) -> Result<(), RecordError> {
        self.data.clear();
        message.append_to(None, &mut self.data).map_err(|cause| {
            let kind = self.channels.get(usize::from(channel) - 1).map_or("", |channel| channel.kind);
            RecordError::new(&self.place, format!("{kind}: {cause}"))
        })?;
        Ok(())
    }

    /// Appends `data` as a message of the time `time`.
    fn append_data(&mut self, channel: ChannelId, time: SimTime) -> Result<(), RecordError> {
        // As stamps: never 0.
        let time = u64::try_from((time + self.ahead).0.max(1)).unwrap_or(1);
        let sequence = &mut self.sequences[usize::from(channel) - 1];
        let header = MessageHeader { channel_id: channel, sequence: *sequence, log_time: time, publish_time: time };
        *sequence = sequence.wrapping_add(1);
        let data = std::mem::take(&mut self.data);
        let appended = self.append(&header, &data);
        self.data = data;
        appended
    }

    /// Whether there is room for so many bytes more.
    fn has_room(&self, bytes: usize) -> bool {
        self.bounds.as_ref().is_none_or(|bounds| bounds.takes(bytes))
    }

    fn append(&mut self, header: &MessageHeader, data: &[u8]) -> Result<(), RecordError> {
        if !self.has_room(data.len()) {
            return Ok(());
        }
        self.file.append(&self.channels, header, data).map_err(|cause| failure(&self.place, &cause))?;
        self.written += 1;
        self.added(data.len())
    }

    /// Counts bytes that wait to be committed.
    fn added(&mut self, bytes: usize) -> Result<(), RecordError> {
        self.pending += bytes;
        if self.pending >= CHUNK_SIZE { self.commit() } else { Ok(()) }
    }

    /// Describes the scene, whose vehicles have these names, from the log time `time` on, in an attachment from which viewers draw it.
    pub(super) fn attach_scene(
        &mut self,
        scene: &Scene,
        names: &[VehicleNames],
        time: SimTime,
    ) -> Result<(), RecordError> {
        let json = serde_json::to_vec(&stored_view(scene, names))
            .map_err(|cause| RecordError::new(&self.place, format!("{SCENE_ATTACHMENT}: {cause}")))?;
        let time = u64::try_from(time.0).unwrap_or(0);
        self.attach(time, SCENE_ATTACHMENT.to_owned(), &json)?;
        let noise = imu_noise(scene, names);
        if noise.is_empty() {
            return Ok(());
        }
        let json = serde_json::to_vec(&noise)
            .map_err(|cause| RecordError::new(&self.place, format!("{IMU_NOISE_ATTACHMENT}: {cause}")))?;
        self.attach(time, IMU_NOISE_ATTACHMENT.to_owned(), &json)
    }

    /// Notes messages of others that the recording lacks, as is known at `time`.
    pub(super) fn attach_missing(&mut self, missing: &MissingMessages, time: SimTime) -> Result<(), RecordError> {
        let json = serde_json::to_vec(missing)
            .map_err(|cause| RecordError::new(&self.place, format!("{MISSING_ATTACHMENT}: {cause}")))?;
        let time = u64::try_from((time + self.ahead).0).unwrap_or(0);
        self.attach(time, MISSING_ATTACHMENT.to_owned(), &json)
    }

    /// Says how the run is made: as metadata for the tools of others, and as attachments, with the files that it is made from.
    pub(super) fn attach_provenance(&mut self, provenance: &Provenance) -> Result<(), RecordError> {
        let metadata = provenance.lines().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        self.add_metadata(&Metadata { name: METADATA_NAME.to_owned(), metadata })?;
        let json = serde_json::to_vec_pretty(provenance)
            .map_err(|cause| RecordError::new(&self.place, format!("{PROVENANCE_ATTACHMENT}: {cause}")))?;
        self.attach(0, PROVENANCE_ATTACHMENT.to_owned(), &json)?;
        for file in &provenance.files {
            if let Some(content) = &file.content {
                self.attach(0, format!("{FILE_ATTACHMENTS}{}", file.path), content)?;
            }
        }
        Ok(())
    }

    fn add_metadata(&mut self, metadata: &Metadata) -> Result<(), RecordError> {
        self.file.mcap.write_metadata(metadata).map_err(|cause| failure(&self.place, &cause))
    }

    /// Adds a line of what came to the run from outside.
    pub(super) fn add_timed_change(&mut self, line: &str) {
        self.timed_changes.push_str(line);
        self.timed_changes.push('\n');
    }

    /// Attaches a file from the log time `time` [ns] on; its type follows from its name.
    fn attach(&mut self, time: u64, name: String, content: &[u8]) -> Result<(), RecordError> {
        if !self.has_room(content.len()) {
            return Ok(());
        }
        let is = |ending: &str| name.ends_with(ending);
        let media_type = match &name {
            _ if is(".json") => "application/json",
            _ if is(".csv") => "text/csv",
            _ if is(".xml") => "application/xml",
            _ => "application/octet-stream",
        };
        let media_type = media_type.to_owned();
        let attachment =
            Attachment { log_time: time, create_time: time, name, media_type, data: Cow::Borrowed(content) };
        self.file.mcap.attach(&attachment).map_err(|cause| failure(&self.place, &cause))?;
        self.added(content.len())
    }

    /// Time until the next commit is due.
    pub(super) fn patience(&self) -> Duration {
        COMMIT_EVERY.saturating_sub(self.committed.elapsed())
    }

    /// Closes the chunk and writes everything to the file, or to another one if this one was damaged.
    pub(super) fn commit(&mut self) -> Result<(), RecordError> {
        self.committed = Instant::now();
        self.pending = 0;
        if !self.timed_changes.is_empty() {
            let lines = std::mem::take(&mut self.timed_changes);
            let attached = self.attach(0, CHANGES_ATTACHMENT.to_owned(), lines.as_bytes());
            self.pending = 0;
            attached?;
        }
        let length = self.file.control.length();
        // If the file cannot be checked, the write fails too and reports the reason.
        let damage = if length > 0 { self.file.monitor.check(length).ok().flatten() } else { None };
        match damage {
            None => {}
            Some(FileDamage::Moved) => self.note("was moved", "the recording goes on under its new name".to_owned()),
            Some(damage) => self.begin_anew(damage)?,
        }
        self.file.mcap.flush().map_err(|cause| failure(&self.place, &cause))
    }

    /// Ends the file with its index; returns the number of its messages. Changes by other processes are errors too.
    pub(super) fn finish(mut self) -> Result<u64, RecordError> {
        self.commit()?;
        self.file.control.end();
        // This also flushes.
        self.file.mcap.finish().map_err(|cause| failure(&self.place, &cause))?;
        self.damage.map_or(Ok(self.written), Err)
    }

    /// Whether it has moved to another file since the last call; that file lacks the earlier content.
    pub(super) fn has_begun_anew(&mut self) -> bool {
        std::mem::take(&mut self.has_begun_anew)
    }

    /// Reports damage to the file, now and at the end.
    fn note(&mut self, found: &str, hint: String) {
        let found = format!("{found} by another program during the recording");
        let error = RecordError::new(&self.place, found).hint(hint);
        tracing::warn!(diagnostic = error.as_value());
        self.damage.get_or_insert(error);
    }

    /// Continues in another file, with everything that is not in this file yet, or with all of it if only the name was removed.
    fn begin_anew(&mut self, damage: FileDamage) -> Result<(), RecordError> {
        let failed = |place: &str, cause: std::io::Error| failure(place, &McapError::Io(cause));
        self.file.control.divert();
        self.file.mcap.flush().map_err(|cause| failure(&self.place, &cause))?;
        let mut unwritten = self.file.control.divert();
        unwritten.extend_from_slice(&END);
        let create = |content: &[u8]| create_beside(&self.path, content).map_err(|cause| failed(&self.place, cause));
        let (file, path) = OpenFile::new(create, &self.place, self.compression)?;
        let before = std::mem::replace(&mut self.file, file);
        let place = path.display().to_string();
        let follows = format!("later messages are in {place}");
        match damage {
            FileDamage::Removed | FileDamage::Moved => self.note("was removed", format!("all messages are in {place}")),
            FileDamage::Cut(length) => self.note(&format!("was truncated to {length} bytes"), follows),
            FileDamage::Overwritten => self.note("was overwritten", follows),
        }
        self.place = place;
        if damage == FileDamage::Removed {
            let mut file = before.monitor.file();
            file.seek(SeekFrom::Start(MAGIC.len() as u64)).map_err(|cause| failed(&self.place, cause))?;
            self.take_over(&mut BufReader::new(file))?;
        } else {
            self.has_begun_anew = true;
            self.beginnings += 1;
        }
        self.take_over(&mut unwritten.as_slice())
    }

    /// Appends the messages and attachments that follow the magic of another recording with the same channels.
    fn take_over(&mut self, other: &mut impl Read) -> Result<(), RecordError> {
        let mut copy = RecordCopier { output: self, done: Ok(()) };
        // The data is our own, and corrupt only if the disk is.
        let walked = framing::walk(other, &mut copy);
        copy.done?;
        walked.map_err(|reason| failure(&self.place, &McapError::Io(std::io::Error::other(reason))))
    }
}

/// Writes messages and attachments to a recording.
struct RecordCopier<'a> {
    output: &'a mut McapOutput,
    done: Result<(), RecordError>,
}

impl RecordVisitor for RecordCopier<'_> {
    fn record(&mut self, opcode: u8, data: &[u8], _place: u64) -> Option<()> {
        self.done = match opcode {
            op::MESSAGE => {
                let (channel_id, log_time, content) = framing::message(data)?;
                let sequence = u32::from_le_bytes(*data.get(2..)?.first_chunk()?);
                self.output.append(&MessageHeader { channel_id, sequence, log_time, publish_time: log_time }, content)
            }
            op::ATTACHMENT => {
                let (time, name, content) = framing::attachment(data)?;
                self.output.attach(time, name, content)
            }
            op::METADATA => match mcap::parse_record(opcode, data) {
                Ok(Record::Metadata(metadata)) => self.output.add_metadata(&metadata),
                _ => return None,
            },
            _ => Ok(()),
        };
        self.done.is_ok().then_some(())
    }
}

/// A topic with its type and the quality of service that it offers.
#[derive(PartialEq, Eq)]
struct DeclaredTopic {
    topic: String,
    kind: &'static str,
    offered: String,
}

/// A file that is being written.
struct OpenFile {
    mcap: mcap::Writer<Disk>,
    /// How many of the channels it has.
    declared: usize,
    control: Arc<Control>,
    monitor: FileMonitor,
}

impl OpenFile {
    /// Creates a file by `create`, which is given its first content and returns its path too.
    fn new(
        create: impl FnOnce(&[u8]) -> Result<(File, PathBuf), RecordError>,
        place: &str,
        compression: Compression,
    ) -> Result<(OpenFile, PathBuf), RecordError> {
        let failed = |cause: McapError| failure(place, &cause);
        let compression = match compression {
            Compression::None => None,
            Compression::Zstd => Some(mcap::Compression::Zstd),
            Compression::Lz4 => Some(mcap::Compression::Lz4),
        };
        let (disk, control) = Disk::new();
        let mut mcap = WriteOptions::new()
            .profile("ros2")
            .library(concat!("skidpad ", env!("CARGO_PKG_VERSION")))
            .compression(compression)
            .compression_threads(0)
            // Chunks are closed here, by size and by time.
            .chunk_size(None)
            .calculate_data_section_crc(false)
            .create(disk)
            .map_err(failed)?;
        mcap.flush().map_err(failed)?;
        let mut content = control.divert();
        let length = content.len() as u64;
        content.extend_from_slice(&END);
        let (file, path) = create(&content)?;
        let monitor = FileMonitor::new(file.try_clone().map_err(McapError::Io).map_err(failed)?, &path);
        control.attach(Box::new(file), length);
        Ok((OpenFile { mcap, declared: 0, control, monitor }, path))
    }

    /// Appends a message, behind those of `channels` that the file lacks. A chunk thus begins with a message at hand: without
    /// one its index is empty, and the readers under rosbag2 then find no message in the whole file.
    fn append(&mut self, channels: &[DeclaredTopic], header: &MessageHeader, data: &[u8]) -> Result<(), McapError> {
        for channel in &channels[self.declared..] {
            let schema = self.mcap.add_schema(channel.kind, "ros2msg", message::definition(channel.kind).as_bytes())?;
            let metadata = BTreeMap::from([("offered_qos_profiles".to_owned(), channel.offered.clone())]);
            self.declared += 1;
            // No two channels are the same, so ids are counted from 1 on.
            self.mcap.add_channel(schema, &channel.topic, "cdr", &metadata)?;
        }
        self.mcap.write_to_known_channel(header, data)
    }
}

fn failure(place: &str, cause: &McapError) -> RecordError {
    let (reason, kind) = match cause {
        McapError::Io(cause) => (cause.to_string(), Some(cause.kind())),
        other => (other.to_string(), None),
    };
    let error = RecordError::from(FileError::write(place, RecordError::of(reason)));
    match kind {
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => error.hint("make room on the disk"),
        Some(io::ErrorKind::FileTooLarge) => error.hint("raise the limit of the size of files: ulimit -f"),
        _ => error,
    }
}
