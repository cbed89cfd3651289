//! Loads against levers, moments and textbook formulas.

use proptest::prelude::*;

use super::*;

const CAR: [Vec2; 4] = [Vec2::new(0.0, 0.5), Vec2::new(0.0, -0.5), Vec2::new(2.0, 0.5), Vec2::new(2.0, -0.5)];

/// A car of 100 kg on massless wheels under 10 m/s², with its centre of mass at `x` and `height` [m].
fn car(x: f64, height: f64, roll: Option<RollSplit>) -> LoadModel {
    let center = Vec2::new(x, 0.0);
    let weights = Weights { mass: 100.0, center, height, positions: &CAR, wheel_masses: &[0.0; 4] };
    LoadModel::from_center_of_mass(&weights, 10.0, roll.as_ref())
}

/// Loads and lifted wheels at this acceleration.
fn at(model: &LoadModel, x: f64, y: f64) -> ([f64; 4], [bool; 4]) {
    let (mut loads, mut lifted) = ([0.0; 4], [false; 4]);
    model.loads(Vec2::new(x, y), 1.0, &mut loads, &mut lifted);
    (loads, lifted)
}

fn sum(v: &[f64]) -> f64 {
    v.iter().sum()
}

#[test]
fn the_static_split_follows_the_lever_rule() {
    let model = car(0.5, 0.0, None);
    for (load, expected) in model.at_rest.iter().zip([375.0, 375.0, 125.0, 125.0]) {
        assert!((load - expected).abs() < 1e-9, "{:?}", model.at_rest);
    }
}

#[test]
fn braking_moves_m_h_a_over_l_to_the_front() {
    let model = car(1.0, 0.4, None);
    let mut loads = [0.0; 4];
    model.loads(Vec2::new(-3.0, 0.0), 1.0, &mut loads, &mut [false; 4]);
    let transfer = 100.0 * 0.4 * 3.0 / 2.0;
    assert!((loads[2] + loads[3] - (500.0 + transfer)).abs() < 1e-9, "{loads:?}");
    assert!((sum(&loads) - 1000.0).abs() < 1e-9);
}

#[test]
fn a_left_turn_loads_the_right_wheels_until_the_left_lift() {
    let model = car(1.0, 0.4, None);
    let mut loads = [0.0; 4];
    model.loads(Vec2::new(0.0, 5.0), 1.0, &mut loads, &mut [false; 4]);
    assert!((loads[1] - loads[0] - 100.0 * 0.4 * 5.0).abs() < 1e-9, "{loads:?}");
    model.loads(Vec2::new(0.0, 30.0), 1.0, &mut loads, &mut [false; 4]);
    assert_eq!([loads[0], loads[2]], [0.0, 0.0]);
    assert!((sum(&loads) - 1000.0).abs() < 1e-9);
}

/// Standing on a slope of 30° nose up: N·cos in all, and m·g·sin·h/l moved to the rear.
#[test]
fn a_slope_takes_the_cosine_and_loads_the_lower_wheels() {
    let model = car(1.0, 0.4, None);
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let mut loads = [0.0; 4];
    model.loads(Vec2::new(10.0 * sin, 0.0), cos, &mut loads, &mut [false; 4]);
    assert!((sum(&loads) - 1000.0 * cos).abs() < 1e-9, "{loads:?}");
    let rear = 500.0 * cos + 100.0 * 10.0 * sin * 0.4 / 2.0;
    assert!((loads[0] + loads[1] - rear).abs() < 1e-9, "{loads:?} for {rear}");
}

#[test]
fn two_wheels_in_a_line_share_by_the_track_only() {
    let wheels = [Vec2::new(0.0, 0.5), Vec2::new(0.0, -0.5)];
    let weights =
        Weights { mass: 10.0, center: Vec2::new(0.3, 0.1), height: 0.0, positions: &wheels, wheel_masses: &[1.0, 1.0] };
    let model = LoadModel::from_center_of_mass(&weights, 10.0, None);
    assert!((model.at_rest[0] - 70.0).abs() < 1e-9 && (model.at_rest[1] - 50.0).abs() < 1e-9, "{model:?}");
}

#[test]
fn uniform_is_equal_whatever_the_centre() {
    let weights = Weights {
        mass: 8.0,
        center: Vec2::new(5.0, 5.0),
        height: 1.0,
        positions: &CAR[..2],
        wheel_masses: &[1.0, 2.0],
    };
    assert_eq!(LoadModel::uniform(&weights, 10.0).at_rest, [50.0, 60.0]);
}

/// ΔN_f = (m·a_y/t_f)·[(h − h_roll)·λ + (b/L)·h_f]: Milliken's numbers by hand. b = 0.5 m of L = 2 m, h = 0.4, λ = 0.7,
/// h_f = 0.1, h_r = 0.3: h_roll = 0.25, front 0.15·0.7 + 0.025 = 0.13, rear 0.15·0.3 + 0.225 = 0.27, together h.
#[test]
fn axles_share_the_roll_moment_by_stiffness_and_roll_centres() {
    let model = car(0.5, 0.4, Some(RollSplit { front_share: 0.7, center_heights: [0.1, 0.3] }));
    let (loads, lifted) = at(&model, 0.0, 1.0);
    for (load, expected) in loads.iter().zip([375.0 - 27.0, 375.0 + 27.0, 125.0 - 13.0, 125.0 + 13.0]) {
        assert!((load - expected).abs() < 1e-9, "{loads:?}");
    }
    assert_eq!(lifted, [false; 4]);
}

/// All roll stiffness in front: its inner wheel lifts at a_y = W_f·t/(2·m·h) = 3.125 m/s²; beyond, the rear takes the rest.
#[test]
fn beyond_lift_the_other_axle_takes_the_rest_of_the_roll_moment() {
    let model = car(0.5, 0.4, Some(RollSplit { front_share: 1.0, center_heights: [0.0; 2] }));
    assert_eq!(at(&model, 0.0, 3.1).1, [false; 4]);
    let (loads, lifted) = at(&model, 0.0, 5.0);
    assert_eq!(lifted, [false, false, true, false]);
    // Rear: the roll moment of 200 N·m less 125 N·m of the front, over the track of 1 m.
    for (load, expected) in loads.iter().zip([375.0 - 75.0, 375.0 + 75.0, 0.0, 250.0]) {
        assert!((load - expected).abs() < 1e-9, "{loads:?}");
    }
}

/// Beyond rollover the wheels of one side carry the whole load, distributed along the vehicle by the lever rule.
#[test]
fn two_wheels_of_one_side_carry_all_and_keep_the_pitch_moment() {
    let (loads, lifted) = at(&car(0.5, 0.4, None), -2.0, 30.0);
    assert_eq!(lifted, [true, false, true, false]);
    let front = 250.0 + 100.0 * 0.4 * 2.0 / 2.0;
    assert!((loads[3] - front).abs() < 1e-9 && (loads[1] - (1000.0 - front)).abs() < 1e-9, "{loads:?}");
}

/// The lag's step response is 1 − e^(−t/lag), at any step.
#[test]
fn felt_acceleration_follows_with_its_time_constant() {
    for steps in [4, 100] {
        let mut felt = FeltAcceleration::new(0.2);
        let dt = 0.2 / f64::from(steps);
        let mut feel = |a: f64| felt.follow(Vec2::new(a, 0.0), Vec2::ZERO, Twist2::ZERO, Vec2::ZERO, dt).x;
        assert_eq!(feel(0.0), 0.0);
        let last = (0..steps).map(|_| feel(1.0)).last().unwrap();
        assert!((last - (1.0 - (-1.0_f64).exp())).abs() < 1e-12, "{last}");
    }
}

/// Rigid body: a_G = a + ω̇×r − ω²·r.
#[test]
fn the_acceleration_of_the_centre_of_mass_includes_yaw_rate_and_yaw_acceleration() {
    let mut felt = FeltAcceleration::new(0.0);
    let mut feel = |wz: f64| {
        felt.follow(Vec2::new(1.0, 2.0), Vec2::new(0.5, 0.0), Twist2::new(9.0, 9.0, wz), Vec2::new(2.0, 0.25), 0.1)
    };
    assert_eq!(feel(1.0), Vec2::new(0.5 - 2.0, 2.0 - 0.25));
    let next = feel(1.5);
    assert!(
        (next - Vec2::new(0.5 - 5.0 * 0.25 - 2.25 * 2.0, 2.0 + 5.0 * 2.0 - 2.25 * 0.25)).norm() < 1e-12,
        "{next:?}"
    );
}

/// Left and right front, left and right rear [m].
fn axles(front: f64, wheelbase: f64, tracks: [f64; 2]) -> [Vec2; 4] {
    let rear = front - wheelbase;
    [(rear, 0.5 * tracks[1]), (rear, -0.5 * tracks[1]), (front, 0.5 * tracks[0]), (front, -0.5 * tracks[0])]
        .map(|(x, y)| Vec2::new(x, y))
}

/// On a wide rear and a narrow front axle the wheel that the transfer relieves most is not always the one that statics lifts.
#[test]
fn a_lifted_wheel_returns_to_the_ground_if_the_load_lies_on_its_side() {
    let positions = axles(0.0, 3.784683792374327, [0.47688593958890824, 1.4044552175072351]);
    let center = Vec2::new(-0.7463880287254236, 0.13499999999999998);
    let weights = Weights { mass: 100.0, center, height: 0.4955925, positions: &positions, wheel_masses: &[0.0; 4] };
    let roll = RollSplit { front_share: 0.8930928694548548, center_heights: [0.0; 2] };
    let model = LoadModel::from_center_of_mass(&weights, 10.0, Some(&roll));
    let acceleration = Vec2::new(-7.996141081783966, 5.768136138544265);
    let (mut loads, mut lifted) = ([0.0; 4], [false; 4]);
    model.loads(acceleration, 1.0, &mut loads, &mut lifted);
    let resultant = center - 0.1 * 0.4955925 * acceleration;
    let moment = loads.iter().zip(&positions).fold(Vec2::ZERO, |sum, (&n, &p)| sum + n * p);
    assert!((moment - 1000.0 * resultant).norm() < 1e-9, "{loads:?}");
    assert!(loads.iter().all(|&load| load >= 0.0) && lifted.iter().filter(|&&lifted| lifted).count() == 1, "{loads:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// While the resultant lies within the wheels' outline, force and both moments balance, and no load is negative. Outside it
    /// the sum holds. `lifted` marks exactly the wheels without load.
    #[test]
    fn loads_balance_as_long_as_statics_allows(front in -1.0..2.0_f64, wheelbase in 0.2..4.0_f64,
        tracks in prop::array::uniform2(0.2..2.0_f64), at in prop::array::uniform2(0.05..0.95_f64), height in 0.05..1.5_f64,
        a in prop::array::uniform2(-15.0..15.0_f64), share in prop::option::of(0.0..=1.0_f64), centers in prop::array::uniform2(0.0..0.05_f64))
    {
        let positions = axles(front, wheelbase, tracks);
        let width = tracks[0].min(tracks[1]);
        let center = Vec2::new(front - at[0] * wheelbase, 0.8 * (at[1] - 0.5) * width);
        let weights = Weights { mass: 100.0, center, height, positions: &positions, wheel_masses: &[0.0; 4] };
        let roll = share.map(|front_share| RollSplit { front_share, center_heights: centers });
        let model = LoadModel::from_center_of_mass(&weights, 10.0, roll.as_ref());
        let (mut loads, mut lifted) = ([0.0; 4], [false; 4]);
        model.loads(Vec2::new(a[0], a[1]), 1.0, &mut loads, &mut lifted);
        prop_assert!(loads.iter().all(|&n| n >= 0.0), "{loads:?}");
        prop_assert!((sum(&loads) - 1000.0).abs() < 1e-8, "{loads:?}");
        for i in 0..4 {
            prop_assert!(!lifted[i] || loads[i] == 0.0, "{loads:?} {lifted:?}");
        }
        let resultant = center - (0.1 * height) * Vec2::new(a[0], a[1]);
        let along = (front - resultant.x) / wheelbase;
        let half = 0.5 * (tracks[0] + along * (tracks[1] - tracks[0]));
        if (0.0..=1.0).contains(&along) && resultant.y.abs() <= half {
            let moment = loads.iter().zip(&positions).fold(Vec2::ZERO, |sum, (&n, &p)| sum + n * p);
            prop_assert!((moment - 1000.0 * resultant).norm() < 1e-7, "{loads:?} {lifted:?}");
        }
    }

    /// The mirror image has the mirrored loads, to the bit.
    #[test]
    fn loads_of_the_mirror_image_are_mirrored(a in prop::array::uniform2(-20.0..20.0_f64), x in 0.1..1.9_f64,
        share in prop::option::of(0.0..=1.0_f64))
    {
        let model = car(x, 0.7, share.map(|front_share| RollSplit { front_share, center_heights: [0.1, 0.2] }));
        let ((left, lifted_left), (right, lifted_right)) = (at(&model, a[0], a[1]), at(&model, a[0], -a[1]));
        let mirrored = [1, 0, 3, 2];
        prop_assert_eq!(left, mirrored.map(|i| right[i]));
        prop_assert_eq!(lifted_left, mirrored.map(|i| lifted_right[i]));
    }
}
