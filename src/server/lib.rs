//! The viewer's server: the page, its data and its orders, over HTTP and WebSocket. docs/viewer-protocol.md describes the interface.
//!
//! ```text
//!  simulation thread             web thread (its own tokio runtime)
//!  WebSink ── ViewState ──▶ Hub ──▶ Session: delta code at the viewer's rate ──▶ WebSocket ─▶ page
//!     ▲ only when a viewer wants one                │
//!  Inbox ◀── Outbox ◀── Pilot ◀── Order (JSON) ◀────┘ ◀── REST
//! ```
//! A viewer requests a state by a flag in the [`Hub`]; the next frame clears it with a copy. Without a viewer a frame costs one check of a
//! flag, and a slow viewer requests less often: nothing queues up. Clouds and pictures are requested topic by topic: [`sensor_data`].

mod access;
mod address;
mod compression;
mod dead_man;
mod editor;
mod files;
pub mod hub;
pub(crate) mod interest;
mod orders;
mod page;
mod pilot;
mod pong_limit;
mod published_scene;
mod refusal;
mod rest;
pub mod sensor_data;
mod server;
mod session;
mod sink;
mod slots;
mod spawner;
mod state_json;
pub mod warnings;
mod write_timeout;

use std::sync::{Arc, Mutex};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_view::messages::{Mode, Order, RecordingView};
use tokio::sync::{mpsc, watch};

use access::Access;
pub use address::Listen;
pub use editor::{EditRights, FileStore};
use hub::{Hub, Pilot};
use orders::OrderBudget;
use page::Page;
pub use pilot::{LivePilot, Rights};
pub use server::{Options, Server};
pub use sink::WebSink;

/// Why there is no server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebError {
    /// The address is not available.
    Listen {
        /// The requested address.
        address: String,
        /// The system's error.
        reason: String,
    },
    /// The token does not fit a header, or is too short.
    Token,
    /// The system provides no thread or socket.
    Start(String),
}

impl From<&WebError> for Diagnostic {
    fn from(error: &WebError) -> Diagnostic {
        match error {
            WebError::Listen { address, reason } => {
                Diagnostic::new(format!("--web {address}"), format!("cannot listen: {reason}"))
                    .accepted_all(["a free port at an address of this machine", "off"])
            }
            WebError::Token => {
                Diagnostic::new("--web-token", "not a token").accepted("8 to 128 letters, digits or -._~")
            }
            WebError::Start(reason) => Diagnostic::new("viewer", format!("cannot start its server: {reason}")),
        }
    }
}

error_by_parts!(WebError);

/// State shared by all requests and sessions of a server.
struct Shared {
    hub: Arc<Hub>,
    pilot: Arc<dyn Pilot>,
    mode: Mode,
    read_only: bool,
    /// What the load warned of.
    warnings: Vec<String>,
    /// What is replayed, or recorded.
    recording: Option<RecordingView>,
    can_edit: bool,
    /// Unique name of this run.
    run: String,
    access: Access,
    page: Page,
    /// Orders over REST, for the dead man's switch.
    driven: mpsc::Sender<Order>,
    /// Rate limit of orders over REST.
    budget: Mutex<OrderBudget>,
    /// Reason for closing, once the server closes.
    closing: watch::Receiver<Option<String>>,
}
