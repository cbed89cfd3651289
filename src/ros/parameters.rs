//! The node's parameters as one table, and what each accepts.
//!
//! r2r's own parameter handler has no ranges and no read-only parameters, and takes any value for anything; so the
//! services around this table are in `parameter_services.rs`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use r2r::ParameterValue;

use super::error::RosError;
use crate::runner::{Outbox, Rate, Request};
use crate::time::SimTime;

/// What a parameter is, and what it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Switch {
        /// Value when none is given.
        default: bool,
    },
    /// A number within a closed range.
    Number {
        /// Value when none is given.
        default: f64,
        /// Smallest and largest value.
        range: [f64; 2],
    },
    /// One word of a list.
    Word {
        /// Value when none is given.
        default: &'static str,
        /// The list.
        of: &'static [&'static str],
    },
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declaration {
    /// Name of the parameter.
    pub name: &'static str,
    /// What it does, with its unit.
    pub description: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// True when it can only be set at the start.
    pub read_only: bool,
}

const fn number(name: &'static str, default: f64, range: [f64; 2], description: &'static str) -> Declaration {
    Declaration { name, description, kind: Kind::Number { default, range }, read_only: false }
}

const fn switch(name: &'static str, default: bool, description: &'static str) -> Declaration {
    Declaration { name, description, kind: Kind::Switch { default }, read_only: false }
}

/// Every parameter of the node.
pub const DECLARATIONS: [Declaration; 11] = [
    number("rate", 1.0, [0.0, 1e6], "simulated seconds per wall second; 0: as fast as the processor allows"),
    number("range_noise", -1.0, [-1.0, 100.0], "standard deviation of the lidars' noise [m]; below 0: as in the world"),
    number(
        "cmd_timeout",
        1.0,
        [0.0, 1e6],
        "a vehicle whose last command is older than this [simulated s] stops; 0: commands hold for ever",
    ),
    number("odom_rate", 50.0, [0.1, 1000.0], "odometry, ground truth, joint and wheel states per simulated second"),
    number(
        "clock_rate",
        100.0,
        [1.0, 1000.0],
        "messages on /clock per simulated second; further ones go before data stamped in between",
    ),
    switch("publish_clock", true, "publish /clock; false when something else does, such as a bag that is played"),
    switch("publish_tf", true, "publish the transform from odom to base_footprint"),
    switch(
        "publish_map_to_odom",
        false,
        "publish the true transform from map to odom; leave off where AMCL or SLAM provides it",
    ),
    Declaration {
        name: "cmd_vel_type",
        description: "message type of cmd_vel; auto: the one that its publishers offer",
        kind: Kind::Word { default: "auto", of: &["auto", "twist", "twist_stamped"] },
        read_only: true,
    },
    Declaration {
        name: "force_vehicle_namespace",
        description: "put topics under the vehicle's name even when there is only one vehicle",
        kind: Kind::Switch { default: false },
        read_only: true,
    },
    Declaration {
        name: "use_sim_time",
        description: "accepted and ignored: this node is the source of simulated time",
        kind: Kind::Switch { default: false },
        read_only: false,
    },
];

/// What the publishing side reads of the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Odometry and states per simulated second [Hz].
    pub odom_rate: f64,
    /// Clock messages per simulated second [Hz].
    pub clock_rate: f64,
    /// Whether to publish the clock.
    pub publish_clock: bool,
    /// Whether to publish odom → base_footprint.
    pub publish_tf: bool,
    /// Whether to publish map → odom.
    pub publish_map_to_odom: bool,
}

/// The values of all parameters, in the order of [`DECLARATIONS`].
pub struct Parameters {
    values: Mutex<Vec<ParameterValue>>,
    outbox: Outbox,
}

impl Parameters {
    /// The defaults, with `rate` as the command line has it, and over them what `overrides` (name and value, from
    /// `--params-file` and `-p`) says. Fails on a value that is not accepted.
    pub fn new<'a>(
        rate: Rate,
        outbox: Outbox,
        overrides: impl Iterator<Item = (&'a String, &'a ParameterValue)>,
    ) -> Result<Arc<Parameters>, RosError> {
        let mut values: Vec<ParameterValue> = DECLARATIONS.iter().map(|d| default_value(&d.kind)).collect();
        if let Some(index) = index_of("rate") {
            values[index] = ParameterValue::Double(match rate {
                Rate::Factor(factor) => factor,
                Rate::Max => 0.0,
            });
        }
        for (name, value) in overrides {
            match index_of(name) {
                Some(index) => {
                    values[index] = check(&DECLARATIONS[index], value).map_err(|refusal| {
                        RosError::new(format!("parameter \"{name}\""), refusal.found).accepted(refusal.accepted)
                    })?;
                }
                None => warn_of_unknown(name),
            }
        }
        let parameters = Arc::new(Parameters { values: Mutex::new(values), outbox });
        if parameters.flag("use_sim_time") {
            warn_of_sim_time();
        }
        for (index, declaration) in DECLARATIONS.iter().enumerate() {
            // The runner was started with the rate of the command line, which is this one unless it was overridden.
            parameters.tell(declaration.name, &parameters.lock()[index].clone());
        }
        Ok(parameters)
    }

    /// The value of the parameter with this index in [`DECLARATIONS`].
    pub fn value(&self, index: usize) -> ParameterValue {
        self.lock().get(index).cloned().unwrap_or(ParameterValue::NotSet)
    }

    /// The value of a number; 0 for anything else.
    pub fn number(&self, name: &str) -> f64 {
        match index_of(name).map(|index| self.value(index)) {
            Some(ParameterValue::Double(value)) => value,
            _ => 0.0,
        }
    }

    /// The value of a switch; false for anything else.
    pub fn flag(&self, name: &str) -> bool {
        matches!(index_of(name).map(|index| self.value(index)), Some(ParameterValue::Bool(true)))
    }

    /// The value of a word; empty for anything else.
    pub fn word(&self, name: &str) -> String {
        match index_of(name).map(|index| self.value(index)) {
            Some(ParameterValue::String(value)) => value,
            _ => String::new(),
        }
    }

    /// What the parameter `rate` says.
    pub fn rate(&self) -> Rate {
        rate(self.number("rate"))
    }

    /// What the publishing side reads.
    pub fn settings(&self) -> Settings {
        Settings {
            odom_rate: self.number("odom_rate"),
            clock_rate: self.number("clock_rate"),
            publish_clock: self.flag("publish_clock"),
            publish_tf: self.flag("publish_tf"),
            publish_map_to_odom: self.flag("publish_map_to_odom"),
        }
    }

    /// Whether a running node would take `value` for `name`, and in which form; otherwise the reason why not.
    pub fn would_set(&self, name: &str, value: &ParameterValue) -> Result<(usize, ParameterValue), String> {
        let index = index_of(name).ok_or_else(|| unknown(name))?;
        let declaration = &DECLARATIONS[index];
        let value = check(declaration, value)
            .map_err(|refusal| format!("{name}: {}; accepted: {}", refusal.found, refusal.accepted))?;
        if declaration.read_only && value != self.value(index) {
            return Err(format!("{name}: can only be set at the start of the node"));
        }
        Ok((index, value))
    }

    /// Takes a value that [`would_set`](Parameters::would_set) has let pass. True when it changed something.
    pub fn set(&self, index: usize, value: ParameterValue) -> bool {
        let Some(declaration) = DECLARATIONS.get(index) else { return false };
        if self.value(index) == value {
            return false;
        }
        self.tell(declaration.name, &value);
        if declaration.name == "use_sim_time" && value == ParameterValue::Bool(true) {
            warn_of_sim_time();
        }
        self.lock()[index] = value;
        true
    }

    /// Passes a value on to the simulation when it is the one that needs it.
    fn tell(&self, name: &str, value: &ParameterValue) {
        let ParameterValue::Double(value) = *value else { return };
        let request = match name {
            "rate" => Request::SetRate(rate(value)),
            "cmd_timeout" => Request::SetCommandTimeout((value > 0.0).then(|| SimTime::from_secs(value))),
            "range_noise" => Request::SetRangeNoise((value >= 0.0).then_some(value)),
            _ => return,
        };
        self.outbox.send(request);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ParameterValue>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn rate(value: f64) -> Rate {
    if value > 0.0 { Rate::Factor(value) } else { Rate::Max }
}

/// Place of a parameter in [`DECLARATIONS`].
pub fn index_of(name: &str) -> Option<usize> {
    DECLARATIONS.iter().position(|declaration| declaration.name == name)
}

fn default_value(kind: &Kind) -> ParameterValue {
    match *kind {
        Kind::Switch { default } => ParameterValue::Bool(default),
        Kind::Number { default, .. } => ParameterValue::Double(default),
        Kind::Word { default, .. } => ParameterValue::String(default.to_owned()),
    }
}

/// Why a value is refused.
#[derive(Debug, PartialEq)]
struct Refusal {
    found: String,
    accepted: String,
}

/// The value in the parameter's own type (whole numbers pass for numbers), or why it is refused.
fn check(declaration: &Declaration, value: &ParameterValue) -> Result<ParameterValue, Refusal> {
    let value = match (declaration.kind, value) {
        (Kind::Number { .. }, ParameterValue::Integer(whole)) => ParameterValue::Double(*whole as f64),
        _ => value.clone(),
    };
    let accepted = match declaration.kind {
        Kind::Switch { .. } => "true, false".to_owned(),
        Kind::Number { range: [from, to], .. } => format!("a number from {from} to {to}"),
        Kind::Word { of, .. } => of.join(", "),
    };
    let fits = match (declaration.kind, &value) {
        (Kind::Switch { .. }, ParameterValue::Bool(_)) => true,
        (Kind::Number { range: [from, to], .. }, ParameterValue::Double(number)) => (from..=to).contains(number),
        (Kind::Word { of, .. }, ParameterValue::String(word)) => of.contains(&word.as_str()),
        _ => false,
    };
    if fits { Ok(value) } else { Err(Refusal { found: format!("found {}", show(&value)), accepted }) }
}

fn show(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Bool(value) => value.to_string(),
        ParameterValue::Integer(value) => value.to_string(),
        ParameterValue::Double(value) => value.to_string(),
        ParameterValue::String(value) => format!("\"{value}\""),
        other => format!("a value of type {}", other.type_name()),
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = DECLARATIONS.iter().map(|declaration| declaration.name).collect();
    format!("{name}: unknown parameter; accepted: {}", names.join(", "))
}

fn warn_of_unknown(name: &str) {
    let nearest = DECLARATIONS
        .iter()
        .map(|declaration| (strsim::damerau_levenshtein(name, declaration.name), declaration.name))
        .min()
        .filter(|(distance, _)| *distance <= 2);
    // Files of parameters are shared between nodes, so that a foreign name alone is nothing to speak of.
    match nearest {
        Some((_, meant)) => tracing::warn!("parameter \"{name}\": unknown\n  hint: did you mean \"{meant}\"?"),
        None => tracing::debug!("parameter \"{name}\": unknown, ignored"),
    }
}

fn warn_of_sim_time() {
    tracing::warn!("parameter \"use_sim_time\": ignored, because this node is the source of simulated time");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::mailbox;

    fn start(overrides: &[(&str, ParameterValue)]) -> Result<Arc<Parameters>, RosError> {
        let owned: Vec<(String, ParameterValue)> =
            overrides.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Parameters::new(Rate::Factor(1.0), mailbox().0, owned.iter().map(|(name, value)| (name, value)))
    }

    #[test]
    fn every_default_is_accepted() {
        for declaration in &DECLARATIONS {
            let default = default_value(&declaration.kind);
            assert_eq!(check(declaration, &default), Ok(default), "{}", declaration.name);
            assert!(!declaration.description.is_empty());
        }
    }

    #[test]
    fn a_bad_value_at_the_start_is_named_with_what_is_accepted() {
        let error = start(&[("odom_rate", ParameterValue::Double(-5.0))]).err().unwrap();
        assert_eq!(error.to_string(), "parameter \"odom_rate\": found -5\n  accepted: a number from 0.1 to 1000");
        let error = start(&[("cmd_vel_type", ParameterValue::String("twits".into()))]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "parameter \"cmd_vel_type\": found \"twits\"\n  accepted: auto, twist, twist_stamped"
        );
        let error = start(&[("rate", ParameterValue::Double(f64::NAN))]).err().unwrap();
        assert_eq!(error.found, "found NaN");
        let error = start(&[("publish_tf", ParameterValue::StringArray(Vec::new()))]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "parameter \"publish_tf\": found a value of type string array\n  accepted: true, false"
        );
    }

    #[test]
    fn whole_numbers_pass_for_numbers() {
        let parameters = start(&[("rate", ParameterValue::Integer(0))]).unwrap();
        assert_eq!(parameters.rate(), Rate::Max);
        assert_eq!(start(&[("rate", ParameterValue::Integer(4))]).unwrap().rate(), Rate::Factor(4.0));
    }

    #[test]
    fn parameters_of_other_nodes_are_no_error() {
        assert!(start(&[("max_vel_x", ParameterValue::Double(1.0))]).is_ok());
    }

    #[test]
    fn a_running_node_refuses_with_a_reason() {
        let parameters = start(&[]).unwrap();
        let refused = |name: &str, value| parameters.would_set(name, &value).unwrap_err();
        assert_eq!(
            refused("clock_rate", ParameterValue::Double(0.0)),
            "clock_rate: found 0; accepted: a number from 1 to 1000"
        );
        assert_eq!(
            refused("cmd_vel_type", ParameterValue::String("twist".into())),
            "cmd_vel_type: can only be set at the start of the node"
        );
        assert!(
            refused("odom_rat", ParameterValue::Double(1.0))
                .starts_with("odom_rat: unknown parameter; accepted: rate,")
        );
    }

    #[test]
    fn a_value_that_is_set_is_read_back() {
        let parameters = start(&[]).unwrap();
        let (index, value) = parameters.would_set("odom_rate", &ParameterValue::Integer(20)).unwrap();
        assert!(parameters.set(index, value.clone()));
        assert!(!parameters.set(index, value));
        assert_eq!(parameters.settings().odom_rate, 20.0);
    }
}
