//! Models of vehicles that cameras alone see: what lidars, range finders and contacts find does not change by a bit.

use std::path::Path;

use skidpad_sim::sensor::ReadingData;
use skidpad_sim::world::{LoadOptions, World};

use super::{order, twist};

/// A tetrahedron of 1 by 2 by 3 m at the origin in paint, y up, and one of another material 4 m above it.
const MODEL: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
"nodes":[{"mesh":0},{"mesh":1,"translation":[0,4,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]},
 {"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":1}]}],
"materials":[{"name":"paint","pbrMetallicRoughness":{"baseColorFactor":[0,1,0,1]}},
 {"name":"lamp","pbrMetallicRoughness":{"baseColorFactor":[0,0,1,1]}}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},
 {"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAIBAAEDAAMCAQID"}]}"#;

fn visual(seen_by: &str) -> String {
    format!("<visual><model_uri>model.gltf</model_uri><model_roll>90</model_roll>{seen_by}</visual>")
}

/// A car that drives past one with sensors, with these visuals on chassis and wheels.
fn world(folder: &Path, visual: &str, sensors: &str) -> World {
    let car = |name: &str, pose: &str, visual: &str, inside: &str| {
        let wheel = |tag: &str, y: f64| format!("<{tag} pos=\"0 {y}\" width=\"0.2\" diameter=\"0.6\">{visual}</{tag}>");
        format!(
            "<vehicle name=\"{name}\"><init_pose>{pose}</init_pose><dynamics class=\"differential\">
            <chassis color=\"#c83214\" zmin=\"0.2\" zmax=\"0.8\"><shape><pt>-1 -0.5</pt><pt>-1 0.5</pt><pt>1 0.5</pt><pt>1 -0.5</pt></shape></chassis>
            {}{}<controller class=\"twist_ideal\"/></dynamics>{visual}{inside}</vehicle>",
            wheel("l_wheel", 0.6),
            wheel("r_wheel", -0.6)
        )
    };
    let text = format!(
        "<mvsim_world>\n<lights><light_ambient>1</light_ambient></lights>\n<element class=\"horizontal_plane\"/>
        <block name=\"wall\"><static>true</static><color>#808080</color><init_pose>7 3 0</init_pose></block>{}{}</mvsim_world>",
        car("driver", "4 -2 90", visual, ""),
        car("watcher", "0 0 0", "", sensors)
    );
    let loaded = World::load_text("w.xml", folder, &text, &LoadOptions::default());
    let (mut world, warnings) = loaded.unwrap_or_else(|problems| panic!("{problems}"));
    assert!(warnings.is_empty(), "{warnings:?}");
    order(&mut world, 0, twist(1.5, 0.1));
    world
}

/// What all of the sensors read in four seconds, in which the driver touches the wall, and where it goes.
fn readings(folder: &Path, visual: &str) -> String {
    let sensors = "<sensor class=\"laser\" name=\"planar\"><pose_3d>0 0 0.4 0 0 0</pose_3d><nrays>180</nrays></sensor>
        <sensor class=\"laser\" name=\"spatial\"><raytrace_3d>true</raytrace_3d><pose_3d>0 0 1 0 0 0</pose_3d><nrays>90</nrays></sensor>
        <sensor class=\"lidar3d\" name=\"drum\"><pose_3d>0 0 1.2 0 0 0</pose_3d></sensor>
        <sensor class=\"range\" name=\"sonar\"><pose_3d>1.1 0 0.5 0 0 0</pose_3d></sensor>";
    let mut world = world(folder, visual, sensors);
    let mut reported = String::new();
    for step in 0..800 {
        let frame = world.step().unwrap();
        if step % 50 == 0 {
            let vehicle = &frame.vehicles[0];
            reported += &format!("{:?} {:?} {:?}\n", vehicle.world_from_body, vehicle.colliding, frame.readings);
        }
    }
    assert!(reported.contains("Lidar3d") || reported.contains("Cloud"), "{}", &reported[..500]);
    reported
}

#[test]
fn lidars_and_contacts_do_not_know_of_models_that_cameras_see() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.gltf"), MODEL).unwrap();
    let plain = readings(folder.path(), "");
    assert!(plain == readings(folder.path(), &visual("<seen_by>cameras</seen_by>")));
    assert!(plain != readings(folder.path(), &visual("")), "lidars see other meshes");
}

#[test]
fn cameras_see_models_in_the_colour_of_their_vehicle() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.gltf"), MODEL).unwrap();
    // Looks at the driver's side, whose model is higher than its chassis.
    let camera =
        "<sensor class=\"camera\" name=\"eye\"><pose_3d>1.1 0 3 -90 0 -90</pose_3d><ncols>61</ncols><nrows>61</nrows>
        <fx>20</fx><fy>20</fy><cx>30</cx><cy>30</cy><encoding>rgb8</encoding></sensor>";
    let count = |visual: &str| {
        let mut world = world(folder.path(), visual, camera);
        loop {
            let frame = world.step().unwrap();
            if frame.readings[0].time != frame.time {
                continue;
            }
            let ReadingData::Photograph(photograph) = &frame.readings[0].data else { panic!() };
            let pixels = photograph.pixels.as_chunks::<3>().0;
            return [[0xc8, 0x32, 0x14], [0, 0xff, 0], [0, 0, 0xff]]
                .map(|color| pixels.iter().filter(|pixel| **pixel == color).count());
        }
    };
    let [body, unpainted, lamp] = count("");
    assert!(body > 20 && unpainted == 0 && lamp == 0, "{body} {unpainted} {lamp}");
    for seen_by in ["<seen_by>cameras</seen_by>", ""] {
        let [paint, unpainted, lamp] = count(&visual(seen_by));
        assert!(paint > 20 && unpainted == 0 && lamp > 20, "{paint} {unpainted} {lamp}");
    }
    let [paint, ..] = count(&visual("<model_color>#010203</model_color>"));
    assert_eq!(paint, 0, "a colour of the visual counts for all of it");
}
