//! Laps with closed forms: circles at constant speed, offsets from a known line, ways back and short cuts.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_sim::trajectory::{TrajectoryParameters, Waypoint};

use super::*;
use crate::{MetricsOptions, PoseSample};

/// Radius of the line [m], and speed of vehicles on it [m/s].
const RADIUS: f64 = 5.0;
const SPEED: f64 = 2.0;

/// A circle around the origin to the left from (5, 0) on, half a metre free to the right and 0.7 m to the left, with a speed of 1.5 m/s.
fn circle() -> TrajectoryParameters {
    let point = |k: u32| {
        let angle = TAU * f64::from(k) / 720.0;
        let at = Waypoint::at(RADIUS * angle.cos(), RADIUS * angle.sin());
        Waypoint { free: Some([0.5, 0.7]), speed: Some(1.5), ..at }
    };
    TrajectoryParameters {
        trajectory_type: "waypoints".into(),
        closed: true,
        points: (0..720).map(point).collect(),
        ..TrajectoryParameters::default()
    }
}

fn course(parameters: &LapParameters) -> Arc<Course> {
    Course::of(&circle(), parameters).unwrap().unwrap()
}

fn sectors(count: u16) -> LapParameters {
    LapParameters { sectors: Sectors::Equal(count), ..LapParameters::default() }
}

/// The laps of a vehicle that is at radius and angle, as functions of time, every 0.05 s from `from` [s] on.
fn driven(course: &Arc<Course>, (from, to): (f64, f64), at: impl Fn(f64) -> (f64, f64)) -> Laps {
    let mut counter = LapCounter::new(Arc::clone(course));
    let mut k = 0;
    while from + 0.05 * f64::from(k) <= to {
        let time = from + 0.05 * f64::from(k);
        let (radius, angle) = at(time);
        counter.push(time, Vec2::new(radius * angle.cos(), radius * angle.sin()), SPEED);
        k += 1;
    }
    counter.into_laps()
}

#[track_caller]
fn close(actual: f64, expected: f64, within: f64) {
    assert!((actual - expected).abs() <= within, "{actual}, expected {expected}");
}

/// T = 2πR/v, between two positions to the third order, whatever the offset to the line.
#[test]
fn a_circle_takes_its_length_over_the_speed() {
    let course = course(&sectors(4));
    for radius in [4.5, 5.0, 5.4] {
        // From 1 m before the line on.
        let whole = TAU * radius / SPEED;
        let laps = driven(&course, (0.013, 3.5 * whole), |time| (radius, (SPEED * time - 1.0) / radius));
        assert_eq!((laps.count(), laps.valid()), (3, 3));
        for (index, lap) in laps.laps.iter().enumerate() {
            close(lap.duration, whole, 1e-6);
            close(lap.start, 0.5 + whole * index as f64, 1e-6);
            assert!(lap.sectors.len() == 4 && !lap.is_from_start);
            lap.sectors.iter().for_each(|sector| close(sector.duration, 0.25 * whole, 1e-6));
            let difference = lap.speed_difference.unwrap();
            assert_eq!((lap.max_speed, difference.mean, difference.rms), (2.0, 0.5, 0.5));
        }
        close(laps.theoretical_best().unwrap(), whole, 1e-5);
        close(laps.mean_distance, (radius - RADIUS).abs(), 1e-4);
        assert_eq!((laps.off_track(), laps.off_track_max()), (Some(0.0), Some(0.0)));
    }
}

#[test]
fn sectors_end_where_they_are_to() {
    let parameters = LapParameters { sectors: Sectors::Ends(vec![3.0, 20.0]), ..LapParameters::default() };
    let course = course(&parameters);
    let laps = driven(&course, (0.0, 20.0), |time| (RADIUS, SPEED * time / RADIUS));
    let [lap] = &laps.laps[..] else { panic!("{laps:?}") };
    // The line is a polygon, shorter by 3e-6 of its length; its ends are in the way along it.
    let scale = TAU * RADIUS / course.length();
    let ends: Vec<f64> =
        [3.0, 20.0].map(|distance| distance * scale / SPEED).into_iter().chain([TAU * RADIUS / SPEED]).collect();
    let mut last = 0.0;
    for (sector, end) in lap.sectors.iter().zip(ends) {
        close(sector.duration, end - last, 1e-5);
        last = end;
    }
    let refused = |ends: &[f64]| {
        let parameters = LapParameters { sectors: Sectors::Ends(ends.to_vec()), ..LapParameters::default() };
        Course::of(&circle(), &parameters).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[3.0, 3.0]),
        "sectors: 3 does not come after 3\n  accepted: increasing distances along the line [m]"
    );
    assert_eq!(
        refused(&[40.0]),
        "sectors: a sector ends at 40 m\n  accepted: distances below the length of the line, 31.416 m"
    );
    assert!(Course::of(&circle(), &sectors(0)).is_err());
}

/// A vehicle that begins on the line, or whose first position is right behind it, has begun its first lap.
#[test]
fn a_lap_may_begin_with_the_recording() {
    let course = course(&sectors(1));
    for from in [0.0, 0.04] {
        let laps = driven(&course, (from, 20.0), |time| (RADIUS, SPEED * time / RADIUS));
        let [lap] = &laps.laps[..] else { panic!("{laps:?}") };
        assert!(lap.is_from_start);
        close(lap.start, 0.0, 1e-4);
        close(lap.duration, TAU * RADIUS / SPEED, 1e-4);
    }
    // It stands for two seconds, a millimetre before or behind the line, and then drives.
    for offset in [-0.001, 0.0, 0.001] {
        let laps = driven(&course, (0.0, 20.0), |time| (RADIUS, (offset + SPEED * (time - 2.0).max(0.0)) / RADIUS));
        let [lap] = &laps.laps[..] else { panic!("{laps:?}") };
        close(lap.start, 2.0, 0.002);
    }
    // Further behind it, the first lap is not complete.
    let laps = driven(&course, (0.0, 20.0), |time| (RADIUS, (1.0 + SPEED * time) / RADIUS));
    assert_eq!(laps.count(), 0);
    close(laps.progress, 40.0, 0.01);
}

/// Whoever reverses over the line, or stands on it with a position that jitters, ends one lap there.
#[test]
fn reversing_over_the_line_counts_once() {
    let course = course(&sectors(2));
    let whole = TAU * RADIUS / SPEED;
    // Back from 1 m behind the line to 1 m before it after the first lap, and on.
    let distance = |time: f64| {
        let turn = whole + 0.5;
        SPEED * if time < turn { time } else { turn - 1.0 + (time - turn - 1.0).abs() }
    };
    let laps = driven(&course, (0.0, 2.0 * whole + 3.0), |time| (RADIUS, distance(time) / RADIUS));
    let times: Vec<f64> = laps.laps.iter().map(|lap| lap.duration).collect();
    assert_eq!(times.len(), 2, "{times:?}");
    close(times[0], whole, 1e-5);
    close(times[1], whole + 2.0, 1e-5);
    // Jitter of 3 cm before the start, and everywhere: standing on the line for 3 s after one lap.
    let jitter = |time: f64| 0.03 * (48.0 * time).sin();
    let distance = |time: f64| SPEED * ((time - 1.0).clamp(0.0, whole) + (time - whole - 4.0).max(0.0));
    let laps = driven(&course, (0.0, 2.0 * whole + 5.0), |time| (RADIUS, (distance(time) + jitter(time)) / RADIUS));
    assert_eq!(laps.count(), 2, "{laps:?}");
    close(laps.laps[0].start, 1.0, 0.1);
    close(laps.laps[0].duration, whole, 0.15);
    close(laps.laps[0].duration + laps.laps[1].duration, 2.0 * whole + 3.0, 0.2);
    // Against the direction of the line nothing counts.
    let laps = driven(&course, (0.0, 40.0), |time| (RADIUS, -SPEED * time / RADIUS));
    assert_eq!(laps.count(), 0);
    assert!(laps.note().unwrap().to_string().contains("against the direction"), "{laps:?}");
}

/// Outwards and back by 0.4 m/s: the reference point is beyond the border, half a metre away, for 1.5 s, up to 0.3 m; half a width of 0.4 m for 2.5 s,
/// up to 0.5 m.
#[test]
fn excursions_have_their_times_places_and_sizes() {
    let offset = |time: f64| (0.8 - 0.4 * (time - 6.0).abs()).max(0.0);
    for (width, excess, half_time) in [(0.0, 0.3, 0.75), (0.4, 0.5, 1.25)] {
        let parameters = LapParameters { vehicle_width: width, ..sectors(4) };
        let course = course(&parameters);
        let laps = driven(&course, (0.0, 40.0), |time| (RADIUS + offset(time), SPEED * time / RADIUS));
        let [only] = &laps.excursions.as_ref().unwrap()[..] else { panic!("{laps:?}") };
        close(only.start, 6.0 - half_time, 1e-3);
        close(only.end, 6.0 + half_time, 1e-3);
        close(only.excess, excess, 1e-4);
        close(only.worst, 12.0, 0.01);
        close(only.arc_length, 12.0 - 2.0 * half_time, 0.11);
        assert!(!only.is_left);
        close(laps.off_track().unwrap(), 2.0 * half_time, 2e-3);
        assert_eq!(laps.laps.iter().map(Lap::is_valid).collect::<Vec<_>>(), [false, true]);
        close(laps.laps[0].off_track, 2.0 * half_time, 2e-3);
        // Sector 2 is from 3.927 to 7.854 s; the wider vehicle is off within it, too.
        assert_eq!(laps.laps[0].sectors.iter().map(|s| s.is_valid).collect::<Vec<_>>(), [true, false, true, true]);
        close(laps.best().unwrap(), TAU * RADIUS / SPEED, 1e-5);
    }
    let inwards = driven(&course(&sectors(1)), (0.0, 10.0), |time| (RADIUS - 2.0 * offset(time), time / RADIUS));
    let left = inwards.excursions.as_ref().unwrap()[0];
    assert!(left.is_left && (left.excess - 0.9).abs() < 1e-4, "{left:?}");
}

/// A line near one border of its track: beyond that border, and beyond the one across the track, the side is that of the track. The file of the
/// track may go round either way.
#[test]
fn the_side_of_an_excursion_is_that_of_the_track() {
    let track = |turn: f64| {
        let of = |k: u32| {
            let angle = turn * TAU * f64::from(k) / 720.0;
            Waypoint { free: Some([0.5, 0.5]), ..Waypoint::at(RADIUS * angle.cos(), RADIUS * angle.sin()) }
        };
        (0..720).map(of).collect::<Vec<_>>()
    };
    let line = |radius: f64| {
        let of = |k: u32| {
            let angle = TAU * f64::from(k) / 720.0;
            Waypoint::at(radius * angle.cos(), radius * angle.sin())
        };
        (0..720).map(of).collect::<Vec<_>>()
    };
    for (turn, of_line, driven_at, is_left) in [1.0, -1.0].into_iter().flat_map(|turn| {
        // Lines beyond a border, cars between them and that border, on the line, and beyond the other border.
        [
            (5.6, 5.55, false),
            (5.6, 5.6, false),
            (5.6, 5.7, false),
            (5.6, 4.4, true),
            (4.4, 4.45, true),
            (4.4, 4.3, true),
            (4.4, 5.6, false),
        ]
        .map(|(line, at, is_left)| (turn, line, at, is_left))
    }) {
        let parameters = TrajectoryParameters { points: line(of_line), track: track(turn), ..circle() };
        let course = Course::of(&parameters, &sectors(1)).unwrap().unwrap();
        let laps = driven(&course, (0.0, 5.0), |time| (driven_at, SPEED * time / RADIUS));
        let [only] = &laps.excursions.as_ref().unwrap()[..] else { panic!("{laps:?}") };
        let excess = f64::abs(driven_at - RADIUS) - 0.5;
        assert!(only.is_left == is_left && (only.excess - excess).abs() < 1e-3, "{of_line}, {driven_at}: {only:?}");
    }
}

/// A straight way almost through the middle of the circle gets along half of the line.
#[test]
fn a_short_cut_is_told_without_widths() {
    let mut line = circle();
    line.points.iter_mut().for_each(|point| point.free = None);
    let (from, to) = (0.5, 0.5 + PI - 0.02);
    let [enter, leave] = [from, to].map(|angle| Vec2::new(RADIUS * angle.cos(), RADIUS * angle.sin()));
    let chord = (leave - enter).norm();
    let position = |distance: f64| {
        let on_circle = |angle: f64| (RADIUS, angle);
        if distance < RADIUS * from {
            on_circle(distance / RADIUS)
        } else if distance < RADIUS * from + chord {
            let at = enter + ((distance - RADIUS * from) / chord) * (leave - enter);
            (at.norm(), at.y.atan2(at.x))
        } else {
            on_circle((distance - RADIUS * from - chord) / RADIUS + to)
        }
    };
    let laps = |parameters: &LapParameters, line: &TrajectoryParameters| {
        let course = Course::of(line, parameters).unwrap().unwrap();
        driven(&course, (0.0, 40.0), |time| position(SPEED * time))
    };
    let actual = laps(&sectors(1), &line);
    assert_eq!((actual.excursions.as_ref(), actual.cuts.len(), actual.count(), actual.valid()), (None, 1, 2, 1));
    let Cut { from: begin, to: end, .. } = actual.cuts[0];
    assert!((2.5..4.0).contains(&begin) && (15.0..RADIUS * to).contains(&end), "{:?}", actual.cuts);
    close(actual.laps[0].duration, (TAU * RADIUS - RADIUS * (to - from) + chord) / SPEED, 1e-4);
    close(actual.laps[1].duration, TAU * RADIUS / SPEED, 1e-4);
    // A line without widths may be given one.
    let actual = laps(&LapParameters { track_width: 1.0, ..sectors(1) }, &line);
    close(actual.off_track_max().unwrap(), RADIUS - RADIUS * 0.01_f64.sin() - 0.5, 0.01);
}

/// Tracks that cross themselves: at the crossing of a figure of eight the vehicle stays on the branch that it drives on.
#[test]
fn a_crossing_is_driven_straight_through() {
    let eight = |phase: f64| Vec2::new(10.0 * phase.sin(), 5.0 * (2.0 * phase).sin());
    let points: Vec<Waypoint> = (0..400)
        .map(|k| {
            let at = eight(TAU * f64::from(k) / 400.0 + 0.7);
            Waypoint { free: Some([1.0, 1.0]), ..Waypoint::at(at.x, at.y) }
        })
        .collect();
    let parameters = TrajectoryParameters { points, ..circle() };
    let course = Course::of(&parameters, &sectors(3)).unwrap().unwrap();
    let mut counter = LapCounter::new(course);
    for k in 0..1000_u32 {
        counter.push(0.05 * f64::from(k), eight(0.7 - 0.05 + TAU * f64::from(k) / 400.0), 1.0);
    }
    let laps = counter.into_laps();
    assert_eq!((laps.count(), laps.valid(), laps.cuts.len()), (2, 2, 0), "{laps:?}");
    laps.laps.iter().for_each(|lap| close(lap.duration, 20.0, 1e-6));
}

#[test]
fn tables_hold_the_laps() {
    let pose = |k: i32| {
        let time = 100.0 + 0.05 * f64::from(k);
        let radius = if (7.99..8.99).contains(&(time - 100.0)) { RADIUS + 0.6 } else { RADIUS };
        let angle = SPEED * (time - 100.0) / RADIUS;
        let pose = Pose2::new(radius * angle.cos(), radius * angle.sin(), angle);
        PoseSample { time, pose, velocity_in_body: Twist2::new(SPEED, 0.0, 0.0) }
    };
    let run = Run { name: "a".into(), poses: (0..800).map(pose).collect(), ..Run::default() };
    let options = MetricsOptions::default();
    let mut analyzed = Analyzed::of(run, &options).unwrap();
    analyzed.time_laps(&course(&sectors(2)), &options);
    let sections = [crate::Section { title: String::new(), runs: vec![analyzed] }];
    let text = laps_text(&sections);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "a: 2 laps of 31.42 m, 1 valid; best 15.708 s, sum of the best sectors 15.708 s");
    assert_eq!(
        lines[1],
        "   lap  from [s]  time [s]  sector 1 [s]  sector 2 [s]  greatest speed [m/s]  to the line's speed [m/s]  valid"
    );
    assert!(
        lines[2].starts_with("     1     0.000   15.708*         7.854        7.854*")
            && lines[2].contains("no: 0.967 s off the track"),
        "{text}"
    );
    assert!(
        lines[5].starts_with("  off the track from 7.992 to 8.958 s")
            && lines[5].contains("up to 0.100 m to the right"),
        "{text}"
    );
    let csv = laps_csv(&sections).unwrap().unwrap();
    assert!(
        csv.starts_with("section,run,lap,start_s,time_s,valid,off_track_s,cuts,max_speed_mps,")
            && csv.lines().count() == 3
    );
    assert_eq!(off_track_csv(&sections).unwrap().unwrap().lines().count(), 2);
    let value =
        |key: &str| (crate::FIELDS.iter().find(|field| field.key == key).unwrap().get)(&sections[0].runs[0].metrics);
    assert_eq!(["lap_count", "valid_laps"].map(value), [Some(2.0), Some(1.0)]);
}
