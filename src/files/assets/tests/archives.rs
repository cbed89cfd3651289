//! Zip archives, honest and hostile.

use super::*;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// An archive of these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn rock() -> Vec<u8> {
    zip(&[("rock/rock.dae", b"mesh"), ("rock/textures/grey.png", b"grey"), ("README", b"")])
}

/// `bytes` with every `from` replaced by `to`, of the same length.
fn patched(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

#[test]
fn a_fetched_archive_is_unpacked_whole_and_once() {
    let folder = folder();
    let server = Server::start(|path| if path == "/m/rock.zip" { Answer::Body(rock()) } else { files(path) });
    let heard = Arc::<Mutex<Vec<String>>>::default();
    let mut first = assets(&folder);
    let list = Arc::clone(&heard);
    first.settings.progress = Progress::new(move |progress| list.lock().unwrap().push(progress.to_string()));
    let url = server.url("/m/rock.zip/rock/rock.dae");
    let mesh = first.file(nowhere(), &url, Author::Local).unwrap();
    assert_eq!(fs::read(&mesh).unwrap(), b"mesh");
    assert_eq!(fs::read(mesh.with_file_name("textures/grey.png")).unwrap(), b"grey");
    let texture = first.file(nowhere(), &server.url("/m/rock.zip/rock/textures/grey.png"), Author::Local).unwrap();
    assert_eq!(texture, mesh.with_file_name("textures").join("grey.png"));
    let archive = server.url("/m/rock.zip");
    assert_eq!(*heard.lock().unwrap(), [format!("fetching {archive}"), format!("unpacking {archive}")]);
    assert_eq!(
        first.file(nowhere(), &server.url("/m/rock.zip/no"), Author::Local),
        Err(Diagnostic::of(format!("no file \"no\" in \"{archive}\"")))
    );
    assert_eq!(offline(&folder).file(nowhere(), &url, Author::Local), Ok(mesh.clone()));
    // After damage to a texture everything is unpacked again.
    fs::write(&texture, "x").unwrap();
    assert_eq!(offline(&folder).file(nowhere(), &url, Author::Local), Ok(mesh));
    assert_eq!(fs::read(texture).unwrap(), b"grey");
    assert_eq!(server.requested_paths(), ["/m/rock.zip"]);
    assert_eq!(entries(&folder).len(), 2);
}

#[test]
fn a_local_archive_is_unpacked_and_changes_are_noticed() {
    let folder = folder();
    let archive = folder.path().join("rock.zip");
    fs::write(&archive, rock()).unwrap();
    for address in ["rock.zip/rock/rock.dae", "./rock.zip/./rock/rock.dae", "file://rock.zip/rock/rock.dae"] {
        let path = offline(&folder).file(folder.path(), address, Author::Local).unwrap();
        assert_eq!(fs::read(path).unwrap(), b"mesh");
    }
    let path = assets(&folder).path(folder.path(), "rock.zip/rock/rock.dae", Author::Local).unwrap();
    assert_eq!(fs::read(path).unwrap(), b"mesh");
    fs::write(&archive, zip(&[("rock/rock.dae", b"new")])).unwrap();
    let path = assets(&folder).file(folder.path(), "rock.zip/rock/rock.dae", Author::Local).unwrap();
    assert_eq!(fs::read(path).unwrap(), b"new");
    // A folder may have such a name too.
    fs::create_dir(folder.path().join("dir.zip")).unwrap();
    fs::write(folder.path().join("dir.zip/x.dae"), "plain").unwrap();
    assert_eq!(
        assets(&folder).file(folder.path(), "dir.zip/x.dae", Author::Local),
        Ok(folder.path().join("dir.zip/x.dae"))
    );
}

#[test]
fn paths_stay_inside_the_archive() {
    let folder = folder();
    fs::write(folder.path().join("rock.zip"), rock()).unwrap();
    let name = folder.path().join("rock.zip").display().to_string();
    for inner in ["rock/../../../x", ".."] {
        let error = assets(&folder).file(folder.path(), &format!("rock.zip/{inner}"), Author::Local).unwrap_err();
        assert_eq!(error.to_string(), format!("no path inside the archive in \"{name}/{inner}\""));
    }
    let error = assets(&folder).file(nowhere(), "http://127.0.0.1:9/a.zip/../x", Author::Local);
    // Checked before anything is fetched.
    assert_eq!(error, Err(Diagnostic::of("no path inside the archive in \"http://127.0.0.1:9/a.zip/../x\"")));
}

/// The error for an archive of these bytes; nothing of it may remain in the cache.
#[track_caller]
fn refused(bytes: &[u8], limits: impl Fn(&mut Limits)) -> String {
    let folder = folder();
    let archive = folder.path().join("x.zip");
    fs::write(&archive, bytes).unwrap();
    let mut assets = assets(&folder);
    limits(&mut assets.limits);
    let error = assets.file(folder.path(), "x.zip/a", Author::Local).unwrap_err();
    assert_eq!(entries(&folder), [""; 0]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "something lies outside");
    error.to_string().replace(&archive.display().to_string(), "x.zip")
}

#[test]
fn hostile_archives_are_refused() {
    let plain = |_: &mut Limits| {};
    let good = || zip(&[("aa/a", b"1"), ("a", b"2")]);
    for (bytes, message) in [
        (patched(good(), "aa/a", "../a"), "cannot unpack \"x.zip\" (its entry \"../a\" leads out of it)"),
        (patched(good(), "aa/a", "/tmp"), "cannot unpack \"x.zip\" (its entry \"/tmp\" leads out of it)"),
        (patched(good(), "aa/a", "..\\a"), "cannot unpack \"x.zip\" (its entry \"../a\" leads out of it)"),
        (patched(good(), "aa/a", "C:/a"), "cannot unpack \"x.zip\" (its entry \"C:/a\" leads out of it)"),
        (patched(good(), "aa/a", "a\nbc"), "cannot unpack \"x.zip\" (its entry \"a\\nbc\" leads out of it)"),
        (patched(good(), "aa/a", "a/bc"), "cannot unpack \"x.zip\" (its entry \"a\" appears twice)"),
    ] {
        assert_eq!(refused(&bytes, plain), message);
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("a", "/etc", SimpleFileOptions::default()).unwrap();
    let link = writer.finish().unwrap().into_inner();
    assert_eq!(refused(&link, plain), "cannot unpack \"x.zip\" (its entry \"a\" is a link)");
    let bomb = zip(&[("a", &vec![0; 3 << 20])]);
    assert!(bomb.len() < 10_000);
    let message = refused(&bomb, |limits| limits.unpacked = 1 << 20);
    assert_eq!(message, "cannot unpack \"x.zip\" (it unpacks to more than 1 MiB)");
    let message = refused(&rock(), |limits| limits.entries = 2);
    assert_eq!(message, "cannot unpack \"x.zip\" (it has more than 2 files)");
    for bytes in [&b"no archive"[..], b"", &rock()[..50]] {
        assert!(refused(bytes, plain).starts_with("cannot unpack \"x.zip\" ("));
    }
    // One byte of the content differs.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("a", SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored)).unwrap();
    writer.write_all(b"0123").unwrap();
    let stored = writer.finish().unwrap().into_inner();
    let message = refused(&patched(stored, "0123", "0124"), plain);
    assert!(message.starts_with("cannot unpack \"x.zip\" (its entry \"a\" is damaged: "), "{message}");
}

#[test]
fn zip_bombs_are_refused() {
    // 40 MiB of zeros in 40 kB: the limit is a ratio of 250, and 16 MiB in any case.
    let bomb = zip(&[("a", &vec![0; 40 << 20])]);
    assert_eq!(refused(&bomb, |_| {}), "cannot unpack \"x.zip\" (it unpacks to more than 16 MiB)");
}
