//! SHA-256 checksums, which identify and verify cached files.

use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::hex;
use crate::input_file;

/// Digits of a checksum that identify an entry of the cache.
pub(super) const KEY_LENGTH: usize = 32;

/// The first digits of the checksum of `bytes`.
pub(super) fn short_sum(bytes: &[u8]) -> String {
    let mut sum = hex(Sha256::digest(bytes));
    sum.truncate(KEY_LENGTH);
    sum
}

/// The checksum of a regular file.
pub(super) fn sum_of_file(path: &Path) -> io::Result<String> {
    copy_summed(&mut input_file::open(path)?, &mut io::sink()).map(|(sum, _)| sum)
}

/// Copies all of `from`; returns its checksum and its length.
pub(super) fn copy_summed(from: &mut dyn Read, into: &mut dyn Write) -> io::Result<(String, u64)> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok((hex(digest.finalize()), length)),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        digest.update(&buffer[..count]);
        into.write_all(&buffer[..count])?;
        length += count as u64;
    }
}
