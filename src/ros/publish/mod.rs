//! Everything that the node publishes while it runs: from the snapshot of a step, through the queue, to the publisher thread.

pub mod audience;
pub(crate) mod bodies;
pub mod health;
pub mod markers;
#[cfg(test)]
mod message_tests;
pub mod outputs;
pub mod publisher;
pub(crate) mod publisher_thread;
pub mod queue;
pub mod sink;
pub mod snapshot;
pub mod transforms;
pub mod vehicle;
pub(crate) mod wall_stamps;
