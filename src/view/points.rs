//! Scans as messages: ranges in 16 bits; or compact, in counts of 2 mm, of which each beam has the difference to the one before.
//!
//! A message is: kind (1 byte, 4), one byte 0, stride (u16: it contains every stride-th beam, from the first on), revision (u32),
//! time (i64, ns), vehicle (u16), sensor (u16), pose of the sensor in the world as x y z [m] yaw pitch roll [rad] (6 × f32), farthest range
//! (f32, m), then u16 for each beam, all little-endian: range = value / 65534 · farthest range; 65535: nothing.
//!
//! A compact one is: kind (1 byte, 11), and the same up to the sensor; then tokens, whole numbers ≥ 0 in LEB128 as in [`super::delta`], where z stands for
//! z / 2 if z is even, and −(z + 1) / 2 otherwise: z for each number of the pose, in counts of [`channels::POSE`]; the number of
//! beams; then an even token 2·n for n beams without a range, and an odd one, 2·z + 1, for a beam whose range differs by that many
//! [`STEP`]s from the last one before it that has a range, the first from 0.

use super::channels;
use super::delta::{token, zigzag};
use super::state::ViewScan;

/// First byte of a scan.
pub const KIND: u8 = 4;
/// Length of what comes before the ranges [bytes].
pub const HEADER: usize = 48;
/// First byte of a compact scan.
pub(crate) const COMPACT: u8 = 11;
/// One count of ranges in compact scans [m]: below what lidars can tell, and two of the counts of positions.
pub const STEP: f64 = 2e-3;
/// Value of a beam without a measured range.
pub const NOTHING: u16 = u16::MAX;

/// Writes what both kinds begin with into `out`, which is cleared first.
fn begin(kind: u8, scan: &ViewScan, stride: u16, out: &mut Vec<u8>) {
    out.clear();
    out.extend([kind, 0]);
    out.extend(stride.to_le_bytes());
    out.extend(scan.revision.to_le_bytes());
    out.extend(scan.time.0.to_le_bytes());
    out.extend((scan.vehicle as u16).to_le_bytes());
    out.extend((scan.sensor as u16).to_le_bytes());
}

/// Every `stride`-th range of a scan [m]; none without a hit.
fn ranges(scan: &ViewScan, stride: u16) -> impl ExactSizeIterator<Item = Option<f64>> {
    let range_max = scan.range_max as f32;
    let kept = scan.ranges.iter().step_by(usize::from(stride));
    kept.map(move |&range| (range < range_max && range > 0.0).then_some(f64::from(range)))
}

/// Writes the message with every `stride`-th beam of a scan into `out`, which is cleared first.
pub fn encode(scan: &ViewScan, stride: u16, out: &mut Vec<u8>) {
    let stride = stride.max(1);
    begin(KIND, scan, stride, out);
    for value in channels::pose(scan.world_from_sensor).into_iter().chain([scan.range_max]) {
        out.extend((value as f32).to_le_bytes());
    }
    let scale = f64::from(NOTHING - 1) / scan.range_max;
    for range in ranges(scan, stride) {
        let value = range.map_or(NOTHING, |range| (range * scale).round().min(f64::from(NOTHING - 1)) as u16);
        out.extend(value.to_le_bytes());
    }
}

/// Writes the compact message with every `stride`-th beam of a scan into `out`, which is cleared first.
pub fn encode_compact(scan: &ViewScan, stride: u16, out: &mut Vec<u8>) {
    let stride = stride.max(1);
    begin(COMPACT, scan, stride, out);
    for (value, channel) in channels::pose(scan.world_from_sensor).into_iter().zip(&channels::POSE) {
        token(zigzag(channels::counts(value, channel)), out);
    }
    let beams = ranges(scan, stride);
    token(beams.len() as u64, out);
    let (mut before, mut empty) = (0, 0);
    for range in beams {
        let Some(range) = range else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            token(2 * empty, out);
            empty = 0;
        }
        let now = (range / STEP).round() as i64;
        token(2 * zigzag(now - before) + 1, out);
        before = now;
    }
}
