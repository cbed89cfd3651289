//! Values of bodies: the numbers, colours and switches in their tags, in those of their classes in the same file, and
//! in the `<include>` of a file with their class.

use skidpad_files::input_file;
use skidpad_xml::edit::{Change, Expressions};
use skidpad_xml::spans::Spans;
use skidpad_xml::{Element, Place};

use super::body::{self, BodyElement};
use super::{EditError, WorldDocument, walls};
use crate::world::BodyRef;

/// Most properties of a body.
const MAX_PROPERTIES: usize = 300;
/// Most numbers of a property.
const MAX_NUMBERS: usize = 6;
/// Longest included file whose parameters are listed [bytes].
const MAX_FILE: u64 = 1 << 20;
/// Longest value [bytes].
const MAX_VALUE_LENGTH: usize = 200;

/// Attributes and tags that are not properties: they name things, or have an edit of their own.
const OTHERS: [&str; 10] =
    ["name", "class", "type", "file", "version", "init_pose", "init_pose3d", "shape", "animation", "publish"];

/// Tags of blocks that are listed even where a file leaves them out, with their defaults.
const OF_BLOCKS: [(&str, &str); 8] = [
    ("color", "#0000ff"),
    ("static", "false"),
    ("intangible", "false"),
    ("mass", "30"),
    ("ground_friction", "0.5"),
    ("lateral_friction", "0.5"),
    ("restitution", "0.01"),
    ("linear_damping", "0.1"),
];

/// Kind of the value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// This many numbers, separated by blanks.
    Numbers(usize),
    /// `#RRGGBB` or `#RRGGBBAA`.
    Color,
    /// `true` or `false`.
    Switch,
    /// An expression, or a text with variables, which cannot be edited here.
    Expression,
}

/// A value of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Identifies it among the properties of the body.
    pub key: String,
    /// Its path of tags, with `@` before an attribute: `dynamics/chassis@mass`.
    pub label: String,
    /// Whose it is, if others have it in common: `class diffbot`, or the included file; empty: the body's own.
    pub owner: String,
    /// Its value as it is written, or its default.
    pub value: String,
    /// Kind of value.
    pub kind: PropertyKind,
    /// Whether the file says it; false: the value is the default.
    pub is_written: bool,
}

/// Where the value of a property is written.
enum Target {
    Text(usize),
    Attribute(usize, String),
    /// In a tag that does not exist yet.
    NewTag(usize, String),
}

impl PropertyKind {
    /// The kind of a value, as it is written. None for texts.
    fn of(text: &str) -> Option<PropertyKind> {
        if text.contains('$') {
            return Some(PropertyKind::Expression);
        }
        let count = text.split_whitespace().count();
        let kinds = [PropertyKind::Switch, PropertyKind::Color, PropertyKind::Numbers(count)];
        kinds.into_iter().find(|kind| kind.takes(text))
    }

    /// Whether a text is a value of this kind.
    pub(super) fn takes(self, text: &str) -> bool {
        match self {
            PropertyKind::Switch => ["true", "false"].contains(&text),
            PropertyKind::Color => text.strip_prefix('#').is_some_and(|digits| {
                [6, 8].contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            }),
            PropertyKind::Numbers(count) => {
                let is_number = |word: &str| {
                    word.bytes().all(|byte| b"+-.eE".contains(&byte) || byte.is_ascii_digit())
                        && word.parse::<f64>().is_ok_and(f64::is_finite)
                };
                (1..=MAX_NUMBERS).contains(&count)
                    && text.split_whitespace().count() == count
                    && text.split_whitespace().all(is_number)
            }
            PropertyKind::Expression => false,
        }
    }

    pub(super) fn accepted(self) -> String {
        match self {
            PropertyKind::Switch => "true, false".into(),
            PropertyKind::Color => "#RRGGBB, #RRGGBBAA".into(),
            PropertyKind::Numbers(1) => "a finite number".into(),
            PropertyKind::Numbers(count) => format!("{count} finite numbers, separated by blanks"),
            PropertyKind::Expression => "a change in the file: it is an expression".into(),
        }
    }
}

/// The properties of a body, and where each is written.
struct List<'a> {
    spans: &'a Spans<'a>,
    all: Vec<(Property, Target)>,
}

pub(super) fn list(document: &WorldDocument, spans: &Spans<'_>, body_element: &BodyElement) -> Vec<Property> {
    all(document, spans, body_element).into_iter().map(|(property, _)| property).collect()
}

pub(super) fn set(
    document: &WorldDocument,
    spans: &Spans<'_>,
    name: &str,
    key: &str,
    value: &str,
    expressions: Expressions,
) -> Result<Change, EditError> {
    let body_element = body::find(document, spans, name)?;
    let property = all(document, spans, &body_element).into_iter().find(|(property, _)| property.key == key);
    let Some((property, target)) = property else {
        return Err(EditError::Refused(format!(
            "edit: \"{name}\" has no value \"{key}\"\n  accepted: those that its description lists"
        )));
    };
    let value = value.trim();
    if value.len() > MAX_VALUE_LENGTH || !property.kind.takes(value) {
        let start: String = value.chars().take(40).collect();
        let accepted = property.kind.accepted();
        return Err(EditError::Refused(format!(
            "edit: bad value \"{start}\" for {} of \"{name}\"\n  accepted: {accepted}",
            property.label
        )));
    }
    let at = |element: usize| spans.element(element).start.start;
    let splices = match target {
        Target::Text(element) => match property.kind {
            PropertyKind::Numbers(_) => {
                let numbers: Vec<f64> = value.split_whitespace().filter_map(|word| word.parse().ok()).collect();
                spans.set_numbers(element, &numbers, expressions)
            }
            _ => spans.set_text(element, value, expressions).map(|splice| vec![splice]),
        }
        .map_err(document.expression(at(element), &property.label))?,
        Target::Attribute(element, attribute) => {
            let set = spans.set_attribute(element, &attribute, value, expressions);
            vec![set.map_err(document.expression(at(element), &property.label))?]
        }
        Target::NewTag(element, tag) => vec![spans.insert_last(element, &[format!("<{tag}>{value}</{tag}>")])],
    };
    Ok(Change::of(splices))
}

fn all(document: &WorldDocument, spans: &Spans<'_>, body_element: &BodyElement) -> Vec<(Property, Target)> {
    let mut list = List { spans, all: Vec::new() };
    // All walls of a tag have its values in common.
    let are_walls = spans.tag(body_element.element) == "walls";
    let owner = if are_walls { "walls of the same tag" } else { "" };
    list.walk(body_element.element, "", "own:", owner);
    if are_walls {
        list.add_defaults(body_element.element, owner, &walls::DEFAULTS);
    } else if spans.tag(body_element.element) == "block" && spans.child(body_element.element, "include").is_none() {
        list.add_defaults(body_element.element, owner, &OF_BLOCKS);
    }
    let classes = match body_element.body {
        BodyRef::Vehicle(_) => &document.catalogue.vehicles,
        BodyRef::Block(_) => &document.catalogue.blocks,
    };
    let name = spans.attribute_value(body_element.element, "class").unwrap_or_default();
    let class = match body_element.body {
        BodyRef::Vehicle(index) => classes.get(&document.scene.vehicles[index].class),
        BodyRef::Block(_) => classes.get(&name),
    };
    if let Some(class) = class {
        list.add_class(class);
    }
    list.all.truncate(MAX_PROPERTIES);
    list.all
}

impl List<'_> {
    fn add(&mut self, root: &str, owner: &str, label: String, value: &str, target: Target) {
        let value = value.trim();
        if let Some(kind) = PropertyKind::of(value).filter(|_| value.len() <= MAX_VALUE_LENGTH) {
            let (key, owner) = (format!("{root}{label}"), owner.to_owned());
            let is_written = !matches!(target, Target::NewTag(..));
            self.all.push((Property { key, label, owner, value: value.to_owned(), kind, is_written }, target));
        }
    }

    /// Adds the attributes and the text of an element and of everything below it; `path` ends with a `/` unless it is empty.
    fn walk(&mut self, element: usize, path: &str, root: &str, owner: &str) {
        if self.all.len() >= MAX_PROPERTIES {
            return;
        }
        let spans = self.spans;
        let element_path = path.trim_end_matches('/');
        for attribute in &spans.element(element).attributes {
            let name = spans.written(&attribute.name);
            if !OTHERS.contains(&name) {
                let target = Target::Attribute(element, name.to_owned());
                self.add(root, owner, format!("{element_path}@{name}"), spans.written(&attribute.value), target);
            }
        }
        if let Some(text) = spans.text_of(element).filter(|_| !path.is_empty()) {
            self.add(root, owner, element_path.to_owned(), text, Target::Text(element));
        }
        for &child in &spans.element(element).children {
            let tag = spans.tag(child);
            if OTHERS.contains(&tag) {
                continue;
            }
            let mut alike = spans.children(element, tag);
            let name = match alike.by_ref().take_while(|&other| other != child).count() {
                0 if alike.next().is_none() => tag.to_owned(),
                number => format!("{tag}[{number}]"),
            };
            self.walk(child, &format!("{path}{name}/"), root, owner);
        }
    }

    /// Adds what an element does not say.
    fn add_defaults(&mut self, element: usize, owner: &str, defaults: &[(&str, &str)]) {
        for &(tag, default) in defaults {
            let is_there = self.spans.child(element, tag).is_some();
            if !is_there {
                self.add("own:", owner, tag.to_owned(), default, Target::NewTag(element, tag.to_owned()));
            }
        }
    }

    /// Adds the values of a class in the same file, or the arguments of the `<include>` that brings it in.
    fn add_class(&mut self, class: &Element) {
        let name = class.attribute("name").map(|name| name.value.as_str()).unwrap_or_default();
        let Some(include) = class.place.included_from.as_deref() else {
            if let Some(element) = self.spans.at(&class.place) {
                self.walk(element, "", "class:", &format!("class {name}"));
            }
            return;
        };
        let outermost = std::iter::successors(Some(include), |place| place.included_from.as_deref()).last();
        let Some(element) = outermost.and_then(|place: &Place| self.spans.at(place)) else { return };
        let file = self.spans.attribute_value(element, "file").unwrap_or_default();
        self.walk(element, "", "include:", &file);
        if include.included_from.is_some() {
            return;
        }
        for (parameter, default) in parameters(class) {
            if self.spans.attribute(element, &parameter).is_none() {
                let target = Target::Attribute(element, parameter.clone());
                self.add("include:", &file, format!("@{parameter}"), &default, target);
                if let Some((property, _)) =
                    self.all.last_mut().filter(|(property, _)| property.label == format!("@{parameter}"))
                {
                    property.is_written = false;
                }
            }
        }
    }
}

/// The parameters `${name|default}` of the file with a class, each with its default, in the order of the file.
fn parameters(class: &Element) -> Vec<(String, String)> {
    let file = std::path::Path::new(&*class.place.file).file_name().unwrap_or_default();
    let text = input_file::read_text(&class.directory.join(file), MAX_FILE).unwrap_or_default();
    let mut parameters: Vec<(String, String)> = Vec::new();
    for piece in text.split("${").skip(1) {
        let Some((name, default)) = piece.split_once('}').and_then(|(inside, _)| inside.split_once('|')) else {
            continue;
        };
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name && !default.contains('$') && parameters.iter().all(|(known, _)| known != name) {
            parameters.push((name.to_owned(), default.to_owned()));
        }
    }
    parameters
}
