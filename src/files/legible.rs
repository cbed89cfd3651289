//! Texts of others, such as processes, peers and files, as readers may see them: without what controls a terminal, and of bounded length.
//!
//! Logs, reports and pages take such texts through here. A text that stands within a message goes through [`name`] or [`phrase`], so that it
//! cannot look like a line of its own; a whole message goes through [`plain`] and [`bounded`].

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// Longest name of somebody else in a message, in characters.
pub const MAX_NAME_LENGTH: usize = 80;
/// Longest sentence of somebody else in a message, in characters.
pub(crate) const MAX_PHRASE_LENGTH: usize = 500;

/// The text without escape sequences of terminals (ECMA-48, sections 5.3 to 5.6). Line feeds and tabs stay. Other control characters, and those
/// that change the direction or the line of a text, are shown as escapes, such as `\u{0}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\u{1b}' => skip_sequence(&mut characters),
            '\u{9b}' => skip_parameters(&mut characters),
            c if is_hidden(c) => plain.extend(c.escape_default()),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Whether a character is not shown as it is.
fn is_hidden(c: char) -> bool {
    // Line and paragraph separators, and the controls of bidirectional texts (Unicode 16, section 23.2 and 23.3).
    let directs = matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    directs || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Skips what follows the character ESC and belongs to it, never more than the line.
fn skip_sequence(characters: &mut Peekable<Chars<'_>>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_parameters(characters);
        }
        // A string, which ends with BEL or ESC \.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(c) = characters.next_if(|c| *c != '\n') {
                if c == '\u{7}' || (c == '\u{1b}' && characters.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        _ => {
            while characters.next_if(|c| (' '..='/').contains(c)).is_some() {}
            characters.next_if(|c| ('0'..='~').contains(c));
        }
    }
}

/// Skips the parameters of a control sequence and its last byte.
fn skip_parameters(characters: &mut Peekable<Chars<'_>>) {
    while characters.next_if(|c| (' '..='?').contains(c)).is_some() {}
    characters.next_if(|c| ('@'..='~').contains(c));
}

/// The text with its first and its last part, if it is longer than `most` characters; between them stands how many are left out.
pub fn bounded(text: &str, most: usize) -> Cow<'_, str> {
    // A character has at most four bytes, so most texts need no count.
    let length = if text.len() <= most { 0 } else { text.chars().count() };
    if length <= most {
        return Cow::Borrowed(text);
    }
    let (first, last) = (most - most / 4, most / 4);
    let at = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
    let (begin, end) = (&text[..at(first)], &text[at(length - last)..]);
    Cow::Owned(format!("{begin} … {} characters are left out … {end}", length - first - last))
}

/// A name that somebody else has given, in one line of at most [`MAX_NAME_LENGTH`] characters, for quotes.
pub fn name(text: &str) -> String {
    one_line(text, MAX_NAME_LENGTH)
}

/// A sentence that somebody else has said, in one line of at most `MAX_PHRASE_LENGTH` characters.
pub fn phrase(text: &str) -> String {
    one_line(text.trim(), MAX_PHRASE_LENGTH)
}

fn one_line(text: &str, most: usize) -> String {
    bounded(&plain(text), most).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_of_terminals_are_left_out_and_what_is_hidden_is_shown() {
        for (text, expected) in [
            ("plain ü text\n\tindented", "plain ü text\n\tindented"),
            ("a\u{1b}[1;31mb\u{1b}[0mc", "abc"),
            ("a\u{9b}31mb", "ab"),
            ("a\u{1b}]0;title\u{7}b\u{1b}]8;;http://x\u{1b}\\c", "abc"),
            ("x\u{1b}(By\u{1b}cz\u{1b}", "xyz"),
            ("a\u{1b}]never ended\nb", "a\nb"),
            ("a\u{1b}[12\nb", "a\nb"),
            ("a\0b\rc\u{7f}\u{85}", "a\\u{0}b\\rc\\u{7f}\\u{85}"),
            ("x\u{202e}y\u{2028}z", "x\\u{202e}y\\u{2028}z"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        assert!(!plain(&all).chars().any(is_hidden));
    }

    #[test]
    fn long_texts_keep_their_first_and_last_part() {
        assert_eq!((bounded("äöü", 3).as_ref(), bounded("", 0).as_ref()), ("äöü", ""));
        let long = format!("begin{}end", "ä".repeat(100_000));
        let short = bounded(&long, 40);
        assert!(short.starts_with("beginä") && short.ends_with("äend"), "{short}");
        assert!(short.contains(" … 99968 characters are left out … ") && short.chars().count() < 80, "{short}");
        assert_eq!(name("a\nwarning: b"), "a\\nwarning: b");
        assert!(name(&long).len() < 300 && phrase(&format!(" {long}\n")).chars().count() < MAX_PHRASE_LENGTH + 50);
    }
}
