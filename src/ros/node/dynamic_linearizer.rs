//! Node `dynamic_linearizer`: linearization of the dynamic single track (the study, §5.1). Point P is ahead of the centre of
//! gravity; the odometry is that of the rear axle, as in all nodes here.

use skidpad_sim::tracking::LinearizerParameters;

use super::{Entry, USE_SIM_TIME, linearizer, odometry};
use crate::parameters::table::{Declaration, Parameters, number};

pub(super) const ENTRY: Entry =
    Entry { name: "dynamic_linearizer", parameters: PARAMETERS, start: |setup| linearizer::start(setup, law) };

const PARAMETERS: &[Declaration] = &[
    linearizer::positive("C_f", 399.0, "cornering stiffness of the front axle [N/rad]"),
    linearizer::positive("C_r", 410.7, "cornering stiffness of the rear axle [N/rad]"),
    linearizer::positive("a", 0.1647, "from the centre of gravity to the front axle [m]"),
    linearizer::positive("b", 0.1603, "from the centre of gravity to the rear axle [m]"),
    linearizer::positive("M", 5.692, "mass [kg]"),
    linearizer::epsilon(
        "from the centre of gravity to point P, along its velocity [m]; the tracker's PL_distance is b + epsilon",
    ),
    number(
        "max_lateral_acceleration",
        20.0,
        [1e-6, 1e9],
        "largest lateral acceleration that is asked of linear tyres [m/s²]; about 2·mu·g, as real ones give less",
    )
    .at_start(),
    number("blend_from", 0.5, BLEND, "below this speed [m/s] the car is taken to roll without side slip").at_start(),
    number("blend_to", 1.5, BLEND, "above this speed [m/s], more than blend_from, the law is whole").at_start(),
    linearizer::MAX_STEERING_ANGLE,
    linearizer::MAX_SPEED,
    linearizer::MIN_SPEED,
    linearizer::REVERSE,
    linearizer::TIMEOUT,
    odometry::TIMEOUT,
    odometry::PREDICT,
    USE_SIM_TIME,
];

/// Smallest and largest speed at which the laws may be blended [m/s].
const BLEND: [f64; 2] = [0.1, 1e6];

fn law(parameters: &Parameters) -> LinearizerParameters {
    LinearizerParameters {
        linearizer: "dynamic".into(),
        front_stiffness: parameters.number("C_f"),
        rear_stiffness: parameters.number("C_r"),
        cog_to_front: parameters.number("a"),
        cog_to_rear: parameters.number("b"),
        mass: parameters.number("M"),
        max_lateral_acceleration: parameters.number("max_lateral_acceleration"),
        blend_speeds: [parameters.number("blend_from"), parameters.number("blend_to")],
        ..LinearizerParameters::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_law() {
        let defaults = Parameters::new(PARAMETERS, &[], std::iter::empty(), Box::new(|_, _| {})).unwrap();
        let expected = LinearizerParameters { linearizer: "dynamic".into(), ..LinearizerParameters::default() };
        assert_eq!(linearizer::with_common(law(&defaults), &defaults), expected);
    }

    #[test]
    fn blend_speeds_in_the_wrong_order_are_refused() {
        let given = [("blend_from", r2r::ParameterValue::Double(2.0))];
        let parameters = Parameters::new(PARAMETERS, &given, std::iter::empty(), Box::new(|_, _| {})).unwrap();
        let reason =
            skidpad_sim::tracking::build(&linearizer::with_common(law(&parameters), &parameters)).err().unwrap();
        assert_eq!(
            reason.to_string(),
            "blend_speeds: found 1.5\n  accepted: two numbers, the first at least 0.1, the second greater [m/s]"
        );
    }
}
