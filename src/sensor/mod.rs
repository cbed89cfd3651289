//! Sensors and what they deliver.
mod reading;
pub use reading::{Reading, ReadingData, Scan, ScanGeometry, SensorInfo, SensorKind};
