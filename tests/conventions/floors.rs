//! The order of the crates, and of the modules of the two large ones: ARCHITECTURE.md lists them, and imports point up the table of crates and down the
//! lists of rooms only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{Text, none, root, sources};

/// The folders of the crates whose modules have an order. Each has a list in ARCHITECTURE.md behind "```rooms" and its name.
const CRATES: [&str; 2] = ["sim", "ros"];

/// The floor of each module of a crate, counted from the top.
type Floors = BTreeMap<String, usize>;

/// Reads the list of a crate: a line per floor, names separated by spaces.
fn floors(document: &str, of: &str) -> Floors {
    let head = format!("```rooms {of}\n");
    let (_, after_head) = document.split_once(&head).unwrap_or_else(|| panic!("ARCHITECTURE.md has no {head}"));
    let (list, _) = after_head.split_once("```").expect("the list ends");
    let mut floors = Floors::new();
    for (floor, line) in list.lines().enumerate() {
        for name in line.split_whitespace() {
            assert_eq!(floors.insert(name.to_owned(), floor), None, "{name} is listed twice");
        }
    }
    floors
}

fn listed(of: &str) -> Floors {
    floors(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap(), of)
}

/// The modules that a file of crate `of` is in, from the outermost: `["world", "load", "block"]`, and an empty list for `lib.rs`; none
/// for files of other crates, for examples and for tests of the whole crate.
fn modules<'a>(path: &'a str, of: &str) -> Option<Vec<&'a str>> {
    let path = path.strip_prefix("src/")?.strip_prefix(of)?.strip_prefix('/')?.strip_suffix(".rs")?;
    let is_module = !["examples/", "tests/"].iter().any(|folder| path.starts_with(folder));
    is_module.then(|| path.split('/').filter(|part| !["mod", "lib"].contains(part)).collect())
}

fn identifier(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// The names behind `prefix` in a piece of code: one, or those of a group in braces.
fn names_behind<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (start, _) in code.match_indices(prefix) {
        let is_whole = !code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let imported = &code[start + prefix.len()..];
        match imported.strip_prefix('{') {
            _ if !is_whole => {}
            None => names.push(identifier(imported)),
            Some(group) => {
                let mut depth = 0;
                for part in group.split_inclusive(['{', '}', ',']) {
                    if depth == 0 {
                        names.push(identifier(part.trim_start()));
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
    names.retain(|name| !name.is_empty());
    names
}

/// Imports within a crate that do not point down, with the file that has them.
fn upward(files: &[Text], of: &str, floors: &Floors) -> Vec<String> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        let modules = modules(&file.path, of).unwrap_or_default();
        let Some(top) = modules.first() else { continue };
        let Some(floor) = floors.get(*top) else {
            violations.push(format!("{}: \"{top}\" is not listed in ARCHITECTURE.md", file.path));
            continue;
        };
        let code: String = file.code().map(|(_, line)| format!("{line}\n")).collect();
        let to_root = "super::".repeat(modules.len());
        let names = ["crate::", &to_root].into_iter().flat_map(|prefix| names_behind(&code, prefix));
        let is_upward = |name: &&str| name != top && floors.get(*name).is_some_and(|other| other <= floor);
        let message =
            |name| format!("{}: imports {name}\n  accepted: what ARCHITECTURE.md lists below {top}", file.path);
        violations.extend(names.filter(is_upward).map(message));
    }
    violations
}

#[test]
fn imports_point_down_the_lists_of_rooms() {
    let sources = sources();
    for of in CRATES {
        none(upward(&sources, of, &listed(of)));
    }
}

#[test]
fn the_lists_have_all_modules_and_no_others() {
    let sources = sources();
    for of in CRATES {
        let first = |file: &Text| modules(&file.path, of)?.first().map(|name| (*name).to_owned());
        let existing: BTreeSet<String> = sources.iter().filter_map(first).collect();
        assert_eq!(listed(of).into_keys().collect::<BTreeSet<_>>(), existing, "{of}");
    }
}

#[test]
fn an_import_that_points_up_or_sideways_is_found() {
    let floors = floors("…\n```rooms sim\nworld tracking\nvehicle\nsensor\n```\n", "sim");
    let offenders = |path: &str, code: &str| upward(&[Text::new(path, code)], "sim", &floors).len();
    assert_eq!(offenders("src/sim/world/step.rs", "use crate::vehicle::Order;\nuse crate::world::Frame;\n"), 0);
    assert_eq!(offenders("src/sim/vehicle/step.rs", "use crate::world::Frame;\n"), 1);
    assert_eq!(offenders("src/sim/vehicle/step.rs", "use super::super::world::Frame;\n"), 1);
    assert_eq!(offenders("src/sim/vehicle/mod.rs", "use super::world::Frame;\n"), 1);
    assert_eq!(offenders("src/sim/vehicle/drive/mod.rs", "use super::world::Frame;\n"), 0, "a module of vehicle");
    assert_eq!(offenders("src/sim/world/step.rs", "fn f() -> crate::tracking::Tracker {}\n"), 1, "sideways");
    assert_eq!(
        offenders("src/sim/sensor.rs", "use crate::{\n    raycast,\n    vehicle::{Order, sensor},\n    world,\n};\n"),
        2
    );
    assert_eq!(
        offenders(
            "src/sim/sensor.rs",
            "// crate::world is above\n#[cfg(test)]\nmod tests {\n    use crate::world::World;\n}\n"
        ),
        0
    );
    assert_eq!(offenders("src/sim/lib.rs", "pub use world::World;\nfn a() -> crate::world::Frame {}\n"), 0);
    assert_eq!(offenders("src/ros/sensor.rs", "use crate::world::Frame;\n"), 0, "of another crate");
    assert_eq!(offenders("src/sim/new/mod.rs", ""), 1, "not listed");
}

/// Name and folder of the crates of the first table of ARCHITECTURE.md, from the top.
fn crates(document: &str) -> Vec<(String, String)> {
    let rows = document.lines().skip_while(|line| !line.starts_with("| Crate |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cell =
        |row: &str, column| row.split('|').nth(column).and_then(|cell| cell.split('`').nth(1)).map(str::to_owned);
    rows.filter_map(|row| Some((cell(row, 1)?, cell(row, 2)?))).collect()
}

/// Crates of the table that the manifest of crate number `index` names and that do not stand above it.
fn below<'a>(crates: &'a [(String, String)], index: usize, manifest: &str) -> Vec<&'a str> {
    let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
    let dependencies = dependencies.split("\n[").next().unwrap_or_default();
    let is_named = |name: &str| dependencies.lines().any(|line| line.split([' ', '.']).next() == Some(name));
    crates[index..].iter().map(|(name, _)| name.as_str()).filter(|name| is_named(name)).collect()
}

#[test]
fn crates_know_only_those_above_them_in_the_table() {
    let crates = crates(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap());
    let folders: BTreeSet<String> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").is_file() && !path.ends_with("test-support"))
        .map(|path| format!("src/{}", path.file_name().unwrap().to_string_lossy()))
        .collect();
    let (program, libraries) = crates.split_last().expect("crates");
    assert_eq!(program.0, "skidpad");
    assert_eq!(libraries.iter().map(|(_, folder)| folder.clone()).collect::<BTreeSet<_>>(), folders);
    for (index, (name, folder)) in libraries.iter().enumerate() {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{folder}");
        assert_eq!(below(&crates, index, &manifest), [""; 0], "{name} stands above these in ARCHITECTURE.md");
    }
    assert_eq!(
        below(&crates, 0, "[dependencies]\nskidpad-sim.workspace = true\n[dev-dependencies]\nskidpad-server = 1"),
        ["skidpad-sim"]
    );
}
