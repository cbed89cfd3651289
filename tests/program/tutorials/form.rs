//! Commands that cannot run in a test are checked against what they name: files, launch arguments, parameters, topics
//! and their types, and commands of `ros2`.

use std::collections::BTreeSet;
use std::fs;

use super::{Reader, root, source};
use crate::launch;

/// What commands may name.
pub struct Names {
    /// Tables of the presets, from `skidpad list presets`.
    presets: String,
    /// The manual's table of parameters, which needs a build with ROS otherwise.
    parameters: String,
    /// Help of `skidpad node`.
    nodes: String,
}

impl Names {
    /// `print` gives the output of the program for its arguments.
    pub fn new(print: impl Fn(&str) -> String) -> Names {
        Names { presets: print("list presets"), parameters: source("docs/parameters.md"), nodes: print("node --help") }
    }
}

impl Reader<'_> {
    /// Checks the parameters that a command gives to ROS.
    pub fn check_parameters(&self, arguments: &str) -> Result<(), String> {
        for (name, value) in arguments.split_whitespace().filter_map(|word| word.split_once(":=")) {
            let is_known = |list: &String| list.contains(&format!("`{name}`"));
            let is_known = [&self.names.presets, &self.names.parameters].into_iter().any(is_known);
            is_true(is_known, &format!("no parameter {name}"))?;
            is_true(name != "preset" || self.presets().contains(value), &format!("no preset {value}"))?;
        }
        Ok(())
    }

    /// Checks a command that cannot run here against what it names: files, arguments, topics and their types.
    pub fn check_form(&self, words: &[&str]) -> Result<(), String> {
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
                is_true(self.names.nodes.contains(&format!("  {node} ")), "no such node")
            }
            ["ros2", "topic", "list", ..] => Ok(()),
            ["ros2", "topic", verb, arguments @ ..] => {
                check_ros2("topic", verb, arguments)?;
                let topic = arguments.iter().find(|word| word.starts_with('/')).ok_or("no topic")?;
                let types = self.topic_types(topic);
                is_true(!types.is_empty(), &format!("no such topic in {:?}", self.used_presets()))?;
                let Some(kind) = arguments.iter().find(|word| word.contains("/msg/")) else { return Ok(()) };
                // `geometry_msgs/msg/Twist or TwistStamped` are two.
                let name = kind.rsplit('/').next();
                let has_type = |types: &String| types.split([' ', '/']).any(|word| Some(word) == name);
                is_true(types.iter().any(has_type), &format!("of type {types:?}"))
            }
            ["ros2", "param", verb @ ("get" | "set" | "describe"), "/skidpad", name, ..] => {
                check_ros2("param", verb, &[])?;
                let of_vehicle = name.split_once('.').map(|(_, parameter)| format!("`<vehicle>.{parameter}`"));
                let names = of_vehicle.into_iter().chain([format!("`{name}`")]);
                is_true(names.into_iter().any(|name| self.names.parameters.contains(&name)), "no such parameter")
            }
            ["ros2", group, verb, arguments @ ..] => check_ros2(group, verb, arguments),
            _ => Err("tests/program/tutorials/form.rs does not know commands of this kind".to_owned()),
        }
    }

    /// Whether a world is one of the page's files, or has this name.
    fn has_world(&self, value: &str) -> bool {
        let own = value.strip_prefix("$PWD/").is_some_and(|file| self.lab.path().join(file).is_file());
        own || root().join(format!("worlds/{value}.world.xml")).is_file()
    }

    fn presets(&self) -> BTreeSet<&str> {
        self.names.presets.lines().filter_map(|line| line.strip_prefix("## ")).collect()
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
        let wanted = [Some(topic), below_vehicle.map(|(_, topic)| topic)];
        let mut types = Vec::new();
        for preset in self.used_presets() {
            let (_, section) = self.names.presets.split_once(&format!("## {preset}\n")).unwrap();
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

fn is_true(is_true: bool, problem: &str) -> Result<(), String> {
    if is_true { Ok(()) } else { Err(problem.to_owned()) }
}

/// A topic with the words in braces replaced by each of their defaults, which rows of the preset give.
fn resolved(topic: &str, rows: &[Vec<String>]) -> Vec<String> {
    let Some((before, (word, after))) =
        topic.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    else {
        return vec![topic.to_owned()];
    };
    let word = format!("{{{word}}}");
    let defaults = rows.iter().filter(|row| row[1] == word).map(|row| format!("{before}{}{after}", row[3]));
    defaults.flat_map(|topic| resolved(&topic, rows)).collect()
}

/// Checks that the `ros2` of the private ROS has a command and its options, so that no installed ROS is needed.
fn check_ros2(group: &str, verb: &str, arguments: &[&str]) -> Result<(), String> {
    let text = fs::read_to_string(root().join(format!("ros/cli/{group}.py"))).unwrap_or_default();
    let is_option =
        |word: &&&str| word.strip_prefix('-').is_some_and(|letters| !letters.starts_with(|c: char| c.is_numeric()));
    let options = arguments.iter().filter(is_option).map(|option| format!("\"{option}\""));
    let lacking = std::iter::once(format!("add_parser(\"{verb}\"")).chain(options).find(|part| !text.contains(part));
    lacking.map_or(Ok(()), |part| Err(format!("ros/cli/{group}.py has no {part}")))
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
        "ros2 param get /skidpad robot.controller.kp",
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
        ("ros2 param set /skidpad robot.controller.kq 2.0", "no such parameter"),
        ("ros2 topic delay /scan", "ros/cli/topic.py has no add_parser(\"delay\""),
        ("ros2 topic echo --twice /scan", "ros/cli/topic.py has no \"--twice\""),
        ("ros2 topic pub /cmd_vel std_msgs/msg/Bool '{}'", "of type [\"geometry_msgs/msg/Twist or TwistStamped\"]"),
        ("ros2 doctor hello", "ros/cli/doctor.py has no add_parser(\"hello\""),
        ("rosrun gazebo gzserver", "tests/program/tutorials/form.rs does not know commands of this kind"),
    ] {
        assert_eq!(check(wrong), Err(problem.to_owned()), "{wrong}");
    }
    assert_eq!(reader.check_parameters("-p preset:=mvsim -p rate:=2.0"), Ok(()));
    assert_eq!(reader.check_parameters("-p preset:=mvsym"), Err("no preset mvsym".to_owned()));
    assert_eq!(reader.check_parameters("-p speed:=2.0"), Err("no parameter speed".to_owned()));
}
