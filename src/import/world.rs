//! Reads a `<world>` of SDF: models that drive as vehicles, the others as scenery.

use skidpad_math::Pose3;
use skidpad_xml::{Accept, Context, Element, Reader};

use super::class::VehicleClass;
use super::files::Files;
use super::frames::Frames;
use super::includes::STAND_IN;
use super::plugins::DriveHints;
use super::robot::{Link, Robot};
use super::scenery::{self, Thing};
use super::sdf::{self, Version};
use super::state::State;
use super::text;
use super::vehicle;
use super::wheels::Wheels;

/// A world to write.
#[derive(Debug, Default)]
pub(super) struct SdfWorld {
    pub name: String,
    /// [m/s²]; none: as usual.
    pub gravity: Option<f64>,
    /// Azimuth and elevation of the sun [rad].
    pub sun: Option<[f64; 2]>,
    /// Latitude, longitude [deg], height [m], and the rotation from east to x [deg].
    pub place: Option<[f64; 4]>,
    pub things: Vec<Thing>,
    pub vehicles: Vec<SceneVehicle>,
    pub classes: Vec<VehicleClass>,
}

/// A vehicle of a class.
#[derive(Debug)]
pub(super) struct SceneVehicle {
    pub name: String,
    pub class: String,
    pub pose: Pose3,
}

impl SdfWorld {
    /// One line: how many things of each kind there are, of those that are there.
    pub(super) fn summary(&self) -> String {
        let count = |counts: fn(&Thing) -> bool| self.things.iter().filter(|thing| counts(thing)).count();
        let counts = [
            (self.vehicles.len(), "vehicle", "vehicles"),
            (count(|thing| matches!(thing, Thing::Block(_) | Thing::StandIn { .. })), "block", "blocks"),
            (count(|thing| matches!(thing, Thing::Plane { .. })), "plane", "planes"),
            (count(|thing| matches!(thing, Thing::Walls { .. })), "mesh as walls", "meshes as walls"),
        ];
        let present = counts.into_iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<String> = present
            .map(|(count, singular, plural)| format!("{count} {}", if count == 1 { singular } else { plural }))
            .collect();
        // Level ground is there in any world, as Gazebo's ground_plane.
        format!("{}: {}", self.name, if parts.is_empty() { "level ground".to_owned() } else { parts.join(", ") })
    }
}

/// What cannot be carried over; other tags of a world concern Gazebo alone.
const LEFT_OUT: [&str; 4] = ["actor", "road", "population", "joint"];

/// Reads a world that is called `stem`, as its file: many are called default inside. Problems are recorded.
pub(super) fn read(context: &Context, reader: &Reader<'_>, version: Version, files: &Files, stem: &str) -> SdfWorld {
    let mut world = SdfWorld { name: text::identifier(stem), ..SdfWorld::default() };
    let frames = Frames::read(context, reader, 0);
    if let Some(gravity) = reader.numbers("gravity", &[3]) {
        world.gravity = Some(-gravity[2]).filter(|down| *down > 0.0);
        if world.gravity.is_none() {
            context.warn(reader.place_of("gravity"), "gravity that does not pull down: the usual one is used");
        }
    }
    for light in reader.children("light") {
        match light.attribute("type").as_deref() {
            Some("directional") if world.sun.is_none() => {
                let d = light.numbers("direction", &[3]).unwrap_or_else(|| vec![0.5, 0.1, -0.9]);
                let elevation = libm::atan2(-d[2], libm::hypot(d[0], d[1]));
                world.sun = Some([libm::atan2(-d[1], -d[0]), elevation]);
            }
            _ => drop(light.warn("the light is left out").accepted(["one directional light"])),
        }
    }
    if let Some(place) = reader.child("spherical_coordinates") {
        let degrees = |name: &str, most: f64| place.f64(name, 0.0, Accept::range(-most, most));
        let height = place.f64("elevation", 0.0, Accept::any());
        world.place = Some([
            degrees("latitude_deg", 90.0),
            degrees("longitude_deg", 180.0),
            height,
            degrees("heading_deg", 360.0),
        ]);
    }
    for tag in LEFT_OUT.iter().flat_map(|tag| reader.children(tag)) {
        tag.warn(format!("{} is left out", tag.describe()));
    }
    let state = State::read(reader);
    for model in reader.children("model") {
        let name = model.attribute("name").unwrap_or_default();
        let pose = state.model(&name).or_else(|| frames.pose_of("model", &name)).unwrap_or_default();
        if let [Some(class), Some(file)] = STAND_IN.map(|name| model.attribute_raw(name)) {
            let pose = Pose3 { x: pose.x, y: pose.y, z: pose.z, yaw: pose.yaw, ..Pose3::default() };
            let is_static = model.bool("static", false);
            world.things.push(Thing::StandIn { name, class, file, pose, is_static });
            continue;
        }
        let mut adding = Adding { context, version, files, state: &state, world: &mut world };
        adding.model(&model, &Named { path: name.clone(), shown: name }, pose, false, 0);
    }
    world
}

/// The names of a model.
struct Named {
    /// With those of the models around it, as `<state>` has it.
    path: String,
    /// In the world that is written.
    shown: String,
}

/// Adds models to a world.
struct Adding<'w, 'a> {
    context: &'a Context,
    version: Version,
    files: &'w Files,
    state: &'w State,
    world: &'w mut SdfWorld,
}

impl<'a> Adding<'_, 'a> {
    /// Adds a model, and each model within it that nothing connects with it as one of its own. `is_static`: a model around it is.
    fn model(&mut self, model: &Reader<'a>, named: &Named, pose: Pose3, is_static: bool, depth: usize) {
        let is_static = is_static || model.bool("static", false);
        let loose = loose_models(model);
        if !loose.is_empty() {
            let frames = Frames::read(self.context, model, depth);
            let is_alone = loose.len() == 1 && !model.has("link") && model.children("model").len() == 1;
            for nested in model.children("model") {
                let Some(name) = nested.attribute("name").filter(|name| loose.contains(name)) else { continue };
                let path = format!("{}::{name}", named.path);
                let inner = pose * frames.pose_of("model", &name).unwrap_or_default();
                let shown = if is_alone { named.shown.clone() } else { format!("{}_{name}", named.shown) };
                let inner = self.state.model(&path).unwrap_or(inner);
                self.model(&nested, &Named { path, shown }, inner, is_static, depth + 1);
            }
            if !model.has("link") && loose.len() == model.children("model").len() {
                return;
            }
        }
        let robot = sdf::read_without(self.context, model, self.version, self.files, is_static, &loose);
        let Some(mut robot) = robot else { return };
        robot.name.clone_from(&named.shown);
        self.robot(&robot, named, pose);
    }

    /// Adds a robot as a vehicle or, if nothing drives it, as scenery, whose links are where `<state>` has them.
    fn robot(&mut self, robot: &Robot<'a>, named: &Named, pose: Pose3) {
        let is_static = robot.links.iter().any(|link| link.is_static);
        if is_static || !drives(self.context, robot) {
            let at = |link: &Link| self.state.link(&named.path, &link.name);
            let placed: Vec<Pose3> =
                robot.links.iter().map(|link| at(link).unwrap_or(pose * link.robot_from_link)).collect();
            self.world.things.extend(scenery::convert(self.context, robot, &placed, &pose));
            return;
        }
        let Some(mut class) = vehicle::convert(self.context, robot) else { return };
        let stem = class.name.clone();
        let is_taken = |name: &String| self.world.classes.iter().any(|known| known.name == *name);
        if is_taken(&class.name) {
            class.name = (2..).map(|k| format!("{stem}_{k}")).find(|name| !is_taken(name)).unwrap_or(stem);
        }
        let pose = pose * class.robot_from_body;
        self.world.vehicles.push(SceneVehicle { name: class.name.clone(), class: class.name.clone(), pose });
        self.world.classes.push(class);
    }
}

/// The names of the models within a model that nothing connects with it: it has no joints, and no plugin of it names their parts.
fn loose_models(model: &Reader<'_>) -> Vec<String> {
    if model.has("joint") {
        return Vec::new();
    }
    let plugins = model.children("plugin");
    let is_named = |name: &str| plugins.iter().any(|plugin| names_part_of(plugin.element(), &format!("{name}::")));
    let names = model.children("model").into_iter().filter_map(|nested| nested.attribute("name"));
    names.filter(|name| !is_named(name)).collect()
}

/// Whether a text in an element begins with this prefix.
fn names_part_of(element: &Element, prefix: &str) -> bool {
    element.text.as_ref().is_some_and(|text| text.value.starts_with(prefix))
        || element.children.iter().any(|child| names_part_of(child, prefix))
}

/// Whether a model has wheels: driven ones, or at least two.
fn drives(context: &Context, robot: &Robot<'_>) -> bool {
    if robot.joints.is_empty() {
        return false;
    }
    let hints = DriveHints::read(context, robot);
    !hints.driven.is_empty()
        || hints.has_tracks()
        || Wheels::find(context, robot, &hints).is_some_and(|wheels| wheels.wheels.len() >= 2 && wheels.legs.is_none())
}
