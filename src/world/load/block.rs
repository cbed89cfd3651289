//! `<block:class>`, `<block>` and `<walls>`: things to bump into and to push.
//!
//! ```xml
//! <block name="crate" class="…">                  name: block000, block001, … where absent
//!   <init_pose>x y yaw</init_pose>                [m], [deg]; or <init_pose3d>
//!   <init_vel>vx vy w</init_vel>                  body frame [m/s], [deg/s]; default 0 0 0
//!   <shape> <pt>x y</pt> … </shape>               3 to 14 points [m]; default the square ±0.5; its convex hull collides
//!   <mass>30</mass>                               [kg], > 0
//!   <zmin>0</zmin> <zmax>1</zmax>                 [m]; count only if both are given
//!   <static>false</static>                        true: never moves
//!   <intangible>false</intangible>                true: no collision, not seen by 2-D lidars
//!   <ground_friction>0.5</ground_friction>        against sliding on the floor [-], ≥ 0
//!   <lateral_friction>0.5</lateral_friction>      against other bodies [-], ≥ 0
//!   <restitution>0.01</restitution>               [-], 0 to 1
//!   <linear_damping>0.1</linear_damping> <angular_damping>0.1</angular_damping>   [1/s], ≥ 0
//!   <color>#0000ff</color>
//! </block>
//! <walls>
//!   <shape> <pt>x y</pt> … </shape>               points in pairs, each pair a wall [m]
//!   <wallThickness>0.10</wallThickness> <wallHeight>2.0</wallHeight>   [m], > 0
//!   <color>#323232</color>
//! </walls>
//! ```
//! A value of the instance counts before one of the class (MVSim has it the other way round for scalars).

use super::{Builder, read_start_pose, read_start_velocity, with_class};
use crate::math::{Pose2, Twist2, Vec2};
use crate::raycast::Obstacles;
use crate::vehicle::chassis::{plate, read_shape};
use crate::world::blocks::BlockBody;
use crate::world::{BlockInfo, Inertia, Physics, Piece};
use crate::xml::{Accept, Element, Reader};

/// A block as read, before it stands in the world.
pub(super) struct Loaded {
    pub info: BlockInfo,
    mass: f64,
    ground_friction: f64,
    friction: f64,
    restitution: f64,
    intangible: bool,
    damping: [f64; 2],
    start_velocity_in_body: Twist2,
}

impl Loaded {
    /// Gives it a body, and a shape that lidars see, as far as it has them.
    pub(super) fn place(&self, physics: &mut Physics, obstacles: &mut Obstacles, gravity: f64) -> Option<BlockBody> {
        let info = &self.info;
        if self.intangible {
            return None;
        }
        let piece = Piece { outline: info.outline.clone(), friction: self.friction, restitution: self.restitution };
        if info.is_static {
            physics.add_static(&piece, info.world_from_start);
            obstacles.add_static(&info.outline, info.world_from_start);
            return None;
        }
        let (area, center_of_mass, polar) = plate(&info.outline);
        let inertia = Inertia { mass: self.mass, center_of_mass, yaw: self.mass * polar / area };
        let body = physics.add_body(&[piece], inertia, info.world_from_start, self.damping);
        physics.place(body, info.world_from_start, self.start_velocity_in_body);
        let radius = info.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
        Some(BlockBody {
            body,
            shape: obstacles.add_mover(None, &info.outline),
            grip: self.ground_friction * self.mass * gravity,
            radius,
            start_velocity_in_body: self.start_velocity_in_body,
        })
    }
}

impl Builder<'_> {
    pub(super) fn block(&mut self, element: &Element) {
        let context = self.context;
        let instance = context.expand_body(element);
        let plain = Reader::new(context, &instance);
        let Some(layers) = with_class(&plain, &instance, &self.block_classes) else { return };
        let name = plain.attribute("name").unwrap_or_else(|| format!("block{:03}", self.blocks.len()));
        let reader = Reader::layered(context, layers).with_name("NAME", name.clone());
        self.blocks.push(read_block(&reader, name));
        reader.finish();
    }

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
            self.walls += 1;
            self.blocks.push(wall(format!("wall_{:04}", self.walls), from, to, thickness, height, color));
        }
    }
}

fn read_block(reader: &Reader<'_>, name: String) -> Loaded {
    reader.ignore(&["class", "name", "visual_scale", "visual"]);
    reader.later(&["geometry", "shape_from_visual", "publish", "animation"]);
    let outline = match reader.child("shape") {
        Some(shape) => {
            let outline = read_shape(&shape, 14);
            shape.finish();
            outline
        }
        None => [(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
    };
    let ends = (reader.optional_f64("zmin", Accept::any()), reader.optional_f64("zmax", Accept::any()));
    Loaded {
        info: BlockInfo {
            name,
            outline,
            z: if let (Some(zmin), Some(zmax)) = ends { [zmin, zmax] } else { [0.0, 1.0] },
            color: reader.color("color", [0, 0, 0xff, 0xff]),
            is_static: reader.bool("static", false),
            world_from_start: read_start_pose(reader),
        },
        mass: reader.f64("mass", 30.0, Accept::positive()),
        ground_friction: reader.f64("ground_friction", 0.5, Accept::non_negative()),
        friction: reader.f64("lateral_friction", 0.5, Accept::non_negative()),
        restitution: reader.f64("restitution", 0.01, Accept::range(0.0, 1.0)),
        intangible: reader.bool("intangible", false),
        damping: [
            reader.f64("linear_damping", 0.1, Accept::non_negative()),
            reader.f64("angular_damping", 0.1, Accept::non_negative()),
        ],
        start_velocity_in_body: read_start_velocity(reader),
    }
}

fn wall(name: String, from: Vec2, to: Vec2, thickness: f64, height: f64, color: [u8; 4]) -> Loaded {
    let middle = 0.5 * (from + to);
    let along = to - from;
    let (a, b) = (0.5 * along.norm(), 0.5 * thickness);
    Loaded {
        info: BlockInfo {
            name,
            outline: [(-a, -b), (a, -b), (a, b), (-a, b)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
            z: [0.0, height],
            color,
            is_static: true,
            world_from_start: Pose2::new(middle.x, middle.y, libm::atan2(along.y, along.x)),
        },
        mass: 1e5,
        ground_friction: 1e5,
        friction: 0.5,
        restitution: 0.01,
        intangible: false,
        damping: [0.1, 0.1],
        start_velocity_in_body: Twist2::ZERO,
    }
}
