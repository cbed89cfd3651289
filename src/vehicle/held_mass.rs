//! How much mass [kg] each contact tries to hold within a step, so that all of them together do not reverse a motion of the body.

use skidpad_math::Vec2;

use super::Inertia;

/// Of one of two frames, and of wheels whose spins are held: together the wheels must not reverse a motion of the free frame, along or across it,
/// or about its centre. The hinge makes the frames only harder to move.
pub(super) fn damp_frame(held_mass: &mut [f64], positions: &[Vec2], inertia: Inertia) {
    let sum = |weight: &dyn Fn(Vec2) -> f64| {
        let arms = positions.iter().map(|&p| p - inertia.center_of_mass);
        held_mass.iter().zip(arms).map(|(m, arm)| m * weight(arm)).sum::<f64>()
    };
    let across = sum(&|arm| 1.0 / inertia.mass + arm.x * arm.x / inertia.yaw);
    let along = sum(&|arm| 1.0 / inertia.mass + arm.y * arm.y / inertia.yaw);
    let most = across.max(along);
    if most > 1.0 {
        held_mass.iter_mut().for_each(|m| *m /= most);
    }
}

/// Each wheel tries to stop the lateral slip of its mass within one step. Together they must not reverse the yaw rate: where Σ
/// m_i·(x_i − x_G)² exceeds the yaw inertia (short heavy axles under a compact body), their masses are scaled down so that yaw
/// stops in one step and lateral motion in a few.
pub(super) fn damp_yaw(held_mass: &mut [f64], positions: &[Vec2], inertia: Inertia) {
    let moment: f64 = held_mass
        .iter()
        .zip(positions)
        .map(|(m, p)| m * (p.x - inertia.center_of_mass.x) * (p.x - inertia.center_of_mass.x))
        .sum();
    if moment > inertia.yaw {
        held_mass.iter_mut().for_each(|m| *m *= inertia.yaw / moment);
    }
}
