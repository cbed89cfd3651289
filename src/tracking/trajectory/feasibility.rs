//! Feasibility of a trajectory for a vehicle: speed, steering angle, grip.
//!
//! The reference point is the centre of the rear axle, which moves along the heading. Following a path of curvature κ at the
//! speed v requires
//!
//! ```text
//! speed v        steering angle δ = atan(l·|κ|)        lateral acceleration a = v²·|κ|, of which tyres give at most μ·g
//! ```
//! A path that stops has no curvature at that point; one that stops to turn, as at the cusp of a cycloid, has a very large
//! curvature next to it.

use skidpad_files::diagnostic::Diagnostic;

use super::Trajectory;

/// Limits of a vehicle; infinity means no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleLimits {
    /// Wheelbase [m].
    pub wheelbase: f64,
    /// Largest steering angle [rad].
    pub max_steering_angle: f64,
    /// Largest speed [m/s].
    pub max_speed: f64,
    /// Largest lateral acceleration [m/s²]: μ·g.
    pub max_lateral_acceleration: f64,
}

/// A quantity that a trajectory may demand too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Speed [m/s].
    Speed,
    /// Steering angle [rad].
    SteeringAngle,
    /// Lateral acceleration [m/s²].
    LateralAcceleration,
}

impl Quantity {
    fn name_and_unit(self) -> (&'static str, &'static str) {
        match self {
            Quantity::Speed => ("speed", "m/s"),
            Quantity::SteeringAngle => ("steering angle", "rad"),
            Quantity::LateralAcceleration => ("lateral acceleration", "m/s²"),
        }
    }
}

/// A limit that a trajectory exceeds: the worst time, the first time, and the share of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Infeasible {
    /// The quantity that is exceeded.
    pub quantity: Quantity,
    /// Time at which the limit is exceeded most [s].
    pub time: f64,
    /// Demand at that time, in the unit of the quantity.
    pub value: f64,
    /// Limit of the vehicle, in the unit of the quantity.
    pub limit: f64,
    /// Time at which the limit is first exceeded [s].
    pub first: f64,
    /// Share of the time during which the limit is exceeded [-], more than 0 and at most 1.
    pub share: f64,
    /// Smallest turning radius of the vehicle [m]; 0 without a steering limit.
    pub least_radius: f64,
}

impl From<&Infeasible> for Diagnostic {
    fn from(infeasible: &Infeasible) -> Diagnostic {
        let &Infeasible { quantity, value, time, limit, first, share, least_radius } = infeasible;
        let ((name, unit), percent) = (quantity.name_and_unit(), (100.0 * share).clamp(1.0, 100.0));
        let found = format!(
            "{name} of {value:.3} {unit} at {time:.2} s; too much from {first:.2} s on, {percent:.0} % of the time"
        );
        let hint = match quantity {
            Quantity::Speed => "the vehicle falls behind there; give it more time".to_owned(),
            Quantity::SteeringAngle => {
                format!("the rear axle leaves the path there; it can follow radii from {least_radius:.3} m on")
            }
            Quantity::LateralAcceleration => "the tyres slide there; drive slower, or on a larger radius".to_owned(),
        };
        Diagnostic::new("trajectory", found).accepted(format!("up to {limit:.3} {unit}")).hint(hint)
    }
}

/// Sampling interval of the trajectory [s], unless that makes more than [`MAX_SAMPLES`] samples.
const SAMPLE_INTERVAL: f64 = 0.005;
const MAX_SAMPLES: f64 = 1e6;

/// The limits of the vehicle that the trajectory exceeds within the first `duration` [s], each once.
pub fn feasibility(trajectory: &dyn Trajectory, limits: &VehicleLimits, duration: f64) -> Vec<Infeasible> {
    let whole = trajectory.duration().map_or(duration, |end| end.min(duration)).max(0.0);
    let samples = (whole / SAMPLE_INTERVAL).ceil().clamp(1.0, MAX_SAMPLES);
    let least_radius = limits.wheelbase / libm::tan(limits.max_steering_angle);
    let needs = [
        (Quantity::Speed, limits.max_speed),
        (Quantity::SteeringAngle, limits.max_steering_angle),
        (Quantity::LateralAcceleration, limits.max_lateral_acceleration),
    ];
    let mut violations: [Option<Infeasible>; 3] = [None; 3];
    for index in 0..=samples as usize {
        let time = whole * (index as f64 / samples);
        let sample = trajectory.at(time);
        let (speed, curvature) = (sample.speed(), sample.curvature().abs());
        let values = [speed, libm::atan(limits.wheelbase * curvature), speed * speed * curvature];
        for ((slot, (quantity, limit)), value) in violations.iter_mut().zip(needs).zip(values) {
            if value <= limit * (1.0 + 1e-9) {
                continue;
            }
            let new = Infeasible { quantity, time, value, limit, first: time, share: 0.0, least_radius };
            let worst = slot.get_or_insert(new);
            // Differences from rounding alone do not count as worse.
            if value > worst.value * (1.0 + 1e-9) {
                *worst = Infeasible { first: worst.first, share: worst.share, ..new };
            }
            worst.share += 1.0 / (samples + 1.0);
        }
    }
    violations.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::{TrajectoryParameters, build};

    fn infeasible(parameters: &TrajectoryParameters, limits: &VehicleLimits) -> Vec<Infeasible> {
        feasibility(&*build(parameters).unwrap(), limits, 60.0)
    }

    const CAR: VehicleLimits =
        VehicleLimits { wheelbase: 0.325, max_steering_angle: 0.34, max_speed: 2.0, max_lateral_acceleration: 9.81 };

    #[test]
    fn the_car_of_the_study_can_follow_its_trajectories() {
        for trajectory_type in ["line", "circle", "cycloid"] {
            let parameters =
                TrajectoryParameters { trajectory_type: trajectory_type.into(), ..TrajectoryParameters::default() };
            let wide = VehicleLimits { max_steering_angle: 1.0, ..CAR };
            assert_eq!(infeasible(&parameters, &wide), [], "{trajectory_type}");
        }
    }

    #[test]
    fn a_circle_that_is_too_tight_reports_the_smallest_feasible_radius() {
        let small = TrajectoryParameters {
            trajectory_type: "circle".into(),
            circle_radius: 0.5,
            circle_rate: 5.0,
            ..TrajectoryParameters::default()
        };
        let texts: Vec<String> =
            infeasible(&small, &CAR).iter().map(|violation| Diagnostic::from(violation).to_string()).collect();
        assert_eq!(
            texts,
            [
                "trajectory: speed of 2.500 m/s at 0.00 s; too much from 0.00 s on, 100 % of the time\n  accepted: up to 2.000 m/s\n  hint: the vehicle falls behind there; give it more time",
                "trajectory: steering angle of 0.576 rad at 0.00 s; too much from 0.00 s on, 100 % of the time\n  accepted: up to 0.340 rad\n  hint: the rear axle leaves the path there; it can follow radii from 0.919 m on",
                "trajectory: lateral acceleration of 12.500 m/s² at 0.00 s; too much from 0.00 s on, 100 % of the time\n  accepted: up to 9.810 m/s²\n  hint: the tyres slide there; drive slower, or on a larger radius",
            ]
        );
    }

    /// The parabola x = 2·a·t, y = a·t² has the speed 2·a·√(1 + t²): with a = 0.2 it is 2 m/s at √24 s.
    #[test]
    fn the_first_and_the_worst_moment_are_reported() {
        let parabola = TrajectoryParameters {
            trajectory_type: "parabola".into(),
            focal_length: 0.2,
            ..TrajectoryParameters::default()
        };
        let moments = infeasible(&parabola, &VehicleLimits { max_steering_angle: 1.0, ..CAR });
        let [speed] = moments.as_slice() else { panic!("{moments:?}") };
        let from = 24.0_f64.sqrt();
        assert_eq!((speed.quantity, speed.time), (Quantity::Speed, 60.0));
        assert!((speed.first - from).abs() < 0.006 && (speed.share - (60.0 - from) / 60.0).abs() < 1e-3, "{speed:?}");
        assert!((speed.value - 0.4 * 3601.0_f64.sqrt()).abs() < 1e-9, "{speed:?}");
    }
}
