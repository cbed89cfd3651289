//! Orders that add and remove vehicles and blocks, change parameters, command vehicles in every way, and end the run.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::peer::{Viewer, post};
use crate::stage::{Plan, Stage, world, yard};
use crate::support::{CAR, IDEAL};

const CRATE: &str = "<block name='crate'><shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt></shape></block>";

/// The newest scene, once it holds what it should.
async fn scene(viewer: &mut Viewer, fits: impl Fn(&Value) -> bool) -> Value {
    let patience = Instant::now() + Duration::from_secs(10);
    while !fits(&viewer.scene) {
        assert!(Instant::now() < patience, "no such scene: {}", viewer.scene);
        viewer.next().await;
    }
    viewer.scene.clone()
}

fn spawn(source: &str, name: &str) -> Value {
    json!({ "do": "spawn", "what": source, "name": name, "x": 5, "y": 1, "z": 0, "yaw": 0.5 })
}

#[tokio::test]
async fn bodies_come_and_go() {
    let text = yard(1, "").replace(
        "<block ",
        &format!("{}<block ", CRATE.replace("<block", "<block:class").replace("</block", "</block:class")),
    );
    let stage = Stage::set(&text);
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["minor"], json!(8));
    let answer = viewer.answer(spawn("crate", "")).await.unwrap();
    assert_eq!(answer["name"], json!("crate"));
    let answer = viewer.answer(spawn("crate", "")).await.unwrap();
    assert_eq!(answer["name"], json!("crate_2"));
    let answer = viewer.answer(spawn(CRATE, "mine")).await.unwrap();
    assert_eq!(answer["name"], json!("mine"));
    let names = |scene: &Value| -> Vec<String> {
        scene["blocks"].as_array().unwrap().iter().map(|block| block["name"].as_str().unwrap().into()).collect()
    };
    let shown = scene(&mut viewer, |scene| names(scene).len() == 4).await;
    assert_eq!(names(&shown), ["box", "crate", "crate_2", "mine"]);
    let id = shown["blocks"][3]["id"].as_u64().unwrap();
    viewer.order(json!({ "do": "remove", "entity": id })).await.unwrap();
    scene(&mut viewer, |scene| names(scene) == ["box", "crate", "crate_2"]).await;
    let vehicle = yard(1, "").split_once("<vehicle").map(|(_, after)| format!("<vehicle{after}")).unwrap();
    let vehicle = vehicle.split_once("</vehicle>").map(|(first, _)| format!("{first}</vehicle>")).unwrap();
    let answer = viewer.answer(spawn(&vehicle, "r7")).await.unwrap();
    assert_eq!(answer["name"], json!("r7"));
    scene(&mut viewer, |scene| scene["vehicles"][1]["name"] == json!("r7")).await;
    let (status, answer) = post(stage.address, &spawn("crate", "").to_string()).await;
    assert_eq!((status, &answer["name"]), (200, &json!("crate_3")));
    // Who takes short scenes gets once what the crates share.
    let short = Viewer::scene_in_form(stage.address, "short").await;
    let corners = |scene: &Value| [1, 2].map(|block| scene["blocks"][block]["drawings"][0]["shape"]["corners"].clone());
    let [first, second] = corners(&short);
    let index: usize = first.as_str().and_then(|text| text.strip_prefix('#')).unwrap().parse().unwrap();
    assert_eq!((&first, &short["shared"][index]), (&second, &corners(&shown)[0]));
    assert!(shown["shared"].is_null());
    stage.end();
}

#[tokio::test]
async fn what_cannot_be_changed_is_refused_with_a_reason() {
    let stage = Stage::set(&yard(1, ""));
    let mut viewer = Viewer::join(stage.address).await;
    let secret = "<block><shape_from_visual/><visual><model_uri>/etc/passwd</model_uri></visual></block>";
    let cases = [
        (spawn("nothing", ""), "nothing"),
        (spawn(CRATE, "r0"), "spawn \"r0\": the name is taken\n  hint: \"r0_2\" is free"),
        (spawn("<vehicle", "x"), ""),
        (spawn("<block/><block/>", "x"), "spawn: it has 2 bodies"),
        (spawn("<wall/>", "x"), "spawn: it is a <wall>"),
        (spawn(secret, "x"), "outside of the folders that callers over the network may name"),
        (
            json!({ "do": "spawn", "what": CRATE, "name": "x", "x": 1e12, "y": 0, "z": 0, "yaw": 0 }),
            "spawn \"x\": its position is too far away\n  accepted: coordinates up to 1e9 m",
        ),
        (json!({ "do": "spawn", "what": "x" }), "order: missing field `name`"),
        (json!({ "do": "remove", "entity": 99 }), "remove: nothing here has the id 99"),
        (json!({ "do": "parameters", "vehicle": 99 }), "parameters: the vehicle has been removed"),
        (
            json!({ "do": "set_parameter", "vehicle": 0, "name": "gain", "value": 1 }),
            "vehicle \"r0\": its controller has no \"gain\"\n  accepted: kp, ki, kd, n, max_torque, feedforward",
        ),
        (
            json!({ "do": "set_parameter", "vehicle": 0, "name": "max_torque", "value": -1 }),
            "vehicle \"r0\", max_torque: found -1\n  accepted: a number from 0 to 1000000000",
        ),
        (
            json!({ "do": "command", "vehicle": 0, "command": { "kind": "fly", "up": 1 } }),
            "order: kind: found \"fly\"; accepted: twist, steering_rate, ackermann, wheel_speeds, pedals, wheels",
        ),
        (
            json!({ "do": "command", "vehicle": 0, "command": { "kind": "twist", "vx": 1e9, "vy": 0, "yaw_rate": 0 } }),
            "asks for more than any vehicle can do",
        ),
        (
            json!({ "do": "command", "vehicle": 0,
                "command": { "kind": "pedals", "throttle": 1, "brake": 0, "gear": "drive", "steering_angle": 0 } }),
            "pedals",
        ),
        (json!({ "do": "shutdown", "now": true }), "order: unknown field `now`"),
    ];
    for (order, reason) in cases {
        let refusal = viewer.order(order.clone()).await.unwrap_err();
        assert!(refusal.contains(reason), "{order}: {refusal}");
    }
    stage.end();
}

#[tokio::test]
async fn parameters_are_read_and_changed() {
    let stage = Stage::set(&yard(1, ""));
    let mut viewer = Viewer::join(stage.address).await;
    let order = json!({ "do": "parameters", "vehicle": 0 });
    let kp = |answer: Value| answer["parameters"].as_array().unwrap()[0].clone();
    let before = kp(viewer.answer(order.clone()).await.unwrap());
    assert_eq!((&before["name"], &before["value"]), (&json!("kp"), &json!(20.0)));
    assert_eq!(before["range"].as_array().unwrap().len(), 2);
    viewer.order(json!({ "do": "set_parameter", "vehicle": 0, "name": "kp", "value": 33 })).await.unwrap();
    assert_eq!(kp(viewer.answer(order).await.unwrap())["value"], json!(33.0));
    stage.end();
}

#[tokio::test]
async fn who_commands_has_to_go_on_commanding() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    let command = json!({ "kind": "twist", "vx": 1, "vy": 0, "yaw_rate": 0 });
    let order = json!({ "do": "command", "vehicle": 0, "command": command });
    let until = async |speed: f64| {
        let begun = Instant::now();
        // Before the first frame there is no vehicle.
        while stage.first()[3].is_nan() || (stage.first()[3] - speed).abs() > 0.1 {
            sleep(Duration::from_millis(5)).await;
            assert!(begun.elapsed() < Duration::from_secs(20), "it never has {speed} m/s: {:?}", stage.first());
        }
    };
    viewer.order(order.clone()).await.unwrap();
    until(1.0).await;
    let silent = Instant::now();
    viewer.order(order).await.unwrap();
    until(0.0).await;
    assert!(silent.elapsed() > Duration::from_millis(450), "it was stopped after {:?}", silent.elapsed());
    stage.end();
}

#[tokio::test]
async fn cars_approach_set_points_within_limits() {
    let stage = Stage::with(world(CAR), Plan { paused: true, ..Plan::default() });
    let mut viewer = Viewer::join(stage.address).await;
    let command = json!({ "kind": "ackermann", "speed": 2, "steering_angle": 0.2, "acceleration": 1 });
    viewer.order(json!({ "do": "command", "vehicle": 0, "command": command })).await.unwrap();
    viewer.order(json!({ "do": "step", "count": 40 })).await.unwrap();
    let setpoint = stage.seen.lock().unwrap().frame.vehicles[0].setpoint;
    assert!((setpoint.velocity_in_body.vx - 0.2).abs() < 0.02, "{setpoint:?}");
    assert!((setpoint.steering_angle - 0.2).abs() < 1e-9, "{setpoint:?}");
    stage.end();
}

#[tokio::test]
async fn a_place_may_have_a_velocity() {
    let stage = Stage::with(world(IDEAL), Plan { paused: true, ..Plan::default() });
    let mut viewer = Viewer::join(stage.address).await;
    let order = json!({ "do": "place", "entity": 0, "x": 1, "y": 2, "z": null, "yaw": 0, "velocity": [1.5, 0, 0] });
    viewer.order(order).await.unwrap();
    let begun = Instant::now();
    while stage.first()[3] != 1.5 {
        sleep(Duration::from_millis(20)).await;
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", stage.first());
    }
    stage.end();
}

#[tokio::test]
async fn a_run_is_shut_down_by_those_who_may() {
    let stage = Stage::set(IDEAL);
    let mut viewer = Viewer::join(stage.address).await;
    viewer.order(json!({ "do": "shutdown" })).await.unwrap();
    // Without a stop from here.
    stage.wait();
    assert_eq!(viewer.closed().await, (1001, "the simulation has ended".into()));
    let mut plan = Plan::default();
    plan.options.read_only = true;
    let stage = Stage::with(world(IDEAL), plan);
    let mut viewer = Viewer::join(stage.address).await;
    for order in [json!({ "do": "shutdown" }), json!({ "do": "remove", "entity": 0 }), spawn(CRATE, "x")] {
        let refusal = viewer.order(order).await.unwrap_err();
        assert_eq!(refusal, "order: this server is read-only\n  accepted: watch, parameters");
    }
    viewer.order(json!({ "do": "parameters", "vehicle": 0 })).await.unwrap();
    stage.end();
}
