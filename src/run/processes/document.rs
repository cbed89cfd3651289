//! The document that `skidpad … --json` answers with, as far as whoever has started it needs that: `docs/json.md` describes it.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;

/// Longest document [bytes].
const MAX_BYTES: u64 = 64 << 20;

/// A document whose result is an `R`.
#[derive(Clone, Debug, Deserialize)]
#[serde(bound = "R: DeserializeOwned")]
pub struct Document<R> {
    /// What came of it; none: it has failed before.
    #[serde(default)]
    pub result: Option<R>,
    messages: Vec<Message>,
}

#[derive(Clone, Debug, Deserialize)]
struct Message {
    level: String,
    place: Option<String>,
    found: String,
    accepted: Vec<String>,
    hint: Option<String>,
    notes: Vec<String>,
}

impl<R> Default for Document<R> {
    fn default() -> Document<R> {
        Document { result: None, messages: Vec::new() }
    }
}

impl<R: DeserializeOwned> Document<R> {
    /// That in the file at `path`; one without a result and messages if the program did not come to it.
    pub fn read(path: &Path) -> Document<R> {
        input_file::read(path, MAX_BYTES).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}

impl<R> Document<R> {
    /// The messages of a level, `error` or `warning`.
    pub fn messages(&self, level: &str) -> impl Iterator<Item = Diagnostic> {
        let of_level = self.messages.iter().filter(move |message| message.level == level).cloned();
        of_level.map(|Message { place, found, accepted, hint, notes, .. }| Diagnostic {
            place,
            found,
            notes,
            accepted,
            hint,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_answers_is_told_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answer.json");
        let text = r#"{"schema": 1, "command": "run", "status": 1, "result": null, "messages": [
            {"level": "warning", "place": "a", "found": "b", "accepted": ["c", "d"], "hint": "e", "notes": ["f"]},
            {"level": "error", "place": null, "found": "g", "accepted": [], "hint": null, "notes": []}]}"#;
        std::fs::write(&path, text).unwrap();
        let document = Document::<u32>::read(&path);
        let reported = |level| document.messages(level).map(|message| message.to_string()).collect::<Vec<_>>();
        assert_eq!(reported("warning"), ["a: b\n  f\n  accepted: c, d\n  hint: e"]);
        assert_eq!(reported("error"), ["g"]);
        assert_eq!(Document::<u32>::read(Path::new("/none")).messages("error").count(), 0);
    }
}
