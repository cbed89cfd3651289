//! The shapes of all bodies as they collide, where a frame has them.

use std::collections::BTreeSet;

use skidpad_math::{Pose2, Pose3, Vec2};
use skidpad_sim::raycast::share_heights;
use skidpad_sim::world::{BlockInfo, BodyRef, Frame, Scene, VehicleFrame, VehicleInfo};

use super::convex::Convex;
use super::nearby_object::{NearbyObject, Nearest, Search};
use super::scenery::Scenery;

/// All that vehicles can come near to.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// Revision of the scene whose bodies these are.
    revision: Option<u64>,
    scenery: Scenery,
    vehicles: Vec<Body>,
    blocks: Vec<Body>,
    /// Pairs that a joint connects, which pass through each other.
    joined: BTreeSet<[NearbyObject; 2]>,
}

/// A vehicle or a block.
#[derive(Debug)]
struct Body {
    nearby_object: NearbyObject,
    pieces: Vec<Piece>,
    /// Lower and upper end above its reference point [m].
    z: [f64; 2],
    /// Where it was last.
    world_from_body: Pose3,
    /// Lower and upper end there [m].
    heights: [f64; 2],
}

/// A part that collides.
#[derive(Debug)]
struct Piece {
    in_body: Convex,
    in_world: Convex,
    /// For one on a frame that turns: its pivot [m] and the wheel whose steering angle it has.
    turns: Option<(Vec2, usize)>,
}

impl Piece {
    fn of(points: &[Vec2], turns: Option<(Vec2, usize)>) -> Option<Piece> {
        let in_body = Convex::hull(points)?;
        Some(Piece { in_world: in_body.clone(), in_body, turns })
    }
}

impl Bodies {
    /// Takes the bodies of a scene if they have changed, and moves them to where a frame has them.
    pub(super) fn follow(&mut self, scene: &Scene, frame: &Frame) {
        if self.revision != Some(scene.revision) {
            // Maps and walls neither come nor go.
            if self.revision.is_none() {
                self.scenery = Scenery::of(scene);
            }
            self.revision = Some(scene.revision);
            self.vehicles = scene.vehicles.iter().map(vehicle).collect();
            self.blocks = scene.blocks.iter().map(block).collect();
            let nearby_object = |body: BodyRef| match body {
                BodyRef::Vehicle(index) => NearbyObject::Vehicle(scene.vehicles[index].id),
                BodyRef::Block(index) => NearbyObject::Block(scene.blocks[index].id),
            };
            self.joined = scene
                .joints
                .iter()
                .map(|joint| pair(nearby_object(joint.ends[0].body), nearby_object(joint.ends[1].body)))
                .collect();
        }
        for (body, frame) in self.vehicles.iter_mut().zip(&frame.vehicles) {
            body.place(frame.world_from_body, Some(frame));
        }
        for (body, &pose) in self.blocks.iter_mut().zip(&frame.blocks) {
            body.place(pose, None);
        }
    }

    /// Searches for what is near to the vehicle of this index. What passes through it, is above or below it does not count; people do.
    pub(super) fn look(&self, scene: &Scene, frame: &Frame, vehicle: usize, search: &mut Search) {
        search.start();
        let Some(body) = self.vehicles.get(vehicle) else { return };
        let other_bodies = self.vehicles.iter().chain(&self.blocks).filter(|other| {
            other.nearby_object != body.nearby_object
                && share_heights(body.heights, other.heights)
                && !self.joined.contains(&pair(body.nearby_object, other.nearby_object))
        });
        for other in other_bodies {
            for (a, b) in body.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| (a, b))) {
                if a.in_world.least_distance(&b.in_world) < search.limit() {
                    search.add(other.nearby_object, a.in_world.distance(&b.in_world));
                }
            }
        }
        for (index, (info, actor)) in scene.actors.iter().zip(&frame.actors).enumerate() {
            let at = actor.world_from_actor;
            if share_heights(body.heights, [at.z, at.z + info.collision_height]) {
                let distance = body.distance_to_point(Vec2::new(at.x, at.y)) - info.collision_radius;
                search.add(NearbyObject::Person(index), distance.max(0.0));
            }
        }
        for piece in &body.pieces {
            self.scenery.look(scene, &piece.in_world, body.heights, search);
        }
    }

    /// The person whose middle is nearest to the outline of a vehicle.
    pub(super) fn nearest_person(&self, frame: &Frame, vehicle: usize) -> Nearest {
        let mut search = Search::default();
        if let Some(body) = self.vehicles.get(vehicle) {
            for (index, actor) in frame.actors.iter().enumerate() {
                let at = actor.world_from_actor;
                search.add(NearbyObject::Person(index), body.distance_to_point(Vec2::new(at.x, at.y)));
            }
        }
        search.nearest
    }

    /// The outlines [m] of the vehicle of this index in the world: of its chassis first.
    pub(super) fn outlines(&self, vehicle: usize) -> impl Iterator<Item = &[Vec2]> {
        self.vehicles.get(vehicle).into_iter().flat_map(|body| &body.pieces).map(|piece| piece.in_world.corners())
    }

    /// The outlines [m] of all blocks in the world that collide.
    pub(super) fn block_outlines(&self) -> impl Iterator<Item = &[Vec2]> {
        self.blocks.iter().flat_map(|body| &body.pieces).map(|piece| piece.in_world.corners())
    }
}

impl Body {
    fn new(nearby_object: NearbyObject, pieces: Vec<Piece>, z: [f64; 2]) -> Body {
        // Nothing is there, so that the first frame places it.
        let nowhere = Pose3 { x: f64::NAN, ..Pose3::default() };
        Body { nearby_object, pieces, z, world_from_body: nowhere, heights: z }
    }

    fn place(&mut self, world_from_body: Pose3, frame: Option<&VehicleFrame>) {
        let turns = self.pieces.iter().any(|piece| piece.turns.is_some());
        if self.world_from_body == world_from_body && !turns {
            return;
        }
        self.world_from_body = world_from_body;
        self.heights = self.z.map(|z| world_from_body.z + z);
        let level = world_from_body.planar();
        for piece in &mut self.pieces {
            let turned = piece.turns.map_or(Pose2::IDENTITY, |(pivot, wheel)| {
                let steer = frame.and_then(|frame| frame.wheels.get(wheel)).map_or(0.0, |wheel| wheel.steer);
                Pose2::about(pivot, steer)
            });
            piece.in_world.place(&piece.in_body, level * turned);
        }
    }

    fn distance_to_point(&self, p: Vec2) -> f64 {
        self.pieces.iter().map(|piece| piece.in_world.distance_to_point(p)).fold(f64::INFINITY, f64::min)
    }
}

/// The pieces that collide: the hulls of its frames, and its wheels as rectangles, straight ahead on their frame.
fn vehicle(info: &VehicleInfo) -> Body {
    let mut pieces = Vec::new();
    if !info.is_intangible {
        pieces.extend(Piece::of(&info.outline, None));
        let front = info.front.as_ref().zip(info.wheels.iter().position(|wheel| wheel.pivot.is_some()));
        pieces.extend(front.and_then(|(front, wheel)| Piece::of(&front.outline, Some((front.hinge, wheel)))));
        for (index, wheel) in info.wheels.iter().enumerate() {
            let placed = Pose2::new(wheel.position.x, wheel.position.y, wheel.mount_yaw);
            let (a, b) = (wheel.radius, 0.5 * wheel.width);
            let corners = [(-a, -b), (a, -b), (a, b), (-a, b)].map(|(x, y)| placed.transform_point(Vec2::new(x, y)));
            let turns = wheel.pivot.map(|pivot| (pivot, index));
            // Most wheels are below their chassis.
            let is_below = |piece: &Piece| {
                piece.turns.is_some() == turns.is_some() && corners.iter().all(|&p| piece.in_body.contains(p))
            };
            if !pieces.iter().any(is_below) {
                pieces.extend(Piece::of(&corners, turns));
            }
        }
    }
    // From the ground on, as in the simulation.
    let top = info.front.as_ref().map_or(info.chassis_z[1], |front| front.z[1].max(info.chassis_z[1]));
    Body::new(NearbyObject::Vehicle(info.id), pieces, [0.0, top.max(0.0)])
}

fn block(info: &BlockInfo) -> Body {
    let pieces = if info.is_intangible { None } else { Piece::of(&info.outline, None) };
    let [a, b] = info.z;
    Body::new(NearbyObject::Block(info.id), pieces.into_iter().collect(), [a.min(b), a.max(b)])
}

fn pair(a: NearbyObject, b: NearbyObject) -> [NearbyObject; 2] {
    [a.min(b), a.max(b)]
}
