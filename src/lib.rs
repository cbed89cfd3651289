//! skidpad simulates wheeled vehicles: planar rigid bodies with a detailed wheel-ground contact under them, sensors on
//! top, and ROS 2 around it. This page is the tour. The simulation itself, from [`assets`] to [`xml`], is
//! [`skidpad_sim`] and the crates below it; this crate re-exports the modules of all crates.
//!
//! # A world, driven and stepped
//!
//! ```
//! use std::path::Path;
//!
//! use skidpad::math::Twist2;
//! use skidpad::vehicle::{Action, Command};
//! use skidpad::world::{LoadOptions, World};
//!
//! let text = r#"<mvsim_world>
//!   <vehicle name="r1">
//!     <init_pose>0 0 90</init_pose>
//!     <dynamics class="differential">
//!       <controller class="twist_pid"><KP>50</KP><KI>20</KI></controller>
//!     </dynamics>
//!     <sensor class="laser" name="scan"><nrays>181</nrays></sensor>
//!   </vehicle>
//!   <block><init_pose>0 5 0</init_pose></block>
//! </mvsim_world>"#;
//! let (mut world, warnings) = World::load_text("example", Path::new("."), text, &LoadOptions::default())?;
//! assert!(warnings.is_empty());
//!
//! let r1 = world.scene().vehicle_index("r1").ok_or("no r1")?;
//! world.command(Command { vehicle: r1, action: Action::Twist(Twist2::new(0.5, 0.0, 0.0)) })?;
//! let mut scans = 0;
//! while world.frame().time.secs() < 2.0 {
//!     scans += world.step()?.fresh_readings().count();
//! }
//!
//! // It faces along the world's y axis, towards the block, and has moved a little less than 2 s · 0.5 m/s.
//! let pose = world.frame().vehicles[r1].world_from_body;
//! assert!(pose.x.abs() < 1e-6 && (0.8..1.0).contains(&pose.y));
//! assert_eq!(scans, 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Nouns
//!
//! * A [`World`](world::World) is built from a world file and holds everything that moves. It is plain data without lock,
//!   thread, clock or I/O; [`step`](world::World::step) advances it by one fixed step.
//! * Its [`Scene`](world::Scene) holds what is constant: names, shapes, wheels, sensors, maps. Frames and commands refer
//!   to them by index.
//! * A [`Frame`](world::Frame) is the result of one step: poses, velocities, wheels, sensor readings. Its buffers are reused
//!   by the next.
//! * A [`Command`](vehicle::Command) tells a vehicle what to do, from the next step on.
//! * A [`Sink`](sink::Sink) is lent every frame: the CSV log, the ROS bridge, a test. A sink that fails is removed.
//! * [`runner::run`] combines world, sinks and the wall clock. Other threads talk to it through an
//!   [`Outbox`](runner::Outbox), which it empties between two steps.
//!
//! # Conventions
//!
//! * **Units** are SI and radians. Only world files use degrees. Doc comments give the unit in brackets.
//! * **Frames** follow REP 103: x forward, y left, z up. `world` is fixed, `body` sits at the vehicle's reference point,
//!   `wheel` turns with the wheel's heading. The name of a vector gives its frame: `velocity_in_wheel`. A pose
//!   `world_from_body` takes body to world coordinates, and `world_from_body * body_from_sensor` composes.
//! * **Signs**: yaw and steering are positive counter-clockwise, that is to the left; spin and torque of a wheel are
//!   positive when they drive forward. Forces act from the ground on the wheel.
//! * **Time** is simulated time in whole nanoseconds, [`SimTime`](time::SimTime). It starts at zero and never jumps back,
//!   not even at a reset. Only `runner` reads the wall clock.
//! * **Seeds**: one seed for a world; each noise source draws from a [`stream`](rng::stream) of its own name. Same world,
//!   seed and commands give the same bits, on any number of threads and with any sinks.
//! * **Errors** of files read `place: what was found`, then what is accepted and a hint. All errors of a file are reported together.
//!
//! # Sources cited by short names
//!
//! "The study" and "MVSim's manual" are named in [`skidpad_sim`].
//!
//! # The crates
//!
//! Each module here but [`cli`] is a crate of its own, or a module of one. ARCHITECTURE.md has a table of the crates with what each may know, and another
//! that says where to add a friction law, a sensor, a topic, a kind of command.
#![warn(missing_docs, unreachable_pub)]
// Input, files and the network must not be able to end the process; only tests may unwrap.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::unimplemented,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "doc comments give units in brackets, which rustdoc would take for links"
)]

pub mod cli;

pub use skidpad_analysis as analysis;
pub use skidpad_analysis::experiment;
pub use skidpad_bench as bench;
pub use skidpad_dataset as dataset;
pub use skidpad_dataset::snapshot;
pub use skidpad_files::scratch;
pub use skidpad_files::{
    assets, counted, diagnostic, file_error, file_set, input_file, legible, mesh, nearest, output_file,
};
#[cfg(feature = "gpu")]
pub use skidpad_gpu as gpu;
pub use skidpad_identify as identify;
pub use skidpad_import as import;
pub use skidpad_math as math;
pub use skidpad_math::{rng, time};
pub use skidpad_plot as plot;
pub use skidpad_record as record;
pub use skidpad_record::bag;
pub use skidpad_replay as replay;
pub use skidpad_ros_data::{interface, message, preset, urdf};
pub use skidpad_run::{diagnostics, frame_bits, guard, log_lines, meter, mux, processes, runner, sink};
pub use skidpad_scenario as scenario;
pub use skidpad_server as server;
pub use skidpad_sim::{friction, georeference, raycast, sensor, tracking, trajectory, vehicle, waypoint_file, world};
pub use skidpad_view as view;
pub use skidpad_xml as xml;
