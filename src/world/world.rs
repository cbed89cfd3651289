//! The world: everything that moves, and the step that moves it.

use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use super::blocks::BlockBody;
use super::{BodyIndex, Frame, Physics, Scene, VehicleFrame, WheelFrame};
use crate::math::{Pose2, Pose3, Twist2, Vec2};
use crate::raycast::{GridCaster, Obstacles};
use crate::sensor::{Reading, Sensor, View};
use crate::time::{Periodic, SimTime};
use crate::vehicle::controller::Order;
use crate::vehicle::{Action, Command, Effect, Vehicle};

/// Why a step failed: a number left the finite ones, and nothing after it would mean anything.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "{kind} \"{vehicle}\": {quantity} is not finite at {time}\n  hint: a smaller <simul_timestep>, or check masses, inertias and gains"
)]
pub struct StepError {
    /// `vehicle` or `block`.
    pub kind: &'static str,
    /// Its name.
    pub vehicle: String,
    /// What is not finite.
    pub quantity: &'static str,
    /// Simulated time after the step [ns].
    pub time: SimTime,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CommandError {
    /// There is no vehicle with this index.
    #[error("no vehicle with index {0}")]
    NoVehicle(usize),
    /// A number in it is NaN or infinite.
    #[error("command to \"{0}\" holds a number that is not finite\n  accepted: finite numbers")]
    NotFinite(String),
    /// It asks for more than [`Action::LARGEST`].
    #[error("command to \"{0}\" asks for more than any vehicle can do\n  accepted: up to {limit} m/s or rad/s", limit = Action::LARGEST)]
    Absurd(String),
    /// Its controller does not take commands of this kind.
    #[error("vehicle \"{vehicle}\" takes no {kind} commands\n  accepted: {accepted}")]
    NotAccepted {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of the command.
        kind: &'static str,
        /// Kinds that it takes.
        accepted: &'static str,
    },
}

/// A vehicle and its body.
pub(super) struct Mover {
    vehicle: Vehicle,
    body: BodyIndex,
    /// Indices of the shapes that lidars see.
    shapes: Vec<usize>,
    start_velocity_in_body: Twist2,
    velocity_in_world: Vec2,
    acceleration_in_body: Vec2,
}

impl Mover {
    pub(super) fn new(vehicle: Vehicle, body: BodyIndex, shapes: Vec<usize>, start_velocity_in_body: Twist2) -> Mover {
        Mover {
            vehicle,
            body,
            shapes,
            start_velocity_in_body,
            velocity_in_world: Vec2::ZERO,
            acceleration_in_body: Vec2::ZERO,
        }
    }
}

/// A sensor and when it is due.
struct Mounted {
    vehicle: usize,
    sensor: Box<dyn Sensor>,
    due: Periodic,
    is_due: bool,
}

/// A loaded world. Plain data: no thread, no clock, no I/O; the same commands give the same frames.
pub struct World {
    scene: Arc<Scene>,
    physics: Physics,
    movers: Vec<Mover>,
    blocks: Vec<Option<BlockBody>>,
    sensors: Vec<Mounted>,
    grids: Vec<Arc<GridCaster>>,
    obstacles: Obstacles,
    frame: Frame,
    commands: Vec<Command>,
    command_timeout: Option<SimTime>,
    range_noise: Option<f64>,
}

impl World {
    pub(super) fn assemble(
        scene: Scene,
        physics: Physics,
        movers: Vec<Mover>,
        blocks: Vec<Option<BlockBody>>,
        sensors: Vec<(usize, Box<dyn Sensor>)>,
        grids: Vec<Arc<GridCaster>>,
        obstacles: Obstacles,
    ) -> World {
        let mut readings = Vec::with_capacity(sensors.len());
        let mut mounted = Vec::with_capacity(sensors.len());
        let mut last = None;
        let mut index = 0;
        for (vehicle, sensor) in sensors {
            index = if last == Some(vehicle) { index + 1 } else { 0 };
            last = Some(vehicle);
            let time = SimTime(-1);
            readings.push(Reading { vehicle, sensor: index, time, data: sensor.new_reading() });
            let due = Periodic::new(sensor.info().period);
            mounted.push(Mounted { vehicle, sensor, due, is_due: false });
        }
        let vehicles = movers.iter().map(|mover| VehicleFrame {
            wheels: vec![WheelFrame::default(); mover.vehicle.wheels().len()],
            ..VehicleFrame::default()
        });
        let frame = Frame {
            vehicles: vehicles.collect(),
            blocks: scene.blocks.iter().map(|block| block.world_from_start).collect(),
            readings,
            ..Frame::default()
        };
        let mut world = World {
            scene: Arc::new(scene),
            physics,
            movers,
            blocks,
            sensors: mounted,
            grids,
            obstacles,
            frame,
            commands: Vec::with_capacity(64),
            command_timeout: None,
            range_noise: None,
        };
        world.rest();
        world
    }

    /// The fixed facts.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The last frame; before the first step, the start.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Hands over a command, which is taken at the start of the next step.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        let info = self.scene.vehicles.get(command.vehicle).ok_or(CommandError::NoVehicle(command.vehicle))?;
        if !command.action.is_finite() {
            return Err(CommandError::NotFinite(info.name.clone()));
        }
        if command.action.is_absurd() {
            return Err(CommandError::Absurd(info.name.clone()));
        }
        let (taken, kind) = match command.action {
            Action::Twist(_) => (info.accepts.twist, "velocity"),
            Action::Ackermann { .. } => (info.accepts.ackermann, "Ackermann"),
            Action::Teleport(_) => (true, "teleport"),
        };
        if !taken {
            let accepted = match (info.accepts.twist, info.accepts.ackermann) {
                (true, true) => "velocity, Ackermann",
                (true, false) => "velocity",
                (false, true) => "Ackermann",
                (false, false) => "none, its controller is raw",
            };
            return Err(CommandError::NotAccepted { vehicle: info.name.clone(), kind, accepted });
        }
        // Of the velocities and steering that arrive between two steps only the last counts; kept by vehicle, so that
        // what arrives during a long pause takes no more memory than that.
        let drives = |action: &Action| !matches!(action, Action::Teleport(_));
        match self.commands.iter_mut().rfind(|earlier| earlier.vehicle == command.vehicle) {
            Some(earlier) if drives(&earlier.action) && drives(&command.action) => *earlier = command,
            _ => self.commands.push(command),
        }
        Ok(())
    }

    /// Stops a vehicle whose last command is older than this [ns of simulated time]. None: commands hold for ever (default).
    pub fn set_command_timeout(&mut self, timeout: Option<SimTime>) {
        self.command_timeout = timeout;
    }

    /// Standard deviation of the range noise [m] of every lidar; none: as the world file says.
    pub fn set_range_noise(&mut self, range_noise: Option<f64>) {
        self.range_noise = range_noise;
    }

    /// Puts everything back to where it started. Simulated time goes on, so that no clock jumps back.
    pub fn reset(&mut self) {
        self.commands.clear();
        self.frame.step = 0;
        self.physics.forget_contacts();
        self.rest();
    }

    /// Advances by one step of `scene().step`.
    pub fn step(&mut self) -> Result<&Frame, StepError> {
        let dt = self.scene.step.secs();
        self.take_commands();
        self.drive_vehicles(dt);
        self.brake_blocks(dt);
        self.physics.step();
        self.frame.time += self.scene.step;
        self.frame.step += 1;
        self.observe(dt)?;
        self.sense();
        Ok(&self.frame)
    }

    /// Phase 1: commands, and vehicles whose commander fell silent.
    fn take_commands(&mut self) {
        let now = self.frame.time;
        for command in self.commands.drain(..) {
            let mover = &mut self.movers[command.vehicle];
            match command.action {
                Action::Twist(twist) => mover.vehicle.order(Order::Twist(twist), now),
                Action::Ackermann { speed, steering_angle } => {
                    mover.vehicle.order(Order::Ackermann { speed, steering_angle }, now);
                }
                Action::Teleport(world_from_body) => {
                    self.physics.place(mover.body, world_from_body, Twist2::ZERO);
                    mover.velocity_in_world = Vec2::ZERO;
                    mover.acceleration_in_body = Vec2::ZERO;
                    mover.vehicle.halt();
                }
            }
        }
        if let Some(timeout) = self.command_timeout {
            self.movers.iter_mut().for_each(|mover| mover.vehicle.watch(now, timeout));
        }
    }

    /// Phases 2 to 5: controllers, drives, contacts, friction, and the velocities of the bodies.
    fn drive_vehicles(&mut self, dt: f64) {
        for (mover, frame) in self.movers.iter_mut().zip(&mut self.frame.vehicles) {
            let velocity_in_body = self.physics.velocity_in_body(mover.body);
            match mover.vehicle.act(velocity_in_body, mover.acceleration_in_body, dt, frame) {
                Effect::Forces(wrench) => self.physics.apply(mover.body, wrench),
                Effect::Velocity(velocity) => self.physics.impose_velocity(mover.body, velocity),
            }
        }
    }

    /// Phase 6: the floor under the blocks.
    fn brake_blocks(&mut self, dt: f64) {
        for block in self.blocks.iter().flatten() {
            block.brake(&mut self.physics, dt);
        }
    }

    /// Phases 8 and 9: the new state into the frame; every number must be finite.
    fn observe(&mut self, dt: f64) -> Result<(), StepError> {
        for (index, (mover, frame)) in self.movers.iter_mut().zip(&mut self.frame.vehicles).enumerate() {
            let velocity_in_body = self.physics.velocity_in_body(mover.body);
            let rotation = self.physics.rotation(mover.body);
            let velocity_in_world = rotation * velocity_in_body.linear();
            mover.acceleration_in_body =
                rotation.inverse() * ((1.0 / dt) * (velocity_in_world - mover.velocity_in_world));
            mover.velocity_in_world = velocity_in_world;
            mover.vehicle.update_odometry(velocity_in_body, dt);
            frame.world_from_body = Pose3::from_planar(self.physics.world_from_body(mover.body));
            frame.velocity_in_body = velocity_in_body;
            frame.acceleration_in_body = mover.acceleration_in_body;
            frame.odom_from_body = mover.vehicle.odometry().odom_from_body;
            frame.odom_velocity_in_body = mover.vehicle.odometry().velocity_in_body;
            frame.colliding = self.physics.is_colliding(mover.body);
            if let Some(quantity) = not_finite(frame) {
                return Err(StepError {
                    kind: "vehicle",
                    vehicle: self.scene.vehicles[index].name.clone(),
                    quantity,
                    time: self.frame.time,
                });
            }
        }
        for (index, (block, pose)) in self.blocks.iter().zip(&mut self.frame.blocks).enumerate() {
            if let Some(block) = block {
                *pose = self.physics.world_from_body(block.body);
                if !pose.is_finite() {
                    let vehicle = self.scene.blocks[index].name.clone();
                    return Err(StepError { kind: "block", vehicle, quantity: "pose", time: self.frame.time });
                }
            }
        }
        Ok(())
    }

    /// Phase 10: sensors that fell due look at the new state, in parallel where there are several.
    fn sense(&mut self) {
        let now = self.frame.time;
        let mut due = 0;
        for mounted in &mut self.sensors {
            mounted.is_due = mounted.due.is_due(now);
            due += usize::from(mounted.is_due);
        }
        if due == 0 {
            return;
        }
        self.place_shapes();
        let Frame { vehicles, readings, .. } = &mut self.frame;
        let (grids, obstacles, range_noise) = (&self.grids, &self.obstacles, self.range_noise);
        let look = |mounted: &mut Mounted, reading: &mut Reading| {
            if mounted.is_due {
                let view = View {
                    time: now,
                    world_from_body: vehicles[mounted.vehicle].world_from_body.planar(),
                    vehicle: mounted.vehicle,
                    grids,
                    obstacles,
                    range_noise_override: range_noise,
                };
                mounted.sensor.sense(&view, &mut reading.data);
                reading.time = now;
            }
        };
        if due == 1 {
            self.sensors.iter_mut().zip(readings).for_each(|(mounted, reading)| look(mounted, reading));
        } else {
            self.sensors
                .par_iter_mut()
                .zip(readings.par_iter_mut())
                .for_each(|(mounted, reading)| look(mounted, reading));
        }
    }

    /// Shows lidars where everything stands now.
    fn place_shapes(&mut self) {
        for (mover, frame) in self.movers.iter().zip(&self.frame.vehicles) {
            let pose = frame.world_from_body.planar();
            mover.shapes.iter().for_each(|&shape| self.obstacles.set_mover_pose(shape, pose));
        }
        for (block, &pose) in self.blocks.iter().zip(&self.frame.blocks) {
            if let Some(block) = block {
                self.obstacles.set_mover_pose(block.shape, pose);
            }
        }
    }

    /// Everything at its start, with the velocity it starts with.
    fn rest(&mut self) {
        for (index, mover) in self.movers.iter_mut().enumerate() {
            let start = self.scene.vehicles[index].world_from_start;
            mover.vehicle.reset();
            self.physics.place(mover.body, start, mover.start_velocity_in_body);
            mover.velocity_in_world = start.rotation() * mover.start_velocity_in_body.linear();
            mover.acceleration_in_body = Vec2::ZERO;
            let wheels = std::mem::take(&mut self.frame.vehicles[index].wheels);
            self.frame.vehicles[index] = VehicleFrame {
                world_from_body: Pose3::from_planar(start),
                velocity_in_body: mover.start_velocity_in_body,
                setpoint: mover.vehicle.controller().setpoint(),
                wheels,
                ..VehicleFrame::default()
            };
            for (frame, wheel) in self.frame.vehicles[index].wheels.iter_mut().zip(mover.vehicle.wheels()) {
                *frame = WheelFrame { steer: wheel.heading(), ..WheelFrame::default() };
            }
        }
        for (block, (pose, info)) in self.blocks.iter().zip(self.frame.blocks.iter_mut().zip(&self.scene.blocks)) {
            *pose = info.world_from_start;
            if let Some(block) = block {
                self.physics.place(block.body, info.world_from_start, block.start_velocity_in_body);
            }
        }
    }
}

/// Name of the first quantity that is NaN or infinite.
fn not_finite(frame: &VehicleFrame) -> Option<&'static str> {
    let pose: Pose2 = frame.world_from_body.planar();
    if !pose.is_finite() {
        return Some("pose");
    }
    if !frame.velocity_in_body.is_finite() {
        return Some("velocity");
    }
    if !frame.odom_from_body.is_finite() {
        return Some("odometry");
    }
    let spins: f64 = frame.wheels.iter().map(|wheel| wheel.spin).sum();
    if !spins.is_finite() {
        return Some("wheel spin");
    }
    None
}
