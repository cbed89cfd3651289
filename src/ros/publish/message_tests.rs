//! Checks that the message library of this distribution decodes every message published as bytes as its declared type.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde_json::{Value, to_value};
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2, Vec2, Vec3};
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{self, Message, cdr, fill};
use skidpad_ros_data::preset::{PRESETS, SKIDPAD};
use skidpad_sim::georeference::Geodetic;
use skidpad_sim::sensor::{
    Contact, EncoderInfo, EncoderTicks, GnssAccuracy, GnssFix, MagnetometerAccuracy, Radiation, RangeGeometry,
};
use skidpad_sim::world::{VehicleFrame, VehicleInfo, WheelFrame, WheelInfo};

use crate::typed_messages::is_known;

/// The same with nested arrays flattened.
fn flat(value: Value) -> Value {
    match value {
        Value::Array(values) if values.iter().all(|value| value.as_array().is_some_and(|row| !row.is_empty())) => {
            Value::Array(values.into_iter().flat_map(|row| row.as_array().cloned().unwrap_or_default()).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(flat).collect()),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(name, value)| (name, flat(value))).collect()),
        leaf => leaf,
    }
}

/// The message that the library decodes from the bytes, encoded again. Padding between and after its fields holds arbitrary bytes of
/// memory.
fn read<T: r2r::WrappedTypesupport, M: Message + DeserializeOwned + PartialEq + Debug>(message: &M) -> T {
    let mut bytes = Vec::new();
    message.write(None, &mut bytes).unwrap();
    let theirs = T::from_serialized_bytes(&bytes).unwrap();
    assert_eq!(&cdr::read::<M>(&theirs.to_serialized_bytes().unwrap()).unwrap(), message);
    theirs
}

/// All fields have the same names and values.
fn same<T: r2r::WrappedTypesupport, M: Message + DeserializeOwned + PartialEq + Debug>(message: M) {
    let theirs: T = read(&message);
    assert_eq!(flat(to_value(theirs).unwrap()), flat(to_value(&message).unwrap()), "{}", M::TYPE);
}

fn vehicle() -> (VehicleInfo, VehicleFrame) {
    let wheel = |name: &str| WheelInfo { name: name.to_owned(), steered: true, ..WheelInfo::default() };
    let outline = vec![Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)];
    let info = VehicleInfo { outline, wheels: vec![wheel("left"), wheel("r")], ..VehicleInfo::default() };
    let state = WheelFrame { steer: 0.1, spin: 3.0, load: 7.0, lifted: true, ..WheelFrame::default() };
    let frame = VehicleFrame {
        world_from_body: Pose3 { x: 1.0, y: 2.0, z: 3.0, yaw: 0.4, pitch: 0.5, roll: 0.6 },
        odom_from_body: Pose2::new(0.1, 0.2, 0.3),
        velocity_in_body: Twist2::new(4.0, 5.0, 6.0),
        odom_velocity_in_body: Twist2::new(7.0, 8.0, 9.0),
        wheels: vec![state, state],
        ..VehicleFrame::default()
    };
    (info, frame)
}

#[test]
fn vehicle_messages_are_decoded_correctly() {
    let (time, (info, frame)) = (SimTime(3_000_000_004), vehicle());
    let names = VehicleNames::new(&SKIDPAD, "car", false, false);
    let mut odometry = fill::odometry("odom", "base");
    fill::fill_odometry(time, &frame, &mut odometry);
    same::<r2r::nav_msgs::msg::Odometry, _>(odometry);
    let mut imu = fill::imu("base_link");
    fill::fill_imu(time, &frame, &mut imu);
    same::<r2r::sensor_msgs::msg::Imu, _>(imu);
    let mut field = message::magnetometer::magnetic_field("mag", &MagnetometerAccuracy { variance: 9e-14 });
    message::magnetometer::fill_magnetic_field(time, Vec3::new(1e-5, 2e-5, -4e-5), &mut field);
    same::<r2r::sensor_msgs::msg::MagneticField, _>(field);
    let encoders = EncoderInfo { wheels: vec!["left".to_owned(), "right".to_owned()], ticks_per_revolution: 100 };
    let ticks = EncoderTicks { counts: vec![5, -7], rates: vec![0.5, -0.25] };
    let mut turned = message::encoder::encoder_joints("base_link", &encoders);
    message::encoder::fill_encoder_joints(time, &ticks, &encoders, &mut turned);
    same::<r2r::sensor_msgs::msg::JointState, _>(turned);
    let counts = message::Int64MultiArray { data: ticks.counts, ..message::encoder::tick_counts(&encoders) };
    same::<r2r::std_msgs::msg::Int64MultiArray, _>(counts);
    let sonar = RangeGeometry { radiation: Radiation::Infrared, fov: 0.5, range: [0.1, 3.0], variance: 1e-4, rays: 9 };
    let mut nearest = message::range::range("sonar", &sonar);
    message::range::fill_range(time, 1.25, &mut nearest);
    same::<r2r::sensor_msgs::msg::Range, _>(nearest);
    let felt = Contact {
        other: "wall".into(),
        position: Vec3::new(0.3, 0.1, 0.2),
        normal: Vec3::new(-1.0, 0.0, 0.0),
        force: 12.0,
        impulse: Vec3::new(-0.5, 0.1, 0.0),
    };
    let mut touched = message::contact::contacts("bumper");
    message::contact::fill_contacts(time, &[felt.clone(), felt], &mut touched);
    same::<r2r::skidpad::msg::Contacts, _>(touched);
    let mut fix = message::NavSatFix::default();
    let accuracy = GnssAccuracy {
        horizontal_variance: 4.0,
        vertical_variance: 16.0,
        velocity_variance: 0.01,
        publishes_no_fix: false,
    };
    let place = Geodetic { latitude: 0.6, longitude: -0.04, height: 200.0 };
    let measured = GnssFix { place, velocity_in_enu: Vec3::new(1.0, 2.0, 3.0) };
    message::gnss::fill_nav_sat_fix(time, Some(&measured), &accuracy, &mut fix);
    same::<r2r::sensor_msgs::msg::NavSatFix, _>(fix);
    let mut velocity = message::TwistWithCovarianceStamped::default();
    message::gnss::fill_gnss_velocity(time, measured.velocity_in_enu, &mut velocity);
    same::<r2r::geometry_msgs::msg::TwistWithCovarianceStamped, _>(velocity);
    let mut wheels = fill::wheel_states(&info, &names);
    fill::fill_wheel_states(time, &frame, &mut wheels);
    same::<r2r::skidpad::msg::WheelStates, _>(wheels);
    let joints = skidpad_ros_data::interface::rules::joints(&info, SKIDPAD.joints);
    same::<r2r::sensor_msgs::msg::JointState, _>(fill::joint_states(&joints, &names));
    let mut cloud = fill::pose_cloud("map");
    cloud.poses.push(fill::pose(frame.world_from_body));
    same::<r2r::geometry_msgs::msg::PoseArray, _>(cloud);
    let mut estimate = fill::pose_estimate("map");
    estimate.pose.covariance[1][2] = 5.0;
    same::<r2r::geometry_msgs::msg::PoseWithCovarianceStamped, _>(estimate);
    let polygon = fill::polygon(&info.outline);
    same::<r2r::geometry_msgs::msg::Polygon, _>(polygon.clone());
    let header = fill::header(time, "map");
    same::<r2r::geometry_msgs::msg::PolygonStamped, _>(message::PolygonStamped { header: header.clone(), polygon });
    let pose = fill::pose(frame.world_from_body);
    same::<r2r::geometry_msgs::msg::PoseStamped, _>(message::PoseStamped { header: header.clone(), pose });
    let twist = fill::twist(Twist2::new(1.0, 2.0, 3.0));
    same::<r2r::geometry_msgs::msg::TwistStamped, _>(message::TwistStamped { header: header.clone(), twist });
    let transforms = vec![fill::transform(time, "a", "bcd", frame.world_from_body); 2];
    same::<r2r::geometry_msgs::msg::TransformStamped, _>(transforms[0].clone());
    same::<r2r::tf2_msgs::msg::TFMessage, _>(message::TFMessage { transforms });
    same::<r2r::ackermann_msgs::msg::AckermannDriveStamped, _>(fill::ackermann(time, "base_link", 1.5, 0.25));
    same::<r2r::std_msgs::msg::Float64MultiArray, _>(message::timed_vector(Vec2::new(1.0, 2.0), time));
    let (ranges, intensities) = (vec![1.0, 2.5, 3.0], vec![4.0]);
    same::<r2r::sensor_msgs::msg::LaserScan, _>(message::LaserScan {
        header: header.clone(),
        angle_min: -1.0,
        range_max: 9.0,
        ranges,
        intensities,
        ..message::LaserScan::default()
    });
    let info = message::MapMetaData { width: 2, height: 1, resolution: 0.5, origin: pose, ..Default::default() };
    same::<r2r::nav_msgs::msg::MapMetaData, _>(info);
    same::<r2r::nav_msgs::msg::OccupancyGrid, _>(message::OccupancyGrid { header, info, data: vec![-1, 100] });
}

#[test]
fn numbers_and_texts_are_decoded_correctly() {
    same::<r2r::std_msgs::msg::Bool, _>(message::Bool { data: true });
    same::<r2r::std_msgs::msg::Int32, _>(message::Int32 { data: -5 });
    same::<r2r::std_msgs::msg::Float32, _>(message::Float32 { data: 0.5 });
    same::<r2r::std_msgs::msg::Float64, _>(message::Float64 { data: 0.5 });
    same::<r2r::std_msgs::msg::String, _>(message::Text { data: "ü".to_owned() });
    same::<r2r::rosgraph_msgs::msg::Clock, _>(message::Clock { clock: fill::stamp(SimTime(5_000_000_006)) });
    let values = vec![message::KeyValue { key: "k".to_owned(), value: "v2".to_owned() }];
    let status = message::DiagnosticStatus { level: 2, message: "m".to_owned(), values, ..Default::default() };
    let status = vec![message::DiagnosticStatus::default(), status];
    same::<r2r::diagnostic_msgs::msg::DiagnosticArray, _>(message::DiagnosticArray { status, ..Default::default() });
    same::<r2r::skidpad::msg::Statistics, _>(message::Statistics {
        paused: true,
        steps: 7,
        outputs: vec!["ROS".to_owned()],
        waiting: vec![3, 4],
        ..Default::default()
    });
}

#[test]
fn pictures_are_decoded_correctly() {
    let header = fill::header(SimTime(3_000_000_004), "optical");
    let encoding = "bgr8".to_owned();
    let data = vec![1, 2, 3, 4, 5, 6];
    same::<r2r::sensor_msgs::msg::Image, _>(message::Image {
        header: header.clone(),
        height: 1,
        width: 2,
        encoding,
        is_bigendian: 0,
        step: 6,
        data: data.clone(),
    });
    let format = "bgr8; jpeg compressed bgr8".to_owned();
    same::<r2r::sensor_msgs::msg::CompressedImage, _>(message::CompressedImage {
        header: header.clone(),
        format,
        data,
    });
    same::<r2r::sensor_msgs::msg::CameraInfo, _>(message::CameraInfo {
        header,
        height: 480,
        width: 640,
        distortion_model: "plumb_bob".to_owned(),
        d: vec![0.1, 0.2, 0.3, 0.4, 0.5],
        k: std::array::from_fn(|index| index as f64),
        r: std::array::from_fn(|index| 0.5 * index as f64),
        p: std::array::from_fn(|index| 0.25 * index as f64),
        binning_x: 2,
        binning_y: 3,
        roi: message::RegionOfInterest { x_offset: 1, y_offset: 2, height: 3, width: 4, do_rectify: true },
    });
}

#[test]
fn markers_are_decoded_correctly() {
    let marker = message::Marker {
        ns: "wheels".to_owned(),
        kind: message::Marker::LINE_LIST,
        frame_locked: true,
        points: vec![fill::vector(1.0, 2.0, 3.0); 2],
        colors: vec![message::ColorRGBA::from([255, 0, 0, 255])],
        uv_coordinates: vec![message::UVCoordinate { u: 0.5, v: 0.25 }],
        text: "text".to_owned(),
        mesh_resource: "file".to_owned(),
        mesh_use_embedded_materials: true,
        ..message::Marker::default()
    };
    let theirs: r2r::visualization_msgs::msg::MarkerArray =
        read(&message::MarkerArray { markers: vec![message::Marker::default(), marker] });
    let marker = &theirs.markers[1];
    assert_eq!((marker.ns.as_str(), marker.type_, marker.points[1].z), ("wheels", 5, 3.0));
    assert_eq!((marker.text.as_str(), marker.mesh_resource.as_str()), ("text", "file"));
    assert!(marker.mesh_use_embedded_materials && marker.frame_locked && marker.uv_coordinates[0].v == 0.25);
}

#[cfg(vesc_msgs = "1")]
#[test]
fn motor_controller_messages_are_decoded_correctly() {
    let mut state = message::VescStateStamped::default();
    (state.state.speed, state.state.displacement, state.state.voltages) = (5.0, 7, [1.0, 2.0]);
    let theirs: r2r::vesc_msgs::msg::VescStateStamped = read(&state);
    assert_eq!((theirs.state.speed, theirs.state.displacement, theirs.state.avg_vq), (5.0, 7, 2.0));
    let mut imu = message::VescImuStamped::default();
    imu.imu.angular_velocity.z = 3.0;
    same::<r2r::vesc_msgs::msg::VescImuStamped, _>(imu);
}

#[cfg(all(autoware_control_msgs, autoware_vehicle_msgs))]
#[test]
fn messages_of_autoware_are_decoded_correctly() {
    use message::autoware;
    use r2r::autoware_control_msgs::msg as control;
    use r2r::autoware_vehicle_msgs::msg as vehicle;

    let (stamp, control_time) = (message::Time { sec: 1, nanosec: 2 }, message::Time { sec: 3, nanosec: 4 });
    same::<control::Control, _>(autoware::Control {
        stamp,
        control_time,
        lateral: autoware::Lateral {
            stamp,
            control_time,
            steering_tire_angle: 0.5,
            steering_tire_rotation_rate: 0.25,
            is_defined_steering_tire_rotation_rate: true,
        },
        longitudinal: autoware::Longitudinal {
            stamp,
            control_time,
            velocity: 3.0,
            acceleration: -1.5,
            jerk: 0.125,
            is_defined_acceleration: true,
            is_defined_jerk: false,
        },
    });
    same::<vehicle::Engage, _>(autoware::Engage { stamp, engage: true });
    same::<vehicle::GearCommand, _>(autoware::GearCommand { stamp, command: autoware::gear::PARK });
    same::<vehicle::GearReport, _>(autoware::GearReport { stamp, report: autoware::gear::REVERSE });
    same::<vehicle::ControlModeReport, _>(autoware::ControlModeReport { stamp, mode: 4 });
    same::<vehicle::TurnIndicatorsCommand, _>(autoware::TurnIndicatorsCommand { stamp, command: 3 });
    same::<vehicle::TurnIndicatorsReport, _>(autoware::TurnIndicatorsReport { stamp, report: 2 });
    same::<vehicle::HazardLightsCommand, _>(autoware::HazardLightsCommand { stamp, command: 2 });
    same::<vehicle::HazardLightsReport, _>(autoware::HazardLightsReport { stamp, report: 2 });
    same::<vehicle::SteeringReport, _>(autoware::SteeringReport { stamp, steering_tire_angle: -0.5 });
    same::<vehicle::VelocityReport, _>(autoware::VelocityReport {
        header: fill::header(SimTime(1_000_000_002), "base_link"),
        longitudinal_velocity: -3.0,
        lateral_velocity: 0.5,
        heading_rate: 0.25,
    });
    let constants = [
        (autoware::gear::NONE, vehicle::GearReport::NONE as u8),
        (autoware::gear::DRIVE, vehicle::GearReport::DRIVE as u8),
        (autoware::gear::DRIVE_18, vehicle::GearReport::DRIVE_18 as u8),
        (autoware::gear::REVERSE, vehicle::GearReport::REVERSE as u8),
        (autoware::gear::REVERSE_2, vehicle::GearReport::REVERSE_2 as u8),
        (autoware::gear::PARK, vehicle::GearReport::PARK as u8),
        (autoware::gear::LOW, vehicle::GearReport::LOW as u8),
        (autoware::gear::LOW_2, vehicle::GearReport::LOW_2 as u8),
        (autoware::control_mode::AUTONOMOUS, vehicle::ControlModeReport::AUTONOMOUS as u8),
        (autoware::control_mode::MANUAL, vehicle::ControlModeReport::MANUAL as u8),
        (autoware::lamps::DISABLE, vehicle::TurnIndicatorsReport::DISABLE as u8),
    ];
    constants.into_iter().for_each(|(ours, theirs)| assert_eq!(ours, theirs));
}

#[test]
fn only_messages_of_optional_packages_are_unknown() {
    for topic in PRESETS.iter().flat_map(|preset| preset.topics) {
        let kind = message::content::type_name(topic.content);
        let is_optional = |package: &&str| kind.starts_with(*package);
        assert!(is_known(kind) || ["vesc_msgs/", "autoware_vehicle_msgs/"].iter().any(is_optional), "{kind}");
    }
    assert!(!is_known("vesc_msgs/msg/Unheard") && !is_known("no type"));
}
