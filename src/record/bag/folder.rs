//! Folders of `ros2 bag record`: the files that their metadata.yaml names, which may be compressed.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;
use skidpad_files::scratch::Scratch;

use super::BagError;
use super::framing::most_unpacked;

/// How a file compressed with zstd begins.
pub(super) const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

const METADATA: &str = "metadata.yaml";
/// Longest such file [bytes]: some lines for each topic and each part.
const MAX_METADATA: u64 = 64 << 20;

/// The parts of metadata.yaml that are used.
#[derive(Deserialize)]
struct Metadata {
    rosbag2_bagfile_information: Information,
}

#[derive(Deserialize)]
struct Information {
    #[serde(default)]
    relative_file_paths: Vec<PathBuf>,
    #[serde(default)]
    compression_mode: String,
}

/// The files of a folder. Without metadata, which rosbag2 writes only at the end, all files named like parts of a bag
/// are used, with a note.
pub(super) fn files(folder: &Path, notes: &mut Vec<Diagnostic>) -> Result<Vec<PathBuf>, BagError> {
    let metadata = folder.join(METADATA);
    let files: Vec<PathBuf> = if metadata.is_file() {
        let information = information(&metadata)?;
        if information.compression_mode.eq_ignore_ascii_case("message") {
            return Err(BagError::Format {
                path: folder.into(),
                found: "its messages are compressed one by one".into(),
                hint: Some("convert it to an uncompressed bag: ros2 bag convert"),
            });
        }
        information.relative_file_paths.iter().map(|file| folder.join(file)).collect()
    } else {
        let files = parts(folder).map_err(|error| BagError::file(folder, error))?;
        if !files.is_empty() {
            notes.push(Diagnostic::new(folder.display(), format!("has no {METADATA}: all its files are read")));
        }
        files
    };
    if files.is_empty() {
        return Err(BagError::Format { path: folder.into(), found: "holds no recording".into(), hint: None });
    }
    Ok(files)
}

fn information(path: &Path) -> Result<Information, BagError> {
    let text = input_file::read_text(path, MAX_METADATA).map_err(|error| BagError::file(path, error))?;
    let metadata: Result<Metadata, _> = serde_saphyr::from_str(&text);
    metadata.map(|metadata| metadata.rosbag2_bagfile_information).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        BagError::Format { path: path.into(), found: format!("is not the metadata of a bag: {line}"), hint: None }
    })
}

/// The files of a folder that are named like parts of a bag, sorted.
fn parts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_part = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        [".mcap", ".db3", ".mcap.zstd", ".db3.zstd"].iter().any(|ending| name.ends_with(ending))
    };
    let paths: io::Result<Vec<PathBuf>> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths: Vec<PathBuf> = paths?.into_iter().filter(is_part).collect();
    paths.sort();
    Ok(paths)
}

/// Unpacks a file that is compressed as a whole to a file in a temporary folder.
pub(super) fn unpacked(path: &Path, notes: &mut Vec<Diagnostic>) -> Result<(PathBuf, Scratch), BagError> {
    let failed = |error| BagError::file(path, error);
    let scratch = Scratch::new("skidpad-bag-").map_err(failed)?;
    let plain = scratch.path().join("unpacked");
    let file = input_file::open(path).map_err(failed)?;
    let most = most_unpacked(file.metadata().map_err(failed)?.len());
    let mut decoder = zstd::Decoder::new(BufReader::new(file)).map_err(failed)?.take(most + 1);
    let mut into = File::create_new(&plain).map_err(failed)?;
    match io::copy(&mut decoder, &mut into) {
        Ok(size) if size > most => {
            let found = format!("is broken: it unpacks to more than {most} bytes");
            return Err(BagError::Format { path: path.into(), found, hint: None });
        }
        Ok(_) => {}
        Err(error) => notes.push(Diagnostic::new(path.display(), format!("ends early: {error}"))),
    }
    let mut start = Vec::new();
    input_file::open(&plain).and_then(|file| file.take(4).read_to_end(&mut start)).map_err(failed)?;
    if start == ZSTD {
        let found = "is compressed more than once".into();
        return Err(BagError::Format { path: path.into(), found, hint: None });
    }
    Ok((plain, scratch))
}
