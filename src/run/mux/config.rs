//! The levels of a command multiplexer, their inputs, and what connects them, read from YAML.
//!
//! ```yaml
//! high_level:                     # in the format of the racecar's ackermann_cmd_mux; optional
//!   namespace: /vesc/high_level/ackermann_cmd_mux   # namespace of this level's relative topics
//!   subscribers:
//!     - name: Nav_0               # name on topic `active`
//!       topic: input/nav_0
//!       timeout: 0.2              # [s] > 0: after this long a silent input counts as dead
//!       priority: 20              # the higher wins; each only once in a level
//!       short_desc: "…"           # description
//!   publisher: output             # topic of the selected commands
//! low_level: …                    # likewise
//! relays:                         # repeat commands from one topic on another
//!   - { from: /vesc/high_level/ackermann_cmd_mux/output, to: /vesc/low_level/ackermann_cmd_mux/input/navigation }
//! default_command:                # standstill, sent to an input in the absence of others
//!   topic: /vesc/high_level/ackermann_cmd_mux/input/default
//!   rate: 6                       # [Hz] > 0
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

/// Longest config [bytes].
const MAX_BYTES: u64 = 1 << 20;

/// One or two levels and what connects them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuxConfig {
    /// Selects among sources of navigation; none: there is only the low level.
    #[serde(default)]
    pub high_level: Option<LevelConfig>,
    /// Selects among navigation, safety and teleoperation.
    pub low_level: LevelConfig,
    /// Relays from topic to topic.
    #[serde(default)]
    pub relays: Vec<Relay>,
    /// Standstill without other commands; none: the output falls silent.
    #[serde(default)]
    pub default_command: Option<DefaultCommand>,
}

/// One multiplexer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelConfig {
    /// Prefix of its relative topics.
    pub namespace: String,
    /// Inputs of the multiplexer.
    pub subscribers: Vec<InputConfig>,
    /// Topic of the selected commands.
    pub publisher: String,
}

/// One input of a level.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputConfig {
    /// Name on topic `active` while its commands pass.
    pub name: String,
    /// Topic of its commands.
    pub topic: String,
    /// Timeout [s].
    pub timeout: f64,
    /// The highest priority wins.
    pub priority: u32,
    /// Description.
    #[serde(default)]
    pub short_desc: String,
}

/// Repeats commands of one topic on another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relay {
    /// Source topic.
    pub from: String,
    /// Destination topic.
    pub to: String,
}

/// A standstill command, sent periodically.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultCommand {
    /// Topic of the input that receives it.
    pub topic: String,
    /// Rate [Hz].
    pub rate: f64,
}

/// Why a multiplexer's file is rejected; its place is the file and the position in it.
pub type MuxError = Diagnostic;

impl LevelConfig {
    /// The full name of one of its topics.
    pub fn topic(&self, name: &str) -> String {
        if name.starts_with('/') { name.into() } else { format!("{}/{name}", self.namespace.trim_end_matches('/')) }
    }

    /// Topic on which it announces the selected input.
    pub fn active_topic(&self) -> String {
        self.topic("active")
    }

    fn check(&self, level: &str) -> Result<(), MuxError> {
        if self.subscribers.is_empty() {
            return Err(MuxError::new(format!("{level}: subscribers"), "none").accepted("at least one input"));
        }
        let mut priorities = BTreeSet::new();
        for input in &self.subscribers {
            let place = |part: &str| format!("{level}: {}: {part}", input.name);
            if !(input.timeout > 0.0 && input.timeout <= 1e6) {
                let found = format!("found {}", input.timeout);
                return Err(MuxError::new(place("timeout"), found).accepted("seconds, above 0"));
            }
            if !priorities.insert(input.priority) {
                let found = format!("{} is taken by another input", input.priority);
                return Err(MuxError::new(place("priority"), found).accepted("a number of its own"));
            }
            check_topic(&place("topic"), &input.topic)?;
        }
        check_topic(&format!("{level}: namespace"), &self.namespace)?;
        check_topic(&format!("{level}: publisher"), &self.publisher)
    }
}

impl MuxConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<MuxConfig, MuxError> {
        let place = path.display().to_string();
        let text = input_file::read_text(path, MAX_BYTES).map_err(|error| FileError::read(path, error))?;
        MuxConfig::from_yaml(&place, &text)
    }

    /// Parses the text of a file named `place` in messages.
    pub fn from_yaml(place: &str, text: &str) -> Result<MuxConfig, MuxError> {
        let config: MuxConfig = serde_saphyr::from_str(text).map_err(|error| {
            let error = error.to_string();
            MuxError::new(place, error.trim_end()).hint("config/ackermann_mux.yaml shows the form")
        })?;
        config.check().map_err(|error| error.at(place))?;
        Ok(config)
    }

    /// Its levels, with their names in files.
    pub fn levels(&self) -> impl Iterator<Item = (&'static str, &LevelConfig)> {
        let high = self.high_level.iter().map(|level| ("high_level", level));
        high.chain(std::iter::once(("low_level", &self.low_level)))
    }

    fn check(&self) -> Result<(), MuxError> {
        for (name, level) in self.levels() {
            level.check(name)?;
        }
        for Relay { from, to } in &self.relays {
            check_topic("relays: from", from)?;
            check_topic("relays: to", to)?;
            if from == to {
                let message = MuxError::new(format!("relays: {from}"), "leads to itself");
                return Err(message.accepted("two different topics"));
            }
        }
        self.check_rings()?;
        match &self.default_command {
            Some(DefaultCommand { rate, .. }) if !(*rate > 0.0 && *rate <= 1000.0) => {
                let message = MuxError::new("default_command: rate", format!("found {rate}"));
                Err(message.accepted("messages per second, above 0, up to 1000"))
            }
            Some(DefaultCommand { topic, .. }) => check_topic("default_command: topic", topic),
            None => Ok(()),
        }
    }

    /// The topics that commands leave it by, as they are written: outputs of levels and relays that lead to none of its own inputs.
    pub fn outputs(&self) -> Vec<String> {
        let connections = self.connections();
        let mut outputs: Vec<String> = connections.iter().map(|(_, to)| to.clone()).collect();
        outputs.retain(|output| connections.iter().all(|(from, _)| from != output));
        outputs.sort_unstable();
        outputs.dedup();
        outputs
    }

    /// The connections from topic to topic along which commands pass, with full names.
    fn connections(&self) -> Vec<(String, String)> {
        let full = |name: &str| if name.starts_with('/') { name.to_owned() } else { format!("/{name}") };
        let of_level = |level: &LevelConfig| -> Vec<(String, String)> {
            let output = full(&level.topic(&level.publisher));
            level.subscribers.iter().map(|input| (full(&level.topic(&input.topic)), output.clone())).collect()
        };
        let relays = self.relays.iter().map(|relay| (full(&relay.from), full(&relay.to)));
        self.levels().flat_map(|(_, level)| of_level(level)).chain(relays).collect()
    }

    /// Refuses cycles, in which a command would circulate forever.
    fn check_rings(&self) -> Result<(), MuxError> {
        let connections = self.connections();
        for (start, _) in &connections {
            // Breadth-first search for the shortest way back: each topic is reached once, with the index of its predecessor in the list.
            let mut reached: Vec<(&str, usize)> = vec![(start, 0)];
            let mut next = 0;
            while let Some(&(topic, _)) = reached.get(next) {
                for (_, to) in connections.iter().filter(|(from, _)| from == topic) {
                    if to == start {
                        return Err(ring(start, &reached, next));
                    }
                    if reached.iter().all(|(known, _)| known != to) {
                        reached.push((to, next));
                    }
                }
                next += 1;
            }
        }
        Ok(())
    }
}

/// The error about the cycle from `start` through the topic of index `last` of `reached`.
fn ring(start: &str, reached: &[(&str, usize)], last: usize) -> MuxError {
    let mut back = vec![start];
    let mut index = last;
    while index != 0 {
        back.push(reached[index].0);
        index = reached[index].1;
    }
    back.push(start);
    back.reverse();
    let found = format!("commands would circulate for ever: {}", back.join(" -> "));
    MuxError::new("relays and levels", found)
        .accepted("relays without a loop")
        .hint("remove one of the relays, or let a level publish elsewhere")
}

/// A warning where none of these outputs of a multiplexer is a topic of these, which drive the vehicles; all by their full names.
pub fn drives_nothing(outputs: &[String], driving: &[String]) -> Option<MuxError> {
    if driving.is_empty() || outputs.iter().any(|output| driving.contains(output)) {
        return None;
    }
    let found = format!("its commands leave by {}, which drives no vehicle", outputs.join(", "));
    Some(
        MuxError::of(found).accepted_all(driving).hint("change publisher of low_level, or add a relay to such a topic"),
    )
}

/// Fails unless it is a valid ROS topic name.
fn check_topic(place: &str, name: &str) -> Result<(), MuxError> {
    let is_token = |part: &str| {
        !part.is_empty()
            && !part.starts_with(|c: char| c.is_ascii_digit())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if name.strip_prefix('/').unwrap_or(name).split('/').all(is_token) {
        return Ok(());
    }
    let message = MuxError::new(place, format!("\"{name}\" is not a topic name"));
    Err(message.accepted("letters, digits, _, and / between them, as /vesc/input/nav_0"))
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::preset::{F1TENTH_SYSTEM, racecar::MUX as RACECAR};

    use super::*;

    fn refused(change: impl Fn(&str) -> String) -> String {
        MuxConfig::from_yaml("mux.yaml", &change(RACECAR)).unwrap_err().to_string()
    }

    /// The table of mit-racecar/racecar: `racecar/config/racecar-v2/*_level_mux.yaml`, `racecar/launch/mux.launch`.
    #[test]
    fn the_racecars_inputs_have_its_priorities_and_timeouts() {
        let config = MuxConfig::from_yaml("config/ackermann_mux.yaml", RACECAR).unwrap();
        let table = |level: &LevelConfig| -> Vec<(String, u32, f64)> {
            level.subscribers.iter().map(|i| (level.topic(&i.topic), i.priority, i.timeout)).collect()
        };
        let row = |name: &str, priority, timeout| (name.to_owned(), priority, timeout);
        assert_eq!(
            table(config.high_level.as_ref().unwrap()),
            [
                row("/vesc/high_level/ackermann_cmd_mux/input/nav_0", 20, 0.2),
                row("/vesc/high_level/ackermann_cmd_mux/input/nav_1", 15, 0.2),
                row("/vesc/high_level/ackermann_cmd_mux/input/nav_2", 10, 0.2),
                row("/vesc/high_level/ackermann_cmd_mux/input/nav_3", 5, 0.2),
                row("/vesc/high_level/ackermann_cmd_mux/input/default", 0, 1.0),
            ]
        );
        assert_eq!(
            table(&config.low_level),
            [
                row("/vesc/low_level/ackermann_cmd_mux/input/teleop", 10, 0.2),
                row("/vesc/low_level/ackermann_cmd_mux/input/safety", 5, 0.2),
                row("/vesc/low_level/ackermann_cmd_mux/input/navigation", 0, 0.2),
            ]
        );
        assert_eq!(config.low_level.active_topic(), "/vesc/low_level/ackermann_cmd_mux/active");
        assert_eq!(config.default_command.map(|command| command.rate), Some(6.0));
        assert_eq!(config.relays.len(), 4);
    }

    #[test]
    fn errors_name_their_place() {
        assert_eq!(
            refused(|text| text.replace("priority: 15", "priority: 20")),
            "mux.yaml: high_level: Nav_1: priority: 20 is taken by another input\n  accepted: a number of its own"
        );
        assert_eq!(
            refused(|text| text.replace("timeout: 1.0", "timeout: 0")),
            "mux.yaml: high_level: Default: timeout: found 0\n  accepted: seconds, above 0"
        );
        assert_eq!(
            refused(|text| text.replace("topic: input/safety", "topic: input/safe ty")),
            "mux.yaml: low_level: Safety: topic: \"input/safe ty\" is not a topic name\n  \
             accepted: letters, digits, _, and / between them, as /vesc/input/nav_0"
        );
        assert_eq!(
            refused(|text| text.replace("rate: 6", "rate: -6")),
            "mux.yaml: default_command: rate: found -6\n  accepted: messages per second, above 0, up to 1000"
        );
        let unknown = refused(|text| text.replacen("priority:", "priorty:", 1));
        assert!(
            unknown.contains("priorty") && unknown.ends_with("config/ackermann_mux.yaml shows the form"),
            "{unknown}"
        );
    }

    #[test]
    fn outputs_that_drive_nothing_are_warned_of() {
        let config = MuxConfig::from_yaml("m", RACECAR).unwrap();
        let output = "/vesc/low_level/ackermann_cmd_mux/output".to_owned();
        assert_eq!(config.outputs(), std::slice::from_ref(&output));
        assert_eq!(drives_nothing(&config.outputs(), std::slice::from_ref(&output)), None);
        // A world without vehicles may get some.
        assert_eq!(drives_nothing(&config.outputs(), &[]), None);
        let text = RACECAR.replace("/vesc/low_level/ackermann_cmd_mux\n", "/other\n");
        let outputs = MuxConfig::from_yaml("m", &text).unwrap().outputs();
        let message = drives_nothing(&outputs, &[output]).unwrap().to_string();
        assert_eq!(
            message,
            format!(
                "its commands leave by {}, which drives no vehicle\n  accepted: /vesc/low_level/ackermann_cmd_mux/output\n  \
                 hint: change publisher of low_level, or add a relay to such a topic",
                outputs.join(", ")
            )
        );
    }

    #[test]
    fn a_relay_to_itself_is_refused() {
        let text = format!("{RACECAR}\n");
        let to = "/vesc/low_level/ackermann_cmd_mux/input/safety";
        let changed = text.replace("from: /vesc/ackermann_cmd_mux/input/safety", &format!("from: {to}"));
        assert_ne!(changed, text);
        let error = MuxConfig::from_yaml("m", &changed).unwrap_err().to_string();
        assert_eq!(error, format!("m: relays: {to}: leads to itself\n  accepted: two different topics"));
    }

    #[test]
    fn cycles_of_relays_and_levels_are_refused_with_their_path() {
        let hint =
            "\n  accepted: relays without a loop\n  hint: remove one of the relays, or let a level publish elsewhere";
        let (high, low) = ("/vesc/high_level/ackermann_cmd_mux", "/vesc/low_level/ackermann_cmd_mux");
        let back = format!("relays:\n  - {{ from: {low}/output, to: {high}/input/nav_3 }}\n");
        assert_eq!(
            refused(|text| text.replace("relays:\n", &back)),
            format!(
                "mux.yaml: relays and levels: commands would circulate for ever: {high}/input/nav_3 -> {high}/output -> \
                 {low}/input/navigation -> {low}/output -> {high}/input/nav_3{hint}"
            )
        );
        assert_eq!(
            refused(|text| text.replace("relays:\n", "relays:\n  - { from: /a, to: b }\n  - { from: /b, to: /a }\n")),
            format!("mux.yaml: relays and levels: commands would circulate for ever: /a -> /b -> /a{hint}")
        );
        assert_eq!(
            refused(|text| text.replacen("publisher: output", "publisher: input/nav_1", 1)),
            format!(
                "mux.yaml: relays and levels: commands would circulate for ever: {high}/input/nav_1 -> {high}/input/nav_1{hint}"
            )
        );
    }

    /// The table of f1tenth_system: its `mux.yaml`.
    #[test]
    fn the_f1tenth_car_has_one_level() {
        let config = MuxConfig::from_yaml("f1tenth_mux.yaml", F1TENTH_SYSTEM.mux.unwrap()).unwrap();
        let [(_, level)] = config.levels().collect::<Vec<_>>()[..] else { panic!("{config:?}") };
        let inputs: Vec<_> = level.subscribers.iter().map(|i| (level.topic(&i.topic), i.priority, i.timeout)).collect();
        assert_eq!(inputs, [("/teleop".to_owned(), 100, 0.2), ("/drive".to_owned(), 10, 0.2)]);
        assert_eq!(level.topic(&level.publisher), "/ackermann_drive");
    }
}
