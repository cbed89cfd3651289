//! Lane changes between cones: the fastest entry that touches none.
//!
//! Sources: ISO 3888-1:2018 (double lane change: sections of 15, 30, 25, 25 and 30 m; at constant speed) and ISO 3888-2:2011 (obstacle
//! avoidance: 12, 13.5, 11, 12.5 and 12 m; the throttle is released 2 m after the entry). Widths of the lanes depend on that of the vehicle.
//! The middle of the side lane of part 1 lies 3.5 m beside that of the first one; that of part 2 leaves 1 m between the lanes.
//!
//! The standards leave the driver free. Here the driver aims at a point ahead on the middle of the lanes (pure pursuit). The steering angle is
//! that of the vehicle's own steady circle. Drivers differ in how far ahead they look, and in how early they change lanes: the best one counts.

use skidpad_math::{Pose2, Vec2};

use super::{Curve, Outcome, measured, peak};
use crate::figure::Panel;
use crate::model::mean_gain;
use crate::test_drive::{Sample, TestDrive};
use crate::test_vehicle::ModelError;

/// A track of three lanes between cones.
pub(super) struct Track {
    /// Lengths [m] of the first lane, the gap, the side lane, the gap and the last lane.
    lengths: [f64; 5],
    /// Width of each lane: factor on the width of the vehicle [-], what is added [m], and the least [m].
    widths: [(f64, f64, f64); 3],
    /// From the middle of the first lane to that of the side lane [m], for these widths of the first and the side lane [m].
    offset: fn(f64, f64) -> f64,
    /// Way after the entry at which the throttle is released [m]; none: the speed stays.
    release: Option<f64>,
}

/// ISO 3888-1.
pub(super) const DOUBLE_LANE_CHANGE: Track = Track {
    lengths: [15.0, 30.0, 25.0, 25.0, 30.0],
    widths: [(1.1, 0.25, 0.0), (1.2, 0.25, 0.0), (1.3, 0.25, 0.0)],
    offset: |_, _| 3.5,
    release: None,
};

/// ISO 3888-2.
pub(super) const OBSTACLE_AVOIDANCE: Track = Track {
    lengths: [12.0, 13.5, 11.0, 12.5, 12.0],
    widths: [(1.1, 0.25, 0.0), (1.0, 1.0, 0.0), (1.3, 0.25, 3.0)],
    offset: |first, side| 0.5 * first + 1.0 + 0.5 * side,
    release: Some(2.0),
};

/// Speeds that are tried [m/s]: from, to; and the halvings of that range.
const SPEEDS: (f64, f64) = (4.0, 44.0);
const HALVINGS: usize = 8;
/// Look-ahead times of the drivers [s].
const LOOK_AHEAD: [f64; 8] = [0.15, 0.2, 0.25, 0.35, 0.5, 0.65, 0.8, 1.0];
/// How early the drivers begin to change lanes, and how late they end, per length of the gap [-].
const EARLY: [f64; 3] = [0.0, 0.15, 0.3];
/// Lateral acceleration at which the steering per curvature is measured [m/s²].
const SMALL: f64 = 1.0;
/// Side-slip angle from which a vehicle counts as spun [rad].
const SPUN: f64 = 0.7;

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    vec![
        Panel::new("Path at the fastest entry", "x [m]", "y [m]", false),
        Panel::new("Steering angle", "x [m]", "steering angle [°]", false),
        Panel::new("Lateral acceleration", "x [m]", "lateral acceleration [m/s²]", false),
        Panel::new("Roll angle", "x [m]", "roll angle [°]", false),
    ]
}

/// A lane between cones, along x.
#[derive(Clone, Copy, Debug)]
struct Lane {
    x: [f64; 2],
    /// Its right and left border [m].
    y: [f64; 2],
}

impl Lane {
    fn middle(&self) -> f64 {
        0.5 * (self.y[0] + self.y[1])
    }

    /// Whether an outline touches one of its borders.
    fn is_touched_by(&self, outline: &[Vec2]) -> bool {
        let beyond = |p: &Vec2| p.x >= self.x[0] && p.x <= self.x[1] && (p.y < self.y[0] || p.y > self.y[1]);
        let ends = self.x.iter().flat_map(|&x| self.y.map(|y| Vec2::new(x, y)));
        outline.iter().any(beyond) || ends.into_iter().any(|cone| contains(outline, cone))
    }
}

/// Whether a convex outline contains a point.
fn contains(outline: &[Vec2], point: Vec2) -> bool {
    let next = outline.iter().cycle().skip(1);
    let sides = || outline.iter().zip(next.clone()).map(|(&a, &b)| (b - a).cross(point - a));
    sides().all(|side| side > 0.0) || sides().all(|side| side < 0.0)
}

impl Track {
    /// Its lanes for a vehicle of this width [m], with lengths of the scale of the vehicle.
    fn lanes(&self, width: f64, length: impl Fn(f64) -> f64) -> [Lane; 3] {
        let [first, side, last] =
            self.widths.map(|(factor, more, least)| (factor * width + length(more)).max(length(least)));
        let mut x = 0.0;
        let ends = self.lengths.map(|section| {
            x += length(section);
            x
        });
        // The offset is a sum of widths and lengths: scaled lengths, as those of a car.
        let offset = length((self.offset)(first / length(1.0), side / length(1.0)));
        // The right borders of the first and the last lane are in one line.
        let middle_of_last = 0.5 * (last - first);
        let lane = |from: f64, to: f64, middle: f64, width: f64| Lane {
            x: [from, to],
            y: [middle - 0.5 * width, middle + 0.5 * width],
        };
        [
            lane(0.0, ends[0], 0.0, first),
            lane(ends[1], ends[2], offset, side),
            lane(ends[3], ends[4], middle_of_last, last),
        ]
    }
}

/// The line that drivers aim at [m]: the middle of the lanes, with half a wave of a cosine from each to the next. The wave begins before the
/// gap, and ends behind it, by the share `early` of its length.
fn aim(lanes: &[Lane; 3], early: f64, x: f64) -> f64 {
    let mut y = lanes[0].middle();
    for pair in lanes.windows(2) {
        let gap = pair[1].x[0] - pair[0].x[1];
        let share = ((x - pair[0].x[1] + early * gap) / (gap * (1.0 + 2.0 * early))).clamp(0.0, 1.0);
        y += (pair[1].middle() - pair[0].middle()) * 0.5 * (1.0 - libm::cos(std::f64::consts::PI * share));
    }
    y
}

/// A passage.
struct Passage {
    /// Sample in the frame of the track, steering angle [rad] and roll angle [rad].
    samples: Vec<(Sample, f64, f64)>,
    /// Whether no cone was touched.
    is_clean: bool,
}

/// Searches the fastest clean entry.
pub(super) fn drive(run: &mut TestDrive<'_>, track: &Track) -> Result<Outcome, ModelError> {
    let outline = run.outline();
    let width = outline.iter().map(|point| point.y.abs()).fold(0.0, f64::max) * 2.0;
    let scale = run.length(1.0);
    let lanes = track.lanes(width, |length| length * scale);
    let (mut low, mut high) = SPEEDS;
    let mut best = pass_at(run, track, &lanes, &outline, high)?;
    let halvings = if best.is_some() { 0 } else { HALVINGS };
    for _ in 0..halvings {
        let speed = 0.5 * (low + high);
        match pass_at(run, track, &lanes, &outline, speed)? {
            Some(passage) => {
                low = speed;
                best = Some(passage);
            }
            None => high = speed,
        }
    }
    let samples = best.as_ref().map_or(&[][..], |passage| &passage.samples);
    let entry = samples.first().map(|(sample, ..)| sample.velocity.vx);
    let exit = samples.last().map(|(sample, ..)| sample.velocity.vx);
    let peak_of = |value: fn(&(Sample, f64, f64)) -> f64| peak(samples.iter().map(value));
    let numbers = vec![
        measured("entry_mps", "fastest entry", "m/s", entry),
        measured("exit_mps", "speed at the exit", "m/s", exit),
        measured("lateral_mps2", "peak lateral acceleration", "m/s²", peak_of(|(sample, ..)| sample.acceleration.y)),
        measured("slip_angle_rad", "peak side-slip angle", "rad", peak_of(|(sample, ..)| sample.slip_angle())),
        measured("steering_rad", "peak steering angle", "rad", peak_of(|(_, angle, _)| *angle)),
        measured("roll_rad", "peak roll angle", "rad", peak_of(|(.., roll)| *roll)),
    ];
    let over_x = |value: fn(&(Sample, f64, f64)) -> f64| -> Vec<(f64, f64)> {
        samples.iter().map(|sample| (sample.0.world_from_center.x, value(sample))).collect()
    };
    let mut paths = vec![Curve::solid(over_x(|(sample, ..)| sample.world_from_center.y))];
    for lane in &lanes {
        paths.extend(lane.y.iter().map(|&y| Curve::limit(lane.x.iter().map(|&x| (x, y)).collect(), "cones")));
    }
    let curves = vec![
        paths,
        vec![Curve::solid(over_x(|(_, angle, _)| angle.to_degrees()))],
        vec![Curve::solid(over_x(|(sample, ..)| sample.acceleration.y))],
        vec![Curve::solid(over_x(|(.., roll)| roll.to_degrees()))],
    ];
    Ok(Outcome { curves, numbers })
}

/// The passage of the first driver that gets through at the speed of a car [m/s], if one does.
fn pass_at(
    run: &mut TestDrive<'_>,
    track: &Track,
    lanes: &[Lane; 3],
    outline: &[Vec2],
    of_car: f64,
) -> Result<Option<Passage>, ModelError> {
    let Some(speed) = run.reach(of_car)? else { return Ok(None) };
    let small = SMALL * run.wheelbase / (speed * speed);
    for _ in 0..run.steps(1.5) {
        run.step(speed, small)?;
    }
    let (reached, gain) = mean_gain(run, speed, small)?;
    let angle_per_curvature = (reached / gain).clamp(0.3 * run.wheelbase, 5.0 * run.wheelbase);
    for early in EARLY {
        for look_ahead in LOOK_AHEAD {
            let driver = Driver { look_ahead: look_ahead * run.scale, early, angle_per_curvature };
            let passage = pass(run, track, lanes, (outline, of_car, driver))?;
            if passage.is_clean {
                return Ok(Some(passage));
            }
        }
    }
    Ok(None)
}

/// How the steering angle follows from the place.
struct Driver {
    /// Time [s] to the point that the driver aims at.
    look_ahead: f64,
    /// As in [`EARLY`].
    early: f64,
    /// Steering angle [rad] per curvature [1/m] of the vehicle's own circle.
    angle_per_curvature: f64,
}

/// One passage at the speed of a car [m/s].
fn pass(
    run: &mut TestDrive<'_>,
    track: &Track,
    lanes: &[Lane; 3],
    (outline, of_car, driver): (&[Vec2], f64, Driver),
) -> Result<Passage, ModelError> {
    let speed = run.speed_up(of_car)?;
    let (first, _) = run.sample(speed, 0.0)?;
    // The track begins a little ahead of the foremost point of the vehicle, which is this far ahead of its centre of mass.
    let front = outline.iter().map(|point| point.x).fold(f64::NEG_INFINITY, f64::max) - run.center.x;
    let ahead = front + run.length(10.0);
    let world_from_track = first.world_from_center * Pose2::new(ahead, 0.0, 0.0);
    let track_from_world = world_from_track.inverse();
    let mut passage = Passage { samples: Vec::new(), is_clean: true };
    let (mut sample, mut commanded, mut roll) = (first, speed, 0.0);
    let end = lanes[2].x[1];
    for _ in 0..run.steps(4.0 * (end + ahead) / (speed * run.scale)) {
        let from_track = track_from_world * sample.world_from_center;
        let local = Sample { world_from_center: from_track, ..sample };
        let heading = from_track.yaw;
        let distance = (driver.look_ahead * sample.velocity.vx).max(run.wheelbase);
        let target = aim(lanes, driver.early, from_track.x + distance);
        let bearing = libm::atan2(target - from_track.y, distance) - heading;
        let curvature = 2.0 * libm::sin(bearing) / distance;
        let angle = (driver.angle_per_curvature * curvature).clamp(-run.max_steer, run.max_steer);
        let entered = from_track.x + front > 0.0;
        if entered {
            passage.samples.push((local, angle, roll));
        }
        if track.release.is_some_and(|way| from_track.x + front > run.length(way)) {
            commanded = sample.velocity.vx;
        }
        let (next, frame) = run.sample(commanded, angle)?;
        roll = frame.world_from_body.roll;
        let track_from_body = track_from_world * frame.world_from_body.planar();
        let placed: Vec<Vec2> = outline.iter().map(|&point| track_from_body.transform_point(point)).collect();
        let is_lost = frame.is_overturned || sample.slip_angle().abs() > SPUN;
        if is_lost || lanes.iter().any(|lane| lane.is_touched_by(&placed)) {
            passage.is_clean = false;
        }
        if !passage.is_clean || placed.iter().all(|point| point.x > end) {
            return Ok(passage);
        }
        sample = next;
    }
    passage.is_clean = false;
    Ok(passage)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sections of ISO 3888 for a car 1.8 m wide, and half their size for half the scale.
    #[test]
    fn tracks_have_the_lengths_and_widths_of_the_standard() {
        let near = |actual: [f64; 2], expected: [f64; 2]| {
            assert!(actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{actual:?}, not {expected:?}");
        };
        let [first, side, last] = DOUBLE_LANE_CHANGE.lanes(1.8, |length| length);
        near(first.x, [0.0, 15.0]);
        near(side.x, [45.0, 70.0]);
        near(last.x, [95.0, 125.0]);
        near(first.y, [-1.115, 1.115]);
        near(side.y, [3.5 - 1.205, 3.5 + 1.205]);
        near(last.y, [-1.115, -1.115 + 2.59]);
        let [first, side, last] = OBSTACLE_AVOIDANCE.lanes(1.8, |length| length);
        near([side.x[0], last.x[1]], [25.5, 61.0]);
        near([first.y[1], side.y[0]], [1.115, 2.115]);
        near(last.y, [-1.115, -1.115 + 3.0]);
        let [_, half, _] = OBSTACLE_AVOIDANCE.lanes(0.9, |length| 0.5 * length);
        near(half.y, [0.5 * side.y[0], 0.5 * side.y[1]]);
    }

    #[test]
    fn a_lane_is_touched_beyond_its_border_and_by_the_side_of_a_car() {
        let lane = Lane { x: [0.0, 10.0], y: [-1.0, 1.0] };
        let outline = |x: f64, y: f64, yaw: f64| {
            let corners = [(2.0, 0.8), (-2.0, 0.8), (-2.0, -0.8), (2.0, -0.8)];
            let pose = Pose2::new(x, y, yaw);
            corners.map(|(x, y)| pose.transform_point(Vec2::new(x, y)))
        };
        assert!(!lane.is_touched_by(&outline(5.0, 0.1, 0.0)));
        assert!(lane.is_touched_by(&outline(5.0, 0.3, 0.0)));
        assert!(lane.is_touched_by(&outline(5.0, 0.0, 0.2)));
        // Its corners are before and behind the lane's beginning, the cone is in its side.
        assert!(lane.is_touched_by(&outline(0.0, 0.5, 0.0)));
        assert!(!lane.is_touched_by(&outline(-3.0, 2.0, 0.0)));
        let mut turned = outline(0.0, 0.5, 0.0);
        turned.reverse();
        assert!(lane.is_touched_by(&turned), "in either order");
    }
}
