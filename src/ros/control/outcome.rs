//! The outcome of a call of `simulation_interfaces`: success, or a refusal with one of the standard's codes and a reason.

use std::fmt::Display;

/// The outcome of a call.
pub type Outcome<T = ()> = Result<T, Refusal>;

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of [`code`].
    pub code: u8,
    /// What was found, what is accepted, and a hint.
    pub reason: String,
}

impl Refusal {
    /// A refusal with this code.
    pub fn new(code: u8, reason: impl Display) -> Refusal {
        Refusal { code, reason: reason.to_string() }
    }

    /// Something of the given name does not exist.
    pub fn not_found(reason: impl Display) -> Refusal {
        Refusal::new(code::NOT_FOUND, reason)
    }

    /// The call is not possible in the present state.
    pub(crate) fn incorrect_state(reason: impl Display) -> Refusal {
        Refusal::new(code::INCORRECT_STATE, reason)
    }

    /// The operation failed, or the request is invalid in a way that has no code of its own.
    pub fn failed(reason: impl Display) -> Refusal {
        Refusal::new(code::OPERATION_FAILED, reason)
    }

    /// The simulation has ended.
    pub fn ended() -> Refusal {
        Refusal::failed("the simulation has ended")
    }
}

/// The result codes of `simulation_interfaces`. Those above 100 are specific to one service.
pub mod code {
    /// Zero, so that an empty message never means success.
    pub(crate) const FEATURE_UNSUPPORTED: u8 = 0;
    pub const OK: u8 = 1;
    pub const NOT_FOUND: u8 = 2;
    pub(crate) const INCORRECT_STATE: u8 = 3;
    pub(crate) const OPERATION_FAILED: u8 = 4;

    pub mod spawn {
        pub(crate) const NAME_NOT_UNIQUE: u8 = 101;
        pub(crate) const NAME_INVALID: u8 = 102;
        pub(crate) const UNSUPPORTED_FORMAT: u8 = 103;
        pub(crate) const NO_RESOURCE: u8 = 104;
        pub(crate) const NAMESPACE_INVALID: u8 = 105;
        pub(crate) const RESOURCE_PARSE_ERROR: u8 = 106;
        pub(crate) const MISSING_ASSETS: u8 = 107;
        pub(crate) const INVALID_POSE: u8 = 109;
        /// Of several, at least one could not be spawned.
        pub(crate) const ENTITIES_SPAWN_FAILED: u8 = 150;
    }

    pub(crate) mod set_entity_state {
        pub(crate) const INVALID_POSE: u8 = 101;
    }

    pub(crate) mod set_simulation_state {
        pub(crate) const ALREADY_IN_TARGET_STATE: u8 = 101;
        pub(crate) const STATE_TRANSITION_ERROR: u8 = 102;
        pub(crate) const INCORRECT_TRANSITION: u8 = 103;
    }

    pub mod load_world {
        pub(crate) const UNSUPPORTED_FORMAT: u8 = 101;
        pub(crate) const NO_RESOURCE: u8 = 102;
        pub(crate) const RESOURCE_PARSE_ERROR: u8 = 103;
        pub(crate) const MISSING_ASSETS: u8 = 104;
        pub(crate) const UNSUPPORTED_ELEMENTS: u8 = 106;
    }

    pub mod world {
        pub(crate) const NO_WORLD_LOADED: u8 = 101;
        pub(crate) const DEFAULT_SOURCES_FAILED: u8 = 101;
    }
}
