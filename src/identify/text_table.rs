//! Tables of numbers in text files: CSV and what instruments, spreadsheets and data sets write in its place.
//!
//! * Separators are commas, semicolons (with numbers that may have a decimal comma), tabs or blanks, as the first row has
//!   them. Files may be gzipped.
//! * Lines that begin with `#` or `%` are comments. The names of the columns are those of the first row if it has no
//!   number, or else those of the last comment before it, if that has as many names as the row has numbers. Columns
//!   without names are called `1`, `2`, ….

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

use super::IdentifyError;

/// Largest file after decompression [bytes].
const MAX_BYTES: u64 = 1 << 30;
/// Ends of the names of such files, before `.gz`.
const ENDS: [&str; 5] = [".csv", ".txt", ".dat", ".tsv", ".log"];

/// A table of numbers.
#[derive(Debug)]
pub(super) struct TextTable {
    /// Names of the columns.
    pub names: Vec<String>,
    /// The numbers of each row; NaN where there is none.
    pub rows: Vec<Vec<f64>>,
    /// Count of rows that are not CSV.
    pub cut: usize,
}

/// Whether a file of this name holds a table of text.
pub(super) fn is_text_table(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    ENDS.iter().any(|end| name.ends_with(end))
}

/// How the fields of a line are separated.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Separator {
    Byte(u8),
    Blanks,
}

impl Separator {
    /// The separator of a file with this row.
    fn of(row: &str) -> Separator {
        let separator = [b';', b'\t', b','].into_iter().find(|byte| row.as_bytes().contains(byte));
        separator.map_or(Separator::Blanks, Separator::Byte)
    }

    /// The names in a line, which may hold single blanks; `count` of them, if there is a way to read so many.
    fn names(self, line: &str, count: usize) -> Option<Vec<String>> {
        let names = |parts: Vec<&str>| -> Vec<String> { parts.iter().map(|name| (*name).trim().to_owned()).collect() };
        let wide = || line.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
        let by_byte = match self {
            Separator::Byte(byte) => names(line.split(char::from(byte)).collect()),
            Separator::Blanks => Vec::new(),
        };
        let candidates = [by_byte, names(wide()), names(line.split_whitespace().collect())];
        candidates.into_iter().find(|names| names.len() == count && count > 0)
    }
}

impl TextTable {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not text.
    pub(super) fn read(path: &Path) -> Result<TextTable, IdentifyError> {
        let file = input_file::open(path).map_err(|error| FileError::read(path, error))?;
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        let source: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        let bytes = input_file::read_to_end(source, MAX_BYTES).map_err(|error| FileError::read(path, error))?;
        TextTable::parse(&bytes).map_err(|error| Diagnostic::new(path.display(), error.to_string()).into())
    }

    fn parse(bytes: &[u8]) -> Result<TextTable, csv::Error> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let is_comment = |line: &str| line.starts_with(['#', '%']);
        let rows = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
        let first = rows().next().unwrap_or_default();
        let before = text.lines().map(str::trim).take_while(|line| *line != first).filter(|line| is_comment(line));
        let comment = before.last().map(|line| line.trim_start_matches(['#', '%']).trim());
        // A file of a single comment has the names of its columns there, and no row.
        let row = if first.is_empty() { comment.unwrap_or_default() } else { first };
        let separator = Separator::of(row);
        let delimiter = match separator {
            Separator::Byte(byte) => byte,
            Separator::Blanks => b'\t',
        };
        let line = |line: &str| match separator {
            Separator::Byte(_) => format!("{line}\n"),
            Separator::Blanks => format!("{}\n", line.split_whitespace().collect::<Vec<_>>().join("\t")),
        };
        let text: String = rows().map(line).collect();
        let mut options = csv::ReaderBuilder::new();
        options.flexible(true).trim(csv::Trim::All).has_headers(false).delimiter(delimiter);
        let mut reader = options.from_reader(text.as_bytes());
        let number = |text: &str| match text.parse::<f64>() {
            Ok(number) => Some(number),
            Err(_) if delimiter == b';' && text.matches(',').count() == 1 => text.replace(',', ".").parse().ok(),
            Err(_) => None,
        };
        let mut table = TextTable { names: Vec::new(), rows: Vec::new(), cut: 0 };
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) if table.names.is_empty() => return Err(error),
                Err(_) => {
                    table.cut += 1;
                    continue;
                }
            };
            if table.names.is_empty() {
                let count = record.len();
                if !record.iter().any(|text| number(text).is_some()) {
                    table.names = record.iter().map(str::to_owned).collect();
                    continue;
                }
                let named = comment.and_then(|comment| separator.names(comment, count));
                table.names = named.unwrap_or_else(|| (1..=count).map(|place| place.to_string()).collect());
            }
            table.rows.push(record.iter().map(|text| number(text).unwrap_or(f64::NAN)).collect());
        }
        if table.names.is_empty() {
            table.names = comment.map_or_else(Vec::new, |line| {
                line.split(char::from(delimiter)).map(|name| name.trim().to_owned()).collect()
            });
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_comments_and_names_are_found_as_files_have_them() {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (text, names) in [
            ("t,x\n0,1.5\n", named(&["t", "x"])),
            ("# t,x\n0,1.5\n", named(&["t", "x"])),
            ("# made by a logger\n# of 2, 3 and 4\nt;x\r\n# a pause\r\n0;1,5\r\n", named(&["t", "x"])),
            ("t\tx\n0\t1.5\n", named(&["t", "x"])),
            ("# Robot 1\n#\n# Time [s]    x [m]\n  0.000 \t   1.5\n", named(&["Time [s]", "x [m]"])),
            ("# Time [s]    x [m]\n  0.000     1.5\n", named(&["Time [s]", "x [m]"])),
            ("% time x\n0 1.5\n", named(&["time", "x"])),
            ("# 12 May, at noon\n0 1.5\n", named(&["1", "2"])),
            ("0,1.5\n", named(&["1", "2"])),
            ("\u{feff}t, x\n0, 1.5\n", named(&["t", "x"])),
            ("\"t\",\"x\"\n0,\"1.5\"\n", named(&["t", "x"])),
        ] {
            let table = TextTable::parse(text.as_bytes()).unwrap();
            assert_eq!((&table.names, &table.rows), (&names, &vec![vec![0.0, 1.5]]), "{text}");
        }
        for name in ["a.csv", "a.CSV.gz", "a.dat", "a.txt.gz", "a.tsv"] {
            assert!(is_text_table(Path::new(name)), "{name}");
        }
        assert!(!is_text_table(Path::new("a.mcap")) && !is_text_table(Path::new("data")));
    }
}
