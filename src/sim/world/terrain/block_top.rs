//! The upper sides of blocks as ground.

use skidpad_math::{Pose3, Vec2};

use super::facet::Facet;
use super::{BlockTop, Bounds};

/// Points this close to an outline count as inside [m], so that adjacent blocks leave no gap.
const SEAM: f64 = 1e-6;
/// A bump whose height is less than this share [-] of its middle is at its edge, where it is vertical.
const MIN_HEIGHT_SHARE: f64 = 1e-6;

/// A block as ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlockGround {
    outline: Vec<Vec2>,
    top: BlockTop,
    /// Height of a flat top above the block's reference point [m].
    z_max: f64,
    pub(super) world_from_block: Pose3,
    facet: Option<Facet>,
}

impl BlockGround {
    /// The block with this outline [m] and upper end [m] in its own frame.
    pub(super) fn new(outline: Vec<Vec2>, top: BlockTop, z_max: f64, world_from_block: Pose3) -> BlockGround {
        let mut ground = BlockGround { outline, top, z_max, world_from_block, facet: None };
        ground.set_pose(world_from_block);
        ground
    }

    pub(super) fn set_pose(&mut self, world_from_block: Pose3) {
        self.world_from_block = world_from_block;
        self.facet = match self.top {
            BlockTop::Flat => Facet::new(world_from_block, self.z_max, 0.0),
            BlockTop::Ramp { length, height } => Facet::new(world_from_block, 0.0, height / length),
            BlockTop::Bump { .. } => Facet::new(world_from_block, 0.0, 0.0),
        };
    }

    /// Whether its top reaches down to its base, so that nothing can pass below.
    pub(super) fn is_wedge(&self) -> bool {
        self.top != BlockTop::Flat
    }

    /// Whether its top is inclined anywhere.
    pub(super) fn may_slope(&self) -> bool {
        self.top != BlockTop::Flat || self.facet.is_some_and(|facet| facet.gradient() != Vec2::ZERO)
    }

    /// Bounding box seen from above [m], and greatest height [m].
    pub(super) fn bounds(&self) -> (Bounds, f64) {
        let Some(facet) = self.facet else { return (Bounds::EMPTY, f64::NEG_INFINITY) };
        let bump = if let BlockTop::Bump { height, .. } = self.top { height.max(0.0) } else { 0.0 };
        let (mut bounds, mut top) = (Bounds::EMPTY, f64::NEG_INFINITY);
        for &corner in &self.outline {
            let p = facet.point(corner);
            bounds.include(Vec2::new(p.x, p.y));
            top = top.max(p.z + bump);
        }
        (bounds.grown(SEAM), top)
    }

    /// Height [m] of its top at `p` [m]; none outside its outline.
    #[inline]
    pub(super) fn height_at(&self, p: Vec2) -> Option<f64> {
        let facet = self.facet?;
        let local = facet.local(p);
        if !is_inside(&self.outline, local) {
            return None;
        }
        let height = facet.height(p);
        Some(match self.top {
            BlockTop::Flat | BlockTop::Ramp { .. } => height,
            BlockTop::Bump { width, height: bump } => {
                let across = 2.0 * local.y / width;
                height + bump * (1.0 - across * across).max(0.0).sqrt()
            }
        })
    }

    /// Gradient [-] of its top at `p` [m] along the world's axes.
    pub(super) fn gradient_at(&self, p: Vec2) -> Vec2 {
        let Some(facet) = self.facet else { return Vec2::ZERO };
        match self.top {
            BlockTop::Flat | BlockTop::Ramp { .. } => facet.gradient(),
            BlockTop::Bump { width, height: bump } => {
                let across = 2.0 * facet.local(p).y / width;
                let height_share = (1.0 - across * across).max(0.0).sqrt();
                if height_share < MIN_HEIGHT_SHARE {
                    return facet.gradient();
                }
                facet.gradient() - (2.0 * bump / width * across / height_share) * facet.across()
            }
        }
    }
}

/// Whether `p` lies in a simple polygon, by counting the sides that a ray crosses; its boundary counts as inside.
#[inline]
pub(in crate::world) fn is_inside(outline: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    let Some(&last) = outline.last() else { return false };
    let mut from = last;
    for &to in outline {
        let side = to - from;
        let d = p - from;
        if (from.y > p.y) != (to.y > p.y) && (d.x < side.x * d.y / side.y) {
            inside = !inside;
        }
        let squared = side.dot(side);
        let along = if squared > 0.0 { (d.dot(side) / squared).clamp(0.0, 1.0) } else { 0.0 };
        let away = d - along * side;
        if away.dot(away) <= SEAM * SEAM {
            return true;
        }
        from = to;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn rectangle(x: [f64; 2], y: [f64; 2]) -> Vec<Vec2> {
        [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])].map(|(x, y)| Vec2::new(x, y)).to_vec()
    }

    fn at(ground: &BlockGround, x: f64, y: f64) -> Option<f64> {
        ground.height_at(Vec2::new(x, y))
    }

    #[test]
    fn a_flat_top_lies_at_z_max_inside_the_outline_and_nowhere_else() {
        let pose = Pose3 { x: 10.0, y: 0.0, z: 2.0, yaw: FRAC_PI_2, ..Pose3::default() };
        let ground = BlockGround::new(rectangle([-1.0, 1.0], [-0.2, 0.2]), BlockTop::Flat, 0.5, pose);
        assert_eq!(at(&ground, 10.0, 0.9), Some(2.5));
        assert_eq!(at(&ground, 10.2, -1.0), Some(2.5), "its corner");
        assert_eq!(at(&ground, 10.9, 0.0), None);
        assert_eq!(at(&ground, 10.0, 1.001), None);
        let l = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        let l = BlockGround::new(l.map(|(x, y)| Vec2::new(x, y)).to_vec(), BlockTop::Flat, 1.0, Pose3::default());
        assert_eq!((at(&l, 0.5, 1.5), at(&l, 1.5, 0.5), at(&l, 1.5, 1.5)), (Some(1.0), Some(1.0), None));
    }

    #[test]
    fn a_ramp_rises_along_its_own_x_axis() {
        let pose = Pose3 { x: 1.0, y: 1.0, z: 0.5, yaw: FRAC_PI_2, ..Pose3::default() };
        let top = BlockTop::Ramp { length: 4.0, height: 1.0 };
        let ground = BlockGround::new(rectangle([0.0, 4.0], [-1.0, 1.0]), top, 1.0, pose);
        for along in [0.0, 1.0, 3.9, 4.0] {
            let height = at(&ground, 1.0 + 0.5, 1.0 + along).unwrap();
            assert!((height - (0.5 + along / 4.0)).abs() < 1e-12, "{along}: {height}");
        }
        assert_eq!(at(&ground, 1.0, 5.01), None);
        assert!((ground.bounds().1 - 1.5).abs() < 1e-12);
    }

    #[test]
    fn a_bump_is_half_an_ellipse_across_its_y_axis() {
        let top = BlockTop::Bump { width: 2.0, height: 0.3 };
        let pose = Pose3 { z: 1.0, ..Pose3::default() };
        let ground = BlockGround::new(rectangle([-3.0, 3.0], [-1.0, 1.0]), top, 0.3, pose);
        for y in [-1.0, -0.6, 0.0, 0.28, 0.8] {
            let height = at(&ground, 2.0, y).unwrap() - 1.0;
            assert!((y * y + (height / 0.3).powi(2) - 1.0).abs() < 1e-12, "{y}: {height}");
        }
        assert!((ground.bounds().1 - 1.3).abs() < 1e-12);
    }
}
