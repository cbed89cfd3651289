//! The circle x = R·cos(W·t − π/2), y = R·sin(W·t − π/2) + R (the study, §5.3.1), starting at the origin in the direction of x.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::positive;
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters};

pub(super) const ENTRY: TrajectoryEntry =
    TrajectoryEntry { name: "circle", number: Some(2), help: "a circle at a constant speed: R, W", build };

#[derive(Debug)]
struct Circle {
    radius: f64,
    rate: f64,
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    positive("R", parameters.circle_radius, "m")?;
    positive("W", parameters.circle_rate, "rad/s")?;
    Ok(Box::new(Circle { radius: parameters.circle_radius, rate: parameters.circle_rate }))
}

impl Trajectory for Circle {
    fn at(&self, time: f64) -> Sample {
        let (r, w) = (self.radius, self.rate);
        let (sin, cos) = libm::sincos(w * time);
        Sample {
            position: Vec2::new(r * sin, r - r * cos),
            velocity: (r * w) * Vec2::new(cos, sin),
            acceleration: (r * w * w) * Vec2::new(-sin, cos),
        }
    }
}
