//! Typed reading of elements: values with defaults and bounds, children, and warnings for unknown tags.

use super::evaluated::EvaluatedText;
use super::{Accept, Context, Element, Place, Report, Scope, substitute};
use std::cell::RefCell;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;

/// Names that were requested; all others are unknown.
#[derive(Debug, Default)]
struct Requested {
    children: Vec<String>,
    attributes: Vec<String>,
    /// Known, but not listed as accepted.
    unlisted: Vec<String>,
    /// Hints for unknown attributes that are known elsewhere.
    hints: Vec<(&'static str, &'static str)>,
}

/// Reads one element, or several in layers, with evaluated values. A value that does not parse or is out of bounds
/// becomes an error at its own place, and its default is returned, so that loading continues.
///
/// Child tags are searched in the layers in order, and the first match wins; [`Self::children`] collects from all
/// layers. Attributes and the text of the element itself are those of the first layer.
#[derive(Debug)]
pub struct Reader<'a> {
    context: &'a Context,
    layers: Vec<&'a Element>,
    scope: Scope,
    names: Arc<Vec<(String, String)>>,
    requested: RefCell<Requested>,
}

impl<'a> Reader<'a> {
    /// A reader of one element that sees the world's variables.
    pub fn new(context: &'a Context, element: &'a Element) -> Self {
        Self::layered(context, vec![element])
    }

    /// A reader of several elements as if they were one; the first is the one that messages name.
    pub fn layered(context: &'a Context, mut layers: Vec<&'a Element>) -> Self {
        if layers.is_empty() {
            layers.push(Element::empty());
        }
        Reader { context, layers, scope: Scope::World, names: Arc::default(), requested: RefCell::default() }
    }

    /// Sets which variables are visible to values; readers of children inherit it.
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Adds a name (`NAME`, `PARENT_NAME`) that is visible to values in any scope; readers of children inherit it.
    pub fn with_name(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        let names = Arc::make_mut(&mut self.names);
        names.retain(|(earlier, _)| *earlier != name);
        names.push((name, value.into()));
        self
    }

    fn first(&self) -> &'a Element {
        self.layers.first().copied().unwrap_or(Element::empty())
    }

    /// Name of the element.
    pub fn tag(&self) -> &'a str {
        &self.first().tag
    }

    /// Where the element starts.
    pub fn place(&self) -> &'a Place {
        &self.first().place
    }

    /// The load that this reader belongs to.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Directory of the file that contains the element.
    pub fn directory(&self) -> &'a Path {
        &self.first().directory
    }

    /// The element itself (the first layer).
    pub fn element(&self) -> &'a Element {
        self.first()
    }

    /// The element as messages name it: `<friction class="default">`.
    pub fn describe(&self) -> String {
        self.first().describe()
    }

    fn request_child(&self, name: &str) -> Option<&'a Element> {
        let mut requested = self.requested.borrow_mut();
        if !requested.children.iter().any(|n| n == name) {
            requested.children.push(name.to_string());
        }
        self.layers.iter().find_map(|layer| layer.child(name))
    }

    fn request_attribute(&self, name: &str) -> Option<&'a super::Attribute> {
        let mut requested = self.requested.borrow_mut();
        if !requested.attributes.iter().any(|n| n == name) {
            requested.attributes.push(name.to_string());
        }
        self.first().attribute(name)
    }

    fn evaluate(&self, raw: &'a str, place: &'a Place, subject: String) -> Option<EvaluatedText<'a>> {
        let text = self.context.evaluate(raw, place, self.scope, &self.names)?;
        Some(EvaluatedText { context: self.context, text: text.trim().to_string(), raw, place, subject })
    }

    fn evaluated_attribute(&self, name: &str) -> Option<EvaluatedText<'a>> {
        let attribute = self.request_attribute(name)?;
        let subject = format!("attribute \"{name}\" in {}", self.describe());
        self.evaluate(&attribute.value, &attribute.place, subject)
    }

    fn evaluated_child(&self, name: &str) -> Option<EvaluatedText<'a>> {
        let child = self.request_child(name)?;
        let subject = format!("<{name}> in {}", self.describe());
        match &child.text {
            Some(text) => self.evaluate(&text.value, &text.place, subject),
            None => self.evaluate("", &child.place, subject),
        }
    }

    fn evaluated_text(&self) -> Option<EvaluatedText<'a>> {
        let text = self.first().text.as_ref()?;
        self.evaluate(&text.value, &text.place, self.describe())
    }

    /// The evaluated text of an attribute.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.evaluated_attribute(name).map(|value| value.text)
    }

    /// An attribute as written, only entities decoded.
    pub fn attribute_raw(&self, name: &str) -> Option<String> {
        self.request_attribute(name).map(|a| a.value.trim().to_string())
    }

    /// An attribute that names something: evaluated if possible, otherwise as written, which is how MVSim always reads
    /// the names of blocks and actors.
    pub fn attribute_or_written(&self, name: &str) -> Option<String> {
        let attribute = self.request_attribute(name)?;
        let written = &attribute.value;
        let value = self.context.try_evaluate(written, &attribute.place, self.scope, &self.names);
        Some(value.as_deref().unwrap_or(written).trim().to_string())
    }

    /// An attribute that may also use the environment and defaults, like the text of included files: MVSim reads the
    /// names of vehicles this way.
    pub fn attribute_or_default(&self, name: &str) -> Option<String> {
        let attribute = self.request_attribute(name)?;
        let (written, place) = (&attribute.value, &attribute.place);
        if self.context.try_evaluate(written, place, self.scope, &self.names).is_err()
            && let Ok(value) = substitute::substitute_value(self.context, written, self.context.author_at(place))
            && let Ok(value) = self.context.try_evaluate(&value, place, self.scope, &self.names)
        {
            return Some(value.trim().to_string());
        }
        self.attribute(name)
    }

    /// A number in an attribute.
    pub fn attribute_f64(&self, name: &str, default: f64, accept: Accept) -> f64 {
        self.optional_attribute_f64(name, accept).unwrap_or(default)
    }

    /// A number in an attribute that may be missing (or bad, which is recorded).
    pub fn optional_attribute_f64(&self, name: &str, accept: Accept) -> Option<f64> {
        self.evaluated_attribute(name)?.f64(accept)
    }

    /// A whole number in an attribute.
    pub fn attribute_integer(&self, name: &str, default: i64, accept: Accept) -> i64 {
        let value = self.evaluated_attribute(name);
        value.and_then(|value| value.integer(accept)).unwrap_or(default)
    }

    /// An angle in an attribute, written in degrees, returned in [rad]; the default is in [rad].
    pub fn attribute_degrees(&self, name: &str, default_radians: f64, accept_in_degrees: Accept) -> f64 {
        self.optional_attribute_f64(name, accept_in_degrees).map_or(default_radians, radians)
    }

    /// A boolean in an attribute.
    pub fn attribute_bool(&self, name: &str, default: bool) -> bool {
        let value = self.evaluated_attribute(name);
        value.and_then(|value| value.bool()).unwrap_or(default)
    }

    /// Numbers in an attribute, as many as one of `counts` (any number if it is empty).
    pub fn attribute_numbers(&self, name: &str, counts: &[usize]) -> Option<Vec<f64>> {
        self.evaluated_attribute(name)?.numbers(counts)
    }

    /// A colour in an attribute as red, green, blue, alpha.
    pub fn attribute_color(&self, name: &str, default: [u8; 4]) -> [u8; 4] {
        let value = self.evaluated_attribute(name);
        value.and_then(|value| value.color()).unwrap_or(default)
    }

    /// A keyword of `table` in an attribute.
    pub fn attribute_choice<T: Copy>(&self, name: &str, default: T, table: &[(&str, T)]) -> T {
        let value = self.evaluated_attribute(name);
        value.and_then(|value| value.choice(table)).unwrap_or(default)
    }

    /// The evaluated text of a child; empty if the child has none.
    pub fn text(&self, name: &str) -> Option<String> {
        self.evaluated_child(name).map(|value| value.text)
    }

    /// A number in a child.
    pub fn f64(&self, name: &str, default: f64, accept: Accept) -> f64 {
        self.optional_f64(name, accept).unwrap_or(default)
    }

    /// A number in a child that may be missing (or bad, which is recorded).
    pub fn optional_f64(&self, name: &str, accept: Accept) -> Option<f64> {
        self.evaluated_child(name)?.f64(accept)
    }

    /// An angle in a child, written in degrees, returned in [rad]; the default is in [rad].
    pub fn degrees(&self, name: &str, default_radians: f64, accept_in_degrees: Accept) -> f64 {
        self.optional_f64(name, accept_in_degrees).map_or(default_radians, radians)
    }

    /// A whole number in a child; a fraction is truncated, as in MVSim.
    pub fn integer(&self, name: &str, default: i64, accept: Accept) -> i64 {
        let value = self.evaluated_child(name);
        value.and_then(|value| value.integer(accept)).unwrap_or(default)
    }

    /// A boolean in a child.
    pub fn bool(&self, name: &str, default: bool) -> bool {
        let value = self.evaluated_child(name);
        value.and_then(|value| value.bool()).unwrap_or(default)
    }

    /// Numbers in a child, as many as one of `counts` (any number if it is empty). Surplus numbers are dropped with a warning.
    pub fn numbers(&self, name: &str, counts: &[usize]) -> Option<Vec<f64>> {
        self.evaluated_child(name)?.numbers(counts)
    }

    /// A colour in a child as red, green, blue, alpha.
    pub fn color(&self, name: &str, default: [u8; 4]) -> [u8; 4] {
        let value = self.evaluated_child(name);
        value.and_then(|value| value.color()).unwrap_or(default)
    }

    /// A keyword of `table` in a child.
    pub fn choice<T: Copy>(&self, name: &str, default: T, table: &[(&str, T)]) -> T {
        let value = self.evaluated_child(name);
        value.and_then(|value| value.choice(table)).unwrap_or(default)
    }

    /// A file named in a child, relative to the directory of the file that contains the child, or fetched or unpacked
    /// as by [`Self::asset`]. An unresolvable path is an error; whether a local file exists is not checked.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let directory = &self.request_child(name)?.directory;
        let value = self.evaluated_child(name)?;
        match self.context.assets.path(directory, &value.text, self.context.author_at(value.place)) {
            Ok(path) => Some(path),
            Err(problem) => {
                let message = format!("{} for {}", problem.first_line(), value.subject);
                self.context.error(value.place, message).parts_of(problem);
                None
            }
        }
    }

    /// A mesh or texture named in a child, as a local file, fetched or unpacked if necessary. A missing one is a warning.
    pub fn asset(&self, name: &str) -> Option<PathBuf> {
        let directory = &self.request_child(name)?.directory;
        let value = self.evaluated_child(name)?;
        self.find_asset(directory, &value.text, value.place, &value.subject)
    }

    /// The file at an already evaluated address; relative ones start from the folder of this element's file. A missing file
    /// is a warning at `place`.
    pub fn resolve_asset(&self, uri: &str, place: &Place) -> Option<PathBuf> {
        self.find_asset(self.directory(), uri, place, &self.describe())
    }

    /// The file at an already evaluated address, or why there is none, for callers that report it themselves.
    pub fn try_asset(&self, uri: &str) -> Result<PathBuf, Diagnostic> {
        self.context.assets.file(self.directory(), uri, self.context.author_at(self.place()))
    }

    fn find_asset(&self, directory: &Path, uri: &str, place: &Place, subject: &str) -> Option<PathBuf> {
        match self.context.assets.file(directory, uri, self.context.author_at(place)) {
            Ok(path) => Some(path),
            Err(problem) => {
                self.context.warn(place, format!("{} for {subject}", problem.first_line())).parts_of(problem);
                None
            }
        }
    }

    /// Whether there is such a child.
    pub fn has(&self, name: &str) -> bool {
        self.request_child(name).is_some()
    }

    /// The evaluated text of the element itself.
    pub fn own_text(&self) -> Option<String> {
        self.evaluated_text().map(|value| value.text)
    }

    /// The element's own text as a number.
    pub fn own_f64(&self, accept: Accept) -> Option<f64> {
        self.evaluated_text()?.f64(accept)
    }

    /// The element's own text as numbers, see [`Self::numbers`].
    pub fn own_numbers(&self, counts: &[usize]) -> Option<Vec<f64>> {
        self.evaluated_text()?.numbers(counts)
    }

    fn below(&self, element: &'a Element) -> Reader<'a> {
        Reader {
            context: self.context,
            layers: vec![element],
            scope: self.scope,
            names: self.names.clone(),
            requested: RefCell::default(),
        }
    }

    /// What `read` makes of the first child of that name; warns of everything there that it did not ask for.
    pub fn read_child<T>(&self, name: &str, read: impl FnOnce(&Reader<'a>) -> T) -> Option<T> {
        self.child(name).map(|tag| {
            let value = read(&tag);
            tag.finish();
            value
        })
    }

    /// A reader of the first child of that name.
    pub fn child(&self, name: &str) -> Option<Reader<'a>> {
        self.request_child(name).map(|child| self.below(child))
    }

    /// Readers of all children of that name in all layers.
    pub fn children(&self, name: &str) -> Vec<Reader<'a>> {
        self.request_child(name);
        let all = self.layers.iter().flat_map(|layer| &layer.children);
        all.filter(|child| child.tag == name).map(|child| self.below(child)).collect()
    }

    /// Readers of all children in all layers, all of which count as known.
    pub fn all_children(&self) -> Vec<Reader<'a>> {
        let all = self.layers.iter().flat_map(|layer| &layer.children);
        let mut requested = self.requested.borrow_mut();
        all.map(|child| {
            if !requested.unlisted.contains(&child.tag) {
                requested.unlisted.push(child.tag.clone());
            }
            self.below(child)
        })
        .collect()
    }

    /// Records that something mandatory is missing: `missing <dynamics> in <vehicle name="r1">`.
    pub fn missing(&self, part: &str) -> Report<'a> {
        self.error(format!("missing {part} in {}", self.describe()))
    }

    /// Tags and attributes that are known and irrelevant here.
    pub fn ignore(&self, names: &[&str]) {
        let mut requested = self.requested.borrow_mut();
        requested.unlisted.extend(names.iter().map(|name| name.to_string()));
    }

    /// The hint for an attribute that this element does not have, but others or other formats do.
    pub fn hint_at_attribute(&self, name: &'static str, hint: &'static str) {
        self.requested.borrow_mut().hints.push((name, hint));
    }

    /// Records an error at the element's place.
    pub fn error(&self, message: impl Into<String>) -> Report<'a> {
        self.context.error(self.place(), message)
    }

    /// Place of the value of a child, or else of the attribute of that name, or else of the element: for errors about values read.
    pub fn place_of(&self, name: &str) -> &'a Place {
        if let Some(child) = self.layers.iter().find_map(|layer| layer.child(name)) {
            return child.text.as_ref().map_or(&child.place, |text| &text.place);
        }
        self.first().attribute(name).map_or(self.place(), |attribute| &attribute.place)
    }

    /// Records an error at the value of a child or attribute, see [`Self::place_of`].
    pub fn error_at(&self, name: &str, message: impl Into<String>) -> Report<'a> {
        self.context.error(self.place_of(name), message)
    }

    /// Records a warning at the element's place.
    pub fn warn(&self, message: impl Into<String>) -> Report<'a> {
        self.context.warn(self.place(), message)
    }

    /// Records a warning at the value of a child or attribute, see [`Self::place_of`].
    pub fn warn_at(&self, name: &str, message: impl Into<String>) -> Report<'a> {
        self.context.warn(self.place_of(name), message)
    }

    /// Warns of every child and attribute that was not requested. Only the attributes of the first layer are checked.
    pub fn finish(&self) {
        let requested = self.requested.borrow();
        let known = |list: &[String], name: &String| list.contains(name) || requested.unlisted.contains(name);
        for layer in &self.layers {
            for child in &layer.children {
                if known(&requested.children, &child.tag) {
                    continue;
                }
                let message = format!("unknown tag \"{}\" in {}", child.tag, layer.describe());
                let report = self.context.warn(&child.place, message);
                let report = report.one_of(&child.tag, requested.children.iter().cloned());
                if matches!(child.tag.as_str(), "for" | "if" | "variable" | "include") {
                    report.hint(
                        "it is allowed at the root of a world; <include> also in a vehicle, and with <if> in a class",
                    );
                } else if requested.attributes.contains(&child.tag) {
                    report.hint(format!("it is an attribute: {}=\"…\"", child.tag));
                }
            }
        }
        let Some(first) = self.layers.first() else {
            return;
        };
        for attribute in &first.attributes {
            let name = &attribute.name;
            if known(&requested.attributes, name) {
                continue;
            }
            let message = format!("unknown attribute \"{name}\" in {}", first.describe());
            let report = self.context.warn(&attribute.name_place, message);
            let report = report.one_of(name, requested.attributes.iter().cloned());
            if requested.children.contains(name) {
                report.hint(format!("it is a tag: <{name}>…</{name}>"));
            } else if let Some((_, hint)) = requested.hints.iter().find(|(known, _)| known == name) {
                report.hint(*hint);
            }
        }
    }
}

fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}
