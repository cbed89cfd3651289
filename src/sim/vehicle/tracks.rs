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
//! 1 − e^(−j/K) along it. Within a step the speed of the track follows from I·(u' − u)/(R²·dt) = T/R − ΣF_x(u'), whose right side falls
//! with u', so that there is one solution; no segment gets more force than stops its sliding within the step. A track that stands has lain
//! on the ground for ever: it holds with all of μ·N.
//!
//! Not modelled: sinkage and bulldozing, a ground run that grows with the load, tension and lateral play of the track, and the time in
//! which shear builds up after a change of speed.

use skidpad_math::{Twist2, Vec2};

use crate::friction::{FrictionLaw, Limit, WheelContact, within};

/// Largest number of road wheels of a side.
pub const MOST_ROAD_WHEELS: usize = 9;

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
    order: [usize; MOST_ROAD_WHEELS],
}

/// The state of the vehicle that a step of its tracks depends on.
pub(super) struct TrackInput<'a> {
    pub law: &'a dyn FrictionLaw,
    pub contacts: &'a [WheelContact],
    /// Capacity of brakes and rolling resistance at each wheel [N·m], ≥ 0.
    pub brake_torque: &'a [f64],
    /// Of the reference point [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Whether wheels that would reverse stop instead, by wheel; empty: none.
    pub slowed: &'a [bool],
}

/// Result of a step for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrackReaction {
    /// Speed of the track after the step [m/s].
    pub speed: f64,
    /// Force of the ground on each segment [N], from the rear.
    pub forces: [Vec2; MOST_ROAD_WHEELS],
}

/// Largest number of evaluations of the forces in a step.
const MOST_ROUNDS: usize = 60;
/// Tolerance of the speed of a track, relative to its scale.
const ACCURACY: f64 = 1e-12;
/// A track slower than this [m/s] counts as standing.
const STANDS: f64 = 1e-9;

impl Tracks {
    /// Tracks on `road_wheels` road wheels a side, an odd number up to [`MOST_ROAD_WHEELS`], with the ground run
    /// `length` [m] and the modulus `shear_modulus` [m] > 0.
    pub fn new(road_wheels: usize, length: f64, shear_modulus: f64) -> Tracks {
        let mut order = [0; MOST_ROAD_WHEELS];
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

    /// The forces on the track of the side `side` and its speed after the step.
    pub(super) fn react(&self, side: usize, input: &TrackInput<'_>) -> TrackReaction {
        let run = GroundRun::new(self, side, input);
        let (mut torque, mut braked, mut inertia, mut slows) = (0.0, 0.0, 0.0, false);
        for k in 0..self.road_wheels {
            let wheel = self.wheel(side, k);
            let contact = &input.contacts[wheel];
            torque += contact.torque;
            inertia += contact.inertia;
            braked += input.brake_torque.get(wheel).copied().unwrap_or(0.0);
            slows |= input.slowed.get(wheel).copied().unwrap_or(false);
        }
        let first = &input.contacts[self.wheel(side, 0)];
        let (radius, speed) = (first.radius, first.spin * first.radius);
        let inert = inertia / (radius * radius * first.dt);
        let (drive, brake) = (torque / radius, braked / radius);
        // What the track lacks to keep the speed u: rises with u.
        let lack = |u: f64, drive: f64| inert * (u - speed) - drive + run.forces(u).0;
        let at_rest = if brake > 0.0 { lack(0.0, drive) } else { f64::INFINITY };
        let after = if at_rest.abs() <= brake {
            0.0
        } else {
            let drive = if at_rest.is_finite() { drive + brake.copysign(at_rest) } else { drive };
            let reach = run.grip / inert;
            let free = speed + drive / inert;
            find_root(|u| lack(u, drive), free - reach, free + reach, run.velocity)
        };
        let after = if slows && after * speed < 0.0 { 0.0 } else { after };
        TrackReaction { speed: after, forces: run.forces(after).1 }
    }
}

/// The root of a rising function between `low` and `high`, tried first at `guess`: regula falsi, with the value at an end that stays
/// halved (Illinois).
fn find_root(rising: impl Fn(f64) -> f64, mut low: f64, mut high: f64, guess: f64) -> f64 {
    let (mut at_low, mut at_high) = (f64::NAN, f64::NAN);
    // Not `clamp`, which panics at limits that are NaN; those are handled by the step.
    let mut next = guess.max(low).min(high);
    let mut moved_low = None;
    for _ in 0..MOST_ROUNDS {
        let found = rising(next);
        if found == 0.0 || high - low <= ACCURACY * (1.0 + low.abs().max(high.abs())) {
            return next;
        }
        let is_low = found < 0.0;
        if is_low {
            (low, at_low) = (next, found);
            if moved_low == Some(true) {
                at_high *= 0.5;
            }
        } else {
            (high, at_high) = (next, found);
            if moved_low == Some(false) {
                at_low *= 0.5;
            }
        }
        moved_low = Some(is_low);
        if at_low.is_nan() {
            at_low = rising(low);
        }
        if at_high.is_nan() {
            at_high = rising(high);
        }
        let secant = (low * at_high - high * at_low) / (at_high - at_low);
        next = if secant > low && secant < high { secant } else { 0.5 * (low + high) };
    }
    next
}

/// The ground run of a track within one step.
struct GroundRun<'a> {
    tracks: &'a Tracks,
    /// v_x of the body beside the track [m/s].
    velocity: f64,
    segments: [Segment; MOST_ROAD_WHEELS],
    /// Sum of the largest forces [N].
    grip: f64,
    /// Change of v_y along a segment [m/s].
    rise: f64,
    dt: f64,
}

/// A segment of the ground run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Segment {
    /// μ·N [N].
    grip: f64,
    /// v_y at its middle [m/s].
    velocity: f64,
    /// Mass that it has to hold [kg].
    mass: f64,
    /// Pull that it holds while it grips [N].
    pull: Vec2,
}

impl<'a> GroundRun<'a> {
    fn new(tracks: &'a Tracks, side: usize, input: &TrackInput<'_>) -> GroundRun<'a> {
        let mut segments = [Segment::default(); MOST_ROAD_WHEELS];
        let mut grip = 0.0;
        for (k, segment) in segments.iter_mut().enumerate().take(tracks.road_wheels) {
            let contact = &input.contacts[tracks.wheel(side, k)];
            *segment = Segment {
                grip: sliding_friction(input.law, contact),
                velocity: contact.velocity_in_wheel.y,
                mass: contact.mass,
                pull: contact.pull_in_wheel,
            };
            grip += segment.grip;
        }
        let first = &input.contacts[tracks.wheel(side, 0)];
        GroundRun {
            tracks,
            velocity: first.velocity_in_wheel.x,
            segments,
            grip,
            rise: input.velocity_in_body.wz * tracks.segment,
            dt: first.dt,
        }
    }

    /// Force along x on the whole track [N] that turns it, and force on each segment [N], at the speed `u` of the track [m/s].
    fn forces(&self, u: f64) -> (f64, [Vec2; MOST_ROAD_WHEELS]) {
        let mut forces = [Vec2::ZERO; MOST_ROAD_WHEELS];
        let n = self.tracks.road_wheels;
        let (along, modulus) = (self.velocity - u, self.tracks.shear_modulus);
        let speed = |across: f64| (along * along + across * across).sqrt();
        // e^(−j/K) where the segment begins.
        let (mut unsheared, mut turning) = (1.0, 0.0);
        for step in 0..n {
            // From the end where links are laid down: the front one while the vehicle drives forwards.
            let k = if u >= 0.0 { n - 1 - step } else { step };
            let Segment { grip, velocity, mass, pull } = self.segments[k];
            let mean_speed = 0.5 * (speed(velocity - 0.5 * self.rise) + speed(velocity + 0.5 * self.rise));
            let slides = if u.abs() < STANDS { f64::INFINITY } else { mean_speed * self.tracks.segment / u.abs() };
            let (mobilised, left) = mobilise(unsheared, slides / modulus);
            let most = grip * mobilised;
            unsheared = left;
            // What would stop the sliding, and hold the pull across, within the step.
            let stopping = -((mass / self.dt) * Vec2::new(along, velocity) + Vec2::new(0.0, pull.y));
            let force = Limit::Circle.apply(stopping, most);
            turning += force.x;
            let spare = (grip * grip - force.y * force.y).max(0.0).sqrt() - force.x.abs();
            forces[k] = Vec2::new(force.x - within(pull.x, spare.max(0.0)), force.y);
        }
        (turning, forces)
    }
}

/// Mean of 1 − e^(−j) [-] over a segment that begins with e^(−j) = `unsheared` [-] and along which j grows by `by` ≥ 0
/// [-], and e^(−j) where it ends.
#[inline]
fn mobilise(unsheared: f64, by: f64) -> (f64, f64) {
    if by < 1e-9 {
        return (1.0 - unsheared, unsheared);
    }
    let falls = libm::expm1(-by);
    (1.0 + unsheared * falls / by, unsheared * (1.0 + falls))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::FRICTION_LAWS;
    use crate::vehicle::wheel::{Wheel, WheelParameters};

    const LENGTH: f64 = 2.0;
    const HALF_TREAD: f64 = 0.9;
    const RADIUS: f64 = 0.25;
    /// μ·N of a side [N].
    const GRIP: f64 = 0.8 * 9000.0;

    /// Wheels and contacts of tracks that turn with the speeds `left` and `right` [m/s] under a body that moves with `velocity`.
    fn contacts(tracks: &Tracks, velocity: Twist2, speeds: [f64; 2]) -> (Vec<Wheel>, Vec<WheelContact>) {
        let n = tracks.road_wheels;
        let mut wheels = vec![Wheel::new(WheelParameters::new("w", Vec2::ZERO)); 2 * n];
        for side in 0..2 {
            for k in 0..n {
                let place = Vec2::new((k as f64 + 0.5) * tracks.segment - 0.5 * LENGTH, [1.0, -1.0][side] * HALF_TREAD);
                let parameters = WheelParameters { radius: RADIUS, ..WheelParameters::new("w", place) };
                let mut wheel = Wheel::new(parameters);
                wheel.spin = speeds[side] / RADIUS;
                wheels[tracks.wheel(side, k)] = wheel;
            }
        }
        let contact = |(index, wheel): (usize, &Wheel)| WheelContact {
            wheel: index,
            velocity_in_wheel: wheel.velocity_in_wheel(velocity),
            pull_in_wheel: Vec2::ZERO,
            load: 9000.0 / n as f64,
            mass: 900.0 / n as f64,
            spin: wheel.spin,
            torque: 0.0,
            radius: RADIUS,
            inertia: 1.0,
            locked: false,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: None,
            ground_rolling_resistance: None,
            dt: 0.001,
        };
        let contacts = wheels.iter().enumerate().map(contact).collect();
        (wheels, contacts)
    }

    /// The forces on a side whose track has the speed `speed` [m/s].
    fn forces(tracks: &Tracks, side: usize, velocity: Twist2, speed: f64) -> Vec<Vec2> {
        let (_, contacts) = contacts(tracks, velocity, [speed; 2]);
        let law = (FRICTION_LAWS[0].default)();
        let input =
            TrackInput { law: &*law, contacts: &contacts, brake_torque: &[], velocity_in_body: velocity, slowed: &[] };
        GroundRun::new(tracks, side, &input).forces(speed).1[..tracks.road_wheels].to_vec()
    }

    #[test]
    fn the_first_two_wheels_are_the_middle_ones() {
        let tracks = Tracks::new(5, LENGTH, 0.01);
        assert_eq!((tracks.wheel(0, 2), tracks.wheel(1, 2)), (0, 1));
        let mut all: Vec<usize> =
            (0..2).flat_map(|side| (0..5).map(move |k| (side, k))).map(|(s, k)| tracks.wheel(s, k)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
    }

    /// Exact for any number of road wheels: the mean over each segment is integrated.
    #[test]
    fn straight_ahead_the_forces_add_up_to_the_closed_form() {
        for (n, slip) in [(1, 0.1), (5, 0.02), (5, 0.3), (9, -0.2)] {
            let (modulus, speed) = (0.03, 2.0);
            let velocity = Twist2::new(speed * (1.0 - slip), 0.0, 0.0);
            let found: f64 = forces(&Tracks::new(n, LENGTH, modulus), 0, velocity, speed).iter().map(|f| f.x).sum();
            let through = slip.abs() * LENGTH / modulus;
            let expected = slip.signum() * GRIP * (1.0 - (1.0 - libm::exp(-through)) / through);
            assert!((found - expected).abs() < 1e-9 * GRIP, "{n} wheels, slip {slip}: {found} for {expected}");
        }
    }

    /// Backwards the rear end lays the links down: a mirror image.
    #[test]
    fn backwards_is_the_mirror_image_of_forwards() {
        let tracks = Tracks::new(5, LENGTH, 0.05);
        let ahead = forces(&tracks, 0, Twist2::new(1.0, 0.1, 0.3), 1.4);
        let back = forces(&tracks, 1, Twist2::new(-1.0, -0.1, 0.3), -1.4);
        for (a, b) in ahead.iter().zip(back.iter().rev()) {
            assert!((*a + *b).norm() < 1e-9 * GRIP, "{ahead:?} {back:?}");
        }
    }

    /// Wong and Chiang integrate dF = p·μ·(1 − e^(−j/K))·dA with the chord j of the way that a link has slid since the front, in a steady
    /// turn of the body about a point at the distance R to its left.
    fn of_wong_and_chiang(side: usize, velocity: Twist2, speed: f64, modulus: f64) -> (Vec2, f64) {
        const PARTS: usize = 4000;
        let y = [1.0, -1.0][side] * HALF_TREAD;
        let (mut force, mut moment) = (Vec2::ZERO, 0.0);
        for part in 0..PARTS {
            let x = ((part as f64 + 0.5) / PARTS as f64 - 0.5) * LENGTH;
            let since = (0.5 * LENGTH - x) / speed;
            // Where the spot on the ground that the link was laid on is now, seen from the body.
            let moved = skidpad_math::advance(skidpad_math::Pose2::IDENTITY, velocity, since);
            let spot = moved.inverse().transform_point(Vec2::new(0.5 * LENGTH, y));
            let slid = (Vec2::new(x, y) - spot).norm();
            let sliding = velocity.at_point(Vec2::new(x, y)) - Vec2::new(speed, 0.0);
            let push = GRIP / PARTS as f64 * (1.0 - libm::exp(-slid / modulus)) / sliding.norm();
            force = force - push * sliding;
            moment -= push * x * sliding.y;
        }
        (force, moment)
    }

    #[test]
    fn in_a_turn_the_forces_are_those_of_wong_and_chiang() {
        let (velocity, modulus) = (Twist2::new(3.0, -0.2, 0.4), 0.05);
        for (side, speed) in [(0, 2.4), (1, 3.7)] {
            let found = forces(&Tracks::new(9, LENGTH, modulus), side, velocity, speed);
            let sum = found.iter().fold(Vec2::ZERO, |sum, force| sum + *force);
            let places = (0..9).map(|k| ((k as f64 + 0.5) / 9.0 - 0.5) * LENGTH);
            let moment: f64 = places.zip(&found).map(|(x, force)| x * force.y).sum();
            let (force, expected) = of_wong_and_chiang(side, velocity, speed, modulus);
            assert!((sum - force).norm() < 0.02 * GRIP, "side {side}: {sum:?} for {force:?}");
            assert!((moment - expected).abs() < 0.02 * GRIP * LENGTH / 4.0, "side {side}: {moment} for {expected}");
        }
    }

    /// I·(u' − u)/(R²·dt) = T/R − ΣF_x(u') at the solution.
    #[test]
    fn the_speed_of_the_track_balances_torque_inertia_and_ground() {
        let tracks = Tracks::new(5, LENGTH, 0.02);
        let velocity = Twist2::new(1.0, 0.0, 0.2);
        for torque in [-300.0, 0.0, 40.0, 900.0] {
            let (_, mut contacts) = contacts(&tracks, velocity, [0.9, 1.3]);
            contacts.iter_mut().for_each(|contact| contact.torque = torque / 5.0);
            let law = (FRICTION_LAWS[0].default)();
            let input = TrackInput {
                law: &*law,
                contacts: &contacts,
                brake_torque: &[],
                velocity_in_body: velocity,
                slowed: &[],
            };
            for (side, before) in [(0, 0.9), (1, 1.3)] {
                let found = tracks.react(side, &input);
                let pushed: f64 = found.forces.iter().map(|force| force.x).sum();
                let lack = 5.0 / (RADIUS * RADIUS * 0.001) * (found.speed - before) - torque / RADIUS + pushed;
                assert!(lack.abs() < 1e-3, "{torque} N·m, side {side}: {lack} N left, {found:?}");
            }
        }
    }

    /// A brake holds a standing track up to its capacity, and never turns it back.
    #[test]
    fn a_brake_stops_the_track_and_does_not_reverse_it() {
        let tracks = Tracks::new(3, LENGTH, 0.02);
        let law = (FRICTION_LAWS[0].default)();
        let at = |speed: f64, capacity: f64| {
            let (_, contacts) = contacts(&tracks, Twist2::ZERO, [speed; 2]);
            let brakes = [capacity / 3.0; 6];
            let input = TrackInput {
                law: &*law,
                contacts: &contacts,
                brake_torque: &brakes,
                velocity_in_body: Twist2::ZERO,
                slowed: &[],
            };
            tracks.react(0, &input).speed
        };
        assert_eq!(at(0.0, 1.0), 0.0);
        assert_eq!(at(0.5, 1e9), 0.0);
        assert!(at(0.5, 10.0) >= 0.0);
    }
}
