//! What a run came to: errors of tracking, graphs, tables; of runs in this process and of recordings.

mod run;

pub use run::{CommandSample, PoseSample, PositionSample, Run, Scatter};
