//! What is wrong with a command line, in the form of all messages.

use std::error::Error as _;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::diagnostic::Diagnostic;
use crate::nearest::did_you_mean;

/// The message of an error of the parser of arguments. `program` defines the arguments, `words` are the command line.
pub(crate) fn message(error: &clap::Error, program: &Command, words: &[String]) -> Diagnostic {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let (command, typed) = command_of(program, words);
    let all = format!("{typed} --help lists all");
    let argument = context(ContextKind::InvalidArg);
    let option = argument.split_once(" <").map_or(argument.as_str(), |(option, _)| option);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let names = command.get_arguments().filter_map(|argument| argument.get_long());
            let names: Vec<String> = names.map(|name| format!("--{name}")).collect();
            let found = if option.starts_with('-') { "no such option" } else { "one word too many" };
            Diagnostic::new(option, found).hint(did_you_mean(option, &names).unwrap_or(all))
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(ContextKind::InvalidSubcommand);
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let hint = did_you_mean(&word, &names).unwrap_or(all);
            Diagnostic::new(word, "no such command").hint(hint)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = context(ContextKind::InvalidValue);
            let place = if option.starts_with('-') { format!("{option} {value}") } else { value.clone() };
            if value.is_empty() && error.source().is_none() {
                return Diagnostic::new(argument, "its value is missing").hint(format!("{typed} --help describes it"));
            }
            match (error.source(), error.get(ContextKind::ValidValue)) {
                (Some(source), _) => match source.downcast_ref::<Diagnostic>() {
                    Some(refused) => refused.clone().at(place.trim_end()),
                    None => Diagnostic::new(place, source.to_string()),
                },
                (None, Some(ContextValue::Strings(names))) => {
                    Diagnostic::new(place, "no such value").one_of(&value, names)
                }
                (None, _) => Diagnostic::new(place, sentence(error)),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = Diagnostic::of(format!("{argument} is missing"));
            missing.hint(match argument.contains("<WORLD>") {
                true => "worlds have names, such as racecar: skidpad list worlds".to_owned(),
                false => format!("{typed} --help describes it"),
            })
        }
        ErrorKind::ArgumentConflict => {
            let found = match context(ContextKind::PriorArg) {
                prior if prior.is_empty() => sentence(error),
                prior if prior == argument => "is given twice".to_owned(),
                prior => format!("cannot be used with {prior}"),
            };
            Diagnostic::new(argument, found)
        }
        _ => Diagnostic::of(sentence(error)).hint(format!("{typed} --help")),
    }
}

/// The command that a command line calls, and the words that call it.
fn command_of<'a>(program: &'a Command, words: &[String]) -> (&'a Command, String) {
    let (mut command, mut typed) = (program, program.get_name().to_owned());
    for word in words.iter().skip(1).filter(|word| !word.starts_with('-')) {
        let Some(next) = command.find_subcommand(word) else { break };
        command = next;
        typed = format!("{typed} {word}");
    }
    (command, typed)
}

/// The first sentence of an error of the parser of arguments.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split_once("\n\n").map_or(text, |(first, _)| first).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::builder::TypedValueParser as _;
    use clap::{Arg, ArgAction};

    use super::*;
    use crate::parsers::rate;

    fn program() -> Command {
        let world = Arg::new("world").value_name("WORLD").required(true);
        let how = Arg::new("how").long("how").value_parser(["fast", "slow"]).conflicts_with("rate");
        let rate_of = Arg::new("rate").long("rate").value_name("R").allow_negative_numbers(true);
        let rate_of = rate_of.value_parser(clap::builder::StringValueParser::new().try_map(|text| rate(&text)));
        let count = Arg::new("count").long("count").value_parser(clap::value_parser!(u8)).action(ArgAction::Set);
        Command::new("skidpad")
            .subcommand_required(true)
            .subcommand(Command::new("run").args([world, how, rate_of, count]))
    }

    fn of(line: &str) -> String {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let error = program().try_get_matches_from(&words).unwrap_err();
        message(&error, &program(), &words).to_string()
    }

    #[test]
    fn each_mistake_has_a_place_and_a_way_on() {
        assert_eq!(of("skidpad rnu"), "rnu: no such command\n  hint: did you mean \"run\"?");
        assert_eq!(of("skidpad walk"), "walk: no such command\n  hint: skidpad --help lists all");
        assert_eq!(of("skidpad run w --rote 1"), "--rote: no such option\n  hint: did you mean \"--rate\"?");
        assert_eq!(of("skidpad run w --json"), "--json: no such option\n  hint: skidpad run --help lists all");
        assert_eq!(of("skidpad run w v"), "v: one word too many\n  hint: skidpad run --help lists all");
        assert_eq!(
            of("skidpad run w --how fats"),
            "--how fats: no such value\n  accepted: fast, slow\n  hint: did you mean \"fast\"?"
        );
        assert_eq!(
            of("skidpad run w --rate -1"),
            "--rate -1: -1 is out of range\n  accepted: a number from 0.001 to 1000000, max"
        );
        assert_eq!(of("skidpad run w --count x"), "--count x: invalid digit found in string");
        assert_eq!(
            of("skidpad run w --how"),
            "--how <how>: its value is missing\n  hint: skidpad run --help describes it"
        );
        assert_eq!(of("skidpad run w --how fast --rate 1"), "--how <how>: cannot be used with --rate <R>");
        assert!(
            of("skidpad run").starts_with("<WORLD> is missing\n  hint: worlds have names"),
            "{}",
            of("skidpad run")
        );
    }
}
