//! `--open`: shows the page in a browser, where one is at hand.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::diagnostic::Diagnostic;

/// The programs that open a link, each with the variable without which it has no screen to open it on.
const OPENERS: [(&str, &str); 3] =
    [("wslview", "WSL_DISTRO_NAME"), ("xdg-open", "WAYLAND_DISPLAY"), ("xdg-open", "DISPLAY")];

/// A program that opens a link, watched so that it leaves no dead process behind; it may outlive this one.
pub(super) struct Opener {
    /// Its end ends the watch.
    end: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

impl Opener {
    fn watch(mut program: Child) -> Opener {
        let (end, ended) = mpsc::channel();
        let watch = std::thread::spawn(move || {
            while matches!(program.try_wait(), Ok(None)) && ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
            }
        });
        Opener { end: Some(end), watch: Some(watch) }
    }
}

impl Drop for Opener {
    fn drop(&mut self) {
        self.end = None;
        if let Some(watch) = self.watch.take() {
            // It has nothing that could panic.
            let _ = watch.join();
        }
    }
}

/// How often a program that opens a link is looked after.
const POLL: Duration = Duration::from_millis(250);

/// Opens `link`; a warning says why not.
pub(super) fn open(link: &str) -> Result<Opener, Diagnostic> {
    let place = || Diagnostic::new("--open", "no browser is at hand").hint(format!("open {link} yourself"));
    let program = program(&|name| env::var_os(name), &is_program).ok_or_else(|| {
        place().accepted("BROWSER with a program, or a desktop with xdg-open (DISPLAY or WAYLAND_DISPLAY is set)")
    })?;
    let mut command = Command::new(&program);
    command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C ends the run, and not the browser.
    let program = command.process_group(0).spawn().map_err(|error| {
        Diagnostic::new(format!("--open: {}", program.display()), error.to_string())
            .hint(format!("open {link} yourself"))
    })?;
    Ok(Opener::watch(program))
}

/// The program that opens links: the first of `BROWSER`, or the first of [`OPENERS`] that there is and that has a screen.
fn program(variable: &dyn Fn(&str) -> Option<OsString>, is_there: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    if let Some(browser) = set("BROWSER").and_then(|list| env::split_paths(&list).next()) {
        return Some(browser);
    }
    let folders: Vec<PathBuf> = variable("PATH").iter().flat_map(|path| env::split_paths(path)).collect();
    let wanted = OPENERS.iter().filter(|(_, screen)| set(screen).is_some()).map(|(name, _)| name);
    let mut all = wanted.flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    all.find(|path| is_there(path))
}

fn is_program(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok() && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)], there: &[&str]) -> Option<String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        let is_there = |path: &Path| there.iter().any(|known| Path::new(known) == path);
        program(&variable, &is_there).map(|path| path.display().to_string())
    }

    #[test]
    fn the_watch_ends_before_a_browser_that_is_still_open() {
        let mut command = Command::new("sleep");
        let program = command.arg("60").spawn().unwrap();
        let number = rustix::process::Pid::from_child(&program);
        let begun = std::time::Instant::now();
        drop(Opener::watch(program));
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        rustix::process::kill_process(number, rustix::process::Signal::KILL).unwrap();
    }

    #[test]
    fn a_browser_needs_a_program_and_a_screen() {
        let path = ("PATH", "/a:/b");
        assert_eq!(found(&[path, ("BROWSER", "lynx:w3m"), ("DISPLAY", ":0")], &["/a/xdg-open"]).unwrap(), "lynx");
        assert_eq!(found(&[path, ("DISPLAY", ":0")], &["/b/xdg-open"]).unwrap(), "/b/xdg-open");
        assert_eq!(found(&[path, ("WSL_DISTRO_NAME", "u")], &["/b/xdg-open", "/a/wslview"]).unwrap(), "/a/wslview");
        assert_eq!(found(&[path, ("DISPLAY", "")], &["/b/xdg-open"]), None, "over ssh");
        assert_eq!(found(&[path, ("DISPLAY", ":0")], &[]), None, "in a container");
    }
}
