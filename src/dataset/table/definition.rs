//! Definitions of ROS 2 messages in their own text, as MCAP files hold them: the fields of a message, then those of its parts.

use std::collections::BTreeMap;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One byte, 0 or 1.
    Bool,
    /// A signed whole number of this many bytes.
    Signed(usize),
    /// An unsigned whole number of this many bytes.
    Unsigned(usize),
    /// A number of this many bytes.
    Float(usize),
    /// A text in UTF-8.
    Text,
    /// A text in UTF-16.
    WideText,
    /// `builtin_interfaces/Time`: seconds and nanoseconds since an epoch.
    Time,
    /// `builtin_interfaces/Duration`: the same of a length of time.
    Duration,
    /// A message, by its index in the definition.
    Part(usize),
}

/// How many values a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// One.
    One,
    /// Always this many.
    Fixed(usize),
    /// As many as each message says.
    Many,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) count: Count,
}

/// The fields of a message and of its parts; those of the message itself come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) parts: Vec<Vec<Field>>,
}

/// Most elements of an array of fixed length: more is a broken definition.
const MAX_ELEMENTS: usize = 1 << 20;
/// Parts within parts: more is a broken definition.
const DEEPEST: usize = 32;

impl Definition {
    /// Reads a definition of the message `name` (`package/msg/Name`); the error says what is wrong.
    pub(super) fn parse(name: &str, text: &str) -> Result<Definition, String> {
        let mut texts: Vec<(String, &str)> = Vec::new();
        let mut remaining_text = text;
        let mut current = short(name);
        loop {
            let (part, next) = match remaining_text.find("\n===") {
                Some(end) => (&remaining_text[..end], Some(&remaining_text[end + 1..])),
                None => (remaining_text, None),
            };
            texts.push((current, part));
            let Some(next) = next else { break };
            let Some((head, body)) = next.split_once('\n').map(|(_, next)| next.split_once('\n').unwrap_or((next, "")))
            else {
                break;
            };
            let Some(of) = head.trim().strip_prefix("MSG:") else {
                return Err(format!("\"{head}\" is not the name of a message type"));
            };
            (current, remaining_text) = (short(of.trim()), body);
        }
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, (name, _)) in texts.iter().enumerate() {
            numbers.entry(name).or_insert(number);
        }
        let part = |(name, text): &(String, &str)| {
            let package = name.split('/').next().unwrap_or_default();
            text.lines().filter_map(|line| field(line, package, &numbers).transpose()).collect()
        };
        let definition = Definition { parts: texts.iter().map(part).collect::<Result<_, String>>()? };
        if definition.is_deeper_than(0, DEEPEST) {
            return Err("its types contain each other in a cycle".into());
        }
        Ok(definition)
    }

    fn is_deeper_than(&self, part: usize, left: usize) -> bool {
        left == 0
            || self.parts[part].iter().any(|field| match field.kind {
                Kind::Part(inner) => self.is_deeper_than(inner, left - 1),
                _ => false,
            })
    }
}

/// `package/Name` of `package/msg/Name`.
fn short(name: &str) -> String {
    name.replacen("/msg/", "/", 1)
}

/// The field of a line; none for a constant or an empty line.
fn field(line: &str, package: &str, parts: &BTreeMap<&str, usize>) -> Result<Option<Field>, String> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let Some((kind, name_and_value)) = line.split_once(char::is_whitespace) else {
        return if line.is_empty() { Ok(None) } else { Err(format!("\"{line}\" is not a field")) };
    };
    let name_and_value = name_and_value.trim_start();
    let end = name_and_value.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(name_and_value.len());
    if name_and_value[end..].trim_start().starts_with('=') {
        return Ok(None);
    }
    let name = name_and_value[..end].to_owned();
    let (kind, count) = match kind.split_once('[') {
        None => (kind, Count::One),
        Some((kind, size)) => match size.trim_end_matches(']') {
            "" => (kind, Count::Many),
            bound if bound.starts_with("<=") => (kind, Count::Many),
            size => match size.parse() {
                Ok(size) if size <= MAX_ELEMENTS => (kind, Count::Fixed(size)),
                _ => return Err(format!("{name} has {size} elements")),
            },
        },
    };
    // `string<=10` is bounded.
    let kind = kind.split_once("<=").map_or(kind, |(kind, _)| kind);
    let kind = match kind {
        "bool" => Kind::Bool,
        "byte" | "char" | "uint8" => Kind::Unsigned(1),
        "int8" => Kind::Signed(1),
        "int16" => Kind::Signed(2),
        "uint16" => Kind::Unsigned(2),
        "int32" => Kind::Signed(4),
        "uint32" => Kind::Unsigned(4),
        "int64" => Kind::Signed(8),
        "uint64" => Kind::Unsigned(8),
        "float32" => Kind::Float(4),
        "float64" => Kind::Float(8),
        "string" => Kind::Text,
        "wstring" => Kind::WideText,
        other => {
            let full = match other {
                "Header" => "std_msgs/Header".to_owned(),
                other if other.contains('/') => short(other),
                other => format!("{package}/{other}"),
            };
            match full.as_str() {
                "builtin_interfaces/Time" => Kind::Time,
                "builtin_interfaces/Duration" => Kind::Duration,
                full => match parts.get(full) {
                    Some(number) => Kind::Part(*number),
                    None => return Err(format!("{full} is not defined")),
                },
            }
        }
    };
    Ok(Some(Field { name, kind, count }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_arrays_and_parts_are_read() {
        let text = "# A comment\nuint8 FIRST=1\nstring NAME = \"a#b\"\nstd_msgs/Header header # with a stamp\nfloat64[36] covariance\n\
                    int32[<=5] few 3\nstring<=10 name\nOwn own\nOwn[] many\n================\nMSG: std_msgs/Header\n\
                    builtin_interfaces/Time stamp\nstring frame_id\n================\nMSG: my_pkg/Own\nbool yes\n";
        let actual = Definition::parse("my_pkg/msg/Thing", text).unwrap();
        let field = |name: &str, kind, count| Field { name: name.into(), kind, count };
        let expected = [
            field("header", Kind::Part(1), Count::One),
            field("covariance", Kind::Float(8), Count::Fixed(36)),
            field("few", Kind::Signed(4), Count::Many),
            field("name", Kind::Text, Count::One),
            field("own", Kind::Part(2), Count::One),
            field("many", Kind::Part(2), Count::Many),
        ];
        assert_eq!(actual.parts[0], expected);
        assert_eq!(actual.parts[1][0], field("stamp", Kind::Time, Count::One));
        assert_eq!(actual.parts[2], [field("yes", Kind::Bool, Count::One)]);
    }

    #[test]
    fn broken_definitions_are_refused() {
        for (text, expected) in [
            ("Other other\n", "my_pkg/Other is not defined"),
            ("nonsense\n", "\"nonsense\" is not a field"),
            ("int8[99999999] a\n", "a has 99999999 elements"),
            ("Thing again\n", "its types contain each other in a cycle"),
            ("int8 a\n====\nnothing\n", "\"nothing\" is not the name of a message type"),
        ] {
            assert_eq!(Definition::parse("my_pkg/msg/Thing", text), Err(expected.to_owned()), "{text}");
        }
    }
}
