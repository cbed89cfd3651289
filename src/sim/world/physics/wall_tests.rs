//! Bodies at the walls of maps, against exact distances between convex outlines and occupied squares.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skidpad_math::{Pose2, Twist2, Vec2};

use super::shapes::MapShape;
use super::{BodyIndex, Physics};
use crate::raycast::OccupancyGrid;
use crate::vehicle::{ForceFrame, Inertia, Piece, Wrench};

const DT: f64 = 0.005;
const CENTER_OF_MASS: Vec2 = Vec2::new(0.05, 0.0);

/// A map of 4 m x 4 m about the origin whose cells are occupied where `is_wall` says so of their centres [m].
fn map(cell: f64, is_wall: impl Fn(Vec2) -> bool) -> OccupancyGrid {
    let count = (4.0 / cell) as usize;
    let center = |k: usize| (k as f64 + 0.5) * cell - 2.0;
    let cells =
        (0..count * count).map(|k| if is_wall(Vec2::new(center(k % count), center(k / count))) { 100 } else { 0 });
    OccupancyGrid::new(count, count, cell, Pose2::new(-2.0, -2.0, 0.0), cells.collect(), 50).unwrap()
}

/// A wall 0.3 m thick whose side passes through the origin at this angle [rad]; the free side is to the right of that direction.
fn slanted(cell: f64, angle: f64) -> OccupancyGrid {
    let across = Vec2::new(-angle.sin(), angle.cos());
    map(cell, |p| (0.0..0.3).contains(&p.dot(across)))
}

fn rectangle(length: f64, width: f64) -> Vec<Vec2> {
    let (x, y) = (0.5 * length, 0.5 * width);
    [(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

fn circle(radius: f64) -> Vec<Vec2> {
    (0..24)
        .map(|k| {
            Pose2::new(0.0, 0.0, f64::from(k) / 24.0 * std::f64::consts::TAU).transform_point(Vec2::new(radius, 0.0))
        })
        .collect()
}

/// A box, a triangle, a circle, and a body of two boxes.
fn shapes() -> [Vec<Vec<Vec2>>; 4] {
    let triangle = [(-0.2, -0.15), (0.3, 0.0), (-0.2, 0.2)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let beside = rectangle(0.2, 0.1).into_iter().map(|p| p + Vec2::new(0.3, 0.25)).collect();
    [vec![rectangle(0.58, 0.31)], vec![triangle], vec![circle(0.2)], vec![rectangle(0.6, 0.2), beside]]
}

fn physics(map: &OccupancyGrid, threshold: f64, friction: f64) -> Physics {
    let mut physics = Physics::new(DT, threshold);
    physics.add_map(&MapShape::new(&Arc::new(map.clone())).unwrap(), map.world_from_grid, friction, 0.0);
    physics
}

fn add(physics: &mut Physics, outlines: &[Vec<Vec2>], friction: f64) -> BodyIndex {
    let pieces: Vec<Piece> =
        outlines.iter().map(|outline| Piece { outline: outline.clone(), friction, restitution: 0.0 }).collect();
    let inertia = Inertia { mass: 3.5, center_of_mass: CENTER_OF_MASS, yaw: 0.05 };
    physics.add_body(&pieces, inertia, Pose2::IDENTITY, [0.0; 2])
}

/// Distance [m] between a convex outline and a square about `center`; 0 if they overlap.
fn from_square(outline: &[Vec2], center: Vec2, cell: f64) -> f64 {
    let square: Vec<Vec2> = rectangle(cell, cell).into_iter().map(|p| p + center).collect();
    let sides = |polygon: &[Vec2]| {
        (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()])).collect::<Vec<_>>()
    };
    let is_apart = |a: &[Vec2], b: &[Vec2]| {
        sides(a).iter().any(|&(p, q)| b.iter().all(|&corner| (q - p).cross(corner - p) <= 0.0))
    };
    if !is_apart(outline, &square) && !is_apart(&square, outline) {
        return 0.0;
    }
    let from_sides = |corners: &[Vec2], polygon: &[Vec2]| {
        let sides = sides(polygon);
        let each = corners.iter().flat_map(|&c| {
            sides.iter().map(move |&(p, q)| {
                let share = ((c - p).dot(q - p) / (q - p).dot(q - p)).clamp(0.0, 1.0);
                (p + share * (q - p) - c).norm()
            })
        });
        each.fold(f64::INFINITY, f64::min)
    };
    from_sides(outline, &square).min(from_sides(&square, outline))
}

/// Distance [m] of a point in the frame of the map from the occupied squares, up to `reach` [m].
fn from_nearest_square(map: &OccupancyGrid, p: Vec2, reach: f64) -> f64 {
    let cell = map.resolution;
    let beside = |p: f64, number: usize| (number as f64 * cell - p).max(p - (number + 1) as f64 * cell).max(0.0);
    let near = |p: f64| ((p - reach) / cell).max(0.0) as usize..((p + reach) / cell + 1.0).max(0.0) as usize;
    let squares = near(p.y).flat_map(|y| near(p.x).map(move |x| (x, y)));
    let occupied = squares.filter(|&(x, y)| map.is_occupied(x, y));
    occupied.map(|(x, y)| beside(p.x, x).hypot(beside(p.y, y))).fold(reach, f64::min)
}

/// Exact distance [m] of a body at a pose from the occupied squares, up to 0.5 m; the sides of its outlines are moved
/// inwards by `inset` [m].
fn gap(map: &OccupancyGrid, outlines: &[Vec<Vec2>], pose: Pose2, inset: f64) -> f64 {
    let cell = map.resolution;
    let mut least: f64 = 0.5;
    for outline in outlines {
        let count = outline.len();
        if count == circle(1.0).len() {
            let (center, radius) = (pose.position() - map.world_from_grid.position(), outline[0].norm() - inset);
            least = least.min((from_nearest_square(map, center, least + radius) - radius).max(0.0));
            continue;
        }
        let inwards = |k: usize| {
            let side = outline[(k + 1) % count] - outline[k % count];
            1.0 / side.norm() * side.perpendicular()
        };
        let moved = |k: usize| {
            let (a, b) = (inwards(k + count - 1), inwards(k));
            outline[k] + inset / (1.0 + a.dot(b)) * (a + b)
        };
        let outline: Vec<Vec2> =
            (0..count).map(|k| pose.transform_point(moved(k)) - map.world_from_grid.position()).collect();
        let low = outline.iter().fold(Vec2::new(9.0, 9.0), |low, p| Vec2::new(low.x.min(p.x), low.y.min(p.y)));
        let high = outline.iter().fold(Vec2::ZERO, |high, p| Vec2::new(high.x.max(p.x), high.y.max(p.y)));
        let reach = least;
        let cells = |low: f64, high: f64| {
            ((low - reach) / cell).max(0.0) as usize..((high + reach) / cell + 1.0).max(0.0) as usize
        };
        for y in cells(low.y, high.y) {
            for x in cells(low.x, high.x) {
                if map.is_occupied(x, y) {
                    let center = Vec2::new((x as f64 + 0.5) * cell, (y as f64 + 0.5) * cell);
                    let beside = |p: f64, low: f64, high: f64| (low - p).max(p - high).max(0.0);
                    if beside(center.x, low.x, high.x).hypot(beside(center.y, low.y, high.y)) > least + cell {
                        continue;
                    }
                    least = least.min(from_square(&outline, center, cell));
                }
            }
        }
    }
    least
}

fn contacts(physics: &Physics) -> String {
    let pairs = physics.engine.narrow_phase.contact_pairs();
    let manifolds = pairs.flat_map(|pair| pair.manifolds());
    let show = manifolds.map(|manifold| {
        let points = manifold
            .points
            .iter()
            .map(|point| format!("({:?} {:.6} {:.5})", point.fid1, point.dist, point.data.impulse));
        format!("[{} {:?} {}]", manifold.subshape1, manifold.data.normal, points.collect::<String>())
    });
    show.collect()
}

fn between(random: &mut impl Rng, least: f64, most: f64) -> f64 {
    random.random_range(least..most)
}

const CELLS: [f64; 4] = [0.02, 0.05, 0.1, 0.25];

/// At any angle, size of cells, shape and gap: a resting body that touches no square stays where it is and does not
/// collide, one 1 mm deep or deeper does, and it is near from the collision threshold on.
#[test]
fn a_resting_body_meets_a_wall_where_its_cells_are() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = [0; 3];
    for _ in 0..40 {
        let angle = between(&mut random, -3.0, 3.0);
        let map = slanted(CELLS[random.random_range(0..4)], angle);
        let outlines = &shapes()[random.random_range(0..4)];
        let mut worlds = [physics(&map, 0.0, 0.5), physics(&map, 0.03, 0.5)];
        let bodies = worlds.each_mut().map(|world| add(world, outlines, 0.5));
        for _ in 0..25 {
            let (along, away) = (between(&mut random, -0.8, 0.8), between(&mut random, -0.55, 0.0));
            let at = Pose2::new(0.0, 0.0, angle).transform_point(Vec2::new(along, away));
            let pose = Pose2::new(at.x, at.y, between(&mut random, -3.0, 3.0));
            let exact = gap(&map, outlines, pose, 0.0);
            for (physics, body) in worlds.iter_mut().zip(bodies) {
                physics.place(body, pose, Twist2::ZERO);
                let before = physics.state(body);
                physics.step();
                let after = physics.state(body);
                if exact > 1e-9 {
                    // The engine keeps poses about the centre of mass, which costs a rounding.
                    let moved = (after.world_from_body.position() - pose.position()).norm();
                    let turned = after.world_from_body.yaw - before.world_from_body.yaw;
                    assert!(moved.max(turned.abs()) < 1e-14, "gap {exact}: moved {moved} m, turned {turned}");
                    assert_eq!(after.velocity_in_body, Twist2::ZERO, "gap {exact}");
                }
            }
            let [touches, is_near] = [0, 1].map(|k: usize| worlds[k].state(bodies[k]).is_colliding);
            if exact > 1e-9 {
                assert!(!touches, "at a gap of {exact}");
                assert!(is_near == (exact < 0.03) || (exact - 0.03).abs() < 1e-9, "{is_near} at a gap of {exact}");
                counts[usize::from(is_near)] += 1;
            } else if gap(&map, outlines, pose, 1e-3) == 0.0 {
                assert!(touches && is_near, "{outlines:?} at {pose:?} in cells of {}, wall at {angle}", map.resolution);
                counts[2] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// A body that moves beside a slanted wall without touching it keeps its motion to the bit, however fast it is.
#[test]
fn a_moving_body_is_free_until_it_touches_a_cell() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut free = 0;
    for _ in 0..60 {
        let angle = between(&mut random, -3.0, 3.0);
        let map = slanted(CELLS[random.random_range(0..4)], angle);
        let outlines = &shapes()[random.random_range(0..4)];
        let mut physics = physics(&map, 0.0, 0.5);
        let body = add(&mut physics, outlines, 0.5);
        let at = Pose2::new(0.0, 0.0, angle).transform_point(Vec2::new(-0.9, between(&mut random, -0.5, -0.15)));
        let mut pose = Pose2::new(at.x, at.y, angle + between(&mut random, -0.1, 0.1));
        let speed = between(&mut random, 0.2, 30.0);
        physics.place(body, pose, Twist2::new(speed, 0.0, 0.0));
        for _ in 0..100 {
            let velocity = physics.velocity_in_body(body);
            let turn = pose.rotation() * Vec2::new(speed * DT, 0.0);
            let on_the_way = |share: f64| Pose2::new(pose.x + share * turn.x, pose.y + share * turn.y, pose.yaw);
            let least = (0..=10).map(|k| gap(&map, outlines, on_the_way(f64::from(k) / 10.0), 0.0)).fold(1.0, f64::min);
            if least < speed * DT / 20.0 + 1e-3 || pose.position().norm() > 1.5 {
                break;
            }
            physics.step();
            let now = physics.velocity_in_body(body);
            let change = (now.linear() - velocity.linear()).norm().max((now.wz - velocity.wz).abs());
            assert!(change < 1e-12 * speed, "{change} at a gap of {least}, {speed} m/s");
            assert!(!physics.state(body).is_colliding);
            pose = physics.world_from_body(body);
            free += 1;
        }
    }
    assert!(free > 700, "{free}");
}

/// Walls along an axis have no seams: a body that is pressed to one slides on with its speed and its heading, all the way.
#[test]
fn a_straight_wall_does_not_catch_a_sliding_body() {
    for cell in CELLS {
        for speed in [0.3, 2.0, 9.0, 20.0, 30.0] {
            for shape in &shapes() {
                let map = map(cell, |p| p.y < -0.5);
                let floor = (-0.5 / cell - 0.5).ceil() * cell;
                let mut physics = physics(&map, 0.0, 0.0);
                // The force below is that of the world, not one that turns with the body.
                physics.set_force_frame(ForceFrame::AtStart);
                let body = add(&mut physics, shape, 0.0);
                let low = shape[0].iter().fold(0.0, |low: f64, p| low.min(p.y));
                physics.place(body, Pose2::new(-1.5, floor - low + 1e-4, 0.0), Twist2::new(speed, -0.05, 0.0));
                let steps = ((2.5 / (speed * DT)) as usize).min(800);
                for _ in 0..steps {
                    let down = physics.rotation(body).inverse() * Vec2::new(0.0, -20.0);
                    physics.apply(body, Wrench { force_in_body: down, torque: 0.0 });
                    physics.step();
                    let (now, velocity) = (physics.world_from_body(body), physics.velocity_in_body(body));
                    if shape.len() == 1 && shape[0].len() == 4 {
                        assert!(
                            (velocity.vx / speed - 1.0).abs() < 0.03,
                            "{velocity:?} of {speed} m/s, cells of {cell}"
                        );
                        assert!(now.yaw.abs() < 2e-3, "{now:?}");
                    }
                }
                // A round body whose centre of mass is beside its middle turns about it.
                let center = physics.world_from_body(body).transform_point(CENTER_OF_MASS);
                let gone = (center.x + 1.5 - CENTER_OF_MASS.x) / (speed * DT * steps as f64);
                assert!((gone - 1.0).abs() < 2e-3, "{gone} of the way over cells of {cell} at {speed} m/s");
            }
        }
    }
}

/// A staircase of cells at 45° is a wall of equal corners: a box that is pressed flat against them slides on, slow or
/// fast, and loses no more speed than friction takes.
#[test]
fn a_box_slides_along_a_staircase_without_jumps() {
    for cell in [0.02, 0.05, 0.1] {
        for (speed, friction) in [(0.3, 0.0), (1.0, 0.1), (3.0, 0.0), (10.0, 0.0)] {
            let angle = std::f64::consts::FRAC_PI_4;
            // Off the centres of cells, so that all steps are alike.
            let map = map(cell, |p| (0.2 * cell..0.4).contains(&(p.y - p.x)));
            let mut physics = physics(&map, 0.0, friction);
            let outlines = [rectangle(0.58, 0.31)];
            let body = add(&mut physics, &outlines, friction);
            let across = Vec2::new(-angle.sin(), angle.cos());
            let at = |away: f64| {
                let p = Pose2::new(0.0, 0.0, angle).transform_point(Vec2::new(-0.6, -away));
                Pose2::new(p.x, p.y, angle)
            };
            let mut away = 0.4;
            while gap(&map, &outlines, at(away), 0.0) > 1e-3 {
                away -= 0.5 * gap(&map, &outlines, at(away), 0.0);
            }
            physics.place(body, at(away), Twist2::new(speed, 0.02, 0.0));
            let start = at(away);
            let (press, mass) = (10.0, 3.5);
            let steps = (f64::min(1.0, 2.0 * speed) / (speed * DT)) as usize;
            for step in 1..=steps {
                physics.apply(body, Wrench { force_in_body: Vec2::new(0.0, press), torque: 0.0 });
                let before = physics.world_from_body(body);
                physics.step();
                let after = physics.world_from_body(body);
                let moved = after.position() - before.position();
                let least = speed - friction * (press / mass * DT * step as f64 + 0.02);
                let now = moved.dot(Vec2::new(angle.cos(), angle.sin())) / DT;
                let turn = (after.yaw - before.yaw).abs();
                let sunk = (after.position() - start.position()).dot(across);
                let seen = || format!("{speed} m/s, {cell} m, {after:?}: {now} of {least} m/s, {sunk} m");
                assert!(now > 0.98 * least && now < 1.02 * speed, "{}, {}", seen(), contacts(&physics));
                assert!(turn < 2e-3 && sunk.abs() < 5e-3 && (after.yaw - angle).abs() < 0.02, "{}", seen());
            }
        }
    }
}

/// At 100 m/s a body moves through ten cells in a step, and stops at a wall of one.
#[test]
fn a_fast_body_does_not_tunnel_through_a_wall_of_one_cell() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let wall = map(0.05, |p| (0.5..0.55).contains(&p.x));
    for _ in 0..200 {
        let outlines = &shapes()[random.random_range(0..4)];
        let mut physics = physics(&wall, 0.0, 0.5);
        let body = add(&mut physics, outlines, 0.5);
        let direction = between(&mut random, -0.7, 0.7);
        let yaw = between(&mut random, -3.0, 3.0);
        let velocity = Pose2::new(0.0, 0.0, direction - yaw).transform_point(Vec2::new(100.0, 0.0));
        let from = Pose2::new(-0.6, between(&mut random, -0.3, 0.3), yaw);
        physics.place(body, from, Twist2::new(velocity.x, velocity.y, 0.0));
        let mut has_collided = false;
        for _ in 0..10 {
            physics.step();
            has_collided |= physics.state(body).is_colliding;
            let pose = physics.world_from_body(body);
            if pose.y.abs() > 1.2 {
                // It has slid to the end of the wall.
                break;
            }
            let farthest =
                outlines.iter().flatten().map(|&p| pose.transform_point(p).x).fold(f64::NEG_INFINITY, f64::max);
            assert!(pose.x < 0.5 && farthest < 0.55, "{outlines:?} from {from:?} towards {direction}: at {pose:?}");
        }
        assert!(has_collided);
    }
}

/// A body that another one knocks within a step stops at a wall all the same, though it was at rest before.
#[test]
fn a_body_that_is_shot_at_a_wall_does_not_tunnel() {
    let wall = map(0.05, |p| (0.5..0.55).contains(&p.x));
    for speed in [20.0, 60.0, 120.0] {
        for away in [0.003, 0.03, 0.1] {
            let mut physics = physics(&wall, 0.0, 0.5);
            let outline = [rectangle(0.2, 0.2)];
            let resting = add(&mut physics, &outline, 0.5);
            let bullet = add(&mut physics, &outline, 0.5);
            physics.place(resting, Pose2::new(0.4 - away, 0.01, 0.0), Twist2::ZERO);
            physics.place(bullet, Pose2::new(-0.1 - away, 0.0, 0.0), Twist2::new(speed, 0.0, 0.0));
            let mut fastest = 0.0_f64;
            for _ in 0..20 {
                physics.step();
                let pose = physics.world_from_body(resting);
                fastest = fastest.max(physics.velocity_in_body(resting).vx);
                assert!(pose.x < 0.41, "{speed} m/s, {away} m: {pose:?}");
            }
            assert!(fastest > 0.4 * speed, "never hit: {fastest} m/s");
        }
    }
}

/// A body that is driven into a corner of two walls stays in it, at any angle of the corner, without jumps, and comes
/// to rest; some still turn slowly under the push, at most by millimetres in a second.
#[test]
fn a_body_stays_in_a_corner() {
    for angle in [0.0, 0.2, 0.785, 1.3] {
        for cell in CELLS {
            let turned = Pose2::new(0.0, 0.0, angle);
            let map = map(cell, |p| {
                let p = turned.inverse().transform_point(p);
                p.x > 0.5 || p.y > 0.5
            });
            for (k, outlines) in shapes().iter().enumerate() {
                let mut physics = physics(&map, 0.0, 0.5);
                let body = add(&mut physics, outlines, 0.5);
                physics.place(body, Pose2::new(0.0, 0.0, angle), Twist2::ZERO);
                let push = turned.transform_point(Vec2::new(30.0, 25.0));
                let mut moved = 0.0;
                for step in 0..1200 {
                    let before = physics.world_from_body(body);
                    let rotation = before.rotation();
                    let velocity = physics.velocity_in_body(body);
                    let drag = Vec2::new(-40.0 * velocity.vx, -40.0 * velocity.vy);
                    let wrench = Wrench { force_in_body: rotation.inverse() * push + drag, torque: -0.5 * velocity.wz };
                    physics.apply(body, wrench);
                    physics.step();
                    let after = physics.world_from_body(body);
                    let way = (after.position() - before.position()).norm();
                    assert!(way < 0.02, "a jump of {way} m of shape {k} in cells of {cell} at {angle}");
                    if step > 1000 {
                        moved += way;
                    }
                }
                assert!(
                    moved < 0.01,
                    "shape {k} in cells of {cell} at {angle} still moves by {moved} m, {:?} {:?} {}",
                    physics.world_from_body(body),
                    physics.velocity_in_body(body),
                    contacts(&physics)
                );
                let pose = physics.world_from_body(body);
                assert!(gap(&map, outlines, pose, 5e-3) > 0.0 && gap(&map, outlines, pose, 0.0) < 1e-3, "{pose:?}");
            }
        }
    }
}

/// A body that is placed across a thin wall leaves it on one side.
#[test]
fn a_body_across_a_thin_wall_leaves_it() {
    let map = map(0.05, |p| (0.5..0.55).contains(&p.x));
    for x in [0.35, 0.45, 0.6, 0.7] {
        let mut physics = physics(&map, 0.0, 0.0);
        let outlines = [rectangle(0.58, 0.31)];
        let body = add(&mut physics, &outlines, 0.0);
        physics.place(body, Pose2::new(x, 0.01, 0.1), Twist2::ZERO);
        for _ in 0..2000 {
            physics.step();
            let velocity = physics.velocity_in_body(body);
            assert!(velocity.linear().norm() < 5.0, "{velocity:?}");
        }
        let pose = physics.world_from_body(body);
        assert!(gap(&map, &outlines, pose, 3e-3) > 0.0 && (pose.x > 0.55) == (x > 0.525), "from {x} to {pose:?}");
    }
}
