//! Forces of tracks against closed forms and Wong and Chiang, and the balance of a step.

use skidpad_math::Twist2;

use super::*;
use crate::friction::FRICTION_LAWS;
use crate::wheel::WheelParameters;

const LENGTH: f64 = 2.0;
const HALF_TREAD: f64 = 0.9;
const RADIUS: f64 = 0.25;
/// μ·N of a side [N].
const GRIP: f64 = 0.8 * 9000.0;

/// A vehicle on tracks whose body moves with a velocity [m/s, rad/s], apart from what the ground does to it.
struct Bench {
    tracks: Tracks,
    law: Box<dyn FrictionLaw>,
    wheels: Vec<Wheel>,
    contacts: Vec<WheelContact>,
    brakes: Vec<f64>,
    inertia: Inertia,
    velocity: Twist2,
}

impl Bench {
    /// So heavy that no step changes its motion, with the speeds of its left and right track [m/s].
    fn new(tracks: Tracks, velocity: Twist2, speeds: [f64; 2]) -> Bench {
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
        let inertia = Inertia { mass: 1e12, center_of_mass: Vec2::ZERO, yaw: 1e12 };
        Bench { tracks, law: (FRICTION_LAWS[0].default)(), wheels, contacts, brakes: Vec::new(), inertia, velocity }
    }

    fn input(&self, torque: f64) -> TrackInput<'_> {
        let motors = [0, 1].map(|side| Motor {
            spin: self.contacts[side].spin,
            torque,
            gain: 0.0,
            sees_slip: true,
            max_torque: f64::INFINITY,
            held_back: 0.0,
            never_reverses: false,
        });
        let motion = MotionAfterStep { velocity: self.velocity.linear(), yaw_rate: self.velocity.wz };
        TrackInput {
            law: &*self.law,
            wheels: &self.wheels,
            contacts: &self.contacts,
            brake_torque: &self.brakes,
            motors,
            inertia: self.inertia,
            before: motion,
            coasting: motion,
        }
    }
}

/// The forces on a side whose track has the speed `speed` [m/s].
fn forces(tracks: &Tracks, side: usize, velocity: Twist2, speed: f64) -> Vec<Vec2> {
    let bench = Bench::new(*tracks, velocity, [speed; 2]);
    let input = bench.input(0.0);
    let ground = Side::new(tracks, side, &input).ground([velocity.vx, velocity.vy, velocity.wz], speed);
    ground.forces[..tracks.road_wheels].to_vec()
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
        let actual: f64 = forces(&Tracks::new(n, LENGTH, modulus), 0, velocity, speed).iter().map(|f| f.x).sum();
        let through = slip.abs() * LENGTH / modulus;
        let expected = slip.signum() * GRIP * (1.0 - (1.0 - libm::exp(-through)) / through);
        assert!((actual - expected).abs() < 1e-9 * GRIP, "{n} wheels, slip {slip}: {actual} for {expected}");
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
        let displacement = skidpad_math::advance(skidpad_math::Pose2::IDENTITY, velocity, since);
        let spot = displacement.inverse().transform_point(Vec2::new(0.5 * LENGTH, y));
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
        let actual = forces(&Tracks::new(9, LENGTH, modulus), side, velocity, speed);
        let sum = actual.iter().fold(Vec2::ZERO, |sum, force| sum + *force);
        let places = (0..9).map(|k| ((k as f64 + 0.5) / 9.0 - 0.5) * LENGTH);
        let moment: f64 = places.zip(&actual).map(|(x, force)| x * force.y).sum();
        let (force, expected) = of_wong_and_chiang(side, velocity, speed, modulus);
        assert!((sum - force).norm() < 0.02 * GRIP, "side {side}: {sum:?} for {force:?}");
        assert!((moment - expected).abs() < 0.02 * GRIP * LENGTH / 4.0, "side {side}: {moment} for {expected}");
    }
}

/// I·(u' − u)/(R²·dt) = T/R − ΣF_x(u') at the solution.
#[test]
fn the_speed_of_the_track_balances_torque_inertia_and_ground() {
    let velocity = Twist2::new(1.0, 0.0, 0.2);
    let before = [0.9, 1.3];
    for torque in [-300.0, 0.0, 40.0, 900.0] {
        let bench = Bench::new(Tracks::new(5, LENGTH, 0.02), velocity, before);
        let actual = bench.tracks.react(&bench.input(torque));
        for (side, before) in before.into_iter().enumerate() {
            let pushed: f64 = actual.forces[side].iter().map(|force| force.x).sum();
            let lack = 5.0 / (RADIUS * RADIUS * 0.001) * (actual.speeds[side] - before) - torque / RADIUS + pushed;
            assert!(lack.abs() < 1e-3, "{torque} N·m, side {side}: {lack} N left, {actual:?}");
        }
    }
}

/// m/dt·(v' − v) = ΣF and I_z/dt·(ω' − ω) = ΣM at the solution, from any start.
#[test]
fn the_motion_of_the_body_balances_its_inertia_and_the_ground() {
    for dt in [0.001, 0.005, 0.02] {
        for velocity in [Twist2::ZERO, Twist2::new(2.0, 0.5, -0.7), Twist2::new(-0.01, 0.02, 0.001)] {
            for speeds in [[0.0, 0.0], [0.9, -1.3], [2.0, 2.0], [-1e-4, 0.0]] {
                for torque in [0.0, 20.0, -900.0] {
                    let mut bench = Bench::new(Tracks::new(5, LENGTH, 0.02), velocity, speeds);
                    bench.inertia = Inertia { mass: 900.0, center_of_mass: Vec2::new(-0.1, 0.0), yaw: 300.0 };
                    bench.contacts.iter_mut().for_each(|contact| contact.dt = dt);
                    let mut input = bench.input(torque);
                    input.coasting.velocity = input.coasting.velocity + Vec2::new(0.0, 3.0 * dt);
                    let actual = bench.tracks.react(&input);
                    let (mut force, mut moment) = (Vec2::ZERO, 0.0);
                    for index in 0..10 {
                        let (side, k) = bench.tracks.place(index);
                        let arm = bench.wheels[index].parameters.position - bench.inertia.center_of_mass;
                        force = force + actual.forces[side][k];
                        moment += arm.cross(actual.forces[side][k]);
                    }
                    let needed = 900.0 / dt * (actual.motion.velocity - input.coasting.velocity);
                    let place = format!("{velocity:?} {speeds:?} {torque} N·m at {dt} s");
                    assert!((force - needed).norm() < 1e-4 * GRIP, "{place}: {force:?} for {needed:?}");
                    let needed = 300.0 / dt * (actual.motion.yaw_rate - input.coasting.yaw_rate);
                    assert!((moment - needed).abs() < 1e-4 * GRIP, "{place}: {moment} for {needed}");
                }
            }
        }
    }
}

/// A brake holds a standing track up to its capacity, and never turns it back.
#[test]
fn a_brake_stops_the_track_and_does_not_reverse_it() {
    let at = |speed: f64, capacity: f64| {
        let mut bench = Bench::new(Tracks::new(3, LENGTH, 0.02), Twist2::ZERO, [speed; 2]);
        bench.brakes = vec![capacity / 3.0; 6];
        bench.tracks.react(&bench.input(0.0)).speeds[0]
    };
    assert_eq!(at(0.0, 1.0), 0.0);
    assert_eq!(at(0.5, 1e9), 0.0);
    assert!(at(0.5, 10.0) >= 0.0);
}
