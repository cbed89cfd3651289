//! Mutated files of worlds/: loaded, and where that is a world, stepped, drawn, described as URDF and reset.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::Rng as _;

use skidpad::interface::names::VehicleNames;
use skidpad::preset::SKIDPAD;
use skidpad::sensor::MAX_MEMORY;
use skidpad::urdf::Robot;
use skidpad::view::build::scene_view;
use skidpad::world::{LoadOptions, PhysicsRules, World};

use super::damage::choice;
use super::supervisor::{Attack, Input};
use super::world_damage::damaged;
use super::{Rng, root};

/// Steps of a world that loads; fewer where they take longer than [`STEPPING`].
const STEPS: usize = 30;
/// Wall time for them.
const STEPPING: Duration = Duration::from_millis(500);

/// What there is in worlds/.
pub(crate) struct Worlds {
    /// Paths from worlds/, and texts.
    files: Vec<(PathBuf, String)>,
    /// For each of them the worlds that name it; a world names itself.
    worlds: Vec<Vec<PathBuf>>,
    /// The folder that files were written over in, and with which.
    changed: Option<(PathBuf, Vec<u8>)>,
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { paths.extend(files(&path)) } else { paths.push(path) }
    }
    paths.sort();
    paths
}

impl Attack for Worlds {
    const NAME: &'static str = "worlds";
    const MAX_SENSORS: u64 = MAX_MEMORY;

    fn prepare(_: &Path) {}

    fn new(_: &Path) -> Worlds {
        let all = files(&root().join("worlds"));
        let texts: Vec<(PathBuf, String)> = all
            .iter()
            .filter(|path| path.extension().is_some_and(|ending| ending == "xml"))
            .map(|path| {
                (path.strip_prefix(root().join("worlds")).unwrap().to_owned(), std::fs::read_to_string(path).unwrap())
            })
            .collect();
        let is_world = |path: &Path| path.to_string_lossy().ends_with(".world.xml");
        let named = |(path, _): &(PathBuf, String)| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let names = |other: &PathBuf, text: &str| other == path || text.contains(&name);
            let through = |file: &str| {
                texts.iter().any(|(other, text)| {
                    !is_world(other)
                        && text.contains(&name)
                        && file.contains(&*other.file_name().unwrap().to_string_lossy())
                })
            };
            texts
                .iter()
                .filter(|(other, text)| is_world(other) && (names(other, text) || through(text)))
                .map(|(other, _)| other.clone())
                .collect()
        };
        let worlds = texts.iter().map(named).collect();
        Worlds { files: texts, worlds, changed: None }
    }

    fn input(&self, rng: &mut Rng) -> Input {
        let index = rng.random_range(0..self.files.len());
        let (path, text) = &self.files[index];
        let (_, other) = choice(rng, &self.files);
        let content = damaged(text, other, rng);
        let worlds = &self.worlds[index];
        let world = if worlds.is_empty() { path } else { choice(rng, worlds) };
        Input {
            files: vec![(path.clone(), content)],
            about: format!("in place of worlds/{}, then: skidpad run worlds/{}", path.display(), world.display()),
        }
    }

    fn attempt(&mut self, input: Input, folder: &Path, rng: &mut Rng) -> Option<u64> {
        self.restore(folder);
        let [(path, content)] = &input.files[..] else { unreachable!("one file at a time") };
        let world = input.about.rsplit("worlds/").next().unwrap_or_default();
        self.changed = Some((path.clone(), std::fs::read(folder.join(path)).unwrap()));
        std::fs::write(folder.join(path), content).unwrap();
        let options = LoadOptions {
            offline: true,
            cache: Some(folder.join("cache")),
            physics: rng.random_ratio(1, 4).then_some(PhysicsRules::Mvsim),
            ..LoadOptions::default()
        };
        let Ok((mut world, _)) = World::load(&folder.join(world), &options) else { return None };
        let sensors = world.sensor_load().memory;
        exercise(&mut world);
        Some(sensors)
    }
}

impl Worlds {
    /// Puts back what was changed; everything at first.
    fn restore(&mut self, folder: &Path) {
        match self.changed.take() {
            Some((path, content)) => std::fs::write(folder.join(path), content).unwrap(),
            None => {
                let worlds = root().join("worlds");
                for path in files(&worlds) {
                    let copy = folder.join(path.strip_prefix(&worlds).unwrap());
                    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
                    std::fs::copy(&path, copy).unwrap();
                }
            }
        }
    }
}

/// What the program does with a world that it was given.
fn exercise(world: &mut World) {
    let begun = Instant::now();
    // It may find that it goes beyond all numbers, and says so then.
    let _ = (0..STEPS).try_for_each(|_| if begun.elapsed() < STEPPING { world.step().map(drop) } else { Ok(()) });
    let (view, _) = scene_view(world.scene());
    serde_json::to_vec(&view).unwrap();
    for vehicle in &world.scene().vehicles {
        let names = VehicleNames::new(&SKIDPAD, &vehicle.name, false, false);
        let _ = Robot::new(vehicle, &names).to_xml();
    }
    world.reset();
    let _ = world.step().map(drop);
}
