//! Where on Earth a world lies.

/// The place and direction of the world's origin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Georeference {}
