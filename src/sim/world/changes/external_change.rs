//! Changes of a world from outside, recorded by the names of bodies: another world can be changed alike before the same steps.

use skidpad_math::Twist2;
use skidpad_math::time::SimTime;

use crate::sensor::NoReturn;
use crate::vehicle::Action;
use crate::world::actor::ActorOrder;
use crate::world::changes::wrench::AppliedWrench;
use crate::world::{
    CommandLink, OdometryOnTeleport, ResetScope, Scene, SensorFault, SpawnRequest, Spot, Touched, World,
};

/// A change of a world from outside. Vehicles, blocks and actors go by their names, which are unique in a world.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalChange {
    /// [`World::command`].
    Command(String, Action),
    /// [`World::set_state`]: spot [m, rad], and velocity in the body's own frame [m/s, rad/s].
    State(String, Option<Spot>, Option<Twist2>),
    /// [`World::spawn`] of what this request describes, under its name.
    Spawn(SpawnRequest),
    /// [`World::remove`].
    Remove(String),
    /// [`World::reset_with`].
    Reset(ResetScope),
    /// [`World::tune`]: a parameter of a controller, and its value.
    Tune(String, String, f64),
    /// [`World::set_command_timeout`] [ns of simulated time].
    CommandTimeout(Option<SimTime>),
    /// [`World::set_range_noise`] [m].
    RangeNoise(Option<f64>),
    /// [`World::set_no_return`].
    NoReturn(Option<NoReturn>),
    /// [`World::set_parallel_steer`].
    ParallelSteer(Option<bool>),
    /// [`World::set_odometry_on_teleport`].
    OdometryOnTeleport(OdometryOnTeleport),
    /// [`World::set_command_timeout_of`] [ns of simulated time].
    CommandTimeoutOf(String, Option<Option<SimTime>>),
    /// [`World::set_range_noise_of`] [m].
    RangeNoiseOf(String, Option<f64>),
    /// [`World::set_command_link`].
    CommandLink(String, CommandLink),
    /// [`World::set_sensor_fault`]: vehicle, sensor, and what is wrong with it.
    SensorFault(String, String, SensorFault),
    /// [`World::set_odometry_scale`] [-].
    OdometryScale(String, [f64; 3]),
    /// [`World::order_actor`].
    Actor(String, ActorOrder),
    /// [`World::apply_wrench`].
    Wrench(String, AppliedWrench),
    /// [`World::amend`]: the text of the edited world file, and what the edit touches.
    Amend {
        /// The text.
        text: String,
        /// What is touched.
        touched: Touched,
    },
    /// Anything else, in words.
    Other(&'static str),
}

impl World {
    /// Begins to record changes of the world from outside. Steps are none.
    pub fn record_changes(&mut self) {
        self.recorded_changes = Some(Vec::new());
    }

    /// The changes since [`record_changes`](World::record_changes), in order; ends the record.
    pub fn take_changes(&mut self) -> Vec<ExternalChange> {
        self.recorded_changes.take().unwrap_or_default()
    }

    /// Counts a change from outside, and records it if a record has begun.
    pub(in crate::world) fn note(&mut self, change: impl FnOnce(&Scene) -> ExternalChange) {
        self.changes += 1;
        if let Some(changes) = &mut self.recorded_changes {
            changes.push(change(&self.scene));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_math::{Pose3, Twist2};

    use super::*;
    use crate::vehicle::Command;
    use crate::world::{LoadOptions, SpawnSource};

    const WORLD: &str = "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
                         <controller class=\"twist_pid\"/></dynamics></vehicle>\
                         <block:class name=\"crate\"><mass>5</mass><shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt></shape></block:class>\
                         <block name=\"wall\"><static>true</static><init_pose>9 0 0</init_pose>\
                         <shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt></shape></block></mvsim_world>";

    #[test]
    fn all_that_is_done_from_outside_is_noted_by_name_and_in_order() {
        let (mut world, _) = World::load_text("w", Path::new("."), WORLD, &LoadOptions::default()).unwrap();
        let id = world.scene().vehicles[0].id;
        let go = Action::Twist(Twist2::new(1.0, 0.0, 0.5));
        world.command(Command { vehicle: 0, action: go }).unwrap();
        world.record_changes();
        let before = world.changes();
        world.command(Command { vehicle: 0, action: go }).unwrap();
        world.step().unwrap();
        let pose = Some(Spot::from(Pose3 { x: 1.0, ..Pose3::default() }));
        world.set_state(id, pose, None).unwrap();
        let wall = world.scene().blocks[0].id;
        world.set_state(wall, pose, None).unwrap();
        let request = SpawnRequest { name: "c".into(), source: SpawnSource::Class("crate".into()), pose };
        let recipe = world.catalogue().recipe(&request).unwrap();
        let new = world.spawn(recipe).unwrap();
        world.set_parallel_steer(Some(true));
        world.set_parallel_steer(Some(true));
        world.set_command_timeout_of(id, Some(None));
        world.set_range_noise_of(id, Some(0.5));
        world.tune(id, "kp", 3.0).unwrap();
        world.remove(new).unwrap();
        world.reset();
        world.set_driver(0, None).unwrap();
        let of = |name: &str| name.to_owned();
        let expected = [
            ExternalChange::Command(of("r1"), go),
            ExternalChange::State(of("r1"), pose, None),
            ExternalChange::State(of("wall"), pose, None),
            ExternalChange::Spawn(request),
            ExternalChange::ParallelSteer(Some(true)),
            ExternalChange::CommandTimeoutOf(of("r1"), Some(None)),
            ExternalChange::RangeNoiseOf(of("r1"), Some(0.5)),
            ExternalChange::Tune(of("r1"), of("kp"), 3.0),
            ExternalChange::Remove(of("c")),
            ExternalChange::Reset(ResetScope { state: true, ..ResetScope::default() }),
            ExternalChange::Other("a trajectory to follow was set or removed"),
        ];
        assert_eq!(world.changes() - before, expected.len() as u64);
        assert_eq!(world.take_changes(), expected);
        world.reset();
        assert!(world.take_changes().is_empty());
    }
}
