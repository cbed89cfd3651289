//! The motion of a camera, and of what it sees, while the rows of a picture are taken one after the other.
//!
//! The camera is where it is at the time of each row. What moves is placed anew for bands of rows, at the time of the middle of each: for so many
//! bands that nothing moves on by more than half a pixel of the middle of the picture between two of them, and for each row at most.

use nalgebra::Matrix3;
use rayon::prelude::*;
use skidpad_math::{Pose3, Vec3, turned_by};

use super::eye::{Eye, PictureRequest};
use super::lens::Distortion;
use crate::raycast::space::batch::Batch;
use crate::raycast::space::{Looker, Motion, Moving, Space};
use crate::sensor::View;

/// The pose of a camera in the world, and the vehicle that it does not see.
#[derive(Clone, Copy, Debug)]
pub(in crate::sensor) struct Place {
    pub(super) rotation: Matrix3<f64>,
    pub(super) position: Vec3,
    pub(super) hidden: Option<usize>,
}

impl Place {
    /// A camera at this pose in the world [m, rad].
    pub(in crate::sensor) fn new(world_from_camera: Pose3, hidden: Option<usize>) -> Place {
        Place { rotation: world_from_camera.rotation(), position: world_from_camera.position(), hidden }
    }
}

/// The way of a camera while the rows of a picture are taken one after the other.
///
/// The middle of the picture is taken at the time of the sample; the camera and all else keep their velocities meanwhile.
#[derive(Clone, Copy, Debug)]
pub(in crate::sensor) struct CameraMotion {
    /// Where it is in the middle.
    middle: Place,
    /// Of the camera in the world [m/s].
    velocity: Vec3,
    /// Angular velocity in the world [rad/s].
    turn_rate: Vec3,
    /// Time from the first row to the last one [s].
    readout: f64,
}

impl CameraMotion {
    /// That of a camera at this pose on the vehicle of `view` [m, rad], whose rows take `readout` [s] in all.
    pub(in crate::sensor) fn new(
        view: &View<'_>,
        body_from_camera: Pose3,
        readout: f64,
        hidden: Option<usize>,
    ) -> CameraMotion {
        let middle = Place::new(view.world_from_body * body_from_camera, hidden);
        let Motion { velocity, turn_rate } = view.motion_of_part(body_from_camera.position());
        CameraMotion { middle, velocity, turn_rate, readout }
    }

    /// Where it is when it takes a row of so many.
    pub(super) fn at_row(&self, row: usize, rows: usize) -> Place {
        if self.readout == 0.0 || rows < 2 {
            return self.middle;
        }
        let time = self.time_of(row as f64, rows);
        Place {
            rotation: turned_by(self.turn_rate * time) * self.middle.rotation,
            position: self.middle.position + self.velocity * time,
            hidden: self.middle.hidden,
        }
    }

    /// When a row of so many is taken [s], from the middle of the picture on.
    fn time_of(&self, row: f64, rows: usize) -> f64 {
        self.readout * (row / (rows - 1) as f64 - 0.5)
    }

    /// For how many bands of its rows what an eye sees has to be placed; one: all of it stands still, or nearly.
    pub(super) fn bands(&self, eye: &Eye, space: &Space) -> usize {
        /// Motion in the picture that is not seen [pixels].
        const UNSEEN: f64 = 0.5;
        let rows = eye.lens.rows;
        if self.readout == 0.0 || rows < 2 {
            return 1;
        }
        let most = space.moving().map(|moving| self.readout * self.speed_in_picture(eye, &moving)).fold(0.0, f64::max);
        if most > UNSEEN { ((most / UNSEEN).ceil() as usize).clamp(2, rows) } else { 1 }
    }

    /// The highest speed in the picture [pixels/s] that something can have by its own motion.
    fn speed_in_picture(&self, eye: &Eye, moving: &Moving<'_>) -> f64 {
        /// What is nearer [m] counts as if it was here.
        const NEAREST: f64 = 0.05;
        let Place { rotation, position, hidden } = self.middle;
        let instance = moving.instance;
        let is_hidden = hidden.is_some() && instance.vehicle() == hidden;
        let [low, high] = moving.bounds;
        let (middle, half) = (0.5 * (low + high) - position, 0.5 * (high - low));
        let axis: Vec3 = rotation.column(2).into();
        let is_behind = middle.dot(&axis) + half.dot(&axis.abs()) < 0.0;
        let can_be_behind = matches!(eye.lens.distortion, Distortion::Equidistant(_));
        if is_hidden || !instance.seen_by().includes(Looker::Camera) || is_behind && !can_be_behind {
            return 0.0;
        }
        let distance = (middle.abs() - half).sup(&Vec3::zeros()).norm();
        let focal = eye.lens.focal[0].max(eye.lens.focal[1]);
        moving.speed * focal / distance.max(NEAREST)
    }
}

/// What a camera needs to take pictures, in memory that is reused.
#[derive(Clone, Debug, Default)]
pub(in crate::sensor) struct Scratch {
    pub(in crate::sensor) batch: Batch,
    /// Copies of the space, in which what moves is placed.
    space_copies: Vec<Space>,
}

/// The rows of a picture.
pub(super) struct Rows<'a, T> {
    /// The numbers of the picture, row by row.
    pub numbers: &'a mut [T],
    /// How many numbers a row has.
    pub per_row: usize,
}

impl Scratch {
    /// Calls `each` with every one of the `rows` of a picture that is taken in so many bands. It gets the space at the time of the band,
    /// the index of the row, and the row's parts of two pictures. Rows are taken in parallel.
    pub(super) fn in_bands<A: Send, B: Send>(
        &mut self,
        request: &PictureRequest<'_>,
        rows: usize,
        bands: usize,
        first: Rows<'_, A>,
        second: Rows<'_, B>,
        each: impl Fn(&Space, usize, &mut [A], &mut [B]) + Sync,
    ) {
        let PictureRequest { view, space, motion, .. } = *request;
        let Rows { numbers: first, per_row: of_first } = first;
        let Rows { numbers: second, per_row: of_second } = second;
        // Several for each thread, which take differently long.
        let groups = bands.min(2 * rayon::current_num_threads());
        let of_group = rows.div_ceil(groups);
        if self.space_copies.len() < groups {
            self.space_copies.resize_with(groups, Space::default);
        }
        let pictures = first.par_chunks_mut(of_first * of_group).zip(second.par_chunks_mut(of_second * of_group));
        pictures.zip(self.space_copies.par_iter_mut()).enumerate().for_each(
            |(group, ((first, second), space_copy))| {
                space_copy.copy_from(space);
                let mut placed = None;
                for (index, (first, second)) in first.chunks_mut(of_first).zip(second.chunks_mut(of_second)).enumerate()
                {
                    if view.is_cancelled() {
                        break;
                    }
                    let row = group * of_group + index;
                    let band = row * bands / rows;
                    if placed != Some(band) {
                        let [start, end] = [band, band + 1].map(|band| (band * rows).div_ceil(bands));
                        space_copy.place_at(space, motion.time_of(0.5 * (start + end - 1) as f64, rows));
                        placed = Some(band);
                    }
                    each(space_copy, row, first, second);
                }
                // A figure whose model nobody else has is changed in place.
                space_copy.let_go();
            },
        );
    }
}
