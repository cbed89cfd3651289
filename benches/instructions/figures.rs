//! The committed figures, and what differs from them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use super::callgrind::Count;

/// The part above its figure from which a count is an error.
const TOLERANCE: f64 = 0.02;
/// The same of a step, which everybody pays for.
const TOLERANCE_OF_STEPS: f64 = 0.01;
const HEAD: &str = "# Instructions of each case. SKIDPAD_UPDATE=1 make counts writes this file. Compiler: ";

/// The committed figures.
pub(super) struct Figures {
    /// The compiler that they are of.
    pub compiler: String,
    by_name: BTreeMap<String, f64>,
}

/// The result of a comparison.
pub(super) struct Verdict {
    /// All cases, one a line.
    pub table: String,
    /// Every count that is too high, every case without a figure, and every figure without a case.
    pub failures: Vec<String>,
}

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "figures.tsv"].iter().collect()
}

/// Writes these counts as the figures.
pub(super) fn write(compiler: &str, counts: &[Count]) -> Result<(), String> {
    let mut text = format!("{HEAD}{compiler}\n");
    for count in counts {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\t{:.1}\t{}", count.name, count.instructions, count.unit);
    }
    std::fs::write(path(), text).map_err(|error| format!("{}: {error}", path().display()))?;
    println!("{} cases written to {}", counts.len(), path().display());
    Ok(())
}

impl Figures {
    /// Reads the file.
    pub(super) fn read() -> Result<Figures, String> {
        let text = std::fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
        Figures::parse(&text).ok_or_else(|| format!("{}: not a table of figures", path().display()))
    }

    fn parse(text: &str) -> Option<Figures> {
        let (compiler, table) = text.strip_prefix(HEAD)?.split_once('\n')?;
        let by_name = table.lines().map(|line| {
            let mut parts = line.split('\t');
            Some((parts.next()?.to_owned(), parts.next()?.parse().ok()?))
        });
        Some(Figures { compiler: compiler.to_owned(), by_name: by_name.collect::<Option<_>>()? })
    }

    /// Compares the counts with the figures.
    pub(super) fn compare(&self, counts: &[Count]) -> Verdict {
        let (mut table, mut failures) = (String::new(), Vec::new());
        for Count { name, instructions, unit } in counts {
            let Some(figure) = self.by_name.get(name) else {
                failures.push(format!("{name}: {instructions:.1} instructions {unit}, and no figure"));
                continue;
            };
            let change = instructions / figure - 1.0;
            // Without a negative zero.
            let percent = (1000.0 * change).round() / 10.0 + 0.0;
            let tolerance = if unit == "a step" { TOLERANCE_OF_STEPS } else { TOLERANCE };
            let remark = if change < -tolerance { ", better" } else { "" };
            let _ = writeln!(
                table,
                "{name:<32} {instructions:>10.1} instructions {unit}, figure {figure:.1} ({percent:+.1} %{remark})"
            );
            if change > tolerance {
                failures.push(format!(
                    "{name}: {instructions:.1} instructions {unit}, {percent:.1} % above its figure of {figure:.1}\n  accepted: {:.0} % above",
                    100.0 * tolerance
                ));
            }
        }
        let names: Vec<&str> = counts.iter().map(|count| count.name.as_str()).collect();
        let without_case = self.by_name.keys().filter(|name| !names.contains(&name.as_str()));
        failures.extend(without_case.map(|name| format!("{name}: a figure, and no such case")));
        if table.contains(", better)") {
            table += "Better by more than the tolerance: SKIDPAD_UPDATE=1 make counts writes the new figures, to be committed.\n";
        }
        Verdict { table, failures }
    }
}
