//! Files from the network, and worlds with expressions in their paths, through the library and the real program. The only
//! network is the loopback device.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{Done, Lab};
use skidpad::assets::Progress;
use skidpad::world::{LoadOptions, World};
use skidpad_test_support::server::{Answer, Server};
use skidpad_test_support::watched::Watch;

const PGM: &[u8] = b"P5 3 2 255\n\x00\x80\xff\xff\xff\x00";

fn serve(path: &str) -> Answer {
    match path {
        "/map.pgm" => Answer::Body(PGM.to_vec()),
        "/maps.zip" => {
            let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            let yaml = "image: ../images/map.pgm\nresolution: 0.5\norigin: [0, 0, 0]\n";
            for (name, content) in [("yard/map.yaml", yaml.as_bytes()), ("images/map.pgm", PGM)] {
                writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
                std::io::Write::write_all(&mut writer, content).unwrap();
            }
            Answer::Body(writer.finish().unwrap().into_inner())
        }
        _ => Answer::Status("404 Not Found"),
    }
}

fn world(address: &str) -> String {
    format!("<mvsim_world>\n  <element class=\"occupancy_grid\"> <file>{address}</file> </element>\n</mvsim_world>\n")
}

/// Runs the program with a cache in the folder of the test.
fn run(lab: &Lab, arguments: &str) -> Done {
    Done::from(lab.skidpad(arguments).env("SKIDPAD_CACHE", lab.path().join("cache")).finish())
}

#[test]
fn the_program_fetches_a_map_once_and_needs_no_network_then() {
    let server = Server::start(serve);
    let url = server.url("/map.pgm");
    let lab = Lab::with_world(&world(&url));
    let first = run(&lab, "check w.xml");
    assert_eq!((first.status, first.stderr), (Some(0), format!("fetching {url}\n")));
    assert!(first.stdout.contains("1 map\n  3 x 2 cells of 0.1 m\n"), "{}", first.stdout);
    let second = run(&lab, "run w.xml --rate max --duration 0.1 --headless");
    assert_eq!(second.status, Some(0));
    assert!(!second.stderr.contains("fetching"), "{}", second.stderr);
    assert_eq!(server.requested_paths(), ["/map.pgm"]);
    drop(server);
    for arguments in ["check --offline w.xml", "check w.xml", "run w.xml --offline --rate max --duration 0.1"] {
        assert_eq!(run(&lab, arguments).status, Some(0), "{arguments}");
    }
}

#[test]
fn offline_the_program_reports_missing_files_without_a_request() {
    let server = Server::start(serve);
    let url = server.url("/map.pgm");
    let lab = Lab::with_world(&world(&url));
    let cache = lab.path().join("cache");
    for arguments in ["check --offline w.xml", "run --offline w.xml --duration 1"] {
        let done = run(&lab, arguments);
        let message = format!(
            "w.xml:2:42: offline, and no copy of \"{url}\" in {} for <file> in <element class=\"occupancy_grid\">\n  hint: load it once without offline\n",
            cache.display()
        );
        assert_eq!((done.status, done.errors()), (Some(1), message));
    }
    assert!(server.requested_paths().is_empty());
    assert!(!cache.exists());
}

#[test]
fn a_server_that_has_no_such_file_is_quoted() {
    let server = Server::start(serve);
    let url = server.url("/none.pgm");
    let lab = Lab::with_world(&world(&url));
    let done = run(&lab, "check w.xml");
    let message = format!(
        "note: fetching {url}\nw.xml:2:42: server answers \"404 Not Found\" to \"{url}\" for <file> in <element class=\"occupancy_grid\">\n"
    );
    assert_eq!((done.status, done.errors()), (Some(1), message));
    // A world is read twice.
    assert_eq!(server.requested_paths().len(), 1);
}

#[test]
fn programs_that_start_together_share_a_cache() {
    let server = Server::start(serve);
    let lab = Lab::with_world(&world(&server.url("/maps.zip/yard/map.yaml")));
    let start = || {
        let mut program = lab.skidpad("check w.xml");
        program.env("SKIDPAD_CACHE", lab.path().join("cache")).stdout(Stdio::null()).stderr(Stdio::null());
        program.watch()
    };
    let mut programs: Vec<_> = (0..6).map(|_| start()).collect();
    for program in &mut programs {
        assert!(program.wait().success());
    }
    // The archive, and what was in it.
    assert_eq!(std::fs::read_dir(lab.path().join("cache")).unwrap().count(), 2);
}

#[test]
fn listeners_are_notified_of_slow_work() {
    let server = Server::start(serve);
    let folder = tempfile::tempdir().unwrap();
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let list = Arc::clone(&heard);
    let options = LoadOptions {
        cache: Some(folder.path().join("cache")),
        progress: Progress::new(move |progress| list.lock().unwrap().push(progress.to_string())),
        allow_commands: true,
        ..LoadOptions::default()
    };
    let archive = server.url("/maps.zip");
    let text = world(&format!("$(printf {archive})/yard/map.yaml"));
    World::load_text("w.xml", folder.path(), &text, &options).unwrap();
    let heard: Vec<String> = heard.lock().unwrap().clone();
    let [command, fetching, unpacking, reading] = heard.as_slice() else { panic!("{heard:?}") };
    assert_eq!(command, &format!("running printf {archive}"));
    assert_eq!(fetching, &format!("fetching {archive}"));
    assert_eq!(unpacking, &format!("unpacking {archive}"));
    assert!(reading.starts_with("reading map ") && reading.ends_with("yard/map.yaml"), "{reading}");
}

/// On a terminal of which the test holds the other end: the server waits until the line has been seen.
#[test]
fn a_terminal_shows_what_takes_long() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let seen = Arc::<AtomicBool>::default();
    let gate = Arc::clone(&seen);
    let server = Server::start(move |_| Answer::Held(Arc::clone(&gate), PGM.to_vec()));
    let url = server.url("/map.pgm");
    let lab = Lab::with_world(&world(&url));
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
    let terminal = std::fs::OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut program = lab.skidpad("check w.xml");
    program.env("SKIDPAD_CACHE", lab.path().join("cache")).env("TERM", "xterm").env_remove("NO_COLOR");
    let mut child = program.stdout(Stdio::null()).stderr(terminal).watch();
    drop(program);
    let (mut controller, mut shown) = (std::fs::File::from(controller), Vec::new());
    let mut buffer = [0; 4096];
    // The end shows as an error once nobody holds the other end.
    while let Ok(count @ 1..) = controller.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..count]);
        if String::from_utf8_lossy(&shown).contains("fetching http://127.0.0.1:") {
            seen.store(true, Ordering::Relaxed);
        }
    }
    assert!(child.wait().success());
    let shown = String::from_utf8_lossy(&shown).into_owned();
    assert!(shown.contains("fetching http://127.0.0.1:"), "{shown:?}");
}

fn load(text: &str, options: &LoadOptions) -> Result<World, String> {
    let loaded = World::load_text("w.xml", Path::new("."), text, options);
    loaded.map(|(world, _)| world).map_err(|problems| problems.to_string())
}

#[test]
fn a_command_runs_once_however_often_the_world_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let text = format!(
        "<mvsim_world><for var=\"i\" from=\"1\" to=\"3\"><block><init_pose>$(echo x &gt;&gt; {0}; echo 1) 0 0</init_pose></block></for>\
         <gravity>$(echo x &gt;&gt; {0}; echo 1)</gravity></mvsim_world>",
        count.display()
    );
    let world = load(&text, &LoadOptions { allow_commands: true, ..LoadOptions::default() }).unwrap();
    assert_eq!(world.scene().blocks.len(), 3);
    assert_eq!(std::fs::read_to_string(&count).unwrap(), "x\n");
}

#[test]
fn names_may_hold_variables_or_what_looks_like_them() {
    let text = "<mvsim_world><variable name=\"i\" value=\"4\"/>\
                <block name=\"x${i}\"><init_pose>0 0 0</init_pose></block>\
                <block name=\"x${j}\"><init_pose>3 0 0</init_pose></block></mvsim_world>";
    let world = load(text, &LoadOptions::default()).unwrap();
    let names: Vec<&str> = world.scene().blocks.iter().map(|block| &*block.name).collect();
    assert_eq!(names, ["x4", "x${j}"]);
    let vehicle = |name: &str| {
        format!(
            "<mvsim_world><vehicle name=\"{name}\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
             <controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>"
        )
    };
    let world = load(&vehicle("${NO_SUCH_NAME_ANYWHERE|bob}"), &LoadOptions::default()).unwrap();
    assert_eq!(world.scene().vehicles[0].name, "bob");
    let error = load(&vehicle("r${j}"), &LoadOptions::default()).map(drop).unwrap_err();
    assert!(error.starts_with("w.xml:1:29: variable \"j\" is not defined"), "{error}");
}

#[test]
fn the_expressions_world_is_laid_out_as_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds/expressions.world.xml");
    let places = |seed| {
        let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
        let (world, _) = World::load(&path, &options).unwrap();
        let places: Vec<_> =
            world.scene().blocks.iter().map(|block| (block.name.clone(), block.world_from_start.planar())).collect();
        assert_eq!(world.scene().blocks[0].z, [0.0, 0.7]);
        places
    };
    let blocks = places(1);
    assert_eq!(blocks, places(2));
    let names: Vec<&str> = blocks.iter().map(|(name, _)| &**name).collect();
    let cones = ["cone1", "cone2", "cone3", "cone4", "cone5", "cone6"];
    let rocks = ["rock1", "rock2", "rock3", "rock4", "rock9", "rock10", "rock11", "rock12"];
    assert_eq!(names, [&cones[..], &rocks[..]].concat());
    for (number, (name, place)) in (1..).zip(&blocks[..6]) {
        // Six digits of each number are kept.
        assert!((place.x - (1.0 + 1.5 * f64::from(number))).abs() < 1e-4, "{name} at {place:?}");
        assert_eq!(place.y, if number % 2 == 0 { 0.3 } else { -0.3 }, "{name}");
        assert!((place.yaw - f64::from(number).atan2(6.0)).abs() < 1e-4, "{name} at {place:?}");
    }
    for (name, place) in &blocks[6..] {
        assert!((1.0..=10.0).contains(&place.x) && (0.9..3.0).contains(&place.y.abs()), "{name} at {place:?}");
    }
}
