//! Joints, solved here instead of by the engine.
//!
//! The engine's joints are damped springs: under a jerk a rope stretches by centimetres, a light trailer separates from a heavy
//! tractor, and a frictionless pendulum loses energy. Here the impulses of all joints of a chain are solved together, so that
//! each joint holds exactly at the end of the step: the SHAKE scheme (J.-P. Ryckaert, G. Ciccotti and H. J. C.
//! Berendsen, J. Comput. Phys. 23, 1977) with rotations. Impulses act along the directions at the start of the step, equal and
//! opposite, so that linear and angular momentum are kept; the scheme is symplectic, so that energy does not drift. The
//! equations are solved in `rows.rs`.
//!
//! The solver changes velocities before bodies are moved. When the engine moves them, contacts change velocities afterwards, and
//! a second pass corrects positions without changing velocities. Walls that a joined body touched in the last step enter the
//! equations as inequality rows, so that a train stops at a wall as a whole; it does not bounce there.
//!
//! Bodies whose velocity is imposed are first treated as immovable. If that has no solution (a body tied to a wall, or a trailer
//! stuck against one) they yield like the others, as they do at walls.
//!
//! Springs: force −k·(l − L) − c·dl/dt. Damping is evaluated at the end of the step; the elastic part at its start, which conserves
//! energy, or, if too stiff for the step, partly at its end, which is stable at any stiffness but damps.

use rapier2d_f64::prelude::PhysicsWorld;
use skidpad_math::{Rot2, Vec2, wrap_angle};

use super::contacts::scenery_in_touch;
use super::rows::{MAX_ROUNDS, Measure, Row, Rows, Side, TOLERANCE, act, coupling};
use super::{Body, BodyIndex};

/// Identifier of a joint, which stays when other joints come and go.
pub type JointNumber = u32;

/// The constraint between two anchors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointLaw {
    /// Keeps the distance between the anchors within limits.
    Rope {
        /// Least distance [m].
        min: f64,
        /// Largest distance [m], which is also the length at which the spring rests.
        max: f64,
        /// Stiffness of the spring [N/m]; 0: no spring and no damping.
        stiffness: f64,
        /// Damping of the spring [N·s/m].
        damping: f64,
    },
    /// Keeps the anchors together.
    Pin {
        /// Smallest and largest angle [rad] of the second body relative to the first, zero at the start.
        limits: Option<[f64; 2]>,
    },
}

/// One end of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointEnd {
    /// The body; none: the world.
    pub body: Option<BodyIndex>,
    /// The anchor [m], in the body frame or in the world.
    pub anchor: Vec2,
}

#[derive(Clone, Debug)]
struct Joint {
    /// Numbers rise in the order in which joints were added.
    number: JointNumber,
    ends: [JointEnd; 2],
    /// Arrival numbers of the bodies at its ends, which stay when indices shift.
    arrivals: [Option<u64>; 2],
    law: JointLaw,
    /// Yaw of the second body minus that of the first [rad] at the joint's zero angle, up to whole turns; and its initial value.
    reference: f64,
    first_reference: f64,
}

/// Joints that are connected through bodies, in order, and the bodies that they move.
#[derive(Clone, Debug, Default)]
struct Chain {
    joints: std::ops::Range<usize>,
    members: std::ops::Range<usize>,
}

/// All joints of a world, and the workspace to solve them.
#[derive(Debug, Default)]
pub(super) struct Joints {
    joints: Vec<Joint>,
    /// Joints of bodies that were removed.
    away: Vec<Joint>,
    added: JointNumber,
    chains: Vec<Chain>,
    members: Vec<BodyIndex>,
    is_arranged: bool,
    rows: Rows,
    /// Velocities of the members of a chain before the joints act.
    before: Vec<(Vec2, f64)>,
    /// Poses before positions were corrected.
    stood_at: Vec<(Vec2, f64, Rot2)>,
}

/// Offset of the second anchor from the first [m], and the joint's angle [rad], after the bodies have moved for `dt` [s].
fn stretch(joint: &Joint, bodies: &[Body], dt: f64) -> (Vec2, f64) {
    let place = |end: &JointEnd| match end.body {
        None => (end.anchor, 0.0),
        Some(index) => {
            let body = &bodies[index];
            let turn = dt * body.yaw_rate;
            let rotation = if turn == 0.0 { body.world_from_body } else { body.world_from_body * Rot2::new(turn) };
            let center = body.center_in_world + dt * body.velocity_in_world;
            (center + rotation * (end.anchor - body.inertia.center_of_mass), body.yaw + turn)
        }
    };
    let [(a, yaw_a), (b, yaw_b)] = [place(&joint.ends[0]), place(&joint.ends[1])];
    (b - a, yaw_b - yaw_a - joint.reference)
}

/// From the centre of mass to the anchor in the world [m]; zero at the world's end.
fn arm(end: &JointEnd, bodies: &[Body]) -> Vec2 {
    end.body.map_or(Vec2::ZERO, |index| {
        let body = &bodies[index];
        body.world_from_body * (end.anchor - body.inertia.center_of_mass)
    })
}

/// Derivatives of the anchors' offset along `direction`.
fn linear_sides(joint: &Joint, bodies: &[Body], direction: Vec2) -> [Side; 2] {
    let [a, b] = &joint.ends;
    [
        a.body.map(|index| (index, -direction, -arm(a, bodies).cross(direction))),
        b.body.map(|index| (index, direction, arm(b, bodies).cross(direction))),
    ]
}

/// Derivatives of `sign` times the joint's angle.
fn angular_sides(joint: &Joint, sign: f64) -> [Side; 2] {
    let [a, b] = joint.ends;
    [a.body.map(|index| (index, Vec2::ZERO, -sign)), b.body.map(|index| (index, Vec2::ZERO, sign))]
}

impl Joints {
    pub(super) fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Adds a joint. Its angle is zero as the bodies stand now.
    pub(super) fn add(
        &mut self,
        ends: [JointEnd; 2],
        arrivals: [Option<u64>; 2],
        law: JointLaw,
        bodies: &[Body],
    ) -> JointNumber {
        // A rope without length is a pin.
        let law =
            if matches!(law, JointLaw::Rope { max, .. } if max <= 0.0) { JointLaw::Pin { limits: None } } else { law };
        let yaw = |end: &JointEnd| end.body.map_or(0.0, |index| bodies[index].yaw);
        let reference = yaw(&ends[1]) - yaw(&ends[0]);
        self.added += 1;
        self.joints.push(Joint { number: self.added, ends, arrivals, law, reference, first_reference: reference });
        self.forget_chains();
        self.added
    }

    /// Discards the chains, to be rebuilt by [`Self::link`].
    pub(super) fn forget_chains(&mut self) {
        self.is_arranged = false;
        self.chains.clear();
        self.members.clear();
    }

    /// Detaches a joint: it has no effect until it is attached again.
    pub(super) fn detach(&mut self, number: JointNumber) {
        let Some(place) = self.joints.iter().position(|joint| joint.number == number) else { return };
        self.forget_chains();
        self.away.push(self.joints.remove(place));
    }

    /// Discards a detached joint.
    pub(super) fn forget(&mut self, number: JointNumber) {
        self.away.retain(|joint| joint.number != number);
    }

    /// Attaches a joint again. To be followed by [`Self::link`].
    pub(super) fn attach(&mut self, number: JointNumber) {
        let Some(place) = self.away.iter().position(|joint| joint.number == number) else { return };
        self.forget_chains();
        self.joints.push(self.away.remove(place));
    }

    /// Updates the body indices of all joints after indices shifted. `index_of` maps a body's arrival number to its index.
    pub(super) fn link(&mut self, index_of: impl Fn(u64) -> Option<BodyIndex>) {
        self.forget_chains();
        for joint in &mut self.joints {
            for (end, arrival) in joint.ends.iter_mut().zip(joint.arrivals) {
                end.body = arrival.and_then(&index_of);
            }
        }
    }

    /// Restores the initial zero angles, for bodies that are back at their start.
    pub(super) fn zero_angles(&mut self, bodies: &[Body]) {
        self.forget_chains();
        self.joints.sort_by_key(|joint| joint.number);
        for joint in &mut self.joints {
            joint.reference = joint.first_reference;
            let (_, angle) = stretch(joint, bodies, 0.0);
            joint.reference += angle - wrap_angle(angle);
        }
    }

    /// Groups joints into independent chains, and reserves the workspace; once after the last joint was added.
    pub(super) fn arrange(&mut self, bodies: &[Body]) {
        if self.is_arranged {
            return;
        }
        self.is_arranged = true;
        let mut chain_of: Vec<usize> = (0..bodies.len()).collect();
        fn root(chain_of: &mut [usize], mut index: usize) -> usize {
            while chain_of[index] != index {
                chain_of[index] = chain_of[chain_of[index]];
                index = chain_of[index];
            }
            index
        }
        let movable = |end: &JointEnd| end.body.filter(|&index| !bodies[index].is_prescribed);
        for joint in &self.joints {
            if let [Some(a), Some(b)] = [movable(&joint.ends[0]), movable(&joint.ends[1])] {
                let (a, b) = (root(&mut chain_of, a), root(&mut chain_of, b));
                chain_of[a.max(b)] = a.min(b);
            }
        }
        // Joints that can move no body come last, in no chain.
        let mut key = |joint: &Joint| {
            let some = movable(&joint.ends[0]).or(movable(&joint.ends[1]));
            some.map_or(usize::MAX, |index| root(&mut chain_of, index))
        };
        self.joints.sort_by_cached_key(|joint| key(joint));
        let keys: Vec<usize> = self.joints.iter().map(&mut key).collect();
        self.chains.clear();
        self.members.clear();
        let mut is_member = vec![false; bodies.len()];
        let mut from = 0;
        for group in keys.chunk_by(|a, b| a == b) {
            let joints = from..from + group.len();
            from = joints.end;
            if group[0] == usize::MAX {
                continue;
            }
            let start = self.members.len();
            for joint in &self.joints[joints.clone()] {
                for index in joint.ends.iter().filter_map(movable) {
                    if !std::mem::replace(&mut is_member[index], true) {
                        self.members.push(index);
                    }
                }
            }
            self.chains.push(Chain { joints, members: start..self.members.len() });
        }
        // Enough memory for a step without contacts.
        let rows = 4 * self.chains.iter().map(|chain| chain.joints.len()).max().unwrap_or(0);
        let most_members = self.chains.iter().map(|chain| chain.members.len()).max().unwrap_or(0);
        self.rows = Rows::with_capacity(rows, bodies.len());
        self.before = Vec::with_capacity(most_members);
        self.stood_at = Vec::with_capacity(most_members);
    }

    /// The chain that may move a body.
    fn chain_of(&self, index: BodyIndex) -> Option<&Chain> {
        self.chains.iter().find(|chain| self.members[chain.members.clone()].contains(&index))
    }

    /// The bodies connected to a body through joints, including itself if there are any.
    pub(super) fn hanging_on(&self, index: BodyIndex) -> &[BodyIndex] {
        self.chain_of(index).map_or(&[], |chain| &self.members[chain.members.clone()])
    }

    /// Whether all joints of a body hold to about a millimetre at the present poses.
    pub(super) fn hold_of(&self, index: BodyIndex, bodies: &[Body]) -> bool {
        self.joints.iter().filter(|joint| joint.ends.iter().any(|end| end.body == Some(index))).all(|joint| {
            let (offset, angle) = stretch(joint, bodies, 0.0);
            match joint.law {
                JointLaw::Rope { min, max, .. } => (min - 1e-3..=max + 1e-3).contains(&offset.norm()),
                JointLaw::Pin { limits } => {
                    offset.norm() < 1e-3 && limits.is_none_or(|[low, high]| (low - 1e-3..=high + 1e-3).contains(&angle))
                }
            }
        })
    }

    /// Wraps the angles of a body's joints to within half a turn, after the body was placed with a new yaw.
    pub(super) fn forget_turns(&mut self, index: BodyIndex, bodies: &[Body]) {
        for joint in &mut self.joints {
            if joint.ends.iter().any(|end| end.body == Some(index)) {
                let (_, angle) = stretch(joint, bodies, 0.0);
                joint.reference += angle - wrap_angle(angle);
            }
        }
    }

    /// Changes velocities so that the joints hold after a step of `dt` [s].
    pub(super) fn solve_velocities(&mut self, bodies: &mut [Body], engine: &PhysicsWorld, dt: f64) {
        for index in 0..self.chains.len() {
            let chain = self.chains[index].clone();
            self.rows.rows.clear();
            for joint in chain.joints.clone() {
                self.add_rows(joint, bodies, dt);
                self.pull_spring(joint, bodies, dt);
            }
            for member in chain.members.clone() {
                let body = self.members[member];
                scenery_in_touch(engine, bodies, body, dt, |towards, lever, gap| {
                    let sides = [None, Some((body, towards, lever))];
                    self.rows.rows.push(Row::new(Measure::Wall(gap), sides, true));
                });
            }
            self.before.clear();
            self.before.extend(
                self.members[chain.members.clone()].iter().map(|&m| (bodies[m].velocity_in_world, bodies[m].yaw_rate)),
            );
            for yielding in [false, true] {
                let joints = &self.joints;
                if self.rows.settle(bodies, dt, yielding, |row, bodies| value(row, joints, bodies, dt)) {
                    break;
                }
                // Without a solution the velocities stay, and positions are corrected afterwards.
                for (&m, &(velocity, yaw_rate)) in self.members[chain.members.clone()].iter().zip(&self.before) {
                    bodies[m].velocity_in_world = velocity;
                    bodies[m].yaw_rate = yaw_rate;
                }
                if !members_are_imposed(&self.members[chain.members.clone()], bodies) {
                    break;
                }
            }
        }
    }

    /// Moves bodies to where the joints hold, without changing velocities. Returns the largest displacement of a body [m].
    pub(super) fn solve_positions(&mut self, bodies: &mut [Body]) -> f64 {
        let mut farthest: f64 = 0.0;
        for index in 0..self.chains.len() {
            let chain = self.chains[index].clone();
            // Bodies that are to stay in place yield only where moving the others alone gives no solution.
            let (mut yielding, mut last, mut first) = (false, f64::INFINITY, None);
            for round in 0..=MAX_ROUNDS {
                self.rows.rows.clear();
                chain.joints.clone().for_each(|joint| self.add_rows(joint, bodies, 0.0));
                let mut worst: f64 = 0.0;
                for row in &mut self.rows.rows {
                    row.start = 0.0;
                    row.excess = value(row, &self.joints, bodies, 0.0);
                    row.is_active = !row.is_limit || row.excess > TOLERANCE;
                    let miss = if row.excess.is_nan() { f64::INFINITY } else { row.excess.abs() };
                    worst = worst.max(if row.is_active || miss == f64::INFINITY { miss } else { 0.0 });
                }
                let is_hopeless = round == MAX_ROUNDS || !worst.is_finite();
                if worst <= TOLERANCE || is_hopeless {
                    last = worst;
                    break;
                }
                if first.is_none() {
                    first = Some(worst);
                    self.stood_at.clear();
                    let place = |&m: &usize| (bodies[m].center_in_world, bodies[m].yaw, bodies[m].world_from_body);
                    self.stood_at.extend(self.members[chain.members.clone()].iter().map(place));
                }
                yielding |= worst > 0.7 * last;
                last = worst;
                farthest = farthest.max(self.rows.put_right(bodies, yielding));
            }
            if first.is_some_and(|first| last > first) {
                // It diverged: too many joints for the equations, or absurd numbers.
                for (&m, &place) in self.members[chain.members.clone()].iter().zip(&self.stood_at) {
                    (bodies[m].center_in_world, bodies[m].yaw, bodies[m].world_from_body) = place;
                }
            }
        }
        farthest
    }

    /// The rows of a joint at the present poses, for a motion of `dt` [s].
    fn add_rows(&mut self, index: usize, bodies: &[Body], dt: f64) {
        let joint = &self.joints[index];
        let (offset, angle) = stretch(joint, bodies, 0.0);
        match joint.law {
            JointLaw::Pin { limits } => {
                for axis in [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)] {
                    let sides = linear_sides(joint, bodies, axis);
                    self.rows
                        .rows
                        .push(Row { start: offset.dot(axis), ..Row::new(Measure::Offset(index, axis), sides, false) });
                }
                let Some([low, high]) = limits else { return };
                let is_limit = low < high;
                let start = if is_limit { (angle - high).max(0.0) } else { angle - high };
                let above = Row::new(Measure::Above(index, high), angular_sides(joint, 1.0), is_limit);
                self.rows.rows.push(Row { start, ..above });
                if is_limit {
                    let below = Row::new(Measure::Below(index, low), angular_sides(joint, -1.0), true);
                    self.rows.rows.push(Row { start: (low - angle).max(0.0), ..below });
                }
            }
            JointLaw::Rope { min, max, .. } => {
                let length = offset.norm();
                // A rope so short that it swings around within a step pulls along its direction at the end of the step.
                let after = stretch(joint, bodies, dt).0;
                let direction = if along(offset).dot(along(after)) > 0.7 { along(offset) } else { along(after) };
                let sides = linear_sides(joint, bodies, direction);
                let is_limit = min < max;
                let start = if is_limit { (length - max).max(0.0) } else { length - max };
                self.rows.rows.push(Row { start, ..Row::new(Measure::Longer(index, max), sides, is_limit) });
                if min > 0.0 && is_limit {
                    let sides = linear_sides(joint, bodies, -direction);
                    let row = Row::new(Measure::Shorter(index, min), sides, true);
                    self.rows.rows.push(Row { start: (min - length).max(0.0), ..row });
                }
            }
        }
    }

    /// The spring of a rope: an impulse for its explicit part, and a row for its implicit part.
    fn pull_spring(&mut self, index: usize, bodies: &mut [Body], dt: f64) {
        let joint = &self.joints[index];
        let JointLaw::Rope { max, stiffness, damping, .. } = joint.law else { return };
        if stiffness <= 0.0 {
            return;
        }
        let length = stretch(joint, bodies, 0.0).0.norm();
        let direction = along(stretch(joint, bodies, 0.0).0);
        let mut row = Row::new(Measure::Spring(index, 0.0, max, length), linear_sides(joint, bodies, direction), false);
        let is_stiff = stiffness * coupling(&row, &row, bodies, false) * dt * dt > 0.25;
        let at_end = if is_stiff { stiffness * dt } else { 0.0 };
        if !is_stiff {
            act(&row, stiffness * (length - max) * dt, bodies, false);
        }
        let total = at_end + damping;
        if total > 0.0 {
            row.measure = Measure::Spring(index, at_end / total, max, length);
            row.compliance = 1.0 / total;
            self.rows.rows.push(row);
        }
    }
}

/// Whether any of these bodies has its velocity imposed in this step.
fn members_are_imposed(members: &[BodyIndex], bodies: &[Body]) -> bool {
    members.iter().any(|&member| bodies[member].imposed.is_some())
}

/// The unit vector [-] along `v`; an arbitrary one if `v` is zero.
fn along(v: Vec2) -> Vec2 {
    let length = v.norm();
    if length > 0.0 { (1.0 / length) * v } else { Vec2::new(1.0, 0.0) }
}

/// The measure of a row after the bodies have moved for `dt` [s].
fn value(row: &Row, joints: &[Joint], bodies: &[Body], dt: f64) -> f64 {
    let after = |joint: usize| stretch(&joints[joint], bodies, dt);
    match row.measure {
        Measure::Offset(joint, axis) => after(joint).0.dot(axis),
        Measure::Longer(joint, length) => after(joint).0.norm() - length,
        Measure::Shorter(joint, length) => length - after(joint).0.norm(),
        Measure::Above(joint, angle) => after(joint).1 - angle,
        Measure::Below(joint, angle) => angle - after(joint).1,
        Measure::Spring(joint, elastic, rest_length, start_length) => {
            let length = after(joint).0.norm();
            elastic * (length - rest_length) + (1.0 - elastic) * (length - start_length)
        }
        Measure::Wall(gap) => row.change(bodies, dt) - gap,
    }
}
