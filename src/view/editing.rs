//! The messages of the editor: edits of the world file, and what viewers are told about it. They are parts of orders and answers.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// An edit of the world file. Lengths in m, angles in rad.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub enum EditView {
    /// Add an instance of something that the document offers; the answer has its name.
    Add {
        /// What.
        offer: OfferView,
        /// x [m].
        x: f64,
        /// y [m].
        y: f64,
        /// Heading [rad].
        yaw: f64,
    },
    /// Give a vehicle, a block or a wall another start pose.
    Place {
        /// Id of the vehicle, block or wall.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
        /// x [m].
        x: f64,
        /// y [m].
        y: f64,
        /// Heading [rad].
        yaw: f64,
    },
    /// Give a block other extents.
    Resize {
        /// Id of the block.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
        /// Extents along its axes, and its height [m].
        size: [f64; 3],
    },
    /// Set a value that the description lists.
    Set {
        /// Id of the body.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
        /// Key of the value.
        key: String,
        /// The value, as it is written in the file.
        value: String,
    },
    /// Remove a vehicle, a block or a wall from the file.
    Remove {
        /// Id of the vehicle, block or wall.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
    },
    /// Add walls from each point to the next one.
    AddWalls {
        /// x y [m] of each point.
        points: Vec<[f64; 2]>,
        /// Thickness [m].
        thickness: f64,
        /// Height [m].
        height: f64,
        /// Colour, `#RRGGBB` or `#RRGGBBAA`; none: that of other walls like these, or the default.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        color: Option<String>,
    },
}

/// Something that can be added to a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub struct OfferView {
    /// `class`: of the world; `file`: a class from a file, which the world includes then; `shape`: a plain block.
    pub source: OfferSource,
    /// Name of the class or the shape.
    pub name: String,
    /// Path of the file, relative to the folder of the world; otherwise empty.
    pub path: String,
    /// Whether it is a vehicle; otherwise it is a block.
    pub is_vehicle: bool,
}

/// Where an [`OfferView`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(TS))]
pub enum OfferSource {
    /// A class of the world.
    Class,
    /// A file beside the world.
    File,
    /// A plain shape.
    Shape,
}

/// State of the world file that is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct DocumentView {
    /// Name of the file that saving writes; none: it is outside of the folder, and only new files can be written.
    pub file: Option<String>,
    /// The folder in which files are written.
    pub folder: String,
    /// Whether there are edits that are not saved.
    pub is_changed: bool,
    /// Number of edits that can be taken back.
    pub undo: u32,
    /// Number of edits that can be repeated.
    pub redo: u32,
    /// What can be added; only in the answer to `document`.
    pub offers: Option<Vec<OfferView>>,
}

/// A body of the world file, and what of it can be edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct DescriptionView {
    /// Name of the body.
    pub name: String,
    /// Where it is written: `file:line:column`.
    pub place: String,
    /// Its start pose: x, y [m], yaw [rad].
    pub pose: [f64; 3],
    /// The expression that its pose is written as, if it is one: an edit of the pose overwrites it only on confirmation.
    pub pose_expression: Option<String>,
    /// Its extents along its axes, and its height [m]; none: they cannot be edited.
    pub size: Option<[f64; 3]>,
    /// Properties that can be edited, with their values.
    pub properties: Vec<PropertyView>,
}

/// A value of a body in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PropertyView {
    /// Identifies it.
    pub key: String,
    /// Its path of tags, with `@` before an attribute.
    pub label: String,
    /// Whose it is, if other bodies have it in common; empty: the body's own.
    pub owner: String,
    /// The value as it is written, or its default.
    pub value: String,
    /// `numbers`, `color`, `switch`, or `expression`, which cannot be edited.
    pub kind: String,
    /// Whether the file says it; false: the value is the default.
    pub is_written: bool,
}
