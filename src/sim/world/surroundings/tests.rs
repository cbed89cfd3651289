//! Bodies are seen where a frame has them.

use skidpad_math::Vec2;

use super::*;
use crate::raycast::space::{Looker, Ray};
use crate::vehicle::WheelFrame;
use crate::world::frame::VehicleFrame;
use crate::world::{BlockInfo, VehicleInfo, WheelInfo};

fn square(half: f64) -> Vec<Vec2> {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y)).into()
}

fn at(x: f64, y: f64) -> Pose3 {
    Pose3 { x, y, ..Pose3::default() }
}

/// A static block at x = 10, a loose one at x = 20, and a car with one wheel at its front.
fn scene() -> Scene {
    let block = |x, is_static| BlockInfo {
        outline: square(0.5),
        z: [0.0, 1.0],
        is_static,
        world_from_start: at(x, 0.0),
        ..BlockInfo::default()
    };
    let wheel = WheelInfo { position: Vec2::new(2.0, 0.0), radius: 0.3, width: 0.2, ..WheelInfo::default() };
    let car =
        VehicleInfo { outline: square(1.0), chassis_z: [0.4, 1.0], wheels: vec![wheel], ..VehicleInfo::default() };
    let mut scene =
        Scene { vehicles: vec![car], blocks: vec![block(10.0, true), block(20.0, false)], ..Scene::default() };
    let labels = [[3, 1], [3, 2], [4, 3]];
    let bodies = scene.blocks.iter_mut().map(|block| &mut block.label);
    let bodies = bodies.chain(scene.vehicles.iter_mut().map(|vehicle| &mut vehicle.label));
    bodies.zip(labels).for_each(|(label, numbers)| label.numbers = numbers);
    scene
}

fn along_y(space: &Space, x: f64, z: f64) -> Option<([u16; 2], f64)> {
    let ray = Ray {
        origin: Vec3::new(x, -50.0, z),
        direction: Vec3::y(),
        near: 0.0,
        far: 1e3,
        hidden: None,
        looker: Looker::Camera,
    };
    let hit = space.cast(&ray)?;
    let surface = space.surface(&hit);
    Some((surface.label, hit.range - 50.0))
}

#[test]
fn everything_is_seen_where_the_frame_has_it() {
    let scene = scene();
    let mut all = Surroundings::new(&scene, None);
    let vehicle = VehicleFrame {
        world_from_body: at(-30.0, 0.0),
        wheels: vec![WheelFrame::default()],
        ..VehicleFrame::default()
    };
    let mut frame = Frame { vehicles: vec![vehicle], blocks: vec![at(10.0, 0.0), at(20.0, 4.0)], ..Frame::default() };
    all.place(&frame);
    let close = |found: Option<([u16; 2], f64)>, label: [u16; 2], y: f64| {
        let found = found.unwrap_or_else(|| panic!("{label:?} is not seen"));
        assert!(found.0 == label && (found.1 - y).abs() < 1e-5, "{found:?}");
    };
    close(along_y(&all.space, 10.0, 0.5), [3, 1], -0.5);
    close(along_y(&all.space, 20.0, 0.5), [3, 2], 3.5);
    close(along_y(&all.space, -30.0, 0.7), [4, 3], -1.0);
    close(along_y(&all.space, -28.0, 0.3), [4, 3], -0.1);
    assert_eq!(along_y(&all.space, -30.0, 0.2), None, "between the chassis and the ground");
    // The car turns around, and its wheel is steered across.
    frame.vehicles[0].world_from_body.yaw = std::f64::consts::PI;
    frame.vehicles[0].wheels[0].steer = std::f64::consts::FRAC_PI_2;
    all.place(&frame);
    close(along_y(&all.space, -32.0, 0.3), [4, 3], -0.3);
    assert_eq!(along_y(&all.space, -28.0, 0.3), None);
}

#[test]
fn a_mesh_that_cannot_be_read_is_named_and_not_seen() {
    let mut scene = scene();
    let visual = crate::world::visual::Visual {
        uri: "gone.stl".into(),
        file: Some("gone.stl".into()),
        body_from_mesh: Pose3::default(),
        scale: 1.0,
        color: None,
        cull: Default::default(),
        name: String::new(),
        show_bounding_box: false,
        seen_by: SeenBy::All,
        show_housings: false,
    };
    scene.blocks.iter_mut().for_each(|block| block.visuals = vec![visual.clone()]);
    let all = Surroundings::new(&scene, None);
    assert_eq!(all.problems.len(), 1, "once for each file: {:?}", all.problems);
    assert!(
        all.problems[0].to_string().starts_with("sensors do not see a mesh: gone.stl: cannot be read: "),
        "{:?}",
        all.problems
    );
    assert_eq!(along_y(&all.space, 10.0, 0.5), None);
}
