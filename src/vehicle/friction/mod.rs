//! Friction laws: the reaction of the ground on a wheel, as a stateless function of the contact.
//!
//! A law is one file with its manual page on top and one line in [`FRICTION_LAWS`]. All of them work in the wheel frame
//! (x in the rolling direction, y to its left), so that steering never enters a law.
//!
//! Parts that the laws share: the forces that would stop all slip within one step ([`sticking_force`], MVSim's scheme: the
//! wheel as an algebraic constraint while it grips), rolling losses ([`resisting_torque`]) and the limit μ·N
//! ([`Limit`]).
//!
//! On a slope a contact holds the pull [`WheelContact::pull_in_wheel`] within the same limit. A wheel under a brake
//! ([`WheelContact::locked`]) does not turn: whatever the law, it sticks along both axes up to μ·N and slides beyond.

mod braked;
mod by_wheel;
mod coulomb;
pub mod curve;
mod ellipse;
mod fiala;
mod linear;
mod magic_set;
mod magic_table;
mod pacejka;
pub mod rollers;
pub mod slip;
pub mod tyre;
mod ward_iagnemma;

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

pub use braked::{Braked, brake, react_braked};
pub use by_wheel::{ByWheel, named_wheels};
pub use coulomb::Coulomb;
pub use ellipse::Ellipse;
pub use fiala::Fiala;
pub use linear::Linear;
pub use magic_set::MagicSet;
pub use pacejka::Pacejka;
pub use slip::{slip_angle, slip_ratio};
pub use tyre::{Combined, Stiffness, Tyre};
pub use ward_iagnemma::{ResistanceAt, WardIagnemma};

/// Input of a law: the state of one wheel and its contact patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelContact {
    /// Index of the wheel within its vehicle.
    pub wheel: usize,
    /// Velocity of the wheel's centre over the ground [m/s].
    pub velocity_in_wheel: Vec2,
    /// Force along the ground that the contact holds while it grips [N]: across the wheel gravity on a slope, and what keeps the mass on
    /// the wheel from going straight on while the wheel turns with the body. The x component keeps MVSim's wheels from rolling
    /// downhill; it is zero for a wheel that may roll.
    pub pull_in_wheel: Vec2,
    /// Load on the contact, including the wheel's own weight [N], ≥ 0.
    pub load: f64,
    /// Mass that this wheel has to hold or move [kg]: its share of the vehicle.
    pub mass: f64,
    /// Angular velocity about the axle [rad/s], forward positive.
    pub spin: f64,
    /// Driving torque [N·m], forward positive.
    pub torque: f64,
    /// Radius [m].
    pub radius: f64,
    /// Moment of inertia about the axle [kg·m²].
    pub inertia: f64,
    /// Whether a brake keeps the wheel from turning.
    pub locked: bool,
    /// Lean of the wheel about its rolling direction [rad], positive when its top leans to the left.
    pub camber: f64,
    /// Relaxed slips of the last step: along x [-] and y (tangent of the angle) [-].
    pub relaxed_slip: Vec2,
    /// Friction coefficient [-] of the ground where it differs from the tyre's own.
    pub ground_mu: Option<f64>,
    /// Rolling resistance coefficient [-] of the ground where it differs from the tyre's own.
    pub ground_rolling_resistance: Option<f64>,
    /// Step [s], > 0.
    pub dt: f64,
}

/// Reaction of the contact during one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelReaction {
    /// Force of the ground on the wheel [N].
    pub force_in_wheel: Vec2,
    /// Angular acceleration about the axle [rad/s²], forward positive.
    pub spin_acceleration: f64,
    /// Relaxed slips for the next step, see [`WheelContact::relaxed_slip`]. Laws without relaxation leave them zero.
    pub relaxed_slip: Vec2,
}

/// A friction law. Pure: the vehicle integrates the wheel's spin.
pub trait FrictionLaw: Send + Sync {
    /// Force and spin acceleration for one contact.
    fn react(&self, contact: &WheelContact) -> WheelReaction;

    /// Of a law under which a contact sticks, and slides only beyond a limit: the losses at the axle at a spin [rad/s], and the limit.
    /// The force on a wheel whose motor holds that spin is then that on a locked one, at the velocity of its rim over the ground. None: the
    /// force depends on the slip.
    fn sticking(&self, _contact: &WheelContact, _spin: f64) -> Option<Sticking> {
        None
    }
}

/// A contact that sticks up to a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sticking {
    /// Torque of the losses at the axle [N·m], forward positive.
    pub losses: f64,
    /// By which it falls per spin [N·m·s/rad], ≥ 0.
    pub losses_fall: f64,
    /// Size of the spin [rad/s] above which they are linear, as long as it turns the same way; infinite where they are not linear here.
    pub linear_from: f64,
    /// The largest force along the ground.
    pub grip: Grip,
}

/// The largest force of a contact along the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// Its shape.
    pub limit: Limit,
    /// Its size [N], ≥ 0.
    pub max: f64,
}

impl Grip {
    /// What it leaves of a force [N] in the frame of the wheel.
    #[inline]
    pub fn cut(self, demand: Vec2) -> Vec2 {
        self.limit.apply(demand, self.max)
    }
}

/// Defaults for missing tags of a law's XML block on which MVSim and skidpad differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LawDefaults {
    /// Limit of the force by μ·N.
    pub limit: Limit,
    /// Place where Ward and Iagnemma's rolling resistance acts.
    pub resistance_at: ResistanceAt,
    /// Whether the ellipse law, which has no μ in MVSim, ignores that of the ground as well.
    pub ellipse_ignores_ground: bool,
}

/// Builds a law from its XML block.
pub type ReadLaw = fn(&Reader<'_>, &LawDefaults) -> Box<dyn FrictionLaw>;

/// A line of [`FRICTION_LAWS`].
pub struct FrictionEntry {
    /// Value of `class` in `<friction class="…">`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Builds the law from its XML block.
    pub read: ReadLaw,
    /// The law with its defaults.
    pub default: fn() -> Box<dyn FrictionLaw>,
}

/// All friction laws by their name in world files.
pub const FRICTION_LAWS: &[FrictionEntry] = &[
    FrictionEntry {
        name: "default",
        help: "Coulomb friction limited by μ·N, damping and rolling resistance",
        read: |r, defaults| Box::new(Coulomb::read(r, defaults)),
        default: || Box::new(Coulomb::default()),
    },
    FrictionEntry {
        name: "wardiagnemma",
        help: "Coulomb friction with speed-dependent rolling resistance (Ward and Iagnemma 2008)",
        read: |r, defaults| Box::new(WardIagnemma::read(r, defaults)),
        default: || Box::new(WardIagnemma::default()),
    },
    FrictionEntry {
        name: "ellipse",
        help: "saturating slip ratio and slip angle, coupled by an ellipse",
        read: |r, defaults| Box::new(Ellipse::read(r, defaults)),
        default: || Box::new(Ellipse::default()),
    },
    FrictionEntry {
        name: "linear",
        help: "forces proportional to slip ratio and slip angle, up to μ·N",
        read: |r, defaults| Box::new(Linear::read(r, defaults)),
        default: || Box::new(Linear::default()),
    },
    FrictionEntry {
        name: "fiala",
        help: "Fiala's brush tyre with combined slip",
        read: |r, defaults| Box::new(Fiala::read(r, defaults)),
        default: || Box::new(Fiala::default()),
    },
    FrictionEntry {
        name: "pacejka",
        help: "Magic Formula from B, C, D, E or b-coefficients, combined by ellipse or similarity",
        read: |r, defaults| Box::new(Pacejka::read(r, defaults)),
        default: || Box::new(Pacejka::default()),
    },
];

/// Limit of the force by μ·N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// The vector never exceeds μ·N: Coulomb's law.
    #[default]
    Circle,
    /// Each axis is limited to μ·N separately, so that the vector can reach √2·μ·N: MVSim's rule.
    Axes,
}

impl Limit {
    /// Reads `<limit>circle|axes</limit>`; `default` where it is absent.
    fn read(reader: &Reader<'_>, default: Limit) -> Limit {
        reader.choice("limit", default, &[("circle", Limit::Circle), ("axes", Limit::Axes)])
    }

    /// `force` [N] limited to `max` [N] ≥ 0: shortened (circle), or cut axis by axis (axes).
    #[inline]
    pub fn apply(self, force: Vec2, max: f64) -> Vec2 {
        match self {
            Limit::Axes => Vec2::new(within(force.x, max), within(force.y, max)),
            Limit::Circle => {
                let squared = force.dot(force);
                if squared <= max * max { force } else { shortened(force, squared, max) }
            }
        }
    }

    /// The largest force [N] along one axis that `max` [N] ≥ 0 allows, with `used` [N] along the other.
    #[inline]
    fn remaining_force(self, used: f64, max: f64) -> f64 {
        match self {
            Limit::Axes => max,
            Limit::Circle => (max * max - used * used).max(0.0).sqrt(),
        }
    }
}

/// `force` [N], whose squared length is given, shortened to `max` [N]. Never inlined, since root and quotient would otherwise be
/// computed for gripping wheels as well.
#[cold]
#[inline(never)]
fn shortened(force: Vec2, squared: f64, max: f64) -> Vec2 {
    (max / squared.sqrt()) * force
}

/// `value` limited to ±`most`. A NaN limit passes through and is detected by the step: `f64::clamp` would panic.
#[inline]
pub fn within(value: f64, most: f64) -> f64 {
    if value.abs() <= most { value } else { most.copysign(value) }
}

/// The remaining torque on the axle [N·m] after bearing damping and rolling resistance.
///
/// `damping` [N·m·s/rad] is C_damp of MVSim's manual; `rolling_resistance` [-] is C_rr in C_rr·N·R, faded in with tanh(100 ω) so that
/// it is zero on a standing wheel (MVSim 1.2). On small wheels that is too steep for an explicit step: the resistance is limited to
/// half of the torque that would stop wheel and held mass within the step, a bound that no MVSim world reaches with wheels above 10 cm.
#[inline]
pub fn resisting_torque(contact: &WheelContact, damping: f64, rolling_resistance: f64) -> f64 {
    contact.torque - damping * contact.spin - rolling_torque(contact, contact.spin, rolling_resistance)
}

/// The torque of rolling resistance against a spin [N·m]; the last line of [`resisting_torque`]'s comment says how it is limited.
#[inline]
fn rolling_torque(contact: &WheelContact, spin: f64, rolling_resistance: f64) -> f64 {
    let coefficient = contact.ground_rolling_resistance.unwrap_or(rolling_resistance);
    if coefficient > 0.0 && spin.abs() > 1e-4 {
        let wanted = coefficient * contact.load * contact.radius * smooth_sign(100.0 * spin);
        let inertia = contact.inertia + contact.mass * contact.radius * contact.radius;
        within(wanted, 0.5 * inertia * spin.abs() / contact.dt)
    } else {
        0.0
    }
}

/// A contact that sticks, with the damping of its bearing [N·m·s/rad], its rolling resistance [-] and the friction coefficient `mu` [-].
#[inline]
fn sticking(
    contact: &WheelContact,
    spin: f64,
    damping: f64,
    rolling_resistance: f64,
    limit: Limit,
    mu: f64,
) -> Sticking {
    let max = contact.ground_mu.unwrap_or(mu) * contact.load;
    let coefficient = contact.ground_rolling_resistance.unwrap_or(rolling_resistance);
    let mut sticking =
        Sticking { losses: -damping * spin, losses_fall: damping, linear_from: 0.0, grip: Grip { limit, max } };
    if coefficient > 0.0 {
        let most = 0.5 * (contact.inertia + contact.mass * contact.radius * contact.radius) / contact.dt;
        let largest = coefficient * contact.load * contact.radius;
        let torque = rolling_torque(contact, spin, rolling_resistance);
        sticking.losses -= torque;
        // At the size of tanh it is saturated; below the limit it is proportional to the spin.
        let sign = smooth_sign(100.0 * spin);
        if torque.abs() >= largest {
            sticking.linear_from = (0.2_f64).max(largest / most);
        } else {
            let is_limited = spin.abs() > 1e-4 && torque.abs() < largest * sign.abs();
            sticking.losses_fall += if is_limited { most } else { 100.0 * largest * (1.0 - sign * sign) };
            sticking.linear_from = f64::INFINITY;
        }
    }
    sticking
}

/// tanh, without the library call where it is ±1 to the last bit.
#[inline]
fn smooth_sign(x: f64) -> f64 {
    if x.abs() > 20.0 { x.signum() } else { libm::tanh(x) }
}

/// The force [N] that would stop lateral motion and longitudinal slip within this step, given the remaining torque on the
/// axle [N·m]; before any limit (MVSim's manual: B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.2.2).
#[inline]
pub fn sticking_force(contact: &WheelContact, axle_torque: f64) -> Vec2 {
    let spin_acceleration = (contact.velocity_in_wheel.x / contact.radius - contact.spin) / contact.dt;
    Vec2::new(
        (axle_torque - contact.inertia * spin_acceleration) / contact.radius,
        -contact.velocity_in_wheel.y * contact.mass / contact.dt - contact.pull_in_wheel.y,
    )
}

/// Spin acceleration from the torque on the axle [N·m] and the ground's force along x [N], and the force that reaches
/// the body: less the pull along x that grip can still hold within `limit`, `max` [N] and, along x, `max_longitudinal_force` [N].
/// `damping` is that of the bearing [N·m·s/rad].
#[inline]
fn react(
    contact: &WheelContact,
    axle_torque: f64,
    force: Vec2,
    (limit, max): (Limit, f64),
    max_longitudinal_force: f64,
    damping: f64,
) -> WheelReaction {
    let mut spin_acceleration = (axle_torque - contact.radius * force.x) / contact.inertia;
    if damping * contact.dt > contact.inertia {
        spin_acceleration = damped(contact, spin_acceleration, damping);
    }
    let force_in_wheel = if contact.pull_in_wheel.x == 0.0 {
        force
    } else {
        hold_along(contact, force, limit.remaining_force(force.y, max).min(max_longitudinal_force))
    };
    WheelReaction { force_in_wheel, spin_acceleration, ..WheelReaction::default() }
}

/// The spin acceleration [rad/s²] of a wheel so light that its bearing would reverse it within a step. A gripping wheel
/// is turned by the ground; a slipping one is damped by the implicit Euler rule, which is stable at any step.
#[inline(never)]
fn damped(contact: &WheelContact, explicit: f64, damping: f64) -> f64 {
    let gripping = (contact.velocity_in_wheel.x / contact.radius - contact.spin) / contact.dt;
    if (explicit - gripping).abs() <= 1e-6 * gripping.abs().max(1.0) {
        return explicit;
    }
    explicit * contact.inertia / (contact.inertia + damping * contact.dt)
}

/// The force [N] after the remainder of `most` [N] along x is spent on holding the pull.
#[inline(never)]
fn hold_along(contact: &WheelContact, force: Vec2, most: f64) -> Vec2 {
    let spare = (most - force.x.abs()).max(0.0);
    Vec2::new(force.x - within(contact.pull_in_wheel.x, spare), force.y)
}

/// A locked wheel: its spin ends, and the contact sticks along both axes up to `max` [N], beyond which it slides.
#[inline(never)]
fn react_locked(contact: &WheelContact, limit: Limit, max: f64) -> WheelReaction {
    let demand = -((contact.mass / contact.dt) * contact.velocity_in_wheel + contact.pull_in_wheel);
    WheelReaction {
        force_in_wheel: limit.apply(demand, max),
        spin_acceleration: -contact.spin / contact.dt,
        ..WheelReaction::default()
    }
}

/// Parameters that Coulomb-like laws share, with their XML names.
fn read_common(reader: &Reader<'_>, mu: f64, damping: f64, rolling_resistance: f64) -> (f64, f64, f64) {
    (
        reader.f64("mu", mu, Accept::non_negative()),
        reader.f64("C_damping", damping, Accept::non_negative()),
        reader.f64("C_rr", rolling_resistance, Accept::non_negative()),
    )
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tyre_tests;
