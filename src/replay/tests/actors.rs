//! Actors roll in a replay as they did in the run, from whichever side an instant is reached.

use super::*;

/// A cart around a square, beside a car whose lidar fills several blocks of the recording.
const CART: &str = r#"<vehicle name="car"><init_pose>1 2 30</init_pose><dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
  <sensor class="laser" name="front"><pose_3d>0.5 0 0.3 0 0 0</pose_3d><nrays>1441</nrays><sensor_period>0.025</sensor_period></sensor></vehicle>
  <actor name="cart"><init_pose>0 5 0</init_pose><walking_speed>1</walking_speed>
    <path><waypoint>3 5 0</waypoint><waypoint>3 8 90</waypoint><waypoint>0 8 180</waypoint><waypoint>0 5 270</waypoint></path></actor>"#;

/// The step before which the cart is set back to its start, 3.2 m away.
const SET_BACK: usize = 1600;

#[test]
fn the_way_that_actors_have_rolled_does_not_depend_on_how_an_instant_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(CART);
    let options = RecordOptions { compression: Compression::None, ..RecordOptions::default() };
    let mut recorder = Recorder::create(&path, options).unwrap();
    recorder.start(world.scene()).unwrap();
    let mut live = BTreeMap::new();
    for step in 0..2400 {
        if step == SET_BACK {
            world.reset();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
        live.insert(world.frame().time.0, world.frame().actors[0].distance);
    }
    recorder.finish().unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 2 << 20, "several blocks");

    let mut replay = Replay::open(&path).unwrap();
    let mut played = Vec::new();
    loop {
        played.push((replay.now(), replay.frame().actors));
        if !replay.step() {
            break;
        }
    }
    let distances: Vec<f64> = played.iter().map(|(_, actors)| actors[0].distance).collect();
    let before = played.iter().position(|(time, _)| time.0 > SET_BACK as i64 * 5_000_000).unwrap();
    let off = |index: usize| distances[index] - live[&played[index].0.0];
    // It begins with its second pose, and corners are cut between poses.
    assert!((0..before).all(|index| off(index).abs() < 0.1), "{distances:?}");
    assert!(distances.is_sorted() && distances.windows(2).all(|pair| pair[1] - pair[0] < 0.03), "{distances:?}");
    assert!(distances[distances.len() - 1] > 11.5, "{distances:?}");
    // Far back, far ahead, and by steps that fold what is between.
    let last = played.len() - 1;
    for index in [last, 3, before + 1, before, 0, last - 1, 260, 270, 100] {
        let (time, actors) = &played[index];
        replay.seek(*time);
        assert_eq!(&replay.frame().actors, actors, "{time}");
    }
}
