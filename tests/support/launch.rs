//! Launch files as texts: which arguments they declare.

/// Names of the arguments that a launch file declares.
pub fn arguments(text: &str) -> Vec<&str> {
    let declared = text.split("DeclareLaunchArgument(").skip(1).filter_map(|part| part.trim_start().strip_prefix('"'));
    // Or rows of a table: name, default, description.
    let rows =
        text.lines().filter_map(|line| line.strip_prefix("    (\"")).filter(|row| row.matches(", \"").count() > 1);
    declared.chain(rows).filter_map(|part| part.split('"').next()).collect()
}
