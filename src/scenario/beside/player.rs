//! Plays a recording in simulated time: its first message at 0, each other one as much later as it was logged. What is due is sent before the step
//! that begins then, so that it depends on no clock which step that is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;
use skidpad_record::bag::{self, BagReader, FileRange, Visitor};

/// The topic of simulated time, which is the simulation's own.
pub(super) const CLOCK: &str = "/clock";

/// A topic that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlayedTopic {
    /// Its full name.
    pub(crate) name: String,
    /// The type of its messages.
    pub(crate) kind: String,
}

/// A block of messages.
struct Block {
    /// The log time of its first message that is played [ns].
    first: i64,
    file: usize,
    place: FileRange,
}

/// A message that has been read: when it was logged [ns], and its number in the order of reading; with its topic and its bytes.
type Read = Reverse<(i64, u64, usize, Vec<u8>)>;

/// A recording that is played.
pub(crate) struct Player {
    files: Vec<(BagReader, BTreeMap<u64, usize>)>,
    /// In the order of their first messages.
    blocks: std::iter::Peekable<std::vec::IntoIter<Block>>,
    read: BinaryHeap<Read>,
    count: u64,
    /// The log time that is played at 0 [ns].
    begin: i64,
    topics: Vec<PlayedTopic>,
}

impl Player {
    /// Reads what the recording at `path` holds of these topics; of none: of all but the clock. What is wrong with parts of it is added to `notes`.
    ///
    /// # Errors
    /// It cannot be read, or lacks a topic.
    pub(crate) fn open(path: &Path, wanted: &[String], notes: &mut Vec<Diagnostic>) -> Result<Player, Diagnostics> {
        let (mut files, mut blocks, mut topics) = (Vec::new(), Vec::new(), Vec::new());
        let (mut begin, mut unplayed) = (i64::MAX, BTreeSet::new());
        let opened = bag::visit_files(path, "are played", notes, |mut file, notes| {
            let number = files.len();
            let (ids, first) = (BTreeMap::new(), None);
            let mut scan = Scan {
                wanted,
                file: number,
                ids,
                first,
                begin: &mut begin,
                blocks: &mut blocks,
                topics: &mut topics,
                unplayed: &mut unplayed,
            };
            file.scan(&mut scan, notes);
            let ids = scan.ids;
            files.push((file, ids));
        });
        opened.map_err(|error| Diagnostics::from(&error))?;
        let lacks = |name: &&String| topics.iter().all(|topic| topic.name != **name);
        if let Some(name) = wanted.iter().find(lacks) {
            let names: Vec<&String> = topics.iter().map(|topic: &PlayedTopic| &topic.name).chain(&unplayed).collect();
            let message = Diagnostic::new("topics", format!("the recording has no \"{name}\""));
            return Err(message.one_of(name, &names).into());
        }
        blocks.sort_by_key(|block: &Block| (block.first, block.file));
        let blocks = blocks.into_iter().peekable();
        Ok(Player { files, blocks, read: BinaryHeap::new(), count: 0, begin, topics })
    }

    /// The topics that it plays.
    pub(crate) fn topics(&self) -> &[PlayedTopic] {
        &self.topics
    }

    /// Sends what is due before the step that begins at `now`: index of the topic, and bytes.
    pub(crate) fn play(&mut self, now: SimTime, mut send: impl FnMut(usize, &[u8])) {
        let until = self.begin.saturating_add(now.0);
        while let Some(Block { file, place, .. }) = self.blocks.next_if(|block| block.first <= until) {
            let Some((reader, ids)) = self.files.get(file) else { continue };
            let (read, count) = (&mut self.read, &mut self.count);
            // What has become unreadable since the scan is not played.
            let _ = reader.read(&place, |id, time, _, bytes| {
                if let Some(topic) = ids.get(&id) {
                    *count += 1;
                    read.push(Reverse((time, *count, *topic, bytes.to_vec())));
                }
            });
        }
        while self.read.peek().is_some_and(|Reverse((time, ..))| *time <= until) {
            if let Some(Reverse((_, _, topic, bytes))) = self.read.pop() {
                send(topic, &bytes);
            }
        }
    }
}

/// Notes topics and blocks of a file.
struct Scan<'a> {
    wanted: &'a [String],
    file: usize,
    /// The indices of topics by their ids in this file.
    ids: BTreeMap<u64, usize>,
    /// Log time of the first message of the open block that is played.
    first: Option<i64>,
    begin: &'a mut i64,
    blocks: &'a mut Vec<Block>,
    topics: &'a mut Vec<PlayedTopic>,
    /// Names of topics that are not played.
    unplayed: &'a mut BTreeSet<String>,
}

impl Visitor for Scan<'_> {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let is_played =
            if self.wanted.is_empty() { name != CLOCK } else { self.wanted.iter().any(|wanted| wanted == name) };
        if is_played {
            let known = self.topics.iter().position(|topic| topic.name == name);
            let index = known.unwrap_or(self.topics.len());
            if known.is_none() {
                self.topics.push(PlayedTopic { name: name.to_owned(), kind: kind.to_owned() });
            }
            self.ids.insert(id, index);
        } else {
            self.unplayed.insert(name.to_owned());
        }
        // The recording begins with the first message of any topic.
        true
    }

    fn message(&mut self, id: u64, time: i64, _data: &[u8]) {
        *self.begin = (*self.begin).min(time);
        if self.ids.contains_key(&id) {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
        }
    }

    fn block(&mut self, place: FileRange) {
        if let Some(first) = self.first.take() {
            self.blocks.push(Block { first, file: self.file, place });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Scenario;
    use crate::result::Case;
    use crate::run::{RunOptions, record};

    /// What is played at these times [s], as topic and bytes.
    fn played(player: &mut Player, times: impl Iterator<Item = f64>) -> Vec<(usize, usize, Vec<u8>)> {
        let mut all = Vec::new();
        for (number, time) in times.enumerate() {
            player.play(SimTime::from_secs(time), |topic, bytes| all.push((number, topic, bytes.to_vec())));
        }
        all
    }

    #[test]
    fn messages_are_due_as_much_after_the_first_as_they_were_logged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mcap");
        let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/twist_ideal.world.xml");
        let text = format!(
            "world: {}\ncontroller: none\nvehicle: robot\nduration: 1\nexpect: {{collisions: {{at_most: 0}}}}",
            world.display()
        );
        let scenario = Scenario::parse(Path::new("s.yaml"), &text, &[]).unwrap();
        let case = Case { scenario: "s".into(), file: "s.yaml".into(), varied: Vec::new(), repetition: None };
        record(&scenario, &scenario.experiment, &case, &RunOptions::default(), &path.clone().into()).unwrap();
        let mut notes = Vec::new();
        let open = |wanted: &[String], notes: &mut Vec<Diagnostic>| Player::open(&path, wanted, notes);
        let mut all = open(&[], &mut notes).unwrap();
        let names: Vec<String> = all.topics().iter().map(|topic| topic.name.clone()).collect();
        assert!(names.iter().all(|name| name != CLOCK) && names.len() > 2, "{names:?}");
        let odometry = "/robot/odom".to_owned();
        let fine = played(&mut all, (0..=400).map(|step| f64::from(step) * 0.005));
        let index = names.iter().position(|name| *name == odometry).unwrap();
        let of_odometry: Vec<_> = fine.iter().filter(|(_, topic, _)| *topic == index).collect();
        // In equal distances, however often it is looked.
        let steps: Vec<usize> = of_odometry.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        assert!(steps.len() > 8 && steps.iter().all(|step| step.abs_diff(steps[0]) <= 1), "{steps:?}");
        let mut player = open(std::slice::from_ref(&odometry), &mut notes).unwrap();
        let coarse = played(&mut player, [0.3, 2.0].into_iter());
        assert!(coarse.iter().map(|(.., bytes)| bytes).eq(of_odometry.iter().map(|(.., bytes)| bytes)));
        let early = of_odometry.iter().filter(|(step, ..)| *step <= 60).count();
        assert_eq!(coarse.iter().filter(|(look, ..)| *look == 0).count(), early);
        assert!(notes.is_empty());
        let reported = open(&["/robot/odo".to_owned()], &mut notes).err().unwrap().to_string();
        assert!(
            reported.starts_with("topics: the recording has no \"/robot/odo\"") && reported.contains("did you mean"),
            "{reported}"
        );
    }
}
