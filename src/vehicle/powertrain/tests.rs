//! The powertrain against a shaft of known inertia, without contacts.

use super::engine::RPM;
use super::*;
use crate::command::GearLever;

const MASS: f64 = 1200.0;
const RADIUS: f64 = 0.3;

fn flat(torque: f64) -> Engine {
    let mut engine = Engine::new(TorqueCurve::Points(vec![(0.0, torque), (700.0, torque)]), false);
    engine.drag = [0.0, 0.0];
    engine
}

fn locked_gear(engine: &Engine, gear: i8) -> Gearbox {
    let mut gearbox = Gearbox::new(vec![3.6, 2.0, 1.4, 1.0, 0.75], 4.0, engine);
    gearbox.logic.locked = Some(gear);
    gearbox.reset();
    gearbox
}

fn throttle(throttle: f64) -> Pedals {
    Pedals { throttle, ..Pedals::default() }
}

/// One step of a mass [kg] on the shaft by wheels of RADIUS, at `speed` [m/s], braked by `resistance` [N].
fn roll(powertrain: &mut Powertrain, speed: &mut f64, pedals: Pedals, resistance: f64, dt: f64) -> f64 {
    let free = *speed - resistance * dt / MASS;
    let shaft = ShaftResponse { speed_free: free / RADIUS, compliance: dt / (MASS * RADIUS * RADIUS) };
    let torque = powertrain.step(pedals, shaft, dt);
    *speed = free + torque / RADIUS * dt / MASS;
    torque
}

/// T_e = J_e·ω̇_e + GR·r·F_load, in each gear, with the clutch closed: exactly, since all torques are constant. The engine accelerates
/// J_e = I_e + I_t + m·r²·GR² with GR = ω_w/ω_e.
#[test]
fn acceleration_in_each_gear_follows_the_effective_inertia() {
    for gear in 1..=5 {
        for dt in [0.001, 0.02] {
            let engine = flat(100.0);
            let mut gearbox = locked_gear(&engine, gear);
            gearbox.efficiency = 1.0;
            let clutch = Clutch { capacity: 1e4, engage_speed: 1.0, full_speed: 2.0 };
            let mut powertrain = Powertrain::new(engine, Coupling::Clutch(clutch), gearbox);
            let gr = 1.0 / powertrain.gearbox.ratio_of(gear);
            let mut speed = 200.0 * gr * RADIUS;
            let load = 150.0;
            for _ in 0..5 {
                roll(&mut powertrain, &mut speed, throttle(1.0), load, dt);
            }
            let (before, time) = (powertrain.frame().engine_speed, 0.4);
            for _ in 0..(time / dt).round() as usize {
                roll(&mut powertrain, &mut speed, throttle(1.0), load, dt);
            }
            let inertia = powertrain.engine.inertia + powertrain.gearbox.inertia + MASS * RADIUS * RADIUS * gr * gr;
            let expected = (100.0 - gr * RADIUS * load) / inertia;
            let measured = (powertrain.frame().engine_speed - before) / time;
            assert!((measured / expected - 1.0).abs() < 1e-9, "gear {gear}: {measured} for {expected}");
            assert!((powertrain.frame().engine_speed - speed / RADIUS / gr).abs() < 1e-9);
        }
    }
}

/// A launch with clutch or converter never stalls the engine, at any step.
#[test]
fn launches_and_stops_never_stall_the_engine() {
    for dt in [0.001, 0.005, 0.01, 0.02] {
        let engine = || Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
        let clutch = Coupling::Clutch(Clutch::new(&engine()));
        let converter = Coupling::Converter(TorqueConverter::new(&engine(), 2000.0 * RPM));
        for coupling in [clutch, converter] {
            let gearbox = Gearbox::new(vec![3.6, 2.0, 1.4, 1.0, 0.75], 4.0, &engine());
            let mut powertrain = Powertrain::new(engine(), coupling, gearbox);
            let idle = powertrain.engine.idle_speed;
            let mut speed = 0.0;
            let mut phase = |pedals, brake: f64, time: f64, speed: &mut f64| {
                for _ in 0..(time / dt) as usize {
                    let resistance = if *speed > 0.0 { (brake).min(*speed * MASS / dt) } else { 0.0 };
                    roll(&mut powertrain, speed, pedals, resistance, dt);
                    let frame = powertrain.frame();
                    assert!(frame.engine_speed > 0.8 * idle, "{dt}: {frame:?}");
                    assert!(frame.engine_speed < 1.06 * powertrain.engine.max_speed, "{dt}: {frame:?}");
                }
            };
            phase(throttle(0.0), 0.0, 1.0, &mut speed);
            phase(throttle(0.2), 0.0, 5.0, &mut speed);
            assert!(speed > 1.0, "{speed}");
            phase(throttle(1.0), 0.0, 10.0, &mut speed);
            assert!(speed > 25.0, "{speed}");
            phase(throttle(0.0), 6000.0, 10.0, &mut speed);
            assert!(speed < 2.0, "{speed}");
            let engine = powertrain.frame().engine_speed;
            assert!((engine / idle - 1.0).abs() < 0.15, "{engine} for {idle}");
        }
    }
}

/// At stall the engine speed balances full load and λ(0)·ω², and the shaft has μ(0)·T·i·η.
#[test]
fn a_converter_stalls_where_it_balances_full_load() {
    let engine = Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
    let stall = 2200.0 * RPM;
    let converter = TorqueConverter::new(&engine, stall);
    let full = engine.full_load(stall);
    let gearbox = locked_gear(&engine, 1);
    let mut powertrain = Powertrain::new(engine, Coupling::Converter(converter), gearbox);
    let mut torque = 0.0;
    for _ in 0..1000 {
        torque = powertrain.step(throttle(1.0), ShaftResponse::default(), 0.005);
    }
    assert!((powertrain.frame().engine_speed / stall - 1.0).abs() < 1e-9);
    assert!((torque / (2.0 * full * 14.4 * 0.92) - 1.0).abs() < 1e-9, "{torque}");
}

/// Electric: driving backwards by the reverse ratio, braking by regeneration, and no creep.
#[test]
fn a_motor_drives_both_ways_and_brakes_with_the_throttle_closed() {
    let engine = Engine::new(TorqueCurve::Limits { torque: 220.0, power: 110e3 }, true);
    let gearbox = Gearbox::read(None, &engine);
    let mut powertrain = Powertrain::new(engine, Coupling::Rigid, gearbox);
    let mut speed = 0.0;
    roll(&mut powertrain, &mut speed, throttle(0.0), 0.0, 0.005);
    assert!(speed.abs() < 1e-12, "{speed}");
    let mut drive = |throttle, gear, time: f64, speed: &mut f64| {
        for _ in 0..(time / 0.005) as usize {
            roll(&mut powertrain, speed, Pedals { throttle, brake: 0.0, gear }, 0.0, 0.005);
        }
        powertrain.frame()
    };
    assert_eq!(drive(1.0, GearLever::Drive, 5.0, &mut speed).gear, 1);
    let fast = speed;
    assert!(fast > 20.0);
    drive(0.0, GearLever::Drive, 2.0, &mut speed);
    assert!(speed < 0.95 * fast, "{speed}");
    drive(0.0, GearLever::Drive, 60.0, &mut speed);
    assert!(speed.abs() < 0.05, "{speed}");
    let frame = drive(1.0, GearLever::Reverse, 2.0, &mut speed);
    assert!(speed < -5.0 && frame.gear == -1 && frame.engine_speed > 0.0, "{speed} {frame:?}");
}

/// Full throttle from rest through all gears: each gear once, no gear twice.
/// A motor with losses does the same forwards and backwards, and less of its braking reaches it than the wheels give.
#[test]
fn losses_are_the_same_in_both_directions() {
    for efficiency in [1.0, 0.5] {
        let input = |free: f64| Input { free, compliance: 0.1, efficiency };
        for torque in [-3.0, 0.0, 3.0] {
            assert_eq!(input(10.0).after_losses(torque), -input(-10.0).after_losses(-torque), "{efficiency}");
        }
        assert_eq!(input(-10.0).after_losses(3.0), 3.0 / efficiency);
        assert_eq!(input(-10.0).after_losses(-3.0), -3.0 * efficiency);
    }
}

#[test]
fn an_acceleration_uses_each_gear_once() {
    for throttle_open in [0.2, 0.5, 1.0] {
        let engine = Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
        let converter = TorqueConverter::new(&engine, 2000.0 * RPM);
        let gearbox = Gearbox::read(None, &engine);
        let mut powertrain = Powertrain::new(engine, Coupling::Converter(converter), gearbox);
        let mut speed = 0.0;
        let mut gears = vec![1];
        for _ in 0..20_000 {
            let resistance = 100.0 + 0.4 * speed * speed;
            roll(&mut powertrain, &mut speed, throttle(throttle_open), resistance, 0.005);
            let gear = powertrain.frame().gear;
            if gears.last() != Some(&gear) {
                gears.push(gear);
            }
        }
        assert!(gears.len() >= 3 && gears.iter().zip(1..).all(|(a, b)| *a == b), "{throttle_open}: {gears:?}");
    }
}
