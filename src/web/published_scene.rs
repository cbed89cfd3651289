//! A scene as it goes to viewers: the document in the form that each takes, and the parts, files and maps that it names.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use flate2::Compression;
use flate2::write::GzEncoder;
use skidpad_view::files::Files;
use skidpad_view::messages::kind;
use skidpad_view::parts;
use skidpad_view::scene::SceneView;

/// How a viewer takes scenes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SceneForm {
    /// Everything in its place.
    #[default]
    Full,
    /// [Each text of geometry once](SceneView::shortened).
    Short,
    /// The same, and what is long [apart from it](parts::streamed).
    Streamed,
}

impl SceneForm {
    /// The form that the query of an address asks for.
    pub(super) fn of(query: Option<&str>) -> SceneForm {
        let parts = || query.unwrap_or_default().split('&');
        match () {
            () if parts().any(|part| part == "scene=streamed") => SceneForm::Streamed,
            () if parts().any(|part| part == "scene=short") => SceneForm::Short,
            () => SceneForm::Full,
        }
    }
}

/// A scene as it goes to viewers.
#[derive(Debug, Default)]
pub struct PublishedScene {
    /// The document.
    pub scene: SceneView,
    /// The files that it names.
    pub files: Files,
    /// Its maps as PNG, in order.
    pub maps: Vec<Bytes>,
    /// What viewers get, made for whoever asks for it first. None before there is a scene.
    forms: Option<Forms>,
}

/// The messages that all viewers share, and the parts of the last one.
#[derive(Debug, Default)]
struct Forms {
    full: OnceLock<Bytes>,
    short: OnceLock<Bytes>,
    streamed: OnceLock<(Bytes, BTreeMap<String, Part>)>,
}

impl Forms {
    fn streamed(&self, scene: &SceneView) -> &(Bytes, BTreeMap<String, Part>) {
        self.streamed.get_or_init(|| {
            let (document, parts) = parts::streamed(scene);
            let part = |content: Vec<u8>| Part { content: content.into(), zipped: OnceLock::new() };
            (message(&document), parts.into_iter().map(|(name, content)| (name, part(content))).collect())
        })
    }
}

impl PublishedScene {
    /// A document, the files that it names, and its maps as PNG.
    pub fn new(scene: SceneView, files: Files, maps: impl IntoIterator<Item = impl Into<Bytes>>) -> PublishedScene {
        let maps = maps.into_iter().map(Into::into).collect();
        PublishedScene { scene, files, maps, forms: Some(Forms::default()) }
    }

    /// Whether there is a scene yet.
    pub fn is_there(&self) -> bool {
        self.forms.is_some()
    }

    /// Revision of the document.
    pub fn revision(&self) -> u32 {
        self.scene.revision
    }

    /// The message to viewers who take scenes in this form: its kind and the JSON; none before there is a scene.
    pub fn message(&self, form: SceneForm) -> Option<Bytes> {
        let forms = self.forms.as_ref()?;
        Some(match form {
            SceneForm::Full => forms.full.get_or_init(|| message(&self.scene)).clone(),
            SceneForm::Short => forms.short.get_or_init(|| message(&self.scene.shortened())).clone(),
            SceneForm::Streamed => forms.streamed(&self.scene).0.clone(),
        })
    }

    /// The JSON alone; none before there is a scene.
    pub fn json(&self, form: SceneForm) -> Option<Bytes> {
        self.message(form).map(|message| message.slice(1..))
    }

    /// The part with this name of the streamed document.
    pub(super) fn part(&self, name: &str) -> Option<&Part> {
        self.forms.as_ref()?.streamed(&self.scene).1.get(name)
    }
}

fn message(scene: &SceneView) -> Bytes {
    let mut message = vec![kind::SCENE];
    // All keys are strings, so serialization cannot fail.
    let _ = serde_json::to_writer(&mut message, scene);
    message.into()
}

/// Content that never changes under its name, compressed for the first who takes that.
#[derive(Debug)]
pub(super) struct Part {
    content: Bytes,
    zipped: OnceLock<Bytes>,
}

impl Part {
    /// Its bytes as they are.
    pub(super) fn content(&self) -> Bytes {
        self.content.clone()
    }

    /// Its bytes in gzip.
    pub(super) fn zipped(&self) -> Bytes {
        self.zipped.get_or_init(|| gzip(&self.content, Compression::fast())).clone()
    }
}

/// Whether whoever sends these headers takes gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let has_it = |value: &HeaderValue| value.to_str().is_ok_and(|text| text.contains("gzip"));
    headers.get(ACCEPT_ENCODING).is_some_and(has_it)
}

/// These bytes in gzip.
pub(super) fn gzip(content: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to a buffer in memory cannot fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_chooses_the_form() {
        let cases = [
            (None, SceneForm::Full),
            (Some("token=x"), SceneForm::Full),
            (Some("scene=short"), SceneForm::Short),
            (Some("token=x&scene=streamed"), SceneForm::Streamed),
            (Some("scene=streamedx"), SceneForm::Full),
        ];
        for (query, form) in cases {
            assert_eq!(SceneForm::of(query), form, "{query:?}");
        }
    }
}
