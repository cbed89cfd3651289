//! Command multiplexer: selects among several sources of commands by priority and timeout.
//!
//! The rules are those of the yujin_ocs velocity multiplexer, which the MIT racecar's `ackermann_cmd_mux` applies to
//! Ackermann commands. An input is live until it has been silent for its timeout. A command passes if its
//! input is the selected one, has a higher priority than the selected one, or if none is selected; its input is then
//! selected until it falls silent. After that an input of lower priority is selected by its next command. Without live
//! inputs the multiplexer is silent.
//!
//! A [`Level`] is one multiplexer, without clock and messages. [`MuxConfig`] describes a chain of several and is
//! read from YAML in [`config`].

pub mod config;

use skidpad_math::time::SimTime;

pub use config::{DefaultCommand, InputConfig, LevelConfig, MuxConfig, MuxError, Relay};

/// Content of topic `active` when no input is selected.
pub(crate) const IDLE: &str = "idle";

/// One multiplexer.
#[derive(Clone, Debug)]
pub struct Level {
    inputs: Vec<Input>,
    /// Index of the input whose commands pass.
    selected: Option<usize>,
}

#[derive(Clone, Debug)]
struct Input {
    config: InputConfig,
    /// Time of its last command, while it is live.
    last_command: Option<SimTime>,
}

/// The decision on a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it passes to the output.
    pub passes: bool,
    /// Whether the selected input has changed, so that `active` has to be published.
    pub changed: bool,
}

impl Level {
    /// A multiplexer without any command yet.
    pub fn new(config: &LevelConfig) -> Level {
        let input = |config: &InputConfig| Input { config: config.clone(), last_command: None };
        Level { inputs: config.subscribers.iter().map(input).collect(), selected: None }
    }

    /// Decides on a command that arrives at this input at `now` [ns].
    pub fn offer(&mut self, input: usize, now: SimTime) -> Verdict {
        let silenced = self.expire(now);
        let Some(sender) = self.inputs.get_mut(input) else { return Verdict { passes: false, changed: silenced } };
        sender.last_command = Some(now);
        let priority = sender.config.priority;
        let passes = match self.selected {
            None => true,
            Some(selected) => selected == input || priority > self.inputs[selected].config.priority,
        };
        let before = self.selected;
        if passes {
            self.selected = Some(input);
        }
        Verdict { passes, changed: silenced || self.selected != before }
    }

    /// Drops the inputs that have timed out at `now` [ns]. True when the selected input was among them. A clock that
    /// jumps back drops all inputs.
    pub fn expire(&mut self, now: SimTime) -> bool {
        for input in &mut self.inputs {
            let timeout = SimTime::from_secs(input.config.timeout);
            let silent = |last_command: SimTime| now - last_command >= timeout || now < last_command;
            if input.last_command.is_some_and(silent) {
                input.last_command = None;
            }
        }
        let lost = self.selected.is_some_and(|selected| self.inputs[selected].last_command.is_none());
        if lost {
            self.selected = None;
        }
        lost
    }

    /// Name of the input whose commands pass, or `IDLE`.
    pub fn active(&self) -> &str {
        self.selected.map_or(IDLE, |selected| &self.inputs[selected].config.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const PASSES: Verdict = Verdict { passes: true, changed: false };
    const TAKES_OVER: Verdict = Verdict { passes: true, changed: true };
    const REFUSED: Verdict = Verdict { passes: false, changed: false };

    /// The low level of the racecar: teleop, safety and navigation.
    fn low() -> (Level, [usize; 3]) {
        let config = &MuxConfig::from_yaml("", skidpad_ros_data::preset::racecar::MUX).unwrap().low_level;
        let index = |topic: &str| config.subscribers.iter().position(|input| input.topic == topic).unwrap();
        (Level::new(config), [index("input/teleop"), index("input/safety"), index("input/navigation")])
    }

    fn at(ms: i64) -> SimTime {
        SimTime(ms * MS)
    }

    #[test]
    fn a_higher_priority_takes_over_at_once_and_a_lower_one_waits_until_it_falls_silent() {
        let (mut level, [teleop, safety, navigation]) = low();
        assert_eq!(level.active(), "idle");
        assert_eq!(level.offer(navigation, at(0)), TAKES_OVER);
        assert_eq!(level.active(), "Navigation");
        assert_eq!(level.offer(safety, at(50)), TAKES_OVER);
        assert_eq!(level.offer(navigation, at(100)), REFUSED);
        assert_eq!(level.offer(teleop, at(120)), TAKES_OVER);
        assert_eq!(level.offer(safety, at(130)), REFUSED);
        assert_eq!(level.offer(teleop, at(140)), PASSES);
        // Teleop is silent from 140 on; safety's turn comes with its first command at 340 or later.
        assert_eq!(level.offer(safety, at(339)), REFUSED);
        assert_eq!(level.offer(safety, at(340)), TAKES_OVER);
        assert_eq!(level.active(), "Safety");
    }

    #[test]
    fn it_is_idle_when_all_inputs_are_silent() {
        let (mut level, [_, safety, navigation]) = low();
        level.offer(navigation, at(0));
        level.offer(safety, at(10));
        assert!(!level.expire(at(209)));
        assert!(level.expire(at(210)), "the selected one times out");
        assert_eq!(level.active(), "idle");
        assert!(!level.expire(at(5000)), "told once");
    }

    #[test]
    fn a_clock_that_jumps_back_drops_all_inputs() {
        let (mut level, [teleop, _, navigation]) = low();
        level.offer(teleop, at(10_000));
        assert_eq!(level.offer(navigation, at(5)), TAKES_OVER);
        assert_eq!(level.active(), "Navigation");
    }

    #[test]
    fn an_input_slower_than_its_timeout_is_selected_only_in_between() {
        let (mut level, [teleop, _, navigation]) = low();
        let mut passed = 0;
        for ms in (0..3000).step_by(50) {
            if ms % 500 == 0 {
                assert_eq!(level.offer(teleop, at(ms)), TAKES_OVER);
            }
            passed += i32::from(level.offer(navigation, at(ms)).passes);
        }
        // Teleop blocks the first four of ten commands in half a second.
        assert_eq!(passed, 36);
    }

    #[test]
    fn an_input_that_does_not_exist_passes_nothing() {
        let (mut level, _) = low();
        assert_eq!(level.offer(9, at(0)), REFUSED);
    }
}
