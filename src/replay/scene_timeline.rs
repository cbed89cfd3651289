//! The scenes of a recording in order of time, and the recorded vehicle of each of their vehicles.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::wrap_angle;
use skidpad_ros_data::interface::names::map_topics;
use skidpad_ros_data::message::{self, Message as _};
use skidpad_server::hub::PublishedScene;
use skidpad_sim::raycast::OccupancyGrid;
use skidpad_sim::world::Scene;
use skidpad_view::build::{map_png, scene_view};
use skidpad_view::files::Files;
use skidpad_view::scene::{DrawingView, MapView, SceneView, ShapeView};

use super::decode;
use super::inferred_scene;
use super::recording::{Message, Recording};
use super::sensor_data::{self, SensorChannels};
use super::topics::{Role, TopicRoles};
use super::unknown_topics;

/// A scene of the recording.
pub(super) struct RecordedScene {
    /// Time from which the scene applies [ns].
    from: i64,
    /// Index of the document that describes the scene; none: the scene is inferred from the topics.
    document: Option<usize>,
    /// The scene without shapes, which may be large: states do not need them.
    pub(super) view: SceneView,
    /// Index in the recording of each of its vehicles.
    pub(super) vehicles: Vec<Option<usize>>,
    /// Channel, vehicle and sensor of each scan.
    pub(super) scans: Vec<(u16, usize, usize)>,
    /// The channels of its clouds and pictures.
    pub(super) sensor_data: SensorChannels,
    /// Index of the recorded map of each of its maps, by the number of the map in the scene.
    maps: BTreeMap<usize, usize>,
}

/// A map of the recording.
struct RecordedMap {
    /// Its number in its world.
    number: usize,
    /// When it was logged [ns].
    time: i64,
    /// Its pose.
    view: MapView,
    picture: Vec<u8>,
}

/// All scenes of a recording.
pub(super) struct SceneTimeline {
    pub(super) scenes: Vec<RecordedScene>,
    /// The inferred scene, if the recording describes none.
    inferred: Option<(SceneView, Files)>,
    /// The maps of all scenes.
    maps: Vec<RecordedMap>,
}

impl RecordedScene {
    /// Whether the recording contains the scene.
    pub(super) fn is_described(&self) -> bool {
        self.document.is_some()
    }
}

impl SceneTimeline {
    /// Reads the scenes, and assigns the topics to the vehicles in them.
    pub(super) fn read(path: &Path, recording: &mut Recording) -> (SceneTimeline, TopicRoles) {
        let mut scenes = Vec::new();
        for index in 0..recording.documents.len() {
            let text = recording.document(index).unwrap_or_default();
            match serde_json::from_slice::<SceneView>(&text) {
                Ok(view) => scenes.push((recording.documents[index].time, Some(index), without_shapes(view))),
                Err(error) => {
                    let message = Diagnostic::new(path.display(), format!("a scene in it cannot be read: {error}"));
                    recording.notes.push(message.note("the previous scene is shown"));
                }
            }
        }
        let mut names: Vec<&str> =
            scenes.iter().flat_map(|(_, _, view)| view.vehicles.iter().map(|vehicle| vehicle.name.as_str())).collect();
        names.sort_unstable();
        names.dedup();
        let of_preset = TopicRoles::of_preset(&recording.channels, &names);
        let mut topic_roles = of_preset.unwrap_or_else(|| unknown_topics::roles(recording));
        let channels = map_channels(recording, &topic_roles);
        let described = scenes.iter().find_map(|(_, _, view)| Some(view.vehicles.first()?.frames.map.clone()));
        if let Some(frame) = described.or_else(|| map_frame(recording, &topic_roles, &channels)) {
            topic_roles.map_frame = frame;
        }
        let mut maps = Vec::new();
        let ends: Vec<i64> = scenes.iter().skip(1).map(|(from, ..)| from - 1).chain([i64::MAX]).collect();
        let views: Vec<SceneView> = scenes.iter().map(|(_, _, view)| view.clone()).collect();
        let scenes = scenes.into_iter().zip(topic_roles.vehicles(&views)).enumerate();
        let scenes = scenes.map(|(index, ((from, document, mut view), vehicles))| {
            // Revisions may repeat when recordings are concatenated; indices do not.
            view.revision = index as u32;
            let scans = scans(&view, &vehicles, recording, &topic_roles);
            let sensor_data = sensor_data::find(&view, &vehicles, recording, &topic_roles);
            // A map is written with the first instant of its world.
            let of_scene = channels.iter().enumerate().filter_map(|(number, channel)| {
                let message = recording.last(*channel, ends[index])?;
                Some((number, index_of_map(&mut maps, number, &message)?))
            });
            let maps = of_scene.collect();
            RecordedScene { from, document, view, vehicles, scans, sensor_data, maps }
        });
        let mut scenes: Vec<RecordedScene> = scenes.collect();
        let mut inferred = None;
        if scenes.is_empty() {
            let (mut grids, mut of_scene) = (Vec::new(), BTreeMap::new());
            for channel in channels {
                let Some(message) = recording.next(channel, i64::MIN) else { continue };
                if let (Some(grid), Some(map)) = (grid(&message), index_of_map(&mut maps, grids.len(), &message)) {
                    of_scene.insert(grids.len(), map);
                    grids.push(grid);
                }
            }
            let (view, files, scans, sensor_data) = inferred_scene::scene(path, recording, &topic_roles, grids);
            let vehicles = (0..topic_roles.recorded_vehicles.len()).map(Some).collect();
            let plain = without_shapes(view.clone());
            scenes.push(RecordedScene {
                from: i64::MIN,
                document: None,
                view: plain,
                vehicles,
                scans,
                sensor_data,
                maps: of_scene,
            });
            inferred = Some((view, files));
        }
        (SceneTimeline { scenes, inferred, maps }, topic_roles)
    }

    /// Counts the revisions of its scenes from `first` on.
    pub(super) fn count_from(&mut self, first: u32) {
        for (scene, revision) in self.scenes.iter_mut().zip(first..) {
            scene.view.revision = revision;
        }
    }

    /// The scene at `time` [ns].
    pub(super) fn at(&self, time: i64) -> usize {
        self.scenes.partition_point(|recorded_scene| recorded_scene.from <= time).saturating_sub(1)
    }

    /// A scene for viewers.
    pub(super) fn shown(&self, index: usize, recording: &Recording) -> PublishedScene {
        let recorded_scene = &self.scenes[index];
        let (mut view, mut files) = self.inferred.clone().unwrap_or_default();
        if let Some(document) = recorded_scene.document {
            let text = recording.document(document).unwrap_or_default();
            // It was readable when the recording was opened.
            view = serde_json::from_slice(&text).unwrap_or_else(|_| recorded_scene.view.clone());
            files = Files::default();
            find_files(&mut view, &mut files);
        }
        view.revision = recorded_scene.view.revision;
        let mut pictures = Vec::new();
        let mut number = 0;
        view.maps.retain_mut(|map| {
            let recorded = recorded_scene.maps.get(&number).and_then(|index| self.maps.get(*index));
            number += 1;
            let Some(recorded) = recorded.filter(|recorded| is_of(map, &recorded.view)) else { return false };
            map.path = format!("api/maps/{}.png", pictures.len());
            pictures.push(recorded.picture.clone());
            true
        });
        PublishedScene::new(view, files, pictures)
    }
}

/// Index in `maps` of the map in this message, which is added if it is new; none if it is invalid.
fn index_of_map(maps: &mut Vec<RecordedMap>, number: usize, message: &Message) -> Option<usize> {
    let time = message.time();
    if let Some(known) = maps.iter().position(|map| (map.number, map.time) == (number, time)) {
        return Some(known);
    }
    let map = grid(message)?;
    let picture = map_png(&map);
    let (view, _) = scene_view(&Scene { maps: vec![Arc::new(map)], ..Scene::default() });
    maps.push(RecordedMap { number, time, view: view.maps.into_iter().next()?, picture });
    Some(maps.len() - 1)
}

/// The map in a message.
fn grid(message: &Message) -> Option<OccupancyGrid> {
    decode::read::<message::OccupancyGrid>(message.data()).and_then(decode::map)
}

/// Whether the map of a scene has the size and pose of a recorded one, rather than that of another world.
fn is_of(map: &MapView, recorded: &MapView) -> bool {
    let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
    // Messages have the resolution in single precision, and the yaw as a quaternion.
    map.cells == recorded.cells
        && is_close(map.resolution, recorded.resolution)
        && is_close(map.pose[0], recorded.pose[0])
        && is_close(map.pose[1], recorded.pose[1])
        && is_close(wrap_angle(map.pose[2] - recorded.pose[2]), 0.0)
}

/// A scene without the parts that only viewers need.
fn without_shapes(mut view: SceneView) -> SceneView {
    view.visit_drawings(|drawings| *drawings = Vec::new());
    for vehicle in &mut view.vehicles {
        (vehicle.reference_path, vehicle.track_borders) = (Vec::new(), None);
    }
    for body in view.blocks.iter_mut().chain(&mut view.planes).chain(&mut view.actors) {
        body.outline = Vec::new();
    }
    (view.clouds, view.maps) = (Vec::new(), Vec::new());
    view
}

/// The channels of the maps of a recording, by their numbers.
fn map_channels(recording: &Recording, topic_roles: &TopicRoles) -> Vec<u16> {
    let channel = |number| {
        let [name, _] = map_topics(topic_roles.preset, number);
        let has_name = |topic: &str| topic.rsplit('/').next() == Some(name.as_str());
        let channels = recording.channels.iter();
        let candidates = channels
            .enumerate()
            .filter(|(_, channel)| channel.kind == message::OccupancyGrid::TYPE && has_name(&channel.topic));
        // The shortest name: the world's own map rather than one in a namespace.
        candidates.min_by_key(|(_, channel)| channel.topic.len()).map(|(index, _)| index as u16)
    };
    (0..).map_while(channel).collect()
}

/// The frame of the map in a recording without a description of the scene: that of a map, or else the parent of the frame of odometry.
fn map_frame(recording: &mut Recording, topic_roles: &TopicRoles, maps: &[u16]) -> Option<String> {
    let of_map = maps.first().and_then(|channel| recording.next(*channel, i64::MIN));
    let frame =
        of_map.and_then(|message| Some(decode::read::<message::OccupancyGrid>(message.data())?.header.frame_id));
    if let Some(frame) = frame.filter(|frame| !frame.is_empty()) {
        return Some(frame.trim_start_matches('/').to_owned());
    }
    let mut poses =
        topic_roles.recorded_vehicles.iter().filter_map(|recorded| Some((recorded, recorded.poses.first()?)));
    let (recorded, (role, channel)) = poses.find(|(_, (role, _))| matches!(role, Role::Odometry | Role::Transform))?;
    let message = recording.next(*channel, i64::MIN)?;
    let odom = match role {
        Role::Transform => unknown_topics::pose_of_frame(message.data(), &recorded.body_frame)?.0,
        _ => decode::read::<message::Odometry>(message.data())?.header.frame_id,
    };
    let above = recording.channels.iter().position(|channel| channel.child.as_deref() == Some(odom.as_str()))?;
    let message = recording.next(above as u16, i64::MIN)?;
    let transforms = decode::read::<message::TFMessage>(message.data())?.transforms;
    let above = transforms.into_iter().find(|transform| transform.child_frame_id == odom)?;
    Some(above.header.frame_id.trim_start_matches('/').to_owned())
}

/// Channel, vehicle and sensor of each scan of a scene.
fn scans(
    view: &SceneView,
    vehicles: &[Option<usize>],
    recording: &Recording,
    topic_roles: &TopicRoles,
) -> Vec<(u16, usize, usize)> {
    let mut scans = Vec::new();
    for (index, (vehicle, recorded)) in view.vehicles.iter().zip(vehicles).enumerate() {
        let Some(recorded) = *recorded else { continue };
        let sensors = &vehicle.sensors;
        let lidars = (0..sensors.len()).filter(|index| sensors[*index].count > 0);
        let (mut left, mut free) = (Vec::new(), lidars.collect::<Vec<usize>>());
        for &channel in &topic_roles.recorded_vehicles[recorded].scans {
            match topic_roles.sensor(recorded, &recording.channels[usize::from(channel)], sensors) {
                Some(sensor) => {
                    free.retain(|other| *other != sensor);
                    scans.push((channel, index, sensor));
                }
                None => left.push(channel),
            }
        }
        // Scans with unknown names are matched by their order.
        scans.extend(left.into_iter().zip(free).map(|(channel, sensor)| (channel, index, sensor)));
    }
    scans
}

/// Replaces the local paths in a scene by addresses for viewers; drawings whose files viewers may not read are removed.
fn find_files(view: &mut SceneView, files: &mut Files) {
    let mut address = |path: &str| files.add(Path::new(path));
    let sky: Option<Vec<String>> = view.skybox.iter().map(|path| address(path)).collect();
    view.skybox = sky.unwrap_or_default();
    view.visit_drawings(|drawings| find(drawings, &mut address));
}

fn find(drawings: &mut Vec<DrawingView>, address: &mut dyn FnMut(&str) -> Option<String>) {
    drawings.retain_mut(|drawing| {
        if let Some(texture) = &mut drawing.texture {
            match address(&texture.path) {
                Some(path) => texture.path = path,
                None => drawing.texture = None,
            }
        }
        match &mut drawing.shape {
            ShapeView::Mesh { path, .. } => match address(path) {
                Some(new_path) => *path = new_path,
                None => return false,
            },
            ShapeView::Triangles { .. } | ShapeView::Line { .. } => {}
        }
        true
    });
}

/// The channels whose last messages make up an instant.
pub(super) fn of_use(topic_roles: &TopicRoles, recording: &Recording) -> Vec<u16> {
    let channels = recording.channels.iter().zip(&topic_roles.roles).enumerate();
    let of_use = channels.filter(|(_, (channel, role))| match role {
        Some((_, role)) => *role != Role::Outline,
        None => channel.child.is_some(),
    });
    of_use.map(|(index, _)| index as u16).collect()
}
