//! Whether simulated time is stopped, and why.

/// Time is stopped while it is paused, which every client may change, or held until an operation such as loading a world ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PauseState {
    paused: bool,
    /// The operation that holds it, as a clause for error messages.
    held: Option<&'static str>,
}

impl PauseState {
    /// Paused or not, and not held.
    pub(super) fn new(paused: bool) -> PauseState {
        PauseState { paused, held: None }
    }

    /// Whether time is stopped.
    pub fn is_stopped(self) -> bool {
        self.paused || self.held.is_some()
    }

    /// Pauses, or resumes unless time is held.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Holds time until [`Self::release`], for a reason such as "a world is being loaded". Until then time can neither resume nor step.
    pub fn hold(&mut self, reason: &'static str) {
        self.held = Some(reason);
    }

    /// Ends the hold: time resumes unless it is paused.
    pub fn release(&mut self) {
        self.held = None;
    }

    /// # Errors
    /// Time is held; `request` is what cannot be done meanwhile.
    pub(super) fn require_free(self, request: &str) -> Result<(), String> {
        match self.held {
            None => Ok(()),
            Some(reason) => Err(format!("{request}: {reason}\n  hint: try again afterwards")),
        }
    }
}
