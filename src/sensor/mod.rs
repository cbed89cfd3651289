//! Sensors and what they deliver.
mod reading;
use crate::{math::*, raycast::*, time::*};
pub use reading::{Reading, ReadingData, Scan, ScanGeometry, SensorInfo, SensorKind};
use std::sync::Arc;
/// stub
#[allow(missing_docs)]
pub trait Sensor: Send + Sync {
    fn info(&self) -> &SensorInfo;
    fn new_reading(&self) -> ReadingData;
    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData);
}
/// stub
#[allow(missing_docs)]
pub struct View<'a> {
    pub time: SimTime,
    pub world_from_body: Pose2,
    pub vehicle: usize,
    pub grids: &'a [Arc<GridCaster>],
    pub obstacles: &'a Obstacles,
    pub range_noise_override: Option<f64>,
}
/// stub
#[allow(missing_docs)]
pub struct SensorContext {
    pub seed: u64,
    pub vehicle: String,
    pub name: String,
}
/// stub
#[allow(missing_docs)]
pub struct SensorEntry {
    pub name: &'static str,
    pub help: &'static str,
    pub read: fn(&crate::xml::Reader<'_>, &SensorContext) -> Box<dyn Sensor>,
}
/// stub
pub const SENSORS: &[SensorEntry] = &[];
/// stub
pub const LATER_SENSORS: &[&str] = &["camera", "rgbd_camera", "lidar3d", "imu", "gnss", "laser"];
