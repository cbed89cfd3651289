//! Handling of steered vehicles: yaw-rate gain over speed, handling diagram, step steer and the resulting circle.
//!
//! Every curve is simulated: the vehicle is driven in its world by ordinary commands. So all models can be compared, from
//! the kinematic bicycle to the car with a powertrain. Runs follow the standards where possible:
//!
//! * gain: a small constant steering angle at rising speed;
//! * handling diagram: slowly increasing steering at constant speed (ISO 4138, method 2);
//! * step steer: ISO 7401.
//!
//! Speeds and times scale with the vehicle, as `test_drive` says. The gain
//! of the linear single track ([`LateralDynamics`]), with the tyres' slopes at their static loads, is drawn for comparison.
//! Unsteered vehicles have other panels ([`robot`]).

use skidpad_math::{Pose2, Vec2};
use skidpad_sim::vehicle::lateral::LateralDynamics;
use skidpad_sim::vehicle::{STANDARD_GRAVITY, Vehicle};
use skidpad_sim::world::VehicleFrame;

use super::figure::{Dash, Figure, Key, Line, Panel, Series, sweep};
use super::robot;
use super::test_drive::TestDrive;
use super::test_vehicle::{ModelError, TestVehicle};
use super::tyre::Tyre;

/// Highest speed of a vehicle with a wheelbase of 2.6 m [m/s].
const TOP_SPEED: f64 = 40.0;
/// Speed of the manoeuvres as a share of that [-]: 79 km/h for a car.
const MANOEUVRE: f64 = 0.55;
/// Number of speeds at which the gain is measured.
const SPEEDS: usize = 32;
/// Lateral acceleration of the gain runs at top speed [m/s²], far within the linear range.
const SMALL: f64 = 0.5;
/// Lateral acceleration of the step steer without slip [m/s²].
const STEP: f64 = 4.0;
/// Rate of the lateral acceleration in the handling diagram [m/s² per s].
const RISE: f64 = 0.5;
/// Lateral acceleration without slip at which the handling diagram ends [m/s²].
const MAX_LATERAL_ACCELERATION: f64 = 14.0;
/// Black dots, which remain visible on top of a curve that they agree with.
pub(super) const THEORY: Line = Line { color: Some(6), dash: Dash::Dotted };
/// Name of the theory in legends and tables.
pub(super) const THEORY_NAME: &str = "linear single track";
/// Side-slip angle from which a vehicle counts as spun [rad].
const SPUN: f64 = 0.5;

/// Results of the runs of one vehicle.
struct Handling {
    /// Speed [m/s] and yaw-rate gain [1/s].
    gain: Points,
    /// Lateral acceleration [m/s²] and steering angle beyond L/R [deg].
    diagram: Points,
    /// Time since the step [s] and yaw rate [deg/s].
    response: Points,
    /// Path from the position of the step on [m].
    path: Points,
}

/// Title of the first panel of steered vehicles.
const GAIN: &str = "Yaw-rate gain r/δ";

/// Drives the vehicle and adds its curves to the panels of steered or of unsteered vehicles of the figure, which may be empty.
///
/// # Errors
/// A vehicle that takes no commands, or whose world fails.
pub fn with(mut figure: Figure, vehicle: &mut TestVehicle<'_>) -> Result<Figure, ModelError> {
    // The last key is that of the theory, if present.
    let theory = Key::new(THEORY_NAME, THEORY);
    let index = figure.legend.len() - usize::from(figure.legend.last() == Some(&theory));
    if !is_steered(vehicle)? {
        robot::with(&mut figure, vehicle, index)?;
        return Ok(figure);
    }
    let handling = handling(&mut TestDrive::new(vehicle)?)?;
    if figure.panels.first().is_none_or(|panel| panel.title != GAIN) {
        figure.panels.splice(0..0, panels());
        figure.columns = 2;
        figure.legend.push(theory);
    }
    let line = Line::solid(index);
    figure.legend.insert(index, Key::new(vehicle.name, line));
    let top = handling.gain.last().map_or(0.0, |point| point.0);
    let curves = [handling.gain, handling.diagram, handling.response, handling.path];
    for (panel, points) in figure.panels.iter_mut().zip(curves) {
        panel.series.push(Series { label: vehicle.name.to_string(), points, line });
    }
    if let Some(linear) = vehicle.world.vehicle(vehicle.vehicle).and_then(linear) {
        let stable = linear.critical_speed().unwrap_or(f64::INFINITY);
        let speeds = sweep(0.0, top, 81).filter(|&v| v > 0.0 && v < 0.99 * stable);
        let points = speeds.map(|v| (v, linear.steady_state(v).yaw_rate)).collect();
        let label = format!("{}, {THEORY_NAME}", vehicle.name);

        figure.panels[0].series.push(Series { label, points, line: THEORY });
    }
    Ok(figure)
}

/// Whether a drivable vehicle steers.
fn is_steered(driven: &TestVehicle<'_>) -> Result<bool, ModelError> {
    let unfit = |reason| ModelError::Unfit { name: driven.name.to_string(), reason };
    let scene = driven.world.scene();
    let info = scene.vehicles.get(driven.vehicle).ok_or_else(|| unfit("is not in its world"))?;
    let is_steered = info.wheelbase.is_some();
    if info.accepts.twist || is_steered && info.accepts.ackermann {
        Ok(is_steered)
    } else {
        Err(unfit("takes no such commands"))
    }
}

/// The linear single track equivalent to the vehicle at small slip; none without slip, and for two frames.
pub(super) fn linear(vehicle: &Vehicle) -> Option<LateralDynamics> {
    if let Some(model) = vehicle.motion() {
        return model.lateral(STANDARD_GRAVITY);
    }
    if vehicle.articulation().is_some() {
        return None;
    }
    let inertia = vehicle.inertia();
    let rear = vehicle.wheels().first()?.parameters.position.x;
    let front = vehicle.wheels().last()?.parameters.position.x;
    let mut stiffness = [0.0; 2];
    for (index, (wheel, &load)) in vehicle.wheels().iter().zip(vehicle.loads_at_rest()).enumerate() {
        let tyre = Tyre { name: "", law: vehicle.law(), wheel: index, load, radius: wheel.parameters.radius };
        let slope = tyre.cornering_stiffness(load);
        // A sticking law has no finite slope.
        if slope > 200.0 * load {
            return None;
        }
        stiffness[usize::from(wheel.parameters.position.x == front)] += slope;
    }
    Some(LateralDynamics {
        mass: inertia.mass,
        yaw_inertia: inertia.yaw,
        cog_to_front: front - inertia.center_of_mass.x,
        cog_to_rear: inertia.center_of_mass.x - rear,
        front_stiffness: stiffness[1],
        rear_stiffness: stiffness[0],
    })
}

/// The four diagrams, empty.
fn panels() -> Vec<Panel> {
    vec![
        Panel::new(GAIN, "speed [m/s]", "gain [1/s]", false),
        Panel::new("Handling diagram", "lateral acceleration [m/s²]", "δ − L/R [°]", false),
        Panel::new("Step steer", "time [s]", "yaw rate [°/s]", false),
        Panel::new("Path after the step", "x [m]", "y [m]", true),
    ]
}

/// Points of a curve.
type Points = Vec<(f64, f64)>;

/// All curves of a vehicle.
fn handling(run: &mut TestDrive<'_>) -> Result<Handling, ModelError> {
    let gain = gain(run)?;
    let diagram = diagram(run)?;
    let (response, path) = step_steer(run)?;
    run.reset();
    Ok(Handling { gain, diagram, response, path })
}

/// Means of `measure` over short intervals, while stepping with the commands that `command` gives for the time [s], until it gives none.
fn means(
    run: &mut TestDrive<'_>,
    mut command: impl FnMut(f64, &[(f64, f64)]) -> Option<(f64, f64)>,
    measure: impl Fn(&VehicleFrame, f64) -> Option<(f64, f64)>,
) -> Result<Points, ModelError> {
    let (window, dt) = (run.steps(0.25), run.dt);
    let mut points = Vec::new();
    let mut sums = (0.0, 0.0, 0);
    let mut step = 0_usize;
    while let Some((speed, angle)) = command(step as f64 * dt, &points) {
        step += 1;
        let Some((x, y)) = measure(run.step(speed, angle)?, angle) else { break };
        sums = (sums.0 + x, sums.1 + y, sums.2 + 1);
        if sums.2 == window {
            points.push((sums.0 / window as f64, sums.1 / window as f64));
            sums = (0.0, 0.0, 0);
        }
    }
    Ok(points)
}

/// Measured at one constant speed after the other: the load transfer of an acceleration would change the gain.
fn gain(run: &mut TestDrive<'_>) -> Result<Points, ModelError> {
    run.reset();
    let top = TOP_SPEED * run.scale;
    let angle = SMALL * run.wheelbase / (top * top);
    let mut points = Vec::new();
    let mut last = 0.0;
    for wanted in sweep(0.0, top, SPEEDS + 1).skip(1) {
        run.hold(last, wanted, angle)?;
        // Waits until the means of two intervals agree: a gearbox may shift in between.
        let (mut speed, mut gain) = mean_gain(run, wanted, angle)?;
        for _ in 0..12 {
            let (again, earlier) = (mean_gain(run, wanted, angle)?, gain);
            (speed, gain) = again;
            if (gain - earlier).abs() < 0.002 * gain.abs() {
                break;
            }
        }
        // The vehicle has spun, or has reached its top speed.
        if speed < 0.98 * wanted || (gain * angle).abs() * speed > 6.0 * SMALL {
            break;
        }
        points.push((speed, gain));
        last = wanted;
    }
    Ok(points)
}

/// Speed [m/s] and yaw-rate gain [1/s], averaged over a short interval.
pub(super) fn mean_gain(run: &mut TestDrive<'_>, wanted: f64, angle: f64) -> Result<(f64, f64), ModelError> {
    let (mut speed, mut gain, count) = (0.0, 0.0, run.steps(0.25));
    for _ in 0..count {
        let v = run.step(wanted, angle)?.velocity_in_body;
        (speed, gain) = (speed + v.vx, gain + v.wz / angle);
    }
    Ok((speed / count as f64, gain / count as f64))
}

/// Lateral acceleration [m/s²] and steering angle beyond L/R [deg].
fn diagram(run: &mut TestDrive<'_>) -> Result<Points, ModelError> {
    let speed = run.speed_up(MANOEUVRE * TOP_SPEED)?;
    let (wheelbase, most_angle) = (run.wheelbase, run.max_steer);
    let rate = RISE * wheelbase / (speed * speed * run.scale);
    let command = |time: f64, points: &[(f64, f64)]| {
        let angle = rate * time;
        let peak = points.iter().map(|point| point.0).fold(0.0, f64::max);
        let turns_in = points.last().is_none_or(|last| last.0 > 0.97 * peak);
        (turns_in && angle < most_angle && speed * speed * angle / wheelbase < MAX_LATERAL_ACCELERATION)
            .then_some((speed, angle))
    };
    let measure = |frame: &VehicleFrame, angle: f64| {
        let v = frame.velocity_in_body;
        let along = v.linear().norm().max(1e-3);
        (v.vy.abs() < SPUN * along).then(|| (along * v.wz, (angle - wheelbase * v.wz / along).to_degrees()))
    };
    means(run, command, measure)
}

/// Yaw rate over time, and the path.
fn step_steer(run: &mut TestDrive<'_>) -> Result<(Points, Points), ModelError> {
    let speed = run.speed_up(MANOEUVRE * TOP_SPEED)?;
    let angle = (STEP * run.wheelbase / (speed * speed)).min(run.max_steer);
    let pose = |frame: &VehicleFrame| frame.world_from_body.planar();
    let start: Pose2 = pose(run.step(speed, 0.0)?);
    let (mut response, mut path) = (vec![(-0.2 * run.scale, 0.0), (0.0, 0.0)], vec![(0.0, 0.0)]);
    let (shown, most) = (run.steps(2.5), run.steps(60.0));
    let (mut turned, mut step) = (0.0, 0);
    while turned < std::f64::consts::TAU && step < most {
        step += 1;
        let dt = run.dt;
        let frame = run.step(speed, angle)?;
        let (yaw_rate, pose_from_start) = (frame.velocity_in_body.wz, start.inverse() * pose(frame));
        turned += yaw_rate.abs() * dt;
        if step <= shown {
            response.push((step as f64 * dt, yaw_rate.to_degrees()));
        }
        let last = path.last().map_or(Vec2::ZERO, |&(x, y)| Vec2::new(x, y));
        if (pose_from_start.position() - last).norm() > 0.02 * speed * run.scale {
            path.push((pose_from_start.x, pose_from_start.y));
        }
    }
    Ok((response, path))
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::{LoadOptions, World};

    use super::*;

    fn world(inside: &str) -> World {
        let text = format!(
            "<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name=\"car\"><init_pose>0 0 0</init_pose>{inside}</vehicle></mvsim_world>"
        );
        World::load_text("test", std::path::Path::new("."), &text, &LoadOptions::default()).unwrap().0
    }

    /// Without slip the gain is v/L, the steering angle beyond L/R is zero, and the circle has the radius L/tan δ.
    #[test]
    fn a_car_without_slip_follows_its_geometry() {
        let mut world = world(
            "<dynamics class=\"ackermann\"><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d><controller class=\"twist_ideal\"/></dynamics>",
        );
        let figure = with(Figure::default(), &mut TestVehicle { name: "car", world: &mut world, vehicle: 0 }).unwrap();
        let points = |panel: usize| figure.panels[panel].series[0].points.iter().copied();
        assert!(points(0).count() > 20 && points(0).all(|(v, gain)| (gain * 2.6 / v - 1.0).abs() < 1e-3));
        assert!(points(1).count() > 20 && points(1).all(|(_, beyond)| beyond.abs() < 0.05));
        let speed = MANOEUVRE * TOP_SPEED;
        let radius = speed * speed / STEP;
        let top = points(3).map(|(_, y)| y).fold(0.0, f64::max);
        assert!((top / (2.0 * radius) - 1.0).abs() < 0.01, "{top} m");
        assert_eq!(figure.legend.len(), 2, "the car and the theory");
    }

    #[test]
    fn unsteered_vehicles_have_their_own_panels_after_those_of_cars() {
        let mut robot = world("<dynamics class=\"unicycle\"/>");
        let mut car = world("<dynamics class=\"kinematic_bicycle\"><fl_wheel/><fr_wheel/></dynamics>");
        let mut figure = Figure::default();
        for (name, world) in [("robot", &mut robot), ("car", &mut car)] {
            figure = with(figure, &mut TestVehicle { name, world, vehicle: 0 }).unwrap();
        }
        let titles: Vec<_> = figure.panels.iter().map(|panel| (panel.title.as_str(), panel.series.len())).collect();
        assert_eq!(titles[..2], [(GAIN, 1), ("Handling diagram", 1)]);
        assert_eq!(
            titles[4..],
            [("Yaw rate after a velocity command", 1), ("Speed after it", 1), ("Path after it", 1)]
        );
        let keys: Vec<_> = figure.legend.iter().map(|key| key.label.as_str()).collect();
        assert_eq!(keys, ["robot", "car", "linear single track"]);
    }

    #[test]
    fn a_vehicle_with_pedals_has_no_figure() {
        let mut world = world("<dynamics class=\"ackermann\"><controller class=\"pedals\"/></dynamics>");
        let mut car = TestVehicle { name: "car", world: &mut world, vehicle: 0 };
        assert_eq!(
            with(Figure::default(), &mut car).unwrap_err().to_string(),
            "car: takes no such commands\n  accepted: vehicles that take velocity or Ackermann commands"
        );
    }
}
