//! The two ways of replacing `$…` in world files.
//!
//! * Included files, as text before parsing: `${NAME}` and `${NAME|default}`, from the attributes of the `<include>`, the world's variables, the environment,
//!   the default, in that order; names that the file [declares](super::arguments) from the include and their default alone. The result is scanned again, so
//!   values may refer to others.
//! * Single values, when they are read: `${NAME}` (variables only), `$env{NAME}`, `$(command)`, `$f{expression}`.

use std::io::Read;
use std::process::{Command, Stdio};

use skidpad_files::assets::{self, Author};

use super::arguments::{Declared, Given};
use super::place::Failure;
use super::source::Source;
use super::value::{format_g, scan_number};
use super::{Attribute, Context, Place, Scope, expression};

/// Deepest chain of values that refer to others.
const DEEPEST: usize = 32;
/// Longest file, before and after substitution [bytes].
pub(super) const MAX_BYTES: usize = 32 << 20;
/// Longest value after substitution [bytes].
const MAX_VALUE_LENGTH: usize = 4 << 20;
/// Most rounds of replacing in one value. MVSim stops at 10.
const MAX_ROUNDS: usize = 100;

/// Where the names in a text are looked up.
struct Names<'a> {
    /// The value of a name, and whether what it refers to is looked up `outside`.
    inside: &'a dyn Fn(&str) -> Option<(String, bool)>,
    outside: &'a dyn Fn(&str) -> Option<String>,
    /// Names that stay as they are.
    deferred: &'a [&'a str],
}

/// Replaces `${…}` in an included file, except for `deferred` names, which are replaced when values are read. False
/// after a failure, which is recorded.
pub(super) fn substitute(
    context: &Context,
    source: &mut Source,
    declared: &Declared,
    attributes: &[Attribute],
    deferred: &[&str],
) -> bool {
    let text = source.original().to_string();
    let directory = std::path::absolute(&source.directory).unwrap_or(source.directory.to_path_buf());
    let directory = directory.to_string_lossy().into_owned();
    let author = source.author;
    let outside = |name: &str| variable_or_environment(context, name, author);
    let inside = |name: &str| {
        if name == "MVSIM_CURRENT_FILE_DIRECTORY" {
            return Some((directory.clone(), false));
        }
        match declared.value(context, attributes, name) {
            Some(Given::Peers(value)) => return Some((value, true)),
            Some(Given::Inside(default)) => return Some((default, false)).filter(|(default, _)| !default.is_empty()),
            None => {}
        }
        let attribute = attributes.iter().find(|a| a.name == name);
        attribute.map(|a| a.value.clone()).or_else(|| outside(name)).map(|value| (value, false))
    };
    let names = Names { inside: &inside, outside: &outside, deferred };
    let mut good = true;
    let mut from = 0;
    let mut length = 0;
    while let Some(start) = text[from..].find("${").map(|at| from + at) {
        source.copy(from, start - from);
        length += start - from;
        let fail = |failure: Failure| context.fail(&source.place_of_original(start), failure);
        let Some(end) = closing(&text, start + 2) else {
            fail(Failure::new("\"${\" without its \"}\""));
            return false;
        };
        let inside = &text[start + 2..end];
        let (name, default) = name_and_default(inside);
        let is_given = || attributes.iter().any(|given| given.name == name);
        if !default.is_empty() && !deferred.contains(&name) && !declared.has(name) && !is_given() {
            context.note_taken(source.place_of_original(start), name, default);
        }
        match replaced(inside, &names, 0) {
            Ok(value) => {
                length += value.len();
                let afforded = context.spend(value.len());
                if let Err(failure) = if length > MAX_BYTES { Err(too_long(MAX_BYTES)) } else { afforded } {
                    fail(failure);
                    return false;
                }
                source.replace(start, &value);
            }
            Err(failure) => {
                fail(failure);
                good = false;
            }
        }
        from = end + 1;
    }
    source.copy(from, text.len() - from);
    good
}

fn variable_or_environment(context: &Context, name: &str, author: Author) -> Option<String> {
    let environment = || std::env::var(name).ok().filter(|_| author == Author::Local);
    context.variable(name).or_else(environment)
}

/// `text` with its `${…}` replaced as in an included file, but without attributes, as MVSim reads the names of vehicles.
pub(super) fn substitute_value(context: &Context, text: &str, author: Author) -> Result<String, Failure> {
    let outside = |name: &str| variable_or_environment(context, name, author);
    let inside = |name: &str| Some((outside(name)?, false));
    replaced_all(text, &Names { inside: &inside, outside: &outside, deferred: &[] }, 0)
}

impl Context {
    /// `text` with `${…}`, `$env{…}`, `$(…)` and `$f{…}` replaced. None on failure, after recording the error at `place`.
    pub fn evaluate(&self, text: &str, place: &Place, scope: Scope, names: &[(String, String)]) -> Option<String> {
        if !text.contains('$') {
            return Some(text.to_string());
        }
        match evaluate(self, text, place, scope, names) {
            Ok(value) => Some(value),
            Err(failure) => {
                self.fail(place, failure);
                None
            }
        }
    }

    /// [`Self::evaluate`] without recording problems or drawing random numbers.
    pub(super) fn try_evaluate(
        &self,
        text: &str,
        place: &Place,
        scope: Scope,
        names: &[(String, String)],
    ) -> Result<String, Failure> {
        let before = self.generator.borrow().clone();
        let value = evaluate(self, text, place, scope, names);
        *self.generator.borrow_mut() = before;
        value
    }
}

fn too_long(longest: usize) -> Failure {
    Failure::new(format!("substitution would make it longer than {} MiB", longest >> 20))
}

/// The `}` that closes a brace opened before `from`, with nested braces matched.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The parts of `${name|default}` between its braces; the default is empty if there is none.
fn name_and_default(inside: &str) -> (&str, &str) {
    let (name, default) = inside.split_once('|').unwrap_or((inside, ""));
    (name.trim(), default)
}

/// The value of `${inside}`, with its own references replaced.
fn replaced(inside: &str, names: &Names<'_>, depth: usize) -> Result<String, Failure> {
    if depth > DEEPEST {
        let message =
            format!("\"${{{}}}\" refers to itself, or to a chain of more than {DEEPEST} others", start_of(inside));
        return Err(Failure::new(message));
    }
    let (name, default) = name_and_default(inside);
    if names.deferred.contains(&name) {
        // The default is dropped, since single values do not support defaults.
        return Ok(format!("${{{name}}}"));
    }
    let (value, is_outside) = match (names.inside)(name) {
        Some(value_and_origin) => value_and_origin,
        None if !default.is_empty() => (default.to_string(), false),
        None => {
            let failure = Failure::new(format!("\"{name}\" is not defined and has no default"));
            return Err(
                failure.hint(format!("give it in the <include …> as {name}=\"…\", or a default as ${{{name}|…}}"))
            );
        }
    };
    if !is_outside {
        return replaced_all(&value, names, depth + 1);
    }
    let outside = |name: &str| Some(((names.outside)(name)?, false));
    replaced_all(&value, &Names { inside: &outside, ..*names }, depth + 1)
}

/// `text` with every `${…}` replaced.
fn replaced_all(text: &str, names: &Names<'_>, depth: usize) -> Result<String, Failure> {
    replace_each(text, ["${", "}"], |inside| closing(inside, 0), MAX_BYTES, |inside| replaced(inside, names, depth))
}

/// `text` with every delimited part replaced by the `value` of its inside. `end_of` finds the closing delimiter in the text after the
/// opening one; the result may have at most `longest` bytes.
fn replace_each(
    text: &str,
    [open, close]: [&str; 2],
    end_of: impl Fn(&str) -> Option<usize>,
    longest: usize,
    mut value: impl FnMut(&str) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let mut result = String::new();
    let mut remaining_text = text;
    while let Some(start) = remaining_text.find(open) {
        result.push_str(&remaining_text[..start]);
        let inside = &remaining_text[start + open.len()..];
        let end = end_of(inside).ok_or_else(|| Failure::new(format!("\"{open}\" without its \"{close}\"")))?;
        result.push_str(&value(&inside[..end])?);
        if result.len() > longest {
            return Err(too_long(longest));
        }
        remaining_text = &inside[end + close.len()..];
    }
    result.push_str(remaining_text);
    Ok(result)
}

/// The start of a text, short enough for a readable message.
fn start_of(text: &str) -> String {
    const MAX_BYTES: usize = 200;
    match text.char_indices().nth(MAX_BYTES) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// A single value at `place`, with every `$…` replaced.
fn evaluate(
    context: &Context,
    text: &str,
    place: &Place,
    scope: Scope,
    names: &[(String, String)],
) -> Result<String, Failure> {
    let author = context.author_at(place);
    let replaced =
        |text: &str, open: &'static str, close: &'static str, value: &dyn Fn(&str) -> Result<String, Failure>| {
            replace_each(
                text,
                [open, close],
                |inside| inside.find(close),
                MAX_VALUE_LENGTH,
                |inside| {
                    let value = value(inside)?;
                    context.spend(value.len())?;
                    Ok(value)
                },
            )
        };
    let mut text = text.to_string();
    for _ in 0..MAX_ROUNDS {
        context.spend(text.len())?;
        let before = text.clone();
        text = replaced(&text, "${", "}", &|name| variable(context, name, place, scope, names))?;
        text = replaced(&text, "$env{", "}", &|name| {
            if author == Author::Remote {
                return Err(refused_to_remote(&format!("$env{{{name}}}")));
            }
            std::env::var(name).map_err(|_| Failure::new(format!("environment variable \"{name}\" is not set")))
        })?;
        text = replaced(&text, "$(", ")", &|command| match author {
            Author::Local => run(context, command),
            Author::Remote => Err(refused_to_remote(&format!("$({command})"))),
        })?;
        if let Some(start) = text.find("$f{") {
            let Some(end) = text[start..].find('}').map(|at| start + at) else {
                return Err(Failure::new("\"$f{\" without its \"}\""));
            };
            let written = &text[start + 3..end];
            let number = |name: &str| numeric(context, name, place, scope, names);
            let value = expression::evaluate(written, &number, &mut context.generator.borrow_mut())
                .map_err(|reason| Failure::new(format!("bad expression \"{}\": {reason}", start_of(written))))?;
            text = format!("{}{}{}", &text[..start], format_g(value), &text[end + 1..]);
        }
        if text == before {
            return Ok(text);
        }
        if text.len() > MAX_VALUE_LENGTH {
            return Err(too_long(MAX_VALUE_LENGTH));
        }
    }
    Err(Failure::new(format!("more than {MAX_ROUNDS} rounds of substitution in one value")))
}

fn refused_to_remote(written: &str) -> Failure {
    Failure::new(format!("\"{}\" in a text from the network", start_of(written)))
        .hint("only files of this machine may use the environment and commands")
}

fn variable(
    context: &Context,
    name: &str,
    place: &Place,
    scope: Scope,
    names: &[(String, String)],
) -> Result<String, Failure> {
    let name = name.trim();
    if let Some((_, value)) = names.iter().find(|(known, _)| known == name) {
        return Ok(value.clone());
    }
    let world = context.variable_for(name, place);
    match (scope, world) {
        (Scope::World, Some(value)) => Ok(value),
        (Scope::Constant, Some(_)) => Err(Failure::new(format!("variable \"{name}\" cannot be used here"))
            .hint("use it in an included file, where variables are replaced as text")),
        (_, None) => {
            let failure = Failure::new(format!("variable \"{name}\" is not defined"));
            Err(if name.contains('|') {
                failure.hint("defaults after \"|\" work in included files only")
            } else if context.author_at(place) == Author::Local && std::env::var_os(name).is_some() {
                failure.hint(format!("the environment is $env{{{name}}}"))
            } else {
                failure.hint(format!("<variable name=\"{name}\" value=\"…\"/> before it defines it"))
            })
        }
    }
}

/// The value of a name in an expression: expressions ignore case, so an exact match takes precedence.
fn numeric(context: &Context, name: &str, place: &Place, scope: Scope, names: &[(String, String)]) -> Option<f64> {
    let number = |text: String| scan_number(&text).map(|(value, _)| value);
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    let local = names.iter().find(|(known, _)| same(known));
    if let Some(value) = local.and_then(|(_, value)| number(value.clone())) {
        return Some(value);
    }
    if scope == Scope::Constant {
        return None;
    }
    context.variable_of_any_case(name, place).and_then(number)
}

/// The output of a command, without line ends; each command runs once in a load.
fn run(context: &Context, command: &str) -> Result<String, Failure> {
    if let Some(package) = package_prefix(command) {
        return package;
    }
    if !context.options.allow_commands {
        return Err(Failure::new(format!("\"$({command})\" would run a command"))
            .hint("commands in world files need permission, such as --allow-commands"));
    }
    if let Some(known) = context.commands.borrow().get(command) {
        return known.clone().map_err(Failure::new);
    }
    context.progress().tell(&format!("running {command}"));
    let output = output(command).map_err(|why| format!("command \"{command}\" {why}"));
    context.commands.borrow_mut().insert(command.to_string(), output.clone());
    output.map_err(Failure::new)
}

/// The answer to `ros2 pkg prefix [--share] package`, which needs no command.
fn package_prefix(command: &str) -> Option<Result<String, Failure>> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["ros2", "pkg", "prefix", arguments @ ..] = words.as_slice() else { return None };
    let ([package] | ["--share", package] | [package, "--share"]) = arguments else { return None };
    let prefixes = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
    let Some(prefix) = assets::package_prefix(&prefixes, package) else {
        return Some(Err(Failure::new(format!("ROS package \"{package}\" is not in AMENT_PREFIX_PATH"))));
    };
    let folder = match arguments.len() {
        1 => prefix,
        _ => prefix.join("share").join(package),
    };
    Some(Ok(folder.to_string_lossy().into_owned()))
}

/// The output of a command, or why it failed. Its input is empty; its error output goes to ours.
fn output(command: &str) -> Result<String, String> {
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(command)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("did not start: {error}"))?;
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(MAX_VALUE_LENGTH as u64 + 1).read_to_end(&mut bytes),
        None => Ok(0),
    };
    if read.is_err() || bytes.len() > MAX_VALUE_LENGTH {
        // Otherwise it would wait forever for a reader.
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("writes more than {MAX_VALUE_LENGTH} bytes"));
    }
    match child.wait() {
        Ok(status) if status.success() => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(text.trim().replace(['\r', '\n'], ""))
        }
        Ok(status) => Err(format!("failed: {status}")),
        Err(error) => Err(format!("did not end: {error}")),
    }
}
