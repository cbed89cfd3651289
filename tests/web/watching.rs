//! The data that viewers receive, and that watching does not change the simulation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skidpad::log_lines::Lines;
use skidpad::server::Options;
use skidpad::server::warnings::WarningLog;
use skidpad::time::{Rate, SimTime};
use tracing_subscriber::layer::SubscriberExt as _;

use crate::peer::{Incoming, Viewer, get, post};
use crate::stage::{LIDAR, Plan, Stage, world, yard};
use crate::support::IDEAL;

#[tokio::test]
async fn the_greeting_has_the_warnings_of_the_load_up_to_a_limit() {
    let plan = Plan::default();
    let warnings: Vec<String> = (0..300).map(|line| format!("w.xml:{line}:1: unknown tag")).collect();
    let options = Options { warnings: warnings.clone(), ..plan.options.clone() };
    let stage = Stage::with(world(IDEAL), Plan { options, ..plan });
    let viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["warnings"], json!(warnings[..200]));
    stage.end();
}

#[tokio::test]
async fn states_come_when_they_are_asked_for_and_as_often() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!((&viewer.greeting["mode"], &viewer.greeting["read_only"]), (&json!("live"), &json!(false)));
    // Nothing but status so far.
    viewer.status(|status| status["viewers"] == json!(1)).await;
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(1500) {
        let next = viewer.next().await;
        assert!(matches!(next, Incoming::Status(_)), "{next:?}");
    }
    let watch = json!({ "do": "watch", "rate": 20, "points": "none", "stride": 1 });
    viewer.say(json!({ "id": 1, "order": watch }).to_string()).await;
    let first = loop {
        if let Incoming::State { is_key, time } = viewer.next().await {
            assert!(is_key, "no key at first");
            break time;
        }
    };
    let (began, mut last, mut count) = (Instant::now(), first, 0);
    while began.elapsed() < Duration::from_secs(2) {
        if let Incoming::State { is_key, time } = viewer.next().await {
            assert!(!is_key && time > last, "{time} after {last}");
            (last, count) = (time, count + 1);
        }
    }
    // A busy machine may send fewer.
    assert!((5..=42).contains(&count), "{count} states in two seconds");
    viewer.watch(0.0, json!("none")).await;
    let (mut states, began) = (0, Instant::now());
    while began.elapsed() < Duration::from_millis(1500) {
        states += u32::from(matches!(viewer.next().await, Incoming::State { .. }));
    }
    // One may have been on its way.
    assert!(states <= 1, "{states} states that nobody wants");
    stage.end();
}

#[tokio::test]
async fn a_state_says_where_the_vehicle_is_and_how_it_moves() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    viewer.watch(50.0, json!("none")).await;
    viewer.state_time().await;
    assert!((viewer.first("x") - 1.0).abs() < 1e-3 && (viewer.first("y") - 2.0).abs() < 1e-3);
    viewer.order(json!({ "do": "drive", "vehicle": 0, "speed": 0.5, "turn": 0.25 })).await.unwrap();
    let at = viewer.state_time().await;
    viewer.state_time().await;
    assert!((viewer.first("vx") - 0.5).abs() < 1e-3 && (viewer.first("yaw_rate") - 0.25).abs() < 1e-3);
    viewer.order(json!({ "do": "pause" })).await.unwrap();
    let mut time = at;
    let patience = Instant::now() + Duration::from_secs(5);
    // It stands still while paused, and is told all the same.
    while time != viewer.state_time().await {
        assert!(Instant::now() < patience);
        time = viewer.state_time().await;
    }
    let [x, y, yaw, _] = stage.first();
    assert!(x > 1.0);
    for (name, truth) in [("x", x), ("y", y), ("yaw", yaw)] {
        assert!((viewer.first(name) - truth).abs() < 6e-4, "{name}: {} is {truth}", viewer.first(name));
    }
    stage.end();
}

#[tokio::test]
async fn each_scan_comes_once_with_the_place_where_it_was_taken() {
    let stage = Stage::set(&yard(2, LIDAR));
    let mut viewer = Viewer::join(stage.address).await;
    viewer.order(json!({ "do": "drive", "vehicle": 0, "speed": 0.5, "turn": 0.0 })).await.unwrap();
    viewer.watch(60.0, json!("all")).await;
    let (mut seen, began) = (Vec::new(), Instant::now());
    while began.elapsed() < Duration::from_millis(1500) {
        if let Incoming::Scan { vehicle, stride, time, pose, ranges } = viewer.next().await {
            assert_eq!((stride, ranges.len()), (1, 361));
            // The first looks at the second, 3 m away; that one looks past it.
            let nearest = ranges.iter().flatten().fold(f64::MAX, |nearest, range| nearest.min(*range));
            assert!(vehicle == 1 || (2.0..3.0).contains(&nearest), "{nearest} at {time}, {pose:?} {:?}", stage.first());
            assert!((f64::from(pose[0]) - 3.0 * f64::from(vehicle)).abs() < 1.0, "{pose:?}");
            seen.push((vehicle, (time * 1e3).round() as i64));
        }
    }
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all, "a scan came twice");
    assert!(seen.iter().all(|(_, time)| time % 50 == 0), "{seen:?}");
    // 20 per second and robot, of which a viewer at 60 per second misses few where the machine has time.
    let span = seen.iter().map(|(_, time)| time).max().unwrap() - seen.iter().map(|(_, time)| time).min().unwrap();
    assert!((8..=2 * (span / 50 + 1)).contains(&(all as i64)), "{all} scans in {span} ms");
    viewer.watch(60.0, json!({ "vehicle": 1 })).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(300) {
        if let Incoming::Scan { vehicle, .. } = viewer.next().await {
            assert_eq!(vehicle, 1);
        }
    }
    stage.end();
}

#[tokio::test]
async fn viewers_change_no_bit() {
    let run = |name: &'static str| {
        let duration = Some(SimTime::from_secs(4.0));
        let plan = Plan { rate: Rate::Max, duration, paused: true, ..Plan::default() };
        let mut world = world(&yard(5, LIDAR));
        for vehicle in 0..5 {
            let twist = skidpad::math::Twist2::new(1.0, 0.0, 0.3);
            let action = skidpad::vehicle::Action::Twist(twist);
            world.command(skidpad::vehicle::Command { vehicle, action }).unwrap();
        }
        (name, Stage::with(world, plan))
    };
    let (_, alone) = run("alone");
    alone.outbox.send(skidpad::runner::Request::Pause(false));
    let (_, wanted) = alone.wait();
    let (_, stage) = run("watched");
    let mut viewers = Vec::new();
    for _ in 0..3 {
        let mut viewer = Viewer::join(stage.address).await;
        viewer.watch(60.0, json!("all")).await;
        viewers.push(viewer);
    }
    // Two look until the end, the third takes nothing.
    let stalled = viewers.pop();
    let address = stage.address;
    assert_eq!(post(address, "{\"do\": \"resume\"}").await.0, 200);
    let watch = |mut viewer: Viewer| async move {
        let mut states = 0;
        loop {
            match viewer.next().await {
                Incoming::State { .. } => states += 1,
                Incoming::Closed(code, _) => return (states, code),
                _ => {}
            }
        }
    };
    let watching: Vec<_> = viewers.into_iter().map(|viewer| tokio::spawn(watch(viewer))).collect();
    let (summary, bits) = tokio::task::spawn_blocking(|| stage.wait()).await.unwrap();
    for viewer in watching {
        let (states, code) = viewer.await.unwrap();
        assert!(states > 0);
        assert_eq!(code, 1001);
    }
    drop(stalled);
    assert_eq!((summary.steps, bits), (800, wanted));
}

#[tokio::test]
async fn ten_vehicles_take_less_than_150_kilobytes_in_a_second() {
    let mut world = world(&yard(10, ""));
    for vehicle in 0..10 {
        let twist = skidpad::math::Twist2::new(1.5, 0.0, 0.2 + 0.1 * vehicle as f64);
        let action = skidpad::vehicle::Action::Twist(twist);
        world.command(skidpad::vehicle::Command { vehicle, action }).unwrap();
    }
    let stage = Stage::with(world, Plan::default());
    let mut viewer = Viewer::join(stage.address).await;
    viewer.watch(30.0, json!("none")).await;
    for _ in 0..10 {
        viewer.state_time().await;
    }
    // Counted by states: on a busy machine they come later, and hold more then.
    viewer.bytes = 0;
    for _ in 0..60 {
        viewer.state_time().await;
    }
    let rate = viewer.bytes as f64 / 60.0 * 30.0;
    println!("{:.1} kB/s", rate / 1e3);
    assert!((1e3..150e3).contains(&rate), "{rate} bytes/s");
    stage.end();
}

#[tokio::test]
async fn things_that_come_or_go_make_another_scene() {
    let stage = Stage::set(&yard(2, LIDAR));
    let (mut viewer, scene) = Viewer::connect(stage.address, &[]).await.unwrap();
    viewer.watch(60.0, json!("all")).await;
    viewer.state_time().await;
    let gone = scene["vehicles"][0]["id"].as_u64().unwrap();
    stage.outbox.visit(move |visit| visit.world.remove(skidpad::world::EntityId(gone)).unwrap());
    let (mut is_new, patience) = (false, Instant::now() + Duration::from_secs(20));
    loop {
        assert!(Instant::now() < patience);
        match viewer.next().await {
            Incoming::Scene(scene) => {
                assert_eq!(scene["vehicles"].as_array().unwrap().len(), 1);
                is_new = true;
            }
            Incoming::State { is_key, .. } if is_new => {
                assert!(is_key);
                break;
            }
            _ => {}
        }
    }
    assert!((viewer.first("x") - 3.0).abs() < 0.01, "{}", viewer.first("x"));
    stage.end();
}

/// The next warning that arrives.
async fn next_warning(viewer: &mut Viewer) -> Value {
    loop {
        if let Incoming::Notice(notice) = viewer.next().await {
            return notice;
        }
    }
}

#[tokio::test]
async fn viewers_see_the_warnings_of_the_run_also_those_before_they_came() {
    let log: Arc<WarningLog> = Arc::default();
    let lines = Lines::new(vec![log.reader()], "nobody");
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines));
    tracing::warn!("of the load, which the greeting has");
    let stage = Stage::with(world(IDEAL), Plan { log: Arc::clone(&log), ..Plan::default() });
    let mut first = Viewer::join(stage.address).await;
    tracing::warn!("slow");
    let reported = next_warning(&mut first).await;
    assert_eq!(
        (&reported["level"], &reported["text"], &reported["number"]),
        (&json!("warning"), &json!("slow"), &json!(2))
    );
    assert!(reported["time"].as_f64().is_some_and(|time| (0.0..10.0).contains(&time)), "{reported}");
    tracing::error!("failed");
    assert_eq!(next_warning(&mut first).await["level"], json!("error"));
    let mut second = Viewer::join(stage.address).await;
    assert_eq!(next_warning(&mut second).await, reported);
    assert_eq!(next_warning(&mut second).await["text"], json!("failed"));
    stage.end();
}

#[tokio::test]
async fn viewers_are_told_when_it_ends() {
    let plan = Plan { duration: Some(SimTime::from_secs(1.0)), ..Plan::default() };
    let stage = Stage::with(world(IDEAL), plan);
    let mut viewer = Viewer::join(stage.address).await;
    let run = tokio::task::spawn_blocking(|| stage.wait());
    let mut said = Vec::new();
    let code = loop {
        match viewer.next().await {
            Incoming::Notice(notice) => said.push(notice["text"].as_str().unwrap().to_owned()),
            Incoming::Status(status) if status["ended"] == json!(true) => said.push("ended".into()),
            Incoming::Closed(code, reason) => {
                said.push(reason);
                break code;
            }
            _ => {}
        }
    };
    assert_eq!(code, 1001);
    assert_eq!(said.last().unwrap(), "the simulation has ended");
    assert!(said.iter().filter(|text| *text == "the simulation has ended").count() == 2, "{said:?}");
    run.await.unwrap();
}

#[tokio::test]
async fn the_page_comes_compressed_and_may_load_nothing_from_elsewhere() {
    let stage = Stage::set(IDEAL);
    let (status, head, body) = get(stage.address, "/", "").await;
    assert_eq!(status, 200);
    assert!(head.contains("content-type: text/html") && head.contains("cache-control: no-cache"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{head}");
    let page = String::from_utf8(body).unwrap();
    let script = page.split("src=\"./").nth(1).and_then(|part| part.split('"').next()).unwrap();
    let path = format!("/{script}");
    let (status, head, plain) = get(stage.address, &path, "").await;
    assert_eq!(status, 200);
    assert!(head.contains("content-type: text/javascript") && head.contains("immutable"), "{head}");
    let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let (status, _, body) = get(stage.address, &path, &format!("If-None-Match: {tag}\r\n")).await;
    assert_eq!((status, body.len()), (304, 0));
    let patience = Instant::now() + Duration::from_secs(30);
    // It is compressed once, beside everything else.
    let zipped = loop {
        let (_, head, body) = get(stage.address, &path, "Accept-Encoding: gzip, br\r\n").await;
        if head.contains("content-encoding: gzip") {
            break body;
        }
        assert!(Instant::now() < patience, "it is never compressed");
    };
    let mut unzipped = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(zipped.as_slice()), &mut unzipped).unwrap();
    assert!(unzipped == plain && zipped.len() < plain.len());
    let (status, _, body) = get(stage.address, "/../Cargo.toml", "").await;
    assert_eq!(status, 404, "{}", String::from_utf8_lossy(&body));
    stage.end();
}
