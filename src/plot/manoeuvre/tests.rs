//! Manoeuvres of vehicles whose results are known in closed form: without slip, and the linear single track.

use std::path::Path;

use skidpad_sim::vehicle::STANDARD_GRAVITY;
use skidpad_sim::world::{LoadOptions, World};

use super::*;

/// L [m].
const WHEELBASE: f64 = 2.6;

/// A world with these elements and a car with these contents of `<dynamics>` and behind it.
fn world(elements: &str, dynamics: &str, friction: &str) -> World {
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>{elements}\
         <vehicle name=\"car\"><init_pose>0 0 0</init_pose>{dynamics}{friction}</vehicle></mvsim_world>"
    );
    World::load_text("test", Path::new("."), &text, &LoadOptions::default()).unwrap().0
}

/// A car that rolls without slip and has its speed at once.
const IDEAL: &str = "<dynamics class=\"ackermann\"><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
                     <chassis mass=\"1200\" com=\"1.3 0\"/><controller class=\"twist_ideal\"/></dynamics>";

/// The dynamic single track on linear tyres.
const SINGLE_TRACK: &str = "<dynamics class=\"single_track\">\
    <rl_wheel pos=\"0 0.75\" diameter=\"0.6\"/> <rr_wheel pos=\"0 -0.75\" diameter=\"0.6\"/>\
    <fl_wheel diameter=\"0.6\"/> <fr_wheel diameter=\"0.6\"/> <f_wheels_x>2.6</f_wheels_x> <f_wheels_d>1.5</f_wheels_d>\
    <chassis mass=\"1200\" com=\"1.4 0\"/></dynamics>";
const LINEAR_TYRES: &str = "<friction class=\"linear\"><mu>1</mu></friction>";

/// Figure and numbers of a manoeuvre.
fn drive(name: &str, dynamics: &str, friction: &str) -> (Figure, Vec<Measured>) {
    let manoeuvre = Manoeuvre::named(name).unwrap();
    let mut world = world(&manoeuvre.elements(WHEELBASE), dynamics, friction);
    let mut figure = manoeuvre.figure();
    let numbers = manoeuvre.add(&mut figure, &mut TestVehicle { name: "car", world: &mut world, vehicle: 0 });
    (figure, numbers.unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The number with this key.
#[track_caller]
fn number(numbers: &[Measured], key: &str) -> f64 {
    let number = numbers.iter().find(|number| number.key == key);
    number.unwrap_or_else(|| panic!("{key}")).value.unwrap_or_else(|| panic!("{key} is missing"))
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual}, not {expected} ± {tolerance}");
}

/// 0.3 g needs the steering angle L·a/v², and the path is the double integral of v²/L·δ(t).
#[test]
fn a_sine_with_dwell_without_slip_is_its_integral() {
    let (figure, numbers) = drive("sine_with_dwell", IDEAL, "");
    let speed = 80.0 / 3.6;
    let unit = WHEELBASE * 0.3 * STANDARD_GRAVITY / (speed * speed);
    assert_near(number(&numbers, "unit_angle_rad"), unit, 0.01 * unit);
    assert_near(number(&numbers, "yaw_rate_left_1_00_s"), 0.0, 1e-9);
    assert_eq!(number(&numbers, "largest_amplitude"), 6.5);
    // Small angles: at the smallest amplitude the heading stays below 0.3 rad.
    let (mut heading, mut side, dt) = (0.0, 0.0, 1e-4);
    for step in 0..10_700 {
        let (time, period) = (f64::from(step) * dt, 1.0 / 0.7);
        let in_sine = if time < 0.75 * period { time } else { (time - 0.5).max(0.75 * period) };
        heading += speed / WHEELBASE * 1.5 * unit * libm::sin(std::f64::consts::TAU * in_sine / period) * dt;
        side += speed * libm::sin(heading) * dt;
    }
    // The centre of mass is 1.3 m ahead of the point that moves along the heading.
    side += 1.3 * libm::sin(heading);
    let (amplitude, displacement) = figure.panels[3].series[0].points[0];
    assert_near(amplitude, 1.5, 1e-12);
    assert_near(displacement, side, 0.02 * side);
}

/// The yaw rate is v/R at any speed, and the centre of mass stays on its circle.
#[test]
fn braking_in_a_turn_without_slip_stays_on_the_circle() {
    let (_, numbers) = drive("braking_in_turn", IDEAL, "");
    assert_near(number(&numbers, "lateral_mps2"), 5.0, 0.0);
    assert_near(number(&numbers, "least_yaw_rate"), 1.0, 5e-3);
    assert_near(number(&numbers, "largest_yaw_rate"), 1.0, 5e-3);
    assert_near(number(&numbers, "slip_angle_rad"), 0.0, 1e-3);
    assert_near(number(&numbers, "outwards_m"), 0.0, 0.05);
    assert_near(number(&numbers, "deceleration_mps2"), 8.0, 0.01);
}

/// The response of the single track is that of its equations.
#[test]
fn the_frequency_response_of_the_single_track_is_that_of_its_equations() {
    let (figure, numbers) = drive("frequency_response", SINGLE_TRACK, LINEAR_TYRES);
    for (panel, tolerance) in [(0, 0.01), (1, 1.0), (2, 0.01), (3, 2.0)] {
        let [measured, theory] = [0, 1].map(|series: usize| &figure.panels[panel].series[series].points);
        assert_eq!((measured.len(), theory.len()), (16, 60));
        let largest = measured.iter().map(|point| point.1.abs()).fold(0.0, f64::max);
        let tolerance = if panel % 2 == 0 { tolerance * largest } else { tolerance };
        for &(frequency, value) in measured {
            let pair = theory.windows(2).find(|pair| pair[0].0 <= frequency + 1e-9 && pair[1].0 >= frequency - 1e-9);
            let Some([from, to]) = pair else { continue };
            let expected = from.1 + (to.1 - from.1) * (frequency - from.0) / (to.0 - from.0);
            assert!((value - expected).abs() < tolerance, "panel {panel}, {frequency} Hz: {value}, not {expected}");
        }
    }
    assert!(number(&numbers, "time_constant_s") > 0.05);
}

/// Wind without anything for it to take hold of does nothing. A side force amid the axles pushes the car as its equations say.
#[test]
fn crosswind_pushes_as_the_equations_of_the_single_track_say() {
    let (_, numbers) = drive("crosswind", IDEAL, "");
    assert_near(number(&numbers, "deviation_m"), 0.0, 1e-9);

    let car = "<dynamics class=\"ackermann_drivetrain\">\
        <rl_wheel pos=\"0 0.75\" diameter=\"0.6\" mass=\"1\"/> <rr_wheel pos=\"0 -0.75\" diameter=\"0.6\" mass=\"1\"/>\
        <fl_wheel diameter=\"0.6\" mass=\"1\"/> <fr_wheel diameter=\"0.6\" mass=\"1\"/>\
        <f_wheels_x>2.6</f_wheels_x> <f_wheels_d>1.5</f_wheels_d> <weight>static</weight>\
        <chassis mass=\"1200\" com=\"1.4 0\" linear_damping=\"0\" angular_damping=\"0\"/>\
        <aerodynamics><area>2</area><drag>0.001</drag><side>2</side></aerodynamics>\
        <controller class=\"twist_front_steer_pid\"> <KP>1500</KP> <max_torque>2000</max_torque> </controller></dynamics>";
    let manoeuvre = Manoeuvre::named("crosswind").unwrap();
    let mut world = world(&manoeuvre.elements(WHEELBASE), car, LINEAR_TYRES);
    let linear = crate::model::linear(world.vehicle(0).unwrap()).unwrap();
    let mut figure = manoeuvre.figure();
    let numbers = manoeuvre.add(&mut figure, &mut TestVehicle { name: "car", world: &mut world, vehicle: 0 }).unwrap();
    let (speed, wind) = (100.0 / 3.6, 20.0);
    let (a, _) = linear.state_space(speed);
    let (mut slip, mut yaw_rate, mut yaw, mut side, mut along) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let dt = 1e-4;
    for _ in 0..20_000 {
        // The flow has the speed of the car ahead, and that of the wind against the car's own way to the side.
        let across = speed * slip - wind * libm::cos(yaw);
        let ahead = speed - wind * libm::sin(yaw);
        let force = if along < 25.0 { -0.5 * 1.225 * 2.0 * 2.0 * across.hypot(ahead) * across } else { 0.0 };
        let lever = 0.5 * WHEELBASE - linear.cog_to_rear;
        let slip_rate = a[(0, 0)] * slip + a[(0, 1)] * yaw_rate + force / (linear.mass * speed);
        let yaw_acceleration = a[(1, 0)] * slip + a[(1, 1)] * yaw_rate + force * lever / linear.yaw_inertia;
        (slip, yaw_rate) = (slip + slip_rate * dt, yaw_rate + yaw_acceleration * dt);
        yaw += yaw_rate * dt;
        side += speed * libm::sin(yaw + slip) * dt;
        along += speed * libm::cos(yaw + slip) * dt;
    }
    // The force is behind the centre of mass, so that the car turns into the wind.
    assert!(side < -0.1, "{side} m");
    assert_near(number(&numbers, "deviation_m"), side, 0.03 * side.abs());
}

/// The body of a rigid car rises by the height of the kerb, and comes down again behind a bump.
#[test]
fn a_rigid_car_follows_bump_and_kerb() {
    for (name, end, top) in [("bump", 0.0, 0.06), ("kerb", 0.08, 0.08)] {
        let (figure, numbers) = drive(name, IDEAL, "");
        let heights = &figure.panels[0].series[0].points;
        assert_near(heights.first().unwrap().1, 0.0, 1e-9);
        assert_near(heights.last().unwrap().1, end, 1e-6);
        // At the reference point, amid the rear wheels.
        assert_near(heights.iter().map(|point| point.1).fold(0.0, f64::max), top, 0.01);
        assert_near(number(&numbers, "speed_mps"), 20.0 / 3.6, 1e-9);
    }
}

/// A car without slip is faster than cars on tyres; one that cannot steer passes at no speed.
#[test]
fn lane_changes_have_a_fastest_entry() {
    for name in ["double_lane_change", "obstacle_avoidance"] {
        let (figure, numbers) = drive(name, IDEAL, "");
        assert!(number(&numbers, "entry_mps") > 25.0, "{name}: {}", number(&numbers, "entry_mps"));
        let borders = figure.panels[0].series.iter().filter(|series| series.label == "cones").count();
        assert_eq!(borders, 6, "three lanes");
        let stiff = IDEAL.replace("<controller", "<max_steer_ang_deg>0.2</max_steer_ang_deg><controller");
        let (_, numbers) = drive(name, &stiff, "");
        assert_eq!(numbers.iter().find(|number| number.key == "entry_mps").unwrap().value, None, "{name}");
    }
}

#[test]
fn a_figure_has_a_colour_for_each_vehicle_and_one_key_for_all_limits() {
    let manoeuvre = Manoeuvre::named("sine_with_dwell").unwrap();
    let mut figure = manoeuvre.figure();
    for name in ["one", "two"] {
        let mut world = world("", IDEAL, "");
        manoeuvre.add(&mut figure, &mut TestVehicle { name, world: &mut world, vehicle: 0 }).unwrap();
    }
    let keys: Vec<_> = figure.legend.iter().map(|key| (key.label.as_str(), key.line.color)).collect();
    let expected = [
        ("one", Some(0)),
        ("one, after 1.75 s", Some(0)),
        ("limit", None),
        ("two", Some(1)),
        ("two, after 1.75 s", Some(1)),
    ];
    assert_eq!(keys, expected);
}

#[test]
fn manoeuvres_refuse_what_does_not_steer() {
    for manoeuvre in MANOEUVRES {
        let mut world = world(&manoeuvre.elements(WHEELBASE), "<dynamics class=\"unicycle\"/>", "");
        let mut driven = TestVehicle { name: "robot", world: &mut world, vehicle: 0 };
        let error = manoeuvre.add(&mut manoeuvre.figure(), &mut driven).unwrap_err().to_string();
        assert!(error.starts_with("robot: is not steered"), "{}: {error}", manoeuvre.name);
    }
}

/// Its motors are too weak for any of the speeds.
#[test]
fn a_vehicle_that_is_too_slow_has_no_numbers() {
    let slow = "<dynamics class=\"ackermann\"><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
                <chassis mass=\"1200\" com=\"1.3 0\"/>\
                <controller class=\"front_steer_pid\"><KP>100</KP><max_torque>0.5</max_torque></controller></dynamics>";
    for (name, key) in [
        ("sine_with_dwell", "unit_angle_rad"),
        ("double_lane_change", "entry_mps"),
        ("braking_in_turn", "speed_mps"),
        ("frequency_response", "steady_gain_per_s"),
        ("crosswind", "deviation_m"),
        ("bump", "upwards_mps2"),
    ] {
        let (_, numbers) = drive(name, slow, "");
        let found = numbers.iter().find(|number| number.key == key).unwrap();
        assert_eq!(found.value, None, "{name}");
    }
}
