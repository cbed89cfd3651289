//! The curtate cycloid x = r·t − d·sin t, y = d − d·cos t (the study, §5.3.1): a point within a circle that rolls at 1 rad/s.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::{positive, require};
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters};

pub(super) const ENTRY: TrajectoryEntry = TrajectoryEntry {
    name: "cycloid",
    number: Some(4),
    help: "a point within a rolling circle: cycloid_radius, cycloid_distance",
    build,
};

#[derive(Debug)]
struct Cycloid {
    radius: f64,
    distance: f64,
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    let (radius, distance) = (parameters.cycloid_radius, parameters.cycloid_distance);
    positive("cycloid_radius", radius, "m")?;
    let inside = distance > 0.0 && distance < radius;
    let accepted = format!("a number > 0 and less than cycloid_radius, which is {radius} [m]");
    require("cycloid_distance", distance, inside, &accepted)?;
    Ok(Box::new(Cycloid { radius, distance }))
}

impl Trajectory for Cycloid {
    fn at(&self, time: f64) -> Sample {
        let (r, d) = (self.radius, self.distance);
        let (sin, cos) = libm::sincos(time);
        Sample {
            position: Vec2::new(r * time - d * sin, d - d * cos),
            velocity: Vec2::new(r - d * cos, d * sin),
            acceleration: Vec2::new(d * sin, d * cos),
        }
    }
}
