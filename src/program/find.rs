//! Finds world files by path or name, and the files that come with the program.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::input_file;
use crate::nearest::did_you_mean;
use crate::sets::MAX_BYTES;
use crate::world::map_world;
use crate::{Failure, package};

/// Extension of world files, which may be omitted.
const ENDING: &str = ".world.xml";

/// The worlds of an installation, below its prefix.
const INSTALLED: &str = "share/skidpad/worlds";

/// The folders of files that come with the program, which the manual names from there.
const SHIPPED: [&str; 2] = ["config", "worlds"];

/// The file at `given`; a bare name is also looked up in the folders of worlds. For a map it is the world of maps, which is that of this map with
/// the variables of [`with_map`].
///
/// # Errors
/// The file does not exist; lists where it was looked for.
pub fn world_file(given: &Path) -> Result<PathBuf, Diagnostic> {
    of_map(find(given, &folders())?, &folders())
}

/// The world in place of `file` if that is a map, otherwise `file` itself.
fn of_map(file: PathBuf, folders: &[PathBuf]) -> Result<PathBuf, Diagnostic> {
    if !map_world::is_map(&file) {
        return Ok(file);
    }
    if is_of_runs(&file) {
        return Err(Diagnostic::new(file.display(), "is a scenario or an experiment, not a world")
            .accepted("a world file, or a map of map_server")
            .hint("run it with skidpad test or skidpad experiment"));
    }
    folders.iter().map(|folder| folder.join(map_world::WORLD)).find(|world| input_file::is_file(world)).ok_or_else(
        || {
            Diagnostic::new(file.display(), format!("the world of maps, {}, is missing", map_world::WORLD))
                .note(format!("searched: {}", searched(folders)))
        },
    )
}

/// Whether a YAML file is no map, but of runs in a world that it names.
fn is_of_runs(file: &Path) -> bool {
    let Ok(text) = input_file::read_text(file, MAX_BYTES) else { return false };
    let has = |key: &str| {
        text.lines().any(|line| line.strip_prefix(key).is_some_and(|after_key| after_key.trim_start().starts_with(':')))
    };
    has("world") && !has("image")
}

/// These variables, and those that the world of `given` has besides if it is a map.
pub fn with_map(given: &Path, mut variables: Vec<(String, String)>) -> Vec<(String, String)> {
    if let Some(map) = find(given, &folders()).ok().filter(|file| map_world::is_map(file)) {
        variables.extend(map_world::variables(&map, &variables));
    }
    variables
}

/// [`world_file`] for a command.
pub fn world(given: &Path) -> Result<PathBuf, Failure> {
    world_file(given).map_err(Failure::because)
}

/// Like [`world`], but a bare name is also looked up in `../worlds`, seen from the folder of the config: the layout of a checkout and of an
/// installation.
pub fn world_of_config(given: &Path, config: &Path) -> Result<PathBuf, Failure> {
    world_beside(given, config).map_err(Failure::because)
}

/// [`world_of_config`], with its message.
///
/// # Errors
/// There is no such world; lists where it was looked for.
pub fn world_beside(given: &Path, config: &Path) -> Result<PathBuf, Diagnostic> {
    let beside = config.parent().map(|folder| folder.join("../worlds"));
    let folders: Vec<PathBuf> = folders().into_iter().chain(beside).collect();
    find(given, &folders).and_then(|file| of_map(file, &folders))
}

/// The search path of worlds: `worlds/`, the worlds of every ROS prefix, those of the Python package, and those that belong to the program.
pub fn folders() -> Vec<PathBuf> {
    let prefixes = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
    let prefixes = std::env::split_paths(&prefixes).filter(|prefix| !prefix.as_os_str().is_empty());
    let installed = prefixes.map(|prefix| prefix.join(INSTALLED));
    let mut folders: Vec<PathBuf> =
        std::iter::once(PathBuf::from("worlds")).chain(installed).chain(of_package()).collect();
    let executable = std::env::current_exe().and_then(|program| program.canonicalize());
    for folder in executable.map(|program| of_program(&program)).unwrap_or_default() {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// The worlds of the Python package, if this is the program of one.
fn of_package() -> Option<PathBuf> {
    package::folder().map(|folder| folder.join("worlds"))
}

/// The folders that the files of `config/` and `worlds/` are in.
pub fn shipped_in() -> Vec<PathBuf> {
    beside(&folders())
}

/// What is beside each folder of worlds but the first, which is that of the current directory.
fn beside(folders: &[PathBuf]) -> Vec<PathBuf> {
    folders.iter().skip(1).filter_map(|worlds| worlds.parent()).map(Path::to_path_buf).collect()
}

/// The file at `given`, or the one that comes with the program if there is none and the path is one of the manual's, such as `config/circle.yaml`.
pub fn shipped(given: PathBuf) -> PathBuf {
    among(&given, shipped_in).unwrap_or(given)
}

/// The file of one of these folders that `given` stands for, if it is not there itself.
fn among(given: &Path, folders: impl FnOnce() -> Vec<PathBuf>) -> Option<PathBuf> {
    let is_shipped = SHIPPED.iter().any(|folder| given.starts_with(folder));
    if !is_shipped || input_file::is_file(given) || given.is_dir() {
        return None;
    }
    folders().into_iter().map(|folder| folder.join(given)).find(|file| input_file::is_file(file))
}

/// The worlds that belong to the program at this path, where they exist: those of the prefix that it is installed in,
/// as `lib/skidpad/skidpad` or `bin/skidpad`, and those of the checkout that it was built in, wherever cargo has put
/// the program.
fn of_program(program: &Path) -> Vec<PathBuf> {
    let prefixes = program.ancestors().skip(2).take(2).map(|prefix| prefix.join(INSTALLED));
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|checkout| checkout.join("worlds"));
    prefixes.chain(checkout).filter(|folder| folder.is_dir()).collect()
}

fn find(given: &Path, folders: &[PathBuf]) -> Result<PathBuf, Diagnostic> {
    let shown = given.display();
    let with_ending = PathBuf::from(format!("{shown}{ENDING}"));
    for path in [given, &with_ending] {
        if input_file::is_file(path) {
            return Ok(path.to_path_buf());
        }
    }
    if given.is_dir() {
        return Err(Diagnostic::new(shown, "is a directory").accepted("a world file"));
    }
    if let Some(file) = [given, &with_ending].into_iter().find_map(|path| among(path, || beside(folders))) {
        return Ok(file);
    }
    let name = shown.to_string();
    let without_ending =
        |name: &str| [ENDING, ".xml"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned();
    if given.components().count() != 1 || given.is_absolute() {
        let parent = given.parent().unwrap_or(Path::new("."));
        let parent_folder = std::iter::once(parent.to_path_buf());
        let mut places = parent_folder.chain(beside(folders).into_iter().map(|folder| folder.join(parent)));
        let hint = places.find(|folder| folder.is_dir()).and_then(|folder| {
            let names = worlds(&[folder]).into_iter().map(|(name, _)| parent.join(name).display().to_string());
            did_you_mean(&without_ending(&name), &names.collect::<Vec<_>>())
        });
        let missing = Diagnostic::new(name, "no such file");
        return Err(hint.map_or(missing.clone(), |hint| missing.hint(hint)));
    }
    for folder in folders {
        for name in [given, &with_ending] {
            let path = folder.join(name);
            if input_file::is_file(&path) {
                return Ok(path);
            }
        }
    }
    let searched_too = std::iter::once(PathBuf::from(".")).chain(folders.iter().cloned()).collect::<Vec<_>>();
    let named: Vec<String> = worlds(&searched_too).into_iter().map(|(name, _)| name).collect();
    let hint =
        did_you_mean(&without_ending(&name), &named).unwrap_or_else(|| "skidpad list worlds shows them all".to_owned());
    Err(Diagnostic::new(name, "no such world").note(format!("searched: {}", searched(folders))).hint(hint))
}

/// The worlds of these folders by name, with their files; of two with the same name the first is found.
pub fn worlds(folders: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let mut worlds: Vec<(String, PathBuf)> = Vec::new();
    for entry in folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten() {
        let name = entry.file_name();
        if let Some(name) = name.to_str().and_then(|name| name.strip_suffix(ENDING)) {
            worlds.push((name.to_owned(), entry.path()));
        }
    }
    // A stable sort, so that the first folder wins.
    worlds.sort_by(|a, b| a.0.cmp(&b.0));
    worlds.dedup_by(|later, earlier| later.0 == earlier.0);
    worlds
}

/// The searched folders, for messages.
pub fn searched(folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("the current directory, {}", folders.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_the_worlds_of_its_prefix_and_of_its_checkout() {
        let root = tempfile::tempdir().unwrap();
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("worlds");
        let program = root.path().join("lib/skidpad/skidpad");
        assert_eq!(of_program(&program), std::slice::from_ref(&checkout));
        let installed = root.path().join(INSTALLED);
        std::fs::create_dir_all(&installed).unwrap();
        for place in ["lib/skidpad/skidpad", "bin/skidpad"] {
            assert_eq!(of_program(&root.path().join(place)), [installed.clone(), checkout.clone()], "{place}");
        }
    }

    #[test]
    fn paths_of_the_manual_stand_for_files_that_come_with_the_program() {
        let root = tempfile::tempdir().unwrap();
        let (config, worlds) = (root.path().join("config"), root.path().join("worlds"));
        for (folder, file) in [(&config, "spiral_of_test.yaml"), (&worlds, "plain_of_test.world.xml")] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(file), "").unwrap();
        }
        let folders = || vec![PathBuf::from("/nowhere"), root.path().to_path_buf()];
        let of = |given: &str| among(Path::new(given), folders);
        assert_eq!(of("config/spiral_of_test.yaml"), Some(config.join("spiral_of_test.yaml")));
        // Neither others, nor one's own, nor what is not there.
        for given in ["spiral_of_test.yaml", "other/x.yaml", "config/circle.yaml", "config/no_such.yaml", "config"] {
            assert_eq!(of(given), None, "{given}");
        }
        let actual = find(Path::new("worlds/plain_of_test.world.xml"), &[PathBuf::from("worlds"), worlds.clone()]);
        assert_eq!(actual.unwrap(), worlds.join("plain_of_test.world.xml"));
        assert_eq!(shipped("config/no_such.yaml".into()), Path::new("config/no_such.yaml"));
    }

    #[test]
    fn a_bare_name_is_searched_and_a_path_is_not() {
        let root = tempfile::tempdir().unwrap();
        let (first, second) = (root.path().join("a"), root.path().join("b"));
        for folder in [&first, &second] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(second.join("lab.world.xml"), "").unwrap();
        let folders = [first.clone(), second.clone()];
        assert_eq!(find(Path::new("lab"), &folders).unwrap(), second.join("lab.world.xml"));
        assert_eq!(find(Path::new("lab.world.xml"), &folders).unwrap(), second.join("lab.world.xml"));
        std::fs::write(first.join("lab"), "").unwrap();
        assert_eq!(find(Path::new("lab"), &folders).unwrap(), first.join("lab"));
        let config = root.path().join("config/eight.yaml");
        std::fs::create_dir_all(config.parent().unwrap()).unwrap();
        std::fs::create_dir(root.path().join("worlds")).unwrap();
        std::fs::write(root.path().join("worlds/plain_of_test.world.xml"), "").unwrap();
        let actual = world_of_config(Path::new("plain_of_test"), &config).unwrap();
        assert_eq!(
            actual.canonicalize().unwrap(),
            root.path().canonicalize().unwrap().join("worlds/plain_of_test.world.xml")
        );
        assert_eq!(find(Path::new("x/lab"), &folders).unwrap_err().to_string(), "x/lab: no such file");
        let beside_it = second.join("labs.xml");
        assert_eq!(
            find(&beside_it, &folders).unwrap_err().to_string(),
            format!(
                "{}: no such file\n  hint: did you mean \"{}\"?",
                beside_it.display(),
                second.join("lab").display()
            )
        );
        assert_eq!(
            find(&second.join("lab"), &folders).unwrap(),
            second.join("lab.world.xml"),
            "the ending may be left out"
        );
        let near = find(Path::new("lab.xml"), std::slice::from_ref(&second)).unwrap_err().to_string();
        assert!(near.ends_with("\n  hint: did you mean \"lab\"?"), "{near}");
        assert_eq!(
            find(Path::new("no"), &[PathBuf::from("worlds")]).unwrap_err().to_string(),
            "no: no such world\n  searched: the current directory, worlds\n  hint: skidpad list worlds shows them all"
        );
        let near = find(Path::new("lav.world.xml"), &folders).unwrap_err().to_string();
        assert!(near.ends_with("\n  hint: skidpad list worlds shows them all"), "another word: {near}");
        std::fs::write(first.join("office.world.xml"), "").unwrap();
        let near = find(Path::new("ofice"), &folders).unwrap_err().to_string();
        assert!(
            near.starts_with("ofice: no such world\n") && near.ends_with("\n  hint: did you mean \"office\"?"),
            "{near}"
        );
        std::fs::write(second.join("office.world.xml"), "").unwrap();
        let expected = [("lab", &second), ("office", &first)]
            .map(|(name, folder)| (name.to_owned(), folder.join(format!("{name}{ENDING}"))));
        assert_eq!(worlds(&folders), expected);
    }
}
