//! Runs one case of a scenario in this process: its experiment, with the events, the criteria and the observer as its hooks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use skidpad_files::assets::{Cancel, hex};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;
use skidpad_metrics::experiment::{Driven, Experiment, ExperimentConfig, RunEnd};
use skidpad_metrics::{FIELDS, Metrics};
use skidpad_record::Destination;
use skidpad_run::frame_bits;
use skidpad_run::meter::Meter;
use skidpad_run::processes::RunValues;
use skidpad_run::runner::{Change, RunHooks};
use skidpad_sim::world::{Frame, LoadOptions, Scene, World};

use crate::beside::{self, Player};
use crate::description::Scenario;
use crate::events::Schedule;
use crate::expect::{Judge, Numbers, Seen, State};
use crate::measures::{MAX_WATCHED, Observer, Trace};
use crate::peers::{Link, Need, NeedOf};
use crate::pursuit::Pursuit;
use crate::result::{Case, CaseResult, Criterion, Measure, Verdict};

/// Steps after which the wall clock is looked at.
const WATCHED_STEPS: u64 = 16;
/// Most lines about events that are kept.
const MAX_NOTES: usize = 200;

/// Which recordings are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Of all runs.
    All,
    /// Of runs that failed, which are made again for it.
    #[default]
    Failed,
    /// None.
    None,
}

impl Keep {
    /// All by their names.
    pub const NAMES: [(&'static str, Keep); 3] = [("all", Keep::All), ("failed", Keep::Failed), ("none", Keep::None)];

    /// Whether a run that came to this has a recording in the end; one that could not be made may have none.
    pub fn keeps(self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Passed => self == Keep::All,
            Verdict::Failed => self != Keep::None,
            Verdict::Broken(_) => false,
        }
    }
}

/// How runs are made.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// How worlds are loaded; what cancels their load ends runs, too.
    pub load: LoadOptions,
    /// The folder of recordings, which is there; none: nothing is kept.
    pub out: Option<PathBuf>,
    /// Which recordings are kept.
    pub keep: Keep,
    /// Words of the command line that set what the scenarios leave open, for runs in processes of their own.
    pub overrides: Vec<String>,
    /// Counts the simulated time.
    pub meter: Meter,
}

/// Runs one case, whose config has the values that distinguish it; its recording is called `file`.
pub fn run(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    file: &str,
    options: &RunOptions,
) -> CaseResult {
    if scenario.is_in_company(config) {
        return beside::run(scenario, config, case, file, options);
    }
    let begun = Instant::now();
    let path = options.out.as_ref().map(|out| out.join(file));
    let of_all = path.as_ref().filter(|_| options.keep == Keep::All);
    let once_to = |path: Option<PathBuf>| {
        let destination = path.map(Destination::from);
        once(scenario, config, case, options, destination.as_ref(), Link::default())
    };
    let (mut result, recorded) = once_to(of_all.cloned());
    result.recording = of_all.filter(|_| recorded).cloned();
    if let Some(path) = path.as_ref().filter(|_| options.keep == Keep::Failed && result.verdict == Verdict::Failed) {
        // The same again: passing runs, which are most, need no recording.
        let (again, recorded) = once_to(Some(path.clone()));
        match again.verdict {
            Verdict::Broken(problems) => result.notes.extend(problems.0.iter().map(Diagnostic::first_line)),
            _ if again.bits != result.bits => {
                result.notes.push("the recorded run differs from the first run".to_owned());
            }
            _ => {}
        }
        result.recording = recorded.then(|| path.clone());
    }
    if let Some(path) = path.filter(|_| result.recording.is_none() && options.keep.keeps(&result.verdict)) {
        result.notes.push(format!("{}: the recording failed", path.display()));
    }
    result.wall = begun.elapsed().as_secs_f64();
    result
}

/// Makes the recording of one case at this destination.
///
/// # Errors
/// The run breaks, or the recording fails.
pub fn record(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    options: &RunOptions,
    destination: &Destination,
) -> Result<(), Diagnostics> {
    match once(scenario, config, case, options, Some(destination), Link::default()) {
        (CaseResult { verdict: Verdict::Broken(problems), .. }, _) => Err(problems),
        (_, true) => Ok(()),
        (_, false) => Err(Diagnostic::of("the recording failed, see above").into()),
    }
}

/// Runs a case once, beside the nodes that the link leads to; returns whether it was recorded.
pub(crate) fn once(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    options: &RunOptions,
    record: Option<&Destination>,
    link: Link,
) -> (CaseResult, bool) {
    let mut hooks = ScenarioHooks::new(scenario, config, options.load.cancel.clone());
    hooks.link = link;
    let experiment = Experiment {
        config: config.clone(),
        label: case.name(),
        load: options.load.clone(),
        record: record.cloned(),
        meter: options.meter.clone(),
    };
    let driven = experiment.run_with_hooks(&mut hooks, |_| {});
    let recorded = record.is_some() && driven.as_ref().is_ok_and(|driven| !driven.recording_failed);
    let outcome = driven.map_err(|error| scenario.explain(&error));
    (hooks.result(case, config, outcome), recorded)
}

/// A recording that is played beside a run.
struct Played {
    name: String,
    player: Player,
    /// The number of its first topic.
    first: usize,
    /// Messages that were sent.
    count: u64,
}

/// The hooks of a run of a scenario.
pub(crate) struct ScenarioHooks<'a> {
    scenario: &'a Scenario,
    world: PathBuf,
    schedule: Option<Schedule>,
    /// To the nodes beside the run, and what the scenario needs of them.
    link: Link,
    needs: Vec<Need>,
    /// What is played beside it.
    played: Vec<Played>,
    /// The values that names in braces stand for in the paths of recordings.
    reported: RunValues,
    judges: Vec<Judge>,
    observer: Option<Observer>,
    /// Which goals of navigation the observer has been told of.
    pursuit: Pursuit,
    observed: Option<(Vec<Measure>, Trace)>,
    hash: Sha256,
    notes: Vec<String>,
    /// Number of events that are not among them.
    left_out: usize,
    /// Name of the scenario's vehicle.
    vehicle: String,
    /// Simulated time [ns].
    time: SimTime,
    begun: Instant,
    cancel: Cancel,
}

impl<'a> ScenarioHooks<'a> {
    /// From now on the wall time of the run counts.
    pub(crate) fn new(scenario: &'a Scenario, config: &ExperimentConfig, cancel: Cancel) -> ScenarioHooks<'a> {
        ScenarioHooks {
            scenario,
            world: config.world.clone(),
            schedule: None,
            link: Link::default(),
            needs: Vec::new(),
            played: Vec::new(),
            reported: beside::run_values(config),
            judges: Vec::new(),
            observer: None,
            pursuit: Pursuit::default(),
            observed: None,
            hash: Sha256::new(),
            notes: Vec::new(),
            left_out: 0,
            vehicle: String::new(),
            time: SimTime::ZERO,
            begun: Instant::now(),
            cancel,
        }
    }

    /// Begins a run in this world, of the vehicle of this index, but for what nodes beside it have to do.
    ///
    /// # Errors
    /// The scenario names something that the world does not have.
    pub(crate) fn begin_alone(&mut self, world: &World, vehicle: usize) -> Result<(), Diagnostics> {
        let scene = Arc::clone(world.scene());
        self.vehicle.clone_from(&scene.vehicles[vehicle].name);
        let folder = self.scenario.file.parent().unwrap_or(Path::new(""));
        let schedule = Schedule::new(&self.scenario.events, &self.vehicle, folder, &self.world)?;
        let warnings = schedule.check(world, &self.scenario.expect, &self.scenario.file)?;
        self.notes.extend(warnings.iter().map(|warning| format!("warning: {}", warning.first_line())));
        let mut needs = schedule.needs();
        for (number, expected) in self.scenario.expect.iter().enumerate() {
            let judge = Judge::new(expected.clone(), number, &self.vehicle);
            let goals = schedule.goal_events(judge.vehicle(), expected.words.of.as_deref());
            let (line, column) = judge.place();
            let place = format!("{}:{line}:{column}", self.scenario.file.display());
            needs.extend(judge.need().map(|kind| Need { kind, vehicle: judge.vehicle().to_owned(), place }));
            self.judges.push(judge.about_goals(goals));
        }
        needs.extend(self.open_bags(folder)?);
        self.needs = needs;
        self.schedule = Some(schedule);
        let mut names = vec![self.vehicle.clone()];
        for judge in &self.judges {
            if !names.iter().any(|name| name == judge.vehicle()) {
                names.push(judge.vehicle().to_owned());
            }
        }
        if names.len() > MAX_WATCHED {
            let message = Diagnostic::new(
                "expect",
                format!("criteria for {} vehicles, including the scenario's own", names.len()),
            );
            return Err(message.accepted(format!("at most {MAX_WATCHED}")).at(self.scenario.file.display()).into());
        }
        self.observer = Some(Observer::new(&scene, &names));
        self.set_goals();
        Ok(())
    }

    /// Opens the recordings that are played, for a scenario in `folder`; returns what they need.
    fn open_bags(&mut self, folder: &Path) -> Result<Vec<Need>, Diagnostics> {
        let mut needs = Vec::new();
        for bag in &self.scenario.bags {
            let place = format!("{}:{}:{}", self.scenario.file.display(), bag.place.0, bag.place.1);
            let mut notes = Vec::new();
            let player = Player::open(&bag.file(folder, &self.reported), &bag.topics, &mut notes);
            let player = player.map_err(|problems| problems.at("bag").at(&place))?;
            self.notes.extend(notes.iter().map(|note| format!("{}: {}", bag.name(&self.reported), note.first_line())));
            let first = needs.len();
            needs.extend(player.topics().iter().enumerate().map(|(index, topic)| {
                let (topic, kind, is_requested) = (topic.name.clone(), topic.kind.clone(), !bag.topics.is_empty());
                let need_kind = NeedOf::Play { number: first + index, topic, kind, is_requested };
                Need { kind: need_kind, vehicle: String::new(), place: place.clone() }
            }));
            self.played.push(Played { name: bag.name(&self.reported), player, first, count: 0 });
        }
        Ok(needs)
    }

    /// Begins to talk with the nodes beside the run, after [`begin_alone`](ScenarioHooks::begin_alone).
    ///
    /// # Errors
    /// What the scenario needs of them cannot be had: without nodes, all of it.
    pub(crate) fn connect(&mut self, scene: &Scene, link: Link) -> Result<(), Diagnostics> {
        self.link = link;
        self.link.begin(scene, &self.needs)
    }

    /// Passes on to the observer the first goal of each vehicle that has not been reached.
    fn set_goals(&mut self) {
        let Some(observer) = &mut self.observer else { return };
        let mut reported: Vec<&str> = Vec::new();
        for judge in &self.judges {
            if let Some(goal) = judge.goal().filter(|_| judge.state() == State::Open)
                && !reported.contains(&judge.vehicle())
            {
                reported.push(judge.vehicle());
                observer.set_goal(judge.vehicle(), goal, None);
            }
        }
    }

    /// The record of the run, which has ended so, or could not be made or finished.
    pub(crate) fn result(
        mut self,
        case: &Case,
        config: &ExperimentConfig,
        outcome: Result<Driven, Diagnostics>,
    ) -> CaseResult {
        if outcome.is_ok() {
            self.link.settle(self.time, &mut self.notes);
        }
        let warnings = outcome.iter().flat_map(|driven| &driven.warnings);
        let mut notes: Vec<String> = warnings.map(|warning| format!("warning: {}", warning.first_line())).collect();
        notes.append(&mut self.notes);
        let left_out = self.left_out;
        notes.extend((left_out > 0).then(|| format!("and {left_out} more events, not listed")));
        let simulated = self.time.secs();
        let wall = self.begun.elapsed().as_secs_f64();
        let bits = hex(std::mem::take(&mut self.hash).finalize());
        let missed = match (&outcome, &self.schedule) {
            (Ok(_), Some(schedule)) => schedule.missed(),
            _ => Vec::new(),
        };
        let (end, verdict, criteria, measures, trace) = match outcome {
            Ok(driven) => self.conclude(driven, config.duration),
            Err(problems) => ("broken".to_owned(), Verdict::Broken(problems), Vec::new(), Vec::new(), None),
        };
        CaseResult {
            case: case.clone(),
            verdict,
            criteria,
            missed,
            measures,
            end,
            notes,
            simulated,
            wall,
            seed: config.seed,
            bits,
            recording: None,
            command: Vec::new(),
            trace: trace.map(Box::new),
        }
        .legible()
    }

    /// Ends the run where its wall time is over, or all are to end.
    fn watch_clock(&self) -> Result<(), Diagnostics> {
        if self.scenario.experiment.ros.as_ref().is_some_and(|ros| ros.stop.load(Ordering::Relaxed)) {
            return Err(Diagnostic::of(format!("interrupted after {} of simulated time", self.time)).into());
        }
        if self.begun.elapsed() <= Duration::from_secs_f64(self.scenario.timeout) {
            return Ok(());
        }
        let found = format!(
            "{} s of wall time passed within {:.3} s of simulated time",
            self.scenario.timeout,
            self.time.secs()
        );
        Err(Diagnostic::new("timeout", found).into())
    }

    /// Why the run ended, its verdict, what was found, and the numbers of the run.
    fn conclude(self, driven: Driven, duration: f64) -> (String, Verdict, Vec<Criterion>, Vec<Measure>, Option<Trace>) {
        let broken = self.judges.iter().any(|judge| matches!(judge.state(), State::Broken(_)));
        let end = match driven.end {
            RunEnd::Duration => format!("duration of {duration} s"),
            RunEnd::Reference => "the trajectory has ended, and the vehicle is at rest".to_owned(),
            RunEnd::RunHooks if broken => "a criterion does not hold".to_owned(),
            RunEnd::RunHooks => "all goals are reached".to_owned(),
        };
        let metrics: Option<Metrics> = driven.analyzed().ok().map(|analyzed| analyzed.metrics);
        let (mut measures, trace) = self.observed.map_or((Vec::new(), None), |(all, trace)| (all, Some(trace)));
        let numbers = Numbers { measures: &measures, metrics: metrics.as_ref() };
        let mut criteria: Vec<Criterion> = self.judges.iter().map(|judge| judge.conclude(&numbers, !broken)).collect();
        criteria.extend(self.schedule.iter().flat_map(|schedule| schedule.obligations(!broken)));
        let vehicle = Some(self.vehicle);
        for field in FIELDS {
            let is_new = measures.iter().all(|measure| measure.key != field.key);
            if let Some(value) = metrics.as_ref().and_then(field.get).filter(|_| is_new) {
                measures.push(Measure { key: field.key, vehicle: vehicle.clone(), value: Some(value) });
            }
        }
        let lapses = self.link.known().lapses(self.time.secs());
        let verdict = if criteria.iter().any(|criterion| !criterion.held) {
            let is_reported = |lapse: &Diagnostic| {
                let place = lapse.place.as_deref().unwrap_or_default();
                criteria.iter().any(|criterion| !criterion.held && criterion.actual.contains(place))
            };
            let unreported: Vec<Criterion> = lapses.iter().filter(|lapse| !is_reported(lapse)).map(lapsed).collect();
            criteria.extend(unreported);
            Verdict::Failed
        } else if lapses.is_empty() {
            Verdict::Passed
        } else {
            // Something was to happen and did not, so that it says nothing that all held.
            Verdict::Broken(Diagnostics(lapses))
        };
        (end, verdict, criteria, measures, trace)
    }
}

/// What an order that nobody was there for adds to the reasons of a failure.
fn lapsed(lapse: &Diagnostic) -> Criterion {
    let (expected, actual) = ("carried out".to_owned(), lapse.in_one_line());
    Criterion { name: "event".to_owned(), vehicle: None, expected, actual, time: None, held: false }
}

impl RunHooks for ScenarioHooks<'_> {
    fn begin(&mut self, world: &mut World, vehicle: usize) -> Result<(), Diagnostics> {
        world.set_cancel(self.cancel.clone());
        self.begin_alone(world, vehicle)?;
        let link = std::mem::take(&mut self.link);
        self.connect(world.scene(), link)
    }

    fn before_step(&mut self, world: &mut World) -> Result<Vec<Change>, Diagnostics> {
        let Some(schedule) = &mut self.schedule else { return Ok(Vec::new()) };
        let changes = schedule.happen(world, &mut self.link, &mut self.notes)?;
        self.left_out += self.notes.len().saturating_sub(MAX_NOTES);
        self.notes.truncate(MAX_NOTES);
        for Played { player, first, count, .. } in &mut self.played {
            player.play(world.frame().time, |topic, message| {
                *count += u64::from(self.link.play(*first + topic, message));
            });
        }
        Ok(changes)
    }

    fn after_step(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<bool, Diagnostics> {
        if frame.time <= self.time {
            let found = format!("was set back from {} to {}: the run cannot be judged", self.time, frame.time);
            return Err(Diagnostic::new("simulated time", found).into());
        }
        self.time = frame.time;
        for number in frame_bits::without_readings(frame) {
            self.hash.update(number.to_le_bytes());
        }
        if self.cancel.is_cancelled() {
            return Err(Diagnostic::of("the run was cancelled").into());
        }
        if frame.step.is_multiple_of(WATCHED_STEPS) {
            self.watch_clock()?;
        }
        let Some(observer) = &mut self.observer else { return Ok(true) };
        for Need { vehicle, .. } in self.needs.iter().filter(|need| matches!(need.kind, NeedOf::Poses { .. })) {
            if let Some(index) = scene.vehicle_index(vehicle) {
                let position = frame.vehicles[index].world_from_body.planar().position();
                self.link.note_truth(vehicle, frame.time, position);
            }
        }
        self.link.listen(frame.time, &mut self.notes);
        if let Some(problem) = &self.link.known().refused {
            return Err(problem.clone().into());
        }
        observer.observe(scene, frame);
        let has_goal =
            |vehicle: &str| self.judges.iter().any(|judge| judge.goal().is_some() && judge.vehicle() == vehicle);
        self.pursuit.follow(self.link.known(), scene, frame, observer, has_goal);
        let mut is_broken = false;
        let mut is_reached = false;
        let known = self.link.known();
        for judge in self.judges.iter_mut().filter(|judge| judge.state() == State::Open) {
            let index = scene.vehicle_index(judge.vehicle());
            let vehicle = index.and_then(|index| Some((scene.vehicles.get(index)?, frame.vehicles.get(index)?)));
            judge.look(&Seen { scene, frame, vehicle, now: observer.now(judge.vehicle()), known });
            match judge.state() {
                State::Open => {}
                State::Fulfilled(_) => {
                    if judge.goal().is_some() {
                        is_reached = true;
                        observer.reached(judge.vehicle());
                    }
                }
                State::Broken(_) => {
                    is_broken = true;
                    let (name, title) = (judge.vehicle().to_owned(), judge.title());
                    observer.mark(scene, frame, Some(&name), &title);
                }
            }
        }
        if is_reached {
            self.set_goals();
        }
        let has_goals = self.judges.iter().any(Judge::is_of_goal);
        let is_done = has_goals && !self.outlasts_reference();
        Ok(!(is_broken || is_done))
    }

    fn idle(&mut self) -> Result<(), Diagnostics> {
        self.watch_clock()
    }

    fn end(&mut self, scene: &Arc<Scene>, frame: &Frame) {
        self.observed = self.observer.take().map(|observer| observer.finish(scene, frame));
        let reported = |Played { name, count, .. }: &Played| format!("{name}: {count} messages were played");
        self.notes.extend(self.played.iter().map(reported));
    }

    fn may_spawn(&self) -> bool {
        self.scenario.events.iter().any(|event| event.words.spawn.is_some())
    }

    fn outlasts_reference(&self) -> bool {
        self.judges.iter().any(|judge| judge.needs_run(self.time.secs()))
            || self.schedule.as_ref().is_some_and(Schedule::has_more)
    }
}
