//! Adds and removes bodies and scenery, and rebuilds the engine when it must return to the state before the first step.
//!
//! When something is added or removed, the engine keeps its contacts between the other bodies, and their motion changes
//! only if the new body is near. A permanent removal leaves nothing behind; a body that may come back is returned as
//! [`DetachedBody`], and later restored to its former position in every list.

use std::sync::Arc;

use rapier2d_f64::parry::mass_properties::MassProperties;
use rapier2d_f64::prelude::{
    ColliderBuilder, ColliderHandle, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, RigidBodyType, Vector,
};
use skidpad_math::{Pose2, Rot2, Twist2, Vec2};

use super::floor_friction::Feet;
use super::overlaps::{Core, Placement};
use super::shapes::{collider_of, core_of, reach_of};
use super::wall_shape::{Dispatcher, SharedMotion};
use super::{Body, BodyIndex, JointNumber, Physics, SceneryIndex, hand_over_pose, pose, vector};
use crate::raycast::ALL_HEIGHTS;
use crate::vehicle::{Inertia, Piece};

/// Number of removals after which the engine is stepped, so that its records of removed bodies do not pile up.
const MAX_UNSEEN: u32 = 64;

/// A body as built for the engine.
pub(super) struct Blueprint {
    /// Its arrival number among all bodies and pieces of scenery.
    arrival: u64,
    standing: Form,
    /// Its shapes while it lies on its side or roof.
    lying: Option<Form>,
    /// Pose at which it was added [m, rad].
    came_at: Pose2,
}

impl Blueprint {
    /// The shapes that it has now.
    fn form(&self) -> &Form {
        self.lying.as_ref().unwrap_or(&self.standing)
    }
}

/// The shapes of a body.
struct Form {
    colliders: Vec<ColliderBuilder>,
    /// Largest distance of any of their points from the centre of mass [m].
    radius: f64,
    /// Largest circle about the middle of the body that lies inside.
    core: Core,
}

impl Form {
    /// That of pieces of a body with the number `storey` in the collision filter, which moves by `motion` and has its centre of mass at
    /// `center` [m].
    fn of(pieces: &[Piece], storey: u32, motion: &Arc<SharedMotion>, center: Vec2) -> Form {
        Form {
            colliders: pieces.iter().filter_map(|piece| collider_of(piece, storey, motion, center)).collect(),
            radius: pieces.iter().map(|piece| reach_of(piece, center)).fold(0.0, f64::max),
            core: pieces.iter().filter_map(|piece| core_of(piece, center)).fold(Core::default(), Core::larger),
        }
    }
}

/// A piece of scenery.
pub(super) struct Scenery {
    arrival: u64,
    pub(super) number: SceneryIndex,
    /// None for one without area.
    collider: Option<ColliderBuilder>,
    /// None while it is away.
    pub(super) handle: Option<ColliderHandle>,
    is_away: bool,
}

/// A body that was removed and may come back.
pub(in crate::world) struct DetachedBody {
    body: Body,
    blueprint: Blueprint,
}

/// State of the physics before a body or scenery is added.
pub(in crate::world) struct BeforeArrival {
    prepared: bool,
    clearance: f64,
    crowded_steps: u32,
    bodies: usize,
    scenery: usize,
}

/// An engine without bodies for steps of `dt` [s].
pub(super) fn engine(dt: f64, collision_threshold: f64) -> PhysicsWorld {
    let mut engine = PhysicsWorld { gravity: Vector::ZERO, ..PhysicsWorld::default() };
    engine.integration_parameters.dt = dt;
    // Recycled contacts may be 5 cm stale, which is much for a car of 40 cm.
    engine.integration_parameters.contact_recycling = false;
    // Contacts are reported from this distance on.
    let near = collision_threshold.max(0.002);
    engine.integration_parameters.normalized_prediction_distance = near;
    engine.narrow_phase.set_query_dispatcher(Dispatcher { near });
    engine
}

fn insert(engine: &mut PhysicsWorld, index: BodyIndex, body: &Body, blueprint: &Blueprint) -> RigidBodyHandle {
    let inertia = body.inertia;
    let builder = RigidBodyBuilder::dynamic()
        .pose(pose(blueprint.came_at))
        .can_sleep(false)
        .user_data(index as u128 + 1)
        .additional_mass_properties(MassProperties::new(vector(inertia.center_of_mass), inertia.mass, inertia.yaw));
    let handle = engine.insert_body(builder);
    for collider in &blueprint.form().colliders {
        engine.insert_collider(collider.clone(), Some(handle));
    }
    if body.is_prescribed
        && let Some(rigid) = engine.bodies.get_mut(handle)
    {
        rigid.set_body_type(RigidBodyType::KinematicVelocityBased, true);
    }
    handle
}

impl Physics {
    /// Adds a movable body at rest, with `damping` of its linear and its angular velocity [1/s]. Pieces without area do
    /// not collide.
    pub fn add_body(
        &mut self,
        pieces: &[Piece],
        inertia: Inertia,
        world_from_body: Pose2,
        damping: [f64; 2],
    ) -> BodyIndex {
        let [linear_damping, angular_damping] = damping;
        let storey = self.collision_filter.add(ALL_HEIGHTS, pieces.first().map_or(0.0, |piece| piece.restitution));
        let step_motion = Arc::new(SharedMotion::default());
        let standing = Form::of(pieces, storey, &step_motion, inertia.center_of_mass);
        let (radius, core) = (standing.radius, standing.core);
        let blueprint = Blueprint { arrival: self.arrive(), standing, lying: None, came_at: world_from_body };
        let mut body = Body {
            handle: RigidBodyHandle::invalid(),
            step_motion,
            inertia,
            linear_damping,
            angular_damping,
            radius,
            core,
            placement: Placement::New,
            center_in_world: Vec2::ZERO,
            yaw: 0.0,
            world_from_body: Rot2::IDENTITY,
            velocity_in_world: Vec2::ZERO,
            yaw_rate: 0.0,
            colliding: false,
            pressed: false,
            contacts_are_current: false,
            storey,
            is_prescribed: false,
            target: None,
            goal: None,
            imposed: None,
            is_pushed: false,
            was_pushed: false,
            seen_to_move: None,
            grip: None,
            feet: Feet::default(),
            is_held: false,
            before: (Vec2::ZERO, 0.0),
            start: (Vec2::ZERO, 0.0, Rot2::IDENTITY),
            last_displacement: Vec2::ZERO,
            last_turn: 0.0,
        };
        let index = self.bodies.len();
        body.handle = insert(&mut self.engine, index, &body, &blueprint);
        self.bodies.push(body);
        self.blueprints.push(blueprint);
        self.by_x.push(index as u32);
        self.joints.forget_chains();
        self.place(index, world_from_body, Twist2::ZERO);
        index
    }

    /// Gives a body the outline that it has as it lies [m], in its frame; none: its own again.
    pub(in crate::world) fn reshape(&mut self, index: BodyIndex, outline: Option<&[Vec2]>) {
        let (body, blueprint) = (&mut self.bodies[index], &mut self.blueprints[index]);
        blueprint.lying = outline.map(|outline| {
            let piece = Piece { outline: outline.to_vec(), friction: 0.5, restitution: 0.01 };
            Form::of(&[piece], body.storey, &body.step_motion, body.inertia.center_of_mass)
        });
        let form = blueprint.form();
        (body.radius, body.core) = (form.radius, form.core);
        body.contacts_are_current = false;
        let old = self.engine.bodies.get(body.handle).map_or(Vec::new(), |rigid| rigid.colliders().to_vec());
        for collider in old {
            self.engine.remove_collider(collider);
        }
        for collider in &form.colliders {
            self.engine.insert_collider(collider.clone(), Some(body.handle));
        }
        (self.clearance, self.crowded_steps) = (0.0, 0);
    }

    /// Arrival number of a body, which stays when its index shifts.
    pub(in crate::world) fn arrival_of(&self, index: BodyIndex) -> u64 {
        self.blueprints[index].arrival
    }

    /// Index of the body with this arrival number, if it is present.
    pub(in crate::world) fn index_of(&self, arrival: u64) -> Option<BodyIndex> {
        self.blueprints.binary_search_by_key(&arrival, |blueprint| blueprint.arrival).ok()
    }

    /// Makes the motion of a body prescribed: it follows [`Self::move_to`], pushes others, and nothing pushes it.
    pub fn prescribe(&mut self, index: BodyIndex) {
        let body = &mut self.bodies[index];
        body.is_prescribed = true;
        if let Some(rigid) = self.engine.bodies.get_mut(body.handle) {
            rigid.set_body_type(RigidBodyType::KinematicVelocityBased, true);
        }
    }

    /// To be called before a body or scenery is added, for [`Self::after_arrival`].
    pub(in crate::world) fn before_arrival(&mut self) -> BeforeArrival {
        if self.prepared && self.clearance <= 0.0 && self.crowded_steps == 0 {
            // The next step would measure it at the same poses.
            self.measure_clearance();
        }
        BeforeArrival {
            prepared: self.prepared,
            clearance: self.clearance,
            crowded_steps: self.crowded_steps,
            bodies: self.bodies.len(),
            scenery: self.scenery.len(),
        }
    }

    /// To be called after a body or scenery was added and placed: the others are unaffected, unless it is near.
    pub(in crate::world) fn after_arrival(&mut self, before: BeforeArrival) {
        let BeforeArrival { prepared, clearance, crowded_steps, bodies, scenery } = before;
        if !prepared {
            // The next step runs the engine in any case.
            return;
        }
        self.prepared = true;
        (self.clearance, self.crowded_steps) = (clearance, crowded_steps);
        if crowded_steps > 0 {
            return;
        }
        if self.scenery.len() > scenery {
            self.refresh_engine();
            for index in 0..bodies {
                self.clearance = self.clearance_from_scenery(index, self.clearance);
            }
        }
        for index in bodies..self.bodies.len() {
            self.clearance = self.clearance.min(self.clearance_of(index));
        }
    }

    /// Adds scenery with this number in the collision filter.
    pub(super) fn insert_scenery(&mut self, number: SceneryIndex, collider: Option<ColliderBuilder>) {
        let arrival = self.arrive();
        let handle = collider.clone().map(|collider| self.engine.insert_collider(collider, None));
        self.has_static |= handle.is_some();
        self.prepared &= handle.is_none();
        self.scenery.push(Scenery { arrival, number, collider, handle, is_away: false });
    }

    /// Moves scenery to another pose [m, rad] and vertical extent [m]; bodies far from it are not affected.
    pub(in crate::world) fn move_scenery(&mut self, number: SceneryIndex, world_from_piece: Pose2, heights: [f64; 2]) {
        let before = self.before_arrival();
        let Some(place) = self.scenery.iter().position(|scenery| scenery.number == number) else { return };
        let scenery = &mut self.scenery[place];
        scenery.collider = scenery.collider.take().map(|collider| collider.position(pose(world_from_piece)));
        if let Some(collider) = scenery.handle.and_then(|handle| self.engine.colliders.get_mut(handle)) {
            collider.set_position(pose(world_from_piece));
        }
        self.collision_filter.set(number, heights);
        // It is added again at its present pose.
        self.after_arrival(BeforeArrival { scenery: place, ..before });
    }

    /// Removes a joint.
    pub(in crate::world) fn detach_joint(&mut self, number: JointNumber) {
        self.joints.detach(number);
    }

    /// Discards a detached joint that does not come back.
    pub(in crate::world) fn forget_joint(&mut self, number: JointNumber) {
        self.joints.forget(number);
    }

    /// Restores a joint whose bodies are both present.
    pub(in crate::world) fn attach_joint(&mut self, number: JointNumber) {
        self.joints.attach(number);
        self.link_joints();
    }

    fn link_joints(&mut self) {
        let blueprints = &self.blueprints;
        self.joints.link(|arrival| blueprints.binary_search_by_key(&arrival, |blueprint| blueprint.arrival).ok());
    }

    /// Removes a body without joints. Bodies behind it get the next lower index.
    pub(in crate::world) fn detach_body(&mut self, index: BodyIndex) -> DetachedBody {
        let body = self.bodies.remove(index);
        let blueprint = self.blueprints.remove(index);
        self.link_joints();
        self.engine.remove_body(body.handle);
        self.by_x.retain(|&other| other as usize != index);
        self.by_x.iter_mut().filter(|other| **other as usize > index).for_each(|other| *other -= 1);
        for (index, body) in self.bodies.iter().enumerate().skip(index) {
            if let Some(rigid) = self.engine.bodies.get_mut(body.handle) {
                rigid.user_data = index as u128 + 1;
            }
        }
        self.note_leave();
        DetachedBody { body, blueprint }
    }

    /// Discards a detached body that does not come back.
    pub(in crate::world) fn forget(&mut self, detached: &DetachedBody) {
        self.collision_filter.free(detached.body.storey);
    }

    /// Restores a body, at the index that follows from the order of arrival; those from there on get the next higher one. To be
    /// followed by [`Self::restart_engine`].
    pub(in crate::world) fn attach_body(&mut self, detached: DetachedBody) {
        let DetachedBody { body, blueprint } = detached;
        let index = self.blueprints.partition_point(|other| other.arrival < blueprint.arrival);
        self.bodies.insert(index, body);
        self.blueprints.insert(index, blueprint);
        self.link_joints();
    }

    /// Removes scenery; `for_good`: it does not come back.
    pub(in crate::world) fn detach_scenery(&mut self, number: SceneryIndex, for_good: bool) {
        let Some(place) = self.scenery.iter().position(|scenery| scenery.number == number) else { return };
        let scenery = &mut self.scenery[place];
        scenery.is_away = true;
        if let Some(handle) = scenery.handle.take() {
            self.engine.remove_collider(handle);
        }
        if for_good {
            self.scenery.remove(place);
            self.collision_filter.free(number);
        }
        self.has_static = self.scenery.iter().any(|scenery| scenery.handle.is_some());
        self.note_leave();
    }

    /// Restores scenery. To be followed by [`Self::restart_engine`].
    pub(in crate::world) fn attach_scenery(&mut self, number: SceneryIndex) {
        self.scenery.iter_mut().filter(|scenery| scenery.number == number).for_each(|scenery| scenery.is_away = false);
    }

    /// Rebuilds the engine as before the first step, and runs it in the next step. Bodies stay where they are, and bodies that the
    /// engine had disabled are enabled; if all `are_at_start`, the zero angles of joints are those of the start.
    pub(in crate::world) fn restart_engine(&mut self, are_at_start: bool) {
        self.rebuild_engine();
        self.by_x = (0..self.bodies.len() as u32).collect();
        if are_at_start {
            self.joints.zero_angles(&self.bodies);
        }
        self.prepared = false;
        (self.clearance, self.crowded_steps, self.unseen) = (0.0, 0, 0);
    }

    /// Gives a body the state of the body with the index `other` of another world, which was built alike.
    pub(in crate::world) fn go_on_as(&mut self, index: BodyIndex, from: &Physics, other: BodyIndex) {
        let (body, was) = (&mut self.bodies[index], &from.bodies[other]);
        (body.center_in_world, body.yaw, body.world_from_body) = (was.center_in_world, was.yaw, was.world_from_body);
        (body.velocity_in_world, body.yaw_rate) = (was.velocity_in_world, was.yaw_rate);
        (body.colliding, body.pressed) = (was.colliding, was.pressed);
        (body.is_pushed, body.was_pushed, body.seen_to_move) = (was.is_pushed, was.was_pushed, was.seen_to_move);
        (body.target, body.goal, body.imposed, body.grip) = (None, None, None, None);
        (body.last_displacement, body.last_turn) = (was.last_displacement, was.last_turn);
        body.contacts_are_current = false;
        body.placement = if was.placement.is_lifted() { Placement::New } else { was.placement };
        self.joints.forget_turns(index, &self.bodies);
        self.has_marks |= was.is_pushed || was.was_pushed;
    }

    /// To be called after bodies have got the state of those of another world: the engine sees them where they are.
    pub(in crate::world) fn go_on(&mut self) {
        self.by_x = (0..self.bodies.len() as u32).collect();
        self.overlaps.are_due = true;
        self.refresh_engine();
        self.prepared = true;
        (self.clearance, self.crowded_steps) = (0.0, 0);
    }

    fn rebuild_engine(&mut self) {
        self.engine = engine(self.dt, self.collision_threshold);
        let mut scenery = self.scenery.iter_mut().filter(|scenery| !scenery.is_away).peekable();
        let mut place = |until: u64, engine: &mut PhysicsWorld| {
            while let Some(scenery) = scenery.next_if(|scenery| scenery.arrival < until) {
                scenery.handle = scenery.collider.clone().map(|collider| engine.insert_collider(collider, None));
            }
        };
        for (index, (body, blueprint)) in self.bodies.iter_mut().zip(&self.blueprints).enumerate() {
            place(blueprint.arrival, &mut self.engine);
            body.handle = insert(&mut self.engine, index, body, blueprint);
            body.contacts_are_current = false;
            if body.placement.is_lifted() {
                body.placement = Placement::New;
            }
        }
        place(u64::MAX, &mut self.engine);
        self.overlaps.are_due = true;
        self.has_static = self.scenery.iter().any(|scenery| scenery.handle.is_some());
    }

    fn arrive(&mut self) -> u64 {
        self.arrivals += 1;
        self.arrivals
    }

    fn note_leave(&mut self) {
        self.unseen += 1;
        if self.unseen >= MAX_UNSEEN && self.clearance > 0.0 {
            self.refresh_engine();
        }
    }

    /// Replaces the engine by a new one while nothing is in contact: the old engine keeps lists of added and removed bodies until its
    /// next step, and its contacts are not updated without one.
    fn refresh_engine(&mut self) {
        self.unseen = 0;
        self.rebuild_engine();
        for body in &self.bodies {
            if let Some(rigid) = self.engine.bodies.get_mut(body.handle) {
                hand_over_pose(body, rigid);
            }
        }
        self.separate_overlaps();
        self.engine.detect_collisions(&self.collision_filter, &());
    }

    /// Pairs of colliders whose bounds overlapped at the last step.
    pub fn contact_pair_count(&self) -> usize {
        self.engine.narrow_phase.contact_pairs().count()
    }

    /// Number of bodies, of pieces of scenery, of entries in the collision filter, and of bodies and colliders in the engine, for
    /// tests that nothing is left behind.
    pub fn counts(&self) -> [usize; 5] {
        [
            self.bodies.len(),
            self.scenery.len(),
            self.collision_filter.len(),
            self.engine.bodies.len(),
            self.engine.colliders.len(),
        ]
    }
}
