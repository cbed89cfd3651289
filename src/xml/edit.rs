//! Changes of a text in place: a value is replaced, an element is inserted or removed, and every other byte stays.
//!
//! A value that contains `$` is an expression or a variable. It is refused, with the text as it is written, unless the
//! caller wants it overwritten.

use std::ops::Range;

use super::spans::{ElementSpan, Spans};

/// Pieces of a text, each with its replacement: in order, none overlapping another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    splices: Vec<Splice>,
}

/// A piece of a text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Bytes that are replaced; empty: an insertion.
    pub at: Range<usize>,
    /// The new text.
    pub with: String,
}

/// An expression or a variable where a value would be replaced, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression(pub String);

/// What to do with expressions and variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expressions {
    /// They are refused.
    #[default]
    Keep,
    /// The value takes their place.
    Overwrite,
}

impl Change {
    /// A change of these pieces, in any order. Insertions at the same byte keep their order.
    pub fn of(splices: impl IntoIterator<Item = Splice>) -> Change {
        let mut splices: Vec<Splice> = splices.into_iter().collect();
        splices.sort_by_key(|splice| splice.at.start);
        Change { splices }
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// Number of bytes that it holds.
    pub fn size(&self) -> usize {
        self.splices.iter().map(|splice| splice.with.len() + size_of::<Splice>()).sum()
    }

    /// The text after the change, and the change that takes it back.
    pub fn apply(&self, text: &str) -> (String, Change) {
        let (mut result, mut back) = (String::with_capacity(text.len()), Vec::new());
        let mut from = 0;
        for Splice { at, with } in &self.splices {
            result.push_str(text.get(from..at.start).unwrap_or_default());
            let start = result.len();
            result.push_str(with);
            let removed = text.get(at.clone()).unwrap_or_default().to_owned();
            back.push(Splice { at: start..result.len(), with: removed });
            from = at.end;
        }
        result.push_str(text.get(from..).unwrap_or_default());
        (result, Change { splices: back })
    }
}

impl Spans<'_> {
    /// Replaces the text of an element, or gives it one.
    ///
    /// # Errors
    /// It is an expression.
    pub fn set_text(&self, element: usize, value: &str, expressions: Expressions) -> Result<Splice, Expression> {
        let span = self.element(element);
        let with = escaped(value);
        match (&span.text, &span.end) {
            (Some(text), _) => self.replace(text.clone(), with, expressions),
            (None, Some(_)) => Ok(Splice { at: span.start.end..span.start.end, with }),
            (None, None) => {
                let slash = self.end_of_attributes(span);
                Ok(Splice { at: slash..span.start.end, with: format!(">{with}</{}>", self.tag(element)) })
            }
        }
    }

    /// Replaces the numbers of an element's text that differ from `values`, which has as many numbers; those that are
    /// equal stay as they are written.
    ///
    /// # Errors
    /// The text is an expression.
    pub fn set_numbers(
        &self,
        element: usize,
        values: &[f64],
        expressions: Expressions,
    ) -> Result<Vec<Splice>, Expression> {
        let all = || values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ");
        let Some(text) = self.element(element).text.clone() else {
            return self.set_text(element, &all(), expressions).map(|splice| vec![splice]);
        };
        let written = self.written(&text);
        let words: Vec<&str> = written.split_whitespace().collect();
        if written.contains(['$', '&', '<']) || words.len() != values.len() {
            return self.set_text(element, &all(), expressions).map(|splice| vec![splice]);
        }
        let differs = |(word, value): &(&str, &f64)| word.parse::<f64>().ok() != Some(**value);
        let splice = |(word, value): (&str, &f64)| {
            let from = text.start + super::parse::offset_in(written, word);
            Splice { at: from..from + word.len(), with: value.to_string() }
        };
        Ok(words.into_iter().zip(values).filter(differs).map(splice).collect())
    }

    /// Replaces the value of an attribute, or adds the attribute behind the others.
    ///
    /// # Errors
    /// Its value is an expression.
    pub fn set_attribute(
        &self,
        element: usize,
        name: &str,
        value: &str,
        expressions: Expressions,
    ) -> Result<Splice, Expression> {
        match self.attribute(element, name) {
            Some(attribute) => self.replace(attribute.value.clone(), escaped(value), expressions),
            None => {
                let span = self.element(element);
                let at = span.attributes.last().map_or(span.tag.end, |attribute| attribute.value.end + 1);
                Ok(Splice { at: at..at, with: format!(" {name}=\"{}\"", escaped(value)) })
            }
        }
    }

    /// Inserts an element, given as lines without indentation, behind the last child of `parent`, indented like its siblings.
    pub fn insert_last(&self, parent: usize, lines: &[String]) -> Splice {
        let span = self.element(parent);
        let newline = self.newline();
        if let Some(&last) = span.children.last() {
            let end = self.element(last).whole().end;
            // The last sibling that begins a line; none where all are on one line.
            let indent =
                span.children.iter().rev().find_map(|&child| self.indentation(self.element(child).start.start));
            let with = indent.map_or_else(|| one_line(lines), |indent| block(lines, indent, newline));
            return Splice { at: end..end, with };
        }
        let outer = self.indentation(span.start.start).unwrap_or_default();
        let inside = block(lines, &format!("{outer}  "), newline);
        match &span.end {
            // Behind a comment or a text, before the line of the end tag.
            Some(end) => {
                let before = self.text()[..end.start].trim_end_matches([' ', '\t']);
                let at = before.strip_suffix('\n').map_or(end.start, |text| text.trim_end_matches('\r').len());
                let is_own_line = at < end.start;
                let with = if is_own_line { inside } else { format!("{inside}{newline}{outer}") };
                Splice { at: at..at, with }
            }
            None => {
                let slash = self.end_of_attributes(span);
                let with = format!(">{inside}{newline}{outer}</{}>", self.tag(parent));
                Splice { at: slash..span.start.end, with }
            }
        }
    }

    /// Removes an element, together with its line if nothing else is on it.
    pub fn remove(&self, element: usize) -> Splice {
        self.remove_all(self.element(element).whole())
    }

    /// Removes a range that consists of whole elements, together with its lines if nothing else is on them.
    pub fn remove_all(&self, whole: Range<usize>) -> Splice {
        let text = self.text();
        let before = text[..whole.start].trim_end_matches([' ', '\t']);
        let following = &text[whole.end..];
        let after = whole.end + (following.len() - following.trim_start_matches([' ', '\t']).len());
        let begins_line = before.is_empty() || before.ends_with('\n');
        let tail = &text[after..];
        let at = match (begins_line, tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n'))) {
            (true, Some(following)) => before.len()..text.len() - following.len(),
            // Between others on a line: one of the blanks around it goes, too.
            (false, _) if before.len() < whole.start => before.len()..whole.end,
            _ => whole,
        };
        Splice { at, with: String::new() }
    }

    fn replace(&self, at: Range<usize>, with: String, expressions: Expressions) -> Result<Splice, Expression> {
        let written = self.written(&at);
        match written.contains('$') && expressions == Expressions::Keep {
            true => Err(Expression(written.to_owned())),
            false => Ok(Splice { at, with }),
        }
    }

    /// The byte behind the name and the attributes of `<tag …/>`.
    fn end_of_attributes(&self, span: &ElementSpan) -> usize {
        span.attributes.last().map_or(span.tag.end, |attribute| attribute.value.end + 1)
    }

    /// The blanks before a byte, if there is nothing else before it on its line.
    fn indentation(&self, at: usize) -> Option<&str> {
        let start = self.text()[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &self.text()[start..at];
        before.trim().is_empty().then_some(before)
    }

    /// The line end of this text.
    fn newline(&self) -> &'static str {
        if self.text().contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// Lines, each behind a line end and an indentation.
fn block(lines: &[String], indent: &str, newline: &str) -> String {
    lines.iter().map(|line| format!("{newline}{indent}{line}")).collect()
}

/// Lines behind each other.
fn one_line(lines: &[String]) -> String {
    lines.iter().map(|line| format!(" {}", line.trim())).collect()
}

/// A value as it is written in a text or between quotes.
pub fn escaped(value: &str) -> String {
    quick_xml::escape::escape(value).into_owned()
}
