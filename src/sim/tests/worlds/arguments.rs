//! No variable of a world reaches what an include of a file that comes with the program does not give.

use std::path::{Path, PathBuf};

use super::{folder as worlds, repository};
use skidpad_math::Pose3;
use skidpad_sim::world::{LoadOptions, World};

/// The files of a folder of `worlds` whose names end like this.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(worlds().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    paths
}

fn included() -> Vec<PathBuf> {
    let folders = ["sensors", "blocks", "actors", "vehicles", "vehicles/parts"];
    folders.iter().flat_map(|folder| files(folder, ".xml")).chain([worlds().join("rooms/house.xml")]).collect()
}

/// The names in the attributes of the tags that declare, at the head of a file.
fn declared(text: &str) -> Vec<String> {
    let tags = ["<arguments ", "<settings "].iter().filter_map(|tag| text.split_once(tag)?.1.split_once("/>"));
    let attributes = tags.flat_map(|(attributes, _)| attributes.split('=').map(str::to_owned).collect::<Vec<_>>());
    let names = attributes.filter_map(|part| part.rsplit([' ', '\n', '"']).next().map(str::to_owned));
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn included_files_declare_all_their_names() {
    for path in included() {
        let text = std::fs::read_to_string(&path).unwrap();
        let names = declared(&text);
        for part in text.split("${").skip(1) {
            let inside = part.split('}').next().unwrap_or_default();
            let (name, default) = inside.split_once('|').unwrap_or((inside, ""));
            assert!(names.iter().any(|known| known == name) || name == "NAME", "{}: {name}", path.display());
            // A class that is taken out of its file has its defaults with it, which are those of the file.
            let is_same = default.is_empty() || text.contains(&format!("{name}=\"{default}\""));
            assert!(is_same, "{}: {inside}", path.display());
        }
    }
}

/// Sensors and vehicles as they are where every name of the file is also a variable of the world, with another value.
#[test]
fn variables_of_a_world_change_nothing_in_what_it_includes() {
    for path in files("sensors", ".xml").into_iter().chain(files("vehicles", ".vehicle.xml")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let names = declared(&text);
        let is_sensor = path.to_string_lossy().ends_with(".sensor.xml");
        let class = text.split("<vehicle:class name=\"").nth(1).and_then(|part| part.split('"').next());
        let include = format!(
            "<include file=\"{}\"{}/>",
            path.display(),
            if names.contains(&"ray_file".to_owned()) {
                format!(" ray_file=\"{}\"", repository("tests/ledger/rays.csv").display())
            } else {
                String::new()
            }
        );
        let load = |variables: &str| {
            let vehicle = match class {
                Some(class) if !is_sensor => {
                    format!("{include}<vehicle name=\"r1\" class=\"{class}\"><init_pose>0 0 0</init_pose></vehicle>")
                }
                _ => format!(
                    "<vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{include}</vehicle>"
                ),
            };
            let text = format!("<mvsim_world>{variables}{vehicle}</mvsim_world>");
            let options = LoadOptions { offline: true, ..LoadOptions::default() };
            match World::load_text("test", &worlds(), &text, &options) {
                Ok((world, _)) => format!("{:?}", world.scene().vehicles),
                Err(problems) => panic!("{}: {problems}", path.display()),
            }
        };
        let variables = names.iter().map(|name| format!("<variable name=\"{name}\" value=\"3.5\"/>"));
        assert!(load("") == load(&variables.collect::<String>()), "{}", path.display());
    }
}

/// Where each sensor of a world is mounted, by the names of vehicle and sensor.
fn mountings(path: &Path, variables: Vec<(String, String)>) -> Vec<(String, String, Pose3)> {
    let options = LoadOptions { offline: true, variables, ..LoadOptions::default() };
    let (world, _) = World::load(path, &options).unwrap_or_else(|problems| panic!("{problems}"));
    let of_vehicle = |vehicle: &skidpad_sim::world::VehicleInfo| {
        let of = |sensor: &skidpad_sim::sensor::SensorInfo| {
            (vehicle.name.clone(), sensor.name.clone(), sensor.body_from_sensor)
        };
        vehicle.sensors.iter().map(of).collect::<Vec<_>>()
    };
    world.scene().vehicles.iter().flat_map(of_vehicle).collect()
}

/// The variables of a world with numbers, as `skidpad run --set` and launch files set them. Those that the world itself hands to its sensors do
/// what they are for.
#[test]
fn variables_that_the_user_sets_leave_the_mountings_of_sensors_alone() {
    let mut count = 0;
    for path in files(".", ".world.xml").into_iter().chain([worlds().join("rooms/map.xml")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let before = std::cell::OnceCell::new();
        for declaration in text.split("<variable name=\"").skip(1) {
            let mut quoted = declaration.split('"');
            let (name, value) = (quoted.next().unwrap(), quoted.nth(1).unwrap());
            let Ok(number) = value.parse::<f64>() else { continue };
            let handed = text.split("<include").skip(1).any(|tag| {
                let tag = tag.split("/>").next().unwrap_or_default();
                tag.contains(name)
            });
            if handed || ["timestep", "num_agents"].contains(&name) {
                continue;
            }
            let before = before.get_or_init(|| mountings(&path, Vec::new()));
            // A whole number: some count things.
            let after = mountings(&path, vec![(name.to_owned(), (number + 1.0).to_string())]);
            for (vehicle, sensor, pose) in before {
                let same = after.iter().find(|mounting| mounting.0 == *vehicle && mounting.1 == *sensor);
                assert!(
                    same.is_none_or(|mounting| mounting.2 == *pose),
                    "{}: {name}: {vehicle}, {sensor}",
                    path.display()
                );
            }
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}

/// nav2.launch.py yaw:=1.57 with the depth camera: the robot turns, its camera looks ahead.
#[test]
fn the_depth_camera_of_nav2_looks_ahead_whatever_the_yaw_of_the_robot() {
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let path = worlds().join("nav2.world.xml");
    let actual = mountings(&path, vec![set("yaw", "1.57"), set("depth_camera", "1")]);
    let camera = actual.iter().find(|(_, sensor, _)| sensor == "depth_camera").expect("a camera");
    assert_eq!((camera.2.yaw, camera.2.pitch, camera.2.roll), (0.0, 0.0, 0.0));
    let options = LoadOptions {
        offline: true,
        variables: vec![set("yaw", "1.57"), set("depth_camera", "1")],
        ..LoadOptions::default()
    };
    let (world, warnings) = World::load(&path, &options).unwrap();
    assert!((world.scene().vehicles[0].world_from_start.yaw - 1.57).abs() < 1e-4);
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, [""; 0]);
}
