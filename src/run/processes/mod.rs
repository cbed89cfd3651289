//! Programs that are started beside a simulation, such as controllers: each in a process group of its own, which has ended when its owner is
//! dropped, whatever happens, and soon after this process has been killed.

mod document;
mod output;
mod process;
mod ros_domain;
mod run_values;
mod warden;

use skidpad_files::diagnostic::Diagnostic;

pub use document::Document;
pub use output::{LOG_LIMIT, MIN_LOG_LIMIT};
pub use process::{Ended, Process, kill_all};
pub use ros_domain::RosDomain;
pub use run_values::RunValues;

/// The words of a command as a shell splits them: quotes and backslashes keep blanks together. Nothing is expanded, since there is no shell.
///
/// # Errors
/// A quote is not closed, or there is no word.
pub fn words(command: &str) -> Result<Vec<String>, Diagnostic> {
    let wrong =
        |found: &str| Diagnostic::of(format!("found \"{command}\", {found}")).accepted("a program and its arguments");
    let words = shlex::split(command).ok_or_else(|| wrong("with a quote that is not closed"))?;
    if words.is_empty() { Err(wrong("which is empty")) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell_without_one() {
        assert_eq!(
            words("python3 'a b.py' -p x:=\"1 2\" $HOME").unwrap(),
            ["python3", "a b.py", "-p", "x:=1 2", "$HOME"]
        );
        for (wrong, reason) in [("a 'b", "with a quote that is not closed"), ("  ", "which is empty")] {
            assert!(words(wrong).unwrap_err().first_line().ends_with(reason));
        }
    }
}
