//! Waypoints from a CSV file, for [`trajectory`](crate::trajectory) `waypoints`.
//!
//! ```text
//! time,x,y     when [s], rising, and where [m]
//! x,y          where [m]; the parameter `speed` says how fast
//! ```
//! Lines that start with `#` are comments. All problems of a file are reported together.

use std::io::Read;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::math::Vec2;
use crate::runner::{line, unreadable};
use crate::trajectory::{TrajectoryParameters, Waypoint, check_waypoint};

/// A file with more problems has one cause, which these show.
const MOST: usize = 20;

/// Reads the points that the parameters ask for, and keeps them there: `file`, from `folder` where it is relative. Does nothing for
/// other trajectories.
///
/// # Errors
/// The file is missing or wrong; the text says where and what is accepted.
pub fn load(parameters: &mut TrajectoryParameters, folder: &Path) -> Result<(), String> {
    if parameters.trajectory_type != "waypoints" || parameters.file.is_empty() {
        return Ok(());
    }
    let path = folder.join(&parameters.file);
    let name = path.display().to_string();
    let file = std::fs::File::open(&path).map_err(|error| format!("{name}: cannot read: {error}"))?;
    parameters.points = parse(&name, file)?;
    Ok(())
}

/// Reads waypoints from `text`; `name` stands for the file in messages.
fn parse(name: &str, text: impl Read) -> Result<Vec<Waypoint>, String> {
    let mut reader =
        ReaderBuilder::new().trim(Trim::All).flexible(true).comment(Some(b'#')).has_headers(false).from_reader(text);
    let mut records = reader.records();
    let columns = match records.next() {
        Some(Ok(record)) => header(&record).ok_or_else(|| {
            format!("{name}:{}: unknown header \"{}\"", line(&record), record.iter().collect::<Vec<_>>().join(","))
        }),
        Some(Err(error)) => Err(unreadable(name, &error)),
        None => Err(format!("{name}:1: no header")),
    };
    let columns = columns.map_err(|found| format!("{found}\n  accepted: time,x,y or x,y"))?;
    let (mut points, mut problems): (Vec<Waypoint>, Vec<String>) = (Vec::new(), Vec::new());
    for record in records {
        let row = match &record {
            Ok(record) => waypoint(record, columns)
                .and_then(|point| check_waypoint(points.last(), &point).map(|()| point))
                .map_err(|what| format!("{name}:{}: {what}", line(record))),
            Err(error) => Err(unreadable(name, error)),
        };
        match row {
            Ok(point) => points.push(point),
            Err(problem) => problems.push(problem),
        }
    }
    if points.is_empty() && problems.is_empty() {
        return Err(format!("{name}: no waypoints\n  accepted: at least 2 rows below the header"));
    }
    let more = problems.len().saturating_sub(MOST);
    problems.truncate(MOST);
    if more > 0 {
        problems.push(format!("and {more} more problems of this file"));
    }
    if problems.is_empty() { Ok(points) } else { Err(problems.join("\n")) }
}

/// The columns that a header names.
fn header(record: &StringRecord) -> Option<&'static [&'static str]> {
    const KNOWN: [&[&str]; 2] = [&["time", "x", "y"], &["x", "y"]];
    KNOWN.into_iter().find(|columns| record.iter().eq(columns.iter().copied()))
}

fn waypoint(record: &StringRecord, columns: &[&str]) -> Result<Waypoint, String> {
    if record.len() != columns.len() {
        return Err(format!("{} columns\n  accepted: {}", record.len(), columns.join(",")));
    }
    let number = |index: usize| {
        let text = &record[index];
        let wrong = || format!("{} \"{text}\" is not a number\n  accepted: a finite number", columns[index]);
        text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong)
    };
    let has_time = columns.len() == 3;
    let time = if has_time { Some(number(0)?) } else { None };
    let first = usize::from(has_time);
    Ok(Waypoint { time, position: Vec2::new(number(first)?, number(first + 1)?) })
}
