//! Pure pursuit: the arc to a goal on the path ahead (R. C. Coulter, *Implementation of the Pure Pursuit Path Tracking Algorithm*,
//! CMU-RI-TR-92-01, 1992; J. M. Snider, *Automatic Steering Methods for Autonomous Automobile Path Tracking*, CMU-RI-TR-09-08, 2009, §2.2).
//!
//! The goal (x_g, y_g), in the frame of the rear axle, lies the way d along the path ahead of the nearest point, so that there is
//! one wherever the car is; beyond the end the path goes on straight. The circle through the axle and the goal, tangent to the car, has the
//! curvature
//!
//! ```text
//! κ = 2·y_g/(x_g² + y_g²)        δ = atan(L·κ)        d = max(min_lookahead, lookahead_time·v_x)
//! ```
//! On a circle the law is exact. A small distance e from a straight path obeys e″ + 2/d·e′ + 2/d²·e = 0 over the way driven: damped by 1/√2,
//! with the frequency √2/d. Rule: `lookahead_time` and `min_lookahead` of a wheelbase; a car that reacts late needs more.
//!
//! A goal behind the axle is steered to on the smallest circle.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Rot2, Vec2};

use super::bicycle::Car;
use super::place::{self, Nearest, Place, STANDS};
use super::{LIMITS, Last, Law, Moment, TrackerEntry, Wanted};
use crate::trajectory::Trajectory;
use crate::{LinearizerParameters, TrackerParameters, VehicleState};

pub(super) const ENTRY: TrackerEntry = TrackerEntry {
    name: "pure_pursuit",
    help: "the arc to a goal on the path ahead (Coulter 1992): lookahead_time, min_lookahead, k_along",
    keys: &["k_along", "lookahead_time", "min_lookahead"],
    vehicle_keys: LIMITS,
    build: Some(build),
};

#[derive(Debug)]
struct PurePursuit {
    parameters: TrackerParameters,
    wheelbase: f64,
    nearest: Nearest,
}

fn build(parameters: &TrackerParameters, vehicle: &LinearizerParameters) -> Result<Box<dyn Law>, Diagnostic> {
    let wheelbase = Car::kinematic(vehicle)?.wheelbase();
    Ok(Box::new(PurePursuit { parameters: *parameters, wheelbase, nearest: Nearest::default() }))
}

impl Law for PurePursuit {
    fn command(&mut self, moment: &Moment<'_>, state: &VehicleState, _last: Last) -> Wanted {
        let p = &self.parameters;
        let (position, heading) = (state.world_from_body.position(), state.world_from_body.rotation());
        let place = self.nearest.find(moment, position, heading);
        let ahead = p.min_lookahead.max(p.lookahead_time * state.velocity_in_body.vx);
        let goal = heading.inverse() * (goal(moment.trajectory, &place, ahead) - position);
        let square = goal.dot(goal);
        let curvature = match () {
            () if square <= 0.0 => 0.0,
            () if goal.x < 0.0 => f64::INFINITY.copysign(goal.y),
            () => 2.0 * goal.y / square,
        };
        Wanted {
            speed: place::speed(moment, &place, p.k_along),
            steering_angle: libm::atan(self.wheelbase * curvature),
            plan_is_held: false,
        }
    }

    fn reset(&mut self) {
        self.nearest.reset();
    }
}

/// The point [m] that is the way `ahead` [m] along the path from `place`.
fn goal(trajectory: &dyn Trajectory, place: &Place, ahead: f64) -> Vec2 {
    const STEPS: u32 = 16;
    let step = ahead / f64::from(STEPS);
    let end = place::end(trajectory);
    let (mut point_on_path, mut left) = (*place, ahead);
    for _ in 0..STEPS {
        let speed = point_on_path.sample.speed();
        if speed <= STANDS || point_on_path.time >= end {
            break;
        }
        // The midpoint rule for dτ/ds = 1/|ẋ|.
        let half = place::at(trajectory, point_on_path.time + 0.5 * step / speed, point_on_path.along);
        let time = point_on_path.time + step / half.sample.speed().max(0.5 * speed);
        let next = place::at(trajectory, time, half.along);
        left -= if time <= end { step } else { place::path_length(trajectory, point_on_path.time, end) };
        point_on_path = next;
    }
    let Rot2 { cos, sin } = point_on_path.along;
    point_on_path.sample.position + left.max(0.0) * Vec2::new(cos, sin)
}
