//! What the trial runs of [`step_check`](super::step_check) tell about a vehicle at its largest known speed: whether its motors hold that
//! speed, and whether the controllers of its front wheels steer it.
//!
//! A motor is too weak if it gives all of its torque at the end of the straight part and the speed, which is below the set-point, does not
//! grow. With `ackermann` and a PID each front wheel is held at the speed that it would have without slip, as in MVSim. At a high speed,
//! where tyres roll with slip angles, that is torque vectoring: the difference of the two torques turns the car.

use skidpad_math::Twist2;
use skidpad_xml::{Context, Element, Place};

use crate::world::World;
use crate::world::load::vehicle::Loaded;

/// Friction laws whose forces depend on the slip.
const SLIPPING: [&str; 4] = ["ellipse", "fiala", "linear", "pacejka"];
/// The yaw gain counts from v²/(g·L) on [-], with the wheelbase L: 15 m/s for a car. Chosen: there it is 4 % off in a car that understeers.
const FAST: f64 = 9.0;
/// Standard gravity [m/s²].
const GRAVITY: f64 = 9.81;
/// A speed is missed if it is below this share of the set-point [-].
const HELD: f64 = 0.98;
/// A motor gives all of its torque from this share on [-].
const ALL: f64 = 0.999;

/// Speed [m/s] above which the controllers of its front wheels steer a vehicle; none of another one.
pub(super) fn speed_of_vectoring(loaded: &Loaded, instance: &Element, class: Option<&Element>) -> Option<f64> {
    let laws = |element: &Element| -> Vec<String> {
        let laws = element.children.iter().filter(|child| child.tag == "friction");
        laws.filter_map(|law| law.attribute("class").map(|class| class.value.clone())).collect()
    };
    let of_instance = laws(instance);
    let laws = if of_instance.is_empty() { class.map(laws).unwrap_or_default() } else { of_instance };
    let slips = laws.iter().any(|law| SLIPPING.contains(&law.as_str()));
    let has_two = loaded.info.dynamics == "ackermann" && loaded.vehicle.controller().pids().len() == 2;
    let wheelbase = loaded.info.wheelbase.filter(|_| slips && has_two)?;
    Some((FAST * GRAVITY * wheelbase).sqrt())
}

/// Warns where a vehicle is driven at `speed` [m/s], above that at which the controllers of its front wheels steer it.
pub(super) fn warn_of_vectoring(context: &Context, place: &Place, name: &str, speed: f64, from: Option<f64>) {
    let Some(from) = from.filter(|from| speed > *from) else { return };
    let rounded = libm::round(1e3 * speed) / 1e3;
    context
        .warn(place, format!("\"{name}\" at {rounded} m/s: a PID holds each front wheel at its speed without slip, and so turns the car"))
        .accepted([format!("speeds up to {from:.0} m/s, or <dynamics class=\"ackermann_drivetrain\">")])
        .hint("with class ackermann, as in MVSim, a car that understeers turns too fast");
}

/// Whether the first vehicle of a world gets all the torque that its motors have.
pub(super) fn is_at_full_torque(world: &World) -> bool {
    let frame = &world.frame().vehicles[0];
    let pids = world.vehicles[0].vehicle.controller().pids();
    let most = pids.first().map_or(0.0, |pid| pid.parameters().max_torque) * pids.len() as f64;
    let torque: f64 = frame.wheels.iter().map(|wheel| wheel.torque).sum();
    (most > 0.0 && torque >= ALL * most) || frame.powertrain.throttle >= ALL
}

/// Warns of motors that do not hold `speed` [m/s] in `straight`, the straight part of a trial run, with `is_at_full_torque` at its end.
pub(super) fn warn_of_weak_motors(
    context: &Context,
    place: &Place,
    name: &str,
    speed: f64,
    straight: &[Twist2],
    is_at_full_torque: bool,
) {
    let (Some(middle), Some(end)) = (straight.get(straight.len() / 2), straight.last()) else { return };
    if !is_at_full_torque || end.vx > middle.vx || end.vx >= HELD * speed {
        return;
    }
    let [rounded, reached] = [speed, end.vx].map(|speed| libm::round(1e3 * speed) / 1e3);
    context
        .warn(place, format!("the motors of \"{name}\" do not hold {rounded} m/s: with all their torque it slows down to {reached} m/s"))
        .accepted(["a <max_torque> that balances all resistance at this speed, or a lower speed".to_owned()])
        .hint("check C_damping, C_rr and <resistance>: damping of bearings suits robots of MVSim's size");
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::world::{LoadOptions, StepCheck, World};

    /// The first lines of all warnings of a world with this car of 1.4 t, which starts at `speed` [m/s].
    fn warnings(drive: &str, speed: f64, max_torque: f64, friction: &str) -> Vec<String> {
        let wheels: String = [("rl", "pos='0 0.75' "), ("rr", "pos='0 -0.75' "), ("fl", ""), ("fr", "")]
            .map(|(wheel, place)| format!("<{wheel}_wheel {place}mass='20' width='0.2' diameter='0.62'/>"))
            .concat();
        let text = format!(
            "<mvsim_world><simul_timestep>0.002</simul_timestep><vehicle name='r'><init_pose>0 0 0</init_pose>\
             <init_vel>{speed} 0 0</init_vel>\n<dynamics class='{drive}'>{wheels}<f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
             <chassis mass='1320' com='1.25 0' inertia='1900' linear_damping='0' angular_damping='0'>\
             <shape><pt>-0.9 -0.85</pt><pt>-0.9 0.85</pt><pt>3.5 0.85</pt><pt>3.5 -0.85</pt></shape></chassis>\
             <controller class='front_steer_pid'><V>{speed}</V><KP>600</KP><KI>60</KI><max_torque>{max_torque}</max_torque></controller>\
             </dynamics>{friction}</vehicle></mvsim_world>"
        );
        let options = LoadOptions { tries_steps: StepCheck::AtLoad, ..LoadOptions::default() };
        let (_, actual) = World::load_text("w.xml", Path::new("."), &text, &options).unwrap();
        actual.iter().filter_map(|warning| warning.to_string().lines().next().map(str::to_owned)).collect()
    }

    const SLIPS: &str =
        "<friction class='linear'><mu>1</mu><C_damping>0</C_damping><C_alpha>12</C_alpha><C_s>12</C_s></friction>";
    const STICKS: &str = "<friction class='default'><mu>1</mu><C_damping>0</C_damping></friction>";

    #[test]
    fn two_motors_of_a_fast_car_on_tyres_that_slip_are_told() {
        let told =
            "w.xml:2:1: \"r\" at 30 m/s: a PID holds each front wheel at its speed without slip, and so turns the car";
        assert_eq!(warnings("ackermann", 30.0, 600.0, SLIPS), [told]);
        for (drive, speed, friction) in
            [("ackermann", 8.0, SLIPS), ("ackermann", 30.0, STICKS), ("ackermann_drivetrain", 30.0, SLIPS)]
        {
            assert_eq!(warnings(drive, speed, 600.0, friction), [""; 0], "{drive} at {speed} m/s");
        }
    }

    /// Four bearings of 2 N·m·s/rad take 774 N·m at 30 m/s, half of it from each motor.
    #[test]
    fn a_motor_that_is_too_weak_for_its_speed_is_told() {
        let damped = STICKS.replace("<C_damping>0<", "<C_damping>2<");
        let told = warnings("ackermann", 30.0, 300.0, &damped);
        let expected = "w.xml:2:1: the motors of \"r\" do not hold 30 m/s: with all their torque it slows down to ";
        assert!(told.len() == 1 && told[0].starts_with(expected), "{told:?}");
        assert_eq!(warnings("ackermann", 30.0, 500.0, &damped), [""; 0]);
        assert_eq!(warnings("ackermann", 20.0, 300.0, &damped), [""; 0], "it holds a lower speed");
    }
}
