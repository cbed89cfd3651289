//! Commands come in steps; what the tyres do must not: the side force of a car that follows a trajectory has no line at the rate of its
//! commands.

use std::f64::consts::{PI, TAU};
use std::path::Path;

use skidpad::experiment::{Equipment, ExperimentConfig};
use skidpad::world::{LoadOptions, World};

/// Side force of the left front wheel [N] at each step, of the car of this world that follows a figure of eight at this rate [Hz], from 3 s on.
fn side_force(world: &str, plant: &str, tyre: &str, rate: f64, seconds: f64) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds").join(world);
    let config = ExperimentConfig {
        world: path.clone(),
        plant: plant.into(),
        tyre: tyre.into(),
        rate,
        ..ExperimentConfig::default()
    };
    let variables = if world.starts_with("tracking") { config.world_variables() } else { Vec::new() };
    let options = LoadOptions { variables, ..LoadOptions::default() };
    let mut world = World::load(&path, &options).expect("loads").0;
    Equipment::fit(&config, &mut world).expect("fits");
    let dt = world.scene().step.secs();
    let force = (0..((3.0 + seconds) / dt).round() as usize)
        .map(|_| world.step().expect("finite numbers").vehicles[0].wheels[2].force_in_wheel.y);
    force.collect::<Vec<f64>>().split_off((3.0 / dt).round() as usize)
}

/// Amplitude [N] of the line at `frequency` [Hz] in samples at `rate` [Hz], through a window of Blackman and Harris, which has side lobes
/// below 1e-4.6 (F. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66, 1978).
fn amplitude(samples: &[f64], rate: f64, frequency: f64) -> f64 {
    let (mut re, mut im, mut sum) = (0.0, 0.0, 0.0);
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    for (i, sample) in samples.iter().enumerate() {
        let at = TAU * i as f64 / samples.len() as f64;
        let window = 0.35875 - 0.48829 * at.cos() + 0.14128 * (2.0 * at).cos() - 0.01168 * (3.0 * at).cos();
        let (sin, cos) = (TAU * frequency * i as f64 / rate).sin_cos();
        re += window * (sample - mean) * cos;
        im += window * (sample - mean) * sin;
        sum += window;
    }
    // A line has its mirror image beyond half the rate; within the main lobe, which is four bins wide to either side, both are one.
    let main_lobe = 4.0 * rate / samples.len() as f64;
    let sides = if (frequency - 0.5 * rate).abs() < main_lobe { 1.0 } else { 2.0 };
    sides * re.hypot(im) / sum
}

/// The largest amplitude [N] within half a hertz of the rate of commands, the mean among its neighbours, and the root mean square.
fn line(samples: &[f64], command_rate: f64) -> [f64; 3] {
    let rate = 200.0;
    let at = |frequency: f64| amplitude(samples, rate, frequency);
    let near = (0..=10).map(|k| at(command_rate - 0.05 * f64::from(k))).fold(0.0, f64::max);
    let beside = (0..16).map(|k| at(command_rate - 2.0 - 0.25 * f64::from(k))).sum::<f64>() / 16.0;
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    let rms = (samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / samples.len() as f64).sqrt();
    [near, beside, rms]
}

#[test]
fn the_window_finds_lines_and_leaves_nothing_beside_them() {
    let samples: Vec<f64> =
        (0..4000).map(|i| (TAU * 0.4 * f64::from(i) / 200.0).sin() + 0.01 * (PI * f64::from(i)).cos()).collect();
    let [near, beside, _] = line(&samples, 100.0);
    assert!((near - 0.01).abs() < 1e-6 && beside < 1e-6, "{near} {beside}");
}

#[test]
fn side_forces_have_no_line_at_the_rate_of_commands() {
    let plants = [
        ("empty.world.xml", "rigid_body", "default"),
        ("tracking.world.xml", "rigid_body", "default"),
        ("tracking.world.xml", "rigid_body", "linear"),
        ("tracking.world.xml", "rigid_body", "fiala"),
        ("tracking.world.xml", "rigid_body", "pacejka"),
        ("tracking.world.xml", "single_track", "default"),
        ("tracking.world.xml", "single_track", "linear"),
        ("tracking.world.xml", "single_track", "fiala"),
        ("tracking.world.xml", "single_track", "pacejka"),
    ];
    let mut wrong = Vec::new();
    for (world, plant, tyre) in plants {
        for command_rate in [100.0, 50.0] {
            let force = side_force(world, plant, tyre, command_rate, 20.0);
            let [near, beside, rms] = line(&force, command_rate);
            println!(
                "{world} {plant} {tyre} {command_rate} Hz: line {near:.2e} beside {beside:.2e} rms {rms:.3} ratio {:.2e}",
                near / rms
            );
            if near > 2.0 * beside + 2.5e-3 * rms {
                wrong.push(format!(
                    "{world}, {plant}, {tyre}, {command_rate} Hz: {near} N of {rms} N, {beside} N beside"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
