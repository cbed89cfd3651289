//! Maps of commands from CSV files, as Autoware's `simple_planning_simulator` reads them.
//!
//! ```text
//! default,0,10,20         a name, then states, such as speeds, that rise
//! -4,-4,-4,-4             a command, then its values at these states
//! 4,4,3,2                 the commands rise, too
//! ```

use csv::{ReaderBuilder, StringRecord, Trim};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, csv_error, csv_line};
use skidpad_xml::Reader;

use super::command_map::{CommandMap, MapFault};

/// Longest file accepted [bytes].
const MAX_BYTES: u64 = 1 << 20;

/// What a class says that names no file: a variable of a class cannot be empty by default.
const NO_FILE: &str = "none";

/// Reads the map from the file that the child `tag` names; none, with an error, if it cannot.
pub(super) fn read(reader: &Reader<'_>, tag: &str) -> Option<CommandMap> {
    if reader.text(tag).is_none_or(|text| ["", NO_FILE].contains(&text.trim())) {
        reader.missing(tag).hint("it names a CSV file: speeds in its first line, commands in its first column");
        return None;
    }
    let path = reader.path(tag)?;
    let text = input_file::read(&path, MAX_BYTES).map_err(|error| FileError::read(&path, error).into());
    match text.and_then(|text| parse(&path.display().to_string(), &text)) {
        Ok(map) => Some(map),
        Err(problem) => {
            reader.error_at(tag, problem.first_line()).parts_of(problem);
            None
        }
    }
}

/// Reads a map from `text`; `name` stands for the file in messages.
fn parse(name: &str, text: &[u8]) -> Result<CommandMap, Diagnostic> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).flexible(true).has_headers(false).from_reader(text);
    let (mut lines, mut commands, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut states = None;
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(name, &error))?;
        let line = csv_line(&record);
        let of_line = |from: usize| numbers(&record, from).map_err(|problem| problem.at(format!("{name}:{line}")));
        lines.push(line);
        if states.is_none() {
            states = Some(of_line(1)?);
            continue;
        }
        let mut row = of_line(0)?;
        commands.push(row.remove(0));
        rows.push(row);
    }
    let line = |row: usize| lines.get(row + 1).map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
    CommandMap::new(commands, states.unwrap_or_default(), rows).map_err(|fault| match fault {
        MapFault::TooSmall => Diagnostic::new(name, "too small for a table")
            .accepted("at least two states in the first line, and two lines of commands"),
        MapFault::Uneven { row } => {
            Diagnostic::new(line(row), "not as many columns as the first line").accepted("one value for each state")
        }
        MapFault::CommandsNotRising { row } => {
            Diagnostic::new(line(row), "the command is not greater than that of the line before")
                .accepted("increasing commands")
        }
        MapFault::StatesNotRising { column } => {
            let found = format!("the state of column {} is not greater than that of the column before", column + 2);
            Diagnostic::new(format!("{name}:{}", lines.first().unwrap_or(&1)), found).accepted("increasing states")
        }
    })
}

/// The numbers of a line from this column on.
fn numbers(record: &StringRecord, from: usize) -> Result<Vec<f64>, Diagnostic> {
    let number = |written: &str| {
        let number = written.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| Diagnostic::of(format!("\"{written}\" is not a number")))
    };
    record.iter().skip(from).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_autoware_is_read() {
        let map = parse("m.csv", b"default,0.00, 20.0\n-4,-4,-4\n0,0,0\n4,4,2\n").unwrap();
        assert_eq!([map.value(2.0, 10.0), map.value(-9.0, 3.0)], [1.5, -4.0]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, reported) in [
            ("", "m.csv: too small for a table"),
            ("default,0,20\n1,1,1\n", "m.csv: too small for a table"),
            ("default,0,20\n1,1,1\n2,x,2\n", "m.csv:3: \"x\" is not a number"),
            ("default,0,20\n1,1,1\n2,2\n", "m.csv:3: not as many columns as the first line"),
            ("default,0,20\n1,1,1\n1,2,2\n", "m.csv:3: the command is not greater than that of the line before"),
            (
                "default,20,20\n1,1,1\n2,2,2\n",
                "m.csv:1: the state of column 3 is not greater than that of the column before",
            ),
        ] {
            assert_eq!(parse("m.csv", text.as_bytes()).unwrap_err().first_line(), reported, "{text}");
        }
    }
}
