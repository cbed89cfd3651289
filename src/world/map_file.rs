//! stub
use crate::raycast::OccupancyGrid;
/// stub
#[allow(missing_docs)]
pub struct ImageOptions {
    pub resolution: f64,
    pub center_pixel: [f64; 2],
}
/// stub
pub fn load(_p: &std::path::Path, _o: &ImageOptions) -> Result<OccupancyGrid, String> {
    Err("stub".into())
}
