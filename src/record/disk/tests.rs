//! Every state that the file of a recording goes through, read by other readers.

use std::io::Cursor;

use mcap::records::MessageHeader;
use mcap::{MessageStream, Summary, WriteOptions};

use super::*;
use crate::bag::framing::{self, RecordVisitor};

/// A call that changes a file.
#[derive(Clone, Debug)]
enum Call {
    Write(Vec<u8>, u64),
    Cut(u64),
}

/// Notes the calls; the one with this number finds the disk full.
#[derive(Debug)]
struct Journal {
    calls: Arc<Mutex<Vec<Call>>>,
    fails_at: Option<usize>,
}

impl Storage for Journal {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut calls = lock(&self.calls);
        if self.fails_at == Some(calls.len()) {
            // As many pages as there was room for.
            let fits = (PAGE - offset % PAGE) as usize;
            calls.push(Call::Write(bytes[..if fits < bytes.len() { fits } else { 0 }].to_vec(), offset));
            return Err(io::ErrorKind::StorageFull.into());
        }
        calls.push(Call::Write(bytes.to_vec(), offset));
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        lock(&self.calls).push(Call::Cut(length));
        Ok(())
    }
}

fn apply(file: &mut Vec<u8>, call: &Call) {
    match call {
        Call::Write(bytes, _) if bytes.is_empty() => {}
        Call::Write(bytes, offset) => {
            let offset = *offset as usize;
            file.resize(file.len().max(offset + bytes.len()), 0);
            file[offset..offset + bytes.len()].copy_from_slice(bytes);
        }
        Call::Cut(length) => file.truncate(*length as usize),
    }
}

/// The file after each call, and within each: the system may end one between two pages of memory.
fn states(first: &[u8], calls: &[Call]) -> Vec<Vec<u8>> {
    let (mut file, mut states) = (first.to_vec(), vec![first.to_vec()]);
    for call in calls {
        if let Call::Write(bytes, offset) = call {
            let to_page = (PAGE - offset % PAGE) as usize;
            for part in (to_page..bytes.len()).step_by(PAGE as usize) {
                let mut cut_short = file.clone();
                apply(&mut cut_short, &Call::Write(bytes[..part].to_vec(), *offset));
                states.push(cut_short);
            }
        }
        apply(&mut file, call);
        states.push(file.clone());
    }
    states
}

/// Counts messages, as skidpad's own reader finds them.
struct Count(u64);

impl RecordVisitor for Count {
    fn record(&mut self, opcode: u8, _: &[u8], _: u64) -> Option<()> {
        self.0 += u64::from(opcode == mcap::records::op::MESSAGE);
        Some(())
    }
}

/// Messages in a file, found by the footer and the index if there is one, by scanning with two readers, and by walking
/// all records up to the last footer as rosbags does. None: no such walk comes to an end.
fn messages(file: &[u8]) -> (u64, Option<()>) {
    let footer = mcap::read::footer(file).expect("a footer at the end");
    let linear = MessageStream::new(file)
        .unwrap()
        .map(|message| message.unwrap().sequence)
        .max()
        .map_or(0, |last| u64::from(last) + 1);
    if footer.summary_start != 0 {
        let summary = Summary::read(file).unwrap().unwrap();
        assert_eq!(summary.stats.as_ref().unwrap().message_count, linear);
        let indexed =
            summary.chunk_indexes.iter().map(|chunk| summary.stream_chunk(file, chunk).unwrap().count() as u64);
        assert_eq!(indexed.sum::<u64>(), linear);
    }
    let mut own = Count(0);
    framing::walk(&mut Cursor::new(&file[mcap::MAGIC.len()..]), &mut own).unwrap();
    assert_eq!(own.0, linear);
    let (mut place, end) = (mcap::MAGIC.len(), file.len() - 37);
    while place < end {
        place = place
            .saturating_add(HEAD)
            .saturating_add(u64::from_le_bytes(file[place + 1..place + 9].try_into().unwrap()) as usize);
    }
    (linear, (place == end || footer.summary_start != 0).then_some(()))
}

/// Records messages of these sizes, each in a commit of its own. Returns the first content and the calls after it.
fn record(sizes: &[usize], fails_at: Option<usize>) -> (Vec<u8>, Vec<Call>, io::Result<()>) {
    let (disk, control) = Disk::new();
    let mut writer = WriteOptions::new().profile("ros2").compression(None).chunk_size(None).create(disk).unwrap();
    writer.flush().unwrap();
    let mut first = control.divert();
    let length = first.len() as u64;
    first.extend_from_slice(&END);
    let calls = Arc::<Mutex<Vec<Call>>>::default();
    control.attach(Box::new(Journal { calls: Arc::clone(&calls), fails_at }), length);
    let channel = writer.add_channel(0, "/x", "cdr", &std::collections::BTreeMap::new()).unwrap();
    let mut run = || -> mcap::McapResult<()> {
        for (sequence, size) in (0..).zip(sizes) {
            let header = MessageHeader { channel_id: channel, sequence, log_time: 1, publish_time: 1 };
            writer.write_to_known_channel(&header, &vec![7; *size])?;
            writer.flush()?;
        }
        control.end();
        writer.finish().map(|_| ())
    };
    let done = run().map_err(io::Error::other);
    let calls = lock(&calls).clone();
    (first, calls, done)
}

/// Sizes of messages such that ends come to lie everywhere in a page.
fn sizes() -> Vec<usize> {
    (0..90).map(|k| if k % 9 == 0 { 10_000 + k } else { 1 + 47 * k }).collect()
}

#[test]
fn at_every_write_and_page_other_readers_find_all_that_was_committed() {
    let (first, calls, done) = record(&sizes(), None);
    done.unwrap();
    let (mut before, mut without_a_walk) = (0, 0);
    for state in states(&first, &calls) {
        let (actual, walk) = messages(&state);
        assert!(actual == before || actual == before + 1, "{actual} after {before}");
        before = actual;
        without_a_walk += usize::from(walk.is_none());
    }
    assert_eq!(before, sizes().len() as u64);
    // Readers that walk on behind an end: one short call for each commit, and two at the end.
    assert_eq!(without_a_walk, sizes().len() + 2);
}

#[test]
fn short_writes_are_within_a_page() {
    let (_, calls, done) = record(&sizes(), None);
    done.unwrap();
    let crosses = |bytes: &[u8], offset: u64| offset / PAGE != (offset + bytes.len() as u64 - 1) / PAGE;
    for call in &calls {
        let Call::Write(bytes, offset) = call else { continue };
        let is_short = *bytes == END || bytes.len() == HEAD;
        assert!(!(is_short && crosses(bytes, *offset)), "{offset} {}", bytes.len());
    }
}

#[test]
fn a_write_that_fails_leaves_the_file_of_before() {
    let (_, all, _) = record(&sizes(), None);
    for fails_at in 0..all.len().min(60) {
        let (first, calls, done) = record(&sizes(), Some(fails_at));
        assert!(done.is_err() || matches!(all[fails_at], Call::Cut(_)));
        for state in states(&first, &calls[..(fails_at + 3).min(calls.len())]) {
            messages(&state);
        }
    }
}

#[test]
fn the_end_is_a_footer_without_a_summary() {
    let footer = mcap::read::footer(&[mcap::MAGIC, &END].concat()).unwrap();
    assert_eq!((footer.summary_start, footer.summary_offset_start), (0, 0));
}

#[test]
fn only_what_is_not_committed_can_be_sought() {
    let (mut disk, control) = Disk::new();
    disk.write_all(b"abcd").unwrap();
    disk.flush().unwrap();
    disk.write_all(b"efgh").unwrap();
    disk.seek(SeekFrom::Current(-2)).unwrap();
    disk.write_all(b"GHI").unwrap();
    assert_eq!(disk.stream_position().unwrap(), 9);
    assert!(disk.seek(SeekFrom::Start(3)).is_err(), "the file has it already");
    disk.flush().unwrap();
    assert_eq!(control.divert(), b"abcdefGHI");
}
