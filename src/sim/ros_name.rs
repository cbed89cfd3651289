//! Rules of ROS for names, and how free text in world files becomes a part of one.

/// Longest full name of a topic: what DDS leaves beside the prefixes that ROS adds to it.
pub const MAX_TOPIC_LENGTH: usize = 247;

/// The nearest valid part of a topic name: letters, digits and `_`, and no digit in front. Names in world files are
/// free text; `front laser` becomes `front_laser`.
pub fn token(name: &str) -> String {
    let mut token: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if token.is_empty() || token.starts_with(|c: char| c.is_ascii_digit()) {
        token.insert(0, '_');
    }
    // Two underscores in a row are not allowed in ROS names.
    while token.contains("__") {
        token = token.replace("__", "_");
    }
    token
}

/// Rule for a part of a ROS name, for messages.
pub const TOKEN_RULE: &str = "letters, digits and single _, no digit first";

/// Whether a name is a valid part of a topic name in ROS.
pub fn is_token(name: &str) -> bool {
    !name.is_empty() && token(name) == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_a_valid_token() {
        assert_eq!(token("r1"), "r1");
        assert_eq!(token("front laser"), "front_laser");
        assert_eq!(token("2nd--lidar"), "_2nd_lidar");
        assert_eq!(token(""), "_");
    }
}
