//! The markers of the whole world in the frame of the map: static ones, sent once, and moving ones, sent periodically, with all vehicles.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::drawing::{self, Drawing};
use skidpad_sim::world::{Frame, Scene};

use super::WORLD_TOPICS;
use super::figure::Figure;
use super::group::{self, MarkerGroup};
use crate::interface::copy::VehicleSnapshot;
use crate::message::{Announce, ErrorOf, Marker, MarkerArray, Quality, TopicChannel, TopicWriter, fill};

/// Height of the names of vehicles [m].
const TEXT_HEIGHT: f64 = 0.3;

/// Poses in the world [m, rad] of everything that moves beside vehicles.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Each block.
    pub blocks: Vec<Pose3>,
    /// Each horizontal plane.
    pub planes: Vec<Pose3>,
    /// Each actor.
    pub actors: Vec<Pose3>,
}

impl Surroundings {
    /// Copies the poses of a frame into the existing buffers.
    pub fn copy_from(&mut self, frame: &Frame) {
        self.blocks.clone_from(&frame.blocks);
        self.planes.clone_from(&frame.planes);
        self.actors.clear();
        self.actors.extend(frame.actors.iter().map(|actor| actor.world_from_actor));
    }
}

/// The topics of the world.
pub struct WorldMarkers<C> {
    standing: Option<TopicWriter<C, MarkerArray>>,
    moving: Option<TopicWriter<C, MarkerArray>>,
    /// Frame of the map.
    frame: String,
    scene: Option<Arc<Scene>>,
    moving_markers: MovingMarkers,
    /// Whether the receivers have had a message of this scene.
    is_known: bool,
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

impl<C: TopicChannel> WorldMarkers<C> {
    /// Announces the topics, with markers in `frame`, that of the map.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(on: &mut A, frame: &str) -> Result<WorldMarkers<C>, A::Error> {
        let [(standing, _), (moving, _)] = WORLD_TOPICS;
        Ok(WorldMarkers {
            standing: on.announce(standing, Quality::Latched, MarkerArray::default())?,
            moving: on.announce(moving, Quality::Data, MarkerArray::default())?,
            frame: frame.to_owned(),
            scene: None,
            moving_markers: MovingMarkers::default(),
            is_known: false,
        })
    }

    /// Makes the next call of [`Self::follow`] send what stands again.
    pub fn forget(&mut self) {
        self.scene = None;
    }

    /// Sends what stands in this scene, unless it was sent last.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn follow(&mut self, output: &mut C::Output, time: SimTime, scene: &Arc<Scene>) -> Result<(), ErrorOf<C>> {
        if self.scene.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, scene)) {
            return Ok(());
        }
        self.scene = Some(scene.clone());
        self.moving_markers = MovingMarkers::of(scene, &self.frame);
        // Viewers still show removed things: begin with the marker that deletes all.
        self.is_known = false;
        let Some(standing) = &mut self.standing else { return Ok(()) };
        standing.message.markers =
            std::iter::once(group::delete_all()).chain(static_markers(scene, &self.frame)).collect();
        let sent = standing.send(output, time);
        // The output keeps the latched message.
        standing.message = MarkerArray::default();
        sent
    }

    /// Sends what moves in the scene of the last [`Self::follow`]; `force_scale` is the length of a force [m/N], 0: as fits the vehicle.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        time: SimTime,
        vehicles: &[VehicleSnapshot],
        surroundings: &Surroundings,
        force_scale: f64,
    ) -> Result<(), ErrorOf<C>> {
        let Some(moving) = self.moving.as_mut().filter(|moving| moving.channel.has_receivers()) else {
            self.is_known = false;
            return Ok(());
        };
        let shown = &mut moving.message.markers;
        shown.clear();
        if !std::mem::replace(&mut self.is_known, true) {
            shown.push(group::delete_all());
        }
        self.moving_markers.show(vehicles, surroundings, force_scale, shown);
        moving.send(output, time)
    }
}

/// The markers of everything that never moves, in `frame`.
fn static_markers(scene: &Scene, frame: &str) -> Vec<Marker> {
    let mut markers = Vec::new();
    let mut add = |namespace: &str, drawings: Vec<Drawing>| {
        let group = MarkerGroup { frame, namespace, is_locked: false };
        markers.extend(drawings.iter().enumerate().map(|(id, drawing)| group.drawing(id, drawing)));
    };
    let blocks = scene.blocks.iter().filter(|block| block.is_static).flat_map(|block| {
        let on_block = drawing::block(block).into_iter();
        on_block.map(|drawing| Drawing { pose: block.world_from_start * drawing.pose, ..drawing })
    });
    add("blocks", blocks.collect());
    add("walls", scene.walls.iter().flat_map(drawing::wall).collect());
    add("ground", scene.elevations.iter().map(|info| drawing::elevation(info, drawing::MAX_CELLS)).collect());
    add("regions", scene.regions.iter().map(drawing::region).collect());
    add("lines", scene.viewer_scene.markers.iter().map(drawing::line).collect());
    markers
}

impl MovingMarkers {
    fn of(scene: &Scene, frame: &str) -> MovingMarkers {
        let group = |namespace| MarkerGroup { frame, namespace, is_locked: false };
        let vehicles = scene.vehicles.iter().enumerate().map(|(index, vehicle)| {
            let figure = Figure::new(vehicle, frame, false, &format!("{}/", vehicle.name));
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
        let numbered =
            |namespace, id: usize, index: usize, part: Drawing| (index, part.pose, group(namespace).drawing(id, &part));
        MovingMarkers {
            vehicles: vehicles.collect(),
            blocks: blocks.enumerate().map(|(id, (index, part))| numbered("moving_blocks", id, index, part)).collect(),
            planes: (scene.planes.iter().enumerate())
                .map(|(index, plane)| (index, group("planes").drawing(index, &drawing::plane(plane))))
                .collect(),
            actors: actors.enumerate().map(|(id, (index, part))| numbered("actors", id, index, part)).collect(),
        }
    }

    /// Appends the markers, moved to these poses.
    fn show(
        &mut self,
        vehicles: &[VehicleSnapshot],
        surroundings: &Surroundings,
        force_scale: f64,
        shown: &mut Vec<Marker>,
    ) {
        for ((figure, name, height), vehicle) in self.vehicles.iter_mut().zip(vehicles) {
            let pose = vehicle.frame.world_from_body;
            figure.update(pose, &vehicle.frame, force_scale);
            let above = pose.position() + Vec3::new(0.0, 0.0, *height);
            name.pose = fill::pose(Pose3 { x: above.x, y: above.y, z: above.z, ..Pose3::default() });
            shown.extend(figure.markers.iter().cloned());
            shown.push(name.clone());
        }
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
