//! The file under a recording, which is complete MCAP between its writes.
//!
//! A reader looks for the footer at the end of a file, and some give up without one. So each write ends in a footer without an index
//! (readers then scan), and the next write overwrites that footer. Content and footer are written in one call: a process that is killed
//! between two calls leaves a file that ends in a footer. One that is killed within a call may leave a part of the last chunk, and readers
//! get everything before it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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

/// Shared state between the recorder and the disk under its MCAP writer.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// Whether the MCAP writer now writes the end of the file itself.
    ends: AtomicBool,
    /// Content of the file [bytes], followed by its end; 0 before the first commit.
    length: AtomicU64,
    /// Where commits go in place of the file.
    diverted: Mutex<Option<Vec<u8>>>,
}

impl Control {
    /// Lets the MCAP writer write the end of the file itself from now on.
    pub(super) fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Content of the file [bytes], followed by its end; 0 before the first commit.
    pub(super) fn length(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Leaves the file unchanged from now on; returns what was committed since the last call.
    pub(super) fn divert(&self) -> Vec<u8> {
        let mut diverted = self.diverted.lock().unwrap_or_else(PoisonError::into_inner);
        diverted.replace(Vec::new()).unwrap_or_default()
    }
}

/// Buffers writes until they are committed; seeks only within the buffer.
#[derive(Debug)]
pub(super) struct Disk {
    file: File,
    /// Bytes that are not yet in the file.
    pending: Vec<u8>,
    /// Offset of these in the file [bytes].
    start: u64,
    /// Where the next write goes [bytes into `pending`].
    position: usize,
    control: Arc<Control>,
}

impl Disk {
    /// The disk, and the handle that controls it.
    pub(super) fn new(file: File) -> (Disk, Arc<Control>) {
        let control = Arc::<Control>::default();
        (Disk { file, pending: Vec::new(), start: 0, position: 0, control: Arc::clone(&control) }, control)
    }

    /// Writes the pending bytes, followed by an end, to the file, or to its substitute.
    fn write_out(&mut self, content: usize) -> io::Result<()> {
        if let Some(diverted) = &mut *self.control.diverted.lock().unwrap_or_else(PoisonError::into_inner) {
            diverted.extend_from_slice(&self.pending[..content]);
            return Ok(());
        }
        let written = self.file.seek(SeekFrom::Start(self.start)).and_then(|_| self.file.write_all(&self.pending));
        if let Err(error) = written {
            // The blocks of the old end are already allocated to the file, so this succeeds on a full disk too.
            let _ = self.file.seek(SeekFrom::Start(self.start)).and_then(|_| self.file.write_all(&END));
            let _ = self.file.set_len(self.start + END.len() as u64);
            return Err(error);
        }
        Ok(())
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let over = bytes.len().min(self.pending.len() - self.position);
        self.pending[self.position..self.position + over].copy_from_slice(&bytes[..over]);
        self.pending.extend_from_slice(&bytes[over..]);
        self.position += bytes.len();
        Ok(bytes.len())
    }

    /// Commits: the file contains everything, and an end. If the write fails, the file ends as after the last commit.
    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let content = self.pending.len();
        if !self.control.ends.load(Ordering::Relaxed) {
            self.pending.extend_from_slice(&END);
        }
        let written = self.write_out(content);
        self.pending.truncate(content);
        written?;
        self.start += content as u64;
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
            SeekFrom::Current(way) => now.checked_add_signed(way),
            SeekFrom::End(way) => (self.start + self.pending.len() as u64).checked_add_signed(way),
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
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_commit_is_followed_by_an_end_that_the_next_one_replaces() {
        let path = tempfile::tempdir().unwrap().keep().join("x");
        let (mut disk, control) = Disk::new(File::create_new(&path).unwrap());
        disk.write_all(b"abcd").unwrap();
        disk.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), [b"abcd".as_slice(), &END].concat());
        disk.write_all(b"efgh").unwrap();
        disk.seek(SeekFrom::Current(-2)).unwrap();
        disk.write_all(b"GHI").unwrap();
        assert_eq!(disk.stream_position().unwrap(), 9);
        assert!(disk.seek(SeekFrom::Start(3)).is_err(), "the file has it already");
        disk.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), [b"abcdefGHI".as_slice(), &END].concat());
        disk.write_all(b"own end").unwrap();
        control.end();
        disk.write_all(&[0; 60]).unwrap();
        disk.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), [b"abcdefGHIown end".as_slice(), &[0; 60]].concat());
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn the_end_is_a_footer_without_a_summary() {
        let footer = mcap::read::footer(&[mcap::MAGIC, &END].concat()).unwrap();
        assert_eq!((footer.summary_start, footer.summary_offset_start), (0, 0));
    }
}
