//! The table of hashes: a line for each world and output, in the order of their names, so that what changes in one world changes its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEAD: &str = "world\toutput\thash\n";

/// Hashes by world and output.
#[derive(Debug, Default, PartialEq)]
pub struct Table(BTreeMap<(String, String), String>);

impl Table {
    /// Adds the outputs of a world.
    pub fn add(&mut self, world: &str, outputs: BTreeMap<String, String>) {
        self.0.extend(outputs.into_iter().map(|(output, hash)| ((world.to_owned(), output), hash)));
    }

    /// Whether a world has this output.
    pub fn has(&self, world: &str, output: &str) -> bool {
        self.0.contains_key(&(world.to_owned(), output.to_owned()))
    }

    /// Number of worlds with this output.
    pub fn worlds_with(&self, output: &str) -> usize {
        self.0.keys().filter(|(_, listed)| listed == output).count()
    }

    /// Reads a file; one that does not exist is empty.
    pub fn read(path: &Path) -> Table {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Table::default(),
            Err(error) => panic!("{}: {error}", path.display()),
        };
        Table::parse(&text).unwrap_or_else(|line| panic!("{}: not a line of the ledger: {line}", path.display()))
    }

    /// Reads a text, or gives the line that it cannot read.
    fn parse(text: &str) -> Result<Table, &str> {
        let lines = text.strip_prefix(HEAD).ok_or("the first one")?.lines();
        let row = |line| {
            let mut cells = str::split(line, '\t').map(str::to_owned);
            match (cells.next(), cells.next(), cells.next(), cells.next()) {
                (Some(world), Some(output), Some(hash), None) => Ok(((world, output), hash)),
                _ => Err(line),
            }
        };
        Ok(Table(lines.map(row).collect::<Result<_, _>>()?))
    }

    fn text(&self) -> String {
        self.0
            .iter()
            .fold(HEAD.to_owned(), |text, ((world, output), hash)| text + &format!("{world}\t{output}\t{hash}\n"))
    }

    /// Writes a file.
    pub fn write(&self, path: &Path) {
        fs::write(path, self.text()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// What differs from the accepted hashes; none if nothing does.
    pub fn differences(&self, accepted: &Table) -> Option<String> {
        let keys: BTreeSet<_> = self.0.keys().chain(accepted.0.keys()).collect();
        let mut differences = String::new();
        for key in keys {
            let hash = |table: &Table| table.0.get(key).map_or_else(|| "none".to_owned(), String::clone);
            let (actual, accepted) = (hash(self), hash(accepted));
            if actual != accepted {
                let (world, output) = key;
                let _ = write!(differences, "{world}: {output}\n  found: {actual}\n  accepted: {accepted}\n");
            }
        }
        let differences = differences.trim_end();
        (!differences.is_empty()).then(|| differences.to_owned())
    }
}

#[test]
fn differences_name_world_output_and_both_hashes() {
    let table = |rows: &str| Table::parse(&format!("{HEAD}{rows}")).unwrap();
    let accepted = table("a\tframes\t01\na\tscans\t02\nb\tframes\t03\n");
    assert_eq!(Table::parse(&accepted.text()).as_ref(), Ok(&accepted));
    assert_eq!(accepted.differences(&accepted), None);
    let actual = table("a\tframes\t01\na\tscans\t12\nc\tframes\t03\n");
    let reported = "a: scans\n  found: 12\n  accepted: 02\nb: frames\n  found: none\n  accepted: 03\nc: frames\n  found: 03\n  accepted: none";
    assert_eq!(actual.differences(&accepted).as_deref(), Some(reported));
    assert_eq!(Table::parse("world\toutput\thash\na\tframes\n"), Err("a\tframes"));
}
