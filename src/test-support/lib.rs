//! What tests of several crates share: named pipes, the chunks of recordings, an HTTP server on the loopback device, and programs with an end.

pub mod fifo;
pub mod mcap_file;
pub mod server;
pub mod watched;
