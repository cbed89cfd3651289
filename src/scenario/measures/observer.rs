//! Watches vehicles while a world is stepped: sums up their metrics, and keeps their ways for pictures in bounded memory.

use std::collections::BTreeSet;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Vec2, wrap_angle};
use skidpad_sim::world::{EntityId, Frame, Scene, VehicleFrame};

use super::bodies::Bodies;
use super::motion::Motion;
use super::nearby_object::{NearbyObject, Nearest, Search};
use super::table::METRICS;
use super::totals::{STILL, Totals};
use super::trace::{Sample, Trace, Tracer};
use crate::result::Measure;

/// Bodies this close touch [m]: the solver of contacts leaves gaps below.
const TOUCH: f64 = 0.002;
/// Most vehicles that are watched; what is around each is searched in each step.
pub const MAX_WATCHED: usize = 64;

/// Watches vehicles. It looks at each frame and changes nothing: a world without it has the same bits.
#[derive(Debug)]
pub struct Observer {
    bodies: Bodies,
    watched: Vec<Watched>,
    search: Search,
    last: Option<SimTime>,
    trace: Tracer,
}

/// What is known of a watched vehicle after a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// Speed of its reference point [m/s].
    pub speed: f64,
    /// Yaw rate [rad/s].
    pub yaw_rate: f64,
    /// Change of velocity over the last [`WINDOW`](super::WINDOW) [m/s²]; none until one has passed since it was placed.
    pub acceleration: Option<f64>,
    /// Change of that from the window before [m/s³]; none until two have passed.
    pub jerk: Option<f64>,
    /// Its clearance: the nearest thing that it can touch, or person. For a person, the distance from the cylinder that stands for it.
    pub nearest: Nearest,
    /// The person whose middle is nearest to its outline.
    pub person: Nearest,
    /// All that it began to touch in this frame.
    pub begun: Vec<NearbyObject>,
    /// Whether it lies on its side or roof since this frame.
    pub has_overturned: bool,
}

#[derive(Debug)]
struct Watched {
    name: String,
    id: Option<EntityId>,
    motion: Motion,
    totals: Totals,
    now: Now,
    touches: BTreeSet<NearbyObject>,
    before: Option<Before>,
}

/// The frame before.
#[derive(Clone, Copy, Debug)]
struct Before {
    pose: Pose2,
    since_set_down: SimTime,
    is_overturned: bool,
}

impl Watched {
    fn new(name: String, scene: &Scene) -> Watched {
        Watched {
            name,
            id: None,
            motion: Motion::new(scene.step.secs()),
            totals: Totals::default(),
            now: Now::default(),
            touches: BTreeSet::new(),
            before: None,
        }
    }

    /// Its index in the scene, if it is there.
    fn index(&mut self, scene: &Scene) -> Option<usize> {
        let known = self.id.and_then(|id| scene.vehicle_of(id));
        let index = known.or_else(|| scene.vehicle_index(&self.name));
        if index.is_none() || known.is_none() {
            // It came, went, or came back as another one: that is a jump.
            self.before = None;
            self.id = index.map(|index| scene.vehicles[index].id);
        }
        index
    }

    /// Takes the next frame, `dt` [s] after the one before.
    fn advance(&mut self, frame: &VehicleFrame, time: f64, dt: f64, search: &Search, person: Nearest) {
        let pose = frame.world_from_body.planar();
        let before = self.before.replace(Before {
            pose,
            since_set_down: frame.since_set_down,
            is_overturned: frame.is_overturned,
        });
        // One that is set down starts to count anew.
        let goes_on =
            before.filter(|before| frame.since_set_down >= before.since_set_down && frame.since_set_down.0 > 0);
        let (linear, yaw_rate) = (frame.velocity_in_body.linear(), frame.velocity_in_body.wz);
        let speed = linear.norm();
        if goes_on.is_none() {
            self.motion.restart();
        }
        let (acceleration, jerk) = self.motion.push(pose.rotation() * linear);
        let totals = &mut self.totals;
        let dt = if before.is_some() { dt } else { 0.0 };
        let (step_length, turn) = goes_on.map_or((0.0, 0.0), |before| {
            ((pose.position() - before.pose.position()).norm(), wrap_angle(pose.yaw - before.pose.yaw).abs())
        });
        totals.duration += dt;
        totals.path_length += step_length;
        totals.turned += turn;
        totals.legs.advance(pose.position(), step_length);
        if speed < STILL[0] && yaw_rate.abs() < STILL[1] {
            totals.still += dt;
        }
        totals.speed = totals.speed.max(speed);
        totals.yaw_rate = totals.yaw_rate.max(yaw_rate.abs());
        totals.acceleration = [totals.acceleration, acceleration].into_iter().flatten().reduce(f64::max);
        jerk.into_iter().for_each(|jerk| totals.note_jerk(jerk));
        totals.people.note(person.distance, dt, speed);
        if search.nearest.distance < totals.clearance.distance {
            (totals.clearance, totals.clearance_time) = (search.nearest, time);
        }
        // What was touched goes on to be so until it is apart.
        self.touches.retain(|nearby_object| search.touched.iter().any(|(touched, _)| touched == nearby_object));
        self.now.begun.clear();
        for &(nearby_object, distance) in &search.touched {
            if distance <= TOUCH && self.touches.insert(nearby_object) {
                self.now.begun.push(nearby_object);
            }
        }
        totals.collisions += self.now.begun.len() as u64;
        if !self.now.begun.is_empty() {
            totals.first_collision.get_or_insert(time);
        }
        let has_overturned = frame.is_overturned && !before.is_some_and(|before| before.is_overturned);
        totals.overturns += u64::from(has_overturned);
        self.now = Now {
            speed,
            yaw_rate,
            acceleration,
            jerk,
            nearest: search.nearest,
            person,
            begun: std::mem::take(&mut self.now.begun),
            has_overturned,
        };
    }
}

impl Observer {
    /// Watches the vehicles of these names, also those that come later, at most [`MAX_WATCHED`]; without a name, all that the
    /// scene has now.
    pub fn new(scene: &Scene, names: &[String]) -> Observer {
        let all = || scene.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect();
        let names: Vec<String> = if names.is_empty() { all() } else { names.to_vec() };
        let watched: Vec<Watched> = names.into_iter().take(MAX_WATCHED).map(|name| Watched::new(name, scene)).collect();
        let trace = Tracer::new(watched.iter().map(|watched| watched.name.clone()).collect());
        Observer { bodies: Bodies::default(), watched, search: Search::default(), last: None, trace }
    }

    /// A vehicle is to go to `goal` [m] in the world, from the next frame on. `shortest` is the length of the shortest way there [m]; none: a straight line.
    pub(crate) fn set_goal(&mut self, vehicle: &str, goal: Vec2, shortest: Option<f64>) {
        let time = self.last.map_or(0.0, SimTime::secs);
        if let Some(watched) = self.watched.iter_mut().find(|watched| watched.name == vehicle) {
            watched.totals.legs.begin(time, goal, shortest);
            self.trace.goal(vehicle, goal);
        }
    }

    /// A vehicle has reached its goal, at the last frame: what that means is the caller's to decide.
    pub fn reached(&mut self, vehicle: &str) {
        let time = self.last.map_or(0.0, SimTime::secs);
        if let Some(watched) = self.watched.iter_mut().find(|watched| watched.name == vehicle) {
            watched.totals.legs.reach(time);
        }
    }

    /// Looks at the next frame. Where time goes back all starts over, but for the goals.
    pub fn observe(&mut self, scene: &Scene, frame: &Frame) {
        let dt = match self.last.replace(frame.time) {
            Some(last) if frame.time > last => (frame.time - last).secs(),
            Some(last) if frame.time == last => return,
            Some(_) => {
                self.start_over(scene);
                0.0
            }
            None => 0.0,
        };
        let time = frame.time.secs();
        self.bodies.follow(scene, frame);
        for (number, watched) in self.watched.iter_mut().enumerate() {
            let Some(index) = watched.index(scene) else {
                watched.now = Now::default();
                continue;
            };
            let Some(vehicle) = frame.vehicles.get(index) else { continue };
            self.bodies.look(scene, frame, index, &mut self.search);
            let person = self.bodies.nearest_person(frame, index);
            watched.advance(vehicle, time, dt, &self.search, person);
            let sample = Sample {
                time,
                pose: [vehicle.world_from_body.x, vehicle.world_from_body.y, vehicle.world_from_body.yaw],
                speed: watched.now.speed,
                clearance: Some(watched.now.nearest.distance).filter(|distance| distance.is_finite()),
            };
            self.trace.add(number, sample);
            if watched.totals.collisions == watched.now.begun.len() as u64
                && let Some(nearby_object) = watched.now.begun.first()
            {
                let incident = format!("touches {}", nearby_object.described(scene));
                self.trace.mark(scene, frame, &self.bodies, Some(&watched.name), &incident);
            }
        }
    }

    fn start_over(&mut self, scene: &Scene) {
        let names: Vec<String> = self.watched.iter().map(|watched| watched.name.clone()).collect();
        self.watched = names.into_iter().map(|name| Watched::new(name, scene)).collect();
        self.trace.start_over();
        for (vehicle, goal) in self.trace.goals() {
            if let Some(watched) = self.watched.iter_mut().find(|watched| watched.name == vehicle) {
                watched.totals.legs.begin(0.0, goal, None);
            }
        }
    }

    /// What is known of a vehicle since the last frame; none if it is not watched.
    pub fn now(&self, vehicle: &str) -> Option<&Now> {
        self.watched.iter().find(|watched| watched.name == vehicle).map(|watched| &watched.now)
    }

    /// Keeps this moment for pictures: something failed that is told in a few words, such as `clearance below 0.1 m`. A few are kept.
    pub fn mark(&mut self, scene: &Scene, frame: &Frame, vehicle: Option<&str>, incident: &str) {
        self.bodies.follow(scene, frame);
        self.trace.mark(scene, frame, &self.bodies, vehicle, incident);
    }

    /// The measures of all watched vehicles, each in the order of [`METRICS`], and what pictures need, with the last frame in it.
    pub fn finish(mut self, scene: &Scene, frame: &Frame) -> (Vec<Measure>, Trace) {
        self.bodies.follow(scene, frame);
        let of = |watched: &Watched| {
            let name = watched.name.clone();
            let measure = |metric: &super::Metric| Measure {
                key: metric.key,
                vehicle: Some(name.clone()),
                value: (metric.get)(&watched.totals),
            };
            METRICS.iter().map(measure).collect::<Vec<_>>()
        };
        let measures = self.watched.iter().flat_map(of).collect();
        (measures, self.trace.finish(scene, frame, &self.bodies))
    }
}
