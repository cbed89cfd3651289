//! Figures of tyres, models, powertrains and trajectories, drawn from the very code that is simulated.
//!
//! A figure is data first ([`Figure`]: panels with series), so that the same thing becomes a picture ([`write`] as SVG or
//! PNG) or a table (CSV), and tests can look at its numbers. Only `draw` knows the drawing library.

mod compact;
mod draw;
mod figure;
pub mod model;
mod output;
pub mod robot;
pub mod torque;
pub mod trajectory;
pub mod tyre;

pub use figure::{Axis, Dash, Figure, Key, Line, Panel, Series, sweep};
pub use output::{FORMATS, Format, PlotError, Size, svg, write};
