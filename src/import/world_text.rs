//! A world as a file.

use std::collections::BTreeSet;
use std::io;

use super::class_text::{write_shape, write_visual};
use super::scenery::{SceneBlock, Thing, WALL};
use super::sensors::pose_text;
use super::text::{Out, color, number, numbers};
use super::world::SdfWorld;

/// The text of a world that was imported from `source`.
pub(super) fn world(world: &SdfWorld, source: &str) -> io::Result<String> {
    let mut out = Out::new();
    out.comment(&format!("World {}, imported by skidpad import from {source}.", world.name))?;
    out.with("mvsim_world", &[("version", "1.0".to_owned())], |out| {
        if let Some(gravity) = world.gravity {
            out.text("gravity", &number(gravity))?;
        }
        if let Some([latitude, longitude, height, heading]) = world.place {
            out.with("georeference", &[], |out| {
                out.text("latitude", &number(latitude))?;
                out.text("longitude", &number(longitude))?;
                out.text("height", &number(height))?;
                out.text("world_to_enu_rotation_deg", &number(heading))
            })?;
        }
        if let Some([azimuth, elevation]) = world.sun {
            out.with("lights", &[], |out| {
                out.text("light_azimuth_deg", &number(azimuth.to_degrees()))?;
                out.text("light_elevation_deg", &number(elevation.to_degrees()))
            })?;
        }
        out.empty("element", &[("class", "ground_grid".to_owned())])?;
        let stand_ins: BTreeSet<&String> = world
            .things
            .iter()
            .filter_map(|thing| if let Thing::StandIn { file, .. } = thing { Some(file) } else { None })
            .collect();
        stand_ins.into_iter().try_for_each(|file| out.empty("include", &[("file", file.clone())]))?;
        for thing in &world.things {
            write_thing(out, thing)?;
        }
        for class in &world.classes {
            out.empty("include", &[("file", format!("{}.vehicle.xml", class.name))])?;
        }
        for vehicle in &world.vehicles {
            out.with("vehicle", &[("name", vehicle.name.clone()), ("class", vehicle.class.clone())], |out| {
                out.text("init_pose3d", &pose_text(&vehicle.pose))
            })?;
        }
        Ok(())
    })?;
    out.finish()
}

fn write_thing(out: &mut Out, thing: &Thing) -> io::Result<()> {
    match thing {
        Thing::Block(block) => write_block(out, block),
        Thing::StandIn { name, class, pose, is_static, .. } => {
            out.with("block", &[("name", name.clone()), ("class", class.clone())], |out| {
                if *is_static {
                    out.text("static", "true")?;
                }
                out.text("init_pose3d", &pose_text(pose))
            })
        }
        Thing::Plane { pose, size: [x, y], color: painted } => {
            out.with("element", &[("class", "horizontal_plane".to_owned())], |out| {
                for (tag, value) in [("x_min", -0.5 * x), ("x_max", 0.5 * x), ("y_min", -0.5 * y), ("y_max", 0.5 * y)] {
                    out.text(tag, &number(value))?;
                }
                out.text("init_pose3d", &pose_text(pose))?;
                out.text("color", &color(*painted))
            })
        }
        Thing::Walls { lines, height, color: painted } => out.with("walls", &[], |out| {
            out.with("shape", &[], |out| {
                lines.iter().flatten().try_for_each(|end| out.text("pt", &numbers(&[end.x, end.y])))
            })?;
            out.text("wallThickness", &number(WALL))?;
            out.text("wallHeight", &number(*height))?;
            out.text("color", &color(*painted))
        }),
    }
}

fn write_block(out: &mut Out, block: &SceneBlock) -> io::Result<()> {
    out.with("block", &[("name", block.name.clone())], |out| {
        out.text("init_pose3d", &pose_text(&block.pose))?;
        match block.mass {
            Some(mass) => out.text("mass", &number(mass))?,
            None => {
                out.text("static", "true")?;
                out.empty("skip_elevation_adjust", &[])?;
            }
        }
        if block.is_intangible {
            out.text("intangible", "true")?;
        }
        write_shape(out, &block.outline)?;
        out.text("zmin", "0")?;
        out.text("zmax", &number(block.height))?;
        out.text("color", &color(block.color))?;
        block.visuals.iter().try_for_each(|visual| write_visual(out, visual))
    })
}
