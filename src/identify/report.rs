//! The report of an identification: Markdown tables, and files with the class, the config, the tables and the page.

use std::iter::once;
use std::path::{Path, PathBuf};

use skidpad_analysis::{PictureOptions, rows};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::output_file;
use skidpad_xml::markup::{markdown, xml_comment};

use super::bands::Coverage;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown, VehicleSource};
use super::data::Data;
use super::fit::Fit;
use super::identified::Identified;
use super::odometry::odometry_tables;
use super::profile::Profile;
use super::score::{Score, Scores};
use super::search::{Bound, UnknownEstimate};
use super::uncertainty::{Certainty, MAX_WIDTH, Scatter};
use super::{IdentifyError, page};

/// Name of the column or row with the errors where the state at the start of each window is held.
const HELD: &str = "state held";
/// Name of the column or row with the errors of the class with the trims that are observed before each window.
const OBSERVED: &str = "trims observed";

/// The value of an unknown with its uncertainty, rounded to the digits that are certain: with the ends of its interval
/// where its range cuts it off.
fn rounded(estimate: &UnknownEstimate) -> String {
    let (width, digits) = (estimate.certainty.half_width, digits(estimate));
    let value = format!("{:.digits$}", estimate.value);
    match (estimate.interval(), estimate.certainty.is_determined) {
        (_, false) => estimate.value.to_string(),
        ([Bound::Range(low), Bound::Data(high)] | [Bound::Data(low), Bound::Range(high)], _) => {
            format!("{value} ({low:.digits$} to {high:.digits$})")
        }
        _ if width > 0.0 => format!("{value} ± {width:.digits$}"),
        _ => value,
    }
}

/// What the data say of an unknown.
fn determined(estimate: &UnknownEstimate) -> String {
    let digits = digits(estimate);
    let Certainty { half_width, .. } = estimate.certainty;
    let [low, high] = estimate.unknown.range;
    match (estimate.interval(), estimate.certainty.is_determined, estimate.is_held) {
        (_, true, _) if 2.0 * half_width >= MAX_WIDTH * (high - low) => "no: varies between recordings".to_owned(),
        (_, false, true) => "no: held fixed".to_owned(),
        (_, false, false) => "unknown: not converged".to_owned(),
        ([Bound::Range(_), Bound::Data(high)], ..) => format!("at most {high:.digits$}"),
        ([Bound::Data(low), Bound::Range(_)], ..) => format!("at least {low:.digits$}"),
        ([Bound::Data(low), Bound::Data(high)], ..) if (low..=high).contains(&0.0) => "yes: may be 0".to_owned(),
        _ => "yes".to_owned(),
    }
}

/// Count of decimals that the uncertainty of an unknown justifies.
fn digits(estimate: &UnknownEstimate) -> usize {
    let width = estimate.certainty.half_width;
    if width.is_finite() && width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, 9.0) as usize } else { 4 }
}

/// The unknowns as a Markdown table.
pub fn table(estimates: &[UnknownEstimate]) -> String {
    let has_profiles = estimates.iter().any(|estimate| estimate.profile.is_some());
    let profile = has_profiles.then_some("Profile, 95 %");
    let head = ["Unknown", "Value, 95 %", "Uncertainty from"].into_iter().chain(profile);
    let head = head.chain(["Range", "Determined", "Most correlated with"]).map(str::to_owned);
    let row = |estimate: &UnknownEstimate| {
        let [low, high] = estimate.unknown.range;
        let correlated =
            estimate.most_correlated.as_ref().map_or(String::new(), |(name, share)| format!("{name} ({share:.2})"));
        let scatter = if estimate.certainty.is_determined { estimate.certainty.scatter.name() } else { "" };
        let first = [format!("`{}`", estimate.unknown.name()), rounded(estimate), scatter.to_owned()];
        let of_profile = |profile: &Profile| profile.interval_text(digits(estimate));
        let profile = has_profiles.then(|| estimate.profile.as_ref().map_or_else(String::new, of_profile));
        first.into_iter().chain(profile).chain([format!("{low} to {high}"), determined(estimate), correlated]).collect()
    };
    let mut text = rows::markdown(&once(head.collect()).chain(estimates.iter().map(row)).collect::<Vec<_>>());
    if estimates.iter().any(|estimate| estimate.is_held) {
        text.push_str("\nIntervals assume that held unknowns are exact.\n");
    }
    text
}

/// Errors of prediction as a Markdown table, with a column for each named list.
pub fn score_table(lists: &[(&str, &[Score])]) -> String {
    let head = once("RMS error of prediction".to_owned()).chain(lists.iter().map(|(name, _)| markdown(name)));
    let mut table = vec![head.collect::<Vec<_>>()];
    let mut titles: Vec<String> = Vec::new();
    for title in lists.iter().flat_map(|(_, scores)| scores.iter()).map(Score::title) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    for title in titles {
        let cell = |(_, scores): &(&str, &[Score])| {
            let Some(score) = scores.iter().find(|score| score.title() == title) else { return "–".to_owned() };
            let share = score.share();
            let share = share.map_or(String::new(), |share| format!(" ({:.1} % of its range)", 100.0 * share));
            let failed = if score.failed > 0 { format!(", {} failed", score.failed) } else { String::new() };
            format!("{}{share}{failed}", score.text())
        };
        table.push(once(title.clone()).chain(lists.iter().map(cell)).collect());
    }
    rows::markdown(&table)
}

/// The columns of a table for these errors of prediction, each beside those with observed trims and of a held state where
/// there are any.
pub fn beside_held<'a>(scores: [(&'a str, &'a Scores); 2]) -> Vec<(&'a str, &'a [Score])> {
    let columns = scores.into_iter().flat_map(|(name, scores)| {
        let held = (HELD, &scores.held.all[..]);
        let observed = scores.observed.as_ref().map(|observed| (OBSERVED, &observed.all[..]));
        let more_columns = [observed, Some(held)].into_iter().flatten().filter(|(_, scores)| !scores.is_empty());
        std::iter::once((name, &scores.all[..])).chain(more_columns)
    });
    columns.collect()
}

/// What is to be known first of a class with these errors of prediction: where it predicts no better than a held state.
pub fn verdict(name: &str, scores: &Scores) -> Option<String> {
    let shown = |(score, held): (&Score, &Score)| {
        let Score { name, unit, .. } = score;
        format!("{name}{} {} against {} {unit}", score.beyond(), score.text(), held.text())
    };
    let worse: Vec<String> = scores.no_better_than_held().map(shown).collect();
    let with_trims = scores.observed.as_ref().map_or(String::new(), |observed| {
        let worse: Vec<String> = scores.held.better_than(&observed.all).map(shown).collect();
        match worse.is_empty() {
            true => format!(" With {OBSERVED} it predicts all of them better."),
            false => format!(" Also with {OBSERVED} it predicts no better: {}.", worse.join(", ")),
        }
    });
    let first = || format!("{name} predicts no better than holding the state: {}.{with_trims}", worse.join(", "));
    (!worse.is_empty()).then(first)
}

/// What is to be known of a class with these errors of prediction, whose observed trims make some of them greater.
pub fn worse_by_observing(name: &str, scores: &Scores) -> Option<String> {
    let shown = |(observed, of_class): (&Score, &Score)| {
        let Score { name, unit, .. } = observed;
        format!("{name}{} {} instead of {} {unit}", observed.beyond(), observed.text(), of_class.text())
    };
    let worse: Vec<String> = scores.worse_by_observing().map(shown).collect();
    let hint = "Leave observe out, or shorten its span or its deviations";
    (!worse.is_empty()).then(|| format!("{name} predicts worse with {OBSERVED}: {}. {hint}.", worse.join(", ")))
}

/// Errors of prediction on each recording as a Markdown table with this name in its head; empty for fewer than two
/// recordings.
pub fn recording_table(name: &str, scores: &Scores) -> String {
    if scores.recordings.len() < 2 {
        return String::new();
    }
    let of_first = |score: &&Score| score.beyond == 0.0;
    let titles: Vec<String> = scores.all.iter().filter(of_first).map(Score::title).collect();
    let mut table = vec![once(name.to_owned()).chain(titles.iter().cloned()).collect::<Vec<_>>()];
    let mut row = |name: String, scores: &[Score]| {
        let score_of = |title: &String| scores.iter().find(|score| score.title() == *title);
        let shown = titles.iter().map(|title| score_of(title).map_or("–".to_owned(), Score::text));
        table.push(once(name).chain(shown).collect());
    };
    let observed = |index: usize| scores.observed.as_ref().and_then(|observed| observed.recordings.get(index));
    for (index, ((name, scores), (_, held))) in scores.recordings.iter().zip(&scores.held.recordings).enumerate() {
        row(markdown(name), scores);
        if let Some((_, observed)) = observed(index) {
            row(format!("{}, {OBSERVED}", markdown(name)), observed);
        }
        row(format!("{}, {HELD}", markdown(name)), held);
    }
    rows::markdown(&table)
}

/// The widths of the bands of prediction and how many rows lie within, as Markdown tables, of which the first has this name
/// in its head; empty without bands.
pub fn band_tables(name: &str, scores: &Scores) -> Vec<String> {
    let tables = [("", &scores.covered), (OBSERVED, &scores.observed_covered)];
    let texts = tables.into_iter().filter(|(_, covered)| !covered.is_empty()).map(|(of, covered)| {
        let of = if of.is_empty() { String::new() } else { format!(", {of}") };
        let row = |title: String, cell: &dyn Fn(&Coverage) -> String| -> Vec<String> {
            once(title).chain(covered.iter().map(cell)).collect()
        };
        let width = |end: usize| {
            move |coverage: &Coverage| {
                let width = coverage.half_widths[end];
                format!("{:.4}", if coverage.unit.starts_with("deg") { width.to_degrees() } else { width })
            }
        };
        let percent = |part: usize, all: usize| format!("{:.1} %", 100.0 * Coverage::share([part, all]));
        let share = |[within, count]: [usize; 2], inside: Option<[usize; 2]>| match (count, inside) {
            (0, _) => "–".to_owned(),
            (_, Some([_, 0])) => format!("{} (all rows outside)", percent(within, count)),
            (_, Some([within_inside, inside])) if inside < count => {
                let (of_inside, part) = (percent(within_inside, inside), percent(inside, count));
                format!("{} ({of_inside} of the {part} inside)", percent(within, count))
            }
            _ => percent(within, count),
        };
        let times = covered[0].times;
        let mut table = vec![
            row(format!("{name}{of}"), &|coverage| format!("{} [{}]", coverage.name, coverage.unit)),
            row(format!("half width up to {} s", rounded_time(times[0])), &width(0)),
            row(format!("half width up to {} s", rounded_time(times[1])), &width(1)),
            row("share within".to_owned(), &|coverage| share(coverage.all(), coverage.all_inside())),
        ];
        let recordings: Vec<&String> = scores.recordings.iter().map(|(name, _)| name).collect();
        for recording in recordings.iter().filter(|_| recordings.len() > 1) {
            let of = |coverage: &Coverage| {
                let index = coverage.recordings.iter().position(|(name, _)| name == *recording)?;
                Some((coverage.recordings[index].1, coverage.inside.as_ref().map(|inside| inside[index])))
            };
            let title = format!("share within, {}", markdown(recording));
            table.push(row(title, &|coverage| {
                let (counts, inside) = of(coverage).unwrap_or_default();
                share(counts, inside)
            }));
        }
        rows::markdown(&table)
    });
    texts.collect()
}

/// Where the bands of prediction come from; none without bands.
pub fn band_note(data: &Data) -> Option<String> {
    let bands = data.bands[0].as_ref()?;
    let ranges = bands.ranges.map(|ranges| ranges.text()).filter(|text| !text.is_empty());
    let ranges =
        ranges.map_or(String::new(), |text| format!(" They were found {text}; rows outside are counted apart."));
    let origin = match bands.scatter {
        Scatter::Recordings => {
            format!(
                "Bands come from {} fitted recordings, each predicted with unknowns fitted to the others.",
                bands.count
            )
        }
        Scatter::Windows => "Bands come from the windows of one recording: they do not hold for others.".to_owned(),
    };
    Some(origin + &ranges)
}

/// A time [s] without the digits that rounding adds.
fn rounded_time(time: f64) -> f64 {
    (time * 1e6).round() / 1e6
}

/// What is to be known before any number of a result is used, a line each: which classes predict no better than a held
/// state, and which searches have not converged. Empty if there is nothing.
pub fn verdicts(result: &Identified) -> Vec<String> {
    let unseen = usize::from(!result.scores[1].all.is_empty());
    let fitted = (result.car.name(), &result.fit, &result.scores[unseen]);
    let compared_classes = result.compared.iter().map(|other| (other.name.as_str(), &other.fit, &other.scores[unseen]));
    let of_class = |(name, fit, scores): (&str, &Fit, &Scores)| {
        let Fit { ending, evaluations, .. } = fit;
        let unconverged = (!fit.has_converged).then(|| {
            let unknown = "their uncertainty is unknown";
            format!("{name}: {ending}. Its values are the best of {evaluations} evaluations; {unknown}.")
        });
        [verdict(name, scores), worse_by_observing(name, scores), unconverged].into_iter().flatten()
    };
    std::iter::once(fitted).chain(compared_classes).flat_map(of_class).collect()
}

/// The answer on the terminal: verdicts and tables of a result in Markdown, separated by empty lines.
pub fn answer(result: &Identified) -> String {
    let verdicts: String = verdicts(result).iter().map(|line| format!("{}\n\n", markdown(line))).collect();
    format!("{verdicts}{}\n{}\n", tables(result), ending(result))
}

/// How the search of the class ended.
pub(super) fn ending(result: &Identified) -> String {
    let Fit { evaluations, ending, .. } = &result.fit;
    format!("{evaluations} evaluations of {} windows; {ending}.", result.data[0].count())
}

/// The tables of a result in Markdown, separated by empty lines.
pub fn tables(result: &Identified) -> String {
    let tables = [
        table(&result.estimates),
        score_table(&beside_held([("fitted", &result.scores[0]), ("not fitted", &result.scores[1])])),
        recording_table("RMS error, not fitted", &result.scores[1]),
    ];
    let unseen = usize::from(!result.scores[1].all.is_empty());
    let name = ["95 % band of errors, fitted", "95 % band of errors, not fitted"][unseen];
    let bands = band_tables(name, &result.scores[unseen]);
    let origin = band_note(&result.data[unseen]).map(|note| note + "\n");
    let odometry = result.odometry.as_ref().map(odometry_tables);
    let tables = tables.into_iter().chain(bands).chain(origin).chain([comparison(result)]).chain(odometry);
    tables.filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Errors of prediction of all classes, on recordings that were not fitted, or on the fitted ones if there are no
/// others; empty without classes to compare with.
fn comparison(result: &Identified) -> String {
    if result.compared.is_empty() {
        return String::new();
    }
    let unseen = usize::from(!result.scores[1].all.is_empty());
    let name = |name: &str, fit: &Fit| format!("{name}{}", if fit.has_converged { "" } else { " (not converged)" });
    let compared_classes =
        result.compared.iter().map(|other| (name(&other.name, &other.fit), &other.scores[unseen].all[..]));
    let fitted = (name("this class", &result.fit), &result.scores[unseen].all[..]);
    let held = (HELD.to_owned(), &result.scores[unseen].held.all[..]);
    let observed = result.scores[unseen].observed.as_ref();
    let observed = observed.map(|observed| (format!("this class, {OBSERVED}"), &observed.all[..]));
    let lists: Vec<(String, &[Score])> =
        [Some(fitted), observed, Some(held)].into_iter().flatten().chain(compared_classes).collect();
    let lists: Vec<(&str, &[Score])> = lists.iter().map(|(name, scores)| (name.as_str(), *scores)).collect();
    score_table(&lists).replacen(
        "RMS error of prediction",
        ["RMS error of prediction, fitted", "RMS error of prediction, not fitted"][unseen],
        1,
    )
}

/// Writes `NAME.vehicle.xml`, `NAME.yaml`, `NAME.md`, `NAME.html` and the pictures of the page into a folder; returns
/// their paths.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    result: &Identified,
    config: &IdentifyConfig,
    out: &Path,
    options: &PictureOptions,
) -> Result<Vec<PathBuf>, IdentifyError> {
    let name = config.name.as_str();
    let values = result.values();
    let class = result.car.class(&values).to_text().map_err(Diagnostic::from)?;
    let tables = tables(result);
    let runs = [&result.data[0], &result.data[1]]
        .map(|data| data.runs.iter().map(|(recording, _)| recording.name()).collect::<Vec<_>>().join(", "));
    let mut head = Vec::new();
    head.extend((!config.description.is_empty()).then(|| config.description.clone()));
    head.push(format!("Identified by skidpad identify from {}.", runs[0]));
    if !runs[1].is_empty() {
        head.push(format!("Predicted only, not fitted: {}.", runs[1]));
    }
    // In the comment of the class file, tables need no line below their heads.
    let plain: String =
        tables.lines().filter(|line| !line.starts_with("|---")).map(|line| format!("{line}\n")).collect();
    let verdicts = verdicts(result);
    let file =
        format!("{}\n{class}\n", xml_comment(&format!("{}\n\n{plain}", [&head[..], &verdicts].concat().join("\n"))));
    let notes: String = result.notes.iter().map(|note| format!("- {}\n", markdown(&note.to_string()))).collect();
    let lines = |lines: &[String]| lines.iter().map(|line| format!("{}\n", markdown(line))).collect::<String>();
    let first = if verdicts.is_empty() { String::new() } else { format!("{}\n", lines(&verdicts)) };
    let text = format!("# {name}\n\n{first}{}\n{tables}\n{}\n{notes}", lines(&head), ending(result));
    let page = page::page(result, name, &head.join("\n"))?;
    let texts = [("vehicle.xml", file), ("yaml", config_of(result, config)?), ("md", text)];
    let texts = texts.into_iter().map(|(ending, text)| (out.join(format!("{name}.{ending}")), text.into_bytes()));
    write_files(texts.chain(page.files(name, out, options)?).collect(), out)
}

/// Writes the page of a validation, `NAME.html`, and its pictures into a folder; returns their paths. `answer` is that on the terminal, in Markdown.
///
/// # Errors
/// A file cannot be written, or the car cannot be loaded.
pub fn write_validation(
    name: &str,
    car: &Car,
    data: &[Data; 2],
    answer: &str,
    out: &Path,
    options: &PictureOptions,
) -> Result<Vec<PathBuf>, IdentifyError> {
    write_files(page::of_validation(name, car, data, answer)?.files(name, out, options)?, out)
}

/// Writes all of these files or none into the folder `out`, which is created if missing; returns their paths.
fn write_files(files: Vec<(PathBuf, Vec<u8>)>, out: &Path) -> Result<Vec<PathBuf>, IdentifyError> {
    let _folder = output_file::OutputFolder::create(out).map_err(|error| FileError::create(out, error))?;
    output_file::write_all(files.iter().map(|(path, content)| (path.as_path(), content)))
        .map_err(|(path, error)| FileError::write(path, error))?;
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

/// The config with the values that were found in place of the start values: `skidpad validate` uses it to score the
/// class with its measurement model, and `skidpad identify` to continue from there.
fn config_of(result: &Identified, config: &IdentifyConfig) -> Result<String, IdentifyError> {
    let unknowns = config.unknowns.iter().map(|unknown| Unknown { start: None, ..unknown.clone() }).collect();
    let vehicle = VehicleSource { file: format!("{}.vehicle.xml", config.name).into(), class: config.name.clone() };
    let (measurement, measurement_in) = result.car.measurement(&result.values());
    let [bands, observed_bands] = result.data[0].bands.clone();
    let identified_config = IdentifyConfig {
        vehicle,
        unknowns,
        measurement,
        measurement_in,
        compare: Vec::new(),
        bands,
        observed_bands,
        ..config.clone()
    };
    let text = serde_saphyr::to_string(&identified_config).map_err(|error| Diagnostic::of(error.to_string()))?;
    Ok(format!(
        "# Written by skidpad identify: skidpad validate scores this config, and skidpad identify continues from it.\n{text}"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::config::Paths;
    use super::super::uncertainty::UNDETERMINED;
    use super::*;

    /// The cells of a value and of what is determined.
    fn cells(value: f64, half_width: f64, range: [f64; 2]) -> [String; 2] {
        let unknown = Unknown { at: Paths::One("a".into()), range, start: None, prior: None };
        let certainty = Certainty { half_width, is_determined: half_width.is_finite(), ..UNDETERMINED };
        let is_held = half_width.is_infinite();
        let actual = UnknownEstimate { unknown, value, certainty, is_held, most_correlated: None, profile: None };
        [rounded(&actual), determined(&actual)]
    }

    #[test]
    fn intervals_stay_within_ranges_and_what_may_be_nothing_is_called_so() {
        for (value, half_width, range, expected) in [
            (0.15, 0.041, [0.0, 0.5], ["0.150 ± 0.041", "yes"]),
            (0.08, 0.21, [0.0, 1.0], ["0.08 (0.00 to 0.29)", "at most 0.29"]),
            (0.95, 0.21, [0.0, 1.0], ["0.95 (0.74 to 1.00)", "at least 0.74"]),
            (-0.0002, 0.0003, [-0.02, 0.02], ["-0.00020 ± 0.00030", "yes: may be 0"]),
            (0.25, f64::INFINITY, [0.0, 1.0], ["0.25", "no: held fixed"]),
        ] {
            assert_eq!(cells(value, half_width, range), expected);
        }
    }

    #[test]
    fn errors_that_no_prediction_has_and_shares_of_nothing_are_left_out() {
        let score = |rms, range, failed| Score { name: "vy", beyond: 0.0, unit: "m/s", rms, range, count: 3, failed };
        let table = |score| score_table(&[("fitted", &[score])]).lines().nth(2).map(str::to_owned).unwrap();
        assert_eq!(table(score(f64::NAN, Some(1.0), 2910)), "| vy [m/s] | –, 2910 failed |");
        assert_eq!(table(score(0.0, Some(0.0), 0)), "| vy [m/s] | 0.0000 |");
        assert_eq!(table(score(0.1, Some(2.0), 1)), "| vy [m/s] | 0.1000 (5.0 % of its range), 1 failed |");
    }
}
