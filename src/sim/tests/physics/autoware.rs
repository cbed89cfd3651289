//! Autoware's vehicle models in worlds against its published equations, integrated here on their own: absolute poses, one vector of states.

use std::io::Write as _;

use skidpad_math::{Pose2, Vec2};
use skidpad_sim::vehicle::{Action, Command, GearLever, Pedals};
use skidpad_sim::world::{LoadOptions, World};
use tempfile::NamedTempFile;

use super::common::{first, problems, repository, run, step, world};

/// Autoware's timer [s].
const TICK: f64 = 0.025;
/// Parameters of the comparison: those of Autoware's sample, with a dead band, a bias and limits that are met.
const WHEELBASE: f64 = 2.79;
const LIMITS: [f64; 4] = [6.0, 2.5, 0.5, 0.6];
const BAND: f64 = 0.01;
const BIAS: f64 = 0.02;
const STEERING: [f64; 2] = [0.24, 0.27];
const OF_SPEED: [f64; 2] = [0.25, 0.5];
const OF_ACCELERATION: [f64; 2] = [0.1, 0.1];
/// The model with a map, and one such map: accelerations halve at 20 m/s.
const MAPPED: &str = "DELAY_STEER_MAP_ACC_GEARED";
const MAP: &str = "default,0.00,20.0\n-4,-4,-2\n4,4,2\n";

fn vehicle(model: &str, inside: &str) -> String {
    format!(
        r#"<vehicle name="car"><init_pose>0 0 0</init_pose><dynamics class="autoware" vehicle_model_type="{model}">
        <rl_wheel pos="0 0.8"/><rr_wheel pos="0 -0.8"/><fl_wheel/><fr_wheel/><f_wheels_x>{WHEELBASE}</f_wheels_x><f_wheels_d>1.6</f_wheels_d>
        <max_steer_ang_deg>70</max_steer_ang_deg>
        <chassis><shape><pt>-1 -0.9</pt><pt>-1 0.9</pt><pt>3.8 0.9</pt><pt>3.8 -0.9</pt></shape></chassis>{inside}</dynamics></vehicle>"#
    )
}

fn map_file() -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(MAP.as_bytes()).expect("can be written");
    file
}

fn compared(model: &str) -> World {
    let [speed, acceleration, angle, rate] = LIMITS;
    let inside = format!(
        "<vel_lim>{speed}</vel_lim><vel_rate_lim>{acceleration}</vel_rate_lim><steer_lim>{angle}</steer_lim>
         <steer_rate_lim>{rate}</steer_rate_lim><steer_dead_band>{BAND}</steer_dead_band><steer_bias>{BIAS}</steer_bias>{}",
        if model == MAPPED { "<acceleration_map_path>MAP</acceleration_map_path>" } else { "" }
    );
    let map = map_file();
    let inside = inside.replace("MAP", &map.path().display().to_string());
    world(&format!("<simul_timestep>{TICK}</simul_timestep>{}", vehicle(model, &inside)))
}

/// A command as Autoware's messages have it.
#[derive(Clone, Copy)]
struct Control {
    speed: f64,
    /// [m/s²], in the direction of the gear.
    acceleration: f64,
    is_reverse: bool,
    angle: f64,
}

/// The command of each case at a time [s].
fn cases(time: f64) -> [(&'static str, Control); 3] {
    let of = |speed, acceleration, is_reverse, angle| Control { speed, acceleration, is_reverse, angle };
    let after = |start: f64, value: f64| if time < start { 0.0 } else { value };
    let backwards = match time {
        ..3.0 => of(3.0, 1.5, false, 0.2),
        3.0..6.0 => of(0.0, -2.0, false, -0.3),
        6.0..8.0 => of(-2.0, 1.0, true, -0.3),
        _ => of(-2.0, -0.5, true, 0.7),
    };
    [
        ("step", of(after(0.5, 4.0), after(0.5, 1.0), false, after(1.0, 0.2))),
        ("sine", of(3.0 + 2.0 * time.sin(), 2.0 * time.cos() + 0.5, false, 0.4 * (1.3 * time).sin())),
        ("reverse", backwards),
    ]
}

/// The command to the world: a speed, or pedals.
fn action(model: &str, control: &Control) -> Action {
    let &Control { speed, acceleration, is_reverse, angle: steering_angle } = control;
    if model.ends_with("VEL") {
        return Action::Ackermann { speed, steering_angle };
    }
    let share = acceleration / LIMITS[1];
    // Without gears, a negative acceleration is one backwards.
    let is_plain = model.ends_with("ACC");
    let backwards = is_reverse != (is_plain && share < 0.0);
    let pedals = Pedals {
        throttle: if is_plain { share.abs() } else { share.max(0.0) },
        brake: if is_plain { 0.0 } else { (-share).max(0.0) },
        gear: if backwards { GearLever::Reverse } else { GearLever::Drive },
    };
    Action::Pedals { pedals, steering_angle }
}

/// The published equations: x, y, ψ, v, δ and a; the states of a model are the first of them.
struct Published {
    model: &'static str,
    state: [f64; 6],
    /// Inputs of all ticks so far: speed or acceleration, angle.
    inputs: Vec<[f64; 2]>,
}

fn clip(value: f64, most: f64) -> f64 {
    value.clamp(-most, most)
}

impl Published {
    fn late(&self, input: usize, delay: f64) -> f64 {
        let ticks = (delay / TICK).round() as usize;
        self.inputs.len().checked_sub(1 + ticks).map_or(0.0, |at| self.inputs[at][input])
    }

    fn tick(&mut self, control: &Control) {
        let [most_speed, most_acceleration, most_angle, most_rate] = LIMITS;
        let (model, is_delayed) = (self.model, self.model.starts_with("DELAY"));
        let (takes_speed, is_free) = (model.ends_with("VEL"), model.ends_with("GUARD"));
        let signed = if control.is_reverse { -control.acceleration } else { control.acceleration };
        let commanded = if takes_speed {
            control.speed
        } else if is_free {
            control.acceleration
        } else {
            signed
        };
        self.inputs.push([commanded, control.angle]);
        let [delay, lag] = if takes_speed { OF_SPEED } else { OF_ACCELERATION };
        let before = self.state;
        let (mut wanted, mut rate) = (commanded, 0.0);
        if is_delayed {
            wanted = self.late(0, delay);
            let error = before[4] + BIAS - clip(self.late(1, STEERING[0]), most_angle);
            let band = if model == MAPPED { 0.0 } else { BAND };
            let excess = if error > band {
                error - band
            } else if error < -band {
                error + band
            } else {
                0.0
            };
            rate = clip(-excess / STEERING[1], most_rate);
        } else {
            self.state[4] = control.angle;
            if takes_speed {
                self.state[3] = commanded;
            }
        }
        let slope = |s: &[f64; 6]| {
            let v = if is_delayed { clip(s[3], most_speed) } else { s[3] };
            let a = clip(s[5], most_acceleration);
            let dv = match (is_delayed, takes_speed) {
                (false, true) => 0.0,
                (false, false) => wanted,
                (true, true) => clip((clip(wanted, most_speed) - v) / lag, most_acceleration),
                (true, false) if !is_free => a,
                (true, false) if a >= 0.0 => {
                    if control.is_reverse {
                        -a
                    } else {
                        a
                    }
                }
                (true, false) if v == 0.0 => 0.0,
                (true, false) => {
                    if v > 0.0 {
                        a
                    } else {
                        -a
                    }
                }
            };
            let share = if model == MAPPED { 1.0 - v.clamp(0.0, 20.0) / 40.0 } else { 1.0 };
            let da = if is_delayed && !takes_speed { (share * clip(wanted, most_acceleration) - a) / lag } else { 0.0 };
            [v * s[2].cos(), v * s[2].sin(), v * s[4].tan() / WHEELBASE, dv, rate, da]
        };
        let ahead = |s: &[f64; 6], k: &[f64; 6], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
        let start = self.state;
        let k1 = slope(&start);
        self.state = if is_free {
            ahead(&start, &k1, TICK)
        } else {
            let k2 = slope(&ahead(&start, &k1, TICK / 2.0));
            let k3 = slope(&ahead(&start, &k2, TICK / 2.0));
            let k4 = slope(&ahead(&start, &k3, TICK));
            std::array::from_fn(|i| start[i] + TICK * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0)
        };
        if is_delayed && !takes_speed {
            self.state[3] = clip(self.state[3], most_speed);
        }
        if is_free && before[3] * self.state[3] <= 0.0 && self.state[5] <= 0.0 {
            self.state[3] = 0.0;
        }
        let against = if control.is_reverse { self.state[3] > 0.0 } else { self.state[3] < 0.0 };
        if model.ends_with("GEARED") && against {
            self.state[..3].copy_from_slice(&before[..3]);
            (self.state[3], self.state[5]) = (0.0, -before[3] / TICK);
        }
    }
}

const MODELS: [&str; 8] = [
    "IDEAL_STEER_VEL",
    "IDEAL_STEER_ACC",
    "IDEAL_STEER_ACC_GEARED",
    "DELAY_STEER_VEL",
    "DELAY_STEER_ACC",
    "DELAY_STEER_ACC_GEARED",
    "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD",
    MAPPED,
];

#[test]
fn ten_seconds_are_those_of_the_published_equations() {
    for model in MODELS {
        for (case, (name, _)) in cases(0.0).into_iter().enumerate() {
            let mut world = compared(model);
            let mut published = Published { model, state: [0.0; 6], inputs: Vec::new() };
            for tick in 0..400 {
                let control = cases(f64::from(tick) * TICK)[case].1;
                world.command(Command { vehicle: 0, action: action(model, &control) }).expect("takes it");
                let car = &step(&mut world).vehicles[0];
                published.tick(&control);
                let [x, y, yaw, v, angle, _] = published.state;
                let expected = [x, y, yaw.sin(), yaw.cos(), v, v * angle.tan() / WHEELBASE];
                let (pose, motion) = (car.world_from_body, car.velocity_in_body);
                let actual = [pose.x, pose.y, pose.yaw.sin(), pose.yaw.cos(), motion.vx, motion.wz];
                let apart = actual.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-6, "{model} {name} at tick {tick}: {actual:?} for {expected:?}");
            }
            assert!(published.state[0].hypot(published.state[1]) > 1.0, "{model} {name} stays");
        }
    }
}

/// The shipped class, with arguments of Autoware's names.
#[test]
fn the_set_takes_autowares_parameters_by_their_names() {
    let map = map_file();
    for model in MODELS {
        let text = format!(
            r#"<mvsim_world><include file="vehicles/autoware.vehicle.xml" vehicle_model_type="{model}" acceleration_map_path="{map}" wheel_base="2.5" wheel_tread="1.5"
            front_overhang="0.9" right_overhang="0.25" steer_lim="0.6" vel_time_delay="0.5" acc_time_delay="0.5"/>
            <vehicle name="ego" class="autoware"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"#,
            map = map.path().display()
        );
        let folder = repository("worlds");
        let (mut world, warnings) = World::load_text("w", &folder, &text, &LoadOptions::default()).expect("loads");
        assert!(warnings.is_empty(), "{warnings:?}");
        let car = &world.scene().vehicles[0];
        assert_eq!(car.wheelbase, Some(2.5));
        assert_eq!(car.accepts.pedals, !model.ends_with("VEL"), "{model}");
        let lock = if model.starts_with("DELAY") { 0.6 } else { 60_f64.to_radians() };
        assert!((car.max_steer.unwrap() - lock).abs() < 1e-12, "{model}");
        let corner = car.outline.iter().fold([0.0_f64; 2], |most, p| [most[0].max(p.x), most[1].max(-p.y)]);
        assert!((corner[0] - 3.4).abs() < 1e-9 && (corner[1] - 1.0).abs() < 1e-9, "{corner:?}");
        world.command(Command { vehicle: 0, action: Action::Ackermann { speed: 2.0, steering_angle: 0.0 } }).unwrap();
        run(&mut world, 0.4);
        assert_eq!(first(&world).velocity_in_body.vx == 0.0, model.starts_with("DELAY"), "{model}");
    }
}

fn press(world: &mut World, throttle: f64, brake: f64, gear: GearLever) {
    let action = Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle: 0.0 };
    world.command(Command { vehicle: 0, action }).expect("takes pedals");
}

/// Ground that rises by 10 % along x.
const RAMP: &str = r#"<element class="elevation_map"><resolution>200</resolution>
    <elevation_data_matrix>[-10 -10; 10 10]</elevation_data_matrix>
    <corner_min_x>-100</corner_min_x><corner_min_y>-100</corner_min_y></element>"#;

#[test]
fn a_slope_is_felt_as_autoware_adds_it() {
    let along = 9.81 * 0.1_f64.atan().sin();
    let climbing = |model: &str, throttle: f64, brake: f64| {
        let mut world = world(&format!("{RAMP}{}", vehicle(model, "")));
        press(&mut world, throttle, brake, GearLever::Drive);
        run(&mut world, 1.2);
        first(&world).velocity_in_body.vx
    };
    // After dead time and lag; backwards only without a guard.
    let after = 1.2 - 0.1 - 0.1;
    let uphill = climbing("DELAY_STEER_ACC_GEARED", 0.5, 0.0);
    assert!((uphill - (3.5 - along) * after).abs() < 0.01, "{uphill}");
    assert_eq!(climbing("DELAY_STEER_ACC_GEARED", 0.0, 0.0), 0.0);
    let back = climbing("DELAY_STEER_ACC_GEARED_WO_FALL_GUARD", 0.0, 0.0);
    assert!((back + along * 1.2).abs() < 5e-3, "{back}");
    let held = climbing("DELAY_STEER_ACC_GEARED_WO_FALL_GUARD", 0.0, 1.0);
    assert!(held > -0.2 && held <= 0.0, "{held}");
}

/// What was under way before a teleport does not drive it off.
#[test]
fn a_teleport_empties_the_dead_times() {
    let mut world = world(&vehicle("DELAY_STEER_VEL", "<vel_time_delay>2</vel_time_delay>"));
    let go = |speed, steering_angle| Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle } };
    world.command(go(3.0, 0.2)).unwrap();
    run(&mut world, 3.0);
    assert!(first(&world).velocity_in_body.vx > 2.0 && first(&world).wheels[2].steer > 0.1);
    let target = Pose2::new(-7.0, 3.0, 1.0);
    world.command(Command { vehicle: 0, action: Action::Teleport(target) }).unwrap();
    // Its wheels are straight, as Autoware sets them.
    assert_eq!(step(&mut world).vehicles[0].wheels[2].steer, 0.0);
    run(&mut world, 4.0);
    let pose = first(&world).world_from_body.planar();
    assert!((pose.position() - target.position()).norm() < 1e-9, "{pose:?}");
}

/// The page and trackers drive it by speed, and it stops when they fall silent.
#[test]
fn a_model_of_accelerations_follows_speeds_by_its_pedals() {
    let mut world = world(&vehicle("DELAY_STEER_ACC", ""));
    for speed in [4.0, -2.0, 0.0] {
        world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle: 0.1 } }).unwrap();
        run(&mut world, 15.0);
        let v = first(&world).velocity_in_body.vx;
        assert!((v - speed).abs() < 0.01, "{v} for {speed}");
    }
    let at = first(&world).world_from_body.planar().position();
    run(&mut world, 5.0);
    assert_eq!(first(&world).world_from_body.planar().position() - at, Vec2::ZERO);
}

#[test]
fn what_does_not_fit_is_told() {
    let actual = problems(&format!(
        "<mvsim_world>{}</mvsim_world>",
        vehicle("DELAY_STEER_ACC", r#"<controller class="front_steer_pid"/>"#)
    ));
    assert!(actual[0].contains("unknown class \"front_steer_pid\""), "{actual:?}");
    assert!(actual[0].contains("pedals"), "{actual:?}");
    let actual = problems(&format!(
        "<mvsim_world>{}</mvsim_world>",
        vehicle("DELAY_STEER_ACC", "<acc_time_constant>0.01</acc_time_constant>")
    ));
    assert!(actual[0].contains("0.01") && actual[0].contains("0.03"), "{actual:?}");
    let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", vehicle(MAPPED, "")));
    assert!(actual[0].contains("acceleration_map_path") && actual[0].contains("CSV"), "{actual:?}");
    let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", vehicle("LEARNED_STEER_VEL", "")));
    assert!(actual[0].contains("LEARNED_STEER_VEL") && actual[0].contains(MAPPED), "{actual:?}");
}
