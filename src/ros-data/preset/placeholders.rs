//! Placeholders in names: `/{ego}/odom` is `/ego_racecar/odom` for the first vehicle and `/opp_racecar2/odom` for the third, unless
//! parameters say otherwise.

/// A placeholder in braces and its values.
#[derive(Clone, Copy, Debug)]
pub struct Placeholder {
    /// The text in braces.
    pub key: &'static str,
    /// The parameters that change it: of the first vehicle, of the others.
    pub parameter: [&'static str; 2],
    /// Its defaults: of the first vehicle, of the others.
    pub default: [&'static str; 2],
    /// Whether the number of the vehicle, 2, 3 …, is appended from the third vehicle on.
    pub numbered: bool,
    /// One line of help.
    pub help: &'static str,
}

impl Placeholder {
    /// A placeholder with the same value for all vehicles, which the parameter of its name sets.
    pub(super) const fn of_all(key: &'static str, default: &'static str, help: &'static str) -> Placeholder {
        Placeholder { key, parameter: [key; 2], default: [default; 2], numbered: false, help }
    }

    /// The parameters, each once, with their defaults.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let [first, other_vehicles] = self.parameter;
        let defaults = [(first, self.default[0]), (other_vehicles, self.default[1])];
        defaults.into_iter().take(if first == other_vehicles { 1 } else { 2 })
    }
}

/// The placeholders of a preset with their values, for any vehicle.
#[derive(Clone, Debug, Default)]
pub struct PlaceholderValues(Vec<(Placeholder, [String; 2])>);

impl PlaceholderValues {
    /// `placeholders` with the parameters from `given`, or their defaults.
    pub fn new(placeholders: &[Placeholder], given: impl Fn(&str) -> Option<String>) -> PlaceholderValues {
        let values = |placeholder: &Placeholder| {
            [0, 1].map(|i| given(placeholder.parameter[i]).unwrap_or_else(|| placeholder.default[i].to_owned()))
        };
        PlaceholderValues(placeholders.iter().map(|placeholder| (*placeholder, values(placeholder))).collect())
    }

    /// The parameters with their values, from which `new` makes the same.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0
            .iter()
            .flat_map(|(placeholder, values)| placeholder.parameter.into_iter().zip(values.iter().map(String::as_str)))
    }

    /// `name` with the placeholders of the first vehicle, for names that all vehicles share.
    pub fn shared(&self, name: &str) -> String {
        resolve(name, &self.values_of(0))
    }

    /// Their values for the vehicle with this number, from 0.
    pub fn of(&self, vehicle: usize) -> Placeholders {
        Placeholders {
            values: self.values_of(vehicle),
            opponent: self.values_of(opponent(vehicle)),
            is_first: vehicle == 0,
            tells_apart: self.0.iter().any(|(placeholder, _)| placeholder.default[0] != placeholder.default[1]),
        }
    }

    fn values_of(&self, vehicle: usize) -> Vec<(&'static str, String)> {
        let number = if vehicle > 1 { vehicle.to_string() } else { String::new() };
        let value = |(placeholder, [first, other_vehicles]): &(Placeholder, [String; 2])| {
            let value = match vehicle {
                0 => first.clone(),
                _ if placeholder.numbered => format!("{other_vehicles}{number}"),
                _ => other_vehicles.clone(),
            };
            (placeholder.key, value)
        };
        let mut values: Vec<_> = self.0.iter().map(value).collect();
        values.push(("number", number));
        values
    }
}

/// The opponent of the vehicle with this number: the first for all others, the second for the first.
pub fn opponent(vehicle: usize) -> usize {
    usize::from(vehicle == 0)
}

/// The placeholders of one vehicle with their values. `{number}` stands for its number, and for nothing for the first two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placeholders {
    values: Vec<(&'static str, String)>,
    /// Those of its opponent.
    opponent: Vec<(&'static str, String)>,
    /// Whether they differ from vehicle to vehicle.
    tells_apart: bool,
    /// Whether the vehicle is the first.
    pub is_first: bool,
}

impl Placeholders {
    /// Prefix of names without placeholders: in a preset for several vehicles, the value of its first placeholder with a `/`; otherwise empty.
    pub fn own_prefix(&self) -> String {
        match self.values.first() {
            Some((_, value)) if self.tells_apart && !value.is_empty() => format!("{value}/"),
            _ => String::new(),
        }
    }

    /// `name` with its placeholders replaced. Unknown placeholders are kept.
    pub fn resolve(&self, name: &str) -> String {
        resolve(name, &self.values)
    }

    /// `name` with the placeholders of its opponent.
    pub(crate) fn resolve_for_opponent(&self, name: &str) -> String {
        resolve(name, &self.opponent)
    }
}

fn resolve(name: &str, values: &[(&'static str, String)]) -> String {
    let mut resolved = name.to_owned();
    if !resolved.contains('{') {
        return resolved;
    }
    for (key, value) in values {
        resolved = resolved.replace(&format!("{{{key}}}"), value);
    }
    // An empty value must not leave an empty part of a name.
    while resolved.contains("//") {
        resolved = resolved.replace("//", "/");
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vehicles_have_placeholder_values_by_their_order() {
        let car =
            Placeholder { key: "car", parameter: ["ego", "opp"], default: ["ego", "opp"], numbered: true, help: "" };
        let odom = Placeholder { numbered: false, key: "odom", default: ["odom"; 2], ..car };
        let values = PlaceholderValues::new(&[car, odom], |_| None);
        let names: Vec<String> = (0..4).map(|i| values.of(i).resolve("/{car}/{odom}{number}")).collect();
        assert_eq!(names, ["/ego/odom", "/opp/odom", "/opp2/odom2", "/opp3/odom3"]);
        let opponents: Vec<String> = (0..3).map(|i| values.of(i).resolve_for_opponent("{car}")).collect();
        assert_eq!(opponents, ["opp", "ego", "ego"]);
        let given = PlaceholderValues::new(&[car], |parameter| (parameter == "opp").then(|| "rival".to_owned()));
        assert_eq!([0, 1, 2].map(|i| given.of(i).resolve("{car}/base")), ["ego/base", "rival/base", "rival2/base"]);
        let empty = PlaceholderValues::new(&[car], |_| Some(String::new()));
        assert_eq!(empty.of(0).resolve("/{car}/odom"), "/odom");
        assert_eq!(empty.of(0).resolve("/{van}/odom"), "/{van}/odom");
    }
}
