//! The thread that formats and writes rows, so that a slow disk delays no step.
//!
//! Rows travel in batches of plain numbers through a queue of [`QUEUE`] values (16 MiB, some minutes of one car in real time). While it is
//! full the sender waits as long as the disk accepts any data; a disk that accepts nothing for [`PATIENCE`] ends the log with an error. So
//! no recorded row is dropped silently, at any rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::session::{LogFile, Session, VehicleFiles};
use crate::sink::SinkError;

/// Most values queued for the disk.
const QUEUE: usize = 2 << 20;
/// How long the disk may accept nothing while the sender waits.
const PATIENCE: Duration = Duration::from_millis(500);
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
    used: Receiver<Vec<f64>>,
    queued: Arc<AtomicUsize>,
    thread: Option<JoinHandle<Result<(), SinkError>>>,
    place: String,
}

impl RowWriter {
    /// Starts the thread with this session; without one, it creates a session at the first rows.
    pub(super) fn spawn(vehicles: Vec<VehicleFiles>, session: Option<Session>) -> Result<RowWriter, SinkError> {
        let place = vehicles.first().map_or_else(String::new, |vehicle| format!("{}session", vehicle.prefix));
        let (messages, inbox) = channel();
        let (give_back, used) = channel();
        let queued = Arc::new(AtomicUsize::new(0));
        let worker = Worker { vehicles, session, queued: Arc::clone(&queued), give_back };
        let thread = Builder::new().name("csv".into()).spawn(move || worker.work(&inbox)).map_err(|error| {
            SinkError { place: place.clone(), message: format!("cannot start its thread: {error}") }
        })?;
        Ok(RowWriter { messages: Some(messages), used, queued, thread: Some(thread), place })
    }

    /// An empty batch, in reused memory if available.
    pub(super) fn batch(&self) -> Vec<f64> {
        self.used.try_recv().unwrap_or_default()
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
            self.wait_until(|queued| queued < QUEUE)?;
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
        self.wait_until(|queued| thread.is_finished() || queued == 0)?;
        let patience = Instant::now();
        while !thread.is_finished() {
            if patience.elapsed() > PATIENCE {
                return Err(self.stuck());
            }
            sleep(Duration::from_micros(200));
        }
        join(thread, &self.place)
    }

    fn wait_until(&self, done: impl Fn(usize) -> bool) -> Result<(), SinkError> {
        let mut last = usize::MAX;
        let mut since = Instant::now();
        loop {
            let queued = self.queued.load(Ordering::Relaxed);
            if done(queued) || self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
                return Ok(());
            }
            if queued != last {
                (last, since) = (queued, Instant::now());
            } else if since.elapsed() > PATIENCE {
                return Err(self.stuck());
            }
            sleep(Duration::from_micros(200));
        }
    }

    fn stuck(&self) -> SinkError {
        let message =
            format!("the disk takes no data, {} values were not written", self.queued.load(Ordering::Relaxed));
        SinkError { place: self.place.clone(), message }
    }
}

fn join(thread: JoinHandle<Result<(), SinkError>>, place: &str) -> Result<(), SinkError> {
    thread.join().unwrap_or_else(|_| {
        Err(SinkError { place: place.to_string(), message: "the thread that writes it died".into() })
    })
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
                    let (row, rest) = rows.split_at(file.width().min(rows.len()));
                    file.write(row)?;
                    rows = rest;
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
    use super::*;
    use crate::sink::csv::columns::{POSE, header};
    use crate::world::EntityId;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_soon_with_the_file() {
        let vehicle = VehicleFiles {
            id: EntityId::default(),
            prefix: String::new(),
            stem: "r1".into(),
            wheels: 0,
            is_recorded: true,
        };
        let full = LogFile::create("/dev/full".into(), header(POSE)).unwrap();
        let mut writer = RowWriter::spawn(vec![vehicle], Some(Session::of(vec![vec![full]]))).unwrap();
        let width = header(POSE).len();
        // The file is flushed within half a second even when little is written; more than enough rows follow.
        let error = (0..100_000).find_map(|_| writer.send(Message::Rows(vec![0.5; width * 100])).err()).unwrap();
        assert_eq!(error.to_string(), "/dev/full: cannot write: No space left on device (os error 28)");
    }

    #[test]
    fn rows_in_the_queue_are_in_the_files_after_finish() {
        let root = tempfile::tempdir().unwrap();
        let prefix = format!("{}/", root.path().display());
        let vehicle = VehicleFiles { id: EntityId::default(), prefix, stem: "r1".into(), wheels: 0, is_recorded: true };
        let mut writer = RowWriter::spawn(vec![vehicle], None).unwrap();
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
