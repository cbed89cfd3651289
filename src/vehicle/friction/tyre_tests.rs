//! Tyre laws against closed forms, one contact at a time.

use super::*;
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// 3 kN on a wheel that rolls at 20 m/s under 400 kg.
const ROLLING: WheelContact = WheelContact {
    wheel: 0,
    velocity_in_wheel: Vec2::new(20.0, 0.0),
    pull_in_wheel: Vec2::ZERO,
    load: 3000.0,
    mass: 400.0,
    spin: 20.0 / 0.3,
    torque: 0.0,
    radius: 0.3,
    inertia: 1.0,
    locked: false,
    camber: 0.0,
    relaxed_slip: Vec2::ZERO,
    ground_mu: None,
    ground_rolling_resistance: None,
    dt: 0.001,
};

const LOSSLESS: Tyre = Tyre {
    mu: 1.0,
    damping: 0.0,
    rolling_resistance: 0.0,
    limit: Limit::Circle,
    relaxation_length: Vec2::ZERO,
    camber_stiffness: 0.0,
};

fn laws(tyre: Tyre) -> Vec<(&'static str, Box<dyn FrictionLaw>)> {
    let pacejka = |combined| {
        let set = |b, c, peak, e| MagicSet::new(b, c, peak, e, 1.0);
        Pacejka { tyre, longitudinal: set(12.0, 1.65, 1.0, 0.6), lateral: set(9.0, 1.3, 0.9, -0.8), combined }
    };
    let linear = |combined| Linear { tyre, combined, ..Linear::default() };
    vec![
        ("linear", Box::new(linear(Combined::Ellipse))),
        ("linear similarity", Box::new(linear(Combined::Similarity))),
        ("fiala", Box::new(Fiala { tyre, ..Fiala::default() })),
        ("pacejka", Box::new(pacejka(Combined::Ellipse))),
        ("pacejka similarity", Box::new(pacejka(Combined::Similarity))),
    ]
}

/// The lateral force of a free rolling wheel at this slip angle [rad]; the mass is large, so that nothing sticks.
fn lateral(law: &dyn FrictionLaw, angle: f64, contact: WheelContact) -> f64 {
    let v = contact.velocity_in_wheel.x;
    let velocity_in_wheel = Vec2::new(v, v * libm::tan(angle));
    law.react(&WheelContact { velocity_in_wheel, mass: 1e9, ..contact }).force_in_wheel.y
}

/// Slip ratio and force along x of a wheel that has settled under this torque [N·m] at a fixed speed.
fn settled(law: &dyn FrictionLaw, torque: f64, mut contact: WheelContact) -> (f64, f64) {
    contact.torque = torque;
    let mut force = 0.0;
    for _ in 0..20_000 {
        let reaction = law.react(&contact);
        contact.spin += reaction.spin_acceleration * contact.dt;
        force = reaction.force_in_wheel.x;
    }
    (slip_ratio(contact.velocity_in_wheel, contact.spin * contact.radius), force)
}

/// F_x = T/R, and κ from the law's own inverse: C_s·κ·N; the brush's cubic 1 − (1 − q/(3μN))³ = F/(μN); the Magic Formula.
#[test]
fn a_settled_wheel_has_the_slip_of_its_torque() {
    for dt in [0.001, 0.005, 0.02] {
        for (name, law) in laws(LOSSLESS) {
            for torque in [90.0, -300.0, 600.0, 750.0] {
                let (ratio, force) = settled(&*law, torque, WheelContact { dt, ..ROLLING });
                assert!((force / (torque / 0.3) - 1.0).abs() < 1e-9, "{name} {torque}: {force}");
                let share = force.abs() / 3000.0;
                let expected = match name {
                    "fiala" => 3.0 / 12.0 * (1.0 - (1.0 - share).cbrt()),
                    "linear" | "linear similarity" => share / 12.0,
                    _ => {
                        let y = libm::tan(libm::asin(share) / 1.65);
                        // Solve y = x − E·(x − atan x).
                        (0..200).fold(y, |x, _| (y - 0.6 * libm::atan(x)) / 0.4 * 0.3 + 0.7 * x) / 12.0
                    }
                };
                assert!((ratio.abs() / expected - 1.0).abs() < 1e-6, "{name} {torque} {dt}: {ratio} for {expected}");
                assert!(ratio * torque > 0.0);
            }
        }
    }
}

/// Slope B·C·D at zero and peak D, at tan(π/(2C)) = Bα − E·(Bα − atan Bα); the falling branch beyond it.
#[test]
fn the_magic_formula_shows_its_slope_and_its_peak() {
    let law = Pacejka { tyre: LOSSLESS, lateral: MagicSet::new(9.0, 1.4, 0.9, 0.3, 1.0), ..Pacejka::default() };
    let slope = -lateral(&law, 1e-5, ROLLING) / 1e-5;
    assert!((slope / (9.0 * 1.4 * 0.9 * 3000.0) - 1.0).abs() < 1e-6, "{slope}");
    let forces: Vec<f64> = (1..1500).map(|i| -lateral(&law, 1e-3 * f64::from(i), ROLLING)).collect();
    let peak = forces.iter().copied().fold(0.0, f64::max);
    assert!((peak / (0.9 * 3000.0) - 1.0).abs() < 1e-6, "{peak}");
    let at = 1e-3 * (1 + forces.iter().position(|force| *force == peak).unwrap_or(0)) as f64 * 9.0;
    let bent = at - 0.3 * (at - libm::atan(at));
    assert!((bent - libm::tan(FRAC_PI_2 / 1.4)).abs() < 0.02, "{bent}");
    let sliding = -lateral(&law, 1.5, ROLLING);
    assert!(sliding < 0.95 * peak, "{sliding}");
    // Half the load, half the force; the ground's μ scales the peak and leaves the slope.
    let half = WheelContact { load: 1500.0, ..ROLLING };
    assert!((lateral(&law, 0.05, half) / lateral(&law, 0.05, ROLLING) - 0.5).abs() < 1e-9);
    let wet = WheelContact { ground_mu: Some(0.4), ..ROLLING };
    assert!((-lateral(&law, 1e-5, wet) / 1e-5 / slope - 1.0).abs() < 1e-5);
    let wet_peak = (1..1500).map(|i| -lateral(&law, 1e-3 * f64::from(i), wet)).fold(0.0, f64::max);
    assert!((wet_peak / (0.4 * 0.9 * 3000.0) - 1.0).abs() < 1e-6, "{wet_peak}");
}

/// In the air ω' = (I·ω + T·dt)/(I + c·dt), backward Euler of I·ω̇ = T − c·ω, at any step.
#[test]
fn a_wheel_in_the_air_is_slowed_by_its_own_damping() {
    for (name, law) in laws(Tyre { damping: 5.0, ..LOSSLESS }) {
        for dt in [0.001, 0.02, 0.5] {
            for torque in [0.0, 40.0, -40.0] {
                let contact = WheelContact { load: 0.0, torque, dt, ..ROLLING };
                let reaction = law.react(&contact);
                let spin = contact.spin + reaction.spin_acceleration * dt;
                let expected = (contact.spin + torque * dt) / (1.0 + 5.0 * dt);
                assert!((spin / expected - 1.0).abs() < 1e-9, "{name} {dt} {torque}: {spin} for {expected}");
                assert_eq!(reaction.force_in_wheel, Vec2::ZERO);
            }
        }
    }
}

/// D·sin(C·atan(x − E·(x − atan x))) with B 9, C 1.3, D 0.9 N, E −0.8, per unit of D.
fn share_across(x: f64) -> f64 {
    libm::sin(1.3 * libm::atan(x + 0.8 * (x - libm::atan(x))))
}

/// Per axis the lateral force is that of the formula at its own slip angle alone, whatever the longitudinal slip, up to μN.
#[test]
fn per_axis_the_magic_formula_depends_on_its_own_slip_alone() {
    let tyre = Tyre { limit: Limit::Axes, ..LOSSLESS };
    let lateral_set = MagicSet::new(9.0, 1.3, 0.9, -0.8, 1.0);
    let law = Pacejka { tyre, lateral: lateral_set, ..Pacejka::default() };
    for angle in [0.01, 0.05, 0.1, 0.4] {
        for torque in [0.0, 700.0, -700.0] {
            let force = -lateral(&law, angle, WheelContact { torque, ..ROLLING });
            let expected = 0.9 * 3000.0 * share_across(9.0 * angle);
            assert!((force / expected - 1.0).abs() < 1e-5, "{angle} {torque}: {force} for {expected}");
        }
    }
}

/// Similarity: with one set for both axes the force is that of the resultant ρ = √((Bκ)² + (Bα)²), of which Bα/ρ is lateral.
#[test]
fn similarity_splits_the_force_of_the_resultant() {
    let set = || MagicSet::new(9.0, 1.3, 0.9, -0.8, 1.0);
    let law = Pacejka { tyre: LOSSLESS, longitudinal: set(), lateral: set(), combined: Combined::Similarity };
    for (angle, torque) in [(0.05, 300.0), (0.05, -300.0), (0.08, 500.0), (0.02, -600.0)] {
        let velocity_in_wheel = Vec2::new(20.0, 20.0 * libm::tan(angle));
        let mut contact = WheelContact { velocity_in_wheel, mass: 1e9, torque, ..ROLLING };
        let mut force = Vec2::ZERO;
        for _ in 0..20_000 {
            let reaction = law.react(&contact);
            contact.spin += reaction.spin_acceleration * contact.dt;
            force = reaction.force_in_wheel;
        }
        let ratio = slip_ratio(Vec2::new(20.0, 0.0), contact.spin * contact.radius);
        let resultant = (9.0 * ratio).hypot(9.0 * angle);
        let whole = 0.9 * 3000.0 * share_across(resultant);
        assert!(
            (-force.y / (whole * 9.0 * angle / resultant) - 1.0).abs() < 1e-4,
            "{angle} {torque}: {force:?}, {ratio}"
        );
        assert!(
            (force.x / (whole * 9.0 * ratio / resultant) - 1.0).abs() < 1e-4,
            "{angle} {torque}: {force:?}, {ratio}"
        );
    }
}

/// F = μN from tan α = 3μN/C on, and C·z − C²z²/(3μN) + C³z³/(27μ²N²) below.
#[test]
fn fialas_tyre_slides_beyond_its_limit() {
    let law = Fiala { tyre: LOSSLESS, ..Fiala::default() };
    let limit = libm::atan(3.0 / 10.0);
    assert_eq!(-lateral(&law, limit + 1e-9, ROLLING), 3000.0);
    assert_eq!(-lateral(&law, 1.2, ROLLING), 3000.0);
    let (c, most, z) = (30_000.0, 3000.0, libm::tan(0.1));
    let expected = c * z - c * c * z * z / (3.0 * most) + c * c * c * z * z * z / (27.0 * most * most);
    assert!((-lateral(&law, 0.1, ROLLING) / expected - 1.0).abs() < 1e-12);
    let below = -lateral(&law, 0.99 * limit, ROLLING);
    assert!(below < 3000.0 && below > 2999.0, "{below}");
}

/// A driven brush slides against its slip velocity: with one stiffness F_y/F_x = v_y/(v_x − ωR).
#[test]
fn a_sliding_brush_pushes_against_its_slip_velocity() {
    let stiffness = Stiffness { c_s: 20.0, c_alpha: 20.0, per_load: true };
    let law = Fiala { tyre: LOSSLESS, stiffness };
    for torque in [2000.0, -2000.0] {
        let contact =
            WheelContact { torque, velocity_in_wheel: Vec2::new(5.0, 2.0), spin: 5.0 / 0.3, mass: 1e9, ..ROLLING };
        let reaction = law.react(&contact);
        let slip = contact.velocity_in_wheel.x - 0.3 * (contact.spin + reaction.spin_acceleration * contact.dt);
        let force = reaction.force_in_wheel;
        assert!((force.y / force.x - 2.0 / slip).abs() < 1e-3, "{force:?} for {slip}");
        assert!(force.x * slip < 0.0);
    }
}

/// The settings of the study (B 3 and 10, C 1.45, D 19.0569 and 1.371 N under 13.71 N, E 0.52 and 0.97), and coefficients that
/// give the same D: b2 = 1000·D/F_z.
#[test]
fn the_table_of_the_study_gives_its_curves() {
    let load = 13.71;
    let mu = 19.0569 / load;
    let law = Pacejka {
        tyre: Tyre { mu, ..LOSSLESS },
        longitudinal: MagicSet::new(3.0, 1.45, 1.0, 0.52, mu),
        lateral: MagicSet::new(10.0, 1.45, 1.371 / load / mu, 0.97, mu),
        combined: Combined::Ellipse,
    };
    let contact = WheelContact { load, mass: 1.42, inertia: 4.1e-4, radius: 0.05, spin: 400.0, ..ROLLING };
    for angle in [0.01, 0.1, 0.5, 1.4] {
        let x: f64 = 10.0 * angle;
        let expected = 1.371 * libm::sin(1.45 * libm::atan(x - 0.97 * (x - libm::atan(x))));
        let actual = -lateral(&law, angle, contact);
        assert!((actual / expected - 1.0).abs() < 1e-9, "{angle}: {actual} for {expected}");
    }
    let (ratio, force) = settled(&law, 0.5, contact);
    let x = 3.0 * ratio;
    let expected = 19.0569 * libm::sin(1.45 * libm::atan(x - 0.52 * (x - libm::atan(x))));
    assert!((force / expected - 1.0).abs() < 1e-6 && (force - 10.0).abs() < 1e-6, "{force} for {expected}");
    assert!((1390.0 * 1e-3 * load - 19.0569).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// (F_x/D_x)² + (F_y/D_y)² ≤ 1 with the peaks that the ground allows, in any state of motion.
    #[test]
    fn no_force_leaves_the_ellipse(vx in -40.0..40.0_f64, vy in -40.0..40.0_f64, rim in -60.0..60.0_f64, torque in -5e3..5e3_f64,
        load in 1.0..1e4_f64, ground in prop::option::of(0.05..1.5_f64), pull in -3e3..3e3_f64, locked in any::<bool>(), dt in 1e-4..0.02_f64) {
        let contact = WheelContact {
            velocity_in_wheel: Vec2::new(vx, vy), spin: rim / 0.3, torque, load, ground_mu: ground,
            pull_in_wheel: Vec2::new(0.0, pull), locked, dt, ..ROLLING
        };
        for (name, law) in laws(LOSSLESS) {
            let most = ground.unwrap_or(1.0) * load;
            let across = if name.starts_with("pacejka") { 0.9 * most } else { most };
            let force = law.react(&contact).force_in_wheel;
            let used = (force.x / most).powi(2) + (force.y / across).powi(2);
            prop_assert!(used <= 1.0 + 1e-9, "{name}: {force:?} is {used} of {most} N");
            prop_assert!(force.norm() <= most * (1.0 + 1e-12), "{name}: {force:?}");
        }
    }

    /// Without a pull a tyre dissipates energy: F_x·s' ≤ 0 with the slip speed s' = v_x − ω'R after the step, and F_y·v_y' ≤ 0
    /// with v_y' = v_y + F_y·dt/m.
    #[test]
    fn no_tyre_generates_energy(vx in -40.0..40.0_f64, vy in -40.0..40.0_f64, rim in -60.0..60.0_f64, torque in -5e3..5e3_f64,
        inertia in 1e-3..10.0_f64, mass in 1.0..1e3_f64, dt in 1e-4..0.02_f64) {
        let contact = WheelContact {
            velocity_in_wheel: Vec2::new(vx, vy), spin: rim / 0.3, torque, inertia, mass, dt, ..ROLLING
        };
        for (name, law) in laws(LOSSLESS) {
            let reaction = law.react(&contact);
            let force = reaction.force_in_wheel;
            let slip = vx - 0.3 * (contact.spin + reaction.spin_acceleration * dt);
            let rounding = 1e-9 * (1.0 + rim.abs() + torque.abs());
            prop_assert!(force.x * slip <= rounding * force.x.abs(), "{name}: {force:?} at {slip}");
            let after = vy + force.y * dt / mass;
            prop_assert!(force.y * after <= 1e-12 * force.y.abs() * vy.abs(), "{name}: {force:?} at {after}");
        }
    }

    /// The spin after a step grows with the torque, without jumps: by at most dt/I per torque.
    #[test]
    fn spin_grows_smoothly_with_torque(vx in -40.0..40.0_f64, vy in -10.0..10.0_f64, rim in -60.0..60.0_f64, torque in -3e3..3e3_f64,
        more in 0.01..10.0_f64, inertia in 1e-3..10.0_f64, dt in 1e-4..0.02_f64) {
        let contact =
            WheelContact { velocity_in_wheel: Vec2::new(vx, vy), spin: rim / 0.3, torque, inertia, dt, ..ROLLING };
        for (name, law) in laws(LOSSLESS) {
            let spin = |torque: f64| {
                law.react(&WheelContact { torque, ..contact }).spin_acceleration * contact.inertia
            };
            let grown = spin(torque + more) - spin(torque);
            let rounding = 1e-5 * (torque.abs() + 1e3);
            prop_assert!(grown >= -rounding && grown <= more + rounding, "{name}: {grown} of {more}");
        }
    }

    /// Mirror images to the bit, with relaxation and camber too, and under either limit.
    #[test]
    fn mirrored_contacts_have_mirrored_reactions(vx in -40.0..40.0_f64, vy in -40.0..40.0_f64, rim in -60.0..60.0_f64,
        torque in -5e3..5e3_f64, memory in prop::array::uniform2(-0.5..0.5_f64), camber in -0.2..0.2_f64, pull in -500.0..500.0_f64) {
        let tyre = Tyre { relaxation_length: Vec2::new(0.2, 0.4), camber_stiffness: 1.0, ..LOSSLESS };
        let contact = WheelContact {
            velocity_in_wheel: Vec2::new(vx, vy), spin: rim / 0.3, torque, camber,
            pull_in_wheel: Vec2::new(0.0, pull), relaxed_slip: Vec2::new(memory[0], memory[1]), ..ROLLING
        };
        let mirrored = WheelContact {
            velocity_in_wheel: Vec2::new(vx, -vy), camber: -camber, pull_in_wheel: Vec2::new(0.0, -pull),
            relaxed_slip: Vec2::new(memory[0], -memory[1]), ..contact
        };
        let reversed = WheelContact {
            velocity_in_wheel: Vec2::new(-vx, vy), spin: -contact.spin, torque: -torque,
            relaxed_slip: Vec2::new(-memory[0], memory[1]), ..contact
        };
        for (name, law) in laws(tyre) {
            let (a, b, c) = (law.react(&contact), law.react(&mirrored), law.react(&reversed));
            let flip = |v: Vec2, x: f64, y: f64| Vec2::new(x * v.x, y * v.y);
            prop_assert_eq!((a.force_in_wheel, a.spin_acceleration, a.relaxed_slip),
                (flip(b.force_in_wheel, 1.0, -1.0), b.spin_acceleration, flip(b.relaxed_slip, 1.0, -1.0)), "{}", name);
            prop_assert_eq!((a.force_in_wheel, a.spin_acceleration, a.relaxed_slip),
                (flip(c.force_in_wheel, -1.0, 1.0), -c.spin_acceleration, flip(c.relaxed_slip, -1.0, 1.0)), "{}", name);
        }
    }
}

/// A standing contact holds any lateral pull, and a slow one stops lateral motion within the step.
#[test]
fn a_slow_contact_sticks() {
    for (name, law) in laws(LOSSLESS) {
        for (vx, vy, pull) in [(0.0, 0.0, 300.0), (0.0, 1e-3, 0.0), (0.01, -1e-3, 0.0)] {
            let velocity_in_wheel = Vec2::new(vx, vy);
            let pull_in_wheel = Vec2::new(0.0, pull);
            let actual =
                law.react(&WheelContact { velocity_in_wheel, pull_in_wheel, spin: vx / 0.3, dt: 0.005, ..ROLLING });
            let expected = -400.0 * vy / 0.005 - pull;
            assert!((actual.force_in_wheel.y - expected).abs() < 1e-9, "{name}: {actual:?} for {expected}");
        }
    }
}

/// At any speed and step a mass under a steady pull takes the slip whose force balances it, and stays there: that of the stiffness where
/// the contact sticks, and that of the curve else.
#[test]
fn the_slip_under_a_steady_pull_does_not_depend_on_the_step() {
    let pull = 100.0;
    for (name, law) in laws(LOSSLESS) {
        for vx in [0.01, 0.1, 3.0, 20.0] {
            let slips = [1e-4, 1e-3, 5e-3, 2e-2].map(|dt| {
                let mut vy = 0.0;
                for _ in 0..((2.0 + vx) / dt) as usize {
                    let contact = WheelContact {
                        velocity_in_wheel: Vec2::new(vx, vy),
                        pull_in_wheel: Vec2::new(0.0, pull),
                        spin: vx / 0.3,
                        dt,
                        ..ROLLING
                    };
                    vy += dt / contact.mass * (law.react(&contact).force_in_wheel.y + pull);
                }
                vy / vx
            });
            for slip in slips {
                assert!(slip > 0.0 && (slip / slips[3] - 1.0).abs() < 0.02, "{name} at {vx} m/s: {slips:?}");
            }
        }
    }
}
