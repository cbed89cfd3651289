//! `skidpad analyze`: metrics and graphs of recordings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use crate::analysis::laps::{Course, LapParameters, laps_text};
use crate::analysis::recording::{self, ReadOptions};
use crate::analysis::{self, Analyzed, FIELDS, MetricsOptions, Section, shown};
use crate::cli::answer::{Answer, JsonArgs};
use crate::cli::lap_args::LapArgs;
use crate::cli::parsers::{angle, length, seconds};
use crate::cli::picture_args::PictureArgs;
use crate::cli::progress::{self, Work};
use crate::cli::{Failure, complete, log_warnings, offer};
use crate::counted::counted;
use crate::diagnostic::{Diagnostic, Diagnostics};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct AnalyzeArgs {
    /// Recordings: MCAP files, sqlite3 bags, or folders of `ros2 bag record`
    #[arg(required = true, value_name = "FILE", add = complete::recordings())]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// Folder for the report, metrics and graphs
    ///
    /// The files are report.html, metrics.csv and metrics.json, and the graphs as SVG, PDF and PNG.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
    /// Write the metrics as CSV to this file; - prints them instead of the table
    #[arg(long, value_name = "FILE", group = "format")]
    pub(in crate::cli) csv: Option<PathBuf>,
    /// Write the tables and graphs as one page to this file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) html: Option<PathBuf>,
    /// Title of the page and the graphs
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) title: Option<String>,
    /// Analyze only this vehicle of several
    ///
    /// NAME is the namespace of its topics, or its name in the printed table.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) vehicle: Option<String>,
    /// Topic of the vehicle's pose, or of transforms
    ///
    /// The default is the first of /ground_truth, /base_pose_ground_truth, /vesc/odom, /odom and other usual names, else any odometry, else /tf.
    #[arg(long, value_name = "TOPIC")]
    pub(in crate::cli) odom: Option<String>,
    /// Topic of the vehicle's reference
    ///
    /// The default is /reference_trajectory, else the path of a planner, such as /plan.
    #[arg(long, value_name = "TOPIC")]
    pub(in crate::cli) reference: Option<String>,
    /// Topic of the vehicle's commands
    ///
    /// The default is the first of the navigation input of the racecar's mux, the mux's output, /ackermann_cmd and /cmd_vel.
    #[arg(long, value_name = "TOPIC")]
    pub(in crate::cli) command: Option<String>,
    /// Error below which a run has settled [m]
    ///
    /// A run has settled when its error stays below this value.
    #[arg(long, value_name = "M", default_value = "0.05", value_parser = length)]
    pub(in crate::cli) settled_below: f64,
    /// Longest time between a pose and the reference used for it [s]
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds)]
    pub(in crate::cli) join_tolerance: f64,
    /// Ignore data before this time [s]
    ///
    /// The time counts from the first pose with a reference.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(in crate::cli) from: Option<f64>,
    /// Ignore data after this time [s] [default: the end of the reference]
    ///
    /// The time counts from the first pose with a reference.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(in crate::cli) to: Option<f64>,
    /// Largest steering angle of the vehicle, to find saturated commands [rad]
    #[arg(long, value_name = "RAD", value_parser = angle)]
    pub(in crate::cli) max_steer: Option<f64>,
    /// CSV file of the track, to time laps and find when the vehicle leaves it
    ///
    /// The columns are x_m, y_m, w_tr_right_m, w_tr_left_m.
    #[arg(long, value_name = "FILE", add = offer::files(&[".csv"]))]
    pub(in crate::cli) track: Option<PathBuf>,
    /// CSV file of the racing line, to time laps along it instead of the track
    ///
    /// The columns are x_m, y_m and, optionally, vx_mps.
    #[arg(long, value_name = "FILE", add = offer::files(&[".csv"]))]
    pub(in crate::cli) racing_line: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) laps: LapArgs,
    /// Report the mean and spread of all recordings, as runs of the same thing
    ///
    /// Each number has its mean, standard deviation and 95 % interval. The graphs show mean and spread.
    #[arg(long, conflicts_with = "group")]
    pub(in crate::cli) mean: bool,
    /// Group the recordings whose names match PATTERN; can be repeated
    ///
    /// The recordings of a group are runs of the same thing, which is called NAME. In a pattern, such as fast='fast_*', a * stands for any
    /// letters.
    #[arg(long, value_name = "NAME=PATTERN", value_parser = group)]
    pub(in crate::cli) group: Vec<(String, String)>,
    /// Wheelbase of the vehicle, to find paths that need too much steering [m]
    #[arg(long, value_name = "M", value_parser = length)]
    pub(in crate::cli) wheelbase: Option<f64>,
}

/// Runs the analysis.
pub(in crate::cli) fn analyze(args: &AnalyzeArgs, answer: &mut Answer) -> Result<(), Failure> {
    let options = MetricsOptions {
        join_tolerance: args.join_tolerance,
        band: args.settled_below,
        from: args.from,
        to: args.to,
        max_steering_angle: args.max_steer,
        wheelbase: args.wheelbase,
    };
    let course = course(args)?;
    let runs = Work::of("reading", || runs(args, &options, course.as_ref()))?;
    let mut section = Section { title: args.title.clone().unwrap_or_default(), runs };
    form_groups(args, &mut section)?;
    let sections = std::slice::from_ref(&section);
    let names: Vec<&str> = section.runs.iter().map(|run| run.run.name.as_str()).collect();
    let title = args.title.clone().unwrap_or_else(|| names.join(", "));
    let work = Work::begin("drawing");
    if let Some(out) = &args.out {
        analysis::report(&title, sections, &options, out).map_err(Failure::because)?;
        analysis::pictures(&section, &options, &args.pictures.options(), out).map_err(Failure::because)?;
    }
    if let Some(path) = &args.html {
        let page = analysis::html(&title, sections, &options).map_err(Failure::because)?;
        analysis::write(path, &page).map_err(Failure::because)?;
    }
    drop(work);
    if let Some(path) = &args.csv {
        if path.as_os_str() == "-" {
            let text = analysis::csv(sections).map_err(Failure::because)?;
            return Ok(io::stdout().lock().write_all(text.as_bytes())?);
        }
        let text = analysis::csv_file(sections).map_err(Failure::because)?;
        analysis::write(path, &text).map_err(Failure::because)?;
    }
    answer.give(
        || json!({ "runs": analysis::as_json(sections), "groups": analysis::summary_json(sections) }),
        |out| {
            print(&section.runs, &options, out)?;
            out.write_all(analysis::summary_text(sections).as_bytes())?;
            Ok(out.write_all(laps_text(sections).as_bytes())?)
        },
    )
}

/// The course on which laps are timed, if one is given.
fn course(args: &AnalyzeArgs) -> Result<Option<Arc<Course>>, Failure> {
    let mut laps = LapParameters::default();
    args.laps.apply(&mut laps);
    if args.track.is_none() && args.racing_line.is_none() {
        log_warnings(args.laps.given().map(|option| {
            Diagnostic::new(option, "ignored, laps are not timed")
                .hint("give the line of the laps with --track FILE or --racing-line FILE")
        }));
        return Ok(None);
    }
    let (course, notes) =
        Course::read(args.racing_line.as_deref(), args.track.as_deref(), &laps).map_err(Failure::Because)?;
    log_warnings(&notes);
    Ok(Some(course))
}

/// Reads and analyzes all files; the errors of all files are reported together.
fn runs(args: &AnalyzeArgs, options: &MetricsOptions, course: Option<&Arc<Course>>) -> Result<Vec<Analyzed>, Failure> {
    let read = ReadOptions {
        odometry: args.odom.clone(),
        reference: args.reference.clone(),
        command: args.command.clone(),
        vehicle: args.vehicle.clone(),
        needs_no_reference: course.is_some(),
    };
    let mut runs = Vec::new();
    let mut wrong = Diagnostics::default();
    for (file, name) in args.files.iter().zip(names(&args.files)) {
        progress::say(&format!("reading {name}"));
        let recorded = match recording::read_all(file, &read) {
            Ok(recorded) => recorded,
            Err(errors) => {
                wrong.0.extend(Diagnostics::from(errors));
                continue;
            }
        };
        let are_several = recorded.len() > 1;
        let mut reported: Vec<Diagnostic> = Vec::new();
        for mut run in recorded {
            let of_vehicle = |name: String| if are_several { format!("{name}, {}", run.vehicle) } else { name };
            let (place, name) = (of_vehicle(file.display().to_string()), of_vehicle(name.clone()));
            run.name = place;
            match Analyzed::of(run, options) {
                Ok(mut analyzed) => {
                    if let Some(course) = course {
                        analyzed.time_laps(course, options);
                    }
                    let new: Vec<_> =
                        analyzed.run.notes.iter().filter(|note| !reported.contains(note)).cloned().collect();
                    log_warnings(new.iter().map(|note| of_recording(note, file)));
                    reported.extend(new);
                    analyzed.run.name = name;
                    runs.push(analyzed);
                }
                Err(error) => wrong.0.push(error.into()),
            }
        }
    }
    if wrong.0.is_empty() { Ok(runs) } else { Err(Failure::Because(wrong)) }
}

/// A name and a pattern of other names.
fn group(text: &str) -> Result<(String, String), Diagnostic> {
    match text.split_once('=') {
        Some((name, pattern)) if !name.is_empty() && !pattern.is_empty() => Ok((name.into(), pattern.into())),
        Some(_) | None => Err(Diagnostic::of("not a group").accepted("NAME=PATTERN, such as fast='fast_*'")),
    }
}

/// Whether a name fits a pattern, in which * stands for any letters.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((start, pattern_end)) => name.strip_prefix(start).is_some_and(|behind| {
            behind.char_indices().map(|(at, _)| at).chain([behind.len()]).any(|at| fits(&behind[at..], pattern_end))
        }),
    }
}

/// Puts the runs into the groups that are asked for, and tells what speaks against them.
fn form_groups(args: &AnalyzeArgs, section: &mut Section) -> Result<(), Failure> {
    if args.mean {
        let name = args.title.clone().unwrap_or_else(|| "all runs".to_owned());
        section.runs.iter_mut().for_each(|run| run.group = Some(name.clone()));
    }
    for (name, pattern) in &args.group {
        let mut is_empty = true;
        for run in section.runs.iter_mut().filter(|run| fits(&run.run.name, pattern)) {
            is_empty = false;
            if let Some(other) = run.group.replace(name.clone()).filter(|other| other != name) {
                let found = format!("{} is in the groups {other} and {name}", run.run.name);
                return Err(Failure::because(Diagnostic::new("--group", found).accepted("one group for each run")));
            }
        }
        if is_empty {
            let names = section.runs.iter().map(|run| run.run.name.clone());
            let message = Diagnostic::new(format!("--group {name}={pattern}"), "matches no run");
            return Err(Failure::because(message.accepted_all(names)));
        }
    }
    let alone = || section.runs.iter().filter(|run| run.group.is_none()).map(|run| run.run.name.as_str());
    if !args.group.is_empty() && alone().next().is_some() {
        let found = format!("not in a group: {}", alone().collect::<Vec<_>>().join(", "));
        log_warnings([Diagnostic::new("--group", found)]);
    }
    log_warnings(analysis::group_notes(section));
    Ok(())
}

/// A note about a recording, with its place: the file, or one in the folder.
fn of_recording(note: &Diagnostic, file: &Path) -> Diagnostic {
    match &note.place {
        Some(place) if Path::new(place).starts_with(file) => note.clone(),
        _ => note.clone().at(file.display()),
    }
}

/// Names of the files in legends: file names without extension, or full paths if those are not unique.
fn names(files: &[PathBuf]) -> Vec<String> {
    let short = |file: &PathBuf| {
        let name = if file.is_dir() { file.canonicalize().ok() } else { Some(file.clone()) };
        let name = name.as_deref().and_then(|path| if path.is_dir() { path.file_name() } else { path.file_stem() });
        name.map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = files.iter().map(short).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    if distinct.len() < names.len() {
        names = files.iter().map(|file| file.display().to_string()).collect();
    }
    names
}

/// Prints a table with a row per number and a column per run, then the findings.
fn print(runs: &[Analyzed], options: &MetricsOptions, out: &mut impl Write) -> io::Result<()> {
    let chars = |text: &str| text.chars().count();
    let left = FIELDS.iter().map(|field| chars(&field.title())).max().unwrap_or(0);
    let widths: Vec<usize> = runs.iter().map(|run| chars(&run.run.name).max(10)).collect();
    let row = |out: &mut dyn Write, label: &str, cells: &[String]| {
        write!(out, "{label:<left$}")?;
        for (cell, width) in cells.iter().zip(&widths) {
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)
    };
    row(out, "", &runs.iter().map(|run| run.run.name.clone()).collect::<Vec<_>>())?;
    for field in FIELDS {
        let values: Vec<Option<f64>> = runs.iter().map(|run| (field.get)(&run.metrics)).collect();
        let tracks = || runs.iter().any(|run| run.metrics.tracking.is_some());
        if values.iter().any(Option::is_some) || (field.tells_by_absence() && tracks()) {
            row(out, &field.title(), &values.into_iter().map(shown).collect::<Vec<_>>())?;
        }
    }
    for run in runs {
        writeln!(out, "{}: {}", run.run.name, run.run.topics)?;
        if let Some(made) = &run.run.provenance {
            let (program, command) = (made.program(), made.command_line());
            let files = counted(made.files.len(), "file");
            writeln!(out, "{}: made by {program} from {files}: {command}", run.run.name)?;
        }
    }
    writeln!(out, "(settled: stays within {} m; –: not available)", options.band)?;
    for run in runs {
        if let Some(end) = run.metrics.window.explanation() {
            writeln!(out, "{}: {end}", run.run.name)?;
        }
        for finding in &run.metrics.findings {
            writeln!(out, "{}: {}", run.run.name, finding.text)?;
        }
    }
    Ok(())
}
