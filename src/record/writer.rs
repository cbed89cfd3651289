//! The writer thread, and the bounded queue to it. Batches of snapshots are sent over and returned with their buffers.
//!
//! While the simulation keeps time it never waits: the queue may then grow to [`MAX_PACED_BYTES`], minutes of a car with
//! its lidar, and only what a disk is too slow for even so is left out, counted and reported. While the simulation runs
//! as fast as it can, it waits for the disk, however long that takes (see [`DiskWait`]).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use skidpad_math::time::Rate;
use skidpad_run::sink::{DiskWait, SinkLoad};

use super::messages::{Change, Messages};
use super::options::{RecordError, RecordOptions};
use super::snapshot::RecordSnapshot;

/// Instants that are sent together: waking the other thread costs more than copying one.
const BATCH: usize = 64;
/// A batch of this size [bytes] is sent.
const BATCH_BYTES: usize = 4 << 20;
/// Longest time [wall] for which an instant waits for others.
const HOLD: Duration = Duration::from_millis(100);
/// Batches that are queued while the simulation may wait.
const MAX_UNPACED_BATCHES: usize = 16;
/// Bytes that are queued then, and that buffers keep which are not in use.
const MAX_UNPACED_BYTES: usize = 64 << 20;
/// Bytes that are queued while it may not.
const MAX_PACED_BYTES: usize = 256 << 20;

/// Instants in order of time; those from `used` on are spare.
#[derive(Default)]
struct Batch {
    /// The vehicles and blocks from its first instant on, if they have changed.
    change: Option<Change>,
    /// Lines of what came to the run from outside.
    timed_changes: Vec<String>,
    snapshots: Vec<RecordSnapshot>,
    used: usize,
    /// Size of the used instants in memory [bytes].
    bytes: usize,
}

/// What is queued for the disk.
#[derive(Default)]
struct Queued {
    batches: AtomicUsize,
    instants: AtomicUsize,
    bytes: AtomicUsize,
}

impl Queued {
    fn add(&self, batch: &Batch) {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.instants.fetch_add(batch.used, Ordering::Relaxed);
        self.bytes.fetch_add(batch.bytes, Ordering::Relaxed);
    }

    fn remove(&self, batch: &Batch) {
        self.batches.fetch_sub(1, Ordering::Relaxed);
        self.instants.fetch_sub(batch.used, Ordering::Relaxed);
        self.bytes.fetch_sub(batch.bytes, Ordering::Relaxed);
    }

    /// For messages.
    fn instants(&self) -> String {
        format!("{} instants", self.instants.load(Ordering::Relaxed))
    }
}

/// The simulation thread's end of the queue.
pub(super) struct Writer {
    place: String,
    /// Whether the simulation keeps time, and so does not wait.
    is_paced: bool,
    batch: Box<Batch>,
    begun: Instant,
    full: Option<Sender<Box<Batch>>>,
    /// Batches that come back when they are written; it closes when the thread ends.
    used: Receiver<Box<Batch>>,
    #[allow(clippy::vec_box, reason = "the boxes go through the channels")]
    spare: Vec<Box<Batch>>,
    queued: Arc<Queued>,
    thread: Option<JoinHandle<Result<u64, RecordError>>>,
    left_out: u64,
    /// Sent with the next batch.
    change: Option<Change>,
    /// Likewise, also if what is in the batch is left out.
    timed_changes: Vec<String>,
    wait: DiskWait,
    /// Bytes that are queued while the simulation keeps time.
    pub(super) longest_paced: usize,
}

impl Writer {
    pub(super) fn start(messages: Messages, path: &Path, options: &RecordOptions) -> Result<Writer, RecordError> {
        let place = path.display().to_string();
        let (full, incoming) = channel();
        let (outgoing, used) = channel();
        let queued = Arc::<Queued>::default();
        let thread = std::thread::Builder::new()
            .name("record".to_owned())
            .spawn({
                let queued = Arc::clone(&queued);
                move || write(messages, &incoming, &outgoing, &queued)
            })
            .map_err(|cause| RecordError::new(&place, format!("cannot start a thread: {cause}")))?;
        Ok(Writer {
            place,
            is_paced: false,
            batch: Box::default(),
            begun: Instant::now(),
            full: Some(full),
            used,
            spare: Vec::new(),
            queued,
            thread: Some(thread),
            left_out: 0,
            change: None,
            timed_changes: Vec::new(),
            wait: DiskWait::new(options.interrupts.clone()),
            longest_paced: MAX_PACED_BYTES,
        })
    }

    /// Follows the speed of time.
    pub(super) fn set_rate(&mut self, rate: Rate) {
        self.is_paced = rate != Rate::Max;
    }

    /// Adds an instant, filled by `fill`.
    pub(super) fn push(&mut self, fill: impl FnOnce(&mut RecordSnapshot)) -> Result<(), RecordError> {
        if self.batch.used == 0 {
            self.begun = Instant::now();
        }
        if self.batch.used == self.batch.snapshots.len() {
            self.batch.snapshots.push(RecordSnapshot::default());
        }
        let snapshot = &mut self.batch.snapshots[self.batch.used];
        fill(snapshot);
        self.batch.bytes += snapshot.bytes();
        self.batch.used += 1;
        self.tend()
    }

    /// Sets the vehicles and blocks from the next instant on.
    pub(super) fn follow(&mut self, change: Change) -> Result<(), RecordError> {
        if self.batch.used > 0 {
            self.hand_over(self.is_paced)?;
        }
        self.change = Some(change);
        Ok(())
    }

    /// Adds a line of what came to the run from outside.
    pub(super) fn add_timed_change(&mut self, line: String) {
        self.timed_changes.push(line);
    }

    /// Sends a batch that has waited long enough, and returns an error if the other side has failed.
    pub(super) fn tend(&mut self) -> Result<(), RecordError> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            return self.end().map(drop);
        }
        let Batch { used, bytes, .. } = *self.batch;
        if used >= BATCH || bytes >= BATCH_BYTES || (used > 0 && self.begun.elapsed() >= HOLD) {
            return self.hand_over(self.is_paced);
        }
        Ok(())
    }

    /// The number of waiting and of dropped instants.
    pub(super) fn load(&self) -> SinkLoad {
        let queued = self.queued.instants.load(Ordering::Relaxed);
        SinkLoad { waiting: (self.batch.used + queued) as u64, dropped: self.left_out }
    }

    fn hand_over(&mut self, is_paced: bool) -> Result<(), RecordError> {
        // A long queue that has been written leaves more of them than are needed.
        self.spare.extend(self.used.try_iter());
        self.spare.truncate(MAX_UNPACED_BATCHES);
        let mut kept = 0;
        self.spare.retain(|batch| {
            kept += batch.bytes;
            kept <= MAX_UNPACED_BYTES
        });
        if is_paced {
            if self.queued.bytes.load(Ordering::Relaxed) >= self.longest_paced {
                self.leave_out();
                return Ok(());
            }
        } else {
            self.wait_for_room()?;
        }
        let Some(full) = &self.full else { return Ok(()) };
        let mut batch = std::mem::replace(&mut self.batch, self.spare.pop().unwrap_or_default());
        (self.batch.used, self.batch.bytes, self.batch.change) = (0, 0, None);
        batch.change = self.change.take();
        batch.timed_changes = std::mem::take(&mut self.timed_changes);
        self.queued.add(&batch);
        // A thread that has just ended is noticed at the next look.
        let _ = full.send(batch);
        Ok(())
    }

    /// Waits until the queue has room, or the thread has ended, which the next look reports.
    fn wait_for_room(&mut self) -> Result<(), RecordError> {
        let Writer { place, used, spare, queued, wait, .. } = self;
        let has_room = || {
            let [batches, bytes] = [&queued.batches, &queued.bytes].map(|count| count.load(Ordering::Relaxed));
            batches == 0 || batches < MAX_UNPACED_BATCHES && bytes < MAX_UNPACED_BYTES
        };
        let waited = wait.for_room(place, || queued.instants(), used, spare, has_room);
        waited.inspect_err(|_| self.give_up())
    }

    /// Leaves out the batch.
    fn leave_out(&mut self) {
        if self.left_out == 0 {
            let reported = RecordError::new(&self.place, "the disk is too slow: late data is left out");
            tracing::warn!(diagnostic = reported.as_value());
        }
        self.left_out += self.batch.used as u64;
        (self.batch.used, self.batch.bytes) = (0, 0);
    }

    /// Waits until everything is in the file; returns the number of its messages.
    pub(super) fn finish(mut self) -> Result<u64, RecordError> {
        if self.batch.used > 0 || !self.timed_changes.is_empty() {
            self.hand_over(false)?;
        }
        let ended = self.end();
        if self.left_out > 0 {
            let reported = RecordError::new(&self.place, format!("{} instants were left out", self.left_out));
            tracing::warn!(diagnostic = reported.as_value());
        }
        ended
    }

    fn end(&mut self) -> Result<u64, RecordError> {
        self.full = None;
        let Some(thread) = self.thread.take() else { return Ok(0) };
        let Writer { place, used, queued, wait, .. } = self;
        wait.for_end(place, || queued.instants(), used).inspect_err(|_| self.give_up())?;
        thread.join().unwrap_or_else(|_| Err(RecordError::new(&self.place, "the thread that writes it has panicked")))
    }

    /// Leaves the thread to itself: what is stuck cannot be joined.
    fn give_up(&mut self) {
        (self.full, self.thread) = (None, None);
    }
}

/// The main loop of the thread, until the other end of the queue is dropped; returns the number of messages.
fn write(
    mut messages: Messages,
    incoming: &Receiver<Box<Batch>>,
    outgoing: &Sender<Box<Batch>>,
    queued: &Queued,
) -> Result<u64, RecordError> {
    loop {
        match incoming.recv_timeout(messages.output.patience()) {
            Ok(mut batch) => {
                batch.timed_changes.iter().for_each(|line| messages.output.add_timed_change(line));
                if let Some(change) = batch.change.take() {
                    messages.follow(&change)?;
                }
                for snapshot in &batch.snapshots[..batch.used] {
                    messages.write(snapshot)?;
                }
                queued.remove(&batch);
                // The receiver may have gone.
                let _ = outgoing.send(batch);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return messages.finish(),
        }
        if messages.output.patience().is_zero() {
            messages.output.commit()?;
        }
    }
}
