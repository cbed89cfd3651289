//! Common part of the slip-based laws: turns force against slip into the reaction of a wheel within one step, at any speed.
//!
//! A law gives its curves for one contact as a `Patch`. Force against slip is stiff at low speed, and no slip is defined
//! at rest. So:
//!
//! * **Laterally** the law gives at most the force that stops lateral motion within the step. With a = C·dt/(m·|vx|), at most 1,
//!   it is evaluated at the slip of v_free = vy + a·dt·G_y/m, and the limit is m·|v_free|/dt. Where a < 1 that is the law itself,
//!   with an error of a² times the slope's pull; below that speed the contact sticks as under Coulomb's law and holds the
//!   slope's pull. Between them the force is continuous.
//! * **Longitudinally** the wheel's spin is found by the backward Euler rule: I·(ω' − ω)/dt = T − c·ω' − R·F_x(κ(ω', vx)), a
//!   scalar equation with one solution, since F_x grows with ω'. Beyond its peak a curve falls: there the loss relative to the peak
//!   is taken at the slip before the step. In steady motion F_x(κ) = T/R up to rounding. The spin grows smoothly with T.
//!   For wheels whose I/R² exceeds a quarter of the mass on them, vx is partly that after the step, so that no inertia
//!   makes them oscillate.
//! * The force along x comes first. The lateral force gets the share that the ellipse and the limit leave.
//!
//! Along either axis the force never reverses the motion that it opposes: it dissipates energy at the beginning and the end of a step.
//!
//! **Relaxation** (H. B. Pacejka, "Tire and Vehicle Dynamics", 3rd ed., §7.2): the slip follows its steady value over the travelled
//! distance, L·dσ'/dt = |vx|·(σ − σ'), solved exactly over a step. Below √(C·L/m)/2 the length shrinks with vx², which keeps the
//! damping of the mass on the tyre's spring at a quarter or more, and it is zero where the contact sticks.
//!
//! **Camber** pushes with C_gamma·N·γ towards the side the wheel leans to, in proportion to its rolling: as a shift of the slip.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::slip::{MIN_SPEED, slip_tangent};
use super::{Limit, WheelContact, WheelReaction, hold_along, read_common, resisting_torque, within};

/// Parameters that tyre laws share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tyre {
    /// Friction coefficient [-].
    pub mu: f64,
    /// Bearing damping [N·m·s/rad].
    pub damping: f64,
    /// Rolling resistance coefficient [-].
    pub rolling_resistance: f64,
    /// Circle: |F| ≤ μ·N, with combined slip. Axes: each axis separately.
    pub limit: Limit,
    /// Distance [m] over which slip along x and y builds up; 0 for at once.
    pub relaxation_length: Vec2,
    /// Camber thrust per load and angle [1/rad].
    pub camber_stiffness: f64,
}

impl Default for Tyre {
    fn default() -> Tyre {
        Tyre {
            mu: 0.8,
            damping: 0.01,
            rolling_resistance: 0.0,
            limit: Limit::Circle,
            relaxation_length: Vec2::ZERO,
            camber_stiffness: 0.0,
        }
    }
}

impl Tyre {
    /// Reads the tags that tyre laws share; `mu` [-] is the default of `<mu>`.
    pub fn read(reader: &Reader<'_>, mu: f64) -> Tyre {
        let d = Tyre::default();
        let (mu, damping, rolling_resistance) = read_common(reader, mu, d.damping, d.rolling_resistance);
        let lengths = reader.numbers("relaxation_length", &[1, 2]).unwrap_or_else(|| vec![0.0]);
        let relaxation_length = Vec2::new(lengths[0], *lengths.last().unwrap_or(&0.0));
        if lengths.iter().any(|length| *length < 0.0) {
            let message = format!("negative length for <relaxation_length> in {}", reader.describe());
            reader
                .error_at("relaxation_length", message)
                .accepted(["one number or two, along x and y, >= 0".to_string()]);
        }
        Tyre {
            mu,
            damping,
            rolling_resistance,
            limit: Limit::read(reader, Limit::Circle),
            relaxation_length,
            camber_stiffness: reader.f64("C_gamma", d.camber_stiffness, Accept::non_negative()),
        }
    }

    /// The largest force [N] that friction allows at this contact.
    #[inline]
    pub fn max_force(&self, contact: &WheelContact) -> f64 {
        contact.ground_mu.unwrap_or(self.mu) * contact.load
    }
}

/// How the longitudinal and lateral forces share the available friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combined {
    /// The longitudinal force is that of its slip alone; the lateral force is scaled by √(1 − (F_x/D_x)²).
    #[default]
    Ellipse,
    /// Both follow from the resultant of the slips, each slip divided by its curve's scale.
    Similarity,
}

impl Combined {
    /// Reads `<combined>ellipse|similarity</combined>`.
    pub fn read(reader: &Reader<'_>) -> Combined {
        let table = [("ellipse", Combined::Ellipse), ("similarity", Combined::Similarity)];
        reader.choice("combined", Combined::Ellipse, &table)
    }
}

/// The stiffness of a tyre, as a world file gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffness {
    /// Longitudinal: force over slip ratio, [-] per load or [N].
    pub c_s: f64,
    /// Cornering: force over slip angle, [1/rad] per load or [N/rad].
    pub c_alpha: f64,
    /// Whether both are per load.
    pub per_load: bool,
}

impl Default for Stiffness {
    fn default() -> Stiffness {
        Stiffness { c_s: 12.0, c_alpha: 10.0, per_load: true }
    }
}

impl Stiffness {
    /// Reads `<C_s>`, `<C_alpha>` and `<stiffness>`.
    pub fn read(reader: &Reader<'_>) -> Stiffness {
        let d = Stiffness::default();
        let per_load = reader.choice("stiffness", d.per_load, &[("per_load", true), ("absolute", false)]);
        if !per_load {
            for name in ["C_s", "C_alpha"].into_iter().filter(|name| !reader.has(name)) {
                reader.missing(&format!("<{name}>, in newton,"));
            }
        }
        Stiffness {
            c_s: reader.f64("C_s", d.c_s, Accept::positive()),
            c_alpha: reader.f64("C_alpha", d.c_alpha, Accept::positive()),
            per_load,
        }
    }

    /// Longitudinal [N] and cornering stiffness [N/rad] at `load` [N].
    #[inline]
    pub fn at_load(&self, load: f64) -> Vec2 {
        let scale = if self.per_load { load } else { 1.0 };
        Vec2::new(scale * self.c_s, scale * self.c_alpha)
    }
}

/// A law at one contact: force against slip. Slips and forces along x are positive in the direction of the push, lateral ones are
/// magnitudes.
pub(super) trait Patch {
    /// Slopes of the forces at zero slip [N per unit of slip].
    fn stiffness(&self) -> Vec2;

    /// The largest force along x [N].
    fn max_longitudinal_force(&self) -> f64;

    /// The lateral slip of this `tangent` [-] ≥ 0, in the scale that the law computes with (such as C_alpha·tan α [N] or B·α [-]);
    /// `lateral_slip` below.
    fn scaled_lateral_slip(&self, tangent: f64) -> f64;

    /// Longitudinal force over its peak [-] at this slip ratio [-] on the falling branch; 1 up to the peak.
    fn peak_share(&self, _ratio: f64, _lateral_slip: f64, _drives: bool) -> f64 {
        1.0
    }

    /// Force along x [N] and its slope over the slip ratio, without the fall beyond the peak, times `peak_share` [-]. It must grow with
    /// the slip. `drives` says whether the push is along the motion.
    fn longitudinal_force(&self, ratio: f64, lateral_slip: f64, peak_share: f64, drives: bool) -> (f64, f64);

    /// Lateral force [N] ≥ 0 at this lateral slip, slip ratio [-] and longitudinal force [N].
    fn lateral_force(&self, lateral_slip: f64, ratio: f64, longitudinal: f64, drives: bool) -> f64;

    /// Semi-axes [N] of the force ellipse of a wheel that slides without turning.
    fn sliding_ellipse(&self) -> Vec2;
}

/// Reaction of a rolling or sliding contact by the curves of `patch`; `max` [N] is μ·N.
#[inline]
pub(super) fn react_by_slip<P: Patch>(tyre: &Tyre, contact: &WheelContact, max: f64, patch: &P) -> WheelReaction {
    let stiffness = patch.stiffness();
    let lateral = Lateral::new(tyre, contact, stiffness.y);
    let lateral_slip = patch.scaled_lateral_slip(lateral.tangent.abs());
    // A sticking contact slips less laterally than v_free suggests.
    let held_lateral_slip = if lateral.max_force < stiffness.y * lateral.tangent.abs() {
        patch.scaled_lateral_slip(lateral.max_force / stiffness.y)
    } else {
        lateral_slip
    };
    let longitudinal = if tyre.relaxation_length.x > 0.0 {
        Longitudinal::solve::<P, true>(tyre, contact, patch, stiffness.x, held_lateral_slip)
    } else {
        Longitudinal::solve::<P, false>(tyre, contact, patch, stiffness.x, held_lateral_slip)
    };
    let mut lateral_force =
        patch.lateral_force(lateral_slip, longitudinal.ratio, longitudinal.force, longitudinal.drives);
    lateral_force = lateral_force.min(lateral.max_force).min(tyre.limit.remaining_force(longitudinal.force, max));
    let mut force = Vec2::new(
        longitudinal.force,
        if lateral.tangent == 0.0 { 0.0 } else { lateral_force.copysign(-lateral.tangent) },
    );
    if contact.pull_in_wheel.x != 0.0 {
        force =
            hold_along(contact, force, tyre.limit.remaining_force(force.y, max).min(patch.max_longitudinal_force()));
    }
    let relaxed_slip = Vec2::new(
        if tyre.relaxation_length.x > 0.0 { longitudinal.relaxed } else { 0.0 },
        if tyre.relaxation_length.y > 0.0 { lateral.tangent } else { 0.0 },
    );
    WheelReaction { force_in_wheel: force, spin_acceleration: longitudinal.spin_acceleration, relaxed_slip }
}

/// A locked wheel: its spin ends, and the contact sticks up to the ellipse with semi-axes `sliding` [N], beyond which it slides.
#[inline(never)]
pub(super) fn react_locked_by_slip(contact: &WheelContact, limit: Limit, max: f64, sliding: Vec2) -> WheelReaction {
    let demand = -((contact.mass / contact.dt) * contact.velocity_in_wheel + contact.pull_in_wheel);
    let force = match limit {
        Limit::Axes => Vec2::new(within(demand.x, sliding.x), within(demand.y, sliding.y)),
        Limit::Circle => {
            let share = |force: f64, most: f64| if force == 0.0 { 0.0 } else { force / most };
            let (x, y) = (share(demand.x, sliding.x), share(demand.y, sliding.y));
            let length = (x * x + y * y).sqrt();
            let force = if length <= 1.0 {
                demand
            } else if length.is_finite() {
                (1.0 / length) * demand
            } else {
                // An axis without grip, or a demand that overflows.
                Vec2::new(within(demand.x, sliding.x), within(demand.y, sliding.y))
            };
            limit.apply(force, max)
        }
    };
    WheelReaction { force_in_wheel: force, spin_acceleration: -contact.spin / contact.dt, ..WheelReaction::default() }
}

/// Share of the old slip that remains after a step of relaxation over `length` [m], for a tyre of `stiffness` [N per unit of
/// slip]; 0 without relaxation.
#[inline(never)]
fn remaining_slip_share(contact: &WheelContact, length: f64, stiffness: f64) -> f64 {
    let speed = contact.velocity_in_wheel.x.abs();
    // Share of the mass's momentum that the tyre's force would take within the step; from 1 on it sticks.
    let sticking = stiffness * contact.dt / (contact.mass * speed);
    let damped = 4.0 * contact.mass * speed * speed / stiffness;
    let length = length.min(damped) * (1.0 - sticking);
    if length > 0.0 { libm::exp(-speed * contact.dt / length) } else { 0.0 }
}

/// Lateral slip and the limit of its force.
struct Lateral {
    /// Tangent [-] of the effective slip angle, signed.
    tangent: f64,
    /// The force [N] that stops lateral motion within the step.
    max_force: f64,
}

impl Lateral {
    #[inline]
    fn new(tyre: &Tyre, contact: &WheelContact, stiffness: f64) -> Lateral {
        let (vx, mut vy) = (contact.velocity_in_wheel.x, contact.velocity_in_wheel.y);
        if tyre.camber_stiffness > 0.0 && contact.camber != 0.0 && stiffness > 0.0 {
            vy -= vx.abs() * tyre.camber_stiffness * contact.load * contact.camber / stiffness;
        }
        let (mass, pull) = (contact.mass, contact.pull_in_wheel.y);
        let mut stopping = mass / contact.dt * vy;
        if pull != 0.0 {
            // A slip that would balance the pull takes more than this step to build up at speed, and what is left of it on a contact that
            // sticks: so that the slip which balances a constant pull does not depend on the step.
            let share = (1.0 - mass * vx.abs() / (stiffness * contact.dt)).max(0.0);
            stopping += share * pull;
            if mass > 0.0 {
                vy += share * (contact.dt / mass * pull);
            }
        }
        let tangent = slip_tangent(vx, vy);
        if tyre.relaxation_length.y > 0.0 {
            let remaining = remaining_slip_share(contact, tyre.relaxation_length.y, stiffness);
            if remaining > 0.0 {
                let tangent = tangent + remaining * (contact.relaxed_slip.y - tangent);
                return Lateral { tangent, max_force: f64::INFINITY };
            }
        }
        Lateral { tangent, max_force: stopping.abs() }
    }
}

/// Force and spin along x.
struct Longitudinal {
    force: f64,
    spin_acceleration: f64,
    /// Slip ratio [-] after the step in the direction of the push, relaxed.
    ratio: f64,
    /// The same with its sign.
    relaxed: f64,
    drives: bool,
}

/// Share of the mass on a wheel that its I/R² may have before vx is predicted.
const LIGHT: f64 = 0.25;
/// Solver tolerance: a step that moves the slip by less than this share leaves an error of the square of it.
const CLOSE: f64 = 1e-4;
const MAX_ROUNDS: usize = 40;

impl Longitudinal {
    /// `RELAXES`: the slip builds up over a distance; a type parameter, so that tyres without relaxation do not pay for it.
    #[inline]
    fn solve<P: Patch, const RELAXES: bool>(
        tyre: &Tyre,
        contact: &WheelContact,
        patch: &P,
        stiffness: f64,
        lateral_slip: f64,
    ) -> Longitudinal {
        let &WheelContact { radius, dt, inertia, mass, .. } = contact;
        let vx = contact.velocity_in_wheel.x;
        let rim = contact.spin * radius;
        let per_radius = 1.0 / radius;
        let drive = resisting_torque(contact, 0.0, tyre.rolling_resistance) * per_radius;
        // Coefficients per rim speed: [N·s/m].
        let light = inertia * per_radius * per_radius;
        let (inert, damping) = (light / dt, tyre.damping * per_radius * per_radius);
        let whole = inert + damping;
        // The force that would make the wheel roll.
        let mut demand = drive + inert * (rim - vx) - damping * vx;
        let mut weight = whole;
        if light > LIGHT * mass && mass > 0.0 {
            let relation = light / mass;
            let implicit = (relation - LIGHT) / ((1.0 + LIGHT) * relation);
            let scale = 1.0 / (1.0 + implicit * whole * dt / mass);
            weight *= scale;
            demand *= scale;
        }
        let remaining = if RELAXES { remaining_slip_share(contact, tyre.relaxation_length.x, stiffness) } else { 0.0 };
        let mut old = remaining * contact.relaxed_slip.x;
        let mut net = demand;
        if RELAXES && old != 0.0 {
            net -= patch.longitudinal_force(old.abs(), lateral_slip, 1.0, true).0.copysign(old);
        }
        let backwards = net < 0.0;
        let sign = if backwards { -1.0 } else { 1.0 };
        let (demand, v, s_before) = (sign * demand, sign * vx, sign * (rim - vx));
        old *= sign;
        let drives = v >= 0.0;
        let ratio_at = |s: f64| -> (f64, f64) {
            let (ratio, slope) = if drives {
                let reference = v + s;
                if reference > MIN_SPEED {
                    (s * (1.0 / reference), v * (1.0 / reference) * (1.0 / reference))
                } else {
                    (s / MIN_SPEED, 1.0 / MIN_SPEED)
                }
            } else {
                let reference = (-v).max(MIN_SPEED);
                if s < reference { (s / reference, 1.0 / reference) } else { (1.0, 0.0) }
            };
            if RELAXES { (old + (1.0 - remaining) * ratio, (1.0 - remaining) * slope) } else { (ratio, slope) }
        };
        let peak_share = patch.peak_share(ratio_at(s_before.max(0.0)).0.abs(), lateral_slip, drives);
        // Where the tangent at zero slip meets the demand: below the solution.
        let first = || demand / (weight + (1.0 - remaining) * stiffness / v.abs().max(MIN_SPEED));
        let (mut low, mut high) =
            (0.0, (demand + if old == 0.0 { 0.0 } else { patch.max_longitudinal_force() }) / weight);
        let mut s = if s_before > 0.0 && s_before < high { s_before } else { first() };
        for _ in 0..MAX_ROUNDS {
            let (ratio, ratio_slope) = ratio_at(s);
            let (force, force_slope) = if RELAXES && ratio < 0.0 {
                let (force, slope) = patch.longitudinal_force(-ratio, lateral_slip, peak_share, !drives);
                (-force, slope)
            } else {
                patch.longitudinal_force(ratio, lateral_slip, peak_share, drives)
            };
            let excess = weight * s + force - demand;
            if excess > 0.0 {
                high = s;
            } else {
                low = s;
            }
            let mut next = s - excess / (weight + force_slope * ratio_slope);
            if (next - s).abs() <= CLOSE * s {
                s = next;
                break;
            }
            if !(next > low && next < high) {
                let first = first();
                next = if first > low && first < high { first } else { 0.5 * (low + high) };
            }
            s = next;
        }
        let mut force = within(demand - weight * s, patch.max_longitudinal_force());
        if old == 0.0 {
            // With next to no friction the difference is rounding alone.
            force = force.max(0.0);
        }
        let force = sign * force;
        let ratio = ratio_at(s).0;
        Longitudinal {
            force,
            spin_acceleration: (drive - force - damping * rim) / (whole * radius * dt),
            ratio,
            relaxed: sign * ratio,
            drives,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 kg at 1 m/s and 100 N per unit of slip: 1 ms takes a tenth of the momentum, and the relaxation length is at most 4·m·v²/C = 4 cm.
    #[test]
    fn old_slip_fades_over_the_relaxation_length_limited_by_damping() {
        let contact = WheelContact {
            wheel: 0,
            velocity_in_wheel: Vec2::new(-1.0, 0.0),
            pull_in_wheel: Vec2::ZERO,
            load: 10.0,
            mass: 1.0,
            spin: 0.0,
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
        for (length, expected) in [(0.01, 0.009), (1.0, 0.036)] {
            let left = remaining_slip_share(&contact, length, 100.0);
            assert!((left - libm::exp(-0.001 / expected)).abs() < 1e-12, "{left} over {length} m");
        }
        assert_eq!(remaining_slip_share(&contact, 1.0, 1001.0), 0.0, "it sticks");
    }
}
