//! Definitions of the recorded messages in the form of MCAP: each with the definitions of its parts.

use super::{
    LaserScan, Message, Quaternion, Vector3, autoware, cloud, diagnostic, image, marker, sensor, skidpad, standard,
    vehicle_state, vesc, vision,
};

/// A message type with the function that returns its fields, one per line.
pub(super) type Definition = (&'static str, fn() -> String);

/// Types that are in no other table.
const OTHERS: &[Definition] = &[
    ("geometry_msgs/msg/Point", Vector3::definition),
    (Quaternion::TYPE, Quaternion::definition),
    (LaserScan::TYPE, LaserScan::definition),
];

fn definitions() -> impl Iterator<Item = &'static Definition> {
    let tables = [
        OTHERS,
        standard::DEFINITIONS,
        cloud::DEFINITIONS,
        skidpad::DEFINITIONS,
        vehicle_state::DEFINITIONS,
        vesc::DEFINITIONS,
        autoware::DEFINITIONS,
        image::DEFINITIONS,
        marker::DEFINITIONS,
        diagnostic::DEFINITIONS,
        vision::DEFINITIONS,
    ];
    tables.into_iter().chain(sensor::DEFINITIONS.iter().copied()).flatten()
}

fn fields(name: &str) -> Option<String> {
    definitions().find(|(other, _)| *other == name).map(|(_, fields)| fields())
}

/// The types of the fields, in their order, as in the table.
fn parts(fields: &str) -> Vec<&'static str> {
    let part = |line: &str| {
        let (package, kind) = line.split(' ').next()?.split('[').next()?.split_once('/')?;
        let named = |(name, _): &&Definition| name.split_once("/msg/") == Some((package, kind));
        definitions().find(named).map(|(name, _)| *name)
    };
    fields.lines().filter_map(part).collect()
}

/// The definition of a message (`package/msg/Name`) followed by those of its parts, each once; empty for an unknown type.
pub fn definition(name: &str) -> String {
    let Some(own_fields) = fields(name) else { return String::new() };
    let mut nested = parts(&own_fields);
    let mut text = own_fields;
    let mut index = 0;
    while let Some(part) = nested.get(index).copied() {
        if nested[..index].contains(&part) {
            nested.remove(index);
            continue;
        }
        let fields = fields(part).unwrap_or_default();
        text.push_str(&format!("{}\nMSG: {}\n{fields}", "=".repeat(80), part.replacen("/msg/", "/", 1)));
        nested.extend(parts(&fields));
        index += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_part_is_in_the_table() {
        for (name, fields) in definitions() {
            let fields = fields();
            let wanted = fields.lines().filter(|line| line.split(' ').next().unwrap().contains('/')).count();
            assert_eq!(parts(&fields).len(), wanted, "{name}");
        }
    }

    #[test]
    fn a_definition_contains_each_of_its_parts_once() {
        let text = definition("nav_msgs/msg/Odometry");
        assert!(text.starts_with("std_msgs/Header header\nstring child_frame_id\n"));
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("MSG: ")).collect();
        assert_eq!(
            names,
            [
                "std_msgs/Header",
                "geometry_msgs/PoseWithCovariance",
                "geometry_msgs/TwistWithCovariance",
                "builtin_interfaces/Time",
                "geometry_msgs/Pose",
                "geometry_msgs/Twist",
                "geometry_msgs/Point",
                "geometry_msgs/Quaternion",
                "geometry_msgs/Vector3",
            ]
        );
        assert_eq!(definition("std_msgs/msg/Float64"), "float64 data\n");
        assert_eq!(definition("std_msgs/msg/Unheard"), "");
    }

    #[test]
    fn own_messages_are_as_in_their_files() {
        let mut recorded = Vec::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../msg");
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let fields: String = fs::read_to_string(&path)
                .unwrap()
                .lines()
                .map(|line| line.split('#').next().unwrap().trim())
                .filter(|line| !line.is_empty())
                .map(|line| format!("{}\n", line.split_whitespace().collect::<Vec<_>>().join(" ")))
                .collect();
            let Some(known) = super::fields(&format!("skidpad/msg/{kind}")) else { continue };
            // Own parts may be named without their package in the file.
            assert_eq!(known.replace("skidpad/", ""), fields, "{kind}");
            recorded.push(kind);
        }
        recorded.sort();
        assert_eq!(
            recorded,
            [
                "Bodies",
                "Body",
                "Contact",
                "Contacts",
                "Pedals",
                "Statistics",
                "VehicleState",
                "WheelState",
                "WheelStates"
            ]
        );
    }
}
