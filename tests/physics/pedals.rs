//! Throttle, brake and steering commands, service brakes, the steering actuator, air and rolling resistance.

use super::common::*;
use skidpad::vehicle::{Action, Command, Pedals};
use skidpad::world::World;

fn press(throttle: f64, brake: f64, steering_angle: f64) -> Action {
    Action::Pedals { pedals: Pedals { throttle, brake, ..Pedals::default() }, steering_angle }
}

fn refusal(world: &mut World, action: Action) -> String {
    world.command(Command { vehicle: 0, action }).unwrap_err().to_string()
}

#[test]
fn pedals_that_nobody_can_press_are_refused() {
    let inside = r#"<controller class="pedals"/>"#.to_string();
    let mut world = Cart { drive: "ackermann", inside, ..Cart::default() }.world(0.005);
    assert!(world.scene().vehicles[0].accepts.pedals);
    for (action, message) in [
        (press(1.5, 0.0, 0.0), "command to \"cart\": throttle 1.5 is out of range\n  accepted: 0 to 1"),
        (press(0.0, -0.1, 0.0), "command to \"cart\": brake -0.1 is out of range\n  accepted: 0 to 1"),
        (
            press(f64::NAN, 0.0, 0.0),
            "command to \"cart\" holds a number that is not finite\n  accepted: finite numbers",
        ),
        (
            press(0.0, 0.0, 1e7),
            "command to \"cart\" asks for more than any vehicle can do\n  accepted: up to 1000000 m/s or rad/s",
        ),
    ] {
        assert_eq!(refusal(&mut world, action), message);
    }
    assert_eq!(world.command(Command { vehicle: 0, action: press(1.0, 0.0, 0.3) }), Ok(()));
}

#[test]
fn a_vehicle_without_pedals_says_so() {
    let inside = r#"<controller class="front_steer_pid"/>"#.to_string();
    let mut world = Cart { drive: "ackermann", inside, ..Cart::default() }.world(0.005);
    let message = "vehicle \"cart\" takes no pedals commands\n  accepted: velocity, Ackermann";
    assert_eq!(refusal(&mut world, press(1.0, 0.0, 0.0)), message);
}

#[test]
fn pedals_in_the_world_file_are_checked() {
    let text = Cart {
        drive: "ackermann",
        inside: "<controller class=\"pedals\"><brake>2</brake><gear>park</gear></controller>".into(),
        ..Cart::default()
    };
    let found = problems(&format!("<mvsim_world>{}</mvsim_world>", text.named("cart")));
    assert_eq!(
        found,
        [
            "bad.xml:5:47: bad value \"2\" for <brake> in <controller class=\"pedals\">\n  accepted: a finite number from 0 to 1",
            "bad.xml:5:62: bad value \"park\" for <gear> in <controller class=\"pedals\">\n  accepted: drive, neutral, reverse",
        ]
    );
    let text = Cart {
        drive: "ackermann",
        inside: "<controller class=\"speed_pedals\"><max_torque>0</max_torque></controller>".into(),
        ..Cart::default()
    };
    let found = problems(&format!("<mvsim_world>{}</mvsim_world>", text.named("cart")));
    let message = "<max_torque> is the torque at full throttle\n  accepted: a positive number";
    assert_eq!(found, [format!("bad.xml:5:58: {message}")]);
}
