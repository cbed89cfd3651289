//! Which of several sources of commands a vehicle obeys: by priority, as long as they are not silent.
//!
//! The rules are those of the yujin_ocs velocity multiplexer, which the MIT racecar's `ackermann_cmd_mux` carries over to
//! Ackermann commands: an input that sends is live until it has been silent for its timeout; a command passes if its
//! input is the allowed one, has a higher priority than the allowed one, or if nobody is allowed; its input is the allowed
//! one from then on, until it falls silent. An input of lower priority gets its turn with its next command after that, and
//! with nobody left the multiplexer goes quiet.
//!
//! A [`Level`] is one multiplexer, without clock and without messages. How several of them are chained is a [`MuxConfig`],
//! read from YAML in [`config`].

pub mod config;

pub use config::{DefaultCommand, InputConfig, LevelConfig, MuxConfig, MuxError, Relay};

use crate::time::SimTime;

/// What `active` says when nobody is allowed.
pub const IDLE: &str = "idle";

/// One multiplexer.
#[derive(Clone, Debug)]
pub struct Level {
    inputs: Vec<Input>,
    /// Index of the input whose commands pass.
    allowed: Option<usize>,
}

#[derive(Clone, Debug)]
struct Input {
    name: String,
    priority: u32,
    timeout: SimTime,
    /// When its last command came, while it is live.
    heard: Option<SimTime>,
}

/// What becomes of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// It goes on to the output.
    pub passes: bool,
    /// Somebody else is allowed than before: `active` is to be told.
    pub changed: bool,
}

impl Level {
    /// A multiplexer that nobody has sent anything to.
    pub fn new(config: &LevelConfig) -> Level {
        let input = |input: &InputConfig| Input {
            name: input.name.clone(),
            priority: input.priority,
            timeout: SimTime::from_secs(input.timeout),
            heard: None,
        };
        Level { inputs: config.subscribers.iter().map(input).collect(), allowed: None }
    }

    /// A command comes in on the input of this index at `now` [ns].
    pub fn offer(&mut self, input: usize, now: SimTime) -> Verdict {
        let silenced = self.expire(now);
        let Some(sender) = self.inputs.get_mut(input) else { return Verdict { passes: false, changed: silenced } };
        sender.heard = Some(now);
        let priority = sender.priority;
        let passes = match self.allowed {
            None => true,
            Some(allowed) => allowed == input || priority > self.inputs[allowed].priority,
        };
        let before = self.allowed;
        if passes {
            self.allowed = Some(input);
        }
        Verdict { passes, changed: silenced || self.allowed != before }
    }

    /// Forgets who has been silent for too long at `now` [ns]. True when the allowed input was among them. A clock that
    /// jumps back silences all.
    pub fn expire(&mut self, now: SimTime) -> bool {
        for input in &mut self.inputs {
            let silent = |heard: SimTime| now - heard >= input.timeout || now < heard;
            if input.heard.is_some_and(silent) {
                input.heard = None;
            }
        }
        let lost = self.allowed.is_some_and(|allowed| self.inputs[allowed].heard.is_none());
        if lost {
            self.allowed = None;
        }
        lost
    }

    /// Name of the input whose commands pass, or [`IDLE`].
    pub fn active(&self) -> &str {
        self.allowed.map_or(IDLE, |allowed| &self.inputs[allowed].name)
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
        let config = &MuxConfig::from_yaml("", crate::preset::racecar::MUX).unwrap().low_level;
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
    fn it_goes_quiet_when_all_are_silent() {
        let (mut level, [_, safety, navigation]) = low();
        level.offer(navigation, at(0));
        level.offer(safety, at(10));
        assert!(!level.expire(at(209)));
        assert!(level.expire(at(210)), "the allowed one times out");
        assert_eq!(level.active(), "idle");
        assert!(!level.expire(at(5000)), "told once");
    }

    #[test]
    fn a_clock_that_jumps_back_silences_all() {
        let (mut level, [teleop, _, navigation]) = low();
        level.offer(teleop, at(10_000));
        assert_eq!(level.offer(navigation, at(5)), TAKES_OVER);
        assert_eq!(level.active(), "Navigation");
    }

    #[test]
    fn whoever_sends_slower_than_its_timeout_is_allowed_only_in_between() {
        let (mut level, [teleop, _, navigation]) = low();
        let mut passed = 0;
        for ms in (0..3000).step_by(50) {
            if ms % 500 == 0 {
                assert_eq!(level.offer(teleop, at(ms)), TAKES_OVER);
            }
            passed += i32::from(level.offer(navigation, at(ms)).passes);
        }
        // Of ten commands in half a second, teleop holds back the first four.
        assert_eq!(passed, 36);
    }

    #[test]
    fn an_input_that_does_not_exist_passes_nothing() {
        let (mut level, _) = low();
        assert_eq!(level.offer(9, at(0)), REFUSED);
    }
}
