//! A profile of Fast DDS: its built-in transports, with another size of the shared memory.

use std::env;
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use tempfile::NamedTempFile;

/// Pieces of messages that are under way at most, as Fast DDS has it by default, and the largest piece [bytes].
const PIECES: u64 = 512;
const PIECE: u64 = 65_500;

/// A profile that Fast DDS can read as long as this exists.
pub struct Profile {
    _file: NamedTempFile,
    _descriptor: OwnedFd,
}

impl Profile {
    /// Puts a profile with this size of the segment [bytes] where the launcher has promised one; none where it has not.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub fn provide(segment: u64) -> Result<Option<Profile>, Diagnostic> {
        let Some(descriptor) = promised() else { return Ok(None) };
        // Fast DDS asks for the path of the file, so it needs one.
        let mut file = tempfile::Builder::new().prefix("skidpad_fast_dds_").suffix(".xml").tempfile()?;
        file.write_all(text(segment).as_bytes())?;
        let same = rustix::io::fcntl_dupfd_cloexec(&file, descriptor).map_err(std::io::Error::from)?;
        match same.as_raw_fd() {
            number if number == descriptor => Ok(Some(Profile { _file: file, _descriptor: same })),
            _ => Err(Diagnostic::of(format!("file descriptor {descriptor} is taken"))),
        }
    }
}

/// The descriptor on which the launcher (`src/node/launcher.rs`) has promised a profile. One that is open belongs to somebody else.
fn promised() -> Option<i32> {
    let path = env::var("FASTRTPS_DEFAULT_PROFILES_FILE").ok()?;
    let descriptor = path.strip_prefix("/proc/self/fd/")?.parse().ok()?;
    (!Path::new(&path).exists()).then_some(descriptor)
}

/// The profile. Fast DDS has the same elements in all versions of ROS from Humble on.
fn text(segment: u64) -> String {
    let pieces = PIECES.max(2 * segment.div_ceil(PIECE));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<profiles xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles">
  <transport_descriptors>
    <transport_descriptor>
      <transport_id>shared_memory</transport_id>
      <type>SHM</type>
      <segment_size>{segment}</segment_size>
      <port_queue_capacity>{pieces}</port_queue_capacity>
    </transport_descriptor>
    <transport_descriptor>
      <transport_id>network</transport_id>
      <type>UDPv4</type>
    </transport_descriptor>
  </transport_descriptors>
  <participant profile_name="skidpad" is_default_profile="true">
    <rtps>
      <userTransports>
        <transport_id>shared_memory</transport_id>
        <transport_id>network</transport_id>
      </userTransports>
      <useBuiltinTransports>false</useBuiltinTransports>
    </rtps>
  </participant>
</profiles>
"#
    )
}
