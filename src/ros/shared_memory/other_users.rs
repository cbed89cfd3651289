//! Warns when a program of another user takes part in this ROS domain on this machine: Fast DDS lets both see all topics, through the network, and
//! sends the data through shared memory that belongs to one of them, which the other may not write to. Nothing arrives, and nothing says why.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use super::{FOLDER, segment};
use crate::throttle::Throttle;

/// Period of the looks.
const PERIOD: Duration = Duration::from_secs(2);
/// Ports of RTPS: the first, and how many belong to each domain (DDSI-RTPS 2.5, section 9.6.2).
pub const FIRST_PORT: u64 = 7400;
pub const PORTS_OF_DOMAIN: u64 = 250;

/// Watches the ports of Fast DDS in shared memory.
pub struct OtherUsers {
    domain: u32,
    throttle: Throttle,
    is_done: bool,
}

impl OtherUsers {
    /// For the ROS domain of this process. Nothing is watched where this process has no shared memory itself.
    pub fn new(domain: u32) -> OtherUsers {
        OtherUsers { domain, throttle: Throttle::new(PERIOD), is_done: segment::own_size().is_none() }
    }

    /// Warns once, as soon as there is one.
    pub fn check(&mut self) {
        if self.is_done || !self.throttle.is_due(Instant::now()) {
            return;
        }
        if let Some(user) = other_user(Path::new(FOLDER), self.domain, rustix::process::geteuid().as_raw()) {
            self.is_done = true;
            tracing::warn!("{}", warning(user, self.domain));
        }
    }
}

/// The user, other than `own_user`, of a running program that listens on a port of the domain in this folder.
fn other_user(folder: &Path, domain: u32, own_user: u32) -> Option<u32> {
    let ports = fs::read_dir(folder).ok()?.filter_map(Result::ok).filter(|entry| {
        entry.file_name().to_str().and_then(port_of).is_some_and(|port| port / PORTS_OF_DOMAIN == u64::from(domain))
    });
    ports
        .filter_map(|entry| Some((entry.metadata().ok()?.uid(), entry.path())))
        .find_map(|(user, lock)| (user != own_user && is_held(&lock)).then_some(user))
}

/// The port above the first whose lock has this name. A reader holds it, alone (`_el`) or with others (`_sl`), as long as it listens.
fn port_of(name: &str) -> Option<u64> {
    let port = ["fastrtps_port", "fastdds_port"].iter().find_map(|word| name.strip_prefix(word))?;
    let port: u64 = port.strip_suffix("_el").or_else(|| port.strip_suffix("_sl"))?.parse().ok()?;
    port.checked_sub(FIRST_PORT)
}

/// Whether a running program holds this lock; also where that cannot be seen.
fn is_held(lock: &Path) -> bool {
    File::open(lock).map_or(true, |file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_err())
}

fn warning(user: u32, domain: u32) -> String {
    format!(
        "Fast DDS: user {user} of this machine also has a node in ROS domain {domain}: topics are visible, but no data arrives, since \
         users cannot share memory\n  accepted: nodes of one user, or nodes without shared memory\n  hint: run both as one user; or set \
         FASTDDS_BUILTIN_TRANSPORTS=UDPv4 for one, without ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST: docs/troubleshooting.md"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_a_domain_are_known_by_the_names_of_their_locks() {
        for (name, expected) in [
            ("fastrtps_port7411_el", Some(11)),
            ("fastdds_port7911_el", Some(511)),
            ("fastrtps_port7400_sl", Some(0)),
            ("fastrtps_port7411", None),
            ("fastrtps_port7001_el", None),
            ("fastrtps_4b9d353d2211e2c1_el", None),
            ("sem.fastrtps_port7411_mutex", None),
        ] {
            assert_eq!(port_of(name), expected, "{name}");
        }
    }

    #[test]
    fn only_running_programs_of_others_in_this_domain_count() {
        let folder = tempfile::tempdir().unwrap();
        let lock = File::create(folder.path().join("fastrtps_port7911_el")).unwrap();
        let own = rustix::process::geteuid().as_raw();
        let user_in = |domain, user| other_user(folder.path(), domain, user);
        assert_eq!(user_in(2, own + 1), None, "left over by a program that has ended");
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        assert_eq!(user_in(2, own + 1), Some(own));
        assert_eq!([user_in(2, own), user_in(1, own + 1)], [None, None]);
        drop(lock);
        assert_eq!(user_in(2, own + 1), None);
    }
}
