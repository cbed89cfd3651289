//! Files that ARCHITECTURE.md and the pages of decisions name exist.

use std::fs;

use super::{none, root, texts};

/// The Rust and TypeScript files that a text names in backticks, with all of `{a,b}`; none with a placeholder `x`.
fn named_files(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    for name in text.split('`').skip(1).step_by(2) {
        let all = match name.split_once('{').and_then(|(start, suffix)| Some((start, suffix.split_once('}')?))) {
            Some((start, (names, end))) => names.split(',').map(|part| format!("{start}{part}{end}")).collect(),
            None => vec![name.to_owned()],
        };
        let is_file = |name: &String| name.ends_with(".rs") || name.ends_with(".ts");
        let is_plain = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        let is_placeholder = |name: &String| name.split(['/', '.']).any(|part| ["x", "X"].contains(&part));
        files.extend(all.into_iter().filter(|name| is_file(name) && is_plain(name) && !is_placeholder(name)));
    }
    files
}

/// The names that are the end of no path.
fn missing(named: Vec<String>, paths: &[String]) -> Vec<String> {
    let exists = |name: &String| paths.iter().any(|path| path == name || path.ends_with(&format!("/{name}")));
    named.into_iter().filter(|name| !exists(name)).collect()
}

#[test]
fn files_that_the_architecture_names_exist() {
    let ends = [".rs", ".ts"];
    let folders = ["src", "tests", "benches", "web/src", "python/src", "xtask"];
    let paths: Vec<String> =
        folders.iter().flat_map(|folder| texts(folder, &ends)).map(|file| file.path.clone()).collect();
    let mut pages: Vec<_> =
        fs::read_dir(root().join("docs/decisions")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(pages.len() > 10, "{pages:?}");
    pages.push(root().join("ARCHITECTURE.md"));
    let of_page = |page: &std::path::PathBuf| {
        let document = fs::read_to_string(page).unwrap();
        let missing = missing(named_files(&document), &paths);
        missing.into_iter().map(|name| format!("{}: no file {name}", page.display())).collect::<Vec<_>>()
    };
    none(pages.iter().flat_map(of_page).collect());
    let text = "`world/gone.rs` `world/{world,gone}.rs` `src/x.rs` `a::b.rs` `mod.rs`";
    let paths = ["src/sim/world/world.rs".to_owned(), "src/sim/mod.rs".to_owned()];
    assert_eq!(missing(named_files(text), &paths), ["world/gone.rs", "world/gone.rs"]);
}
