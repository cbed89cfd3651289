//! Content and rate of published topics, and the topics of commands.

use crate::message::commands::InputKind;

/// A topic of a vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// Its name; relative ones are below the vehicle's namespace if there are several vehicles.
    pub name: &'static str,
    /// Its content.
    pub content: Content,
    /// When it is published.
    pub pace: Pace,
    /// Whether late subscribers receive the last message.
    pub latched: bool,
    /// Condition for it to exist.
    pub condition: Condition,
}

impl Topic {
    /// A topic that is always published.
    pub const fn new(name: &'static str, content: Content, pace: Pace) -> Topic {
        Topic { name, content, pace, latched: false, condition: Condition::Always }
    }

    /// The same topic, latched.
    pub(super) const fn latched(mut self) -> Topic {
        self.latched = true;
        self
    }

    /// The same topic under a condition.
    pub(super) const fn when(mut self, condition: Condition) -> Topic {
        self.condition = condition;
        self
    }
}

/// Condition for a topic to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It always exists.
    Always,
    /// The parameter `publish_map_to_odom` is on at the start.
    Localized,
    /// Its body is on springs.
    OnSprings,
    /// There are several vehicles.
    WithOthers,
    /// The parameter `teleport_topics` is on.
    Teleports,
    /// The parameter `kb_teleop` of the preset is on.
    Keyboard,
    /// This is the first vehicle.
    First,
    /// It is the first vehicle, and the parameter `teleport_topics` is on.
    TeleportsFirst,
    /// It is not the first vehicle, and the parameter `teleport_topics` is on.
    TeleportsOthers,
}

/// The facts about a vehicle and the parameters that conditions depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VehicleContext {
    /// It is the first vehicle.
    pub first: bool,
    /// Its body is on springs.
    pub on_springs: bool,
    /// There are other vehicles.
    pub with_others: bool,
    /// `publish_map_to_odom` is on.
    pub localized: bool,
    /// `teleport_topics` is on.
    pub teleports: bool,
    /// `kb_teleop` is on.
    pub keyboard: bool,
}

impl Condition {
    /// Whether the condition holds.
    pub fn holds(self, vehicle: &VehicleContext) -> bool {
        match self {
            Condition::Always => true,
            Condition::Localized => vehicle.localized,
            Condition::OnSprings => vehicle.on_springs,
            Condition::WithOthers => vehicle.with_others,
            Condition::Teleports => vehicle.teleports,
            Condition::Keyboard => vehicle.keyboard && vehicle.first,
            Condition::First => vehicle.first,
            Condition::TeleportsFirst => vehicle.teleports && vehicle.first,
            Condition::TeleportsOthers => vehicle.teleports && !vehicle.first,
        }
    }
}

/// When a topic is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// With the odometry.
    Odometry,
    /// At the preset's second rate, [`Preset::second_rate`](super::Preset).
    Second,
}

/// Content of a topic; `topic_content` builds its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The wheel odometry, in these frames (of the pose, of the twist).
    WheelOdometry(&'static str, &'static str),
    /// The ground truth, in these frames; true: the twist in the world's axes, and covariances of zero.
    GroundTruth(&'static str, &'static str, bool),
    /// The ground truth of another vehicle, in that vehicle's frames: of the second vehicle for the first, of the first for all others.
    OtherTruth(&'static str, &'static str),
    /// Angles, rates and torques of the joints.
    JointStates,
    /// Angles and rates of the joints, as a hardware interface of ros2_control reads them: without torques, as it ends with what it has no
    /// state interface for.
    JointFeedback,
    /// Slip, forces and torque of all wheels in one message.
    WheelStates,
    /// The state of a vehicle that viewers show; recordings contain it under every preset.
    VehicleState,
    /// Whether the vehicle has touched something.
    Collision,
    /// Whether the vehicle has tipped over and lies on its side or roof.
    Overturned,
    /// One quantity of the wheel with this index.
    Wheel(WheelQuantity, usize),
    /// Attitude, yaw rate and acceleration with gravity, of the true motion, in this frame, whose axes are the body's.
    Imu(&'static str),
    /// The true pose in this frame like the output of a localization, with a covariance of zero.
    PoseEstimate(&'static str),
    /// That pose as a cloud of a single particle.
    PoseCloud(&'static str),
    /// Laps since the start or the last teleport.
    LapCount,
    /// Duration of the last whole lap [s]; 0 before.
    LapTime,
    /// Outline of the chassis and of the wheels, as markers in this frame.
    ChassisMarkers(&'static str),
    /// Outline of the chassis.
    ChassisPolygon,
    /// State of the motor controller.
    VescState,
    /// The motor controller's inertial measurement.
    VescImu,
    /// Position of the steering servo, 0 to 1.
    ServoPosition,
    /// The true acceleration, in this frame, whose axes are the body's.
    Acceleration(&'static str),
    /// A report of a vehicle to Autoware.
    Autoware(AutowareReport),
}

impl Content {
    /// Whether its messages repeat what nodes beside the simulator have commanded, which a run that is made again does not hear.
    pub fn is_echo(self) -> bool {
        use AutowareReport::{ControlMode, Gear, HazardLights, TurnIndicators};
        matches!(self, Content::Autoware(Gear | ControlMode | TurnIndicators | HazardLights))
    }
}

/// A report of a vehicle to Autoware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutowareReport {
    /// Speed and yaw rate, in this frame.
    Velocity(&'static str),
    /// The steering angle that it measures.
    Steering,
    /// The commanded gear.
    Gear,
    /// Who drives.
    ControlMode,
    /// The turn indicators, once they have been commanded.
    TurnIndicators,
    /// The hazard lights, likewise.
    HazardLights,
}

/// A quantity of one wheel, in the wheel frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelQuantity {
    /// Slip ratio [-].
    SlipRatio,
    /// Slip angle [rad].
    SlipAngle,
    /// Force of the ground along its rolling direction [N].
    ForceX,
    /// Force of the ground to its left [N].
    ForceY,
}

/// A command topic.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its name, as in [`Topic`].
    pub name: &'static str,
    /// Its kind of command.
    pub kind: InputKind,
    /// Condition for the subscription.
    pub condition: Condition,
}

impl Input {
    /// A topic that is always subscribed to.
    pub(super) const fn new(name: &'static str, kind: InputKind) -> Input {
        Input { name, kind, condition: Condition::Always }
    }

    /// The same topic under a condition.
    pub(super) const fn when(mut self, condition: Condition) -> Input {
        self.condition = condition;
        self
    }
}

/// Effect of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Resets everything to its initial state; simulated time continues.
    Reset,
    /// Pauses (true) or continues (false).
    Pause(bool),
    /// Autoware drives, or a driver does.
    ControlMode,
}

impl Service {
    /// Its type.
    pub fn type_name(self) -> &'static str {
        match self {
            Service::Reset | Service::Pause(_) => "std_srvs/srv/Empty",
            Service::ControlMode => "autoware_vehicle_msgs/srv/ControlModeCommand",
        }
    }
}
