//! Identification: finds the numbers of a vehicle class from recordings of a car, and says how well the class predicts.
//!
//! ```text
//!  YAML ─▶ IdentifyConfig ─▶ Car: vehicle class plus measurement model ─▶ World
//!  CSV, MCAP, rosbag2 ─▶ Recording ─▶ Data: windows of open-loop prediction  │
//!                                        └─ residuals, weighted by noise ◀───┘
//!  global: CMA-ES ─▶ fit: Levenberg–Marquardt ─▶ uncertainty, profile ─▶ report: class file, tables, page
//! ```
//! There is no separate model for fitting: every evaluation drives a [`World`](skidpad_sim::world::World), the simulation
//! itself, with the recorded commands.

mod bands;
mod car;
mod checkpoint;
mod class_file;
mod columns;
mod config;
mod data;
mod error;
mod figures;
mod fit;
mod global;
mod identified;
mod messages;
mod observe;
mod odometry;
mod page;
mod predict;
mod profile;
mod ranges;
mod recording;
mod report;
mod runs;
mod score;
mod search;
mod starts;
mod sums;
#[cfg(test)]
mod tests;
mod text_table;
mod tyres;
mod uncertainty;

pub use bands::{Bands, Coverage};
pub use car::Car;
pub use columns::{Column, Columns, ROLES, Role};
pub use config::{
    IdentifyConfig, JointTopic, Measurement, MeasurementIn, Parts, Rung, Search, Source, TestRuns, Topics, Unknown,
    VehicleSource, Windows,
};
pub use data::{Data, Prediction, error as prediction_error};
pub use error::IdentifyError;
pub use fit::{Fit, Observer, Progress, fit};
pub use identified::{Compared, Identified, identify};
pub use observe::Observe;
pub use odometry::{Estimate, OdometryErrors, OfRecording, Reckoned, Systematic, odometry_errors, odometry_tables};
pub use profile::Profile;
pub use ranges::Ranges;
pub use recording::Recording;
pub use report::{
    answer, band_note, band_tables, beside_held, recording_table, score_table, table, tables, verdict, verdicts,
    worse_by_observing, write, write_validation,
};
pub use runs::{Needed, check, recordings};
pub use score::{Errors, Score, Scores, scores};
pub use search::{Bound, Point, Step, UnknownEstimate};
pub use uncertainty::{Certainty, Scatter};
