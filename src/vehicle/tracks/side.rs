//! One track within a step: the forces of the ground on it, its motor and its brake, and how these change with the velocities.

use skidpad_math::Vec2;

use super::{CREEP, MAX_ROAD_WHEELS, STANDS, TrackInput, Tracks};
use crate::friction::{FrictionLaw, WheelContact, within};
use crate::stiffness::Motor;

/// What depends on the motion of the body and the speed of a track, in this order: v_x, v_y, ω, u.
pub(super) type Four = [f64; 4];

/// Sums over the segments, from which the changes of the forces on a track follow.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Of c, c·x and c·x².
    c: [f64; 3],
    /// Of c·w_y and c·w_y·x.
    push: [f64; 2],
    /// Of the changes of c, as they are, times w_y, and times w_y·x.
    changes: [Four; 3],
}

impl Sums {
    /// Adds a segment with its middle at x [m] from the centre of mass, where the links slide across with w_y [m/s].
    #[inline]
    fn add(&mut self, c: f64, c_changes: &Four, ahead: f64, across: f64) {
        let weighted = c * ahead;
        self.c = [self.c[0] + c, self.c[1] + weighted, self.c[2] + weighted * ahead];
        self.push = [self.push[0] + c * across, self.push[1] + weighted * across];
        let turning = across * ahead;
        for (j, change) in c_changes.iter().enumerate() {
            self.changes[0][j] += change;
            self.changes[1][j] += across * change;
            self.changes[2][j] += turning * change;
        }
    }

    /// The push of all segments, and how it falls, where the links slide along with w_x [m/s] at y [m] from the centre of mass.
    #[inline]
    fn ground(&self, forces: [Vec2; MAX_ROAD_WHEELS], along: f64, beside: f64) -> Ground {
        let ([c, c_x, c_xx], [c_y, c_yx], [all, by_across, by_turning]) = (self.c, self.push, self.changes);
        let c_b = c * beside;
        Ground {
            forces,
            push: [-(c * along), -c_y, c_b * along - c_yx, c * along],
            secant: [[c, 0.0, -c_b, -c], [0.0, c, c_x, 0.0], [-c_b, c_x, c_xx + c_b * beside, c_b], [-c, 0.0, c_b, c]],
            bend: [
                all.map(|sum| along * sum),
                by_across,
                std::array::from_fn(|j| by_turning[j] - along * beside * all[j]),
                all.map(|sum| -along * sum),
            ],
        }
    }
}

/// The forces of the ground on one track.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    /// On each segment [N].
    pub forces: [Vec2; MAX_ROAD_WHEELS],
    /// Their work per velocity: force along x, along y, torque about the centre of mass, and force that turns the track.
    pub push: Four,
    /// How the push falls with the velocities, if F = −c·w with the same c.
    pub secant: [Four; 4],
    /// What the change of c adds.
    pub bend: [Four; 4],
}

/// One track within a step.
pub(super) struct Side<'a> {
    tracks: &'a Tracks,
    motor: &'a Motor,
    segments: [Segment; MAX_ROAD_WHEELS],
    /// Sum of the largest forces [N].
    pub grip: f64,
    /// y of the track from the centre of mass [m].
    beside: f64,
    radius: f64,
    /// Speed before the step [m/s].
    pub speed: f64,
    /// I/(R²·dt) [kg/s].
    inert: f64,
    /// Largest force of brakes and rolling resistance at the links [N], ≥ 0.
    brake: f64,
    pub dt: f64,
}

/// A segment of the ground run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Segment {
    /// μ·N [N].
    grip: f64,
    /// x of its middle from the centre of mass [m].
    ahead: f64,
    /// Pull along x that it holds while it grips [N].
    pull: f64,
}

impl<'a> Side<'a> {
    pub(super) fn new(tracks: &'a Tracks, side: usize, input: &'a TrackInput<'_>) -> Side<'a> {
        let mut segments = [Segment::default(); MAX_ROAD_WHEELS];
        let (mut grip, mut inertia, mut braked) = (0.0, 0.0, 0.0);
        let arm = |wheel: usize| input.wheels[wheel].parameters.position - input.inertia.center_of_mass;
        for (k, segment) in segments.iter_mut().enumerate().take(tracks.road_wheels) {
            let wheel = tracks.wheel(side, k);
            let contact = &input.contacts[wheel];
            *segment = Segment {
                grip: sliding_friction(input.law, contact),
                ahead: arm(wheel).x,
                pull: contact.pull_in_wheel.x,
            };
            grip += segment.grip;
            inertia += contact.inertia;
            braked += input.brake_torque.get(wheel).copied().unwrap_or(0.0);
        }
        let first = tracks.wheel(side, 0);
        let &WheelContact { radius, spin, dt, .. } = &input.contacts[first];
        Side {
            tracks,
            motor: &input.motors[side],
            segments,
            grip,
            beside: arm(first).y,
            radius,
            speed: spin * radius,
            inert: inertia / (radius * radius * dt),
            brake: braked / radius,
            dt,
        }
    }

    /// Force that the track takes to reach the speed `u` [m/s] against motor and brake [N], and how it grows with u by its tangent and by its
    /// chord [N·s/m].
    pub(super) fn driven(&self, u: f64) -> (f64, [f64; 2]) {
        let spin = u / self.radius;
        let drive = self.motor.torque_at(spin) / self.radius;
        let droops = self.motor.gain / (self.radius * self.radius);
        let is_limited = self.motor.torque_at(spin + 1e-9) == self.motor.torque_at(spin);
        let length = (u * u + CREEP * CREEP).sqrt();
        let brake = self.brake / length;
        let tangent = if is_limited { 0.0 } else { droops } + brake * (CREEP / length) * (CREEP / length);
        let force = self.inert * (u - self.speed) - drive + brake * u;
        (force, [self.inert + tangent, self.inert + droops + brake])
    }

    /// The speed [m/s] for the one that balances the forces: a brake stops the track, and one that never reverses stops.
    pub(super) fn settled(&self, speed: f64) -> f64 {
        let is_held = self.brake > 0.0 && speed.abs() <= CREEP;
        let reverses = self.motor.never_reverses && speed * self.speed < 0.0;
        if is_held || reverses { 0.0 } else { speed }
    }

    /// The forces less those along x that segments with grip to spare hold.
    pub(super) fn holding(&self, mut forces: [Vec2; MAX_ROAD_WHEELS]) -> [Vec2; MAX_ROAD_WHEELS] {
        for (force, &Segment { grip, pull, .. }) in forces.iter_mut().zip(&self.segments) {
            if pull != 0.0 {
                let spare = (grip * grip - force.y * force.y).max(0.0).sqrt() - force.x.abs();
                force.x -= within(pull, spare.max(0.0));
            }
        }
        forces
    }

    /// The forces of the ground under a body that moves with this motion, at the speed `u` of the track [m/s].
    pub(super) fn ground(&self, [vx, vy, yaw_rate]: [f64; 3], u: f64) -> Ground {
        let (mut forces, mut sums) = ([Vec2::ZERO; MAX_ROAD_WHEELS], Sums::default());
        let (n, length) = (self.tracks.road_wheels, self.tracks.segment);
        let along = vx - yaw_rate * self.beside - u;
        let across_at = |x: f64| vy + yaw_rate * x;
        let speed = |across: f64| (along * along + across * across + CREEP * CREEP).sqrt();
        let turning_at = |x: f64, across: f64| across * x - along * self.beside;
        // |w| at the end of a segment, and how it changes with the velocities of the body.
        let end_at = |x: f64| {
            let across = across_at(x);
            let speed = speed(across);
            let per_speed = 1.0 / speed;
            (speed, [along * per_speed, across * per_speed, turning_at(x, across) * per_speed])
        };
        let half = 0.5 * length / (self.tracks.shear_modulus * u.abs().max(STANDS));
        let per_u = if u.abs() > STANDS { 1.0 / u } else { 0.0 };
        // From the end where links are laid down: the front one while the vehicle drives forwards.
        let (first, to_next) = if u >= 0.0 { (n - 1, -0.5 * length) } else { (0, 0.5 * length) };
        let mut begin = end_at(self.segments[first].ahead - to_next);
        // e^(−j/K) where the segment begins, and how j/K changes with the velocities.
        let (mut unsheared, mut sheared_by) = (1.0, [0.0; 4]);
        for step in 0..n {
            let k = if u >= 0.0 { n - 1 - step } else { step };
            let Segment { grip, ahead, .. } = self.segments[k];
            let end = end_at(ahead + to_next);
            let by = half * (begin.0 + end.0);
            let [by_vx, by_vy, by_turn] = [0, 1, 2].map(|i| half * (begin.1[i] + end.1[i]));
            let by_changes = [by_vx, by_vy, by_turn, -by_vx - by * per_u];
            begin = end;
            let (falls, mean, mean_falls) = mobilise(by);
            let mobilised = 1.0 - unsheared * mean;
            let across = across_at(ahead);
            let per_speed = 1.0 / speed(across);
            let c = grip * mobilised * per_speed;
            // w along the unknowns, and how c changes with them.
            let sliding = [along, across, turning_at(ahead, across), -along];
            let c_changes: Four = std::array::from_fn(|i| {
                let mobilised_by = unsheared * (mean * sheared_by[i] - mean_falls * by_changes[i]);
                (grip * mobilised_by - c * per_speed * sliding[i]) * per_speed
            });
            forces[k] = Vec2::new(-c * along, -c * across);
            sums.add(c, &c_changes, ahead, across);
            for (sum, change) in sheared_by.iter_mut().zip(by_changes) {
                *sum += change;
            }
            unsheared *= 1.0 + falls;
        }
        sums.ground(forces, along, self.beside)
    }
}

/// Of e^(−j) along a way on which j grows from 0 to `by` ≥ 0 [-]: its end less its start, its mean, and how that changes with `by`.
#[inline]
fn mobilise(by: f64) -> (f64, f64, f64) {
    let falls = libm::expm1(-by);
    if by < 1e-3 {
        return (falls, 1.0 - by * (0.5 - by * (1.0 / 6.0 - by / 24.0)), -0.5 + by * (1.0 / 3.0 - by / 8.0));
    }
    let mean = -falls / by;
    (falls, mean, (1.0 + falls - mean) / by)
}

/// Friction of a contact that slides without turning [N].
fn sliding_friction(law: &dyn FrictionLaw, contact: &WheelContact) -> f64 {
    /// So fast [m/s] that no law stops it within a step.
    const FAST: f64 = 1e4;
    let velocity = contact.velocity_in_wheel;
    let speed = velocity.norm();
    let direction = if speed > 1e-6 { (1.0 / speed) * velocity } else { Vec2::new(1.0, 0.0) };
    let sliding = WheelContact {
        velocity_in_wheel: FAST * direction,
        pull_in_wheel: Vec2::ZERO,
        locked: true,
        mass: contact.mass.max(1.0),
        ..*contact
    };
    law.react(&sliding).force_in_wheel.norm()
}
