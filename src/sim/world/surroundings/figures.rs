//! Actors whose mesh moves in itself: their triangles are where the clip of their gait has them, as on the page.

use std::sync::Arc;

use rayon::prelude::*;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::mesh::rig::Posed;

use super::Surroundings;
use super::models::Moving;
use crate::raycast::space::{Model, Space};
use crate::world::Frame;
use crate::world::actor::{ActorInfo, Gait};

/// Fewest figures that are worth several threads.
const SEVERAL: usize = 4;

/// An instance whose triangles move within it.
pub(super) struct Figure {
    /// Its index in the space.
    instance: usize,
    /// Index of the actor in the [`Scene`](crate::world::Scene).
    actor: usize,
    moving: Arc<Moving>,
    /// The model of its file, which others may share and which is kept as long as something shows it.
    _model: Arc<Model>,
    /// Indices of the clips for each gait, in the order of [`Gait`]; none in a file without clips.
    clips: [Option<usize>; 3],
    posed: Posed,
    /// What it shows: the clip, and the bits of the time within it.
    shown: Option<(Option<usize>, u64)>,
    /// Whether it has to be moved.
    is_due: bool,
}

impl Figure {
    pub(super) fn new(
        instance: usize,
        actor: usize,
        info: &ActorInfo,
        moving: Arc<Moving>,
        model: Arc<Model>,
    ) -> Figure {
        let clips = info.clips.each_ref().map(|name| moving.rig.clip(name));
        Figure { instance, actor, clips, moving, _model: model, posed: Posed::default(), shown: None, is_due: false }
    }

    /// Where its vertices are in its frame [m].
    #[cfg(test)]
    pub(super) fn vertices(&self) -> &[[f32; 3]] {
        &self.posed.vertices
    }

    /// Whether the last frame moved it.
    #[cfg(test)]
    pub(super) fn is_moved(&self) -> bool {
        self.is_due
    }

    /// Computes where it is in `frame`, if it is elsewhere.
    fn pose(&mut self, frame: &Frame) {
        let (gait, clip_time) = frame.actors.get(self.actor).map_or((Gait::Idle, 0.0), |at| (at.gait, at.clip_time));
        let Moving { rig, scale, .. } = &*self.moving;
        let clip = self.clips[gait as usize];
        let time = rig.time_within(clip, clip_time);
        let wanted = Some((clip, time.to_bits()));
        self.is_due = self.shown != wanted;
        if self.is_due {
            rig.pose(clip, time, *scale, &mut self.posed);
            self.shown = wanted;
        }
    }
}

impl Surroundings {
    /// Notes that an instance, by its index in the space, is a part of the actor with the index `actor`, and moves in itself.
    pub(super) fn add_figure(
        &mut self,
        instance: usize,
        actor: usize,
        info: &ActorInfo,
        moving: Arc<Moving>,
        model: Arc<Model>,
    ) {
        let is_first = self.figures.iter().all(|other| !Arc::ptr_eq(&other.moving, &moving));
        let known: Vec<&str> = moving.rig.clip_names().collect();
        if is_first && !known.is_empty() {
            for name in info.clips.iter().filter(|name| !known.contains(&name.as_str())) {
                let problem = Diagnostic::new(moving.path.display(), format!("no clip \"{name}\""));
                let problem = problem
                    .accepted(known.join(", "))
                    .hint("name its clips in <animation_idle>, <animation_walk> and <animation_run>");
                self.problems.push(problem.at(format!("actor \"{}\" uses another clip", info.name)));
            }
        }
        self.figures.push(Figure::new(instance, actor, info, moving, model));
    }
}

/// Moves the triangles of all figures to where they are in `frame`.
pub(super) fn pose_all(figures: &mut [Figure], frame: &Frame, space: &mut Space) {
    if figures.len() < SEVERAL {
        figures.iter_mut().for_each(|figure| figure.pose(frame));
    } else {
        figures.par_iter_mut().for_each(|figure| figure.pose(frame));
    }
    for figure in figures.iter().filter(|figure| figure.is_due) {
        space.reshape(figure.instance, &figure.posed.vertices, &figure.moving.triangles);
    }
}
