//! `skidpad check`: loads a world and describes its content, without running it.

use std::path::{Path, PathBuf};

use crate::cli::answer::Answer;
use crate::cli::args::CheckArgs;
use crate::cli::describe::describe;
use crate::cli::describe_json::content;
use crate::cli::progress::STANDARD_INPUT;
use crate::cli::setting_hints::Keys;
use crate::cli::{Failure, find, log_warnings, progress};
use crate::world::{LoadOptions, StepCheck};
use crate::xml::Problems;

/// Checks a world. Fails on errors, with `--strict` on warnings too.
pub(in crate::cli) fn check(args: &CheckArgs, answer: &mut Answer) -> Result<(), Failure> {
    let path = if args.world.world == Path::new(STANDARD_INPUT) {
        PathBuf::from(STANDARD_INPUT)
    } else {
        find::world(&args.world.world)?
    };
    let (world, warnings) =
        progress::load(&path, LoadOptions { tries_steps: StepCheck::AtLoad, ..args.world.load_options(None) })
            .map_err(|failure| args.world.explain(failure, "check", Keys::Elsewhere))?;
    if args.strict && !warnings.is_empty() {
        return Err(Failure::because(Problems(warnings)));
    }
    log_warnings(&warnings);
    answer.give(|| content(&world), |out| describe(&world, out))
}
