//! `skidpad plot`: figures of tyres, models, powertrains and trajectories, from names, vehicle files and worlds.

use std::path::Path;

use serde_json::Value;

use crate::cli::answer::Answer;
use crate::cli::args::{FigureArgs, OutputArgs, PlotArgs, PlotTask, TrajectoryArgs};
use crate::cli::progress::Work;
use crate::cli::sets::{self, ParameterSet};
use crate::cli::{Failure, find, log_warnings, manoeuvre, progress};
use crate::diagnostic::Diagnostic;
use crate::friction::{FRICTION_LAWS, FrictionLaw};
use crate::plot::model;
use crate::plot::torque::{self, Traction};
use crate::plot::trajectory::NamedTrajectory;
use crate::plot::tyre::{self, Tyre};
use crate::plot::{self, Figure, Format, ModelError, Size, TestVehicle};
use crate::trajectory::{self, TRAJECTORIES, Track, TrajectoryParameters};
use crate::vehicle::Vehicle;
use crate::waypoint_file;
use crate::world::{LoadOptions, World};
use crate::xml::Problem;

/// Draws the requested figure.
pub(in crate::cli) fn plot(args: &PlotArgs, answer: &mut Answer) -> Result<(), Failure> {
    match &args.task {
        PlotTask::Tyre(args) => {
            let laws: Vec<_> = FRICTION_LAWS.iter().map(|entry| entry.name).collect();
            let subjects = subjects(args, "friction law, parameter set or world", &laws)?;
            save(&args.output, &tyres(&subjects)?)
        }
        PlotTask::Model(args) => {
            let mut subjects = subjects(args, "parameter set or world", &[])?;
            save(&args.output, &Work::of("driving", || models(&mut subjects))?)
        }
        PlotTask::Manoeuvre(args) => manoeuvre::plot(args, answer),
        PlotTask::Torque(args) => {
            let presets: Vec<_> = ENGINES.iter().map(|(name, _)| *name).collect();
            let subjects = subjects(args, "engine preset, parameter set or world", &presets)?;
            save(&args.output, &powertrains(&subjects)?)
        }
        PlotTask::Trajectory(args) => {
            save(&args.output, &plot::trajectory::figure(&trajectories(args)?, args.duration))
        }
    }
}

/// A subject of a figure.
pub(in crate::cli) enum Subject {
    /// A name of one of the program's tables.
    Named(String),
    /// Vehicles of a world: their names in the legend and their indices.
    Vehicles(Box<World>, Vec<(String, usize)>),
}

impl Subject {
    /// The vehicles, with their names in the legend.
    pub(in crate::cli) fn vehicles(&self) -> impl Iterator<Item = (&str, &Vehicle)> {
        let (world, vehicles) = match self {
            Subject::Named(_) => (None, [].as_slice()),
            Subject::Vehicles(world, vehicles) => (Some(world), vehicles.as_slice()),
        };
        vehicles.iter().filter_map(move |(label, index)| Some((label.as_str(), world?.vehicle(*index)?)))
    }
}

/// Finds what the arguments name: one of `table`, a parameter set, a vehicle file or a world. `kinds` names the alternatives in messages.
fn subjects(args: &FigureArgs, kinds: &str, table: &[&str]) -> Result<Vec<Subject>, Failure> {
    subjects_on(args, kinds, table, None)
}

/// The elements of a world for a vehicle with this wheelbase [m].
pub(in crate::cli) type Elements<'a> = &'a dyn Fn(f64) -> String;

/// The same. With `elements` they are the ground of the vehicles, so that worlds, which have a ground of their own, are refused.
pub(in crate::cli) fn subjects_on(
    args: &FigureArgs,
    kinds: &str,
    table: &[&str],
    elements: Option<Elements<'_>>,
) -> Result<Vec<Subject>, Failure> {
    // A bad extension is reported before anything is computed.
    Format::of(&args.output.out).map_err(Failure::because)?;
    let folders = find::folders();
    let sets = sets::parameter_sets(&folders);
    let mut subjects = Vec::new();
    let mut has_world = false;
    for name in &args.names {
        if table.contains(&name.as_str()) {
            subjects.push(Subject::Named(name.clone()));
        } else if let Some(set) = sets.iter().find(|set| set.name == *name) {
            subjects.push(of_set(set, args, elements)?);
        } else if name.ends_with(sets::ENDING) && Path::new(name).is_file() {
            let classes = sets::classes_of(Path::new(name));
            if classes.is_empty() {
                return Err(Failure::because(Diagnostic::new(name, "defines no vehicle class")));
            }
            for set in &classes {
                subjects.push(of_set(set, args, elements)?);
            }
        } else if let Ok(path) = find::world(Path::new(name)) {
            if elements.is_some() {
                let message = Diagnostic::new(name, "has a ground of its own, but the manoeuvre brings one");
                return Err(Failure::because(message.accepted("parameter sets and vehicle files")));
            }
            has_world = true;
            subjects.push(of_world(&path, args)?);
        } else if Path::new(name).components().count() != 1 {
            // Paths are not searched, so this reports the error.
            find::world(Path::new(name))?;
        } else {
            let names = table.iter().map(ToString::to_string).chain(sets.iter().map(|set| set.name.clone()));
            let nowhere = sets.is_empty().then(|| format!("searched for it in {}", find::searched(&folders)));
            return Err(unknown(name, &format!("no {kinds}"), names.collect(), nowhere));
        }
    }
    match &args.vehicle {
        Some(wanted) if !has_world => only_vehicle(wanted, subjects, &args.names),
        _ => Ok(subjects),
    }
}

/// Keeps only the subjects that contain the vehicle of this name.
fn only_vehicle(wanted: &str, mut subjects: Vec<Subject>, named: &[String]) -> Result<Vec<Subject>, Failure> {
    let names: Vec<_> = subjects.iter().flat_map(Subject::vehicles).map(|(name, _)| name.to_string()).collect();
    subjects.retain(|subject| subject.vehicles().any(|(name, _)| name == wanted));
    if subjects.is_empty() {
        let hint = names.is_empty().then(|| "--vehicle picks one of a world".to_string());
        return Err(unknown(wanted, &format!("no vehicle of {}", named.join(", ")), names, hint));
    }
    Ok(subjects)
}

/// The one vehicle of a parameter set, with everything at its defaults, on ground with these elements.
fn of_set(set: &ParameterSet, args: &FigureArgs, elements: Option<Elements<'_>>) -> Result<Subject, Failure> {
    let (mut world, mut warnings) = world_of_set(set, args, "")?;
    let wheelbase = world.scene().vehicles.first().and_then(|info| info.wheelbase);
    if let Some((elements, wheelbase)) = elements.zip(wheelbase) {
        (world, warnings) = world_of_set(set, args, &elements(wheelbase))?;
    }
    log_warnings(&warnings);
    Ok(Subject::Vehicles(Box::new(world), vec![(set.name.clone(), 0)]))
}

/// A world with these elements, and the vehicle of a parameter set.
fn world_of_set(set: &ParameterSet, args: &FigureArgs, elements: &str) -> Result<(World, Vec<Problem>), Failure> {
    let file = set.file.display().to_string();
    let folder = set.file.parent().unwrap_or(Path::new("."));
    let base = set.file.file_name().unwrap_or_default().to_string_lossy();
    let text = format!(
        "<mvsim_world>{elements}<include file=\"{base}\"/><vehicle name=\"{name}\" class=\"{name}\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
        name = set.name
    );
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let options = LoadOptions { variables: args.set.clone(), ..LoadOptions::default() };
    World::load_text(&file, folder, &text, &options).map_err(Failure::because)
}

/// The vehicles of a world, or the one of this name.
fn of_world(path: &Path, args: &FigureArgs) -> Result<Subject, Failure> {
    let vehicle = args.vehicle.as_deref();
    let options = LoadOptions { variables: args.set.clone(), ..LoadOptions::default() };
    let (world, warnings) = progress::load(path, options)?;
    log_warnings(&warnings);
    let scene = world.scene();
    let named = scene.vehicles.iter().enumerate().map(|(index, info)| (info.name.clone(), index));
    let shown: Vec<_> = named.filter(|(name, _)| vehicle.is_none_or(|wanted| wanted == name)).collect();
    if shown.is_empty() {
        let names: Vec<String> = scene.vehicles.iter().map(|info| info.name.clone()).collect();
        return Err(match vehicle {
            Some(wanted) if !names.is_empty() => {
                unknown(wanted, &format!("no vehicle of {}", path.display()), names, None)
            }
            _ => Failure::because(Diagnostic::new(path.display(), "has no vehicle")),
        });
    }
    Ok(Subject::Vehicles(Box::new(world), shown))
}

/// The message for an unknown name, with `hint` if no known name is close.
fn unknown(name: &str, subject: &str, mut names: Vec<String>, hint: Option<String>) -> Failure {
    names.sort();
    names.dedup();
    let message = Diagnostic::new(name, format!("{subject} has this name")).one_of(name, &names);
    Failure::because(Diagnostic { hint: message.hint.or(hint), ..message })
}

/// Writes the figure to the requested file.
pub(in crate::cli) fn save(args: &OutputArgs, figure: &Figure) -> Result<(), Failure> {
    plot::write(figure, &args.out, args.size.unwrap_or(size_of(figure))).map_err(Failure::because)
}

/// The default size of a figure.
fn size_of(figure: &Figure) -> Size {
    let columns = figure.columns.max(1);
    let rows = figure.panels.len().div_ceil(columns).max(1);
    let wide = |columns: usize| if columns == 1 { 860 } else { 430 * columns as u32 };
    Size { width: wide(columns), height: 60 + 380 * rows as u32 }
}

fn tyres(subjects: &[Subject]) -> Result<Figure, Failure> {
    let defaults: Vec<(&str, Box<dyn FrictionLaw>)> = FRICTION_LAWS
        .iter()
        .filter(|entry| subjects.iter().any(|s| matches!(s, Subject::Named(name) if name == entry.name)))
        .map(|entry| (entry.name, (entry.default)()))
        .collect();
    let mut shown = Vec::new();
    for subject in subjects {
        if let Subject::Named(name) = subject {
            shown.extend(defaults.iter().filter(|(law, _)| law == name).map(|(law, l)| Tyre::of_car(law, &**l)));
        }
        for (label, vehicle) in subject.vehicles() {
            let tyre = Tyre::of_vehicle(label, vehicle);
            shown
                .push(tyre.ok_or_else(|| Failure::because(Diagnostic::new(label, "its first wheel carries no load")))?);
        }
    }
    Ok(tyre::figure(&shown))
}

/// Figure of the handling of all vehicles.
fn models(subjects: &mut [Subject]) -> Result<Figure, Failure> {
    let mut whole = Figure::default();
    drive_each(subjects, |driven| {
        whole = model::with(std::mem::take(&mut whole), driven)?;
        Ok(())
    })?;
    Ok(whole)
}

/// Drives the vehicles one after the other: vehicles of one world share it.
pub(in crate::cli) fn drive_each(
    subjects: &mut [Subject],
    mut drive: impl FnMut(&mut TestVehicle<'_>) -> Result<(), ModelError>,
) -> Result<(), Failure> {
    for subject in subjects {
        let Subject::Vehicles(world, vehicles) = subject else { continue };
        for (name, vehicle) in vehicles {
            drive(&mut TestVehicle { name, world, vehicle: *vehicle }).map_err(Failure::because)?;
        }
    }
    Ok(())
}

/// Engine presets by their name in world files, with their help. `table` has no preset.
pub(in crate::cli) const ENGINES: &[(&str, &str)] = &[
    ("gasoline", "rises to a flat peak of torque; 150 N·m, 85 kW"),
    ("diesel", "pulls early; 320 N·m, 110 kW"),
    ("electric", "constant torque, then constant power; 220 N·m, 110 kW"),
];

/// A car of 1200 kg with this engine and a matching gearbox.
fn preset(name: &str) -> Result<Subject, Failure> {
    let text = format!(
        r#"<mvsim_world><vehicle name="{name}"><init_pose>0 0 0</init_pose>
          <dynamics class="ackermann_drivetrain">
            <rl_wheel pos="0 0.75" mass="20" diameter="0.62"/> <rr_wheel pos="0 -0.75" mass="20" diameter="0.62"/>
            <fl_wheel mass="20" diameter="0.62"/> <fr_wheel mass="20" diameter="0.62"/>
            <f_wheels_x>2.6</f_wheels_x> <f_wheels_d>1.5</f_wheels_d>
            <chassis mass="1120"/>
            <powertrain><engine type="{name}"/></powertrain>
            <resistance><air_density>1.225</air_density><drag_coefficient>0.3</drag_coefficient><frontal_area>2.1</frontal_area></resistance>
            <controller class="pedals"/>
          </dynamics>
          <friction class="default"><C_rr>0.012</C_rr></friction>
        </vehicle></mvsim_world>"#
    );
    let loaded = World::load_text(name, Path::new("."), &text, &LoadOptions::default());
    let (world, _) = loaded.map_err(Failure::because)?;
    Ok(Subject::Vehicles(Box::new(world), vec![(name.to_string(), 0)]))
}

fn powertrains(subjects: &[Subject]) -> Result<Figure, Failure> {
    let mut presets = Vec::new();
    for subject in subjects {
        if let Subject::Named(name) = subject {
            presets.push(preset(name)?);
        }
    }
    let vehicles: Vec<_> = presets.iter().chain(subjects).flat_map(Subject::vehicles).collect();
    let resistances: Vec<_> =
        vehicles.iter().map(|(_, vehicle)| move |speed: f64| torque::resistance(vehicle, speed)).collect();
    let mut shown = Vec::new();
    for ((name, vehicle), resistance) in vehicles.iter().zip(&resistances) {
        let Some(powertrain) = vehicle.powertrain() else {
            let accepted = ENGINES.iter().map(|(name, _)| *name).chain(["vehicles with <powertrain>"]);
            return Err(Failure::because(Diagnostic::new(name, "has no powertrain").accepted_all(accepted)));
        };
        shown.push(Traction {
            name,
            engine: &powertrain.engine,
            gearbox: &powertrain.gearbox,
            radius: vehicle.wheels().first().map_or(0.3, |wheel| wheel.parameters.radius),
            mass: vehicle.mass(),
            resistance,
        });
    }
    Ok(torque::figure(&shown))
}

/// Trajectory parameters with these `name=value` settings.
fn with_set(pairs: &[String]) -> Result<TrajectoryParameters, Diagnostic> {
    let mut all = serde_json::json!(TrajectoryParameters::default());
    let names: Vec<String> = all.as_object().into_iter().flat_map(|all| all.keys().cloned()).collect();
    for pair in pairs {
        let place = format!("--set {pair}");
        let Some((name, text)) = pair.split_once('=') else {
            return Err(Diagnostic::new(place, "has no value").accepted("NAME=VALUE, such as R=1.5"));
        };
        let Some(value) = all.get_mut(name) else {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(trajectory::check::unknown(&place, name, &names));
        };
        let (read, accepted) = match value {
            Value::Number(_) => (text.parse().map_or(Value::Null, |number: f64| number.into()), &["a number"][..]),
            Value::Bool(_) => (text.parse().map_or(Value::Null, Value::Bool), &["true", "false"][..]),
            _ => (Value::from(text), &["a text"][..]),
        };
        if read.is_null() {
            let message = Diagnostic::new(place, format!("found \"{text}\""));
            return Err(message.accepted_all(accepted.iter().copied()));
        }
        *value = read;
    }
    serde_json::from_value(all).map_err(|error| Diagnostic::of(error.to_string()))
}

/// The trajectories of these names and waypoint files, with their names in the legend.
fn trajectories(args: &TrajectoryArgs) -> Result<Vec<NamedTrajectory>, Failure> {
    let parameters = with_set(&args.set).map_err(Failure::because)?;
    let mut shown = Vec::new();
    for name in &args.names {
        let mut parameters = parameters.clone();
        if Path::new(name).extension().is_some_and(|ending| ending == "csv") {
            (parameters.trajectory_type, parameters.file) = ("waypoints".into(), name.clone());
        } else {
            parameters.trajectory_type.clone_from(name);
        }
        waypoint_file::load(&mut parameters, Path::new("")).map_err(Failure::because)?;
        log_warnings(&parameters.notes);
        let trajectory = trajectory::build(&parameters).map_err(|problem| Failure::because(problem.at(name)))?;
        let entry = TRAJECTORIES.iter().find(|entry| entry.number.is_some_and(|number| name.parse() == Ok(number)));
        let name = entry.map_or(name.as_str(), |entry| entry.name).to_string();
        shown.push(NamedTrajectory { name, trajectory, track: Track::of(&parameters) });
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use clap::Parser;

    use super::*;
    use crate::cli::args::{Args, Task};

    /// The commands shown below the pictures in `docs/`.
    fn commands() -> Vec<(PathBuf, String)> {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let pages = fs::read_dir(docs).unwrap().map(|entry| entry.unwrap().path());
        let mut commands = Vec::new();
        for page in pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
            let text = fs::read_to_string(&page).unwrap();
            let lines = text.lines().filter_map(|line| line.strip_prefix('`')?.strip_suffix('`'));
            let draws = |line: &&str| {
                line.starts_with("skidpad plot ")
                    || line.starts_with("skidpad experiment ") && line.contains(" --curves ")
            };
            commands.extend(lines.filter(draws).map(|line| (page.clone(), line.to_string())));
        }
        commands
    }

    #[test]
    fn parameters_are_set_by_name() {
        let set = |pairs: &[&str]| with_set(&pairs.iter().map(ToString::to_string).collect::<Vec<_>>());
        let actual = set(&["R=1.5", "closed=true", "file=a=b.csv"]).unwrap();
        assert_eq!((actual.circle_radius, actual.closed, actual.file.as_str()), (1.5, true, "a=b.csv"));
        assert_eq!(set(&[]).unwrap(), TrajectoryParameters::default());
        assert_eq!(
            set(&["R"]).unwrap_err().to_string(),
            "--set R: has no value\n  accepted: NAME=VALUE, such as R=1.5"
        );
        assert_eq!(set(&["R=wide"]).unwrap_err().to_string(), "--set R=wide: found \"wide\"\n  accepted: a number");
        assert_eq!(set(&["R=nan"]).unwrap_err().to_string(), "--set R=nan: found \"nan\"\n  accepted: a number");
        assert_eq!(set(&["closed=1"]).unwrap_err().to_string(), "--set closed=1: found \"1\"\n  accepted: true, false");
        let unknown = set(&["focal_lenght=1"]).unwrap_err().to_string();
        assert!(unknown.starts_with("--set focal_lenght=1: found \"focal_lenght\"\n  accepted: "), "{unknown}");
        assert!(unknown.ends_with("\n  hint: did you mean \"focal_length\"?"), "{unknown}");
    }

    #[test]
    fn each_picture_of_the_pages_is_shown_with_a_command_that_draws_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sets = sets::parameter_sets(&[root.join("worlds")]);
        let mut drawn = BTreeSet::new();
        for (page, command) in commands() {
            let args = Args::try_parse_from(command.split_whitespace()).unwrap_or_else(|e| panic!("{command}: {e}"));
            let (names, out) = match args.task {
                Task::Plot(PlotArgs { task }) => match task {
                    PlotTask::Tyre(args) | PlotTask::Model(args) | PlotTask::Torque(args) => {
                        (args.names, args.output.out)
                    }
                    PlotTask::Manoeuvre(args) => (args.figure.names, args.figure.output.out),
                    PlotTask::Trajectory(args) => (args.names, args.output.out),
                },
                Task::Experiment(args) => (Vec::new(), args.vary.curves.unwrap()),
                _ => panic!("{command}"),
            };
            assert!(Format::of(&out).is_ok(), "{command}");
            for name in &names {
                let is_known = FRICTION_LAWS.iter().any(|law| law.name == name)
                    || TRAJECTORIES.iter().any(|trajectory| trajectory.name == name)
                    || ENGINES.iter().any(|(engine, _)| engine == name)
                    || sets.iter().any(|set| set.name == *name)
                    || root.join(format!("worlds/{name}.world.xml")).is_file();
                assert!(is_known, "{command}: {name}");
            }
            let picture = out.to_string_lossy().into_owned();
            let link = format!("]({})", picture.trim_start_matches("docs/"));
            assert!(fs::read_to_string(&page).unwrap().contains(&link), "{} does not show {picture}", page.display());
            drawn.insert(root.join(picture));
        }
        let pictures = fs::read_dir(root.join("docs/plots")).unwrap().map(|entry| entry.unwrap().path());
        assert_eq!(drawn, pictures.collect(), "each of docs/plots, and no other");
    }
}
