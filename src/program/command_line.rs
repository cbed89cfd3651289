//! What the command lines of both programs have in common: colours, negative numbers as values, the width of help, and how words are parsed.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use clap::{ColorChoice, Command, CommandFactory, FromArgMatches, ValueEnum as _};

use crate::report;

/// The definition of the arguments `A`. Help is wrapped to the terminal on which it is printed, and elsewhere not at all.
pub fn definition<A: CommandFactory>() -> Command {
    let command = with_negative_numbers(A::command()).color(report::color());
    if io::stdout().is_terminal() { command } else { command.term_width(0) }
}

/// The arguments `A` of these words, of which the first is the name of the program, with the colours that they choose. `definition` is
/// [`definition`], perhaps with more help.
///
/// # Errors
/// They are no usage of it, or ask for help.
pub fn parse<A: FromArgMatches>(words: Vec<OsString>, definition: fn() -> Command) -> Result<A, clap::Error> {
    // Errors of the parser have the colours too.
    report::set_color(color_of(&words));
    let mut matches = definition().try_get_matches_from(words)?;
    A::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut definition()))
}

/// A number below zero is a value, not an option: its parser says which numbers are accepted.
fn with_negative_numbers(command: Command) -> Command {
    let of_argument = |argument: clap::Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(of_argument).mut_subcommands(with_negative_numbers)
}

/// The value of `--color` among these words; what is no value of it is refused later.
fn color_of(words: &[OsString]) -> ColorChoice {
    let words = words.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    let mut is_next = false;
    let mut choice = ColorChoice::Auto;
    for word in words {
        let value = word.strip_prefix("--color=").or(is_next.then_some(word));
        choice = value.and_then(|value| ColorChoice::from_str(value, false).ok()).unwrap_or(choice);
        is_next = word == "--color";
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_of_colours_is_known_before_the_words_are_parsed() {
        let of = |line: &str| color_of(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("skidpad run w --color=never"), ColorChoice::Never);
        assert_eq!(of("skidpad --color always run w"), ColorChoice::Always);
        assert_eq!(of("skidpad run w --color sometimes"), ColorChoice::Auto);
        assert_eq!(of("skidpad run -- --color=never"), ColorChoice::Auto);
    }
}
