//! The error of an identification.

use skidpad_files::diagnostic::Diagnostics;

/// Why a car cannot be identified, or a class not be validated: the config is invalid, a recording or the class cannot be used, or a result
/// cannot be written.
pub type IdentifyError = Diagnostics;
