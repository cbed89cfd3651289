//! From a world file to a [`World`]: dispatches the root tags, in document order, to one file each.

mod block;
mod map;
mod scalars;
mod vehicle;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use self::scalars::Scalars;
use super::world::Mover;
use super::{Physics, Scene, World};
use crate::friction::{LawDefaults, Limit, ResistanceAt};
use crate::math::{Pose2, Twist2};
use crate::raycast::{GridCaster, Obstacles, OccupancyGrid};
use crate::time::SimTime;
use crate::vehicle::{OdometrySource, WeightRule};
use crate::xml::{Context, Element, Options, Problem, Problems, Reader};

/// Longest physics step that is chosen automatically [s]: MVSim's.
const LONGEST_AUTOMATIC_STEP: f64 = 5e-3;

/// How to load a world.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Seed of all noise and of random expressions; overrides the file.
    pub seed: Option<u64>,
    /// Let `$(command)` in a world run programs.
    pub allow_commands: bool,
    /// Which rules count where the world says nothing; overrides the file.
    pub physics: Option<PhysicsRules>,
}

/// A set of defaults for physics that MVSim and skidpad see differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhysicsRules {
    /// Friction circle, weight from the centre of mass, odometry from the wheels.
    #[default]
    Skidpad,
    /// Per-axis friction limit, uniform weight, odometry from the true motion.
    Mvsim,
}

impl PhysicsRules {
    /// The names in world files and on the command line.
    pub const NAMES: &[(&str, PhysicsRules)] = &[("skidpad", PhysicsRules::Skidpad), ("mvsim", PhysicsRules::Mvsim)];

    fn friction(self) -> LawDefaults {
        match self {
            PhysicsRules::Skidpad => LawDefaults { limit: Limit::Circle, resistance_at: ResistanceAt::Axle },
            PhysicsRules::Mvsim => LawDefaults { limit: Limit::Axes, resistance_at: ResistanceAt::Contact },
        }
    }

    fn weight(self) -> WeightRule {
        match self {
            PhysicsRules::Skidpad => WeightRule::Static,
            PhysicsRules::Mvsim => WeightRule::Uniform,
        }
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
    vehicle_classes: BTreeMap<String, Element>,
    block_classes: BTreeMap<String, Element>,
    vehicles: Vec<vehicle::Loaded>,
    unnamed_vehicles: usize,
    blocks: Vec<block::Loaded>,
    walls: usize,
    maps: Vec<(OccupancyGrid, map::Surface)>,
}

impl World {
    /// Loads a world file. Gives the world and the warnings, or all problems together.
    pub fn load(path: &Path, options: &LoadOptions) -> Result<(World, Vec<Problem>), Problems> {
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
        load(name, options, |context, visit| context.read_world_text(name, directory, text, visit))
    }
}

fn load(
    name: &str,
    options: &LoadOptions,
    read: impl Fn(&Context, &mut dyn FnMut(&Element)),
) -> Result<(World, Vec<Problem>), Problems> {
    let new_context = || Context::new(Options { seed: options.seed, allow_commands: options.allow_commands });
    // Scalars count for the whole world, so they are looked for first; what is wrong with them is said the second time.
    let mut scalars = Scalars::new(options);
    let first = new_context();
    read(&first, &mut |element| scalars.read(&Reader::new(&first, element), options));
    let context = new_context();
    let mut builder = Builder {
        context: &context,
        options,
        scalars,
        vehicle_classes: BTreeMap::new(),
        block_classes: BTreeMap::new(),
        vehicles: Vec::new(),
        unnamed_vehicles: 0,
        blocks: Vec::new(),
        walls: 0,
        maps: Vec::new(),
    };
    read(&context, &mut |element| builder.root_element(element));
    let world = if context.has_errors() { None } else { builder.build(name) };
    let (errors, warnings) = context.finish();
    match world {
        Some(world) if errors.is_empty() => Ok((world, warnings)),
        _ => Err(Problems(errors)),
    }
}

/// Root tags that MVSim knows and skidpad will; each is accepted with one warning.
const LATER: &[&str] = &[
    "gui",
    "lights",
    "georeference",
    "marker",
    "joint",
    "actor",
    "actor:class",
    "sensor",
    "joystick_enabled",
    "save_to_rawlog",
    "rawlog_odometry_rate",
    "save_ground_truth_trajectory",
    "ground_truth_rate",
];

/// Root tags that mean nothing outside MVSim's own engine and network.
const MEANINGLESS: &[&str] =
    &["server_address", "b2d_vel_iters", "b2d_pos_iters", "max_slope_to_collide", "min_slope_to_collide"];

/// Root tags with an effect, for messages.
const ACCEPTED: &[&str] =
    &["vehicle", "vehicle:class", "block", "block:class", "element", "walls", "include", "variable", "for", "if"];

impl Builder<'_> {
    fn root_element(&mut self, element: &Element) {
        let reader = Reader::new(self.context, element);
        match element.tag.as_str() {
            "vehicle:class" => define_class(&mut self.vehicle_classes, &reader),
            "block:class" => define_class(&mut self.block_classes, &reader),
            "vehicle" => self.vehicle(element),
            "block" => self.block(element),
            "walls" => self.walls(&reader),
            "element" => self.element(&reader),
            // They have been taken already; this reads them for what is wrong with them.
            tag if scalars::TAGS.contains(&tag) => self.scalars.clone().read(&reader, self.options),
            tag if LATER.contains(&tag) => {
                reader.warn(format!("<{tag}> has no effect yet"));
            }
            tag if MEANINGLESS.contains(&tag) => {}
            tag => {
                let report = reader.warn(format!("unknown tag \"{tag}\" in <mvsim_world>"));
                report.one_of(tag, ACCEPTED.iter().chain(scalars::TAGS).copied());
            }
        }
    }

    fn element(&mut self, reader: &Reader<'_>) {
        const LATER: &[&str] = &[
            "ground_grid",
            "horizontal_plane",
            "vertical_plane",
            "elevation_map",
            "pointcloud",
            "property_region",
            "skybox",
        ];
        match reader.attribute_raw("class").as_deref() {
            Some("occupancy_grid") => self.occupancy_grid(reader),
            Some(class) if LATER.contains(&class) => {
                reader.warn(format!("<element class=\"{class}\"> has no effect yet"));
            }
            Some(class) => {
                let accepted = std::iter::once("occupancy_grid").chain(LATER.iter().copied());
                reader.error(format!("unknown class \"{class}\" in <element>")).one_of(class, accepted);
            }
            None => {
                reader.missing("class");
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

    /// Puts everything together. None when that fails, with the problem recorded.
    fn build(self, name: &str) -> Option<World> {
        let step = self.step();
        let dt = step.secs();
        let mut physics = Physics::new(dt, self.scalars.collision_threshold);
        let mut obstacles = Obstacles::new();
        let mut grids = Vec::new();
        let mut maps = Vec::new();
        for (grid, surface) in self.maps {
            physics.add_map(&grid, surface.friction, surface.restitution);
            let grid = Arc::new(grid);
            match GridCaster::new(grid.clone()) {
                Ok(caster) => grids.push(Arc::new(caster)),
                Err(error) => {
                    self.context.error(&surface.place, error.to_string());
                    return None;
                }
            }
            maps.push(grid);
        }
        let (mut blocks, mut block_infos) = (Vec::new(), Vec::new());
        for loaded in self.blocks {
            blocks.push(loaded.place(&mut physics, &mut obstacles, self.scalars.gravity));
            block_infos.push(loaded.info);
        }
        let (mut movers, mut infos, mut sensors) = (Vec::new(), Vec::new(), Vec::new());
        for (index, loaded) in self.vehicles.into_iter().enumerate() {
            let (body, shapes) = loaded.place(index, &mut physics, &mut obstacles);
            infos.push(loaded.info);
            movers.push(Mover::new(loaded.vehicle, body, shapes, loaded.start_velocity_in_body));
            sensors.extend(loaded.sensors.into_iter().map(|sensor| (index, sensor)));
        }
        obstacles.finish();
        let scene =
            Scene { name: name.to_string(), step, seed: self.scalars.seed, vehicles: infos, blocks: block_infos, maps };
        Some(World::assemble(scene, physics, movers, blocks, sensors, grids, obstacles))
    }
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
    let Some(class) = reader.attribute_raw("class").filter(|class| !class.is_empty()) else {
        return Some(vec![instance]);
    };
    let definition = classes.get(&class);
    if definition.is_none() {
        let what = &instance.tag;
        reader.error(format!("unknown {what} class \"{class}\"")).one_of(&class, classes.keys().cloned());
    }
    Some(vec![instance, definition?])
}

/// Reads `init_pose` (x y yaw) or `init_pose3d` (x y z yaw pitch roll), in m and degrees; the planar part counts. Records
/// an error when both are missing.
fn read_start_pose(reader: &Reader<'_>) -> Pose2 {
    reader.ignore(&["skip_elevation_adjust"]);
    let pose = reader.numbers("init_pose", &[3]);
    let spatial = reader.numbers("init_pose3d", &[6]);
    if let Some(p) = pose {
        return Pose2::new(p[0], p[1], p[2].to_radians());
    }
    if let Some(p) = spatial {
        return Pose2::new(p[0], p[1], p[3].to_radians());
    }
    if !reader.has("init_pose") && !reader.has("init_pose3d") {
        reader.missing("<init_pose>");
    }
    Pose2::IDENTITY
}

/// Reads `init_vel` (vx vy ω) in m/s and deg/s: the velocity of the reference point in the body frame.
fn read_start_velocity(reader: &Reader<'_>) -> Twist2 {
    match reader.numbers("init_vel", &[3]) {
        Some(v) => Twist2::new(v[0], v[1], v[2].to_radians()),
        None => Twist2::ZERO,
    }
}
