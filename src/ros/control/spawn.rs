//! Calls that spawn and delete vehicles and blocks.

use std::path::Path;

use skidpad_files::assets::Reach;
use skidpad_ros_data::interface::names::{TOKEN_RULE, is_token, token};
use skidpad_ros_data::preset::Preset;
use skidpad_sim::sensor::naming::{NameFault, name_fault};
use skidpad_sim::world::{
    ClassInfo, EntityKind, Recipe, Scene, SpawnError, SpawnErrorKind, SpawnRequest, SpawnSource, VehicleInfo,
};

use super::entity;
use super::outcome::code::spawn::{
    ENTITIES_SPAWN_FAILED, INVALID_POSE, MISSING_ASSETS, NAME_INVALID, NAME_NOT_UNIQUE, NAMESPACE_INVALID, NO_RESOURCE,
    RESOURCE_PARSE_ERROR, UNSUPPORTED_FORMAT,
};
use super::outcome::{Outcome, Refusal};
use super::pose::GivenPose;
use super::resource::{Resource, ResourceKind, file_uri};
use super::simulation::Simulation;

/// What log messages and errors call an entity that was sent as text.
const FROM_TEXT: &str = "resource_string";
/// Endings of files that hold something to spawn.
const ENDINGS: [&str; 2] = [".vehicle.xml", ".block.xml"];
/// Longest name of an entity: the names of a vehicle's topics have up to 40 letters more.
const MAX_NAME_LENGTH: usize = 200;
/// Most attempts with a new name when another caller takes the free one first.
const ATTEMPTS: usize = 8;

/// An entity that a caller wants to spawn.
#[derive(Clone, Debug)]
pub(crate) struct EntityRequest {
    /// Empty: the name in its XML.
    pub name: String,
    /// Whether another name may be used if this one is taken.
    pub allow_renaming: bool,
    pub resource: Resource,
    /// Namespace of its topics; empty: its name.
    pub namespace: String,
    pub pose: GivenPose,
}

/// Something that can be spawned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spawnable {
    pub uri: String,
    pub description: String,
}

impl Simulation {
    /// Spawns an entity and gives its name.
    pub async fn spawn(&self, wanted: EntityRequest) -> Outcome<String> {
        check_namespace(&wanted.namespace)?;
        if !wanted.name.is_empty() {
            check_entity_name(&wanted.name)?;
        }
        let reach = self.loader.reach().clone();
        let source = source_of(&wanted.resource, &reach)?;
        let given = wanted.pose.clone();
        let (catalogue, pose) = self
            .change(move |access| {
                let pose = given.world_from_body(access.world, &access.map_frame, INVALID_POSE)?;
                Ok((access.world.catalogue().clone(), pose))
            })
            .await?;
        let (mut name, mut attempts) = (wanted.name.clone(), 0);
        loop {
            attempts += 1;
            let request = SpawnRequest { name: name.clone(), source: source.clone(), pose: Some(pose.into()) };
            let fallback = wanted.allow_renaming.then(|| base_name(&source));
            let catalogue = catalogue.clone();
            let reach = reach.clone();
            let recipe = self
                .loader
                .run("spawn", move |cancel| {
                    let build =
                        |request: &SpawnRequest| catalogue.recipe_for(request, Some(reach.clone()), cancel.clone());
                    recipe(&build, request, fallback)
                })
                .await?;
            check_entity_name(recipe.name())?;
            check_sensor_names(&recipe)?;
            check_own_namespace(&recipe, &wanted.namespace)?;
            recipe.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
            let built = recipe.name().to_owned();
            let preset = self.preset;
            let came = self
                .change(move |access| {
                    let free = access.world.free_name(recipe.name());
                    check_preset(preset, &recipe, access.world.scene())?;
                    check_topics_are_free(&recipe, access.world.scene())?;
                    Ok(access.world.spawn(recipe).map_err(|error| (error, free)))
                })
                .await?;
            match came {
                Ok(_) => return Ok(built),
                Err((error, free)) => {
                    let is_taken = error.kind == SpawnErrorKind::NameTaken;
                    if !(is_taken && wanted.allow_renaming && attempts < ATTEMPTS) {
                        return Err(refusal(&error));
                    }
                    name = free;
                }
            }
        }
    }

    /// Spawns entities one after the other; one that fails does not affect the others.
    pub(crate) async fn spawn_all(&self, wanted: Vec<EntityRequest>) -> (Outcome, Vec<Outcome<String>>) {
        let mut results = Vec::with_capacity(wanted.len());
        for request in wanted {
            results.push(self.spawn(request).await);
        }
        let failed = results.iter().filter(|result| result.is_err()).count();
        let outcome = match failed {
            0 => Ok(()),
            _ => {
                let reason = format!("{failed} of {} could not be spawned, see their results", results.len());
                Err(Refusal::new(ENTITIES_SPAWN_FAILED, reason))
            }
        };
        (outcome, results)
    }

    /// Removes an entity from the world.
    pub async fn delete(&self, name: String) -> Outcome {
        self.change(move |access| {
            let (id, _) = entity::find(access.world.scene(), &name)?;
            access.shared.info_overrides.remove(&id);
            access.world.remove(id).map_err(|error| refusal(&error))
        })
        .await
    }

    /// The classes of the world, and the files of further sources (folders or files).
    pub(crate) async fn spawnables(&self, sources: Vec<String>) -> Outcome<Vec<Spawnable>> {
        let classes = self.change(|access| Ok(access.world.catalogue().classes())).await?;
        let reach = self.loader.reach().clone();
        let list = move |_| {
            let spawnable = |class: ClassInfo| Spawnable { uri: class.name, description: class.description };
            let mut all: Vec<Spawnable> = classes.into_iter().map(spawnable).collect();
            for source in &sources {
                all.extend(spawnables_in(source, &reach)?);
            }
            Ok(all)
        };
        self.loader.run("spawnables", list).await
    }
}

/// The world's entity for a resource.
fn source_of(resource: &Resource, reach: &Reach) -> Outcome<SpawnSource> {
    match resource.kind() {
        ResourceKind::Nothing => Err(Refusal::new(NO_RESOURCE, "spawn: neither uri nor resource_string is given")),
        ResourceKind::Unsupported(reason) => {
            let accepted = "a class of the world, file://…, or XML with a <vehicle> or a <block>";
            Err(Refusal::new(UNSUPPORTED_FORMAT, format!("{reason}\n  accepted: {accepted}")))
        }
        ResourceKind::Name(class) => Ok(SpawnSource::Class(class)),
        ResourceKind::File(path) => reach.file(&path).map(SpawnSource::File).map_err(|refusal| {
            Refusal::new(NO_RESOURCE, format!("uri: {refusal}\n  hint: the parameter load_folders lists them"))
        }),
        ResourceKind::Text(text) => {
            let directory = std::env::current_dir().unwrap_or_default();
            Ok(SpawnSource::Xml { text, directory, label: FROM_TEXT.to_owned() })
        }
    }
}

/// The name of an entity spawned without one.
fn base_name(source: &SpawnSource) -> String {
    match source {
        SpawnSource::Class(class) => class.clone(),
        SpawnSource::Xml { .. } => "entity".to_owned(),
        SpawnSource::File(path) => {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("entity").to_owned()
        }
    }
}

/// Builds an entity, under the name `fallback` if it has none.
fn recipe(
    build: &impl Fn(&SpawnRequest) -> Result<Recipe, SpawnError>,
    request: SpawnRequest,
    fallback: Option<String>,
) -> Outcome<Recipe> {
    let nameless = |error: &SpawnError| error.kind == SpawnErrorKind::NameInvalid && request.name.is_empty();
    match (build(&request), fallback) {
        (Ok(recipe), _) => Ok(recipe),
        (Err(error), Some(name)) if nameless(&error) => {
            build(&SpawnRequest { name, ..request }).map_err(|error| refusal(&error))
        }
        (Err(error), None) if nameless(&error) => {
            let reason =
                "spawn: no name is given, and the resource has none\n  hint: give a name, or set allow_renaming";
            Err(Refusal::new(NAME_INVALID, reason))
        }
        (Err(error), _) => Err(refusal(&error)),
    }
}

/// The refusal, with the standard's code, of an entity that cannot be spawned.
fn refusal(error: &SpawnError) -> Refusal {
    let code = match error.kind {
        SpawnErrorKind::NameTaken => NAME_NOT_UNIQUE,
        SpawnErrorKind::NameInvalid => NAME_INVALID,
        SpawnErrorKind::UnsupportedFormat => UNSUPPORTED_FORMAT,
        SpawnErrorKind::NoResource => NO_RESOURCE,
        SpawnErrorKind::ParseError => RESOURCE_PARSE_ERROR,
        SpawnErrorKind::MissingAssets => MISSING_ASSETS,
        SpawnErrorKind::InvalidPose => INVALID_POSE,
        SpawnErrorKind::TooMuch => super::outcome::code::OPERATION_FAILED,
        SpawnErrorKind::Unknown => super::outcome::code::NOT_FOUND,
        SpawnErrorKind::NoLabel => super::outcome::code::OPERATION_FAILED,
    };
    Refusal::new(code, &error.message)
}

/// Refuses names that cannot be part of a topic's name, so that the topics of an entity have exactly its name.
fn check_entity_name(name: &str) -> Outcome {
    if !is_token(name) {
        let reason =
            format!("spawn: \"{}\" cannot be part of a topic's name\n  accepted: {TOKEN_RULE}", name.escape_debug());
        return Err(Refusal::new(NAME_INVALID, reason));
    }
    if name.len() > MAX_NAME_LENGTH {
        let start: String = name.chars().take(20).collect();
        let reason = format!("spawn: \"{start}…\" is too long for topics\n  accepted: up to {MAX_NAME_LENGTH} letters");
        return Err(Refusal::new(NAME_INVALID, reason));
    }
    Ok(())
}

/// Refuses vehicles with a sensor whose name cannot be that of its topics and frame; in a world file that is a warning.
fn check_sensor_names(recipe: &Recipe) -> Outcome {
    let Some(vehicle) = recipe.vehicle() else { return Ok(()) };
    for (index, sensor) in vehicle.sensors.iter().enumerate() {
        if let Some(fault) = name_fault(&vehicle.name, sensor, vehicle.sensors[..index].iter()) {
            let NameFault { found, accepted, hint } = fault;
            let hint = hint.map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
            let reason = format!("spawn \"{}\": {found}\n  accepted: {accepted}{hint}", vehicle.name);
            return Err(Refusal::new(RESOURCE_PARSE_ERROR, reason));
        }
    }
    Ok(())
}

/// Refuses a second vehicle where the names of the preset are those of one: it would have no topics.
fn check_preset(preset: &Preset, recipe: &Recipe, scene: &Scene) -> Outcome {
    let Some(other) = scene.vehicles.first().filter(|_| preset.is_for_one() && recipe.vehicle().is_some()) else {
        return Ok(());
    };
    let reason = format!(
        "spawn: \"{}\" would have no topics: those of the preset \"{}\" belong to \"{}\"\n  accepted: one vehicle, and any blocks\n  \
         hint: delete the other vehicle first, or start the node without that preset",
        recipe.name(),
        preset.name,
        other.name
    );
    Err(Refusal::failed(reason))
}

/// Refuses a vehicle below whose name another one's topics are: vehicles of world files may have names that are not valid ROS names.
fn check_topics_are_free(recipe: &Recipe, scene: &Scene) -> Outcome {
    let name = recipe.name();
    let has_topics = |other: &&VehicleInfo| other.name != name && token(&other.name) == name;
    let Some(other) = scene.vehicles.iter().filter(|_| recipe.vehicle().is_some()).find(has_topics) else {
        return Ok(());
    };
    let reason =
        format!("spawn: \"{name}\" would have the same topics as \"{}\"\n  accepted: another name", other.name);
    Err(Refusal::new(NAME_NOT_UNIQUE, reason))
}

/// Refuses invalid ROS namespaces.
fn check_namespace(namespace: &str) -> Outcome {
    let bare = namespace.strip_prefix('/').unwrap_or(namespace);
    if bare.is_empty() || bare.split('/').all(is_token) {
        return Ok(());
    }
    let reason = format!("entity_namespace \"{namespace}\": no ROS name\n  accepted: {TOKEN_RULE}, parted by /");
    Err(Refusal::new(NAMESPACE_INVALID, reason))
}

/// Refuses any namespace other than the entity's name, below which its topics are.
fn check_own_namespace(recipe: &Recipe, namespace: &str) -> Outcome {
    let own_namespace = token(recipe.name());
    let asked = namespace.trim_matches('/');
    if asked.is_empty() || asked == own_namespace || recipe.kind() == EntityKind::Block {
        return Ok(());
    }
    let reason = format!(
        "entity_namespace \"{namespace}\": the topics of \"{}\" are in the namespace {own_namespace}\n  \
         accepted: \"\", \"{own_namespace}\"\n  hint: name it {asked}",
        recipe.name()
    );
    Err(Refusal::new(NAMESPACE_INVALID, reason))
}

/// The spawnable files of a folder, or a single file.
fn spawnables_in(source: &str, reach: &Reach) -> Outcome<Vec<Spawnable>> {
    let resource = Resource { uri: source.to_owned(), text: String::new() };
    let path = match resource.kind() {
        ResourceKind::File(path) => path,
        ResourceKind::Name(name) => name.into(),
        ResourceKind::Unsupported(reason) => return Err(Refusal::failed(reason)),
        ResourceKind::Nothing | ResourceKind::Text(_) => {
            return Err(Refusal::failed("sources: found an empty source\n  accepted: a folder, a file"));
        }
    };
    let path = reach.file(&path).map_err(|refusal| Refusal::not_found(format!("sources: {refusal}")))?;
    let entry = |path: &Path| Spawnable { uri: file_uri(path), description: format!("file {}", path.display()) };
    if path.is_file() {
        return Ok(vec![entry(&path)]);
    }
    let entries =
        std::fs::read_dir(&path).map_err(|error| Refusal::not_found(format!("{}: {error}", path.display())))?;
    let has_ending = |path: &Path| ENDINGS.iter().any(|ending| path.to_string_lossy().ends_with(ending));
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| has_ending(path)).collect();
    files.sort();
    Ok(files.iter().map(|path| entry(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_ros_names() {
        for good in ["", "/", "r1", "/fleet/r1", "r_1"] {
            assert_eq!(check_namespace(good), Ok(()), "{good}");
        }
        for bad in ["1r", "a b", "a//b", "a__b", "a/", "ä"] {
            let refusal = check_namespace(bad).unwrap_err();
            assert_eq!(refusal.code, 105, "{bad}");
        }
    }

    #[test]
    fn names_that_cannot_be_topics_are_refused_with_the_rule() {
        for good in ["r1", "_", "R_1", "crate"] {
            assert_eq!(check_entity_name(good), Ok(()), "{good}");
        }
        for bad in ["a b", "a-b", "~", "", "1r", "a__b", "__", "a/b", "ä", "$env{HOME}", "a\nb"] {
            let refusal = check_entity_name(bad).unwrap_err();
            assert_eq!(refusal.code, 102, "{bad}");
            assert!(
                refusal.reason.ends_with("\n  accepted: letters, digits and single _, no digit first"),
                "{}",
                refusal.reason
            );
        }
    }

    #[test]
    fn unnamed_entities_take_the_name_of_their_class_or_file() {
        assert_eq!(base_name(&SpawnSource::File("/a/cone.block.xml".into())), "cone");
        assert_eq!(base_name(&SpawnSource::Class("diffbot".into())), "diffbot");
    }

    #[test]
    fn the_files_of_a_folder_are_spawnable() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("worlds/vehicles");
        let reach = Reach::new([folder.clone()], Vec::new());
        let actual = spawnables_in(&folder.to_string_lossy(), &reach).unwrap();
        assert!(actual.len() > 5 && actual.iter().all(|one| one.uri.ends_with(".vehicle.xml")));
        let one = spawnables_in(&actual[0].uri, &reach).unwrap();
        assert_eq!(one, actual[..1]);
        assert_eq!(spawnables_in("/no/such/folder", &reach).unwrap_err().code, 2);
        assert_eq!(spawnables_in("/etc", &reach).unwrap_err().code, 2, "not one of the folders");
    }
}
