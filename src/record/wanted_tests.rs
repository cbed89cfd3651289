//! The sensors that a recording reads.

use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{LaserScan, TFMessage};
use skidpad_run::sink::Sinks;

use super::tests::{all, world};
use super::*;

#[test]
fn only_sensors_with_a_recorded_topic_are_read_and_recordings_do_not_depend_on_the_others() {
    let robot = r#"<vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/></dynamics>
      <sensor class="laser" name="front"><nrays>11</nrays><sensor_period>0.1</sensor_period></sensor>
      <sensor class="laser" name="rear"><nrays>11</nrays><sensor_period>0.05</sensor_period></sensor>
      <sensor class="camera" name="eye"><ncols>8</ncols><nrows>6</nrows><fx>5</fx><fy>5</fy><cx>4</cx><cy>3</cy><sensor_period>0.1</sensor_period></sensor></vehicle>"#;
    let recorded = |topics: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.mcap");
        let options = RecordOptions { topics: TopicFilter::only(topics), ..RecordOptions::default() };
        let mut world = world(robot);
        let scene = Arc::clone(world.scene());
        let mut sinks = Sinks::new();
        sinks.push(Box::new(Recorder::create(&path, options).unwrap()));
        sinks.call_all(|sink| sink.start(&scene));
        let mut buffer = Wanted::default();
        for _ in 0..200 {
            sinks.choose_readings(&mut world, &mut buffer);
            let frame = world.step().unwrap();
            sinks.frame(&scene, frame);
        }
        sinks.finish();
        let read: Vec<bool> = world.frame().readings.iter().map(|reading| reading.time > SimTime::ZERO).collect();
        (std::fs::read(&path).unwrap(), read)
    };
    let (whole, of_whole) = recorded(&[]);
    assert_eq!(of_whole, [true; 3], "a recording of everything reads everything");
    let (part, of_part) = recorded(&["/front", "/tf"]);
    assert_eq!(of_part, [true, false, false]);
    assert_eq!(recorded(&["/eye/*"]).1, [false, false, true]);
    assert_eq!(recorded(&["/odom"]).1, [false; 3]);
    let scans = |bytes: &[u8]| all::<LaserScan>(bytes, "/front");
    assert_eq!(scans(&part).len(), 10);
    assert_eq!(scans(&part), scans(&whole));
    let transforms = |bytes: &[u8]| all::<TFMessage>(bytes, "/tf");
    assert_eq!(transforms(&part), transforms(&whole), "those at the times of all sensors, read or not");
}
