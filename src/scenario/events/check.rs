//! Checks the events and criteria of a scenario against its world before the first step: also what may happen late, or never.

use std::path::Path;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::{Pose3, Twist2};
use skidpad_sim::world::{BlockInfo, BodyRef, Scene, StateError, VehicleInfo, World};

use super::{Event, Schedule, SpawnWords, act, faults};
use crate::expect::Expected;

/// Who a run has: the bodies of its world, and those that events add.
struct Cast<'a> {
    world: &'a World,
    spawned: Vec<Spawned<'a>>,
}

/// A body that an event adds.
struct Spawned<'a> {
    name: &'a str,
    kind: SpawnedKind,
}

/// What is known of it.
enum SpawnedKind {
    Vehicle(Box<VehicleInfo>),
    Block,
    /// Nothing: why has been told.
    Unknown,
}

impl<'a> Cast<'a> {
    fn scene(&self) -> &'a Scene {
        self.world.scene()
    }

    /// The names of all vehicles, and of what may be one.
    fn vehicles(&self) -> Vec<&str> {
        let spawned = self.spawned.iter().filter(|spawned| !matches!(spawned.kind, SpawnedKind::Block));
        self.scene().vehicles.iter().map(|info| info.name.as_str()).chain(spawned.map(|spawned| spawned.name)).collect()
    }

    /// The names of all bodies.
    fn bodies(&self) -> Vec<&str> {
        let scene = self.scene();
        let blocks = scene.blocks.iter().map(|info| info.name.as_str());
        let of_world = scene.vehicles.iter().map(|info| info.name.as_str()).chain(blocks);
        of_world.chain(self.spawned.iter().map(|spawned| spawned.name)).collect()
    }

    /// Why none of the vehicles of this name, which come one after the other, allows something; none if one does, or may.
    fn refusal(&self, name: &str, why: impl Fn(&VehicleInfo) -> Option<Diagnostic>) -> Option<Diagnostic> {
        let of_world = self.scene().vehicles.iter().filter(|info| info.name == name).map(&why);
        let spawned = self.spawned.iter().filter(|spawned| spawned.name == name).map(|spawned| match &spawned.kind {
            SpawnedKind::Vehicle(info) => why(info),
            SpawnedKind::Block | SpawnedKind::Unknown => None,
        });
        of_world.chain(spawned).reduce(|first, other| first.and_then(|first| other.map(|_| first))).flatten()
    }
}

impl Schedule {
    /// What names no vehicle, block, sensor or actor, neither of the world nor of those that are spawned, and what these cannot do; `expect` are
    /// the criteria of the scenario in this file. Returns warnings about what is spawned.
    ///
    /// # Errors
    /// All such mistakes.
    pub fn check(&self, world: &World, expect: &[Expected], file: &Path) -> Result<Vec<Diagnostic>, Diagnostics> {
        let (mut wrong, mut warnings) = (Vec::new(), Vec::new());
        let mut cast = Cast { world, spawned: Vec::new() };
        for event in self.events() {
            let Some(words) = &event.words.spawn else { continue };
            let (kind, reported) = self.check_spawn(words, &cast);
            cast.spawned.push(Spawned { name: &words.name, kind });
            match reported {
                Ok(reported) => warnings.extend(reported.into_iter().map(|warning| warning.at(&event.place))),
                Err(problem) => wrong.push(problem.at(&event.place)),
            }
        }
        for event in self.events() {
            let problem = unknown_name(event, &cast).or_else(|| refused(event, &cast));
            wrong.extend(problem.map(|problem| problem.at(&event.place)));
        }
        let vehicles = cast.vehicles();
        for Expected { words, kind, place: (line, column), .. } in expect {
            let unknown = words.vehicle.as_deref().filter(|name| !vehicles.contains(name));
            let name = words.vehicle.as_deref().unwrap_or(self.vehicle());
            let problem = match (unknown, &words.sensor) {
                (Some(name), _) => {
                    Some(Diagnostic::new("vehicle", format!("found \"{name}\"")).one_of(name, &vehicles))
                }
                (None, Some(sensor)) => cast.refusal(name, |info| faults::no_sensor(info, sensor)),
                (None, None) => None,
            };
            let place = || format!("{}:{line}:{column}", file.display());
            wrong.extend(problem.map(|problem| problem.at(kind.key()).at(place())));
        }
        if wrong.is_empty() { Ok(warnings) } else { Err(Diagnostics(wrong)) }
    }

    /// What an event adds beside `cast`, and the warnings about it, or why it cannot.
    fn check_spawn(&self, words: &SpawnWords, cast: &Cast<'_>) -> (SpawnedKind, Result<Vec<Diagnostic>, Diagnostic>) {
        let name = words.name.as_str();
        let recipe = match act::recipe(words, cast.world, self.folder()) {
            Ok(recipe) => recipe,
            Err(problem) => return (SpawnedKind::Unknown, Err(problem.at("spawn"))),
        };
        let kind = recipe.vehicle().map_or(SpawnedKind::Block, |info| SpawnedKind::Vehicle(Box::new(info.clone())));
        let goes = self.events().any(|event| event.words.remove.as_deref() == Some(name));
        let free = cast.world.free_name(name);
        let is_taken = free != name || cast.spawned.iter().any(|spawned| spawned.name == name);
        if is_taken && !goes {
            let found = format!("the name \"{name}\" is taken, and no event frees it");
            return (kind, Err(Diagnostic::new("spawn: name", found)));
        }
        let moves = |info: &BlockInfo| info.is_pushed();
        let is_fixed =
            recipe.vehicle().map_or(recipe.block().is_some_and(|info| !moves(info)), |info| info.is_animated);
        if is_fixed && words.speed != 0.0 {
            let found = format!("found {}, but \"{name}\" does not move freely", words.speed);
            return (kind, Err(Diagnostic::new("spawn: speed", found).accepted("0")));
        }
        (kind, Ok(recipe.warnings.iter().map(Diagnostic::from).collect()))
    }
}

/// The body or actor that an event names and that is not there.
fn unknown_name(event: &Event, cast: &Cast<'_>) -> Option<Diagnostic> {
    let words = &event.words;
    let needs_vehicle = words.command.is_some()
        || words.set.is_some()
        || words.is_goal()
        || words.initial_pose.is_some()
        || words.is_fault_of_vehicle();
    let of_when = words.when.as_ref().and_then(|when| when.vehicle.as_deref());
    let (vehicles, bodies) = (cast.vehicles(), cast.bodies());
    let names = [
        ("vehicle", needs_vehicle.then_some(event.body.as_str()), &vehicles),
        ("vehicle", words.teleport.is_some().then_some(event.body.as_str()), &bodies),
        ("remove", words.remove.as_deref(), &bodies),
        ("when: vehicle", of_when, &vehicles),
    ];
    let unknown = names.into_iter().find_map(|(key, name, known)| {
        let name = name.filter(|name| !known.contains(name))?;
        Some(Diagnostic::new(key, format!("found \"{name}\"")).one_of(name, known))
    });
    unknown.or_else(|| faults::unknown_actor(words, cast.scene()))
}

/// What an event asks of a body that cannot do it.
fn refused(event: &Event, cast: &Cast<'_>) -> Option<Diagnostic> {
    let (words, body) = (&event.words, event.body.as_str());
    let of_vehicle = cast.refusal(body, |info| {
        let command =
            words.command.as_ref().and_then(|command| info.check_command(&command.action(&info.accepts)).err());
        let gain = || words.set.iter().flatten().find_map(|(name, value)| info.check_tuning(name, *value).err());
        let fixed =
            || words.teleport.as_ref().filter(|_| info.is_animated).map(|_| StateError::Fixed(info.name.clone()));
        command
            .map(|refused| Diagnostic::from(&refused))
            .or_else(|| gain().map(|refused| Diagnostic::from(&refused).at("set")))
            .or_else(|| fixed().map(|refused| Diagnostic::of(refused.to_string())))
            .or_else(|| faults::impossible(words, info))
    });
    let of_block = || {
        let to = words.teleport.as_ref()?;
        let Some(BodyRef::Block(index)) = cast.scene().body(body) else { return None };
        let velocity = (to.speed != 0.0).then(|| Twist2::new(to.speed, 0.0, 0.0));
        let refused = cast.world.check_state(cast.scene().blocks[index].id, Some(Pose3::default()), velocity).err()?;
        Some(Diagnostic::of(refused.to_string()))
    };
    of_vehicle.or_else(of_block)
}
