//! From a [`SpawnRequest`] to a [`Recipe`]: XML with a `<vehicle>` or a `<block>`, read as in a world file.
//!
//! Classes, variables and rules are those of the world. Random numbers in `$f{…}` follow from the seed and the name. The file or
//! text is read like an included file: `${NAME|default}` is replaced as text, and may name a variable of the world.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rand::RngCore;
use skidpad_files::assets::{self, Cancel, Reach};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;
use skidpad_math::Pose3;
use skidpad_math::rng::stream;
use skidpad_xml::{Attribute, Context, Element, Options, Place, Problems, Reader, Text};

use super::{Builder, LoadOptions, StartHeight, own_body, with_class};
use crate::sensor::Claim;
use crate::vehicle::wrong_pose;
use crate::world::changes::catalogue::{Built, check_name};
use crate::world::surroundings::{Models, Surroundings};
use crate::world::{
    Catalogue, EntityKind, Recipe, Scene, SpawnError, SpawnErrorKind, SpawnRequest, SpawnSource, VehicleInfo,
};

/// The tags that the XML of a spawn request may contain.
const ACCEPTED: &str = "<vehicle>, <block>, <vehicle:class>, <block:class>";

/// The classes for one spawn, and the element to instantiate.
struct Definition {
    vehicles: BTreeMap<String, Element>,
    blocks: BTreeMap<String, Element>,
    instance: Element,
    kind: EntityKind,
}

impl Catalogue {
    /// Builds the requested body. It reads meshes, which may take long: do not call it in the simulation's thread.
    ///
    /// # Errors
    /// The name or the pose is invalid, there is no such class or file, or the XML is wrong; all errors of the XML together.
    pub fn recipe(&self, request: &SpawnRequest) -> Result<Recipe, SpawnError> {
        self.recipe_for(request, self.options.reach.clone(), Cancel::default())
    }

    /// [`Self::recipe`] for a caller over the network who may name only files in `reach`, see [`LoadOptions`]; `cancel` stops the load.
    ///
    /// # Errors
    /// See [`Self::recipe`].
    pub fn recipe_for(
        &self,
        request: &SpawnRequest,
        reach: Option<Arc<Reach>>,
        cancel: Cancel,
    ) -> Result<Recipe, SpawnError> {
        if !request.name.is_empty() {
            check_name(&request.name)?;
        }
        if let Some((wrong, accepted)) = request.pose.and_then(|spot| wrong_pose(&spot.pose)) {
            let message = format!("spawn \"{}\": {wrong}\n  accepted: {accepted}", request.name);
            return Err(SpawnError::new(SpawnErrorKind::InvalidPose, message));
        }
        let options = LoadOptions { reach, cancel, ..self.options.clone() };
        let context = self.context(&request.name, matches!(request.source, SpawnSource::Xml { .. }), &options);
        let definition = self.find(request, &context)?;
        let given = Reader::new(&context, &definition.instance).attribute_or_written("name").unwrap_or_default();
        let name = if request.name.is_empty() { given } else { request.name.clone() };
        check_name(&name)?;
        let (built, claim) = self.build(request, &context, &options, definition, &name).unzip();
        let seen = built.as_ref().and_then(|built| self.models_of(&context, &name, built));
        if let Err(error) = context.cancel().check() {
            context.error(&Place::of_file(&name), error.to_string());
        }
        let (errors, warnings) = context.finish();
        let Some(built) = built.filter(|_| errors.is_empty()) else {
            return Err(SpawnError::new(SpawnErrorKind::ParseError, Problems(errors).to_string()));
        };
        // Problems of the world itself were reported at its load.
        if !matches!(request.source, SpawnSource::Class(_)) && lacks_files(&built) {
            return Err(SpawnError::new(SpawnErrorKind::MissingAssets, Problems(warnings).to_string()));
        }
        let request = SpawnRequest { name, ..request.clone() };
        Ok(Recipe { request, built, seen, claim: claim.unwrap_or_default(), warnings })
    }

    fn context(&self, name: &str, is_text: bool, options: &LoadOptions) -> Context {
        let context = Context::new(Options {
            seed: Some(stream(self.scalars.seed, &format!("spawn/{name}")).next_u64()),
            // XML text from a caller must not run programs here.
            allow_commands: options.allow_commands && !is_text,
            assets: options.assets(),
            variables: options.variables.clone(),
            optional_variables: Vec::new(),
            declared_variables: self.declared_variables.clone(),
        });
        self.variables.iter().for_each(|(name, value)| context.set_variable(name, value));
        context
    }

    fn find(&self, request: &SpawnRequest, context: &Context) -> Result<Definition, SpawnError> {
        let place = || Place::of_file(&format!("spawn \"{}\"", request.name));
        let mut elements = Vec::new();
        let mut visit = |element: &Element| elements.push(element.clone());
        let (label, directory) = match &request.source {
            SpawnSource::Class(class) => return self.find_class(class, &place()),
            SpawnSource::Xml { text, directory, label } => {
                context.read_part_text(label, directory, text, &mut visit);
                (label.clone(), directory.as_path())
            }
            SpawnSource::File(path) => {
                let shown = assets::shown(path);
                if !input_file::is_file(path) {
                    let message = format!("{shown}: there is no such file\n  accepted: a file with one of {ACCEPTED}");
                    return Err(SpawnError::new(SpawnErrorKind::NoResource, message));
                }
                context.read_part(path, &mut visit);
                (shown, path.parent().unwrap_or(Path::new(".")))
            }
        };
        let wrong =
            |kind, fault: String| Err(SpawnError::new(kind, format!("{label}: {fault}\n  accepted: {ACCEPTED}")));
        let mut definition = Definition {
            vehicles: self.vehicles.clone(),
            blocks: self.blocks.clone(),
            instance: Element::empty().clone(),
            kind: EntityKind::Vehicle,
        };
        let (mut instances, mut classes) = (Vec::new(), Vec::new());
        for element in elements {
            let reader = Reader::new(context, &element);
            match element.tag.as_str() {
                "vehicle" => instances.push((EntityKind::Vehicle, element)),
                "block" => instances.push((EntityKind::Block, element)),
                tag @ ("vehicle:class" | "block:class") => {
                    let (kind, known) = match tag {
                        "vehicle:class" => (EntityKind::Vehicle, &mut definition.vehicles),
                        _ => (EntityKind::Block, &mut definition.blocks),
                    };
                    super::define_class(known, &reader);
                    classes.push((kind, reader.attribute_raw("name").unwrap_or_default()));
                }
                // Error messages to callers over the network do not contain the contents of files.
                _ if context.is_for_caller() && matches!(request.source, SpawnSource::File(_)) => {
                    return wrong(SpawnErrorKind::UnsupportedFormat, "the file holds something else".into());
                }
                tag => return wrong(SpawnErrorKind::UnsupportedFormat, format!("it is a <{tag}>")),
            }
        }
        if context.has_errors() {
            // The caller of this function reports the errors.
            return Ok(definition);
        }
        match (instances.as_slice(), classes.as_slice()) {
            ([], []) => return wrong(SpawnErrorKind::UnsupportedFormat, "it is empty".into()),
            ([(kind, element)], _) => (definition.kind, definition.instance) = (*kind, context.expand_body(element)),
            ([], [(kind, class)]) => {
                let instance = instance_of(*kind, class, &Place::of_file(&label), directory);
                (definition.kind, definition.instance) = (*kind, instance);
            }
            (many @ [_, _, ..], _) => {
                return wrong(SpawnErrorKind::UnsupportedFormat, format!("it has {} bodies", many.len()));
            }
            (_, many) => {
                return wrong(SpawnErrorKind::UnsupportedFormat, format!("it has {} classes", many.len()));
            }
        }
        Ok(definition)
    }

    fn find_class(&self, class: &str, place: &Place) -> Result<Definition, SpawnError> {
        let kind = if self.vehicles.contains_key(class) {
            EntityKind::Vehicle
        } else if self.blocks.contains_key(class) {
            EntityKind::Block
        } else {
            let names: Vec<String> = self.vehicles.keys().chain(self.blocks.keys()).cloned().collect();
            let message = Diagnostic::new(place, format!("this world has no class \"{class}\""));
            let message = match names.as_slice() {
                [] => message.hint("this world has no classes; give XML or a file"),
                names => message.one_of(class, names),
            };
            return Err(SpawnError::new(SpawnErrorKind::NoResource, message.to_string()));
        };
        let only = |classes: &BTreeMap<String, Element>| {
            classes.get_key_value(class).map(|(name, class)| (name.clone(), class.clone())).into_iter().collect()
        };
        let instance = instance_of(kind, class, place, Path::new("."));
        Ok(Definition { vehicles: only(&self.vehicles), blocks: only(&self.blocks), instance, kind })
    }

    /// The body, and the memory of its sensors; none on failure, with the errors recorded.
    fn build(
        &self,
        request: &SpawnRequest,
        context: &Context,
        options: &LoadOptions,
        definition: Definition,
        name: &str,
    ) -> Option<(Built, Claim)> {
        if context.has_errors() {
            return None;
        }
        let Definition { vehicles, blocks, mut instance, kind } = definition;
        if instance.child("init_pose").is_none() && instance.child("init_pose3d").is_none() {
            let text = Text { value: "0 0 0".into(), place: instance.place.clone() };
            let origin = Element::new("init_pose", instance.place.clone(), instance.directory.clone());
            instance.children.push(Element { text: Some(text), ..origin });
        }
        let mut builder = Builder::new(context, options, self.scalars);
        (builder.vehicle_classes, builder.block_classes) = (vehicles, blocks);
        let plain = Reader::new(context, &instance);
        let class = plain.attribute_or_written("class").unwrap_or_default();
        let classes = match kind {
            EntityKind::Vehicle => &builder.vehicle_classes,
            EntityKind::Block => &builder.block_classes,
        };
        let reader = Reader::layered(context, with_class(&plain, &instance, classes)?).with_name("NAME", name);
        let built = match kind {
            EntityKind::Vehicle => {
                builder.read_vehicle(&reader, name.to_owned(), class).map(|vehicle| Built::Vehicle(Box::new(vehicle)))
            }
            EntityKind::Block => {
                let block = builder.read_block(&reader, name.to_owned());
                reader.finish();
                Some(Built::Block(Box::new(block)))
            }
        };
        let mut built = built?;
        if let Some(spot) = request.pose {
            let (start, height) = match &mut built {
                Built::Vehicle(vehicle) => (&mut vehicle.info.world_from_start, &mut vehicle.height),
                Built::Block(block) => (&mut block.info.world_from_start, &mut block.height),
            };
            *start = spot.pose;
            if *height != StartHeight::Kept {
                *height = StartHeight::of(spot.gives_z);
            }
        }
        Some((built, builder.sensor_claim.into_inner()))
    }

    /// The models by which sensors see a body, built here rather than between two steps; none if no sensor needs them. Warns of what
    /// sensors do not see of the body, and of its sensors that see nothing but their own vehicle.
    fn models_of(&self, context: &Context, name: &str, built: &Built) -> Option<Models> {
        let (scene, is_needed, has_camera) = match built {
            Built::Vehicle(vehicle) => {
                let info = VehicleInfo { world_from_start: Pose3::default(), ..vehicle.info.clone() };
                let is_needed = vehicle.sensors.iter().any(|sensor| sensor.needs_space());
                let has_camera = vehicle.sensors.iter().any(|sensor| sensor.needs_colors());
                (Scene { vehicles: vec![info], ..Scene::default() }, is_needed, has_camera)
            }
            Built::Block(block) => (Scene { blocks: vec![block.info.clone()], ..Scene::default() }, false, false),
        };
        if !is_needed && self.seen.is_none() {
            return None;
        }
        let known = self.seen.clone().unwrap_or_default();
        let mut alone = Surroundings::of_body(&scene, known.clone(), has_camera);
        own_body::warn_of_unseen(context, name, &alone);
        if let Built::Vehicle(vehicle) = built {
            own_body::check_spawned(context, &vehicle.start_place, vehicle, &mut alone);
        }
        Some(alone.into_models().without_files_of(&known))
    }
}

/// `<vehicle class="…"/>`, or a block.
fn instance_of(kind: EntityKind, class: &str, place: &Place, directory: &Path) -> Element {
    let attribute =
        Attribute { name: "class".into(), value: class.into(), place: place.clone(), name_place: place.clone() };
    Element { attributes: vec![attribute], ..Element::new(kind.to_string(), place.clone(), directory.into()) }
}

/// Whether a mesh of the body is not available.
fn lacks_files(built: &Built) -> bool {
    let lacks = |visual: &crate::world::visual::Visual| visual.file.is_none();
    match built {
        Built::Vehicle(vehicle) => {
            let info = &vehicle.info;
            info.visuals.iter().chain(info.wheels.iter().flat_map(|wheel| &wheel.visuals)).any(lacks)
        }
        Built::Block(block) => block.info.visuals.iter().any(lacks),
    }
}
