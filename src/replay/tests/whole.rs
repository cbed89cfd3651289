//! Compares the live page and a replay at the same instants, number by number.

use std::sync::Arc;

use skidpad_record::ExternalInput;
use skidpad_ros_data::preset::{NAV2_LOOPBACK, SKIDPAD};
use skidpad_server::WebSink;
use skidpad_server::hub::Hub;
use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
use skidpad_sim::trajectory::{self, TrajectoryParameters};
use skidpad_sim::vehicle::{GearLever, Pedals};
use skidpad_sim::world::ResetScope;
use skidpad_view::build::map_png;

use super::*;

/// Values computed by the replay: those of a frame are from the beginning of its step.
const COMPUTED: [&str; 2] = ["wheel_vx", "wheel_vy"];

/// The content of a live page's hub at each step, by log time [ns].
type Seen = BTreeMap<i64, (ViewState, Vec<Option<ViewScan>>)>;

/// A run with a page beside its recording.
struct Run {
    recorder: Recorder,
    listener: ExternalInput,
    page: WebSink,
    hub: Arc<Hub>,
    seen: Seen,
    folder: TempDir,
}

impl Run {
    fn start(world: &World, options: RecordOptions) -> Run {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::create(&folder.path().join("x.mcap"), options).unwrap();
        let listener = recorder.listener();
        let hub = Arc::new(Hub::new());
        let (mut page, _) = WebSink::new(Arc::clone(&hub), world.scene());
        recorder.start(world.scene()).unwrap();
        page.start(world.scene()).unwrap();
        Run { recorder, listener, page, hub, seen: Seen::new(), folder }
    }

    fn scene_changed(&mut self, world: &World) {
        self.recorder.scene_changed(world.scene()).unwrap();
        self.page.scene_changed(world.scene()).unwrap();
    }

    /// A step whose log time differs from simulated time by this offset [ns].
    fn step(&mut self, world: &mut World, ahead: i64) {
        world.step().unwrap();
        self.recorder.frame(world.scene(), world.frame()).unwrap();
        self.hub.ask(true);
        self.page.frame(world.scene(), world.frame()).unwrap();
        let seen = (self.hub.look(Clone::clone), self.hub.look_at_scans(<[_]>::to_vec));
        self.seen.insert(world.frame().time.0 + ahead, seen);
    }

    fn end(mut self) -> (Replay, Seen, TempDir) {
        self.recorder.finish().unwrap();
        (Replay::open(&self.folder.path().join("x.mcap")).unwrap(), self.seen, self.folder)
    }
}

/// Names of all numbers of a vehicle with this many wheels.
fn names(wheels: usize) -> Vec<String> {
    let of_wheels = (0..wheels).flat_map(|wheel| WHEEL.iter().map(move |channel| format!("{}.{wheel}", channel.name)));
    VEHICLE.iter().map(|channel| channel.name.to_owned()).chain(of_wheels).collect()
}

/// Checks that every number of a vehicle, and of what follows it, agrees to one count: rotations pass through quaternions.
#[track_caller]
fn assert_shown_again(actual: &ViewState, live: &ViewState, wheels: usize, place: &str) {
    let names = names(wheels);
    assert_eq!(actual.counts.len(), live.counts.len(), "{place}");
    let names = names.iter().map(String::as_str).chain(std::iter::repeat("something else"));
    for ((name, a), b) in names.zip(&actual.counts).zip(&live.counts) {
        let is_computed = COMPUTED.iter().any(|computed| name.starts_with(computed));
        assert!(is_computed || (a - b).abs() <= 1, "{place}: {name} at {}: {a} instead of {b}", actual.time);
    }
}

/// The car of `worlds/powertrain.world.xml` with a lidar, away from the origin and in front of a wall.
fn car_with_engine() -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let text = fs::read_to_string(folder.join("powertrain.world.xml")).unwrap();
    let more = r#"<sensor class="laser" name="front"><pose_3d>3 0 0.5 0 0 0</pose_3d><nrays>5</nrays><sensor_period>0.1</sensor_period></sensor></vehicle>
      <block name="wall"><static>true</static><init_pose>14.3 9.8 30</init_pose></block></mvsim_world>"#;
    let text = text.replace("<init_pose>0 0 0<", "<init_pose>1 2 30<");
    let text = text.replace("</vehicle>\n</mvsim_world>", &format!("<!-- -->{more}"));
    World::load_text("w.xml", &folder, &text, &LoadOptions::default()).unwrap().0
}

#[test]
fn a_replay_shows_everything_that_the_live_page_showed_under_every_preset() {
    for preset in PRESETS.into_iter().chain(RACECAR_GAZEBO.with_true_map_to_odom) {
        let place = preset.name;
        let mut world = car_with_engine();
        let mut run = Run::start(&world, RecordOptions { preset, ..RecordOptions::default() });
        let per_second = (1.0 / world.scene().step.secs()).round() as usize;
        for step in 0..4 * per_second {
            let (throttle, brake, gear) = match step / per_second {
                0 | 1 => (1.0, 0.0, GearLever::Drive),
                2 => (0.4, 0.0, GearLever::Drive),
                _ => (0.3, 0.2, GearLever::Reverse),
            };
            if step % 10 == 0 {
                let pedals = Pedals { throttle, brake, gear };
                world
                    .command(Command {
                        vehicle: 0,
                        action: Action::Pedals { pedals, steering_angle: 0.01 * (step / per_second) as f64 },
                    })
                    .unwrap();
            }
            run.step(&mut world, 0);
        }
        let (mut replay, seen, _folder) = run.end();
        let mut times: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        loop {
            let (now, mut scans) = (state(&replay), Vec::new());
            let Some((live, live_scans)) = seen.get(&now.time.0) else {
                assert!(preset.odometry_rate > per_second as f64, "{place}: no page showed {}", now.time);
                if !replay.step() {
                    break;
                }
                continue;
            };
            assert_shown_again(&now, live, 4, place);
            for (name, count) in names(4).into_iter().zip(&now.counts) {
                times.entry(name).or_default().push(*count);
            }
            replay.fill_scans(&mut scans);
            if let ([Some(scan)], [Some(live)]) = (&scans[..], &live_scans[..]) {
                assert_eq!((scan.time, &scan.ranges), (live.time, &live.ranges), "{place}");
                let off = scan.world_from_sensor.position() - live.world_from_sensor.position();
                assert!(off.norm() < 5e-3, "{place}: {off:?}");
            }
            if !replay.step() {
                break;
            }
        }
        // Everything in it moved.
        for name in [
            "x",
            "yaw",
            "vx",
            "ax",
            "odom_x",
            "odom_yaw",
            "wanted_steer",
            "colliding",
            "throttle",
            "brake",
            "gear",
            "engine_speed",
            "engine_torque",
            "spin.0",
            "torque.3",
            "load.1",
            "force_x.2",
            "slip_ratio.2",
        ] {
            let counts = times.get_mut(name).unwrap();
            counts.dedup();
            assert!(counts.len() > 1, "{place}: {name} is always {counts:?}");
        }
    }
}

fn driver(follows_odometry: bool) -> TrajectoryDriver {
    let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
    let tracker = PointTracker::new(TrackerParameters::default()).unwrap();
    let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
    TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01)).follow_odometry(follows_odometry)
}

#[test]
fn the_drivers_reference_point_is_shown_where_it_was() {
    for (preset, follows_odometry) in [(&SKIDPAD, false), (&SKIDPAD, true), (&NAV2_LOOPBACK, true)] {
        let mut world = world(CAR);
        world.set_driver(0, Some(driver(follows_odometry))).unwrap();
        let mut run = Run::start(&world, RecordOptions { preset, ..RecordOptions::default() });
        for step in 0..400 {
            if step == 200 {
                // Another commander takes over.
                let action = Action::Ackermann { speed: 1.0, steering_angle: 0.1 };
                world.command(Command { vehicle: 0, action }).unwrap();
            }
            run.step(&mut world, 0);
        }
        let (mut replay, seen, _folder) = run.end();
        let mut states = Vec::new();
        loop {
            let now = state(&replay);
            assert_shown_again(&now, &seen[&now.time.0].0, 4, preset.name);
            states.push(value(&now, 0, None, "driver") as i64);
            if value(&now, 0, None, "driver") == 2.0 {
                let [x, y, px, py] = ["x", "y", "point_x", "point_y"].map(|name| value(&now, 0, None, name));
                let distance = (px - x).hypot(py - y);
                assert!((distance - 0.1).abs() < 3e-3, "P is ahead of the reference point by {distance} m");
            }
            if !replay.step() {
                break;
            }
        }
        states.dedup();
        assert_eq!(states, [2, 1], "{}", preset.name);
    }
}

#[test]
fn an_external_tracker_is_the_driver_while_it_publishes() {
    let mut world = world(CAR);
    let mut run = Run::start(&world, RecordOptions::default());
    for step in 0..400 {
        if (100..200).contains(&step) {
            run.listener.record(0, vec![3.0, 4.0, 0.005 * f64::from(step)]);
        }
        run.step(&mut world, 0);
    }
    let (mut replay, ..) = run.end();
    for (time, driver) in [(0.4, 0.0), (0.8, 2.0), (1.2, 2.0), (1.6, 0.0)] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        assert_eq!(value(&now, 0, None, "driver"), driver, "{time}");
        assert_eq!(value(&now, 0, None, "reference_x"), 1.5 * driver, "{time}");
    }
}

#[test]
fn vehicle_state_alone_is_enough_to_show_a_vehicle() {
    for (preset, topic) in [(&TURTLEBOT3, "/vehicle_state"), (&F1TENTH_GYM_ROS, "/ego_racecar/vehicle_state")] {
        let topics = TopicFilter::only([topic]);
        let taken = take(CAR, RecordOptions { preset, topics, ..RecordOptions::default() });
        let mut replay = Replay::open(&taken.path).unwrap();
        let names: Vec<&str> = replay.recording.channels.iter().map(|channel| channel.topic.as_str()).collect();
        assert_eq!(names, [topic]);
        for time in [0.4, 1.9, 1.0] {
            replay.seek(SimTime::from_secs(time));
            let now = state(&replay);
            for channel in &VEHICLE {
                let [actual, live] =
                    [&now, &taken.states[&now.time.0]].map(|state| value(state, 0, None, channel.name));
                assert!((actual - live).abs() <= 1.01 * channel.resolution, "{}: {actual} {live}", channel.name);
            }
        }
    }
    // Without it the odometry is used.
    let topics = TopicFilter::only(["/odom", "/joint_states"]);
    let taken = take(CAR, RecordOptions { preset: &TURTLEBOT3, topics, ..RecordOptions::default() });
    let replay = Replay::open(&taken.path).unwrap();
    assert_eq!(replay.topic_roles.recorded_vehicles[0].poses[0].0, Role::Odometry);
}

/// A world of this name with a vehicle and a map whose first cells are occupied.
fn world_with_map(folder: &Path, name: &str, occupied: usize, vehicle: &str) -> World {
    let cells: Vec<u8> = (0..400).map(|cell| if cell < occupied { 0 } else { 254 }).collect();
    fs::write(folder.join(format!("{name}.pgm")), [b"P5 20 20 255\n".to_vec(), cells].concat()).unwrap();
    let yaml = "resolution: 1\norigin: [-40, -10, 0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n";
    fs::write(folder.join(format!("{name}.yaml")), format!("image: {name}.pgm\n{yaml}")).unwrap();
    let map = format!("<element class=\"occupancy_grid\"><file>{name}.yaml</file></element>");
    let car = CAR.replace("\"car\"", &format!("\"{vehicle}\""));
    // A block that moves in one world is fixed in the other, under the same name.
    let stands = LIFT.split("<animation").next().unwrap().to_owned() + "</block>";
    let lift = if vehicle == "car" { LIFT } else { &stands };
    let text = format!("<mvsim_world><simul_timestep>0.02</simul_timestep>{map}{car}{lift}</mvsim_world>");
    World::load_text(&format!("{name}.world.xml"), folder, &text, &LoadOptions::default()).unwrap().0
}

#[test]
fn another_world_is_shown_with_its_map_and_vehicles_after_time_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world_with_map(folder.path(), "first", 1, "car");
    let mut run = Run::start(&world, RecordOptions::default());
    let mut pictures = vec![map_png(&world.scene().maps[0])];
    let drive = |world: &mut World, run: &mut Run, ahead| {
        for step in 0..650 {
            if step % 10 == 0 {
                let action = Action::Ackermann { speed: 1.0, steering_angle: 0.01 * f64::from(step % 7) };
                world.command(Command { vehicle: 0, action }).unwrap();
            }
            run.step(world, ahead);
        }
    };
    drive(&mut world, &mut run, 0);
    // As the service load_world does; each lasts several seconds, so that times alone would not distinguish them.
    world.replace(world_with_map(folder.path(), "second", 7, "truck"));
    world.reset_with(ResetScope::ALL);
    pictures.push(map_png(&world.scene().maps[0]));
    run.scene_changed(&world);
    drive(&mut world, &mut run, 13_000_000_000);
    // A visitor changes the vehicles but not the map.
    world.remove(world.scene().blocks[0].id).unwrap();
    run.scene_changed(&world);
    drive(&mut world, &mut run, 13_000_000_000);
    let (mut replay, seen, _folder) = run.end();
    assert_eq!(replay.span(), (SimTime(20_000_000), SimTime(39_000_000_000)));
    assert!(pictures[0] != pictures[1]);
    let written = replay.recording.channels.iter().position(|channel| channel.topic == "/map").unwrap() as u16;
    assert_eq!(
        replay.recording.messages_between(i64::MIN / 2, i64::MAX / 2).iter().filter(|m| m.channel() == written).count(),
        2
    );
    for (time, scene) in [(20.0, 1), (1.0, 0), (13.5, 1), (12.9, 0), (39.0, 2), (26.0, 1), (13.0, 0)] {
        replay.seek(SimTime::from_secs(time));
        let shown = replay.shown();
        assert_eq!(replay.scene(), scene, "{time}");
        let world = scene.min(1);
        assert_eq!(shown.scene.vehicles[0].name, ["car", "truck"][world], "{time}");
        assert!(shown.maps.len() == 1 && shown.maps[0][..] == pictures[world][..], "{time}");
        let now = state(&replay);
        assert_eq!(now.time, SimTime::from_secs(time));
        assert_shown_again(&now, &seen[&now.time.0].0, 4, &format!("{time} s"));
    }
}
