//! The worlds that can be loaded, and the one that is simulated, as callers list them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::assets::Reach;
use skidpad_files::input_file;
use skidpad_math::Pose3;
use skidpad_sim::world::{EntityRef, World};

use super::bounds::Corners;
use super::outcome::code::world::DEFAULT_SOURCES_FAILED;
use super::outcome::{Outcome, Refusal, code};
use super::resource::{Resource, ResourceKind, file_uri};

/// Ending of the files of worlds.
pub const ENDING: &str = ".world.xml";
/// How much of a file is read for its first comment [bytes].
const MAX_START: u64 = 64 << 10;
/// The world that is simulated.
#[derive(Clone, Debug)]
pub struct Current {
    pub entry: Entry,
    /// The start poses of its vehicles.
    pub poses: Arc<[NamedPose]>,
}

/// A world in a list of worlds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub resource: Resource,
    pub description: String,
}

/// The start pose of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedPose {
    /// The vehicle's name.
    pub name: String,
    pub description: String,
    pub tags: Vec<String>,
    pub pose: Pose3,
    /// The box of the vehicle that starts there, in its frame [m].
    pub bounds: Option<Corners>,
}

impl Current {
    /// A world that has been loaded from a file and not stepped yet.
    pub fn of_file(path: &Path, world: &World) -> Current {
        Current::new(entry(path), world)
    }

    /// A world with this entry, not stepped yet.
    pub fn new(entry: Entry, world: &World) -> Current {
        let scene = world.scene();
        let poses = scene.vehicles.iter().enumerate().map(|(index, vehicle)| NamedPose {
            name: vehicle.name.clone(),
            description: format!("where the vehicle {} starts", vehicle.name),
            tags: vec!["start".to_owned()],
            pose: world.frame().pose_of(EntityRef::Vehicle(index)),
            bounds: world.scene().bounds_of(EntityRef::Vehicle(index)),
        });
        Current { entry, poses: poses.collect() }
    }
}

/// The entry of a world's file.
pub fn entry(path: &Path) -> Entry {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = file.strip_suffix(ENDING).unwrap_or(&file).to_owned();
    let start = input_file::open(path).and_then(|file| {
        let mut start = Vec::new();
        file.take(MAX_START).read_to_end(&mut start).map(|_| start)
    });
    let description = start.map(|start| first_comment(&String::from_utf8_lossy(&start))).unwrap_or_default();
    Entry { name, resource: Resource { uri: file_uri(path), text: String::new() }, description }
}

/// The comment at the beginning of a text, on one line.
pub(crate) fn first_comment(text: &str) -> String {
    let Some((before, rest)) = text.split_once("<!--") else { return String::new() };
    let is_first =
        before.trim().is_empty() || (before.trim_start().starts_with("<?") && before.trim_end().ends_with("?>"));
    match rest.split_once("-->") {
        Some((comment, _)) if is_first => comment.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

/// The worlds in a folder, sorted by name; or the world of a single file.
fn worlds_in(source: &Path) -> std::io::Result<Vec<Entry>> {
    if source.is_file() {
        return Ok(vec![entry(source)]);
    }
    let mut worlds: Vec<Entry> = std::fs::read_dir(source)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(ENDING))
        .map(|path| entry(&path))
        .collect();
    worlds.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(worlds)
}

/// All worlds of the default folders that exist, and of further sources. Of two worlds with the same name in the default folders the first
/// is used.
pub fn list(folders: &[PathBuf], further: &[String], goes_on: bool, reach: &Reach) -> Outcome<Vec<Entry>> {
    let mut worlds: Vec<Entry> = Vec::new();
    let mut failed: Vec<(u8, String)> = Vec::new();
    for folder in folders.iter().filter(|folder| folder.exists()) {
        match worlds_in(folder) {
            Ok(entries) => {
                let is_new = |entry: &Entry| worlds.iter().all(|other| other.name != entry.name);
                let entries: Vec<Entry> = entries.into_iter().filter(is_new).collect();
                worlds.extend(entries);
            }
            Err(error) => failed.push((DEFAULT_SOURCES_FAILED, format!("{}: {error}", folder.display()))),
        }
    }
    let permitted = |path: &Path| {
        let path = reach.file(path).map_err(|refusal| refusal.to_string())?;
        worlds_in(&path).map_err(|error| error.to_string())
    };
    for source in further {
        let resource = Resource { uri: source.clone(), text: String::new() };
        let entries = match resource.kind() {
            ResourceKind::File(path) => permitted(&path),
            ResourceKind::Name(name) => permitted(Path::new(&name)),
            ResourceKind::Unsupported(reason) => Err(reason),
            ResourceKind::Nothing | ResourceKind::Text(_) => Err("empty\n  accepted: a folder or a file".to_owned()),
        };
        match entries {
            Ok(entries) => worlds.extend(entries),
            Err(reason) => failed.push((code::OPERATION_FAILED, format!("source \"{source}\": {reason}"))),
        }
    }
    match failed.first() {
        Some((code, _)) if !goes_on || worlds.is_empty() => {
            let reasons: Vec<&str> = failed.iter().map(|(_, reason)| reason.as_str()).collect();
            Err(Refusal::new(*code, reasons.join("\n")))
        }
        _ => Ok(worlds),
    }
}
