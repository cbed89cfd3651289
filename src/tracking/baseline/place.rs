//! Where on its path a vehicle is, and the speed that brings it to where the reference is.
//!
//! The nearest point of the path is looked for near the last one, beginning where the reference starts: a path that crosses itself is
//! followed along its own way, and a closed one is not left behind after a lap. With the path x(τ), moved by an arm along its tangent or
//! not, and the position p the distance is least where (p − x)·x′ = 0, which Newton's steps find.
//!
//! The speed is that of the reference now and a share of the way that is missing:
//!
//! ```text
//! v = v_ref(t) + k_along·s      s = ∫ |ẋ| dτ from the nearest point to the reference      ⇒ ṡ = −k_along·s on the path
//! ```

use skidpad_math::{Rot2, Vec2};

use super::Moment;
use crate::trajectory::{Sample, Trajectory};

/// Below this speed [m/s] the path has no direction; that of the point before is kept.
pub(super) const STANDS: f64 = 1e-6;
/// Most of Newton's steps, their longest [s], and the last [m].
const STEPS: usize = 20;
const MAX_STEP: f64 = 0.2;
const SHORT: f64 = 1e-10;

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Its time in the motion of the reference [s].
    pub(super) time: f64,
    /// The reference there.
    pub(super) sample: Sample,
    /// Direction of the path.
    pub(super) along: Rot2,
}

impl Place {
    /// Distance [m] of a position to the left of the path.
    pub(super) fn left(&self, position: Vec2) -> f64 {
        (self.along.inverse() * (position - self.sample.position)).y
    }

    /// Angle [rad] of a heading against the path, in (−π, π].
    pub(super) fn turn_to(&self, heading: Rot2) -> f64 {
        (self.along.inverse() * heading).angle()
    }
}

/// The end of a path, or a time that never comes.
pub(super) fn end(trajectory: &dyn Trajectory) -> f64 {
    trajectory.duration().unwrap_or(f64::INFINITY)
}

/// The point of the path at a time, with the direction `before` where it stands.
pub(super) fn at(trajectory: &dyn Trajectory, time: f64, before: Rot2) -> Place {
    let time = time.min(end(trajectory)).max(0.0);
    let sample = trajectory.at(time);
    let speed = sample.speed();
    let along =
        if speed > STANDS { Rot2 { cos: sample.velocity.x / speed, sin: sample.velocity.y / speed } } else { before };
    Place { time, sample, along }
}

/// Finds the nearest point of a path again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearest {
    last: Option<(f64, Rot2)>,
}

impl Nearest {
    pub(super) fn reset(&mut self) {
        self.last = None;
    }

    /// The point nearest to `position` [m], of the path itself; `heading` is that of a path whose motion has not begun.
    pub(super) fn find(&mut self, moment: &Moment<'_>, position: Vec2, heading: Rot2) -> Place {
        self.find_moved(moment, position, heading, |place| {
            let Sample { position, velocity, acceleration } = place.sample;
            (position, velocity, acceleration)
        })
    }

    /// As [`find`](Nearest::find), of a path that is made of the points of the trajectory: `path_at` gives its position, velocity
    /// and acceleration, the last one as well as it is known.
    pub(super) fn find_moved(
        &mut self,
        moment: &Moment<'_>,
        position: Vec2,
        heading: Rot2,
        path_at: impl Fn(&Place) -> (Vec2, Vec2, Vec2),
    ) -> Place {
        let (time, along) = self.last.unwrap_or((moment.time, heading));
        let mut place = at(moment.trajectory, time, along);
        for _ in 0..STEPS {
            let (point, velocity, acceleration) = path_at(&place);
            let square = velocity.dot(velocity);
            if square <= STANDS * STANDS {
                // Where the path stands, the clock of the reference goes on.
                let on = (moment.time - place.time).clamp(0.0, moment.dt);
                place = at(moment.trajectory, place.time + on, place.along);
                break;
            }
            let away = position - point;
            // Beyond the centre of the curve it is no minimum that Newton's step would find.
            let slope = (square - away.dot(acceleration)).max(0.5 * square);
            let step = (away.dot(velocity) / slope).clamp(-MAX_STEP, MAX_STEP);
            if !step.is_finite() {
                break;
            }
            let next = at(moment.trajectory, place.time + step, place.along);
            let time_step = (next.time - place.time).abs();
            place = next;
            if time_step * square.sqrt() <= SHORT {
                break;
            }
        }
        self.last = Some((place.time, place.along));
        place
    }
}

/// Length of the path [m] from one time to another [s], negative backwards, by Simpson's rule.
pub(super) fn path_length(trajectory: &dyn Trajectory, from: f64, to: f64) -> f64 {
    const PANELS: u32 = 8;
    let step = (to - from) / f64::from(2 * PANELS);
    let speed = |index: u32| trajectory.at(from + step * f64::from(index)).speed();
    let pairs = (0..PANELS).map(|panel| speed(2 * panel) + 4.0 * speed(2 * panel + 1) + speed(2 * panel + 2));
    step / 3.0 * pairs.sum::<f64>()
}

/// The speed [m/s] that brings a vehicle at `place` to the reference, with the gain `k_along` [1/s].
pub(super) fn speed(moment: &Moment<'_>, place: &Place, k_along: f64) -> f64 {
    let now = moment.time.min(end(moment.trajectory));
    moment.reference.speed() + k_along * path_length(moment.trajectory, place.time, now)
}
