//! The shared memory through which Fast DDS passes messages on one machine.
//!
//! A writer puts messages into a segment of its own, in pieces, and readers copy them from there. Its size is fixed when the process starts: 512 KiB by
//! default, less than one cloud of a depth camera. Pieces that do not fit replace those that readers have not taken yet, so that large messages never
//! become complete, and small ones wait for what is sent again and again. Readers need no setting.
//!
//! So the node makes a profile of Fast DDS with a segment for its world, `profile.rs`, unless the user has one. What Fast DDS has
//! made then is measured, and too little is a warning: `segment.rs`. `other_users.rs` warns of readers that may not open it.
//!
//! Fast DDS fills the whole segment at its start, and the process dies of it where the memory ends; hence the bounds in [`Wanted::of`].

mod other_users;
mod profile;
mod segment;

use std::path::Path;

use skidpad_ros_data::message::{map_data, sample_data};
use skidpad_sim::world::Scene;

pub use other_users::{FIRST_PORT, OtherUsers, PORTS_OF_DOMAIN};
pub use profile::Profile;
use segment::Shortage;

/// Where Linux has shared memory.
const FOLDER: &str = "/dev/shm";
/// What Fast DDS makes by itself [bytes].
const DEFAULT: u64 = 512 << 10;
/// Most that is asked for [bytes], and the part of the free memory that it may be, since others need some too.
const MAX_BYTES: u64 = 256 << 20;
const SHARE_OF_FREE: u64 = 4;

/// What the topics of a world send at one instant when everybody listens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Data of all messages together [bytes].
    at_once: u64,
    /// The data of the largest [bytes], and whose it is.
    largest: (u64, String),
}

impl Demand {
    /// That of all sensors and maps of a world.
    pub fn of(scene: &Scene) -> Demand {
        let mut demand = Demand::default();
        let mut add = |bytes: u64, owner: &dyn Fn() -> String| {
            demand.at_once = demand.at_once.saturating_add(bytes);
            if bytes > demand.largest.0 {
                demand.largest = (bytes, owner());
            }
        };
        for vehicle in &scene.vehicles {
            for sensor in &vehicle.sensors {
                let owner = || format!("sensor \"{}\" of vehicle \"{}\"", sensor.name, vehicle.name);
                sample_data(sensor).into_iter().for_each(|bytes| add(bytes, &owner));
            }
        }
        scene.maps.iter().for_each(|map| add(map_data(map), &|| "a map".to_owned()));
        demand
    }
}

/// The segment that a world should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    /// Its size [bytes].
    segment: u64,
    /// Whether it would be larger if more memory were free.
    is_cut: bool,
}

impl Wanted {
    /// Room for two instants: readers are at the one while the other is written. Where that is more than the machine has free
    /// [bytes], it is cut, and never below what Fast DDS makes by itself.
    fn of(demand: &Demand, free: u64) -> Wanted {
        let whole = demand.at_once.saturating_mul(2).max(DEFAULT);
        let most = (free / SHARE_OF_FREE).clamp(DEFAULT, MAX_BYTES);
        Wanted { segment: whole.min(most), is_cut: whole > most }
    }
}

/// The shared memory of this process, from before its first node until its end.
pub(crate) struct SharedMemory {
    demand: Demand,
    wanted: Wanted,
    /// Free memory at the start [bytes].
    free: u64,
    /// Size of the segment that Fast DDS has made [bytes]; none where it has none, or is not the middleware.
    segment: Option<u64>,
    /// Why the profile of this module could not be made.
    problem: Option<String>,
    /// Data at one instant of which has been warned [bytes].
    warned: u64,
}

impl SharedMemory {
    /// For a world, before the first node: gives the profile that has to exist until that node does.
    pub fn prepare(scene: &Scene) -> (SharedMemory, Option<Profile>) {
        let free = free_memory(Path::new(FOLDER));
        let demand = Demand::of(scene);
        let wanted = Wanted::of(&demand, free);
        let (profile, problem) = match Profile::provide(wanted.segment) {
            Ok(profile) => (profile, None),
            Err(problem) => (None, Some(problem.to_string())),
        };
        (SharedMemory { demand, wanted, free, segment: None, problem, warned: 0 }, profile)
    }

    /// Measures what Fast DDS has made for the first node, and warns if it is too little.
    pub fn begin(&mut self, profile: Option<Profile>) {
        if segment::is_fast_dds() {
            self.segment = segment::own_size();
            let is_ours = profile.is_some();
            self.warn(is_ours, false);
        }
    }

    /// Warns if the world needs more than before, and more than there is.
    pub fn follow(&mut self, scene: &Scene) {
        let demand = Demand::of(scene);
        if demand != self.demand && segment::is_fast_dds() {
            self.demand = demand;
            self.warn(true, true);
        }
    }

    fn warn(&mut self, is_ours: bool, has_grown: bool) {
        let has_failed = is_ours && !has_grown && self.segment.is_some_and(|segment| segment < self.wanted.segment);
        if self.demand.at_once <= self.warned.max(self.segment.unwrap_or(DEFAULT)) && !has_failed {
            return;
        }
        self.warned = self.demand.at_once;
        let shortage = Shortage {
            demand: &self.demand,
            segment: self.segment,
            free: self.free,
            is_cut: self.wanted.is_cut,
            is_ours,
            has_grown,
            problem: self.problem.as_deref(),
        };
        tracing::warn!("{shortage}");
    }
}

/// Bytes that are free in the file system of this folder.
fn free_memory(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |system| system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    fn wanted(at_once: u64, free: u64) -> (u64, bool) {
        let Wanted { segment, is_cut } = Wanted::of(&Demand { at_once, ..Demand::default() }, free);
        (segment, is_cut)
    }

    #[test]
    fn a_segment_has_room_for_two_instants_within_bounds() {
        let plenty = 100_000 * MB;
        assert_eq!(wanted(0, plenty), (DEFAULT, false));
        assert_eq!(wanted(5 * MB, plenty), (10 * MB, false));
        assert_eq!(wanted(1000 * MB, plenty), (MAX_BYTES, true));
        assert_eq!(wanted(u64::MAX, u64::MAX), (MAX_BYTES, true));
        // What a container has by default.
        assert_eq!(wanted(5 * MB, 64 * MB), (10 * MB, false));
        assert_eq!(wanted(10 * MB, 64 * MB), (16 * MB, true));
        assert_eq!(wanted(MB, 0), (DEFAULT, true));
    }
}
