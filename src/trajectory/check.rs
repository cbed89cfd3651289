//! What parameters must hold, as one form of error.

/// Fails unless the value is finite and `holds`; `accepted` says what would do.
pub(crate) fn require(name: &str, value: f64, holds: bool, accepted: &str) -> Result<(), String> {
    if holds && value.is_finite() { Ok(()) } else { Err(format!("{name}: found {value}\n  accepted: {accepted}")) }
}

/// Fails unless the value is finite and positive.
pub(crate) fn positive(name: &str, value: f64, unit: &str) -> Result<(), String> {
    require(name, value, value > 0.0, &format!("a number > 0 [{unit}]"))
}

/// Fails unless the value is finite and not negative.
pub(crate) fn not_negative(name: &str, value: f64, unit: &str) -> Result<(), String> {
    require(name, value, value >= 0.0, &format!("a number ≥ 0 [{unit}]"))
}

/// Fails unless the value is finite.
pub(crate) fn finite(name: &str, value: f64, unit: &str) -> Result<(), String> {
    require(name, value, true, &format!("a finite number [{unit}]"))
}

/// The message for a name that none of `names` is.
pub(crate) fn unknown(place: &str, found: &str, names: &[&str]) -> String {
    let owned: Vec<String> = names.iter().map(ToString::to_string).collect();
    let mut text = format!("{place}: found \"{found}\"\n  accepted: {}", names.join(", "));
    if let Some(guess) = crate::xml::nearest(found, &owned) {
        text.push_str(&format!("\n  hint: did you mean \"{guess}\"?"));
    }
    text
}
