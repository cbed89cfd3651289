//! Unpacks untrusted zip archives: nothing is written outside of the folder, and the cost of an archive is bounded.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Component, Path};

use zip::ZipArchive;
use zip::result::ZipError;

use super::checksum::copy_summed;
use super::fetch::size;
use super::{Cancel, Limits};
use crate::diagnostic::Diagnostic;
use crate::input_file;

/// Unpacked size that is always allowed, however small the archive [bytes]: a few uniform files compress extremely well.
const ALWAYS: u64 = 16 << 20;

/// Unpacks all of `archive` into the folder `into`. Returns checksum and path of every file, or the reason of the failure.
pub(super) fn unpack(
    archive: &Path,
    into: &Path,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<(String, String)>, Diagnostic> {
    let open = || input_file::open(archive).map(BufReader::new);
    let length = fs::metadata(archive)?.len();
    // The index takes memory for each entry, so the entries are counted first.
    if count_headers(cancel.reader(open()?))? > limits.entries {
        return Err(Diagnostic::of(format!("it has more than {} files", limits.entries)));
    }
    let mut zip = ZipArchive::new(open()?).map_err(broken)?;
    let most = limits.unpacked.min(length.saturating_mul(limits.ratio).max(ALWAYS));
    let mut total = 0;
    let mut sums = Vec::new();
    let mut folders = HashSet::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let name = name.replace('\\', "/");
        if !is_harmless(&name) {
            return Err(Diagnostic::of(format!("its entry \"{}\" leads out of it", name.escape_debug())));
        }
        if entry.is_symlink() {
            return Err(Diagnostic::of(format!("its entry \"{name}\" is a link")));
        }
        let path = into.join(&name);
        if entry.is_dir() || name.ends_with('/') {
            fs::create_dir_all(&path)?;
            continue;
        }
        let folder = path.parent().unwrap_or(into);
        if folders.insert(folder.to_path_buf()) {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::create_new(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Diagnostic::of(format!("its entry \"{name}\" appears twice")),
            _ => error.into(),
        })?;
        let left = most - total;
        let (sum, length) = copy_summed(&mut cancel.reader(entry.by_ref().take(left + 1)), &mut file)
            .map_err(|error| Diagnostic::from(error).after(format!("its entry \"{name}\" is damaged: ")))?;
        if length > left {
            return Err(Diagnostic::of(format!("it unpacks to more than {}", size(most))));
        }
        total += length;
        sums.push((sum, name));
    }
    Ok(sums)
}

/// The message of an archive with a broken index or entry.
fn broken(error: ZipError) -> Diagnostic {
    Diagnostic::of(error.to_string())
}

/// How often the signature of an index entry occurs in an archive: an upper bound of the entries, whatever count the index declares.
fn count_headers(mut archive: impl Read) -> io::Result<usize> {
    const MARK: &[u8; 4] = b"PK\x01\x02";
    let mut buffer = vec![0; 1 << 16];
    let (mut kept, mut count) = (0, 0);
    loop {
        let read = archive.read(&mut buffer[kept..])?;
        if read == 0 {
            return Ok(count);
        }
        let filled = &buffer[..kept + read];
        count += filled.windows(MARK.len()).filter(|window| window == MARK).count();
        // A signature may span two chunks.
        let from = filled.len().saturating_sub(MARK.len() - 1);
        let end = filled.len();
        buffer.copy_within(from..end, 0);
        kept = end - from;
    }
}

/// Whether a path stays in the folder it is unpacked to, and fits on one line of the list of checksums.
fn is_harmless(name: &str) -> bool {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let drive = name.as_bytes().get(1) == Some(&b':');
    !name.is_empty() && !drive && !name.contains(char::is_control) && Path::new(name).components().all(inside)
}
