//! Stanley's law: the front axle is steered along the path, and towards it (G. M. Hoffmann, C. J. Tomlin, M. Montemerlo, S. Thrun, *Autonomous
//! Automobile Trajectory Tracking for Off-Road Driving*, American Control Conference 2007; S. Thrun et al., *Stanley: The Robot that Won the DARPA Grand Challenge*, 2006).
//!
//! With e the distance of the front axle to the left of its path, and ψ_e the angle from the car to that path's tangent,
//!
//! ```text
//! δ = ψ_e + α_f − atan(k_across·e/(k_soft + v)) − k_yaw·(ψ̇ − v·κ)
//! ```
//! On a rolling car ė = −k_across·e/√(1 + (k_across·e/v)²): a small e decays with the rate k_across, whatever the speed (with `k_soft` 0).
//! α_f = M·b·v²·κ/(L·C_f) is the slip angle of the front tyres in the curve (Hoffmann's ψ_ss), 0 of the kinematic model.
//!
//! As published the front axle follows the path itself (`rear_on_path: false`), and the rear axle cuts corners: on a circle of radius R it
//! runs at √(R² − L²). With `rear_on_path` the front axle has a path of its own, on which it belongs if the rear axle is on the reference: x +
//! L·h(θ + α_r), with the slip angle α_r = M·a·v²·κ/(L·C_r) of the rear tyres. Rule: the paper's k = 2.5 /s.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Rot2, Vec2};

use super::bicycle::Car;
use super::place::{self, Nearest, Place};
use super::{LIMITS, Last, Law, Moment, TrackerEntry, Wanted};
use crate::{LinearizerParameters, TrackerParameters, VehicleState};

pub(super) const ENTRY: TrackerEntry = TrackerEntry {
    name: "stanley",
    help: "the front axle along the path and towards it (Hoffmann et al. 2007): k_across, k_soft, k_yaw, rear_on_path, k_along, model",
    keys: &["k_along", "k_across", "k_soft", "k_yaw", "rear_on_path", "model"],
    vehicle_keys: LIMITS,
    build: Some(build),
};

#[derive(Debug)]
struct Stanley {
    parameters: TrackerParameters,
    car: Car,
    front: Nearest,
    rear: Nearest,
}

fn build(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Box<dyn Law>, Diagnostic> {
    let car = Car::new(parameters, vehicle)?;
    Ok(Box::new(Stanley { parameters: *parameters, car, front: Nearest::default(), rear: Nearest::default() }))
}

/// Position [m], velocity [m/s] and acceleration [m/s²] of the front axle whose rear axle is at a place of the path. The curvature
/// counts as constant.
fn front_of(place: &Place, car: &Car) -> (Vec2, Vec2, Vec2) {
    let sample = &place.sample;
    let rate = sample.turn_rate();
    let (_, rear_slip) = car.slip_angles(sample.speed(), sample.curvature());
    let arm = place.along * Rot2::new(rear_slip) * Vec2::new(car.wheelbase(), 0.0);
    let velocity = sample.velocity + rate * arm.perpendicular();
    (sample.position + arm, velocity, sample.acceleration - (rate * rate) * arm)
}

impl Law for Stanley {
    fn command(&mut self, moment: &Moment<'_>, state: &VehicleState, _last: Last) -> Wanted {
        let (p, car) = (&self.parameters, &self.car);
        let (position, heading) = (state.world_from_body.position(), state.world_from_body.rotation());
        let axle = position + heading * Vec2::new(car.wheelbase(), 0.0);
        let of_rear = self.rear.find(moment, position, heading);
        let (of_front, left, tangent) = if p.rear_on_path {
            let place = self.front.find_moved(moment, axle, heading, |place| front_of(place, car));
            let (point, velocity, _) = front_of(&place, car);
            let speed = velocity.norm();
            let tangent = match speed > place::STANDS {
                true => Rot2 { cos: velocity.x / speed, sin: velocity.y / speed },
                false => place.along,
            };
            (place, (tangent.inverse() * (axle - point)).y, tangent)
        } else {
            let place = self.front.find(moment, axle, heading);
            (place, place.left(axle), place.along)
        };
        let speed = state.velocity_in_body.vx.max(0.0);
        let curvature = of_front.sample.curvature();
        let (front_slip, _) = car.slip_angles(speed, curvature);
        let towards = libm::atan2(p.k_across * left, p.k_soft + speed);
        let turning = p.k_yaw * (state.velocity_in_body.wz - speed * curvature);
        Wanted {
            speed: place::speed(moment, &of_rear, p.k_along),
            steering_angle: (heading.inverse() * tangent).angle() + front_slip - towards - turning,
            plan_is_held: false,
        }
    }

    fn reset(&mut self) {
        self.front.reset();
        self.rear.reset();
    }
}
