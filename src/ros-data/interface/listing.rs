//! Lists of topics for people: topics that many vehicles have are one line.

use std::collections::BTreeSet;

/// Stands for the name of each vehicle in a topic that many have.
const ANY_VEHICLE: &str = "<vehicle>";
/// Vehicles whose topics are all listed.
const FEW: usize = 6;

/// Names and types of topics and services, with one line for those that several of many `vehicles` have under their own names.
///
/// `/r1/odom`, `/r2/odom`, … become `/<vehicle>/odom`, at the place of the first; the type is followed by how many
/// vehicles have it if some have not. Up to six vehicles the list stays as it is.
pub fn grouped(entries: Vec<(String, String)>, vehicles: &[&str]) -> Vec<(String, String)> {
    if vehicles.len() <= FEW {
        return entries;
    }
    let names: BTreeSet<&str> = vehicles.iter().copied().collect();
    let of_any_vehicle = |name: &str| {
        let place = name.split('/').position(|part| names.contains(part))?;
        let parts = name.split('/').enumerate().map(|(index, part)| if index == place { ANY_VEHICLE } else { part });
        Some(parts.collect::<Vec<_>>().join("/"))
    };
    // Each line with the topics that it stands for: their first, and their number.
    let mut lines: Vec<(String, String, String, usize)> = Vec::new();
    for (name, kind) in entries {
        let general = of_any_vehicle(&name);
        let known = lines.iter_mut().find(|line| general.as_ref() == Some(&line.0) && line.1 == kind);
        match known {
            Some(line) => line.3 += 1,
            None => lines.push((general.unwrap_or_else(|| name.clone()), kind, name, 1)),
        }
    }
    let shown = |(general, kind, first, count): (String, String, String, usize)| match count {
        1 => (first, kind),
        count if count == vehicles.len() => (general, kind),
        count => (general, format!("{kind}  ({count} of {} vehicles)", vehicles.len())),
    };
    lines.into_iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_of_many_vehicles_are_one_line() {
        let vehicles: Vec<String> = (1..=50).map(|number| format!("r{number}")).collect();
        let vehicles: Vec<&str> = vehicles.iter().map(String::as_str).collect();
        let entry = |name: String, kind: &str| (name, kind.to_owned());
        let mut entries = vec![entry("/clock".into(), "Clock")];
        for vehicle in &vehicles {
            entries.push(entry(format!("/sim/{vehicle}/odom"), "Odometry"));
        }
        entries.extend([entry("/sim/r3/scan".into(), "LaserScan"), entry("/sim/r7/scan".into(), "LaserScan")]);
        entries.push(entry("/sim/r9/image".into(), "Image"));
        let expected = [
            ("/clock", "Clock"),
            ("/sim/<vehicle>/odom", "Odometry"),
            ("/sim/<vehicle>/scan", "LaserScan  (2 of 50 vehicles)"),
            ("/sim/r9/image", "Image"),
        ];
        let actual = grouped(entries.clone(), &vehicles);
        assert_eq!(actual, expected.map(|(name, kind)| (name.to_owned(), kind.to_owned())));
        assert_eq!(grouped(entries.clone(), &vehicles[..FEW]), entries, "few vehicles are listed one by one");
    }
}
