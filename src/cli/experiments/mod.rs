//! Commands about experiments: matrices of runs, metrics, figures, data sets and identification.

pub(super) mod analyze;
pub(super) mod dataset;
pub(super) mod experiment;
pub(super) mod identify;
pub(super) mod lap_args;
pub(super) mod manoeuvre;
pub(super) mod picture_args;
pub(super) mod plot;
pub(super) mod vary;
