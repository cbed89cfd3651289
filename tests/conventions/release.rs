//! The version stands in one place, Cargo.toml; what has to repeat it says the same.

use std::fs;

use super::{Text, none, root, texts};

/// Where another version stands: in package.xml, CHANGELOG.md, pyproject.toml and the manifests of crates.
fn other_versions(version: &str, files: &[Text]) -> Vec<String> {
    let mut faults = Vec::new();
    for Text { path, content: text } in files {
        let wrong = |fault: &str| format!("{path}: {fault}\n  accepted: the version of Cargo.toml, {version}");
        if path.ends_with("package.xml") {
            let stated = enclosed(text, "<version>", "</version>").unwrap_or("");
            faults.extend((stated != version).then(|| wrong(&format!("<version> is \"{stated}\""))));
        } else if path.ends_with("CHANGELOG.md") {
            let heading = text.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or("");
            let stated = heading.split(' ').next().unwrap_or("");
            faults.extend((stated != version).then(|| wrong(&format!("the newest version is \"{heading}\""))));
        } else if path.ends_with("pyproject.toml") {
            let is_from_cargo = text.lines().any(|line| line.starts_with("dynamic = [\"version\""));
            faults.extend((!is_from_cargo).then(|| wrong("no dynamic version")));
        } else {
            let inherits = text.lines().any(|line| line.trim() == "version.workspace = true");
            faults.extend((!inherits).then(|| wrong("no version.workspace = true")));
        }
    }
    faults
}

fn enclosed<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once(end).map(|(inner, _)| inner)
}

#[test]
fn one_version_stands_everywhere() {
    let read = |path: &str| Text::new(path, &fs::read_to_string(root().join(path)).unwrap());
    let mut files: Vec<Text> =
        ["src", "benches", "xtask"].iter().flat_map(|folder| texts(folder, &["Cargo.toml"])).collect();
    assert!(files.len() > 1, "{} manifests found", files.len());
    files.extend(["Cargo.toml", "python/Cargo.toml", "package.xml", "CHANGELOG.md", "pyproject.toml"].map(read));
    // cargo itself compares the versions by which crates ask for each other.
    none(other_versions(env!("CARGO_PKG_VERSION"), &files));
    let bad = [
        Text::new("package.xml", "<version>0.2.0</version>"),
        Text::new("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.1.0\n"),
        Text::new("pyproject.toml", "version = \"0.1.0\"\n"),
        Text::new("a/Cargo.toml", "version = \"0.1.0\"\n"),
    ];
    assert_eq!(other_versions("0.1.0", &bad).len(), bad.len());
}
