//! Everything that the node publishes while it runs: from the snapshot of a step, through the queue, to the publisher thread.

mod clock_limit;
mod description;
mod driver;
mod log_topics;
#[cfg(test)]
mod message_tests;
pub mod output;
pub mod publisher;
pub mod publishers;
pub mod queue;
pub mod snapshot;
pub mod transforms;
pub mod vehicle;
pub mod wall_stamps;
