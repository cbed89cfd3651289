//! A flat surface in space seen from above: planes, and the tops of blocks and ramps.

use skidpad_math::{Pose3, Vec2, Vec3};

/// A surface whose normal has a smaller vertical component [-] than this is vertical: nothing can stand on it.
const MIN_VERTICAL_PART: f64 = 1e-6;

/// The surface `origin + R·(u·s + v·t)`, stored as the map from a point of the world to the plane coordinates (s, t) under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Facet {
    /// Point (0, 0) of the surface in the world [m].
    origin: Vec3,
    /// Rows of the matrix from world x, y relative to the origin to surface coordinates.
    local_from_world: [Vec2; 2],
    /// Slope along world x and y [-].
    slope: Vec2,
}

impl Facet {
    /// The surface through the point (0, 0, `z`) [m] of a body in this pose, along the body's y axis and along its x axis,
    /// along which it rises by `rise` [-]. None when it is vertical.
    pub(super) fn new(world_from_body: Pose3, z: f64, rise: f64) -> Option<Facet> {
        let rotation = world_from_body.rotation();
        let (u, v) = (rotation * Vec3::new(1.0, 0.0, rise), rotation * Vec3::new(0.0, 1.0, 0.0));
        let area = u.x * v.y - u.y * v.x;
        if area.abs() < MIN_VERTICAL_PART {
            return None;
        }
        let rows = [(1.0 / area) * Vec2::new(v.y, -v.x), (1.0 / area) * Vec2::new(-u.y, u.x)];
        let slope = u.z * rows[0] + v.z * rows[1];
        let origin = world_from_body.position() + rotation * Vec3::new(0.0, 0.0, z);
        Some(Facet { origin, local_from_world: rows, slope })
    }

    /// Surface coordinates [m] of the point above or below `p` [m].
    #[inline]
    pub(super) fn local(&self, p: Vec2) -> Vec2 {
        let d = p - Vec2::new(self.origin.x, self.origin.y);
        Vec2::new(self.local_from_world[0].dot(d), self.local_from_world[1].dot(d))
    }

    /// Height [m] of the surface at `p` [m].
    #[inline]
    pub(super) fn height(&self, p: Vec2) -> f64 {
        self.origin.z + self.slope.dot(p - Vec2::new(self.origin.x, self.origin.y))
    }

    /// Its gradient [-]: metres up per metre along the world's x and y axes.
    pub(super) fn gradient(&self) -> Vec2 {
        self.slope
    }

    /// Derivatives [-] of its second coordinate along the world's x and y axes.
    pub(super) fn across(&self) -> Vec2 {
        self.local_from_world[1]
    }

    /// The point of the world [m] at these surface coordinates [m].
    pub(super) fn point(&self, local: Vec2) -> Vec3 {
        let [a, b] = self.local_from_world;
        let determinant = a.cross(b);
        let d = (1.0 / determinant) * Vec2::new(b.y * local.x - a.y * local.y, a.x * local.y - b.x * local.x);
        let p = Vec2::new(self.origin.x, self.origin.y) + d;
        Vec3::new(p.x, p.y, self.height(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_tilted_body_lie_on_its_facet() {
        let pose = Pose3 { x: 3.0, y: -2.0, z: 1.5, yaw: 2.0, pitch: -0.3, roll: 0.2 };
        let (z, rise) = (0.7, 0.25);
        let facet = Facet::new(pose, z, rise).unwrap();
        for (s, t) in [(0.0, 0.0), (1.0, 0.0), (-0.4, 2.0)] {
            let p = pose.transform_point(Vec3::new(s, t, z + rise * s));
            let at = Vec2::new(p.x, p.y);
            assert!((facet.height(at) - p.z).abs() < 1e-12);
            assert!((facet.local(at) - Vec2::new(s, t)).norm() < 1e-12);
            assert!((facet.point(Vec2::new(s, t)) - p).norm() < 1e-12);
        }
        assert_eq!(Facet::new(Pose3 { pitch: std::f64::consts::FRAC_PI_2, ..pose }, 0.0, 0.0), None);
    }
}
