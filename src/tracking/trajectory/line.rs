//! The straight line x = a·t, y = b·t (the study, §5.3.1): parallel to (a_coeff, b_coeff), at that speed.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::finite;
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters};

pub(super) const ENTRY: TrajectoryEntry =
    TrajectoryEntry { name: "line", number: Some(0), help: "straight on at a constant speed: a_coeff, b_coeff", build };

#[derive(Debug)]
struct Line {
    velocity: Vec2,
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    finite("a_coeff", parameters.a_coeff, "m/s")?;
    finite("b_coeff", parameters.b_coeff, "m/s")?;
    if parameters.a_coeff == 0.0 && parameters.b_coeff == 0.0 {
        return Err(
            Diagnostic::new("a_coeff, b_coeff", "found 0 and 0").accepted("finite numbers, one of them not 0 [m/s]")
        );
    }
    Ok(Box::new(Line { velocity: Vec2::new(parameters.a_coeff, parameters.b_coeff) }))
}

impl Trajectory for Line {
    fn at(&self, time: f64) -> Sample {
        Sample { position: time * self.velocity, velocity: self.velocity, acceleration: Vec2::ZERO }
    }
}
