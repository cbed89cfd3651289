//! A shape placed in the plane: its frame at a pose, its start at a phase, its time at a scale.
//!
//! For a shape s(t): x(t) = x0 + R(yaw0)·s(k·t + phase) with k = `time_scale`, from t = 0 on. Velocities and accelerations are rotated with
//! it, and k and k² times those of the shape; its curvature is that of the shape.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose2, Rot2};

use super::check::{finite, positive, require};
use super::{Sample, Trajectory, TrajectoryParameters};

#[derive(Debug)]
struct Placed {
    shape: Box<dyn Trajectory>,
    world_from_shape: Pose2,
    rotation: Rot2,
    phase: f64,
    time_scale: f64,
}

/// Places the shape at the pose and phase of the parameters.
pub(super) fn place(
    shape: Box<dyn Trajectory>,
    parameters: &TrajectoryParameters,
) -> Result<Box<dyn Trajectory>, Diagnostic> {
    let &TrajectoryParameters { phase, time_scale, x0, y0, yaw0, .. } = parameters;
    finite("phase", phase, "s")?;
    positive("time_scale", time_scale, "-")?;
    finite("x0", x0, "m")?;
    finite("y0", y0, "m")?;
    finite("yaw0", yaw0, "rad")?;
    if let Some(duration) = shape.duration() {
        let accepted = format!("a number ≥ 0 and less than the duration, {duration} [s]");
        require("phase", phase, (0.0..duration).contains(&phase), &accepted)?;
    }
    let world_from_shape = Pose2::new(x0, y0, yaw0);
    Ok(Box::new(Placed { shape, world_from_shape, rotation: world_from_shape.rotation(), phase, time_scale }))
}

impl Trajectory for Placed {
    fn at(&self, time: f64) -> Sample {
        let k = self.time_scale;
        let sample = self.shape.at(k * time + self.phase);
        Sample {
            position: self.world_from_shape.position() + self.rotation * sample.position,
            velocity: k * (self.rotation * sample.velocity),
            acceleration: (k * k) * (self.rotation * sample.acceleration),
        }
    }

    fn duration(&self) -> Option<f64> {
        self.shape.duration().map(|duration| (duration - self.phase) / self.time_scale)
    }
}
