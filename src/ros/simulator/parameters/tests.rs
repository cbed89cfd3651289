//! The parameters of the simulator: accepted values, and the effect of presets.

use skidpad_ros_data::preset::frame_names;
use skidpad_run::runner::mailbox;

use super::*;

/// The parameters of a node with these overrides.
pub fn start_with(given: &[(String, ParameterValue)]) -> Arc<Parameters> {
    declare(Rate::Factor(1.0), None, false, mailbox().0, given.iter().map(|(name, value)| (name, value))).unwrap()
}

fn start(overrides: &[(&str, ParameterValue)]) -> Result<Arc<Parameters>, RosError> {
    let owned: Vec<(String, ParameterValue)> =
        overrides.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    declare(Rate::Factor(1.0), None, false, mailbox().0, owned.iter().map(|(name, value)| (name, value)))
}

#[test]
fn every_default_is_accepted() {
    let parameters = start(&[]).unwrap();
    for declaration in DECLARATIONS {
        let default = parameters.value(declaration.name);
        assert_eq!(parameters.would_set(declaration.name, &default), Ok(default));
        assert!(!declaration.description.is_empty());
    }
}

#[test]
fn an_invalid_value_at_the_start_is_named_with_the_accepted_ones() {
    let error = start(&[("odom_rate", ParameterValue::Double(-5.0))]).err().unwrap();
    assert_eq!(error.to_string(), "parameter \"odom_rate\": found -5\n  accepted: a number from 0.1 to 1000");
    let error = start(&[("cmd_vel_type", ParameterValue::String("twits".into()))]).err().unwrap();
    assert_eq!(
        error.to_string(),
        "parameter \"cmd_vel_type\": found \"twits\"\n  accepted: auto, twist, twist_stamped"
    );
    for (name, bad) in [("rate", 1e-308), ("rate", 1e7), ("cmd_timeout", 1e-308)] {
        let error = start(&[(name, ParameterValue::Double(bad))]).err().unwrap();
        assert_eq!(error.accepted, ["0, or a number from 0.001 to 1000000"], "{name}");
    }
    let error = start(&[("rate", ParameterValue::Double(f64::NAN))]).err().unwrap();
    assert_eq!(error.found, "found NaN");
    let error = start(&[("publish_tf", ParameterValue::StringArray(Vec::new()))]).err().unwrap();
    assert_eq!(
        error.to_string(),
        "parameter \"publish_tf\": found a value of type string array\n  accepted: true, false"
    );
}

#[test]
fn integers_are_accepted_as_numbers() {
    let started_with = |whole| rate(&start(&[("rate", ParameterValue::Integer(whole))]).unwrap());
    assert_eq!((started_with(0), started_with(4)), (Rate::Max, Rate::Factor(4.0)));
}

#[test]
fn parameters_of_other_nodes_are_not_errors() {
    assert!(start(&[("max_vel_x", ParameterValue::Double(1.0))]).is_ok());
}

#[test]
fn a_running_node_refuses_with_a_reason() {
    let parameters = start(&[]).unwrap();
    let refused = |name: &str, value| parameters.would_set(name, &value).unwrap_err();
    assert_eq!(
        refused("clock_rate", ParameterValue::Double(0.0)),
        "clock_rate: found 0; accepted: a number from 1 to 1000"
    );
    assert_eq!(
        refused("cmd_vel_type", ParameterValue::String("twist".into())),
        "cmd_vel_type: can only be set at the start of the node"
    );
    assert_eq!(
        refused("odom_rat", ParameterValue::Double(1.0)),
        "odom_rat: unknown parameter; did you mean \"odom_rate\"?"
    );
}

#[test]
fn a_value_that_is_set_is_read_back() {
    let parameters = start(&[]).unwrap();
    let value = parameters.would_set("odom_rate", &ParameterValue::Integer(20)).unwrap();
    assert!(parameters.set(vec![("odom_rate".to_owned(), value)]));
    assert_eq!(publish_settings(&parameters, &SKIDPAD).odom_rate, 20.0);
}

#[test]
fn a_preset_sets_its_rates_and_quirks_need_a_preset_that_has_them() {
    let word = |text: &str| ParameterValue::String(text.into());
    let plain = start(&[]).unwrap();
    assert_eq!((preset_of(&plain).name, plain.number("odom_rate")), ("skidpad", 50.0));
    let racecar = start(&[("preset", word("racecar_gazebo"))]).unwrap();
    assert_eq!((preset_of(&racecar).name, racecar.number("odom_rate")), ("racecar_gazebo", 20.0));
    assert!(publish_settings(&racecar, preset_of(&racecar)).has_joint_pace);
    assert!(!publish_settings(&plain, preset_of(&plain)).has_joint_pace);
    let own = [("preset", word("racecar_gazebo")), ("odom_rate", ParameterValue::Double(100.0))];
    assert_eq!(start(&own).unwrap().number("odom_rate"), 100.0);
    let quirk = ("quirks.map_odom_ground_truth", ParameterValue::Bool(true));
    let quirky = start(&[("preset", word("racecar_gazebo")), quirk.clone()]).unwrap();
    assert_eq!(preset_of(&quirky).frames.moving[0].parent, frame_names::MAP);
    assert_eq!(preset_of(&start(&[quirk]).unwrap()).frames.moving[0].parent, frame_names::ODOM);
    let error = start(&[("preset", word("racecar"))]).err().unwrap().to_string();
    assert_eq!(
        error,
        "parameter \"preset\": found \"racecar\"\n  accepted: skidpad, racecar_gazebo, f1tenth_gym_ros, f1tenth_system, nav2_loopback, turtlebot3, mvsim, ros2_control, autoware"
    );
}
