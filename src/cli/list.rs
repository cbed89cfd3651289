//! `skidpad list`: what world files can name.

use std::io::Write;

use super::Failure;
use crate::friction::FRICTION_LAWS;
use crate::sensor::SENSORS;
use crate::vehicle::{CONTROLLERS, DRIVES};

/// A table of plug-ins: what it is called and its names with their help.
struct Table {
    title: &'static str,
    entries: Vec<(&'static str, &'static str)>,
}

fn tables() -> Vec<Table> {
    vec![
        Table {
            title: "friction laws: <friction class=\"…\">",
            entries: FRICTION_LAWS.iter().map(|entry| (entry.name, entry.help)).collect(),
        },
        Table {
            title: "dynamics: <dynamics class=\"…\">",
            entries: DRIVES.iter().map(|entry| (entry.name, entry.help)).collect(),
        },
        Table {
            title: "controllers: <controller class=\"…\"> in <dynamics>",
            entries: CONTROLLERS.iter().map(|entry| (entry.name, entry.help)).collect(),
        },
        Table {
            title: "sensors: <sensor class=\"…\">",
            entries: SENSORS.iter().map(|entry| (entry.name, entry.help)).collect(),
        },
    ]
}

/// Prints every table.
pub(super) fn list(out: &mut impl Write) -> Result<(), Failure> {
    print(&tables(), out)
}

fn print(tables: &[Table], out: &mut impl Write) -> Result<(), Failure> {
    let width = tables.iter().flat_map(|table| &table.entries).map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, table) in tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", table.title)?;
        for (name, help) in &table.entries {
            writeln!(out, "  {name:width$}  {help}")?;
        }
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_one_column() {
        let tables = [
            Table { title: "laws", entries: vec![("a", "first"), ("long", "second")] },
            Table { title: "drives", entries: vec![("b", "third")] },
        ];
        let mut out = Vec::new();
        print(&tables, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "laws\n  a     first\n  long  second\n\ndrives\n  b     third\n");
    }
}
