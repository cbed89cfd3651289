//! The columns of a row, each with its name and value. The names are those of MVSim if it has the column.
//!
//! All values of a row belong to the time in its first column, `TIMESTAMP` [s]: states at the end of the step, forces and torques during
//! it. MVSim stamps the same row with the start of the step. The frames of a run have the velocity and the slip at the start of the step,
//! from which its forces follow. [`append_wheel_row`] writes them at the end of the step.

use skidpad_math::{Pose2, Rot2, Vec2};
use skidpad_ros_data::interface::numbers::{self, Number};
use skidpad_sim::vehicle::WheelSlip;
use skidpad_sim::world::{VehicleFrame, VehicleInfo, WheelFrame, WheelInfo};

use self::Value::Other;

/// Name of the first column of every file: simulated time [s].
pub(crate) const TIMESTAMP: &str = "Timestamp";

/// A column: its name and the value in it.
pub type Column<T, I> = (&'static str, Value<T, I>);

/// The value in a column, from the results of a step and constant data.
pub enum Value<T: 'static, I: 'static> {
    /// A number that viewers show too.
    Number(fn(&T) -> f64),
    /// Another number.
    Other(fn(&T, &I) -> f64),
}

const fn number<T, I, const N: usize>(table: &[Number<T>; N], name: &str) -> Value<T, I> {
    Value::Number(numbers::value(table, name))
}

const fn vehicle(name: &str) -> Value<VehicleFrame, VehicleInfo> {
    number(&numbers::VEHICLE, name)
}

const fn wheel(name: &str) -> Value<WheelFrame, WheelInfo> {
    number(&numbers::WHEEL, name)
}

/// `*_pose.csv`: true velocity of the reference point in the body frame [m/s, rad/s], estimated pose of the odometry in its own frame [m,
/// rad], true pose in the world [m, rad]; then columns that MVSim lacks: speed [rad/s] and torque [N·m] of the engine, gear (0 neutral, -1
/// reverse), throttle and brake pedal [-], all 0 without a powertrain.
pub const POSE: &[Column<VehicleFrame, VehicleInfo>] = &[
    ("dqw", vehicle("yaw_rate")),
    ("dqx", vehicle("vx")),
    ("dqy", vehicle("vy")),
    ("odo_x", vehicle("odom_x")),
    ("odo_y", vehicle("odom_y")),
    ("odo_yaw", vehicle("odom_yaw")),
    ("q0x", vehicle("x")),
    ("q1y", vehicle("y")),
    ("q2z", vehicle("z")),
    ("q3yaw", vehicle("yaw")),
    ("q4pitch", vehicle("pitch")),
    ("q5roll", vehicle("roll")),
    ("engine_speed", vehicle("engine_speed")),
    ("engine_torque", vehicle("engine_torque")),
    ("gear", vehicle("gear")),
    ("throttle", vehicle("throttle")),
    ("brake", vehicle("brake")),
];

/// `*_wheel_<n>.csv`: load [N], friction force [N] and velocity over the ground [m/s] in the vehicle's frame, driving torque [N·m],
/// position on the vehicle [m]; then columns that MVSim lacks: slip angle [rad], slip ratio, spin [rad/s], rotation angle [rad], steering
/// angle [rad], and 1 for a wheel lifted by load transfer, otherwise 0.
pub const WHEEL: &[Column<WheelFrame, WheelInfo>] = &[
    ("force_z", wheel("load")),
    ("friction_x", Other(|wheel, _| in_vehicle(wheel, wheel.force_in_wheel).x)),
    ("friction_y", Other(|wheel, _| in_vehicle(wheel, wheel.force_in_wheel).y)),
    ("torque", wheel("torque")),
    ("velocity_x", Other(|wheel, _| in_vehicle(wheel, wheel.velocity_in_wheel).x)),
    ("velocity_y", Other(|wheel, _| in_vehicle(wheel, wheel.velocity_in_wheel).y)),
    ("wheel_pos_x", Other(|_, info| info.position.x)),
    ("wheel_pos_y", Other(|_, info| info.position.y)),
    ("slip_angle", wheel("slip_angle")),
    ("slip_ratio", wheel("slip_ratio")),
    ("spin", wheel("spin")),
    ("spin_angle", Other(|wheel, _| wheel.spin_angle)),
    ("steer", wheel("steer")),
    ("lifted", wheel("lifted")),
];

fn in_vehicle(wheel: &WheelFrame, in_wheel: Vec2) -> Vec2 {
    if wheel.steer == 0.0 {
        return in_wheel;
    }
    Pose2::new(0.0, 0.0, wheel.steer).transform_point(in_wheel)
}

/// The header line of a file with these columns.
pub fn header<T, I>(columns: &[Column<T, I>]) -> Vec<&'static str> {
    std::iter::once(TIMESTAMP).chain(columns.iter().map(|(name, _)| *name)).collect()
}

/// Appends a row at `time` [s] to `values`.
pub fn append_row<T, I>(values: &mut Vec<f64>, columns: &[Column<T, I>], time: f64, now: &T, info: &I) {
    values.push(time);
    values.extend(columns.iter().map(|(_, value)| match value {
        Value::Number(value) => value(now),
        Value::Other(value) => value(now, info),
    }));
}

/// The same for a wheel of `vehicle`: velocity and slip are those at the end of the step. Of a wheel with rollers the slip, and of one
/// on a front frame both, are those at its start, because the frame of the vehicle does not tell them.
pub fn append_wheel_row(
    values: &mut Vec<f64>,
    time: f64,
    wheel: &WheelFrame,
    vehicle: &VehicleFrame,
    info: &WheelInfo,
) {
    let mut at_end = *wheel;
    if info.pivot.is_none() {
        at_end.velocity_in_wheel = Rot2::new(-wheel.steer) * vehicle.velocity_in_body.at_point(info.position);
        if let WheelSlip::OfRim(_) = wheel.slip {
            at_end.slip = WheelSlip::OfRim(wheel.spin * info.radius);
        }
    }
    append_row(values, WHEEL, time, &at_end, info);
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;

    use super::*;

    /// A front wheel 1 m ahead on a car that turns: both columns of the velocity, the spin and the slips fit each other.
    #[test]
    fn velocity_spin_and_slip_of_a_row_are_those_at_its_end() {
        let vehicle = VehicleFrame { velocity_in_body: Twist2::new(2.0, 0.0, 0.5), ..VehicleFrame::default() };
        let steer = 0.2;
        let frame = WheelFrame { steer, spin: 8.0, slip: WheelSlip::OfRim(1.0), ..WheelFrame::default() };
        let info = WheelInfo { position: Vec2::new(1.0, 0.0), radius: 0.3, ..WheelInfo::default() };
        let mut row = Vec::new();
        append_wheel_row(&mut row, 0.5, &frame, &vehicle, &info);
        let value = |name| row[header(WHEEL).iter().position(|column| *column == name).unwrap()];
        let [vx, vy] = [value("velocity_x"), value("velocity_y")];
        assert!((vx - 2.0).abs() < 1e-12 && (vy - 0.5).abs() < 1e-12, "{row:?}");
        assert!((value("slip_angle") - (vy.atan2(vx) - steer)).abs() < 1e-12, "{row:?}");
        let rolling = vx * steer.cos() + vy * steer.sin();
        assert!((value("slip_ratio") - (8.0 * 0.3 - rolling) / (8.0 * 0.3)).abs() < 1e-12, "{row:?}");
    }

    #[test]
    fn a_steered_wheels_force_is_recorded_in_the_vehicles_frame() {
        let frame = WheelFrame {
            steer: std::f64::consts::FRAC_PI_2,
            force_in_wheel: Vec2::new(2.0, 1.0),
            ..WheelFrame::default()
        };
        let info = WheelInfo {
            name: "fl_wheel".into(),
            position: Vec2::new(1.3, 1.0),
            radius: 0.3,
            width: 0.1,
            steered: true,
            ..WheelInfo::default()
        };
        let mut row = Vec::new();
        append_row(&mut row, WHEEL, 0.5, &frame, &info);
        let value = |name| row[header(WHEEL).iter().position(|column| *column == name).unwrap()];
        assert!((value("friction_x") + 1.0).abs() < 1e-15);
        assert!((value("friction_y") - 2.0).abs() < 1e-15);
        assert_eq!((value("Timestamp"), value("wheel_pos_x")), (0.5, 1.3));
        assert_eq!(row.len(), header(WHEEL).len());
    }
}
