//! TUM RGB-D, as its tools and evo read it:
//!
//! ```text
//! rgb/1.500000.png, depth/1.500000.png    pictures by time [s]; depths have 16 bits, 5000 a metre, 0: no return
//! rgb.txt, depth.txt                      time and file of each picture
//! groundtruth.txt                         time, tx ty tz qx qy qz qw: optical frame of the camera in the map [m]
//! calibration.txt                         fx fy cx cy and the parameters of the distortion
//! calibration_depth.txt                   those of the depth camera, if it is not at the place of the other, or has another lens
//! ```

use std::fmt::Write;
use std::path::PathBuf;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_ros_data::message::CameraInfo;

use super::pictures::{PictureKind, write_pictures};
use super::{DatasetError, Drive, Files, Plan, check_count};

/// Places nearer than this [m] and attitudes nearer than this [rad] are one.
const SAME_PLACE: f64 = 1e-6;
/// Units of depth a metre.
const UNITS: f64 = 5000.0;

pub(super) fn plan(drive: &Drive<'_>, notes: &mut Vec<Diagnostic>) -> Result<Plan, DatasetError> {
    let Drive { recording, survey, sources, motion } = *drive;
    let mut plan = Plan::default();
    for (topic, folder, title, kind) in [
        (&sources.image, "rgb", "color images", PictureKind::Color),
        (&sources.depth, "depth", "depth maps", PictureKind::Depth(UNITS)),
    ] {
        let Some(topic) = topic else { continue };
        let stamps = survey.topic(topic).map_or(&[][..], |topic| &topic.stamps);
        let (mut list, mut files) = (format!("# {title}\n# timestamp filename\n"), Files::new());
        for stamp in stamps.iter().filter(|stamp| motion.at(**stamp).is_some()) {
            let name = format!("{folder}/{}.png", seconds(*stamp));
            let _ = writeln!(list, "{} {name}", seconds(*stamp));
            files.insert(*stamp, vec![PathBuf::from(name)]);
        }
        check_count(recording, topic, files.len())?;
        plan.add_text(format!("{folder}.txt"), list);
        plan.add_topic(topic, files, write_pictures(survey, topic, kind));
    }
    let camera = sources.image.as_ref().or(sources.depth.as_ref()).map_or("", String::as_str);
    let body_from_camera = survey.body_from(&sources.vehicle, camera);
    let mut truth = "# ground truth trajectory\n# timestamp tx ty tz qx qy qz qw\n".to_owned();
    for state in motion.states() {
        let pose = state.world_from_body * body_from_camera;
        let (p, q) = (pose.translation.vector, pose.rotation.coords);
        let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|number| format!("{number:.9}"));
        let _ = writeln!(truth, "{} {}", seconds(state.time), numbers.join(" "));
    }
    plan.add_text("groundtruth.txt", truth);
    if let Some(info) = survey.camera(camera) {
        plan.add_text("calibration.txt", calibration(info));
    }
    if let (Some(image), Some(depth)) = (&sources.image, &sources.depth) {
        let apart = body_from_camera.inverse() * survey.body_from(&sources.vehicle, depth);
        let lens = |topic: &str| survey.camera(topic).map(|info| (info.width, info.height, calibration(info)));
        if apart.translation.vector.norm() > SAME_PLACE
            || apart.rotation.angle() > SAME_PLACE
            || lens(image) != lens(depth)
        {
            let found = format!("{depth} has another pose or lens than {image}: their pixels do not match");
            let hint = "calibration_depth.txt is for the depths; give both cameras one pose and one lens for registered pictures";
            notes.push(Diagnostic::of(found).hint(hint));
            plan.add_text("calibration_depth.txt", survey.camera(depth).map(calibration).unwrap_or_default());
        }
    }
    Ok(plan)
}

/// Focal lengths, optical axis and distortion of a camera, in a line.
fn calibration(info: &CameraInfo) -> String {
    let numbers = [info.k[0], info.k[4], info.k[2], info.k[5]].into_iter().chain(info.d.iter().copied());
    let line: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("{}\n", line.join(" "))
}

/// A time [ns] in seconds, with the six digits of the format.
fn seconds(time: i64) -> String {
    let microseconds = (time + 500) / 1000;
    format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_have_six_digits() {
        assert_eq!(
            [1_500_000_000, 20_000, 499, 12_000_000_999].map(seconds),
            ["1.500000", "0.000020", "0.000000", "12.000001"]
        );
    }
}
