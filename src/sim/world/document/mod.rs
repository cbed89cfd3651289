//! The text of a world file, and edits of what is written in it: bodies that come, go, move and change.
//!
//! ```text
//!  text ── load ──▶ world, and where each body is written
//!    │                                        │
//!    └── Edit ──▶ Change of some bytes ──▶ another text ── load ──▶ the world as edited
//! ```
//! The text is the truth. An edit that the text does not take, or whose text does not load, changes nothing; every
//! other byte stays as it is written, comments and expressions included. Values of an edit are numbers, colours and
//! names, never expressions or paths: whoever may edit can neither run commands nor read files.

mod addition;
pub mod blank;
mod body;
mod property;
mod size;
#[cfg(test)]
mod tests;
mod touched;
mod walls;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_math::{Pose2, Vec2};
use skidpad_xml::edit::{Change, Expression, Expressions};
use skidpad_xml::spans::Spans;
use skidpad_xml::{Place, Problem, Problems};
use thiserror::Error;

use super::{Amendment, Catalogue, LoadOptions, Loading, Recipe, Scene, Touched, World, Written};
use crate::vehicle::MAX_COORDINATE;
pub use addition::{Addition, ClassFile, PLAIN_SHAPES, PlainShape};
pub use body::Description;
pub use property::{Property, PropertyKind};

/// Longest text that can be edited [bytes]: every edit loads it anew.
pub const MAX_BYTES: usize = 4 << 20;
/// Most edits that can be taken back, and most memory that they may take [bytes].
const MAX_UNDO: usize = 500;
const MAX_UNDO_BYTES: usize = 16 << 20;
/// Steps to which numbers are rounded: of lengths [m], and of angles [deg].
const STEP: f64 = 1e-6;

/// An edit of a world.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Adds a vehicle or a block at a pose [m, rad]. Its name is a free one, made from its class.
    Add(Addition, Pose2),
    /// Gives a body another start pose [m, rad]; a wall moves with both of its ends.
    Place(String, Pose2),
    /// Gives a block other extents along its axes [m], heights included.
    Resize(String, [f64; 3]),
    /// Sets a [`Property`] of a body, by its key.
    Set {
        /// Name of the body.
        name: String,
        /// Key of the property.
        key: String,
        /// Its value, as it is written in the file.
        value: String,
    },
    /// Removes a body.
    Remove(String),
    /// Adds walls from each of these points [m] to the next one.
    AddWalls {
        /// The points.
        points: Vec<Vec2>,
        /// Thickness [m], > 0.
        thickness: f64,
        /// Height [m], > 0.
        height: f64,
        /// Colour, `#RRGGBB` or `#RRGGBBAA`; none: that of other walls like these, or the default.
        color: Option<String>,
    },
}

/// Why an edit is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// An expression or a variable is in its place.
    #[error(
        "{place}: {subject} is written as \"{written}\", which the edit would overwrite\n  accepted: the edit, if overwriting is confirmed"
    )]
    Expression {
        /// Where.
        place: String,
        /// What it would change.
        subject: String,
        /// The expression.
        written: String,
    },
    /// The file does not take it.
    #[error("{0}")]
    Refused(String),
    /// The edited world does not load.
    #[error("edit: with this edit the world would not load\n{0}")]
    Broken(Problems),
}

/// A world file's text, with the world that it describes.
#[derive(Clone)]
pub struct WorldDocument {
    name: String,
    directory: PathBuf,
    text: String,
    scene: Arc<Scene>,
    catalogue: Arc<Catalogue>,
    written: Written,
    undo: Vec<Change>,
    redo: Vec<Change>,
}

/// An edit that has been carried out.
pub struct Edited {
    /// The document after it.
    pub document: WorldDocument,
    /// The world that it describes, at its start.
    pub world: World,
    /// Name of the body that has been added.
    pub added: Option<String>,
    /// Warnings of the load.
    pub warnings: Vec<Problem>,
}

impl Edited {
    /// The edit for a world that runs `before`; `spawned` is what has been spawned there, built from the catalogue of [`Self::world`].
    pub fn for_running(self, before: &WorldDocument, spawned: Vec<Recipe>) -> Amendment {
        let touched = self.document.touched_since(before);
        Amendment { world: self.world, text: self.document.text, touched, spawned }
    }
}

/// A change of the text, and the name of what it adds.
struct Planned {
    change: Change,
    added: Option<String>,
}

impl From<Change> for Planned {
    fn from(change: Change) -> Planned {
        Planned { change, added: None }
    }
}

impl WorldDocument {
    /// The document of a text, without byte order mark. `name` stands for the file in messages; relative paths start from `directory`.
    ///
    /// # Errors
    /// It does not load, or is too long.
    pub fn open(name: &str, directory: &Path, text: &str, options: &LoadOptions) -> Result<Edited, EditError> {
        WorldDocument::load(name, directory, text.to_owned(), options)
    }

    fn load(name: &str, directory: &Path, text: String, options: &LoadOptions) -> Result<Edited, EditError> {
        if text.len() > MAX_BYTES {
            let message = format!("{name}: longer than {} MiB, and cannot be edited here", MAX_BYTES >> 20);
            return Err(EditError::Refused(message));
        }
        let Loading { world, written, errors, warnings } = World::examine_text(name, directory, &text, options);
        let Some(world) = world else { return Err(EditError::Broken(Problems(errors))) };
        let document = WorldDocument {
            name: name.to_owned(),
            directory: directory.to_owned(),
            text,
            scene: Arc::clone(world.scene()),
            catalogue: Arc::clone(world.catalogue()),
            written,
            undo: Vec::new(),
            redo: Vec::new(),
        };
        Ok(Edited { document, world, added: None, warnings })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The scene that it describes, as it is at the start.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The classes that it defines or includes.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Number of edits that can be taken back, and of those that can be repeated.
    pub fn steps(&self) -> [usize; 2] {
        [self.undo.len(), self.redo.len()]
    }

    /// Which bodies of `before` this document touches.
    pub fn touched_since(&self, before: &WorldDocument) -> Touched {
        touched::touched_bodies(before, self)
    }

    /// What is known of a body, and what of it can be edited.
    ///
    /// # Errors
    /// There is no such body, or it cannot be edited in this file; the reason.
    pub fn describe(&self, name: &str) -> Result<Description, EditError> {
        body::describe(self, &self.spans()?, name)
    }

    /// Carries out an edit. It loads the edited world, which may take long.
    ///
    /// # Errors
    /// See [`EditError`]; nothing has changed then.
    pub fn edit(&self, edit: &Edit, expressions: Expressions, options: &LoadOptions) -> Result<Edited, EditError> {
        let spans = self.spans()?;
        let planned = match edit {
            Edit::Add(addition, pose) => addition::add(self, &spans, addition, *pose)?,
            Edit::Place(name, pose) => body::place(self, &spans, name, *pose, expressions)?.into(),
            Edit::Resize(name, size) => size::resize(self, &spans, name, *size, expressions)?.into(),
            Edit::Set { name, key, value } => property::set(self, &spans, name, key, value, expressions)?.into(),
            Edit::Remove(name) => body::remove(self, &spans, name)?.into(),
            Edit::AddWalls { points, thickness, height, color } => {
                walls::add(self, &spans, points, [*thickness, *height], color.as_deref())?
            }
        };
        let mut edited = self.changed(&planned.change, options)?;
        edited.added = planned.added;
        if let Edit::Place(name, pose) = edit {
            body::check_placed(&edited.document, name, *pose)?;
        }
        let back = planned.change.apply(&self.text).1;
        edited.document.undo.clone_from(&self.undo);
        if !back.is_empty() {
            edited.document.undo.push(back);
        }
        shorten(&mut edited.document.undo);
        Ok(edited)
    }

    /// Takes the last edit back.
    ///
    /// # Errors
    /// There is none, or files that the world includes have changed such that it does not load any more.
    pub fn undo(&self, options: &LoadOptions) -> Result<Edited, EditError> {
        let (last, earlier) = self.undo.split_last().ok_or_else(|| nothing("undo", "taken back"))?;
        let mut edited = self.changed(last, options)?;
        edited.document.undo = earlier.to_vec();
        edited.document.redo.clone_from(&self.redo);
        edited.document.redo.push(last.apply(&self.text).1);
        Ok(edited)
    }

    /// Repeats the last edit that was taken back.
    ///
    /// # Errors
    /// See [`Self::undo`].
    pub fn redo(&self, options: &LoadOptions) -> Result<Edited, EditError> {
        let (last, earlier) = self.redo.split_last().ok_or_else(|| nothing("redo", "repeated"))?;
        let mut edited = self.changed(last, options)?;
        edited.document.redo = earlier.to_vec();
        edited.document.undo.clone_from(&self.undo);
        edited.document.undo.push(last.apply(&self.text).1);
        Ok(edited)
    }

    fn changed(&self, change: &Change, options: &LoadOptions) -> Result<Edited, EditError> {
        WorldDocument::load(&self.name, &self.directory, change.apply(&self.text).0, options)
    }

    fn spans(&self) -> Result<Spans<'_>, EditError> {
        let unreadable =
            || EditError::Refused(format!("{}: the structure of its tags does not allow edits here", self.name));
        Spans::of(&self.text).ok_or_else(unreadable)
    }

    /// The place of a byte of the text, for messages.
    fn place_at(&self, byte: usize) -> Place {
        let before = self.text.get(..byte).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(column), ..Place::of_file(&self.name) }
    }

    /// The error of an expression at a byte of the text.
    fn expression(&self, byte: usize, subject: &str) -> impl FnOnce(Expression) -> EditError {
        let (place, subject) = (self.place_at(byte).to_string(), subject.to_owned());
        |Expression(written)| EditError::Expression { place, subject, written }
    }

    /// Refuses at a byte of the text.
    fn refuse(&self, byte: usize, message: impl std::fmt::Display) -> EditError {
        EditError::Refused(format!("{}: {message}", self.place_at(byte)))
    }

    /// The root element.
    fn root(&self, spans: &Spans<'_>) -> Result<usize, EditError> {
        let is_root = |element: &skidpad_xml::spans::ElementSpan| element.parent.is_none();
        spans.elements().iter().position(is_root).ok_or_else(|| self.refuse(0, "there is no element in it"))
    }
}

fn nothing(action: &str, done: &str) -> EditError {
    EditError::Refused(format!("{action}: no edit to be {done}"))
}

/// Forgets the oldest changes beyond the limits.
fn shorten(undo: &mut Vec<Change>) {
    let mut bytes = 0;
    let kept = undo.iter().rev().take(MAX_UNDO).take_while(|change| {
        bytes += change.size();
        bytes <= MAX_UNDO_BYTES
    });
    let count = kept.count();
    undo.drain(..undo.len() - count);
}

/// A length [m] or an angle [deg] without digits that nobody has asked for.
fn tidy(value: f64) -> f64 {
    // Division by a whole number gives the shortest decimals; + 0 turns -0 into 0.
    (value / STEP).round() / (1.0 / STEP).round() + 0.0
}

/// Fails unless a number of an edit is finite and not absurdly large.
fn check_number(label: &str, value: f64) -> Result<(), EditError> {
    match value.abs() <= MAX_COORDINATE {
        true => Ok(()),
        false => Err(EditError::Refused(format!("edit: {label} is {value}\n  accepted: numbers up to 1e9"))),
    }
}
