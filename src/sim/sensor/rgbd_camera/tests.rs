//! Depths and points of a wall of known distance and size.

use super::*;
use crate::raycast::Obstacles;
use crate::sensor::camera::{Distortion, Film};

fn depth_model() -> DepthModel {
    DepthModel {
        lens: Lens {
            columns: 64,
            rows: 48,
            focal: [40.0, 32.0],
            centre: [32.2, 24.4],
            distortion: Distortion::PlumbBob([0.0; 5]),
        },
        clip: [0.1, 15.0],
        encoding: DepthEncoding::Units,
        resolution: 1e-3,
        noise: [0.0; 2],
        least_cosine: 0.0,
        edge_shadow: 0.0,
        quantization: None,
        has_labels: false,
        has_image: true,
        has_points: true,
        has_colors: false,
    }
}

fn rgbd(depth: DepthModel, pose: Pose3) -> RgbdCamera {
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "camera".into(), wheels: Vec::new() };
    let lens = depth.lens;
    let rgb = RgbModel {
        lens,
        clip: depth.clip,
        film: Film::default(),
        sensor_from_rgb: SENSOR_FROM_DEPTH,
        jpeg_quality: None,
        has_labels: false,
    };
    RgbdCamera {
        info: SensorInfo {
            name: "camera".into(),
            period: SimTime::from_secs(0.1),
            body_from_sensor: pose,
            kind: SensorKind::Rgbd(Box::new(RgbdModel { rgb: Some(rgb), depth: Some(depth) })),
        },
        ignores_parent: false,
        scratch: Scratch::default(),
        rgb_noise: PictureNoise::new(&context, "rgb"),
        depth_noise: PictureNoise::new(&context, "depth"),
        depth_errors: RangeErrors::new(RangeErrorParameters::white(0.0), "depth", SimTime(1), &context),
        exact: Vec::new(),
        seen: Vec::new(),
        rgb: Some((rgb, Eye::new(lens, rgb.clip).unwrap())),
        depth: Some((depth, Eye::new(lens, depth.clip).unwrap())),
    }
}

fn photograph(camera: &mut RgbdCamera) -> RgbdPhotograph {
    let (space, obstacles, mut reading) = (crate::sensor::camera::test_space(), Obstacles::new(), camera.new_reading());
    camera.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
    let ReadingData::Rgbd(both) = reading else { panic!("{reading:?}") };
    both
}

const AT: Pose3 = Pose3 { x: 0.0, y: 0.0, z: 0.5, yaw: 0.0, pitch: 0.0, roll: 0.0 };

#[test]
fn a_wall_across_the_axis_has_one_depth_and_nothing_has_none() {
    let both = photograph(&mut rgbd(depth_model(), AT));
    let returns: Vec<f32> = both.depths.iter().copied().filter(|depth| depth.is_finite()).collect();
    assert!(returns.len() >= 15 * 8 && returns.len() < 64 * 48);
    assert!(returns.iter().all(|depth| (depth - 4.0).abs() < 1e-5), "{returns:?}");
    // Colour where there is depth.
    for (depth, pixel) in both.depths.iter().zip(both.pixels.as_chunks::<3>().0) {
        assert_eq!(*pixel, if depth.is_finite() { [50, 100, 200] } else { [230, 191, 153] });
    }
}

#[test]
fn depth_is_along_the_axis_of_a_camera_that_is_turned() {
    let pose = Pose3 { yaw: 0.3, pitch: -0.1, ..AT };
    let depths = photograph(&mut rgbd(depth_model(), pose)).depths;
    let (rotation, mut count) = ((pose * SENSOR_FROM_DEPTH).rotation(), 0);
    for (index, &depth) in depths.iter().enumerate().filter(|(_, depth)| depth.is_finite()) {
        let [x, y] = [((index % 64) as f64 - 32.2) / 40.0, ((index / 64) as f64 - 24.4) / 32.0];
        let point = rotation * Vec3::new(x, y, 1.0) * f64::from(depth);
        assert!((point.x - 4.0).abs() < 1e-5, "{point:?}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_is_too_near_hides_what_is_behind() {
    let behind = |clip: [f64; 2]| photograph(&mut rgbd(DepthModel { clip, ..depth_model() }, AT)).depths;
    // A wall at 4 m, and nothing behind it: too near, it is not the nothing that is behind.
    let (measured, near) = (behind([0.1, 15.0]), behind([4.1, 15.0]));
    for (measured, near) in measured.iter().zip(&near) {
        assert!(if measured.is_nan() { near.is_nan() } else { *near == f32::NEG_INFINITY }, "{measured} {near}");
    }
    assert!(behind([0.1, 3.9]).iter().all(|depth| depth.is_nan()), "depths beyond the range are no return");
    // Noise of 0.1 m moves a wall at 4 m to either side of a limit of 4 m.
    let noisy = DepthModel { clip: [4.0, 15.0], noise: [0.1, 0.0], ..depth_model() };
    let depths = photograph(&mut rgbd(noisy, AT)).depths;
    let count = |is: fn(f32) -> bool| depths.iter().filter(|depth| is(**depth)).count();
    let [near, within] = [count(|depth| depth == f32::NEG_INFINITY), count(f32::is_finite)];
    assert!(near > 40 && within > 40 && near + within == near_or_within(&measured), "{near} {within}");
}

fn near_or_within(depths: &[f32]) -> usize {
    depths.iter().filter(|depth| !depth.is_nan()).count()
}

#[test]
fn one_ray_for_colour_and_depth_sees_what_two_see() {
    for (clip, least_cosine) in [([0.1, 100.0], 0.0), ([4.1, 100.0], 0.0), ([0.1, 3.9], 0.0), ([0.1, 100.0], 0.97)] {
        let seen_with = |readout: f64| {
            let mut camera = rgbd(DepthModel { clip, least_cosine, ..depth_model() }, Pose3 { yaw: 0.2, ..AT });
            let (model, _) = camera.rgb.take().unwrap();
            let model = RgbModel { clip: [0.05, 200.0], film: Film { readout, ..model.film }, ..model };
            camera.rgb = Some((model, Eye::new(model.lens, model.clip).unwrap()));
            assert_eq!(looks_along(&model, &camera.depth.as_ref().unwrap().0), readout == 0.0);
            photograph(&mut camera)
        };
        // At rest a rolling shutter changes nothing, but keeps the rays apart.
        let (one, two) = (seen_with(0.0), seen_with(1e-3));
        assert!(one.pixels == two.pixels);
        assert_eq!((one.rays, two.rays), (64 * 48, 2 * 64 * 48));
        assert!(one.depths.iter().zip(&two.depths).all(|(a, b)| a.to_bits() == b.to_bits()), "{clip:?}");
    }
}

#[test]
fn noise_grows_with_the_square_of_the_depth() {
    let noise = [0.01, 0.005];
    let mut camera = rgbd(DepthModel { noise, ..depth_model() }, AT);
    let mut errors = Vec::new();
    let first = photograph(&mut camera).depths;
    errors.extend(first.iter().filter(|depth| depth.is_finite()).map(|depth| f64::from(*depth) - 4.0));
    for _ in 0..20 {
        let depths = photograph(&mut camera).depths;
        errors.extend(depths.iter().filter(|depth| depth.is_finite()).map(|depth| f64::from(*depth) - 4.0));
    }
    let count = errors.len() as f64;
    let std = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
    // Four standard errors: 4/√(2n).
    assert!(count > 4000.0 && (std / (0.01 + 0.005 * 16.0) - 1.0).abs() < 4.0 / (2.0 * count).sqrt(), "{std}");
    camera.restart();
    let again = photograph(&mut camera).depths;
    assert!(first.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn grazing_surfaces_and_what_is_beside_nearer_things_are_not_measured() {
    let count = |model, pose| {
        let depths = photograph(&mut rgbd(model, pose)).depths;
        depths.iter().filter(|depth| depth.is_finite()).count()
    };
    let all = count(depth_model(), AT);
    let limited = |degrees: f64| DepthModel { least_cosine: libm::cos(degrees.to_radians()), ..depth_model() };
    // The wall's corners are seen under tan⁻¹(√(1 + 0.5²)/4), the upper wall under more.
    assert_eq!(count(limited(60.0), AT), all);
    let near = count(limited(17.0), AT);
    assert!(near >= 15 * 8 && near < all, "{near} {all}");
    // Turned, the far end of the wall is deeper by 0.3 a column: beyond the limit everything but the nearest column is in its shadow.
    let turned = Pose3 { yaw: 0.6, ..AT };
    let shadow = |edge_shadow| DepthModel { edge_shadow, ..depth_model() };
    assert_eq!(count(shadow(1.0), turned), count(depth_model(), turned));
    assert!(count(shadow(1e-3), turned) < count(depth_model(), turned) / 2);
}

#[test]
fn a_camera_has_the_topics_and_frames_of_its_halves() {
    let both = RgbdModel { rgb: None, depth: Some(DepthModel { has_image: false, ..depth_model() }) };
    let kind = SensorKind::Rgbd(Box::new(both));
    assert_eq!(kind.topics().map(|topic| topic.suffix).collect::<Vec<_>>(), ["_points"]);
    let frames = kind.frames();
    assert!(frames.len() == 1 && frames[0].0 == "_depth");
    // z ahead, x to the right, y down.
    let optical = frames[0].1.rotation();
    let near = |v: Vec3, expected: Vec3| (v - expected).norm() < 1e-12;
    assert!(
        near(optical * Vec3::z(), Vec3::x())
            && near(optical * Vec3::x(), -Vec3::y())
            && near(optical * Vec3::y(), -Vec3::z())
    );
}

#[test]
fn labels_are_of_the_surfaces_that_are_seen_and_that_return() {
    let seen_with = |[of_colors, of_depths]: [bool; 2], readout: f64| {
        // The wall at 4 m is beyond the depths, not beyond the colours.
        let depth = DepthModel { clip: [0.1, 3.9], has_labels: of_depths, ..depth_model() };
        let mut camera = rgbd(depth, AT);
        let (model, _) = camera.rgb.take().unwrap();
        let film = Film { readout, ..model.film };
        let model = RgbModel { clip: [0.05, 200.0], film, has_labels: of_colors, ..model };
        camera.rgb = Some((model, Eye::new(model.lens, model.clip).unwrap()));
        let ReadingData::Rgbd(empty) = camera.new_reading() else { panic!() };
        assert_eq!(
            [empty.labels.len(), empty.depth_labels.len()],
            [of_colors, of_depths].map(|of| 64 * 48 * usize::from(of))
        );
        photograph(&mut camera)
    };
    let plain = seen_with([false, false], 0.0);
    for wanted in [[true, true], [true, false], [false, true]] {
        // At rest a rolling shutter changes nothing, but keeps the rays apart.
        let (one, two) = (seen_with(wanted, 0.0), seen_with(wanted, 1e-3));
        assert!(one.labels == two.labels && one.depth_labels == two.depth_labels && one.pixels == plain.pixels);
        assert_eq!((one.rays, two.rays), (64 * 48, 2 * 64 * 48));
        assert_eq!([one.labels.len(), one.depth_labels.len()], wanted.map(|of| 64 * 48 * usize::from(of)));
        for (label, pixel) in one.labels.iter().zip(one.pixels.as_chunks::<3>().0) {
            assert_eq!(*label != [0; 2], *pixel == [50, 100, 200], "{label:?}");
        }
        assert!(one.depth_labels.iter().all(|label| *label == [0; 2]), "beyond the range nothing returns");
    }
    let depth = DepthModel { has_labels: true, edge_shadow: 1e-3, noise: [0.1, 0.0], ..depth_model() };
    let both = photograph(&mut rgbd(depth, AT));
    let of_wall = both.depth_labels.iter().filter(|label| **label != [0; 2]).count();
    let exact = photograph(&mut rgbd(depth_model(), AT)).depths;
    assert_eq!(of_wall, exact.iter().filter(|depth| depth.is_finite()).count(), "whatever is measured of it");
}
