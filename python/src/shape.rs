//! What worlds that are stepped together must have in common, because their numbers share arrays.

use pyo3::prelude::*;
use skidpad::sensor::Column;
use skidpad::time::SimTime;
use skidpad::world::World;

use crate::errors::refused;

/// Vehicles, sensors, blocks and step of a world, as far as arrays depend on them.
#[derive(PartialEq)]
pub(crate) struct Shape {
    /// Name and count of wheels of each vehicle.
    vehicles: Vec<(String, usize)>,
    /// Name and arrays of each sensor.
    sensors: Vec<(String, Option<Vec<Column>>)>,
    blocks: usize,
    step: SimTime,
}

impl Shape {
    /// That of a world.
    pub(crate) fn of(world: &World) -> Shape {
        let scene = world.scene();
        let sensors = scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors);
        Shape {
            vehicles: scene.vehicles.iter().map(|vehicle| (vehicle.name.clone(), vehicle.wheels.len())).collect(),
            sensors: sensors.map(|sensor| (sensor.name.clone(), sensor.kind.description().columns())).collect(),
            blocks: scene.blocks.len(),
            step: scene.step,
        }
    }

    /// Makes sure that the world with this index has the same, that of the first world.
    pub(crate) fn check(&self, index: usize, world: &World) -> PyResult<()> {
        let other = Shape::of(world);
        if *self == other {
            return Ok(());
        }
        let differs = match () {
            () if self.vehicles != other.vehicles => "its vehicles differ",
            () if self.sensors != other.sensors => "its sensors differ",
            () if self.blocks != other.blocks => "its number of blocks differs",
            () => "its step differs",
        };
        Err(refused(format!(
            "world {index}: {differs} from those of world 0\n  accepted: worlds with the same vehicles, sensors, blocks and step\n  hint: put worlds with another value of such a variable into Worlds of their own"
        )))
    }
}
