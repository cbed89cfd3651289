//! Maps, meshes and pictures: those that the scene names, and nothing else of this machine.

use std::fs;
use std::sync::Arc;

use skidpad::view::files::Files;
use skidpad::view::messages::{Mode, Order};
use skidpad::view::scene::SceneView;
use skidpad::web::hub::{Hub, OrderCallback, Pilot, PublishedScene};
use skidpad::web::{Listen, Options, Server};

use crate::peer::get;

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
