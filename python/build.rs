//! Gives the compiled module what it cannot find out at run time: the commit that it is built from, which results of sweeps keep, and the docstrings of
//! its stub, so that `help()` and editors show the same text.
#![allow(clippy::panic, reason = "a build script that panics is how cargo gets its message")]

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

const STUB: &str = "skidpad/_skidpad.pyi";

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // Without a repository, as in a source package, there is no commit.
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=SKIDPAD_COMMIT={commit}");
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let stub = fs::read_to_string(STUB).unwrap_or_else(|error| panic!("{STUB}: {error}"));
    let arms: String =
        docstrings(&stub).iter().map(|(name, text)| format!("    ({name}) => {{ {text:?} }};\n")).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("docstrings.rs");
    fs::write(&out, format!("macro_rules! doc {{\n{arms}}}\n"))
        .unwrap_or_else(|error| panic!("{}: {error}", out.display()));
    println!("cargo::rerun-if-changed={STUB}");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The docstrings of a stub, each with the name of what it describes: `World`, `World.step`, `World.time`, `main`. The stub is formatted: members of classes
/// are indented by four columns.
fn docstrings(stub: &str) -> Vec<(String, String)> {
    let (mut class, mut owner, mut texts) = ("", String::new(), Vec::new());
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some(first) = code.strip_prefix("\"\"\"") {
            let mut text = first.to_owned();
            while !text.ends_with("\"\"\"") {
                let next = lines.next().unwrap_or("\"\"\"");
                text += "\n";
                text += next.get(indent..).unwrap_or(next.trim_start());
            }
            if !owner.is_empty() {
                texts.push((owner.clone(), text.trim_end_matches("\"\"\"").trim_end().to_owned()));
            }
        } else if let Some(name) = code.strip_prefix("class ") {
            class = identifier(name);
            owner = class.to_owned();
        } else if indent <= 4 {
            let function = code.strip_prefix("def ");
            let name = identifier(function.unwrap_or(code));
            if function.is_some() && code.ends_with('(') {
                // Parameters, a line each, are not among its names.
                lines.by_ref().find(|line| line.trim_start().starts_with(')'));
            }
            // A decorator begins with `@`.
            if !name.is_empty() {
                owner = if indent == 0 { name.to_owned() } else { format!("{class}.{name}") };
            }
        }
    }
    texts
}

/// The name that a line of code begins with; empty if it begins with something else.
fn identifier(code: &str) -> &str {
    let end = code.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(code.len());
    &code[..end]
}
