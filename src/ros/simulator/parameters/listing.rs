//! The parameters of the simulator's node as a table in Markdown, for `skidpad list parameters` and docs/parameters.md.

use skidpad_sim::tracking::TrackerParameters;

use super::DECLARATIONS;
use super::gains::TRACKER;
use crate::node::tracker;
use crate::parameters::table::{Declaration, Kind, accepted};

/// Every parameter that the node always has, and those of the tracker, as a table in Markdown.
pub fn parameter_table() -> String {
    let mut table = String::from("| parameter | default | accepted | when | what it does |\n|---|---|---|---|---|\n");
    let gains = tracker::gains(&TrackerParameters::default());
    let of_tracker = gains.iter().map(|declaration| row(&format!("{TRACKER}.{}", declaration.name), declaration));
    for row in DECLARATIONS.iter().map(|declaration| row(declaration.name, declaration)).chain(of_tracker) {
        table.push_str(&row);
    }
    table
}

fn row(name: &str, declaration: &Declaration) -> String {
    let default =
        match declaration.kind {
            Kind::Switch { default } | Kind::Flag { default } => default.to_string(),
            Kind::Number { default, .. } | Kind::Gapped { default, .. } => default.to_string(),
            Kind::Whole { default, .. } => default.to_string(),
            Kind::Word { default, .. } | Kind::Choice { default, .. } | Kind::Text { default } => {
                if default.is_empty() { "empty".to_owned() } else { format!("`{default}`") }
            }
        };
    let when = if declaration.read_only { "at the start" } else { "any time" };
    // A bar would end the cell, and a name in angle brackets would be a tag.
    let text = declaration.description.replace('|', "\\|").replace('<', "\\<");
    format!("| `{name}` | {default} | {} | {when} | {text} |\n", accepted(&declaration.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_parameters_has_this_table() {
        let page = include_str!("../../../../docs/parameters.md");
        let table = parameter_table();
        assert!(page.contains(&table), "docs/parameters.md: put in what `skidpad list parameters` prints:\n{table}");
    }
}
