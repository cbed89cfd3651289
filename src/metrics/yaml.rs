//! Reads YAML into a config, with errors in the form of all messages: `file:line:column: found`, accepted, hint.

mod flow;
mod wording;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_saphyr::{Error, Spanned};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};

/// Number of mistakes reported: each costs another reading of the text.
const MAX_MISTAKES: usize = 20;

/// Why a config is refused after it has been read.
pub enum Refused {
    /// A value that is not accepted.
    Value {
        /// The section that its key is in; empty: none.
        section: &'static str,
        /// What was found, at the key.
        problem: Diagnostic,
    },
    /// An item of a list.
    Item {
        /// The section that is the list, or holds it.
        section: &'static str,
        /// A text of the item by which it is found.
        item: String,
        /// What was found.
        problem: Diagnostic,
    },
    /// At a place of the text.
    At {
        /// Line and column, counted from 1.
        place: (usize, usize),
        /// What was found.
        problem: Diagnostic,
    },
    /// At a place of the text, because of something elsewhere in it, such as a name that nothing has: where anything else is wrong, that may be the cause,
    /// and this is not told.
    Consequence {
        /// Line and column, counted from 1.
        place: (usize, usize),
        /// What was found.
        problem: Diagnostic,
    },
    /// Something outside the text; the messages have their places.
    Elsewhere(Diagnostics),
}

/// A mistake in a text.
struct Mistake {
    /// Line and column, counted from 1, where they are known.
    place: Option<(usize, usize)>,
    message: Diagnostic,
}

/// Reads `text` and lets `check` list what it refuses; `name` is the file name in messages. After a mistake the key's
/// default takes the place of what is written, so that the rest is read too.
///
/// # Errors
/// All mistakes, in the order of their lines.
pub fn read_all<T: DeserializeOwned>(
    name: &str,
    text: &str,
    check: impl Fn(&mut T) -> Vec<Refused>,
) -> Result<T, Diagnostics> {
    read_by(serde_saphyr::Options::default(), name, text, check)
}

/// As [`read_all`], where names such as `y` are not booleans: only `true` and `false` are.
///
/// # Errors
/// As [`read_all`].
pub fn read_all_with_names<T: DeserializeOwned>(
    name: &str,
    text: &str,
    check: impl Fn(&mut T) -> Vec<Refused>,
) -> Result<T, Diagnostics> {
    let mut options = serde_saphyr::Options::default();
    options.strict_booleans = true;
    read_by(options, name, text, check)
}

fn read_by<T: DeserializeOwned>(
    options: serde_saphyr::Options,
    name: &str,
    text: &str,
    check: impl Fn(&mut T) -> Vec<Refused>,
) -> Result<T, Diagnostics> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut mistakes: Vec<Mistake> = Vec::new();
    let mut elsewhere = Vec::new();
    let mut goes_on = true;
    while goes_on && mistakes.len() < MAX_MISTAKES {
        let remaining_text = lines.join("\n");
        let mut new_mistakes = Vec::new();
        elsewhere.clear();
        let mut is_follow_up = false;
        match serde_saphyr::from_str_with_options::<T>(&remaining_text, options.clone()) {
            Ok(mut config) => {
                for refused in check(&mut config) {
                    match refused {
                        Refused::Value { section, problem: message } => {
                            let key = message.place.as_deref().unwrap_or_default();
                            // Of `ready: nodes` the section stands for its key where that is not found.
                            let of_section = || place_in(&remaining_text, section, key.split_once(':')?.0);
                            let place = place_in(&remaining_text, section, key).or_else(of_section);
                            new_mistakes.push(Mistake { place, message });
                        }
                        Refused::Item { section, item, problem: message } => {
                            new_mistakes.push(Mistake { place: item_in(&remaining_text, section, &item), message });
                        }
                        // What is left of an item says little.
                        Refused::At { place, .. } if lacks_lines(text, &lines, place) => {}
                        Refused::Consequence { .. } if !mistakes.is_empty() => {}
                        Refused::At { place, problem: message } | Refused::Consequence { place, problem: message } => {
                            new_mistakes.push(Mistake { place: Some(place), message });
                        }
                        Refused::Elsewhere(messages) => elsewhere.extend(messages),
                    }
                }
                if new_mistakes.is_empty() && elsewhere.is_empty() && mistakes.is_empty() {
                    return Ok(config);
                }
            }
            Err(error) => {
                let error = error.without_snippet();
                new_mistakes.push(describe(&remaining_text, error));
                // A key may be missing because its line has been left out.
                is_follow_up = matches!(error, Error::SerdeMissingField { .. }) && !mistakes.is_empty();
                if is_of_syntax(error) {
                    mistakes.append(&mut new_mistakes);
                    break;
                }
            }
        }
        let is_first = mistakes.is_empty();
        goes_on = false;
        for mistake in new_mistakes {
            let is_left_out = mistake.place.is_some_and(|place| leave_out(&mut lines, place));
            goes_on |= is_left_out;
            // Later, one that is nowhere in the text follows from what has been left out.
            if (is_left_out || is_first) && !is_follow_up {
                mistakes.push(mistake);
            }
        }
    }
    mistakes.sort_by_key(|mistake| mistake.place);
    let messages = mistakes.into_iter().map(|mistake| mistake.message.at(placed(name, mistake.place)));
    Err(messages.chain(elsewhere).collect())
}

/// Whether the text is not YAML, so that nothing after that place can be judged.
fn is_of_syntax(error: &Error) -> bool {
    matches!(error, Error::ExternalMessage { .. } | Error::Eof { .. } | Error::MultipleDocuments { .. })
}

/// Leading blanks of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Empties the line of a key or a list's item with everything indented below it, and all of what is in braces or brackets there; of a section that is
/// in braces itself only the entry. The place is counted from 1. False where there is no such line.
fn leave_out(lines: &mut [String], (line, column): (usize, usize)) -> bool {
    let line = line - 1;
    let Some(text) = lines.get(line).filter(|text| !text.trim().is_empty()) else { return false };
    let at = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let around = flow::around(lines, (line, at));
    let (first, last) = around.as_ref().map_or((line, line), |flow| (flow.lines.0, flow.lines.1));
    if let Some(entry) = around.and_then(|flow| flow.entry) {
        entry.blank(lines);
        return true;
    }
    let above = indent(&lines[first]);
    let below = lines[last + 1..].iter().take_while(|text| text.trim().is_empty() || indent(text) > above).count();
    lines[first..=last + below].iter_mut().for_each(String::clear);
    true
}

/// Whether lines of the item that begins at this place, counted from 1, have been left out of the text.
fn lacks_lines(text: &str, lines: &[String], (line, column): (usize, usize)) -> bool {
    let of_item = |line: &str| line.trim().is_empty() || indent(line) + 1 >= column;
    let mut item = text.lines().zip(lines).skip(line - 1);
    let first = item.next();
    first.into_iter().chain(item.take_while(|(line, _)| of_item(line))).any(|(was, is)| was != is)
}

/// Reads `KEY: VALUE` alone, into a config of which everything else is the default.
///
/// # Errors
/// What was found, at the key.
pub(crate) fn read_key<T: DeserializeOwned>(key: &str, value: &str) -> Result<T, Diagnostic> {
    let text = format!("{key}: {value}");
    serde_saphyr::from_str(&text).map_err(|error| describe(&text, error.without_snippet()).message)
}

/// The keys of a section, for whoever reads more keys beside them; none for what is no section.
pub fn keys_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &'static [&'static str] = &[];
    // It reads nothing, and ends as soon as it knows the keys.
    let _ = T::deserialize(KeyReader(&mut keys));
    keys
}

/// Notes the keys that a section asks for.
struct KeyReader<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for KeyReader<'_> {
    type Error = de::value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(de::Error::custom("only the keys are asked for"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("no section"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

fn describe(text: &str, error: &Error) -> Mistake {
    let place = error.location().map(|at| (at.line() as usize, at.column() as usize)).filter(|(line, _)| *line > 0);
    let (key, value) = place.map(|place| value_at(text, place)).unwrap_or_default();
    let at_key = |found: String| match key {
        "" => Diagnostic::of(found),
        key => Diagnostic::new(key, found),
    };
    let message = match error {
        Error::SerdeUnknownField { field, expected, .. } => {
            Diagnostic::of(format!("unknown key \"{field}\"")).one_of(field, expected)
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            at_key(format!("found \"{variant}\"")).one_of(variant, expected)
        }
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            at_key(format!("found {unexpected}")).accepted(expected.to_string())
        }
        Error::InvalidScalar { ty, .. } => {
            let accepted: &[&str] = match *ty {
                "floating point" => &["a number"],
                "boolean" => &["true", "false"],
                unsigned if unsigned.starts_with('u') => &["a whole number, 0 or more"],
                _ => &["a whole number"],
            };
            at_key(format!("found \"{value}\"")).accepted_all(accepted.iter().copied())
        }
        Error::SerdeMissingField { field, .. } => Diagnostic::of(format!("missing key \"{field}\"")),
        other => match wording::of(other, value) {
            Some(message) if key.is_empty() => message,
            Some(message) => message.at(key),
            None => {
                let text = other.to_string();
                // The place is already at the front.
                let end = text.find(" at line ").or_else(|| text.find("\n")).unwrap_or(text.len());
                from_one_line(key, &text[..end])
            }
        },
    };
    Mistake { place, message }
}

/// The message of [`Diagnostic::in_one_line`] by its parts, at a key that it may name itself; the texts of others are what was found.
fn from_one_line(key: &str, text: &str) -> Diagnostic {
    let (text, hint) = text.split_once("; hint: ").map_or((text, None), |(text, hint)| (text, Some(hint)));
    let (found, accepted) = text.split_once("; accepted: ").map_or((text, None), |(text, all)| (text, Some(all)));
    let found = found.strip_prefix(key).and_then(|after_key| after_key.strip_prefix(": ")).unwrap_or(found);
    let message = if key.is_empty() { Diagnostic::of(found) } else { Diagnostic::new(key, found) };
    let message = accepted.map_or(message.clone(), |accepted| message.accepted(accepted));
    hint.map_or(message.clone(), |hint| message.hint(hint))
}

/// The key before the value at a line and column, empty if there is none, and the value to the end of the line, without a comment.
fn value_at(text: &str, (line, column): (usize, usize)) -> (&str, &str) {
    let line = text.lines().nth(line - 1).unwrap_or_default();
    let start = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(start, _)| start);
    let (before, value) = line.split_at(start);
    let is_of_key = |c: char| c.is_alphanumeric() || c == '_';
    let key = before.trim_end().strip_suffix(':').unwrap_or_default();
    let key = key.rfind(|c: char| !is_of_key(c)).map_or(key, |end| &key[end..]).trim_start_matches(|c| !is_of_key(c));
    let value = value.split(" #").next().unwrap_or_default();
    let is_in_braces = before.contains(['{', '[']) && !value.starts_with(['"', '\'']);
    let value = if is_in_braces { value.split([',', '}', ']']).next().unwrap_or_default() } else { value };
    (key, value.trim_end_matches([' ', ',', '}', ']']))
}

/// Line and column of a value, counted from 1; 0 where it is from no text.
pub fn place<T>(spanned: &Spanned<T>) -> (usize, usize) {
    (spanned.referenced.line() as usize, spanned.referenced.column() as usize)
}

fn placed(name: &str, place: Option<(usize, usize)>) -> String {
    place.map_or_else(|| name.to_string(), |(line, column)| format!("{name}:{line}:{column}"))
}

/// The place `name:line:column` of a key at the root; the file's where it is not written in a line of its own, as a default is not.
pub fn place_of(name: &str, text: &str, key: &str) -> String {
    placed(name, place_in(text, "", key))
}

/// Column of a key, counted from 0, in a line that begins with it.
fn key_in(line: &str, key: &str) -> Option<usize> {
    let after_key = line.trim_start().strip_prefix(key)?;
    after_key.trim_start().starts_with(':').then(|| line.chars().take_while(|c| c.is_whitespace()).count())
}

/// The lines of a section, that of its key included, with their indices from 0.
fn lines_in<'a>(text: &'a str, section: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let mut is_inside = section.is_empty();
    text.lines().enumerate().filter(move |(_, line)| {
        let at_root = line.starts_with(|c: char| !c.is_whitespace() && !['#', '-'].contains(&c));
        if at_root && !section.is_empty() {
            is_inside = key_in(line, section) == Some(0);
        }
        is_inside
    })
}

/// Line and column of a key, within a section where it is in one; none where it is not written.
fn place_in(text: &str, section: &str, key: &str) -> Option<(usize, usize)> {
    lines_in(text, section).find_map(|(index, line)| {
        if let Some(indent) = key_in(line, key)
            && (indent > 0) != section.is_empty()
        {
            return Some((index + 1, indent + 1));
        }
        // Beside the section, in braces.
        if section.is_empty() || key_in(line, section) != Some(0) {
            return None;
        }
        let starts = line.match_indices(key).map(|(start, _)| start);
        let is_key = |start: &usize| {
            line[..*start].trim_end().ends_with(['{', ',']) && line[start + key.len()..].trim_start().starts_with(':')
        };
        starts.into_iter().find(is_key).map(|start| (index + 1, line[..start].chars().count() + 1))
    })
}

/// Line and column of the first place in a section where a text stands by itself, not within a longer name or path.
fn item_in(text: &str, section: &str, item: &str) -> Option<(usize, usize)> {
    let goes_on = |c: char| c.is_alphanumeric() || "_/@[".contains(c);
    lines_in(text, section).find_map(|(index, line)| {
        let starts = line.match_indices(item).map(|(start, _)| start);
        let stands =
            |start: &usize| !line[..*start].ends_with(goes_on) && !line[start + item.len()..].starts_with(goes_on);
        starts.into_iter().find(stands).map(|start| (index + 1, line[..start].chars().count() + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Config {
        size: f64,
        count: u32,
        inner: Inner,
        last: bool,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Inner {
        width: f64,
        height: f64,
    }

    fn read(text: &str) -> Result<Config, Diagnostics> {
        read_all("c.yaml", text, |config: &mut Config| match config.inner.width {
            width if width < 0.0 => {
                vec![Refused::Value { section: "inner", problem: Diagnostic::new("width", format!("found {width}")) }]
            }
            _ => Vec::new(),
        })
    }

    #[test]
    fn every_mistake_is_found_in_one_reading() {
        let text = "size: big   # a comment\ncount: -1\ninner:\n  widht: 1\n  height: tall\nlast: {a: 1}\n";
        assert_eq!(
            read(text).unwrap_err().to_string(),
            "c.yaml:1:7: size: found \"big\"\n  accepted: a number\n\
             c.yaml:2:8: count: found \"-1\"\n  accepted: a whole number, 0 or more\n\
             c.yaml:4:3: unknown key \"widht\"\n  accepted: width, height\n  hint: did you mean \"width\"?\n\
             c.yaml:5:11: height: found \"tall\"\n  accepted: a number\n\
             c.yaml:6:7: last: found keys with values\n  accepted: a single value"
        );
        assert_eq!(
            read("inner: {width: -1, height: tall}").unwrap_err().to_string(),
            "c.yaml:1:28: height: found \"tall\"\n  accepted: a number"
        );
    }

    #[test]
    fn a_section_tells_its_keys() {
        assert_eq!(keys_of::<Config>(), ["size", "count", "inner", "last"]);
        assert!(keys_of::<f64>().is_empty());
    }

    #[test]
    fn what_the_check_refuses_is_reported_beside_what_cannot_be_read() {
        let text = "inner:\n  width: -1\nlast: perhaps\n";
        assert_eq!(
            read(text).unwrap_err().to_string(),
            "c.yaml:2:3: width: found -1\nc.yaml:3:7: last: found \"perhaps\"\n  accepted: true, false"
        );
        let config = read("size: 2\ninner:\n  width: 3\n").unwrap();
        assert_eq!((config.size, config.inner.width, config.last), (2.0, 3.0, false));
        assert_eq!(
            read("size: 1\ninner: {height: 2, width: -1}").unwrap_err().to_string(),
            "c.yaml:2:20: width: found -1"
        );
    }

    #[test]
    fn items_of_lists_are_placed_and_what_is_missing_with_them_is_no_mistake_of_its_own() {
        #[derive(Debug, Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct List {
            items: Vec<Item>,
            last: u32,
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Item {
            name: String,
            size: f64,
        }
        let read = |text: &str| {
            read_all_with_names("c.yaml", text, |list: &mut List| {
                let refused = list.items.iter().filter(|item| item.size < 0.0);
                let problem = |item: &Item| Diagnostic::new("items", format!("{}: found {}", item.name, item.size));
                refused
                    .map(|item| Refused::Item { section: "items", item: item.name.clone(), problem: problem(item) })
                    .collect()
            })
        };
        let text = "items:\n- {name: n, size: -1}\n- size: -2\n  name: b\n- {name: c, size: 1}\nlast: x\n";
        assert_eq!(
            read(text).unwrap_err().to_string(),
            "c.yaml:2:10: items: n: found -1\nc.yaml:4:9: items: b: found -2\nc.yaml:6:7: last: found \"x\"\n  accepted: a whole number, 0 or more"
        );
        assert_eq!(read("items: [{name: y, size: 1}]").unwrap().items[0].name, "y");
        assert_eq!(read("items: [{name: y}]").unwrap_err().to_string(), "c.yaml:1:10: missing key \"size\"");
    }

    #[test]
    fn in_braces_over_several_lines_one_mistake_has_one_message() {
        let places = |text: &str| {
            let reported = read(text).unwrap_err().to_string();
            reported.lines().filter_map(|line| line.strip_prefix("c.yaml:")).map(str::to_owned).collect::<Vec<_>>()
        };
        // Closed where a line begins that is indented as little.
        assert_eq!(
            places("inner: {\n  width: 1,\n  height: tall\n}\nlast: x\n"),
            ["3:11: height: found \"tall\"", "5:7: last: found \"x\""]
        );
        assert_eq!(
            places("inner: {width: wide,\nheight: tall}\nsize: big\n"),
            ["1:16: width: found \"wide\"", "2:9: height: found \"tall\"", "3:7: size: found \"big\""]
        );
        // Brackets in texts and comments are none.
        assert_eq!(places("inner: {  # not [ closed\n  \"width\": 1, height: \"a } b\"}\ncount: -1\n").len(), 2);
    }

    #[test]
    fn what_another_mistake_may_have_caused_is_no_mistake_of_its_own() {
        let read = |text: &str| {
            let check = |config: &mut Config| {
                let problem = |text: &str| Diagnostic::of(text);
                let item =
                    (config.inner.width == 0.0).then(|| Refused::At { place: (1, 3), problem: problem("no width") });
                let name = Refused::Consequence { place: (4, 1), problem: problem("of another") };
                item.into_iter().chain([name]).collect()
            };
            read_all("c.yaml", text, check).unwrap_err().to_string()
        };
        assert_eq!(
            read("inner:\n  width: w\n  height: 1\ncount: 1\n"),
            "c.yaml:2:10: width: found \"w\"\n  accepted: a number"
        );
        assert_eq!(read("inner:\n  width: 1\n\ncount: 1\n"), "c.yaml:4:1: of another");
    }

    #[test]
    fn a_text_that_is_no_yaml_has_one_mistake_in_words_of_our_own() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        let quote = "a quote is not closed\n  accepted: the same quote before and after a text";
        assert_eq!(message("size: \"1\ncount: x\n"), format!("c.yaml:2:1: {quote}"));
        let second = "c.yaml:3:1: a second document begins\n  accepted: one, without ---";
        assert_eq!(message("size: 1\n---\ncount: 2\n"), second);
    }

    #[test]
    fn what_the_reader_refuses_is_told_in_words_of_our_own() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(message("size: 1\nsize: 2\n"), "c.yaml:2:1: key \"size\" appears twice");
        assert_eq!(message("size: [1]\ncount: 2\n"), "c.yaml:1:7: size: found a list\n  accepted: a single value");
        assert_eq!(message("inner: 3\n"), "c.yaml:1:8: inner: found \"3\"\n  accepted: keys with values");
        assert_eq!(
            message("size: *a\n"),
            "c.yaml:1:7: size: an alias has no anchor\n  accepted: an alias of an anchor above"
        );
    }
}
