//! `<block:class>` and `<block>`: obstacles, fixed or movable.
//!
//! ```xml
//! <block name="crate" class="…">                  name: block000, block001, … where absent
//!   <init_pose>x y yaw</init_pose>                [m], [deg]; or <init_pose3d>
//!   <init_vel>vx vy w</init_vel>                  body frame [m/s], [deg/s]; default 0 0 0
//!   <shape> <pt>x y</pt> … </shape>               3 to 14 points [m]; default the square ±0.5; its convex hull collides
//!   <geometry type="…" …/>                        without a <shape>: a solid, below; all sizes > 0
//!   <visual> … </visual>                          see visuals
//!   <visual_scale>1</visual_scale>                instead of the model_scale of all visuals [-]
//!   <shape_from_visual/>                          outline and zmin, zmax from the visuals and the geometry
//!   <mass>30</mass>                               [kg], > 0
//!   <zmin>0</zmin> <zmax>1</zmax>                 [m]; count only if both are given
//!   <static>false</static>                        true: never moves, except as an <animation> says
//!   <intangible>false</intangible>                true: no collision, not seen by 2-D lidars
//!   <ground_friction>0.5</ground_friction>        against sliding on the floor [-], ≥ 0
//!   <lateral_friction>0.5</lateral_friction>      against other bodies [-], ≥ 0
//!   <restitution>0.01</restitution>               [-], 0 to 1
//!   <linear_damping>0.1</linear_damping> <angular_damping>0.1</angular_damping>   [1/s], ≥ 0
//!   <label>block</label>                          class in labels
//!   <color>#0000ff</color>
//! </block>
//! ```
//! ```xml
//! <geometry type="cylinder" radius="" length="" vertex_count="10"/>               [m]; upright, z from 0
//! <geometry type="sphere" radius="" vertex_count="10"/>                           around the origin
//! <geometry type="box" lx="" ly="" lz=""/>                                        a corner at the origin
//! <geometry type="ramp" lx="" ly="" lz=""/>                                       x from 0, y to both sides, rising with x
//! <geometry type="semi_cylinder_bump" lx="" ly="" lz="" vertex_count="10"/>       axis along x, to both sides
//! ```
//! A geometry gives the block its outline and its range of heights. By MVSim's rules it does so only with `<shape_from_visual/>`;
//! without that tag viewers show the solid, but bodies collide with the default square.
//! With `<shape_from_visual/>`, zmin and zmax select the part of the meshes that counts. If no mesh can be read, the block has
//! the outline and heights that it would have without the tag, and there is a warning.
//!
//! A value of the instance overrides that of its class (the reverse of MVSim's rule for scalars).

use skidpad_files::mesh::primitives::Geometry;
use skidpad_files::mesh::{MAX_POINTS, Outline};
use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Element, Reader};

use super::PhysicsRules;
use super::label::read_label;
use super::plausibility;
use super::simulable::{PoseIs, Start, StartHeight, read_start};
use super::visual::read_visuals;
use super::{Builder, Scalars, one_named, with_class};
use crate::raycast::Obstacles;
use crate::vehicle::chassis::{plate, read_shape};
use crate::vehicle::{Inertia, Piece};
use crate::world::animation::Keyframes;
use crate::world::blocks::{BlockBody, StillShape, block_heights};
use crate::world::drawing;
use crate::world::label;
use crate::world::step::attitude::Attitude;
use crate::world::terrain::BlockTop;
use crate::world::visual::Visual;
use crate::world::{BlockInfo, BodyRef, EntityId, Physics, SceneryIndex};

/// A block as read, before it is placed in the world.
pub(in crate::world) struct Loaded {
    pub info: BlockInfo,
    /// What the z of its start pose means.
    pub height: StartHeight,
    pub animation: Option<Keyframes>,
    pub mass: f64,
    pub ground_friction: f64,
    pub friction: f64,
    pub restitution: f64,
    pub damping: [f64; 2],
    pub start_velocity_in_body: Twist2,
}

impl Loaded {
    /// Adds the block to the physics and to the shapes for lidars. Returns a body for a block that can move, and an index of the
    /// scenery for one that cannot; an intangible block has neither. Shapes of scenery are fixed if the world `is_new`, and can be
    /// removed otherwise.
    pub(in crate::world) fn place(
        &self,
        physics: &mut Physics,
        obstacles: &mut Obstacles,
        scalars: &Scalars,
        is_new: bool,
    ) -> (Option<BlockBody>, Option<(SceneryIndex, StillShape)>) {
        let info = &self.info;
        if info.is_intangible {
            return (None, None);
        }
        let heights = block_heights(info.world_from_start.z, info.z);
        let is_clear = drawing::is_clear(&info.visuals, info.color);
        let piece = Piece { outline: info.outline.clone(), friction: self.friction, restitution: self.restitution };
        if info.is_static {
            let pose = info.world_from_start.planar();
            let shape = if is_new {
                let shape = obstacles.add_static(&info.outline, pose, heights);
                obstacles.set_static_clear(shape, is_clear);
                StillShape::First(shape)
            } else {
                let shape = obstacles.add_mover(None, &info.outline);
                obstacles.set_mover_pose(shape, pose, heights);
                obstacles.set_mover_clear(shape, is_clear);
                StillShape::Later(shape)
            };
            return (None, Some((physics.add_static(&piece, pose, heights), shape)));
        }
        let (area, center_of_mass, polar) = plate(&info.outline);
        let inertia = Inertia { mass: self.mass, center_of_mass, yaw: self.mass * polar / area };
        let middle = rest_point(center_of_mass, &info.outline, scalars.rules);
        let radius = info.outline.iter().map(|&p| (p - middle).norm()).fold(0.0, f64::max);
        let body = physics.add_body(&[piece], inertia, info.world_from_start.planar(), self.damping);
        physics.place(body, info.world_from_start.planar(), self.start_velocity_in_body);
        physics.set_heights(body, heights);
        physics.rest_on(body, middle, radius);
        if self.animation.is_some() {
            physics.prescribe(body);
        }
        let weight = self.mass * scalars.gravity;
        let shape = obstacles.add_mover(None, &info.outline);
        obstacles.set_mover_clear(shape, is_clear);
        let body = BlockBody {
            body,
            arrival: physics.arrival_of(body),
            shape,
            weight,
            grip: self.ground_friction * self.mass * scalars.gravity,
            middle,
            radius,
            ends: info.z,
            attitude: Attitude::of(info.world_from_start),
            follows: self.height != StartHeight::Kept,
            slope: None,
            start_velocity_in_body: self.start_velocity_in_body,
        };
        (Some(body), None)
    }
}

/// The middle of the floor's pressure on a block [m], in its frame: its centre of mass, by MVSim's rules its reference point.
fn rest_point(center_of_mass: Vec2, outline: &[Vec2], rules: PhysicsRules) -> Vec2 {
    let size = outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
    // The centre of a symmetric outline is off by rounding.
    let is_off_center = center_of_mass.norm() > 1e-9 * size;
    if rules == PhysicsRules::Skidpad && is_off_center { center_of_mass } else { Vec2::ZERO }
}

impl Builder<'_> {
    pub(super) fn block(&mut self, element: &Element) {
        let context = self.context;
        let instance = context.expand_body(element);
        let plain = Reader::new(context, &instance);
        let Some(layers) = with_class(&plain, &instance, &self.block_classes) else { return };
        let name = match plain.attribute_or_written("name").filter(|name| !name.is_empty()) {
            Some(name) => self.names.unique(&name),
            None => self.names.numbered("block", 0, |stem, number| format!("{stem}{number:03}")),
        };
        let reader = Reader::layered(context, layers).with_name("NAME", name.clone());
        let block = self.read_block(&reader, name);
        reader.finish();
        self.add_block(block);
    }

    /// Adds a block under the name it has been given.
    pub(super) fn add_block(&mut self, block: Loaded) {
        self.names.give(&block.info.name, BodyRef::Block(self.blocks.len()));
        self.blocks.push(block);
    }

    pub(super) fn read_block(&self, reader: &Reader<'_>, name: String) -> Loaded {
        reader.ignore(&["class", "name"]);
        let Start { pose, height, velocity_in_body, animation, publish } = read_start(reader, PoseIs::Needed);
        let mut visuals = read_visuals(reader, &self.meshes);
        if let Some(scale) = reader.optional_f64("visual_scale", Accept::any()) {
            visuals.iter_mut().for_each(|visual| visual.scale = scale);
        }
        let declared = reader.read_child("shape", |shape| read_shape(shape, MAX_POINTS));
        let geometry = reader.child("geometry").and_then(|tag| {
            if declared.is_some() {
                tag.warn("<geometry> has no effect beside <shape>");
                return None;
            }
            let geometry = read_geometry(&tag);
            tag.finish();
            geometry
        });
        let [zmin, zmax] = ["zmin", "zmax"].map(|tag| reader.optional_f64(tag, Accept::any()));
        let z_range = zmin.zip(zmax).map(<[f64; 2]>::from);
        let alone = match (zmin, zmax) {
            (Some(_), None) => Some(["zmin", "zmax"]),
            (None, Some(_)) => Some(["zmax", "zmin"]),
            _ => None,
        };
        if let Some([given, missing]) = alone {
            let message = format!("<{given}> has no effect without <{missing}>");
            reader.context().warn(reader.place_of(given), message).accepted(["both, or neither"]);
        }
        if let Some(heights) = z_range {
            plausibility::check_heights(reader, heights);
        }
        let Outline { points: outline, z } = self.block_outline(reader, declared, geometry.as_ref(), &visuals, z_range);
        let top = match geometry {
            Some(Geometry::Ramp { size: [length, _, height] }) => BlockTop::Ramp { length, height },
            Some(Geometry::Bump { size: [_, width, height], .. }) => BlockTop::Bump { width, height },
            _ => BlockTop::Flat,
        };
        Loaded {
            info: BlockInfo {
                id: EntityId::default(),
                name,
                label: read_label(reader, label::BLOCK),
                outline,
                z,
                color: reader.color("color", [0, 0, 0xff, 0xff]),
                is_static: reader.bool("static", false) && animation.is_none(),
                is_intangible: reader.bool("intangible", false),
                is_animated: animation.is_some(),
                top,
                world_from_start: pose,
                visuals,
                geometry,
                publish,
            },
            height,
            animation,
            mass: read_mass(reader),
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

    /// Outline and heights of a block: from its visuals and geometry with `<shape_from_visual/>`, otherwise as declared.
    fn block_outline(
        &self,
        reader: &Reader<'_>,
        declared: Option<Vec<Vec2>>,
        geometry: Option<&Geometry>,
        visuals: &[Visual],
        z_range: Option<[f64; 2]>,
    ) -> Outline {
        let solid = geometry.and_then(|geometry| {
            let Outline { points, z } = geometry.outline();
            let outline = Outline { points, z: z_range.unwrap_or(z) }.checked();
            let outline = outline.map_err(|error| reader.error_at("geometry", format!("bad <geometry>: {error}")));
            outline.ok()
        });
        let as_declared = match (&declared, &solid) {
            (None, Some(solid)) if self.scalars.rules == PhysicsRules::Skidpad => solid.clone(),
            _ => Outline { points: declared.unwrap_or_else(default_square), z: z_range.unwrap_or([0.0, 1.0]) },
        };
        if !reader.has("shape_from_visual") {
            return as_declared;
        }
        let (place, owner) = (reader.place_of("shape_from_visual"), reader.describe());
        if visuals.is_empty() && geometry.is_none() {
            if reader.has("geometry") {
                return as_declared;
            }
            self.context
                .error(place, format!("<shape_from_visual> without a <visual> or a <geometry> in {owner}"))
                .hint("give it a <visual> with a <model_uri>, or a <shape>");
            return as_declared;
        }
        let unread = geometry.is_none() && visuals.iter().all(|visual| visual.file.is_none());
        if unread {
            let instead = if reader.has("shape") { "its <shape>" } else { "a square of 1 m" };
            let [low, high] = as_declared.z;
            let message =
                format!("the meshes of {owner} cannot be read: it uses {instead}, from z = {low} to {high} m");
            self.context.warn(place, message);
            return as_declared;
        }
        self.outline_of_visuals(reader, &owner, visuals, solid, z_range).unwrap_or(as_declared)
    }
}

/// The mass [kg], which has no effect on blocks that never move.
fn read_mass(reader: &Reader<'_>) -> f64 {
    const DEFAULT: f64 = 30.0;
    let stays = reader.bool("static", false);
    let mass = reader.f64("mass", DEFAULT, if stays { Accept::any() } else { Accept::positive() });
    if mass > 0.0 { mass } else { DEFAULT }
}

fn default_square() -> Vec<Vec2> {
    [(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

/// Types of `<geometry>`.
const GEOMETRIES: &[&str] = &["cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"];

/// Reads a `<geometry>`. None if something is missing or invalid, with the error recorded.
fn read_geometry(tag: &Reader<'_>) -> Option<Geometry> {
    let kind = one_named(tag, "type", GEOMETRIES, |kind| kind)?;
    let size = |name: &str| {
        let size = tag.optional_attribute_f64(name, Accept::positive());
        if tag.element().attribute(name).is_none() {
            tag.missing(name);
        }
        size
    };
    let sizes = || {
        let [x, y, z] = ["lx", "ly", "lz"].map(size);
        Some([x?, y?, z?])
    };
    let vertex_count = || tag.attribute_integer("vertex_count", 10, Accept::range(3.0, 1000.0)) as usize;
    match *kind {
        "cylinder" => {
            let (radius, length, vertex_count) = (size("radius"), size("length"), vertex_count());
            Some(Geometry::Cylinder { radius: radius?, length: length?, vertex_count })
        }
        "sphere" => {
            let (radius, vertex_count) = (size("radius"), vertex_count());
            Some(Geometry::Sphere { radius: radius?, vertex_count })
        }
        "box" => sizes().map(|size| Geometry::Box { size }),
        "ramp" => sizes().map(|size| Geometry::Ramp { size }),
        // "semi_cylinder_bump".
        _ => {
            let (size, vertex_count) = (sizes(), vertex_count());
            Some(Geometry::Bump { size: size?, vertex_count })
        }
    }
}
