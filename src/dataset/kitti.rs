//! KITTI odometry, as its development kit and pykitti read it:
//!
//! ```text
//! sequences/00/velodyne/000000.bin    x, y, z, reflectance of each point in the frame of the lidar, f32
//! sequences/00/image_2/000000.png     the colour picture nearest to the cloud; image_3: that of the right camera
//! sequences/00/times.txt              seconds since the first frame
//! sequences/00/calib.txt              P0 to P3, projections of the rectified pictures; Tr, from the lidar to camera 0
//! poses/00.txt                        pose of camera 0 in that of the first frame, three rows of four numbers
//! ```
//! Camera 0 is that of the colour pictures; without one, axes like those of a camera at the place of the lidar. Points
//! are as measured: in a moving spinning lidar they are in the frame of their own times, while those of KITTI are
//! corrected.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_ros_data::message::{PointCloud2, cdr};

use super::motion::{Pose, rows};
use super::pictures::{PictureKind, write_pictures};
use super::{DatasetError, Drive, Files, Plan, WriteMessage, check_count};

/// Axes that differ by less are parallel [rad].
const SAME_ATTITUDE: f64 = 1e-6;
/// The folder of the sequence.
const SEQUENCE: &str = "sequences/00";

pub(super) fn plan(drive: &Drive<'_>, notes: &mut Vec<Diagnostic>) -> Result<Plan, DatasetError> {
    let Drive { recording, survey, sources, motion } = *drive;
    let stamps = |topic: &Option<String>| {
        let topic = topic.as_ref().and_then(|name| survey.topic(name));
        topic.map_or(Vec::new(), |topic| topic.stamps.clone())
    };
    let pictures = stamps(&sources.image);
    let leader = sources.cloud.as_ref().or(sources.image.as_ref()).map_or("", String::as_str);
    let mut times = if sources.cloud.is_some() { stamps(&sources.cloud) } else { pictures.clone() };
    times.sort_unstable();
    times.dedup();
    // Frames have all that there is: a pose, and pictures that are nearest to them.
    let has_picture = |time: &i64| sources.image.is_none() || nearest(&pictures, *time).is_some();
    times.retain(|time| motion.at(*time).is_some() && has_picture(time));
    check_count(recording, leader, times.len())?;

    let mut plan = Plan::default();
    let file = |folder: &str, number: usize, ending: &str| {
        PathBuf::from(SEQUENCE).join(folder).join(format!("{number:06}.{ending}"))
    };
    if let Some(topic) = &sources.cloud {
        let files =
            times.iter().enumerate().map(|(number, time)| (*time, vec![file("velodyne", number, "bin")])).collect();
        plan.add_topic(topic, files, write_points(topic));
    }
    for (topic, folder) in [(&sources.image, "image_2"), (&sources.right_image, "image_3")] {
        let Some(topic) = topic else { continue };
        let stamps = survey.topic(topic).map_or(&[][..], |topic| &topic.stamps);
        let mut files = Files::new();
        for (number, time) in times.iter().enumerate() {
            if let Some(stamp) = nearest(stamps, *time) {
                files.entry(stamp).or_default().push(file(folder, number, "png"));
            }
        }
        plan.add_topic(topic, files, write_pictures(survey, topic, PictureKind::Color));
    }

    let body_from_lidar = sources.cloud.as_ref().map(|topic| survey.body_from(&sources.vehicle, topic));
    let body_from_camera = match (&sources.image, body_from_lidar) {
        (Some(topic), _) => survey.body_from(&sources.vehicle, topic),
        (None, Some(body_from_lidar)) => body_from_lidar * lidar_from_camera(),
        (None, None) => Pose::identity(),
    };
    let (mut seconds, mut poses) = (String::new(), String::new());
    let world_from_camera = |time: i64| motion.at(time).map(|state| state.world_from_body * body_from_camera);
    let first = times.first().and_then(|time| world_from_camera(*time)).unwrap_or_default();
    for time in &times {
        let _ = writeln!(seconds, "{:e}", (time - times[0]) as f64 * 1e-9);
        let _ =
            writeln!(poses, "{}", numbers(&rows(&(first.inverse() * world_from_camera(*time).unwrap_or_default()))));
    }
    plan.add_text(format!("{SEQUENCE}/times.txt"), seconds);
    plan.add_text("poses/00.txt", poses);
    let identity = rows(&Pose::identity());
    let projection = |topic: &Option<String>| topic.as_ref().and_then(|topic| survey.camera(topic)).map(|info| info.p);
    let left = projection(&sources.image).unwrap_or(identity);
    let mut right = projection(&sources.right_image).unwrap_or(left);
    if let Some(topic) = &sources.right_image {
        let left_from_right = body_from_camera.inverse() * survey.body_from(&sources.vehicle, topic);
        if left_from_right.rotation.angle() > SAME_ATTITUDE {
            let found =
                format!("{topic} looks in another direction than the left camera, which calib.txt cannot express");
            notes.push(Diagnostic::of(found).accepted("cameras with parallel axes"));
        }
        // Whatever baseline the messages tell: K times the place of camera 0 in the right one.
        let place = left_from_right.translation.vector;
        for row in 0..3 {
            right[4 * row + 3] = -(0..3).map(|column| right[4 * row + column] * place[column]).sum::<f64>();
        }
    }
    let camera_from_lidar = body_from_lidar.map_or(Pose::identity(), |lidar| body_from_camera.inverse() * lidar);
    let mut calibration = String::new();
    for (name, matrix) in [("P0", left), ("P1", right), ("P2", left), ("P3", right), ("Tr", rows(&camera_from_lidar))] {
        let _ = writeln!(calibration, "{name}: {}", numbers(&matrix));
    }
    plan.add_text(format!("{SEQUENCE}/calib.txt"), calibration);
    Ok(plan)
}

/// Axes of a camera, z ahead, x to the right, y down, in those of a lidar.
fn lidar_from_camera() -> Pose {
    let axes = Matrix3::new(0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.0);
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    Pose::from_parts(Default::default(), rotation)
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:e}")).collect::<Vec<_>>().join(" ")
}

/// The stamp nearest to a time [ns], if it is within half the usual distance between stamps.
fn nearest(stamps: &[i64], time: i64) -> Option<i64> {
    let after = stamps.partition_point(|stamp| *stamp < time);
    let around = [after.checked_sub(1), Some(after)].map(|index| index.and_then(|index| stamps.get(index)));
    let nearest_stamp = *around.into_iter().flatten().min_by_key(|stamp| (**stamp - time).abs())?;
    let span = stamps.last()? - stamps.first()?;
    let period = span / (stamps.len() as i64 - 1).max(1);
    ((nearest_stamp - time).abs() <= period / 2 + 1).then_some(nearest_stamp)
}

/// Writes the clouds of a topic.
fn write_points(topic: &str) -> WriteMessage {
    let topic = topic.to_owned();
    Box::new(move |data, path| {
        let problem = |problem: String| DatasetError::Message { topic: topic.clone(), problem };
        let message: PointCloud2 = cdr::read(data).map_err(|error| problem(error.to_string()))?;
        let bytes = points(&message).ok_or_else(|| problem("clouds without x, y, z as floats".to_owned()))?;
        Ok(fs::write(path, bytes).map_err(|error| FileError::write(path, error))?)
    })
}

/// The finite points of a cloud with their reflectance, 0 to 1; none if the cloud has no coordinates.
fn points(message: &PointCloud2) -> Option<Vec<u8>> {
    const FLOAT32: u8 = 7;
    let field = |name: &str| message.fields.iter().find(|field| field.name == name && field.datatype == FLOAT32);
    let coordinates = [field("x")?, field("y")?, field("z")?].map(|field| field.offset as usize);
    let intensity = field("intensity").map(|field| field.offset as usize);
    // The layout of MVSim, whose time is called t, has intensities of 0 to 1, those of drivers 0 to 255.
    let full = if field("t").is_some() { 1.0 } else { 255.0 };
    let step = (message.point_step as usize).max(1);
    let number = |point: &[u8], at: usize| -> Option<f32> {
        Some(f32::from_le_bytes(*point.get(at..)?.first_chunk()?)).filter(|number| number.is_finite())
    };
    let mut bytes = Vec::with_capacity(message.data.len() / step * 16);
    for point in message.data.chunks_exact(step) {
        let [Some(x), Some(y), Some(z)] = coordinates.map(|at| number(point, at)) else { continue };
        let reflectance = intensity.and_then(|at| number(point, at)).unwrap_or(0.0) / full;
        [x, y, z, reflectance].iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_belongs_to_the_nearest_frame_within_half_a_period() {
        let stamps = [100, 200, 300, 400];
        let actual = [95, 149, 151, 449, 460].map(|time| nearest(&stamps, time));
        assert_eq!(actual, [Some(100), Some(100), Some(200), Some(400), None]);
        assert_eq!(nearest(&[], 5), None);
    }

    #[test]
    fn the_axes_of_a_camera_at_the_lidar_are_optical() {
        let camera_from_lidar = lidar_from_camera().inverse();
        let ahead = camera_from_lidar * nalgebra::Vector3::new(1.0, 0.0, 0.0);
        let left = camera_from_lidar * nalgebra::Vector3::new(0.0, 1.0, 0.0);
        assert!((ahead - nalgebra::Vector3::z()).norm() < 1e-12 && (left + nalgebra::Vector3::x()).norm() < 1e-12);
    }
}
