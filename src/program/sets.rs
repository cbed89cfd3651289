//! Parameter sets: the vehicle classes in the files of `worlds/vehicles/`, whose names some commands accept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::input_file;

/// Longest such file [bytes].
pub const MAX_BYTES: u64 = 16 << 20;

/// A vehicle class that a file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSet {
    /// Name of the class.
    pub name: String,
    /// Its help: the first sentence of the comment before it.
    pub help: String,
    /// The file.
    pub file: PathBuf,
}

/// Extension of such files.
pub const ENDING: &str = ".vehicle.xml";

/// The classes of all files in `vehicles/` of these folders, by name; of two with the same name the first wins.
pub fn parameter_sets(folders: &[PathBuf]) -> Vec<ParameterSet> {
    let mut sets: Vec<ParameterSet> = Vec::new();
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder.join("vehicles")) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.to_string_lossy().ends_with(ENDING) {
                sets.extend(classes_of(&path));
            }
        }
    }
    // A stable sort, so that the first folder wins.
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    sets.dedup_by(|later, earlier| later.name == earlier.name);
    sets
}

/// The classes that a file defines; none if it cannot be read, which is reported when it is loaded.
pub fn classes_of(file: &Path) -> Vec<ParameterSet> {
    let Ok(text) = input_file::read_text(file, MAX_BYTES) else { return Vec::new() };
    classes(&text).map(|(name, help)| ParameterSet { name, help, file: file.to_path_buf() }).collect()
}

/// Name and help of each class in a text.
fn classes(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    const TAG: &str = "<vehicle:class";
    text.match_indices(TAG).filter_map(|(start, _)| {
        let tag = text[start + TAG.len()..].split('>').next()?;
        let name = tag.split("name=\"").nth(1)?.split('"').next()?;
        let comment = text[..start].trim_end().strip_suffix("-->").and_then(|before| before.rsplit("<!--").next());
        Some((name.to_string(), first_sentence(comment.unwrap_or_default())))
    })
}

/// The first sentence of a comment, on one line, without its full stop and without "(class name)".
pub(crate) fn first_sentence(comment: &str) -> String {
    let words = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = words.split_once(". ").map_or(words.as_str(), |(first, _)| first).trim_end_matches('.');
    let mut text = sentence.to_string();
    if let Some(start) = text.find(" (class ")
        && let Some(length) = text[start..].find(')')
    {
        text.replace_range(start..=start + length, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_with_the_first_sentence_before_them() {
        let text = "<!-- A small car (class a) with\n two seats. It is red.\n -->\n<vehicle:class name=\"a\">\n</vehicle:class>
            <vehicle:class name=\"b\"/>";
        let actual: Vec<_> = classes(text).collect();
        assert_eq!(
            actual,
            [("a".to_string(), "A small car with two seats".to_string()), ("b".to_string(), String::new())]
        );
    }

    #[test]
    fn every_vehicle_file_of_the_project_has_classes_with_help() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
        let sets = parameter_sets(&[folder]);
        assert!(sets.len() >= 6, "{}", sets.len());
        for set in sets {
            assert!(set.help.len() > 10 && set.help.len() < 130, "{}: \"{}\"", set.name, set.help);
        }
    }
}
