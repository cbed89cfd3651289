//! What the programs `skidpad` and `skidpad-node` share: `skidpad run` and its arguments, messages, signals, the log, and how files are found.
//!
//! `skidpad` (`src/cli`) has all other commands and no ROS; `skidpad-node` (`src/node`) adds ROS to a run, by [`ros::Ros`].

#![allow(rustdoc::invalid_html_tags, reason = "help texts name tags of world files")]

pub mod answer;
mod browser;
pub mod command_line;
pub mod failure;
pub mod find;
pub mod log;
pub mod node;
pub mod offer;
pub mod package;
pub mod parsers;
pub mod progress;
pub mod provenance;
pub mod report;
pub mod ros;
pub mod ros_args;
pub mod run;
pub mod run_args;
pub mod scored_run;
pub mod sensor_args;
pub mod set_values;
pub mod sets;
pub mod setting_hints;
pub mod signals;
pub mod track;
mod usage;
pub mod wanted;
pub mod web_args;
pub mod world_args;

pub use failure::{Failure, log_warnings, set_threads};

use std::sync::OnceLock;

use skidpad_files::{assets, diagnostic, file_error, file_set, input_file, legible, nearest, scratch};
#[cfg(feature = "gpu")]
use skidpad_gpu as gpu;
use skidpad_math::time;
use skidpad_metrics::experiment;
use skidpad_record as record;
use skidpad_ros_data::{interface, preset};
use skidpad_run::{guard, log_lines, meter, processes, runner, sink};
use skidpad_scenario as scenario;
use skidpad_server as server;
use skidpad_sim::{raycast, tracking, trajectory, world};
use skidpad_view as view;
use skidpad_xml as xml;

static ARGUMENTS: OnceLock<fn() -> clap::Command> = OnceLock::new();

/// Says which arguments this program takes; only the first call counts.
pub fn take_arguments(definition: fn() -> clap::Command) {
    ARGUMENTS.get_or_init(|| definition);
}

/// The definition of the arguments that this program takes.
fn arguments() -> clap::Command {
    ARGUMENTS.get().map_or_else(|| clap::Command::new("skidpad"), |definition| definition())
}
