//! Robots with two wheels: what the rates of their wheels determine, and what velocities determine.

use std::fmt::Write;

use skidpad_math::{Pose2, Twist2, advance};

use super::*;

/// Radii of the left and the right wheel, and their distance [m].
const RADII: [f64; 2] = [0.0341, 0.0326];
const SEPARATION: f64 = 0.271;

const ROBOT: &str = r#"<vehicle:class name="robot"><dynamics class="kinematic_differential">
    <l_wheel pos="0 0.129" diameter="0.066"/><r_wheel pos="0 -0.129" diameter="0.066"/></dynamics></vehicle:class>"#;

/// A minute of a robot whose encoders tell the rates of its wheels, which change every half second, and the velocity that its
/// firmware computes from them with the numbers of the class, in closed form; poses have noise of 2 mm and 2 mrad.
fn encoders(seed: u64) -> String {
    let (mut gauss, mut random) = (gauss(seed), Xoshiro256PlusPlus::seed_from_u64(seed + 50));
    let mut csv = String::from("t,left,right,v,w,x,y,yaw\n");
    let (mut pose, mut rates) = (Pose2::IDENTITY, [0.0; 2]);
    for step in 0..1200_u32 {
        if step % 10 == 0 {
            rates = [random.random_range(1.0..9.0), random.random_range(1.0..9.0)];
        }
        let [left, right] = rates;
        let (x, y, yaw) = (pose.x + gauss(0.002), pose.y + gauss(0.002), pose.yaw + gauss(0.002));
        let (v, w) = (0.033 * 0.5 * (left + right), 0.033 * (right - left) / 0.258);
        let _ = writeln!(csv, "{},{left},{right},{v},{w},{x},{y},{yaw}", 0.05 * f64::from(step));
        let [left, right] = [RADII[0] * left, RADII[1] * right];
        pose = advance(pose, Twist2::new(0.5 * (left + right), 0.0, (right - left) / SEPARATION), 0.05);
    }
    csv
}

const HEAD: &str = "name: found\nvehicle: {file: robot.vehicle.xml, class: robot}\nrecordings: [run_*.csv]\n";
const SETTINGS: &str = "windows: {length: 2, every: 2, settle: 0}\nvelocity_span: 0.2\nnoise: {x: 0.002, y: 0.002, yaw: 0.002}\nstart_noise: {x: 0.002, y: 0.002, yaw: 0.002}\ntimestep: 0.01\nodometry_window: 5\nunknowns:\n";

/// What is found of three recordings with these columns of commands and these unknowns.
fn identified(columns: &str, unknowns: &str) -> Result<Identified, IdentifyError> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("robot.vehicle.xml", ROBOT);
    (0..3).for_each(|seed| write(&format!("run_{seed}.csv"), &encoders(seed)));
    write("config.yaml", &format!("{HEAD}columns: {{time: t, x: x, y: y, yaw: yaw, {columns}}}\n{SETTINGS}{unknowns}"));
    let config = IdentifyConfig::load(&folder.path().join("config.yaml"))?;
    identify(&config, &[folder.path().to_path_buf()], folder.path(), None, &|_| {})
}

#[test]
fn rates_of_wheels_determine_radii_and_separation() {
    let unknowns = "  - {at: dynamics/l_wheel@diameter, range: [0.05, 0.08]}
  - {at: dynamics/r_wheel@diameter, range: [0.05, 0.08]}
  - {at: ['dynamics/l_wheel@pos:2', '-dynamics/r_wheel@pos:2'], range: [0.1, 0.16]}\n";
    let result = identified("command_left_wheel: left, command_right_wheel: right", unknowns).unwrap();
    let truth = [2.0 * RADII[0], 2.0 * RADII[1], 0.5 * SEPARATION];
    for (estimate, truth) in result.estimates.iter().zip(truth) {
        let certainty = &estimate.certainty;
        assert!(certainty.is_determined && certainty.half_width < 5e-4, "{estimate:?}");
        assert!((estimate.value - truth).abs() < certainty.half_width, "{estimate:?} {truth}");
    }
    let class = result.car.class(&result.values()).to_text().unwrap();
    assert!(class.contains("pos=\"0 0.135") && class.contains("pos=\"0 -0.135"), "{class}");
    // With them odometry errs no more.
    let odometry = result.odometry.unwrap();
    assert!(odometry.mean.iter().all(|mean| mean.value.abs() < 3e-3), "{odometry:?}");
    assert!((odometry.separation - SEPARATION).abs() < 1e-3, "{odometry:?}");
}

/// Velocities only tell the products: E_d and E_b, and the scale of both wheels.
#[test]
fn velocities_determine_gains_and_the_errors_of_odometry_the_ratios_of_the_wheels() {
    let unknowns = "  - {at: dynamics/inputs/speed@gain, range: [0.7, 1.3], start: 1}
  - {at: dynamics/inputs/yaw_rate@gain, range: [0.7, 1.3], start: 1}
  - {at: measurement/curvature, range: [-1, 1], start: 0}\n";
    let result = identified("command_speed: v, command_yaw_rate: w", unknowns).unwrap();
    // v = (r_l + r_r)/2 · mean rate + (r_r - r_l)/4 · difference of the rates, of which the class has no second part.
    let gain = 0.5 * (RADII[0] + RADII[1]) / 0.033;
    assert!((result.estimates[0].value / gain - 1.0).abs() < 0.02, "{}", table(&result.estimates));
    let yaw_gain = gain * 0.258 / SEPARATION;
    assert!((result.estimates[1].value / yaw_gain - 1.0).abs() < 0.02, "{}", table(&result.estimates));
    let curvature = (RADII[1] - RADII[0]) / (0.5 * (RADII[0] + RADII[1]) * SEPARATION);
    assert!((result.estimates[2].value / curvature - 1.0).abs() < 0.1, "{} {curvature}", table(&result.estimates));
    let odometry = result.odometry.as_ref().unwrap();
    let [diameters, separation] = odometry.umbmark();
    assert!((diameters - RADII[1] / RADII[0]).abs() < 3e-3, "{odometry:?}");
    assert!((separation - SEPARATION / 0.258).abs() < 5e-3, "{odometry:?}");
}
