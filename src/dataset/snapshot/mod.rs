//! What a sensor sees at one instant, as a file: its messages, written as a picture or as points.

mod capture;
pub(crate) mod picture;
mod points;

use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::output_file;
use skidpad_ros_data::message::{CdrError, Image, Message as _, PointCloud2, Text, cdr};

pub use self::capture::{Captured, capture, capture_labels};

/// Format of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture.
    Png,
    /// The numbers of a picture as they are, an array of NumPy.
    Npy,
    /// What the numbers of labels mean.
    Json,
    /// Points, binary; `.ply` of meshlab, CloudCompare and Open3D.
    Ply,
    /// Points, binary; `.pcd` of the Point Cloud Library.
    Pcd,
}

/// All formats by extension.
pub const FORMATS: &[(&str, Format)] =
    &[("png", Format::Png), ("npy", Format::Npy), ("ply", Format::Ply), ("pcd", Format::Pcd), ("json", Format::Json)];

/// Why there is no file.
#[derive(Debug)]
pub enum SnapshotError {
    /// The file's name has no known extension.
    Ending(PathBuf),
    /// The sensor publishes nothing that fits into such a file.
    Nothing {
        /// The file.
        path: PathBuf,
        /// What the file would contain.
        content: &'static str,
        /// Types of the messages of the sensor.
        published: String,
    },
    /// A picture of an unknown encoding.
    Encoding(String),
    /// The picture cannot be compressed.
    Picture {
        /// The file.
        path: PathBuf,
        /// Why.
        error: image::ImageError,
    },
    /// The message cannot be read.
    Message(CdrError),
    /// The file cannot be written.
    File(FileError),
}

impl From<&SnapshotError> for Diagnostic {
    fn from(error: &SnapshotError) -> Diagnostic {
        match error {
            SnapshotError::Ending(path) => {
                let endings = FORMATS.iter().map(|(ending, _)| format!(".{ending}"));
                Diagnostic::new(path.display(), "unknown ending").accepted_all(endings)
            }
            SnapshotError::Nothing { path, content, published } => {
                Diagnostic::of(format!("the sensor has no {content} for {}", path.display()))
                    .note(format!("it publishes: {published}"))
            }
            SnapshotError::Encoding(encoding) => {
                Diagnostic::of(format!("pictures encoded as {encoding} cannot be written"))
                    .accepted_all(picture::ENCODINGS)
            }
            SnapshotError::Picture { path, error } => Diagnostic::new(path.display(), error.to_string()),
            SnapshotError::Message(error) => Diagnostic::of(error.to_string()),
            SnapshotError::File(error) => error.into(),
        }
    }
}

error_by_parts!(SnapshotError { Message(CdrError) });

impl Format {
    /// The format of the file's extension.
    ///
    /// # Errors
    /// The extension is missing or unknown.
    pub fn of(path: &Path) -> Result<Format, SnapshotError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let known = FORMATS.iter().find(|(name, _)| ending.as_deref() == Some(*name));
        known.map(|(_, format)| *format).ok_or_else(|| SnapshotError::Ending(path.to_path_buf()))
    }
}

/// Writes one of the messages of a sensor to `path`, in the format of its extension: the first one that fits, or of those whose topic ends
/// with `topic`. Returns the topic.
///
/// # Errors
/// As [`SnapshotError`].
pub fn write<'a>(messages: &'a [Captured], topic: &str, path: &Path) -> Result<&'a str, SnapshotError> {
    let format = Format::of(path)?;
    let (kind, content) = match format {
        Format::Png | Format::Npy => (Image::TYPE, "picture"),
        Format::Json => (Text::TYPE, "table of labels"),
        Format::Ply | Format::Pcd => (PointCloud2::TYPE, "points"),
    };
    let is_table = format == Format::Json;
    let wanted = |message: &&Captured| message.kind == kind && (is_table || message.topic.ends_with(topic));
    let Some(message) = messages.iter().find(wanted) else {
        let published: Vec<String> =
            messages.iter().map(|message| format!("{} ({})", message.topic, message.kind)).collect();
        return Err(SnapshotError::Nothing { path: path.to_path_buf(), content, published: published.join(", ") });
    };
    let bytes = match format {
        Format::Png => picture::png(&cdr::read(&message.bytes)?, path)?,
        Format::Npy => picture::npy(&cdr::read(&message.bytes)?)?,
        Format::Json => cdr::read::<Text>(&message.bytes)?.data.into_bytes(),
        Format::Ply => points::ply(&cdr::read(&message.bytes)?),
        Format::Pcd => points::pcd(&cdr::read(&message.bytes)?),
    };
    output_file::write(path, bytes).map_err(|error| SnapshotError::File(FileError::write(path, error)))?;
    Ok(&message.topic)
}
