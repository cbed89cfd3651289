//! A running node as the rest of the program sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::Runtime;

use super::shutdown::{Ended, Ending, Progress};
use crate::preset::{PlaceholderValues, Preset};
use crate::ros::diagnostics::health::{HealthSink, SharedHealth};
use crate::ros::graph::topic_layout::{Naming, TopicLayout};
use crate::ros::parameters::settings;
use crate::ros::parameters::table::Parameters;
use crate::ros::publish::queue::Queue;
use crate::ros::publish::snapshot::{PublishSnapshot, RosSink, SharedLatest, SharedSettings};
use crate::sink::Sink;
use crate::time::Rate;

/// How long the tasks may take to end, which hold nothing of the middleware any more.
const TASKS: Duration = Duration::from_secs(1);

/// A running node.
pub struct Bridge {
    pub(super) health: SharedHealth,
    pub(super) queue: Arc<Queue<PublishSnapshot>>,
    pub(super) settings: SharedSettings,
    /// The names of what is there at the start, until the sink takes them.
    pub(super) layout: Option<(Naming, Arc<TopicLayout>)>,
    pub(super) now: SharedLatest,
    pub(super) is_followed: Arc<AtomicBool>,
    pub(super) parameters: Arc<Parameters>,
    pub(super) preset: &'static Preset,
    pub(super) words: PlaceholderValues,
    pub(super) interface: Vec<String>,
    pub(super) threads: Threads,
}

/// The threads of a node, and how they are told to end.
pub(super) struct Threads {
    pub stop: Arc<AtomicBool>,
    /// What has been let go of at the end.
    pub progress: Progress,
    pub spinner: Option<JoinHandle<()>>,
    pub publisher: Option<JoinHandle<()>>,
    pub tasks: Option<Runtime>,
}

impl Bridge {
    /// The sink for the runner, once. It fails once the bridge has been shut down.
    pub fn sink(&mut self) -> Option<Box<dyn Sink>> {
        let layout = self.layout.take()?;
        Some(Box::new(RosSink::new(self.queue.clone(), self.settings.clone(), layout, self.now.clone())))
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
    pub fn words(&self) -> PlaceholderValues {
        self.words.clone()
    }

    /// How often it publishes odometry, as its parameters have it at the start [Hz].
    pub fn odometry_rate(&self) -> f64 {
        self.parameters.number("odom_rate")
    }

    /// Whether any other node listens to its clock, as it goes on.
    pub fn is_followed(&self) -> Arc<AtomicBool> {
        self.is_followed.clone()
    }

    /// How long the simulation goes on for its followers after it was asked to end, as the parameters say at the start.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs_f64(self.parameters.number(settings::SHUTDOWN_GRACE))
    }

    /// What it publishes, what it listens to and how to drive it, for people to read.
    pub fn interface_lines(&self) -> Vec<String> {
        self.interface.clone()
    }

    /// Ends the node: the threads are told at once and joined in order, those that publish first, then those that listen, with the
    /// nodes that they have. Takes seconds, even if the middleware hangs.
    pub fn shutdown(mut self) -> Ended {
        self.end()
    }

    fn end(&mut self) -> Ended {
        let mut ending = Ending::begin(self.threads.progress.clone());
        self.threads.stop.store(true, Ordering::Relaxed);
        self.queue.close();
        for thread in [self.threads.publisher.take(), self.threads.spinner.take()].into_iter().flatten() {
            ending.join(thread);
        }
        if let Some(tasks) = self.threads.tasks.take() {
            tasks.shutdown_timeout(TASKS);
        }
        ending.ended()
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        if self.threads.tasks.is_some() {
            // No receiver is left.
            let _ = self.end();
        }
    }
}
