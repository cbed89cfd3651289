//! Settings that can change while the world runs: for all vehicles, or for one vehicle instead.

use skidpad_math::time::SimTime;

use crate::sensor::NoReturn;
use crate::world::vehicles::VehicleRecord;
use crate::world::{CommandLink, EntityId, ExternalChange, OdometryOnTeleport, Scene, World};

/// Settings for the run, which stay when another world replaces this one.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct RunSettings {
    /// Age [ns of simulated time] of its last command at which a vehicle stops; none: never.
    pub command_timeout: Option<SimTime>,
    /// Standard deviation of the range noise of lidars [m]; none: as in the world file.
    pub range_noise: Option<f64>,
    /// What beams of planar lidars without a return read; none: as in the world file.
    pub no_return: Option<NoReturn>,
    /// Whether front wheels steer by the same angle; none: as in the world file.
    pub parallel_steer: Option<bool>,
    /// Effect of a teleport on odometry.
    pub odometry_on_teleport: OdometryOnTeleport,
}

/// Settings of a single vehicle that override those for all.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct VehicleSettings {
    /// Outer none: as for all vehicles; inner none: never.
    pub command_timeout: Option<Option<SimTime>>,
    pub range_noise: Option<f64>,
    pub command_link: CommandLink,
}

impl World {
    /// Stops a vehicle whose last command is older than this [ns of simulated time]. None: commands hold for ever (default).
    pub fn set_command_timeout(&mut self, timeout: Option<SimTime>) {
        if self.settings.command_timeout != timeout {
            self.note(|_| ExternalChange::CommandTimeout(timeout));
        }
        self.settings.command_timeout = timeout;
        self.renew_phases();
    }

    /// Standard deviation of the range noise [m] of every lidar; none: as in the world file.
    pub fn set_range_noise(&mut self, range_noise: Option<f64>) {
        if self.settings.range_noise != range_noise {
            self.note(|_| ExternalChange::RangeNoise(range_noise));
        }
        self.settings.range_noise = range_noise;
    }

    /// What the beams of every planar lidar read that have no return; none: as in the world file.
    pub fn set_no_return(&mut self, no_return: Option<NoReturn>) {
        if self.settings.no_return != no_return {
            self.note(|_| ExternalChange::NoReturn(no_return));
        }
        self.settings.no_return = no_return;
    }

    /// Steers both front wheels of every steered vehicle by the same angle or not; none: as in the world file.
    pub fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        if self.settings.parallel_steer != parallel {
            self.note(|_| ExternalChange::ParallelSteer(parallel));
        }
        self.settings.parallel_steer = parallel;
        self.vehicles.iter_mut().for_each(|record| record.vehicle.set_parallel_steer(parallel));
    }

    /// Sets the effect of later teleports on the odometry of the teleported vehicle (default: none).
    pub fn set_odometry_on_teleport(&mut self, choice: OdometryOnTeleport) {
        if self.settings.odometry_on_teleport != choice {
            self.note(|_| ExternalChange::OdometryOnTeleport(choice));
        }
        self.settings.odometry_on_teleport = choice;
    }

    /// Stops the vehicle with this id when its last command is older than `timeout` [ns of simulated time]; inner none: never; outer
    /// none: as for all vehicles. False if there is no such vehicle.
    pub fn set_command_timeout_of(&mut self, id: EntityId, timeout: Option<Option<SimTime>>) -> bool {
        let before = self.settings_of(id).map(|settings| std::mem::replace(&mut settings.command_timeout, timeout));
        if before.is_some_and(|before| before != timeout) {
            self.note(|scene| ExternalChange::CommandTimeoutOf(name_of(scene, id), timeout));
        }
        self.renew_phases();
        before.is_some()
    }

    /// Standard deviation of the range noise [m] of the lidars of the vehicle with this id; none: as for all. False if there is no
    /// such vehicle.
    pub fn set_range_noise_of(&mut self, id: EntityId, range_noise: Option<f64>) -> bool {
        let before = self.settings_of(id).map(|settings| std::mem::replace(&mut settings.range_noise, range_noise));
        if before.is_some_and(|before| before != range_noise) {
            self.note(|scene| ExternalChange::RangeNoiseOf(name_of(scene, id), range_noise));
        }
        before.is_some()
    }

    fn settings_of(&mut self, id: EntityId) -> Option<&mut VehicleSettings> {
        let index = self.scene.vehicle_of(id)?;
        Some(&mut self.vehicles[index].settings)
    }

    /// Whether the command timeout may stop any vehicle.
    pub fn has_command_timeout(&self) -> bool {
        let has_own_timeout = |record: &VehicleRecord| record.settings.command_timeout.flatten().is_some();
        self.settings.command_timeout.is_some() || self.vehicles.iter().any(has_own_timeout)
    }
}

/// The name of a vehicle that is there.
fn name_of(scene: &Scene, id: EntityId) -> String {
    scene.vehicle_of(id).map_or_else(String::new, |index| scene.vehicles[index].name.clone())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_math::Twist2;

    use super::*;
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
    fn each_vehicle_may_have_a_command_timeout_of_its_own() {
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
