//! The interface of the running simulator's node to the rest of the program, up to its shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use r2r::Context;
use skidpad_math::time::{Rate, SimTime};
use skidpad_ros_data::interface::naming::{PublishedNaming, VehicleNaming};
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::preset::{PlaceholderValues, Preset};
use skidpad_run::diagnostics::health::{HealthSink, SharedHealth};
use skidpad_run::sink::Sink;
use tokio::runtime::Runtime;

use super::parameters;
use super::parameters::vehicles::tf_mode;
use crate::graph::names::Resolver;
use crate::graph::topic_layout::{Naming, TopicLayout};
use crate::parameters::table::Parameters;
use crate::publish::audience::Audience;
use crate::publish::queue::Queue;
use crate::publish::sink::RosSink;
use crate::publish::snapshot::{PublishSnapshot, SharedLatest, SharedSettings};
use crate::scenario::{RosPeers, Surroundings};
use crate::shutdown::{Ended, Ending, Guests, Progress};

/// How long a shutdown waits for tasks, which hold nothing of the middleware by then.
const TASKS: Duration = Duration::from_secs(1);

/// A running node.
pub struct Bridge {
    pub(super) health: SharedHealth,
    pub(super) queue: Arc<Queue<PublishSnapshot>>,
    pub(super) settings: SharedSettings,
    /// The topics at the start, until the sink takes them.
    pub(super) layout: Option<(Naming, Arc<TopicLayout>)>,
    pub(super) latest: SharedLatest,
    pub(super) audience: Arc<Audience>,
    pub(super) is_followed: Arc<AtomicBool>,
    pub(super) parameters: Arc<Parameters>,
    pub(super) preset: &'static Preset,
    pub(super) words: PlaceholderValues,
    pub(super) desk: SharedDesk,
    pub(super) interface: Vec<String>,
    pub(super) context: Context,
    pub(super) resolver: Resolver,
    pub(super) waits_at_start: bool,
    pub(super) threads: Threads,
}

/// The threads of a node, and the flag that stops them.
pub(super) struct Threads {
    pub stop: Arc<AtomicBool>,
    /// Counts the objects destroyed during the shutdown.
    pub progress: Progress,
    pub spinner: Option<JoinHandle<()>>,
    pub publisher: Option<JoinHandle<()>>,
    /// Waits for those who command, where the run begins with them.
    pub starter: Option<JoinHandle<()>>,
    /// Those of a scenario, which talks to the nodes beside the simulation.
    pub guests: Guests,
    pub tasks: Option<Runtime>,
}

impl Bridge {
    /// The sink for the runner; none at the second call. The sink fails after the shutdown of the bridge.
    pub fn sink(&mut self) -> Option<Box<dyn Sink>> {
        let (naming, layout) = self.layout.take()?;
        let (latest, audience) = (self.latest.clone(), Arc::clone(&self.audience));
        let sink = RosSink::new(self.queue.clone(), self.settings.clone(), naming, layout, latest, audience);
        let sink = sink.with_wall_stamps(parameters::has_wall_stamps(&self.parameters));
        Some(Box::new(sink.with_desk(self.desk())))
    }

    /// A sink that collects the statistics of the run. It has to precede the other sink, which publishes them.
    pub fn health_sink(&self) -> Box<dyn Sink> {
        Box::new(HealthSink(self.health.clone()))
    }

    /// The rate that the parameters ask for at the start. The requests for the command timeout and the range noise are
    /// in the outbox already.
    pub fn initial_rate(&self) -> Rate {
        parameters::rate(&self.parameters)
    }

    /// Whether the parameters have time stand at the start.
    pub fn starts_paused(&self) -> bool {
        self.parameters.flag("paused") || self.parameters.flag(parameters::START_WHEN_COMMANDED) || self.waits_at_start
    }

    /// The preset of its topics, with the quirks that the parameters ask for.
    pub fn preset(&self) -> &'static Preset {
        self.preset
    }

    /// The values of the placeholders in its names.
    pub fn words(&self) -> PlaceholderValues {
        self.words.clone()
    }

    /// What Autoware commands under its preset.
    pub fn desk(&self) -> SharedDesk {
        self.desk.clone()
    }

    /// The names of vehicles and frames that it publishes.
    pub fn naming(&self) -> PublishedNaming {
        let naming = VehicleNaming::new(self.preset, self.parameters.flag("force_vehicle_namespace"));
        let parameters = self.parameters.clone();
        PublishedNaming::new(naming.with_words(self.words()), move |vehicle| tf_mode(&parameters, vehicle))
    }

    /// The nodes beside the simulation, as a scenario talks to them.
    pub fn peers(&self) -> RosPeers {
        let (parameters, latest) = (self.parameters.clone(), self.latest.clone());
        let naming = VehicleNaming::new(self.preset, self.parameters.flag("force_vehicle_namespace"));
        RosPeers::new(Surroundings {
            context: self.context.clone(),
            resolver: self.resolver.clone(),
            naming: naming.with_words(self.words()),
            tf_mode: Box::new(move |vehicle| tf_mode(&parameters, vehicle)),
            clock: Box::new(move || SimTime(latest.time.load(Ordering::Acquire))),
            stop: Arc::clone(&self.threads.stop),
            guests: self.threads.guests.clone(),
            progress: self.threads.progress.clone(),
        })
    }

    /// Rate of odometry at the start, from the parameters [Hz].
    pub fn odometry_rate(&self) -> f64 {
        self.parameters.number("odom_rate")
    }

    /// Whether any other node subscribes to its clock, kept up to date.
    pub fn is_followed(&self) -> Arc<AtomicBool> {
        self.is_followed.clone()
    }

    /// How long the simulation continues for other nodes after it was asked to end, from the parameters at the start.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs_f64(self.parameters.number(parameters::SHUTDOWN_GRACE))
    }

    /// The interface of the node for display: topics, services, and how to drive.
    pub fn interface_lines(&self) -> Vec<String> {
        self.interface.clone()
    }

    /// Shuts the node down: signals all threads to stop and then joins them, the publisher first, then the one that owns the nodes. Takes
    /// seconds at most, even if the middleware hangs.
    pub fn shutdown(mut self) -> Ended {
        self.end()
    }

    fn end(&mut self) -> Ended {
        let mut ending = Ending::begin(self.threads.progress.clone());
        self.threads.stop.store(true, Ordering::Relaxed);
        self.queue.close();
        let own_threads = [self.threads.starter.take(), self.threads.publisher.take(), self.threads.spinner.take()];
        for thread in self.threads.guests.take().into_iter().chain(own_threads.into_iter().flatten()) {
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
