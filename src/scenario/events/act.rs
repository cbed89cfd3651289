//! Does to a world what an event says.

use std::path::Path;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::{Pose2, Twist2};
use skidpad_sim::vehicle::Command;
use skidpad_sim::world::{
    BodyRef, EntityId, OdometryOnTeleport, Recipe, Scene, SpawnRequest, SpawnSource, Spot, Touched, World,
};

use super::patch::with_patches;
use super::{Event, OdometryWord, Patch, Placement, SpawnWords, faults};

/// Does the action of an event; `folder` is that of the scenario.
///
/// # Errors
/// It cannot be done, as of a body that is not there.
pub(super) fn act(event: &Event, world: &mut World, folder: &Path) -> Result<(), Diagnostics> {
    let (words, body) = (&event.words, event.body.as_str());
    if let Some(command) = &words.command {
        let vehicle = vehicle(world.scene(), body)?;
        let action = command.action(&world.scene().vehicles[vehicle].accepts);
        world.command(Command { vehicle, action }).map_err(|refused| Diagnostic::of(refused.to_string()))?;
    }
    if let Some(to) = &words.teleport {
        teleport(world, id_of(world.scene(), body)?, to)?;
    }
    if let Some(spawned) = &words.spawn {
        spawn(world, spawned, folder)?;
    }
    if let Some(name) = &words.remove {
        let id = id_of(world.scene(), name)?;
        world.remove(id).map_err(|refused| Diagnostic::of(refused.to_string()))?;
    }
    if words.is_fault() {
        faults::begin(event, world)?;
    }
    for (name, value) in words.set.iter().flatten() {
        let index = vehicle(world.scene(), body)?;
        let id = world.scene().vehicles[index].id;
        world.tune(id, name, *value).map_err(|refused| Diagnostic::from(&refused))?;
    }
    Ok(())
}

/// The index of the vehicle of this name; empty: the only one.
pub(super) fn vehicle(scene: &Scene, name: &str) -> Result<usize, Diagnostic> {
    let names = || scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect::<Vec<_>>();
    match (name, scene.vehicles.len()) {
        ("", 1) => Ok(0),
        ("", _) => {
            Err(Diagnostic::new("vehicle", "the world has several vehicles, but none is named").accepted_all(names()))
        }
        _ => scene
            .vehicle_index(name)
            .ok_or_else(|| Diagnostic::new("vehicle", format!("\"{name}\" does not exist")).one_of(name, &names())),
    }
}

fn id_of(scene: &Scene, name: &str) -> Result<EntityId, Diagnostic> {
    match scene.body(name) {
        Some(BodyRef::Block(index)) => Ok(scene.blocks[index].id),
        Some(BodyRef::Vehicle(index)) => Ok(scene.vehicles[index].id),
        None if name.is_empty() => vehicle(scene, name).map(|index| scene.vehicles[index].id),
        None => {
            let blocks = scene.blocks.iter().map(|block| block.name.as_str());
            let names: Vec<&str> = scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).chain(blocks).collect();
            Err(Diagnostic::new("body", format!("\"{name}\" does not exist")).one_of(name, &names))
        }
    }
}

fn teleport(world: &mut World, id: EntityId, to: &Placement) -> Result<(), Diagnostic> {
    world.set_odometry_on_teleport(match to.odometry {
        OdometryWord::Continuous => OdometryOnTeleport::Continuous,
        OdometryWord::Reset => OdometryOnTeleport::Reset,
    });
    let pose = Pose2::new(to.at[0], to.at[1], to.yaw);
    let is_static = world.scene().block_of(id).is_some_and(|index| world.scene().blocks[index].is_static);
    // A static block has no velocity, not even that of rest.
    let velocity = (!is_static || to.speed != 0.0).then(|| Twist2::new(to.speed, 0.0, 0.0));
    world.set_state(id, Some(pose), velocity).map_err(|refused| Diagnostic::of(refused.to_string()))
}

/// What an event adds, built; `folder` is that of the scenario.
///
/// # Errors
/// There is no such class or file, or it has mistakes.
pub(super) fn recipe(words: &SpawnWords, world: &World, folder: &Path) -> Result<Recipe, Diagnostic> {
    let source = match (&words.class, &words.file) {
        (Some(class), _) => SpawnSource::Class(class.clone()),
        (None, file) => SpawnSource::File(folder.join(file.as_deref().unwrap_or(Path::new("")))),
    };
    let pose = Some(Pose2::new(words.at[0], words.at[1], words.yaw).into());
    let request = SpawnRequest { name: words.name.clone(), source, pose };
    world.catalogue().recipe(&request).map_err(|problem| Diagnostic::of(problem.to_string()))
}

fn spawn(world: &mut World, words: &SpawnWords, folder: &Path) -> Result<(), Diagnostic> {
    let recipe = recipe(words, world, folder)?;
    let id = world.spawn(recipe).map_err(|problem| Diagnostic::of(problem.to_string()))?;
    if words.speed != 0.0 {
        let velocity = Some(Twist2::new(words.speed, 0.0, 0.0));
        world.set_state(id, None::<Spot>, velocity).map_err(|problem| Diagnostic::of(problem.to_string()))?;
    }
    Ok(())
}

/// Gives a world these patches, and no others; `text` is that of its file.
///
/// # Errors
/// The world cannot take them.
pub(super) fn lay(world: &mut World, text: &str, patches: &[Patch]) -> Result<(), Diagnostics> {
    let edited = with_patches(text, patches).ok_or_else(|| Diagnostic::of("the world file has no root"))?;
    let amendment = world.amendment(edited, Touched::default()).map_err(|problems| Diagnostics::from(&problems))?;
    match world.amend(amendment).restarted {
        Some(why) => Err(Diagnostic::of(format!("the ground cannot be changed while the world runs: {why}")).into()),
        None => Ok(()),
    }
}
