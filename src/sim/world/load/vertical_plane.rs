//! `<element class="vertical_plane">`: walls with doors and windows.
//!
//! ```xml
//! <element class="vertical_plane">
//!   <x0>-10</x0> <y0>-10</y0> <x1>-10</x1> <y1>10</y1>     its ends [m]
//!   <z>0</z> <height>3.0</height>                          lower edge and extent upwards [m], height ≥ 0
//!   <thickness>0.02</thickness>                            [m], ≥ 0
//!   <label>wall</label>                                    class in labels
//!   <color>#a0a0a0</color> <enable_shadows>true</enable_shadows>
//!   <cull_face>NONE</cull_face>                            NONE, FRONT or BACK
//!   <texture>…</texture> <texture_size_x>1.0</texture_size_x> <texture_size_y>1.0</texture_size_y>   [m] a picture, > 0
//!   <init_pose>0 0 0</init_pose>                           of all this [m], [deg]; or <init_pose3d>
//!   <door position="0.5" width="1.0" z_min="0" z_max="2.1" name=""/>      or z_start, z_end; any number of them
//!   <window> <position>0.5</position> <width>1.0</width> <z_min>0</z_min> <z_max>2.1</z_max> <name/> </window>
//! </element>
//! ```
//! `position` is the middle as a share of the wall's length, 0 to 1; values may be attributes or tags, and tags take precedence.
//! For bodies and planar lidars, doors cut the wall over its full height, whatever their z; windows do not.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::Builder;
use super::label::read_label;
use super::simulable::{PoseIs, read_start};
use super::visual::{read_texture, tiles};
use crate::raycast::Obstacles;
use crate::vehicle::{MAX_COORDINATE, Piece};
use crate::world::drawing;
use crate::world::label;
use crate::world::step::contact_sensing::FixedScenery;
use crate::world::visual::CullFaces;
use crate::world::wall::{Opening, OpeningKind, WallInfo};
use crate::world::{Physics, Scene};

/// Default friction [-] of walls, that of MVSim's engine.
const FRICTION: f64 = 0.2;
/// Restitution [-] of walls, MVSim's.
const RESTITUTION: f64 = 0.01;

/// Adds the walls to the scene, the engine and the shapes for lidars. Returns their stretches in the engine, with the names of the walls.
pub(super) fn place(
    loaded: Vec<WallInfo>,
    scene: &mut Scene,
    physics: &mut Physics,
    obstacles: &mut Obstacles,
) -> FixedScenery {
    let mut placed = FixedScenery::new();
    for info in loaded {
        let world_from_wall = info.world_from_wall.planar();
        let heights = info.z.map(|z| info.world_from_wall.z + z);
        let is_clear = drawing::is_clear(&[], info.color);
        for stretch in info.stretches() {
            let outline = info.outline(stretch).to_vec();
            let shape = obstacles.add_static(&outline, world_from_wall, heights);
            obstacles.set_static_clear(shape, is_clear);
            let piece = Piece { outline, friction: FRICTION, restitution: RESTITUTION };
            placed.push((physics.add_static(&piece, world_from_wall, heights), info.name.clone()));
        }
        scene.walls.push(info);
    }
    placed
}

impl Builder<'_> {
    pub(super) fn vertical_plane(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        let start = read_start(reader, PoseIs::Optional);
        if start.animation.is_some() {
            reader.warn("<animation> of a vertical_plane has no effect: walls stay where they are");
        }
        if start.publish.is_some() {
            reader.warn("<publish> of a vertical_plane has no effect: its pose never changes");
        }
        let number = |name, default| reader.f64(name, default, Accept::range(-MAX_COORDINATE, MAX_COORDINATE));
        let ends =
            [Vec2::new(number("x0", -10.0), number("y0", -10.0)), Vec2::new(number("x1", -10.0), number("y1", 10.0))];
        let low = number("z", 0.0);
        let height = reader.f64("height", 3.0, Accept::range(0.0, MAX_COORDINATE));
        let mut info = WallInfo {
            name: String::new(),
            label: read_label(reader, label::WALL),
            world_from_wall: start.pose,
            ends,
            z: [low, low + height],
            thickness: reader.f64("thickness", 0.02, Accept::range(0.0, MAX_COORDINATE)),
            color: reader.color("color", [0xa0, 0xa0, 0xa0, 0xff]),
            texture: read_texture(reader, "texture", tiles(reader)),
            is_lit: reader.bool("enable_shadows", true),
            cull: reader.choice("cull_face", CullFaces::None, CullFaces::NAMES),
            openings: Vec::new(),
        };
        for (tag, kind) in [("door", OpeningKind::Door), ("window", OpeningKind::Window)] {
            info.openings.extend(reader.children(tag).into_iter().filter_map(|tag| read_opening(tag, kind)));
        }
        if info.length() < 1e-9 {
            reader.warn(format!("a wall of no length at ({}, {})", ends[0].x, ends[0].y));
        } else {
            info.name = self.names.numbered("vertical_plane", 1, |stem, number| format!("{stem}_{number}"));
            self.vertical_planes.push(info);
        }
        reader.finish();
    }
}

/// A `<door>` or `<window>`. None, with a warning, for one without width.
fn read_opening(tag: Reader<'_>, kind: OpeningKind) -> Option<Opening> {
    let number = |names: &[&str], default: f64| {
        // The tag takes precedence, then the attributes in order; all are read, so that none counts as unknown.
        let attributes: Vec<f64> =
            names.iter().filter_map(|name| tag.optional_attribute_f64(name, Accept::any())).collect();
        tag.optional_f64(names[0], Accept::any()).or(attributes.first().copied()).unwrap_or(default)
    };
    let given = number(&["position"], 0.5);
    let position = given.clamp(0.0, 1.0);
    if position != given {
        let message = format!("position {given} of {} is taken as {position}", tag.describe());
        tag.context().warn(tag.place_of("position"), message).accepted(["0 to 1, a share of the wall's length"]);
    }
    let width = number(&["width"], 1.0);
    let z = [number(&["z_min", "z_start"], 0.0), number(&["z_max", "z_end"], 2.1)];
    let attribute = tag.attribute_raw("name");
    let name = tag.text("name").filter(|name| !name.is_empty()).or(attribute);
    let is_open = width > 0.0;
    if !is_open {
        let message = format!("width {width} of {}: it is left out", tag.describe());
        tag.context().warn(tag.place_of("width"), message).accepted(["a finite number > 0"]);
    }
    tag.finish();
    is_open.then(|| Opening { kind, name: name.unwrap_or_default(), position, width, z })
}
