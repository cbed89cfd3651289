//! The tutorials of the manual, followed to the letter. In an empty folder a test writes the files that a page shows,
//! runs its commands in order, and looks for the output that the page shows. A page consists of text and of blocks:
//!
//! * `sh`: commands, one a line. A ` # ` begins a comment.
//! * `text`: what these commands print. Its lines occur in this order; `…` stands for what is left out, within a line
//!   or for lines.
//! * any other: a file, whose name in backticks and a colon end the line before.
//!
//! Commands that need ROS, a display, the network or a checkout are checked for their form, see `check_form`.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::launch;
use crate::support::{Done, Lab};

/// What a reader of a tutorial does next.
#[derive(Debug, PartialEq)]
enum Step<'a> {
    Write { name: &'a str, text: String },
    Run { commands: Vec<&'a str>, output: Vec<&'a str> },
}

/// The steps of a page.
fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut before = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            before = if line.is_empty() { before } else { line };
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match (language, steps.last_mut()) {
            ("sh", _) => {
                let commands = block.iter().map(|line| line.split(" # ").next().unwrap().trim());
                steps.push(Step::Run { commands: commands.collect(), output: Vec::new() });
            }
            ("text", Some(Step::Run { output, .. })) if output.is_empty() => *output = block,
            _ => {
                let name = before.strip_suffix("`:").and_then(|text| text.rsplit('`').next());
                let name = name.unwrap_or_else(|| panic!("a block without a name: {block:#?}"));
                steps.push(Step::Write { name, text: block.join("\n") + "\n" });
            }
        }
    }
    steps
}

/// Whether a line has the parts between the `…` of `shown` in their order, from its beginning to its end.
fn is_shown(line: &str, shown: &str) -> bool {
    let mut parts: VecDeque<&str> = shown.split('…').map(str::trim).collect();
    let (first, last) = (parts.pop_front().unwrap_or_default(), parts.pop_back());
    let Some(mut rest) = line.trim().strip_prefix(first) else { return false };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

/// The first line of `shown` that does not occur after those before it.
fn first_missing<'a>(printed: &str, shown: &[&'a str]) -> Option<&'a str> {
    let mut lines = printed.lines();
    shown.iter().copied().filter(|line| line.trim() != "…").find(|shown| !lines.any(|line| is_shown(line, shown)))
}

/// A tutorial that is being followed.
struct Reader<'a> {
    page: &'a str,
    lab: Lab,
    /// What there is of presets, parameters and nodes.
    listed: Listed,
    /// A Python with the package `skidpad`.
    python: Option<PathBuf>,
}

struct Listed {
    presets: String,
    parameters: String,
    nodes: String,
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
            }
        }
    }
}

impl Reader<'_> {
    fn new(page: &str) -> Reader<'_> {
        let lab = Lab::new();
        let print = |arguments| lab.run(arguments).stdout;
        let listed = Listed {
            presets: print("list presets"),
            parameters: source("docs/parameters.md"),
            nodes: print("node --help"),
        };
        let python = std::env::var_os("SKIDPAD_PYTHON").map(PathBuf::from);
        Reader { page, lab, listed, python }
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
        for (name, value) in for_ros.split_whitespace().filter_map(|word| word.split_once(":=")) {
            let is_known = |list: &String| list.contains(&format!("`{name}`"));
            assert!([&self.listed.presets, &self.listed.parameters].into_iter().any(is_known), "{command}: {name}");
            assert!(name != "preset" || self.presets().contains(value), "{command}: {value}");
        }
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
        let done = Done::from(shell.output().unwrap());
        assert_eq!(done.status, Some(0), "{line}: {}", done.stdout);
        done.stdout
    }

    /// Checks a command that cannot run here against what it names: files, arguments, topics and their types.
    fn check_form(&self, words: &[&str]) -> Result<(), String> {
        let is_true = |is_true: bool, problem: &str| if is_true { Ok(()) } else { Err(problem.to_owned()) };
        match words {
            ["source", script] => is_true(root().join(script).is_file(), "no such file"),
            ["make", target, ..] => {
                let rule = format!("{target}:");
                is_true(source("Makefile").lines().any(|line| line.starts_with(&rule)), "no such target")
            }
            ["pip", "install", ..] => Ok(()),
            ["skidpad", "replay", file] => is_true(self.lab.path().join(file).is_file(), "no such file"),
            ["ros2", "launch", "skidpad", file, arguments @ ..] => {
                let path = root().join("launch").join(file);
                let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
                let declared = launch::arguments(&text);
                for (name, value) in arguments.iter().filter_map(|word| word.split_once(":=")) {
                    is_true(declared.contains(&name), &format!("no argument {name}"))?;
                    is_true(name != "world" || self.has_world(value), &format!("no world {value}"))?;
                }
                Ok(())
            }
            ["ros2", "run", "skidpad", node, ..] | ["skidpad", "node", node, ..] => {
                is_true(self.listed.nodes.contains(&format!("  {node} ")), "no such node")
            }
            ["ros2", "topic", "list", ..] => Ok(()),
            ["ros2", "topic", verb, rest @ ..] => {
                check_ros2("topic", verb, rest)?;
                let topic = rest.iter().find(|word| word.starts_with('/')).ok_or("no topic")?;
                let types = self.topic_types(topic);
                is_true(!types.is_empty(), &format!("no such topic in {:?}", self.used_presets()))?;
                let Some(kind) = rest.iter().find(|word| word.contains("/msg/")) else { return Ok(()) };
                // `geometry_msgs/msg/Twist or TwistStamped` are two.
                let name = kind.rsplit('/').next();
                let is_of_it = |types: &String| types.split([' ', '/']).any(|word| Some(word) == name);
                is_true(types.iter().any(is_of_it), &format!("of type {types:?}"))
            }
            ["ros2", group, verb, rest @ ..] => check_ros2(group, verb, rest),
            _ => Err("tests/program/tutorials.rs does not know commands of this kind".to_owned()),
        }
    }

    /// Whether a world is one of the page's files, or has this name.
    fn has_world(&self, value: &str) -> bool {
        let own = value.strip_prefix("$PWD/").is_some_and(|file| self.lab.path().join(file).is_file());
        own || root().join(format!("worlds/{value}.world.xml")).is_file()
    }

    fn presets(&self) -> BTreeSet<&str> {
        self.listed.presets.lines().filter_map(|line| line.strip_prefix("## ")).collect()
    }

    /// The presets that the page names; skidpad's own names if it names none.
    fn used_presets(&self) -> BTreeSet<&str> {
        let words: BTreeSet<&str> = self.page.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let used: BTreeSet<&str> =
            self.presets().into_iter().filter(|name| *name != "skidpad" && words.contains(name)).collect();
        if used.is_empty() { BTreeSet::from(["skidpad"]) } else { used }
    }

    /// The types that the tables of these presets give to a topic, also below the name of a vehicle; `sensor` for the
    /// topics of sensors, whose names the files of the page give.
    fn topic_types(&self, topic: &str) -> Vec<String> {
        let topic = topic.trim_start_matches('/');
        let below_vehicle = topic.split_once('/').filter(|(vehicle, _)| self.page.matches(vehicle).count() > 1);
        let wanted = [Some(topic), below_vehicle.map(|(_, rest)| rest)];
        let mut types = Vec::new();
        for preset in self.used_presets() {
            let (_, section) = self.listed.presets.split_once(&format!("## {preset}\n")).unwrap();
            let section = section.split("\n## ").next().unwrap();
            let cells = |line: &str| line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect();
            let rows: Vec<Vec<String>> = section.lines().filter(|line| line.starts_with("| `")).map(cells).collect();
            for row in rows.iter().filter(|row| row[2].contains("/msg/")) {
                let names = resolved(row[1].trim_start_matches('/'), &rows);
                if wanted.iter().flatten().any(|wanted| names.iter().any(|name| name == wanted)) {
                    types.push(row[2].clone());
                }
            }
        }
        // The multiplexer relays commands that come on the topics of the original.
        if self.used_presets().contains("racecar_gazebo")
            && source("config/ackermann_mux.yaml").contains(&format!("from: /{topic}\n"))
        {
            types.push("ackermann_msgs/msg/AckermannDriveStamped".to_owned());
        }
        let is_sensor = |name: &str| self.page.contains(&format!(" name=\"{name}\""));
        types.extend(wanted.iter().flatten().filter(|name| is_sensor(name)).map(|_| "sensor".to_owned()));
        types
    }
}

/// A topic with the words in braces replaced by each of their defaults, which rows of the preset give.
fn resolved(topic: &str, rows: &[Vec<String>]) -> Vec<String> {
    let Some((before, (word, after))) =
        topic.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return vec![topic.to_owned()];
    };
    let word = format!("{{{word}}}");
    let defaults = rows.iter().filter(|row| row[1] == word).map(|row| format!("{before}{}{after}", row[3]));
    defaults.flat_map(|topic| resolved(&topic, rows)).collect()
}

/// Checks that the `ros2` of the private ROS has a command and its options, so that no installed ROS is needed.
fn check_ros2(group: &str, verb: &str, rest: &[&str]) -> Result<(), String> {
    let text = fs::read_to_string(root().join(format!("ros/cli/{group}.py"))).unwrap_or_default();
    let is_option =
        |word: &&&str| word.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|c: char| c.is_numeric()));
    let options = rest.iter().filter(is_option).map(|option| format!("\"{option}\""));
    let lacking = std::iter::once(format!("add_parser(\"{verb}\"")).chain(options).find(|part| !text.contains(part));
    lacking.map_or(Ok(()), |part| Err(format!("ros/cli/{group}.py has no {part}")))
}

#[test]
fn every_tutorial_is_followed() {
    let pages: BTreeSet<String> = fs::read_dir(root().join("docs/tutorials"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let text = source("tests/program/tutorials.rs");
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

#[test]
fn a_page_is_read_as_its_reader_does() {
    let page = "# T\nWrite `a` to `b.csv`:\n\n```csv\n1\n2\n```\nThen\n```sh\none # first\ntwo\n```\n```text\nx\n```\n";
    let written = Step::Write { name: "b.csv", text: "1\n2\n".into() };
    assert_eq!(steps(page), [written, Step::Run { commands: vec!["one", "two"], output: vec!["x"] }]);

    let printed = "a 1.5 m\n  b\nc 2 s, d\n";
    assert_eq!(first_missing(printed, &["a … m", "…", "b", "c 2 …"]), None);
    assert_eq!(first_missing(printed, &["b", "a 1.5 m"]), Some("a 1.5 m"));
    assert_eq!(first_missing(printed, &["a 1.5"]), Some("a 1.5"));
    assert_eq!(first_missing(printed, &["a … s"]), Some("a … s"));
}

#[test]
fn commands_that_cannot_run_here_are_checked_for_their_form() {
    let reader = Reader::new("<sensor class=\"laser\" name=\"scan\"/> r1 r1");
    let check = |command: &str| reader.check_form(&command.split_whitespace().collect::<Vec<_>>());
    for right in [
        "source ros/env.sh",
        "make drive SPEED=1",
        "pip install numpy",
        "ros2 launch skidpad sim.launch.py world:=office rate:=2",
        "ros2 run skidpad keyboard_teleop",
        "ros2 topic list",
        "ros2 topic echo /r1/scan",
        "ros2 topic pub -r 10 /cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.5}}'",
        "ros2 param set /skidpad rate 2.0",
    ] {
        assert_eq!(check(right), Ok(()), "{right}");
    }
    for (wrong, problem) in [
        ("source env.sh", "no such file"),
        ("make drives", "no such target"),
        ("ros2 launch skidpad sim.launch.py word:=office", "no argument word"),
        ("ros2 launch skidpad sim.launch.py world:=offices", "no world offices"),
        ("ros2 run skidpad teleop", "no such node"),
        ("ros2 topic echo /r2/scan", "no such topic in {\"skidpad\"}"),
        ("ros2 topic delay /scan", "ros/cli/topic.py has no add_parser(\"delay\""),
        ("ros2 topic echo --twice /scan", "ros/cli/topic.py has no \"--twice\""),
        ("ros2 topic pub /cmd_vel std_msgs/msg/Bool '{}'", "of type [\"geometry_msgs/msg/Twist or TwistStamped\"]"),
        ("ros2 doctor hello", "ros/cli/doctor.py has no add_parser(\"hello\""),
        ("rosrun gazebo gzserver", "tests/program/tutorials.rs does not know commands of this kind"),
    ] {
        assert_eq!(check(wrong), Err(problem.to_owned()), "{wrong}");
    }
}
