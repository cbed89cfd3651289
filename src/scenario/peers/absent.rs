//! Whoever is not there that an order is for.

use std::fmt::Write;

/// Who is not there, and who is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// Who is not, such as `no action server /navigate_to_pose`.
    pub missing: String,
    /// What the others are that could have been meant, such as `action servers`.
    pub kind: &'static str,
    /// Their full names, in alphabetical order.
    pub seen: Vec<String>,
}

/// Most names in a message.
const MAX_SEEN: usize = 12;

impl Absent {
    /// In words, after so much time [s].
    pub fn words(&self, after: f64) -> String {
        let mut text = format!("{} within {after:.1} s; {} seen: ", self.missing, self.kind);
        text += &self.seen.iter().take(MAX_SEEN).map(String::as_str).collect::<Vec<_>>().join(", ");
        match self.seen.len() {
            0 => text += "none",
            // A text takes all that is written to it.
            count if count > MAX_SEEN => drop(write!(text, " and {} more", count - MAX_SEEN)),
            _ => {}
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_are_there_are_named() {
        let absent =
            |seen: &[String]| Absent { missing: "no node /a".into(), kind: "nodes", seen: seen.to_vec() }.words(2.04);
        assert_eq!(absent(&[]), "no node /a within 2.0 s; nodes seen: none");
        assert_eq!(absent(&["/b".into(), "/c".into()]), "no node /a within 2.0 s; nodes seen: /b, /c");
        let many: Vec<String> = (0..14).map(|number| number.to_string()).collect();
        assert!(absent(&many).ends_with(": 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"));
    }
}
