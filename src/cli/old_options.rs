//! Options that have got clearer names. The old names stay, with a warning.

use std::ffi::OsString;

use skidpad_files::diagnostic::Diagnostic;

/// Command, old name and new name of each.
const RENAMED: [(&str, &str, &str); 3] = [
    ("analyze", "--band", "--settled-below"),
    ("analyze", "--line", "--racing-line"),
    ("export", "--longest", "--list-limit"),
];

/// The words of a command line with new names in the place of old ones, and a warning of each option that was replaced. The first word is
/// the name of the program.
pub(super) fn replace(words: Vec<OsString>) -> (Vec<OsString>, Vec<Diagnostic>) {
    let Some(command) = words.iter().skip(1).find_map(|word| word.to_str().filter(|word| !word.starts_with('-')))
    else {
        return (words, Vec::new());
    };
    let renamed: Vec<_> = RENAMED.into_iter().filter(|(known, ..)| *known == command).collect();
    if renamed.is_empty() {
        return (words, Vec::new());
    }
    let mut warnings = Vec::new();
    let end_of_options = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let new_words = words.into_iter().enumerate().map(|(index, word)| {
        let (name, value) = match word.to_str().filter(|_| index < end_of_options) {
            Some(text) => text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value))),
            None => return word,
        };
        let Some((_, old, new)) = renamed.iter().find(|(_, old, _)| *old == name) else { return word };
        warnings.push(Diagnostic::new(format!("option {old}"), "this is the old name").hint(format!("write {new}")));
        value.map_or_else(|| (*new).to_owned(), |value| format!("{new}={value}")).into()
    });
    (new_words.collect(), warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(line: &str) -> (String, Vec<String>) {
        let (words, warnings) = replace(line.split(' ').map(OsString::from).collect());
        let words: Vec<String> = words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), warnings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn old_names_become_new_ones_with_a_warning() {
        let (line, warnings) = replaced("skidpad -q analyze a.mcap --band 0.1 --line=l.csv");
        assert_eq!(line, "skidpad -q analyze a.mcap --settled-below 0.1 --racing-line=l.csv");
        let expected = [
            "option --band: this is the old name\n  hint: write --settled-below",
            "option --line: this is the old name\n  hint: write --racing-line",
        ];
        assert_eq!(warnings, expected);
    }

    #[test]
    fn names_of_other_commands_values_and_files_stay() {
        for line in ["skidpad run w --line", "skidpad analyze -- --band", "skidpad export a --topic longest", "skidpad"]
        {
            assert_eq!(replaced(line), (line.to_owned(), Vec::new()));
        }
    }
}
