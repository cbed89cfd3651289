//! Rigid bodies in the plane. Only this folder names rapier.
//!
//! The authoritative state of every movable body is kept here, about its centre of mass. A step integrates velocities from the
//! forces (semi-implicit Euler with damping v/(1 + c·dt), as Box2D does for MVSim) and then moves the bodies in one of two
//! ways. While no two bodies can touch, positions are integrated directly, which costs tens of nanoseconds per body. As soon as
//! bodies may come close, rapier moves them with collision detection and contact solving. The choice depends on the state
//! alone, so that runs are reproducible.
//!
//! Joints act on the velocities before the move and correct positions after it (`physics/joints.rs`). Floor friction holds
//! resting blocks after it (`physics/floor_friction.rs`). Only bodies that share a height collide (`physics/collision_filter.rs`).
//! Round outlines collide as circles (`physics/circle.rs`).
//!
//! Whether bodies can touch follows from a clearance: the smallest gap between the bounding circle of any movable body and
//! anything else. It is measured once, and stays valid until the bodies may have travelled that far.

mod add_remove;
mod bounce;
mod circle;
mod clearance;
mod collision_filter;
mod contacts;
mod cylinder;
mod floor_friction;
mod goals;
mod joints;
mod linear;
mod overlaps;
mod pushes;
mod rows;
mod shapes;
mod start_overlaps;
mod steps;
mod wall_circle;
mod wall_contacts;
mod wall_faces;
mod wall_mover;
mod wall_shape;
#[cfg(test)]
mod wall_tests;

use std::sync::Arc;

use rapier2d_f64::prelude::{PhysicsWorld, Pose, RigidBody, RigidBodyHandle, Rotation, Vector};
use skidpad_math::{Pose2, Rot2, Twist2, Vec2, wrap_angle};

pub(super) use self::add_remove::DetachedBody;
use self::add_remove::{Blueprint, Scenery};
use self::bounce::PointKey;
use self::collision_filter::CollisionFilter;
use self::contacts::is_touching;
pub(super) use self::contacts::{TOUCHING, Touched};
pub(super) use self::cylinder::Approach;
use self::floor_friction::{Feet, Grip};
use self::goals::Imposed;
use self::joints::Joints;
pub use self::joints::{JointEnd, JointLaw, JointNumber};
use self::overlaps::{Core, Overlaps, Placement};
use self::rows::Rows;
pub(super) use self::shapes::MapShape;
use self::wall_shape::SharedMotion;
use crate::vehicle::{ForceFrame, Inertia, Wrench};

/// Gaps are measured up to this distance [m]; a larger limit saves little.
const MAX_CLEARANCE: f64 = 2.0;
/// Below this clearance [m] rapier runs, and the gap is measured again after [`CROWDED_STEPS`].
const MIN_CLEARANCE: f64 = 0.02;
/// How many steps rapier runs before the clearance is measured again.
const CROWDED_STEPS: u32 = 20;

/// Index of a movable body.
pub type BodyIndex = usize;

/// Number of a piece of scenery.
pub type SceneryIndex = u32;

struct Body {
    handle: RigidBodyHandle,
    /// How it moves within the step, for its shapes.
    step_motion: Arc<SharedMotion>,
    inertia: Inertia,
    linear_damping: f64,
    angular_damping: f64,
    /// Largest distance of any point of the body from the centre of mass [m].
    radius: f64,
    /// Largest circle about the middle of the body that lies inside the body.
    core: Core,
    /// Whether it is settled, newly placed, or carried away from others.
    placement: Placement,
    center_in_world: Vec2,
    yaw: f64,
    world_from_body: Rot2,
    /// Velocity of the centre of mass [m/s].
    velocity_in_world: Vec2,
    yaw_rate: f64,
    colliding: bool,
    /// Whether contacts changed its velocity in this step.
    is_pushed: bool,
    /// The same in the last step.
    was_pushed: bool,
    /// The velocity of the centre of mass [m/s] and the yaw rate [rad/s] with which a body moves that contacts keep pushing.
    seen_to_move: Option<(Vec2, f64)>,
    /// Whether scenery blocks part of the velocity imposed for this step, so that the body ends the step in contact.
    pressed: bool,
    /// Whether the engine moved it last, so that its contacts match its pose.
    contacts_are_current: bool,
    /// Its number in the collision filter.
    storey: u32,
    /// Whether its motion is prescribed, so that nothing pushes it.
    is_prescribed: bool,
    /// Prescribed pose at the end of this step.
    target: Option<Pose2>,
    /// Pose demanded by the vehicle's model at the end of this step, unless something is in the way.
    goal: Option<Pose2>,
    /// The velocity that is imposed for this step.
    imposed: Option<Imposed>,
    /// Where the floor acts on it.
    feet: Feet,
    /// What the floor has left for a body that rests on it.
    grip: Option<Grip>,
    /// Whether the floor has held it in this step.
    is_held: bool,
    /// Velocity of the centre of mass [m/s] and yaw rate [rad/s] before the contacts of this step.
    before: (Vec2, f64),
    /// Position and yaw at the start of this step [m], [rad].
    start: (Vec2, f64, Rot2),
    /// Displacement by its velocity at the end of the engine's last step [m].
    last_displacement: Vec2,
    /// Turn by its yaw rate at the end of the engine's last step [rad].
    last_turn: f64,
}

impl Body {
    /// Position of the reference point in the world [m].
    fn position(&self) -> Vec2 {
        self.center_in_world - self.world_from_body * self.inertia.center_of_mass
    }

    /// Velocity of the reference point in the body frame [m/s, rad/s].
    #[inline]
    fn velocity_in_body(&self) -> Twist2 {
        self.in_body(self.velocity_in_world, self.yaw_rate)
    }

    /// Velocity of the reference point in the body frame [m/s, rad/s], from that of the centre of mass [m/s] and the yaw rate [rad/s].
    #[inline]
    fn in_body(&self, velocity_in_world: Vec2, yaw_rate: f64) -> Twist2 {
        let v = self.world_from_body.inverse() * velocity_in_world;
        let com = self.inertia.center_of_mass;
        Twist2::new(v.x + yaw_rate * com.y, v.y - yaw_rate * com.x, yaw_rate)
    }

    /// Upper bound of the speed of any of its points [m/s].
    fn top_speed(&self) -> f64 {
        self.top_speed_with(self.velocity_in_world, self.yaw_rate)
    }

    /// The same at another velocity [m/s] and yaw rate [rad/s].
    fn top_speed_with(&self, velocity_in_world: Vec2, yaw_rate: f64) -> f64 {
        velocity_in_world.norm() + yaw_rate.abs() * self.radius
    }

    /// Puts the body at this pose [m, rad].
    fn stand_at(&mut self, world_from_body: Pose2) {
        self.yaw = world_from_body.yaw;
        self.world_from_body = world_from_body.rotation();
        self.center_in_world = world_from_body.transform_point(self.inertia.center_of_mass);
    }

    /// Sets the velocity so that the reference point has `velocity_in_body`.
    fn move_with(&mut self, velocity_in_body: Twist2) {
        self.velocity_in_world = self.world_from_body * velocity_in_body.at_point(self.inertia.center_of_mass);
        self.yaw_rate = velocity_in_body.wz;
    }
}

/// State of a body, as others see it.
#[derive(Clone, Copy, Debug)]
pub struct BodyState {
    /// Pose of its reference point in the world [m, rad].
    pub world_from_body: Pose2,
    /// Velocity of its reference point in the body frame [m/s, rad/s]: while contacts push it, that of the change of its pose.
    pub velocity_in_body: Twist2,
    /// Whether it touched something in the last step, or came closer than the threshold.
    pub is_colliding: bool,
}

/// All bodies of a world.
pub struct Physics {
    engine: PhysicsWorld,
    bodies: Vec<Body>,
    /// Each body as built for the engine.
    blueprints: Vec<Blueprint>,
    scenery: Vec<Scenery>,
    /// Number of bodies and pieces of scenery added so far.
    arrivals: u64,
    /// Number of bodies and pieces of scenery removed since the engine's last step.
    unseen: u32,
    has_static: bool,
    /// False until the engine has seen all colliders.
    prepared: bool,
    collision_threshold: f64,
    /// Distance [m] that any body may still travel before something can touch; the engine's bodies are stale while > 0.
    clearance: f64,
    crowded_steps: u32,
    /// The frame in which forces act during a step.
    force_frame: ForceFrame,
    /// Whether a body has a target, a goal, an imposed velocity or grip left, which end with the step.
    has_marks: bool,
    dt: f64,
    by_x: Vec<u32>,
    overlaps: Overlaps,
    collision_filter: CollisionFilter,
    joints: Joints,
    /// Workspace for collisions.
    rows: Rows,
    /// The contact points at which bodies bounced in the last step of the engine, in the order of `rows`.
    rebounds: Vec<PointKey>,
    /// Bodies of `rows`, with velocity and yaw rate before they are solved.
    stopped: Vec<(BodyIndex, (Vec2, f64))>,
}

fn vector(v: Vec2) -> Vector {
    Vector::new(v.x, v.y)
}

fn pose(p: Pose2) -> Pose {
    let r = p.rotation();
    Pose { rotation: Rotation::from_cos_sin_unchecked(r.cos, r.sin), translation: Vector::new(p.x, p.y) }
}

/// The body with the engine's `handle`; none for its fixed bodies.
fn body_of(engine: &PhysicsWorld, handle: Option<RigidBodyHandle>) -> Option<BodyIndex> {
    (engine.bodies.get(handle?)?.user_data as BodyIndex).checked_sub(1)
}

/// Sets the pose of a body in the engine.
fn hand_over_pose(body: &Body, rigid: &mut RigidBody) {
    let rotation = Rotation::from_cos_sin_unchecked(body.world_from_body.cos, body.world_from_body.sin);
    let position = Pose { rotation, translation: vector(body.position()) };
    if *rigid.position() != position {
        rigid.set_position(position, true);
    }
}

impl Physics {
    /// A world of bodies, still empty. `dt` [s] is the step; bodies closer than `collision_threshold` [m] count as colliding.
    pub fn new(dt: f64, collision_threshold: f64) -> Physics {
        let engine = add_remove::engine(dt, collision_threshold);
        Physics {
            engine,
            bodies: Vec::new(),
            blueprints: Vec::new(),
            scenery: Vec::new(),
            arrivals: 0,
            unseen: 0,
            has_static: false,
            prepared: false,
            collision_threshold,
            clearance: 0.0,
            crowded_steps: 0,
            force_frame: ForceFrame::default(),
            has_marks: false,
            dt,
            by_x: Vec::new(),
            overlaps: Overlaps::default(),
            collision_filter: CollisionFilter::default(),
            joints: Joints::default(),
            rows: Rows::default(),
            rebounds: Vec::new(),
            stopped: Vec::new(),
        }
    }

    /// Lets all bodies collide whatever their heights, as MVSim does. To be called before the first body is added.
    pub fn ignore_heights(&mut self) {
        self.collision_filter.are_ignored = true;
    }

    /// Sets the frame in which forces act during a step.
    pub fn set_force_frame(&mut self, force_frame: ForceFrame) {
        self.force_frame = force_frame;
    }

    /// Whether only bodies that share a height collide.
    pub fn heights_separate(&self) -> bool {
        !self.collision_filter.are_ignored
    }

    /// Sets the vertical extent of a body [m], from low to high. Bodies that share no height pass over each other. At first
    /// a body extends over all heights.
    #[inline]
    pub fn set_heights(&mut self, index: BodyIndex, heights: [f64; 2]) {
        self.collision_filter.set(self.bodies[index].storey, heights);
    }

    /// Joins two bodies, or a body to the world. The present angle becomes the joint's zero. None, without any effect, when neither
    /// end can move.
    pub fn add_joint(&mut self, ends: [JointEnd; 2], law: JointLaw) -> Option<JointNumber> {
        if ends.iter().all(|end| end.body.is_none_or(|index| self.bodies[index].is_prescribed)) {
            return None;
        }
        let arrivals = ends.map(|end| end.body.map(|index| self.arrival_of(index)));
        let number = self.joints.add(ends, arrivals, law, &self.bodies);
        if let [Some(a), Some(b)] = ends.map(|end| end.body) {
            self.collision_filter.join(self.bodies[a].storey, self.bodies[b].storey);
        }
        self.clearance = 0.0;
        Some(number)
    }

    /// Lets a body and a piece of scenery pass through each other.
    pub fn let_pass(&mut self, index: BodyIndex, scenery: SceneryIndex) {
        self.collision_filter.join(self.bodies[index].storey, scenery);
    }

    /// Puts a body at this pose [m, rad], moving with `velocity_in_body` [m/s, rad/s] of its reference point.
    pub fn place(&mut self, index: BodyIndex, world_from_body: Pose2, velocity_in_body: Twist2) {
        let body = &mut self.bodies[index];
        body.stand_at(world_from_body);
        body.colliding = false;
        (body.is_pushed, body.was_pushed, body.seen_to_move) = (false, false, None);
        body.pressed = false;
        body.contacts_are_current = false;
        if !body.placement.is_lifted() {
            body.placement = Placement::New;
        }
        body.imposed = None;
        body.grip = None;
        body.target = None;
        body.goal = None;
        body.move_with(velocity_in_body);
        self.joints.forget_turns(index, &self.bodies);
        self.clearance = 0.0;
        self.crowded_steps = 0;
        self.overlaps.are_due = true;
    }

    /// Places a body at rest at this pose [m, rad], together with the bodies joined to it unless the joints hold without moving
    /// them. Calls `on_place` with each body that was placed, and its pose.
    pub fn teleport(&mut self, index: BodyIndex, world_from_body: Pose2, mut on_place: impl FnMut(BodyIndex, Pose2)) {
        let from = self.world_from_body(index);
        self.place(index, world_from_body, Twist2::ZERO);
        on_place(index, world_from_body);
        self.joints.arrange(&self.bodies);
        if self.joints.is_empty() || self.joints.hold_of(index, &self.bodies) {
            return;
        }
        let move_along = world_from_body * from.inverse();
        for k in 0..self.joints.hanging_on(index).len() {
            let other = self.joints.hanging_on(index)[k];
            if other != index {
                let pose = move_along * self.world_from_body(other);
                self.place(other, pose, Twist2::ZERO);
                on_place(other, pose);
            }
        }
    }

    /// Moves a body with prescribed motion from one pose to another [m, rad] within the next step. Unlike with [`Self::place`],
    /// bodies in its way are pushed.
    pub fn move_to(&mut self, index: BodyIndex, from: Pose2, to: Pose2) {
        let stands_at = self.world_from_body(index);
        let far = (stands_at.position() - from.position()).norm();
        if !(far < 1e-6 && wrap_angle(stands_at.yaw - from.yaw).abs() < 1e-6) {
            self.place(index, from, Twist2::ZERO);
        }
        let body = &mut self.bodies[index];
        let turn = wrap_angle(to.yaw - body.yaw);
        let to = Pose2::new(to.x, to.y, body.yaw + turn);
        let center = to.transform_point(body.inertia.center_of_mass);
        body.velocity_in_world = (1.0 / self.dt) * (center - body.center_in_world);
        body.yaw_rate = turn / self.dt;
        body.target = Some(to);
        self.has_marks = true;
    }

    /// Velocity of the body's reference point in the body frame [m/s, rad/s].
    #[inline]
    pub fn velocity_in_body(&self, index: BodyIndex) -> Twist2 {
        self.bodies[index].velocity_in_body()
    }

    /// Velocity of the body's reference point in the body frame [m/s, rad/s] on which its wheels act.
    #[inline]
    pub fn velocity_on_wheels(&self, index: BodyIndex) -> Twist2 {
        self.bodies[index].velocity_on_wheels()
    }

    /// State of the body after the last step.
    #[inline]
    pub fn state(&self, index: BodyIndex) -> BodyState {
        let body = &self.bodies[index];
        let position = body.position();
        BodyState {
            world_from_body: Pose2::new(position.x, position.y, body.yaw),
            velocity_in_body: body.seen_velocity_in_body(),
            is_colliding: body.colliding,
        }
    }

    /// Pose of the body's reference point in the world [m, rad].
    #[inline]
    pub fn world_from_body(&self, index: BodyIndex) -> Pose2 {
        let body = &self.bodies[index];
        let p = body.position();
        Pose2::new(p.x, p.y, body.yaw)
    }

    /// Position of the body's reference point in the world [m].
    #[inline]
    pub fn position(&self, index: BodyIndex) -> Vec2 {
        self.bodies[index].position()
    }

    /// Rotation from body to world coordinates.
    #[inline]
    pub fn rotation(&self, index: BodyIndex) -> Rot2 {
        self.bodies[index].world_from_body
    }

    /// Integrates the velocity of a body over one step under a wrench about its reference point.
    #[inline]
    pub fn apply(&mut self, index: BodyIndex, wrench: Wrench) {
        let dt = self.dt;
        let body = &mut self.bodies[index];
        if body.is_prescribed {
            return;
        }
        let force = match self.force_frame {
            ForceFrame::AtStart => body.world_from_body * wrench.force_in_body,
            ForceFrame::Turning => body.world_from_body * (Rot2::near(0.5 * dt * body.yaw_rate) * wrench.force_in_body),
        };
        let torque = wrench.torque - body.inertia.center_of_mass.cross(wrench.force_in_body);
        body.velocity_in_world =
            (1.0 / (1.0 + dt * body.linear_damping)) * (body.velocity_in_world + (dt / body.inertia.mass) * force);
        body.yaw_rate = (body.yaw_rate + dt / body.inertia.yaw * torque) / (1.0 + dt * body.angular_damping);
    }

    /// Moves all bodies by one step with the velocities they have.
    pub fn step(&mut self) {
        let mut travel = self.dt * self.fastest();
        if !travel.is_finite() {
            // Not passed to the engine, which would disable the body; the new pose reveals the NaN.
            return self.step_apart();
        }
        if !self.joints.is_empty() {
            self.joints.arrange(&self.bodies);
            self.joints.solve_velocities(&mut self.bodies, &self.engine, self.dt);
            travel = self.dt * self.fastest();
        }
        if !self.prepared {
            self.prepared = true;
            self.clearance = 0.0;
            self.crowded_steps = 1;
        }
        if self.clearance <= travel && self.crowded_steps == 0 {
            self.measure_clearance();
        }
        let is_crowded = self.clearance <= travel;
        if is_crowded && self.overlaps.are_due {
            self.separate_overlaps();
        }
        // Without contacts and joints nothing pushes resting bodies.
        let are_linked = is_crowded || !self.joints.is_empty();
        if are_linked {
            self.bodies.iter_mut().for_each(|b| b.start = (b.center_in_world, b.yaw, b.world_from_body));
        }
        if is_crowded {
            self.crowded_steps = self.crowded_steps.max(1) - 1;
            self.clearance = 0.0;
            self.step_engine();
            self.bounce();
            self.move_lifted();
        } else {
            self.clearance -= travel;
            self.step_apart();
        }
        if are_linked {
            self.hold_resting();
            if self.joints.solve_positions(&mut self.bodies) > 1e-6 {
                self.clearance = 0.0;
            }
        }
        if are_linked || std::mem::take(&mut self.has_marks) {
            self.finish_bodies(is_crowded);
        }
    }

    /// Puts bodies with a prescribed or demanded pose there, and clears the state that lasts for one step.
    fn finish_bodies(&mut self, is_crowded: bool) {
        for body in &mut self.bodies {
            if let Some(target) = body.target.take() {
                body.stand_at(target);
                if self.force_frame == ForceFrame::Turning {
                    body.velocity_in_world = Rot2::near(0.5 * self.dt * body.yaw_rate) * body.velocity_in_world;
                }
            }
            if let Some(goal) = body.goal.take()
                && body.is_near(goal, self.dt * body.yaw_rate)
            {
                body.stand_at(goal);
            }
            if body.is_pushed || body.was_pushed {
                self.has_marks = true;
                body.note_push(self.dt);
            }
            if is_crowded {
                body.last_displacement = self.dt * body.velocity_in_world;
                body.last_turn = self.dt * body.yaw_rate;
            }
            if body.imposed.is_some() {
                body.finish_imposed();
            }
            body.grip = None;
            body.is_held = false;
        }
    }

    /// Largest speed of any point of any body [m/s]; infinite when a velocity is not finite, so that no clearance holds.
    fn fastest(&self) -> f64 {
        let mut fastest: f64 = 0.0;
        for body in &self.bodies {
            let speed = body.top_speed();
            fastest = if speed <= fastest { fastest } else { speed };
        }
        fastest
    }

    fn step_apart(&mut self) {
        for body in &mut self.bodies {
            body.colliding = false;
            body.contacts_are_current = false;
            if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 {
                continue;
            }
            body.center_in_world = body.center_in_world + self.dt * body.velocity_in_world;
            body.yaw += self.dt * body.yaw_rate;
            body.world_from_body = Rot2::new(body.yaw);
        }
    }

    fn step_engine(&mut self) {
        for body in &mut self.bodies {
            body.before = (body.velocity_in_world, body.yaw_rate);
            if let Some(rigid) = self.engine.bodies.get_mut(body.handle) {
                hand_over_pose(body, rigid);
                rigid.set_linvel(vector(body.velocity_in_world), true);
                rigid.set_angvel(body.yaw_rate, true);
                let linear = body.world_from_body.inverse() * body.velocity_in_world;
                body.step_motion.set(self.dt * linear, self.dt * body.yaw_rate);
                // Contacts are detected before a fast body reaches them.
                rigid.set_soft_ccd_prediction(3.0 * self.dt * body.top_speed());
            }
        }
        self.unseen = 0;
        self.engine.step_with_events(&self.collision_filter, &());
        // The engine silently disables bodies that are not finite; the pose has to reveal that.
        let given_up = self.engine.quarantine();
        for body in &mut self.bodies {
            if !given_up.is_empty() && given_up.bodies().contains(&body.handle) {
                body.velocity_in_world = Vec2::new(f64::NAN, f64::NAN);
                continue;
            }
            if let Some(rigid) = self.engine.bodies.get(body.handle) {
                let (position, center) = (rigid.position(), rigid.center_of_mass());
                let rotation = Rot2 { cos: position.rotation.re, sin: position.rotation.im };
                // The engine does not count turns: take only the change of the angle.
                body.yaw += (body.world_from_body.inverse() * rotation).angle();
                body.world_from_body = rotation;
                body.center_in_world = Vec2::new(center.x, center.y);
                body.velocity_in_world = Vec2::new(rigid.linvel().x, rigid.linvel().y);
                body.yaw_rate = rigid.angvel();
                let is_pushed = (body.velocity_in_world, body.yaw_rate) != body.before;
                let touches = is_touching(&self.engine, rigid.colliders(), is_pushed, self.collision_threshold);
                body.is_pushed = touches && (is_pushed || body.pressed) && !body.placement.is_lifted();
                body.colliding = body.pressed || body.placement.is_lifted() || touches;
                body.pressed = false;
                body.contacts_are_current = !body.placement.is_lifted();
            }
        }
    }
}
