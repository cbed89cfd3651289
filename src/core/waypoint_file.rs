//! Waypoints from a CSV file, for [`trajectory`](crate::trajectory) `waypoints`.
//!
//! ```text
//! time,x,y     time [s], increasing, and position [m]
//! x,y          position [m]; the parameter `speed` gives the speed
//! ```
//! Lines that start with `#` are comments. All problems of a file are reported together.

use std::io::Read;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::input_file::{self, csv_error, csv_line};
use crate::math::Vec2;
use crate::trajectory::{TrajectoryParameters, Waypoint, check_waypoint};

/// Number of problems reported: more have a common cause, which these show.
const MOST: usize = 20;

/// Longest file accepted [bytes]: ten hours of waypoints at 10 Hz are shorter.
const LONGEST: u64 = 16 << 20;

/// Reads the waypoints of `file` into the parameters; a relative path starts at `folder`. Does nothing for
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
    let failed = |what: String| format!("{name}: cannot read: {what}\n  accepted: a CSV file with time,x,y or x,y");
    let file = input_file::open(&path).map_err(|error| failed(input_file::found(&error)))?;
    let length = file.metadata().map_err(|error| failed(error.to_string()))?.len();
    if length > LONGEST {
        return Err(format!("{name}: {length} bytes long\n  accepted: at most {LONGEST} bytes"));
    }
    parameters.points = parse(&name, file.take(LONGEST))?;
    Ok(())
}

/// Reads waypoints from `text`; `name` stands for the file in messages.
fn parse(name: &str, text: impl Read) -> Result<Vec<Waypoint>, String> {
    let mut reader =
        ReaderBuilder::new().trim(Trim::All).flexible(true).comment(Some(b'#')).has_headers(false).from_reader(text);
    let mut records = reader.records();
    let columns = match records.next() {
        Some(Ok(record)) => header(&record).ok_or_else(|| {
            format!("{name}:{}: unknown header \"{}\"", csv_line(&record), record.iter().collect::<Vec<_>>().join(","))
        }),
        Some(Err(error)) => Err(csv_error(name, &error)),
        None => Err(format!("{name}:1: no header")),
    };
    let columns = columns.map_err(|found| format!("{found}\n  accepted: time,x,y or x,y"))?;
    let (mut points, mut problems): (Vec<Waypoint>, Vec<String>) = (Vec::new(), Vec::new());
    let mut more = 0_usize;
    for record in records {
        let row = match &record {
            Ok(record) => waypoint(record, columns)
                .and_then(|point| check_waypoint(points.last(), &point).map(|()| point))
                .map_err(|what| format!("{name}:{}: {what}", csv_line(record))),
            Err(error) => Err(csv_error(name, error)),
        };
        match row {
            Ok(point) => points.push(point),
            Err(problem) if problems.len() < MOST => problems.push(problem),
            Err(_) => more += 1,
        }
    }
    if points.is_empty() && problems.is_empty() {
        return Err(format!("{name}: no waypoints\n  accepted: at least 2 rows below the header"));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        parse("route.csv", text.as_bytes()).expect_err("a wrong file")
    }

    #[test]
    fn both_kinds_of_files_are_read() {
        let timed = parse("t", "# lap 1\ntime,x,y\n0, 1, 2\n1.5,3,4\n".as_bytes()).unwrap();
        assert_eq!(timed[1], Waypoint { time: Some(1.5), position: Vec2::new(3.0, 4.0) });
        let path = parse("t", "x,y\n0,1\n-2e0,3\n".as_bytes()).unwrap();
        assert_eq!(path[1], Waypoint { time: None, position: Vec2::new(-2.0, 3.0) });
    }

    #[test]
    fn bad_rows_are_named_by_file_and_line() {
        assert_eq!(
            problems("time,x,y\n0,0,0\n1,a,0\n0,1,1\n2,3\n3,inf,0\n4,2e9,0\n5,1,1\n"),
            "route.csv:3: x \"a\" is not a number\n  accepted: a finite number\n\
             route.csv:4: time 0 does not come after 0\n  accepted: times that rise from row to row [s]\n\
             route.csv:5: 2 columns\n  accepted: time,x,y\n\
             route.csv:6: x \"inf\" is not a number\n  accepted: a finite number\n\
             route.csv:7: x 2000000000 is out of range\n  accepted: -1e9 to 1e9 [m]"
        );
        assert_eq!(
            problems("# comment\nx,y\n1,1\n1,1\n"),
            "route.csv:4: the point (1, 1) comes twice in a row\n  accepted: points that lie apart"
        );
        let many = problems(&format!("x,y\n{}", "a,b\n".repeat(25)));
        assert!(many.ends_with("\nand 5 more problems of this file"), "{many}");
    }

    #[test]
    fn bad_headers_say_what_is_accepted() {
        assert_eq!(problems("t,x,y\n0,0,0\n"), "route.csv:1: unknown header \"t,x,y\"\n  accepted: time,x,y or x,y");
        assert_eq!(problems(""), "route.csv:1: no header\n  accepted: time,x,y or x,y");
        assert_eq!(problems("x,y\n"), "route.csv: no waypoints\n  accepted: at least 2 rows below the header");
    }

    /// Relative paths start at the folder; other trajectories need no file.
    #[test]
    fn files_are_found_from_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("route.csv"), "x,y\n0,0\n1,0\n").unwrap();
        let mut parameters = TrajectoryParameters {
            trajectory_type: "waypoints".into(),
            file: "route.csv".into(),
            ..TrajectoryParameters::default()
        };
        load(&mut parameters, folder.path()).unwrap();
        assert_eq!(parameters.points.len(), 2);
        assert_eq!(crate::trajectory::build(&parameters).unwrap().duration(), Some(1.0));
        let mut wrong = |file: &str| {
            parameters.file = file.into();
            let error = load(&mut parameters, folder.path()).unwrap_err();
            error.replace(&format!("{}/", folder.path().display()), "")
        };
        let accepted = "  accepted: a CSV file with time,x,y or x,y";
        assert_eq!(
            wrong("gone.csv"),
            format!("gone.csv: cannot read: No such file or directory (os error 2)\n{accepted}")
        );
        std::fs::create_dir(folder.path().join("folder.csv")).unwrap();
        assert_eq!(wrong("folder.csv"), format!("folder.csv: cannot read: it is a folder\n{accepted}"));
        std::fs::File::create(folder.path().join("long.csv")).unwrap().set_len(LONGEST + 1).unwrap();
        assert_eq!(wrong("long.csv"), "long.csv: 16777217 bytes long\n  accepted: at most 16777216 bytes");
        // It has no writer: opening it would block.
        let pipe = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.csv")).status();
        if pipe.is_ok_and(|status| status.success()) {
            assert_eq!(wrong("pipe.csv"), format!("pipe.csv: cannot read: it is a FIFO\n{accepted}"));
        }
        parameters.trajectory_type = "circle".into();
        assert_eq!(load(&mut parameters, folder.path()), Ok(()));
    }
}
