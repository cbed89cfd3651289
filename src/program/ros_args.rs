//! The log options of `--ros-args`, and the options that have no effect here. The client library handles names, parameters and the
//! enclave.
//!
//! ```text
//! --log-level LEVEL | NAME:=LEVEL    --enable-rosout-logs --disable-rosout-logs    --enable-stdout-logs --disable-stdout-logs
//! ```

use std::ffi::OsString;

use crate::diagnostic::Diagnostic;
use crate::nearest::did_you_mean;

/// Place of the messages.
const PLACE: &str = "--ros-args";
/// Options with a value.
const WITH_VALUE: [&str; 10] = [
    "-r",
    "--remap",
    "-p",
    "--param",
    "--params-file",
    "--log-level",
    "-e",
    "--enclave",
    "--log-config-file",
    "--log-file-name",
];
/// Options without a value.
const FLAGS: [&str; 6] = [
    "--enable-rosout-logs",
    "--disable-rosout-logs",
    "--enable-stdout-logs",
    "--disable-stdout-logs",
    "--enable-external-lib-logs",
    "--disable-external-lib-logs",
];
/// Options of log files, which this program does not write.
const OF_LOG_FILES: [&str; 4] =
    ["--log-config-file", "--log-file-name", "--enable-external-lib-logs", "--disable-external-lib-logs"];

/// Levels of ROS, with their names here.
const LEVELS: [(&str, &str); 6] =
    [("unset", "info"), ("debug", "debug"), ("info", "info"), ("warn", "warn"), ("error", "error"), ("fatal", "error")];

/// Options of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogOptions {
    /// Log level of this program; none: from `RUST_LOG`.
    pub level: Option<&'static str>,
    /// Whether lines go to the console.
    pub to_console: bool,
    /// Whether lines go to `/rosout`.
    pub to_rosout: bool,
    /// Messages about arguments without effect.
    pub remarks: Vec<Diagnostic>,
}

impl Default for LogOptions {
    fn default() -> LogOptions {
        LogOptions { level: None, to_console: true, to_rosout: true, remarks: Vec::new() }
    }
}

/// Parses the words from `--ros-args` on; `node` is the default name of the node.
pub fn log_options(for_ros: &[OsString], node: &str) -> LogOptions {
    let words: Vec<String> = for_ros.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let given_name = words.iter().find_map(|word| word.strip_prefix("__node:=").or(word.strip_prefix("__name:=")));
    let names = ["skidpad", given_name.unwrap_or(node)];
    let mut options = LogOptions::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = if WITH_VALUE.contains(&word.as_str()) { words.next() } else { None };
        match word.as_str() {
            "--log-level" => match level(value.map_or("", String::as_str), &names) {
                Ok(Some(level)) => options.level = Some(level),
                Ok(None) => {}
                // The client library refuses it, too.
                Err(remark) => options.remarks.push(remark),
            },
            "--enable-rosout-logs" => options.to_rosout = true,
            "--disable-rosout-logs" => options.to_rosout = false,
            "--enable-stdout-logs" => options.to_console = true,
            "--disable-stdout-logs" => options.to_console = false,
            "--ros-args" => {}
            known if OF_LOG_FILES.contains(&known) => {
                let found = format!("{known}: ignored, skidpad writes no log file");
                options.remarks.push(Diagnostic::new(PLACE, found));
            }
            known if WITH_VALUE.contains(&known) || FLAGS.contains(&known) => {}
            other => options.remarks.push(unknown(other)),
        }
    }
    options
}

/// The level that `text` sets for this program; none if it concerns another logger.
fn level(text: &str, names: &[&str]) -> Result<Option<&'static str>, Diagnostic> {
    let (logger, wanted) = match text.split_once(":=") {
        Some((logger, wanted)) => (Some(logger), wanted),
        None => (None, text),
    };
    let lower = wanted.to_ascii_lowercase();
    let Some((_, level)) = LEVELS.iter().find(|(name, _)| *name == lower) else {
        let message = Diagnostic::new(PLACE, format!("--log-level: found \"{wanted}\""));
        return Err(message.accepted_all(LEVELS.map(|(name, _)| name)));
    };
    // Below a namespace the logger of a node is `<namespace>.<node>`.
    let is_own_logger = logger.is_none_or(|logger| names.contains(&logger.rsplit('.').next().unwrap_or(logger)));
    Ok(is_own_logger.then_some(level))
}

fn unknown(word: &str) -> Diagnostic {
    let known = [WITH_VALUE.as_slice(), &FLAGS].concat();
    let message = Diagnostic::new(PLACE, format!("\"{word}\": unknown, ignored"));
    match did_you_mean(word, &known) {
        Some(hint) => message.hint(hint),
        None => message.accepted_all(known).hint("-- ends the ROS arguments"),
    }
}

/// Splits the arguments into those of this program and those of ROS: from each `--ros-args` to `--` or to the end.
pub fn split(args: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let (mut for_program, mut for_ros) = (Vec::new(), Vec::new());
    let mut inside = false;
    for arg in args {
        if arg == "--ros-args" {
            inside = true;
            for_ros.push(arg);
        } else if inside && arg == "--" {
            inside = false;
        } else if inside {
            for_ros.push(arg);
        } else {
            for_program.push(arg);
        }
    }
    (for_program, for_ros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn options(text: &str) -> LogOptions {
        log_options(&words(text), "skidpad")
    }

    #[test]
    fn ros_arguments_are_cut_out_before_ours_are_read() {
        assert_eq!(
            split(words("skidpad run w.xml --rate max --ros-args -r __ns:=/a --params-file p.yaml")),
            (words("skidpad run w.xml --rate max"), words("--ros-args -r __ns:=/a --params-file p.yaml"))
        );
        assert_eq!(
            split(words("skidpad run --ros-args -r a:=b -- w.xml --ros-args -p rate:=2")),
            (words("skidpad run w.xml"), words("--ros-args -r a:=b --ros-args -p rate:=2"))
        );
        assert_eq!(split(words("skidpad list")), (words("skidpad list"), Vec::new()));
    }

    #[test]
    fn levels_are_those_of_all_loggers_or_of_ours() {
        for (text, level) in [
            ("--ros-args --log-level DEBUG", Some("debug")),
            ("--ros-args --log-level skidpad:=fatal", Some("error")),
            ("--ros-args --log-level info --log-level car.skidpad:=warn", Some("warn")),
            ("--ros-args -r __node:=sim --log-level sim:=debug", Some("debug")),
            ("--ros-args --log-level rcl:=debug", None),
            ("", None),
        ] {
            assert_eq!(options(text), LogOptions { level, ..LogOptions::default() }, "{text}");
        }
        assert_eq!(
            options("--ros-args --log-level loud").remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["--ros-args: --log-level: found \"loud\"\n  accepted: unset, debug, info, warn, error, fatal"]
        );
    }

    #[test]
    fn the_last_log_switch_wins() {
        let actual = options("--ros-args --disable-rosout-logs --disable-stdout-logs --enable-stdout-logs -e /x");
        assert_eq!(actual, LogOptions { to_rosout: false, ..LogOptions::default() });
    }

    #[test]
    fn arguments_without_effect_are_reported() {
        assert_eq!(
            options("--ros-args --log-file-name x --disable-rosout-log")
                .remarks
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            [
                "--ros-args: --log-file-name: ignored, skidpad writes no log file",
                "--ros-args: \"--disable-rosout-log\": unknown, ignored\n  hint: did you mean \"--disable-rosout-logs\"?"
            ]
        );
        assert!(
            options("--ros-args --rate max").remarks[0].to_string().ends_with("\n  hint: -- ends the ROS arguments")
        );
    }
}
