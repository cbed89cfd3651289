//! `skidpad snapshot` writes what a sensor sees at one instant.

use std::fs;

use crate::support::Lab;

const WORLD: &str = r##"<mvsim_world>
  <element class="horizontal_plane"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>
  <vehicle name="r1">
    <dynamics class="differential">
      <l_wheel pos="0 0.1" mass="0.1" width="0.02" diameter="0.1"/>
      <r_wheel pos="0 -0.1" mass="0.1" width="0.02" diameter="0.1"/>
      <chassis mass="1" zmin="0.05" zmax="0.2"/>
      <controller class="twist_ideal"/>
    </dynamics>
    <init_pose>0 0 0</init_pose>
    <sensor class="lidar3d" name="lidar">
      <pose_3d>0 0 1 0 0 0</pose_3d><vert_nrays>2</vert_nrays><vert_fov_degrees>90</vert_fov_degrees><horz_nrays>8</horz_nrays>
      <range_std_noise>0</range_std_noise>
    </sensor>
    <sensor class="camera" name="eye">
      <ncols>16</ncols><nrows>8</nrows><fx>8</fx><fy>8</fy><cx>8</cx><cy>4</cy>
    </sensor>
  </vehicle>
</mvsim_world>
"##;

#[test]
fn points_and_pictures_are_written_by_the_ending_of_the_file() {
    let lab = Lab::new();
    lab.write("w.xml", WORLD);
    let done = lab.run("snapshot w.xml --sensor lidar --out points.ply");
    assert!(done.status == Some(0), "{}", done.stderr);
    let ply = fs::read(lab.path().join("points.ply")).unwrap();
    let end = b"end_header\n";
    let start = ply.windows(end.len()).position(|window| window == end).unwrap() + end.len();
    let header = String::from_utf8_lossy(&ply[..start]).into_owned();
    // The lower ring meets the floor 1 m below it, the upper one nothing.
    assert!(header.contains("element vertex 8\nproperty float x\nproperty float y\nproperty float z\n"), "{header}");
    let z = f32::from_le_bytes(ply[start + 8..start + 12].try_into().unwrap());
    assert!((z + 1.0).abs() < 1e-4, "{z}");
    let done = lab.run("snapshot w.xml --sensor r1/eye --at 0.25 --out picture.png");
    assert!(done.status == Some(0) && done.stderr.contains("at 0.300 s"), "{}", done.stderr);
    assert!(fs::read(lab.path().join("picture.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn labels_are_written_as_colours_as_numbers_and_as_a_table() {
    let lab = Lab::new();
    lab.write("w.xml", &WORLD.replace("<ncols>16", "<labels>true</labels><ncols>16"));
    let written = |arguments: &str, file: &str| {
        let done = lab.run(&format!("snapshot w.xml --sensor eye {arguments} --out {file}"));
        assert!(done.status == Some(0), "{}", done.stderr);
        fs::read(lab.path().join(file)).unwrap()
    };
    // Half a metre above the ground, level: the ground below the horizon, nothing above it.
    let numbers = written("--topic labels", "labels.npy");
    let header = String::from_utf8_lossy(&numbers[..128]).into_owned();
    assert!(header.contains("'descr': '<u2', 'fortran_order': False, 'shape': (8, 16, 2)"), "{header}");
    let (above, below) = (&numbers[128..132], &numbers[numbers.len() - 4..]);
    assert_eq!((above, below), (&[0, 0, 0, 0][..], &[1, 0, 1, 0][..]));
    let png = written("--topic labels", "labels.png");
    let colors = image::load_from_memory(&png).unwrap().into_rgb8();
    assert!(colors.get_pixel(0, 0).0 == [0; 3] && colors.get_pixel(0, 7).0 != [0; 3]);
    let table: serde_json::Value = serde_json::from_slice(&written("", "labels.json")).unwrap();
    assert_eq!((&table["classes"]["1"], &table["bodies"]["1"]["class"]), (&"ground".into(), &"ground".into()));
    let done = lab.run("snapshot w.xml --sensor lidar --out x.json");
    assert!(
        done.status == Some(1) && done.stderr.contains("the sensor has no table of labels for x.json"),
        "{}",
        done.stderr
    );
}

#[test]
fn what_cannot_be_written_is_said_with_what_can() {
    let lab = Lab::new();
    lab.write("w.xml", WORLD);
    for (arguments, expected) in [
        ("--sensor lidr --out x.ply", "--sensor: found \"lidr\"\n  accepted: r1/lidar, r1/eye"),
        ("--sensor lidar --out x.jpg", "x.jpg: unknown ending\n  accepted: .png, .npy, .ply, .pcd, .json"),
        (
            "--sensor lidar --out x.png",
            "the sensor has no picture for x.png\n  it publishes: lidar_points (sensor_msgs/msg/PointCloud2)",
        ),
    ] {
        let done = lab.run(&format!("snapshot w.xml {arguments}"));
        assert!(done.status == Some(1) && done.stderr.contains(expected), "{}", done.stderr);
        assert!(!lab.path().join("x.png").exists());
    }
}

#[test]
#[cfg(not(feature = "gpu"))]
fn a_build_without_feature_gpu_says_so_and_casts_on_the_processor() {
    let lab = Lab::with_world(WORLD);
    let points = |how: &str| {
        let done = lab.run(&format!("snapshot w.xml --sensor lidar --out {how}.ply --sensors {how}"));
        assert!(done.status == Some(0), "{}", done.stderr);
        (fs::read(lab.path().join(format!("{how}.ply"))).unwrap(), done.stderr)
    };
    let (cpu, silent) = points("cpu");
    assert!(!silent.contains("--sensors"), "{silent}");
    for how in ["gpu", "auto"] {
        let (actual, said) = points(how);
        let sentence = format!(
            "--sensors {how}: the CPU casts the rays of sensors: this skidpad is built without feature gpu\n  hint: build it with --features gpu"
        );
        assert!(said.contains(&sentence) && actual == cpu, "{said}");
    }
}

#[test]
fn another_value_of_sensors_is_wrong_usage() {
    let lab = Lab::with_world(WORLD);
    for command in ["snapshot w.xml --sensor lidar --out x.ply", "run w.xml", "bench", "experiment config.yaml"] {
        let done = lab.run(&format!("{command} --sensors opengl"));
        let expected = "unknown processor\n  accepted: cpu, gpu, auto";
        assert!(done.status == Some(2) && done.stderr.contains(expected), "{command}: {}", done.stderr);
    }
}
