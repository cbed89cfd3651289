//! Volumes: the bounds that callers filter entities by, and the prism over the outline of a vehicle or block.

use skidpad_files::mesh::convex_hull;
use skidpad_math::{Pose3, Vec2, Vec3, convex};

use super::outcome::code::FEATURE_UNSUPPORTED;
use super::outcome::{Outcome, Refusal};

/// A volume in the world that a caller gives [m].
#[derive(Clone, Debug, PartialEq)]
pub enum Bounds {
    /// No limits.
    Everywhere,
    /// An axis-aligned box, from its low to its high corner.
    Box([[f64; 3]; 2]),
    /// The convex hull of points, approximated by the prism over their outline in the plane. Points of equal height mean unlimited height.
    Hull(Prism),
    /// Centre and radius.
    Sphere([f64; 3], f64),
}

/// The numbers of the kinds of bounds in messages.
pub mod kind {
    pub const EMPTY: u8 = 0;
    pub const BOX: u8 = 1;
    pub(crate) const CONVEX_HULL: u8 = 2;
    pub(crate) const SPHERE: u8 = 3;
}

/// The low and the high corner of a box [m].
pub type Corners = [Vec3; 2];

/// A convex outline, counter-clockwise, from a lower to an upper end [m].
#[derive(Clone, Debug, PartialEq)]
pub struct Prism {
    pub outline: Vec<Vec2>,
    pub z: [f64; 2],
}

impl Bounds {
    /// Reads the kind and the points of a message.
    pub fn read(kind: u8, points: &[[f64; 3]]) -> Outcome<Bounds> {
        let bad =
            |fault: String, accepted: &str| Err(Refusal::failed(format!("bounds: {fault}\n  accepted: {accepted}")));
        if points.iter().flatten().any(|c| !c.is_finite()) {
            return bad("a point is not finite".to_owned(), "finite numbers");
        }
        match (kind, points) {
            (kind::EMPTY, _) => Ok(Bounds::Everywhere),
            (kind::BOX, [a, b]) => {
                let corner = |choose: fn(f64, f64) -> f64| [0, 1, 2].map(|axis| choose(a[axis], b[axis]));
                Ok(Bounds::Box([corner(f64::min), corner(f64::max)]))
            }
            (kind::BOX, _) => bad(format!("a box with {} points", points.len()), "two corners"),
            (kind::SPHERE, [center, [radius, ..]]) if *radius >= 0.0 => Ok(Bounds::Sphere(*center, *radius)),
            (kind::SPHERE, _) => {
                bad(format!("a sphere with {} points", points.len()), "its centre, and its radius ≥ 0 as x of a second")
            }
            (kind::CONVEX_HULL, _) => {
                let outline = convex_hull(&points.iter().map(|p| Vec2::new(p[0], p[1])).collect::<Vec<_>>());
                if outline.len() < 3 {
                    return bad(
                        format!("a hull of {} points on a line", points.len()),
                        "three or more points around an area",
                    );
                }
                let low = points.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
                let high = points.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
                Ok(Bounds::Hull(Prism { outline, z: height_range(low, high) }))
            }
            _ => {
                let reason =
                    format!("bounds: kind {kind} is unknown\n  accepted: 0 empty, 1 box, 2 convex hull, 3 sphere");
                Err(Refusal::new(FEATURE_UNSUPPORTED, reason))
            }
        }
    }

    /// Whether the volumes share a point; touching counts.
    pub fn overlaps(&self, prism: &Prism) -> bool {
        match self {
            Bounds::Everywhere => true,
            Bounds::Box([low, high]) => {
                let corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])];
                let outline = corners.map(|(x, y)| Vec2::new(x, y)).to_vec();
                Prism { outline, z: height_range(low[2], high[2]) }.overlaps(prism)
            }
            Bounds::Hull(hull) => hull.overlaps(prism),
            Bounds::Sphere(center, radius) => prism.distance(*center) <= *radius,
        }
    }
}

/// The lower and the upper end of a volume [m]; one without height has no ends, since its caller means an area of the plane.
fn height_range(low: f64, high: f64) -> [f64; 2] {
    if low < high { [low, high] } else { [f64::NEG_INFINITY, f64::INFINITY] }
}

impl Prism {
    /// The prism of a body with this outline and these lower and upper ends [m] in its own frame; pitch and roll are ignored.
    pub fn of(world_from_body: Pose3, outline: &[Vec2], z: [f64; 2]) -> Prism {
        let level = world_from_body.planar();
        let placed: Vec<Vec2> = outline.iter().map(|&p| level.transform_point(p)).collect();
        Prism { outline: convex_hull(&placed), z: z.map(|end| world_from_body.z + end) }
    }

    /// Whether two prisms share a point; touching counts.
    fn overlaps(&self, other: &Prism) -> bool {
        let shares_height = self.z[0] <= other.z[1] && other.z[0] <= self.z[1];
        shares_height && !convex::are_apart(&self.outline, &other.outline)
    }

    /// Distance of a point from the prism [m]; 0 inside.
    fn distance(&self, [x, y, z]: [f64; 3]) -> f64 {
        let aside = convex::distance_to_point(&self.outline, Vec2::new(x, y));
        let over = (self.z[0] - z).max(z - self.z[1]).max(0.0);
        libm::hypot(aside, over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of 2 m x 1 m x 0.5 m on the ground, turned by `yaw` [rad].
    fn crate_at(x: f64, y: f64, yaw: f64) -> Prism {
        let outline = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)].map(|(x, y)| Vec2::new(x, y));
        Prism::of(Pose3 { x, y, yaw, ..Pose3::default() }, &outline, [0.0, 0.5])
    }

    #[test]
    fn boxes_are_two_corners_in_any_order() {
        let bounds = Bounds::read(kind::BOX, &[[3.0, 1.0, 1.0], [2.0, -1.0, 0.0]]).unwrap();
        assert_eq!(bounds, Bounds::Box([[2.0, -1.0, 0.0], [3.0, 1.0, 1.0]]));
        assert!(!bounds.overlaps(&crate_at(0.0, 0.0, 0.0)));
        assert!(bounds.overlaps(&crate_at(1.0, 0.0, 0.0)), "they touch");
        assert!(!bounds.overlaps(&crate_at(1.0, 0.0, std::f64::consts::FRAC_PI_2)), "turned away");
        let above = Bounds::read(kind::BOX, &[[9.0, 9.0, 0.6], [-9.0, -9.0, 0.7]]).unwrap();
        assert!(!above.overlaps(&crate_at(0.0, 0.0, 0.0)));
        let flat = Bounds::read(kind::BOX, &[[9.0, 9.0, 5.0], [-9.0, -9.0, 5.0]]).unwrap();
        assert!(flat.overlaps(&crate_at(0.0, 0.0, 0.0)), "without height it reaches through all");
    }

    #[test]
    fn spheres_reach_round_corners_and_edges() {
        let at = crate_at(0.0, 0.0, 0.0);
        let sphere = |x, y, z, radius| Bounds::read(kind::SPHERE, &[[x, y, z], [radius, 0.0, 0.0]]).unwrap();
        assert!(sphere(0.2, 0.1, 0.2, 0.0).overlaps(&at), "a point inside");
        // From the corner (1, 0.5, 0.5) it is 3-4-12 to the centre: 13.
        assert!(sphere(4.0, 4.5, 12.5, 13.0 + 1e-9).overlaps(&at));
        assert!(!sphere(4.0, 4.5, 12.5, 13.0 - 1e-9).overlaps(&at));
        assert!(!sphere(0.0, 0.0, 1.5, 0.9).overlaps(&at));
    }

    #[test]
    fn hulls_are_prisms() {
        let triangle = [[1.5, 0.0, 0.0], [3.0, 1.5, 0.0], [3.0, -1.5, 2.0], [2.5, 0.0, 1.0]];
        let hull = Bounds::read(kind::CONVEX_HULL, &triangle).unwrap();
        assert!(matches!(&hull, Bounds::Hull(prism) if prism.outline.len() == 3 && prism.z == [0.0, 2.0]));
        assert!(!hull.overlaps(&crate_at(0.0, 0.0, 0.0)));
        assert!(hull.overlaps(&crate_at(0.6, 0.0, 0.0)));
        // The hull's bounding box would overlap the triangle; the hull itself does not.
        assert!(!hull.overlaps(&crate_at(0.9, 1.8, 0.0)));
    }

    #[test]
    fn invalid_volumes_are_refused_with_a_reason() {
        let refusal = |kind, points: &[[f64; 3]]| Bounds::read(kind, points).unwrap_err();
        assert_eq!(refusal(7, &[]).code, 0);
        assert_eq!(refusal(1, &[[0.0; 3]]).reason, "bounds: a box with 1 points\n  accepted: two corners");
        assert_eq!(
            refusal(1, &[[0.0; 3], [f64::NAN, 0.0, 0.0]]).reason,
            "bounds: a point is not finite\n  accepted: finite numbers"
        );
        assert_eq!(refusal(2, &[[0.0; 3], [1.0; 3], [2.0; 3]]).code, 4);
        assert_eq!(refusal(3, &[[0.0; 3], [-1.0, 0.0, 0.0]]).code, 4);
        assert_eq!(Bounds::read(0, &[]), Ok(Bounds::Everywhere));
    }
}
