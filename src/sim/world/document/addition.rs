//! Vehicles and blocks that are added to a world file.

use std::path::Path;

use skidpad_files::input_file;
use skidpad_math::Pose2;
use skidpad_xml::edit::{Change, escaped};
use skidpad_xml::spans::Spans;

use super::body::heading;
use super::{EditError, Planned, WorldDocument, check_number, tidy};
use crate::world::EntityKind;

/// Longest file with a class that is offered [bytes].
const MAX_FILE: u64 = 1 << 20;

/// What is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addition {
    /// An instance of a class of the world.
    Class(String),
    /// An instance of a class from a file, which the world includes from then on.
    File(ClassFile),
    /// A block of a [plain shape](PLAIN_SHAPES).
    Shape(String),
}

/// A file with a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassFile {
    /// The class.
    pub class: String,
    /// What it describes.
    pub kind: EntityKind,
    /// Its path, relative to the folder of the world, with `/` between folders.
    pub path: String,
}

/// A block that needs no class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainShape {
    /// Its name, from which the names of blocks are made.
    pub name: &'static str,
    /// Its tags besides the pose.
    lines: &'static [&'static str],
}

/// The plain shapes.
pub const PLAIN_SHAPES: [PlainShape; 3] = [
    PlainShape {
        name: "box",
        lines: &[
            "<shape> <pt>-0.25 -0.25</pt> <pt>-0.25 0.25</pt> <pt>0.25 0.25</pt> <pt>0.25 -0.25</pt> </shape>",
            "<zmin>0</zmin> <zmax>0.5</zmax>",
            "<color>#b08050</color>",
        ],
    },
    PlainShape {
        name: "cylinder",
        lines: &[
            "<geometry type=\"cylinder\" radius=\"0.25\" length=\"0.5\" vertex_count=\"12\"/>",
            "<color>#5080b0</color>",
        ],
    },
    PlainShape {
        name: "ramp",
        lines: &[
            "<static>true</static>",
            "<geometry type=\"ramp\" lx=\"2\" ly=\"1\" lz=\"0.2\"/>",
            "<color>#909090</color>",
        ],
    },
];

impl ClassFile {
    /// The classes that the file at `path`, below `directory`, defines. Classes whose names depend on variables are
    /// left out, as are files that cannot be read.
    pub fn in_file(directory: &Path, path: &str) -> Vec<ClassFile> {
        let Ok(text) = input_file::read_text(&directory.join(path), MAX_FILE) else { return Vec::new() };
        let Some(spans) = Spans::of(text.strip_prefix('\u{feff}').unwrap_or(&text)) else { return Vec::new() };
        let class = |element: usize| {
            let kind = match spans.tag(element) {
                "vehicle:class" => EntityKind::Vehicle,
                "block:class" => EntityKind::Block,
                _ => return None,
            };
            let class = spans.attribute_value(element, "name").filter(|name| is_plain(name))?;
            Some(ClassFile { class, kind, path: path.to_owned() })
        };
        let roots = (0..spans.elements().len()).filter(|&element| spans.element(element).parent.is_none());
        roots.filter_map(class).collect()
    }
}

/// Whether a name is a value and no expression, and one that names of bodies can begin with.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.len() <= 100 && !name.contains('$') && !name.chars().any(char::is_control)
}

pub(super) fn add(
    document: &WorldDocument,
    spans: &Spans<'_>,
    addition: &Addition,
    pose: Pose2,
) -> Result<Planned, EditError> {
    for (label, value) in [("x", pose.x), ("y", pose.y), ("yaw", pose.yaw)] {
        check_number(label, value)?;
    }
    let mut lines = Vec::new();
    let (tag, class, name, inside): (_, Option<&str>, _, &[&str]) = match addition {
        Addition::Shape(name) => {
            let shape = PLAIN_SHAPES.iter().find(|shape| shape.name == name).ok_or_else(|| {
                let names = PLAIN_SHAPES.map(|shape| shape.name).join(", ");
                EditError::Refused(format!("add: there is no shape \"{name}\"\n  accepted: {names}"))
            })?;
            ("block", None, shape.name, shape.lines)
        }
        Addition::Class(class) => {
            let classes = document.catalogue.classes();
            let known = classes.iter().find(|known| known.name == *class && is_plain(class)).ok_or_else(|| {
                let names: Vec<String> = classes.iter().map(|class| class.name.clone()).collect();
                EditError::Refused(format!(
                    "add: this world has no class \"{class}\"\n  accepted: {}",
                    names.join(", ")
                ))
            })?;
            (tag_of(known.kind), Some(class.as_str()), class.as_str(), &[])
        }
        Addition::File(file) => {
            let classes = document.catalogue.classes();
            if !classes.iter().any(|known| known.name == file.class && known.kind == file.kind) {
                lines.push(format!("<include file=\"{}\"/>", escaped(&file.path)));
            }
            (tag_of(file.kind), Some(file.class.as_str()), file.class.as_str(), &[])
        }
    };
    let name = free_name(document, name);
    let class = class.map(|class| format!(" class=\"{}\"", escaped(class))).unwrap_or_default();
    lines.push(format!("<{tag} name=\"{}\"{class}>", escaped(&name)));
    let [x, y, yaw] = [tidy(pose.x), tidy(pose.y), heading(pose.yaw)];
    lines.push(format!("  <init_pose>{x} {y} {yaw}</init_pose>"));
    lines.extend(inside.iter().map(|line| format!("  {line}")));
    lines.push(format!("</{tag}>"));
    let change = Change::of([spans.insert_last(document.root(spans)?, &lines)]);
    Ok(Planned { change, added: Some(name) })
}

fn tag_of(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Vehicle => "vehicle",
        EntityKind::Block => "block",
    }
}

/// `wanted`, or the first of `wanted_2`, `wanted_3`, … that nothing in the world is called.
fn free_name(document: &WorldDocument, wanted: &str) -> String {
    let taken: std::collections::BTreeSet<&String> =
        super::super::changes::catalogue::names_in(&document.scene).collect();
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}
