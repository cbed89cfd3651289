//! What one step has to say to ROS: the sink's side of the hand-over to the publisher thread.
//!
//! The sink decides on the simulation thread what is due, copies just that into a reused snapshot and pushes it; a push
//! is two short locks and no call into the middleware. Publishing there instead would put serialisation and the
//! transport's locks (some 10 µs a message, and far more when a peer makes the middleware resend) between two steps.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::queue::Queue;
use super::settings::Settings;
use super::stage::{Naming, Stage};
use super::throttle::Throttle;
use crate::interface::copy::{SensorSnapshot, VehicleSnapshot, copy_readings};
use crate::interface::poses::{PoseClock, PoseSnapshot};
use crate::math::Pose3;
use crate::preset::Pace;
use crate::runner::RunStatistics;
use crate::sink::{Sink, SinkError, SinkLoad};
use crate::time::{Periodic, SimTime};
use crate::world::{Frame, Scene, VehicleFrame};

/// What is due at one instant, with a copy of the data.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The stamp of everything in it.
    pub time: SimTime,
    /// Whose indices its lists have; only one that has never been filled has none.
    pub stage: Option<Arc<Stage>>,
    /// Whether a clock message goes out; always when anything else does, unless the clock is switched off.
    pub clock: bool,
    /// Whether there is nothing but the clock in it, and another follows soon anyhow.
    pub may_wait: bool,
    /// Whether the topics of each [`Pace`] are due.
    pub states: [bool; 2],
    /// Whether to publish odom → base_footprint and map → odom.
    pub transforms: [bool; 2],
    /// How much later than the rest map → odom is stamped [ns].
    pub map_to_odom_ahead: SimTime,
    /// Whether to publish what never moves.
    pub static_transforms: bool,
    /// One entry per vehicle; those with nothing due hold what was due before.
    pub vehicles: Vec<VehicleSnapshot>,
    /// One entry per sensor, vehicles in order.
    pub sensors: Vec<SensorSnapshot>,
    /// One entry per wish of the world for poses.
    pub poses: Vec<PoseSnapshot>,
    /// Whether markers are due.
    pub markers: bool,
    /// Whether the topics of the logs are due.
    pub logs: bool,
    /// How long a force of 1 N is drawn [m]; 0: as fits the vehicle.
    pub force_scale: f64,
    /// What moves beside vehicles, where markers are due.
    pub surroundings: Surroundings,
}

/// Where things are in the world [m, rad].
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Each block.
    pub blocks: Vec<Pose3>,
    /// Each horizontal plane.
    pub planes: Vec<Pose3>,
    /// Each actor.
    pub actors: Vec<Pose3>,
}

/// Least wall time between markers of a simulation that runs as fast as it can.
const SHOW_SPACING: Duration = Duration::from_millis(100);

/// Settings that the parameter services change while the sink reads them.
pub type SharedSettings = Arc<Mutex<Settings>>;

/// What the last frame says to those who do not wait for frames.
#[derive(Debug, Default)]
pub struct Latest {
    /// Its simulated time [ns]; 0 before the first.
    pub time: AtomicI64,
    /// Whether a vehicle has a driver in this process.
    pub has_driver: AtomicBool,
}

/// The last frame, shared.
pub type Now = Arc<Latest>;

/// The sink that the runner hands frames to.
pub struct RosSink {
    queue: Arc<Queue<Snapshot>>,
    shared: SharedSettings,
    settings: Settings,
    clock: Periodic,
    odometry: Periodic,
    joints: Periodic,
    markers: Periodic,
    /// Holds markers back.
    shown: Throttle,
    logs: Periodic,
    naming: Naming,
    stage: Arc<Stage>,
    poses: PoseClock,
    /// When the last frame was.
    last: SimTime,
    collided: Vec<bool>,
    /// When each vehicle's driver last acted, as far as published.
    tracked: Vec<Option<SimTime>>,
    now: Now,
    /// The time that the last clock had.
    clocked: SimTime,
}

impl RosSink {
    /// A sink that fills snapshots into `queue` as `shared` has it; it keeps `now` up to date. At the start the world is as
    /// `stage` has it, afterwards as `naming` does.
    pub fn new(
        queue: Arc<Queue<Snapshot>>,
        shared: SharedSettings,
        (naming, stage): (Naming, Arc<Stage>),
        now: Now,
    ) -> RosSink {
        let settings = *shared.lock().unwrap_or_else(PoisonError::into_inner);
        RosSink {
            queue,
            shared,
            settings,
            clock: every(settings.clock_rate),
            odometry: every(settings.odom_rate),
            joints: every(settings.joint_rate),
            markers: every(settings.marker_rate),
            shown: Throttle::new(SHOW_SPACING),
            logs: every(settings.log_rate),
            poses: PoseClock::new(stage.wishes.clone()),
            naming,
            stage,
            last: SimTime::ZERO,
            collided: Vec::new(),
            tracked: Vec::new(),
            now,
            clocked: SimTime::ZERO,
        }
    }

    fn follow_settings(&mut self) {
        // When the other side holds the lock, the next step will do.
        let Ok(now) = self.shared.try_lock().map(|settings| *settings) else { return };
        if now == self.settings {
            return;
        }
        if now.clock_rate != self.settings.clock_rate {
            self.clock = every(now.clock_rate);
        }
        if now.odom_rate != self.settings.odom_rate {
            self.odometry = every(now.odom_rate);
        }
        if now.marker_rate != self.settings.marker_rate {
            self.markers = every(now.marker_rate);
        }
        if now.log_rate != self.settings.log_rate {
            self.logs = every(now.log_rate);
        }
        self.settings = now;
    }

    fn push(&mut self, fill: impl FnOnce(&mut Self, &mut Snapshot)) -> Result<(), SinkError> {
        let queue = self.queue.clone();
        let Some((mut snapshot, lost)) = queue.take_spare() else {
            return Err(SinkError { place: "ROS".to_owned(), message: "the publisher has stopped".to_owned() });
        };
        if lost
            && snapshot.states[Pace::Odometry as usize]
            && let Some(before) = &snapshot.stage
        {
            // A collision is told once; one that was never published is told with the next states.
            for (info, vehicle) in before.scene.vehicles.iter().zip(&snapshot.vehicles) {
                let index = self.stage.scene.vehicle_of(info.id).filter(|_| vehicle.collided);
                if let Some(collided) = index.and_then(|index| self.collided.get_mut(index)) {
                    *collided = true;
                }
            }
        }
        snapshot.stage = Some(self.stage.clone());
        snapshot.clear();
        snapshot.static_transforms = self.settings.publish_static_tf;
        fill(self, &mut snapshot);
        queue.push(snapshot);
        Ok(())
    }
}

impl Snapshot {
    /// Nothing is due; the buffers stay.
    fn clear(&mut self) {
        (self.clock, self.may_wait) = (false, false);
        self.states = [false; 2];
        (self.markers, self.logs) = (false, false);
        self.sensors.iter_mut().for_each(|sensor| sensor.fresh = false);
        let vehicles = self.stage.as_ref().map_or(0, |stage| stage.scene.vehicles.len());
        self.vehicles.resize_with(vehicles, VehicleSnapshot::default);
        for vehicle in &mut self.vehicles {
            (vehicle.collided, vehicle.senses, vehicle.tracked) = (false, false, false);
        }
        self.poses.iter_mut().for_each(|pose| pose.fresh = false);
    }
}

impl Surroundings {
    fn copy_from(&mut self, frame: &Frame) {
        self.blocks.clone_from(&frame.blocks);
        self.planes.clone_from(&frame.planes);
        self.actors.clear();
        self.actors.extend(frame.actors.iter().map(|actor| actor.world_from_actor));
    }
}

fn every(rate: f64) -> Periodic {
    Periodic::new(SimTime::from_secs(1.0 / rate))
}

impl RosSink {
    /// The time of `frame` again and nothing else, so that a node that starts during a pause gets one.
    fn repeat(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.push(|sink, snapshot| {
            snapshot.time = frame.time;
            snapshot.clock = sink.settings.publish_clock;
            sink.clocked = frame.time;
        })
    }

    /// Whether markers may go out. Nobody sees more than a few pictures per wall second, so that a simulation that runs as fast as it
    /// can does not make thousands.
    fn may_show(&mut self) -> bool {
        !self.settings.free_running || self.shown.is_due(Instant::now())
    }

    /// Simulated time is now `time` and goes on from there.
    fn start_clocks(&mut self, time: SimTime) {
        [&mut self.clock, &mut self.odometry, &mut self.joints].into_iter().for_each(|clock| clock.restart(time));
        self.poses.restart(time);
        self.tracked.fill(None);
        self.last = time;
    }
}

impl Sink for RosSink {
    fn name(&self) -> &str {
        "ROS"
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        let stage = Arc::new(self.naming.follow(scene));
        let before = std::mem::replace(&mut self.stage, stage);
        let index_before = |id| before.scene.vehicle_of(id);
        let ids = || scene.vehicles.iter().map(|vehicle| vehicle.id);
        let collided = ids().map(|id| index_before(id).is_some_and(|index| self.collided.get(index) == Some(&true)));
        self.collided = collided.collect();
        self.tracked = ids().map(|id| *self.tracked.get(index_before(id)?)?).collect();
        self.poses = PoseClock::new(self.stage.wishes.clone());
        // What was due by now has been due.
        self.poses.tick(self.last);
        // Also while nothing is due, as in a pause, vehicles come and go on the graph.
        let last = self.last;
        self.push(|_, snapshot| snapshot.time = last)
    }

    fn frame(&mut self, _scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.last = frame.time;
        self.now.has_driver.store(frame.vehicles.iter().any(|vehicle| vehicle.has_driver), Ordering::Relaxed);
        // What was stored before is seen by those who see the time.
        self.now.time.store(frame.time.0, Ordering::Release);
        if frame.time <= SimTime::ZERO {
            return Ok(());
        }
        self.follow_settings();
        self.collided.resize(frame.vehicles.len(), false);
        for (collided, vehicle) in self.collided.iter_mut().zip(&frame.vehicles) {
            *collided |= vehicle.colliding;
        }
        self.tracked.resize(frame.vehicles.len(), None);
        let acted = |vehicle: &VehicleFrame| vehicle.tracking.map(|tracking| tracking.time);
        let tracks = frame.vehicles.iter().zip(&self.tracked).any(|(vehicle, last)| {
            let acted = acted(vehicle);
            acted.is_some() && acted != *last
        });
        let clock = self.clock.is_due(frame.time);
        let odometry = self.odometry.is_due(frame.time);
        let joints = self.joints.is_due(frame.time) && self.settings.has_joint_pace;
        let states = odometry || joints;
        let senses = frame.fresh_readings().next().is_some();
        let poses = self.poses.tick(frame.time);
        let shows = self.stage.shows;
        let markers = shows.markers && self.markers.is_due(frame.time) && self.may_show();
        let logs = shows.log && self.logs.is_due(frame.time);
        let stamped = states || senses || poses || tracks || markers || logs;
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
            snapshot.states = [odometry, joints];
            snapshot.transforms = [sink.settings.publish_tf, sink.settings.publish_map_to_odom];
            snapshot.map_to_odom_ahead = sink.settings.map_to_odom_ahead;
            (snapshot.markers, snapshot.logs) = (markers, logs);
            snapshot.force_scale = sink.settings.force_scale;
            if markers {
                snapshot.surroundings.copy_from(frame);
            }
            if states || senses || tracks || markers || logs {
                copy_vehicles(frame, snapshot);
            }
            for ((copy, vehicle), last) in snapshot.vehicles.iter_mut().zip(&frame.vehicles).zip(&mut sink.tracked) {
                let acted = acted(vehicle);
                copy.tracked = acted.is_some() && acted != *last;
                *last = acted;
            }
            copy_readings(frame, &mut snapshot.sensors, &mut snapshot.vehicles);
            sink.poses.copy(frame, &mut snapshot.poses);
            if odometry {
                for (vehicle, collided) in snapshot.vehicles.iter_mut().zip(&mut sink.collided) {
                    vehicle.collided = std::mem::take(collided);
                }
            }
        })
    }

    fn time_reset(&mut self, _scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.start_clocks(frame.time);
        Ok(())
    }

    /// Has the publisher look after what it publishes by the wall clock, also where simulated time brings nothing to publish.
    fn statistics(&mut self, _: &Arc<Scene>, frame: &Frame, _: &RunStatistics) -> Result<(), SinkError> {
        // Where messages wait, the publisher is at work anyhow, and a clock that has just been sent needs no repetition.
        if frame.time <= SimTime::ZERO || self.queue.waiting() > 0 {
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
        if frame.time <= SimTime::ZERO {
            return Ok(());
        }
        self.follow_settings();
        self.repeat(frame)
    }
}

fn copy_vehicles(frame: &Frame, snapshot: &mut Snapshot) {
    snapshot.vehicles.resize_with(frame.vehicles.len(), VehicleSnapshot::default);
    for (copy, vehicle) in snapshot.vehicles.iter_mut().zip(&frame.vehicles) {
        copy.copy_from(vehicle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::names::TfMode;
    use crate::preset::SKIDPAD;
    use crate::sensor::{Reading, ReadingData, Scan};
    use crate::world::{EntityId, VehicleInfo};

    const STEP: i64 = 5_000_000;

    fn settings() -> Settings {
        Settings {
            odom_rate: 50.0,
            joint_rate: 50.0,
            has_joint_pace: false,
            clock_rate: 100.0,
            free_running: false,
            publish_clock: true,
            publish_tf: true,
            publish_map_to_odom: false,
            marker_rate: 10.0,
            force_scale: 0.0,
            log_rate: 50.0,
            map_to_odom_ahead: SimTime::ZERO,
            publish_static_tf: true,
        }
    }

    fn scene() -> Arc<Scene> {
        fleet(0, &[0])
    }

    fn fleet(revision: u64, ids: &[u64]) -> Arc<Scene> {
        let vehicle = |id: &u64| VehicleInfo { id: EntityId(*id), name: format!("r{id}"), ..VehicleInfo::default() };
        let vehicles = ids.iter().map(vehicle).collect();
        Arc::new(Scene { name: "test".into(), step: SimTime(STEP), seed: 1, revision, vehicles, ..Scene::default() })
    }

    fn rig(settings: Settings, capacity: usize) -> (RosSink, Arc<Queue<Snapshot>>, SharedSettings) {
        let queue = Arc::new(Queue::new(capacity));
        let shared = Arc::new(Mutex::new(settings));
        let mut naming = Naming::new(&SKIDPAD, false, None, |_| TfMode::Namespaced);
        let stage = Arc::new(naming.begin(&scene()).unwrap());
        (RosSink::new(queue.clone(), shared.clone(), (naming, stage), Arc::default()), queue, shared)
    }

    fn frame(step: i64, scan_time: i64, colliding: bool) -> Frame {
        let scan = Scan { ranges: vec![1.0, f32::INFINITY] };
        Frame {
            time: SimTime(step * STEP),
            step: step as u64,
            vehicles: vec![VehicleFrame { colliding, ..VehicleFrame::default() }],
            readings: vec![Reading { vehicle: 0, sensor: 0, time: SimTime(scan_time), data: ReadingData::Scan(scan) }],
            ..Frame::default()
        }
    }

    #[test]
    fn the_start_is_not_published() {
        let (mut sink, queue, _) = rig(settings(), 8);
        sink.frame(&scene(), &frame(0, 0, false)).unwrap();
        sink.idle(&scene(), &frame(0, 0, false)).unwrap();
        sink.frame(&scene(), &frame(2, 0, false)).unwrap();
        assert_eq!(queue.pop().unwrap().time, SimTime(2 * STEP));
    }

    #[test]
    fn in_a_second_each_thing_is_due_as_often_as_its_rate_says() {
        let (mut sink, queue, _) = rig(settings(), 1000);
        for step in 1..=200 {
            let scan = if step % 5 == 0 { step * STEP } else { 0 };
            sink.frame(&scene(), &frame(step, scan, false)).unwrap();
        }
        let (mut clocks, mut states, mut scans, mut last) = (0, 0, 0, SimTime::ZERO);
        while last < SimTime(200 * STEP) {
            let snapshot = queue.pop().unwrap();
            assert!(snapshot.time > last && snapshot.clock);
            last = snapshot.time;
            clocks += 1;
            states += u32::from(snapshot.states[0]);
            assert!(!snapshot.states[1]);
            scans += u32::from(snapshot.sensors[0].fresh);
            assert_eq!(snapshot.vehicles[0].senses, snapshot.sensors[0].fresh);
        }
        // 100 on the clock's own grid, and 20 of the 40 scans in between, each with its clock before it.
        assert_eq!((clocks, states, scans), (120, 50, 40));
    }

    #[test]
    fn joints_may_have_a_pace_of_their_own() {
        let (mut sink, queue, _) = rig(Settings { odom_rate: 20.0, has_joint_pace: true, ..settings() }, 1000);
        for step in 1..=200 {
            sink.frame(&scene(), &frame(step, 0, false)).unwrap();
        }
        let mut due = [0; 2];
        for _ in 0..100 {
            let states = queue.pop().unwrap().states;
            due = [due[0] + u32::from(states[0]), due[1] + u32::from(states[1])];
        }
        assert_eq!(due, [20, 50]);
    }

    #[test]
    fn a_collision_between_two_publications_is_told_once_even_if_a_snapshot_is_lost() {
        let (mut sink, queue, _) = rig(settings(), 1);
        sink.frame(&scene(), &frame(2, 0, true)).unwrap();
        sink.frame(&scene(), &frame(4, 0, false)).unwrap();
        // The snapshot of step 4 took the place of step 2's only when a third came.
        sink.frame(&scene(), &frame(8, 0, false)).unwrap();
        let snapshot = queue.pop().unwrap();
        assert!(snapshot.states[0] && snapshot.vehicles[0].collided);
        sink.frame(&scene(), &frame(12, 0, false)).unwrap();
        assert!(!queue.pop().unwrap().vehicles[0].collided);
    }

    #[test]
    fn vehicles_that_come_and_go_keep_their_own_collisions() {
        let (mut sink, queue, _) = rig(settings(), 8);
        let colliding = |step, colliding: &[bool]| Frame {
            vehicles: colliding.iter().map(|on| VehicleFrame { colliding: *on, ..VehicleFrame::default() }).collect(),
            readings: Vec::new(),
            ..frame(step, 0, false)
        };
        let next = || queue.pop().unwrap();
        sink.scene_changed(&fleet(1, &[0, 5])).unwrap();
        assert_eq!((next().time, sink.stage.scene.revision), (SimTime::ZERO, 1));
        sink.frame(&fleet(1, &[0, 5]), &colliding(1, &[false, true])).unwrap();
        sink.scene_changed(&fleet(2, &[5, 9])).unwrap();
        let change = next();
        assert_eq!((change.time, change.clock, change.states), (SimTime(STEP), false, [false; 2]));
        assert_eq!(change.stage.as_ref().unwrap().scene.revision, 2);
        sink.frame(&fleet(2, &[5, 9]), &colliding(4, &[false, false])).unwrap();
        let collided: Vec<bool> = next().vehicles.iter().map(|vehicle| vehicle.collided).collect();
        assert_eq!(collided, [true, false]);
    }

    #[test]
    fn changed_settings_take_effect_with_the_next_frame() {
        let (mut sink, queue, shared) = rig(settings(), 8);
        shared.lock().unwrap().publish_clock = false;
        sink.frame(&scene(), &frame(2, 0, false)).unwrap();
        shared.lock().unwrap().publish_clock = true;
        sink.frame(&scene(), &frame(6, 0, false)).unwrap();
        assert_eq!(queue.pop().unwrap().time, SimTime(6 * STEP));
    }

    #[test]
    fn a_paused_simulation_repeats_its_time_and_nothing_else() {
        let (mut sink, queue, _) = rig(settings(), 8);
        sink.frame(&scene(), &frame(4, 4 * STEP, false)).unwrap();
        queue.recycle(queue.pop().unwrap());
        sink.idle(&scene(), &frame(4, 4 * STEP, false)).unwrap();
        let snapshot = queue.pop().unwrap();
        assert_eq!((snapshot.time, snapshot.clock, snapshot.states), (SimTime(4 * STEP), true, [false; 2]));
        assert!(!snapshot.sensors[0].fresh && !snapshot.vehicles[0].senses);
    }

    #[test]
    fn without_a_clock_a_pause_wakes_the_publisher_alone() {
        let (mut sink, queue, _) = rig(Settings { publish_clock: false, ..settings() }, 8);
        sink.idle(&scene(), &frame(2, 0, false)).unwrap();
        let snapshot = queue.pop().unwrap();
        assert_eq!((snapshot.clock, snapshot.states), (false, [false; 2]));
    }

    #[test]
    fn time_that_is_set_back_is_published_from_there_on() {
        let (mut sink, queue, _) = rig(settings(), 100);
        sink.frame(&scene(), &frame(2000, 0, false)).unwrap();
        queue.recycle(queue.pop().unwrap());
        sink.time_reset(&scene(), &frame(0, 0, false)).unwrap();
        (1..=8).for_each(|step| sink.frame(&scene(), &frame(step, 0, false)).unwrap());
        let due: Vec<(i64, bool)> =
            (0..4).map(|_| queue.pop().unwrap()).map(|s| (s.time.0 / STEP, s.states[0])).collect();
        assert_eq!(due, [(2, false), (4, true), (6, false), (8, true)]);
    }

    #[test]
    fn at_full_speed_clocks_alone_wait_for_nobody_and_data_keeps_its_place() {
        let (mut sink, queue, _) = rig(Settings { free_running: true, ..settings() }, 8);
        (1..=20).for_each(|step| sink.frame(&scene(), &frame(step, 0, false)).unwrap());
        let sent: Vec<(i64, bool, bool)> =
            (0..6).map(|_| queue.pop().unwrap()).map(|s| (s.time.0 / STEP, s.clock, s.may_wait)).collect();
        // The first clock finds the queue empty; after it only odometry comes, each with its clock.
        assert_eq!(
            sent,
            [
                (2, true, true),
                (4, true, false),
                (8, true, false),
                (12, true, false),
                (16, true, false),
                (20, true, false)
            ]
        );
        assert_eq!(sink.load(), SinkLoad { waiting: 0, dropped: 0 });
    }

    #[test]
    fn a_publisher_that_has_stopped_is_an_error() {
        let (mut sink, queue, _) = rig(settings(), 8);
        queue.close();
        let error = sink.frame(&scene(), &frame(2, 0, false)).unwrap_err();
        assert_eq!(error.to_string(), "ROS: the publisher has stopped");
    }
}
