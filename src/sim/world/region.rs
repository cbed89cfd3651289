//! Regions with properties of their own: different ground, or no view of the sky.
//!
//! A [`Region`] holds the values of the file, for viewers and for queries of a property by name ([`find`]). The properties needed at
//! every step are collected once in [`Regions`]. If several regions define a property, the first in the order of the file counts.

use skidpad_math::{Rot2, Vec2, Vec3};

use super::step::attitude::Attitude;
use crate::vehicle::{Wheel, WheelGround};

/// Name of the property that is the friction coefficient of the ground [-].
pub const FRICTION: &str = "friction_mu";
/// Name of the property that is the rolling resistance coefficient of the ground [-].
pub const ROLLING_RESISTANCE: &str = "friction_C_rr";
/// Name of the property of areas without satellite reception.
pub const NO_COVERAGE: &str = "gps_no_coverage";

/// A box in the world with a property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Unique name.
    pub name: String,
    /// Lower corner in the world [m], which belongs to it.
    pub low: Vec3,
    /// Upper corner in the world [m], which belongs to it.
    pub high: Vec3,
    /// Name of the property, such as [`FRICTION`].
    pub property: String,
    /// Value of the property inside.
    pub value: Value,
}

/// A value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, in the unit of the property.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
}

impl Default for Value {
    fn default() -> Value {
        Value::Text(String::new())
    }
}

/// The value of a property at a point of the world [m]; none if no region defines it there.
pub fn find<'a>(regions: &'a [Region], property: &str, point: Vec3) -> Option<&'a Value> {
    let defines = |region: &&Region| region.property == property && is_inside(region.low, region.high, point);
    regions.iter().find(defines).map(|region| &region.value)
}

/// Whether satellites are received at a point of the world [m].
pub fn has_coverage(regions: &[Region], point: Vec3) -> bool {
    find(regions, NO_COVERAGE, point) != Some(&Value::Bool(true))
}

fn is_inside(low: Vec3, high: Vec3, point: Vec3) -> bool {
    (0..3).all(|axis| (low[axis]..=high[axis]).contains(&point[axis]))
}

/// A property's boxes and values, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Boxes<T>(Vec<(Vec3, Vec3, T)>);

impl<T: Copy> Boxes<T> {
    pub(super) fn new(regions: &[Region], property: &str, read: impl Fn(&Value) -> Option<T>) -> Boxes<T> {
        let matching = regions.iter().filter(|region| region.property == property);
        Boxes(matching.filter_map(|region| Some((region.low, region.high, read(&region.value)?))).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(super) fn at(&self, point: Vec3) -> Option<T> {
        self.0.iter().find(|(low, high, _)| is_inside(*low, *high, point)).map(|(_, _, value)| *value)
    }
}

impl<T> Default for Boxes<T> {
    fn default() -> Boxes<T> {
        Boxes(Vec::new())
    }
}

/// The properties of the ground, each with its regions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    mu: Boxes<f64>,
    rolling_resistance: Boxes<f64>,
    flat: bool,
}

impl Regions {
    /// Collects the properties of these regions. `flat`: wheels are looked up at z = 0 whatever their height, as in MVSim.
    pub fn new(regions: &[Region], flat: bool) -> Regions {
        let number = |value: &Value| match value {
            Value::Double(number) => Some(*number),
            _ => None,
        };
        Regions {
            mu: Boxes::new(regions, FRICTION, number),
            rolling_resistance: Boxes::new(regions, ROLLING_RESISTANCE, number),
            flat,
        }
    }

    /// Whether the ground differs anywhere.
    #[inline]
    pub fn change_ground(&self) -> bool {
        !self.mu.0.is_empty() || !self.rolling_resistance.0.is_empty()
    }

    /// The ground under a wheel at this point of the world [m].
    #[inline]
    pub fn ground(&self, point: Vec3) -> WheelGround {
        WheelGround { mu: self.mu.at(point), rolling_resistance: self.rolling_resistance.at(point) }
    }

    /// Looks up the ground under the wheels of a vehicle whose body is at `position` [m] with this rotation and attitude.
    pub(super) fn look_under(
        &self,
        wheels: &[Wheel],
        position: Vec2,
        rotation: Rot2,
        attitude: Attitude,
        ground: &mut [WheelGround],
    ) {
        // In the frame with the body's heading but level.
        let upright_from_body = (attitude.pitch != 0.0 || attitude.roll != 0.0)
            .then(|| Attitude { z: 0.0, ..attitude }.with(Default::default()).rotation());
        for (ground, wheel) in ground.iter_mut().zip(wheels) {
            let at = wheel.parameters.position;
            let from_position = match &upright_from_body {
                Some(rotation) => rotation * Vec3::new(at.x, at.y, 0.0),
                None => Vec3::new(at.x, at.y, 0.0),
            };
            let planar = position + rotation * Vec2::new(from_position.x, from_position.y);
            let height = if self.flat { 0.0 } else { attitude.z + from_position.z };
            *ground = self.ground(Vec3::new(planar.x, planar.y, height));
        }
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose3;

    use super::*;
    use crate::vehicle::WheelParameters;

    fn region(property: &str, [x, y, z]: [[f64; 2]; 3], value: Value) -> Region {
        Region {
            name: String::new(),
            low: Vec3::new(x[0], y[0], z[0]),
            high: Vec3::new(x[1], y[1], z[1]),
            property: property.to_string(),
            value,
        }
    }

    const ALL: [f64; 2] = [-1e3, 1e3];

    #[test]
    fn the_first_region_of_the_property_counts_and_its_border_belongs_to_it() {
        let list = [
            region(NO_COVERAGE, [ALL; 3], Value::Bool(true)),
            region(FRICTION, [[0.0, 1.0], [0.0, 1.0], ALL], Value::Double(0.1)),
            region(FRICTION, [[0.0, 2.0], [0.0, 1.0], ALL], Value::Double(0.5)),
            region("colour", [[0.0, 2.0], [0.0, 1.0], ALL], Value::Text("red".into())),
        ];
        let regions = Regions::new(&list, false);
        for (x, mu) in [(-1e-9, None), (0.0, Some(0.1)), (1.0, Some(0.1)), (1.5, Some(0.5)), (2.5, None)] {
            let point = Vec3::new(x, 0.5, 0.0);
            assert_eq!(regions.ground(point), WheelGround { mu, rolling_resistance: None }, "{x}");
            assert_eq!(find(&list, FRICTION, point), mu.map(Value::Double).as_ref(), "{x}");
        }
        assert_eq!(find(&list, "colour", Vec3::new(1.0, 1.0, 0.0)), Some(&Value::Text("red".into())));
        assert_eq!(find(&list, "color", Vec3::new(1.0, 1.0, 0.0)), None);
        assert!(regions.change_ground() && !has_coverage(&list, Vec3::zeros()));
        assert!(!Regions::new(&list[..1], false).change_ground());
    }

    #[test]
    fn a_window_listed_before_the_roof_takes_precedence() {
        let list = [
            region(NO_COVERAGE, [[0.0, 1.0], ALL, ALL], Value::Bool(false)),
            region(NO_COVERAGE, [[0.0, 5.0], ALL, ALL], Value::Bool(true)),
        ];
        let seen = [-1.0, 0.5, 3.0].map(|x| has_coverage(&list, Vec3::new(x, 0.0, 0.0)));
        assert_eq!(seen, [true, true, false]);
    }

    /// Wheel positions follow from the body's pose and height; under MVSim's rules the height is ignored.
    #[test]
    fn wheels_are_looked_up_where_they_stand() {
        let wheels = [Wheel::new(WheelParameters::new("w", Vec2::new(1.0, 0.5)))];
        for pose in [
            Pose3 { x: 2.0, y: -1.0, z: 3.0, yaw: 0.7, pitch: 0.0, roll: 0.0 },
            Pose3 { x: 2.0, y: -1.0, z: 3.0, yaw: 0.7, pitch: -0.3, roll: 0.2 },
        ] {
            let at = pose.transform_point(Vec3::new(1.0, 0.5, 0.0));
            let around = |z: f64| [at.x, at.y, z].map(|c| [c - 1e-9, c + 1e-9]);
            for (flat, z) in [(false, at.z), (true, 0.0)] {
                let list = [region(ROLLING_RESISTANCE, around(z), Value::Double(0.2))];
                let mut ground = [WheelGround { mu: Some(1.0), rolling_resistance: None }];
                let (position, rotation) = (pose.planar().position(), pose.planar().rotation());
                Regions::new(&list, flat).look_under(&wheels, position, rotation, Attitude::of(pose), &mut ground);
                assert_eq!(ground, [WheelGround { mu: None, rolling_resistance: Some(0.2) }], "{pose:?} {flat}");
            }
        }
    }
}
