//! What is where in a recording: read once, from start to end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use mcap::records::op;
use rusqlite::{Connection, types::ValueRef};

use super::decode;
use crate::analysis::bag::{BagError, sqlite};
use crate::record::SCENE_ATTACHMENT;
use crate::record::framing::{self, RECORD_HEAD, Visitor};

/// Messages outside chunks make a block of so many bytes.
const LOOSE: u64 = 1 << 20;

/// Whether this log time [ns] can be one; those that are can be added and subtracted. Broken files have others.
pub(super) fn is_time(log: i64) -> bool {
    (0..=i64::MAX / 2).contains(&log)
}

/// A topic of the recording.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) topic: String,
    /// Type of its messages.
    pub(super) kind: String,
    /// Of transforms: the child frame. Each has a channel of its own here, as messages hold some of them only.
    pub(super) child: Option<String>,
    /// Log time of its first message [ns].
    pub(super) first: i64,
    /// Log time of its last message [ns].
    pub(super) last: i64,
}

impl Channel {
    /// What stands before its name: nothing, or `/r1`.
    pub(super) fn prefix(&self) -> &str {
        self.topic.rsplit_once('/').map_or("", |(prefix, _)| prefix)
    }

    /// Whether there is a message on it.
    pub(super) fn has_messages(&self) -> bool {
        self.first <= self.last
    }
}

/// A part of a file that is read as one.
#[derive(Debug)]
pub(super) struct Block {
    /// Number of the file.
    pub(super) source: usize,
    /// Where it begins [bytes], or its first row.
    pub(super) place: u64,
    /// Its length [bytes], or how many rows follow the first.
    pub(super) length: u64,
    /// Whether it is the content of a chunk; else of records.
    pub(super) is_packed: bool,
    /// Log time of its first message [ns].
    pub(super) start: i64,
    /// Log time of its last message [ns].
    pub(super) end: i64,
    /// Number of each channel in it, by number, with the log times of its first and last message.
    held: Box<[(u16, i64, i64)]>,
    /// Log time and stamp of its first and of its last odometry [ns].
    pub(super) stamps: [Option<(i64, i64)>; 2],
}

impl Block {
    /// From when to when a channel is in it [ns].
    pub(super) fn holds(&self, channel: u16) -> Option<(i64, i64)> {
        let index = self.held.binary_search_by_key(&channel, |(channel, ..)| *channel).ok()?;
        Some((self.held[index].1, self.held[index].2))
    }
}

/// Where a scene is described.
#[derive(Debug)]
pub(super) struct Document {
    /// From when on it is so [ns].
    pub(super) time: i64,
    pub(super) source: usize,
    /// Where the content of its record begins [bytes].
    pub(super) place: u64,
    /// Its length [bytes].
    pub(super) length: u64,
}

/// A block that is being read.
struct Open {
    place: u64,
    end: u64,
    is_packed: bool,
    held: BTreeMap<u16, (i64, i64)>,
    stamps: [Option<(i64, i64)>; 2],
}

/// Numbers of the transforms in the messages of a channel, by child frame.
pub(super) type Children = BTreeMap<u16, BTreeMap<String, u16>>;

/// Collects the index of all files.
#[derive(Default)]
pub(super) struct Indexer {
    pub(super) channels: Vec<Channel>,
    pub(super) blocks: Vec<Block>,
    pub(super) documents: Vec<Document>,
    /// Number of the file that is being read.
    source: usize,
    schemas: BTreeMap<u16, String>,
    /// Its channels, and their numbers here; none for those of no use.
    ids: BTreeMap<u64, Option<u16>>,
    pub(super) children: Children,
    open: Option<Open>,
    /// Messages of this file.
    count: u64,
    /// Those of them that are left out for their log times.
    untimed: u64,
    /// Encodings that are not read.
    foreign: Vec<String>,
}

impl Indexer {
    /// Adds an MCAP file, and says what its channels are called here.
    pub(super) fn mcap(
        &mut self,
        path: &Path,
        file: File,
        source: usize,
        notes: &mut Vec<String>,
    ) -> io::Result<Vec<(u64, u16)>> {
        self.begin(source);
        let mut file = BufReader::with_capacity(1 << 18, file);
        framing::skip_magic(&mut file)?;
        let ended = framing::walk(&mut file, self);
        self.close();
        if let Err(error) = ended {
            notes.push(format!("{}: ends early after {} messages: {error}", path.display(), self.count));
        }
        if let Some(encoding) = self.foreign.first() {
            notes.push(format!(
                "{}: {} topics encoded as \"{encoding}\" or so are left out, only cdr is read",
                path.display(),
                self.foreign.len()
            ));
        }
        self.note_times(path, notes);
        Ok(self.ids())
    }

    /// Opens a sqlite3 bag and adds it.
    pub(super) fn sqlite(
        &mut self,
        path: &Path,
        source: usize,
        notes: &mut Vec<String>,
    ) -> Result<(Connection, Vec<(u64, u16)>), BagError> {
        self.begin(source);
        let connection = sqlite::open(path)?;
        self.topics(&connection).map_err(|error| sqlite::format(path, &error))?;
        let read = self.rows(&connection);
        self.close();
        if let Err(error) = read {
            notes.push(format!("{}: ends early after {} messages: {error}", path.display(), self.count));
        }
        self.note_times(path, notes);
        Ok((connection, self.ids()))
    }

    fn note_times(&self, path: &Path, notes: &mut Vec<String>) {
        if self.untimed > 0 {
            notes.push(format!(
                "{}: {} messages are left out: their log times are no times\n  accepted: times from 1970 to 2116",
                path.display(),
                self.untimed
            ));
        }
    }

    fn begin(&mut self, source: usize) {
        self.source = source;
        self.schemas.clear();
        self.ids.clear();
        self.foreign.clear();
        (self.open, self.count, self.untimed) = (None, 0, 0);
    }

    fn ids(&self) -> Vec<(u64, u16)> {
        self.ids.iter().filter_map(|(id, number)| Some((*id, (*number)?))).collect()
    }

    fn topics(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut query = connection.prepare("SELECT id, name, type, serialization_format FROM topics")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let (id, name, kind, encoding): (i64, String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            self.add(id as u64, name, kind, &encoding);
        }
        Ok(())
    }

    fn rows(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut query = connection.prepare("SELECT id, topic_id, timestamp, data FROM messages ORDER BY id")?;
        let mut rows = query.query([])?;
        let mut size = 0;
        while let Some(row) = rows.next()? {
            let (row_id, id, time): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let ValueRef::Blob(data) = row.get_ref(3)? else { continue };
            let place = row_id as u64;
            self.extend(place, place);
            self.message(id as u64, time, data);
            size += data.len() as u64;
            if size >= LOOSE {
                size = 0;
                self.close();
            }
        }
        Ok(())
    }

    /// Has the open block outside chunks reach to `end`; opens one at `place` where there is none.
    fn extend(&mut self, place: u64, end: u64) {
        let new = || Open { place, end, is_packed: false, held: BTreeMap::new(), stamps: [None; 2] };
        self.open.get_or_insert_with(new).end = end;
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let start = open.held.values().map(|(first, _)| *first).min();
        let end = open.held.values().map(|(_, last)| *last).max();
        // One without anything of use is left out.
        if let (Some(start), Some(end)) = (start, end) {
            self.blocks.push(Block {
                source: self.source,
                place: open.place,
                // Numbers of rows may be below zero.
                length: open.end.wrapping_sub(open.place),
                is_packed: open.is_packed,
                start,
                end,
                held: open.held.into_iter().map(|(channel, (first, last))| (channel, first, last)).collect(),
                stamps: open.stamps,
            });
        }
    }

    /// The topic of a file with this id there.
    fn add(&mut self, id: u64, topic: String, kind: String, encoding: &str) {
        let number = match encoding {
            "cdr" if decode::is_of_use(&kind) => self.number(&topic, &kind, None),
            "cdr" => None,
            _ => {
                self.foreign.push(encoding.to_owned());
                None
            }
        };
        self.ids.insert(id, number);
    }

    /// Number of a topic, or of a transform on it; made at the first call. None where there are too many.
    fn number(&mut self, topic: &str, kind: &str, child: Option<String>) -> Option<u16> {
        let is_it = |known: &Channel| known.topic == topic && known.kind == kind && known.child == child;
        let index = self.channels.iter().position(is_it).unwrap_or(self.channels.len());
        let number = u16::try_from(index).ok()?;
        if index == self.channels.len() {
            let (topic, kind) = (topic.to_owned(), kind.to_owned());
            self.channels.push(Channel { topic, kind, child, first: i64::MAX, last: i64::MIN });
        }
        Some(number)
    }

    /// Something of a channel in the open block.
    fn note(&mut self, number: u16, time: i64) {
        let (Some(channel), Some(open)) = (self.channels.get_mut(usize::from(number)), &mut self.open) else { return };
        (channel.first, channel.last) = (channel.first.min(time), channel.last.max(time));
        let held = open.held.entry(number).or_insert((time, time));
        *held = (held.0.min(time), held.1.max(time));
    }

    /// A message in the open block; none where nothing says what it is.
    fn message(&mut self, id: u64, time: i64, data: &[u8]) -> Option<()> {
        self.count += 1;
        if !is_time(time) {
            self.untimed += 1;
            return Some(());
        }
        let Some(number) = *self.ids.get(&id)? else { return Some(()) };
        let channel = self.channels.get(usize::from(number))?;
        if channel.kind == decode::TRANSFORMS {
            let (topic, kind) = (channel.topic.clone(), channel.kind.clone());
            for child in decode::children(data) {
                let known = self.children.get(&number).and_then(|children| children.get(&child)).copied();
                let Some(number_of_child) = known.or_else(|| self.number(&topic, &kind, Some(child.clone()))) else {
                    continue;
                };
                if known.is_none() {
                    self.children.entry(number).or_default().insert(child, number_of_child);
                }
                self.note(number_of_child, time);
            }
            return Some(());
        }
        self.note(number, time);
        let channel = self.channels.get(usize::from(number))?;
        let open = self.open.as_mut()?;
        if [decode::ODOMETRY, decode::STATE].contains(&channel.kind.as_str())
            && let Some(stamp) = decode::stamp(data)
        {
            let index = usize::from(open.stamps[0].is_some());
            open.stamps[index] = Some((time, stamp));
        }
        Some(())
    }
}

impl Visitor for Indexer {
    fn chunk(&mut self, place: u64, length: u64) {
        self.close();
        let end = place + length;
        self.open = Some(Open { place, end, is_packed: true, held: BTreeMap::new(), stamps: [None; 2] });
    }

    fn chunk_end(&mut self) {
        self.close();
    }

    fn record(&mut self, opcode: u8, data: &[u8], place: u64) -> Option<()> {
        match opcode {
            op::SCHEMA => {
                let (id, name) = framing::schema(data)?;
                self.schemas.insert(id, name);
            }
            op::CHANNEL => {
                let record = framing::channel(data)?;
                let kind = self.schemas.get(&record.schema).cloned().unwrap_or_default();
                self.add(u64::from(record.id), record.topic, kind, &record.encoding);
            }
            op::MESSAGE => {
                let (id, time, content) = framing::message(data)?;
                if self.open.as_ref().is_none_or(|open| !open.is_packed) {
                    self.extend(place - RECORD_HEAD, place + data.len() as u64);
                }
                self.message(u64::from(id), time as i64, content)?;
                if self.open.as_ref().is_some_and(|open| !open.is_packed && open.end - open.place >= LOOSE) {
                    self.close();
                }
            }
            op::ATTACHMENT => {
                // A block of messages shall not hold what may be long.
                self.close();
                let (time, name, _) = framing::attachment(data)?;
                if name == SCENE_ATTACHMENT {
                    let (time, length) = (i64::try_from(time).unwrap_or(i64::MAX), data.len() as u64);
                    self.documents.push(Document { time, source: self.source, place, length });
                }
            }
            _ => {}
        }
        Some(())
    }
}
