//! Compares two recordings message by message: topic, log time and bytes; of messages that depend on where files are, what they say.
//!
//! Chunks, indexes and attachments do not count: they depend on the wall clock, or say what a recording was made from.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};
use skidpad_files::assets::hex;
use skidpad_files::diagnostic::Diagnostic;

use crate::bag::{self, BagError, FileRange, Visitor};
use crate::destination::size;

/// The messages of a recording: of each its log time [ns] and the SHA-256 of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    topics: BTreeMap<String, Vec<(i64, [u8; 32])>>,
    size: u64,
}

/// The first message in which two recordings differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its topic.
    pub topic: String,
    /// Its place among the messages of the topic, from 0.
    pub index: usize,
    /// Its log time [ns] in the one and in the other recording; none: that one has no such message.
    pub times: [Option<i64>; 2],
}

/// What a message of a type, with its definition, says wherever it was made; none: its bytes do.
pub type Meaning<'a> = dyn Fn(&str, &str, &[u8]) -> Option<String> + 'a;

/// Collects the messages of one file.
struct Reader<'a> {
    messages: &'a mut Messages,
    definitions: BTreeMap<String, String>,
    /// Names and types of the topics by id.
    topics: BTreeMap<u64, (String, String)>,
    leave_out: &'a dyn Fn(&str) -> bool,
    meaning: &'a Meaning<'a>,
}

impl Visitor for Reader<'_> {
    fn definition(&mut self, kind: &str, text: &str) {
        self.definitions.insert(kind.to_owned(), text.to_owned());
    }

    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let is_wanted = !(self.leave_out)(name);
        if is_wanted {
            self.topics.insert(id, (name.to_owned(), kind.to_owned()));
        }
        is_wanted
    }

    fn message(&mut self, id: u64, time: i64, data: &[u8]) {
        let Some((name, kind)) = self.topics.get(&id) else { return };
        self.messages.size += size(data.len());
        let definition = self.definitions.get(kind).map_or("", String::as_str);
        let meaning = (self.meaning)(kind, definition, data);
        let digest = meaning.map_or_else(|| Sha256::digest(data), Sha256::digest);
        let message = (time, digest.into());
        match self.messages.topics.get_mut(name) {
            Some(messages) => messages.push(message),
            None => drop(self.messages.topics.insert(name.clone(), vec![message])),
        }
    }

    fn attachment(&mut self, _: u64, _: &str, place: FileRange) {
        self.messages.size += size(usize::try_from(place.length).unwrap_or(usize::MAX));
    }
}

/// Finds the bytes of one message.
struct Finder<'a> {
    topic: &'a str,
    ids: Vec<(u64, String)>,
    definitions: BTreeMap<String, String>,
    left: usize,
    message: Option<(String, Vec<u8>)>,
}

impl Visitor for Finder<'_> {
    fn definition(&mut self, kind: &str, text: &str) {
        self.definitions.insert(kind.to_owned(), text.to_owned());
    }

    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        if name == self.topic {
            self.ids.push((id, kind.to_owned()));
        }
        name == self.topic
    }

    fn message(&mut self, id: u64, _time: i64, data: &[u8]) {
        let Some((_, kind)) = self.ids.iter().find(|(known, _)| *known == id) else { return };
        match self.left.checked_sub(1) {
            None if self.message.is_none() => self.message = Some((kind.clone(), data.to_vec())),
            None => {}
            Some(left) => self.left = left,
        }
    }
}

/// A message as a recording holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawMessage {
    /// Its type.
    pub kind: String,
    /// The definition of the type; empty: the recording has none.
    pub definition: String,
    /// Its bytes.
    pub data: Vec<u8>,
}

/// The message of `topic` at this place, from 0; none: it is not there.
pub fn message(path: &Path, topic: &str, index: usize) -> Option<RawMessage> {
    let mut finder = Finder { topic, ids: Vec::new(), definitions: BTreeMap::new(), left: index, message: None };
    bag::visit_files(path, "are read", &mut Vec::new(), |mut file, notes| {
        finder.ids.clear();
        file.scan(&mut finder, notes);
    })
    .ok()?;
    let (kind, data) = finder.message?;
    let definition = finder.definitions.remove(&kind).unwrap_or_default();
    Some(RawMessage { kind, definition, data })
}

impl Messages {
    /// Reads the messages of a recording, but for topics that are to be left out; of those that have a `meaning` this counts. What is wrong
    /// with the file is added to `notes`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(
        path: &Path,
        leave_out: &dyn Fn(&str) -> bool,
        meaning: &Meaning,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Messages, BagError> {
        let mut messages = Messages::default();
        bag::visit_files(path, "are read", notes, |mut file, notes| {
            let (definitions, topics) = (BTreeMap::new(), BTreeMap::new());
            let mut reader = Reader { messages: &mut messages, definitions, topics, leave_out, meaning };
            file.scan(&mut reader, notes);
        })?;
        Ok(messages)
    }

    /// Number of topics with messages, and of their messages.
    pub fn count(&self) -> (usize, usize) {
        (self.topics.len(), self.topics.values().map(Vec::len).sum())
    }

    /// What they and the attachments take in a file, about [bytes], as [`Bounds`](crate::Bounds) count it.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Log time of the last message [ns]; none: there is no message.
    pub fn last_time(&self) -> Option<i64> {
        self.topics.values().flatten().map(|(time, _)| *time).max()
    }

    /// SHA-256 of all messages: of each topic in the order of names, its name, and time and digest of each message.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for (name, messages) in &self.topics {
            digest.update(name);
            digest.update([0]);
            for (time, sum) in messages {
                digest.update(time.to_le_bytes());
                digest.update(sum);
            }
        }
        hex(digest.finalize())
    }

    /// The first difference of each topic that differs, the earliest first. `is_whole`: messages that only the other recording has count,
    /// too; otherwise this one may have ended early.
    pub fn differences(&self, other: &Messages, is_whole: bool) -> Vec<Difference> {
        let none = Vec::new();
        let names = self.topics.keys().chain(other.topics.keys().filter(|name| !self.topics.contains_key(*name)));
        let first = |name: &String| {
            let [a, b] = [self, other].map(|messages| messages.topics.get(name).unwrap_or(&none));
            let index = (0..a.len().max(b.len())).find(|&index| a.get(index) != b.get(index))?;
            let times = [a, b].map(|messages| messages.get(index).map(|(time, _)| *time));
            (times[0].is_some() || is_whole).then(|| Difference { topic: name.clone(), index, times })
        };
        let mut all: Vec<Difference> = names.filter_map(first).collect();
        all.sort_by_key(|difference| (difference.time(), difference.topic.clone()));
        all
    }
}

impl Difference {
    /// The earlier of its log times [ns].
    pub fn time(&self) -> i64 {
        self.times.iter().flatten().min().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(of: &[(&str, i64, &str)]) -> Messages {
        let mut all = Messages::default();
        for (topic, time, text) in of {
            let message = (*time, Sha256::digest(text).into());
            all.topics.entry((*topic).to_owned()).or_default().push(message);
        }
        all
    }

    #[test]
    fn the_earliest_difference_of_each_topic_is_found() {
        let a = messages(&[("/a", 1, "x"), ("/b", 1, "y"), ("/a", 2, "x"), ("/b", 3, "y")]);
        let difference = |topic: &str, index, times| Difference { topic: topic.into(), index, times };
        let of = |other: &Messages, is_whole| a.differences(other, is_whole);
        assert_eq!(of(&a, true), []);
        // The order of topics in a file does not count.
        let sorted = messages(&[("/b", 1, "y"), ("/b", 3, "y"), ("/a", 1, "x"), ("/a", 2, "x")]);
        assert_eq!((of(&sorted, true), a.digest()), (vec![], sorted.digest()));
        let other = messages(&[("/a", 1, "x"), ("/b", 1, "z"), ("/a", 3, "x"), ("/b", 3, "y"), ("/c", 0, "")]);
        let expected = [
            difference("/c", 0, [None, Some(0)]),
            difference("/b", 0, [Some(1); 2]),
            difference("/a", 1, [Some(2), Some(3)]),
        ];
        assert_eq!(of(&other, true), expected);
        assert_eq!(of(&other, false), expected[1..]);
        assert_ne!(a.digest(), other.digest());
        let longer = messages(&[("/a", 1, "x"), ("/b", 1, "y"), ("/a", 2, "x"), ("/b", 3, "y"), ("/b", 4, "y")]);
        assert_eq!(of(&longer, true), [difference("/b", 2, [None, Some(4)])]);
        assert_eq!((of(&longer, false), longer.differences(&a, false).len()), (vec![], 1));
    }
}
