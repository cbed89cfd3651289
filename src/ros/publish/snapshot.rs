//! The data published of one instant, as the sink copies them for the publisher thread, and the values that the sink shares with other
//! threads.

use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, Mutex};

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::copy::{SensorSnapshot, VehicleSnapshot};
use skidpad_ros_data::interface::poses::PoseSnapshot;
use skidpad_ros_data::message::markers::Surroundings;
use skidpad_ros_data::message::{AutowareDesk, BodySnapshot, StampLine};

use crate::graph::topic_layout::TopicLayout;

/// The data due at one instant, copied.
#[derive(Debug, Default)]
pub(crate) struct PublishSnapshot {
    /// The stamp of everything in it.
    pub time: SimTime,
    /// The layout whose indices its lists use; none before it is first filled.
    pub layout: Option<Arc<TopicLayout>>,
    /// Whether a clock message is sent; always when anything else is, unless the clock is switched off.
    pub clock: bool,
    /// Whether it contains only the clock, and another snapshot follows soon anyway.
    pub may_wait: bool,
    /// Whether the topics of each [`Pace`] are due.
    pub states: [bool; 2],
    /// Whether the transforms of all vehicles are due: with every clock message, so that transforms at the time of the newest one can be
    /// looked up. Those of a vehicle whose sensor has a reading are always due.
    pub has_transforms: bool,
    /// Whether there has been an instant to publish: a step, or the start, where time stands there.
    pub has_begun: bool,
    /// The stamps in place of those of simulated time.
    pub stamps: Option<StampLine>,
    /// The values of the parameters.
    pub settings: PublishSettings,
    /// What Autoware has commanded.
    pub desk: AutowareDesk,
    /// One entry per vehicle; those with nothing due keep their previous data.
    pub vehicles: Vec<VehicleSnapshot>,
    /// One entry per sensor, vehicles in order.
    pub sensors: Vec<SensorSnapshot>,
    /// One entry per `<publish>` of the world.
    pub poses: Vec<PoseSnapshot>,
    /// Whether markers are due.
    pub markers: bool,
    /// Whether the topics of the logs are due.
    pub logs: bool,
    /// Whether the topics of the bodies are due.
    pub has_bodies: bool,
    /// Poses and velocities of all bodies, if their topics are due.
    pub bodies: BodySnapshot,
    /// Poses of everything that moves beside vehicles, if markers are due.
    pub surroundings: Surroundings,
}

impl PublishSnapshot {
    /// Its size in memory, but for small parts, with what its buffers keep of earlier instants [bytes].
    pub(super) fn bytes(&self) -> usize {
        let vehicles = self.vehicles.iter().map(VehicleSnapshot::bytes);
        let sensors = self.sensors.iter().map(SensorSnapshot::bytes);
        vehicles.chain(sensors).sum()
    }

    /// Resets the snapshot so that nothing is due, and keeps its buffers.
    pub(super) fn clear(&mut self) {
        (self.clock, self.may_wait, self.has_transforms) = (false, false, false);
        self.states = [false; 2];
        (self.markers, self.logs, self.has_bodies) = (false, false, false);
        self.sensors.iter_mut().for_each(|sensor| sensor.fresh = false);
        let vehicles = self.layout.as_ref().map_or(0, |layout| layout.scene.vehicles.len());
        self.vehicles.resize_with(vehicles, VehicleSnapshot::default);
        for vehicle in &mut self.vehicles {
            (vehicle.collided, vehicle.senses, vehicle.tracked) = (false, false, false);
        }
        self.poses.iter_mut().for_each(|pose| pose.fresh = false);
    }
}

/// The parameters that the publishing side reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PublishSettings {
    /// Odometry and states per simulated second [Hz].
    pub odom_rate: f64,
    /// Joint states per simulated second [Hz], if they have a rate of their own.
    pub joint_rate: f64,
    /// Whether joint states have a rate of their own.
    pub has_joint_pace: bool,
    /// Clock messages per simulated second [Hz].
    pub clock_rate: f64,
    /// Whether time runs as fast as the processor allows.
    pub free_running: bool,
    /// Whether to publish the clock.
    pub publish_clock: bool,
    /// Whether to publish odom → base_footprint.
    pub publish_tf: bool,
    /// Whether to publish map → odom.
    pub publish_map_to_odom: bool,
    /// Messages with moving markers per simulated second [Hz].
    pub marker_rate: f64,
    /// Messages with all bodies per simulated second [Hz].
    pub body_rate: f64,
    /// Length of the arrow of a force [m/N]; 0: as fits the vehicle.
    pub force_scale: f64,
    /// Messages on the topics of the logs per simulated second [Hz].
    pub log_rate: f64,
    /// Stamp offset of map → odom [ns].
    pub map_to_odom_offset: SimTime,
    /// Whether to publish the transforms that never change.
    pub publish_static_tf: bool,
}

/// Settings that the parameter services change while the sink reads them.
pub(crate) type SharedSettings = Arc<Mutex<PublishSettings>>;

/// Facts of the last frame, for threads that do not wait for frames.
#[derive(Debug, Default)]
pub(crate) struct Latest {
    /// Its simulated time [ns]; 0 before the first.
    pub time: AtomicI64,
    /// Whether a vehicle has a driver in this process.
    pub has_driver: AtomicBool,
    /// Whether the topics of all bodies have subscribers, as of the last snapshot that was published.
    pub has_body_listeners: AtomicBool,
}

/// The last frame, shared.
pub(crate) type SharedLatest = Arc<Latest>;
