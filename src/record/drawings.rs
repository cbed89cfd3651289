//! What viewers of a recording draw the run with, beside its data: descriptions of robots, markers, diagnostics and the clock. On
//! request also the truth about all bodies.
//!
//! Descriptions and what stands are written once. Markers of what moves are written at [`MARKER_RATE`] and only if they have changed.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::markers::{self, VehicleMarkers, WorldMarkers};
use skidpad_ros_data::message::{Announce, BodyMessages, Clock, DiagnosticArray, Quality, Text, fill};
use skidpad_ros_data::urdf::Robot;
use skidpad_run::diagnostics::DIAGNOSTICS_TOPIC;
use skidpad_sim::world::{Scene, VehicleFrame, VehicleInfo};

use super::options::RecordError;
use super::output::McapOutput;
use super::snapshot::RecordSnapshot;
use super::topic::{RecordChannel, RecordTopic, Topics};

/// Simulated time, for those who want it in the file: players have a clock of their own.
pub(super) const CLOCK_TOPIC: &str = "/clock";
/// Markers and messages with all bodies per simulated second [Hz], as the node sends them by default.
pub(super) const MARKER_RATE: f64 = 10.0;
/// Messages of a vehicle from one with its paths to the next: paths grow to a hundred times the size of the rest.
const PATHS_EVERY: u32 = 50;
/// Length of forces: as fits each vehicle.
const FORCE_SCALE: f64 = 0.0;

/// The topics of the whole world.
pub(super) struct WorldDrawings {
    markers: WorldMarkers<RecordChannel>,
    bodies: BodyMessages<RecordChannel>,
    clock: Option<RecordTopic<Clock>>,
    diagnostics: Option<RecordTopic<DiagnosticArray>>,
}

impl WorldDrawings {
    pub(super) fn new(map_frame: &str, topics: &mut Topics<'_>) -> Result<WorldDrawings, RecordError> {
        Ok(WorldDrawings {
            markers: WorldMarkers::new(topics, map_frame)?,
            bodies: BodyMessages::new(topics, map_frame, true)?,
            clock: topics.announce(CLOCK_TOPIC, Quality::Data, Clock::default())?,
            diagnostics: topics.announce(DIAGNOSTICS_TOPIC, Quality::Deferred, DiagnosticArray::default())?,
        })
    }

    /// Whether the file has a topic for the truth about all bodies.
    pub(super) fn records_bodies(&self) -> bool {
        self.bodies.has_receivers()
    }

    /// Makes the next calls write everything again.
    pub(super) fn forget(&mut self) {
        self.markers.forget();
    }

    /// Writes what stands in this scene, unless the file has it.
    pub(super) fn write_fixed(
        &mut self,
        output: &mut McapOutput,
        time: SimTime,
        scene: &Arc<Scene>,
    ) -> Result<(), RecordError> {
        self.markers.follow(output, time, scene)
    }

    /// Writes what is due.
    pub(super) fn write(
        &mut self,
        output: &mut McapOutput,
        scene: &Arc<Scene>,
        snapshot: &RecordSnapshot,
    ) -> Result<(), RecordError> {
        let time = snapshot.time;
        if let Some(clock) = &mut self.clock {
            clock.message.clock = fill::stamp(time);
            clock.send(output, time)?;
        }
        if snapshot.markers {
            self.markers.send(output, time, &snapshot.vehicles, &snapshot.surroundings, FORCE_SCALE)?;
            self.bodies.send(output, time, scene, &snapshot.truth)?;
        }
        if let (Some(topic), false) = (&mut self.diagnostics, snapshot.diagnostics.is_empty()) {
            topic.message.header.stamp = fill::stamp(time);
            topic.message.status.clone_from(&snapshot.diagnostics);
            topic.send(output, time)?;
        }
        Ok(())
    }
}

/// The topics of a vehicle.
pub(super) struct VehicleDrawings {
    markers: Option<VehicleMarkers<RecordChannel>>,
    description: Option<RecordTopic<Text>>,
}

impl VehicleDrawings {
    pub(super) fn new(
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        topics: &mut Topics<'_>,
    ) -> Result<VehicleDrawings, RecordError> {
        let markers = match markers::are_free(names.preset) {
            true => Some(VehicleMarkers::new(topics, vehicle, names, PATHS_EVERY)?),
            false => None,
        };
        let name = names.description_topic();
        // As the node does: whatever else has this name keeps it.
        let is_taken =
            topics.output.names().iter().any(|taken| taken.trim_start_matches('/') == name.trim_start_matches('/'));
        let description = match is_taken {
            true => None,
            false => {
                let data = Robot::new(vehicle, names)
                    .to_xml()
                    .map_err(|error| RecordError::new(&topics.output.place, format!("topic \"{name}\": {error}")))?;
                topics.announce(&name, Quality::Latched, Text { data })?
            }
        };
        Ok(VehicleDrawings { markers, description })
    }

    /// Writes the description.
    pub(super) fn write_fixed(&mut self, output: &mut McapOutput, time: SimTime) -> Result<(), RecordError> {
        self.description.as_mut().map_or(Ok(()), |description| description.send(output, time))
    }

    /// Writes the markers.
    pub(super) fn write(
        &mut self,
        output: &mut McapOutput,
        time: SimTime,
        vehicle: &VehicleFrame,
    ) -> Result<(), RecordError> {
        self.markers.as_mut().map_or(Ok(()), |markers| markers.send(output, time, vehicle, FORCE_SCALE))
    }

    /// Removes the markers from viewers.
    pub(super) fn remove(&mut self, output: &mut McapOutput, time: SimTime) -> Result<(), RecordError> {
        self.markers.as_mut().map_or(Ok(()), |markers| markers.remove(output, time))
    }
}
