//! The chassis: outline, mass and mass distribution.
//!
//! XML (inside `<dynamics>`; the defaults of mass, z and outline depend on the drive):
//! ```xml
//! <chassis mass="15" zmin="0.05" zmax="0.6" color="#ff0000"
//!          linear_damping="0.1" angular_damping="0.1"   [1/s], ≥ 0
//!          com="x y"        centre of mass [m]; default the centroid of the outline (uniform plate)
//!          com_height="0"   its height [m]; > 0 turns load transfer on
//!          inertia="…">     yaw inertia about the centre of mass [kg·m²]; default that of the uniform plate
//!   <shape> <pt>x y</pt> … </shape>                     3 to 14 points [m], any order of rotation
//!   <shape_from_visual/>                                outline, zmin and zmax from the meshes of the vehicle's visuals
//! </chassis>
//! ```
//! The engine collides with the convex hull of the outline. `com`, `com_height` and `inertia` are skidpad's own.

use skidpad_files::counted::counted;
use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

/// The fixed properties of a chassis.
#[derive(Clone, Debug, PartialEq)]
pub struct Chassis {
    /// Outline [m] in the vehicle's reference frame.
    pub outline: Vec<Vec2>,
    /// Mass without wheels [kg].
    pub mass: f64,
    /// Centre of mass [m], without wheels.
    pub center_of_mass: Vec2,
    /// Height of the vehicle's centre of mass [m]; 0: no load transfer.
    pub center_of_mass_height: f64,
    /// Yaw inertia about the chassis' centre of mass [kg·m²].
    pub inertia: f64,
    /// Lower and upper end [m].
    pub z: [f64; 2],
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Damping of the linear velocity [1/s].
    pub linear_damping: f64,
    /// Damping of the yaw rate [1/s].
    pub angular_damping: f64,
    /// Whether the outline and the heights are those of the vehicle's visuals.
    pub shape_from_visual: bool,
    has_own_center: bool,
    has_own_inertia: bool,
}

/// Area [m²], centroid [m] and second polar moment about the centroid [m⁴] of a simple polygon, by Green's theorem.
/// The area is positive for either direction of rotation.
pub fn plate(outline: &[Vec2]) -> (f64, Vec2, f64) {
    let (mut area, mut first, mut second) = (0.0, Vec2::ZERO, 0.0);
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        let cross = a.cross(b);
        area += 0.5 * cross;
        first = first + (cross / 6.0) * (a + b);
        second += cross * (a.dot(a) + a.dot(b) + b.dot(b)) / 12.0;
    }
    if area == 0.0 {
        return (0.0, Vec2::ZERO, 0.0);
    }
    let extent = outline.iter().fold(0.0_f64, |most, p| most.max(p.x.abs()).max(p.y.abs()));
    // The rounding of a sum would move the centroid of a plate that is its own mirror image off its axis.
    let on_axis = |at: f64| if at.abs() < 1e-14 * extent { 0.0 } else { at };
    let centroid = (1.0 / area) * first;
    let centroid = Vec2::new(on_axis(centroid.x), on_axis(centroid.y));
    (area.abs(), centroid, (second - area * centroid.dot(centroid)).abs())
}

impl Chassis {
    /// A uniform plate with this outline [m] and mass [kg].
    pub fn uniform(outline: Vec<Vec2>, mass: f64, z: [f64; 2], color: [u8; 4]) -> Chassis {
        let (area, center_of_mass, polar) = plate(&outline);
        let inertia = if area > 0.0 { mass * polar / area } else { mass };
        Chassis {
            outline,
            mass,
            center_of_mass,
            center_of_mass_height: 0.0,
            inertia,
            z,
            color,
            linear_damping: 0.1,
            angular_damping: 0.1,
            shape_from_visual: false,
            has_own_center: false,
            has_own_inertia: false,
        }
    }

    /// Gives it another outline [m] and other ends [m]. Centre of mass and inertia become those of the new plate, as far as
    /// they were not given.
    pub fn reshape(&mut self, outline: Vec<Vec2>, z: [f64; 2]) {
        let plate = Chassis::uniform(outline, self.mass, z, self.color);
        if !self.has_own_center {
            self.center_of_mass = plate.center_of_mass;
        }
        if !self.has_own_inertia {
            self.inertia = plate.inertia;
        }
        (self.outline, self.z) = (plate.outline, plate.z);
    }

    /// Reads the XML block above over `default`.
    pub fn read(reader: &Reader<'_>, default: Chassis) -> Chassis {
        let mass = reader.attribute_f64("mass", default.mass, Accept::positive());
        let outline = reader.child("shape").map(|shape| read_shape(&shape, 14)).unwrap_or(default.outline);
        for child in ["linear_damping", "angular_damping"] {
            if reader.has(child) {
                reader.warn(format!("<{child}> as a tag has no effect; give it as an attribute of <chassis>"));
            }
        }
        let mut chassis = Chassis::uniform(outline, mass, default.z, default.color);
        chassis.shape_from_visual = reader.has("shape_from_visual");
        if let Some(com) = reader.attribute_numbers("com", &[2]) {
            chassis.center_of_mass = Vec2::new(com[0], com[1]);
            chassis.has_own_center = true;
        }
        chassis.center_of_mass_height = reader.attribute_f64("com_height", 0.0, Accept::non_negative());
        if let Some(inertia) = reader.optional_attribute_f64("inertia", Accept::positive()) {
            chassis.inertia = inertia;
            chassis.has_own_inertia = true;
        }
        chassis.z = [
            reader.attribute_f64("zmin", default.z[0], Accept::any()),
            reader.attribute_f64("zmax", default.z[1], Accept::any()),
        ];
        chassis.color = reader.attribute_color("color", default.color);
        chassis.linear_damping = reader.attribute_f64("linear_damping", default.linear_damping, Accept::non_negative());
        chassis.angular_damping =
            reader.attribute_f64("angular_damping", default.angular_damping, Accept::non_negative());
        chassis
    }
}

/// Reads the `<pt>` children of a `<shape>`: at least 3 and at most `most` points [m] that span an area.
pub fn read_shape(reader: &Reader<'_>, most: usize) -> Vec<Vec2> {
    let mut outline = Vec::new();
    for point in reader.children("pt") {
        match point.own_numbers(&[2]) {
            Some(p) => outline.push(Vec2::new(p[0], p[1])),
            None => return fallback_square(),
        }
    }
    if outline.len() < 3 || outline.len() > most {
        reader
            .error(format!("<shape> has {}", counted(outline.len(), "point")))
            .accepted([format!("3 to {most} points")]);
        return fallback_square();
    }
    if let Some(far) = outline.iter().find(|point| point.norm() > MAX_CORNER) {
        let found = format!("<shape> has a corner at {:?} {:?}", far.x, far.y);
        reader.error(found).accepted([format!("corners within {MAX_CORNER} m of the origin")]);
        return fallback_square();
    }
    if plate(&outline).0 < 1e-9 {
        reader.error("the points of <shape> span no area").accepted(["a polygon of more than 1e-9 m²"]);
        return fallback_square();
    }
    outline
}

/// Largest distance of a shape's corners from the body's origin [m]: chosen, since contacts with a map take time for every cell in the
/// box around a body, a minute for some 10⁸ m.
const MAX_CORNER: f64 = 1e5;

/// Stands in for a shape that could not be read, while the rest of the file is checked.
fn fallback_square() -> Vec<Vec2> {
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_outline_moves_the_centre_of_mass_unless_it_was_given() {
        let square =
            |x: f64| [(x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0), (x, 1.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
        let mut chassis = Chassis::uniform(square(0.0), 6.0, [0.0, 1.0], [0; 4]);
        chassis.reshape(square(2.0), [0.5, 2.0]);
        assert!((chassis.center_of_mass - Vec2::new(2.5, 0.5)).norm() < 1e-12 && (chassis.inertia - 1.0).abs() < 1e-12);
        assert_eq!((chassis.z, chassis.mass), ([0.5, 2.0], 6.0));
        (chassis.has_own_center, chassis.has_own_inertia, chassis.inertia) = (true, true, 7.0);
        chassis.reshape(square(5.0), [0.0, 1.0]);
        assert!((chassis.center_of_mass - Vec2::new(2.5, 0.5)).norm() < 1e-12 && chassis.inertia == 7.0);
    }

    #[test]
    fn a_rectangle_has_the_textbook_moments_in_either_direction_of_rotation() {
        let mut outline: Vec<Vec2> =
            [(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
        for _ in 0..2 {
            let (area, centroid, polar) = plate(&outline);
            assert!((area - 8.0).abs() < 1e-12);
            assert!((centroid.x - 3.0).abs() < 1e-12 && (centroid.y - 2.0).abs() < 1e-12);
            assert!((polar - 8.0 * (16.0 + 4.0) / 12.0).abs() < 1e-10);
            outline.reverse();
        }
    }
}
