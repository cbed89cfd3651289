//! What a recording lacks of the messages of others: kept in the recording as attachments, and told at its end.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skidpad_math::time::SimTime;

use super::options::RecordError;

/// Name of the attachments that say which messages of others a recording lacks; each holds one [`MissingMessages`] as JSON.
pub const MISSING_ATTACHMENT: &str = "skidpad/missing_messages.json";

/// Times that a warning lists.
const LISTED: usize = 10;

/// Messages of others that a recording lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissingMessages {
    /// Name of the topic.
    pub topic: String,
    /// The instant of lockstep whose message has not come, or the instant before which there was no room for messages [s].
    pub time: f64,
    /// Number of messages.
    pub count: u64,
}

/// Those of a recording under way.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// Those that the next snapshot takes.
    news: Vec<MissingMessages>,
    /// Number of messages by topic, and the first times.
    all: BTreeMap<Arc<str>, (u64, Vec<SimTime>)>,
}

impl Missing {
    /// Adds messages.
    pub(super) fn add(&mut self, topic: &Arc<str>, time: SimTime, count: u64) {
        self.news.push(MissingMessages { topic: topic.to_string(), time: time.secs(), count });
        let (sum, times) = self.all.entry(Arc::clone(topic)).or_default();
        *sum += count;
        if times.len() < LISTED {
            times.push(time);
        }
    }

    /// Whether there are new ones.
    pub(super) fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Moves the new ones there, in place of what it held.
    pub(super) fn move_news(&mut self, to: &mut Vec<MissingMessages>) {
        to.clear();
        to.append(&mut self.news);
    }

    /// The warnings of what the recording at `path` lacks, one for each topic.
    pub(super) fn reported(&self, path: &Path) -> Vec<RecordError> {
        let reported = self.all.iter().map(|(topic, (count, times))| {
            let listed: Vec<String> = times.iter().map(ToString::to_string).collect();
            let more = if *count > times.len() as u64 { ", …" } else { "" };
            let (messages, are) = if *count == 1 { ("message", "is") } else { ("messages", "are") };
            let found = format!("{count} {messages} on \"{topic}\" {are} missing, at {}{more}", listed.join(", "));
            RecordError::new(path.display(), found)
                .hint("results that use this topic are wrong at these times: see skidpad analyze")
        });
        reported.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_by_topic_with_its_first_times() {
        let (mut missing, mut news) = (Missing::default(), Vec::new());
        let [reference, velocities] = ["/r", "/v"].map(Arc::<str>::from);
        missing.add(&velocities, SimTime::from_secs(0.02), 1);
        (0..12).for_each(|k| missing.add(&reference, SimTime::from_secs(0.1 * f64::from(k)), 2));
        let reported: Vec<String> = missing.reported(Path::new("x.mcap")).iter().map(RecordError::first_line).collect();
        assert_eq!(
            reported,
            [
                "x.mcap: 24 messages on \"/r\" are missing, at 0.000 s, 0.100 s, 0.200 s, 0.300 s, 0.400 s, 0.500 s, \
                 0.600 s, 0.700 s, 0.800 s, 0.900 s, …",
                "x.mcap: 1 message on \"/v\" is missing, at 0.020 s"
            ]
        );
        missing.move_news(&mut news);
        assert_eq!((news.len(), news[0].clone()), (13, MissingMessages { topic: "/v".into(), time: 0.02, count: 1 }));
        assert!(!missing.has_news());
    }
}
