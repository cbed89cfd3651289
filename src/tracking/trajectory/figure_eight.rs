//! The figure of eight x = a·sin(w·t), y = a·sin(w·t)·cos(w·t) (the study, §5.3.1): it starts at the origin, at 45°.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::positive;
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters};

pub(super) const ENTRY: TrajectoryEntry =
    TrajectoryEntry { name: "figure_eight", number: Some(3), help: "an eight that lies along x: a, w", build };

#[derive(Debug)]
struct FigureEight {
    amplitude: f64,
    rate: f64,
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    positive("a", parameters.eight_amplitude, "m")?;
    positive("w", parameters.eight_rate, "rad/s")?;
    Ok(Box::new(FigureEight { amplitude: parameters.eight_amplitude, rate: parameters.eight_rate }))
}

impl Trajectory for FigureEight {
    fn at(&self, time: f64) -> Sample {
        let (a, w) = (self.amplitude, self.rate);
        let (sin, cos) = libm::sincos(w * time);
        let (sin2, cos2) = (2.0 * sin * cos, cos * cos - sin * sin);
        Sample {
            position: a * Vec2::new(sin, 0.5 * sin2),
            velocity: (a * w) * Vec2::new(cos, cos2),
            acceleration: (a * w * w) * Vec2::new(-sin, -2.0 * sin2),
        }
    }
}
