//! Options of a recording: its content and how it is written.

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::preset::{PlaceholderValues, Preset, SKIDPAD};
use skidpad_run::sink::Interrupts;

use super::destination::Bounds;
use super::provenance::Provenance;

/// How a recording is made.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    /// The recorded topics.
    pub topics: TopicFilter,
    /// The preset of its names, frames and rates.
    pub preset: &'static Preset,
    /// Values of the placeholders in its names; none: its defaults.
    pub words: Option<PlaceholderValues>,
    /// Odometry, states and transforms per second of simulated time [Hz], > 0; none: the rate of the preset.
    pub odometry_rate: Option<f64>,
    /// How chunks are compressed.
    pub compression: Compression,
    /// What Autoware commands, whose reports are recorded under its preset.
    pub desk: SharedDesk,
    /// How the run is made, which the recording holds beside its messages; none: it does not say.
    pub provenance: Option<Arc<Provenance>>,
    /// What makes it give up a disk that does not come to an end; by default nothing does.
    pub interrupts: Interrupts,
    /// Where it ends by itself; none: nowhere.
    pub bounds: Option<Bounds>,
}

impl Default for RecordOptions {
    /// Everything that the ROS node publishes, at the same rates; uncompressed.
    fn default() -> RecordOptions {
        RecordOptions {
            topics: TopicFilter::default(),
            preset: &SKIDPAD,
            words: None,
            odometry_rate: None,
            compression: Compression::None,
            desk: SharedDesk::default(),
            provenance: None,
            interrupts: Interrupts::default(),
            bounds: None,
        }
    }
}

/// How chunks are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// Zstandard: small.
    Zstd,
    /// LZ4: fast.
    Lz4,
}

impl Compression {
    /// Every kind by its name.
    pub const NAMES: [(&str, Compression); 3] =
        [("none", Compression::None), ("zstd", Compression::Zstd), ("lz4", Compression::Lz4)];
}

/// Which topics are recorded, by absolute name; a name that ends in `*` matches all that begin with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicFilter {
    /// Only these; empty: all.
    pub include: Vec<String>,
}

impl TopicFilter {
    /// Only these topics.
    pub fn only<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> TopicFilter {
        TopicFilter { include: names.into_iter().map(|name| name.as_ref().to_owned()).collect() }
    }

    /// Whether the topic is recorded.
    pub fn takes(&self, topic: &str) -> bool {
        self.include.is_empty() || self.include.iter().any(|pattern| matches(pattern, topic))
    }
}

/// Whether a name, or a prefix followed by `*`, matches the topic.
pub(super) fn matches(pattern: &str, topic: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => topic.starts_with(beginning),
        None => pattern == topic,
    }
}

/// Why recording cannot start, or has stopped; its place is the file.
pub type RecordError = Diagnostic;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_selected_by_name_or_prefix() {
        assert!(TopicFilter::default().takes("/odom"));
        let filter = TopicFilter::only(["/odom", "/fx_pub/*"]);
        assert!(filter.takes("/odom") && filter.takes("/fx_pub/left_rear"));
        assert!(!filter.takes("/odometry") && !filter.takes("/fx"));
    }
}
