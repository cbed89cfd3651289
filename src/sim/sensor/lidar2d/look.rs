//! Where the beams of a planar lidar point, and what they meet.

use std::ops::Range;

use nalgebra::Matrix3;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Rot2, Vec2, Vec3, wrap_angle};

use super::Lidar2d;
use super::sweep::{MeasuredBeams, stretches};
use crate::raycast::space::{Hit, Looker, PACKET, Ray, Space};
use crate::raycast::vectors::vectorized;
use crate::raycast::{ALL_HEIGHTS, Fan};
use crate::sensor::View;
use crate::sensor::camera::label_of;
use crate::sensor::lidar3d::reflected;
use crate::sensor::mounting::PlanarMounting;
use crate::sensor::turn::Way;

/// A beam's direction is never turned by more than this many standard deviations, so that beams keep their neighbours.
const MAX_DEVIATIONS: f64 = 6.0;

/// Beams in space that are cast before it looks again whether the look is cancelled.
const BATCH: usize = 1024;

impl Lidar2d {
    /// Draws the errors of the directions of a sweep.
    pub(super) fn begin_sweep(&mut self) {
        self.angle_noise.begin();
        if self.parameters.angle_std > 0.0 {
            self.angle_noise.white.fill(&mut self.deviations);
        }
        self.ranges.fill(f64::INFINITY);
    }

    /// Draws the errors of the sweep in progress, unless it has them.
    pub(super) fn fill_sweep(&mut self) {
        if !self.progress.is_filled {
            self.begin_sweep();
            self.progress.is_filled = true;
        }
    }

    /// Casts the beams of the sweep in progress that are due at the time of a look, on this way to it.
    pub(super) fn cast_due(&mut self, way: &Way, view: &View<'_>) {
        let (Some(motion), Some(start)) = (self.geometry.motion, self.progress.start) else { return };
        let left = (start + self.info.period - view.time).secs() / motion.beam_time;
        let due = self.geometry.count.saturating_sub(libm::ceil(left.max(0.0)) as usize);
        self.cast_until(due.max(self.progress.cast), way, view);
    }

    /// Points these beams, each with its own error. The sensor turns by `turn` [rad] from each to the next one, and has this heading in their
    /// middle.
    fn point_beams(&mut self, beams: Range<usize>, rotation: Rot2, turn: f64) {
        let std = self.parameters.angle_std;
        let (nominal, directions) = (&self.nominal[beams.clone()], &mut self.directions[beams.clone()]);
        if std == 0.0 && turn == 0.0 {
            for (direction, &nominal) in directions.iter_mut().zip(nominal) {
                *direction = rotation * nominal;
            }
            return;
        }
        if turn == 0.0 {
            turn_all(nominal, rotation, std, &self.deviations[beams], directions);
            return;
        }
        turn_on(nominal, rotation, [std, turn], &self.deviations[beams], directions);
    }

    /// The places in the list of the beams with these indices in the order of their times.
    fn places(&self, measured: Range<usize>) -> Range<usize> {
        let count = self.geometry.count;
        if self.runs_back() { count - measured.end..count - measured.start } else { measured }
    }

    /// Whether the beams of the list are measured from the last one on. That of a lidar upside down is in the order seen from above.
    fn runs_back(&self) -> bool {
        let is_clockwise = self.geometry.motion.is_some_and(|motion| motion.is_clockwise);
        is_clockwise != self.plane.is_some_and(|plane| plane.is_upside_down)
    }

    /// Casts the beams of a rotating lidar up to the index `end`, in the order of their times. The vehicle goes this way meanwhile.
    pub(super) fn cast_until(&mut self, end: usize, way: &Way, view: &View<'_>) {
        let Some(motion) = self.geometry.motion else { return };
        let places = self.places(self.progress.cast..end);
        self.progress.cast = end;
        if places.is_empty() {
            return;
        }
        let start = self.progress.start.unwrap_or(view.time);
        let sweep_start = start + self.info.period - SimTime::from_secs(motion.duration(self.geometry.count));
        let measured = if self.runs_back() {
            MeasuredBeams { first: start + self.info.period, step: -motion.beam_time }
        } else {
            MeasuredBeams { first: sweep_start, step: motion.beam_time }
        };
        match (self.plane, view.space) {
            (Some(plane), _) => {
                let pose_at = |place: usize| way.at(measured.time(place));
                let on_ground = |place: usize| pose_at(place).planar() * plane.body_from_sensor;
                let [from, to] = [places.start, places.end - 1].map(on_ground);
                let moved = ((to.position() - from.position()).norm(), wrap_angle(to.yaw - from.yaw).abs());
                for beams in stretches(places, moved) {
                    let [first, last] = [beams.start, beams.end - 1].map(pose_at);
                    let half = SimTime((measured.time(beams.end - 1) - measured.time(beams.start)).0 / 2);
                    let middle = way.at(measured.time(beams.start) + half);
                    let turn = wrap_angle(last.yaw - first.yaw) / (beams.len().max(2) - 1) as f64;
                    self.look_in_plane(beams, (plane, middle, turn), view);
                }
            }
            (None, Some(space)) => {
                let body_from_sensor = self.parameters.body_from_sensor;
                let eye_at = |place: usize| {
                    let world_from_sensor = way.at(measured.time(place)) * body_from_sensor;
                    (world_from_sensor.position(), world_from_sensor.rotation())
                };
                self.look_around(places, eye_at, view, space);
            }
            (None, None) => {}
        }
    }

    /// Casts these beams in the plane, against maps and outlines. The vehicle turns by `turn` [rad] from each to the next one, and has this pose in
    /// their middle.
    pub(super) fn look_in_plane(
        &mut self,
        beams: Range<usize>,
        (plane, world_from_body, turn): (PlanarMounting, Pose3, f64),
        view: &View<'_>,
    ) {
        let world_from_sensor = world_from_body.planar() * plane.body_from_sensor;
        self.point_beams(beams.clone(), world_from_sensor.rotation(), turn);
        let last = self.geometry.angle(self.geometry.count - 1);
        let rightmost = if plane.is_upside_down { -last } else { self.geometry.angle_min };
        let range_max = self.parameters.range_max;
        let origin = world_from_sensor.position();
        let (directions, ranges) = (&self.directions[beams.clone()], &mut self.ranges[beams.clone()]);
        for grid in view.grids {
            grid.cast_fan(origin, directions, range_max, ranges);
        }
        if self.parameters.bodies_visible {
            let angle_increment = self.geometry.angle_increment;
            let fan = Fan {
                meets_glass: false,
                origin,
                directions,
                angle_min: world_from_sensor.yaw + rightmost + beams.start as f64 * angle_increment,
                angle_increment,
                tolerance: MAX_DEVIATIONS * self.parameters.angle_std + 0.5 * turn.abs() * beams.len() as f64,
                max_range: range_max,
                heights: if view.heights == ALL_HEIGHTS || self.parameters.body_from_sensor.z <= 0.0 {
                    view.heights
                } else {
                    [world_from_body.z + self.parameters.body_from_sensor.z; 2]
                },
            };
            view.obstacles.cast_fan(&fan, Some(view.vehicle), ranges, &mut self.scratch);
        }
    }

    /// Casts these beams in three dimensions, each from where the sensor is and looks at the time of the beam, in the world.
    pub(super) fn look_around(
        &mut self,
        beams: Range<usize>,
        eye_at: impl Fn(usize) -> (Vec3, Matrix3<f64>) + Sync,
        view: &View<'_>,
        space: &Space,
    ) {
        self.point_beams(beams.clone(), Rot2::new(0.0), 0.0);
        let hidden = self.parameters.ignores_parent.then_some(view.vehicle);
        let (directions, far) = (&self.directions, self.parameters.range_max);
        let ray = |beam: usize| {
            let (origin, rotation) = eye_at(beam);
            let direction = rotation * Vec3::new(directions[beam].x, directions[beam].y, 0.0);
            Ray { origin, direction, near: Ray::START, far, hidden, looker: Looker::Lidar }
        };
        let (start, count) = (beams.start, beams.len());
        self.batch.find(space, count, hidden, |part, each| part.for_each(|beam| each(ray(start + beam))));
        for (packet, ranges) in self.ranges[beams.clone()].chunks_mut(PACKET).enumerate() {
            let first = PACKET * packet;
            if first.is_multiple_of(BATCH) && view.is_cancelled() {
                return;
            }
            let rays: [Ray; PACKET] = std::array::from_fn(|lane| ray(start + (first + lane).min(count - 1)));
            let hits = self.batch.cast_packet(space, |lane| first + lane, &rays[..ranges.len()]);
            for (lane, range) in ranges.iter_mut().enumerate() {
                let hit = space.pass_glass(&rays[lane], hits[lane]);
                *range = hit.map_or(f64::INFINITY, |hit| hit.range);
                let place = start + first + lane;
                if let Some(label) = self.labels.get_mut(place) {
                    *label = label_of(space, hit);
                }
                if let (Some(of_beam), Some(white)) = (self.intensities.get_mut(place), self.geometry.white) {
                    let sent_back = |hit: Hit| {
                        let (reflectivity, incidence) = reflected(space.surface(&hit), &rays[lane], &hit);
                        white * reflectivity * incidence
                    };
                    *of_beam = hit.map_or(0.0, sent_back) as f32;
                }
            }
        }
    }
}

vectorized! {
    /// Writes the unit vectors `nominal`, turned by `rotation` and then by `std` [rad] times each one's deviation, to `directions`.
    fn turn_all(nominal: &[Vec2], rotation: Rot2, std: f64, deviations: &[f64], directions: &mut [Vec2]) {
        for ((direction, &nominal), &deviation) in directions.iter_mut().zip(nominal).zip(deviations) {
            // Turned by atan(t) = t − t³/3 …: the deviation itself to first order, and a unit vector exactly.
            let t = std * deviation.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
            let straight = rotation * nominal;
            *direction = (1.0 / (1.0 + t * t).sqrt()) * (straight + t * straight.perpendicular());
        }
    }
}

vectorized! {
    /// Writes the unit vectors `nominal` of a sensor that turns to `directions`. `spread` has the standard deviation [rad], and by how much the sensor turns from
    /// each direction to the next one [rad]. In the middle it has this `rotation`.
    fn turn_on(nominal: &[Vec2], rotation: Rot2, spread: [f64; 2], deviations: &[f64], directions: &mut [Vec2]) {
        let [std, turn] = spread;
        let middle = 0.5 * nominal.len().saturating_sub(1) as f64;
        for (index, ((direction, &nominal), &deviation)) in directions.iter_mut().zip(nominal).zip(deviations).enumerate() {
            let turned = turn * (index as f64 - middle);
            let t = std * deviation.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS) + turned * (1.0 + turned * turned * (1.0 / 3.0));
            let straight = rotation * nominal;
            *direction = (1.0 / (1.0 + t * t).sqrt()) * (straight + t * straight.perpendicular());
        }
    }
}
