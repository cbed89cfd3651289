//! Resistance to a vehicle's motion besides that of its tyres, `<resistance>` in `<dynamics>`: air drag, and rolling resistance that
//! grows with speed.
//!
//! Source: R. Rajamani, "Vehicle Dynamics and Control", 2nd
//! ed., §4.1: m·a = F_x − F_aero − R_x − m·g·sin α with
//!
//! * F_aero = ½·ρ·c_d·A·v² = C_a·v², against the velocity of the centre of mass through the air, whatever the heading of the body;
//! * R_x = N·(C_r0 + C_r1·|v| + C_r2·v²) with the load N and the speed v of each wheel along its heading, as a torque R_x·R
//!   about its axle, in addition to the rolling resistance of the friction law.
//!
//! Rolling resistance is dry friction: a vehicle stands as long as its holding force suffices, also on a slope
//! ([`friction::brake`](crate::friction::brake)).
//!
//! ```xml
//! <resistance>
//!   <C_a>0</C_a>                            air drag [N/(m/s)²], ≥ 0; or in its place the next three together:
//!   <air_density>1.225</air_density>        ρ [kg/m³], ≥ 0
//!   <drag_coefficient>0</drag_coefficient>  c_d [-], ≥ 0
//!   <frontal_area>0</frontal_area>          A [m²], ≥ 0
//!   <C_r0>0</C_r0> <C_r1>0</C_r1> <C_r2>0</C_r2>   [-], [s/m], [s²/m²], ≥ 0
//! </resistance>
//! ```
//! Lift, side force and yaw moment of the air are those of [`Air`](crate::air::Air).

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

/// Resistance laws of the vehicle as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resistance {
    /// Air drag divided by the square of the speed, C_a [N/(m/s)²].
    pub drag: f64,
    /// C_r0 [-], C_r1 [s/m], C_r2 [s²/m²].
    pub rolling: [f64; 3],
    /// Velocity of the wind [m/s], in the body frame; none: calm.
    pub wind_in_body: Option<Vec2>,
}

impl Resistance {
    /// Reads the block from `<dynamics>`; without one there is no resistance. C_a together with its factors is an error.
    pub fn read(dynamics: &Reader<'_>) -> Resistance {
        let Some(tag) = dynamics.child("resistance") else { return Resistance::default() };
        let number = |name| tag.optional_f64(name, Accept::non_negative());
        let lumped = number("C_a");
        let [density, coefficient, area] = ["air_density", "drag_coefficient", "frontal_area"].map(number);
        if lumped.is_some() && (density.is_some() || coefficient.is_some() || area.is_some()) {
            tag.error_at("C_a", "both <C_a> and its factors in <resistance>")
                .hint("C_a = air_density·drag_coefficient·frontal_area/2");
        } else if lumped.is_none() && coefficient.is_some() != area.is_some() {
            let (given, missing) = if area.is_none() {
                ("drag_coefficient", "frontal_area")
            } else {
                ("frontal_area", "drag_coefficient")
            };
            tag.error_at(given, format!("<{given}> without <{missing}> in <resistance>")).hint("drag is their product");
        }
        let product = 0.5 * density.unwrap_or(1.225) * coefficient.unwrap_or(0.0) * area.unwrap_or(0.0);
        let resistance = Resistance {
            drag: lumped.unwrap_or(product),
            rolling: ["C_r0", "C_r1", "C_r2"].map(|name| number(name).unwrap_or(0.0)),
            wind_in_body: None,
        };
        tag.finish();
        resistance
    }

    /// Air drag on the body [N] at the centre of mass, which moves with `velocity_in_body` [m/s].
    #[inline]
    pub fn air(&self, velocity_in_body: Vec2) -> Vec2 {
        if self.drag == 0.0 {
            return Vec2::ZERO;
        }
        self.in_calm(self.wind_in_body.map_or(velocity_in_body, |wind| velocity_in_body - wind))
    }

    /// The same of a body that moves with `flow` [m/s] against the air.
    #[inline]
    pub fn in_calm(&self, flow: Vec2) -> Vec2 {
        -self.drag * flow.norm() * flow
    }

    /// Whether there is rolling resistance in addition to that of the tyres.
    #[inline]
    pub fn rolls_hard(&self) -> bool {
        self.rolling != [0.0; 3]
    }

    /// Addition to the rolling resistance coefficient [-] at `speed` [m/s].
    #[inline]
    pub fn rolling(&self, speed: f64) -> f64 {
        let [constant, linear, quadratic] = self.rolling;
        constant + speed.abs() * (linear + quadratic * speed.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drag_is_against_the_velocity_and_grows_with_its_square() {
        let air = Resistance { drag: 0.5, ..Resistance::default() };
        let force = air.air(Vec2::new(3.0, -4.0));
        assert!((force.x + 7.5).abs() < 1e-12 && (force.y - 10.0).abs() < 1e-12, "{force:?}");
        assert_eq!(air.air(Vec2::ZERO), Vec2::ZERO);
    }

    #[test]
    fn wind_from_behind_pushes() {
        let air = Resistance { drag: 0.5, wind_in_body: Some(Vec2::new(10.0, 0.0)), ..Resistance::default() };
        assert_eq!(air.air(Vec2::new(10.0, 0.0)), Vec2::ZERO);
        assert_eq!(air.air(Vec2::ZERO), Vec2::new(50.0, 0.0));
    }

    #[test]
    fn rolling_resistance_is_a_polynomial_of_the_speed() {
        let rolling = Resistance { rolling: [0.01, 0.002, 0.0003], ..Resistance::default() };
        for speed in [10.0, -10.0] {
            assert!((rolling.rolling(speed) - (0.01 + 0.02 + 0.03)).abs() < 1e-15);
        }
        assert!(rolling.rolls_hard() && !Resistance::default().rolls_hard());
    }
}
