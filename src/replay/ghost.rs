//! The vehicles of a second recording beside those of the first, at the same time since the start of each: a ghost.
//!
//! A ghost is at the instant of each state, between its own poses before and after, so that it can be compared with the vehicle beside it however
//! both were recorded. Before its beginning and after its end it stands. It has no sensors, and only its vehicles are shown, not what else moved.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_record::file_name;
use skidpad_server::hub::PublishedScene;
use skidpad_sim::world::VehicleFrame;
use skidpad_view::scene::{GhostView, SceneView, VehicleView};

use super::Replay;
use super::scene_timeline::RecordedScene;

/// A second recording that accompanies another one, whose time it follows.
pub struct Ghost {
    replay: Replay,
    /// Name of its file.
    file: String,
    /// Added to times of the other recording for those of its own [ns].
    shift: i64,
    /// Span of the other recording.
    other_span: (SimTime, SimTime),
    /// Added to the ids of its vehicles, so that they are others than those of the other recording.
    first_id: u64,
    /// Whether there is never more than one vehicle in it, and the name of its file is that of no other vehicle.
    is_alone: bool,
}

impl Ghost {
    /// A ghost for the replay of `main`: `offset` after its own beginning when that one begins; negative: it waits so long.
    pub fn new(replay: Replay, main: &Replay, offset: SimTime) -> Ghost {
        let vehicles = || main.timeline.scenes.iter().flat_map(|scene| &scene.view.vehicles);
        let blocks = || main.timeline.scenes.iter().flat_map(|scene| &scene.view.blocks);
        let file = name_beside(&replay, main);
        let names = replay.timeline.scenes.iter().flat_map(|scene| &scene.view.vehicles).map(|vehicle| &vehicle.name);
        let is_alone = names.collect::<BTreeSet<_>>().len() == 1 && vehicles().all(|vehicle| vehicle.name != file);
        let ids = vehicles().map(|vehicle| vehicle.id).chain(blocks().map(|block| block.id));
        Ghost {
            file,
            shift: replay.span().0.0 - main.span().0.0 + offset.0,
            other_span: main.span(),
            first_id: ids.max().unwrap_or_default() + 1,
            is_alone,
            replay,
        }
    }

    /// What could not be read of it, and what makes it differ from the other recording beside what was driven.
    pub fn notes(&self, main: &Replay) -> Vec<Diagnostic> {
        let mut notes = self.replay.notes().to_vec();
        notes.extend(self.other_place(main));
        notes
    }

    /// Why its poses may mean nothing beside those of the other recording: it was made somewhere else, or nothing tells.
    fn other_place(&self, main: &Replay) -> Option<Diagnostic> {
        let path = self.replay.path.display();
        let other = main.path.display();
        let hint = "its vehicles are drawn at their recorded poses, on the ground of the other recording";
        let says = |replay: &Replay| replay.timeline.scenes.first().is_some_and(RecordedScene::is_described);
        let [own_shown, main_shown] = [&self.replay, main].map(|replay| {
            let mut shown = replay.timeline.shown(0, &replay.recording);
            clear_paths(&mut shown.scene);
            shown
        });
        let found = match (says(&self.replay), says(main)) {
            (true, true) if file_part(&own_shown.scene.name) != file_part(&main_shown.scene.name) => {
                format!("recorded in {}, and {other} in {}", own_shown.scene.name, main_shown.scene.name)
            }
            (true, true) => {
                let differs = differences(&own_shown, &main_shown);
                if differs.is_empty() {
                    return None;
                }
                format!(
                    "recorded in another version of {}: its {differs} differ from those of {other}",
                    own_shown.scene.name
                )
            }
            _ if self.replay.topic_roles.map_frame != main.topic_roles.map_frame => {
                let [frame, other_frame] = [&self.replay, main].map(|replay| &replay.topic_roles.map_frame);
                format!("its poses are in {frame}, those of {other} in {other_frame}")
            }
            (false, false)
                if own_shown.maps.is_empty() || main_shown.maps.is_empty() || own_shown.maps == main_shown.maps =>
            {
                return None;
            }
            (false, false) => format!("its map differs from that of {other}"),
            (names_world, _) => {
                let (silent, telling) = if names_world { (&main.path, &path) } else { (&self.replay.path, &other) };
                format!("{} does not name its world, but {telling} does", silent.display())
            }
        };
        Some(Diagnostic::new(path, found).accepted("recordings of one world").hint(hint))
    }

    /// Its beginning and end in the time of the other recording.
    pub(super) fn span(&self) -> (SimTime, SimTime) {
        let (start, end) = self.replay.span();
        (SimTime(start.0 - self.shift), SimTime(end.0 - self.shift))
    }

    /// Seeks to this time of the other recording.
    pub(super) fn seek(&mut self, time: SimTime) {
        self.replay.seek(SimTime(time.0.saturating_add(self.shift)));
    }

    /// The first instant of its own after this one, both in the time of the other recording.
    pub(super) fn instant_after(&mut self, time: SimTime) -> Option<SimTime> {
        self.seek(time);
        let has_stepped = self.replay.step();
        has_stepped.then(|| SimTime(self.replay.now().0 - self.shift))
    }

    /// Number of its current scene.
    pub(super) fn scene(&self) -> usize {
        self.replay.scene()
    }

    /// Adds its vehicles as they are at this time of the other recording, at which it is.
    pub(super) fn add_vehicles(&mut self, time: SimTime, vehicles: &mut Vec<VehicleFrame>) {
        let first = vehicles.len();
        vehicles.extend(self.replay.frame().vehicles);
        let of_scene = self.replay.timeline.scenes[self.scene()].vehicles.clone();
        let own_time = SimTime(time.0.saturating_add(self.shift));
        let log = self.replay.clock.logged(own_time.0);
        let (start, end) = self.replay.span();
        for (vehicle, recorded) in vehicles[first..].iter_mut().zip(of_scene) {
            if let Some(recorded) = recorded {
                vehicle.world_from_body = self.replay.pose_at(recorded, log);
            }
            if own_time < start || own_time > end {
                stand(vehicle);
            }
        }
    }

    /// The scene of the other recording with the vehicles of this one.
    pub(super) fn join(&self, shown: PublishedScene) -> PublishedScene {
        let PublishedScene { mut scene, mut files, maps, .. } = shown;
        let own_shown = self.replay.shown();
        let mut view = SceneView { vehicles: own_shown.scene.vehicles, ..SceneView::default() };
        view.visit_paths(|path| {
            if let Some(address) = own_shown.files.path_at(path).and_then(|file| files.add(file)) {
                *path = address;
            }
        });
        let seconds = |(start, end): (SimTime, SimTime)| [start.secs(), end.secs()];
        let (span, other_span) = (seconds(self.span()), seconds(self.other_span));
        scene.vehicles.extend(view.vehicles.into_iter().map(|vehicle| VehicleView {
            id: self.first_id + vehicle.id,
            name: self.name(&vehicle.name),
            is_movable: false,
            sensors: Vec::new(),
            reference_path: Vec::new(),
            track_borders: None,
            ghost: Some(GhostView { file: self.file.clone(), vehicle: vehicle.name, span, other_span }),
            ..vehicle
        }));
        PublishedScene::new(scene, files, maps)
    }

    /// Name of one of its vehicles: that of its file, with its own if there are ever several or one of the other recording is called like that.
    fn name(&self, vehicle: &str) -> String {
        if self.is_alone { self.file.clone() } else { format!("{}: {vehicle}", self.file) }
    }
}

impl fmt::Display for Ghost {
    /// Summary of its content, and how it lies in the time of the other recording.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((start, end), (other_start, other_end)) = (self.span(), self.other_span);
        write!(f, "ghost: {}\n  from {start} to {end} of the main recording", self.replay)?;
        if start > other_start {
            write!(f, "; it starts {} later", start - other_start)?;
        }
        match end.cmp(&other_end) {
            std::cmp::Ordering::Less => write!(f, "; it ends {} earlier", other_end - end),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => write!(f, "; it ends {} later", end - other_end),
        }
    }
}

/// Makes a vehicle stand where it is: before the beginning or after the end of its recording its last speeds are not those of that time.
pub(super) fn stand(vehicle: &mut VehicleFrame) {
    (vehicle.velocity_in_body, vehicle.acceleration_in_body) = Default::default();
    for wheel in &mut vehicle.wheels {
        (wheel.spin, wheel.velocity_in_wheel) = Default::default();
    }
}

/// The name of a recording's file or folder, with the folder above it where that of the other recording is called the same.
fn name_beside(replay: &Replay, main: &Replay) -> String {
    let name = file_name(&replay.path);
    let [folder, other] = [replay, main].map(|replay| replay.path.parent());
    if name != file_name(&main.path) || folder == other {
        return name;
    }
    match folder.and_then(Path::file_name) {
        Some(folder) => format!("{}/{name}", folder.to_string_lossy()),
        None => name,
    }
}

/// The name of a world without the folders that it was found in.
fn file_part(world: &str) -> &str {
    world.rsplit(['/', '\\']).next().unwrap_or(world)
}

/// Clears where the files of a scene lie: that may be elsewhere on another machine.
fn clear_paths(view: &mut SceneView) {
    view.visit_paths(String::clear);
    view.maps.iter_mut().for_each(|map| map.path.clear());
}

/// In what two scenes of one world differ, of what vehicles drive on and against.
fn differences(own_shown: &PublishedScene, other_shown: &PublishedScene) -> String {
    let (a, b) = (&own_shown.scene, &other_shown.scene);
    let parts = [
        ("walls or ground", a.fixed != b.fixed),
        ("maps", a.maps != b.maps || own_shown.maps != other_shown.maps),
        ("planes", a.planes != b.planes),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}
