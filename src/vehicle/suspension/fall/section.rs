//! The outline of a vehicle in the vertical plane across the axis about which it tips, and where that axis lies.

use skidpad_math::Vec2;

use crate::chassis::Chassis;
use crate::wheel::WheelParameters;

/// The side over which a vehicle tips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its roll falls.
    Left,
    /// Its roll grows.
    Right,
    /// Its pitch grows.
    Front,
    /// Its pitch falls.
    Rear,
}

impl Side {
    /// All of them.
    pub const ALL: [Side; 4] = [Side::Left, Side::Right, Side::Front, Side::Rear];

    /// Unit vector [-] towards the side, in the body frame.
    pub fn direction(self) -> Vec2 {
        match self {
            Side::Left => Vec2::new(0.0, 1.0),
            Side::Right => Vec2::new(0.0, -1.0),
            Side::Front => Vec2::new(1.0, 0.0),
            Side::Rear => Vec2::new(-1.0, 0.0),
        }
    }

    /// Roll and pitch [rad] of a body that has tipped over this side by an angle [rad].
    pub fn roll_and_pitch(self, tilt: f64) -> [f64; 2] {
        match self {
            Side::Left => [-tilt, 0.0],
            Side::Right => [tilt, 0.0],
            Side::Front => [0.0, tilt],
            Side::Rear => [0.0, -tilt],
        }
    }

    /// The angle [rad] by which a body with this roll and pitch [rad] has tipped over the side; negative: over the opposite one.
    pub fn tilt_of(self, [roll, pitch]: [f64; 2]) -> f64 {
        match self {
            Side::Left => -roll,
            Side::Right => roll,
            Side::Front => pitch,
            Side::Rear => -pitch,
        }
    }

    /// The angle [rad] of such a body about the other axis: its pitch, or its roll.
    pub fn across_of(self, [roll, pitch]: [f64; 2]) -> f64 {
        if matches!(self, Side::Left | Side::Right) { pitch } else { roll }
    }
}

/// A point of a vehicle in the plane, from its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Towards the side [m].
    pub ahead: f64,
    /// Upwards [m], of the upright vehicle.
    pub up: f64,
    /// The wheels that touch the ground with it: their number among the [groups](Figure::groups).
    pub group: Option<usize>,
}

impl Corner {
    /// The same of a vehicle that has tipped by an angle: sine and cosine [-].
    #[inline]
    pub fn tipped(&self, (sin, cos): (f64, f64)) -> [f64; 2] {
        [self.ahead * cos + self.up * sin, self.up * cos - self.ahead * sin]
    }
}

/// Masses of a rigid vehicle, and what it touches the ground with when it tips over.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Mass [kg] of body and wheels.
    pub mass: f64,
    /// Centre of mass of body and wheels [m], in the body frame.
    pub center: Vec2,
    /// Its height [m] at rest.
    pub height: f64,
    /// Moments of inertia about that point [kg·m²]: roll, pitch and yaw.
    pub inertia: [f64; 3],
    /// Coulomb friction of the chassis on the ground [-].
    pub friction: f64,
    /// Corners of a box around the chassis [m]: from and to along x, y and z, in the body frame.
    chassis: [[f64; 2]; 3],
    wheels: Vec<WheelParameters>,
    /// Load of each wheel at rest [N].
    at_rest: Vec<f64>,
}

impl Figure {
    /// That of a vehicle on wheels with these loads at rest [N], whose chassis has `inertia` about its roll and pitch axis [kg·m²], and slides
    /// with `friction` [-].
    pub fn new(
        chassis: &Chassis,
        (wheels, at_rest): (&[WheelParameters], &[f64]),
        inertia: [f64; 2],
        friction: f64,
    ) -> Figure {
        let of_wheels = wheels.iter().map(|wheel| (wheel.mass, wheel.position, wheel.radius));
        let wheel_mass: f64 = wheels.iter().map(|wheel| wheel.mass).sum();
        let mass = chassis.mass + wheel_mass;
        let height = chassis.center_of_mass_height;
        let low: f64 = wheels.iter().map(|wheel| wheel.mass * wheel.radius).sum();
        let of_chassis = (chassis.mass, chassis.center_of_mass, (mass * height - low) / chassis.mass);
        let parts = || std::iter::once(of_chassis).chain(of_wheels.clone());
        let moment = parts().fold(Vec2::ZERO, |sum, (mass, at, _)| sum + mass * at);
        let center = (1.0 / mass) * moment;
        let [mut roll, mut pitch] = inertia;
        let mut yaw = chassis.inertia;
        for (mass, at, up) in parts() {
            let (arm, up) = (at - center, up - height);
            roll += mass * (arm.y * arm.y + up * up);
            pitch += mass * (arm.x * arm.x + up * up);
            yaw += mass * arm.dot(arm);
        }
        let span = |of: fn(&Vec2) -> f64| {
            let places = chassis.outline.iter().map(of);
            let (least, most) =
                (places.clone().fold(f64::INFINITY, f64::min), places.fold(f64::NEG_INFINITY, f64::max));
            if least <= most { [least, most] } else { [0.0, 0.0] }
        };
        let chassis_box = [span(|p| p.x), span(|p| p.y), chassis.z];
        Figure {
            mass,
            center,
            height,
            inertia: [roll, pitch, yaw],
            friction,
            chassis: chassis_box,
            wheels: wheels.to_vec(),
            at_rest: at_rest.to_vec(),
        }
    }

    /// Moment of inertia [kg·m²] about the axis over which the vehicle tips to this side.
    pub fn inertia_over(&self, side: Side) -> f64 {
        let [roll, pitch, _] = self.inertia;
        if matches!(side, Side::Left | Side::Right) { roll } else { pitch }
    }

    /// The reference point of the body in the plane.
    pub fn reference(&self, side: Side) -> Corner {
        Corner { ahead: -self.center.dot(side.direction()), up: -self.height, group: None }
    }

    /// The wheels behind and ahead of the centre of mass, seen to this side, each with its share of the load of its group [-]. The contacts of a
    /// group are in line along the axis of the fall, so that it tips over that line.
    pub fn groups(&self, side: Side) -> [Vec<(usize, f64)>; 2] {
        [false, true].map(|is_ahead| {
            let wheels = || self.wheels.iter().zip(&self.at_rest).enumerate();
            let belongs = |wheel: &WheelParameters| (self.ahead(side, wheel.position) > 0.0) == is_ahead;
            let of_group = || wheels().filter(|(_, (wheel, _))| belongs(wheel));
            let (sum, count) = (of_group().map(|(_, (_, load))| load).sum::<f64>(), of_group().count() as f64);
            let share = |load: f64| if sum > 0.0 { load / sum } else { 1.0 / count };
            of_group().map(|(index, (_, load))| (index, share(*load))).collect()
        })
    }

    /// How far a point of the body [m] is ahead of the centre of mass, seen to this side [m].
    fn ahead(&self, side: Side, p: Vec2) -> f64 {
        (p - self.center).dot(side.direction())
    }

    /// The corners of the vehicle: first the contact of each group of wheels.
    pub fn corners(&self, side: Side) -> Vec<Corner> {
        let ahead = |p: Vec2| self.ahead(side, p);
        let contacts = self.groups(side).into_iter().enumerate().map(|(group, wheels)| {
            let place = wheels.iter().map(|&(wheel, share)| share * ahead(self.wheels[wheel].position)).sum();
            Corner { ahead: place, up: -self.height, group: Some(group) }
        });
        let is_roll = matches!(side, Side::Left | Side::Right);
        let rim = |wheel: &WheelParameters| {
            let (place, up) = (ahead(wheel.position), wheel.radius - self.height);
            let half = if is_roll { 0.5 * wheel.width } else { wheel.radius };
            let corner = |ahead, up| Corner { ahead, up, group: None };
            [corner(place - half, up), corner(place + half, up), corner(place, up + wheel.radius)]
        };
        let [along, across, [bottom, top]] = self.chassis;
        let places = if is_roll { across.map(|y| Vec2::new(0.0, y)) } else { along.map(|x| Vec2::new(x, 0.0)) };
        let of_chassis = places.into_iter().flat_map(|place| {
            [bottom, top].map(|up| Corner { ahead: ahead(place), up: up - self.height, group: None })
        });
        contacts.chain(self.wheels.iter().flat_map(rim)).chain(of_chassis).collect()
    }

    /// From where to where the vehicle reaches along the axis over which it tips to this side [m], from its centre of mass.
    pub fn reach_along_axis(&self, side: Side) -> [f64; 2] {
        let axis = side.direction().perpendicular();
        let [along, across, _] = self.chassis;
        let [one, other] = [0, 1].map(|end| (Vec2::new(along[end], across[end]) - self.center).dot(axis));
        [one.min(other), one.max(other)]
    }
}
