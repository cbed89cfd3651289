//! Folders of `ros2 bag record`: the files that their metadata.yaml names, which may be compressed.

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempfile::NamedTempFile;

use super::{BagError, Contents, most_unpacked, read_file};
use crate::input_file;

/// How a file compressed with zstd begins.
pub(super) const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

const METADATA: &str = "metadata.yaml";
/// Longest such file [bytes]: some lines for each topic and each part.
const LONGEST_METADATA: u64 = 64 << 20;

/// What counts of metadata.yaml.
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

/// The files of a folder. Without metadata, which rosbag2 writes at the end only, all that look like parts of a bag count, with a note.
pub(crate) fn files(folder: &Path, notes: &mut Vec<String>) -> Result<Vec<PathBuf>, BagError> {
    let metadata = folder.join(METADATA);
    let files: Vec<PathBuf> = if metadata.is_file() {
        let information = information(&metadata)?;
        if information.compression_mode.eq_ignore_ascii_case("message") {
            return Err(BagError::Format {
                path: folder.into(),
                found: "its messages are compressed one by one".into(),
                hint: Some("ros2 bag convert makes a plain one of it"),
            });
        }
        information.relative_file_paths.iter().map(|file| folder.join(file)).collect()
    } else {
        let files = parts(folder).map_err(|error| BagError::File { path: folder.into(), error })?;
        if !files.is_empty() {
            notes.push(format!("{}: has no {METADATA}, all its files are read", folder.display()));
        }
        files
    };
    if files.is_empty() {
        return Err(BagError::Format { path: folder.into(), found: "holds no recording".into(), hint: None });
    }
    Ok(files)
}

/// Reads the files of a folder.
pub(super) fn read(folder: &Path, contents: &mut Contents) -> Result<(), BagError> {
    let files = files(folder, &mut contents.notes)?;
    let mut failed = Vec::new();
    for file in &files {
        if let Err(error) = read_file(file, contents) {
            failed.push(error);
        }
    }
    // One part of several may be lost.
    if failed.len() < files.len() {
        contents.notes.extend(failed.drain(..).map(|error| format!("{error}\n  the other files are read")));
    }
    match failed.len() {
        0 => Ok(()),
        _ => Err(BagError::Parts(failed)),
    }
}

fn information(path: &Path) -> Result<Information, BagError> {
    let text =
        input_file::read_text(path, LONGEST_METADATA).map_err(|error| BagError::File { path: path.into(), error })?;
    let metadata: Result<Metadata, _> = serde_saphyr::from_str(&text);
    metadata.map(|metadata| metadata.rosbag2_bagfile_information).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        BagError::Format { path: path.into(), found: format!("is no metadata of a bag: {line}"), hint: None }
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

/// What is in a file that is compressed as a whole, as a temporary one.
pub(crate) fn unpacked(path: &Path, notes: &mut Vec<String>) -> Result<NamedTempFile, BagError> {
    let failed = |error| BagError::File { path: path.into(), error };
    let mut plain = NamedTempFile::new().map_err(failed)?;
    let file = input_file::open(path).map_err(failed)?;
    let most = most_unpacked(file.metadata().map_err(failed)?.len());
    let mut decoder = zstd::Decoder::new(BufReader::new(file)).map_err(failed)?.take(most + 1);
    match io::copy(&mut decoder, plain.as_file_mut()) {
        Ok(size) if size > most => {
            let found = format!("is broken: it unpacks to more than {most} bytes");
            return Err(BagError::Format { path: path.into(), found, hint: None });
        }
        Ok(_) => {}
        Err(error) => notes.push(format!("{}: ends early: {error}", path.display())),
    }
    let mut start = Vec::new();
    input_file::open(plain.path()).and_then(|file| file.take(4).read_to_end(&mut start)).map_err(failed)?;
    if start == ZSTD {
        let found = "is compressed more than once".into();
        return Err(BagError::Format { path: path.into(), found, hint: None });
    }
    Ok(plain)
}

/// Reads a file that is compressed as a whole, by way of a temporary one.
pub(super) fn read_compressed(path: &Path, contents: &mut Contents) -> Result<(), BagError> {
    let plain = unpacked(path, &mut contents.notes)?;
    let notes = contents.notes.len();
    let shown = |text: &str| text.replace(&plain.path().display().to_string(), &path.display().to_string());
    let done = read_file(plain.path(), contents).map_err(|error| match error {
        BagError::Format { found, hint, .. } => {
            BagError::Format { path: path.into(), found: format!("uncompressed, it {found}"), hint }
        }
        other => other,
    });
    for note in &mut contents.notes[notes..] {
        *note = shown(note);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_unpacks_beyond_all_measure_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mcap.zstd");
        fs::write(&path, zstd::encode_all(io::repeat(0).take(100 << 20), 3).unwrap()).unwrap();
        let error = read_file(&path, &mut Contents::default()).unwrap_err().to_string();
        let most = most_unpacked(fs::metadata(&path).unwrap().len());
        assert!(
            most < 100 << 20
                && error.contains(&format!(": is broken: it unpacks to more than {most} bytes\n  accepted: ")),
            "{error}"
        );
    }

    #[test]
    fn pipes_are_refused_also_beside_a_database() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        crate::input_file::make_fifo(&fifo);
        let message = |path: &Path| read_file(path, &mut Contents::default()).unwrap_err().to_string();
        assert!(message(&fifo).ends_with("fifo: cannot be read: it is a FIFO\n  accepted: a regular file"));
        let database = folder.path().join("a.db3");
        fs::write(&database, [super::super::sqlite::MAGIC, &[0; 100]].concat()).unwrap();
        crate::input_file::make_fifo(&folder.path().join("a.db3-wal"));
        let told = message(&database);
        assert!(told.ends_with("a.db3-wal: cannot be read: it is a FIFO\n  accepted: a regular file"), "{told}");
    }

    #[test]
    fn each_part_that_cannot_be_read_is_said() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.mcap"), "").unwrap();
        fs::write(folder.path().join("b.db3"), "nothing").unwrap();
        let error = read(folder.path(), &mut Contents::default()).unwrap_err().to_string();
        assert!(
            error.contains("a.mcap: is empty\n  accepted: ") && error.contains("b.db3: is no recording\n"),
            "{error}"
        );
    }
}
