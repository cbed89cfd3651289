//! The parts of a task that come with the package: what drivers see, their rewards, and the ends of their episodes. They are computed beside the steps,
//! world by world, on all threads. `../skidpad/envs/` describes each part; numbers and signs are defined there.

use std::f64::consts::TAU;

use skidpad::interface::numbers;
use skidpad::math::wrap_angle;
use skidpad::sensor::ReadingData;
use skidpad::world::{VehicleFrame, World};

use crate::arrays::Place;
use crate::path::Line;

/// A part of an observation.
pub(crate) enum Seen {
    /// Ranges of the first planar lidar over a length [m], of these beams.
    Scan {
        farthest: f32,
        beams: Vec<usize>,
    },
    /// A field of the state over a scale.
    Field {
        value: fn(&VehicleFrame) -> f64,
        scale: f64,
    },
    SideSlip,
    LastAction,
    PathError {
        scale: f64,
    },
    PathAhead {
        points: usize,
        reach: f64,
    },
    Goal {
        scale: f64,
    },
    Block {
        column: usize,
        scale: f64,
    },
    /// Numbers that Python writes.
    Others {
        size: usize,
    },
}

/// A part of a reward.
pub(crate) enum Reward {
    Progress(f64),
    Collided(f64),
    Constant(f64),
    PathOffset(f64),
    Smoothness(f64),
    GoalProgress(f64),
    Reached { weight: f64, radius: f64 },
    Drift { weight: f64, radius: f64, speed: f64, angle: f64 },
}

/// A reason for an episode to end.
pub(crate) enum End {
    Collision,
    Overturned,
    OffPath(f64),
    Backwards,
    AtGoal(f64),
}

/// All parts, and what they need to know of the worlds.
pub(crate) struct Course {
    pub(crate) seen: Vec<Seen>,
    pub(crate) rewards: Vec<Reward>,
    pub(crate) ends: Vec<End>,
    /// Duration of a step of the environment [s].
    pub(crate) period: f64,
    /// For each driver of a world, its vehicle, and the place of its planar lidar among the readings.
    pub(crate) drivers: Vec<(usize, Option<usize>)>,
    /// The block that shall get to the goal; none: the vehicle.
    pub(crate) goal_block: Option<usize>,
}

/// The state of an episode beside that of its world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Episode {
    pub(crate) action: [f32; 2],
    pub(crate) last_action: [f32; 2],
    pub(crate) goal: [f64; 2],
    pub(crate) goal_distance: f64,
    pub(crate) goal_distance_before: f64,
    pub(crate) steps: i64,
}

/// A driver, when its parts are computed.
struct Driver<'a> {
    world: &'a World,
    frame: &'a VehicleFrame,
    episode: &'a Episode,
    place: &'a Place,
    line: Option<&'a Line>,
    collided: bool,
}

/// Below this speed [m/s] a sideslip angle is not defined well.
const SLOW: f64 = 0.3;

impl Seen {
    /// Count of its numbers; `beams` of the lidar are counted by the part.
    pub(crate) fn size(&self) -> usize {
        match self {
            Seen::Scan { beams, .. } => beams.len(),
            Seen::Field { .. } | Seen::SideSlip => 1,
            Seen::LastAction => 2,
            Seen::PathError { .. } | Seen::Goal { .. } | Seen::Block { .. } => 3,
            Seen::PathAhead { points, .. } => 2 * points,
            Seen::Others { size } => *size,
        }
    }

    fn write(&self, driver: &Driver<'_>, lidar: Option<usize>, out: &mut [f32]) {
        let frame = driver.frame;
        let pose = frame.world_from_body;
        match self {
            Seen::Scan { farthest, beams } => {
                let Some(ReadingData::Scan(scan)) = lidar.map(|slot| &driver.world.frame().readings[slot].data) else {
                    return;
                };
                let share = 1.0 / farthest;
                // `min` takes the other number where a beam has none. Some lidars say 0 where nothing returns.
                let free = |range: f32| if range == 0.0 { *farthest } else { range };
                let scaled = |range: f32| free(range).min(*farthest).max(0.0) * share;
                if beams.len() == scan.ranges.len() {
                    out.iter_mut().zip(&scan.ranges).for_each(|(out, &range)| *out = scaled(range));
                } else {
                    out.iter_mut().zip(beams).for_each(|(out, &beam)| *out = scaled(scan.ranges[beam]));
                }
            }
            Seen::Field { value, scale } => out[0] = (value(frame) / scale) as f32,
            Seen::SideSlip => {
                let velocity = frame.velocity_in_body;
                out[0] = if velocity.linear().norm() > SLOW { velocity.vy.atan2(velocity.vx) as f32 } else { 0.0 };
            }
            Seen::LastAction => out.copy_from_slice(&driver.episode.action),
            Seen::PathError { scale } => {
                let deviation = pose.yaw - driver.place[2];
                write_f64(out, [driver.place[1] / scale, deviation.sin(), deviation.cos()]);
            }
            Seen::PathAhead { points, reach } => {
                let Some(line) = driver.line else { return };
                let (sin, cos) = pose.yaw.sin_cos();
                for point in 0..*points {
                    let ahead = reach * (point + 1) as f64 / *points as f64;
                    let [x, y, ..] = line.at_one(driver.place[0] + ahead);
                    let (dx, dy) = ((x - pose.x) / reach, (y - pose.y) / reach);
                    out[point] = (cos * dx + sin * dy) as f32;
                    out[points + point] = (cos * dy - sin * dx) as f32;
                }
            }
            Seen::Goal { scale } => driver.write_bearing(driver.episode.goal, *scale, out),
            Seen::Block { column, scale } => {
                let block = driver.world.frame().blocks[*column];
                driver.write_bearing([block.x, block.y], *scale, out);
            }
            Seen::Others { .. } => {}
        }
    }
}

fn write_f64<const N: usize>(out: &mut [f32], numbers: [f64; N]) {
    out.iter_mut().zip(numbers).for_each(|(out, number)| *out = number as f32);
}

impl Driver<'_> {
    fn write_bearing(&self, [x, y]: [f64; 2], scale: f64, out: &mut [f32]) {
        let pose = self.frame.world_from_body;
        let (dx, dy) = (x - pose.x, y - pose.y);
        let bearing = dy.atan2(dx) - pose.yaw;
        write_f64(out, [(dx * dx + dy * dy).sqrt() / scale, bearing.sin(), bearing.cos()]);
    }

    fn reward(&self, part: &Reward, period: f64) -> f64 {
        let episode = self.episode;
        match part {
            Reward::Progress(weight) => weight * self.place[6],
            Reward::Collided(weight) => weight * f64::from(u8::from(self.collided)),
            Reward::Constant(weight) => weight * period,
            Reward::PathOffset(weight) => -weight * period * self.place[1].abs(),
            Reward::Smoothness(weight) => {
                let change = [0, 1].map(|k| f64::from(episode.action[k]) - f64::from(episode.last_action[k]));
                -weight * (change[0] * change[0] + change[1] * change[1])
            }
            Reward::GoalProgress(weight) => weight * (episode.goal_distance_before - episode.goal_distance),
            Reward::Reached { weight, radius } => {
                if episode.goal_distance < *radius {
                    *weight
                } else {
                    0.0
                }
            }
            Reward::Drift { weight, radius, speed, angle } => {
                let (pose, velocity) = (self.frame.world_from_body, self.frame.velocity_in_body);
                let distance = (pose.x * pose.x + pose.y * pose.y).sqrt();
                let (sin, cos) = pose.yaw.sin_cos();
                let (vx, vy) = (cos * velocity.vx - sin * velocity.vy, sin * velocity.vx + cos * velocity.vy);
                let along = (pose.x * vy - pose.y * vx) / distance.max(1e-3);
                let slip = velocity.vy.atan2(velocity.vx.abs() + 1e-6).abs();
                let near = (1.0 - 2.0 * (distance / radius - 1.0).abs()).clamp(0.0, 1.0);
                weight * period * near * (along / speed).clamp(0.0, 1.0) * (slip / angle).clamp(0.0, 1.0)
            }
        }
    }

    fn has_ended(&self, end: &End) -> bool {
        let &[_, offset, heading, _, left, right, _] = self.place;
        match end {
            End::Collision => self.collided,
            End::Overturned => self.frame.is_overturned,
            End::OffPath(farthest) => offset > left.min(*farthest) || -offset > right.min(*farthest),
            End::Backwards => wrap_angle(self.frame.world_from_body.yaw - heading).abs() > 0.25 * TAU,
            End::AtGoal(radius) => self.episode.goal_distance < *radius,
        }
    }
}

impl Course {
    /// Count of the numbers that a driver sees.
    pub(crate) fn size(&self) -> usize {
        self.seen.iter().map(Seen::size).sum()
    }

    /// Where what shall get to the goal is.
    fn goal_position(&self, world: &World, vehicle: usize) -> [f64; 2] {
        let pose = match self.goal_block {
            Some(block) => world.frame().blocks[block],
            None => world.frame().vehicles[vehicle].world_from_body,
        };
        [pose.x, pose.y]
    }

    /// Distance of that from the goal of an episode [m].
    pub(crate) fn goal_distance(&self, world: &World, vehicle: usize, goal: [f64; 2]) -> f64 {
        let [x, y] = self.goal_position(world, vehicle);
        ((goal[0] - x).powi(2) + (goal[1] - y).powi(2)).sqrt()
    }

    /// What the driver of this number sees.
    pub(crate) fn see(
        &self,
        number: usize,
        world: &World,
        episodes: &[Episode],
        places: &[Place],
        line: Option<&Line>,
        out: &mut [f32],
    ) {
        let (vehicle, lidar) = self.drivers[number];
        let driver = Driver {
            world,
            frame: &world.frame().vehicles[vehicle],
            episode: &episodes[number],
            place: &places[vehicle],
            line,
            collided: false,
        };
        let mut remaining_out = out;
        for part in &self.seen {
            let (part_out, out_after) = remaining_out.split_at_mut(part.size());
            part.write(&driver, lidar, part_out);
            remaining_out = out_after;
        }
    }

    /// The reward of a driver for the last step, and whether its episode has ended.
    pub(crate) fn judge(
        &self,
        number: usize,
        world: &World,
        episodes: &[Episode],
        places: &[Place],
        collided: &[bool],
    ) -> (f64, bool) {
        let (vehicle, _) = self.drivers[number];
        let driver = Driver {
            world,
            frame: &world.frame().vehicles[vehicle],
            episode: &episodes[number],
            place: &places[vehicle],
            line: None,
            collided: collided[vehicle],
        };
        let reward = self.rewards.iter().map(|part| driver.reward(part, self.period)).sum();
        (reward, self.ends.iter().any(|end| driver.has_ended(end)))
    }
}

/// The field of the state with this name.
pub(crate) fn field(name: &str) -> Option<fn(&VehicleFrame) -> f64> {
    numbers::VEHICLE.iter().find(|number| number.channel.name == name).map(|number| number.value)
}
