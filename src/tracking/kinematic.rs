//! Exact linearization of the kinematic bicycle about point P (seed 004, §5.2).

use super::{Linearizer, LinearizerEntry, LinearizerParameters, Steer, VehicleState};
use crate::friction::within;
use crate::math::Vec2;

pub(super) const ENTRY: LinearizerEntry =
    LinearizerEntry { name: "kinematic", help: "of the kinematic bicycle about its rear axle: L, epsilon", build };

#[derive(Debug)]
struct Kinematic {
    wheelbase: f64,
    epsilon: f64,
    max_steering_angle: f64,
}

fn build(parameters: &LinearizerParameters) -> Result<Box<dyn Linearizer>, String> {
    let &LinearizerParameters { wheelbase, epsilon, max_steering_angle, .. } = parameters;
    Ok(Box::new(Kinematic { wheelbase, epsilon, max_steering_angle }))
}

impl Linearizer for Kinematic {
    fn steer(&mut self, velocity_in_world: Vec2, state: &VehicleState, _dt: f64) -> Steer {
        let v = state.world_from_body.rotation().inverse() * velocity_in_world;
        let turn_rate = v.y / self.epsilon;
        let steering_angle = if v.x == 0.0 { 0.0 } else { libm::atan(self.wheelbase * turn_rate / v.x) };
        Steer { speed: v.x, steering_angle: within(steering_angle, self.max_steering_angle), turn_rate }
    }
}
