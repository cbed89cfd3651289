//! `skidpad check`: loads a world and describes its content, without running it.

use super::answer::Answer;
use super::args::CheckArgs;
use super::describe::describe;
use super::describe_json::content;
use super::{Failure, find, log_warnings, progress};

/// Checks a world. Fails on errors, with `--strict` on warnings too.
pub(super) fn check(args: &CheckArgs, answer: &mut Answer) -> Result<(), Failure> {
    let path = find::world(&args.world.world)?;
    let (world, warnings) = progress::load(&path, args.world.load_options(None))?;
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    if args.strict && !warnings.is_empty() {
        return Err(Failure::Because(warnings.join("\n")));
    }
    log_warnings(&warnings);
    answer.give(|| content(world.scene()), |out| describe(world.scene(), out))
}
