//! Scenarios for `skidpad.testing`: read and checked once, each of their runs made by itself or side by side with others, and their reports.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use skidpad::assets::Cancel;
use skidpad::cli::runs::scenarios::{self, ReportKind};
use skidpad::cli::wanted::Wanted;
use skidpad::diagnostic::{Diagnostic, Diagnostics};
use skidpad::experiment::ExperimentConfig;
use skidpad::scenario::report::json;
use skidpad::scenario::{self, Case, CaseResult, Keep, RunOptions, Verdict};
use skidpad::world::LoadOptions;

use crate::errors::Class;
use crate::{fork, interrupt, source};

/// The exception for mistakes of a scenario.
fn refused(problems: impl Into<Diagnostics>) -> PyErr {
    let problems: Diagnostics = problems.into();
    let texts: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
    Class::Scenario.error_with(&problems.to_string(), texts)
}

/// A scenario with its runs.
struct Plan {
    wanted: Wanted,
    load: LoadOptions,
    scenario: scenario::Scenario,
    cases: Vec<(ExperimentConfig, Case)>,
    /// The text that it was read from, if that is no file, has these keys in its lines.
    places: Option<Vec<String>>,
}

impl Plan {
    /// Completes a result: with the command that makes the run again, or the keys that messages are about.
    fn complete(&self, result: &mut CaseResult) {
        match &self.places {
            None => result.command = self.wanted.again(&result.case),
            Some(places) => {
                if let Verdict::Broken(problems) = &mut result.verdict {
                    *problems = placed(std::mem::take(problems), &self.scenario.file.display().to_string(), places);
                }
            }
        }
    }
}

/// Messages about lines of a text that nobody sees name the keys in these lines instead.
fn placed(problems: Diagnostics, name: &str, places: &[String]) -> Diagnostics {
    let key = |place: &str| {
        let (line, _) = place.strip_prefix(name)?.strip_prefix(':')?.split_once(':')?;
        places.get(line.parse::<usize>().ok()?.checked_sub(1)?).cloned()
    };
    let named = problems.into_iter().map(|mut problem| {
        if let Some(key) = problem.place.as_deref().and_then(key) {
            problem.place = Some(if key.is_empty() { name.to_owned() } else { format!("{name}: {key}") });
        }
        problem
    });
    named.collect()
}

#[doc = doc!(Scenario)]
#[pyclass(frozen, module = "skidpad._skidpad")]
pub(crate) struct Scenario(Arc<Plan>);

#[pymethods]
impl Scenario {
    #[new]
    #[pyo3(signature = (path, *, text=None, places=None, seed=None, set=None, only=None, repeat=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        python: Python<'_>,
        path: PathBuf,
        text: Option<String>,
        places: Option<Vec<String>>,
        seed: Option<u64>,
        set: Option<&Bound<'_, PyDict>>,
        only: Option<String>,
        repeat: Option<u32>,
    ) -> PyResult<Scenario> {
        source::search_package(python)?;
        let wanted = Wanted { only, seed, set: source::variables(set)?, repeat, pace: None };
        let cancel = Cancel::default();
        let load = LoadOptions { cancel: cancel.clone(), ..wanted.load_options() };
        let work = move || fork::with_threads(|| read(path, text.as_deref(), places, wanted, load));
        interrupt::abandonable(python, &cancel, work)?.map(|plan| Scenario(Arc::new(plan))).map_err(refused)
    }

    #[doc = doc!(Scenario.name)]
    #[getter]
    fn name(&self) -> &str {
        &self.0.scenario.experiment.name
    }

    #[doc = doc!(Scenario.runs)]
    #[getter]
    fn runs(&self) -> Vec<String> {
        self.0.cases.iter().map(|(_, case)| case.name()).collect()
    }

    #[doc = doc!(Scenario.broken)]
    fn broken(&self, index: usize, why: String) -> PyResult<ScenarioRecord> {
        let (config, case) = self.case(index)?;
        let result = CaseResult {
            case: case.clone(),
            verdict: Verdict::Broken(Diagnostic::of(why).into()),
            criteria: Vec::new(),
            missed: Vec::new(),
            measures: Vec::new(),
            end: "broken".to_owned(),
            notes: Vec::new(),
            simulated: 0.0,
            wall: 0.0,
            seed: config.seed,
            bits: String::new(),
            recording: None,
            command: Vec::new(),
            trace: None,
        };
        Ok(self.record(result))
    }
}

impl Scenario {
    fn case(&self, index: usize) -> PyResult<&(ExperimentConfig, Case)> {
        self.0
            .cases
            .get(index)
            .ok_or_else(|| Class::Scenario.error(format!("run {index}: there are {}", self.0.cases.len())))
    }

    fn record(&self, mut result: CaseResult) -> ScenarioRecord {
        self.0.complete(&mut result);
        ScenarioRecord(result)
    }
}

/// Reads a scenario, from its file or from the text in place of one, and lists its runs.
fn read(
    path: PathBuf,
    text: Option<&str>,
    places: Option<Vec<String>>,
    wanted: Wanted,
    load: LoadOptions,
) -> Result<Plan, Diagnostics> {
    let name = path.display().to_string();
    let lines = places.clone().unwrap_or_default();
    let reported = |problems| placed(problems, &name, &lines);
    let scenario = match text {
        None => wanted.load(&path),
        Some(text) => wanted.parse(&path, text),
    };
    let scenario = scenario.map_err(reported)?;
    let cases: Vec<_> = wanted
        .cases(&scenario, &load)
        .map_err(reported)?
        .into_iter()
        .map(|planned| (planned.config, planned.case))
        .collect();
    if cases.is_empty() {
        return Err(wanted.no_match("only", std::slice::from_ref(&scenario)).into());
    }
    Ok(Plan { wanted, load, scenario, cases, places })
}

#[doc = doc!(run_cases)]
#[pyfunction]
#[pyo3(signature = (cases, *, jobs=None, out=None, keep="failed"))]
pub(crate) fn run_cases(
    python: Python<'_>,
    cases: Vec<(Py<Scenario>, usize)>,
    jobs: Option<usize>,
    out: Option<PathBuf>,
    keep: &str,
) -> PyResult<Vec<ScenarioRecord>> {
    let Some((_, keep)) = Keep::NAMES.into_iter().find(|(name, _)| *name == keep) else {
        let names = Keep::NAMES.map(|(name, _)| name);
        return Err(Class::Scenario.error(format!("keep: found \"{keep}\"\n  accepted: {}", names.join(", "))));
    };
    let _folder = out.as_deref().map(scenarios::make_folder).transpose().map_err(refused)?;
    let pool = match jobs {
        None => None,
        Some(0) => {
            return Err(Class::Scenario.error("jobs: found 0\n  accepted: a number of runs side by side, from 1"));
        }
        Some(count) => {
            Some(ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| Class::Skidpad.error(error))?)
        }
    };
    let plans = cases.iter().map(|(scenario, index)| {
        let scenario = scenario.get();
        scenario.case(*index).map(|case| (Arc::clone(&scenario.0), case.clone()))
    });
    let plans = plans.collect::<PyResult<Vec<_>>>()?;
    let cancel = Cancel::default();
    let files = scenario::file_names(plans.iter().map(|(_, (_, case))| case), out.as_deref());
    let run_case = |((plan, (config, case)), file): (&(Arc<Plan>, (ExperimentConfig, Case)), &String)| {
        let load = LoadOptions { cancel: cancel.clone(), ..plan.load.clone() };
        scenario::run(
            &plan.scenario,
            config,
            case,
            file,
            &RunOptions { load, out: out.clone(), keep, ..RunOptions::default() },
        )
    };
    let all = || plans.par_iter().zip(&files).map(run_case).collect::<Vec<CaseResult>>();
    let work = || match &pool {
        Some(pool) => pool.install(all),
        None => fork::with_threads(all),
    };
    let attended = interrupt::attend(python, || (), &cancel, work)?;
    if let Some(raised) = attended.raised {
        return Err(raised);
    }
    let mut results = attended.value;
    scenario::compare_repetitions(&mut results);
    for ((plan, _), result) in plans.iter().zip(&mut results) {
        plan.complete(result);
    }
    Ok(results.into_iter().map(ScenarioRecord).collect())
}

#[doc = doc!(ScenarioRecord)]
#[pyclass(frozen, module = "skidpad._skidpad")]
pub(crate) struct ScenarioRecord(CaseResult);

#[pymethods]
impl ScenarioRecord {
    #[new]
    fn new(chunk: &[u8]) -> PyResult<ScenarioRecord> {
        CaseResult::of_chunk(chunk).map(ScenarioRecord).map_err(refused)
    }

    /// Makes pickle and copy work.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (Bound<'py, PyBytes>,)) {
        (slf.get_type().into_any(), (slf.get().chunk(slf.py()),))
    }

    #[doc = doc!(ScenarioRecord.chunk)]
    fn chunk<'py>(&self, python: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(python, &self.0.to_chunk())
    }

    #[doc = doc!(ScenarioRecord.json)]
    fn json(&self) -> String {
        json(std::slice::from_ref(&self.0))["runs"][0].to_string()
    }

    #[doc = doc!(ScenarioRecord.reasons)]
    #[getter]
    fn reasons(&self) -> Vec<String> {
        self.0.reasons()
    }

    #[doc = doc!(ScenarioRecord.explained)]
    #[getter]
    fn explained(&self) -> Vec<String> {
        self.0.explained()
    }
}

#[doc = doc!(compare_repetitions)]
#[pyfunction]
pub(crate) fn compare_repetitions(records: Vec<Py<ScenarioRecord>>) -> Vec<ScenarioRecord> {
    let mut results: Vec<CaseResult> = records.iter().map(|record| record.get().0.clone()).collect();
    scenario::compare_repetitions(&mut results);
    results.into_iter().map(ScenarioRecord).collect()
}

#[doc = doc!(write_report)]
#[pyfunction]
pub(crate) fn write_report(
    python: Python<'_>,
    path: PathBuf,
    kind: &str,
    records: Vec<Py<ScenarioRecord>>,
) -> PyResult<()> {
    const KINDS: [(&str, ReportKind); 4] = [
        ("junit", ReportKind::Junit),
        ("json", ReportKind::Json),
        ("csv", ReportKind::Csv),
        ("page", ReportKind::Page),
    ];
    let Some((_, kind)) = KINDS.into_iter().find(|(name, _)| *name == kind) else {
        let names = KINDS.map(|(name, _)| name);
        return Err(Class::Scenario.error(format!("kind: found \"{kind}\"\n  accepted: {}", names.join(", "))));
    };
    let results: Vec<CaseResult> = records.iter().map(|record| record.get().0.clone()).collect();
    python.detach(|| kind.write(&path, &results)).map_err(refused)
}

#[doc = doc!(read_yaml)]
#[pyfunction]
pub(crate) fn read_yaml(path: PathBuf) -> PyResult<String> {
    scenario::as_json(&path).map_err(refused)
}
