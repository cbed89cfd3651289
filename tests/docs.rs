//! The manual, checked: links lead somewhere, every page is in the summary, and tables between `<!-- table: … -->` and
//! `<!-- table end -->` are those of the program. `SKIDPAD_UPDATE=1 cargo test --test docs` writes the tables anew.

#[path = "support/launch.rs"]
mod launch;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path};
use std::process::Command;

use skidpad::interface::numbers::{self, Channel};
use skidpad::scenario::events::ACTIONS;
use skidpad::scenario::expect::{CRITERIA, CriterionKind};
use skidpad::scenario::measures::METRICS;
use skidpad_test_support::watched::Watch;

/// Most lines of the README, so that it stays an overview.
const README_LINES: usize = 70;
const TABLE: &str = "<!-- table: ";
const TABLE_END: &str = "<!-- table end -->";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Markdown files of the repository: path from the root, and text.
fn pages() -> BTreeMap<String, String> {
    fn collect(folder: &Path, pages: &mut BTreeMap<String, String>) {
        const GENERATED: &[&str] = &["target", "node_modules", "build", "install", "log", "dist"];
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') || GENERATED.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                collect(&path, pages);
            } else if name.ends_with(".md") {
                let place = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                pages.insert(place, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut pages = BTreeMap::new();
    collect(root(), &mut pages);
    pages
}

/// The lines of a page outside of code blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        (!in_code && !is_fence).then_some((index + 1, line))
    })
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Targets of the links and pictures of a line.
fn links(line: &str) -> Vec<String> {
    let line = without_code(line);
    line.split("](").skip(1).filter_map(|part| part.split(')').next()).map(str::to_owned).collect()
}

/// The names by which links reach the headings of a page, as GitHub and mdBook derive them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text) {
        let Some(heading) = line.strip_prefix('#').map(|text| text.trim_start_matches('#')) else { continue };
        let Some(heading) = heading.strip_prefix(' ') else { continue };
        // The text of a link counts, its target does not.
        let heading = heading.split("](").enumerate().map(|(index, part)| match (index, part.split_once(')')) {
            (0, _) | (_, None) => part,
            (_, Some((_, text))) => text,
        });
        let heading: String = heading.collect::<String>().trim().to_lowercase();
        let name: String = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let repeated = (1..).map(|count| format!("{name}-{count}"));
        let free = std::iter::once(name.clone()).chain(repeated).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

/// `path` from the root, seen from the folder of `page`; none if it leads out of the repository.
fn resolve(page: &str, path: &str) -> Option<String> {
    let mut parts = Vec::new();
    let folder = Path::new(page).parent().unwrap();
    for part in folder.join(path).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()?),
            _ => {}
        }
    }
    Some(parts.join("/"))
}

/// Links that lead nowhere, given the pages and whether a file exists.
fn broken(pages: &BTreeMap<String, String>, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (page, text) in pages {
        for (number, line) in prose(text) {
            for link in links(line).into_iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
                let (path, anchor) = link.split_once('#').map_or((link.as_str(), None), |(path, a)| (path, Some(a)));
                let target = if path.is_empty() { Some(page.clone()) } else { resolve(page, path) };
                let leads = target.is_some_and(|target| {
                    let has = |name| pages.get(&target).is_some_and(|text| anchors(text).contains(name));
                    exists(&target) && anchor.is_none_or(has)
                });
                if !leads {
                    faults.push(format!("{page}:{number}: {link}"));
                }
            }
        }
    }
    faults
}

/// Tables of a page that a reader sees as text: without a row of dashes below the head, or with a row of another number of cells.
fn torn_tables(page: &str, text: &str) -> Vec<String> {
    let cells = |row: &str| without_code(row.trim()).replace("\\|", "").matches('|').count();
    let is_rule = |row: &str| row.chars().all(|c| "|-: ".contains(c));
    let mut faults = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for (number, line) in prose(text).chain([(0, "")]) {
        if line.trim_start().starts_with('|') {
            rows.push(line);
            let is_torn = cells(line) != cells(rows[0]) || rows.len() == 2 && !is_rule(line.trim());
            faults.extend(is_torn.then(|| format!("{page}:{number}: {line}")));
        } else {
            faults.extend((rows.len() == 1).then(|| format!("{page}: a row of its own: {}", rows[0])));
            rows.clear();
        }
    }
    faults
}

/// Pages of the manual that its summary lacks, and entries of the summary without a page.
fn unlisted(summary: &str, pages: &BTreeSet<String>) -> Vec<String> {
    let listed: BTreeSet<String> = summary.lines().flat_map(links).collect();
    let lacking = pages.difference(&listed).map(|page| format!("docs/SUMMARY.md: lacks {page}"));
    let missing = listed.difference(pages).map(|page| format!("docs/SUMMARY.md: {page} does not exist"));
    lacking.chain(missing).collect()
}

/// Fails with the list of offenders.
#[track_caller]
fn none(offenders: &[String]) {
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let all = pages();
    assert!(all.len() > 25 && all.contains_key("README.md") && all.contains_key("docs/SUMMARY.md"));
    none(&broken(&all, |path| root().join(path).exists()));

    let sample = BTreeMap::from([
        ("docs/a.md".to_owned(), "# A\n## Two `words`: [b](b.md)\n## A\n[x](b.md) [y](#a-1) [z](../docs/b.md#b)".to_owned()),
        ("docs/b.md".to_owned(), "# B\n[a](a.md#two-words-b) [no](c.md)\n`[code](d.md)` [no](a.md#c)\n```\n[e](e.md)\n```\n[out](../../f.md)".to_owned()),
    ]);
    let actual = broken(&sample, |path| sample.contains_key(path));
    assert_eq!(actual, ["docs/b.md:2: c.md", "docs/b.md:3: a.md#c", "docs/b.md:7: ../../f.md"]);
}

#[test]
fn tables_are_seen_as_tables() {
    none(&pages().iter().flat_map(|(page, text)| torn_tables(page, text)).collect::<Vec<_>>());
    // The check can fail.
    assert!(torn_tables("p", "| a | b |\n|---|---|\n| `x|y` | \\| |\n").is_empty());
    for torn in ["| a |\n|---|\n\n| b |\n", "| a |\n| b |\n", "| a |\n|---|\n| b | c |\n"] {
        assert_eq!(torn_tables("p", torn).len(), 1, "{torn}");
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let names = |all: BTreeMap<String, String>| -> BTreeSet<String> {
        all.keys()
            .filter_map(|page| page.strip_prefix("docs/"))
            .filter(|page| *page != "SUMMARY.md")
            .map(str::to_owned)
            .collect()
    };
    none(&unlisted(&read("docs/SUMMARY.md"), &names(pages())));
    let actual = unlisted("- [A](a.md)\n- [C](c.md)", &BTreeSet::from(["a.md".into(), "b.md".into()]));
    assert_eq!(actual, ["docs/SUMMARY.md: lacks b.md", "docs/SUMMARY.md: c.md does not exist"]);
}

#[test]
fn the_readme_is_an_overview() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "README.md: {lines} lines\n  accepted: {README_LINES}");
}

/// What the program prints, with the worlds of this checkout alone.
fn skidpad(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skidpad"));
    let done = command.args(args).current_dir(root()).env_remove("AMENT_PREFIX_PATH").finish();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Names with their help from lines such as `  name   help`, up to the first line of another kind.
fn entries<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(&'a str, &'a str)> {
    lines.map_while(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(name, help)| (name, help.trim())).collect()
}

/// The table of `skidpad list` whose title begins with `title:`.
fn listed(list: &str, title: &str) -> Vec<(String, String)> {
    let mut lines = list.lines().skip_while(|line| line.split(':').next() != Some(title));
    assert!(lines.next().is_some(), "skidpad list: no table \"{title}\"");
    entries(lines).into_iter().map(|(name, help)| (name.into(), help.into())).collect()
}

fn markdown(head: [&str; 2], rows: &[(String, String)]) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "\\<");
    let mut table = format!("| {} | {} |\n|---|---|\n", head[0], head[1]);
    for (name, help) in rows {
        let _ = writeln!(table, "| `{name}` | {} |", cell(help));
    }
    table
}

/// The table of this name, as Markdown.
fn table(name: &str, list: &str, presets: &str) -> String {
    if let Some(preset) = name.strip_prefix("preset ") {
        let (_, section) =
            presets.split_once(&format!("## {preset}\n\n")).unwrap_or_else(|| panic!("no preset {preset}"));
        return section.split("\n## ").next().unwrap().trim_end().to_owned() + "\n";
    }
    if let Some(task) = name.strip_prefix("help ") {
        let args = task.split_whitespace().filter(|word| *word != "skidpad").chain(["--help"]).collect::<Vec<_>>();
        let help = skidpad(&args);
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        return format!("```text\n{}\n```\n", lines.join("\n"));
    }
    match name {
        "worlds" => markdown(["World", "What it shows"], &listed(list, "worlds")),
        "nodes" => {
            let help = skidpad(&["node", "--help"]);
            let lines = help.lines().skip_while(|line| *line != "Nodes:").skip(1);
            let rows: Vec<_> = entries(lines).into_iter().map(|(name, help)| (name.into(), help.into())).collect();
            markdown(["Node", "What it does"], &rows)
        }
        "python fields" => {
            let fields = |channels: &[Channel]| {
                let unit = |unit: &str| if unit == "-" { String::new() } else { format!(" [{unit}]") };
                channels
                    .iter()
                    .map(|field| format!("`{}`{}", field.name, unit(field.unit)))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let rows = [
                ("state", fields(&numbers::channels(&numbers::VEHICLE))),
                ("wheels", fields(&numbers::channels(&numbers::WHEEL))),
                ("block_state", fields(&numbers::POSE)),
            ];
            markdown(["Array", "Fields, all float64"], &rows.map(|(name, fields)| (name.to_owned(), fields)))
        }
        "actions of scenarios" => {
            let rows: Vec<_> = ACTIONS.iter().map(|(name, help)| (name.to_string(), (*help).to_owned())).collect();
            markdown(["Action", "What it does"], &rows)
        }
        "criteria of scenarios" => {
            let help = |row: &CriterionKind| match row.unit {
                "" => row.help.to_owned(),
                unit => format!("{} [{unit}]", row.help),
            };
            let rows: Vec<_> = CRITERIA.iter().map(|row| (row.key.to_owned(), help(row))).collect();
            markdown(["Criterion", "What must hold"], &rows)
        }
        "metrics of scenarios" => {
            let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let rows: Vec<_> = METRICS
                .iter()
                .map(|metric| (metric.key.to_owned(), format!("{}{}", metric.help, unit(metric.unit))))
                .collect();
            markdown(["CSV and JSON", "Meaning"], &rows)
        }
        title => markdown(["Name", "Meaning"], &listed(list, title)),
    }
}

/// A page with the tables that `table` makes in place of those in it.
fn with_tables(page: &str, table: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut remaining_text = page;
    while let Some((before, after)) = remaining_text.split_once(TABLE) {
        let (name, after) = after.split_once(" -->\n").expect("the name of a table ends its line");
        let (_, after) = after.split_once(TABLE_END).unwrap_or_else(|| panic!("table {name}: no {TABLE_END}"));
        let _ = write!(text, "{before}{TABLE}{name} -->\n{}{TABLE_END}", table(name));
        remaining_text = after;
    }
    text + remaining_text
}

#[test]
fn tables_are_those_of_the_program() {
    let (list, presets) = (skidpad(&["list"]), skidpad(&["list", "presets"]));
    let mut stale = Vec::new();
    let mut written = BTreeSet::new();
    for (page, text) in pages() {
        written.extend(text.split(TABLE).skip(1).filter_map(|part| part.split(" -->").next()).map(str::to_owned));
        let wanted = with_tables(&text, |name| table(name, &list, &presets));
        if wanted != text && std::env::var_os("SKIDPAD_UPDATE").is_some() {
            fs::write(root().join(&page), wanted).unwrap();
        } else if wanted != text {
            stale.push(format!(
                "{page}: a table differs from the program's\n  hint: SKIDPAD_UPDATE=1 cargo test --test docs"
            ));
        }
    }
    none(&stale);
    // What can be listed is in the manual: presets, tables of names that stand nowhere else, and every command.
    let presets = presets.lines().filter_map(|line| line.strip_prefix("## ")).map(|name| format!("preset {name}"));
    let help = skidpad(&["--help"]);
    let commands = entries(
        help.lines()
            .skip_while(|line| *line != "Run:")
            .take_while(|line| *line != "Options:")
            .filter(|line| line.starts_with("  ")),
    );
    let commands = commands.iter().filter(|(name, _)| *name != "help").map(|(name, _)| format!("help {name}"));
    let lists =
        ["worlds", "nodes", "friction laws", "sensors", "engines", "couplings", "differentials", "parameter sets"];
    let lacking: Vec<String> =
        presets.chain(commands).chain(lists.map(str::to_owned)).filter(|name| !written.contains(name)).collect();
    none(&lacking);

    let page = format!("a\n{TABLE}t -->\nold\n{TABLE_END}\nb");
    assert_eq!(with_tables(&page, |name| format!("new {name}\n")), format!("a\n{TABLE}t -->\nnew t\n{TABLE_END}\nb"));
    assert_eq!(markdown(["a", "b"], &[("x".into(), "<y|".into())]), "| a | b |\n|---|---|\n| `x` | \\<y\\| |\n");
}

/// Names in the first column of the first table below a heading.
fn first_column(page: &str, heading: &str) -> BTreeSet<String> {
    let rows =
        page.lines().skip_while(|line| !line.starts_with(heading)).skip(1).skip_while(|line| !line.starts_with('|'));
    let cells = rows.take_while(|line| line.starts_with('|')).skip(2).filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Tables with more columns than the program has are written by hand, and name what it names.
#[test]
fn tables_by_hand_name_what_the_program_names() {
    let list = skidpad(&["list"]);
    let names = |title| listed(&list, title).into_iter().map(|(name, _)| name);
    let drives: BTreeSet<String> = names("models of whole vehicles").chain(names("rigid bodies on wheels")).collect();
    assert_eq!(first_column(&read("docs/world/drives.md"), "## Classes"), drives);
    let controllers = first_column(&read("docs/world/controllers.md"), "## Classes");
    assert_eq!(controllers, names("controllers").collect());
    let tracking = read("docs/tracking.md");
    assert_eq!(first_column(&tracking, "## Trajectories"), names("trajectories").collect());
    let page = "## A\ntext\n| h | i |\n|---|---|\n| `a`, `b` | `c` |\n\n| `d` | |";
    assert_eq!(first_column(page, "## A"), BTreeSet::from(["a".to_owned(), "b".to_owned()]));
}

/// `make bench` measures and writes the tables of speeds; that they name the cases of the program needs no measurement.
#[test]
fn tables_of_speeds_have_the_cases_of_the_program() {
    let help = skidpad(&["bench", "--help"]);
    let cases: Vec<(&str, &str)> =
        help.lines().filter_map(|line| line.trim_start().strip_prefix("- ")?.split_once(':')).collect();
    let first_cells = |page: &str| -> Vec<String> {
        let text = read(page);
        let (_, remaining_text) = text.split_once("<!-- speed -->\n").unwrap_or_else(|| panic!("{page}: no table"));
        let (table, _) = remaining_text.split_once("<!-- speed end -->").unwrap_or_else(|| panic!("{page}: no end"));
        let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
        rows.map(|row| row.split('|').nth(1).unwrap().trim().to_owned()).collect()
    };
    let all: Vec<String> = cases.iter().map(|(name, description)| format!("{name}: {}", description.trim())).collect();
    assert!(all.len() > 8, "{all:?}");
    assert_eq!(first_cells("docs/performance.md"), all);
    // The sentence of the README is of the same measurement.
    let (readme, full) = (read("README.md"), read("docs/performance.md"));
    let (_, remaining_text) = readme.split_once("<!-- speed -->\n").unwrap();
    let sentence = remaining_text.lines().next().unwrap();
    for words in ["One car runs ", "a car with a lidar ", "a hundred robots "] {
        let number =
            sentence.split_once(words).and_then(|(_, remaining_text)| remaining_text.split_once(" times")).unwrap().0;
        assert!(full.contains(&format!(" | {number} | ")), "README.md: {number}");
    }
}

#[test]
fn arguments_of_launch_files_are_in_the_manual() {
    // Those of `sim.launch.py` are explained once.
    let shared = read("docs/getting-started.md");
    let manual = [
        ("sim", "getting-started"),
        ("racecar", "racecar"),
        ("nav2", "nav2"),
        ("f1tenth", "presets"),
        ("tracking", "nodes"),
        ("ekf", "beside"),
        ("slam", "beside"),
        ("teleop", "beside"),
        ("image_proc", "beside"),
        ("ros2_control", "ros2_control"),
        ("autoware", "autoware"),
    ];
    let names = fs::read_dir(root().join("launch")).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.filter(|name| name.to_string_lossy().ends_with(".launch.py")).count(), manual.len());
    let mut lacking = Vec::new();
    for (launch, page) in manual {
        // Those of files that run another package beside the simulator are declared once.
        let common = if page == "beside" { read("launch/arguments.py") } else { String::new() };
        let text = read(&format!("launch/{launch}.launch.py")) + &common;
        let page = read(&format!("docs/{page}.md"));
        let names = launch::arguments(&text);
        assert!(names.len() > 9, "{launch}: {names:?}");
        let unknown = |name: &&&str| ![&page, &shared].iter().any(|text| text.contains(&format!("`{name}`")));
        lacking.extend(names.iter().filter(unknown).map(|name| format!("{launch}.launch.py: {name}")));
    }
    none(&lacking);
    let text = "    DeclareLaunchArgument(\"a\", x),\n DeclareLaunchArgument(\n  \"b\")\n    (\"c\", \"\", \"text\"),\n    (\"d\"),";
    assert_eq!(launch::arguments(text), ["a", "b", "c"]);
}
