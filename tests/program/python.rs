//! Commands of the Python package: the program hands over, or says what is missing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use skidpad_test_support::watched::Watch;

use crate::support::{Done, Lab};

/// A program that stands for a Python: it has the package or not, and prints its arguments.
fn python(lab: &Lab, has_package: bool) -> String {
    let status = i32::from(!has_package);
    let text = format!("#!/bin/sh\nif [ \"$1\" = -c ]; then exit {status}; fi\necho \"$@\"\nexit 7\n");
    let path = lab.write("python", &text);
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn the_python_package_gets_all_arguments_and_gives_the_status() {
    let lab = Lab::new();
    let python = python(&lab, true);
    let run = |arguments: &str| Done::from(lab.skidpad(arguments).env("SKIDPAD_PYTHON", &python).finish());
    let done = run("tune racecar --out x --seed 3");
    assert_eq!(
        (done.status, done.stdout.as_str()),
        (Some(7), "-m skidpad tune racecar --out x --seed 3\n"),
        "{}",
        done.stderr
    );
    let done = run("sweep w.xml --vary mass=1:5:1");
    assert_eq!((done.status, done.stdout.as_str()), (Some(7), "-m skidpad sweep w.xml --vary mass=1:5:1\n"));
}

#[test]
fn a_python_without_the_package_and_none_at_all_are_named() {
    let lab = Lab::new();
    let hint = "hint: pip install \".[all]\" in a clone of skidpad; SKIDPAD_PYTHON names another Python\n";
    for (python, reported) in [
        (python(&lab, false), "skidpad tune: PYTHON has no package skidpad\n"),
        ("/nowhere/python".to_owned(), "PYTHON: cannot be run: No such file or directory (os error 2)\n"),
    ] {
        let done = Done::from(lab.skidpad("tune racecar").env("SKIDPAD_PYTHON", &python).finish());
        assert_eq!(done.status, Some(1));
        assert_eq!(done.errors(), format!("{}  {hint}", reported.replace("PYTHON", &python)));
    }
}
