//! Prescribed motion: `<animation type="keyframes">`.

/// A motion through poses at given times, over and over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframes {}
