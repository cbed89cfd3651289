//! stub
use crate::math::*;
/// stub
pub struct Obstacles(usize);
#[allow(missing_docs)]
impl Obstacles {
    pub fn new() -> Self {
        Obstacles(0)
    }
    pub fn add_static(&mut self, _o: &[Vec2], _p: Pose2) {}
    pub fn add_mover(&mut self, _owner: Option<usize>, _o: &[Vec2]) -> usize {
        self.0 += 1;
        self.0 - 1
    }
    pub fn set_mover_pose(&mut self, _i: usize, _p: Pose2) {}
    pub fn finish(&mut self) {}
}
