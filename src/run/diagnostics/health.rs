//! The health of the run, collected on the simulation thread for diagnostics and statistics.

use std::sync::{Arc, Mutex};

use skidpad_math::time::SimTime;
use skidpad_sim::vehicle::CommandCounts;
use skidpad_sim::world::{EntityId, Frame, Scene, Wanted};

use crate::guard::lock;
use crate::sink::{RunStatistics, Sink, SinkError};

/// The commands of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleHealth {
    /// Id of the vehicle.
    pub id: EntityId,
    /// Name of the vehicle.
    pub name: String,
    /// Whether it has a driver in this process.
    pub has_driver: bool,
    /// Counts of its commands by outcome.
    pub commands: CommandCounts,
}

/// Statistics of the run since they were last taken.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Simulated time now [ns].
    pub time: SimTime,
    /// Statistics of the runner.
    pub statistics: RunStatistics,
    /// How often the simulation was late, since the start.
    pub overruns: u64,
    /// Vehicles that take commands.
    pub vehicles: Vec<VehicleHealth>,
}

impl Health {
    /// Adds a window of the run.
    pub fn add(&mut self, scene: &Scene, frame: &Frame, window: &RunStatistics) {
        self.time = frame.time;
        self.statistics.add(window);
        self.overruns += window.overruns;
        self.vehicles.clear();
        let commanded = scene.vehicles.iter().zip(&frame.vehicles).filter(|(vehicle, _)| vehicle.accepts.any());
        self.vehicles.extend(commanded.map(|(vehicle, state)| VehicleHealth {
            id: vehicle.id,
            name: vehicle.name.clone(),
            has_driver: state.has_driver,
            commands: state.commands,
        }));
    }

    /// Takes the statistics, which begin again at zero.
    pub fn take(&mut self) -> Health {
        let taken = self.clone();
        self.statistics.clear();
        taken
    }
}

/// The statistics not yet published as diagnostics, and those not yet published as statistics.
pub type SharedHealth = Arc<Mutex<[Health; 2]>>;

/// Collects the statistics of the run.
pub struct HealthSink(pub SharedHealth);

impl Sink for HealthSink {
    fn name(&self) -> &str {
        "ROS diagnostics"
    }

    fn wants(&mut self, _scene: &Arc<Scene>, _wanted: &mut Wanted) {}

    fn frame(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn statistics(&mut self, scene: &Arc<Scene>, frame: &Frame, statistics: &RunStatistics) -> Result<(), SinkError> {
        let mut health = lock(&self.0);
        health.iter_mut().for_each(|health| health.add(scene, frame, statistics));
        Ok(())
    }
}
