//! The laws against closed forms, one contact at a time.

use super::*;
use std::f64::consts::SQRT_2;

/// 10 kg under 98.1 N on a disc of 0.45 kg·m² and 0.3 m, rolling at 3 m/s.
const ROLLING: WheelContact = WheelContact {
    wheel: 0,
    velocity_in_wheel: Vec2::new(3.0, 0.0),
    pull_in_wheel: Vec2::ZERO,
    load: 98.1,
    mass: 10.0,
    spin: 10.0,
    torque: 0.0,
    radius: 0.3,
    inertia: 0.45,
    locked: false,
    camber: 0.0,
    relaxed_slip: Vec2::ZERO,
    ground_mu: None,
    ground_rolling_resistance: None,
    dt: 0.01,
};

const LOSSLESS: Coulomb = Coulomb { mu: 0.5, damping: 0.0, rolling_resistance: 0.0, limit: Limit::Circle };

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + b.abs())
}

#[test]
fn a_rolling_wheel_without_torque_feels_nothing() {
    assert_eq!(LOSSLESS.react(&ROLLING), WheelReaction::default());
}

/// A gripping wheel passes τ/R on to the ground, and its spin stays that of rolling.
#[test]
fn torque_within_grip_reaches_the_ground() {
    let reaction = LOSSLESS.react(&WheelContact { torque: 9.0, ..ROLLING });
    assert!(near(reaction.force_in_wheel.x, 30.0), "{reaction:?}");
    assert!(near(reaction.spin_acceleration, 0.0), "{reaction:?}");
}

/// Beyond its grip μ·N reaches the ground, and the remainder, τ − μ·N·R, spins the wheel up.
#[test]
fn torque_beyond_grip_spins_the_wheel() {
    let reaction = LOSSLESS.react(&WheelContact { torque: 90.0, ..ROLLING });
    assert!(near(reaction.force_in_wheel.x, 0.5 * 98.1), "{reaction:?}");
    assert!(near(reaction.spin_acceleration, (90.0 - 0.5 * 98.1 * 0.3) / 0.45), "{reaction:?}");
}

/// A lateral velocity of 1 mm/s is stopped within the step by m·v/dt.
#[test]
fn a_little_side_slip_stops_within_the_step() {
    let reaction = LOSSLESS.react(&WheelContact { velocity_in_wheel: Vec2::new(3.0, 1e-3), ..ROLLING });
    assert!(near(reaction.force_in_wheel.y, -10.0 * 1e-3 / 0.01), "{reaction:?}");
}

/// The circle scales the demand, keeping its direction; the axes cut each component, up to √2·μ·N in all.
#[test]
fn the_two_limits_differ_by_the_corner() {
    let contact = WheelContact { torque: 1e3, velocity_in_wheel: Vec2::new(3.0, -10.0 / 3.0), ..ROLLING };
    let most = 0.5 * 98.1;
    let circle = LOSSLESS.react(&contact).force_in_wheel;
    let axes = Coulomb { limit: Limit::Axes, ..LOSSLESS }.react(&contact).force_in_wheel;
    assert!(near(circle.x, most / SQRT_2) && near(circle.y, most / SQRT_2), "{circle:?}");
    assert!(near(axes.x, most) && near(axes.y, most), "{axes:?}");
}

#[test]
fn a_nan_limit_passes_through() {
    for limit in [Limit::Circle, Limit::Axes] {
        let force = limit.apply(Vec2::new(1.0, 2.0), f64::NAN);
        assert!(force.x.is_nan() && force.y.is_nan(), "{limit:?}: {force:?}");
    }
}

/// Damping and rolling resistance take c·ω + C_rr·N·R from the axle; a standing wheel has no rolling resistance.
#[test]
fn losses_brake_the_axle() {
    assert!(near(resisting_torque(&ROLLING, 0.2, 0.01), -(0.2 * 10.0 + 0.01 * 98.1 * 0.3)));
    assert_eq!(resisting_torque(&WheelContact { spin: 0.0, ..ROLLING }, 0.2, 0.01), 0.0);
    let on_sand = WheelContact { ground_rolling_resistance: Some(0.1), ..ROLLING };
    assert!(near(resisting_torque(&on_sand, 0.0, 0.01), -0.1 * 98.1 * 0.3));
}

/// Grip that the wheel's own force leaves unused holds the slope's pull along x, up to the limit.
#[test]
fn spare_grip_holds_the_slope() {
    let held = LOSSLESS.react(&WheelContact { pull_in_wheel: Vec2::new(20.0, 0.0), ..ROLLING });
    assert!(near(held.force_in_wheel.x, -20.0), "{held:?}");
    let slides = LOSSLESS.react(&WheelContact { pull_in_wheel: Vec2::new(200.0, 0.0), ..ROLLING });
    assert!(near(slides.force_in_wheel.x, -0.5 * 98.1), "{slides:?}");
}

/// On the axle, Ward and Iagnemma's resistance decelerates the wheel; at the contact it spins
/// the wheel up by the same F_rr·R/I.
#[test]
fn ward_and_iagnemmas_resistance_acts_at_the_axle_or_the_contact() {
    let expected = -98.1 * (0.0075 * (1.0 - (-150.0_f64).exp()) + 0.02 * 3.0);
    let axle = WardIagnemma { damping: 0.0, ..WardIagnemma::default() };
    let reaction = axle.react(&ROLLING);
    assert!(near(reaction.force_in_wheel.x, expected) && near(reaction.spin_acceleration, 0.0), "{reaction:?}");
    let contact = WardIagnemma { resistance_at: ResistanceAt::Contact, ..axle }.react(&ROLLING);
    assert!(near(contact.force_in_wheel.x, expected), "{contact:?}");
    assert!(near(contact.spin_acceleration, -expected * 0.3 / 0.45), "{contact:?}");
    assert_eq!(axle.resistance(98.1, 0.0), 0.0);
    assert_eq!(axle.resistance(98.1, -3.0), -axle.resistance(98.1, 3.0));
}

/// A wheel that slides at 4 m/s with both slips at saturation: N·C·s·√(1 − ½).
#[test]
fn the_ellipse_couples_its_axes() {
    let law = Ellipse { damping: 0.0, mu: 5.0, ..Ellipse::default() };
    let at = |vy: f64, spin: f64| {
        let velocity_in_wheel = Vec2::new(4.0, vy);
        // So heavy that no force changes its spin, and on so much mass that none stops its sliding.
        law.react(&WheelContact { velocity_in_wheel, spin, mass: 1e9, inertia: 1e9, torque: 0.0, ..ROLLING })
            .force_in_wheel
    };
    let rolling = 4.0 / ROLLING.radius;
    let combined = at(-2.0, 1.5 * rolling);
    assert!((combined.x - ROLLING.load * 7.5 * 0.1 * 0.5_f64.sqrt()).abs() < 1e-3, "{combined:?}");
    assert!((combined.y - ROLLING.load * 8.5 * 0.1 * 0.5_f64.sqrt()).abs() < 1e-3, "{combined:?}");
    let half = at(-4.0 * libm::tan(0.05), rolling);
    assert!(half.x.abs() < 1e-3 && (half.y - ROLLING.load * 8.5 * 0.05).abs() < 1e-3, "{half:?}");
}

#[test]
fn slips_are_regular_at_rest_and_signed() {
    assert_eq!(slip_ratio(Vec2::ZERO, 0.0), 0.0);
    assert!(near(slip_ratio(Vec2::new(3.0, 0.0), 6.0), 0.5));
    assert!(near(slip_ratio(Vec2::new(3.0, 0.0), 0.0), -1.0));
    assert_eq!(slip_ratio(Vec2::new(3.0, 0.0), -6.0), -1.0);
    assert_eq!(slip_angle(Vec2::ZERO), 0.0);
    assert!(near(slip_angle(Vec2::new(1e-4, 1e-4)), libm::asin(0.1)));
    for (x, y) in [(3.0, 2e-3), (3.0, 4e-3), (-3.0, 1.0), (0.0, -2.0)] {
        assert!(near(slip_angle(Vec2::new(x, y)), f64::atan2(y, x.abs())), "{x} {y}");
    }
}

/// A toy's wheel whose bearing damping would reverse it within an explicit step slows down without oscillating when it slips.
#[test]
fn a_light_wheel_that_slips_is_damped_without_oscillation() {
    let law = Coulomb { damping: 0.01, mu: 0.0, rolling_resistance: 0.0, limit: Limit::Circle };
    let (inertia, dt) = (1.5e-5, 0.005);
    let mut spin = 100.0;
    for _ in 0..20 {
        let contact = WheelContact { spin, inertia, dt, torque: 0.0, ..ROLLING };
        let next = spin + law.react(&contact).spin_acceleration * dt;
        assert!((0.0..spin).contains(&next), "{spin} to {next}");
        spin = next;
    }
    assert!(spin < 1e-6, "{spin}");
}

/// Laws whose contacts stick tell the losses at the axle: without grip, nothing else turns a wheel.
#[test]
fn the_losses_at_the_axle_are_those_that_slow_a_wheel_without_grip() {
    let mut sticking = Vec::new();
    for entry in FRICTION_LAWS {
        let law = (entry.default)();
        for spin in [10.0, -3.0] {
            let contact = WheelContact { load: 0.0, spin, ..ROLLING };
            let Some(Sticking { losses, losses_fall, grip, .. }) = law.sticking(&contact, spin) else { continue };
            let slowed = law.react(&contact).spin_acceleration * contact.inertia;
            assert!(near(losses, slowed) && losses * spin < 0.0, "{}: {losses} {slowed}", entry.name);
            let faster = law.sticking(&contact, spin + 1e-3).map_or(f64::NAN, |faster| faster.losses);
            assert!(((losses - faster) / 1e-3 / losses_fall - 1.0).abs() < 1e-9, "{}: {losses_fall}", entry.name);
            assert_eq!(grip.max, 0.0);
            sticking.push(entry.name);
        }
    }
    sticking.dedup();
    assert_eq!(sticking, ["default", "wardiagnemma"]);
}
