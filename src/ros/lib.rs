//! The ROS 2 node around a running simulation. The only crate that knows r2r.
//!
//! ```text
//!  simulation thread           publisher thread           spin thread                   one thread per vehicle
//!  RosSink::frame ── queue ──▶ Publishers::run ──▶ DDS    Node::spin_once ◀── DDS       VehicleListener ◀── DDS
//!        ▲                            └─ Job ─▶ Fleet: vehicles added and removed ───────────▶ │
//!        └────────────────────── Outbox ◀── services, on the tasks thread ◀─┘                 │
//!                                   ▲─────────────────────────── CommandSender ◀──────────────┘
//! ```
//!
//! A `TopicLayout` lists the topics of each vehicle. The sink builds a new one when the scene changes. It travels with the snapshots, so
//! that the publisher thread knows which vehicles their data belongs to, and from there to the thread that owns the node.
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; all messages of one step
//! carry the stamp of its frame.
//!
//! A module that offers services on the node is called in `simulator::start::start`, with the node, the outbox and `ServiceCalls`.
//! A module that publishes from snapshots implements `NodeOutput` (`publish/outputs.rs`) and is created in `simulator::start::outputs`, or
//! it implements `VehicleOutput` and is created for every added vehicle by an entry of `OUTPUTS` (`publish/vehicle.rs`).
#![allow(unreachable_pub, reason = "the modules are private, and share what they have among themselves")]

mod commands;
mod control;
mod error;
mod graph;
pub mod node;
mod parameters;
mod publish;
pub mod rosout;
mod scenario;
mod service_calls;
mod shared_memory;
mod shutdown;
mod simulator;
mod startup;
mod throttle;
mod typed_messages;

pub use control::Origin;
pub use error::RosError;
pub use scenario::RosPeers;
pub use shutdown::Ended;
pub use simulator::{Bridge, Options, StartConditions, parameter_table, start, variables};
