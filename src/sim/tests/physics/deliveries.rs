//! Samples that are late or lost, in whole worlds.

use super::common::*;
use skidpad_math::Pose3;
use skidpad_sim::sensor::Scan;
use skidpad_sim::world::{ResetScope, World};

const PID: &str = r#"<controller class="twist_pid"><KP>100</KP><KI>20</KI></controller>"#;
const WALL: &str = "<walls><shape><pt>9 -9</pt><pt>9 9</pt></shape></walls>";

fn with_lidars(tags: &str) -> World {
    let lidar = |name: &str, tags: &str| {
        format!(
            r#"<sensor class="laser" name="{name}"><nrays>11</nrays><range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>
            <sensor_period>0.05</sensor_period>{tags}</sensor>"#
        )
    };
    let lidars = lidar("prompt", "") + &lidar("late", tags);
    let cart = Cart { inside: PID.into(), ..Cart::default() }.named("a");
    world(&(cart.replace("</vehicle>", &format!("{lidars}</vehicle>")) + WALL))
}

/// Everything that a sensor delivers in 2 s of driving: when, its stamp [s], the pose of the vehicle then, and the ranges.
fn delivered(world: &mut World, sensor: usize) -> Vec<(f64, f64, Pose3, Scan)> {
    let mut delivered = Vec::new();
    twist(world, 0, 1.0, 0.3);
    for _ in 0..400 {
        let frame = step(world);
        for reading in frame.fresh_readings().filter(|reading| reading.sensor == sensor) {
            let scan = reading.data.scan().expect("a scan").clone();
            delivered.push((frame.time.secs(), reading.time.secs(), reading.world_from_body, scan));
        }
    }
    delivered
}

#[test]
fn a_late_sample_is_the_one_that_a_prompt_sensor_took() {
    let mut world = with_lidars("<sample_delay>0.12</sample_delay>");
    let late = delivered(&mut world, 1);
    let prompt = delivered(&mut with_lidars(""), 0);
    assert!(late.len() >= 37, "{}", late.len());
    for (at, stamp, pose, scan) in late {
        assert!((at - stamp - 0.12).abs() < 1e-9, "{at} {stamp}");
        let (.., of_prompt, same) =
            prompt.iter().find(|(_, other, ..)| *other == stamp).expect("taken at the same time");
        assert_eq!((*of_prompt, same), (pose, &scan));
    }
}

#[test]
fn a_reset_of_time_forgets_what_is_under_way_and_repeats() {
    let mut world = with_lidars(
        "<sample_delay>0.2</sample_delay><sample_delay_std_noise>0.05</sample_delay_std_noise>
        <sample_drop_out>0.3</sample_drop_out>",
    );
    let first = delivered(&mut world, 1);
    assert!((20..36).contains(&first.len()), "{} of 40 arrive", first.len());
    world.reset_with(ResetScope::ALL);
    assert_eq!(delivered(&mut world, 1), first);
}

#[test]
fn a_delay_of_too_many_samples_is_a_mistake() {
    let sensor =
        r#"<sensor class="laser"><sensor_period>0.01</sensor_period><sample_delay>1</sample_delay></sensor></vehicle>"#;
    let text = format!("<mvsim_world>{}</mvsim_world>", Cart::default().named("a").replace("</vehicle>", sensor));
    let problems = problems(&text);
    assert!(problems.len() == 1 && problems[0].contains("a delay of 1 ± 0 s"), "{problems:?}");
}
