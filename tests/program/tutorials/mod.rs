//! The tutorials of the manual, followed to the letter. In an empty folder a test writes the files that a page shows,
//! runs its commands in order (here), and looks for the output that the page shows (`page.rs`). Commands that need
//! ROS, a display or the network are checked for their form (`form.rs`).

mod form;
mod page;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use skidpad_test_support::watched::Watch;

use self::form::Names;
use self::page::{Step, first_missing, hidden_warning, steps};
use crate::support::{Done, Lab};

/// A tutorial that is being followed.
struct Reader<'a> {
    page: &'a str,
    lab: Lab,
    names: Names,
    /// A Python with the package `skidpad`.
    python: Option<PathBuf>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Follows a page of `docs/tutorials`.
#[track_caller]
fn follow(name: &str) {
    let page = source(&format!("docs/tutorials/{name}.md"));
    let reader = Reader::new(&page);
    let steps = steps(&page);
    assert!(steps.len() > 3, "{steps:#?}");
    for step in steps {
        match step {
            Step::Write { name, text } => drop(reader.lab.write(name, &text)),
            Step::Run { commands, output } => {
                let printed: Vec<Option<String>> = commands.iter().map(|command| reader.run(command)).collect();
                // Without what a command prints that cannot run here, there is nothing to compare.
                let Some(printed) = printed.into_iter().collect::<Option<String>>() else { continue };
                let missing = first_missing(&printed, &output);
                assert_eq!(missing, None, "{name}.md: {commands:#?} printed\n{printed}");
                assert_eq!(hidden_warning(&printed, &output), None, "{name}.md: {commands:#?} printed\n{printed}");
            }
        }
    }
}

impl Reader<'_> {
    fn new(page: &str) -> Reader<'_> {
        let lab = Lab::new();
        let names = Names::new(|arguments| lab.run(arguments).stdout);
        let python = std::env::var_os("SKIDPAD_PYTHON").map(PathBuf::from);
        Reader { page, lab, names, python }
    }

    /// Runs a command where that is possible here, and returns what it printed; checks its form otherwise.
    fn run(&self, command: &str) -> Option<String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let runs_here = match words[0] {
            "ls" | "for" | "tail" => true,
            // A node needs ROS, and a replay goes on for ever.
            "skidpad" if !["node", "replay"].contains(&words[1]) => true,
            // The package `skidpad` is installed where it is tested: `make test-python`.
            "python3" => {
                self.shell(&format!("python3 -m py_compile {}", words[1]));
                let script = self.lab.read(words[1]);
                !script.contains("import rclpy") && (self.python.is_some() || !script.contains("import skidpad"))
            }
            _ => {
                self.check_form(&words).unwrap_or_else(|problem| panic!("{command}: {problem}"));
                false
            }
        };
        runs_here.then(|| self.shell(&self.without_ros(command)))
    }

    /// The command for a build without ROS, whose arguments are checked. A run that would go on for ever ends here after a second.
    fn without_ros(&self, command: &str) -> String {
        let (command, for_ros) = command.split_once(" --ros-args ").unwrap_or((command, ""));
        self.check_parameters(for_ros).unwrap_or_else(|problem| panic!("{command}: {problem}"));
        if !command.starts_with("skidpad run ") {
            return command.to_owned();
        }
        let end = if command.contains("--duration") { "" } else { " --headless --rate max --duration 1" };
        format!("{command} --no-ros{end}")
    }

    /// Runs a line of shell in the folder, with the program under test on the PATH.
    fn shell(&self, line: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_skidpad"));
        let python = self.python.as_deref();
        let folders = [Some(program), python].into_iter().flatten().filter_map(Path::parent).map(Path::to_path_buf);
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&inherited))).unwrap();
        let mut shell = Command::new("sh");
        // Output and messages in the order in which a terminal shows them.
        shell.args(["-c", &format!("exec 2>&1\n{line}")]).current_dir(self.lab.path()).stdin(Stdio::null());
        let shell = shell.env("PATH", path).env_remove("RUST_LOG").env_remove("AMENT_PREFIX_PATH");
        let done = Done::from(shell.finish());
        assert_eq!(done.status, Some(0), "{line}: {}", done.stdout);
        done.stdout
    }
}

#[test]
fn every_tutorial_is_followed() {
    let pages: BTreeSet<String> = fs::read_dir(root().join("docs/tutorials"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let text = source("tests/program/tutorials/mod.rs");
    let followed = text.lines().filter_map(|line| line.trim().strip_prefix("follow(\"")?.strip_suffix("\");"));
    assert_eq!(pages, followed.map(str::to_owned).collect());
}

#[test]
fn my_own_robot() {
    follow("my_own_robot");
}

#[test]
fn tracking_experiment() {
    follow("tracking_experiment");
}

#[test]
fn fifty_robots() {
    follow("fifty_robots");
}

#[test]
fn from_mvsim() {
    follow("from_mvsim");
}

#[test]
fn f1tenth_race() {
    follow("f1tenth_race");
}

#[test]
fn from_gazebo_racecar() {
    follow("from_gazebo_racecar");
}

#[test]
fn nav2_three_robots() {
    follow("nav2_three_robots");
}
