//! What Fast DDS has made, as the system shows it, and the warning where that is too little.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;

use super::{Demand, FOLDER, SHARE_OF_FREE};

/// Whether the middleware is Fast DDS: it is loaded, and no other was asked for. Loaded alone says little, because libraries of
/// messages may name it as needed.
pub(super) fn is_fast_dds() -> bool {
    is_chosen(env::var_os("RMW_IMPLEMENTATION").as_deref())
        && fs::read_to_string("/proc/self/maps")
            // Up to version 2, and from 3 on.
            .is_ok_and(|maps| ["/libfastrtps.", "/libfastdds."].iter().any(|library| maps.contains(library)))
}

/// Whether this value of `RMW_IMPLEMENTATION` leaves or makes Fast DDS the middleware. It has two libraries for ROS.
fn is_chosen(middleware: Option<&OsStr>) -> bool {
    middleware.is_none_or(|name| name.is_empty() || name == "rmw_fastrtps_cpp" || name == "rmw_fastrtps_dynamic_cpp")
}

/// Size of the largest segment of this process [bytes]. Its owner is who keeps the lock beside it open.
pub(super) fn own_size() -> Option<u64> {
    let open = fs::read_dir("/proc/self/fd").ok()?.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let segments = open.filter_map(|lock| {
        let name = lock.file_name().and_then(OsStr::to_str)?.strip_suffix("_el")?;
        let is_segment = lock.parent() == Some(Path::new(FOLDER)) && is_segment(name);
        is_segment.then(|| fs::metadata(lock.with_file_name(name)).ok()).flatten()
    });
    segments.map(|segment| segment.len()).max()
}

/// Whether this is the name of a segment: a number of 16 digits, after a word that depends on the version.
fn is_segment(name: &str) -> bool {
    let number = ["fastrtps_", "fastdds_"].iter().find_map(|word| name.strip_prefix(word));
    number.is_some_and(|number| number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// A segment that is smaller than what is sent at once.
pub(super) struct Shortage<'a> {
    /// What is sent.
    pub demand: &'a Demand,
    /// The segment [bytes]; none: there is no shared memory.
    pub segment: Option<u64>,
    /// Free memory at the start [bytes].
    pub free: u64,
    /// Whether the segment was cut for that.
    pub is_cut: bool,
    /// Whether the profile is the node's own.
    pub is_ours: bool,
    /// Whether vehicles have come since the start.
    pub has_grown: bool,
    /// Why there is no profile of the node's own.
    pub problem: Option<&'a str>,
}

impl fmt::Display for Shortage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Demand { at_once, largest: (largest, owner) } = self.demand;
        let has = match self.segment {
            Some(segment) => format!("its shared memory has {}", megabytes(segment)),
            None => "it uses no shared memory".to_owned(),
        };
        let (at_once, largest) = (megabytes(*at_once), megabytes(*largest));
        write!(
            f,
            "Fast DDS: {has}, but this world sends up to {at_once} at once ({owner}: {largest}): messages of any size will be lost or late\n  \
             accepted: shared memory of {at_once} or more\n  hint: "
        )?;
        match self.problem {
            Some(problem) => write!(f, "free space in the folder for temporary files; skidpad's profile cannot be written: {problem}"),
            None if self.is_cut && self.is_ours => write!(
                f,
                "enlarge {FOLDER} (docker run --shm-size=1g), or use fewer or smaller sensors; {} were free at the start, of which skidpad takes 1/{SHARE_OF_FREE}",
                megabytes(self.free)
            ),
            None if self.has_grown => {
                f.write_str("restart skidpad with these vehicles: Fast DDS allocates its memory at the start")
            }
            None if self.is_ours => f.write_str("Fast DDS could not allocate the requested memory: see its message above"),
            None => f.write_str(
                "unset FASTRTPS_DEFAULT_PROFILES_FILE, FASTDDS_DEFAULT_PROFILES_FILE and FASTDDS_BUILTIN_TRANSPORTS, or set \
                 segment_size in your own profile: docs/troubleshooting.md",
            ),
        }
    }
}

/// In megabytes, rounded up to a tenth.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", (bytes as f64 / 1e5).ceil() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_dds_is_the_middleware_unless_another_is_asked_for() {
        for name in [None, Some(""), Some("rmw_fastrtps_cpp"), Some("rmw_fastrtps_dynamic_cpp")] {
            assert!(is_chosen(name.map(OsStr::new)), "{name:?}");
        }
        for name in ["rmw_cyclonedds_cpp", "rmw_zenoh_cpp", "rmw_connextdds"] {
            assert!(!is_chosen(Some(OsStr::new(name))), "{name}");
        }
    }

    #[test]
    fn segments_are_told_from_their_locks_and_from_ports() {
        assert!(is_segment("fastrtps_4b9d353d2211e2c1") && is_segment("fastdds_4b9d353d2211e2c1"));
        for other in [
            "fastrtps_4b9d353d2211e2c1_el",
            "fastrtps_port7411",
            "sem.fastrtps_port7411_mutex",
            "fastrtps_xb9d353d2211e2c1",
        ] {
            assert!(!is_segment(other), "{other}");
        }
    }

    #[test]
    fn the_warning_says_what_helps() {
        let demand = Demand { at_once: 2_765_000, largest: (1_228_800, "sensor \"eye\" of vehicle \"r1\"".into()) };
        let shortage = |segment, is_cut, is_ours, has_grown, problem| {
            Shortage { demand: &demand, segment, free: 64_000_000, is_cut, is_ours, has_grown, problem }.to_string()
        };
        assert_eq!(
            shortage(Some(549_408), false, false, false, None),
            "Fast DDS: its shared memory has 0.6 MB, but this world sends up to 2.8 MB at once (sensor \"eye\" of vehicle \"r1\": 1.3 MB): \
             messages of any size will be lost or late\n  accepted: shared memory of 2.8 MB or more\n  \
             hint: unset FASTRTPS_DEFAULT_PROFILES_FILE, FASTDDS_DEFAULT_PROFILES_FILE and FASTDDS_BUILTIN_TRANSPORTS, or set \
             segment_size in your own profile: docs/troubleshooting.md"
        );
        assert!(shortage(None, false, false, false, None).starts_with("Fast DDS: it uses no shared memory, but"));
        let hint = |text: String| text.rsplit("hint: ").next().unwrap_or_default().to_owned();
        assert!(hint(shortage(Some(1), true, true, false, None)).contains("; 64.0 MB were free at the start"));
        assert!(hint(shortage(Some(1), false, true, true, None)).starts_with("restart skidpad with these vehicles"));
        assert!(
            hint(shortage(Some(1), false, false, false, Some("disk full"))).ends_with("cannot be written: disk full")
        );
    }
}
