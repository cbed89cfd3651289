//! Handling of cars on tyres of constant cornering stiffness, against the linear single track: steady circles (ISO 4138), step
//! steer (ISO 7401), critical speed, load transfer, and what odometry makes of side slip.
//!
//! The single track (R. Rajamani, "Vehicle Dynamics and Control", ch. 2 and 3): m·(v̇_y + v·r) = F_f + F_r,
//! I_z·ṙ = a·F_f − b·F_r, F = −C·α for each axle, α_f = (v_y + a·r)/v − δ, α_r = (v_y − b·r)/v.

use super::common::*;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{VehicleFrame, World};

/// Total mass [kg], wheelbase [m], track [m], cornering stiffness of an axle [N/rad], yaw inertia of the whole car [kg·m²].
const CAR_MASS: f64 = 1500.0;
const WHEELBASE: f64 = 2.6;
const TRACK: f64 = 1.5;
const STIFFNESS: f64 = 8e4;
const YAW_INERTIA: f64 = 2500.0;
/// Wheels, so light that the chassis is nearly all.
const WHEEL_MASS: f64 = 1.0;

/// A car with an open differential in front (motors at each wheel would steer it by their torques), wheels at x = 0 and 2.6 m and its centre of mass `rear_arm` [m] ahead of the rear axle.
struct Car {
    /// Distance of the centre of mass from the rear axle, b [m].
    rear_arm: f64,
    height: f64,
    mu: f64,
    dynamics: String,
    odometry: String,
    class: &'static str,
    drivetrain: &'static str,
    /// A PID on the speed where empty.
    controller: String,
}

impl Default for Car {
    fn default() -> Car {
        Car {
            rear_arm: 1.5,
            height: 0.0,
            mu: 10.0,
            dynamics: String::new(),
            odometry: String::new(),
            class: "linear",
            drivetrain: "open_front",
            controller: String::new(),
        }
    }
}

impl Car {
    /// Distance of the centre of mass from the front axle, a [m].
    fn front_arm(&self) -> f64 {
        WHEELBASE - self.rear_arm
    }

    /// Understeer gradient m/L·(b/C_f − a/C_r) [rad/(m/s²)].
    fn understeer(&self) -> f64 {
        CAR_MASS / WHEELBASE * (self.rear_arm - self.front_arm()) / STIFFNESS
    }

    /// √(L/|K|) [m/s]: characteristic speed of an understeering car, critical speed of an oversteering one.
    fn characteristic_speed(&self) -> f64 {
        (WHEELBASE / self.understeer().abs()).sqrt()
    }

    /// The matrix A of v̇_y, ṙ at `speed` [m/s].
    fn state_matrix(&self, v: f64) -> [[f64; 2]; 2] {
        let (m, i, c) = (CAR_MASS, YAW_INERTIA, STIFFNESS);
        let (a, b) = (self.front_arm(), self.rear_arm);
        let coupling = c * (b - a);
        [[-2.0 * c / (m * v), coupling / (m * v) - v], [coupling / (i * v), -c * (a * a + b * b) / (i * v)]]
    }

    fn world(&self, speed: f64, step: f64) -> World {
        let wheels: String = ["rl", "rr", "fl", "fr"]
            .iter()
            .zip([(0.0, 0.5), (0.0, -0.5), (1.0, 0.5), (1.0, -0.5)])
            .map(|(name, (x, y))| {
                let (x, y) = (x * WHEELBASE, y * TRACK);
                format!(r#"<{name}_wheel pos="{x} {y}" mass="{WHEEL_MASS}" inertia="0.5" width="0.2" diameter="0.6"/>"#)
            })
            .collect();
        let mass = CAR_MASS - 4.0 * WHEEL_MASS;
        let com = (CAR_MASS * self.rear_arm - 4.0 * WHEEL_MASS * 0.5 * WHEELBASE) / mass;
        // Yaw inertia of the wheels about the common centre, rectangles of 0.6 × 0.2 m; and of the chassis' shift.
        let arm = |x: f64| (x - self.rear_arm).powi(2) + 0.25 * TRACK * TRACK;
        let wheels_yaw = WHEEL_MASS * (2.0 * arm(0.0) + 2.0 * arm(WHEELBASE) + 4.0 * (0.36 + 0.04) / 12.0);
        let inertia = YAW_INERTIA - wheels_yaw - mass * (com - self.rear_arm).powi(2);
        let Car { height, mu, dynamics, odometry, class, drivetrain, .. } = self;
        let friction = match *class {
            "linear" => format!(
                "<mu>{mu}</mu><C_damping>0</C_damping><stiffness>absolute</stiffness><C_alpha>{}</C_alpha><C_s>2e5</C_s>",
                0.5 * STIFFNESS
            ),
            _ => format!("<mu>{mu}</mu><C_damping>0</C_damping>"),
        };
        let pid = format!(
            r#"<controller class="front_steer_pid"><KP>4000</KP><KI>2000</KI><max_torque>3000</max_torque><V>{speed}</V></controller>"#
        );
        let controller = if self.controller.is_empty() { &pid } else { &self.controller };
        world(&format!(
            r#"<simul_timestep>{step}</simul_timestep>
            <vehicle name="car"><init_pose>0 0 0</init_pose><init_vel>{speed} 0 0</init_vel>
            <dynamics class="ackermann_drivetrain"><drivetrain type="{drivetrain}"/>{wheels}<f_wheels_x>{WHEELBASE}</f_wheels_x><f_wheels_d>{TRACK}</f_wheels_d>
            <chassis mass="{mass}" com="{com} 0" com_height="{height}" inertia="{inertia}" linear_damping="0" angular_damping="0">
            <shape><pt>-0.8 -0.8</pt><pt>-0.8 0.8</pt><pt>3.4 0.8</pt><pt>3.4 -0.8</pt></shape></chassis>
            {controller}{dynamics}</dynamics><friction class="{class}">{friction}</friction>{odometry}</vehicle>"#
        ))
    }

    /// What a steady circle shows.
    fn circle(&self, speed: f64, steering_angle: f64, step: f64) -> Steady {
        let mut world = self.world(speed, step);
        steer(&mut world, speed, steering_angle);
        run(&mut world, 6.0);
        self.steady(first(&world), steering_angle)
    }

    fn steady(&self, frame: &VehicleFrame, steering_angle: f64) -> Steady {
        let twist = frame.velocity_in_body;
        let speed = twist.vx.hypot(twist.vy + self.rear_arm * twist.wz);
        Steady { steering_angle, speed, yaw_rate: twist.wz }
    }
}

fn steer(world: &mut World, speed: f64, steering_angle: f64) {
    let action = Action::Ackermann { speed, steering_angle };
    world.command(Command { vehicle: 0, action }).expect("takes steering");
}

/// A steady circle of the centre of mass.
#[derive(Clone, Copy, Debug)]
struct Steady {
    /// [rad].
    steering_angle: f64,
    /// [m/s].
    speed: f64,
    /// [rad/s].
    yaw_rate: f64,
}

impl Steady {
    fn lateral_acceleration(&self) -> f64 {
        self.speed * self.yaw_rate
    }

    /// K of δ = L/R + K·a_y [rad/(m/s²)].
    fn understeer(&self) -> f64 {
        (self.steering_angle - WHEELBASE * self.yaw_rate / self.speed) / self.lateral_acceleration()
    }

    /// Yaw rate over steering angle [1/s].
    fn gain(&self) -> f64 {
        self.yaw_rate / self.steering_angle
    }
}

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64, quantity: &str) {
    assert!((actual / expected - 1.0).abs() < tolerance, "{quantity}: {actual} for {expected}");
}

/// K = m/L·(b/C_f − a/C_r), to the left and to the right, at several speeds; the gain v/(L + K·v²), with its peak
/// v_ch/(2·L) at the characteristic speed √(L/K).
#[test]
fn understeer_gradient_and_yaw_gain_are_those_of_the_single_track() {
    for rear_arm in [1.5, 1.4, 1.2] {
        let car = Car { rear_arm, ..Car::default() };
        let k = car.understeer();
        for (speed, angle) in [(15.0, 0.01), (20.0, -0.01), (25.0, 0.008)] {
            let steady = car.circle(speed, angle, 0.005);
            close(steady.understeer(), k, 0.02, &format!("K at b = {rear_arm}, {speed} m/s"));
            close(steady.gain(), steady.speed / (WHEELBASE + k * steady.speed.powi(2)), 0.005, "gain");
        }
    }
    let car = Car::default();
    let peak = car.characteristic_speed();
    let gains = [0.8 * peak, peak, 1.25 * peak].map(|speed| car.circle(speed, 0.005, 0.005).gain());
    close(gains[1], peak / (2.0 * WHEELBASE), 0.01, "the gain's peak");
    assert!(gains[1] > gains[0] && gains[1] > gains[2], "{gains:?}");
}

/// ISO 4138, constant radius of 80 m: over the lateral acceleration the steering angle is a straight line from L/R with the
/// slope K. The angle for the
/// radius is found by proportion.
#[test]
fn on_a_constant_radius_the_steering_angle_grows_in_a_straight_line() {
    let (car, radius) = (Car::default(), 80.0);
    let points: Vec<(f64, f64)> = [8.0, 12.0, 15.0, 17.0]
        .map(|speed: f64| {
            let mut angle = WHEELBASE / radius;
            for _ in 0..3 {
                let steady = car.circle(speed, angle, 0.01);
                angle *= steady.speed / steady.yaw_rate / radius;
            }
            let steady = car.circle(speed, angle, 0.01);
            close(steady.speed / steady.yaw_rate, radius, 1e-3, "radius");
            (steady.lateral_acceleration(), angle)
        })
        .to_vec();
    let slope = |(x0, y0): (f64, f64), (x1, y1): (f64, f64)| (y1 - y0) / (x1 - x0);
    close(slope(points[0], points[3]), car.understeer(), 0.02, "slope");
    close(points[0].1 - points[0].0 * car.understeer(), WHEELBASE / radius, 0.005, "angle at rest");
    for &(acceleration, angle) in &points[1..3] {
        let on_line = points[0].1 + slope(points[0], points[3]) * (acceleration - points[0].0);
        assert!((angle - on_line).abs() < 2e-4, "{points:?}");
    }
}

/// Below √(L/|K|) what disturbs an oversteering car fades, above it grows, both with the larger eigenvalue of A.
#[test]
fn an_oversteering_car_diverges_above_its_critical_speed() {
    let car = Car { rear_arm: 1.1, ..Car::default() };
    let critical = car.characteristic_speed();
    for share in [0.8, 1.2] {
        let speed = share * critical;
        let [[a, b], [c, d]] = car.state_matrix(speed);
        let expected = 0.5 * (a + d) + (0.25 * (a - d) * (a - d) + b * c).sqrt();
        assert!((expected > 0.0) == (share > 1.0));
        let mut world = car.world(speed, 0.002);
        run(&mut world, 2.0);
        steer(&mut world, speed, 1e-4);
        run(&mut world, 0.1);
        steer(&mut world, speed, 0.0);
        run(&mut world, 1.0);
        let before = first(&world).velocity_in_body.wz;
        run(&mut world, 1.0);
        let rate = (first(&world).velocity_in_body.wz / before).ln();
        assert!((rate - expected).abs() < 0.05 * expected.abs() + 0.01, "{share}: e^{rate}t for e^{expected}t");
    }
}

/// ISO 7401 at 30 m/s: r(t) = G·δ·(1 − e^(−ζωt)·(cos ω_d·t + (ζω − T_z·ω²)/ω_d·sin ω_d·t)) with ω² = det A,
/// 2ζω = −tr A, T_z = m·a·v/(C_r·L): steady yaw rate, time to 90 % of it, and overshoot.
#[test]
fn a_step_of_the_steering_wheel_is_answered_as_by_the_second_order() {
    let (car, speed, angle, step) = (Car::default(), 30.0, 0.01, 0.001);
    let [[a, b], [c, d]] = car.state_matrix(speed);
    let (omega, decay) = ((a * d - b * c).sqrt(), -0.5 * (a + d));
    let damped = (omega * omega - decay * decay).sqrt();
    let zero = CAR_MASS * car.front_arm() * speed / (STIFFNESS * WHEELBASE);
    let steady = angle * speed / (WHEELBASE + car.understeer() * speed * speed);
    let response = |t: f64| {
        let (sin, cos) = (damped * t).sin_cos();
        steady * (1.0 - (-decay * t).exp() * (cos + (decay - zero * omega * omega) / damped * sin))
    };
    let expected: Vec<f64> = (1..=3000).map(|k| response(step * f64::from(k))).collect();

    let mut world = car.world(speed, step);
    run(&mut world, 2.0);
    steer(&mut world, speed, angle);
    let actual: Vec<f64> = (0..3000)
        .map(|_| {
            super::common::step(&mut world);
            first(&world).velocity_in_body.wz
        })
        .collect();
    let rise = |r: &[f64]| step * (1 + r.iter().position(|&r| r > 0.9 * steady).unwrap()) as f64;
    let peak = |r: &[f64]| r.iter().copied().fold(0.0, f64::max) / steady - 1.0;
    close(actual[2999], steady, 0.01, "steady yaw rate");
    close(rise(&actual), rise(&expected), 0.03, "rise time");
    assert!((peak(&actual) - peak(&expected)).abs() < 0.01, "overshoot {} for {}", peak(&actual), peak(&expected));
    assert!(peak(&expected) > 0.05, "the car overshoots: {}", peak(&expected));
}

/// Loads in a steady turn: 2·m·a_y·h/t more on the outer side, shared between the axles by (h − h_roll)·λ + (b/L)·h_f.
#[test]
fn a_turn_loads_the_outer_wheels_as_the_roll_stiffness_shares() {
    let plate = Car { height: 0.5, ..Car::default() };
    let dynamics = "<roll_stiffness_front>0.6</roll_stiffness_front><roll_centers>0.1 0.2</roll_centers>".to_string();
    let sprung = Car { height: 0.5, dynamics, ..Car::default() };
    let front = plate.rear_arm / WHEELBASE;
    let axis = front * 0.1 + (1.0 - front) * 0.2;
    let arm = (0.5 - axis) * 0.6 + front * 0.1;
    for (car, front_arm) in [(plate, 0.25), (sprung, arm)] {
        let mut world = car.world(20.0, 0.005);
        steer(&mut world, 20.0, 0.025);
        run(&mut world, 6.0);
        let frame = first(&world);
        let [rl, rr, fl, fr] = [0, 1, 2, 3].map(|i| frame.wheels[i].load);
        let acceleration = car.steady(frame, 0.025).lateral_acceleration();
        assert!(acceleration > 2.0);
        close(fr - fl, 2.0 * CAR_MASS * acceleration * front_arm / TRACK, 0.01, "front");
        close(rr - rl, 2.0 * CAR_MASS * acceleration * (0.5 - front_arm) / TRACK, 0.01, "rear");
        assert!(frame.wheels.iter().all(|wheel| !wheel.lifted));
    }
}

/// m·a·h/L to the rear under a steady push, here of the front wheels.
#[test]
fn speeding_up_moves_m_a_h_over_l_to_the_rear() {
    let car = Car { height: 0.5, ..Car::default() };
    let mut world = car.world(5.0, 0.005);
    run(&mut world, 1.0);
    let at_rest = CAR_MASS * GRAVITY * car.front_arm() / WHEELBASE;
    steer(&mut world, 40.0, 0.0);
    run(&mut world, 1.0);
    let frame = first(&world);
    let acceleration = frame.acceleration_in_body.x;
    assert!(acceleration > 3.0);
    let rear = frame.wheels[0].load + frame.wheels[1].load;
    close(rear - at_rest, CAR_MASS * acceleration * 0.5 / WHEELBASE, 1e-3, "moved");
}

/// With all roll stiffness in front and a high centre the inner front wheel lifts: frames say so, and the loads still balance
/// m·a_y·h.
#[test]
fn a_lifted_wheel_is_reported_and_the_moments_stay_balanced() {
    let dynamics = "<roll_stiffness_front>1</roll_stiffness_front>".to_string();
    let car = Car { height: 0.9, mu: 1.0, dynamics, ..Car::default() };
    let mut world = car.world(20.0, 0.005);
    steer(&mut world, 20.0, 0.1);
    run(&mut world, 6.0);
    let frame = first(&world);
    let acceleration = car.steady(frame, 0.1).lateral_acceleration();
    assert_eq!([0, 1, 2, 3].map(|i| frame.wheels[i].lifted), [false, false, true, false], "{acceleration}");
    let load = |i: usize| frame.wheels[i].load;
    let moment = 0.5 * TRACK * (load(1) + load(3) - load(0) - load(2));
    close(moment, CAR_MASS * acceleration * 0.9, 0.01, "roll moment");
    assert_eq!((load(2), frame.wheels[2].force_in_wheel.y), (0.0, 0.0));
    close((0..4).map(load).sum(), CAR_MASS * GRAVITY, 1e-9, "weight");
}

/// The mirror image of a run is its mirror, to the bit.
#[test]
fn left_and_right_are_mirror_images() {
    let dynamics = "<roll_stiffness_front>0.7</roll_stiffness_front><roll_centers>0.05 0.1</roll_centers>".to_string();
    for class in ["linear", "ellipse", "default"] {
        let car = Car { height: 0.6, mu: 0.9, dynamics: dynamics.clone(), class, ..Car::default() };
        let runs = [1.0, -1.0].map(|side| {
            let mut world = car.world(12.0, 0.005);
            for k in 0..400 {
                steer(&mut world, 12.0, side * [0.1, -0.2][k / 50 % 2]);
                step(&mut world);
            }
            first(&world).clone()
        });
        let [left, right] = &runs;
        let (l, r) = (left.world_from_body, right.world_from_body);
        let error = (l.x - r.x).abs().max((l.y + r.y).abs()).max((l.yaw + r.yaw).abs());
        assert_eq!(error, 0.0, "{class}");
        for (i, j) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
            assert_eq!(left.wheels[i].load, right.wheels[j].load, "{class}");
        }
    }
}

/// At 0.4 g on a steady circle odometry that knows the tyres' stiffness drifts several times less; at a walking pace the two
/// agree.
#[test]
fn odometry_that_knows_the_side_slip_drifts_less_at_speed_and_the_same_slowly() {
    let drift = |odometry: &str, speed: f64, angle: f64| {
        let car = Car { odometry: odometry.to_string(), ..Car::default() };
        let mut world = car.world(speed, 0.005);
        steer(&mut world, speed, angle);
        let mut most = 0.0_f64;
        for _ in 0..2000 {
            step(&mut world);
            let frame = first(&world);
            let (truth, reported) = (frame.world_from_body, frame.odom_from_body);
            most = most.max((truth.x - reported.x).hypot(truth.y - reported.y));
        }
        (most, car.steady(first(&world), angle).lateral_acceleration())
    };
    let aware = format!(r#"<odometry model="steady_slip" cornering_stiffness="{STIFFNESS} {STIFFNESS}"/>"#);
    let (plain, acceleration) = drift("", 20.0, 0.0375);
    close(acceleration, 0.4 * GRAVITY, 0.05, "0.4 g");
    let (less, _) = drift(&aware, 20.0, 0.0375);
    assert!(less < 0.1 * plain, "{less} m against {plain} m");
    let slow = ["", &aware].map(|odometry| drift(odometry, 1.0, 0.0375).0);
    assert!((slow[0] - slow[1]).abs() < 5e-3, "{slow:?}");
}

/// Speeding up with 3 m/s² on the rear wheels, which odometry reads, they slip by F/C_s = 1.1 %. Known C_s takes it off.
#[test]
fn odometry_that_knows_the_tyres_takes_off_the_slip_under_torque() {
    let drift = |odometry: &str| {
        let car = Car { odometry: odometry.to_string(), drivetrain: "open_rear", ..Car::default() };
        let mut world = car.world(5.0, 0.005);
        run(&mut world, 1.0);
        let reported = |world: &World| first(world).odom_from_body.x - first(world).world_from_body.x;
        let before = reported(&world);
        steer(&mut world, 40.0, 0.0);
        run(&mut world, 4.0);
        assert!(first(&world).acceleration_in_body.x > 3.0);
        (reported(&world) - before).abs()
    };
    let knowing = r#"<odometry model="steady_slip" cornering_stiffness="1 1" longitudinal_stiffness="2e5"/>"#;
    let (plain, aware) = (drift(""), drift(knowing));
    assert!(plain > 0.3 && aware < 0.1 * plain, "{aware} m against {plain} m");
}

/// Loads follow the acceleration of the last step, which follows from loads. At the friction limit under constant torque, in
/// steps of 20 ms and without a lag, they do not swing from step to step by more than a hundredth, not even with a wheel in the
/// air.
#[test]
fn loads_do_not_chatter_at_the_friction_limit() {
    for class in ["default", "linear", "pacejka"] {
        for torque in [0.0, 600.0] {
            for (height, share) in [(0.55, 0.5), (0.55, 0.7), (0.9, 1.0)] {
                let dynamics = format!("<roll_stiffness_front>{share}</roll_stiffness_front>");
                let controller = format!(
                    r#"<controller class="raw"><torque>{torque}</torque><steer_ang_deg>8</steer_ang_deg></controller>"#
                );
                let car = Car { height, mu: 0.9, class, dynamics, controller, ..Car::default() };
                let mut world = car.world(22.0, 0.02);
                let mut loads: [Vec<f64>; 4] = Default::default();
                for _ in 0..75 {
                    step(&mut world);
                    loads.iter_mut().zip(&first(&world).wheels).for_each(|(loads, wheel)| loads.push(wheel.load));
                }
                // The smaller of two changes that follow each other and go to and fro.
                let to_and_fro = |now: &[f64]| {
                    let (before, after) = (now[1] - now[0], now[2] - now[1]);
                    if before * after < 0.0 { before.abs().min(after.abs()) } else { 0.0 }
                };
                let swing = loads.iter().flat_map(|loads| loads[15..].windows(3)).map(to_and_fro).fold(0.0, f64::max);
                let lift = loads.iter().any(|loads| loads[15..].contains(&0.0));
                assert_eq!(lift, height > 0.6, "{class} {torque} {share}");
                assert!(swing < 50.0, "{class}, {torque} N·m, {height} m, {share}: {swing} N");
            }
        }
    }
}

#[test]
fn settings_that_do_not_fit_are_refused_at_their_place() {
    let messages = |drive: &str, dynamics: &str, odometry: &str| {
        problems(&format!(
            "<mvsim_world>\n<vehicle><init_pose>0 0 0</init_pose>\n<dynamics class=\"{drive}\">\n{dynamics}</dynamics>\n{odometry}</vehicle></mvsim_world>"
        ))
    };
    assert_eq!(
        messages("differential", "<roll_stiffness_front>0.5</roll_stiffness_front>", ""),
        ["bad.xml:4:23: <roll_stiffness_front> needs four wheels on two axles\n  \
          accepted: two wheels at one x, two at another, those of an axle at different y"]
    );
    assert_eq!(
        messages("ackermann", "<roll_centers>0 0.1</roll_centers>", ""),
        ["bad.xml:4:15: <roll_centers> without <roll_stiffness_front>\n  \
          hint: a rigid plate has no roll axis; give the front axle's share of the roll stiffness, 0 to 1"]
    );
    assert_eq!(
        messages("ackermann", "", "<odometry model=\"steady_slip\"/>"),
        ["bad.xml:5:1: missing cornering_stiffness in <odometry>\n  \
          hint: model=\"steady_slip\" needs C_f and C_r [N/rad]"]
    );
    assert_eq!(
        messages("ackermann", "", "<odometry model=\"steady_slip\" cornering_stiffness=\"1e5 0\"/>"),
        ["bad.xml:5:52: cornering stiffness 100000 0\n  accepted: two numbers > 0 [N/rad]"]
    );
    assert_eq!(
        messages("differential", "", "<odometry model=\"steady_slip\" cornering_stiffness=\"1e5 1e5\"/>"),
        ["bad.xml:5:18: model=\"steady_slip\" needs wheels ahead of or behind the first two\n  accepted: no_slip"]
    );
}
