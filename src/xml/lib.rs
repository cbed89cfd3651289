//! The text layer of world files: from XML text to typed values, each with its file, line and column. It knows nothing of vehicles.
//!
//! A [`Context`] holds the shared state of one load: variables, the random generator of expressions, the problems
//! found. [`Context::read_world`] reads a file, executes `<include>`, `<variable>`, `<for>` and `<if>`, and passes
//! every other element to its caller in document order. The caller reads the element with a [`Reader`], which evaluates
//! expressions, checks numbers, and turns every bad value into a [`Problem`] while loading continues with the default.
//!
//! Any load terminates, with readable messages, whatever the files contain: files, elements, loop rounds, and the text that substitution
//! generates are counted and limited (`context`, `flow`, `parse`).
//!
//! The format is that of MVSim 1.2, including bugs of its parser where worlds depend on them: see [`Context::read_world`] and `expression`.

mod arguments;
mod context;
pub mod edit;
mod element;
mod evaluated;
mod expression;
mod flow;
mod functions;
pub mod markup;
mod name;
mod parse;
mod place;
mod random;
mod reader;
mod source;
pub mod spans;
mod substitute;
mod value;

pub use context::{Context, Options, Report, Scope};
pub use element::{Attribute, Element, Text};
pub use place::{Place, Problem, Problems, Severity};
pub use random::Generator;
pub use reader::Reader;
pub use value::Accept;

#[cfg(test)]
mod tests;
