//! Tracks on the ground: forces along the whole ground run, and the speed of the track.
//!
//! A track turns all road wheels of its side with one speed u, that of its links relative to the body. A link in contact slides over the
//! ground with the velocity w = (v_x − u, v_y + ω·x) at its place x. From the end of the ground run where it was laid down it has slid
//! j = ∫|w| dt, and the ground resists with
//!
//! F = μ·N·(1 − e^(−j/K)), against w
//!
//! (Z. Janosi and B. Hanamoto, "Analytical determination of drawbar pull as a function of slip for tracked vehicles in deformable soils",
//! 1st Int. Conf. on Terrain-Vehicle Systems, 1961; for turning J. Y. Wong and C. F. Chiang, "A general theory for skid steering of tracked
//! vehicles on firm ground", Proc. IMechE D 215 (2001), who take the chord for the length of the path j). K is the shear deformation
//! modulus of the ground, and μ·N comes from the friction law of the vehicle. Straight ahead with the slip i = 1 − v_x/u that is
//! F = μ·W·(1 − K/(i·L)·(1 − e^(−i·L/K))) for a ground run of the length L under the load W.
//!
//! The ground run is divided among the road wheels: each carries its load on a segment, with w at its middle and the mean of
//! 1 − e^(−j/K) along it. A track that stands has lain on the ground for ever: it resists with all of μ·N.
//!
//! Body and tracks are solved together for the end of a step (implicit Euler's method; E. Hairer and G. Wanner, "Solving Ordinary
//! Differential Equations II", §IV.3): the velocities of both, five unknowns, balance inertia, motors, brakes and ground,
//!
//! m/dt·(v' − v_0) = ΣF(v', u'),  I_z/dt·(ω' − ω_0) = ΣM(v', u'),  I/(R²·dt)·(u' − u) = T(u')/R − ΣF_x(v', u'),
//!
//! v_0 and ω_0 being the motion without ground. What is steady at small steps is steady at any, and neither stiff ground nor firm gains
//! limit the step. Newton's method finds the solution from the motion before the step. Its step may gain little, as when a track begins
//! or ends to slide. Then a step with the secants of the forces, F = −c·w, takes its place. With frozen c the equations are linear, and their
//! solutions approach that of the friction without fail (E. Weiszfeld's iteration, 1937, for the least sum of norms).
//!
//! Not modelled: sinkage and bulldozing, a ground run that grows with the load, tension and lateral play of the track, and the time in
//! which shear builds up after a change of speed.

mod balance;
mod side;

use skidpad_math::Vec2;

use super::Inertia;
use super::coupled_wheels::MotionAfterStep;
use super::stiffness::Motor;
use super::wheel::Wheel;
use crate::friction::{FrictionLaw, WheelContact};
use balance::{Balance, Body};
use side::Side;

/// Largest number of road wheels of a side.
pub const MAX_ROAD_WHEELS: usize = 9;

/// Both tracks of a vehicle. Road wheel k of a side, counted from the rear, has the index `order[k]` among the left or the right wheels,
/// which alternate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracks {
    /// Number of road wheels of a side.
    pub road_wheels: usize,
    /// Length of the ground run on each of them [m].
    pub segment: f64,
    /// K [m].
    pub shear_modulus: f64,
    order: [usize; MAX_ROAD_WHEELS],
}

/// What a step of tracks depends on.
pub(super) struct TrackInput<'a> {
    pub law: &'a dyn FrictionLaw,
    pub wheels: &'a [Wheel],
    pub contacts: &'a [WheelContact],
    /// Capacity of brakes and rolling resistance at each wheel [N·m], ≥ 0.
    pub brake_torque: &'a [f64],
    /// What turns the left and the right track.
    pub motors: [Motor; 2],
    pub inertia: Inertia,
    /// The motion at the start of the step.
    pub before: MotionAfterStep,
    /// That at its end without the ground.
    pub coasting: MotionAfterStep,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrackReaction {
    /// Speeds of the left and the right track after the step [m/s].
    pub speeds: [f64; 2],
    /// Forces of the ground on each segment [N], from the rear, of the left and the right track.
    pub forces: [[Vec2; MAX_ROAD_WHEELS]; 2],
    /// The motion of the body at the end of the step.
    pub motion: MotionAfterStep,
}

/// Largest number of evaluations of the forces in a step.
const MAX_ROUNDS: usize = 40;
/// Tolerance of the forces, relative to the largest.
const ACCURACY: f64 = 1e-9;
/// Newton's method goes on while it lessens the imbalance to this share.
const GAINS: f64 = 0.5;
/// A track slower than this [m/s] counts as standing.
const STANDS: f64 = 1e-9;
/// Below this speed [m/s] a contact creeps rather than sticks: √(w² + CREEP²) takes the place of |w|.
const CREEP: f64 = 1e-6;

impl Tracks {
    /// Tracks on `road_wheels` road wheels a side, an odd number up to [`MAX_ROAD_WHEELS`], with the ground run
    /// `length` [m] and the modulus `shear_modulus` [m] > 0.
    pub fn new(road_wheels: usize, length: f64, shear_modulus: f64) -> Tracks {
        let mut order = [0; MAX_ROAD_WHEELS];
        let middle = road_wheels / 2;
        for (k, index) in order.iter_mut().enumerate().take(road_wheels) {
            // The middle pair comes first, because odometry reads the first two wheels.
            *index = if k <= middle { 2 * (middle - k) } else { 2 * (k - middle) - 1 };
        }
        Tracks { road_wheels, segment: length / road_wheels as f64, shear_modulus, order }
    }

    /// Index of road wheel `k`, counted from the rear, of the side `side`: 0 left, 1 right.
    #[inline]
    pub fn wheel(&self, side: usize, k: usize) -> usize {
        2 * self.order[k] + side
    }

    /// The side and the road wheel, counted from the rear, of a wheel.
    #[inline]
    pub(super) fn place(&self, wheel: usize) -> (usize, usize) {
        let (order, middle) = (wheel / 2, self.road_wheels / 2);
        let k = if order.is_multiple_of(2) { middle - order / 2 } else { middle + order.div_ceil(2) };
        (wheel % 2, k)
    }

    /// The forces on both tracks, and the motion of tracks and body after the step.
    pub(super) fn react(&self, input: &TrackInput<'_>) -> TrackReaction {
        let sides = [0, 1].map(|side| Side::new(self, side, input));
        let &TrackInput { inertia, before, coasting, .. } = input;
        let per_step = 1.0 / sides[0].dt;
        let body = Body {
            inert: [per_step * inertia.mass, per_step * inertia.mass, per_step * inertia.yaw],
            coasting: [coasting.velocity.x, coasting.velocity.y, coasting.yaw_rate],
        };
        let start = [before.velocity.x, before.velocity.y, before.yaw_rate];
        let mut now = Balance::at(&body, &sides, start, sides.each_ref().map(|side| side.speed));
        let close = ACCURACY * (sides[0].grip + sides[1].grip);
        let mut rounds = 0;
        while now.lack > close * close && rounds < MAX_ROUNDS {
            let next = now.improved(&body, &sides, 1.0);
            rounds += 1;
            now = if next.lack <= GAINS * now.lack {
                next
            } else {
                rounds += 1;
                let other = now.improved(&body, &sides, 0.0);
                if next.lack < other.lack { next } else { other }
            };
        }
        let speeds = [0, 1].map(|side| sides[side].settled(now.speeds[side]));
        let forces = [0, 1].map(|side| {
            let mut grounds = now.grounds[side];
            if speeds[side] != now.speeds[side] {
                grounds = sides[side].ground(now.body, speeds[side]);
            }
            sides[side].holding(grounds.forces)
        });
        let [x, y, yaw_rate] = now.body;
        TrackReaction { speeds, forces, motion: MotionAfterStep { velocity: Vec2::new(x, y), yaw_rate } }
    }
}

#[cfg(test)]
mod tests;
