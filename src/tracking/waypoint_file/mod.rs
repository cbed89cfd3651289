//! Waypoints from a CSV file, for [`trajectory`](crate::trajectory) `waypoints`.
//!
//! ```text
//! time,x,y     time [s], increasing, and position [m]
//! x,y          position [m]; the parameter `speed` gives the speed
//! # x_m,y_m,w_tr_right_m,w_tr_left_m                              a track: its middle, and the free widths to both sides [m]
//! # s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2          a racing line, with the speed along it [m/s]
//! ```
//! A file without a header has the columns that are usual for their number, which is reported.
//! Lines that start with `#` are comments, of which one may be the header. Columns may stand in any order, separated by commas or semicolons.
//! Heading, curvature, length and acceleration follow from the points and speeds; columns of them are compared, and those that disagree are reported.
//! All problems of a file are reported together. (Layouts: those of the racelines of F1TENTH and of `global_racetrajectory_optimization`, TU Munich.)

mod agreement;
mod columns;

use std::path::Path;

use skidpad_files::counted::counted;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

use self::agreement::short;
use self::columns::{ACCEPTED, Columns, Row};
use crate::trajectory::{Track, TrajectoryParameters, Waypoint, check_waypoint};

/// Number of problems reported: more have a common cause, which these show.
const MAX_PROBLEMS: usize = 20;

/// Longest file accepted [bytes]: ten hours of waypoints at 10 Hz are shorter.
const MAX_BYTES: u64 = 16 << 20;

/// The columns of a track, also where its file has no header.
const TRACK: &str = "x_m,y_m,w_tr_right_m,w_tr_left_m";

/// A file that has been read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaypointFile {
    /// Its name, for messages.
    pub name: String,
    /// Its rows.
    pub points: Vec<Waypoint>,
    /// What its columns were taken for without a header, and those that disagree with the points: a message for each.
    pub notes: Vec<Diagnostic>,
}

impl WaypointFile {
    /// Reads a file. `header` stands for that of a file without one, whose first row fits it; if none is given, the columns are those that are
    /// usual for their number.
    ///
    /// # Errors
    /// The file is missing or wrong; the text says where and what is accepted.
    pub fn read(path: &Path, header: Option<&str>) -> Result<WaypointFile, Diagnostics> {
        let name = path.display().to_string();
        let failed = |problem: String| {
            let reason = Diagnostic::of(problem).accepted(format!("a CSV file with {ACCEPTED}"));
            Diagnostic::from(FileError::read(path, reason))
        };
        let file = input_file::open(path).map_err(|error| failed(input_file::problem_of(error)))?;
        let length = file.metadata().map_err(|error| failed(error.to_string()))?.len();
        if length > MAX_BYTES {
            let message = Diagnostic::new(name, format!("{length} bytes long"));
            return Err(message.accepted(format!("at most {MAX_BYTES} bytes")).into());
        }
        let bytes = input_file::read_to_end(file, MAX_BYTES).map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| failed("it is not UTF-8".to_owned()))?;
        WaypointFile::parse(&name, &text, header)
    }

    /// As [`read`](WaypointFile::read), of `text`; `name` stands for the file in messages.
    fn parse(name: &str, text: &str, header: Option<&str>) -> Result<WaypointFile, Diagnostics> {
        let of_caller = |header: &str| {
            Columns::read(header)
                .ok_or_else(|| Diagnostic::new("header", format!("found \"{header}\"")).accepted(ACCEPTED))
        };
        let mut of_caller = header.map(of_caller).transpose()?;
        let mut columns: Option<Columns> = None;
        let mut notes: Vec<Diagnostic> = Vec::new();
        let (mut rows, mut problems): (Vec<Row>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let (mut more, mut repeated) = (0_usize, 0_usize);
        let whole = text;
        for (line, text) in (1..).zip(text.lines()) {
            let (is_comment, text) = match text.trim().strip_prefix('#') {
                Some(comment) => (true, comment.trim_start_matches('#').trim()),
                None => (false, text.trim().trim_start_matches('\u{feff}')),
            };
            if columns.is_none() {
                columns = Columns::read(text);
                if columns.is_some() || is_comment || text.is_empty() {
                    // A comment need not be a header.
                    continue;
                }
                columns = of_caller.take().filter(|columns| columns.row(text).is_ok());
                let rows = || {
                    whole
                        .lines()
                        .skip(line - 1)
                        .map(|row| row.trim().trim_start_matches('\u{feff}'))
                        .filter(|row| !row.starts_with('#'))
                };
                if let Some(usual) = columns::usual_header(rows()).filter(|_| columns.is_none() && header.is_none()) {
                    notes.push(without_header(name, line, &usual));
                    columns = Columns::read(&usual);
                }
            }
            let Some(known) = &columns else {
                return Err(unknown_header(name, line, text).into());
            };
            if is_comment || text.is_empty() {
                continue;
            }
            let stands = |row: &Row| {
                let before = rows.last().map(|row| &row.waypoint);
                row.waypoint.time.is_none() && before.is_some_and(|before| before.position == row.waypoint.position)
            };
            let row = known.row(text);
            if row.as_ref().is_ok_and(stands) {
                // A recorder goes on while the vehicle stands.
                repeated += 1;
                continue;
            }
            let row =
                row.and_then(|row| check_waypoint(rows.last().map(|row| &row.waypoint), &row.waypoint).map(|()| row));
            match row {
                Ok(row) => rows.push(row),
                Err(problem) if problems.len() < MAX_PROBLEMS => problems.push(problem.at(format!("{name}:{line}"))),
                Err(_) => more += 1,
            }
        }
        let Some(columns) = columns else {
            return Err(Diagnostic::new(format!("{name}:1"), "no header").accepted(ACCEPTED).into());
        };
        if repeated > 0 {
            let found = format!("{} at the point of the row above: they are left out", counted(repeated, "row"));
            notes.push(Diagnostic::new(name, found));
        }
        if rows.is_empty() && problems.is_empty() {
            return Err(Diagnostic::new(name, "no waypoints").accepted("at least 2 rows below the header").into());
        }
        if more > 0 {
            problems.push(Diagnostic::of(format!("and {} of this file", counted(more, "more problem"))));
        }
        if !problems.is_empty() {
            // Wrong rows may have other columns than they were taken for.
            problems.splice(0..0, notes);
            return Err(Diagnostics(problems));
        }
        notes.extend(agreement::notes(&columns, &rows).into_iter().map(|note| Diagnostic::new(name, note)));
        Ok(WaypointFile { name: name.to_owned(), points: rows.into_iter().map(|row| row.waypoint).collect(), notes })
    }

    /// Reads the file of a track.
    ///
    /// # Errors
    /// As [`read`](WaypointFile::read); it has no widths.
    pub fn read_track(path: &Path) -> Result<WaypointFile, Diagnostics> {
        let file = WaypointFile::read(path, Some(TRACK))?;
        if file.points.iter().any(|point| point.free.is_none()) {
            let message = Diagnostic::new(&file.name, "has no track widths").accepted(TRACK);
            return Err(message.into());
        }
        Ok(file)
    }

    /// What is to be told where points of a line lie outside of this track, which the parameters have.
    fn note_of_line_outside(&self, parameters: &TrajectoryParameters) -> Option<Diagnostic> {
        let (track, place) = (Track::of(parameters)?, parameters.place());
        let margins = parameters.points.iter().map(|point| track.margin(place.transform_point(point.position)));
        let outside: Vec<f64> = margins.filter(|margin| *margin < 0.0).collect();
        let most = outside.iter().copied().fold(0.0, f64::min);
        (!outside.is_empty()).then(|| {
            let (outside_count, count) = (outside.len(), parameters.points.len());
            Diagnostic::new(
                &self.name,
                format!("{outside_count} of {count} points of the line lie off this track, up to {} m", short(-most)),
            )
            .hint("are both in the same frame?")
        })
    }

    /// What is to be told where a lap with speeds or widths is followed as an open line.
    pub fn note_of_open_lap(&self) -> Option<Diagnostic> {
        let [first, .., last] = &self.points[..] else { return None };
        if self.points.len() <= 3 || (first.speed.is_none() && first.free.is_none()) {
            return None;
        }
        let distances = self.points.windows(2).map(|pair| (pair[1].position - pair[0].position).norm());
        let is_lap = (last.position - first.position).norm() <= 2.0 * distances.fold(0.0, f64::max);
        is_lap.then(|| {
            Diagnostic::new(&self.name, "it ends where it begins, but the path stops there")
                .hint("closed=true repeats the lap")
        })
    }
}

/// What is to be told of a file without a header, of what its columns are taken for.
fn without_header(name: &str, line: usize, usual: &str) -> Diagnostic {
    Diagnostic::new(format!("{name}:{line}"), format!("no header: the columns are taken for {usual}"))
        .hint(format!("add the line \"# {usual}\" above, or one with the right names"))
}

/// What is wrong with the first line below the comments, which is neither a header nor a row of a usual number of columns.
fn unknown_header(name: &str, line: usize, text: &str) -> Diagnostic {
    let place = format!("{name}:{line}");
    let message = match columns::count_of_numbers(text) {
        Some(count) => Diagnostic::new(place, format!("no header above a row of {}", counted(count, "column"))),
        None => Diagnostic::new(place, format!("unknown header \"{text}\"")),
    };
    message.accepted(ACCEPTED).hint("name each column in a line above the rows, such as \"# x_m,y_m,vx_mps\"")
}

/// Reads the waypoints of `file` into the parameters, and the warnings about the file into their notes; a relative path starts at `folder`.
/// Does nothing for other trajectories.
///
/// # Errors
/// The file is missing or wrong; the text says where and what is accepted.
pub fn load(parameters: &mut TrajectoryParameters, folder: &Path) -> Result<(), Diagnostics> {
    if parameters.trajectory_type != "waypoints" || parameters.file.is_empty() {
        return Ok(());
    }
    parameters.folder = folder.to_path_buf();
    let mut file = WaypointFile::read(&folder.join(&parameters.file), None)?;
    let default = TrajectoryParameters::default().speed;
    if file.points.iter().any(|point| point.speed.is_some()) && parameters.speed.to_bits() != default.to_bits() {
        let found =
            format!("its column vx_mps gives the speed, and the parameter speed, {}, is not used", parameters.speed);
        file.notes.push(Diagnostic::new(&file.name, found));
    }
    if !parameters.closed {
        file.notes.extend(file.note_of_open_lap());
    }
    (parameters.points, parameters.notes) = (file.points, file.notes);
    parameters.track.clear();
    if !parameters.track_file.is_empty() {
        let file = WaypointFile::read_track(&folder.join(&parameters.track_file))?;
        parameters.notes.extend(file.notes.iter().cloned());
        parameters.track.clone_from(&file.points);
        parameters.notes.extend(file.note_of_line_outside(parameters));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    fn problems(text: &str) -> String {
        WaypointFile::parse("route.csv", text, None).expect_err("a wrong file").to_string()
    }

    /// The waypoints of a file without notes.
    fn points(text: &str) -> Vec<Waypoint> {
        let file = WaypointFile::parse("t", text, None).unwrap();
        assert_eq!(file.notes, []);
        file.points
    }

    #[test]
    fn both_kinds_of_files_are_read() {
        let timed = points("# lap 1\ntime,x,y\n0, 1, 2\n1.5,3,4\n");
        assert_eq!(timed[1], Waypoint { time: Some(1.5), ..Waypoint::at(3.0, 4.0) });
        assert_eq!(points("x,y\n0,1\n-2e0,3\n")[1], Waypoint::at(-2.0, 3.0));
    }

    #[test]
    fn tracks_and_racing_lines_are_read_with_their_widths_and_speeds() {
        let track = points("# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,1.1,1.2\n1,0,1.3,1.4\n");
        assert_eq!(track[1], Waypoint { free: Some([1.3, 1.4]), ..Waypoint::at(1.0, 0.0) });
        let line = points(
            "# 5c1e\r\n# made by hand\r\n# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\r\n\
             0;2;1;0;0;3;3.5\r\n1.0;3;1;0;0;4.0;0;\r\n# middle\r\n2;4;1;0;0;4e0;0\r\n",
        );
        assert_eq!(line[1], Waypoint { speed: Some(4.0), ..Waypoint::at(3.0, 1.0) });
        // The header may stand without a sign, and columns in another order.
        assert_eq!(
            points("vx_mps,y_m,x_m\n1,2,3\n1,2,4\n")[0],
            Waypoint { speed: Some(1.0), ..Waypoint::at(3.0, 2.0) }
        );
    }

    #[test]
    fn columns_that_disagree_with_the_points_are_told() {
        // A circle of 2 m to the left, at 2 m/s.
        let circle = |header: &str, row: &dyn Fn(f64) -> String| {
            let rows: String = (0..40).map(|k| row(f64::from(k) * std::f64::consts::TAU / 40.0)).collect();
            WaypointFile::parse("line.csv", &format!("# {header}\n{rows}"), None)
                .unwrap()
                .notes
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        let at = |angle: f64| format!("{};{}", 2.0 * angle.sin(), 2.0 - 2.0 * angle.cos());
        let whole = |psi: f64, curvature: f64, length: f64| {
            circle("s_m;x_m;y_m;psi_rad;kappa_radpm;vx_mps;ax_mps2", &|angle| {
                format!("{};{};{};{curvature};2;0\n", length * 2.0 * angle, at(angle), angle + psi)
            })
        };
        assert_eq!(whole(0.0, 0.5, 1.0), [""; 0]);
        assert_eq!(
            whole(-std::f64::consts::FRAC_PI_2, 0.5, 1.0),
            ["line.csv: psi_rad is measured from the y axis: the heading is computed from the points"]
        );
        assert_eq!(
            whole(1.0, -0.5, 1.5),
            [
                "line.csv: psi_rad is 1 rad off the direction of the points on average: the heading is computed from the points",
                "line.csv: kappa_radpm is 1 1/m off the curvature of the points on average: the curvature is computed from the points",
                "line.csv: s_m is 6.139 m longer than the path along the points: the distances of the points are used",
            ]
        );
        let faster = circle("x_m;y_m;vx_mps;ax_mps2", &|angle| format!("{};2;5\n", at(angle)));
        assert_eq!(faster, ["line.csv: ax_mps2 is 5 m/s² off the change of vx_mps on average: vx_mps is used"]);
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
            problems("# comment\nx,y\n# 1\n\n1,1\n1,1.0000001\n"),
            "route.csv:6: the point (1, 1.0000001) comes twice in a row\n  accepted: points that lie apart"
        );
        assert_eq!(
            problems("# x_m;y_m;vx_mps;w_tr_left_m\n# a\n0;0;1;1\n1;0;-1;1\n2;0;1;-1\n3;0;1\n"),
            "route.csv:4: vx_mps -1 is out of range\n  accepted: 0 to 1000 [m/s]\n\
             route.csv:5: w_tr_left_m -1 is out of range\n  accepted: 0 to 1000000000 [m]\n\
             route.csv:6: 3 columns\n  accepted: x_m;y_m;vx_mps;w_tr_left_m"
        );
        let many = problems(&format!("x,y\n{}", "a,b\n".repeat(25)));
        assert!(many.ends_with("\nand 5 more problems of this file"), "{many}");
    }

    #[test]
    fn bad_headers_say_what_is_accepted() {
        let accepted = "\n  accepted: time,x,y or x,y, or columns x_m and y_m, and of a track or racing line s_m, psi_rad, kappa_radpm, vx_mps, ax_mps2, w_tr_right_m, w_tr_left_m";
        let hint = "\n  hint: name each column in a line above the rows, such as \"# x_m,y_m,vx_mps\"";
        assert_eq!(problems("t,x,y\n0,0,0\n"), format!("route.csv:1: unknown header \"t,x,y\"{accepted}{hint}"));
        assert_eq!(problems(""), format!("route.csv:1: no header{accepted}"));
        let without = |count: &str| format!("route.csv:2: no header above a row of {count}{accepted}{hint}");
        assert_eq!(problems("# a comment\n0,0,1,1,1\n"), without("5 columns"));
        assert_eq!(problems("# x_m\n0\n"), without("1 column"));
        assert_eq!(problems("x,y\n"), "route.csv: no waypoints\n  accepted: at least 2 rows below the header");
    }

    #[test]
    fn a_file_without_a_header_has_the_columns_that_its_reader_expects() {
        let track = "x_m,y_m,w_tr_right_m,w_tr_left_m";
        let read = |text: &str| WaypointFile::parse("track.csv", text, Some(track));
        let point = Waypoint { free: Some([1.1, 1.2]), ..Waypoint::at(1.0, 2.0) };
        assert_eq!(read("# made by hand\n1, 2, 1.1, 1.2\n2,2,1,1\n").unwrap().points[0], point);
        // That of the file comes first, and a text is no row.
        assert_eq!(read("x_m;y_m\n1;2\n2;2\n").unwrap().points[0], Waypoint::at(1.0, 2.0));
        for (wrong, expected) in
            [("x,z\n1,2\n", "unknown header \"x,z\"\n"), ("1,2\n3,4\n", "no header above a row of 2 columns\n")]
        {
            let message = read(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("track.csv:1: {expected}")), "{message}");
        }
    }

    #[test]
    fn the_columns_of_a_file_without_a_header_are_those_that_are_usual_for_their_number() {
        for (rows, point, header) in [
            ("1,2\n3,4\n", Waypoint::at(1.0, 2.0), "x_m,y_m"),
            ("1;2;3\n2;2;3\n", Waypoint { speed: Some(3.0), ..Waypoint::at(1.0, 2.0) }, "x_m;y_m;vx_mps"),
            (
                "1,2,0.5,0.6\n2,2,1,1\n",
                Waypoint { free: Some([0.5, 0.6]), ..Waypoint::at(1.0, 2.0) },
                "x_m,y_m,w_tr_right_m,w_tr_left_m",
            ),
            (
                "0;1;2;0;0;3;0\n1;2;2;0;0;3;0\n",
                Waypoint { speed: Some(3.0), ..Waypoint::at(1.0, 2.0) },
                "s_m;x_m;y_m;psi_rad;kappa_radpm;vx_mps;ax_mps2",
            ),
        ] {
            let file = WaypointFile::parse("route.csv", &format!("# by hand\n{rows}"), None).unwrap();
            assert_eq!(file.points[0], point);
            let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
            let expected = format!(
                "route.csv:2: no header: the columns are taken for {header}\n  \
                 hint: add the line \"# {header}\" above, or one with the right names"
            );
            assert_eq!(notes, [expected]);
        }
        // Angles in the place of speeds.
        let message = problems("1,2,-0.5\n2,2,-0.5\n");
        let expected = "route.csv:1: no header: the columns are taken for x_m,y_m,vx_mps\n  hint: ";
        assert!(
            message.starts_with(expected) && message.contains("\nroute.csv:1: vx_mps -0.5 is out of range\n"),
            "{message}"
        );
    }

    #[test]
    fn a_third_column_of_directions_is_a_heading() {
        let read = |row: &dyn Fn(f64, f64, f64) -> String| {
            let angles = (0..20).map(|k| 0.1 * f64::from(k));
            let rows: String = angles.map(|a| row(2.0 * a.sin(), 2.0 - 2.0 * a.cos(), a)).collect();
            WaypointFile::parse("line.csv", &rows, None).unwrap()
        };
        let taken = |file: &WaypointFile| file.notes[0].to_string().lines().next().unwrap_or_default().to_owned();
        let poses = read(&|x, y, angle| format!("{x},{y},{angle}\n"));
        assert_eq!(taken(&poses), "line.csv:1: no header: the columns are taken for x_m,y_m,psi_rad");
        assert_eq!((poses.notes.len(), poses.points[3].speed), (1, None));
        let fast = read(&|x, y, angle| format!("{x}, {y}, {angle}, 3\n"));
        assert_eq!(taken(&fast), "line.csv:1: no header: the columns are taken for x_m,y_m,psi_rad,vx_mps");
        assert_eq!((fast.points[3].speed, fast.points[3].free), (Some(3.0), None));
        // Speeds and widths are none, also where they equal a direction for a while.
        let speeds = read(&|x, y, _| format!("{x},{y},1\n"));
        assert_eq!(taken(&speeds), "line.csv:1: no header: the columns are taken for x_m,y_m,vx_mps");
        let widths = read(&|x, y, _| format!("{x},{y},1,1.5\n"));
        assert_eq!(widths.points[3].free, Some([1.0, 1.5]));
    }

    #[test]
    fn rows_at_the_same_point_are_left_out() {
        let file = WaypointFile::parse("route.csv", "x,y\n0,0\n0,0\n0,0\n1,0\n", None).unwrap();
        assert_eq!(file.points, [Waypoint::at(0.0, 0.0), Waypoint::at(1.0, 0.0)]);
        assert_eq!(file.notes[0].to_string(), "route.csv: 2 rows at the point of the row above: they are left out");
    }

    #[test]
    fn the_track_around_a_line_may_have_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("line.csv", "x_m;y_m;vx_mps\n0;0;1\n5;0.5;1\n9;3.5;1\n");
        // Without a header, as the tracks of F1TENTH were.
        write("track.csv", "0,0,1,1\n10,0,1,2\n10,10,1,1\n");
        let mut parameters = TrajectoryParameters {
            trajectory_type: "waypoints".into(),
            file: "line.csv".into(),
            track_file: "track.csv".into(),
            ..TrajectoryParameters::default()
        };
        load(&mut parameters, folder.path()).unwrap();
        assert_eq!((parameters.points.len(), parameters.track.len(), parameters.notes.len()), (3, 3, 0));
        let track = Track::of(&parameters).unwrap();
        assert!((track.margin(Vec2::new(5.0, 0.5)) - 1.0).abs() < 1e-12 && track.greatest_width() == 3.0);
        write("line.csv", "x,y\n0,0\n5,-3\n9,0\n");
        load(&mut parameters, folder.path()).unwrap();
        let reported = "1 of 3 points of the line lie off this track, up to 2 m\n  hint: are both in the same frame?";
        assert!(parameters.notes[0].to_string().ends_with(reported), "{:?}", parameters.notes);
        parameters.track_file = "line.csv".into();
        let refused = load(&mut parameters, folder.path()).unwrap_err().to_string();
        assert!(
            refused.ends_with("line.csv: has no track widths\n  accepted: x_m,y_m,w_tr_right_m,w_tr_left_m"),
            "{refused}"
        );
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
            error.to_string().replace(&format!("{}/", folder.path().display()), "")
        };
        let accepted = format!("  accepted: a CSV file with {ACCEPTED}");
        assert_eq!(
            wrong("gone.csv"),
            format!("gone.csv: cannot be read: No such file or directory (os error 2)\n{accepted}")
        );
        std::fs::create_dir(folder.path().join("folder.csv")).unwrap();
        assert_eq!(wrong("folder.csv"), format!("folder.csv: cannot be read: it is a folder\n{accepted}"));
        std::fs::File::create(folder.path().join("long.csv")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(wrong("long.csv"), "long.csv: 16777217 bytes long\n  accepted: at most 16777216 bytes");
        // It has no writer: opening it would block.
        let pipe = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.csv")).status();
        if pipe.is_ok_and(|status| status.success()) {
            assert_eq!(wrong("pipe.csv"), format!("pipe.csv: cannot be read: it is a FIFO\n{accepted}"));
        }
        parameters.trajectory_type = "circle".into();
        assert_eq!(load(&mut parameters, folder.path()), Ok(()));
    }
}
