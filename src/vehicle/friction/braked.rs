//! A wheel under a brake of finite capacity: Coulomb friction at the axle, in addition to that at the ground.
//!
//! A turning wheel is braked with the full capacity B, against its rotation. If that would stop the wheel within the step, or
//! let the ground stop the vehicle above it, the brake locks the wheel if it can. With F the force of the ground on the
//! locked wheel, R·F_x − T − I·ω/dt is the torque that stops the wheel, and must lie within ±B. Torque beyond B keeps the
//! wheel turning (Coulomb's law as a set-valued force, one implicit step: J. J. Moreau, "Unilateral contact and dry friction
//! in finite freedom dynamics", 1988). So a brake never drives a wheel and never reverses it, whatever the friction law.

use super::{FrictionLaw, WheelContact, WheelReaction};

/// Reaction of the contact and torque of the brake during one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Braked {
    /// Reaction of the contact.
    pub reaction: WheelReaction,
    /// Torque of the brake on the wheel [N·m], forward positive; within its capacity.
    pub torque: f64,
}

/// Reaction of the contact while a brake of capacity `brake_torque` [N·m] ≥ 0 acts on the wheel.
#[inline]
pub fn react_braked(law: &dyn FrictionLaw, contact: &WheelContact, brake_torque: f64) -> WheelReaction {
    brake(law, contact, brake_torque, contact.pull_in_wheel.x).reaction
}

/// Reaction of contact and brake while a brake of `capacity` [N·m] ≥ 0 acts on the wheel and `pull_along` [N] pulls the
/// vehicle above it along x: a locked wheel holds that force, whether or not a free one does. Evaluates the law up to four
/// times.
#[inline(always)]
pub fn brake(law: &dyn FrictionLaw, contact: &WheelContact, capacity: f64, pull_along: f64) -> Braked {
    if capacity <= 0.0 {
        return Braked { reaction: law.react(contact), torque: 0.0 };
    }
    slow_down(law, contact, capacity, pull_along)
}

/// A wheel under a brake. Never inlined, to keep the path of freely rolling wheels short.
#[inline(never)]
fn slow_down(law: &dyn FrictionLaw, contact: &WheelContact, capacity: f64, pull_along: f64) -> Braked {
    let under = |torque: f64| Braked {
        reaction: law.react(&WheelContact { torque: contact.torque + torque, ..*contact }),
        torque,
    };
    let turning = (contact.spin != 0.0).then(|| under(-capacity.copysign(contact.spin)));
    if let Some(turning) = turning
        && next_spin(contact, &turning) * contact.spin > 0.0
        && !reverses(contact, &turning, pull_along)
    {
        return turning;
    }
    let mut locked = WheelContact { locked: true, ..*contact };
    locked.pull_in_wheel.x = pull_along;
    hold_or_turn(law, contact, &locked, capacity, turning)
}

/// A wheel that stands or comes to a stop: held, or turned by the torque beyond the brake's capacity.
#[inline(never)]
fn hold_or_turn(
    law: &dyn FrictionLaw,
    contact: &WheelContact,
    locked: &WheelContact,
    capacity: f64,
    turning: Option<Braked>,
) -> Braked {
    let reaction = law.react(locked);
    let needed =
        contact.radius * reaction.force_in_wheel.x - contact.torque - contact.inertia * contact.spin / contact.dt;
    let held = Braked { reaction, torque: needed };
    if needed.abs() <= capacity {
        return held;
    }
    let torque = capacity.copysign(needed);
    let under = |torque: f64| Braked {
        reaction: law.react(&WheelContact { torque: contact.torque + torque, ..*contact }),
        torque,
    };
    let turned = turning.filter(|turning| turning.torque == torque).unwrap_or_else(|| under(torque));
    if next_spin(contact, &turned) * torque <= 0.0 {
        return turned;
    }
    // The drive alone may reverse the wheel; then the brake acts against the new direction.
    let round = turning.filter(|turning| turning.torque == -torque).unwrap_or_else(|| under(-torque));
    if next_spin(contact, &round) * torque > 0.0 {
        return round;
    }
    // A law whose force depends on slip may need more torque to hold a wheel than to let it begin to turn: the wheel stands,
    // and the ground force is what the brake can hold. Any mix of the two reactions of the law stays within its limits.
    let (locked, turns) = (held.reaction.force_in_wheel, turned.reaction.force_in_wheel);
    let share = ((torque - needed) / contact.radius / (turns.x - locked.x)).clamp(0.0, 1.0);
    let mut standing = Braked { torque, ..held };
    if share.is_finite() {
        standing.reaction.force_in_wheel = locked + share * (turns - locked);
    }
    standing
}

/// Spin after the step [rad/s].
#[inline]
fn next_spin(contact: &WheelContact, braked: &Braked) -> f64 {
    contact.spin + braked.reaction.spin_acceleration * contact.dt
}

/// Whether the force along x would reverse the motion of the mass on the wheel.
#[inline]
fn reverses(contact: &WheelContact, braked: &Braked, pull_along: f64) -> bool {
    let speed = contact.velocity_in_wheel.x;
    let next = speed + (braked.reaction.force_in_wheel.x + pull_along) / contact.mass * contact.dt;
    speed * next < 0.0
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;
    use crate::friction::{FRICTION_LAWS, WheelReaction};

    const STANDING: WheelContact = WheelContact {
        wheel: 0,
        velocity_in_wheel: Vec2::ZERO,
        pull_in_wheel: Vec2::ZERO,
        load: 1000.0,
        mass: 100.0,
        spin: 0.0,
        torque: 0.0,
        radius: 0.3,
        inertia: 0.5,
        locked: false,
        camber: 0.0,
        relaxed_slip: Vec2::ZERO,
        ground_mu: None,
        ground_rolling_resistance: None,
        dt: 0.005,
    };

    fn laws() -> Vec<(&'static str, Box<dyn FrictionLaw>)> {
        FRICTION_LAWS.iter().map(|entry| (entry.name, (entry.default)())).collect()
    }

    /// A pull of 200 N at a standing wheel needs 60 N·m: held below, beyond it 200 N·0.3 m − B turns it.
    #[test]
    fn a_standing_wheel_is_held_up_to_the_capacity() {
        let pulled = WheelContact { pull_in_wheel: Vec2::new(200.0, 0.0), ..STANDING };
        for (name, law) in laws() {
            let held = brake(&*law, &pulled, 60.1, pulled.pull_in_wheel.x);
            assert!((held.torque + 60.0).abs() < 1e-9, "{name}: {held:?}");
            assert!((held.reaction.force_in_wheel.x + 200.0).abs() < 1e-9, "{name}: {held:?}");
            assert_eq!(held.reaction.spin_acceleration, 0.0, "{name}");
            let turned = brake(&*law, &pulled, 59.0, pulled.pull_in_wheel.x);
            assert_eq!(turned.torque, -59.0, "{name}");
        }
    }

    #[test]
    fn motor_torque_beyond_the_capacity_turns_the_wheel_and_below_does_not() {
        for (name, law) in laws() {
            for sign in [1.0, -1.0] {
                let driven = WheelContact { torque: sign * 50.0, ..STANDING };
                let held = brake(&*law, &driven, 60.0, driven.pull_in_wheel.x);
                assert_eq!((held.torque, held.reaction.spin_acceleration), (-sign * 50.0, 0.0), "{name}");
                assert_eq!(held.reaction.force_in_wheel, Vec2::ZERO, "{name}");
                let net = law.react(&WheelContact { torque: sign * 10.0, ..STANDING });
                assert_eq!(brake(&*law, &driven, 40.0, driven.pull_in_wheel.x).reaction, net, "{name}");
            }
        }
    }

    /// Over a table of motions, torques and capacities: no brake reverses or drives a wheel, more brake never
    /// leaves more spin, and neither wheel nor load reverses or gains energy without a motor.
    #[test]
    fn a_brake_takes_energy_and_never_drives() {
        for (name, law) in laws() {
            for speed in [-20.0, -1.0, -0.01, 0.0, 1e-6, 0.003, 0.05, 2.0, 30.0] {
                for slip in [-1.0, -0.5, -0.1, 0.0, 0.02, 0.6] {
                    let spin = speed * (1.0 + slip) / STANDING.radius;
                    let contact = WheelContact { velocity_in_wheel: Vec2::new(speed, 0.0), spin, ..STANDING };
                    let energy = |v: f64, w: f64| 0.5 * (contact.mass * v * v + contact.inertia * w * w);
                    let mut least = f64::INFINITY;
                    for capacity in [1.0, 30.0, 100.0, 239.0, 241.0, 1000.0, 1e5] {
                        let place = format!("{name}: v {speed}, slip {slip}, B {capacity}");
                        let actual = brake(&*law, &contact, capacity, contact.pull_in_wheel.x);
                        let next = next_spin(&contact, &actual);
                        let force = actual.reaction.force_in_wheel.x;
                        let next_speed = speed + force / contact.mass * contact.dt;
                        assert!(actual.torque.abs() <= capacity, "{place}: {actual:?}");
                        let next = if next.abs() < 1e-12 * spin.abs().max(1.0) { 0.0 } else { next };
                        assert!(actual.torque * next <= 0.0, "{place}: drives, {actual:?}");
                        assert!(next * spin >= 0.0 || actual.torque * spin >= 0.0, "{place}: {actual:?}");
                        assert!(
                            energy(next_speed, next) <= energy(speed, spin) * (1.0 + 1e-9) + 1e-12,
                            "{place}: gains energy, {actual:?}"
                        );
                        if spin != 0.0 && speed * spin > 0.0 {
                            assert!(next.abs() <= least + 1e-9, "{place}: more brake, more spin");
                            least = next.abs();
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn left_and_right_and_forward_and_back_are_mirrored() {
        for (name, law) in laws() {
            for capacity in [10.0, 200.0, 2000.0] {
                let ahead = WheelContact { velocity_in_wheel: Vec2::new(3.0, 0.2), spin: 9.0, torque: 5.0, ..STANDING };
                let back =
                    WheelContact { velocity_in_wheel: Vec2::new(-3.0, -0.2), spin: -9.0, torque: -5.0, ..STANDING };
                let (original, mirrored) = (
                    brake(&*law, &ahead, capacity, ahead.pull_in_wheel.x),
                    brake(&*law, &back, capacity, back.pull_in_wheel.x),
                );
                assert_eq!(original.torque, -mirrored.torque, "{name}");
                assert_eq!(original.reaction.force_in_wheel, -1.0 * mirrored.reaction.force_in_wheel, "{name}");
                assert_eq!(original.reaction.spin_acceleration, -mirrored.reaction.spin_acceleration, "{name}");
            }
        }
    }

    /// 2 kg at 1 m/s have 2 N·s, which 200 N take within 10 ms.
    #[test]
    fn motion_reverses_when_the_impulse_exceeds_its_momentum() {
        let contact = WheelContact { velocity_in_wheel: Vec2::new(1.0, 0.0), mass: 2.0, dt: 0.01, ..STANDING };
        let turns = |force: f64, pull: f64| {
            let reaction = WheelReaction { force_in_wheel: Vec2::new(force, 0.0), ..WheelReaction::default() };
            reverses(&contact, &Braked { reaction, torque: 0.0 }, pull)
        };
        assert!(!turns(-199.0, 0.0) && turns(-201.0, 0.0));
        assert!(!turns(-150.0, -49.0) && turns(-150.0, -51.0) && !turns(-250.0, 51.0));
    }
}
