//! The suspension of a vehicle against closed forms: how far it leans under given forces, and how that moves the load of its wheels.

use skidpad_math::Vec2;

use super::*;
use crate::loads::{LoadModel, Weights};

const GRAVITY: f64 = 9.81;
const WHEELBASE: f64 = 2.6;
const TRACK: f64 = 1.5;
/// Height of the centre of mass of the whole car [m].
const HEIGHT: f64 = 0.55;
const WHEEL_MASS: f64 = 20.0;
const RADIUS: f64 = 0.31;

/// A car of 1 100 kg and four wheels with these axles, front and rear.
struct Car {
    suspension: Suspension,
    loads: Vec<f64>,
    lifted: Vec<bool>,
    at_rest: Vec<f64>,
    air: AirOnBody,
}

fn axle(frequency: f64) -> AxleSuspension {
    AxleSuspension {
        rate: Rate::Frequency(frequency),
        damping: Damping::Ratio(0.4),
        anti_roll_bar: 0.0,
        travel: Some([0.2; 2]),
        stop_rate: None,
        tyre_rate: None,
        tyre_damping: 0.0,
        roll_center: 0.0,
        spring_distance: None,
    }
}

impl Car {
    fn new(axles: [AxleSuspension; 2], anti_pitch: [f64; 2]) -> Car {
        let outline = [(-0.6, -0.8), (3.2, -0.8), (3.2, 0.8), (-0.6, 0.8)].map(|(x, y)| Vec2::new(x, y)).to_vec();
        let mut chassis = Chassis::uniform(outline, 1100.0, [0.2, 1.4], [0; 4]);
        chassis.center_of_mass_height = HEIGHT;
        let places = [(0.0, 0.5), (0.0, -0.5), (WHEELBASE, 0.5), (WHEELBASE, -0.5)];
        let wheels: Vec<WheelParameters> = places
            .map(|(x, side)| WheelParameters {
                mass: WHEEL_MASS,
                radius: RADIUS,
                ..WheelParameters::new("wheel", Vec2::new(x, side * TRACK))
            })
            .to_vec();
        let positions: Vec<Vec2> = wheels.iter().map(|wheel| wheel.position).collect();
        let weights = Weights {
            mass: chassis.mass,
            center: chassis.center_of_mass,
            height: HEIGHT,
            positions: &positions,
            wheel_masses: &[WHEEL_MASS; 4],
        };
        let at_rest = LoadModel::from_center_of_mass(&weights, GRAVITY, None).at_rest;
        let parameters =
            SuspensionParameters { axles: axles.to_vec(), inertia: [450.0, 1500.0], anti_pitch, body_friction: 0.5 };
        let suspension = Suspension::new(&parameters, &chassis, &wheels, (&at_rest, GRAVITY));
        Car { suspension, loads: at_rest.clone(), lifted: vec![false; 4], at_rest, air: AirOnBody::default() }
    }

    /// Lets the same force [N] act at each wheel for a time [s].
    fn push(&mut self, force: Vec2, seconds: f64) {
        for _ in 0..(seconds / 0.005) as u32 {
            if self.suspension.has_landed() {
                return;
            }
            self.suspension.carry((GRAVITY, 0.005), (|_| force, &self.air), (&mut self.loads, &mut self.lifted));
        }
    }

    fn mass() -> f64 {
        1100.0 + 4.0 * WHEEL_MASS
    }

    /// How much more the right wheel carries than the left one, by axle [N]: the rear one first.
    fn to_the_right(&self) -> [f64; 2] {
        [self.loads[1] - self.loads[0], self.loads[3] - self.loads[2]]
    }
}

#[test]
fn it_stands_level_under_its_loads_at_rest() {
    let mut car = Car::new([axle(1.2), axle(1.5)], [0.0; 2]);
    car.push(Vec2::ZERO, 2.0);
    let Lean { z, pitch, roll, .. } = car.suspension.lean();
    assert!(z.abs() < 1e-12 && pitch.abs() < 1e-12 && roll.abs() < 1e-12);
    for (load, at_rest) in car.loads.iter().zip(&car.at_rest) {
        assert!((load - at_rest).abs() < 1e-7, "{load} N, at rest {at_rest} N");
    }
}

/// How far [rad] a car rolls whose axles have the roll centre at `axis` [m], under the lateral acceleration a [m/s²]: springs feel
/// m_s·a·(h_s − h_r), tyres the whole moment, and both m_s·g·(h_s − h_r)·φ.
fn expected_roll(body: &SprungBody, acceleration: f64, axis: f64) -> f64 {
    let arm_squared = (0.5 * TRACK) * (0.5 * TRACK);
    let give = |rate: fn(&Strut) -> f64| 1.0 / body.struts.iter().map(|strut| rate(strut) * arm_squared).sum::<f64>();
    let (of_springs, of_tyres) = (give(|strut| strut.rate), give(|strut| strut.tyre_rate));
    let height = (Car::mass() * HEIGHT - 4.0 * WHEEL_MASS * RADIUS) / body.mass;
    let [by_springs, by_links] = [body.mass * (height - axis), body.mass * axis + 4.0 * WHEEL_MASS * RADIUS];
    let whole = of_springs + of_tyres;
    acceleration * (by_springs * whole + by_links * of_tyres) / (1.0 - body.mass * GRAVITY * (height - axis) * whole)
}

#[test]
fn it_rolls_out_of_a_turn_and_moves_the_load_that_its_height_says() {
    let acceleration = 3.0;
    let force = Vec2::new(0.0, Car::mass() * acceleration / 4.0);
    for axis in [0.0, 0.1] {
        let mut car = Car::new([AxleSuspension { roll_center: axis, ..axle(1.2) }; 2], [0.0; 2]);
        car.push(force, 10.0);
        let (roll, body) = (car.suspension.lean().roll, &car.suspension.body);
        let expected = expected_roll(body, acceleration, axis);
        assert!(
            (roll / expected - 1.0).abs() < 1e-9 && roll > 0.02,
            "{roll} rad, expected {expected} rad to the right"
        );
        let moved: f64 = car.to_the_right().iter().sum::<f64>() * 0.5 * TRACK;
        let moment = Car::mass() * acceleration * HEIGHT + body.mass * GRAVITY * body.height_above_roll_axis * roll;
        assert!((moved / moment - 1.0).abs() < 1e-9, "{moved} N·m, expected {moment} N·m");
    }
}

/// With an anti-roll bar in front the front axle moves more of the same load.
#[test]
fn an_anti_roll_bar_moves_load_to_its_axle() {
    let settled = |axles| {
        let mut car = Car::new(axles, [0.0; 2]);
        car.push(Vec2::new(0.0, Car::mass() * 2.0 / 4.0), 10.0);
        (car.to_the_right(), car.suspension.lean().roll)
    };
    let (plain, roll) = settled([axle(1.2), axle(1.2)]);
    let (barred, rolls_less) = settled([AxleSuspension { anti_roll_bar: 2e4, ..axle(1.2) }, axle(1.2)]);
    assert!(barred[1] > plain[1] + 100.0 && barred[0] < plain[0] - 100.0 && rolls_less < 0.8 * roll);
}

#[test]
fn braking_moves_m_a_h_over_l_and_dives_unless_links_hold_it() {
    let deceleration = 4.0;
    let force = Vec2::new(-Car::mass() * deceleration / 4.0, 0.0);
    let settled = |anti_pitch| {
        let mut car = Car::new([axle(1.2), axle(1.3)], anti_pitch);
        car.push(force, 10.0);
        let moved = car.loads[2] + car.loads[3] - car.at_rest[2] - car.at_rest[3];
        (car.suspension.lean().pitch, moved)
    };
    let (dives, moved) = settled([0.0; 2]);
    let expected = Car::mass() * deceleration * HEIGHT / WHEELBASE;
    // The weight leans ahead with the body.
    let body = Car::new([axle(1.2), axle(1.3)], [0.0; 2]).suspension.body;
    let ahead = body.mass * GRAVITY * body.height_above_roll_axis * dives / WHEELBASE;
    assert!(dives > 0.01 && ((moved - ahead) / expected - 1.0).abs() < 1e-9, "{dives} rad, {moved} N of {expected} N");
    // What links move still presses the tyres, ten times as stiff as the springs.
    for share in [0.5, 1.0] {
        let (pitch, _) = settled([share, 0.0]);
        assert!((pitch / dives - (1.1 - share) / 1.1).abs() < 1e-3, "{share}: {pitch} rad of {dives} rad");
    }
    assert_eq!(settled([0.0, 1.0]).0, dives, "anti-squat is for driving");
}

/// Downforce presses its axles as it is given, and drag above the centre of mass lifts the nose.
#[test]
fn the_air_presses_and_leans_it() {
    let mut car = Car::new([axle(1.2), axle(1.3)], [0.0; 2]);
    car.air = AirOnBody { lift: -3000.0, lift_moment: Vec2::new(-1000.0 * WHEELBASE, 0.0), ..AirOnBody::default() };
    car.push(Vec2::ZERO, 10.0);
    let [rear, front] =
        [[0, 1], [2, 3]].map(|axle: [usize; 2]| axle.map(|i| car.loads[i] - car.at_rest[i]).iter().sum());
    let body = &car.suspension.body;
    let leans = body.mass * GRAVITY * body.height_above_roll_axis * car.suspension.lean().pitch / WHEELBASE;
    let (rear, front): (f64, f64) = (rear, front);
    assert!((rear + leans - 2000.0).abs() < 1e-3 && (front - leans - 1000.0).abs() < 1e-3, "{rear} N, {front} N");
    // The tyres balance the drag; it acts by a metre higher.
    let mut car = Car::new([axle(1.2), axle(1.3)], [0.0; 2]);
    let (drag, high) = (600.0, 1.0);
    car.air = AirOnBody { force_in_body: Vec2::new(-drag, 0.0), height: Some(HEIGHT + high), ..AirOnBody::default() };
    car.push(Vec2::new(drag / 4.0, 0.0), 10.0);
    let (moved, body) = (car.loads[0] + car.loads[1] - car.at_rest[0] - car.at_rest[1], &car.suspension.body);
    let leans = body.mass * GRAVITY * body.height_above_roll_axis * car.suspension.lean().pitch / WHEELBASE;
    let expected = drag * (HEIGHT + high) / WHEELBASE - leans;
    assert!((moved / expected - 1.0).abs() < 1e-6, "{moved} N, expected {expected} N");
}

/// Springs of a beam axle resist roll by their own distance, k·b²/2, and heave as before.
#[test]
fn springs_of_a_beam_axle_resist_roll_by_their_distance() {
    let settled = |axle: AxleSuspension| {
        let mut car = Car::new([axle; 2], [0.0; 2]);
        car.push(Vec2::new(0.0, Car::mass() * 1.0 / 4.0), 10.0);
        (car.suspension.lean(), car.suspension.body)
    };
    let (near, body) = settled(AxleSuspension { spring_distance: Some(0.5 * TRACK), ..axle(3.0) });
    let stiffness = |distance: f64, rate: fn(&Strut) -> f64| {
        0.5 * distance * distance * body.struts.iter().map(rate).sum::<f64>() / 2.0
    };
    let give = 1.0 / stiffness(0.5 * TRACK, |strut| strut.rate) + 1.0 / stiffness(TRACK, |strut| strut.tyre_rate);
    let height = (Car::mass() * HEIGHT - 4.0 * WHEEL_MASS * RADIUS) / body.mass;
    let of_tyres = 1.0 / stiffness(TRACK, |strut| strut.tyre_rate);
    let lean = body.mass * height * give + 4.0 * WHEEL_MASS * RADIUS * of_tyres;
    let expected = lean / (1.0 - body.mass * GRAVITY * height * give);
    assert!((near.roll / expected - 1.0).abs() < 1e-9, "{} rad, expected {expected} rad", near.roll);
}

/// Past g·t/(2·h), less what the lean takes, both wheels of a side hang in the air.
#[test]
fn the_inner_wheels_lift_before_the_rigid_limit() {
    let rigid = GRAVITY * TRACK / (2.0 * HEIGHT);
    let lifted_at = |share: f64| {
        let mut car = Car::new([axle(2.0), axle(2.0)], [0.0; 2]);
        car.push(Vec2::new(0.0, share * rigid * Car::mass() / 4.0), 0.6);
        car.lifted
    };
    assert_eq!(lifted_at(0.8), [false; 4]);
    assert_eq!(lifted_at(1.05), [true, false, true, false]);
}

/// The limit of a slow turn, with the centre of mass that leans out: m·a·h + m_s·g·h·φ(a) = m·g·t/2 (T. D. Gillespie, "Fundamentals of
/// Vehicle Dynamics", ch. 9).
#[test]
fn a_slow_turn_tips_it_over_at_its_static_limit() {
    let body = Car::new([axle(2.0), axle(2.0)], [0.0; 2]).suspension.body;
    let per_acceleration =
        Car::mass() * HEIGHT + body.mass * GRAVITY * body.height_above_roll_axis * expected_roll(&body, 1.0, 0.0);
    let limit = Car::mass() * GRAVITY * 0.5 * TRACK / per_acceleration;
    assert!(limit < 0.97 * GRAVITY * TRACK / (2.0 * HEIGHT));
    let tips = |acceleration: f64| {
        let mut car = Car::new([axle(2.0), axle(2.0)], [0.0; 2]);
        for share in 0..400 {
            let force = f64::from(share) / 400.0 * acceleration * Car::mass() / 4.0;
            car.push(Vec2::new(0.0, force), 0.05);
        }
        car.push(Vec2::new(0.0, acceleration * Car::mass() / 4.0), 10.0);
        car.suspension.has_landed()
    };
    assert!(!tips(0.99 * limit) && tips(1.01 * limit), "{limit} m/s²");
}

#[test]
fn a_plane_that_tilts_under_it_leaves_it_where_it_is_in_space() {
    let mut car = Car::new([axle(1.2), axle(1.2)], [0.0; 2]);
    car.suspension.stand_on(&Stance::default());
    car.push(Vec2::ZERO, 0.1);
    car.suspension.stand_on(&Stance { z: 0.02, pitch: -0.01, roll: 0.005, ground: &[] });
    let Lean { z, pitch, roll, .. } = car.suspension.lean();
    assert!((z + 0.02).abs() < 1e-15 && (pitch - 0.01).abs() < 1e-15 && (roll + 0.005).abs() < 1e-15);
    car.push(Vec2::ZERO, 10.0);
    let Lean { z, pitch, roll, .. } = car.suspension.lean();
    assert!(
        z.abs() < 1e-6 && pitch.abs() < 1e-6 && roll.abs() < 1e-6,
        "it settles on the new plane: {z} {pitch} {roll}"
    );
}
