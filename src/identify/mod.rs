//! Identification: finds the numbers of a vehicle class from recordings of a car, and says how well the class predicts.
//!
//! ```text
//!  YAML ─▶ IdentifyConfig ─▶ Car: class and what lies around it, with unknowns ─▶ World
//!  CSV, MCAP, rosbag2 ─▶ Recording ─▶ Data: windows of open-loop prediction        │
//!                                        └─ residuals, weighted by noise ◀─────────┘
//!  far: CMA-ES ─▶ fit: Levenberg–Marquardt ─▶ certainty, profile: what the data determine ─▶ report: class file, tables, page
//! ```
//! The simulator that is fitted is the one that runs: every evaluation drives a [`World`](crate::world::World) with the recorded commands.

mod car;
mod checkpoint;
mod class_file;
mod columns;
mod config;
mod data;
mod error;
mod far;
mod figures;
mod fit;
mod identified;
mod messages;
mod page;
mod predict;
mod profile;
mod recording;
mod report;
mod runs;
mod score;
mod search;
mod starts;
#[cfg(test)]
mod tests;
mod tyres;
mod uncertainty;

pub use car::Car;
pub use columns::{Column, Columns, ROLES, Role};
pub use config::{
    IdentifyConfig, JointTopic, Measurement, MeasurementIn, Rung, Search, TestRuns, Topics, Unknown, VehicleSource,
    Windows,
};
pub use data::{Data, Prediction, error as prediction_error};
pub use error::IdentifyError;
pub use fit::{Fit, Observer, Progress, fit};
pub use identified::{Compared, Identified, identify};
pub use profile::Profile;
pub use recording::Recording;
pub use report::{recording_table, score_table, table, tables, write};
pub use runs::recordings;
pub use score::{Score, Scores, scores};
pub use search::{Found, Point, Step};
pub use uncertainty::Certainty;
