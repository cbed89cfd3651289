//! What is wrong with the axes of a matrix, all of it before the first run, and which combinations the world does not have.

use rayon::prelude::*;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::nearest::did_you_mean;
use skidpad_sim::world::{LoadOptions, World};

use super::config::OWN_KEYS;
use super::grid::{MAX_RUNS, OF_MATRICES, at_value, axis_keys, combinations, label, with_values};
use super::{Axes, Axis, ExperimentConfig, ExperimentError};

/// A matrix that can be run.
pub(super) struct Plan {
    /// The axes that change the world by its variables.
    of_world: Vec<usize>,
    /// Of these the combinations of values that it does not have.
    absent: Vec<Vec<usize>>,
}

impl Plan {
    /// Checks all axes.
    ///
    /// # Errors
    /// All mistakes: keys that are there twice or set elsewhere, unknown keys, values that are not accepted; too many combinations; a world that
    /// cannot be loaded without the axes.
    pub(super) fn check(
        base: &ExperimentConfig,
        load: &LoadOptions,
        axes: &Axes,
        settings: &[(String, String)],
    ) -> Result<Plan, ExperimentError> {
        let mut wrong = repeated(axes, settings, load);
        let runs = axes.0.iter().try_fold(1_usize, |runs, axis| runs.checked_mul(axis.values.len()));
        if runs.is_none_or(|runs| runs > MAX_RUNS) {
            let found = runs.map_or_else(|| "too many runs".to_owned(), |runs| format!("{runs} runs"));
            wrong.push(Diagnostic::new(axes.place(), found).accepted(format!("up to {MAX_RUNS} combinations")));
        }
        if !wrong.is_empty() {
            return Err(ExperimentError::Config(Diagnostics(wrong)));
        }
        let before: Vec<Diagnostic> = base.check().into_iter().map(|(_, problem)| problem).collect();
        for axis in &axes.0 {
            for index in 0..axis.values.len() {
                match with_values(base, [(axis, index)], settings) {
                    Err(problems) => wrong.extend(problems),
                    Ok(config) => {
                        let new = config.check().into_iter().map(|(_, problem)| problem);
                        let new = new.filter(|problem| !before.contains(problem));
                        let place = axis.place_of(index, &label(std::slice::from_ref(axis), &[index]));
                        wrong.extend(new.map(|problem| at_value(problem, &place)));
                    }
                }
            }
        }
        let (plan, unloadable) = Plan::of_world(base, load, axes)?;
        wrong.extend(unloadable);
        wrong.dedup();
        if wrong.is_empty() { Ok(plan) } else { Err(ExperimentError::Config(Diagnostics(wrong))) }
    }

    /// Whether the world does not have the combination with these indices.
    pub(super) fn is_absent(&self, indices: &[usize]) -> bool {
        let of_world: Vec<usize> = self.of_world.iter().map(|&axis| indices[axis]).collect();
        self.absent.contains(&of_world)
    }

    /// Loads the world with each combination of its variables, of worlds and of vehicles. A value with which none can be loaded is a mistake; of
    /// other values, such as a tyre for a plant without tyres, the combination is absent.
    fn of_world(
        base: &ExperimentConfig,
        load: &LoadOptions,
        axes: &Axes,
    ) -> Result<(Plan, Vec<Diagnostic>), ExperimentError> {
        let known = ExperimentConfig::keys();
        let is_variable = |key: &String| {
            let is_own = OWN_KEYS.contains(&key.as_str()) && !["plant", "tyre"].contains(&key.as_str());
            !is_own && !OF_MATRICES.contains(&key.as_str()) && !known.contains(key)
        };
        let is_of_world = |key: &String| is_variable(key) || ["world", "vehicle"].contains(&key.as_str());
        let of_world: Vec<usize> =
            (0..axes.0.len()).filter(|&axis| axes.0[axis].keys.iter().any(is_of_world)).collect();
        let varied = Axes(of_world.iter().map(|&axis| axes.0[axis].clone()).collect());
        let varies_vehicle = varied.keys().any(|key| ["world", "vehicle"].contains(&key));
        let failure_with = |chosen: &[(usize, usize)]| {
            let mut variables = base.world_variables();
            variables.extend(load.variables.clone());
            let (mut world, mut vehicle) = (base.world.clone(), base.vehicle.clone());
            for (axis, index) in chosen.iter().map(|&(axis, index)| (&varied.0[axis], index)) {
                for (key, value) in axis.keys.iter().zip(&axis.values[index]) {
                    match key.as_str() {
                        "world" => world = base.world_of(value),
                        "vehicle" => vehicle.clone_from(value),
                        _ if is_variable(key) => {
                            variables.retain(|(name, _)| name != key);
                            variables.push((key.clone(), value.clone()));
                        }
                        _ => {}
                    }
                }
            }
            let options = LoadOptions { seed: Some(base.seed), variables, ..load.clone() };
            let loaded = match World::load(&world, &options) {
                Ok((loaded, _)) => loaded,
                Err(problems) => return Some(ExperimentError::World(problems)),
            };
            if !varies_vehicle {
                return None;
            }
            let names: Vec<String> = loaded.scene().vehicles.iter().map(|info| info.name.clone()).collect();
            let named = ExperimentConfig { world, vehicle, ..base.clone() };
            named.find_vehicle(&names).err().map(|problem| ExperimentError::Keys(vec![("vehicle", problem)]))
        };
        let all = combinations(&varied);
        let fails = |indices: &Vec<usize>| {
            let chosen: Vec<(usize, usize)> = indices.iter().copied().enumerate().collect();
            failure_with(&chosen).is_some()
        };
        let failed: Vec<bool> = all.par_iter().map(fails).collect();
        if !failed.contains(&false)
            && let Some(failure) = failure_with(&[])
        {
            // It does not depend on the axes.
            return Err(failure);
        }
        let mut wrong = Vec::new();
        for (place, axis) in varied.0.iter().enumerate() {
            for index in 0..axis.values.len() {
                let mut with = all.iter().zip(&failed).filter(|(indices, _)| indices[place] == index);
                if with.all(|(_, failed)| *failed)
                    && let Some(failure) = failure_with(&[(place, index)])
                {
                    wrong.extend(explained(base, axis, index, &failure));
                }
            }
        }
        let absent = all.into_iter().zip(failed).filter(|(_, failed)| *failed).map(|(indices, _)| indices).collect();
        Ok((Plan { of_world, absent }, wrong))
    }
}

/// Keys that are on two axes, or both on one and set for all runs.
fn repeated(axes: &Axes, settings: &[(String, String)], load: &LoadOptions) -> Vec<Diagnostic> {
    let keys: Vec<&str> = axes.keys().collect();
    let twice = keys.iter().enumerate().filter(|(index, key)| keys[..*index].contains(key));
    let place = |key: &str| {
        // Of two, the later one.
        let axis = axes.0.iter().rfind(|axis| axis.keys.iter().any(|name| name == key));
        axis.map_or_else(|| format!("--vary {key}"), |axis| axis.placed(key))
    };
    let twice = twice.map(|(_, key)| Diagnostic::new(place(key), "appears twice").hint("give one list"));
    // A variable of the world that has the name of a key of the config is another thing.
    let variables = load.variables.iter().filter(|(key, _)| !["world", "vehicle"].contains(&key.as_str()));
    let set = settings.iter().chain(variables).filter(|(key, _)| keys.contains(&key.as_str()));
    let set = set.map(|(key, value)| {
        Diagnostic::new(place(key), format!("{key}={value} is set for all runs")).hint("give one of the two")
    });
    twice.chain(set).collect()
}

/// Why the world cannot be loaded with a value.
fn explained(base: &ExperimentConfig, axis: &Axis, index: usize, failure: &ExperimentError) -> Vec<Diagnostic> {
    let place = axis.place_of(index, &label(std::slice::from_ref(axis), &[index]));
    let mut named = base.clone();
    for (key, value) in axis.keys.iter().zip(&axis.values[index]) {
        match key.as_str() {
            "plant" => named.plant.clone_from(value),
            "tyre" => named.tyre.clone_from(value),
            _ => {}
        }
    }
    if let Some(unknown) = named.unknown_plant() {
        return Diagnostics::from(&unknown).into_iter().map(|problem| problem.at(&place)).collect();
    }
    let names = axis_keys();
    let problems = Diagnostics::from(failure).into_iter();
    problems
        .map(|problem| {
            // A key that none of these is may be one of them, misspelt.
            let meant = did_you_mean(&axis.keys[0], &names).filter(|_| !names.contains(&axis.keys[0]));
            Diagnostic { hint: meant.or(problem.hint.clone()), ..problem }.at(&place)
        })
        .collect()
}
