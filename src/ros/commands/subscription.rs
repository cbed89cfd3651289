//! Subscriptions to commands, whose messages are read as bytes by [`skidpad_ros_data::message::commands`], and the type of velocities, which
//! follows what publishers offer.

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use r2r::{Node, QosProfile};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_ros_data::message::commands::CommandReading;
use skidpad_ros_data::message::joint_intake::JointIntake;
use skidpad_ros_data::message::{self, Message};
use skidpad_ros_data::preset::InputKind;
use skidpad_sim::vehicle::Action;

/// Type of commands of speed and steering angle.
pub(crate) const ACKERMANN_TYPE: &str = message::AckermannDriveStamped::TYPE;

/// The message types of `cmd_vel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VelocityType {
    /// geometry_msgs/msg/Twist
    Twist,
    /// geometry_msgs/msg/TwistStamped
    TwistStamped,
}

impl VelocityType {
    const ALL: [VelocityType; 2] = [VelocityType::Twist, VelocityType::TwistStamped];

    /// The type as the graph names it.
    pub fn name(self) -> &'static str {
        match self {
            VelocityType::Twist => message::Twist::TYPE,
            VelocityType::TwistStamped => message::TwistStamped::TYPE,
        }
    }

    /// The type that nav2 of this ROS distribution publishes by default.
    pub(crate) fn of_distro(distro: &str) -> VelocityType {
        match distro {
            "humble" | "iron" | "jazzy" => VelocityType::Twist,
            _ => VelocityType::TwistStamped,
        }
    }

    /// The type to subscribe to when `offered` are the types of the publishers: the present one as long as any publisher offers it or no
    /// publisher offers another.
    fn follow(self, offered: &[&str]) -> VelocityType {
        if offered.contains(&self.name()) {
            return self;
        }
        VelocityType::ALL.into_iter().find(|kind| offered.contains(&kind.name())).unwrap_or(self)
    }
}

/// The message type of `cmd_vel`, and whether it changes to what the publishers of a topic offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Velocity {
    /// The initial type.
    pub kind: VelocityType,
    /// Whether it follows the publishers; a parameter fixes it otherwise.
    pub follows: bool,
}

impl Velocity {
    /// The value of the parameter `cmd_vel_type`.
    pub fn named(cmd_vel_type: &str) -> Velocity {
        match cmd_vel_type {
            "twist" => Velocity { kind: VelocityType::Twist, follows: false },
            "twist_stamped" => Velocity { kind: VelocityType::TwistStamped, follows: false },
            _ => Velocity { kind: VelocityType::of_distro(r2r::ROS_DISTRO), follows: true },
        }
    }

    /// The choice for a topic whose publishers offer messages of the types `offered`.
    pub fn follow(self, offered: &[&str]) -> Velocity {
        Velocity { kind: if self.follows { self.kind.follow(offered) } else { self.kind }, ..self }
    }
}

/// The stream of a topic: actions, or the reason why a message is refused.
pub(crate) type Actions = BoxStream<'static, Result<Action, Diagnostic>>;

/// Subscribes to a topic, with velocities of this type.
pub fn subscribe(
    node: &mut Node,
    topic: &str,
    kind: InputKind,
    velocity: VelocityType,
    qos: QosProfile,
    reading: CommandReading,
) -> r2r::Result<Actions> {
    if matches!(kind, InputKind::Pause | InputKind::InitialTwist) {
        // The node itself hears these, which command no vehicle.
        return Ok(futures::stream::pending().boxed());
    }
    let is_stamped = velocity == VelocityType::TwistStamped;
    let messages = node.subscribe_raw(topic, type_name(kind, velocity), qos)?;
    if kind == InputKind::Joints {
        // What was commanded of joints before holds.
        let mut intake = JointIntake::new(reading.joints);
        let read = move |bytes: Vec<u8>| {
            let orders = intake.read(&bytes);
            stream::iter(orders.refused.into_iter().map(Err).chain(orders.action.map(Ok)))
        };
        return Ok(messages.map(read).flatten().boxed());
    }
    if let InputKind::Autoware(input) = kind {
        let (desk, taking) = reading.desk;
        let read = move |bytes: Vec<u8>| stream::iter(desk.take(input, &bytes, taking).transpose());
        return Ok(messages.map(read).flatten().boxed());
    }
    Ok(messages.map(move |bytes| kind.read(&bytes, is_stamped, &reading)).boxed())
}

/// The type of the messages of an input, with velocities of this type.
pub fn type_name(kind: InputKind, velocity: VelocityType) -> &'static str {
    if kind == InputKind::Velocity { velocity.name() } else { kind.message().name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subscription_follows_the_type_that_publishers_offer() {
        use VelocityType::*;
        assert_eq!(Twist.follow(&[]), Twist);
        assert_eq!(Twist.follow(&[TwistStamped.name()]), TwistStamped);
        assert_eq!(TwistStamped.follow(&[Twist.name()]), Twist);
        assert_eq!(TwistStamped.follow(&[Twist.name(), TwistStamped.name()]), TwistStamped);
        assert_eq!(Twist.follow(&["geometry_msgs/msg/Pose"]), Twist);
    }

    #[test]
    fn distributions_before_kilted_start_with_twist() {
        assert_eq!(VelocityType::of_distro("humble"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("jazzy"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("lyrical"), VelocityType::TwistStamped);
        assert_eq!(VelocityType::of_distro("rolling"), VelocityType::TwistStamped);
    }
}
