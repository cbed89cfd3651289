//! A warm step does not allocate, with known exceptions: counted by the allocator of this binary.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use skidpad::bench::Case;
use skidpad::math::Twist2;
use skidpad::server::WebSink;
use skidpad::server::hub::Hub;
use skidpad::sink::{RunStatistics, Sink};
use skidpad::time::SimTime;
use skidpad::tracking::{BicycleModel, LinearizerParameters, TrackerName, TrackerParameters, TrajectoryDriver};
use skidpad::trajectory::{self, TrajectoryParameters, Waypoint};
use skidpad::vehicle::{Action, Command, Pedals};
use skidpad::world::{LoadOptions, World};

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more.
    let _ = COUNT.try_with(|n| n.set(n.get() + 1));
}

// SAFETY: everything is handed on to the system's allocator; the counter is a plain thread-local number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn load(inner: &str) -> World {
    let text = format!("<mvsim_world>{inner}</mvsim_world>");
    let (world, _) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).expect("a good world");
    world
}

/// Steps `warm` times, then counts the allocations of 1000 steps with a command every ten.
fn allocations(world: &mut World, warm: usize) -> usize {
    let vehicles = world.scene().vehicles.len();
    let mut before = 0;
    for k in 0..warm + 1000 {
        if k == warm {
            before = COUNT.with(Cell::get);
        }
        if k % 10 == 0 {
            for vehicle in 0..vehicles {
                let action = Action::Twist(Twist2::new(1.0, 0.0, 0.1));
                world.command(Command { vehicle, action }).expect("takes velocities");
            }
        }
        world.step().expect("finite numbers");
    }
    COUNT.with(Cell::get) - before
}

fn vehicle(name: &str, drive: &str, controller: &str, pose: &str) -> String {
    format!(
        r#"<vehicle name="{name}"><init_pose>{pose}</init_pose><dynamics class="{drive}">
        <controller class="{controller}"/></dynamics></vehicle>"#
    )
}

#[test]
fn the_counter_counts() {
    let before = COUNT.with(Cell::get);
    std::hint::black_box(vec![1_u8; 1000]);
    assert_eq!(COUNT.with(Cell::get) - before, 1);
}

#[test]
fn one_car_allocates_nothing() {
    for (drive, controller) in [
        ("ackermann", "twist_front_steer_pid"),
        ("ackermann_drivetrain", "twist_front_steer_pid"),
        ("differential", "twist_pid"),
        ("differential_4_wheels", "twist_ideal"),
        ("omni_3_wheels", "twist_pid"),
        ("omni_4_wheels", "twist_ideal"),
        ("mecanum", "twist_pid"),
        ("differential_4_wheels", "twist_servo"),
        ("mecanum", "twist_servo"),
        ("tricycle", "twist_front_steer_pid"),
        ("articulated", "twist_front_steer_pid"),
        ("tracked", "twist_pid"),
        ("unicycle", "twist_ideal"),
        ("kinematic_differential", "twist_ideal"),
        ("kinematic_bicycle", "twist_ideal"),
        ("single_track", "twist_ideal"),
        ("longitudinal", "speed_pedals"),
        ("autoware", "speed_pedals"),
    ] {
        let mut world = load(&vehicle("a", drive, controller, "0 0 0"));
        assert_eq!(allocations(&mut world, 100), 0, "{drive}");
    }
}

/// Full throttle, full braking with ABS to a stop, and standing, in turn.
#[test]
fn pedals_and_brakes_allocate_nothing() {
    let parts = r#"<brakes><abs/></brakes><steering_actuator rate_deg="20" lag="0.1"/>
        <resistance><C_a>0.5</C_a><C_r0>0.01</C_r0></resistance></dynamics>"#;
    let text = vehicle("a", "ackermann_drivetrain", "speed_pedals", "0 0 0").replace("</dynamics>", parts);
    let mut world = load(&text);
    let mut before = 0;
    for k in 0..3000 {
        if k == 1000 {
            before = COUNT.with(Cell::get);
        }
        let braking = f64::from(u8::from(k % 1000 >= 500));
        let pedals = Pedals { throttle: 1.0 - braking, brake: braking, ..Pedals::default() };
        world
            .command(Command { vehicle: 0, action: Action::Pedals { pedals, steering_angle: 0.1 } })
            .expect("takes pedals");
        world.step().expect("finite numbers");
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
}

#[test]
fn ten_robots_apart_allocate_nothing() {
    let robots: String =
        (0..10).map(|k| vehicle(&format!("r{k}"), "differential", "twist_pid", &format!("0 {} 0", 10 * k))).collect();
    assert_eq!(allocations(&mut load(&robots), 100), 0);
}

/// Beams with noise against walls, blocks and another vehicle, all too far to touch.
#[test]
fn a_lidar_allocates_nothing() {
    let in_space = "<raytrace_3d>true</raytrace_3d><intensities>true</intensities>";
    for more in ["", "<rotation>clockwise</rotation>", &format!("<rotation>counterclockwise</rotation>{in_space}")] {
        let lidar = format!(
            r#"<sensor class="laser"><nrays>361</nrays><fov_degrees>360</fov_degrees><sensor_period>0.02</sensor_period>{more}</sensor></vehicle>"#
        );
        let text = vehicle("a", "ackermann", "twist_front_steer_pid", "0 0 0").replace("</vehicle>", &lidar)
            + &vehicle("b", "differential", "twist_pid", "0 -40 0")
            + "<walls><shape><pt>-30 60</pt><pt>30 60</pt></shape></walls><block><init_pose>0 50 0</init_pose></block>";
        let mut world = load(&text);
        assert_eq!(allocations(&mut world, 100), 0, "{more}");
        assert!(world.frame().readings[0].time.0 > 0, "it has scanned");
    }
}

#[test]
fn sensors_that_sample_between_steps_allocate_nothing() {
    for (class, more) in [("imu", ""), ("encoder", ""), ("encoder", "<sample_delay>0.0123</sample_delay>")] {
        let sensor =
            format!("<sensor class=\"{class}\"><sensor_period>0.0007</sensor_period>{more}</sensor></vehicle>");
        let text = vehicle("r1", "differential", "twist_ideal", "0 0 0").replace("</vehicle>", &sensor);
        let mut world = load(&format!("<simul_timestep>0.005</simul_timestep>{text}"));
        assert_eq!(allocations(&mut world, 200), 0, "{class} {more}");
        let samples: usize = world.frame().fresh_readings().map(|reading| reading.samples().count()).sum();
        assert!(samples >= 7, "{samples}");
    }
}

#[test]
fn a_camera_allocates_no_pictures() {
    let camera = r#"<sensor class="rgbd_camera"><rgb_ncols>32</rgb_ncols><rgb_nrows>16</rgb_nrows><depth_ncols>32</depth_ncols>
        <depth_nrows>16</depth_nrows><sensor_period>0.02</sensor_period></sensor></vehicle>"#;
    let mut world = load(&vehicle("a", "differential", "twist_ideal", "0 0 0").replace("</vehicle>", camera));
    // What remains are the queues of the threads that share the rows: a block for some dozens of pictures.
    let actual = allocations(&mut world, 200);
    assert!(actual <= 40, "{actual} in 1000 steps, with 250 pictures of three passes each");
}

#[test]
fn actors_allocate_nothing() {
    let lidar = r#"<sensor class="laser"><sensor_period>0.02</sensor_period></sensor></vehicle>"#;
    let text = vehicle("a", "differential", "twist_ideal", "0 0 0").replace("</vehicle>", lidar)
        + r#"<actor><init_pose>9 -3 0</init_pose><path><waypoint>9 3 0</waypoint><waypoint>9 -3 0</waypoint></path></actor>"#;
    let mut world = load(&text);
    assert_eq!(allocations(&mut world, 100), 0);
    assert!(world.frame().actors[0].speed > 0.0);
}

/// A person walks before a lidar in space and before a camera with a rolling shutter, which see the legs at each step, and a car with wheels
/// that roll.
#[test]
fn persons_that_walk_before_sensors_allocate_nothing() {
    let lidar = r#"<sensor class="laser"><raytrace_3d>true</raytrace_3d><pose_3d>0 0 0.3 0 0 0</pose_3d><nrays>90</nrays>
        <sensor_period>0.005</sensor_period></sensor></vehicle>"#;
    let camera = r#"<sensor class="camera"><ncols>16</ncols><nrows>8</nrows><fx>8</fx><fy>8</fy><cx>8</cx><cy>4</cy>
        <readout_time>1</readout_time><sensor_period>0.005</sensor_period></sensor></vehicle>"#;
    let path =
        "<init_pose>9 -3 0</init_pose><path><waypoint>9 3 0</waypoint><waypoint>9 -3 0</waypoint></path></actor>";
    // The queues of the threads that share the rows take a block for some dozens of pictures.
    for (sensor, most) in [(lidar, 0), (camera, 40)] {
        let text = vehicle("a", "differential", "twist_ideal", "0 0 0").replace("</vehicle>", sensor)
            + "<include file=\"actors/pedestrian.actor.xml\"/><include file=\"actors/car.actor.xml\"/>"
            + &format!("<actor class=\"pedestrian\">{path}<actor class=\"car\">{}", path.replace('9', "30"));
        let text = format!("<mvsim_world>{text}</mvsim_world>");
        let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds");
        let mut world = World::load_text("w.xml", &worlds, &text, &LoadOptions::default()).expect("a good world").0;
        let actual = allocations(&mut world, 300);
        assert!(actual <= most, "{actual} in 1000 steps: {sensor}");
        assert!(world.frame().actors.iter().all(|actor| actor.speed > 0.0));
    }
}

/// Up a hill, over a plane and a pushable block's place, and against a step it cannot climb.
#[test]
fn uneven_ground_and_steps_allocate_nothing() {
    let ground = r#"<element class="horizontal_plane"><z>-0.01</z></element>
        <element class="elevation_map"><resolution>3</resolution><elevation_data_matrix>
        [0 0 0 0 0; 0 0 0 0 0; 0 0 0 0 0; 0.3 0.3 0.3 0.3 0.3; 0.9 0.9 0.9 0.9 0.9]</elevation_data_matrix></element>
        <block><init_pose>3.5 0 0</init_pose><skip_elevation_adjust/><static>true</static><intangible>true</intangible>
        <zmin>0</zmin><zmax>0.8</zmax><shape><pt>0 -9</pt><pt>1 -9</pt><pt>1 9</pt><pt>0 9</pt></shape></block>
        <block><init_pose>0 8 0</init_pose></block>"#;
    for (drive, controller) in [("ackermann", "twist_front_steer_pid"), ("differential_4_wheels", "twist_ideal")] {
        let mut world = load(&(ground.to_string() + &vehicle("a", drive, controller, "-5 0 0")));
        assert_eq!(allocations(&mut world, 1000), 0, "{drive}");
        let vehicle = &world.frame().vehicles[0];
        assert!(vehicle.world_from_body.z > 0.1 && vehicle.colliding, "{:?}", vehicle.world_from_body);
    }
}

/// Blocks that slide down a slope and ones that rest on it.
#[test]
fn blocks_on_a_slope_allocate_nothing() {
    let ground = r#"<element class="elevation_map"><resolution>1000</resolution><elevation_data_matrix>[-500 -500; 500 500]</elevation_data_matrix>
        <corner_min_x>-500</corner_min_x><corner_min_y>-500</corner_min_y></element>"#;
    let block = |y: f64, mu: f64| {
        format!("<block><init_pose>0 {y} 20</init_pose><ground_friction>{mu}</ground_friction></block>")
    };
    let mut world = load(&(ground.to_string() + &block(0.0, 0.2) + &block(50.0, 1.5)));
    assert_eq!(allocations(&mut world, 100), 0);
    let blocks = &world.frame().blocks;
    assert!(blocks[0].x < -20.0 && blocks[1].x.abs() < 1e-9, "{blocks:?}");
}

/// Joints of each kind, with what they hold, and bodies, blocks and a vehicle with motions of their own, all apart.
#[test]
fn joints_and_animations_allocate_nothing() {
    let animation = r#"<animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>1 1 0 90</time_pose>
        <time_pose3d>2 0 0 1 0 5 0</time_pose3d></animation>"#;
    let mut text = vehicle("a", "ackermann", "twist_front_steer_pid", "0 0 0")
        + &vehicle("b", "differential", "twist_ideal", "-3 0 0")
        + &vehicle("c", "differential", "twist_pid", "-6 0 0")
        + &vehicle("d", "differential", "twist_pid", "0 -60 0")
            .replace("<init_pose>", &format!("{animation}<init_pose>"));
    let undamped = "<linear_damping>0</linear_damping><angular_damping>0</angular_damping>";
    for (name, y, extra) in
        [("e", 40, undamped), ("f", 45, undamped), ("g", 60, animation), ("h", 70, "<static>true</static>")]
    {
        text += &format!(r#"<block name="{name}"><init_pose>0 {y} 0</init_pose>{extra}</block>"#);
    }
    text +=
        &format!(r#"<block name="i"><intangible>true</intangible><init_pose>0 80 0</init_pose>{animation}</block>"#);
    for (kind, a, b) in [
        (
            r#"type="pin" anchor_a="-1.5 0" anchor_b="1.5 0" enable_limit="1" lower_angle_deg="-50" upper_angle_deg="50""#,
            "a",
            "b",
        ),
        (r#"type="rope" anchor_a="-1 0" anchor_b="1 0" max_length="1.2" min_length="0.9""#, "b", "c"),
        (r#"type="rope" anchor_a="0 0" anchor_b="0 0" max_length="6" stiffness="1000" damping="10""#, "e", "f"),
        (r#"type="pin" anchor_a="0 -10" anchor_b="0 5""#, "g", "f"),
    ] {
        text += &format!(r#"<joint {kind} body_a="{a}" body_b="{b}"/>"#);
    }
    let mut world = load(&text);
    let mut before = 0;
    for k in 0..1300 {
        if k == 300 {
            before = COUNT.with(Cell::get);
        }
        for vehicle in 0..3 {
            let action = Action::Twist(Twist2::new(0.5, 0.0, 0.05));
            world.command(Command { vehicle, action }).expect("takes velocities");
        }
        assert!(!world.step().expect("finite numbers").vehicles.iter().any(|v| v.colliding));
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
}

/// With a wheel in the air the loads are solved anew in each step, in place.
#[test]
fn a_step_on_three_wheels_allocates_nothing() {
    let mut world = load(
        r#"<vehicle name="a"><init_pose>0 0 0</init_pose><init_vel>20 0 0</init_vel><dynamics class="ackermann">
        <roll_stiffness_front>1</roll_stiffness_front><load_transfer_lag>0.02</load_transfer_lag>
        <rl_wheel pos="0 0.5"/><rr_wheel pos="0 -0.5"/><f_wheels_d>1</f_wheels_d><chassis mass="500" com="0.7 0" com_height="0.6"/>
        <controller class="raw"><steer_ang_deg>8</steer_ang_deg></controller></dynamics></vehicle>"#,
    );
    for _ in 0..20 {
        world.step().expect("finite numbers");
    }
    let before = COUNT.with(Cell::get);
    let mut lifted = 0;
    for _ in 0..100 {
        let frame = world.step().expect("finite numbers");
        lifted += usize::from(frame.vehicles[0].wheels.iter().any(|wheel| wheel.lifted));
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert!(lifted > 50, "{lifted}");
}

/// A bump makes wheels lose and find the ground: springs are solved again in the same step, in place.
#[test]
fn a_step_on_springs_allocates_nothing() {
    let mut world = load(
        r#"<block name="bump"><init_pose>4 0 90</init_pose><geometry type="semi_cylinder_bump" lx="6" ly="0.6" lz="0.1"/>
        <shape_from_visual/><static>true</static><intangible>true</intangible></block>
        <vehicle name="a"><init_pose>0 0 0</init_pose><init_vel>8 0 0</init_vel><dynamics class="ackermann_drivetrain">
        <chassis mass="500" com="0.65 0" com_height="0.5"/>
        <suspension><axle> <ride_frequency>2</ride_frequency> <anti_roll_bar>2000</anti_roll_bar> </axle></suspension>
        <controller class="raw"><steer_ang_deg>2</steer_ang_deg></controller></dynamics></vehicle>"#,
    );
    for _ in 0..20 {
        world.step().expect("finite numbers");
    }
    let before = COUNT.with(Cell::get);
    let (mut lifted, mut highest) = (0, 0.0_f64);
    for _ in 0..400 {
        let car = &world.step().expect("finite numbers").vehicles[0];
        lifted += usize::from(car.wheels.iter().any(|wheel| wheel.lifted));
        highest = highest.max(car.lean.map_or(0.0, |lean| lean.z));
    }
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert!(lifted > 5 && highest > 0.01, "{lifted} steps with a wheel in the air, up to {highest} m");
}

#[test]
fn a_step_of_a_powertrain_allocates_nothing() {
    for (kind, coupling) in [("locked_4wd", "torque_converter"), ("torsen_4wd", "clutch"), ("viscous_rear", "clutch")] {
        let mut world = load(&format!(
            r#"<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="ackermann_drivetrain">
            <rl_wheel pos="0 0.5"/><rr_wheel pos="0 -0.5"/><chassis mass="900"/><drivetrain type="{kind}"/>
            <powertrain><coupling type="{coupling}"/></powertrain>
            <controller class="pedals"><throttle>1</throttle><STEER_ANG>3</STEER_ANG></controller></dynamics></vehicle>"#
        ));
        for _ in 0..20 {
            world.step().expect("finite numbers");
        }
        let before = COUNT.with(Cell::get);
        for _ in 0..1000 {
            world.step().expect("finite numbers");
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{kind} {coupling}");
        assert!(world.frame().vehicles[0].powertrain.gear > 1, "it has shifted too");
    }
}

#[test]
fn following_a_trajectory_allocates_nothing() {
    let route = [(0.0, 0.0), (4.0, 0.0), (6.0, 3.0), (2.0, 5.0)];
    let points = route.map(|(x, y)| Waypoint::at(x, y));
    let eight = ("figure_eight", "kinematic", "kinematic_bicycle");
    let spline = ("waypoints", "dynamic", "single_track");
    // All trackers but `mpc`, whose solver allocates.
    for (tracker, (trajectory_type, linearizer, class)) in [
        ("point", eight),
        ("point", spline),
        ("pure_pursuit", spline),
        ("stanley", spline),
        ("lqr", eight),
        ("lqr", spline),
    ] {
        let mut world = load(&vehicle("a", class, "twist_ideal", "0 0 0"));
        let (trajectory_type, points) = (trajectory_type.into(), points.to_vec());
        let path = TrajectoryParameters { trajectory_type, points, closed: true, ..TrajectoryParameters::default() };
        let law = LinearizerParameters { linearizer: linearizer.into(), ..LinearizerParameters::default() };
        let tracker = TrackerParameters {
            tracker: TrackerName::named(tracker).unwrap(),
            model: if linearizer == "dynamic" { BicycleModel::Dynamic } else { BicycleModel::Kinematic },
            integral: 0.1,
            derivative: 0.1,
            ..TrackerParameters::default()
        };
        let (path, period) = (trajectory::build(&path).unwrap(), SimTime::from_secs(0.01));
        world.set_driver(0, Some(TrajectoryDriver::with(path, &tracker, &law, period).unwrap())).unwrap();
        // Nobody else may command it: the driver would wait.
        (0..100).for_each(|_| assert!(world.step().is_ok()));
        let before = COUNT.with(Cell::get);
        (0..1000).for_each(|_| assert!(world.step().is_ok()));
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{tracker:?} {linearizer}");
        let tracking = world.frame().vehicles[0].tracking.expect("a driver");
        assert!(
            tracking.active && tracking.steer.speed != 0.0 && tracking.reference.position.norm() > 1.0,
            "it drives"
        );
    }
}

/// Once bodies are near each other the collision engine runs, and it allocates a few times in each step: measured 4 to 5
/// times for a car at a wall or a block, 11 for ten robots side by side at a wall. More would be news.
#[test]
fn the_collision_engine_allocates_a_few_times_a_step() {
    let wall = "<walls><shape><pt>2.5 -50</pt><pt>2.5 50</pt></shape></walls>";
    let block = "<block><init_pose>3 0 0</init_pose></block>";
    let car = vehicle("a", "ackermann", "twist_front_steer_pid", "0 0 0");
    let robots: String = (0..10)
        .map(|k| vehicle(&format!("r{k}"), "differential", "twist_pid", &format!("0 {} 0", f64::from(k) * 1.3)))
        .collect();
    for (name, text, most_per_step) in [
        ("car at a wall", format!("{car}{wall}"), 10),
        ("car and block", format!("{car}{block}"), 10),
        ("ten robots at a wall", format!("{robots}{wall}"), 20),
    ] {
        let actual = allocations(&mut load(&text), 1000);
        assert!(actual <= 1000 * most_per_step, "{name}: {actual} in 1000 steps");
    }
}

/// All of them on one thread, since the queues of several take a block for some dozens of tasks.
#[test]
fn the_worlds_of_the_benchmark_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    for (case, warm, steps) in [
        (Case::A, 400, 1000),
        (Case::P, 400, 1000),
        (Case::B1, 400, 1000),
        (Case::B100, 400, 100),
        (Case::B1000, 10, 10),
        (Case::C, 400, 1000),
        (Case::D, 50, 50),
        (Case::E, 50, 50),
        (Case::V, 50, 50),
        (Case::W, 20, 20),
    ] {
        let mut world = case.world().expect("a good world");
        let actual = pool.install(|| {
            let mut run = |steps| (0..steps).for_each(|_| assert!(world.step().is_ok(), "finite numbers"));
            run(warm);
            let before = COUNT.with(Cell::get);
            run(steps);
            COUNT.with(Cell::get) - before
        });
        assert_eq!(actual, 0, "{case:?}");
    }
}

/// A contact sensor adds nothing to what the engine does.
#[test]
fn a_bumper_at_a_wall_allocates_nothing_of_its_own() {
    let wall = "<walls><shape><pt>2.5 -50</pt><pt>2.5 50</pt></shape></walls>";
    let robot = vehicle("a", "differential", "twist_pid", "0 0 0");
    let bumper = r#"<sensor class="contact"><sensor_period>0.02</sensor_period></sensor></vehicle>"#;
    let [with, without] = [robot.replace("</vehicle>", bumper), robot].map(|robot| {
        let mut world = load(&format!("{robot}{wall}"));
        let actual = allocations(&mut world, 2000);
        assert!(world.frame().vehicles[0].colliding);
        actual
    });
    assert_eq!(with, without);
}

/// Nobody looks at first; then somebody looks at every frame, with scans.
#[test]
fn the_viewers_sink_allocates_nothing() {
    let lidar =
        r#"<sensor class="laser" name="scan"><nrays>181</nrays><sensor_period>0.02</sensor_period></sensor></vehicle>"#;
    let mut world = load(&vehicle("a", "differential", "twist_pid", "0 0 0").replace("</vehicle>", lidar));
    let scene = Arc::clone(world.scene());
    let hub = Arc::new(Hub::new());
    let (mut sink, _scenes) = WebSink::new(Arc::clone(&hub), &scene);
    sink.start(&scene).expect("there is room for a thread");
    let statistics = RunStatistics::default();
    for watched in [false, true] {
        let mut allocations = 0;
        for k in 0..1000 {
            if watched {
                hub.ask(true);
            }
            let frame = world.step().expect("finite numbers");
            let before = COUNT.with(Cell::get);
            sink.frame(&scene, frame).expect("it cannot fail");
            if k % 20 == 0 {
                sink.idle(&scene, frame).expect("it cannot fail");
                sink.statistics(&scene, frame, &statistics).expect("it cannot fail");
            }
            // Buffers grow with the first that somebody looks at.
            allocations += if k >= 100 { COUNT.with(Cell::get) - before } else { 0 };
        }
        assert_eq!(allocations, 0, "watched: {watched}");
    }
    assert!(hub.look(|state| state.time == world.frame().time) && hub.look_at_scans(|scans| scans[0].is_some()));
}
