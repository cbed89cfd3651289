//! The topics of other nodes that lockstep waits for beside the commands: those that the run records.
//!
//! A topic is awaited at each instant of lockstep from when somebody publishes on it, until its message has come. So a recording holds
//! everything that a controller publishes with its commands, at the same instants in every run. A message that does not come is counted
//! as missing, under any policy for late commands: it may have been lost on the way. A topic with fewer messages than instants shows
//! itself by lapses; it is then not awaited until there have been as many messages as instants for a while.

use std::sync::Arc;
use std::time::Duration;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;

use super::lockstep::Lockstep;

/// A topic of other nodes that the run records. Clones are the same topic.
#[derive(Clone, Debug)]
pub struct PeerTopic(Arc<str>);

impl PeerTopic {
    /// The topic with this full name.
    pub fn new(name: &str) -> PeerTopic {
        PeerTopic(name.into())
    }

    /// Its full name.
    pub fn name(&self) -> &str {
        &self.0
    }

    pub(super) fn is(&self, other: &PeerTopic) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is new about a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicNews {
    /// Somebody publishes on it.
    Published,
    /// This number of messages has been recorded.
    Heard(u64),
    /// Nobody publishes on it any more.
    Gone,
}

/// A message of a lapse weighs this much, one in time takes 1 of it back.
const LAPSE: u32 = 10;
/// Lapses of more weight show that a topic does not have a message for each instant.
const LAPSES: u32 = 2 * LAPSE;
/// Instants in which a topic that had fewer messages has to have as many to be awaited again; twice as many each time.
const OBSERVED_INSTANTS: u64 = 50;

/// A topic, and what is outstanding of it.
#[derive(Debug)]
struct Awaited {
    topic: PeerTopic,
    is_published: bool,
    /// Whether its message for the last instant has not come yet.
    is_outstanding: bool,
    /// Weight of its lapses.
    lapses: u32,
    /// Whether a lapse has been reported.
    reported: bool,
    /// Instants and messages counted while a topic that had fewer messages than instants is only observed; none: it is awaited.
    observation: Option<(u64, u64)>,
    /// Instants that an observation takes.
    needed: u64,
}

/// A message that has not come.
#[derive(Debug, PartialEq)]
pub(super) struct Lapse {
    /// Name of its topic.
    pub(super) topic: Arc<str>,
    /// The warning to give, if there is one.
    pub(super) complaint: Option<Diagnostic>,
}

/// All topics of other nodes that the run records.
#[derive(Debug, Default)]
pub(super) struct PeerTopics(Vec<Awaited>);

impl PeerTopics {
    /// Starts to wait for the messages of an instant.
    pub(super) fn expect(&mut self) {
        for awaited in &mut self.0 {
            if let Some((instants, messages)) = &mut awaited.observation {
                *instants += 1;
                if *instants >= awaited.needed {
                    let is_regular = *messages >= *instants;
                    awaited.observation = (!is_regular).then_some((0, 0));
                    if is_regular {
                        (awaited.lapses, awaited.needed) = (0, awaited.needed.saturating_mul(2));
                    }
                }
            }
            awaited.is_outstanding = awaited.is_published && awaited.observation.is_none();
        }
    }

    /// Takes news of a topic. `is_waiting`: there is an instant whose messages are awaited, and a message now is one of it.
    pub(super) fn take(&mut self, topic: &PeerTopic, news: TopicNews, is_waiting: bool) {
        let place = self.0.iter().position(|known| known.topic.is(topic)).unwrap_or_else(|| {
            self.0.push(Awaited {
                topic: topic.clone(),
                is_published: false,
                is_outstanding: false,
                lapses: 0,
                reported: false,
                observation: None,
                needed: OBSERVED_INSTANTS,
            });
            self.0.len() - 1
        });
        let awaited = &mut self.0[place];
        match news {
            TopicNews::Published => {
                // Its publisher answers the instant that others have been waiting at.
                awaited.is_outstanding |= is_waiting && !awaited.is_published && awaited.observation.is_none();
                awaited.is_published = true;
            }
            TopicNews::Heard(count) => {
                awaited.is_published = true;
                if let Some((_, messages)) = &mut awaited.observation {
                    *messages += count;
                }
                if is_waiting && std::mem::take(&mut awaited.is_outstanding) {
                    awaited.lapses = awaited.lapses.saturating_sub(1);
                }
            }
            TopicNews::Gone => (awaited.is_published, awaited.is_outstanding) = (false, false),
        }
    }

    /// Whether a message is outstanding.
    pub(super) fn are_outstanding(&self) -> bool {
        self.0.iter().any(|awaited| awaited.is_outstanding)
    }

    /// Waits for nothing until the next instant.
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|awaited| awaited.is_outstanding = false);
    }

    /// Gives up what is outstanding for the instant `instant`.
    pub(super) fn give_up(&mut self, rules: &Lockstep, instant: SimTime) -> Vec<Lapse> {
        let outstanding = self.0.iter_mut().filter(|awaited| awaited.is_outstanding);
        outstanding.map(|awaited| awaited.lapse(rules, instant)).collect()
    }
}

impl Awaited {
    fn lapse(&mut self, rules: &Lockstep, instant: SimTime) -> Lapse {
        self.is_outstanding = false;
        self.lapses += LAPSE;
        let topic = Arc::clone(&self.topic.0);
        let complaint = |found: String| {
            Diagnostic::new("lockstep", found)
                .accepted(format!("a message every {} simulated s, as the commands", rules.period.secs()))
        };
        let complaint = if self.lapses > LAPSES {
            self.observation = Some((0, 0));
            let found = format!("\"{topic}\" has fewer messages than lockstep instants: the run stops waiting for it");
            Some(complaint(found).hint("its recording then depends on how fast it is published, and is not repeatable"))
        } else if std::mem::replace(&mut self.reported, true) {
            None
        } else {
            let found = format!(
                "no message on \"{topic}\" within {} s of the commands for {instant}, recorded as missing",
                Duration::as_secs_f64(&rules.timeout)
            );
            Some(complaint(found).hint("publish it as reliable, or raise lockstep_timeout"))
        };
        Lapse { topic, complaint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: SimTime = SimTime(20_000_000);

    /// Makes an instant at which this number of messages comes in time; the complaint, or `lost` for a lapse without one.
    fn instant(topics: &mut PeerTopics, topic: &PeerTopic, messages: u64) -> String {
        topics.expect();
        if messages > 0 {
            topics.take(topic, TopicNews::Heard(messages), true);
        }
        let lapses = topics.give_up(&Lockstep::every(PERIOD), PERIOD);
        let reported = |lapse: &Lapse| lapse.complaint.as_ref().map_or("lost".to_owned(), Diagnostic::first_line);
        lapses.iter().map(reported).collect()
    }

    #[test]
    fn a_topic_is_awaited_from_its_publisher_on_and_each_lapse_counts() {
        let (mut topics, topic) = (PeerTopics::default(), PeerTopic::new("/r"));
        topics.expect();
        assert!(!topics.are_outstanding());
        topics.take(&topic, TopicNews::Published, true);
        assert!(topics.are_outstanding(), "the instant that is waited at is the first");
        topics.take(&topic, TopicNews::Heard(1), true);
        assert!(!topics.are_outstanding());
        topics.expect();
        topics.take(&topic, TopicNews::Heard(1), false);
        assert!(topics.are_outstanding(), "what came before the instant is not of it");
        topics.take(&topic, TopicNews::Published, true);
        topics.take(&topic, TopicNews::Heard(1), true);
        topics.take(&topic, TopicNews::Published, true);
        assert!(!topics.are_outstanding(), "old news is none");
        let complaint = "lockstep: no message on \"/r\" within 1 s of the commands for 0.020 s, recorded as missing";
        assert_eq!(instant(&mut topics, &topic, 0), complaint);
        for _ in 0..20 {
            assert_eq!(instant(&mut topics, &topic, 1), "");
        }
        assert_eq!(instant(&mut topics, &topic, 0), "lost", "it is said once and counted each time");
        topics.take(&topic, TopicNews::Gone, false);
        assert_eq!(instant(&mut topics, &topic, 0), "");
    }

    #[test]
    fn a_topic_with_fewer_messages_than_instants_is_awaited_only_once_it_has_as_many() {
        let (mut topics, topic) = (PeerTopics::default(), PeerTopic::new("/r"));
        topics.take(&topic, TopicNews::Published, false);
        let reported: Vec<String> = (0..200).map(|k| instant(&mut topics, &topic, k % 2)).collect();
        let lapses: Vec<&String> = reported.iter().filter(|reported| !reported.is_empty()).collect();
        assert_eq!(lapses.len(), 3);
        assert_eq!(
            lapses[2],
            "lockstep: \"/r\" has fewer messages than lockstep instants: the run stops waiting for it"
        );
        let mut until = 0;
        topics.expect();
        while !topics.are_outstanding() {
            topics.take(&topic, TopicNews::Heard(1), true);
            topics.expect();
            until += 1;
        }
        assert!((50..100).contains(&until), "{until}");
    }
}
