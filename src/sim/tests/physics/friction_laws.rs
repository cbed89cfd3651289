//! Properties of every friction law, for any contact in a wide physical range.

use std::path::Path;

use proptest::prelude::*;
use skidpad_math::Vec2;
use skidpad_sim::friction::{
    Coulomb, Ellipse, FRICTION_LAWS, Fiala, FrictionLaw, Limit, Linear, Pacejka, Tyre, WardIagnemma, WheelContact,
};
use skidpad_sim::world::{LoadOptions, World};

/// Every law of the table with its defaults, and with both limits at this μ.
fn laws(mu: f64, limit: Limit) -> Vec<(&'static str, Box<dyn FrictionLaw>)> {
    let tyre = Tyre { mu, limit, ..Tyre::default() };
    vec![
        ("default", Box::new(Coulomb { mu, limit, ..Coulomb::default() })),
        ("wardiagnemma", Box::new(WardIagnemma { mu, limit, ..WardIagnemma::default() })),
        ("ellipse", Box::new(Ellipse { mu, limit, ..Ellipse::default() })),
        ("linear", Box::new(Linear { tyre, ..Linear::default() })),
        ("fiala", Box::new(Fiala { tyre, ..Fiala::default() })),
        ("pacejka", Box::new(Pacejka { tyre, ..Pacejka::default() })),
    ]
}

#[test]
fn these_are_all_the_laws() {
    let tested: Vec<&str> = laws(1.0, Limit::Circle).iter().map(|law| law.0).collect();
    let known: Vec<&str> = FRICTION_LAWS.iter().map(|entry| entry.name).collect();
    assert_eq!(tested, known);
}

/// Toy car to mining truck: ±60 m/s, 0 to 1e5 N, wheels of 1 cm to 2 m, steps of 0.1 to 20 ms.
fn contacts() -> impl Strategy<Value = WheelContact> {
    let speed = prop_oneof![Just(0.0), -1e-3..1e-3, -60.0..60.0];
    let other = prop_oneof![Just(0.0), -1e-3..1e-3, -60.0..60.0];
    let torque = prop_oneof![Just(0.0), -1e4..1e4];
    (speed, other, 0.0..1e5, 1e-2..1e4, -600.0..600.0, torque, 0.01..2.0, 1e-5..100.0, 1e-4..0.02).prop_map(
        |(vx, vy, load, mass, spin, torque, radius, inertia, dt)| WheelContact {
            wheel: 0,
            velocity_in_wheel: Vec2::new(vx, vy),
            pull_in_wheel: Vec2::ZERO,
            load,
            mass,
            spin,
            torque,
            radius,
            inertia,
            locked: false,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: None,
            ground_rolling_resistance: None,
            dt,
        },
    )
}

const ROUNDING: f64 = 1.0 + 1e-12;

/// The same for the forces of a law of this name. Those with slip are solved until steps of 1e-4 leave an error of the square of that; the
/// Magic Formula's come from a table, too.
fn rounding(name: &str) -> f64 {
    match name {
        "linear" | "fiala" => 1.0 + 1e-8,
        "pacejka" => 1.0 + 1e-6,
        _ => ROUNDING,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Coulomb: |F| ≤ μN with the circle; |F_x| ≤ μN and |F_y| ≤ μN with the axes.
    #[test]
    fn force_stays_within_grip(contact in contacts(), mu in 0.0..2.0) {
        for (name, law) in laws(mu, Limit::Circle) {
            let f = law.react(&contact).force_in_wheel;
            prop_assert!(f.norm() <= mu * contact.load * ROUNDING, "{name}: {f:?}");
        }
        for (name, law) in laws(mu, Limit::Axes) {
            let f = law.react(&contact).force_in_wheel;
            prop_assert!(f.x.abs().max(f.y.abs()) <= mu * contact.load * ROUNDING, "{name}: {f:?}");
        }
    }

    /// The mirror image of a contact has the mirror image of its force, and the same spin, to the bit; so has the one that
    /// runs backwards.
    #[test]
    fn left_and_right_and_forward_and_back_are_mirrored(contact in contacts(), mu in 0.0..2.0) {
        let v = contact.velocity_in_wheel;
        let mirrored = WheelContact { velocity_in_wheel: Vec2::new(v.x, -v.y), ..contact };
        let reversed = WheelContact {
            velocity_in_wheel: Vec2::new(-v.x, v.y), spin: -contact.spin, torque: -contact.torque, ..contact
        };
        for limit in [Limit::Circle, Limit::Axes] {
            for (name, law) in laws(mu, limit) {
                let (a, b, c) = (law.react(&contact), law.react(&mirrored), law.react(&reversed));
                prop_assert_eq!((a.force_in_wheel.x, a.force_in_wheel.y), (b.force_in_wheel.x, -b.force_in_wheel.y), "{}", name);
                prop_assert_eq!(a.spin_acceleration, b.spin_acceleration, "{}", name);
                prop_assert_eq!((a.force_in_wheel.x, a.force_in_wheel.y), (-c.force_in_wheel.x, c.force_in_wheel.y), "{}", name);
                prop_assert_eq!(a.spin_acceleration, -c.spin_acceleration, "{}", name);
            }
        }
    }

    /// Side force never pushes along the side slip, whatever drives the wheel: F_y·v_y ≤ 0.
    #[test]
    fn side_force_opposes_side_slip(contact in contacts(), mu in 0.0..2.0) {
        for limit in [Limit::Circle, Limit::Axes] {
            for (name, law) in laws(mu, limit) {
                let f = law.react(&contact).force_in_wheel;
                prop_assert!(f.y * contact.velocity_in_wheel.y <= 0.0, "{name}: {f:?}");
            }
        }
    }

    /// Without torque and losses a step is dissipative: with s = v_x − ω·R the slip of the rim before the step, F_x·s ≤ 0,
    /// and the wheel's spin never passes rolling: the slip after the step has not changed its sign.
    #[test]
    fn an_undriven_wheel_loses_slip(contact in contacts(), mu in 0.0..2.0) {
        let contact = WheelContact { torque: 0.0, ..contact };
        let tyre = Tyre { mu, damping: 0.0, ..Tyre::default() };
        let lossless: [(&str, Box<dyn FrictionLaw>); 6] = [
            ("default", Box::new(Coulomb { mu, damping: 0.0, ..Coulomb::default() })),
            ("wardiagnemma", Box::new(WardIagnemma { mu, damping: 0.0, r1: 0.0, r2: 0.0, ..WardIagnemma::default() })),
            ("ellipse", Box::new(Ellipse { mu, damping: 0.0, ..Ellipse::default() })),
            ("linear", Box::new(Linear { tyre, ..Linear::default() })),
            ("fiala", Box::new(Fiala { tyre, ..Fiala::default() })),
            ("pacejka", Box::new(Pacejka { tyre, ..Pacejka::default() })),
        ];
        for (name, law) in lossless {
            let slip = |spin: f64| contact.velocity_in_wheel.x - spin * contact.radius;
            let reaction = law.react(&contact);
            let before = slip(contact.spin);
            prop_assert!(reaction.force_in_wheel.x * before <= 0.0, "{name}: {reaction:?}");
            let after = slip(contact.spin + reaction.spin_acceleration * contact.dt);
            let rounding = 1e-9 * (1.0 + before.abs());
            prop_assert!(after * before >= -rounding * before.abs() && after.abs() <= before.abs() + rounding,
                "{name}: {before} to {after}");
        }
    }

    #[test]
    fn no_load_no_force(contact in contacts(), mu in 0.0..2.0) {
        let contact = WheelContact { load: 0.0, ..contact };
        for limit in [Limit::Circle, Limit::Axes] {
            for (name, law) in laws(mu, limit) {
                let f = law.react(&contact).force_in_wheel;
                prop_assert!(f.x == 0.0 && f.y == 0.0, "{name}: {f:?}");
            }
        }
    }

    /// A greater μ never gives a smaller force; per axis with the axes, in length with the circle.
    #[test]
    fn more_mu_gives_no_less_grip(contact in contacts(), mu in 0.0..2.0, more in 0.0..2.0) {
        for ((name, law), (_, better)) in laws(mu, Limit::Circle).into_iter().zip(laws(mu + more, Limit::Circle)) {
            let (a, b) = (law.react(&contact).force_in_wheel.norm(), better.react(&contact).force_in_wheel.norm());
            prop_assert!(b >= a / rounding(name), "{name}: {a} then {b}");
        }
        for ((name, law), (_, better)) in laws(mu, Limit::Axes).into_iter().zip(laws(mu + more, Limit::Axes)) {
            let (a, b) = (law.react(&contact).force_in_wheel, better.react(&contact).force_in_wheel);
            let no_less = |more: f64, less: f64| more.abs() >= less.abs() / rounding(name);
            prop_assert!(no_less(b.x, a.x) && no_less(b.y, a.y), "{name}: {a:?} then {b:?}");
        }
    }

    /// The ground's own μ replaces the tyre's.
    #[test]
    fn the_grounds_mu_replaces_the_tyres(contact in contacts(), mu in 0.0..2.0) {
        let on_ice = WheelContact { ground_mu: Some(mu), ..contact };
        for ((name, law), (_, same)) in laws(0.7, Limit::Circle).into_iter().zip(laws(mu, Limit::Circle)) {
            prop_assert_eq!(law.react(&on_ice), same.react(&contact), "{}", name);
        }
    }

    /// Whatever the numbers, as long as their products stay below 1e300: the reaction is finite.
    #[test]
    fn finite_in_finite_out(v in prop::array::uniform2(-1e15..1e15_f64), g in prop::array::uniform2(-1e15..1e15_f64),
        load in 0.0..1e15, mass in 0.0..1e15, spin in -1e15..1e15, torque in -1e15..1e15,
        exponents in prop::array::uniform3(-15.0..15.0_f64), mu in 0.0..1e6) {
        let [radius, inertia, dt] = exponents.map(|e| 10.0_f64.powf(e));
        let contact = WheelContact {
        wheel: 0,
            velocity_in_wheel: Vec2::new(v[0], v[1]), pull_in_wheel: Vec2::new(g[0], g[1]),
            load, mass, spin, torque, radius, inertia, locked: false, camber: 0.0, relaxed_slip: Vec2::ZERO,
            ground_mu: None, ground_rolling_resistance: Some(mu), dt,
        };
        for limit in [Limit::Circle, Limit::Axes] {
            for (name, law) in laws(mu, limit) {
                let reaction = law.react(&contact);
                prop_assert!(reaction.force_in_wheel.is_finite() && reaction.spin_acceleration.is_finite(), "{name}: {reaction:?}");
            }
        }
    }
}

/// The defaults of the table are those of the readers.
#[test]
fn a_law_without_parameters_is_its_default() {
    let contact = WheelContact {
        wheel: 0,
        velocity_in_wheel: Vec2::new(2.0, 0.3),
        pull_in_wheel: Vec2::ZERO,
        load: 30.0,
        mass: 3.0,
        spin: 12.0,
        torque: 0.7,
        radius: 0.2,
        inertia: 0.04,
        locked: false,
        camber: 0.0,
        relaxed_slip: Vec2::ZERO,
        ground_mu: None,
        ground_rolling_resistance: None,
        dt: 0.005,
    };
    for (entry, (name, law)) in FRICTION_LAWS.iter().zip(laws(0.8, Limit::Circle)) {
        let mu_of_default = (entry.default)().react(&contact);
        let law = if name == "ellipse" { Box::new(Ellipse::default()) as Box<dyn FrictionLaw> } else { law };
        assert_eq!(mu_of_default, law.react(&contact), "{name}");
        let text = format!(
            r#"<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class="differential"/>
            <friction class="{name}"/></vehicle></mvsim_world>"#
        );
        assert!(World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).is_ok(), "{name}");
    }
}
