//! Recording of runs as MCAP files in the profile of ROS 2, written in this process: no middleware, nothing lost at any speed.
//!
//! ```text
//!  simulation thread                          recorder thread
//!  Recorder::frame ─ batches of snapshots ──▶ Messages: CDR ─▶ chunks ─▶ Disk: file with a footer, at least every second
//!        ▲                                        │
//!        └──────────── used batches ◀─────────────┘
//! ```
//! The simulation thread decides what is due and copies numbers; everything else happens on the other side of the queue.

pub mod bag;
mod commands;
pub mod comparison;
mod destination;
mod disk;
mod drawings;
mod external_messages;
mod file_monitor;
mod messages;
mod missing;
mod moving_bodies;
mod options;
mod output;
pub mod provenance;
mod snapshot;
mod topic;
mod topic_selection;
mod vehicle_recorder;
mod writer;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use skidpad_files::file_error::FileError;
use skidpad_math::time::{Rate, SimTime};
use skidpad_ros_data::interface::naming::VehicleNaming;
use skidpad_ros_data::interface::poses;
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::preset::{PlaceholderValues, Preset};
use skidpad_run::runner::{Change as RunChange, TimedChange};
use skidpad_run::sink::{RunStatistics, Sink, SinkError, SinkLoad};
use skidpad_sim::world::{Frame, Scene, Wanted};

pub use destination::{Bounds, Destination, file_name};
use external_messages::ExternalReceiver;
pub use external_messages::{EXTERNAL_TOPICS, ExternalInput};
use messages::{Change, Messages};
pub use missing::{MISSING_ATTACHMENT, MissingMessages};
pub use options::{Compression, RecordError, RecordOptions, TopicFilter};
use output::McapOutput;
pub use provenance::{Provenance, RecordedNames, quoted};
use snapshot::Sampler;
use writer::Writer;

/// Name of the attachments that describe the scene, each valid from its log time on.
pub const SCENE_ATTACHMENT: &str = "skidpad/scene.json";
/// Name of the attachments that say how the errors of inertial measurement units develop, by their topics.
pub const IMU_NOISE_ATTACHMENT: &str = "skidpad/imu_noise.json";
/// The topic of all moving bodies other than vehicles.
pub const MOVING_TOPIC: &str = "/moving_objects";
/// The topic of each vehicle with the data that viewers show.
pub const STATE_TOPIC: &str = "vehicle_state";
/// The topic of each vehicle for its wheels, if the preset has none.
pub const WHEELS_TOPIC: &str = "wheel_states";

/// The number of messages of a recording, which its end sets.
#[derive(Clone, Debug, Default)]
pub struct MessageCount(Arc<OnceLock<u64>>);

impl MessageCount {
    /// The number; none before the end, and of a recording that has failed.
    pub fn get(&self) -> Option<u64> {
        self.0.get().copied()
    }
}

/// Records a run: a sink that receives frames from the runner or an experiment.
///
/// Every message carries the simulated time of its frame as stamp and as log time; when simulated time is set back, log times continue. The
/// file is a complete recording at least once per second, so that a killed process loses no more than that; [`Sink::finish`] adds the
/// index. If another process truncates, overwrites or removes the file meanwhile, everything that can be saved goes to another file beside
/// it, and [`Sink::finish`] completes the recording but returns an error.
pub struct Recorder {
    path: PathBuf,
    count: MessageCount,
    options: RecordOptions,
    /// Messages of external trackers, if they are recorded.
    external: Option<ExternalReceiver>,
    state: RecorderState,
}

enum RecorderState {
    /// The file exists, the run has not begun.
    Ready(Box<McapOutput>),
    Running(Box<Running>),
    Done,
}

struct Running {
    sampler: Sampler,
    writer: Writer,
    naming: VehicleNaming,
    /// The sensors with a recorded topic.
    wanted: Wanted,
    /// Topics that existed at the start.
    taken: Vec<String>,
    /// Number of steps so far.
    steps: u64,
}

impl Recorder {
    /// Creates the file of a destination, or fills the one that has no name, and ends where its bounds say. It is a valid recording from here on.
    ///
    /// # Errors
    /// The file cannot be created or written, or it exists already.
    pub fn at(destination: &Destination, options: RecordOptions) -> Result<Recorder, RecordError> {
        let options = RecordOptions { bounds: destination.bounds.clone(), ..options };
        let Some(file) = destination.file() else { return Recorder::create(destination.path(), options) };
        // In messages; nobody else finds it.
        let path = Path::new("temporary recording");
        let fill = |content: &[u8]| {
            let filled = file.write_all_at(content, 0).and_then(|()| file.try_clone());
            filled.map_err(|cause| FileError::write(path, cause).into())
        };
        Recorder::with(fill, path, options)
    }

    /// Creates the file; it is a valid recording from here on.
    ///
    /// # Errors
    /// The file cannot be created or written, or it exists already.
    pub fn create(path: &Path, options: RecordOptions) -> Result<Recorder, RecordError> {
        let error = |found: &str| RecordError::new(path.display(), found);
        if path.extension().is_none_or(|extension| extension != "mcap") {
            return Err(error("not the name of a recording").accepted("a file name that ends in .mcap"));
        }
        let create = |content: &[u8]| {
            file_monitor::create(path, content).map_err(|cause| {
                let kind = cause.kind();
                let has_folder = path.parent().is_some_and(Path::is_dir);
                let failed = RecordError::from(FileError::create(path, cause));
                match kind {
                    io::ErrorKind::AlreadyExists => error("exists already")
                        .hint("give another name, or remove it: recordings are never overwritten"),
                    io::ErrorKind::NotFound if has_folder => failed.hint("choose another folder"),
                    io::ErrorKind::NotFound => failed.hint("make its folder first"),
                    _ => failed,
                }
            })
        };
        Recorder::with(create, path, options)
    }

    /// Records into the file that `create` makes with the content that it is given.
    fn with(
        create: impl FnOnce(&[u8]) -> Result<File, RecordError>,
        path: &Path,
        options: RecordOptions,
    ) -> Result<Recorder, RecordError> {
        let output = McapOutput::new(create, path, &options)?;
        let state = RecorderState::Ready(Box::new(output));
        Ok(Recorder { path: path.to_owned(), count: MessageCount::default(), options, external: None, state })
    }

    /// The number of its messages, for when it is complete.
    pub fn count(&self) -> MessageCount {
        self.count.clone()
    }

    /// Sets the preset of names and frames, the values of its placeholders, and the rate of odometry messages [Hz], > 0. Has no effect once
    /// the run has begun.
    pub fn follow(&mut self, preset: &'static Preset, words: PlaceholderValues, odometry_rate: f64) {
        self.options.preset = preset;
        self.options.words = Some(words);
        self.options.odometry_rate = Some(odometry_rate);
    }

    /// Records what a vehicle reports of these commands. Has no effect once the run has begun.
    pub fn report(&mut self, desk: SharedDesk) {
        self.options.desk = desk;
    }

    /// Records messages of external trackers from the beginning of the run on. Another call replaces the listener.
    pub fn listener(&mut self) -> ExternalInput {
        let (listener, external) = external_messages::external_input(&self.options.topics);
        self.external = Some(external);
        listener
    }

    fn failed(&mut self, error: RecordError) -> SinkError {
        self.state = RecorderState::Done;
        error
    }
}

impl Sink for Recorder {
    fn name(&self) -> &str {
        "recording"
    }

    fn start(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        let RecorderState::Ready(output) = std::mem::replace(&mut self.state, RecorderState::Done) else {
            return Ok(());
        };
        let external = self.external.take();
        let mut naming = VehicleNaming::new(self.options.preset, false);
        if let Some(words) = &self.options.words {
            naming = naming.with_words(words.clone());
        }
        let names = naming.names_in(scene);
        let opponents = naming.opponents(scene);
        if let Some(provenance) = &mut self.options.provenance {
            let names = RecordedNames::of(self.options.preset, self.options.words.as_ref(), self.options.odometry_rate);
            Arc::make_mut(provenance).names = Some(names);
        }
        let started = Messages::new(scene, &names, opponents, naming.map_frame(), &self.options, output).and_then(
            |(messages, pose_publications, taken)| {
                let records_bodies = messages.records_bodies();
                let writer = Writer::start(messages, &self.path, &self.options)?;
                let sampler = Sampler::new(&self.options, scene, pose_publications, external, records_bodies);
                let wanted = topic_selection::sensors(&self.options.topics, scene, &names);
                Ok(RecorderState::Running(Box::new(Running { sampler, writer, naming, wanted, taken, steps: 0 })))
            },
        );
        self.state = started.map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        let RecorderState::Running(running) = &mut self.state else { return Ok(()) };
        let Running { sampler, writer, naming, wanted, taken, .. } = &mut **running;
        let names = naming.names_in(scene);
        *wanted = topic_selection::sensors(&self.options.topics, scene, &names);
        let pose_publications = poses::pose_publications(scene, taken);
        sampler.follow(scene, pose_publications.clone());
        let (since, opponents) = (sampler.last_logged(), naming.opponents(scene));
        let change = Change { scene: Arc::clone(scene), since, names, opponents, pose_publications };
        writer.follow(change).map_err(|error| self.failed(error))
    }

    fn wants(&mut self, _scene: &Arc<Scene>, wanted: &mut Wanted) {
        if let RecorderState::Running(running) = &self.state {
            wanted.add_all(&running.wanted);
        }
    }

    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        let RecorderState::Running(running) = &mut self.state else { return Ok(()) };
        let Running { sampler, writer, steps, .. } = &mut **running;
        *steps += 1;
        let is_due = sampler.look(frame);
        let mut index = 0;
        while let Some(instant) = sampler.instant_between(index) {
            let done = writer.push(|snapshot| sampler.copy_between(frame, &instant, snapshot));
            if let Err(error) = done {
                return Err(self.failed(error));
            }
            index += 1;
        }
        sampler.remember(frame);
        if let Some(bounds) = &self.options.bounds {
            bounds.reach(sampler.last_logged());
        }
        let done = match is_due {
            true => writer.push(|snapshot| sampler.copy(scene, frame, snapshot)),
            false => writer.tend(),
        };
        done.map_err(|error| self.failed(error))
    }

    fn idle(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        let RecorderState::Running(running) = &mut self.state else { return Ok(()) };
        running.writer.tend().map_err(|error| self.failed(error))
    }

    fn rate_changed(&mut self, rate: Rate) -> Result<(), SinkError> {
        if let RecorderState::Running(running) = &mut self.state {
            running.writer.set_rate(rate);
        }
        Ok(())
    }

    fn message_missing(&mut self, topic: &Arc<str>, instant: SimTime) -> Result<(), SinkError> {
        if let RecorderState::Running(running) = &mut self.state {
            running.sampler.missing.add(topic, instant, 1);
        }
        Ok(())
    }

    fn changed(&mut self, timed_change: &TimedChange) -> Result<(), SinkError> {
        if let RecorderState::Running(running) = &mut self.state
            && self.options.provenance.is_some()
        {
            running.writer.add_timed_change(timed_change.line());
        }
        Ok(())
    }

    fn statistics(&mut self, scene: &Arc<Scene>, frame: &Frame, window: &RunStatistics) -> Result<(), SinkError> {
        if let RecorderState::Running(running) = &mut self.state {
            running.sampler.judge(scene, frame, window);
        }
        Ok(())
    }

    fn load(&self) -> SinkLoad {
        match &self.state {
            RecorderState::Running(running) => running.writer.load(),
            RecorderState::Ready(_) | RecorderState::Done => SinkLoad::default(),
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        match std::mem::replace(&mut self.state, RecorderState::Done) {
            RecorderState::Running(mut running) => {
                if self.options.provenance.is_some() {
                    let end = TimedChange { step: running.steps, change: RunChange::End };
                    running.writer.add_timed_change(end.line());
                }
                let reported = running.sampler.missing.reported(&self.path);
                reported.iter().for_each(|reported| tracing::warn!(diagnostic = reported.as_value()));
                let written = running.writer.finish().map_err(|error| self.failed(error))?;
                // Set once: there is one end.
                let _ = self.count.0.set(written);
                Ok(())
            }
            RecorderState::Ready(output) => output.finish().map(drop).map_err(|error| self.failed(error)),
            RecorderState::Done => Ok(()),
        }
    }
}

#[cfg(test)]
mod chunk_tests;
#[cfg(test)]
mod frame_name_tests;
#[cfg(test)]
mod slow_disk_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wanted_tests;
