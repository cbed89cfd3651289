//! Commands of viewers as commands of vehicles.

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, GearLever, Pedals, RateLimits, WheelTargets};
use skidpad_view::messages::{CommandView, GearView};

/// The command of a vehicle.
pub(super) fn action(command: &CommandView) -> Action {
    match *command {
        CommandView::Twist { vx, vy, yaw_rate } => Action::Twist(Twist2::new(vx, vy, yaw_rate)),
        CommandView::Ackermann { speed, steering_angle, acceleration: None, steering_rate: None } => {
            Action::Ackermann { speed, steering_angle }
        }
        CommandView::Ackermann { speed, steering_angle, acceleration, steering_rate } => {
            let limits = RateLimits {
                acceleration: acceleration.unwrap_or_default(),
                steering_rate: steering_rate.unwrap_or_default(),
            };
            Action::LimitedAckermann { speed, steering_angle, limits }
        }
        CommandView::SteeringRate { speed, steering_rate } => Action::SteeringRate { speed, steering_rate },
        CommandView::Pedals { throttle, brake, gear, steering_angle } => {
            let gear = match gear {
                GearView::Drive => GearLever::Drive,
                GearView::Neutral => GearLever::Neutral,
                GearView::Reverse => GearLever::Reverse,
            };
            Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle }
        }
        CommandView::Wheels { spin, hinge } => Action::Wheels(WheelTargets { spin, hinge }),
        CommandView::WheelSpeeds { left, right } => Action::SideSpins([left, right]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_becomes_its_command() {
        let read = |text: &str| action(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{"kind": "twist", "vx": 1, "vy": 2, "yaw_rate": 3}"#),
            Action::Twist(Twist2::new(1.0, 2.0, 3.0))
        );
        assert_eq!(
            read(r#"{"kind": "ackermann", "speed": 1, "steering_angle": 0.5}"#),
            Action::Ackermann { speed: 1.0, steering_angle: 0.5 }
        );
        assert_eq!(
            read(r#"{"kind": "ackermann", "speed": 1, "steering_angle": 0.5, "acceleration": 2}"#),
            Action::LimitedAckermann {
                speed: 1.0,
                steering_angle: 0.5,
                limits: RateLimits { acceleration: 2.0, steering_rate: 0.0 }
            }
        );
        assert_eq!(
            read(r#"{"kind": "steering_rate", "speed": 1, "steering_rate": 0.5}"#),
            Action::SteeringRate { speed: 1.0, steering_rate: 0.5 }
        );
        assert_eq!(
            read(r#"{"kind": "pedals", "throttle": 1, "brake": 0, "gear": "reverse", "steering_angle": 0.1}"#),
            Action::Pedals {
                pedals: Pedals { throttle: 1.0, brake: 0.0, gear: GearLever::Reverse },
                steering_angle: 0.1
            }
        );
        assert_eq!(
            read(r#"{"kind": "wheels", "spin": [1, null, 2, null], "hinge": [null, 0.2]}"#),
            Action::Wheels(WheelTargets { spin: [Some(1.0), None, Some(2.0), None], hinge: [None, Some(0.2)] })
        );
        assert_eq!(read(r#"{"kind": "wheel_speeds", "left": 1, "right": 2}"#), Action::SideSpins([1.0, 2.0]));
    }
}
