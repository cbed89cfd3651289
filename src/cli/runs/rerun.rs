//! `skidpad rerun`: makes a recorded run again, from what the recording says about how it was made, and compares the messages bit by bit.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use serde_json::{Value, json};

use crate::cli::answer::{Answer, JsonArgs};
use crate::cli::args::{Args, Task};
use crate::cli::progress::Work;
use crate::cli::{Failure, complete, experiment, log_warnings, provenance, run, test};
use crate::counted::counted;
use crate::dataset::table;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::file_set::FileSet;
use crate::input_file;
use crate::record::comparison::{self, Difference, Messages};
use crate::record::provenance::{Recorded, SourceFile};
use crate::record::{Bounds, Destination, EXTERNAL_TOPICS, Provenance, RecordOptions};
use crate::runner::{Change, Settings, TimedChange};
use crate::time::SimTime;
use crate::world::{ExternalChange, SpawnSource};

/// Exit status where the bits differ, and where a run cannot be made again.
const OTHER_BITS: u8 = 1;
const CANNOT: u8 = 2;
/// Changes that a message lists.
const LISTED: usize = 5;
/// What a run that is made again may take beside twice what the recording holds [bytes].
const SPARE: u64 = 16 << 20;
/// Longest file that is taken from here, being too large for a recording [bytes].
const MAX_LOCAL: u64 = 2 << 30;
/// The topic that tells of the machine and not of the world.
const DIAGNOSTICS: &str = "/diagnostics";

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RerunArgs {
    /// Recording to repeat
    ///
    /// It is one of `skidpad run --record`, `skidpad experiment --out`, `skidpad test --out` or the Python package.
    #[arg(value_name = "FILE.mcap", add = complete::recordings())]
    recording: PathBuf,
    /// Use the files in the recording, instead of the files of the same paths here
    #[arg(long)]
    embedded: bool,
    /// Record the repeated run to this file
    #[arg(long, value_name = "FILE.mcap")]
    record: Option<PathBuf>,
    /// Let $(command) in the world file run programs, if the recorded run did
    #[arg(long)]
    allow_commands: bool,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
}

/// The failure of a run that cannot be made again.
fn cannot(why: impl Into<Diagnostics>) -> Failure {
    Failure::Ended { errors: why.into(), status: CANNOT }
}

/// Makes the run again and compares.
pub(in crate::cli) fn rerun(args: &RerunArgs, answer: &mut Answer) -> Result<(), Failure> {
    let mut notes = Vec::new();
    let recorded = Work::of("reading", || crate::record::provenance::read(&args.recording, &mut notes));
    let recorded = recorded.map_err(cannot)?;
    log_warnings(notes);
    let Some(Recorded { provenance: made, mut timed_changes }) = recorded else {
        let message = Diagnostic::new(args.recording.display(), "does not contain the command that made it");
        return Err(cannot(
            message.accepted("a recording of skidpad run --record, skidpad experiment --out or skidpad test --out"),
        ));
    };
    let is_end = |timed: &TimedChange| timed.change == Change::End;
    let steps = timed_changes.iter().find(|timed| is_end(timed)).map(|timed| timed.step);
    timed_changes.retain(|timed| !is_end(timed));
    require_repeatable(&args.recording, &made, &timed_changes)?;
    let files = if args.embedded { Some(embedded(args, &made)?) } else { None };
    if let Some(files) = &files {
        require_held(&args.recording, files, &timed_changes)?;
    }
    let task = {
        let _in_force = files.clone().map(FileSet::enforce);
        task_of(args, &made)?
    };
    let changed = tell_changes(args, &made);

    let has_driver = !matches!(&task, Task::Run(args) if args.track.is_none() && args.scenario.is_none());
    let topics = options(&made)?.preset.topics;
    let echoes: Vec<&str> = topics.iter().filter(|topic| topic.content.is_echo()).map(|topic| topic.name).collect();
    let is_left_out = |topic: &str| {
        let is_echo = echoes.iter().any(|name| name.trim_start_matches('/') == topic.trim_start_matches('/'));
        topic == DIAGNOSTICS || is_echo || !has_driver && EXTERNAL_TOPICS.contains(&topic)
    };
    let read = |path: &Path| {
        let messages = || Messages::read(path, &is_left_out, &table::content, &mut Vec::new());
        Work::of("reading", messages).map_err(cannot)
    };
    let before = read(&args.recording)?;
    let expected = before.last_time().map(SimTime);
    // A command has the time at which its step begins: where the number of steps is known, that step is made, too.
    let until = SimTime(expected.map_or(0, |last| last.0.saturating_add(i64::from(steps.is_some()))));
    let bounds = Bounds::new(until, before.size().saturating_mul(2).saturating_add(SPARE));
    let destination = args.record.clone().map_or_else(Destination::unnamed, |path| Ok(Destination::from(path)))?;
    let destination = destination.within(&bounds);
    let world = PathBuf::from(&made.world);
    let in_force = files.map(FileSet::enforce);
    let done = match &task {
        Task::Run(run) => {
            let settings = Settings {
                timed_changes: VecDeque::from(timed_changes),
                steps,
                stop: Arc::clone(bounds.over()),
                ..Settings::default()
            };
            let recording = (options(&made)?, destination.clone());
            let variables = made.set.clone().into_iter().collect();
            run::again(run, run::Again { world, variables, recording, settings, expected })
        }
        Task::Experiment(args) => experiment::again(args, world, destination.clone()),
        Task::Test(args) => test::again(args, world, &destination),
        _ => Err(Failure::because(Diagnostic::of("neither a run, an experiment nor a test"))),
    };
    drop(in_force);
    done.map_err(|failure| match failure {
        Failure::Because(errors) => cannot(errors),
        other => other,
    })?;

    let after = read(destination.path())?;
    let differences = before.differences(&after, steps.is_some());
    if bounds.is_full() {
        let found = "the rerun was stopped, since its recording grew to more than twice the size";
        let message = Diagnostic::new(args.recording.display(), found);
        match differences.is_empty() {
            true => return Err(cannot(message)),
            false => log_warnings([message]),
        }
    }
    let outcome = Outcome {
        recording: &args.recording,
        again: destination.path(),
        first: differences.first(),
        differing: differences.len(),
        count: before.count(),
        digest: before.digest(),
        is_whole: steps.is_some(),
        changed,
    };
    answer.give(|| outcome.json(), |out| Ok(out.write_all(outcome.text().as_bytes())?))?;
    match outcome.first {
        None => Ok(()),
        Some(_) => Err(Failure::Ended { errors: Diagnostics::default(), status: OTHER_BITS }),
    }
}

/// Refuses runs with something in them that only people or other programs could do again.
fn require_repeatable(recording: &Path, made: &Provenance, timed_changes: &[TimedChange]) -> Result<(), Failure> {
    let unread = made.files.iter().filter(|file| file.sha256.is_none());
    let unread = unread.map(|file| format!("{} could be read only once", file.path));
    let not_repeatable = timed_changes.iter().filter_map(|timed| match &timed.change {
        Change::Other(change) => {
            let time = timed.step as f64 * made.step.unwrap_or_default();
            Some(format!("at step {} ({time:.3} s): {change}", timed.step))
        }
        _ => None,
    });
    let why: Vec<String> = unread.chain(not_repeatable).collect();
    let Some((first, more_reasons)) = why.split_first() else { return Ok(()) };
    let message = Diagnostic::new(recording.display(), format!("cannot be made again: {first}"));
    let reported = more_reasons.iter().take(LISTED).map(|reason| format!("and {reason}"));
    let more = (more_reasons.len() > LISTED).then(|| format!("and {} more reasons", more_reasons.len() - LISTED));
    Err(cannot(reported.chain(more).fold(message, Diagnostic::note)))
}

/// The command that made the recording.
fn task_of(args: &RerunArgs, made: &Provenance) -> Result<Task, Failure> {
    // Options of a recording need one; where it goes is said elsewhere.
    let words = if made.again.is_empty() { &made.command } else { &made.again };
    let record = words.first().filter(|command| *command == "run").map(|_| "--record=again.mcap");
    let words = std::iter::once("skidpad").chain(words.iter().map(String::as_str)).chain(record);
    let of = |found: String| Diagnostic::new(args.recording.display(), found);
    let parsed = Args::try_parse_from(words).map_err(|error| {
        let error = error.to_string();
        let reason = error.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        cannot(of(format!("this version does not understand \"{}\": {reason}", made.command_line())))
    })?;
    if let Task::Run(run) = &parsed.task
        && run.world.allow_commands
        && !args.allow_commands
    {
        let message = of("its world may run commands, which the recorded run was allowed to".to_owned());
        return Err(cannot(message.hint("if you trust the recording: --allow-commands")));
    }
    Ok(parsed.task)
}

/// The options of a recording with the same names.
fn options(made: &Provenance) -> Result<RecordOptions, Failure> {
    let names = made.names.clone().unwrap_or_default();
    names
        .options()
        .ok_or_else(|| cannot(Diagnostic::new("preset", format!("this version does not know \"{}\"", names.preset))))
}

/// Warns of another program, and of files that are not what they were; returns the paths of these.
fn tell_changes(args: &RerunArgs, made: &Provenance) -> Vec<String> {
    let this_program = provenance::of_command(&[], &[]);
    if (&this_program.version, &this_program.commit) != (&made.version, &made.commit) {
        let found = format!("was made by {}, this is {}", made.program(), this_program.program());
        log_warnings([Diagnostic::new(args.recording.display(), found)]);
    }
    let mut changed = Vec::new();
    for file in made.files.iter().filter(|_| !args.embedded) {
        let now = SourceFile::at(Path::new(&file.path)).sha256;
        if now == file.sha256 {
            continue;
        }
        let short = |sum: &Option<String>| sum.as_deref().unwrap_or_default().chars().take(12).collect::<String>();
        let message = match &now {
            None => Diagnostic::new(&file.path, "can no longer be read"),
            Some(_) => {
                let sums = format!("SHA-256 was {}…, now {}…", short(&file.sha256), short(&now));
                Diagnostic::new(&file.path, "has changed since the recording").note(sums)
            }
        };
        log_warnings([message.hint("--embedded uses the files in the recording")]);
        changed.push(file.path.clone());
    }
    changed
}

/// The files of the recording, and those that it does not hold, as long as they are what they were.
fn embedded(args: &RerunArgs, made: &Provenance) -> Result<FileSet, Failure> {
    let mut files = FileSet::of(args.recording.display().to_string());
    for file in &made.files {
        let path = Path::new(&file.path);
        let on_disk = || {
            let file_now = input_file::open(path).ok()?;
            let is_as_long = file_now.metadata().ok()?.len() == file.bytes && file.bytes <= MAX_LOCAL;
            is_as_long.then(|| input_file::read_to_end(file_now, file.bytes).ok().map(Arc::from))?
        };
        let content = file.content.clone().or_else(on_disk).filter(|content| file.is_of(content));
        let Some(content) = content else {
            let found = match file.content {
                Some(_) => format!("its copy of {} does not match its SHA-256", file.path),
                None => format!("{} is too large to be embedded, and the file on disk has changed", file.path),
            };
            return Err(cannot(Diagnostic::new(args.recording.display(), found)));
        };
        files.add(path, content);
    }
    Ok(files)
}

/// Refuses bodies that were spawned from files which the recording does not hold.
fn require_held(recording: &Path, files: &FileSet, timed_changes: &[TimedChange]) -> Result<(), Failure> {
    let lacks = timed_changes.iter().find_map(|timed| match &timed.change {
        Change::World(ExternalChange::Spawn(request)) => match &request.source {
            SpawnSource::File(path) if !files.has(path) => Some((timed.step, path)),
            _ => None,
        },
        _ => None,
    });
    let Some((step, path)) = lacks else { return Ok(()) };
    let found = format!("does not contain {}, from which a body was spawned at step {step}", path.display());
    Err(cannot(Diagnostic::new(recording.display(), found).hint("without --embedded the file on this machine is used")))
}

/// What the comparison has found.
struct Outcome<'a> {
    recording: &'a Path,
    again: &'a Path,
    first: Option<&'a Difference>,
    /// Number of topics that differ.
    differing: usize,
    /// Number of topics and of messages.
    count: (usize, usize),
    digest: String,
    is_whole: bool,
    changed: Vec<String>,
}

impl Outcome<'_> {
    /// The field in which the first pair of messages that differ does so, with its values; none: one of them is not there.
    fn field(&self) -> Option<(String, [String; 2])> {
        let Difference { topic, index, .. } = self.first?;
        let [a, b] = [self.recording, self.again].map(|path| comparison::message(path, topic, *index));
        let (a, b) = (a?, b?);
        table::first_difference(&a.kind, &a.definition, [&a.data, &b.data])
    }

    fn text(&self) -> String {
        let (name, (topics, messages)) = (self.recording.display(), self.count);
        let mut text = String::new();
        match self.first {
            None => {
                let [messages, topics] = [counted(messages, "message"), counted(topics, "topic")];
                let _ = writeln!(text, "{name}: identical, {messages} of {topics}");
            }
            Some(first) => {
                let place =
                    format!("{} at {:.6} s (message {})", first.topic, first.time() as f64 / 1e9, first.index + 1);
                let difference = match (first.times, self.field()) {
                    ([Some(_), None], _) => "the rerun has no such message".to_owned(),
                    ([None, _], _) => "the recording has no such message".to_owned(),
                    ([Some(a), Some(b)], _) if a != b => format!("in the rerun it is at {:.6} s", b as f64 / 1e9),
                    (_, Some((field, [a, b]))) => format!("{field} was {a}, now {b}"),
                    (_, None) => "its bytes differ".to_owned(),
                };
                let _ = writeln!(text, "{name}: differs, first in {place}: {difference}");
                let differ = if self.differing == 1 { "differs" } else { "differ" };
                let _ = writeln!(text, "{} of {} {differ}", self.differing, counted(topics, "topic"));
            }
        }
        if !self.is_whole {
            let _ = writeln!(text, "the recording ended early: later messages were not compared");
        }
        let _ = writeln!(text, "SHA-256 of the recorded messages: {}", self.digest);
        text
    }

    fn json(&self) -> Value {
        let difference = self.first.map(|first| {
            let field = self.field().map(|(path, [recorded, again])| {
                json!({ "path": path, "recorded": recorded, "again": again })
            });
            let [recorded, again] = first.times.map(|time| time.map(|time| time as f64 / 1e9));
            json!({ "topic": first.topic, "message": first.index, "time_recorded": recorded, "time_again": again, "field": field })
        });
        json!({
            "recording": self.recording.display().to_string(),
            "same": self.first.is_none(),
            "topics": self.count.0,
            "messages": self.count.1,
            "sha256": self.digest,
            "differing_topics": self.differing,
            "difference": difference,
            "is_whole": self.is_whole,
            "changed_files": self.changed,
        })
    }
}
