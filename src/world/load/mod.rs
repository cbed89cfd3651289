//! From a world file to a [`World`]: dispatches the root tags, in document order, to one file each.

mod actor;
pub(super) mod block;
mod elevation;
mod georeference;
mod joint;
mod map;
mod matrix;
mod names;
mod plane;
mod publish;
mod quota;
mod region;
mod scalars;
mod shape;
mod simulable;
mod spawn;
pub(super) mod vehicle;
mod vertical_plane;
mod viewer_scene;
mod visual;
mod walls;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::names::Names;
use self::quota::Quota;
pub(super) use self::scalars::Scalars;
pub(super) use self::simulable::stand;
use super::georeference::Georeference;
use super::region::Region;
use super::viewer_scene::ViewerScene;
use super::{Catalogue, Scene, World};
use crate::assets::{self, Cancel, Progress, Reach};
use crate::friction::{LawDefaults, Limit, ResistanceAt};
use crate::mesh::Meshes;
use crate::raycast::{GridCaster, OccupancyGrid};
use crate::time::SimTime;
use crate::vehicle::{OdometrySource, SlopeRule, WeightRule};
use crate::xml::{Context, Element, Options, Place, Problem, Problems, Reader};

/// Longest physics step that is chosen automatically [s]: MVSim's.
const LONGEST_AUTOMATIC_STEP: f64 = 5e-3;

/// How to load a world.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Seed of all noise and of random expressions; overrides the file.
    pub seed: Option<u64>,
    /// Let `$(command)` in a world run programs.
    pub allow_commands: bool,
    /// Physics rules; overrides the file.
    pub physics: Option<PhysicsRules>,
    /// Variables of the world, which count instead of what its `<variable>` tags say. One that it does not ask for is an error.
    pub variables: Vec<(String, String)>,
    /// Fetch nothing from the network: a mesh or texture that is not in the cache is missing.
    pub offline: bool,
    /// The folder that fetched files are kept in; none: as the environment says, see [`crate::assets`].
    pub cache: Option<PathBuf>,
    /// Receives progress messages of slow operations.
    pub progress: Progress,
    /// What the caller may name, where a caller over the network asks for the load; none: a user of this machine does, who may name
    /// whatever there is. Texts of a caller are bound by it, and no message tells what stands in a file.
    pub reach: Option<Arc<Reach>>,
    /// Cancels the load, which then fails.
    pub cancel: Cancel,
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

/// A set of defaults for physics that MVSim and skidpad see differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhysicsRules {
    /// Friction circle, weight from the centre of mass, gravity along slopes, odometry from the wheels.
    #[default]
    Skidpad,
    /// Per-axis friction limit, uniform weight, slopes held by the tyres, odometry from the true motion.
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

    fn slope(self) -> SlopeRule {
        match self {
            PhysicsRules::Skidpad => SlopeRule::Pulls,
            PhysicsRules::Mvsim => SlopeRule::Held,
        }
    }

    /// Whether regions are asked about wheels at z = 0, not at their height.
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
    vehicle_classes: BTreeMap<String, Element>,
    block_classes: BTreeMap<String, Element>,
    actor_classes: BTreeMap<String, Element>,
    vehicles: Vec<vehicle::Loaded>,
    blocks: Vec<block::Loaded>,
    maps: Vec<(OccupancyGrid, map::Surface)>,
    planes: Vec<plane::Loaded>,
    elevations: Vec<elevation::Loaded>,
    vertical_planes: Vec<vertical_plane::Loaded>,
    regions: Vec<Region>,
    joints: Vec<joint::Loaded>,
    actors: Vec<actor::Loaded>,
    georeference: Option<Georeference>,
    viewer_scene: ViewerScene,
    focuses: Vec<viewer_scene::Focus>,
    meshes: Meshes,
}

/// The result of a load, with problems in the order in which they were found.
pub struct Loading {
    /// The world; none where there are errors.
    pub world: Option<World>,
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

    /// Loads a world file and keeps everything that is wrong with it, the warnings beside errors too.
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
        load(name, options, |context, visit| context.read_world_text(name, directory, text, visit)).done()
    }
}

fn load(name: &str, options: &LoadOptions, read: impl Fn(&Context, &mut dyn FnMut(&Element))) -> Loading {
    // Scalars apply to the whole world, so they are read first; their errors are reported in the second pass.
    let mut scalars = Scalars::new(options);
    let first = Context::new(Options {
        seed: options.seed,
        allow_commands: options.allow_commands,
        assets: options.assets(),
        variables: options.variables.clone(),
    });
    read(&first, &mut |element| scalars.read(&Reader::new(&first, element), options));
    let context = Context::restart(first);
    let mut builder = Builder::new(&context, options, scalars);
    read(&context, &mut |element| builder.root_element(element));
    if !context.has_errors() {
        context.check_user_variables();
    }
    if let Err(error) = context.cancel().check() {
        context.error(&Place::of_file(name), error.to_string());
    }
    let world = if context.has_errors() { None } else { builder.build(name) };
    let (errors, warnings) = context.finish();
    Loading { world: world.filter(|_| errors.is_empty()), errors, warnings }
}

/// Root tags for what MVSim does by itself and skidpad leaves to others, each with what to use instead.
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

/// Root tags without meaning outside MVSim's own engine and network.
const MEANINGLESS: &[&str] =
    &["server_address", "b2d_vel_iters", "b2d_pos_iters", "max_slope_to_collide", "min_slope_to_collide"];

/// Root tags with an effect, for messages.
const ACCEPTED: &[&str] = &[
    "vehicle",
    "vehicle:class",
    "block",
    "block:class",
    "actor",
    "actor:class",
    "element",
    "walls",
    "joint",
    "marker",
    "gui",
    "lights",
    "georeference",
    "include",
    "variable",
    "for",
    "if",
];

/// Classes of `<element>`.
const ELEMENTS: &[&str] = &[
    "occupancy_grid",
    "ground_grid",
    "horizontal_plane",
    "vertical_plane",
    "elevation_map",
    "pointcloud",
    "property_region",
    "skybox",
];

impl<'a> Builder<'a> {
    fn new(context: &'a Context, options: &'a LoadOptions, scalars: Scalars) -> Builder<'a> {
        Builder {
            context,
            options,
            scalars,
            names: Names::default(),
            bodies: quota::BODIES,
            surveys: quota::SURVEYS,
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
            viewer_scene: ViewerScene::default(),
            focuses: Vec::new(),
            meshes: Meshes::default(),
        }
    }
}

impl Builder<'_> {
    fn root_element(&mut self, element: &Element) {
        let reader = Reader::new(self.context, element);
        match element.tag.as_str() {
            "vehicle:class" => define_class(&mut self.vehicle_classes, &reader),
            "block:class" => define_class(&mut self.block_classes, &reader),
            "actor:class" => define_class(&mut self.actor_classes, &reader),
            "vehicle" | "block" if !self.bodies.take(&reader) => {}
            "vehicle" => self.vehicle(element),
            "block" => self.block(element),
            "actor" => self.actor(element),
            "walls" => self.walls(&reader),
            "joint" => self.joint(&reader),
            "marker" => self.marker(&reader),
            "gui" => self.gui(&reader),
            "lights" => self.lights(&reader),
            "georeference" => self.georeference(&reader),
            "element" => self.element(&reader),
            // Their values are known already; this pass reports their errors.
            tag if scalars::TAGS.contains(&tag) => self.scalars.clone().read(&reader, self.options),
            "sensor" => {
                reader.warn("<sensor> outside a vehicle: MVSim publishes those to its own network only; they have no effect here");
            }
            tag if elsewhere(tag).is_some() => {
                let asked = reader.own_text().unwrap_or_default().to_ascii_lowercase();
                let is_off = ["", "0", "false"].contains(&asked.as_str());
                if let (false, Some(instead)) = (is_off, elsewhere(tag)) {
                    reader.warn(format!("<{tag}> has no effect")).hint(instead);
                }
            }
            tag if MEANINGLESS.contains(&tag) => {}
            tag => {
                let report = reader.warn(format!("unknown tag \"{tag}\" in <mvsim_world>"));
                report.one_of(tag, ACCEPTED.iter().chain(scalars::TAGS).copied());
            }
        }
    }

    fn element(&mut self, reader: &Reader<'_>) {
        let Some(class) = reader.attribute_raw("class") else {
            reader.missing("class").accepted(ELEMENTS.iter().copied());
            return;
        };
        match class.as_str() {
            "occupancy_grid" | "elevation_map" | "pointcloud" if !self.surveys.take(reader) => {}
            "occupancy_grid" => self.occupancy_grid(reader),
            "ground_grid" => self.ground_grid(reader),
            "horizontal_plane" => self.horizontal_plane(reader),
            "vertical_plane" => self.vertical_plane(reader),
            "elevation_map" => self.elevation_map(reader),
            "pointcloud" => self.point_cloud(reader),
            "property_region" => self.property_region(reader),
            "skybox" => self.skybox(reader),
            class => {
                reader.error(format!("unknown class \"{class}\" in <element>")).one_of(class, ELEMENTS.iter().copied());
            }
        }
    }

    /// The physics step [s]: the one asked for, or MVSim's automatic choice.
    fn step(&self) -> SimTime {
        let shortest = self.vehicles.iter().flat_map(|v| &v.sensors).map(|s| s.info().period).min();
        let step = if self.scalars.step > 0.0 {
            SimTime::from_secs(self.scalars.step)
        } else {
            let longest = SimTime::from_secs(LONGEST_AUTOMATIC_STEP);
            shortest.map_or(longest, |period| period.min(longest))
        };
        step.max(SimTime(1000))
    }

    /// Assembles the world. None when that fails, with the problem recorded.
    fn build(mut self, name: &str) -> Option<World> {
        self.check_published_names();
        self.check_focuses();
        self.grid_where_nothing_is();
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
            scalars: self.scalars,
            options: self.options.clone(),
            variables: self.context.variables(),
        };
        let mut world = World::new(scene, catalogue);
        let scene = Arc::make_mut(&mut world.scene);
        for (grid, surface) in self.maps {
            world.physics.add_map(&grid, surface.friction, surface.restitution);
            let grid = Arc::new(grid);
            match GridCaster::new(grid.clone()) {
                Ok(caster) => world.grids.push(Arc::new(caster)),
                Err(error) => {
                    self.context.error(&surface.place, error.to_string());
                    return None;
                }
            }
            scene.maps.push(grid);
        }
        elevation::place(self.elevations, scene, &mut world.terrain);
        world.moving_planes = plane::place(self.planes, scene, &mut world.terrain);
        vertical_plane::place(self.vertical_planes, scene, &mut world.physics, &mut world.obstacles);
        simulable::stand_on_ground(&mut self.blocks, &mut self.vehicles, &mut self.actors, &mut world.terrain);
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
        Some(world.begin())
    }
}

/// What to use instead of a root tag that skidpad leaves to others.
fn elsewhere(tag: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(name, _)| *name == tag).map(|(_, instead)| *instead)
}

/// Keeps a class with its includes and conditions carried out; a later one of the same name replaces it.
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
        let what = &instance.tag;
        let report = reader.error(format!("unknown {what} class \"{class}\""));
        let report = report.one_of(&class, classes.keys().cloned());
        if classes.is_empty() {
            report.hint(format!("<{what}:class name=\"{class}\"> comes before it in the file"));
        }
    }
    Some(vec![instance, definition?])
}
