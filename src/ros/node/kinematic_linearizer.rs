//! Node `kinematic_linearizer`: exact linearization of the kinematic bicycle about its rear axle (the study, §5.2).

use skidpad_sim::tracking::LinearizerParameters;

use super::{Entry, USE_SIM_TIME, linearizer, odometry};
use crate::parameters::table::{Declaration, Parameters};

pub(super) const ENTRY: Entry =
    Entry { name: "kinematic_linearizer", parameters: PARAMETERS, start: |setup| linearizer::start(setup, law) };

const PARAMETERS: &[Declaration] = &[
    linearizer::positive("L", 0.325, "distance between rear and front wheels [m]"),
    linearizer::epsilon("from the rear axle to point P, along the heading [m]; as the tracker's PL_distance"),
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
        linearizer: "kinematic".into(),
        wheelbase: parameters.number("L"),
        ..LinearizerParameters::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_law() {
        let defaults = Parameters::new(PARAMETERS, &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
        let expected = LinearizerParameters { linearizer: "kinematic".into(), ..LinearizerParameters::default() };
        assert_eq!(linearizer::with_common(law(&defaults), &defaults), expected);
    }
}
