//! The dynamic single track in worlds, `<dynamics class="single_track">`.
//!
//! Law, sources and limits are those of [`law`], equations in
//! `docs/single_track.md`. The names of the parameters are those of the study's `ode_simulator` (§5.4.2), which numbers its tyre models 0
//! `linear`, 1 `fiala`, 2 `fiala_unsaturated`; its x0, y0, ψ0 are `<init_pose>`.
//!
//! ```xml
//! <dynamics class="single_track" reference="cog">        cog or rear: what the speed of an Ackermann command is that of
//!   <rl_wheel …/> <rr_wheel …/> <fl_wheel …/> <fr_wheel …/> <f_wheels_x>…   as for class ackermann
//!   <chassis …/>
//!   <tyre_model>linear</tyre_model>      default, linear, linear_by_load, fiala, fiala_unsaturated or pacejka
//!   <m>…</m> <Iz>…</Iz>                  [kg], [kg·m²] about the centre of gravity, > 0; default those of chassis and wheels
//!   <cog_a>…</cog_a> <cog_b>…</cog_b>    centre of gravity to front and rear axle [m], > 0, together the wheelbase; default the
//!                                        place that chassis and wheels give
//!   <h_cog>…</h_cog>                     its height [m], ≥ 0, for longitudinal load transfer; default com_height of the chassis
//!   <mu>0.9</mu>                         friction coefficient [-], ≥ 0; a property_region has its own
//!   <Cf>…</Cf> <Cr>…</Cr>                cornering stiffness of the whole axle [N/rad], > 0; default 20/rad times its static load
//!   <B>…</B> <C>1.45</C> <E>0.97</E>     pacejka: [1/rad] > 0, [-] from 1 to 2, [-] ≤ 1; without B its slope is that of Cf, Cr
//!   <speed_lag>0.2</speed_lag>           time constant of the speed [s], ≥ 0
//!   <max_acceleration>5</max_acceleration>   [m/s²], ≥ 0; 0: the speed is imposed at once, as in the study
//!   <blend_speeds>0.5 1.5</blend_speeds> below the first [m/s] kinematic, above the second dynamic
//!   <dt>0.001</dt>                       longest step of integration [s], from 0.00001 to 0.1
//!   <integrator>rk4</integrator>         euler, midpoint or rk4
//!   <r0_deg>0</r0_deg> <beta0_deg>0</beta0_deg> <v0>0</v0>   start [deg/s], [deg], [m/s]; default <init_vel>
//!   <controller class="twist_ideal">…</controller>           the default; takes velocity and Ackermann commands
//! </dynamics>
//! ```
//! The speed of an Ackermann command is that of the centre of gravity along its path, as imposed in the study, or with `reference="rear"`
//! that of the rear axle along the body's x axis, as for other cars. The speed of a velocity command is always the latter. Both assume that
//! the car rolls without side slip. C and E are those of the study for lateral force (§5.5.2); the default stiffness is the 20/rad of
//! CommonRoad's parameter sets of passenger cars.
//!
//! A car that was pushed sideways keeps at most as much lateral speed as speed along its x axis, and none below the lower blend speed.
//!
//! Frames show the lateral force and the load of each axle as two halves, and the drive force shared among all wheels by load.
//! Wheels roll with slip ratio 0.

pub mod law;

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use self::law::{AxleForces, SingleTrack, SingleTrackInput, SingleTrackParameters, SingleTrackState, TyreModel};
use super::ackermann::{Ackermann, read_parts};
use super::kinematic::axle_centres;
use super::{DriveParts, Steering};
use crate::WheelFrame;
use crate::friction::within;
use crate::integrate::Integrator;
use crate::lateral::LateralDynamics;
use crate::motion_model::{Motion, MotionInput, MotionModel, roll_along};
use crate::wheel::Wheel;
use crate::{STANDARD_GRAVITY, WheelGround, total_inertia};

/// Cornering stiffness per static load [1/rad].
const STIFFNESS_PER_LOAD: f64 = 20.0;

/// Single-track motion of a vehicle's body.
struct SingleTrackMotion {
    car: SingleTrack,
    steering: Steering,
    /// Whether the speed of an Ackermann command is that of the centre of gravity along its path.
    is_speed_of_cog: bool,
    /// The centre of gravity [m] in the body frame.
    center: Vec2,
    /// Initial state, if given in the file.
    start: Option<SingleTrackState>,
    /// State with respect to the body.
    state: SingleTrackState,
    forces: AxleForces,
}

impl SingleTrackMotion {
    /// Mean μ [-] of the wheels `pair`.
    fn mu(&self, pair: &[WheelGround]) -> f64 {
        let own = self.car.parameters().mu;
        let sum: f64 = pair.iter().map(|ground| ground.mu.unwrap_or(own)).sum();
        sum / pair.len().max(1) as f64
    }
}

impl MotionModel for SingleTrackMotion {
    fn advance(&mut self, input: MotionInput<'_>) -> Motion {
        let (actuation, p) = (input.actuation, self.car.parameters());
        let most = self.steering.max_angle;
        let steering_angle = input.steering_angle.clamp(-most, most);
        let wanted = actuation.imposed_velocity.unwrap_or_default().vx;
        let along_path = actuation.speed_along_path && self.is_speed_of_cog;
        let speed = if along_path {
            wanted
        } else {
            // When rolling, v·cos β is the speed along x.
            let slope = p.cog_to_rear * libm::tan(steering_angle) / self.steering.wheelbase;
            wanted * (1.0 + slope * slope).sqrt()
        };
        let (rear, front) = input.ground.split_at(input.ground.len().min(2));
        let order = SingleTrackInput {
            speed,
            steering_angle,
            gravity_in_body: input.gravity_in_body,
            gravity_into_ground: input.gravity_into_ground,
            mu: [self.mu(front), self.mu(rear)],
        };
        let from = SingleTrackState { pose: Pose2::IDENTITY, ..self.state };
        let (end, forces) = self.car.advance_with_forces(from, &order, input.dt);
        (self.state, self.forces) = (end, forces);
        Motion::of_point(self.center, end.pose, end.velocity())
    }

    fn start_with(&mut self, velocity_in_body: Twist2) {
        let v = velocity_in_body.at_point(self.center);
        let velocity = Twist2::new(v.x, v.y, velocity_in_body.wz);
        self.state = SingleTrackState::from_velocity(Pose2::IDENTITY, velocity);
    }

    fn correct_velocity(&mut self, velocity_in_body: Twist2) {
        let v = velocity_in_body.at_point(self.center);
        // The drive acts along the path: a path along a wall would move the car sideways.
        let slow = v.x.abs() < self.car.parameters().blend_speeds[0];
        let most = if slow { 0.0 } else { v.x.abs() };
        let velocity = Twist2::new(v.x, within(v.y, most), velocity_in_body.wz);
        self.state = SingleTrackState::from_velocity(Pose2::IDENTITY, velocity);
    }

    fn takes_speed_at_once(&self) -> bool {
        self.car.parameters().max_acceleration <= 0.0
    }

    fn path_speed(&self, velocity_in_body: Twist2) -> f64 {
        let velocity = velocity_in_body.at_point(self.center);
        if self.is_speed_of_cog { velocity.norm().copysign(velocity.x) } else { velocity.x }
    }

    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
        roll_along(velocity_in_body, wheels, frames, dt);
        let total: f64 = self.forces.load.iter().sum();
        let per_load = if total > 0.0 { self.forces.drive / total } else { 0.0 };
        for (i, frame) in frames.iter_mut().enumerate() {
            let axle = usize::from(i < 2);
            frame.load = 0.5 * self.forces.load[axle];
            frame.lifted = frame.load <= 0.0;
            frame.force_in_wheel = Vec2::new(per_load * frame.load, 0.5 * self.forces.lateral[axle]);
        }
    }

    fn start_velocity(&self) -> Option<Twist2> {
        let velocity = self.start?.velocity();
        let v = velocity.at_point(-self.center);
        Some(Twist2::new(v.x, v.y, velocity.wz))
    }

    fn lateral(&self, gravity: f64) -> Option<LateralDynamics> {
        self.car.linear(gravity)
    }

    fn max_lateral_acceleration(&self, gravity: f64) -> f64 {
        let p = self.car.parameters();
        match p.tyres {
            TyreModel::Linear | TyreModel::LinearByLoad => f64::INFINITY,
            TyreModel::Fiala { saturates: false } => 2.0 * p.mu * gravity,
            TyreModel::Grip | TyreModel::Fiala { .. } | TyreModel::Pacejka { .. } => p.mu * gravity,
        }
    }

    fn reset(&mut self) {
        self.state = self.start.unwrap_or_default();
        self.forces = AxleForces::default();
    }
}

/// Reads class `single_track`.
pub(super) fn read(reader: &Reader<'_>) -> DriveParts {
    let (steering, wheels, chassis) = read_parts(reader);
    let (rear, front) = axle_centres(&wheels);
    let standing: Vec<Wheel> = wheels.iter().cloned().map(Wheel::new).collect();
    let inertia = total_inertia(&chassis, &standing);
    let mass = reader.f64("m", inertia.mass, Accept::positive());
    let (a, b) = read_axle_distances(reader, steering.wheelbase, front.x - inertia.center_of_mass.x);
    let stiffness = |name, lever: f64| {
        let load = mass * STANDARD_GRAVITY * lever / steering.wheelbase;
        reader.f64(name, STIFFNESS_PER_LOAD * load, Accept::positive())
    };
    let parameters = SingleTrackParameters {
        mass,
        yaw_inertia: reader.f64("Iz", inertia.yaw, Accept::positive()),
        cog_to_front: a,
        cog_to_rear: b,
        cog_height: reader.f64("h_cog", chassis.center_of_mass_height, Accept::non_negative()),
        front_stiffness: stiffness("Cf", b),
        rear_stiffness: stiffness("Cr", a),
        mu: reader.f64("mu", 0.9, Accept::non_negative()),
        tyres: read_tyres(reader),
        speed_lag: reader.f64("speed_lag", 0.2, Accept::non_negative()),
        max_acceleration: reader.f64("max_acceleration", 5.0, Accept::non_negative()),
        blend_speeds: read_blend_speeds(reader),
        substep: reader.f64("dt", 1e-3, Accept::range(1e-5, 0.1)),
        integrator: reader.choice("integrator", Integrator::Rk4, &Integrator::NAMES),
    };
    let motion = SingleTrackMotion {
        car: SingleTrack::new(parameters, STANDARD_GRAVITY),
        steering,
        is_speed_of_cog: reader.attribute_choice("reference", true, &[("cog", true), ("rear", false)]),
        center: rear + Vec2::new(b, 0.0),
        start: read_start(reader),
        state: SingleTrackState::default(),
        forces: AxleForces::default(),
    };
    DriveParts::one_body(Box::new(Ackermann::new(steering)), wheels, chassis, Some(Box::new(motion)))
}

/// a and b [m]; if neither is given, the front axle is `default_a` [m] ahead of the centre of gravity.
fn read_axle_distances(reader: &Reader<'_>, wheelbase: f64, default_a: f64) -> (f64, f64) {
    let a = reader.optional_f64("cog_a", Accept::positive());
    let b = reader.optional_f64("cog_b", Accept::positive());
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => {
            if (a + b - wheelbase).abs() > 1e-3 * wheelbase {
                reader
                    .error_at(
                        "cog_b",
                        format!("<cog_a> and <cog_b> add up to {} m, the wheelbase is {wheelbase} m", a + b),
                    )
                    .accepted(["a sum equal to the wheelbase"])
                    .hint("give one of them, or move the wheels");
            }
            (a, wheelbase - a)
        }
        (Some(a), None) => (a, wheelbase - a),
        (None, Some(b)) => (wheelbase - b, b),
        (None, None) => (default_a, wheelbase - default_a),
    };
    if a > 0.0 && b > 0.0 {
        return (a, b);
    }
    reader
        .error(format!("the centre of gravity is {a} m behind the front axle and {b} m ahead of the rear one"))
        .accepted(["a place between the axles"])
        .hint("see cog_a, or com of the chassis");
    (0.5 * wheelbase, 0.5 * wheelbase)
}

fn read_tyres(reader: &Reader<'_>) -> TyreModel {
    let b = reader.optional_f64("B", Accept::positive());
    let c = reader.f64("C", 1.45, Accept::range(1.0, 2.0));
    let e = reader.f64("E", 0.97, Accept::range(-100.0, 1.0));
    let models = [
        ("default", TyreModel::Grip),
        ("linear", TyreModel::Linear),
        ("linear_by_load", TyreModel::LinearByLoad),
        ("fiala", TyreModel::Fiala { saturates: true }),
        ("fiala_unsaturated", TyreModel::Fiala { saturates: false }),
        ("pacejka", TyreModel::Pacejka { b, c, e }),
    ];
    reader.choice("tyre_model", TyreModel::Linear, &models)
}

fn read_blend_speeds(reader: &Reader<'_>) -> [f64; 2] {
    let default = [0.5, 1.5];
    let Some(speeds) = reader.numbers("blend_speeds", &[2]) else { return default };
    if 0.0 <= speeds[0] && speeds[0] < speeds[1] {
        return [speeds[0], speeds[1]];
    }
    reader
        .error_at("blend_speeds", format!("<blend_speeds> {} {} do not rise from 0 or more", speeds[0], speeds[1]))
        .accepted(["two speeds, 0 <= first < second"]);
    default
}

/// r0, β0, v0 if the file gives any of them.
fn read_start(reader: &Reader<'_>) -> Option<SingleTrackState> {
    let yaw_rate = reader.optional_f64("r0_deg", Accept::any());
    let sideslip = reader.optional_f64("beta0_deg", Accept::range(-90.0, 90.0));
    let speed = reader.optional_f64("v0", Accept::any());
    if yaw_rate.is_none() && sideslip.is_none() && speed.is_none() {
        return None;
    }
    Some(SingleTrackState {
        pose: Pose2::IDENTITY,
        yaw_rate: yaw_rate.unwrap_or_default().to_radians(),
        sideslip: sideslip.unwrap_or_default().to_radians(),
        speed: speed.unwrap_or_default(),
    })
}
