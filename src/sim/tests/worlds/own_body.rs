//! Sensors that see nothing but the vehicle that carries them are told of at load and when a vehicle is spawned; those that see more are not.

use std::path::Path;

use skidpad_sim::world::{LoadOptions, SpawnRequest, SpawnSource, World};

/// A cart with a chassis of 1 by 1 m from 0.1 to 0.6 m above the ground.
fn cart(chassis: &str, sensor: &str) -> String {
    format!(
        "<vehicle name=\"cart\"><init_pose>2 1 30</init_pose><dynamics class=\"differential\">
        <chassis zmin=\"0.1\" zmax=\"0.6\"{chassis}><shape><pt>-0.5 -0.5</pt><pt>-0.5 0.5</pt><pt>0.5 0.5</pt><pt>0.5 -0.5</pt></shape></chassis>
        <l_wheel pos=\"0 0.6\"/><r_wheel pos=\"0 -0.6\"/></dynamics>{sensor}</vehicle>"
    )
}

/// A world with a floor, and these bodies.
fn load(bodies: &str) -> (World, Vec<String>) {
    let text = format!("<mvsim_world>\n<element class=\"horizontal_plane\"/>{bodies}</mvsim_world>");
    let (world, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
    (world, warnings.iter().map(ToString::to_string).collect())
}

/// A sensor of a class at this height in the middle of the cart, turned by these angles [deg].
fn sensor(class: &str, height: f64, angles: &str, tags: &str) -> String {
    format!("<sensor class=\"{class}\" name=\"eye\"><pose_3d>0 0 {height} {angles}</pose_3d>{tags}</sensor>")
}

/// Each class that casts rays in three dimensions and sees its vehicle, with the angles at which it looks ahead, and its rays in a probe.
const CLASSES: [(&str, &str, &str, usize); 6] = [
    ("lidar3d", "0 0 0", "", 64),
    ("camera", "-90 0 -90", "<ncols>32</ncols><nrows>24</nrows>", 64),
    (
        "rgbd_camera",
        "0 0 0",
        "<rgb_ncols>8</rgb_ncols><rgb_nrows>4</rgb_nrows><depth_ncols>8</depth_ncols><depth_nrows>4</depth_nrows>",
        64,
    ),
    ("laser", "0 0 0", "<raytrace_3d>true</raytrace_3d>", 64),
    ("range", "0 0 0", "<ignore_parent_body>false</ignore_parent_body>", 61),
    ("range", "0 0 0", "<ignore_parent_body>false</ignore_parent_body><nrays>1</nrays>", 1),
];

fn warning(rays: usize) -> String {
    let actual = if rays == 1 { "its ray ends there".to_owned() } else { format!("each of {rays} rays ends there") };
    format!(
        "sensor \"eye\" of \"cart\" sees its own vehicle and nothing else: {actual}\n  \
         hint: <ignore_parent_body>true</ignore_parent_body> lets it see through its vehicle; or move the sensor outside"
    )
}

#[test]
fn a_sensor_within_its_own_vehicle_is_told() {
    for (class, angles, tags, rays) in CLASSES {
        let inside = cart("", &sensor(class, 0.3, angles, tags));
        let actual = load(&inside).1;
        assert_eq!(actual.len(), 1, "{class}: {actual:?}");
        assert!(actual[0].starts_with("w.xml:2:") && actual[0].ends_with(&warning(rays)), "{class}: {actual:?}");
        // The same vehicle at its arrival in a running world.
        let request = |text: String| SpawnRequest {
            name: "cart".into(),
            source: SpawnSource::Xml { text, directory: ".".into(), label: "spawn".into() },
            pose: None,
        };
        let (world, _) = load("");
        let recipe = world.catalogue().recipe(&request(inside)).unwrap();
        let reported: Vec<String> = recipe.warnings.iter().map(ToString::to_string).collect();
        assert!(reported.len() == 1 && reported[0].ends_with(&warning(rays)), "{class}: {reported:?}");
        let above = cart("", &sensor(class, 0.7, angles, tags));
        assert!(world.catalogue().recipe(&request(above)).unwrap().warnings.is_empty(), "{class}");
    }
}

#[test]
fn a_sensor_that_sees_more_than_its_own_vehicle_is_not_told() {
    for (class, angles, tags, _) in CLASSES {
        let blind = "<ignore_parent_body>false</ignore_parent_body>";
        let ignoring = format!("{}<ignore_parent_body>true</ignore_parent_body>", tags.replace(blind, ""));
        let inside = sensor(class, 0.3, angles, tags);
        let cases = [
            ("ignores its vehicle", cart("", &sensor(class, 0.3, angles, &ignoring))),
            ("above", cart("", &sensor(class, 0.7, angles, tags))),
            ("flush with the front", cart("", &inside.replace("0 0 0.3", "0.5 0 0.3"))),
            ("behind glass", cart(" color=\"#ffffff20\"", &inside)),
        ];
        for (case, text) in cases {
            assert_eq!(load(&text).1, Vec::<String>::new(), "{class}: {case}");
        }
    }
    // In the plane a lidar never sees its own vehicle.
    assert!(load(&cart("", &sensor("laser", 0.3, "0 0 0", ""))).1.is_empty());
}

/// Twenty carts from one loop have one start pose in the file.
#[test]
fn a_fleet_is_told_once() {
    let fleet = format!("<for var=\"I\" from=\"1\" to=\"20\">{}</for>", cart("", &sensor("lidar3d", 0.3, "0 0 0", "")));
    let fleet = fleet.replace("name=\"cart\"", "name=\"cart${I}\"").replace("2 1 30", "$f{3*I} 1 30");
    let actual = load(&fleet).1;
    assert!(actual.len() == 1 && actual[0].contains("of \"cart1\" sees its own vehicle"), "{actual:?}");
}
