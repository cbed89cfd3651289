//! The whole world in `map`: what stands, once; what moves, again and again, every vehicle among it.

use std::sync::Arc;

use super::WORLD_TOPICS;
use super::figure::Figure;
use super::place::{self, Place};
use crate::interface::drawing::{self, Drawing};
use crate::interface::names::MAP_FRAME;
use crate::math::{Pose3, Vec3};
use crate::message::{Marker, MarkerArray, Quality, fill};
use crate::ros::error::RosError;
use crate::ros::publish::publishers::{Announcer, NodeOutput, RosTopic};
use crate::ros::publish::snapshot::PublishSnapshot;
use crate::world::Scene;

/// Height of names [m].
const TEXT_HEIGHT: f64 = 0.3;

/// The topics of the world.
pub struct WorldMarkers {
    standing: RosTopic<MarkerArray>,
    moving: RosTopic<MarkerArray>,
    scene: Option<Arc<Scene>>,
    cast: Cast,
    has_subscribers: bool,
}

/// What moves, as markers that are made once.
#[derive(Default)]
struct Cast {
    /// Each vehicle with its name above it, and how high that is [m].
    vehicles: Vec<(Figure, Marker, f64)>,
    /// Index of each block, and where its drawing is on it.
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
            cast: Cast::default(),
            has_subscribers: false,
        })
    }

    fn follow(&mut self, scene: &Arc<Scene>) {
        if self.scene.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, scene)) {
            return;
        }
        self.scene = Some(scene.clone());
        self.standing.message.markers = std::iter::once(place::nothing()).chain(standing(scene)).collect();
        self.standing.publish();
        // The middleware keeps what is latched.
        self.standing.message = MarkerArray::default();
        self.cast = Cast::of(scene);
        // Viewers still show what has been removed.
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
        if !self.moving.has_subscribers() {
            self.has_subscribers = false;
            return;
        }
        let mut shown = Vec::new();
        if !std::mem::replace(&mut self.has_subscribers, true) {
            shown.push(place::nothing());
        }
        self.cast.show(snapshot, &mut shown);
        self.moving.message.markers = shown;
        self.moving.publish();
    }
}

/// Everything that never moves.
fn standing(scene: &Scene) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut add = |namespace: &str, drawings: Vec<Drawing>| {
        let place = Place { frame: MAP_FRAME, namespace, is_locked: false };
        markers.extend(drawings.iter().enumerate().map(|(id, drawing)| place.drawing(id, drawing)));
    };
    let blocks = scene.blocks.iter().filter(|block| block.is_static).flat_map(|block| {
        let on_block = drawing::block(block).into_iter();
        on_block.map(|drawing| Drawing { pose: block.world_from_start * drawing.pose, ..drawing })
    });
    add("blocks", blocks.collect());
    add("walls", scene.walls.iter().flat_map(drawing::wall).collect());
    add("ground", scene.elevations.iter().map(drawing::elevation).collect());
    add("regions", scene.regions.iter().map(drawing::region).collect());
    add("lines", scene.viewer_scene.markers.iter().map(drawing::line).collect());
    markers
}

impl Cast {
    fn of(scene: &Scene) -> Cast {
        let place = |namespace| Place { frame: MAP_FRAME, namespace, is_locked: false };
        let vehicles = scene.vehicles.iter().enumerate().map(|(index, vehicle)| {
            let figure = Figure::new(vehicle, MAP_FRAME, false, &format!("{}/", vehicle.name));
            let name = place("names").text(index, &vehicle.name, TEXT_HEIGHT);
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
            (index, part.pose, place(namespace).drawing(id, &part))
        };
        Cast {
            vehicles: vehicles.collect(),
            blocks: blocks.enumerate().map(|part| numbered("moving_blocks", part)).collect(),
            planes: (scene.planes.iter().enumerate())
                .map(|(index, plane)| (index, place("planes").drawing(index, &drawing::plane(plane))))
                .collect(),
            actors: actors.enumerate().map(|part| numbered("actors", part)).collect(),
        }
    }

    /// Appends everything where it is now.
    fn show(&mut self, snapshot: &PublishSnapshot, shown: &mut Vec<Marker>) {
        for ((figure, name, height), vehicle) in self.vehicles.iter_mut().zip(&snapshot.vehicles) {
            let pose = vehicle.frame.world_from_body;
            figure.pose(pose, &vehicle.frame, snapshot.force_scale);
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
