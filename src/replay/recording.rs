//! A recording as messages in order of time, read block by block.
//!
//! Opening a recording reads the file once and keeps, for each block (a chunk of MCAP, or an equal amount of a file without chunks), its
//! location and the time span of each topic in it: about a hundredth of the file. Blocks are then read on demand; a few are cached
//! ([`CACHE`]), so that memory does not grow with the file.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_record::bag::{self, BagError, BagReader};

use super::decode;
use super::index::{self, Block, Children, Document, IndexedChannel, Indexer};
use super::roll_distance::PoseWithRoll;
use super::sensor_data::is_on_request;

/// Size of the cache of unpacked blocks [bytes]; a larger block is cached alone.
const CACHE: usize = 64 << 20;

/// A file, and the numbers of its channels in the whole recording.
struct SourceFile {
    file: BagReader,
    /// Number of each channel of the file that a replay uses, by its id in the file.
    channels: Vec<(u64, u16)>,
}

/// An opened recording.
pub(super) struct Recording {
    sources: Vec<SourceFile>,
    pub(super) channels: Vec<IndexedChannel>,
    children: Children,
    /// Sorted by the time of their first message.
    blocks: Vec<Block>,
    /// For each block the latest end of it and all blocks before it.
    reach: Vec<i64>,
    /// Scenes, by time.
    pub(super) documents: Vec<Document>,
    provenance: Option<Document>,
    /// Notes about unreadable parts.
    pub(super) notes: Vec<Diagnostic>,
    cache: VecDeque<(usize, Arc<LoadedBlock>)>,
    cached: usize,
}

/// A block in memory.
pub(super) struct LoadedBlock {
    /// Its number.
    index: usize,
    bytes: Vec<u8>,
    /// The messages relevant to a replay, by time.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    time: i64,
    channel: u16,
    start: usize,
    length: usize,
}

/// A message, with the block that holds it.
#[derive(Clone)]
pub(super) struct Message {
    block: Arc<LoadedBlock>,
    entry: Entry,
}

impl Message {
    /// When it was logged [ns].
    pub(super) fn time(&self) -> i64 {
        self.entry.time
    }

    /// Sort key of messages: log time, then channel.
    pub(super) fn order(&self) -> (i64, u16) {
        (self.entry.time, self.entry.channel)
    }

    /// Number of its channel.
    pub(super) fn channel(&self) -> u16 {
        self.entry.channel
    }

    /// Whether both are the same message: one of several transforms is listed once for each.
    pub(super) fn is_same(&self, other: &Message) -> bool {
        Arc::ptr_eq(&self.block, &other.block) && self.entry.start == other.entry.start
    }

    /// Its bytes, as CDR with its encapsulation.
    pub(super) fn data(&self) -> &[u8] {
        &self.block.bytes[self.entry.start..self.entry.start + self.entry.length]
    }
}

impl Recording {
    /// Opens a file or a folder of `ros2 bag record`.
    pub(super) fn open(path: &Path) -> Result<Recording, BagError> {
        let mut notes = Vec::new();
        let mut indexer = Indexer::default();
        let mut sources: Vec<SourceFile> = Vec::new();
        bag::visit_files(path, "are shown", &mut notes, |mut file, notes| {
            let channels = indexer.add(&mut file, sources.len(), notes);
            sources.push(SourceFile { file, channels });
        })?;
        let Indexer { channels, children, mut blocks, mut documents, provenance, .. } = indexer;
        blocks.sort_by_key(|block| block.start);
        documents.sort_by_key(|document| document.time);
        let reach = blocks.iter().scan(i64::MIN, |latest, block| {
            *latest = block.end.max(*latest);
            Some(*latest)
        });
        let reach = reach.collect();
        let cache = VecDeque::new();
        Ok(Recording { sources, channels, children, blocks, reach, documents, provenance, notes, cache, cached: 0 })
    }

    /// Log time of the first and the last message [ns]; none without any relevant message.
    pub(super) fn span(&self) -> Option<(i64, i64)> {
        Some((self.blocks.first()?.start, *self.reach.last()?))
    }

    /// Log time and stamp [ns] of some odometry messages of each block, in the order of the log.
    pub(super) fn stamps(&self) -> impl Iterator<Item = (i64, i64)> {
        self.blocks.iter().flat_map(|block| block.stamps.iter().flatten().copied())
    }

    /// The last message of a channel that was logged at or before `time` [ns].
    pub(super) fn last(&mut self, channel: u16, time: i64) -> Option<Message> {
        if self.channels.get(usize::from(channel)).is_none_or(|channel| channel.first > time) {
            return None;
        }
        let mut newest: Option<Message> = None;
        for index in (0..self.blocks.partition_point(|block| block.start <= time)).rev() {
            // Blocks may overlap.
            if newest.as_ref().is_some_and(|message| message.time() >= self.reach[index].min(time)) {
                break;
            }
            if self.blocks[index].holds(channel).is_none_or(|(first, _)| first > time) {
                continue;
            }
            let block = self.load(index);
            let before = block.entries.partition_point(|entry| entry.time <= time);
            let entry = block.entries[..before].iter().rev().find(|entry| entry.channel == channel).copied();
            let message = entry.map(|entry| Message { block, entry });
            if let Some(message) = message.filter(|new| newest.as_ref().is_none_or(|old| new.time() > old.time())) {
                newest = Some(message);
            }
        }
        newest
    }

    /// The first message of a channel that was logged after `time` [ns].
    pub(super) fn next(&mut self, channel: u16, time: i64) -> Option<Message> {
        if self.channels.get(usize::from(channel)).is_none_or(|channel| channel.last <= time) {
            return None;
        }
        let mut oldest: Option<Message> = None;
        for index in self.reach.partition_point(|end| *end <= time)..self.blocks.len() {
            if oldest.as_ref().is_some_and(|message| message.time() <= self.blocks[index].start) {
                break;
            }
            if self.blocks[index].holds(channel).is_none_or(|(_, last)| last <= time) {
                continue;
            }
            let block = self.load(index);
            let after = block.entries.partition_point(|entry| entry.time <= time);
            let entry = block.entries[after..].iter().find(|entry| entry.channel == channel).copied();
            let message = entry.map(|entry| Message { block, entry });
            if let Some(message) = message.filter(|new| oldest.as_ref().is_none_or(|old| new.time() < old.time())) {
                oldest = Some(message);
            }
        }
        oldest
    }

    /// The way that the moving body of a channel has rolled at its last pose at or before `time` [ns] since its first one [m].
    pub(super) fn roll_distance(&mut self, channel: u16, time: i64) -> f64 {
        let (Some(last), Some(known)) = (self.last(channel, time), self.channels.get(usize::from(channel))) else {
            return 0.0;
        };
        let (block, mut last_pose) = (&last.block, None::<PoseWithRoll>);
        for entry in block.entries.iter().filter(|entry| entry.channel == channel && entry.time <= last.time()) {
            let data = &block.bytes[entry.start..entry.start + entry.length];
            let mut transforms = decode::transforms(data);
            let Some((_, transform)) = transforms.find(|(child, _)| known.child.as_ref() == Some(child)) else {
                continue;
            };
            let pose = decode::pose(transform.translation, transform.rotation);
            last_pose = Some(match last_pose {
                Some(before) => before.followed_by(pose, entry.time),
                None => PoseWithRoll {
                    distance: self.blocks[block.index].roll_distance(channel).unwrap_or_default(),
                    ..PoseWithRoll::first(pose, entry.time)
                },
            });
        }
        last_pose.map_or(0.0, |last_pose| last_pose.distance)
    }

    /// The messages that were logged after `after` and up to `to` [ns], in order, without clouds and pictures.
    pub(super) fn messages_between(&mut self, after: i64, to: i64) -> Vec<Message> {
        let mut messages = Vec::new();
        let to_block = self.blocks.partition_point(|block| block.start <= to);
        for index in self.reach.partition_point(|end| *end <= after)..to_block {
            if self.blocks[index].end <= after
                || self.blocks[index].channels().all(|channel| self.is_on_request(channel))
            {
                continue;
            }
            let block = self.load(index);
            let from = block.entries.partition_point(|entry| entry.time <= after);
            let until = block.entries.partition_point(|entry| entry.time <= to);
            let of_span = block.entries[from..until.max(from)].iter();
            let of_block = of_span.filter(|entry| !self.is_on_request(entry.channel));
            messages.extend(of_block.map(|entry| Message { block: Arc::clone(&block), entry: *entry }));
        }
        messages.sort_by_key(Message::order);
        messages
    }

    /// Whether the messages of a channel are clouds or pictures.
    fn is_on_request(&self, channel: u16) -> bool {
        self.channels.get(usize::from(channel)).is_some_and(is_on_request)
    }

    /// The text of a scene.
    pub(super) fn document(&self, index: usize) -> Option<Vec<u8>> {
        self.text(self.documents.get(index)?)
    }

    /// The text that says how it was made; none: it does not say.
    pub(super) fn provenance(&self) -> Option<Vec<u8>> {
        self.text(self.provenance.as_ref()?)
    }

    fn text(&self, document: &Document) -> Option<Vec<u8>> {
        self.sources.get(document.source)?.file.attachment(&document.place)
    }

    /// Loads a block; empty if it has become unreadable.
    fn load(&mut self, index: usize) -> Arc<LoadedBlock> {
        if let Some(place) = self.cache.iter().position(|(known, _)| *known == index) {
            if let Some(hit) = self.cache.remove(place) {
                self.cache.push_back(hit);
            }
        } else {
            let loaded = Arc::new(self.read(index).unwrap_or_else(|| {
                tracing::warn!("the recording can no longer be read at byte {}", self.blocks[index].place.start);
                LoadedBlock { index, bytes: Vec::new(), entries: Vec::new() }
            }));
            self.cached += loaded.size();
            while self.cached > CACHE
                && let Some((_, oldest)) = self.cache.pop_front()
            {
                self.cached -= oldest.size();
            }
            self.cache.push_back((index, loaded));
        }
        Arc::clone(&self.cache[self.cache.len() - 1].1)
    }

    fn read(&self, index: usize) -> Option<LoadedBlock> {
        let block = &self.blocks[index];
        let source = self.sources.get(block.source)?;
        let mut entries = Vec::new();
        let bytes = source.file.read(&block.place, |id, time, start, data| {
            if let Some(channel) = source.channel(id) {
                enter(Entry { time, channel, start, length: data.len() }, &self.children, data, &mut entries);
            }
        })?;
        entries.sort_by_key(|entry| entry.time);
        Some(LoadedBlock { index, bytes, entries })
    }
}

impl LoadedBlock {
    fn size(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }
}

impl SourceFile {
    fn channel(&self, id: u64) -> Option<u16> {
        let index = self.channels.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.channels[index].1)
    }
}

/// Adds a message, once for each transform in it.
fn enter(entry: Entry, children: &Children, data: &[u8], entries: &mut Vec<Entry>) {
    if !index::is_time(entry.time) {
        return;
    }
    match children.get(&entry.channel) {
        None => entries.push(entry),
        Some(numbers) => {
            let numbers = decode::transforms(data).filter_map(|(child, _)| numbers.get(&child));
            entries.extend(numbers.map(|number| Entry { channel: *number, ..entry }));
        }
    }
}
