//! Many clients of the viewer's server, slow and fast: resources stay bounded, and the simulation keeps its rate. Memory and rate are
//! measured for the whole process, so that these tests have a separate binary, and those that measure run one at a time.

#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../web/peer.rs"]
mod peer;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../web/stage.rs"]
mod stage;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use futures::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::peer::{Incoming, Viewer, get};
use crate::stage::{LIDAR, Plan, Stage, keeps_pace, world, yard};
use crate::support::IDEAL;

/// Held by the test whose turn it is to measure.
static TURN: Mutex<()> = Mutex::const_new(());

/// Resident memory of this process [MB].
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1e3
}

/// The response to a connection that sends no request, once there is one or it is closed.
async fn first_words(mut stream: TcpStream) -> String {
    let mut got = vec![0; 512];
    let count = stream.read(&mut got).await.unwrap_or(0);
    String::from_utf8_lossy(&got[..count]).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_thousand_connections_get_a_place_or_a_reason() {
    let _turn = TURN.lock().await;
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    viewer.watch(30.0, json!("none")).await;
    let memory_before = memory();
    // The viewer has one slot; the other connections wait for a request.
    let (refusals, waiting) = keeps_pace(&stage, 1.0, async {
        let mut asking = JoinSet::new();
        for _ in 0..1000 {
            asking.spawn(first_words(TcpStream::connect(stage.address).await.unwrap()));
        }
        let mut refusals = Vec::new();
        while refusals.len() < 873 {
            refusals.push(timeout(Duration::from_secs(8), asking.join_next()).await.unwrap().unwrap().unwrap());
        }
        (refusals, asking)
    })
    .await;
    assert_eq!(waiting.len(), 127);
    // Some may have lost the answer to the closing.
    let refused = refusals.iter().filter(|words| words.starts_with("HTTP/1.1 503 ")).count();
    assert!(refused >= 850, "{refused} refused");
    let words = refusals.iter().find(|words| words.contains("all places are taken")).unwrap();
    let (head, body) = words.split_once("\r\n\r\n").unwrap();
    assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{words}");
    assert_eq!(body, r#"{"error":"server: all places are taken\n  accepted: 128 connections"}"#);
    assert!(memory() - memory_before < 60.0, "{} MB more", memory() - memory_before);
    // The first viewer is still connected.
    let before = viewer.state_time().await;
    assert!(viewer.state_time().await > before);
    drop(waiting);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(get(stage.address, "/api/health", "").await.0, 200);
    Viewer::join(stage.address).await;
    stage.end();
}

#[tokio::test]
async fn thirty_two_may_look_and_no_more() {
    let _turn = TURN.lock().await;
    let stage = Stage::set(IDEAL);
    let mut viewers = Vec::new();
    for _ in 0..32 {
        viewers.push(Viewer::join(stage.address).await);
    }
    let refused = Viewer::connect(stage.address, &[]).await.err().unwrap();
    assert_eq!(refused.0, 503);
    assert!(refused.1.contains("all places are taken\\n  accepted: up to 32 viewers"), "{refused:?}");
    assert_eq!(viewers[0].status(|status| status["viewers"] == json!(32)).await["viewers"], json!(32));
    drop(viewers.pop());
    let patience = Instant::now() + Duration::from_secs(5);
    while Viewer::connect(stage.address, &[]).await.is_err() {
        assert!(Instant::now() < patience, "its place is not free again");
    }
    stage.end();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn who_takes_nothing_is_let_go_and_holds_nobody_up() {
    let _turn = TURN.lock().await;
    let stage = Stage::set(&yard(6, LIDAR));
    let mut stalled = Viewer::join_narrow(stage.address).await;
    stalled.watch(60.0, json!("all")).await;
    let mut viewer = Viewer::join(stage.address).await;
    viewer.watch(30.0, json!("none")).await;
    let memory_before = memory();
    let latest = keeps_pace(&stage, 1.0, async {
        let (began, mut last, mut latest) = (Instant::now(), stage.time(), 0.0_f64);
        let mut is_gone = false;
        while !is_gone {
            assert!(began.elapsed() < Duration::from_secs(60), "it keeps its place");
            match viewer.next().await {
                Incoming::State { time, .. } => {
                    latest = latest.max(time - last);
                    last = time;
                }
                Incoming::Status(status) => is_gone = status["viewers"] == json!(1),
                other => panic!("{other:?}"),
            }
        }
        assert!(began.elapsed() > Duration::from_secs(10), "after {:?}", began.elapsed());
        latest
    })
    .await;
    assert!(latest < 1.0, "{latest} s without a state");
    assert!(memory() - memory_before < 30.0, "{} MB more", memory() - memory_before);
    drop(stalled);
    stage.end();
}

#[tokio::test]
async fn who_asks_for_nothing_is_let_go() {
    // Beside the others: it only waits.
    let stage = Stage::set(IDEAL);
    let mut slow = TcpStream::connect(stage.address).await.unwrap();
    let began = Instant::now();
    let mut closed = [0; 64];
    // A header that never ends.
    let ended = loop {
        if slow.write_all(b"X").await.is_err() || began.elapsed() > Duration::from_secs(15) {
            break began.elapsed();
        }
        if let Ok(Ok(0) | Err(_)) = timeout(Duration::from_millis(500), slow.read(&mut closed)).await {
            break began.elapsed();
        }
    };
    assert!((9.0..12.0).contains(&ended.as_secs_f64()), "{ended:?}");
    stage.end();
}

#[tokio::test]
async fn hasty_orders_are_refused_and_hold_nobody_up() {
    let _turn = TURN.lock().await;
    let stage = Stage::set(IDEAL);
    let mut hasty = Viewer::join(stage.address).await;
    let began = Instant::now();
    for id in 1..=1000 {
        hasty
            .say(json!({ "id": id, "order": { "do": "drive", "vehicle": 0, "speed": 1, "turn": 0 } }).to_string())
            .await;
    }
    let (mut done, mut refused) = (0, 0);
    while done + refused < 1000 {
        if let Incoming::Answer(answer) = hasty.next().await {
            match answer["error"].as_str() {
                None => done += 1,
                Some(error) => {
                    assert_eq!(error, "order: too many\n  accepted: up to 200 in a second");
                    refused += 1;
                }
            }
        }
    }
    let took = began.elapsed().as_secs_f64();
    let most = 201 + (200.0 * took) as usize;
    assert!((200..=most).contains(&done), "{done} of 1000 carried out in {took} s");
    // A busy machine may need the seconds in which they are allowed.
    assert!(refused > 0 || took > 3.9, "1000 carried out in {took} s");
    // Nor does one that never listens: what it says waits in its own socket.
    let mut deaf = Viewer::join(stage.address).await;
    let flood = async {
        loop {
            let text = json!({ "id": 1, "order": { "do": "nonsense".repeat(1000) } }).to_string();
            if deaf.socket.send(Message::text(text)).await.is_err() {
                break;
            }
        }
    };
    let memory_before = memory();
    let _ = keeps_pace(&stage, 1.0, timeout(Duration::from_secs(3), flood)).await;
    assert!(memory() - memory_before < 60.0, "{} MB more", memory() - memory_before);
    stage.end();
}

/// A ping with as much as one may hold, of a mask of zeros.
fn ping() -> Vec<u8> {
    [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat()
}

/// Pings until the server has taken no more for two seconds, and after each MB reads so many bytes of its answers: what it took less what came
/// back, which is what waits somewhere [MB].
async fn unanswered_pings(stream: &mut TcpStream, read: usize) -> f64 {
    /// More than the buffers of both systems hold [bytes].
    const MAX_BYTES: usize = 300 << 20;
    let pings = ping().repeat(500);
    let (mut taken, mut got, mut waits) = (0, 0, 0);
    let mut buffer = vec![0; read.max(1)];
    while taken < MAX_BYTES && waits < 20 {
        let before = taken >> 20;
        match timeout(Duration::from_millis(100), stream.write(&pings[taken % ping().len()..])).await {
            Ok(count) => taken += count.unwrap(),
            Err(_) => waits += 1,
        }
        if read > 0 && taken >> 20 > before {
            got += timeout(Duration::from_millis(100), stream.read(&mut buffer)).await.map_or(0, Result::unwrap);
        }
    }
    taken.saturating_sub(got) as f64 / 1e6
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pongs_that_nobody_reads_hold_up_only_their_own_connection() {
    let _turn = TURN.lock().await;
    for (read_only, read) in [(false, 0), (true, 0), (false, 4000), (true, 4000)] {
        let mut plan = Plan::default();
        plan.options.read_only = read_only;
        let stage = Stage::with(world(IDEAL), plan);
        let mut viewer = Viewer::join(stage.address).await;
        viewer.watch(30.0, json!("none")).await;
        let mut pinging = Viewer::join_narrow(stage.address).await;
        let memory_before = memory();
        let waiting = keeps_pace(&stage, 1.0, unanswered_pings(pinging.socket.get_mut(), read)).await;
        let more = memory() - memory_before;
        assert!(more < 30.0, "{more} MB more, read_only {read_only}, read {read}");
        // Both systems' buffers; they grow to some MB.
        assert!(waiting < 60.0, "{waiting} MB wait, read_only {read_only}, read {read}");
        let before = viewer.state_time().await;
        assert!(viewer.state_time().await > before);
        drop(pinging);
        stage.end();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pings_of_a_peer_that_reads_are_all_answered() {
    let _turn = TURN.lock().await;
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    for _ in 0..20 {
        for number in 0..100_u32 {
            viewer.socket.send(Message::Ping(number.to_be_bytes().to_vec().into())).await.unwrap();
        }
        let mut pongs = 0;
        while pongs < 100 {
            if let Message::Pong(bytes) = viewer.socket.next().await.unwrap().unwrap() {
                assert_eq!(*bytes, u32::to_be_bytes(pongs));
                pongs += 1;
            }
        }
    }
    assert!(viewer.order(json!({ "do": "pause" })).await.is_ok());
    stage.end();
}
