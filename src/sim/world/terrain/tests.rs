//! Queries to ground with several surfaces.

use skidpad_math::Pose2;

use super::*;

fn plane(z: f64, world_from_start: Pose3) -> PlaneInfo {
    PlaneInfo { x: [-5.0, 5.0], y: [-5.0, 5.0], z, world_from_start, ..PlaneInfo::default() }
}

fn block(x: f64, z: [f64; 2], is_intangible: bool) -> BlockInfo {
    let outline = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    BlockInfo {
        outline: outline.map(|(x, y)| Vec2::new(x, y)).to_vec(),
        z,
        is_intangible,
        world_from_start: Pose3::from_planar(Pose2::new(x, 0.0, 0.0)),
        ..BlockInfo::default()
    }
}

/// A floor at 0.1, a second one at 3, and a table at x = 2.
fn house() -> Terrain {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    terrain.add_plane(&plane(0.1, Pose3::default()));
    terrain.add_plane(&plane(1.0, Pose3 { z: 2.0, ..Pose3::default() }));
    terrain.add_block(&block(2.0, [0.5, 0.7], true));
    terrain.finish();
    terrain
}

const ORIGIN: Vec2 = Vec2::ZERO;
const TABLE: Vec2 = Vec2::new(2.0, 0.0);

#[test]
fn the_highest_ground_not_above_the_query_height_counts() {
    let house = house();
    for (p, z, expected) in [
        (ORIGIN, 0.0999, None),
        (ORIGIN, 0.1, Some(0.1)),
        (ORIGIN, 2.999, Some(0.1)),
        (ORIGIN, 3.0, Some(3.0)),
        (TABLE, 0.699, Some(0.1)),
        (TABLE, 0.701, Some(0.7)),
        (TABLE, 100.0, Some(3.0)),
        (Vec2::new(6.0, 0.0), 100.0, None),
        (Vec2::new(f64::NAN, 0.0), 1.0, None),
        (ORIGIN, f64::NAN, None),
    ] {
        assert_eq!(house.highest_under(p, z, None), expected, "{p:?} from {z}");
        assert_eq!(house.ground_under(p, z, None), expected.unwrap_or(0.0));
    }
    assert_eq!(house.highest_under(TABLE, 1.0, Some(0)), Some(0.1), "without the table");
    assert_eq!(Terrain::new(PhysicsRules::Mvsim).ground_under(ORIGIN, 1.0, None), 0.0);
    assert!(Terrain::new(PhysicsRules::Mvsim).is_level() && !house.is_level());
}

#[test]
fn planes_and_blocks_are_ground_at_their_new_position() {
    let mut house = house();
    assert!(!house.take_changed());
    house.set_plane_pose(1, Pose3 { x: 20.0, z: 1.0, ..Pose3::default() });
    house.set_block_pose(0, Pose3 { x: -30.0, y: 7.0, z: 0.25, ..Pose3::default() });
    assert!(house.take_changed() && !house.take_changed());
    assert_eq!(house.highest_under(ORIGIN, 100.0, None), Some(0.1));
    assert_eq!(house.highest_under(Vec2::new(22.0, 0.0), 100.0, None), Some(2.0));
    assert_eq!(house.highest_under(TABLE, 100.0, None), Some(0.1));
    assert_eq!(house.highest_under(Vec2::new(-30.0, 7.0), 100.0, None), Some(0.95));
    // And back.
    house.set_plane_pose(1, Pose3 { z: 2.0, ..Pose3::default() });
    house.set_block_pose(0, Pose3 { x: 2.0, ..Pose3::default() });
    assert_eq!(house.highest_under(TABLE, 1.0, None), Some(0.7));
    assert_eq!(house.highest_under(ORIGIN, 4.0, None), Some(3.0));
    // An index that does not exist has no effect.
    house.set_plane_pose(9, Pose3::default());
    house.set_block_pose(9, Pose3::default());
}

/// With other ground it is a surface as any other: of a hole of 0.2 m, whose edge is a step.
#[test]
fn a_plane_at_0_that_never_moves_is_the_level_ground() {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    terrain.add_plane(&plane(0.0, Pose3::default()));
    terrain.add_plane(&plane(0.5, Pose3 { z: -0.5, yaw: 1.0, ..Pose3::default() }));
    assert!(terrain.is_level() && !terrain.may_have_steps());
    let mut pit = terrain.clone();
    pit.add_plane(&PlaneInfo { x: [3.0, 5.0], ..plane(-0.2, Pose3::default()) });
    assert!(!pit.is_level() && pit.has_steps_above(-0.1));
    assert_eq!(pit.highest_under(ORIGIN, 1.0, None), Some(0.0));
    for other in [
        PlaneInfo { is_animated: true, ..plane(0.0, Pose3::default()) },
        plane(0.1, Pose3::default()),
        plane(0.0, Pose3 { roll: 0.1, ..Pose3::default() }),
    ] {
        let mut uneven = terrain.clone();
        uneven.add_plane(&other);
        assert!(!uneven.is_level(), "{other:?}");
    }
}

#[test]
fn indexed_queries_match_a_linear_search_over_a_thousand_blocks() {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    let infos: Vec<BlockInfo> =
        (0..1000).map(|k| block(f64::from(k) * 0.7, [0.0, 0.2 + f64::from(k % 7)], true)).collect();
    for info in &infos {
        terrain.add_block(info);
    }
    for is_finished in [false, true] {
        for k in 0..700 {
            let (x, z) = (f64::from(k) * 0.997, f64::from(k % 9));
            let all = infos.iter().filter(|info| (info.world_from_start.x - x).abs() <= 0.5 && info.z[1] <= z);
            let wanted = all.map(|info| info.z[1]).fold(f64::NEG_INFINITY, f64::max);
            let actual = terrain.highest_under(Vec2::new(x, 0.1), z, None).unwrap_or(f64::NEG_INFINITY);
            assert!((actual - wanted).abs() < 1e-12 || actual == wanted, "{x}: {actual}, {wanted}, {is_finished}");
        }
        terrain.finish();
    }
}

fn rule(limit: f64, reach: f64) -> StepRule {
    StepRule { limit, reach }
}

#[test]
fn steps_are_ground_between_the_climbing_limit_and_the_clearance() {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    terrain.add_block(&block(0.0, [0.0, 0.5], true));
    terrain.add_block(&block(5.0, [0.0, 0.5], false));
    terrain.add_block(&BlockInfo { top: BlockTop::Ramp { length: 0.5, height: 2.0 }, ..block(10.0, [0.0, 2.0], true) });
    let is_step = |x: f64, rule| terrain.is_step(Vec2::new(x, 0.0), Vec2::new(-2.0, 0.0), rule);
    assert!(is_step(0.0, rule(0.2, 1.0)));
    assert!(!is_step(0.0, rule(0.5, 1.0)), "climbed");
    assert!(!is_step(0.0, rule(0.2, 0.45)), "a bridge");
    assert!(!is_step(5.0, rule(0.2, 1.0)), "the engine's");
    assert!(is_step(10.45, rule(0.2, 1.0)), "no way below a ramp");
    assert!(!is_step(2.0, rule(0.2, 1.0)));
    assert!(is_step(2.0, rule(-0.3, 1.0)), "out of a pit, the level at 0 is one");
}

#[test]
fn a_height_map_cliff_above_the_vehicle_is_a_step_from_below() {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    let map = HeightMap::new(Vec2::ZERO, 1.0, 2, vec![0.0, 0.0, 0.0, 0.0, 9.0, 9.0]).unwrap();
    terrain.add_map(Arc::new(map));
    let cliff = Vec2::new(1.9, 0.5);
    assert!(terrain.is_step(cliff, Vec2::new(0.9, 0.5), rule(0.2, 1.0)));
    assert!(!terrain.is_step(cliff, Vec2::new(3.0, 0.5), rule(0.2, 1.0)), "who is off the map passes below");
}

#[test]
fn ground_far_out_is_accepted() {
    let mut terrain = Terrain::new(PhysicsRules::Skidpad);
    terrain.add_plane(&PlaneInfo { x: [-1e308, 1e308], y: [-1e308, 1e308], ..PlaneInfo::default() });
    terrain.add_plane(&plane(0.2, Pose3 { x: 1e308, y: f64::NAN, ..Pose3::default() }));
    terrain.add_plane(&plane(0.5, Pose3::default()));
    let map = HeightMap::new(Vec2::ZERO, 1e300, 2, vec![1e308, -1e308, -1e308, 1e308]).unwrap();
    terrain.add_map(Arc::new(map));
    terrain.finish();
    assert_eq!(terrain.highest_under(ORIGIN, 1.0, None), Some(0.5));
    terrain.highest_under(Vec2::new(1e308, -1e308), 1.0, None);
    terrain.is_step(Vec2::new(1e300, 5.0), ORIGIN, rule(0.2, 1.0));
}
