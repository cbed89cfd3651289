//! Commands that write whole files, on a disk without room for them: what was there before stays, and nothing half-written is left.

use std::fs;

use crate::cli::on_small_disk;
use crate::import::two_wheels;
use crate::support::{CAR, Lab};

#[test]
fn a_full_disk_leaves_no_part_of_a_file() {
    let lab = Lab::with_world(CAR);
    lab.write("rover.urdf", &two_wheels());
    let camera = r#"<sensor class="camera" name="eye"><ncols>160</ncols><nrows>120</nrows><noise_std>0.2</noise_std></sensor></vehicle>"#;
    lab.write("eye.xml", &CAR.replace("</vehicle>", camera));
    for (size, arguments, file) in [
        // One of the two files of an import has room.
        ("4k", "import rover.urdf --out logs/in", "logs/in/rover"),
        ("4k", "snapshot eye.xml --sensor eye --out logs/eye.png", "logs/eye.png"),
        ("4k", "plot tyre ellipse --out logs/tyre.svg", "logs/tyre.svg"),
    ] {
        let Some(done) = on_small_disk(&lab, size, arguments) else {
            eprintln!("not tested: this system allows no mount namespace");
            return;
        };
        assert_eq!(done.status, Some(1), "{arguments}: {}", done.stderr);
        let end = "cannot be written: No space left on device (os error 28)";
        let reported = done.errors().lines().any(|line| line.starts_with(file) && line.ends_with(end));
        assert!(reported, "{arguments}: {}", done.errors());
        let left: Vec<_> = files(&lab.path().join("kept"));
        assert!(left.is_empty(), "{arguments}: {left:?}");
        fs::remove_dir_all(lab.path().join("kept")).unwrap();
    }
}

/// The files in a folder and below.
fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
