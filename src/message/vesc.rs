//! Messages of the motor controller of F1TENTH cars, package `vesc_msgs`.

use serde::{Deserialize, Serialize};

use super::standard::{Header, Quaternion, Vector3};

types! {
    VescState: "vesc_msgs/msg/VescState" = "int32 FAULT_CODE_NONE=0\nint32 FAULT_CODE_OVER_VOLTAGE=1\nint32 FAULT_CODE_UNDER_VOLTAGE=2\nint32 FAULT_CODE_DRV8302=3\nint32 FAULT_CODE_ABS_OVER_CURRENT=4\nint32 FAULT_CODE_OVER_TEMP_FET=5\nint32 FAULT_CODE_OVER_TEMP_MOTOR=6\nfloat64 temp_fet\nfloat64 temp_motor\nfloat64 current_motor\nfloat64 current_input\nfloat64 avg_id\nfloat64 avg_iq\nfloat64 duty_cycle\nfloat64 speed\nfloat64 voltage_input\nfloat64 charge_drawn\nfloat64 charge_regen\nfloat64 energy_drawn\nfloat64 energy_regen\nint32 displacement\nint32 distance_traveled\nint32 fault_code\nfloat64 pid_pos_now\nint32 controller_id\nfloat64 ntc_temp_mos1\nfloat64 ntc_temp_mos2\nfloat64 ntc_temp_mos3\nfloat64 avg_vd\nfloat64 avg_vq\n";
    VescStateStamped: "vesc_msgs/msg/VescStateStamped" = "std_msgs/Header header\nvesc_msgs/VescState state\n";
    VescImu: "vesc_msgs/msg/VescImu" = "geometry_msgs/Vector3 ypr\ngeometry_msgs/Vector3 linear_acceleration\ngeometry_msgs/Vector3 angular_velocity\ngeometry_msgs/Vector3 compass\ngeometry_msgs/Quaternion orientation\n";
    VescImuStamped: "vesc_msgs/msg/VescImuStamped" = "std_msgs/Header header\nvesc_msgs/VescImu imu\n";
}

/// `vesc_msgs/msg/VescState`; fields that are not simulated are grouped into arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VescState {
    /// `temp_fet`, `temp_motor`.
    pub temperatures: [f64; 2],
    /// `current_motor`, `current_input`, `avg_id`, `avg_iq`.
    pub currents: [f64; 4],
    /// Share of the supply's voltage [-], -1 to 1.
    pub duty_cycle: f64,
    /// Electrical speed [1/min].
    pub speed: f64,
    /// `voltage_input`, `charge_drawn`, `charge_regen`, `energy_drawn`, `energy_regen`.
    pub supply: [f64; 5],
    /// Forward counts minus backward counts.
    pub displacement: i32,
    /// All counts.
    pub distance_traveled: i32,
    /// 0: none.
    pub fault_code: i32,
    /// Not simulated.
    pub pid_pos_now: f64,
    /// Not simulated.
    pub controller_id: i32,
    /// `ntc_temp_mos1` to `ntc_temp_mos3`.
    pub stages: [f64; 3],
    /// `avg_vd`, `avg_vq`.
    pub voltages: [f64; 2],
}

/// `vesc_msgs/msg/VescStateStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VescStateStamped {
    /// When.
    pub header: Header,
    /// The state.
    pub state: VescState,
}

/// `vesc_msgs/msg/VescImu`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VescImu {
    /// Angles about x, y and z [deg].
    pub ypr: Vector3,
    /// With gravity [g].
    pub linear_acceleration: Vector3,
    /// [deg/s].
    pub angular_velocity: Vector3,
    /// Not simulated.
    pub compass: Vector3,
    /// In the world [-].
    pub orientation: Quaternion,
}

/// `vesc_msgs/msg/VescImuStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VescImuStamped {
    /// When.
    pub header: Header,
    /// The measurement.
    pub imu: VescImu,
}
