//! Orders of viewers, over WebSocket and REST.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skidpad::math::Twist2;
use tokio::time::sleep;

use crate::peer::{Viewer, get, post};
use crate::stage::{Plan, Stage, keeps_pace, world, yard};
use crate::support::{CAR, IDEAL};

/// Less than the timeout of drivers.
const SILENCE: Duration = Duration::from_millis(400);

/// Waits until `done` says so.
async fn until(event: &str, done: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < patience, "never: {event}");
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn time_stands_steps_and_runs_as_ordered() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    let refusal = viewer.order(json!({ "do": "step", "count": 2 })).await.unwrap_err();
    assert_eq!(refusal, "step: the simulation is running\n  hint: pause it first");
    let paused = viewer.order(json!({ "do": "pause" })).await.unwrap();
    viewer.status(|status| status["paused"] == json!(true)).await;
    let stepped = viewer.order(json!({ "do": "step", "count": 4 })).await.unwrap();
    assert!((stepped - paused - 0.02).abs() < 1e-9, "{paused} {stepped}");
    viewer.order(json!({ "do": "set_rate", "rate": null })).await.unwrap();
    viewer.status(|status| status["rate"] == Value::Null).await;
    viewer.order(json!({ "do": "set_rate", "rate": 0.25 })).await.unwrap();
    viewer.order(json!({ "do": "resume" })).await.unwrap();
    let status = viewer.status(|status| status["paused"] == json!(false)).await;
    assert_eq!(status["rate"], json!(0.25));
    keeps_pace(&stage, 0.25, sleep(Duration::from_secs(2))).await;
    stage.end();
}

#[tokio::test]
async fn a_vehicle_whose_driver_falls_silent_stands() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    let drive = json!({ "do": "drive", "vehicle": 0, "speed": 1.0, "turn": 0.0 });
    for _ in 0..10 {
        let reported = Instant::now();
        viewer.order(drive.clone()).await.unwrap();
        sleep(Duration::from_millis(100)).await;
        let is_driving = stage.first()[3] > 0.9;
        assert!(is_driving || reported.elapsed() > SILENCE, "it stands though somebody drives");
    }
    let last = Instant::now();
    until("it stands", || stage.first()[3] == 0.0).await;
    let took = last.elapsed().as_secs_f64();
    assert!((0.2..1.5).contains(&took), "{took} s");
    // Leaving stops the vehicle at once, without a timeout.
    let mut quickest = Duration::MAX;
    for _ in 0..5 {
        let mut viewer = Viewer::join(stage.address).await;
        viewer.order(drive.clone()).await.unwrap();
        until("it drives", || stage.first()[3] > 0.9).await;
        viewer.order(drive.clone()).await.unwrap();
        let gone = Instant::now();
        drop(viewer);
        until("it stands", || stage.first()[3] == 0.0).await;
        quickest = quickest.min(gone.elapsed());
    }
    assert!(quickest < SILENCE, "{quickest:?}");
    stage.end();
}

#[tokio::test]
async fn who_drives_over_rest_has_to_say_so_again_too() {
    let stage = Stage::set(IDEAL);
    let (status, answer) = post(stage.address, "{\"do\": \"drive\", \"vehicle\": 0, \"speed\": 1, \"turn\": 0}").await;
    assert_eq!((status, &answer["error"]), (200, &Value::Null));
    until("it drives", || stage.first()[3] > 0.9).await;
    let began = Instant::now();
    until("it stands", || stage.first()[3] == 0.0).await;
    assert!(began.elapsed() < Duration::from_millis(1500), "{:?}", began.elapsed());
    stage.end();
}

#[tokio::test]
async fn cars_are_steered_and_pedals_refused_where_there_are_none() {
    let stage = Stage::set(CAR);
    let mut viewer = Viewer::join(stage.address).await;
    viewer.order(json!({ "do": "drive", "vehicle": 0, "speed": 1.0, "turn": 0.2 })).await.unwrap();
    // Before the first frame there is no vehicle.
    let steer = || stage.seen.lock().unwrap().frame.vehicles.first().map_or(0.0, |car| car.setpoint.steering_angle);
    until("it steers", || (steer() - 0.2).abs() < 1e-9).await;
    let pedals = json!({
        "do": "pedals", "vehicle": 0, "throttle": 0.5, "brake": 0, "reverse": false, "steering_angle": 0.0
    });
    let refusal = viewer.order(pedals).await.unwrap_err();
    assert!(refusal.contains("pedals") && refusal.contains("accepted: "), "{refusal}");
    stage.end();
}

#[tokio::test]
async fn robots_that_can_are_driven_sideways() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    let (_, _, scene) = get(stage.address, "/api/scene", "").await;
    let scene: Value = serde_json::from_slice(&scene).unwrap();
    assert_eq!(scene["vehicles"][0]["moves_sideways"], json!(true));
    viewer.order(json!({ "do": "drive", "vehicle": 0, "speed": 0, "turn": 0, "sideways": -0.5 })).await.unwrap();
    let wanted = || stage.seen.lock().unwrap().frame.vehicles.first().map(|robot| robot.setpoint.velocity_in_body);
    until("it moves to its right", || wanted() == Some(Twist2::new(0.0, -0.5, 0.0))).await;
    stage.end();

    let stage = Stage::set(CAR);
    let mut viewer = Viewer::join(stage.address).await;
    let sideways = json!({ "do": "drive", "vehicle": 0, "speed": 1, "turn": 0, "sideways": 0.1 });
    let refusal = viewer.order(sideways).await.unwrap_err();
    assert!(refusal.ends_with("does not move sideways\n  accepted: 0 for sideways"), "{refusal}");
    stage.end();
}

#[tokio::test]
async fn things_are_put_where_they_shall_be() {
    let plan = Plan { paused: true, ..Plan::default() };
    let stage = Stage::with(world(&yard(1, "")), plan);
    let mut viewer = Viewer::join(stage.address).await;
    viewer.watch(30.0, json!("none")).await;
    viewer.order(json!({ "do": "place", "entity": 0, "x": 4.5, "y": -2, "z": null, "yaw": 1.5 })).await.unwrap();
    // Also while time stands it is seen at once.
    until("it is there", || stage.first()[..3] == [4.5, -2.0, 1.5]).await;
    let patience = Instant::now() + Duration::from_secs(5);
    while (viewer.first("x"), viewer.first("y")) != (4.5, -2.0) {
        viewer.state_time().await;
        assert!(Instant::now() < patience);
    }
    viewer.order(json!({ "do": "place", "entity": 1, "x": -1, "y": -1, "z": null, "yaw": 0 })).await.unwrap();
    until("the box too", || stage.seen.lock().unwrap().frame.blocks[0].x == -1.0).await;
    let refusal = viewer.order(json!({ "do": "place", "entity": 99, "x": 0, "y": 0, "z": null, "yaw": 0 })).await;
    assert!(refusal.unwrap_err().contains("99"));
    viewer.order(json!({ "do": "step", "count": 2 })).await.unwrap();
    viewer.order(json!({ "do": "reset" })).await.unwrap();
    until("it is back", || stage.first()[..2] == [0.0, 0.0]).await;
    // The driver is notified.
    viewer.status(|status| status["resets"] == 1).await;
    stage.end();
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_a_reason() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    let cases = [
        (
            json!({ "do": "seek", "time": 1.0 }),
            "seek: a running simulation has no other times\n  accepted: in a recording",
        ),
        (json!({ "do": "fly" }), "order: unknown variant `fly`, expected one of `watch`, "),
        (json!({ "do": "step", "count": 1, "x": 1 }), "order: unknown field `x`"),
        (json!({ "do": "pause", "x": 1 }), "order: unknown field `x`"),
        (json!({ "do": "drive", "vehicle": 0 }), "order: missing field `speed`"),
        (json!({ "do": "drive", "vehicle": 9, "speed": 1, "turn": 0 }), "command: the vehicle has been removed"),
        (json!({ "do": "drive", "vehicle": 0, "speed": 1e9, "turn": 0 }), ""),
        (json!({ "do": "step", "count": 0 }), "step: count 0 is out of range\n  accepted: 1 to 100000"),
        (json!({ "do": "set_rate", "rate": -1 }), "set_rate: rate -1 is out of range\n  accepted: 0.001 or more, none"),
        (json!({ "do": "set_rate", "rate": 1e-9 }), "set_rate: rate 0.000000001 is out of range"),
        (json!({ "do": "watch", "rate": 61, "points": "none", "stride": 1 }), "watch: rate 61 is out of range"),
        (json!({ "do": "watch", "rate": 1e-300, "points": "none", "stride": 1 }), "watch: rate 0.0000"),
        (json!({ "do": "watch", "rate": 1, "points": "none", "stride": 0 }), "watch: stride 0 is out of range"),
        (
            json!({ "do": "watch", "rate": 1, "points": "none", "stride": 1,
                "pictures": vec![json!({ "vehicle": 1, "sensor": 0, "topic": 0 }); 9] }),
            "watch: 9 pictures are too many\n  accepted: up to 8",
        ),
        (json!(null), "order: "),
    ];
    for (order, reason) in cases {
        let refusal = viewer.order(order.clone()).await.unwrap_err();
        assert!(refusal.starts_with(reason), "{order}: {refusal}");
    }
    for (order, status, reason) in [
        ("{\"do\": \"seek\", \"time\": 1}", 409, "seek: "),
        ("{\"do\": \"step\", \"count\": 0}", 400, "step: count 0"),
        ("{\"do\": \"watch\", \"rate\": 1, \"points\": \"none\", \"stride\": 1}", 400, "watch: needs a WebSocket"),
        ("{", 400, "order: EOF"),
    ] {
        let (actual, answer) = post(stage.address, order).await;
        assert_eq!(actual, status, "{order}: {answer}");
        assert!(answer["error"].as_str().unwrap().starts_with(reason), "{order}: {answer}");
    }
    stage.end();
}

#[tokio::test]
async fn who_may_only_look_gets_everything_and_changes_nothing() {
    let mut plan = Plan::default();
    plan.options.read_only = true;
    let stage = Stage::with(world(IDEAL), plan);
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["read_only"], json!(true));
    viewer.watch(30.0, json!("none")).await;
    viewer.state_time().await;
    for order in [json!({ "do": "pause" }), json!({ "do": "drive", "vehicle": 0, "speed": 1, "turn": 0 })] {
        let refusal = viewer.order(order).await.unwrap_err();
        assert_eq!(refusal, "order: this server is read-only\n  accepted: watch, parameters");
    }
    let (status, answer) = post(stage.address, "{\"do\": \"pause\"}").await;
    assert_eq!(
        (status, answer["error"].as_str().unwrap()),
        (403, "order: this server is read-only\n  accepted: watch, parameters")
    );
    let before = viewer.state_time().await;
    assert!(viewer.state_time().await > before);
    stage.end();
}

#[tokio::test]
async fn scene_state_and_status_are_there_as_json() {
    let stage = Stage::set(&yard(2, ""));
    let address = stage.address;
    let json = |body: Vec<u8>| serde_json::from_slice::<Value>(&body).unwrap();
    drop(Viewer::join(address).await);
    let (status, head, scene) = get(address, "/api/scene", "").await;
    assert_eq!(status, 200);
    assert!(head.contains("content-type: application/json") && head.contains("cache-control: no-store"), "{head}");
    let names = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&json(scene)["vehicles"]), ["r0", "r1"]);
    let (status, _, state) = get(address, "/api/state", "").await;
    let state = json(state);
    assert_eq!((status, names(&state["vehicles"])), (200, vec!["r0".into(), "r1".into()]));
    assert_eq!(state["vehicles"][1]["x"], json!(3.0));
    let (_, _, run) = get(address, "/api/status", "").await;
    assert_eq!(json(run)["paused"], json!(false));
    let (status, _, health) = get(address, "/api/health", "").await;
    assert_eq!((status, json(health)), (200, json!({ "ok": true })));
    let (status, _, missing) = get(address, "/api/nothing", "").await;
    assert_eq!(status, 404);
    assert!(json(missing)["error"].as_str().unwrap().starts_with("/api/nothing: there is nothing here"));
    stage.end();
}
