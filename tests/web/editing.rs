//! Edits of the world file through the page's interface: in the simulation, in the file, and nowhere else.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skidpad::server::{EditRights, FileStore};
use skidpad::world::{LoadOptions, World};
use tokio::time::sleep;

use crate::peer::{Viewer, post};
use crate::stage::{Plan, Stage};
use crate::support::Lab;

const WORLD: &str = r##"<mvsim_world version="1.0">
  <!-- A robot before a crate. -->
  <vehicle name="r1">
    <init_pose>1 2 90</init_pose>
    <dynamics class="differential"> <controller class="twist_ideal"/> </dynamics>
  </vehicle>
  <block name="crate"> <init_pose>$f{2 + 2} 0 0</init_pose> <color>#00ff00</color> </block>
</mvsim_world>
"##;

/// A run of [`WORLD`] in a lab, whose viewers may edit it and save it in `folder`.
fn stage(lab: &Lab, folder: &Path) -> Stage {
    stage_of(lab, folder, WORLD)
}

fn stage_of(lab: &Lab, folder: &Path, text: &str) -> Stage {
    let path = lab.write("w.world.xml", text);
    let (world, _) = World::load(&path, &LoadOptions::default()).unwrap();
    let rights = EditRights { world: path, options: LoadOptions::default(), store: FileStore::new(folder).unwrap() };
    let mut plan = Plan { edit: Some(rights), ..Plan::default() };
    plan.options.can_edit = true;
    Stage::with(world, plan)
}

/// Id of the vehicle or block of this name in the newest scene, once it is there.
async fn id(viewer: &mut Viewer, name: &str) -> u64 {
    let patience = Instant::now() + Duration::from_secs(10);
    loop {
        let bodies = ["vehicles", "blocks"].into_iter().flat_map(|kind| viewer.scene[kind].as_array().unwrap());
        if let Some(body) = bodies.into_iter().find(|body| body["name"] == json!(name)) {
            return body["id"].as_u64().unwrap();
        }
        assert!(Instant::now() < patience, "no \"{name}\" in {}", viewer.scene);
        viewer.next().await;
    }
}

/// Waits for the scene after the one of this revision.
async fn newer(viewer: &mut Viewer, revision: &Value) {
    while viewer.scene["revision"] == *revision {
        viewer.next().await;
    }
}

fn edit(edit: Value) -> Value {
    json!({ "do": "edit", "edit": edit })
}

#[tokio::test]
async fn the_simulation_and_the_file_follow_edits() {
    let lab = Lab::new();
    let stage = stage(&lab, lab.path());
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["can_edit"], json!(true));
    let document = viewer.answer(json!({ "do": "document" })).await.unwrap()["document"].clone();
    assert_eq!((&document["file"], &document["is_changed"]), (&json!("w.world.xml"), &json!(false)));
    let box_ =
        document["offers"].as_array().unwrap().iter().find(|offer| offer["name"] == json!("box")).unwrap().clone();

    let r1 = id(&mut viewer, "r1").await;
    let revision = viewer.scene["revision"].clone();
    let answer =
        viewer.answer(edit(json!({ "edit": "place", "entity": r1, "x": -1.5, "y": 2.0, "yaw": 0.0 }))).await.unwrap();
    assert_eq!((&answer["document"]["undo"], &answer["document"]["is_changed"]), (&json!(1), &json!(true)));
    newer(&mut viewer, &revision).await;
    // The frame comes with the next step.
    let patience = Instant::now() + Duration::from_secs(10);
    while stage.first()[..3] != [-1.5, 2.0, 0.0] {
        assert!(Instant::now() < patience, "{:?}", stage.first());
        sleep(Duration::from_millis(5)).await;
    }
    let answer = viewer.answer(edit(json!({ "edit": "add", "offer": box_, "x": 3, "y": 0, "yaw": 0 }))).await.unwrap();
    assert_eq!(answer["name"], json!("box"));
    let added = id(&mut viewer, "box").await;
    let described = viewer.answer(json!({ "do": "describe", "entity": added })).await.unwrap()["description"].clone();
    assert_eq!((&described["size"], &described["pose"]), (&json!([0.5, 0.5, 0.5]), &json!([3.0, 0.0, 0.0])));
    viewer.order(json!({ "do": "save", "file": null })).await.unwrap();
    let saved = lab.read("w.world.xml");
    assert!(
        saved.contains("<!-- A robot before a crate. -->") && saved.contains("<init_pose>-1.5 2 0</init_pose>"),
        "{saved}"
    );

    viewer.order(json!({ "do": "undo" })).await.unwrap();
    viewer.order(json!({ "do": "undo" })).await.unwrap();
    let answer = viewer.answer(json!({ "do": "save", "file": "again" })).await.unwrap();
    assert_eq!(answer["document"]["file"], json!("again.world.xml"));
    assert_eq!(lab.read("again.world.xml"), WORLD, "every byte");
    viewer.order(json!({ "do": "redo" })).await.unwrap();
    assert!(viewer.order(json!({ "do": "redo" })).await.is_ok());
    assert!(viewer.order(json!({ "do": "redo" })).await.unwrap_err().contains("no edit"));
    let (world, _) = World::load(&lab.path().join("w.world.xml"), &LoadOptions::default()).unwrap();
    assert_eq!(world.scene().vehicles[0].world_from_start.x, -1.5);
    stage.end();
}

#[tokio::test]
async fn expressions_are_overwritten_on_confirmation_only() {
    let lab = Lab::new();
    let stage = stage(&lab, lab.path());
    let mut viewer = Viewer::join(stage.address).await;
    let entity = id(&mut viewer, "crate").await;
    let place = json!({ "edit": "place", "entity": entity, "x": 5, "y": 0, "yaw": 0 });
    let refusal = viewer.order(edit(place.clone())).await.unwrap_err();
    assert!(
        refusal.contains("w.world.xml:7:24: <init_pose> of \"crate\" is written as \"$f{2 + 2} 0 0\""),
        "{refusal}"
    );
    let described = viewer.answer(json!({ "do": "describe", "entity": entity })).await.unwrap();
    assert_eq!(described["description"]["pose_expression"], json!("$f{2 + 2} 0 0"));
    viewer.order(json!({ "do": "edit", "edit": place, "overwrite": true })).await.unwrap();
    viewer.order(json!({ "do": "save", "file": null })).await.unwrap();
    assert_eq!(lab.read("w.world.xml"), WORLD.replace("$f{2 + 2} 0 0", "5 0 0"));
    stage.end();
}

#[tokio::test]
async fn byte_order_marks_and_line_ends_stay() {
    let lab = Lab::new();
    let text = format!("\u{feff}{}", WORLD.replace('\n', "\r\n"));
    let stage = stage_of(&lab, lab.path(), &text);
    let mut viewer = Viewer::join(stage.address).await;
    let entity = id(&mut viewer, "crate").await;
    let heavier = json!({ "edit": "set", "entity": entity, "key": "own:mass", "value": "2.5" });
    viewer.order(edit(heavier)).await.unwrap();
    viewer.order(json!({ "do": "save", "file": null })).await.unwrap();
    let color = "<color>#00ff00</color>";
    assert_eq!(lab.read("w.world.xml"), text.replace(color, &format!("{color} <mass>2.5</mass>")));
    stage.end();
}

#[tokio::test]
async fn nothing_is_written_elsewhere_and_nothing_of_others_is_overwritten() {
    let lab = Lab::new();
    let folder = lab.path().join("edited");
    std::fs::create_dir(&folder).unwrap();
    let stage = stage(&lab, &folder);
    let mut viewer = Viewer::join(stage.address).await;
    let document = viewer.answer(json!({ "do": "document" })).await.unwrap()["document"].clone();
    assert_eq!(document["file"], Value::Null);
    let refusal = viewer.order(json!({ "do": "save", "file": null })).await.unwrap_err();
    assert!(refusal.contains("is outside of the folder"), "{refusal}");
    for name in ["../w", "/tmp/w", "a/b", ".w", ""] {
        let refusal = viewer.order(json!({ "do": "save", "file": name })).await.unwrap_err();
        assert!(refusal.contains("cannot be the name of a file"), "{name}: {refusal}");
    }
    viewer.order(json!({ "do": "save", "file": "mine" })).await.unwrap();
    let refusal = viewer.order(json!({ "do": "save", "file": "mine" })).await.unwrap_err();
    assert!(refusal.contains("exists already"), "{refusal}");
    std::fs::write(folder.join("mine.world.xml"), "of somebody else").unwrap();
    let refusal = viewer.order(json!({ "do": "save", "file": null })).await.unwrap_err();
    assert!(refusal.contains("has changed since it was read"), "{refusal}");
    assert_eq!(lab.read("w.world.xml"), WORLD);
    stage.end();
}

#[tokio::test]
async fn what_a_file_does_not_take_changes_nothing() {
    let lab = Lab::new();
    let stage = stage(&lab, lab.path());
    let mut viewer = Viewer::join(stage.address).await;
    let entity = id(&mut viewer, "crate").await;
    let set = |key: &str, value: &str| edit(json!({ "edit": "set", "entity": entity, "key": key, "value": value }));
    let mut refused = async |order: Value| viewer.order(order).await.unwrap_err();
    assert!(refused(set("own:mass", "$(touch x)")).await.starts_with("edit: bad value \"$(touch x)\""));
    assert!(refused(set("own:mass", "-1")).await.starts_with("edit: with this edit the world would not load"));
    let file = json!({ "source": "file", "name": "x", "path": "/etc/x.block.xml", "is_vehicle": false });
    assert!(
        refused(edit(json!({ "edit": "add", "offer": file, "x": 0, "y": 0, "yaw": 0 })))
            .await
            .contains("is not offered")
    );
    assert!(refused(edit(json!({ "edit": "remove", "entity": 999 }))).await.contains("nothing here has the id 999"));
    let walls: Vec<[f64; 2]> = (0..1001).map(|x| [f64::from(x), 0.0]).collect();
    let walls = json!({ "edit": "add_walls", "points": walls, "thickness": 0.1, "height": 1.0 });
    assert!(refused(edit(walls)).await.contains("accepted: 2 to 1000"));
    let document = viewer.answer(json!({ "do": "document" })).await.unwrap()["document"].clone();
    assert_eq!((&document["is_changed"], &document["undo"]), (&json!(false), &json!(0)));
    stage.end();
}

#[tokio::test]
async fn without_leave_nobody_edits() {
    let stage = Stage::set(WORLD);
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["can_edit"], json!(false));
    let expected = "edit: this run does not let viewers edit its world\n  accepted: skidpad run --edit FOLDER";
    for order in ["undo", "redo", "document"] {
        assert_eq!(viewer.order(json!({ "do": order })).await.unwrap_err(), expected);
    }
    let (status, _) = post(stage.address, "{\"do\": \"save\", \"file\": null}").await;
    assert_eq!(status, 409);
    stage.end();
    let lab = Lab::new();
    let path = lab.write("w.world.xml", WORLD);
    let rights =
        EditRights { world: path, options: LoadOptions::default(), store: FileStore::new(lab.path()).unwrap() };
    let mut plan = Plan { edit: Some(rights), ..Plan::default() };
    (plan.options.can_edit, plan.options.read_only) = (true, true);
    let stage = Stage::with(crate::stage::world(WORLD), plan);
    let mut viewer = Viewer::join(stage.address).await;
    assert_eq!(viewer.greeting["can_edit"], json!(false));
    let refusal = viewer.order(json!({ "do": "save", "file": null })).await.unwrap_err();
    assert!(refusal.starts_with("order: this server is read-only"), "{refusal}");
    stage.end();
}

#[tokio::test]
async fn an_edit_leaves_what_it_does_not_touch() {
    let lab = Lab::new();
    let stage = stage(&lab, lab.path());
    let mut viewer = Viewer::join(stage.address).await;
    let (r1, crate_) = (id(&mut viewer, "r1").await, id(&mut viewer, "crate").await);
    viewer.order(json!({ "do": "place", "entity": r1, "x": 7, "y": 8, "yaw": 0.5 })).await.unwrap();
    let extra = json!({ "do": "spawn", "what": "<block><static>true</static></block>", "name": "extra", "x": -9, "y": 0, "z": 0, "yaw": 0 });
    viewer.order(extra).await.unwrap();
    let before = viewer.order(json!({ "do": "set_rate", "rate": 1 })).await.unwrap();
    let answer = viewer.answer(edit(json!({ "edit": "remove", "entity": crate_ }))).await.unwrap();
    assert!(answer["time"].as_f64().unwrap() >= before && answer["note"].is_null(), "{answer}");
    while viewer.scene["blocks"].as_array().unwrap().iter().any(|block| block["id"] == json!(crate_)) {
        viewer.next().await;
    }
    assert_eq!(viewer.scene["vehicles"][0]["id"], json!(r1), "ids stay");
    assert_eq!(viewer.scene["blocks"][0]["name"], json!("extra"));
    // The frame comes with the next step.
    let patience = Instant::now() + Duration::from_secs(10);
    while stage.first()[..3] != [7.0, 8.0, 0.5] {
        assert!(Instant::now() < patience, "{:?}", stage.first());
        sleep(Duration::from_millis(5)).await;
    }
    stage.end();
}

#[tokio::test]
async fn a_new_world_is_written_and_runs_and_takes_no_edits_along_unasked() {
    let lab = Lab::new();
    let stage = stage(&lab, lab.path());
    let mut viewer = Viewer::join(stage.address).await;
    let entity = id(&mut viewer, "crate").await;
    viewer.order(edit(json!({ "edit": "remove", "entity": entity }))).await.unwrap();
    let begin = |file: &str, discard: bool| json!({ "do": "new", "file": file, "discard": discard });
    let refusal = viewer.order(begin("fresh", false)).await.unwrap_err();
    assert!(refusal.starts_with("new: there are edits that are not saved\n  accepted: "), "{refusal}");
    let refusal = viewer.order(begin("../fresh", true)).await.unwrap_err();
    assert!(refusal.contains("cannot be the name of a file"), "{refusal}");
    let refusal = viewer.order(begin("w", true)).await.unwrap_err();
    assert!(refusal.contains("w.world.xml exists already"), "{refusal}");
    let answer = viewer.answer(begin("fresh", true)).await.unwrap();
    assert_eq!(answer["note"], json!("Wrote fresh.world.xml, which the simulation runs now"));
    let document = &answer["document"];
    assert_eq!((&document["file"], &document["is_changed"]), (&json!("fresh.world.xml"), &json!(false)));
    let offer = document["offers"][0].clone();
    assert_eq!(offer["name"], json!("robot"));
    id(&mut viewer, "robot").await;
    // It is edited and saved like any other.
    let answer = viewer.answer(edit(json!({ "edit": "add", "offer": offer, "x": 2, "y": 0, "yaw": 0 }))).await.unwrap();
    assert_eq!(answer["name"], json!("robot_2"));
    viewer.order(json!({ "do": "save", "file": null })).await.unwrap();
    let (world, warnings) = World::load(&lab.path().join("fresh.world.xml"), &LoadOptions::default()).unwrap();
    assert!(world.scene().body("robot_2").is_some() && warnings.is_empty(), "{warnings:?}");
    assert_eq!(lab.read("w.world.xml"), WORLD);
    stage.end();
}
