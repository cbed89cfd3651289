//! `skidpad dataset` writes recorded drives as KITTI, TUM RGB-D and EuRoC.

use std::fs;
use std::path::Path;

use crate::support::Lab;

/// A robot that drives an arc by itself, with a lidar, a camera for colour and depth, and an inertial measurement unit.
const WORLD: &str = r##"<mvsim_world>
  <simul_timestep>0.01</simul_timestep>
  <element class="horizontal_plane"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>
  <block><static>true</static><init_pose>5 0 0</init_pose></block>
  <vehicle name="r1">
    <dynamics class="differential">
      <l_wheel pos="0 0.1" mass="0.1" width="0.02" diameter="0.1"/>
      <r_wheel pos="0 -0.1" mass="0.1" width="0.02" diameter="0.1"/>
      <chassis mass="1" zmin="0.05" zmax="0.2"/>
      <controller class="twist_ideal"><V>1</V><W>28.64788975654116</W></controller>
    </dynamics>
    <init_pose>0 0 0</init_pose>
    <sensor class="lidar3d" name="lidar">
      <pose_3d>0.2 0 1 0 0 0</pose_3d><vert_nrays>4</vert_nrays><horz_nrays>90</horz_nrays><sensor_period>0.1</sensor_period>
      <range_std_noise>0</range_std_noise><instantaneous>true</instantaneous>
    </sensor>
    <sensor class="rgbd_camera" name="eye">
      <pose_3d>0.1 0 0.5 0 0 0</pose_3d><sensor_period>0.2</sensor_period><depth_noise_sigma>0</depth_noise_sigma>
      <rgb_ncols>16</rgb_ncols><rgb_nrows>8</rgb_nrows><rgb_fx>8</rgb_fx><rgb_fy>8</rgb_fy><rgb_cx>8</rgb_cx><rgb_cy>4</rgb_cy>
      <depth_ncols>16</depth_ncols><depth_nrows>8</depth_nrows><depth_fx>8</depth_fx><depth_fy>8</depth_fy><depth_cx>8</depth_cx><depth_cy>4</depth_cy>
    </sensor>
    <sensor class="imu" name="imu"><pose_3d>0.3 0 0.1 0 0 0</pose_3d><sensor_period>0.02</sensor_period>
      <angular_velocity_noise_density>1e-3</angular_velocity_noise_density><angular_velocity_random_walk_std_noise>3e-4</angular_velocity_random_walk_std_noise>
      <angular_velocity_bias_instability>2e-3</angular_velocity_bias_instability><angular_velocity_bias_time>50</angular_velocity_bias_time>
      <linear_acceleration_std_noise>1e-3</linear_acceleration_std_noise><linear_acceleration_bias_instability>2e-3</linear_acceleration_bias_instability>
    </sensor>
  </vehicle>
</mvsim_world>
"##;

fn recorded() -> Lab {
    recorded_in(WORLD)
}

/// The same robot with two cameras more, whose names come first: the right one 0.2 m beside the left one.
fn recorded_with_a_pair() -> Lab {
    let camera = |name: &str, y: f64| {
        format!(
            r#"<sensor class="camera" name="{name}"><pose_3d>0.1 {y} 0.5 -90 0 -90</pose_3d><sensor_period>0.2</sensor_period>
            <ncols>16</ncols><nrows>8</nrows><fx>8</fx><fy>8</fy><cx>8</cx><cy>4</cy><distortion>0.1 0.01 0 0 0.001</distortion></sensor>"#
        )
    };
    recorded_in(
        &WORLD.replace("</vehicle>", &format!("{}{}</vehicle>", camera("a_left", 0.1), camera("a_right", -0.1))),
    )
}

fn recorded_in(world: &str) -> Lab {
    let lab = Lab::new();
    lab.write("w.xml", world);
    let done = lab.run("run w.xml --duration 3 --rate max --record drive.mcap");
    assert!(done.status == Some(0), "{}", done.stderr);
    lab
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(str::to_owned).collect()
}

fn numbers(line: &str, separator: char) -> Vec<f64> {
    line.split(separator).map(|number| number.trim().parse().unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// Pose on the arc at a time: radius 2 m, 0.5 rad/s.
fn on_arc(time: f64) -> (f64, f64, f64) {
    let yaw = 0.5 * time;
    (2.0 * yaw.sin(), 2.0 * (1.0 - yaw.cos()), yaw)
}

#[test]
fn kitti_has_clouds_pictures_times_calibration_and_poses() {
    let lab = recorded();
    let done = lab.run("dataset drive.mcap --format kitti --out kitti");
    assert!(done.status == Some(0) && done.stderr.contains("kitti: "), "{}", done.stderr);
    let sequence = lab.path().join("kitti/sequences/00");
    let (times, poses) = (lines(&sequence.join("times.txt")), lines(&lab.path().join("kitti/poses/00.txt")));
    let clouds = fs::read_dir(sequence.join("velodyne")).unwrap().count();
    assert!(times.len() >= 25 && times.len() == poses.len() && times.len() == clouds, "{} {clouds}", times.len());
    assert!(sequence.join("image_2/000000.png").is_file());
    let cloud = fs::read(sequence.join("velodyne/000003.bin")).unwrap();
    assert!(!cloud.is_empty() && cloud.len().is_multiple_of(16));
    let point: Vec<f32> = cloud.as_chunks::<4>().0[..4].iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    assert!(point.iter().all(|number| number.is_finite()) && (0.0..=1.0).contains(&point[3]), "{point:?}");
    // From lidar to camera: the camera is 0.1 m behind the lidar and 0.5 m below it; optical axes.
    let calibration = lines(&sequence.join("calib.txt"));
    let tr = numbers(calibration[4].strip_prefix("Tr: ").unwrap(), ' ');
    let expected = [0.0, -1.0, 0.0, 0.0, 0.0, 0.0, -1.0, -0.5, 1.0, 0.0, 0.0, 0.1];
    assert!(tr.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{tr:?}");
    let p2 = numbers(calibration[2].strip_prefix("P2: ").unwrap(), ' ');
    assert_eq!((p2[0], p2[2], p2[5], p2[6]), (8.0, 8.0, 8.0, 4.0));
    // The last pose relative to the first: z ahead, x to the right.
    let (first, last) = (numbers(&poses[0], ' '), numbers(poses.last().unwrap(), ' '));
    assert!((first[0] - 1.0).abs() < 1e-9 && first[11].abs() < 1e-9);
    let elapsed: f64 = times.last().unwrap().parse().unwrap();
    let (ahead, left, yaw) = on_arc(elapsed);
    // The camera is 0.1 m ahead of the middle of the axle.
    let (ahead, left) = (ahead + 0.1 * yaw.cos() - 0.1, left + 0.1 * yaw.sin());
    // A step of 0.01 s goes straight on.
    assert!((last[11] - ahead).abs() < 0.01 && (last[3] + left).abs() < 0.01, "{last:?} {ahead} {left}");
    assert!((last[2] + yaw.sin()).abs() < 2e-3, "{last:?}");
}

#[test]
fn tum_has_lists_of_pictures_and_depths_of_5000_units_a_metre() {
    let lab = recorded();
    let done = lab.run("dataset drive.mcap --format tum --out tum");
    assert!(done.status == Some(0), "{}", done.stderr);
    let folder = lab.path().join("tum");
    let list = |name: &str| -> Vec<String> {
        lines(&folder.join(name)).into_iter().filter(|line| !line.starts_with('#')).collect()
    };
    let (colors, depths) = (list("rgb.txt"), list("depth.txt"));
    assert!(colors.len() >= 12 && colors.len() == depths.len(), "{colors:?}");
    for line in colors.iter().chain(&depths) {
        let (time, file) = line.split_once(' ').unwrap();
        assert!(file.contains(time) && folder.join(file).is_file(), "{line}");
    }
    let file = depths[0].split_once(' ').unwrap().1;
    let picture = image::open(folder.join(file)).unwrap().into_luma16();
    // Row 6 is 2 pixels below the axis: it meets the floor, 0.5 m below, at a depth of 0.5 · 8 / 2 = 2 m.
    assert!(picture.get_pixel(1, 6).0[0].abs_diff(10_000) <= 5, "{:?}", picture.get_pixel(1, 6));
    for line in list("groundtruth.txt") {
        let row = numbers(&line, ' ');
        let (x, y, yaw) = on_arc(row[0]);
        let (x, y) = (x + 0.1 * yaw.cos(), y + 0.1 * yaw.sin());
        assert!((row[1] - x).abs() < 0.01 && (row[2] - y).abs() < 0.01 && (row[3] - 0.5).abs() < 1e-3, "{line}");
        assert!((row[4..8].iter().map(|q| q * q).sum::<f64>() - 1.0).abs() < 1e-6, "{line}");
    }
    assert_eq!(lines(&folder.join("calibration.txt")), ["8 8 8 4 0 0 0 0 0"]);
}

#[test]
fn pictures_that_were_recorded_only_compressed_are_read() {
    let lab = Lab::new();
    lab.write(
        "w.xml",
        &WORLD.replace(
            "<depth_ncols>",
            "<depth_compressed>true</depth_compressed><rgb_jpeg_quality>95</rgb_jpeg_quality><depth_ncols>",
        ),
    );
    let compressed = "/vehicle_state,/tf_static,/eye_rgb/camera_info,/eye_depth/camera_info,/eye_rgb/image_raw/compressed,/eye_depth/image_raw/compressedDepth";
    for (name, topics) in [("packed", compressed), ("both", "*")] {
        let done = lab.run(&format!("run w.xml --duration 1 --rate max --record {name}.mcap --record-topics {topics}"));
        assert!(done.status == Some(0), "{}", done.stderr);
    }
    // The picture with most depths that were recorded whole comes first, and the compressed one if it is named.
    for (command, reported) in [
        ("packed.mcap --out packed", "/eye_depth/image_raw/compressedDepth"),
        ("both.mcap --out whole", "/eye_depth/image_raw"),
        (
            "both.mcap --out named --depth compressedDepth --image image_raw/compressed",
            "/eye_depth/image_raw/compressedDepth",
        ),
    ] {
        let done = lab.run(&format!("dataset {command} --format tum"));
        let is_reported = done.stderr.lines().any(|line| line.ends_with(&format!(" of {reported}")));
        assert!(done.status == Some(0) && is_reported, "{}", done.stderr);
    }
    let file = |folder: &str, list: &str| {
        let list = lines(&lab.path().join(folder).join(list));
        let name = list.last().unwrap().split_once(' ').unwrap().1.to_owned();
        image::open(lab.path().join(folder).join(name)).unwrap()
    };
    let [packed, whole, named] = ["packed", "whole", "named"].map(|folder| file(folder, "depth.txt").into_luma16());
    assert!(packed == whole && named == whole && whole.get_pixel(1, 6).0[0].abs_diff(10_000) <= 5);
    let [packed, whole] = ["packed", "whole"].map(|folder| file(folder, "rgb.txt").into_rgb8().into_raw());
    let furthest = packed.iter().zip(&whole).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(furthest.is_some_and(|most| most > 0 && most < 60), "{furthest:?}");
    assert_eq!(lines(&lab.path().join("packed/calibration.txt")), ["8 8 8 4 0 0 0 0 0"]);
}

#[test]
fn euroc_has_pictures_inertial_samples_and_the_truth() {
    let lab = recorded();
    let done = lab.run("dataset drive.mcap --format euroc --out euroc --image image_raw --imu /imu");
    assert!(done.status == Some(0), "{}", done.stderr);
    let folder = lab.path().join("euroc/mav0");
    let pictures = lines(&folder.join("cam0/data.csv"));
    assert!(pictures.len() > 12 && pictures[0] == "#timestamp [ns],filename");
    let name = pictures[1].split_once(',').unwrap().1;
    assert!(matches!(image::open(folder.join("cam0/data").join(name)).unwrap(), image::DynamicImage::ImageLuma8(_)));
    let samples = lines(&folder.join("imu0/data.csv"));
    // The mean of the last second: the noise of one sample is 7 mrad/s.
    let rows: Vec<_> = samples[samples.len() - 50..].iter().map(|line| numbers(line, ',')).collect();
    let last: Vec<f64> = (0..7).map(|k| rows.iter().map(|row| row[k]).sum::<f64>() / 50.0).collect();
    // v·ω towards the centre, ω² times the lever arm, and 1 g.
    assert!(samples.len() > 140 && (last[3] - 0.5).abs() < 0.01 && (last[6] - 9.81).abs() < 0.2, "{last:?}");
    assert!((last[5] - 0.5).abs() < 0.2 && (last[4] + 0.075).abs() < 0.2, "{last:?}");
    let truth = lines(&folder.join("state_groundtruth_estimate0/data.csv"));
    let row = numbers(truth.last().unwrap(), ',');
    assert_eq!(row.len(), 17);
    let (x, y, yaw) = on_arc(row[0] * 1e-9);
    assert!((row[1] - x - 0.3 * yaw.cos()).abs() < 0.01 && (row[2] - y - 0.3 * yaw.sin()).abs() < 0.01, "{row:?}");
    // The velocity of the unit: that of the vehicle, and of turning about it.
    assert!((row[8] - yaw.cos() + 0.15 * yaw.sin()).abs() < 0.01, "{row:?}");
    let yaml = lines(&folder.join("cam0/sensor.yaml"));
    assert!(yaml.iter().any(|line| line == "resolution: [16, 8]"), "{yaml:?}");
    // White noise by its density, or times the root of the period; random walks with √(2/T) times the bias that comes and goes.
    let yaml = lines(&folder.join("imu0/sensor.yaml"));
    for (key, expected) in [
        ("gyroscope_noise_density", 1e-3),
        ("gyroscope_random_walk", (9e-8 + 2.0 * 4e-6 / 50.0_f64).sqrt()),
        ("accelerometer_noise_density", 1e-3 * 0.02_f64.sqrt()),
        ("accelerometer_random_walk", 2e-3 * 0.02_f64.sqrt()),
    ] {
        let actual = yaml.iter().find_map(|line| line.strip_prefix(&format!("{key}: ")));
        let actual: f64 = actual.unwrap_or_else(|| panic!("{key} in {yaml:?}")).parse().unwrap();
        assert!((actual / expected - 1.0).abs() < 1e-9, "{key}: {actual} {expected}");
    }
}

#[test]
fn of_several_cameras_the_choice_is_said_and_colours_go_with_their_own_depths() {
    let lab = recorded_with_a_pair();
    let (own, left) = ("/eye_rgb/image_raw", "/a_left/image_raw");
    let run = |arguments: &str| {
        let done = lab.run(&format!("dataset drive.mcap {arguments}"));
        assert!(done.status == Some(0), "{}", done.stderr);
        done.stderr
    };
    let reported = run("--format tum --out tum");
    assert!(reported.contains(&format!("of {own}")) && reported.contains("of /eye_depth/image_raw"), "{reported}");
    assert!(!reported.contains("is taken") && !lab.path().join("tum/calibration_depth.txt").exists(), "{reported}");
    let reported = run(&format!("--format tum --out plain --image {left} --imu imu"));
    let expected = format!(
        "{left}: no depth picture comes from its camera: only colours are written\n  accepted for --depth: /eye_depth/image_raw"
    );
    assert!(reported.contains(&expected) && !lab.path().join("plain/depth.txt").exists(), "{reported}");
    assert!(reported.contains("--imu has no effect on tum\n  accepted: --image, --depth"), "{reported}");
    let reported = run(&format!("--format tum --out mixed --image {left} --depth eye_depth/image_raw"));
    assert!(
        reported.contains("colours and depths do not match") && reported.contains("their pixels do not match"),
        "{reported}"
    );
    assert_eq!(lines(&lab.path().join("mixed/calibration_depth.txt")), ["8 8 8 4 0 0 0 0 0"]);
    let reported = run("--format kitti --out kitti --right-image a_right/image_raw");
    assert!(
        reported.contains(&format!("--image is not given: {left} is used\n  accepted: {left}, {own}")),
        "{reported}"
    );
    // K times the place of camera 0, 0.2 m to the left of the right one.
    let calibration = lines(&lab.path().join("kitti/sequences/00/calib.txt"));
    let p3 = numbers(calibration[3].strip_prefix("P3: ").unwrap(), ' ');
    assert!((p3[3] + 1.6).abs() < 1e-9 && p3[0] == 8.0 && p3[7].abs() < 1e-9 && p3[11].abs() < 1e-9, "{p3:?}");
    let reported = run(&format!("--format euroc --out euroc --image {left}"));
    assert!(reported.contains("those after the fourth are left out"), "{reported}");
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is_left() {
    let lab = recorded();
    fs::create_dir(lab.path().join("there")).unwrap();
    lab.write("empty.mcap", "");
    for (arguments, expected) in [
        ("drive.mcap --format tum --out there", "there: exists already\n  hint: choose a folder"),
        ("drive.mcap --format kitty --out x", "unknown format"),
        (
            "drive.mcap --format tum --out x --image nothing",
            "--image: found \"nothing\"\n  accepted: /eye_rgb/image_raw",
        ),
        ("drive.mcap --format kitti --out x --vehicle r2", "--vehicle: found \"r2\"\n  accepted: "),
        ("empty.mcap --format tum --out x", "empty.mcap: is empty"),
        ("missing.mcap --format tum --out x", "missing.mcap: cannot be read"),
        ("drive.mcap --format tum --out no/such/x", "no/such: cannot be written"),
    ] {
        let done = lab.run(&format!("dataset {arguments}"));
        assert!(done.status != Some(0) && done.stderr.contains(expected), "{arguments}: {}", done.stderr);
        assert!(!lab.path().join("x").exists());
    }
    let left = fs::read_dir(lab.path()).unwrap().filter_map(Result::ok);
    let left: Vec<String> = left.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.starts_with(".skidpad-dataset")), "{left:?}");
}
