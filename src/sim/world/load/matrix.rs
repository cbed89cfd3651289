//! Matrices as Matlab writes them: `[a b; c d]`.

use skidpad_xml::Reader;

/// A matrix in a child, `[a b; c d]`: the length of a row, and the numbers row by row. Numbers may be separated by commas, and
/// rows by line ends instead of semicolons.
pub(super) fn read_matrix(reader: &Reader<'_>, tag: &str) -> Option<(usize, Vec<f64>)> {
    let text = reader.text(tag)?;
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let separator = if inner.contains(';') { ';' } else { '\n' };
    let report = |fault: String| {
        reader
            .error_at(tag, format!("{fault} in <{tag}>"))
            .accepted(["[a b; c d]: rows of as many finite numbers each"]);
    };
    let (mut columns, mut numbers) = (None, Vec::new());
    for row in inner.split(separator) {
        let before = numbers.len();
        for word in row.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                _ => {
                    report(format!("bad number \"{}\"", word.chars().take(40).collect::<String>()));
                    return None;
                }
            }
        }
        let length = numbers.len() - before;
        if length > 0 && *columns.get_or_insert(length) != length {
            report(format!("rows of {} and of {length} numbers", columns.unwrap_or(0)));
            return None;
        }
    }
    if columns.is_none() {
        report("no number".to_string());
    }
    Some((columns?, numbers))
}
