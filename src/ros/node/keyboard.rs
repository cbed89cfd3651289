//! Single keys from a terminal, which is as it was before when this ends, however it ends.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, Once};

use rustix::stdio::stdin;
use rustix::termios::{self, LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty};

use crate::guard::lock;

/// The terminal that a panic has to restore, and how it was.
static BEFORE: Mutex<Option<(OwnedFd, Termios)>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// A terminal that gives keys as they are pressed, without showing them. Ctrl-C still sends its signal.
pub struct Keyboard {
    terminal: OwnedFd,
}

impl Keyboard {
    /// Takes over the standard input; none: it is no terminal.
    pub fn open() -> io::Result<Option<Keyboard>> {
        Keyboard::on(stdin().try_clone_to_owned()?)
    }

    /// Takes over this terminal; none: it is none.
    pub fn on(terminal: OwnedFd) -> io::Result<Option<Keyboard>> {
        if !isatty(&terminal) {
            return Ok(None);
        }
        let before = termios::tcgetattr(&terminal)?;
        let mut raw = before.clone();
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        // A read gives what is there, and does not wait.
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
        // A terminal that has gone presses no keys; the hang-up signal ends the process.
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

/// Gives the terminal back as it was, once. For those who end the process while a keyboard lives in another thread.
pub fn restore() {
    if let Some((terminal, before)) = lock(&BEFORE).take() {
        // The user sees it anyway.
        let _ = termios::tcsetattr(terminal, OptionalActions::Now, &before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{Mode, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    /// Both ends of a terminal: the person's and the program's.
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

    /// One test, because there is one terminal of a process to restore.
    #[test]
    fn keys_come_one_by_one_and_the_terminal_is_restored_however_it_ends() {
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
    fn what_is_no_terminal_is_refused() {
        let file = tempfile::tempfile().unwrap();
        assert!(Keyboard::on(file.into()).unwrap().is_none());
    }
}
