//! Fans compared with closed forms and with a test of every edge.

use super::*;
use proptest::prelude::*;

fn square(half: f64) -> Vec<Vec2> {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

fn fan_of(directions: &[Vec2], origin: Vec2, angle_min: f64, angle_increment: f64) -> Fan<'_> {
    Fan {
        origin,
        directions,
        angle_min,
        angle_increment,
        tolerance: 0.0,
        max_range: 30.0,
        heights: ALL_HEIGHTS,
        meets_glass: false,
    }
}

fn directions(angle_min: f64, angle_increment: f64, count: usize) -> Vec<Vec2> {
    (0..count)
        .map(|i| {
            let (sin, cos) = libm::sincos(angle_min + i as f64 * angle_increment);
            Vec2::new(cos, sin)
        })
        .collect()
}

fn scan(obstacles: &Obstacles, origin: Vec2, exclude: Option<usize>) -> Vec<f64> {
    let beams = directions(-PI, TAU / 360.0, 361);
    let mut ranges = vec![f64::INFINITY; 361];
    obstacles.cast_fan(&fan_of(&beams, origin, -PI, TAU / 360.0), exclude, &mut ranges, &mut Vec::new());
    ranges
}

#[test]
fn a_box_ahead_is_seen_at_its_face_and_under_its_angle() {
    let mut obstacles = Obstacles::new();
    obstacles.add_static(&square(1.0), Pose2::new(5.0, 0.0, 0.0), ALL_HEIGHTS);
    obstacles.finish();
    let ranges = scan(&obstacles, Vec2::ZERO, None);
    assert!((ranges[180] - 4.0).abs() < 1e-12);
    let ten = 10.0_f64.to_radians();
    assert!((ranges[190] - 4.0 / ten.cos()).abs() < 1e-12 && (ranges[170] - ranges[190]).abs() < 1e-12);
    // atan(1/4) is 14.04°.
    assert!(ranges[194].is_finite() && ranges[195].is_infinite() && ranges[0].is_infinite());
}

#[test]
fn light_passes_glass_and_sound_does_not() {
    let mut obstacles = Obstacles::new();
    let pane = obstacles.add_static(&square(0.5), Pose2::new(2.0, 0.0, 0.0), ALL_HEIGHTS);
    let door = obstacles.add_mover(None, &square(0.5));
    obstacles.set_mover_pose(door, Pose2::new(3.0, 0.0, 0.0), ALL_HEIGHTS);
    obstacles.add_static(&square(0.5), Pose2::new(5.0, 0.0, 0.0), ALL_HEIGHTS);
    obstacles.finish();
    let beam = directions(0.0, 0.0, 1);
    let ahead = |obstacles: &Obstacles, meets_glass: bool| {
        let (mut range, fan) = ([f64::INFINITY], Fan { meets_glass, ..fan_of(&beam, Vec2::ZERO, 0.0, 0.0) });
        obstacles.cast_fan(&fan, None, &mut range, &mut Vec::new());
        range[0]
    };
    assert_eq!([false, true].map(|sound| ahead(&obstacles, sound)), [1.5, 1.5]);
    obstacles.set_static_clear(pane, true);
    assert_eq!([false, true].map(|sound| ahead(&obstacles, sound)), [2.5, 1.5]);
    obstacles.set_mover_clear(door, true);
    assert_eq!([false, true].map(|sound| ahead(&obstacles, sound)), [4.5, 1.5]);
    // One that takes the place of another is opaque.
    obstacles.remove_mover(door);
    let other = obstacles.add_mover(None, &square(0.5));
    obstacles.set_mover_pose(other, Pose2::new(4.0, 0.0, 0.0), ALL_HEIGHTS);
    assert_eq!((other, ahead(&obstacles, false)), (door, 3.5));
}

#[test]
fn both_ends_of_a_full_turn_see_a_shape_behind() {
    let mut obstacles = Obstacles::new();
    obstacles.add_static(&square(1.0), Pose2::new(-5.0, 0.0, 0.3), ALL_HEIGHTS);
    obstacles.finish();
    let ranges = scan(&obstacles, Vec2::ZERO, None);
    assert!(ranges[0].is_finite() && (ranges[0] - ranges[360]).abs() < 1e-9, "{} {}", ranges[0], ranges[360]);
}

#[test]
fn the_vehicle_itself_is_excluded_and_others_are_seen() {
    let mut obstacles = Obstacles::new();
    let own = obstacles.add_mover(Some(0), &square(0.5));
    let other = obstacles.add_mover(Some(1), &square(0.5));
    obstacles.finish();
    obstacles.set_mover_pose(own, Pose2::IDENTITY, ALL_HEIGHTS);
    obstacles.set_mover_pose(other, Pose2::new(0.0, 3.0, 0.0), ALL_HEIGHTS);
    let ranges = scan(&obstacles, Vec2::ZERO, Some(0));
    assert!((ranges[270] - 2.5).abs() < 1e-12 && ranges[180].is_infinite());
    assert!((scan(&obstacles, Vec2::ZERO, Some(1))[180] - 0.5).abs() < 1e-12, "from inside the back faces count");
}

#[test]
fn only_shapes_at_the_height_of_the_beams_are_seen() {
    let mut obstacles = Obstacles::new();
    obstacles.add_static(&square(1.0), Pose2::new(5.0, 0.0, 0.0), [3.0, 5.0]);
    obstacles.add_static(&square(1.0), Pose2::new(9.0, 0.0, 0.0), [0.0, 2.0]);
    let mover = obstacles.add_mover(None, &square(0.5));
    obstacles.finish();
    obstacles.set_mover_pose(mover, Pose2::new(0.0, 3.0, 0.0), [2.99, 3.6]);
    let beams = [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)];
    for (heights, expected) in [([0.0, 0.6], [8.0, f64::INFINITY]), ([3.0, 3.6], [4.0, 2.5]), (ALL_HEIGHTS, [4.0, 2.5])]
    {
        let fan = Fan { heights, ..fan_of(&beams, Vec2::ZERO, 0.0, 0.5 * PI) };
        let mut ranges = [f64::INFINITY; 2];
        obstacles.cast_fan(&fan, None, &mut ranges, &mut Vec::new());
        assert_eq!(ranges, expected, "{heights:?}");
    }
}

#[test]
fn a_concave_outline_shows_its_notch() {
    let notch = [(0.0, -2.0), (4.0, -2.0), (4.0, 2.0), (0.0, 2.0), (0.0, 1.0), (2.0, 1.0), (2.0, -1.0), (0.0, -1.0)];
    for reversed in [false, true] {
        let mut outline: Vec<Vec2> = notch.map(|(x, y)| Vec2::new(x, y)).to_vec();
        if reversed {
            outline.reverse();
        }
        let mut obstacles = Obstacles::new();
        obstacles.add_static(&outline, Pose2::new(3.0, 0.0, 0.0), ALL_HEIGHTS);
        obstacles.finish();
        let ranges = scan(&obstacles, Vec2::ZERO, None);
        assert!((ranges[180] - 5.0).abs() < 1e-12, "{}", ranges[180]);
        let above = 25.0_f64.to_radians();
        assert!((ranges[205] - 3.0 / above.cos()).abs() < 1e-12);
    }
}

#[test]
fn absurdly_distant_shapes_and_origins_are_harmless() {
    for far in [1e20, -1e20, 1e300, -1e300] {
        let mut obstacles = Obstacles::new();
        obstacles.add_static(&square(1.0), Pose2::new(far, -far, 0.0), ALL_HEIGHTS);
        obstacles.finish();
        assert!(scan(&obstacles, Vec2::new(-far, far), None).iter().all(|range| range.is_infinite()));
        assert!(scan(&obstacles, Vec2::ZERO, None).iter().all(|range| range.is_infinite()));
        obstacles.add_static(&square(1.0), Pose2::new(5.0, 0.0, 0.0), ALL_HEIGHTS);
        obstacles.finish();
        assert!((scan(&obstacles, Vec2::ZERO, None)[180] - 4.0).abs() < 1e-12);
        assert!(scan(&obstacles, Vec2::new(far, far), None).iter().all(|range| range.is_infinite()));
    }
}

#[test]
fn shapes_out_of_range_are_not_seen() {
    let mut obstacles = Obstacles::new();
    obstacles.add_static(&square(1.0), Pose2::new(30.99, 0.0, 0.0), ALL_HEIGHTS);
    obstacles.add_static(&square(1.0), Pose2::new(0.0, 31.01, 0.0), ALL_HEIGHTS);
    obstacles.finish();
    let ranges = scan(&obstacles, Vec2::ZERO, None);
    assert!((ranges[180] - 29.99).abs() < 1e-9 && ranges[270].is_infinite());
}

#[test]
fn coarse_angles_are_accurate_to_two_milliradians() {
    for i in 0..3600 {
        let angle = wrap_angle(f64::from(i) * TAU / 3600.0 + 1e-9);
        let coarse = coarse_angle(Vec2::new(3.0 * angle.cos(), 3.0 * angle.sin()));
        assert!(wrap_angle(coarse - angle).abs() < 2e-3, "{angle}: {coarse}");
    }
}

/// Every beam against every edge, both sides.
fn brute_force(shapes: &[(Vec<Vec2>, Pose2)], origin: Vec2, beams: &[Vec2]) -> Vec<f64> {
    beams
        .iter()
        .map(|d| {
            let mut best = f64::INFINITY;
            for (outline, pose) in shapes {
                for i in 0..outline.len() {
                    let a = pose.transform_point(outline[i]) - origin;
                    let b = pose.transform_point(outline[(i + 1) % outline.len()]) - origin;
                    let (e, determinant) = (b - a, d.cross(b - a));
                    let (t, s) = (a.cross(e) / determinant, a.cross(*d) / determinant);
                    if determinant != 0.0 && t >= 0.0 && (0.0..=1.0).contains(&s) && t <= 30.0 {
                        best = best.min(t);
                    }
                }
            }
            best
        })
        .collect()
}

proptest! {
    #[test]
    fn fans_agree_with_brute_force(
        boxes in prop::collection::vec((-20.0..20.0f64, -20.0..20.0f64, -4.0..4.0f64, 0.05..6.0f64), 1..12),
        start in -7.0..7.0f64,
        span in 0.01..TAU,
        count in 1usize..200,
    ) {
        let increment = if count > 1 { span / (count - 1) as f64 } else { 0.0 };
        let beams = directions(start, increment, count);
        let shapes: Vec<_> = boxes.iter().map(|&(x, y, yaw, half)| (square(half), Pose2::new(x, y, yaw))).collect();
        let mut obstacles = Obstacles::new();
        for (outline, pose) in &shapes {
            obstacles.add_static(outline, *pose, ALL_HEIGHTS);
        }
        obstacles.finish();
        let mut ranges = vec![f64::INFINITY; count];
        obstacles.cast_fan(&fan_of(&beams, Vec2::ZERO, start, increment), None, &mut ranges, &mut Vec::new());
        let expected = brute_force(&shapes, Vec2::ZERO, &beams);
        for (i, (actual, expected)) in ranges.iter().zip(&expected).enumerate() {
            // A beam through a vertex may take either side; compare where it is not that close.
            let same = (actual - expected).abs() < 1e-6 || (actual.is_infinite() && expected.is_infinite());
            prop_assert!(same, "beam {i}: {actual} for {expected}");
        }
    }
}

#[test]
fn hidden_shapes_are_not_seen_until_they_are_shown_again() {
    let mut obstacles = Obstacles::new();
    obstacles.add_static(&square(1.0), Pose2::new(5.0, 0.0, 0.0), ALL_HEIGHTS);
    let mover = obstacles.add_mover(None, &square(1.0));
    obstacles.set_mover_pose(mover, Pose2::new(-5.0, 0.0, 0.0), ALL_HEIGHTS);
    obstacles.finish();
    let ahead_and_behind = |obstacles: &Obstacles| {
        let ranges = scan(obstacles, Vec2::ZERO, None);
        [ranges[180], ranges[0]].map(|range| if range.is_finite() { range.round() } else { range })
    };
    assert_eq!(ahead_and_behind(&obstacles), [4.0, 4.0]);
    obstacles.set_static_away(0, true);
    assert_eq!(ahead_and_behind(&obstacles), [f64::INFINITY, 4.0]);
    obstacles.set_mover_away(mover, true);
    assert_eq!(ahead_and_behind(&obstacles), [f64::INFINITY; 2]);
    obstacles.set_static_away(0, false);
    obstacles.set_mover_away(mover, false);
    assert_eq!(ahead_and_behind(&obstacles), [4.0, 4.0]);
}
