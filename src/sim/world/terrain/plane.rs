//! Horizontal planes as ground: floors, ceilings, elevators.

use skidpad_math::{Pose3, Vec2};

use super::facet::Facet;
use super::{Bounds, PlaneInfo};

/// How far a plane extends beyond its edge [m], so that adjacent planes leave no gap.
const SEAM: f64 = 1e-6;

/// A rectangle in space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaneGround {
    x: [f64; 2],
    y: [f64; 2],
    z: f64,
    pub(super) world_from_plane: Pose3,
    facet: Option<Facet>,
}

impl PlaneGround {
    pub(super) fn new(info: &PlaneInfo) -> PlaneGround {
        let grown = |[from, to]: [f64; 2]| [from - SEAM, to + SEAM];
        let mut plane = PlaneGround {
            x: grown(info.x),
            y: grown(info.y),
            z: info.z,
            world_from_plane: info.world_from_start,
            facet: None,
        };
        plane.set_pose(info.world_from_start);
        plane
    }

    pub(super) fn set_pose(&mut self, world_from_plane: Pose3) {
        self.world_from_plane = world_from_plane;
        self.facet = Facet::new(world_from_plane, self.z, 0.0);
    }

    /// Bounding box seen from above [m], and greatest height [m].
    pub(super) fn bounds(&self) -> (Bounds, f64) {
        let Some(facet) = self.facet else { return (Bounds::EMPTY, f64::NEG_INFINITY) };
        let (mut bounds, mut top) = (Bounds::EMPTY, f64::NEG_INFINITY);
        for (x, y) in self.x.iter().flat_map(|&x| self.y.map(|y| (x, y))) {
            let p = facet.point(Vec2::new(x, y));
            bounds.include(Vec2::new(p.x, p.y));
            top = top.max(p.z);
        }
        (bounds, top)
    }

    /// Height [m] of the plane at `p` [m]; none outside it.
    #[inline]
    pub(super) fn height_at(&self, p: Vec2) -> Option<f64> {
        let facet = self.facet?;
        let local = facet.local(p);
        let [x, y] = [self.x, self.y];
        let covers = x[0] <= local.x && local.x <= x[1] && y[0] <= local.y && local.y <= y[1];
        covers.then(|| facet.height(p))
    }

    /// Gradient [-] of the plane along the world's axes.
    pub(super) fn gradient(&self) -> Vec2 {
        self.facet.map_or(Vec2::ZERO, |facet| facet.gradient())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(world_from_start: Pose3) -> PlaneGround {
        PlaneGround::new(&PlaneInfo {
            x: [-1.0, 3.0],
            y: [-2.0, 2.0],
            z: 0.5,
            world_from_start,
            ..PlaneInfo::default()
        })
    }

    #[test]
    fn a_turned_plane_covers_its_turned_rectangle() {
        let ground = plane(Pose3 { x: 10.0, y: 5.0, z: 1.0, yaw: 0.5_f64.atan(), ..Pose3::default() });
        let ahead = |d: f64| Vec2::new(10.0 + d * 0.8_f64.sqrt(), 5.0 + d * 0.2_f64.sqrt());
        assert_eq!(ground.height_at(ahead(2.9)), Some(1.5));
        assert_eq!(ground.height_at(ahead(3.1)), None);
        assert_eq!(ground.height_at(ahead(-0.9)), Some(1.5));
        assert_eq!(ground.height_at(ahead(-1.1)), None);
    }

    #[test]
    fn a_tilted_plane_falls_with_its_pitch_and_covers_less() {
        let pitch = 0.2_f64;
        let mut ground = plane(Pose3::default());
        ground.set_pose(Pose3 { pitch, z: 2.0, ..Pose3::default() });
        let origin = (0.5 * pitch.sin(), 2.0 + 0.5 * pitch.cos());
        for d in [0.0, 1.0, 2.9] {
            let height = ground.height_at(Vec2::new(origin.0 + d * pitch.cos(), 1.0)).unwrap();
            assert!((height - (origin.1 - d * pitch.sin())).abs() < 1e-12);
        }
        assert_eq!(ground.height_at(Vec2::new(origin.0 + 3.01 * pitch.cos(), 0.0)), None);
        let (bounds, top) = ground.bounds();
        assert!((top - (origin.1 + pitch.sin())).abs() < 1e-5);
        assert!(
            bounds.contains(Vec2::new(origin.0 - 0.99 * pitch.cos(), 0.0)) && !bounds.contains(Vec2::new(3.1, 0.0))
        );
    }
}
