//! EuRoC MAV, as ORB-SLAM, VINS and evo read it:
//!
//! ```text
//! mav0/cam0/data/1500000000.png, data.csv, sensor.yaml   grey pictures by time [ns]; cam1: the right camera
//! mav0/imu0/data.csv, sensor.yaml                        angular velocity [rad/s] and acceleration [m/s²]
//! mav0/state_groundtruth_estimate0/data.csv              place, attitude, velocity in the map, and zeros for the biases
//! ```
//! The body frame is that of the inertial measurement unit; without one, that of the vehicle. The densities and random
//! walks in its `sensor.yaml` are those of the sensor's errors, which the recorder attaches. A recording of another
//! program has no such attachment: then the densities follow from the messages' covariances at the rate of the samples,
//! and the random walks, which no message contains, are left out with a note.

use std::fmt::Write;
use std::path::PathBuf;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_record::bag::nanoseconds;
use skidpad_ros_data::message::Imu;

use super::motion::{Motion, Pose};
use super::pictures::{PictureKind, write_pictures};
use super::survey::Survey;
use super::{DatasetError, Drive, Files, Plan, check_count, yaml};

pub(super) fn plan(drive: &Drive<'_>, notes: &mut Vec<Diagnostic>) -> Result<Plan, DatasetError> {
    let Drive { recording, survey, sources, motion } = *drive;
    let mut plan = Plan::default();
    let body_from_imu =
        sources.imu.as_ref().map_or(Pose::identity(), |topic| survey.body_from(&sources.vehicle, topic));
    for (topic, camera) in [(&sources.image, "cam0"), (&sources.right_image, "cam1")] {
        let Some(topic) = topic else { continue };
        let stamps = survey.topic(topic).map_or(&[][..], |topic| &topic.stamps);
        let (mut list, mut files) = ("#timestamp [ns],filename\n".to_owned(), Files::new());
        for stamp in stamps.iter().filter(|stamp| motion.at(**stamp).is_some()) {
            let _ = writeln!(list, "{stamp},{stamp}.png");
            files.insert(*stamp, vec![PathBuf::from(format!("mav0/{camera}/data/{stamp}.png"))]);
        }
        check_count(recording, topic, files.len())?;
        if survey.camera(topic).is_some_and(|info| info.d.iter().skip(4).any(|parameter| *parameter != 0.0)) {
            let found = "sensor.yaml has four parameters of distortion: those after the fourth are left out";
            notes.push(Diagnostic::new(topic, found));
        }
        plan.add_text(format!("mav0/{camera}/data.csv"), list);
        let imu_from_camera = body_from_imu.inverse() * survey.body_from(&sources.vehicle, topic);
        plan.add_text(format!("mav0/{camera}/sensor.yaml"), camera_yaml(survey, topic, &imu_from_camera, rate(stamps)));
        plan.add_topic(topic, files, write_pictures(survey, topic, PictureKind::Grey));
    }
    if let Some(topic) = &sources.imu {
        let samples = survey.imu(topic);
        let mut list = "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]\n".to_owned();
        for sample in samples {
            let Some(time) = nanoseconds(sample.header.stamp) else { continue };
            let (w, a) = (sample.angular_velocity, sample.linear_acceleration);
            let _ = writeln!(list, "{time},{}", join(&[w.x, w.y, w.z, a.x, a.y, a.z]));
        }
        check_count(recording, topic, samples.len())?;
        plan.add_text("mav0/imu0/data.csv", list);
        let rate = rate(survey.topic(topic).map_or(&[][..], |topic| &topic.stamps));
        let text = match survey.imu_noise(topic) {
            Some(noise) => imu_yaml(rate, noise.densities(), Some(noise.random_walks())),
            None => {
                let found = "the recording has no random walk of the biases: sensor.yaml lacks it";
                notes.push(Diagnostic::new(topic, found).accepted("recordings of skidpad run --record, in MCAP"));
                let density = |variance: f64| (variance.max(0.0) / rate).sqrt();
                let of_sample = |sample: &Imu| {
                    [sample.angular_velocity_covariance[0], sample.linear_acceleration_covariance[0]].map(density)
                };
                imu_yaml(rate, samples.first().map_or([0.0; 2], of_sample), None)
            }
        };
        plan.add_text("mav0/imu0/sensor.yaml", text);
    }
    plan.add_text("mav0/state_groundtruth_estimate0/data.csv", truth(motion, &body_from_imu));
    Ok(plan)
}

fn truth(motion: &Motion, body_from_imu: &Pose) -> String {
    let mut list = "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z [], v_RS_R_x [m s^-1], v_RS_R_y [m s^-1], v_RS_R_z [m s^-1], b_w_RS_S_x [rad s^-1], b_w_RS_S_y [rad s^-1], b_w_RS_S_z [rad s^-1], b_a_RS_S_x [m s^-2], b_a_RS_S_y [m s^-2], b_a_RS_S_z [m s^-2]\n".to_owned();
    for state in motion.states() {
        let pose = state.world_from_body * body_from_imu;
        let of_imu = state.velocity + state.angular_velocity.cross(&body_from_imu.translation.vector);
        let velocity = state.world_from_body.rotation * of_imu;
        let (p, q) = (pose.translation.vector, pose.rotation.coords);
        let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, velocity.x, velocity.y, velocity.z];
        let _ = writeln!(list, "{},{},0,0,0,0,0,0", state.time, join(&numbers));
    }
    list
}

fn join(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
}

/// Samples a second.
fn rate(stamps: &[i64]) -> f64 {
    let span = stamps.last().zip(stamps.first()).map_or(0, |(last, first)| last - first);
    if span > 0 { (stamps.len() - 1) as f64 / (span as f64 * 1e-9) } else { 1.0 }
}

/// The matrix of a pose in YAML, as OpenCV writes it.
fn matrix_yaml(pose: &Pose) -> String {
    let matrix = pose.to_homogeneous();
    let numbers: Vec<String> = (0..16).map(|k| matrix[(k / 4, k % 4)].to_string()).collect();
    format!("T_BS:\n  cols: 4\n  rows: 4\n  data: [{}]\n", numbers.join(", "))
}

fn camera_yaml(survey: &Survey, topic: &str, imu_from_camera: &Pose, rate: f64) -> String {
    let mut text = format!(
        "sensor_type: camera\ncomment: {}\n{}rate_hz: {rate}\n",
        yaml::string(topic),
        matrix_yaml(imu_from_camera)
    );
    if let Some(info) = survey.camera(topic) {
        let model = if info.distortion_model == "plumb_bob" { "radial-tangential" } else { &info.distortion_model };
        let model = yaml::string(model);
        let k = [info.k[0], info.k[4], info.k[2], info.k[5]].map(|number| number.to_string()).join(", ");
        // Four parameters in this format: the third radial one is left out.
        let d = info.d.iter().take(4).map(f64::to_string).collect::<Vec<_>>().join(", ");
        let _ = write!(
            text,
            "resolution: [{}, {}]\ncamera_model: pinhole\nintrinsics: [{k}]\ndistortion_model: {model}\ndistortion_coefficients: [{d}]\n",
            info.width, info.height
        );
    }
    text
}

/// The errors of a gyroscope and an accelerometer: densities of white noise [unit/√Hz] and, if known, random walks of the biases [unit/√s].
fn imu_yaml(rate: f64, densities: [f64; 2], walks: Option<[f64; 2]>) -> String {
    let mut text =
        format!("sensor_type: imu\ncomment: the body frame\n{}rate_hz: {rate}\n", matrix_yaml(&Pose::identity()));
    for (index, name) in ["gyroscope", "accelerometer"].into_iter().enumerate() {
        let _ = writeln!(text, "{name}_noise_density: {}", densities[index]);
        if let Some(walks) = walks {
            let _ = writeln!(text, "{name}_random_walk: {}", walks[index]);
        }
    }
    text
}
