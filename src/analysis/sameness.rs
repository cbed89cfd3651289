//! Whether the runs of a group are runs of the same thing: they follow the same reference, and differ in nothing but the seed, as far as they say how they
//! were made.

use std::collections::BTreeSet;

use serde_json::Value;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_record::Provenance;

use super::groups::{Group, groups, value_at};
use skidpad_metrics::shown;
use skidpad_metrics::{Analyzed, Section};

/// What helps where runs of a group are not runs of the same thing.
const HINT: &str = "put only comparable runs into a group: --group NAME=PATTERN";
/// How far apart references of one group may be [m].
const SAME_REFERENCE: f64 = 0.01;
/// Most differences that are told one by one.
const MAX_DIFFERENCES: usize = 6;
/// Keys of a config in which runs of the same thing may differ, and those that are variables of the world.
const LEFT_OUT: [&str; 3] = ["name", "seed", "variables"];
/// Beginnings of words of a command line that say the same as other traits: the seed, variables and gains.
const IN_OTHER_TRAITS: [&str; 5] = ["--seed=", "--set=", "--vary=", "--plant=", "--tyre="];
/// How the word for the config of a trajectory begins.
const TRACK: &str = "--track=";
/// Beginnings of words that say the same as the config of the run, where that is known: its file, the command of its controller, and the name of a run of
/// a scenario.
const IN_CONFIG: [&str; 3] = [TRACK, "--controller=", "--only="];

/// Warnings about groups: of a single run, of runs that differ in more than the seed, and of runs that do not follow the same reference; the last two are
/// not runs of the same thing.
pub fn group_notes(section: &Section) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for group in groups(&section.runs) {
        if let [only] = group.runs[..] {
            notes.push(Diagnostic::new(
                group.name,
                format!("has a single run, {}: no spread can be computed", only.run.name),
            ));
        }
        notes.extend(differences(&group));
        notes.extend(references(&group));
    }
    notes
}

/// A warning of what the runs of a group differ in, beside the seed.
pub(super) fn differences(group: &Group) -> Option<Diagnostic> {
    let made = |run: &&Analyzed| Some((run.run.name.clone(), run.run.provenance.clone()?));
    let made: Vec<_> = group.runs.iter().filter_map(made).collect();
    let set: BTreeSet<String> = made.iter().flat_map(|(_, made)| made.set.keys().cloned()).collect();
    let all: Vec<(&str, Vec<Trait>)> = made.iter().map(|(name, made)| (name.as_str(), traits(made, &set))).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in all.iter().flat_map(|(_, traits)| traits) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut reported: Vec<String> = names.iter().filter_map(|name| difference(name, &all)).collect();
    if reported.is_empty() {
        let words: Vec<(&str, Vec<Trait>)> =
            made.iter().map(|(name, made)| (name.as_str(), vec![command(made)])).collect();
        reported.extend(difference(COMMAND, &words));
    }
    let more = reported.len().saturating_sub(MAX_DIFFERENCES);
    (!reported.is_empty()).then(|| {
        let message = Diagnostic::new(group.name, "its runs differ in more than the seed").hint(HINT);
        let reported = reported.into_iter().take(MAX_DIFFERENCES).chain((more > 0).then(|| format!("and {more} more")));
        reported.fold(message, Diagnostic::note)
    })
}

/// Something that a run has: name and value.
type Trait = (String, String);

/// Name of the trait that is the command line.
const COMMAND: &str = "command";

/// What a run is made by and from; variables are those with the names `set`, because others follow from the files.
fn traits(made: &Provenance, set: &BTreeSet<String>) -> Vec<Trait> {
    let mut traits = vec![("program".to_owned(), made.program()), ("world".to_owned(), made.world.clone())];
    traits.extend(made.step.map(|step| ("physics step".to_owned(), format!("{step} s"))));
    let mut config = Vec::new();
    flatten("", made.config.as_ref().unwrap_or_default(), &mut config);
    let variable = |name: &String| {
        let value = made.variables.get(name).or_else(|| made.set.get(name))?;
        Some((name.clone(), value.clone()))
    };
    let is_in_config = |name: &&String| config.iter().any(|(key, _)| key == *name);
    traits.extend(set.iter().filter(|name| !is_in_config(name)).filter_map(variable));
    let is_world_again = |key: &str| key == "world";
    traits.extend(config.into_iter().filter(|(key, _)| !is_world_again(key)));
    // The config of an experiment is told by its keys; a scenario has more than those.
    let has_keys_alone = made.config.is_some() && made.command.first().is_none_or(|name| name != "test");
    let names_config = |word: &String, path: &String| {
        let word = word.strip_prefix(TRACK).unwrap_or(word);
        !word.starts_with("--") && word.ends_with(path)
    };
    let is_covered = |path: &String| has_keys_alone && made.command.iter().any(|word| names_config(word, path));
    traits.extend(made.files.iter().filter(|file| !is_covered(&file.path)).filter_map(|file| {
        let sum = file.sha256.as_ref()?.chars().take(12).collect::<String>();
        Some((file.path.clone(), format!("SHA-256 {sum}…")))
    }));
    traits
}

/// The numbers and texts of a config, each by its keys: `tracker.Kp`.
fn flatten(place: &str, value: &Value, all: &mut Vec<Trait>) {
    match value {
        Value::Null => {}
        Value::Object(keys) => {
            keys.iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str())).for_each(|(key, value)| {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                flatten(&place, value, all);
            })
        }
        Value::String(text) => all.push((place.to_owned(), text.clone())),
        other => all.push((place.to_owned(), other.to_string())),
    }
}

/// The words of the command, but for those that other traits tell.
fn command(made: &Provenance) -> Trait {
    let with_config = if made.config.is_some() { IN_CONFIG.as_slice() } else { &[] };
    let starts = || IN_OTHER_TRAITS.iter().chain(with_config);
    let is_covered = |word: &String| starts().any(|start| word.starts_with(start));
    let words = made.command.iter().filter(|word| !is_covered(word)).cloned().collect();
    (COMMAND.to_owned(), Provenance { command: words, ..made.clone() }.command_line())
}

/// The values of a trait with the runs that have them, where two runs have different ones. Runs that lack it differ in something else, which is why they do.
fn difference(name: &str, all: &[(&str, Vec<Trait>)]) -> Option<String> {
    let mut values: Vec<(&str, Vec<&str>)> = Vec::new();
    for (run, traits) in all {
        let Some((_, value)) = traits.iter().find(|(other, _)| other == name) else { continue };
        match values.iter_mut().find(|(known, _)| known == value) {
            Some((_, runs)) => runs.push(run),
            None => values.push((value, vec![run])),
        }
    }
    let reported = |(value, runs): &(&str, Vec<&str>)| {
        let value = if value.is_empty() { "the default" } else { value };
        format!("{value} in {}", runs.join(", "))
    };
    (values.len() > 1).then(|| format!("{name}: {}", values.iter().map(reported).collect::<Vec<_>>().join("; ")))
}

/// A warning of references that are not the same.
fn references(group: &Group) -> Option<Diagnostic> {
    let curve = |run: &Analyzed, of: fn(skidpad_math::Vec2) -> f64| -> Vec<(f64, f64)> {
        run.run.reference.iter().map(|r| (r.time - run.metrics.window.origin, of(r.position))).collect()
    };
    let [first, other_runs @ ..] = &group.runs[..] else { return None };
    let [x, y] = [curve(first, |p| p.x), curve(first, |p| p.y)];
    other_runs.iter().find_map(|other| {
        let within = |time: &f64| x.last().is_some_and(|last| *time <= last.0) && *time >= 0.0;
        let [ox, oy] = [curve(other, |p| p.x), curve(other, |p| p.y)];
        let apart = ox.iter().zip(&oy).filter(|(p, _)| within(&p.0)).filter_map(|(px, py)| {
            let (dx, dy) = (px.1 - value_at(&x, px.0)?, py.1 - value_at(&y, px.0)?);
            Some(libm::hypot(dx, dy))
        });
        let most = apart.fold(0.0, f64::max);
        (most > SAME_REFERENCE).then(|| {
            let (first, other, most) = (&first.run.name, &other.run.name, shown(Some(most)));
            Diagnostic::new(group.name, format!("{first} and {other} follow references that are up to {most} m apart"))
                .hint(HINT)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use skidpad_record::provenance::SourceFile;

    use super::*;
    use crate::{Metrics, Run};

    /// A run with a gain, a seed, and a wall of this content.
    fn made(gain: f64, seed: u64, wall: &str) -> Provenance {
        let file =
            |path: &str, sum: &str| SourceFile { path: path.into(), sha256: Some(sum.into()), ..SourceFile::default() };
        Provenance {
            version: "1".into(),
            command: vec!["experiment".into(), "e.yaml".into(), format!("--seed={seed}")],
            world: "w.xml".into(),
            seed: Some(seed),
            config: Some(json!({ "name": seed.to_string(), "seed": seed, "tracker": { "Kp": gain } })),
            files: vec![file("w.xml", "ab"), file("wall.xml", wall), file("e.yaml", &gain.to_string())],
            ..Provenance::default()
        }
    }

    fn reported(all: Vec<Option<Provenance>>) -> Vec<String> {
        let run = |(name, made): (String, Option<Provenance>)| Analyzed {
            run: Run { name, provenance: made.map(Arc::new), ..Run::default() },
            metrics: Metrics::default(),
            course: None,
            group: Some("g".into()),
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let runs = names.into_iter().zip(all).map(run).collect();
        group_notes(&Section { title: String::new(), runs }).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_runs_of_a_group_differ_in_is_told_once_with_the_runs() {
        assert_eq!(reported(vec![Some(made(2.0, 1, "cd")), Some(made(2.0, 2, "cd")), None]), Vec::<String>::new());
        let notes = reported(vec![Some(made(2.0, 1, "cd")), Some(made(5.0, 2, "cd")), Some(made(5.0, 3, "ef"))]);
        assert_eq!(
            notes,
            ["g: its runs differ in more than the seed\n  tracker.Kp: 2.0 in a; 5.0 in b, c\n  \
              wall.xml: SHA-256 cd… in a, b; SHA-256 ef… in c\n  hint: put only comparable runs into a group: --group NAME=PATTERN"]
        );
        // A variable that one of them has as its default, and a word that nothing else tells.
        let mut other = made(2.0, 1, "cd");
        other.set.insert("mu".into(), "0.5".into());
        other.variables.insert("mu".into(), "0.5".into());
        let mut first = made(2.0, 1, "cd");
        first.variables.insert("mu".into(), "0.9".into());
        let notes = reported(vec![Some(first.clone()), Some(other)]);
        assert!(notes.len() == 1 && notes[0].contains("\n  mu: 0.9 in a; 0.5 in b\n"), "{notes:?}");
        // Runs with a controller have configs of their own, and its script.
        let with_controller = |seed, script: &str| {
            let mut run = made(2.0, seed, "cd");
            run.command =
                vec!["run".into(), "w.xml".into(), format!("--seed={seed}"), format!("--track=out/{seed}.run.yaml")];
            run.files.push(SourceFile {
                path: "pursuit.py".into(),
                sha256: Some(script.into()),
                ..SourceFile::default()
            });
            run
        };
        assert_eq!(
            reported(vec![Some(with_controller(1, "12")), Some(with_controller(2, "12"))]),
            Vec::<String>::new()
        );
        let notes = reported(vec![Some(with_controller(1, "12")), Some(with_controller(2, "34"))]);
        assert!(
            notes.len() == 1 && notes[0].contains("\n  pursuit.py: SHA-256 12… in a; SHA-256 34… in b\n"),
            "{notes:?}"
        );
        let mut by_option = first.clone();
        by_option.command.push("--controller=python3 wall.xml".into());
        let mut changed = by_option.clone();
        changed.files[1].sha256 = Some("ef".into());
        let notes = reported(vec![Some(by_option), Some(changed)]);
        assert!(
            notes.len() == 1 && notes[0].contains("\n  wall.xml: SHA-256 cd… in a; SHA-256 ef… in b\n"),
            "{notes:?}"
        );
        // Two runs of a scenario, whose file says more than the config.
        let of_scenario = |seed, events: &str| {
            let mut run = made(2.0, seed, "cd");
            run.command = vec!["test".into(), "e.yaml".into(), format!("--only=e[seed={seed}]")];
            run.files[2].sha256 = Some(events.into());
            run
        };
        assert_eq!(reported(vec![Some(of_scenario(1, "12")), Some(of_scenario(2, "12"))]), Vec::<String>::new());
        let notes = reported(vec![Some(of_scenario(1, "12")), Some(of_scenario(2, "34"))]);
        assert!(notes.len() == 1 && notes[0].contains("\n  e.yaml: SHA-256 12… in a; SHA-256 34… in b\n"), "{notes:?}");
        let mut longer = first.clone();
        longer.command.push("--duration=5".into());
        let notes = reported(vec![Some(first), Some(longer)]);
        assert!(notes.len() == 1 && notes[0].contains("skidpad experiment e.yaml --duration=5 in b"), "{notes:?}");
    }
}
