//! The simulation brings the libraries of physics and few others: whoever adds `skidpad-sim` to a program builds them all.

use std::collections::BTreeSet;
use std::process::Command;

use skidpad_test_support::watched::Watch;

use super::root;

/// Most crates besides skidpad's own that `cargo add skidpad-sim` may bring. rapier2d, parry2d and nalgebra are 50 of them.
const MAX_CRATES: usize = 88;

/// The crates of a tree that are not skidpad's, each with its version.
fn foreign(tree: &str) -> BTreeSet<&str> {
    let crates = tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end_matches(" (proc-macro)"));
    crates.filter(|name| !name.is_empty() && !name.starts_with("skidpad-")).collect()
}

#[test]
fn the_simulation_brings_few_crates() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["tree", "--offline", "--locked", "--package", "skidpad-sim"]);
    cargo.args(["--edges", "normal,build", "--prefix", "none", "--target", "x86_64-unknown-linux-gnu"]);
    let output = cargo.finish();
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let actual = foreign(&tree);
    assert!(actual.iter().any(|name| name.starts_with("rapier2d-f64 ")), "{tree}");
    let list = actual.iter().copied().collect::<Vec<_>>().join("\n");
    assert!(actual.len() <= MAX_CRATES, "skidpad-sim brings {} crates\n  accepted: {MAX_CRATES}\n{list}", actual.len());
    let sample = "skidpad-sim v0.1.0 (/a)\nsyn v2.0.1\nsyn v3.0.1\nserde_derive v1.0.1 (proc-macro) (*)\nsyn v2.0.1 (*)\nskidpad-math v0.1.0 (/b) (*)\n\n";
    assert_eq!(foreign(sample), BTreeSet::from(["serde_derive v1.0.1", "syn v2.0.1", "syn v3.0.1"]));
}
