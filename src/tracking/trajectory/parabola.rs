//! The parabola x = 2·a·t, y = a·t² with focal length a (the study, §5.3.1), which is y = x²/(4·a).

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::require;
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters};

pub(super) const ENTRY: TrajectoryEntry =
    TrajectoryEntry { name: "parabola", number: Some(1), help: "ever faster along a parabola: focal_length", build };

#[derive(Debug)]
struct Parabola {
    focal_length: f64,
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    let a = parameters.focal_length;
    require("focal_length", a, a != 0.0, "a finite number other than 0 [m]")?;
    Ok(Box::new(Parabola { focal_length: a }))
}

impl Trajectory for Parabola {
    fn at(&self, time: f64) -> Sample {
        let a = self.focal_length;
        Sample {
            position: Vec2::new(2.0 * a * time, a * time * time),
            velocity: Vec2::new(2.0 * a, 2.0 * a * time),
            acceleration: Vec2::new(0.0, 2.0 * a),
        }
    }
}
