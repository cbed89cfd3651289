//! Snapshots as messages: which topics there are, and what is written to them when.

use std::sync::Arc;

use super::fill;
use super::heard::HeardMessages;
use super::message::{MapMetaData, OccupancyGrid, PoseStamped, TransformStamped};
use super::options::{RecordError, RecordOptions};
use super::output::{Output, Quality};
use super::snapshot::Snapshot;
use super::topic::{Topic, Topics};
use super::vehicle::VehicleMessages;
use crate::interface::names::{MAP_FRAME, VehicleNames, map_topics};
use crate::interface::poses::{self, PoseSnapshot, PoseWish};
use crate::math::Pose3;
use crate::preset::{WordValues, opponent};
use crate::raycast;
use crate::time::SimTime;
use crate::world::Scene;

/// Everything that is recorded, with the file it goes to.
pub(super) struct Messages {
    output: Box<Output>,
    vehicles: Vec<VehicleMessages>,
    poses: Vec<PoseMessages>,
    maps: Vec<MapMessages>,
    heard: HeardMessages,
    latched: bool,
}

struct MapMessages {
    map: Arc<raycast::OccupancyGrid>,
    grid: Option<Topic<OccupancyGrid>>,
    metadata: Option<Topic<MapMetaData>>,
}

/// The topics of one `<publish>` of the world.
struct PoseMessages {
    pose: Option<Topic<PoseStamped>>,
    relative: Option<(Topic<TransformStamped>, Vec<String>)>,
}

impl Messages {
    /// Puts everything into the recording that the world has, and says which poses the world wishes for.
    pub(super) fn new(
        scene: &Scene,
        options: &RecordOptions,
        mut output: Box<Output>,
    ) -> Result<(Messages, Vec<PoseWish>), RecordError> {
        let mut topics = Topics { output: &mut output, filter: &options.topics };
        let mut maps = Vec::new();
        for (index, map) in scene.maps.iter().enumerate() {
            let [name, metadata] = map_topics(options.preset, index);
            maps.push(MapMessages {
                map: Arc::clone(map),
                grid: topics.topic(&name, Quality::Latched, OccupancyGrid::default())?,
                metadata: topics.topic(&metadata, Quality::Latched, MapMetaData::default())?,
            });
        }
        let mut vehicles = Vec::new();
        let has_others = scene.vehicles.len() > 1;
        let words = options.words.clone().unwrap_or_else(|| WordValues::new(options.preset.words, |_| None));
        for (index, vehicle) in scene.vehicles.iter().enumerate() {
            let names = VehicleNames::new(options.preset, &vehicle.name, has_others, false).with_words(words.of(index));
            vehicles.push(VehicleMessages::new(vehicle, &names, has_others, &mut topics)?);
        }
        let wishes = poses::wishes(scene, &topics.output.names());
        let mut poses = Vec::new();
        for wish in &wishes {
            poses.push(PoseMessages::new(wish, &mut topics)?);
        }
        let heard = HeardMessages::new(&mut topics);
        output.commit()?;
        Ok((Messages { output, vehicles, poses, maps, heard, latched: false }, wishes))
    }

    pub(super) fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    pub(super) fn finish(self) -> Result<(), RecordError> {
        self.output.finish()
    }

    /// Writes everything that is due in the snapshot.
    pub(super) fn write(&mut self, snapshot: &Snapshot) -> Result<(), RecordError> {
        let output = &mut *self.output;
        if !std::mem::replace(&mut self.latched, true) {
            for map in &mut self.maps {
                map.write(output, snapshot.taken)?;
            }
            self.vehicles.iter_mut().try_for_each(|vehicle| vehicle.write_fixed(output, snapshot.taken))?;
        }
        for command in &snapshot.commands {
            if let Some(vehicle) = self.vehicles.get_mut(command.vehicle) {
                vehicle.write_command(output, snapshot.taken, &command.action)?;
            }
        }
        for (index, (messages, vehicle)) in self.vehicles.iter_mut().zip(&snapshot.vehicles).enumerate() {
            let opponent = snapshot.vehicles.get(opponent(index));
            messages.write(output, snapshot, vehicle, opponent)?;
        }
        self.heard.write(output, snapshot.time, &snapshot.heard)?;
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            if let Some(vehicle) = self.vehicles.get_mut(reading.vehicle) {
                vehicle.write_scan(output, snapshot.time, reading.sensor, &reading.ranges)?;
            }
        }
        for (poses, messages) in snapshot.poses.iter().zip(&mut self.poses).filter(|(poses, _)| poses.fresh) {
            messages.write(output, snapshot.time, poses)?;
        }
        Ok(())
    }
}

impl MapMessages {
    fn write(&mut self, output: &mut Output, time: SimTime) -> Result<(), RecordError> {
        if let Some(topic) = &mut self.grid {
            topic.message = fill::occupancy_grid(time, &self.map);
            topic.write(output, time)?;
            // A map is too big to hold twice.
            topic.message = OccupancyGrid::default();
        }
        if let Some(topic) = &mut self.metadata {
            topic.message = fill::map_metadata(time, &self.map);
            topic.write(output, time)?;
        }
        Ok(())
    }
}

impl PoseMessages {
    fn new(wish: &PoseWish, topics: &mut Topics<'_>) -> Result<PoseMessages, RecordError> {
        let pose = match &wish.pose_topic {
            Some(name) => topics.topic(name, Quality::Data, PoseStamped::default())?,
            None => None,
        };
        let message = fill::transform(SimTime::ZERO, &wish.name, "", Pose3::default());
        let relative = match &wish.relative_topic {
            Some(name) => topics.topic(name, Quality::Data, message)?,
            None => None,
        };
        let others = wish.others.iter().map(|(_, name)| name.clone()).collect();
        Ok(PoseMessages { pose, relative: relative.map(|topic| (topic, others)) })
    }

    fn write(&mut self, output: &mut Output, time: SimTime, poses: &PoseSnapshot) -> Result<(), RecordError> {
        if let Some(topic) = &mut self.pose {
            let pose = fill::pose(poses.world_from_body);
            topic.message = PoseStamped { header: fill::header(time, MAP_FRAME), pose };
            topic.write(output, time)?;
        }
        if let Some((topic, others)) = &mut self.relative {
            for (name, pose) in others.iter().zip(&poses.body_from_others) {
                topic.message.child_frame_id.clone_from(name);
                fill::fill_transform(time, *pose, &mut topic.message);
                topic.write(output, time)?;
            }
        }
        Ok(())
    }
}
