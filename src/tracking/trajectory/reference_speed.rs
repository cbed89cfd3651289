//! How fast a reference is: the mean speed of a run along it, and the scale of its time that gives another mean.

use skidpad_files::diagnostic::Diagnostic;

use super::check::positive;
use super::{TrajectoryParameters, build};

/// Parts into which the motion is divided for its length: enough for a hundred laps.
const PARTS: u32 = 5000;
/// Most steps of the search for a scale; each halves the distance at least.
const STEPS: u32 = 40;

/// Mean speed [m/s] of the reference in a run of `duration` [s] > 0: the length of its path over the time in which it moves.
///
/// # Errors
/// As [`build`].
pub fn mean_speed(parameters: &TrajectoryParameters, duration: f64) -> Result<f64, Diagnostic> {
    let trajectory = build(parameters)?;
    let end = trajectory.duration().map_or(duration, |end| end.min(duration));
    let part = end / f64::from(PARTS);
    // Speeds in the middle of each part; the reference may rest at both ends.
    let speeds = (0..PARTS).map(|index| trajectory.at((f64::from(index) + 0.5) * part).speed());
    Ok(speeds.sum::<f64>() / f64::from(PARTS))
}

/// The `time_scale` with which the reference has this mean `speed` [m/s] in a run of `duration` [s]; the path remains as it is.
///
/// The mean speed at a scale k is k times that of the part of the shape that is driven then, a power of k between 1 (laps) and 2 (a parabola, which
/// grows ever faster). For the first the scale follows at once, otherwise by k ← k·√(wanted/found), which converges for both.
///
/// # Errors
/// As [`build`], a speed that is not positive, a reference that stands, or a speed that no scale gives.
pub fn time_scale_for(parameters: &TrajectoryParameters, speed: f64, duration: f64) -> Result<f64, Diagnostic> {
    positive("speed", speed, "m/s")?;
    let at_scale = |time_scale: f64| mean_speed(&TrajectoryParameters { time_scale, ..parameters.clone() }, duration);
    let as_it_is = at_scale(1.0)?;
    let unreachable =
        || Diagnostic::new("speed", format!("found {speed}")).accepted("a speed only for a reference that moves");
    let first = speed / as_it_is;
    if !(first > 0.0 && first.is_finite()) {
        return Err(unreachable());
    }
    let is_met = |reached_speed: f64| (reached_speed / speed - 1.0).abs() < 1e-9;
    if is_met(at_scale(first)?) {
        return Ok(first);
    }
    let mut scale = first;
    for _ in 0..STEPS {
        let reached_speed = at_scale(scale)?;
        if is_met(reached_speed) {
            break;
        }
        scale *= libm::sqrt(speed / reached_speed);
    }
    Ok(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str) -> TrajectoryParameters {
        TrajectoryParameters { trajectory_type: kind.into(), ..TrajectoryParameters::default() }
    }

    #[test]
    fn a_scale_gives_the_wanted_mean_speed_on_the_same_path() {
        // a·t, b·t with 0.6 and 0.8; R·W of 0.8.
        assert!((mean_speed(&of("line"), 7.0).unwrap() - 1.0).abs() < 1e-12);
        assert!((time_scale_for(&of("circle"), 2.0, 60.0).unwrap() - 2.5).abs() < 1e-9);
        for kind in ["figure_eight", "cycloid", "parabola"] {
            let time_scale = time_scale_for(&of(kind), 1.7, 40.0).unwrap();
            let scaled = TrajectoryParameters { time_scale, ..of(kind) };
            assert!((mean_speed(&scaled, 40.0).unwrap() / 1.7 - 1.0).abs() < 1e-6, "{kind}: {time_scale}");
            let (plain, scaled) = (build(&of(kind)).unwrap().at(2.0 * time_scale), build(&scaled).unwrap().at(2.0));
            assert!((plain.position - scaled.position).norm() < 1e-12);
            assert!((plain.curvature() - scaled.curvature()).abs() < 1e-9);
            assert!((scaled.speed() / plain.speed() / time_scale - 1.0).abs() < 1e-12);
        }
        assert_eq!(time_scale_for(&of("circle"), -1.0, 60.0).unwrap_err().accepted, ["a number > 0 [m/s]"]);
    }
}
