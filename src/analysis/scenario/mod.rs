//! The page of a scenario's runs, for people.

mod page;
mod picture;

pub use page::page;

/// What the samples are made of.
#[cfg(test)]
mod types {
    pub(super) use skidpad_scenario::measures::{DrivenPath, Moment, Sample, Trace};
    pub(super) use skidpad_scenario::{Case, CaseResult, Criterion, Measure, Missed, Verdict};
}

#[cfg(test)]
#[path = "../../scenario/report/samples.rs"]
mod samples;
