//! Wheels with free rollers around their rim: omni wheels and mecanum wheels, on any friction law.
//!
//! A roller turns freely about its own axis, so the ground cannot push the wheel across that axis, only along it. With the angle η from
//! the wheel's axle to the axis of the roller on the ground, the unit vector along that axis is a = (sin η, cos η) in the wheel frame. The
//! wheel rolls without slip when the velocity of the contact has no part along a:
//!
//! ω·R = v_x + v_y·cot η
//!
//! An omni wheel has η = 90° (ω·R = v_x, free sideways), a mecanum wheel η = ±45° (ω·R = v_x ± v_y). With γ = 90° − η this is the law of
//! K. M. Lynch and F. C. Park, "Modern Robotics", 2017, §13.2.1, and P. F. Muir and C. P. Neuman, "Kinematic modeling of wheeled mobile
//! robots", J. Robotic Systems 4 (1987). Along a the wheel is an ordinary one of radius R·|sin η| that meets the ground at v·a: the
//! friction law of the vehicle gives its slip and its force, at most μ·N, and that force turns the axle with R·F_x.
//!
//! A locked wheel holds the pull of a slope along a; one that is free to turn holds nothing, under MVSim's rule for slopes as well.
//!
//! Not modelled: friction of the rollers about their axes, their inertia, the gaps between them.

use skidpad_math::Vec2;

use super::{FrictionLaw, Sticking, WheelContact, WheelReaction};

/// Rollers around the rim of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollers {
    /// Along the axis of the roller on the ground, in the wheel frame: a unit vector [-] whose x is positive.
    axis: Vec2,
}

impl Rollers {
    /// Rollers whose axes are at `angle` [rad] from the wheel's axle, positive to the right; none if they are parallel to it, for then
    /// the wheel could not drive.
    pub fn new(angle: f64) -> Option<Rollers> {
        let (sin, cos) = libm::sincos(angle);
        // cos 90° is not quite 0, and an omni wheel does not feel its sideways motion at all.
        let cos = if cos.abs() < 1e-15 { 0.0 } else { cos };
        let axis = if sin < 0.0 { Vec2::new(-sin, -cos) } else { Vec2::new(sin, cos) };
        (axis.x > 1e-3).then_some(Rollers { axis })
    }

    /// Along the axis of the roller on the ground, in the wheel frame: a unit vector [-] whose x is positive.
    #[inline]
    pub fn axis(&self) -> Vec2 {
        self.axis
    }

    /// The speed of the rim [m/s] of a wheel that rolls without slip while its centre moves with `velocity_in_wheel` [m/s].
    #[inline]
    pub fn rolling_speed(&self, velocity_in_wheel: Vec2) -> f64 {
        velocity_in_wheel.x + velocity_in_wheel.y * (self.axis.y / self.axis.x)
    }
}

/// A friction law under wheels that all have rollers.
pub struct OnRollers {
    law: Box<dyn FrictionLaw>,
    /// Of each wheel.
    rollers: Vec<Rollers>,
}

impl OnRollers {
    /// The law `law` under wheels with these rollers, in index order.
    pub fn new(law: Box<dyn FrictionLaw>, rollers: Vec<Rollers>) -> OnRollers {
        OnRollers { law, rollers }
    }
}

impl FrictionLaw for OnRollers {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let axis = self.rollers[contact.wheel].axis;
        // A wheel that is free to turn rolls down a slope in any direction.
        let pull = if contact.locked { contact.pull_in_wheel.dot(axis) } else { 0.0 };
        let reaction = self.law.react(&WheelContact {
            velocity_in_wheel: Vec2::new(contact.velocity_in_wheel.dot(axis), 0.0),
            pull_in_wheel: Vec2::new(pull, 0.0),
            radius: contact.radius * axis.x,
            camber: 0.0,
            ..*contact
        });
        WheelReaction { force_in_wheel: reaction.force_in_wheel.x * axis, ..reaction }
    }

    fn sticking(&self, contact: &WheelContact, spin: f64) -> Option<Sticking> {
        let axis = self.rollers[contact.wheel].axis;
        let velocity_in_wheel = Vec2::new(contact.velocity_in_wheel.dot(axis), 0.0);
        self.law.sticking(&WheelContact { velocity_in_wheel, radius: contact.radius * axis.x, ..*contact }, spin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::FRICTION_LAWS;
    use std::f64::consts::FRAC_1_SQRT_2;

    const TURNING: WheelContact = WheelContact {
        wheel: 0,
        velocity_in_wheel: Vec2::new(1.0, 0.0),
        pull_in_wheel: Vec2::ZERO,
        load: 100.0,
        mass: 10.0,
        spin: 10.0,
        torque: 0.0,
        radius: 0.1,
        inertia: 0.01,
        locked: false,
        camber: 0.0,
        relaxed_slip: Vec2::ZERO,
        ground_mu: None,
        ground_rolling_resistance: None,
        dt: 0.001,
    };

    fn rollers(degrees: f64) -> Rollers {
        Rollers::new(degrees.to_radians()).expect("a wheel that can drive")
    }

    /// Every law on wheels with rollers at this angle.
    fn laws(degrees: f64) -> impl Iterator<Item = (&'static str, OnRollers)> {
        FRICTION_LAWS.iter().map(move |entry| (entry.name, OnRollers::new((entry.default)(), vec![rollers(degrees)])))
    }

    #[test]
    fn mecanum_wheels_add_or_subtract_the_sideways_speed() {
        let v = Vec2::new(0.7, -0.2);
        for (degrees, expected) in [(90.0, 0.7), (-90.0, 0.7), (45.0, 0.5), (-45.0, 0.9), (135.0, 0.9)] {
            assert!((rollers(degrees).rolling_speed(v) - expected).abs() < 1e-15, "{degrees}");
        }
        assert_eq!(Rollers::new(0.0), None);
        assert_eq!(Rollers::new(std::f64::consts::PI), None);
    }

    /// Whatever the law, the ground neither pushes nor turns a wheel that moves as its rollers allow.
    #[test]
    fn motion_across_the_rollers_meets_no_force() {
        for (degrees, velocity) in
            [(90.0, Vec2::new(1.0, 3.0)), (45.0, Vec2::new(-2.0, 3.0)), (-45.0, Vec2::new(4.0, 3.0))]
        {
            for (name, law) in laws(degrees) {
                let actual = law.react(&WheelContact { velocity_in_wheel: velocity, ..TURNING });
                let free = law.law.react(&WheelContact {
                    velocity_in_wheel: Vec2::new(rollers(degrees).axis.x, 0.0),
                    radius: 0.1 * rollers(degrees).axis.x,
                    ..TURNING
                });
                // What is left is the rolling resistance of the wheel itself, as without the motion across.
                assert!(
                    (actual.force_in_wheel.norm() - free.force_in_wheel.norm()).abs() < 1e-9,
                    "{name} at {degrees}°"
                );
            }
        }
    }

    /// A wheel that spins much faster than it rolls is pushed with μ·N along its rollers' axes: F = μ·N·(1, 1)/√2 at 45°, which brakes
    /// the axle with R·F_x.
    #[test]
    fn a_spinning_mecanum_wheel_is_pushed_along_its_rollers_with_its_grip() {
        let law = OnRollers::new((FRICTION_LAWS[0].default)(), vec![rollers(45.0)]);
        let actual = law.react(&WheelContact { spin: 500.0, velocity_in_wheel: Vec2::ZERO, ..TURNING });
        let expected = 0.8 * 100.0 * FRAC_1_SQRT_2;
        let Vec2 { x, y } = actual.force_in_wheel;
        assert!((x - expected).abs() < 1e-9 && (y - expected).abs() < 1e-9, "{actual:?}");
        let damping = 0.01 * 500.0;
        assert!((actual.spin_acceleration + (0.1 * expected + damping) / 0.01).abs() < 1e-6, "{actual:?}");
    }

    /// A locked wheel holds the pull along its rollers' axes and lets the rest roll away.
    #[test]
    fn a_locked_wheel_holds_only_along_its_rollers() {
        for (name, law) in laws(45.0) {
            let pulled = WheelContact {
                velocity_in_wheel: Vec2::ZERO,
                pull_in_wheel: Vec2::new(0.0, -20.0),
                spin: 0.0,
                locked: true,
                ..TURNING
            };
            let actual = law.react(&pulled).force_in_wheel;
            assert!((actual - Vec2::new(10.0, 10.0)).norm() < 1e-9, "{name}: {actual:?}");
            let free = law.react(&WheelContact { locked: false, ..pulled }).force_in_wheel;
            assert!(free.norm() < 1e-9, "{name}: {free:?}");
        }
    }
}
