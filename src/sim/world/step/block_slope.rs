//! The slope on which a block lies, down which gravity pulls it.
//!
//! A block slides with a = g·(sin θ − μ·cos θ) down a slope of angle θ and rests up to μ = tan θ, in the horizontal plane: as for
//! vehicles, x and y count as lengths along the ground.
//!
//! The slope is that of the plane that fits best to the ground under the middle of the block and near its corners, so that a block
//! across a fold lies on both sides of it. Points at a step up or down from the ground under the middle do not count: a block
//! whose corner sticks out over the edge of a platform lies on the platform.

use skidpad_math::{Pose2, Vec2};

use crate::world::blocks::BlockBody;
use crate::world::step::follow_ground::{EVEN, block_reach};
use crate::world::terrain::{GroundPoint, Terrain};
use crate::world::{BlockInfo, PhysicsRules, Spot, World};

/// How far out the ground is looked at, as a share of the distance of the corners [-]: the ground right under a corner may be a
/// lower block that touches this one.
const SHARE: f64 = 0.8;
/// Ground that is off what one fold explains by more than this [m] is beyond a step.
const STEP: f64 = 0.05;
/// Points count as collinear when the determinant of their second moments is below this share of the squared sum [-].
const THINNEST: f64 = 1e-9;

/// Gravity on a block, as shares of its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) struct BlockSlope {
    /// Along the ground [-]: downhill in the world, sin θ long.
    pub downhill: Vec2,
    /// Into the ground [-]: cos θ.
    pub upright: f64,
}

impl BlockSlope {
    /// On ground with this gradient [-].
    fn of(gradient: Vec2) -> BlockSlope {
        let upright = 1.0 / (1.0 + gradient.dot(gradient)).sqrt();
        BlockSlope { downhill: -upright * gradient, upright }
    }
}

impl BlockBody {
    /// Sets the block on the ground under it and takes its slope. The block is number `ground` of the terrain, its body is at
    /// `planar` [m, rad].
    pub(in crate::world) fn lie_down(&mut self, terrain: &Terrain, ground: usize, info: &BlockInfo, planar: Pose2) {
        self.attitude.z = if terrain.may_slope() {
            self.incline(terrain, ground, info, planar)
        } else {
            terrain.ground_under(planar.position(), self.attitude.z + block_reach(info), Some(ground))
        };
    }

    /// Places the block elsewhere, at `planar` [m, rad], from where it finds its ground. The block is number `ground` of the terrain.
    pub(in crate::world) fn set_down(&mut self, terrain: &Terrain, ground: usize, info: &BlockInfo, planar: Pose2) {
        if self.follows && !terrain.is_level() && terrain.rules() == PhysicsRules::Skidpad {
            let spot = Spot::near(self.attitude.with(planar));
            self.attitude.z = terrain.ground_near(spot, self.attitude.z + block_reach(info), Some(ground));
        }
    }

    /// Takes the slope of the ground under the block, and returns the height of the ground [m].
    fn incline(&mut self, terrain: &Terrain, ground: usize, info: &BlockInfo, planar: Pose2) -> f64 {
        let below = terrain.ground_point(planar.position(), self.attitude.z + block_reach(info), ground);
        self.slope = self.gradient_below(terrain, ground, info, planar, below).map(BlockSlope::of);
        below.height
    }

    /// Gradient of the ground under the block [-], along the world's axes, from the ground `below` its reference point; none where it
    /// is level.
    fn gradient_below(
        &self,
        terrain: &Terrain,
        ground: usize,
        info: &BlockInfo,
        planar: Pose2,
        below: GroundPoint,
    ) -> Option<Vec2> {
        let (reach, rotation, mut below) = (block_reach(info), planar.rotation(), below);
        let look = |from: GroundPoint, p: Vec2, arm: Vec2| {
            terrain.ground_point(p + arm, from.height + from.gradient.dot(arm).abs() + reach, ground)
        };
        if self.middle != Vec2::ZERO {
            below = look(below, planar.position(), rotation * self.middle);
        }
        let middle = planar.transform_point(self.middle);
        let mut fit = GradientFit::default();
        fit.add(Vec2::ZERO, 0.0);
        for &corner in &info.outline {
            let arm = SHARE * (rotation * (corner - self.middle));
            let at_arm = look(below, middle, arm);
            let rise = at_arm.height - below.height;
            // Between two planes that meet in a fold somewhere on the way.
            let (near_rise, far_rise) = (below.gradient.dot(arm), at_arm.gradient.dot(arm));
            if near_rise.min(far_rise) - STEP <= rise && rise <= near_rise.max(far_rise) + STEP {
                fit.add(arm, rise);
            }
        }
        let gradient = fit.gradient().unwrap_or(below.gradient);
        (self.radius * gradient.norm() >= EVEN).then_some(gradient)
    }
}

impl World {
    /// Takes the slope of the ground under every block that can be pushed, after some were placed.
    pub(in crate::world) fn incline_blocks(&mut self) {
        if !self.terrain.may_slope() || self.terrain.rules() != PhysicsRules::Skidpad {
            return;
        }
        for &index in &self.moving_blocks {
            let record = &mut self.blocks[index];
            let ground = record.ground;
            if let Some(block) = record.pushed_body().filter(|block| block.follows) {
                let planar = self.physics.world_from_body(block.body);
                block.incline(&self.terrain, ground, &self.scene.blocks[index], planar);
            }
        }
    }
}

/// Sums for the plane that fits best to heights.
#[derive(Clone, Copy, Debug, Default)]
struct GradientFit {
    count: f64,
    sum: Vec2,
    heights: f64,
    /// Σ x², Σ x·y and Σ y².
    moments: [f64; 3],
    /// Σ p·z.
    products: Vec2,
}

impl GradientFit {
    /// Adds a height [m] at `p` [m].
    fn add(&mut self, p: Vec2, height: f64) {
        self.count += 1.0;
        self.sum = self.sum + p;
        self.heights += height;
        self.moments = [self.moments[0] + p.x * p.x, self.moments[1] + p.x * p.y, self.moments[2] + p.y * p.y];
        self.products = self.products + height * p;
    }

    /// The gradient of the plane [-]. None when the points do not determine it.
    fn gradient(&self) -> Option<Vec2> {
        let mean = (1.0 / self.count) * self.sum;
        let [xx, xy, yy] = self.moments;
        let (a, b, c) = (xx - mean.x * self.sum.x, xy - mean.x * self.sum.y, yy - mean.y * self.sum.y);
        let d = self.products - self.heights * mean;
        let determinant = a * c - b * b;
        let is_determined = determinant > THINNEST * (a + c) * (a + c);
        is_determined.then(|| (1.0 / determinant) * Vec2::new(c * d.x - b * d.y, a * d.y - b * d.x))
    }
}
