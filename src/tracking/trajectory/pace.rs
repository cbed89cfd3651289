//! Speed along a path: constant, or with the speeds of its points, between which the acceleration is constant: v² is linear in the way.

use skidpad_files::diagnostic::Diagnostic;

/// The speed along a path.
#[derive(Debug)]
pub(super) enum Pace {
    /// Everywhere the same [m/s], > 0.
    Constant(f64),
    /// By time, from 0 on.
    Profile(Vec<Mark>),
}

/// Least mean speed between two points [m/s].
const MIN_SPEED: f64 = 1e-3;

/// A point of a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// [s].
    time: f64,
    /// Distance along the path up to it [m].
    distance: f64,
    /// Speed at it [m/s].
    speed: f64,
}

/// Motion along a path: distance from its start [m], speed [m/s], acceleration [m/s²].
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub distance: f64,
    pub speed: f64,
    pub acceleration: f64,
}

impl Pace {
    /// The profile with these speeds [m/s] at these distances along the path [m], at least two, which rise.
    ///
    /// # Errors
    /// The motion would stop between two points.
    pub(super) fn profile(distances: &[f64], speeds: &[f64]) -> Result<Pace, Diagnostic> {
        let mut marks: Vec<Mark> = Vec::with_capacity(distances.len());
        for (&distance, &speed) in distances.iter().zip(speeds) {
            let time = match marks.last() {
                Some(before) if before.speed + speed < 2.0 * MIN_SPEED => {
                    let place = format!("waypoints {} and {}", marks.len(), marks.len() + 1);
                    let message = Diagnostic::new(place, format!("speeds of {} and {speed} m/s", before.speed));
                    let accepted = format!("a mean of at least {MIN_SPEED} m/s, so that the motion goes on");
                    return Err(message.accepted(accepted));
                }
                // The mean of both speeds is that over time.
                Some(before) => before.time + 2.0 * (distance - before.distance) / (before.speed + speed),
                None => 0.0,
            };
            marks.push(Mark { time, distance, speed });
        }
        Ok(Pace::Profile(marks))
    }

    /// Time for a path of this length [m], in s.
    pub(super) fn duration(&self, whole: f64) -> f64 {
        match self {
            Pace::Constant(speed) => whole / speed,
            Pace::Profile(marks) => marks.last().map_or(0.0, |mark| mark.time),
        }
    }

    /// The motion at a time [s] along a path of length `whole` [m], which begins again at its end if it is `closed`.
    /// None: an open one is over.
    pub(super) fn at(&self, time: f64, whole: f64, closed: bool) -> Option<Motion> {
        match self {
            Pace::Constant(speed) => {
                let distance = speed * time;
                let inside = if closed { distance.rem_euclid(whole) } else { distance.clamp(0.0, whole) };
                (closed || distance <= whole).then_some(Motion { distance: inside, speed: *speed, acceleration: 0.0 })
            }
            Pace::Profile(marks) => {
                let end = self.duration(whole);
                let inside = if closed { time.rem_euclid(end) } else { time.clamp(0.0, end) };
                let next = marks.partition_point(|mark| mark.time <= inside).clamp(1, marks.len() - 1);
                let (from, to) = (marks[next - 1], marks[next]);
                let span = to.time - from.time;
                let acceleration = if span > 0.0 { (to.speed - from.speed) / span } else { 0.0 };
                let since = inside - from.time;
                let speed = from.speed + acceleration * since;
                let distance = from.distance + 0.5 * (from.speed + speed) * since;
                (closed || time <= end).then_some(Motion { distance: distance.clamp(0.0, whole), speed, acceleration })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_points_the_acceleration_is_constant() {
        let pace = Pace::profile(&[0.0, 3.0, 7.0], &[1.0, 2.0, 0.0]).unwrap();
        // 3 m at a mean of 1.5 m/s, then 4 m at one of 1 m/s.
        assert!((pace.duration(7.0) - 6.0).abs() < 1e-12);
        let Motion { distance, speed, acceleration } = pace.at(1.0, 7.0, false).unwrap();
        // v² = v0² + 2·a·s
        assert_eq!((distance, speed, acceleration), (1.25, 1.5, 0.5));
        let Motion { distance, speed, acceleration } = pace.at(4.0, 7.0, false).unwrap();
        assert_eq!((distance, speed, acceleration), (6.0, 1.0, -0.5));
        assert!(pace.at(6.1, 7.0, false).is_none());
        assert_eq!(pace.at(8.0, 7.0, true).unwrap().distance, pace.at(2.0, 7.0, true).unwrap().distance);
        let error = Pace::profile(&[0.0, 1.0, 2.0], &[1.0, 0.0, 0.0]).unwrap_err();
        let expected = "waypoints 2 and 3: speeds of 0 and 0 m/s\n  accepted: a mean of at least 0.001 m/s, so that the motion goes on";
        assert_eq!(error.to_string(), expected);
    }
}
