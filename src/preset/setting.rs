//! Parameters of the systems that presets stand in for, by their names there, and what they do here.

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name there.
    pub name: &'static str,
    /// Its default there; says what it accepts, too.
    pub default: Value,
    /// What it does.
    pub effect: Effect,
}

impl Setting {
    pub(super) const fn new(name: &'static str, default: Value, effect: Effect) -> Setting {
        Setting { name, default, effect }
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

/// What such a parameter does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It is the node's parameter of this name.
    Is(&'static str),
    /// It is the opposite of the node's switch of this name.
    Not(&'static str),
    /// It is a period, the node's parameter of this name a rate: `period·rate` is the number.
    Period(&'static str, f64),
    /// The node's parameter of this name is the first text if it is true, otherwise the second.
    Word(&'static str, [&'static str; 2]),
    /// It is how many messages the topics of states and sensors keep for readers that fall behind.
    DataDepth,
    /// It is the variable of this name of the world file.
    Variable(&'static str),
    /// It is a map_server file, with or without `.yaml`, and the variable of this name of the world file.
    MapFile(&'static str),
    /// It is a period, and one over it the variable of this name of the world file [Hz].
    VariableRate(&'static str),
    /// What this text says.
    Here(&'static str),
    /// Accepted, without effect, because of this.
    Nothing(&'static str),
}
