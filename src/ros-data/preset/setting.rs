//! Parameters of the systems that presets replace, under their original names, and their effect here.

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its original name.
    pub name: &'static str,
    /// Its original default, which also determines its type.
    pub default: Value,
    /// Its effect.
    pub effect: Effect,
    /// Distributions of ROS in which it has another default.
    pub other_defaults: &'static [(&'static str, Value)],
}

impl Setting {
    pub(super) const fn new(name: &'static str, default: Value, effect: Effect) -> Setting {
        Setting { name, default, effect, other_defaults: &[] }
    }

    /// The same with other defaults in these distributions.
    pub(super) const fn but(self, other_defaults: &'static [(&'static str, Value)]) -> Setting {
        Setting { other_defaults, ..self }
    }

    /// Its original default in this distribution.
    pub fn default_in(&self, distribution: &str) -> Value {
        self.other_defaults.iter().find(|(other, _)| *other == distribution).map_or(self.default, |(_, value)| *value)
    }
}

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Switch(bool),
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// A text.
    Text(&'static str),
}

/// Effect of such a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It is the node's parameter of this name.
    Is(&'static str),
    /// It is the opposite of the node's switch of this name.
    Not(&'static str),
    /// It is a period, the node's parameter of this name a rate: `period·rate` is the number.
    Period(&'static str, f64),
    /// The node's parameter of this name is the first text if it is true, otherwise the second.
    Choice(&'static str, [&'static str; 2]),
    /// It is one of the first words, the node's parameter of this name the second one at the same place.
    Word(&'static str, [&'static [&'static str]; 2]),
    /// It is the queue depth of the topics of states and sensors.
    DataDepth,
    /// It is the variable of this name of the world file.
    Variable(&'static str),
    /// It is a map_server file, with or without `.yaml`, and the variable of this name of the world file.
    MapFile(&'static str),
    /// It is a period, and its reciprocal the variable of this name of the world file [Hz].
    VariableRate(&'static str),
    /// An effect of its own, described by this text.
    Here(&'static str),
    /// Accepted without effect, for this reason.
    Nothing(&'static str),
}
