//! `skidpad list`: the names that world files and experiments can use.

use std::io::{self, IsTerminal as _, Write};

use serde_json::{Value, json};
use terminal_size::{Width, terminal_size};

use crate::cli::answer::Answer;
use crate::cli::args::{ListArgs, Listed};
use crate::cli::plot::ENGINES;
use crate::cli::sets::{ParameterSet, parameter_sets};
use crate::cli::{Failure, find, offer};
use crate::friction::FRICTION_LAWS;
use crate::message::preset_tables;
use crate::plot::manoeuvre::MANOEUVRES;
use crate::sensor::SENSORS;
use crate::tracking::{LINEARIZERS, TRACKERS};
use crate::trajectory::TRAJECTORIES;
use crate::vehicle::{CONTROLLERS, DRIVES};

/// A table of plug-ins: title, and names with their help.
struct Table {
    /// What programs know it by.
    key: &'static str,
    title: &'static str,
    entries: Vec<(String, String)>,
}

impl Table {
    fn new<'a>(key: &'static str, title: &'static str, entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Table {
        Table { key, title, entries: entries.into_iter().map(|(name, help)| (name.into(), help.into())).collect() }
    }
}

/// Classes of `<dynamics>`: models of whole vehicles, or drives of rigid bodies.
fn dynamics(models: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    DRIVES.iter().filter(move |entry| entry.kind.is_model() == models).map(|entry| (entry.name, entry.help))
}

/// Couplings between engine and gearbox.
const COUPLINGS: &[(&str, &str)] = &[
    ("torque_converter", "multiplies torque at low speed; may lock up"),
    ("clutch", "automatic friction clutch, closes with engine speed"),
    ("none", "rigid shaft, for electric motors"),
];

/// Types of differentials; followed by `_front`, `_rear` or `_4wd`.
const DIFFERENTIALS: &[(&str, &str)] = &[
    ("open", "the same torque on both sides"),
    ("torsen", "more torque to the slower side, up to the bias ratio"),
    ("locked", "both sides turn as one"),
    ("viscous", "torque in proportion to the difference of speeds"),
];

fn tables(sets: &[ParameterSet], worlds: &[(String, String)]) -> Vec<Table> {
    let table = ("table", "your own points of speed and torque");
    vec![
        Table::new("models", "models of whole vehicles: <dynamics class=\"…\">", dynamics(true)),
        Table::new("drives", "rigid bodies on wheels: <dynamics class=\"…\">", dynamics(false)),
        Table::new(
            "friction_laws",
            "friction laws: <friction class=\"…\">",
            FRICTION_LAWS.iter().map(|entry| (entry.name, entry.help)),
        ),
        Table::new(
            "engines",
            "engines: <engine type=\"…\"> in <powertrain>",
            ENGINES.iter().copied().chain(std::iter::once(table)),
        ),
        Table::new("couplings", "couplings: <coupling type=\"…\"> in <powertrain>", COUPLINGS.iter().copied()),
        Table::new(
            "differentials",
            "differentials: <drivetrain type=\"…_front|…_rear|…_4wd\"> of ackermann_drivetrain",
            DIFFERENTIALS.iter().copied(),
        ),
        Table::new(
            "controllers",
            "controllers: <controller class=\"…\"> in <dynamics>",
            CONTROLLERS.iter().map(|entry| (entry.name, entry.help)),
        ),
        Table::new("sensors", "sensors: <sensor class=\"…\">", SENSORS.iter().map(|entry| (entry.name, entry.help))),
        Table::new(
            "trajectories",
            "trajectories: trajectory_type",
            TRAJECTORIES.iter().map(|entry| (entry.name, entry.help)),
        ),
        Table::new(
            "manoeuvres",
            "manoeuvres: skidpad plot manoeuvre",
            MANOEUVRES.iter().map(|entry| (entry.name, entry.help)),
        ),
        Table::new("trackers", "trackers: tracker", TRACKERS.iter().map(|entry| (entry.name, entry.help))),
        Table::new("linearizers", "linearizers: linearizer", LINEARIZERS.iter().map(|entry| (entry.name, entry.help))),
        Table::new(
            "parameter_sets",
            "parameter sets: <vehicle class=\"…\"> of the files in vehicles/",
            sets.iter().map(|set| (set.name.as_str(), set.help.as_str())),
        ),
        Table::new("worlds", WORLDS, as_texts(worlds)),
    ]
    .into_iter()
    .filter(|table| !table.entries.is_empty())
    .collect()
}

fn as_texts(entries: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    entries.iter().map(|(name, help)| (name.as_str(), help.as_str()))
}

/// Title of the table of worlds.
const WORLDS: &str = "worlds: skidpad run NAME";

/// Prints every table, or the selected one.
pub(in crate::cli) fn list(args: &ListArgs, answer: &mut Answer) -> Result<(), Failure> {
    let table = match args.kind {
        Some(Listed::Presets) => Some(preset_tables::tables()),
        Some(Listed::Parameters) => Some(parameter_table()?),
        Some(Listed::Worlds) | None => None,
    };
    if let Some(table) = table {
        return answer.give(
            || json!({ "markdown": table }),
            |out| {
                out.write_all(table.as_bytes())?;
                Ok(out.flush()?)
            },
        );
    }
    let worlds = offer::world_names();
    let tables = match args.kind {
        Some(_) => vec![Table::new("worlds", WORLDS, as_texts(&worlds))],
        None => tables(&parameter_sets(&find::folders()), &worlds),
    };
    let width = io::stdout().is_terminal().then(terminal_size).flatten().map(|(Width(columns), _)| columns.into());
    answer.give(|| as_json(&tables), |out| print(&tables, width, out))
}

/// The tables for programs.
fn as_json(tables: &[Table]) -> Value {
    let entries = |table: &Table| -> Value {
        table.entries.iter().map(|(name, help)| json!({ "name": name, "help": help })).collect()
    };
    tables.iter().map(|table| (table.key.to_owned(), entries(table))).collect()
}

/// The table of the node is in the program of the node, which this one becomes where it is there.
fn parameter_table() -> Result<String, Failure> {
    Err(Failure::because(skidpad_program::ros::without_ros("list parameters")))
}

/// The text in lines of at most so many characters; in one line where there is no limit, or room for few words only.
fn wrapped(text: &str, longest: Option<usize>) -> Vec<String> {
    let Some(longest) = longest.filter(|longest| *longest >= MIN_LINE) else { return vec![text.to_owned()] };
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= longest => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Shortest line that is worth wrapping at [characters].
const MIN_LINE: usize = 20;

/// Prints the tables, on a terminal with lines of at most `columns` characters.
fn print(tables: &[Table], columns: Option<usize>, out: &mut impl Write) -> Result<(), Failure> {
    let width = tables.iter().flat_map(|table| &table.entries).map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, table) in tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", table.title)?;
        for (name, help) in &table.entries {
            let mut lines = wrapped(help, columns.map(|columns| columns.saturating_sub(width + 4))).into_iter();
            writeln!(out, "  {name:width$}  {}", lines.next().unwrap_or_default())?;
            lines.try_for_each(|line| writeln!(out, "  {:width$}  {line}", ""))?;
        }
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{LoadOptions, World};
    use std::path::Path;

    #[test]
    fn names_stand_in_one_column() {
        let tables = [
            Table::new("l", "laws", [("a", "first"), ("long", "second")]),
            Table::new("d", "drives", [("b", "third")]),
        ];
        let mut out = Vec::new();
        print(&tables, None, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "laws\n  a     first\n  long  second\n\ndrives\n  b     third\n");
    }

    #[test]
    fn a_terminal_gets_lines_that_fit() {
        let tables = [Table::new("l", "laws", [("long", "one two three four five six seven")])];
        let mut out = Vec::new();
        print(&tables, Some(30), &mut out).unwrap();
        let expected = "laws\n  long  one two three four\n        five six seven\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    /// The names listed here in addition to the library's tables are accepted in world files.
    #[test]
    fn engines_couplings_and_differentials_load() {
        let load = |engine: &str, coupling: &str, differential: &str| {
            let curve = if engine == "table" { "<torque_curve>1000 90 4000 150</torque_curve>" } else { "" };
            let text = format!(
                "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"ackermann_drivetrain\">
                 <drivetrain type=\"{differential}\"/><controller class=\"pedals\"/>
                 <powertrain><engine type=\"{engine}\">{curve}</engine><coupling type=\"{coupling}\"/></powertrain>
                 </dynamics></vehicle></mvsim_world>"
            );
            World::load_text("t", Path::new("."), &text, &LoadOptions::default()).map(|_| ())
        };
        for table in tables(&[], &[]) {
            for (name, _) in &table.entries {
                let loaded = match table.title.split(':').next() {
                    Some("engines") => load(name, if name == "electric" { "none" } else { "clutch" }, "open_rear"),
                    Some("couplings") => load(if name == "none" { "electric" } else { "gasoline" }, name, "open_rear"),
                    Some("differentials") => ["front", "rear", "4wd"]
                        .iter()
                        .try_for_each(|axles| load("gasoline", "clutch", &format!("{name}_{axles}"))),
                    _ => continue,
                };
                assert!(loaded.is_ok(), "{}: {name}: {loaded:?}", table.title);
            }
        }
        assert!(load("steam", "clutch", "open_rear").is_err());
    }
}
