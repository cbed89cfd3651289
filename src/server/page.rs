//! The page: the content of `web/dist` at build time, compressed once, with headers that keep it from loading foreign content.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Response, StatusCode};
use axum::response::IntoResponse;
use flate2::Compression;
use rust_embed::Embed;
use skidpad_files::assets::hex;

use super::compression::{gzip, takes_gzip};
use super::refusal::Refusal;

/// The built page; ARCHITECTURE.md explains how it is kept consistent with `web/src`.
#[derive(Embed)]
#[folder = "../../web/dist/"]
struct Dist;

/// Scripts, styles and data from this server only; pictures also from meshes, which arrive as blobs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
                      connect-src 'self' blob: data:; font-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the page, each with its compressed form once available.
pub(super) struct Page {
    assets: BTreeMap<String, Asset>,
}

struct Asset {
    content: Bytes,
    zipped: OnceLock<Bytes>,
    media_type: HeaderValue,
    tag: HeaderValue,
}

impl Page {
    /// The embedded files.
    pub(super) fn embedded() -> Page {
        let asset = |path: std::borrow::Cow<'static, str>| {
            let file = Dist::get(&path)?;
            let tag = hex(&file.metadata.sha256_hash()[..12]);
            let value = |text: &str| HeaderValue::from_str(text).ok();
            let asset = Asset {
                media_type: value(file.metadata.mimetype())?,
                tag: value(&format!("\"{tag}\""))?,
                content: match file.data {
                    std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                    std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
                },
                zipped: OnceLock::new(),
            };
            Some((path.into_owned(), asset))
        };
        Page { assets: Dist::iter().filter_map(asset).collect() }
    }

    /// Compresses everything, so that no request has to wait for it.
    pub(super) fn compress(&self) {
        for asset in self.assets.values() {
            asset.zipped.get_or_init(|| gzip(&asset.content, Compression::best()));
        }
    }

    /// The file at this path below the page's address; an empty path is the page itself.
    pub(super) fn respond(&self, path: &str, request_headers: &HeaderMap) -> Response<Body> {
        let name = if path.is_empty() { "index.html" } else { path };
        let Some(asset) = self.assets.get(name) else {
            return Refusal::not_found(format!("/{path}: there is nothing here\n  accepted: /, /api/…"))
                .into_response();
        };
        let mut headers = HeaderMap::new();
        headers.insert(ETAG, asset.tag.clone());
        // Names of assets change with their content; that of the page stays.
        let is_hashed = name.starts_with("assets/");
        let cache = if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if request_headers.get(IF_NONE_MATCH) == Some(&asset.tag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.insert(CONTENT_TYPE, asset.media_type.clone());
        let body = match asset.zipped.get().filter(|_| takes_gzip(request_headers)) {
            Some(zipped) => {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                zipped.clone()
            }
            None => asset.content.clone(),
        };
        (headers, body).into_response()
    }
}

/// Adds the headers of every response: browsers load no foreign content, do not guess types, and do not frame the page.
pub(super) fn protect(headers: &mut HeaderMap) {
    let security_headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in security_headers {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
