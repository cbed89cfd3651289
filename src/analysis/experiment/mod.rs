//! Reports of matrices of experiments: tables, curves, and a page with both.

mod curves;
mod grid_page;
mod grid_table;
#[cfg(test)]
mod grid_tests;

pub use grid_table::GridReport;
pub use skidpad_metrics::experiment::*;
