//! Pictures of a wall of known size and colour, compared with the pixels that it must fill.

use std::sync::Arc;

use skidpad_math::{Twist2, Vec3};

use super::*;
use crate::raycast::Obstacles;
use crate::raycast::space::{ClearSky, Model, Motion, Sky, Space, Surface};

const WALL: [u8; 3] = [200, 100, 50];
/// The sky, as bytes.
const SKY: [u8; 3] = [153, 191, 230];

/// A wall 4 m ahead of the origin, from y = −1 to y = 0.5 and from z = 0 to z = 1, and an own vehicle above z = 2 there.
pub(in crate::sensor) fn space() -> Space {
    let wall = |[low, high]: [f64; 2]| {
        let corner = |y, z| Vec3::new(4.0, y, z);
        let corners = [corner(-1.0, low), corner(0.5, low), corner(0.5, high), corner(-1.0, high)];
        Arc::new(Model::new(&[0, 1, 2, 0, 2, 3].map(|index: usize| corners[index])))
    };
    let surface =
        Surface { color: WALL.map(|channel| f32::from(channel) / 255.0), label: [1, 1], ..Surface::default() };
    let mut space = Space::default();
    space.sky = even_sky();
    space.add(wall([0.0, 1.0]), [surface.clone()].into(), None, Pose3::default());
    space.add(wall([2.0, 9.0]), [surface].into(), Some(0), Pose3::default());
    space.finish();
    space
}

/// A sky of one colour.
fn even_sky() -> Sky {
    let color = SKY.map(|channel| f32::from(channel) / 255.0);
    Sky::Clear(ClearSky { zenith: color, horizon: color, ground: color })
}

fn lens() -> Lens {
    Lens {
        columns: 64,
        rows: 48,
        focal: [40.0, 32.0],
        centre: [32.2, 24.4],
        distortion: Distortion::PlumbBob([0.0; 5]),
    }
}

fn parameters() -> CameraParameters {
    let d = CameraParameters::default();
    let film = Film { order: ColorOrder::Rgb8, ..Film::default() };
    CameraParameters { model: CameraModel { lens: lens(), film, ..d.model }, ..d }
}

fn camera(parameters: CameraParameters) -> Camera {
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "camera".into(), wheels: Vec::new() };
    Camera::new(parameters, &context).unwrap()
}

fn picture(camera: &mut Camera) -> Vec<[u8; 3]> {
    let (space, obstacles, mut reading) = (space(), Obstacles::new(), camera.new_reading());
    camera.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
    let ReadingData::Photograph(photograph) = reading else { panic!("{reading:?}") };
    photograph.pixels.as_chunks::<3>().0.to_vec()
}

/// Whether a point of the plane 4 m ahead belongs to what is seen.
fn is_wall(y: f64, z: f64) -> bool {
    (-1.0..=0.5).contains(&y) && ((0.0..=1.0).contains(&z) || (2.0..=9.0).contains(&z))
}

#[test]
fn a_wall_fills_the_pixels_that_its_edges_enclose() {
    let pixels = picture(&mut camera(parameters()));
    let mut seen = 0;
    for (index, pixel) in pixels.iter().enumerate() {
        // The camera is 0.5 m high; columns go to the right, rows down.
        let y = -4.0 * ((index % 64) as f64 - 32.2) / 40.0;
        let z = 0.5 - 4.0 * ((index / 64) as f64 - 24.4) / 32.0;
        assert_eq!(*pixel, if is_wall(y, z) { WALL } else { SKY }, "{index}");
        seen += usize::from(*pixel == WALL);
    }
    // 15 columns for 1.5 m, 8 rows for the lower wall, and what is seen of the upper one.
    assert!(seen >= 15 * 8, "{seen}");
}

#[test]
fn through_a_lens_it_fills_those_where_the_lens_projects_it() {
    for distortion in
        [Distortion::PlumbBob([-0.2, 0.05, 0.001, -0.002, 0.0]), Distortion::Equidistant([-0.03, 0.002, 0.0, 0.0])]
    {
        let mut bent = parameters();
        bent.model.lens.distortion = distortion;
        let pixels = picture(&mut camera(bent));
        // Points well inside of the wall and well outside.
        for (y, z, expected) in
            [(-0.9, 0.1, WALL), (0.4, 0.9, WALL), (-0.9, 0.9, WALL), (-1.2, 0.5, SKY), (0.0, 1.3, SKY)]
        {
            let [column, row] = bent_lens(distortion).project(Vec3::new(-y, 0.5 - z, 4.0)).unwrap();
            let index = row.round() as usize * 64 + column.round() as usize;
            assert_eq!(pixels[index], expected, "{distortion:?} {y} {z}");
        }
        assert_ne!(pixels, picture(&mut camera(parameters())));
    }
}

fn bent_lens(distortion: Distortion) -> Lens {
    Lens { distortion, ..lens() }
}

#[test]
fn it_sees_what_is_near_but_neither_what_is_far_nor_if_asked_its_own_vehicle() {
    let count = |parameters| picture(&mut camera(parameters)).iter().filter(|pixel| **pixel == WALL).count();
    let all = count(parameters());
    // 4 m along the axis, whatever the angle.
    for (clip, expected) in [([0.01, 3.999], 0), ([0.01, 4.001], all), ([3.999, 10.0], all), ([4.001, 10.0], all)] {
        let mut clipped = parameters();
        clipped.model.clip = clip;
        assert_eq!(count(clipped), expected, "{clip:?}");
    }
    let without = count(CameraParameters { ignores_parent: true, ..parameters() });
    assert!(without >= 15 * 8 && without < all, "{without} {all}");
}

#[test]
fn noise_and_exposure_are_those_of_the_film_and_come_again_after_a_restart() {
    let with = |exposure, noise_std| {
        let mut changed = parameters();
        changed.model.film = Film { exposure, noise_std, ..changed.model.film };
        camera(changed)
    };
    assert_eq!(picture(&mut with(0.5, 0.0))[0], SKY.map(|channel| (0.5 * f64::from(channel)).round() as u8));
    assert_eq!(picture(&mut with(9.0, 0.0))[0], [255; 3], "the scale ends");
    let mut noisy = with(1.0, 0.02);
    let first = picture(&mut noisy);
    let second = picture(&mut noisy);
    assert_ne!(first, second);
    let errors = first.iter().filter(|pixel| pixel[0] > 100).flat_map(|pixel| {
        let truth = if pixel[2] < 120 { WALL } else { SKY };
        [0, 1, 2].map(|channel| f64::from(pixel[channel]) - f64::from(truth[channel]))
    });
    let errors: Vec<f64> = errors.collect();
    let variance = errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64;
    // That of the noise and of rounding, to four standard errors: 4·√(2/n).
    let expected = (0.02 * 255.0_f64).powi(2) + 1.0 / 12.0;
    assert!(errors.len() > 9000 && (variance / expected - 1.0).abs() < 0.06, "{variance} {expected}");
    noisy.restart();
    assert_eq!(picture(&mut noisy), first);
}

#[test]
fn a_picture_is_the_same_on_any_number_of_threads() {
    for samples in [1, 9] {
        let mut changed = parameters();
        changed.model.film = Film { noise_std: 0.1, samples, ..changed.model.film };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| picture(&mut camera(changed.clone())))
        };
        assert_eq!(on(1), on(3));
    }
}

/// The mean of many rays is the share of each pixel that the wall covers, to the steps of the pattern.
#[test]
fn with_several_samples_an_edge_is_as_dark_as_the_share_that_it_covers() {
    for (samples, step) in [(4, 0.25), (9, 1.0 / 9.0), (16, 1.0 / 16.0)] {
        let mut many = parameters();
        many.model.film.samples = samples;
        many.model.has_labels = true;
        let mut camera = camera(many);
        let pixels = picture(&mut camera);
        let mut partly = 0;
        for (index, pixel) in pixels.iter().enumerate() {
            // What a pixel covers of the plane of the wall: column and row of its middle, a half to both sides.
            let [column, row] = [index % 64, index / 64].map(|place| place as f64);
            let share =
                |low: f64, high: f64, from: f64, to: f64| (high.min(to) - low.max(from)).max(0.0) / (high - low);
            let y = |column: f64| -4.0 * (column - 32.2) / 40.0;
            let z = |row: f64| 0.5 - 4.0 * (row - 24.4) / 32.0;
            let across = share(y(column + 0.5), y(column - 0.5), -1.0, 0.5);
            let (low, high) = (z(row + 0.5), z(row - 0.5));
            let upwards = share(low, high, 0.0, 1.0) + share(low, high, 2.0, 9.0);
            let covered = across * upwards;
            // An edge is off by up to a step, a corner by that of both of its edges.
            let edges = [across, upwards].iter().filter(|share| **share > 0.0 && **share < 1.0).count().max(1);
            partly += usize::from(covered > 0.05 && covered < 0.95);
            let expected = [0, 1, 2].map(|c| covered * f64::from(WALL[c]) + (1.0 - covered) * f64::from(SKY[c]));
            for channel in 0..3 {
                // And rounding.
                let most = edges as f64 * step * f64::from(WALL[channel].abs_diff(SKY[channel])) + 1.0;
                let error = (f64::from(pixel[channel]) - expected[channel]).abs();
                assert!(error <= most, "{samples} samples, pixel {index}: {pixel:?} instead of {expected:?}");
            }
        }
        assert!(partly > 40, "{partly}");
        let labels = {
            let (space, obstacles, mut reading) = (space(), Obstacles::new(), camera.new_reading());
            camera.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
            let ReadingData::Photograph(photograph) = reading else { panic!("{reading:?}") };
            photograph.labels
        };
        let middles = picture(&mut self::camera(parameters()));
        assert!(labels.iter().zip(&middles).all(|(label, pixel)| (*label == [1, 1]) == (*pixel == WALL)));
    }
}

#[test]
fn a_lens_that_folds_is_refused() {
    let mut folded = parameters();
    folded.model.lens.distortion = Distortion::PlumbBob([-3.0, 0.0, 0.0, 0.0, 0.0]);
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "camera".into(), wheels: Vec::new() };
    assert_eq!(Camera::new(folded, &context).unwrap_err(), [0, 0]);
}

#[test]
fn a_rolling_shutter_leans_edges_by_how_far_the_camera_turns_and_drives_between_rows() {
    let readout = 0.02;
    let mut leaning = parameters();
    leaning.model.film.readout = readout;
    leaning.model.lens = Lens { columns: 640, rows: 101, focal: [400.0, 400.0], centre: [320.3, 50.0], ..lens() };
    let mut still = leaning.clone();
    still.model.film.readout = 0.0;
    // The last column of each row that sees the wall.
    let edge = |parameters: &CameraParameters, velocity: Twist2| edges(parameters, velocity, &tall_wall(None));
    let (turning, sideways) = (Twist2 { wz: 2.0, ..Twist2::default() }, Twist2 { vy: 3.0, ..Twist2::default() });
    let upright = edge(&still, turning);
    assert!(upright.iter().all(|&column| column == upright[0]));
    for (row, (turned, moved)) in edge(&leaning, turning).into_iter().zip(edge(&leaning, sideways)).enumerate() {
        let time = readout * (row as f64 / 100.0 - 0.5);
        let bearing = 0.5_f64.atan2(4.0) - 2.0 * time;
        assert!((turned - (320.3 - 400.0 * bearing.tan())).abs() <= 1.0, "row {row}: {turned}");
        let share = (0.5 - 3.0 * time) / 4.0;
        assert!((moved - (320.3 - 400.0 * share)).abs() <= 1.0, "row {row}: {moved}");
    }
}

/// A wall on the left of the edge y = 0.5, 4 m ahead, higher than any picture; of this vehicle.
fn tall_wall(vehicle: Option<usize>) -> Space {
    let corner = |y, z| Vec3::new(4.0, y, z);
    let corners = [corner(0.5, -3.0), corner(9.0, -3.0), corner(9.0, 3.0), corner(0.5, 3.0)];
    let mut space = Space::default();
    let model = Model::new(&[0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]));
    let white = Surface { color: [1.0; 3], label: [3, 7], ..Surface::default() };
    space.add(Arc::new(model), [white].into(), vehicle, Pose3::default());
    space.finish();
    space
}

/// The last column of each row that sees such a wall.
fn edges(parameters: &CameraParameters, velocity: Twist2, space: &Space) -> Vec<f64> {
    let (obstacles, mut camera) = (Obstacles::new(), camera(parameters.clone()));
    let mut reading = camera.new_reading();
    let view = View { space: Some(space), velocity_in_body: velocity, ..View::at_rest(&obstacles) };
    camera.sense(&view, &mut reading);
    let ReadingData::Photograph(photograph) = reading else { panic!("{reading:?}") };
    let rows = photograph.pixels.chunks(3 * 640);
    rows.map(|row| row.as_chunks::<3>().0.iter().rposition(|pixel| *pixel == [255; 3]).unwrap() as f64).collect()
}

#[test]
fn a_rolling_shutter_leans_what_passes_and_not_what_moves_along() {
    let readout = 0.02;
    let mut leaning = parameters();
    leaning.model.film.readout = readout;
    leaning.model.lens = Lens { columns: 640, rows: 101, focal: [400.0, 400.0], centre: [320.3, 50.0], ..lens() };
    let (mut space, still) = (tall_wall(None), Twist2::default());
    let passing = Motion { velocity: Vec3::new(0.0, 8.0, 0.0), turn_rate: Vec3::zeros() };
    space.set_in_motion(0, passing);
    let column = |time: f64| 320.3 - 400.0 * (0.5 + 8.0 * time) / 4.0;
    let actual = edges(&leaning, still, &space);
    for (row, edge) in actual.iter().enumerate() {
        assert!((edge - column(readout * (row as f64 / 100.0 - 0.5))).abs() <= 1.3, "row {row}: {edge}");
    }
    // v · t · f / Z = 16 pixels from the first row to the last one.
    assert!((actual[0] - actual[100] - 16.0).abs() <= 1.0, "{actual:?}");
    // Labels and several samples see it where it is, too.
    let mut labelled = leaning.clone();
    (labelled.model.has_labels, labelled.model.film.samples) = (true, 4);
    for (edge, finer) in actual.iter().zip(edges(&labelled, still, &space)) {
        assert!((edge - finer).abs() <= 1.0, "{edge} {finer}");
    }
    let (obstacles, mut camera) = (Obstacles::new(), camera(labelled));
    let mut reading = camera.new_reading();
    camera.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
    let ReadingData::Photograph(photograph) = &reading else { panic!("{reading:?}") };
    assert_eq!(photograph.rays, 5 * 640 * 101);
    for (row, labels) in photograph.labels.chunks(640).enumerate() {
        let edge = labels.iter().rposition(|label| *label == [3, 7]).unwrap() as f64;
        assert!((edge - column(readout * (row as f64 / 100.0 - 0.5))).abs() <= 1.3, "row {row}: {edge}");
        assert!(labels[edge as usize + 1..].iter().all(|label| *label == [0; 2]));
    }
    // A bonnet drives and turns with the camera.
    let (velocity, mut bonnet) = (Twist2::new(1.0, 8.0, 0.0), tall_wall(Some(0)));
    bonnet.set_in_motion(0, Motion { velocity: Vec3::new(1.0, 8.0, 0.0), turn_rate: Vec3::zeros() });
    let actual = edges(&leaning, velocity, &bonnet);
    assert!(actual.iter().all(|edge| *edge == actual[0]), "{actual:?}");
    // Without a shutter, and where nothing moves, it is upright.
    space.stop();
    assert!(edges(&leaning, still, &space).iter().all(|edge| *edge == column(0.0).floor()));
}

#[test]
fn labels_name_what_each_pixel_sees() {
    let mut parameters = parameters();
    parameters.model.has_labels = true;
    let mut camera = camera(parameters);
    let mut labelled = space();
    let (obstacles, mut reading) = (Obstacles::new(), camera.new_reading());
    let block = Surface { label: [3, 7], ..Surface::default() };
    let corners = [(-0.4, 0.2), (-0.2, 0.2), (-0.2, 0.4)].map(|(y, z)| Vec3::new(3.0, y, z));
    labelled.add(Arc::new(Model::new(&corners)), [block].into(), None, Pose3::default());
    labelled.finish();
    camera.sense(&View { space: Some(&labelled), ..View::at_rest(&obstacles) }, &mut reading);
    let ReadingData::Photograph(photograph) = reading else { panic!("{reading:?}") };
    let mut counts = [0; 3];
    for (label, pixel) in photograph.labels.iter().zip(photograph.pixels.as_chunks::<3>().0) {
        let (kind, color) = match label {
            [0, 0] => (0, SKY),
            [1, 1] => (1, WALL),
            [3, 7] => (2, [0; 3]),
            _ => panic!("{label:?}"),
        };
        assert_eq!(*pixel, color);
        counts[kind] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1) && counts.iter().sum::<i32>() == 64 * 48, "{counts:?}");
}

#[test]
fn rays_are_those_of_all_samples_and_of_middles_that_have_labels() {
    let pixels = 64 * 48;
    for (samples, has_labels, rays) in [(1, false, 1), (1, true, 1), (4, false, 4), (4, true, 5)] {
        let mut parameters = parameters();
        (parameters.model.film.samples, parameters.model.has_labels) = (samples, has_labels);
        let mut camera = camera(parameters);
        let (space, obstacles, mut reading) = (space(), Obstacles::new(), camera.new_reading());
        camera.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
        assert_eq!((reading.rays(), camera.size().pixels), (rays * pixels, samples as u64 * pixels));
    }
}
