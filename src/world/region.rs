//! Regions with properties of their own.

/// A box in the world with a property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Unique name.
    pub name: String,
}
