//! The sink that shows a running simulation: copies a frame when a viewer requests one; otherwise it only checks a flag.

use std::sync::{Arc, mpsc};

use axum::body::Bytes;
use skidpad_math::Pose3;
use skidpad_math::time::{Rate, SimTime};
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::interface::naming::PublishedNaming;
use skidpad_run::runner::{Change, TimedChange};
use skidpad_run::sink::{NotedSensors, RunStatistics, Sink, SinkError};
use skidpad_sim::raycast::OccupancyGrid;
use skidpad_sim::sensor::{Reading, Scan, ScanGeometry};
use skidpad_sim::world::{EntityId, ExternalChange, Frame, ResetScope, Scene, Wanted};
use skidpad_view::build;
use skidpad_view::messages::Status;
use skidpad_view::sensor_data::TopicKey;
use skidpad_view::state::{ViewScan, ViewState};
use tokio::sync::watch;

use super::hub::{Hub, PublishedScene};
use super::sensor_data::{LiveMessages, SensorData};

/// Number of statistics windows over which the speed of time is averaged: one second.
const WINDOWS: usize = 10;

/// Shows a running simulation.
pub struct WebSink {
    hub: Arc<Hub>,
    /// The current scene, for the pilot.
    scenes: watch::Sender<Arc<Scene>>,
    /// Scenes to convert to documents, in a separate thread, with the names of their vehicles.
    to_show: Option<mpsc::Sender<(Arc<Scene>, Vec<VehicleNames>)>>,
    naming: PublishedNaming,
    state: ViewState,
    /// Pose of each sensor at its last sample, vehicles in order.
    taken: Vec<LastMeasurement>,
    /// The sensors that viewers show.
    shown: NotedSensors,
    /// Makes the clouds and pictures that viewers ask for.
    messages: LiveMessages,
    /// Simulated and wall time [s] of the last windows, pauses left out.
    windows: [(f64, f64); WINDOWS],
    window: usize,
    status: Status,
    /// Step number of the last frame, or 0 after a reset.
    step: u64,
    /// Time of the last frame.
    time: SimTime,
}

/// Time and pose of a sensor's last measurement.
#[derive(Clone, Copy, Debug)]
struct LastMeasurement {
    vehicle: EntityId,
    sensor: usize,
    /// Negative before the first sample.
    time: SimTime,
    world_from_sensor: Pose3,
}

impl LastMeasurement {
    fn never(vehicle: EntityId, sensor: usize) -> LastMeasurement {
        LastMeasurement { vehicle, sensor, time: SimTime(-1), world_from_sensor: Pose3::default() }
    }
}

impl WebSink {
    /// A sink for the viewers of `hub`, and a channel with the current scene.
    pub fn new(hub: Arc<Hub>, scene: &Arc<Scene>) -> (WebSink, watch::Receiver<Arc<Scene>>) {
        let (scenes, receiver) = watch::channel(Arc::clone(scene));
        let sink = WebSink {
            hub,
            scenes,
            to_show: None,
            naming: PublishedNaming::default(),
            state: ViewState::default(),
            taken: Vec::new(),
            shown: NotedSensors::default(),
            messages: LiveMessages::default(),
            windows: [(0.0, 0.0); WINDOWS],
            window: 0,
            status: Status::default(),
            step: 0,
            time: SimTime::ZERO,
        };
        (sink, receiver)
    }

    /// The same with these names of frames instead of skidpad's own.
    pub fn with_names(self, naming: PublishedNaming) -> WebSink {
        WebSink { naming, ..self }
    }

    fn show(&mut self, scene: &Arc<Scene>) {
        self.scenes.send_replace(Arc::clone(scene));
        let before = std::mem::take(&mut self.taken);
        for vehicle in &scene.vehicles {
            for sensor in 0..vehicle.sensors.len() {
                let known = before.iter().find(|taken| (taken.vehicle, taken.sensor) == (vehicle.id, sensor));
                self.taken.push(known.copied().unwrap_or(LastMeasurement::never(vehicle.id, sensor)));
            }
        }
        let names = self.naming.names_in(scene);
        if let Some(to_show) = &self.to_show {
            // Its thread ends only after this sender.
            let _ = to_show.send((Arc::clone(scene), names));
        }
    }

    /// Counts a reset of a world that has made steps, and tells viewers at once.
    fn note_reset(&mut self, now: SimTime) {
        self.step = 0;
        self.status.resets += 1;
        self.hub.report(Status { time: now.secs(), ..self.status.clone() });
    }

    /// Records the poses of the sensors that have just measured.
    fn note_poses(&mut self, scene: &Scene, frame: &Frame) {
        for (reading, taken) in frame.readings.iter().zip(&mut self.taken) {
            if reading.is_fresh(frame.time)
                && taken.time != reading.time
                && let Some(info) = scene.vehicles.get(reading.vehicle)
                && let Some(sensor) = info.sensors.get(reading.sensor)
            {
                taken.time = reading.time;
                taken.world_from_sensor = reading.world_from_body * sensor.body_from_sensor;
            }
        }
    }

    fn offer(&mut self, scene: &Scene, frame: &Frame) {
        let revision = scene.revision as u32;
        if self.hub.wants_scans() {
            let taken = &self.taken;
            self.hub.with_scans(|scans| {
                scans.resize_with(frame.readings.len(), || None);
                for ((reading, scan), taken) in frame.readings.iter().zip(scans).zip(taken) {
                    if reading.time < SimTime::ZERO {
                        // Nobody has looked for a while: an old scan would be taken for a new one.
                        *scan = None;
                    }
                    let is_known = scan.as_ref().is_some_and(|scan| scan.revision == revision && is_of(scan, reading));
                    // Before its first sample a reading has a time that no frame has.
                    if taken.time == reading.time && taken.time >= SimTime::ZERO && !is_known {
                        // Viewers draw only scans of the readings.
                        if let Some((data, beams)) = beams(scene, reading) {
                            copy(scene, reading, data, beams, taken.world_from_sensor, scan.get_or_insert_default());
                        }
                    }
                }
            });
        }
        if self.hub.wants_sensor_data() {
            self.offer_sensor_data(scene, frame);
        }
        self.state.fill(revision, frame);
        self.hub.publish(&mut self.state);
    }

    /// Answers the requests for clouds and pictures with the last readings.
    fn offer_sensor_data(&mut self, scene: &Scene, frame: &Frame) {
        let Some(wanted) = self.hub.with_sensor_data(|exchange| exchange.wanted()) else { return };
        let answers: Vec<_> =
            wanted.into_iter().map(|(key, last)| (key, self.sensor_data(scene, frame, &key, last))).collect();
        // Otherwise the requests stay for the next frame.
        self.hub.with_sensor_data(|exchange| answers.into_iter().for_each(|(key, data)| exchange.answer(&key, data)));
    }

    /// The data of a topic from the last reading of its sensor, `last` if they are of the same; none before the first.
    fn sensor_data(
        &mut self,
        scene: &Scene,
        frame: &Frame,
        key: &TopicKey,
        last: Option<Arc<SensorData>>,
    ) -> Option<Arc<SensorData>> {
        let is_wanted = |reading: &Reading| (reading.vehicle, reading.sensor) == (key.vehicle, key.sensor);
        let (reading, taken) = frame.readings.iter().zip(&self.taken).find(|(reading, _)| is_wanted(reading))?;
        let time = reading.time;
        if key.revision != scene.revision as u32 || taken.time != time || time < SimTime::ZERO {
            return None;
        }
        if last.as_ref().is_some_and(|last| last.time == time) {
            return last;
        }
        let sensor = scene.vehicles.get(key.vehicle)?.sensors.get(key.sensor)?;
        let content = self.messages.content(key, sensor, reading, taken.world_from_sensor)?;
        Some(Arc::new(SensorData::new(*key, time, content)))
    }
}

/// The picture of a map.
#[derive(Clone)]
struct MapPicture {
    map: Arc<OccupancyGrid>,
    png: Bytes,
    /// The scene's revision at which the map came.
    since: u64,
}

impl MapPicture {
    /// The picture of a map in a scene of this revision; reused if it was made before.
    fn new(map: &Arc<OccupancyGrid>, made: &[MapPicture], revision: u64) -> MapPicture {
        let known = made.iter().find(|other| Arc::ptr_eq(&other.map, map)).cloned();
        known.unwrap_or_else(|| MapPicture { map: Arc::clone(map), png: build::map_png(map).into(), since: revision })
    }
}

/// The scan of a reading and its geometry; none if the reading is not a scan.
fn beams<'a>(scene: &'a Scene, reading: &'a Reading) -> Option<(&'a Scan, &'a ScanGeometry)> {
    let sensor = scene.vehicles.get(reading.vehicle)?.sensors.get(reading.sensor)?;
    Some((reading.data.scan()?, sensor.kind.lidar()?))
}

/// Whether the scan is a copy of this reading.
fn is_of(scan: &ViewScan, reading: &Reading) -> bool {
    (scan.time, scan.vehicle, scan.sensor) == (reading.time, reading.vehicle, reading.sensor)
}

/// Copies a scan that a lidar took at this pose in the world.
fn copy(scene: &Scene, reading: &Reading, data: &Scan, geometry: &ScanGeometry, pose: Pose3, scan: &mut ViewScan) {
    scan.revision = scene.revision as u32;
    (scan.time, scan.vehicle, scan.sensor) = (reading.time, reading.vehicle, reading.sensor);
    (scan.world_from_sensor, scan.range_max) = (pose, geometry.range_max);
    scan.ranges.clone_from(&data.ranges);
}

impl Sink for WebSink {
    fn name(&self) -> &str {
        "viewer"
    }

    fn start(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        let (sender, receiver) = mpsc::channel::<(Arc<Scene>, Vec<VehicleNames>)>();
        let hub = Arc::clone(&self.hub);
        let work = move || {
            // Pictures of the current maps are kept when the scene changes otherwise.
            let mut pictures: Vec<MapPicture> = Vec::new();
            while let Ok((mut scene, mut names)) = receiver.recv() {
                // Skips to the last of the scenes that have arrived meanwhile.
                while let Ok(newer) = receiver.try_recv() {
                    (scene, names) = newer;
                }
                let (mut view, files) = build::named_scene_view(&scene, &names);
                pictures = scene.maps.iter().map(|map| MapPicture::new(map, &pictures, scene.revision)).collect();
                for (map, MapPicture { since, .. }) in view.maps.iter_mut().zip(&pictures) {
                    // Another map of the same size and place has another address, so that viewers do not keep the former.
                    map.path = format!("{}?v={since}", map.path);
                }
                hub.show(PublishedScene::new(view, files, pictures.iter().map(|picture| picture.png.clone())));
            }
        };
        let place = || "viewer".to_owned();
        std::thread::Builder::new()
            .name("viewer scene".into())
            .spawn(work)
            .map_err(|error| SinkError::new(place(), format!("cannot start its thread: {error}")))?;
        self.to_show = Some(sender);
        self.show(scene);
        Ok(())
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        self.show(scene);
        Ok(())
    }

    fn wants(&mut self, scene: &Arc<Scene>, wanted: &mut Wanted) {
        self.shown.add_to(wanted, self.hub.interests(), scene, |interests, wanted| {
            interests.values().for_each(|interest| interest.add_to(scene, wanted));
        });
    }

    #[inline]
    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        if frame.step < self.step {
            self.note_reset(frame.time);
        }
        (self.step, self.time) = (frame.step, frame.time);
        self.note_poses(scene, frame);
        if self.hub.wants_state() {
            self.offer(scene, frame);
        }
        Ok(())
    }

    fn idle(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.frame(scene, frame)
    }

    /// Counts a reset before its request is answered, so that the status that follows the answer has it.
    fn changed(&mut self, timed_change: &TimedChange) -> Result<(), SinkError> {
        let is_reset = matches!(
            timed_change.change,
            Change::Reset | Change::World(ExternalChange::Reset(ResetScope { state: true, .. }))
        );
        if is_reset && self.step > 0 {
            self.note_reset(self.time);
        }
        Ok(())
    }

    fn statistics(&mut self, _: &Arc<Scene>, frame: &Frame, statistics: &RunStatistics) -> Result<(), SinkError> {
        let wall = statistics.wall.saturating_sub(statistics.in_pause);
        self.windows[self.window] = (statistics.simulated.secs(), wall.as_secs_f64());
        self.window = (self.window + 1) % WINDOWS;
        let (simulated, wall) =
            self.windows.iter().fold((0.0, 0.0), |sum, window| (sum.0 + window.0, sum.1 + window.1));
        self.status = Status {
            paused: statistics.paused,
            rate: match statistics.rate {
                Rate::Factor(factor) => Some(factor),
                Rate::Max => None,
            },
            real_time_factor: if wall > 1e-3 { simulated / wall } else { 0.0 },
            time: frame.time.secs(),
            resets: self.status.resets,
            ..Status::default()
        };
        self.hub.report(self.status.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.to_show = None;
        self.hub.report(Status { ended: true, ..self.status.clone() });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use skidpad_sim::world::{LoadOptions, World};
    use skidpad_view::scene::MapView;

    use super::*;

    /// A world with a map of 2 by 1 cells, whose first cell has this grey value.
    fn world(folder: &Path, grey: u8) -> World {
        std::fs::write(folder.join("map.pgm"), [b"P5\n2 1\n255\n".as_slice(), &[grey, 254]].concat()).unwrap();
        let map =
            "image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";
        std::fs::write(folder.join("map.yaml"), map).unwrap();
        let text = "<mvsim_world><element class=\"occupancy_grid\"><file>map.yaml</file></element></mvsim_world>";
        World::load_text("map.world.xml", folder, text, &LoadOptions::default()).unwrap().0
    }

    /// The shown map once the scene has this revision, and its picture.
    fn shown(hub: &Hub, revision: u32) -> (MapView, Bytes) {
        let patience = Instant::now() + Duration::from_secs(10);
        while !hub.shown().borrow().is_there() || hub.shown().borrow().revision() != revision {
            assert!(Instant::now() < patience, "revision {revision} is not shown");
            std::thread::sleep(Duration::from_millis(5));
        }
        let shown = hub.shown().borrow().clone();
        (shown.scene.maps[0].clone(), shown.maps[0].clone())
    }

    #[test]
    fn another_map_of_the_same_size_has_another_address() {
        let folder = tempfile::tempdir().unwrap();
        let first = world(folder.path(), 0);
        let hub = Arc::new(Hub::new());
        let (mut sink, _scenes) = WebSink::new(Arc::clone(&hub), first.scene());
        sink.start(first.scene()).unwrap();
        let (before, picture) = shown(&hub, 0);

        let mut second = world(folder.path(), 254);
        second.succeed(&first);
        sink.scene_changed(second.scene()).unwrap();
        let (after, other) = shown(&hub, 1);
        assert_ne!(picture, other);
        assert_ne!(before.path, after.path);
        assert_eq!(MapView { path: before.path.clone(), ..after.clone() }, before);

        let mut third = (**second.scene()).clone();
        third.revision += 1;
        sink.scene_changed(&Arc::new(third)).unwrap();
        assert_eq!(shown(&hub, 2), (after, other), "the same map");
        sink.finish().unwrap();
    }

    #[test]
    fn a_reset_is_in_the_status_before_its_answer_and_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut world = world(folder.path(), 0);
        let hub = Arc::new(Hub::new());
        let (mut sink, _scenes) = WebSink::new(Arc::clone(&hub), world.scene());
        let resets = || hub.status().borrow().resets;
        let mut reset = |sink: &mut WebSink, steps: usize| {
            for _ in 0..steps {
                world.step().unwrap();
            }
            sink.frame(&Arc::clone(world.scene()), world.frame()).unwrap();
            world.reset();
            sink.changed(&TimedChange { step: steps as u64, change: Change::Reset }).unwrap();
            let at_once = resets();
            sink.idle(&Arc::clone(world.scene()), world.frame()).unwrap();
            (at_once, resets())
        };
        assert_eq!(reset(&mut sink, 3), (1, 1));
        assert_eq!(reset(&mut sink, 1), (2, 2), "a step later");
        assert_eq!(reset(&mut sink, 0), (2, 2), "nothing to put back");
    }
}
