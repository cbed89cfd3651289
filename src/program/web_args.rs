//! The viewer of a run: its options and its server.

use std::env;
use std::ffi::OsString;
use std::str::FromStr;
use std::sync::Arc;

use crate::browser::{self, Opener};
use crate::diagnostic::Diagnostic;
use crate::runner::Outbox;
use crate::server::hub::Hub;
use crate::server::warnings::WarningLog;
use crate::server::{Listen, LivePilot, Options, Rights, Server, WebSink};
use crate::view::messages::{Mode, RecordingView};
use crate::world::Scene;
use crate::{Failure, log_warnings, report};

/// Environment variable with the value of `--web` where that is not given: images of containers have it, whose pages are always looked at from outside.
const ADDRESS: &str = "SKIDPAD_WEB";

/// Value of `--web`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Web {
    /// No viewer.
    Off,
    /// A viewer at this address.
    At(Listen),
}

impl FromStr for Web {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Web, Diagnostic> {
        match text {
            "off" => Ok(Web::Off),
            text => text.parse().map(Web::At).map_err(|error: Diagnostic| error.accepted("off")),
        }
    }
}

/// What viewers see beside the world.
pub struct ViewerContents {
    /// Warnings of the load.
    pub warnings: Vec<String>,
    /// Gets the warnings of the run.
    pub log: Arc<WarningLog>,
    /// The recording of the run; none: it is not recorded.
    pub recording: Option<RecordingView>,
}

#[derive(Debug, clap::Args)]
#[allow(missing_docs, reason = "clap would take it for help")]
pub struct WebArgs {
    /// Address where the viewer listens: PORT, HOST:PORT, HOST or off
    ///
    /// The default is the environment variable SKIDPAD_WEB, else 127.0.0.1:8520 or the next free port. Addresses other than loopback need a
    /// token, which the printed link contains.
    #[arg(long, value_name = "ADDR")]
    pub web: Option<Web>,
    /// Token that viewers need, instead of a random one
    #[arg(long, value_name = "TOKEN")]
    pub web_token: Option<String>,
    /// Allow viewers to watch only, without control
    #[arg(long)]
    pub web_read_only: bool,
    /// Open the viewer's page in a browser
    #[arg(long)]
    pub open: bool,
}

impl WebArgs {
    /// The server's options, if there is to be one; `is_unwanted`: only on request of the user.
    pub fn options(&self, is_unwanted: bool) -> Result<Option<Options>, Failure> {
        let by_default = || if is_unwanted { Ok(Web::Off) } else { of_environment(env::var_os(ADDRESS)) };
        let listen = match self.web.clone().map_or_else(by_default, Ok)? {
            Web::Off => return Ok(None),
            Web::At(listen) => listen,
        };
        let (token, read_only) = (self.web_token.clone(), self.web_read_only);
        Ok(Some(Options { listen, token, read_only, ..Options::default() }))
    }

    /// Starts the server of a live run, and makes its sink; none if not wanted, or if it was not requested explicitly
    /// and cannot start. Viewers see `contents` beside the world.
    pub fn start(
        &self,
        is_unwanted: bool,
        scene: &Arc<Scene>,
        outbox: &Outbox,
        rights: Rights,
        contents: ViewerContents,
    ) -> Result<Option<(Server, WebSink)>, Failure> {
        let Some(mut options) = self.options(is_unwanted || scene.viewer_scene.gui.is_headless)? else {
            return Ok(None);
        };
        let ViewerContents { warnings, log, recording } = contents;
        (options.warnings, options.recording) = (warnings, recording);
        let hub = Arc::new(Hub::with_warnings(log));
        let (sink, scenes) = WebSink::new(Arc::clone(&hub), scene);
        let options = Options { can_edit: rights.edit.is_some(), ..options };
        let pilot = LivePilot::new(outbox.clone(), scenes, rights);
        match Server::start(&options, hub, Arc::new(pilot), Mode::Live) {
            Ok(server) => Ok(Some((server, sink))),
            Err(error) if self.web.is_none() && self.web_token.is_none() => {
                let mut problem = Diagnostic::from(&error);
                if env::var_os(ADDRESS).is_some_and(|value| !value.is_empty()) {
                    problem.place = problem.place.map(|place| place.replacen("--web ", &format!("{ADDRESS}="), 1));
                }
                log_warnings([problem]);
                Ok(None)
            }
            Err(error) => Err(Failure::because(error)),
        }
    }
}

/// The address of a viewer that the command line says nothing of: that of the environment, if it has one.
fn of_environment(value: Option<OsString>) -> Result<Web, Failure> {
    let given = value.filter(|value| !value.is_empty());
    let parsed = given.map_or(Ok(Web::At(Listen::default())), |text| text.to_string_lossy().parse());
    parsed.map_err(|error: Diagnostic| Failure::because(error.after(format_args!("{ADDRESS}: "))))
}

impl WebArgs {
    /// Prints the viewer's address, so that it is seen on a terminal, and opens it in a browser, if that is asked for, which is to be kept to the
    /// end; none: there is no viewer.
    pub fn announce(&self, server: Option<&Server>) -> Option<Opener> {
        let Some(link) = server.map(Server::link) else {
            let ignored = self.open.then(|| Diagnostic::new("--open", "ignored, there is no page"));
            log_warnings(ignored.map(|message| message.hint("--web PORT shows it")));
            return None;
        };
        report::emphasise("viewer: ", &link);
        let opened = self.open.then(|| browser::open(&link))?;
        log_warnings(opened.as_ref().err());
        opened.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where_a_page_is_that_the_command_line_says_nothing_of() {
        let of = |text: &str| of_environment(Some(text.into()));
        assert_eq!(of("off").unwrap(), Web::Off);
        assert_eq!(of("0.0.0.0:9000").unwrap(), "0.0.0.0:9000".parse().unwrap());
        for none in [None, Some(OsString::new())] {
            assert_eq!(of_environment(none).unwrap(), Web::At(Listen::default()));
        }
        let Failure::Because(errors) = of("0.0.0.0:port").unwrap_err() else { panic!("other failure") };
        assert!(errors.to_string().starts_with("SKIDPAD_WEB: "), "{errors}");
    }
}
