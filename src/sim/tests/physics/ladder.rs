//! Every drive with every controller that fits it on every friction law: straight, circle, slalom, stop and hold, reverse, in
//! steps of 1 to 20 ms. Nothing diverges, and stopped vehicles stay.

use super::common::*;
use skidpad_sim::friction::FRICTION_LAWS;
use skidpad_sim::vehicle::drive::DriveKind;
use skidpad_sim::vehicle::{Action, CONTROLLERS, Command, DRIVES, GearLever, Pedals};
use skidpad_sim::world::{Accepts, World};

/// Straight, circle, slalom, stop, hold, reverse in a slalom: speed [m/s], steering angle [rad], for how long [s]. To stop takes
/// long, because with its default gains a PID brakes so hard on slippery laws that its wheels turn back.
const MANOEUVRES: [(f64, f64, f64); 8] = [
    (1.5, 0.0, 0.5),
    (1.5, 0.2, 0.5),
    (1.5, -0.2, 0.5),
    (1.5, 0.2, 0.5),
    (0.0, 0.2, 1.5),
    (0.0, 0.0, 0.5),
    (-1.0, 0.15, 0.5),
    (-1.0, -0.15, 0.5),
];
/// The manoeuvre in which nothing may move faster than at its beginning.
const HOLD: usize = 5;
/// Nor than this [m/s], the speed below which controllers let vehicles coast.
const STANDS: f64 = 0.05;

/// One rung: drive, controller, friction law, and whether an engine drives it.
#[derive(Clone, Copy, Debug)]
struct Rung {
    drive: &'static str,
    controller: &'static str,
    law: &'static str,
    engine: bool,
}

/// All valid combinations.
fn rungs() -> Vec<Rung> {
    let mut all = Vec::new();
    for drive in DRIVES {
        for controller in CONTROLLERS.iter().filter(|controller| controller.read_for(drive.kind).is_some()) {
            // Models of whole vehicles have tyres of their own.
            for law in if drive.kind.is_model() { &FRICTION_LAWS[..1] } else { FRICTION_LAWS } {
                let rung = Rung { drive: drive.name, controller: controller.name, law: law.name, engine: false };
                all.push(rung);
                if drive.kind == DriveKind::AckermannDrivetrain && controller.name.contains("pedals") {
                    all.push(Rung { engine: true, ..rung });
                }
            }
        }
    }
    all
}

impl Rung {
    fn world(&self, step: f64) -> World {
        let &Rung { drive, controller, law, engine } = self;
        // What a raw controller does as long as the world runs; the others do not know these tags.
        let torques = ["l_torque", "r_torque", "fl_torque", "fr_torque", "torque"];
        let raw: String = torques.iter().map(|tag| format!("<{tag}>3</{tag}>")).collect();
        // Forwards, on wheels that are mounted as the cart's.
        let torques = match drive {
            "omni_3_wheels" => "-3 3 0",
            "omni_4_wheels" => "-3 3 -3 3",
            _ => "3 3 3 3",
        };
        let raw = raw + &format!("<torques>{torques}</torques>");
        let raw = if controller == "raw" { raw + "<steer_ang_deg>5</steer_ang_deg>" } else { String::new() };
        let engine = if engine { "<powertrain/><brakes/>" } else { "" };
        // The default gains are those of a cart.
        let gains = if self.engine { "<KP>2000</KP><max_torque>2000</max_torque>" } else { "" };
        let inside = format!(r#"{engine}<controller class="{controller}">{raw}{gains}</controller>"#);
        let friction = format!(r#"<friction class="{law}"/>"#);
        let cart = Cart { drive, inside, friction, ..Cart::default() }.named("cart");
        // A compact car's engine in a compact car.
        let cart = if self.engine { cart.replace(r#"<chassis mass="100""#, r#"<chassis mass="1000""#) } else { cart };
        world(&format!("<simul_timestep>{step}</simul_timestep>{cart}"))
    }
}

/// By how much speed may swing [m/s]: a proportional brake meets the creep of an idling engine at some speed.
const SWING: f64 = 0.01;

/// Commands `speed` [m/s] and steering `angle` [rad] in a form that the vehicle accepts.
fn order(world: &mut World, speed: f64, angle: f64) {
    let accepts = world.scene().vehicles[0].accepts;
    if accepts.ackermann {
        let action = Action::Ackermann { speed, steering_angle: angle };
        world.command(Command { vehicle: 0, action }).expect("takes steering");
    } else if accepts.twist {
        twist(world, 0, speed, speed * angle);
    } else if accepts.pedals {
        let [throttle, brake] = if speed == 0.0 { [0.0, 0.5] } else { [0.2, 0.0] };
        let gear = if speed < 0.0 { GearLever::Reverse } else { GearLever::Drive };
        let action = Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle: angle };
        world.command(Command { vehicle: 0, action }).expect("takes pedals");
    }
}

/// Of the reference point [m/s].
fn speed_of(world: &World) -> f64 {
    let twist = first(world).velocity_in_body;
    twist.vx.hypot(twist.vy)
}

/// The first fault in a run of all manoeuvres, if any.
fn fault(rung: &Rung, step: f64) -> Option<String> {
    let mut world = rung.world(step);
    let obeys = world.scene().vehicles[0].accepts != Accepts::default();
    for (number, (speed, angle, seconds)) in MANOEUVRES.into_iter().enumerate() {
        let pose = first(&world).world_from_body;
        if number == HOLD && pose.x.hypot(pose.y) < 0.03 {
            return Some(format!("has not moved: {pose:?}"));
        }
        // One that steers by bending moves meanwhile, and is held bent as it stopped.
        let angle = if number == HOLD && rung.drive == "articulated" { MANOEUVRES[HOLD - 1].1 } else { angle };
        order(&mut world, speed, angle);
        let before = speed_of(&world);
        for _ in 0..(seconds / step) as usize {
            if let Err(error) = world.step() {
                return Some(format!("manoeuvre {number}: {error}"));
            }
            if number == HOLD && obeys && speed_of(&world) > before.max(STANDS) + SWING {
                return Some(format!("from {before} m/s to {} m/s while it shall stand", speed_of(&world)));
            }
            let frame = first(&world);
            let twist = frame.velocity_in_body;
            if twist.vx.hypot(twist.vy) > 4.0 || twist.wz.abs() > 4.0 {
                return Some(format!("manoeuvre {number}: {twist:?}"));
            }
            if let Some(wheel) = frame.wheels.iter().find(|wheel| !(wheel.load >= 0.0 && wheel.spin.abs() < 100.0)) {
                return Some(format!("manoeuvre {number}: {wheel:?}"));
            }
        }
    }
    None
}

/// Of every rung but for `stride` − 1 left out each time, in steps of `step` [s].
fn faults(step: f64, stride: usize) -> Vec<String> {
    let actual = rungs().into_iter().step_by(stride).filter_map(|rung| Some((rung, fault(&rung, step)?)));
    actual.map(|(rung, fault)| format!("{rung:?} at {step} s: {fault}")).collect()
}

#[track_caller]
fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "{} fail:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_tables_are_crossed() {
    assert!(rungs().len() > 40, "{:?}", rungs());
}

#[test]
fn everything_drives_in_long_steps() {
    none([0.01, 0.02].into_iter().flat_map(|step| faults(step, 1)).collect());
}

#[test]
fn everything_drives_at_5_ms() {
    none(faults(0.005, 1));
}

/// One in five, which meets each law and drive: short steps take long.
#[test]
fn a_fifth_drives_at_1_ms() {
    none(faults(0.001, 5));
}
