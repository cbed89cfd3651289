//! A scene as it goes to viewers: the document in the form that each takes, and the parts, files and maps that it names.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use flate2::Compression;
use skidpad_view::files::Files;
use skidpad_view::messages::kind;
use skidpad_view::parts;
use skidpad_view::scene::SceneView;
use tokio::task::spawn_blocking;

use super::compression::gzip;

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

/// Parts by their names.
type Parts = BTreeMap<String, Arc<Part>>;

/// The messages that all viewers share, and the parts of the last one.
#[derive(Debug, Default)]
struct Forms {
    full: OnceLock<Bytes>,
    short: OnceLock<Bytes>,
    streamed: OnceLock<Bytes>,
    /// Those of the streamed message, made with it.
    parts: Arc<OnceLock<Parts>>,
    /// Those of the scene before: viewers may still ask for what it names, and what both name is there once.
    parts_before: Arc<OnceLock<Parts>>,
}

impl Forms {
    /// Where the message in this form is once it has been made.
    fn slot(&self, form: SceneForm) -> &OnceLock<Bytes> {
        match form {
            SceneForm::Full => &self.full,
            SceneForm::Short => &self.short,
            SceneForm::Streamed => &self.streamed,
        }
    }

    fn streamed(&self, scene: &SceneView) -> Bytes {
        let (document, parts) = parts::streamed(scene);
        let before = self.parts_before.get();
        let part = |(name, content): (String, Vec<u8>)| {
            let known = before.and_then(|before| before.get(&name)).cloned();
            let new = || Arc::new(Part { content: content.into(), zipped: OnceLock::new() });
            (name, known.unwrap_or_else(new))
        };
        self.parts.get_or_init(|| parts.into_iter().map(part).collect());
        message(&document)
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

    /// The same scene after this one, whose parts are there for viewers who have yet to learn of the new one.
    pub(super) fn after(self, before: &PublishedScene) -> PublishedScene {
        let parts_before = before.forms.as_ref().map(|before| Arc::clone(&before.parts)).unwrap_or_default();
        PublishedScene { forms: self.forms.map(|forms| Forms { parts_before, ..forms }), ..self }
    }

    /// The message to viewers who take scenes in this form: its kind and the JSON; none before there is a scene. To make a large one takes a
    /// while, `made` does so beside others.
    pub fn message(&self, form: SceneForm) -> Option<Bytes> {
        let forms = self.forms.as_ref()?;
        let make = || match form {
            SceneForm::Full => message(&self.scene),
            SceneForm::Short => message(&self.scene.shortened()),
            SceneForm::Streamed => forms.streamed(&self.scene),
        };
        Some(forms.slot(form).get_or_init(make).clone())
    }

    /// The same message, for the thread of the server, which does not wait meanwhile.
    pub(super) async fn made(self: Arc<PublishedScene>, form: SceneForm) -> Option<Bytes> {
        if let Some(made) = self.forms.as_ref()?.slot(form).get() {
            return Some(made.clone());
        }
        spawn_blocking(move || self.message(form)).await.ok().flatten()
    }

    /// The part with this name of the streamed document, or of the one of the scene before. To be called where it is no matter to wait.
    pub(super) fn part(&self, name: &str) -> Option<Arc<Part>> {
        let forms = self.forms.as_ref()?;
        // Whoever knows a name of this scene has got its message; after a restart of the program it is made for them.
        self.message(SceneForm::Streamed)?;
        let of = |parts: &OnceLock<Parts>| parts.get()?.get(name).cloned();
        of(&forms.parts).or_else(|| of(&forms.parts_before))
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

#[cfg(test)]
mod tests {
    use skidpad_view::scene::CloudView;

    use super::*;

    /// A scene with one cloud, long enough to be a part: these four characters of base64 again and again.
    fn scene(text: &str) -> PublishedScene {
        let points = text.repeat(600);
        let clouds = vec![CloudView { points, ..CloudView::default() }];
        PublishedScene::new(SceneView { clouds, ..SceneView::default() }, Files::default(), Vec::<Vec<u8>>::new())
    }

    /// The name of the part of such a scene.
    fn name(scene: &PublishedScene) -> String {
        let json: serde_json::Value =
            serde_json::from_slice(&scene.message(SceneForm::Streamed).unwrap()[1..]).unwrap();
        json["clouds"][0]["points"].as_str().unwrap()[1..].to_owned()
    }

    #[test]
    fn parts_are_there_for_one_more_scene_and_those_of_both_are_one() {
        let first = scene("AAAA");
        let (gone, unknown) = (name(&first), "0".repeat(32));
        assert!(first.part(&gone).is_some() && first.part(&unknown).is_none());
        let second = scene("BBBB").after(&first);
        let kept = name(&second);
        assert!(second.part(&kept).is_some() && second.part(&gone).is_some() && second.part(&unknown).is_none());
        let third = scene("BBBB").after(&second);
        assert_eq!(name(&third), kept);
        assert!(Arc::ptr_eq(&third.part(&kept).unwrap(), &second.part(&kept).unwrap()));
        assert!(third.part(&gone).is_none());
        // A scene that viewers are just getting when the next one comes.
        let fourth = scene("CCCC").after(&third);
        let fifth = scene("DDDD").after(&fourth);
        assert!(fifth.part(&name(&fourth)).is_some());
    }

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
