//! The viewer of a run: what the user says about it, and the server that comes of it.

use std::str::FromStr;
use std::sync::Arc;

use super::{Failure, talk};
use crate::runner::Outbox;
use crate::sink::Sinks;
use crate::web::hub::Hub;
use crate::web::messages::Mode;
use crate::web::{Listen, LivePilot, Options, Server, WebSink};
use crate::world::Scene;

/// What `--web` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Web {
    /// No viewer.
    Off,
    /// One that listens there.
    At(Listen),
}

impl FromStr for Web {
    type Err = String;

    fn from_str(text: &str) -> Result<Web, String> {
        match text {
            "off" => Ok(Web::Off),
            text => text.parse().map(Web::At).map_err(|error: String| format!("{error}, off")),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct WebArgs {
    /// Where the viewer listens: PORT, HOST:PORT, HOST or off [default: 127.0.0.1:8520, or the next free port]
    ///
    /// Other than loopback addresses need a token, which the printed link holds.
    #[arg(long, value_name = "ADDR")]
    pub(super) web: Option<Web>,
    /// What viewers have to know, instead of a token made for this run
    #[arg(long, value_name = "TOKEN")]
    pub(super) web_token: Option<String>,
    /// Let viewers watch only
    #[arg(long)]
    pub(super) web_read_only: bool,
}

impl WebArgs {
    /// How to serve, if at all; `is_unwanted`: only where the user asks for it.
    pub(super) fn options(&self, is_unwanted: bool) -> Option<Options> {
        let listen = match &self.web {
            Some(Web::Off) => return None,
            Some(Web::At(listen)) => listen.clone(),
            None if is_unwanted => return None,
            None => Listen::default(),
        };
        Some(Options { listen, token: self.web_token.clone(), read_only: self.web_read_only })
    }

    /// Starts the server of a live run and adds its sink; none where none is wanted, or where nobody asked and none can be had.
    pub(super) fn start(
        &self,
        is_unwanted: bool,
        scene: &Arc<Scene>,
        outbox: &Outbox,
        sinks: &mut Sinks,
    ) -> Result<Option<Server>, Failure> {
        let Some(options) = self.options(is_unwanted || scene.looks.gui.is_headless) else { return Ok(None) };
        let hub = Arc::new(Hub::new());
        let (sink, scenes) = WebSink::new(Arc::clone(&hub), scene);
        let pilot = LivePilot::new(outbox.clone(), scenes);
        match Server::start(&options, hub, Arc::new(pilot), Mode::Live) {
            Ok(server) => {
                sinks.push(Box::new(sink));
                Ok(Some(server))
            }
            Err(error) if self.web.is_none() && self.web_token.is_none() => {
                tracing::warn!("{error}");
                Ok(None)
            }
            Err(error) => Err(Failure::because(error)),
        }
    }
}

/// Says where the viewer is.
pub(super) fn announce(server: &Server) {
    talk(&format!("viewer: {}", server.link()));
}
