//! How the error of a path falls with the step, for each drive and each friction law, against steps of 0.25 ms. The tables of
//! docs/models.md are those of this file: `SKIDPAD_UPDATE=1 cargo test --test physics convergence` writes them.

use std::fmt::Write;
use std::{env, fs};

use super::common::*;
use skidpad_math::{Pose2, Twist2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

const STEPS: [f64; 5] = [0.001, 0.0025, 0.005, 0.01, 0.02];
const FINEST: f64 = 0.00025;
const PAGE: &str = "docs/models.md";

/// A cart that starts at 1 m/s and is commanded to drive 1.5 m/s on a circle of 3 m.
struct Case {
    name: &'static str,
    drive: &'static str,
    friction: &'static str,
    controller: &'static str,
}

const SPINS: &str = r#"<controller class="twist_pid"><KP>20</KP><KI>5</KI></controller>"#;
const STEERS: &str = r#"<controller class="twist_front_steer_pid"><KP>20</KP><KI>5</KI></controller>"#;

const CASES: [Case; 16] = [
    Case { name: "`differential`", drive: "differential_4_wheels", friction: "default", controller: SPINS },
    Case { name: "`ackermann`", drive: "ackermann", friction: "default", controller: STEERS },
    Case { name: "`ackermann_drivetrain`", drive: "ackermann_drivetrain", friction: "default", controller: STEERS },
    Case { name: "`tricycle`", drive: "tricycle", friction: "default", controller: STEERS },
    Case { name: "`articulated`", drive: "articulated", friction: "default", controller: STEERS },
    Case { name: "`omni_4_wheels`", drive: "omni_4_wheels", friction: "default", controller: SPINS },
    Case { name: "`mecanum`", drive: "mecanum", friction: "default", controller: SPINS },
    Case { name: "`tracked`", drive: "tracked", friction: "default", controller: SPINS },
    Case { name: "`kinematic_bicycle`", drive: "kinematic_bicycle", friction: "default", controller: "" },
    Case { name: "`single_track`", drive: "single_track", friction: "default", controller: "" },
    Case {
        name: "`twist_ideal`",
        drive: "differential",
        friction: "default",
        controller: r#"<controller class="twist_ideal"/>"#,
    },
    Case { name: "`wardiagnemma`", drive: "ackermann", friction: "wardiagnemma", controller: STEERS },
    Case { name: "`ellipse`", drive: "ackermann", friction: "ellipse", controller: STEERS },
    Case { name: "`linear`", drive: "ackermann", friction: "linear", controller: STEERS },
    Case { name: "`fiala`", drive: "ackermann", friction: "fiala", controller: STEERS },
    Case { name: "`pacejka`", drive: "ackermann", friction: "pacejka", controller: STEERS },
];

fn end(case: &Case, step: f64) -> Pose2 {
    let mut world = if case.controller.is_empty() {
        world(&format!(
            r#"<simul_timestep>{step}</simul_timestep><vehicle name="r1"><init_pose>0 0 0</init_pose><init_vel>1 0 0</init_vel><dynamics class="{}"/></vehicle>"#,
            case.drive
        ))
    } else {
        let friction = format!(r#"<friction class="{}"></friction>"#, case.friction);
        Cart {
            drive: case.drive,
            inside: case.controller.into(),
            friction,
            velocity: "1 0 0".into(),
            ..Cart::default()
        }
        .world(step)
    };
    let twist = Action::Twist(Twist2::new(1.5, 0.0, 0.5));
    if world.command(Command { vehicle: 0, action: twist }).is_err() {
        let action = Action::Ackermann { speed: 1.5, steering_angle: 0.3 };
        world.command(Command { vehicle: 0, action }).expect("takes one of the two");
    }
    run(&mut world, 3.0);
    first(&world).world_from_body.planar()
}

/// Three digits, and no more than a user reads.
fn short(number: f64) -> String {
    match number.abs() {
        n if n < 5e-4 => "0".into(),
        n if n < 1.0 => format!("{number:.3}"),
        n if n < 100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

fn paths() -> String {
    let mut text = String::from(
        "| After 3 s, off by [mm] at | 1 ms | 2.5 ms | 5 ms | 10 ms | 20 ms | order |\n|---|---|---|---|---|---|---|\n",
    );
    for case in &CASES {
        let exact = end(case, FINEST);
        assert!(exact.position().norm() > 1.0, "{} drives", case.name);
        let errors = STEPS.map(|step| 1000.0 * (end(case, step).position() - exact.position()).norm());
        // The finest run is off itself, by a tenth of the run at 2.5 ms if the order is one.
        let order = ((errors[2] + 0.1 * errors[1]) / (1.1 * errors[1])).log2();
        let is_exact = errors[2] < 5e-4;
        assert!(is_exact || order > 0.8, "{}: {errors:?} mm, order {order}", case.name);
        let errors: String = errors.map(|error| format!(" {} |", short(error))).concat();
        let order = if is_exact { "exact".into() } else { format!("{order:.1}") };
        let _ = writeln!(text, "| {} |{errors} {order} |", case.name);
    }
    text
}

/// The racecar on its circle of 3 m/s and 0.2 rad.
fn slips() -> String {
    let mut text = String::from(
        "| Racecar at 3 m/s and 0.2 rad, step [ms] | 1 | 2.5 | 5 | 10 | 20 |\n|---|---|---|---|---|---|\n",
    );
    let mut rows = [String::new(), String::new(), String::new()];
    for step in STEPS {
        let world_text = format!(
            r#"<mvsim_world><simul_timestep>{step}</simul_timestep><include file="vehicles/racecar.vehicle.xml"/>
            <vehicle name="racecar" class="racecar"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"#
        );
        let options = LoadOptions::default();
        let (mut world, _) =
            World::load_text("t.xml", &repository("worlds"), &world_text, &options).expect("a good world");
        let action = Action::Ackermann { speed: 3.0, steering_angle: 0.2 };
        world.command(Command { vehicle: 0, action }).expect("steers");
        run(&mut world, 6.0);
        let car = first(&world);
        let numbers = [
            car.wheels[1].slip_angle().to_degrees(),
            car.wheels[2].slip_angle().to_degrees(),
            1000.0 * car.velocity_in_body.vy,
        ];
        for (row, number) in rows.iter_mut().zip(numbers) {
            let _ = write!(row, " {:.4} |", (number * 1e4).round() * 1e-4 + 0.0);
        }
    }
    for (name, row) in ["slip angle, rear right [°]", "slip angle, front left [°]", "v_y [mm/s]"].iter().zip(rows) {
        let _ = writeln!(text, "| {name} |{row}");
    }
    text
}

/// At least first order, and the page has the figures.
#[test]
fn errors_fall_with_the_step_as_the_page_says() {
    let page = fs::read_to_string(repository(PAGE)).expect("a page");
    let (before, after_start) = page.split_once("<!-- steps -->\n").expect("a table");
    let (table, after) = after_start.split_once("<!-- steps end -->").expect("its end");
    let measured = format!("{}\n{}", paths(), slips());
    if env::var_os("SKIDPAD_UPDATE").is_some() {
        fs::write(repository(PAGE), format!("{before}<!-- steps -->\n{measured}<!-- steps end -->{after}"))
            .expect("writable");
        return;
    }
    assert_eq!(table, measured, "SKIDPAD_UPDATE=1 cargo test --test physics convergence writes the table");
}
