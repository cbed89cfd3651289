//! Definitions of the messages that recordings hold, as MCAP wants them: each with those that it is made of.

use super::message::{Message, VehicleState};

/// Types of messages and their fields, one a line: what is in a message and in which order.
const DEFINITIONS: &[(&str, &str)] = &[
    (
        "ackermann_msgs/msg/AckermannDrive",
        "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\nfloat32 acceleration\nfloat32 jerk\n",
    ),
    ("ackermann_msgs/msg/AckermannDriveStamped", "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n"),
    ("builtin_interfaces/msg/Time", "int32 sec\nuint32 nanosec\n"),
    ("geometry_msgs/msg/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/msg/Point32", "float32 x\nfloat32 y\nfloat32 z\n"),
    ("geometry_msgs/msg/Polygon", "geometry_msgs/Point32[] points\n"),
    ("geometry_msgs/msg/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"),
    ("geometry_msgs/msg/PoseArray", "std_msgs/Header header\ngeometry_msgs/Pose[] poses\n"),
    ("geometry_msgs/msg/PoseStamped", "std_msgs/Header header\ngeometry_msgs/Pose pose\n"),
    ("geometry_msgs/msg/PoseWithCovariance", "geometry_msgs/Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/msg/PoseWithCovarianceStamped", "std_msgs/Header header\ngeometry_msgs/PoseWithCovariance pose\n"),
    ("geometry_msgs/msg/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/msg/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"),
    (
        "geometry_msgs/msg/TransformStamped",
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n",
    ),
    ("geometry_msgs/msg/Twist", "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"),
    ("geometry_msgs/msg/TwistWithCovariance", "geometry_msgs/Twist twist\nfloat64[36] covariance\n"),
    ("geometry_msgs/msg/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    (
        "nav_msgs/msg/MapMetaData",
        "builtin_interfaces/Time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\ngeometry_msgs/Pose origin\n",
    ),
    ("nav_msgs/msg/OccupancyGrid", "std_msgs/Header header\nnav_msgs/MapMetaData info\nint8[] data\n"),
    (
        "nav_msgs/msg/Odometry",
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n",
    ),
    (
        "sensor_msgs/msg/Imu",
        "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n",
    ),
    (
        "sensor_msgs/msg/JointState",
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n",
    ),
    (
        "sensor_msgs/msg/LaserScan",
        "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\nfloat32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\nfloat32[] ranges\nfloat32[] intensities\n",
    ),
    (
        "skidpad/msg/Pedals",
        "int8 DRIVE=0\nint8 NEUTRAL=1\nint8 REVERSE=-1\nstd_msgs/Header header\nfloat64 throttle\nfloat64 brake\nfloat64 steering_angle\nint8 gear\n",
    ),
    (VehicleState::TYPE, VehicleState::FIELDS),
    (
        "skidpad/msg/WheelState",
        "string name\nfloat64 steer_angle\nfloat64 spin_angle\nfloat64 spin\nfloat64 slip_ratio\nfloat64 slip_angle\ngeometry_msgs/Vector3 force\nfloat64 torque\nbool lifted\n",
    ),
    ("skidpad/msg/WheelStates", "std_msgs/Header header\nskidpad/WheelState[] wheels\n"),
    ("std_msgs/msg/Bool", "bool data\n"),
    ("std_msgs/msg/Float32", "float32 data\n"),
    ("std_msgs/msg/Float64", "float64 data\n"),
    ("std_msgs/msg/Float64MultiArray", "std_msgs/MultiArrayLayout layout\nfloat64[] data\n"),
    ("std_msgs/msg/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("std_msgs/msg/Int32", "int32 data\n"),
    ("std_msgs/msg/MultiArrayDimension", "string label\nuint32 size\nuint32 stride\n"),
    ("std_msgs/msg/MultiArrayLayout", "std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n"),
    ("tf2_msgs/msg/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"),
    (
        "vesc_msgs/msg/VescImu",
        "geometry_msgs/Vector3 ypr\ngeometry_msgs/Vector3 linear_acceleration\ngeometry_msgs/Vector3 angular_velocity\ngeometry_msgs/Vector3 compass\ngeometry_msgs/Quaternion orientation\n",
    ),
    ("vesc_msgs/msg/VescImuStamped", "std_msgs/Header header\nvesc_msgs/VescImu imu\n"),
    (
        "vesc_msgs/msg/VescState",
        "int32 FAULT_CODE_NONE=0\nint32 FAULT_CODE_OVER_VOLTAGE=1\nint32 FAULT_CODE_UNDER_VOLTAGE=2\nint32 FAULT_CODE_DRV8302=3\nint32 FAULT_CODE_ABS_OVER_CURRENT=4\nint32 FAULT_CODE_OVER_TEMP_FET=5\nint32 FAULT_CODE_OVER_TEMP_MOTOR=6\nfloat64 temp_fet\nfloat64 temp_motor\nfloat64 current_motor\nfloat64 current_input\nfloat64 avg_id\nfloat64 avg_iq\nfloat64 duty_cycle\nfloat64 speed\nfloat64 voltage_input\nfloat64 charge_drawn\nfloat64 charge_regen\nfloat64 energy_drawn\nfloat64 energy_regen\nint32 displacement\nint32 distance_traveled\nint32 fault_code\nfloat64 pid_pos_now\nint32 controller_id\nfloat64 ntc_temp_mos1\nfloat64 ntc_temp_mos2\nfloat64 ntc_temp_mos3\nfloat64 avg_vd\nfloat64 avg_vq\n",
    ),
    ("vesc_msgs/msg/VescStateStamped", "std_msgs/Header header\nvesc_msgs/VescState state\n"),
];

fn fields(name: &str) -> Option<&'static str> {
    DEFINITIONS.iter().find(|(other, _)| *other == name).map(|(_, fields)| *fields)
}

/// The types that fields are of, in their order, as in the table.
fn parts(fields: &str) -> impl Iterator<Item = &'static str> {
    fields.lines().filter_map(|line| {
        let (package, kind) = line.split(' ').next()?.trim_end_matches("[]").split_once('/')?;
        let named = |(name, _): &&(&'static str, &str)| name.split_once("/msg/") == Some((package, kind));
        DEFINITIONS.iter().find(named).map(|(name, _)| *name)
    })
}

/// The definition of a message (`package/msg/Name`) followed by those of its parts, each once; empty for a type that no
/// recording holds.
pub(super) fn definition(name: &str) -> String {
    let Some(own) = fields(name) else { return String::new() };
    let mut text = own.to_owned();
    let mut nested: Vec<&str> = parts(own).collect();
    let mut index = 0;
    while let Some(part) = nested.get(index).copied() {
        if nested[..index].contains(&part) {
            nested.remove(index);
            continue;
        }
        let fields = fields(part).unwrap_or_default();
        text.push_str(&format!("{}\nMSG: {}\n{fields}", "=".repeat(80), part.replacen("/msg/", "/", 1)));
        nested.extend(parts(fields));
        index += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_part_is_in_the_table() {
        for (name, fields) in DEFINITIONS {
            let wanted = fields.lines().filter(|line| line.split(' ').next().unwrap().contains('/')).count();
            assert_eq!(parts(fields).count(), wanted, "{name}");
        }
    }

    #[test]
    fn a_definition_brings_all_that_it_is_made_of_once() {
        let text = definition("nav_msgs/msg/Odometry");
        assert!(text.starts_with("std_msgs/Header header\nstring child_frame_id\n"));
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("MSG: ")).collect();
        assert_eq!(
            names,
            [
                "std_msgs/Header",
                "geometry_msgs/PoseWithCovariance",
                "geometry_msgs/TwistWithCovariance",
                "builtin_interfaces/Time",
                "geometry_msgs/Pose",
                "geometry_msgs/Twist",
                "geometry_msgs/Point",
                "geometry_msgs/Quaternion",
                "geometry_msgs/Vector3",
            ]
        );
        assert_eq!(definition("std_msgs/msg/Float64"), "float64 data\n");
        assert_eq!(definition("std_msgs/msg/Unheard"), "");
    }

    #[test]
    fn own_messages_are_as_in_their_files() {
        let mut recorded = Vec::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("msg");
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let fields: String = fs::read_to_string(&path)
                .unwrap()
                .lines()
                .map(|line| line.split('#').next().unwrap().trim())
                .filter(|line| !line.is_empty())
                .map(|line| format!("{}\n", line.split_whitespace().collect::<Vec<_>>().join(" ")))
                .collect();
            let Some(known) = super::fields(&format!("skidpad/msg/{kind}")) else { continue };
            // Own parts may be named without their package in the file.
            assert_eq!(known.replace("skidpad/", ""), fields, "{kind}");
            recorded.push(kind);
        }
        recorded.sort();
        assert_eq!(recorded, ["Pedals", "VehicleState", "WheelState", "WheelStates"]);
    }
}
