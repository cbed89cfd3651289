//! The warnings of a run for its viewers: the lines of the log that the terminal prints as `warning:` and `error:`.
//!
//! A reader of the log keeps the last ones, each with its number and the simulated time; sessions send those that their viewer has not got.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use skidpad_run::guard::lock;
use skidpad_run::log_lines::Reader;
use skidpad_view::messages::Notice;
use tokio::sync::watch;
use tracing::Level;

/// Most warnings that are kept.
const KEPT: usize = 100;
/// Longest text of a warning [characters]; the rest is cut off.
const MAX_CHARACTERS: usize = 2000;

/// The last warnings of the log.
#[derive(Debug, Default)]
pub struct WarningLog {
    kept: Mutex<VecDeque<Notice>>,
    /// Number of the last one.
    count: watch::Sender<u64>,
    /// Bits of the simulated time [s].
    time: AtomicU64,
}

impl WarningLog {
    /// Keeps the warnings and errors of the log here.
    pub fn reader(self: &Arc<WarningLog>) -> Reader {
        let log = Arc::clone(self);
        Box::new(move |metadata, line| {
            if *metadata.level() <= Level::WARN {
                log.add(*metadata.level(), &line.to_string());
            }
        })
    }

    /// Sets the simulated time of the next warnings [s].
    pub(crate) fn set_time(&self, time: f64) {
        self.time.store(time.to_bits(), Ordering::Relaxed);
    }

    /// Number of warnings so far.
    pub fn count(&self) -> u64 {
        *self.count.borrow()
    }

    /// Notifies of each further warning by its number.
    pub fn numbers(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// The kept warnings after the one with this number, the oldest first.
    pub fn after(&self, number: u64) -> Vec<Notice> {
        lock(&self.kept).iter().filter(|notice| notice.number > number).cloned().collect()
    }

    fn add(&self, level: Level, text: &str) {
        let mut kept = lock(&self.kept);
        let number = self.count() + 1;
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(Notice {
            level: if level == Level::ERROR { "error" } else { "warning" }.into(),
            text: text.chars().take(MAX_CHARACTERS).collect(),
            time: Some(f64::from_bits(self.time.load(Ordering::Relaxed))),
            number,
        });
        self.count.send_replace(number);
    }
}

#[cfg(test)]
mod tests {
    use skidpad_run::log_lines::Lines;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn the_last_warnings_are_kept_with_their_times() {
        let log = Arc::new(WarningLog::default());
        let numbers = log.numbers();
        let lines = Lines::new(vec![log.reader()], "nobody");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            tracing::warn!(count = 3, "world \"w\": slow");
            log.set_time(1.5);
            tracing::info!("not a warning");
            tracing::error!("{}", "x".repeat(MAX_CHARACTERS + 1));
        });
        let all = log.after(0);
        let first =
            Notice { level: "warning".into(), text: "world \"w\": slow count=3".into(), time: Some(0.0), number: 1 };
        assert_eq!((all.len(), &all[0]), (2, &first));
        assert_eq!((all[1].level.as_str(), all[1].text.len(), all[1].time), ("error", MAX_CHARACTERS, Some(1.5)));
        assert_eq!((log.after(1), log.after(2)), (vec![all[1].clone()], Vec::new()));
        assert!(numbers.has_changed().unwrap() && *numbers.borrow() == 2);
        (0..3 * KEPT).for_each(|index| log.add(Level::WARN, &index.to_string()));
        let kept = log.after(0);
        assert_eq!((kept.len(), kept[0].number, kept[KEPT - 1].number), (KEPT, 203, 302));
    }
}
