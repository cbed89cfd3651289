//! `<visual>`: meshes of bodies.
//!
//! ```xml
//! <visual enabled="true">                         false: as if it were not there
//!   <model_uri>robot.dae</model_uri>              the mesh; without it the tag has no effect
//!   <model_scale>1</model_scale>                  [-]
//!   <model_offset_x>0</model_offset_x> …_y …_z    [m]
//!   <model_yaw>0</model_yaw> …_pitch …_roll       [deg]
//!   <model_color>#ffffff</model_color>            anything but white replaces the mesh's own colours
//!   <model_cull_faces>NONE</model_cull_faces>     NONE, FRONT or BACK: which faces viewers leave out
//!   <show_bounding_box>false</show_bounding_box>
//!   <seen_by>all</seen_by>                        all or cameras: which sensors see it
//!   <show_housings>false</show_housings>          whether viewers add housings of lidars and cameras
//!   <name>group</name>                            what a wheel's linked_yaw calls it
//!   <wheel_radius>0.3</wheel_radius>              [m]: of an actor alone; the mesh is a wheel, which rolls
//! </visual>
//! ```
//! Values see no variables of the world, as in MVSim. `<model_split_size>` concerns MVSim's renderer alone.

use skidpad_files::mesh::Meshes;
use skidpad_math::Pose3;
use skidpad_xml::{Accept, Reader, Scope};

use crate::raycast::space::{Looker, SeenBy};
use crate::world::visual::{CullFaces, Texture, Visual};

const WHITE: [u8; 4] = [0xff; 4];

/// Reads all `<visual>` children of an element, those of its class after its own. Those without `<model_uri>`, and those with
/// `enabled="false"`, are left out; one whose file is missing or cannot be read is kept without it, with a warning.
pub(super) fn read_visuals(reader: &Reader<'_>, meshes: &Meshes) -> Vec<Visual> {
    read_all(reader, meshes, false)
}

/// The same of an actor, whose meshes may be wheels.
pub(super) fn read_actor_visuals(reader: &Reader<'_>, meshes: &Meshes) -> Vec<Visual> {
    read_all(reader, meshes, true)
}

fn read_all(reader: &Reader<'_>, meshes: &Meshes, may_roll: bool) -> Vec<Visual> {
    let tags = reader.children("visual").into_iter().map(|tag| tag.with_scope(Scope::Constant));
    let enabled = tags.filter(|tag| tag.attribute_bool("enabled", true));
    enabled.filter_map(|tag| read_visual(tag, meshes, may_roll)).collect()
}

fn read_visual(tag: Reader<'_>, meshes: &Meshes, may_roll: bool) -> Option<Visual> {
    tag.ignore(&["model_split_size"]);
    let uri = tag.text("model_uri").filter(|uri| !uri.is_empty());
    let seen_by = tag.choice("seen_by", SeenBy::All, SeenBy::NAMES);
    // A build without readers has vehicles whose models are for cameras alone; it says so where a camera is.
    let is_read = cfg!(feature = "meshes") || seen_by.includes(Looker::Lidar);
    let file = uri.is_some().then(|| tag.asset("model_uri")).flatten().filter(|file| match meshes.load(file) {
        Ok(_) => true,
        Err(_) if !is_read => true,
        Err(error) => {
            let problem = tag.context().file_problem(&*error);
            tag.context().warn(tag.place_of("model_uri"), problem.first_line()).parts_of(problem);
            false
        }
    });
    let number = |name: &str, default: f64| tag.f64(name, default, Accept::any());
    let angle = |name: &str| tag.degrees(name, 0.0, Accept::any());
    let body_from_mesh = Pose3 {
        x: number("model_offset_x", 0.0),
        y: number("model_offset_y", 0.0),
        z: number("model_offset_z", 0.0),
        yaw: angle("model_yaw"),
        pitch: angle("model_pitch"),
        roll: angle("model_roll"),
    };
    let visual = Visual {
        uri: uri.clone().unwrap_or_default(),
        file,
        body_from_mesh,
        scale: number("model_scale", 1.0),
        color: Some(tag.color("model_color", WHITE)).filter(|&color| color != WHITE),
        cull: tag.choice("model_cull_faces", CullFaces::None, CullFaces::NAMES),
        name: tag.text("name").unwrap_or_default(),
        show_bounding_box: tag.bool("show_bounding_box", false),
        seen_by,
        show_housings: tag.bool("show_housings", false),
        wheel_radius: (may_roll && tag.has("wheel_radius"))
            .then(|| tag.f64("wheel_radius", 1.0, Accept::range(1e-3, 1e3))),
    };
    tag.finish();
    uri.is_some().then_some(visual)
}

/// The picture named in a child, if any; `size` [m] is that of one picture.
pub(super) fn read_texture(reader: &Reader<'_>, tag: &str, size: [f64; 2]) -> Option<Texture> {
    let uri = reader.text(tag).filter(|uri| !uri.is_empty())?;
    Some(Texture { file: reader.asset(tag), uri, size, turn: 0.0 })
}

/// Size of a picture on a plane [m].
pub(super) fn tiles(reader: &Reader<'_>) -> [f64; 2] {
    ["texture_size_x", "texture_size_y"].map(|tag| reader.f64(tag, 1.0, Accept::positive()))
}
