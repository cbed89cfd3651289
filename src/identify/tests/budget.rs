//! Searches that do not converge within their budget, of a car with pedals that never brakes, and whose lag the class
//! does not have.

use std::fmt::Write;
use std::path::Path;

use skidpad_sim::vehicle::{GearLever, Pedals};

use super::*;

const CONFIG: &str = "
name: found
vehicle: {file: car.vehicle.xml, class: car}
recordings: [run_*.csv]
columns: {time: t, command_throttle: throttle, x: x, y: y, yaw: yaw, vx: v}
windows: {length: 1, every: 1, settle: 0.5}
noise: {vx: 0.03}
start_noise: {}
unknowns:
  - {at: dynamics/controller/max_torque, range: [0.1, 4], start: 0.3}
  - {at: dynamics/controller/no_load_speed, range: [40, 2000], start: 250}
  - {at: dynamics/resistance/C_r0, range: [0, 0.3], start: 0.03}
  - {at: dynamics/brakes@max_torque, range: [0.1, 10], start: 1}
";

/// A car of 4 kg with this motor and inputs.
fn pedal_car(motor: &str, inputs: &str) -> String {
    let wheels = ["rl_wheel pos=\"0 0.15\"", "rr_wheel pos=\"0 -0.15\"", "fl_wheel", "fr_wheel"];
    let wheels = wheels.map(|wheel| format!("<{wheel} mass=\"0.3\" diameter=\"0.11\" width=\"0.04\"/>")).concat();
    format!(
        "<vehicle:class name=\"car\"><dynamics class=\"ackermann_drivetrain\">{wheels}<f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.3</f_wheels_d>\
         <chassis mass=\"4\" zmin=\"0.03\" zmax=\"0.15\"><shape><pt>-0.05 -0.1</pt><pt>-0.05 0.1</pt><pt>0.35 0.1</pt><pt>0.35 -0.1</pt></shape></chassis>\
         {inputs}<drivetrain type=\"open_rear\"/><resistance><C_r0>0.05</C_r0></resistance>\
         <controller class=\"pedals\">{motor}</controller></dynamics></vehicle:class>"
    )
}

/// A recording of ten seconds straight ahead, in steps of the throttle.
fn straight() -> String {
    let motor = "<max_torque>0.9</max_torque><no_load_speed>80</no_load_speed>";
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>{}<vehicle name=\"a\" class=\"car\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
        pedal_car(motor, "<inputs><throttle lag=\"0.05\"/></inputs>")
    );
    let (mut world, _) = World::load_text("secret", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let mut gauss = gauss(7);
    let mut csv = String::from("t,throttle,x,y,yaw,v\n");
    for step in 0..2000_u32 {
        let throttle = [0.6, 1.0, 0.1, 0.8, 0.0][step as usize / 250 % 5];
        if step % 4 == 0 {
            let car = &world.frame().vehicles[0];
            let (x, v) = (car.world_from_body.planar().x, car.velocity_in_body.vx);
            let _ = writeln!(csv, "{},{throttle},{},0,0,{}", 0.005 * f64::from(step), x + gauss(0.01), v + gauss(0.03));
        }
        let pedals = Pedals { throttle, brake: 0.0, gear: GearLever::Drive };
        world.command(Command { vehicle: 0, action: Action::Pedals { pedals, steering_angle: 0.0 } }).unwrap();
        world.step().unwrap();
    }
    csv
}

/// Whether searches start anew or continue the one before, they never end at a worse point for a larger budget.
#[test]
fn a_larger_budget_never_predicts_worse_and_nothing_is_certain_before_the_search_has_converged() {
    let folder = folder(CONFIG, &[straight()]);
    let motor = "<max_torque>0.3</max_torque><no_load_speed>250</no_load_speed>";
    std::fs::write(folder.path().join("car.vehicle.xml"), pedal_car(motor, "")).unwrap();
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    let checkpoint = folder.path().join("found.search.json");
    for checkpoint in [None, Some(checkpoint.as_path())] {
        let mut before = f64::INFINITY;
        let mut converged = Vec::new();
        for budget in [0, 1, 5, 8, 15, 40, 80, 150, 1000] {
            let config = IdentifyConfig { budget, ..config.clone() };
            let result = identify(&config, &[folder.path().to_path_buf()], folder.path(), checkpoint, &|_| {}).unwrap();
            let error = result.scores[0].all.iter().find(|score| score.name == "vx").unwrap().rms;
            assert!(error <= 1.0001 * before, "{budget}: {error} after {before}");
            assert!(result.fit.evaluations <= budget, "{budget}: {:?}", result.fit);
            before = error;
            let reported = answer(&result);
            let line = format!(
                "found: the search has used its budget before it converged. Its values are the best of {} evaluations",
                result.fit.evaluations
            );
            let is_certain = |estimate: &UnknownEstimate| {
                estimate.certainty.is_determined || estimate.certainty.half_width.is_finite()
            };
            assert_eq!(
                reported.lines().any(|reported_line| reported_line.starts_with(&line)),
                !result.fit.has_converged,
                "{reported}"
            );
            assert_eq!(reported.contains('±'), result.fit.has_converged, "{reported}");
            assert_eq!(result.estimates.iter().any(is_certain), result.fit.has_converged, "{reported}");
            converged.push(result.fit.has_converged);
        }
        assert!(!converged[4] && converged[8], "{converged:?}");
    }
}
