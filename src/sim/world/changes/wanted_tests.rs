//! Sensors of every kind whose readers come and go: what is read does not depend on what else is, and what is not read casts no ray.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::{Rng as _, SeedableRng};
use skidpad_math::rng::Rng;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2};

use crate::sensor::{DeliveredSensor, ReadingData, Sensor, SensorInfo, SensorSize, Touch, View};
use crate::vehicle::{Action, Command};
use crate::world::step::sensing::MountedSensor;
use crate::world::{LoadOptions, Wanted, World};

/// Sensors with errors that go on, and with samples that are lost and late.
const TROUBLED: &str = r#"
    <sensor class="laser" name="troubled scan"><nrays>15</nrays><range_drop_out>0.2</range_drop_out><range_outlier_share>0.1</range_outlier_share>
      <range_outlier_std_noise>1</range_outlier_std_noise><range_random_walk_std_noise>0.1</range_random_walk_std_noise><sensor_period>0.02</sensor_period>
      <sample_delay>0.03</sample_delay><sample_delay_std_noise>0.02</sample_delay_std_noise><sample_drop_out>0.2</sample_drop_out></sensor>
    <sensor class="laser" name="scan in space"><nrays>15</nrays><raytrace_3d>true</raytrace_3d><sensor_period>0.03</sensor_period></sensor>
    <sensor class="lidar3d" name="troubled turn"><pose_3d>0 0 0.5 0 0 0</pose_3d><vert_nrays>2</vert_nrays><horz_nrays>40</horz_nrays>
      <range_drop_out>0.2</range_drop_out><range_bias_instability>0.1</range_bias_instability><range_bias_time>0.2</range_bias_time>
      <sensor_period>0.05</sensor_period><sample_delay>0.07</sample_delay></sensor>
    <sensor class="lidar3d" name="turn and a bit"><vert_nrays>2</vert_nrays><horz_nrays>40</horz_nrays><sensor_period>0.047</sensor_period></sensor>
    <sensor class="lidar3d" name="turn at once"><vert_nrays>2</vert_nrays><horz_nrays>40</horz_nrays><instantaneous>true</instantaneous>
      <range_turn_on_std_noise>0.1</range_turn_on_std_noise><range_random_walk_std_noise>0.1</range_random_walk_std_noise><sensor_period>0.05</sensor_period></sensor>
    <sensor class="lidar3d" name="rosette"><pattern>rosette</pattern><ray_rate>2000</ray_rate><sensor_period>0.05</sensor_period></sensor>
    <sensor class="lidar3d" name="turn of a step"><vert_nrays>1</vert_nrays><horz_nrays>20</horz_nrays><sensor_period>0.005</sensor_period></sensor>
    <sensor class="camera" name="troubled eye"><ncols>12</ncols><nrows>8</nrows><fx>6</fx><fy>6</fy><cx>6</cx><cy>4</cy><noise_std>0.02</noise_std>
      <readout_time>0.02</readout_time><sensor_period>0.04</sensor_period><sample_delay_std_noise>0.05</sample_delay_std_noise></sensor>
    <sensor class="rgbd_camera" name="troubled eyes"><rgb_ncols>12</rgb_ncols><rgb_nrows>8</rgb_nrows><rgb_noise_std>0.02</rgb_noise_std><depth_ncols>10</depth_ncols>
      <depth_nrows>8</depth_nrows><depth_drop_out>0.1</depth_drop_out><depth_random_walk_std_noise>0.1</depth_random_walk_std_noise>
      <sensor_period>0.04</sensor_period></sensor>
    <sensor class="range" name="troubled sonar"><nrays>9</nrays><range_outlier_share>0.2</range_outlier_share><range_outlier_std_noise>1</range_outlier_std_noise>
      <range_drop_out>0.2</range_drop_out><range_random_walk_std_noise>0.1</range_random_walk_std_noise><sensor_period>0.02</sensor_period>
      <sample_delay>0.01</sample_delay></sensor>"#;

/// A robot that drives among blocks, with every sensor of `worlds/sensors` in a small edition, and those in trouble.
fn world() -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let mut files: Vec<String> = std::fs::read_dir(folder.join("sensors"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // Those of 100 000 rays a second and more are like others here, and that of F1TENTH, a planar one, needs the
        // variables of its world.
        .filter(|name| !["helios_32", "livox_mid40", "f1tenth_scan"].contains(&name.trim_end_matches(".sensor.xml")))
        .filter(|name| name.ends_with(".sensor.xml"))
        .collect();
    files.sort();
    assert!(files.len() > 12, "{files:?}");
    let small = r#"ncols="12" nrows="8" fx="6" fy="6" cx="6" cy="4" rings="2" columns="40" rays="15" every="40"
        rate_hz="20" rays_per_s="2000" ray_file="../../tests/ledger/rays.csv""#;
    let include =
        |(index, file): (usize, &String)| format!("<include file=\"sensors/{file}\" name=\"s{index}\" {small}/>\n");
    let sensors: String = files.iter().enumerate().map(include).collect();
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep><include file=\"vehicles/diffbot.vehicle.xml\"/>
        <georeference><latitude>50</latitude><longitude>8</longitude></georeference>
        <block name=\"box\"><init_pose>3 0.5 20</init_pose><shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape></block>
        <block name=\"post\"><static>true</static><init_pose>-2 -1 0</init_pose><shape><pt>-0.3 -1</pt><pt>0.3 -1</pt><pt>0 1</pt></shape></block>
        <vehicle name=\"r1\" class=\"diffbot\"><init_pose>0 0 0</init_pose>{sensors}{TROUBLED}</vehicle></mvsim_world>"
    );
    let loaded = World::load_text("readers.world.xml", &folder, &text, &LoadOptions::default());
    let mut world = loaded.unwrap_or_else(|problems| panic!("{problems}")).0;
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(0.6, 0.0, 0.4)) }).unwrap();
    world
}

fn sensors(world: &World) -> Vec<SensorInfo> {
    world.scene().vehicles[0].sensors.clone()
}

/// Steps of a run: a second, in which the slowest sensor has five turns.
const STEPS: usize = 200;

/// What a run gives: each reading by sensor and time, with when it arrived, where it was taken, and its values; and everything else.
#[derive(Default)]
struct Run {
    readings: BTreeMap<(usize, SimTime), (SimTime, String)>,
    rest: Vec<String>,
}

/// The run with the readers that `choose` lets come and go before each step.
fn run(mut choose: impl FnMut(&mut World)) -> Run {
    let mut world = world();
    let mut run = Run::default();
    for _ in 0..STEPS {
        choose(&mut world);
        let frame = world.step().unwrap();
        for reading in frame.fresh_readings() {
            for sample in reading.samples() {
                let values = format!("{:?} {:?}", reading.world_from_body, sample.data);
                let before = run.readings.insert((reading.sensor, sample.time), (sample.arrived, values));
                assert!(before.is_none(), "sensor {} twice at {}", reading.sensor, sample.time);
            }
        }
        let due: Vec<bool> = frame.readings.iter().map(|reading| reading.was_due(frame.time)).collect();
        run.rest.push(format!("{:?} {due:?}", frame.vehicles));
    }
    run
}

#[test]
fn readers_that_come_and_go_get_the_bits_that_all_others_get() {
    let sensors = sensors(&world());
    let all = run(|_| {});
    let of = |run: &Run, place: usize| run.readings.keys().filter(|(sensor, _)| *sensor == place).count();
    let mut read = vec![0; sensors.len()];
    for (seed, threads) in [(1, 1), (2, 2), (3, 2)] {
        let mut random = Rng::seed_from_u64(seed);
        let mut is_read = vec![false; sensors.len()];
        let choose = |world: &mut World| {
            let mut wanted = Wanted::default();
            for (place, is_read) in is_read.iter_mut().enumerate() {
                // They stay for a quarter of a second and are away for a tenth, in the mean.
                *is_read ^= random.random_bool(if *is_read { 0.02 } else { 0.05 });
                if *is_read {
                    wanted.add(place);
                }
            }
            world.want(&wanted);
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let some = pool.install(|| run(choose));
        assert!(some.rest == all.rest, "what is not a reading depends on who reads, with seed {seed}");
        read.iter_mut().enumerate().for_each(|(place, read)| *read += of(&some, place));
        for (key, reading) in &some.readings {
            let name = &sensors[key.0].name;
            assert!(all.readings.get(key) == Some(reading), "{name} at {} with seed {seed}", key.1);
        }
    }
    for ((place, sensor), read) in sensors.iter().enumerate().zip(read) {
        let missed = 3 * of(&all, place) - read;
        assert_eq!(
            (read > 0, missed > 0),
            (true, sensor.kind.casts_rays()),
            "{}: {read} read, {missed} missed",
            sensor.name
        );
    }
}

#[test]
fn a_reader_that_comes_late_finds_no_old_reading_and_a_turn_that_is_whole() {
    let mut world = world();
    let place = |name: &str| sensors(&world).iter().position(|sensor| sensor.name == name).unwrap();
    let [scan, turn] = ["scan in space", "turn and a bit"].map(place);
    let mut go = |steps: usize, wanted: &[usize]| {
        let mut set = Wanted::default();
        wanted.iter().for_each(|place| set.add(*place));
        world.want(&set);
        (0..steps).for_each(|_| assert!(world.step().is_ok()));
        [scan, turn].map(|place| world.frame().readings[place].time)
    };
    // Scans are due every 30 ms, turns end at 50 ms, 95 ms, 145 ms …
    assert_eq!(go(10, &[scan, turn]), [SimTime(30_000_000), SimTime(50_000_000)]);
    assert_eq!(go(10, &[]), [SimTime(-1); 2], "those that nobody has taken");
    // From 100 ms on, in the middle of a turn.
    assert_eq!(go(4, &[scan, turn]), [SimTime(120_000_000), SimTime(-1)]);
    assert_eq!(go(5, &[scan, turn]), [SimTime(120_000_000), SimTime(-1)], "the rest of a turn is not a scan");
    assert_eq!(go(9, &[scan, turn]), [SimTime(180_000_000), SimTime(190_000_000)]);
}

/// A sensor that counts how often another one looks.
struct Counted(Box<dyn Sensor>, Arc<AtomicU64>);

impl Sensor for Counted {
    fn info(&self) -> &SensorInfo {
        self.0.info()
    }

    fn size(&self) -> SensorSize {
        self.0.size()
    }

    fn new_reading(&self) -> ReadingData {
        self.0.new_reading()
    }

    fn watches(&self) -> bool {
        self.0.watches()
    }

    fn watch(&mut self, view: &View<'_>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.watch(view);
    }

    fn feels(&self) -> bool {
        self.0.feels()
    }

    fn feel(&mut self, touch: &Touch<'_>) {
        self.0.feel(touch);
    }

    fn delivery(&mut self) -> Option<&mut DeliveredSensor> {
        self.0.delivery()
    }

    fn restart(&mut self) {
        self.0.restart();
    }

    fn skip(&mut self, time: SimTime, world_from_body: Pose3) {
        self.0.skip(time, world_from_body);
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.sense(view, out);
    }
}

#[test]
fn sensors_that_nobody_reads_cast_no_ray() {
    let mut world = world();
    let infos = sensors(&world);
    let mut counts = Vec::new();
    for mounted in std::mem::take(&mut world.vehicles[0].sensors) {
        let count = Arc::<AtomicU64>::default();
        counts.push(Arc::clone(&count));
        let sensor = Box::new(Counted(mounted.sensor, count));
        world.vehicles[0].sensors.push(MountedSensor::new(sensor, SimTime::ZERO));
    }
    let mut looks = |wanted: &Wanted| {
        world.want(wanted);
        (0..STEPS / 4).for_each(|_| assert!(world.step().is_ok()));
        counts.iter().map(|count| count.swap(0, Ordering::Relaxed)).collect::<Vec<_>>()
    };
    let casts: Vec<bool> = infos.iter().map(|info| info.kind.casts_rays()).collect();
    let is_looking = |looks: Vec<u64>| looks.iter().map(|looks| *looks > 0).collect::<Vec<_>>();
    assert_eq!(is_looking(looks(&Wanted::default())), casts.iter().map(|casts| !casts).collect::<Vec<_>>());
    for place in (0..infos.len()).filter(|place| casts[*place]) {
        let mut one = Wanted::default();
        one.add(place);
        let expected: Vec<bool> = (0..infos.len()).map(|other| !casts[other] || other == place).collect();
        assert_eq!(is_looking(looks(&one)), expected, "{}", infos[place].name);
    }
    assert!(is_looking(looks(&Wanted::everything())).iter().all(|looks| *looks));
}
