//! Each command of the manual and of the README is one that the program takes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;

use super::args;
use skidpad_program::ros_args;

/// The pages below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths.extend(pages(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
    paths
}

/// The commands in the blocks of a page, each with the number of its line. Lines that end with `\` go on.
fn commands(text: &str) -> Vec<(usize, String)> {
    let mut numbered: Vec<(usize, String)> = Vec::new();
    let (mut is_block, mut is_code, mut goes_on) = (false, false, false);
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            // Other languages show files and answers.
            is_code = is_block && ["```", "```sh", "```bash"].contains(&line.trim());
            continue;
        }
        if !is_code {
            continue;
        }
        let part = line.trim().trim_end_matches('\\');
        match numbered.last_mut() {
            Some((_, command)) if goes_on => command.push_str(part),
            _ => numbered.push((number + 1, part.to_owned())),
        }
        goes_on = line.ends_with('\\');
    }
    numbered
}

/// The words of `skidpad` in a command line, up to a pipe or the next command.
fn words(command: &str) -> Option<Vec<String>> {
    let words = shlex::split(command)?;
    let first = words.iter().position(|word| !word.contains('=') || word.starts_with('-'))?;
    let ends = ["|", "&&", ";", "&", ">", "2>", "||", ">>", "2>&1"];
    let own: Vec<String> = words[first..].iter().take_while(|word| !ends.contains(&word.as_str())).cloned().collect();
    // Prompts of a program are not words of it.
    (own.first()? == "skidpad").then_some(own)
}

#[test]
fn each_command_of_the_manual_is_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut refused = Vec::new();
    let mut count = 0;
    for page in pages(&root.join("docs")).into_iter().chain([root.join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        for (line, command) in commands(&text) {
            let Some(words) = words(&command) else { continue };
            count += 1;
            let (for_program, _) = ros_args::split(words.iter().map(OsString::from).collect());
            if let Err(error) = args::command().try_get_matches_from(for_program)
                && !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
            {
                let page = page.strip_prefix(root).unwrap().display();
                refused.push(format!("{page}:{line}: {command}\n{error}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(count > 200, "{count} commands");
    assert_eq!(
        words("A=1 skidpad run w --set 'a=b c' | head").unwrap(),
        ["skidpad", "run", "w", "--set", "a=b c"],
        "the check sees words as a shell does"
    );
    assert!(args::command().try_get_matches_from(["skidpad", "run", "w", "--no-such-option"]).is_err());
}
