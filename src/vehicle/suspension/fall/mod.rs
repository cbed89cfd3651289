//! The fall of a vehicle that tips over: from the lift of all wheels of a side until it stands on its wheels again.
//!
//! The body and its wheels are one rigid body there. It moves in the vertical plane across its tipping axis, with a height, an angle, and a
//! velocity along the ground. It has two phases:
//!
//! * It tips on the wheels of a side. Their contacts carry it, and their tyres push it as before.
//! * It has landed on its chassis or a rim. It slides with Coulomb friction, which turns it about the vertical axis, too. Wheels roll freely
//!   along the axis of a roll; to the side they slide with the friction that they had before. Motors and brakes do not act.
//!
//! [`contacts`] has the law of corners that touch the ground. The centre of mass keeps its place above that of the upright vehicle, as it does
//! on springs.
//!
//! Not modelled: gyroscopic torques, tipping about two axes at once, and ground that is uneven below the corners.

pub mod contacts;
pub mod section;

use std::cmp::Ordering;

use skidpad_math::{Twist2, Vec2, wrap_angle};

use self::contacts::{Contact, Mobility, Motion, solve};
use self::section::{Corner, Figure, Side};
use super::Lean;
use crate::Wrench;

/// A vehicle falls from this angle on [rad], if the wheels of a side have lifted.
pub const START: f64 = 0.3;
/// Time constant [s] with which the angle about the other axis vanishes.
const LEVELLING: f64 = 0.2;
/// Share of the depth of a corner in the ground that a step takes back [-], and the fastest way back [m/s].
const RESTORED: f64 = 0.2;
const FASTEST_RESTORE: f64 = 0.5;

/// What acts on a falling vehicle in a step.
#[derive(Clone, Copy, Debug)]
pub struct FallInput {
    /// Velocity of the reference point over the ground, in the body frame of the plane [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Gravity along the ground [m/s²], in that frame.
    pub along_ground: Vec2,
    /// Gravity into the ground [m/s²].
    pub gravity: f64,
    /// Step [s], > 0.
    pub dt: f64,
}

/// A vehicle that tips over.
#[derive(Clone, Debug)]
pub struct Fall {
    figure: Figure,
    side: Side,
    corners: Vec<Corner>,
    groups: [Vec<(usize, f64)>; 2],
    reach: [f64; 2],
    reference: Corner,
    /// Friction of the wheels on the ground [-].
    grip: f64,
    /// Angle [rad] over the side, and its rate [rad/s].
    tilt: f64,
    rate: f64,
    /// Height of the centre of mass over the plane [m], and its rate [m/s].
    height: f64,
    climb: f64,
    /// The angle about the other axis [rad].
    across: f64,
    /// Whether something else than a wheel has touched the ground.
    has_landed: bool,
    contacts: Vec<Contact>,
}

impl Fall {
    /// The fall over `side` of a vehicle that leans so. `contacts` are the heights of the contacts of its wheels above the plane [m]; its wheels
    /// slide with `grip` [-].
    pub fn begin(figure: &Figure, side: Side, lean: &Lean, (contacts, grip): (&[f64], f64)) -> Fall {
        let (tilt, rate) = (side.tilt_of([lean.roll, lean.pitch]), side.tilt_of([lean.roll_rate, lean.pitch_rate]));
        let reference = figure.reference(side);
        let (sin, cos) = libm::sincos(tilt);
        let [ahead, up] = reference.tipped((sin, cos));
        let height = lean.z - up;
        let mut corners = figure.corners(side);
        let groups = figure.groups(side);
        for (corner, group) in corners.iter_mut().zip(&groups).filter(|(_, group)| !group.is_empty()) {
            let contact: f64 = group.iter().map(|&(wheel, share)| share * contacts.get(wheel).unwrap_or(&0.0)).sum();
            corner.up = (contact - height + corner.ahead * sin) / cos;
        }
        Fall {
            figure: figure.clone(),
            side,
            contacts: Vec::with_capacity(corners.len()),
            corners,
            groups,
            reach: figure.reach_along_axis(side),
            reference,
            grip: grip.max(figure.friction),
            tilt,
            rate,
            height,
            climb: lean.climb + rate * ahead,
            across: side.across_of([lean.roll, lean.pitch]),
            has_landed: false,
        }
    }

    /// A step of `dt` [s] on the wheels of a side, under gravity into the ground [m/s²]. The tyres push with this force in all [N], in the body
    /// frame. Writes the load of each wheel [N], and whether it has lifted.
    pub fn tip(&mut self, force_in_body: Vec2, (gravity, dt): (f64, f64), (loads, lifted): (&mut [f64], &mut [bool])) {
        let ahead = force_in_body.dot(self.side.direction());
        let tip = self.rate - dt * ahead * self.height / self.figure.inertia_over(self.side);
        let mut motion = Motion { tip, climb: self.climb - dt * gravity, ..Motion::default() };
        self.advance(&mut motion, dt, false);
        loads.fill(0.0);
        for contact in &self.contacts {
            for &(wheel, share) in contact.group.iter().flat_map(|&group| &self.groups[group]) {
                loads[wheel] = share * contact.push / dt;
            }
        }
        let mut sum = 0.0;
        for (load, lifted) in loads.iter().zip(lifted) {
            (sum, *lifted) = (sum + load, *load == 0.0);
        }
        if sum > 0.0 {
            self.grip = (libm::fabs(ahead) / sum).max(self.figure.friction);
        }
    }

    /// A step of a vehicle that has landed. The wrench is what the ground and gravity do to its motion over the ground, in the body frame of
    /// the plane.
    pub fn slide(&mut self, input: &FallInput) -> Wrench {
        let to_side = self.side.direction();
        let axis = to_side.perpendicular();
        let before = input.velocity_in_body.at_point(self.figure.center);
        let coasting = before + input.dt * input.along_ground;
        let mut motion = Motion {
            ahead: coasting.dot(to_side),
            across: coasting.dot(axis),
            climb: self.climb - input.dt * input.gravity,
            tip: self.rate,
            yaw: input.velocity_in_body.wz,
        };
        self.advance(&mut motion, input.dt, true);
        let after = motion.ahead * to_side + motion.across * axis;
        let mut wrench = Wrench::default();
        wrench.add((self.figure.mass / input.dt) * (after - before), self.figure.center);
        wrench.torque += self.figure.inertia[2] / input.dt * (motion.yaw - input.velocity_in_body.wz);
        wrench
    }

    /// Lets the ground act on this motion for a step of `dt` [s], and moves by it. Wheels rub only where they slide.
    fn advance(&mut self, motion: &mut Motion, dt: f64, wheels_rub: bool) {
        self.find_contacts(motion, dt, wheels_rub);
        let figure = &self.figure;
        let mobility = Mobility {
            mass: 1.0 / figure.mass,
            tip: 1.0 / figure.inertia_over(self.side),
            yaw: 1.0 / figure.inertia[2],
        };
        solve(motion, &mut self.contacts, mobility, self.reach);
        self.has_landed |= self.contacts.iter().any(|contact| contact.push > 0.0 && contact.group.is_none());
        (self.climb, self.rate) = (motion.climb, motion.tip);
        self.height += dt * self.climb;
        self.tilt += dt * self.rate;
        self.across *= libm::exp(-dt / LEVELLING);
    }

    /// Collects the corners that may touch the ground in a step of `dt` [s].
    fn find_contacts(&mut self, motion: &Motion, dt: f64, wheels_rub: bool) {
        let turn = libm::sincos(self.tilt);
        self.contacts.clear();
        let is_there = |corner: &&Corner| corner.group.is_none_or(|group| !self.groups[group].is_empty());
        for corner in self.corners.iter().filter(is_there) {
            let place = corner.tipped(turn);
            let gap = self.height + place[1];
            if gap + dt * (motion.climb - motion.tip * place[0]) >= 0.01 * self.figure.height {
                continue;
            }
            self.contacts.push(Contact {
                place,
                least_climb: if gap > 0.0 { -gap / dt } else { (-RESTORED * gap / dt).min(FASTEST_RESTORE) },
                friction: match corner.group {
                    Some(_) if wheels_rub => self.grip,
                    Some(_) => 0.0,
                    None => self.figure.friction,
                },
                group: corner.group,
                rolls: corner.group.is_some() && matches!(self.side, Side::Left | Side::Right),
                push: 0.0,
                rubs: [Vec2::ZERO; 2],
            });
        }
        // In an order that does not depend on the side.
        let place = |contact: &Contact| (contact.place, contact.group.is_some());
        self.contacts.sort_unstable_by(|one, other| place(one).partial_cmp(&place(other)).unwrap_or(Ordering::Equal));
    }

    /// The angle from upright [rad], in [-π, π).
    fn angle_to_upright(&self) -> f64 {
        wrap_angle(self.tilt)
    }

    /// Whether the vehicle stands on its wheels again, or is about to.
    pub fn has_ended(&self) -> bool {
        let angle = self.angle_to_upright();
        libm::fabs(angle) < START && angle * self.rate <= 0.0
    }

    /// Whether the vehicle has landed on its chassis or a rim.
    pub fn has_landed(&self) -> bool {
        self.has_landed
    }

    /// The pose of the body against the plane.
    pub fn lean(&self) -> Lean {
        let [ahead, up] = self.reference.tipped(libm::sincos(self.tilt));
        let with = |tilt: f64, across: f64| {
            let [roll, pitch] = self.side.roll_and_pitch(tilt);
            if matches!(self.side, Side::Left | Side::Right) { [roll, across] } else { [across, pitch] }
        };
        let [roll, pitch] = with(self.angle_to_upright(), self.across);
        let [roll_rate, pitch_rate] = with(self.rate, -self.across / LEVELLING);
        Lean { z: self.height + up, pitch, roll, climb: self.climb - self.rate * ahead, pitch_rate, roll_rate }
    }

    /// Height above the plane [m] of the contact of a wheel, and its rate [m/s].
    pub fn contact(&self, wheel: usize) -> [f64; 2] {
        let group = usize::from(self.groups[1].iter().any(|(index, _)| *index == wheel));
        let corner = self.corners[group];
        let [ahead, up] = corner.tipped(libm::sincos(self.tilt));
        [self.height + up, self.climb - self.rate * ahead]
    }

    /// The rectangle that the vehicle covers on the ground as it lies [m], in the body frame of the plane, and how high it reaches [m].
    pub fn footprint(&self) -> ([Vec2; 4], f64) {
        let turn = libm::sincos(self.tilt);
        let [reference_ahead, reference_up] = self.reference.tipped(turn);
        let places = || self.corners.iter().map(|corner| corner.tipped(turn));
        let least = places().map(|[ahead, _]| ahead).fold(f64::INFINITY, f64::min) - reference_ahead;
        let most = places().map(|[ahead, _]| ahead).fold(f64::NEG_INFINITY, f64::max) - reference_ahead;
        let (to_side, axis) = (self.side.direction(), self.side.direction().perpendicular());
        let along = self.figure.center.dot(axis);
        let at = |ahead: f64, end: usize| ahead * to_side + (along + self.reach[end]) * axis;
        let top = places().map(|[_, up]| up).fold(f64::NEG_INFINITY, f64::max) - reference_up;
        ([at(least, 0), at(most, 0), at(most, 1), at(least, 1)], self.lean().z + top)
    }

    /// The plane has changed by this height at the centre of mass [m], and by this roll and pitch [rad].
    pub fn change_plane(&mut self, rise: f64, angles: [f64; 2]) {
        self.height -= rise;
        self.tilt -= self.side.tilt_of(angles);
    }
}

#[cfg(test)]
mod tests;
