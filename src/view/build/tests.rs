//! Documents of worlds whose bodies have known corners, and of all worlds of the project.

use std::path::{Path, PathBuf};
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_ros_data::interface::names::TfMode;
use skidpad_ros_data::interface::naming::VehicleNaming;
use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, RACECAR_GAZEBO, SKIDPAD};
use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
use skidpad_sim::trajectory::{self, Track, TrajectoryParameters, Waypoint};
use skidpad_sim::world::{LoadOptions, World};

use super::*;

fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds")
}

fn options() -> LoadOptions {
    LoadOptions { offline: true, ..LoadOptions::default() }
}

#[track_caller]
fn world(text: &str) -> World {
    let text = format!("<mvsim_world version=\"1.0\">{text}</mvsim_world>");
    World::load_text("test", &worlds(), &text, &options()).unwrap().0
}

#[track_caller]
fn view(text: &str) -> SceneView {
    scene_view(world(text).scene()).0
}

#[test]
fn frames_are_named_as_ros_publishes_them() {
    let robot = |name: &str| {
        format!(
            "<vehicle name=\"{name}\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>
             <sensor class=\"laser\" name=\"scan\"/></vehicle>"
        )
    };
    let world = world(&[robot("r1"), robot("r2")].concat());
    let frames = |preset, mode| {
        let mut naming = PublishedNaming::new(VehicleNaming::new(preset, false), move |_| mode);
        let second = named_scene_view(world.scene(), &naming.names_in(world.scene())).0.vehicles.swap_remove(1);
        let FramesView { map, odometry, base } = second.frames;
        (map, odometry.unwrap_or_default(), base, second.sensors[0].frame.clone())
    };
    let names = |map: &str, odometry: &str, base: &str, sensor: &str| {
        (map.to_owned(), odometry.to_owned(), base.to_owned(), sensor.to_owned())
    };
    assert_eq!(frames(&SKIDPAD, TfMode::Namespaced), names("map", "odom", "base_footprint", "scan"));
    assert_eq!(frames(&SKIDPAD, TfMode::Prefixed), names("map", "r2/odom", "r2/base_footprint", "r2/scan"));
    // That bridge publishes no odometry frame.
    let agent = names("map", "", "opp_racecar/base_link", "opp_racecar/laser");
    assert_eq!(frames(&F1TENTH_GYM_ROS, TfMode::Namespaced), agent);
}

#[test]
fn topics_of_sensors_are_named_as_ros_publishes_them() {
    let robot = |name: &str| {
        format!(
            "<vehicle name=\"{name}\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>
             <sensor class=\"camera\" name=\"front\"><ncols>8</ncols><nrows>6</nrows><cx>4</cx><cy>3</cy></sensor></vehicle>"
        )
    };
    let topics = |vehicles: &str, preset| {
        let mut naming = PublishedNaming::new(VehicleNaming::new(preset, false), |_| TfMode::Namespaced);
        let world = world(vehicles);
        let (view, _) = named_scene_view(world.scene(), &naming.names_in(world.scene()));
        view.vehicles.into_iter().map(|mut vehicle| vehicle.sensors[0].topics.swap_remove(0).name).collect::<Vec<_>>()
    };
    assert_eq!(topics(&robot("r1"), &SKIDPAD), ["front/image_raw"]);
    assert_eq!(topics(&[robot("r1"), robot("r2")].concat(), &SKIDPAD), ["r1/front/image_raw", "r2/front/image_raw"]);
    assert_eq!(topics(&robot("r1"), &RACECAR_GAZEBO), ["/camera/zed/rgb/image_rect_color"]);
}

fn floats_of(encoded: &str) -> Vec<f64> {
    let bytes = STANDARD.decode(encoded).unwrap();
    bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect()
}

fn points_of(shape: &ShapeView) -> Vec<Vec3> {
    let (ShapeView::Triangles { corners: points, .. } | ShapeView::Line { points }) = shape else {
        panic!("{shape:?}")
    };
    floats_of(points).chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// Smallest and largest x y z of drawings, in the frame of their body.
fn extent(drawings: &[DrawingView]) -> [[f64; 3]; 2] {
    let mut ends = [[f64::MAX; 3], [f64::MIN; 3]];
    for drawing in drawings {
        let [x, y, z, yaw, pitch, roll] = drawing.pose;
        let pose = Pose3 { x, y, z, yaw, pitch, roll };
        for p in points_of(&drawing.shape).into_iter().map(|p| pose.transform_point(p)) {
            for axis in 0..3 {
                ends[0][axis] = ends[0][axis].min(p[axis]);
                ends[1][axis] = ends[1][axis].max(p[axis]);
            }
        }
    }
    ends
}

#[track_caller]
fn assert_extent(drawings: &[DrawingView], wanted: [[f64; 3]; 2]) {
    let actual = extent(drawings);
    let off = actual.iter().flatten().zip(wanted.iter().flatten()).any(|(a, b)| (a - b).abs() > 1e-5);
    assert!(!off, "{actual:?} for {wanted:?}");
}

const ROBOT: &str = r##"<vehicle:class name="robot"><dynamics class="differential">
  <l_wheel pos="0.1 0.2" mass="1" width="0.05" diameter="0.3" color="#102030"/><r_wheel pos="0.1 -0.2" mass="1" width="0.05" diameter="0.3"/>
  <chassis mass="8" zmin="0.05" zmax="0.5"><shape><pt>-0.4 -0.3</pt><pt>0.4 -0.3</pt><pt>0.4 0.3</pt><pt>-0.4 0.3</pt></shape></chassis>
  <controller class="twist_ideal"/></dynamics>
  <sensor class="laser" name="front"><pose_3d>0.2 0 0.3 90 0 0</pose_3d><fov_degrees>180</fov_degrees><nrays>181</nrays><max_range>12</max_range></sensor>
</vehicle:class>"##;

#[test]
fn a_vehicle_is_its_prism_with_its_wheels_and_sensors() {
    let view = view(&format!("{ROBOT}<vehicle class=\"robot\" name=\"r1\"><init_pose>1 2 90</init_pose></vehicle>"));
    let [vehicle] = &view.vehicles[..] else { panic!() };
    assert_eq!((vehicle.name.as_str(), vehicle.class.as_str(), vehicle.z), ("r1", "robot", [0.05, 0.5]));
    assert_extent(&vehicle.drawings, [[-0.4, -0.3, 0.05], [0.4, 0.3, 0.5]]);
    assert_eq!(vehicle.outline.len(), 4);
    let accepts: Vec<&str> = vehicle.accepts.iter().map(String::as_str).collect();
    assert_eq!((accepts.as_slice(), vehicle.mass), (&["twist", "wheel_speeds"][..], 10.0));
    assert_eq!((vehicle.max_steer, vehicle.wheelbase), (None, None));
    assert!((vehicle.force_scale * 10.0 * 9.80665 - 0.5).abs() < 1e-9, "its weight is as long as it reaches");
    let [left, right] = &vehicle.wheels[..] else { panic!() };
    assert_eq!(
        (left.position, left.radius, left.width, left.color),
        ([0.1, 0.2], 0.15, 0.05, [0x10, 0x20, 0x30, 0xff])
    );
    assert_eq!((right.position, left.drawings.len()), ([0.1, -0.2], 0));
    let [sensor] = &vehicle.sensors[..] else { panic!() };
    assert_eq!((sensor.name.as_str(), sensor.count, sensor.range_max), ("front", 181, 12.0));
    let half_turn = std::f64::consts::PI;
    assert_eq!(sensor.pose, [0.2, 0.0, 0.3, (half_turn * 0.5e6).round() / 1e6, 0.0, 0.0]);
    assert!(
        (sensor.angle_min + 0.5 * half_turn).abs() < 1e-9 && (sensor.angle_increment - half_turn / 180.0).abs() < 1e-9
    );
}

#[test]
fn blocks_planes_walls_ground_regions_and_lines_have_their_corners() {
    let view = view(
        r##"
        <block name="box"><zmin>0.1</zmin><zmax>0.9</zmax><shape><pt>-1 -0.5</pt><pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape>
          <mass>10</mass><init_pose>3 4 0</init_pose></block>
        <block name="post"><static>true</static><geometry type="cylinder" radius="0.5" length="2" vertex_count="4"/>
          <init_pose>0 0 0</init_pose></block>
        <element class="horizontal_plane"><x_min>-2</x_min><x_max>3</x_max><y_min>-1</y_min><y_max>4</y_max><z>0.5</z></element>
        <element class="vertical_plane"><x0>0</x0><y0>5</y0><x1>10</x1><y1>5</y1><z>0</z><height>3</height><thickness>0.2</thickness>
          <door position="0.5" width="2"/></element>
        <element class="elevation_map"><elevation_data_matrix>[0 1; 2 3]</elevation_data_matrix><resolution>2</resolution>
          <corner_min_x>100</corner_min_x><corner_min_y>0</corner_min_y></element>
        <marker type="line_strip"><color>#010203</color><points>1 1 0
          2 2 1</points></marker>
        "##,
    );
    assert_extent(&view.blocks[0].drawings, [[-1.0, -0.5, 0.1], [1.0, 0.5, 0.9]]);
    assert_extent(&view.blocks[1].drawings, [[-0.5, -0.5, 0.0], [0.5, 0.5, 2.0]]);
    assert_eq!((view.blocks[0].is_movable, view.blocks[1].is_movable), (true, false));
    assert_eq!((view.blocks[0].pose[..2].to_vec(), view.blocks[0].z), (vec![3.0, 4.0], [0.1, 0.9]));
    assert_ne!(view.blocks[0].id, view.blocks[1].id);
    assert_extent(&view.planes[0].drawings, [[-2.0, -1.0, 0.5], [3.0, 4.0, 0.5]]);
    let of = |kind: &str| -> Vec<DrawingView> {
        view.fixed.iter().filter(|drawing| drawing.kind == kind).cloned().collect()
    };
    let walls = of("wall");
    assert_eq!(walls.len(), 3, "before, behind and above the door");
    assert_extent(&walls, [[0.0, 4.9, 0.0], [10.0, 5.1, 3.0]]);
    assert_extent(&walls[..1], [[0.0, 4.9, 0.0], [4.0, 5.1, 3.0]]);
    assert_extent(&walls[2..], [[4.0, 4.9, 2.1], [6.0, 5.1, 3.0]]);
    assert_extent(&of("elevation"), [[100.0, 0.0, 0.0], [102.0, 2.0, 3.0]]);
    let [line] = &of("marker")[..] else { panic!() };
    assert_eq!(points_of(&line.shape).len(), 2);
    assert_extent(std::slice::from_ref(line), [[1.0, 1.0, 0.0], [2.0, 2.0, 1.0]]);
    assert_eq!(line.color, Some([1, 2, 3, 255]));
}

#[test]
fn a_picture_lies_on_a_plane_and_viewers_may_have_it() {
    let sky = std::fs::read_dir(worlds().join("sky")).unwrap().map(|entry| entry.unwrap().path());
    let picture = sky.filter(|path| path.extension().is_some_and(|ending| ending != "md")).min().unwrap();
    let text = format!(
        "<element class=\"horizontal_plane\"><x_min>0</x_min><x_max>4</x_max><y_min>0</y_min><y_max>1</y_max>
        <texture>{}</texture><texture_size_x>2</texture_size_x></element>",
        picture.display()
    );
    let world = world(&text);
    let (view, files) = scene_view(world.scene());
    let [drawing] = &view.planes[0].drawings[..] else { panic!() };
    let path = &drawing.texture.as_ref().unwrap().path;
    assert_eq!(files.path_at(path), Some(std::fs::canonicalize(picture).unwrap().as_path()));
    let ShapeView::Triangles { on_picture, .. } = &drawing.shape else { panic!() };
    let on: Vec<[f64; 2]> = floats_of(on_picture).chunks_exact(2).map(|uv| [uv[0], uv[1]]).collect();
    let places = points_of(&drawing.shape).into_iter().map(|p| [p.x / 2.0, p.y]);
    assert_eq!(on, places.collect::<Vec<_>>());
}

#[test]
fn mesh_files_that_are_not_there_are_named() {
    let view = view(
        r#"<block name="crate">
             <shape><pt>0 0</pt><pt>2 0</pt><pt>2 1</pt></shape> <zmax>1</zmax>
             <visual><model_uri>nowhere/no_crate.dae</model_uri></visual> <init_pose>0 0 0</init_pose>
           </block>
           <block name="stone">
             <shape><pt>0 0</pt><pt>2 0</pt><pt>2 1</pt></shape> <zmax>1</zmax>
             <visual><model_uri>models/crate.obj</model_uri></visual> <visual><model_uri>no_stone.stl</model_uri></visual> <init_pose>0 0 0</init_pose>
           </block>"#,
    );
    let [lost, partly] = &view.blocks[..] else { panic!() };
    assert_eq!(lost.missing, ["no_crate.dae"]);
    assert_extent(&lost.drawings, [[0.0; 3], [2.0, 1.0, 1.0]]);
    assert_eq!(partly.missing, ["no_stone.stl"]);
    assert!(
        matches!(partly.drawings[..], [DrawingView { shape: ShapeView::Mesh { .. }, .. }]),
        "the other one is shown"
    );
}

#[test]
fn joints_grids_and_cameras_are_as_described() {
    let text = format!(
        r##"{ROBOT}<vehicle class="robot" name="b"><init_pose>0 0 0</init_pose></vehicle>
        <vehicle class="robot" name="a"><init_pose>5 0 0</init_pose></vehicle>
        <block name="crate"><mass>1</mass><init_pose>2 0 0</init_pose></block>
        <joint type="rope" body_a="b" body_b="crate" anchor_a="-0.4 0" anchor_b="0 0" max_length="2" stiffness="5"/>
        <element class="ground_grid"><interval>2</interval></element>
        <element class="ground_grid"><floating>true</floating><floating_focus>b</floating_focus></element>
        <element class="ground_grid"><floating>false</floating></element>
        <gui><ortho>true</ortho><follow_vehicle>a</follow_vehicle></gui>"##
    );
    let actual = view(&text);
    assert_eq!(actual.grids.iter().map(|grid| grid.follows).collect::<Vec<_>>(), [Some(1), Some(0), None]);
    assert_eq!(actual.grids[0].interval, 2.0);
    let [joint] = &actual.joints[..] else { panic!() };
    assert_eq!(joint.law, "spring");
    assert_eq!((joint.ends[0].vehicle, joint.ends[0].block, joint.ends[0].anchor), (Some(0), None, [-0.4, 0.0]));
    assert_eq!((joint.ends[1].vehicle, joint.ends[1].block), (None, Some(0)));
    assert!(actual.gui.is_orthographic && !actual.gui.has_camera, "who follows a vehicle says nothing of the distance");
    assert_eq!(actual.gui.follow_vehicle, "a");
    let gui = view("<gui><cam_distance>12</cam_distance></gui>").gui;
    assert!(gui.has_camera && gui.camera_distance == 12.0);
}

#[test]
fn the_path_and_the_track_of_a_driver_begin_at_the_start_of_its_odometry() {
    let driver = || {
        let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
        let tracker = PointTracker::new(TrackerParameters::default()).unwrap();
        let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
        let point = |x| Waypoint { free: Some([1.0, 2.0]), ..Waypoint::at(x, 0.0) };
        let track = TrajectoryParameters { points: vec![point(0.0), point(5.0)], ..TrajectoryParameters::default() };
        TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01)).on_track(Track::of(&track))
    };
    let mut world = world(
        "<vehicle name=\"car\"><init_pose>10 20 90</init_pose><dynamics class=\"ackermann\">
        <controller class=\"front_steer_pid\"/></dynamics></vehicle>",
    );
    let path = |world: &World| scene_view(world.scene()).0.vehicles[0].reference_path.clone();
    let borders = |world: &World| scene_view(world.scene()).0.vehicles[0].track_borders.clone();
    assert!(path(&world).is_empty() && borders(&world).is_none());
    world.set_driver(0, Some(driver())).unwrap();
    let in_world = path(&world);
    assert_eq!(borders(&world), Some([vec![[0.0, -1.0], [5.0, -1.0]], vec![[0.0, 2.0], [5.0, 2.0]]]));
    world.set_driver(0, Some(driver().follow_odometry(true))).unwrap();
    let in_odometry = path(&world);
    assert_eq!(borders(&world), Some([vec![[11.0, 20.0], [11.0, 25.0]], vec![[8.0, 20.0], [8.0, 25.0]]]));
    assert!(in_world.len() > 50 && in_world.len() == in_odometry.len());
    // Turned to the left by 90° about the start.
    for ([x, y], actual) in in_world.iter().zip(&in_odometry) {
        assert!((actual[0] - (10.0 - y)).abs() < 2e-6 && (actual[1] - (20.0 + x)).abs() < 2e-6, "{x} {y} {actual:?}");
    }
    world.set_driver(0, None).unwrap();
    assert!(path(&world).is_empty() && borders(&world).is_none());
}

#[test]
fn every_world_produces_a_complete_document() {
    let mut kinds = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(worlds()).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_str().unwrap().ends_with(".world.xml") {
            continue;
        }
        let (world, _) = World::load(&path, &options()).unwrap_or_else(|errors| panic!("{path:?}: {errors}"));
        let scene = world.scene();
        let (view, files) = scene_view(scene);
        let json = serde_json::to_string(&view).unwrap();
        // A missing value would be a number that JSON lacks; it could not be read back.
        let read: SceneView = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!((read.fixed.len(), read.maps), (view.fixed.len(), view.maps.clone()));
        let short = serde_json::to_string(&view.shortened()).unwrap();
        assert!(short.len() < 2 << 20, "{path:?}: {} bytes, in full {}", short.len(), json.len());
        assert_eq!(view.vehicles.len(), scene.vehicles.len());
        assert!(view.vehicles.iter().all(|vehicle| !vehicle.drawings.is_empty()), "{path:?}");
        assert!(view.blocks.iter().all(|block| !block.drawings.is_empty()), "{path:?}");
        assert!(view.actors.iter().all(|actor| !actor.drawings.is_empty()), "{path:?}");
        let of_bodies =
            [&view.blocks, &view.planes, &view.actors].into_iter().flatten().flat_map(|body| &body.drawings);
        let of_vehicles = view
            .vehicles
            .iter()
            .flat_map(|vehicle| vehicle.drawings.iter().chain(vehicle.wheels.iter().flat_map(|wheel| &wheel.drawings)));
        for drawing in of_bodies.chain(of_vehicles).chain(&view.fixed) {
            if let ShapeView::Mesh { path: address, format, .. } = &drawing.shape {
                let file = files.path_at(address).unwrap();
                assert!(file.is_file() && address.ends_with(&format!(".{format}")), "{address}");
                kinds.insert("mesh");
                continue;
            }
            let corners = points_of(&drawing.shape).len();
            assert!(corners > 1, "{path:?}: {drawing:?}");
            if let ShapeView::Triangles { colors, on_picture, .. } = &drawing.shape {
                assert!(colors.is_empty() || STANDARD.decode(colors).unwrap().len() == 3 * corners);
                assert_eq!(floats_of(on_picture).len(), if drawing.texture.is_some() { 2 * corners } else { 0 });
            }
        }
        for (map, picture) in scene.maps.iter().zip(&view.maps) {
            let png = image::load_from_memory(&map_png(map)).unwrap();
            assert_eq!([png.width(), png.height()], picture.cells);
            kinds.insert("map");
        }
        kinds.extend((!view.clouds.is_empty()).then_some("cloud"));
        kinds.extend((!view.skybox.is_empty()).then_some("sky"));
        kinds.extend((!view.joints.is_empty()).then_some("joint"));
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["cloud", "joint", "map", "mesh", "sky"]);
}

#[test]
fn a_hundred_equal_vehicles_are_converted_quickly() {
    let vehicles: String = (0..100)
        .map(|i| {
            format!("<vehicle class=\"robot\" name=\"r{i}\"><init_pose>{} {} 0</init_pose></vehicle>", i % 10, i / 10)
        })
        .collect();
    let world = world(&format!("{ROBOT}{vehicles}"));
    let begun = Instant::now();
    let (view, _) = scene_view(world.scene());
    let json = serde_json::to_vec(&view).unwrap();
    assert!(json.len() < 300_000, "{} bytes", json.len());
    // Far more than required, even without optimization on a busy machine.
    assert!(begun.elapsed().as_millis() < 500, "{:?}", begun.elapsed());
}
