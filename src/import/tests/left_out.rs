//! Parts that make no sense are left out of a robot, with a warning.

use super::{Done, axis, box_of, collision, import, import_beside, joint, link, model, two_wheels, tyre};

const PAIR: &str = "pair: differential, ";

/// Whether a robot is one on two wheels.
fn is_pair(done: &Done) {
    assert_eq!(done.errors, [""; 0]);
    assert!(done.summary[0].starts_with(PAIR), "{:?}", done.summary);
    assert_eq!(done.load().scene().vehicles[0].wheels.len(), 2);
}

#[test]
fn a_joint_without_its_link_is_left_out() {
    let eye = joint("eye", "revolute", "body", "eye_link", &axis("1 0 0", None));
    let done = import("r.sdf", &two_wheels(&eye));
    is_pair(&done);
    assert_eq!(
        done.warnings,
        ["r.sdf:8:63: joint \"eye\" is left out: there is no link \"eye_link\"\n  accepted: body, left, right"]
    );
    let done = import("r.sdf", &two_wheels("<joint name='eye' type='fixed'><parent>body</parent></joint>"));
    is_pair(&done);
    assert_eq!(done.warnings, ["r.sdf:8:1: joint \"eye\" is left out: it has no <child>"]);
    // Likewise in URDF.
    let urdf = |more: &str| {
        let wheel = |name: &str, y: f64| {
            format!(
                "<link name='{name}'><inertial><mass value='0.5'/><inertia ixx='0.002' iyy='0.003' izz='0.002'/></inertial><collision><origin rpy='1.5707963267948966 0 0'/>\
                 <geometry><cylinder radius='0.1' length='0.04'/></geometry></collision></link><joint name='{name}_spin' type='continuous'>\
                 <origin xyz='0 {y} 0.1'/><parent link='body'/><child link='{name}'/><axis xyz='0 1 0'/></joint>"
            )
        };
        format!(
            "<robot name='pair'><link name='body'><inertial><mass value='5'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial><collision>\
             <origin xyz='0 0 0.2'/><geometry><box size='0.5 0.3 0.1'/></geometry></collision></link>{}{}\n{more}</robot>",
            wheel("left", 0.2),
            wheel("right", -0.2)
        )
    };
    let done =
        import("r.urdf", &urdf("<joint name='eye' type='fixed'><parent link='body'/><child link='bod'/></joint>"));
    is_pair(&done);
    let expected = "r.urdf:2:66: joint \"eye\" is left out: there is no link \"bod\"\n  accepted: body, left, right\n  hint: did you mean \"body\"?";
    assert_eq!(done.warnings, [expected]);
    let done = import("r.urdf", &urdf("<joint name='eye' type='fixed'><parent link='body'/></joint>"));
    is_pair(&done);
    assert_eq!(done.warnings, ["r.urdf:2:1: joint \"eye\" is left out: it has no <child link=\"…\">"]);
}

#[test]
fn a_joint_that_closes_a_loop_is_left_out() {
    let shaft = joint("shaft", "revolute", "left", "right", &axis("0 1 0", None));
    let done = import("r.sdf", &two_wheels(&shaft));
    is_pair(&done);
    let expected = "joint \"shaft\" is left out: it closes a loop of links\n  accepted: joints that make a tree";
    assert_eq!(done.warnings, [format!("r.sdf:8:1: {expected}")]);
    // Whichever joint comes first, the wheels hang on the body.
    let text = two_wheels("").replace("<model name='pair'>\n", &format!("<model name='pair'>\n{shaft}"));
    let done = import("r.sdf", &text);
    is_pair(&done);
    assert_eq!(done.warnings, [format!("r.sdf:3:1: {expected}")]);
}

/// A model of SDF may name the ends of a joint in any order.
#[test]
fn joints_from_wheels_to_the_body_are_turned_round() {
    let turned = |side: &str| {
        (
            format!("<parent>body</parent><child>{side}</child>"),
            format!("<pose relative_to='{side}'/><parent>{side}</parent><child>body</child>"),
        )
    };
    let text = [turned("left"), turned("right")]
        .iter()
        .fold(two_wheels(""), |text, (from, to)| text.replace(from.as_str(), to.as_str()));
    let done = import("r.sdf", &text);
    is_pair(&done);
    // The axis is that of the wheel against the body: turned round, it points the other way.
    assert!(done.warnings.iter().all(|warning| warning.contains("point to the right")), "{:?}", done.warnings);
}

#[test]
fn a_joint_that_its_limits_lock_carries_no_wheel() {
    let locked =
        two_wheels("").replace("<xyz>0 1 0</xyz>", "<xyz>0 1 0</xyz><limit><lower>0</lower><upper>0</upper></limit>");
    let done = import("r.sdf", &locked);
    assert!(done.errors[0].starts_with("r.sdf:2:1: robot \"pair\" has no wheels\n"), "{:?}", done.errors);
    // Beside wheels it is a part of the chassis, without a word.
    let disc = link("disc", "0.3 0 0.1 0 0 0", 0.5, &tyre(""))
        + &joint("pin", "revolute", "body", "disc", &axis("0 1 0", Some([0.0, 0.0])));
    let done = import("r.sdf", &two_wheels(&disc));
    is_pair(&done);
    assert_eq!(done.warnings, [""; 0]);
}

#[test]
fn limits_of_a_continuous_joint_have_no_meaning() {
    let text = two_wheels("")
        .replace("'revolute'", "'continuous'")
        .replace("<xyz>0 1 0</xyz>", "<xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit>");
    let done = import("r.sdf", &text);
    is_pair(&done);
    assert_eq!(done.warnings, [""; 0]);
}

#[test]
fn what_is_commanded_without_being_round_is_no_wheel() {
    let wheel = |name: &str, y: f64| {
        format!(
            "<link name='{name}'><inertial><mass value='0.5'/><inertia ixx='0.002' iyy='0.003' izz='0.002'/></inertial><collision>\
             <origin rpy='1.5707963267948966 0 0'/><geometry><cylinder radius='0.1' length='0.04'/></geometry></collision></link>\
             <joint name='{name}_spin' type='continuous'><origin xyz='0 {y} 0.1'/><parent link='body'/><child link='{name}'/><axis xyz='0 1 0'/>\
             <limit lower='-1' upper='1' effort='5' velocity='40'/></joint>"
        )
    };
    let commanded = ["left_spin", "right_spin", "motor"].map(|name| {
        format!("<transmission name='{name}'><joint name='{name}'><hardwareInterface>VelocityJointInterface</hardwareInterface></joint></transmission>")
    });
    let text = format!(
        "<robot name='pair'><link name='body'><inertial><mass value='5'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial><collision>\
         <origin xyz='0 0 0.2'/><geometry><box size='0.5 0.3 0.1'/></geometry></collision></link>{}{}\n\
         <link name='crank'><inertial><mass value='0.1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>\n\
         <joint name='motor' type='continuous'><parent link='body'/><child link='crank'/></joint>{}</robot>",
        wheel("left", 0.2),
        wheel("right", -0.2),
        commanded.concat()
    );
    let done = import("r.urdf", &text);
    is_pair(&done);
    assert_eq!(done.warnings, ["r.urdf:3:1: joint \"motor\" is fixed at 0, since a chassis is rigid"]);
    assert!(done.read("pair.vehicle.xml").contains("<chassis mass=\"5.1\""));
}

#[test]
fn a_shapeless_link_between_wheels_stays_a_part_of_the_chassis() {
    let post = link("post", "0 0 0.3 0 0 0", 1.0, &collision("0 0 0 0 0 0", "<empty/>"))
        + &joint("weld", "fixed", "body", "post", "");
    let done = import("r.sdf", &two_wheels(&post));
    is_pair(&done);
    assert!(done.read("pair.vehicle.xml").contains("<chassis mass=\"6\""));
}

/// Versions are no decimal numbers: from 1.5 on, axes are in the frame of their joint.
#[test]
fn a_version_after_1_9_is_a_newer_one() {
    let text = two_wheels("")
        .replace("0.1 0 0 0</pose>", "0.1 -1.5707963267948966 0 0</pose>")
        .replace("0 0 0 1.5707963267948966 0 0", "0 0 0 0 0 0")
        .replace("<xyz>0 1 0</xyz>", "<xyz>0 0 1</xyz>");
    for version in ["1.9", "1.11"] {
        let done = import("r.sdf", &text.replace("'1.9'", &format!("'{version}'")));
        is_pair(&done);
        assert_eq!(done.warnings, [""; 0]);
    }
}

#[test]
fn the_ends_of_joints_may_be_frames_and_nested_models() {
    let mast = format!("<model name='mast'><pose>0 0 0.3 0 0 0</pose>{}</model>", link("l", "0 0 0 0 0 0", 1.0, ""));
    let frames = "<frame name='top' attached_to='seat'/><frame name='seat' attached_to='body'/>";
    let weld = joint("weld", "fixed", "top", "mast", "");
    let done = import("r.sdf", &two_wheels(&(mast + frames + &weld)));
    is_pair(&done);
    assert_eq!(done.warnings, [""; 0]);
    assert!(done.read("pair.vehicle.xml").contains("<chassis mass=\"6\""));
}

#[test]
fn a_shape_has_the_size_of_the_format_and_what_has_none_is_left_out() {
    let ball = collision("0 0 1.5 0 0 0", "<sphere/>");
    let done = import("r.sdf", &two_wheels("").replacen("</link>", &format!("{ball}</link>"), 1));
    is_pair(&done);
    assert!(done.read("pair.vehicle.xml").contains("zmax=\"2.7\""), "{}", done.read("pair.vehicle.xml"));
    let done = import("r.sdf", &two_wheels("").replacen("</link>", "<visual name='v'/></link>", 1));
    is_pair(&done);
    assert!(
        done.warnings[0].ends_with(": <visual name=\"v\"> is left out: it has no <geometry>"),
        "{:?}",
        done.warnings
    );
}

#[test]
fn a_merged_model_is_a_part_of_the_model_around_it() {
    let base = model("base", &link("body", "0 0 0.2 0 0 0", 5.0, &collision("0 0 0 0 0 0", &box_of("0.5 0.3 0.1"))));
    let include = "<include merge='true'><uri>model://base</uri><pose>0.1 0 0 0 0 0</pose></include>";
    let text = two_wheels("");
    let (start, end) = (text.find("<link").unwrap(), text.find("</link>\n").unwrap() + "</link>\n".len());
    let done = import_beside("r.sdf", &text.replace(&text[start..end], include), &[("models/base/model.sdf", &base)]);
    is_pair(&done);
    assert_eq!(done.warnings, [""; 0]);
    assert!(done.read("pair.vehicle.xml").contains("<chassis mass=\"5\" com=\"0.1 0\""));
}
