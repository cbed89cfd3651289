//! Sensors that sample more often than the world steps.

use std::path::Path;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2, Vec3, wrap_angle};

use crate::georeference::Geodetic;
use crate::sensor::{EncoderTicks, ImuSample, MagnetometerSample, ReadingData};
use crate::vehicle::{Action, Command};
use crate::world::{LoadOptions, ResetScope, SpawnRequest, SpawnSource, World};

/// Speed [m/s] and yaw rate [rad/s] of a circle.
const CIRCLE: Twist2 = Twist2 { vx: 2.0, vy: 0.0, wz: 0.5 };
const PERFECT: &str = "<angular_velocity_std_noise>0</angular_velocity_std_noise><linear_acceleration_std_noise>0</linear_acceleration_std_noise>";

/// A robot on a circle, with this sensor, at steps of 5 ms.
fn on_circle(sensor: &str) -> World {
    let text = format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>\
         <georeference><latitude>48</latitude><longitude>11</longitude></georeference>\
         <vehicle name=\"r1\"><init_pose>0 0 0</init_pose><init_vel>2 0 {}</init_vel><dynamics class=\"differential\">\
         <controller class=\"twist_ideal\"/></dynamics>{sensor}</vehicle></mvsim_world>",
        CIRCLE.wz.to_degrees()
    );
    let mut world = World::load_text("w", Path::new("."), &text, &LoadOptions::default()).unwrap().0;
    drive(&mut world, CIRCLE);
    world
}

fn drive(world: &mut World, twist: Twist2) {
    world.command(Command { vehicle: 0, action: Action::Twist(twist) }).unwrap();
}

/// All samples of these steps with their times.
fn samples(world: &mut World, steps: usize) -> Vec<(SimTime, ReadingData)> {
    let mut samples = Vec::new();
    for _ in 0..steps {
        let frame = world.step().unwrap();
        for reading in frame.fresh_readings() {
            assert_eq!(reading.arrived, frame.time);
            samples.extend(reading.samples().map(|sample| (sample.time, sample.data.clone())));
        }
    }
    samples
}

fn of_imu(data: &ReadingData) -> ImuSample {
    let ReadingData::Imu(sample) = data else { panic!("{data:?}") };
    *sample
}

fn of_encoder(data: &ReadingData) -> EncoderTicks {
    let ReadingData::Ticks(ticks) = data else { panic!("{data:?}") };
    ticks.clone()
}

fn instants(period: i64, count: i64) -> Vec<SimTime> {
    (1..=count).map(|k| SimTime(k * period)).collect()
}

#[test]
fn an_imu_faster_than_the_steps_has_every_instant_of_its_period() {
    for (period, count) in [(0.001, 1000), (0.0025, 400), (0.012, 83), (0.0033, 303), (0.005, 200)] {
        let mut world =
            on_circle(&format!("<sensor class=\"imu\"><sensor_period>{period}</sensor_period>{PERFECT}</sensor>"));
        let actual = samples(&mut world, 200);
        let times: Vec<SimTime> = actual.iter().map(|(time, _)| *time).collect();
        assert_eq!(times, instants(SimTime::from_secs(period).0, count), "{period}");
        for (time, data) in &actual[actual.len() / 2..] {
            let sample = of_imu(data);
            assert!((sample.angular_velocity - Vec3::new(0.0, 0.0, CIRCLE.wz)).norm() < 1e-9, "{time} {sample:?}");
            let expected = Vec3::new(0.0, CIRCLE.vx * CIRCLE.wz, 9.81);
            assert!((sample.linear_acceleration - expected).norm() < 1e-6, "{time} {sample:?} {expected}");
        }
    }
}

#[test]
fn an_imu_measures_the_same_circle_at_any_rate() {
    for (speed, yaw_rate) in [(1.0, 2.0), (5.0, 4.0)] {
        // A period that is no multiple of the step of 5 ms is between two of them.
        for period in [0.001, 0.005, 0.012, 0.0333, 0.1, 1.0] {
            let mut world =
                on_circle(&format!("<sensor class=\"imu\"><sensor_period>{period}</sensor_period>{PERFECT}</sensor>"));
            drive(&mut world, Twist2::new(speed, 0.0, yaw_rate));
            let actual = samples(&mut world, 600);
            let sample = of_imu(&actual.last().unwrap().1);
            let expected = Vec3::new(0.0, speed * yaw_rate, 9.81);
            assert!((sample.linear_acceleration - expected).norm() < 1e-6, "{period} {sample:?}");
            assert!((sample.angular_velocity - Vec3::new(0.0, 0.0, yaw_rate)).norm() < 1e-9, "{period} {sample:?}");
        }
    }
}

#[test]
fn a_slow_imu_measures_the_mean_of_a_fast_one_on_a_slope() {
    let imu = |name: &str, period: f64| {
        format!(
            "<sensor class=\"imu\" name=\"{name}\"><pose_3d>0.3 0.1 0.2 0 0 0</pose_3d><sensor_period>{period}</sensor_period>{PERFECT}</sensor>"
        )
    };
    let plane = "<element class=\"elevation_map\"><resolution>60</resolution><elevation_data_matrix>[10 0 -10; 10 0 -10; 10 0 -10]</elevation_data_matrix>\
        <corner_min_x>-60</corner_min_x><corner_min_y>-60</corner_min_y></element>";
    let text = format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>{plane}<vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
         <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>{}{}</vehicle></mvsim_world>",
        imu("slow", 0.1),
        imu("fast", 0.005)
    );
    let mut world = World::load_text("w", Path::new("."), &text, &LoadOptions::default()).unwrap().0;
    drive(&mut world, Twist2::new(5.0, 0.0, 4.0));
    let (mut sum, mut count, mut compared) = (Vec3::zeros(), 0.0, 0);
    for _ in 0..200 {
        let frame = world.step().unwrap();
        let [slow, fast] = [0, 1].map(|sensor| &frame.readings[sensor]);
        (sum, count) = (sum + of_imu(&fast.data).linear_acceleration, count + 1.0);
        if slow.time == frame.time {
            let (actual, mean) = (of_imu(&slow.data).linear_acceleration, sum / count);
            // The first period has the start from rest in it.
            if frame.time > SimTime::from_secs(0.15) {
                assert!((actual - mean).norm() < 1e-3, "{} {actual} {mean}", frame.time);
                assert!(actual.xy().norm() > 10.0 && frame.vehicles[0].world_from_body.z.abs() > 0.01);
                compared += 1;
            }
            (sum, count) = (Vec3::zeros(), 0.0);
        }
    }
    assert_eq!(compared, 9);
}

#[test]
fn encoders_count_evenly_between_steps() {
    let sensor = "<sensor class=\"encoder\"><ticks_per_revolution>1000000</ticks_per_revolution><sensor_period>0.001</sensor_period></sensor>";
    let mut world = on_circle(sensor);
    let actual = samples(&mut world, 200);
    assert_eq!(actual.len(), 1000);
    let rates = actual[500..].iter().map(|(_, data)| of_encoder(data).rates);
    let spins: Vec<f64> = world.frame().vehicles[0].wheels.iter().map(|wheel| wheel.spin).collect();
    for rate in rates {
        for (actual, spin) in rate.iter().zip(&spins) {
            // A tick is 6.3 µrad, of 1 ms.
            assert!((actual - spin).abs() < 0.007, "{actual} {spin}");
        }
    }
}

#[test]
fn a_receiver_and_a_compass_are_on_the_arc_between_steps() {
    let sensors = "<sensor class=\"gnss\"><sensor_period>0.002</sensor_period><horizontal_std_noise>0</horizontal_std_noise>\
        <vertical_std_noise>0</vertical_std_noise><velocity_std_noise>0</velocity_std_noise></sensor>\
        <sensor class=\"magnetometer\"><sensor_period>0.002</sensor_period><magnetic_field_std_noise>0</magnetic_field_std_noise></sensor>";
    let mut world = on_circle(sensors);
    let actual = samples(&mut world, 400);
    let mut before: (Option<Geodetic>, Option<f64>) = (None, None);
    for (time, data) in &actual {
        match data {
            ReadingData::Gnss(Some(fix)) => {
                let way = before.0.replace(fix.place).map_or(0.004, |before| before.enu_of(fix.place).norm());
                assert!((way - 0.004).abs() < 1e-6, "{time} {way}");
                // The velocity follows from angles on the ellipsoid over 2 cm.
                assert!((fix.velocity_in_enu.norm() - CIRCLE.vx).abs() < 1e-4, "{time} {}", fix.velocity_in_enu);
            }
            ReadingData::MagneticField(MagnetometerSample { field }) => {
                // North is along y.
                let yaw = libm::atan2(field.x, field.y);
                let turn = before.1.replace(yaw).map_or(0.001, |before| wrap_angle(yaw - before));
                assert!((turn - 0.001).abs() < 1e-9, "{time} {turn}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(actual.len(), 2 * 1000);
}

#[test]
fn noise_of_a_density_is_that_of_the_period_and_comes_again() {
    let sensor = "<sensor class=\"imu\"><sensor_period>0.001</sensor_period><angular_velocity_noise_density>0.01</angular_velocity_noise_density></sensor>";
    let mut world = on_circle(sensor);
    let first = samples(&mut world, 200);
    let rates: Vec<f64> = first.iter().map(|(_, data)| of_imu(data).angular_velocity.x).collect();
    let variance = rates.iter().map(|rate| rate * rate).sum::<f64>() / rates.len() as f64;
    // 0.01/√0.001; four standard errors of a variance: 4·√(2/n).
    assert!((variance / (1e-4 / 1e-3) - 1.0).abs() < 0.18, "{variance}");
    world.reset_with(ResetScope::ALL);
    drive(&mut world, CIRCLE);
    assert!(samples(&mut world, 200) == first);
}

#[test]
fn a_teleport_is_no_blow_and_samples_after_it_are_from_the_new_place() {
    let mut world = on_circle(&format!("<sensor class=\"imu\"><sensor_period>0.001</sensor_period>{PERFECT}</sensor>"));
    samples(&mut world, 100);
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(100.0, 50.0, 3.0)) }).unwrap();
    let mut seen = 0;
    for _ in 0..4 {
        let frame = world.step().unwrap();
        for reading in frame.fresh_readings() {
            for sample in reading.earlier.as_slice() {
                assert!((sample.world_from_body.x - 100.0).abs() < 0.1, "{sample:?}");
                let force = of_imu(&sample.data).linear_acceleration;
                assert!(force.xy().norm() < 5.0, "{force}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 4 * 4);
}

#[test]
fn samples_that_are_late_or_lost_keep_their_own_times() {
    let sensor =
        "<sensor class=\"imu\"><sensor_period>0.001</sensor_period><sample_delay>0.0123</sample_delay></sensor>";
    let mut world = on_circle(sensor);
    let actual = samples(&mut world, 200);
    let times: Vec<SimTime> = actual.iter().map(|(time, _)| *time).collect();
    // Those whose delay is over after 1 s.
    assert_eq!(times, instants(1_000_000, 987));
    let mut world =
        on_circle(&sensor.replace("<sample_delay>0.0123</sample_delay>", "<sample_drop_out>0.25</sample_drop_out>"));
    let count = samples(&mut world, 200).len();
    // Four standard deviations of a binomial count.
    assert!(count.abs_diff(750) < 55, "{count}");
}

#[test]
fn sensors_of_the_surroundings_sample_at_steps_and_a_load_warns_of_it() {
    let text = "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>\n<vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
                <dynamics class=\"differential\"/>\n<sensor class=\"laser\" name=\"scan\"><sensor_period>0.001</sensor_period></sensor>\n\
                <sensor class=\"imu\" name=\"imu\"><sensor_period>0.001</sensor_period></sensor>\n\
                <publish><publish_pose_topic>pose</publish_pose_topic><publish_pose_period>0.002</publish_pose_period></publish>\
                </vehicle></mvsim_world>";
    let (world, warnings) = World::load_text("w", Path::new("."), text, &LoadOptions::default()).unwrap();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "w:3:50: a period of 0.001 s, below the step of 0.005 s: it samples at every step, 200 times a second\n  \
          accepted: at least 0.005 s\n  hint: a smaller <simul_timestep>; only imu, gnss, magnetometer, encoder, mocap sample between steps",
            "w:5:1: <publish_pose_period> 0.002 s is below the step of 0.005 s: a pose is published at every step, 200 times a second\n  \
          accepted: at least 0.005 s\n  hint: a smaller <simul_timestep>"
        ]
    );
    let [scan, imu] = [0, 1].map(|sensor| world.scene().vehicles[0].sensors[sensor].interval(world.scene().step));
    assert_eq!([scan, imu], [SimTime(5_000_000), SimTime(1_000_000)]);
    // Whoever reads the scene has the time between samples that there are: messages, Python, recordings.
    let periods = [0, 1].map(|sensor| world.scene().vehicles[0].sensors[sensor].period);
    assert_eq!(periods, [scan, imu]);
    let request = SpawnRequest {
        name: "r2".into(),
        source: SpawnSource::Xml {
            text: "<vehicle><dynamics class=\"differential\"/><sensor class=\"laser\" name=\"scan\"><sensor_period>0.001</sensor_period></sensor></vehicle>".into(),
            directory: ".".into(),
            label: "r2".into(),
        },
        pose: None,
    };
    let mut world = world;
    let recipe = world.catalogue().recipe(&request).unwrap();
    world.spawn(recipe).unwrap();
    assert_eq!(world.scene().vehicles[1].sensors[0].period, scan);
}
