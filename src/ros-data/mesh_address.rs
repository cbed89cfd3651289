//! Addresses of mesh files in messages and descriptions.

use std::path::{Path, absolute};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that stand for something else in URIs and in XML.
const KEPT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// A file as a URI, `file:///…`, percent-encoded; a relative path starts in the working folder.
pub(crate) fn mesh_address(file: &Path) -> String {
    let whole = absolute(file).unwrap_or_else(|_| file.to_path_buf());
    format!("file://{}", utf8_percent_encode(&whole.to_string_lossy(), KEPT))
}
