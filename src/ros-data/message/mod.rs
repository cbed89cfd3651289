//! The messages that skidpad sends, each defined once for both outputs: recordings and the topics of the node.
//!
//! ```text
//!  VehicleSnapshot ──▶ content: message and function that fills it ──▶ TopicWriter ──▶ cdr ──▶ TopicChannel: recording, publisher
//! ```
//!
//! | What | Where |
//! |---|---|
//! | messages, field by field, with their ROS names | `standard.rs`, `skidpad.rs`, `vehicle_state.rs`, `vesc.rs`, `autoware.rs`, `gnss.rs`, `encoder.rs`, `contact.rs`, `range.rs`, `image.rs`, `marker.rs`, `diagnostic.rs`, `vision.rs` |
//! | the message of each [`Content`](crate::preset::Content) | `content.rs` |
//! | how the numbers of a simulation become fields | `fill.rs` |
//! | commands, from messages and to messages | `commands.rs`; those that several messages make, `joint_intake.rs`, `autoware_desk.rs` |
//! | messages of cameras and clouds | `camera.rs`, `cloud.rs`; compressed pictures, read again, `compressed.rs` |
//! | topics that vehicles, maps, labels and `<publish>` have | `vehicle.rs`, `sensor.rs`, `driver.rs`, `map.rs`, `labels.rs`, `poses.rs`; those of all bodies, `bodies.rs` |
//! | quality of service, and the traits of a writer of messages | `topic.rs` |
//! | stamps by another clock than the simulation's | `stamps.rs` |
//! | drawings of vehicles and the world | `markers/` |
//! | how large messages become | `size.rs` |
//! | bytes | `cdr.rs`, and the definitions of all messages in `schema.rs` |
//!
//! Nothing here knows middleware, files or threads.

use std::any::Any;

use serde::Serialize;

/// Declares messages. Each has its ROS name, the constants of its definition, further traits to derive, `shared` where [`Message::SHARED`] holds,
/// and its fields. A field with another name or type in ROS is followed by `as` and its lines of the definition. Fields after a `;` have `f64` only, and are
/// written as blocks: number by number they would take most of the time of a message.
macro_rules! messages {
    ($(
        $(#[$about:meta])*
        $message:ident = $name:literal $(+ $constants:literal)? $([$($derived:ident),*])? $($shared:ident)? {
            $($(#[$says:meta])* $field:ident: $kind:ty $(as $lines:literal)?,)*
            $(; $($(#[$number_says:meta])* $number:ident: $number_kind:ty $(as $number_lines:literal)?,)*)?
        }
    )*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            $(#[$about])*
            #[derive(Clone, Debug, Default, PartialEq, $($($derived,)*)? serde::Serialize, serde::Deserialize)]
            pub struct $message {
                $($(#[$says])* pub $field: $kind,)*
                $($($(#[$number_says])* pub $number: $number_kind,)*)?
            }

            impl $crate::message::Message for $message {
                const TYPE: &'static str = $name;
                $(const SHARED: bool = stringify!($shared).len() > 0;)?

                fn definition() -> String {
                    let fields = [
                        $(messages!(@lines $field, $kind $(, $lines)?),)*
                        $($(messages!(@lines $number, $number_kind $(, $number_lines)?),)*)?
                    ];
                    concat!($($constants)?).to_owned() + &fields.concat()
                }

                messages!(@write [$($field)*] $($($number)*)?);
            }
        )*

        /// The types of this file with their definitions.
        pub(super) const DEFINITIONS: &[(&str, fn() -> String)] =
            &[$(($name, <$message as $crate::message::Message>::definition)),*];
    };
    (@write [$($field:ident)*]) => {};
    (@write [$($field:ident)*] $($number:ident)+) => {
        fn write(
            &self,
            stamps: Option<&$crate::message::StampLine>,
            bytes: &mut Vec<u8>,
        ) -> Result<(), $crate::message::CdrError> {
            $crate::message::cdr::write_before_doubles(&($(&self.$field,)*), stamps, bytes)?;
            $($crate::message::cdr::Doubles::append_to(&self.$number, bytes);)+
            Ok(())
        }
    };
    (@lines $field:ident, $kind:ty) => {
        format!("{} {}\n", <$kind as $crate::message::Field>::ros_type(), stringify!($field))
    };
    (@lines $field:ident, $kind:ty, $lines:literal) => {
        concat!($lines, "\n").to_owned()
    };
}

pub mod autoware;
pub mod autoware_desk;
mod bodies;
mod camera;
pub mod cdr;
mod cloud;
pub mod commands;
pub mod compressed;
pub mod content;
mod diagnostic;
mod driver;
pub mod fill;
mod image;
pub mod joint_intake;
mod labels;
mod map;
mod marker;
pub mod markers;
mod outline;
mod poses;
pub mod preset_tables;
mod scan_points;
mod schema;
mod sensor;
mod skidpad;
mod stamps;
mod standard;
mod topic;
mod vehicle;
mod vehicle_state;
mod vesc;
mod vision;

pub use autoware_desk::{AutowareDesk, SharedDesk};
pub use bodies::{BODY_TOPICS, BodyMessages, BodySnapshot};
pub use cdr::CdrError;
pub use cloud::{PointCloud2, PointField};
pub use diagnostic::{DiagnosticArray, DiagnosticStatus, KeyValue};
pub use driver::{DriverMessages, fill_timed_vector, timed_vector};
pub use image::{CameraInfo, CompressedImage, Image, RegionOfInterest};
pub use labels::{LABEL_TABLE, LabelMessages, label_color, label_table};
pub use map::{MapMessages, map_data};
pub use marker::{ColorRGBA, Duration, Marker, MarkerArray, MeshFile, UVCoordinate};
pub use poses::PoseMessages;
pub use schema::definition;
pub use sensor::contact::{Contact, Contacts};
pub use sensor::encoder::Int64MultiArray;
pub use sensor::gnss::{NavSatFix, NavSatStatus, TwistWithCovarianceStamped};
pub use sensor::magnetometer::MagneticField;
pub use sensor::range::Range;
pub use sensor::{SensorMessages, contact, encoder, gnss, magnetometer, range, sample_data};
pub use skidpad::{Bodies, Body, Pedals, Statistics, WheelState, WheelStates};
pub use stamps::StampLine;
pub use standard::{
    Accel, AccelWithCovariance, AccelWithCovarianceStamped, AckermannDrive, AckermannDriveStamped, Bool, Clock,
    Covariance, Float32, Float64, Float64MultiArray, Header, Imu, Int32, JointState, LaserScan, MapMetaData,
    MultiArrayDimension, MultiArrayLayout, OccupancyGrid, Odometry, Point32, Polygon, PolygonStamped, Pose, PoseArray,
    PoseStamped, PoseWithCovariance, PoseWithCovarianceStamped, Quaternion, TFMessage, Text, Time, Transform,
    TransformStamped, Twist, TwistStamped, TwistWithCovariance, Vector3,
};
pub use topic::{Announce, ErrorOf, Kind, Quality, TopicChannel, TopicWriter};
pub use vehicle::{Moment, VehicleMessages};
pub use vehicle_state::VehicleState;
pub use vesc::{VescImu, VescImuStamped, VescState, VescStateStamped};
pub use vision::{Detection2DArray, Detection3DArray};

/// A ROS message, or a part of one.
pub trait Message: Serialize + Send + 'static {
    /// Its type, `package/msg/Name`.
    const TYPE: &'static str;
    /// Whether several bodies may share one topic: the message names its body, or the world file asks for it.
    const SHARED: bool = false;

    /// Its fields, one a line, as in the file of its definition.
    fn definition() -> String
    where
        Self: Sized;

    /// Appends the message as CDR with its encapsulation to `bytes`, with the stamps of `stamps` if there are other ones than those of simulated time.
    ///
    /// # Errors
    /// As [`cdr::write`].
    fn write(&self, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<(), CdrError>
    where
        Self: Sized,
    {
        cdr::write(self, stamps, bytes)
    }
}

/// A message of any type.
pub trait AnyMessage {
    /// As [`Message::write`].
    ///
    /// # Errors
    /// As [`cdr::write`].
    fn append_to(&self, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<(), CdrError>;

    /// The message, for code that knows some types.
    fn as_any(&self) -> &dyn Any;
}

impl<M: Message> AnyMessage for M {
    fn append_to(&self, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
        self.write(stamps, bytes)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests;

/// The type of a message's field.
trait Field {
    /// Its name in definitions, such as `float64[]`.
    fn ros_type() -> String;
}

impl<M: Message> Field for M {
    fn ros_type() -> String {
        M::TYPE.replacen("/msg/", "/", 1)
    }
}

impl<T: Field> Field for Vec<T> {
    fn ros_type() -> String {
        format!("{}[]", T::ros_type())
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    fn ros_type() -> String {
        format!("{}[{N}]", T::ros_type())
    }
}

macro_rules! primitive_fields {
    ($($kind:ty: $name:literal),*) => {
        $(impl Field for $kind {
            fn ros_type() -> String {
                $name.to_owned()
            }
        })*
    };
}

primitive_fields! {
    bool: "bool", i8: "int8", u8: "uint8", u16: "uint16", i32: "int32", u32: "uint32", i64: "int64", u64: "uint64", f32: "float32", f64: "float64", String: "string"
}
