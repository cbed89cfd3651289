//! Replay of recordings for viewers: a recorded run is shown on the same page as a running one, with a time that can be set.
//!
//! ```text
//!  file ── index: which block holds what, from when to when ──▶ Recording: messages by time, a few blocks in memory
//!  Recording ── ReplayState: the last message of each topic ──▶ world::Frame ──▶ ViewState ──▶ Hub
//!  Pilot ── pause, rate, seek, step ──▶ Player: one thread, which sleeps until something is due
//! ```
//! It reads recordings of skidpad, and those that `ros2 bag record` makes of a skidpad node, without ROS. Memory does not grow with the
//! file except for the index, a hundredth of it: 64 MB of unpacked blocks are cached, and the messages of at most five seconds are folded
//! in at once.

mod clock;
pub mod decode;
mod ghost;
mod index;
mod inferred_scene;
mod playback;
mod player;
mod recording;
mod replay_state;
mod roll_distance;
mod scene_timeline;
mod sensor_data;
#[cfg(test)]
mod tests;
mod topics;
mod unknown_topics;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, wrap_angle};
use skidpad_record::Provenance;
use skidpad_record::bag::{BagError, Stamped};
use skidpad_ros_data::message::{LaserScan, Odometry, Pose, VehicleState};
use skidpad_server::hub::PublishedScene;
use skidpad_sim::world::Frame;
use skidpad_view::state::{ViewScan, ViewState};

use clock::LogClock;
pub use ghost::Ghost;
pub use playback::Playback;
pub use player::{PlayOptions, Player};
use recording::Recording;
use replay_state::ReplayState;
use scene_timeline::{RecordedScene, SceneTimeline};
use topics::{Role, TopicRoles};

/// Longer steps ahead [ns] read the last message of each topic instead of folding all messages between.
const SKIP: i64 = 5_000_000_000;
/// Poses further apart than this [ns] are not interpolated.
const TOO_FAR: i64 = 500_000_000;

/// Why a recording cannot be shown.
#[derive(Debug)]
pub enum ReplayError {
    /// It cannot be read.
    Recording(BagError),
    /// It contains nothing that can be shown.
    Nothing {
        /// The recording.
        path: PathBuf,
        /// What is missing.
        found: &'static str,
        /// The topics that it holds instead.
        topics: Vec<String>,
    },
}

impl From<&ReplayError> for Diagnostics {
    fn from(error: &ReplayError) -> Diagnostics {
        match error {
            ReplayError::Recording(error) => error.into(),
            ReplayError::Nothing { path, found, topics } => {
                let message = Diagnostic::new(path.display(), *found)
                    .accepted("recordings with the odometry of a vehicle, or of skidpad run --record");
                match &topics[..] {
                    [] => message.into(),
                    topics => message.hint(format!("it holds {}", topics.join(", "))).into(),
                }
            }
        }
    }
}

errors_by_parts!(ReplayError { Recording(BagError) });

/// A recording, positioned at one instant.
pub struct Replay {
    path: PathBuf,
    recording: Recording,
    clock: LogClock,
    topic_roles: TopicRoles,
    timeline: SceneTimeline,
    state: ReplayState,
    /// Channels whose last messages make up an instant.
    of_use: Vec<u16>,
    /// Channels of the actors' poses.
    actors: Vec<u16>,
    /// Of those, the channels of poses, whose messages are the instants to step to.
    poses: Vec<u16>,
    /// First and last instant [ns of the log].
    span: (i64, i64),
    /// The instant [ns of the log].
    now: i64,
}

impl Replay {
    /// Opens a recording at its start: a file, or a folder of `ros2 bag record`. A truncated or broken file is shown as far as it can be read.
    ///
    /// # Errors
    /// It cannot be read, is not a recording, or holds nothing that can be shown.
    pub fn open(path: &Path) -> Result<Replay, ReplayError> {
        let mut recording = Recording::open(path)?;
        let no_content = |found, recording: &Recording| {
            let mut topics: Vec<String> = recording.channels.iter().map(|channel| channel.topic.clone()).collect();
            topics.sort_unstable();
            topics.dedup();
            ReplayError::Nothing { path: path.into(), found, topics }
        };
        let Some(span) = recording.span() else { return Err(no_content("has no message to show", &recording)) };
        let (timeline, topic_roles) = SceneTimeline::read(path, &mut recording);
        // Recordings of skidpad are logged in simulated time, even if that was set back.
        let is_of_skidpad = timeline.scenes.iter().any(RecordedScene::is_described);
        let stamps = if is_of_skidpad { Vec::new() } else { recording.stamps().collect() };
        let clock = LogClock::new(stamps.into_iter());
        let best = topic_roles.recorded_vehicles.iter().filter_map(|recorded| Some(recorded.poses.first()?.1));
        let moving = || {
            let bodies = recording.channels.iter().enumerate();
            bodies.filter_map(|(index, channel)| Some((index as u16, channel.moving_body()?)))
        };
        let poses: Vec<u16> = best.chain(moving().map(|(index, _)| index)).collect();
        let actors: BTreeSet<&str> =
            timeline.scenes.iter().flat_map(|scene| &scene.view.actors).map(|actor| actor.name.as_str()).collect();
        let actors = moving().filter(|(_, name)| actors.contains(name)).map(|(index, _)| index).collect();
        if poses.is_empty() {
            return Err(no_content("has no vehicle", &recording));
        }
        let of_use = scene_timeline::of_use(&topic_roles, &recording);
        let state = ReplayState::new(&topic_roles);
        let mut replay = Replay {
            path: path.into(),
            recording,
            clock,
            topic_roles,
            timeline,
            state,
            of_use,
            actors,
            poses,
            span,
            now: span.0,
        };
        replay.span.0 = replay.instant_after(i64::MIN).unwrap_or(span.0);
        replay.clock.count_from_start(replay.span.0);
        replay.go(replay.span.0);
        Ok(replay)
    }

    /// What could not be read.
    pub fn notes(&self) -> &[Diagnostic] {
        &self.recording.notes
    }

    /// How it was made; none: it does not say, or not in words that this version knows.
    pub fn provenance(&self) -> Option<Provenance> {
        serde_json::from_slice(&self.recording.provenance()?).ok()
    }

    /// Simulated time of its beginning and of its end.
    pub fn span(&self) -> (SimTime, SimTime) {
        (self.simulated(self.span.0), self.simulated(self.span.1))
    }

    /// Simulated time of the current instant.
    pub fn now(&self) -> SimTime {
        self.simulated(self.now)
    }

    fn simulated(&self, log: i64) -> SimTime {
        SimTime(self.clock.simulated(log))
    }

    /// Seeks to this simulated time, clamped to the span.
    pub fn seek(&mut self, time: SimTime) {
        self.go(self.clock.logged(time.0).clamp(self.span.0, self.span.1));
    }

    /// Advances to the next recorded instant; false at the end.
    pub fn step(&mut self) -> bool {
        let next = self.instant_after(self.now);
        if let Some(next) = next {
            self.go(next);
        }
        next.is_some()
    }

    /// Number of the current scene.
    pub fn scene(&self) -> usize {
        self.timeline.at(self.now)
    }

    /// That scene for viewers.
    pub fn shown(&self) -> PublishedScene {
        self.timeline.shown(self.scene(), &self.recording)
    }

    /// Fills the state of the current instant.
    pub fn fill(&self, state: &mut ViewState) {
        state.fill(self.revision(), &self.frame());
    }

    /// Revision of the current scene.
    fn revision(&self) -> u32 {
        self.timeline.scenes[self.scene()].view.revision
    }

    /// Simulated time of the current state: that of the newest pose.
    fn frame_time(&self) -> SimTime {
        self.state.time(&self.clock).unwrap_or_else(|| self.now())
    }

    /// The current instant as a frame of the simulation.
    fn frame(&self) -> Frame {
        let recorded_scene = &self.timeline.scenes[self.scene()];
        self.state.frame(&recorded_scene.view, &recorded_scene.vehicles, &self.clock, self.now)
    }

    /// Updates the last scan of each sensor, with its pose at that time.
    pub fn fill_scans(&mut self, scans: &mut Vec<Option<ViewScan>>) {
        let scene = self.scene();
        let recorded_scene = &self.timeline.scenes[scene];
        let sensors = recorded_scene.view.vehicles.iter().map(|vehicle| vehicle.sensors.len());
        let starts: Vec<usize> = sensors.scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count))).collect();
        let count = recorded_scene.view.vehicles.iter().map(|vehicle| vehicle.sensors.len()).sum();
        scans.resize_with(count, || None);
        let (of_scene, revision) = (recorded_scene.scans.clone(), recorded_scene.view.revision);
        // Scans of another scene are dropped.
        scans.iter_mut().for_each(|slot| *slot = slot.take().filter(|scan| scan.revision == revision));
        for (channel, vehicle, sensor) in of_scene {
            let slot = starts[vehicle] + sensor;
            let Some(message) = self.state.scans.get(&channel).cloned() else {
                scans[slot] = None;
                continue;
            };
            let time = self.scan_time(&message);
            if scans[slot].as_ref().is_none_or(|scan| (scan.time, scan.vehicle, scan.sensor) != (time, vehicle, sensor))
            {
                scans[slot] = self.scan(scene, &message, vehicle, sensor);
            }
        }
    }

    fn scan_time(&self, message: &recording::Message) -> SimTime {
        let log = message.time();
        SimTime(decode::stamp(message.data()).map_or(self.clock.simulated(log), |stamp| self.clock.instant(log, stamp)))
    }

    fn scan(&mut self, scene: usize, message: &recording::Message, vehicle: usize, sensor: usize) -> Option<ViewScan> {
        let scan: LaserScan = decode::read(message.data())?;
        let world_from_sensor = self.world_from_sensor(scene, vehicle, sensor, message.time())?;
        Some(ViewScan {
            time: self.scan_time(message),
            revision: self.timeline.scenes[scene].view.revision,
            vehicle,
            sensor,
            world_from_sensor,
            range_max: f64::from(scan.range_max),
            ranges: scan.ranges,
        })
    }

    /// Pose of a vehicle at a log time [ns], interpolated between the poses before and after.
    fn pose_at(&mut self, recorded: usize, time: i64) -> Pose3 {
        let recorded = &self.topic_roles.recorded_vehicles[recorded];
        let Some(&(role, channel)) = recorded.poses.first() else { return Pose3::default() };
        let pose = |message: &recording::Message| {
            let (frame, pose) = match role {
                Role::State => {
                    let state: VehicleState = decode::read(message.data())?;
                    (state.header.frame_id, state.pose)
                }
                Role::Transform => {
                    let (parent, pose) = unknown_topics::pose_of_frame(message.data(), &recorded.body_frame)?;
                    return Some((message.time(), self.state.in_map(&recorded.prefix, &parent, pose)));
                }
                Role::Estimate => {
                    let estimate: Stamped<Pose> = decode::read(message.data())?;
                    (estimate.header.frame_id, estimate.content)
                }
                _ => {
                    let odometry: Odometry = decode::read(message.data())?;
                    (odometry.header.frame_id, odometry.pose.pose)
                }
            };
            let pose = decode::pose(pose.position, pose.orientation);
            Some((
                message.time(),
                if role == Role::Odometry { self.state.in_map(&recorded.prefix, &frame, pose) } else { pose },
            ))
        };
        let before = self.recording.last(channel, time);
        let after = self.recording.next(channel, time);
        match (before.as_ref().and_then(pose), after.as_ref().and_then(pose)) {
            (Some((from, a)), Some((to, b))) if to - from <= TOO_FAR => {
                interpolated_pose(a, b, (time - from) as f64 / (to - from) as f64)
            }
            (Some((_, pose)), _) | (None, Some((_, pose))) => pose,
            (None, None) => Pose3::default(),
        }
    }

    /// Seeks to a time of the log [ns].
    fn go(&mut self, time: i64) {
        if time >= self.now && time - self.now <= SKIP && self.state.has_begun() {
            self.take(self.now, time);
        } else {
            let mut messages: Vec<recording::Message> = Vec::new();
            for index in 0..self.of_use.len() {
                messages.extend(self.recording.last(self.of_use[index], time));
            }
            messages.sort_by_key(recording::Message::order);
            self.state = ReplayState::new(&self.topic_roles);
            self.take_all(&messages);
            // The messages between, which say how far actors have rolled, are not read.
            for channel in &self.actors {
                let roll_distance = self.recording.roll_distance(*channel, time);
                self.state.put_roll_distance(&self.recording.channels, *channel, roll_distance);
            }
        }
        self.now = time;
    }

    /// Folds the messages logged after `from` and up to `to` [ns].
    fn take(&mut self, from: i64, to: i64) {
        let messages = self.recording.messages_between(from, to);
        self.take_all(&messages);
    }

    fn take_all(&mut self, messages: &[recording::Message]) {
        let mut last: Option<&recording::Message> = None;
        for message in messages {
            // A message of several transforms is listed once for each.
            if !last.is_some_and(|last| last.is_same(message)) {
                self.state.take(&self.topic_roles, &self.recording.channels, message);
            }
            last = Some(message);
        }
    }

    /// The first instant after `time` [ns of the log].
    fn instant_after(&mut self, time: i64) -> Option<i64> {
        let mut next: Option<i64> = None;
        for index in 0..self.poses.len() {
            let message = self.recording.next(self.poses[index], time);
            next = [next, message.map(|message| message.time())].into_iter().flatten().min();
        }
        next
    }
}

/// Interpolates between two poses.
fn interpolated_pose(a: Pose3, b: Pose3, share: f64) -> Pose3 {
    let line = |a: f64, b: f64| a + share * (b - a);
    let turn = |a: f64, b: f64| a + share * wrap_angle(b - a);
    Pose3 {
        x: line(a.x, b.x),
        y: line(a.y, b.y),
        z: line(a.z, b.z),
        yaw: turn(a.yaw, b.yaw),
        pitch: turn(a.pitch, b.pitch),
        roll: turn(a.roll, b.roll),
    }
}

impl fmt::Display for Replay {
    /// Summary of its content: duration, vehicles, and the topics of their poses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = self.span();
        let named = |recorded: usize| {
            let names = self
                .timeline
                .scenes
                .iter()
                .flat_map(|recorded_scene| recorded_scene.view.vehicles.iter().zip(&recorded_scene.vehicles));
            names.filter(|(_, of)| **of == Some(recorded)).map(|(vehicle, _)| vehicle.name.clone()).next()
        };
        write!(
            f,
            "{}: {:.3} s, from {:.3} s to {:.3} s",
            self.path.display(),
            (end - start).secs(),
            start.secs(),
            end.secs()
        )?;
        if self.clock.origin().0 != 0 {
            write!(f, ", counted from {:.3} s of its clock", self.clock.origin().secs())?;
        }
        write!(f, "; names of {}", self.topic_roles.preset.name)?;
        for (index, recorded) in self.topic_roles.recorded_vehicles.iter().enumerate() {
            let Some(name) = named(index) else { continue };
            let mut topics: Vec<&str> = Vec::new();
            let channels = self.recording.channels.iter().zip(&self.topic_roles.roles);
            topics.extend(
                channels.filter(|(_, role)| role.is_some_and(|(of, _)| of == index)).map(|(c, _)| c.topic.as_str()),
            );
            topics.dedup();
            let best =
                recorded.poses.first().map_or("", |(_, channel)| &self.recording.channels[usize::from(*channel)].topic);
            topics.retain(|topic| *topic != best);
            write!(f, "\n  {name}: {best}{}{}", if topics.is_empty() { "" } else { " with " }, topics.join(", "))?;
        }
        if self.timeline.scenes.iter().all(|recorded_scene| !recorded_scene.is_described()) {
            write!(f, "\n  the recording does not describe its scene: vehicles have plain shapes")?;
        }
        Ok(())
    }
}
