//! Names of an included file's own, which it declares in its first tags:
//!
//! ```xml
//! <arguments x="0" yaw="0" model=""/>    as the include gives them, or these defaults; without one ("") the include has to
//! <settings camera="0"/>                 likewise, or as the user sets them (`--set`, presets), unless the world has such a <variable>
//! ```
//! No other variable and no environment reaches them, so `${yaw}` in this file is never that of the world. What an include gives is
//! evaluated where the include stands, a default in the file. MVSim has nothing of this kind: there every name is looked up everywhere.

use quick_xml::events::Event;

use super::source::Source;
use super::{Attribute, Context, Element, parse};

const ARGUMENTS: &str = "arguments";
const SETTINGS: &str = "settings";

/// What a file declares.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Those of both tags, with their defaults.
    names: Vec<Attribute>,
    /// How many of them are settings; they come last.
    settings: usize,
    /// How many tags declare them, which are the first roots of the file.
    tags: usize,
}

/// The value of a declared name.
pub(super) enum Given {
    /// From outside the file: what it refers to is looked up there.
    Peers(String),
    /// The default.
    Inside(String),
}

impl Declared {
    /// The declarations at the head of `source`. None after recording an error.
    pub(super) fn read(context: &Context, source: &Source) -> Option<Declared> {
        let text = source.original();
        let mut declared = Declared::default();
        if ![ARGUMENTS, SETTINGS].iter().any(|tag| text.contains(&format!("<{tag}"))) {
            return Some(declared);
        }
        let mut reader = parse::reader_of(text);
        let mut lists = [Vec::new(), Vec::new()];
        // Whatever else is wrong with the text is found when all of it is parsed.
        while let Ok(event) = reader.read_event() {
            let (Event::Empty(start) | Event::Start(start)) = event else {
                if matches!(event, Event::Eof) {
                    break;
                }
                continue;
            };
            let list = match start.name().as_ref() {
                ARGUMENTS => 0,
                SETTINGS => 1,
                _ => break,
            };
            declared.tags += 1;
            lists[list].extend(parse::read_start(context, source, &start)?.attributes);
        }
        let [arguments, settings] = lists;
        declared.settings = settings.len();
        declared.names = arguments;
        declared.names.extend(settings);
        Some(declared)
    }

    /// Warns of attributes of an include that are no names in the file, which has this text. Nothing where it declares nothing.
    pub(super) fn check(&self, context: &Context, element: &Element, text: &str) {
        if self.tags == 0 {
            return;
        }
        let known = self.names.iter().map(|name| name.name.as_str());
        for given in element.attributes.iter().filter(|given| given.name != "file") {
            if !known.clone().any(|name| name == given.name) && !text.contains(&format!("${{{}", given.name)) {
                let message = format!("the included file has no argument \"{}\"", given.name);
                context.warn(&given.name_place, message).one_of(&given.name, known.clone());
            }
        }
    }

    /// Whether the file declares this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.name == name)
    }

    /// The value of a name that the file declares, from the attributes of its include; none of any other name.
    pub(super) fn value(&self, context: &Context, attributes: &[Attribute], name: &str) -> Option<Given> {
        let index = self.names.iter().position(|known| known.name == name)?;
        if let Some(given) = attributes.iter().find(|given| given.name == name) {
            return Some(Given::Peers(given.value.clone()));
        }
        let is_setting = index + self.settings >= self.names.len();
        if let Some(set) = if is_setting { context.setting(name) } else { None } {
            return Some(Given::Peers(set));
        }
        let default = &self.names[index];
        context.note_kept(&default.place, name, &default.value);
        Some(Given::Inside(default.value.clone()))
    }

    /// The roots of the file without those that declare.
    pub(super) fn other_roots(&self, context: &Context, mut roots: Vec<Element>) -> Vec<Element> {
        let other_roots = roots.split_off(self.tags.min(roots.len()));
        for late in other_roots.iter().filter(|root| [ARGUMENTS, SETTINGS].contains(&root.tag.as_str())) {
            context
                .error(&late.place, format!("<{}> after another tag", late.tag))
                .hint("make it the first tag of the file");
        }
        other_roots
    }
}
