//! Trajectories: their paths, and speed, curvature and turn rate over time.

use skidpad_sim::trajectory::{Sample, Track, Trajectory};

use super::figure::{Dash, Figure, Key, Line, Panel, Series, sweep};

/// Points of a curve.
const POINTS: usize = 1201;

/// A trajectory in the figure.
pub struct NamedTrajectory {
    /// Its name in the legend.
    pub name: String,
    /// The trajectory.
    pub trajectory: Box<dyn Trajectory>,
    /// The track around it; none: no widths are known.
    pub track: Option<Track>,
}

/// The first `duration` [s] of these trajectories, and the whole tracks around them.
pub fn figure(trajectories: &[NamedTrajectory], duration: f64) -> Figure {
    let mut panels = vec![
        Panel::new("Path", "x [m]", "y [m]", true),
        Panel::new("Speed", "time [s]", "speed [m/s]", false),
        Panel::new("Curvature, to the left", "time [s]", "curvature [1/m]", false),
        Panel::new("Turn rate of the heading", "time [s]", "turn rate [rad/s]", false),
    ];
    let mut legend = Vec::new();
    let border = Line::grey(Dash::Solid);
    for NamedTrajectory { name, track, .. } in trajectories {
        let borders = track.as_ref().map(Track::borders).unwrap_or_default();
        for (side, points) in ["right", "left"].into_iter().zip(borders).filter(|(_, points)| !points.is_empty()) {
            let (label, points) = (format!("{name}, {side} border"), points.iter().map(|p| (p.x, p.y)).collect());
            panels[0].series.push(Series { label, points, line: border });
        }
    }
    if !panels[0].series.is_empty() {
        legend.push(Key::new("borders of the track", border));
    }
    for (index, NamedTrajectory { name, trajectory, .. }) in trajectories.iter().enumerate() {
        // Where curves coincide, dashes keep both visible.
        let line = Line { color: Some(index), dash: Dash::ALL[index % Dash::ALL.len()] };
        legend.push(Key::new(name.as_str(), line));
        let end = trajectory.duration().map_or(duration, |end| end.min(duration));
        let samples: Vec<(f64, Sample)> = sweep(0.0, end, POINTS).map(|time| (time, trajectory.at(time))).collect();
        let curve = |point: &dyn Fn(f64, &Sample) -> (f64, f64)| samples.iter().map(|(t, s)| point(*t, s)).collect();
        let curves: [Vec<(f64, f64)>; 4] = [
            curve(&|_, sample| (sample.position.x, sample.position.y)),
            curve(&|time, sample| (time, sample.speed())),
            curve(&|time, sample| (time, sample.curvature())),
            curve(&|time, sample| (time, sample.turn_rate())),
        ];
        for (panel, points) in panels.iter_mut().zip(curves) {
            panel.series.push(Series { label: name.clone(), points, line });
        }
    }
    Figure { title: "Trajectories".into(), columns: 2, panels, legend }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::trajectory::{TrajectoryParameters, build};

    use super::*;

    #[test]
    fn a_circle_is_round_at_one_speed() {
        let parameters = TrajectoryParameters { trajectory_type: "circle".into(), ..TrajectoryParameters::default() };
        let circle = NamedTrajectory { name: "circle".into(), trajectory: build(&parameters).unwrap(), track: None };
        let figure = figure(&[circle], 16.0);
        assert!(figure.panels.iter().all(|panel| panel.series.len() == 1) && figure.legend.len() == 1);
        let points = |panel: usize| &figure.panels[panel].series[0].points;
        assert!(points(0).iter().all(|(x, y)| (x.hypot(y - 2.0) - 2.0).abs() < 1e-12));
        for (panel, value) in [(1, 0.8), (2, 0.5), (3, 0.4)] {
            assert!(points(panel).iter().all(|(_, y)| (y - value).abs() < 1e-12), "{}", figure.panels[panel].title);
            assert_eq!(points(panel).last().unwrap().0, 16.0);
        }
    }
}
