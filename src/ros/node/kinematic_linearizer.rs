//! Node `kinematic_linearizer`: exact linearization of the kinematic bicycle about its rear axle (seed 004, §5.2).

use super::super::parameters::{Declaration, Parameters};
use super::{Entry, USE_SIM_TIME, linearizer, odometry};
use crate::tracking::LinearizerParameters;

pub(super) const ENTRY: Entry =
    Entry { name: "kinematic_linearizer", parameters: PARAMETERS, start: |setup| linearizer::start(setup, law) };

const PARAMETERS: &[Declaration] = &[
    linearizer::positive("L", 0.325, "distance between rear and front wheels [m]"),
    linearizer::EPSILON,
    linearizer::MAX_STEERING_ANGLE,
    linearizer::TIMEOUT,
    odometry::TIMEOUT,
    odometry::PREDICT,
    USE_SIM_TIME,
];

fn law(parameters: &Parameters) -> LinearizerParameters {
    LinearizerParameters {
        linearizer: "kinematic".into(),
        wheelbase: parameters.number("L"),
        ..LinearizerParameters::default()
    }
}
