//! Lidars in three dimensions in worlds: patterns of rays, glass, and the mistakes in their tags.

use std::path::Path;

use skidpad_sim::sensor::{Cloud, ReadingData};
use skidpad_sim::world::{LoadOptions, World};

use super::cameras::{load, robot};

/// A block of this colour with a face at x, 4 m wide, from −1 m to 4 m.
fn block(name: &str, color: &str, x: f64) -> String {
    format!(
        "<block name=\"{name}\"><static>true</static><color>{color}</color><zmin>-1</zmin><zmax>4</zmax>
        <init_pose>{x} 0 0</init_pose><shape><pt>0 -2</pt><pt>0.01 -2</pt><pt>0.01 2</pt><pt>0 2</pt></shape></block>"
    )
}

/// A lidar at 1 m with these tags and without noise.
fn lidar(inner: &str) -> String {
    format!(
        "<sensor class=\"lidar3d\" name=\"eye\"><pose_3d>0 0 1 0 0 0</pose_3d><range_std_noise>0</range_std_noise>
        <ignore_parent_body>true</ignore_parent_body>{inner}</sensor>"
    )
}

/// Its first complete cloud.
fn cloud(world: &mut World) -> Cloud {
    loop {
        let frame = world.step().unwrap();
        let reading = &frame.readings[0];
        if reading.time == frame.time {
            let ReadingData::Cloud(cloud) = &reading.data else { panic!("{reading:?}") };
            return cloud.clone();
        }
    }
}

/// The one point that a ray ahead returns: its range and intensity.
fn ahead(blocks: &str, tags: &str) -> Option<(f32, f32)> {
    let single_ray = "<pattern>angles</pattern><ray_angles>0 0</ray_angles>";
    let mut world = load(Path::new("."), &format!("{blocks}{}", robot(&lidar(&format!("{single_ray}{tags}")))));
    let cloud = cloud(&mut world);
    assert_eq!(cloud.rays, 1);
    cloud.points.first().map(|point| (point.range(), point.intensity))
}

#[test]
fn glass_returns_a_share_and_lets_the_rest_through_both_ways() {
    // A quarter opaque, and each of the two faces of a pane counts.
    let pane = block("pane", "#ffffff40", 3.0);
    let pane_and_wall = format!("{pane}{}", block("wall", "#808080", 6.0));
    let alpha = 64.0 / 255.0_f32;
    let near = |actual: Option<(f32, f32)>, range: f32, intensity: f32| {
        let (r, i) = actual.expect("a return");
        assert!((r - range).abs() < 1e-4 && (i - intensity).abs() < 1e-4, "{r} {i} for {range} {intensity}");
    };
    let behind = (1.0 - alpha).powi(4) * 128.0 / 255.0;
    near(ahead(&pane_and_wall, "<returns>first</returns>"), 3.0, alpha);
    near(ahead(&pane_and_wall, "<returns>last</returns>"), 6.0, behind);
    near(ahead(&pane, "<returns>last</returns>"), 3.01, alpha * (1.0 - alpha).powi(2));
    // The wall is a little weaker at four times the area.
    near(ahead(&pane_and_wall, ""), 3.0, alpha);
    let clear = format!("{}{}", block("pane", "#ffffff08", 3.0), block("wall", "#808080", 6.0));
    assert!((ahead(&clear, "").unwrap().0 - 6.0).abs() < 1e-4);
    // What is too weak is not received: then the other one is.
    let weak = "<returns>last</returns><range_at_10_percent>4</range_at_10_percent>";
    assert!((ahead(&pane_and_wall, weak).unwrap().0 - 3.0).abs() < 0.02);
    assert!(ahead(&block("wall", "#202020", 6.0), weak).is_none());
}

#[test]
fn a_file_of_rays_is_seen_row_by_row_over_the_turns() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..20).map(|row| format!("{},{},0,{}\n", 0.01 * f64::from(row), row - 10, row)).collect();
    std::fs::write(folder.path().join("rays.csv"), format!("time_s,azimuth_deg,elevation_deg,ring\n{rows}")).unwrap();
    let tags = "<pattern>file</pattern><ray_file>rays.csv</ray_file>";
    let inner = format!("{}{}", block("wall", "#ffffff", 3.0), robot(&lidar(tags)));
    let mut world = load(folder.path(), &inner);
    for first in [0, 10, 0] {
        let cloud = cloud(&mut world);
        let rings: Vec<u16> = cloud.points.iter().map(|point| point.ring).collect();
        assert_eq!(rings, (first..first + 10).collect::<Vec<u16>>());
        for point in &cloud.points {
            let azimuth = (f64::from(point.ring) - 10.0).to_radians();
            assert!((f64::from(point.position[1]) - 3.0 * azimuth.tan()).abs() < 1e-5);
            assert_eq!(point.since_start, u32::from(point.ring - first) * 10_000_000);
        }
    }
}

#[test]
fn files_for_simulators_of_livox_give_zeniths_and_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Time/s,Azimuth/deg,Zenith/deg\n1,0,90\n2,90,45\n3,180,135\n";
    std::fs::write(folder.path().join("rays.csv"), text).unwrap();
    let tags = "<pattern>file</pattern><ray_file>rays.csv</ray_file><ray_rate>30</ray_rate>";
    let plane = "<element class=\"horizontal_plane\"/>";
    let cloud = cloud(&mut load(folder.path(), &format!("{plane}{}", robot(&lidar(tags)))));
    assert_eq!(cloud.rays, 3);
    let [down] = &cloud.points[..] else { panic!("{:?}", cloud.points) };
    let [x, y, z] = down.position;
    assert!((x + 1.0).abs() < 1e-5 && y.abs() < 1e-5 && (z + 1.0).abs() < 1e-5, "{x} {y} {z}");
    assert_eq!(down.since_start, 66_666_667);
}

#[test]
fn mistakes_in_the_tags_of_lidars_are_reported_at_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let problems = |tags: &str, file: &str| {
        std::fs::write(folder.path().join("rays.csv"), file).unwrap();
        let text = format!("<mvsim_world>\n{}</mvsim_world>", robot(&lidar(tags)));
        let Err(problems) = World::load_text("w.xml", folder.path(), &text, &LoadOptions::default()) else {
            panic!("{tags} loads")
        };
        problems.to_string()
    };
    for (tags, expected) in [
        (
            "<pattern>spiral</pattern>",
            "bad value \"spiral\" for <pattern> in <sensor class=\"lidar3d\">\n  \
             accepted: spinning, angles, file, rosette",
        ),
        ("<pattern>angles</pattern>", "missing ray_angles"),
        (
            "<pattern>angles</pattern><ray_angles>1 2 3</ray_angles>",
            "3 numbers\n  accepted: azimuth and elevation of each ray [deg]",
        ),
        ("<pattern>angles</pattern><ray_angles>0 91</ray_angles>", "an elevation of 91 degrees\n  accepted: −90 to 90"),
        (
            "<pattern>rosette</pattern><organized>true</organized>",
            "the pattern has no rings to make rows of\n  accepted: a pattern with rings, such as spinning",
        ),
        (
            "<pattern>rosette</pattern><ray_rate>1e7</ray_rate><sensor_period>1</sensor_period>",
            "10000000 rays in a turn of 1 s\n  accepted: at most 4000000",
        ),
        ("<returns>dual</returns>", "accepted: first, last, strongest"),
        ("<pattern>file</pattern>", "missing ray_file"),
        ("<pattern>file</pattern><ray_file>none.csv</ray_file>", "none.csv: cannot be read: "),
    ] {
        let actual = problems(tags, "");
        assert!(actual.contains(expected), "{tags}: {actual}");
    }
    let livox = "Time/s,Azimuth/deg,Zenith/deg\n1,0,90\n";
    let csv = |rows: &str| format!("time_s,azimuth_deg,elevation_deg\n{rows}");
    for (file, expected) in [
        ("", "rays.csv:1: unknown header \"\"\n  accepted: time_s,azimuth_deg,elevation_deg or "),
        (livox, "rays.csv:1: the times of this file are line numbers\n  accepted: with a ray_rate [1/s]"),
        (&csv(""), "rays.csv: no rays"),
        (&csv("0,1\n"), "rays.csv:2: 2 columns\n  accepted: 3"),
        (&csv("0,nan,1\n"), "rays.csv:2: \"nan\" is not a number"),
        (&csv("0,0,95\n"), "rays.csv:2: an elevation of 95 degrees\n  accepted: −90 to 90"),
        (&csv("0,0,0\n-1,0,0\n"), "rays.csv:3: the time -1 s\n  accepted: 0 to 1e6"),
        (&csv("1,0,0\n0.5,0,0\n"), "rays.csv:3: the time 0.5 s is before that of the line above"),
        (&csv("0,0,0\n"), "rays.csv: all rays have the same time\n  accepted: several times, or a ray_rate"),
    ] {
        let actual = problems("<pattern>file</pattern><ray_file>rays.csv</ray_file>", file);
        assert!(actual.contains(expected), "{file}: {actual}");
    }
}

#[test]
fn on_the_hill_the_ground_is_where_the_map_says_and_trees_stand_on_it() {
    let variables =
        [("EVERY_COLUMN", "4"), ("PIXELS", "16")].map(|(name, value)| (name.to_string(), value.to_string()));
    let mut world =
        super::load_with("hill_with_trees", &LoadOptions { variables: variables.into(), ..LoadOptions::default() });
    let map = world.scene().elevations[0].map.clone();
    let noise = 0.05;
    let (mut ground, mut wood, mut highest) = (0, 0, 0.0_f64);
    for _ in 0..3 {
        let cloud = cloud(&mut world);
        let world_from_lidar =
            world.frame().vehicles[0].world_from_body * world.scene().vehicles[0].sensors[0].body_from_sensor;
        for point in cloud.points.iter().filter(|point| point.is_return()) {
            let [x, y, z] = point.position.map(f64::from);
            let at = world_from_lidar.transform_point(skidpad_math::Vec3::new(x, y, z));
            let Some(height) = map.height_at(skidpad_math::Vec2::new(at.x, at.y)) else { continue };
            let above = at.z - height;
            assert!(above > -noise, "a point {above} m below the ground");
            if above < noise {
                ground += 1;
            } else {
                wood += 1;
                highest = highest.max(above);
            }
        }
    }
    assert!(ground > 5000 && wood > 1000, "{ground} {wood}");
    // The trees are up to 6 m high, and the lidar looks up by 15 degrees.
    assert!((3.0..6.1).contains(&highest), "{highest}");
}
