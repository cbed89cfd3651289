//! Descriptions that lack something, make no sense, or are made to harm: each gets its message.

use super::{skid, two_wheels, wheel};
use crate::support::Lab;

#[test]
fn masses_and_inertias_that_are_missing_are_told() {
    let warnings = |text: &str| -> Vec<String> {
        let lab = Lab::new();
        lab.write("r.sdf", text);
        let done = lab.run("import r.sdf");
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        done.stderr.lines().filter_map(|line| Some(line.strip_prefix("warning: ")?.to_owned())).collect()
    };
    let can = |inertial: &str| {
        format!(
            "<sdf version=\"1.8\"><world name=\"w\">\n<model name=\"can\"><link name=\"l\"><inertial>{inertial}</inertial>\
             <collision name=\"c\"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link></model></world></sdf>"
        )
    };
    assert_eq!(warnings(&can("<mass>2</mass>")), [""; 0]);
    assert_eq!(
        warnings(&can("<mass>0</mass>")),
        ["r.sdf:2:50: link \"l\" has a mass of 0: it counts as a link without <inertial>"]
    );
    assert_eq!(
        warnings(&can("")),
        ["r.sdf:2:34: link \"l\" has an <inertial> without a mass: it counts as a link without <inertial>"]
    );
    let lab = Lab::new();
    lab.write("r.sdf", &can("<mass>-1</mass>"));
    let done = lab.run("import r.sdf");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "r.sdf:2:50: bad value \"-1\" for <mass> in <inertial>\n  accepted: a finite number >= 0\n")
    );
    // A part of a chassis, all of it, and a wheel.
    let rover = skid().replace("<include>", "<!-- ").replace("</include>", " -->");
    let neck = rover.find("<joint name=\"neck\"").unwrap();
    let end = neck + rover[neck..].find("</joint>").unwrap() + "</joint>".len();
    let rover = rover.replace(&rover[neck..end], "");
    let without = |inertia: &str| warnings(&rover.replace(inertia, ""));
    assert_eq!(
        without("<inertia><ixx>0.5</ixx><iyy>0.9</iyy><izz>1.1</izz></inertia>"),
        ["r.sdf:3:3: no inertia is given for base: taken as a uniform plate"]
    );
    let heavy = warnings(&rover.replace("<izz>0.02</izz>", "<izz>1</izz>"));
    assert_eq!(heavy.len(), 4);
    let expected = "the wheel on joint \"rear_left\" has an inertia of 1 kg·m² about its axle, more than 0.03375 with all mass at the rim: a uniform disc is used";
    assert!(heavy[0].ends_with(expected), "{heavy:?}");
    let wheels = without("<inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia>");
    assert!(
        matches!(&wheels[..], [line] if line.ends_with("no inertia is given for rear_left_link, rear_right_link, front_left_link, front_right_link: taken as uniform discs")),
        "{wheels:?}"
    );
}

/// A wheel and one that is steered.
fn bicycle() -> String {
    format!(
        "<robot name=\"bike\"><link name=\"base\"/>{}<link name=\"fork\"/><joint name=\"steer\" type=\"revolute\"><origin xyz=\"0.5 0 0\"/><parent link=\"base\"/>\
         <child link=\"fork\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/></joint>{}</robot>",
        wheel("rear", "base", "0 0 0", ""),
        wheel("nose", "fork", "0 0 0", ""),
    )
}

/// The first error of a description, without its place.
fn refusal(text: &str) -> String {
    let lab = Lab::new();
    lab.write("r.urdf", text);
    let done = lab.run("import r.urdf");
    assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""), "{text}");
    assert!(!lab.path().join("imported").exists(), "nothing is written");
    done.errors()
}

#[test]
fn bad_descriptions_are_explained() {
    let link = |name: &str| format!("<link name=\"{name}\"/>");
    let joint = |name: &str, parent: &str, child: &str| {
        format!("<joint name=\"{name}\" type=\"fixed\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>")
    };
    let robot = |parts: &[String]| format!("<robot name=\"r\">\n{}</robot>", parts.concat());
    let wheel_hint = "  hint: a wheel needs a continuous joint with a horizontal axis, and a link with a cylinder, sphere or mesh about that axis\n";
    for (text, expected) in [
        (
            robot(&[link("a"), link("b"), link("c"), joint("j", "a", "c"), joint("k", "b", "c")]),
            "r.urdf:2:17: link \"b\" has no parent joint, and neither has \"a\"\n  accepted: one link without a parent\n",
        ),
        (
            robot(&[link("a"), link("b")]),
            "r.urdf:2:17: link \"b\" has no parent joint, and neither has \"a\"\n  accepted: one link without a parent\n",
        ),
        (robot(&[link("a"), link("a")]), "r.urdf:2:17: a second link \"a\"\n"),
        (
            bicycle(),
            &format!(
                "r.urdf:1:1: robot \"bike\" has wheels on rear_joint, nose_joint (steered)\n  accepted: two wheels side by side, four wheels in two pairs, one or two steered wheels ahead of two others, three or four wheels whose axles cross\n{wheel_hint}"
            ),
        ),
        (
            robot(&[link("a")]),
            &format!(
                "r.urdf:1:1: robot \"r\" has no wheels\n  accepted: two wheels side by side, four wheels in two pairs, one or two steered wheels ahead of two others, three or four wheels whose axles cross\n{wheel_hint}"
            ),
        ),
        (
            two_wheels().replace("izz=\"0.1\"", "izz=\"nan\""),
            "bad value \"nan\" for attribute \"izz\" in <inertia>\n  accepted: a finite number\n",
        ),
        (
            two_wheels().replace("<mass value=\"4\"/>", "<mass value=\"-4\"/>"),
            "bad value \"-4\" for attribute \"value\" in <mass>\n  accepted: a finite number >= 0\n",
        ),
        (
            robot(&["<xacro:macro name=\"m\"/>".to_owned()]),
            "r.urdf:2:1: this is xacro, which is not evaluated here\n  hint: expand it first: xacro r.urdf > expanded_r.urdf\n",
        ),
        (
            "<robot name=\"$(arg name)\"/>".to_owned(),
            "r.urdf:1:14: this is xacro, which is not evaluated here\n  hint: expand it first: xacro r.urdf > expanded_r.urdf\n",
        ),
        ("<world/>".to_owned(), "r.urdf:1:1: root element is <world>\n  accepted: <robot> (URDF), <sdf>\n"),
        ("<sdf/>".to_owned(), "r.urdf:1:1: neither a model nor a world in it\n  accepted: <model>, <world>\n"),
        (
            "robot".to_owned(),
            "r.urdf:1:1: text outside of all elements\n  hint: the file is XML and starts with a tag\n",
        ),
        (String::new(), "r.urdf: no element in it\n  accepted: <robot> (URDF), <sdf>\n"),
    ] {
        let actual = refusal(&text);
        assert!(actual.ends_with(expected), "{text}\n{actual}\n{expected}");
    }
    let lab = Lab::new();
    assert_eq!(lab.run("import none.urdf").errors(), "none.urdf: cannot be read: no such file\n");
    std::fs::create_dir(lab.path().join("folder")).unwrap();
    assert_eq!(
        lab.run("import folder").errors(),
        "folder: cannot be read: it is a folder\n  accepted: a regular file\n"
    );
}

#[test]
fn hostile_descriptions_end_soon_with_a_message() {
    // Entities are not expanded: here a value that is not a number.
    let bomb = "<!DOCTYPE r [<!ENTITY a \"11111111\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>";
    let text = format!("{bomb}{}", two_wheels().replace("<mass value=\"4\"/>", "<mass value=\"&c;\"/>"));
    assert!(refusal(&text).contains("bad value \"&c;\" for attribute \"value\" in <mass>\n"));
    let many: String = (0..2000).map(|k| format!("<link name=\"l{k}\"/>")).collect();
    assert_eq!(
        refusal(&format!("<robot name=\"r\">{many}</robot>")),
        "r.urdf:1:1: robot \"r\" has more than 1000 links\n  accepted: at most 1000\n"
    );
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(1000), "</a>".repeat(1000));
    assert!(refusal(&deep).ends_with("elements nested more than 200 deep\n"));
    // Meshes of a package are inside of it, and what is left out is said once for each package.
    let lab = Lab::new();
    let mesh = |file: &str| {
        format!("<visual><geometry><mesh filename=\"{file}\"/></geometry></visual></link><joint name=\"mast_joint\"")
    };
    let with = |file: &str| two_wheels().replace("</link><joint name=\"mast_joint\"", &mesh(file));
    lab.write("r.urdf", &with("package://rover_description/../../etc/passwd"));
    let done = lab.run("import r.urdf");
    let expected =
        "the mesh is left out: \"package://rover_description/../../etc/passwd\" leads out of its package or model\n";
    assert!(done.status == Some(0) && done.stderr.contains(expected), "{}", done.stderr);
    // A model that includes itself.
    std::fs::create_dir_all(lab.path().join("models/loop")).unwrap();
    let text = "<sdf version=\"1.8\"><model name=\"m\"><include><uri>model://loop</uri></include></model></sdf>";
    lab.write("models/loop/model.sdf", text);
    lab.write("loop.sdf", text);
    let done = lab.run("import loop.sdf");
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains("too many models are included\n  included from "), "{}", done.stderr);
}

#[test]
fn tags_of_included_models_are_counted_before_they_are_read_again() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path().join("models/big")).unwrap();
    // With <sdf>, <model> and the text of each link, 1000 tags.
    let links: String = (0..499).map(|k| format!("<link name=\"l{k}\"><pose>0 0 0 0 0 0</pose></link>")).collect();
    lab.write("models/big/model.sdf", &format!("<sdf version=\"1.8\"><model name=\"m\">{links}</model></sdf>"));
    let world = |count: usize| {
        let include = |k: usize| format!("<include><name>m{k}</name><uri>model://big</uri></include>\n");
        let includes: String = (0..count).map(include).collect();
        lab.write("w.sdf", &format!("<sdf version=\"1.8\"><world name=\"w\">\n{includes}</world></sdf>"));
        lab.run("import w.sdf").errors()
    };
    let accepted = "\n  accepted: at most 1000000 tags in all included models\n";
    assert_eq!(
        world(1001),
        format!(
            "w.sdf:2:1: with 1001 of this model, of 1000 tags each, the included models have 1001000 tags{accepted}"
        )
    );
    assert!(!world(3).contains("tags"));
}
