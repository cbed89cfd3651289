//! Whether other programs of this ROS domain run on this machine. The graph alone does not tell: a program that was killed stays in it until its
//! lease is over, 20 s with Fast DDS. Its sockets go with it, and RTPS says which ports they have (DDSI-RTPS 2.5, section 9.6.2: from the tenth
//! of a domain on two for each participant).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use skidpad_files::input_file;

use crate::shared_memory::{FIRST_PORT, PORTS_OF_DOMAIN};
use crate::throttle::Throttle;

/// Period of the looks.
const PERIOD: Duration = Duration::from_millis(500);
/// Where those ports of a domain begin that each participant has for itself.
const FIRST_OF_PARTICIPANTS: u64 = 10;
/// How much is read of a file of the kernel [bytes].
const MAX_BYTES: u64 = 4 << 20;
/// In the command line of the daemon of `ros2`, which stays, and follows no clock.
const DAEMON: &str = "ros2-daemon";

/// Watches the other programs of the domain on this machine.
#[derive(Debug)]
pub struct Neighbours {
    domain: u64,
    /// Sockets that have been seen on the domain's ports, by inode, and whether they are those of others.
    sockets: BTreeMap<u64, bool>,
    have_been_there: bool,
    are_there: bool,
    throttle: Throttle,
}

impl Neighbours {
    /// Those in this domain.
    pub fn new(domain: u32) -> Neighbours {
        Neighbours {
            domain: u64::from(domain),
            sockets: BTreeMap::new(),
            have_been_there: false,
            are_there: false,
            throttle: Throttle::new(PERIOD),
        }
    }

    /// Whether there were some, and none is left. Where none was ever seen, whoever subscribes is on another machine, or has no ports of RTPS.
    pub(crate) fn have_all_gone(&mut self) -> bool {
        if self.throttle.is_due(Instant::now()) {
            self.look(&bound_sockets(self.domain), || (sockets_of("self"), sockets_of_daemons()));
        }
        self.have_been_there && !self.are_there
    }

    /// Takes the sockets that there are now; `own_and_daemon` gives those of this process and of others that do not count, where new ones have come.
    fn look(&mut self, bound: &BTreeSet<u64>, own_and_daemon: impl FnOnce() -> (BTreeSet<u64>, BTreeSet<u64>)) {
        self.sockets.retain(|socket, _| bound.contains(socket));
        if bound.iter().any(|socket| !self.sockets.contains_key(socket)) {
            let (own_sockets, daemon_sockets) = own_and_daemon();
            let is_foreign = |socket: &u64| !own_sockets.contains(socket) && !daemon_sockets.contains(socket);
            self.sockets = bound.iter().map(|socket| (*socket, is_foreign(socket))).collect();
        }
        self.are_there = self.sockets.values().any(|is_foreign| *is_foreign);
        self.have_been_there |= self.are_there;
    }
}

/// The inodes of the sockets on the ports of the domain's participants.
fn bound_sockets(domain: u64) -> BTreeSet<u64> {
    let tables = ["/proc/net/udp", "/proc/net/udp6"]
        .map(|table| input_file::read_text(Path::new(table), MAX_BYTES).unwrap_or_default());
    tables.iter().flat_map(|table| sockets_in(table, domain)).collect()
}

/// The same in the kernel's table of sockets (`man 5 proc_net`): the local address is the second column, the inode the tenth.
fn sockets_in(table: &str, domain: u64) -> impl Iterator<Item = u64> {
    let first = FIRST_PORT + PORTS_OF_DOMAIN * domain;
    let ports = first + FIRST_OF_PARTICIPANTS..first + PORTS_OF_DOMAIN;
    table.lines().skip(1).filter_map(move |line| {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let (_, port) = columns.next()?.rsplit_once(':')?;
        let port = u64::from_str_radix(port, 16).ok()?;
        ports.contains(&port).then(|| columns.nth(7)?.parse().ok())?
    })
}

/// The inodes of the sockets of a process.
fn sockets_of(process: &str) -> BTreeSet<u64> {
    let files = fs::read_dir(Path::new("/proc").join(process).join("fd")).into_iter().flatten().flatten();
    let inode = |file: fs::DirEntry| {
        let target = fs::read_link(file.path()).ok()?;
        target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    files.filter_map(inode).collect()
}

/// The inodes of the sockets of all daemons of `ros2`.
fn sockets_of_daemons() -> BTreeSet<u64> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_daemon = |process: &fs::DirEntry| {
        let line = input_file::read(&process.path().join("cmdline"), MAX_BYTES).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == DAEMON.as_bytes())
    };
    processes
        .filter(is_daemon)
        .filter_map(|process| Some(sockets_of(process.file_name().to_str()?)))
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    #[test]
    fn sockets_on_the_ports_of_participants_are_those_of_the_domain() {
        let line = |port: u64, inode: u64| {
            format!(
                "  12: 00000000:{port:04X} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 {inode} 2 0 0\n"
            )
        };
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n";
        let ports = [(7400, 1), (7409, 2), (7410, 3), (7411, 4), (7649, 5), (7650, 6), (7660, 7), (53, 8)];
        let table: String =
            std::iter::once(head.to_owned()).chain(ports.map(|(port, inode)| line(port, inode))).collect();
        assert_eq!(sockets_in(&table, 0).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(sockets_in(&table, 1).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn they_have_gone_once_nobody_but_this_process_and_daemons_is_left() {
        let set = |sockets: &[u64]| sockets.iter().copied().collect::<BTreeSet<u64>>();
        let mut neighbours = Neighbours::new(0);
        let mut gone = |bound: &[u64]| {
            neighbours.look(&set(bound), || (set(&[1]), set(&[2])));
            neighbours.have_been_there && !neighbours.are_there
        };
        assert!(!gone(&[1, 2]), "nobody was ever there");
        assert!(!gone(&[1, 2, 3]) && !gone(&[1, 3, 4]));
        assert!(gone(&[1, 2]) && !gone(&[1, 4]) && gone(&[]));
    }

    #[test]
    fn own_sockets_are_seen() {
        // Some port that belongs to a domain: which one does not matter.
        let domain =
            |socket: &UdpSocket| (u64::from(socket.local_addr().unwrap().port()) - FIRST_PORT) / PORTS_OF_DOMAIN;
        let sockets: Vec<UdpSocket> = (0..64).filter_map(|_| UdpSocket::bind("127.0.0.1:0").ok()).collect();
        let own = sockets_of("self");
        assert!(
            own.len() >= sockets.len() && sockets.iter().any(|socket| !bound_sockets(domain(socket)).is_disjoint(&own))
        );
    }
}
