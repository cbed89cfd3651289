//! The messages of preset topics: for each [`Content`] the message, the function that fills it, and a description.

use skidpad_math::time::SimTime;
use skidpad_sim::world::{VehicleFrame, VehicleInfo};

use super::autoware::{
    ControlModeReport, GearReport, HazardLightsReport, SteeringReport, TurnIndicatorsReport, VelocityReport,
};
use super::{
    AccelWithCovarianceStamped, AnyMessage, AutowareDesk, Bool, Float32, Float64, Int32, JointState, Kind, Message,
    VescImuStamped, VescStateStamped, fill, outline,
};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::laps::Laps;
use crate::interface::names::VehicleNames;
use crate::interface::rules;
use crate::interface::vesc::{self, MotorState};
use crate::preset::{AutowareReport, Content, SKIDPAD, WheelQuantity};

/// One instant of one vehicle.
pub struct Instant<'a> {
    /// Its simulated time [ns].
    pub time: SimTime,
    /// Time [s] since the topics of this pace were last sent.
    pub seconds: f64,
    /// The vehicle.
    pub vehicle: &'a VehicleSnapshot,
    /// The opponent of the vehicle, for topics of systems that have one.
    pub opponent: Option<&'a VehicleFrame>,
    /// What Autoware has commanded.
    pub desk: &'a AutowareDesk,
}

/// Builds the messages of one topic.
pub(crate) trait MessageSource: Send {
    /// Type of the messages.
    fn kind(&self) -> Kind;

    /// The message at this instant; none if nothing is to be sent.
    fn at(&mut self, instant: &Instant<'_>) -> Option<&dyn AnyMessage>;
}

/// The content of a topic.
pub(crate) struct TopicContent {
    /// Description for users.
    pub description: String,
    /// Whether there is only one message.
    pub is_once: bool,
    /// Builds the messages of the topic.
    pub source: Box<dyn MessageSource>,
}

/// The message type of a content.
pub fn type_name(content: Content) -> &'static str {
    topic_content(content, &VehicleInfo::default(), &VehicleNames::new(&SKIDPAD, "", false, false)).source.kind().name
}

/// The content of a vehicle's topic.
pub(crate) fn topic_content(content: Content, vehicle: &VehicleInfo, names: &VehicleNames) -> TopicContent {
    match content {
        Content::WheelOdometry(frame, child) => always(
            format!("odometry of the wheels, `{frame}` → `{child}`"),
            fill::odometry(&names.frame(frame), &names.frame(child)),
            |at, message| fill::fill_odometry(at.time, &at.vehicle.frame, message),
        ),
        Content::GroundTruth(frame, child, in_world) => always(
            format!("the truth, `{frame}` → `{child}`"),
            fill::ground_truth(&names.frame(frame), &names.frame(child), !in_world),
            move |at, message| fill::fill_ground_truth(at.time, &at.vehicle.frame, in_world, message),
        ),
        Content::OtherTruth(frame, child) => sometimes(
            format!("the truth of the opponent, `{frame}` → its `{child}`"),
            fill::ground_truth(&names.frame(frame), &names.opponent_frame(child), true),
            |at, message| {
                let fill = |opponent| fill::fill_ground_truth(at.time, opponent, false, message);
                at.opponent.map(fill).is_some()
            },
        ),
        Content::JointStates => {
            let joints = rules::joints(vehicle, names.preset.joints);
            always("angles, rates and torques of the joints", fill::joint_states(&joints, names), move |at, message| {
                fill::fill_joint_states(at.time, &joints, &at.vehicle.frame, at.seconds, message);
            })
        }
        Content::JointFeedback => {
            let joints = rules::joints(vehicle, names.preset.joints);
            let empty = JointState { effort: Vec::new(), ..fill::joint_states(&joints, names) };
            always("angles and rates of the joints", empty, move |at, message| {
                fill::fill_joint_states(at.time, &joints, &at.vehicle.frame, at.seconds, message);
            })
        }
        Content::WheelStates => {
            always("slip, forces and torques of the wheels", fill::wheel_states(vehicle, names), |at, message| {
                fill::fill_wheel_states(at.time, &at.vehicle.frame, message)
            })
        }
        Content::VehicleState => always("all that viewers show", fill::vehicle_state(names), |at, message| {
            fill::fill_vehicle_state(at.time, &at.vehicle.frame, message);
        }),
        Content::Collision => {
            always("whether it has touched something since the last message", Bool::default(), |at, message| {
                message.data = at.vehicle.collided;
            })
        }
        Content::Overturned => {
            always("whether it has tipped over and lies on its side or roof", Bool::default(), |at, message| {
                message.data = at.vehicle.frame.is_overturned;
            })
        }
        Content::Wheel(quantity, index) => {
            let description = match quantity {
                WheelQuantity::SlipRatio => "slip ratio [-]",
                WheelQuantity::SlipAngle => "slip angle [rad]",
                WheelQuantity::ForceX => "force along [N]",
                WheelQuantity::ForceY => "force across [N]",
            };
            sometimes(format!("{description}, wheel {index}"), Float64::default(), move |at, message| {
                let wheel = at.vehicle.frame.wheels.get(index);
                wheel.map(|wheel| message.data = rules::wheel_quantity(wheel, quantity)).is_some()
            })
        }
        Content::Imu(frame) => always(
            format!("attitude, yaw rate, acceleration with gravity: the truth, in `{frame}`"),
            fill::imu(&names.frame(frame)),
            |at, message| fill::fill_imu(at.time, &at.vehicle.frame, message),
        ),
        Content::PoseEstimate(frame) => {
            always(format!("the true pose, in `{frame}`"), fill::pose_estimate(&names.frame(frame)), |at, message| {
                message.header.stamp = fill::stamp(at.time);
                message.pose.pose = fill::pose(at.vehicle.frame.world_from_body);
            })
        }
        Content::PoseCloud(frame) => always(
            format!("the true pose as the only particle, in `{frame}`"),
            fill::pose_cloud(&names.frame(frame)),
            |at, message| {
                message.header.stamp = fill::stamp(at.time);
                message.poses.fill(fill::pose(at.vehicle.frame.world_from_body));
            },
        ),
        Content::LapCount => {
            let mut laps = Laps::default();
            always("whole laps since the start or the last teleport", Int32::default(), move |at, message| {
                laps.update(at.time, &at.vehicle.frame);
                message.data = laps.count;
            })
        }
        Content::LapTime => {
            let mut laps = Laps::default();
            always("duration of the last whole lap [s], 0 before", Float32::default(), move |at, message| {
                laps.update(at.time, &at.vehicle.frame);
                message.data = laps.last as f32;
            })
        }
        Content::ChassisMarkers(frame) => {
            let places = outline::places(vehicle);
            always(
                format!("outlines of chassis and wheels, in `{frame}`"),
                outline::markers(vehicle, &names.frame(frame)),
                move |at, message| outline::steer(&places, &at.vehicle.frame, message),
            )
        }
        Content::ChassisPolygon => once("outline of the chassis [m]", fill::polygon(&vehicle.outline)),
        Content::VescState => {
            let mut motor = MotorState::default();
            let description = "electrical speed [1/min], tachometer, duty cycle";
            always(description, VescStateStamped::default(), move |at, message| {
                motor.advance(&at.vehicle.frame, at.seconds);
                fill::fill_vesc_state(at.time, &motor, message);
            })
        }
        Content::VescImu => {
            let description = "the truth, angles and rates in degrees, accelerations in g";
            always(description, VescImuStamped::default(), |at, message| {
                fill::fill_vesc_imu(at.time, &at.vehicle.frame, message);
            })
        }
        Content::ServoPosition => {
            always("position of the steering servo, 0 to 1", Float64::default(), |at, message| {
                message.data = vesc::servo(&at.vehicle.frame);
            })
        }
        Content::Acceleration(frame) => {
            let empty = AccelWithCovarianceStamped {
                header: fill::header(SimTime::ZERO, &names.frame(frame)),
                ..AccelWithCovarianceStamped::default()
            };
            always(format!("the true acceleration, in `{frame}`"), empty, |at, message| {
                message.header.stamp = fill::stamp(at.time);
                let felt = at.vehicle.frame.acceleration_in_body;
                message.accel.accel.linear = fill::vector(felt.x, felt.y, 0.0);
            })
        }
        Content::Autoware(report) => autoware_report(report, vehicle, names),
    }
}

/// A report of a vehicle to Autoware.
fn autoware_report(report: AutowareReport, vehicle: &VehicleInfo, names: &VehicleNames) -> TopicContent {
    match report {
        AutowareReport::Velocity(frame) => {
            let header = fill::header(SimTime::ZERO, &names.frame(frame));
            let empty = VelocityReport { header, ..VelocityReport::default() };
            always(format!("speeds and yaw rate, the truth, in `{frame}`"), empty, |at, message| {
                message.header.stamp = fill::stamp(at.time);
                let moves = at.vehicle.frame.velocity_in_body;
                [message.longitudinal_velocity, message.lateral_velocity, message.heading_rate] =
                    [moves.vx, moves.vy, moves.wz].map(|number| number as f32);
            })
        }
        AutowareReport::Steering => {
            let (linkage, bias) = (rules::Linkage::of(vehicle), vehicle.steering_bias);
            let description = "steering angle of the front wheels as of one, with `steer_bias`";
            always(description, SteeringReport::default(), move |at, message| {
                message.stamp = fill::stamp(at.time);
                message.steering_tire_angle = (linkage.steering_angle(&at.vehicle.frame) + bias) as f32;
            })
        }
        AutowareReport::Gear => always("the commanded gear", GearReport::default(), |at, message| {
            *message = GearReport { stamp: fill::stamp(at.time), report: at.desk.gear() };
        }),
        AutowareReport::ControlMode => always("who drives", ControlModeReport::default(), |at, message| {
            *message = ControlModeReport { stamp: fill::stamp(at.time), mode: at.desk.seat.mode() };
        }),
        AutowareReport::TurnIndicators => {
            sometimes("as commanded, from the first command on", TurnIndicatorsReport::default(), |at, message| {
                let fill = |report| *message = TurnIndicatorsReport { stamp: fill::stamp(at.time), report };
                at.desk.turn_indicators.map(fill).is_some()
            })
        }
        AutowareReport::HazardLights => {
            sometimes("as commanded, from the first command on", HazardLightsReport::default(), |at, message| {
                let fill = |report| *message = HazardLightsReport { stamp: fill::stamp(at.time), report };
                at.desk.hazard_lights.map(fill).is_some()
            })
        }
    }
}

/// A message that is filled and sent every time.
fn always<M: Message + Send + 'static>(
    description: impl Into<String>,
    message: M,
    mut fill: impl FnMut(&Instant<'_>, &mut M) + Send + 'static,
) -> TopicContent {
    sometimes(description, message, move |at, message| {
        fill(at, message);
        true
    })
}

/// A message that is sent if `fill` returns true.
fn sometimes<M: Message + Send + 'static>(
    description: impl Into<String>,
    message: M,
    fill: impl FnMut(&Instant<'_>, &mut M) -> bool + Send + 'static,
) -> TopicContent {
    TopicContent { description: description.into(), is_once: false, source: Box::new(Filled { message, fill }) }
}

/// A message that never changes and is sent once.
fn once<M: Message + Send + 'static>(description: &str, message: M) -> TopicContent {
    let mut is_sent = false;
    let once = sometimes(description, message, move |_, _| !std::mem::replace(&mut is_sent, true));
    TopicContent { is_once: true, ..once }
}

/// A message with the function that fills it and returns whether to send it.
struct Filled<M, F> {
    message: M,
    fill: F,
}

impl<M: Message + Send, F: FnMut(&Instant<'_>, &mut M) -> bool + Send> MessageSource for Filled<M, F> {
    fn kind(&self) -> Kind {
        Kind::of::<M>()
    }

    fn at(&mut self, instant: &Instant<'_>) -> Option<&dyn AnyMessage> {
        (self.fill)(instant, &mut self.message).then_some(&self.message)
    }
}
