//! What is counted. Drives, friction laws and rungs come from their tables, so that a new one is a new case.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use skidpad_bench::Case;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2, Vec2};
use skidpad_ros_data::interface::copy::copy_vehicles;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{
    Announce, AnyMessage, AutowareDesk, CdrError, Kind, Message as _, Moment, Odometry, Quality, TopicChannel,
    VehicleMessages, fill,
};
use skidpad_ros_data::preset::PRESETS;
use skidpad_sim::friction::FRICTION_LAWS;
use skidpad_sim::raycast::{GridCaster, Obstacles};
use skidpad_sim::sensor::{Lidar2d, Lidar2dParameters, ScanStamp, Sensor as _, SensorContext, View};
use skidpad_sim::vehicle::drive::DriveKind;
use skidpad_sim::vehicle::{Action, CONTROLLERS, Command, DRIVES};
use skidpad_sim::world::{Frame, LoadOptions, SpawnRequest, SpawnSource, World};
use skidpad_view::delta::Delta;
use skidpad_view::state::ViewState;

use super::callgrind::{announce, skidpad_counted};
use super::hall;
use super::office::{directions, free_places, office};

/// Steps before the counted ones, until wheels have their speed, and the counted ones.
const WARM_UP: usize = 400;
const STEPS: usize = 400;
/// Vehicle classes of this file are the rungs of the ladder of models.
const RUNGS: &str = include_str!("../../worlds/vehicles/compact_car.vehicle.xml");

/// A robot on two wheels whose gain would make wheels swing that are stepped one by one, and a car.
const ROBOT: &str = r#"<vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential">
    <l_wheel pos="0.0 0.5" mass="1.0" width="0.05" diameter="0.2"/><r_wheel pos="0.0 -0.5" mass="1.0" width="0.05" diameter="0.2"/>
    <chassis mass="15.0" zmin="0.05" zmax="0.6"/>
    <controller class="twist_pid"><KP>100</KP><KI>5</KI><KD>0</KD><max_torque>50</max_torque><V>1.0</V><W>0</W></controller>
    </dynamics><friction class="default"><mu>0.8</mu></friction></vehicle>"#;
const CAR: &str = r#"<vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="ackermann">
    <rl_wheel pos="0 0.9" mass="6.0" width="0.3" diameter="0.62"/><rr_wheel pos="0 -0.9" mass="6.0" width="0.3" diameter="0.62"/>
    <fl_wheel mass="6.0" width="0.3" diameter="0.62"/><fr_wheel mass="6.0" width="0.3" diameter="0.62"/>
    <f_wheels_x>1.3</f_wheels_x><f_wheels_d>1.8</f_wheels_d><chassis mass="800" zmin="0.1" zmax="0.7"/>
    <controller class="front_steer_pid"><KP>400</KP><KI>100</KI><KD>0</KD><max_torque>1000</max_torque><V>2.0</V><STEER_ANG>5</STEER_ANG></controller>
    </dynamics><friction class="default"><mu>0.8</mu></friction></vehicle>"#;

/// Runs every case on this thread.
pub(super) fn run_all() -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    pool.map_err(|error| error.to_string())?;
    for case in [Case::A, Case::P, Case::B1, Case::B10, Case::C] {
        let mut world = case.world().map_err(|error| format!("bench {}: {error}", case.name()))?;
        steps(&format!("bench {}", case.name()), &mut world)?;
    }
    for (name, inner) in [("robot", ROBOT), ("car", CAR)] {
        steps(&format!("plain {name}"), &mut world_of(inner)?)?;
    }
    for drive in DRIVES {
        let controller = controller_for(drive.kind);
        steps(&format!("drive {}", drive.name), &mut world_of(&vehicle(drive.name, controller, "default"))?)?;
    }
    for law in FRICTION_LAWS {
        let controller = controller_for(DriveKind::Ackermann);
        steps(&format!("friction {}", law.name), &mut world_of(&vehicle("ackermann", controller, law.name))?)?;
    }
    for rung in RUNGS.split("<vehicle:class name=\"").skip(1).filter_map(|part| part.split('"').next()) {
        let text = format!(
            "<include file=\"vehicles/compact_car.vehicle.xml\" V=\"15\" steer_deg=\"2.9526\" W=\"17.1887\"/>\
             <vehicle name=\"r1\" class=\"{rung}\"><init_pose>0 0 0</init_pose></vehicle>"
        );
        steps(&format!("rung {rung}"), &mut world_of(&text)?)?;
    }
    rays()?;
    scans()?;
    spatial_sensors()?;
    hall::rays();
    arrival()?;
    frames()
}

/// The first PID controller that fits, or else the first of all.
fn controller_for(kind: DriveKind) -> &'static str {
    let fitting: Vec<&str> =
        CONTROLLERS.iter().filter(|entry| entry.read_for(kind).is_some()).map(|entry| entry.name).collect();
    fitting.iter().find(|name| name.ends_with("pid")).or(fitting.first()).copied().unwrap_or("none")
}

fn vehicle(drive: &str, controller: &str, friction: &str) -> String {
    format!(
        "<vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
         <dynamics class=\"{drive}\"><controller class=\"{controller}\"/></dynamics>\
         <friction class=\"{friction}\"/></vehicle>"
    )
}

/// A world with steps of 5 ms whose vehicles are told to drive a circle.
fn world_of(inner: &str) -> Result<World, String> {
    let text = format!("<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>{inner}</mvsim_world>");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let loaded = World::load_text("case", &folder, &text, &LoadOptions::default());
    let (mut world, _) = loaded.map_err(|problems| format!("{problems}\n{text}"))?;
    // Others have their command in the file, and some rungs take no velocity.
    let action = Action::Twist(Twist2::new(1.0, 0.0, 0.2));
    if !inner.contains("<V>") && !inner.contains("<include") {
        world.command(Command { vehicle: 0, action }).map_err(|refusal| format!("{refusal}\n{text}"))?;
    }
    Ok(world)
}

/// Counts `work`, which does `units` of something.
pub(super) fn count(name: &str, units: usize, unit: &str, mut work: impl FnMut()) {
    announce(name, units, unit);
    skidpad_counted(&mut work);
}

fn steps(name: &str, world: &mut World) -> Result<(), String> {
    let mut run = |steps: usize| (0..steps).all(|_| black_box(world.step()).is_ok());
    let mut is_well = run(WARM_UP);
    count(name, STEPS, "a step", || is_well &= run(STEPS));
    if is_well { Ok(()) } else { Err(format!("{name}: a step failed")) }
}

/// Rays through the map, without a sensor around them.
fn rays() -> Result<(), String> {
    let caster = GridCaster::new(Arc::new(office())).map_err(|error| error.to_string())?;
    let places = free_places(caster.grid());
    let fan = directions(1081, 270_f64.to_radians());
    let mut ranges = vec![f64::INFINITY; fan.len()];
    count("lidar rays through a map", places.len() * fan.len(), "a ray", || {
        for &place in &places {
            ranges.fill(f64::INFINITY);
            caster.cast_fan(place, black_box(&fan), 30.0, &mut ranges);
            black_box(&mut ranges);
        }
    });
    Ok(())
}

/// Whole scans with noise, in a map and among vehicles.
fn scans() -> Result<(), String> {
    let grids = [Arc::new(GridCaster::new(Arc::new(office())).map_err(|error| error.to_string())?)];
    let places = free_places(grids[0].grid());
    let mut vehicles = Obstacles::new();
    let square = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)].map(|(x, y)| Vec2::new(x, y));
    for (vehicle, place) in places.iter().enumerate().skip(places.len() / 2) {
        let mover = vehicles.add_mover(Some(vehicle), &square);
        vehicles.set_mover_pose(mover, skidpad_math::Pose2::new(place.x, place.y, place.x), [0.0, 0.6]);
    }
    vehicles.finish();
    let parameters =
        Lidar2dParameters { count: 1081, fov: 270_f64.to_radians(), range_max: 30.0, ..Lidar2dParameters::default() };
    let context = SensorContext { seed: 1, vehicle: "car".to_string(), name: "scan".to_string(), wheels: Vec::new() };
    let mut lidar = Lidar2d::new(parameters.clone(), &context);
    let mut reading = lidar.new_reading();
    let mut scan = |count: usize| {
        for &place in places.iter().take(count) {
            let pose = Pose2::new(place.x, place.y, place.x);
            let view = View { world_from_body: Pose3::from_planar(pose), grids: &grids, ..View::at_rest(&vehicles) };
            lidar.sense(black_box(&view), &mut reading);
            black_box(&mut reading);
        }
    };
    scan(1);
    count("lidar scans in a map", 32 * 1081, "a ray", || scan(32));
    // On a vehicle at 1 m/s and 1 rad/s in steps of 5 ms: all beams at one instant, and while the lidar turns in 25 ms.
    for (name, rotation) in
        [("lidar scans on the way", None), ("lidar scans that take time", Some((false, ScanStamp::FirstBeam)))]
    {
        let period = SimTime(25_000_000);
        let mut lidar = Lidar2d::new(Lidar2dParameters { rotation, period, ..parameters.clone() }, &context);
        let mut reading = lidar.new_reading();
        let start = places[0];
        let mut drive = |scans: std::ops::Range<i64>| {
            for step in 5 * scans.start + 1..=5 * scans.end {
                let time = SimTime(5_000_000 * step);
                let pose = Pose3 { x: start.x + time.secs(), y: start.y, yaw: time.secs(), ..Pose3::default() };
                let view = View { time, world_from_body: pose, grids: &grids, ..View::at_rest(&vehicles) };
                if step % 5 == 0 {
                    lidar.sense(black_box(&view), &mut reading);
                } else if lidar.watches() {
                    lidar.watch(black_box(&view));
                }
                black_box(&mut reading);
            }
        };
        drive(0..1);
        count(name, 32 * 1081, "a ray", || drive(1..33));
    }
    Ok(())
}

/// One turn of four lidars in three dimensions, and one of a camera for colour and depth: everything that their steps do, by ray.
fn spatial_sensors() -> Result<(), String> {
    for (case, name, turn) in
        [(Case::V, "turn of lidars in three dimensions", 20), (Case::W, "picture in colour and depth", 14)]
    {
        let mut world = case.world().map_err(|error| format!("bench {}: {error}", case.name()))?;
        let mut run = || (0..turn).filter_map(|_| world.step().ok().map(rays_of)).sum::<u64>();
        let rays = run();
        count(name, rays as usize, "a ray", || {
            black_box(run());
        });
    }
    Ok(())
}

/// A block that comes to hilly ground, until a lidar has seen it: only the block is built.
fn arrival() -> Result<(), String> {
    const CELLS: usize = 100;
    let height = |vertex: usize| format!("{} ", vertex * 7919 % 31);
    let row = |row: usize| (0..=CELLS).map(|column| height(row * (CELLS + 1) + column)).collect::<String>();
    let rows: Vec<String> = (0..=CELLS).map(row).collect();
    let ground = format!(
        "<element class=\"elevation_map\"><elevation_data_matrix>[{}]</elevation_data_matrix>\
         <elevation_data_matrix_scale>0.01</elevation_data_matrix_scale><resolution>0.4</resolution>\
         <corner_min_x>-20</corner_min_x><corner_min_y>-20</corner_min_y></element>",
        rows.join(";")
    );
    let lidar = "<sensor class=\"laser\" name=\"scan\"><raytrace_3d>true</raytrace_3d><nrays>2</nrays>\
                 <sensor_period>0.005</sensor_period></sensor></vehicle>";
    let robot = vehicle("differential", controller_for(DriveKind::Differential), "default");
    let mut world = world_of(&(ground + &robot.replace("</vehicle>", lidar)))?;
    let source = SpawnSource::Xml {
        text: "<block><static>true</static></block>".into(),
        directory: ".".into(),
        label: "block".into(),
    };
    let pose = Some(Pose3 { x: 5.0, ..Pose3::default() });
    let recipe = world.catalogue().recipe(&SpawnRequest { name: "block".into(), source, pose: pose.map(Into::into) });
    let mut recipe = Some(recipe.map_err(|error| error.to_string())?);
    let mut is_well = world.step().is_ok();
    count("block that comes to 20 000 triangles", 1, "a block", || {
        is_well &= recipe.take().is_some_and(|recipe| world.spawn(recipe).is_ok()) && world.step().is_ok();
    });
    if is_well { Ok(()) } else { Err("a block cannot come".into()) }
}

fn rays_of(frame: &Frame) -> u64 {
    frame.fresh_readings().map(|reading| reading.data.rays()).sum()
}

/// A frame of ten robots to the bytes of the viewer, one robot's topics to CDR, and an odometry message to CDR.
fn frames() -> Result<(), String> {
    let mut world = Case::B10.world().map_err(|error| error.to_string())?;
    let scene = Arc::clone(world.scene());
    let (mut state, mut delta, mut bytes) = (ViewState::default(), Delta::new(), Vec::new());
    let mut to_viewer = |world: &World| {
        state.fill(0, world.frame());
        delta.encode(&state, &mut bytes);
        black_box(&mut bytes);
    };
    to_viewer(&world);
    for _ in 0..WARM_UP {
        world.step().map_err(|error| error.to_string())?;
    }
    to_viewer(&world);
    world.step().map_err(|error| error.to_string())?;
    count("frame of ten to the viewer", 1, "a frame", || to_viewer(&world));

    let mut snapshots = Vec::new();
    let preset = PRESETS[0];
    let names = VehicleNames::new(preset, "r1", false, false);
    let topics = preset.topics.iter().map(|topic| (topic.name.to_owned(), *topic));
    let mut messages = VehicleMessages::new(&mut ToBytes, &scene.vehicles[0], &names, topics, [])
        .map_err(|error: CdrError| error.to_string())?;
    let (mut bytes, desk) = (Vec::new(), AutowareDesk::default());
    let mut is_well = true;
    let mut to_cdr = |world: &World| {
        bytes.clear();
        copy_vehicles(world.frame(), &mut snapshots);
        let moment = Moment { time: world.frame().time, due: [true; 2] };
        is_well &= messages.send(&mut bytes, moment, &snapshots[0], None, &desk).is_ok();
        black_box(&mut bytes);
    };
    to_cdr(&world);
    world.step().map_err(|error| error.to_string())?;
    count("topics of a vehicle to CDR", 1, "a frame", || to_cdr(&world));

    let mut odometry: Odometry = fill::odometry("odom", "base_link");
    let (mut bytes, vehicle) = (Vec::new(), &world.frame().vehicles[0]);
    let mut to_cdr = || {
        bytes.clear();
        fill::fill_odometry(world.frame().time, black_box(vehicle), &mut odometry);
        is_well &= odometry.write(None, &mut bytes).is_ok();
        black_box(&mut bytes);
    };
    to_cdr();
    count("odometry to CDR", 1, "a message", to_cdr);
    if is_well { Ok(()) } else { Err("a message has no CDR".into()) }
}

/// Every topic is a part of one buffer.
struct ToBytes;

impl Announce for ToBytes {
    type Channel = ToBytes;
    type Error = CdrError;

    fn channel(&mut self, _: &str, _: Kind, _: Quality) -> Result<Option<ToBytes>, CdrError> {
        Ok(Some(ToBytes))
    }
}

impl TopicChannel for ToBytes {
    type Output = Vec<u8>;
    type Error = CdrError;

    fn send(&mut self, bytes: &mut Vec<u8>, _: SimTime, message: &dyn AnyMessage) -> Result<(), CdrError> {
        message.append_to(None, bytes)
    }
}
