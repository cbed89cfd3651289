//! Broken recordings: MCAP files as the program makes them, and the same messages as sqlite3 bags and folders of rosbag2; read by
//! `analyze`'s reader and by `replay`'s.

use std::path::{Path, PathBuf};

use rand::Rng as _;
use rusqlite::Connection;

use skidpad::analysis::{Analyzed, MetricsOptions, Section, csv, html, json, recording};
use skidpad::replay::Replay;
use skidpad::server::hub::SceneForm;
use skidpad::time::SimTime;
use skidpad::view::delta::Delta;
use skidpad::view::state::ViewState;

use super::damage::{choice, damage};
use super::supervisor::{Attack, Input, bytes};
use super::support::Lab;
use super::{Rng, mcap_damage, root};

/// Longest database that is tried [bytes]; those of the program have some 100 kB.
const MAX_BYTES: u64 = 64 << 20;
/// A car with a lidar, recorded for a moment in each of these ways.
const RECORDED: [(&str, &str); 4] = [
    ("plain", "--record-compression none"),
    ("zstd", "--record-compression zstd"),
    ("lz4", "--record-compression lz4"),
    ("racecar", "--record-compression none --set lidar=1 --track TRACK"),
];

pub(crate) struct Bags {
    mcap: Vec<Vec<u8>>,
    sqlite: Vec<u8>,
}

const METADATA: &str = "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: STORAGE\n  duration:\n    nanoseconds: 1000000000\n  \
    starting_time:\n    nanoseconds_since_epoch: 0\n  message_count: 100\n  topics_with_message_count: []\n  compression_format: \"\"\n  \
    compression_mode: \"\"\n  relative_file_paths:\n    - a_0.bag\n";

impl Attack for Bags {
    const NAME: &'static str = "bags";
    const MAX_SENSORS: u64 = 0;

    fn prepare(shared: &Path) {
        let lab = Lab::new();
        for (name, options) in RECORDED {
            let file = shared.join(name).with_extension("mcap");
            let world = root().join("worlds/tracking.world.xml");
            let options = options.replace("TRACK", &root().join("config/figure_eight.yaml").to_string_lossy());
            let done = lab.run(&format!(
                "run {} --headless --rate max --duration 0.3 --record {} {options}",
                world.display(),
                file.display()
            ));
            assert_eq!(done.status, Some(0), "{}", done.stderr);
        }
        as_sqlite(&shared.join("plain.mcap"), &shared.join("plain.db3"));
    }

    fn new(shared: &Path) -> Bags {
        let mcap = RECORDED.iter().map(|(name, _)| bytes(&shared.join(name).with_extension("mcap"))).collect();
        Bags { mcap, sqlite: bytes(&shared.join("plain.db3")) }
    }

    fn input(&self, rng: &mut Rng) -> Input {
        let about = "skidpad analyze and skidpad replay".to_owned();
        let other = choice(rng, &self.mcap);
        let (mut content, storage) = match rng.random_range(0..4) {
            0 => (self.sqlite.clone(), "sqlite3"),
            _ => (choice(rng, &self.mcap).clone(), "mcap"),
        };
        for _ in 0..rng.random_range(1..=3) {
            match (storage, rng.random_range(0..4)) {
                (_, 0) => damage(&mut content, other, rng),
                ("mcap", _) => mcap_damage::change(&mut content, other, rng),
                (_, 1) => damage_page(&mut content, rng),
                _ => content = change_rows(&content, rng).unwrap_or(content),
            }
        }
        match rng.random_range(0..12) {
            // In a folder, whose own file may be the broken one.
            0 => {
                let mut metadata = METADATA.replace("STORAGE", storage).into_bytes();
                if rng.random() {
                    damage(&mut metadata, METADATA.as_bytes(), rng);
                }
                let files = vec![("bag/metadata.yaml".into(), metadata), ("bag/a_0.bag".into(), content)];
                Input { files, about: format!("{about} bag") }
            }
            // Compressed as a whole.
            1 => {
                let mut packed = zstd::encode_all(&content[..], 1).unwrap();
                if rng.random() {
                    damage(&mut packed, other, rng);
                }
                Input { files: vec![("a.bag".into(), packed)], about: format!("{about} a.bag") }
            }
            _ => Input { files: vec![("a.bag".into(), content)], about: format!("{about} a.bag") },
        }
    }

    fn attempt(&mut self, input: Input, folder: &Path, rng: &mut Rng) -> Option<u64> {
        for (path, content) in &input.files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let path: PathBuf = folder.join(input.about.rsplit(' ').next().unwrap_or_default());
        let is_analyzed = analyze(&path, rng);
        let is_shown = show(&path, rng);
        (is_analyzed || is_shown).then_some(0)
    }
}

/// What `skidpad analyze` does with a recording; pictures take long, so only now and then.
fn analyze(path: &Path, rng: &mut Rng) -> bool {
    let Ok(run) = recording::read(path, &recording::ReadOptions::default()) else { return false };
    assert!(run.poses.is_sorted_by(|a, b| a.time < b.time), "poses are out of order");
    let options = MetricsOptions { wheelbase: Some(0.3), ..MetricsOptions::default() };
    let Ok(analyzed) = Analyzed::of(run, &options) else { return true };
    let sections = [Section { title: String::new(), runs: vec![analyzed] }];
    let _ = (json(&sections), csv(&sections));
    if rng.random_ratio(1, 10) {
        let _ = html("", &sections, &options);
    }
    true
}

/// What `skidpad replay` does with a recording while somebody looks on and jumps about in it.
fn show(path: &Path, rng: &mut Rng) -> bool {
    let Ok(mut replay) = Replay::open(path) else { return false };
    let forms = [SceneForm::Full, SceneForm::Short, SceneForm::Streamed];
    let _ = (replay.to_string(), forms.map(|form| replay.shown().message(form)));
    let (start, end) = replay.span();
    let (mut delta, mut state, mut scans, mut sent) = (Delta::new(), ViewState::default(), Vec::new(), Vec::new());
    for _ in 0..4 {
        let middle = start.0.saturating_add((rng.random::<f64>() * (end.0.saturating_sub(start.0)) as f64) as i64);
        replay.seek(*choice(rng, &[SimTime(middle), start, end, SimTime(i64::MAX), SimTime(0), SimTime(middle)]));
        for _ in 0..5 {
            replay.step();
        }
        replay.fill(&mut state);
        replay.fill_scans(&mut scans);
        sent.clear();
        delta.encode(&state, &mut sent);
    }
    true
}

/// The same messages as rosbag2 keeps them in sqlite3.
fn as_sqlite(from: &Path, to: &Path) {
    let content = bytes(from);
    let mut bag = Connection::open(to).unwrap();
    bag.execute_batch(
        "CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
         INSERT INTO schema VALUES(4, 'jazzy');
         CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
         CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL,
             offered_qos_profiles TEXT NOT NULL, type_description_hash TEXT NOT NULL);
         CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
         CREATE INDEX timestamp_idx ON messages (timestamp ASC);",
    )
    .unwrap();
    let all = bag.transaction().unwrap();
    for message in mcap::MessageStream::new(&content).unwrap() {
        let message = message.unwrap();
        let kind = message.channel.schema.as_ref().map_or("", |schema| schema.name.as_str());
        let id = i64::from(message.channel.id);
        all.execute("INSERT OR IGNORE INTO topics VALUES(?, ?, ?, 'cdr', '', '')", (id, &message.channel.topic, kind))
            .unwrap();
        all.execute("INSERT INTO messages VALUES(NULL, ?, ?, ?)", (id, message.log_time as i64, &message.data[..]))
            .unwrap();
    }
    all.commit().unwrap();
}

/// Puts extreme numbers where a database says how it is laid out: in its header, or at the start of a page.
fn damage_page(content: &mut [u8], rng: &mut Rng) {
    let at = match rng.random_range(0..3) {
        0 => rng.random_range(0..100),
        page => {
            4096 * rng.random_range(0..content.len() / 4096 + 1)
                + 100 * usize::from(page == 1)
                + rng.random_range(0..16)
        }
    };
    if let Some(byte) = content.get_mut(at) {
        *byte = *choice(rng, &[0, 1, 2, 5, 13, 0x7f, 0x80, 0xff]);
    }
}

/// A database that is sound but holds other rows; none where it is no longer a database.
fn change_rows(content: &[u8], rng: &mut Rng) -> Option<Vec<u8>> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    let bag = Connection::open(file.path()).ok()?;
    let condition = format!("abs(id * {}) % {} = 0", rng.random_range(1..1000), rng.random_range(1..50));
    let change = match rng.random_range(0..10) {
        0 => format!("UPDATE messages SET timestamp = {} WHERE {condition}", choice(rng, &[i64::MIN, i64::MAX, -1, 0, 1 << 62])),
        1 => format!("UPDATE messages SET timestamp = {} WHERE {condition}", choice(rng, &["'x'", "1e300", "x''", "'9e9'"])),
        2 => format!("UPDATE messages SET data = {} WHERE {condition}", choice(rng, &["x''", "''", "7", "zeroblob(5000000)", "x'00010000'", "x'0001000000'"])),
        3 => format!("UPDATE messages SET data = substr(data, 1, {}) WHERE {condition}", rng.random_range(0..200)),
        4 => format!("UPDATE messages SET topic_id = {} WHERE {condition}", rng.random_range(0..20)),
        5 => format!("UPDATE topics SET type = {} WHERE {condition}", choice(rng, &["'nav_msgs/msg/Odometry'", "'tf2_msgs/msg/TFMessage'", "''", "NULL + 1", "x'ff'", "'sensor_msgs/msg/LaserScan'"])),
        6 => format!("UPDATE topics SET name = {} WHERE {condition}", choice(rng, &["'/odom'", "''", "x'ff'", "'/a/odom'", "hex(zeroblob(100000))"])),
        7 => format!("DELETE FROM {} WHERE {condition}", choice(rng, &["messages", "topics"])),
        8 => choice(rng, &["DROP TABLE topics", "DROP TABLE messages", "ALTER TABLE messages RENAME COLUMN data TO date", "ALTER TABLE topics DROP COLUMN type"]).to_string(),
        // A view that never ends to count.
        _ => "DROP TABLE topics; CREATE VIEW topics AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) \
              SELECT id, '/odom' || id AS name, 'nav_msgs/msg/Odometry' AS type, 'cdr' AS serialization_format FROM n"
            .into(),
    };
    // Of rows that must not be empty some changes are refused; the others count.
    let _ = bag.execute_batch(&change);
    // Numbers and blobs within messages.
    let rows: i64 = bag.query_row("SELECT count(*) FROM messages", (), |row| row.get(0)).unwrap_or(0);
    for _ in 0..rng.random_range(0..5) {
        let id = rng.random_range(0..rows.max(1)) + 1;
        let Ok(mut data) =
            bag.query_row("SELECT data FROM messages WHERE id = ?", (id,), |row| row.get::<_, Vec<u8>>(0))
        else {
            continue;
        };
        mcap_damage::change_data(&mut data, rng);
        let _ = bag.execute("UPDATE messages SET data = ? WHERE id = ?", (&data, id));
    }
    drop(bag);
    // What a blob for every message has swollen tells nothing that a smaller one does not.
    let is_small = std::fs::metadata(file.path()).is_ok_and(|metadata| metadata.len() <= MAX_BYTES);
    is_small.then(|| bytes(file.path()))
}
