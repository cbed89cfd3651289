//! Pictures of recordings as files.

use std::fs;
use std::path::Path;

use image::DynamicImage;
use skidpad_files::file_error::FileError;
use skidpad_ros_data::message::{Image, cdr};

use super::{DatasetError, WriteMessage};
use crate::snapshot::picture;

/// How pictures are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PictureKind {
    /// In colour.
    Color,
    /// In shades of grey.
    Grey,
    /// 16 bits, this many units a metre; 0: no return, or too far.
    Depth(f64),
}

/// Writes the pictures of a topic as PNG.
pub(super) fn write_pictures(topic: &str, kind: PictureKind) -> WriteMessage {
    let topic = topic.to_owned();
    Box::new(move |data, path| write(&topic, kind, data, path))
}

fn write(topic: &str, kind: PictureKind, data: &[u8], path: &Path) -> Result<(), DatasetError> {
    let problem = |problem: String| DatasetError::Message { topic: topic.to_owned(), problem };
    let message: Image = cdr::read(data).map_err(|error| problem(error.to_string()))?;
    let decoded = match kind {
        PictureKind::Depth(units) => picture::depth(&message, units),
        PictureKind::Color | PictureKind::Grey => picture::decode(&message),
    };
    let decoded =
        decoded.ok_or_else(|| problem(format!("pictures encoded as {} cannot be written", message.encoding)))?;
    let shown = match kind {
        PictureKind::Grey => DynamicImage::ImageLuma8(decoded.to_luma8()),
        PictureKind::Color | PictureKind::Depth(_) => decoded,
    };
    let bytes = picture::encode(&shown).map_err(|error| problem(error.to_string()))?;
    Ok(fs::write(path, bytes).map_err(|error| FileError::write(path, error))?)
}
