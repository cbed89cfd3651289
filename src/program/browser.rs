//! `--open`: shows the page in a browser, where one is at hand.
//!
//! Every user of the machine can read the arguments of programs (`ps`). So a link with a token is not one of them: the browser is given a file that
//! leads on to the page, in a folder that only this user can enter and that is removed at the end of the run.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::diagnostic::Diagnostic;
use crate::file_error::FileError;
use crate::scratch::Scratch;

/// The programs that open a link, each with the variable without which it has no screen to open it on.
const OPENERS: [(&str, &str); 3] =
    [("wslview", "WSL_DISTRO_NAME"), ("xdg-open", "WAYLAND_DISPLAY"), ("xdg-open", "DISPLAY")];

/// A program that opens a link, watched so that it leaves no dead process behind; it may outlive this one.
pub struct Opener {
    /// Its end ends the watch.
    end: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
    /// The folder of the file that leads to the page, if there is one.
    _redirection: Option<Scratch>,
}

impl Opener {
    fn watch(mut program: Child, redirection: Option<Scratch>) -> Opener {
        let (end, ended) = mpsc::channel();
        let watch = std::thread::spawn(move || {
            while matches!(program.try_wait(), Ok(None)) && ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
            }
        });
        Opener { end: Some(end), watch: Some(watch), _redirection: redirection }
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
pub(crate) fn open(link: &str) -> Result<Opener, Diagnostic> {
    let place = || Diagnostic::new("--open", "no browser is at hand").hint(format!("open {link} yourself"));
    let program = program(&|name| env::var_os(name), &is_program).ok_or_else(|| {
        place().accepted("BROWSER with a program, or a desktop with xdg-open (DISPLAY or WAYLAND_DISPLAY is set)")
    })?;
    let redirection = has_token(link).then(|| Redirection::to(link)).transpose();
    let redirection = redirection.map_err(|error| {
        let message = Diagnostic::from(FileError::create(folder(), error));
        message.after("--open: ").hint(format!("open {link} yourself"))
    })?;
    let (address, redirection) = redirection
        .map_or_else(|| (link.to_owned(), None), |redirection| (redirection.address, Some(redirection.folder)));
    let mut command = Command::new(&program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C ends the run, and not the browser.
    let program = command.process_group(0).spawn().map_err(|error| {
        Diagnostic::new(format!("--open: {}", program.display()), error.to_string())
            .hint(format!("open {link} yourself"))
    })?;
    Ok(Opener::watch(program, redirection))
}

/// Whether a link has a secret in it.
fn has_token(link: &str) -> bool {
    link.contains('#')
}

/// Where the folders of redirections are: what belongs to the user alone, if there is such.
fn folder() -> PathBuf {
    let runtime_folder = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
    runtime_folder.unwrap_or_else(env::temp_dir)
}

/// A file that leads a browser on to a page.
struct Redirection {
    folder: Scratch,
    address: String,
}

impl Redirection {
    fn to(link: &str) -> io::Result<Redirection> {
        let folder = Scratch::beside(&folder(), "skidpad-open-")?;
        let path = folder.path().join("skidpad.html");
        let link = link.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>skidpad</title>\
             <meta http-equiv=\"refresh\" content=\"0;url={link}\"></head>\
             <body><a href=\"{link}\">skidpad</a></body></html>\n"
        );
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(page.as_bytes())?;
        Ok(Redirection { address: file_address(&path), folder })
    }
}

/// The address of a file, for browsers.
fn file_address(path: &Path) -> String {
    let mut address = "file://".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => address.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            // Writing to memory does not fail.
            _ => drop(write!(address, "%{byte:02X}")),
        }
    }
    address
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

    fn chosen(variables: &[(&str, &str)], existing_paths: &[&str]) -> Option<String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        let is_there = |path: &Path| existing_paths.iter().any(|known| Path::new(known) == path);
        program(&variable, &is_there).map(|path| path.display().to_string())
    }

    #[test]
    fn the_watch_ends_before_a_browser_that_is_still_open() {
        let mut command = Command::new("sleep");
        let program = command.arg("60").spawn().unwrap();
        let number = rustix::process::Pid::from_child(&program);
        let begun = std::time::Instant::now();
        drop(Opener::watch(program, None));
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        rustix::process::kill_process(number, rustix::process::Signal::KILL).unwrap();
    }

    #[test]
    fn a_link_with_a_token_is_in_a_file_of_this_user_alone_until_the_end() {
        use std::os::unix::fs::MetadataExt;
        assert!(!has_token("http://127.0.0.1:8520/") && has_token("http://10.0.0.1:8520/#token=secret12"));
        let Redirection { folder, address } = Redirection::to("http://10.0.0.1:8520/#token=a&\"<b").unwrap();
        let path = PathBuf::from(address.strip_prefix("file://").unwrap());
        let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.contains("content=\"0;url=http://10.0.0.1:8520/#token=a&amp;&quot;&lt;b\""), "{page}");
        drop(folder);
        assert!(!path.parent().unwrap().exists());
        assert_eq!(file_address(Path::new("/a b/c#d.html")), "file:///a%20b/c%23d.html");
    }

    #[test]
    fn a_browser_needs_a_program_and_a_screen() {
        let path = ("PATH", "/a:/b");
        assert_eq!(chosen(&[path, ("BROWSER", "lynx:w3m"), ("DISPLAY", ":0")], &["/a/xdg-open"]).unwrap(), "lynx");
        assert_eq!(chosen(&[path, ("DISPLAY", ":0")], &["/b/xdg-open"]).unwrap(), "/b/xdg-open");
        assert_eq!(chosen(&[path, ("WSL_DISTRO_NAME", "u")], &["/b/xdg-open", "/a/wslview"]).unwrap(), "/a/wslview");
        assert_eq!(chosen(&[path, ("DISPLAY", "")], &["/b/xdg-open"]), None, "over ssh");
        assert_eq!(chosen(&[path, ("DISPLAY", ":0")], &[]), None, "in a container");
    }
}
