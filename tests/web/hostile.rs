//! Hostile and broken clients are refused with a reason, and the simulation continues.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::SinkExt;
use serde_json::{Value, json};
use skidpad::server::hub::{Hub, OrderCallback, Pilot, PublishedScene};
use skidpad::server::{Listen, Options, Server};
use skidpad::view::files::Files;
use skidpad::view::messages::{Mode, Order};
use skidpad::view::scene::SceneView;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::peer::{Incoming, Viewer, get, request};
use crate::stage::{Plan, Stage, keeps_pace, world};
use crate::support::IDEAL;

const TOKEN: &str = "0123456789abcdef";

/// Time goes on at its rate.
async fn goes_on(stage: &Stage) {
    keeps_pace(stage, 1.0, tokio::time::sleep(Duration::from_secs(2))).await;
}

#[tokio::test]
async fn messages_that_are_none_are_answered_or_end_the_session() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    for text in ["", "{", "[]", "{\"id\": -1}", "\u{0}", &"[".repeat(60_000)] {
        viewer.say(text.to_owned()).await;
        let error = loop {
            if let Incoming::Answer(answer) = viewer.next().await {
                break answer["error"].as_str().unwrap().to_owned();
            }
        };
        assert!(error.starts_with("order: ") && error.contains("\n  accepted: "), "{error}");
    }
    // What is wrong is quoted, and not all of it.
    viewer.say(json!({ "id": 1, "order": { "do": "nonsense".repeat(5000) } }).to_string()).await;
    let error = loop {
        if let Incoming::Answer(answer) = viewer.next().await {
            break answer["error"].as_str().unwrap().to_owned();
        }
    };
    assert!(error.starts_with("order: unknown variant `nonsense") && error.len() < 1200, "{}", error.len());
    viewer.say("{\"id\": 77, \"order\": 5}".into()).await;
    let id = loop {
        if let Incoming::Answer(answer) = viewer.next().await {
            break answer["id"].clone();
        }
    };
    assert_eq!(id, json!(77));
    for (message, code, reason) in [
        (Message::binary(vec![1, 2, 3]), 1003, "message: binary\n  accepted: an order as text"),
        (Message::text(" ".repeat((64 << 10) + 1)), 1009, "message: too long\n  accepted: up to 65536 bytes"),
        (Message::text(" ".repeat(20 << 20)), 1009, "message: too long\n  accepted: up to 65536 bytes"),
    ] {
        let mut viewer = Viewer::join(stage.address).await;
        // The server may close while a long one is still under way.
        let is_sent = viewer.socket.send(message).await.is_ok();
        let closed = viewer.closed().await;
        assert!(closed == (code, reason.to_owned()) || (closed.0 == 0 && !is_sent), "{closed:?}");
    }
    goes_on(&stage).await;
    stage.end();
}

#[tokio::test]
async fn frames_that_are_none_end_the_session() {
    let stage = Stage::set(IDEAL);
    let head = format!(
        "GET /api/socket HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: skidpad.v1\r\n\r\n",
        stage.address
    );
    // Reserved bits, a reserved kind, no mask, a length beyond all, a continuation of nothing, text that is not UTF-8, noise.
    let mask = [0, 0, 0, 0];
    let frames: [(Vec<u8>, &[u16]); 7] = [
        ([&[0xf1, 0x80][..], &mask].concat(), &[1002]),
        ([&[0x83, 0x80][..], &mask].concat(), &[1002]),
        (vec![0x81, 0x01, b'x'], &[1002]),
        ([&[0x81, 0xff][..], &[0x7f; 8], &mask].concat(), &[1009]),
        ([&[0x80, 0x80][..], &mask].concat(), &[1002]),
        ([&[0x81, 0x82][..], &mask, &[0xff, 0xfe]].concat(), &[1007]),
        ((0..4000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect(), &[1002, 1009]),
    ];
    for (frame, codes) in frames {
        let mut stream = TcpStream::connect(stage.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&frame).await.unwrap();
        let mut got = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut got)).await;
        assert!(ended.is_ok(), "the server keeps a session that sent {frame:?}");
        let code = codes.iter().find(|code| {
            let close = code.to_be_bytes();
            got.windows(4).any(|four| four[0] == 0x88 && four[2..] == close)
        });
        assert!(code.is_some(), "{:?} ends with no {codes:?}: {:?}", frame, String::from_utf8_lossy(&got));
    }
    goes_on(&stage).await;
    stage.end();
}

#[tokio::test]
async fn requests_that_are_none_are_refused() {
    let stage = Stage::set(IDEAL);
    let address = stage.address;
    let long = "x".repeat(100_000);
    for (text, status) in [
        ("nonsense\r\n\r\n".to_owned(), 400),
        (format!("GET /{long} HTTP/1.1\r\nHost: {address}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: {long}\r\n\r\n"), 431),
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), 400),
        (format!("DELETE / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"), 405),
        (format!("GET /api/orders HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"), 405),
        (format!("GET /api/socket HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"), 426),
        (
            format!(
                "POST /api/orders HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}"
            ),
            415,
        ),
        (
            format!(
                "POST /api/orders HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Content-Length: 100000\r\n\r\n{long}"
            ),
            413,
        ),
    ] {
        let (actual, _, body) = request(address, &text).await;
        assert_eq!(actual, status, "{}: {}", &text[..text.len().min(60)], String::from_utf8_lossy(&body));
    }
    let refused = Viewer::connect(address, &[("sec-websocket-protocol", "chat")]).await.err().unwrap();
    assert_eq!(refused.0, 400);
    assert!(refused.1.contains("accepted: skidpad.v1"), "{refused:?}");
    goes_on(&stage).await;
    stage.end();
}

#[tokio::test]
async fn other_names_and_other_pages_are_refused() {
    let stage = Stage::set(IDEAL);
    let address = stage.address;
    let refused = Viewer::connect(address, &[("origin", "http://evil.example")]).await.err().unwrap();
    assert_eq!(refused.0, 403);
    assert!(serde_json::from_str::<Value>(&refused.1).unwrap()["error"].as_str().unwrap().starts_with("Origin: "));
    let own = format!("http://{address}");
    assert!(Viewer::connect(address, &[("origin", &own)]).await.is_ok());
    let refused = Viewer::connect(address, &[("host", "evil.example")]).await.err().unwrap();
    assert_eq!(refused.0, 403);
    let (status, _, _) = get(address, "/api/scene", "Origin: null\r\n").await;
    assert_eq!(status, 403);
    stage.end();
}

#[tokio::test]
async fn nobody_gets_in_without_the_token() {
    let mut plan = Plan::default();
    plan.options.token = Some(TOKEN.into());
    let stage = Stage::with(world(IDEAL), plan);
    let address = stage.address;
    for protocols in ["skidpad.v1", "skidpad.v1, token.0123456789abcdee", "skidpad.v1, token."] {
        let refused = Viewer::connect(address, &[("sec-websocket-protocol", protocols)]).await.err().unwrap();
        assert_eq!(refused.0, 401, "{protocols}");
        assert!(refused.1.contains("token: ") && !refused.1.contains(TOKEN), "{refused:?}");
    }
    let protocols = format!("skidpad.v1, token.{TOKEN}");
    assert!(Viewer::connect(address, &[("sec-websocket-protocol", &protocols)]).await.is_ok());
    for path in ["/api/scene", "/api/state", "/api/status", "/api/maps/0.png", "/api/parts/0", "/api/files/0/x.dae"] {
        assert_eq!(get(address, path, "").await.0, 401, "{path}");
    }
    assert_eq!(get(address, "/api/status", &format!("Authorization: Bearer {TOKEN}\r\n")).await.0, 200);
    assert_eq!(get(address, &format!("/api/status?token={TOKEN}"), "").await.0, 200);
    assert_eq!(get(address, "/api/health", "").await.0, 200);
    assert_eq!(get(address, "/", "").await.0, 200);
    stage.end();
}

/// Answers no order until it is released.
#[derive(Default)]
struct Silent(Mutex<Vec<OrderCallback>>);

impl Pilot for Silent {
    fn carry_out(&self, _: Order, reply: OrderCallback) {
        self.0.lock().unwrap().push(reply);
    }
}

#[tokio::test]
async fn viewers_that_come_and_go_cannot_pile_up_orders() {
    let (hub, pilot) = (Arc::new(Hub::new()), Arc::new(Silent::default()));
    hub.show(PublishedScene::new(SceneView::default(), Files::default(), Vec::<Vec<u8>>::new()));
    let options = Options { listen: Listen { host: None, port: Some(0) }, ..Options::default() };
    let server = Server::start(&options, hub, pilot.clone(), Mode::Live).unwrap();
    let waiting = || pilot.0.lock().unwrap().len();
    let mut refused = None;
    for viewers in 0..40 {
        let mut viewer = match Viewer::connect(server.address(), &[]).await {
            Ok((viewer, _)) => viewer,
            Err(refusal) => {
                refused = Some((viewers, refusal.0));
                break;
            }
        };
        let before = waiting();
        viewer.say(json!({ "id": 1, "order": { "do": "pause" } }).to_string()).await;
        let patience = Instant::now() + Duration::from_secs(20);
        while waiting() == before {
            assert!(Instant::now() < patience, "the order does not arrive");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    assert_eq!((refused, waiting()), (Some((32, 503)), 32));
    pilot.0.lock().unwrap().drain(..).for_each(|reply| reply(Ok(1.0.into())));
    let patience = Instant::now() + Duration::from_secs(20);
    while Viewer::connect(server.address(), &[]).await.is_err() {
        assert!(Instant::now() < patience, "its place is not free again");
    }
    server.shutdown("the test has ended");
}
