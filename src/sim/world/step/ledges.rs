//! The phase of a step in which ledges, steps in the ground too high for the wheels, stop vehicles.
//!
//! MVSim raises an obstacle at a vertex of the chassis where the ground is more than 0.55 wheel diameters above the wheels.
//! Here the velocity towards the step is removed just before the vehicle reaches it, which needs no collision engine, is accurate
//! to a millimetre and does not jitter. Points all around the chassis and at the wheels are checked. Steps down do not stop
//! vehicles.

use skidpad_math::{Pose2, Vec2};

use crate::world::step::attitude::Attitude;
use crate::world::terrain::{Approach, StepRule, Terrain, is_inside};
use crate::world::{BodyIndex, Physics, PhysicsRules, VehicleInfo, World};

/// Height of the highest step that a wheel climbs, in its diameters [-]: MVSim's.
const MAX_STEP: f64 = 0.55;
/// Up to this share of the chassis' height ground is an obstacle; ground above it is a bridge [-]: MVSim's.
const REACH: f64 = 1.05;
/// Distance at which a vehicle comes to rest before a step [m].
const MARGIN: f64 = 1e-3;
/// Approximate distance of the points along the outline [m], and their smallest distance as a share of the outline [-].
const SPACING: f64 = 0.3;
const MIN_SHARE: f64 = 1.0 / 24.0;
/// Largest number of points that are checked.
const MAX_PROBES: usize = 64;
/// How often the points are checked again for entering a step after others were stopped.
const ROUNDS: usize = 6;
/// Most sweeps over all stops, and the change of velocity [m/s] that ends them.
const SWEEPS: usize = 100;
const TOLERANCE: f64 = 1e-10;

/// A point of a body that a step stops.
#[derive(Clone, Copy, Debug)]
struct Stop {
    probe: usize,
    /// Its position [m], and the unit vector [-] into the step, in the world.
    point: Vec2,
    into: Vec2,
    /// Largest velocity into the step [m/s], and how much of it the impulse at this point has removed.
    allowed: f64,
    taken: f64,
}

/// Keeps a vehicle off steps in the ground: the points that are checked, and the stops that act on them.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct LedgeGuard {
    /// Points [m] in the body frame.
    probes: Vec<Vec2>,
    /// Distance of the farthest point from the reference point [m].
    radius: f64,
    /// Height of the highest step it climbs [m].
    pub climb: f64,
    /// Height of the chassis [m].
    pub height: f64,
    /// Where a body on two wheels rests on the ground as well [m], in the body frame: under the end of its chassis that is
    /// farther from the wheels, as on a castor.
    pub castor: Vec2,
    /// Pose before the step [m, rad], and which points were free there.
    before: Pose2,
    free: u64,
    /// Scratch of a step of time.
    stops: Vec<Stop>,
    /// Whether a ledge stopped it in the last time step.
    pub is_stopped: bool,
}

/// The end of the chassis [m] on the x axis that is farther from the wheels; the front if both are equally far.
fn castor(info: &VehicleInfo) -> Vec2 {
    let axle = info.wheels.iter().map(|wheel| wheel.position.x).sum::<f64>() / info.wheels.len().max(1) as f64;
    let ends = info.outline.iter().fold([axle; 2], |[back, front], p| [back.min(p.x), front.max(p.x)]);
    Vec2::new(if axle - ends[0] > ends[1] - axle { ends[0] } else { ends[1] }, 0.0)
}

impl LedgeGuard {
    /// The guard of a vehicle with these shapes.
    pub(in crate::world) fn new(info: &VehicleInfo) -> LedgeGuard {
        let outline = &info.outline;
        let sides = || outline.iter().zip(outline.iter().cycle().skip(1));
        let length: f64 = sides().map(|(&a, &b)| (b - a).norm()).sum();
        let spacing = SPACING.max(MIN_SHARE * length);
        let mut probes = Vec::new();
        for (&a, &b) in sides() {
            let pieces = ((b - a).norm() / spacing).ceil().max(1.0);
            probes.extend((0..pieces as usize).map(|piece| a + (piece as f64 / pieces) * (b - a)));
        }
        for wheel in &info.wheels {
            let (a, b) = (wheel.radius, 0.5 * wheel.width);
            let corners = [(a, b), (a, -b), (-a, b), (-a, -b)].map(|(x, y)| wheel.position + Vec2::new(x, y));
            probes.extend(corners.into_iter().filter(|&corner| !is_inside(outline, corner)));
        }
        // Nothing stops an intangible vehicle.
        probes.truncate(if info.is_intangible { 0 } else { MAX_PROBES });
        let diameter = info.wheels.first().map_or(0.0, |wheel| 2.0 * wheel.radius);
        LedgeGuard {
            radius: probes.iter().map(|p| p.norm()).fold(0.0, f64::max),
            stops: Vec::with_capacity(probes.len()),
            probes,
            climb: MAX_STEP * diameter,
            height: info.chassis_z[1].max(diameter / REACH),
            castor: castor(info),
            ..LedgeGuard::default()
        }
    }

    /// Height above a wheel's contact from which its ground is searched downwards [m]. MVSim's is the axle; slightly higher
    /// ensures that every step is either climbed or an obstacle.
    pub(in crate::world) fn wheel_reach(&self, radius: f64, rules: PhysicsRules) -> f64 {
        match rules {
            PhysicsRules::Skidpad => radius.max(self.climb),
            PhysicsRules::Mvsim => radius,
        }
    }

    /// Rule by which ground is a step for the point `probe` [m] of the body: it is compared with the body's own level, which
    /// rises along a ramp as the ground does (MVSim: with the mean under the wheels, so that ramps stop long vehicles).
    fn rule(&self, probe: Vec2, attitude: &Attitude, tilt: [f64; 2]) -> StepRule {
        let [along_x, along_y] = tilt;
        let level = attitude.z + along_x * probe.x + along_y * probe.y;
        StepRule { limit: level + self.climb, reach: level + REACH * self.height }
    }

    /// To be called after the body was placed elsewhere.
    pub(in crate::world) fn forget(&mut self) {
        self.free = 0;
        self.is_stopped = false;
    }

    /// Removes from the body's velocity the part that would carry it into a step.
    fn stop(&mut self, physics: &mut Physics, body: BodyIndex, attitude: &Attitude, terrain: &Terrain, dt: f64) {
        self.free = 0;
        self.is_stopped = false;
        let tilt = attitude.rise();
        let lowest = attitude.z - self.radius * (tilt[0].abs() + tilt[1].abs());
        if !terrain.has_steps_above(lowest + self.climb) {
            return;
        }
        self.before = physics.world_from_body(body);
        let (from, rotation) = (self.before.position(), physics.rotation(body));
        for (k, &probe) in self.probes.iter().enumerate() {
            let point = from + rotation * probe;
            let rule = self.rule(probe, attitude, tilt);
            let is_blocked = Approach { terrain, from: point, rule }.is_blocked(point);
            self.free |= u64::from(!is_blocked) << k;
        }
        // Yielding to one step may lead into another, or into the same one elsewhere.
        self.stops.clear();
        for _ in 0..ROUNDS {
            let known = self.stops.len();
            self.find_stops(physics, body, attitude, terrain, dt);
            if self.stops.len() == known {
                return;
            }
            self.is_stopped = true;
            self.solve(physics, body);
        }
        let (position, turned) = physics.after_step(body);
        if self.enters(position, |p| turned * p, attitude, terrain) {
            physics.halt(body);
        }
    }

    /// Adds a stop for each point that would enter a step with the velocity the body has now, and has none yet.
    fn find_stops(&mut self, physics: &Physics, body: BodyIndex, attitude: &Attitude, terrain: &Terrain, dt: f64) {
        let tilt = attitude.rise();
        let (from, rotation) = (self.before.position(), physics.rotation(body));
        let (position, turned) = physics.after_step(body);
        for (k, &probe) in self.probes.iter().enumerate() {
            if self.stops.iter().any(|stop| stop.probe == k) {
                continue;
            }
            let point = from + rotation * probe;
            let rule = self.rule(probe, attitude, tilt);
            let approach = Approach { terrain, from: point, rule };
            let velocity = physics.velocity_at(body, point);
            let (edge, allowed) = if self.free & 1 << k != 0 {
                let displacement = position + turned * probe - point;
                let length = displacement.norm();
                if length == 0.0 {
                    continue;
                }
                let end = point + (1.0 + MARGIN / length) * displacement;
                let Some(edge) = approach.edge_on_line(end) else { continue };
                (edge, ((edge.point - point).dot(edge.into) - MARGIN).max(0.0) / dt)
            } else if velocity != Vec2::ZERO {
                // Already inside a step, like the underside of a vehicle that is leaving a ledge: it must not get deeper.
                let Some(edge) = approach.edge_around() else { continue };
                (edge, 0.0)
            } else {
                continue;
            };
            if velocity.dot(edge.into) > allowed + TOLERANCE {
                self.stops.push(Stop { probe: k, point, into: edge.into, allowed, taken: 0.0 });
            }
        }
    }

    /// Solves the impulses at all stops together, so that no point is faster than allowed and no impulse pulls: projected
    /// Gauss-Seidel.
    fn solve(&mut self, physics: &mut Physics, body: BodyIndex) {
        for _ in 0..SWEEPS {
            let mut largest: f64 = 0.0;
            for stop in &mut self.stops {
                let excess = physics.velocity_at(body, stop.point).dot(stop.into) - stop.allowed;
                let taken = (stop.taken + excess).max(0.0);
                let change = taken - stop.taken;
                stop.taken = taken;
                physics.take_velocity_at(body, stop.point, stop.into, change);
                largest = largest.max(change.abs());
            }
            if largest < TOLERANCE {
                break;
            }
        }
    }

    /// Whether a point that was free before is inside a step with the body at this position [m] and rotation.
    fn enters(&self, position: Vec2, turn: impl Fn(Vec2) -> Vec2, attitude: &Attitude, terrain: &Terrain) -> bool {
        let tilt = attitude.rise();
        self.probes.iter().enumerate().any(|(k, &probe)| {
            let from = self.before.transform_point(probe);
            let rule = self.rule(probe, attitude, tilt);
            self.free & 1 << k != 0 && Approach { terrain, from, rule }.is_blocked(position + turn(probe))
        })
    }

    /// After the bodies moved: moves a body back that another one pushed into a step.
    pub(in crate::world) fn check(
        &mut self,
        physics: &mut Physics,
        body: BodyIndex,
        attitude: &Attitude,
        terrain: &Terrain,
    ) {
        if self.free == 0 {
            return;
        }
        let now = physics.world_from_body(body);
        let rotation = physics.rotation(body);
        if now != self.before && self.enters(now.position(), |p| rotation * p, attitude, terrain) {
            physics.put_back(body, self.before);
            self.is_stopped = true;
        }
    }
}

impl World {
    /// Stops vehicles at steps in the ground, before the bodies move for `dt` [s].
    #[inline]
    pub(in crate::world) fn stop_at_ledges(&mut self, dt: f64) {
        if self.terrain.may_have_steps() {
            self.stop_at_all_ledges(dt);
        }
    }

    // A separate function, so that the time step stays short where the ground has no steps.
    #[inline(never)]
    fn stop_at_all_ledges(&mut self, dt: f64) {
        for record in self.vehicles.iter_mut().filter(|record| record.animation.is_none()) {
            record.ledge_guard.stop(&mut self.physics, record.body, &record.attitude, &self.terrain, dt);
        }
    }
}
