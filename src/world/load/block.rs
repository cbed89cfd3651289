//! `<block:class>` and `<block>`: things to bump into and to push.
//!
//! ```xml
//! <block name="crate" class="…">                  name: block000, block001, … where absent
//!   <init_pose>x y yaw</init_pose>                [m], [deg]; or <init_pose3d>
//!   <init_vel>vx vy w</init_vel>                  body frame [m/s], [deg/s]; default 0 0 0
//!   <shape> <pt>x y</pt> … </shape>               3 to 14 points [m]; default the square ±0.5; its convex hull collides
//!   <mass>30</mass>                               [kg], > 0
//!   <zmin>0</zmin> <zmax>1</zmax>                 [m]; count only if both are given
//!   <static>false</static>                        true: never moves, except as an <animation> says
//!   <intangible>false</intangible>                true: no collision, not seen by 2-D lidars
//!   <ground_friction>0.5</ground_friction>        against sliding on the floor [-], ≥ 0
//!   <lateral_friction>0.5</lateral_friction>      against other bodies [-], ≥ 0
//!   <restitution>0.01</restitution>               [-], 0 to 1
//!   <linear_damping>0.1</linear_damping> <angular_damping>0.1</angular_damping>   [1/s], ≥ 0
//!   <color>#0000ff</color>
//! </block>
//! ```
//! A value of the instance counts before one of the class (MVSim has it the other way round for scalars).

use super::simulable::{PoseIs, Start, read_start};
use super::visual::read_visuals;
use super::{Builder, with_class};
use crate::math::{Twist2, Vec2};
use crate::raycast::Obstacles;
use crate::vehicle::chassis::{plate, read_shape};
use crate::world::animation::Keyframes;
use crate::world::blocks::BlockBody;
use crate::world::carry::block_heights;
use crate::world::mover::Attitude;
use crate::world::terrain::BlockTop;
use crate::world::{BlockInfo, Inertia, Physics, Piece, SceneryIndex};
use crate::xml::{Accept, Element, Reader};

/// A block as read, before it stands in the world.
pub(super) struct Loaded {
    pub info: BlockInfo,
    pub keeps_height: bool,
    pub animation: Option<Keyframes>,
    pub mass: f64,
    pub ground_friction: f64,
    pub friction: f64,
    pub restitution: f64,
    pub damping: [f64; 2],
    pub start_velocity_in_body: Twist2,
}

impl Loaded {
    /// Gives it a body, and a shape that lidars see, as far as it has them. Scenery has a number instead of a body.
    pub(super) fn place(
        &self,
        physics: &mut Physics,
        obstacles: &mut Obstacles,
        gravity: f64,
    ) -> (Option<BlockBody>, Option<SceneryIndex>) {
        let info = &self.info;
        if info.is_intangible {
            return (None, None);
        }
        let heights = block_heights(info.world_from_start.z, info.z);
        let piece = Piece { outline: info.outline.clone(), friction: self.friction, restitution: self.restitution };
        if info.is_static {
            obstacles.add_static(&info.outline, info.world_from_start.planar(), heights);
            return (None, Some(physics.add_static(&piece, info.world_from_start.planar(), heights)));
        }
        let (area, center_of_mass, polar) = plate(&info.outline);
        let inertia = Inertia { mass: self.mass, center_of_mass, yaw: self.mass * polar / area };
        let body = physics.add_body(&[piece], inertia, info.world_from_start.planar(), self.damping);
        physics.place(body, info.world_from_start.planar(), self.start_velocity_in_body);
        physics.set_heights(body, heights);
        if self.animation.is_some() {
            physics.prescribe(body);
        }
        let radius = info.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let body = BlockBody {
            body,
            shape: obstacles.add_mover(None, &info.outline),
            grip: self.ground_friction * self.mass * gravity,
            radius,
            ends: info.z,
            attitude: Attitude::of(info.world_from_start),
            start_velocity_in_body: self.start_velocity_in_body,
        };
        (Some(body), None)
    }
}

impl Builder<'_> {
    pub(super) fn block(&mut self, element: &Element) {
        let context = self.context;
        let instance = context.expand_body(element);
        let plain = Reader::new(context, &instance);
        let Some(layers) = with_class(&plain, &instance, &self.block_classes) else { return };
        let name = match plain.attribute("name").filter(|name| !name.is_empty()) {
            Some(name) => self.names.unique(&name),
            None => self.names.numbered("block", 0, |stem, number| format!("{stem}{number:03}")),
        };
        let reader = Reader::layered(context, layers).with_name("NAME", name.clone());
        self.blocks.push(read_block(&reader, name));
        reader.finish();
    }
}

fn read_block(reader: &Reader<'_>, name: String) -> Loaded {
    reader.ignore(&["class", "name", "visual_scale"]);
    reader.later(&["geometry", "shape_from_visual"]);
    let Start { pose, keeps_height, velocity_in_body, animation, publish } = read_start(reader, PoseIs::Needed);
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
            is_static: reader.bool("static", false) && animation.is_none(),
            is_intangible: reader.bool("intangible", false),
            top: BlockTop::Flat,
            world_from_start: pose,
            visuals: read_visuals(reader),
            publish,
        },
        keeps_height,
        animation,
        mass: reader.f64("mass", 30.0, Accept::positive()),
        ground_friction: reader.f64("ground_friction", 0.5, Accept::non_negative()),
        friction: reader.f64("lateral_friction", 0.5, Accept::non_negative()),
        restitution: reader.f64("restitution", 0.01, Accept::range(0.0, 1.0)),
        damping: [
            reader.f64("linear_damping", 0.1, Accept::non_negative()),
            reader.f64("angular_damping", 0.1, Accept::non_negative()),
        ],
        start_velocity_in_body: velocity_in_body,
    }
}
