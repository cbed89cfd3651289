//! Messages of Autoware, packages `autoware_control_msgs` and `autoware_vehicle_msgs` (autowarefoundation/autoware_msgs 1.12.0).

use super::standard::{Header, Time};

/// Gears as [`GearCommand`] and [`GearReport`] number them.
pub mod gear {
    /// None is engaged.
    pub const NONE: u8 = 0;
    /// The first of the gears forwards, `DRIVE`.
    pub const DRIVE: u8 = 2;
    /// The last of them, `DRIVE_18`.
    pub const DRIVE_18: u8 = 19;
    /// The first of the gears backwards.
    pub const REVERSE: u8 = 20;
    /// The last of them.
    pub const REVERSE_2: u8 = 21;
    /// The wheels are locked.
    pub const PARK: u8 = 22;
    /// The first of the slow gears forwards.
    pub const LOW: u8 = 23;
    /// The last of them.
    pub const LOW_2: u8 = 24;
}

/// Modes as [`ControlModeReport`] and the service `ControlModeCommand` number them.
pub mod control_mode {
    /// Autoware drives.
    pub const AUTONOMOUS: u8 = 1;
    /// A driver does.
    pub const MANUAL: u8 = 4;
}

/// The indicators as [`TurnIndicatorsCommand`] numbers them, and the hazard lights; 0 is no command.
pub mod lamps {
    /// No command.
    pub(crate) const NO_COMMAND: u8 = 0;
    /// Off.
    pub const DISABLE: u8 = 1;
}

messages! {
    Lateral = "autoware_control_msgs/msg/Lateral" [Copy] {
        /// Time stamp.
        stamp: Time,
        /// When it applies.
        control_time: Time,
        /// Steering angle of the equivalent single track [rad], positive to the left.
        steering_tire_angle: f32,
        /// Its rate [rad/s].
        steering_tire_rotation_rate: f32,
        /// Whether there is a rate.
        is_defined_steering_tire_rotation_rate: bool,
    }

    Longitudinal = "autoware_control_msgs/msg/Longitudinal" [Copy] {
        /// Time stamp.
        stamp: Time,
        /// When it applies.
        control_time: Time,
        /// Speed [m/s], backwards negative.
        velocity: f32,
        /// Acceleration [m/s²], in the direction of the gear.
        acceleration: f32,
        /// Jerk [m/s³].
        jerk: f32,
        /// Whether there is an acceleration.
        is_defined_acceleration: bool,
        /// Whether there is a jerk.
        is_defined_jerk: bool,
    }

    Control = "autoware_control_msgs/msg/Control" [Copy] {
        /// Time stamp.
        stamp: Time,
        /// When it applies.
        control_time: Time,
        /// Steering.
        lateral: Lateral,
        /// Speed and acceleration.
        longitudinal: Longitudinal,
    }

    Engage = "autoware_vehicle_msgs/msg/Engage" [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// Whether the vehicle may move.
        engage: bool,
    }

    GearCommand = "autoware_vehicle_msgs/msg/GearCommand" + "\
        uint8 NONE = 0\nuint8 NEUTRAL = 1\nuint8 DRIVE = 2\nuint8 DRIVE_2 = 3\nuint8 DRIVE_3 = 4\nuint8 DRIVE_4 = 5\nuint8 DRIVE_5 = 6\n\
        uint8 DRIVE_6 = 7\nuint8 DRIVE_7 = 8\nuint8 DRIVE_8 = 9\nuint8 DRIVE_9 = 10\nuint8 DRIVE_10 = 11\nuint8 DRIVE_11 = 12\n\
        uint8 DRIVE_12 = 13\nuint8 DRIVE_13 = 14\nuint8 DRIVE_14 = 15\nuint8 DRIVE_15 = 16\nuint8 DRIVE_16 = 17\nuint8 DRIVE_17 = 18\n\
        uint8 DRIVE_18 = 19\nuint8 REVERSE = 20\nuint8 REVERSE_2 = 21\nuint8 PARK = 22\nuint8 LOW = 23\nuint8 LOW_2 = 24\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// The gear.
        command: u8,
    }

    GearReport = "autoware_vehicle_msgs/msg/GearReport" + "\
        uint8 NONE = 0\nuint8 NEUTRAL = 1\nuint8 DRIVE = 2\nuint8 DRIVE_2 = 3\nuint8 DRIVE_3 = 4\nuint8 DRIVE_4 = 5\nuint8 DRIVE_5 = 6\n\
        uint8 DRIVE_6 = 7\nuint8 DRIVE_7 = 8\nuint8 DRIVE_8 = 9\nuint8 DRIVE_9 = 10\nuint8 DRIVE_10 = 11\nuint8 DRIVE_11 = 12\n\
        uint8 DRIVE_12 = 13\nuint8 DRIVE_13 = 14\nuint8 DRIVE_14 = 15\nuint8 DRIVE_15 = 16\nuint8 DRIVE_16 = 17\nuint8 DRIVE_17 = 18\n\
        uint8 DRIVE_18 = 19\nuint8 REVERSE = 20\nuint8 REVERSE_2 = 21\nuint8 PARK = 22\nuint8 LOW = 23\nuint8 LOW_2 = 24\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// The gear.
        report: u8,
    }

    ControlModeReport = "autoware_vehicle_msgs/msg/ControlModeReport" + "\
        uint8 NO_COMMAND = 0\nuint8 AUTONOMOUS = 1\nuint8 AUTONOMOUS_STEER_ONLY = 2\nuint8 AUTONOMOUS_VELOCITY_ONLY = 3\n\
        uint8 MANUAL = 4\nuint8 DISENGAGED = 5\nuint8 NOT_READY = 6\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// The mode.
        mode: u8,
    }

    TurnIndicatorsCommand = "autoware_vehicle_msgs/msg/TurnIndicatorsCommand" + "\
        uint8 NO_COMMAND = 0\nuint8 DISABLE = 1\nuint8 ENABLE_LEFT = 2\nuint8 ENABLE_RIGHT = 3\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// One of the constants.
        command: u8,
    }

    TurnIndicatorsReport = "autoware_vehicle_msgs/msg/TurnIndicatorsReport" + "\
        uint8 DISABLE = 1\nuint8 ENABLE_LEFT = 2\nuint8 ENABLE_RIGHT = 3\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// One of the constants.
        report: u8,
    }

    HazardLightsCommand = "autoware_vehicle_msgs/msg/HazardLightsCommand" + "\
        uint8 NO_COMMAND = 0\nuint8 DISABLE = 1\nuint8 ENABLE = 2\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// One of the constants.
        command: u8,
    }

    HazardLightsReport = "autoware_vehicle_msgs/msg/HazardLightsReport" + "\
        uint8 DISABLE = 1\nuint8 ENABLE = 2\n"
    [Copy, Eq] {
        /// Time stamp.
        stamp: Time,
        /// One of the constants.
        report: u8,
    }

    SteeringReport = "autoware_vehicle_msgs/msg/SteeringReport" [Copy] {
        /// Time stamp.
        stamp: Time,
        /// Steering angle of the equivalent single track [rad], positive to the left.
        steering_tire_angle: f32,
    }

    VelocityReport = "autoware_vehicle_msgs/msg/VelocityReport" {
        /// Time stamp, and the frame of the body.
        header: Header,
        /// Speed along the body's x axis [m/s], backwards negative.
        longitudinal_velocity: f32,
        /// Speed along its y axis [m/s], to the left positive.
        lateral_velocity: f32,
        /// Yaw rate [rad/s], counter-clockwise positive.
        heading_rate: f32,
    }
}
