//! `<element class="horizontal_plane">`: level ground, floors and elevators. Bodies stand on it, and nothing collides with it.
//!
//! ```xml
//! <element class="horizontal_plane">
//!   <x_min>-10</x_min> <x_max>10</x_max>                  [m], in the plane's frame
//!   <y_min>-10</y_min> <y_max>10</y_max>                  [m]
//!   <z>0</z>                                              [m]
//!   <init_pose>x y yaw</init_pose>                        its frame in the world; default the world's; or <init_pose3d>
//!   <animation type="keyframes"> … </animation>           as of blocks
//!   <label>ground</label>                                 class in labels
//!   <color>#a0a0a0ff</color>                              for viewers, as are the tags below
//!   <enable_shadows>true</enable_shadows> <cull_face>NONE</cull_face>     NONE, FRONT, BACK
//!   <texture>image.png</texture> <texture_size_x>1</texture_size_x> <texture_size_y>1</texture_size_y>   a tile [m], > 0
//! </element>
//! ```
//! Its height is that of the file: planes are not set on other ground. One that is level at 0 shows the ground on which bodies stand without it,
//! too: it changes no motion, and steps cost what they cost without it.

use skidpad_xml::{Accept, Reader};

use super::Builder;
use super::label::read_label;
use super::simulable::{PoseIs, Start, read_start};
use super::visual::{read_texture, tiles};
use crate::world::Scene;
use crate::world::animation::Keyframes;
use crate::world::label;
use crate::world::terrain::{PlaneInfo, Terrain};
use crate::world::visual::CullFaces;

/// A plane as read.
pub(super) struct Loaded {
    info: PlaneInfo,
    animation: Option<Keyframes>,
}

/// Adds the planes to the scene and to the ground. Returns the moving ones with their indices.
pub(super) fn place(loaded: Vec<Loaded>, scene: &mut Scene, terrain: &mut Terrain) -> Vec<(usize, Keyframes)> {
    let mut moving = Vec::new();
    for (index, Loaded { info, animation }) in loaded.into_iter().enumerate() {
        terrain.add_plane(&info);
        moving.extend(animation.map(|keyframes| (index, keyframes)));
        scene.planes.push(info);
    }
    moving
}

impl Builder<'_> {
    pub(super) fn horizontal_plane(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        let Start { pose, animation, publish, .. } = read_start(reader, PoseIs::Optional);
        if publish.is_some() {
            reader.warn("<publish> of a horizontal_plane has no effect");
        }
        let info = PlaneInfo {
            name: self.names.numbered("horizontal_plane", 1, |stem, number| format!("{stem}_{number}")),
            label: read_label(reader, label::GROUND),
            world_from_start: pose,
            x: read_range(reader, "x_min", "x_max"),
            y: read_range(reader, "y_min", "y_max"),
            z: reader.f64("z", 0.0, Accept::any()),
            color: reader.color("color", [0xa0, 0xa0, 0xa0, 0xff]),
            is_lit: reader.bool("enable_shadows", true),
            cull: reader.choice("cull_face", CullFaces::None, CullFaces::NAMES),
            texture: read_texture(reader, "texture", tiles(reader)),
            is_animated: animation.is_some(),
        };
        self.planes.push(Loaded { info, animation });
        reader.finish();
    }
}

fn read_range(reader: &Reader<'_>, low: &str, high: &str) -> [f64; 2] {
    let ends = [reader.f64(low, -10.0, Accept::any()), reader.f64(high, 10.0, Accept::any())];
    if ends[0] > ends[1] {
        reader
            .warn(format!("a plane from <{low}> {} to <{high}> {} covers nothing", ends[0], ends[1]))
            .hint("swap the two values");
    }
    ends
}
