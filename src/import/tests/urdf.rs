//! What URDF says of wheels, hinges and drives beside the geometry.

use super::{Done, import};

/// A wheel of 0.1 m radius about y on this link, whose joint stands here and has more in it.
fn wheel(name: &str, parent: &str, at: &str, more: &str) -> String {
    format!(
        "<link name='{name}'><inertial><mass value='0.5'/><inertia ixx='0.002' iyy='0.0025' izz='0.002'/></inertial><collision>\
         <origin rpy='1.5707963267948966 0 0'/><geometry><cylinder radius='0.1' length='0.04'/></geometry></collision></link>\
         <joint name='{name}_joint' type='continuous'><origin xyz='{at}'/><parent link='{parent}'/><child link='{name}'/><axis xyz='0 1 0'/>{more}</joint>"
    )
}

/// A robot of 5 kg with these parts.
fn robot(parts: &str) -> String {
    format!(
        "<robot name='bot'><link name='base'><inertial><origin xyz='0 0 0.2'/><mass value='5'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>\
         <collision><origin xyz='0 0 0.2'/><geometry><box size='0.5 0.3 0.1'/></geometry></collision></link>{parts}</robot>"
    )
}

/// Four wheels in two pairs, with this in each of their joints.
fn four(more: &str) -> String {
    [("rl", "-0.2 0.2 0.1"), ("rr", "-0.2 -0.2 0.1"), ("fl", "0.2 0.2 0.1"), ("fr", "0.2 -0.2 0.1")]
        .map(|(name, at)| wheel(name, "base", at, more))
        .concat()
}

/// A car whose front wheels hang on hinges of this type, with this in them.
fn car(kind: &str, more: &str) -> Done {
    let mut parts = wheel("rl", "base", "-0.2 0.2 0.1", "") + &wheel("rr", "base", "-0.2 -0.2 0.1", "");
    for (name, y) in [("fl", 0.2), ("fr", -0.2)] {
        let fork = format!("{name}_fork");
        parts += &format!(
            "<link name='{fork}'><inertial><mass value='0.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4'/></inertial></link><joint name='{name}_steer' type='{kind}'>\
             <origin xyz='0.2 {y} 0.1'/><parent link='base'/><child link='{fork}'/><axis xyz='0 0 1'/>{more}</joint>"
        );
        parts += &wheel(name, &fork, "0 0 0", "");
    }
    import("r.urdf", &robot(&parts))
}

fn starts(done: &Done, expected: &str) {
    assert_eq!(done.errors, [""; 0]);
    assert!(done.summary[0].starts_with(expected), "{:?}", done.summary);
}

/// The largest angle of the equivalent single track [rad].
fn max_steer(done: &Done) -> f64 {
    done.load().scene().vehicles[0].max_steer.unwrap()
}

#[test]
fn limits_of_a_continuous_hinge_are_those_of_the_steering() {
    let limit = "<limit lower='-0.5' upper='0.5' effort='1' velocity='100'/>";
    let done = car("continuous", limit);
    starts(&done, "bot: ackermann_drivetrain, ");
    assert_eq!(done.warnings, [""; 0]);
    assert!((max_steer(&done) - max_steer(&car("revolute", limit))).abs() < 1e-9);
    // Of a wheel they have no meaning.
    starts(&import("r.urdf", &robot(&four(limit))), "bot: differential_4_wheels, ");
}

#[test]
fn a_steering_hinge_with_limits_of_zero_turns() {
    let done = car("revolute", "<limit lower='0' upper='0' effort='1' velocity='100'/>");
    starts(&done, "bot: ackermann_drivetrain, ");
    let told = done.warnings.iter().filter(|warning| {
        warning
            .ends_with(" are 0, as if none were set: it turns without them\n  accepted: limits of which one is not 0")
    });
    assert_eq!((told.count(), done.warnings.len()), (2, 3), "{:?}", done.warnings);
    assert!((max_steer(&done).to_degrees() - 30.0).abs() < 1e-9);
    // Limits that are equal and not 0 hold it.
    starts(
        &car("revolute", "<limit lower='0.1' upper='0.1' effort='1' velocity='1'/>"),
        "bot: differential_4_wheels, ",
    );
}

#[test]
fn wheels_that_turn_by_more_than_a_hundred_radians_turn_without_end() {
    let revolute = |limit: &str| robot(&four(limit)).replace("'continuous'", "'revolute'");
    starts(&import("r.urdf", &revolute("<limit lower='-180' upper='180'/>")), "bot: differential_4_wheels, ");
    let done = import("r.urdf", &revolute("<limit lower='-90' upper='90'/>"));
    assert!(done.errors[0].contains("robot \"bot\" has no wheels"), "{:?}", done.errors);
}

#[test]
fn names_and_plugins_make_mecanum_wheels() {
    let by_name = robot(&four("")).replace("_joint'", "_mecanum_joint'");
    starts(&import("r.urdf", &by_name), "bot: mecanum, ");
    let by_link = ["rl", "rr", "fl", "fr"]
        .iter()
        .fold(robot(&four("")), |text, name| text.replace(&format!("'{name}'"), &format!("'{name}_omni_wheel'")));
    starts(&import("r.urdf", &by_link), "bot: mecanum, ");
    // One alone makes none, nor does a word that only contains it.
    starts(&import("r.urdf", &robot(&four("")).replace("'rl_joint'", "'rl_mecanum'")), "bot: differential_4_wheels, ");
    starts(&import("r.urdf", &robot(&four("")).replace("_joint'", "_omnibus'")), "bot: differential_4_wheels, ");
    let plugin = "<gazebo><plugin filename='libmy_ros_force_based_move.so' name='mover'/></gazebo>";
    starts(&import("r.urdf", &robot(&(four("") + plugin))), "bot: mecanum, ");
}

#[test]
fn joints_of_arms_that_are_commanded_are_no_wheels() {
    let arm = wheel("elbow", "base", "0.3 0 0.8", "");
    let commanded = "<transmission name='t'><joint name='elbow_joint'><hardwareInterface>EffortJointInterface</hardwareInterface></joint></transmission>";
    let castors = wheel("l_caster", "base", "0 0.2 0.1", "") + &wheel("r_caster", "base", "0 -0.2 0.1", "");
    let done = import("r.urdf", &robot(&(castors + &arm + commanded)));
    let expected = "robot \"bot\" has no wheels but castors, on l_caster_joint, r_caster_joint";
    assert!(done.errors[0].contains(expected), "{:?}", done.errors);
}

#[test]
fn a_box_without_sides_is_left_out() {
    let mark = "<link name='mark'><visual><geometry><box size='0 0 0'/></geometry></visual></link>\
                <joint name='m' type='fixed'><parent link='base'/><child link='mark'/></joint>";
    let done = import("r.urdf", &robot(&(four("") + mark)));
    starts(&done, "bot: differential_4_wheels, ");
    assert!(done.warnings[0].contains("a box of 0 x 0 x 0 m is left out"), "{:?}", done.warnings);
    let done = import("r.urdf", &robot(&(four("") + &mark.replace("0 0 0", "1 -1 1"))));
    assert!(done.errors[0].contains("a box of 1 x -1 x 1 m"), "{:?}", done.errors);
}

#[test]
fn rolling_resistance_leaves_weak_motors_their_force() {
    let rolling = |effort: &str| {
        let done = import("r.urdf", &robot(&four(&format!("<limit effort='{effort}' velocity='20'/>"))));
        let class = done.read("bot.vehicle.xml");
        let (_, rest) = class.split_once("<C_rr>").unwrap();
        (rest[..rest.find('<').unwrap()].parse::<f64>().unwrap(), done)
    };
    let (usual, done) = rolling("1");
    assert_eq!((usual, done.warnings.len()), (0.01, 0), "{:?}", done.warnings);
    // 0.4 N in all push 7 kg: a quarter of it is 0.0014 of the weight.
    let (weak, done) = rolling("0.01");
    assert_eq!(weak, 0.0014);
    let expected = "its motors push with 0.4 N in all, little for 7 kg: a rolling resistance of 0.0014 is used";
    assert!(done.warnings[0].contains(expected), "{:?}", done.warnings);
}

#[test]
fn links_called_tracks_are_tracks_where_nothing_drives() {
    let track = |name: &str, y: f64| {
        format!(
            "<link name='{name}'><inertial><mass value='2'/><inertia ixx='0.01' iyy='0.02' izz='0.02'/></inertial><collision><geometry>\
             <box size='0.6 0.1 0.2'/></geometry></collision></link><joint name='{name}_j' type='fixed'><origin xyz='0 {y} 0.1'/>\
             <parent link='base'/><child link='{name}'/></joint>"
        )
    };
    let parts = track("left_track", 0.25) + &track("right_track", -0.25);
    starts(&import("r.urdf", &robot(&parts)), "bot: tracked, ");
    let other = parts.replace("_track", "_band");
    let controller = |link: &str| {
        format!(
            "<gazebo><plugin filename='gz-sim-track-controller-system' name='gz::sim::systems::TrackController'><link>{link}</link><max_velocity>3</max_velocity></plugin></gazebo>"
        )
    };
    let done = import("r.urdf", &robot(&(other.clone() + &controller("right_band") + &controller("left_band"))));
    starts(&done, "bot: tracked, ");
    assert!(done.read("bot.vehicle.xml").contains("<max_speed>3</max_speed>"));
    assert!(import("r.urdf", &robot(&other)).errors[0].contains("has no wheels"));
}

#[test]
fn two_driven_wheels_whose_axles_cross_need_the_third_one() {
    let parts: String = [("left_wheel", 60.0_f64), ("right_wheel", -60.0), ("back_wheel", 180.0)]
        .iter()
        .map(|(name, degrees)| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            format!(
                "<link name='{name}'><inertial><mass value='0.5'/><inertia ixx='0.002' iyy='0.002' izz='0.002'/></inertial><collision><geometry>\
                 <mesh filename='gone.stl'/></geometry></collision></link><joint name='{name}_joint' type='continuous'>\
                 <origin xyz='{} {} 0.1' rpy='0 0 {}'/><parent link='base'/><child link='{name}'/><axis xyz='1 0 0'/></joint>",
                0.2 * cos,
                0.2 * sin,
                degrees.to_radians()
            )
        })
        .collect();
    let plugin = "<gazebo><plugin filename='libgazebo_ros_diff_drive.so' name='d'><left_joint>left_wheel_joint</left_joint>\
                  <right_joint>right_wheel_joint</right_joint><wheel_diameter>0.2</wheel_diameter></plugin></gazebo>";
    let done = import("r.urdf", &robot(&(parts + plugin)));
    starts(&done, "bot: omni_3_wheels, ");
}
