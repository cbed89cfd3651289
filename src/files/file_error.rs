//! The error of a file that cannot be read, written or created.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;

/// What was attempted with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// To open it and read its content.
    Read,
    /// To write it.
    Write,
    /// To create it, or a folder.
    Create,
}

impl Attempt {
    fn failed(self) -> &'static str {
        match self {
            Attempt::Read => "cannot be read",
            Attempt::Write => "cannot be written",
            Attempt::Create => "cannot be created",
        }
    }
}

/// Why a file cannot be used: `run.mcap: cannot be read: No such file or directory (os error 2)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file or folder, as the user named it.
    pub path: PathBuf,
    /// What was attempted.
    pub attempt: Attempt,
    /// The reason of the system, or what was found instead; its place is a line.
    pub reason: Box<Diagnostic>,
}

impl FileError {
    fn new(path: &Path, attempt: Attempt, reason: Diagnostic) -> FileError {
        FileError { path: path.into(), attempt, reason: Box::new(reason) }
    }

    /// For a file that cannot be read.
    pub fn read(path: impl AsRef<Path>, reason: impl Into<Diagnostic>) -> FileError {
        FileError::new(path.as_ref(), Attempt::Read, reason.into())
    }

    /// For a file that cannot be written.
    pub fn write(path: impl AsRef<Path>, reason: impl Into<Diagnostic>) -> FileError {
        FileError::new(path.as_ref(), Attempt::Write, reason.into())
    }

    /// For a file or folder that cannot be created.
    pub fn create(path: impl AsRef<Path>, reason: impl Into<Diagnostic>) -> FileError {
        FileError::new(path.as_ref(), Attempt::Create, reason.into())
    }
}

impl From<&FileError> for Diagnostic {
    fn from(error: &FileError) -> Diagnostic {
        let FileError { path, attempt, reason } = error;
        let place = match &reason.place {
            Some(line) => format!("{}:{line}", path.display()),
            None => path.display().to_string(),
        };
        let found = format!("{}: {}", attempt.failed(), reason.found);
        Diagnostic { place: Some(place), found, ..(**reason).clone() }
    }
}

crate::error_by_parts!(FileError);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input_file;

    #[test]
    fn the_attempt_is_named_before_the_reason() {
        let none = input_file::read(Path::new("/none/a"), 9).unwrap_err();
        let text = "/none/a: cannot be read: No such file or directory (os error 2)";
        assert_eq!(FileError::read("/none/a", none).to_string(), text);
        let folder = FileError::read("/", input_file::open(Path::new("/")).unwrap_err());
        assert_eq!(folder.to_string(), "/: cannot be read: it is a folder\n  accepted: a regular file");
        assert_eq!(Diagnostic::from(&folder).accepted, ["a regular file"]);
        assert_eq!(FileError::create("out", Diagnostic::of("full")).to_string(), "out: cannot be created: full");
        assert_eq!(
            FileError::write("a.csv", Diagnostic::new(3, "full")).to_string(),
            "a.csv:3: cannot be written: full"
        );
    }
}
