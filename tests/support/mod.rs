//! A temporary directory for each test, in which the real program runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use skidpad_test_support::watched::Watch;
use tempfile::TempDir;

/// One robot that follows commands exactly, in steps of 5 ms.
pub const IDEAL: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="r1">
    <init_pose>1 2 0</init_pose>
    <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
  </vehicle>
</mvsim_world>
"#;

/// A car that takes speed and steering angle.
pub const CAR: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="car">
    <init_pose>0 0 0</init_pose>
    <dynamics class="ackermann">
      <f_wheels_x>1.3</f_wheels_x>
      <f_wheels_d>2</f_wheels_d>
      <max_steer_ang_deg>30</max_steer_ang_deg>
      <controller class="front_steer_pid"><KP>200</KP><KI>200</KI><max_torque>400</max_torque></controller>
    </dynamics>
  </vehicle>
</mvsim_world>
"#;

/// A directory with the files of a test, removed at its end.
pub struct Lab(TempDir);

impl Lab {
    pub fn new() -> Lab {
        Lab(tempfile::tempdir().unwrap())
    }

    /// With a world file `w.xml`.
    pub fn with_world(text: &str) -> Lab {
        let lab = Lab::new();
        lab.write("w.xml", text);
        lab
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The program, to be run in the directory.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skidpad"));
        command
            .current_dir(self.path())
            .env_remove("RUST_LOG")
            .env_remove("AMENT_PREFIX_PATH")
            .env_remove("ROS_DISTRO")
            .env_remove("SKIDPAD_WEB")
            .with_usual_signals();
        command
    }

    /// The program with these arguments, without ROS, which has tests of its own.
    pub fn skidpad(&self, arguments: &str) -> Command {
        let mut command = self.program();
        command.args(arguments.split_whitespace());
        if arguments.starts_with("run") {
            command.arg("--no-ros");
        }
        command
    }

    /// Runs the program to its end, which is a failure if it does not come.
    pub fn run(&self, arguments: &str) -> Done {
        Done::from(self.skidpad(arguments).finish())
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Done {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    /// What stands on stderr, the errors without the word `error: ` that they begin with, and what is neither error nor warning as a `note: `.
    #[allow(dead_code, reason = "not every test that runs the program lets it fail")]
    pub fn errors(&self) -> String {
        let line = |line: &str| match line.strip_prefix("error: ") {
            Some(kept) => format!("{kept}\n"),
            None if line.is_empty() || line.starts_with(' ') || line.starts_with("warning: ") => format!("{line}\n"),
            None => format!("note: {line}\n"),
        };
        self.stderr.lines().map(line).collect()
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A CSV file, by column.
pub struct Table {
    header: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn parse(text: &str) -> Table {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().iter().map(String::from).collect();
        let row = |row: csv::StringRecord| row.iter().map(|field| field.parse().unwrap()).collect();
        Table { header, rows: reader.records().map(|record| row(record.unwrap())).collect() }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let index = self.header.iter().position(|column| column == name).unwrap_or_else(|| panic!("no {name}"));
        self.rows.iter().map(|row| row[index]).collect()
    }
}
