//! Catalogue for spawning: the vehicle and block classes of the world file, and the data to build instances of them later.
//!
//! Building (reading XML and meshes, computing shapes) happens outside the simulation: the caller gets a [`Recipe`] from the
//! [`Catalogue`] and hands it to [`World::spawn`](crate::world::World::spawn) between two steps.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use skidpad_math::Pose3;
use skidpad_xml::{Element, Problem};
use thiserror::Error;

use crate::sensor::Claim;
use crate::world::load::{Candidate, Scalars, block, vehicle};
use crate::world::surroundings::Models;
use crate::world::{BlockInfo, LoadOptions, Scene, Spot, VehicleInfo};

/// Longest name [bytes].
const MAX_NAME_LENGTH: usize = 255;

/// The vehicle and block classes of a world, with everything needed to build bodies from them. Plain data, usable on any thread.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(in crate::world) vehicles: BTreeMap<String, Element>,
    pub(in crate::world) blocks: BTreeMap<String, Element>,
    pub(in crate::world) scalars: Scalars,
    pub(in crate::world) options: LoadOptions,
    /// Variables with their values at the end of the file.
    pub(in crate::world) variables: Vec<(String, String)>,
    /// Names of those that the world has of its own.
    pub(in crate::world) declared_variables: Vec<String>,
    /// The kinds of vehicles, for checks of the step on demand.
    pub(in crate::world) candidates: Vec<Candidate>,
    /// See [`unused_variables`](Self::unused_variables).
    pub(in crate::world) unused_variables: Vec<String>,
    /// See [`settable_variables`](Self::settable_variables).
    pub(in crate::world) used_variables: Vec<String>,
    /// The mesh files that sensors of the loaded world see, if one of them needs the surroundings.
    pub(in crate::world) seen: Option<Models>,
    /// See [`files`](Self::files).
    pub(in crate::world) files: Vec<PathBuf>,
}

/// Kind of body that a class describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntityKind {
    /// A vehicle.
    Vehicle,
    /// A block.
    Block,
}

impl fmt::Display for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EntityKind::Vehicle => "vehicle",
            EntityKind::Block => "block",
        })
    }
}

/// A class of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    /// Name in the file.
    pub name: String,
    /// Kind of body.
    pub kind: EntityKind,
    /// A description in a few words.
    pub description: String,
    /// The file that defines it.
    pub file: String,
}

/// A request to spawn a vehicle or a block.
#[derive(Clone, Debug, PartialEq)]
pub struct SpawnRequest {
    /// Name of the body; empty: the one in the XML.
    pub name: String,
    /// Definition of the body.
    pub source: SpawnSource,
    /// Where it is put; none: at the pose in the XML, or at the origin. The height is that of the highest ground that is not above half
    /// of the body, counted from z, unless the XML has `<skip_elevation_adjust/>`.
    pub pose: Option<Spot>,
}

/// Definition of a body to spawn.
#[derive(Clone, Debug, PartialEq)]
pub enum SpawnSource {
    /// A class of the world; a vehicle class takes precedence over a block class.
    Class(String),
    /// XML with a `<vehicle>` or a `<block>`, or one class of either.
    Xml {
        /// The XML.
        text: String,
        /// Base folder of relative paths in the XML.
        directory: PathBuf,
        /// Name of the XML in messages.
        label: String,
    },
    /// A file with such XML.
    File(PathBuf),
}

/// A vehicle or block that is built and ready to be spawned.
pub struct Recipe {
    /// What it was built for, with its name.
    pub(in crate::world) request: SpawnRequest,
    pub(in crate::world) built: Built,
    /// What sensors see of it, if there may be some that do.
    pub(in crate::world) seen: Option<Models>,
    /// The memory of its sensors, until they are in a world.
    pub(in crate::world) claim: Claim,
    /// Warnings about it, which do not prevent it.
    pub warnings: Vec<Problem>,
}

/// See [`Recipe`].
pub(in crate::world) enum Built {
    Vehicle(Box<vehicle::Loaded>),
    Block(Box<block::Loaded>),
}

impl Recipe {
    /// Name of the class or file.
    pub fn name(&self) -> &str {
        match &self.built {
            Built::Vehicle(vehicle) => &vehicle.info.name,
            Built::Block(block) => &block.info.name,
        }
    }

    /// Whether it is a vehicle or a block.
    pub fn kind(&self) -> EntityKind {
        match &self.built {
            Built::Vehicle(_) => EntityKind::Vehicle,
            Built::Block(_) => EntityKind::Block,
        }
    }

    /// What it is, if it is a vehicle.
    pub fn vehicle(&self) -> Option<&VehicleInfo> {
        match &self.built {
            Built::Vehicle(vehicle) => Some(&vehicle.info),
            Built::Block(_) => None,
        }
    }

    /// What it is, if it is a block.
    pub fn block(&self) -> Option<&BlockInfo> {
        match &self.built {
            Built::Vehicle(_) => None,
            Built::Block(block) => Some(&block.info),
        }
    }

    /// Its pose [m, rad]; the height may still follow from the ground.
    pub fn pose(&self) -> Pose3 {
        match &self.built {
            Built::Vehicle(vehicle) => vehicle.info.world_from_start,
            Built::Block(block) => block.info.world_from_start,
        }
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recipe({} \"{}\")", self.kind(), self.name())
    }
}

/// Why something cannot be spawned or removed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SpawnError {
    /// Kind of reason.
    pub kind: SpawnErrorKind,
    /// The reason, the accepted values, and a hint.
    pub message: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnErrorKind {
    /// The name is in use.
    NameTaken,
    /// The name is not allowed.
    NameInvalid,
    /// The XML describes neither a vehicle nor a block.
    UnsupportedFormat,
    /// There is no such class or file.
    NoResource,
    /// The XML is wrong.
    ParseError,
    /// A mesh or another file that it names is missing or unreadable.
    MissingAssets,
    /// The pose is not finite, or too far away.
    InvalidPose,
    /// Its sensors exceed the budget of the world.
    TooMuch,
    /// Nothing has this id.
    Unknown,
    /// Sensors report labels, and all numbers have been given.
    NoLabel,
}

impl SpawnError {
    pub(in crate::world) fn new(kind: SpawnErrorKind, message: impl Into<String>) -> SpawnError {
        SpawnError { kind, message: message.into() }
    }
}

/// Why the state of a body cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// There is nothing with this id.
    #[error("state: nothing here has the id {0}")]
    Unknown(u64),
    /// A number in it is not finite, or absurd.
    #[error("state of \"{name}\": {fault}\n  accepted: {accepted}")]
    Invalid {
        /// Name of the vehicle or block whose state was set.
        name: String,
        /// The fault.
        fault: &'static str,
        /// The accepted values.
        accepted: &'static str,
    },
    /// A body with prescribed motion, or a block without a body. To move it, remove it and spawn it again.
    #[error(
        "state of \"{0}\": its motion is prescribed by the world\n  hint: delete it and spawn it at the desired pose"
    )]
    Fixed(String),
    /// A body that forces do not move: a static one, or one whose motion is prescribed by the world, a model or an ideal controller.
    #[error(
        "wrench on \"{0}\": no force moves it\n  accepted: vehicles that tyre forces move, and blocks that can be pushed"
    )]
    Unmoved(String),
}

impl Catalogue {
    /// The files that the world was loaded from, each once, in the order in which they were opened: the world file, what it includes, maps,
    /// meshes and pictures; not the maps that were [handed over](LoadOptions::maps). Empty in a world without a file.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The variables of the world by name, with their values at the end of the file.
    pub fn variables(&self) -> &[(String, String)] {
        &self.variables
    }

    /// The variables that a user can set, by name, with their values; none for one that has a default where the world uses it.
    pub fn settable_variables(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let value =
            |name: &str| self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        self.used_variables.iter().map(move |name| (name.as_str(), value(name)))
    }

    /// Those of the [optional variables](LoadOptions::optional_variables) that the world does not use.
    pub fn unused_variables(&self) -> &[String] {
        &self.unused_variables
    }

    /// The classes, vehicles first, each kind by name.
    pub fn classes(&self) -> Vec<ClassInfo> {
        let info = |kind: EntityKind, name: &String, class: &Element| ClassInfo {
            name: name.clone(),
            kind,
            description: describe(kind, class),
            file: class.place.file.to_string(),
        };
        let vehicles = self.vehicles.iter().map(|(name, class)| info(EntityKind::Vehicle, name, class));
        let blocks = self.blocks.iter().map(|(name, class)| info(EntityKind::Block, name, class));
        vehicles.chain(blocks).collect()
    }
}

fn describe(kind: EntityKind, class: &Element) -> String {
    let dynamics = class.child("dynamics").and_then(|dynamics| dynamics.attribute("class"));
    match (kind, dynamics) {
        (EntityKind::Vehicle, Some(dynamics)) => format!("vehicle with {} dynamics", dynamics.value),
        (EntityKind::Vehicle, None) => "vehicle".into(),
        (EntityKind::Block, _) => {
            let is = |tag: &str| {
                let text = class.child(tag).and_then(|child| child.text.as_ref());
                text.is_some_and(|text| ["true", "1"].contains(&text.value.to_ascii_lowercase().as_str()))
            };
            match (is("static"), is("intangible")) {
                (_, true) => "block to drive over".into(),
                (true, false) => "block that never moves".into(),
                (false, false) => "block".into(),
            }
        }
    }
}

/// Refuses names that are empty, too long or not printable.
pub(in crate::world) fn check_name(name: &str) -> Result<(), SpawnError> {
    let wrong = if name.trim().is_empty() {
        "it is empty"
    } else if name.trim() != name {
        "it begins or ends with a blank"
    } else if name.chars().any(char::is_control) {
        "there is a control character in it"
    } else if name.len() > MAX_NAME_LENGTH {
        "it is longer than 255 bytes"
    } else {
        return Ok(());
    };
    let start: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    let message =
        format!("spawn: \"{start}\" cannot be a name: {wrong}\n  accepted: up to 255 bytes of printable text");
    Err(SpawnError::new(SpawnErrorKind::NameInvalid, message))
}

/// The names of all things in a scene.
pub(in crate::world) fn names_in(scene: &Scene) -> impl Iterator<Item = &String> {
    let bodies = scene.vehicles.iter().map(|v| &v.name).chain(scene.blocks.iter().map(|b| &b.name));
    let scenery = scene.planes.iter().map(|p| &p.name).chain(scene.elevations.iter().map(|e| &e.name));
    let walls_and_regions = scene.walls.iter().map(|w| &w.name).chain(scene.regions.iter().map(|r| &r.name));
    let moving = scene.joints.iter().map(|j| &j.name).chain(scene.actors.iter().map(|a| &a.name));
    bodies.chain(scenery).chain(walls_and_regions).chain(moving)
}
