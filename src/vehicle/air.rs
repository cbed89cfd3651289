//! Forces of the air on a vehicle, `<aerodynamics>` in `<dynamics>`: drag, lift by axle, side force and yaw moment. They depend on the wind.
//!
//! The flow w is the velocity of the vehicle against the air, at an angle β to its heading. With q = ½·ρ·|w|², the area A and the wheelbase L:
//!
//! * drag q·A·C_D, against the flow;
//! * side force −q·A·C_Y·sin β, amid the axles: it pushes the vehicle away from where the air comes;
//! * yaw moment −q·A·L·C_N·½·sin 2β: positive coefficients turn the nose away from there;
//! * lift ½·ρ·w_x²·A·C_L on each axle; downforce is negative.
//!
//! C_Y and C_N are slopes per rad of the angle, where that is small. Sources: T. D. Gillespie, "Fundamentals of Vehicle Dynamics", ch. 4;
//! W.-H. Hucho, "Aerodynamics of Road Vehicles", ch. 4 and 5.
//!
//! ```xml
//! <aerodynamics>
//!   <area>2.1</area>                 A [m²], > 0
//!   <drag>0.3</drag>                 C_D [-], > 0
//!   <lift>0 0</lift>                 C_L of the front and the rear axle [-]
//!   <side>0</side>                   C_Y [1/rad], ≥ 0
//!   <yaw>0</yaw>                     C_N [1/rad]
//!   <height>0.55</height>            at which drag and side force act [m]; default that of the centre of mass
//!   <air_density>1.225</air_density> ρ [kg/m³], > 0
//! </aerodynamics>
//! ```
//! Not modelled: ground effect, what roll and pitch change, gusts that are smaller than the vehicle.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use crate::Wrench;
use crate::resistance::Resistance;
use crate::wheel::WheelParameters;

/// The air's effect on a vehicle besides its drag. All coefficients have the factor ½·ρ·A.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Air {
    /// Side force per square of the flow and sine of its angle [N/(m/s)²].
    side: f64,
    /// Yaw moment per square of the flow and half the sine of twice its angle [N·m/(m/s)²].
    yaw: f64,
    /// The point amid the axles [m], in the body frame.
    middle: Vec2,
    /// Lift of each wheel per square of the flow along the heading [N/(m/s)²].
    lift: Vec<f64>,
    /// Places of the wheels [m].
    wheels: Vec<Vec2>,
    /// Height at which drag and side force act [m]; none: that of the centre of mass.
    height: Option<f64>,
}

/// What the air does to the body of a vehicle, besides its drag and side force in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AirOnBody {
    /// Drag and side force [N], in the body frame.
    pub force_in_body: Vec2,
    /// Height at which that acts [m]; none: that of the centre of mass.
    pub height: Option<f64>,
    /// Sum of the lift [N].
    pub lift: f64,
    /// The lift of each wheel times its place [N·m], in the body frame.
    pub lift_moment: Vec2,
}

impl Air {
    /// Reads the block from `<dynamics>` for a vehicle on these wheels, and gives its drag to `resistance`. None without the block.
    pub fn read(dynamics: &Reader<'_>, wheels: &[WheelParameters], resistance: &mut Resistance) -> Option<Box<Air>> {
        let tag = dynamics.child("aerodynamics")?;
        let needed = |name: &str| {
            let number = tag.optional_f64(name, Accept::positive());
            if !tag.has(name) {
                tag.missing(&format!("<{name}>"));
            }
            number.unwrap_or(1.0)
        };
        let pressure_area = 0.5 * tag.f64("air_density", 1.225, Accept::positive()) * needed("area");
        let drag = pressure_area * needed("drag");
        if std::mem::replace(&mut resistance.drag, drag) != 0.0 {
            tag.error("air drag both in <resistance> and <aerodynamics>").hint("give it in <aerodynamics> alone");
        }
        let lift = tag.numbers("lift", &[2]).unwrap_or(vec![0.0; 2]);
        let places: Vec<Vec2> = wheels.iter().map(|wheel| wheel.position).collect();
        let ends = places
            .iter()
            .map(|place| place.x)
            .fold([f64::NEG_INFINITY, f64::INFINITY], |[front, rear], x| [front.max(x), rear.min(x)]);
        let [front, rear] = ends;
        if places.is_empty() || front - rear < 1e-6 {
            tag.error("<aerodynamics> needs two axles, for the place of its forces").hint("give <resistance> air drag");
            return None;
        }
        let on_axle = |end: f64| places.iter().filter(move |place| (place.x - end).abs() < 1e-6);
        let lift_of = |place: &Vec2| {
            let axles = ends.iter().zip(&lift).filter(|(end, _)| (place.x - **end).abs() < 1e-6);
            axles.map(|(end, lift)| pressure_area * lift / on_axle(*end).count() as f64).sum()
        };
        let air = Air {
            side: pressure_area * tag.f64("side", 0.0, Accept::non_negative()),
            yaw: pressure_area * (front - rear) * tag.f64("yaw", 0.0, Accept::any()),
            middle: Vec2::new(0.5 * (front + rear), 0.0),
            lift: places.iter().map(lift_of).collect(),
            wheels: places.clone(),
            height: tag.optional_f64("height", Accept::non_negative()),
        };
        tag.finish();
        Some(Box::new(air))
    }

    /// Side force and yaw moment in this flow [m/s], as a wrench in the body frame.
    pub fn push_aside(&self, flow_in_body: Vec2) -> Wrench {
        // |w|²·sin β = |w|·w_y, and |w|²·½·sin 2β = w_x·w_y.
        let mut wrench = Wrench::default();
        wrench.add(Vec2::new(0.0, -self.side * flow_in_body.norm() * flow_in_body.y), self.middle);
        wrench.torque -= self.yaw * flow_in_body.x * flow_in_body.y;
        wrench
    }

    /// Whether it lifts or presses any wheel.
    pub fn lifts(&self) -> bool {
        self.lift.iter().any(|lift| *lift != 0.0)
    }

    /// Takes the lift in this flow [m/s] from the loads [N] of wheels, and notes which have lifted.
    pub fn lighten(&self, flow_in_body: Vec2, loads: &mut [f64], lifted: &mut [bool]) {
        let squared = flow_in_body.x * flow_in_body.x;
        for ((load, lifted), lift) in loads.iter_mut().zip(lifted).zip(&self.lift) {
            let left = *load - squared * lift;
            *lifted |= left <= 0.0;
            *load = if *lifted { 0.0 } else { left };
        }
    }

    /// What acts on a body on springs in this flow [m/s] with this drag [N].
    pub fn on_body(&self, flow_in_body: Vec2, drag_in_body: Vec2) -> AirOnBody {
        let squared = flow_in_body.x * flow_in_body.x;
        let (mut lift, mut lift_moment) = (0.0, Vec2::ZERO);
        for (of_wheel, place) in self.lift.iter().zip(&self.wheels) {
            lift += squared * of_wheel;
            lift_moment = lift_moment + squared * of_wheel * *place;
        }
        let force_in_body = drag_in_body + self.push_aside(flow_in_body).force_in_body;
        AirOnBody { force_in_body, height: self.height, lift, lift_moment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn car() -> Air {
        let half = 0.5 * 1.2 * 2.0;
        Air {
            side: half * 2.0,
            yaw: half * 2.5 * 0.4,
            middle: Vec2::new(1.25, 0.0),
            lift: vec![-half, -half, 0.5 * half, 0.5 * half],
            wheels: [(0.0, 0.7), (0.0, -0.7), (2.5, 0.7), (2.5, -0.7)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
            height: None,
        }
    }

    #[test]
    fn wind_from_the_left_pushes_to_the_right_and_turns_the_nose_there() {
        // At 30 m/s through a wind of 10 m/s from the left: the air comes from there.
        let Wrench { force_in_body: force, torque } = car().push_aside(Vec2::new(30.0, 10.0));
        let squared: f64 = 1000.0;
        let sine = 10.0 / squared.sqrt();
        assert!((force.y + 1.2 * 2.0 * squared * sine).abs() < 1e-9 && force.x == 0.0, "{force:?}");
        let about_middle = torque - 1.25 * force.y;
        assert!((about_middle + 1.2 * 2.5 * 0.4 * 300.0).abs() < 1e-9, "{about_middle}");
        let mirrored = car().push_aside(Vec2::new(30.0, -10.0));
        assert_eq!((mirrored.force_in_body.y, mirrored.torque), (-force.y, -torque));
    }

    #[test]
    fn lift_grows_with_the_square_of_the_flow_along_the_heading() {
        let air = car();
        let (mut loads, mut lifted) = ([1000.0; 4], [false; 4]);
        air.lighten(Vec2::new(20.0, 7.0), &mut loads, &mut lifted);
        let expected = [1000.0 + 1.2 * 400.0, 1000.0 + 1.2 * 400.0, 1000.0 - 240.0, 1000.0 - 240.0];
        assert!(loads.iter().zip(expected).all(|(load, expected)| (load - expected).abs() < 1e-9), "{loads:?}");
        air.lighten(Vec2::new(80.0, 0.0), &mut loads, &mut lifted);
        assert_eq!((loads[2], lifted), (0.0, [false, false, true, true]));
        let AirOnBody { lift, lift_moment, .. } = air.on_body(Vec2::new(20.0, 7.0), Vec2::ZERO);
        assert!((lift + 480.0).abs() < 1e-9 && (lift_moment.x - 2.5 * 480.0).abs() < 1e-9, "{lift} {lift_moment:?}");
    }
}
