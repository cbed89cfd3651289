//! Puts the models that `<include>` names in its place, so that the rest sees one tree.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use skidpad_xml::{Attribute, Context, Element, Place};

use super::files::Files;
use super::frames::DEEPEST;
use super::search::{NotFound, texts_in};
use super::{merge, stand_ins, text};

/// Most models that one import includes.
const MAX_MODELS: usize = 2000;
/// Most tags in all of them: a model of Gazebo's library has hundreds.
const MAX_TAGS: usize = 1_000_000;
/// Models that every installation of Gazebo has, and that need no file here: the ground is level at 0 and the sun shines anyway.
const BUILT_IN: [&str; 2] = ["ground plane", "sun"];

/// Attributes of a model in whose place a block stands: the class of the block and its file. No description has them: XML has no blanks in names.
pub(super) const STAND_IN: [&str; 2] = ["stand in", "stand in file"];

/// The inclusion of models.
pub(super) struct Includes<'a> {
    context: &'a Context,
    files: &'a Files,
    count: Cell<usize>,
    /// Tags of the models included so far.
    tags: Cell<usize>,
    /// Tags of each file that has been read, so that a file is counted before it is read again.
    known: RefCell<BTreeMap<PathBuf, usize>>,
    /// Set once there are too many: nothing more is included then.
    is_full: Cell<bool>,
    /// Models that are not there, each of which is one problem however often it is included.
    missing: RefCell<BTreeSet<String>>,
}

impl<'a> Includes<'a> {
    pub(super) fn new(context: &'a Context, files: &'a Files) -> Includes<'a> {
        Includes {
            context,
            files,
            count: Cell::new(0),
            tags: Cell::new(0),
            known: RefCell::default(),
            is_full: Cell::new(false),
            missing: RefCell::default(),
        }
    }

    /// A copy of `element` in which the included models stand where they are included. A model that cannot be included is a warning.
    pub(super) fn expand(&self, element: &Element, depth: usize) -> Element {
        let mut expanded = Element { children: Vec::new(), ..element.clone() };
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for include in element.children.iter().filter(|child| child.tag == "include") {
            *times.entry(uri(include).unwrap_or_default()).or_default() += 1;
        }
        let mut names = Names::default();
        for child in &element.children {
            match child.tag.as_str() {
                "include" => {
                    let times = times.remove(uri(child).unwrap_or_default()).unwrap_or(0);
                    let model = self.include(child, depth, times, element.tag == "world");
                    if element.tag == "model" && child.attribute("merge").is_some_and(|merge| is_true(&merge.value)) {
                        expanded.children.extend(model.into_iter().flat_map(merge::parts));
                        continue;
                    }
                    expanded.children.extend(model.map(|model| names.with_own(self.context, model, &child.place)));
                }
                "model" => {
                    let model = self.expand(child, depth);
                    expanded.children.push(names.with_own(self.context, model, &child.place));
                }
                "world" => expanded.children.push(self.expand(child, depth)),
                _ => expanded.children.push(child.clone()),
            }
        }
        expanded
    }

    /// Whether there are too many models or tags, which is an error.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.get()
    }

    /// Counts the tags of a model that is included so many `times` at one place, before it is copied; false, with an
    /// error, once all have too many.
    fn count_tags(&self, tags: usize, times: usize, include: &Element) -> bool {
        let all = self.tags.get().saturating_add(tags.saturating_mul(times));
        self.tags.set(all);
        let is_good = all <= MAX_TAGS;
        if !is_good {
            self.is_full.set(true);
            let model = match times {
                1 => format!("this model, of {tags} tags"),
                _ => format!("{times} of this model, of {tags} tags each"),
            };
            self.context
                .error(&include.place, format!("with {model}, the included models have {all} tags"))
                .accepted([format!("at most {MAX_TAGS} tags in all included models")]);
        }
        is_good
    }

    /// The model of an `<include>`. `times`: how many of its kind there are at this place, for the first of them; 0 for
    /// the others, which are counted. `in_world`: nothing else is around it, so that a block may stand in for it.
    fn include(&self, include: &Element, depth: usize, times: usize, in_world: bool) -> Option<Element> {
        if self.is_full.get() {
            return None;
        }
        let place = &include.place;
        let warn = |why: String| self.context.warn(place, format!("the model is left out: {why}"));
        let Some(address) = uri(include) else {
            self.context.error(place, "missing <uri> in <include>");
            return None;
        };
        let name = name_at(address);
        let shown = name.to_lowercase();
        if BUILT_IN.contains(&shown.as_str()) {
            return None;
        }
        self.count.set(self.count.get() + 1);
        if depth > DEEPEST || self.count.get() > MAX_MODELS {
            let accepted = format!("at most {MAX_MODELS} models, included up to {DEEPEST} deep");
            self.context.error(place, "too many models are included").accepted([accepted]);
            self.is_full.set(true);
            return None;
        }
        let model_path = self.files.search.find(&include.directory, address);
        if model_path.is_err()
            && in_world
            && let Some(class) = stand_ins::class_of(&name)
            && let Some(file) = self.files.block(class)
        {
            if self.missing.borrow_mut().insert(address.to_owned()) {
                let message = format!("the model \"{shown}\" is missing: the block class \"{class}\" replaces it");
                self.context.warn(place, message);
            }
            return Some(stand_in(include, &shown, [class, &file]));
        }
        if let Err(NotFound { package: Some(name), .. }) = &model_path
            && !self.missing.borrow_mut().insert(name.clone())
        {
            return None;
        }
        let file = match model_path.map_err(|not_found| not_found.why).and_then(|path| model_file(&path)) {
            Ok(file) => file,
            Err(why) => {
                warn(why);
                return None;
            }
        };
        let known = self.known.borrow().get(&file).copied();
        if known.is_some_and(|tags| !self.count_tags(tags, times, include)) {
            return None;
        }
        let roots = self.context.read_plain(&file, Some(place))?;
        let root = roots.first()?;
        if known.is_none() {
            let tags = tags_in(root);
            self.known.borrow_mut().insert(file.clone(), tags);
            if !self.count_tags(tags, times, include) {
                return None;
            }
        }
        let Some(model) = root.child("model").filter(|_| root.tag == "sdf") else {
            warn(format!("there is no <model> of SDF in {}", file.display()));
            return None;
        };
        let mut model = self.expand(model, depth + 1);
        if let Some(name) = include.child("name").and_then(|name| name.text.as_ref()) {
            model.attributes.retain(|attribute| attribute.name != "name");
            model.attributes.push(attribute("name", &name.value, include));
        }
        if let Some(frame) = include.child("placement_frame").and_then(|frame| frame.text.as_ref()) {
            model.attributes.retain(|attribute| attribute.name != "placement_frame");
            model.attributes.push(attribute("placement_frame", &frame.value, include));
        }
        for tag in ["pose", "static"] {
            if let Some(of_include) = include.child(tag) {
                model.children.retain(|child| child.tag != tag);
                model.children.push(of_include.clone());
            }
        }
        model.children.extend(include.children.iter().filter(|child| child.tag == "plugin").cloned());
        Some(model)
    }
}

/// The names of the models side by side, each with the last number that was added to it.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    /// The model, with another name if one beside it has the same: both would be at the place of the last one otherwise.
    fn with_own(&mut self, context: &Context, mut model: Element, place: &Place) -> Element {
        let Some(name) = model.attribute("name").map(|name| name.value.clone()) else { return model };
        let Some(number) = self.0.get_mut(&name) else {
            self.0.insert(name, 1);
            return model;
        };
        *number += 1;
        let mut unique_name = format!("{name}_{number}");
        while self.0.contains_key(&unique_name) {
            unique_name.push('_');
        }
        self.0.insert(unique_name.clone(), 1);
        context
            .warn(place, format!("a second model \"{name}\": here it is \"{unique_name}\""))
            .accepted(["a <name> of its own"]);
        for attribute in model.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
            attribute.value.clone_from(&unique_name);
        }
        model
    }
}

/// The name in the address of a model: its last part, decoded and with blanks for underscores, but not a slash, or the
/// version of a model of Gazebo's Fuel, behind it.
fn name_at(address: &str) -> String {
    let inner = address.split_once("://").map_or(address, |(_, inner)| inner).trim();
    let is_version = |part: &&str| *part == "tip" || part.bytes().all(|byte| byte.is_ascii_digit());
    let last = inner.rsplit('/').find(|part| !is_version(part)).unwrap_or(inner);
    percent_decode_str(last).decode_utf8_lossy().replace(|c: char| c == '_' || c.is_control(), " ")
}

/// A model without anything in it, in whose place a block of this class and file stands, called as the `<include>` says or else as the model.
fn stand_in(include: &Element, name: &str, class_and_file: [&str; 2]) -> Element {
    let stated_name = include.child("name").and_then(|name| name.text.as_ref()).map(|name| name.value.as_str());
    let mut model = Element::new("model", include.place.clone(), include.directory.clone());
    model.attributes.push(attribute("name", stated_name.unwrap_or(&text::identifier(name)), include));
    model.attributes.extend(STAND_IN.iter().zip(class_and_file).map(|(name, value)| attribute(name, value, include)));
    model.children.extend(["pose", "static"].iter().filter_map(|tag| include.child(tag)).cloned());
    model
}

/// Whether an attribute says yes.
fn is_true(text: &str) -> bool {
    ["true", "1"].contains(&text.trim())
}

/// The address that an `<include>` names.
fn uri(include: &Element) -> Option<&str> {
    include.child("uri")?.text.as_ref().map(|text| text.value.as_str())
}

/// Number of tags of an element, its own among them.
fn tags_in(element: &Element) -> usize {
    1 + element.children.iter().map(tags_in).sum::<usize>()
}

fn attribute(name: &str, value: &str, of: &Element) -> Attribute {
    Attribute { name: name.to_owned(), value: value.to_owned(), place: of.place.clone(), name_place: of.place.clone() }
}

/// The file of a model: itself, or that of a model's folder, which may have a file for each version of SDF, the newest last.
fn model_file(path: &Path) -> Result<PathBuf, String> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let stated = texts_in(&path.join("model.config"), "sdf").into_iter().rev();
    let mut files = std::iter::once("model.sdf".to_owned()).chain(stated).map(|name| path.join(name));
    files.find(|file| file.is_file()).ok_or_else(|| format!("no model.sdf in {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_model_is_in_any_usual_address() {
        for (address, name) in [
            ("model://construction_cone", "construction cone"),
            ("model://cone/", "cone"),
            ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Construction%20Cone", "Construction Cone"),
            ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Construction Cone/2", "Construction Cone"),
            ("https://fuel.gazebosim.org/1.0/OpenRobotics/models/Construction%20Cone/tip/", "Construction Cone"),
            ("model://a%00b", "a b"),
            ("model://2", "2"),
        ] {
            assert_eq!(name_at(address), name, "{address}");
        }
    }

    /// The text of the world and the first warning, for a world with this in it and a library in this folder.
    fn imported(inside: &str, library: &str, has_block: bool) -> (String, String) {
        let lab = tempfile::tempdir().unwrap();
        let library = lab.path().join(library);
        std::fs::create_dir_all(library.join("blocks")).unwrap();
        if has_block {
            std::fs::write(library.join("blocks/traffic_cone.block.xml"), "").unwrap();
        }
        let file = lab.path().join("w.world");
        std::fs::write(&file, format!("<sdf version=\"1.6\"><world name=\"w\">{inside}</world></sdf>")).unwrap();
        let imported = crate::import(&file, &lab.path().join("out"), Some(&library)).unwrap();
        let warning = imported.warnings.first().map(|warning| warning.message.clone());
        (imported.files.last().unwrap().text.clone(), warning.unwrap_or_default())
    }

    #[test]
    fn a_block_stands_in_only_if_the_world_can_name_its_file() {
        let cone =
            "<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Construction%20Cone/2</uri></include>";
        let (text, warning) = imported(cone, "worlds", true);
        assert!(text.contains("<block name=\"construction_cone\" class=\"traffic_cone\">"), "{text}");
        assert!(text.contains("<include file=\"../worlds/blocks/traffic_cone.block.xml\"/>"), "{text}");
        assert!(warning.ends_with("replaces it"), "{warning}");
        for (library, has_block) in [("worlds", false), ("$worlds", true)] {
            let (text, warning) = imported(cone, library, has_block);
            assert!(!text.contains("<block") && warning.starts_with("the model is left out"), "{text}\n{warning}");
        }
    }

    #[test]
    fn no_attribute_of_a_description_makes_a_model_a_block_of_the_library() {
        let model = "<model name=\"m\" stand_in=\"traffic_cone\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><box>
            <size>1 1 1</size></box></geometry></collision></link></model>";
        let (text, _) = imported(model, "worlds", true);
        assert!(text.contains("<block name=\"m") && !text.contains("traffic_cone"), "{text}");
    }
}
