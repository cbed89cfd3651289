//! Scans as messages: ranges in 16 bits.
//!
//! A message is: kind (1 byte, 4), one byte 0, stride (u16: it contains every stride-th beam, from the first on), revision (u32),
//! time (i64, ns), vehicle (u16), sensor (u16), pose of the sensor in the world as x y z [m] yaw pitch roll [rad] (6 × f32), farthest range
//! (f32, m), then u16 for each beam, all little-endian: range = value / 65534 · farthest range; 65535: nothing.

use super::channels;
use super::state::ViewScan;

/// First byte of a scan.
pub const KIND: u8 = 4;
/// Length of what comes before the ranges [bytes].
pub const HEADER: usize = 48;
/// Value of a beam without a measured range.
pub const NOTHING: u16 = u16::MAX;

/// Writes the message with every `stride`-th beam of a scan into `out`, which is cleared first.
pub fn encode(scan: &ViewScan, stride: u16, out: &mut Vec<u8>) {
    let stride = stride.max(1);
    out.clear();
    out.extend([KIND, 0]);
    out.extend(stride.to_le_bytes());
    out.extend(scan.revision.to_le_bytes());
    out.extend(scan.time.0.to_le_bytes());
    out.extend((scan.vehicle as u16).to_le_bytes());
    out.extend((scan.sensor as u16).to_le_bytes());
    for value in channels::pose(scan.world_from_sensor).into_iter().chain([scan.range_max]) {
        out.extend((value as f32).to_le_bytes());
    }
    let scale = f64::from(NOTHING - 1) / scan.range_max;
    for &range in scan.ranges.iter().step_by(usize::from(stride)) {
        let is_range = range < scan.range_max as f32 && range >= 0.0;
        let value =
            if is_range { (f64::from(range) * scale).round().min(f64::from(NOTHING - 1)) as u16 } else { NOTHING };
        out.extend(value.to_le_bytes());
    }
}
