//! Linearization of the dynamic single track about point P (the study, §5.1).
//!
//! P is ε ahead of the centre of gravity along its velocity, whose direction is χ = ψ + β. With V the speed of the centre of
//! gravity and ω = χ̇ = β̇ + ψ̇ the turn rate of its path,
//!
//! ```text
//! Ṗ = V·(cos χ, sin χ) + ε·ω·(−sin χ, cos χ)
//!
//! | V |   |  cos(β + ψ)     sin(β + ψ)   | | V_Px |
//! | ω | = | −sin(β + ψ)/ε   cos(β + ψ)/ε | | V_Py |
//! ```
//! and the steering angle for that turn rate follows from the lateral forces of linear tyres, at small angles:
//!
//! ```text
//! M·V·ω = F_f + F_r       F_f = C_f·(δ − β − a·ψ̇/V)       F_r = C_r·(−β + b·ψ̇/V)
//!
//! δ = M·V/C_f·ω + (C_f + C_r)/C_f·β − (b·C_r − a·C_f)/C_f·ψ̇/V
//! ```
//! The commanded speed is V·cos β, that of the rear axle along the body's x axis, as for all vehicles.
//!
//! Corrections to the study: it prints sin(β + ω) in the matrix, with inconsistent units, instead of sin(β + ψ). It calls ω the
//! steering speed instead of the turn rate, and V the speed of P, whereas P moves with the commanded velocity. Its
//! β = atan(V_Py/V_Px) would be the commanded course of P in the world; the equations hold for the measured side-slip angle of
//! the car: with the velocity (v_x, v_y) of the rear axle β = atan2(v_y + b·ψ̇, v_x).
//!
//! The law does not control the yaw. The yaw dynamics, s² + (L·b·C_r/(I_z·V))·s + L·C_r/I_z, are stable at every V > 0, because only
//! the rear axle acts on them.
//!
//! Safeguards in addition to those of `guard`:
//! * The law divides by V and assumes slipping tyres. Below the first of `blend_speeds` the law of the rolling car
//!   steers, with P on its axis b + ε ahead of the rear axle; up to the second the two angles are blended smoothly, as
//!   the simulated single track blends its models. Reversing uses the rolling law, too.
//! * ω is limited to `max_lateral_acceleration`/V, so that a car that is far off its path is not steered to full lock. The law
//!   assumes linear tyres: near their grip real ones give about half of the predicted force, and the limit has to allow for that.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Rot2, Vec2};

use super::guard::Guard;
use super::{Linearizer, LinearizerEntry, LinearizerParameters, Steer, VehicleState};
use crate::trajectory::check::positive;
use skidpad_vehicle::friction::within;

pub(super) const ENTRY: LinearizerEntry = LinearizerEntry {
    name: "dynamic",
    help: "of the single track about its centre of gravity: C_f, C_r, a, b, M, epsilon",
    build,
};

#[derive(Debug)]
struct Dynamic {
    parameters: LinearizerParameters,
    guard: Guard,
}

fn build(parameters: &LinearizerParameters) -> Result<Box<dyn Linearizer>, Diagnostic> {
    let p = parameters;
    p.check_dynamic()?;
    positive("max_lateral_acceleration", p.max_lateral_acceleration, "m/s²")?;
    let guard = Guard::new(p, p.cog_to_front + p.cog_to_rear);
    Ok(Box::new(Dynamic { parameters: p.clone(), guard }))
}

impl Dynamic {
    /// Weight of the slipping-tyre law at the speed `v_x` [m/s] along the axis.
    fn share(&self, v_x: f64) -> f64 {
        let [low, high] = self.parameters.blend_speeds;
        let s = ((v_x - low) / (high - low)).clamp(0.0, 1.0);
        s * s * (3.0 - 2.0 * s)
    }
}

impl Linearizer for Dynamic {
    fn steer(&mut self, velocity_in_world: Vec2, state: &VehicleState) -> Steer {
        let p = &self.parameters;
        let b = p.cog_to_rear;
        let wanted_in_body = state.world_from_body.rotation().inverse() * velocity_in_world;
        let rolling = self.guard.roll(wanted_in_body, b + p.epsilon);

        let v = state.velocity_in_body;
        let at_cog = v.at_point(Vec2::new(b, 0.0));
        let (now, share) = (at_cog.norm(), self.share(v.vx));
        let course = Rot2 { cos: at_cog.x / now, sin: at_cog.y / now };
        let wanted = course.inverse() * wanted_in_body;
        if !(share > 0.0 && now.is_finite() && wanted.is_finite() && wanted.x > 0.0) {
            let steer = self.guard.limit(rolling.speed, rolling.steering_angle);
            return flag_cuts(steer, rolling.speed_is_cut, rolling.steering_is_cut);
        }
        let most = p.max_lateral_acceleration / now;
        let turn_rate = wanted.y / p.epsilon;
        let (c_f, c_r, a) = (p.front_stiffness, p.rear_stiffness, p.cog_to_front);
        let slipping = p.mass * now / c_f * within(turn_rate, most) + (c_f + c_r) / c_f * course.angle()
            - (b * c_r - a * c_f) / c_f * v.wz / now;
        let mix = |rolling: f64, slipping: f64| rolling + share * (slipping - rolling);
        let steer = self.guard.limit(mix(rolling.speed, wanted.x * course.cos), mix(rolling.steering_angle, slipping));
        let speed_is_cut = share < 1.0 && rolling.speed_is_cut;
        let rate = mix(steer.turn_rate, within(turn_rate, most));
        Steer { turn_rate: rate, ..flag_cuts(steer, speed_is_cut, turn_rate.abs() > most) }
    }

    fn reset(&mut self) {
        self.guard.reset();
    }
}

/// The command with the limits flagged that were applied before.
fn flag_cuts(steer: Steer, speed_is_cut: bool, steering_is_cut: bool) -> Steer {
    Steer {
        speed_is_cut: steer.speed_is_cut || speed_is_cut,
        steering_is_cut: steer.steering_is_cut || steering_is_cut,
        ..steer
    }
}
