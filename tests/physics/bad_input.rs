//! What world files get wrong, and the exact words for it.
use super::common::*;
