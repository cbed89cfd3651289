//! Springs and dampers between a body and its wheels, `<suspension>` in `<dynamics>`. The law is that of [`law`].
//!
//! ```xml
//! <suspension>
//!   <axle>                            the front axle; one alone counts for all of them, else one for each, from the front
//!     <ride_frequency>1.3</ride_frequency>  of the body's share on each of its springs [Hz], > 0; or
//!     <rate>20000</rate>              of each spring, at the wheel [N/m], > 0
//!     <damping_ratio>0.3</damping_ratio>    of the same [-], ≥ 0, default 0.3; or
//!     <damper>1500 3000</damper>      in compression and extension, at the wheel [N·s/m], ≥ 0; one number: both
//!     <anti_roll_bar>0</anti_roll_bar>      per difference of travel, at the wheels [N/m], ≥ 0
//!     <travel>0.08 0.08</travel>      up to the stops in compression and extension [m], > 0; default that of 1 g more and 1 g less
//!     <stop_rate>…</stop_rate>        of the stops [N/m], ≥ 0; default 10 times the spring's
//!     <tyre_rate>…</tyre_rate>        [N/m], > 0; default 10 times the spring's
//!     <tyre_damping>0</tyre_damping>  [N·s/m], ≥ 0
//!     <roll_center>0</roll_center>    its height [m]
//!     <spring_distance>…</spring_distance>  between the springs of a beam axle [m], > 0, up to the default, the track
//!   </axle>
//!   <roll_inertia>…</roll_inertia> <pitch_inertia>…</pitch_inertia>   of the body on springs [kg·m²], > 0; default a box as large as the chassis
//!   <anti_dive>0</anti_dive> <anti_squat>0</anti_squat>   share of the load between axles that links move, braking and driving [-], 0 to 1
//!   <body_friction>0.5</body_friction>   of the chassis on the ground, where it has tipped over [-], ≥ 0
//! </suspension>
//! ```
//! Once all wheels of a side have lifted and the body leans by more than [`fall::START`], it falls as a rigid body: see [`fall`].
//!
//! The forces at the tyres act at the ground. Those of the last step give the moments on the body. A controller that imposes a velocity has no
//! such forces: there each wheel gives its share of the mass times the acceleration.
//!
//! Not modelled: what the angles of the wheels and the track do over the travel, jacking, gyroscopic torques, torques of brakes and motors
//! that links take.

pub mod fall;
pub mod law;
mod parameters;

use skidpad_math::Vec2;

use self::fall::section::{Figure, Side};
use self::fall::{Fall, FallInput};
use self::law::{Axle, Ride, RideInput, RideState, SprungBody, Strut, WheelState};
use self::parameters::pairs;
pub use self::parameters::{AxleSuspension, Damping, Rate, SuspensionParameters};
use super::air::AirOnBody;
use super::chassis::Chassis;
use super::wheel::WheelParameters;
use super::{STANDARD_GRAVITY, Wrench};

/// The plane that a vehicle stands on, at its reference point, and the ground under each of its wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance<'a> {
    /// Height of the plane at the reference point [m].
    pub z: f64,
    /// Its pitch [rad], positive where it falls ahead.
    pub pitch: f64,
    /// Its roll [rad].
    pub roll: f64,
    /// Height of the ground under each wheel above the plane [m]; empty: level.
    pub ground: &'a [f64],
}

/// The pose of a body on springs against the plane that the vehicle stands on, and its rates in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lean {
    /// Height of the reference point above its height at rest [m].
    pub z: f64,
    /// [rad], positive nose down.
    pub pitch: f64,
    /// [rad], positive with the left side up.
    pub roll: f64,
    /// Rate of the height of the reference point [m/s], upwards; with that of the plane.
    pub climb: f64,
    /// [rad/s]; with that of the plane.
    pub pitch_rate: f64,
    /// [rad/s]; with that of the plane.
    pub roll_rate: f64,
}

/// What the wheels of an axle move without its springs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Links {
    wheels: [usize; 2],
    roll_center: f64,
    track: f64,
    unsprung_mass: f64,
    /// Height of the middle of the wheels [m].
    wheel_height: f64,
}

/// The suspension of a vehicle, and the body on it.
#[derive(Clone, Debug)]
pub(super) struct Suspension {
    body: SprungBody,
    state: RideState,
    links: Vec<Links>,
    /// Share of the load between axles that links move, while braking and while driving [-].
    anti_pitch: [f64; 2],
    /// Place of the centre of mass of the body on springs [m], in the body frame, and its height at rest.
    center: Vec2,
    height: f64,
    /// Height of the centre of mass of the whole vehicle over the wheelbase [-].
    height_by_length: f64,
    mass: f64,
    figure: Figure,
    /// The fall of a vehicle that has tipped over.
    fall: Option<Box<Fall>>,
    /// The plane of the last step; none: it stands anew.
    plane: Option<[f64; 3]>,
    ground: Vec<f64>,
    through_links: Vec<f64>,
}

impl Suspension {
    /// That of a vehicle with these parts. `at_rest` are the loads of its wheels [N] under `gravity` [m/s²].
    pub(super) fn new(
        parameters: &SuspensionParameters,
        chassis: &Chassis,
        wheels: &[WheelParameters],
        (at_rest, gravity): (&[f64], f64),
    ) -> Suspension {
        let pairs = pairs(wheels).unwrap_or_default();
        let wheel_mass: f64 = wheels.iter().map(|wheel| wheel.mass).sum();
        let mass = chassis.mass + wheel_mass;
        let low: f64 = wheels.iter().map(|wheel| wheel.mass * wheel.radius).sum();
        let height = (mass * chassis.center_of_mass_height - low) / chassis.mass;
        let center = chassis.center_of_mass;
        let mut struts: Vec<Option<Strut>> = vec![None; wheels.len()];
        for (pair, axle) in pairs.iter().zip(&parameters.axles) {
            for &index in pair {
                struts[index] = Some(strut(axle, &wheels[index], center, at_rest[index], gravity));
            }
        }
        let front = pairs.first().map_or(0.0, |pair| wheels[pair[0]].position.x);
        let rear = pairs.last().map_or(0.0, |pair| wheels[pair[0]].position.x);
        // The roll axis at the centre of mass, by the loads of the axles.
        let load: f64 = at_rest.iter().sum();
        let of_axle =
            |pair: &[usize; 2], axle: &AxleSuspension| (at_rest[pair[0]] + at_rest[pair[1]]) * axle.roll_center;
        let roll_axis: f64 = pairs.iter().zip(&parameters.axles).map(|(pair, axle)| of_axle(pair, axle)).sum();
        let roll_axis = if load > 0.0 { roll_axis / load } else { 0.0 };
        let mut links: Vec<Links> = pairs
            .iter()
            .zip(&parameters.axles)
            .map(|(&wheels_of_axle, axle)| {
                let [left, right] = wheels_of_axle.map(|index| &wheels[index]);
                Links {
                    wheels: wheels_of_axle,
                    roll_center: axle.roll_center,
                    track: left.position.y - right.position.y,
                    unsprung_mass: left.mass + right.mass,
                    wheel_height: 0.5 * (left.radius + right.radius),
                }
            })
            .collect();
        links.sort_by_key(|links| links.wheels);
        let mut axles: Vec<Axle> = pairs
            .iter()
            .zip(&parameters.axles)
            .map(|(&pair, axle)| {
                let track = wheels[pair[0]].position.y - wheels[pair[1]].position.y;
                // Springs of a beam axle that are nearer to each other yield more in roll: as with a bar of a negative rate.
                let share = axle.spring_distance.map_or(0.0, |distance| 0.5 * ((distance / track).powi(2) - 1.0));
                let rate = struts[pair[0]].map_or(0.0, |strut| strut.rate);
                Axle { wheels: pair, bar_rate: axle.anti_roll_bar + share * rate }
            })
            .collect();
        axles.sort_by_key(|axle| axle.wheels);
        // The wheels move sideways below a body that rolls about an axis under its centre of mass: a pair of masses with this reduced one.
        let arm = height - roll_axis;
        let [roll_inertia, pitch_inertia] = parameters.inertia;
        let body = SprungBody {
            mass: chassis.mass,
            inertia: [roll_inertia + chassis.mass * wheel_mass / mass * arm * arm, pitch_inertia],
            height_above_roll_axis: arm,
            struts: struts.into_iter().flatten().collect(),
            axles,
        };
        Suspension {
            state: body.at_rest(),
            body,
            links,
            anti_pitch: parameters.anti_pitch,
            center,
            height,
            height_by_length: if front > rear { chassis.center_of_mass_height / (front - rear) } else { 0.0 },
            mass,
            figure: Figure::new(chassis, (wheels, at_rest), parameters.inertia, parameters.body_friction),
            fall: None,
            plane: None,
            ground: vec![0.0; wheels.len()],
            through_links: vec![0.0; wheels.len()],
        }
    }

    /// Stands anew, at rest.
    pub(super) fn reset(&mut self) {
        self.state = self.body.at_rest();
        self.plane = None;
        self.fall = None;
    }

    /// Advances by a step of `dt` [s] under gravity normal to the plane [m/s²], forces at the wheels [N], in the body frame, and the air. Writes
    /// the load of each wheel [N], and whether it has lifted.
    pub(super) fn carry(
        &mut self,
        (gravity, dt): (f64, f64),
        (forces_in_body, air): (impl Fn(usize) -> Vec2, &AirOnBody),
        (loads, lifted): (&mut [f64], &mut [bool]),
    ) {
        let mut forces = Vec2::ZERO;
        for Links { wheels: [left, right], .. } in &self.links {
            forces = forces + (forces_in_body(*left) + forces_in_body(*right));
        }
        if let Some(fall) = &mut self.fall {
            fall.tip(forces, (gravity, dt), (loads, lifted));
            self.end_fall();
            return;
        }
        let acceleration = (1.0 / self.mass) * (forces + air.force_in_body);
        let below = self.height - air.height.unwrap_or(self.figure.height);
        let of_lift = air.lift_moment - air.lift * self.center;
        let mut moments = [below * air.force_in_body.y + of_lift.y, -below * air.force_in_body.x - of_lift.x];
        // Of the wheels below a body that rolls, against the centre of mass of both [m/s²]. The inertia in roll has their moment on the body.
        let sideways = self.body.mass / self.mass * self.body.height_above_roll_axis * self.state.accelerations[1];
        for links in &self.links {
            let [left, right] = links.wheels;
            let above_roll_center = links.wheel_height - links.roll_center;
            let force = forces_in_body(left) + forces_in_body(right);
            let inert = links.unsprung_mass * acceleration;
            let on_body = self.height * (force - inert) + links.wheel_height * inert;
            moments[0] += on_body.y;
            moments[1] -= on_body.x;
            // Sideways the wheels' own inertia acts at the height of their centres, and the rest at the roll centre.
            let below_roll = sideways * links.unsprung_mass * above_roll_center;
            moments[0] += below_roll;
            let rolled = (force.y * links.roll_center + inert.y * above_roll_center + below_roll) / links.track;
            (self.through_links[left], self.through_links[right]) = (-rolled, rolled);
        }
        let share = self.anti_pitch[usize::from(forces.x > 0.0)];
        if share > 0.0 {
            let pitched = 0.5 * share * self.height_by_length * forces.x;
            let ahead = |links: &Links| self.body.struts[links.wheels[0]].arm.x;
            let (mut front, mut rear) = (0, 0);
            for (index, links) in self.links.iter().enumerate() {
                front = if ahead(links) > ahead(&self.links[front]) { index } else { front };
                rear = if ahead(links) < ahead(&self.links[rear]) { index } else { rear };
            }
            for (axle, moved) in [(front, -pitched), (rear, pitched)] {
                for index in self.links[axle].wheels {
                    self.through_links[index] += moved;
                }
            }
        }
        let input = RideInput {
            ground: &self.ground,
            gravity,
            moments,
            lift: air.lift,
            through_links: &self.through_links,
            dt,
        };
        self.body.advance(&mut self.state, &input);
        for ((WheelState { load, is_on_ground, .. }, wheel_load), lifted) in
            self.state.wheels.iter().zip(loads).zip(lifted)
        {
            (*wheel_load, *lifted) = (*load, !is_on_ground);
        }
        if let Some(side) = self.tips_over() {
            let load: f64 = self.state.wheels.iter().map(|wheel| wheel.load).sum();
            let grip = if load > 0.0 { forces.dot(side.direction()).abs() / load } else { 0.0 };
            let contacts: Vec<f64> = self.state.wheels.iter().map(|wheel| wheel.height.max(0.0)).collect();
            self.fall = Some(Box::new(Fall::begin(&self.figure, side, &self.lean(), (&contacts, grip))));
        }
    }

    /// The side over which the vehicle tips: no wheel on the opposite one is on the ground.
    fn tips_over(&self) -> Option<Side> {
        let [_, roll, pitch] = self.state.ride;
        if roll.abs().max(pitch.abs()) <= fall::START {
            return None;
        }
        let [_, roll_rate, pitch_rate] = self.state.rates;
        let tips = |side: &Side| {
            let opposite = |strut: &Strut| strut.arm.dot(side.direction()) < 0.0;
            let wheels = self.state.wheels.iter().zip(&self.body.struts);
            side.tilt_of([roll, pitch]) > fall::START
                && side.tilt_of([roll_rate, pitch_rate]) > 0.0
                && wheels.filter(|(_, strut)| opposite(strut)).all(|(wheel, _)| !wheel.is_on_ground)
        };
        Side::ALL.into_iter().find(tips)
    }

    /// The fall, if there is one.
    pub(super) fn fall(&self) -> Option<&Fall> {
        self.fall.as_deref()
    }

    /// Whether the vehicle has tipped over and landed on its chassis or a rim.
    pub(super) fn has_landed(&self) -> bool {
        self.fall().is_some_and(Fall::has_landed)
    }

    /// A step of a vehicle that has landed: what acts on it in the plane.
    pub(super) fn slide(&mut self, input: &FallInput) -> Wrench {
        let wrench = self.fall.as_mut().map_or_else(Wrench::default, |fall| fall.slide(input));
        self.end_fall();
        wrench
    }

    /// Ends the fall where the vehicle has come back to its wheels.
    fn end_fall(&mut self) {
        let Some(fall) = self.fall.take_if(|fall| fall.has_ended()) else { return };
        let Lean { z, pitch, roll, climb, pitch_rate, roll_rate } = fall.lean();
        let at_center = |z: f64, roll: f64, pitch: f64| z + self.center.y * roll - self.center.x * pitch;
        self.state.ride = [at_center(z, roll, pitch), roll, pitch];
        self.state.rates = [at_center(climb, roll_rate, pitch_rate), roll_rate, pitch_rate];
        for (index, wheel) in self.state.wheels.iter_mut().enumerate() {
            let [height, rate] = fall.contact(index);
            (wheel.height, wheel.rate, wheel.is_on_ground) = (height, rate, height <= 0.0);
        }
    }

    /// The pose of the body against the plane.
    pub(super) fn lean(&self) -> Lean {
        if let Some(fall) = &self.fall {
            return fall.lean();
        }
        let at_reference = |[z, roll, pitch]: Ride| z - self.center.y * roll + self.center.x * pitch;
        let (RideState { ride, rates, .. }, [_, roll, pitch]) = (&self.state, self.state.ride);
        let (z, climb) = (at_reference(*ride), at_reference(*rates));
        Lean { z, pitch, roll, climb, pitch_rate: rates[2], roll_rate: rates[1] }
    }

    /// How far a wheel has moved up on the body [m], from its place at rest. Stays in a fall.
    pub(super) fn travel(&self, wheel: usize) -> f64 {
        self.body.compression(&self.state, wheel)
    }

    /// Stands on this plane and this ground from now on. Heights and angles in space stay, except after a reset.
    pub(super) fn stand_on(&mut self, stance: &Stance<'_>) {
        match stance.ground.len() == self.ground.len() {
            true => self.ground.copy_from_slice(stance.ground),
            false => self.ground.fill(0.0),
        }
        let plane = [stance.z, stance.roll, stance.pitch];
        let last = self.plane.replace(plane).unwrap_or(plane);
        if plane == last {
            return;
        }
        let [dz, roll, pitch] = [0, 1, 2].map(|axis| plane[axis] - last[axis]);
        let rise = |at: Vec2| dz + at.y * roll - at.x * pitch;
        if let Some(fall) = &mut self.fall {
            fall.change_plane(rise(self.figure.center), [roll, pitch]);
            return;
        }
        let ride = &mut self.state.ride;
        (ride[0], ride[1], ride[2]) = (ride[0] - rise(self.center), ride[1] - roll, ride[2] - pitch);
        for (wheel, strut) in self.state.wheels.iter_mut().zip(&self.body.struts) {
            wheel.height -= rise(self.center + strut.arm);
        }
    }
}

/// The strut of a wheel.
fn strut(axle: &AxleSuspension, wheel: &WheelParameters, center: Vec2, at_rest: f64, gravity: f64) -> Strut {
    let force_at_rest = at_rest - wheel.mass * gravity;
    // In a world without gravity nothing rests on the spring; its frequency counts for a body that weighs as much as the wheel.
    let carried = if gravity > 0.0 { force_at_rest / gravity } else { wheel.mass };
    let rate = match axle.rate {
        Rate::Frequency(frequency) => carried * (std::f64::consts::TAU * frequency).powi(2),
        Rate::PerTravel(rate) => rate,
    };
    let damping = match axle.damping {
        Damping::Ratio(ratio) => [2.0 * ratio * (rate * carried).sqrt(); 2],
        Damping::PerRate(damping) => damping,
    };
    Strut {
        arm: wheel.position - center,
        rate,
        damping,
        travel: axle.travel.unwrap_or([carried * STANDARD_GRAVITY / rate; 2]),
        stop_rate: axle.stop_rate.unwrap_or(10.0 * rate),
        tyre_rate: axle.tyre_rate.unwrap_or(10.0 * rate),
        tyre_damping: axle.tyre_damping,
        unsprung_mass: wheel.mass,
        force_at_rest,
        load_at_rest: at_rest,
    }
}

#[cfg(test)]
mod tests;
