//! Log lines on `/rosout`, where `ros2 launch`, rqt_console and Foxglove look for them.
//!
//! Logging begins before there is a node and must never wait for one: a reader of the log puts each line into a bounded channel, and a task
//! of the node takes them out. When the channel is full the newest line is dropped.

use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use r2r::builtin_interfaces::msg::Time;
use r2r::rcl_interfaces::msg::Log;
use r2r::{Node, QosProfile};
use skidpad_run::guard::lock;
use skidpad_run::log_lines::Reader;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tracing::Level;

use crate::typed_messages;

/// Capacity of the channel [lines].
const CAPACITY: usize = 256;
/// Name of the topic.
pub const TOPIC: &str = "/rosout";
/// The quality of service that log readers expect: late joiners receive the last lines.
const QOS: QosProfile = QosProfile::default().keep_last(1000).transient_local();

/// The lines of this process, until a node takes them.
static LINES: Mutex<Option<Receiver<Log>>> = Mutex::new(None);

/// Keeps the lines of the log for the node.
pub fn reader() -> Reader {
    let (sender, receiver) = channel(CAPACITY);
    *lock(&LINES) = Some(receiver);
    lines_to(sender)
}

/// Publishes the lines of the log, including those before this call. Does nothing if they are switched off or published by another node of
/// the process.
pub fn publish(node: &mut Node, tasks: &Handle) -> r2r::Result<()> {
    let Some(mut lines) = lock(&LINES).take() else { return Ok(()) };
    let publisher = node.create_publisher::<Log>(TOPIC, QOS)?;
    let name = node.fully_qualified_name()?.trim_start_matches('/').replace('/', ".");
    tasks.spawn(async move {
        while let Some(mut line) = lines.recv().await {
            line.name.clone_from(&name);
            // A log line about a failure would fail as well.
            let _ = typed_messages::publish(&publisher, &line);
        }
    });
    Ok(())
}

/// The system time, for stamps of what is not part of the simulation.
pub(crate) fn wall_clock() -> Time {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time { sec: i32::try_from(now.as_secs()).unwrap_or(i32::MAX), nanosec: now.subsec_nanos() }
}

fn lines_to(sender: Sender<Log>) -> Reader {
    Box::new(move |metadata, line| {
        let line = Log {
            stamp: wall_clock(),
            level: number(*metadata.level()),
            msg: line.to_string(),
            file: metadata.file().unwrap_or_default().to_owned(),
            function: metadata.target().to_owned(),
            line: metadata.line().unwrap_or_default(),
            ..Log::default()
        };
        // If the channel is full or closed, the console still has the line.
        let _ = sender.try_send(line);
    })
}

/// The numbers of rcl_interfaces/msg/Log.
fn number(level: Level) -> u8 {
    match level {
        Level::ERROR => 40,
        Level::WARN => 30,
        Level::INFO => 20,
        Level::DEBUG | Level::TRACE => 10,
    }
}

#[cfg(test)]
mod tests {
    use skidpad_run::log_lines::Lines;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn lines_are_queued_in_order_and_the_newest_are_dropped() {
        let (sender, mut receiver) = channel(2);
        let lines = Lines::new(vec![lines_to(sender)], "nobody");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            tracing::warn!(count = 3, "world \"w\": slow");
            tracing::info!("second");
            tracing::error!("third");
        });
        let first = receiver.try_recv().unwrap();
        assert_eq!((first.level, first.msg.as_str()), (30, "world \"w\": slow count=3"));
        assert!(first.file.ends_with("rosout.rs") && first.line > 0 && first.stamp.sec > 0);
        assert_eq!(receiver.try_recv().unwrap().msg, "second");
        assert!(receiver.try_recv().is_err());
    }
}
