//! Single keys from a terminal, whose settings are restored at the end, even after a panic.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, Once};

use rustix::stdio::stdin;
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty};
use skidpad_run::guard::lock;

/// The terminal in use and its original settings, which a panic has to restore.
static BEFORE: Mutex<Option<(OwnedFd, Termios)>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// A terminal in raw mode: gives each key as it is pressed, without echo. Ctrl-C still sends its signal.
pub struct Keyboard {
    terminal: OwnedFd,
}

impl Keyboard {
    /// Takes over the standard input; none if it is not a terminal.
    pub fn open() -> io::Result<Option<Keyboard>> {
        Keyboard::on(stdin().try_clone_to_owned()?)
    }

    /// Takes over a terminal; none if it is not a terminal.
    pub fn on(terminal: OwnedFd) -> io::Result<Option<Keyboard>> {
        if !isatty(&terminal) {
            return Ok(None);
        }
        let before = termios::tcgetattr(&terminal)?;
        let mut raw = before.clone();
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        // A read returns the keys so far without waiting.
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        *lock(&BEFORE) = Some((terminal.try_clone()?, before));
        HOOK.call_once(|| {
            let earlier = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                earlier(panic);
            }));
        });
        let keyboard = Keyboard { terminal };
        termios::tcsetattr(&keyboard.terminal, OptionalActions::Now, &raw)?;
        Ok(Some(keyboard))
    }

    /// The keys that were pressed since the last call, the oldest first, at most 64.
    pub fn keys(&mut self) -> Vec<u8> {
        let mut keys = vec![0; 64];
        // A closed terminal has no keys; the hang-up signal ends the process.
        let count = rustix::io::read(self.terminal.as_fd(), &mut keys[..]).unwrap_or(0);
        keys.truncate(count);
        keys
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, once; to be called before the process ends while another thread has a keyboard.
pub fn restore() {
    if let Some((terminal, before)) = lock(&BEFORE).take() {
        // The user notices a failure anyway.
        let _ = termios::tcsetattr(terminal, OptionalActions::Now, &before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{Mode, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    /// Both ends of a terminal: the user's and the program's.
    fn terminal() -> (OwnedFd, OwnedFd) {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let program = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        (person, program)
    }

    fn shows_keys(terminal: &OwnedFd) -> bool {
        let modes = termios::tcgetattr(terminal).unwrap().local_modes;
        assert_eq!(modes.contains(LocalModes::ICANON), modes.contains(LocalModes::ECHO));
        modes.contains(LocalModes::ECHO)
    }

    /// A single test, because a process has only one terminal to restore.
    #[test]
    fn keys_arrive_one_by_one_and_the_terminal_is_always_restored() {
        let (person, program) = terminal();
        assert!(shows_keys(&program));
        let mut keyboard = Keyboard::on(program.try_clone().unwrap()).unwrap().unwrap();
        assert!(!shows_keys(&program));
        assert_eq!(keyboard.keys(), b"");
        rustix::io::write(&person, b"wa").unwrap();
        assert_eq!(keyboard.keys(), b"wa");
        drop(keyboard);
        assert!(shows_keys(&program));

        let in_panic = program.try_clone().unwrap();
        let panicked = std::thread::spawn(move || {
            let _keyboard = Keyboard::on(in_panic).unwrap().unwrap();
            panic!("on purpose");
        });
        assert!(panicked.join().is_err() && shows_keys(&program));

        let keyboard = Keyboard::on(program.try_clone().unwrap()).unwrap().unwrap();
        std::mem::forget(keyboard);
        assert!(!shows_keys(&program));
        restore();
        assert!(shows_keys(&program));
    }

    #[test]
    fn anything_but_a_terminal_is_refused() {
        let file = tempfile::tempfile().unwrap();
        assert!(Keyboard::on(file.into()).unwrap().is_none());
    }
}
