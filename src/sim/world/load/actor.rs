//! `<actor:class>` and `<actor>`: figures that walk along a path.
//!
//! ```xml
//! <actor name="bob" class="…">                    name: actor1, actor2, … where absent; taken as it is where ${…} means nothing
//!   <init_pose>x y yaw</init_pose>                [m], [deg]; or <init_pose3d>
//!   <walking_speed>1.4</walking_speed> <running_speed>3.5</running_speed>                  [m/s], ≥ 0
//!   <collision_radius>0.3</collision_radius> <collision_height>1.7</collision_height>      [m], ≥ 0
//!   <height>1.75</height>                         [m], ≥ 0
//!   <animation_idle>idle</animation_idle> <animation_walk>walk</animation_walk> <animation_run>run</animation_run>
//!   <label>actor</label>                        class in labels
//!   <visual> … </visual>                        with <wheel_radius>: a wheel
//!   <path loop="true">                            false: it stays at the last waypoint
//!     <waypoint pause="0" animation="walk">x y yaw</waypoint>   [s], ≥ 0; walk, run or idle; or x y z yaw pitch roll [m], [deg]
//!   </path>
//! </actor>
//! ```
//! A value of the actor overrides that of its class. The `animation` of a waypoint is the gait on the way to it; `idle` means walk,
//! since an actor stands only during a pause. A waypoint without z has the height of the start.

use skidpad_files::mesh::Meshes;
use skidpad_math::{Pose3, Vec2};
use skidpad_xml::{Accept, Element, Reader};

use super::label::read_label;
use super::simulable::{PoseIs, StartHeight, read_start};
use super::visual::read_actor_visuals;
use super::{Builder, PhysicsRules, pose_from, with_class};
use crate::raycast::Obstacles;
use crate::vehicle::MAX_COORDINATE;
use crate::world::actor::{Actor, ActorInfo, Waypoint};
use crate::world::animation::Keyframes;
use crate::world::drawing;
use crate::world::label;
use crate::world::{EntityId, Scene};

/// Corners of the circle as the shape for planar lidars.
const CORNERS: u32 = 12;

/// An actor as read.
pub(super) struct Loaded {
    /// Pose in the world [m, rad]; its z may still be found from the ground.
    pub start: Pose3,
    /// What its z means.
    pub height: StartHeight,
    info: ActorInfo,
    /// For each waypoint whether the file gives its z.
    has_height: Vec<bool>,
    motion: Option<Keyframes>,
}

/// Adds the actors to the scene, and under skidpad's rules to the shapes for lidars.
pub(super) fn place(
    loaded: Vec<Loaded>,
    scene: &mut Scene,
    obstacles: &mut Obstacles,
    rules: PhysicsRules,
) -> Vec<Actor> {
    let mut actors = Vec::new();
    for Loaded { start, mut info, has_height, motion, .. } in loaded {
        info.world_from_start = start;
        for (waypoint, has_height) in info.waypoints.iter_mut().zip(has_height) {
            if !has_height {
                waypoint.world_from_actor.z = start.z;
            }
        }
        let is_seen = rules == PhysicsRules::Skidpad && info.collision_radius > 0.0;
        let shape = is_seen.then(|| obstacles.add_mover(None, &circle(info.collision_radius)));
        if let Some(shape) = shape {
            obstacles.set_mover_clear(shape, drawing::is_clear(&info.visuals, drawing::ACTOR_COLOR));
        }
        actors.push(Actor::new(&info, actors.len(), shape, motion));
        scene.actors.push(info);
    }
    actors
}

/// A polygon with its corners on a circle [m] about the origin.
fn circle(radius: f64) -> Vec<Vec2> {
    let corner = |k| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(CORNERS));
        radius * Vec2::new(cos, sin)
    };
    (0..CORNERS).map(corner).collect()
}

impl Builder<'_> {
    pub(super) fn actor(&mut self, element: &Element) {
        let context = self.context;
        let instance = context.expand_body(element);
        let plain = Reader::new(context, &instance);
        let class = plain.attribute_or_written("class").unwrap_or_default();
        let Some(layers) = with_class(&plain, &instance, &self.actor_classes) else { return };
        let name = match plain.attribute_or_written("name").filter(|name| !name.is_empty()) {
            Some(name) => {
                if self.names.has(&name) && self.actors.iter().any(|actor| actor.info.name == name) {
                    plain.error(format!("a second actor called \"{name}\"")).hint("names must be unique");
                }
                self.names.unique(&name)
            }
            None => self.names.numbered("actor", 1, |stem, number| format!("{stem}{number}")),
        };
        let reader = Reader::layered(context, layers).with_name("NAME", name.clone());
        self.actors.push(read_actor(&reader, name, class, &self.meshes));
        reader.finish();
    }
}

fn read_actor(reader: &Reader<'_>, name: String, class: String, meshes: &Meshes) -> Loaded {
    reader.ignore(&["class", "name"]);
    let start = read_start(reader, PoseIs::Needed);
    if start.publish.is_some() {
        reader.warn("<publish> of an actor has no effect: frames hold its pose");
    }
    let size = |name, default| reader.f64(name, default, Accept::range(0.0, 1e6));
    let clip = |name, default: &str| reader.text(name).unwrap_or_else(|| default.to_string());
    let mut info = ActorInfo {
        id: EntityId::default(),
        name,
        class,
        label: read_label(reader, label::ACTOR),
        world_from_start: start.pose,
        collision_radius: size("collision_radius", 0.3),
        collision_height: size("collision_height", 1.7),
        height: size("height", 1.75),
        walking_speed: size("walking_speed", 1.4),
        running_speed: size("running_speed", 3.5),
        clips: [clip("animation_idle", "idle"), clip("animation_walk", "walk"), clip("animation_run", "run")],
        visuals: read_actor_visuals(reader, meshes),
        waypoints: Vec::new(),
        is_loop: false,
    };
    let mut has_height = Vec::new();
    if let Some(path) = reader.child("path") {
        info.is_loop = path.attribute_bool("loop", true);
        for waypoint in path.children("waypoint") {
            if let Some((waypoint, is_spatial)) = read_waypoint(waypoint) {
                info.waypoints.push(waypoint);
                has_height.push(is_spatial);
            }
        }
        if info.waypoints.is_empty() {
            path.warn("<path> without <waypoint>: the actor stands");
        }
        path.finish();
    }
    if start.animation.is_some() && !info.waypoints.is_empty() {
        reader.warn("<animation> of an actor with a <path> has no effect: it follows the path");
    }
    Loaded { start: start.pose, height: start.height, info, has_height, motion: start.animation }
}

/// A waypoint, and whether its z is given. None if its numbers are invalid, with the error recorded.
fn read_waypoint(tag: Reader<'_>) -> Option<(Waypoint, bool)> {
    let pause = tag.attribute_f64("pause", 0.0, Accept::non_negative());
    let hint = tag.attribute_raw("animation").unwrap_or_default();
    if !["", "walk", "run", "idle"].contains(&hint.as_str()) {
        let report = tag.warn(format!("unknown animation \"{hint}\" of a waypoint: it walks there"));
        report.one_of(&hint, ["walk", "run", "idle"]);
    }
    let numbers = tag.own_numbers(&[3, 6]);
    if numbers.is_none() && tag.element().text.is_none() {
        tag.error("<waypoint> without a pose").accepted(["x y yaw", "x y z yaw pitch roll"]);
    }
    if numbers.iter().flatten().any(|number| number.abs() > MAX_COORDINATE) {
        tag.error("a waypoint out of this world").accepted([format!("numbers up to {MAX_COORDINATE}")]);
    }
    tag.finish();
    let numbers = numbers?;
    Some((Waypoint { world_from_actor: pose_from(&numbers), pause, is_run: hint == "run" }, numbers.len() == 6))
}
