//! The ways of vehicles over a run, thinned to a bounded number of samples, and what stood around them at a few moments.

use serde::{Deserialize, Serialize};
use skidpad_math::Vec2;
use skidpad_sim::world::{Frame, Scene};

use super::bodies::Bodies;
use super::lines::{self, Line};

/// Most samples of a vehicle: when there are as many, each second one is left out.
const MAX_SAMPLES: usize = 2048;
/// Most moments that are kept, besides the last.
const MAX_MOMENTS: usize = 6;
/// Most outlines of blocks in a moment.
const MAX_BLOCKS: usize = 1000;

/// What pictures of a run are drawn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Walls and the borders of occupied cells around the ways [m], each a line of corners.
    pub scenery: Vec<Line>,
    /// The vehicles.
    pub vehicles: Vec<DrivenPath>,
    /// What stood where when something failed; the last one is the end of the run.
    pub moments: Vec<Moment>,
}

/// The way of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DrivenPath {
    /// Name of the vehicle.
    pub vehicle: String,
    /// Samples in the order of time.
    pub samples: Vec<Sample>,
    /// Its goals [m], in their order.
    pub goals: Vec<[f64; 2]>,
}

/// A vehicle at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Simulated time [s].
    pub time: f64,
    /// x, y [m] and yaw [rad] in the world.
    pub pose: [f64; 3],
    /// Speed [m/s].
    pub speed: f64,
    /// Least clearance since the sample before [m]; none: nothing is around.
    pub clearance: Option<f64>,
}

/// A moment of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Simulated time [s].
    pub time: f64,
    /// What happened; empty at the end of the run.
    #[serde(rename = "what")]
    pub incident: String,
    /// The vehicle that it happened to.
    pub vehicle: Option<String>,
    /// Outlines of the watched vehicles [m], closed, in their order; of one that is not there, none.
    pub vehicles: Vec<Vec<Line>>,
    /// Outlines of blocks [m], closed.
    pub blocks: Vec<Line>,
    /// Outlines of people [m], closed.
    pub people: Vec<Line>,
}

/// Collects a [`Trace`].
#[derive(Debug)]
pub(super) struct Tracer {
    paths: Vec<Thinned>,
    moments: Vec<Moment>,
}

/// Samples of which each `every`-th is kept.
#[derive(Debug)]
struct Thinned {
    path: DrivenPath,
    every: usize,
    /// Samples since the last that was kept.
    left: usize,
    /// Least clearance of them [m].
    clearance: Option<f64>,
    /// The last one, kept or not.
    last: Option<Sample>,
}

impl Thinned {
    fn new(vehicle: String) -> Thinned {
        let path = DrivenPath { vehicle, ..DrivenPath::default() };
        Thinned { path, every: 1, left: 0, clearance: None, last: None }
    }

    fn add(&mut self, sample: Sample) {
        self.last = Some(sample);
        self.clearance = least(self.clearance, sample.clearance);
        self.left += 1;
        if self.left < self.every {
            return;
        }
        self.left = 0;
        let samples = &mut self.path.samples;
        samples.push(Sample { clearance: self.clearance.take(), ..sample });
        if samples.len() >= MAX_SAMPLES {
            let pairs = samples.chunks(2).map(|pair| match pair {
                [a, b] => Sample { clearance: least(a.clearance, b.clearance), ..*b },
                last => last[0],
            });
            *samples = pairs.collect();
            self.every *= 2;
        }
    }

    fn finish(mut self) -> DrivenPath {
        if let Some(last) = self.last.filter(|_| self.left > 0) {
            self.path.samples.push(Sample { clearance: least(self.clearance, last.clearance), ..last });
        }
        self.path
    }
}

/// The smaller of two numbers, if there are any.
fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(f64::min)
}

impl Tracer {
    pub(super) fn new(vehicles: Vec<String>) -> Tracer {
        Tracer { paths: vehicles.into_iter().map(Thinned::new).collect(), moments: Vec::new() }
    }

    /// Adds a sample of the vehicle of this index.
    pub(super) fn add(&mut self, vehicle: usize, sample: Sample) {
        if let Some(thinned) = self.paths.get_mut(vehicle) {
            thinned.add(sample);
        }
    }

    /// A goal [m] of a vehicle.
    pub(super) fn goal(&mut self, vehicle: &str, goal: Vec2) {
        if let Some(thinned) = self.paths.iter_mut().find(|thinned| thinned.path.vehicle == vehicle) {
            thinned.path.goals.push([goal.x, goal.y]);
        }
    }

    /// The last goal of each vehicle that has one [m].
    pub(super) fn goals(&self) -> Vec<(String, Vec2)> {
        let last = |thinned: &Thinned| {
            let &[x, y] = thinned.path.goals.last()?;
            Some((thinned.path.vehicle.clone(), Vec2::new(x, y)))
        };
        self.paths.iter().filter_map(last).collect()
    }

    /// Forgets all but the goals.
    pub(super) fn start_over(&mut self) {
        self.moments.clear();
        for thinned in &mut self.paths {
            let DrivenPath { vehicle, goals, .. } = std::mem::take(&mut thinned.path);
            *thinned = Thinned::new(vehicle);
            thinned.path.goals = goals;
        }
    }

    pub(super) fn mark(
        &mut self,
        scene: &Scene,
        frame: &Frame,
        bodies: &Bodies,
        vehicle: Option<&str>,
        incident: &str,
    ) {
        if self.moments.len() < MAX_MOMENTS {
            let moment = self.moment(scene, frame, bodies);
            self.moments.push(Moment { incident: incident.into(), vehicle: vehicle.map(str::to_owned), ..moment });
        }
    }

    fn moment(&self, scene: &Scene, frame: &Frame, bodies: &Bodies) -> Moment {
        let of = |thinned: &Thinned| {
            let index = scene.vehicle_index(&thinned.path.vehicle);
            index.map_or_else(Vec::new, |index| bodies.outlines(index).map(lines::closed).collect())
        };
        let person =
            |(info, actor): (&skidpad_sim::world::actor::ActorInfo, &skidpad_sim::world::actor::ActorFrame)| {
                let at = actor.world_from_actor;
                lines::circle(Vec2::new(at.x, at.y), info.collision_radius)
            };
        Moment {
            time: frame.time.secs(),
            incident: String::new(),
            vehicle: None,
            vehicles: self.paths.iter().map(of).collect(),
            blocks: bodies.block_outlines().take(MAX_BLOCKS).map(lines::closed).collect(),
            people: scene.actors.iter().zip(&frame.actors).map(person).collect(),
        }
    }

    pub(super) fn finish(mut self, scene: &Scene, frame: &Frame, bodies: &Bodies) -> Trace {
        let last = self.moment(scene, frame, bodies);
        self.moments.push(last);
        let vehicles: Vec<DrivenPath> = self.paths.into_iter().map(Thinned::finish).collect();
        let places = vehicles.iter().flat_map(|driven_path| {
            let driven = driven_path.samples.iter().map(|sample| Vec2::new(sample.pose[0], sample.pose[1]));
            driven.chain(driven_path.goals.iter().map(|&[x, y]| Vec2::new(x, y)))
        });
        let scenery = lines::scenery(scene, places);
        Trace { scenery, vehicles, moments: self.moments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long the run, memory is bounded, the ends are kept, and no least clearance is lost.
    #[test]
    fn long_runs_are_thinned() {
        for count in [1, 10, 2047, 2048, 5000, 100_001] {
            let mut thinned = Thinned::new("r1".into());
            for step in 1..=count {
                let clearance = if step == count / 2 { 0.01 } else { 1.0 };
                thinned.add(Sample { time: f64::from(step), clearance: Some(clearance), ..Sample::default() });
            }
            let samples = thinned.finish().samples;
            assert!(samples.len() <= MAX_SAMPLES && samples.len() >= count.min(1000) as usize, "{}", samples.len());
            assert!(samples.windows(2).all(|pair| pair[0].time < pair[1].time));
            assert_eq!(samples.last().unwrap().time, f64::from(count));
            let least = samples.iter().filter_map(|sample| sample.clearance).fold(1.0, f64::min);
            assert_eq!(least, if count > 1 { 0.01 } else { 1.0 });
        }
    }
}
