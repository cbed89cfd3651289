//! Passes the goals of navigation on to the observer, so that success, time and SPL follow from them.

use std::collections::BTreeSet;

use skidpad_math::Vec2;
use skidpad_sim::world::{Frame, Scene};

use crate::measures::Observer;
use crate::peers::{GoalStatus, Known};

/// How near to its goal a vehicle has to be when its navigation succeeds [m], for the goal to count as reached: as far as nav2's own tests allow.
const REACHED: f64 = 0.5;

/// Which goals the observer has been told of.
#[derive(Debug, Default)]
pub(crate) struct Pursuit {
    begun: BTreeSet<usize>,
    ended: BTreeSet<usize>,
}

impl Pursuit {
    /// Tells what is new; a vehicle that `has_goal` by a criterion is left out, as its success is decided there.
    pub(crate) fn follow(
        &mut self,
        known: &Known,
        scene: &Scene,
        frame: &Frame,
        observer: &mut Observer,
        has_goal: impl Fn(&str) -> bool,
    ) {
        for (number, goal) in known.goals.iter().enumerate() {
            let Some(end) = goal.goal.poses().last().map(|pose| Vec2::new(pose.x, pose.y)) else { continue };
            if has_goal(&goal.vehicle) {
                continue;
            }
            let vehicle = scene.vehicle_index(&goal.vehicle).and_then(|index| frame.vehicles.get(index));
            let position = vehicle.map(|vehicle| vehicle.world_from_body.planar().position());
            if self.begun.insert(number) {
                observer.set_goal(&goal.vehicle, end, position.map(|position| goal.goal.straight_length(position)));
            }
            let Some((_, ending)) = goal.ended.as_ref().filter(|_| self.ended.insert(number)) else { continue };
            let distance = position.map(|position| (position - end).norm());
            if ending.status == GoalStatus::Succeeded && distance.is_some_and(|distance| distance <= REACHED) {
                observer.reached(&goal.vehicle);
            }
        }
    }
}
