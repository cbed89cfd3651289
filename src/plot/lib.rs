//! Figures of tyres, models, manoeuvres, powertrains and trajectories, computed by the simulation's own code.
//!
//! A figure is data first ([`Figure`]: panels with series), so that it can become a picture ([`write`] as SVG, PDF or
//! PNG) or a table (CSV), and tests can check its numbers. Only `draw`, `pixels` and `pdf` depend on the drawing library.

mod compact;
mod draw;
mod figure;
pub mod manoeuvre;
pub mod model;
mod output;
mod pdf;
mod pixels;
pub mod robot;
mod size;
mod test_drive;
mod test_vehicle;
pub mod torque;
pub mod trajectory;
pub mod tyre;

pub use figure::{Axis, Dash, Figure, Key, Line, Panel, Series, sweep};
pub use output::{FORMATS, Format, PlotError, content, svg, write, write_on};
pub use size::{PageSize, Size};
pub use test_vehicle::{ModelError, TestVehicle};
