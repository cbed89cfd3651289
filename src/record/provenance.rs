//! How a run is made: by which program, from which files, with which options. A recording holds it beside its messages, so that the run can
//! be made again (`skidpad rerun`), and reports repeat it.
//!
//! | In a recording | Content |
//! |---|---|
//! | metadata `skidpad` | [`Provenance::lines`], for tools that show them |
//! | attachment `skidpad/provenance.json` | [`Provenance`] |
//! | attachments `skidpad/files/PATH` | the files that the run was made from, as far as they are not too large |
//! | attachments `skidpad/interventions.csv` | what came from outside while the run went on: [`TimedChange`]s, in parts |
//!
//! It names no date, machine, user or folder but those that were typed: two runs of the same have the same.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use skidpad_files::assets::hex;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;
use skidpad_ros_data::preset::{PlaceholderValues, Preset, preset};
use skidpad_run::guard::lock;
use skidpad_run::runner::TimedChange;
use skidpad_sim::world::World;

use super::RecordOptions;
use crate::bag::{self, BagError, FileRange, Visitor};

/// Name of the attachment with the provenance.
pub const PROVENANCE_ATTACHMENT: &str = "skidpad/provenance.json";
/// Beginning of the names of the attachments with files.
pub(crate) const FILE_ATTACHMENTS: &str = "skidpad/files/";
/// Name of the attachments with timed changes.
pub(crate) const CHANGES_ATTACHMENT: &str = "skidpad/interventions.csv";
/// Name of the metadata.
pub(super) const METADATA_NAME: &str = "skidpad";

/// Longest file whose content a recording holds [bytes].
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Most content of files that a recording holds [bytes].
const MAX_KEPT_BYTES: usize = 8 << 20;

/// How a run is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// Version of the program.
    pub version: String,
    /// Commit of its source, with `+changes` where the source differed from it; empty: not known.
    pub commit: String,
    /// The words of the command line after `skidpad`, but for those that say where results go, and how fast. With `again` all words of another
    /// program's.
    pub command: Vec<String>,
    /// The words of the command of skidpad that makes it again, together with what came from outside, where `command` is that of another program, such as
    /// Python; empty: `command` does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
    /// The words for ROS on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ros_args: Vec<String>,
    /// The world file, as it was found.
    pub world: String,
    /// Variables of the world that were set from outside.
    pub set: BTreeMap<String, String>,
    /// All variables of the world, with their values at the end of its file.
    pub variables: BTreeMap<String, String>,
    /// Seed of all noise; none: the runs that this is of have several, or there is no world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The physics step [s]; none: as for the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// The whole config of an experiment, with the gains, and with what the command line set; none: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<serde_json::Value>,
    /// The names in a recording; none: it is not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<RecordedNames>,
    /// The files that it is made from, in the order in which they were opened.
    pub files: Vec<SourceFile>,
    /// What has been read for it, and for those that were cloned from it.
    #[serde(skip)]
    pub read: ReadFiles,
}

/// The files that were read, by path: the runs of one set share them, so that the files of a world are not read again for each run.
#[derive(Clone, Debug, Default)]
pub struct ReadFiles(Arc<Mutex<BTreeMap<String, SourceFile>>>);

impl ReadFiles {
    /// The file at this path as it was when it was first asked for.
    fn at(&self, path: &Path) -> SourceFile {
        // Whoever asks meanwhile waits, instead of reading it as well.
        lock(&self.0).entry(path.display().to_string()).or_insert_with(|| SourceFile::at(path)).clone()
    }
}

impl PartialEq for ReadFiles {
    /// It says nothing that the provenance does not say.
    fn eq(&self, _: &ReadFiles) -> bool {
        true
    }
}

/// What the names and rates of a recording follow from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordedNames {
    /// Name of the preset.
    pub preset: String,
    /// Whether it is the variant whose transforms lead from the map to the odometry.
    pub true_map_to_odom: bool,
    /// Values of the placeholders in its names by their parameters; none: its defaults.
    pub words: Option<BTreeMap<String, String>>,
    /// Odometry per second of simulated time [Hz]; none: that of the preset.
    pub odometry_rate: Option<f64>,
}

/// A file that a run is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceFile {
    /// Its path, as it was opened.
    pub path: String,
    /// SHA-256 of its content; none: it cannot be read twice, such as a pipe.
    pub sha256: Option<String>,
    /// Its length [bytes].
    pub bytes: u64,
    /// Its content, if it is to be kept or is in the recording.
    #[serde(skip)]
    pub content: Option<Arc<[u8]>>,
}

impl SourceFile {
    /// The file at this path as it is now.
    pub fn at(path: &Path) -> SourceFile {
        let file = input_file::open(path).and_then(without_path).unwrap_or_default();
        SourceFile { path: path.display().to_string(), ..file }
    }

    /// Whether it is a file with this content.
    pub fn is_of(&self, content: &[u8]) -> bool {
        self.sha256.as_deref() == Some(hex(Sha256::digest(content)).as_str())
    }

    /// A file with this text, which need not be there.
    pub fn of_text(path: &Path, text: &str) -> SourceFile {
        // Reading from memory does not fail.
        SourceFile { path: path.display().to_string(), ..without_path(text.as_bytes()).unwrap_or_default() }
    }
}

/// What is kept of a file but for its path: the content unless it is too long.
fn without_path(mut file: impl Read) -> io::Result<SourceFile> {
    let (mut digest, mut length, mut content) = (Sha256::new(), 0_u64, Vec::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
        length += count as u64;
        if length <= MAX_FILE_BYTES {
            content.extend_from_slice(&buffer[..count]);
        }
    }
    let content = (length <= MAX_FILE_BYTES).then(|| content.into());
    Ok(SourceFile { sha256: Some(hex(digest.finalize())), bytes: length, content, ..SourceFile::default() })
}

impl RecordedNames {
    /// Those of a recording with this preset, values of its placeholders, and rate [Hz].
    pub fn of(preset: &Preset, words: Option<&PlaceholderValues>, odometry_rate: Option<f64>) -> RecordedNames {
        let words = words.map(|words| words.parameters().map(|(name, value)| (name.into(), value.into())).collect());
        // The variant has the same name, and no variant of its own.
        let has_variant = |preset: &Preset| preset.with_true_map_to_odom.is_some();
        let plain = skidpad_ros_data::preset::preset(preset.name);
        let true_map_to_odom = plain.is_some_and(has_variant) && !has_variant(preset);
        RecordedNames { preset: preset.name.into(), true_map_to_odom, words, odometry_rate }
    }

    /// The options of a recording with these names; none: this program does not know the preset.
    pub fn options(&self) -> Option<RecordOptions> {
        let plain = preset(&self.preset)?;
        let preset = if self.true_map_to_odom { plain.with_true_map_to_odom? } else { plain };
        let values = |words: &BTreeMap<String, String>| {
            PlaceholderValues::new(preset.placeholders, |name| words.get(name).cloned())
        };
        let words = self.words.as_ref().map(values);
        Some(RecordOptions { preset, words, odometry_rate: self.odometry_rate, ..RecordOptions::default() })
    }
}

/// A word of a command line as a shell reads it: in quotes if it has characters that mean something there.
pub fn quoted(word: &str) -> String {
    match word.contains(|c: char| c.is_whitespace() || "'\"\\$&;()<>|*?#".contains(c)) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word.to_owned(),
    }
}

impl Provenance {
    /// Adds files as they are now, each path once.
    #[must_use]
    pub fn with_files<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Provenance {
        let mut known: BTreeSet<String> = self.files.iter().map(|file| file.path.clone()).collect();
        let content = |file: &SourceFile| file.content.as_ref().map_or(0, |content| content.len());
        let mut kept: usize = self.files.iter().map(content).sum();
        for path in paths {
            // A world in the present folder names its parts from there.
            let path = path.as_ref().strip_prefix(".").unwrap_or(path.as_ref());
            if known.insert(path.display().to_string()) {
                let mut file = self.read.at(path);
                if kept + content(&file) > MAX_KEPT_BYTES {
                    file.content = None;
                }
                kept += content(&file);
                self.files.push(file);
            }
        }
        self
    }

    /// Adds the world at `path`, in which the variables `set` were set from outside, with its files.
    #[must_use]
    pub fn with_world(self, world: &World, path: &Path, set: &[(String, String)]) -> Provenance {
        let catalogue = world.catalogue();
        let all = |variables: &[(String, String)]| variables.iter().cloned().collect();
        let with_files = self.with_files(catalogue.files());
        Provenance {
            world: path.display().to_string(),
            set: all(set),
            variables: all(catalogue.variables()),
            seed: Some(world.scene().seed),
            step: Some(world.scene().step.secs()),
            ..with_files
        }
    }

    /// The program: its version and the commit of its source.
    pub fn program(&self) -> String {
        match self.commit.as_str() {
            "" => format!("skidpad {}", self.version),
            commit => format!("skidpad {} ({commit})", self.version),
        }
    }

    /// The command line, but for words that have no effect on results; words with blanks are in quotes.
    pub fn command_line(&self) -> String {
        let words = self.command.iter().chain(&self.ros_args).map(|word| quoted(word));
        let program = self.again.is_empty().then(|| "skidpad".to_owned());
        program.into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Whether it is of the same call of the program, on the same world with the same seed: runs of a matrix are.
    pub fn is_of_same_call(&self, other: &Provenance) -> bool {
        let call = |of: &Provenance| (of.version.clone(), of.commit.clone(), of.command.clone(), of.ros_args.clone());
        let (a, b) = ((&self.world, self.seed, self.step), (&other.world, other.seed, other.step));
        a == b && call(self) == call(other) && self.files == other.files
    }

    /// Leaves out what another one has differently: config, seed, step, and variables. The files are those of both.
    pub fn keep_common(&mut self, other: &Provenance) {
        if self.config != other.config {
            self.config = None;
        }
        self.seed = self.seed.filter(|seed| other.seed == Some(*seed));
        self.step = self.step.filter(|step| other.step == Some(*step));
        for file in &other.files {
            if self.files.iter().all(|known| (&known.path, &known.sha256) != (&file.path, &file.sha256)) {
                self.files.push(file.clone());
            }
        }
        self.variables.retain(|name, value| other.variables.get(name) == Some(value));
        self.set.retain(|name, value| other.set.get(name) == Some(value));
    }

    /// Everything in lines of a name and a text, for people.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("program", self.program()), ("command", self.command_line())];
        if !self.world.is_empty() {
            let variables: Vec<String> = self.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
            lines.push(("world", self.world.clone()));
            lines.push(("variables", variables.join(", ")));
            lines.extend(self.seed.map(|seed| ("seed", seed.to_string())));
            lines.extend(self.step.map(|step| ("step", format!("{step} s"))));
        }
        if let Some(config) = &self.config {
            lines.push(("config", config.to_string()));
        }
        let files = self.files.iter().map(|file| {
            let sum = file.sha256.as_deref().unwrap_or("cannot be read twice");
            format!("{} {} ({} bytes)", sum, file.path, file.bytes)
        });
        lines.push(("files", files.collect::<Vec<_>>().join("\n")));
        lines
    }
}

/// What a recording says about how it was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// The provenance, with the content of the files that the recording holds.
    pub provenance: Provenance,
    /// What came from outside, in order.
    pub timed_changes: Vec<TimedChange>,
}

/// Finds the attachments of a recording.
#[derive(Default)]
struct Attachments(Vec<(String, FileRange)>);

impl Visitor for Attachments {
    fn topic(&mut self, _: u64, _: &str, _: &str) -> bool {
        false
    }

    fn message(&mut self, _: u64, _: i64, _: &[u8]) {}

    fn attachment(&mut self, _: u64, name: &str, place: FileRange) {
        self.0.push((name.to_owned(), place));
    }
}

/// Reads how a recording was made; none if it does not say. What is wrong with the file is added to `notes`.
///
/// # Errors
/// It cannot be read, or what it says is not understood.
pub fn read(path: &Path, notes: &mut Vec<Diagnostic>) -> Result<Option<Recorded>, Diagnostic> {
    let mut attachments = Vec::new();
    let outcome = bag::visit_files(path, "are read", notes, |mut file, notes| {
        let mut visitor = Attachments::default();
        file.scan(&mut visitor, notes);
        let content = |(name, place): (String, FileRange)| Some((name, file.attachment(&place)?));
        attachments.extend(visitor.0.into_iter().filter_map(content));
    });
    outcome.map_err(|error: BagError| {
        skidpad_files::diagnostic::Diagnostics::from(error).into_iter().next().unwrap_or_default()
    })?;
    let of = |found: String| Diagnostic::new(path.display(), found);
    let named = |name: &'static str| attachments.iter().filter(move |(other, _)| other == name);
    let Some((_, json)) = named(PROVENANCE_ATTACHMENT).next() else { return Ok(None) };
    let mut provenance: Provenance =
        serde_json::from_slice(json).map_err(|error| of(format!("{PROVENANCE_ATTACHMENT}: {error}")))?;
    for file in &mut provenance.files {
        let kept = attachments.iter().find(|(name, _)| name.strip_prefix(FILE_ATTACHMENTS) == Some(&file.path));
        file.content = kept.map(|(_, content)| content.as_slice().into());
    }
    let mut timed_changes = Vec::new();
    for (_, lines) in named(CHANGES_ATTACHMENT) {
        let parsed = TimedChange::parse_all(lines);
        timed_changes
            .extend(parsed.map_err(|line| of(format!("{CHANGES_ATTACHMENT}: \"{line}\" is not a known change")))?);
    }
    Ok(Some(Recorded { provenance, timed_changes }))
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, RACECAR_GAZEBO};
    use skidpad_run::runner::Change;
    use skidpad_run::sink::Sink;
    use skidpad_sim::vehicle::Action;
    use skidpad_sim::world::{ExternalChange, LoadOptions};

    use super::*;
    use crate::Recorder;

    const WORLD: &str = "<mvsim_world><variable name=\"x\" value=\"1\"/><include file=\"car.xml\"/></mvsim_world>";
    const CAR: &str =
        "<vehicle name=\"r1\"><init_pose>${x} 0 0</init_pose><dynamics class=\"differential\"/></vehicle>";

    #[test]
    fn a_recording_says_how_it_was_made_and_holds_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let (world_file, car, recording) =
            (folder.path().join("w.world.xml"), folder.path().join("car.xml"), folder.path().join("a.mcap"));
        std::fs::write(&world_file, WORLD).unwrap();
        std::fs::write(&car, CAR).unwrap();
        let set = vec![("x".to_owned(), "2".to_owned())];
        let load = LoadOptions { variables: set.clone(), ..LoadOptions::default() };
        let (mut world, _) = World::load(&world_file, &load).unwrap();
        let made =
            Provenance { version: "1.2.3".into(), command: vec!["run".into(), "a b".into()], ..Provenance::default() };
        let made = made.with_files([Path::new("/dev/null")]).with_world(&world, &world_file, &set);
        assert_eq!(made.variables, BTreeMap::from([("x".to_owned(), "2".to_owned())]));
        let names: Vec<&str> = made.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["/dev/null", world_file.to_str().unwrap(), car.to_str().unwrap()]);
        // printf abc | sha256sum
        std::fs::write(folder.path().join("abc"), "abc").unwrap();
        let abc = SourceFile::at(&folder.path().join("abc"));
        assert_eq!(abc.sha256.unwrap(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(made.files[0].sha256, None, "it is a device");
        assert_eq!(made.command_line(), "skidpad run 'a b'");

        let options = RecordOptions { provenance: Some(Arc::new(made.clone())), ..RecordOptions::default() };
        let mut recorder = Recorder::create(&recording, options).unwrap();
        recorder.start(world.scene()).unwrap();
        let command = Change::World(ExternalChange::Command(
            "r1".into(),
            Action::Twist(skidpad_math::Twist2::new(0.1, 0.0, 1.0 / 3.0)),
        ));
        let timed_change = TimedChange { step: 3, change: command };
        for step in 0..9 {
            if step == 3 {
                recorder.changed(&timed_change).unwrap();
            }
            world.step().unwrap();
            recorder.frame(world.scene(), world.frame()).unwrap();
        }
        recorder.finish().unwrap();
        let read = read(&recording, &mut Vec::new()).unwrap().unwrap();
        assert_eq!(read.timed_changes, [timed_change, TimedChange { step: 9, change: Change::End }]);
        let kept = |file: usize| read.provenance.files[file].content.as_deref();
        assert_eq!((kept(0), kept(1), kept(2)), (None, Some(WORLD.as_bytes()), Some(CAR.as_bytes())));
        let names = read.provenance.names.clone().unwrap();
        assert_eq!((names.preset.as_str(), names.odometry_rate), ("skidpad", None));
        assert_eq!(read.provenance, Provenance { names: Some(names), ..made });
        let bytes = std::fs::read(&recording).unwrap();
        let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
        assert_eq!(summary.metadata_indexes.iter().map(|index| index.name.as_str()).collect::<Vec<_>>(), ["skidpad"]);
    }

    #[test]
    fn runs_of_a_set_read_each_file_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "abc").unwrap();
        let set = Provenance::default();
        let first = set.clone().with_files([&path]);
        std::fs::write(&path, "abcd").unwrap();
        assert_eq!(set.clone().with_files([&path]).files, first.files);
        assert_ne!(Provenance::default().with_files([&path]).files, first.files);
    }

    #[test]
    fn runs_of_one_call_have_in_common_what_they_do_not_vary() {
        let of = |plant: &str| {
            let variables = [("plant", plant), ("lidar", "0")].map(|(name, value)| (name.to_owned(), value.to_owned()));
            let config = Some(serde_json::json!({ "plant": plant }));
            Provenance { world: "w".into(), variables: variables.into(), config, ..Provenance::default() }
        };
        let (mut a, b) = (of("a"), of("b"));
        assert!(a.is_of_same_call(&b) && !a.is_of_same_call(&Provenance { seed: Some(1), ..b.clone() }));
        a.keep_common(&a.clone());
        assert_eq!(a, of("a"));
        a.keep_common(&b);
        assert_eq!((a.config, a.variables.len()), (None, 1));
    }

    #[test]
    fn names_of_a_recording_lead_back_to_its_options() {
        let words = PlaceholderValues::new(F1TENTH_GYM_ROS.placeholders, |_| None);
        let quirky = RACECAR_GAZEBO.with_true_map_to_odom.unwrap();
        for (preset, words, rate) in [
            (&F1TENTH_GYM_ROS, Some(&words), Some(1.0 / 3.0)),
            (&RACECAR_GAZEBO, None, None),
            (quirky, None, Some(20.0)),
        ] {
            let names = RecordedNames::of(preset, words, rate);
            let options = names.options().unwrap();
            let is_variant = |preset: &Preset| preset.with_true_map_to_odom.is_none();
            assert_eq!((options.preset.name, is_variant(options.preset)), (preset.name, is_variant(preset)));
            assert_eq!(options.odometry_rate, rate);
            assert_eq!(RecordedNames::of(options.preset, options.words.as_ref(), options.odometry_rate), names);
        }
        assert!(RecordedNames { preset: "none".into(), ..RecordedNames::default() }.options().is_none());
    }
}
