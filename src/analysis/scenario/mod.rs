//! The page of a scenario's runs, for people.

mod page;
mod picture;
#[cfg(test)]
#[path = "../../scenario/report/samples.rs"]
mod samples;
/// What the samples are made of.
#[cfg(test)]
mod types {
    pub(super) use skidpad_scenario::measures::{Moment, Sample, Trace, Way};
    pub(super) use skidpad_scenario::{Case, CaseResult, Criterion, Measure, Missed, Verdict};
}

pub use page::page;
