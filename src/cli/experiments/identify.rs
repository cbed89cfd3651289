//! `skidpad identify` and `skidpad validate`: fit a vehicle class to recordings of a car, and say how well a class predicts them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::analysis::PictureOptions;
use crate::cli::answer::{Answer, JsonArgs};
use crate::cli::experiment::report_files;
use crate::cli::progress::{self, Work};
use crate::cli::{Failure, complete, find, log_warnings, offer, set_threads};
use crate::identify::{
    self, Bound, Car, Coverage, Data, Fit, Identified, IdentifyConfig, IdentifyError, Score, Scores, UnknownEstimate,
};
use crate::meter::{Meter, Unit};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct IdentifyArgs {
    /// Config as YAML: vehicle class, its unknowns, and recordings
    #[arg(value_name = "CONFIG", value_parser = crate::cli::parsers::shipped_file(), add = offer::configs())]
    pub(in crate::cli) config: PathBuf,
    /// Folder for the fitted class, the config, the tables and the page
    #[arg(long, value_name = "DIR", default_value = "identified")]
    pub(in crate::cli) out: PathBuf,
    /// Folder of the recordings [default: the folder of the config]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) data: Option<PathBuf>,
    /// Maximum number of evaluations of all windows, instead of the config's
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::evaluations)]
    pub(in crate::cli) budget: Option<usize>,
    /// Compute the profile likelihood of each unknown
    ///
    /// This takes several times as many evaluations.
    #[arg(long)]
    pub(in crate::cli) profiles: bool,
    /// Number of threads that evaluate windows; does not change results
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::threads)]
    pub(in crate::cli) threads: Option<usize>,
    /// Write the data of each figure as CSV beside it
    #[arg(long)]
    figure_data: bool,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ValidateArgs {
    /// Config as YAML, as for `skidpad identify`
    ///
    /// Its columns, windows and recordings are used. Its unknowns are not fitted.
    #[arg(value_name = "CONFIG", value_parser = crate::cli::parsers::shipped_file(), add = offer::configs())]
    pub(in crate::cli) config: PathBuf,
    /// Vehicle class file, instead of the config's
    #[arg(long, value_name = "FILE", add = offer::files(&[".xml"]))]
    pub(in crate::cli) vehicle: Option<PathBuf>,
    /// Name of the vehicle class, instead of the config's
    #[arg(long, value_name = "NAME", add = complete::classes())]
    pub(in crate::cli) class: Option<String>,
    /// Folder of the recordings [default: the folder of the config]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) data: Option<PathBuf>,
    /// Folder for a page with tables and figures of the predictions and their bands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the data of each figure as CSV beside it
    #[arg(long, requires = "out")]
    figure_data: bool,
    /// Number of threads that evaluate windows; does not change results
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::threads)]
    pub(in crate::cli) threads: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
}

/// The folder of a config.
fn folder_of(config: &Path) -> PathBuf {
    let parent = config.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_path_buf()
}

/// Where class files are looked for: beside the config, then among the installed worlds.
fn class_folders(config: &Path) -> Vec<PathBuf> {
    let installed = find::folders().into_iter().map(|folder| folder.join("vehicles"));
    std::iter::once(folder_of(config)).chain(installed).collect()
}

/// Fits a class.
pub(in crate::cli) fn identify(args: &IdentifyArgs, answer: &mut Answer) -> Result<(), Failure> {
    set_threads(args.threads)?;
    let mut config = IdentifyConfig::load(&args.config).map_err(Failure::because)?;
    config.budget = args.budget.unwrap_or(config.budget);
    config.profiles |= args.profiles;
    let folder = args.data.clone().unwrap_or_else(|| folder_of(&args.config));
    let checkpoint = args.out.join(format!("{}.search.json", config.name));
    let identified = Work::of("reading", || {
        let meter = Meter::current();
        let is_counted = AtomicBool::new(false);
        identify::identify(&config, &class_folders(&args.config), &folder, Some(&checkpoint), &|step| {
            // The recordings, which were counted before, have been read.
            if !is_counted.swap(true, Ordering::Relaxed) {
                meter.begin(Unit::Evaluations, config.budget as u64);
            }
            let point = step.point();
            meter.set(point.evaluations as u64);
            progress::say(&format!("cost {:.1}", point.cost));
        })
    })
    .map_err(Failure::because)?;
    log_warnings(&identified.notes);
    answer
        .give(|| identified_as_json(&identified), |out| Ok(out.write_all(identify::answer(&identified).as_bytes())?))?;
    let options = figure_options(args.figure_data);
    let files = Work::of("drawing", || identify::write(&identified, &config, &args.out, &options));
    report_files(&files.map_err(Failure::because)?);
    Ok(())
}

/// The result of an identification for programs: each unknown with its 95 % interval, and the errors of prediction.
fn identified_as_json(result: &Identified) -> Value {
    let end = |bound: Bound| match bound {
        Bound::Data(value) | Bound::Range(value) => value,
    };
    let unknown = |estimate: &UnknownEstimate| {
        let [low, high] = estimate.interval();
        let is_determined = estimate.certainty.is_determined;
        let interval = is_determined.then(|| json!([end(low), end(high)]));
        json!({
            "name": estimate.unknown.name(),
            "value": estimate.value,
            "interval": interval,
            "range": estimate.unknown.range,
            "is_determined": is_determined,
            "is_held": estimate.is_held,
        })
    };
    let search = |fit: &Fit| json!({ "evaluations": fit.evaluations, "cost": fit.cost, "has_converged": fit.has_converged, "ending": fit.ending });
    let of_class = |estimates: &[UnknownEstimate], fit: &Fit, scores: &[Scores; 2]| {
        json!({
            "unknowns": estimates.iter().map(unknown).collect::<Vec<_>>(),
            "search": search(fit),
            "fit": as_json(&scores[0]),
            "predict": as_json(&scores[1]),
        })
    };
    let mut all = of_class(&result.estimates, &result.fit, &result.scores);
    let compared = result.compared.iter().map(|other| {
        let mut class = of_class(&other.estimates, &other.fit, &other.scores);
        class["name"] = json!(other.name);
        class
    });
    all["compared"] = compared.collect();
    all
}

/// How figures are written: their usual size, and whether with their data.
fn figure_options(data: bool) -> PictureOptions {
    PictureOptions { page_size: None, data }
}

/// Scores a class.
pub(in crate::cli) fn validate(args: &ValidateArgs, answer: &mut Answer) -> Result<(), Failure> {
    set_threads(args.threads)?;
    let mut config = IdentifyConfig::load(&args.config).map_err(Failure::because)?;
    config.unknowns.clear();
    config.vehicle.class = args.class.clone().unwrap_or(config.vehicle.class);
    let mut folders = class_folders(&args.config);
    if let Some(file) = &args.vehicle {
        config.vehicle.file.clone_from(file);
        folders = vec![PathBuf::new()];
    }
    let folder = args.data.clone().unwrap_or_else(|| folder_of(&args.config));
    let mut notes = Vec::new();
    let (car, data, scores) = Work::of("reading", || {
        let car = Car::new(&config, &folders)?;
        let data = identify::recordings(&config, &folder, &mut notes)?;
        identify::check(&data, [&car], identify::Needed::Any)?;
        notes.extend(Data::unused_columns(&data, &config));
        log_warnings(&notes);
        progress::say("predicting");
        let scores = [identify::scores(&data[0], &car, &[])?, identify::scores(&data[1], &car, &[])?];
        Ok::<_, IdentifyError>((car, data, scores))
    })
    .map_err(Failure::because)?;
    let text = text(&config.vehicle.class, &scores, &data);
    answer.give(
        || json!({ "fit": as_json(&scores[0]), "predict": as_json(&scores[1]) }),
        |out| Ok(out.write_all(text.as_bytes())?),
    )?;
    if let Some(out) = &args.out {
        let options = figure_options(args.figure_data);
        let files = identify::write_validation(&config.name, &car, &data, &text, out, &options);
        report_files(&files.map_err(Failure::because)?);
    }
    Ok(())
}

/// The scores of the recordings to fit and to predict, as tables; before them, where the class predicts no better than a held state.
fn text(class: &str, scores: &[Scores; 2], data: &[Data; 2]) -> String {
    let names = ["recordings to fit", "recordings to predict"];
    let unseen = usize::from(!scores[1].all.is_empty());
    let first = [identify::verdict(class, &scores[unseen]), identify::worse_by_observing(class, &scores[unseen])];
    let mut text: String = first.into_iter().flatten().map(|line| format!("{line}\n\n")).collect();
    text += &identify::score_table(&identify::beside_held([(names[0], &scores[0]), (names[1], &scores[1])]));
    for (name, scores) in names.iter().zip(scores) {
        let table = identify::recording_table(&format!("RMS error, {name}"), scores);
        for table in
            std::iter::once(table).chain(identify::band_tables(&format!("95 % band of errors, {name}"), scores))
        {
            text.push_str(if table.is_empty() { "" } else { "\n" });
            text.push_str(&table);
        }
    }
    let note = identify::band_note(&data[0]).map(|note| format!("\n{note}\n"));
    text + &note.unwrap_or_default()
}

/// The scores of some recordings for programs, in SI units and radians.
fn as_json(scores: &Scores) -> Value {
    let list = |scores: &[Score]| -> Value {
        let score = |score: &Score| {
            json!({
                "quantity": score.name,
                "beyond_lateral_acceleration": score.beyond,
                "rms": score.rms,
                "range": score.range,
                "count": score.count,
                "failed": score.failed,
            })
        };
        scores.iter().map(score).collect()
    };
    let observed = scores.observed.as_ref();
    let recordings = scores.recordings.iter().zip(&scores.held.recordings).enumerate();
    let recordings = recordings
        .map(|(index, ((name, scores), (_, held)))| {
            let observed = observed.and_then(|observed| observed.recordings.get(index));
            let observed = observed.map(|(_, observed)| list(observed));
            json!({ "name": name, "scores": list(scores), "held": list(held), "trims_observed": observed })
        })
        .collect::<Vec<_>>();
    let bands = |covered: &[Coverage]| -> Value {
        let recordings = |of: &Coverage| -> Value {
            let counts = |(index, (name, [within, count])): (usize, &(String, [usize; 2]))| {
                let inside = of.inside.as_ref().map(|inside| inside[index]);
                let [within_inside, count_inside] = inside.map_or([None; 2], |counts| counts.map(Some));
                json!({
                    "name": name,
                    "within": within,
                    "count": count,
                    "within_inside": within_inside,
                    "count_inside": count_inside,
                })
            };
            of.recordings.iter().enumerate().map(counts).collect()
        };
        let of_quantity = |of: &Coverage| {
            json!({
                "quantity": of.name,
                "first_half_width": of.half_widths[0],
                "last_half_width": of.half_widths[1],
                "within": of.all()[0],
                "count": of.all()[1],
                "within_inside": of.all_inside().map(|counts| counts[0]),
                "count_inside": of.all_inside().map(|counts| counts[1]),
                "recordings": recordings(of),
            })
        };
        covered.iter().map(of_quantity).collect()
    };
    let worse: Vec<String> = scores.no_better_than_held().map(|(score, _)| score.title()).collect();
    json!({
        "scores": list(&scores.all),
        "held": list(&scores.held.all),
        "trims_observed": observed.map(|observed| list(&observed.all)),
        "no_better_than_held": worse,
        "worse_by_observing": scores.worse_by_observing().map(|(score, _)| score.title()).collect::<Vec<_>>(),
        "ranges": scores.ranges,
        "bands": bands(&scores.covered),
        "bands_of_trims_observed": bands(&scores.observed_covered),
        "recordings": recordings,
    })
}
