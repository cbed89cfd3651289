//! Drivers of environments: the arguments of `Worlds.enlist`, and the arrays that hold what their parts give.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use skidpad::math::Twist2;
use skidpad::sensor::SensorKind;
use skidpad::vehicle::Action;
use skidpad::world::{Scene, World};

use crate::arrays::Place;
use crate::buffer::Buffer;
use crate::course::{Course, End, Episode, Reward, Seen, field};
use crate::errors::refused;
use crate::facts;
use crate::path::Line;

/// How two numbers from −1 to 1 become a command.
pub(crate) struct Scale {
    is_twist: bool,
    middle: [f64; 2],
    half: [f64; 2],
}

impl Scale {
    /// Speed and steering angle, or with `kind` "twist" speed and yaw rate, between `low` and `high`.
    pub(crate) fn new(kind: &str, low: [f64; 2], high: [f64; 2]) -> Scale {
        let of = |sign: f64| [0, 1].map(|k| 0.5 * (high[k] + sign * low[k]));
        Scale { is_twist: kind == "twist", middle: of(1.0), half: of(-1.0) }
    }

    /// The command for an action.
    pub(crate) fn command(&self, action: [f32; 2]) -> Action {
        let [first, second] = [0, 1].map(|k| self.middle[k] + self.half[k] * f64::from(action[k]));
        if self.is_twist {
            Action::Twist(Twist2::new(first, 0.0, second))
        } else {
            Action::Ackermann { speed: first, steering_angle: second }
        }
    }
}

/// The drivers of all worlds: `course.drivers.len()` in each.
pub(crate) struct Drivers {
    pub(crate) course: Arc<Course>,
    pub(crate) scale: Scale,
    observation: Buffer<f32>,
    reward: Buffer<f64>,
    ended: Buffer<bool>,
    action: Buffer<f32>,
    last_action: Buffer<f32>,
    goal: Buffer<f64>,
    goal_distance: Buffer<f64>,
    steps: Buffer<i64>,
}

/// What rewards and observations need to know of the vehicles of one world, by the index of the vehicle.
pub(crate) struct DriverFacts<'a> {
    /// Places on the line.
    pub(crate) places: &'a [Place],
    /// The line that the vehicles follow, if there is one.
    pub(crate) line: Option<&'a Line>,
    /// Whether each vehicle has touched something in the last call of `step`.
    pub(crate) collided: &'a [bool],
}

impl Drivers {
    /// Arrays for the drivers of `count` worlds.
    pub(crate) fn new(python: Python<'_>, course: Course, scale: Scale, count: usize) -> PyResult<Drivers> {
        let rows = count * course.drivers.len();
        Ok(Drivers {
            observation: Buffer::zeros(python, &[rows, course.size()])?,
            reward: Buffer::zeros(python, &[rows])?,
            ended: Buffer::zeros(python, &[rows])?,
            action: Buffer::zeros(python, &[rows, 2])?,
            last_action: Buffer::zeros(python, &[rows, 2])?,
            goal: Buffer::zeros(python, &[rows, 2])?,
            goal_distance: Buffer::zeros(python, &[rows])?,
            steps: Buffer::zeros(python, &[rows])?,
            course: Arc::new(course),
            scale,
        })
    }

    /// The views by name, and the count of numbers of each part of the observation.
    pub(crate) fn views<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let views = PyDict::new(python);
        views.set_item("observation", self.observation.view(python))?;
        views.set_item("reward", self.reward.view(python))?;
        views.set_item("ended", self.ended.view(python))?;
        views.set_item("action", self.action.view(python))?;
        views.set_item("last_action", self.last_action.view(python))?;
        views.set_item("goal", self.goal.view(python))?;
        views.set_item("goal_distance", self.goal_distance.view(python))?;
        views.set_item("steps", self.steps.view(python))?;
        let sizes: Vec<usize> = self.course.seen.iter().map(Seen::size).collect();
        views.set_item("sizes", sizes)?;
        Ok(views)
    }

    /// After a step of the environment: counts it, and writes rewards, ends and observations of the world with this index. Otherwise observations alone.
    ///
    /// # Safety
    /// No other thread writes the rows of this world.
    #[expect(unsafe_code, reason = "rows of different worlds are written by different threads")]
    pub(crate) unsafe fn write(
        &self,
        index: usize,
        world: &World,
        episodes: &mut [Episode],
        facts: DriverFacts<'_>,
        has_stepped: bool,
    ) {
        let DriverFacts { places, line, collided } = facts;
        let course = &*self.course;
        for number in 0..course.drivers.len() {
            let row = index * course.drivers.len() + number;
            let episode = &mut episodes[number];
            if has_stepped {
                episode.steps += 1;
                episode.goal_distance_before = episode.goal_distance;
            }
            episode.goal_distance = course.goal_distance(world, course.drivers[number].0, episode.goal);
            if !has_stepped {
                episode.goal_distance_before = episode.goal_distance;
            }
            let episode = episode.clone();
            // SAFETY: by the caller.
            unsafe {
                self.action.row(row, 2).copy_from_slice(&episode.action);
                self.last_action.row(row, 2).copy_from_slice(&episode.last_action);
                self.goal.row(row, 2).copy_from_slice(&episode.goal);
                self.goal_distance.row(row, 1)[0] = episode.goal_distance;
                self.steps.row(row, 1)[0] = episode.steps;
                let (reward, ended) =
                    if has_stepped { course.judge(number, world, episodes, places, collided) } else { (0.0, false) };
                self.reward.row(row, 1)[0] = reward;
                self.ended.row(row, 1)[0] = ended;
                course.see(number, world, episodes, places, line, self.observation.row(row, course.size()));
            }
        }
    }
}

/// Reads the parts from tuples: their name, then their numbers.
pub(crate) fn read_seen(scene: &Scene, parts: &[Bound<'_, PyTuple>], first_vehicle: usize) -> PyResult<Vec<Seen>> {
    parts.iter().map(|part| read_one(scene, part, first_vehicle)).collect()
}

fn read_one(scene: &Scene, part: &Bound<'_, PyTuple>, vehicle: usize) -> PyResult<Seen> {
    let name: String = part.get_item(0)?.extract()?;
    let number = |place: usize| part.get_item(place)?.extract::<f64>();
    Ok(match name.as_str() {
        "scan" => {
            let sensors = &scene.vehicles[vehicle].sensors;
            let lidar = sensors.iter().find_map(|sensor| sensor.kind.lidar());
            let Some(lidar) = lidar else {
                return Err(refused(format!(
                    "Scan: vehicle \"{}\" has no planar lidar\n  accepted: a world whose vehicle has one",
                    scene.vehicles[vehicle].name
                )));
            };
            let wanted: Option<usize> = part.get_item(2)?.extract()?;
            let wanted = wanted.unwrap_or(lidar.count);
            if !(1..=lidar.count).contains(&wanted) {
                return Err(refused(format!(
                    "Scan: found beams={wanted}\n  accepted: 1 to {}, those of the lidar",
                    lidar.count
                )));
            }
            let spread = |beam: usize| {
                if wanted == 1 {
                    lidar.count / 2
                } else {
                    (beam as f64 * (lidar.count - 1) as f64 / (wanted - 1) as f64).round_ties_even() as usize
                }
            };
            Seen::Scan { farthest: number(1)? as f32, beams: (0..wanted).map(spread).collect() }
        }
        "field" => {
            let name: String = part.get_item(1)?.extract()?;
            let value = field(&name).ok_or_else(|| {
                refused(format!("field \"{name}\": not found in the state\n  accepted: the fields in skidpad.STATE"))
            })?;
            Seen::Field { value, scale: number(2)? }
        }
        "side_slip" => Seen::SideSlip,
        "last_action" => Seen::LastAction,
        "path_error" => Seen::PathError { scale: number(1)? },
        "path_ahead" => Seen::PathAhead { points: part.get_item(1)?.extract()?, reach: number(2)? },
        "goal" => Seen::Goal { scale: number(1)? },
        "block" => Seen::Block { column: facts::block(scene, &part.get_item(1)?)?, scale: number(2)? },
        "others" => Seen::Others { size: part.get_item(1)?.extract()? },
        other => return Err(refused(format!("part \"{other}\": unknown observation"))),
    })
}

/// Reads the parts of a reward.
pub(crate) fn read_rewards(parts: &[Bound<'_, PyTuple>]) -> PyResult<Vec<Reward>> {
    let read = |part: &Bound<'_, PyTuple>| {
        let name: String = part.get_item(0)?.extract()?;
        let number = |place: usize| part.get_item(place)?.extract::<f64>();
        let weight = number(1)?;
        Ok(match name.as_str() {
            "progress" => Reward::Progress(weight),
            "collided" => Reward::Collided(weight),
            "constant" => Reward::Constant(weight),
            "path_offset" => Reward::PathOffset(weight),
            "smoothness" => Reward::Smoothness(weight),
            "goal_progress" => Reward::GoalProgress(weight),
            "reached" => Reward::Reached { weight, radius: number(2)? },
            "drift" => Reward::Drift { weight, radius: number(2)?, speed: number(3)?, angle: number(4)? },
            other => return Err(refused(format!("part \"{other}\": unknown reward"))),
        })
    };
    parts.iter().map(read).collect()
}

/// Reads the reasons for an end.
pub(crate) fn read_ends(parts: &[Bound<'_, PyTuple>]) -> PyResult<Vec<End>> {
    let read = |part: &Bound<'_, PyTuple>| {
        let name: String = part.get_item(0)?.extract()?;
        let number = |place: usize| part.get_item(place)?.extract::<f64>();
        Ok(match name.as_str() {
            "collision" => End::Collision,
            "overturned" => End::Overturned,
            "off_path" => End::OffPath(number(1)?),
            "backwards" => End::Backwards,
            "at_goal" => End::AtGoal(number(1)?),
            other => return Err(refused(format!("part \"{other}\": unknown end of an episode"))),
        })
    };
    parts.iter().map(read).collect()
}

/// For each vehicle, its planar lidar among the readings.
pub(crate) fn lidars(scene: &Scene, vehicles: &[usize]) -> Vec<(usize, Option<usize>)> {
    let before = |vehicle: usize| scene.vehicles[..vehicle].iter().map(|vehicle| vehicle.sensors.len()).sum::<usize>();
    let lidar = |vehicle: usize| {
        let sensors = &scene.vehicles[vehicle].sensors;
        let index = sensors.iter().position(|sensor| matches!(sensor.kind, SensorKind::Lidar2d(_)));
        index.map(|index| before(vehicle) + index)
    };
    vehicles.iter().map(|&vehicle| (vehicle, lidar(vehicle))).collect()
}
