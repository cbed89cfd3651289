//! The writer thread, and the bounded queue to it. Batches of snapshots are sent over and returned with their buffers.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::messages::{Change, Messages};
use super::options::{RecordError, RecordOptions, WhenQueueFull};
use super::snapshot::RecordSnapshot;
use crate::sink::SinkLoad;

/// Instants that are sent together: waking the other thread costs more than copying one.
const BATCH: usize = 64;
/// Longest time [wall] for which an instant waits for others.
const HOLD: Duration = Duration::from_millis(100);
/// Batches that may be queued for the disk.
const CAPACITY: usize = 16;

/// Instants in order of time; those from `used` on are spare.
#[derive(Default)]
struct Batch {
    /// The vehicles and blocks from its first instant on, if they have changed.
    change: Option<Change>,
    snapshots: Vec<RecordSnapshot>,
    used: usize,
}

/// The simulation thread's end of the queue.
pub(super) struct Writer {
    place: String,
    when_late: WhenQueueFull,
    batch: Box<Batch>,
    begun: Instant,
    full: Option<SyncSender<Box<Batch>>>,
    used: Receiver<Box<Batch>>,
    thread: Option<JoinHandle<Result<(), RecordError>>>,
    left_out: u64,
    /// Sent with the next batch.
    change: Option<Change>,
}

impl Writer {
    pub(super) fn start(messages: Messages, path: &Path, options: &RecordOptions) -> Result<Writer, RecordError> {
        let place = path.display().to_string();
        let (full, incoming) = sync_channel(CAPACITY);
        let (outgoing, used) = channel();
        let thread = std::thread::Builder::new()
            .name("record".to_owned())
            .spawn(move || write(messages, &incoming, &outgoing))
            .map_err(|cause| RecordError::new(&place, format!("cannot start a thread: {cause}")))?;
        Ok(Writer {
            place,
            when_late: options.when_late,
            batch: Box::default(),
            begun: Instant::now(),
            full: Some(full),
            used,
            thread: Some(thread),
            left_out: 0,
            change: None,
        })
    }

    /// Adds an instant, filled by `fill`.
    pub(super) fn push(&mut self, fill: impl FnOnce(&mut RecordSnapshot)) -> Result<(), RecordError> {
        if self.batch.used == 0 {
            self.begun = Instant::now();
        }
        if self.batch.used == self.batch.snapshots.len() {
            self.batch.snapshots.push(RecordSnapshot::default());
        }
        fill(&mut self.batch.snapshots[self.batch.used]);
        self.batch.used += 1;
        self.tend()
    }

    /// Sets the vehicles and blocks from the next instant on.
    pub(super) fn follow(&mut self, change: Change) -> Result<(), RecordError> {
        if self.batch.used > 0 {
            self.hand_over(self.when_late)?;
        }
        self.change = Some(change);
        Ok(())
    }

    /// Sends a batch that has waited long enough, and returns an error if the other side has failed.
    pub(super) fn tend(&mut self) -> Result<(), RecordError> {
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            return self.end();
        }
        if self.batch.used >= BATCH || (self.batch.used > 0 && self.begun.elapsed() >= HOLD) {
            return self.hand_over(self.when_late);
        }
        Ok(())
    }

    /// The number of waiting and of dropped instants.
    pub(super) fn load(&self) -> SinkLoad {
        SinkLoad { waiting: self.batch.used as u64, dropped: self.left_out }
    }

    fn hand_over(&mut self, when_late: WhenQueueFull) -> Result<(), RecordError> {
        let Some(full) = &self.full else { return Ok(()) };
        let mut batch = std::mem::replace(&mut self.batch, self.used.try_recv().unwrap_or_default());
        self.batch.used = 0;
        self.batch.change = None;
        batch.change = self.change.take();
        let sent = match when_late {
            WhenQueueFull::Wait => full.send(batch).map_err(TrySendError::from),
            WhenQueueFull::LeaveOut => full.try_send(batch),
        };
        match sent {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(batch)) => {
                self.leave_out(batch);
                Ok(())
            }
            Err(TrySendError::Disconnected(_)) => self.end(),
        }
    }

    fn leave_out(&mut self, batch: Box<Batch>) {
        if self.left_out == 0 {
            tracing::warn!("{}: the disk does not keep up, what it is too late for is left out", self.place);
        }
        self.left_out += batch.used as u64;
        self.batch = batch;
        // The next batch has to carry the change instead.
        self.change = self.batch.change.take();
        self.batch.used = 0;
    }

    /// Waits until everything is in the file.
    pub(super) fn finish(mut self) -> Result<(), RecordError> {
        if self.batch.used > 0 {
            self.hand_over(WhenQueueFull::Wait)?;
        }
        let ended = self.end();
        if self.left_out > 0 {
            tracing::warn!("{}: {} instants were left out", self.place, self.left_out);
        }
        ended
    }

    fn end(&mut self) -> Result<(), RecordError> {
        self.full = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(RecordError::new(&self.place, "the thread that writes it has panicked")),
            None => Ok(()),
        }
    }
}

/// The main loop of the thread, until the other end of the queue is dropped.
fn write(
    mut messages: Messages,
    incoming: &Receiver<Box<Batch>>,
    outgoing: &Sender<Box<Batch>>,
) -> Result<(), RecordError> {
    loop {
        match incoming.recv_timeout(messages.output.patience()) {
            Ok(mut batch) => {
                if let Some(change) = batch.change.take() {
                    messages.follow(&change)?;
                }
                for snapshot in &batch.snapshots[..batch.used] {
                    messages.write(snapshot)?;
                }
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
