//! Runs with a verdict: what happens when, what must hold, and reports that continuous integration reads.

mod beside;
mod cases;
mod description;
pub mod events;
pub mod expect;
pub mod measures;
pub mod peers;
mod pursuit;
pub mod report;
mod result;
mod result_chunk;
mod run;
#[cfg(test)]
mod run_tests;
mod scorer;

pub use beside::{Bag, Beside, BesideWords, Ready, ReadyWords};
pub use cases::{Planned, cases, compare_repetitions, file_names, run_all};
pub use description::{OWN_KEYS, Scenario, Seeds, as_json};
pub use result::{Case, CaseResult, Criterion, Measure, Missed, Verdict};
pub use run::{Keep, RunOptions, record, run};
pub use scorer::{Obstacle, Scorer};
