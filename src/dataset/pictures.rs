//! Pictures of recordings as files.

use std::fs;
use std::path::Path;

use image::DynamicImage;
use skidpad_files::file_error::FileError;
use skidpad_ros_data::message::compressed::decompressed;
use skidpad_ros_data::message::{CompressedImage, Image, Message, cdr};

use super::survey::Survey;
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

/// Writes the pictures of a topic, compressed ones too, as PNG.
pub(super) fn write_pictures(survey: &Survey, topic: &str, kind: PictureKind) -> WriteMessage {
    let is_compressed = survey.topic(topic).is_some_and(|topic| topic.kind == CompressedImage::TYPE);
    let topic = topic.to_owned();
    Box::new(move |data, path| {
        let problem = |problem: String| DatasetError::Message { topic: topic.clone(), problem };
        let message = if is_compressed {
            let message: CompressedImage = cdr::read(data).map_err(|error| problem(error.to_string()))?;
            let damaged = || problem(format!("a picture of the format \"{}\" cannot be read", message.format));
            decompressed(&message).ok_or_else(damaged)?
        } else {
            cdr::read(data).map_err(|error| problem(error.to_string()))?
        };
        write(&topic, kind, &message, path)
    })
}

fn write(topic: &str, kind: PictureKind, message: &Image, path: &Path) -> Result<(), DatasetError> {
    let problem = |problem: String| DatasetError::Message { topic: topic.to_owned(), problem };
    let decoded = match kind {
        PictureKind::Depth(units) => picture::depth(message, units),
        PictureKind::Color | PictureKind::Grey => picture::decode(message),
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
