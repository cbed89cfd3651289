//! Publishes the health of the run on the publisher thread, as diagnostics and statistics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use skidpad_ros_data::message::{DiagnosticArray, Quality, Statistics, fill};
use skidpad_run::diagnostics::health::{Health, SharedHealth};
use skidpad_run::diagnostics::status::Diagnostician;
use skidpad_run::diagnostics::{DIAGNOSTICS_PERIOD, DIAGNOSTICS_TOPIC, message, statistics};
use skidpad_run::guard::lock;

use super::outputs::NodeOutput;
use super::publisher::{Announcer, RosTopic};
use super::snapshot::PublishSnapshot;
use crate::error::RosError;
use crate::graph::topics::STATISTICS_TOPIC;
use crate::parameters::table::Parameters;

/// Publishes both on the publisher thread, behind the clock.
pub(crate) struct HealthOutput {
    health: SharedHealth,
    parameters: Arc<Parameters>,
    diagnostics: RosTopic<DiagnosticArray>,
    statistics: RosTopic<Statistics>,
    /// Times at which each is due.
    due: [Instant; 2],
    diagnostician: Diagnostician,
}

impl HealthOutput {
    /// Announces both topics.
    pub fn new(
        announcer: &mut Announcer<'_>,
        health: SharedHealth,
        parameters: Arc<Parameters>,
    ) -> Result<HealthOutput, RosError> {
        let now = Instant::now();
        Ok(HealthOutput {
            health,
            diagnostics: announcer.topic(DIAGNOSTICS_TOPIC, Quality::Data, DiagnosticArray::default())?,
            statistics: announcer.topic(STATISTICS_TOPIC, Quality::Data, Statistics::default())?,
            due: [now + DIAGNOSTICS_PERIOD, now + statistics_period(&parameters)],
            parameters,
            diagnostician: Diagnostician::default(),
        })
    }

    /// The statistics since the last call, if `period` has passed and anything has been measured since.
    fn take_due(&mut self, index: usize, period: Duration, now: Instant) -> Option<Health> {
        if now < self.due[index] {
            return None;
        }
        let mut shared = lock(&self.health);
        let health = Some(&mut shared[index]).filter(|health| health.statistics.wall > Duration::ZERO)?.take();
        // A late message does not bring the next one forward.
        self.due[index] = (self.due[index] + period).max(now + period / 2);
        Some(health)
    }
}

fn statistics_period(parameters: &Parameters) -> Duration {
    Duration::from_secs_f64(1.0 / parameters.number("statistics_rate").clamp(0.01, 100.0))
}

impl NodeOutput for HealthOutput {
    fn publish(&mut self, snapshot: &PublishSnapshot) {
        if !snapshot.has_begun {
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
