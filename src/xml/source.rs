//! The text of one file after substitution, with a mapping from its bytes to line and column of the original file.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use skidpad_files::assets::Author;

use super::Place;

/// A file that has been read.
#[derive(Clone, Debug)]
pub(super) struct FileText {
    pub(super) text: Arc<str>,
    /// The first byte that was not UTF-8.
    pub(super) bad: Option<usize>,
}

/// A piece of the substituted text.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// First byte in the substituted text.
    start: usize,
    /// The corresponding byte of the original.
    original: usize,
    /// Whether it was copied byte by byte; otherwise all of it came from one `${…}` at `original`.
    copied: bool,
}

/// Text to parse, with its origin.
#[derive(Debug)]
pub(super) struct Source {
    file: Arc<str>,
    pub(super) directory: Arc<Path>,
    included_from: Option<Arc<Place>>,
    pub(super) author: Author,
    original: String,
    substituted: Option<(String, Vec<Piece>)>,
    /// Byte, line and column of the last lookup: lookups are mostly in ascending order.
    cursor: Cell<(usize, u32, u32)>,
}

impl Source {
    /// `original` without its byte order mark.
    pub(super) fn new(file: &str, directory: &Path, included_from: Option<Place>, original: &str) -> Source {
        Source {
            file: file.into(),
            directory: directory.into(),
            // An included text uses values of the including one.
            author: included_from.as_ref().map_or(Author::Local, |place| place.author),
            included_from: included_from.map(Arc::new),
            original: original.strip_prefix('\u{feff}').unwrap_or(original).to_string(),
            substituted: None,
            cursor: Cell::new((0, 1, 1)),
        }
    }

    /// The same, written by `author`.
    pub(super) fn by(self, author: Author) -> Source {
        Source { author, ..self }
    }

    /// The text as written.
    pub(super) fn original(&self) -> &str {
        &self.original
    }

    /// The text to parse.
    pub(super) fn text(&self) -> &str {
        self.substituted.as_ref().map_or(&self.original, |(text, _)| text)
    }

    /// Appends `count` bytes of the original from `from` on to the substituted text.
    pub(super) fn copy(&mut self, from: usize, count: usize) {
        let piece = self.original.get(from..from + count).unwrap_or_default();
        let (text, pieces) = self.substituted.get_or_insert_default();
        pieces.push(Piece { start: text.len(), original: from, copied: true });
        text.push_str(piece);
    }

    /// Appends `value`, which replaces the text at byte `at` of the original.
    pub(super) fn replace(&mut self, at: usize, value: &str) {
        let (text, pieces) = self.substituted.get_or_insert_default();
        pieces.push(Piece { start: text.len(), original: at, copied: false });
        text.push_str(value);
    }

    /// The place in the original file of byte `offset` of [`Self::text`].
    pub(super) fn place(&self, offset: usize) -> Place {
        let original = match &self.substituted {
            None => offset,
            Some((_, pieces)) => {
                let index = pieces.partition_point(|piece| piece.start <= offset);
                match pieces.get(index.saturating_sub(1)) {
                    Some(piece) if piece.copied => piece.original + (offset - piece.start),
                    Some(piece) => piece.original,
                    None => 0,
                }
            }
        };
        self.place_of_original(original)
    }

    /// The place of byte `offset` of the original file.
    pub(super) fn place_of_original(&self, offset: usize) -> Place {
        let offset = offset.min(self.original.len());
        let (mut from, mut line, mut column) = self.cursor.get();
        if from > offset {
            (from, line, column) = (0, 1, 1);
        }
        for byte in &self.original.as_bytes()[from..offset] {
            match byte {
                b'\n' => {
                    line += 1;
                    column = 1;
                }
                // Continuation bytes of UTF-8 belong to the preceding character.
                0x80..=0xBF => {}
                _ => column += 1,
            }
        }
        self.cursor.set((offset, line, column));
        Place { file: self.file.clone(), line, column, included_from: self.included_from.clone(), author: self.author }
    }
}
