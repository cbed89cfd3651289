//! Parameters given at the start: `--params-file FILE` and `-p [NODE:]NAME:=VALUE`, in their order; the last value wins.
//!
//! The client library reads them too and refuses invalid YAML, but it does not support nodes in nested namespaces and most wildcards.
//! Nodes are matched as in rclcpp: `*` matches one part of the full name and `**` any number of parts; a name of one part without a
//! slash matches the node in any namespace.
//!
//! ```yaml
//! /**:                       every node
//!   ros__parameters: {use_sim_time: true}
//! /robot1/*:                 every node in /robot1
//!   ros__parameters: {…}
//! robot1: {skidpad: {ros__parameters: {r1: {controller: {kp: 3.0}}}}}
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use r2r::ParameterValue;
use serde_json::{Map, Value};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

use super::table::Named;
use crate::error::RosError;

/// Longest file of parameters [bytes].
const MAX_BYTES: u64 = 16 << 20;
/// Key of the parameters of a node.
const PARAMETERS: &str = "ros__parameters";

/// What was given to a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The values, sorted by name.
    pub values: Vec<Named>,
    /// The names that only sections with wildcards hold, which are for other nodes too.
    pub shared: BTreeSet<String>,
}

/// The values given to the node with the full name `node`. Fails on a file that cannot be read.
pub fn given(args: &[String], node: &str) -> Result<Given, RosError> {
    let mut given = Given::default();
    let mut values = BTreeMap::new();
    let mut own_names = BTreeSet::new();
    let mut inside = false;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--ros-args" => inside = true,
            "--" => inside = false,
            "--params-file" if inside => {
                if let Some(path) = args.next() {
                    let text = input_file::read_text(Path::new(path), MAX_BYTES)
                        .map_err(|error| FileError::read(format!("--params-file {path}"), error))?;
                    let of_file = of_file(&text, node).map_err(|problem| {
                        RosError::new(format!("--params-file {path}"), problem).accepted("nodes with ros__parameters")
                    })?;
                    for (is_shared, (name, value)) in of_file {
                        let names = if is_shared { &mut given.shared } else { &mut own_names };
                        names.insert(name.clone());
                        values.insert(name, value);
                    }
                }
            }
            "-p" | "--param" if inside => {
                if let Some((name, value)) = args.next().and_then(|rule| of_rule(rule, node)) {
                    own_names.insert(name.clone());
                    values.insert(name, value);
                }
            }
            _ => {}
        }
    }
    given.shared.retain(|name| !own_names.contains(name));
    given.values = values.into_iter().collect();
    Ok(given)
}

/// The parameter of `[NODE:]NAME:=VALUE`, if it is for this node.
fn of_rule(rule: &str, node: &str) -> Option<Named> {
    let (left, text) = rule.split_once(":=")?;
    let name = match left.split_once(':') {
        Some((only_for, name)) => matches(only_for, node).then_some(name)?,
        None => left,
    };
    // A value that is not YAML is a string.
    let value = serde_saphyr::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    Some((name.to_owned(), value_of(&value)))
}

/// The parameters of a file for this node, each with whether its section is for other nodes too.
fn of_file(text: &str, node: &str) -> Result<Vec<(bool, Named)>, String> {
    let root: Value = serde_saphyr::from_str(text).map_err(|error| format!("is not YAML: {error}"))?;
    let mut parameters = Vec::new();
    if let Value::Object(nodes) = &root {
        collect(nodes, "", node, &mut parameters);
    }
    Ok(parameters)
}

/// Descends through namespaces to the parameters of nodes that match.
fn collect(nodes: &Map<String, Value>, path: &str, node: &str, parameters: &mut Vec<(bool, Named)>) {
    for (key, value) in nodes {
        let Value::Object(inside) = value else { continue };
        if key == PARAMETERS {
            if matches(path, node) {
                let mut inside_it = Vec::new();
                flatten(inside, "", &mut inside_it);
                parameters.extend(inside_it.into_iter().map(|named| (path.contains('*'), named)));
            }
        } else {
            let path = if path.is_empty() { key.clone() } else { format!("{path}/{}", key.trim_start_matches('/')) };
            collect(inside, &path, node, parameters);
        }
    }
}

fn flatten(parameters: &Map<String, Value>, prefix: &str, flattened: &mut Vec<Named>) {
    for (key, value) in parameters {
        let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Object(inside) => flatten(inside, &name, flattened),
            value => flattened.push((name, value_of(value))),
        }
    }
}

/// Whether a pattern with wildcards matches the full name of a node.
fn matches(pattern: &str, node: &str) -> bool {
    let parts = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (pattern_parts, node_parts) = (parts(pattern), parts(node));
    if let ([node_name], false) = (pattern_parts.as_slice(), pattern.starts_with('/'))
        && node_parts.last() == Some(node_name)
    {
        return true;
    }
    fits(&pattern_parts, &node_parts)
}

fn fits(pattern: &[String], node: &[String]) -> bool {
    match (pattern.split_first(), node.split_first()) {
        (None, None) => true,
        (Some((first, later_parts)), _) if first == "**" => {
            fits(later_parts, node) || node.split_first().is_some_and(|(_, left)| fits(pattern, left))
        }
        (Some((first, later_parts)), Some((part, left))) => (first == "*" || first == part) && fits(later_parts, left),
        _ => false,
    }
}

/// The value as one of the types of ROS parameters.
fn value_of(value: &Value) -> ParameterValue {
    match value {
        Value::Bool(switch) => ParameterValue::Bool(*switch),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => ParameterValue::Integer(whole),
            None => ParameterValue::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => scalar(text),
        Value::Array(items) => array(items),
        Value::Null | Value::Object(_) => ParameterValue::NotSet,
    }
}

/// A string, or one of the numbers of YAML that JSON lacks.
fn scalar(text: &str) -> ParameterValue {
    match text {
        ".nan" | ".NaN" | ".NAN" => ParameterValue::Double(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" => ParameterValue::Double(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => ParameterValue::Double(f64::NEG_INFINITY),
        text => ParameterValue::String(text.to_owned()),
    }
}

/// A list with the type of its first item. No parameter of these nodes is a list, but errors name its type.
fn array(items: &[Value]) -> ParameterValue {
    match items.first() {
        Some(Value::Bool(_)) => ParameterValue::BoolArray(items.iter().filter_map(Value::as_bool).collect()),
        Some(Value::Number(first)) if first.is_i64() => {
            ParameterValue::IntegerArray(items.iter().filter_map(Value::as_i64).collect())
        }
        Some(Value::Number(_)) => ParameterValue::DoubleArray(items.iter().filter_map(Value::as_f64).collect()),
        _ => ParameterValue::StringArray(items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_matched_as_in_rclcpp() {
        for (pattern, node, yes) in [
            ("/**", "/a/skidpad", true),
            ("/**", "/skidpad", true),
            ("**", "/skidpad", true),
            ("/*", "/skidpad", true),
            ("/*", "/a/skidpad", false),
            ("/a/*", "/a/skidpad", true),
            ("/a/**", "/a/b/skidpad", true),
            ("/**/skidpad", "/a/b/skidpad", true),
            ("/**/skidpad", "/skidpad", true),
            ("/*/skidpad", "/a/skidpad", true),
            ("/a/skidpad", "/a/skidpad", true),
            ("a/skidpad", "/a/skidpad", true),
            ("skidpad", "/a/skidpad", true),
            ("/skidpad", "/a/skidpad", false),
            ("/b/*", "/a/skidpad", false),
            ("other", "/skidpad", false),
            ("", "/skidpad", false),
        ] {
            assert_eq!(matches(pattern, node), yes, "{pattern} {node}");
        }
    }

    #[test]
    fn files_nest_namespaces_and_names_and_the_last_value_wins() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "/**:\n  ros__parameters:\n    rate: 2\n    qos_overrides:\n      /scan:\n        publisher: {depth: 3}\n\
                    a:\n  skidpad:\n    ros__parameters: {rate: 4.5, preset: \"7\", publish_tf: false}\n\
                    /b/**:\n  ros__parameters: {rate: 9.0}\n";
        std::fs::write(file.path(), text).unwrap();
        let path = file.path().display().to_string();
        let args = |arguments: &[&str]| -> Vec<String> {
            ["x", "-p", "no:=1", "--ros-args", "--params-file", &path]
                .iter()
                .chain(arguments)
                .map(|a| (*a).to_owned())
                .collect()
        };
        let value = |args: &[String], name: &str| {
            given(args, "/a/skidpad")
                .unwrap()
                .values
                .into_iter()
                .find(|(actual, _)| actual == name)
                .map(|(_, value)| value)
        };
        let plain = args(&[]);
        assert_eq!(value(&plain, "rate"), Some(ParameterValue::Double(4.5)));
        assert_eq!(value(&plain, "qos_overrides./scan.publisher.depth"), Some(ParameterValue::Integer(3)));
        assert_eq!(value(&plain, "preset"), Some(ParameterValue::String("7".into())));
        assert_eq!(value(&plain, "publish_tf"), Some(ParameterValue::Bool(false)));
        assert_eq!(value(&plain, "no"), None);
        let shared = |args: &[String]| given(args, "/a/skidpad").unwrap().shared;
        assert_eq!(shared(&plain), BTreeSet::from(["qos_overrides./scan.publisher.depth".to_owned()]));
        assert!(shared(&args(&["-p", "qos_overrides./scan.publisher.depth:=3"])).is_empty());
        let over =
            args(&["-p", "rate:=1", "-p", "other:rate:=8", "-p", "skidpad:preset:=two words", "--", "-p", "rate:=3"]);
        assert_eq!(value(&over, "rate"), Some(ParameterValue::Integer(1)));
        assert_eq!(value(&over, "preset"), Some(ParameterValue::String("two words".into())));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let args = ["--ros-args", "--params-file", "/nowhere.yaml"].map(str::to_owned);
        let error = given(&args, "/skidpad").unwrap_err().to_string();
        assert!(error.starts_with("--params-file /nowhere.yaml: cannot be read: "), "{error}");
    }

    #[test]
    fn numbers_are_parsed_as_in_yaml() {
        let value = |text: &str| of_rule(&format!("x:={text}"), "/n").unwrap().1;
        assert_eq!(value("-3"), ParameterValue::Integer(-3));
        assert_eq!(value("1e3"), ParameterValue::Double(1000.0));
        assert_eq!(value(".inf"), ParameterValue::Double(f64::INFINITY));
        assert!(matches!(value(".nan"), ParameterValue::Double(number) if number.is_nan()));
        assert_eq!(value("[1, 2]"), ParameterValue::IntegerArray(vec![1, 2]));
        assert_eq!(value("auto"), ParameterValue::String("auto".into()));
        assert_eq!(value("true"), ParameterValue::Bool(true));
    }
}
