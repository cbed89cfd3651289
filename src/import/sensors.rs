//! Sensors of SDF as sensors of a vehicle class.
//!
//! Source: the specification of SDF (sdformat.org/spec), elements `sensor`, `ray`, `lidar`, `camera`, `imu`, `navsat`, `sonar`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use skidpad_math::{Pose3, wrap_angle};
use skidpad_sim::sensor::naming::{FRAME_RULE, is_frame};
use skidpad_xml::{Accept, Context, Options, Place, Problem, Reader, Scope};

use super::pose::right_angles;
use super::robot::MountedSensor;
use super::text::{identifier, number, numbers};

/// A `<sensor>` of a vehicle class.
#[derive(Clone, Debug)]
pub(super) struct ClassSensor {
    pub class: &'static str,
    pub name: String,
    pub tags: Vec<(&'static str, String)>,
    /// Where the description has it.
    pub place: Place,
}

/// Largest angle of a lidar that is read [rad], and by how much a full turn may be rounded: descriptions write 6.28319 and 3.15.
const MAX_ANGLE: f64 = 100.0;
const NEARLY: f64 = 0.02;
/// Least field of view of a range sensor [rad].
const MIN_CONE: f64 = 1e-3;

/// Reads the tags of a kind of sensor, below the pose; none where it cannot be carried over, with a warning.
type Read = fn(&Reader<'_>, &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)>;

/// The types of SDF that have a counterpart. Sampling period where they state none [s].
const TYPES: &[(&str, f64, Read)] = &[
    ("ray", 0.1, lidar),
    ("gpu_ray", 0.1, lidar),
    ("lidar", 0.1, lidar),
    ("gpu_lidar", 0.1, lidar),
    ("camera", 1.0 / 30.0, camera),
    ("depth", 1.0 / 30.0, depth_camera),
    ("depth_camera", 1.0 / 30.0, depth_camera),
    ("rgbd", 1.0 / 30.0, colour_and_depth_camera),
    ("rgbd_camera", 1.0 / 30.0, colour_and_depth_camera),
    ("imu", 0.01, imu),
    ("gps", 0.2, receiver),
    ("navsat", 0.2, receiver),
    ("magnetometer", 0.02, magnetometer),
    ("contact", 0.02, contact),
    ("sonar", 0.1, sonar),
];

/// The sensor in the frame of the vehicle, under a name that is not in `taken`. None, with a warning, where there is nothing like it, and where
/// a number of it is not accepted.
pub(super) fn convert(
    context: &Context,
    sensor: &MountedSensor<'_>,
    body_from_robot: &Pose3,
    taken: &[ClassSensor],
) -> Option<ClassSensor> {
    // Errors of a sensor are no errors of the robot.
    let of_sensor = Context::new(Options::default());
    let element = sensor.reader.element();
    let body_from_sensor = *body_from_robot * sensor.robot_from_sensor;
    let converted = read(&Reader::new(&of_sensor, element).with_scope(Scope::Constant), &body_from_sensor, taken);
    let (errors, warnings) = of_sensor.finish();
    for warning in warnings {
        repeat(context, &warning, &warning.message);
    }
    for error in &errors {
        repeat(context, error, &format!("the sensor is left out: {}", error.message));
    }
    converted.filter(|_| errors.is_empty())
}

/// Records a problem of another context as a warning.
fn repeat(context: &Context, problem: &Problem, message: &str) {
    let report = context.warn(&problem.place, message).accepted(problem.accepted.iter().cloned());
    problem.hint.iter().fold(report, |report, hint| report.hint(hint.clone()));
}

/// Warns of sensors of a class that do not load, as `loads` tries it, and leaves them out.
pub(super) fn keep_those_that_load(
    context: &Context,
    sensors: &mut Vec<ClassSensor>,
    loads: impl Fn(&[ClassSensor]) -> Result<(), Vec<Problem>>,
) {
    // A class that does not load without them has another fault.
    if loads(sensors).is_ok() || loads(&[]).is_err() {
        return;
    }
    sensors.retain(|sensor| {
        let Err(problems) = loads(std::slice::from_ref(sensor)) else { return true };
        for Problem { message, accepted, .. } in problems {
            context
                .warn(&sensor.place, format!("the sensor \"{}\" is left out: {message}", sensor.name))
                .accepted(accepted);
        }
        false
    });
}

/// Reads a sensor that is at this pose in the frame of the vehicle.
fn read(reader: &Reader<'_>, body_from_sensor: &Pose3, taken: &[ClassSensor]) -> Option<ClassSensor> {
    let kind = reader.attribute("type").unwrap_or_default();
    let Some((_, usual_period, read)) = TYPES.iter().find(|(name, _, _)| *name == kind) else {
        reader
            .warn(format!("a sensor of type \"{kind}\" is left out"))
            .accepted(TYPES.iter().map(|(name, _, _)| *name));
        return None;
    };
    let rate = reader.f64("update_rate", 0.0, Accept::non_negative());
    let period = if rate > 0.0 { (1.0 / rate).clamp(1e-4, 1e6) } else { *usual_period };
    let (class, mut tags) = read(reader, body_from_sensor)?;
    let period = if class == "lidar3d" { period.min(4.0) } else { period };
    tags.push(("sensor_period", number(period)));
    let wanted = name_of(reader);
    let free = |name: &String| taken.iter().all(|sensor| sensor.name != *name);
    let name = std::iter::once(wanted.clone()).chain((2..).map(|k| format!("{wanted}_{k}"))).find(free)?;
    match frame_of(reader).filter(|(frame, _)| *frame != name) {
        Some((frame, _)) if is_frame(&frame) => tags.push(("frame_id", frame)),
        Some((frame, tag)) => {
            let message =
                format!("the frame \"{frame}\" is not used: the frame of the sensor is \"{name}\", as its topic");
            reader.warn_at(&tag, message).accepted([FRAME_RULE]);
        }
        None => {}
    }
    Some(ClassSensor { class, name, tags, place: reader.place().clone() })
}

/// The frame that a description gives the data of a sensor, and the tag that does: of SDF's own, and of the plugins of Gazebo Classic.
fn frame_of(reader: &Reader<'_>) -> Option<(String, String)> {
    let given = |reader: &Reader<'_>, tag: &str| {
        Some((reader.text(tag)?.trim().trim_start_matches('/').to_owned(), tag.to_owned()))
    };
    let of_sensor = ["gz_frame_id", "ignition_frame_id", "frame_id"].iter().find_map(|tag| given(reader, tag));
    let of_plugin =
        |plugin: &Reader<'_>| ["frame_name", "frameName", "frame_id"].iter().find_map(|tag| given(plugin, tag));
    let frame = of_sensor.or_else(|| reader.child("plugin").and_then(|plugin| of_plugin(&plugin)));
    frame.filter(|(frame, _)| !frame.is_empty())
}

/// The name of a sensor, which begins its topics: that of the topic, where one is stated.
fn name_of(reader: &Reader<'_>) -> String {
    let of_plugin = reader.child("plugin").and_then(|plugin| {
        let remapped = plugin.child("ros").and_then(|ros| {
            // The topic of what a camera sees, not of what it is.
            let topics = ros.children("remapping").into_iter();
            let mut topics = topics.filter_map(|tag| Some(tag.own_text()?.split_once(":=")?.1.trim().to_owned()));
            topics.find(|topic| !topic.ends_with("camera_info"))
        });
        let named = ["camera_name", "cameraName", "topicName", "topic_name"];
        remapped.or_else(|| named.into_iter().find_map(|tag| plugin.text(tag)))
    });
    let topic = of_plugin.or_else(|| reader.text("topic")).or_else(|| reader.attribute("name")).unwrap_or_default();
    // skidpad adds the last part of these itself.
    const ENDS: [&str; 6] = ["/image_raw", "/image", "/points", "/depth_image", "/data_raw", "/data"];
    let topic = topic.trim_start_matches(['/', '~']);
    identifier(ENDS.iter().find_map(|end| topic.strip_suffix(end)).unwrap_or(topic))
}

/// The pose as world files write it [m, deg].
pub(super) fn pose_text(pose: &Pose3) -> String {
    let degrees = [pose.yaw, pose.pitch, pose.roll].map(|angle| {
        // An angle of 180° may come out as one of −180°.
        let degrees = (angle.to_degrees() * 1e6).round() / 1e6;
        if degrees == -180.0 { 180.0 } else { degrees }
    });
    numbers(&[pose.x, pose.y, pose.z, degrees[0], degrees[1], degrees[2]])
}

/// An angle as world files write it [deg], without the rounding of radians with few digits.
fn degrees(angle: f64) -> String {
    number((angle.to_degrees() * 1e6).round() / 1e6)
}

/// Standard deviation in a `<noise>`.
fn noise(parent: &Reader<'_>) -> f64 {
    parent.child("noise").map_or(0.0, |noise| noise.f64("stddev", 0.0, Accept::non_negative()))
}

fn lidar(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let Some(ray) = reader.child("lidar").or_else(|| reader.child("ray")) else {
        reader.warn("a lidar without <lidar> or <ray> is left out");
        return None;
    };
    let scan = ray.child("scan");
    let axis = |name: &str, usual: i64, most: f64, widest: f64| {
        let tag = scan.as_ref().and_then(|scan| scan.child(name));
        tag.map_or((1, 0.0, 0.0), |tag| {
            let samples = tag.integer("samples", usual, Accept::range(0.0, most)).max(1) as f64;
            let resolution = tag.f64("resolution", 1.0, Accept::positive());
            let angle = |name: &str| tag.f64(name, 0.0, Accept::range(-widest, widest));
            let (first, last) = (angle("min_angle"), angle("max_angle"));
            if last < first {
                tag.warn(format!(
                    "the {name} angles run from {} to {} rad: they are swapped",
                    number(first),
                    number(last)
                ));
            }
            ((samples * resolution).round().clamp(1.0, most) as usize, first.min(last), first.max(last))
        })
    };
    let (columns, from, to) = axis("horizontal", 640, 1e5, MAX_ANGLE);
    let (rings, low, high) = axis("vertical", 1, 1024.0, FRAC_PI_2 + NEARLY);
    let [low, high] = [low, high].map(|angle| angle.clamp(-FRAC_PI_2, FRAC_PI_2));
    if to - from > TAU + NEARLY {
        ray.warn(format!("the horizontal angles are {} rad apart: a full turn is taken", number(to - from)))
            .accepted(["at most 6.2832 rad"]);
    }
    let range = ray.child("range");
    let bound = |name: &str, default: f64, accept: Accept| {
        range.as_ref().map_or(default, |range| range.f64(name, default, accept))
    };
    let (min, max) = (bound("min", 0.0, Accept::non_negative()), range_end(range.as_ref()));
    if min >= max {
        reader.warn("a lidar whose ranges end before they begin is left out");
        return None;
    }
    let ranges = |tags: &mut Vec<(&'static str, String)>| {
        tags.push(("min_range", number(min)));
        tags.push(("max_range", number(max)));
        tags.push(("range_std_noise", number(noise(&ray))));
    };
    if measures_one_range(reader) {
        let middle = Pose3 { yaw: 0.5 * (from + to), pitch: -0.5 * (low + high), ..Pose3::default() };
        let cone = (to - from).max(high - low).clamp(MIN_CONE, PI);
        let mut tags = vec![("pose_3d", pose_text(&right_angles(*pose * middle))), ("fov_degrees", degrees(cone))];
        ranges(&mut tags);
        return Some(("range", tags));
    }
    // 6.2832 rad are meant as a full turn.
    let field = degrees((to - from).clamp(1e-3_f64.to_radians(), TAU));
    if rings > 1 {
        let middle = Pose3 { yaw: 0.5 * (from + to), ..Pose3::default() };
        let mut tags = vec![("pose_3d", pose_text(&right_angles(*pose * middle)))];
        tags.push(("vert_nrays", rings.to_string()));
        if (low + high).abs() < 1e-6 && high > low {
            tags.push(("vert_fov_degrees", degrees(high - low)));
        } else {
            let step = (high - low) / (rings - 1) as f64;
            let angles: Vec<f64> = (0..rings).map(|k| (low + k as f64 * step).to_degrees()).collect();
            tags.push(("vertical_ray_angles", numbers(&angles)));
        }
        tags.push(("horz_nrays", columns.to_string()));
        tags.push(("horz_fov_degrees", field));
        ranges(&mut tags);
        tags.push(("ignore_parent_body", "true".to_owned()));
        return Some(("lidar3d", tags));
    }
    let start = if columns == 1 { 0.5 * (from + to) } else { from };
    let start = if start.abs() > TAU { wrap_angle(start) } else { start };
    let mut tags = vec![
        ("pose_3d", pose_text(pose)),
        ("fov_degrees", field),
        ("start_degrees", degrees(start)),
        ("nrays", columns.to_string()),
    ];
    ranges(&mut tags);
    tags.push(("angle_std_noise_deg", "0".to_owned()));
    Some(("laser", tags))
}

/// Whether a plugin makes one range of the rays, as of a sonar or an infrared sensor.
fn measures_one_range(reader: &Reader<'_>) -> bool {
    reader.child("plugin").is_some_and(|plugin| {
        let is_range = plugin.attribute("filename").is_some_and(|file| file.contains("gazebo_ros_range"));
        is_range || plugin.text("output_type").is_some_and(|kind| kind.ends_with("/Range"))
    })
}

/// Farthest range [m]; an infinite one is that of skidpad's lidars.
fn range_end(range: Option<&Reader<'_>>) -> f64 {
    const USUAL: f64 = 80.0;
    let Some(range) = range else { return USUAL };
    match range.text("max").as_deref() {
        None | Some("inf" | "+inf" | "Inf" | ".inf") => USUAL,
        Some(_) => range.f64("max", USUAL, Accept::positive()),
    }
}

/// Size, focal length and middle of a picture, with these names of the tags.
fn lens(camera: &Reader<'_>, names: [&'static str; 6]) -> Vec<(&'static str, String)> {
    let image = camera.child("image");
    let side = |name: &str, default: i64| {
        image.as_ref().map_or(default, |image| image.integer(name, default, Accept::range(1.0, 8192.0)))
    };
    let (width, height) = (side("width", 320), side("height", 240));
    let field = camera.f64("horizontal_fov", 1.047, Accept::range(1e-3, 3.1));
    // The middles of pixels have whole numbers.
    let focal = 0.5 * width as f64 / libm::tan(0.5 * field);
    let middle = [width, height].map(|side| number(0.5 * (side - 1) as f64));
    let [columns, rows, fx, fy, cx, cy] = names;
    let [mx, my] = middle;
    vec![
        (columns, width.to_string()),
        (rows, height.to_string()),
        (fx, number(focal)),
        (fy, number(focal)),
        (cx, mx),
        (cy, my),
    ]
}

/// Nearest and farthest thing that is seen [m].
fn clip(camera: &Reader<'_>) -> [f64; 2] {
    let clip = camera.child("clip");
    let value =
        |name: &str, default: f64| clip.as_ref().map_or(default, |clip| clip.f64(name, default, Accept::positive()));
    [value("near", 0.1), value("far", 100.0)]
}

/// The `<camera>` of a sensor; none, with a warning, where there is none.
fn camera_of<'a>(reader: &Reader<'a>) -> Option<Reader<'a>> {
    let camera = reader.child("camera");
    if camera.is_none() {
        reader.warn("a camera without <camera> is left out");
    }
    camera
}

/// The optical axes, z ahead and x to the right, in a frame whose x is ahead.
const OPTICAL: Pose3 =
    Pose3 { x: 0.0, y: 0.0, z: 0.0, yaw: -std::f64::consts::FRAC_PI_2, pitch: 0.0, roll: -std::f64::consts::FRAC_PI_2 };

fn camera(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let camera = camera_of(reader)?;
    let mut tags = vec![("pose_3d", pose_text(&(*pose * super::pose::read_pose(&camera) * OPTICAL)))];
    tags.extend(lens(&camera, ["ncols", "nrows", "fx", "fy", "cx", "cy"]));
    if let Some(distortion) = camera.child("distortion") {
        let terms = ["k1", "k2", "p1", "p2", "k3"].map(|name| distortion.f64(name, 0.0, Accept::any()));
        if terms.iter().any(|term| *term != 0.0) {
            tags.push(("distortion", numbers(&terms)));
        }
    }
    let [near, far] = clip(&camera);
    tags.push(("clip_min", number(near)));
    tags.push(("clip_max", number(far)));
    tags.push(("noise_std", number(noise(&camera).min(1.0))));
    tags.push(("ignore_parent_body", "true".to_owned()));
    Some(("camera", tags))
}

fn depth_camera(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let (class, mut tags) = colour_and_depth_camera(reader, pose)?;
    // Without colours their noise has no effect.
    tags.retain(|(tag, _)| *tag != "rgb_noise_std");
    tags.push(("sense_rgb", "false".to_owned()));
    Some((class, tags))
}

fn colour_and_depth_camera(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let camera = camera_of(reader)?;
    let mut tags = vec![("pose_3d", pose_text(&(*pose * super::pose::read_pose(&camera))))];
    tags.extend(lens(&camera, ["rgb_ncols", "rgb_nrows", "rgb_fx", "rgb_fy", "rgb_cx", "rgb_cy"]));
    tags.extend(lens(&camera, ["depth_ncols", "depth_nrows", "depth_fx", "depth_fy", "depth_cx", "depth_cy"]));
    let [near, far] = clip(&camera);
    let of_depth = camera.child("depth_camera").and_then(|depth| depth.child("clip").map(|_| clip(&depth)));
    let [depth_near, depth_far] = of_depth.unwrap_or([near, far]);
    tags.push(("rgb_clip_min", number(near)));
    tags.push(("rgb_clip_max", number(far)));
    tags.push(("depth_clip_min", number(depth_near)));
    tags.push(("depth_clip_max", number(depth_far.min(60.0))));
    tags.push(("rgb_noise_std", number(noise(&camera).min(1.0))));
    tags.push(("depth_noise_sigma", number(noise(&camera))));
    tags.push(("ignore_parent_body", "true".to_owned()));
    Some(("rgbd_camera", tags))
}

/// Errors of the x axis of a quantity, which stand for those of all axes, as tags that begin with `stem`.
fn axis_errors(parent: Option<&Reader<'_>>, names: [&'static str; 4]) -> Vec<(&'static str, String)> {
    let x = parent.and_then(|parent| parent.child("x"));
    let noise = x.as_ref().and_then(|x| x.child("noise"));
    let value = |name: &str| noise.as_ref().map_or(0.0, |noise| noise.f64(name, 0.0, Accept::non_negative()));
    let [white, turn_on, instability, time] = names;
    let mut tags = vec![(white, number(value("stddev")))];
    if value("bias_stddev") > 0.0 {
        tags.push((turn_on, number(value("bias_stddev"))));
    }
    if value("dynamic_bias_stddev") > 0.0 && value("dynamic_bias_correlation_time") > 0.0 {
        tags.push((instability, number(value("dynamic_bias_stddev"))));
        tags.push((time, number(value("dynamic_bias_correlation_time"))));
    }
    tags
}

fn imu(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let imu = reader.child("imu");
    let part = |name: &str| imu.as_ref().and_then(|imu| imu.child(name));
    let mut tags = vec![("pose_3d", pose_text(pose))];
    tags.extend(axis_errors(
        part("angular_velocity").as_ref(),
        [
            "angular_velocity_std_noise",
            "angular_velocity_turn_on_std_noise",
            "angular_velocity_bias_instability",
            "angular_velocity_bias_time",
        ],
    ));
    tags.extend(axis_errors(
        part("linear_acceleration").as_ref(),
        [
            "linear_acceleration_std_noise",
            "linear_acceleration_turn_on_std_noise",
            "linear_acceleration_bias_instability",
            "linear_acceleration_bias_time",
        ],
    ));
    let has_orientation = imu.as_ref().is_none_or(|imu| imu.bool("enable_orientation", true));
    tags.push(("measure_orientation", has_orientation.to_string()));
    if has_orientation {
        tags.push(("orientation_std_noise", "0".to_owned()));
    }
    Some(("imu", tags))
}

fn receiver(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let position = reader.child("navsat").or_else(|| reader.child("gps")).and_then(|tag| tag.child("position_sensing"));
    let deviation = |name: &str| position.as_ref().and_then(|tag| tag.child(name)).map_or(0.0, |tag| noise(&tag));
    let tags = vec![
        ("pose_3d", pose_text(pose)),
        ("horizontal_std_noise", number(deviation("horizontal"))),
        ("vertical_std_noise", number(deviation("vertical"))),
    ];
    Some(("gnss", tags))
}

fn magnetometer(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let x = reader.child("magnetometer").and_then(|tag| tag.child("x"));
    let deviation = x.map_or(0.0, |x| noise(&x));
    Some(("magnetometer", vec![("pose_3d", pose_text(pose)), ("magnetic_field_std_noise", number(deviation))]))
}

fn contact(_: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    Some(("contact", vec![("pose_3d", pose_text(pose))]))
}

fn sonar(reader: &Reader<'_>, pose: &Pose3) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let Some(sonar) = reader.child("sonar") else {
        reader.warn("a sonar without <sonar> is left out");
        return None;
    };
    let (min, max) = (sonar.f64("min", 0.0, Accept::non_negative()), sonar.f64("max", 1.0, Accept::positive()));
    let radius = sonar.f64("radius", 0.5, Accept::positive());
    if min >= max {
        reader.warn("a sonar whose ranges end before they begin is left out");
        return None;
    }
    let cone = 2.0 * libm::atan2(radius, max);
    let tags = vec![
        ("pose_3d", pose_text(pose)),
        ("fov_degrees", degrees(cone)),
        ("min_range", number(min)),
        ("max_range", number(max)),
        ("range_std_noise", "0".to_owned()),
    ];
    Some(("range", tags))
}
