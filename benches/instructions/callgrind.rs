//! Runs this program under callgrind, which writes a profile for each case, and adds up what the program itself executes.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What one case takes.
#[derive(Debug, PartialEq)]
pub(super) struct Count {
    /// Name of the case.
    pub name: String,
    /// Instructions for each unit of it.
    pub instructions: f64,
    /// The unit, such as a step.
    pub unit: String,
}

/// The work of one case. callgrind counts inside this function only, and writes a profile when it returns.
#[unsafe(no_mangle)]
#[inline(never)]
pub(super) fn skidpad_counted(work: &mut dyn FnMut()) {
    work();
    // Not a tail call: the work belongs to this function.
    std::hint::black_box(());
}

/// Prints what [`counts`] reads: a line for each case, in the order of their profiles.
pub(super) fn announce(name: &str, units: usize, unit: &str) {
    println!("{name}\t{units}\t{unit}");
}

/// Runs this program with `argument` under callgrind.
pub(super) fn counts(argument: &str) -> Result<Vec<Count>, String> {
    let failed = |task: &str, error: std::io::Error| format!("{task}: {error}");
    let program = std::env::current_exe().map_err(|error| failed("instructions", error))?;
    let folder = tempfile::tempdir().map_err(|error| failed("instructions", error))?;
    let profile = folder.path().join("profile");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--toggle-collect=skidpad_counted", "--dump-after=skidpad_counted"]);
    valgrind.args(["--compress-strings=no", "--compress-pos=no", "--dump-line=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", profile.display())).arg(&program).arg(argument);
    let output = valgrind.output().map_err(|error| failed("valgrind", error))?;
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let mut counts = Vec::new();
    for (index, line) in String::from_utf8_lossy(&output.stdout).lines().enumerate() {
        let mut parts = line.split('\t');
        let (Some(name), Some(units), Some(unit)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("instructions: found the line \"{line}\""));
        };
        let units: f64 = units.parse().map_err(|error| format!("instructions: {line}: {error}"))?;
        let path = format!("{}.{}", profile.display(), index + 1);
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
        let instructions = instructions(&text, &program) as f64 / units;
        counts.push(Count { name: name.to_owned(), instructions, unit: unit.to_owned() });
    }
    Ok(counts)
}

/// Instructions executed in the code of `program`: the cost lines of its functions, without those of their calls, which are
/// counted where the called function is.
fn instructions(profile: &str, program: &Path) -> u64 {
    let program = program.to_string_lossy();
    let (mut is_of_program, mut is_call, mut sum) = (false, false, 0);
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            is_of_program = object == program;
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let cost = line.split_whitespace().last().and_then(|cost| cost.parse::<u64>().ok());
            if is_of_program && !is_call {
                sum += cost.unwrap_or(0);
            }
            is_call = false;
        }
    }
    sum
}
