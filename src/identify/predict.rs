//! Open-loop prediction: from a measured state, the simulated car is driven with the recorded commands, window by
//! window.
//!
//! The car is driven from the start of the recording, so that its delays and lags have their history. At the start of
//! every window its pose and velocity are set to the measured ones; states that are not measured continue: the slip of
//! the wheels, the tyres, the load transfer, the controller. Before the first row, the first commands are applied for
//! the settling time of the config. Between windows that are further apart than this time the simulation is skipped.
//! Windows that overlap take several passes.

use skidpad_math::{Pose2, Pose3, Rot2, Twist2, Vec2, advance, wrap_angle};
use skidpad_sim::vehicle::{Accepts, Action, Command, GearLever, Pedals};
use skidpad_sim::world::World;

use super::columns::Role;
use super::config::{Measurement, Windows};
use super::recording::Recording;
use super::starts::{Correction, STATE};

/// A window of open-loop prediction: rows of a recording that are predicted from the state measured at its start.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    /// Time of the start in the recording [s].
    pub start: f64,
    /// Index of the first row after the start, and one past the last row.
    pub rows: [usize; 2],
}

/// What to predict of a recording.
pub(super) struct Plan<'a> {
    pub windows: &'a [Window],
    /// Corrections that are added to the measured state at the start of each window; empty: none.
    pub corrections: &'a [Correction],
    pub options: &'a Windows,
}

impl Plan<'_> {
    /// The corrected pose and velocity at the start of a window.
    fn corrected(&self, window: usize, pose: Pose3, velocity: Twist2) -> (Pose3, Twist2) {
        let [x, y, yaw, vx, vy, wz] = self.corrections.get(window).copied().unwrap_or_default();
        let pose = Pose3 { x: pose.x + x, y: pose.y + y, yaw: pose.yaw + yaw, ..pose };
        (pose, Twist2::new(velocity.vx + vx, velocity.vy + vy, velocity.wz + wz))
    }
}

/// The windows of a recording: those with a measured state at the start, without gaps and jumps, that start at least as
/// fast as the options demand.
pub(super) fn windows(recording: &Recording, options: &Windows) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut start = 0.0;
    while start + options.length <= recording.duration() + 1e-6 {
        windows.extend(whole_window(recording, start, options.length, options));
        start += options.every;
    }
    windows
}

/// The window of this duration [s] that begins at `start` [s], if there is one: see [`windows`].
pub(super) fn whole_window(recording: &Recording, start: f64, length: f64, options: &Windows) -> Option<Window> {
    let row = |time: f64| recording.time.partition_point(|t| *t <= time + 1e-6);
    let rows = [row(start), row(start + length)];
    let times = &recording.time[rows[0].saturating_sub(1)..rows[1]];
    let has_gap = times.windows(2).any(|pair| pair[1] - pair[0] > options.longest_gap);
    let (_, velocity) = state_at(recording, start, &Measurement::default(), options.longest_gap)?;
    let jumps = recording.jumps.iter().any(|jump| (start..=start + length).contains(jump));
    let is_whole = !has_gap && !jumps && rows[0] < rows[1] && velocity.linear().norm() >= options.slowest;
    is_whole.then_some(Window { start, rows })
}

/// Measured pose in the world and velocity in the body frame [m, rad, m/s, rad/s] at `time` [s]; none if the recording
/// has no measurement there. Without poses the body is at the origin.
pub(super) fn state_at(
    recording: &Recording,
    time: f64,
    measurement: &Measurement,
    longest_gap: f64,
) -> Option<(Pose3, Twist2)> {
    let at = |role| recording.at(role, time, longest_gap);
    let marker = Vec2::new(measurement.marker_x, measurement.marker_y);
    let pose = if recording.has(Role::X) {
        let (x, y, yaw) = (at(Role::X)?, at(Role::Y)?, at(Role::Yaw)? - measurement.heading_offset);
        let place = Vec2::new(x, y) - Rot2::new(yaw) * marker;
        Pose3 { x: place.x, y: place.y, yaw, ..Pose3::default() }
    } else {
        Pose3::default()
    };
    let yaw_rate = if recording.has(Role::YawRate) { at(Role::YawRate)? - measurement.yaw_rate_offset } else { 0.0 };
    let vx = if recording.has(Role::Vx) {
        at(Role::Vx)?
    } else if recording.has(Role::WheelSpeed) {
        at(Role::WheelSpeed)? / (1.0 + measurement.wheel_speed_scale)
    } else {
        0.0
    };
    // If no lateral velocity is measured, that of the body is assumed to be zero.
    let Some(vy) = (if recording.has(Role::Vy) { Some(at(Role::Vy)?) } else { None }) else {
        return Some((pose, Twist2::new(vx + yaw_rate * marker.y, 0.0, yaw_rate)));
    };
    let at_marker = Rot2::new(measurement.heading_offset) * Vec2::new(vx, vy);
    Some((pose, Twist2::new(at_marker.x + yaw_rate * marker.y, at_marker.y - yaw_rate * marker.x, yaw_rate)))
}

/// The motion of the body at one instant.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    /// Position in the world [m].
    position: Vec2,
    /// Heading [rad].
    yaw: f64,
    /// Velocity in the body frame [m/s, rad/s].
    velocity: Twist2,
    /// Acceleration in the body frame [m/s²].
    acceleration: Vec2,
    /// Yaw acceleration [rad/s²].
    yaw_acceleration: f64,
    /// Mean circumferential speed of the wheels [m/s].
    wheel_speed: f64,
    /// Front and rear axle; zero unless they are asked for.
    axles: [Axle; 2],
}

/// The wheels of an axle taken together.
#[derive(Clone, Copy, Debug, Default)]
struct Axle {
    /// Mean steering angle [rad].
    steering: f64,
    /// Mean slip angle [rad], positive if the wheels move to their left.
    slip: f64,
    /// Sum of the lateral forces, along the axles of the wheels [N].
    force: f64,
}

impl Axle {
    /// The front and rear axle of the only car of a world.
    fn front_and_rear(world: &World) -> [Axle; 2] {
        let wheels = world.vehicle(0).map(|vehicle| vehicle.wheels()).unwrap_or_default();
        let xs = || wheels.iter().map(|wheel| wheel.parameters.position.x);
        let middle = 0.5 * (xs().fold(f64::INFINITY, f64::min) + xs().fold(f64::NEG_INFINITY, f64::max));
        [true, false].map(|is_front| {
            let of_axle = || {
                wheels
                    .iter()
                    .zip(&world.frame().vehicles[0].wheels)
                    .filter(|(wheel, _)| (wheel.parameters.position.x > middle) == is_front)
            };
            let count = of_axle().count().max(1) as f64;
            Axle {
                steering: of_axle().map(|(_, frame)| frame.steer).sum::<f64>() / count,
                slip: of_axle().map(|(_, frame)| frame.slip_angle()).sum::<f64>() / count,
                force: of_axle().map(|(_, frame)| frame.force_in_wheel.y).sum(),
            }
        })
    }
}

impl Motion {
    /// The motion after a step of `dt` [s] from `before`.
    fn of(world: &World, before: &Motion, dt: f64, with_axles: bool) -> Motion {
        let car = &world.frame().vehicles[0];
        let wheels = world.vehicle(0).map(|vehicle| vehicle.wheels()).unwrap_or_default();
        let rims = wheels.iter().map(|wheel| wheel.spin * wheel.parameters.radius).sum::<f64>();
        let pose = car.world_from_body.planar();
        Motion {
            position: pose.position(),
            yaw: pose.yaw,
            velocity: car.velocity_in_body,
            acceleration: car.acceleration_in_body,
            yaw_acceleration: (car.velocity_in_body.wz - before.velocity.wz) / dt,
            wheel_speed: rims / wheels.len().max(1) as f64,
            axles: if with_axles { Axle::front_and_rear(world) } else { Default::default() },
        }
    }

    /// The motion after `time` [s] at constant velocity.
    fn ahead(&self, time: f64) -> Motion {
        let pose = advance(Pose2::new(self.position.x, self.position.y, self.yaw), self.velocity, time);
        Motion { position: pose.position(), yaw: pose.yaw, ..*self }
    }

    /// Interpolates to the share `share` of the way to `next`.
    fn towards(&self, next: &Motion, share: f64) -> Motion {
        let mix = |a: f64, b: f64| a + share * (b - a);
        let mixed = |a: Vec2, b: Vec2| Vec2::new(mix(a.x, b.x), mix(a.y, b.y));
        let (a, b) = (self.velocity, next.velocity);
        Motion {
            position: mixed(self.position, next.position),
            yaw: self.yaw + share * wrap_angle(next.yaw - self.yaw),
            velocity: Twist2::new(mix(a.vx, b.vx), mix(a.vy, b.vy), mix(a.wz, b.wz)),
            // Accelerations are means over the step, not values at its ends.
            acceleration: next.acceleration,
            yaw_acceleration: next.yaw_acceleration,
            wheel_speed: mix(self.wheel_speed, next.wheel_speed),
            axles: next.axles,
        }
    }

    /// The value that would be measured of a quantity, in SI or radians; NaN of commands and times.
    fn measured(&self, role: Role, measurement: &Measurement) -> f64 {
        let marker = Vec2::new(measurement.marker_x, measurement.marker_y);
        let wz = self.velocity.wz;
        let at_marker = || {
            let body = Vec2::new(self.velocity.vx - wz * marker.y, self.velocity.vy + wz * marker.x);
            Rot2::new(-measurement.heading_offset) * body
        };
        let place = || self.position + Rot2::new(self.yaw) * marker;
        match role {
            Role::X => place().x,
            Role::Y => place().y,
            Role::Yaw => self.yaw + measurement.heading_offset,
            Role::Vx => at_marker().x,
            Role::Vy => at_marker().y,
            Role::YawRate => wz + measurement.yaw_rate_offset,
            Role::Ax => self.acceleration.x - wz * wz * marker.x - self.yaw_acceleration * marker.y,
            Role::Ay => self.acceleration.y + self.yaw_acceleration * marker.x - wz * wz * marker.y,
            Role::WheelSpeed => self.wheel_speed * (1.0 + measurement.wheel_speed_scale),
            Role::Steering => self.axles[0].steering,
            Role::FrontSlip => self.axles[0].slip,
            Role::RearSlip => self.axles[1].slip,
            Role::FrontForce => self.axles[0].force,
            Role::RearForce => self.axles[1].force,
            _ => f64::NAN,
        }
    }
}

/// The command of a row of a recording after the command model, of a kind that the car accepts; none if a number is
/// missing.
pub(super) fn command(
    recording: &Recording,
    row: usize,
    accepts: Accepts,
    measurement: &Measurement,
) -> Option<Action> {
    let at = |role| {
        recording.columns.get(&role).and_then(|values| values.get(row)).copied().filter(|value| value.is_finite())
    };
    let steering_angle = at(Role::CommandSteering).unwrap_or(0.0) + measurement.steering_trim;
    if recording.has(Role::CommandThrottle) && accepts.pedals {
        let throttle = at(Role::CommandThrottle)? * (1.0 + measurement.throttle_scale);
        let brake = at(Role::CommandBrake).unwrap_or((-throttle).max(0.0));
        let pedals =
            Pedals { throttle: throttle.clamp(0.0, 1.0), brake: brake.clamp(0.0, 1.0), gear: GearLever::Drive };
        return Some(Action::Pedals { pedals, steering_angle });
    }
    if recording.has(Role::CommandLeftWheel) && accepts.side_spins {
        return Some(Action::SideSpins([at(Role::CommandLeftWheel)?, at(Role::CommandRightWheel)?]));
    }
    let speed = at(Role::CommandSpeed)? * (1.0 + measurement.speed_scale);
    if recording.has(Role::CommandYawRate) && accepts.twist {
        let yaw_rate = at(Role::CommandYawRate)? * (1.0 + measurement.yaw_rate_scale) + measurement.curvature * speed;
        return Some(Action::Twist(Twist2::new(speed, 0.0, yaw_rate)));
    }
    Some(Action::Ackermann { speed, steering_angle })
}

/// Whether the car accepts the commands of a recording.
pub(super) fn takes_commands(world: &World, recording: &Recording) -> bool {
    let accepts = world.scene().vehicles[0].accepts;
    (0..recording.time.len())
        .find_map(|row| command(recording, row, accepts, &Measurement::default()))
        .is_some_and(|action| accepts.takes(&action).0)
}

/// Predicts the windows of a recording: for each of `roles` in each row, calls `report` with the index of the window,
/// the index of the row, the quantity, and the value that would be measured. Returns false if the simulation failed;
/// values after that are NaN.
pub(super) fn predict(
    world: &mut World,
    recording: &Recording,
    plan: &Plan<'_>,
    measurement: &Measurement,
    roles: &[Role],
    mut report: impl FnMut(usize, usize, Role, f64),
) -> bool {
    let Plan { windows, options, .. } = plan;
    let passes = (options.length / options.every).ceil().max(1.0) as usize;
    let mut succeeds = true;
    for pass in 0..passes {
        let of_pass: Vec<(usize, &Window)> = windows.iter().enumerate().skip(pass).step_by(passes).collect();
        succeeds &= drive(world, recording, &of_pass, plan, measurement, roles, &mut report);
    }
    succeeds
}

/// Predicts the windows of a recording without a car: the state measured at the start of a window is held, the body goes
/// on with its velocity and yaw rate, and everything else keeps its value. Calls `report` as [`predict`] does.
pub(super) fn predict_held(
    recording: &Recording,
    windows: &[Window],
    longest_gap: f64,
    roles: &[Role],
    mut report: impl FnMut(usize, usize, Role, f64),
) {
    // The marker itself is what moves.
    let marker = Measurement::default();
    for (index, window) in windows.iter().enumerate() {
        let start = state_at(recording, window.start, &marker, longest_gap).map(|(pose, velocity)| Motion {
            position: pose.planar().position(),
            yaw: pose.yaw,
            velocity,
            ..Motion::default()
        });
        let kept = |role| recording.at(role, window.start, longest_gap).unwrap_or(f64::NAN);
        for row in window.rows[0]..window.rows[1] {
            let motion = start.map(|start| start.ahead(recording.time[row] - window.start));
            for &role in roles {
                let value = match motion {
                    Some(motion) if STATE.contains(&role) => motion.measured(role, &marker),
                    _ => kept(role),
                };
                report(index, row, role, value);
            }
        }
    }
}

/// One pass over a recording, with windows that do not overlap.
fn drive(
    world: &mut World,
    recording: &Recording,
    windows: &[(usize, &Window)],
    plan: &Plan<'_>,
    measurement: &Measurement,
    roles: &[Role],
    report: &mut impl FnMut(usize, usize, Role, f64),
) -> bool {
    world.reset();
    let options = plan.options;
    let dt = world.scene().step.secs();
    let vehicle = &world.scene().vehicles[0];
    let (id, accepts) = (vehicle.id, vehicle.accepts);
    const OF_AXLES: [Role; 5] = [Role::Steering, Role::FrontSlip, Role::RearSlip, Role::FrontForce, Role::RearForce];
    let with_axles = roles.iter().any(|role| OF_AXLES.contains(role));
    let command_times = recording.command_times();
    let mut next_command = 0;
    let mut is_first = true;
    let mut motion = Motion::default();
    let mut pending = windows.iter().peekable();
    let mut current: Option<(usize, &Window, usize)> = None;
    let mut fails = false;
    // The offset shifts measurements, not commands, so that results depend on it smoothly.
    let offset = measurement.clock_offset;
    let begin = windows.first().map_or(0.0, |(_, window)| window.start - offset).min(0.0) - options.settle;
    let mut step = (begin / dt).round() as i64;
    // Measured pose and velocity at `time` [s], moved on by `ahead` [s] at constant velocity.
    let measured = |time: f64, ahead: f64| {
        let (start, velocity) = state_at(recording, time, measurement, options.longest_gap)?;
        let pose = advance(Pose2::new(start.x, start.y, start.yaw), velocity, ahead);
        Some((Pose3 { x: pose.x, y: pose.y, yaw: pose.yaw, ..start }, velocity))
    };
    // The car settles from the state measured at that time, or from the first one before the recording starts.
    let settle = |world: &mut World, step: i64| {
        let Some((pose, velocity)) = measured((step as f64 * dt + offset).max(0.0), 0.0) else { return true };
        world.set_state(id, Some(pose), Some(velocity)).is_ok()
    };
    fails |= !settle(world, step);
    loop {
        let now = step as f64 * dt;
        // The newest command so far; before the first one, the first.
        let due = command_times[next_command..].iter().take_while(|t| **t <= now + 1e-9).count();
        next_command += due;
        if (due > 0 || is_first)
            && let Some(action) = command(recording, next_command.saturating_sub(1), accepts, measurement)
        {
            fails |= world.command(Command { vehicle: 0, action }).is_err();
            is_first = false;
        }
        if let Some(&&(index, window)) = pending.peek()
            && now >= window.start - offset - 0.5 * dt
        {
            pending.next();
            // The last rows of the previous window may be up to half a step ahead.
            if let Some((index, window, row)) = &mut current {
                while *row < window.rows[1] && recording.time[*row] - offset <= now + dt {
                    let at_row = motion.ahead(recording.time[*row] - offset - now);
                    roles.iter().for_each(|&role| report(*index, *row, role, at_row.measured(role, measurement)));
                    *row += 1;
                }
            }
            finish(&mut current, roles, report);
            // The window starts between steps: its state is moved on to the time of the step.
            if let Some((pose, velocity)) = measured(window.start, now + offset - window.start) {
                let (pose, velocity) = plan.corrected(index, pose, velocity);
                fails |= world.correct_state(id, pose, velocity).is_err();
                motion = Motion { position: pose.planar().position(), yaw: pose.yaw, velocity, ..motion };
            }
            current = Some((index, window, window.rows[0]));
        }
        if current.is_none_or(|(_, window, row)| row >= window.rows[1]) {
            let Some((_, next)) = pending.peek() else { break };
            // Nothing is predicted until the next window: only the settling time before it is simulated.
            let resume = ((next.start - offset - options.settle) / dt).floor() as i64;
            if resume > step {
                world.reset();
                (step, is_first, current) = (resume, true, None);
                fails |= !settle(world, step);
                continue;
            }
        }
        if measurement.pushes() {
            let Measurement { push_x, push_y, push_yaw, .. } = *measurement;
            let car = &world.frame().vehicles[0];
            let (pose, Twist2 { vx, vy, wz }) = (car.world_from_body, car.velocity_in_body);
            let velocity = Twist2::new(vx + push_x * dt, vy + push_y * dt, wz + push_yaw * dt);
            fails |= world.correct_state(id, pose, velocity).is_err();
        }
        if world.step().is_err() || fails {
            // The simulation failed: the rest cannot be predicted.
            finish(&mut current, roles, report);
            pending.for_each(|&(index, window)| finish(&mut Some((index, window, window.rows[0])), roles, report));
            return false;
        }
        let next = Motion::of(world, &motion, dt, with_axles);
        if let Some((index, window, row)) = &mut current {
            while *row < window.rows[1] && recording.time[*row] - offset <= now + dt + 1e-9 {
                let share = ((recording.time[*row] - offset - now) / dt).clamp(0.0, 1.0);
                let at_row = motion.towards(&next, share);
                roles.iter().for_each(|&role| report(*index, *row, role, at_row.measured(role, measurement)));
                *row += 1;
            }
        }
        motion = next;
        step += 1;
    }
    true
}

/// Reports NaN for the remaining rows of a window.
fn finish(
    current: &mut Option<(usize, &Window, usize)>,
    roles: &[Role],
    report: &mut impl FnMut(usize, usize, Role, f64),
) {
    if let Some((index, window, row)) = current.take() {
        for row in row..window.rows[1] {
            roles.iter().for_each(|&role| report(index, row, role, f64::NAN));
        }
    }
}
