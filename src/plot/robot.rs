//! Response of unsteered vehicles to a velocity command: speed, yaw rate and path.
//!
//! Every curve is simulated: the vehicle gets one step command of speed and yaw rate in its world, the same for
//! all, so that models can be compared. Small indoor robots can reach [`SPEED`] and [`YAW_RATE`]. Without slip and delay the
//! curves are steps and the path is a circle of radius v/ω.

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{VehicleFrame, World};

use super::figure::{Dash, Figure, Key, Line, Panel, Series};
use super::test_vehicle::{ModelError, TestVehicle};

/// Commanded speed [m/s].
pub const SPEED: f64 = 0.2;
/// Commanded yaw rate [rad/s].
pub const YAW_RATE: f64 = 1.0;
/// Duration of standstill before the command [s], so that the vehicle has settled on its wheels.
const STANDSTILL: f64 = 1.0;
/// Part of the standstill that is shown [s].
const BEFORE: f64 = 0.1;
/// Duration of the response that is shown [s].
const SHOWN: f64 = 1.0;
/// Time at which a vehicle that does not complete its circle is stopped [s]: that of two circles.
const MAX_DURATION: f64 = 2.0 * std::f64::consts::TAU / YAW_RATE;
/// Distance of the points of the path [m].
const SPACING: f64 = 0.004;

/// The empty panels; a figure has them if it has the title of the first.
fn panels() -> Vec<Panel> {
    vec![
        Panel::new("Yaw rate after a velocity command", "time [s]", "yaw rate [°/s]", false),
        Panel::new("Speed after it", "time [s]", "speed [m/s]", false),
        Panel::new("Path after it", "x [m]", "y [m]", true),
    ]
}

/// Drives the vehicle and adds its curves and its key, the `index`-th of the legend, to the figure.
pub(super) fn with(figure: &mut Figure, driven: &mut TestVehicle<'_>, index: usize) -> Result<(), ModelError> {
    let curves = drive(driven.world, driven.vehicle)?;
    // The curves of robots that follow the command coincide; dashes keep both visible.
    let line = Line { color: Some(index), dash: Dash::ALL[index % Dash::ALL.len()] };
    let empty = panels();
    let first = figure.panels.iter().position(|panel| panel.title == empty[0].title).unwrap_or_else(|| {
        // Behind handling diagrams the panels continue in their rows.
        figure.columns = if figure.panels.is_empty() { 3 } else { figure.columns };
        figure.panels.extend(empty);
        figure.panels.len() - curves.len()
    });
    figure.legend.insert(index, Key::new(driven.name, line));
    for (panel, points) in figure.panels[first..].iter_mut().zip(curves) {
        panel.series.push(Series { label: driven.name.to_string(), points, line });
    }
    Ok(())
}

/// Yaw rate [deg/s] and speed [m/s] over the time since the command [s], and the path [m].
fn drive(world: &mut World, vehicle: usize) -> Result<[Vec<(f64, f64)>; 3], ModelError> {
    let dt = world.scene().step.secs();
    let steps = |seconds: f64| (seconds / dt).round() as usize;
    let mut step = |speed: f64, yaw_rate: f64| -> Result<VehicleFrame, ModelError> {
        let action = Action::Twist(Twist2::new(speed, 0.0, yaw_rate));
        // Only a vehicle of another kind could refuse, and those were excluded before.
        let _ = world.command(Command { vehicle, action });
        Ok(world.step()?.vehicles[vehicle].clone())
    };
    let pose = |frame: &VehicleFrame| frame.world_from_body.planar();
    let mut frame = step(0.0, 0.0)?;
    for _ in 0..steps(STANDSTILL) {
        frame = step(0.0, 0.0)?;
    }
    let start: Pose2 = pose(&frame);
    let (mut yaw_rates, mut speeds) = (vec![(-BEFORE, 0.0), (0.0, 0.0)], vec![(-BEFORE, 0.0), (0.0, 0.0)]);
    let (mut path, mut turned) = (vec![(0.0, 0.0)], 0.0);
    for count in 1..=steps(MAX_DURATION) {
        let frame = step(SPEED, YAW_RATE)?;
        let v = frame.velocity_in_body;
        if count <= steps(SHOWN) {
            let time = count as f64 * dt;
            yaw_rates.push((time, v.wz.to_degrees()));
            speeds.push((time, v.vx));
        }
        let position = (start.inverse() * pose(&frame)).position();
        let last = path.last().map_or(Vec2::ZERO, |&(x, y)| Vec2::new(x, y));
        turned += v.wz * dt;
        if (position - last).norm() > SPACING {
            path.push((position.x, position.y));
        }
        if turned.abs() >= std::f64::consts::TAU && count >= steps(SHOWN) {
            break;
        }
    }
    world.reset();
    Ok([yaw_rates, speeds, path])
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::LoadOptions;

    use super::*;
    use crate::model;

    fn figure_of(inside: &str) -> Figure {
        let text = format!(
            "<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>{inside}</vehicle></mvsim_world>"
        );
        let options = LoadOptions::default();
        let (mut world, _) = World::load_text("test", std::path::Path::new("."), &text, &options).unwrap();
        model::with(Figure::default(), &mut TestVehicle { name: "r1", world: &mut world, vehicle: 0 }).unwrap()
    }

    /// The unicycle reaches the commanded velocity at once, and moves on a circle of radius v/ω.
    #[test]
    fn a_unicycle_follows_the_command_exactly() {
        let figure = figure_of("<dynamics class=\"unicycle\"/>");
        assert_eq!((figure.panels.len(), figure.legend.len()), (3, 1), "no handling and no theory");
        let after = |panel: usize| figure.panels[panel].series[0].points.iter().filter(|(time, _)| *time > 0.0);
        assert!(after(0).count() == 200 && after(0).all(|(_, y)| (y - YAW_RATE.to_degrees()).abs() < 1e-6));
        assert!(after(1).count() == 200 && after(1).all(|(_, y)| (y - SPEED).abs() < 1e-9));
        let radius = SPEED / YAW_RATE;
        let path = &figure.panels[2].series[0].points;
        assert!(path.len() > 200 && path.iter().all(|&(x, y)| (x.hypot(y - radius) / radius - 1.0).abs() < 1e-3));
        let top = path.iter().map(|point| point.1).fold(0.0, f64::max);
        assert!((top / (2.0 * radius) - 1.0).abs() < 1e-3, "all around: {top} m");
    }

    /// A limit ω_max of the wheel speed slows both: with wheels of radius R at ±y, v + ω·y ≤ R·ω_max.
    #[test]
    fn the_wheel_speed_limit_is_visible() {
        let figure = figure_of(
            "<dynamics class=\"kinematic_differential\"><l_wheel pos=\"0 0.1\" diameter=\"0.2\"/><r_wheel pos=\"0 -0.1\" diameter=\"0.2\"/>\
             <max_wheel_speed>2</max_wheel_speed></dynamics>",
        );
        let last = |panel: usize| figure.panels[panel].series[0].points.last().unwrap().1;
        assert!(last(1) + 0.1 * last(0).to_radians() < 0.1 * 2.0 + 1e-9, "{} {}", last(0), last(1));
        assert!(last(1) > 0.1, "{}", last(1));
    }
}
