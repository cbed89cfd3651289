//! The health of the run, handed from the simulation to the publisher thread, which publishes it as diagnostics and statistics.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::statistics;
use super::status::{Diagnostician, Status};
use crate::guard::lock;
use crate::message::{DiagnosticArray, DiagnosticStatus, KeyValue, Quality, Statistics, fill};
use crate::ros::error::RosError;
use crate::ros::parameters::table::Parameters;
use crate::ros::publish::publishers::{Announcer, NodeOutput, RosTopic};
use crate::ros::publish::snapshot::PublishSnapshot;
use crate::sink::{RunStatistics, Sink, SinkError};
use crate::time::SimTime;
use crate::vehicle::CommandCounts;
use crate::world::{EntityId, Frame, Scene};

/// Topic of the diagnostics, absolute as its readers expect it.
pub const DIAGNOSTICS_TOPIC: &str = "/diagnostics";
/// Topic of the statistics.
pub const STATISTICS_TOPIC: &str = "~/statistics";
/// Wall time between diagnostics.
const DIAGNOSTICS_PERIOD: Duration = Duration::from_secs(1);

/// The commands of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleHealth {
    /// Its id.
    pub id: EntityId,
    /// Its name.
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
    fn add(&mut self, scene: &Scene, frame: &Frame, window: &RunStatistics) {
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
    fn take(&mut self) -> Health {
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

    fn frame(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn statistics(&mut self, scene: &Arc<Scene>, frame: &Frame, statistics: &RunStatistics) -> Result<(), SinkError> {
        let mut health = lock(&self.0);
        health.iter_mut().for_each(|health| health.add(scene, frame, statistics));
        Ok(())
    }
}

/// Publishes both on the publisher thread, behind the clock.
pub struct HealthOutput {
    health: SharedHealth,
    parameters: Arc<Parameters>,
    diagnostics: RosTopic<DiagnosticArray>,
    statistics: RosTopic<Statistics>,
    /// When each is due.
    due: [Instant; 2],
    diagnostician: Diagnostician,
}

impl HealthOutput {
    /// Announces both topics.
    pub fn new(
        on: &mut Announcer<'_>,
        health: SharedHealth,
        parameters: Arc<Parameters>,
    ) -> Result<HealthOutput, RosError> {
        let now = Instant::now();
        Ok(HealthOutput {
            health,
            diagnostics: on.topic(DIAGNOSTICS_TOPIC, Quality::Data, DiagnosticArray::default())?,
            statistics: on.topic(STATISTICS_TOPIC, Quality::Data, Statistics::default())?,
            due: [now + DIAGNOSTICS_PERIOD, now + statistics_period(&parameters)],
            parameters,
            diagnostician: Diagnostician::default(),
        })
    }

    /// The statistics since the last call, if `period` has passed and anything has been measured since.
    fn take_due(&mut self, which: usize, period: Duration, now: Instant) -> Option<Health> {
        if now < self.due[which] {
            return None;
        }
        let mut shared = lock(&self.health);
        let health = Some(&mut shared[which]).filter(|health| health.statistics.wall > Duration::ZERO)?.take();
        // A late message does not make the next one early.
        self.due[which] = (self.due[which] + period).max(now + period / 2);
        Some(health)
    }
}

fn statistics_period(parameters: &Parameters) -> Duration {
    Duration::from_secs_f64(1.0 / parameters.number("statistics_rate").clamp(0.01, 100.0))
}

impl NodeOutput for HealthOutput {
    fn publish(&mut self, snapshot: &PublishSnapshot) {
        if snapshot.time <= SimTime::ZERO {
            return;
        }
        let now = Instant::now();
        if let Some(health) = self.take_due(0, DIAGNOSTICS_PERIOD, now) {
            self.diagnostics.message.header.stamp = fill::stamp(snapshot.time);
            let statuses = self.diagnostician.statuses(&health);
            self.diagnostics.message.status = statuses.into_iter().map(message).collect();
            self.diagnostics.publish();
        }
        if let Some(health) = self.take_due(1, statistics_period(&self.parameters), now) {
            self.statistics.message.header.stamp = fill::stamp(snapshot.time);
            statistics::write(&health, &mut self.statistics.message);
            self.statistics.publish();
        }
    }
}

fn message(status: Status) -> DiagnosticStatus {
    let values = status.values.into_iter().map(|(key, value)| KeyValue { key, value });
    DiagnosticStatus {
        level: status.level as u8,
        name: format!("skidpad: {}", status.what),
        message: status.message,
        hardware_id: status.hardware,
        values: values.collect(),
    }
}
