//! Finds where a step in the ground begins and which way it faces, by sampling the ground, whatever kind of surface it is.

use skidpad_math::Vec2;

use super::{StepRule, Terrain};

/// A path is sampled at intervals of at most this length [m].
const PIECE: f64 = 0.02;
/// Largest number of intervals of a path.
const MAX_PIECES: f64 = 256.0;
/// Accuracy to which an edge is located [m].
const PRECISION: f64 = 1e-7;
/// Radius of the circle around a point of an edge that is sampled for the edge's direction [m].
const NEIGHBOURHOOD: f64 = 0.02;
/// Number of directions that are tried around a point.
const DIRECTIONS: usize = 16;
/// Distances [m] at which free ground is searched for from a point inside a step.
const WAYS_OUT: [f64; 4] = [0.03, 0.1, 0.3, 1.0];

/// A point on the edge of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) struct Edge {
    /// Position [m].
    pub point: Vec2,
    /// Unit vector [-] perpendicular to the edge, into the step.
    pub into: Vec2,
}

/// A point of a vehicle at `from` [m] that may meet steps.
#[derive(Clone, Copy, Debug)]
pub(in crate::world) struct Approach<'a> {
    pub terrain: &'a Terrain,
    pub from: Vec2,
    pub rule: StepRule,
}

impl Approach<'_> {
    /// Whether `p` [m] lies within a step.
    pub(in crate::world) fn is_blocked(&self, p: Vec2) -> bool {
        self.terrain.is_step(p, self.from, self.rule)
    }

    /// The first edge on the straight line to `to` [m]. None when the line is free.
    pub(in crate::world) fn edge_on_line(&self, to: Vec2) -> Option<Edge> {
        let line = to - self.from;
        let length = line.norm();
        if length.is_nan() || length <= 0.0 {
            return None;
        }
        let pieces = (length / PIECE).ceil().clamp(1.0, MAX_PIECES);
        let mut free = self.from;
        for piece in 1..=pieces as usize {
            let next = self.from + (piece as f64 / pieces) * line;
            if self.is_blocked(next) {
                return Some(self.edge_at(self.bisect(free, next), (1.0 / length) * line));
            }
            free = next;
        }
        None
    }

    /// An edge near the point, which itself lies inside a step. None when there is none within a metre.
    pub(in crate::world) fn edge_around(&self) -> Option<Edge> {
        for radius in WAYS_OUT {
            let mut out = Vec2::ZERO;
            let mut free = [false; DIRECTIONS];
            for (direction, is_free) in directions().zip(&mut free) {
                *is_free = !self.is_blocked(self.from + radius * direction);
                out = out + if *is_free { direction } else { -direction };
            }
            let best = directions()
                .zip(free)
                .filter(|(_, is_free)| *is_free)
                .max_by(|(a, _), (b, _)| a.dot(out).total_cmp(&b.dot(out)));
            if let Some((direction, _)) = best {
                let border = self.bisect(self.from + radius * direction, self.from);
                return Some(self.edge_at(border, -direction));
            }
        }
        None
    }

    /// The point [m] where the step begins, between a free point and one inside the step.
    fn bisect(&self, mut free: Vec2, mut blocked: Vec2) -> Vec2 {
        for _ in 0..48 {
            let middle = 0.5 * (free + blocked);
            if self.is_blocked(middle) {
                blocked = middle;
            } else {
                free = middle;
            }
            if (blocked - free).norm() < PRECISION {
                break;
            }
        }
        free
    }

    /// The edge through one of its points. `guess` is the direction into the step if no better one is found.
    fn edge_at(&self, point: Vec2, guess: Vec2) -> Edge {
        let mut sum = Vec2::ZERO;
        for direction in directions() {
            let blocked = self.is_blocked(point + NEIGHBOURHOOD * direction);
            sum = sum + if blocked { direction } else { -direction };
        }
        let rough = if sum.norm() > 0.5 { (1.0 / sum.norm()) * sum } else { guess };
        // The points where it crosses the circle on either side give its direction.
        let beside = |side: f64| {
            let middle = point + (side * 0.5 * NEIGHBOURHOOD) * rough.perpendicular();
            let (free, blocked) = (middle - NEIGHBOURHOOD * rough, middle + NEIGHBOURHOOD * rough);
            (!self.is_blocked(free) && self.is_blocked(blocked)).then(|| self.bisect(free, blocked))
        };
        let run = beside(1.0).unwrap_or(point) - beside(-1.0).unwrap_or(point);
        // The step is to the right of the edge, seen along it, or to the left: the rough direction decides.
        let across = -run.perpendicular();
        let length = across.norm();
        if length < 0.1 * NEIGHBOURHOOD || across.dot(rough) < 0.5 * length {
            return Edge { point, into: rough };
        }
        Edge { point, into: (1.0 / length) * across }
    }
}

fn directions() -> impl Iterator<Item = Vec2> {
    // Between the axes, since edges tend to run along them.
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    (0..DIRECTIONS).map(move |k| {
        let (sin, cos) = libm::sincos((k as f64 + 0.5) * step);
        Vec2::new(cos, sin)
    })
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Pose3};

    use super::*;
    use crate::world::{BlockInfo, PhysicsRules};

    /// A platform of 2 m × 2 m and 0.5 m, turned.
    fn platform(yaw: f64) -> Terrain {
        let mut terrain = Terrain::new(PhysicsRules::Skidpad);
        let outline = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let info = BlockInfo {
            outline: outline.map(|(x, y)| Vec2::new(x, y)).to_vec(),
            z: [0.0, 0.5],
            world_from_start: Pose3::from_planar(Pose2::new(0.0, 0.0, yaw)),
            is_intangible: true,
            ..BlockInfo::default()
        };
        terrain.add_block(&info);
        terrain.finish();
        terrain
    }

    const RULE: StepRule = StepRule { limit: 0.2, reach: 1.0 };

    #[test]
    fn the_position_and_direction_of_a_straight_edge_are_found() {
        for yaw in [0.0, 0.1, 0.7, 1.3] {
            let terrain = platform(yaw);
            let turn = skidpad_math::Rot2::new(yaw);
            let from = turn * Vec2::new(-1.3, 0.4);
            let approach = Approach { terrain: &terrain, from, rule: RULE };
            let edge = approach.edge_on_line(turn * Vec2::new(-0.8, 0.1)).unwrap();
            let (point, into) = (turn.inverse() * edge.point, turn.inverse() * edge.into);
            assert!((point.x + 1.0).abs() < 1e-5, "{point:?}");
            assert!((into - Vec2::new(1.0, 0.0)).norm() < 1e-4, "{yaw}: {into:?}");
            assert_eq!(approach.edge_on_line(turn * Vec2::new(-1.1, 0.4)), None);
            assert!(
                Approach { rule: StepRule { limit: 0.6, reach: 1.0 }, ..approach }.edge_on_line(Vec2::ZERO).is_none()
            );
        }
    }

    #[test]
    fn from_inside_a_step_the_nearest_edge_is_found() {
        let terrain = platform(0.0);
        for (from, into) in [((-0.95, 0.3), (1.0, 0.0)), ((0.1, 0.8), (0.0, -1.0)), ((0.0, -0.75), (0.0, 1.0))] {
            let approach = Approach { terrain: &terrain, from: Vec2::new(from.0, from.1), rule: RULE };
            assert!(approach.is_blocked(approach.from));
            let edge = approach.edge_around().unwrap();
            assert!((edge.into - Vec2::new(into.0, into.1)).norm() < 1e-4, "{from:?}: {edge:?}");
        }
    }
}
