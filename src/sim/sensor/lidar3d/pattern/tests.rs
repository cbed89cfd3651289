//! Cycles of rays that are longer and shorter than turns, and the rosette.

use super::*;

/// A cycle of 10 rays, 10 ms apart, whose ring is their number.
fn cycle(period: SimTime) -> Pattern {
    let ray = |index: u16| CycleRay { direction: Vec3::x(), time: SimTime(i64::from(index) * 10_000_000), ring: index };
    let kind = Kind::Cycle { rays: (0..10).map(ray).collect(), length: SimTime(100_000_000) };
    Pattern { kind, period, size: [10, 1] }
}

fn turn(pattern: &Pattern, start: SimTime) -> Vec<(u16, u32)> {
    let mut turn = vec![PatternRay { direction: Vec3::x(), since_start: 0, ring: 0, since_column: 0 }; 3];
    pattern.fill(start, &mut turn);
    assert!(turn.len() <= pattern.most_rays());
    turn.iter().map(|ray| (ray.ring, ray.since_start / 1_000_000)).collect()
}

#[test]
fn a_turn_continues_where_the_one_before_ended_and_begins_again_after_the_last_ray() {
    let ms = |ms: i64| SimTime(ms * 1_000_000);
    let short = cycle(ms(40));
    assert_eq!(turn(&short, ms(0)), [(0, 0), (1, 10), (2, 20), (3, 30)]);
    assert_eq!(turn(&short, ms(80)), [(8, 0), (9, 10), (0, 20), (1, 30)]);
    // Between two rays, and before the start of time.
    assert_eq!(turn(&short, ms(85)), [(9, 5), (0, 15), (1, 25), (2, 35)]);
    assert_eq!(turn(&short, ms(-40)), [(6, 0), (7, 10), (8, 20), (9, 30)]);
    assert_eq!(short.most_rays(), 4);
    let long = turn(&cycle(ms(250)), ms(1_000_030));
    assert_eq!((long.len(), long[0], long[24]), (25, (3, 0), (7, 240)));
}

#[test]
fn a_rosette_stays_in_its_round_field_of_view_and_fills_it_in_time() {
    let period = SimTime(100_000_000);
    let rosette = Rosette::new(40_f64.to_radians(), [7294.0, -4664.0], 1e5);
    let pattern = Pattern { kind: Kind::Rosette(rosette), period, size: [1, 1] };
    let mut seen = [[false; 20]; 20];
    let mut rays = Vec::new();
    let mut shares = Vec::new();
    for index in 0..20 {
        let before = rays.clone();
        pattern.fill(SimTime(index * period.0), &mut rays);
        assert_eq!(rays.len(), 10_000);
        assert!(rays != before, "a turn repeats the one before");
        for ray in &rays {
            let angle = libm::acos(ray.direction.x);
            assert!(angle <= 20.0_f64.to_radians() + 1e-9 && (ray.direction.norm() - 1.0).abs() < 1e-12);
            let place = |c: f64| (10.0 + 10.0 * c / 20.0_f64.to_radians().sin()).clamp(0.0, 19.0) as usize;
            seen[place(ray.direction.y)][place(ray.direction.z)] = true;
        }
        shares.push(seen.iter().flatten().filter(|&&seen| seen).count());
    }
    // A disc fills π/4 of its square.
    assert!(shares[19] >= 300 && shares[0] < shares[19], "{shares:?}");
    let last = rays.last().unwrap().since_start;
    assert!(last < 100_000_000 && last > 99_900_000, "{last}");
}

/// The firing order of a VLP-16: its lasers from −15° on, then those above the horizon, in turn.
#[test]
fn rings_with_delays_are_fired_one_after_the_other_while_the_lidar_turns() {
    const FIRING: i64 = 2304;
    let (columns, period) = (1000, SimTime(100_000_000));
    let ring = |number: i64| Ring {
        elevation: (-15.0 + 2.0 * number as f64).to_radians(),
        delay: SimTime(FIRING * if number < 8 { 2 * number } else { 2 * (number - 8) + 1 }),
    };
    let rings: Vec<Ring> = (0..16).map(ring).collect();
    let rays = spinning(&rings, columns, 2.0 * PI, period);
    assert_eq!(rays.len(), 16 * columns);
    let time = |ray: &PatternRay| ray.since_start + u32::from(ray.since_column);
    assert!(rays.is_sorted_by_key(time));
    assert_eq!(rays[..4].iter().map(|ray| ray.ring).collect::<Vec<_>>(), [0, 8, 1, 9]);
    assert_eq!(rays.last().map(|ray| (ray.ring, time(ray))), Some((15, 100_000_000)));
    let (rate, first) = (2.0 * PI / period.secs(), &rays[0]);
    for ray in &rays {
        let since = SimTime(i64::from(time(ray) - time(first))).secs();
        let azimuth = libm::atan2(ray.direction.y, ray.direction.x);
        assert!(skidpad_math::wrap_angle(azimuth - (PI - rate * since)).abs() < 1e-6, "{ray:?}");
        assert!((ray.direction.z - libm::sin(rings[usize::from(ray.ring)].elevation)).abs() < 1e-12);
    }
    assert!(rays.chunks(16).all(|column| column.iter().all(|ray| ray.since_start == column[0].since_start)));
    // Without delays all rings of a column are seen at once.
    let plain: Vec<Ring> = rings.iter().map(|ring| Ring { delay: SimTime::ZERO, ..*ring }).collect();
    let at_once = spinning(&plain, columns, 2.0 * PI, period);
    assert_eq!(
        at_once[..3].iter().map(|ray| (ray.ring, ray.since_start)).collect::<Vec<_>>(),
        [(0, 100_000), (1, 100_000), (2, 100_000)]
    );
}
