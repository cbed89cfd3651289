//! A motor that controls the spin of a wheel by a proportional law, solved together with the response of the tyre.
//!
//! τ = clamp(k·(ω_wanted − ω'), ±τ_max), where ω' is the spin at the end of the step by the tyre's own law: ω + Δt·ω̇(τ), but at
//! least (v_x + Δt·F_x(τ)/m)/R while the tyre drives, and at most that while it brakes, m being the mass that the wheel carries.
//! A wheel that sticks has the body's speed one step later, which accounts for the effect of its force on the body. With the
//! spin before the step instead, a gain of 1 N·m·s/rad on a wheel of 4·10⁻⁴ kg·m² would oscillate at any step above 0.8 ms
//! (implicit Euler's method; E. Hairer and G. Wanner, "Solving Ordinary Differential Equations II", §IV.3).
//!
//! A servo of infinite gain holds the spin: ω' = ω_wanted, with as much of its torque as that takes. Under laws whose contacts stick that is
//! solved for all wheels together (`coupled_wheels/`). Under the others, whose forces grow steeply with the slip, its gain is that which
//! moves wheel and carried mass within a few steps, (I + m·R²)/(4·Δt), as larger ones swing.

use crate::friction::{FrictionLaw, WheelContact, react_braked};

/// Spin set-point of a wheel, and the motor's law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpinServo {
    /// Wanted angular velocity [rad/s], forward positive.
    pub spin: f64,
    /// Gain [N·m·s/rad], ≥ 0; infinite: it holds the spin.
    pub gain: f64,
    /// Torque at the wanted spin [N·m]; with a gain of 0 the torque at any.
    pub torque: f64,
    /// Largest torque [N·m], ≥ 0; 0: the wheel runs free.
    pub max_torque: f64,
}

/// Largest number of evaluations of the law: the response of a tyre is nearly linear on either side of the onset of sliding.
const MAX_ROUNDS: usize = 40;
/// Steps in which a servo of infinite gain moves a wheel that does not stick: fewer swing.
const FIRM_STEPS: f64 = 4.0;
/// Tolerance of the torque, relative to the largest torque.
const ACCURACY: f64 = 1e-12;

impl SpinServo {
    /// The motor that gives this torque [N·m] at any spin, up to its largest.
    pub fn of_torque(torque: f64, max_torque: f64) -> SpinServo {
        let torque = torque.clamp(-max_torque, max_torque);
        SpinServo { spin: 0.0, gain: 0.0, torque, max_torque: torque.abs() }
    }

    /// Torque on the wheel [N·m] in this step, while a brake of the capacity `brake_torque` [N·m] acts on it too.
    ///
    /// The misfit f(τ) = τ − clamp(…) grows with τ and changes sign between ±τ_max, so that regula falsi finds its root;
    /// halving the value at the retained end (Illinois) makes it converge fast.
    pub fn torque(&self, law: &dyn FrictionLaw, contact: &WheelContact, brake_torque: f64) -> f64 {
        if self.gain == 0.0 {
            return self.torque;
        }
        let gain = if self.gain == f64::INFINITY {
            (contact.inertia + contact.mass * contact.radius * contact.radius) / (FIRM_STEPS * contact.dt)
        } else {
            self.gain
        };
        let misfit = |torque: f64| {
            let reaction = react_braked(law, &WheelContact { torque, ..*contact }, brake_torque);
            let rim = contact.radius * (contact.spin + contact.dt * reaction.spin_acceleration);
            let force = reaction.force_in_wheel.x;
            let ground = contact.velocity_in_wheel.x + contact.dt * force / contact.mass;
            // Without any force, as for a lifted wheel, the ground does not determine the spin.
            let surface = match force {
                push if push > 0.0 => rim.max(ground),
                pull if pull < 0.0 => rim.min(ground),
                _ => rim,
            };
            let spin = surface / contact.radius;
            torque - (self.torque + gain * (self.spin - spin)).clamp(-self.max_torque, self.max_torque)
        };
        let (mut low, mut high) = (-self.max_torque, self.max_torque);
        let (mut at_low, mut at_high) = (misfit(low), misfit(high));
        if at_low >= 0.0 {
            return low;
        }
        if at_high <= 0.0 {
            return high;
        }
        let mut low_end_moved = None;
        for _ in 0..MAX_ROUNDS {
            let torque = (low * at_high - high * at_low) / (at_high - at_low);
            let difference = misfit(torque);
            if difference.abs() <= ACCURACY * self.max_torque || high - low <= ACCURACY * self.max_torque {
                return torque;
            }
            let is_low = difference < 0.0;
            if is_low {
                (low, at_low) = (torque, difference);
                if low_end_moved == Some(true) {
                    at_high *= 0.5;
                }
            } else {
                (high, at_high) = (torque, difference);
                if low_end_moved == Some(false) {
                    at_low *= 0.5;
                }
            }
            low_end_moved = Some(is_low);
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;
    use crate::friction::FRICTION_LAWS;

    /// A rear wheel of the racecar, standing.
    fn contact(dt: f64) -> WheelContact {
        WheelContact {
            wheel: 0,
            velocity_in_wheel: Vec2::ZERO,
            pull_in_wheel: Vec2::ZERO,
            load: 14.0,
            mass: 1.42,
            spin: 0.0,
            torque: 0.0,
            radius: 0.05,
            inertia: 4.1226e-4,
            locked: false,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: None,
            ground_rolling_resistance: None,
            dt,
        }
    }

    const SERVO: SpinServo = SpinServo { spin: 20.0, gain: 1.0, torque: 0.0, max_torque: 10.0 };

    /// Off the ground I·ω̇ = k·(ω_w − ω) gives ω = ω_w·(1 − (1 + k·Δt/I)⁻ⁿ) after n implicit steps.
    #[test]
    fn a_wheel_in_the_air_follows_the_implicit_method_at_any_step() {
        for entry in FRICTION_LAWS {
            let law = (entry.default)();
            for dt in [0.001, 0.005, 0.02] {
                let mut lifted = WheelContact { load: 0.0, ..contact(dt) };
                let mut expected = 0.0_f64;
                for _ in 0..3 {
                    let torque = SERVO.torque(&*law, &lifted, 0.0);
                    let spin_acceleration = law.react(&WheelContact { torque, ..lifted }).spin_acceleration;
                    lifted.spin += spin_acceleration * dt;
                    let gain = SERVO.gain * dt / lifted.inertia;
                    let implicit = (expected + gain * SERVO.spin) / (1.0 + gain);
                    let limited = expected + SERVO.max_torque * dt / lifted.inertia;
                    expected = implicit.min(limited);
                    // Friction laws with axle damping stay a little below.
                    assert!(
                        (lifted.spin - expected).abs() < 0.02 * SERVO.spin,
                        "{}: {} at {dt}",
                        entry.name,
                        lifted.spin
                    );
                }
            }
        }
    }

    #[test]
    fn torque_is_limited_and_zero_at_the_wanted_spin() {
        let law = (FRICTION_LAWS[0].default)();
        let far = SpinServo { spin: 1e4, ..SERVO };
        assert_eq!(far.torque(&*law, &contact(0.005), 0.0), 10.0);
        assert_eq!(SpinServo { spin: -1e4, ..SERVO }.torque(&*law, &contact(0.005), 0.0), -10.0);
        let at_target = WheelContact { spin: 20.0, velocity_in_wheel: Vec2::new(1.0, 0.0), ..contact(0.005) };
        let torque = SERVO.torque(&*law, &at_target, 0.0);
        assert!((0.0..0.2).contains(&torque), "only what rolling takes: {torque}");
    }

    #[test]
    fn a_brake_stronger_than_the_motor_holds_the_wheel() {
        let law = (FRICTION_LAWS[0].default)();
        let torque = SERVO.torque(&*law, &contact(0.005), 50.0);
        assert_eq!(torque, 10.0, "it pushes in vain");
    }
}
