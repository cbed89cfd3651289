//! What a message says, field by field, wherever it was made: the folder of a file that it names differs between machines.

use std::borrow::Cow;

use skidpad_ros_data::message;

use super::definition::Definition;
use super::shape::{Cell, Layout};

/// How the addresses of files begin, as meshes in markers and descriptions have them.
const ADDRESSES: [&str; 2] = ["file://", "package://"];

/// All fields of a message that names files, with their values, of files without their folders. `text` is the definition of its type; empty:
/// that of skidpad. None: it names no file, so that its bytes are the same everywhere, or the type is not understood.
pub fn content(kind: &str, text: &str, message: &[u8]) -> Option<String> {
    let has = |address: &str| message.windows(address.len()).any(|part| part == address.as_bytes());
    if !ADDRESSES.into_iter().any(has) {
        return None;
    }
    let mut content = String::new();
    for (path, value) in fields(kind, text, &[message])?.pop()? {
        content.extend([path.as_str(), "=", value.as_str(), "\0"]);
    }
    Some(content)
}

/// The first field in which the [`content`] of two messages of a type differs: its path, and the values of both, of which one may be empty
/// where a list is shorter. None: the type is not understood, or all fields are the same.
pub fn first_difference(kind: &str, text: &str, messages: [&[u8]; 2]) -> Option<(String, [String; 2])> {
    let mut fields = fields(kind, text, &messages)?.into_iter();
    let (a, b) = (fields.next()?, fields.next()?);
    a.into_iter().zip(b).find(|(a, b)| a.1 != b.1).map(|((path, a), (_, b))| (path, [a, b]))
}

/// Path and value of each field of messages of a type; where the list of one is shorter, its values are empty.
fn fields(kind: &str, text: &str, messages: &[&[u8]]) -> Option<Vec<Vec<(String, String)>>> {
    let known_definition = message::definition(kind);
    let text = if text.trim().is_empty() { &known_definition } else { text };
    let definition = (!text.trim().is_empty()).then(|| Definition::parse(kind, text).ok()).flatten()?;
    let mut layout = Layout::new(definition, usize::MAX);
    messages.iter().all(|message| layout.learn(message)).then_some(())?;
    let paths: Vec<String> = layout.columns().into_iter().map(|(path, _)| path).collect();
    let of_message = |message: &&[u8]| {
        let mut cells = Vec::new();
        layout.cells(message, &mut cells)?;
        let values = cells.iter().map(Cell::to_string).map(|value| without_folders(&value).into_owned());
        Some(paths.iter().cloned().zip(values).collect())
    };
    messages.iter().map(of_message).collect()
}

/// A text in which the addresses of files have their names only, by the first of [`ADDRESSES`] whatever they begin with.
fn without_folders(text: &str) -> Cow<'_, str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>');
    let (mut short, mut remaining_text) = (String::new(), text);
    while let Some((before, after)) =
        ADDRESSES.iter().filter_map(|begin| remaining_text.split_once(begin)).min_by_key(|(before, _)| before.len())
    {
        let (address, next) = after.split_at(after.find(ends).unwrap_or(after.len()));
        short.extend([before, ADDRESSES[0], address.rsplit('/').next().unwrap_or_default()]);
        remaining_text = next;
    }
    if short.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(short + remaining_text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as `std_msgs/msg/String`.
    fn message(text: &str) -> Vec<u8> {
        let length = text.len() as u32 + 1;
        [&[0, 1, 0, 0], &length.to_le_bytes()[..], text.as_bytes(), &[0]].concat()
    }

    #[test]
    fn files_of_the_same_name_are_the_same_in_every_folder() {
        let kind = "std_msgs/msg/String";
        let [a, b, c] = ["/a/b", "/c", "/a/b"].map(|folder| {
            message(&format!(
                "<mesh filename=\"file://{folder}/car.glb\"/> <mesh filename=\"file://{folder}/wheel.glb\"/> 1"
            ))
        });
        assert_ne!(a, b);
        assert_eq!(content(kind, "", &message("a file")), None);
        assert!(content(kind, "", &a).is_some());
        assert_eq!(content(kind, "", &a), content(kind, "", &b));
        assert_eq!(first_difference(kind, "", [&a, &b]), None);
        let other = message("<mesh filename=\"file:///c/car.glb\"/> <mesh filename=\"file:///c/wheel.obj\"/> 1");
        assert_ne!(content(kind, "", &c), content(kind, "", &other));
        let (path, [_, actual]) = first_difference(kind, "", [&c, &other]).unwrap();
        assert_eq!(
            (path.as_str(), actual.as_str()),
            ("data", "<mesh filename=\"file://car.glb\"/> <mesh filename=\"file://wheel.obj\"/> 1")
        );
        assert_eq!(content("unknown/msg/Kind", "", &a), None);
    }

    #[test]
    fn texts_without_addresses_stay_as_they_are() {
        assert_eq!(without_folders("a/b file:/c"), "a/b file:/c");
        assert_eq!(without_folders("file://x"), "file://x");
        assert_eq!(without_folders("see file:///x/y, and package://z/w"), "see file://y, and file://w");
    }
}
