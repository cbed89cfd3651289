//! Reading worlds, descriptions of robots, values, maps and archives of arbitrary bytes does not panic, terminates, and takes memory in proportion to the input.
//!
//! `cargo test --test fuzz` tries a few hundred random inputs of each kind, the same ones each time. A failure shows the shortest input that
//! fails like it. `PROPTEST_RNG_SEED=7` in the environment tries others, and `BOLERO_RANDOM_ITERATIONS=100000` more, with a seed for each.
//!
//! Guided by coverage they run for as long as wanted: `cargo install cargo-bolero`, then `cargo bolero test --test fuzz worlds_are_read`
//! (libFuzzer; `--engine afl` and others exist). What it finds is kept in `tests/fuzz/<test>/` and is tried by `cargo test` from then on.

#[macro_use]
#[path = "fuzz/random.rs"]
mod random;

#[path = "fuzz/gltf.rs"]
mod gltf;
#[path = "fuzz/waypoints.rs"]
mod waypoints;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use std::path::Path;

use skidpad::analysis::{
    Analyzed, CommandSample, MetricsOptions, PoseSample, PositionSample, Run, Scatter, Section, html, metrics,
    recording,
};
use skidpad::assets::{Assets, Author, Settings};
use skidpad::math::Pose2;
use skidpad::message::{self, cdr};
use skidpad::replay::Replay;
use skidpad::world::map_file::{self, ImageOptions};
use skidpad::world::{LoadOptions, ResetScope, SpawnRequest, SpawnSource, World};
use skidpad::xml::{Context, Options, Place, Scope};

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static TAKEN: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // At the end of a thread its counter is gone.
    let _ = TAKEN.try_with(|taken| {
        taken.set(taken.get() + bytes);
        let _ = PEAK.try_with(|most| most.set(most.get().max(taken.get())));
    });
}

// SAFETY: hands everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work` and checks its peak memory [bytes].
#[track_caller]
fn within<T>(bytes: isize, work: impl FnOnce() -> T) -> T {
    let before = TAKEN.get();
    PEAK.set(before);
    let result = work();
    let taken = PEAK.get() - before;
    assert!(taken <= bytes, "{taken} bytes taken, {bytes} allowed");
    result
}

const MIB: isize = 1 << 20;

/// Text of which each byte of `input` chose a piece; what is beyond the table stands for itself.
fn text_of(input: &[u8], pieces: &[&str]) -> String {
    let piece = |&byte: &u8| match pieces.get(usize::from(byte)) {
        Some(piece) => (*piece).to_string(),
        None => char::from(byte).to_string(),
    };
    input.iter().map(piece).collect()
}

/// `whole` with pieces of `input` written over it, three bytes for each change, and with its end cut off now and then.
fn damaged(whole: &[u8], input: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for change in input.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len().max(1);
        match change[2] {
            0xfe => bytes.truncate(at),
            0xfd => bytes.extend_from_slice(&whole[at.min(whole.len())..]),
            value => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = value;
                }
            }
        }
    }
    bytes
}

fn load_options(folder: &Path) -> LoadOptions {
    LoadOptions { offline: true, cache: Some(folder.join("cache")), ..LoadOptions::default() }
}

/// Pieces of worlds, so that many random inputs are partly valid.
const WORLD: &[&str] = &[
    "<mvsim_world>",
    "</mvsim_world>",
    "<vehicle name='r1'><init_pose>0 0 0</init_pose>",
    "<vehicle class='c'>",
    "</vehicle>",
    "<vehicle:class name='c'>",
    "</vehicle:class>",
    "<dynamics class='differential'>",
    "<dynamics class='ackermann'>",
    "</dynamics>",
    "<controller class='twist_pid'><KP>50</KP></controller>",
    "<controller class='twist_ideal'/>",
    "<l_wheel pos='0 1' mass='",
    "<chassis mass='10'><shape><pt>0 0</pt><pt>1 0</pt><pt>0 1</pt></shape></chassis>",
    "<friction class='wardiagnemma'><mu>",
    "</mu></friction>",
    "<sensor class='laser' name='l'><nrays>",
    "</nrays></sensor>",
    "<block>",
    "<block:class name='b'>",
    "</block:class>",
    "<block class='b'>",
    "</block>",
    "<init_pose>",
    "</init_pose>",
    "<init_pose>1 2 3</init_pose>",
    "<init_vel>1 0 5</init_vel>",
    "<shape>",
    "</shape>",
    "<pt>",
    "</pt>",
    "<mass>",
    "</mass>",
    "<zmin>0</zmin>",
    "<static>true</static>",
    "<walls><shape><pt>0 0</pt><pt>3 0</pt></shape></walls>",
    "<element class='",
    "occupancy_grid",
    "horizontal_plane",
    "elevation_map",
    "property_region",
    "'>",
    "</element>",
    "<file>",
    "</file>",
    "<joint type='distance' a='r1' b='block000'/>",
    "<actor><init_pose>0 0 0</init_pose></actor>",
    "<visual><model_uri>",
    "</model_uri></visual>",
    "<animation type='keyframes'><time_pose>1 0 0 0</time_pose></animation>",
    "<publish>",
    "</publish>",
    "<gui>",
    "</gui>",
    "<georeference>",
    "</georeference>",
    "<gravity>",
    "</gravity>",
    "<simul_timestep>",
    "</simul_timestep>",
    "<variable name='v' value='",
    "'/>",
    "<for var='i' from='1' to='3'>",
    "</for>",
    "<if condition='$f{i>1}'>",
    "</if>",
    "<include file='i.xml' a='",
    "$f{",
    "${v}",
    "${i}",
    "${a|1}",
    "}",
    "$(",
    ")",
    "$env{HOME}",
    " 1 ",
    "-1e9",
    "1e308",
    "0.5",
    "nan",
    "true",
    "https://x.org/a.zip/b",
    "a.zip/b",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "<",
    ">",
    "\"",
    "é",
    "\n",
];

#[test]
fn worlds_are_read() {
    let folder = tempfile::tempdir().unwrap();
    attempt!(300, 300, |input: &[u8]| {
        let options = load_options(folder.path());
        let (of_file, of_world) = input.split_at(input.len() / 4);
        std::fs::write(folder.path().join("i.xml"), text_of(of_file, WORLD)).unwrap();
        for text in [text_of(of_world, WORLD), String::from_utf8_lossy(input).into_owned()] {
            for text in [format!("<mvsim_world>{text}</mvsim_world>"), text] {
                let loaded = within(64 * MIB, || World::load_text("w.xml", folder.path(), &text, &options));
                if let Ok((mut world, _)) = loaded {
                    // A step may fail with an error about infinite numbers.
                    let _ = (0..3).try_for_each(|_| world.step().map(drop));
                }
            }
        }
    });
}

/// Spawns into a running world with any name and any XML; then the world continues.
#[test]
fn spawned_things_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let options = load_options(folder.path());
    let text = r#"<mvsim_world><vehicle:class name="car"><dynamics class="differential"/></vehicle:class>
        <vehicle name="r" class="car"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"#;
    let world = std::sync::Mutex::new(World::load_text("w.xml", folder.path(), text, &options).unwrap().0);
    attempt!(300, 300, |input: &[u8]| {
        let mut world = world.lock().unwrap();
        let (name, body) = input.split_at(input.len() / 8);
        let name = String::from_utf8_lossy(name).into_owned();
        for text in [text_of(body, WORLD), format!("<vehicle class=\"car\">{}</vehicle>", text_of(body, WORLD))] {
            let source = SpawnSource::Xml { text, directory: folder.path().to_owned(), label: "x".into() };
            let pose = body.first().map(|&x| Pose2::new(f64::from(x), 0.0, 0.0).into());
            let request = SpawnRequest { name: name.clone(), source, pose };
            let Ok(recipe) = within(64 * MIB, || world.catalogue().recipe(&request)) else { continue };
            let Ok(id) = world.spawn(recipe) else { continue };
            if (0..3).all(|_| world.step().is_ok()) {
                world.remove(id).unwrap();
            } else {
                world.reset_with(ResetScope::ALL);
            }
        }
    });
    let mut world = world.into_inner().unwrap();
    world.reset_with(ResetScope::ALL);
    assert_eq!(world.population_counts()[0], 1);
}

/// A robot of URDF and a world of SDF, to be damaged.
const DESCRIPTIONS: [&str; 2] = [
    r#"<robot name="r"><link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><box size="1 1 .2"/>
    </geometry></collision></link><link name="l"><collision><geometry><cylinder radius=".1" length=".1"/></geometry></collision></link>
    <joint name="j" type="continuous"><origin xyz="0 .3 0" rpy="1.57 0 0"/><parent link="a"/><child link="l"/><axis xyz="0 0 1"/></joint>
    <link name="k"><collision><geometry><sphere radius=".1"/></geometry></collision></link>
    <joint name="i" type="continuous"><origin xyz="0 -.3 0" rpy="1.57 0 0"/><parent link="a"/><child link="k"/><axis xyz="0 0 1"/></joint>
    <gazebo reference="a"><sensor name="s" type="ray"><ray><scan><horizontal><samples>9</samples><max_angle>3</max_angle></horizontal></scan>
    </ray></sensor></gazebo><gazebo><plugin filename="diff_drive"><left_joint>j</left_joint><right_joint>i</right_joint></plugin></gazebo></robot>"#,
    r#"<sdf version="1.8"><world name="w"><gravity>0 0 -9</gravity><model name="b"><static>1</static><pose>1 0 0 0 0 1</pose><link name="l"><pose
    relative_to="f">0 0 1 0 0 0</pose><collision><geometry><cylinder><radius>1</radius><length>1</length></cylinder></geometry></collision></link>
    <frame name="f"><pose degrees="true">1 2 3 4 5 6</pose></frame></model><model name="c"><link name="l"><inertial><mass>1</mass></inertial><collision>
    <geometry><box><size>1 1 1</size></box></geometry></collision></link><include><uri>model://x</uri></include></model></world></sdf>"#,
];

#[test]
fn descriptions_are_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.urdf");
    attempt!(300, 60, |input: &[u8]| {
        for whole in DESCRIPTIONS {
            std::fs::write(&path, damaged(whole.as_bytes(), input)).unwrap();
            let imported = within(16 * MIB, || skidpad::import::import(&path, folder.path(), None)).unwrap();
            assert_eq!(imported.files.is_empty(), !imported.errors.is_empty() || imported.summary.is_empty());
        }
    });
}

#[test]
fn values_are_evaluated() {
    const PIECES: &[&str] = &[
        "$f{",
        "}",
        "${v}",
        "${w}",
        "$env{PATH}",
        "$(x)",
        "rand()",
        "randomize(",
        "if(",
        "min(",
        "pow(",
        "roundn(",
        "root(",
        "sin",
        "(",
        ")",
        ",",
        "?",
        ":",
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "<=",
        "<>",
        "==",
        "&",
        "|",
        " and ",
        " xor ",
        "not(",
        "1",
        "2.5",
        "1e300",
        "-1e-300",
        ".",
        "pi",
        "v",
        "nope",
        " ",
        "é",
    ];
    attempt!(2000, 100, |input: &[u8]| {
        let context = Context::new(Options::default());
        context.set_variable("v", "${w} $f{v+1}");
        context.set_variable("w", "2${v}");
        let text = text_of(input, PIECES);
        for text in [format!("$f{{{text}}}"), text] {
            let value = within(16 * MIB, || context.evaluate(&text, &Place::of_file("f"), Scope::World, &[]));
            assert!(value.is_some() || context.has_errors());
        }
    });
}

/// A small map in every format.
fn maps() -> Vec<(&'static str, Vec<u8>)> {
    let mut png = std::io::Cursor::new(Vec::new());
    image::GrayImage::from_fn(8, 4, |x, y| image::Luma([(31 * x + y) as u8]))
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    let mut grid = vec![0x80 | 19];
    grid.extend(b"COccupancyGridMap2D\x03\x08\x03\0\0\0\x02\0\0\0");
    grid.extend([0.0_f32, 1.5, 0.0, 1.0, 0.5].iter().flat_map(|number| number.to_le_bytes()));
    grid.extend([1; 6]);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&grid).unwrap();
    vec![
        ("m.png", png.into_inner()),
        ("m.pgm", b"P5 3 2 255\n\x00\x80\xff\xff\xff\x00".to_vec()),
        ("a.pgm", b"P2\n# plain\n3 2 255\n0 128 255 255 255 0\n".to_vec()),
        ("m.gridmap", grid),
        ("m.gridmap.gz", gz.finish().unwrap()),
        ("m.yaml", b"image: ok.pgm\nresolution: 0.05\norigin: [-1.0, 2, 0.5]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\nmode: scale\n".to_vec()),
    ]
}

#[test]
fn maps_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let options = ImageOptions { resolution: 0.1, center_pixel: [-1.0, -1.0] };
    let whole = maps();
    std::fs::write(folder.path().join("ok.pgm"), &whole[1].1).unwrap();
    for (name, bytes) in &whole {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        map_file::load(&folder.path().join(name), &options).unwrap();
    }
    attempt!(500, 60, |input: &[u8]| {
        for (name, bytes) in &whole {
            let path = folder.path().join(name);
            for bytes in [damaged(bytes, input), input.to_vec()] {
                std::fs::write(&path, &bytes).unwrap();
                // A damaged size may be one that the bytes could just hold, packed as tightly as can be.
                let most = (8 * 1032 * 4 * bytes.len() as isize).max(MIB);
                drop(within(most, || map_file::load(&path, &options)));
            }
        }
    });
}

#[test]
fn archives_are_unpacked() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default();
    for (name, content) in [("a/b.dae", &b"mesh mesh mesh mesh"[..]), ("c.png", b"image"), ("d/e", b"")] {
        writer.start_file(name, plain).unwrap();
        writer.write_all(content).unwrap();
    }
    let whole = writer.finish().unwrap().into_inner();
    let folder = tempfile::tempdir().unwrap();
    attempt!(300, 60, |input: &[u8]| {
        let cache = folder.path().join("cache");
        let _ = std::fs::remove_dir_all(&cache);
        std::fs::write(folder.path().join("x.zip"), damaged(&whole, input)).unwrap();
        let settings = Settings { offline: true, cache: Some(cache), ..Settings::default() };
        let assets = Assets::new(settings);
        drop(within(16 * MIB, || assets.file(folder.path(), "x.zip/a/b.dae", Author::Local)));
        // Nothing lies beside the archive and the cache.
        assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 2);
    });
}

/// A recording of a few seconds in MCAP, compressed or not.
fn recording(compression: Option<mcap::Compression>) -> Vec<u8> {
    let options = mcap::WriteOptions::new().profile("ros2").compression(compression).chunk_size(Some(600));
    let mut writer = options.create(std::io::Cursor::new(Vec::new())).unwrap();
    let mut add = |topic: &str, kind: &str| {
        let schema = writer.add_schema(kind, "ros2msg", b"").unwrap();
        writer.add_channel(schema, topic, "cdr", &Default::default()).unwrap()
    };
    let channels = [
        add("/odom", "nav_msgs/msg/Odometry"),
        add("/reference_trajectory", "std_msgs/msg/Float64MultiArray"),
        add("/wheel_states", "skidpad/msg/WheelStates"),
    ];
    for i in 0..20_u64 {
        let time = 100_000_000 * i;
        let mut odometry = message::Odometry::default();
        odometry.header.stamp.nanosec = time as u32;
        let array = message::Float64MultiArray { data: vec![0.1, 0.2, 0.1 * i as f64], ..Default::default() };
        let mut bytes = [Vec::new(), Vec::new(), vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]];
        cdr::write(&odometry, None, &mut bytes[0]).unwrap();
        cdr::write(&array, None, &mut bytes[1]).unwrap();
        for (channel_id, data) in channels.into_iter().zip(&bytes) {
            let header = mcap::records::MessageHeader { channel_id, sequence: 0, log_time: time, publish_time: time };
            writer.write_to_known_channel(&header, data).unwrap();
        }
    }
    writer.finish().unwrap();
    writer.into_inner().into_inner()
}

/// A bag of rosbag2 as sqlite3 writes it.
fn database(folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.db3");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);
             CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);
             INSERT INTO topics VALUES(1, '/odom', 'nav_msgs/msg/Odometry', 'cdr', '');",
        )
        .unwrap();
    let mut bytes = Vec::new();
    cdr::write(&message::Odometry::default(), None, &mut bytes).unwrap();
    for time in 0..20 {
        database.execute("INSERT INTO messages VALUES(NULL, 1, ?, ?)", (time * 50_000_000, &bytes)).unwrap();
    }
    drop(database);
    std::fs::read(path).unwrap()
}

/// Recordings with changed bytes or a missing end give a run or an error.
#[test]
fn recordings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let whole = [
        recording(None),
        recording(Some(mcap::Compression::Zstd)),
        recording(Some(mcap::Compression::Lz4)),
        database(folder.path()),
        zstd::encode_all(&recording(None)[..], 3).unwrap(),
    ];
    let path = folder.path().join("a.mcap");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        recording::read(&path, &recording::ReadOptions::default())
    };
    for bytes in &whole {
        assert_eq!(read(bytes).unwrap().poses.len(), 20);
    }
    // Which one, how much of it, then places and their bytes.
    attempt!(500, 40, |input: &[u8]| {
        let [sample_index, length, changes @ ..] = input else { return };
        let mut bytes = whole[usize::from(*sample_index) % whole.len()].clone();
        if *length > 127 {
            bytes.truncate(bytes.len() * usize::from(*length) / 256);
        }
        for change in changes.chunks_exact(3) {
            let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len().max(1);
            if let Some(byte) = bytes.get_mut(place) {
                *byte = change[2];
            }
        }
        if let Ok(run) = within(64 * MIB, || read(&bytes)) {
            // No more than was recorded, and in order.
            assert!(run.poses.len() <= 20 && run.poses.is_sorted_by(|a, b| a.time < b.time));
            let _ = metrics(&run, &MetricsOptions::default());
        }
    });
}

/// A message of zeros, which a few kB of a chunk unpack to.
#[test]
fn recordings_with_extreme_compression_take_little_memory() {
    let options = mcap::WriteOptions::new().compression(Some(mcap::Compression::Zstd)).chunk_size(None);
    let mut writer = options.create(std::io::Cursor::new(Vec::new())).unwrap();
    let channel_id = writer.add_channel(0, "/odom", "cdr", &Default::default()).unwrap();
    let header = mcap::records::MessageHeader { channel_id, sequence: 0, log_time: 1, publish_time: 1 };
    writer.write_to_known_channel(&header, &vec![0; 100 << 20]).unwrap();
    writer.finish().unwrap();
    let bytes = writer.into_inner().into_inner();
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mcap");
    std::fs::write(&path, &bytes).unwrap();
    assert!(within(4 * MIB, || recording::read(&path, &recording::ReadOptions::default())).is_err());
}

/// A view can produce endless rows; this one ends after 100 000.
#[test]
fn bags_with_views_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for table in ["topics", "messages"] {
        let path = folder.path().join(format!("{table}.db3"));
        std::fs::write(&path, database(folder.path())).unwrap();
        std::fs::remove_file(folder.path().join("whole.db3")).unwrap();
        let rows = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 100000) SELECT id, '/odom' || id AS name, \
                    'nav_msgs/msg/Odometry' AS type, 'cdr' AS serialization_format, 1 AS topic_id, id AS timestamp, x'' AS data FROM n";
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch(&format!("DROP TABLE {table}; CREATE VIEW {table} AS {rows};")).unwrap();
        drop(database);
        let expected = format!("is not a bag: {table} is a view, not a table");
        let error = within(MIB, || recording::read(&path, &recording::ReadOptions::default())).unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
        let error = within(MIB, || Replay::open(&path).map(drop)).unwrap_err().to_string();
        assert!(error.contains(&expected), "{error}");
    }
}

/// Whatever numbers a run consists of: its graphs are drawn.
#[test]
fn runs_are_drawn() {
    use skidpad::math::{Twist2, Vec2};
    const EXTREMES: [f64; 8] = [f64::MAX, f64::MIN, 1e160, -1e160, 1e12, f64::NAN, f64::MIN_POSITIVE, 0.0];
    let draw = |numbers: &[f64]| {
        let number = |index: usize| numbers[index % numbers.len()];
        let mut run = Run { name: "run".into(), ..Run::default() };
        for i in 0..numbers.len().max(12) {
            let time = 0.05 * i as f64;
            let pose = Pose2::new(number(i), number(i + 1), number(i + 2));
            let velocity_in_body = Twist2::new(number(i + 3), number(i + 4), number(i + 5));
            run.poses.push(PoseSample { time, pose, velocity_in_body });
            let position = Vec2::new(number(i + 6), number(i + 7));
            run.reference.push(PositionSample { time: if i == 3 { number(i) } else { time }, position });
            run.commands.push(CommandSample {
                time,
                speed: number(i + 8),
                steering_angle: Some(number(i + 9)),
                yaw_rate: None,
            });
        }
        let points = || (0..12).map(|i| (number(i), number(i + 1))).collect();
        run.wheels.push(Scatter { wheel: "left_rear".into(), longitudinal: points(), lateral: points() });
        let options = MetricsOptions { wheelbase: Some(0.3), ..MetricsOptions::default() };
        let Ok(analyzed) = Analyzed::of(run, &options) else { return };
        let page = html("", &[Section { title: String::new(), runs: vec![analyzed] }], &options).unwrap();
        assert!(page.contains("<svg"));
    };
    draw(&[1.7e308, -1.7e308, 1.0]);
    draw(&EXTREMES);
    attempt!(30, 120, |input: &[u8]| {
        // A byte alone chooses an extreme number or a plain one, eight of them are any number.
        let numbers: Vec<f64> = input
            .chunks(9)
            .map(|chunk| match chunk {
                &[kind, a, b, c, d, e, f, g, h] if kind > 127 => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
                &[kind, ..] if kind > 100 => EXTREMES[usize::from(kind) % EXTREMES.len()],
                &[kind, ..] => f64::from(kind),
                [] => 0.0,
            })
            .collect();
        if !numbers.is_empty() {
            draw(&numbers);
        }
    });
}
