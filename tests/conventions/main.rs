//! Conventions of the whole source, checked by reading it: sizes, heads, forbidden names in the core, tables, references.
//! Each check is a function that finds the offenders, and is also tested on a bad sample.

mod containers;
mod dependencies;
mod floors;
mod paths;
mod release;
mod seeds;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use skidpad::friction::FRICTION_LAWS;
use skidpad::sensor::SENSORS;
use skidpad::tracking::{LINEARIZERS, TRACKERS};
use skidpad::trajectory::TRAJECTORIES;
use skidpad::vehicle::{CONTROLLERS, DRIVES};

/// Longest file allowed [lines].
const MAX_LINES: usize = 600;
/// The parts of the simulation, and the crate below it, that must not block, read a clock, print or do I/O.
const CORE: &[&str] = &["sim/world", "vehicle", "sim/sensor", "tracking", "rays", "math"];
/// Names forbidden in the core.
const FORBIDDEN: &[&str] = &[
    "Mutex",
    "RwLock",
    "Instant",
    "SystemTime",
    "println!",
    "eprintln!",
    "print!",
    "dbg!",
    "std::net",
    "thread::",
    "HashMap",
    "HashSet",
    "thread_rng",
];
/// Notes that belong into the issue tracker, written such that this file contains none.
const NOTES: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file: its path from the root, with slashes, and its content.
struct Text {
    path: String,
    content: String,
}

impl Text {
    fn new(path: &str, content: &str) -> Text {
        Text { path: path.into(), content: content.into() }
    }

    /// The lines that are compiled into the program, numbered from 1, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.without_tests().map(|(number, line)| (number, line.split("//").next().unwrap_or_default()))
    }

    /// The lines outside of items under `#[cfg(test)]`, numbered from 1. Relies on the layout of rustfmt: an item ends with its
    /// first line, or with the next line of the same indentation that closes a brace or ends with a semicolon; a value on the
    /// next lines ends with any semicolon.
    fn without_tests(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut lines = self.content.lines().enumerate();
        std::iter::from_fn(move || {
            let (mut index, mut line) = lines.next()?;
            while line.trim_start() == "#[cfg(test)]" {
                let indentation = indentation(line);
                let mut item_lines = lines.by_ref().map(|(_, line)| line).skip_while(|line| {
                    let line = line.trim_start();
                    line.starts_with("#[") || line.starts_with("//")
                });
                let is_end = |line: &str| {
                    let inner = line.trim_start();
                    line.len() - inner.len() == indentation && (inner.starts_with('}') || inner.ends_with(';'))
                };
                let first = item_lines.next()?;
                if !first.ends_with([';', ',', '}']) {
                    item_lines.find(|line| is_end(line) || (first.ends_with('=') && line.ends_with(';')))?;
                }
                (index, line) = lines.next()?;
            }
            Some((index + 1, line))
        })
    }

    /// Whether it holds nothing but tests.
    fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.contains("tests/") || self.path.ends_with("tests.rs")
    }
}

/// Number of spaces at the start of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// All files under `folder` whose name ends in one of `endings`, sorted.
fn texts(folder: &str, endings: &[&str]) -> Vec<Text> {
    fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, endings, paths);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                paths.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(&root().join(folder), endings, &mut paths);
    paths.sort();
    let text = |path: &PathBuf| {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        Text { path: name, content: fs::read_to_string(path).unwrap() }
    };
    paths.iter().map(text).collect()
}

fn sources() -> Vec<Text> {
    // Build scripts run on the machine of whoever builds, before there is a library.
    let mut sources = texts("src", &[".rs"]);
    sources.retain(|file| !file.path.ends_with("/build.rs"));
    assert!(sources.len() > 50, "{} sources found", sources.len());
    sources
}

/// Fails with the list of offenders.
#[track_caller]
fn none(offenders: Vec<String>) {
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

fn too_long(files: &[Text]) -> Vec<String> {
    let length = |file: &Text| file.content.lines().count();
    let long = files.iter().filter(|file| length(file) > MAX_LINES);
    long.map(|file| format!("{}: {} lines\n  accepted: {MAX_LINES}", file.path, length(file))).collect()
}

fn headless(files: &[Text]) -> Vec<String> {
    let headless = files.iter().filter(|file| !file.content.starts_with("//! "));
    headless.map(|file| format!("{}: does not start with //! and what it is for", file.path)).collect()
}

/// Occurrences of `words` in the code of files for which `counts` holds.
fn named(files: &[Text], words: &[&str], counts: impl Fn(&str) -> bool) -> Vec<String> {
    let mut uses = Vec::new();
    for file in files.iter().filter(|file| counts(&file.path) && !file.is_test()) {
        for (number, line) in file.code() {
            for word in words.iter().filter(|word| line.contains(**word)) {
                uses.push(format!("{}:{number}: {word}", file.path));
            }
        }
    }
    uses
}

fn notes(files: &[Text]) -> Vec<String> {
    let mut lines = Vec::new();
    for file in files {
        for (index, line) in file.content.lines().enumerate() {
            if line.split(|c: char| !c.is_alphanumeric()).any(|word| NOTES.contains(&word)) {
                lines.push(format!("{}:{}: {}", file.path, index + 1, line.trim()));
            }
        }
    }
    lines
}

fn is_core(path: &str) -> bool {
    CORE.iter().any(|part| path.strip_prefix("src/").and_then(|p| p.strip_prefix(part)).is_some_and(is_end))
}

fn is_end(suffix: &str) -> bool {
    suffix.is_empty() || suffix.starts_with('/')
}

/// The only files of the core that read files, on loading.
fn reads_files(path: &str) -> bool {
    const READERS: [&str; 4] = [
        "src/sim/world/map_file/mod.rs",
        "src/sim/world/point_file.rs",
        "src/sim/world/terrain/file.rs",
        "src/tracking/waypoint_file/mod.rs",
    ];
    READERS.contains(&path)
}

fn may_name_rapier(path: &str) -> bool {
    path.starts_with("src/sim/world/physics/")
}

/// Problems with the names and helps of a table of plug-ins.
fn bad_entries(table: &str, entries: &[(&str, &str)]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for (name, help) in entries {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
            faults.push(format!("{table}: \"{name}\" is not a name"));
        }
        if !names.insert(name) {
            faults.push(format!("{table}: a second \"{name}\""));
        }
        if help.is_empty() || help.contains('\n') || help.ends_with('.') {
            faults.push(format!("{table}: \"{name}\" has no help of one line without full stop"));
        }
    }
    faults
}

/// References in a text to files of these folders: `worlds/x.world.xml` and the like.
fn references(text: &str) -> BTreeSet<&str> {
    const FOLDERS: &[&str] = &["worlds/", "config/", "launch/", "tests/", "src/"];
    const ENDINGS: &[&str] = &[".xml", ".yaml", ".png", ".pgm", ".py", ".rs"];
    text.split(|c: char| !(c.is_alphanumeric() || "/_.-".contains(c)))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| ENDINGS.iter().any(|ending| word.ends_with(ending)))
        .collect()
}

fn missing(files: &[Text], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut missing = Vec::new();
    for file in files {
        missing.extend(
            references(&file.content).iter().filter(|path| !exists(path)).map(|p| format!("{}: {p}", file.path)),
        );
    }
    missing
}

/// The files of examples that a text says how to run: `-p skidpad-x --example y`.
fn examples(text: &str) -> Vec<String> {
    let word =
        |text: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).next().map(str::to_owned);
    let runs = text.split("-p skidpad-").skip(1).filter_map(|part| {
        let (name, after) = part.split_once(" --example ")?;
        Some((word(name).filter(|crate_| crate_ == name)?, word(after)?))
    });
    runs.map(|(crate_, example)| format!("src/{crate_}/examples/{example}.rs")).collect()
}

/// Files that a world file includes or loads, without those behind expressions and addresses.
fn files_of_world(text: &str) -> Vec<&str> {
    let enclosed = |start: &'static str, end: &'static str| {
        text.split(start).skip(1).filter_map(move |part| part.split(end).next()).map(str::trim)
    };
    let all = enclosed("<include file=\"", "\"").chain(enclosed("<file>", "</file>"));
    all.filter(|path| !path.contains('$') && !path.contains("://")).collect()
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut all = sources();
    all.extend(texts("tests", &[".rs"]));
    all.extend(texts("benches", &[".rs"]));
    none(too_long(&all));
    none(headless(&all));
    assert_eq!(too_long(&[Text::new("a.rs", &"\n".repeat(601)), Text::new("b.rs", &"\n".repeat(600))]).len(), 1);
    assert_eq!(headless(&[Text::new("a.rs", "use x;\n//! late"), Text::new("b.rs", "//! head")]).len(), 1);
}

#[test]
fn code_after_tests_is_read() {
    let code = |text: &str| -> Vec<String> {
        Text::new("a.rs", text).code().map(|(number, line)| format!("{number}:{}", line.trim())).collect()
    };
    assert_eq!(code("a;\n#[cfg(test)]\nmod tests;\nb; // c"), ["1:a;", "4:b;"]);
    assert_eq!(
        code("#[cfg(test)]\n/// Doc.\n#[track_caller]\nfn a(\n    b: c,\n) -> d {\n    e;\n}\nfn f() {\n    g;\n}"),
        ["9:fn f() {", "10:g;", "11:}"]
    );
    assert_eq!(code("#[cfg(test)]\nmod a {\n    b;\n}\n#[cfg(test)]\nuse c;\nd;"), ["7:d;"]);
    assert_eq!(
        code("impl A {\n    #[cfg(test)]\n    fn b() {}\n    fn c() {}\n}"),
        ["1:impl A {", "4:fn c() {}", "5:}"]
    );
    let bad = [Text::new("src/sim/world/a.rs", "#[cfg(test)]\nmod tests;\nuse std::sync::Mutex;")];
    assert_eq!(named(&bad, FORBIDDEN, is_core), ["src/sim/world/a.rs:3: Mutex"]);
    let skipped =
        sources().iter().map(|file| file.content.lines().count() - file.without_tests().count()).sum::<usize>();
    assert!(skipped > 1000, "{skipped} lines of tests found");
}

#[test]
fn the_core_has_no_lock_clock_print_or_network() {
    let all = sources();
    for part in CORE {
        let only = |path: &str| path.strip_prefix("src/").and_then(|p| p.strip_prefix(*part)).is_some_and(is_end);
        assert!(all.iter().any(|file| only(&file.path)), "{part}: no such part");
    }
    none(named(&all, FORBIDDEN, is_core));
    none(named(&all, &["std::fs", "File::"], |path| is_core(path) && !reads_files(path)));
    let bad = "//! Mutex\nuse std::sync::Mutex; // Instant\n#[cfg(test)]\nthread::sleep";
    assert_eq!(named(&[Text::new("src/sim/world/a.rs", bad)], FORBIDDEN, is_core), ["src/sim/world/a.rs:2: Mutex"]);
    assert!(named(&[Text::new("src/run/runner/a.rs", bad)], FORBIDDEN, is_core).is_empty());
    assert!(is_core("src/math/lib.rs") && !is_core("src/sim/worldly.rs") && !is_core("src/xml/path.rs"));
}

#[test]
fn the_physics_engine_stays_where_it_belongs() {
    let all = sources();
    none(named(&all, &["rapier"], |path| !may_name_rapier(path)));
    assert!(!named(&all, &["rapier"], may_name_rapier).is_empty());
    let bad = [Text::new("src/sim/world/load/a.rs", "use rapier2d;")];
    assert_eq!(named(&bad, &["rapier"], |path| !may_name_rapier(path)).len(), 1);
}

/// Calls that open files, with their prefix: reading an open file is fine.
const OPENERS: &[&str] =
    &["File::open", "fs::read(", "fs::read_to_string", "OpenOptions::new().read", "Connection::open", "from_path("];

#[test]
fn input_files_are_opened_in_one_place() {
    let all = sources();
    let opens = |path: &str| path == "src/files/input_file.rs";
    // The library opens databases by itself, after a look; three are tests alone; and locks and maps of memory are the system's own.
    let other_openers =
        ["src/record/bag/sqlite.rs", "src/test-support/watched.rs", "src/view/fixtures.rs", "src/view/typescript.rs"];
    let is_other = |path: &str| other_openers.contains(&path) || path.starts_with("src/ros/shared_memory/");
    none(named(&all, OPENERS, |path| !opens(path) && !is_other(path)));
    assert!(!named(&all, OPENERS, opens).is_empty());
    let bad = [Text::new("src/a.rs", "let a = std::fs::File::open(path);\nlet b = std::fs::read_to_string(path);")];
    assert_eq!(named(&bad, OPENERS, |_| true).len(), 2);
}

#[test]
fn no_note_to_oneself_is_left() {
    let mut all = sources();
    for (folder, endings) in [
        ("tests", &[".rs", ".py", ".sh"][..]),
        ("benches", &[".rs"]),
        ("launch", &[".py"]),
        ("config", &[".yaml"]),
        ("worlds", &[".xml", ".py"]),
    ] {
        let actual = texts(folder, endings);
        assert!(!actual.is_empty(), "{folder} is empty");
        all.extend(actual);
    }
    none(notes(&all));
    let bad = Text::new("a.rs", &format!("fine\n// {}: later\nmas{}s", NOTES[0], NOTES[0]));
    assert_eq!(notes(&[bad]), [format!("a.rs:2: // {}: later", NOTES[0])]);
}

#[test]
fn plug_in_tables_have_unique_names_and_help() {
    none(bad_entries("friction laws", &FRICTION_LAWS.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("drives", &DRIVES.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("controllers", &CONTROLLERS.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("trajectories", &TRAJECTORIES.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("trackers", &TRACKERS.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("linearizers", &LINEARIZERS.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    none(bad_entries("sensors", &SENSORS.iter().map(|e| (e.name, e.help)).collect::<Vec<_>>()));
    for entry in DRIVES {
        assert!(CONTROLLERS.iter().any(|c| c.read_for(entry.kind).is_some()), "{}: no controller fits", entry.name);
    }
    let actual = bad_entries("t", &[("a", "help"), ("a", "x"), ("B c", "x"), ("d", ""), ("e", "Stops.")]);
    assert_eq!(
        actual,
        [
            "t: a second \"a\"",
            "t: \"B c\" is not a name",
            "t: \"d\" has no help of one line without full stop",
            "t: \"e\" has no help of one line without full stop"
        ]
    );
}

/// The manual page of a plug-in shows the XML block that its class name selects.
#[test]
fn every_class_name_stands_in_a_manual_page() {
    let pages = |folder: &str| -> String {
        let files = texts(folder, &[".rs"]);
        files.iter().flat_map(|file| file.content.lines().take_while(|line| line.starts_with("//!"))).collect()
    };
    let undocumented = |page: &str, names: &[&str]| -> Vec<String> {
        let stands = |name: &str| {
            page.split("class=\"")
                .skip(1)
                .any(|part| part.split('"').next().unwrap_or("").split('|').any(|n| n == name))
        };
        names.iter().filter(|name| !stands(name)).map(ToString::to_string).collect()
    };
    let names = |folder, names: Vec<&'static str>| none(undocumented(&pages(folder), &names));
    names("src/vehicle/friction", FRICTION_LAWS.iter().map(|e| e.name).collect());
    names("src/vehicle/drive", DRIVES.iter().map(|e| e.name).collect());
    names("src/vehicle/controller", CONTROLLERS.iter().map(|e| e.name).collect());
    names("src/sim/sensor", SENSORS.iter().map(|e| e.name).collect());
    assert_eq!(undocumented("//! <friction class=\"a|b\">", &["a", "b", "c"]), ["c"]);
}

/// Cases of `make counts` that lack a figure; each drive and each friction law is one.
fn without_figure(figures: &str) -> Vec<String> {
    let cases = DRIVES.iter().map(|entry| format!("drive {}", entry.name));
    let cases = cases.chain(FRICTION_LAWS.iter().map(|entry| format!("friction {}", entry.name)));
    let has_figure = |case: &String| figures.lines().any(|line| line.split('\t').next() == Some(case));
    cases.filter(|case| !has_figure(case)).collect()
}

#[test]
fn every_drive_and_friction_law_has_an_instruction_count() {
    let path = "benches/instructions/figures.tsv";
    let figures = fs::read_to_string(root().join(path)).unwrap();
    let hint = |case: String| format!("{path}: no \"{case}\"\n  hint: SKIDPAD_UPDATE=1 make counts");
    none(without_figure(&figures).into_iter().map(hint).collect());
    assert_eq!(without_figure(&figures.replace("drive unicycle\t", "drive x\t")), ["drive unicycle"]);
}

#[test]
fn files_that_are_referred_to_exist() {
    let mut all = sources().into_iter().filter(|file| !file.is_test()).collect::<Vec<_>>();
    // Tests contain made-up names; references in the program and in users' files must exist.
    for file in &mut all {
        file.content = file.without_tests().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    }
    all.extend(texts("launch", &[".py"]));
    all.extend(texts("config", &[".yaml"]));
    all.extend(texts("docs", &[".md"]));
    for name in ["README.md", "Makefile", "CMakeLists.txt", "package.xml"] {
        all.push(Text::new(name, &fs::read_to_string(root().join(name)).unwrap()));
    }
    let exists = |path: &str| root().join(path).exists() || PLACEHOLDERS.contains(&path);
    none(missing(&all, exists));
    assert!(!references(&all[all.len() - 3].content).is_empty(), "the Makefile names a world");
    let bad = Text::new("a.py", "run worlds/none.world.xml, then worlds/racecar.world.xml.");
    assert_eq!(missing(&[bad], exists), ["a.py: worlds/none.world.xml"]);
}

#[test]
fn examples_that_manuals_run_exist() {
    let mut manuals = texts("docs", &[".md"]);
    manuals.extend(texts("src", &[".md"]));
    let named: Vec<String> = manuals.iter().flat_map(|manual| examples(&manual.content)).collect();
    assert!(!named.is_empty(), "the simulation's README runs one");
    none(named.into_iter().filter(|path| !root().join(path).is_file()).collect());
    assert_eq!(examples("`cargo run -p skidpad-sim --example none`."), ["src/sim/examples/none.rs"]);
}

/// Names that stand for a file of the reader's own.
const PLACEHOLDERS: &[&str] = &[
    "worlds/x.world.xml",
    "worlds/NAME.world.xml",
    // Readers write these.
    "worlds/own.world.xml",
    "worlds/rtk_hill.world.xml",
    "config/NODE.yaml",
];

#[test]
fn worlds_include_files_that_exist() {
    let worlds = texts("worlds", &[".xml"]);
    let lost = |file: &Text| -> Vec<String> {
        let folder = root().join(&file.path).parent().unwrap().to_path_buf();
        let paths = files_of_world(&file.content).into_iter();
        paths.filter(|path| !folder.join(path).is_file()).map(|path| format!("{}: {path}", file.path)).collect()
    };
    none(worlds.iter().flat_map(lost).collect());
    assert!(worlds.iter().map(|file| files_of_world(&file.content).len()).sum::<usize>() > 10);
    let bad =
        "<include file=\"a.xml\"/><include file=\"${x}.xml\"/><file> maps/none.png </file><file>https://x/y</file>";
    assert_eq!(lost(&Text::new("worlds/w.xml", bad)), ["worlds/w.xml: a.xml", "worlds/w.xml: maps/none.png"]);
}
