//! Falls against closed forms: the energy of a body that tips about an edge, Housner's impact, and the way that it slides.

use skidpad_math::{Twist2, Vec2};

use super::*;
use crate::chassis::Chassis;

const GRAVITY: f64 = 9.81;
const WIDTH: f64 = 1.0;
const HEIGHT: f64 = 1.6;
const LENGTH: f64 = 2.0;
const MASS: f64 = 500.0;

/// A block without wheels, with its centre of mass in its middle.
fn block(friction: f64) -> Figure {
    let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)];
    let outline = corners.map(|(x, y)| Vec2::new(0.5 * LENGTH * x, WIDTH * y)).to_vec();
    let mut chassis = Chassis::uniform(outline, MASS, [0.0, HEIGHT], [0; 4]);
    chassis.center_of_mass_height = 0.5 * HEIGHT;
    let about = |side: f64| MASS * (side * side + HEIGHT * HEIGHT) / 12.0;
    Figure::new(&chassis, (&[], &[]), [about(WIDTH), about(LENGTH)], friction)
}

/// The moment of inertia about an edge [kg·m²].
fn about_edge() -> f64 {
    MASS * (WIDTH * WIDTH + HEIGHT * HEIGHT) / 3.0
}

/// Half of the diagonal [m].
fn radius() -> f64 {
    0.5 * WIDTH.hypot(HEIGHT)
}

/// A block that has tipped over its right edge by an angle [rad], and turns on at a rate [rad/s].
fn tipped(friction: f64, tilt: f64, rate: f64) -> Fall {
    let (sin, cos) = tilt.sin_cos();
    // Its reference point, below its middle, is lifted by the edge on which it stands.
    let lean =
        Lean { z: 0.5 * WIDTH * sin, roll: tilt, climb: 0.5 * WIDTH * cos * rate, roll_rate: rate, ..Lean::default() };
    Fall::begin(&block(friction), Side::Right, &lean, (&[], 0.0))
}

/// A block and its motion in the plane.
struct Slide {
    fall: Fall,
    velocity: Twist2,
    way: f64,
    dt: f64,
}

impl Slide {
    fn new(fall: Fall, dt: f64) -> Slide {
        Slide { fall, velocity: Twist2::new(0.0, 0.0, 0.0), way: 0.0, dt }
    }

    fn step(&mut self) {
        let input =
            FallInput { velocity_in_body: self.velocity, along_ground: Vec2::ZERO, gravity: GRAVITY, dt: self.dt };
        let Wrench { force_in_body: force, torque } = self.fall.slide(&input);
        self.velocity.vx += self.dt / MASS * force.x;
        self.velocity.vy += self.dt / MASS * force.y;
        self.velocity.wz += self.dt / block(0.5).inertia[2] * torque;
        self.way += self.dt * self.velocity.linear().norm();
    }

    /// Energy [J] of the whole motion.
    fn energy(&self) -> f64 {
        let fall = &self.fall;
        let speed = self.velocity.linear().norm();
        0.5 * MASS * (speed * speed + fall.climb * fall.climb)
            + 0.5 * fall.figure.inertia[0] * fall.rate * fall.rate
            + MASS * GRAVITY * fall.height
    }
}

#[test]
fn past_the_edge_it_falls_on_its_side_and_before_it_falls_back() {
    let edge = (WIDTH / HEIGHT).atan();
    for (tilt, lies) in [(edge + 0.01, true), (edge - 0.01, false)] {
        let mut block = Slide::new(tipped(5.0, tilt, 0.0), 0.002);
        for _ in 0..5000 {
            block.step();
        }
        let fall = &block.fall;
        let expected = if lies { (std::f64::consts::FRAC_PI_2, 0.5 * WIDTH) } else { (0.0, 0.5 * HEIGHT) };
        assert!(
            (fall.tilt - expected.0).abs() < 1e-3 && (fall.height - expected.1).abs() < 1e-3,
            "{} rad, {} m, expected {expected:?}",
            fall.tilt,
            fall.height
        );
        assert!(fall.rate.abs() < 1e-3 && fall.climb.abs() < 1e-3 && block.velocity.linear().norm() < 1e-3);
    }
}

/// A block that does not slip turns about its edge: ½·I·ω² is what its weight has lost.
#[test]
fn it_lands_on_its_side_as_fast_as_its_weight_makes_it() {
    let landing = |dt: f64| {
        let mut block = Slide::new(tipped(50.0, 0.7, 0.0), dt);
        while block.fall.tilt < std::f64::consts::FRAC_PI_2 - 0.02 {
            block.step();
        }
        let height = |tilt: f64| 0.5 * WIDTH * tilt.sin() + 0.5 * HEIGHT * tilt.cos();
        let lost = MASS * GRAVITY * (height(0.7) - height(block.fall.tilt));
        block.fall.rate / (2.0 * lost / about_edge()).sqrt() - 1.0
    };
    assert!(landing(1e-3).abs() < 0.01, "{}", landing(1e-3));
    assert!(landing(1e-4).abs() < 1e-3, "{}", landing(1e-4));
}

/// G. W. Housner, "The behavior of inverted pendulum structures during earthquakes", 1963: a block that rocks from edge to edge keeps
/// 1 − (m·r²/I)·(1 − cos 2α) of its rate.
#[test]
fn an_impact_on_the_other_edge_takes_what_housner_says() {
    let alpha = (WIDTH / HEIGHT).atan();
    let kept = 1.0 - MASS * radius() * radius() / about_edge() * (1.0 - (2.0 * alpha).cos());
    let mut block = Slide::new(tipped(50.0, 0.02, -1.5), 1e-5);
    let mut before = 0.0;
    while block.fall.tilt > -1e-4 {
        if block.fall.tilt > 1e-4 {
            before = block.fall.rate;
        }
        block.step();
    }
    let ratio = block.fall.rate / before;
    assert!((ratio - kept).abs() < 0.02, "{ratio}, Housner {kept}");
}

#[test]
fn it_slides_as_far_as_friction_lets_it() {
    let speed = 10.0;
    for friction in [0.3, 0.6] {
        let mut block = Slide::new(tipped(friction, std::f64::consts::FRAC_PI_2, 0.0), 0.005);
        block.velocity = Twist2::new(speed, 0.0, 0.0);
        for _ in 0..2000 {
            block.step();
        }
        let expected = speed * speed / (2.0 * friction * GRAVITY);
        assert!((block.way / expected - 1.0).abs() < 0.01, "{} m, expected {expected} m", block.way);
        assert!(block.velocity.linear().norm() < 1e-6 && block.fall.has_landed());
    }
}

#[test]
fn no_step_adds_energy() {
    for (friction, rate) in [(0.0, 2.0), (0.5, 5.0), (1.0, 8.0)] {
        let mut block = Slide::new(tipped(friction, 0.65, rate), 0.005);
        let mut last = block.energy();
        for step in 0..2000 {
            block.step();
            let energy = block.energy();
            // Corners that have sunk in by a step's way come up again.
            assert!(
                energy < last + 0.02 * MASS * GRAVITY * HEIGHT,
                "{friction}, step {step}: {energy} J after {last} J"
            );
            last = last.min(energy);
        }
        assert!(block.fall.rate.abs() < 1e-2, "it comes to rest");
    }
}

#[test]
fn the_mirror_image_falls_the_other_way() {
    let lean = Lean { z: 0.2, pitch: 0.05, roll: 0.5, climb: 0.3, pitch_rate: 0.1, roll_rate: 1.0 };
    let mirrored = Lean { roll: -lean.roll, roll_rate: -lean.roll_rate, ..lean };
    let fall = |side, lean: &Lean, vy: f64, wz: f64| {
        let mut block = Slide::new(Fall::begin(&block(0.5), side, lean, (&[], 0.0)), 0.005);
        block.velocity = Twist2::new(3.0, vy, wz);
        (0..400).for_each(|_| block.step());
        (block.fall.lean(), block.velocity)
    };
    let ((a, v), (b, w)) = (fall(Side::Right, &lean, -2.0, 0.5), fall(Side::Left, &mirrored, 2.0, -0.5));
    assert_eq!((a.z, a.pitch, a.roll), (b.z, b.pitch, -b.roll));
    assert_eq!((v.vx, v.vy, v.wz), (w.vx, -w.vy, -w.wz));
}

#[test]
fn its_footprint_is_that_of_its_side() {
    let fall = tipped(0.5, std::f64::consts::FRAC_PI_2, 0.0);
    let (corners, top) = fall.footprint();
    let span = |of: fn(&Vec2) -> f64| {
        corners.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)))
    };
    let ((x0, x1), (y0, y1)) = (span(|p| p.x), span(|p| p.y));
    assert!((x0 + 0.5 * LENGTH).abs() < 1e-12 && (x1 - 0.5 * LENGTH).abs() < 1e-12, "{x0} to {x1}");
    assert!((y1 - y0 - HEIGHT).abs() < 1e-9 && y1.abs() < 1e-9, "from its bottom to the right: {y0} to {y1}");
    assert!((top - WIDTH).abs() < 1e-9, "{top}");
}
