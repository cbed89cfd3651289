//! Selects the topics of a recording, and reports patterns that matched no topic: a misspelt name would silently record nothing.

use skidpad_files::nearest::did_you_mean;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_sim::world::{Scene, Wanted};

use super::options::{RecordError, TopicFilter, matches};

/// The sensors of a scene with a topic that is selected, under the names of its vehicles.
pub(super) fn sensors(filter: &TopicFilter, scene: &Scene, names: &[VehicleNames]) -> Wanted {
    let mut wanted = Wanted::default();
    let vehicles = scene.vehicles.iter().zip(names);
    let sensors = vehicles
        .flat_map(|(vehicle, names)| (0..vehicle.sensors.len()).map(move |index| names.sensor_topics(vehicle, index)));
    for (place, topics) in sensors.enumerate() {
        if topics.iter().any(|topic| filter.takes(&absolute(topic))) {
            wanted.add(place);
        }
    }
    wanted
}

/// The name of a topic as a recording has it.
pub(super) fn absolute(topic: &str) -> String {
    format!("/{}", topic.trim_start_matches('/'))
}

/// The wanted topics.
#[derive(Debug)]
pub(super) struct TopicSelection {
    filter: TopicFilter,
    /// Patterns that no topic has matched so far.
    unmet: Vec<String>,
    /// The available topics, until they have been listed in a warning.
    offered: Option<Vec<String>>,
}

impl TopicSelection {
    pub(super) fn new(filter: TopicFilter) -> TopicSelection {
        let unmet = filter.include.clone();
        TopicSelection { filter, unmet, offered: Some(Vec::new()) }
    }

    /// Whether this topic, which exists or may exist later, is selected.
    pub(super) fn takes(&mut self, topic: &str) -> bool {
        self.unmet.retain(|pattern| !matches(pattern, topic));
        if let Some(offered) = &mut self.offered {
            offered.push(topic.to_owned());
        }
        self.filter.takes(topic)
    }

    /// Whether this topic is selected by a pattern: without any it is not.
    pub(super) fn takes_named(&mut self, topic: &str) -> bool {
        self.takes(topic) && !self.filter.include.is_empty()
    }

    /// Errors for patterns that match no topic when the recording into `place` begins. Vehicles added later may bring one.
    pub(super) fn unmet_at_start(&mut self, place: &str) -> Vec<RecordError> {
        let mut offered = self.offered.take().unwrap_or_default();
        offered.sort_unstable();
        offered.dedup();
        let unmet = |pattern: &String| {
            let found = format!("no topic \"{pattern}\" yet: it is recorded if a later vehicle has it");
            let hint = did_you_mean(pattern.trim_end_matches('*'), &offered);
            RecordError { hint, ..RecordError::new(place, found).accepted_all(listed(&offered)) }
        };
        self.unmet.iter().map(unmet).collect()
    }

    /// The error for patterns that never matched a topic.
    pub(super) fn unmet_at_end(&self, place: &str) -> Option<RecordError> {
        let names: Vec<String> = self.unmet.iter().map(|pattern| format!("\"{pattern}\"")).collect();
        (!names.is_empty()).then(|| {
            RecordError::new(place, format!("has no messages of {}: the run had no such topic", names.join(", ")))
                .hint("the first lines of the output list the topics")
        })
    }
}

/// Names for display, up to a readable number.
fn listed(names: &[String]) -> Vec<String> {
    const MAX_NAMES: usize = 40;
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = (more > 0).then(|| format!("… and {more} more"));
    names.iter().take(MAX_NAMES).cloned().chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_without_a_topic_are_reported_at_the_start_and_at_the_end() {
        let mut selection = TopicSelection::new(TopicFilter::only(["/odmo", "/tf*", "/r2/*", "/cmd_vel"]));
        let taken: Vec<bool> = ["/odom", "/tf", "/cmd_vel", "/tf"].map(|topic| selection.takes(topic)).into();
        assert_eq!(taken, [false, true, true, true]);
        let reported: Vec<String> = selection.unmet_at_start("x.mcap").iter().map(ToString::to_string).collect();
        assert_eq!(
            reported,
            [
                "x.mcap: no topic \"/odmo\" yet: it is recorded if a later vehicle has it\n  accepted: /cmd_vel, /odom, \
                 /tf\n  hint: did you mean \"/odom\"?",
                "x.mcap: no topic \"/r2/*\" yet: it is recorded if a later vehicle has it\n  accepted: /cmd_vel, /odom, /tf",
            ]
        );
        assert!(selection.takes("/r2/odom"));
        let end = selection.unmet_at_end("x.mcap").unwrap().to_string();
        assert!(end.starts_with("x.mcap: has no messages of \"/odmo\": the run had no such topic\n"), "{end}");
        let mut all = TopicSelection::new(TopicFilter::default());
        assert!(all.takes("/odom") && all.unmet_at_start("x").is_empty() && all.unmet_at_end("x").is_none());
    }
}
