//! The contacts of a falling vehicle with the ground: the impulses of a step, by which no corner sinks in, and by which friction brakes what
//! slides.
//!
//! The impulses follow from the velocities after the step (J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics",
//! 1988; D. E. Stewart and J. C. Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb
//! friction", 1996). Impacts are inelastic. Passes over all contacts, one after the other, find them (Gauss and Seidel).

use skidpad_math::Vec2;

/// The motion of a falling vehicle: velocities of its centre of mass [m/s], and angular velocities [rad/s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Horizontally, towards the side over which it tips.
    pub ahead: f64,
    /// Horizontally, to the left of that.
    pub across: f64,
    /// Upwards.
    pub climb: f64,
    /// Towards the side.
    pub tip: f64,
    /// About the vertical axis, counter-clockwise seen from above.
    pub yaw: f64,
}

/// How far a vehicle gives way.
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    /// Inverse of its mass [1/kg].
    pub mass: f64,
    /// Inverse of its moment of inertia about the axis over which it tips [1/(kg·m²)].
    pub tip: f64,
    /// The same about the vertical axis.
    pub yaw: f64,
}

/// A corner that may touch the ground in a step.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Its place from the centre of mass [m]: towards the side, and upwards.
    pub place: [f64; 2],
    /// Least velocity upwards [m/s] that keeps it out of the ground.
    pub least_climb: f64,
    /// Coulomb friction [-].
    pub friction: f64,
    /// The group of wheels whose contact it is.
    pub group: Option<usize>,
    /// Whether it rolls freely along the axis over which the vehicle tips.
    pub rolls: bool,
    /// Impulse of the ground so far [N·s].
    pub push: f64,
    /// Those of friction [N·s], at both ends of the vehicle along the axis.
    pub rubs: [Vec2; 2],
}

/// Passes over all contacts.
const PASSES: usize = 30;

/// Solves the contacts of a vehicle that reaches along its axis between these places [m].
pub fn solve(motion: &mut Motion, contacts: &mut [Contact], mobility: Mobility, reach: [f64; 2]) {
    for _ in 0..PASSES {
        for contact in &mut *contacts {
            contact.push_up(motion, mobility);
            contact.rub(motion, mobility, reach);
        }
    }
}

impl Contact {
    /// Keeps the corner out of the ground.
    fn push_up(&mut self, motion: &mut Motion, mobility: Mobility) {
        let [ahead, _] = self.place;
        let climb = motion.climb - motion.tip * ahead;
        let give = mobility.mass + ahead * ahead * mobility.tip;
        let push = (self.push + (self.least_climb - climb) / give).max(0.0);
        let added = push - self.push;
        self.push = push;
        motion.climb += added * mobility.mass;
        motion.tip -= added * ahead * mobility.tip;
    }

    /// Brakes the corner at both of its ends, which are at these places along the axis [m], as far as half of the push allows for each.
    fn rub(&mut self, motion: &mut Motion, mobility: Mobility, reach: [f64; 2]) {
        let [ahead, up] = self.place;
        let before = self.rubs;
        self.rubs = [0, 1].map(|end| {
            let along = reach[end];
            let across = if self.rolls { 0.0 } else { motion.across + motion.yaw * ahead };
            let slides = Vec2::new(motion.ahead - motion.yaw * along + motion.tip * up, across);
            let give = mobility.mass + (along * along).max(ahead * ahead) * mobility.yaw + up * up * mobility.tip;
            // Both ends at once, so that neither comes first.
            let rub = before[end] - (0.5 / give) * slides;
            let (size, most) = (rub.norm(), 0.5 * self.friction * self.push);
            if size > most { (most / size) * rub } else { rub }
        });
        let [one, other] = [0, 1].map(|end| self.rubs[end] - before[end]);
        let sum = one + other;
        motion.ahead += sum.x * mobility.mass;
        motion.across += sum.y * mobility.mass;
        motion.yaw += (ahead * sum.y - (reach[0] * one.x + reach[1] * other.x)) * mobility.yaw;
        motion.tip += sum.x * up * mobility.tip;
    }
}
