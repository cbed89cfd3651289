//! Maps in every format, whole and broken.

use super::*;
use std::io::Write;

const OPTIONS: ImageOptions = ImageOptions { resolution: 0.5, center_pixel: [1.0, 0.0] };

fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

/// 3 × 2 pixels: black, grey, white above white, white, black.
const PGM: &[u8] = b"P5 3 2 255\n\x00\x80\xff\xff\xff\x00";

fn message(path: &Path, error: MapError) -> String {
    let folder = path.parent().unwrap().to_string_lossy().into_owned() + "/";
    error.to_string().replace(&folder, "")
}

fn failure(name: &str, content: &[u8]) -> String {
    let (_folder, path) = file(name, content);
    message(&path, load(&path, &OPTIONS).unwrap_err())
}

#[test]
fn an_image_has_its_last_row_at_the_smallest_y() {
    let (_folder, path) = file("map.pgm", PGM);
    let map = load(&path, &OPTIONS).unwrap();
    assert_eq!((map.width, map.height, map.resolution), (3, 2, 0.5));
    assert_eq!(map.world_from_grid, Pose2::new(-0.5, 0.0, 0.0));
    // 0x80 is 0.502 free: not an obstacle.
    assert_eq!(map.cells, [1, 1, 99, 99, 49, 1]);
    assert!(map.is_occupied(2, 0) && map.is_occupied(0, 1) && !map.is_occupied(1, 1));
}

#[test]
fn exactly_half_free_is_an_obstacle() {
    assert_eq!([percent(0.5), percent(0.4999), percent(0.996), percent(0.0)], [50, 49, 100, 0]);
}

fn server(extra: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = file("map.pgm", PGM);
    drop(path);
    let yaml = folder.path().join("map.yaml");
    let text = format!("image: map.pgm\nresolution: 0.05\norigin: [-1.0, 2.0, 0.5]\n{extra}");
    std::fs::write(&yaml, text).unwrap();
    (folder, yaml)
}

#[test]
fn a_map_server_file_is_trinary_by_default() {
    for (extra, cells) in [
        ("negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n", [0, 0, 100, 100, -1, 0]),
        ("negate: true\n", [100, 100, 0, 0, -1, 100]),
        ("mode: scale\nnegate: 0\noccupied_thresh: 0.9\nfree_thresh: 0.1\n", [0, 0, 100, 100, 50, 0]),
        ("mode: raw\n", [-1, -1, 0, 0, -1, -1]),
    ] {
        let (_folder, yaml) = server(extra);
        let map = load(&yaml, &OPTIONS).unwrap();
        assert_eq!(map.cells, cells, "{extra}");
        assert_eq!(map.world_from_grid, Pose2::new(-1.0, 2.0, 0.5));
    }
}

#[test]
fn invalid_values_are_named() {
    for (extra, expected) in [
        ("mode: quad\n", "map.yaml: mode is \"quad\"\n  accepted: trinary, scale, raw"),
        ("occupied_thresh: 65\n", "map.yaml: occupied_thresh is 65\n  accepted: 0 to 1"),
        ("free_thresh: 0.7\n", "map.yaml: free_thresh is 0.7\n  accepted: at most occupied_thresh"),
    ] {
        let (_folder, yaml) = server(extra);
        assert_eq!(message(&yaml, load(&yaml, &OPTIONS).unwrap_err()), expected);
    }
    let short = failure("map.yaml", b"image: a.pgm\nresolution: 0.1\norigin: [1, 2]\n");
    assert_eq!(short, "map.yaml: origin is [1.0, 2.0]\n  accepted: [x, y, yaw] in m and rad");
    let missing = failure("map.yaml", b"image: a.pgm\norigin: [0, 0, 0]\n");
    assert!(missing.starts_with("map.yaml: cannot be read: ") && missing.contains("resolution"), "{missing}");
    let image = failure("map.yaml", b"image: a.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n");
    assert_eq!(image, "a.pgm: cannot be read: No such file or directory (os error 2)");
    let (folder, _pgm) = file("map.pgm", PGM);
    let flat = folder.path().join("map.yaml");
    std::fs::write(&flat, "image: map.pgm\nresolution: 0\norigin: [0, 0, 0]\n").unwrap();
    let error = message(&flat, load(&flat, &OPTIONS).unwrap_err());
    assert_eq!(error, "map.yaml: resolution 0 m\n  accepted: 0.0001 to 10000 m");
}

#[test]
fn a_file_that_is_not_an_image_is_an_error() {
    let text = failure("map.png", b"not an image");
    assert!(text.starts_with("cannot decode the map image map.png: "), "{text}");
    assert!(text.ends_with("\n  accepted: PNG, PGM, BMP, JPEG"), "{text}");
    let cut = failure("map.pgm", &PGM[..12]);
    assert!(cut.starts_with("cannot decode the map image map.pgm: "), "{cut}");
}

fn gridmap(name: &str, version: u8, bits: Option<u8>, size: [u32; 2], cells: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x80 | name.len() as u8];
    bytes.extend(name.bytes());
    bytes.push(version);
    bytes.extend(bits);
    for n in size {
        bytes.extend(n.to_le_bytes());
    }
    for x in [-1.0_f32, 0.5, 3.0, 4.0, 0.5] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend(cells);
    bytes.extend([1, 2, 3, 0x88]);
    bytes
}

#[test]
fn mrpt_maps_load_raw_and_compressed() {
    let cells = [0_u8, 127, 0x81, 1, 0xff, 40];
    let bytes = gridmap("mrpt::maps::COccupancyGridMap2D", 3, Some(8), [3, 2], &cells);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&bytes).unwrap();
    for (name, content) in [("map.gridmap", bytes), ("map.gridmap.gz", gz.finish().unwrap())] {
        let (_folder, path) = file(name, &content);
        let map = load(&path, &OPTIONS).unwrap();
        assert_eq!((map.width, map.height, map.resolution), (3, 2, 0.5));
        assert_eq!(map.world_from_grid, Pose2::new(-1.0, 3.0, 0.0));
        // 1/(1 + e^(127/16)) = 0.04 %, 1/(1 + e^(-1/16)) = 51.6 %, 1/(1 + e^(40/16)) = 7.6 %.
        assert_eq!(map.cells, [-1, 0, 100, 48, 52, 8], "{name}");
    }
}

#[test]
fn old_mrpt_maps_hold_probabilities() {
    let (_folder, path) = file("map.gridmap", &gridmap("COccupancyGridMap2D", 1, None, [2, 1], &[0, 255]));
    assert_eq!(load(&path, &OPTIONS).unwrap().cells, [100, 0]);
}

#[test]
fn errors_of_broken_mrpt_maps_name_the_fault() {
    let name = "COccupancyGridMap2D";
    for (content, expected) in [
        (vec![], "failed to fill whole buffer while reading the header"),
        (b"hello".to_vec(), "it starts with byte 0x68 where an object header has its top bit set"),
        (gridmap("CPose2D", 3, Some(8), [1, 1], &[0]), "it holds a \"CPose2D\"\n  accepted: COccupancyGridMap2D"),
        (gridmap(name, 9, Some(8), [1, 1], &[0]), "its version is 9\n  accepted: 0 to 6"),
        (gridmap(name, 3, Some(16), [1, 1], &[0]), "its cells have 16 bits\n  accepted: 8"),
        (gridmap(name, 3, Some(8), [1000, 1000], &[0]), "it ends after 5 of 1000000 cells"),
    ] {
        let expected = format!("map.gridmap is not an MRPT grid map: {expected}");
        assert_eq!(failure("map.gridmap", &content), expected);
    }
    let huge = failure("map.gridmap", &gridmap(name, 3, Some(8), [u32::MAX, u32::MAX], &[0]));
    assert!(huge.starts_with("map.gridmap: a map of 4294967295 x 4294967295 cells"), "{huge}");
}

/// The head of a PNG of that size, as far as its first data.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut head = b"IHDR".to_vec();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    head.extend([8, 0, 0, 0, 0]);
    let mut crc = flate2::Crc::new();
    crc.update(&head);
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    bytes.extend(head);
    bytes.extend(crc.sum().to_be_bytes());
    bytes.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    bytes
}

#[test]
fn sizes_are_checked_before_memory_is_allocated() {
    let head = "accepted: 1 to 1000000 cells a side, at most 400000000 altogether";
    for (name, content) in [("map.png", png(50_000, 50_000)), ("map.pgm", b"P5 50000 50000 255\n1".to_vec())] {
        let text = failure(name, &content);
        assert_eq!(text, format!("{name}: a map of 50000 x 50000 cells\n  {head}"));
    }
    let bytes = png(20_000, 20_000).len();
    let text = failure("map.png", &png(20_000, 20_000));
    assert_eq!(text, format!("the map image map.png of {bytes} bytes claims to have 20000 x 20000 pixels"));
    let text = failure("map.pgm", b"P5 19000 20000 255\n1");
    assert_eq!(text, "the map image map.pgm of 20 bytes claims to have 19000 x 20000 pixels");
    let text = failure("map.gridmap", &gridmap("COccupancyGridMap2D", 3, Some(8), [2_000_000, 2], &[0]));
    assert_eq!(text, format!("map.gridmap: a map of 2000000 x 2 cells\n  {head}"));
}

#[test]
fn endless_compressed_data_is_read_only_up_to_the_end_of_the_map() {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..32 {
        gz.write_all(&[0; 1 << 20]).unwrap();
    }
    let text = failure("map.gridmap.gz", &gz.finish().unwrap());
    let expected = "it starts with byte 0x00 where an object header has its top bit set";
    assert_eq!(text, format!("map.gridmap.gz is not an MRPT grid map: {expected}"));
    let mut bytes = gridmap("COccupancyGridMap2D", 3, Some(8), [2, 1], &[0, 0]);
    bytes.resize(64 << 20, 0);
    let (_folder, path) = file("map.gridmap", &bytes);
    assert_eq!(load(&path, &OPTIONS).unwrap().cells, [-1, -1]);
    let long = failure("map.yaml", &vec![b'#'; 2 << 20]);
    assert_eq!(long, "map.yaml: cannot be read: it is longer than 1 MiB");
    // Ten names for each other, each ten times the one before.
    let mut laughs = "a0: &a0 [x]\n".to_string();
    for level in 1..20 {
        let names = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{names}]\n"));
    }
    let text = failure("map.yaml", laughs.as_bytes());
    assert!(text.starts_with("map.yaml: cannot be read: "), "{text}");
}

#[test]
fn only_regular_files_are_read() {
    for (name, kind) in [("/dev/zero", "a device"), ("/", "a folder")] {
        let text = load(Path::new(name), &OPTIONS).unwrap_err().to_string();
        assert_eq!(text, format!("{name}: cannot be read: it is {kind}\n  accepted: a regular file"));
    }
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("map.yaml")).status().unwrap();
    assert!(made.success());
    let path = folder.path().join("map.yaml");
    assert_eq!(
        message(&path, load(&path, &OPTIONS).unwrap_err()),
        "map.yaml: cannot be read: it is a FIFO\n  accepted: a regular file"
    );
}

#[test]
fn a_kind_of_map_that_is_not_built_in_is_refused_with_the_feature_to_enable() {
    assert_eq!(
        MapError::Kind { path: "m.png".into() }.to_string(),
        "m.png: cannot be read: this build reads uncompressed grid maps only\n  hint: enable the feature \"maps\" of skidpad-sim"
    );
}
