//! `<walls>`: straight walls between pairs of points.
//!
//! ```xml
//! <walls>
//!   <shape> <pt>x y</pt> … </shape>               points in pairs, each pair a wall [m]
//!   <wallThickness>0.10</wallThickness> <wallHeight>2.0</wallHeight>   [m], > 0
//!   <color>#323232</color>
//! </walls>
//! ```

use super::{Builder, block};
use crate::math::{Pose2, Pose3, Twist2, Vec2};
use crate::world::BlockInfo;
use crate::world::terrain::BlockTop;
use crate::xml::{Accept, Reader};

impl Builder<'_> {
    pub(super) fn walls(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["scale"]);
        reader.later(&["model_uri", "transformation"]);
        let thickness = reader.f64("wallThickness", 0.1, Accept::positive());
        let height = reader.f64("wallHeight", 2.0, Accept::positive());
        let color = reader.color("color", [0x32, 0x32, 0x32, 0xff]);
        let mut points = Vec::new();
        match reader.child("shape") {
            Some(shape) => {
                for point in shape.children("pt") {
                    if let Some(p) = point.own_numbers(&[2]) {
                        points.push(Vec2::new(p[0], p[1]));
                    }
                }
                if points.len() < 2 || points.len() % 2 != 0 {
                    shape
                        .error(format!("<shape> of <walls> has {} points", points.len()))
                        .accepted(["pairs of points, one pair for each wall"]);
                }
                shape.finish();
            }
            None if !reader.has("model_uri") => {
                reader.missing("<shape>");
            }
            None => {}
        }
        let mut corners: Vec<Vec2> = Vec::new();
        for pair in points.chunks_exact(2) {
            let (mut from, mut to) = (pair[0], pair[1]);
            let length = (to - from).norm();
            if length < 1e-9 {
                reader.warn(format!("a wall of no length at ({}, {})", from.x, from.y));
                continue;
            }
            let along = (1.0 / length) * (to - from);
            // An end that meets an earlier one reaches over it, which closes the corner.
            let meets = |end: Vec2| corners.iter().any(|&corner| (corner - end).norm() < 1.01 * thickness);
            let (extend_from, extend_to) = (meets(from), meets(to));
            corners.extend([from, to]);
            if extend_from {
                from = from - 0.5 * thickness * along;
            }
            if extend_to {
                to = to + 0.5 * thickness * along;
            }
            let name = self.names.numbered("wall", 1, |stem, number| format!("{stem}_{number:04}"));
            self.blocks.push(wall(name, from, to, thickness, height, color));
        }
    }
}

/// A wall from one point to another [m] as a block that never moves.
fn wall(name: String, from: Vec2, to: Vec2, thickness: f64, height: f64, color: [u8; 4]) -> block::Loaded {
    let middle = 0.5 * (from + to);
    let along = to - from;
    let (a, b) = (0.5 * along.norm(), 0.5 * thickness);
    block::Loaded {
        info: BlockInfo {
            name,
            outline: [(-a, -b), (a, -b), (a, b), (-a, b)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
            z: [0.0, height],
            color,
            is_static: true,
            is_intangible: false,
            top: BlockTop::Flat,
            world_from_start: Pose3::from_planar(Pose2::new(middle.x, middle.y, libm::atan2(along.y, along.x))),
            visuals: Vec::new(),
            publish: None,
        },
        keeps_height: true,
        animation: None,
        mass: 1e5,
        ground_friction: 1e5,
        friction: 0.5,
        restitution: 0.01,
        damping: [0.1, 0.1],
        start_velocity_in_body: Twist2::ZERO,
    }
}
