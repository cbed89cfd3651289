//! Messages of the motor controller of F1TENTH cars, package `vesc_msgs`.

use super::standard::{Header, Quaternion, Vector3};

messages! {
    /// Fields that are not simulated are grouped into arrays.
    VescState = "vesc_msgs/msg/VescState" + "\
        int32 FAULT_CODE_NONE=0\n\
        int32 FAULT_CODE_OVER_VOLTAGE=1\n\
        int32 FAULT_CODE_UNDER_VOLTAGE=2\n\
        int32 FAULT_CODE_DRV8302=3\n\
        int32 FAULT_CODE_ABS_OVER_CURRENT=4\n\
        int32 FAULT_CODE_OVER_TEMP_FET=5\n\
        int32 FAULT_CODE_OVER_TEMP_MOTOR=6\n"
    [Copy] {
        /// `temp_fet`, `temp_motor`.
        temperatures: [f64; 2] as "float64 temp_fet\nfloat64 temp_motor",
        /// `current_motor`, `current_input`, `avg_id`, `avg_iq`.
        currents: [f64; 4] as "float64 current_motor\nfloat64 current_input\nfloat64 avg_id\nfloat64 avg_iq",
        /// Duty cycle [-], -1 to 1.
        duty_cycle: f64,
        /// Electrical speed [1/min].
        speed: f64,
        /// `voltage_input`, `charge_drawn`, `charge_regen`, `energy_drawn`, `energy_regen`.
        supply: [f64; 5] as "float64 voltage_input\nfloat64 charge_drawn\nfloat64 charge_regen\nfloat64 energy_drawn\nfloat64 energy_regen",
        /// Forward counts minus backward counts.
        displacement: i32,
        /// Forward plus backward counts.
        distance_traveled: i32,
        /// Fault code; 0: none.
        fault_code: i32,
        /// Not simulated.
        pid_pos_now: f64,
        /// Not simulated.
        controller_id: i32,
        /// `ntc_temp_mos1` to `ntc_temp_mos3`.
        stages: [f64; 3] as "float64 ntc_temp_mos1\nfloat64 ntc_temp_mos2\nfloat64 ntc_temp_mos3",
        /// `avg_vd`, `avg_vq`.
        voltages: [f64; 2] as "float64 avg_vd\nfloat64 avg_vq",
    }

    VescStateStamped = "vesc_msgs/msg/VescStateStamped" {
        /// Time stamp.
        header: Header,
        /// The state.
        state: VescState,
    }

    VescImu = "vesc_msgs/msg/VescImu" [Copy] {
        /// Angles about x, y and z [deg].
        ypr: Vector3,
        /// Acceleration including gravity [g].
        linear_acceleration: Vector3,
        /// Turn rates [deg/s].
        angular_velocity: Vector3,
        /// Not simulated.
        compass: Vector3,
        /// Orientation in the world [-].
        orientation: Quaternion,
    }

    VescImuStamped = "vesc_msgs/msg/VescImuStamped" {
        /// Time stamp.
        header: Header,
        /// The measurement.
        imu: VescImu,
    }
}
