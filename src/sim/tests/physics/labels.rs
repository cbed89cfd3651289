//! Labels of clouds and pictures: numbers that last, and classes that the world file names.

use std::collections::BTreeMap;

use super::common::{run, world};
use super::population::of_class;
use skidpad_math::Pose2;
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::world::{ResetScope, SpawnRequest, SpawnSource, World};

/// A robot whose lidar sees in all directions among bodies of all kinds, 2 m away or nearer.
const YARD: &str = r#"<simul_timestep>0.01</simul_timestep>
  <element class="horizontal_plane"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>
  <element class="vertical_plane"><x0>-4</x0><y0>-3</y0><x1>-4</x1><y1>3</y1><label>fence</label></element>
  <walls><shape><pt>-3 5</pt><pt>3 5</pt></shape></walls>
  <block:class name="oak"><static>true</static><label>tree</label></block:class>
  <block name="stone"><static>true</static><init_pose>3 3 0</init_pose></block>
  <block name="oak_1" class="oak"><init_pose>3 0 0</init_pose></block>
  <block name="oak_2" class="oak"><init_pose>3 -3 0</init_pose></block>
  <block name="gate"><label>wall</label><intangible>true</intangible><init_pose>0 -3 0</init_pose></block>
  <actor name="bob"><init_pose>0 3 0</init_pose></actor>
  <vehicle:class name="robot"><dynamics class="differential"><l_wheel pos="0 0.2"/><r_wheel pos="0 -0.2"/>
    <chassis mass="10" zmin="0.05" zmax="0.35"/><controller class="twist_ideal"/></dynamics>
    <sensor class="lidar3d" name="lidar"><pose_3d>0 0 0.5 0 0 0</pose_3d><vert_nrays>9</vert_nrays><vert_fov_degrees>90</vert_fov_degrees>
      <horz_nrays>360</horz_nrays><range_std_noise>0</range_std_noise><ignore_parent_body>true</ignore_parent_body>
      <instantaneous>true</instantaneous><labels>true</labels></sensor></vehicle:class>
  <vehicle name="r1" class="robot"><init_pose>0 0 0</init_pose></vehicle>
  <vehicle name="r2" class="robot"><label>truck</label><init_pose>-2 0 0</init_pose></vehicle>"#;

/// The labels of everything that the first lidar sees in its next cloud, by the names in the scene's table.
fn seen(world: &mut World) -> BTreeMap<String, [u16; 2]> {
    run(world, 0.1);
    let ReadingData::Cloud(cloud) = &world.frame().readings[0].data else { panic!("no cloud") };
    let scene = world.scene();
    let name = |label: [u16; 2]| {
        let named = scene.labelled().find(|(_, known)| known.numbers == label);
        let (name, label) = named.unwrap_or_else(|| panic!("{label:?} means nothing"));
        assert_eq!(scene.label_classes[usize::from(label.numbers[0]) - 1], label.class, "{name}");
        (format!("{} {name}", label.class), label.numbers)
    };
    cloud.points.iter().map(|point| name(point.label)).collect()
}

fn spawn(world: &mut World, class: &str, name: &str, x: f64, y: f64) {
    let recipe = world.catalogue().recipe(&of_class(class, name, x, y)).unwrap();
    world.spawn(recipe).unwrap();
}

fn remove(world: &mut World, name: &str) {
    let block = world.scene().blocks.iter().find(|block| block.name == name).map(|block| block.id);
    let vehicle = world.scene().vehicles.iter().find(|vehicle| vehicle.name == name).map(|vehicle| vehicle.id);
    world.remove(block.or(vehicle).unwrap()).unwrap();
}

#[test]
fn every_body_has_a_number_and_a_class_of_its_own() {
    let expected = [
        ("actor bob", [5, 10]),
        ("block stone", [3, 4]),
        ("fence vertical_plane_1", [6, 2]),
        ("ground horizontal_plane_1", [1, 1]),
        ("tree oak_1", [7, 5]),
        ("tree oak_2", [7, 6]),
        ("truck r2", [8, 9]),
        ("wall gate", [2, 7]),
        ("wall wall_0001", [2, 3]),
    ];
    let expected = expected.map(|(name, numbers)| (name.to_owned(), numbers));
    assert_eq!(seen(&mut world(YARD)), expected.into());
}

#[test]
fn numbers_outlast_what_comes_and_goes() {
    let mut world = world(YARD);
    let at_first = seen(&mut world);
    remove(&mut world, "stone");
    remove(&mut world, "oak_1");
    remove(&mut world, "r2");
    let fewer = seen(&mut world);
    assert!(fewer.iter().all(|(name, numbers)| at_first[name] == *numbers), "{fewer:?}");
    assert_eq!(fewer.len(), at_first.len() - 3);
    // A new body has a new number, one of a known name the old one, and a new class comes after the others.
    spawn(&mut world, "oak", "oak_3", 3.0, 3.0);
    spawn(&mut world, "oak", "oak_1", 3.0, 0.0);
    let text = r#"<block name="cone"><label>cone</label><init_pose>-2 0 0</init_pose></block>"#;
    let source = SpawnSource::Xml { text: text.into(), directory: ".".into(), label: "here".into() };
    let pose = Some(Pose2::new(-2.0, 0.0, 0.0).into());
    let recipe = world.catalogue().recipe(&SpawnRequest { name: "cone".into(), source, pose }).unwrap();
    world.spawn(recipe).unwrap();
    let mut expected = fewer;
    expected.extend([("tree oak_3".to_owned(), [7, 11]), ("cone cone".to_owned(), [9, 12])]);
    expected.extend(at_first.get_key_value("tree oak_1").map(|(name, numbers)| (name.clone(), *numbers)));
    assert_eq!(seen(&mut world), expected);
    // A full reset brings the bodies of the file back under their numbers; a name that comes again has its own.
    world.reset_with(ResetScope::ALL);
    assert_eq!(seen(&mut world), at_first);
    remove(&mut world, "stone");
    spawn(&mut world, "oak", "oak_4", 3.0, 3.0);
    assert_eq!(seen(&mut world)["tree oak_4"], [7, 13]);
    remove(&mut world, "oak_4");
    spawn(&mut world, "oak", "oak_3", 3.0, 3.0);
    assert_eq!(seen(&mut world)["tree oak_3"], [7, 11]);
}
