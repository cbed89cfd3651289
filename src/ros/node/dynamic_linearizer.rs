//! Node `dynamic_linearizer`: linearization of the dynamic single track about its centre of gravity (seed 004, §5.1).

use super::super::parameters::{Declaration, Parameters, number};
use super::{Entry, USE_SIM_TIME, linearizer, odometry};
use crate::tracking::LinearizerParameters;

pub(super) const ENTRY: Entry =
    Entry { name: "dynamic_linearizer", parameters: PARAMETERS, start: |setup| linearizer::start(setup, law) };

const PARAMETERS: &[Declaration] = &[
    linearizer::positive("C_f", 399.0, "cornering stiffness of the front axle [N/rad]"),
    linearizer::positive("C_r", 410.7, "cornering stiffness of the rear axle [N/rad]"),
    linearizer::positive("a", 0.1647, "from the centre of gravity to the front axle [m]"),
    linearizer::positive("b", 0.1603, "from the centre of gravity to the rear axle [m]"),
    linearizer::positive("M", 5.692, "mass [kg]"),
    linearizer::EPSILON,
    number(
        "max_lateral_acceleration",
        8.0,
        [1e-6, 1e9],
        "largest lateral acceleration that is asked for [m/s²]; what tyres give is at most mu times gravity",
    )
    .at_start(),
    linearizer::MAX_STEERING_ANGLE,
    linearizer::MAX_SPEED,
    linearizer::MIN_SPEED,
    linearizer::REVERSE,
    linearizer::TIMEOUT,
    odometry::TIMEOUT,
    odometry::PREDICT,
    USE_SIM_TIME,
];

fn law(parameters: &Parameters) -> LinearizerParameters {
    LinearizerParameters {
        linearizer: "dynamic".into(),
        front_stiffness: parameters.number("C_f"),
        rear_stiffness: parameters.number("C_r"),
        cog_to_front: parameters.number("a"),
        cog_to_rear: parameters.number("b"),
        mass: parameters.number("M"),
        max_lateral_acceleration: parameters.number("max_lateral_acceleration"),
        ..LinearizerParameters::default()
    }
}
