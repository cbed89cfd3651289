//! Gains that change at run time: those of controllers and of trackers. They take effect with the next step.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;

use crate::tracking::TrackerParameters;
use crate::world::{EntityId, ExternalChange, VehicleInfo, World};

/// Why a gain cannot be changed.
#[derive(Clone, Debug, PartialEq)]
pub enum TuneError {
    /// There is no vehicle with this id.
    NoVehicle(EntityId),
    /// The controller has no such parameter.
    NoTunable {
        /// Name of the vehicle.
        vehicle: String,
        /// The requested name.
        name: String,
        /// The parameters of the controller.
        accepted: String,
    },
    /// The value is out of its range.
    OutOfRange {
        /// Name of the vehicle.
        vehicle: String,
        /// The parameter.
        name: String,
        /// The requested value.
        value: f64,
        /// Smallest and largest value.
        range: [f64; 2],
    },
    /// The vehicle follows no trajectory.
    NoDriver(String),
    /// The tracker does not take these numbers.
    Tracker(String, Box<Diagnostic>),
}

impl From<&TuneError> for Diagnostic {
    fn from(error: &TuneError) -> Diagnostic {
        let of = |vehicle: &String| format!("vehicle \"{vehicle}\"");
        match error {
            TuneError::NoVehicle(id) => Diagnostic::new("gains", format!("no vehicle has the id {}", id.0))
                .accepted("the id of a vehicle that is there"),
            TuneError::NoTunable { vehicle, name, accepted } => {
                Diagnostic::new(of(vehicle), format!("its controller has no \"{name}\"")).accepted(accepted)
            }
            TuneError::OutOfRange { vehicle, name, value, range: [from, to] } => {
                Diagnostic::new(format!("{}, {name}", of(vehicle)), format!("found {value}"))
                    .accepted(format!("a number from {from} to {to}"))
            }
            TuneError::NoDriver(vehicle) => {
                Diagnostic::new(of(vehicle), "it has no tracker").accepted("a vehicle that follows a trajectory")
            }
            TuneError::Tracker(vehicle, reason) => (**reason).clone().at("its tracker").at(of(vehicle)),
        }
    }
}

error_by_parts!(TuneError);

impl VehicleInfo {
    /// Whether a vehicle of this kind accepts this value of a parameter of its controller.
    ///
    /// # Errors
    /// There is no such parameter, or the value is out of range.
    pub fn check_tuning(&self, name: &str, value: f64) -> Result<(), TuneError> {
        let vehicle = || self.name.clone();
        let Some(tunable) = self.tunables.iter().find(|tunable| tunable.name == name) else {
            let names: Vec<&str> = self.tunables.iter().map(|tunable| tunable.name).collect();
            let accepted = if names.is_empty() { "nothing, it has no gains".into() } else { names.join(", ") };
            return Err(TuneError::NoTunable { vehicle: vehicle(), name: name.to_owned(), accepted });
        };
        let [from, to] = tunable.range;
        if !(from..=to).contains(&value) {
            return Err(TuneError::OutOfRange {
                vehicle: vehicle(),
                name: name.to_owned(),
                value,
                range: tunable.range,
            });
        }
        Ok(())
    }
}

impl World {
    /// Changes a parameter of a vehicle's controller, one of [`VehicleInfo::tunables`](crate::world::VehicleInfo) by its name. A reset
    /// keeps it.
    ///
    /// # Errors
    /// There is no such vehicle or parameter, or the value is out of range.
    pub fn tune(&mut self, vehicle: EntityId, name: &str, value: f64) -> Result<(), TuneError> {
        let index = self.check_tuning(vehicle, name, value)?;
        self.note(|scene| ExternalChange::Tune(scene.vehicles[index].name.clone(), name.to_owned(), value));
        self.vehicles[index].vehicle.tune(name, value);
        Ok(())
    }

    /// The index of the vehicle, if [`tune`](World::tune) would accept this change.
    ///
    /// # Errors
    /// As [`tune`](World::tune).
    pub fn check_tuning(&self, vehicle: EntityId, name: &str, value: f64) -> Result<usize, TuneError> {
        let index = self.scene.vehicle_of(vehicle).ok_or(TuneError::NoVehicle(vehicle))?;
        self.scene.vehicles[index].check_tuning(name, value)?;
        Ok(index)
    }

    /// Gains and geometry of the tracker of a vehicle that follows a trajectory.
    pub fn tracker(&self, vehicle: EntityId) -> Option<&TrackerParameters> {
        let driver = self.vehicles[self.scene.vehicle_of(vehicle)?].driver.as_ref()?;
        Some(driver.follower.parameters())
    }

    /// Changes gains and geometry of the tracker of a vehicle that follows a trajectory; activating the tracker restarts the motion.
    ///
    /// # Errors
    /// There is no such vehicle, it has no tracker, or the tracker refuses the values; then the old ones stay.
    pub fn set_tracker(&mut self, vehicle: EntityId, parameters: TrackerParameters) -> Result<(), TuneError> {
        let index = self.scene.vehicle_of(vehicle).ok_or(TuneError::NoVehicle(vehicle))?;
        let name = || self.scene.vehicles[index].name.clone();
        let Some(driver) = &mut self.vehicles[index].driver else { return Err(TuneError::NoDriver(name())) };
        driver.follower.set_parameters(parameters).map_err(|reason| TuneError::Tracker(name(), Box::new(reason)))?;
        self.note(|_| ExternalChange::Other("gains of a tracker were set"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::vehicle::{Action, Command};
    use crate::world::LoadOptions;

    fn world(controller: &str) -> World {
        let text = format!(
            "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
             <controller class=\"{controller}\"/></dynamics></vehicle></mvsim_world>"
        );
        World::load_text("t", Path::new("."), &text, &LoadOptions::default()).unwrap().0
    }

    fn speed_after(world: &mut World, steps: usize) -> f64 {
        let action = Action::Twist(skidpad_math::Twist2::new(1.0, 0.0, 0.0));
        world.command(Command { vehicle: 0, action }).unwrap();
        (0..steps).for_each(|_| assert!(world.step().is_ok()));
        world.frame().vehicles[0].velocity_in_body.vx
    }

    #[test]
    fn with_a_gain_of_zero_it_stands_still_and_a_reset_keeps_the_gain() {
        let mut world = world("twist_pid");
        let id = world.scene().vehicles[0].id;
        assert!(speed_after(&mut world, 100) > 0.05);
        world.reset();
        world.tune(id, "kp", 0.0).unwrap();
        assert!(speed_after(&mut world, 100).abs() < 1e-6);
        world.reset();
        assert!(speed_after(&mut world, 100).abs() < 1e-6);
    }

    #[test]
    fn invalid_changes_are_refused_with_a_reason() {
        let mut with = world("twist_pid");
        let id = with.scene().vehicles[0].id;
        let refused = |result: Result<(), TuneError>| result.unwrap_err().to_string();
        assert_eq!(
            refused(with.tune(id, "gain", 1.0)),
            "vehicle \"r1\": its controller has no \"gain\"\n  accepted: kp, ki, kd, n, max_torque, feedforward"
        );
        assert_eq!(
            refused(with.tune(id, "max_torque", -1.0)),
            "vehicle \"r1\", max_torque: found -1\n  accepted: a number from 0 to 1000000000"
        );
        assert!(with.tune(id, "kp", f64::NAN).is_err());
        let nobody = EntityId(999);
        assert_eq!(
            refused(with.tune(nobody, "kp", 1.0)),
            "gains: no vehicle has the id 999\n  accepted: the id of a vehicle that is there"
        );
        assert_eq!(
            refused(with.set_tracker(id, TrackerParameters::default())),
            "vehicle \"r1\": it has no tracker\n  accepted: a vehicle that follows a trajectory"
        );
        let mut without = world("raw");
        let id = without.scene().vehicles[0].id;
        assert_eq!(
            refused(without.tune(id, "kp", 1.0)),
            "vehicle \"r1\": its controller has no \"kp\"\n  accepted: nothing, it has no gains"
        );
    }

    /// Every parameter of every controller accepts its current value, and returns it.
    #[test]
    fn every_listed_parameter_can_be_set() {
        let mut seen = 0;
        for path in ["worlds/racecar_gazebo.world.xml", "worlds/pedals.world.xml", "worlds/three_wheels.world.xml"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
            let (mut world, _) = World::load(&path, &LoadOptions::default()).unwrap();
            let scene = world.scene().clone();
            for info in &scene.vehicles {
                for tunable in &info.tunables {
                    world.tune(info.id, tunable.name, tunable.value).unwrap();
                    world.tune(info.id, tunable.name, tunable.range[1]).unwrap();
                    let index = world.scene().vehicle_of(info.id).unwrap();
                    let now = world.vehicles[index].vehicle.controller().tunables();
                    let actual = now.iter().find(|now| now.name == tunable.name).unwrap();
                    assert_eq!(actual.value, tunable.range[1], "{} {}", info.name, tunable.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 6, "{seen}");
    }

    #[test]
    fn a_torque_limit_of_0_or_less_is_none() {
        for limit in ["0", "-1"] {
            let text = format!(
                "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class='differential'>
                <controller class='twist_pid'><KP>10</KP><V>20</V><max_torque>{limit}</max_torque></controller>
                </dynamics></vehicle></mvsim_world>"
            );
            let (mut world, _) = World::load_text("w", Path::new("."), &text, &LoadOptions::default()).unwrap();
            let frame = world.step().unwrap();
            assert_eq!(frame.vehicles[0].wheels[0].torque, 200.0, "{limit}");
        }
    }
}
