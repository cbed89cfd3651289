//! YAML's braces and brackets: where the collection begins and ends in which a line is, and the entry of it.

/// A place in the lines of a text: line and byte, from 0.
type Place = (usize, usize);

/// The outermost collection around a line.
pub(super) struct Around {
    /// Its first and its last line.
    pub(super) lines: (usize, usize),
    /// The entry that the place is in, where the collection is the value of a key at the root.
    pub(super) entry: Option<Entry>,
}

/// An entry of a collection, with the comma after it: from one place to before another.
pub(super) struct Entry(Place, Place);

impl Entry {
    /// Puts blanks in its place.
    pub(super) fn blank(&self, lines: &mut [String]) {
        let Entry((first, from), (last, to)) = *self;
        for (number, line) in lines.iter_mut().enumerate().take(last + 1).skip(first) {
            let start = if number == first { from } else { 0 };
            let end = if number == last { to } else { line.len() };
            // Characters of several bytes become one blank, and what follows keeps its columns.
            let blanks = " ".repeat(line[start..end].chars().count());
            line.replace_range(start..end, &blanks);
        }
    }
}

/// The outermost collection of several lines around this place; none: its line is complete by itself.
pub(super) fn around(lines: &[String], place: Place) -> Option<Around> {
    let (line, _) = place;
    let mut scan = Scan::default();
    for (number, text) in lines.iter().enumerate() {
        scan.line(number, text);
        let is_closed = scan.depth == 0;
        if let Some(begin) = scan.begin.filter(|_| is_closed) {
            if begin.0 != number && (begin.0..=number).contains(&line) {
                return Some(scan.around(lines, place, number));
            }
            scan = Scan::default();
        } else if is_closed && number >= line {
            return None;
        }
    }
    None
}

/// How far a collection has been read.
#[derive(Default)]
struct Scan {
    /// Collections that are open.
    depth: usize,
    /// Where the outermost one begins.
    begin: Option<Place>,
    /// Behind its opening bracket, behind each comma of its own, and at its closing bracket.
    bounds: Vec<Place>,
    /// The quote that is open.
    quote: Option<char>,
}

impl Scan {
    /// Reads a line.
    fn line(&mut self, number: usize, text: &str) {
        // Whether a value may begin here, and whether the last character was a blank.
        let (mut is_begin, mut was_blank) = (true, true);
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            if let Some(quote) = self.quote {
                let is_doubled =
                    quote == '\'' && c == quote && characters.peek().is_some_and(|(_, next)| *next == quote);
                if is_doubled || c == '\\' && quote == '"' {
                    characters.next();
                } else if c == quote {
                    self.quote = None;
                }
                continue;
            }
            match c {
                '#' if was_blank => return,
                '"' | '\'' if is_begin => self.quote = Some(c),
                '{' | '[' if is_begin || self.depth > 0 => {
                    self.depth += 1;
                    if self.depth == 1 {
                        (self.begin, self.bounds) = (Some((number, at)), vec![(number, at + 1)]);
                    }
                }
                '}' | ']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.bounds.push((number, at));
                    }
                }
                ',' if self.depth == 1 => self.bounds.push((number, at + 1)),
                _ => {}
            }
            was_blank = c.is_whitespace();
            is_begin = was_blank && is_begin || matches!(c, ':' | '-' | '{' | '[' | ',');
        }
        if self.depth == 0 {
            self.quote = None;
        }
    }

    /// The collection, which ends in the line `last`, around this place.
    fn around(&self, lines: &[String], place: Place, last: usize) -> Around {
        let (first, _) = self.begin.unwrap_or(place);
        let is_at_root = !lines[first].starts_with(|c: char| c.is_whitespace() || c == '-');
        let mut entries = self.bounds.windows(2).filter(|_| is_at_root);
        let entry = entries.find(|pair| (pair[0]..pair[1]).contains(&place));
        Around { lines: (first, last), entry: entry.map(|pair| Entry(pair[0], pair[1])) }
    }
}
