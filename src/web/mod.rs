//! The viewer's server: a page, what it shows, and what it may ask, over HTTP and WebSocket. docs/viewer.md is the interface's description.
//!
//! ```text
//!  simulation thread             web thread (its own tokio runtime)
//!  WebSink ── ViewState ──▶ Hub ──▶ Session: delta code at the viewer's rate ──▶ WebSocket ─▶ page
//!     ▲ only when a viewer wants one                │
//!  Inbox ◀── Outbox ◀── Pilot ◀── Order (JSON) ◀────┘ ◀── REST
//! ```
//! A viewer that wants a state raises a flag in the [`Hub`]; the next frame lowers it with a copy. Without a viewer a frame costs one look at a
//! flag, and a slow viewer asks less often: nothing queues up.

mod access;
mod address;
mod dead_man;
mod files;
pub mod hub;
pub mod messages;
mod orders;
mod page;
mod pilot;
mod pong_limit;
mod refusal;
mod rest;
mod server;
mod session;
mod sink;
mod state_json;
mod write_timeout;

pub use address::Listen;
pub use pilot::LivePilot;
pub use server::{Options, Server};
pub use sink::WebSink;

use std::sync::{Arc, Mutex};

use thiserror::Error;
use tokio::sync::{mpsc, watch};

use access::Access;
use hub::{Hub, Pilot};
use messages::{Mode, Order};
use orders::Budget;
use page::Page;

/// Why there is no server.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WebError {
    /// The address cannot be had.
    #[error("--web {address}: cannot listen: {reason}\n  accepted: a free port at an address of this machine, off")]
    Listen {
        /// What was asked for.
        address: String,
        /// What the system says.
        reason: String,
    },
    /// The token cannot stand in a header, or is guessed easily.
    #[error("--web-token: not a token\n  accepted: 8 to 128 letters, digits or -._~")]
    Token,
    /// The system gives no thread or socket.
    #[error("viewer: cannot start its server: {0}")]
    Start(String),
}

/// What all requests and sessions of a server go by.
struct Shared {
    hub: Arc<Hub>,
    pilot: Arc<dyn Pilot>,
    mode: Mode,
    read_only: bool,
    /// Name of this run, which no other has.
    run: String,
    access: Access,
    page: Page,
    /// Orders over REST, for those who watch that drivers do not fall silent.
    driven: mpsc::Sender<Order>,
    /// How many orders may still come over REST.
    budget: Mutex<Budget>,
    /// Why the server closes, once it does.
    closing: watch::Receiver<Option<String>>,
}
