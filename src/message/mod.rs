//! The messages that skidpad sends, each defined once for both outputs: recordings and the topics of the node.
//!
//! ```text
//!  VehicleSnapshot ──▶ content: message and function that fills it ──▶ Topic ──▶ cdr ──▶ Channel: recording, publisher
//! ```
//!
//! | What | Where |
//! |---|---|
//! | messages, field by field, with their ROS names | `standard.rs`, `skidpad.rs`, `vehicle_state.rs`, `vesc.rs`, `marker.rs`, `diagnostic.rs` |
//! | the message of each [`Content`](crate::preset::Content) | `content.rs` |
//! | how the numbers of a simulation become fields | `fill.rs` |
//! | topics that vehicles, maps and `<publish>` have | `vehicle.rs`, `sensor.rs`, `driver.rs`, `map.rs`, `poses.rs` |
//! | quality of service, and the traits of a writer of messages | `topic.rs` |
//! | bytes | `cdr.rs`, and the definitions of all messages in `schema.rs` |
//!
//! Nothing here knows middleware, files or threads.

use serde::Serialize;

/// Gives messages their ROS types, `shared` ones (see [`Message::SHARED`]) with that word, and the definitions of those that recordings
/// hold.
macro_rules! types {
    ($($message:ident: $name:literal $($shared:ident)? $(= $definition:literal)?;)*) => {
        $(impl $crate::message::Message for $message {
            const TYPE: &'static str = $name;
            $(const SHARED: bool = stringify!($shared).len() > 0;)?
            $(const DEFINITION: &'static str = $definition;)?
        })*

        /// Types with their definitions.
        pub(super) const DEFINITIONS: &[(&str, &str)] =
            &[$(($name, <$message as $crate::message::Message>::DEFINITION)),*];
    };
}

pub mod cdr;
pub mod content;
mod diagnostic;
mod driver;
pub mod fill;
mod map;
mod marker;
mod outline;
pub mod page;
mod poses;
mod schema;
mod sensor;
mod skidpad;
mod standard;
mod topic;
mod vehicle;
mod vehicle_state;
mod vesc;

pub use cdr::CdrError;
pub use diagnostic::{DiagnosticArray, DiagnosticStatus, KeyValue};
pub use driver::{DriverMessages, fill_timed_vector, timed_vector};
pub use map::MapMessages;
pub use marker::{ColorRGBA, CompressedImage, Duration, Marker, MarkerArray, MeshFile, UVCoordinate};
pub use poses::PoseMessages;
pub use schema::definition;
pub use sensor::SensorMessages;
pub use skidpad::{Pedals, Statistics, WheelState, WheelStates};
pub use standard::{
    AckermannDrive, AckermannDriveStamped, Bool, Clock, Covariance, Float32, Float64, Float64MultiArray, Header, Imu,
    Int32, JointState, LaserScan, MapMetaData, MultiArrayDimension, MultiArrayLayout, OccupancyGrid, Odometry, Point32,
    Polygon, PolygonStamped, Pose, PoseArray, PoseStamped, PoseWithCovariance, PoseWithCovarianceStamped, Quaternion,
    TFMessage, Text, Time, Transform, TransformStamped, Twist, TwistWithCovariance, Vector3,
};
pub use topic::{Announce, Channel, ErrorOf, Kind, Quality, Topic};
pub use vehicle::{Moment, VehicleMessages};
pub use vehicle_state::VehicleState;
pub use vesc::{VescImu, VescImuStamped, VescState, VescStateStamped};

/// A ROS message, or a part of one.
pub trait Message: Serialize {
    /// Its type, `package/msg/Name`.
    const TYPE: &'static str;
    /// Its fields, one a line, as in the file of its definition; empty for one that no recording holds.
    const DEFINITION: &'static str = "";
    /// Whether several bodies may share one topic: the message names its body, or the world file asks for it.
    const SHARED: bool = false;

    /// Appends the message as CDR with its encapsulation to `bytes`.
    ///
    /// # Errors
    /// As [`cdr::write`].
    fn write(&self, bytes: &mut Vec<u8>) -> Result<(), CdrError>
    where
        Self: Sized,
    {
        cdr::write(self, bytes)
    }
}

/// A message of any type.
pub trait AnyMessage {
    /// As [`Message::write`].
    ///
    /// # Errors
    /// As [`cdr::write`].
    fn append_to(&self, bytes: &mut Vec<u8>) -> Result<(), CdrError>;
}

impl<M: Message> AnyMessage for M {
    fn append_to(&self, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
        self.write(bytes)
    }
}

#[cfg(test)]
mod tests;
