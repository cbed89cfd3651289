//! Calls that list, load and unload worlds.

use std::path::{Path, PathBuf};

use skidpad_files::assets::Reach;
use skidpad_math::time::SimTime;
use skidpad_ros_data::preset::Preset;
use skidpad_sim::world::{BlockInfo, LoadOptions, Scene, VehicleInfo, World, map_world};
use skidpad_xml::{Problem, Problems};

use super::filter::Tags;
use super::outcome::code::load_world::{
    MISSING_ASSETS, NO_RESOURCE, RESOURCE_PARSE_ERROR, UNSUPPORTED_ELEMENTS, UNSUPPORTED_FORMAT,
};
use super::outcome::code::world::NO_WORLD_LOADED;
use super::outcome::{Outcome, Refusal};
use super::resource::{Resource, ResourceKind, file_uri};
use super::run_state::RunState;
use super::simulation::{Access, Simulation};
use super::world_list::{Current, ENDING, Entry, NamedPose, entry, first_comment, list};

/// The name of a world that was sent as text.
const FROM_TEXT: &str = "resource_string";

/// How strict a load is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strictness {
    /// Unknown elements and attributes are errors.
    pub rejects_unknown: bool,
    /// A missing mesh or texture is not an error.
    pub allows_missing_files: bool,
}

/// The file at `path`, if callers may load it: one within `reach`, or a world of the default folders, which may be a symbolic link.
fn permitted(path: &Path, folders: &[PathBuf], reach: &Reach) -> Outcome<PathBuf> {
    reach.file(path).or_else(|refusal| {
        let uri = file_uri(path);
        let listed = list(folders, &[], true, reach).unwrap_or_default();
        match listed.iter().any(|world| world.resource.uri == uri) {
            true => Ok(path.to_path_buf()),
            false => Err(Refusal::not_found(format!("uri: {refusal}\n  hint: the parameter load_folders lists them"))),
        }
    })
}

/// Reads a world, which may take long.
fn load(
    resource: &Resource,
    folders: &[PathBuf],
    options: &LoadOptions,
    strictness: Strictness,
) -> Outcome<(World, Entry)> {
    let nothing = Reach::default();
    let reach = options.reach.as_deref().unwrap_or(&nothing);
    let wrong = |problems| Refusal::new(RESOURCE_PARSE_ERROR, Problems(problems));
    let (world, warnings, entry) = match resource.kind() {
        ResourceKind::Nothing => {
            return Err(Refusal::new(NO_RESOURCE, "world: neither uri nor resource_string is given"));
        }
        ResourceKind::Unsupported(reason) => {
            let accepted = "a world's name, file://… of a world or a map, or the XML of a world";
            return Err(Refusal::new(UNSUPPORTED_FORMAT, format!("{reason}\n  accepted: {accepted}")));
        }
        ResourceKind::Text(text) => {
            // Text from a caller must not execute programs on this machine.
            let options = LoadOptions { allow_commands: false, ..options.clone() };
            let directory = std::env::current_dir().unwrap_or_default();
            let (world, warnings) =
                World::load_text(FROM_TEXT, &directory, &text, &options).map_err(|problems| wrong(problems.0))?;
            let description = first_comment(&text);
            (world, warnings, Entry { name: FROM_TEXT.to_owned(), resource: resource.clone(), description })
        }
        ResourceKind::Name(name) => {
            let file = |folder: &PathBuf| Some(folder.join(format!("{name}{ENDING}"))).filter(|path| path.is_file());
            let path = folders.iter().find_map(file).ok_or_else(|| {
                let hint =
                    super::hint(&name, list(folders, &[], true, reach).unwrap_or_default().into_iter().map(|w| w.name));
                Refusal::not_found(format!("world \"{name}\": not found{hint}"))
            })?;
            let (world, warnings) = World::load(&path, options).map_err(|problems| wrong(problems.0))?;
            (world, warnings, entry(&path))
        }
        ResourceKind::File(path) => {
            let path = permitted(&path, folders, reach)?;
            if !path.is_file() {
                return Err(Refusal::not_found(format!("{}: there is no such file", path.display())));
            }
            let (world, warnings) = match map_world::is_map(&path) {
                true => {
                    let variables = map_world::variables(&path, &options.variables);
                    World::load(&world_of_maps(folders)?, &LoadOptions { variables, ..options.clone() })
                }
                false => World::load(&path, options),
            }
            .map_err(|problems| wrong(problems.0))?;
            (world, warnings, entry(&path))
        }
    };
    check_strictness(world.scene(), warnings, strictness)?;
    Ok((world, entry))
}

/// The world that a map stands for.
fn world_of_maps(folders: &[PathBuf]) -> Outcome<PathBuf> {
    let file = folders.iter().map(|folder| folder.join(map_world::WORLD)).find(|world| world.is_file());
    file.ok_or_else(|| Refusal::not_found(format!("uri: the world of maps, {}, is missing", map_world::WORLD)))
}

/// Refuses a world that does not satisfy the strictness of the request; logs its warnings otherwise.
fn check_strictness(scene: &Scene, warnings: Vec<Problem>, strictness: Strictness) -> Outcome {
    let is_unknown = |problem: &Problem| problem.message.starts_with("unknown ");
    let (unknown_elements, other_warnings): (Vec<Problem>, Vec<Problem>) = warnings.into_iter().partition(is_unknown);
    if strictness.rejects_unknown && !unknown_elements.is_empty() {
        return Err(Refusal::new(UNSUPPORTED_ELEMENTS, Problems(unknown_elements)));
    }
    if !strictness.allows_missing_files && lacks_files(scene) {
        return Err(Refusal::new(MISSING_ASSETS, Problems(other_warnings)));
    }
    unknown_elements.iter().chain(&other_warnings).for_each(|warning| tracing::warn!("{warning}"));
    Ok(())
}

/// Refuses a world with several vehicles where the names of the preset are those of one, as the start of the node does.
fn check_preset(preset: &Preset, scene: &Scene) -> Outcome {
    let count = scene.vehicles.len();
    if !preset.is_for_one() || count < 2 {
        return Ok(());
    }
    Err(Refusal::failed(format!(
        "world: has {count} vehicles, but the preset \"{}\" has topics for only one\n  accepted: a world with one vehicle\n  \
         hint: start the node without that preset, or take another world",
        preset.name
    )))
}

/// Whether a mesh is missing.
fn lacks_files(scene: &Scene) -> bool {
    let of_vehicle = |vehicle: &VehicleInfo| {
        vehicle.visuals.iter().chain(vehicle.wheels.iter().flat_map(|wheel| &wheel.visuals)).any(|v| v.file.is_none())
    };
    let of_block = |block: &BlockInfo| block.visuals.iter().any(|visual| visual.file.is_none());
    scene.vehicles.iter().any(of_vehicle) || scene.blocks.iter().any(of_block)
}

impl Simulation {
    /// The worlds that can be loaded by name, and the worlds of further sources.
    pub(crate) async fn available_worlds(
        &self,
        further: Vec<String>,
        tags: Tags,
        goes_on: bool,
    ) -> Outcome<Vec<Entry>> {
        if !tags.tags.is_empty() {
            let reason = "filter: worlds have no tags here\n  accepted: no tags";
            return Err(Refusal::new(super::outcome::code::FEATURE_UNSUPPORTED, reason));
        }
        let folders = self.origin.world_folders.clone();
        let reach = self.loader.reach().clone();
        self.loader.run("worlds", move |_| list(&folders, &further, goes_on, &reach)).await
    }

    /// The world that is simulated.
    pub(crate) fn current_world(&self) -> Outcome<Entry> {
        self.shared().current.as_ref().map(|current| current.entry.clone()).ok_or_else(no_world)
    }

    /// The start poses of the vehicles, filtered by tags.
    pub(crate) fn named_poses(&self, tags: &Tags) -> Vec<NamedPose> {
        let poses = self.shared().current.as_ref().map(|current| current.poses.clone());
        poses.iter().flat_map(|poses| poses.iter()).filter(|pose| tags.accept(&pose.tags)).cloned().collect()
    }

    /// The start pose of the vehicle with this name.
    pub(crate) fn named_pose(&self, name: &str) -> Outcome<NamedPose> {
        let all = self.named_poses(&Tags::default());
        if let Some(pose) = all.iter().find(|pose| pose.name == name) {
            return Ok(pose.clone());
        }
        let hint = super::hint(name, all.into_iter().map(|pose| pose.name));
        Err(Refusal::not_found(format!("pose \"{name}\": not found{hint}")))
    }

    /// Loads another world while simulated time is held, and replaces the present one with it, stopped. If the load fails, nothing changes.
    pub async fn load_world(&self, resource: Resource, strictness: Strictness) -> Outcome<Entry> {
        self.access(|access| may_load(access.run_state())).await?;
        let _changing = self.changing.lock().await;
        let _loading = self.loading();
        self.access(begin_loading).await?;
        self.note_change();
        let folders = self.origin.world_folders.clone();
        let reach = Some(self.loader.reach().clone());
        // Variables of the command line apply only to the world of the command line.
        let options = LoadOptions { variables: Vec::new(), reach, ..self.origin.options.clone() };
        let read = move |cancel| load(&resource, &folders, &LoadOptions { cancel, ..options }, strictness);
        let (world, entry) = self.loader.run("load_world", read).await?;
        check_preset(self.preset, world.scene())?;
        let current = Current::new(entry.clone(), &world);
        self.access(|access| {
            access.world.replace(world);
            access.shared.info_overrides.clear();
            access.shared.current = Some(current);
            access.shared.is_loading = false;
            access.standing.set_paused(true);
            access.standing.release();
            access.stop();
            Ok(entry)
        })
        .await
    }

    /// Replaces the world with an empty one.
    pub(crate) async fn unload_world(&self) -> Outcome {
        let has_world = |access: &mut Access<'_>| match access.run_state() {
            RunState::NoWorld => Err(no_world()),
            life => life.require_world(),
        };
        self.access(has_world).await?;
        let _changing = self.changing.lock().await;
        self.access(has_world).await?;
        self.note_change();
        self.access(|access| {
            access.standing.set_paused(true);
            let (step, seed): (SimTime, u64) = (access.world.scene().step, access.world.scene().seed);
            access.world.replace(World::empty(step, seed));
            access.shared.info_overrides.clear();
            access.shared.current = None;
            Ok(())
        })
        .await
    }
}

/// Simulated time stops until the load succeeds or fails, so that no vehicle moves in a world that is about to be replaced.
fn begin_loading(access: &mut Access<'_>) -> Outcome {
    may_load(access.run_state())?;
    access.shared.is_loading = true;
    access.standing.hold("a world is being loaded, and time stands still");
    Ok(())
}

fn may_load(life: RunState) -> Outcome {
    if life == RunState::NoWorld { Ok(()) } else { life.require_world() }
}

fn no_world() -> Refusal {
    Refusal::new(NO_WORLD_LOADED, "there is no world\n  hint: load one with load_world")
}
