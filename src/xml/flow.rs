//! Reading files and executing `<include>`, `<variable>`, `<for>` and `<if>`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use skidpad_files::assets::{self, Author, CANCELLED};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;

use super::arguments::Declared;
use super::source::{FileText, Source};
use super::substitute::MAX_BYTES;
use super::{Context, Element, Place, Report, Scope, parse, substitute, value};

/// Deepest chain of includes, and of `for`, `if` and `include` within each other.
const DEEPEST_INCLUDE: usize = 32;
const DEEPEST_FLOW: usize = 200;
/// Most rounds of one loop, and most rounds of a whole world.
const MAX_ROUNDS: i64 = 1_000_000;
pub(super) const MAX_WORK: u64 = 4_000_000;
/// Cost of an include, in rounds.
const INCLUDE_WORK: u64 = 80;
/// Most elements of a world after unrolling its loops, and most elements and attributes inside them. Each is a body or the like, so
/// these bound the memory of a load.
pub(super) const MAX_EMITTED: u64 = 200_000;
const MAX_WEIGHT: u64 = 5_000_000;

impl Context {
    /// Reads a world file and passes every element of its root to `visit`, in document order, with `<include>`,
    /// `<variable>`, `<for>` and `<if>` executed. Values are evaluated when the visitor reads them, so variables have
    /// their values at that point in the file.
    ///
    /// As in MVSim, a `<for>` runs all rounds of its first child before the second child, its variable keeps its last value, and variables
    /// have no scopes.
    ///
    /// Errors are recorded; a file that cannot be read or parsed yields no elements.
    pub fn read_world(&self, path: &Path, visit: &mut dyn FnMut(&Element)) {
        self.with_file(path, |shown, text| {
            self.read_world_source(&Source::new(shown, directory_of(path), None, text), visit);
        });
    }

    /// Passes a file's display name and its text to `read`; while `read` runs, the file cannot be included again.
    fn with_file(&self, path: &Path, read: impl FnOnce(&str, &str)) {
        let shown = assets::shown(path);
        let Some(text) = self.read_file(path, &Place::of_file(&shown), &shown) else {
            return;
        };
        self.including.borrow_mut().push(canonical(path));
        read(&shown, &text);
        self.including.borrow_mut().pop();
    }

    /// [`Self::read_world`] from text. `name` is the file name shown in places, relative paths start from `directory`.
    pub fn read_world_text(&self, name: &str, directory: &Path, text: &str, visit: &mut dyn FnMut(&Element)) {
        self.read_world_source(&Source::new(name, directory, None, text).by(self.author_of_texts()), visit);
    }

    /// The author of a text that is not a file: the requester of the load.
    fn author_of_texts(&self) -> Author {
        if self.is_for_caller() { Author::Remote } else { Author::Local }
    }

    fn read_world_source(&self, source: &Source, visit: &mut dyn FnMut(&Element)) {
        let Some(roots) = parse::parse(self, source) else {
            return;
        };
        let Some(root) = roots.first() else {
            self.error(&source.place(0).whole(), "no element in it").accepted(["<mvsim_world>"]);
            return;
        };
        if root.tag != "mvsim_world" {
            self.error(&root.place, format!("root element is <{}>", root.tag))
                .accepted(["<mvsim_world>"])
                .hint("files with classes or sensors are read through <include> in a world file");
            return;
        }
        if let Some(version) = root.attribute("version") {
            // Anything after the two numbers is ignored, as by `scanf`.
            let after_major = version.value.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
            let minor = after_major.strip_prefix('.').filter(|_| version.value.trim_start().len() > after_major.len());
            if !minor.is_some_and(|minor| minor.starts_with(|c: char| c.is_ascii_digit())) {
                self.error(&version.place, format!("bad version \"{}\"", version.value))
                    .accepted(["MAJOR.MINOR, as in 1.0"]);
            }
        }
        for extra in roots.iter().skip(1) {
            self.warn(&extra.place, format!("{} behind the world is ignored", extra.describe()));
        }
        self.walk(&root.children, visit);
    }

    /// Reads a file as an `<include>` does and passes its roots to `visit`, with `<include>`, `<variable>`, `<for>` and
    /// `<if>` executed. The names of a body stay `${NAME}` until values are read.
    pub fn read_part(&self, path: &Path, visit: &mut dyn FnMut(&Element)) {
        self.with_file(path, |shown, text| {
            self.read_part_source(Source::new(shown, directory_of(path), None, text), visit);
        });
    }

    /// [`Self::read_part`] from text. `name` is the file name shown in places, relative paths start from `directory`.
    pub fn read_part_text(&self, name: &str, directory: &Path, text: &str, visit: &mut dyn FnMut(&Element)) {
        let place = Place::of_file(name);
        if text.len() > MAX_BYTES {
            self.error(&place, format!("longer than {} MiB", MAX_BYTES >> 20));
        } else if let Err(failure) = self.spend(text.len()) {
            self.fail(&place, failure);
        } else {
            self.read_part_source(Source::new(name, directory, None, text).by(self.author_of_texts()), visit);
        }
    }

    /// The roots of a file that is XML in another format than that of worlds: texts are kept as written, nothing is
    /// substituted or executed. `included_from` is the tag that names the file, if one does. None, with the error
    /// recorded, if it cannot be read or parsed.
    pub fn read_plain(&self, path: &Path, included_from: Option<&Place>) -> Option<Vec<Element>> {
        let mut roots = None;
        self.with_file(path, |shown, text| {
            let source = Source::new(shown, directory_of(path), included_from.cloned(), text);
            roots = parse::parse(self, &source);
        });
        roots
    }

    fn read_part_source(&self, source: Source, visit: &mut dyn FnMut(&Element)) {
        if let Some(roots) = self.roots_of_part(source, None, &["NAME", "PARENT_NAME"]) {
            self.walk(&roots, visit);
        }
    }

    /// The roots of a file that is included by this element, if it is by one, with its `${…}` replaced.
    fn roots_of_part(&self, mut source: Source, include: Option<&Element>, deferred: &[&str]) -> Option<Vec<Element>> {
        let declared = Declared::read(self, &source)?;
        include.inspect(|element| declared.check(self, element, source.original()));
        let attributes = include.map_or(&[][..], |element| &element.attributes);
        let is_good = substitute::substitute(self, &mut source, &declared, attributes, deferred);
        let roots = is_good.then(|| parse::parse(self, &source)).flatten()?;
        Some(declared.other_roots(self, roots))
    }

    /// A copy of `element` with its includes executed. In a `…:class` the included roots replace the `<include>`, and the children of an
    /// `<if>` whose condition holds replace the `<if>`. In any other element (an instance) only `<include>` is executed, and the included
    /// elements come before the element's own children: the first tag of a name wins there.
    ///
    /// Files that a class includes may name further files relative to the folder of the class, as in MVSim, or to their own.
    pub fn expand_body(&self, element: &Element) -> Element {
        let mut expanded = Element { children: Vec::new(), ..element.clone() };
        if element.tag.ends_with(":class") {
            self.expand_children(&element.children, Some(&element.directory), &mut expanded.children);
            return expanded;
        }
        let mut own_children = Vec::new();
        for child in &element.children {
            if child.tag == "include" {
                self.expand_children(std::slice::from_ref(child), None, &mut expanded.children);
            } else {
                own_children.push(child.clone());
            }
        }
        expanded.children.extend(own_children);
        expanded
    }

    /// `class` is the folder of the class; none for an instance.
    fn expand_children(&self, from: &[Element], class: Option<&Path>, into: &mut Vec<Element>) {
        for child in from {
            match child.tag.as_str() {
                _ if self.halted.get() => return,
                "include" => self.include(child, class, &["NAME", "PARENT_NAME"], &mut |roots| {
                    self.expand_children(roots, class, into);
                }),
                "if" if class.is_some() => self.run_if(child, || self.expand_children(&child.children, class, into)),
                _ if self.count_emitted(child, 0) => into.push(child.clone()),
                _ => return,
            }
        }
    }

    fn walk(&self, elements: &[Element], visit: &mut dyn FnMut(&Element)) {
        for element in elements {
            self.step(element, visit);
        }
    }

    fn step(&self, element: &Element, visit: &mut dyn FnMut(&Element)) {
        if self.cancel().is_cancelled() && !self.halted.get() {
            self.halt(&element.place, CANCELLED);
        }
        if self.halted.get() {
            return;
        }
        match element.tag.as_str() {
            "include" => self.include(element, None, &[], &mut |roots| self.walk(roots, visit)),
            "variable" => self.assign(element),
            "if" => self.run_if(element, || self.walk(&element.children, visit)),
            "for" => self.repeat(element, visit),
            _ if self.count_emitted(element, 1) => visit(element),
            _ => {}
        }
    }

    /// Counts an element that is passed on; false, with an error, once a world has too many.
    fn count_emitted(&self, element: &Element, count: u64) -> bool {
        fn weight(element: &Element) -> u64 {
            1 + element.attributes.len() as u64 + element.children.iter().map(weight).sum::<u64>()
        }
        let (emitted, weight_so_far) = self.emitted.get();
        let (emitted, weight_so_far) = (emitted + count, weight_so_far + weight(element));
        self.emitted.set((emitted, weight_so_far));
        let good = emitted <= MAX_EMITTED && weight_so_far <= MAX_WEIGHT;
        if !good {
            self.halt(&element.place, "too many elements after loops are expanded")
                .accepted([format!("at most {MAX_EMITTED}, with at most {MAX_WEIGHT} tags and attributes in them")]);
        }
        good
    }

    /// Records an error and stops processing.
    fn halt(&self, place: &Place, message: &str) -> Report<'_> {
        self.halted.set(true);
        self.error(place, message)
    }

    /// An attribute of a flow tag, evaluated; a missing one is an error.
    fn required_attribute(&self, element: &Element, name: &str) -> Option<(String, Place)> {
        let Some(attribute) = element.attribute(name) else {
            self.error(&element.place, format!("missing attribute \"{name}\" in <{}>", element.tag));
            return None;
        };
        let value = self.evaluate(&attribute.value, &attribute.place, Scope::World, &[])?;
        Some((value, attribute.place.clone()))
    }

    fn warn_unknown_attributes(&self, element: &Element, known: &[&str]) {
        for attribute in &element.attributes {
            if !known.contains(&attribute.name.as_str()) {
                self.warn(
                    &attribute.name_place,
                    format!("unknown attribute \"{}\" in <{}>", attribute.name, element.tag),
                )
                .accepted(known.iter().copied());
            }
        }
    }

    fn assign(&self, element: &Element) {
        self.warn_unknown_attributes(element, &["name", "value"]);
        let name = self.required_attribute(element, "name");
        let value = self.required_attribute(element, "value");
        if let (Some((name, _)), Some((value, place))) = (name, value) {
            self.note_assignment(&place);
            self.assign_variable(name.trim(), value);
        }
    }

    /// Runs `inner`, which processes the content of an `<if>`, if its condition holds.
    fn run_if(&self, element: &Element, inner: impl FnOnce()) {
        self.warn_unknown_attributes(element, &["condition"]);
        if self.required_attribute(element, "condition").is_some_and(|(text, _)| value::is_true(&text)) {
            self.nested(&element.place, inner);
        }
    }

    fn repeat(&self, element: &Element, visit: &mut dyn FnMut(&Element)) {
        self.warn_unknown_attributes(element, &["var", "from", "to"]);
        let bound = |name: &str| {
            let (text, place) = self.required_attribute(element, name)?;
            match value::scan_integer(&text) {
                Some((bound, _)) => Some(bound),
                None => {
                    self.error(&place, format!("bad value \"{text}\" for attribute \"{name}\" in <for>"))
                        .accepted(["a whole number"]);
                    None
                }
            }
        };
        let (name, from, to) = (self.required_attribute(element, "var"), bound("from"), bound("to"));
        let (Some((name, _)), Some(from), Some(to)) = (name, from, to) else {
            return;
        };
        if element.children.is_empty() {
            self.warn(&element.place, "the <for> is empty");
        }
        if to.saturating_sub(from) >= MAX_ROUNDS {
            self.error(&element.place, format!("a <for> from {from} to {to}"))
                .accepted([format!("at most {MAX_ROUNDS} rounds")]);
            return;
        }
        self.note_assignment(&element.place);
        self.nested(&element.place, || {
            for child in &element.children {
                for round in from..=to {
                    if !self.charge_work(&element.place, 1) {
                        return;
                    }
                    self.declare_loop(name.trim());
                    self.set_variable(name.trim(), round.to_string());
                    self.step(child, visit);
                }
            }
        });
    }

    /// Runs `inner` one level deeper, or records an error if that is too deep.
    fn nested(&self, place: &Place, inner: impl FnOnce()) {
        let depth = self.depth.get();
        if depth >= DEEPEST_FLOW {
            let message = format!("for, if and include more than {DEEPEST_FLOW} deep in each other");
            self.error(place, message);
            return;
        }
        self.depth.set(depth + 1);
        inner();
        self.depth.set(depth);
    }

    /// Counts a loop round or an include; false, with an error, once a world has had too many.
    fn charge_work(&self, place: &Place, cost: u64) -> bool {
        let work = self.work.get() + cost;
        self.work.set(work);
        if work >= MAX_WORK && !self.halted.get() {
            self.halt(place, "too many loop rounds and includes in this world")
                .accepted([format!("at most {MAX_WORK} loop rounds or {} includes", MAX_WORK / INCLUDE_WORK)]);
        }
        !self.halted.get()
    }

    /// Reads the file that an `<include>` names and passes its roots to `use_roots`. The file is searched in the folder
    /// `first`, if given, then in that of the file with the tag. `deferred` are the names that stay `${NAME}`.
    fn include(
        &self,
        element: &Element,
        first: Option<&Path>,
        deferred: &[&str],
        use_roots: &mut dyn FnMut(&[Element]),
    ) {
        let Some((file, place)) = self.required_attribute(element, "file") else {
            return;
        };
        if !self.charge_work(&element.place, INCLUDE_WORK) {
            return;
        }
        let author = self.author_at(&place);
        let first = first.and_then(|folder| self.assets.local(folder, &file, author).ok());
        let path = match first
            .filter(|path| input_file::is_file(path))
            .map_or_else(|| self.assets.local(&element.directory, &file, author), Ok)
        {
            Ok(path) => path,
            Err(problem) => {
                self.error(&place, problem.first_line()).parts_of(problem);
                return;
            }
        };
        let shown = assets::shown(&path);
        let canonical = canonical(&path);
        {
            let including = self.including.borrow();
            if including.contains(&canonical) {
                self.error(&place, format!("\"{shown}\" includes itself"));
                return;
            }
            if including.len() > DEEPEST_INCLUDE {
                self.error(&place, format!("includes more than {DEEPEST_INCLUDE} deep"));
                return;
            }
        }
        let Some(text) = self.read_file(&path, &place, &shown) else {
            return;
        };
        let directory = directory_of(&path);
        let source = Source::new(&shown, directory, Some(element.place.clone()), &text).by(author);
        let Some(roots) = self.roots_of_part(source, Some(element), deferred) else {
            return;
        };
        self.including.borrow_mut().push(canonical);
        self.nested(&element.place, || use_roots(&roots));
        self.including.borrow_mut().pop();
    }

    /// The text of a file; bytes that are not UTF-8 are replaced, with a warning.
    fn read_file(&self, path: &Path, place: &Place, shown: &str) -> Option<Arc<str>> {
        let known = self.texts.borrow().get(path).cloned();
        let file = match known {
            Some(file) => file,
            None => self.read_new_file(path, place, shown)?,
        };
        if let Err(failure) = self.spend(file.text.len()) {
            self.fail(place, failure);
            self.halted.set(true);
            return None;
        }
        if let Some(at) = file.bad {
            let source = Source::new(shown, directory_of(path), place.included_from.as_deref().cloned(), &file.text);
            let message = "bytes that are not UTF-8, read as \"\u{fffd}\"";
            self.warn(&source.place_of_original(at), message);
        }
        Some(file.text)
    }

    fn read_new_file(&self, path: &Path, place: &Place, shown: &str) -> Option<FileText> {
        let bytes = match input_file::read(path, MAX_BYTES as u64) {
            Ok(bytes) => bytes,
            Err(error) => {
                let subject = if place.line == 0 { String::new() } else { format!("\"{shown}\" ") };
                let reason = match error.kind() {
                    io::ErrorKind::NotFound if error.get_ref().is_none() => Diagnostic::of("no such file"),
                    io::ErrorKind::NotFound | io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge => error.into(),
                    _ => Diagnostic::of(error.to_string().to_lowercase()),
                };
                self.error(place, format!("{subject}cannot be read: {}", reason.found)).parts_of(reason);
                return None;
            }
        };
        let file = match String::from_utf8(bytes) {
            Ok(text) => FileText { text: text.into(), bad: None },
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                FileText { text: text.into(), bad: Some(error.utf8_error().valid_up_to()) }
            }
        };
        self.texts.borrow_mut().insert(path.to_path_buf(), file.clone());
        Some(file)
    }
}

/// The folder that contains `path`.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The canonical form of `path`, so that the same file is recognised.
fn canonical(path: &Path) -> std::path::PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
