//! Snapshots as messages: the topics, and when each is written.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::{VehicleNames, map_topics};
use skidpad_ros_data::interface::poses::{self, PosePublication};
use skidpad_ros_data::message::{LabelMessages, MapMessages, PoseMessages};
use skidpad_ros_data::preset::{Pace, Preset};
use skidpad_run::runner::{Change as RunChange, TimedChange};
use skidpad_sim::raycast::OccupancyGrid;
use skidpad_sim::world::{EntityId, Scene};

use super::drawings::WorldDrawings;
use super::external_messages::ExternalMessages;
use super::moving_bodies::MovingBodyMessages;
use super::options::{RecordError, RecordOptions};
use super::output::{McapOutput, Owner};
use super::provenance::Provenance;
use super::snapshot::RecordSnapshot;
use super::topic::{RecordChannel, Topics};
use super::topic_selection::TopicSelection;
use super::vehicle_recorder::VehicleRecorder;

/// Everything that is recorded, with the output file.
pub(super) struct Messages {
    pub(super) output: Box<McapOutput>,
    selection: TopicSelection,
    scene: Arc<Scene>,
    /// Names of each vehicle's topics and frames.
    names: Vec<VehicleNames>,
    preset: &'static Preset,
    /// Frame of the map.
    map_frame: String,
    vehicles: Vec<VehicleEntry>,
    /// Index of each vehicle's opponent.
    opponents: Vec<Option<usize>>,
    /// One entry per publication of the scene; none for one that cannot be recorded.
    poses: Vec<Option<PoseMessages<RecordChannel>>>,
    maps: Vec<RecordedMap>,
    /// The table of labels; none before a sensor reports some.
    labels: Option<LabelMessages<RecordChannel>>,
    moving: MovingBodyMessages,
    external: ExternalMessages,
    drawings: WorldDrawings,
    /// How the run is made.
    provenance: Option<Arc<Provenance>>,
    /// Beginning and end of the step of the last snapshot.
    last: [SimTime; 2],
}

/// A vehicle of the scene.
struct VehicleEntry {
    id: EntityId,
    /// None if its topics are taken.
    messages: Option<VehicleRecorder>,
    /// Whether its static transforms have been written.
    latched: bool,
}

/// A change of vehicles and blocks.
pub(super) struct Change {
    pub(super) scene: Arc<Scene>,
    /// Log time of the last instant before [ns].
    pub(super) since: SimTime,
    /// Names of each vehicle's topics and frames.
    pub(super) names: Vec<VehicleNames>,
    /// Index of each vehicle's opponent.
    pub(super) opponents: Vec<Option<usize>>,
    pub(super) pose_publications: Vec<PosePublication>,
}

/// The map with one number, in any world.
struct RecordedMap {
    /// The current map; none in a world without it.
    map: Option<Arc<OccupancyGrid>>,
    /// Whether its world was loaded during the run: then it is stamped with the current instant rather than the start.
    is_late: bool,
    messages: MapMessages<RecordChannel>,
}

impl Messages {
    /// Adds the topics of everything in the world to the recording; `map_frame` is the frame of the map. Returns the `<publish>`es of the world, and the names of the topics
    /// that were added before them.
    pub(super) fn new(
        scene: &Arc<Scene>,
        names: &[VehicleNames],
        opponents: Vec<Option<usize>>,
        map_frame: String,
        options: &RecordOptions,
        mut output: Box<McapOutput>,
    ) -> Result<(Messages, Vec<PosePublication>, Vec<String>), RecordError> {
        let mut selection = TopicSelection::new(options.topics.clone());
        let mut topics = Topics { output: &mut output, selection: &mut selection, owner: Owner::World };
        let mut maps = Vec::new();
        for (index, map) in scene.maps.iter().enumerate() {
            maps.push(RecordedMap::new(map, &map_topics(options.preset, index), &map_frame, false, &mut topics)?);
        }
        let labels = scene.has_labels().then(|| LabelMessages::new(&mut topics)).transpose()?;
        let drawings = WorldDrawings::new(&map_frame, &mut topics)?;
        let mut vehicles = Vec::new();
        for (vehicle, names) in scene.vehicles.iter().zip(names) {
            topics.owner = Owner::Vehicle(vehicle.id);
            let messages = Some(VehicleRecorder::new(vehicle, names, scene.vehicles.len() > 1, &mut topics)?);
            vehicles.push(VehicleEntry { id: vehicle.id, messages, latched: false });
        }
        topics.owner = Owner::Publish;
        let taken = topics.output.names();
        let pose_publications = poses::pose_publications(scene, &taken);
        let mut poses = Vec::new();
        for publication in &pose_publications {
            poses.push(Some(PoseMessages::new(&mut topics, publication, &map_frame)?));
        }
        topics.owner = Owner::World;
        let moving = MovingBodyMessages::new(scene, &map_frame, &mut topics)?;
        let external = ExternalMessages::new(&mut topics)?;
        output.attach_scene(scene, names, SimTime::ZERO)?;
        if let Some(provenance) = &options.provenance {
            output.attach_provenance(provenance)?;
        }
        output.commit()?;
        selection.unmet_at_start(&output.place).iter().for_each(|unmet| tracing::warn!(diagnostic = unmet.as_value()));
        let (preset, scene, names) = (options.preset, Arc::clone(scene), names.to_vec());
        let last = [SimTime::ZERO; 2];
        let messages = Messages {
            output,
            selection,
            scene,
            names,
            preset,
            map_frame,
            vehicles,
            opponents,
            poses,
            maps,
            labels,
            moving,
            external,
            drawings,
            provenance: options.provenance.clone(),
            last,
        };
        Ok((messages, pose_publications, taken))
    }

    /// Whether the file has a topic for the truth about all bodies.
    pub(super) fn records_bodies(&self) -> bool {
        self.drawings.records_bodies()
    }

    /// Applies a change of the scene: removes and adds the topics of vehicles, takes over other maps, and writes a new description of the
    /// scene.
    pub(super) fn follow(&mut self, change: &Change) -> Result<(), RecordError> {
        let Change { scene, since, names, opponents, pose_publications } = change;
        self.opponents.clone_from(opponents);
        self.scene = Arc::clone(scene);
        self.names.clone_from(names);
        self.output.attach_scene(scene, names, SimTime(since.0.max(0) + 1))?;
        self.moving.follow(scene);
        for recorded in self.vehicles.iter_mut().filter(|recorded| scene.vehicle_of(recorded.id).is_none()) {
            if let Some(messages) = &mut recorded.messages {
                messages.remove(&mut self.output, self.last[1])?;
            }
            self.output.release(Owner::Vehicle(recorded.id));
        }
        self.vehicles.retain(|recorded| scene.vehicle_of(recorded.id).is_some());
        self.output.release(Owner::Publish);
        let mut before = std::mem::take(&mut self.vehicles);
        let mut topics = Topics { output: &mut self.output, selection: &mut self.selection, owner: Owner::World };
        for (vehicle, names) in scene.vehicles.iter().zip(names) {
            if let Some(known) = before.iter().position(|recorded| recorded.id == vehicle.id) {
                self.vehicles.push(before.swap_remove(known));
                continue;
            }
            topics.owner = Owner::Vehicle(vehicle.id);
            let messages = VehicleRecorder::new(vehicle, names, scene.vehicles.len() > 1, &mut topics);
            if let Err(error) = &messages {
                warn_of(error, format!("vehicle \"{}\" is not recorded", vehicle.name));
                topics.output.release(topics.owner);
            }
            self.vehicles.push(VehicleEntry { id: vehicle.id, messages: messages.ok(), latched: false });
        }
        topics.owner = Owner::World;
        self.maps.iter_mut().skip(scene.maps.len()).for_each(|messages| messages.map = None);
        for (index, map) in scene.maps.iter().enumerate() {
            match self.maps.get_mut(index) {
                Some(messages) => messages.follow(map),
                None => {
                    match RecordedMap::new(map, &map_topics(self.preset, index), &self.map_frame, true, &mut topics) {
                        Ok(messages) => self.maps.push(messages),
                        Err(error) => {
                            warn_of(&error, format!("the maps from number {} on are not recorded", index + 1));
                            break;
                        }
                    }
                }
            }
        }
        if self.labels.is_none() && scene.has_labels() {
            let labels = LabelMessages::new(&mut topics);
            let labels = labels.inspect_err(|error| warn_of(error, "the table of labels is not recorded"));
            self.labels = labels.ok();
        }
        topics.owner = Owner::Publish;
        self.poses.clear();
        for publication in pose_publications {
            let messages = PoseMessages::new(&mut topics, publication, &self.map_frame)
                .inspect_err(|error| warn_of(error, format!("poses of \"{}\" are not recorded", publication.name)));
            self.poses.push(messages.ok());
        }
        Ok(())
    }

    /// Completes the recording; returns the number of its messages.
    pub(super) fn finish(mut self) -> Result<u64, RecordError> {
        self.output.commit()?;
        if self.output.has_begun_anew() {
            self.renew()?;
            self.write_fixed()?;
        }
        if let Some(unmet) = self.selection.unmet_at_end(&self.output.place) {
            tracing::warn!(diagnostic = unmet.as_value());
        }
        self.output.finish()
    }

    /// To be called when the recording continues in another file, which lacks everything that is written once.
    fn renew(&mut self) -> Result<(), RecordError> {
        self.vehicles.iter_mut().for_each(|recorded| recorded.latched = false);
        for map in &mut self.maps {
            map.messages.forget();
            map.is_late = true;
        }
        self.labels.iter_mut().for_each(LabelMessages::forget);
        self.moving.say_all();
        self.drawings.forget();
        self.output.attach_scene(&self.scene, &self.names, SimTime::ZERO)?;
        let Some(provenance) = &self.provenance else { return Ok(()) };
        self.output.attach_provenance(provenance)?;
        let change = RunChange::Other("the beginning of the run is in another file".to_owned());
        self.output.add_timed_change(&TimedChange { step: 0, change }.line());
        Ok(())
    }

    /// Writes constant data, maps and fixed transforms, unless the file has it.
    fn write_fixed(&mut self) -> Result<(), RecordError> {
        let [taken, time] = self.last;
        for RecordedMap { map, is_late, messages } in &mut self.maps {
            if let Some(map) = map {
                messages.send(&mut self.output, if *is_late { time } else { taken }, map)?;
            }
        }
        if let Some(labels) = &mut self.labels {
            labels.send(&mut self.output, time, &self.scene)?;
        }
        self.drawings.write_fixed(&mut self.output, taken, &self.scene)?;
        for recorded in self.vehicles.iter_mut().filter(|recorded| !recorded.latched) {
            recorded.latched = true;
            if let Some(messages) = &mut recorded.messages {
                messages.write_fixed(&mut self.output, taken)?;
            }
        }
        Ok(())
    }

    /// Writes everything that is due in the snapshot.
    pub(super) fn write(&mut self, snapshot: &RecordSnapshot) -> Result<(), RecordError> {
        self.last = [snapshot.taken, snapshot.time];
        self.output.ahead = snapshot.ahead;
        if self.output.has_begun_anew() {
            self.renew()?;
        }
        self.write_fixed()?;
        let output = &mut *self.output;
        for command in &snapshot.commands {
            if let Some(vehicle) = messages_of(&mut self.vehicles, command.vehicle) {
                vehicle.commands.write(output, snapshot.taken, &command.action)?;
            }
        }
        for (index, (recorded, vehicle)) in self.vehicles.iter_mut().zip(&snapshot.vehicles).enumerate() {
            if let Some(messages) = &mut recorded.messages {
                let opponent = self.opponents.get(index).copied().flatten();
                messages.write(output, snapshot, vehicle, opponent.and_then(|index| snapshot.vehicles.get(index)))?;
            }
        }
        if snapshot.states[Pace::Odometry as usize] {
            self.moving.write(output, snapshot.time, &snapshot.bodies)?;
        }
        self.drawings.write(output, &self.scene, snapshot)?;
        self.external.write(output, snapshot.time, &snapshot.external)?;
        snapshot.missing.iter().try_for_each(|missing| output.attach_missing(missing, snapshot.time))?;
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            if let Some(vehicle) = messages_of(&mut self.vehicles, reading.reading.vehicle) {
                vehicle.messages.send_reading(output, &reading.reading)?;
            }
        }
        for (poses, messages) in snapshot.poses.iter().zip(&mut self.poses).filter(|(poses, _)| poses.fresh) {
            if let Some(messages) = messages {
                messages.send(output, snapshot.time, poses)?;
            }
        }
        Ok(())
    }
}

fn messages_of(vehicles: &mut [VehicleEntry], index: usize) -> Option<&mut VehicleRecorder> {
    vehicles.get_mut(index)?.messages.as_mut()
}

impl RecordedMap {
    fn new(
        map: &Arc<OccupancyGrid>,
        names: &[String; 2],
        frame: &str,
        is_late: bool,
        topics: &mut Topics<'_>,
    ) -> Result<RecordedMap, RecordError> {
        Ok(RecordedMap { map: Some(Arc::clone(map)), is_late, messages: MapMessages::new(topics, names, frame)? })
    }

    /// Takes over the map of the current scene.
    fn follow(&mut self, map: &Arc<OccupancyGrid>) {
        if self.map.as_ref().is_none_or(|known| !Arc::ptr_eq(known, map)) {
            (self.map, self.is_late) = (Some(Arc::clone(map)), true);
        }
    }
}

/// Warns of an error without which the recording goes on.
fn warn_of(error: &RecordError, consequence: impl Into<String>) {
    tracing::warn!(diagnostic = error.clone().note(consequence).as_value());
}
