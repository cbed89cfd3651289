//! What is nearer than a sensor's least range, and panes of glass: all sensors at once, each by its own rule.

use std::path::Path;

use skidpad_sim::sensor::ReadingData;
use skidpad_sim::world::World;

use super::cameras::{load, robot};

/// A slab across the view, its face at this distance from the sensors [m], of this colour.
fn slab(name: &str, distance: f64, color: &str) -> String {
    format!(
        "<block name=\"{name}\"><static>true</static><init_pose>{} 0 0</init_pose><zmin>0</zmin><zmax>4</zmax><color>{color}</color>
        <shape><pt>0 -3</pt><pt>0.02 -3</pt><pt>0.02 3</pt><pt>0 3</pt></shape></block>",
        1.0 + distance
    )
}

/// All sensors that cast rays, 1 m up and 1 m ahead, looking ahead, without noise; each measures from 0.4 m on.
fn sensors() -> String {
    let at = "<pose_3d>1 0 1 0 0 0</pose_3d><ignore_parent_body>true</ignore_parent_body>";
    let ranges = "<min_range>0.4</min_range><max_range>30</max_range><range_std_noise>0</range_std_noise>";
    let single_ray = "<nrays>1</nrays><fov_degrees>1</fov_degrees>";
    let lens = |prefix: &str| {
        let number = |tag: &str, value: u32| format!("<{prefix}{tag}>{value}</{prefix}{tag}>");
        let all = [("ncols", 3), ("nrows", 3), ("fx", 9), ("fy", 9), ("cx", 1), ("cy", 1)];
        all.map(|(tag, value)| number(tag, value)).concat() + &format!("<{prefix}clip_min>0.4</{prefix}clip_min>")
    };
    let spatial = "<raytrace_3d>true</raytrace_3d>";
    let flat = "<raytrace_3d>false</raytrace_3d>";
    let infrared = "<radiation_type>infrared</radiation_type>";
    [
        format!("<sensor class=\"laser\" name=\"planar\">{at}{ranges}{single_ray}</sensor>"),
        format!("<sensor class=\"laser\" name=\"spatial\">{at}{ranges}{single_ray}{spatial}</sensor>"),
        format!("<sensor class=\"range\" name=\"sound\">{at}{ranges}{single_ray}</sensor>"),
        format!("<sensor class=\"range\" name=\"sound_in_plane\">{at}{ranges}{single_ray}{flat}</sensor>"),
        format!("<sensor class=\"range\" name=\"light\">{at}{ranges}{single_ray}{infrared}</sensor>"),
        format!("<sensor class=\"range\" name=\"light_in_plane\">{at}{ranges}{single_ray}{infrared}{flat}</sensor>"),
        format!(
            "<sensor class=\"lidar3d\" name=\"cloud\">{at}{ranges}<organized>true</organized><instantaneous>true</instantaneous>
            <vert_nrays>1</vert_nrays><horz_nrays>1</horz_nrays><horz_fov_degrees>0.01</horz_fov_degrees></sensor>"
        ),
        format!(
            "<sensor class=\"rgbd_camera\" name=\"depth\">{at}<depth_encoding>32FC1</depth_encoding>
            <depth_noise_sigma>0</depth_noise_sigma>{}{}<rgb_encoding>rgb8</rgb_encoding></sensor>",
            lens("depth_"),
            lens("rgb_")
        ),
    ]
    .concat()
}

/// What each sensor measures [m] at first, and the red of the middle of the picture.
fn measured(bodies: &str) -> (Vec<f64>, u8) {
    let even = "<lights><light_ambient>1</light_ambient></lights>";
    let mut world: World = load(Path::new("."), &format!("{even}{bodies}{}", robot(&sensors())));
    world.sense();
    let mut red = 0;
    let ranges = world.frame().readings.iter().map(|reading| match &reading.data {
        ReadingData::Scan(scan) => f64::from(scan.ranges[0]),
        ReadingData::Range(sample) => sample.range,
        ReadingData::Cloud(cloud) => f64::from(cloud.points[0].range()),
        ReadingData::Rgbd(image) => {
            red = image.pixels[3 * 4];
            f64::from(image.depths[4])
        }
        other => panic!("{other:?}"),
    });
    (ranges.collect(), red)
}

const NEAR: f64 = f64::NEG_INFINITY;

fn assert_measured(bodies: &str, expected: [f64; 8], expected_red: u8) {
    let (actual, red) = measured(bodies);
    for (actual, expected) in actual.iter().zip(expected) {
        let is_close = (actual - expected).abs() < 1e-4 || *actual == expected || actual.is_nan() && expected.is_nan();
        assert!(is_close, "{actual} instead of {expected}: {actual:?} in {bodies}");
    }
    assert_eq!((actual.len(), red), (8, expected_red), "{bodies}");
}

#[test]
fn what_is_too_near_hides_what_is_behind_it() {
    let behind = slab("behind", 2.5, "#c80000");
    assert_measured(&behind, [2.5; 8], 0xc8);
    let none = f64::NAN;
    for distance in [0.3, 0.1, 0.004] {
        let near = slab("near", distance, "#640000") + &behind;
        assert_measured(&near, [NEAR, NEAR, NEAR, NEAR, NEAR, NEAR, none, NEAR], 0x64);
    }
    // At half a metre it is measured.
    assert_measured(&(slab("near", 0.5, "#640000") + &behind), [0.5; 8], 0x64);
}

#[test]
fn panes_are_the_same_to_sensors_in_the_plane_and_in_space() {
    let behind = slab("behind", 2.5, "#c80000");
    // An eighth opaque, black: of the wall the picture shows the rest through two faces.
    let through = |alpha: f64| (200.0 * (1.0 - alpha / 255.0).powi(2)).round() as u8;
    let glass = slab("pane", 1.0, "#00000020") + &behind;
    assert_measured(&glass, [2.5, 2.5, 1.0, 1.0, 2.5, 2.5, 2.5, 2.5], through(32.0));
    let near_glass = slab("pane", 0.2, "#00000020") + &behind;
    assert_measured(&near_glass, [2.5, 2.5, NEAR, NEAR, 2.5, 2.5, 2.5, 2.5], through(32.0));
    // More than half opaque; the lidar in three dimensions takes the stronger return, and black sends none back.
    let tinted = slab("pane", 1.0, "#00000090") + &behind;
    assert_measured(&tinted, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.5, 1.0], through(144.0));
}

/// Bodies of all kinds: one that can be pushed, a wall, a mesh, a vehicle whose chassis is of glass and whose wheels are not.
#[test]
fn whatever_is_of_glass_lets_the_beams_of_planar_lidars_through() {
    let behind = slab("behind", 5.5, "#c80000");
    let free =
        "<block name=\"free\"><init_pose>3 0 0</init_pose><zmin>0</zmin><zmax>2</zmax><color>#ffffff20</color></block>";
    let wall = "<element class=\"vertical_plane\"><x0>3</x0><y0>-2</y0><x1>3</x1><y1>2</y1><z>0</z><height>3</height><color>#ffffff20</color></element>";
    let cart = "<vehicle name=\"z\"><init_pose>3.5 0 0</init_pose><dynamics class=\"differential\"><chassis color=\"#ffffff20\" zmin=\"0.05\" zmax=\"2\"/>
        <l_wheel pos=\"0 0.9\"/><r_wheel pos=\"0 -0.9\"/></dynamics></vehicle>";
    for clear in [free, wall, cart] {
        for (body, expected) in [(clear.to_owned(), 5.5), (clear.replace("#ffffff20", "#ffffffff"), 0.0)] {
            let (actual, _) = measured(&(behind.clone() + &body));
            let [planar, spatial] = [actual[0], actual[1]];
            assert!((planar - spatial).abs() < 1e-4, "{body}: {planar} {spatial}");
            assert_eq!((planar - 5.5).abs() < 1e-4, expected == 5.5, "{body}: {planar}");
        }
    }
}
