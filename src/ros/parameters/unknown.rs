//! Warnings of values given at the start for parameters that the node does not have.
//!
//! Each value that is given to the node itself, by `-p` or under its name in a file, has its own warning. Sections with wildcards hold
//! parameters of other nodes too: those that this node lacks share one warning, unless one may be a misspelling.

use std::collections::BTreeSet;

use skidpad_files::nearest::did_you_mean;
use skidpad_ros_data::preset::{PRESETS, Preset};

use super::table::Parameters;

/// Parameters that the client library gives to every node.
const OF_EVERY_NODE: [&str; 2] = ["use_sim_time", "start_type_description_service"];
/// Beginning of the parameters of quality of service, which are checked where they are read.
const QOS: &str = "qos_overrides.";
/// What other simulators call by these names, and where it is here.
const ELSEWHERE: [(&str, &str); 12] = [
    ("real_time_factor", "the simulator's parameter rate"),
    ("real_time_update_rate", "the simulator's parameter rate"),
    ("time_scale", "the simulator's parameter rate"),
    ("max_step_size", "the world file gives the step: <simul_timestep>"),
    ("seed", "an option: skidpad run --seed"),
    ("headless", "an option: skidpad run --headless"),
    ("gui", "an option: skidpad run --headless"),
    ("web", "an option: skidpad run --web"),
    ("record", "an option: skidpad run --record"),
    ("csv", "an option: skidpad run --csv"),
    ("world", "the world file is the argument of skidpad run"),
    ("world_file", "the world file is the argument of skidpad run"),
];

/// Warns of such values; `shared`: the names from sections with wildcards.
pub fn warn(parameters: &Parameters, shared: &BTreeSet<String>) {
    let names = parameters.names();
    for warning in warnings(&parameters.undeclared(), shared, &names) {
        tracing::warn!("{warning}");
    }
}

/// The warnings of the parameters `undeclared` where those with `names` are declared.
fn warnings(undeclared: &[&str], shared: &BTreeSet<String>, names: &[String]) -> Vec<String> {
    let (mut warnings, mut of_other_nodes) = (Vec::new(), Vec::new());
    for name in undeclared.iter().filter(|name| !OF_EVERY_NODE.contains(name) && !name.starts_with(QOS)) {
        let hint = match did_you_mean(name, names) {
            Some(hint) => hint,
            None if shared.contains(*name) => {
                of_other_nodes.push(format!("\"{name}\""));
                continue;
            }
            None => hint(name, names),
        };
        warnings.push(format!("parameter \"{name}\": unknown\n  hint: {hint}"));
    }
    if !of_other_nodes.is_empty() {
        let parameters = if of_other_nodes.len() == 1 { "parameter" } else { "parameters" };
        warnings.push(format!(
            "{parameters} {}: unknown to this node\n  hint: put parameters of other nodes under their names, not under /**",
            of_other_nodes.join(", ")
        ));
    }
    warnings
}

/// Where to look for what is not there under this name.
fn hint(name: &str, names: &[String]) -> String {
    if let Some((_, alternative)) = ELSEWHERE.iter().find(|(known, _)| *known == name) {
        return (*alternative).to_owned();
    }
    let has = |preset: &&&Preset| {
        let placeholders = preset.placeholders.iter().flat_map(|placeholder| placeholder.parameter);
        preset.settings.iter().map(|setting| setting.name).chain(placeholders).any(|known| known == name)
    };
    if let Some(preset) = PRESETS.iter().find(has) {
        return format!("a parameter of the preset \"{}\"", preset.name);
    }
    if let Some((vehicle, _)) = name.split_once('.')
        && !names.iter().any(|known| known.starts_with(&format!("{vehicle}.")))
    {
        return format!("it takes effect once vehicle \"{vehicle}\" exists");
    }
    "ros2 param list prints the valid names".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unknown_parameter_is_told_and_those_of_other_nodes_in_one_line() {
        let names = ["odom_rate", "rate", "r1.controller.kp"].map(str::to_owned);
        let reported = |undeclared: &[&str], shared: &[&str]| {
            let shared = shared.iter().map(|name| (*name).to_owned()).collect();
            warnings(undeclared, &shared, &names)
        };
        let message = |name: &str, hint: &str| vec![format!("parameter \"{name}\": unknown\n  hint: {hint}")];
        assert_eq!(reported(&["odm_rate"], &[]), message("odm_rate", "did you mean \"odom_rate\"?"));
        assert_eq!(reported(&["real_time_factor"], &[]), message("real_time_factor", "the simulator's parameter rate"));
        assert_eq!(reported(&["seed"], &[]), message("seed", "an option: skidpad run --seed"));
        assert_eq!(reported(&["world"], &[]), message("world", "the world file is the argument of skidpad run"));
        assert_eq!(reported(&["scan_fov"], &[]), message("scan_fov", "a parameter of the preset \"f1tenth_gym_ros\""));
        assert_eq!(reported(&["r7.tf_mode"], &[]), message("r7.tf_mode", "it takes effect once vehicle \"r7\" exists"));
        assert_eq!(reported(&["r1.mass"], &[]), message("r1.mass", "ros2 param list prints the valid names"));
        assert!(reported(&["use_sim_time", "qos_overrides./scan.publisher.depth"], &[]).is_empty());
        let shared = ["controller_frequency", "odm_rate", "plugins"];
        assert_eq!(
            reported(&shared, &shared),
            [
                "parameter \"odm_rate\": unknown\n  hint: did you mean \"odom_rate\"?",
                "parameters \"controller_frequency\", \"plugins\": unknown to this node\n  hint: put parameters of other nodes under their names, not under /**"
            ]
        );
    }
}
