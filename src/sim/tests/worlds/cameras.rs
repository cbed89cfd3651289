//! Cameras in worlds: what they see of bodies, light, pictures and the sky, and the mistakes in their tags.

use std::path::Path;

use image::{Rgb, RgbImage};
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::world::{LoadOptions, ResetScope, World};

/// A camera of 41 × 41 pixels, 90° wide, 1 m above the ground.
const CAMERA: &str = "<sensor class=\"camera\" name=\"eye\"><pose_3d>0 0 1 -90 0 -90</pose_3d><ncols>41</ncols><nrows>41</nrows>
    <fx>20</fx><fy>20</fy><cx>20</cx><cy>20</cy><encoding>rgb8</encoding><ignore_parent_body>true</ignore_parent_body></sensor>";

/// No sun: everything in its own colour, below a sky of one colour.
const EVEN: &str = "<lights><light_ambient>1</light_ambient><sky_zenith_color>#99bfe6</sky_zenith_color>
    <sky_horizon_color>#99bfe6</sky_horizon_color><ground_color>#99bfe6</ground_color></lights>";

/// White light from above and below.
const WHITE: &str = "<sky_zenith_color>#ffffff</sky_zenith_color><sky_horizon_color>#ffffff</sky_horizon_color>
    <ground_color>#ffffff</ground_color>";

/// A red box, 2 m wide and high, whose face is 4 m ahead.
const BOX: &str =
    "<block name=\"box\"><static>true</static><color>#c83214</color><zmin>0</zmin><zmax>2</zmax><init_pose>5 0 0</init_pose>
    <shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape></block>";

pub(super) fn robot(sensor: &str) -> String {
    format!("<vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{sensor}</vehicle>")
}

pub(super) fn load(folder: &Path, inner: &str) -> World {
    let text = format!("<mvsim_world>\n{inner}</mvsim_world>");
    let (world, warnings) = World::load_text("w.xml", folder, &text, &LoadOptions::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    // Most of these worlds have no ground, so that only what a test is about is seen; and some sensors are to see their own vehicle.
    let is_meant = |message: &str| {
        message.ends_with("will see no ground: the default ground at 0 has no shape")
            || message.contains(" sees its own vehicle and nothing else")
    };
    assert!(warnings.iter().all(|warning| is_meant(&warning.message)), "{warnings:?}");
    world
}

/// The first picture of the camera.
pub(super) fn picture(world: &mut World) -> Vec<[u8; 3]> {
    loop {
        let frame = world.step().unwrap();
        let reading = &frame.readings[0];
        if reading.time == frame.time {
            let ReadingData::Photograph(photograph) = &reading.data else { panic!("{reading:?}") };
            return photograph.pixels.as_chunks::<3>().0.to_vec();
        }
    }
}

fn at(pixels: &[[u8; 3]], column: usize, row: usize) -> [u8; 3] {
    pixels[41 * row + column]
}

const RED: [u8; 3] = [0xc8, 0x32, 0x14];
const SKY: [u8; 3] = [0x99, 0xbf, 0xe6];

#[test]
fn a_box_has_its_colour_in_its_pixels_and_is_darker_away_from_the_sun() {
    let folder = Path::new(".");
    let pixels = picture(&mut load(folder, &format!("{EVEN}{BOX}{}", robot(CAMERA))));
    // Half as wide as far: 5 pixels to each side and up and down.
    for row in 0..41 {
        for column in 0..41 {
            let is_box = (15..=25).contains(&column) && (15..=25).contains(&row);
            // Its edges lie on the middles of pixels.
            let is_edge = is_box && (column % 10 == 5 || row % 10 == 5);
            if !is_edge {
                assert_eq!(at(&pixels, column, row), if is_box { RED } else { SKY }, "{column} {row}");
            }
        }
    }
    let sun = |azimuth: f64| {
        format!(
            "<lights><light_ambient>0.5</light_ambient><light_azimuth_deg>{azimuth}</light_azimuth_deg>{WHITE}
            <light_elevation_deg>60</light_elevation_deg></lights>"
        )
    };
    let lit = |azimuth| at(&picture(&mut load(folder, &format!("{}{BOX}{}", sun(azimuth), robot(CAMERA)))), 20, 20);
    // The face looks back to the camera: cos 60° of the sun behind the camera, none of that ahead.
    assert_eq!(lit(180.0), RED.map(|channel| (0.75 * f64::from(channel)).round() as u8));
    assert_eq!(lit(0.0), RED.map(|channel| (0.5 * f64::from(channel)).round() as u8));
}

#[test]
fn a_box_throws_its_shadow_on_the_ground() {
    let ground =
        "<element class=\"horizontal_plane\"><x_min>-50</x_min><x_max>50</x_max><y_min>-50</y_min><y_max>50</y_max>
        <color>#a0a0a0</color></element>";
    // The sun ahead, 45° high: the shadow is 2 m long, from the face of the box towards the camera.
    let sun = format!(
        "<lights><light_ambient>0.5</light_ambient><light_azimuth_deg>0</light_azimuth_deg>{WHITE}
        <light_elevation_deg>45</light_elevation_deg></lights>"
    );
    let pixels = picture(&mut load(Path::new("."), &format!("{ground}{sun}{BOX}{}", robot(CAMERA))));
    let (dark, light) = ([0x50; 3], [(160.0 * (0.5 + 0.5 * 0.5_f64.sqrt())).round() as u8; 3]);
    // Row 20 + 20/x shows the ground x metres ahead.
    for (row, expected) in [(26, dark), (28, dark), (29, dark), (31, light), (39, light)] {
        assert_eq!(at(&pixels, 20, row), expected, "{row}");
    }
    assert_eq!(at(&pixels, 0, 28), light, "beside the shadow");
}

/// A clear day: the sky by its gradation, and a wall and the ground in the shade, in its light.
#[test]
fn the_sky_has_the_colours_of_the_world_file_and_shades_have_its_light() {
    let ground =
        "<element class=\"horizontal_plane\"><x_min>-50</x_min><x_max>50</x_max><y_min>-50</y_min><y_max>50</y_max>
        <color>#ffffff</color></element>";
    // The sun ahead, so that the box and its shadow are in the shade; the sky is blue all over.
    let sun = "<lights><light_ambient>0.5</light_ambient><light_azimuth_deg>0</light_azimuth_deg>
        <light_elevation_deg>45</light_elevation_deg><sky_zenith_color>#0000ff</sky_zenith_color>
        <sky_horizon_color>#ff00ff</sky_horizon_color><ground_color>#00ff00</ground_color></lights>";
    let white_box = BOX.replace("#c83214", "#ffffff");
    let pixels = picture(&mut load(Path::new("."), &format!("{ground}{sun}{white_box}{}", robot(CAMERA))));
    for row in [0, 5, 14] {
        let slope = f64::from(20 - row) / 20.0;
        let zenith = (0.32 * (1.0 - slope.hypot(1.0) / slope)).exp();
        let red = (255.0 * (1.0 - zenith)).round() as u8;
        assert_eq!(at(&pixels, 20, row as usize), [red, 0, 0xff], "{row}");
    }
    // The light from above is half as white as the mean of the sky is magenta, 0.19896, and half of all light.
    let above = [0.5 + 0.5 * 0.198_959, 0.5, 1.0];
    let byte = |share: f64| (255.0 * share).round() as u8;
    assert_eq!(at(&pixels, 20, 28), above.map(|share| byte(0.5 * share)), "the shadow");
    let below = [0.5, 1.0, 0.5];
    assert_eq!(at(&pixels, 20, 20), [0, 1, 2].map(|c| byte(0.25 * (above[c] + below[c]))), "the wall");
    // What the sky gives, the sun lacks.
    let sun = |above: f64| byte(0.5 * above + (1.0 - 0.5 * above) * 0.5_f64.sqrt());
    assert_eq!(at(&pixels, 20, 35), above.map(sun), "beside the shadow");
}

/// A bar that passes a camera at rest, by keyframes, at 20 m/s.
#[test]
fn a_rolling_shutter_leans_a_bar_that_passes() {
    let camera = CAMERA
        .replace(
            "<ncols>41</ncols><nrows>41</nrows>",
            "<ncols>401</ncols><nrows>101</nrows><readout_time>0.02</readout_time>",
        )
        .replace("<fx>20</fx><fy>20</fy><cx>20</cx><cy>20</cy>", "<fx>200</fx><fy>500</fy><cx>200</cx><cy>50</cy>");
    let bar = "<block name=\"bar\"><color>#c83214</color><zmin>0</zmin><zmax>9</zmax><init_pose>5 -2 0</init_pose>
        <animation type=\"keyframes\"><time_pose>0 0 0 0</time_pose><time_pose>1 0 20 0</time_pose></animation>
        <shape><pt>0 0</pt><pt>1 0</pt><pt>1 0.5</pt><pt>0 0.5</pt></shape></block>";
    let mut world = load(Path::new("."), &format!("{EVEN}{bar}{}", robot(&camera)));
    let pixels = picture(&mut world);
    let time = world.frame().time.secs();
    for row in 0..101 {
        let row_of = &pixels[401 * row..401 * (row + 1)];
        let first = row_of.iter().position(|pixel| *pixel == RED).unwrap() as f64;
        // Its left edge, at y = 0.5 in the frame of the bar.
        let y = -1.5 + 20.0 * (time + 0.02 * (row as f64 / 100.0 - 0.5));
        assert!((first - (200.0 - 200.0 * y / 5.0)).abs() <= 1.5, "row {row}: {first} {y}");
    }
    // 20 m/s · 0.02 s · 200 / 5 = 16 pixels.
    let first = |row: usize| pixels[401 * row..].iter().position(|pixel| *pixel == RED).unwrap();
    assert!((15..=17).contains(&(first(0) - first(100))), "{} {}", first(0), first(100));
}

#[test]
fn pictures_on_planes_and_the_sky_are_read_with_the_world() {
    let folder = tempfile::tempdir().unwrap();
    let plain = |name: &str, color: [u8; 3]| {
        RgbImage::from_pixel(4, 4, Rgb(color)).save(folder.path().join(name)).unwrap();
    };
    plain("ground.png", [10, 200, 90]);
    for (number, side) in ["Front", "Back", "Down", "Up", "Left", "Right"].into_iter().enumerate() {
        plain(&format!("sky{side}.png"), [40 * number as u8 + 10, 7, 9]);
    }
    let scenery =
        "<element class=\"horizontal_plane\"><x_min>-50</x_min><x_max>50</x_max><y_min>-50</y_min><y_max>50</y_max>
        <texture>ground.png</texture></element><element class=\"skybox\"><textures>sky%s.png</textures></element>";
    let pixels = picture(&mut load(folder.path(), &format!("{scenery}{EVEN}{BOX}{}", robot(CAMERA))));
    assert_eq!(at(&pixels, 20, 35), [10, 200, 90]);
    assert_eq!(at(&pixels, 20, 5), [10, 7, 9], "ahead");
}

#[test]
fn a_picture_that_cannot_be_read_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ground.png"), "no picture").unwrap();
    let plane = "<element class=\"horizontal_plane\"><texture>ground.png</texture></element>";
    let text = format!("<mvsim_world>\n{plane}{}</mvsim_world>", robot(CAMERA));
    let (_, warnings) = World::load_text("w.xml", folder.path(), &text, &LoadOptions::default()).unwrap();
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    let (problem, formats) =
        ("sensors do not see a picture: cannot decode the texture image ", "\n  accepted: PNG, PGM, BMP, JPEG");
    assert!(warning.to_string().contains(problem) && warning.to_string().ends_with(formats), "{warning}");
}

#[test]
fn a_reset_and_a_second_load_give_the_same_pictures() {
    let noisy = CAMERA.replace("<encoding>", "<noise_std>0.05</noise_std><encoding>");
    let text = format!("{BOX}{}", robot(&noisy));
    let mut world = load(Path::new("."), &text);
    let (first, second) = (picture(&mut world), picture(&mut world));
    assert!(first != second);
    world.reset_with(ResetScope::ALL);
    assert!(picture(&mut world) == first);
    let mut other = load(Path::new("."), &text);
    assert!([picture(&mut other), picture(&mut other)] == [first, second]);
}

#[test]
fn mistakes_in_the_tags_of_cameras_are_reported_at_their_places() {
    let problems = |sensor: &str| {
        let text = format!("<mvsim_world>\n{}</mvsim_world>", robot(&format!("\n{sensor}\n")));
        let Err(problems) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()) else {
            panic!("{sensor} loads")
        };
        problems.to_string()
    };
    let camera = |inner: &str| problems(&format!("<sensor class=\"camera\" name=\"c\">{inner}</sensor>"));
    let depth = |inner: &str| problems(&format!("<sensor class=\"rgbd_camera\" name=\"c\">{inner}</sensor>"));
    let of = |class: &str| format!("in <sensor class=\"{class}\">");
    for (inner, expected) in [
        ("<ncols>0</ncols>", "bad value \"0\" for <ncols> {of}\n  accepted: a whole number from 1 to 8192"),
        ("<nrows>1e9</nrows>", "bad value \"1e9\" for <nrows> {of}\n  accepted: a whole number from 1 to 8192"),
        ("<fx>0</fx>", "bad value \"0\" for <fx> {of}\n  accepted: a finite number > 0"),
        ("<fy>nan</fy>", "bad value \"nan\" for <fy> {of}\n  accepted: a finite number > 0"),
        ("<cx>inf</cx>", "bad value \"inf\" for <cx> {of}\n  accepted: a finite number"),
        (
            "<ncols>8000</ncols><nrows>8000</nrows>",
            "8000 x 8000 pixels are too many\n  accepted: ncols x nrows up to 16777216",
        ),
        ("<clip_min>2</clip_min><clip_max>1</clip_max>", "clip_max 1 m is not beyond clip_min 2 m"),
        (
            "<distortion>-2 0 0 0 0</distortion>",
            "the distortion -2 0 0 0 0 has no inverse at the pixel in column 0, row 0\n  \
             hint: give parameters of a calibration of the whole picture, or fewer pixels",
        ),
        (
            "<distortion_model>fisheye</distortion_model>",
            "bad value \"fisheye\" for <distortion_model> {of}\n  accepted: plumb_bob, equidistant",
        ),
        (
            "<distortion>1 2</distortion>",
            "bad value \"1 2\" for <distortion> {of}\n  accepted: 5 finite numbers, separated by blanks",
        ),
        ("<encoding>mono8</encoding>", "bad value \"mono8\" for <encoding> {of}\n  accepted: bgr8, rgb8"),
        (
            "<jpeg_quality>0</jpeg_quality>",
            "bad value \"0\" for <jpeg_quality> {of}\n  accepted: a whole number from 1 to 100",
        ),
        ("<samples>5</samples>", "bad value \"5\" for <samples> {of}\n  accepted: 1, 4, 9, 16"),
        ("<noise_std>2</noise_std>", "bad value \"2\" for <noise_std> {of}\n  accepted: a finite number from 0 to 1"),
    ] {
        let actual = camera(inner);
        let expected = expected.replace("{of}", &of("camera"));
        assert!(actual.ends_with(&expected) && actual.starts_with("w.xml:3:"), "{inner}:\n{actual}\nnot\n{expected}");
    }
    for (inner, expected) in [
        ("<depth_clip_min>20</depth_clip_min>", "depth_clip_max 15 m is not beyond depth_clip_min 20 m"),
        (
            "<depth_resolution>0</depth_resolution>",
            "bad value \"0\" for <depth_resolution> {of}\n  accepted: a finite number > 0",
        ),
        (
            "<depth_quantization>0.5</depth_quantization>",
            "bad value \"0.5\" for <depth_quantization> {of}\n  accepted: a finite number from 1 to 150",
        ),
        (
            "<rgb_jpeg_quality>101</rgb_jpeg_quality>",
            "bad value \"101\" for <rgb_jpeg_quality> {of}\n  accepted: a whole number from 1 to 100",
        ),
        (
            "<depth_encoding>mono16</depth_encoding>",
            "bad value \"mono16\" for <depth_encoding> {of}\n  accepted: 16UC1, 32FC1",
        ),
        (
            "<sense_rgb>false</sense_rgb><sense_depth>false</sense_depth>",
            "sense_rgb and sense_depth are both false\n  hint: remove one of them",
        ),
    ] {
        let actual = depth(inner);
        let expected = expected.replace("{of}", &of("rgbd_camera"));
        assert!(actual.ends_with(&expected) && actual.starts_with("w.xml:3:"), "{inner}:\n{actual}\nnot\n{expected}");
    }
}

/// A wall of 8 m × 8 m, 4 m ahead, with a picture of four pixels, and one that is missing.
#[test]
fn pictures_of_mesh_files_are_seen_and_a_missing_one_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let colors = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];
    RgbImage::from_fn(2, 2, |x, y| Rgb(colors[(2 * y + x) as usize])).save(folder.path().join("four.png")).unwrap();
    write("wall.mtl", "newmtl four\nKd 1 1 1\nmap_Kd four.png\nnewmtl gone\nKd 0 1 1\nmap_Kd gone.png\n");
    let wall = |material: &str| {
        format!(
            "mtllib wall.mtl\nv 0 4 -3\nv 0 -4 -3\nv 0 -4 5\nv 0 4 5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl {material}\nf 1/1 2/2 3/3 4/4\n"
        )
    };
    write("wall.obj", &wall("four"));
    write("bare.obj", &wall("gone"));
    let block = |file: &str| {
        format!(
            "<block><static>true</static><shape><pt>-0.1 -4</pt><pt>0.1 -4</pt><pt>0.1 4</pt><pt>-0.1 4</pt></shape><init_pose>4 0 0</init_pose>
            <skip_elevation_adjust/><visual><model_uri>{file}</model_uri></visual></block>"
        )
    };
    let pixels = picture(&mut load(folder.path(), &format!("{EVEN}{}{}", block("wall.obj"), robot(CAMERA))));
    for (place, expected) in [(10, 10), (30, 10), (10, 30), (30, 30)].into_iter().zip(colors) {
        assert_eq!(at(&pixels, place.0, place.1), expected, "{place:?}");
    }
    let text = format!("<mvsim_world>{EVEN}{}{}</mvsim_world>", block("bare.obj"), robot(CAMERA));
    let (mut world, warnings) =
        World::load_text("w.xml", folder.path(), &text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let reported = |warning: &str| warning.contains("sensors do not see a picture: ") && warning.contains("gone.png");
    assert!(warnings.iter().any(|warning| reported(&warning.message)), "{warnings:?}");
    assert_eq!(at(&picture(&mut world), 20, 20), [0, 255, 255], "the plain colour of its material");
}

#[test]
fn what_compressed_depths_and_labels_of_beams_cannot_do_is_said() {
    const METRES: &str = "<depth_encoding>32FC1</depth_encoding><depth_compressed>true</depth_compressed>";
    let depth = |inner: &str| format!("<sensor class=\"rgbd_camera\" name=\"c\">{inner}</sensor>");
    let beams = |inner: &str| format!("<sensor class=\"laser\" name=\"c\">{inner}</sensor>");
    let labels = "labels has no effect without publish_ros_pointcloud and raytrace_3d";
    let points = "<labels>true</labels><publish_ros_pointcloud>true</publish_ros_pointcloud>";
    for (sensor, expected) in [
        (depth(METRES), None),
        // 1 / (65534 / (100 · 101) + 1 / 15) m.
        (
            depth(&format!("{METRES}<depth_quantization>100</depth_quantization>")),
            Some(
                "depths below 0.153 m cannot be compressed, though depth_clip_min is 0.1 m\n  \
                 hint: give a depth_quantization of at most 80.7",
            ),
        ),
        (depth(&format!("{METRES}<depth_quantization>80.7</depth_quantization>")), None),
        (
            depth("<depth_compressed>true</depth_compressed><depth_quantization>50</depth_quantization>"),
            Some("depth_quantization has no effect: it is for depth_compressed with depth_encoding 32FC1"),
        ),
        (
            depth(&format!("{METRES}<publish_ros_depth_image>false</publish_ros_depth_image>")),
            Some("depth_compressed has no effect: publish_ros_depth_image is false"),
        ),
        (
            depth("<depth_labels>true</depth_labels><publish_ros_depth_image>false</publish_ros_depth_image>"),
            Some("depth_labels has no effect: publish_ros_depth_image is false"),
        ),
        // q (q + 1) (1 / 0.01 - 1 / 15) = 65534: q = 25.1.
        (
            depth(&format!("{METRES}<depth_clip_min>0.01</depth_clip_min>")),
            Some(
                "compressed depths are off by up to 0.172 m at depth_clip_max\n  \
                 hint: give a larger depth_clip_min, or depth_quantization",
            ),
        ),
        (
            depth("<sense_rgb>false</sense_rgb><rgb_labels>true</rgb_labels><rgb_ncols>320</rgb_ncols>"),
            Some("rgb_labels has no effect: sense_rgb is false"),
        ),
        (
            depth("<sense_rgb>false</sense_rgb><rgb_readout_time>0.01</rgb_readout_time><rgb_samples>1</rgb_samples>"),
            Some("rgb_readout_time has no effect: sense_rgb is false"),
        ),
        (
            depth("<sense_depth>false</sense_depth><depth_labels>true</depth_labels>"),
            Some("depth_labels has no effect: sense_depth is false"),
        ),
        (beams(points), Some(labels)),
        (beams(&format!("{points}<raytrace_3d>true</raytrace_3d>")), None),
        (beams("<labels>true</labels><raytrace_3d>true</raytrace_3d>"), Some(labels)),
    ] {
        let text = format!("<mvsim_world>\n{}</mvsim_world>", robot(&format!("\n{sensor}\n")));
        let (_, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
        let reported: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let of_tags: Vec<&str> = reported
            .iter()
            .map(String::as_str)
            .filter(|line| !line.contains("ground") && !line.contains("own vehicle"))
            .collect();
        assert_eq!(of_tags.len(), usize::from(expected.is_some()), "{sensor}: {reported:?}");
        assert!(expected.is_none_or(|expected| of_tags[0].ends_with(expected)), "{sensor}: {of_tags:?}");
    }
}

#[test]
fn the_definition_files_load_with_their_defaults() {
    let folder = super::folder();
    for (file, topics) in [("camera", 2), ("rgbd_camera", 5)] {
        let world = load(&folder, &robot(&format!("<include file=\"sensors/{file}.sensor.xml\"/>")));
        assert_eq!(world.scene().vehicles[0].sensors[0].kind.topics().count(), topics, "{file}");
    }
}
