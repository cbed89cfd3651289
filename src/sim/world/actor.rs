//! Actors: figures that walk along a path.
//!
//! An actor goes straight from its start to its first waypoint, from there to the second, and so on; after the last it continues
//! with the first, or stays. Its position is linear in the distance covered. It faces its direction of motion: over the first
//! tenth of a leg it turns from its previous heading, over the last fifth to the yaw of the waypoint, both by the shorter way;
//! legs of at most 0.1 m in the plane have no heading. The part of a step left after reaching a waypoint counts for the pause
//! there and the next leg, so that no time is lost.
//!
//! No body stops an actor, and it pushes nothing, but a vehicle that runs it over is in contact. An [order](ActorOrder) lets it stand, go on or
//! go elsewhere. Under skidpad's rules planar lidars see it as a circle of its collision radius, under MVSim's they do not. In MVSim a leg with the hint `idle` never ends; here it is walked, and actors stand only in pauses.

use skidpad_math::{Pose3, Vec3, wrap_angle};

use super::animation::Keyframes;
use super::label::Label;
use super::visual::Visual;
use super::{EntityId, ExternalChange, Spot, World};
use crate::vehicle::MAX_COORDINATE;

/// The fixed facts about an actor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActorInfo {
    /// Its id, which stays when bodies and actors come and go.
    pub id: EntityId,
    /// Unique name.
    pub name: String,
    /// Class in the world file, empty when it has none.
    pub class: String,
    /// What sensors say of it.
    pub label: Label,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose3,
    /// Radius and height [m] of the upright cylinder that represents it; planar lidars see its outline.
    pub collision_radius: f64,
    /// Height of that cylinder [m].
    pub collision_height: f64,
    /// Height of the figure [m].
    pub height: f64,
    /// Speed [m/s] of legs that are walked.
    pub walking_speed: f64,
    /// Speed [m/s] of legs that are run.
    pub running_speed: f64,
    /// Names of the clips of its mesh for each gait, in the order of [`Gait`].
    pub clips: [String; 3],
    /// Visuals; empty: a cylinder with a head.
    pub visuals: Vec<Visual>,
    /// Its waypoints, in order; empty: it stands.
    pub waypoints: Vec<Waypoint>,
    /// Whether it continues with the first waypoint after the last.
    pub is_loop: bool,
}

/// A point on an actor's path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waypoint {
    /// Pose there, in the world [m, rad].
    pub world_from_actor: Pose3,
    /// Pause at the waypoint [s], ≥ 0.
    pub pause: f64,
    /// Whether the actor runs on the leg to this waypoint.
    pub is_run: bool,
}

/// Gait of an actor, which determines the clip to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Up to 0.1 m/s.
    #[default]
    Idle,
    /// Faster than that.
    Walk,
    /// Faster than 0.8 times its running speed.
    Run,
}

/// An actor after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActorFrame {
    /// Pose in the world [m, rad].
    pub world_from_actor: Pose3,
    /// Speed along its path [m/s].
    pub speed: f64,
    /// Velocity of its reference point over the last step, along the axes of the world [m/s]; 0 where its motion jumps.
    pub velocity_in_world: Vec3,
    /// Yaw rate over the last step [rad/s]; 0 where its motion jumps.
    pub yaw_rate: f64,
    /// Gait.
    pub gait: Gait,
    /// Playback time of the gait's clip [s], at the pace of the gait: it starts at 0 when the gait changes.
    pub clip_time: f64,
    /// The way that it has covered since the start [m], less what it has covered backwards: wheels roll by it.
    pub distance: f64,
}

/// An actor and its position on its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    frame: ActorFrame,
    /// Its place among the actors of the loaded world.
    pub(super) order: usize,
    /// Pose at the start, in the world [m, rad].
    start: Pose3,
    /// Pose that its prescribed motion starts from, in the world [m, rad]: the start, until it is placed elsewhere.
    origin: Pose3,
    /// Start of the present leg, in the world [m, rad].
    leg_start: Pose3,
    /// Index of the next waypoint, or of the one at which the actor pauses.
    target: usize,
    /// Distance covered on the present leg [m].
    covered: f64,
    /// Remaining pause at the waypoint [s]; none: the actor is on its way.
    pause: Option<f64>,
    /// Index of its shape for planar lidars, if they see it.
    pub(super) shape: Option<usize>,
    /// The prescribed motion of an actor without a path, if any.
    motion: Option<Keyframes>,
    /// Whether it stands, whatever its path, and how long it has stood so [s].
    stands: bool,
    stood: f64,
    /// The path on which it has been sent instead of its own.
    sent: Option<Vec<Waypoint>>,
}

impl Actor {
    /// An actor at the start of its path, with its place `order` among the actors of the world. `shape` is its shape for planar
    /// lidars, if they see it; `motion` moves an actor without a path.
    pub fn new(info: &ActorInfo, order: usize, shape: Option<usize>, motion: Option<Keyframes>) -> Actor {
        let motion = motion.filter(|_| info.waypoints.is_empty());
        let mut actor = Actor { order, start: info.world_from_start, shape, motion, ..Actor::default() };
        actor.reset();
        actor
    }

    /// The state of the actor.
    pub fn frame(&self) -> ActorFrame {
        self.frame
    }

    /// The same actor where its shape for planar lidars has another index.
    pub(super) fn with_shape(self, shape: Option<usize>) -> Actor {
        Actor { shape, ..self }
    }

    /// Returns to the start of the path.
    pub fn reset(&mut self) {
        let motion = self.motion.take();
        let world_from_actor = motion.as_ref().map_or(self.start, |motion| self.start * motion.at(0.0));
        *self = Actor {
            frame: ActorFrame { world_from_actor, ..ActorFrame::default() },
            order: self.order,
            start: self.start,
            origin: self.start,
            leg_start: self.start,
            shape: self.shape,
            motion,
            ..Actor::default()
        };
    }

    /// Puts the actor at a pose in the world [m, rad]. From there it goes on to the same waypoint, in the same pause, or with its
    /// prescribed motion. `now` is the time since the start [s].
    pub(super) fn place(&mut self, world_from_actor: Pose3, now: f64) {
        self.leg_start = world_from_actor;
        self.covered = 0.0;
        if let Some(motion) = &self.motion {
            self.origin = world_from_actor * motion.at((now - self.stood).max(0.0)).inverse();
        }
        self.frame = ActorFrame { world_from_actor, velocity_in_world: Vec3::zeros(), yaw_rate: 0.0, ..self.frame };
    }

    /// Follows its keyframes, if any, from `now` to `end` [s] since the start. `info` is that of this actor.
    fn follow(&mut self, info: &ActorInfo, now: f64, end: f64) {
        let Some(motion) = &self.motion else { return };
        // For its motion time stands still while it stands.
        let (now, end) = (now - self.stood, end - self.stood);
        let pose = self.origin * motion.at(end);
        let displacement = pose.position() - self.frame.world_from_actor.position();
        let jumps = motion.jumps(now, end);
        let covered = if jumps { 0.0 } else { libm::hypot(displacement.x, displacement.y) };
        let speed = covered / (end - now);
        let (sin, cos) = libm::sincos(pose.yaw);
        self.frame.distance += covered.copysign(cos * displacement.x + sin * displacement.y);
        self.turn_and_move(if jumps { pose } else { self.frame.world_from_actor }, pose, end - now);
        self.frame.world_from_actor = pose;
        self.pace(info, speed, end - now);
    }

    /// Sets the velocities of a motion `from` one pose `to` another [m, rad] in `dt` [s].
    fn turn_and_move(&mut self, from: Pose3, to: Pose3, dt: f64) {
        self.frame.velocity_in_world = (to.position() - from.position()) / dt;
        self.frame.yaw_rate = wrap_angle(to.yaw - from.yaw) / dt;
    }

    /// Advances by `dt` [s]. `info` is that of this actor.
    pub fn advance(&mut self, info: &ActorInfo, dt: f64) {
        let (sent, from) = (self.sent.take(), self.frame.world_from_actor);
        let (waypoints, is_loop) = sent.as_ref().map_or((&info.waypoints, info.is_loop), |sent| (sent, false));
        let mut left = dt;
        let mut speed = 0.0;
        // At most one round per step, each waypoint reached and left: they may all coincide.
        for _ in 0..=2 * waypoints.len() {
            let Some(waypoint) = waypoints.get(self.target) else { break };
            if let Some(pause) = self.pause {
                if pause > left {
                    self.pause = Some(pause - left);
                    break;
                }
                if self.target + 1 == waypoints.len() && !is_loop {
                    break;
                }
                left -= pause;
                self.leg_start = self.frame.world_from_actor;
                self.target = (self.target + 1) % waypoints.len();
                self.covered = 0.0;
                self.pause = None;
                continue;
            }
            let pace = if waypoint.is_run { info.running_speed } else { info.walking_speed };
            let length = (waypoint.world_from_actor.position() - self.leg_start.position()).norm();
            let distance_left = (length - self.covered).max(0.0);
            if pace * left < distance_left {
                speed = pace;
                self.covered += pace * left;
                self.frame.distance += pace * left;
                self.frame.world_from_actor = on_leg(self.leg_start, waypoint.world_from_actor, self.covered / length);
                break;
            }
            left -= if distance_left > 0.0 { distance_left / pace } else { 0.0 };
            self.frame.distance += distance_left;
            self.frame.world_from_actor = waypoint.world_from_actor;
            self.pause = Some(waypoint.pause);
        }
        self.sent = sent;
        self.turn_and_move(from, self.frame.world_from_actor, dt);
        self.pace(info, speed, dt);
    }

    /// Does what it is told from its next step on.
    pub(super) fn obey(&mut self, order: &ActorOrder) {
        self.stands = *order == ActorOrder::Stand;
        let ActorOrder::Send { to, is_run } = order else { return };
        let mut from = self.frame.world_from_actor;
        (self.leg_start, self.target, self.covered, self.pause) = (from, 0, 0.0, None);
        let mut waypoint = |&[x, y]: &[f64; 2]| {
            let yaw = if [x, y] == [from.x, from.y] { from.yaw } else { libm::atan2(y - from.y, x - from.x) };
            from = Pose3 { x, y, yaw, ..from };
            Waypoint { world_from_actor: from, pause: 0.0, is_run: *is_run }
        };
        self.sent = Some(to.iter().map(&mut waypoint).collect());
    }

    /// Stands for `dt` [s].
    fn stand(&mut self, info: &ActorInfo, dt: f64) {
        self.stood += dt;
        (self.frame.velocity_in_world, self.frame.yaw_rate) = (Vec3::zeros(), 0.0);
        self.pace(info, 0.0, dt);
    }

    /// Sets the gait for a speed [m/s] and advances its clip by `dt` [s] of simulated time.
    fn pace(&mut self, info: &ActorInfo, speed: f64, dt: f64) {
        let (gait, pace) = if speed > 0.1 && speed > 0.8 * info.running_speed {
            (Gait::Run, speed / info.running_speed)
        } else if speed > 0.1 {
            (Gait::Walk, speed / info.walking_speed)
        } else {
            (Gait::Idle, 1.0)
        };
        // A running speed of 0 has no pace of its own.
        let pace = if pace.is_finite() { pace } else { 1.0 };
        let before = if gait == self.frame.gait { self.frame.clip_time } else { 0.0 };
        self.frame = ActorFrame { speed, gait, clip_time: before + pace * dt, ..self.frame };
    }
}

/// The pose at a share `s` [-] of the leg between two poses.
fn on_leg(from: Pose3, to: Pose3, s: f64) -> Pose3 {
    let turned = |a: f64, b: f64, s: f64| wrap_angle(a + s * wrap_angle(b - a));
    let leg = to.position() - from.position();
    let heading = if libm::hypot(leg.x, leg.y) > SHORT_LEG { libm::atan2(leg.y, leg.x) } else { from.yaw };
    let yaw = if s < TURN_IN {
        turned(from.yaw, heading, s / TURN_IN)
    } else if s > 1.0 - TURN_OUT {
        turned(heading, to.yaw, (s - (1.0 - TURN_OUT)) / TURN_OUT)
    } else {
        heading
    };
    let at = from.position() + s * leg;
    let (pitch, roll) = (turned(from.pitch, to.pitch, s), turned(from.roll, to.roll, s));
    Pose3 { x: at.x, y: at.y, z: at.z, yaw, pitch, roll }
}

/// Legs up to this length [m] have no heading of their own.
const SHORT_LEG: f64 = 0.1;
/// The shares [-] of a leg over which an actor turns to its heading, and to the yaw of the waypoint.
const TURN_IN: f64 = 0.1;
const TURN_OUT: f64 = 0.2;

/// What an actor is told to do, until it is told something else or the world is reset.
#[derive(Clone, Debug, PartialEq)]
pub enum ActorOrder {
    /// To stand where it is.
    Stand,
    /// To go on with its way where it left it.
    Go,
    /// To go straight from where it is to these points [m] in the world, one after the other, and to stay at the last one.
    Send {
        /// The points.
        to: Vec<[f64; 2]>,
        /// Whether it runs.
        is_run: bool,
    },
}

impl World {
    /// Tells the actor with this name what to do from the next step on; a reset sends it back to its start and on its own way. False if there is
    /// no such actor, or a number is not finite or too large.
    pub fn order_actor(&mut self, name: &str, order: ActorOrder) -> bool {
        let is_near = match &order {
            ActorOrder::Send { to, .. } => to.iter().flatten().all(|number| number.abs() <= MAX_COORDINATE),
            ActorOrder::Stand | ActorOrder::Go => true,
        };
        let index = self.scene.actors.iter().position(|actor| actor.name == name).filter(|_| is_near);
        let Some(index) = index else { return false };
        self.actors[index].obey(&order);
        self.note(|_| ExternalChange::Actor(name.to_owned(), order));
        true
    }

    /// Puts the actor with this index at a spot, from where it goes on.
    pub(super) fn place_actor(&mut self, index: usize, spot: Spot) {
        let (actor, now) = (&mut self.actors[index], self.frame.step as f64 * self.scene.step.secs());
        let z = if spot.gives_z { spot.pose.z } else { actor.frame.world_from_actor.z };
        actor.place(Pose3 { z, ..spot.pose }, now);
        self.frame.actors[index] = actor.frame();
    }

    /// Advances the actors along their paths by `dt` [s].
    pub(super) fn advance_actors(&mut self, dt: f64) {
        let now = self.frame.step as f64 * dt;
        let end = (self.frame.step + 1) as f64 * dt;
        for ((actor, info), frame) in self.actors.iter_mut().zip(&self.scene.actors).zip(&mut self.frame.actors) {
            match actor.motion {
                _ if actor.stands => actor.stand(info, dt),
                Some(_) if actor.sent.is_none() => actor.follow(info, now, end),
                _ => actor.advance(info, dt),
            }
            *frame = actor.frame();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn to(x: f64, y: f64, yaw: f64) -> Waypoint {
        Waypoint { world_from_actor: Pose3 { x, y, yaw, ..Pose3::default() }, ..Waypoint::default() }
    }

    /// Walks at 1 m/s, runs at 4 m/s, starts at the origin.
    fn walker(waypoints: Vec<Waypoint>, is_loop: bool) -> (ActorInfo, Actor) {
        let info = ActorInfo { walking_speed: 1.0, running_speed: 4.0, waypoints, is_loop, ..ActorInfo::default() };
        let actor = Actor::new(&info, 0, None, None);
        (info, actor)
    }

    #[track_caller]
    fn assert_at(actor: &Actor, x: f64, y: f64, yaw: f64) {
        let at = actor.frame().world_from_actor;
        let off = (at.x - x).hypot(at.y - y);
        assert!(off < 1e-9 && wrap_angle(at.yaw - yaw).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn it_walks_runs_and_pauses_along_its_path_whatever_the_step() {
        for dt in [0.005, 0.03, 0.7] {
            let (info, mut actor) = walker(
                vec![to(2.0, 0.0, 0.0), Waypoint { is_run: true, pause: 1.0, ..to(2.0, 4.0, PI) }, to(0.0, 4.0, PI)],
                true,
            );
            let mut time = 0.0;
            while time < 100.0 {
                time += dt;
                actor.advance(&info, dt);
                // 2 m walked, 4 m run in 1 s, 1 s paused, 2 m walked, then rounds of 2 + √20 m walked, 1, 1 and 2 s.
                let later = time - 6.0;
                let back = 20.0_f64.sqrt();
                let (x, y, speed) = if time < 2.0 {
                    (time, 0.0, 1.0)
                } else if later < 0.0 {
                    after_the_corner(time - 2.0)
                } else {
                    let within = later % (back + 4.0);
                    if within < back {
                        (2.0 * within / back, 4.0 - 4.0 * within / back, 1.0)
                    } else {
                        after_the_corner(within - back)
                    }
                };
                let frame = actor.frame();
                let off = (frame.world_from_actor.x - x).hypot(frame.world_from_actor.y - y);
                assert!(off < 1e-6, "{dt}, {time}: {frame:?} for {x} {y}");
                if (time * 1e3).round() % 1000.0 != 0.0 && dt < 0.1 && later < 0.0 {
                    assert_eq!(frame.speed, speed, "{dt}, {time}");
                }
            }
        }
    }

    fn after_the_corner(time: f64) -> (f64, f64, f64) {
        if time < 1.0 {
            (2.0, 4.0 * time, 4.0)
        } else if time < 2.0 {
            (2.0, 4.0, 0.0)
        } else {
            (4.0 - time, 4.0, 1.0)
        }
    }

    #[test]
    fn it_faces_its_direction_of_motion_and_turns_at_both_ends_of_a_leg() {
        let (info, mut actor) = walker(vec![to(0.0, 10.0, -FRAC_PI_2 - 0.2)], false);
        // Of 10 m it turns over the first 1 m and the last 2 m; from +90° to -101° the short way leads over 180°.
        let out = PI - 0.2;
        for (time, yaw) in [(0.5, 0.25 * PI), (1.0, FRAC_PI_2), (7.9, FRAC_PI_2), (9.0, FRAC_PI_2 + 0.5 * out)] {
            actor.reset();
            actor.advance(&info, time);
            assert_at(&actor, 0.0, time, yaw);
        }
        actor.advance(&info, 100.0);
        assert_at(&actor, 0.0, 10.0, -FRAC_PI_2 - 0.2);
        assert_eq!((actor.frame().speed, actor.frame().gait), (0.0, Gait::Idle));
        actor.reset();
        assert_at(&actor, 0.0, 0.0, 0.0);
        // A leg of 5 cm has no heading.
        let (info, mut actor) = walker(vec![to(0.0, 0.05, 1.0)], false);
        actor.advance(&info, 0.025);
        assert_at(&actor, 0.0, 0.025, 0.0);
    }

    #[test]
    fn heights_are_linear_and_gaits_follow_the_speed() {
        let up = Waypoint { world_from_actor: Pose3 { x: 3.0, z: 4.0, ..Pose3::default() }, ..Waypoint::default() };
        let (info, mut actor) = walker(vec![up, Waypoint { is_run: true, ..to(3.0, 0.0, 0.0) }], false);
        actor.advance(&info, 2.5);
        let frame = actor.frame();
        assert!((frame.world_from_actor.z - 2.0).abs() < 1e-12 && (frame.world_from_actor.x - 1.5).abs() < 1e-12);
        assert_eq!((frame.gait, frame.speed, frame.clip_time, frame.distance), (Gait::Walk, 1.0, 2.5, 2.5));
        actor.advance(&info, 2.6);
        assert_eq!((actor.frame().gait, actor.frame().speed, actor.frame().clip_time), (Gait::Run, 4.0, 2.6));
        actor.advance(&info, 2.0);
        assert_eq!((actor.frame().gait, actor.frame().clip_time), (Gait::Idle, 2.0));
        assert!((actor.frame().distance - 9.0).abs() < 1e-12, "5 m up, 4 m down: {:?}", actor.frame());
    }

    #[test]
    fn no_path_no_length_and_no_speed_are_accepted() {
        let (info, mut actor) = walker(vec![], true);
        actor.advance(&info, 1.0);
        assert_at(&actor, 0.0, 0.0, 0.0);
        assert_eq!(actor.frame().clip_time, 1.0);
        let (info, mut actor) = walker(vec![to(0.0, 0.0, 0.0); 3], true);
        actor.advance(&info, 1.0);
        assert_at(&actor, 0.0, 0.0, 0.0);
        assert_eq!((actor.frame().speed, actor.frame().gait), (0.0, Gait::Idle));
        let (info, mut actor) = walker(vec![to(1.0, 0.0, 0.0)], true);
        let info = ActorInfo { walking_speed: 0.0, running_speed: 0.0, ..info };
        actor.advance(&info, 1.0);
        assert_at(&actor, 0.0, 0.0, 0.0);
        assert_eq!(actor.frame().gait, Gait::Idle);
    }
}
