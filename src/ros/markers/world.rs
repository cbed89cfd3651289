//! The markers of the whole world in `map`: static ones, sent once, and moving ones, sent periodically, with all vehicles.

use std::sync::Arc;

use super::WORLD_TOPICS;
use super::figure::Figure;
use super::marker::{self, MarkerGroup};
use crate::interface::names::MAP_FRAME;
use crate::math::{Pose3, Vec3};
use crate::message::{Marker, MarkerArray, Quality, fill};
use crate::ros::error::RosError;
use crate::ros::publish::output::NodeOutput;
use crate::ros::publish::publisher::{Announcer, RosTopic};
use crate::ros::publish::snapshot::PublishSnapshot;
use crate::world::Scene;
use crate::world::drawing::{self, Drawing};

/// Height of the names of vehicles [m].
const TEXT_HEIGHT: f64 = 0.3;

/// The topics of the world.
pub struct WorldMarkers {
    standing: RosTopic<MarkerArray>,
    moving: RosTopic<MarkerArray>,
    scene: Option<Arc<Scene>>,
    moving_markers: MovingMarkers,
    has_subscribers: bool,
}

/// The markers of everything that moves, created once for a scene.
#[derive(Default)]
struct MovingMarkers {
    /// The figure of each vehicle, its name, and the height of that above the vehicle [m].
    vehicles: Vec<(Figure, Marker, f64)>,
    /// Index of a block, pose of a drawing on it, and the marker of that drawing.
    blocks: Vec<(usize, Pose3, Marker)>,
    planes: Vec<(usize, Marker)>,
    actors: Vec<(usize, Pose3, Marker)>,
}

impl WorldMarkers {
    /// Announces the topics.
    pub fn new(on: &mut Announcer<'_>) -> Result<WorldMarkers, RosError> {
        let [(standing, _), (moving, _)] = WORLD_TOPICS;
        Ok(WorldMarkers {
            standing: on.topic(standing, Quality::Latched, MarkerArray::default())?,
            moving: on.topic(moving, Quality::Data, MarkerArray::default())?,
            scene: None,
            moving_markers: MovingMarkers::default(),
            has_subscribers: false,
        })
    }

    fn follow(&mut self, scene: &Arc<Scene>) {
        if self.scene.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, scene)) {
            return;
        }
        self.scene = Some(scene.clone());
        self.standing.message.markers = std::iter::once(marker::delete_all()).chain(static_markers(scene)).collect();
        self.standing.publish();
        // The middleware keeps the latched message.
        self.standing.message = MarkerArray::default();
        self.moving_markers = MovingMarkers::of(scene);
        // Viewers still show removed things: begin with the marker that deletes all.
        self.has_subscribers = false;
    }
}

impl NodeOutput for WorldMarkers {
    fn publish(&mut self, snapshot: &PublishSnapshot) {
        let Some(layout) = &snapshot.layout else { return };
        self.follow(&layout.scene);
        if !snapshot.markers {
            return;
        }
        if !self.moving.channel.has_subscribers() {
            self.has_subscribers = false;
            return;
        }
        let mut shown = Vec::new();
        if !std::mem::replace(&mut self.has_subscribers, true) {
            shown.push(marker::delete_all());
        }
        self.moving_markers.show(snapshot, &mut shown);
        self.moving.message.markers = shown;
        self.moving.publish();
    }
}

/// The markers of everything that never moves.
fn static_markers(scene: &Scene) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut add = |namespace: &str, drawings: Vec<Drawing>| {
        let group = MarkerGroup { frame: MAP_FRAME, namespace, is_locked: false };
        markers.extend(drawings.iter().enumerate().map(|(id, drawing)| group.drawing(id, drawing)));
    };
    let blocks = scene.blocks.iter().filter(|block| block.is_static).flat_map(|block| {
        let on_block = drawing::block(block).into_iter();
        on_block.map(|drawing| Drawing { pose: block.world_from_start * drawing.pose, ..drawing })
    });
    add("blocks", blocks.collect());
    add("walls", scene.walls.iter().flat_map(drawing::wall).collect());
    add("ground", scene.elevations.iter().map(|info| drawing::elevation(info, drawing::MOST_CELLS)).collect());
    add("regions", scene.regions.iter().map(drawing::region).collect());
    add("lines", scene.viewer_scene.markers.iter().map(drawing::line).collect());
    markers
}

impl MovingMarkers {
    fn of(scene: &Scene) -> MovingMarkers {
        let group = |namespace| MarkerGroup { frame: MAP_FRAME, namespace, is_locked: false };
        let vehicles = scene.vehicles.iter().enumerate().map(|(index, vehicle)| {
            let figure = Figure::new(vehicle, MAP_FRAME, false, &format!("{}/", vehicle.name));
            let name = group("names").text(index, &vehicle.name, TEXT_HEIGHT);
            (figure, name, vehicle.chassis_z[1] + TEXT_HEIGHT)
        });
        let moving = scene.blocks.iter().enumerate().filter(|(_, block)| !block.is_static);
        let blocks = moving.flat_map(|(index, block)| drawing::block(block).into_iter().map(move |part| (index, part)));
        let actors = scene
            .actors
            .iter()
            .enumerate()
            .flat_map(|(index, actor)| drawing::actor(actor).into_iter().map(move |part| (index, part)));
        let numbered = |namespace, (id, (index, part)): (usize, (usize, Drawing))| {
            (index, part.pose, group(namespace).drawing(id, &part))
        };
        MovingMarkers {
            vehicles: vehicles.collect(),
            blocks: blocks.enumerate().map(|part| numbered("moving_blocks", part)).collect(),
            planes: (scene.planes.iter().enumerate())
                .map(|(index, plane)| (index, group("planes").drawing(index, &drawing::plane(plane))))
                .collect(),
            actors: actors.enumerate().map(|part| numbered("actors", part)).collect(),
        }
    }

    /// Appends the markers, moved to the poses of the snapshot.
    fn show(&mut self, snapshot: &PublishSnapshot, shown: &mut Vec<Marker>) {
        for ((figure, name, height), vehicle) in self.vehicles.iter_mut().zip(&snapshot.vehicles) {
            let pose = vehicle.frame.world_from_body;
            figure.update(pose, &vehicle.frame, snapshot.settings.force_scale);
            let above = pose.position() + Vec3::new(0.0, 0.0, *height);
            name.pose = fill::pose(Pose3 { x: above.x, y: above.y, z: above.z, ..Pose3::default() });
            shown.extend(figure.markers.iter().cloned());
            shown.push(name.clone());
        }
        let surroundings = &snapshot.surroundings;
        for (parts, poses) in [(&mut self.blocks, &surroundings.blocks), (&mut self.actors, &surroundings.actors)] {
            for (index, part, marker) in parts.iter_mut() {
                if let Some(pose) = poses.get(*index) {
                    marker.pose = fill::pose(*pose * *part);
                    shown.push(marker.clone());
                }
            }
        }
        for (index, marker) in &mut self.planes {
            if let Some(pose) = surroundings.planes.get(*index) {
                marker.pose = fill::pose(*pose);
                shown.push(marker.clone());
            }
        }
    }
}
