//! Values of a run for the programs beside it: words of their commands in which `{name}` stands for a value, and environment variables
//! `SKIDPAD_NAME`.

/// Names and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunValues(pub Vec<(&'static str, String)>);

impl RunValues {
    /// These words with the values in the places of their names in braces; other braces stay.
    pub fn fill(&self, words: &[String]) -> Vec<String> {
        words.iter().map(|word| self.fill_text(word)).collect()
    }

    /// This text, likewise.
    pub fn fill_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// The environment variables.
    pub fn variables(&self) -> impl Iterator<Item = (String, &String)> {
        self.0.iter().map(|(name, value)| (format!("SKIDPAD_{}", name.to_uppercase()), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled_in_and_others_stay() {
        let reported = RunValues(vec![("odometry", "/odom".to_owned()), ("seed", "3".to_owned())]);
        let words = ["x.py", "odom:={odometry}", "{seed}{seed}", "{gain: 2}"].map(str::to_owned);
        assert_eq!(reported.fill(&words), ["x.py", "odom:=/odom", "33", "{gain: 2}"]);
        let variables: Vec<String> = reported.variables().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(variables, ["SKIDPAD_ODOMETRY=/odom", "SKIDPAD_SEED=3"]);
    }
}
