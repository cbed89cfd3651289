//! What is set for single vehicles while the world runs, in place of what holds for all.

use std::collections::BTreeMap;

use super::{EntityId, Scene, World};
use crate::time::SimTime;

/// The settings of single vehicles; most have none of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnSettings(BTreeMap<EntityId, Own>);

#[derive(Clone, Copy, Debug, Default)]
struct Own {
    /// Outer none: as for all.
    command_timeout: Option<Option<SimTime>>,
    range_noise: Option<f64>,
}

impl OwnSettings {
    /// The timeout of a vehicle's commands, `of_all` being that of those without one of their own.
    pub(super) fn command_timeout(&self, id: EntityId, of_all: Option<SimTime>) -> Option<SimTime> {
        self.0.get(&id).and_then(|own| own.command_timeout).unwrap_or(of_all)
    }

    /// The deviation of a vehicle's range noise [m], `of_all` being that of those without one of their own; none: as its world file
    /// says.
    pub(super) fn range_noise(&self, id: EntityId, of_all: Option<f64>) -> Option<f64> {
        self.0.get(&id).and_then(|own| own.range_noise).or(of_all)
    }

    /// Whether commands of any vehicle may grow too old.
    pub(super) fn has_command_timeout(&self) -> bool {
        self.0.values().any(|own| own.command_timeout.flatten().is_some())
    }

    /// What was set for a vehicle that is gone for good.
    pub(super) fn forget(&mut self, id: EntityId) {
        self.0.remove(&id);
    }

    fn of(&mut self, id: EntityId, scene: &Scene) -> Option<&mut Own> {
        self.0.retain(|id, _| scene.vehicle_of(*id).is_some());
        scene.vehicle_of(id)?;
        Some(self.0.entry(id).or_default())
    }
}

impl World {
    /// Stops the vehicle with this id when its last command is older than `timeout` [ns of simulated time], or never (inner none), or
    /// when that of all vehicles has passed (none). False when there is no such vehicle.
    pub fn set_command_timeout_of(&mut self, id: EntityId, timeout: Option<Option<SimTime>>) -> bool {
        self.own.of(id, &self.scene).map(|own| own.command_timeout = timeout).is_some()
    }

    /// Standard deviation of the range noise [m] of the lidars of the vehicle with this id; none: as for all. False when there is no
    /// such vehicle.
    pub fn set_range_noise_of(&mut self, id: EntityId, range_noise: Option<f64>) -> bool {
        self.own.of(id, &self.scene).map(|own| own.range_noise = range_noise).is_some()
    }

    /// Whether any vehicle is stopped when its commander falls silent.
    pub fn has_command_timeout(&self) -> bool {
        self.command_timeout.is_some() || self.own.has_command_timeout()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::math::Twist2;
    use crate::vehicle::{Action, Command};
    use crate::world::LoadOptions;

    fn world() -> World {
        let vehicle = |name: &str, y: f64| {
            format!(
                "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose>\
                 <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>\
                 <sensor class=\"laser\" name=\"scan\"><nrays>8</nrays>\
                 <angle_std_noise_deg>0</angle_std_noise_deg></sensor></vehicle>"
            )
        };
        let wall = "<block><init_pose>5 0 0</init_pose><static>true</static>\
                    <shape><pt>0 -9</pt><pt>1 -9</pt><pt>1 9</pt><pt>0 9</pt></shape></block>";
        let text =
            format!("<mvsim_world version=\"1.0\">{}{}{wall}</mvsim_world>", vehicle("a", 0.0), vehicle("b", 4.0));
        World::load_text("test", Path::new("."), &text, &LoadOptions::default()).unwrap().0
    }

    fn speeds_after(world: &mut World, seconds: f64) -> [f64; 2] {
        while world.frame().time < SimTime::from_secs(seconds) {
            world.step().unwrap();
        }
        [0, 1].map(|index| world.frame().vehicles[index].setpoint.velocity_in_body.vx)
    }

    #[test]
    fn each_vehicle_may_have_a_patience_of_its_own() {
        let mut world = world();
        let id = |world: &World, index: usize| world.scene().vehicles[index].id;
        let [a, b] = [id(&world, 0), id(&world, 1)];
        assert!(!world.has_command_timeout());
        assert!(world.set_command_timeout_of(a, Some(Some(SimTime::from_secs(0.1)))));
        assert!(world.has_command_timeout() && !world.set_command_timeout_of(EntityId(99), Some(None)));
        for vehicle in [0, 1] {
            world.command(Command { vehicle, action: Action::Twist(Twist2::new(1.0, 0.0, 0.0)) }).unwrap();
        }
        assert_eq!(speeds_after(&mut world, 0.05), [1.0, 1.0]);
        assert_eq!(speeds_after(&mut world, 0.2), [0.0, 1.0]);
        world.set_command_timeout(Some(SimTime::from_secs(0.3)));
        assert!(world.set_command_timeout_of(b, Some(None)));
        assert_eq!(speeds_after(&mut world, 0.5), [0.0, 1.0], "b holds its command for ever");
        assert!(world.set_command_timeout_of(b, None));
        assert_eq!(speeds_after(&mut world, 0.52), [0.0, 0.0], "b is as all others again");
    }

    #[test]
    fn each_vehicle_may_have_noise_of_its_own() {
        let mut world = world();
        let b = world.scene().vehicles[1].id;
        let noisy = |world: &mut World| -> Vec<bool> {
            let ranges = |world: &World| -> Vec<Vec<f32>> {
                let scans = world.frame().readings.iter().filter_map(|reading| reading.data.scan());
                scans.map(|scan| scan.ranges.clone()).collect()
            };
            speeds_after(world, world.frame().time.secs() + 0.5);
            let before = ranges(world);
            speeds_after(world, world.frame().time.secs() + 0.5);
            before.iter().zip(ranges(world)).map(|(before, after)| *before != after).collect()
        };
        world.set_range_noise(Some(0.0));
        assert!(world.set_range_noise_of(b, Some(0.05)));
        assert_eq!(noisy(&mut world), [false, true]);
        world.set_range_noise(Some(0.05));
        assert!(world.set_range_noise_of(b, Some(0.0)));
        assert_eq!(noisy(&mut world), [true, false]);
        assert!(world.set_range_noise_of(b, None) && !world.set_range_noise_of(EntityId(99), None));
        assert_eq!(noisy(&mut world), [true, true]);
    }
}
