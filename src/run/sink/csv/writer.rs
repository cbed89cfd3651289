//! The thread that formats and writes rows, so that a slow disk delays no step.
//!
//! Rows travel in batches of plain numbers through a queue of [`QUEUE`] values (16 MiB, some minutes of one car in real time). While it is
//! full the sender waits, however long the disk takes, and at the end until everything is written (see [`DiskWait`]). So no recorded row
//! is dropped at any rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::session::{LogFile, Session, VehicleFiles};
use crate::sink::{DiskWait, Interrupts, SinkError};

/// Most values queued for the disk.
const QUEUE: usize = 2 << 20;
/// Rows become visible in the files at least this often.
const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Messages to the thread. They take effect in their order.
pub(super) enum Message {
    /// The vehicles of the following rows.
    Vehicles(Vec<VehicleFiles>),
    /// Rows of the recorded vehicles, pose and wheels, vehicle after vehicle, frame after frame.
    Rows(Vec<f64>),
    /// Empty the files.
    Clear,
    /// Continue in new files.
    NewSession,
}

/// The sending end and the thread behind it.
pub(super) struct RowWriter {
    messages: Option<Sender<Message>>,
    /// Batches that come back when they are written; it closes when the thread ends.
    used: Receiver<Vec<f64>>,
    /// Those that came back during a wait.
    spare: Vec<Vec<f64>>,
    queued: Arc<AtomicUsize>,
    thread: Option<JoinHandle<Result<(), SinkError>>>,
    place: String,
    wait: DiskWait,
}

impl RowWriter {
    /// Starts the thread with this session; without one, it creates a session at the first rows.
    pub(super) fn spawn(
        vehicles: Vec<VehicleFiles>,
        session: Option<Session>,
        interrupts: Interrupts,
    ) -> Result<RowWriter, SinkError> {
        let place = vehicles.first().map_or_else(String::new, |vehicle| format!("{}session", vehicle.prefix));
        let (messages, inbox) = channel();
        let (give_back, used) = channel();
        let queued = Arc::new(AtomicUsize::new(0));
        let worker = Worker { vehicles, session, queued: Arc::clone(&queued), give_back };
        let thread = Builder::new().name("csv".into()).spawn(move || worker.work(&inbox));
        let thread = thread.map_err(|error| SinkError::new(&place, format!("cannot start its thread: {error}")))?;
        let wait = DiskWait::new(interrupts);
        Ok(RowWriter { messages: Some(messages), used, spare: Vec::new(), queued, thread: Some(thread), place, wait })
    }

    /// An empty batch, in reused memory if available.
    pub(super) fn batch(&mut self) -> Vec<f64> {
        self.spare.pop().or_else(|| self.used.try_recv().ok()).unwrap_or_default()
    }

    /// The error of the thread if it has ended.
    pub(super) fn check(&mut self) -> Result<(), SinkError> {
        match self.thread.take_if(|thread| thread.is_finished()) {
            Some(thread) => join(thread, &self.place),
            None => Ok(()),
        }
    }

    pub(super) fn send(&mut self, message: Message) -> Result<(), SinkError> {
        self.check()?;
        if let Message::Rows(rows) = &message {
            self.wait_for_room()?;
            self.queued.fetch_add(rows.len(), Ordering::Relaxed);
        }
        // A thread that has just ended is noticed at the next check.
        let _ = self.messages.as_ref().map(|messages| messages.send(message));
        Ok(())
    }

    /// Waits until everything is written and flushed.
    pub(super) fn finish(&mut self) -> Result<(), SinkError> {
        self.messages = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        let RowWriter { used, queued, place, wait, .. } = self;
        wait.for_end(place, || values(queued), used)?;
        join(thread, place)
    }

    /// Waits until the queue has room, or the thread has ended, which the next check reports.
    fn wait_for_room(&mut self) -> Result<(), SinkError> {
        let RowWriter { used, spare, queued, place, wait, .. } = self;
        let has_room = || queued.load(Ordering::Relaxed) < QUEUE;
        let waited = wait.for_room(place, || values(queued), used, spare, has_room);
        // What is stuck cannot be joined.
        waited.inspect_err(|_| (self.messages, self.thread) = (None, None))
    }
}

/// The content of the queue, for messages.
fn values(queued: &AtomicUsize) -> String {
    format!("{} values", queued.load(Ordering::Relaxed))
}

fn join(thread: JoinHandle<Result<(), SinkError>>, place: &str) -> Result<(), SinkError> {
    thread.join().unwrap_or_else(|_| Err(SinkError::new(place, "the thread that writes it died")))
}

struct Worker {
    vehicles: Vec<VehicleFiles>,
    session: Option<Session>,
    queued: Arc<AtomicUsize>,
    give_back: Sender<Vec<f64>>,
}

impl Worker {
    fn work(mut self, inbox: &Receiver<Message>) -> Result<(), SinkError> {
        let result = self.receive(inbox);
        // After an error the other files are still flushed; the first error is reported.
        result.and(self.flush())
    }

    fn receive(&mut self, inbox: &Receiver<Message>) -> Result<(), SinkError> {
        let mut flushed = Instant::now();
        loop {
            match inbox.recv_timeout(FLUSH_INTERVAL) {
                Ok(message) => self.handle(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if flushed.elapsed() >= FLUSH_INTERVAL {
                self.flush()?;
                flushed = Instant::now();
            }
        }
    }

    fn handle(&mut self, message: Message) -> Result<(), SinkError> {
        match message {
            Message::Vehicles(vehicles) => {
                if let Some(session) = &mut self.session {
                    session.follow(&self.vehicles, &vehicles)?;
                }
                self.vehicles = vehicles;
            }
            Message::Rows(mut rows) => {
                self.write(&rows)?;
                self.queued.fetch_sub(rows.len(), Ordering::Relaxed);
                rows.clear();
                // The sender may already be gone.
                let _ = self.give_back.send(rows);
            }
            Message::Clear => self.files().try_for_each(LogFile::clear)?,
            Message::NewSession => {
                self.flush()?;
                self.session = None;
            }
        }
        Ok(())
    }

    fn write(&mut self, mut rows: &[f64]) -> Result<(), SinkError> {
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session::create(&self.vehicles)?),
        };
        for (index, vehicle) in self.vehicles.iter().enumerate().filter(|(_, vehicle)| vehicle.is_recorded) {
            session.need(index, vehicle)?;
        }
        while !rows.is_empty() {
            let before = rows.len();
            let vehicles = self.vehicles.iter().zip(&mut session.files);
            for (_, files) in vehicles.filter(|(vehicle, _)| vehicle.is_recorded) {
                for file in files {
                    let (row, rows_after) = rows.split_at(file.width().min(rows.len()));
                    file.write(row)?;
                    rows = rows_after;
                }
            }
            if rows.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.files().map(LogFile::flush).fold(Ok(()), Result::and)
    }

    fn files(&mut self) -> impl Iterator<Item = &mut LogFile> {
        self.session.iter_mut().flat_map(|session| &mut session.files).flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;

    use skidpad_sim::world::EntityId;

    use super::*;
    use crate::sink::csv::columns::{POSE, header};

    fn vehicle() -> VehicleFiles {
        let (id, prefix, stem) = (EntityId::default(), String::new(), "r1".into());
        VehicleFiles { id, prefix, stem, wheels: 0, is_recorded: true }
    }

    /// A writer on a pipe, and the end of it that stands for the disk: until the test reads it, the disk takes no data.
    fn on_a_pipe(interrupts: &Interrupts) -> (RowWriter, File) {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("pipe");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
        let opening = std::thread::spawn({
            let path = path.clone();
            move || File::open(path).unwrap()
        });
        let pipe = LogFile::create(path, header(POSE)).unwrap();
        let session = Some(Session::of(vec![vec![pipe]]));
        let writer = RowWriter::spawn(vec![vehicle()], session, interrupts.clone()).unwrap();
        (writer, opening.join().unwrap())
    }

    /// Waits until the writer has told that it waits.
    fn until_reported(interrupts: &Interrupts) {
        while interrupts.reports() == 0 {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_disk_that_takes_no_data_is_waited_for_until_it_does() {
        let interrupts = Interrupts::reporting_at_once();
        let (mut writer, mut disk) = on_a_pipe(&interrupts);
        // More than the queue holds, so that both waits are met: for room, and at the end.
        let (rows, width) = (1000, header(POSE).len());
        let batches = QUEUE / (rows * width) + 10;
        let run = std::thread::spawn(move || {
            for batch in 0..batches {
                writer.send(Message::Rows(vec![batch as f64; rows * width]))?;
            }
            writer.finish()
        });
        until_reported(&interrupts);
        // The first Ctrl-C ends the run, not the wait.
        interrupts.add(true);
        assert!(!run.is_finished());
        let mut text = String::new();
        disk.read_to_string(&mut text).unwrap();
        run.join().unwrap().unwrap();
        assert_eq!(text.lines().count(), 1 + batches * rows);
    }

    #[test]
    fn a_second_ctrl_c_gives_up_and_says_what_is_lost() {
        let interrupts = Interrupts::reporting_at_once();
        let (mut writer, _disk) = on_a_pipe(&interrupts);
        let width = header(POSE).len();
        for _ in 0..10 {
            writer.send(Message::Rows(vec![0.5; 1000 * width])).unwrap();
        }
        let run = std::thread::spawn(move || {
            let error = writer.finish().unwrap_err().to_string();
            // After that nothing is left to wait for.
            writer.finish().unwrap();
            error
        });
        until_reported(&interrupts);
        interrupts.add(true);
        interrupts.add(true);
        let error = run.join().unwrap();
        let (before, after) = error.split_once(", ").unwrap();
        assert_eq!(before, "session: given up at the second Ctrl-C");
        assert!(after.ends_with(" values were not written"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_soon_with_the_file() {
        let full = LogFile::create("/dev/full".into(), header(POSE)).unwrap();
        let mut writer =
            RowWriter::spawn(vec![vehicle()], Some(Session::of(vec![vec![full]])), Interrupts::default()).unwrap();
        let width = header(POSE).len();
        // The file is flushed within half a second even when little is written; more than enough rows follow.
        let error = (0..100_000).find_map(|_| writer.send(Message::Rows(vec![0.5; width * 100])).err()).unwrap();
        assert_eq!(error.to_string(), "/dev/full: cannot be written: No space left on device (os error 28)");
    }

    #[test]
    fn rows_in_the_queue_are_in_the_files_after_finish() {
        let root = tempfile::tempdir().unwrap();
        let prefix = format!("{}/", root.path().display());
        let vehicle = VehicleFiles { prefix, ..vehicle() };
        let mut writer = RowWriter::spawn(vec![vehicle], None, Interrupts::default()).unwrap();
        let width = header(POSE).len();
        for batch in 0..1000 {
            writer.send(Message::Rows(vec![f64::from(batch); width * 10])).unwrap();
        }
        writer.finish().unwrap();
        let text = std::fs::read_to_string(root.path().join("session_001/r1_pose.csv")).unwrap();
        assert_eq!(text.lines().count(), 10_001);
        assert!(text.ends_with("999.0\n"));
    }
}
