//! Meshes and pictures, streamed in pieces: a request holds one piece in memory, however large the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{self, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use skidpad_files::input_file;
use tokio::task::spawn_blocking;

use super::Shared;
use super::refusal::Refusal;

/// Length of a piece [bytes].
const PIECE: usize = 128 << 10;

/// Media types by extension.
const TYPES: [(&str, &str); 14] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("bmp", "image/bmp"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("dae", "model/vnd.collada+xml"),
    ("stl", "model/stl"),
    ("obj", "model/obj"),
    ("mtl", "model/mtl"),
    ("gltf", "model/gltf+json"),
    ("glb", "model/gltf-binary"),
];

/// File `number` of the scene, or a file beside it.
pub(super) async fn get(
    State(shared): State<Arc<Shared>>,
    path: Result<extract::Path<(usize, String)>, PathRejection>,
) -> Result<Response, Refusal> {
    let extract::Path((number, relative)) = path?;
    let shown = shared.hub.shown().borrow().clone();
    let missing = move |relative: &str| {
        let reason = format!(
            "file {number}/{relative}: not found\n  accepted: paths that the scene names, and pictures beside those"
        );
        Refusal::not_found(reason)
    };
    let open = move || -> Result<_, Refusal> {
        let path = shown.files.resolve(number, &relative).ok_or_else(|| missing(&relative))?;
        let file = input_file::open(&path).map_err(|_| missing(&relative))?;
        let length = file.metadata().map_err(|_| missing(&relative))?.len();
        Ok((file, length, media_type(&path)))
    };
    let (file, length, media_type) =
        spawn_blocking(open).await.map_err(|_| Refusal::not_found("file: cannot be read"))??;
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CONTENT_LENGTH, length.into());
    // The number is valid for this scene only.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok((headers, Body::from_stream(pieces(file))).into_response())
}

fn media_type(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    TYPES.iter().find(|(known, _)| *known == ending).map_or("application/octet-stream", |(_, media_type)| media_type)
}

fn pieces(file: File) -> impl futures::Stream<Item = io::Result<Bytes>> + Send {
    futures::stream::try_unfold(file, |mut file| async {
        let read = move || {
            let mut piece = Vec::with_capacity(PIECE);
            let count = Read::by_ref(&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
            Ok((count > 0).then(|| (Bytes::from(piece), file)))
        };
        spawn_blocking(read).await.map_err(io::Error::other)?
    })
}
