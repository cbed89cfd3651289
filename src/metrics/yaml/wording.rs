//! What the reader of YAML refuses by itself, in the words of all other messages.

use serde_saphyr::Error;
use skidpad_files::diagnostic::Diagnostic;

/// Parts of the parser's texts, what each means, and what is accepted there.
const SYNTAX: &[(&str, &str, &str)] = &[
    ("quote", "a quote is not closed", "the same quote before and after a text"),
    ("tab", "found a tab", "blanks for indentation"),
    ("anchor", "an alias has no anchor", "an alias of an anchor above"),
    ("bracket", "a bracket does not fit", "[ and ] or { and }, in pairs, with commas between items"),
    ("flow", "a bracket does not fit", "[ and ] or { and }, in pairs, with commas between items"),
    ("indent", "the indentation does not fit", "the indentation of the lines beside it"),
    ("block", "the indentation does not fit", "the indentation of the lines beside it"),
    ("key", "found a line without a key", "KEY: VALUE"),
    ("':'", "a colon does not fit", "KEY: VALUE, with quotes around a text that has colons"),
];

/// The message of an error that no reader of a config has made, where `value` is the text at its place; none: a reader has made it.
pub(super) fn of(error: &Error, value: &str) -> Option<Diagnostic> {
    let described_value = || match value.chars().next() {
        None => Diagnostic::of("has no value"),
        Some('{') => Diagnostic::of("found keys with values"),
        Some('[' | '-') => Diagnostic::of("found a list"),
        Some(_) => Diagnostic::of(format!("found \"{value}\"")),
    };
    Some(match error {
        Error::Message { .. } | Error::SerdeVariantId { .. } => return None,
        Error::DuplicateMappingKey { key: Some(key), .. } => Diagnostic::of(format!("key \"{key}\" appears twice")),
        Error::DuplicateMappingKey { key: None, .. } => Diagnostic::of("a key appears twice"),
        Error::Unexpected { expected, .. } => described_value().accepted(kind(expected)),
        Error::NullIntoString { .. } => Diagnostic::of("has no value").accepted("a text"),
        Error::InvalidBooleanStrict { .. } => described_value().accepted_all(["true", "false"]),
        Error::SerdeInvalidLength { len, expected, .. } => {
            Diagnostic::of(format!("found {len} items")).accepted(expected.clone())
        }
        Error::UnexpectedValueForUnit { .. } | Error::UnexpectedValueForUnitEnumVariant { .. } => {
            described_value().accepted("a name alone")
        }
        Error::ExpectedStringKeyForExternallyTaggedEnum { .. }
        | Error::ExternallyTaggedEnumExpectedScalarOrMapping { .. } => {
            described_value().accepted("a name, or keys with values")
        }
        Error::Eof { .. } => Diagnostic::of("the text ends too early").accepted("KEY: VALUE"),
        Error::MultipleDocuments { .. } => Diagnostic::of("a second document begins").accepted("one, without ---"),
        Error::UnknownAnchor { .. } => syntax("anchor"),
        Error::AliasError { error, .. } => return of(error, value),
        Error::ExternalMessage { msg, .. } => syntax(msg),
        Error::Budget { .. } | Error::AliasReplayLimitExceeded { .. } | Error::AliasExpansionLimitExceeded { .. } => {
            Diagnostic::of("the text is too large, or too deeply nested")
        }
        _ => Diagnostic::of("is not YAML").accepted("KEY: VALUE"),
    })
}

/// What the parser says of a text that is not YAML.
fn syntax(text: &str) -> Diagnostic {
    let known = SYNTAX.iter().find(|(part, ..)| text.contains(part));
    let (_, found, accepted) = known.unwrap_or(&("", "is not YAML", "KEY: VALUE"));
    Diagnostic::of(*found).accepted(*accepted)
}

/// What is expected, by the reader's name for it.
fn kind(expected: &str) -> &'static str {
    match expected {
        "mapping start" | "empty mapping start" => "keys with values",
        "sequence start" => "a list",
        "mapping end" | "empty mapping end" => "no further key",
        _ => "a single value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_parser_says_is_told_in_words_of_our_own() {
        let message = |text: &str| syntax(text).first_line();
        assert_eq!(message("unclosed bracket '['"), "a bracket does not fit");
        assert_eq!(message("tab cannot be used as indentation"), "found a tab");
        assert_eq!(message("invalid indentation"), "the indentation does not fit");
        assert_eq!(message("simple key expected ':'"), "found a line without a key");
        assert_eq!(message("illegal placement of ':' indicator"), "a colon does not fit");
        assert_eq!(message("while parsing node, found unknown anchor"), "an alias has no anchor");
        assert_eq!(message("something new"), "is not YAML");
    }
}
