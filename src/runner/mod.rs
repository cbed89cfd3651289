//! Runs a world: pacing, commands, sinks. The only place that looks at the wall clock.
mod inbox;
pub use inbox::{Answer, Inbox, Letter, LogRequest, Outbox, Rate, Request, mailbox};
