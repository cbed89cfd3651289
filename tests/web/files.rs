//! Maps, meshes and pictures: those that the scene names, and nothing else of this machine.

use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use skidpad::server::hub::{Hub, OrderCallback, Pilot, PublishedScene};
use skidpad::server::{Listen, Options, Server};
use skidpad::view::files::Files;
use skidpad::view::messages::{Mode, Order};
use skidpad::view::scene::SceneView;

use crate::peer::{Viewer, get};
use crate::stage::{Stage, yard};

/// Does nothing.
struct Nobody;

impl Pilot for Nobody {
    fn carry_out(&self, _: Order, reply: OrderCallback) {
        reply(Err("nobody".into()));
    }
}

#[tokio::test]
async fn what_the_scene_names_is_there_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let large: Vec<u8> = (0..1_000_000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (path, content) in [
        ("robot/meshes/robot.dae", large.as_slice()),
        ("robot/materials/a b.png", b"picture"),
        ("robot/notes.txt", b"secret"),
        ("other.png", b"secret"),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let mut files = Files::default();
    let named = files.add(&folder.path().join("robot/meshes/robot.dae")).unwrap();
    let hub = Arc::new(Hub::new());
    hub.show(PublishedScene::new(SceneView::default(), files, vec![b"map".to_vec()]));
    let options = Options { listen: Listen { host: None, port: Some(0) }, ..Options::default() };
    let server = Server::start(&options, hub, Arc::new(Nobody), Mode::Live).unwrap();
    let address = server.address();
    let (status, head, body) = get(address, &format!("/{named}"), "").await;
    assert_eq!(status, 200);
    assert!(head.contains("content-type: model/vnd.collada+xml") && head.contains("content-length: 1000000"), "{head}");
    assert!(body == large);
    let (status, head, body) = get(address, "/api/files/0/materials/a%20b.png", "").await;
    assert_eq!((status, body.as_slice()), (200, b"picture".as_slice()));
    assert!(head.contains("content-type: image/png"), "{head}");
    let (status, head, body) = get(address, "/api/maps/0.png", "").await;
    assert_eq!((status, body.as_slice()), (200, b"map".as_slice()));
    assert!(head.contains("content-type: image/png"), "{head}");
    for path in [
        "/api/files/0/notes.txt",
        "/api/files/0/../other.png",
        "/api/files/0/%2e%2e/other.png",
        "/api/files/0/..%2Fother.png",
        "/api/files/0//etc/passwd",
        "/api/files/0/%2Fetc%2Fpasswd",
        "/api/files/0/meshes/robot.dae%00.png",
        "/api/files/1/x.png",
        "/api/maps/1.png",
        "/api/maps/-1.png",
        "/api/maps/0",
    ] {
        let (status, _, body) = get(address, path, "").await;
        let body = String::from_utf8(body).unwrap();
        assert_eq!(status, 404, "{path}: {body}");
        assert!(body.starts_with("{\"error\":\""), "{path}: {body}");
    }
    for path in ["/api/files/x/y.png", "/api/maps/%ff.png"] {
        let (status, _, body) = get(address, path, "").await;
        assert_eq!(status, 400, "{path}");
        assert!(body.starts_with(b"{\"error\":\"address: "), "{path}: {:?}", String::from_utf8_lossy(&body));
    }
    server.shutdown("the end");
}

/// The corners of the first drawing of a block.
fn corners(scene: &Value, block: usize) -> &str {
    scene["blocks"][block]["drawings"][0]["shape"]["corners"].as_str().unwrap()
}

/// Checks that nothing is there, which nobody may keep.
async fn assert_not_there(address: SocketAddr, path: &str) {
    let (status, head, _) = get(address, path, "").await;
    assert!(status == 404 && head.contains("cache-control: no-store"), "{path}: {head}");
}

/// A cylinder far from everything.
fn drum(name: &str) -> String {
    format!(
        "<block name='{name}'><init_pose>0 5 0</init_pose><static>true</static><geometry type='cylinder' radius='0.3' length='1' vertex_count='48'/></block>"
    )
}

#[tokio::test]
async fn parts_outlive_their_scene_by_one_and_keep_their_names() {
    let stage = Stage::set(&yard(1, "").replace("<block ", &format!("{}{}<block ", drum("one"), drum("other"))));
    let address = stage.address;
    let mut viewer = Viewer::join(address).await;
    let streamed = Viewer::scene_in_form(address, "streamed").await;
    let name = corners(&streamed, 0).strip_prefix('@').unwrap();
    let path = format!("/api/parts/{name}");
    for (change, is_named, is_there) in
        [("a drum", true, true), ("the other drum", false, true), ("the box", false, false)]
    {
        let (revision, entity) = (viewer.scene["revision"].clone(), viewer.scene["blocks"][0]["id"].clone());
        viewer.order(json!({ "do": "remove", "entity": entity })).await.unwrap();
        while viewer.scene["revision"] == revision {
            viewer.next().await;
        }
        let next = Viewer::scene_in_form(address, "streamed").await;
        assert_eq!(next["parts"].get(name).is_some(), is_named, "{change} has gone");
        assert!(!is_named || corners(&next, 0) == corners(&streamed, 0));
        match is_there {
            true => assert_eq!(get(address, &path, "").await.0, 200, "{change} has gone"),
            false => assert_not_there(address, &path).await,
        }
    }
    stage.end();
}

#[tokio::test]
async fn long_geometry_is_apart_from_the_scene_and_never_changes_under_its_name() {
    let stage = Stage::set(&yard(1, "").replace("<block ", &format!("{}{}<block ", drum("one"), drum("other"))));
    let address = stage.address;
    let full = Viewer::join(address).await.scene.clone();
    let streamed = Viewer::scene_in_form(address, "streamed").await;
    let name = corners(&streamed, 0).strip_prefix('@').unwrap();
    assert_eq!(corners(&streamed, 1), corners(&streamed, 0));
    assert_eq!(corners(&streamed, 2), corners(&full, 2), "a box is short");
    let part = &streamed["parts"][name];
    // Four digits of base64 for three bytes; 48·4 triangles of 36 bytes leave no rest.
    assert_eq!(part["length"].as_u64().unwrap() as usize, corners(&full, 0).len() / 4 * 3);
    let bounds: Vec<f64> = part["bounds"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
    for (end, expected) in bounds.iter().zip([-0.3, -0.3, 0.0, 0.3, 0.3, 1.0]) {
        assert!((end - expected).abs() < 1e-3, "{bounds:?}");
    }
    let path = format!("/api/parts/{name}");
    let (status, head, all) = get(address, &path, "").await;
    assert_eq!((status, all.len() as u64), (200, part["length"].as_u64().unwrap()));
    let heights = all.chunks_exact(12).map(|corner| f32::from_le_bytes(corner[8..].try_into().unwrap()));
    assert!(heights.clone().all(|z| z == 0.0 || z == 1.0) && heights.clone().any(|z| z == 1.0));
    assert!(head.contains("immutable") && !head.contains("content-encoding"), "{head}");
    let (_, head, body) = get(address, &path, "Accept-Encoding: gzip\r\n").await;
    assert!(head.contains("content-encoding: gzip"), "{head}");
    let mut unzipped = Vec::new();
    GzDecoder::new(body.as_slice()).read_to_end(&mut unzipped).unwrap();
    assert!(unzipped == all && body.len() < all.len());
    assert_not_there(address, "/api/parts/0123456789abcdef0123456789abcdef").await;
    let (_, _, body) = get(address, "/api/scene?scene=streamed", "").await;
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), streamed);
    stage.end();
}
