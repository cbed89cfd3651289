//! What a sensor sees at one instant, as a file: its messages, written as a picture or as points.

mod capture;
pub(crate) mod picture;
mod points;

use std::io;
use std::path::{Path, PathBuf};

use skidpad_files::output_file;
use skidpad_ros_data::message::{CdrError, Image, Message as _, PointCloud2, cdr};

pub use self::capture::{Captured, capture};

/// Format of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture.
    Png,
    /// Points, binary; `.ply` of meshlab, CloudCompare and Open3D.
    Ply,
    /// Points, binary; `.pcd` of the Point Cloud Library.
    Pcd,
}

/// All formats by extension.
pub const FORMATS: &[(&str, Format)] = &[("png", Format::Png), ("ply", Format::Ply), ("pcd", Format::Pcd)];

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The file's name has no known extension.
    #[error("{}: unknown ending\n  accepted: .png, .ply, .pcd", .0.display())]
    Ending(PathBuf),
    /// The sensor publishes nothing that fits into such a file.
    #[error("the sensor has no {what} for {}\n  it publishes: {published}", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
        /// What the file would contain.
        what: &'static str,
        /// Types of the messages of the sensor.
        published: String,
    },
    /// A picture of an encoding that PNG cannot hold.
    #[error("pictures encoded as {0} cannot be written\n  accepted: rgb8, bgr8, mono8, 16UC1, 32FC1")]
    Encoding(String),
    /// The picture cannot be compressed.
    #[error("{}: {error}", path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// Why.
        error: image::ImageError,
    },
    /// The message cannot be read.
    #[error(transparent)]
    Message(#[from] CdrError),
    /// The file cannot be written.
    #[error("{}: cannot be written: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

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
    let (kind, what) = match format {
        Format::Png => (Image::TYPE, "picture"),
        Format::Ply | Format::Pcd => (PointCloud2::TYPE, "points"),
    };
    let wanted = |message: &&Captured| message.kind == kind && message.topic.ends_with(topic);
    let Some(message) = messages.iter().find(wanted) else {
        let published: Vec<String> =
            messages.iter().map(|message| format!("{} ({})", message.topic, message.kind)).collect();
        return Err(SnapshotError::Nothing { path: path.to_path_buf(), what, published: published.join(", ") });
    };
    let bytes = match format {
        Format::Png => picture::png(&cdr::read(&message.bytes)?, path)?,
        Format::Ply => points::ply(&cdr::read(&message.bytes)?),
        Format::Pcd => points::pcd(&cdr::read(&message.bytes)?),
    };
    output_file::write(path, bytes).map_err(|error| SnapshotError::File { path: path.to_path_buf(), error })?;
    Ok(&message.topic)
}
