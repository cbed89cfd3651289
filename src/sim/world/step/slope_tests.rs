//! Effect of slopes on vehicles, against closed forms: a loaded vehicle on an endless inclined plane, without the rest of
//! the world.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use skidpad_math::time::SimTime;
use skidpad_math::{Rot2, Twist2, Vec2, Vec3};

use crate::vehicle::controller::Order;
use crate::vehicle::{Effect, Situation, WheelGround};
use crate::world::{LoadOptions, PhysicsRules, VehicleFrame, World};

const GRAVITY: f64 = 9.81;

/// An inclined plane that rises along the world's x axis, and the first vehicle of a world on it.
struct Hill {
    world: World,
    frame: VehicleFrame,
    /// Slope angle [rad]; positive: +x is uphill.
    angle: f64,
    ground: Vec<WheelGround>,
    acceleration_in_body: Vec2,
    dt: f64,
}

impl Hill {
    fn new(angle: f64, rules: PhysicsRules, step: f64, vehicle: &str) -> Hill {
        let text = format!("<mvsim_world><simul_timestep>{step}</simul_timestep>{vehicle}</mvsim_world>");
        let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
        let (world, _) =
            World::load_text("hill", Path::new("."), &text, &options).unwrap_or_else(|problems| panic!("{problems}"));
        let frame = world.frame.vehicles[0].clone();
        let ground = world.vehicles[0].ground.clone();
        Hill { world, frame, angle, ground, acceleration_in_body: Vec2::ZERO, dt: step }
    }

    fn down_in_body(&self) -> Option<Vec3> {
        let downhill = self.world.physics.rotation(0).inverse() * Vec2::new(-self.angle.sin(), 0.0);
        (self.angle != 0.0).then(|| Vec3::new(downhill.x, downhill.y, -self.angle.cos()))
    }

    fn velocity(&self) -> Twist2 {
        self.world.physics.velocity_in_body(0)
    }

    fn position(&self) -> Vec2 {
        self.world.physics.world_from_body(0).position()
    }

    fn order(&mut self, vx: f64, wz: f64) {
        let now = self.world.frame.time;
        self.world.vehicles[0].vehicle.order(Order::Twist(Twist2::new(vx, 0.0, wz)), now);
    }

    fn push(&mut self, velocity_in_body: Twist2) {
        self.world.physics.impose_velocity(0, velocity_in_body);
    }

    fn step(&mut self) {
        let before = self.world.physics.rotation(0) * self.velocity().linear();
        let situation = Situation {
            velocity_in_body: self.velocity(),
            acceleration_in_body: self.acceleration_in_body,
            down_in_body: self.down_in_body(),
            ground: &self.ground,
            ground_varies: true,
            front: None,
            dt: self.dt,
        };
        match self.world.vehicles[0].vehicle.step(&situation, &mut self.frame.output()) {
            Effect::Forces(wrench) | Effect::TwoFrames(wrench, _) => self.world.physics.apply(0, wrench),
            Effect::Velocity(velocity) => self.world.physics.impose_velocity(0, velocity),
            Effect::Motion(motion) => self.world.physics.move_by(0, motion.body_from_next),
        }
        self.world.physics.step();
        let rotation: Rot2 = self.world.physics.rotation(0);
        let after = rotation * self.velocity().linear();
        self.acceleration_in_body = rotation.inverse() * ((1.0 / self.dt) * (after - before));
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step();
        }
    }

    fn loads(&self) -> Vec<f64> {
        self.frame.wheels.iter().map(|wheel| wheel.load).collect()
    }
}

/// A cart of 120 kg on four discs of 5 kg and 0.3 m radius, centre of mass in the middle, rolling mass ΣI/R² = 10 kg.
struct Cart<'a> {
    drive: &'a str,
    controller: &'a str,
    friction: &'a str,
    chassis: &'a str,
    yaw: f64,
}

const LOSSLESS: &str = r#"<friction class="default"><mu>0.8</mu><C_damping>0</C_damping></friction>"#;
const PID: &str = r#"<controller class="twist_pid"><KP>100</KP><KI>50</KI></controller>"#;
const CAR_PID: &str =
    r#"<controller class="twist_front_steer_pid"><KP>200</KP><max_torque>400</max_torque></controller>"#;
const MASS: f64 = 120.0;
const ROLLING_MASS: f64 = 10.0;
const RADIUS: f64 = 0.3;

impl Default for Cart<'_> {
    fn default() -> Self {
        Cart { drive: "differential_4_wheels", controller: "", friction: LOSSLESS, chassis: "", yaw: 0.0 }
    }
}

impl Cart<'_> {
    fn text(&self) -> String {
        let Cart { drive, controller, friction, chassis, yaw } = self;
        let disc = r#"mass="5" width="0.1" diameter="0.6""#;
        let names = if drive.starts_with("ackermann") {
            ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"]
        } else {
            ["lr_wheel", "rr_wheel", "lf_wheel", "rf_wheel"]
        };
        let places = ["-0.5 0.5", "-0.5 -0.5", "0.5 0.5", "0.5 -0.5"];
        let wheels: String =
            names.iter().zip(places).map(|(name, pos)| format!(r#"<{name} pos="{pos}" {disc}/>"#)).collect();
        format!(
            r#"<vehicle name="cart"><init_pose>0 0 {yaw}</init_pose><dynamics class="{drive}">{wheels}
            <f_wheels_x>0.5</f_wheels_x><f_wheels_d>1</f_wheels_d>
            <chassis mass="100" linear_damping="0" angular_damping="0" {chassis}>
            <shape><pt>-0.7 -0.4</pt><pt>-0.7 0.4</pt><pt>0.7 0.4</pt><pt>0.7 -0.4</pt></shape></chassis>
            {controller}</dynamics>{friction}</vehicle>"#
        )
    }

    fn on(&self, angle: f64) -> Hill {
        self.with(angle, PhysicsRules::Skidpad, 0.005)
    }

    fn with(&self, angle: f64, rules: PhysicsRules, step: f64) -> Hill {
        Hill::new(angle, rules, step, &self.text())
    }
}

/// A grade of 10 %.
fn grade() -> f64 {
    0.1_f64.atan()
}

/// a = (m·g·sin θ − C_rr·m·g·cos θ)/(m + ΣI/R²). First order in the step: the wheels follow one step later.
#[test]
fn in_neutral_it_rolls_downhill() {
    for (friction, resistance) in
        [(LOSSLESS, 0.0), (r#"<friction class="default"><C_damping>0</C_damping><C_rr>0.02</C_rr></friction>"#, 0.02)]
    {
        for (drive, yaw, sign) in [("differential_4_wheels", 0.0, -1.0), ("ackermann_drivetrain", 180.0, 1.0)] {
            let mut hill = Cart { friction, drive, yaw, ..Cart::default() }.on(grade());
            hill.run(1.0);
            let start = hill.velocity().vx;
            hill.run(4.0);
            let (sin, cos) = grade().sin_cos();
            let expected = sign * MASS * GRAVITY * (sin - resistance * cos) / (MASS + ROLLING_MASS);
            let actual = (hill.velocity().vx - start) / 4.0;
            assert!((actual / expected - 1.0).abs() < 1e-6, "{drive}: {actual} for {expected}");
            assert!(hill.velocity().vy.abs() < 1e-9 && hill.velocity().wz.abs() < 1e-9);
        }
    }
}

/// Bearing damping ends the gain of speed: ΣC·v/R² = m·g·sin θ.
#[test]
fn damping_ends_the_roll_at_its_closed_form() {
    let friction = r#"<friction class="default"><C_damping>2</C_damping></friction>"#;
    let mut hill = Cart { friction, ..Cart::default() }.on(-grade());
    hill.run(30.0);
    let expected = MASS * GRAVITY * grade().sin() * RADIUS * RADIUS / (4.0 * 2.0);
    assert!((hill.velocity().vx / expected - 1.0).abs() < 1e-3, "{} for {expected}", hill.velocity().vx);
}

/// A climb at constant speed costs Σ τ/R = m·g·sin θ; so does holding a set-point downhill, with the other sign.
#[test]
fn a_climb_costs_torque() {
    for (angle, sign) in [(grade(), 1.0), (-grade(), -1.0)] {
        let mut hill = Cart { controller: PID, ..Cart::default() }.on(angle);
        hill.order(1.0, 0.0);
        hill.run(60.0);
        assert!((hill.velocity().vx - 1.0).abs() < 1e-6, "{:?}", hill.velocity());
        let force: f64 = hill.frame.wheels.iter().map(|wheel| wheel.torque / RADIUS).sum();
        let expected = sign * MASS * GRAVITY * grade().sin();
        assert!((force / expected - 1.0).abs() < 1e-6, "{force} for {expected}");
    }
}

/// Without an integral the speed has an error from the slope; the feed-forward compensates it, and is positive uphill.
#[test]
fn feed_forward_compensates_the_slope() {
    for drive in ["differential_4_wheels", "ackermann", "ackermann_drivetrain"] {
        let class = if drive.starts_with("ackermann") { "twist_front_steer_pid" } else { "twist_pid" };
        for (fed, angle) in [(false, grade()), (true, grade()), (true, -grade())] {
            let controller = format!(
                r#"<controller class="{class}"><KP>300</KP><enable_feedforward>{fed}</enable_feedforward>
                <max_torque>0</max_torque></controller>"#
            );
            let mut hill = Cart { drive, controller: &controller, ..Cart::default() }.on(angle);
            hill.order(1.0, 0.0);
            hill.run(10.0);
            let lost = 1.0 - hill.velocity().vx;
            if fed {
                assert!(lost.abs() < 1e-6, "{drive}, {angle}: {lost}");
            } else {
                assert!(lost > 0.02, "{drive}: {lost}");
            }
        }
    }
}

/// N = m·g·cos θ in all, and m·g·sin θ·h/l from the upper to the lower axle.
#[test]
fn loads_show_the_slope() {
    for com_height in [0.0, 0.4] {
        let chassis = format!(r#"com_height="{com_height}""#);
        let cart = Cart { chassis: &chassis, controller: PID, ..Cart::default() };
        let mut hill = cart.on(0.3);
        hill.run(0.1);
        let loads = hill.loads();
        let (sin, cos) = 0.3_f64.sin_cos();
        let moved = MASS * GRAVITY * sin * com_height / 1.0;
        assert!((loads.iter().sum::<f64>() - MASS * GRAVITY * cos).abs() < 1e-6, "{loads:?}");
        assert!((loads[0] + loads[1] - loads[2] - loads[3] - 2.0 * moved).abs() < 1e-6, "{loads:?}");
        let mut as_mvsim = cart.with(0.3, PhysicsRules::Mvsim, 0.005);
        as_mvsim.run(0.1);
        assert!(as_mvsim.loads().iter().all(|load| (load - 30.0 * GRAVITY).abs() < 1e-9), "no cosine");
    }
}

/// All controllers that take velocities, on a cart that is commanded to stand.
fn standing_carts() -> Vec<Cart<'static>> {
    let mut carts = Vec::new();
    for friction in [
        LOSSLESS,
        r#"<friction class="wardiagnemma"/>"#,
        r#"<friction class="ellipse"><mu>0.8</mu></friction>"#,
        r#"<friction class="default"><limit>axes</limit></friction>"#,
    ] {
        for (drive, controller) in
            [("differential_4_wheels", PID), ("ackermann", CAR_PID), ("ackermann_drivetrain", CAR_PID)]
        {
            for chassis in ["", r#"com_height="0.4" com="0.2 0.05""#] {
                for yaw in [0.0, 90.0, 200.0] {
                    carts.push(Cart { drive, controller, friction, chassis, yaw });
                }
            }
        }
    }
    carts
}

/// A stopped, controlled vehicle holds up to μ = tan θ, at any step; it does not move at all, and its forces are at rest.
#[test]
fn a_stopped_vehicle_holds_up_to_the_angle_of_friction() {
    for step in [0.001, 0.005, 0.01] {
        for cart in standing_carts() {
            let mut hill = cart.with(0.78_f64.atan(), PhysicsRules::Skidpad, step);
            hill.run(1.0);
            let at = hill.position();
            let forces: Vec<Vec2> = hill.frame.wheels.iter().map(|wheel| wheel.force_in_wheel).collect();
            hill.run(2.0);
            let moved = hill.position() - at;
            let Cart { drive, friction, chassis, yaw, .. } = cart;
            let case = format!("{drive} {friction} {chassis} {yaw} {step}: {at:?} {moved:?}");
            assert!(at.norm() < 1e-9 && moved.norm() < 1e-9, "{case}");
            for (wheel, before) in hill.frame.wheels.iter().zip(forces) {
                assert!((wheel.force_in_wheel - before).norm() < 1e-3, "{case}: {before:?} to {wheel:?}");
                assert_eq!(wheel.spin, 0.0);
            }
        }
    }
}

/// Beyond it the vehicle slides on its locked wheels with a = g·(sin θ − μ·cos θ).
#[test]
fn beyond_the_angle_of_friction_it_slides() {
    for (drive, controller) in [("differential_4_wheels", PID), ("ackermann", CAR_PID)] {
        for yaw in [0.0, 40.0, 90.0] {
            let friction = r#"<friction class="default"><mu>0.2</mu></friction>"#;
            let mut hill = Cart { drive, controller, friction, yaw, ..Cart::default() }.on(0.3);
            hill.run(1.0);
            let start = hill.velocity().linear().norm();
            hill.run(2.0);
            let expected = GRAVITY * (0.3_f64.sin() - 0.2 * 0.3_f64.cos());
            let actual = (hill.velocity().linear().norm() - start) / 2.0;
            assert!((actual / expected - 1.0).abs() < 1e-3, "{drive} at {yaw}: {actual} for {expected}");
            assert!(hill.frame.wheels.iter().all(|wheel| wheel.spin == 0.0), "locked");
            assert!(hill.position().x < -1.0 && hill.position().y.abs() < 1e-3, "{:?}", hill.position());
        }
    }
}

/// Wheels with grip take over the force that the wheels on ice cannot hold. With ice on one side they also hold m·g·sin θ at
/// half the track, crosswise: √2 times half of it each, which takes 0.29 of grip on this slope.
#[test]
fn wheels_with_grip_take_over_from_those_on_ice() {
    for (yaw, on_ice) in [(0.0, [0, 2]), (0.0, [0, 1]), (90.0, [0, 1]), (30.0, [1, 2])] {
        let mut hill = Cart { controller: PID, yaw, ..Cart::default() }.on(0.2);
        for wheel in on_ice {
            hill.ground[wheel].mu = Some(0.02);
        }
        hill.run(1.0);
        let at = hill.position();
        hill.run(5.0);
        let moved = hill.position() - at;
        assert!(at.norm() < 1e-6 && moved.norm() < 1e-9, "{yaw} {on_ice:?}: {at:?} {moved:?}");
        for (index, wheel) in hill.frame.wheels.iter().enumerate() {
            let mu = if on_ice.contains(&index) { 0.02 } else { 0.8 };
            assert!(wheel.force_in_wheel.norm() <= mu * wheel.load * (1.0 + 1e-9), "{wheel:?}");
        }
    }
}

/// Commanded to stop, a vehicle comes to rest and holds, uphill or downhill, with any gains, at any step.
#[test]
fn it_stops_on_a_slope_and_stays() {
    for step in [0.001, 0.005, 0.01] {
        for (drive, class) in [
            ("differential_4_wheels", "twist_pid"),
            ("ackermann", "twist_front_steer_pid"),
            ("ackermann_drivetrain", "front_steer_pid"),
        ] {
            for gains in
                ["<KP>40</KP>", "<KP>100</KP><KI>40</KI>", "<KP>200</KP><enable_feedforward>1</enable_feedforward>"]
            {
                for angle in [grade(), -grade(), -0.01, 0.25] {
                    let controller =
                        format!(r#"<controller class="{class}">{gains}<max_torque>0</max_torque></controller>"#);
                    let mut hill = Cart { drive, controller: &controller, ..Cart::default() }.with(
                        angle,
                        PhysicsRules::Skidpad,
                        step,
                    );
                    hill.order(1.0, 0.0);
                    hill.run(2.0);
                    hill.order(0.0, 0.0);
                    hill.run(10.0);
                    let at = hill.position();
                    let case = format!("{drive} {gains} {angle} {step}");
                    assert!(hill.velocity().linear().norm() < 1e-9, "{case}: {:?}", hill.velocity());
                    hill.run(2.0);
                    assert!((hill.position() - at).norm() < 1e-9, "{case}");
                    // A command releases the brakes at once.
                    hill.order(-0.5, 0.0);
                    hill.step();
                    let push: f64 = hill.frame.wheels.iter().map(|wheel| wheel.force_in_wheel.x).sum();
                    let motors: f64 = hill.frame.wheels.iter().map(|wheel| wheel.torque / RADIUS).sum();
                    assert!(motors < -1.0 && push < -1.0, "{case}: {push} for {motors}");
                }
            }
        }
    }
}

/// A velocity of 0.5 m/s is lost after v²/(2μg) on locked wheels; on level ground as well.
#[test]
fn a_parked_vehicle_slides_when_it_is_pushed() {
    for angle in [0.0, 0.1] {
        let mut hill = Cart { controller: PID, ..Cart::default() }.with(angle, PhysicsRules::Skidpad, 0.001);
        hill.run(0.1);
        let at = hill.position();
        hill.push(Twist2::new(-0.3, 0.4, 0.0));
        hill.run(1.0);
        let moved = hill.position() - at;
        assert!(hill.velocity().linear().norm() < 1e-9 && hill.frame.wheels.iter().all(|w| w.spin == 0.0));
        let expected = 0.25 / (2.0 * 0.8 * GRAVITY);
        if angle == 0.0 {
            assert!((moved.norm() / expected - 1.0).abs() < 0.02, "{moved:?} for {expected}");
            assert!((moved.y / moved.x + 4.0 / 3.0).abs() < 0.02, "{moved:?}");
        } else {
            assert!(moved.norm() > expected && moved.norm() < 2.0 * expected, "{moved:?}");
        }
    }
}

/// A narrow robot with heavy wheels far out, in line: it would oscillate if each wheel stopped its own mass.
#[test]
fn two_wheels_in_line_hold_without_oscillation() {
    let robot = |yaw: f64| {
        format!(
            r#"<vehicle name="robot"><init_pose>0 0 {yaw}</init_pose><dynamics class="differential">
            <l_wheel pos="0 0.5" mass="8" width="0.02" diameter="0.2"/><r_wheel pos="0 -0.5" mass="8" width="0.02" diameter="0.2"/>
            <chassis mass="4" com="0.15 0" linear_damping="0" angular_damping="0"/>
            <controller class="twist_pid"><KP>10</KP></controller></dynamics></vehicle>"#
        )
    };
    for step in [0.001, 0.01] {
        for yaw in [0.0, 45.0, 90.0, 135.0] {
            let mut hill = Hill::new(0.3, PhysicsRules::Skidpad, step, &robot(yaw));
            hill.run(3.0);
            assert!(hill.position().norm() < 1e-6 && hill.velocity().wz.abs() < 1e-9, "{yaw}: {:?}", hill.velocity());
            hill.push(Twist2::new(0.0, 0.0, 2.0));
            hill.run(2.0);
            assert!(
                hill.velocity().linear().norm() < 1e-9 && hill.velocity().wz.abs() < 1e-9,
                "{yaw}: {:?}",
                hill.velocity()
            );
        }
    }
}

/// MVSim's test "drift on slope", on the plane under its middle: nothing moves in 3 s.
#[test]
fn mvsims_drift_test_holds() {
    // The matrix [1 0 −1; 1.5 0 −1.5; 1 0 −1] with cells of 6 m falls by 1.25 m to 1.5 m over 6 m along y.
    for (rules, controller, yaw) in [PhysicsRules::Skidpad, PhysicsRules::Mvsim]
        .into_iter()
        .flat_map(|rules| ["twist_ideal", "twist_pid"].map(|controller| (rules, controller)))
        .flat_map(|(rules, controller)| [0.0, 90.0, 145.0].map(|yaw| (rules, controller, yaw)))
    {
        let wheel = r#"mass="1" width="0.03" diameter="0.20""#;
        let robot = format!(
            r#"<vehicle name="r1"><init_pose>0 0 {yaw}</init_pose><dynamics class="differential_4_wheels">
            <lr_wheel pos="-0.3 0.6" {wheel}/><rr_wheel pos="-0.3 -0.6" {wheel}/>
            <lf_wheel pos="0.3 0.6" {wheel}/><rf_wheel pos="0.3 -0.6" {wheel}/>
            <chassis mass="10" zmin="0.05" zmax="0.25"/>
            <controller class="{controller}"><KP>4</KP><KI>3</KI><max_torque>20</max_torque></controller></dynamics>
            <friction class="default"><mu>0.8</mu><C_damping>0.05</C_damping></friction></vehicle>"#
        );
        let mut hill = Hill::new((1.5_f64 / 6.0).atan(), rules, 0.005, &robot);
        hill.order(0.0, 0.0);
        hill.run(3.0);
        let (at, turned) = (hill.position(), hill.world.physics.world_from_body(0).yaw - f64::to_radians(yaw));
        assert!(at.x.abs() < 1e-3 && at.y.abs() < 1e-3 && turned.abs() < 0.01, "{rules:?} {controller} {yaw}: {at:?}");
    }
}

/// MVSim's rules: longitudinally, gravity neither moves the vehicle nor costs torque, until grip is exhausted.
#[test]
fn under_mvsims_rules_nothing_rolls_downhill() {
    let mut hill = Cart::default().with(-0.3, PhysicsRules::Mvsim, 0.005);
    hill.run(5.0);
    assert!(hill.position().norm() < 1e-9, "{:?}", hill.position());
    let mut climbing = Cart { controller: PID, ..Cart::default() }.with(grade(), PhysicsRules::Mvsim, 0.005);
    climbing.order(1.0, 0.0);
    climbing.run(60.0);
    assert!((climbing.velocity().vx - 1.0).abs() < 1e-6);
    assert!(climbing.frame.wheels.iter().all(|wheel| wheel.torque.abs() < 1e-6), "no torque");
    // F_x = min(m·g·sin θ, μ·m·g): the load has no cosine there.
    let friction = r#"<friction class="default"><mu>0.2</mu><C_damping>0</C_damping></friction>"#;
    let mut icy = Cart { friction, ..Cart::default() }.with(-0.3, PhysicsRules::Mvsim, 0.001);
    icy.run(1.0);
    let expected = GRAVITY * (0.3_f64.sin() - 0.2);
    assert!(icy.velocity().vx > 0.5 * expected, "{} for {expected}", icy.velocity().vx);
}

/// Whatever the slope, the torque, the steering and the motion, under both rules: |F| ≤ μ·N.
#[test]
fn no_tyre_exceeds_its_circle() {
    let strategy = (
        (-1.4..1.4_f64, 0.0..360.0_f64, 0.0..1.5_f64, prop::bool::ANY),
        (-500.0..500.0_f64, -30.0..30.0_f64, -5.0..5.0_f64, -5.0..5.0_f64, -3.0..3.0_f64),
        (prop::sample::select(vec!["default", "wardiagnemma", "ellipse"]), 0..3_usize, 0.0..1.0_f64),
    );
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(150) });
    let result = runner.run(&strategy, |((angle, yaw, mu, corrected), (torque, steer, vx, vy, wz), (law, kind, height))| {
        let rules = if corrected { PhysicsRules::Skidpad } else { PhysicsRules::Mvsim };
        let friction = format!(r#"<friction class="{law}"><mu>{mu}</mu><limit>circle</limit></friction>"#);
        let controllers = [
            ("ackermann", format!(
                r#"<controller class="raw"><fl_torque>{torque}</fl_torque><fr_torque>{torque}</fr_torque>
                <steer_ang_deg>{steer}</steer_ang_deg></controller>"#
            )),
            ("ackermann_drivetrain", format!(
                r#"<controller class="front_steer_pid"><KP>{}</KP><V>{vy}</V><STEER_ANG>{steer}</STEER_ANG></controller>"#,
                torque.abs()
            )),
            ("differential_4_wheels", r#"<controller class="twist_pid"/>"#.to_string()),
        ];
        let (drive, controller) = &controllers[kind];
        let chassis = format!(r#"com_height="{height}""#);
        let cart = Cart { drive, controller, friction: &friction, chassis: &chassis, yaw };
        let mut hill = cart.with(angle, rules, 0.005);
        hill.push(Twist2::new(vx, vy, wz));
        for k in 0..200 {
            hill.step();
            for wheel in &hill.frame.wheels {
                let most = mu * wheel.load * (1.0 + 1e-9) + 1e-12;
                prop_assert!(wheel.force_in_wheel.norm() <= most, "step {}, {} {:?}: {:?}", k, law, rules, wheel);
            }
            prop_assert!(hill.velocity().is_finite());
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The same run gives the same bits, in a fresh world and after a reset.
#[test]
fn runs_on_a_slope_are_reproducible() {
    let run = |hill: &mut Hill| -> Vec<VehicleFrame> {
        hill.push(Twist2::new(0.5, 0.3, -0.4));
        hill.order(0.8, 0.5);
        let mut frames = Vec::new();
        for k in 0..1200 {
            if k == 500 {
                hill.order(0.0, 0.0);
            }
            hill.step();
            frames.push(hill.frame.clone());
        }
        frames
    };
    let cart = Cart { controller: PID, chassis: r#"com_height="0.4""#, yaw: 30.0, ..Cart::default() };
    let (mut first, mut second) = (cart.on(0.2), cart.on(0.2));
    let frames = run(&mut first);
    assert!(frames == run(&mut second));
    first.world.reset();
    first.acceleration_in_body = Vec2::ZERO;
    assert!(frames == run(&mut first), "after a reset");
}

/// A vehicle without commands stops, and is held.
#[test]
fn without_commands_the_vehicle_stands() {
    let mut hill = Cart { controller: PID, ..Cart::default() }.on(-grade());
    hill.order(1.0, 0.0);
    hill.run(5.0);
    hill.world.vehicles[0].vehicle.apply_command_timeout(SimTime::from_secs(10.0), SimTime::from_secs(1.0));
    hill.run(5.0);
    let at = hill.position();
    hill.run(5.0);
    assert!((hill.position() - at).norm() < 1e-9);
    assert!(
        hill.frame.wheels.iter().all(|wheel| wheel.spin == 0.0 && wheel.force_in_wheel.x < -10.0),
        "{:?}",
        hill.frame
    );
}

/// On level ground a stop is MVSim's: below the threshold the vehicle coasts out, and no brake shortens it.
#[test]
fn on_level_ground_it_coasts_out() {
    let friction = r#"<friction class="default"><C_damping>0.5</C_damping></friction>"#;
    let mut hill = Cart { controller: PID, friction, ..Cart::default() }.on(0.0);
    hill.order(1.0, 0.0);
    hill.run(5.0);
    hill.order(0.0, 0.0);
    while hill.velocity().vx > 0.04 {
        hill.step();
    }
    let start = hill.velocity().vx;
    hill.run(2.0);
    let expected = start * (-2.0 * 4.0 * 0.5 / (RADIUS * RADIUS) / (MASS + ROLLING_MASS)).exp();
    assert!((hill.velocity().vx / expected - 1.0).abs() < 1e-2, "{} for {expected}", hill.velocity().vx);
    hill.run(100.0);
    assert!(hill.velocity().vx.abs() < 1e-15 && hill.frame.wheels[0].spin == 0.0, "{:?}", hill.velocity());
}
