//! Hints for names of `--set` that a world does not have: the option or the key that was probably meant, from the tables of both.

use crate::arguments;
use crate::diagnostic::Diagnostic;
use crate::experiment::ExperimentConfig;
use crate::nearest::nearest;

/// How keys of experiments are set there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// By `--set` itself.
    Here,
    /// By `--set` with `--track`.
    WithTrack,
    /// Not by this command.
    Elsewhere,
}

/// Adds hints to the errors of a load of `command`, in which these variables were set. A better one stays: the name of a variable.
pub fn explain(errors: &mut [Diagnostic], set: &[(String, String)], command: &str, keys: Keys) {
    for error in errors.iter_mut().filter(|error| error.hint.is_none()) {
        let is_named = |(name, _): &&(String, String)| error.first_line().contains(&format!("variable \"{name}\""));
        if let Some((name, value)) = set.iter().find(is_named) {
            error.hint = hint(name, value, command, keys);
        }
    }
}

/// What sets a thing of this name.
fn hint(name: &str, value: &str, command: &str, keys: Keys) -> Option<String> {
    let program = arguments();
    let arguments = program.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let options: Vec<String> = arguments.filter_map(|argument| argument.get_long()).map(str::to_owned).collect();
    let is_same = |option: &&String| option.replace('-', "_").eq_ignore_ascii_case(name);
    if let Some(option) = options.iter().find(is_same) {
        return Some(format!("--{option} {value} sets it"));
    }
    let sections = ExperimentConfig::sections();
    let all: Vec<&String> = sections.iter().flat_map(|(_, keys)| keys).collect();
    let key = nearest(name, &all)?;
    let (section, _) = sections.iter().find(|(_, keys)| keys.iter().any(|known| known == key))?;
    let usage = match keys {
        Keys::Here => format!("--set {key}={value}"),
        Keys::WithTrack => format!("--track CONFIG.yaml --set {key}={value}"),
        Keys::Elsewhere => format!("skidpad run WORLD --track CONFIG.yaml --set {key}={value}"),
    };
    Some(format!("{key} is a key of the {section} of experiments: {usage}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use clap::Args as _;

    fn program() -> clap::Command {
        let run = crate::run_args::RunArgs::augment_args(clap::Command::new("run"));
        clap::Command::new("skidpad").subcommand(run)
    }

    #[test]
    fn options_and_keys_are_told_apart_whatever_their_case() {
        crate::take_arguments(program);
        let of = |name, keys| hint(name, "2", "run", keys);
        assert_eq!(of("duration", Keys::WithTrack).unwrap(), "--duration 2 sets it");
        assert_eq!(of("record_topics", Keys::WithTrack).unwrap(), "--record-topics 2 sets it");
        let key = "Kp is a key of the tracker of experiments: ";
        assert_eq!(of("kp", Keys::WithTrack).unwrap(), format!("{key}--track CONFIG.yaml --set Kp=2"));
        assert_eq!(of("Kp", Keys::Here).unwrap(), format!("{key}--set Kp=2"));
        let far = "trajectory_type is a key of the trajectory of experiments: skidpad run WORLD --track CONFIG.yaml --set trajectory_type=2";
        assert_eq!(of("trajectory_typ", Keys::Elsewhere).unwrap(), far);
        assert_eq!(of("nothing_like_it", Keys::Elsewhere), None);
    }
}
