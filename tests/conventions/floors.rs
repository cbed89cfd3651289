//! The order of the folders of `src/`: ARCHITECTURE.md lists them as floors, and imports point down that list only.

use std::collections::BTreeMap;
use std::fs;

use super::{Text, none, root, sources};

/// Stands before the list in ARCHITECTURE.md.
const HEAD: &str = "```floors\n";

/// The floor of each folder or file of `src/`, counted from the top.
type Floors = BTreeMap<String, usize>;

/// Reads the list: a line per floor, names separated by spaces.
fn floors(document: &str) -> Floors {
    let (_, rest) = document.split_once(HEAD).expect("ARCHITECTURE.md lists the floors");
    let (list, _) = rest.split_once("```").expect("the list ends");
    let mut floors = Floors::new();
    for (floor, line) in list.lines().enumerate() {
        for name in line.split_whitespace() {
            assert_eq!(floors.insert(name.to_owned(), floor), None, "{name} is listed twice");
        }
    }
    floors
}

fn listed() -> Floors {
    floors(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap())
}

/// The modules that a file is in, from the outermost: `["world", "load", "block"]`, none for `lib.rs` and `main.rs`. The
/// outer crate re-exports the modules of `src/core/`, which have the same names there.
fn modules(path: &str) -> Vec<&str> {
    let path = path.trim_start_matches("src/").trim_start_matches("core/").trim_end_matches(".rs");
    path.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).collect()
}

/// The top-level module that a file belongs to; `main.rs` and the files in `bin` are programs of their own.
fn top(path: &str) -> Option<&str> {
    if path == "src/main.rs" { Some("main") } else { modules(path).first().copied() }
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// The names behind `prefix` in a piece of code: one, or those of a group in braces.
fn names_behind<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices(prefix) {
        let is_whole = !code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let rest = &code[start + prefix.len()..];
        match rest.strip_prefix('{') {
            _ if !is_whole => {}
            None => found.push(identifier(rest)),
            Some(group) => {
                let mut depth = 0;
                for part in group.split_inclusive(['{', '}', ',']) {
                    if depth == 0 {
                        found.push(identifier(part.trim_start()));
                    }
                    match part.as_bytes().last() {
                        Some(b'{') => depth += 1,
                        Some(b'}') if depth == 0 => break,
                        Some(b'}') => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// Imports that do not point down, with the file that has them.
fn upward(files: &[Text], floors: &Floors) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        let Some(top) = top(&file.path) else { continue };
        let Some(floor) = floors.get(top) else {
            found.push(format!("{}: \"{top}\" is on no floor of ARCHITECTURE.md", file.path));
            continue;
        };
        let code: String = file.code().map(|(_, line)| format!("{line}\n")).collect();
        let to_root = "super::".repeat(modules(&file.path).len());
        let prefixes = ["crate::", if ["main", "bin"].contains(&top) { "skidpad::" } else { &to_root }];
        for name in prefixes.into_iter().flat_map(|prefix| names_behind(&code, prefix)) {
            if name != top && floors.get(name).is_some_and(|other| other <= floor) {
                found
                    .push(format!("{}: imports {name}\n  accepted: what ARCHITECTURE.md lists below {top}", file.path));
            }
        }
    }
    found
}

#[test]
fn imports_point_down_the_list_of_floors() {
    none(upward(&sources(), &listed()));
}

#[test]
fn the_list_of_floors_has_all_folders_and_no_others() {
    let sources = sources();
    let there: std::collections::BTreeSet<&str> = sources.iter().filter_map(|file| top(&file.path)).collect();
    let listed = listed();
    let listed: std::collections::BTreeSet<&str> = listed.keys().map(String::as_str).collect();
    assert_eq!(listed, there);
}

/// Files outside `src/core/` on the floors of the core, or lower.
fn below_the_core<'a>(files: &'a [Text], floors: &Floors) -> Vec<&'a str> {
    let is_core = |file: &Text| file.path.starts_with("src/core/");
    let floor = |file: &Text| top(&file.path).and_then(|top| floors.get(top)).copied();
    let highest = files.iter().filter(|file| is_core(file)).filter_map(floor).min();
    files.iter().filter(|file| !is_core(file) && floor(file) >= highest).map(|file| file.path.as_str()).collect()
}

#[test]
fn the_core_has_the_lowest_floors() {
    let offenders = below_the_core(&sources(), &listed()).into_iter().map(str::to_owned).collect();
    none(offenders);
    let floors = floors("```floors\nweb\nmath plot\n```\n");
    let files = ["src/core/math.rs", "src/plot/mod.rs", "src/web/mod.rs", "src/lib.rs"].map(|path| Text::new(path, ""));
    assert_eq!(below_the_core(&files, &floors), ["src/plot/mod.rs"]);
}

#[test]
fn an_import_that_points_up_or_sideways_is_found() {
    let floors = floors("…\n```floors\nros web\nworld\nmath\n```\n");
    let offenders = |path: &str, code: &str| upward(&[Text::new(path, code)], &floors).len();
    assert_eq!(offenders("src/world/step.rs", "use crate::math::Vec2;\nuse crate::world::Frame;\n"), 0);
    assert_eq!(offenders("src/world/step.rs", "use crate::ros::Topic;\n"), 1);
    assert_eq!(offenders("src/world/step.rs", "use super::super::ros::Topic;\n"), 1);
    assert_eq!(offenders("src/world/mod.rs", "use super::ros::Topic;\n"), 1);
    assert_eq!(offenders("src/world/load/mod.rs", "use super::ros::Topic;\n"), 0, "a module of world");
    assert_eq!(offenders("src/core/world/step.rs", "use super::super::ros::Topic;\n"), 1, "in the core");
    assert_eq!(offenders("src/web/sink.rs", "fn f() -> crate::ros::Topic {}\n"), 1, "sideways");
    assert_eq!(offenders("src/math.rs", "use crate::{\n    time,\n    world::{Frame, web},\n    ros,\n};\n"), 2);
    assert_eq!(
        offenders(
            "src/math.rs",
            "// crate::world is above\n#[cfg(test)]\nmod tests {\n    use crate::world::World;\n}\n"
        ),
        0
    );
    assert_eq!(offenders("src/new/mod.rs", ""), 1, "on no floor");
}
