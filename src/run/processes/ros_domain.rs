//! A ROS domain that nobody else on this machine uses, for the processes of one run.
//!
//! DDS gives the participants of a domain the ports 7400 + 250·domain + 10 + 2·participant, with the defaults that ROS 2 keeps (DDSI-RTPS 2.5,
//! §9.6.2.4): others are noticed by these. Other runs of this program, of any user, are kept out by a port that DDS leaves free, the ninth of the
//! domain. The system gives it to one process, and takes it back when that ends. It needs no file, which others could prepare or leave behind.

use std::env;
use std::ffi::OsString;
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::Command;

use skidpad_files::diagnostic::Diagnostic;

/// Domains whose ports are below those that Linux gives to clients, by ROS 2's documentation.
const ALL: (u16, u16) = (1, 101);
/// The environment variable with those that may be taken.
const VARIABLE: &str = "SKIDPAD_ROS_DOMAINS";
/// Participants whose ports are looked at.
const PARTICIPANTS: u16 = 8;
/// The port that keeps a domain, after the first one of the domain.
const LOCK: u16 = 9;

/// A domain, taken until this is dropped.
#[derive(Debug)]
pub struct RosDomain {
    number: u16,
    /// Variables that its processes get besides.
    environment: Vec<(OsString, OsString)>,
    /// Bound to its port.
    _lock: UdpSocket,
}

impl RosDomain {
    /// Takes a free domain: the last one, which people use least, of 1 to 101 or of those in `SKIDPAD_ROS_DOMAINS`, such as `61-69`. Its processes
    /// get these variables of the environment.
    ///
    /// # Errors
    /// All are taken, or the variable is not understood.
    pub fn free(environment: &[(OsString, OsString)]) -> Result<RosDomain, Diagnostic> {
        let given = env::var(VARIABLE).ok();
        let (first, last) = given.as_deref().map_or(Ok(ALL), range)?;
        let taken = (first..=last).rev().find_map(RosDomain::take);
        let taken = taken.map(|domain| RosDomain { environment: environment.to_vec(), ..domain });
        taken.ok_or_else(|| {
            let message = Diagnostic::new("ROS_DOMAIN_ID", format!("all domains from {first} to {last} are taken"));
            message.hint(format!("end other ROS programs, or let {VARIABLE} name others, such as 1-101"))
        })
    }

    /// The domain with this number, if it is free.
    fn take(number: u16) -> Option<RosDomain> {
        let first = 7400 + 250 * number;
        let lock = UdpSocket::bind((Ipv4Addr::LOCALHOST, first + LOCK)).ok()?;
        let is_free = |participant| UdpSocket::bind((Ipv4Addr::UNSPECIFIED, first + 10 + 2 * participant)).is_ok();
        (0..PARTICIPANTS).all(is_free).then_some(RosDomain { number, environment: Vec::new(), _lock: lock })
    }

    /// A command of this program in it: what it starts is seen on this machine only.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.env("ROS_DOMAIN_ID", self.number.to_string()).env("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST");
        command
    }

    /// Its number, for `ROS_DOMAIN_ID`.
    pub fn number(&self) -> u16 {
        self.number
    }
}

/// The first and the last domain of a text like `61-69`.
fn range(text: &str) -> Result<(u16, u16), Diagnostic> {
    let parts =
        text.split_once('-').and_then(|(first, last)| Some((first.trim().parse().ok()?, last.trim().parse().ok()?)));
    parts.filter(|(first, last)| first <= last && (ALL.0..=ALL.1).contains(first) && *last <= ALL.1).ok_or_else(|| {
        let (first, last) = ALL;
        Diagnostic::new(VARIABLE, format!("found \"{text}\"")).accepted(format!("FIRST-LAST, from {first} to {last}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_taken_once_and_free_again_afterwards() {
        let first = RosDomain::free(&[]).unwrap();
        assert!(RosDomain::take(first.number()).is_none(), "its port is held");
        let second = RosDomain::free(&[]).unwrap();
        assert_ne!(first.number(), second.number());
        let number = second.number();
        drop(second);
        let port = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 7400 + 250 * number + 12)).unwrap();
        assert!(RosDomain::take(number).is_none(), "a participant is there");
        drop(port);
        assert!(RosDomain::take(number).is_some());
        // Whoever runs as another user, or in another folder for temporary files, cannot take it either.
        let held = UdpSocket::bind((Ipv4Addr::LOCALHOST, 7400 + 250 * number + LOCK)).unwrap();
        assert!(RosDomain::take(number).is_none());
        drop(held);
        assert!(RosDomain::take(number).is_some());
    }

    #[test]
    fn the_domains_that_may_be_taken_can_be_chosen() {
        assert_eq!(range("61-69").unwrap(), (61, 69));
        for wrong in ["", "7", "9-3", "0-4", "1-232", "a-b"] {
            assert!(range(wrong).unwrap_err().to_string().contains("accepted: FIRST-LAST, from 1 to 101"), "{wrong}");
        }
    }
}
