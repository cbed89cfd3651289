//! Bodies are seen where a frame has them.

use std::path::Path;

use skidpad_math::{Pose3, Vec2};

use super::*;
use crate::raycast::space::{Looker, Ray, SeenBy};
use crate::vehicle::WheelFrame;
use crate::world::frame::VehicleFrame;
use crate::world::terrain::{ElevationInfo, HeightMap};
use crate::world::visual::Visual;
use crate::world::{BlockInfo, VehicleInfo, WheelInfo};

pub(super) fn square(half: f64) -> Vec<Vec2> {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y)).into()
}

pub(super) fn at(x: f64, y: f64) -> Pose3 {
    Pose3 { x, y, ..Pose3::default() }
}

/// A static block at x = 10, a loose one at x = 20, and a car with one wheel at its front.
pub(super) fn scene() -> Scene {
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

/// A mesh file on a body, in its own colours or one of the world file.
pub(super) fn visual(file: &Path, color: Option<[u8; 4]>) -> Visual {
    Visual {
        uri: file.display().to_string(),
        file: Some(file.to_owned()),
        body_from_mesh: Pose3::default(),
        scale: 1.0,
        color,
        cull: Default::default(),
        name: String::new(),
        show_bounding_box: false,
        seen_by: SeenBy::All,
        show_housings: false,
        wheel_radius: None,
    }
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
    let mut all = Surroundings::new(&scene, Vec3::zeros(), None);
    let vehicle = VehicleFrame {
        world_from_body: at(-30.0, 0.0),
        wheels: vec![WheelFrame::default()],
        ..VehicleFrame::default()
    };
    let mut frame = Frame { vehicles: vec![vehicle], blocks: vec![at(10.0, 0.0), at(20.0, 4.0)], ..Frame::default() };
    all.place(&frame);
    let close = |actual: Option<([u16; 2], f64)>, label: [u16; 2], y: f64| {
        let actual = actual.unwrap_or_else(|| panic!("{label:?} is not seen"));
        assert!(actual.0 == label && (actual.1 - y).abs() < 1e-5, "{actual:?}");
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
    // Its spring pushes the wheel down.
    assert_eq!(along_y(&all.space, -32.0, -0.03), None);
    frame.vehicles[0].wheels[0].travel = -0.05;
    all.place(&frame);
    assert_eq!(along_y(&all.space, -32.0, -0.03).map(|seen| seen.0), Some([4, 3]));
    assert_eq!(along_y(&all.space, -32.0, 0.57), None);
}

#[test]
fn a_mesh_that_cannot_be_read_is_named_and_not_seen() {
    let mut scene = scene();
    let visual = visual("gone.stl".as_ref(), None);
    scene.blocks.iter_mut().for_each(|block| block.visuals = vec![visual.clone()]);
    let all = Surroundings::new(&scene, Vec3::zeros(), None);
    assert_eq!(all.problems.len(), 1, "once for each file: {:?}", all.problems);
    assert!(
        all.problems[0].to_string().starts_with("sensors do not see a mesh: gone.stl: cannot be read: "),
        "{:?}",
        all.problems
    );
    assert_eq!(along_y(&all.space, 10.0, 0.5), None);
}

/// A square with a picture of four pixels within a glTF file, and one with a picture that is missing.
#[test]
fn pictures_of_mesh_files_are_seen_and_those_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut png = std::io::Cursor::new(Vec::new());
    let pixels = vec![255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
    image::RgbImage::from_raw(2, 2, pixels).unwrap().write_to(&mut png, image::ImageFormat::Png).unwrap();
    let corners = [[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 2.0_f32]];
    let on = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0_f32]];
    let mut buffer: Vec<u8> = corners.iter().flat_map(|[x, z]| [*x, 0.0, *z]).flat_map(f32::to_le_bytes).collect();
    buffer.extend(on.as_flattened().iter().flat_map(|share| share.to_le_bytes()));
    buffer.extend([0, 1, 2, 0, 2, 3]);
    let png = png.into_inner();
    buffer.extend(&png);
    let (length, of_png) = (buffer.len(), png.len());
    std::fs::write(folder.path().join("square.bin"), buffer).unwrap();
    let file = |name: &str, image: &str| {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"images":[{{{image}}}],
"textures":[{{"source":0}}],"materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}},"baseColorFactor":[1,1,0,1]}}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"indices":2,"material":0}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-1,0,0],"max":[1,0,2]}},
{{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"}},{{"bufferView":2,"componentType":5121,"count":6,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":32}},{{"buffer":0,"byteOffset":80,"byteLength":6}},
{{"buffer":0,"byteOffset":86,"byteLength":{of_png}}}],"buffers":[{{"byteLength":{length},"uri":"square.bin"}}]}}"#
        );
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let mut scene = scene();
    let within = r#""bufferView":3,"mimeType":"image/png""#;
    let files = [file("within.gltf", within), file("missing.gltf", r#""uri":"gone.png""#)];
    for (block, path) in scene.blocks.iter_mut().zip(files) {
        block.visuals = vec![visual(&path, None)];
        block.is_static = true;
    }
    let all = Surroundings::in_color(&scene, None);
    let reported: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&reported[..], [one] if one.starts_with("sensors do not see a picture: ") && one.contains("gone.png")),
        "{reported:?}"
    );
    let color = |x: f64, z: f64| {
        let ray = Ray {
            origin: Vec3::new(x, -50.0, z),
            direction: Vec3::y(),
            far: 1e3,
            looker: Looker::Camera,
            ..Ray::NOWHERE
        };
        all.space.look(&ray, 0.0).0
    };
    // The middles of its pixels, times yellow, and the plain yellow of the one whose picture is missing.
    for (x, z, expected) in [
        (9.5, 1.5, [1.0, 0.0, 0.0]),
        (10.5, 1.5, [0.0, 1.0, 0.0]),
        (9.5, 0.5, [0.0, 0.0, 0.0]),
        (10.5, 0.5, [1.0, 1.0, 0.0]),
        (20.5, 0.5, [1.0, 1.0, 0.0_f32]),
    ] {
        // All of them are in the same light; yellow has no blue.
        let actual = color(x, z);
        let light = color(10.5, 0.5);
        let error = (0..3).map(|c| (actual[c] - light[c] * expected[c]).abs()).fold(0.0, f32::max);
        assert!(light[0] > 0.1 && error < 1e-5, "{x} {z}: {actual:?}");
    }
}

/// A fence of OBJ, in the plane y = 0, whose picture is clear on the left, and a wall behind it.
#[test]
fn sensors_with_and_without_colours_see_through_the_holes_of_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let picture = image::RgbaImage::from_fn(2, 1, |x, _| image::Rgba([0, 255, 0, 255 * x as u8]));
    picture.save(folder.path().join("fence.png")).unwrap();
    let face = "v -1 0 0\nv 1 0 0\nv 1 0 2\nv -1 0 2\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3 4/4\n";
    for (name, more) in [("fence", "map_d fence.png"), ("solid", ""), ("pane", "d 0.4")] {
        write(&format!("{name}.mtl"), &format!("newmtl m\nKd 1 1 1\nmap_Kd fence.png\n{more}\n"));
        write(&format!("{name}.obj"), &format!("mtllib {name}.mtl\n{face}"));
    }
    write("glass.mtl", "newmtl m\nKd 0 0 1\nd 0.4\n");
    write("glass.obj", &format!("mtllib glass.mtl\n{face}"));
    let seen = |name: &str, has_colors: bool| {
        let mut scene = scene();
        scene.vehicles.clear();
        scene.blocks[0].visuals = vec![visual(&folder.path().join(format!("{name}.obj")), None)];
        (scene.blocks[1].world_from_start, scene.blocks[1].is_static) = (at(10.0, 5.0), true);
        (scene.blocks[1].outline, scene.blocks[1].color) = (square(2.0), [0xff; 4]);
        let mut all = Surroundings::new(&scene, Vec3::zeros(), None);
        if has_colors {
            all.add_colors(&Default::default());
        } else {
            all.add_holes();
        }
        let reported: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
        let looker = if has_colors { Looker::Camera } else { Looker::Lidar };
        let range = |x: f64| {
            let origin = Vec3::new(x, -10.0, 0.5);
            let ray = Ray { origin, direction: Vec3::y(), far: 1e3, looker, ..Ray::NOWHERE };
            let [nearest, through] = [all.space.cast(&ray), all.space.cast_through_glass(&ray)];
            [nearest, through].map(|hit| hit.map_or(f64::NAN, |hit| hit.range.round()))
        };
        ([range(9.5), range(10.5)], reported.len())
    };
    for has_colors in [false, true] {
        assert_eq!(seen("fence", has_colors), ([[13.0; 2], [10.0; 2]], 0), "{has_colors}");
        assert_eq!(seen("glass", has_colors), ([[10.0, 13.0]; 2], 0), "{has_colors}");
        // Nothing says that the opacity of the picture does not count; sensors without colours do not read it.
        let reported = usize::from(has_colors);
        assert_eq!(seen("solid", has_colors), ([[10.0; 2]; 2], reported), "{has_colors}");
        assert_eq!(seen("pane", has_colors), ([[10.0, 13.0]; 2], reported), "{has_colors}");
    }
}

#[test]
fn a_lost_picture_does_not_take_the_place_of_one_with_the_same_number() {
    let mut all = Surroundings::default();
    let lost = |reason: &str| Image::Lost(0, reason.to_string());
    let within = Image::Within(0, b"P6 1 1 255\n\xff\x00\x00".as_slice().into());
    let mut index = |image: &Image| all.picture_index("m.gltf".as_ref(), image);
    let actual = [&lost("no coordinates"), &within, &lost("no file"), &within].map(&mut index);
    assert_eq!(actual, [0, 1, 2, 1]);
    all.add_colors(&Default::default());
    assert_eq!(all.space.textures.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    let reported: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].contains("picture 0 of m.gltf: no coordinates") && reported[1].contains("no file"),
        "{reported:?}"
    );
}

#[test]
fn pictures_of_a_body_that_comes_are_read_where_it_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, mesh) = (folder.path().join("red.png"), folder.path().join("a.obj"));
    std::fs::write(folder.path().join("a.mtl"), "newmtl m\nKd 1 1 1\nmap_Kd red.png\n").unwrap();
    let triangle = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\n";
    std::fs::write(&mesh, triangle).unwrap();
    let mut scene = scene();
    scene.blocks[0].visuals = vec![visual(&mesh, None)];
    for has_camera in [true, false] {
        image::RgbImage::from_pixel(2, 2, image::Rgb([255, 0, 0])).save(&picture).unwrap();
        let body = Surroundings::of_body(&scene, Models::default(), has_camera);
        assert_eq!(body.colors.len(), usize::from(has_camera));
        let mut before = Surroundings::default();
        before.arrived.push((EntityId(9), body.into_models()));
        // The look finds no file any more.
        std::fs::remove_file(&picture).unwrap();
        let mut all = Surroundings::in_color(&scene, Some(before));
        assert_eq!(all.space.textures[0].is_some(), has_camera);
        // Where the body is gone, its pictures are, too.
        let mut models = std::mem::take(&mut all.models);
        models.pictures = Some(std::mem::take(&mut all.colors));
        let mut before = Surroundings::default();
        before.arrived.push((EntityId(9), models));
        assert!(Surroundings::new(&Scene::default(), Vec3::zeros(), Some(before)).colors.is_empty());
    }
}

#[test]
fn pictures_within_a_mesh_file_have_a_common_limit() {
    let mut all = Surroundings::default();
    // 30 000 bytes each, and a third of that in smaller sizes.
    let picture = [b"P6 100 100 255\n".as_slice(), &[7; 30_000]].concat();
    for (file, number) in [("a.glb", 0), ("a.glb", 1), ("b.glb", 0)] {
        all.picture_index(file.as_ref(), &Image::Within(number, picture.as_slice().into()));
    }
    all.add_colors(&Default::default());
    assert_eq!(all.space.textures.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    let reported: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&reported[..], [one] if one.contains("a.glb") && one.contains("its pictures up to this one take 80184 bytes") && one.contains("accepted: up to 65536")),
        "{reported:?}"
    );
}

#[test]
fn pictures_of_too_many_pixels_are_refused_and_clear_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let [large, clear, opaque] = ["large.pgm", "clear.png", "opaque.png"].map(|name| folder.path().join(name));
    // The header alone: nothing is decoded.
    std::fs::write(&large, "P5 8193 8192 255\n").unwrap();
    image::RgbaImage::from_pixel(2, 1, image::Rgba([255, 0, 0, 254])).save(&clear).unwrap();
    image::RgbaImage::from_pixel(2, 1, image::Rgba([255, 0, 0, 255])).save(&opaque).unwrap();
    let mut all = Surroundings::default();
    for file in [large, clear, opaque] {
        all.picture_index(&file, &Image::File(file.clone()));
    }
    all.add_colors(&Default::default());
    assert_eq!(all.space.textures.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);
    let reported: Vec<String> = all.problems.iter().map(ToString::to_string).collect();
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        reported[0].contains("it has 8193 by 8192 pixels") && reported[0].contains("up to 67108864"),
        "{reported:?}"
    );
    assert!(
        reported[1].starts_with("cameras do not see all of a picture: ")
            && reported[1].contains("clear.png: its opacity")
    );
}

/// Black would stand for no colour of its own.
#[test]
fn ground_that_is_black_at_its_corners_is_not_of_the_colour_of_the_whole() {
    let map = HeightMap::new(Vec2::new(-2.0, -2.0), 2.0, 3, vec![0.0; 9]).unwrap();
    let ground = ElevationInfo {
        map: Arc::new(map),
        color: [0xff; 4],
        vertex_colors: vec![[0; 3]; 9],
        ..ElevationInfo::default()
    };
    let all = Surroundings::in_color(&Scene { elevations: vec![ground], ..Scene::default() }, None);
    let origin = Vec3::new(0.3, 0.4, 5.0);
    let ray = Ray { origin, direction: -Vec3::z(), far: 1e3, looker: Looker::Camera, ..Ray::NOWHERE };
    let actual = all.space.look(&ray, 0.0).0;
    assert!(actual.iter().all(|&channel| channel < 0.01), "{actual:?}");
}
