//! The file under a recording, which is complete MCAP at every moment, whatever call a process is killed in.
//!
//! A reader looks for the footer at the end of a file, and some give up without one. So the content is always followed by [`END`], a footer
//! without an index (readers then scan). New content takes its place in steps, each of which leaves a file that can be read:
//!
//! ```text
//! content END                                  before
//! content END ......................... END    the new end, beyond the old one, makes the file longer
//! content [unknown record: ............] END    its head is written over the old end: readers skip all that it spans
//! content [unknown record: new content ] END    the bulk is written, which takes long, where nobody looks
//! content new content ................... END    the head of its first record is written over that of the unknown one
//! ```
//! Only the bulk is long. The other writes are of up to 50 bytes within one page of memory, which the system does not divide: fillers in
//! front of ends see to that. In the second state there is an end within the file. Nearly all readers stop there, as the format wants it;
//! rosbags, which goes on, cannot read the file for the duration of one short call.
//!
//! The end with the index is written like new content, and the file is then cut to it. A file is created with its first content and end.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use skidpad_run::guard::lock;

/// The end of a file without an index: the records DataEnd and Footer, all their numbers zero, and MCAP's magic.
pub(super) const END: [u8; 50] = {
    let mut end = [0; 50];
    // Opcode and length of DataEnd (a checksum), then of Footer (two offsets and a checksum).
    end[0] = 0x0F;
    end[1] = 4;
    end[13] = 0x02;
    end[14] = 20;
    let mut index = 0;
    while index < mcap::MAGIC.len() {
        end[42 + index] = mcap::MAGIC[index];
        index += 1;
    }
    end
};

/// Kind of the records that readers skip: fillers, and the one around content that is being written.
const FILLER: u8 = 0x80;
/// Length of the head of a record [bytes]: its kind and its length.
const HEAD: usize = 9;
/// Memory is written page by page [bytes]; other sizes of pages are multiples of this.
const PAGE: u64 = 4096;

/// Where a recording is stored.
pub(super) trait Storage: fmt::Debug + Send {
    /// Writes all bytes at this offset [bytes].
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Cuts it to this length [bytes].
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Storage for File {
    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
        FileExt::write_all_at(self, bytes, offset)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Shared state between the recorder and the disk under its MCAP writer.
#[derive(Debug)]
pub(super) struct Control {
    /// Whether the MCAP writer now writes the end of the file itself.
    ends: AtomicBool,
    /// Content of the file [bytes], followed by its end; 0 before it has one.
    length: AtomicU64,
    target: Mutex<Target>,
}

/// Where commits go.
#[derive(Debug)]
enum Target {
    /// Into the file.
    File(Box<dyn Storage>),
    /// Here, before there is a file, and when it is not to be changed any more.
    Memory(Vec<u8>),
}

impl Control {
    /// Lets the MCAP writer write the end of the file itself from now on.
    pub(super) fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Content of the file [bytes], followed by its end; 0 before it has one.
    pub(super) fn length(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Leaves the file unchanged from now on; returns what was committed elsewhere since the last call.
    pub(super) fn divert(&self) -> Vec<u8> {
        match std::mem::replace(&mut *self.target(), Target::Memory(Vec::new())) {
            Target::File(_) => Vec::new(),
            Target::Memory(bytes) => bytes,
        }
    }

    /// Lets commits go into a file, which holds what was committed so far, `length` bytes, and an [`END`].
    pub(super) fn attach(&self, file: Box<dyn Storage>, length: u64) {
        *self.target() = Target::File(file);
        self.length.store(length, Ordering::Relaxed);
    }

    fn target(&self) -> std::sync::MutexGuard<'_, Target> {
        lock(&self.target)
    }

    /// Holds everything up that would be written, as a disk does that takes no data.
    #[cfg(test)]
    pub(super) fn hold(&self) -> impl Sized + '_ {
        self.target()
    }
}

/// Buffers writes until they are committed; seeks only within the buffer.
#[derive(Debug)]
pub(super) struct Disk {
    /// Bytes that are not yet in the file.
    pending: Vec<u8>,
    /// Offset of these in the file [bytes].
    start: u64,
    /// Where the next write goes [bytes into `pending`].
    position: usize,
    control: Arc<Control>,
}

impl Disk {
    /// A disk without a file yet, and the handle that controls it.
    pub(super) fn new() -> (Disk, Arc<Control>) {
        let (ends, length, target) =
            (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(Target::Memory(Vec::new())));
        let control = Arc::new(Control { ends, length, target });
        (Disk { pending: Vec::new(), start: 0, position: 0, control: Arc::clone(&control) }, control)
    }
}

/// The head of a record that readers skip, with this length of its content [bytes].
fn filler_head(length: u64) -> [u8; HEAD] {
    let mut head = [FILLER; HEAD];
    head[1..].copy_from_slice(&length.to_le_bytes());
    head
}

/// Whether an end at this offset [bytes] is within one page.
fn is_within_a_page(offset: u64) -> bool {
    offset % PAGE <= PAGE - END.len() as u64
}

/// Appends a filler to content from `start` on [bytes] where its end would not be within a page, or would overlap the end before.
fn fill(content: &mut Vec<u8>, start: u64) {
    let fits = |length: usize| length >= END.len() && is_within_a_page(start + length as u64);
    if !fits(content.len()) {
        let more = (0..).find(|more| fits(content.len() + HEAD + more)).unwrap_or_default();
        content.extend_from_slice(&filler_head(more as u64));
        content.resize(content.len() + more, 0);
    }
}

/// Puts content in place of the end at `start` [bytes]; it is followed by another end, or has one itself. If that
/// fails, the file is as before.
fn put(file: &mut dyn Storage, start: u64, content: &[u8], has_end: bool) -> io::Result<()> {
    let length = start + content.len() as u64;
    // The end of a file that has its own is behind that until the file is cut.
    let end = if has_end { length.next_multiple_of(PAGE) } else { length };
    let (head, bulk) = content.split_at(HEAD.min(content.len()));
    let done = file
        .write_all_at(&END, end)
        .and_then(|()| file.write_all_at(&filler_head(end - start - HEAD as u64), start))
        .and_then(|()| file.write_all_at(bulk, start + HEAD as u64))
        .and_then(|()| file.write_all_at(head, start))
        .and_then(|()| if has_end { file.cut(length) } else { Ok(()) });
    if done.is_err() {
        // The blocks of the old end are already allocated to the file, so this succeeds on a full disk too.
        let _ = file.write_all_at(&END, start).and_then(|()| file.cut(start + END.len() as u64));
    }
    done
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let over = bytes.len().min(self.pending.len() - self.position);
        self.pending[self.position..self.position + over].copy_from_slice(&bytes[..over]);
        self.pending.extend_from_slice(&bytes[over..]);
        self.position += bytes.len();
        Ok(bytes.len())
    }

    /// Commits: the file contains everything, and an end. If the write fails, the file is as after the last commit.
    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let content = self.pending.len();
        match &mut *self.control.target() {
            Target::Memory(bytes) => bytes.extend_from_slice(&self.pending),
            Target::File(file) => {
                let has_end = self.control.ends.load(Ordering::Relaxed);
                if !has_end {
                    fill(&mut self.pending, self.start);
                }
                if let Err(error) = put(file.as_mut(), self.start, &self.pending, has_end) {
                    self.pending.truncate(content);
                    return Err(error);
                }
            }
        }
        self.start += self.pending.len() as u64;
        self.control.length.store(self.start, Ordering::Relaxed);
        self.pending.clear();
        self.position = 0;
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let now = self.start + self.position as u64;
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(offset) => now.checked_add_signed(offset),
            SeekFrom::End(offset) => (self.start + self.pending.len() as u64).checked_add_signed(offset),
        };
        let position = target.and_then(|target| target.checked_sub(self.start)).and_then(|p| usize::try_from(p).ok());
        match position.filter(|position| *position <= self.pending.len()) {
            Some(position) => self.position = position,
            None => return Err(io::Error::new(io::ErrorKind::InvalidInput, "out of what is not committed yet")),
        }
        Ok(self.start + self.position as u64)
    }
}

#[cfg(test)]
mod tests;
