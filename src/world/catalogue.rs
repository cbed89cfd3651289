//! What can be added to a world while it runs: the classes of its file, and what it takes to build from them later.
//!
//! Building (reading XML, meshes, working out shapes) happens outside the simulation: whoever wants something in the world gets a
//! [`Recipe`] from the [`Catalogue`] and hands it to [`World::spawn`](super::World::spawn) between two steps.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use super::load::{Scalars, block, vehicle};
use super::{LoadOptions, Scene};
use crate::math::Pose3;
use crate::xml::{Element, Problem};

/// Largest coordinate [m] at which something can stand.
const FARTHEST: f64 = 1e9;
/// Longest name [bytes].
const LONGEST_NAME: usize = 255;

/// The vehicle and block classes of a world, with what they need to become bodies. It is plain data, for any thread.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(super) vehicles: BTreeMap<String, Element>,
    pub(super) blocks: BTreeMap<String, Element>,
    pub(super) scalars: Scalars,
    pub(super) options: LoadOptions,
    /// Variables as they stand at the end of the file.
    pub(super) variables: Vec<(String, String)>,
}

/// What kind of body a class describes.
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
    /// What it describes.
    pub kind: EntityKind,
    /// What it is, in a few words.
    pub description: String,
    /// The file in which it stands.
    pub file: String,
}

/// Something wanted in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct SpawnRequest {
    /// How it shall be called; empty: as the XML says.
    pub name: String,
    /// What it is.
    pub what: SpawnWhat,
    /// Where it shall stand [m, rad]; none: where the XML says, or at the origin. Its height is that of the highest ground that is
    /// not above half of the body, counted from z, unless the XML says `<skip_elevation_adjust/>`.
    pub pose: Option<Pose3>,
}

/// What to spawn.
#[derive(Clone, Debug, PartialEq)]
pub enum SpawnWhat {
    /// A class of the world; one of vehicles before one of blocks.
    Class(String),
    /// XML with a `<vehicle>` or a `<block>`, or one class of either.
    Xml {
        /// The XML.
        text: String,
        /// Where relative paths in it start.
        directory: PathBuf,
        /// What messages call it.
        label: String,
    },
    /// A file with the same.
    File(PathBuf),
}

/// Something built and ready for a world.
pub struct Recipe {
    pub(super) what: Built,
    /// What is odd about it, but does not prevent it.
    pub warnings: Vec<Problem>,
}

/// See [`Recipe`].
pub(super) enum Built {
    Vehicle(Box<vehicle::Loaded>),
    Block(Box<block::Loaded>),
}

impl Recipe {
    /// How it will be called.
    pub fn name(&self) -> &str {
        match &self.what {
            Built::Vehicle(vehicle) => &vehicle.info.name,
            Built::Block(block) => &block.info.name,
        }
    }

    /// What it is.
    pub fn kind(&self) -> EntityKind {
        match &self.what {
            Built::Vehicle(_) => EntityKind::Vehicle,
            Built::Block(_) => EntityKind::Block,
        }
    }

    /// The pose [m, rad] at which it shall stand; its height may still follow from the ground.
    pub fn pose(&self) -> Pose3 {
        match &self.what {
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

/// Why something cannot come into a world, or leave it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SpawnError {
    /// What kind of reason.
    pub kind: SpawnErrorKind,
    /// The reason, with what is accepted and what to try.
    pub message: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnErrorKind {
    /// Something else is called so.
    NameTaken,
    /// Nothing can be called so.
    NameInvalid,
    /// The XML is none of a vehicle or a block.
    UnsupportedFormat,
    /// There is no such class or file.
    NoResource,
    /// The XML is wrong.
    ParseError,
    /// A mesh or another file that it names is missing or unreadable.
    MissingAssets,
    /// Nothing can stand there.
    InvalidPose,
    /// There is nothing with this id.
    Unknown,
}

impl SpawnError {
    pub(super) fn new(kind: SpawnErrorKind, message: impl Into<String>) -> SpawnError {
        SpawnError { kind, message: message.into() }
    }
}

/// Why the state of something was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// There is nothing with this id.
    #[error("state: nothing here has the id {0}")]
    Unknown(u64),
    /// A number in it is not finite, or absurd.
    #[error("state of \"{name}\": {what}\n  accepted: {accepted}")]
    Invalid {
        /// Its name.
        name: String,
        /// What is wrong.
        what: &'static str,
        /// What would be right.
        accepted: &'static str,
    },
    /// Something that its world moves, or that has no body, can be put elsewhere only by spawning it there.
    #[error(
        "state of \"{0}\": it moves as its world says, and not otherwise\n  hint: delete it and spawn it where it shall be"
    )]
    Fixed(String),
}

impl Catalogue {
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

/// Refuses names that nothing can have.
pub(super) fn check_name(name: &str) -> Result<(), SpawnError> {
    let wrong = if name.trim().is_empty() {
        "it is empty"
    } else if name.trim() != name {
        "it begins or ends with a blank"
    } else if name.chars().any(char::is_control) {
        "there is a control character in it"
    } else if name.len() > LONGEST_NAME {
        "it is longer than 255 bytes"
    } else {
        return Ok(());
    };
    let start: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    let message =
        format!("spawn: \"{start}\" cannot be a name: {wrong}\n  accepted: up to 255 bytes of printable text");
    Err(SpawnError::new(SpawnErrorKind::NameInvalid, message))
}

/// Why nothing can stand at this pose [m, rad], if nothing can.
pub(super) fn wrong_pose(pose: &Pose3) -> Option<(&'static str, &'static str)> {
    if !pose.is_finite() {
        return Some(("a number in its pose is not finite", "finite numbers"));
    }
    let is_far = [pose.x, pose.y, pose.z].iter().any(|coordinate| coordinate.abs() > FARTHEST);
    is_far.then_some(("it would be too far away", "coordinates up to 1e9 m"))
}

/// The names that something in a scene has.
pub(super) fn names_in(scene: &Scene) -> impl Iterator<Item = &String> {
    let bodies = scene.vehicles.iter().map(|v| &v.name).chain(scene.blocks.iter().map(|b| &b.name));
    let scenery = scene.planes.iter().map(|p| &p.name).chain(scene.elevations.iter().map(|e| &e.name));
    let others = scene.walls.iter().map(|w| &w.name).chain(scene.regions.iter().map(|r| &r.name));
    let moving = scene.joints.iter().map(|j| &j.name).chain(scene.actors.iter().map(|a| &a.name));
    bodies.chain(scenery).chain(others).chain(moving)
}
