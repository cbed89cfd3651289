//! States as messages: the difference of each count to the last state sent to this viewer, with small numbers in few bytes.
//!
//! A message is: kind (1 byte, 3), flags (1 byte; bit 0: key state, its differences are to zero; bit 1: partial), revision (u32), time (i64, ns),
//! of a partial state the index of the vehicle whose numbers are complete (u16, 65535: of none), then tokens, all
//! little-endian. What a partial state leaves out counts as unchanged, until a later state has it. A token is a whole number ≥ 0 in LEB128, seven bits a byte, the lowest first, bit 7 set if more follow. An even token 2·n
//! stands for n unchanged counts; an odd one, 2·z + 1, for one count changed by d, with z = 2·d if d ≥ 0, and
//! −2·d − 1 otherwise. Unchanged counts at the end are omitted.

use super::numbers::Numbers;
use super::state::ViewState;

/// First byte of a state.
pub const KIND: u8 = 3;
/// Length of what comes before the tokens of a complete state [bytes].
pub const HEADER: usize = 14;
/// Flag of a key state.
const KEY: u8 = 1;
/// Flag of a partial state.
const PARTIAL: u8 = 2;

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
        self.encode_part(state, &Numbers::default(), out);
    }

    /// The same with some of the numbers only; those left out follow as soon as they are among `numbers`.
    pub fn encode_part(&mut self, state: &ViewState, numbers: &Numbers, out: &mut Vec<u8>) {
        let is_key = self.revision != Some(state.revision) || self.counts.len() != state.counts.len();
        if is_key {
            self.revision = Some(state.revision);
            self.counts.clear();
            self.counts.resize(state.counts.len(), 0);
        }
        out.clear();
        let partial = numbers.only();
        out.extend([KIND, if is_key { KEY } else { 0 } | if partial.is_some() { PARTIAL } else { 0 }]);
        out.extend(state.revision.to_le_bytes());
        out.extend(state.time.0.to_le_bytes());
        out.extend(partial.iter().flat_map(|vehicle| vehicle.to_le_bytes()));
        let mut unchanged = 0;
        for (index, (before, now)) in self.counts.iter_mut().zip(&state.counts).enumerate() {
            let difference = now - *before;
            if difference == 0 || numbers.leaves_out(index) {
                unchanged += 1;
                continue;
            }
            *before = *now;
            if unchanged > 0 {
                token(2 * unchanged, out);
                unchanged = 0;
            }
            token(2 * zigzag(difference) + 1, out);
        }
    }
}

/// A whole number ≥ 0 for each whole number, small ones for small ones.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Appends a whole number in LEB128.
pub(crate) fn token(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
