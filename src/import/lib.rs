//! Robots and worlds of other simulators as skidpad's own files: a URDF or an SDF model becomes a vehicle class, a world of SDF a world.
//!
//! | Step | Files |
//! |---|---|
//! | a description as links and joints | `urdf` (and `xacro`), `sdf` (and `includes`, `merge`, `frames`) → `robot`, `shape`, `pose`, `files`, `search` |
//! | which joints carry wheels, and which drive they make | `plugins`, `controllers`, `wheels`, `layout` |
//! | the numbers of the class | `mass`, `balance`, `sensors` → `vehicle`, `class` |
//! | its text | `class_text`, `solids`, `text` |
//! | a drive of it | `trial` |
//! | a world: its models as blocks, walls and vehicles | `world`, `state`, `scenery`, `floor`, `section` → `world_text` |
//!
//! What cannot be carried over is a warning at its place. Everything that a description can make long is bounded: files and tags by
//! [`skidpad_xml`], meshes by their bytes, included models by number and depth.

mod balance;
mod class;
mod class_text;
mod controllers;
mod files;
mod floor;
mod frames;
mod includes;
mod layout;
mod mass;
mod merge;
mod plugins;
mod pose;
mod robot;
mod scenery;
mod sdf;
mod search;
mod section;
mod sensors;
mod shape;
mod solids;
mod stand_ins;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod trial;
mod urdf;
mod vehicle;
mod wheels;
mod world;
mod world_text;
mod xacro;

use std::io;
use std::path::Path;

use skidpad_files::assets::{self, shown};
use skidpad_xml::{Context, Element, Options, Problem, Reader, Scope};

use class::VehicleClass;
use files::Files;
use robot::Robot;

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name, without a folder.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct Imported {
    /// The files to write into the folder, of which the last one is a world.
    pub files: Vec<OutputFile>,
    /// A line for each vehicle and for the things of a world.
    pub summary: Vec<String>,
    /// What could not be carried over.
    pub warnings: Vec<Problem>,
    /// Why there are no files.
    pub errors: Vec<Problem>,
}

/// Imports the description at `path` as files for the folder `out`, which need not exist. `library`: the folder of the project's worlds, whose blocks
/// stand in for models that are not there; none: such models are left out.
///
/// # Errors
/// A text cannot be written as XML. Problems of the description are in the result.
pub fn import(path: &Path, out: &Path, library: Option<&Path>) -> io::Result<Imported> {
    let context = Context::new(Options {
        assets: assets::Settings { offline: true, ..assets::Settings::default() },
        ..Options::default()
    });
    let mut files = Files::new(out);
    files.library = library.map(Path::to_path_buf);
    let mut imported = Imported::default();
    if let Some(roots) = context.read_plain(path, None)
        && let Some(root) = root(&context, path, &roots)
    {
        read(&context, root, &files, &shown(path), &mut imported)?;
        let scaled = files.scaled_files(&imported.files);
        imported.files.splice(0..0, scaled);
    }
    (imported.errors, imported.warnings) = context.finish();
    if !imported.errors.is_empty() {
        imported.files.clear();
        imported.summary.clear();
    }
    Ok(imported)
}

/// The element of a description; an error where there is none.
fn root<'a>(context: &Context, path: &Path, roots: &'a [Element]) -> Option<&'a Element> {
    let accepted = ["<robot> (URDF)", "<sdf>"];
    match roots.first() {
        Some(root) if ["robot", "sdf", "gazebo"].contains(&root.tag.as_str()) => Some(root),
        Some(root) => {
            context.error(&root.place, format!("root element is <{}>", root.tag)).accepted(accepted);
            None
        }
        None => {
            context.error(&skidpad_xml::Place::of_file(&shown(path)), "no element in it").accepted(accepted);
            None
        }
    }
}

fn read(context: &Context, root: &Element, files: &Files, source: &str, imported: &mut Imported) -> io::Result<()> {
    if root.tag == "robot" {
        return urdf::read(context, root, files).map_or(Ok(()), |robot| add_robot(context, &robot, source, imported));
    }
    if !xacro::is_expanded(context, root) {
        return Ok(());
    }
    let includes = includes::Includes::new(context, files);
    let root = includes.expand(root, 0);
    if includes.is_full() {
        return Ok(());
    }
    let reader = Reader::new(context, &root).with_scope(Scope::Constant);
    let version = sdf::version_of(&reader);
    if let Some(tag) = reader.child("world") {
        let stem = Path::new(source).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let world = world::read(context, &tag, version, files, &stem);
        if context.has_errors() {
            return Ok(());
        }
        world.classes.iter().try_for_each(|class| add_class(class, source, imported))?;
        imported.summary.push(world.summary());
        let text = world_text::world(&world, source)?;
        imported.files.push(OutputFile { name: format!("{}.world.xml", world.name), text });
        return Ok(());
    }
    let Some(model) = reader.child("model") else {
        reader.error("neither a model nor a world in it").accepted(["<model>", "<world>"]);
        return Ok(());
    };
    sdf::read(context, &model, version, files).map_or(Ok(()), |robot| add_robot(context, &robot, source, imported))
}

/// Adds the class of a robot, and a world to try it in.
fn add_robot(context: &Context, robot: &Robot<'_>, source: &str, imported: &mut Imported) -> io::Result<()> {
    let Some(class) = vehicle::convert(context, robot).filter(|_| !context.has_errors()) else { return Ok(()) };
    add_class(&class, source, imported)?;
    let world = class_text::world(&class, &format!("{}.vehicle.xml", class.name))?;
    imported.files.push(OutputFile { name: format!("{}.world.xml", class.name), text: world });
    Ok(())
}

/// Adds the files of a class, and a line about it.
fn add_class(class: &VehicleClass, source: &str, imported: &mut Imported) -> io::Result<()> {
    let (solids, library) = (format!("{}_shapes.obj", class.name), format!("{}_shapes.mtl", class.name));
    let texts = solids::files(&class.solids, &library);
    let text = class_text::class(class, source, texts.as_ref().map(|_| solids.as_str()))?;
    for (name, text) in [solids, library].into_iter().zip(texts.into_iter().flatten()) {
        imported.files.push(OutputFile { name, text });
    }
    imported.files.push(OutputFile { name: format!("{}.vehicle.xml", class.name), text });
    imported.summary.extend([class.summary(), trial::drive(class)]);
    Ok(())
}
