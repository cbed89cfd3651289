//! What wheels are for, how they stand, and how a vehicle is balanced on them.

use skidpad_math::Twist2;

use super::{Done, axis, box_of, collision, driven, import, joint, link, model, near, two_wheels, tyre, wheeled};

const CORNERS: [(&str, [f64; 2]); 4] =
    [("rl", [-0.2, 0.2]), ("rr", [-0.2, -0.2]), ("fl", [0.2, 0.2]), ("fr", [0.2, -0.2])];

#[test]
fn grip_in_one_direction_askew_to_the_axle_makes_mecanum_wheels() {
    let with = |direction: &dyn Fn(&str) -> &'static str, mu2: f64| {
        let mut text = wheeled(&CORNERS);
        for (name, _) in CORNERS {
            let from = format!("<link name='{name}'>");
            let (before, after) = text.split_once(&from).unwrap();
            let surface = format!(
                "<surface><friction><ode><mu>1</mu><mu2>{mu2}</mu2><fdir1 gz:expressed_in='body'>{}</fdir1></ode></friction></surface></collision>",
                direction(name)
            );
            text = format!("{before}{from}{}", after.replacen("</collision>", &surface, 1));
        }
        import("r.sdf", &model("bot", &text).replace("<sdf ", "<sdf xmlns:gz='x' "))
    };
    let askew = |name: &str| if ["fl", "rr"].contains(&name) { "1 -1 0" } else { "1 1 0" };
    let done = with(&askew, 0.0);
    assert_eq!(done.warnings, [""; 0]);
    assert!(done.summary[0].starts_with("bot: mecanum, 7 kg, wheelbase 0.4 m, track 0.4 m, "), "{:?}", done.summary);
    let velocity = driven(&mut done.load(), Twist2::new(0.0, 0.3, 0.0), 2.0);
    assert!((velocity.vy - 0.3).abs() < 0.02, "{velocity:?}");
    // Grip in both directions, and grip along the axle, are those of usual wheels.
    for done in [with(&askew, 1.0), with(&|_| "0 1 0", 0.0)] {
        assert!(done.summary[0].starts_with("bot: differential_4_wheels, "), "{:?}", done.summary);
    }
}

/// A go-kart whose front wheels turn about two axes of one joint.
fn kart(kind: &str, axes: &dyn Fn(&str, &str) -> String) -> Done {
    let mut text = wheeled(&[("rl", [0.0, 0.3]), ("rr", [0.0, -0.3])]);
    for (name, y) in [("fl", 0.3), ("fr", -0.3)] {
        text += &link(name, &format!("1 {y} 0.1 0 0 0"), 0.5, &tyre(""));
        let hinge = "<xyz>0 0 1</xyz><limit><lower>-0.6</lower><upper>0.6</upper></limit>";
        text += &joint(&format!("{name}_both"), kind, "body", name, &axes(hinge, "<xyz>0 1 0</xyz>"));
    }
    import("r.sdf", &model("kart", &text))
}

#[test]
fn a_joint_of_two_axes_steers_and_rolls() {
    for kind in ["universal", "revolute2"] {
        for done in [
            kart(kind, &|hinge, spin| format!("<axis>{hinge}</axis><axis2>{spin}</axis2>")),
            kart(kind, &|hinge, spin| format!("<axis>{spin}</axis><axis2>{hinge}</axis2>")),
        ] {
            assert_eq!(done.warnings, [""; 0]);
            let world = done.load();
            let info = &world.scene().vehicles[0];
            assert_eq!(info.dynamics, "ackermann_drivetrain");
            near(info.wheelbase.unwrap(), 1.0);
            near(info.mass, 7.0);
            // The lock is that of the inner wheel: cot δ = cot 0.6 + 0.3/1.
            near(1.0 / info.max_steer.unwrap().tan(), 1.0 / 0.6_f64.tan() + 0.3);
        }
    }
}

/// A car on these wheels, with a wheelbase [m], a track [m], and a mass [kg] whose middle is here [m].
fn car(scale: f64, mass: f64, center: [f64; 2]) -> String {
    let (l, half, radius) = (2.6 * scale, 0.75 * scale, 0.3 * scale);
    let size = box_of(&format!("{} {} {}", 1.3 * l, 1.8 * half, radius));
    let inertia = mass * l * l / 8.0;
    let mut text = format!(
        "<link name='frame'><pose>0 0 {} 0 0 0</pose><inertial><pose>{} {} 0 0 0 0</pose><mass>{mass}</mass><inertia><ixx>{inertia}</ixx><iyy>{inertia}</iyy>\
         <izz>{inertia}</izz></inertia></inertial>{}</link>",
        2.0 * radius,
        center[0],
        center[1],
        collision(&format!("{} 0 0 0 0 0", 0.5 * l), &size)
    );
    let round = tyre("").replace("<radius>0.1", &format!("<radius>{radius}"));
    for (name, x, y) in [("rl", 0.0, half), ("rr", 0.0, -half), ("fl", l, half), ("fr", l, -half)] {
        let parent = if x > 0.0 { format!("{name}_knuckle") } else { "frame".to_owned() };
        if x > 0.0 {
            text += &link(&parent, &format!("{x} {y} {radius} 0 0 0"), 1e-3 * mass, "");
            text += &joint(&format!("{name}_steer"), "revolute", "frame", &parent, &axis("0 0 1", Some([-0.7, 0.7])));
        }
        text += &link(name, &format!("{x} {y} {radius} 0 0 0"), 0.01 * mass, &round);
        text += &joint(&format!("{name}_hub"), "revolute", &parent, name, &axis("0 1 0", None));
    }
    model("car", &text)
}

#[test]
fn a_heavy_car_follows_its_command() {
    let done = import("r.sdf", &car(1.0, 1500.0, [1.73, 0.0]));
    assert_eq!(done.warnings, [""; 0]);
    let mut world = done.load();
    let velocity = driven(&mut world, Twist2::new(0.5, 0.0, 0.1), 1.0);
    assert!((velocity.vx - 0.5).abs() < 0.01 && (velocity.wz - 0.1).abs() < 0.002, "{velocity:?}");
    // Its motor has the torque that the rear wheels can hold under a third of the weight.
    let class = done.read("car.vehicle.xml");
    let (_, rest) = class.split_once("<max_torque>").unwrap();
    let torque: f64 = rest[..rest.find('<').unwrap()].parse().unwrap();
    let mass = world.scene().vehicles[0].mass;
    let share = torque / (mass * 9.81 * 0.3);
    assert!((0.25..0.35).contains(&share), "{share}");
}

#[test]
fn a_centre_of_mass_behind_the_rear_wheels_is_told_with_its_effect() {
    let done = import("r.sdf", &car(0.2, 30.0, [-0.08, 0.0]));
    let fault = "centre of mass is 0.066 m behind the rear wheels, and the front wheels carry no load";
    assert_eq!(
        done.warnings,
        [format!(
            "r.sdf:2:1: the {fault}\n  accepted: a centre of mass between the axles\n  hint: check the <inertial> of the heaviest link"
        )]
    );
    let drive = &done.summary[1];
    assert!(drive.ends_with(&format!(" (its {fault})")), "{drive}");
}

#[test]
fn a_centre_of_mass_beside_the_middle_is_told_with_its_effect() {
    let aside = |y: f64| {
        let text = model("bot", &wheeled(&CORNERS));
        import("r.sdf", &text.replacen("<inertial>", &format!("<inertial><pose>0 {y} 0 0 0 0</pose>"), 1))
    };
    assert_eq!(aside(0.0).warnings, [""; 0]);
    let [left, right] = [0.08, -0.08].map(|y| aside(y).warnings);
    let start =
        "r.sdf:2:1: the centre of mass is 0.057 m to the left of the middle: asked 0.1 m/s and 0.5 rad/s, it drives ";
    assert!(left.len() == 1 && left[0].starts_with(start), "{left:?}");
    let speeds = |warning: &str| -> [f64; 2] {
        let (_, rest) = warning.split_once(", it drives ").unwrap();
        let (to_left, rest) = rest.split_once(" m/s in a left turn and ").unwrap();
        let (to_right, _) = rest.split_once(" m/s in a right one").unwrap();
        [to_left.parse().unwrap(), to_right.parse().unwrap()]
    };
    let ([a, b], [c, d]) = (speeds(&left[0]), speeds(&right[0]));
    // Each side is the mirror of the other one, and the middle between both turns is as asked.
    assert!(a < 0.09 && (a + b - 0.2).abs() < 0.01, "{a} {b}");
    assert!((a - d).abs() < 0.002 && (b - c).abs() < 0.002, "{a} {b} {c} {d}");
}

#[test]
fn names_of_the_other_side_and_axes_to_the_right_are_told() {
    let swapped = two_wheels("").replace("'left", "'x").replace("'right", "'left").replace("'x", "'right");
    let swapped = swapped
        .replace("<child>left", "<child>x")
        .replace("<child>right", "<child>left")
        .replace("<child>x", "<child>right");
    let done = import("r.sdf", &swapped);
    let expected = "joint \"left_spin\" called left, but on the right, and joint \"right_spin\" called right, but on the left: the geometry decides\n  \
                    hint: exchange the names, or turn the robot if it looks backwards";
    assert!(done.warnings.len() == 1 && done.warnings[0].ends_with(expected), "{:?}", done.warnings);
    // A plugin may exchange them.
    let plugin = "<plugin filename='gz-sim-diff-drive-system' name='d'><left_joint>right_spin</left_joint><right_joint>left_spin</right_joint></plugin>";
    let done = import("r.sdf", &two_wheels(plugin));
    let expected = "joint \"right_spin\" called left, but on the right, and joint \"left_spin\" called right, but on the left: the geometry decides\n  \
                    hint: exchange the names, or turn the robot if it looks backwards";
    assert!(done.warnings.len() == 1 && done.warnings[0].ends_with(expected), "{:?}", done.warnings);
    let (before, after) = two_wheels("").rsplit_once("<xyz>0 1 0").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let done = import("r.sdf", &format!("{before}<xyz>0 -1 0{after}"));
    let expected = "the axis of joint \"right_spin\" points to the right, so a positive speed rolls its wheel backwards: here it rolls ahead\n  \
                    accepted: axes that point to the left";
    assert!(done.warnings.len() == 1 && done.warnings[0].ends_with(expected), "{:?}", done.warnings);
    let done = import("r.sdf", &two_wheels("").replace("<xyz>0 1 0", "<xyz>0 -1 0"));
    let expected = "the axes of joints \"left_spin\", \"right_spin\" point to the right, so positive speeds roll their wheels backwards: here they roll ahead\n  \
                    accepted: axes that point to the left";
    assert!(done.warnings.len() == 1 && done.warnings[0].ends_with(expected), "{:?}", done.warnings);
}
