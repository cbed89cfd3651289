//! Tables of text, whose first row is the head: in aligned columns, as CSV and as Markdown.

use skidpad_files::diagnostic::Diagnostic;

/// The rows in columns, a line each: those that `is_left` names begin at the left, the others end at the right.
pub fn aligned(rows: &[Vec<String>], is_left: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> =
        (0..columns).map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match is_left(column) {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The rows as CSV.
///
/// # Errors
/// That of the CSV library.
pub fn csv(rows: &[Vec<String>]) -> Result<String, Diagnostic> {
    let write = || -> Result<String, Box<dyn std::error::Error>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.write_record(row))?;
        Ok(String::from_utf8(writer.into_inner()?)?)
    };
    write().map_err(|error| Diagnostic::of(error.to_string()))
}

/// The rows as a table in Markdown; cells are texts in Markdown.
pub fn markdown(rows: &[Vec<String>]) -> String {
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let rule = format!("{}|\n", "|---".repeat(head.len()));
    line(head) + &rule + &rows.iter().map(line).collect::<String>()
}

/// A number in CSV; empty for none.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
