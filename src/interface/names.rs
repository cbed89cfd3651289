//! Names in world files are free text; ROS's are not.

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

/// The relative names of the topics of the map with this index, and of its metadata.
pub fn map_topics(index: usize) -> [String; 2] {
    let suffix = if index == 0 { String::new() } else { format!("_{}", index + 1) };
    [format!("map{suffix}"), format!("map{suffix}_metadata")]
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

    #[test]
    fn maps_are_numbered_from_the_second_on() {
        assert_eq!(map_topics(0), ["map", "map_metadata"]);
        assert_eq!(map_topics(1), ["map_2", "map_2_metadata"]);
    }
}
