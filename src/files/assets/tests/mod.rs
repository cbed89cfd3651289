//! Fetching, caching and unpacking, from a server on this machine.

mod archives;

use super::*;
use std::fs;
use std::sync::{Arc, Mutex};

use skidpad_test_support::server::{Answer, Server};
use tempfile::TempDir;

/// Assets with a cache in `folder`, and with short timeouts.
fn assets(folder: &TempDir) -> Assets {
    let mut assets = Assets::new(Settings { cache: Some(folder.path().join("cache")), ..Settings::default() });
    assets.limits.wait = Duration::from_millis(300);
    assets
}

fn offline(folder: &TempDir) -> Assets {
    let mut assets = assets(folder);
    assets.settings.offline = true;
    assets
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The names of the cache's entries.
fn entries(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("cache")).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn nowhere() -> &'static Path {
    Path::new("/nowhere")
}

fn files(path: &str) -> Answer {
    match path {
        "/a/rock.dae" => Answer::Body(b"rock".to_vec()),
        "/b/rock.dae" => Answer::Body(b"other rock".to_vec()),
        "/empty.png" => Answer::Body(Vec::new()),
        "/moved.dae" => Answer::Redirect("/a/rock.dae".to_string()),
        "/circle" => Answer::Redirect("/circle".to_string()),
        "/cut.dae" => Answer::Cut(b"half of a".to_vec()),
        "/long.dae" => Answer::Long(3 << 30),
        "/endless.dae" => Answer::Endless,
        "/stalling.dae" => Answer::Stalling,
        "/silent.dae" | "/silent2.dae" => Answer::Silent,
        "/broken.dae" => Answer::Status("500 Internal Server Error"),
        _ => Answer::Status("404 Not Found"),
    }
}

#[test]
fn a_file_is_fetched_once_and_then_comes_from_the_cache() {
    let (folder, server) = (folder(), Server::start(files));
    let url = server.url("/a/rock.dae");
    let first = assets(&folder);
    let path = first.file(nowhere(), &format!(" {url} "), Author::Local).unwrap();
    assert_eq!(first.file(nowhere(), &url, Author::Local).unwrap(), path);
    assert_eq!(fs::read(&path).unwrap(), b"rock");
    assert_eq!(path.file_name().unwrap(), "rock.dae");
    assert_eq!(assets(&folder).file(nowhere(), &url, Author::Local).unwrap(), path);
    assert_eq!(offline(&folder).file(nowhere(), &url, Author::Local).unwrap(), path);
    assert_eq!(server.requested_paths(), ["/a/rock.dae"]);
    // printf rock | sha256sum
    let sums = fs::read_to_string(path.parent().unwrap().with_file_name("SHA256SUMS")).unwrap();
    assert_eq!(sums, "350a770c0ec9f353e1a5629895f374fdaa299876c3870c03feb60eb4a3769d94  files/rock.dae\n");
    let empty = first.file(nowhere(), &server.url("/empty.png"), Author::Local).unwrap();
    assert_eq!(fs::read(empty).unwrap(), b"");
}

#[test]
fn files_of_the_same_name_do_not_collide() {
    let (folder, server) = (folder(), Server::start(files));
    let assets = assets(&folder);
    let read = |path| fs::read(assets.file(nowhere(), &server.url(path), Author::Local).unwrap()).unwrap();
    assert_eq!((read("/a/rock.dae"), read("/b/rock.dae")), (b"rock".to_vec(), b"other rock".to_vec()));
    assert_eq!(entries(&folder).len(), 2);
}

#[test]
fn redirects_are_followed_up_to_a_limit() {
    let (folder, server) = (folder(), Server::start(files));
    let assets = assets(&folder);
    assert!(assets.file(nowhere(), &server.url("/moved.dae"), Author::Local).unwrap().ends_with("files/moved.dae"));
    let url = server.url("/circle");
    assert_eq!(
        assets.file(nowhere(), &url, Author::Local),
        Err(Diagnostic::of(format!("too many redirects from \"{url}\"")))
    );
}

#[test]
fn failures_are_explained_and_leave_nothing_behind() {
    let (folder, server) = (folder(), Server::start(files));
    let mut assets = assets(&folder);
    assets.limits.fetched = 1 << 20;
    for (path, message) in [
        ("/none.dae", "server answers \"404 Not Found\" to \"URL\""),
        ("/broken.dae", "server answers \"500 Internal Server Error\" to \"URL\""),
        ("/cut.dae", "broken answer (cut short) to \"URL\""),
        ("/long.dae", "more than 1 MiB at \"URL\""),
        ("/endless.dae", "more than 1 MiB at \"URL\""),
    ] {
        let url = server.url(path);
        let expected = Err(Diagnostic::of(message.replace("URL", &url)));
        // The second time no request is sent.
        assert_eq!(
            [assets.file(nowhere(), &url, Author::Local), assets.file(nowhere(), &url, Author::Local)],
            [expected.clone(), expected]
        );
    }
    assert_eq!(server.requested_paths().len(), 5);
    assert_eq!(entries(&folder), [""; 0]);
}

#[test]
fn a_server_that_does_not_answer_is_asked_once() {
    for path in ["/silent.dae", "/stalling.dae"] {
        let (folder, server) = (folder(), Server::start(files));
        let assets = assets(&folder);
        let first = assets.file(nowhere(), &server.url(path), Author::Local).unwrap_err();
        let why = match path {
            "/silent.dae" => "it does not answer in time",
            _ => "it stopped in the middle of an answer",
        };
        assert_eq!(first.to_string(), format!("server of \"{}\" cannot be reached ({why})", server.url(path)));
        for number in 0..20 {
            let url = server.url(&format!("/a/{number}.dae"));
            let error = assets.file(nowhere(), &url, Author::Local).unwrap_err();
            assert_eq!(error.to_string(), format!("server of \"{url}\" cannot be reached ({why})"));
        }
        assert_eq!(server.requested_paths(), [path]);
        assert_eq!(entries(&folder), [""; 0]);
    }
}

#[test]
fn an_unreachable_server_is_named() {
    let folder = folder();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/x.dae");
    let error = assets(&folder).file(nowhere(), &url, Author::Local).unwrap_err();
    assert_eq!(error.to_string(), format!("server of \"{url}\" cannot be reached (connection refused)"));
    let bad = assets(&folder).file(nowhere(), "http://", Author::Local).unwrap_err();
    assert_eq!(bad.to_string(), "no valid address in \"http://\"");
}

#[test]
fn offline_files_come_from_the_cache_only() {
    let (folder, server) = (folder(), Server::start(files));
    let url = server.url("/a/rock.dae");
    let error = offline(&folder).file(nowhere(), &url, Author::Local).unwrap_err();
    let cache = folder.path().join("cache");
    let found = format!("offline, and no copy of \"{url}\" in {}", cache.display());
    assert_eq!(error, Diagnostic::of(found).hint("load it once without offline"));
    assert!(server.requested_paths().is_empty() && !cache.exists());
}

#[test]
fn a_damaged_copy_is_fetched_again() {
    let (folder, server) = (folder(), Server::start(files));
    let url = server.url("/a/rock.dae");
    let path = assets(&folder).file(nowhere(), &url, Author::Local).unwrap();
    for damage in [&b"rocc"[..], b"", b"rock and roll"] {
        fs::write(&path, damage).unwrap();
        assert!(offline(&folder).file(nowhere(), &url, Author::Local).is_err());
        assert_eq!(assets(&folder).file(nowhere(), &url, Author::Local), Ok(path.clone()));
        assert_eq!(fs::read(&path).unwrap(), b"rock");
    }
    fs::remove_file(path.parent().unwrap().with_file_name("SHA256SUMS")).unwrap();
    assert_eq!(assets(&folder).file(nowhere(), &url, Author::Local), Ok(path));
    assert_eq!(server.requested_paths().len(), 5);
    assert_eq!(entries(&folder).len(), 1);
}

#[test]
fn many_may_fetch_the_same_at_once() {
    let (folder, server) = (folder(), Server::start(files));
    let url = server.url("/b/rock.dae");
    // A damaged entry too, so that all of them try to replace it.
    let path = assets(&folder).file(nowhere(), &url, Author::Local).unwrap();
    fs::write(&path, "x").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let mut patient = assets(&folder);
                patient.limits.wait = Duration::from_secs(20);
                let path = patient.file(nowhere(), &url, Author::Local).unwrap();
                assert_eq!(fs::read(path).unwrap(), b"other rock");
            });
        }
    });
    assert_eq!(entries(&folder).len(), 1);
    assert_eq!(fs::read(&path).unwrap(), b"other rock");
}

#[test]
fn leftovers_of_killed_processes_are_removed_after_a_day() {
    let (folder, server) = (folder(), Server::start(files));
    let part = |name: &str, age: u64| {
        let path = folder.path().join("cache").join(name);
        fs::create_dir_all(&path).unwrap();
        let then = std::time::SystemTime::now() - Duration::from_secs(age);
        fs::File::open(&path).unwrap().set_modified(then).unwrap();
    };
    part(".part-old", 2 * 24 * 3600);
    part(".part-new", 60);
    assets(&folder).file(nowhere(), &server.url("/a/rock.dae"), Author::Local).unwrap();
    assert_eq!(entries(&folder)[0], ".part-new");
    assert_eq!(entries(&folder).len(), 2);
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let (folder, server) = (folder(), Server::start(files));
    fs::write(folder.path().join("cache"), "a file").unwrap();
    let error = assets(&folder).file(nowhere(), &server.url("/a/rock.dae"), Author::Local).unwrap_err();
    let cache = folder.path().join("cache");
    assert_eq!(error.to_string(), format!("{}: cannot be written: File exists (os error 17)", cache.display()));
}

#[test]
fn listeners_receive_progress_messages() {
    let (folder, server) = (folder(), Server::start(files));
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let mut assets = assets(&folder);
    let list = Arc::clone(&heard);
    assets.settings.progress = Progress::new(move |progress| list.lock().unwrap().push(progress.to_string()));
    let url = server.url("/a/rock.dae");
    for _ in 0..3 {
        assets.file(nowhere(), &url, Author::Local).unwrap();
    }
    assert_eq!(*heard.lock().unwrap(), [format!("fetching {url}")]);
}

#[test]
fn local_files_are_used_in_place() {
    let folder = folder();
    let assets = assets(&folder);
    fs::write(folder.path().join("x.dae"), "").unwrap();
    let (path, missing) = (folder.path().join("x.dae"), folder.path().join("y.dae"));
    assert_eq!(assets.file(folder.path(), "x.dae", Author::Local), Ok(path.clone()));
    assert_eq!(assets.file(nowhere(), &format!("file://{}", path.display()), Author::Local), Ok(path));
    assert_eq!(
        assets.file(folder.path(), "y.dae", Author::Local),
        Err(Diagnostic::of(format!("no file \"{}\"", missing.display())))
    );
    // A path need not exist: opening it will report the error.
    assert_eq!(assets.path(folder.path(), "y.dae", Author::Local), Ok(missing));
    assert!(assets.file(folder.path(), ".", Author::Local).is_err());
    assert_eq!(assets.file(folder.path(), "", Author::Local).unwrap_err().found, "an empty path");
    assert!(!folder.path().join("cache").exists());
}
