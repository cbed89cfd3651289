//! The worlds of the benchmarks. Every vehicle drives its own circle forever, so that wheels, controllers and
//! contacts have work to do. The car has the dimensions, masses and friction of `car_ackermann` in MVSim's demo vehicles, and its
//! gains rounded (MRPT/mvsim, BSD 3-Clause; J. L. Blanco-Claraco et al., SoftwareX 23 (2023) 101443), so that both can be compared.

use std::fmt::Write;
use std::io;
use std::path::Path;

use image::{GrayImage, Luma};

use super::Case;
use skidpad_math::Twist2;

/// A world as text, and the command of its vehicles.
pub struct BenchWorld {
    /// XML of the world; files that it names are in the directory it was made for.
    pub text: String,
    /// The command to every vehicle [m/s, rad/s].
    pub twist: Twist2,
}

/// Circle of the cars: 2.5 m, near the smallest that they can drive.
const CAR_TWIST: Twist2 = Twist2::new(1.25, 0.0, 0.5);
const CAR_RADIUS: f64 = 2.5;
/// Cell of the maps [m].
const CELL: f64 = 0.05;
const MAP_FILE: &str = "map.png";

const CAR: &str = r#"  <vehicle:class name="car">
    <dynamics class="ackermann">
      <rl_wheel pos="0 1" mass="6" width="0.3" diameter="0.62"/>
      <rr_wheel pos="0 -1" mass="6" width="0.3" diameter="0.62"/>
      <fl_wheel mass="6" width="0.3" diameter="0.62"/>
      <fr_wheel mass="6" width="0.3" diameter="0.62"/>
      <f_wheels_x>1.3</f_wheels_x>
      <f_wheels_d>2</f_wheels_d>
      <max_steer_ang_deg>30</max_steer_ang_deg>
      <chassis mass="800" zmin="0.15" zmax="1"/>
      <controller class="twist_front_steer_pid"><KP>150</KP><KI>60</KI><max_torque>400</max_torque></controller>
    </dynamics>
    <friction class="default"><mu>0.7</mu><C_damping>0.5</C_damping><C_rr>0.01</C_rr></friction>
    <odometry x_multiplier="1" y_multiplier="1" yaw_multiplier="1"/>
  </vehicle:class>
"#;

/// Inside a car: its law instead of that of its class.
const TYRES: &str =
    r#"<friction class="pacejka"><C_damping>0.5</C_damping><C_rr>0.01</C_rr><lateral><E>-0.5</E></lateral></friction>"#;
const UNKNOWN_HEIGHT: &str = r#"<chassis mass="800""#;
const KNOWN_HEIGHT: &str = r#"<chassis mass="800" com_height="0.5""#;

const ROBOT: &str = r#"  <vehicle:class name="robot">
    <dynamics class="differential">
      <l_wheel pos="0 0.25" mass="1" width="0.05" diameter="0.2"/>
      <r_wheel pos="0 -0.25" mass="1" width="0.05" diameter="0.2"/>
      <chassis mass="10" zmin="0.05" zmax="0.4">
        <shape><pt>-0.3 -0.25</pt><pt>-0.3 0.25</pt><pt>0.3 0.25</pt><pt>0.3 -0.25</pt></shape>
      </chassis>
      <controller class="twist_pid"><KP>4</KP><KI>2</KI><max_torque>14</max_torque></controller>
    </dynamics>
    <friction class="default"><mu>0.7</mu><C_damping>0.1</C_damping><C_rr>0.01</C_rr></friction>
    <odometry x_multiplier="1" y_multiplier="1" yaw_multiplier="1"/>
  </vehicle:class>
"#;

const LIDAR: &str = r#"
    <sensor class="laser" name="scan">
      <pose_3d>1.7 0 0.5 0 0 0</pose_3d>
      <fov_degrees>270</fov_degrees>
      <nrays>1081</nrays>
      <sensor_period>0.025</sensor_period>
      <max_range>30</max_range>
      <range_std_noise>0.01</range_std_noise>
    </sensor>
  "#;

/// The lidar of 16 rings.
const RINGS: &str = r#"
    <sensor class="lidar3d" name="lidar">
      <pose_3d>1.7 0 1.5 0 0 0</pose_3d>
      <vert_nrays>16</vert_nrays>
      <horz_nrays>1808</horz_nrays>
      <sensor_period>0.1</sensor_period>
      <max_range>100</max_range>
      <range_std_noise>0.01</range_std_noise>
      <ignore_parent_body>true</ignore_parent_body>
    </sensor>
  "#;

/// The camera for colour and depth.
const CAMERA: &str = r#"
    <sensor class="rgbd_camera" name="camera">
      <pose_3d>1.7 0 1 0 0 0</pose_3d>
      <sensor_period>0.0666667</sensor_period>
      <ignore_parent_body>true</ignore_parent_body>
    </sensor>
  "#;

/// What sensors in three dimensions see besides blocks.
const FLOOR: &str = "  <element class=\"horizontal_plane\"><x_min>-80</x_min><x_max>80</x_max><y_min>-80</y_min><y_max>80</y_max></element>\n";

/// Makes the world of `case`, its map in `directory`.
pub fn generate(case: Case, directory: &Path) -> io::Result<BenchWorld> {
    let (body, twist) = match case {
        Case::A => (cars(&[[0.0, 0.0]], ""), CAR_TWIST),
        Case::P => (cars(&[[0.0, 0.0]], TYRES).replace(UNKNOWN_HEIGHT, KNOWN_HEIGHT), CAR_TWIST),
        Case::B1 => (robots(1), ROBOT_TWIST),
        Case::B10 => (robots(10), ROBOT_TWIST),
        Case::B100 => (robots(100), ROBOT_TWIST),
        Case::B500 => (robots(500), ROBOT_TWIST),
        Case::B1000 => (robots(1000), ROBOT_TWIST),
        Case::B5000 => (robots(5000), ROBOT_TWIST),
        Case::C => (hall(1, 1, directory)?, CAR_TWIST),
        Case::D => (hall(5, 2, directory)?, CAR_TWIST),
        Case::E => (blocks(&centres(5, 2, 20.0), LIDAR), CAR_TWIST),
        Case::V => (blocks(&centres(2, 2, 20.0), RINGS) + FLOOR, CAR_TWIST),
        Case::W => (blocks(&centres(1, 1, 20.0), CAMERA) + FLOOR, CAR_TWIST),
    };
    let head = "<mvsim_world version=\"1.0\">\n  <simul_timestep>0.005</simul_timestep>\n";
    Ok(BenchWorld { text: format!("{head}{body}</mvsim_world>\n"), twist })
}

/// Cars that circle around these points.
fn cars(centres: &[[f64; 2]], inside: &str) -> String {
    let mut text = CAR.to_string();
    for (index, [x, y]) in centres.iter().enumerate() {
        vehicle(&mut text, "car", index, [x + CAR_RADIUS, *y], inside);
    }
    text
}

const ROBOT_TWIST: Twist2 = Twist2::new(0.5, 0.0, 0.5);

/// Robots on a square grid, far enough apart to circle without touching.
fn robots(count: usize) -> String {
    let side = (count as f64).sqrt().ceil() as usize;
    let mut text = ROBOT.to_string();
    for index in 0..count {
        let at = [(index % side) as f64 * 5.0, (index / side) as f64 * 5.0];
        vehicle(&mut text, "robot", index, at, "");
    }
    text
}

fn vehicle(text: &mut String, class: &str, index: usize, [x, y]: [f64; 2], inside: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  <vehicle name=\"r{}\" class=\"{class}\"><init_pose>{x} {y} 90</init_pose>{inside}</vehicle>",
        index + 1
    );
}

/// Centres of `columns` × `rows` squares of this side [m], the middle of all at the origin.
fn centres(columns: usize, rows: usize, side: f64) -> Vec<[f64; 2]> {
    let along = |index: usize, count: usize| (index as f64 - (count as f64 - 1.0) / 2.0) * side;
    (0..rows).flat_map(|row| (0..columns).map(move |column| [along(column, columns), along(row, rows)])).collect()
}

/// A hall of squares of 10 m with a car around a pillar in each, pillars where the squares meet, and walls around.
fn hall(columns: usize, rows: usize, directory: &Path) -> io::Result<String> {
    const SQUARE: f64 = 10.0;
    const WALL: f64 = 0.5;
    let centres = centres(columns, rows, SQUARE);
    let half = [columns as f64 * SQUARE / 2.0, rows as f64 * SQUARE / 2.0];
    let size = half.map(|half| (2.0 * (half + WALL) / CELL).round() as u32);
    let pillar = |p: [f64; 2], centre: [f64; 2], radius: f64| (p[0] - centre[0]).hypot(p[1] - centre[1]) < radius;
    let map = GrayImage::from_fn(size[0], size[1], |column, row| {
        // The first row of an image is the top of the map.
        let p = [(f64::from(column) + 0.5) * CELL - half[0] - WALL, half[1] + WALL - (f64::from(row) + 0.5) * CELL];
        let corner = [0, 1].map(|axis| (p[axis] / SQUARE + half[axis] / SQUARE).round() * SQUARE - half[axis]);
        let occupied = p[0].abs() > half[0]
            || p[1].abs() > half[1]
            || pillar(p, corner, 0.6)
            || centres.iter().any(|centre| pillar(p, *centre, 0.6));
        Luma([if occupied { 0 } else { 255 }])
    });
    map.save(directory.join(MAP_FILE)).map_err(io::Error::other)?;
    let (x, y) = (size[0] / 2, size[1] / 2);
    let map = format!(
        "  <element class=\"occupancy_grid\"><file>{MAP_FILE}</file><resolution>{CELL}</resolution>\
         <centerpixel_x>{x}</centerpixel_x><centerpixel_y>{y}</centerpixel_y></element>\n"
    );
    Ok(map + &cars(&centres, LIDAR))
}

/// A thousand boxes of half a metre around cars with this sensor, which circle around these points.
fn blocks(centres: &[[f64; 2]], sensor: &str) -> String {
    const COUNT: usize = 1000;
    const SPACING: f64 = 1.7;
    let free = |p: &[f64; 2]| centres.iter().map(|c| (p[0] - c[0]).hypot(p[1] - c[1])).fold(f64::INFINITY, f64::min);
    let mut places: Vec<[f64; 2]> = (-35..=35)
        .flat_map(|i| (-18..=18).map(move |k| [f64::from(i) * SPACING, f64::from(k) * SPACING]))
        .filter(|place| free(place) > 5.5)
        .collect();
    places.sort_by(|a, b| free(a).total_cmp(&free(b)));
    let mut text = cars(centres, sensor);
    text += "  <block:class name=\"box\"><static>true</static><zmin>0</zmin><zmax>1</zmax>\
             <shape><pt>-0.25 -0.25</pt><pt>-0.25 0.25</pt><pt>0.25 0.25</pt><pt>0.25 -0.25</pt></shape></block:class>\n";
    for (index, [x, y]) in places.iter().take(COUNT).enumerate() {
        let _ = writeln!(text, "  <block name=\"b{index}\" class=\"box\"><init_pose>{x} {y} 0</init_pose></block>");
    }
    text
}

#[cfg(test)]
#[path = "worlds_tests.rs"]
mod tests;
