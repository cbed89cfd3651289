//! A running node as the rest of the program sees it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::health::{HealthSink, SharedHealth};
use super::parameters::Parameters;
use super::queue::Queue;
use super::settings;
use super::snapshot::{Now, RosSink, SharedSettings, Snapshot};
use super::stage::{Naming, Stage};
use crate::preset::{Preset, WordValues};
use crate::runner::Rate;
use crate::sink::Sink;

/// A running node.
pub struct Bridge {
    pub(super) health: SharedHealth,
    pub(super) queue: Arc<Queue<Snapshot>>,
    pub(super) settings: SharedSettings,
    /// The names of what is there at the start, until the sink takes them.
    pub(super) stage: Option<(Naming, Arc<Stage>)>,
    pub(super) now: Now,
    pub(super) parameters: Arc<Parameters>,
    pub(super) preset: &'static Preset,
    pub(super) words: WordValues,
    pub(super) interface: Vec<String>,
    pub(super) threads: Threads,
}

/// The threads of a node, and how they are told to end.
pub(super) struct Threads {
    pub stop: Arc<AtomicBool>,
    /// Nobody can write to it any more once both threads have returned.
    pub finished: mpsc::Receiver<()>,
    pub spinner: Option<JoinHandle<()>>,
    pub publisher: Option<JoinHandle<()>>,
    pub tasks: Option<Runtime>,
}

impl Bridge {
    /// The sink for the runner, once. It fails once the bridge has been shut down.
    pub fn sink(&mut self) -> Option<Box<dyn Sink>> {
        let stage = self.stage.take()?;
        Some(Box::new(RosSink::new(self.queue.clone(), self.settings.clone(), stage, self.now.clone())))
    }

    /// A sink that hears how the run goes, for diagnostics and statistics; it belongs before the other, which has them published.
    pub fn health_sink(&self) -> Box<dyn Sink> {
        Box::new(HealthSink(self.health.clone()))
    }

    /// The rate that the parameters ask for at the start. The requests for the command timeout and the range noise are
    /// in the outbox already.
    pub fn initial_rate(&self) -> Rate {
        settings::rate(&self.parameters)
    }

    /// The names that it publishes under, with the quirks that the parameters ask for.
    pub fn preset(&self) -> &'static Preset {
        self.preset
    }

    /// What words in its names stand for.
    pub fn words(&self) -> WordValues {
        self.words.clone()
    }

    /// How often it publishes odometry, as its parameters have it at the start [Hz].
    pub fn odometry_rate(&self) -> f64 {
        self.parameters.number("odom_rate")
    }

    /// What it publishes, what it listens to and how to drive it, for people to read.
    pub fn interface_lines(&self) -> Vec<String> {
        self.interface.clone()
    }

    /// Ends the node's threads, within half a second even if the middleware hangs.
    pub fn shutdown(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.threads.stop.store(true, Ordering::Relaxed);
        self.queue.close();
        let deadline = Instant::now() + Duration::from_millis(400);
        let ended = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.threads.finished.recv_timeout(left) {
                Ok(()) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break true,
                Err(mpsc::RecvTimeoutError::Timeout) => break false,
            }
        };
        for thread in [self.threads.publisher.take(), self.threads.spinner.take()].into_iter().flatten() {
            if ended && thread.join().is_err() {
                tracing::warn!("ROS: a thread of the node has panicked");
            }
        }
        if let Some(tasks) = self.threads.tasks.take() {
            tasks.shutdown_background();
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        if self.threads.tasks.is_some() {
            self.end();
        }
    }
}
