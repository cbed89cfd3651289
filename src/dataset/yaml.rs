//! Texts in YAML files.

/// A string of YAML: as it is if it is a path or a plain word, otherwise in quotes, as JSON has them.
pub(crate) fn string(text: &str) -> String {
    const WORDS: [&str; 7] = ["true", "false", "yes", "no", "on", "off", "null"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-/".contains(c))
        && text.len() > 1
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        for text in ["a: b\n- c", "\"", "# x", "\\", "Yes", "n", "", "/camera/image_raw", "radial-tangential"] {
            assert_eq!(serde_saphyr::from_str::<String>(&string(text)).unwrap(), text);
        }
    }
}
