//! From a world file to a [`World`]: dispatches the root tags, in document order, to one file each.

mod actor;
pub(super) mod block;
mod carrying;
mod elevation;
mod georeference;
mod ground;
mod joint;
mod label;
mod map;
mod matrix;
mod names;
mod own_body;
mod plane;
mod plausibility;
mod publish;
mod quota;
mod region;
mod scalars;
mod sensors;
mod shape;
mod simulable;
mod spawn;
mod speed_check;
mod standpoints;
mod step_check;
pub(super) mod vehicle;
mod vertical_plane;
mod viewer_tags;
mod visual;
mod walls;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use skidpad_files::assets::{self, Cancel, Progress, Reach};
use skidpad_files::input_file;
use skidpad_files::mesh::Meshes;
use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_xml::{Context, Element, Options, Place, Problem, Problems, Reader};

pub(super) use self::ground::place_on_ground;
pub use self::map::PreparedMap;
use self::names::Names;
use self::quota::Quota;
pub use self::step_check::StepCheck;
pub(super) use self::{scalars::Scalars, simulable::StartHeight, step_check::Candidate};
use super::joint::JointInfo;
use super::label::UNNUMBERED;
use super::region::Region;
use super::terrain::ElevationInfo;
use super::viewer_scene::ViewerScene;
use super::wall::WallInfo;
use super::{Catalogue, Scene, World};
use crate::friction::{LawDefaults, Limit, ResistanceAt};
use crate::georeference::Georeference;
use crate::raycast::space::batch::BatchCaster;
use crate::sensor::{Claim, SensorLoad};
use crate::vehicle::{ForceFrame, OdometrySource, SlopeRule, WeightRule};

/// Longest physics step that is chosen automatically [s]: MVSim's.
const MAX_AUTOMATIC_STEP: f64 = 5e-3;

/// How to load a world.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Seed of all noise and of random expressions; overrides the file.
    pub seed: Option<u64>,
    /// Physics step [s], 0 to 0.1; 0: automatic; overrides the file.
    pub step: Option<f64>,
    /// Let `$(command)` in a world run programs.
    pub allow_commands: bool,
    /// Physics rules; overrides the file.
    pub physics: Option<PhysicsRules>,
    /// Variables of the world; they override its `<variable>` tags. One that the world does not use is an error.
    pub variables: Vec<(String, String)>,
    /// Names of variables that the world need not use, see [`Catalogue::unused_variables`].
    pub optional_variables: Vec<String>,
    /// Drive each kind of vehicle for a moment, and warn where the step of the world is too large for it.
    pub tries_steps: StepCheck,
    /// Fetch nothing from the network: a mesh or texture that is not in the cache is missing.
    pub offline: bool,
    /// The folder of fetched files; none: from the environment, see [`skidpad_files::assets`].
    pub cache: Option<PathBuf>,
    /// Receives progress messages of slow operations.
    pub progress: Progress,
    /// The files and addresses that the requester may name, if the request came over the network; messages do not quote the
    /// content of files then. None: a local user requested the load, who may name any file.
    pub reach: Option<Arc<Reach>>,
    /// Cancels the load, which then fails.
    pub cancel: Cancel,
    /// Casts the rays of sensors in three dimensions, if not this processor alone.
    pub batch_caster: Option<Arc<dyn BatchCaster>>,
    /// Maps that other loads have [read](World::prepared_maps): a world that names the same files uses them as they
    /// are, so that many copies of a world share the memory of their maps.
    pub maps: Vec<Arc<PreparedMap>>,
    /// Memory [bytes] of the sensors of all worlds and bodies that callers over the network are having built: they
    /// share the budget of one world.
    pub claims: Arc<AtomicU64>,
}

impl LoadOptions {
    /// Access to files.
    pub(super) fn assets(&self) -> assets::Settings {
        assets::Settings {
            offline: self.offline,
            cache: self.cache.clone(),
            progress: self.progress.clone(),
            reach: self.reach.clone(),
            cancel: self.cancel.clone(),
        }
    }
}

/// A set of defaults for physics in which MVSim and skidpad differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhysicsRules {
    /// Friction circle, weight from the centre of mass, gravity along slopes, forces that turn with the body, odometry from the wheels.
    #[default]
    Skidpad,
    /// Per-axis friction limit, uniform weight, slopes held by the tyres, forces at the heading before the step, odometry from the true motion.
    Mvsim,
}

impl PhysicsRules {
    /// The names in world files and on the command line.
    pub const NAMES: &[(&str, PhysicsRules)] = &[("skidpad", PhysicsRules::Skidpad), ("mvsim", PhysicsRules::Mvsim)];

    fn friction(self) -> LawDefaults {
        match self {
            PhysicsRules::Skidpad => LawDefaults::default(),
            PhysicsRules::Mvsim => {
                LawDefaults { limit: Limit::Axes, resistance_at: ResistanceAt::Contact, ellipse_ignores_ground: true }
            }
        }
    }

    fn weight(self) -> WeightRule {
        match self {
            PhysicsRules::Skidpad => WeightRule::Static,
            PhysicsRules::Mvsim => WeightRule::Uniform,
        }
    }

    pub(super) fn force_frame(self) -> ForceFrame {
        match self {
            PhysicsRules::Skidpad => ForceFrame::Turning,
            PhysicsRules::Mvsim => ForceFrame::AtStart,
        }
    }

    fn slope(self) -> SlopeRule {
        match self {
            PhysicsRules::Skidpad => SlopeRule::Pulls,
            PhysicsRules::Mvsim => SlopeRule::Held,
        }
    }

    /// Whether regions are looked up for wheels at z = 0 instead of at their height.
    pub(super) fn looks_up_wheels_flat(self) -> bool {
        self == PhysicsRules::Mvsim
    }

    fn odometry(self) -> OdometrySource {
        match self {
            PhysicsRules::Skidpad => OdometrySource::Wheels,
            PhysicsRules::Mvsim => OdometrySource::Truth,
        }
    }
}

/// A world under construction.
struct Builder<'a> {
    context: &'a Context,
    options: &'a LoadOptions,
    scalars: Scalars,
    names: Names,
    bodies: Quota,
    surveys: Quota,
    /// What the sensors read so far cost, and the memory claimed for them.
    sensor_load: Cell<SensorLoad>,
    sensor_claim: RefCell<Claim>,
    vehicle_classes: BTreeMap<String, Element>,
    block_classes: BTreeMap<String, Element>,
    actor_classes: BTreeMap<String, Element>,
    vehicles: Vec<vehicle::Loaded>,
    blocks: Vec<block::Loaded>,
    maps: Vec<(Arc<PreparedMap>, map::Surface)>,
    planes: Vec<plane::Loaded>,
    elevations: Vec<ElevationInfo>,
    vertical_planes: Vec<WallInfo>,
    regions: Vec<Region>,
    joints: Vec<JointInfo>,
    actors: Vec<actor::Loaded>,
    georeference: Option<Georeference>,
    /// The first satellite receiver of the file.
    first_receiver: Option<Place>,
    viewer_scene: ViewerScene,
    focuses: Vec<viewer_tags::Focus>,
    meshes: Meshes,
    written: Written,
    /// Vehicles whose steps are to be tried.
    candidates: Vec<step_check::Candidate>,
}

/// The places of the tags that made the bodies of a world, in the order of its scene. A tag may make several: walls, or one in a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Of vehicles.
    pub vehicles: Vec<Place>,
    /// Of blocks and walls.
    pub blocks: Vec<Place>,
}

/// The result of a load, with problems in the order in which they were found.
pub struct Loading {
    /// The world; none where there are errors.
    pub world: Option<World>,
    /// Where its bodies are written.
    pub written: Written,
    /// The errors.
    pub errors: Vec<Problem>,
    /// The warnings.
    pub warnings: Vec<Problem>,
}

impl Loading {
    fn done(self) -> Result<(World, Vec<Problem>), Problems> {
        self.world.map(|world| (world, self.warnings)).ok_or(Problems(self.errors))
    }
}

impl World {
    /// Loads a world file. Gives the world and the warnings, or all errors together.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<(World, Vec<Problem>), Problems> {
        World::examine(path, options).done()
    }

    /// Loads a world file and keeps all of its problems, the warnings too if there are errors.
    pub fn examine(path: &Path, options: &LoadOptions) -> Loading {
        let name = path.to_string_lossy().into_owned();
        load(&name, options, |context, visit| context.read_world(path, visit))
    }

    /// Loads a world from text. `name` stands for the file in messages; relative paths start from `directory`.
    pub fn load_text(
        name: &str,
        directory: &Path,
        text: &str,
        options: &LoadOptions,
    ) -> Result<(World, Vec<Problem>), Problems> {
        World::examine_text(name, directory, text, options).done()
    }

    /// Loads a world from text as [`World::load_text`] does, and keeps all of its problems, the warnings too if there are errors.
    pub fn examine_text(name: &str, directory: &Path, text: &str, options: &LoadOptions) -> Loading {
        load(name, options, |context, visit| context.read_world_text(name, directory, text, visit))
    }
}

fn load(name: &str, options: &LoadOptions, read: impl Fn(&Context, &mut dyn FnMut(&Element))) -> Loading {
    let (mut loading, files) = input_file::noting_opened(|| load_noted(name, options, read));
    if let Some(world) = &mut loading.world {
        Arc::make_mut(&mut world.registry.catalogue).files = files;
    }
    loading
}

fn load_noted(name: &str, options: &LoadOptions, read: impl Fn(&Context, &mut dyn FnMut(&Element))) -> Loading {
    // Scalars apply to the whole world, so they are read first; their errors are reported in the second pass.
    let mut scalars = Scalars::new(options);
    let first = Context::new(Options {
        seed: options.seed,
        allow_commands: options.allow_commands,
        assets: options.assets(),
        variables: options.variables.clone(),
        optional_variables: options.optional_variables.clone(),
        declared_variables: Vec::new(),
    });
    read(&first, &mut |element| scalars.read(&Reader::new(&first, element), options));
    let context = Context::restart(first);
    let mut builder = Builder::new(&context, options, scalars);
    read(&context, &mut |element| builder.root_element(element));
    if !context.has_errors() {
        context.check_user_variables();
        context.check_taken_variables();
    }
    if let Err(error) = context.cancel().check() {
        context.error(&Place::of_file(name), error.to_string());
    }
    let written = std::mem::take(&mut builder.written);
    let mut world = if context.has_errors() { None } else { builder.build(name) };
    if let Some(world) = &mut world {
        let catalogue = Arc::make_mut(&mut world.registry.catalogue);
        (catalogue.unused_variables, catalogue.used_variables) =
            (context.unused_variables(), context.settable_variables());
    }
    let (errors, warnings) = context.finish();
    Loading { world: world.filter(|_| errors.is_empty()), written, errors, warnings }
}

/// Root tags for features that MVSim has built in and skidpad leaves to other programs, each with its replacement.
const ELSEWHERE: &[(&str, &str)] = &[
    ("joystick_enabled", "the ROS 2 packages joy and teleop_twist_joy drive a vehicle through its topic cmd_vel"),
    ("save_to_rawlog", RECORD),
    ("rawlog_odometry_rate", RECORD),
    ("save_ground_truth_trajectory", TRUTH),
    ("ground_truth_rate", TRUTH),
];
const RECORD: &str =
    "`ros2 bag record` keeps what sensors and odometry publish; `skidpad run --csv` logs poses and wheels";
const TRUTH: &str = "`skidpad run --csv` logs true poses at every step; `ros2 bag record` keeps the topic ground_truth";

/// Root tags that only concern MVSim's own engine and network.
const MEANINGLESS: &[&str] =
    &["server_address", "b2d_vel_iters", "b2d_pos_iters", "max_slope_to_collide", "min_slope_to_collide"];

/// Reads an element into the world.
type Read = fn(&mut Builder<'_>, &Reader<'_>);

/// Root tags with an effect, in the order of messages.
const TAGS: &[(&str, Read)] = &[
    ("vehicle", |builder, reader| builder.vehicle(reader.element())),
    ("vehicle:class", |builder, reader| define_class(&mut builder.vehicle_classes, reader)),
    ("block", |builder, reader| builder.block(reader.element())),
    ("block:class", |builder, reader| define_class(&mut builder.block_classes, reader)),
    ("actor", |builder, reader| builder.actor(reader.element())),
    ("actor:class", |builder, reader| define_class(&mut builder.actor_classes, reader)),
    ("element", |builder, reader| builder.element(reader)),
    ("walls", |builder, reader| builder.walls(reader)),
    ("joint", |builder, reader| builder.joint(reader)),
    ("marker", |builder, reader| builder.marker(reader)),
    ("gui", |builder, reader| builder.gui(reader)),
    ("lights", |builder, reader| builder.lights(reader)),
    ("georeference", |builder, reader| builder.georeference(reader)),
];

/// Root tags that [`Context::read_world`] executes.
const FLOW_TAGS: [&str; 4] = ["include", "variable", "for", "if"];

/// Classes of `<element>`.
const ELEMENTS: &[(&str, Read)] = &[
    ("occupancy_grid", |builder, reader| builder.occupancy_grid(reader)),
    ("ground_grid", |builder, reader| builder.ground_grid(reader)),
    ("horizontal_plane", |builder, reader| builder.horizontal_plane(reader)),
    ("vertical_plane", |builder, reader| builder.vertical_plane(reader)),
    ("elevation_map", |builder, reader| builder.elevation_map(reader)),
    ("pointcloud", |builder, reader| builder.point_cloud(reader)),
    ("property_region", |builder, reader| builder.property_region(reader)),
    ("skybox", |builder, reader| builder.skybox(reader)),
];

impl<'a> Builder<'a> {
    fn new(context: &'a Context, options: &'a LoadOptions, scalars: Scalars) -> Builder<'a> {
        let sensor_claim = options.reach.as_ref().map_or_else(Claim::default, |_| Claim::new(&options.claims));
        Builder {
            context,
            options,
            scalars,
            names: Names::default(),
            bodies: quota::BODIES,
            surveys: quota::SURVEYS,
            sensor_load: Cell::default(),
            sensor_claim: sensor_claim.into(),
            vehicle_classes: BTreeMap::new(),
            block_classes: BTreeMap::new(),
            actor_classes: BTreeMap::new(),
            vehicles: Vec::new(),
            blocks: Vec::new(),
            maps: Vec::new(),
            planes: Vec::new(),
            elevations: Vec::new(),
            vertical_planes: Vec::new(),
            regions: Vec::new(),
            joints: Vec::new(),
            actors: Vec::new(),
            georeference: None,
            first_receiver: None,
            viewer_scene: ViewerScene::default(),
            focuses: Vec::new(),
            meshes: Meshes::default(),
            written: Written::default(),
            candidates: Vec::new(),
        }
    }
}

impl Builder<'_> {
    fn root_element(&mut self, element: &Element) {
        let reader = Reader::new(self.context, element);
        let tag = element.tag.as_str();
        if matches!(tag, "vehicle" | "block") && !self.bodies.take(&reader) {
            return;
        }
        if let Some((_, read)) = TAGS.iter().find(|(name, _)| *name == tag) {
            read(self, &reader);
            self.written.vehicles.resize(self.vehicles.len(), element.place.clone());
            self.written.blocks.resize(self.blocks.len(), element.place.clone());
        } else if scalars::TAGS.contains(&tag) {
            // Their values have been read; this pass reports their errors.
            self.scalars.clone().read(&reader, self.options);
        } else if tag == "sensor" {
            reader
                .warn("<sensor> outside a vehicle has no effect: MVSim publishes such sensors only to its own network");
        } else if let Some((_, instead)) = ELSEWHERE.iter().find(|(name, _)| *name == tag) {
            let asked = reader.own_text().unwrap_or_default().to_ascii_lowercase();
            if !["", "0", "false"].contains(&asked.as_str()) {
                reader.warn(format!("<{tag}> has no effect")).hint(*instead);
            }
        } else if !MEANINGLESS.contains(&tag) {
            let accepted = TAGS.iter().map(|(name, _)| *name).chain(FLOW_TAGS).chain(scalars::TAGS.iter().copied());
            reader.warn(format!("unknown tag \"{tag}\" in <mvsim_world>")).one_of(tag, accepted);
        }
    }

    fn element(&mut self, reader: &Reader<'_>) {
        let classes = || ELEMENTS.iter().map(|(name, _)| *name);
        let Some(class) = reader.attribute_raw("class") else {
            reader.missing("class").accepted(classes());
            return;
        };
        let is_survey = matches!(class.as_str(), "occupancy_grid" | "elevation_map" | "pointcloud");
        if is_survey && !self.surveys.take(reader) {
            return;
        }
        match ELEMENTS.iter().find(|(name, _)| *name == class) {
            Some((_, read)) => {
                // A fresh reader, so that messages do not list the class among the known attributes.
                let reader = Reader::new(self.context, reader.element());
                reader.ignore(&["class"]);
                read(self, &reader);
            }
            None => {
                reader.error(format!("unknown class \"{class}\" in <element>")).one_of(&class, classes());
            }
        }
    }

    /// The physics step [s]: the specified one, or MVSim's automatic choice.
    fn step(&self) -> SimTime {
        let shortest = self.vehicles.iter().flat_map(|v| &v.sensors).map(|s| s.info().period).min();
        let step = if self.scalars.step > 0.0 {
            SimTime::from_secs(self.scalars.step)
        } else {
            let longest = SimTime::from_secs(MAX_AUTOMATIC_STEP);
            shortest.map_or(longest, |period| period.min(longest))
        };
        step.max(SimTime(1000))
    }

    /// Assembles the world. None when that fails, with the problem recorded.
    fn build(mut self, name: &str) -> Option<World> {
        self.try_steps();
        self.check_publishes();
        self.check_focuses();
        self.check_receivers();
        self.add_default_grid();
        let starts = self.starts();
        let scene = Scene {
            name: name.to_string(),
            step: self.step(),
            seed: self.scalars.seed,
            regions: self.regions,
            georeference: self.georeference,
            viewer_scene: self.viewer_scene,
            ..Scene::default()
        };
        let rules = self.scalars.rules;
        let catalogue = Catalogue {
            vehicles: self.vehicle_classes,
            blocks: self.block_classes,
            // Bodies are spawned into a world whose step is known.
            scalars: Scalars { step: scene.step.secs(), ..self.scalars },
            options: self.options.clone(),
            variables: self.context.variables(),
            declared_variables: self.context.declared_variables(),
            candidates: self.candidates,
            ..Catalogue::default()
        };
        let mut world = World::new(scene, catalogue);
        for (map, surface) in &self.maps {
            world.add_map(map, surface);
        }
        let scene = Arc::make_mut(&mut world.scene);
        elevation::place(self.elevations, scene, &mut world.terrain);
        world.moving_planes = plane::place(self.planes, scene, &mut world.terrain);
        let walls = vertical_plane::place(self.vertical_planes, scene, &mut world.physics, &mut world.obstacles);
        world.fixed_scenery.extend(walls);
        ground::place_all_on_ground(&mut self.blocks, &mut self.vehicles, &mut self.actors, &mut world.terrain);
        for (index, block) in self.blocks.into_iter().enumerate() {
            // Blocks became ground in the same order.
            world.place_block(block, index, index as u64, false);
        }
        for (index, vehicle) in self.vehicles.into_iter().enumerate() {
            world.place_vehicle(vehicle, index as u64, false);
        }
        joint::place(self.joints, &mut world);
        let scene = Arc::make_mut(&mut world.scene);
        world.actors = actor::place(self.actors, scene, &mut world.obstacles, rules);
        let mut world = world.begin();
        Arc::make_mut(&mut world.registry.catalogue).seen = world.seen_files();
        plausibility::check_starts(self.context, &mut world, &starts);
        own_body::check(self.context, &mut world, &starts);
        standpoints::check(self.context, &world, &starts, name);
        world.surroundings.iter().for_each(|all| own_body::warn_of_unseen(self.context, name, all));
        if world.scene.has_labels() && world.registry.lacks_labels() {
            let report =
                self.context.warn(&Place::of_file(name), "more bodies than label numbers: some bodies share one");
            report.accepted([format!("up to {} bodies", UNNUMBERED - 1)]);
        }
        Some(world)
    }
}

/// Stores a class with its includes and conditions executed; a later one of the same name replaces it.
fn define_class(classes: &mut BTreeMap<String, Element>, reader: &Reader<'_>) {
    match reader.attribute_raw("name") {
        Some(name) => {
            let body = reader.context().expand_body(reader.element());
            classes.insert(name, body);
        }
        None => {
            reader.missing("name");
        }
    }
}

/// The entry of `table` that an attribute names; a missing or unknown name is an error.
fn one_named<'t, T>(
    tag: &Reader<'_>,
    attribute: &str,
    table: &'t [T],
    name_of: impl Fn(&T) -> &'static str,
) -> Option<&'t T> {
    let names = || table.iter().map(&name_of);
    let Some(wanted) = tag.attribute(attribute) else {
        tag.missing(attribute).accepted(names());
        return None;
    };
    let named_entry = table.iter().find(|entry| name_of(entry) == wanted);
    if named_entry.is_none() {
        tag.error(format!("unknown {attribute} \"{wanted}\" in <{}>", tag.tag())).one_of(&wanted, names());
    }
    named_entry
}

/// The pose given by x y yaw, or by x y z yaw pitch roll [m], [deg].
fn pose_from(numbers: &[f64]) -> Pose3 {
    match *numbers {
        [x, y, z, yaw, pitch, roll] => Pose3::from_degrees([x, y, z, yaw, pitch, roll]),
        [x, y, yaw] => Pose3 { x, y, yaw: yaw.to_radians(), ..Pose3::default() },
        _ => Pose3::default(),
    }
}

/// The layers in which an instance's values are looked up: itself, then the class it names, if it names one. None when
/// there is no such class, with the error recorded.
fn with_class<'a>(
    reader: &Reader<'_>,
    instance: &'a Element,
    classes: &'a BTreeMap<String, Element>,
) -> Option<Vec<&'a Element>> {
    let Some(class) = reader.attribute_or_written("class").filter(|class| !class.is_empty()) else {
        return Some(vec![instance]);
    };
    let definition = classes.get(&class);
    if definition.is_none() {
        let tag = &instance.tag;
        let report = reader.error(format!("unknown {tag} class \"{class}\""));
        let report = report.one_of(&class, classes.keys().cloned());
        if classes.is_empty() {
            report.hint(format!("define <{tag}:class name=\"{class}\"> before it in the file"));
        }
    }
    Some(vec![instance, definition?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_every_tag_and_element() {
        let page = include_str!("../../../../docs/world-format.md");
        let tags = TAGS.iter().map(|(name, _)| *name).chain(FLOW_TAGS).chain(scalars::TAGS.iter().copied());
        for tag in tags.filter(|tag| !tag.ends_with(":class")) {
            let is_named = page.contains(&format!("<{tag}")) || page.contains(&format!("`{tag}`"));
            assert!(is_named, "docs/world-format.md does not name <{tag}>");
        }
        for (class, _) in ELEMENTS {
            assert!(page.contains(class), "docs/world-format.md does not name <element class=\"{class}\">");
        }
    }
}
