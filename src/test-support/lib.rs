//! What unit tests of several crates share: named pipes, and an HTTP server on the loopback device.

pub mod fifo;
pub mod server;
