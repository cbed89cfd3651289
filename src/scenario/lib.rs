//! Runs with a verdict: what happens when, what must hold, and reports that continuous integration reads.

pub mod measures;
pub mod report;
mod result;

pub use result::{Case, CaseResult, Criterion, Measure, Verdict};
