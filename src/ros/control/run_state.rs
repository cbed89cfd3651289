//! The run states of a simulation and the transitions between them.

use super::outcome::code::set_simulation_state::{ALREADY_IN_TARGET_STATE, INCORRECT_TRANSITION};
use super::outcome::{Outcome, Refusal};

/// The run state of the simulation. The discriminants are the standard's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RunState {
    /// Paused, with everything in its initial state.
    Stopped = 0,
    Playing = 1,
    Paused = 2,
    /// The process is about to end.
    Quitting = 3,
    /// There is no world.
    NoWorld = 4,
    /// A world is being read.
    LoadingWorld = 5,
}

impl RunState {
    const ALL: [(RunState, &str); 6] = [
        (RunState::Stopped, "stopped"),
        (RunState::Playing, "playing"),
        (RunState::Paused, "paused"),
        (RunState::Quitting, "quitting"),
        (RunState::NoWorld, "no world"),
        (RunState::LoadingWorld, "loading a world"),
    ];

    /// The state with this number.
    pub(crate) fn from_number(number: u8) -> Option<RunState> {
        RunState::ALL.iter().map(|(life, _)| *life).find(|life| *life as u8 == number)
    }

    /// The name of the state in messages.
    pub fn name(self) -> &'static str {
        RunState::ALL.iter().find(|(life, _)| *life == self).map_or("", |(_, name)| name)
    }

    /// Fails unless there is a loaded world that can be changed.
    pub(crate) fn require_world(self) -> Outcome {
        match self {
            RunState::Stopped | RunState::Playing | RunState::Paused => Ok(()),
            RunState::Quitting | RunState::NoWorld | RunState::LoadingWorld => {
                Err(Refusal::incorrect_state(format!("the simulation is in the state: {}", self.name())))
            }
        }
    }

    /// The state with the number `target`. Fails where a call must not take the simulation there from this state.
    pub(crate) fn change_to(self, target: u8) -> Outcome<RunState> {
        let incorrect = |reason: String| Err(Refusal::new(INCORRECT_TRANSITION, reason));
        let Some(to) = RunState::from_number(target) else {
            return incorrect(format!(
                "state {target}: unknown\n  accepted: 0 stopped, 1 playing, 2 paused, 3 quitting"
            ));
        };
        if to == self {
            return Err(Refusal::new(ALREADY_IN_TARGET_STATE, format!("the simulation is {} already", self.name())));
        }
        match (self, to) {
            (RunState::Quitting, _) => incorrect("the simulation is quitting".to_owned()),
            (_, RunState::Quitting) => Ok(to),
            (_, RunState::NoWorld) => incorrect("a world is unloaded with unload_world".to_owned()),
            (_, RunState::LoadingWorld) => incorrect("a world is loaded with load_world".to_owned()),
            (RunState::NoWorld, _) => {
                incorrect("there is no world\n  accepted: 3 quitting\n  hint: load one with load_world".to_owned())
            }
            (RunState::LoadingWorld, _) => incorrect("a world is being loaded\n  accepted: 3 quitting".to_owned()),
            (RunState::Stopped, RunState::Paused) => {
                incorrect("a stopped simulation cannot be paused\n  accepted: 1 playing, 3 quitting".to_owned())
            }
            _ => Ok(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RunState::{LoadingWorld, NoWorld, Paused, Playing, Quitting, Stopped};

    #[test]
    fn every_pair_of_states_is_allowed_or_refused_as_tabulated() {
        // Rows: from; columns: to. 0 stands for allowed.
        let table = [
            (Stopped, [101, 0, 103, 0, 103, 103]),
            (Playing, [0, 101, 0, 0, 103, 103]),
            (Paused, [0, 0, 101, 0, 103, 103]),
            (Quitting, [103, 103, 103, 101, 103, 103]),
            (NoWorld, [103, 103, 103, 0, 101, 103]),
            (LoadingWorld, [103, 103, 103, 0, 103, 101]),
        ];
        for (from, row) in table {
            for (target, expected) in row.into_iter().enumerate() {
                let answer = from.change_to(target as u8);
                let code = answer.as_ref().map_or_else(|refusal| refusal.code, |_| 0);
                assert_eq!(code, expected, "{from:?} to {target}");
                if let Ok(to) = answer {
                    assert_eq!(to as usize, target);
                }
            }
        }
    }

    #[test]
    fn numbers_of_unknown_states_are_refused_with_the_known_ones() {
        let refusal = Playing.change_to(6).unwrap_err();
        assert_eq!(refusal.code, 103);
        assert_eq!(refusal.reason, "state 6: unknown\n  accepted: 0 stopped, 1 playing, 2 paused, 3 quitting");
        assert_eq!(RunState::from_number(6), None);
    }

    #[test]
    fn only_a_loaded_world_can_be_changed() {
        assert!([Stopped, Playing, Paused].iter().all(|life| life.require_world().is_ok()));
        let refusal = LoadingWorld.require_world().unwrap_err();
        assert_eq!((refusal.code, refusal.reason.as_str()), (3, "the simulation is in the state: loading a world"));
    }
}
