//! Engines, gearboxes and differentials under whole vehicles: against closed forms, quadrature and balances.

use super::common::*;
use skidpad_sim::vehicle::{Action, Command, GearLever, Pedals};
use skidpad_sim::world::{VehicleFrame, World};

/// A car of 1000 kg on four discs of 0.3 m and 1 kg·m², nothing but its powertrain acting on it.
struct Car {
    drivetrain: String,
    powertrain: String,
    controller: String,
    friction: String,
    velocity: String,
    /// What else stands in the world.
    around: String,
    step: f64,
}

const CAR_MASS: f64 = 1000.0;
const WHEEL_INERTIA: f64 = 1.0;
const CAR_RADIUS: f64 = 0.3;

impl Default for Car {
    fn default() -> Car {
        Car {
            drivetrain: r#"<drivetrain type="open_rear"/>"#.into(),
            powertrain: String::new(),
            controller: r#"<controller class="pedals"><throttle>1</throttle></controller>"#.into(),
            friction: r#"<friction class="default"><mu>1.5</mu><C_damping>0</C_damping></friction>"#.into(),
            velocity: "0 0 0".into(),
            around: String::new(),
            step: 0.005,
        }
    }
}

impl Car {
    fn text(&self) -> String {
        let Car { drivetrain, powertrain, controller, friction, velocity, around, step } = self;
        let wheel = format!(r#"mass="20" width="0.2" diameter="0.6" inertia="{WHEEL_INERTIA}""#);
        format!(
            r#"<mvsim_world><simul_timestep>{step}</simul_timestep>{around}
            <vehicle name="car"><init_pose>0 0 0</init_pose><init_vel>{velocity}</init_vel>
            <dynamics class="ackermann_drivetrain">
            <rl_wheel pos="0 0.7" {wheel}/><rr_wheel pos="0 -0.7" {wheel}/><fl_wheel {wheel}/><fr_wheel {wheel}/>
            <f_wheels_x>2.5</f_wheels_x><f_wheels_d>1.4</f_wheels_d>
            <chassis mass="920" linear_damping="0" angular_damping="0">
            <shape><pt>-0.8 -0.8</pt><pt>-0.8 0.8</pt><pt>3.3 0.8</pt><pt>3.3 -0.8</pt></shape></chassis>
            {drivetrain}{powertrain}{controller}</dynamics>{friction}</vehicle></mvsim_world>"#
        )
    }

    fn world(&self) -> World {
        load(&self.text(), None)
    }
}

/// Ice under everything left of the x axis.
const ICE_LEFT: &str = r#"<element class="property_region"><property_name>friction_mu</property_name>
    <value_double>0.05</value_double><x_min>-1e5</x_min><x_max>1e5</x_max><y_min>0</y_min><y_max>1e5</y_max></element>"#;

fn spins(vehicle: &VehicleFrame) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| vehicle.wheels[i].spin)
}

/// Tells the first vehicle what to do with the pedals.
fn pedals(world: &mut World, throttle: f64, brake: f64, gear: GearLever, steering_angle: f64) {
    let action = Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle };
    world.command(Command { vehicle: 0, action }).expect("takes pedals");
}

/// Steps until `time` [s] more has passed.
fn drive(world: &mut World, time: f64) -> VehicleFrame {
    run(world, time);
    first(world).clone()
}

fn speed(world: &World) -> f64 {
    first(world).velocity_in_body.vx
}

/// The rear left wheel on ice, a motor of 600 N·m or the powertrain: the vehicle after a second, and its torques.
fn on_ice(drivetrain: &str, powertrain: &str) -> VehicleFrame {
    let controller = match powertrain {
        "" => r#"<controller class="raw"><torque>600</torque></controller>"#,
        _ => r#"<controller class="pedals"><throttle>1</throttle></controller>"#,
    };
    let car = Car {
        drivetrain: drivetrain.into(),
        powertrain: powertrain.into(),
        controller: controller.into(),
        around: ICE_LEFT.into(),
        ..Car::default()
    };
    let mut world = car.world();
    drive(&mut world, 1.0)
}

const MOTOR: &str = r#"<powertrain><engine type="electric"><peak_torque>60</peak_torque><peak_power>1e6</peak_power>
    <drag_torque>0 0</drag_torque></engine><gearbox><final_drive>10</final_drive><efficiency>1</efficiency></gearbox></powertrain>"#;

/// The open differential gives the wheel on asphalt no more than the one on ice takes, the locked one all of it.
#[test]
fn one_wheel_on_ice_spins_open_pulls_locked_and_something_between_viscous() {
    for powertrain in ["", MOTOR] {
        let [open, viscous, locked] = ["open_rear", "viscous_rear", "locked_rear"]
            .map(|t| on_ice(&format!(r#"<drivetrain type="{t}"/>"#), powertrain));
        let torques = |v: &VehicleFrame| [v.wheels[0].torque, v.wheels[1].torque];
        let speeds = [&open, &viscous, &locked].map(|v| v.velocity_in_body.vx);
        assert!(speeds[0] < 0.7 * speeds[1] && speeds[1] < speeds[2], "{speeds:?}");
        let [ice, asphalt] = torques(&open);
        assert!((ice - asphalt).abs() < 1e-6 * ice && open.wheels[0].spin > 10.0 * open.wheels[1].spin, "{open:?}");
        // T_1 − T_2 = −2·c·(ω_1 − ω_2) with c = 100, but for what the body does within the step.
        let [ice, asphalt] = torques(&viscous);
        let expected = -200.0 * (viscous.wheels[0].spin - viscous.wheels[1].spin);
        assert!(((ice - asphalt) / expected - 1.0).abs() < 0.02, "{} for {expected}", ice - asphalt);
        // Equal spins, but for the turn that the body gains within one step.
        let difference = locked.wheels[0].spin - locked.wheels[1].spin;
        let turned = 1.4 / CAR_RADIUS * 0.005 * 2.0;
        assert!(difference.abs() < turned, "{difference}, {turned}");
    }
}

/// Held straight by ice under both front wheels and equal grip behind, locked wheels turn as one to solver accuracy.
#[test]
fn locked_wheels_turn_as_one() {
    for (kind, driven) in [("locked_rear", 0..2), ("locked_front", 2..4), ("locked_4wd", 0..4)] {
        let car = Car {
            drivetrain: format!(r#"<drivetrain type="{kind}"/>"#),
            controller: r#"<controller class="raw"><torque>800</torque></controller>"#.into(),
            friction: r#"<friction class="default"><mu>0.1</mu><C_damping>0</C_damping></friction>"#.into(),
            ..Car::default()
        };
        let mut world = car.world();
        for _ in 0..200 {
            let spin = spins(&step(&mut world).vehicles[0]);
            let (least, most) =
                spin[driven.clone()].iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
            assert!(most - least < 1e-6 * most.max(1.0), "{kind}: {spin:?}");
        }
    }
}

/// In a bend something has to slip: on tyres that stick or slide, and on those with slip, four locked wheels turn as one there too.
#[test]
fn locked_wheels_turn_as_one_in_bends() {
    // Wheels that stick have the body's speed of a step before, which jitters as they let go in turn.
    for (law, tolerance) in [("default", 0.3), ("pacejka", 0.1)] {
        let car = Car {
            drivetrain: r#"<drivetrain type="locked_4wd"/>"#.into(),
            powertrain: ELECTRIC_CAR.into(),
            controller: r#"<controller class="pedals"><throttle>0.3</throttle><STEER_ANG>8</STEER_ANG></controller>"#
                .into(),
            friction: format!(r#"<friction class="{law}"/>"#),
            ..Car::default()
        };
        let mut world = car.world();
        for _ in 0..400 {
            let v = &step(&mut world).vehicles[0];
            let spin = spins(v);
            let (least, most) = spin.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
            // Rolling freely they would come to differ by half a radian per second.
            assert!(most - least < tolerance, "{law}: {spin:?} {v:?}");
        }
        assert!(first(&world).velocity_in_body.wz > 0.05);
    }
}

/// Behind a powertrain a Torsen gives the wheel on asphalt `bias` times what the one on ice takes, as long as that one spins.
#[test]
fn a_torsen_gives_the_bias_ratio() {
    for bias in [1.5, 3.0] {
        let drivetrain = format!(
            r#"<drivetrain type="torsen_rear"><rear_left_right_bias>{bias}</rear_left_right_bias></drivetrain>"#
        );
        let actual = on_ice(&drivetrain, MOTOR);
        let ratio = actual.wheels[1].torque / actual.wheels[0].torque;
        assert!(
            (ratio / bias - 1.0).abs() < 1e-6 && actual.wheels[0].spin > 2.0 * actual.wheels[1].spin,
            "{bias}: {actual:?}"
        );
    }
    // One that never has to leave its bias stays locked.
    let actual = on_ice(
        r#"<drivetrain type="torsen_rear"><rear_left_right_bias>500</rear_left_right_bias></drivetrain>"#,
        MOTOR,
    );
    assert!((actual.wheels[0].spin - actual.wheels[1].spin).abs() < 0.05, "{actual:?}");
}

/// A flat torque through a closed clutch in each gear: v' = T·i/(r·m_eff) with m_eff = m + ΣI_w/r² + (I_e + I_t)·i²/r².
#[test]
fn acceleration_in_each_gear_counts_the_inertias() {
    for (gear, ratio) in [(1, 3.0), (2, 2.0), (3, 1.0)] {
        for step in [0.001, 0.005, 0.02] {
            let total = ratio * 4.0;
            let car = Car {
                powertrain: format!(
                    r#"<powertrain><engine type="table"><torque_curve>0 100 9000 100</torque_curve><inertia>0.2</inertia>
                    <drag_torque>0 0</drag_torque></engine>
                    <coupling type="clutch"><capacity>5000</capacity><engage_speed>1</engage_speed><full_speed>2</full_speed></coupling>
                    <gearbox><ratios>3 2 1</ratios><final_drive>4</final_drive><efficiency>1</efficiency><inertia>0.05</inertia>
                    <shift>locked</shift><gear>{gear}</gear></gearbox></powertrain>"#
                ),
                velocity: format!("{} 0 0", 200.0 / total * CAR_RADIUS),
                friction: r#"<friction class="default"><mu>3</mu><C_damping>0</C_damping></friction>"#.into(),
                step,
                ..Car::default()
            };
            let mut world = car.world();
            drive(&mut world, 0.2);
            let before = speed(&world);
            let after = drive(&mut world, 0.5);
            let lever = total / CAR_RADIUS;
            let mass = CAR_MASS + 4.0 * WHEEL_INERTIA / CAR_RADIUS.powi(2) + 0.25 * lever * lever;
            let (measured, expected) = ((after.velocity_in_body.vx - before) / 0.5, 100.0 * lever / mass);
            assert!((measured / expected - 1.0).abs() < 2e-3, "gear {gear}, {step}: {measured} for {expected}");
            // The engine turns with the wheels, which follow the body one step later.
            let engine = after.powertrain.engine_speed;
            assert!((engine / total - after.wheels[0].spin).abs() < 1.5 * expected * step / CAR_RADIUS, "{after:?}");
            assert_eq!((after.powertrain.gear, after.powertrain.engine_torque), (gear, 100.0));
        }
    }
}

/// Time from rest to 100 km/h on a motor of 200 N·m and 80 kW: ∫ m_eff/F dv by Simpson's rule.
#[test]
fn a_hundred_with_a_motor_takes_what_quadrature_says() {
    let (ratio, efficiency) = (9.0, 0.9);
    let car = Car {
        powertrain: format!(
            r#"<powertrain><engine type="electric"><peak_torque>200</peak_torque><peak_power>80000</peak_power><inertia>0.04</inertia>
            </engine><gearbox><final_drive>{ratio}</final_drive><efficiency>{efficiency}</efficiency><inertia>0</inertia></gearbox></powertrain>"#
        ),
        ..Car::default()
    };
    let lever = ratio / CAR_RADIUS;
    let rolling = CAR_MASS + 4.0 * WHEEL_INERTIA / CAR_RADIUS.powi(2);
    let per_second = |v: f64| {
        let torque = 200.0_f64.min(80e3 / (v * lever).max(1.0));
        // (T − I·ω')·η·i/r = m·v'.
        torque * lever * efficiency / (rolling + 0.04 * lever * lever * efficiency)
    };
    let (n, top) = (2000, 100.0 / 3.6);
    let h = top / f64::from(n);
    let weight = |k: i32| {
        if k == 0 || k == n {
            1.0
        } else if k % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    let expected: f64 = (0..=n).map(|k| weight(k) / per_second(h * f64::from(k))).sum::<f64>() * h / 3.0;
    let mut world = car.world();
    let mut steps = 0;
    while speed(&world) < top && steps < 10_000 {
        step(&mut world);
        steps += 1;
    }
    let time = 0.005 * f64::from(steps);
    assert!((time / expected - 1.0).abs() < 0.01, "{time} s for {expected} s");
}

/// From 6 m/s to 100 km/h through four gears of an engine table: quadrature in each gear; at a shift, which takes no time here,
/// the engine's momentum goes into the car: (m + I·(i'/r)²)·v' = m·v + I·ω·i'/r.
#[test]
fn a_hundred_with_an_engine_table_takes_what_quadrature_says() {
    let (ratios, final_drive, inertia) = ([3.2, 2.0, 1.4, 1.0], 4.0, 0.15);
    let points = [(1000.0, 90.0), (2500.0, 130.0), (4000.0, 150.0), (5500.0, 140.0), (6500.0, 110.0)];
    let table: String = points.iter().map(|(n, t)| format!("{n} {t} ")).collect();
    let shift = 5800.0 * std::f64::consts::PI / 30.0;
    let car = Car {
        powertrain: format!(
            r#"<powertrain><engine type="table"><torque_curve>{table}</torque_curve><inertia>{inertia}</inertia></engine>
            <coupling type="clutch"><capacity>1e5</capacity><engage_speed>10</engage_speed><full_speed>20</full_speed></coupling>
            <gearbox><ratios>3.2 2.0 1.4 1.0</ratios><final_drive>{final_drive}</final_drive><efficiency>1</efficiency><inertia>0</inertia>
            <up_speed>2500 5800</up_speed><shift_time>0</shift_time><shift_interval>0.2</shift_interval></gearbox></powertrain>"#
        ),
        velocity: "5 0 0".into(),
        friction: r#"<friction class="default"><mu>20</mu><C_damping>0</C_damping></friction>"#.into(),
        step: 0.001,
        ..Car::default()
    };
    let torque = |omega: f64| {
        let n = omega * 30.0 / std::f64::consts::PI;
        let next = points.iter().position(|p| p.0 > n).unwrap_or(points.len());
        if next == 0 || next == points.len() {
            return points[next.min(points.len() - 1)].1;
        }
        let ((n0, t0), (n1, t1)) = (points[next - 1], points[next]);
        t0 + (t1 - t0) * (n - n0) / (n1 - n0)
    };
    let rolling = CAR_MASS + 4.0 * WHEEL_INERTIA / CAR_RADIUS.powi(2);
    let top: f64 = 100.0 / 3.6;
    let (mut v, mut time) = (6.0, 0.0);
    for (k, ratio) in ratios.iter().enumerate() {
        let lever = ratio * final_drive / CAR_RADIUS;
        let mass = rolling + inertia * lever * lever;
        if k > 0 {
            let old = ratios[k - 1] * final_drive / CAR_RADIUS;
            v = (rolling * v + inertia * v * old * lever) / mass;
        }
        let end = top.min(if k + 1 < ratios.len() { shift / lever } else { top });
        let n = 2000;
        let h = (end - v) / f64::from(n);
        // The midpoint rule.
        time += (0..n).map(|i| h * mass / (torque((v + h * (f64::from(i) + 0.5)) * lever) * lever)).sum::<f64>();
        v = end;
        if v >= top {
            break;
        }
    }
    let mut world = car.world();
    let (mut began, mut steps) = (0, 0);
    while speed(&world) < top && steps < 40_000 {
        step(&mut world);
        steps += 1;
        if speed(&world) < 6.0 {
            began = steps;
        }
    }
    let measured = 0.001 * f64::from(steps - began);
    assert!((measured / time - 1.0).abs() < 0.01, "{measured} s for {time} s");
}

/// Where P·η = C_a·v³.
#[test]
fn top_speed_is_where_drive_and_drag_balance() {
    let car = Car {
        powertrain:
            r#"<powertrain><engine type="electric"><peak_torque>200</peak_torque><peak_power>50000</peak_power></engine>
            <gearbox><efficiency>0.9</efficiency></gearbox></powertrain>"#
                .into(),
        controller:
            r#"<resistance><C_a>0.6</C_a></resistance><controller class="pedals"><throttle>1</throttle></controller>"#
                .into(),
        velocity: "38 0 0".into(),
        step: 0.01,
        ..Car::default()
    };
    let mut world = car.world();
    drive(&mut world, 120.0);
    let expected = (50e3 * 0.9 / 0.6_f64).cbrt();
    assert!((speed(&world) / expected - 1.0).abs() < 1e-3, "{} for {expected}", speed(&world));
}

/// The foot off in second gear: −v' = T_drag·i/(η·r)/m_eff, the wheels paying for the losses too.
#[test]
fn the_engine_brakes_with_its_drag() {
    let car = Car {
        powertrain:
            r#"<powertrain><engine type="table"><torque_curve>0 100 9000 100</torque_curve><inertia>0.2</inertia>
            <drag_torque>20 20</drag_torque></engine><coupling type="clutch"/>
            <gearbox><ratios>3 2</ratios><final_drive>4</final_drive><efficiency>0.8</efficiency><inertia>0</inertia>
            <shift>locked</shift><gear>2</gear></gearbox></powertrain>"#
                .into(),
        controller: r#"<controller class="pedals"/>"#.into(),
        velocity: "15 0 0".into(),
        ..Car::default()
    };
    let mut world = car.world();
    drive(&mut world, 1.0);
    let before = speed(&world);
    drive(&mut world, 1.0);
    let lever = 8.0 / CAR_RADIUS;
    let mass = CAR_MASS + 4.0 * WHEEL_INERTIA / CAR_RADIUS.powi(2) + 0.2 * lever * lever / 0.8;
    let (measured, expected) = (before - speed(&world), 20.0 * lever / 0.8 / mass);
    assert!((measured / expected - 1.0).abs() < 2e-3, "{measured} for {expected}");
}

/// Without losses in gears and tyres ∫T_e·ω_e dt is what car, wheels and engine have gained.
#[test]
fn the_work_of_the_engine_is_the_kinetic_energy() {
    for step_time in [0.001, 0.005] {
        let car = Car {
            powertrain: MOTOR.replace("60<", "150<"),
            drivetrain: r#"<drivetrain type="open_4wd"/>"#.into(),
            step: step_time,
            ..Car::default()
        };
        let mut world = car.world();
        let (mut work, mut before) = (0.0, 0.0);
        for _ in 0..(4.0 / step_time) as usize {
            let now = step(&mut world).vehicles[0].powertrain;
            work += now.engine_torque * 0.5 * (now.engine_speed + before) * step_time;
            before = now.engine_speed;
        }
        let vehicle = first(&world);
        let wheels: f64 = spins(vehicle).iter().map(|w| 0.5 * WHEEL_INERTIA * w * w).sum();
        let engine = 0.5 * (0.03 + 0.02) * before * before;
        let energy = 0.5 * CAR_MASS * vehicle.velocity_in_body.vx.powi(2) + wheels + engine;
        assert!((work / energy - 1.0).abs() < 0.01, "{work} for {energy}");
    }
}

/// In the same slow turn the locked axle resists: less yaw rate at the same steering angle.
#[test]
fn a_locked_axle_understeers() {
    let yaw_rate = |kind: &str| {
        let car = Car {
            drivetrain: format!(r#"<drivetrain type="{kind}"/>"#),
            controller: r#"<controller class="raw"><torque>0</torque><steer_ang_deg>25</steer_ang_deg></controller>"#
                .into(),
            velocity: "4 0 0".into(),
            friction: r#"<friction class="default"><mu>0.8</mu></friction>"#.into(),
            ..Car::default()
        };
        let mut world = car.world();
        let now = drive(&mut world, 0.6);
        now.velocity_in_body.wz / now.velocity_in_body.vx
    };
    let [open, viscous, locked] = ["open_rear", "viscous_rear", "locked_rear"].map(yaw_rate);
    assert!(locked < 0.99 * open && viscous < 0.995 * open && locked < viscous, "{open} {viscous} {locked}");
}

const CONVERTER_CAR: &str =
    r#"<powertrain><engine type="gasoline"/><coupling type="torque_converter"/><gearbox/></powertrain>"#;
const CLUTCH_CAR: &str = r#"<powertrain><engine type="diesel"/><coupling type="clutch"/><gearbox/></powertrain>"#;
const ELECTRIC_CAR: &str = r#"<powertrain><engine type="electric"/></powertrain>"#;

/// A slalom at full throttle, braking, and reversing, on every differential, powertrain and step.
#[test]
fn nothing_diverges_at_any_step() {
    for (kind, law) in [
        ("open_rear", "default"),
        ("locked_rear", "ellipse"),
        ("locked_4wd", "wardiagnemma"),
        ("viscous_4wd", "default"),
        ("torsen_4wd", "default"),
        ("locked_4wd", "pacejka"),
        ("viscous_rear", "fiala"),
        ("torsen_4wd", "linear"),
    ] {
        for powertrain in [CONVERTER_CAR, CLUTCH_CAR, ELECTRIC_CAR] {
            // The shortest step, which takes longest, on half of them.
            let steps =
                if kind.ends_with("4wd") { [0.005, 0.01, 0.02].as_slice() } else { &[0.001, 0.005, 0.01, 0.02] };
            for &step_time in steps {
                let car = Car {
                    drivetrain: format!(r#"<drivetrain type="{kind}"/>"#),
                    powertrain: powertrain.into(),
                    controller: r#"<controller class="pedals"/>"#.into(),
                    friction: format!(r#"<friction class="{law}"/>"#),
                    step: step_time,
                    ..Car::default()
                };
                let mut world = car.world();
                let name = format!("{kind} {law} {step_time} {powertrain}");
                for k in 0..(5.0 / step_time) as usize {
                    let time = k as f64 * step_time;
                    let (throttle, brake, gear) = match time {
                        t if t < 2.5 => (1.0, 0.0, GearLever::Drive),
                        t if t < 4.0 => (0.0, 0.8, GearLever::Drive),
                        _ => (0.5, 0.0, GearLever::Reverse),
                    };
                    let steering_angle = if time < 1.0 { 0.0 } else { 0.1 * libm::sin(3.0 * time) };
                    pedals(&mut world, throttle, brake, gear, steering_angle);
                    let v = &step(&mut world).vehicles[0];
                    let place = || format!("{name}: at {time} s {v:?}");
                    assert!(v.velocity_in_body.vx.abs() < 40.0 && v.velocity_in_body.wz.abs() < 6.0, "{}", place());
                    assert!(v.wheels.iter().all(|w| w.spin.abs() < 500.0), "{}", place());
                    assert!((-300.0..1600.0).contains(&v.powertrain.engine_speed), "{}", place());
                }
            }
        }
    }
}

/// Left and right are mirrors, and a run repeats to the bit.
#[test]
fn mirrored_steering_gives_the_mirrored_run() {
    for kind in ["open_rear", "locked_4wd", "viscous_front", "torsen_4wd"] {
        let run_with = |angle: f64| {
            let car = Car {
                drivetrain: format!(r#"<drivetrain type="{kind}"/>"#),
                powertrain: CLUTCH_CAR.into(),
                controller: format!(
                    r#"<controller class="pedals"><throttle>0.6</throttle><STEER_ANG>{angle}</STEER_ANG></controller>"#
                ),
                friction: r#"<friction class="default"><mu>0.8</mu></friction>"#.into(),
                ..Car::default()
            };
            let mut world = car.world();
            drive(&mut world, 3.0)
        };
        let (left, right, again) = (run_with(8.0), run_with(-8.0), run_with(8.0));
        assert_eq!(left, again, "{kind}");
        let (a, b) = (left.world_from_body, right.world_from_body);
        assert!(
            (a.x - b.x).abs() < 1e-6 && (a.y + b.y).abs() < 1e-6 && (a.yaw + b.yaw).abs() < 1e-6,
            "{kind}: {a:?} {b:?}"
        );
        assert!(a.y > 0.5, "{kind}: {a:?}");
    }
}

/// Each differential may be of its own type: locked behind, open in front and between, on ice to the left.
#[test]
fn differentials_may_be_mixed() {
    let drivetrain = r#"<drivetrain type="open_4wd"><rear type="locked"/><front type="viscous"><viscosity>5</viscosity></front></drivetrain>"#;
    let actual = on_ice(drivetrain, MOTOR);
    let spin = spins(&actual);
    assert!((spin[0] - spin[1]).abs() < 0.05 && spin[2] > spin[3] + 1.0, "{spin:?}");
    let torque: Vec<f64> = actual.wheels.iter().map(|w| w.torque).collect();
    // The open centre halves the torque.
    assert!((torque[0] + torque[1] - torque[2] - torque[3]).abs() < 1e-6 * torque[3].abs(), "{torque:?}");
}

/// A car that is set down elsewhere, or reset, starts anew: no kick from what turned before.
#[test]
fn teleports_and_resets_stop_the_shafts() {
    let car = Car { powertrain: CLUTCH_CAR.into(), ..Car::default() };
    let mut world = car.world();
    let start = drive(&mut world, 2.0);
    let place = Action::Teleport(skidpad_math::Pose2::new(50.0, 0.0, 1.0));
    pedals(&mut world, 0.0, 0.0, GearLever::Drive, 0.0);
    world.command(Command { vehicle: 0, action: place }).unwrap();
    for _ in 0..50 {
        let v = &step(&mut world).vehicles[0];
        assert!(v.velocity_in_body.vx.abs() < 0.2, "{v:?}");
    }
    world.reset();
    assert_eq!(drive(&mut world, 2.0), start);
}
