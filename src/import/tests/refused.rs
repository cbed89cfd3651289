//! Robots that no drive fits: the error says what they are.

use super::{axis, box_of, collision, import, joint, link, model, tyre, wheeled, world};

/// Lower and upper end of a hinge [rad], if it has any; none: there is no hinge.
type Hinge = Option<Option<[f64; 2]>>;

/// A car-like body with a wheel at each of these places, whose hinge has these limits if it has any.
fn steered(wheels: &[(&str, [f64; 2], Hinge)]) -> String {
    let mut text = wheeled(&[]);
    for (name, [x, y], hinge) in wheels {
        let at = format!("{x} {y} 0.1 0 0 0");
        let parent = if hinge.is_some() { format!("{name}_fork") } else { "body".to_owned() };
        if let Some(limits) = hinge {
            text += &link(&parent, &at, 0.1, "");
            text += &joint(&format!("{name}_turn"), "revolute", "body", &parent, &axis("0 0 1", *limits));
        }
        text += &link(name, &at, 0.5, &tyre(""));
        text += &joint(&format!("{name}_spin"), "revolute", &parent, name, &axis("0 1 0", None));
    }
    model("bot", &text)
}

fn error_of(text: &str) -> String {
    let errors = import("r.sdf", text).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

const SOME: Hinge = Some(Some([-0.6, 0.6]));
const FAR: Hinge = Some(Some([-2.0, 2.0]));

#[test]
fn axles_that_no_drive_steers_are_named() {
    let six = [
        ("rl", [-0.5, 0.2], SOME),
        ("rr", [-0.5, -0.2], SOME),
        ("ml", [0.0, 0.2], None),
        ("mr", [0.0, -0.2], None),
        ("fl", [0.5, 0.2], SOME),
        ("fr", [0.5, -0.2], SOME),
    ];
    let error = error_of(&steered(&six));
    let expected =
        "the wheels on joints \"rl_spin\", \"rr_spin\" are steered too, behind wheels that are not: no drive has such";
    assert!(error.contains(expected), "{error}");
    let all = six.map(|(name, at, _)| (name, at, SOME));
    let error = error_of(&steered(&all));
    assert!(error.contains(" are steered too, on more than two axles: no drive has such"), "{error}");
    for hinge in [FAR, Some(None)] {
        let four = [all[0], all[1], all[4], all[5]].map(|(name, at, _)| (name, at, hinge));
        let error = error_of(&steered(&four));
        assert!(error.contains(" are steered too, and every wheel turns by 90 degrees or more: "), "{error}");
    }
    // Within less, the rear wheels can stay straight.
    let four = [all[0], all[1], all[4], all[5]];
    let done = import("r.sdf", &steered(&four));
    assert!(done.summary[0].starts_with("bot: ackermann_drivetrain, "), "{:?}", done.summary);
    assert!(done.warnings[0].ends_with("the rear wheels are steered too: here they stay straight"));
}

/// A body and a second one on a hinge at `x`, each with an axle.
fn two_bodies(x: f64) -> String {
    let mut text = wheeled(&[("rl", [-0.2, 0.2]), ("rr", [-0.2, -0.2])]);
    let size = collision("0 0 0 0 0 0", &box_of("0.3 0.3 0.1"));
    text += &link("bow", &format!("{x} 0 0.2 0 0 0"), 5.0, &size);
    text += &joint("waist", "revolute", "body", "bow", &axis("0 0 1", Some([-0.6, 0.6])));
    for (name, y) in [("fl", 0.2), ("fr", -0.2)] {
        text += &link(name, &format!("0.8 {y} 0.1 0 0 0"), 0.5, &tyre(""));
        text += &joint(&format!("{name}_spin"), "revolute", "bow", name, &axis("0 1 0", None));
    }
    model("loader", &text)
}

#[test]
fn a_hinge_between_two_bodies_is_an_articulation() {
    let error = error_of(&two_bodies(0.4));
    let expected = "joint \"waist\" turns a part of the vehicle with the wheels on joints \"fl_spin\" and \"fr_spin\": it is articulated";
    assert!(error.contains(expected), "{error}");
    // Above its own axle it steers.
    let done = import("r.sdf", &two_bodies(0.8));
    assert!(done.summary[0].starts_with("loader: ackermann_drivetrain, "), "{:?}", done.summary);
}

#[test]
fn a_robot_on_legs_does_not_stand_on_its_propellers() {
    let mut text = wheeled(&[("rl", [-0.2, 0.2]), ("rr", [-0.2, -0.2]), ("fl", [0.2, 0.2]), ("fr", [0.2, -0.2])]);
    let shape = collision("0 0 -0.3 0 0 0", &box_of("0.03 0.03 0.6"));
    for (name, at) in [("a", "0.3 0.3"), ("b", "0.3 -0.3"), ("c", "-0.3 0")] {
        text += &link(name, &format!("{at} 0.2 0 0 0"), 0.2, &shape);
        text += &joint(&format!("{name}_hip"), "revolute", "body", name, &axis("0 1 0", Some([-1.0, 1.0])));
    }
    let text = model("spider", &text);
    let error = error_of(&text);
    let expected = "robot \"spider\" does not stand on wheels: 3 links reach below all that is round, ";
    assert!(error.contains(expected) && error.contains(" by 0.4 m"), "{error}");
    // In a world, it is a thing.
    let (_, inside) = text.split_once("<sdf version='1.9'>").unwrap();
    let done = import("w.world", &world(inside.strip_suffix("</sdf>").unwrap()));
    assert_eq!((done.errors.len(), done.summary[0].as_str()), (0, "w: 1 block"));
}

#[test]
fn castors_alone_are_called_so() {
    let text = wheeled(&[("l_caster", [0.0, 0.2]), ("r_caster", [0.0, -0.2])]);
    let error = error_of(&model("cart", &text));
    assert!(error.contains("robot \"cart\" has no wheels but castors, on l_caster_spin, r_caster_spin"), "{error}");
}
