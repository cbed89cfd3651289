//! The values of `--set`, by what they set.

use crate::experiment::ExperimentConfig;

/// The names and values of `--set`, by what they set.
pub struct SetValues {
    /// Keys of an experiment's config.
    pub keys: Vec<(String, String)>,
    /// Variables of its world.
    pub variables: Vec<(String, String)>,
}

impl SetValues {
    /// Those of an experiment.
    pub fn of_experiment(set: &[(String, String)]) -> SetValues {
        let (keys, variables) = set.iter().cloned().partition(|(name, _)| ExperimentConfig::has_key(name));
        SetValues { keys, variables }
    }
}
