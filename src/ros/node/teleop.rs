//! The node `keyboard_teleop`: the keys w, a, s, d drive, and any other key stops.
//!
//! Each key press is one command, as in the original: while a key is held down, the terminal repeats it, and the multiplexer
//! stops publishing 0.2 s after the last one.

use skidpad_files::file_error::FileError;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::BASE_FRAME;
use skidpad_ros_data::message::{AckermannDriveStamped, Quality, fill};
use skidpad_ros_data::preset::racecar;

use super::keyboard::Keyboard;
use super::{Entry, Setup, SmallNode, USE_SIM_TIME};
use crate::error::RosError;
use crate::parameters::table::{Parameters, number};
use crate::publish::publisher::RosTopic;

/// The node.
pub const ENTRY: Entry = Entry {
    name: "keyboard_teleop",
    parameters: &[
        number("speed", 0.5, [0.0, 100.0], "speed of w and, backwards, s [m/s]"),
        number("steer", 0.25, [0.0, 1.5], "steering angle of a and, to the right, d [rad]"),
        USE_SIM_TIME,
    ],
    start: |setup| Ok(Box::new(KeyboardTeleop::new(setup)?)),
};

/// Speed and steering angle of a key, relative to those of the parameters [-].
fn motion(key: u8) -> [f64; 2] {
    match key {
        b'w' => [1.0, 0.0],
        b'a' => [1.0, 1.0],
        b'd' => [1.0, -1.0],
        b's' => [-1.0, 0.0],
        _ => [0.0, 0.0],
    }
}

struct KeyboardTeleop {
    keyboard: Keyboard,
    command: RosTopic<AckermannDriveStamped>,
    speed: f64,
    steer: f64,
}

impl KeyboardTeleop {
    fn new(setup: &mut Setup<'_>) -> Result<KeyboardTeleop, RosError> {
        let place = "keyboard_teleop: standard input";
        let keyboard = Keyboard::open().map_err(|error| FileError::read(place, error))?.ok_or_else(|| {
            RosError::new(place, "not a terminal").accepted("a terminal").hint(
                "run it in a terminal of its own: skidpad node keyboard_teleop, or ros2 run skidpad keyboard_teleop \
                     (ros2 launch gives nodes no keyboard)",
            )
        })?;
        let mut message = fill::ackermann(SimTime::ZERO, BASE_FRAME, 0.0, 0.0);
        // The original sends these values too.
        message.drive.acceleration = 1.0;
        message.drive.jerk = 1.0;
        message.drive.steering_angle_velocity = 1.0;
        let command = setup.publish(racecar::TELEOPERATION, Quality::Data, message)?;
        let (speed, steer) = (setup.parameters.number("speed"), setup.parameters.number("steer"));
        tracing::info!(
            "w: forward, a, d: forward to the left and right, s: backward; any other key: stop; Ctrl-C: end"
        );
        Ok(KeyboardTeleop { keyboard, command, speed, steer })
    }

    fn command(&mut self, [speed, steer]: [f64; 2], now: SimTime) {
        let message = &mut self.command.message;
        message.header.stamp = fill::stamp(now);
        message.drive.speed = (speed * self.speed) as f32;
        message.drive.steering_angle = (steer * self.steer) as f32;
        self.command.publish();
    }
}

impl SmallNode for KeyboardTeleop {
    fn update(&mut self, now: SimTime) -> Option<SimTime> {
        for key in self.keyboard.keys() {
            self.command(motion(key), now);
        }
        None
    }

    fn reconfigure(&mut self, parameters: &Parameters) {
        (self.speed, self.steer) = (parameters.number("speed"), parameters.number("steer"));
    }

    fn end(&mut self, now: SimTime) {
        self.command([0.0, 0.0], now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_but_w_a_s_d_stops() {
        for key in 0..=u8::MAX {
            let expected = match key {
                b'w' => [1.0, 0.0],
                b's' => [-1.0, 0.0],
                b'a' => [1.0, 1.0],
                b'd' => [1.0, -1.0],
                _ => [0.0, 0.0],
            };
            assert_eq!(motion(key), expected, "{key}");
        }
    }
}
