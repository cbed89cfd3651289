//! Edits of world files: what they do to the text, and to the world that it describes.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::Pose3;

use super::*;

const WORLD: &str = r##"<mvsim_world version="1.0">
  <!-- Two robots. -->
  <variable name="side" value="2.5"/>
  <vehicle:class name="cart">
    <dynamics class="differential">
      <chassis mass="10" zmin="0.05" zmax="0.35" color="#2a9d8f"/>
      <controller class="twist_pid"> <KP>6</KP> </controller>
    </dynamics>
  </vehicle:class>
  <vehicle name="r1" class="cart"> <init_pose> 1.50  2 90.0 </init_pose> </vehicle>
  <vehicle name="r2" class="cart">
    <init_pose>${side} 0 0</init_pose>  <!-- by the wall -->
  </vehicle>
  <for var="i" from="1" to="3">
    <block name="post${i}"> <static>true</static> <init_pose>$f{2*i} 5 0</init_pose> </block>
  </for>
  <block name="crate">
    <init_pose3d>4 1 0 0 0 0</init_pose3d>
    <shape> <pt>-0.5 -0.25</pt> <pt>-0.5 0.25</pt> <pt>0.5 0.25</pt> <pt>0.5 -0.25</pt> </shape>
    <zmin>0</zmin> <zmax>1</zmax>
  </block>
  <block name="drum"> <geometry type="cylinder" radius="0.5" length="1"/> <init_pose>7 1 0</init_pose> </block>
  <walls>
    <shape>
      <pt>-6 -4</pt> <pt>6 -4</pt>
      <pt>6 -4</pt>  <pt>6 4</pt>
    </shape>
    <wallHeight>0.5</wallHeight>
  </walls>
</mvsim_world>
"##;

fn open(text: &str) -> WorldDocument {
    WorldDocument::open("w", Path::new("/nowhere"), text, &LoadOptions::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .document
}

fn carry_out(document: &WorldDocument, edit: &Edit) -> Result<Edited, EditError> {
    document.edit(edit, Expressions::Keep, &LoadOptions::default())
}

/// The document after an edit, whose text differs from `text` in replacing these pieces; taken back it is the same again.
#[track_caller]
fn edited(document: &WorldDocument, edit: &Edit, pieces: &[(&str, &str)]) -> WorldDocument {
    let after = carry_out(document, edit).unwrap_or_else(|e| panic!("{e}")).document;
    let mut expected = document.text().to_owned();
    for (before, after) in pieces {
        assert_eq!(expected.matches(before).count(), 1, "{before}");
        expected = expected.replace(before, after);
    }
    assert_eq!(after.text(), expected);
    let back = after.undo(&LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).document;
    assert_eq!((back.text(), back.steps()), (document.text(), [document.steps()[0], 1]));
    let again = back.redo(&LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).document;
    assert_eq!(again.text(), after.text());
    after
}

#[track_caller]
fn refused(document: &WorldDocument, edit: &Edit) -> String {
    carry_out(document, edit).err().expect("it is refused").to_string()
}

fn place(name: &str, x: f64, y: f64, yaw: f64) -> Edit {
    Edit::Place(name.into(), Pose2::new(x, y, yaw))
}

fn pose_of(document: &WorldDocument, name: &str) -> Pose3 {
    body::start_pose(document, document.scene().body(name).unwrap())
}

#[test]
fn a_pose_changes_only_the_numbers_that_differ() {
    let document = open(WORLD);
    let after = edited(&document, &place("r1", 1.5, -3.25, FRAC_PI_2), &[(" 1.50  2 90.0 ", " 1.50  -3.25 90.0 ")]);
    assert_eq!(pose_of(&after, "r1").planar(), Pose2::new(1.5, -3.25, FRAC_PI_2));
    let turned = edited(&document, &place("crate", 4.0, 1.0, -FRAC_PI_2), &[("4 1 0 0 0 0", "4 1 0 -90 0 0")]);
    assert!((pose_of(&turned, "crate").yaw + FRAC_PI_2).abs() < 1e-12);
    let same = carry_out(&document, &place("r1", 1.5, 2.0, FRAC_PI_2)).map_err(|e| e.to_string()).unwrap().document;
    assert_eq!((same.text(), same.steps()), (WORLD, [0, 0]));
}

#[test]
fn expressions_are_overwritten_only_when_that_is_confirmed() {
    let document = open(WORLD);
    let edit = place("r2", 3.0, 0.0, 0.0);
    assert_eq!(
        refused(&document, &edit),
        "w:12:5: <init_pose> of \"r2\" is written as \"${side} 0 0\", which the edit would overwrite\n  accepted: the edit, if overwriting is confirmed"
    );
    assert_eq!(document.describe("r2").unwrap().pose_expression.as_deref(), Some("${side} 0 0"));
    let after =
        document.edit(&edit, Expressions::Overwrite, &LoadOptions::default()).map_err(|e| e.to_string()).unwrap();
    assert_eq!(after.document.text(), WORLD.replace("${side} 0 0", "3 0 0"));
}

#[test]
fn what_others_have_in_common_is_refused_with_the_reason() {
    let document = open(WORLD);
    assert_eq!(
        refused(&document, &place("post2", 0.0, 0.0, 0.0)),
        "w:15:5: \"post2\" is made by the loop in line 14, together with others\n  hint: change the loop in the file"
    );
    assert!(refused(&document, &Edit::Remove("post1".into())).contains("made by the loop"));
    let message = refused(&document, &Edit::Remove("ghost".into()));
    assert!(message.starts_with("edit: \"ghost\" is not in w\n  accepted: "), "{message}");
    assert!(refused(&document, &place("r1", f64::NAN, 0.0, 0.0)).contains("x is NaN"));
    assert!(refused(&document, &place("r1", 1e10, 0.0, 0.0)).contains("up to 1e9"));
}

#[test]
fn bodies_of_included_files_are_not_edited() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("robot.xml"), "<block name=\"b\"> <init_pose>0 0 0</init_pose> </block>")
        .unwrap();
    let text = "<mvsim_world> <include file=\"robot.xml\"/> </mvsim_world>";
    let document =
        WorldDocument::open("w", folder.path(), text, &LoadOptions::default()).map_err(|e| e.to_string()).unwrap();
    let message = refused(&document.document, &Edit::Remove("b".into()));
    assert!(message.contains("robot.xml:1:1: \"b\" is defined in this included file"), "{message}");
}

#[test]
fn classes_and_shapes_are_added_under_free_names() {
    let document = open(WORLD);
    let end = "  </walls>\n";
    let cart = "  <vehicle name=\"cart\" class=\"cart\">\n    <init_pose>0 -2 180</init_pose>\n  </vehicle>\n";
    let pose = Pose2::new(-0.0, -2.0, std::f64::consts::PI);
    let after = edited(&document, &Edit::Add(Addition::Class("cart".into()), pose), &[(end, &format!("{end}{cart}"))]);
    assert_eq!(
        carry_out(&after, &Edit::Add(Addition::Class("cart".into()), pose))
            .map_err(|e| e.to_string())
            .unwrap()
            .added
            .unwrap(),
        "cart_2"
    );
    for shape in PLAIN_SHAPES {
        let with = carry_out(&document, &Edit::Add(Addition::Shape(shape.name.into()), pose))
            .map_err(|e| e.to_string())
            .unwrap();
        assert!(with.warnings.is_empty() && with.document.scene().body(shape.name).is_some(), "{}", shape.name);
    }
    let unknown = |addition: Addition| refused(&document, &Edit::Add(addition, pose));
    assert_eq!(unknown(Addition::Class("tank".into())), "add: this world has no class \"tank\"\n  accepted: cart");
    assert_eq!(
        unknown(Addition::Shape("torus".into())),
        "add: there is no shape \"torus\"\n  accepted: box, cylinder, ramp"
    );
}

#[test]
fn a_class_from_a_file_is_included_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cone.xml"), "<block:class name=\"cone\"/>\n<block:class name=\"${n|x}\"/>")
        .unwrap();
    let files = ClassFile::in_file(folder.path(), "cone.xml");
    assert_eq!(
        files,
        [ClassFile { class: "cone".into(), kind: crate::world::EntityKind::Block, path: "cone.xml".into() }]
    );
    let open = WorldDocument::open("w", folder.path(), "<mvsim_world>\n</mvsim_world>", &LoadOptions::default());
    let mut document = open.map_err(|e| e.to_string()).unwrap().document;
    for _ in 0..2 {
        let edit = Edit::Add(Addition::File(files[0].clone()), Pose2::IDENTITY);
        document = carry_out(&document, &edit).map_err(|e| e.to_string()).unwrap().document;
    }
    let block = |name: &str| {
        format!("  <block name=\"{name}\" class=\"cone\">\n    <init_pose>0 0 0</init_pose>\n  </block>\n")
    };
    let expected =
        format!("<mvsim_world>\n  <include file=\"cone.xml\"/>\n{}{}</mvsim_world>", block("cone"), block("cone_2"));
    assert_eq!(document.text(), expected);
}

#[test]
fn removed_bodies_take_their_lines_along() {
    let document = open(WORLD);
    let r1 = "  <vehicle name=\"r1\" class=\"cart\"> <init_pose> 1.50  2 90.0 </init_pose> </vehicle>\n";
    let after = edited(&document, &Edit::Remove("r1".into()), &[(r1, "")]);
    assert!(after.scene().body("r1").is_none() && after.scene().body("r2").is_some());
}

#[test]
fn blocks_get_other_extents() {
    let document = open(WORLD);
    assert_eq!(document.describe("crate").unwrap().size, Ok([1.0, 0.5, 1.0]));
    let crate_ = Edit::Resize("crate".into(), [2.0, 0.5, 0.25]);
    let points = (
        "<pt>-0.5 -0.25</pt> <pt>-0.5 0.25</pt> <pt>0.5 0.25</pt> <pt>0.5 -0.25</pt>",
        "<pt>-1 -0.25</pt> <pt>-1 0.25</pt> <pt>1 0.25</pt> <pt>1 -0.25</pt>",
    );
    let after = edited(&document, &crate_, &[points, ("<zmax>1<", "<zmax>0.25<")]);
    assert_eq!(after.describe("crate").unwrap().size, Ok([2.0, 0.5, 0.25]));
    let [x, y, _] = document.describe("drum").unwrap().size.unwrap();
    let drum = Edit::Resize("drum".into(), [2.0 * x, y, 1.5]);
    edited(&document, &drum, &[("radius=\"0.5\" length=\"1\"", "radius=\"1\" length=\"1.5\"")]);
    assert!(
        refused(&document, &Edit::Resize("r1".into(), [1.0; 3])).contains("the class of a vehicle determines its size")
    );
    assert!(refused(&document, &Edit::Resize("crate".into(), [0.0, 1.0, 1.0])).contains("an extent of 0 m"));
    // A block that says nothing of its shape.
    let bare = open("<mvsim_world>\n  <block name=\"b\"> <init_pose>0 0 0</init_pose> </block>\n</mvsim_world>");
    let after =
        carry_out(&bare, &Edit::Resize("b".into(), [2.0, 1.0, 0.5])).map_err(|e| e.to_string()).unwrap().document;
    assert_eq!(after.describe("b").unwrap().size, Ok([2.0, 1.0, 0.5]), "{}", after.text());
}

#[test]
fn properties_are_set_where_they_are_written() {
    let document = open(WORLD);
    let set =
        |name: &str, key: &str, value: &str| Edit::Set { name: name.into(), key: key.into(), value: value.into() };
    let keys = |name: &str| document.describe(name).unwrap().properties.into_iter().map(|p| p.key).collect::<Vec<_>>();
    assert_eq!(
        keys("r1"),
        [
            "class:dynamics/chassis@mass",
            "class:dynamics/chassis@zmin",
            "class:dynamics/chassis@zmax",
            "class:dynamics/chassis@color",
            "class:dynamics/controller/KP"
        ]
    );
    assert!(keys("crate").contains(&"own:zmax".to_string()) && keys("crate").contains(&"own:mass".to_string()));
    let after = edited(&document, &set("r1", "class:dynamics/chassis@color", "#FF0000"), &[("#2a9d8f", "#FF0000")]);
    assert!(after.scene().vehicles.iter().all(|vehicle| vehicle.color == [255, 0, 0, 255]));
    edited(&document, &set("r2", "class:dynamics/controller/KP", "7.5"), &[("<KP>6<", "<KP>7.5<")]);
    let red = ("<zmin>0</zmin> <zmax>1</zmax>\n", "<zmin>0</zmin> <zmax>1</zmax>\n    <color>#ff0000</color>\n");
    edited(&document, &set("crate", "own:color", "#ff0000"), &[red]);
    for (key, value) in [
        ("own:color", "red"),
        ("own:mass", "$(date)"),
        ("own:mass", "1 2"),
        ("own:mass", "inf"),
        ("own:static", "<x/>"),
    ] {
        assert!(refused(&document, &set("crate", key, value)).starts_with("edit: bad value"), "{key} {value}");
    }
    assert!(refused(&document, &set("crate", "own:sound", "1")).contains("has no value \"own:sound\""));
    // The loader has the last word.
    let message = refused(&document, &set("crate", "own:mass", "-1"));
    assert!(
        message.starts_with("edit: with this edit the world would not load\nw:") && message.contains("<mass>"),
        "{message}"
    );
}

#[test]
fn the_arguments_of_an_included_class_are_its_properties() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("cone.xml"),
        "<block:class name=\"cone\"> <color>${color|#ff0000}</color> <mass>${mass|2}</mass> </block:class>",
    )
    .unwrap();
    let text = "<mvsim_world> <include file=\"cone.xml\" mass=\"3\"/> <block name=\"c\" class=\"cone\"> <init_pose>0 0 0</init_pose> </block> </mvsim_world>";
    let document = WorldDocument::open("w", folder.path(), text, &LoadOptions::default())
        .map_err(|e| e.to_string())
        .unwrap()
        .document;
    let properties = document.describe("c").unwrap().properties;
    let actual =
        properties.iter().filter(|p| p.owner == "cone.xml").map(|p| (p.key.as_str(), p.value.as_str(), p.is_written));
    assert_eq!(actual.collect::<Vec<_>>(), [("include:@mass", "3", true), ("include:@color", "#ff0000", false)]);
    let blue = Edit::Set { name: "c".into(), key: "include:@color".into(), value: "#0000ff".into() };
    let after = edited(&document, &blue, &[("mass=\"3\"/>", "mass=\"3\" color=\"#0000ff\"/>")]);
    assert_eq!(after.scene().blocks[0].color, [0, 0, 255, 255]);
}

#[test]
fn walls_are_drawn_moved_and_removed() {
    let document = open(WORLD);
    let points = vec![Vec2::new(0.0, 1.0), Vec2::new(2.0, 1.0), Vec2::new(2.0, 3.5)];
    let line = "      <pt>6 -4</pt>  <pt>6 4</pt>\n";
    let alike = Edit::AddWalls { points: points.clone(), thickness: 0.1, height: 0.5, color: None };
    let added = "      <pt>0 1</pt> <pt>2 1</pt>\n      <pt>2 1</pt> <pt>2 3.5</pt>\n";
    let after = edited(&document, &alike, &[(line, &format!("{line}{added}"))]);
    assert_eq!(after.scene().blocks.len(), document.scene().blocks.len() + 2);
    let thick = Edit::AddWalls { points: points[..2].to_vec(), thickness: 0.2, height: 1.0, color: None };
    let tag = "  </walls>\n  <walls>\n    <shape>\n      <pt>0 1</pt> <pt>2 1</pt>\n    </shape>\n    <wallThickness>0.2</wallThickness> <wallHeight>1</wallHeight>\n  </walls>\n";
    let own = edited(&document, &thick, &[("  </walls>\n", tag)]);
    assert_eq!(own.describe("wall_0003").unwrap().size, Err("its points determine the length of a wall".into()));
    let wall = pose_of(&document, "wall_0002");
    let moved = edited(
        &document,
        &place("wall_0002", wall.x - 1.0, wall.y, wall.yaw),
        &[(line, "      <pt>5 -4</pt>  <pt>5 4</pt>\n")],
    );
    assert_eq!(pose_of(&moved, "wall_0002").planar().x, wall.x - 1.0);
    let fewer = edited(&document, &Edit::Remove("wall_0001".into()), &[("      <pt>-6 -4</pt> <pt>6 -4</pt>\n", "")]);
    let none = carry_out(&fewer, &Edit::Remove("wall_0001".into())).map_err(|e| e.to_string()).unwrap().document;
    assert!(!none.text().contains("walls"), "{}", none.text());
    let bad =
        |points: Vec<Vec2>, height| refused(&document, &Edit::AddWalls { points, thickness: 0.1, height, color: None });
    assert!(bad(points[..1].to_vec(), 1.0).contains("walls along 1 points"));
    assert!(bad(vec![points[0], points[0]], 1.0).contains("walls of no length"));
    assert!(bad(points, 0.0).contains("walls of height 0 m"));
}

/// Every world of the project: loading and saving keeps its bytes and its frames, and bodies can be moved and put back.
#[test]
fn the_worlds_of_the_project_can_be_edited() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    let (mut worlds, mut moved) = (0, 0);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().into_owned();
        if !name.ends_with(".world.xml") {
            continue;
        }
        worlds += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let (mut world, _) = World::load(&path, &options).unwrap();
        let options = LoadOptions { maps: world.prepared_maps().to_vec(), ..options.clone() };
        let Edited { document, world: mut again, .. } =
            WorldDocument::open(&name, &folder, &text, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(document.text(), text, "{name}");
        for _ in 0..3 {
            assert_eq!(format!("{:?}", world.step().unwrap()), format!("{:?}", again.step().unwrap()), "{name}");
        }
        let vehicles = document.scene().vehicles.iter().map(|vehicle| &vehicle.name);
        let mut names = vehicles.chain(document.scene().blocks.iter().map(|block| &block.name));
        let is_editable =
            |name: &&String| document.describe(name).is_ok_and(|description| description.pose_expression.is_none());
        let Some(name) = names.find(is_editable) else { continue };
        let start = pose_of(&document, name).planar();
        let goal = Pose2::new(start.x + 0.125, start.y, start.yaw);
        let Ok(after) = document.edit(&Edit::Place(name.clone(), goal), Expressions::Keep, &options) else { continue };
        assert!((pose_of(&after.document, name).x - goal.x).abs() < 1e-6, "{name}");
        let changed = after.document.text().lines().zip(text.lines()).filter(|(after, before)| after != before);
        assert!(changed.count() <= 1, "{name}: {}", after.document.text());
        moved += 1;
    }
    assert!(worlds > 40 && moved > 30, "{moved} of {worlds}");
}
