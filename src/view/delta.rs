//! States as messages: the difference of each count to the last state sent to this viewer, with small numbers in few bytes.
//!
//! A message is: kind (1 byte, 3), flags (1 byte; bit 0: key state, its differences are to zero), revision (u32), time (i64, ns), then tokens, all
//! little-endian. A token is a whole number ≥ 0 in LEB128, seven bits a byte, the lowest first, bit 7 set if more follow. An even token 2·n
//! stands for n unchanged counts; an odd one, 2·z + 1, for one count changed by d, with z = 2·d if d ≥ 0, and
//! −2·d − 1 otherwise. Unchanged counts at the end are omitted.

use super::state::ViewState;

/// First byte of a state.
pub const KIND: u8 = 3;
/// Length of what comes before the tokens [bytes].
pub const HEADER: usize = 14;
/// Flag of a key state.
const KEY: u8 = 1;

/// Encoder for one viewer: the counts sent last.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    revision: Option<u32>,
    counts: Vec<i64>,
}

impl Delta {
    /// Nothing sent yet: the next state is a key state.
    pub fn new() -> Delta {
        Delta::default()
    }

    /// Writes the message that updates the viewer to this state into `out`, which is cleared first.
    pub fn encode(&mut self, state: &ViewState, out: &mut Vec<u8>) {
        let is_key = self.revision != Some(state.revision) || self.counts.len() != state.counts.len();
        if is_key {
            self.revision = Some(state.revision);
            self.counts.clear();
            self.counts.resize(state.counts.len(), 0);
        }
        out.clear();
        out.extend([KIND, if is_key { KEY } else { 0 }]);
        out.extend(state.revision.to_le_bytes());
        out.extend(state.time.0.to_le_bytes());
        let mut unchanged = 0;
        for (before, now) in self.counts.iter_mut().zip(&state.counts) {
            let difference = now - *before;
            if difference == 0 {
                unchanged += 1;
                continue;
            }
            *before = *now;
            if unchanged > 0 {
                token(2 * unchanged, out);
                unchanged = 0;
            }
            let zigzag = ((difference << 1) ^ (difference >> 63)) as u64;
            token(2 * zigzag + 1, out);
        }
    }
}

fn token(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
