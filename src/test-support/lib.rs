//! What tests of several crates share: named pipes, the chunks of recordings, and an HTTP server on the loopback device.

pub mod fifo;
pub mod mcap_file;
pub mod server;
