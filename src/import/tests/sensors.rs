//! Sensors with numbers that are not accepted are left out, each with its reason.

use super::{collision, import, two_wheels};

/// A robot with sensors on its body.
fn with(sensors: &str) -> String {
    let body = collision("0 0 0 0 0 0", &super::box_of("0.5 0.3 0.1"));
    two_wheels("").replacen(&body, &format!("{body}\n{sensors}\n"), 1)
}

fn lidar(name: &str, range: &str) -> String {
    format!("<sensor name='{name}' type='ray'><ray><range>{range}</range></ray></sensor>")
}

#[test]
fn a_sensor_out_of_range_is_left_out_and_the_others_stay() {
    let bad = lidar("bad", "<min>-1</min><max>9</max>");
    let done = import("r.sdf", &with(&(bad + &lidar("good", "<min>0.1</min><max>9</max>"))));
    assert_eq!(done.errors, [""; 0]);
    assert_eq!(
        done.warnings,
        ["r.sdf:4:48: the sensor is left out: bad value \"-1\" for <min> in <range>\n  accepted: a finite number >= 0"]
    );
    let world = done.load();
    let sensors = &world.scene().vehicles[0].sensors;
    assert_eq!(sensors.len(), 1);
    assert_eq!(sensors[0].name, "good");
}

/// Numbers that import takes, and the world does not.
#[test]
fn a_sensor_that_does_not_load_is_left_out() {
    let camera = |clip: &str| format!("<sensor name='eye' type='camera'><camera><clip>{clip}</clip></camera></sensor>");
    let done = import("r.sdf", &with(&camera("<near>5</near><far>1</far>")));
    assert_eq!(done.errors, [""; 0]);
    assert!(done.warnings[0].starts_with("r.sdf:4:1: the sensor \"eye\" is left out: "), "{:?}", done.warnings);
    assert!(done.load().scene().vehicles[0].sensors.is_empty());
    assert_eq!(import("r.sdf", &with(&camera("<near>0.1</near><far>9</far>"))).warnings, [""; 0]);
}

#[test]
fn a_depth_camera_has_no_noise_of_colours() {
    let noise = "<noise><stddev>0.02</stddev></noise>";
    let done = import("r.sdf", &with(&format!("<sensor name='eye' type='depth'><camera>{noise}</camera></sensor>")));
    assert_eq!(done.warnings, [""; 0]);
    // Its load has no warning.
    assert_eq!(done.load().scene().vehicles[0].sensors.len(), 1);
    assert!(!done.read("pair.vehicle.xml").contains("rgb_noise_std"));
}
