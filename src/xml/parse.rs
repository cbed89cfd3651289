//! Parses text into an element tree, in the dialect of MVSim's files: names of end tags need not match, a file may have
//! several roots, `<` and `>` may occur in attribute values, prefixes need no declaration. Names are those of XML.

use super::name::check_name;
use super::source::Source;
use super::{Attribute, Context, Element, Text};
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Deepest nesting of elements: far above any world, far below a stack overflow.
const DEEPEST: usize = 200;
/// Most elements and attributes in a file, and most attributes in an element.
const MAX_PARTS: usize = 1_000_000;
const MAX_ATTRIBUTES: usize = 1000;
/// Cost of an element or attribute in the memory budget of a load [bytes].
const PART: usize = 128;
/// Longest name of an entity, with `#` and digits [bytes].
const MAX_ENTITY_LENGTH: usize = 32;

/// Reads the tags of a text in this dialect.
pub(super) fn reader_of(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    reader
}

/// An element that is not closed yet.
struct Open {
    element: Element,
    /// Text seen since the last tag or comment, and where it starts.
    run: Option<(usize, String)>,
}

/// The roots of `source`. None, after recording the error, if it is not well formed even in this dialect.
pub(super) fn parse(context: &Context, source: &Source) -> Option<Vec<Element>> {
    let text = source.text();
    let mut reader = reader_of(text);
    let mut roots = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut parts = 0;
    let mut count = |element: &Element| {
        let more = 1 + element.attributes.len();
        parts += more;
        if parts > MAX_PARTS {
            context.error(&element.place, format!("more than {MAX_PARTS} tags and attributes in one file"));
            return None;
        }
        context.spend(more * PART).map_err(|failure| context.fail(&element.place, failure)).ok()
    };
    loop {
        let before = usize::try_from(reader.buffer_position()).unwrap_or(0);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let at = usize::try_from(reader.error_position()).unwrap_or(0);
                context.error(&source.place(at), lower(&error.to_string()));
                return None;
            }
        };
        match event {
            Event::Text(piece) => add_text(context, source, &mut open, before, &piece)?,
            Event::CData(piece) => add_text(context, source, &mut open, before, &piece)?,
            Event::GeneralRef(name) => {
                // An unknown entity is kept as written.
                let character = name.resolve_char_ref().ok().flatten();
                let value = match (resolve_xml_entity(&name), character) {
                    (Some(known), _) => known.to_string(),
                    (None, Some(character)) => character.to_string(),
                    (None, None) => format!("&{};", &*name),
                };
                add_text(context, source, &mut open, before, &value)?;
            }
            Event::Start(start) => {
                end_run(source, &mut open);
                let element = read_start(context, source, &start)?;
                count(&element)?;
                if open.len() >= DEEPEST {
                    let message = format!("elements nested more than {DEEPEST} deep");
                    context.error(&element.place, message);
                    return None;
                }
                open.push(Open { element, run: None });
            }
            Event::Empty(start) => {
                end_run(source, &mut open);
                let element = read_start(context, source, &start)?;
                count(&element)?;
                attach(&mut roots, &mut open, element);
            }
            Event::End(end) => {
                end_run(source, &mut open);
                let name = end.name();
                let at = offset_in(text, name.as_ref()).saturating_sub(2);
                let Some(Open { element, .. }) = open.pop() else {
                    let message = format!("end tag </{}> closes nothing", name.as_ref());
                    context.error(&source.place(at), message);
                    return None;
                };
                if name.as_ref() != element.tag {
                    let message = format!("end tag </{}> closes <{}>", name.as_ref(), element.tag);
                    context.warn(&source.place(at), message).accepted([format!("</{}>", element.tag)]);
                }
                attach(&mut roots, &mut open, element);
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                end_run(source, &mut open);
            }
            Event::Eof => break,
        }
    }
    if open.is_empty() {
        return Some(roots);
    }
    for Open { element, .. } in open.iter().rev() {
        context.error(&element.place, format!("{} is never closed", element.describe()));
    }
    None
}

fn add_text(context: &Context, source: &Source, open: &mut [Open], at: usize, piece: &str) -> Option<()> {
    let Some(top) = open.last_mut() else {
        if let Some(blank) = piece.find(|c: char| !c.is_whitespace()) {
            let at = match source.text().get(at..).is_some_and(|t| t.starts_with(piece)) {
                true => at + blank,
                false => at,
            };
            let message = "text outside of all elements";
            context.error(&source.place(at), message).hint("the file is XML and starts with a tag");
            return None;
        }
        return Some(());
    };
    if top.element.text.is_none() {
        let (_, run) = top.run.get_or_insert_with(|| (at, String::new()));
        run.push_str(piece);
    }
    Some(())
}

/// A tag or comment ends the text before it; the first that is not blank is the text of its element.
fn end_run(source: &Source, open: &mut [Open]) {
    let Some(top) = open.last_mut() else { return };
    let Some((start, run)) = top.run.take() else {
        return;
    };
    let value = run.trim();
    if value.is_empty() {
        return;
    }
    let text = source.text().get(start..).unwrap_or_default();
    // A CDATA section starts with its mark; blanks in front of the text do not count.
    let blank = text.len() - text.trim_start().len();
    let mark = if text[blank..].starts_with("<![CDATA[") { 9 } else { 0 };
    top.element.text = Some(Text { value: value.to_string(), place: source.place(start + blank + mark) });
}

fn attach(roots: &mut Vec<Element>, open: &mut [Open], element: Element) {
    match open.last_mut() {
        Some(parent) => parent.element.children.push(element),
        None => roots.push(element),
    }
}

/// The element that a start tag begins. None after recording an error.
pub(super) fn read_start(context: &Context, source: &Source, start: &BytesStart) -> Option<Element> {
    let text = source.text();
    let name = start.name();
    let name_at = offset_in(text, name.as_ref());
    let place = source.place(name_at.saturating_sub(1));
    if name.as_ref().is_empty() {
        context.error(&place, "a tag without a name");
        return None;
    }
    check_name(context, "tag name", name.as_ref(), |at| source.place(name_at + at))?;
    let mut attributes: Vec<Attribute> = Vec::new();
    for attribute in start.attributes().with_checks(false) {
        let attribute = match attribute {
            Ok(attribute) => attribute,
            Err(error) => {
                let (at, message) = match error {
                    AttrError::ExpectedEq(at) => (at, "an attribute without ="),
                    AttrError::ExpectedValue(at) => (at, "an attribute without a value"),
                    AttrError::UnquotedValue(at) => (at, "an attribute value without quotes"),
                    AttrError::ExpectedQuote(at, _) => (at, "an attribute value never closed"),
                    AttrError::Duplicated(at, _) => (at, "an attribute given twice"),
                };
                let place = source.place(name_at + at);
                context
                    .error(&place, format!("{message} in <{}>", name.as_ref()))
                    .accepted(["name=\"value\"", "name='value'"]);
                return None;
            }
        };
        let key = attribute.key.as_ref();
        if attributes.len() >= MAX_ATTRIBUTES {
            context.error(&place, format!("more than {MAX_ATTRIBUTES} attributes in <{}>", name.as_ref()));
            return None;
        }
        let key_at = offset_in(text, key);
        check_name(context, "attribute name", key, |at| source.place(key_at + at))?;
        let name_place = source.place(key_at);
        if attributes.iter().any(|earlier| earlier.name == key) {
            let message = format!("attribute \"{key}\" is given twice in <{}>", name.as_ref());
            context.warn(&name_place, message).hint("the first one counts");
            continue;
        }
        let (value, place) = match &attribute.value {
            Cow::Borrowed(raw) => (unescape(raw), source.place(offset_in(text, raw))),
            Cow::Owned(raw) => (unescape(raw), name_place.clone()),
        };
        attributes.push(Attribute { name: key.to_string(), value, place, name_place });
    }
    Some(Element { attributes, ..Element::new(name.as_ref(), place, source.directory.clone()) })
}

/// `raw` with the five entities and character references decoded; anything else after `&` is kept.
pub(super) fn unescape(raw: &str) -> String {
    let mut value = String::with_capacity(raw.len());
    let mut remaining_text = raw;
    while let Some(at) = remaining_text.find('&') {
        value.push_str(&remaining_text[..at]);
        remaining_text = &remaining_text[at..];
        let near = remaining_text.len().min(MAX_ENTITY_LENGTH);
        let decoded = remaining_text.as_bytes()[..near].iter().position(|&byte| byte == b';').and_then(|end| {
            let name = &remaining_text[1..end];
            let text = match name.strip_prefix('#') {
                None => resolve_xml_entity(name)?.to_string(),
                Some(number) => {
                    let code = match number.strip_prefix('x') {
                        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                        None => number.parse().ok()?,
                    };
                    char::from_u32(code)?.to_string()
                }
            };
            Some((text, end + 1))
        });
        match decoded {
            Some((text, used)) => {
                value.push_str(&text);
                remaining_text = &remaining_text[used..];
            }
            None => {
                value.push('&');
                remaining_text = &remaining_text[1..];
            }
        }
    }
    value.push_str(remaining_text);
    value
}

/// Offset of `part`, a slice of `whole`.
pub(super) fn offset_in(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize).min(whole.len())
}

/// A library message without its backquotes and with a lower-case first letter, like all messages.
fn lower(message: &str) -> String {
    let message = message.replace('`', "\"");
    let message = message.strip_prefix("syntax error: ").unwrap_or(&message);
    let message = message.strip_prefix("ill-formed document: ").unwrap_or(message);
    message.to_string()
}
