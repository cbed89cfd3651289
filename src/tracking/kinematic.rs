//! Exact linearization of the kinematic bicycle about point P (the study, §5.2).
//!
//! The reference point is the middle of the rear axle, which moves along the heading θ, and P is ε ahead of it:
//!
//! ```text
//! ẋ = V·cos θ      x_P = x + ε·cos θ      ẋ_P = V·cos θ − ε·θ̇·sin θ
//! ẏ = V·sin θ      y_P = y + ε·sin θ      ẏ_P = V·sin θ + ε·θ̇·cos θ
//! θ̇ = V·tan φ/l
//! ```
//! For ε ≠ 0 the last two can be solved for V and θ̇, so that P moves with any commanded velocity:
//!
//! ```text
//! V = V_Px·cos θ + V_Py·sin θ        θ̇ = (V_Py·cos θ − V_Px·sin θ)/ε        φ = atan(l·θ̇/V)
//! ```
//! Corrections to the study: its formula of φ lacks the brackets of numerator and denominator, so that l and ε multiply the first
//! term only; the formula here follows from its matrix form and its own equations. It calls V the speed of the front wheel and ε
//! the distance from the centre of gravity; the law holds for the speed of the rear axle and the distance from it. Where it is
//! singular, the safeguards of `guard` apply.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::guard::Guard;
use super::{Linearizer, LinearizerEntry, LinearizerParameters, Steer, VehicleState};
use crate::trajectory::check::positive;

pub(super) const ENTRY: LinearizerEntry =
    LinearizerEntry { name: "kinematic", help: "of the kinematic bicycle about its rear axle: L, epsilon", build };

#[derive(Debug)]
struct Kinematic {
    epsilon: f64,
    guard: Guard,
}

fn build(parameters: &LinearizerParameters) -> Result<Box<dyn Linearizer>, Diagnostic> {
    let &LinearizerParameters { wheelbase, epsilon, .. } = parameters;
    positive("L", wheelbase, "m")?;
    Ok(Box::new(Kinematic { epsilon, guard: Guard::new(parameters, wheelbase) }))
}

impl Linearizer for Kinematic {
    fn steer(&mut self, velocity_in_world: Vec2, state: &VehicleState) -> Steer {
        let wanted_in_body = state.world_from_body.rotation().inverse() * velocity_in_world;
        self.guard.roll(wanted_in_body, self.epsilon)
    }

    fn reset(&mut self) {
        self.guard.reset();
    }
}
