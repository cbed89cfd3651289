//! Names of elements and attributes, as XML has them: productions [4], [4a] and [5] of XML 1.0, fifth edition.

use skidpad_files::legible;

use super::{Context, Place};

/// What a name consists of, as messages say it.
const ACCEPTED: &str = "letters, digits, \"_\", \":\", \"-\" and \".\", the first one a letter, \"_\" or \":\"";

/// Whether a name can begin with this character: production [4].
fn begins(c: char) -> bool {
    matches!(c, ':' | 'A'..='Z' | '_' | 'a'..='z')
        || matches!(c, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}')
        || matches!(c, '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}')
        || matches!(c, '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}')
        || matches!(c, '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Whether a name can have this character behind its first: production [4a].
fn continues(c: char) -> bool {
    begins(c) || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// The first character that a name cannot have where it stands, and its byte. None for a name, and for an empty text.
fn stray(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|&(at, c)| !(begins(c) || at > 0 && continues(c)))
}

/// Whether a text is a name once each `${…}` in it has given way to letters: names of a file before its substitution.
pub(super) fn can_become_name(text: &str) -> bool {
    let mut letters = String::new();
    let mut remaining_text = text;
    while let Some((before, (_, after))) = remaining_text
        .split_once("${")
        .and_then(|(before, remaining_text)| Some((before, remaining_text.split_once('}')?)))
    {
        letters.push_str(before);
        letters.push('x');
        remaining_text = after;
    }
    letters.push_str(remaining_text);
    !letters.is_empty() && stray(&letters).is_none()
}

/// Records an error if a text is not a name; `subject` says of what, `place` gives the place of a byte of the text.
pub(super) fn check_name(context: &Context, subject: &str, text: &str, place: impl Fn(usize) -> Place) -> Option<()> {
    if text.is_empty() {
        context.error(&place(0), format!("{subject} is empty"));
        return None;
    }
    let Some((at, c)) = stray(text) else { return Some(()) };
    let (name, c) = (legible::name(text), legible::name(c.encode_utf8(&mut [0; 4])));
    let found = match at {
        0 => format!("{subject} \"{name}\" begins with \"{c}\""),
        _ => format!("{subject} \"{name}\" has \"{c}\" in it"),
    };
    let report = context.error(&place(at), found).accepted([ACCEPTED]);
    if let Some(tag) = text.strip_suffix('/')
        && stray(tag).is_none()
    {
        report.hint(format!("one / ends the tag: <{}/>", legible::name(tag)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_standard() {
        for name in ["a", "_", ":", "vehicle:class", "x1-.·", "é", "ab\u{300}", "名", "\u{10000}", "\u{effff}\u{203f}"]
        {
            assert_eq!(stray(name), None, "{name}");
        }
        for (text, at) in [
            ("x/", 1),
            ("1", 0),
            ("-a", 0),
            (".a", 0),
            ("·a", 0),
            ("\u{300}a", 0),
            ("a×b", 1),
            ("÷", 0),
            ("a\u{37e}", 1),
            ("é'", 2),
            ("a\u{0}", 1),
            ("\u{2000}", 0),
            ("\u{fffe}", 0),
            ("\u{f0000}", 0),
        ] {
            assert_eq!(stray(text).map(|(at, _)| at), Some(at), "{text:?}");
        }
    }

    #[test]
    fn before_a_substitution_names_may_have_variables() {
        for text in ["a", "${kind}", "${kind|a b}_wheel", "x${i}.${j}"] {
            assert!(can_become_name(text), "{text}");
        }
        for text in ["", "${kind}/", "1${kind}", "${kind", "$kind", "a}"] {
            assert!(!can_become_name(text), "{text}");
        }
    }
}
