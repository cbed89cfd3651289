//! The lines of the log on their way to those who show them: each is made once, for all of them, is bounded in length, and comes at a bounded rate.
//!
//! A peer that sends one wrong message after the other, or a process that fails again and again, must not fill a disk or hide other lines. So of the
//! lines from one place in the program only 20 pass in a period; the last of them says so. A period begins with 10 s and doubles
//! up to 640 s as long as the lines go on.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::Diagnostic;
use tracing::callsite::Identifier;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::guard::lock;
use crate::log_text::diagnostic_of;

/// Most lines of one place in the program in a period.
const MAX_LINES: u32 = 20;
/// The first period.
const FIRST_PERIOD: Duration = Duration::from_secs(10);
/// The longest period.
const MAX_PERIOD: Duration = Duration::from_secs(640);

/// Somebody who shows the lines of the log; it must not wait, and not log.
pub type Reader = Box<dyn Fn(&Metadata<'_>, &Diagnostic) + Send + Sync>;

/// A layer of the log that passes its lines on.
pub struct Lines {
    readers: Vec<Reader>,
    /// Beginning of the names of modules whose lines all pass.
    free: &'static str,
    limits: Mutex<HashMap<Identifier, Limit>>,
}

impl Lines {
    /// Passes the lines on to these readers. Those of modules whose names begin with `free` are not counted: they are about what the user has asked
    /// for, not about what others do.
    pub fn new(readers: Vec<Reader>, free: &'static str) -> Lines {
        Lines { readers, free, limits: Mutex::default() }
    }
}

impl<S: Subscriber> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        // Details are only there for those who ask for them.
        let is_free = *metadata.level() > Level::INFO || metadata.target().starts_with(self.free);
        let notes = if is_free {
            Some(Vec::new())
        } else {
            lock(&self.limits).entry(metadata.callsite()).or_default().take(Instant::now())
        };
        let Some(notes) = notes else { return };
        let line = notes.into_iter().fold(diagnostic_of(event).legible(), Diagnostic::note);
        self.readers.iter().for_each(|reader| reader(metadata, &line));
    }
}

/// What has passed of the lines of one place in the program.
#[derive(Default)]
struct Limit {
    /// When the period has begun, and how long it is; none: nothing has passed yet.
    period: Option<(Instant, Duration)>,
    passed: u32,
    left_out: u64,
}

impl Limit {
    /// Whether a line passes at `now`: with these notes.
    fn take(&mut self, now: Instant) -> Option<Vec<String>> {
        let mut notes = Vec::new();
        let (begun, length) = self.period.unwrap_or((now, FIRST_PERIOD));
        let is_over = now.duration_since(begun) >= length;
        if self.period.is_none() || is_over {
            let goes_on = self.passed >= MAX_LINES && now.duration_since(begun) < 2 * length;
            let length = if goes_on { (2 * length).min(MAX_PERIOD) } else { FIRST_PERIOD };
            notes.extend((self.left_out > 0).then(|| format!("{} messages like this were left out", self.left_out)));
            *self = Limit { period: Some((now, length)), passed: 0, left_out: 0 };
        }
        if self.passed >= MAX_LINES {
            self.left_out += 1;
            return None;
        }
        self.passed += 1;
        let (begun, length) = self.period.unwrap_or((now, length));
        let left = (begun + length).saturating_duration_since(now).as_secs_f64();
        notes.extend(
            (self.passed == MAX_LINES).then(|| format!("more messages like this are left out for {left:.0} s")),
        );
        Some(notes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[test]
    fn of_a_flood_of_lines_few_pass_and_the_last_one_says_so() {
        let start = Instant::now();
        let mut limit = Limit::default();
        let mut passed = Vec::new();
        for tenth in 0..36_000 {
            passed.extend(limit.take(start + Duration::from_millis(100 * tenth)).map(|notes| (tenth, notes)));
        }
        // Periods of 10, 20, 40, 80, 160, 320, 640, 640, 640, 640 s, and a part.
        assert_eq!(passed.len(), 11 * 20, "an hour");
        assert_eq!(passed[18], (18, vec![]));
        assert_eq!(passed[19], (19, vec!["more messages like this are left out for 8 s".to_owned()]));
        assert_eq!(passed[20], (100, vec!["80 messages like this were left out".to_owned()]));
        let quiet = start + Duration::from_secs(7200);
        assert_eq!(limit.take(quiet).unwrap().len(), 1, "how many were left out");
        assert!((1..1000).all(|line| limit.take(quiet + FIRST_PERIOD * line).unwrap().is_empty()), "slow enough");
    }

    #[test]
    fn every_reader_gets_the_same_bounded_lines() {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let reader = || -> Reader {
            let seen = Arc::clone(&seen);
            Box::new(move |metadata, line| lock(&seen).push(format!("{} {line}", metadata.level())))
        };
        let lines = Lines::new(vec![reader(), reader()], "nobody");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            for bad in ["a", "b"].into_iter().cycle().take(2000) {
                tracing::warn!("frame \"{bad}\u{1b}[31m\"");
            }
            tracing::warn!("{}", "x".repeat(100_000));
            (0..100).for_each(|number| tracing::debug!(number, "detail"));
        });
        let seen = lock(&seen);
        assert_eq!(seen.len(), 2 * (20 + 1 + 100));
        assert_eq!((seen[0].as_str(), &seen[0]), ("WARN frame \"a\"", &seen[1]));
        assert!(seen[39].contains("\n  more messages like this are left out for "), "{}", seen[39]);
        assert!(seen[40].len() < 5000 && seen[42] == "DEBUG detail number=0");
    }
}
