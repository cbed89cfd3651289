//! The text layer of world files: from XML text to typed values, each with the file, line and column it stands at. It knows no vehicles.
//!
//! A [`Context`] holds what one load shares: variables, the random generator of expressions, the problems found. [`Context::read_world`] reads a file,
//! carries out `<include>`, `<variable>`, `<for>` and `<if>`, and hands every other element to its caller in document order. The caller reads the element
//! with a [`Reader`], which evaluates expressions, checks numbers, and turns every bad value into a [`Problem`] while loading goes on with the default.
//!
//! Whatever stands in a file, a load ends, with what is wrong in words: files, elements, rounds of loops, and the text that substitution makes are
//! counted (`context`, `flow`, `parse`).
//!
//! The format is that of MVSim 1.2, bugs of its parser included where worlds depend on them: see [`Context::read_world`] and `expression`.

mod context;
mod element;
mod expression;
mod flow;
mod found;
mod functions;
mod parse;
mod place;
mod random;
mod reader;
mod source;
mod substitute;
mod value;

pub use context::{Context, Options, Report, Scope, nearest};
pub use element::{Attribute, Element, Text};
pub use place::{Place, Problem, Problems, Severity};
pub use random::Generator;
pub use reader::Reader;
pub use value::Accept;

#[cfg(test)]
mod tests;
