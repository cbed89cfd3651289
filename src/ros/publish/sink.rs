//! The sink of the node: decides on the simulation thread what of each frame is published, and hands it to the publisher thread.
//!
//! It copies only what is due into a reused snapshot and pushes it; a push is two short locks and no call into the middleware. Publishing
//! there instead would put serialization and the transport's locks (some 10 µs per message, and far more when a peer makes the middleware
//! resend) between two steps.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::{Periodic, Rate, SimTime};
use skidpad_ros_data::interface::copy::copy_vehicles;
use skidpad_ros_data::interface::sampler::{FrameSampler, StateInstant};
use skidpad_ros_data::message::{SharedDesk, StampLine};
use skidpad_ros_data::preset::Pace;
use skidpad_run::guard::{lock, try_lock};
use skidpad_run::sink::{RunStatistics, Sink, SinkError, SinkLoad};
use skidpad_sim::world::{Frame, Scene, Wanted};

use super::audience::{Audience, ListenedSensors};
use super::queue::Queue;
use super::snapshot::{PublishSettings, PublishSnapshot, SharedLatest, SharedSettings};
use super::wall_stamps::{self, WallStamps};
use crate::graph::topic_layout::{Naming, TopicLayout};
use crate::throttle::Throttle;

/// The time of something that has not been sent [ns].
const NEVER: SimTime = SimTime(-1);

/// Least wall time between markers of a simulation that runs as fast as it can.
const SHOW_SPACING: Duration = Duration::from_millis(100);

/// The sink that the runner hands frames to.
pub(crate) struct RosSink {
    queue: Arc<Queue<PublishSnapshot>>,
    shared: SharedSettings,
    settings: PublishSettings,
    clock: Periodic,
    sampler: FrameSampler,
    markers: Periodic,
    /// Limits the rate of markers.
    shown: Throttle,
    logs: Periodic,
    bodies: Periodic,
    naming: Naming,
    layout: Arc<TopicLayout>,
    /// Simulated time of the last frame.
    last: SimTime,
    latest: SharedLatest,
    listened: ListenedSensors,
    /// The stamps of the last frame in place of those of simulated time.
    line: Option<StampLine>,
    /// The time of the last clock message.
    clocked: SimTime,
    /// The time of the last transforms. tf2 treats a repeated stamp as an error.
    last_transforms: SimTime,
    /// As in the snapshot.
    has_begun: bool,
    /// The stamps by the wall clock, if those are wanted.
    wall: Option<WallStamps>,
    /// What Autoware commands.
    desk: SharedDesk,
    /// The speed of time of the steps.
    rate: Rate,
    /// The speed of time that was last reported beside stamps by the wall clock.
    reported_rate: Rate,
}

impl RosSink {
    /// A sink that fills snapshots into `queue` with the settings of `shared`, and keeps `latest` up to date. `layout` is that of the world at
    /// the start; `naming` gives the later ones. It wants the readings that somebody of `audience` listens to.
    pub fn new(
        queue: Arc<Queue<PublishSnapshot>>,
        shared: SharedSettings,
        naming: Naming,
        layout: Arc<TopicLayout>,
        latest: SharedLatest,
        audience: Arc<Audience>,
    ) -> RosSink {
        let settings = *lock(&shared);
        let rates = [settings.odom_rate, settings.joint_rate];
        let sampler =
            FrameSampler::new(&layout.scene, rates, settings.has_joint_pace, layout.pose_publications.clone());
        RosSink {
            queue,
            shared,
            settings,
            clock: every(settings.clock_rate),
            sampler,
            markers: every(settings.marker_rate),
            shown: Throttle::new(SHOW_SPACING),
            logs: every(settings.log_rate),
            bodies: every(settings.body_rate),
            naming,
            layout,
            last: SimTime::ZERO,
            latest,
            listened: ListenedSensors::new(audience),
            line: None,
            clocked: NEVER,
            last_transforms: NEVER,
            has_begun: false,
            wall: None,
            desk: SharedDesk::default(),
            rate: Rate::default(),
            reported_rate: Rate::Factor(1.0),
        }
    }

    /// The same with stamps by the wall clock, if they are wanted.
    pub(crate) fn with_wall_stamps(self, are_wanted: bool) -> RosSink {
        RosSink { wall: are_wanted.then(WallStamps::default), ..self }
    }

    /// The same, which reports these commands of Autoware.
    pub(crate) fn with_desk(self, desk: SharedDesk) -> RosSink {
        RosSink { desk, ..self }
    }

    /// The stamps of this moment, if they are not those of simulated time.
    fn stamps(&mut self, time: SimTime) -> Option<StampLine> {
        let rate = self.rate;
        self.wall.as_mut().map(|wall| wall.at(time, wall_stamps::now(), rate))
    }

    fn follow_settings(&mut self) {
        // If the lock is held, the next step reads the settings.
        let Some(now) = try_lock(&self.shared).map(|settings| *settings) else { return };
        if now == self.settings {
            return;
        }
        if now.clock_rate != self.settings.clock_rate {
            self.clock = every(now.clock_rate);
        }
        if now.odom_rate != self.settings.odom_rate {
            self.sampler.set_rate(Pace::Odometry, now.odom_rate);
        }
        if now.marker_rate != self.settings.marker_rate {
            self.markers = every(now.marker_rate);
        }
        if now.log_rate != self.settings.log_rate {
            self.logs = every(now.log_rate);
        }
        if now.body_rate != self.settings.body_rate {
            self.bodies = every(now.body_rate);
        }
        self.settings = now;
    }

    fn push(&mut self, fill: impl FnOnce(&mut Self, &mut PublishSnapshot)) -> Result<(), SinkError> {
        let queue = self.queue.clone();
        let Some((mut snapshot, lost)) = queue.take_spare(self.listened.are_any()) else {
            return Err(SinkError::new("ROS", "the publisher has stopped"));
        };
        if lost
            && snapshot.states[Pace::Odometry as usize]
            && let Some(before) = &snapshot.layout
        {
            // A collision is published once; if its snapshot was dropped, it is published with the next states.
            for (info, vehicle) in before.scene.vehicles.iter().zip(&snapshot.vehicles) {
                if vehicle.collided {
                    self.sampler.restore_collision(info.id);
                }
            }
        }
        snapshot.layout = Some(self.layout.clone());
        snapshot.clear();
        (snapshot.settings, snapshot.has_begun, snapshot.stamps) = (self.settings, self.has_begun, self.line);
        snapshot.desk = *self.desk.lock();
        fill(self, &mut snapshot);
        let bytes = snapshot.bytes();
        queue.push(snapshot, bytes);
        Ok(())
    }
}

fn every(rate: f64) -> Periodic {
    Periodic::new(SimTime::from_secs(1.0 / rate))
}

impl RosSink {
    /// Publishes the time of `frame` again, for nodes that start during a pause, together with the transforms if these have not been
    /// published; by the wall clock the transforms, since nodes look them up for the present.
    fn repeat(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.line = self.stamps(frame.time);
        self.push(|sink, snapshot| {
            snapshot.time = frame.time;
            snapshot.clock = sink.settings.publish_clock;
            sink.clocked = frame.time;
            if snapshot.clock && sink.last_transforms != frame.time || sink.wall.is_some() {
                copy_vehicles(frame, &mut snapshot.vehicles);
                sink.move_frames(snapshot);
            }
        })
    }

    /// Publishes the states of an instant between two frames.
    fn push_between(&mut self, frame: &Frame, instant: &StateInstant) -> Result<(), SinkError> {
        self.push(|sink, snapshot| {
            snapshot.time = instant.time;
            snapshot.clock = sink.settings.publish_clock;
            sink.clocked = instant.time;
            snapshot.states = instant.states;
            sink.move_frames(snapshot);
            sink.sampler.copy_between(frame, instant, &mut snapshot.vehicles);
        })
    }

    /// Marks the transforms of all vehicles as due.
    fn move_frames(&mut self, snapshot: &mut PublishSnapshot) {
        snapshot.has_transforms = true;
        self.last_transforms = snapshot.time;
    }

    /// Says once for each speed of time but 1 what stamps by the wall clock mean with it.
    fn tell_rate(&mut self, rate: Rate) {
        if self.wall.is_none() || std::mem::replace(&mut self.reported_rate, rate) == rate || rate == Rate::Factor(1.0)
        {
            return;
        }
        let found =
            format!("found wall, at rate {rate}: speeds that nodes compute from stamps are wrong by this factor");
        let reported = Diagnostic::new("parameter \"stamps\"", found)
            .accepted("rate 1")
            .hint("set stamps:=sim, and use_sim_time:=true for the other nodes");
        tracing::warn!(diagnostic = reported.as_value());
    }

    /// Whether markers may be sent. A simulation that runs as fast as possible sends fewer, since viewers show only a few images per wall
    /// second.
    fn may_show(&mut self) -> bool {
        !self.settings.free_running || self.shown.is_due(Instant::now())
    }

    /// Restarts all periods at the simulated time `time`.
    fn start_clocks(&mut self, time: SimTime) {
        self.clock.restart(time);
        self.sampler.restart(time);
        (self.last, self.last_transforms) = (time, time);
    }
}

impl Sink for RosSink {
    fn name(&self) -> &str {
        "ROS"
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        self.layout = Arc::new(self.naming.follow(scene));
        self.sampler.follow(scene, self.layout.pose_publications.clone(), self.last);
        // Publishers of vehicles are created and destroyed even while nothing is due, as in a pause.
        let last = self.last;
        self.push(|_, snapshot| snapshot.time = last)
    }

    fn wants(&mut self, scene: &Arc<Scene>, wanted: &mut Wanted) {
        self.listened.add_to(scene, wanted);
    }

    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.last = frame.time;
        self.latest.has_driver.store(frame.vehicles.iter().any(|vehicle| vehicle.has_driver), Ordering::Relaxed);
        // Readers of the time also see everything stored before it.
        self.latest.time.store(frame.time.0, Ordering::Release);
        if frame.time <= SimTime::ZERO {
            return Ok(());
        }
        self.has_begun = true;
        self.line = self.stamps(frame.time);
        self.follow_settings();
        let clock = self.clock.is_due(frame.time);
        let due = self.sampler.inspect(frame);
        let mut index = 0;
        while let Some(instant) = self.sampler.instant_between(index) {
            self.push_between(frame, &instant)?;
            index += 1;
        }
        self.sampler.remember(frame);
        let extras = self.layout.extras;
        let markers = extras.markers && self.markers.is_due(frame.time) && self.may_show();
        let logs = extras.log && self.logs.is_due(frame.time);
        let has_listeners = self.latest.has_body_listeners.load(Ordering::Relaxed);
        let bodies = extras.bodies && has_listeners && self.bodies.is_due(frame.time);
        let stamped = due.any() || markers || logs || bodies;
        // Clocks alone never displace data from the queue of a simulation that runs as fast as it can.
        let may_wait = self.settings.free_running && !stamped;
        let clock = self.settings.publish_clock && (clock || stamped);
        if !(clock || stamped) || may_wait && self.queue.waiting() > 0 {
            return Ok(());
        }
        self.push(|sink, snapshot| {
            snapshot.time = frame.time;
            snapshot.clock = clock;
            sink.clocked = frame.time;
            snapshot.may_wait = may_wait;
            snapshot.states = due.states;
            sink.move_frames(snapshot);
            // Without a clock of this node, the rate of odometry is enough.
            snapshot.has_transforms = clock || due.states[Pace::Odometry as usize];
            (snapshot.markers, snapshot.logs, snapshot.has_bodies) = (markers, logs, bodies);
            if bodies {
                snapshot.bodies.copy_from(scene, frame);
            }
            if markers {
                snapshot.surroundings.copy_from(frame);
            }
            sink.sampler.copy(frame, &due, &mut snapshot.vehicles, &mut snapshot.sensors, &mut snapshot.poses);
        })
    }

    fn rate_changed(&mut self, rate: Rate) -> Result<(), SinkError> {
        self.rate = rate;
        Ok(())
    }

    fn time_reset(&mut self, _scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.start_clocks(frame.time);
        Ok(())
    }

    /// Wakes the publisher for topics that it publishes by wall time, even if nothing is due in simulated time.
    fn statistics(&mut self, _: &Arc<Scene>, frame: &Frame, window: &RunStatistics) -> Result<(), SinkError> {
        self.tell_rate(window.rate);
        // If snapshots wait, the publisher is at work anyway; and a clock that has just been sent need not be repeated.
        if !self.has_begun || self.queue.waiting() > 0 {
            return Ok(());
        }
        if frame.time != self.clocked {
            return self.repeat(frame);
        }
        self.push(|_, snapshot| snapshot.time = frame.time)
    }

    fn load(&self) -> SinkLoad {
        SinkLoad { waiting: self.queue.waiting() as u64, dropped: self.queue.dropped() }
    }

    fn idle(&mut self, _scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        // Time stands, perhaps at the start, and others begin meanwhile.
        self.has_begun = true;
        self.follow_settings();
        self.repeat(frame)
    }
}

#[cfg(test)]
mod tests;
